//! `callgate tune`: how well each model tells labelled files apart, and the thresholds that follow.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::cli::args::{Global, TuneArgs};
use crate::cli::chosen::Output;
use crate::cli::commands::{calibrate, ended, note};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::cli::output::Outputs;
use crate::cli::progress::Progress;
use crate::cli::settings::{Choice, Settings, settle};
use crate::cli::sources::{self, Judged, Named};
use crate::cli::thresholds::{self, Thresholds};
use crate::cli::told;
use crate::cli::usage;
use crate::finding::hide::Hidden;
use crate::finding::place::Wanted;
use crate::finding::{Report, Run};
use crate::model::registry::{DEFAULT, by_name};
use crate::pattern::mask::Mask;
use crate::policy::{BLOCK_THRESHOLD, WARN_THRESHOLD};
use crate::report::registry::{self as reporters, TUNERS};
use crate::report::tune::svg;
use crate::report::{Style, Tuner};
use crate::tune::gather::Gathered;
use crate::tune::labels::{self, Label, Labelled};
use crate::tune::rate::percent;
use crate::tune::threshold::Cut;
use crate::tune::{ModelTuning, Tuning};
use crate::value::source::{SourceName, shown};
use crate::yaml::Fault;

/// Largest file with labels that is read, in bytes.
const LARGEST_LABELS: u64 = 64 * 1024 * 1024;
/// Most faults of a file with labels that are shown.
const MOST_FAULTS: usize = 10;
/// What draws into a file.
static PLOT: Tuner =
    Tuner { name: "svg", summary: "the curves and the scores of all models", write: |tuning, _, out| svg::write(tuning, out) };
/// The false-positive rates that are wanted if the user names none.
const RATES: [f64; 3] = [0.0, 0.01, 0.05];

/// Judges the models by labelled files and reports it. The verdicts do not change how the run ends.
///
/// # Errors
///
/// When labels or settings have faults, no model can be built, there is nothing to scan, or something cannot be written.
pub fn run(args: &TuneArgs, global: &Global) -> Result<Exit, Failure> {
    let Some(named) = &args.labels else { return calibrate::run(args, global) };
    usage::check_input(&args.input)?;
    let labels = Labels::read(named)?;
    let place = if args.write { Some(Place::of(args, global)?) } else { None };
    let mut outputs = open(args, global)?;
    let choice = if args.model.is_empty() { Choice::Comparable } else { Choice::Compared(&args.model) };
    let wanted = Wanted { opinions: true, ..Wanted::default() };
    let settings = settle(&args.input, &args.judgement, choice, global, wanted)?;
    settings.read.iter().chain([named]).for_each(|path| outputs.spare(path));
    let (gathered, judged, mut mask) = judge(args, named, &settings, &mut outputs)?;
    let labels_of_files = labels.resolve(&gathered)?;
    let run = judged.run(&settings, true);
    mask.learn(&run.secrets);
    let mut tuning = tune(&gathered, &labels_of_files, run, &settings, args)?;
    let tuning = Hidden::of(&mut tuning, &mask);
    outputs.write(Style::default(), |tuner, style, out| (tuner.write)(tuning, style, out));
    let placed = place.and_then(|place| place.write(tuning.get()).err());
    note(&settings.notes);
    let failures: Vec<Failure> = judged.missing().into_iter().chain(placed).chain(outputs.finish()).collect();
    Ok(ended(Exit::Allow, &failures, global))
}

/// The drawing is an output like the others.
fn open(args: &TuneArgs, global: &Global) -> Result<Outputs<Tuner>, Failure> {
    let mut chosen = args.format.clone();
    if let Some(plot) = &args.plot {
        if chosen.is_empty() {
            chosen.push(Output { format: TUNERS[0].name.to_owned(), file: None });
        }
        chosen.push(Output { format: PLOT.name.to_owned(), file: Some(plot.clone()) });
    }
    let by_name = |name: &str| if name == PLOT.name { Some(&PLOT) } else { reporters::tuner(name) };
    Outputs::open((&chosen, args.output.as_deref()), TUNERS[0].name, global.color, by_name)
}

fn judge(args: &TuneArgs, named: &Path, settings: &Settings, outputs: &mut Outputs<Tuner>) -> Result<(Gathered, Judged, Mask), Failure> {
    let mut gathered = Gathered::new(settings.models.len(), settings.scanner.policy.on_undetermined);
    let mut report = Report::default();
    let mut mask = Mask::default();
    let mut progress = Progress::new(false);
    let traces = outputs.traces();
    let judged = sources::judge(&args.input, &Named::Paths, settings, traces, |entry| {
        progress.step();
        outputs.spare(entry.name().path());
        mask.learn(entry.secrets());
        gathered.take(&entry);
        report.push(entry, false);
    })?;
    progress.finish();
    if let Some(failure) = judged.nothing_to_scan().filter(|_| report.is_empty()) {
        return Err(failure);
    }
    // Labels in JSON Lines may lie among what they are about.
    let same = |path: &&Path| labels::plain(path) == labels::plain(named);
    let own: Vec<PathBuf> = gathered.paths().filter(same).map(Path::to_path_buf).collect();
    own.iter().for_each(|path| gathered.forget(path));
    Ok((gathered, judged, mask))
}

fn tune(gathered: &Gathered, labels: &BTreeMap<PathBuf, Label>, run: Run, settings: &Settings, args: &TuneArgs) -> Result<Tuning, Failure> {
    let (good, bad) = (gathered.count(Some(Label::Good), labels), gathered.count(Some(Label::Bad), labels));
    if good == 0 || bad == 0 {
        return Err(Failure::Tuning {
            message: format!("{good} files are labelled good and {bad} bad"),
            help: "label at least one of either; some hundred of each say more".to_owned(),
        });
    }
    let mut rates = if args.fpr.is_empty() { RATES.to_vec() } else { args.fpr.clone() };
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    let decides_by = |name: &str| by_name(name).map_or("", |entry| entry.decides_by);
    let models: Vec<(&str, &'static str)> = settings.models.iter().map(|name| (name.as_str(), decides_by(name))).collect();
    Ok(Tuning {
        labels: args.labels.as_ref().map(|path| SourceName::explicit(path).as_text()).unwrap_or_default(),
        good,
        bad,
        unlabelled: gathered.count(None, labels),
        models: gathered.models(&models, labels, &rates),
        rates,
        left_out: settings.left_out.clone(),
        rules: gathered.rules(labels),
        run,
    })
}

/// The labels as they are written.
struct Labels {
    path: PathBuf,
    text: String,
    labels: Vec<Labelled>,
}

impl Labels {
    fn read(path: &Path) -> Result<Self, Failure> {
        let unreadable = |source| Failure::Unreadable { path: path.to_path_buf(), source };
        let mut text = String::new();
        File::open(path).and_then(|file| file.take(LARGEST_LABELS).read_to_string(&mut text)).map_err(unreadable)?;
        let labels = labels::read(&text).map_err(|faults| faulty(path, &text, faults))?;
        Ok(Self { path: path.to_path_buf(), text, labels })
    }

    fn resolve(&self, gathered: &Gathered) -> Result<BTreeMap<PathBuf, Label>, Failure> {
        let here = std::env::current_dir().map_err(|source| Failure::Unreadable { path: PathBuf::from("."), source })?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        labels::resolve(&self.labels, gathered.paths(), &here, folder).map_err(|faults| faulty(&self.path, &self.text, faults))
    }
}

fn faulty(path: &Path, text: &str, mut faults: Vec<Fault>) -> Failure {
    let count = faults.len();
    faults.truncate(MOST_FAULTS);
    Failure::Labels { path: path.to_path_buf(), text: text.to_owned(), faults, count }
}

/// Where thresholds are written, and of which model.
struct Place {
    path: PathBuf,
    model: String,
    /// The models that judge by the settings.
    judges: Vec<String>,
    old: Thresholds,
}

impl Place {
    fn of(args: &TuneArgs, global: &Global) -> Result<Self, Failure> {
        let loaded = load::load(global)?;
        let judges = loaded.config.models.clone().filter(|names| !names.is_empty()).unwrap_or_else(|| vec![DEFAULT.to_owned()]);
        let named = if args.model.is_empty() { &judges } else { &args.model };
        let [model] = named.as_slice() else {
            return Err(Failure::Tuning {
                message: format!("thresholds hold for all models alike, and here are several: {}", named.join(", ")),
                help: "name the one whose thresholds are to be written with --model".to_owned(),
            });
        };
        let path = loaded.path.unwrap_or_else(|| PathBuf::from("callgate.yaml"));
        if global.no_config && path.exists() {
            return Err(Failure::Tuning {
                message: format!("{} is there, and --no-config says not to look at it", path.display()),
                help: "leave --no-config out, or name the settings with --config".to_owned(),
            });
        }
        let old = Thresholds { warn: loaded.config.warn_threshold, block: loaded.config.block_threshold };
        Ok(Self { path, model: model.clone(), judges, old })
    }

    /// Writes the thresholds of the model, and says what has changed.
    fn write(&self, tuning: &Tuning) -> Result<(), Failure> {
        let Some(model) = tuning.models.iter().find(|model| model.name == self.model) else {
            return Err(Failure::Tuning {
                message: format!("the model `{}` was not judged", self.model),
                help: "name it with --model to see why".to_owned(),
            });
        };
        let new = Thresholds { warn: useful(model.warn(), model)?, block: useful(model.block(), model)? };
        let has_changed = thresholds::write(&self.path, new)?;
        self.tell(new, model, has_changed);
        Ok(())
    }

    /// Tells it on standard error, so that a report on standard output stays what it is.
    fn tell(&self, new: Thresholds, model: &ModelTuning, has_changed: bool) {
        let path = shown(&self.path.to_string_lossy());
        let mut text = if has_changed { format!("{path} is written:\n") } else { format!("{path} says so already:\n") };
        // Where any model is decided by thresholds, the usual ones stand until others are set.
        let mut models = self.judges.iter().filter_map(|name| by_name(name));
        let has_usual = !model.has_actions() || models.any(|entry| entry.decides_by == "thresholds");
        let usual = |threshold: f64| has_usual.then_some(threshold);
        text.push_str(&change("warn_threshold", self.old.warn, usual(WARN_THRESHOLD), new.warn));
        text.push_str(&change("block_threshold", self.old.block, usual(BLOCK_THRESHOLD), new.block));
        if model.has_actions() {
            text.push_str("  they come on top of the actions by which the model decides, and can only make it stricter\n");
        }
        if self.judges != [self.model.clone()] {
            let judges = self.judges.join(", ");
            text.push_str(&format!("  they are those of {}, but the settings let {judges} judge\n", self.model));
        }
        told::tell(text);
    }
}

/// A threshold that is worth writing.
fn useful(cut: Option<&Cut>, model: &ModelTuning) -> Result<Option<f64>, Failure> {
    let found = cut.filter(|cut| cut.threshold.is_some() && model.found_anyway() < cut.bad);
    let nothing = || {
        let rate = cut.map_or_else(String::new, |cut| percent(cut.rate));
        let anyway = match model.roc.first().map_or(0, |point| point.good) {
            0 => String::new(),
            count => format!("; of the good files, {count} could not be judged and are flagged whatever the threshold"),
        };
        Failure::Tuning {
            message: format!("no threshold of {} finds any bad file at a false-positive rate of {rate}{anyway}", model.name),
            help: "nothing is written; allow for more false alarms with --fpr, or choose another model with --model".to_owned(),
        }
    };
    found.map(|cut| cut.threshold).ok_or_else(nothing)
}

/// A line on a threshold: what it was, what it is, and what that means.
fn change(key: &str, old: Option<f64>, usual: Option<f64>, new: Option<f64>) -> String {
    let Some(new) = new else { return String::new() };
    let was = match (old, usual) {
        (Some(old), _) => old.to_string(),
        (None, Some(usual)) => format!("{usual} (the default)"),
        (None, None) => "none".to_owned(),
    };
    let meaning = match old.or(usual) {
        None => "stricter",
        Some(old) if new < old => "stricter",
        Some(old) if old < new => "looser: less is flagged than before",
        Some(_) => "as before",
    };
    format!("  {key}: {was} → {new} ({meaning})\n")
}
