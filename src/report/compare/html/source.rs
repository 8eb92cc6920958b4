//! The lines in which something was found, with what was found marked.

use std::fmt::{self, Write as _};

use crate::finding::Finding;
use crate::finding::excerpt::Excerpt;
use crate::finding::placed::PlacedMatch;
use crate::report::html::text::Text;

/// How many places of a subject are shown with their lines.
const PLACES: usize = 6;

/// Writes the worst matches with their lines, each place once.
pub fn matches(finding: &Finding, page: &mut String) -> fmt::Result {
    let groups = grouped(finding);
    if groups.is_empty() {
        return Ok(());
    }
    write!(page, "<h3>What was found</h3><div class=\"found\">")?;
    for group in groups.iter().take(PLACES) {
        let Some((first, others)) = group.split_first() else { continue };
        let place = format!("{}:{}", first.start.line, first.start.column);
        write!(page, "<div><p>{} <small>{} ({}), {place}", Text(&first.message), Text(&first.rule.id), first.severity)?;
        let mut ids: Vec<&str> = others.iter().map(|found| found.rule.id.as_ref()).filter(|id| *id != first.rule.id).collect();
        ids.dedup();
        if !ids.is_empty() {
            write!(page, "; also {}", Text(&ids.join(", ")))?;
        }
        write!(page, "</small></p>")?;
        if let Some(excerpt) = &first.excerpt {
            lines(excerpt, page)?;
        }
        write!(page, "</div>")?;
    }
    writeln!(page, "</div>")?;
    let more = finding.matches.len() + finding.further_matches - groups.iter().take(PLACES).map(Vec::len).sum::<usize>();
    if 0 < more {
        writeln!(page, "<p class=\"quiet\">… and {more} more; callgate scan --verbose shows all.</p>")?;
    }
    Ok(())
}

/// Matches of the same flow or place, together.
fn grouped(finding: &Finding) -> Vec<Vec<&PlacedMatch>> {
    let is_same = |left: &PlacedMatch, right: &PlacedMatch| match (left.flow(), right.flow()) {
        (Some(left), Some(right)) => left.has_ends_of(&right),
        (Some(_), None) | (None, Some(_)) | (None, None) => left.span == right.span,
    };
    let mut groups: Vec<Vec<&PlacedMatch>> = Vec::new();
    for found in &finding.matches {
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| is_same(first, found))) {
            Some(group) => group.push(found),
            None => groups.push(vec![found]),
        }
    }
    groups
}

/// The lines of an excerpt with their numbers, what was found marked, and what happens there after the line.
fn lines(excerpt: &Excerpt, page: &mut String) -> fmt::Result {
    write!(page, "<pre>")?;
    let mut number = 0;
    let mut start = 0;
    for line in excerpt.text.split_inclusive('\n') {
        if let Some(piece) = excerpt.pieces.iter().find(|piece| piece.start == start) {
            if 0 < start {
                writeln!(page, "<i>⋮</i>")?;
            }
            number = piece.first_line;
        }
        write!(page, "<i>{number}</i>")?;
        marked(line.trim_end_matches('\n'), start, excerpt, page)?;
        writeln!(page)?;
        number += 1;
        start += line.len();
    }
    write!(page, "</pre>")
}

/// A line that starts at `start` in the text of its excerpt.
fn marked(line: &str, start: usize, excerpt: &Excerpt, page: &mut String) -> fmt::Result {
    let mut labels: Vec<(usize, usize, &str)> = excerpt
        .labels
        .iter()
        .filter(|(at, _, _)| start <= *at && *at <= start + line.len())
        .map(|(at, length, note)| (at - start, (at - start + length).min(line.len()), note.as_str()))
        .collect();
    labels.sort_unstable();
    let mut done = 0;
    for (from, to, _) in &labels {
        // Of two places one within the other, the rest of the longer is marked.
        let from = (*from).max(done);
        if from < *to {
            write!(page, "{}", Text(line.get(done..from).unwrap_or_default()))?;
            write!(page, "<mark>{}</mark>", Text(line.get(from..*to).unwrap_or_default()))?;
            done = *to;
        }
    }
    write!(page, "{}", Text(line.get(done..).unwrap_or_default()))?;
    let notes: Vec<&str> = labels.iter().map(|(_, _, note)| *note).filter(|note| *note != "here").collect();
    if notes.is_empty() { Ok(()) } else { write!(page, "  <em>← {}</em>", Text(&notes.join("; "))) }
}
