//! Turns `patterns/*.yaml` into a table that is compiled in, so that a start reads no YAML.
//!
//! What is wrong with a pattern beyond its shape (examples, regexes) is told by `callgate patterns test`.

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Examples {
    hit: Vec<String>,
    miss: Vec<String>,
}

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=patterns");
    let mut files: Vec<_> = fs::read_dir("patterns")?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
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
    fs::write(Path::new(&out).join("patterns.rs"), table)
}

fn row(table: &mut String, category: &str, pattern: &Pattern) {
    let Pattern { id, severity, action, applies_to, kinds, roles, why, help, keywords, find, unicode, validator, secret, examples } =
        pattern;
    let (hit, miss) = (&examples.hit, &examples.miss);
    let _ = writeln!(
        table,
        "    Written {{ id: {id:?}, category: {category:?}, severity: {severity:?}, action: {action:?}, applies_to: &{applies_to:?}, \
         kinds: &{kinds:?}, roles: &{roles:?}, why: {why:?}, help: {help:?}, keywords: &{keywords:?}, find: {find:?}, \
         unicode: {unicode}, validator: {validator:?}, secret: {secret}, hit: &{hit:?}, miss: &{miss:?} }},"
    );
}
