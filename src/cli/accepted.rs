//! What callgate.yaml accepts, and what of it is wrong.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::accept::acceptance::{Acceptance, Basis, UNDETERMINED};
use crate::accept::listed::Listed;
use crate::accept::settle::Acceptances;
use crate::accept::vouched::Vouched;

use crate::cli::config::{AcceptItem, Loaded, MOST_FAULTS, fault_at};
use crate::cli::failure::Failure;
use crate::input::walk::Excludes;
use crate::value::source::SourceName;
use crate::yaml;

/// The acceptances that count; none, if the user wants to see everything.
///
/// # Errors
///
/// When an entry of the settings names no rule or reason, or its glob or day is none.
pub fn acceptances(loaded: &Loaded, none: bool, known: &[String]) -> Result<Acceptances, Failure> {
    if none {
        return Ok(Acceptances::default());
    }
    let mut known: Vec<String> = known.to_vec();
    known.sort_unstable();
    let today = today();
    let file = loaded.path.as_deref().map(|path| SourceName::explicit(path).as_text()).unwrap_or_default();
    let folder = std::path::absolute(loaded.folder()).unwrap_or_default();
    let mut faults = Vec::new();
    let mut listed = Vec::new();
    for (index, item) in loaded.config.accept.iter().enumerate() {
        let wrong = faults_of(item, &known);
        if !wrong.is_empty() {
            faults.extend(wrong.into_iter().map(|(word, message)| fault_at(&loaded.text, &word, message)));
            continue;
        }
        let acceptance = Acceptance {
            basis: Basis::Settings,
            reason: item.reason.trim().to_owned(),
            owner: item.owner.clone(),
            expires: item.expires.clone(),
            place: format!("{file} accept[{index}]"),
        };
        let is_expired = is_over(item, &today);
        let paths = Excludes::new(std::slice::from_ref(&item.path))?;
        listed.push(Listed::new(vec![item.rule.clone()], paths, folder.clone(), acceptance, is_expired));
    }
    match &loaded.path {
        Some(path) if !faults.is_empty() => {
            faults.truncate(MOST_FAULTS);
            Err(Failure::Faults { path: path.clone(), text: loaded.text.clone(), faults })
        }
        Some(_) | None => Ok(Acceptances { known, inline: true, listed, vouched: vouched(loaded), ..Acceptances::default() }),
    }
}

/// The files of the revision that the settings come from.
fn vouched(loaded: &Loaded) -> Option<Vouched> {
    let revision = loaded.revision.clone()?;
    let told = revision.shown();
    Some(Vouched::new(told, Box::new(move |path| revision.read(path).ok())))
}

/// Whether the last day of an entry is over.
fn is_over(item: &AcceptItem, today: &str) -> bool {
    item.expires.as_deref().is_some_and(|day| day < today)
}

/// What is wrong with an entry: each fault with the word at which it is told.
fn faults_of(item: &AcceptItem, known: &[String]) -> Vec<(String, String)> {
    let AcceptItem { rule, path, reason, owner: _, expires } = item;
    let mut faults = Vec::new();
    if rule != UNDETERMINED && known.binary_search(rule).is_err() {
        let hint = yaml::nearest(rule, known.iter().map(String::as_str));
        faults.push((rule.clone(), format!("there is no rule `{rule}`{hint}")));
    }
    if path.trim().is_empty() {
        faults.push(("path".to_owned(), "`path` names no files; `**` would be all".to_owned()));
    }
    if !reason.chars().any(char::is_alphanumeric) {
        faults.push(("reason".to_owned(), format!("`reason` says nothing: why may `{rule}` stand in `{path}`?")));
    }
    if let Some(day) = expires.as_ref().filter(|day| !is_day(day)) {
        faults.push((day.clone(), format!("`expires` is `{day}`; it must be a day such as 2027-03-31")));
    }
    faults
}

/// What the entries make milder, each in words.
pub fn loosened(loaded: &Loaded, none: bool) -> Vec<String> {
    let today = today();
    let counts = |item: &&AcceptItem| !none && !is_over(item, &today);
    loaded.config.accept.iter().filter(counts).map(|item| format!("accept: {} in {}", item.rule, item.path)).collect()
}

/// Whether a text is a day of the calendar, as `YYYY-MM-DD`.
fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    if [year.len(), month.len(), day.len()] != [4, 2, 2] || !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        return false;
    }
    let (Ok(year), Ok(month), Ok(day)) = (year.parse::<i64>(), month.parse::<u32>(), day.parse::<u32>()) else { return false };
    (1..=12).contains(&month) && 1 <= day && day_of(days_of(year, month, day)) == text
}

/// Today, as `YYYY-MM-DD`, by the clock of this machine in UTC. What lies before 1970 is its first day.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    day_of(i64::try_from(seconds / 86_400).unwrap_or(0))
}

/// The day that is so many days after the first of 1970, by the Gregorian calendar.
fn day_of(days: i64) -> String {
    // Years are counted from March, so that the day that comes and goes is the last of its year, and in eras of 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// How many days a day is after the first of 1970.
fn days_of(year: i64, month: u32, day: u32) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let from_march = i64::from((month + 9) % 12);
    let of_year = (153 * from_march + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_days_of_the_calendar() {
        for (days, day) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (19_782, "2024-02-29"), (47_540, "2100-02-28")] {
            assert_eq!(day_of(days), day);
            assert!(is_day(day), "{day}");
        }
        for none in ["2023-02-29", "2100-02-29", "2024-13-01", "2024-00-10", "2024-1-01", "24-01-01", "2024-01-01T00", "tomorrow", ""] {
            assert!(!is_day(none), "{none}");
        }
    }
}
