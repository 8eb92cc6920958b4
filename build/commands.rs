//! What programs do when a command starts them: the command rows of `knowledge/`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::knowledge::row::command::{CommandRow, Tests, listed};
use crate::knowledge::row::term::SeverityOrNone;
use crate::variant::{fault, path as variant, some, variants};

/// The sections of a file of `knowledge/` that speak of commands.
#[derive(Default)]
pub struct Rows {
    pub commands: Vec<CommandRow>,
    pub wrappers: Vec<Wrapper>,
    pub readers: Vec<Reader>,
    pub codes: Vec<Code>,
    /// Lists of wildcards that rows name by `@name`.
    pub lists: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrapper {
    of: Vec<String>,
    #[serde(default)]
    sub: Vec<String>,
    starts: String,
    #[serde(default)]
    takes: Vec<String>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    skip: u8,
    #[serde(default)]
    open: bool,
    hit: Vec<String>,
    miss: Vec<String>,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reader {
    of: Vec<String>,
    #[serde(default)]
    sub: Vec<String>,
    files: String,
    #[serde(default)]
    takes: Vec<String>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
    hit: Vec<String>,
    miss: Vec<String>,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Code {
    of: Vec<String>,
    options: Vec<String>,
    language: String,
    source: String,
}

const STARTS: &[&str] = &["words", "line", "operand", "option", "rest", "behind", "assigned", "input"];
const FILES: &[&str] = &["operands", "behind-first", "before-last", "options", "marked", "found"];

impl Rows {
    /// Takes in what another file holds.
    pub fn extend(&mut self, other: Self) {
        self.commands.extend(other.commands);
        self.wrappers.extend(other.wrappers);
        self.readers.extend(other.readers);
        self.codes.extend(other.codes);
        self.lists.extend(other.lists);
    }

    /// Writes the table.
    pub fn write(&self, out: &Path) -> io::Result<()> {
        let mut programs: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut rows = String::new();
        for (at, command) in self.commands.iter().enumerate() {
            for program in &command.of {
                programs.entry(program.to_lowercase()).or_default().push(at);
            }
            writeln!(rows, "{},", self.command(command)?).map_err(io::Error::other)?;
        }
        let programs: Vec<String> = programs.iter().map(|(program, rows)| format!("({program:?}, &{rows:?})")).collect();
        let all = |rows: io::Result<Vec<String>>| rows.map(|rows| rows.join(",\n"));
        let table = format!(
            "Commands {{\nrows: &[\n{rows}],\nprograms: &[\n{}],\nwrappers: &[\n{}],\nreaders: &[\n{}],\ncodes: &[\n{}],\nlists: &[\n{}],\n}}\n",
            programs.join(",\n"),
            all(self.wrappers.iter().map(wrapper).collect())?,
            all(self.readers.iter().map(reader).collect())?,
            all(self.codes.iter().map(code).collect())?,
            self.lists.iter().map(|(name, list)| format!("({name:?}, &{list:?})")).collect::<Vec<_>>().join(",\n"),
        );
        fs::write(out.join("commands.rs"), table)
    }

    fn command(&self, row: &CommandRow) -> io::Result<String> {
        let CommandRow { of: _, sub, when, and, unless, does, to, extent, severity, says, hit, miss, source } = row;
        let name = row.name();
        if hit.is_empty() || miss.is_empty() || source.is_empty() {
            return Err(fault(format!("`{name}` needs a hit, a miss and a source")));
        }
        let sub: Vec<String> = sub.iter().map(|sub| format!("&{:?}", sub.split_whitespace().collect::<Vec<_>>())).collect();
        let when: Vec<String> = [when, and].into_iter().flatten().map(|tests| self.tests(tests)).collect::<io::Result<_>>()?;
        Ok(format!(
            "CommandRow {{ name: {name:?}, sub: &[{}], when: &[{}], unless: {}, kind: EffectKind::{does:?}, object: {to:?}, \
             extent: Extent::{:?}, severity: {}, is_nothing: {}, says: {says:?}, hit: &{hit:?}, miss: &{miss:?}, source: {source:?} }}",
            sub.join(", "),
            when.join(", "),
            self.tests(unless)?,
            extent.unwrap_or_default(),
            some("Severity", severity.filter(|severity| *severity != SeverityOrNone::None).as_ref()),
            *severity == Some(SeverityOrNone::None),
        ))
    }

    fn tests(&self, tests: &Tests) -> io::Result<String> {
        let mut options = Vec::new();
        for (option, values) in &tests.option {
            options.push(format!("({option:?}, &{:?})", self.listed(values)?));
        }
        let wildcards = |name: &str, values: &[String]| self.listed(values).map(|values| asked(name, &values));
        let all = [
            asked("Flag", &tests.flag),
            wildcards("Word", &tests.word)?,
            wildcards("Operand", &tests.operand)?,
            wildcards("First", &tests.first)?,
            wildcards("Last", &tests.last)?,
            wildcards("Argument", &tests.argument)?,
            (!options.is_empty()).then(|| format!("Test::Option(&[{}])", options.join(", "))),
            of_terms("Reaches", "Reach", &tests.reaches),
            of_terms("Target", "Reach", &tests.target),
            (0 < tests.operands).then(|| format!("Test::Operands({})", tests.operands)),
            tests.most.map(|most| format!("Test::Most({most})")),
            tests.open.then(|| "Test::Open".to_owned()),
            tests.wild.then(|| "Test::Wild".to_owned()),
            wildcards("Writes", &tests.writes)?,
            wildcards("Input", &tests.input)?,
            wildcards("Fed", &tests.fed)?,
            wildcards("Sets", &tests.sets)?,
            of_terms("Starts", "Persistence", &tests.starts),
            of_terms("Start", "Persistence", &tests.start),
            of_terms("Address", "Address", &tests.address),
        ];
        Ok(format!("&[{}]", all.into_iter().flatten().collect::<Vec<_>>().join(", ")))
    }

    /// Wildcards in lower case, with those of the lists that are named by `@name`.
    fn listed(&self, values: &[String]) -> io::Result<Vec<String>> {
        let list = |name: &str| self.lists.get(name).map(|list| list.iter().map(String::as_str).collect());
        listed(values, &list).map_err(|name| fault(format!("there is no list `{name}`")))
    }
}

/// A predicate over texts, if any is named.
fn asked(name: &str, texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| format!("Test::{name}(&{texts:?})"))
}

/// A predicate over terms, if any is named.
fn of_terms(name: &str, kind: &str, terms: &[impl std::fmt::Debug]) -> Option<String> {
    (!terms.is_empty()).then(|| format!("Test::{name}({})", variants(kind, terms)))
}

fn wrapper(row: &Wrapper) -> io::Result<String> {
    let Wrapper { of, sub, starts, takes, options, skip, open, hit, miss, source } = row;
    if hit.is_empty() || miss.is_empty() || source.is_empty() {
        return Err(fault(format!("the wrapper {of:?} needs a hit, a miss and a source")));
    }
    let starts = variant("Starts", starts, STARTS)?;
    Ok(format!(
        "Wrapper {{ programs: &{of:?}, sub: &{sub:?}, starts: {starts}, takes: &{takes:?}, options: &{options:?}, skip: {skip}, \
         is_open: {open}, hit: &{hit:?}, miss: &{miss:?} }}"
    ))
}

fn reader(row: &Reader) -> io::Result<String> {
    let Reader { of, sub, files, takes, options, unless, hit, miss, source } = row;
    if hit.is_empty() || miss.is_empty() || source.is_empty() {
        return Err(fault(format!("the reader {of:?} needs a hit, a miss and a source")));
    }
    let files = variant("Files", files, FILES)?;
    Ok(format!(
        "Reader {{ programs: &{of:?}, sub: &{sub:?}, files: {files}, takes: &{takes:?}, options: &{options:?}, unless: &{unless:?}, \
         hit: &{hit:?}, miss: &{miss:?} }}"
    ))
}

fn code(row: &Code) -> io::Result<String> {
    let Code { of, options, language, source } = row;
    if source.is_empty() {
        return Err(fault(format!("the language of {of:?} needs a source")));
    }
    let language = variant("Language", language, &["code", "sql"])?;
    Ok(format!("Code {{ language: {language}, programs: &{of:?}, options: &{options:?} }}"))
}
