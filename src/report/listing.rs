//! Lists of files with what becomes of each: for people, as one document, or one line a file.

use std::io;

use serde_json::{Map, Value, json};

use crate::finding::listed::{Listed, Listing};
use crate::report::Style;
use crate::subject::passed::{Meaning, Passed, PassedCounts};
use crate::value::source::shown;

/// Version of the schema of the document; grows when a field changes its meaning or goes away.
const SCHEMA_VERSION: u32 = 1;

/// Writes a list for people: a line a file, and the counts last.
///
/// # Errors
///
/// When the writer fails.
pub fn write_table(files: &[Listed], style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let rows: Vec<(String, String)> = files.iter().map(|file| (file.name.as_shown(), words(file))).collect();
    let longest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let width = longest.min(style.width / 2);
    for (name, words) in &rows {
        writeln!(writer, "{name:width$}  {words}")?;
    }
    if style.quiet {
        return Ok(());
    }
    let judged = files.iter().filter(|file| matches!(file.listing, Listing::Judged(_))).count();
    let undetermined = files.iter().filter(|file| matches!(file.listing, Listing::Undetermined(_))).count();
    let unjudged = if undetermined == 0 { String::new() } else { format!(", {undetermined} undetermined") };
    writeln!(writer, "{judged} judged{unjudged}")?;
    counts(files).sentences().iter().try_for_each(|sentence| writeln!(writer, "{sentence}"))
}

/// Writes a list as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write_json(files: &[Listed], _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let passed_over: Map<String, Value> = counts(files).iter().map(|(kind, count)| (kind.name().to_owned(), count.into())).collect();
    let files: Vec<Value> = files.iter().map(value).collect();
    let document = json!({
        "schema_version": SCHEMA_VERSION,
        "tool": { "name": "callgate", "version": env!("CARGO_PKG_VERSION") },
        "passed_over": passed_over,
        "files": files,
    });
    serde_json::to_writer_pretty(&mut *writer, &document)?;
    writeln!(writer)
}

/// Writes a list as one line a file.
///
/// # Errors
///
/// When the writer fails.
pub fn write_lines(files: &[Listed], _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    files.iter().try_for_each(|file| {
        serde_json::to_writer(&mut *writer, &value(file))?;
        writeln!(writer)
    })
}

fn value(file: &Listed) -> Value {
    let mut value = json!({ "path": file.name.as_text(), "status": file.listing.name(), "kind": file.listing.kind() });
    let Some(object) = value.as_object_mut() else { return value };
    if let Listing::Undetermined(undetermined) = &file.listing {
        object.insert("detail".to_owned(), undetermined.detail.as_str().into());
    }
    let fenced: Map<String, Value> = file.fenced.iter().map(|(kind, count)| (kind.name().to_owned(), count.into())).collect();
    if !fenced.is_empty() {
        object.insert("passed_over".to_owned(), Value::Object(fenced));
    }
    value
}

/// What becomes of a file, in words.
fn words(file: &Listed) -> String {
    let words = match &file.listing {
        Listing::Judged(format) => format!("judged as {}", format.replace('-', " ")),
        Listing::PassedOver(kind @ (Passed::Hidden | Passed::Excluded)) => format!("left out: {}", kind.noun()),
        Listing::PassedOver(kind) => match kind.meaning() {
            Meaning::LeftOut => format!("left out {}", kind.noun()),
            Meaning::NoReader => format!("passed over: {} (no reader yet)", kind.noun()),
            Meaning::Nothing => format!("passed over: {}", kind.noun()),
        },
        Listing::Undetermined(undetermined) => format!("undetermined: {}: {}", undetermined.reason, shown(&undetermined.detail)),
    };
    let fenced: Vec<String> = file.fenced.iter().map(|(kind, count)| kind.counted(count)).collect();
    if fenced.is_empty() { words } else { format!("{words}; passed over in it: {} (no reader yet)", fenced.join(", ")) }
}

fn counts(files: &[Listed]) -> PassedCounts {
    let mut counts = PassedCounts::default();
    for file in files {
        counts.add_all(&file.fenced);
        if let Listing::PassedOver(kind) = file.listing {
            counts.add(kind);
        }
    }
    counts
}
