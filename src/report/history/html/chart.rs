//! Charts over time: verdicts as bars, scores as a curve.

use std::fmt::{self, Write as _};

use crate::history::period::{Period, Unit};
use crate::history::trends::Trends;
use crate::report::history::{grouped, moment, score};

/// Width and height of a chart.
const SIZE: (f64, f64) = (1000.0, 300.0);
/// Where the axes are: left, top, right and bottom.
const FRAME: (f64, f64, f64, f64) = (68.0, 12.0, 990.0, 264.0);
/// How many bars have room.
const BARS: usize = 180;
/// How many dates are named.
const DATES: usize = 6;
/// How many lines cross a chart.
const LINES: u32 = 4;

/// Writes a bar a span, its verdicts on each other.
pub fn verdicts(trends: &Trends, page: &mut String) -> fmt::Result {
    let periods = trends.folded(BARS);
    let most = periods.iter().map(|period| period.tally.evaluations()).max().unwrap_or(0);
    if most == 0 {
        return nothing(page);
    }
    let top = ceiling(most);
    open(page, "Evaluations by verdict over time")?;
    scale(page, top as f64, |value| grouped(value as u64))?;
    let (left, step) = (FRAME.0, (FRAME.2 - FRAME.0) / periods.len() as f64);
    let gap = (step * 0.18).min(6.0);
    for (nth, period) in periods.iter().enumerate() {
        let x = left + step * nth as f64 + gap / 2.0;
        let [allowed, warned, blocked] = period.tally.verdicts;
        let told = format!("{}: {allowed} allow, {warned} warn, {blocked} block", named(period, trends.by));
        write!(page, "<g><title>{told}</title>")?;
        let mut base = FRAME.3;
        // What is worst stands at the bottom, where bars can be compared.
        for (class, count) in [(2, blocked), (1, warned), (0, allowed)].into_iter().filter(|(_, count)| 0 < *count) {
            let height = (count as f64 / top as f64 * (FRAME.3 - FRAME.1)).max(1.2);
            base -= height;
            let width = (step - gap).max(0.6);
            write!(page, r#"<rect class="n{class}" x="{x:.1}" y="{base:.1}" width="{width:.1}" height="{height:.1}"/>"#)?;
        }
        write!(page, "</g>")?;
    }
    dates(&periods, trends.by, page)?;
    writeln!(page, "</svg>")?;
    key(&[("n2", "block"), ("n1", "warn"), ("n0", "allow")], page)
}

/// Writes the mean score as a curve and the highest as marks.
pub fn scores(trends: &Trends, page: &mut String) -> fmt::Result {
    let periods = trends.folded(BARS);
    if trends.total.scored == 0 {
        return nothing(page);
    }
    open(page, "Scores over time")?;
    scale(page, 100.0, |value| format!("{value:.0}"))?;
    let step = (FRAME.2 - FRAME.0) / periods.len() as f64;
    let place =
        |nth: usize, score: f64| (FRAME.0 + step * (nth as f64 + 0.5), FRAME.3 - score.clamp(0.0, 100.0) / 100.0 * (FRAME.3 - FRAME.1));
    for (nth, period) in periods.iter().enumerate() {
        if let Some(highest) = period.tally.highest_score {
            let ((x, y), width) = (place(nth, highest), (step * 0.7).clamp(1.2, 18.0));
            let told = format!("{}: highest {}, mean {}", named(period, trends.by), score(Some(highest)), score(period.tally.mean_score()));
            write!(
                page,
                r#"<rect class="high" x="{:.1}" y="{:.1}" width="{width:.1}" height="3"><title>{told}</title></rect>"#,
                x - width / 2.0,
                y - 1.5
            )?;
        }
    }
    // Where nothing was judged there is no mean, and the curve has a gap.
    let mut is_open = false;
    let mut path = String::new();
    let mut dots = String::new();
    for (nth, period) in periods.iter().enumerate() {
        let Some(mean) = period.tally.mean_score() else {
            is_open = false;
            continue;
        };
        let (x, y) = place(nth, mean);
        write!(path, "{}{x:.1} {y:.1}", if is_open { 'L' } else { 'M' })?;
        is_open = true;
        if periods.len() <= DATES * 10 {
            write!(dots, r#"<circle class="dot" cx="{x:.1}" cy="{y:.1}" r="2.6"/>"#)?;
        }
    }
    write!(page, r#"<path class="mean" d="{path}"/>{dots}"#)?;
    dates(&periods, trends.by, page)?;
    writeln!(page, "</svg>")?;
    key(&[("total", "mean"), ("high", "highest")], page)
}

/// Bars in a row of a table.
pub fn line(numbers: &[u64], page: &mut String) -> fmt::Result {
    let most = numbers.iter().copied().max().unwrap_or(0).max(1) as f64;
    let count = numbers.len();
    write!(page, r#"<svg viewBox="0 0 {} 20" preserveAspectRatio="none" aria-hidden="true">"#, count.max(1) * 10)?;
    for (nth, number) in numbers.iter().enumerate().filter(|(_, number)| 0 < **number) {
        let height = (*number as f64 / most * 20.0).max(1.0);
        write!(page, r#"<rect class="up" x="{}" y="{:.1}" width="8" height="{height:.1}"/>"#, nth * 10 + 1, 20.0 - height)?;
    }
    write!(page, "</svg>")
}

/// What the colours mean.
pub fn key(colours: &[(&str, &str)], page: &mut String) -> fmt::Result {
    write!(page, r#"<div class="key">"#)?;
    for (class, word) in colours {
        write!(page, r#"<span><svg viewBox="0 0 1 1"><rect class="{class}" width="1" height="1"/></svg>{word}</span>"#)?;
    }
    writeln!(page, "</div>")
}

fn nothing(page: &mut String) -> fmt::Result {
    writeln!(page, r#"<p class="none">Nothing is stored of that time.</p>"#)
}

fn open(page: &mut String, name: &str) -> fmt::Result {
    write!(page, r#"<svg viewBox="0 0 {} {}" role="img" aria-label="{name}">"#, SIZE.0, SIZE.1)
}

/// Lines across a chart, with what they stand for.
fn scale(page: &mut String, top: f64, told: impl Fn(f64) -> String) -> fmt::Result {
    for line in 0..=LINES {
        let share = f64::from(line) / f64::from(LINES);
        let y = FRAME.3 - share * (FRAME.3 - FRAME.1);
        write!(page, r#"<path class="grid" d="M{} {y:.1}H{}"/>"#, FRAME.0, FRAME.2)?;
        write!(page, r#"<text class="tick end" x="{}" y="{:.1}">{}</text>"#, FRAME.0 - 8.0, y + 6.0, told(top * share))?;
    }
    Ok(())
}

/// Some of the dates below a chart.
fn dates(periods: &[Period], by: Unit, page: &mut String) -> fmt::Result {
    let step = (FRAME.2 - FRAME.0) / periods.len().max(1) as f64;
    let every = periods.len().div_ceil(DATES).max(1);
    for (nth, period) in periods.iter().enumerate().filter(|(nth, _)| nth % every == 0) {
        let x = FRAME.0 + step * (nth as f64 + 0.5);
        // The year is told above; a date of its own would leave the chart at its left end.
        let date: String = named(period, by).chars().skip(5).collect();
        write!(page, r#"<text class="tick mid" x="{x:.1}" y="{}">{date}</text>"#, FRAME.3 + 26.0)?;
    }
    Ok(())
}

/// When a span begins.
fn named(period: &Period, by: Unit) -> String {
    moment(period.start).chars().take(if by == Unit::Day { 10 } else { 16 }).collect()
}

/// A round number not below this one that a quarter of can be told.
fn ceiling(number: u64) -> u64 {
    let mut unit = 4_u64;
    loop {
        for factor in [1, 2, 5] {
            let round = unit.saturating_mul(factor);
            if number <= round {
                return round;
            }
        }
        unit = unit.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_with_round_numbers() {
        for (number, expected) in [(1, 4), (4, 4), (5, 8), (19, 20), (21, 40), (999, 2_000), (2_001, 4_000)] {
            assert_eq!(ceiling(number), expected, "{number}");
        }
        assert_eq!(ceiling(u64::MAX), u64::MAX);
    }
}
