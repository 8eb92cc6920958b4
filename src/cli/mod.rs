//! The command line: the only part that prints.

pub mod args;
pub mod commands;
pub mod config;
pub mod exit;
pub mod failure;
pub mod output;
pub mod progress;
pub mod rules_page;
pub mod settings;
pub mod sources;
pub mod thresholds;
pub mod told;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::panic;
use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::args::{Args, Command};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::value::source::shown;

/// Runs callgate with command-line words, the program's own name first, and returns its exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    // What is told of a fault may quote what was scanned.
    panic::set_hook(Box::new(|fault| {
        told::tell(format!("callgate: internal fault: {}\n", shown(&fault.to_string())));
    }));
    let args = match Args::try_parse_from(words) {
        Ok(args) => args,
        Err(error) => return usage(&error).into(),
    };
    let colour = args.colour();
    let done = match &args.command {
        Command::Scan(scan) => commands::scan::run(scan, &args.global),
        Command::Compare(compare) => commands::compare::run(compare, &args.global),
        Command::Tune(tune) => commands::tune::run(tune, &args.global),
        Command::Explain(explain) => commands::explain::run(explain, &args.global),
        Command::Rules(rules) => commands::rules::run(rules, &args.global),
        Command::Models(models) => commands::models::run(models),
        Command::Patterns(patterns) => commands::patterns::run(patterns, &args.global),
        Command::Samples(samples) => commands::samples::run(samples, &args.global),
        Command::Init(init) => commands::init::run(init),
        Command::Generate(generate) => commands::generate::run(generate),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(Failure::BrokenPipe) => Exit::Allow.into(),
        Err(failure) => {
            failure::print(&failure, colour);
            Exit::Failed.into()
        }
    }
}

/// Prints what clap has to say: help and version are no errors.
fn usage(error: &clap::Error) -> Exit {
    // If even that cannot be printed, the code still tells.
    let text = error.render().to_string();
    let mask = told::mask_of([text.as_str()]);
    let _ = match mask.hidden(&text) {
        Some(hidden) => io::stderr().write_all(hidden.as_bytes()),
        None => error.print(),
    };
    let _ = io::stdout().flush();
    match error.kind() {
        clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion => Exit::Allow,
        _ => Exit::Usage,
    }
}
