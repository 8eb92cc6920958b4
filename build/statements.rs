//! What statements and requests do: the statement rows of `knowledge/`.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::variant::{EFFECTS, EXTENTS, SEVERITIES, fault, path as variant};

/// The sections of a file of `knowledge/` that speak of statements.
#[derive(Default)]
pub struct Rows {
    pub statements: Vec<Statement>,
    pub speakers: Vec<Speaker>,
    /// Words in the names of what is made anew when it is needed.
    pub spare: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    of: String,
    #[serde(default)]
    verb: Vec<String>,
    #[serde(default)]
    object: Vec<String>,
    #[serde(default)]
    when: Option<Tests>,
    #[serde(default)]
    and: Option<Tests>,
    #[serde(default)]
    unless: Tests,
    does: String,
    to: String,
    severity: String,
    says: String,
    hit: Vec<String>,
    miss: Vec<String>,
    source: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tests {
    has: Vec<String>,
    call: Vec<String>,
    set: Vec<String>,
    text: Vec<String>,
    name: Vec<String>,
    extent: Vec<String>,
    spare: bool,
}

/// Whose tools and programs run statements of a language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speaker {
    of: String,
    tools: Vec<String>,
    source: String,
}

const LANGUAGES: &[&str] = &["sql", "mongo", "redis", "graphql", "cypher", "http"];

impl Rows {
    /// Takes in what another file holds.
    pub fn extend(&mut self, other: Self) {
        self.statements.extend(other.statements);
        self.speakers.extend(other.speakers);
        self.spare.extend(other.spare);
    }

    /// Writes the table.
    pub fn write(&self, out: &Path) -> io::Result<()> {
        let (mut rows, mut speakers) = (String::new(), String::new());
        for row in &self.statements {
            writeln!(rows, "{},", statement(row)?).map_err(io::Error::other)?;
        }
        for Speaker { of, tools, source } in &self.speakers {
            if source.is_empty() {
                return Err(fault(format!("the tools {tools:?} need a source")));
            }
            let language = variant("Language", of, LANGUAGES)?;
            writeln!(speakers, "Speaker {{ language: {language}, tools: &{tools:?} }},").map_err(io::Error::other)?;
        }
        let table = format!("Statements {{\nrows: &[\n{rows}],\nspeakers: &[\n{speakers}],\nspare: &{:?},\n}}\n", self.spare);
        fs::write(out.join("statements.rs"), table)
    }
}

fn statement(row: &Statement) -> io::Result<String> {
    let Statement { of, verb, object, when, and, unless, does, to, severity, says, hit, miss, source } = row;
    let name = format!("{of} {}: {says}", verb.first().map_or("", String::as_str));
    if hit.is_empty() || miss.is_empty() || source.is_empty() {
        return Err(fault(format!("`{name}` needs a hit, a miss and a source")));
    }
    let when: Vec<String> = [when, and].into_iter().flatten().map(tests).collect::<io::Result<_>>()?;
    Ok(format!(
        "StatementRow {{ name: {name:?}, language: {}, verb: &{verb:?}, object: &{object:?}, when: &[{}], unless: {}, kind: {}, \
         to: {to:?}, severity: {}, says: {says:?}, hit: &{hit:?}, miss: &{miss:?}, source: {source:?} }}",
        variant("Language", of, LANGUAGES)?,
        when.join(", "),
        tests(unless)?,
        variant("EffectKind", does, EFFECTS)?,
        variant("Severity", severity, SEVERITIES)?,
    ))
}

fn tests(tests: &Tests) -> io::Result<String> {
    let Tests { has, call, set, text, name, extent, spare } = tests;
    let extent: Vec<String> = extent.iter().map(|extent| variant("Extent", extent, EXTENTS)).collect::<io::Result<_>>()?;
    let has: Vec<String> = has.iter().map(|phrase| format!("&{:?}", phrase.split_whitespace().collect::<Vec<_>>())).collect();
    Ok(format!(
        "Tests {{ has: &[{}], call: &{call:?}, set: &{set:?}, text: &{text:?}, name: &{name:?}, extent: &[{}], is_spare: {spare} }}",
        has.join(", "),
        extent.join(", ")
    ))
}
