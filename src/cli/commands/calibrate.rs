//! `callgate tune --audit`: what the evaluations of a store say of the weights of the hybrid model.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::audit::query::Filter;
use crate::audit::record::Record;
use crate::audit::{AuditError, Scope, store::Store};
use crate::cli::args::{Global, TuneArgs};
use crate::cli::audit::existing;
use crate::cli::commands::audit::{failure, opened};
use crate::cli::commands::ended;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::cli::output::Outputs;
use crate::cli::settings::{Choice, all_rules, settle};
use crate::cli::{told, weights};
use crate::finding::hide::Hidden;
use crate::finding::place::Wanted;
use crate::model::build::Settings as _;
use crate::model::hybrid;
use crate::report::Style;
use crate::report::registry::{self as reporters, CALIBRATIONS};
use crate::tune::calibration::{Calibration, Profile, Samples};
use crate::value::severity::Severity;
use crate::value::source::shown;

/// How many evaluations are looked at, the newest.
const MOST: u64 = 500_000;

/// Answers from the store, and puts better settings into callgate.yaml where that is wanted.
///
/// # Errors
///
/// When there is no store, it cannot be read, the settings have faults, or something cannot be written.
pub fn run(args: &TuneArgs, global: &Global) -> Result<Exit, Failure> {
    let named = args.audit.as_deref().filter(|named| !named.is_empty());
    let place = existing(named, global)?;
    let mut outputs =
        Outputs::open((&args.format, args.output.as_deref()), CALIBRATIONS[0].name, global.color, reporters::calibration_writer)?;
    place.file().into_iter().for_each(|file| outputs.spare(file));
    let loaded = load::load(global)?;
    let models = [hybrid::NAME.to_owned()];
    let settings = settle(&args.input, &args.judgement, Choice::Judges(&models), global, Wanted::default())?;
    let rules = all_rules(&settings.scanner.library, &settings.scanner.analyzers);
    let severities = rules.iter().map(|rule| (rule.id.to_string(), rule.severity)).collect();
    let (samples, unknown) = samples(&opened(&place)?, &severities).map_err(|fault| failure(&place, &fault))?;
    let calibration = Calibration::of(&samples, loaded.config.model_settings.hybrid, unknown);
    if calibration.evaluations == 0 {
        return Err(Failure::Tuning {
            message: format!("in {place} there is no evaluation in which anything was found"),
            help: "judge something with --audit first, and label some of it: callgate audit label ID good|bad".to_owned(),
        });
    }
    outputs.write(Style::default(), |writer, style, out| (writer.write)(Hidden::without_any(&calibration), style, out));
    let file = loaded.path.unwrap_or_else(|| PathBuf::from("callgate.yaml"));
    let placed = if args.write { write(&file, &calibration).err() } else { None };
    let failures: Vec<Failure> = placed.into_iter().chain(outputs.finish()).collect();
    Ok(ended(Exit::Allow, &failures, global))
}

/// What counts: what was found, whatever was said of it, and clean passes that somebody labelled.
fn samples(store: &Store, severities: &HashMap<String, Severity>) -> Result<(Samples, Vec<String>), AuditError> {
    let mut samples = Samples::default();
    let mut unknown = BTreeSet::new();
    let own = Filter { scope: Some(Scope::default()), limit: Some(MOST), ..Filter::default() };
    store.visit(&Filter { without_clean: true, ..own.clone() }, |kept| {
        if 0 < kept.record.match_count {
            samples.add(profile(&kept.record, severities, &mut unknown), kept.label);
        }
        ControlFlow::Continue(())
    })?;
    store.visit(&Filter { is_labelled: true, ..own }, |kept| {
        if kept.record.match_count == 0 {
            samples.add(Profile::default(), kept.label);
        }
        ControlFlow::Continue(())
    })?;
    Ok((samples, unknown.into_iter().collect()))
}

/// How many matches of each severity there were, as far as the store knows: each rule hit as its own severity says, but nothing was
/// worse than the worst that is stored, which was there at least once, and there were no more than were counted.
fn profile(record: &Record, severities: &HashMap<String, Severity>, unknown: &mut BTreeSet<String>) -> Profile {
    let worst = record.severity.unwrap_or(Severity::Critical);
    let mut found: Vec<Severity> = Vec::new();
    for named in record.patterns.as_deref().unwrap_or_default().split(' ').filter(|named| !named.is_empty()) {
        let (count, rule) = named.split_once('*').unwrap_or(("1", named));
        match severities.get(rule) {
            Some(severity) => found.extend(std::iter::repeat_n((*severity).min(worst), count.parse::<u16>().map_or(1, usize::from))),
            None => {
                unknown.insert(rule.to_owned());
            }
        }
    }
    found.sort_by(|left, right| right.cmp(left));
    found.truncate(record.match_count as usize);
    match found.first_mut() {
        Some(first) => *first = worst,
        None => found.push(worst),
    }
    let mut profile = Profile::default();
    found.iter().for_each(|severity| profile[*severity as usize] += 1);
    profile
}

/// Puts better settings into callgate.yaml and says what that means.
fn write(file: &Path, calibration: &Calibration) -> Result<(), Failure> {
    let Some((settings, _)) = &calibration.better else {
        told::tell(format!("{} stays as it is: nothing parts them better\n", shown(&file.to_string_lossy())));
        return Ok(());
    };
    let has_changed = weights::write(file, settings)?;
    let state = if has_changed { "is written" } else { "says so already" };
    let mut text = format!("{} {state}\n", shown(&file.to_string_lossy()));
    let loosened = settings.loosened();
    if !loosened.is_empty() {
        text.push_str(&format!("  looser than the published numbers: {}\n", loosened.join(", ")));
    }
    text.push_str("  the action still comes from the worst severity; the score decides by its override and by thresholds\n");
    told::tell(text);
    Ok(())
}
