//! Acceptances in comments: `callgate: ignore[rule-id] reason` beside the finding or on the line above, and
//! `callgate: ignore-file[rule-id] reason` for the whole file.
//!
//! What counts as a comment says the reader of the format: in scripts what the parser takes for one, in texts `<!-- … -->`. A
//! directive in a string is none, even where that is run as a script of its own.

use std::sync::Arc;

use crate::accept::acceptance::{Acceptance, Basis, Remark, RemarkKind};
use crate::accept::vouched::collapsed;
use crate::subject::segment::Role;
use crate::subject::{Kind, Subject};
use crate::value::source::SourceName;
use crate::value::span::{LineIndex, Span};

/// What a directive begins with.
pub const MARK: &str = "callgate:";
/// The longest reason that is kept, in characters.
const REASON: usize = 300;
/// How many directives of one subject are heeded.
const MOST: usize = 10_000;

/// The directives in the comments of a subject.
#[derive(Debug, Default)]
pub struct Comments {
    directives: Vec<Directive>,
    faults: Vec<Remark>,
}

/// One directive.
#[derive(Debug)]
pub struct Directive {
    rules: Vec<String>,
    /// The lines on which findings are accepted; none, if it is the whole file.
    lines: Option<(u32, u32)>,
    /// The lines on which it is written and of which it speaks.
    stands: (u32, u32),
    acceptance: Arc<Acceptance>,
    used: Vec<bool>,
}

impl Directive {
    /// Why what it accepts does not count.
    pub fn acceptance(&self) -> Arc<Acceptance> {
        Arc::clone(&self.acceptance)
    }

    fn holds(&self, line: u32) -> bool {
        self.lines.is_none_or(|(first, last)| (first..=last).contains(&line))
    }
}

impl Comments {
    /// The directive that accepts a hit of the rule on the line, if there is one.
    pub fn accept(&mut self, rule: &str, line: u32) -> Option<&Directive> {
        self.directives.iter_mut().find_map(|directive| {
            let at = directive.rules.iter().position(|own| own == rule).filter(|_| directive.holds(line))?;
            if let Some(used) = directive.used.get_mut(at) {
                *used = true;
            }
            Some(&*directive)
        })
    }

    /// Lets only those directives count that stand in a file as it is in a trusted revision, with all that they speak of.
    pub fn keep_vouched(&mut self, revision: &str, old: &str, text: &str) {
        let old: Vec<String> = old.lines().map(collapsed).collect();
        let now: Vec<String> = text.lines().map(collapsed).collect();
        let (kept, others): (Vec<Directive>, Vec<Directive>) = std::mem::take(&mut self.directives).into_iter().partition(|directive| {
            let (first, last) = directive.stands;
            let own = now.get(first.saturating_sub(1) as usize..(last as usize).min(now.len())).unwrap_or_default();
            !own.is_empty() && old.windows(own.len()).any(|lines| lines == own)
        });
        self.directives = kept;
        self.faults.extend(others.into_iter().map(|directive| Remark {
            place: directive.acceptance.place.clone(),
            kind: RemarkKind::Faulty,
            detail: format!("it does not stand so in {revision}, so it accepts nothing"),
        }));
    }

    /// Notes that a directive does not accept a hit, although it speaks of it.
    pub fn refuse(&mut self, rule: &str, place: String, revision: &str) {
        let detail = format!("what `{rule}` finds there is not what it was in {revision}, so it is not accepted");
        self.faults.push(Remark { place, kind: RemarkKind::Faulty, detail });
    }

    /// Returns true if and only if none accepts anything.
    pub fn is_empty(&self) -> bool {
        self.directives.is_empty()
    }

    /// What is the matter with the directives, once all hits were asked about.
    pub fn remarks(self) -> Vec<Remark> {
        let Self { directives, faults } = self;
        let unused = directives.iter().flat_map(|directive| {
            let unused = directive.rules.iter().zip(&directive.used).filter(|(_, used)| !**used);
            unused.map(|(rule, _)| Remark {
                place: directive.acceptance.place.clone(),
                kind: RemarkKind::Unused,
                detail: format!("`{rule}` finds nothing there"),
            })
        });
        unused.chain(faults).collect()
    }
}

/// The directives in the comments of a subject; `text` is that in which its places are.
pub fn comments(name: &SourceName, subject: &Subject, text: &str, known: &[String]) -> Comments {
    let mut comments = Comments::default();
    if !text.contains(MARK) {
        return comments;
    }
    let lines = &LineIndex::new(text);
    let spans = spans(subject, text);
    for span in spans.iter().filter(|span| span.slice(text).contains(MARK)).take(MOST) {
        let line = lines.line_at(span.start);
        let place = format!("{}:{}", name.as_text(), line);
        match directive(span.slice(text)) {
            None => {}
            Some(Err(detail)) => comments.faults.push(Remark { place, kind: RemarkKind::Faulty, detail }),
            Some(Ok(Written { rules, is_file, reason })) => {
                let acceptance = Acceptance { basis: Basis::Inline, reason, owner: None, expires: None, place };
                let (rules, unknown): (Vec<String>, Vec<String>) = rules.into_iter().partition(|rule| is_rule(rule, known));
                let fault = |rule: String| Remark {
                    place: acceptance.place.clone(),
                    kind: RemarkKind::Faulty,
                    detail: format!("there is no rule `{rule}`"),
                };
                comments.faults.extend(unknown.into_iter().map(fault));
                let reach = (!is_file).then(|| reach(*span, &spans, text, lines));
                let used = vec![false; rules.len()];
                let own = (line, lines.line_at(span.end.saturating_sub(1)));
                let stands = reach.map_or(own, |(first, last)| (own.0.min(first), own.1.max(last)));
                comments.directives.push(Directive { rules, lines: reach, stands, acceptance: Arc::new(acceptance), used });
            }
        }
    }
    comments
}

/// Whether there is such a rule; where none is known there may be any.
fn is_rule(rule: &String, known: &[String]) -> bool {
    known.is_empty() || known.binary_search(rule).is_ok()
}

/// Where comments stand.
fn spans(subject: &Subject, text: &str) -> Vec<Span> {
    if subject.kind == Kind::Script {
        // What a script runs as a script stands decoded, at the place where it is run.
        let own = subject.segments.iter().filter(|segment| segment.role == Role::Comment && segment.decoded.is_none());
        return own.map(|segment| segment.span).collect();
    }
    let mut spans = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find("<!--")).map(|at| from + at) {
        let end = text.get(start..).and_then(|rest| rest.find("-->")).map_or(text.len(), |at| start + at + "-->".len());
        spans.push(Span::from_offsets(start, end));
        from = end;
    }
    spans
}

/// The lines that a comment speaks of: its own, and where nothing else stands there the next that holds more than comments.
fn reach(comment: Span, comments: &[Span], text: &str, lines: &LineIndex) -> (u32, u32) {
    let (first, last) = (lines.line_at(comment.start), lines.line_at(comment.end.saturating_sub(1)));
    let is_bare = |line: u32| is_bare(lines.line(text, line), comments, text);
    if !(first..=last).all(is_bare) {
        return (first, last);
    }
    let next = (last + 1..=lines.lines()).find(|line| !is_bare(*line)).unwrap_or(last);
    (next, next)
}

/// Whether a line holds nothing but comments and the brackets around them in JSX.
fn is_bare(line: Span, comments: &[Span], text: &str) -> bool {
    let first = comments.partition_point(|comment| comment.end <= line.start);
    let mut at = line.start;
    let mut rest = String::new();
    for comment in comments.iter().skip(first).take_while(|comment| comment.start < line.end) {
        rest.push_str(Span::new(at, comment.start.max(at)).slice(text));
        at = comment.end.min(line.end).max(at);
    }
    rest.push_str(Span::new(at, line.end.max(at)).slice(text));
    rest.chars().all(|character| character.is_whitespace() || matches!(character, '{' | '}'))
}

/// A directive as it is written.
#[derive(Debug, PartialEq, Eq)]
struct Written {
    rules: Vec<String>,
    is_file: bool,
    reason: String,
}

/// The directive in a comment, if it holds one, or what is wrong with it.
fn directive(comment: &str) -> Option<Result<Written, String>> {
    let behind = comment.split_once(MARK)?.1.trim_start();
    let (is_file, behind) = match behind.strip_prefix("ignore-file") {
        Some(behind) => (true, behind),
        None => (false, behind.strip_prefix("ignore")?),
    };
    let word = if is_file { "ignore-file" } else { "ignore" };
    Some(written(behind, is_file).map_err(|why| format!("`{MARK} {word}[rule-id] reason`: {why}")))
}

fn written(behind: &str, is_file: bool) -> Result<Written, &'static str> {
    let listed = behind.strip_prefix('[').and_then(|behind| behind.split_once(']'));
    let Some((listed, behind)) = listed else { return Err("the rule is not named in brackets, so it accepts nothing") };
    let rules: Vec<String> = listed.split(',').map(|rule| rule.trim().to_owned()).filter(|rule| !rule.is_empty()).collect();
    if rules.is_empty() {
        return Err("no rule is named in the brackets, so it accepts nothing");
    }
    let reason = behind.lines().next().unwrap_or_default().trim();
    let reason = reason.trim_end_matches("*/").trim_end_matches("-->").trim().trim_start_matches([':', '-', '–', '—']).trim();
    if !reason.chars().any(char::is_alphanumeric) {
        return Err("no reason is given, so it accepts nothing");
    }
    Ok(Written { rules, is_file, reason: reason.chars().take(REASON).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directive_names_rules_and_a_reason() {
        let read = |text: &str| directive(text);
        let good = |rules: &[&str], is_file, reason: &str| {
            let rules = rules.iter().map(|rule| (*rule).to_owned()).collect();
            Some(Ok(Written { rules, is_file, reason: reason.to_owned() }))
        };
        assert_eq!(read("// callgate: ignore[loop-fan-out] a fixed list of five"), good(&["loop-fan-out"], false, "a fixed list of five"));
        assert_eq!(read("/* callgate:ignore[a, b]: reviewed */"), good(&["a", "b"], false, "reviewed"));
        assert_eq!(read("<!-- callgate: ignore-file[a] an example -->"), good(&["a"], true, "an example"));
        assert_eq!(read("/* first\n * callgate: ignore[a] why\n * more */"), good(&["a"], false, "why"));
        for none in ["// callgate is a scanner", "// callgate: block", "// ignore[a] b"] {
            assert_eq!(read(none), None, "{none}");
        }
        for faulty in [
            "// callgate: ignore",
            "// callgate: ignore[]",
            "// callgate: ignore[a]",
            "/* callgate: ignore[a] -- */",
            "// callgate: ignore[a",
        ] {
            assert!(matches!(read(faulty), Some(Err(_))), "{faulty}");
        }
    }
}
