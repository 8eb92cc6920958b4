//! Turns `patterns/*.yaml` into a table that is compiled in, so that a start reads no YAML.
//!
//! What is wrong with a pattern beyond its shape (examples, regexes) is told by `callgate patterns test`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{env, fs, io, path::Path};

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pack {
    category: String,
    patterns: Vec<Pattern>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pattern {
    id: String,
    severity: String,
    action: String,
    #[serde(default)]
    applies_to: Vec<String>,
    #[serde(default)]
    kinds: Vec<String>,
    #[serde(default)]
    by_kind: Vec<Grade>,
    #[serde(default, rename = "where")]
    roles: Vec<String>,
    why: String,
    help: String,
    keywords: Vec<String>,
    find: String,
    #[serde(default)]
    unicode: bool,
    validator: Option<String>,
    #[serde(default)]
    secret: bool,
    examples: Examples,
}

/// How bad a hit is in some kinds of subjects.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grade {
    kinds: Vec<String>,
    severity: String,
    action: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Examples {
    hit: Vec<String>,
    miss: Vec<String>,
}

fn main() -> io::Result<()> {
    pack_relocations();
    println!("cargo::rerun-if-changed=patterns");
    let mut files: Vec<_> = fs::read_dir("patterns")?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    files.retain(|path| {
        path.extension().is_some_and(|extension| extension == "yaml")
            && !path.file_name().is_some_and(|name| name == "catalogue.yaml" || name == "samples.yaml")
    });
    files.sort();
    let mut table = String::from("&[\n");
    for path in files {
        let text = fs::read_to_string(&path)?;
        let pack: Pack = serde_saphyr::from_str(&text).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        for pattern in &pack.patterns {
            row(&mut table, &pack.category, pattern);
        }
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&out).join("patterns.rs"), table)?;
    let text = fs::read_to_string("patterns/catalogue.yaml")?;
    let catalogue: Catalogue = serde_saphyr::from_str(&text).map_err(|error| fault(error.to_string()))?;
    fs::write(Path::new(&out).join("catalogue.rs"), catalogue_table(&catalogue)?)?;
    let text = fs::read_to_string("patterns/samples.yaml")?;
    let samples: Samples = serde_saphyr::from_str(&text).map_err(|error| io::Error::other(format!("patterns/samples.yaml: {error}")))?;
    fs::write(Path::new(&out).join("samples.rs"), samples_table(&samples))
}

/// Known-bad samples, each with a harmless twin.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Samples {
    samples: Vec<Sample>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    id: String,
    family: String,
    kind: String,
    text: String,
    near_miss: String,
    why: String,
}

fn samples_table(samples: &Samples) -> String {
    let rows = samples.samples.iter().map(|Sample { id, family, kind, text, near_miss, why }| {
        format!(
            "    Written {{ id: {id:?}, family: {family:?}, kind: {kind:?}, text: {text:?}, near_miss: {near_miss:?}, why: {why:?} }},\n"
        )
    });
    format!("&[\n{}]", rows.collect::<String>())
}

/// What is known of host APIs and tools.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    apis: Vec<Api>,
    verbs: BTreeMap<String, Vec<String>>,
    nouns: Vec<Noun>,
    names: Vec<Name>,
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

const VERBS: &[&str] = &["read", "read_many", "send", "destroy", "run", "write", "transform", "redact", "neutral"];
const ORIGINS: &[&str] = &["tool", "environment", "file", "network", "storage", "clipboard", "user-input", "process", "system"];
const SINKS: &[&str] = &["network", "mail", "chat", "publish", "command", "code", "query", "file-write", "delete", "prompt"];
const SIDES: &[&str] = &["inside", "outside"];
const SENSITIVITIES: &[&str] = &["internal", "contact", "personal", "health", "financial", "authentication"];
const CLASSES: &[&str] = &["reads", "sends", "executes", "deletes", "neutral"];

fn fault(message: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("patterns/catalogue.yaml: {message}"))
}

/// A word of a list as the name of an enum's variant: `file-write` is `FileWrite`.
fn variant(kind: &str, word: &str, known: &[&str]) -> io::Result<String> {
    if !known.contains(&word) {
        return Err(fault(format!("`{word}` is no {kind}; it can be {}", known.join(", "))));
    }
    let capital = |part: &str| part.chars().take(1).map(|first| first.to_ascii_uppercase()).chain(part.chars().skip(1)).collect::<String>();
    Ok(word.split(['-', '_']).map(capital).collect())
}

fn optional(kind: &str, word: Option<&String>, known: &[&str]) -> io::Result<String> {
    let Some(word) = word else { return Ok("None".to_owned()) };
    Ok(format!("Some({kind}::{})", variant(kind, word, known)?))
}

fn catalogue_table(catalogue: &Catalogue) -> io::Result<String> {
    let mut apis = BTreeMap::new();
    for api in &catalogue.apis {
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
    for (class, words) in &catalogue.verbs {
        let name = variant("verb", class, VERBS)?;
        for word in words {
            verbs.entry(word.as_str()).or_insert_with(Vec::new).push(format!("Verb::{name}"));
        }
    }
    let mut nouns = BTreeMap::new();
    for noun in &catalogue.nouns {
        let Noun { words, owner, sink, always, side, sensitivity, public, untrusted, example } = noun;
        let sink = optional("SinkKind", sink.as_ref(), SINKS)?;
        let side = optional("Side", side.as_ref(), SIDES)?;
        let sensitivity = optional("Sensitivity", sensitivity.as_ref(), SENSITIVITIES)?;
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
    for Name { name, does, example } in &catalogue.names {
        let class = variant("class", does, CLASSES)?;
        names.extend(braces(name).into_iter().map(|name| format!("({name:?}, ToolClass::{class}, {example:?})")));
    }
    let list = |rows: Vec<String>| rows.join(",\n    ");
    let verbs = verbs.into_iter().map(|(word, classes)| format!("({word:?}, &[{}])", classes.join(", "))).collect();
    Ok(format!(
        "Table {{\napis: &[\n    {}],\nverbs: &[\n    {}],\nnouns: &[\n    {}],\nnames: &[\n    {}],\n}}\n",
        list(apis.into_values().collect()),
        list(verbs),
        list(nouns.into_values().collect()),
        list(names)
    ))
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

fn row(table: &mut String, category: &str, pattern: &Pattern) {
    let Pattern {
        id,
        severity,
        action,
        applies_to,
        kinds,
        by_kind,
        roles,
        why,
        help,
        keywords,
        find,
        unicode,
        validator,
        secret,
        examples,
    } = pattern;
    let (hit, miss) = (&examples.hit, &examples.miss);
    let grades = by_kind.iter().map(|Grade { kinds, severity, action }| format!("(&{kinds:?}, {severity:?}, {action:?})"));
    let by_kind = grades.collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        table,
        "    Written {{ id: {id:?}, category: {category:?}, severity: {severity:?}, action: {action:?}, applies_to: &{applies_to:?}, \
         kinds: &{kinds:?}, by_kind: &[{by_kind}], roles: &{roles:?}, why: {why:?}, help: {help:?}, keywords: &{keywords:?}, find: {find:?}, \
         unicode: {unicode}, validator: {validator:?}, secret: {secret}, hit: &{hit:?}, miss: &{miss:?} }},"
    );
}

/// Lets the linker pack the places that are only known once the program is loaded: they are a fourteenth of it. Loaders read that
/// from glibc 2.36 on, so it is done where the program is built for this very machine and its glibc is new enough.
fn pack_relocations() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let is_glibc = variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_ENV") == "gnu";
    if !is_glibc || variable("HOST") != variable("TARGET") {
        return;
    }
    let asked = std::process::Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let told = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = told.trim().strip_prefix("glibc ").and_then(|version| version.split_once('.'));
    let version = version.and_then(|(major, minor)| Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?)));
    if version.is_some_and(|version| (2, 36) <= version) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
