//! Points in time and spans of it, as they are written: RFC 3339 in UTC, days, `90d`.

/// Milliseconds of a second.
const SECOND: i64 = 1_000;
/// Milliseconds of a day.
pub const DAY: i64 = 24 * 60 * 60 * SECOND;
/// Units of spans of time, each with its milliseconds.
const UNITS: &[(&str, i64)] = &[("s", SECOND), ("m", 60 * SECOND), ("h", 60 * 60 * SECOND), ("d", DAY), ("w", 7 * DAY), ("y", 365 * DAY)];

/// Milliseconds since 1970 as RFC 3339 in UTC: `2026-11-22T15:59:57.123Z`.
pub fn rfc3339(millis: i64) -> String {
    let (year, month, day) = date(millis.div_euclid(DAY));
    let rest = millis.rem_euclid(DAY);
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, fraction) = (rest / SECOND % 60, rest % SECOND);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

/// The day of a point in time: `2026-11-22`.
pub fn day(millis: i64) -> String {
    rfc3339(millis).chars().take(10).collect()
}

/// A day (`2026-11-22`, its beginning) or a point in time in UTC (`2026-11-22T15:59:57Z`) as milliseconds since 1970.
pub fn point(text: &str) -> Option<i64> {
    let (days, clock) = match text.trim().trim_end_matches(['Z', 'z']).split_once(['T', 't', ' ']) {
        Some((days, clock)) => (days, clock),
        None => (text.trim(), "00:00"),
    };
    let [year, month, day] = numbers::<3>(days, '-')?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let [hour, minute, second] = numbers::<3>(clock, ':').or_else(|| numbers::<2>(clock, ':').map(|[hour, minute]| [hour, minute, 0]))?;
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && (1970..=9_999).contains(&year);
    let is_clock = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..=60).contains(&second);
    if !is_date || !is_clock || date(days_since_1970(year, month, day)) != (year, month, day) {
        return None;
    }
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    let of_day = (hour * 60 + minute) * 60 + second;
    Some(days_since_1970(year, month, day) * DAY + of_day * SECOND + thousandths.parse::<i64>().ok()?)
}

/// A span of time with its unit, `90d`, in milliseconds.
pub fn span(text: &str) -> Option<i64> {
    let text = text.trim();
    let (unit, millis) = UNITS.iter().find(|(unit, _)| text.ends_with(unit))?;
    let number: i64 = text.strip_suffix(unit)?.trim().parse().ok()?;
    if number < 0 { None } else { number.checked_mul(*millis) }
}

fn numbers<const N: usize>(text: &str, between: char) -> Option<[i64; N]> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Option<Vec<i64>> = text.split(between).map(|part| part.parse().ok().filter(|_| is_number(part))).collect();
    parts?.try_into().ok()
}

/// The date of a day since 1970, by the proleptic Gregorian calendar (Howard Hinnant's algorithm).
fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// The other way round.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let of_year = (153 * (if 2 < month { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    era * 146_097 + of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_in_time_are_read_as_they_are_written() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_795_363_197_123, "2026-11-22T15:59:57.123Z"),
        ] {
            assert_eq!(rfc3339(millis), text);
            assert_eq!(point(text), Some(millis));
        }
        assert_eq!(point("2000-02-29"), Some(951_782_400_000));
        assert_eq!(point("2000-02-29 01:00"), Some(951_786_000_000));
        for wrong in ["", "yesterday", "2026-02-30", "2026-13-01", "2026-1", "2026-01-01T25:00", "+2026-01-01"] {
            assert_eq!(point(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn spans_have_units() {
        for (text, expected) in
            [("90d", Some(90 * DAY)), ("12h", Some(DAY / 2)), ("2w", Some(14 * DAY)), ("30", None), ("-1d", None), ("d", None), ("x", None)]
        {
            assert_eq!(span(text), expected, "{text}");
        }
    }
}
