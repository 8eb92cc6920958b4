//! `callgate baseline`: shows what a baseline holds, and takes out what is gone.

use std::path::PathBuf;

use crate::accept::entry::BaselineEntry;
use crate::cli::args::{Global, InputArgs, JudgementArgs};
use crate::cli::args_baseline::{BaselineArgs, BaselineCommand, PruneArgs, ShowArgs};
use crate::cli::baseline::{self, Asked, USUAL, findings, shown_name};
use crate::cli::commands::to_stdout;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::list_format::ListFormat;
use crate::cli::load;
use crate::cli::settings::{Choice, settle};
use crate::cli::sources::{self, Named};
use crate::finding::place::Wanted;
use crate::input::walk::Traces;
use crate::value::severity::Severity;
use crate::value::source::shown;

/// Works with a baseline.
///
/// # Errors
///
/// When there is none, it cannot be read or written, or the settings have faults.
pub fn run(args: &BaselineArgs, global: &Global) -> Result<Exit, Failure> {
    match &args.command {
        BaselineCommand::Show(args) => show(args, global),
        BaselineCommand::Prune(args) => prune(args, global),
    }
}

fn show(args: &ShowArgs, global: &Global) -> Result<Exit, Failure> {
    let path = match &args.file {
        Some(file) => file.clone(),
        None => load::load(global)?.baseline().unwrap_or_else(|| PathBuf::from(USUAL)),
    };
    let (_, entries) = baseline::read_file(&path)?;
    to_stdout(|out| match args.format {
        ListFormat::Json => {
            let entries: Vec<_> = entries.iter().map(value).collect();
            serde_json::to_writer_pretty(&mut *out, &entries)?;
            writeln!(out)
        }
        ListFormat::Table => {
            for entry in &entries {
                let line = entry.line.map(|line| format!(":{line}")).unwrap_or_default();
                writeln!(out, "{}{line}  {}  {}", shown(&entry.path), entry.severity.map_or("-", Severity::name), shown(&entry.rule))?;
            }
            let mut files: Vec<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
            files.dedup();
            writeln!(out, "{} in {} file{}", findings(entries.len()), files.len(), if files.len() == 1 { "" } else { "s" })
        }
    })?;
    Ok(Exit::Allow)
}

fn value(entry: &BaselineEntry) -> serde_json::Value {
    let BaselineEntry { path, rule, fingerprint, occurrence, severity, line } = entry;
    let severity = severity.map(Severity::name);
    serde_json::json!({ "path": path, "rule": rule, "severity": severity, "line": line, "fingerprint": fingerprint, "occurrence": occurrence })
}

fn prune(args: &PruneArgs, global: &Global) -> Result<Exit, Failure> {
    let input = InputArgs { paths: args.paths.clone(), ..InputArgs::default() };
    let mut settings = settle(&input, &JudgementArgs::default(), Choice::Judges(&[]), global, Wanted::default())?;
    let path = args.baseline.clone().or_else(|| settings.baseline.clone()).unwrap_or_else(|| PathBuf::from(USUAL));
    baseline::take_up(Asked::Heeded(Some(&path)), &mut settings)?;
    settings.scanner.acceptances.baselines.iter_mut().for_each(|baseline| baseline.judges_all = true);
    sources::judge(&input, &Named::Paths, &settings, Traces::default(), |_| {})?;
    let Some(own) = baseline::own(&settings) else { return Ok(Exit::Allow) };
    let before = own.len();
    let left = baseline::write(&path, &settings, own.pruned())?;
    let gone = before.saturating_sub(left);
    to_stdout(|out| writeln!(out, "{}: {} taken out, {left} left", shown(&shown_name(&path)), findings(gone)))?;
    Ok(Exit::Allow)
}
