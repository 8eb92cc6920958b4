//! What is known of the world: the rows of `knowledge/**/*.yaml`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;

use crate::severities;
use crate::variant::{EFFECTS, EXTENTS, SENSITIVITIES, fault, variant};

use crate::commands;
use crate::statements;
use crate::words::{self, Words};

/// What a file of `knowledge/` may hold.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Rows {
    apis: Vec<Api>,
    verbs: BTreeMap<String, Vec<String>>,
    nouns: Vec<Noun>,
    names: Vec<Name>,
    tags: BTreeMap<String, words::Tag>,
    words: Vec<words::Row>,
    acts: Vec<Act>,
    speech: BTreeMap<String, Vec<String>>,
    tools: Vec<KnownTool>,
    commands: Vec<commands::Command>,
    wrappers: Vec<commands::Wrapper>,
    readers: Vec<commands::Reader>,
    codes: Vec<commands::Code>,
    severities: Vec<severities::Severity>,
    lists: BTreeMap<String, Vec<String>>,
    statements: Vec<statements::Statement>,
    speakers: Vec<statements::Speaker>,
    spare: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Api {
    source: String,
    paths: Vec<String>,
    #[serde(default)]
    property: bool,
    #[serde(default)]
    assigned: bool,
    #[serde(default)]
    text_only: bool,
    origin: Option<String>,
    reads: Option<String>,
    sink: Option<String>,
    #[serde(default)]
    target: Vec<String>,
    #[serde(default)]
    data: Vec<String>,
    example: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Noun {
    words: Vec<String>,
    #[serde(default)]
    stems: Vec<String>,
    sink: Option<String>,
    #[serde(default)]
    owner: bool,
    #[serde(default)]
    always: bool,
    side: Option<String>,
    sensitivity: Option<String>,
    #[serde(default)]
    public: bool,
    #[serde(default)]
    untrusted: bool,
    example: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Name {
    name: String,
    does: String,
    example: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Act {
    effect: String,
    verbs: Vec<String>,
    #[serde(default)]
    with: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
    #[serde(default)]
    guard: Vec<String>,
    #[serde(default)]
    weak: bool,
    hit: String,
    miss: String,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownTool {
    names: Vec<String>,
    effects: Vec<String>,
    object: Option<String>,
    #[serde(default)]
    extent: Option<String>,
    hit: String,
    miss: String,
    source: String,
}

const SPEECH: &[&str] = &[
    "either",
    "noun_first",
    "openers",
    "enablers",
    "persons",
    "adverbs",
    "joiners",
    "articles",
    "stops",
    "prepositions",
    "modes",
    "all",
    "many",
    "one",
];
const VERBS: &[&str] = &["read", "read_many", "send", "destroy", "run", "write", "transform", "redact", "neutral"];
const ORIGINS: &[&str] = &["tool", "environment", "file", "network", "storage", "clipboard", "user-input", "process", "system"];
const SINKS: &[&str] = &["network", "mail", "chat", "publish", "command", "code", "query", "file-write", "delete", "prompt"];
const SIDES: &[&str] = &["inside", "outside"];
const CLASSES: &[&str] = &["reads", "sends", "executes", "deletes", "neutral"];

fn optional(kind: &str, word: Option<&String>, known: &[&str]) -> io::Result<String> {
    let Some(word) = word else { return Ok("None".to_owned()) };
    Ok(format!("Some({kind}::{})", variant(kind, word, known)?))
}

/// Writes the tables.
pub fn write(out: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed=knowledge");
    let mut all = Rows::default();
    let mut words = Words::default();
    let mut of_commands = commands::Rows::default();
    let mut of_statements = statements::Rows::default();
    for path in files(Path::new("knowledge"))? {
        let text = fs::read_to_string(&path)?;
        let rows: Rows = serde_saphyr::from_str(&text).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        all.apis.extend(rows.apis);
        all.nouns.extend(rows.nouns);
        all.severities.extend(rows.severities);
        all.names.extend(rows.names);
        of_commands.extend(commands::Rows {
            commands: rows.commands,
            wrappers: rows.wrappers,
            readers: rows.readers,
            codes: rows.codes,
            lists: rows.lists,
        });
        of_statements.extend(statements::Rows { statements: rows.statements, speakers: rows.speakers, spare: rows.spare });
        for (class, verbs) in rows.verbs {
            all.verbs.entry(class).or_default().extend(verbs);
        }
        all.acts.extend(rows.acts);
        all.tools.extend(rows.tools);
        for (kind, texts) in rows.speech {
            all.speech.entry(kind).or_default().extend(texts);
        }
        words.add(&path.display().to_string(), rows.tags, rows.words)?;
    }
    fs::write(out.join("words.rs"), words.tables()?)?;
    severities::write(&all.severities, out)?;
    of_commands.write(out)?;
    of_statements.write(out)?;
    fs::write(out.join("knowledge.rs"), table(&all)?)
}

/// The YAML files of a folder and those inside it, in order.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn table(rows: &Rows) -> io::Result<String> {
    let mut apis = BTreeMap::new();
    for api in &rows.apis {
        let Api { source, paths, property, assigned, text_only, origin, reads, sink, target, data, example } = api;
        if source.is_empty() || example.is_empty() {
            return Err(fault(format!("{paths:?} needs a source and an example")));
        }
        if origin.is_none() && sink.is_none() {
            return Err(fault(format!("{paths:?} neither reads nor does anything")));
        }
        let origin = optional("OriginKind", origin.as_ref(), ORIGINS)?;
        let sink = optional("SinkKind", sink.as_ref(), SINKS)?;
        for path in paths.iter().flat_map(|path| braces(path)) {
            let row = format!(
                "Api {{ path: {path:?}, is_property: {property}, is_assigned: {assigned}, is_text_only: {text_only}, origin: {origin}, \
                 reads: {reads:?}, sink: {sink}, target: &{target:?}, data: &{data:?}, source: {source:?}, example: {example:?} }}"
            );
            // An element's URL is both read and assigned; a property that is read is another API.
            if apis.insert(path.clone(), row).is_some() {
                return Err(fault(format!("`{path}` stands twice")));
            }
        }
    }
    let mut verbs = BTreeMap::new();
    for (class, words) in &rows.verbs {
        let name = variant("verb", class, VERBS)?;
        for word in words {
            verbs.entry(word.as_str()).or_insert_with(Vec::new).push(format!("Verb::{name}"));
        }
    }
    let mut nouns = BTreeMap::new();
    let mut all_stems = Vec::new();
    for noun in &rows.nouns {
        let Noun { words, stems, owner, sink, always, side, sensitivity, public, untrusted, example } = noun;
        let sink = optional("SinkKind", sink.as_ref(), SINKS)?;
        let side = optional("Side", side.as_ref(), SIDES)?;
        let sensitivity = optional("Sensitivity", sensitivity.as_ref(), SENSITIVITIES)?;
        let first = words.first().map_or("", String::as_str);
        all_stems.extend(stems.iter().map(|stem| format!("({stem:?}, {first:?})")));
        for word in words {
            let row = format!(
                "Noun {{ word: {word:?}, is_owner: {owner}, sink: {sink}, is_always: {always}, side: {side}, sensitivity: {sensitivity}, is_public: {public}, \
                 is_untrusted: {untrusted}, example: {example:?} }}"
            );
            if nouns.insert(word, row).is_some() {
                return Err(fault(format!("the noun `{word}` stands twice")));
            }
        }
    }
    let mut names = Vec::new();
    for Name { name, does, example } in &rows.names {
        let class = variant("class", does, CLASSES)?;
        names.extend(braces(name).into_iter().map(|name| format!("({name:?}, ToolClass::{class}, {example:?})")));
    }
    let list = |lines: Vec<String>| lines.join(",\n    ");
    let verbs = verbs.into_iter().map(|(word, classes)| format!("({word:?}, &[{}])", classes.join(", "))).collect();
    Ok(format!(
        "Table {{\napis: &[\n    {}],\nverbs: &[\n    {}],\nnouns: &[\n    {}],\nstems: &[{}],\nnames: &[\n    {}],\n{}}}\n",
        list(apis.into_values().collect()),
        list(verbs),
        list(nouns.into_values().collect()),
        all_stems.join(", "),
        list(names),
        tools_and_their_words(rows)?
    ))
}

/// What is known of tools by name, and the words by which others are told.
fn tools_and_their_words(rows: &Rows) -> io::Result<String> {
    let mut by_verb: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut acts = Vec::new();
    for (at, act) in rows.acts.iter().enumerate() {
        let Act { effect, verbs, with, unless, guard, weak, hit, miss, source } = act;
        if hit.is_empty() || miss.is_empty() || source.is_empty() {
            return Err(fault(format!("the act {effect} of {verbs:?} needs hit, miss and source")));
        }
        let effect = if effect == "none" { "None".to_owned() } else { optional("EffectKind", Some(effect), EFFECTS)? };
        let phrases = |texts: &[String]| texts.iter().map(|text| format!("&{:?}", phrase(text))).collect::<Vec<_>>().join(", ");
        acts.push(format!(
            "Act {{ effect: {effect}, with: &[{}], unless: &[{}], guard: &{guard:?}, is_weak: {weak}, hit: {hit:?}, miss: {miss:?}, source: {source:?} }}",
            phrases(with),
            phrases(unless)
        ));
        for verb in verbs {
            let rows = by_verb.entry(verb.as_str()).or_default();
            if !rows.contains(&at) {
                rows.push(at);
            }
        }
    }
    let by_verb: Vec<String> = by_verb.into_iter().map(|(verb, rows)| format!("({verb:?}, &{rows:?})")).collect();
    let mut speech = Vec::new();
    for kind in SPEECH {
        let words: BTreeSet<&String> = rows.speech.get(*kind).into_iter().flatten().collect();
        speech.push(format!("{kind}: &{words:?}").replace('{', "[").replace('}', "]"));
    }
    if let Some(kind) = rows.speech.keys().find(|kind| !SPEECH.contains(&kind.as_str())) {
        return Err(fault(format!("`{kind}` is no kind of words of speech; it can be {}", SPEECH.join(", "))));
    }
    let mut tools = Vec::new();
    for KnownTool { names, effects, object, extent, hit, miss, source } in &rows.tools {
        let kinds: io::Result<Vec<String>> =
            effects.iter().map(|effect| Ok(format!("EffectKind::{}", variant("effect", effect, EFFECTS)?))).collect();
        let extent = variant("extent", extent.as_deref().unwrap_or("unknown"), EXTENTS)?;
        for name in names.iter().flat_map(|name| braces(name)) {
            tools.push(format!(
                "KnownTool {{ name: {name:?}, effects: &[{}], object: {object:?}, extent: Extent::{extent}, hit: {hit:?}, miss: {miss:?}, source: {source:?} }}",
                kinds.as_ref().map_err(fault)?.join(", ")
            ));
        }
    }
    let list = |lines: Vec<String>| lines.join(",\n    ");
    Ok(format!(
        "acts: &[\n    {}],\nact_verbs: &[\n    {}],\nspeech: Speech {{ {} }},\ntools: &[\n    {}],\n",
        list(acts),
        list(by_verb),
        speech.join(", "),
        list(tools)
    ))
}

/// The words of a phrase.
fn phrase(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// All texts that a text with `{a,b}` stands for.
fn braces(text: &str) -> Vec<String> {
    let Some(open) = text.find('{') else { return vec![text.to_owned()] };
    let mut depth = 0;
    let mut cuts = vec![open];
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 1 => cuts.push(at),
            _ => {}
        }
        if depth == 0 {
            cuts.push(at);
            break;
        }
    }
    let close = cuts.last().copied().unwrap_or(open);
    let choices = cuts.windows(2).flat_map(|pair| braces(text.get(pair[0] + 1..pair[1]).unwrap_or_default()));
    let choices: Vec<String> = choices.collect();
    let rest = braces(text.get(close + 1..).unwrap_or_default());
    choices
        .iter()
        .flat_map(|choice| rest.iter().map(move |rest| format!("{}{choice}{rest}", text.get(..open).unwrap_or_default())))
        .collect()
}
