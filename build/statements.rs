//! What statements and requests do: the statement rows of `knowledge/`.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::knowledge::row::statement::{StatementRow, StatementTests};
use crate::variant::{fault, path as variant};

/// The sections of a file of `knowledge/` that speak of statements.
#[derive(Default)]
pub struct Rows {
    pub statements: Vec<StatementRow>,
    pub speakers: Vec<Speaker>,
    /// Words in the names of what is made anew when it is needed.
    pub spare: Vec<String>,
}

/// Whose tools and programs run statements of a language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speaker {
    of: String,
    tools: Vec<String>,
    source: String,
}

const LANGUAGES: &[&str] = &["sql", "mongo", "redis", "graphql", "cypher", "http", "tool"];

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

fn statement(row: &StatementRow) -> io::Result<String> {
    let StatementRow { of, verb, object, when, and, unless, does, to, severity, says, hit, miss, source } = row;
    let name = row.name();
    if hit.is_empty() || miss.is_empty() || source.is_empty() {
        return Err(fault(format!("`{name}` needs a hit, a miss and a source")));
    }
    let when: Vec<String> = [when, and].into_iter().flatten().map(tests).collect();
    Ok(format!(
        "StatementRow {{ name: {name:?}, language: Language::{of:?}, verb: &{verb:?}, object: &{object:?}, when: &[{}], unless: {}, \
         kind: EffectKind::{does:?}, to: {to:?}, severity: Severity::{severity:?}, says: {says:?}, hit: &{hit:?}, miss: &{miss:?}, \
         source: {source:?} }}",
        when.join(", "),
        tests(unless),
    ))
}

fn tests(tests: &StatementTests) -> String {
    let StatementTests { has, call, set, text, name, host, extent, spare } = tests;
    let extent: Vec<String> = extent.iter().map(|extent| format!("Extent::{extent:?}")).collect();
    let has: Vec<String> = has.iter().map(|phrase| format!("&{:?}", phrase.split_whitespace().collect::<Vec<_>>())).collect();
    format!(
        "Tests {{ has: &[{}], call: &{call:?}, set: &{set:?}, text: &{text:?}, name: &{name:?}, host: &{host:?}, extent: &[{}], is_spare: {spare} }}",
        has.join(", "),
        extent.join(", ")
    )
}
