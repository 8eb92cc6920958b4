//! Comparisons as one page: a heat map, and for each subject what each score is made of. The page asks for nothing from
//! outside, and runs nothing but its own script.

mod fall;
mod map;
mod source;
mod sums;

use std::fmt::{self, Write as _};
use std::io;

use crate::compare::Comparison;
use crate::compare::cell::State;
use crate::finding::hide::Hidden;
use crate::report::Style;
use crate::report::html;
use crate::report::html::text::{Text, policy_source};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("../../html/page.css");
const SCRIPT: &str = include_str!("page.js");

/// How many models are named that are as strict as each other.
const NAMED: usize = 4;

/// Writes a comparison as one page.
///
/// # Errors
///
/// When the writer fails.
pub fn write(comparison: Hidden<'_, Comparison>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let comparison = comparison.get();
    let mut page = String::new();
    // Writing to memory does not fail.
    let _ = fill(comparison, &mut page);
    writer.write_all(page.as_bytes())
}

/// Fills the places of the page in.
fn fill(comparison: &Comparison, page: &mut String) -> fmt::Result {
    html::fill(("compare", PAGE), page, |place, page| match place {
        "policy" => write!(page, "{}", policy()),
        "style" => page.write_str(STYLE),
        "script" => page.write_str(SCRIPT),
        "title" => write!(page, "{}", title(comparison)),
        "lead" => lead(comparison, page),
        "legend" => map::legend(page),
        "map" => map::write(comparison, page),
        "strictness" => sums::strictness(comparison, page),
        "agreement" => sums::agreement(comparison, page),
        "footer" => footer(comparison, page),
        _ => Ok(()),
    })
}

/// Only the page's own style and script count, whatever else might get into it.
fn policy() -> String {
    let (style, script) = (policy_source(STYLE), policy_source(SCRIPT));
    format!("default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'")
}

fn title(comparison: &Comparison) -> String {
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    format!("{} by {}", plural(comparison.subjects(), "subject"), plural(comparison.columns.len(), "model"))
}

fn lead(comparison: &Comparison, page: &mut String) -> fmt::Result {
    match comparison.disagreements() {
        0 => write!(page, "All verdicts agree.")?,
        count => write!(page, "The verdicts differ on <b>{count}</b> of {}.", comparison.subjects())?,
    }
    if let Some((strictest, mildest)) = comparison.extremes() {
        let listed = |names: Vec<&str>| {
            let more = names.len().saturating_sub(NAMED);
            let more = if 0 < more { format!(" and {more} more") } else { String::new() };
            names.iter().take(NAMED).map(|name| format!("<b>{}</b>", Text(name))).collect::<Vec<_>>().join(", ") + &more
        };
        write!(page, " Strictest: {}. Mildest: {}.", listed(strictest), listed(mildest))?;
    }
    if 0 < comparison.hidden {
        write!(page, " {} subjects on which all agree are not shown.", comparison.hidden)?;
    }
    write!(page, " Open a row to see what each score is made of.")
}

fn footer(comparison: &Comparison, page: &mut String) -> fmt::Result {
    for (at, column) in comparison.columns.iter().enumerate().filter(|(_, column)| 0 < column.failed) {
        let why = comparison.rows.iter().find_map(|row| match row.cells.get(at).map(|cell| &cell.state) {
            Some(State::Failed(why)) => Some(why.as_str()),
            Some(State::Judged | State::Undetermined | State::Silent) | None => None,
        });
        let (name, failed) = (Text(&column.name), column.failed);
        writeln!(page, "<p>{name} failed on {failed} of {} subjects: {}</p>", comparison.subjects(), Text(why.unwrap_or_default()))?;
    }
    for (name, why) in &comparison.left_out {
        writeln!(page, "<p>Left out: {}: {}</p>", Text(name), Text(why))?;
    }
    let run = &comparison.run;
    if let Some(configuration) = &run.configuration {
        writeln!(page, "<p>Settings: {}</p>", Text(configuration))?;
    }
    for loosened in &run.loosened {
        writeln!(page, "<p>Loosened by {}</p>", Text(loosened))?;
    }
    let library = Text(&run.library_version);
    writeln!(page, "<p>callgate {}, pattern library {library}. Scripts were read, not run.</p>", env!("CARGO_PKG_VERSION"))
}
