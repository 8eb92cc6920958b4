//! `callgate tools`: what the tools of servers do, and what their descriptions hide.

use std::path::Path;

use serde_json::Value;

use crate::cli::args::{Global, InputArgs, ToolsArgs};
use crate::cli::commands::{ended, note};
use crate::cli::exit::{Exit, FailOn};
use crate::cli::failure::Failure;
use crate::cli::output::Outputs;
use crate::cli::settings::{Choice, Settings, settle};
use crate::cli::small_file;
use crate::cli::told::mask_of;
use crate::finding::audit::{Audit, AuditedTool, FoundText};
use crate::finding::hide::Hidden;
use crate::finding::place::Wanted;
use crate::finding::{Entry, Finding};
use crate::format::Language;
use crate::input::manifest::definitions;
use crate::knowledge::act::known_tool;
use crate::knowledge::definition::{Definition, Parameter};
use crate::knowledge::effect::{Effect, EffectKind, Extent};
use crate::knowledge::requested::{OPERATION_KEYS, operation};
use crate::knowledge::tool::class_of;
use crate::meaning::tool::given::guessed;
use crate::meaning::tool::name::bare;
use crate::meaning::tool::{acts_of, meaning, meaning_of_call};
use crate::report::Style;
use crate::report::registry::{self as reporters, AUDITORS};
use crate::value::source::{Source, SourceName};
use crate::value::verdict::Verdict;
use crate::yaml;

/// Says what tools do.
///
/// # Errors
///
/// When the settings have faults, a manifest cannot be read, or the arguments of a guess are no JSON object.
pub fn run(args: &ToolsArgs, global: &Global) -> Result<Exit, Failure> {
    let mut outputs = Outputs::open((&args.format, args.output.as_deref()), AUDITORS[0].name, global.color, reporters::auditor)?;
    let input = InputArgs { tools: args.manifests.clone(), ..InputArgs::default() };
    let mut settings = settle(&input, &args.judgement, Choice::Judges(&[]), global, Wanted::default())?;
    settings.scanner.language = Some(Language::ToolCall);
    settings.read.iter().for_each(|path| outputs.spare(path));
    let mut audit = Audit::default();
    if let [name, arguments @ ..] = args.guess.as_slice() {
        audit.tools.push(guess(name, arguments.first().map_or("{}", String::as_str), &settings)?);
    }
    let mut mask = mask_of(args.guess.iter().map(String::as_str));
    for path in &args.manifests {
        let entries = read(path, &settings, &mut audit)?;
        entries.iter().for_each(|entry| mask.learn(entry.secrets()));
        note(&entries.iter().filter_map(undetermined).collect::<Vec<_>>());
    }
    let audit_verdict = audit.verdict;
    let hidden = Hidden::of(&mut audit, &mask);
    outputs.write(Style::default(), |auditor, style, out| (auditor.write)(hidden, style, out));
    note(&settings.notes);
    Ok(ended(Exit::of(audit_verdict, settings.fail_on.unwrap_or(FailOn::Warn)), &outputs.finish(), global))
}

/// Adds the tools of a manifest, and returns what was found in its texts.
fn read(path: &Path, settings: &Settings, audit: &mut Audit) -> Result<Vec<Entry>, Failure> {
    let text = small_file::read_small(path).map_err(|source| Failure::Unreadable { path: path.to_path_buf(), source })?;
    let defined = definitions(&text).map_err(|fault| {
        let fault = yaml::Fault { line: fault.line, column: fault.column, message: fault.message };
        Failure::Manifest { path: path.to_path_buf(), text: text.clone(), fault }
    })?;
    let source = Source { name: SourceName::explicit(path), text, has_bom: false };
    let entries = settings.scanner.judge(&source);
    for definition in &defined {
        let findings: Vec<&Finding> =
            entries.iter().filter_map(Entry::finding).filter(|finding| is_of(finding, &definition.name)).collect();
        audit.tools.push(audited(definition, &source.name, &findings, settings));
    }
    audit.verdict = entries.iter().map(Entry::verdict).chain([audit.verdict]).max().unwrap_or_default();
    Ok(entries)
}

fn is_of(finding: &Finding, tool: &str) -> bool {
    finding.record.as_ref().is_some_and(|record| record.record.tool.as_deref() == Some(tool))
}

fn audited(definition: &Definition, manifest: &SourceName, findings: &[&Finding], settings: &Settings) -> AuditedTool {
    let told = meaning(definition, &settings.scanner.house);
    let found = findings.iter().flat_map(|finding| &finding.matches).map(|found| FoundText {
        rule: found.rule.id.to_string(),
        severity: found.severity,
        line: found.start.line,
        column: found.start.column,
        message: found.message.clone(),
    });
    AuditedTool {
        manifest: Some(manifest.clone()),
        name: definition.name.clone(),
        title: definition.title.clone(),
        effects: told.effects,
        is_told: is_told(definition, settings) || !acts_of(&definition.description).is_empty(),
        disagreements: told.disagreements,
        verdict: findings.iter().map(|finding| finding.decision.verdict).max().unwrap_or_default(),
        found: found.collect(),
        row: None,
    }
}

/// Why a text of a manifest could not be judged.
fn undetermined(entry: &Entry) -> Option<String> {
    let detail = match entry {
        Entry::Problem(problem) => &problem.detail,
        Entry::Finding(finding) => &finding.undetermined.as_ref()?.detail,
        Entry::PassedOver(_) => return None,
    };
    Some(format!("{}: {detail}", entry.name().as_text()))
}

/// What is thought of one call, from words and rows alone, and the row that would say better.
fn guess(name: &str, arguments: &str, settings: &Settings) -> Result<AuditedTool, Failure> {
    let help = "write them as a JSON object: callgate tools --guess 'mail:send' '{\"to\": \"a@example.com\"}'";
    let value: Value = serde_json::from_str(arguments)
        .map_err(|error| Failure::usage(format!("the arguments of the guess are not JSON: {error}"), help))?;
    let Value::Object(fields) = value else { return Err(Failure::usage("the arguments of the guess are no JSON object", help)) };
    // A tool of many uses is known by the name that its argument gives it.
    let said =
        fields.iter().find_map(|(key, value)| operation(name, key, value.as_str()?).filter(|_| OPERATION_KEYS.contains(&key.as_str())));
    let name = said.as_deref().unwrap_or(name);
    let parameter = |(name, value): (String, Value)| Parameter {
        name,
        description: String::new(),
        choices: value.as_str().map(str::to_owned).into_iter().collect(),
    };
    let definition = Definition { parameters: fields.into_iter().map(parameter).collect(), ..Definition::named(name) };
    let mut told = meaning_of_call(&definition, &settings.scanner.house);
    let is_said = is_told(&definition, settings);
    if !is_said {
        let known = |effect: &Effect| told.effects.iter().any(|own| own.kind == effect.kind);
        let guessed = guessed(&definition).filter(|effect| !known(effect));
        told.effects.extend(guessed);
    }
    Ok(AuditedTool {
        manifest: None,
        name: definition.name,
        title: None,
        row: Some(row(name, &told.effects, is_said)),
        effects: told.effects,
        is_told: is_said,
        disagreements: told.disagreements,
        verdict: Verdict::Allow,
        found: Vec::new(),
    })
}

/// Returns true if and only if a row or a word of its name tells what a tool does.
fn is_told(definition: &Definition, settings: &Settings) -> bool {
    let name = definition.name.as_str();
    let by_row = settings.scanner.house.tool(name).is_some() || known_tool(name).is_some() || class_of(name).is_some();
    by_row || !acts_of(bare(name)).is_empty()
}

/// Lines for callgate.yaml that say what is thought of a tool, to be mended and kept.
fn row(name: &str, effects: &[Effect], is_said: bool) -> String {
    let mut kinds: Vec<&str> = effects.iter().map(|effect| effect.kind.name()).collect();
    kinds.dedup();
    // What nobody knows is not called harmless by a row that is only copied.
    let does = match kinds.as_slice() {
        [] if is_said => "none".to_owned(),
        [] => "[write]".to_owned(),
        kinds => format!("[{}]", kinds.join(", ")),
    };
    let worst = effects.iter().max_by_key(|effect| effect.extent).filter(|effect| effect.extent != Extent::Unknown);
    let extent = worst.map_or_else(String::new, |effect| format!("\n    extent: {}", effect.extent.name()));
    let all: Vec<&str> = EffectKind::ALL.iter().map(|kind| kind.name()).collect();
    let caution = if is_said { "" } else { "    # no word of its name is known: read what it does before you keep this\n" };
    format!("tools:\n  {}:\n{caution}    # none, or some of {}\n    does: {does}{extent}", Value::from(name), all.join(", "))
}
