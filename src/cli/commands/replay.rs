//! `callgate replay`: judges the same sources by two settings, and tells which verdicts flip.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::cli::args::{Global, ReplayArgs};
use crate::cli::collect::collect;
use crate::cli::commands::{ended, note};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output::Outputs;
use crate::cli::settings::{Choice, settle};
use crate::cli::{stored, usage};
use crate::compare::replay::Replay;
use crate::finding::Report;
use crate::finding::hide::Hidden;
use crate::finding::place::Wanted;
use crate::pattern::mask::Mask;
use crate::report::registry::{self as reporters, REPLAYERS};
use crate::report::{Replayer, Style};

/// One side of a replay.
struct Side {
    config: Option<PathBuf>,
    models: Vec<String>,
}

/// Judges twice and reports what flips. A verdict does not change how the run ends, unless flips are to fail it.
///
/// # Errors
///
/// When both sides are the same, settings have faults, there is nothing to scan, or the report cannot be written.
pub fn run(args: &ReplayArgs, global: &Global) -> Result<Exit, Failure> {
    usage::check_input(&args.input)?;
    if let Some(against) = &args.against {
        return run_against(args, against, global);
    }
    let [before, after] = sides(args, global)?;
    let mut outputs = Outputs::open((&args.format, args.output.as_deref()), REPLAYERS[0].name, global.color, reporters::replayer)?;
    let mut mask = Mask::default();
    let mut failures = Vec::new();
    let mut judge = |side: &Side| judge((args, global), side, (&mut outputs, &mut mask), &mut failures);
    let (before, after) = (judge(&before)?, judge(&after)?);
    Ok(told(args, Replay::of(before, after), (outputs, &mask), (failures, global)))
}

/// Judges once, and reports what flips against what was judged before.
fn run_against(args: &ReplayArgs, against: &OsStr, global: &Global) -> Result<Exit, Failure> {
    let config = match args.config.as_slice() {
        [] => global.config.clone(),
        [after] => Some(after.clone()),
        _ => {
            let message = "--against is one side of a replay, and two --config name both";
            return Err(Failure::usage(message, "name the settings after the change alone, or leave --against out"));
        }
    };
    let stored = stored::read(against)?;
    let mut outputs = Outputs::open((&args.format, args.output.as_deref()), REPLAYERS[0].name, global.color, reporters::replayer)?;
    let (mut mask, mut failures) = (Mask::default(), Vec::new());
    let side = Side { config, models: args.model_after.clone() };
    let after = judge((args, global), &side, (&mut outputs, &mut mask), &mut failures)?;
    Ok(told(args, Replay::against(&stored, after), (outputs, &mask), (failures, global)))
}

/// Writes a replay; returns how the run ends.
fn told(
    args: &ReplayArgs,
    mut replay: Replay,
    (mut outputs, mask): (Outputs<Replayer>, &Mask),
    (mut failures, global): (Vec<Failure>, &Global),
) -> Exit {
    let is_flipped = !replay.flips.is_empty();
    let replay = Hidden::of(&mut replay, mask);
    outputs.write(Style::default(), |replayer, style, out| (replayer.write)(replay, style, out));
    failures.extend(outputs.finish());
    let exit = if args.fail_on_flip && is_flipped { Exit::Warn } else { Exit::Allow };
    ended(exit, &failures, global)
}

/// What is judged by before and after. One side alone is held against what takes effect here without it.
fn sides(args: &ReplayArgs, global: &Global) -> Result<[Side; 2], Failure> {
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    if args.input.paths.iter().any(is_stdin) || args.input.files_from.as_ref().is_some_and(is_stdin) {
        return Err(Failure::usage("standard input cannot be judged twice", "put it into a file, and name that"));
    }
    let (before, after) = match args.config.as_slice() {
        [] => (None, None),
        [after] => (None, Some(after.clone())),
        [before, after] => (Some(before.clone()), Some(after.clone())),
        _ => {
            return Err(Failure::usage(
                "a replay has two sides, and more than two --config were named",
                "name the one before, then the one after",
            ));
        }
    };
    // What is left out on one side is what takes effect here; a side that names models keeps those settings.
    let after = after.or_else(|| global.config.clone().filter(|_| args.config.is_empty()));
    if before == after && args.model_before == args.model_after {
        return Err(Failure::usage(
            "both sides are the same",
            "name two settings files: --config before.yaml --config after.yaml; or one, which is held against the callgate.yaml here; \
             or models by --model-before and --model-after",
        ));
    }
    let models = [&args.model_before, &args.model_after].map(Clone::clone);
    let [before_models, after_models] = models;
    Ok([Side { config: before, models: before_models }, Side { config: after, models: after_models }])
}

/// Judges by one side; learns the secrets and notes what was missing.
fn judge(
    (args, global): (&ReplayArgs, &Global),
    side: &Side,
    (outputs, mask): (&mut Outputs<Replayer>, &mut Mask),
    failures: &mut Vec<Failure>,
) -> Result<Report, Failure> {
    let global = Global { config: side.config.clone(), ..global.clone() };
    let wanted = Wanted { opinions: true, trails: args.against.is_some(), ..Wanted::default() };
    let settings = settle(&args.input, &args.judgement, Choice::Judges(&side.models), &global, wanted)?;
    let (report, missing) = collect(&args.input, &settings, (outputs, mask))?;
    note(&settings.notes);
    if failures.is_empty() {
        failures.extend(missing);
    }
    Ok(report)
}
