//! Trends for people: a row a day or hour with all numbers, bars over the whole time, rules, sessions, models, what rises.

use std::io;

use crate::finding::hide::Hidden;
use crate::history::period::{Period, Tally, Unit};
use crate::history::trends::{Trends, folded, sparkline};
use crate::report::Style;
use crate::report::history::columns::{self, Side};
use crate::report::history::{grouped, moment, percent, score, sentence, span};
use crate::value::source::shown;

/// How many days or hours have a row of their own; the bars show all.
const ROWS: usize = 31;
/// How many rules are named.
const RULES: usize = 15;
/// How wide bars are at most, in columns.
const WIDTH: usize = 60;

/// Writes trends for people.
///
/// # Errors
///
/// When the writer fails.
pub fn write(trends: Hidden<'_, Trends>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let trends = trends.get();
    let filters: Vec<String> = trends.filters.iter().map(|(name, value)| format!("{name} {}", shown(value))).collect();
    let filters = if filters.is_empty() { String::new() } else { format!(" of {}", filters.join(", ")) };
    let Some((first, last)) = trends.periods.first().zip(trends.periods.last()) else {
        writeln!(writer, "no evaluation{filters} is stored of that time")?;
        return rising(trends, writer);
    };
    let (all, by) = (grouped(trends.total.evaluations()), trends.by.name());
    writeln!(writer, "{all} evaluations{filters} by {by}, {} to {} (UTC)\n", start(first, trends.by), start(last, trends.by))?;
    periods(trends, writer)?;
    bars(trends, writer)?;
    rules(trends, writer)?;
    models(trends, writer)?;
    rising(trends, writer)
}

/// When a span begins: a day, or a day and an hour.
fn start(period: &Period, by: Unit) -> String {
    moment(period.start).chars().take(if by == Unit::Day { 10 } else { 16 }).collect()
}

fn periods(trends: &Trends, writer: &mut dyn io::Write) -> io::Result<()> {
    let heads = [
        (trends.by.name(), Side::Left),
        ("evaluations", Side::Right),
        ("allow", Side::Right),
        ("warn", Side::Right),
        ("block", Side::Right),
        ("undetermined", Side::Right),
        ("accepted", Side::Right),
        ("mean score", Side::Right),
        ("highest", Side::Right),
    ];
    let hidden = trends.periods.len().saturating_sub(ROWS);
    let mut rows: Vec<Vec<String>> =
        trends.periods.iter().skip(hidden).map(|period| row(start(period, trends.by), &period.tally)).collect();
    rows.push(row("all".to_owned(), &trends.total));
    columns::write(&heads, &rows, writer)?;
    if 0 < hidden {
        writeln!(writer, "{hidden} earlier {}s are not shown: --format csv has them", trends.by.name())?;
    }
    writeln!(writer)
}

fn row(name: String, tally: &Tally) -> Vec<String> {
    let [allowed, warned, blocked] = tally.verdicts.map(grouped);
    let evaluations = grouped(tally.evaluations());
    vec![
        name,
        evaluations,
        allowed,
        warned,
        blocked,
        grouped(tally.undetermined),
        grouped(tally.accepted),
        score(tally.mean_score()),
        score(tally.highest_score),
    ]
}

/// Bars of what there was; a point where there was nothing.
fn drawn(numbers: impl Iterator<Item = u64>) -> String {
    let numbers: Vec<u64> = numbers.collect();
    sparkline(folded(&numbers, WIDTH).into_iter().map(|number| number as f64))
}

fn bars(trends: &Trends, writer: &mut dyn io::Write) -> io::Result<()> {
    let tallies = || trends.periods.iter().map(|period| &period.tally);
    let [_, warned, blocked] = trends.total.verdicts;
    let mut rows = vec![
        vec!["evaluations".to_owned(), drawn(tallies().map(Tally::evaluations)), grouped(trends.total.evaluations())],
        vec!["warn".to_owned(), drawn(tallies().map(|tally| tally.verdicts[1])), grouped(warned)],
        vec!["block".to_owned(), drawn(tallies().map(|tally| tally.verdicts[2])), grouped(blocked)],
    ];
    // Means do not add up, so they are only drawn where each has a bar.
    if trends.periods.len() <= WIDTH {
        let means = sparkline(tallies().map(|tally| tally.mean_score().unwrap_or_default()));
        rows.push(vec!["mean score".to_owned(), means, score(trends.total.mean_score())]);
    }
    columns::write(&[("over time", Side::Left), ("", Side::Left), ("all", Side::Right)], &rows, writer)?;
    writeln!(writer)
}

fn rules(trends: &Trends, writer: &mut dyn io::Write) -> io::Result<()> {
    if trends.rules.is_empty() {
        return writeln!(writer, "no rule hit\n");
    }
    let row = |rule: &crate::history::trends::RuleTrend| {
        let share = rule.evaluations as f64 / trends.total.evaluations().max(1) as f64;
        vec![shown(&rule.rule), drawn(rule.by_period.iter().copied()), grouped(rule.evaluations), percent(share), grouped(rule.blocked)]
    };
    let rows: Vec<Vec<String>> = trends.rules.iter().take(RULES).map(row).collect();
    let heads =
        [("rule", Side::Left), ("over time", Side::Left), ("evaluations", Side::Right), ("share", Side::Right), ("block", Side::Right)];
    columns::write(&heads, &rows, writer)?;
    let hidden = trends.rules.len().saturating_sub(RULES);
    if 0 < hidden {
        writeln!(writer, "{hidden} more rules: --format json has them")?;
    }
    writeln!(writer)
}

fn models(trends: &Trends, writer: &mut dyn io::Write) -> io::Result<()> {
    if trends.models.is_empty() {
        return Ok(());
    }
    let row = |model: &crate::history::trends::ModelTrend| {
        let [allowed, warned, blocked] = model.verdicts.map(grouped);
        vec![shown(&model.model), grouped(model.evaluations()), allowed, warned, blocked, score(model.mean_score())]
    };
    let rows: Vec<Vec<String>> = trends.models.iter().map(row).collect();
    let heads = [
        ("model", Side::Left),
        ("evaluations", Side::Right),
        ("allow", Side::Right),
        ("warn", Side::Right),
        ("block", Side::Right),
        ("mean score", Side::Right),
    ];
    columns::write(&heads, &rows, writer)?;
    let disputed: u64 = trends.periods.iter().map(|period| period.disputed).sum();
    writeln!(writer, "the models disagree on {} evaluations\n", grouped(disputed))
}

fn rising(trends: &Trends, writer: &mut dyn io::Write) -> io::Result<()> {
    let rising = &trends.rising;
    let length = span(rising.window);
    let of_several = 1 < rising.compared + rising.too_few.len();
    if rising.compared == 0 {
        let least = crate::history::rising::EVALUATIONS;
        return writeln!(
            writer,
            "rising: nothing can be said of the last {length}: it takes {least} evaluations in them, and as many in the {length} before"
        );
    }
    if rising.rises.is_empty() {
        return writeln!(writer, "rising: nothing in the last {length}, compared with the {length} before");
    }
    writeln!(writer, "rising in the last {length}, compared with the {length} before:")?;
    rising.rises.iter().try_for_each(|rise| writeln!(writer, "  {}", sentence(rise, of_several)))
}
