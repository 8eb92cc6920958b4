//! The examples that a pattern carries, and whether they hold.
//!
//! Strings that look like credentials must not stand in files, so examples are templates:
//! `{{alnum:36}}` stands for 36 letters and digits, always the same ones, and `{{lit:TEXT}}` for TEXT.

use crate::pattern::{Pattern, WRITTEN_HOLE};
use crate::subject::segment::HOLE;

/// The characters behind each class name.
const CLASSES: &[(&str, &str)] = &[
    ("digit", "0123456789"),
    ("lower", "abcdefghijklmnopqrstuvwxyz"),
    ("upper", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
    ("hex", "0123456789abcdef"),
    ("alnum", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
    ("base64", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
    ("b64url", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"),
];

/// An example that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenExample {
    /// The pattern's id.
    pub id: String,
    /// The example as written.
    pub example: String,
    /// It should have been found.
    pub is_hit: bool,
    /// Why it does not hold.
    pub why: &'static str,
}

/// The examples of a pattern that do not hold.
pub fn broken(pattern: &Pattern) -> Vec<BrokenExample> {
    let broken = |example: &str, is_hit, why| BrokenExample { id: pattern.rule.id.to_string(), example: example.to_owned(), is_hit, why };
    let hits = pattern.examples.hit.iter().filter_map(|example| {
        let text = expand(example);
        if !has_keyword(pattern, &text) {
            return Some(broken(example, true, "none of its keywords stands in it, so it would never be tried"));
        }
        pattern.find_in(&text, 1).is_empty().then(|| broken(example, true, "it should be found and is not"))
    });
    let misses = pattern.examples.miss.iter().filter_map(|example| {
        let found = has_keyword(pattern, &expand(example)) && !pattern.find_in(&expand(example), 1).is_empty();
        found.then(|| broken(example, false, "it should not be found and is"))
    });
    hits.chain(misses).collect()
}

fn has_keyword(pattern: &Pattern, text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    pattern.keywords.is_empty() || pattern.keywords.iter().any(|keyword| text.contains(keyword))
}

/// The text that an example stands for.
pub fn expand(example: &str) -> String {
    let mut text = String::with_capacity(example.len());
    let mut rest = example;
    // Any fixed start does; the characters only have to look random.
    let mut state = 0x2545_f491_u32;
    while let Some((before, after)) = rest.split_once("{{") {
        text.push_str(before);
        let Some((template, behind)) = after.split_once("}}") else {
            text.push_str("{{");
            rest = after;
            continue;
        };
        match fill(template, &mut state) {
            Some(filled) => text.push_str(&filled),
            None => {
                text.push_str("{{");
                text.push_str(template);
                text.push_str("}}");
            }
        }
        rest = behind;
    }
    text.push_str(rest);
    text.replace(WRITTEN_HOLE, HOLE.encode_utf8(&mut [0; 4]))
}

fn fill(template: &str, state: &mut u32) -> Option<String> {
    let (class, argument) = template.split_once(':')?;
    if class == "lit" {
        return Some(argument.to_owned());
    }
    let characters: Vec<char> = CLASSES.iter().find(|(name, _)| *name == class)?.1.chars().collect();
    let count: usize = argument.parse().ok()?;
    let mut next = || {
        // Marsaglia's xorshift with 32 bits.
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        characters.get(*state as usize % characters.len()).copied()
    };
    (0..count.min(10_000)).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_expand_to_as_many_characters_of_their_class() {
        let text = expand("a_{{hex:8}}-{{lit:b}}c{{nothing}}");
        assert!(text.starts_with("a_") && text.ends_with("-bc{{nothing}}"), "{text}");
        let hex = text.get(2..10).unwrap_or_default();
        assert!(hex.len() == 8 && hex.chars().all(|character| character.is_ascii_hexdigit()), "{hex}");
        assert_eq!(expand("{{alnum:40}}"), expand("{{alnum:40}}"));
    }
}
