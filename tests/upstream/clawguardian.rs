//! Holds the categorical model, the markers and the validators against answers of ClawGuardian (superglue-ai), and its lists
//! against what callgate finds.

use std::collections::HashMap;

use callgate::model::categorical::{CategoricalSettings, SeverityActions, action};
use callgate::pattern::file::ActionName;
use callgate::pattern::redaction::{replaced, without_secret};
use callgate::pattern::validator::Validator;
use callgate::value::severity::Severity;
use callgate::value::verdict::Action;
use regex::bytes::{Captures, Regex, RegexBuilder};
use serde_json::{Map, Value, json};

use crate::lists::{Flagged, Probe, Row, agree, cover, differing, published_lists, rows};

/// Least share of the flagged inputs in which callgate finds something, in percent. Much of the rest is harmless: `sudo` before
/// anything, `cat` of a system path, and tokens that are too short or too even to be any.
const COVERED_COMMANDS: usize = 49;
const COVERED_SECRETS: usize = 8;
const COVERED_HOOKS: usize = 31;
/// The sections of its settings, and the groups of detectors that they are about.
const SECTIONS: [&str; 3] = ["secrets", "pii", "destructive"];
/// The parameter by which an agent confirms.
const CONFIRM: &str = "_clawguardian_confirm";

/// The actions that its settings choose; names that it does not know are as if left out. callgate makes no difference between
/// asking a person and asking the agent itself.
fn settings_of(config: &Value) -> CategoricalSettings {
    let of_section = |section: &str| {
        let chosen = |severity: &str| match config[section]["severityActions"][severity].as_str()? {
            "block" => Some(ActionName(Action::Block)),
            "redact" => Some(ActionName(Action::Redact)),
            "confirm" | "agent-confirm" => Some(ActionName(Action::Confirm)),
            "warn" => Some(ActionName(Action::Warn)),
            "log" => Some(ActionName(Action::Log)),
            _ => None,
        };
        let actions = SeverityActions { critical: chosen("critical"), high: chosen("high"), medium: chosen("medium"), low: chosen("low") };
        (section.to_owned(), actions)
    };
    CategoricalSettings { actions: SECTIONS.map(of_section).into() }
}

fn one_confirmation(action: &str) -> &str {
    if action == "agent-confirm" { "confirm" } else { action }
}

fn severity_of(name: &str) -> Severity {
    Severity::from_name(name).expect("a severity is known")
}

#[test]
fn settings_choose_actions_as_upstream() {
    let Some(rows) = rows("clawguardian-config.jsonl") else { return };
    agree("clawguardian-config.jsonl", &rows, |row| {
        let settings = settings_of(&row.input["raw"]);
        let expected = |section: &str, severity: &str| match row.expected["action"].as_str() {
            Some(action) => (row.input["section"] == section && row.input["severity"] == severity).then_some(action),
            None => row.expected["config"][section]["severityActions"][severity].as_str(),
        };
        let mut found = Vec::new();
        for (section, severity) in SECTIONS.iter().flat_map(|section| Severity::ALL.map(|severity| (*section, severity))) {
            let Some(expected) = expected(section, severity.name()) else { continue };
            let action = action(section, severity, &settings).name();
            found.extend(differing(&format!("{section} {severity}"), action, one_confirmation(expected)));
        }
        Some(found)
    });
}

#[test]
fn severities_ask_for_actions_as_upstream() {
    let Some(rows) = rows("clawguardian-destructive.jsonl") else { return };
    agree("clawguardian-destructive.jsonl", &rows, |row| {
        let expected = row.expected.get("action")?;
        let severity = row.expected["match"]["severity"].as_str().map(severity_of);
        let action = severity.map(|severity| action("destructive", severity, &CategoricalSettings::default()).name());
        Some(differing("the action", action, expected.as_str()).into_iter().collect())
    });
}

#[test]
fn validators_answer_as_upstream() {
    let Some(rows) = rows("clawguardian-validators.jsonl") else { return };
    agree("clawguardian-validators.jsonl", &rows, |row| {
        let validator = match row.input["fn"].as_str()? {
            "isValidCreditCard" => Validator::Luhn,
            "isValidSSN" => Validator::Ssn,
            "isValidPhone" => Validator::Phone,
            "isValidEmail" => Validator::Email,
            _ => return None,
        };
        let actual = validator.holds(row.input["arg"].as_str()?);
        Some(differing("the answer", Some(actual), row.expected["valid"].as_bool()).into_iter().collect())
    });
}

/// One of its published detectors. What it redacts hangs on the regex alone.
struct Detector {
    section: &'static str,
    category: &'static str,
    kind: String,
    severity: Severity,
    regex: Regex,
}

impl Detector {
    /// Whether what the regex found is what it looks for.
    fn is_valid(&self, found: &str) -> bool {
        match self.kind.as_str() {
            "pii_ssn" => Validator::Ssn.holds(found),
            "pii_ssn_no_dashes" => {
                let digits: Vec<char> = found.chars().filter(char::is_ascii_digit).collect();
                let part = |from: usize, to: usize| digits.get(from..to).unwrap_or(&[]).iter().collect::<String>();
                digits.len() == 9 && Validator::Ssn.holds(&format!("{}-{}-{}", part(0, 3), part(3, 5), part(5, 9)))
            }
            "pii_credit_card" => Validator::Luhn.holds(found),
            "pii_phone" => Validator::Phone.holds(found),
            "pii_email" => Validator::Email.holds(found),
            _ => true,
        }
    }
}

/// Its published detectors.
struct Lists {
    detectors: Vec<Detector>,
}

/// In the lists: key of the list, section of the settings, category in that section.
const KEYS: [(&str, &str, &str); 5] = [
    ("apiKeys", "secrets", "apiKeys"),
    ("cloudCredentials", "secrets", "cloudCredentials"),
    ("tokens", "secrets", "tokens"),
    ("privateKeys", "secrets", "privateKeys"),
    ("pii", "pii", ""),
];

impl Lists {
    fn read() -> Self {
        let lists = published_lists();
        let of_key = |(key, section, category): (&'static str, &'static str, &'static str)| {
            let items = lists["clawguardian"][key].as_array().expect("the list is there").clone();
            items.into_iter().map(move |item| {
                let category = match item["type"].as_str() {
                    Some("pii_ssn" | "pii_ssn_no_dashes") => "ssn",
                    Some("pii_credit_card") => "creditCard",
                    Some("pii_phone") => "phone",
                    Some("pii_email") => "email",
                    _ => category,
                };
                let ignores_case = item["flags"].as_str().is_some_and(|flags| flags.contains('i'));
                let regex = compiled(item["regex"].as_str().unwrap_or(""), ignores_case).expect("the regex is one here too");
                let kind = item["type"].as_str().unwrap_or_default().to_owned();
                Detector { section, category, kind, severity: severity_of(item["severity"].as_str().unwrap_or("high")), regex }
            })
        };
        Self { detectors: KEYS.into_iter().flat_map(of_key).collect() }
    }

    /// The detectors that are on.
    fn on<'l>(&'l self, config: &'l Value) -> impl Iterator<Item = &'l Detector> {
        let is_on = |detector: &&Detector| {
            let Detector { section, category, .. } = detector;
            let categories = &config[section]["categories"];
            let chosen = &categories[*category];
            // Naming any category of personal data turns mail and telephone off.
            let is_named = categories.is_object() && matches!(*category, "email" | "phone");
            config[section]["enabled"] != false && if is_named { *chosen == true } else { *chosen != false }
        };
        self.detectors.iter().filter(is_on)
    }

    /// What is detected in a text and decides: its kind, and what is asked for.
    fn detect(&self, text: &str, config: &Value) -> Option<(String, String)> {
        let is_allowed = allowing(config);
        let mut found: Vec<(String, Severity, &str)> = Vec::new();
        let mut add = |kind: &str, section: &'static str, severity, regex: &Regex, is_valid: &dyn Fn(&str) -> bool| {
            let hits = regex.find_iter(text.as_bytes()).filter_map(|hit| text.get(hit.start()..hit.end()));
            found.extend(hits.filter(|hit| is_valid(hit) && !is_allowed(hit)).map(|_| (kind.to_owned(), severity, section)));
        };
        for detector in self.on(config) {
            add(&detector.kind, detector.section, detector.severity, &detector.regex, &|found| detector.is_valid(found));
        }
        for (name, item, regex) in custom(config) {
            let severity = item["severity"].as_str().and_then(Severity::from_name).unwrap_or(Severity::High);
            add(&format!("custom_{name}"), "secrets", severity, &regex, &|_| true);
        }
        let (kind, severity, section) = found.into_iter().reduce(|first, next| if first.1 < next.1 { next } else { first })?;
        let asked = action_of(&kind, section, severity, config);
        Some((kind, asked))
    }

    /// The text with what any of the detectors that are on finds replaced, one after the other.
    fn redact(&self, text: &str, config: &Value) -> String {
        let custom: Vec<Regex> = custom(config).map(|(_, _, regex)| regex).collect();
        self.on(config).map(|detector| &detector.regex).chain(&custom).fold(text.to_owned(), |text, regex| {
            let found: Vec<((usize, usize), String)> =
                regex.captures_iter(text.as_bytes()).filter_map(|captures| stretch(&text, &captures)).collect();
            replaced(&text, found.iter().map(|(stretch, replacement)| (*stretch, replacement.as_str())))
        })
    }

    /// The same of the texts of an object, of the objects in it, and of lists of texts; not of objects in lists.
    fn redact_all(&self, object: &Map<String, Value>, config: &Value) -> Map<String, Value> {
        let redact = |value: &Value| match value {
            Value::String(text) => self.redact(text, config).into(),
            other => other.clone(),
        };
        let redact_any = |value: &Value| match value {
            Value::Object(inner) => self.redact_all(inner, config).into(),
            Value::Array(items) => items.iter().map(redact).collect(),
            other => redact(other),
        };
        object.iter().map(|(key, value)| (key.clone(), redact_any(value))).collect()
    }
}

/// Patterns of the user's own, each with its name; those that are no pattern are passed over.
fn custom(config: &Value) -> impl Iterator<Item = (&str, &Value, Regex)> {
    named(config).filter_map(|(name, item)| Some((name, item, compiled(item["pattern"].as_str()?, true)?)))
}

fn named(config: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let items = config["customPatterns"].as_array().into_iter().flatten();
    let has_pattern = |item: &&Value| item["pattern"].as_str().is_some_and(|pattern| !pattern.is_empty());
    items.filter(has_pattern).map(|item| (item["name"].as_str().unwrap_or("custom"), item))
}

/// What a match asks for: what the first pattern of that name says, or its section. Patterns of the user's are weighed as secrets.
fn action_of(kind: &str, section: &str, severity: Severity, config: &Value) -> String {
    let own = kind.strip_prefix("custom_").and_then(|name| named(config).find(|(known, _)| *known == name));
    let chosen = own.and_then(|(_, item)| item["action"].as_str());
    let known = ["block", "redact", "confirm", "agent-confirm", "warn", "log"];
    let chosen = chosen.filter(|action| known.contains(action)).map(one_confirmation);
    chosen.unwrap_or(action(section, severity, &settings_of(config)).name()).to_owned()
}

/// Whether an entry of the allow list fits what was found.
fn allowing(config: &Value) -> impl Fn(&str) -> bool {
    let allowed = config["allowlist"]["patterns"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let allowed: Vec<Regex> = allowed.filter_map(|find| compiled(find, true)).collect();
    move |found| allowed.iter().any(|regex| regex.is_match(found.as_bytes()))
}

/// What a detector found, and what is left of it: the last group that is not empty is the secret.
fn stretch(text: &str, captures: &Captures<'_>) -> Option<((usize, usize), String)> {
    let whole = captures.get(0)?;
    let found = text.get(whole.start()..whole.end())?;
    let secret = captures.iter().flatten().skip(1).filter(|group| !group.is_empty()).last().unwrap_or(whole);
    Some(((whole.start(), whole.end()), without_secret(found, text.get(secret.start()..secret.end())?)))
}

/// A published regex. Quotes that must close as they opened are written out, for want of back-references.
fn compiled(find: &str, ignores_case: bool) -> Option<Regex> {
    let quoted = |inner: &str| format!("(?:\"{inner}\"|'{inner}'|{inner})");
    let find = find
        .replace("([\"']?)([^\\s\"'\\\\]+)\\1", &quoted("([^\\s\"'\\\\]+)"))
        .replace("([\"']?)([^\\s\"']+)\\1", &quoted("([^\\s\"']+)"));
    RegexBuilder::new(&find).unicode(false).case_insensitive(ignores_case).build().ok()
}

#[test]
fn secrets_are_weighed_and_redacted_as_upstream() {
    let Some(rows) = rows("clawguardian-secrets.jsonl") else { return };
    let lists = Lists::read();
    agree("clawguardian-secrets.jsonl", &rows, |row| {
        let config = &row.input["config"];
        let text = row.input["text"].as_str()?;
        let deciding = deciding(text, row.expected["all"].as_array()?, config);
        let actual = deciding.map(|found| (found[0].clone(), found[3].clone(), json!(asked_for(found, config))));
        let expected = &row.expected["detect"];
        let expected = (!expected.is_null()).then(|| {
            let action = one_confirmation(expected["action"].as_str().unwrap_or(""));
            (expected["type"].clone(), expected["severity"].clone(), json!(action))
        });
        let redacted = lists.redact(text, config);
        let detected = differing("what is detected", actual, expected);
        let redacted = differing("the text", Some(redacted.as_str()), row.expected["redacted"].as_str());
        Some(detected.into_iter().chain(redacted).collect())
    });
}

/// Of all matches, the first of the highest severity that no entry of the allow list fits.
fn deciding<'m>(text: &str, all: &'m [Value], config: &Value) -> Option<&'m Value> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let fits = allowing(config);
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap_or(0);
    let is_allowed = |found: &Value| {
        let start = number(&found[1]);
        fits(&String::from_utf16_lossy(units.get(start..start + number(&found[2])).unwrap_or(&[])))
    };
    let severity = |found: &Value| severity_of(found[3].as_str().unwrap_or(""));
    let kept = all.iter().filter(|found| !is_allowed(found));
    kept.reduce(|first, next| if severity(first) < severity(next) { next } else { first })
}

fn asked_for(found: &Value, config: &Value) -> String {
    let section = if found[4] == "pii" { "pii" } else { "secrets" };
    action_of(found[0].as_str().unwrap_or(""), section, severity_of(found[3].as_str().unwrap_or("")), config)
}

#[test]
fn hooks_do_what_the_actions_ask_for() {
    let Some(rows) = rows("clawguardian-hooks.jsonl") else { return };
    let lists = Lists::read();
    // Where it was told not to log, what was found is known from the same call with the usual settings.
    let call = |row: &Row| format!("{} {}", row.input["toolName"], row.input["params"]);
    let usual: HashMap<String, Value> =
        rows.iter().filter(|row| row.input["config"].is_null()).map(|row| (call(row), row.expected["logs"].clone())).collect();
    agree("clawguardian-hooks.jsonl", &rows, |row| {
        let config = &row.input["config"];
        if row.expected["registered"] == false {
            let is_off = ["filterToolInputs", "filterToolOutputs"].iter().any(|filter| config[filter] == false);
            return Some(differing("being off", is_off, true).into_iter().collect());
        }
        let actual = match row.input["hook"].as_str()? {
            "redactParams" => {
                json!({ "out": match &row.input["params"] {
                    Value::Object(params) => lists.redact_all(params, config).into(),
                    Value::Array(params) => Value::Array(params.clone()),
                    _ => json!({}),
                } })
            }
            "tool_result_persist" => after_result(&lists, row)?,
            _ => {
                let is_silent = config["logging"]["logDetections"] == false;
                let logs = if is_silent { usual.get(&call(row))? } else { &row.expected["logs"] };
                before_call(&lists, row, logs)
            }
        };
        let expected: Map<String, Value> =
            row.expected.as_object()?.iter().filter(|(key, _)| *key != "logs").map(|(key, value)| (key.clone(), told(value))).collect();
        Some(differing("the answer", actual, expected.into()).into_iter().collect())
    });
}

/// What was found by a line of its log: section and severity.
fn logged(line: &str) -> Option<(&'static str, Severity)> {
    let line = line.strip_prefix("ClawGuardian: ")?;
    if let Some((severity, _)) = line.split_once(" severity - ") {
        return Some(("destructive", Severity::from_name(severity)?));
    }
    let (kind, rest) = line.rsplit(" - ").next()?.split_once(" (")?;
    let severity = Severity::from_name(rest.split_once(')')?.0)?;
    Some((if kind.starts_with("pii_") { "pii" } else { "secrets" }, severity))
}

/// Its answer without its words: blocked, blocked until confirmed, asked for, or the parameters.
fn told(value: &Value) -> Value {
    if let Some(reason) = value["blockReason"].as_str() {
        return if reason.contains("re-run with") { json!("confirm") } else { json!("block") };
    }
    if value["params"]["ask"] == "always" { json!("ask") } else { value.clone() }
}

/// What follows before a call from what was found in it.
fn before_call(lists: &Lists, row: &Row, logs: &Value) -> Value {
    let (config, params) = (&row.input["config"], &row.input["params"]);
    let lists_name = |list: &str, name: &Value| config["allowlist"][list].as_array().is_some_and(|names| names.contains(name));
    if lists_name("tools", &row.input["toolName"]) || lists_name("sessions", &row.input["sessionKey"]) {
        return json!({ "result": null });
    }
    let settings = settings_of(config);
    let is_confirmed = params[CONFIRM] == true;
    let asks = matches!(row.input["toolName"].as_str(), Some("exec" | "bash"));
    let mut rest = params.as_object().cloned().unwrap_or_default();
    for line in logs.as_array().into_iter().flatten().filter_map(Value::as_str) {
        let Some((section, severity)) = logged(line) else { continue };
        let by_agent = config[section]["severityActions"][severity.name()] == "agent-confirm";
        match action(section, severity, &settings).name() {
            "block" => return json!({ "result": "block" }),
            "confirm" if asks && !by_agent => return json!({ "result": "ask" }),
            "confirm" if !is_confirmed => return json!({ "result": "confirm" }),
            asked @ ("confirm" | "redact") if section != "destructive" => {
                rest = lists.redact_all(&rest, config);
                if asked == "confirm" {
                    let kind = line.split(' ').nth(1).unwrap_or("");
                    rest.insert("_clawguardian_confirmed".to_owned(), kind.into());
                }
                return json!({ "result": { "params": rest } });
            }
            _ => {}
        }
    }
    if !is_confirmed {
        return json!({ "result": null });
    }
    rest.remove(CONFIRM);
    json!({ "result": { "params": rest } })
}

/// What follows for a result: it is blocked for the first text that asks for it, or what its texts hold is redacted.
fn after_result(lists: &Lists, row: &Row) -> Option<Value> {
    let (config, content) = (&row.input["config"], &row.input["content"]);
    let texts = content.as_array()?.iter().filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str());
    let mut detected = texts.filter_map(|text| lists.detect(text, config));
    if let Some((kind, _)) = detected.find(|(_, asked)| asked == "block") {
        let text = format!("[ClawGuardian: Output blocked - {kind} detected]");
        return Some(json!({ "modified": true, "content": [{ "type": "text", "text": text }] }));
    }
    let redact = |part: &Value| {
        let mut part = part.clone();
        if let Some(text) = part["text"].as_str().filter(|_| part["type"] == "text") {
            part["text"] = lists.redact(text, config).into();
        }
        part
    };
    let redacted: Value = content.as_array()?.iter().map(redact).collect();
    Some(json!({ "modified": redacted != *content, "content": redacted }))
}

#[test]
fn what_upstream_flags_is_found() {
    let Some(commands) = rows("clawguardian-destructive.jsonl") else { return };
    cover("clawguardian-destructive", commands.into_iter().filter_map(of_command).collect(), COVERED_COMMANDS);
    let secrets = rows("clawguardian-secrets.jsonl").unwrap_or_default().into_iter().filter_map(of_text);
    cover("clawguardian-secrets", secrets.collect(), COVERED_SECRETS);
    let calls = rows("clawguardian-hooks.jsonl").unwrap_or_default().into_iter().filter_map(of_hook);
    cover("clawguardian-hooks", calls.collect(), COVERED_HOOKS);
}

fn of_command(row: Row) -> Option<Flagged> {
    let found = &row.expected["match"];
    let found = if found["match"].is_object() { &found["match"] } else { found };
    let category = format!("{} {}", found["category"].as_str()?, found["severity"].as_str()?);
    let arguments = &row.input["args"];
    let words = |value: &Value| match value {
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        other => other.as_str().unwrap_or("").to_owned(),
    };
    let all = arguments.as_array().into_iter().flatten().map(words).collect::<Vec<_>>().join(" ");
    let probe = match row.input["fn"].as_str()? {
        "detectDestructive" => Probe::call(row.input["tool"].as_str().unwrap_or(""), row.input["params"].clone()),
        "isDestructiveRm" => Probe::command(format!("rm {all}")),
        "isDestructiveGit" => Probe::command(format!("git {all}")),
        "isDestructiveXargs" => Probe::command(format!("ls | xargs {all}")),
        "hasDangerousPath" => Probe::command(format!("rm -r {all}")),
        "isDestructiveSql" => Probe::call("sql", json!({ "query": all })),
        _ => Probe::command(all),
    };
    Some(Flagged { id: row.id, category, probe })
}

fn of_text(row: Row) -> Option<Flagged> {
    let category = row.expected["detect"]["type"].as_str()?.to_owned();
    Some(Flagged { id: row.id, category, probe: Probe::Text(row.input["text"].as_str()?.to_owned()) })
}

fn of_hook(row: Row) -> Option<Flagged> {
    let (section, severity) = row.expected["logs"].as_array()?.iter().filter_map(Value::as_str).find_map(logged)?;
    let probe = match row.input.get("content") {
        Some(content) => Probe::Text(content.as_array()?.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")),
        None => Probe::call(row.input["toolName"].as_str()?, row.input["params"].clone()),
    };
    Some(Flagged { id: row.id, category: format!("{section} {severity}"), probe })
}
