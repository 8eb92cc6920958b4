//! Explanations for people: each score as a bill, and what would lower the verdict.

use std::fmt;

use crate::explain::Explanation;
use crate::explain::bill::{Bill, Item, Threshold};
use crate::explain::counterfactual::{Change, Counterfactual, Scope};
use crate::finding::Finding;
use crate::policy::DecisionReason;
use crate::report::Style;
use crate::report::table::paint::paint;
use crate::value::score::Score;
use crate::value::source::shown;
use crate::value::span::Position;

/// How many items of a bill and changes are shown, unless all are asked for.
const SHOWN: usize = 12;
/// How wide the drawing of a score from 0 to 100 is, in columns.
const WIDTH: usize = 25;
/// How wide the drawing is with its scale.
const SCALE: &str = "0     25    50    75    100";

/// Writes what a finding's scores are made of and what would lower its verdict.
pub fn write(finding: &Finding, explanation: &Explanation, style: Style, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for bill in &explanation.bills {
        write_bill(bill, &[], style, f)?;
    }
    if 1 < explanation.bills.len() {
        writeln!(f, "\n  of all models the strictest decides: {}", finding.decision.verdict)?;
    }
    counterfactual(&explanation.counterfactual, finding, style, f)
}

/// Writes a bill, and then the bills of its parts; `whole` names the models that it is a part of, the outermost first.
fn write_bill(bill: &Bill, whole: &[&str], style: Style, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let path: Vec<&str> = whole.iter().copied().chain([bill.model.as_ref()]).collect();
    writeln!(f, "\n  score by {}: {} of 100", path.join(" › "), Score::clamped(bill.score))?;
    let wide = style.width.saturating_sub(4).max(40);
    for line in wrapped(&bill.rule, wide) {
        writeln!(f, "    {line}")?;
    }
    let columns = Columns::of(bill);
    if !bill.items.is_empty() {
        writeln!(f)?;
        columns.row(["", "place", "points", "total"], SCALE, "", f)?;
    }
    let count = if style.verbose || bill.items.len() <= SHOWN + 1 { bill.items.len() } else { SHOWN };
    let (listed, rest) = bill.items.split_at(count.min(bill.items.len()));
    for item in listed {
        let place = item.place.map(placed).unwrap_or_default();
        let (before, after) = (item.total - item.points, item.total);
        columns.line(&Line { id: &item.id, place: &place, before, after, words: &item.reckoning }, f)?;
    }
    if let Some(last) = rest.last() {
        let before = listed.last().map_or(0.0, |item| item.total);
        let id = format!("… and {} more", rest.len());
        columns.line(&Line { id: &id, place: "", before, after: last.total, words: "--verbose shows all" }, f)?;
    }
    if let Some(adjustment) = bill.adjustment {
        columns.row([adjustment.why, "", &signed(adjustment.points), &plain(bill.score)], "", "", f)?;
    }
    if !bill.items.is_empty() {
        writeln!(f, "    {}", "─".repeat(columns.id + 27))?;
        columns.row(["score", "", "", &plain(bill.score)], &bar(0.0, bill.score, &bill.thresholds), "", f)?;
    }
    for threshold in &bill.thresholds {
        writeln!(f, "    {}", held_against(threshold, bill.score))?;
    }
    let verdict = paint(bill.decision.verdict.name(), bill.decision.verdict, style.colour);
    writeln!(f, "    → {verdict}: {}", why(bill))?;
    bill.parts.iter().try_for_each(|part| write_bill(part, &path, style, f))
}

/// The columns of a bill.
struct Columns<'b> {
    bill: &'b Bill,
    /// How wide the first is.
    id: usize,
}

/// What adds to a score, in a line.
struct Line<'l> {
    id: &'l str,
    place: &'l str,
    before: f64,
    after: f64,
    words: &'l str,
}

impl<'b> Columns<'b> {
    fn of(bill: &'b Bill) -> Self {
        let width = |item: &Item| item.id.chars().count();
        Self { bill, id: bill.items.iter().map(width).max().unwrap_or(0).clamp(14, 40) }
    }

    fn row(&self, [id, place, points, total]: [&str; 4], drawing: &str, words: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "    {id:<width$} {place:>9} {points:>7} {total:>7}  {drawing:<27} {words}", width = self.id)
    }

    fn line(&self, line: &Line<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Line { id, place, before, after, words } = line;
        let drawing = bar(before, after, &self.bill.thresholds);
        self.row([id, place, &signed(after - before), &plain(after)], &drawing, words, f)
    }
}

/// The stretch of a score between two totals, with the thresholds drawn in.
fn bar(before: f64, after: f64, thresholds: &[Threshold]) -> String {
    let cell = |score: f64| (score.clamp(0.0, 100.0) * WIDTH as f64 / 100.0).round() as usize;
    let (start, end) = (cell(before), cell(after));
    let drawn = (0..=WIDTH).map(|at| {
        let is_threshold = thresholds.iter().any(|threshold| cell(threshold.score) == at);
        if start <= at && at < end {
            if is_threshold { '▒' } else { '█' }
        } else if start == end && at == start.min(WIDTH - 1) {
            '▏'
        } else if is_threshold {
            '┆'
        } else {
            ' '
        }
    });
    drawn.collect()
}

fn held_against(threshold: &Threshold, score: f64) -> String {
    let Threshold { name, score: at, verdict, is_strict, is_reached } = threshold;
    let when = if *is_strict { "above" } else { "from" };
    let outcome = match (is_reached, is_strict) {
        (true, true) => "passed".to_owned(),
        (true, false) => "reached".to_owned(),
        (false, true) => "not passed".to_owned(),
        (false, false) => format!("not reached, {} short", plain(at - score)),
    };
    format!("┆ {verdict} {when} {} ({name}): {outcome}", Score::clamped(*at))
}

/// Why the verdict of a bill follows.
fn why(bill: &Bill) -> String {
    let action = bill.decision.action;
    let is_asked = bill.asked == Some(action);
    match bill.decision.reason {
        DecisionReason::Clean if bill.score == 0.0 => "the score is 0, and nothing asks for more".to_owned(),
        DecisionReason::Clean if bill.asks.is_empty() => "nothing asks for more".to_owned(),
        DecisionReason::Severity | DecisionReason::Score | DecisionReason::ScoreOverride if is_asked && !bill.parts.is_empty() => {
            format!("a part of it asks for `{action}`")
        }
        DecisionReason::Clean | DecisionReason::Severity | DecisionReason::Score | DecisionReason::ScoreOverride
            if is_asked && !bill.asks.is_empty() =>
        {
            bill.asks.clone()
        }
        DecisionReason::Clean => "nothing asks for more".to_owned(),
        DecisionReason::Severity => format!("what is found asks for `{action}`"),
        DecisionReason::Rule => {
            let rule = bill.decision.rule.as_deref().unwrap_or_default();
            format!("the rule {} asks for `{action}`, and that stands whatever the model thinks of it", shown(rule))
        }
        DecisionReason::ScoreOverride => "the score alone blocks, whatever the severities ask for".to_owned(),
        DecisionReason::Score if bill.thresholds.iter().any(|threshold| threshold.is_reached) => {
            "the score reaches the threshold".to_owned()
        }
        DecisionReason::Score => "the score stays below every threshold".to_owned(),
        DecisionReason::Undetermined => "it could not be judged".to_owned(),
        DecisionReason::CommonSettings => "of what is critical, the common settings ask for more".to_owned(),
        DecisionReason::CumulativeRisk => bill.decision.cumulative.as_deref().unwrap_or_default().to_owned(),
    }
}

fn counterfactual(found: &Counterfactual, finding: &Finding, style: Style, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let verdict = finding.decision.verdict;
    match found {
        Counterfactual::Lowest => Ok(()),
        Counterfactual::Nothing(why) => {
            let line = format!("no change of what was found lowers the verdict ({verdict}): {why}");
            writeln!(f)?;
            wrapped(&line, style.width.saturating_sub(2)).iter().try_for_each(|line| writeln!(f, "  {line}"))
        }
        Counterfactual::Single(changes) => {
            let any = if changes.len() == 1 { "this change alone" } else { "any one of these changes alone" };
            writeln!(f, "\n  what would lower the verdict ({verdict}), {any}:")?;
            list(changes, style, f)
        }
        Counterfactual::Set(changes) => {
            writeln!(f, "\n  no single change lowers the verdict ({verdict}); these {} together do:", changes.len())?;
            list(changes, style, f)
        }
    }
}

fn list(changes: &[Change], style: Style, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let count = if style.verbose { changes.len() } else { changes.len().min(SHOWN) };
    let wide = style.width.saturating_sub(8).max(40);
    for (nth, change) in changes.iter().take(count).enumerate() {
        let after = paint(change.after.verdict.name(), change.after.verdict, style.colour);
        writeln!(f, "    {}. without {} → {after}, score {:.0}", nth + 1, taken_away(change), change.after.score)?;
        let instead = if change.help.is_empty() { String::new() } else { format!("instead: {}", change.help) };
        for text in [&change.found, &instead] {
            wrapped(text, wide).iter().try_for_each(|line| writeln!(f, "       {line}"))?;
        }
    }
    if count < changes.len() {
        writeln!(f, "    … and {} more", changes.len() - count)?;
    }
    Ok(())
}

/// What a change takes away, in words.
fn taken_away(change: &Change) -> String {
    let rules = change.rules.join(", ");
    let place = change.place.map(placed).unwrap_or_default();
    match (change.scope, change.origin) {
        (Scope::Match | Scope::Cause | Scope::Flow, Some(origin)) => format!("the flow from {} to {place} ({rules})", placed(origin)),
        (Scope::Match | Scope::Cause | Scope::Flow, None) => format!("{rules} at {place}"),
        (Scope::Place, _) => format!("what stands at {place} ({rules})"),
        (Scope::Rule, _) if change.matches == 2 => format!("both matches of {rules}"),
        (Scope::Rule, _) => format!("all {} matches of {rules}", change.matches),
        (Scope::Signal, _) => format!("the signal {rules}"),
    }
}

fn placed(position: Position) -> String {
    format!("{}:{}", position.line, position.column)
}

/// Points as they stand on a bill: without a fraction where there is none, else with one digit of it.
fn plain(points: f64) -> String {
    let rounded = (points * 10.0).round() / 10.0;
    if rounded.fract() == 0.0 { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}

fn signed(points: f64) -> String {
    let text = plain(points.abs());
    if points < 0.0 { format!("−{text}") } else { format!("+{text}") }
}

/// A text in lines of at most so many characters, broken between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in shown(text).split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
