//! The rules of `patterns/*.yaml`, and the known-bad samples beside them.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

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
    #[serde(default)]
    modules: bool,
    severity: String,
    action: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Examples {
    hit: Vec<String>,
    miss: Vec<String>,
}

/// Writes the tables of patterns and samples.
pub fn write(out: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed=patterns");
    let mut files: Vec<_> = fs::read_dir("patterns")?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    files.retain(|path| {
        path.extension().is_some_and(|extension| extension == "yaml") && path.file_name().is_some_and(|name| name != "samples.yaml")
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
    fs::write(out.join("patterns.rs"), table)?;
    let text = fs::read_to_string("patterns/samples.yaml")?;
    let samples: Samples = serde_saphyr::from_str(&text).map_err(|error| io::Error::other(format!("patterns/samples.yaml: {error}")))?;
    fs::write(out.join("samples.rs"), samples_table(&samples))
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
    let grades =
        by_kind.iter().map(|Grade { kinds, modules, severity, action }| format!("(&{kinds:?}, {modules}, {severity:?}, {action:?})"));
    let by_kind = grades.collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        table,
        "    Written {{ id: {id:?}, category: {category:?}, severity: {severity:?}, action: {action:?}, applies_to: &{applies_to:?}, \
         kinds: &{kinds:?}, by_kind: &[{by_kind}], roles: &{roles:?}, why: {why:?}, help: {help:?}, keywords: &{keywords:?}, find: {find:?}, \
         unicode: {unicode}, validator: {validator:?}, secret: {secret}, hit: &{hit:?}, miss: &{miss:?} }},"
    );
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
