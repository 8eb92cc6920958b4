//! What else must hold of what a regex finds.

/// A test that a regex cannot make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validator {
    /// It looks random, as a key does, and not like a placeholder.
    Entropy,
    /// Its digits end in the right check digit (payment cards).
    Luhn,
}

/// Least Shannon entropy of a key, in bits per character. Hexadecimal keys have up to 4, base64 up to 6;
/// words and placeholders of the same length mostly stay below 3.
const LEAST_ENTROPY: f64 = 3.0;

/// Parts that tell a placeholder.
const PLACEHOLDERS: &[&str] =
    &["example", "placeholder", "your", "xxxx", "changeme", "dummy", "redacted", "insert", "sample", "0123456789", "abcdefgh"];

impl Validator {
    /// All validators.
    pub const ALL: [Self; 2] = [Self::Entropy, Self::Luhn];

    /// The name used in patterns.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entropy => "entropy",
            Self::Luhn => "luhn",
        }
    }

    /// The validator of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|validator| validator.name() == name)
    }

    /// Returns true if and only if the text passes the test.
    pub fn holds(self, text: &str) -> bool {
        match self {
            Self::Entropy => LEAST_ENTROPY <= entropy(text) && !is_placeholder(text),
            Self::Luhn => luhn(text),
        }
    }
}

/// Shannon entropy of a text, in bits per character.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = text.len() as f64;
    counts.into_iter().filter(|count| 0 < *count).map(|count| f64::from(count) / length).map(|share| -share * share.log2()).sum()
}

fn is_placeholder(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|part| text.contains(part))
}

/// The check-digit test of payment cards: 13–19 digits that are not all the same.
fn luhn(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|character| character.to_digit(10)).collect();
    if !(13..=19).contains(&digits.len()) || digits.iter().all(|digit| Some(digit) == digits.first()) {
        return false;
    }
    let doubled = |digit: u32| if 4 < digit { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 = digits.iter().rev().enumerate().map(|(at, digit)| if at % 2 == 1 { doubled(*digit) } else { *digit }).sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_tells_keys_from_words() {
        for (text, expected) in [
            ("q8Zr2LmX0vTn5KjW", true),
            ("aaaaaaaaaaaaaaaa", false),
            ("passwordpassword", false),
            ("your-api-key-9f8e7d6c5b", false),
            ("", false),
        ] {
            assert_eq!(Validator::Entropy.holds(text), expected, "{text}");
        }
    }

    #[test]
    fn luhn_tells_card_numbers() {
        for (text, expected) in [("4111 1111 1111 1111", true), ("4111 1111 1111 1112", false), ("0000000000000000", false), ("42", false)]
        {
            assert_eq!(Validator::Luhn.holds(text), expected, "{text}");
        }
    }
}
