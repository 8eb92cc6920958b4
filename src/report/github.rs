//! Annotations of GitHub's workflows: each line is a command, so that nothing in a text can be one.

use std::cmp::Reverse;
use std::io;

use crate::finding::Report;
use crate::finding::hide::Hidden;
use crate::finding::item::{Item, items, summary};
use crate::report::Style;
use crate::value::severity::Severity;
use crate::value::source::shown;
use crate::value::verdict::Verdict;

/// How many annotations of each level GitHub shows of a step.
const SHOWN: usize = 10;

/// Writes a report as commands, the worst first, for of too many GitHub shows the first.
///
/// # Errors
///
/// When the writer fails.
pub fn write(report: Hidden<'_, Report>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let report = report.get();
    let items = items(report, style.verbose);
    let mut counting: Vec<&Item<'_>> = items.iter().filter(|item| item.acceptance.is_none()).collect();
    counting.sort_by_key(|item| Reverse((item.entry.verdict(), item.severity)));
    let verdict = report.verdict();
    if !style.quiet || Verdict::Allow < verdict {
        let told = format!("verdict: {verdict}; {}{}", summary(report, &items), too_many(&counting));
        writeln!(writer, "::notice title=callgate::{}", data(&told))?;
    }
    for loosened in &report.run.loosened {
        writeln!(writer, "::notice title=callgate::{}", data(&format!("loosened by {}", shown(loosened))))?;
    }
    counting.into_iter().try_for_each(|item| writeln!(writer, "{}", command(item)))
}

/// What GitHub does not show, in words.
fn too_many(items: &[&Item<'_>]) -> String {
    let count = |wanted: &str| items.iter().filter(|item| level(item) == wanted).count();
    let over: Vec<String> = ["error", "warning", "notice"]
        .into_iter()
        .filter_map(|level| Some((level, count(level))).filter(|(_, count)| SHOWN < *count))
        .map(|(level, count)| format!("{SHOWN} of {count} {level}s"))
        .collect();
    if over.is_empty() { String::new() } else { format!("; of a step GitHub shows only {}: the log has all", over.join(" and ")) }
}

/// What blocks is an error, whatever its severity is called.
fn level(item: &Item<'_>) -> &'static str {
    match (item.severity, item.entry.verdict()) {
        (Severity::High | Severity::Critical, _) => "error",
        (Severity::Medium, _) => "warning",
        (Severity::Low, _) => "notice",
    }
}

fn command(item: &Item<'_>) -> String {
    let Item { start, end, rule, severity, message, help, .. } = item;
    let mut place = format!("file={},line={}", property(&item.entry.name().as_shown()), start.line);
    // Columns are only taken where both ends are on one line.
    if start.line == end.line {
        place.push_str(&format!(",col={},endColumn={}", start.column, end.column.max(start.column)));
    } else {
        place.push_str(&format!(",endLine={}", end.line));
    }
    let title = property(&format!("{rule} ({severity})"));
    let text = if help.is_empty() { message.clone() } else { format!("{message}\n{help}") };
    format!("::{} {place},title={title}::{}", level(item), data(&text))
}

/// A text behind the second `::` of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_what_it_stands_in() {
        for (text, in_data, in_property) in [
            ("a,b:c", "a,b:c", "a%2Cb%3Ac"),
            ("x\n::set-env name=A::b", "x%0A::set-env name=A::b", "x%0A%3A%3Aset-env name=A%3A%3Ab"),
            ("100%0A\r", "100%250A%0D", "100%250A%0D"),
        ] {
            assert_eq!((data(text).as_str(), property(text).as_str()), (in_data, in_property), "{text:?}");
        }
    }
}
