//! `callgate patterns test`: every pattern and every row of statements holds its own examples.

use crate::cli::args::{Global, PatternsArgs, PatternsCommand};
use crate::cli::commands::to_stdout;
use crate::cli::config;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::settings::Rulebook;
use crate::knowledge::table::STATEMENTS;
use crate::meaning::statement;
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
    let untrue = statement::examples::broken();
    to_stdout(|out| {
        for BrokenExample { id, example, is_hit, why } in &broken {
            writeln!(out, "{id}: {} example `{}`: {why}", if *is_hit { "hit" } else { "miss" }, shown(example))?;
        }
        for row in &untrue {
            let what = if row.is_hit { "hit" } else { "miss" };
            writeln!(
                out,
                "{}: {what} example `{}`: the row {}",
                row.row,
                shown(row.example),
                if row.is_hit { "does not fit" } else { "fits" }
            )?;
        }
        writeln!(out, "{} patterns, {examples} examples, {} broken", patterns.len(), broken.len())?;
        writeln!(out, "{} rows of statements, {} examples, {} broken", STATEMENTS.rows.len(), statement::examples::count(), untrue.len())
    })?;
    Ok(if broken.is_empty() && untrue.is_empty() { Exit::Allow } else { Exit::Failed })
}
