//! Markdown, for a comment on a pull request: what follows, a table of all findings, and each with its lines, folded.

use std::fmt::Write as _;
use std::io;

use crate::finding::Report;
use crate::finding::excerpt::{Excerpt, Piece};
use crate::finding::hide::Hidden;
use crate::finding::item::{Item, items, summary};
use crate::report::Style;
use crate::value::severity::Severity;
use crate::value::source::shown;
use crate::value::verdict::Verdict;

/// The longest comment that GitHub takes has 65,536 characters; what else stands in a comment has room beside this many bytes.
const LONGEST: usize = 60_000;
/// How many findings have a row.
const ROWS: usize = 100;
/// How many findings have their lines.
const DETAILS: usize = 25;
/// The longest text in a row, in characters.
const CELL: usize = 300;

/// Writes a report as one comment.
///
/// # Errors
///
/// When the writer fails.
pub fn write(report: Hidden<'_, Report>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let report = report.get();
    let items = items(report, style.verbose);
    let mut counting: Vec<&Item<'_>> = items.iter().filter(|item| item.acceptance.is_none()).collect();
    counting.sort_by_key(|item| std::cmp::Reverse((item.entry.verdict(), item.severity)));
    let mut page = format!("## callgate: {}\n\n{}.\n", report.verdict(), summary(report, &items));
    for sentence in report.run.passed_over.sentences() {
        let _ = write!(page, "\n{sentence}.\n");
    }
    if !report.run.loosened.is_empty() {
        page.push_str("\n**Loosened by:**\n\n");
        report.run.loosened.iter().for_each(|loosened| page.push_str(&format!("* {}\n", code(loosened))));
    }
    if let Some(statistics) = &report.statistics {
        page.push_str("\n| rule | critical | high | medium | low | accepted |\n|---|--:|--:|--:|--:|--:|\n");
        for (rule, tally) in statistics.rows().iter().take(ROWS) {
            let [low, medium, high, critical] = Severity::ALL.map(|severity| tally.of(severity));
            let _ = writeln!(page, "| {} | {critical} | {high} | {medium} | {low} | {} |", code(rule), tally.accepted);
        }
    }
    if !counting.is_empty() {
        table(&counting, &mut page);
        details(&counting, &mut page);
    }
    accepted(&items, &mut page);
    writer.write_all(page.as_bytes())
}

fn table(items: &[&Item<'_>], page: &mut String) {
    page.push_str("\n| verdict | severity | rule | place | finding |\n|---|---|---|---|---|\n");
    let mut rows = 0;
    for item in items.iter().take(ROWS) {
        let Item { entry, severity, rule, start, message, .. } = item;
        let place = format!("{}:{}", entry.name().as_shown(), start.line);
        let row = format!("| {} | {severity} | {} | {} | {} |\n", entry.verdict(), code(rule), code(&place), code(message));
        if LONGEST / 2 < page.len() + row.len() {
            break;
        }
        page.push_str(&row);
        rows += 1;
    }
    if rows < items.len() {
        let _ = write!(page, "\n… and {} more findings.\n", items.len() - rows);
    }
}

/// The lines of the worst findings, as many as there is room for.
fn details(items: &[&Item<'_>], page: &mut String) {
    for item in items.iter().filter(|item| Verdict::Allow < item.entry.verdict()).take(DETAILS) {
        let Some(excerpt) = item.found.and_then(|found| found.excerpt.as_ref()) else { continue };
        let place = format!("{}:{}:{}", item.entry.name().as_shown(), item.start.line, item.start.column);
        let block = format!(
            "\n<details><summary>{} at {}</summary>\n\n{}\n\n{}\n\n{}\n</details>\n",
            code(&item.rule),
            code(&place),
            code(&item.message),
            fenced(excerpt),
            code(&item.help)
        );
        if LONGEST < page.len() + block.len() {
            return;
        }
        page.push_str(&block);
    }
}

/// What was accepted, folded, each with the reason.
fn accepted(items: &[Item<'_>], page: &mut String) {
    let accepted: Vec<(&Item<'_>, _)> = items.iter().filter_map(|item| Some((item, item.acceptance?))).collect();
    if accepted.is_empty() {
        return;
    }
    let _ = write!(page, "\n<details><summary>{} accepted</summary>\n\n", accepted.len());
    for (item, acceptance) in accepted.iter().take(ROWS) {
        let place = format!("{}:{}", item.entry.name().as_shown(), item.start.line);
        let line = format!("* {} at {}: {} ({})\n", code(&item.rule), code(&place), code(&acceptance.reason), code(&acceptance.place));
        if LONGEST < page.len() + line.len() {
            break;
        }
        page.push_str(&line);
    }
    page.push_str("\n</details>\n");
}

/// A text as code of which no character means anything, be it in a row, a list or a heading: nobody is mentioned, nothing is
/// linked to, and no markup begins or ends.
fn code(text: &str) -> String {
    let text = shown(text);
    let mut safe = String::from("<code>");
    for (count, character) in text.chars().enumerate() {
        if count == CELL {
            safe.push('…');
            break;
        }
        match character {
            ' ' | '-' => safe.push(character),
            // An address would be made a link even inside of code, if it were one text.
            '@' => safe.push_str("&#64;<!-- -->"),
            character if character.is_ascii_alphanumeric() || !character.is_ascii() => safe.push(character),
            character => {
                let _ = write!(safe, "&#{};", u32::from(character));
            }
        }
    }
    safe.push_str("</code>");
    safe
}

/// The lines of an excerpt between fences that none of them can close.
fn fenced(excerpt: &Excerpt) -> String {
    let lines = numbered(excerpt);
    let (mut longest, mut run) = (0, 0);
    for character in lines.chars() {
        run = if character == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{lines}{fence}")
}

/// The lines of an excerpt, each with its number; pieces stand apart.
fn numbered(excerpt: &Excerpt) -> String {
    let mut text = String::new();
    for (nth, Piece { start, first_line }) in excerpt.pieces.iter().enumerate() {
        let end = excerpt.pieces.get(nth + 1).map_or(excerpt.text.len(), |next| next.start);
        if 0 < nth {
            text.push_str("     ⋮\n");
        }
        for (line, number) in excerpt.text.get(*start..end).unwrap_or_default().lines().zip(*first_line..) {
            let _ = writeln!(text, "{number:>5} | {line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup_wherever_it_stands() {
        for (text, expected) in [
            ("eval-x 1", "<code>eval-x 1</code>"),
            ("a|b`c", "<code>a&#124;b&#96;c</code>"),
            ("</code><img>", "<code>&#60;&#47;code&#62;&#60;img&#62;</code>"),
            ("@team #12", "<code>&#64;<!-- -->team &#35;12</code>"),
            ("[x](http://y)", "<code>&#91;x&#93;&#40;http&#58;&#47;&#47;y&#41;</code>"),
            ("\n## x", "<code>&#92;n&#35;&#35; x</code>"),
        ] {
            assert_eq!(code(text), expected);
        }
        let long = code(&"x".repeat(1_000));
        assert!(long.ends_with("x…</code>"), "{long}");
    }

    #[test]
    fn no_line_closes_its_fence() {
        let text = "```\n````js\n".to_owned();
        let excerpt = Excerpt { pieces: vec![Piece { start: 0, first_line: 7 }], text, labels: Vec::new(), hidden_steps: 0 };
        assert_eq!(fenced(&excerpt), "`````text\n    7 | ```\n    8 | ````js\n`````");
    }
}
