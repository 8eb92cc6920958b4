//! What is meant: the command line over the settings file over the defaults, with nothing left to guess.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analyzer::{self, Analyzers};
use crate::catalogue::house::OwnTool;
use crate::catalogue::manifest::Manifest;
use crate::catalogue::tool::ToolClass;
use crate::catalogue::{House, Sensitivity};
use crate::check::registry as checks;
use crate::cli::args::{Global, InputArgs, JudgementArgs};
use crate::cli::config::{self, Config, DialectName, LimitsConfig, Loaded, SensitivityName, ToolClassName, ToolConfig, fault_at};
use crate::cli::exit::FailOn;
use crate::cli::failure::Failure;
use crate::finding::place::Wanted;
use crate::format::ReadOptions;
use crate::input::manifest;
use crate::input::walk::{Excludes, WalkOptions};
use crate::model::Model;
use crate::model::categorical::{self, Group};
use crate::model::composite::WeightedPart;
use crate::model::custom;
use crate::model::numeric::{Flag, NumericSettings};
use crate::model::progressive::Combine;
use crate::model::registry::{self as models, Builder, MODELS, ModelSettings};
use crate::model::rule_based::published;
use crate::model::similarity::SimilaritySettings;
use crate::pattern::library::{Library, LibraryError};
use crate::pattern::{Pattern, file};
use crate::policy::{BLOCK_THRESHOLD, Policy, RuleChoice, WARN_THRESHOLD};
use crate::rule::Rule;
use crate::scan::{Scanner, Session};
use crate::value::limits::Limits;
use crate::value::severity::Severity;
use crate::value::verdict::{Action, Verdict};
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
    /// The settings file that took effect.
    pub configuration: Option<PathBuf>,
    /// Everything in the settings file that makes the gate milder than its defaults.
    pub loosened: Vec<String>,
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

/// The settings of the similarity model, with the samples that were named on the command line.
pub fn similarity_settings(config: &Config, global: &Global) -> SimilaritySettings {
    let mut settings = config.model_settings.similarity.clone();
    // Paths on the command line are relative to where the run was started, not to the settings.
    settings.samples.extend(global.samples.iter().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.clone())));
    settings
}

/// Models that are compared only if they are asked for: the first two say nothing of a subject, the last asks a server.
const NOT_COMPARED: [&str; 3] = ["fixed", "disabled", "external-api"];

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
    let loaded = config::load(global.config.as_deref(), global.no_config)?;
    let rulebook = Rulebook::of(&loaded, global)?;
    check_names(&loaded, &rulebook)?;
    let Loaded { config, path, .. } = &loaded;
    let mut model_settings = config.model_settings.clone();
    model_settings.rule_based.custom.clone_from(&rulebook.points);
    model_settings.similarity = similarity_settings(config, global);
    let mut builder = Builder::new(&model_settings);
    builder.has_programs = !rulebook.analyzers.programs.is_empty();
    builder.folder = loaded.folder().to_path_buf();
    builder.is_explicit = global.config.is_some();
    builder.environment = &|name| std::env::var(name).ok();
    let Built { models, names, left_out } = build(choice, &loaded, &mut builder)?;
    let read = ReadOptions {
        limits: limits(&config.limits),
        calls: config.calls.clone(),
        dialect: input.dialect.unwrap_or(config.dialect).into(),
        literal_view: models.iter().any(|model| model.needs_literal_view()),
    };
    let exclude: Vec<String> = config.exclude.iter().chain(&input.exclude).cloned().collect();
    let scanner = Scanner {
        read,
        language: input.language,
        house: house(config, manifest(&input.tools)?),
        policy: policy(judgement, config, &rulebook)?,
        library: rulebook.library,
        analyzers: rulebook.analyzers,
        models,
        wanted,
        session: Session::default(),
        jobs: input.jobs.map(usize::from),
    };
    Ok(Settings {
        scanner,
        walk: WalkOptions {
            no_ignore: input.no_ignore,
            hidden: input.hidden,
            exclude: Excludes::new(&exclude)?,
            force_exclude: input.force_exclude,
            listed: HashSet::new(),
        },
        fail_on: config.fail_on,
        models: names,
        left_out,
        configuration: path.clone(),
        loosened: loosened(config),
    })
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
        Choice::Comparable => all().filter(|name| !NOT_COMPARED.contains(&name.as_str()) || configured().contains(name)).collect(),
        Choice::All => all().collect(),
    };
    if matches!(choice, Choice::Judges(_)) {
        names.extend(has_programs.then(|| custom::NAME.to_owned()));
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
        let library = library(loaded, global, built.patterns)?;
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

fn library(loaded: &Loaded, global: &Global, mut user: Vec<Pattern>) -> Result<Library, Failure> {
    let base = loaded.folder();
    let folders = loaded.config.patterns.iter().map(|folder| base.join(folder)).chain(global.patterns.iter().cloned());
    for folder in folders {
        user.extend(folder_patterns(&folder)?);
    }
    Ok(Library::new(user)?)
}

fn folder_patterns(folder: &Path) -> Result<Vec<Pattern>, Failure> {
    let unreadable = |path: &Path, source| Failure::Unreadable { path: path.to_path_buf(), source };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|source| unreadable(folder, source))? {
        paths.push(entry.map_err(|source| unreadable(folder, source))?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml"));
    paths.sort();
    let mut patterns = Vec::new();
    for path in paths {
        let text = config::read_small(&path).map_err(|source| unreadable(&path, source))?;
        patterns.extend(file::read(&text).map_err(|faults| Failure::Faults { path, text, faults })?);
    }
    Ok(patterns)
}

/// Names in the settings that name nothing.
fn check_names(loaded: &Loaded, rulebook: &Rulebook) -> Result<(), Failure> {
    let Loaded { config, path: Some(path), text } = loaded else { return Ok(()) };
    let mut faults = Vec::new();
    for name in config.models.iter().flatten().filter(|name| models::by_name(name).is_none()) {
        let hint = yaml::nearest(name, MODELS.iter().map(|model| model.name));
        faults.push(fault_at(text, name, format!("there is no model `{name}`{hint}")));
    }
    for name in config.model_settings.part_names().filter(|name| models::by_name(name).is_none()) {
        let hint = yaml::nearest(name, MODELS.iter().map(|model| model.name));
        faults.push(fault_at(text, name, format!("there is no model `{name}`{hint} to be a part of another")));
    }
    let known: Vec<String> = rulebook.ids();
    for id in config.rules.keys().filter(|id| !known.contains(id)) {
        let hint = yaml::nearest(id, known.iter().map(String::as_str));
        faults.push(fault_at(text, id, format!("there is no rule `{id}`{hint}")));
    }
    for id in config.model_settings.rule_based.points.keys().filter(|id| !published::rule_ids().any(|known| known == id.as_str())) {
        let hint = yaml::nearest(id, published::rule_ids());
        faults.push(fault_at(text, id, format!("the rule-based model has no rule `{id}`{hint}")));
    }
    faults.extend(unknown_categories(&config.model_settings, &rulebook.rules(), text));
    if faults.is_empty() { Ok(()) } else { Err(Failure::Faults { path: path.clone(), text: text.clone(), faults }) }
}

/// Names in the settings of models that are no category of any rule.
fn unknown_categories(settings: &ModelSettings, rules: &[Arc<Rule>], text: &str) -> Vec<yaml::Fault> {
    let known: BTreeSet<&str> = rules.iter().map(|rule| rule.category.as_ref()).collect();
    let groups = Group::ALL.map(Group::name);
    let flagged = settings.numeric.flags.keys().filter(|name| !known.contains(name.as_str()));
    let acted = settings.categorical.actions.keys().filter(|name| !known.contains(name.as_str()) && !groups.contains(&name.as_str()));
    let fault = |name: &String| {
        let hint = yaml::nearest(name, known.iter().copied().chain(groups));
        fault_at(text, name, format!("no rule is of a category `{name}`{hint}"))
    };
    flagged.chain(acted).map(fault).collect()
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
        verdicts: verdicts(config),
        on_undetermined: if args.fail_open { Verdict::Allow } else { args.on_undetermined.unwrap_or(configured) },
        rules,
    })
}

fn verdicts(config: &Config) -> BTreeMap<Action, Verdict> {
    let chosen = &config.verdicts;
    [
        (Action::Log, chosen.log),
        (Action::Warn, chosen.warn),
        (Action::Confirm, chosen.confirm),
        (Action::Redact, chosen.redact),
        (Action::Block, chosen.block),
    ]
    .into_iter()
    .filter_map(|(action, verdict)| Some((action, verdict?.into())))
    .collect()
}

fn limits(config: &LimitsConfig) -> Limits {
    let usual = Limits::default();
    Limits {
        file_size: config.file_size.unwrap_or(usual.file_size),
        nesting: config.nesting.unwrap_or(usual.nesting),
        chain: config.chain.unwrap_or(usual.chain),
        nodes: config.nodes.unwrap_or(usual.nodes),
        calls: config.calls.unwrap_or(usual.calls),
        segments: config.segments.unwrap_or(usual.segments),
        matches: config.matches.unwrap_or(usual.matches),
    }
}

/// What the files say of tools that the command line names.
fn manifest(paths: &[PathBuf]) -> Result<Manifest, Failure> {
    let mut manifest = Manifest::default();
    for path in paths {
        let text = config::read_small(path).map_err(|source| Failure::Unreadable { path: path.clone(), source })?;
        manifest::read_into(&mut manifest, &text).map_err(|fault| {
            let fault = yaml::Fault { line: fault.line, column: fault.column, message: fault.message };
            Failure::Manifest { path: path.clone(), text, fault }
        })?;
    }
    Ok(manifest)
}

/// What the user says of their own tools and places. Longer names of tools are more exact, and the last that fits counts.
fn house(config: &Config, manifest: Manifest) -> House {
    let mut tools: Vec<(String, OwnTool)> = config.tools.iter().map(|(name, tool)| (name.clone(), own_tool(*tool))).collect();
    tools.sort_by_key(|(name, _)| (!name.contains('*'), name.len()));
    House { tools, trusted: config.trusted.clone(), manifest: Arc::new(manifest) }
}

fn own_tool(tool: ToolConfig) -> OwnTool {
    let class = tool.does.map(|does| match does {
        ToolClassName::Reads => ToolClass::Reads,
        ToolClassName::Sends => ToolClass::Sends,
        ToolClassName::Executes => ToolClass::Executes,
        ToolClassName::Deletes => ToolClass::Deletes,
        ToolClassName::Neutral => ToolClass::Neutral,
    });
    let sensitivity = tool.sensitivity.and_then(|sensitivity| match sensitivity {
        SensitivityName::Public => None,
        SensitivityName::Internal => Some(Sensitivity::Internal),
        SensitivityName::Contact => Some(Sensitivity::Contact),
        SensitivityName::Personal => Some(Sensitivity::Personal),
        SensitivityName::Health => Some(Sensitivity::Health),
        SensitivityName::Financial => Some(Sensitivity::Financial),
        SensitivityName::Authentication => Some(Sensitivity::Authentication),
    });
    OwnTool { class, sensitivity, is_public: tool.sensitivity == Some(SensitivityName::Public), is_inside: tool.inside }
}

/// What the settings say of a tool that may make the gate milder, in words.
fn loosening(tool: ToolConfig) -> Vec<&'static str> {
    let does = match tool.does {
        Some(ToolClassName::Neutral) => Some("neutral"),
        // A tool that only reads no longer sends, runs or deletes.
        Some(ToolClassName::Reads) => Some("reads"),
        Some(ToolClassName::Sends | ToolClassName::Executes | ToolClassName::Deletes) | None => None,
    };
    let public = (tool.sensitivity == Some(SensitivityName::Public)).then_some("public");
    let inside = (tool.inside == Some(true)).then_some("inside");
    does.into_iter().chain(public).chain(inside).collect()
}

/// Everything in the settings that makes the gate milder than its defaults, each in words.
fn loosened(config: &Config) -> Vec<String> {
    let mut loosened = Vec::new();
    let mut note = |is_milder: bool, words: String| {
        if is_milder {
            loosened.push(words);
        }
    };
    for name in config.models.iter().flatten().filter(|name| *name != models::DEFAULT) {
        note(true, format!("models: {name}"));
    }
    let above = |threshold: Option<f64>, usual: f64| threshold.is_some_and(|threshold| usual < threshold);
    note(above(config.warn_threshold, WARN_THRESHOLD), format!("warn_threshold: {}", config.warn_threshold.unwrap_or_default()));
    note(above(config.block_threshold, BLOCK_THRESHOLD), format!("block_threshold: {}", config.block_threshold.unwrap_or_default()));
    match config.fail_on {
        Some(FailOn::Block) => note(true, "fail_on: block".to_owned()),
        Some(FailOn::Never) => note(true, "fail_on: never".to_owned()),
        Some(FailOn::Warn) | None => {}
    }
    let undetermined = config.on_undetermined.map_or(Verdict::Block, Verdict::from);
    note(undetermined < Verdict::Block, format!("on_undetermined: {undetermined}"));
    for (action, verdict) in verdicts(config) {
        note(verdict < action.verdict(), format!("verdicts.{action}: {verdict}"));
    }
    for (id, choice) in &config.rules {
        note(choice.enabled == Some(false), format!("rules.{id}: disabled"));
        if let Some(severity) = choice.severity {
            note(true, format!("rules.{id}.severity: {}", Severity::from(severity)));
        }
        if let Some(action) = choice.action {
            note(true, format!("rules.{id}.action: {}", Action::from(action)));
        }
    }
    note(config.dialect == DialectName::Node, "dialect: node".to_owned());
    for (name, tool) in &config.tools {
        for word in loosening(*tool) {
            note(true, format!("tools.{name}: {word}"));
        }
    }
    for entry in &config.trusted {
        note(true, format!("trusted: {entry}"));
    }
    for glob in &config.exclude {
        note(true, format!("exclude: {glob}"));
    }
    let usual = ModelSettings::default();
    let ModelSettings { hybrid, rule_based, progressive, composite, max, external_api, five_factor, similarity, .. } =
        &config.model_settings;
    for words in loosened_lists(&config.model_settings) {
        note(true, words);
    }
    for setting in hybrid.loosened() {
        note(true, format!("model_settings.hybrid.{setting}"));
    }
    for (id, points) in &rule_based.points {
        note(true, format!("model_settings.rule-based.points.{id}: {points}"));
    }
    for setting in five_factor.loosened() {
        note(true, format!("model_settings.five-factor.{setting}"));
    }
    for setting in similarity.loosened() {
        note(true, format!("model_settings.similarity.{setting}"));
    }
    let of_parts = |key: &str| format!("model_settings.progressive.{key}");
    let above = usual.progressive.escalation_threshold < progressive.escalation_threshold;
    note(above, format!("{}: {}", of_parts("escalation_threshold"), progressive.escalation_threshold));
    note(progressive.combine != Combine::Max, format!("{}: {}", of_parts("combine"), progressive.combine.name()));
    note(progressive.fast != usual.progressive.fast, format!("{}: {}", of_parts("fast"), progressive.fast));
    note(progressive.detailed != usual.progressive.detailed, format!("{}: {}", of_parts("detailed"), progressive.detailed));
    for WeightedPart { model, weight } in &composite.parts {
        note(true, format!("model_settings.composite.parts: {model} × {weight}"));
    }
    note(external_api.edition != usual.external_api.edition, "model_settings.external-api.edition: upstream".to_owned());
    for model in &max.parts {
        note(true, format!("model_settings.max.parts: {model}"));
    }
    loosened
}

/// What makes the models that only weigh lists of matches milder than their defaults, each in words.
fn loosened_lists(settings: &ModelSettings) -> Vec<String> {
    let usual = ModelSettings::default();
    let ModelSettings { numeric, categorical, weighted_category, .. } = settings;
    let above = |name: &str, threshold: fn(&NumericSettings) -> f64| {
        let chosen = threshold(numeric);
        (threshold(&usual.numeric) < chosen).then(|| format!("model_settings.numeric.{name}: {chosen}"))
    };
    let thresholds = [
        above("suspicious_threshold", |numeric| numeric.suspicious_threshold),
        above("dangerous_threshold", |numeric| numeric.dangerous_threshold),
        above("block_if_score_above", |numeric| numeric.block_if_score_above),
    ];
    let mut words: Vec<String> = thresholds.into_iter().flatten().collect();
    // A flag that is chosen takes the place of the usual one.
    words.extend(numeric.flags.iter().map(|(category, flag)| {
        let flag = Option::from(*flag).map_or("none", |flag: Flag| flag.name());
        format!("model_settings.numeric.flags.{category}: {flag}")
    }));
    for (name, actions) in &categorical.actions {
        for severity in Severity::ALL {
            let usual = categorical::action(name, severity, &usual.categorical);
            if let Some(chosen) = actions.chosen(severity).filter(|chosen| *chosen < usual) {
                words.push(format!("model_settings.categorical.actions.{name}.{severity}: {chosen}"));
            }
        }
    }
    for severity in Severity::ALL {
        let (chosen, usual) = (weighted_category.weight(severity), usual.weighted_category.weight(severity));
        if chosen < usual {
            words.push(format!("model_settings.weighted-category.{severity}: {chosen}"));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_loosens_the_gate_is_told() {
        let text = "on_undetermined: allow\nrules: {loop-fan-out: {enabled: false}}\nexclude: ['*.min.js']\nverdicts: {block: warn, log: block}\nwarn_threshold: 20\ntrusted: [acme.com]\ntools: {'crm:*': {does: sends, inside: true}, 'a:b': {inside: false}}\nmodel_settings: {hybrid: {score_override_threshold: 99, weights: {high: 10, low: 3}, diminishing: 0.5}, numeric: {dangerous_threshold: 50}, categorical: {actions: {secrets: {high: log, low: block}, money: {high: warn}}}, weighted-category: {high: 10}}\n";
        let config: Config = yaml::read(text).expect("it is right");
        assert_eq!(
            loosened(&config),
            [
                "on_undetermined: allow",
                "verdicts.block: warn",
                "rules.loop-fan-out: disabled",
                "tools.crm:*: inside",
                "trusted: acme.com",
                "exclude: *.min.js",
                "model_settings.numeric.dangerous_threshold: 50",
                "model_settings.categorical.actions.money.high: warn",
                "model_settings.categorical.actions.secrets.high: log",
                "model_settings.weighted-category.high: 10",
                "model_settings.hybrid.score_override_threshold: 99",
                "model_settings.hybrid.weights.high: 10",
                "model_settings.hybrid.diminishing: 0.5",
            ]
        );
    }
}
