//! The command line: the only part that prints.

pub mod accepted;
pub mod args;
pub mod args_baseline;
pub mod args_generate;
pub mod audit;
pub mod baseline;
pub mod chosen;
pub mod collect;
pub mod commands;
pub mod config;
pub mod coverage;
pub mod delta;
pub mod exit;
pub mod failure;
pub mod found_settings;
pub mod git;
pub mod host;
pub mod list_format;
pub mod load;
pub mod loosened;
pub mod metrics;
pub mod output;
pub mod overrides;
pub mod own;
pub mod own_patterns;
pub mod own_tools;
pub mod progress;
pub mod rules_page;
pub mod settings;
pub mod small_file;
pub mod sources;
mod stored;
pub mod tenant;
pub mod thresholds;
pub mod tightened;
pub mod told;
pub mod usage;
mod vouched;
pub mod weights;
pub mod whole_file;
pub mod words;

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
    let words: Vec<OsString> = words.into_iter().collect();
    // The words of a hook come from the settings of its host, and a hook must answer.
    let is_hook = || commands::hook::is_asked(&words);
    if let Err(failure) = usage::check_words(&words)
        && !is_hook()
    {
        failure::print(&failure, false);
        return failure.exit().into();
    }
    let args = match Args::try_parse_from(&words) {
        Ok(args) => args,
        Err(error) if error.use_stderr() && is_hook() => return commands::hook::refuse_usage(&words, &error).into(),
        Err(error) => return usage_told(&error).into(),
    };
    let colour = args.colour();
    let done = match &args.command {
        Command::Scan(scan) => commands::scan::run(scan, &args.global),
        Command::Compare(compare) => commands::compare::run(compare, &args.global),
        Command::Baseline(baseline) => commands::baseline::run(baseline, &args.global),
        Command::Replay(replay) => commands::replay::run(replay, &args.global),
        Command::Tune(tune) => commands::tune::run(tune, &args.global),
        Command::Audit(audit) => commands::audit::run(audit, &args.global),
        Command::History(history) => commands::history::run(history, &args.global),
        Command::Trends(trends) => commands::trends::run(trends, &args.global),
        Command::Sessions(sessions) => commands::sessions::run(sessions, &args.global),
        Command::Tools(tools) => commands::tools::run(tools, &args.global),
        Command::Explain(explain) => commands::explain::run(explain, &args.global),
        Command::Rules(rules) => commands::rules::run(rules, &args.global),
        Command::Models(models) => commands::models::run(models),
        Command::Patterns(patterns) => commands::patterns::run(patterns, &args.global),
        Command::Samples(samples) => commands::samples::run(samples, &args.global),
        Command::Hook(hook) => Ok(commands::hook::run(hook, &args.global)),
        Command::Doctor(doctor) => commands::doctor::run(doctor),
        Command::Init(init) => commands::init::run(init, &args.global),
        Command::Generate(generate) => commands::generate::run(generate),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure::print(&failure, colour);
            failure.exit().into()
        }
    }
}

/// Prints what clap has to say: help and version are no errors.
fn usage_told(error: &clap::Error) -> Exit {
    let text = error.render().to_string();
    // What was typed stands in what is told of it.
    let hidden = told::mask_of([text.as_str()]).hidden(&text);
    let printed = match hidden {
        Some(hidden) => io::stderr().write_all(hidden.as_bytes()),
        None => error.print().and_then(|()| io::stdout().flush()),
    };
    if !matches!(error.kind(), clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion) {
        // If even that cannot be printed, the code still tells.
        return Exit::Usage;
    }
    match printed.err().and_then(|fault| Failure::of_writing("standard output", fault)) {
        Some(failure) => {
            failure::print(&failure, false);
            failure.exit()
        }
        None => Exit::Allow,
    }
}
