//! `callgate generate` as it is typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

/// `callgate generate`.
#[derive(Debug, ClapArgs)]
pub struct GenerateArgs {
    /// What to write.
    #[command(subcommand)]
    pub command: GenerateCommand,
}

/// What to write.
#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    /// Completions for a shell, or for all shells into a folder
    Completions {
        /// The shell; all of them, if none is named
        #[arg(value_name = "SHELL", required_unless_present = "output")]
        shell: Option<clap_complete::Shell>,
        /// Write one file a shell into this folder
        #[arg(long, short, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// The manual page of callgate, or one page a command into a folder
    Man {
        /// Write one page a command into this folder
        #[arg(long, short, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// The JSON schema of callgate.yaml, of pattern files, of a tenant's settings, or of reports
    Schema {
        /// What the schema describes
        #[arg(value_name = "FILE", default_value = "config")]
        of: SchemaOf,
    },
    /// The page of all built-in rules, docs/rules.md
    Rules,
}

/// What a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// callgate.yaml.
    Config,
    /// Files of patterns.
    Patterns,
    /// The settings of a tenant, security.yaml.
    Tenant,
    /// Reports in JSON.
    Report,
    /// Comparisons of models in JSON.
    Compare,
    /// Replays in JSON.
    Replay,
    /// What labelled files say of models, in JSON.
    Tune,
    /// Audits of tools in JSON.
    Tools,
    /// Evaluations of a store in JSON: `callgate history`.
    History,
    /// Sessions of a store in JSON.
    Sessions,
    /// Trends of a store in JSON.
    Trends,
    /// The calibration of hybrid by a store, in JSON: `callgate tune --audit`.
    Calibration,
}
