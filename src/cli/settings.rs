//! What is meant: the command line over the settings file over the defaults, with nothing left to guess.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analyzer::{self, Analyzers};
use crate::check::registry as checks;
use crate::cli::args::{Global, InputArgs, JudgementArgs};
use crate::cli::config::{Config, LimitsConfig, Loaded, MOST_FAULTS, fault_at};
use crate::cli::exit::FailOn;
use crate::cli::failure::Failure;
use crate::cli::git::revision::Revision;
use crate::cli::git::vouched;
use crate::cli::load;
use crate::cli::overrides::{self, Typed};
use crate::cli::{accepted, loosened, own, own_patterns, tightened, usage};
use crate::finding::place::Wanted;
use crate::format::registry as formats;
use crate::format::{Language, ReadOptions};
use crate::input::walk::{Excludes, WalkOptions};
use crate::model::Model;
use crate::model::registry::{self as models, Builder, Known, MODELS, ModelSettings};
use crate::pattern::library::{Library, LibraryError};
use crate::policy::{Policy, RuleChoice};
use crate::rule::Rule;
use crate::scan::Scanner;
use crate::value::verdict::Verdict;
use crate::yaml;

/// Everything that a scan needs.
pub struct Settings {
    /// How sources are judged.
    pub scanner: Scanner,
    /// How folders are walked.
    pub walk: WalkOptions,
    /// From which verdict on the run fails, if the settings file says it.
    pub fail_on: Option<FailOn>,
    /// Names of the models that judge, in the order of the scanner's models.
    pub models: Vec<String>,
    /// Models that were to be compared and cannot be built, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// The baseline that the settings file names.
    pub baseline: Option<PathBuf>,
    /// The share with which each further match or score counts where returns diminish.
    pub decay: f64,
    /// The settings file that took effect.
    pub configuration: Option<String>,
    /// The revision that the settings were read from.
    pub revision: Option<Revision>,
    /// Everything in the settings and on the command line that makes the gate milder than its defaults.
    pub loosened: Vec<String>,
    /// What was chosen and changes nothing, each in a sentence.
    pub notes: Vec<String>,
    /// The files beside the sources that the run reads.
    pub read: Vec<PathBuf>,
}

/// Which models are wanted.
#[derive(Clone, Copy, Debug)]
pub enum Choice<'c> {
    /// These, or if there are none those of the settings file, or the default. All of them must be built.
    Judges(&'c [String]),
    /// These; all of them must be built.
    Compared(&'c [String]),
    /// All that judge by themselves and those of the settings file, as far as they can be built.
    Comparable,
    /// All, as far as they can be built.
    All,
}

/// The samples that were named on the command line: relative to where the run was started, not to the settings.
pub fn samples(global: &Global) -> Vec<PathBuf> {
    global.samples.iter().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.clone())).collect()
}

/// Settles what is meant.
///
/// # Errors
///
/// When the settings file or a pattern file has faults, or they do not fit together.
pub fn settle(
    input: &InputArgs,
    judgement: &JudgementArgs,
    choice: Choice<'_>,
    global: &Global,
    wanted: Wanted,
) -> Result<Settings, Failure> {
    settle_found(load::load(global)?, &Asked { input, judgement, choice, global, wanted })
}

/// What is asked for on the command line.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// What is read.
    pub input: &'a InputArgs,
    /// What follows from what is found.
    pub judgement: &'a JudgementArgs,
    /// Which models are wanted.
    pub choice: Choice<'a>,
    /// What holds for every command.
    pub global: &'a Global,
    /// What the report needs.
    pub wanted: Wanted,
}

/// Settles what is meant by settings that were read; what an agent hands over may come with settings that it wrote.
///
/// # Errors
///
/// As `settle`.
pub fn settle_found(loaded: Loaded, asked: &Asked<'_>) -> Result<Settings, Failure> {
    let mut settings = settle_loaded(&loaded, asked)?;
    settings.walk.vouched = loaded.revision.as_ref().filter(|_| !asked.input.no_ignore).map(vouched::of).transpose()?.map(Arc::new);
    let loosens = |settings: &Settings| settings.fail_on.is_some() || settings.loosened.iter().any(|word| !word.starts_with("--"));
    if loaded.is_found && (loosens(&settings) || settings.baseline.is_some() || loaded.config.limits != LimitsConfig::default()) {
        let handed = settle_tight(&loaded, asked, &settings.models)?;
        settings.scanner.for_handed = Some(Box::new(Scanner { sessions: Arc::clone(&settings.scanner.sessions), ..handed }));
    }
    Ok(settings)
}

/// Who judges what an agent hands over by settings that were found.
fn settle_tight(loaded: &Loaded, asked: &Asked<'_>, chosen: &[String]) -> Result<Scanner, Failure> {
    let tight = Loaded { config: tightened::of(&loaded.config), ..loaded.clone() };
    // A model that cannot be built without what makes it milder keeps that, beside the usual one: the strictest opinion stands.
    let beside = |_| {
        let model_settings = loaded.config.model_settings.beside_usual(&tight.config.model_settings);
        let kept = Loaded { config: Config { model_settings, ..tight.config.clone() }, ..tight.clone() };
        let usual = std::iter::once(models::DEFAULT.to_owned());
        let names: Vec<String> = chosen.iter().cloned().chain(usual).collect();
        settle_loaded(&kept, &Asked { choice: Choice::Judges(&names), ..*asked })
    };
    Ok(settle_loaded(&tight, asked).or_else(beside)?.scanner)
}

fn settle_loaded(loaded: &Loaded, asked: &Asked<'_>) -> Result<Settings, Failure> {
    let Asked { input, judgement, choice, global, wanted } = *asked;
    let rulebook = Rulebook::of(loaded, global)?;
    check_names(loaded, &rulebook)?;
    let Loaded { config, .. } = loaded;
    let mut builder = Builder::new(&config.model_settings);
    builder.points.clone_from(&rulebook.points);
    builder.samples = samples(global);
    builder.has_programs = !rulebook.analyzers.programs.is_empty();
    builder.folder = loaded.folder().to_path_buf();
    builder.is_explicit = global.config.is_some();
    let read = |path: &Path| loaded.read_file(path);
    builder.read = &read;
    builder.environment = &|name| std::env::var(name).ok();
    let Built { models, names, left_out } = build(choice, loaded, &mut builder)?;
    let has_models = !matches!(choice, Choice::Judges([]));
    let typed = Typed { input, judgement, has_models };
    let overrides = overrides::overrides(loaded, typed, &mut builder)?;
    let judging = matches!(choice, Choice::Judges(_)).then_some(names.as_slice());
    let of_files = config.overrides.iter().filter(|_| !has_models).filter_map(|item| item.models.as_deref()).flatten();
    let asked: Vec<String> = names.iter().chain(of_files).cloned().collect();
    let weighing = with_parts(&asked, &config.model_settings);
    usage::check_thresholds(judgement, loaded, &weighing)?;
    let mut notes = usage::idle_settings(&config.model_settings, &weighing);
    notes.extend(usage::idle_options(judgement, global, &weighing));
    let read = read_files(loaded, input, global);
    let options = ReadOptions {
        limits: config.limits.chosen(),
        calls: config.calls.clone(),
        dialect: input.dialect.unwrap_or(config.dialect).into(),
        strict: judgement.strict || config.strict,
        unfollowed: false,
    };
    let all_handed = input.language == Some(Language::ToolCall);
    let exclude: Vec<String> = config.exclude.iter().chain(&input.exclude).cloned().collect();
    let mut loosened = loosened::of(config, input, judgement, judging, &weighing);
    loosened.extend(accepted::loosened(loaded, judgement.no_acceptances));
    loosened.extend(overrides::loosened(config, typed));
    let scanner = Scanner {
        overrides,
        read: options,
        language: input.language,
        house: own::house(loaded, own::manifest(loaded, &input.tools)?)?,
        policy: policy(judgement, config, &rulebook)?,
        acceptances: accepted::acceptances(loaded, judgement.no_acceptances, &rulebook.ids())?,
        library: rulebook.library,
        analyzers: rulebook.analyzers,
        models,
        wanted,
        sessions: Arc::default(),
        tenant: None,
        floor: None,
        jobs: input.jobs.map(usize::from),
        for_handed: None,
    };
    Ok(Settings {
        scanner,
        walk: WalkOptions {
            // Where all of it is handed over, nothing that lies there says what is left out.
            no_ignore: input.no_ignore || all_handed,
            hidden: input.hidden || all_handed,
            exclude: Excludes::new(&exclude)?,
            exclude_of_handed: Excludes::new(if loaded.is_found { &input.exclude } else { &exclude })?,
            is_handed: |path| formats::by_path(path).is_some_and(|recognised| recognised.language == Language::ToolCall),
            all_handed,
            force_exclude: input.force_exclude,
            kind_of: |path| formats::by_path(path).map(|recognised| recognised.language.name()),
            ..WalkOptions::default()
        },
        fail_on: config.fail_on,
        models: names,
        left_out,
        baseline: loaded.baseline(),
        decay: config.model_settings.decay(),
        configuration: loaded.told(),
        revision: loaded.revision.clone(),
        loosened,
        notes,
        read,
    })
}

/// The models of these names, and all that they are made of.
fn with_parts(names: &[String], settings: &ModelSettings) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut waiting: Vec<String> = names.to_vec();
    while let Some(name) = waiting.pop() {
        waiting.extend(settings.parts_of(&name).into_iter().filter(|part| !all.contains(*part)).map(str::to_owned));
        all.insert(name);
    }
    all
}

/// The files that a run reads beside its sources.
fn read_files(loaded: &Loaded, input: &InputArgs, global: &Global) -> Vec<PathBuf> {
    let folder = loaded.folder();
    let samples = loaded.config.model_settings.files().into_iter().map(|file| folder.join(file));
    let patterns = own_patterns::files(loaded, global);
    let typed = input.tools.iter().chain(&input.files_from).chain(&global.samples).cloned();
    loaded.path.clone().into_iter().chain(samples).chain(patterns).chain(typed).collect()
}

/// The models that were built, and those that were not.
struct Built {
    models: Vec<Box<dyn Model>>,
    names: Vec<String>,
    left_out: Vec<(String, String)>,
}

fn build(choice: Choice<'_>, loaded: &Loaded, builder: &mut Builder<'_>) -> Result<Built, Failure> {
    let must_be_built = match choice {
        Choice::Judges(_) | Choice::Compared(_) => true,
        Choice::Comparable | Choice::All => false,
    };
    let mut built = Built { models: Vec::new(), names: Vec::new(), left_out: Vec::new() };
    for name in model_names(choice, &loaded.config, builder.has_programs) {
        match builder.build(&name) {
            Ok(model) => {
                built.models.push(model);
                built.names.push(name);
            }
            Err(fault) if must_be_built => return Err(loaded.fault(&fault)),
            Err(fault) => built.left_out.push((name, fault.message)),
        }
    }
    Ok(built)
}

/// The models that are wanted, each once. The programs of the settings always judge.
fn model_names(choice: Choice<'_>, config: &Config, has_programs: bool) -> Vec<String> {
    let configured = || config.models.clone().unwrap_or_default();
    let all = || MODELS.iter().map(|model| model.name.to_owned());
    let mut names = match choice {
        Choice::Judges([]) if configured().is_empty() => vec![models::DEFAULT.to_owned()],
        Choice::Judges([]) => configured(),
        Choice::Judges(named) | Choice::Compared(named) => named.to_vec(),
        Choice::Comparable => {
            let compared = MODELS.iter().filter(|model| model.is_compared || configured().iter().any(|name| name == model.name));
            compared.map(|model| model.name.to_owned()).collect()
        }
        Choice::All => all().collect(),
    };
    if matches!(choice, Choice::Judges(_)) {
        names.extend(MODELS.iter().filter(|model| has_programs && model.joins_programs).map(|model| model.name.to_owned()));
    }
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

/// Everything that can match in a run.
pub struct Rulebook {
    /// All patterns: the built-in ones, those of the settings file, and those of the command line.
    pub library: Library,
    /// The expressions and programs of the settings file.
    pub analyzers: Analyzers,
    /// The points of the analyzers' rules in the rule-based model.
    points: Vec<(String, f64)>,
}

impl Rulebook {
    /// Reads all rules that there are.
    ///
    /// # Errors
    ///
    /// When a pattern file cannot be read, with all faults of the first file that has any, or when two
    /// rules have the same id.
    pub fn of(loaded: &Loaded, global: &Global) -> Result<Self, Failure> {
        let built = match &loaded.path {
            Some(path) if !loaded.config.analyzers.is_empty() => {
                let built = analyzer::item::build(&loaded.config.analyzers, loaded.folder(), &loaded.text);
                built.map_err(|faults| Failure::Faults { path: path.clone(), text: loaded.text.clone(), faults })?
            }
            Some(_) | None => analyzer::Built::default(),
        };
        let library = own_patterns::library(loaded, global, built.patterns)?;
        let book = Self { library, analyzers: built.analyzers, points: built.points };
        if loaded.config.analyzers.is_empty() {
            return Ok(book);
        }
        let mut ids: Vec<String> = book.ids();
        ids.extend(book.analyzers.programs.iter().map(|program| program.id.clone()));
        ids.sort_unstable();
        let twice = ids.windows(2).find_map(|pair| (pair.first() == pair.last()).then(|| pair.first()).flatten());
        match twice {
            Some(id) => Err(LibraryError::DuplicateId(id.clone()).into()),
            None => Ok(book),
        }
    }

    /// All rules: checks, patterns, and the expressions of the settings.
    pub fn rules(&self) -> Vec<Arc<Rule>> {
        all_rules(&self.library, &self.analyzers)
    }

    /// The ids of all rules.
    pub fn ids(&self) -> Vec<String> {
        self.rules().iter().map(|rule| rule.id.to_string()).collect()
    }
}

/// All rules: checks, patterns, and the expressions of the settings.
pub fn all_rules(library: &Library, analyzers: &Analyzers) -> Vec<Arc<Rule>> {
    let patterns = library.patterns().iter().map(|pattern| &pattern.rule);
    checks::rules().iter().chain(patterns).chain(analyzers.rules()).cloned().collect()
}

/// Names in the settings that name nothing.
fn check_names(loaded: &Loaded, rulebook: &Rulebook) -> Result<(), Failure> {
    let Loaded { config, .. } = loaded;
    let (Some(path), text) = loaded.uppermost() else { return Ok(()) };
    let mut faults = Vec::new();
    for name in config.models.iter().flatten().filter(|name| models::by_name(name).is_none()).take(MOST_FAULTS) {
        let hint = yaml::nearest(name, MODELS.iter().map(|model| model.name));
        faults.push(fault_at(text, name, format!("there is no model `{name}`{hint}")));
    }
    for name in config.model_settings.part_names().into_iter().filter(|name| models::by_name(name).is_none()) {
        let hint = yaml::nearest(name, MODELS.iter().map(|model| model.name));
        faults.push(fault_at(text, name, format!("there is no model `{name}`{hint} to be a part of another")));
    }
    let known: Vec<String> = rulebook.ids();
    let ids: BTreeSet<&String> = known.iter().collect();
    for id in config.rules.keys().filter(|id| !ids.contains(id)).take(MOST_FAULTS) {
        let hint = yaml::nearest(id, known.iter().map(String::as_str));
        faults.push(fault_at(text, id, format!("there is no rule `{id}`{hint}")));
    }
    faults.extend(overrides::faults(loaded, &known));
    let rules = rulebook.rules();
    let known = Known { categories: rules.iter().map(|rule| rule.category.as_ref()).collect() };
    faults.extend(config.model_settings.unknown(&known).into_iter().map(|fault| fault_at(text, &fault.word, fault.message)));
    if faults.is_empty() { Ok(()) } else { Err(Failure::Faults { path: path.to_path_buf(), text: text.to_owned(), faults }) }
}

fn policy(args: &JudgementArgs, config: &Config, rulebook: &Rulebook) -> Result<Policy, Failure> {
    let mut rules: BTreeMap<String, RuleChoice> = config
        .rules
        .iter()
        .map(|(id, choice)| {
            let choice = RuleChoice {
                is_disabled: choice.enabled == Some(false),
                severity: choice.severity.map(Into::into),
                action: choice.action.map(Into::into),
            };
            (id.clone(), choice)
        })
        .collect();
    let known = rulebook.ids();
    for id in &args.disable {
        if !known.contains(id) {
            let hint = yaml::nearest(id, known.iter().map(String::as_str));
            return Err(Failure::UnknownRule { id: id.clone(), hint });
        }
        rules.entry(id.clone()).or_default().is_disabled = true;
    }
    let configured = config.on_undetermined.map_or(Verdict::Block, Verdict::from);
    Ok(Policy {
        warn_threshold: args.warn_threshold.or(config.warn_threshold),
        block_threshold: args.block_threshold.or(config.block_threshold),
        verdicts: config.verdicts.chosen(),
        on_undetermined: if args.fail_open { Verdict::Allow } else { args.on_undetermined.unwrap_or(configured) },
        rules,
        guarded: None,
    })
}
