//! The keys of a JSON object, however they are spelt: `tool_name`, `toolName` and `ToolName` are one.

use crate::subject::call::{Property, Value};
use crate::value::span::Span;

/// The properties of an object.
#[derive(Clone, Copy)]
pub struct Fields<'v>(pub &'v [Property]);

impl<'v> Fields<'v> {
    /// What stands under a key, which is given in lower case without separators; of several the last, as most readers take it.
    pub fn get(self, key: &str) -> Option<&'v Value> {
        self.0.iter().rfind(|property| is_key(&property.key, key)).map(|property| &property.value)
    }

    /// What stands under a key, unless it is `null`.
    pub fn present(self, key: &str) -> Option<&'v Value> {
        self.get(key).filter(|value| !matches!(value, Value::Null(_)))
    }

    /// What stands under the first of these keys that is there and not `null`.
    pub fn first(self, keys: &[&str]) -> Option<&'v Value> {
        keys.iter().find_map(|key| self.present(key))
    }

    /// What stands under each of these keys that is there and not `null`.
    pub fn each(self, keys: &[&str]) -> Vec<&'v Value> {
        keys.iter().filter_map(|key| self.present(key)).collect()
    }

    /// The text under a key.
    pub fn text(self, key: &str) -> Option<&'v str> {
        self.get(key).and_then(text)
    }

    /// The text under the first of these keys that has one.
    pub fn first_text(self, keys: &[&str]) -> Option<&'v str> {
        keys.iter().find_map(|key| self.text(key))
    }

    /// Returns true if and only if a key is there.
    pub fn has(self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Returns true if and only if every key is one of these.
    pub fn are_all(self, keys: &[&str]) -> bool {
        self.0.iter().all(|property| keys.iter().any(|key| is_key(&property.key, key)))
    }
}

/// Returns true if and only if a key is this one, which is given in lower case without separators.
pub fn is_key(written: &str, key: &str) -> bool {
    let mut rest = key.bytes();
    let mut letters = written.bytes().filter(|byte| !matches!(byte, b'_' | b'-'));
    letters.all(|letter| rest.next() == Some(letter.to_ascii_lowercase())) && rest.next().is_none()
}

/// The fields of an object.
pub fn fields(value: &Value) -> Option<Fields<'_>> {
    match value {
        Value::Object(properties, _) => Some(Fields(properties)),
        _ => None,
    }
}

/// The elements of a list.
pub fn elements(value: &Value) -> &[Value] {
    match value {
        Value::Array(elements, _) => elements,
        _ => &[],
    }
}

/// What a string says.
pub fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text, _) => Some(text),
        _ => None,
    }
}

/// A name in lower case without separators, as keys are compared.
pub fn folded(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '_' | '-')).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// A text or a number as it is written, such as an id.
pub fn written(value: &Value, source: &str) -> Option<String> {
    match value {
        Value::String(text, _) if !text.is_empty() => Some(text.clone()),
        Value::Number(_, span) => Some(span.slice(source).to_owned()),
        _ => None,
    }
}

/// A span over both.
pub fn over(left: Span, right: Span) -> Span {
    Span::new(left.start.min(right.start), left.end.max(right.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_known_in_every_spelling() {
        for (written, key, expected) in [
            ("tool_name", "toolname", true),
            ("toolName", "toolname", true),
            ("Tool-Name", "toolname", true),
            ("toolNames", "toolname", false),
            ("tool", "toolname", false),
            ("", "toolname", false),
        ] {
            assert_eq!(is_key(written, key), expected, "{written}");
        }
    }
}
