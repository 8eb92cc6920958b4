//! Fingerprints: by what a finding is known again when lines move. They hold nothing of what they are made of.

use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, Hasher as _};

use sha2::{Digest as _, Sha256};

use crate::accept::given::Given;
use crate::accept::opinion::{self, Opinion};
use crate::rule::Match;
use crate::subject::call::Value;
use crate::subject::{Subject, Undetermined};

/// How many bytes of the hash are kept.
const LENGTH: usize = 16;
/// A longer text is taken by its length and this much of both of its ends, in bytes: thousands of hits may each be around one.
const LONGEST: usize = 128 * 1024;

/// What is hashed with everything, so that no table of known secrets fits the fingerprints of anybody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salt(String);

impl Salt {
    /// A salt that nobody can foresee: it is as random as the hash maps of this program.
    pub fn random() -> Self {
        let mut hash = Sha256::new();
        for _ in 0..4 {
            hash.update(RandomState::new().build_hasher().finish().to_le_bytes());
        }
        Self(hex(&hash.finalize()))
    }

    /// The salt of this text, if it is one.
    pub fn from_text(text: &str) -> Option<Self> {
        is_hex(text).then(|| Self(text.to_owned()))
    }

    /// The salt as it is written.
    pub fn as_text(&self) -> &str {
        &self.0
    }

    /// The fingerprint of a hit; `text` is that in which its places are, `given` are the calls in it.
    pub fn of_match(&self, found: &Match, text: &str, given: &Given<'_>) -> String {
        let mut parts = Parts::new(self, "match");
        parts.add_text(&found.rule.id);
        parts.add_collapsed(found.span.slice(text));
        // Numbers in sentences are mostly those of lines, or counts that grow with the code around.
        parts.add_text(&found.message.iter().flat_map(|message| message.chars()).filter(|own| !own.is_numeric()).collect::<String>());
        for span in found.ends().into_iter().flat_map(|(origin, sink)| [origin, sink]) {
            parts.add_collapsed(span.slice(text));
        }
        given.to(found).into_iter().for_each(|value| parts.add_value(value));
        parts.finish()
    }

    /// The fingerprint of what models think of a subject as a whole.
    pub fn of_opinion(&self, opinion: &Opinion, subject: &Subject) -> String {
        let mut parts = Parts::new(self, "opinion");
        parts.add_text(&opinion.rule());
        let signals: BTreeSet<&str> = opinion.signals.iter().map(String::as_str).collect();
        for list in [signals, opinion::calls(subject)] {
            parts.add(&(list.len() as u64).to_le_bytes());
            list.into_iter().for_each(|item| parts.add_text(item));
        }
        parts.finish()
    }

    /// The fingerprint of what could not be judged, by all of the bytes that it stands for.
    pub fn of_undetermined(&self, undetermined: &Undetermined, content: &[u8; 32]) -> String {
        let mut parts = Parts::new(self, "undetermined");
        parts.add_text(undetermined.reason.name());
        parts.add(content);
        parts.finish()
    }
}

/// Returns true if and only if a text can be a salt or a fingerprint.
pub fn is_hex(text: &str) -> bool {
    text.len() == 2 * LENGTH && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
}

/// What a fingerprint is made of; each part with its length, so that no two lists of parts are one.
struct Parts(Sha256);

impl Parts {
    fn new(salt: &Salt, what: &str) -> Self {
        let mut parts = Self(Sha256::new());
        parts.add_text(salt.as_text());
        parts.add_text(what);
        parts
    }

    fn add(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn add_text(&mut self, part: &str) {
        self.add(part.as_bytes());
    }

    /// A text however it is indented or broken into lines.
    fn add_collapsed(&mut self, part: &str) {
        if part.len() <= LONGEST {
            let words: Vec<&str> = part.split_whitespace().collect();
            return self.add_text(&words.join(" "));
        }
        let bytes = part.as_bytes();
        self.add(&(bytes.len() as u64).to_le_bytes());
        self.add(bytes.get(..LONGEST / 2).unwrap_or(bytes));
        self.add(bytes.get(bytes.len() - LONGEST / 2..).unwrap_or(bytes));
    }

    /// What is known of a value; two that are written in two ways and are one count as one.
    fn add_value(&mut self, value: &Value) {
        value.visit("", &mut |key, value| match value {
            Value::String(text, _) | Value::Partial(text, _) => {
                self.add_text(key);
                self.add_collapsed(text);
            }
            Value::Number(number, _) => self.add_text(&format!("{key}={number}")),
            Value::Boolean(is_true, _) => self.add_text(&format!("{key}={is_true}")),
            Value::Missing | Value::Null(_) | Value::Array(..) | Value::Object(..) | Value::OneOf(..) | Value::Dynamic(_) => {}
        });
    }

    fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(LENGTH).fold(String::with_capacity(LENGTH * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rule::{Origin, Rule};
    use crate::subject::call::HostCall;
    use crate::subject::flow::Step;
    use crate::subject::{Kind, Lifecycle};
    use crate::value::severity::Severity;
    use crate::value::span::Span;
    use crate::value::verdict::Action;

    fn print(salt: &Salt, text: &str, message: &str, origin: Option<Span>) -> String {
        let span = Span::from_offsets(text.find("run").unwrap_or(0), text.len());
        let mut found = Match::new(&rule(), span).with_message(message);
        if let Some(origin) = origin {
            let step = |span| Step { span, note: String::new() };
            found = found.with_steps(vec![step(origin), step(span)]);
        }
        salt.of_match(&found, text, &Given::default())
    }

    #[test]
    fn what_a_call_is_given_is_part_of_it_wherever_that_is_defined() {
        let print = |value: &str, start: u32| {
            let mut subject = Subject::empty(Kind::Script, Lifecycle::PreAgentStart);
            let call = |argument: Value, span| HostCall {
                api: "run".to_owned(),
                arguments: vec![argument],
                receiver: Vec::new(),
                loop_depth: 0,
                repeated: false,
                repeat: crate::subject::call::Repeat::Once,
                earlier: 0,
                span,
                callers: Vec::new(),
            };
            let string = |text: &str| Value::String(text.to_owned(), Span::default());
            subject.host_calls.push(call(string("outer"), Span::new(0, start + 9)));
            subject.host_calls.push(call(string(value), Span::new(start, start + 8)));
            let text = format!("{}run(cmd)", " ".repeat(start as usize));
            let salt = Salt("0".repeat(32));
            let found = Match::new(&rule(), Span::new(start, start + 8));
            salt.of_match(&found, &text, &Given::of(&subject))
        };
        assert_eq!(print("ls", 1), print("ls", 40));
        assert_ne!(print("ls", 1), print("rm", 1));
    }

    fn rule() -> Arc<Rule> {
        Arc::new(Rule {
            id: "a".into(),
            origin: Origin::Check,
            category: "c".into(),
            severity: Severity::High,
            action: Action::Warn,
            why: "Because.".into(),
            help: "Do not.".into(),
            secret: false,
        })
    }

    #[test]
    fn a_fingerprint_is_made_of_what_is_found_and_not_of_where() {
        let salt = Salt("0".repeat(32));
        let known = print(&salt, "run( a,\n   b )", "it runs 3 times", None);
        assert!(is_hex(&known), "{known}");
        assert_eq!(known, print(&salt, "let x;\n\n\trun( a, b )", "it runs 14 times", None));
        for other in [
            print(&salt, "run( a, c )", "it runs 3 times", None),
            print(&salt, "run( a, b )", "it sends 3 times", None),
            print(&salt, "run( a, b )", "it runs 3 times", Some(Span::new(5, 6))),
            print(&Salt("1".repeat(32)), "run( a, b )", "it runs 3 times", None),
        ] {
            assert_ne!(known, other);
        }
        assert_ne!(Salt::random(), Salt::random());
    }
}
