//! `callgate compare`: what every scoring model thinks of the same sources.

use std::io::Write as _;

use crate::cli::args::{CompareArgs, Global};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output::{self, Target};
use crate::cli::progress::Progress;
use crate::cli::settings::{Choice, Settings, settle};
use crate::cli::sources;
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
    let mut targets = open(args, global)?;
    let choice = match (args.model.as_slice(), args.all) {
        ([], false) => Choice::Comparable,
        ([], true) => Choice::All,
        (named, _) => Choice::Compared(named),
    };
    let settings = settle(&args.input, &args.judgement, choice, global, wanted(&targets))?;
    let mut report = Report::default();
    let mut mask = Mask::default();
    let mut progress = Progress::new(false);
    let judged = sources::judge(&args.input, &settings, |entry| {
        progress.step();
        mask.learn(entry.secrets());
        report.push(entry, true);
    })?;
    progress.finish();
    if let Some(failure) = judged.nothing_to_scan().filter(|_| report.is_empty()) {
        return Err(failure);
    }
    report.run = judged.run(&settings, true);
    mask.learn(&report.run.secrets);
    let mut comparison = compare(report, &settings, args);
    write(Hidden::of(&mut comparison, &mask), &mut targets)?;
    Ok(Exit::Allow)
}

fn open(args: &CompareArgs, global: &Global) -> Result<Vec<(&'static Comparer, Target)>, Failure> {
    let targets = output::open(&args.format, COMPARERS[0].name, args.output.as_deref(), global.color)?;
    Ok(targets.into_iter().filter_map(|(format, target)| Some((reporters::comparer(&format)?, target))).collect())
}

/// What all writers together need.
fn wanted(targets: &[(&'static Comparer, Target)]) -> Wanted {
    let excerpts = targets.iter().any(|(comparer, _)| comparer.wanted.excerpts);
    Wanted { excerpts, opinions: true, ..Wanted::default() }
}

fn compare(report: Report, settings: &Settings, args: &CompareArgs) -> Comparison {
    let names = settings.models.iter().map(String::as_str);
    let models: Vec<(&str, &'static str)> = names.map(|name| (name, by_name(name).map_or("", |entry| entry.summary))).collect();
    let rows = if args.disagreements { Rows::Disagreements } else { Rows::All };
    let mut comparison = Comparison::of(report, &models, settings.scanner.policy.on_undetermined, rows);
    comparison.left_out.clone_from(&settings.left_out);
    comparison
}

fn write(comparison: Hidden<'_, Comparison>, targets: &mut [(&'static Comparer, Target)]) -> Result<(), Failure> {
    for (comparer, target) in targets {
        let style = Style { colour: target.colour, verbose: false, quiet: false, width: target.width };
        let written = (comparer.write)(comparison, style, &mut *target.writer);
        written.and_then(|()| target.writer.flush()).map_err(|error| target.unwritable(error))?;
    }
    Ok(())
}
