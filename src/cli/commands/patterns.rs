//! `callgate patterns test`: every pattern and every row, also of the user's own, holds its examples.

use crate::cli::args::{Global, PatternsArgs, PatternsCommand};
use crate::cli::commands::to_stdout;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::cli::own;
use crate::cli::settings::Rulebook;
use crate::explain::row::{self, Row, Unmet};
use crate::format::script::examples as form;
use crate::knowledge::manifest::Manifest;
use crate::pattern::examples::{BrokenExample, broken};
use crate::pattern::threat_examples as threat;
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
    let loaded = load::load(global)?;
    let library = Rulebook::of(&loaded, global)?.library;
    let patterns = library.patterns();
    let broken: Vec<BrokenExample> = patterns.iter().flat_map(broken).collect();
    let house = own::house(&loaded, Manifest::default())?;
    let mut rows = row::built_in();
    rows.extend(own::rows_of(&loaded, &house));
    let unmet: Vec<(&Row, Unmet)> = rows.iter().flat_map(|row| row.unmet(&house).into_iter().map(move |unmet| (row, unmet))).collect();
    let formless = form::broken();
    let harmless = threat::broken();
    let in_patterns: usize = patterns.iter().map(|pattern| pattern.examples.hit.len() + pattern.examples.miss.len()).sum();
    let examples = in_patterns + rows.iter().map(Row::examples).sum::<usize>() + form::count() + threat::count();
    let wrong = broken.len() + unmet.len() + formless.len() + harmless.len();
    let rows_of_all = rows.len() + form::count() / 2 + threat::rows();
    to_stdout(|out| {
        for BrokenExample { id, example, is_hit, why } in &broken {
            writeln!(out, "{id}: {} example `{}`: {why}", kind(*is_hit), shown(example))?;
        }
        for (row, Unmet { example, is_hit, instead }) in &unmet {
            let (file, name) = (shown(&row.file), shown(&row.name));
            writeln!(out, "{file}: {name}: {} example `{}`: what fits it is {}", kind(*is_hit), shown(example), shown(instead))?;
        }
        for own in &formless {
            writeln!(out, "{}: {} example `{}` does not hold", own.row, kind(own.is_hit), shown(own.example))?;
        }
        for threat::Broken { row, example, is_hit } in &harmless {
            writeln!(out, "{row}: {} example `{}` does not hold", kind(*is_hit), shown(example))?;
        }
        writeln!(out, "{} patterns, {rows_of_all} rows, {examples} examples, {wrong} broken", patterns.len())
    })?;
    Ok(if wrong == 0 { Exit::Allow } else { Exit::Failed })
}

fn kind(is_hit: bool) -> &'static str {
    if is_hit { "hit" } else { "miss" }
}
