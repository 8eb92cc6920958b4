//! What a store says of the past: single evaluations, sessions, and how all of it changed over time.

pub mod alert;
mod columns;
pub mod evaluations;
pub mod html;
pub mod metrics;
pub mod series;
pub mod sessions;
pub mod trends;

use crate::history::rising::{Rise, What};
use crate::value::source::shown;
use crate::value::time::rfc3339;

/// Version of the schema of all documents of this room; grows when a field changes its meaning or goes away.
const SCHEMA_VERSION: u32 = 1;

/// A point in time for people: `2026-11-22 15:59:57`, in UTC.
fn moment(millis: i64) -> String {
    rfc3339(millis).chars().take(19).map(|character| if character == 'T' { ' ' } else { character }).collect()
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if 0 < at && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share from 0 to 1 in percent.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 || 10.0 <= percent { format!("{percent:.0} %") } else { format!("{percent:.1} %") }
}

/// A score with one place at most.
fn score(score: Option<f64>) -> String {
    score.map_or_else(|| "–".to_owned(), crate::report::html::text::plain)
}

/// What rises, in a sentence without a full stop.
fn sentence(rise: &Rise, of_several: bool) -> String {
    let tenant = match &rise.tenant {
        Some(tenant) => format!("tenant {}: ", shown(tenant)),
        None if of_several => "no tenant: ".to_owned(),
        None => String::new(),
    };
    let what = match &rise.what {
        What::Flagged => "what is warned of or blocked".to_owned(),
        What::Blocked => "what is blocked".to_owned(),
        What::Score => "the mean score".to_owned(),
        What::Rule(rule) => format!("rule {}", shown(rule)),
    };
    let told = |number: f64| if rise.what == What::Score { score(Some(number)) } else { percent(number) };
    let (before, now) = (told(rise.before), told(rise.now));
    let of = if rise.what == What::Score { "" } else { " of evaluations" };
    let z = if rise.z < 1_000.0 { format!("z {:.1}", rise.z) } else { "no chance".to_owned() };
    format!("{tenant}{what}: {before} → {now}{of} ({z})")
}

/// A span for people: `7 days`.
fn span(millis: i64) -> String {
    let units = [("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000)];
    let (unit, count) = units
        .into_iter()
        .find(|(_, length)| millis % length == 0)
        .map_or(("second", millis / 1_000), |(unit, length)| (unit, millis / length));
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_for_people() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0, 0.004, 0.25, 1.0].map(percent), ["0 %", "0.4 %", "25 %", "100 %"]);
        assert_eq!([604_800_000, 3_600_000, 90_000].map(span), ["7 days", "1 hour", "90 seconds"]);
        assert_eq!(moment(1_795_363_197_123), "2026-11-22 15:59:57");
    }
}
