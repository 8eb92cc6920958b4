//! Holds the numeric model and the named markers against answers of ClawGuard (maxxie114), and its lists against what callgate finds.

use callgate::model::numeric::flag::Flag;
use callgate::model::numeric::score;
use callgate::pattern::redaction::{Named, replaced, truncated};
use regex::Regex;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use crate::lists::{Flagged, Probe, Row, agree, cover, differing, published_lists, rows};

/// Least share of the flagged inputs in which callgate finds something, in percent. Most of the rest are fragments that name a word
/// of upstream's lists and ask for nothing (`base64:`, `Danish`, `show instructions`).
const COVERED_MAILS: usize = 45;
const COVERED_PARTS: usize = 30;
/// Longest subject and body, in characters.
const SUBJECT: usize = 500;
const BODY: usize = 50_000;

fn flags(value: &Value) -> Vec<Flag> {
    value.as_array().expect("flags are a list").iter().filter_map(Value::as_str).filter_map(Flag::from_name).collect()
}

/// A published list of names and regexes, in its order.
fn list(lists: &Value, name: &str) -> Vec<(String, Regex)> {
    let items = lists["maxxie"][name].as_array().expect("the list is there").iter();
    let item = |item: &Value| {
        let find = item["regex"].as_str().unwrap_or("");
        let find = if item["ignorecase"] == true { format!("(?i){}", with_every_i(find)) } else { find.to_owned() };
        let regex = Regex::new(&find).expect("the regex is one here too");
        (item["name"].as_str().unwrap_or("").to_owned(), regex)
    };
    items.map(item).collect()
}

/// The regex as Python reads it where case is ignored: an `i` is also one without a dot, and one with a dot in capitals.
fn with_every_i(find: &str) -> String {
    let (mut widened, mut class) = (String::new(), None);
    let mut characters = find.chars();
    while let Some(character) = characters.next() {
        widened.push(character);
        match character {
            '\\' => widened.extend(characters.next()),
            '[' if class.is_none() => class = Some(widened.len()),
            ']' => {
                if let Some(start) = class.take() {
                    let inner = widened.get(start..widened.len() - 1).unwrap_or("").to_ascii_lowercase();
                    if inner.contains('i') || inner.contains("a-z") {
                        widened.insert_str(widened.len() - 1, "ıİ");
                    }
                }
            }
            'i' | 'I' if class.is_none() => {
                widened.pop();
                widened.push_str("[iıİ]");
            }
            _ => {}
        }
    }
    widened
}

/// The text with a marker for each hit, one regex after the other on what the one before left, the names of those that hit, and
/// how often.
fn redacted(text: &str, list: &[(String, Regex)], kind: Named) -> (String, Vec<String>, usize) {
    let (mut text, mut names, mut count) = (text.to_owned(), Vec::new(), 0);
    for (name, regex) in list {
        let found: Vec<(usize, usize)> = regex.find_iter(&text).map(|found| (found.start(), found.end())).collect();
        if found.is_empty() {
            continue;
        }
        count += found.len();
        let marker = kind.marker(name);
        text = replaced(&text, found.into_iter().map(|stretch| (stretch, marker.as_str())));
        names.push(name.clone());
    }
    (text, names, count)
}

#[test]
fn flags_add_up_as_upstream() {
    let Some(rows) = rows("maxxie.jsonl") else { return };
    let lists = published_lists();
    let (injections, secrets) = (list(&lists, "injection"), list(&lists, "secret"));
    agree("maxxie.jsonl", &rows, |row| {
        let expected = &row.expected;
        let distinct = expected["injection_patterns"].as_array()?.len();
        let score = score(flags(&expected["flags"]), distinct);
        let mut found: Vec<String> = differing("the score", Some(score), expected["risk_score"].as_f64()).into_iter().collect();
        // What a mail says after HTML and characters were cleaned is not this model's; where nothing was, the markers are compared.
        let first = |names: &[&str]| names.iter().filter_map(|name| row.input[*name].as_str()).find(|text| !text.is_empty());
        if expected["html_stripped"] == false && expected["unicode_cleaned"] == false && first(&["body_html", "html"]).is_none() {
            let plain = first(&["body_plain", "text", "body"]);
            for (part, text, most) in [("subject", first(&["subject"]), SUBJECT), ("body", plain, BODY)] {
                let text: String = text.unwrap_or("").nfc().collect();
                let (text, _, _) = redacted(&text, &injections, Named::Injection);
                let (text, _, _) = redacted(&text, &secrets, Named::Secret);
                found.extend(differing(part, Some(truncated(&text, most).as_str()), expected[part].as_str()));
            }
        }
        Some(found)
    });
}

#[test]
fn parts_answer_as_upstream() {
    let Some(rows) = rows("maxxie-fn.jsonl") else { return };
    let lists = published_lists();
    let (injections, secrets) = (list(&lists, "injection"), list(&lists, "secret"));
    let names =
        |value: &Value| -> Vec<String> { value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect() };
    agree("maxxie-fn.jsonl", &rows, |row| {
        let text = row.input["text"].as_str().unwrap_or("");
        let expected = &row.expected;
        let found = match row.input["fn"].as_str()? {
            "_calculate_risk_score" => {
                let count = usize::try_from(row.input["injection_count"].as_u64()?).ok()?;
                vec![differing("the score", Some(score(flags(&row.input["flags"]), count)), expected["score"].as_f64())]
            }
            "redact_injections" => {
                let (text, found, _) = redacted(text, &injections, Named::Injection);
                vec![
                    differing("the text", Some(text.as_str()), expected["text"].as_str()),
                    differing("found", found, names(&expected["found"])),
                ]
            }
            "redact_secrets" => {
                let (text, _, count) = redacted(text, &secrets, Named::Secret);
                let count = differing("the count", Some(count as u64), expected["count"].as_u64());
                vec![differing("the text", Some(text.as_str()), expected["text"].as_str()), count]
            }
            "detect_injections" => {
                let found: Vec<String> =
                    injections.iter().filter(|(_, regex)| regex.is_match(text)).map(|(name, _)| name.clone()).collect();
                let score = differing("the points", score(Some(Flag::Injection), found.len()), points(&names(&expected["found"])));
                vec![differing("found", found, names(&expected["found"])), score]
            }
            // How it cleans characters and strips HTML is no arithmetic; what it finds that way is counted below.
            _ => return None,
        };
        Some(found.into_iter().flatten().collect())
    });
}

/// The points of a list of distinct injections: 40 for the flag, and 10 for each beyond the first.
fn points(names: &[String]) -> f64 {
    40.0 + 10.0 * names.len().saturating_sub(1) as f64
}

#[test]
fn what_upstream_flags_is_found() {
    let Some(mails) = rows("maxxie.jsonl") else { return };
    cover("maxxie", mails.into_iter().filter_map(of_mail).collect(), COVERED_MAILS);
    let parts = rows("maxxie-fn.jsonl").unwrap_or_default().into_iter().filter_map(of_part);
    cover("maxxie-fn", parts.collect(), COVERED_PARTS);
}

/// A mail that is flagged for what it says. HTML alone, attachments and sheer length are no matter of rules.
fn of_mail(row: Row) -> Option<Flagged> {
    let flags = flags(&row.expected["flags"]);
    let names = row.expected["injection_patterns"].as_array()?;
    let category = match names.first().and_then(Value::as_str) {
        Some(name) => format!("injection {name}"),
        None => flags.iter().find(|flag| matches!(flag, Flag::HiddenContent | Flag::Secret | Flag::Unicode))?.name().to_owned(),
    };
    let part = |name: &str| row.input[name].as_str().unwrap_or("").to_owned();
    let text = [part("subject"), part("body"), part("body_html"), part("html")].join("\n");
    Some(Flagged { id: row.id, category, probe: Probe::Text(text) })
}

fn of_part(row: Row) -> Option<Flagged> {
    let text = row.input["text"].as_str()?.to_owned();
    let (name, expected) = (row.input["fn"].as_str()?, &row.expected);
    let category = match name {
        "detect_injections" => format!("injection {}", expected["found"].as_array()?.first()?.as_str()?),
        "redact_secrets" => {
            let marker = expected["text"].as_str()?.split_once("[SECRET_REDACTED:")?.1;
            format!("secret {}", marker.split(']').next()?)
        }
        "clean_unicode" if expected["suspicious"] == true => "unicode".to_owned(),
        "strip_html" if expected["text"].as_str()?.contains("_REMOVED]") => "hidden or script".to_owned(),
        _ => return None,
    };
    Some(Flagged { id: row.id, category, probe: Probe::Text(text) })
}
