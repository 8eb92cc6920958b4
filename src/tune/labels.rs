//! Labels: which files a person holds to be bad and which to be good, from CSV or JSON Lines.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::value::source::shown;
use crate::yaml::Fault;

/// What a person says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// It may run.
    Good,
    /// It must not run.
    Bad,
}

/// The words for labels, whatever their case.
const WORDS: &[(&str, Label)] = &[
    ("malicious", Label::Bad),
    ("benign", Label::Good),
    ("bad", Label::Bad),
    ("good", Label::Good),
    ("1", Label::Bad),
    ("0", Label::Good),
    ("block", Label::Bad),
    ("allow", Label::Good),
];
/// What a header calls the column with the paths.
const PATH_HEADS: &[&str] = &["path", "file"];
/// What a header calls the column with the labels.
const LABEL_HEADS: &[&str] = &["label"];

impl Label {
    /// The label of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        WORDS.iter().find(|(word, _)| *word == name).map(|(_, label)| *label)
    }

    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
        }
    }
}

/// A label as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The path, as it is written.
    pub path: String,
    /// What is said of it.
    pub label: Label,
    /// The line on which it begins, from 1.
    pub line: u32,
}

/// Reads labels: JSON Lines, if the first thing is a brace, or else CSV.
///
/// # Errors
///
/// All faults of the text; at least one. A text without labels is one.
pub fn read(text: &str) -> Result<Vec<Labelled>, Vec<Fault>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read = if text.trim_start().starts_with('{') { read_lines(text) } else { read_csv(text) };
    let (mut labels, mut faults) = (Vec::new(), Vec::new());
    for row in read {
        match row {
            Ok(label) => labels.push(label),
            Err(fault) => faults.push(fault),
        }
    }
    if labels.is_empty() && faults.is_empty() {
        faults.push(fault(1, "there is no label; write a line `path,label` for each file".to_owned()));
    }
    if faults.is_empty() { Ok(labels) } else { Err(faults) }
}

fn fault(line: u32, message: String) -> Fault {
    Fault { line, column: 1, message }
}

fn known_words() -> String {
    let of = |wanted| WORDS.iter().filter(move |(_, label)| *label == wanted).map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
    format!("bad files are {}; good ones {}", of(Label::Bad), of(Label::Good))
}

fn labelled(path: &str, label: &str, line: u32) -> Result<Labelled, Fault> {
    let path = path.trim();
    if path.is_empty() {
        return Err(fault(line, "a label without a path".to_owned()));
    }
    let unknown = || fault(line, format!("there is no label `{}`: {}", shown(label.trim()), known_words()));
    Ok(Labelled { path: path.to_owned(), label: Label::from_name(label).ok_or_else(unknown)?, line })
}

fn read_lines(text: &str) -> Vec<Result<Labelled, Fault>> {
    let lines = (1_u32..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| read_object(line, number)).collect()
}

fn read_object(line: &str, number: u32) -> Result<Labelled, Fault> {
    let value: Value = serde_json::from_str(line).map_err(|error| fault(number, format!("it is not JSON: {error}")))?;
    let Some(path) = value.get("path").and_then(Value::as_str) else {
        return Err(fault(number, "`path` must be a text: {\"path\": \"a.js\", \"label\": \"bad\"}".to_owned()));
    };
    match value.get("label") {
        Some(Value::String(label)) => labelled(path, label, number),
        Some(label @ Value::Number(_)) => labelled(path, &label.to_string(), number),
        Some(_) | None => Err(fault(number, format!("`label` must be a text, 1 or 0: {}", known_words()))),
    }
}

fn read_csv(text: &str) -> Vec<Result<Labelled, Fault>> {
    let mut columns = None;
    let mut labels = Vec::new();
    for row in csv_rows(text) {
        let (line, cells) = match row {
            Ok(row) => row,
            Err(fault) => {
                labels.push(Err(fault));
                continue;
            }
        };
        let Some((path, label)) = columns else {
            columns = Some(heads(&cells).unwrap_or((0, 1)));
            if heads(&cells).is_none() {
                labels.push(read_cells(&cells, (0, 1), line));
            }
            continue;
        };
        labels.push(read_cells(&cells, (path, label), line));
    }
    labels
}

/// The columns that a header names.
fn heads(cells: &[String]) -> Option<(usize, usize)> {
    let find = |heads: &[&str]| cells.iter().position(|cell| heads.contains(&cell.trim().to_lowercase().as_str()));
    Some((find(PATH_HEADS)?, find(LABEL_HEADS)?))
}

fn read_cells(cells: &[String], (path, label): (usize, usize), line: u32) -> Result<Labelled, Fault> {
    match (cells.get(path), cells.get(label)) {
        (Some(path), Some(label)) => labelled(path, label, line),
        (None, _) | (_, None) => Err(fault(line, "it is not `path,label`; a path with a comma stands in double quotes".to_owned())),
    }
}

/// The rows of a CSV text (RFC 4180), each with its first line. Empty lines are left out.
fn csv_rows(text: &str) -> Vec<Result<(u32, Vec<String>), Fault>> {
    let mut rows = Vec::new();
    let (mut cells, mut cell, mut line, mut first) = (Vec::new(), String::new(), 1, 1);
    let (mut is_quoted, mut was_quoted) = (false, false);
    let mut rest = text.chars().chain(std::iter::once('\n')).peekable();
    let last = text.chars().count();
    let mut at = 0;
    while let Some(character) = rest.next() {
        let is_end = at == last;
        at += 1;
        match character {
            '"' if is_quoted && rest.peek() == Some(&'"') => {
                cell.push('"');
                rest.next();
                at += 1;
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.trim().is_empty() && !was_quoted => {
                cell.clear();
                (is_quoted, was_quoted) = (true, true);
            }
            '\n' if is_quoted && is_end => rows.push(Err(fault(first, "the quote that opens here is not closed".to_owned()))),
            _ if is_quoted => {
                line += u32::from(character == '\n');
                cell.push(character);
            }
            ',' => {
                cells.push(std::mem::take(&mut cell));
                was_quoted = false;
            }
            '\n' => {
                cells.push(std::mem::take(&mut cell));
                let row: Vec<String> = std::mem::take(&mut cells);
                if was_quoted || row.iter().any(|cell| !cell.trim().is_empty()) {
                    rows.push(Ok((first, row)));
                }
                was_quoted = false;
                line += 1;
                first = line;
            }
            character => cell.push(character),
        }
    }
    rows
}

/// Finds the file that each label is about among those that were looked at. A path counts from the working folder `here`, or if
/// nothing is there, from the folder of the labels.
///
/// # Errors
///
/// All labels that are about no file, or that say something else of a file than one above; at least one.
pub fn resolve<'p>(
    labels: &[Labelled],
    looked_at: impl Iterator<Item = &'p Path>,
    here: &Path,
    folder: &Path,
) -> Result<BTreeMap<PathBuf, Label>, Vec<Fault>> {
    let files: BTreeMap<PathBuf, &Path> = looked_at.map(|path| (plain(&here.join(path)), path)).collect();
    let mut resolved: BTreeMap<PathBuf, &Labelled> = BTreeMap::new();
    let mut faults = Vec::new();
    for labelled in labels {
        let places = [here.to_path_buf(), here.join(folder)].map(|base| plain(&base.join(&labelled.path)));
        let path = shown(&labelled.path);
        let Some(file) = places.iter().find_map(|place| files.get(place)) else {
            faults.push(fault(labelled.line, format!("no file that was judged is `{path}`")));
            continue;
        };
        let first = resolved.entry(file.to_path_buf()).or_insert(labelled);
        if first.label != labelled.label {
            let (label, other) = (labelled.label.name(), first.label.name());
            faults.push(fault(labelled.line, format!("`{path}` is {label} here and {other} on line {}", first.line)));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(resolved.into_iter().map(|(path, labelled)| (path, labelled.label)).collect())
}

/// A path without `.` and with `..` taken back as far as it is written. Nothing is looked up.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::ParentDir | Component::Normal(_) => plain.push(component),
        }
    }
    plain
}
