//! `callgate patterns test`: every pattern and every row of commands, statements and forms holds its own examples.

use crate::cli::args::{Global, PatternsArgs, PatternsCommand};
use crate::cli::commands::to_stdout;
use crate::cli::config;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::settings::Rulebook;
use crate::format::script::examples as form;
use crate::meaning::{command, statement};
use crate::pattern::examples::{BrokenExample, broken};
use crate::value::source::shown;

/// Works with patterns.
///
/// # Errors
///
/// When the settings or patterns have faults.
pub fn run(args: &PatternsArgs, global: &Global) -> Result<Exit, Failure> {
    match args.command {
        PatternsCommand::Test => test(global),
    }
}

fn test(global: &Global) -> Result<Exit, Failure> {
    let library = Rulebook::of(&config::load(global.config.as_deref(), global.no_config)?, global)?.library;
    let patterns = library.patterns();
    let examples: usize = patterns.iter().map(|pattern| pattern.examples.hit.len() + pattern.examples.miss.len()).sum();
    let broken: Vec<BrokenExample> = patterns.iter().flat_map(broken).collect();
    let of_rows = command::examples::broken();
    let untrue = statement::examples::broken();
    let formless = form::broken();
    let examples = examples + command::examples::count() + statement::examples::count() + form::count();
    let wrong = broken.len() + of_rows.len() + untrue.len() + formless.len();
    to_stdout(|out| {
        for BrokenExample { id, example, is_hit, why } in &broken {
            writeln!(out, "{id}: {} example `{}`: {why}", if *is_hit { "hit" } else { "miss" }, shown(example))?;
        }
        for own in &of_rows {
            writeln!(out, "{}: {} example `{}` does not hold", own.row, if own.is_hit { "hit" } else { "miss" }, shown(own.example))?;
        }
        for own in &untrue {
            writeln!(out, "{}: {} example `{}` does not hold", own.row, if own.is_hit { "hit" } else { "miss" }, shown(own.example))?;
        }
        for own in &formless {
            writeln!(out, "{}: {} example `{}` does not hold", own.row, if own.is_hit { "hit" } else { "miss" }, shown(own.example))?;
        }
        writeln!(out, "{} patterns, {examples} examples, {wrong} broken", patterns.len())
    })?;
    Ok(if wrong == 0 { Exit::Allow } else { Exit::Failed })
}
