//! What callgate.yaml chooses for some files only, and what of it is wrong.

use std::collections::BTreeMap;

use crate::cli::args::{InputArgs, JudgementArgs};
use crate::cli::config::{Config, DialectName, Loaded, MOST_FAULTS, OverrideItem, RuleConfig, fault_at};
use crate::cli::failure::Failure;
use crate::cli::loosened;
use crate::cli::usage;
use crate::input::walk::Excludes;
use crate::model::Model;
use crate::model::registry::{self as models, Builder, MODELS};
use crate::policy::{BLOCK_THRESHOLD, WARN_THRESHOLD};
use crate::scan::overrides::{Override, RuleOverride};
use crate::yaml;

/// What the command line says takes the place of every override, as it does of the settings.
#[derive(Clone, Copy)]
pub struct Typed<'t> {
    /// The input as typed.
    pub input: &'t InputArgs,
    /// What was typed of the judgement.
    pub judgement: &'t JudgementArgs,
    /// Models were typed, or are only compared.
    pub has_models: bool,
}

/// The overrides of the settings, each with its own models.
///
/// # Errors
///
/// When a glob is none, thresholds contradict each other, or a model cannot be built.
pub fn overrides(loaded: &Loaded, typed: Typed<'_>, builder: &mut Builder<'_>) -> Result<Vec<Override>, Failure> {
    let folder = std::path::absolute(loaded.folder()).unwrap_or_default();
    let mut overrides = Vec::new();
    for item in &loaded.config.overrides {
        let models = item.models.as_ref().filter(|_| !typed.has_models);
        overrides.push(Override {
            paths: Excludes::new(&item.path.globs())?,
            folder: folder.clone(),
            rules: rules(&item.rules, &typed.judgement.disable),
            dialect: item.dialect.filter(|_| typed.input.dialect.is_none()).map(Into::into),
            warn_threshold: typed.judgement.warn_threshold.map_or(item.warn_threshold, |_| None),
            block_threshold: typed.judgement.block_threshold.map_or(item.block_threshold, |_| None),
            models: models.map(|names| build(names, loaded, builder)).transpose()?,
        });
    }
    Ok(overrides)
}

fn rules(chosen: &BTreeMap<String, RuleConfig>, disabled: &[String]) -> BTreeMap<String, RuleOverride> {
    let rules = chosen.iter().filter(|(id, _)| !disabled.contains(id));
    let choice = |choice: &RuleConfig| RuleOverride {
        enabled: choice.enabled,
        severity: choice.severity.map(Into::into),
        action: choice.action.map(Into::into),
    };
    rules.map(|(id, chosen)| (id.clone(), choice(chosen))).collect()
}

/// The models of an override. The programs of the settings always judge.
fn build(names: &[String], loaded: &Loaded, builder: &mut Builder<'_>) -> Result<Vec<Box<dyn Model>>, Failure> {
    let joining = MODELS.iter().filter(|model| builder.has_programs && model.joins_programs).map(|model| model.name);
    let mut all: Vec<&str> = Vec::new();
    for name in names.iter().map(String::as_str).chain(joining) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all.into_iter().map(|name| builder.build(name).map_err(|fault| loaded.fault(&fault))).collect()
}

/// What is wrong with the overrides: names that name nothing, and what contradicts itself.
pub fn faults(loaded: &Loaded, known: &[String]) -> Vec<yaml::Fault> {
    let Loaded { config, text, .. } = loaded;
    let at = text.find("\noverrides:").map_or(0, |at| at + 1);
    let mut faults = Vec::new();
    for (index, item) in config.overrides.iter().enumerate() {
        for name in item.models.iter().flatten().filter(|name| models::by_name(name).is_none()) {
            let hint = yaml::nearest(name, MODELS.iter().map(|model| model.name));
            faults.push(behind(text, at, name, format!("there is no model `{name}`{hint}")));
        }
        for id in item.rules.keys().filter(|id| !known.contains(id)) {
            let hint = yaml::nearest(id, known.iter().map(String::as_str));
            faults.push(behind(text, at, id, format!("there is no rule `{id}`{hint}")));
        }
        if item.models.as_ref().is_some_and(Vec::is_empty) {
            faults.push(behind(text, at, "models", "`models` names no model; leave it out to let the usual ones judge".to_owned()));
        }
        if item.path.globs().iter().all(|glob| glob.trim().is_empty()) {
            faults.push(behind(text, at, "path", format!("`path` of override {} names no files; `**` would be all", index + 1)));
        }
        if let Some((warn, block)) = contradiction(item, config) {
            let message = format!("nothing would be warned of: it would begin at {warn}, and blocking begins at {block}");
            faults.push(behind(text, at, "warn_threshold", message));
        }
    }
    faults.truncate(MOST_FAULTS);
    faults
}

/// Thresholds of which that to warn from is above that to block from.
fn contradiction(item: &OverrideItem, config: &Config) -> Option<(f64, f64)> {
    let is_set = item.warn_threshold.is_some() || item.block_threshold.is_some();
    let warn = item.warn_threshold.or(config.warn_threshold)?;
    let block = item.block_threshold.or(config.block_threshold)?;
    (is_set && block < warn).then_some((warn, block))
}

/// A fault at the place at which a word is written behind an offset: what stands above speaks of something else.
fn behind(text: &str, at: usize, word: &str, message: String) -> yaml::Fault {
    let (above, below) = text.split_at_checked(at).unwrap_or(("", text));
    let mut fault = fault_at(below, word, message);
    fault.line += u32::try_from(above.lines().count()).unwrap_or(0);
    fault
}

/// Everything in the overrides that makes the gate milder for some files.
pub fn loosened(config: &Config, typed: Typed<'_>) -> Vec<String> {
    let of = |item: &OverrideItem| {
        let globs = item.path.globs().join(", ");
        let mut words = loosened::of_rules(&item.rules);
        if typed.input.dialect.is_none() && item.dialect == Some(DialectName::Node) {
            words.push("dialect: node".to_owned());
        }
        words.extend(of_thresholds(item, config, typed.judgement));
        let names = item.models.iter().flatten().filter(|_| !typed.has_models);
        let is_usual = item.models.iter().flatten().any(|name| name == models::DEFAULT);
        words.extend(names.filter(|_| !is_usual).map(|name| format!("models: {name}")));
        words.into_iter().map(move |word| format!("overrides {globs}: {word}")).collect::<Vec<_>>()
    };
    config.overrides.iter().flat_map(of).collect()
}

/// A threshold is milder where it is higher than the usual one or than that of the settings, and anything is decided by it.
fn of_thresholds(item: &OverrideItem, config: &Config, judgement: &JudgementArgs) -> Vec<String> {
    let judging = item.models.iter().chain(&config.models).next().cloned().unwrap_or_default().into_iter().collect();
    let by_score = usage::any_decides_by_thresholds(&judging);
    let pairs = [
        ("warn", judgement.warn_threshold, item.warn_threshold, config.warn_threshold, WARN_THRESHOLD),
        ("block", judgement.block_threshold, item.block_threshold, config.block_threshold, BLOCK_THRESHOLD),
    ];
    let milder = |(name, typed, chosen, configured, usual): (&str, Option<f64>, Option<f64>, Option<f64>, f64)| {
        let chosen = chosen.filter(|_| typed.is_none())?;
        let is_milder = configured.is_some_and(|configured| configured < chosen) || by_score && usual < chosen;
        is_milder.then(|| format!("{name}_threshold: {chosen}"))
    };
    pairs.into_iter().filter_map(milder).collect()
}
