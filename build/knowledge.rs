//! What is known of the world: the rows of `knowledge/**/*.yaml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;

use crate::commands;
use crate::forms;
use crate::knowledge::row::api::ApiRow;
use crate::knowledge::row::braces;
use crate::knowledge::row::command::CommandRow;
use crate::knowledge::row::query::QueryRow;
use crate::knowledge::row::statement::StatementRow;
use crate::knowledge::row::term::{SensitivityTerm, Side, SinkKind};
use crate::knowledge::row::tool::ToolRow;
use crate::knowledge::row::word::WordRow;
use crate::providers;
use crate::queries;
use crate::severities;
use crate::slots::slots;
use crate::statements;
use crate::texts::Texts;
use crate::threats;
use crate::uses;
use crate::variant::{EFFECTS, fault, some, variant};
use crate::wildcards::Wildcards;
use crate::words::{self, Words};

/// What a file of `knowledge/` may hold.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Rows {
    apis: Vec<ApiRow>,
    verbs: BTreeMap<String, Vec<String>>,
    nouns: Vec<Noun>,
    names: Vec<Name>,
    tags: BTreeMap<String, words::Tag>,
    words: Vec<WordRow>,
    acts: Vec<Act>,
    speech: BTreeMap<String, Vec<String>>,
    tools: Vec<ToolRow>,
    commands: Vec<CommandRow>,
    wrappers: Vec<commands::Wrapper>,
    readers: Vec<commands::Reader>,
    codes: Vec<commands::Code>,
    severities: Vec<severities::Severity>,
    lists: BTreeMap<String, Vec<String>>,
    statements: Vec<StatementRow>,
    speakers: Vec<statements::Speaker>,
    spare: Vec<String>,
    queries: Vec<QueryRow>,
    types: Vec<forms::Type>,
    services: Vec<forms::Service>,
    methods: Vec<forms::Method>,
    entries: Vec<forms::Entry>,
    modules: Vec<forms::Wrapper>,
    providers: Vec<providers::Provider>,
    common_names: Vec<String>,
    sign_in_paths: Vec<String>,
    signs: Vec<threats::Sign>,
    threats: Vec<threats::Threat>,
    handlings: Vec<uses::Handled>,
    uses: Vec<uses::Used>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Noun {
    words: Vec<String>,
    #[serde(default)]
    stems: Vec<String>,
    sink: Option<SinkKind>,
    #[serde(default)]
    owner: bool,
    #[serde(default)]
    always: bool,
    side: Option<Side>,
    sensitivity: Option<SensitivityTerm>,
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
    #[serde(default)]
    direct: bool,
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
    "tellers",
    "makers",
    "findings",
    "predicates",
    "given_run",
    "given_pay",
    "given_send",
    "given_grant",
    "given_write",
    "prepositions",
    "modes",
    "all",
    "many",
    "one",
];
const VERBS: &[&str] = &["read", "read_many", "send", "destroy", "run", "write", "transform", "redact", "neutral"];
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
    let texts = Texts::default();
    let mut of_commands = commands::Rows::default();
    let mut of_statements = statements::Rows::default();
    let mut from = String::new();
    let mut of_forms = forms::Rows::default();
    let mut of_providers = providers::Rows::default();
    let mut of_threats = threats::Rows::default();
    let mut of_uses = uses::Rows::default();
    for path in files(Path::new("knowledge"))? {
        let text = fs::read_to_string(&path)?;
        let rows: Rows = serde_saphyr::from_str(&text).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        let tools = rows.tools.iter().flat_map(|row| &row.names).map(|name| braces(name).len()).sum();
        let counts = [
            ("acts", rows.acts.len()),
            ("tools", tools),
            ("commands", rows.commands.len()),
            ("wrappers", rows.wrappers.len()),
            ("readers", rows.readers.len()),
            ("statements", rows.statements.len()),
            ("providers", rows.providers.len()),
        ];
        for (section, count) in counts.into_iter().filter(|(_, count)| 0 < *count) {
            writeln!(from, "({section:?}, {count}, {:?}),", path.display().to_string()).map_err(io::Error::other)?;
        }
        all.apis.extend(rows.apis);
        all.nouns.extend(rows.nouns);
        all.severities.extend(rows.severities);
        all.queries.extend(rows.queries);
        all.names.extend(rows.names);
        of_commands.extend(commands::Rows {
            commands: rows.commands,
            wrappers: rows.wrappers,
            readers: rows.readers,
            codes: rows.codes,
            lists: rows.lists,
        });
        of_statements.extend(statements::Rows { statements: rows.statements, speakers: rows.speakers, spare: rows.spare });
        of_forms.extend(forms::Rows {
            types: rows.types,
            services: rows.services,
            methods: rows.methods,
            entries: rows.entries,
            modules: rows.modules,
        });
        of_providers.extend(providers::Rows {
            providers: rows.providers,
            common_names: rows.common_names,
            sign_in_paths: rows.sign_in_paths,
        });
        of_threats.extend(threats::Rows { signs: rows.signs, threats: rows.threats });
        of_uses.extend(uses::Rows { handlings: rows.handlings, uses: rows.uses });
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
    fs::write(out.join("files.rs"), format!("&[\n{from}]\n"))?;
    fs::write(out.join("words.rs"), words.tables()?)?;
    severities::write(&all.severities, out)?;
    queries::write(&all.queries, out, &texts)?;
    of_commands.write(out)?;
    of_statements.write(out)?;
    of_forms.write(out, &texts)?;
    of_providers.write(out)?;
    of_threats.write(out)?;
    of_uses.write(out)?;
    fs::write(out.join("apis.rs"), apis(&all.apis)?)?;
    fs::write(out.join("names.rs"), names(&all)?)?;
    fs::write(out.join("acts.rs"), acts(&all, &texts)?)?;
    texts.write(out)
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

/// What hosts offer to scripts.
fn apis(rows: &[ApiRow]) -> io::Result<String> {
    let mut apis = BTreeMap::new();
    for api in rows {
        let ApiRow { source, paths, property, assigned, text_only, origin, reads, sink, target, data, body, example } = api;
        let (source, example) = (source.as_deref().unwrap_or_default(), example.as_deref().unwrap_or_default());
        if source.is_empty() || example.is_empty() {
            return Err(fault(format!("{paths:?} needs a source and an example")));
        }
        if let Some(wrong) = api.fault() {
            return Err(fault(wrong));
        }
        let (origin, sink) = (some("OriginKind", origin.as_ref()), some("SinkKind", sink.as_ref()));
        for path in paths.iter().flat_map(|path| braces(path)) {
            let path = path.replace('/', ".");
            let row = format!(
                "Api {{ path: {path:?}, is_property: {property}, is_assigned: {assigned}, is_text_only: {text_only}, origin: {origin}, \
                 reads: {reads:?}, sink: {sink}, target: &{target:?}, data: &{data:?}, body: &{body:?}, source: {source:?}, example: {example:?} }}"
            );
            // An element's URL is both read and assigned; a property that is read is another API.
            // A row may name a module both as it is imported and as it is read (`fs/promises`, `fs.promises`).
            if apis.insert(path.clone(), row.clone()).is_some_and(|before| before != row) {
                return Err(fault(format!("`{path}` stands twice")));
            }
        }
    }
    let slots = slots(&apis.keys().collect::<Vec<_>>());
    Ok(format!("Apis {{ rows: &[\n    {}], slots: &{slots:?} }}\n", list(apis.into_values().collect())))
}

fn list(lines: Vec<String>) -> String {
    lines.join(",\n    ")
}

/// What the words of names tell.
fn names(rows: &Rows) -> io::Result<String> {
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
        let (sink, side) = (some("SinkKind", sink.as_ref()), some("Side", side.as_ref()));
        let sensitivity = some("Sensitivity", sensitivity.as_ref());
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
    let verbs = verbs.into_iter().map(|(word, classes)| format!("({word:?}, &[{}])", classes.join(", "))).collect();
    Ok(format!(
        "Names {{\nverbs: &[\n    {}],\nnouns: &[\n    {}],\nstems: &[{}],\nnames: &[\n    {}],\n}}\n",
        list(verbs),
        list(nouns.into_values().collect()),
        all_stems.join(", "),
        list(names),
    ))
}

/// What is known of tools by name, and the words by which others are told.
fn acts(rows: &Rows, texts: &Texts) -> io::Result<String> {
    let mut by_verb: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut acts = Vec::new();
    for (at, act) in rows.acts.iter().enumerate() {
        let Act { effect, verbs, with, unless, guard, weak, direct, hit, miss, source } = act;
        if hit.is_empty() || miss.is_empty() || source.is_empty() {
            return Err(fault(format!("the act {effect} of {verbs:?} needs hit, miss and source")));
        }
        let effect = if effect == "none" { "None".to_owned() } else { optional("EffectKind", Some(effect), EFFECTS)? };
        let phrases = |texts: &[String]| texts.iter().map(|text| format!("&{:?}", phrase(text))).collect::<Vec<_>>().join(", ");
        acts.push(format!(
            "Act {{ effect: {effect}, with: &[{}], unless: &[{}], guard: &{guard:?}, is_weak: {weak}, is_direct: {direct}, hit: {}, miss: {}, source: {} }}",
            phrases(with),
            phrases(unless),
            texts.told(hit),
            texts.told(miss),
            texts.told(source)
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
    let (mut tools, mut tool_names) = (Vec::new(), Wildcards::default());
    for row in &rows.tools {
        let ToolRow { names, effects, object, extent, sensitivity, inside, hit, miss, source } = row;
        let (Some(hit), Some(miss), Some(source)) = (hit, miss, source) else {
            return Err(fault(format!("the tools {names:?} need hit, miss and source")));
        };
        let kinds: Vec<String> = effects.iter().map(|effect| format!("EffectKind::{effect:?}")).collect();
        let sensitivity = some("crate::knowledge::row::term::SensitivityTerm", sensitivity.as_ref());
        for name in names.iter().flat_map(|name| braces(name)) {
            tool_names.add(tools.len(), std::slice::from_ref(&name));
            tools.push(format!(
                "KnownTool {{ name: {name:?}, effects: &[{}], object: {object:?}, extent: Extent::{:?}, sensitivity: {sensitivity}, \
                 is_inside: {inside:?}, hit: {}, miss: {}, source: {source:?} }}",
                kinds.join(", "),
                extent.unwrap_or_default(),
                texts.told(hit),
                texts.told(miss),
            ));
        }
    }
    Ok(format!(
        "Acts {{\nacts: &[\n    {}],\nverbs: &[\n    {}],\nspeech: Speech {{ {} }},\ntools: &[\n    {}],\ntool_names: {},\n}}\n",
        list(acts),
        list(by_verb),
        speech.join(", "),
        list(tools),
        tool_names.written(texts)
    ))
}

/// The words of a phrase.
fn phrase(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
