//! The command line of `callgate replay` as it is typed.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::args::{InputArgs, JudgementArgs, Output, model, output_in};
use crate::report::registry::REPLAYERS;

/// `callgate replay`.
#[derive(Debug, ClapArgs)]
pub struct ReplayArgs {
    /// What is read.
    #[command(flatten)]
    pub input: InputArgs,
    /// The settings file before the change, then the one after it; one alone is held against the callgate.yaml here
    #[arg(id = "config", long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Settings")]
    pub config: Vec<PathBuf>,

    /// The model that judges before the change (repeatable) [default: as the settings say]
    #[arg(long, value_name = "MODEL", value_delimiter = ',', value_parser = model(), help_heading = "Judgement")]
    pub model_before: Vec<String>,
    /// The model that judges after the change (repeatable) [default: as the settings say]
    #[arg(long, value_name = "MODEL", value_delimiter = ',', value_parser = model(), help_heading = "Judgement")]
    pub model_after: Vec<String>,
    /// What follows from what is found.
    #[command(flatten)]
    pub judgement: JudgementArgs,
    /// End with 1 if any verdict flips
    #[arg(long, help_heading = "Judgement")]
    pub fail_on_flip: bool,

    /// How to report: table or json, each also as FORMAT=FILE (repeatable) [default: table]
    #[arg(long, short, value_name = "FORMAT[=FILE]", value_parser = replay_output, help_heading = "Output")]
    pub format: Vec<Output>,
    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

fn replay_output(text: &str) -> Result<Output, String> {
    output_in(text, &REPLAYERS.iter().map(|replayer| replayer.name).collect::<Vec<_>>())
}
