//! Replays for people: each flip with what goes with it, then how often each rule and model turns.

use std::fmt::Write as _;
use std::io;

use crate::compare::replay::{Flip, Replay, Side, Turns};
use crate::finding::Run;
use crate::finding::hide::Hidden;
use crate::report::Style;
use crate::report::table::paint::paint;
use crate::value::score::Score;
use crate::value::source::shown;
use crate::value::verdict::Verdict;

/// How many flips are shown, unless all are asked for.
const SHOWN: usize = 200;
/// How many rules and models of a flip are named.
const NAMED: usize = 8;

/// Writes a replay for people.
///
/// # Errors
///
/// When the writer fails.
pub fn write(replay: Hidden<'_, Replay>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let replay = replay.get();
    let mut text = String::new();
    for flip in replay.flips.iter().take(SHOWN) {
        of_flip(flip, style, &mut text);
    }
    if SHOWN < replay.flips.len() {
        let _ = writeln!(text, "… and {} more; --format json has all\n", replay.flips.len() - SHOWN);
    }
    turns("rule", &replay.rules, &mut text);
    turns("model", &replay.models, &mut text);
    for (title, run) in ["before", "after"].into_iter().zip(&replay.runs) {
        side(title, run, &mut text);
    }
    let Turns { milder, stricter } = replay.turns();
    let subjects = replay.subjects;
    let _ = writeln!(text, "{} of {subjects} verdicts flip: {milder} milder, {stricter} stricter", replay.flips.len());
    writer.write_all(text.as_bytes())
}

fn of_flip(flip: &Flip, style: Style, text: &mut String) {
    let [before, after] = flip.sides.each_ref().map(|side| verdict(side.as_ref(), style));
    let _ = writeln!(text, "{before} → {after}  {}", flip.name);
    let words = |severity: Option<crate::value::severity::Severity>| severity.map_or("–".to_owned(), |severity| severity.to_string());
    let rules = flip.rules.iter().map(|(rule, [before, after])| format!("{} ({} → {})", shown(rule), words(*before), words(*after)));
    list("rules", rules.collect(), text);
    let word = |verdict: Option<Verdict>| verdict.map_or("–", Verdict::name);
    let models = flip.models.iter().map(|(model, [before, after])| format!("{} ({} → {})", shown(model), word(*before), word(*after)));
    list("models", models.collect(), text);
    if flip.rules.is_empty() && flip.models.is_empty() {
        let reason = |side: &Option<Side>| side.as_ref().map_or_else(|| "not judged".to_owned(), |side| shown(&side.reason));
        let [before, after] = flip.sides.each_ref().map(reason);
        let _ = writeln!(text, "  because of: {before} → {after}");
    }
    text.push('\n');
}

fn list(title: &str, words: Vec<String>, text: &mut String) {
    if words.is_empty() {
        return;
    }
    let more = words.len().saturating_sub(NAMED);
    let more = if 0 < more { format!(" and {more} more") } else { String::new() };
    let _ = writeln!(text, "  {title}: {}{more}", words.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", "));
}

/// A verdict with its score: `block 74`.
fn verdict(side: Option<&Side>, style: Style) -> String {
    let Some(Side { verdict, score, .. }) = side else { return "not judged".to_owned() };
    let score = score.map(|score| format!(" {}", Score::clamped(score.round()))).unwrap_or_default();
    format!("{}{score}", paint(verdict.name(), *verdict, style.colour))
}

fn turns(title: &str, rows: &[(String, Turns)], text: &mut String) {
    if rows.is_empty() {
        return;
    }
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(title.len());
    let _ = writeln!(text, "{title:width$}  milder  stricter");
    for (name, Turns { milder, stricter }) in rows {
        let _ = writeln!(text, "{:width$}  {milder:>6}  {stricter:>8}", shown(name));
    }
    text.push('\n');
}

/// The settings of a side, and what loosens them.
fn side(title: &str, run: &Run, text: &mut String) {
    let file = run.configuration.as_deref().map_or("the defaults".to_owned(), shown);
    let _ = writeln!(text, "{title}: {file}, judged by {}", shown(&run.models.join(", ")));
    for loosened in &run.loosened {
        let _ = writeln!(text, "  loosened by {}", shown(loosened));
    }
}
