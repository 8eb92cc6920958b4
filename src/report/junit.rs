//! JUnit's XML, as Jenkins and others read it: a test case a finding, skipped where it was accepted.

use std::io;

use crate::finding::hide::Hidden;
use crate::finding::item::{Item, below, items_of};
use crate::finding::{Entry, Report};
use crate::report::Style;

/// Writes a report as one suite.
///
/// # Errors
///
/// When the writer fails.
pub fn write(report: Hidden<'_, Report>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let report = report.get();
    let cases: Vec<Case<'_>> = report.entries.iter().filter(|entry| style.shows(entry)).flat_map(|entry| cases(entry, style)).collect();
    let count = |outcome: Outcome| cases.iter().filter(|case| case.outcome == outcome).count();
    let [failures, errors, skipped] = [Outcome::Failed, Outcome::Error, Outcome::Skipped].map(count);
    let totals = format!("name=\"callgate\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", cases.len());
    writeln!(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(writer, "<testsuites {totals}>")?;
    writeln!(writer, "  <testsuite {totals} skipped=\"{skipped}\" time=\"0\">")?;
    properties(report, writer)?;
    cases.iter().try_for_each(|case| case.write(writer))?;
    writeln!(writer, "  </testsuite>\n</testsuites>")
}

/// What holds for the whole run.
fn properties(report: &Report, writer: &mut dyn io::Write) -> io::Result<()> {
    writeln!(writer, "    <properties>")?;
    let mut property = |name: &str, value: &str| writeln!(writer, "      <property name=\"{name}\" value=\"{}\"/>", attribute(value));
    property("verdict", report.verdict().name())?;
    if let Some(sentence) = below(report) {
        property("hidden", &sentence)?;
    }
    report.run.loosened.iter().try_for_each(|loosened| property("loosened", loosened))?;
    writeln!(writer, "    </properties>")
}

/// What became of a test case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    /// It could not be judged.
    Error,
    /// It was accepted.
    Skipped,
}

struct Case<'r> {
    entry: &'r Entry,
    outcome: Outcome,
    item: Option<Item<'r>>,
}

/// A case for each finding of an entry; one that passed where there is none.
fn cases(entry: &Entry, style: Style) -> Vec<Case<'_>> {
    let items = items_of(entry, style.verbose).into_iter();
    let cases: Vec<Case<'_>> = items.map(|item| Case { entry, outcome: outcome(&item), item: Some(item) }).collect();
    if cases.is_empty() { vec![Case { entry, outcome: Outcome::Passed, item: None }] } else { cases }
}

fn outcome(item: &Item<'_>) -> Outcome {
    match item.found {
        _ if item.acceptance.is_some() => Outcome::Skipped,
        None if item.entry.is_undetermined() => Outcome::Error,
        Some(_) | None => Outcome::Failed,
    }
}

impl Case<'_> {
    fn write(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let class = attribute(&self.entry.name().as_shown());
        let Some(item) = &self.item else {
            let name = attribute(&self.entry.shown_name());
            return writeln!(writer, "    <testcase name=\"{name}\" classname=\"{class}\" time=\"0\"/>");
        };
        let Item { rule, start, severity, message, help, .. } = item;
        let name = attribute(&format!("{rule} at {}:{}", start.line, start.column));
        writeln!(writer, "    <testcase name=\"{name}\" classname=\"{class}\" time=\"0\">")?;
        let told = attribute(message);
        match (self.outcome, item.acceptance) {
            (Outcome::Skipped, Some(acceptance)) => {
                let why = attribute(&format!("accepted: {} ({})", acceptance.reason, acceptance.place));
                writeln!(writer, "      <skipped message=\"{why}\"/>")?;
            }
            (outcome, _) => {
                let element = if outcome == Outcome::Error { "error" } else { "failure" };
                let place = format!("{}:{}:{}", item.entry.name().as_shown(), start.line, start.column);
                let text = text(&format!("{place}\n{message}\n{help}"));
                writeln!(writer, "      <{element} type=\"{severity}\" message=\"{told}\">{text}</{element}>")?;
            }
        }
        writeln!(writer, "    </testcase>")
    }
}

/// A text between two tags; what XML cannot hold at all is left out.
fn text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\n' => safe.push('\n'),
            '\u{fffe}' | '\u{ffff}' => {}
            character if character.is_control() => {}
            character => safe.push(character),
        }
    }
    safe
}

/// A text as the value of an attribute, in one line.
fn attribute(value: &str) -> String {
    text(&crate::value::source::shown(value)).replace('"', "&quot;").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_what_it_stands_in() {
        for (value, in_text, in_attribute) in [
            ("a<b & \"c\"", "a&lt;b &amp; \"c\"", "a&lt;b &amp; &quot;c&quot;"),
            ("]]></failure>", "]]&gt;&lt;/failure&gt;", "]]&gt;&lt;/failure&gt;"),
            ("x\u{0}\u{ffff}y\nz", "xy\nz", "x\\u{0}y\\nz"),
        ] {
            assert_eq!((text(value).as_str(), attribute(value).as_str()), (in_text, in_attribute), "{value:?}");
        }
    }
}
