//! `callgate compare`: what every scoring model thinks of the same sources.

use crate::cli::args::{CompareArgs, Global};
use crate::cli::collect::collect;
use crate::cli::commands::{ended, note};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output::Outputs;
use crate::cli::settings::{Choice, Settings, settle};
use crate::cli::usage;
use crate::compare::{Comparison, Wanted as Rows};
use crate::finding::Report;
use crate::finding::hide::Hidden;
use crate::finding::place::Wanted;
use crate::model::registry::by_name;
use crate::pattern::mask::Mask;
use crate::report::registry::{self as reporters, COMPARERS};
use crate::report::{Comparer, Style};

/// Compares the models and reports it. The verdicts do not change how the run ends.
///
/// # Errors
///
/// When the settings have faults, no model can be built, there is nothing to scan, or a comparison cannot be written.
pub fn run(args: &CompareArgs, global: &Global) -> Result<Exit, Failure> {
    usage::check_input(&args.input)?;
    let mut outputs = Outputs::open((&args.format, args.output.as_deref()), COMPARERS[0].name, global.color, reporters::comparer)?;
    let choice = match (args.model.as_slice(), args.all) {
        ([], false) => Choice::Comparable,
        ([], true) => Choice::All,
        (named, _) => Choice::Compared(named),
    };
    let settings = settle(&args.input, &args.judgement, choice, global, wanted(&outputs))?;
    let mut mask = Mask::default();
    let (report, missing) = collect(&args.input, &settings, (&mut outputs, &mut mask))?;
    let mut comparison = compare(report, &settings, args);
    let comparison = Hidden::of(&mut comparison, &mask);
    outputs.write(Style::default(), |comparer, style, out| (comparer.write)(comparison, style, out));
    note(&settings.notes);
    let failures: Vec<Failure> = missing.into_iter().chain(outputs.finish()).collect();
    Ok(ended(Exit::Allow, &failures, global))
}

/// What all writers together need.
fn wanted(outputs: &Outputs<Comparer>) -> Wanted {
    Wanted { excerpts: outputs.writers().any(|comparer| comparer.wanted.excerpts), opinions: true, ..Wanted::default() }
}

fn compare(report: Report, settings: &Settings, args: &CompareArgs) -> Comparison {
    let names = settings.models.iter().map(String::as_str);
    let models: Vec<(&str, &'static str)> = names.map(|name| (name, by_name(name).map_or("", |entry| entry.summary))).collect();
    let rows = if args.disagreements { Rows::Disagreements } else { Rows::All };
    let mut comparison = Comparison::of(report, &models, settings.scanner.policy.on_undetermined, rows);
    comparison.left_out.clone_from(&settings.left_out);
    comparison
}
