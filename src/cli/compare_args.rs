//! The command line of `callgate compare` as it is typed.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::args::{InputArgs, JudgementArgs, Output, model, output_in};
use crate::report::registry::COMPARERS;

/// `callgate compare`.
#[derive(Debug, ClapArgs)]
pub struct CompareArgs {
    /// What is read.
    #[command(flatten)]
    pub input: InputArgs,

    /// Compare these models, in this order (repeatable) [default: all that judge by themselves]
    #[arg(long, value_name = "MODEL", value_delimiter = ',', value_parser = model(), help_heading = "Judgement")]
    pub model: Vec<String>,
    /// Compare also models that say nothing of a script by itself, or that ask a server
    #[arg(long, conflicts_with = "model", help_heading = "Judgement")]
    pub all: bool,
    /// What follows from what is found.
    #[command(flatten)]
    pub judgement: JudgementArgs,

    /// How to report: table, json or html, each also as FORMAT=FILE (repeatable) [default: table]
    #[arg(long, short, value_name = "FORMAT[=FILE]", value_parser = comparison_output, help_heading = "Output")]
    pub format: Vec<Output>,
    /// Write the comparison to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Show only what the models answer differently
    #[arg(long, help_heading = "Output")]
    pub disagreements: bool,
}

fn comparison_output(text: &str) -> Result<Output, String> {
    output_in(text, &COMPARERS.iter().map(|comparer| comparer.name).collect::<Vec<_>>())
}
