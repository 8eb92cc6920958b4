//! What was typed and contradicts itself, or changes nothing: refused, or said.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use crate::cli::args::{Global, InputArgs, JudgementArgs, ScanArgs};
use crate::cli::config::{Loaded, fault_at};
use crate::cli::failure::Failure;
use crate::model::registry::{self as models, MODELS, ModelSettings};
use crate::policy::{BLOCK_THRESHOLD, WARN_THRESHOLD};
use crate::report::registry::{self as reporters, REPORTERS};

/// Refuses an option that is also the name of a file here: whoever passes on the names of files would have one of them understood
/// as an option. Behind `--` all words are names.
///
/// # Errors
///
/// When there is one.
pub fn check_words(words: &[OsString]) -> Result<(), Failure> {
    let is_option = |word: &&OsString| word.as_encoded_bytes().starts_with(b"-") && 1 < word.len();
    let mut options = words.iter().skip(1).take_while(|word| *word != "--").filter(is_option);
    let Some(word) = options.find(|word| Path::new(word).symlink_metadata().is_ok()) else { return Ok(()) };
    let word = word.to_string_lossy();
    Err(Failure::usage(
        format!("`{word}` may be an option, or the file of that name that is here"),
        "write -- before the paths, so that none is understood as an option; or move the file away",
    ))
}

/// Refuses what cannot be meant of the sources.
///
/// # Errors
///
/// When standard input is named and not read.
pub fn check_input(input: &InputArgs) -> Result<(), Failure> {
    match &input.stdin_filename {
        Some(name) if !input.paths.iter().any(|path| path.as_os_str() == "-") => Err(Failure::usage(
            format!("--stdin-filename {} names standard input, which is not read", name.display()),
            "name - among the paths to read it",
        )),
        Some(_) | None => Ok(()),
    }
}

/// Refuses what cannot be meant of a scan.
///
/// # Errors
///
/// As `check_input`, and when no format that was chosen shows what was asked for.
pub fn check_scan(args: &ScanArgs) -> Result<(), Failure> {
    check_input(&args.input)?;
    for (option, is_given) in [("features", args.features), ("explain-score", args.explain_score), ("statistics", args.statistics)] {
        if is_given && !heeded(args, option) {
            return Err(Failure::usage(
                format!("--{option} shows nothing in {}", formats(args).join(" and ")),
                format!("choose a format that shows it: {}", heeding(option)),
            ));
        }
    }
    Ok(())
}

/// What was asked of the report and changes nothing in it, in a sentence.
pub fn idle_verbose(args: &ScanArgs) -> Option<String> {
    let is_idle = args.verbose && !heeded(args, "verbose");
    is_idle.then(|| format!("--verbose changes nothing in {}: everything stands there anyway", formats(args).join(" and ")))
}

/// The names of the formats that were chosen.
fn formats(args: &ScanArgs) -> Vec<&str> {
    let usual = REPORTERS.first().map(|reporter| reporter.name).filter(|_| args.format.is_empty());
    args.format.iter().map(|output| output.format.as_str()).chain(usual).collect()
}

fn heeded(args: &ScanArgs, option: &str) -> bool {
    formats(args).into_iter().filter_map(reporters::by_name).any(|reporter| reporter.heeds.contains(&option))
}

fn heeding(option: &str) -> String {
    let names: Vec<&str> = REPORTERS.iter().filter(|reporter| reporter.heeds.contains(&option)).map(|reporter| reporter.name).collect();
    names.join(", ")
}

/// Whether any of these models decides by thresholds; the others decide by actions, which thresholds can only make stricter.
pub fn any_decides_by_thresholds(weighing: &BTreeSet<String>) -> bool {
    weighing.iter().any(|name| models::by_name(name).is_some_and(|model| model.decides_by == "thresholds"))
}

/// Whether any of these models heeds an option.
pub fn any_heeds(option: &str, weighing: &BTreeSet<String>) -> bool {
    weighing.iter().any(|name| models::by_name(name).is_some_and(|model| model.heeds.contains(&option)))
}

/// Refuses a threshold to warn from that is above the one to block from: nothing would ever be warned of.
///
/// # Errors
///
/// When it is; at its place in the settings, if they alone say so.
pub fn check_thresholds(judgement: &JudgementArgs, loaded: &Loaded, weighing: &BTreeSet<String>) -> Result<(), Failure> {
    let Some(warn) = judgement.warn_threshold.or(loaded.config.warn_threshold) else { return Ok(()) };
    let chosen = judgement.block_threshold.or(loaded.config.block_threshold);
    let usual = any_decides_by_thresholds(weighing).then_some(BLOCK_THRESHOLD);
    let Some(block) = chosen.or(usual).filter(|block| *block < warn) else { return Ok(()) };
    let default = if chosen.is_none() { ", the default" } else { "" };
    let message = format!("nothing would be warned of: it would begin at {warn}, and blocking begins at {block}{default}");
    let is_typed = judgement.warn_threshold.is_some() || judgement.block_threshold.is_some();
    let (path, text) = loaded.saying("_threshold");
    match path {
        Some(path) if !is_typed => {
            let faults = vec![fault_at(text, if text.contains("warn_threshold") { "warn_threshold" } else { "block_threshold" }, message)];
            Err(Failure::Faults { path: path.to_path_buf(), text: text.to_owned(), faults })
        }
        Some(_) | None => Err(Failure::usage(message, "lower --warn-threshold, or raise --block-threshold too")),
    }
}

/// The settings of models that are not asked, each in a sentence.
pub fn idle_settings(settings: &ModelSettings, weighing: &BTreeSet<String>) -> Vec<String> {
    let idle = settings.set().into_iter().filter(|name| !weighing.contains(*name));
    idle.map(|name| format!("`model_settings.{name}` changes nothing here: the model {name} is not asked")).collect()
}

/// The options of the command line that no model heeds, each in a sentence.
pub fn idle_options(judgement: &JudgementArgs, global: &Global, weighing: &BTreeSet<String>) -> Vec<String> {
    let mut notes = Vec::new();
    let thresholds = [("warn", judgement.warn_threshold, WARN_THRESHOLD), ("block", judgement.block_threshold, BLOCK_THRESHOLD)];
    for (name, threshold, usual) in thresholds {
        if let Some(threshold) = threshold.filter(|threshold| usual < *threshold && !any_decides_by_thresholds(weighing)) {
            let names: Vec<&str> = weighing.iter().map(String::as_str).collect();
            notes.push(format!(
                "--{name}-threshold {threshold} makes nothing milder: {} decides by actions, which a threshold can only make stricter",
                names.join(" and ")
            ));
        }
    }
    if !global.samples.is_empty() && !any_heeds("samples", weighing) {
        let heeding: Vec<&str> = MODELS.iter().filter(|model| model.heeds.contains(&"samples")).map(|model| model.name).collect();
        notes.push(format!("--samples changes nothing here: the model {} is not asked", heeding.join(" or ")));
    }
    notes
}
