//! What a report tells, one item for each match and for whatever could not be judged: for formats of which each line is one.

use std::fmt::Write as _;

use crate::accept::acceptance::{Acceptance, Basis};
use crate::finding::placed::{PlacedMatch, UndeterminedPlace};
use crate::finding::statistics::Statistics;
use crate::finding::{Entry, Finding, Report};
use crate::model::Evaluation;
use crate::rule::Origin;
use crate::subject::{Kind, Reason};
use crate::value::severity::Severity;
use crate::value::source::shown;
use crate::value::span::Position;
use crate::value::verdict::Verdict;

/// Where something is told that has no place of its own.
const TOP: Position = Position { line: 1, column: 1 };

/// One thing that a report tells.
#[derive(Debug)]
pub struct Item<'r> {
    /// The entry that it belongs to.
    pub entry: &'r Entry,
    /// The rule that hit; `undetermined/REASON` where something could not be judged, `model/NAME` where a model found the whole bad.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// Where it starts in its source.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// What was found, in one line that is safe to be shown.
    pub message: String,
    /// What to do about it, in a sentence.
    pub help: String,
    /// Why it does not count, if it does not.
    pub acceptance: Option<&'r Acceptance>,
    /// The match, if it is one.
    pub found: Option<&'r PlacedMatch>,
}

/// All items of a report in order of its entries. Of what is allowed only what was accepted is told, unless everything is asked for.
pub fn items(report: &Report, everything: bool) -> Vec<Item<'_>> {
    report.entries.iter().flat_map(|entry| items_of(entry, everything)).collect()
}

/// The items of an entry.
pub fn items_of(entry: &Entry, everything: bool) -> Vec<Item<'_>> {
    let counts = everything || Verdict::Allow < entry.verdict() || entry.is_undetermined();
    let mut items: Vec<Item<'_>> = unjudged(entry).into_iter().collect();
    if let Entry::Finding(finding) = entry {
        items.extend(finding.matches.iter().map(|found| of_match(entry, finding, found, None)));
        items.extend(finding.accepted.matches.iter().map(|(found, why)| of_match(entry, finding, found, Some(why))));
        let is_told = items.iter().any(|item| item.acceptance.is_none()) || 0 < finding.below.count;
        let opinion = (!is_told && Verdict::Allow < entry.verdict()).then(|| of_opinion(entry, finding));
        items.extend(opinion.flatten());
        let accepted = finding.accepted.opinion.as_ref();
        items.extend(accepted.and_then(|(rule, why)| {
            Some(Item { rule: rule.clone(), severity: Severity::Medium, acceptance: Some(&**why), ..of_opinion(entry, finding)? })
        }));
    }
    items.retain(|item| counts || item.acceptance.is_some());
    items
}

/// Counts the rules of an entry.
pub fn count(entry: &Entry, statistics: &mut Statistics) {
    let is_allowed = entry.verdict() == Verdict::Allow && !entry.is_undetermined();
    for item in items_of(entry, true) {
        match item.acceptance {
            Some(_) => statistics.of(&item.rule).accepted += 1,
            None => statistics.of(&item.rule).add(item.severity, is_allowed),
        }
        for rule in item.found.iter().flat_map(|found| &found.also) {
            statistics.of(&rule.id).also += 1;
        }
    }
}

/// How much was found and does not count, in a sentence.
pub fn accepted(report: &Report) -> Option<String> {
    let count: usize = Basis::ALL.iter().map(|basis| report.accepted(*basis)).sum();
    (0 < count).then(|| format!("{count} {} accepted", if count == 1 { "finding is" } else { "findings are" }))
}

/// How much was found and is not shown because it is not bad enough, in a sentence.
pub fn below(report: &Report) -> Option<String> {
    let (count, bar) = report.below()?;
    Some(format!("{count} {} below {bar} and not shown", if count == 1 { "finding is" } else { "findings are" }))
}

/// The numbers of a report in a line: how many items count, and what follows.
pub fn summary(report: &Report, items: &[Item<'_>]) -> String {
    let count = items.iter().filter(|item| item.acceptance.is_none()).count();
    let [allow, warn, block] = Verdict::ALL.map(|verdict| report.count(verdict));
    let mut line = format!("{count} finding{}; {block} block, {warn} warn, {allow} allow", if count == 1 { "" } else { "s" });
    if 0 < report.undetermined() {
        let _ = write!(line, "; {} could not be judged, or not wholly", report.undetermined());
    }
    let further: usize = report.entries.iter().filter_map(Entry::finding).map(|finding| finding.further_matches).sum();
    if 0 < further {
        let _ = write!(line, "; {further} more are not kept");
    }
    for sentence in [below(report), accepted(report)].into_iter().flatten() {
        let _ = write!(line, "; {sentence}");
    }
    line
}

fn of_match<'r>(
    entry: &'r Entry,
    finding: &'r Finding,
    found: &'r PlacedMatch,
    acceptance: Option<&'r std::sync::Arc<Acceptance>>,
) -> Item<'r> {
    let (start, end, own) = place(finding, found.start, found.end);
    let message = match found.rule.origin {
        // The message of a pattern is the same for all its hits.
        Origin::Pattern | Origin::UserPattern if !found.evidence.is_empty() => {
            format!("{own}{} Found: `{}`", shown(&found.message), shown(&found.evidence))
        }
        Origin::Check | Origin::Analyzer | Origin::Pattern | Origin::UserPattern => format!("{own}{}", shown(&found.message)),
    };
    let also: Vec<&str> = found.also.iter().map(|rule| rule.id.as_ref()).collect();
    let also = if also.is_empty() { String::new() } else { format!(" (also {})", shown(&also.join(", "))) };
    Item {
        entry,
        rule: shown(&found.rule.id),
        severity: found.severity,
        start,
        end,
        message: format!("{message}{also}"),
        help: shown(&found.rule.help),
        acceptance: acceptance.map(|acceptance| &**acceptance),
        found: Some(found),
    }
}

/// Where a match stands in the file. What stands in a record may have lines of its own, which are then told in words.
fn place(finding: &Finding, start: Position, end: Position) -> (Position, Position, String) {
    match finding.record.as_deref() {
        Some(placed) if finding.kind != Kind::ToolCall => {
            let top = Position { line: placed.line, column: 1 };
            (top, top, format!("{}, {}:{}: ", in_record(finding), start.line, start.column))
        }
        Some(_) => (start, end, format!("{}: ", in_record(finding))),
        None => (start, end, String::new()),
    }
}

/// What the name of a record says beyond its file and line.
fn in_record(finding: &Finding) -> String {
    let whole = finding.shown_name();
    let file = format!("{}:", finding.name.as_shown());
    whole.strip_prefix(&file).and_then(|rest| rest.split_once(' ')).map_or_else(String::new, |(_, words)| words.to_owned())
}

/// What could not be judged, be it accepted or not.
fn unjudged(entry: &Entry) -> Option<Item<'_>> {
    let (reason, detail, position, acceptance) = match entry {
        Entry::Finding(finding) => {
            let accepted = finding.accepted.undetermined.as_ref();
            let UndeterminedPlace { reason, detail, position } = finding.undetermined.as_ref().or(accepted.map(|(place, _)| place))?;
            // What still could not be judged counts, whatever was accepted beside it.
            let acceptance = accepted.filter(|_| finding.undetermined.is_none()).map(|(_, acceptance)| &**acceptance);
            (*reason, detail, *position, acceptance)
        }
        Entry::Problem(problem) => (problem.reason, &problem.detail, None, problem.accepted.as_deref()),
        Entry::PassedOver(_) => return None,
    };
    let position = position.unwrap_or(TOP);
    let (start, end, own) = entry.finding().map_or((position, position, String::new()), |finding| place(finding, position, position));
    let message = format!("{own}could not be judged, or not wholly: {}: {}", Reason::name(reason), shown(detail));
    let rule = format!("undetermined/{}", reason.name());
    let help = reason.remedy().to_owned();
    Some(Item { entry, rule, severity: Severity::High, start, end, message, help, acceptance, found: None })
}

/// What a model found bad as a whole, where no match says why.
fn of_opinion<'r>(entry: &'r Entry, finding: &'r Finding) -> Option<Item<'r>> {
    let by_score = |left: &&Evaluation, right: &&Evaluation| left.score.value().total_cmp(&right.score.value());
    let worst = finding.evaluations.iter().max_by(by_score)?;
    let (start, end, own) = place(finding, TOP, TOP);
    let level = worst.level.as_deref().map(|level| format!(", {}", shown(level))).unwrap_or_default();
    let message = format!("{own}the model {} scores it {}{level}", shown(&worst.model), worst.score);
    let severity = if entry.verdict() == Verdict::Block { Severity::High } else { Severity::Medium };
    let rule = format!("model/{}", shown(&worst.model));
    let help = "`callgate scan --explain-score` shows what the score is made of.".to_owned();
    Some(Item { entry, rule, severity, start, end, message, help, acceptance: None, found: None })
}
