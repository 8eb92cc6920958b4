//! What is posted to a service: counted features of a subject, and never its text.
//!
//! Names that a script chooses freely (tools, keys, fields) can hold anything. What overlaps or repeats a secret that was found,
//! looks like one, or is longer than a name, is masked.

use serde_json::{Map, Value as Json, json};

use crate::meaning::magnitude::Magnitude;
use crate::meaning::{CallFeatures, Features};
use crate::model::Evidence;
use crate::subject::Completeness;
use crate::subject::call::{Call, Tool};
use crate::upstream::enclave::service::Masks;
use crate::value::span::Span;

/// The version of what is posted.
pub const VERSION: &str = "1.0";
/// What stands in place of what must not leave.
pub const MASK: &str = "[masked]";

/// How many calls are posted.
const MOST_CALLS: usize = 1_000;
/// How many names of one kind are posted of a call, and how many pairs of calls.
const MOST_NAMES: usize = 100;
/// The longest name that is posted, in characters.
const LONGEST_NAME: usize = 100;
/// The shortest found secret that is looked for in names, in bytes.
const SHORTEST_SECRET: usize = 4;
/// So many letters and digits in a row …
const TOKEN_LENGTH: usize = 20;
/// … with so many digits among them look like a token and not like a name.
const TOKEN_DIGITS: usize = 4;

/// The features of a subject, as they are posted.
pub fn features(evidence: &Evidence<'_>) -> Json {
    let Features {
        calls: facts,
        data_flow,
        sequences,
        sensitive_fields,
        ends: _,
        leaks,
        actions: _,
        takes_back: _,
        starts_only_own: _,
        strangers_tell_model: _,
    } = evidence.features;
    let subject = evidence.subject;
    let secrets = Secrets::of(evidence);
    let calls: Vec<Json> =
        subject.calls.iter().zip(facts).take(MOST_CALLS).map(|(call, facts)| call_value(call, facts, &secrets)).collect();
    let pairs = |pairs: &[(usize, usize)]| -> Vec<Json> { pairs.iter().take(MOST_NAMES).map(|(from, to)| json!([from, to])).collect() };
    let fields = sensitive_fields.iter().take(MOST_NAMES);
    let fields: Vec<Json> =
        fields.map(|field| json!({ "name": secrets.name(&field.name, field.span), "category": field.category.name() })).collect();
    json!({
        "kind": subject.kind.name(),
        "lifecycle": subject.lifecycle.name(),
        "complete": subject.completeness == Completeness::Complete,
        "total_calls": subject.calls.len(),
        "total_host_calls": subject.host_calls.len(),
        "total_leaks": leaks.len(),
        "calls": calls,
        "data_flow": pairs(data_flow),
        "read_then_send": pairs(sequences),
        "sensitive_fields": fields,
    })
}

fn call_value(call: &Call, facts: &CallFeatures, secrets: &Secrets<'_>) -> Json {
    let resolution = match call.tool {
        Tool::Named(_) => "literal",
        Tool::Folded(_) => "folded",
        Tool::Dynamic => "dynamic",
    };
    let names = |magnitudes: &[Magnitude]| -> Vec<Json> {
        let value = |found: &Magnitude| json!({ "key": secrets.name(&found.key, Span::default()), "number": found.number });
        magnitudes.iter().take(MOST_NAMES).map(value).collect()
    };
    json!({
        "tool": call.tool.name().map(|name| secrets.name(name, call.tool_span)),
        "resolution": resolution,
        "keys": facts.keys.iter().take(MOST_NAMES).map(|key| secrets.name(key, Span::default())).collect::<Vec<_>>(),
        "limits": names(&facts.limits),
        "numbers": names(&facts.numbers),
        "wildcards": facts.wildcards.len(),
        "loop_depth": facts.loop_depth,
        "repeated": facts.is_repeated,
    })
}

/// The secrets that were found in a subject.
pub struct Secrets<'e> {
    spans: Vec<Span>,
    texts: Vec<&'e str>,
}

impl<'e> Secrets<'e> {
    /// The secrets among the matches.
    pub fn of(evidence: &Evidence<'e>) -> Self {
        let spans: Vec<Span> = evidence.matches.iter().filter(|found| found.rule.secret).map(|found| found.span).collect();
        let texts = spans.iter().map(|span| span.slice(evidence.text)).filter(|text| SHORTEST_SECRET <= text.len()).collect();
        Self { spans, texts }
    }

    /// A name that stands at a place, or the mask.
    pub fn name(&self, name: &str, span: Span) -> String {
        let is_at_secret = span != Span::default() && self.spans.iter().any(|secret| secret.overlaps(span));
        let is_masked = is_at_secret || self.hold(name) || LONGEST_NAME < name.chars().count() || looks_secret(name);
        if is_masked { MASK.to_owned() } else { name.to_owned() }
    }

    /// All of these texts, each masked where it holds a secret. A secret that stands in none of them as it was found stands in
    /// one of them in another way; then all are masked.
    pub fn texts(&self, texts: &[&str]) -> Vec<String> {
        let is_found = |secret: &&str| texts.iter().any(|text| text.contains(*secret));
        let are_all_found = self.spans.len() == self.texts.len() && self.texts.iter().all(is_found);
        let masked =
            |text: &&str| if !are_all_found || self.hold(text) || looks_secret(text) { MASK.to_owned() } else { (*text).to_owned() };
        texts.iter().map(masked).collect()
    }

    /// What `make` makes where these secrets are masked.
    pub fn masking<R>(&self, make: impl FnOnce(Masks<'_>) -> R) -> R {
        make(Masks { name: &|name| self.name(name, Span::default()), strings: &|strings| self.texts(strings) })
    }

    fn hold(&self, text: &str) -> bool {
        self.texts.iter().any(|secret| text.contains(secret))
    }
}

/// Returns true if and only if a text holds a run of letters and digits that looks like a token and not like a name.
fn looks_secret(text: &str) -> bool {
    let runs = text.split(|character: char| !character.is_ascii_alphanumeric());
    runs.filter(|run| TOKEN_LENGTH <= run.len()).any(|run| TOKEN_DIGITS <= run.bytes().filter(u8::is_ascii_digit).count())
}

/// The whole text that is posted.
pub fn body(features: Json) -> String {
    let mut body = Map::new();
    body.insert("features".to_owned(), features);
    body.insert("version".to_owned(), VERSION.into());
    Json::Object(body).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_and_what_looks_like_a_token_is_masked() {
        let token = ["sk", "live", "51H8xT4mQ9aZ2bC7dE6f"].join("_");
        let none = Secrets { spans: Vec::new(), texts: Vec::new() };
        for (name, is_kept) in [
            ("users:list", true),
            ("getUserAccountTransactions2024V2", false),
            ("getUserAccountTransactionsV2", true),
            ("internationalizationOfEverything", true),
            (token.as_str(), false),
            (&"x".repeat(101), false),
        ] {
            assert_eq!(none.name(name, Span::default()) == name, is_kept, "{name}");
        }
    }

    #[test]
    fn what_repeats_or_overlaps_a_found_secret_is_masked() {
        let secrets = Secrets { spans: vec![Span::new(10, 20)], texts: vec!["hunter-two"] };
        assert_eq!(secrets.name("say:hunter-two", Span::default()), MASK);
        assert_eq!(secrets.name("a", Span::new(19, 25)), MASK);
        assert_eq!(secrets.name("a", Span::new(20, 25)), "a");
        assert_eq!(secrets.texts(&["hunter-two", "b"]), [MASK, "b"]);
        assert_eq!(secrets.texts(&["hunter\u{2d}tw\u{6f}!", "b"]), [MASK, "b"]);
        assert_eq!(secrets.texts(&["hunter", "b"]), [MASK, MASK]);
    }
}
