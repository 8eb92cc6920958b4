//! `callgate baseline` as it is typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::cli::list_format::ListFormat;

/// `callgate baseline`.
#[derive(Debug, ClapArgs)]
pub struct BaselineArgs {
    /// What to do with the baseline.
    #[command(subcommand)]
    pub command: BaselineCommand,
}

/// What to do with a baseline.
#[derive(Debug, Subcommand)]
pub enum BaselineCommand {
    /// List the findings that a baseline holds
    Show(ShowArgs),
    /// Judge what is named, and take out of a baseline what fits nothing any more
    Prune(PruneArgs),
}

/// `callgate baseline show`.
#[derive(Debug, ClapArgs)]
pub struct ShowArgs {
    /// The baseline [default: that of the settings, or callgate-baseline.json]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// How to list
    #[arg(long, short, value_name = "FORMAT", default_value = "table")]
    pub format: ListFormat,
}

/// `callgate baseline prune`.
#[derive(Debug, ClapArgs)]
pub struct PruneArgs {
    /// The files and folders that are judged [default: this folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The baseline [default: that of the settings, or callgate-baseline.json]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}
