//! A construct of the language or the runtime that hands a text on, as a template.
//!
//! `tests/compositions/AREA.yaml` holds them. In a template `§in` is the name of the text that comes in, `§out` the
//! name under which it must be there afterwards, unchanged; any other `§name` is a name that is fresh for the place
//! where the construct stands, so that constructs compose.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must be there by expecting it")]

use std::fs;
use std::path::PathBuf;

use callgate::yaml;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::ends::Dialect;

/// A construct as it is written down: `code`, or a condition that is true at run time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Construct {
    /// Unique name.
    pub name: String,
    /// The only dialect that has it; both, where none is named.
    pub only: Option<Dialect>,
    /// TypeScript or JSX.
    #[serde(default)]
    pub typed: bool,
    /// It may stand only at the top of a script.
    #[serde(default)]
    pub top: bool,
    /// It deserves a warning whatever it carries, so that its twin may have one.
    #[serde(default)]
    pub suspicious: bool,
    /// A line that stands at the top of the script, once.
    pub prelude: Option<String>,
    /// The statements.
    code: Option<String>,
    /// Statements before a condition.
    setup: Option<String>,
    /// A condition that is true at run time; only where it is, `§in` becomes `§out`.
    when: Option<String>,
    /// How often `step` stands in place of `§chain`, with `#i` as its number and `#p` as the one before it.
    chain: Option<usize>,
    step: Option<String>,
}

impl Construct {
    /// Whether a script of this dialect can have it.
    pub fn fits(&self, dialect: Dialect) -> bool {
        self.only.is_none_or(|only| only == dialect)
    }

    /// The statements at a place: they read `out_{place - 1}` and give `out_{place}`.
    pub fn written(&self, place: usize) -> String {
        let template = match (&self.code, &self.when) {
            (Some(code), None) => code.clone(),
            (None, Some(when)) => {
                format!("{}let §out = 'x';\nif ({when}) §out = §in;\n", self.setup.as_deref().unwrap_or(""))
            }
            (Some(_), Some(_)) | (None, None) => panic!("{}: either `code` or `when`", self.name),
        };
        let step = self.step.as_deref().unwrap_or("");
        let steps = (1..=self.chain.unwrap_or(0)).map(|nth| step.replace("#i", &nth.to_string()).replace("#p", &(nth - 1).to_string()));
        named(&template.replace("§chain", steps.collect::<String>().trim_end()), place)
    }
}

/// Gives each `§name` the name that it has at a place.
fn named(template: &str, place: usize) -> String {
    let mut parts = template.split('§');
    let mut text = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let end = part.find(|character: char| !character.is_ascii_alphanumeric() && character != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        text += &match name {
            "in" => format!("out_{}", place - 1),
            name => format!("{name}_{place}"),
        };
        text += rest;
    }
    text
}

/// All constructs, with the area that each belongs to.
pub fn constructs() -> Vec<(String, Construct)> {
    let folder = fs::read_dir("tests/compositions").expect("the folder is there");
    let paths = folder.map(|entry| entry.expect("an entry can be read").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("an area can be read");
        let constructs: Vec<Construct> = yaml::read(&text).unwrap_or_else(|faults| panic!("{}: {faults:#?}", path.display()));
        let area = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        constructs.into_iter().map(move |construct| (area.clone(), construct)).collect::<Vec<_>>()
    };
    paths.into_iter().flat_map(read).collect()
}
