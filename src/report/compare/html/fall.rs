//! The waterfall of each model: how the points of its signals add up to the score, and what it is held against.

use std::fmt::{self, Write as _};

use crate::compare::cell::State;
use crate::compare::{Comparison, Row};
use crate::explain::bill::{Bill, Threshold};
use crate::explain::opinion::{Judgement, Opinion};
use crate::finding::Finding;
use crate::report::html::text::{Text, plain, sign};
use crate::value::verdict::Verdict;

/// How many signals of a model have a bar of their own.
const SIGNALS: usize = 12;

/// Writes a card for each model that has something to show, and names the others in a line.
pub fn cards(row: &Row, finding: &Finding, comparison: &Comparison, page: &mut String) -> fmt::Result {
    let opinions = || comparison.columns.iter().zip(&finding.opinions).zip(&row.cells);
    let judgements = || {
        opinions().flat_map(|((column, opinion), _)| match opinion {
            Opinion::Judged(judgements) => judgements.iter().map(|judgement| (column.name.as_str(), judgement)).collect(),
            Opinion::Failed(_) | Opinion::NotJudged => Vec::new(),
        })
    };
    let has_more = |judgement: &Judgement| !judgement.bill.items.is_empty() || 0.0 < judgement.bill.score;
    write!(page, r#"<div class="cards">"#)?;
    judgements().filter(|(_, judgement)| has_more(judgement)).try_for_each(|(column, judgement)| card(column, judgement, page))?;
    writeln!(page, "</div>")?;
    let clean: Vec<String> = judgements().filter(|(_, judgement)| !has_more(judgement)).map(|(column, _)| named(column)).collect();
    if !clean.is_empty() {
        writeln!(page, "<p class=\"quiet\">Score 0, nothing found: {}</p>", clean.join(", "))?;
    }
    let silent = opinions().filter(|(_, cell)| cell.state == State::Silent).map(|((column, _), _)| named(&column.name));
    let silent: Vec<String> = silent.collect();
    if !silent.is_empty() {
        writeln!(page, "<p class=\"quiet\">Nothing to say of it: {}</p>", silent.join(", "))?;
    }
    for ((column, _), cell) in opinions() {
        if let State::Failed(why) = &cell.state {
            writeln!(page, "<p class=\"quiet\">{} failed: {}</p>", named(&column.name), Text(why))?;
        }
    }
    Ok(())
}

fn named(model: &str) -> String {
    format!("<b>{}</b>", Text(model))
}

fn card(column: &str, judgement: &Judgement, page: &mut String) -> fmt::Result {
    let bill = &judgement.bill;
    let verdict = bill.decision.verdict;
    write!(page, r#"<article class="card"><h4>{}"#, Text(&bill.model))?;
    if bill.model != column {
        write!(page, " <small>({})</small>", Text(column))?;
    }
    write!(page, r#" <span class="tag">{} {verdict}</span>"#, sign(Some(verdict)))?;
    if let Some(level) = &judgement.level {
        write!(page, r#"<span class="tag">{}</span>"#, Text(level))?;
    }
    write!(page, r#"<span class="score">{}</span></h4>"#, plain(bill.score))?;
    fall(bill, page)?;
    held_against(bill, page)?;
    write!(page, r#"<p class="method">{}."#, Text(&bill.rule))?;
    if !bill.parts.is_empty() {
        let parts: Vec<String> = bill.parts.iter().map(|part| format!("{} {}", Text(&part.model), plain(part.score))).collect();
        write!(page, " Made of {}.", parts.join(", "))?;
    }
    if let Some(challenge) = judgement.challenge {
        write!(page, " Asks for: {}.", Text(challenge))?;
    }
    writeln!(page, "</p></article>")
}

/// What a bar of a waterfall stands for.
#[derive(Clone, Copy)]
enum Bar {
    /// Points that a signal adds.
    Points,
    /// What lies between the sum and the score.
    Adjustment,
    /// The score.
    Total,
}

fn fall(bill: &Bill, page: &mut String) -> fmt::Result {
    write!(page, r#"<dl class="fall">"#)?;
    let (listed, rest) = bill.items.split_at(bill.items.len().min(SIGNALS));
    for item in listed {
        write!(page, "<dt>{}", Text(&item.id))?;
        let place = item.place.map(|place| format!("{}:{}", place.line, place.column)).unwrap_or_default();
        let words: Vec<&str> = [place.as_str(), &item.description, &item.reckoning].into_iter().filter(|words| !words.is_empty()).collect();
        write!(page, "<small>{}</small></dt>", Text(&words.join(" · ")))?;
        row(bill, (item.total - item.points, item.total), Bar::Points, page)?;
    }
    if let Some(last) = rest.last() {
        let before = listed.last().map_or(0.0, |item| item.total);
        write!(page, "<dt>… and {} more</dt>", rest.len())?;
        row(bill, (before, last.total), Bar::Points, page)?;
    }
    if let Some(adjustment) = bill.adjustment {
        write!(page, "<dt>{}</dt>", Text(adjustment.why))?;
        row(bill, (bill.sum, bill.score), Bar::Adjustment, page)?;
    }
    write!(page, r#"<dt class="last">score</dt>"#)?;
    row(bill, (0.0, bill.score), Bar::Total, page)?;
    writeln!(page, "</dl>")
}

/// A bar with the thresholds drawn in, and its points.
fn row(bill: &Bill, (before, after): (f64, f64), bar: Bar, page: &mut String) -> fmt::Result {
    let most = bill.items.iter().map(|item| item.total).fold(100.0, f64::max);
    let at = |score: f64| (score.clamp(0.0, most) / most * 1000.0).round() / 10.0;
    let (start, end) = (at(before.min(after)), at(before.max(after)));
    let (class, last) = match bar {
        Bar::Points if before <= after => ("up".to_owned(), ""),
        Bar::Points | Bar::Adjustment => ("down".to_owned(), ""),
        Bar::Total => ("total".to_owned(), " last"),
    };
    write!(page, r#"<dd class="draw{last}"><svg aria-hidden="true"><line class="axis" y2="100%"/>"#)?;
    // What adds nothing that could be seen is drawn as a stroke.
    let wide = (end - start).max(0.6);
    let start = start.min(100.0 - wide);
    write!(page, r#"<rect class="{class}" x="{}%" width="{}%" y="5" height="12"/>"#, plain(start), plain(wide))?;
    for threshold in &bill.thresholds {
        let x = plain(at(threshold.score));
        write!(page, r#"<line class="at w{}" x1="{x}%" x2="{x}%" y2="100%"/>"#, threshold.verdict as u8)?;
    }
    let points = match bar {
        Bar::Total => plain(after),
        Bar::Points | Bar::Adjustment => signed(after - before),
    };
    write!(page, r#"</svg></dd><dd class="points{last}">{points}</dd>"#)
}

fn signed(points: f64) -> String {
    let text = plain(points.abs());
    if points < 0.0 { format!("−{text}") } else { format!("+{text}") }
}

fn held_against(bill: &Bill, page: &mut String) -> fmt::Result {
    if bill.thresholds.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = bill.thresholds.iter().map(|threshold| told(threshold, bill.score)).collect();
    write!(page, r#"<p class="held">{}</p>"#, told.join(" · "))
}

fn told(threshold: &Threshold, score: f64) -> String {
    let Threshold { name: _, score: at, verdict, is_strict, is_reached } = threshold;
    let line = if *verdict == Verdict::Block { "│" } else { "┆" };
    let when = if *is_strict { "above" } else { "from" };
    let outcome = match (is_reached, is_strict) {
        (true, true) => "<b>passed</b>".to_owned(),
        (true, false) => "<b>reached</b>".to_owned(),
        (false, true) => "not passed".to_owned(),
        (false, false) => format!("{} short", plain(at - score)),
    };
    format!("{line} {verdict} {when} {}: {outcome}", plain(*at))
}
