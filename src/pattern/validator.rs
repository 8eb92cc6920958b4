//! What else must hold of what a regex finds.

use crate::pattern::area_code::is_area_code;

/// A test that a regex cannot make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validator {
    /// It looks random, as a key does, and not like a placeholder.
    Entropy,
    /// It can be nothing but a key or a strong password: it looks random, is no placeholder, and not made of words.
    Random,
    /// Its digits end in the right check digit (payment cards).
    Luhn,
    /// It is a social security number that can have been given out.
    Ssn,
    /// It is a telephone number that can be called.
    Phone,
    /// It has the form of a mail address.
    Email,
    /// Its check digits are right (international bank account numbers).
    Iban,
}

/// Least Shannon entropy of a key, in bits per character. Hexadecimal keys have up to 4, base64 up to 6;
/// words and placeholders of the same length mostly stay below 3.
const LEAST_ENTROPY: f64 = 3.0;

/// Parts that tell a placeholder.
const PLACEHOLDERS: &[&str] =
    &["example", "placeholder", "your", "xxxx", "changeme", "dummy", "redacted", "insert", "sample", "0123456789", "abcdefgh"];

/// How the keys begin, in lower case, that open the same emulators everywhere (documentation of Azurite and of the Cosmos DB
/// emulator).
const EMULATOR_KEYS: &[&str] = &["eby8vdm02xnocqflquwj", "c2y6ydjf5/r+ob0n8a7c"];

impl Validator {
    /// All validators.
    pub const ALL: [Self; 7] = [Self::Entropy, Self::Random, Self::Luhn, Self::Ssn, Self::Phone, Self::Email, Self::Iban];

    /// The name used in patterns.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entropy => "entropy",
            Self::Random => "random",
            Self::Luhn => "luhn",
            Self::Ssn => "ssn",
            Self::Phone => "phone",
            Self::Email => "email",
            Self::Iban => "iban",
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
            Self::Random => is_random(text),
            Self::Luhn => luhn(text),
            Self::Ssn => is_social_security_number(text),
            Self::Phone => is_phone_number(text),
            Self::Email => is_mail_address(text),
            Self::Iban => is_bank_account_number(text),
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
    PLACEHOLDERS.iter().chain(EMULATOR_KEYS).any(|part| text.contains(part))
}

/// What tells that a text which stands alone is no key but a word for one, or a setting.
const WORDS: &[&str] = &[
    "test",
    "demo",
    "fake",
    "change",
    "replace",
    "secret",
    "passw",
    "p@ss",
    "p4ss",
    "123456",
    "abc123",
    "abcdef",
    "string",
    "null",
    "undefined",
    "admin",
    "value",
    "todo",
    "mock",
    "none",
    "true",
    "false",
    "hash",
    "...",
];
/// From so many characters on a key needs no sign among them.
const LONG: usize = 12;

fn is_random(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    if is_placeholder(text) || WORDS.iter().any(|word| lower.contains(word)) {
        return false;
    }
    let count = |is: fn(&u8) -> bool| text.as_bytes().iter().filter(|byte| is(byte)).count();
    let (digits, letters) = (count(u8::is_ascii_digit), count(u8::is_ascii_alphabetic));
    let has_sign = text.contains(['!', '@', '#', '%', '^', '&', '*', '~', '+']);
    let is_long = LONG <= text.len();
    // Names are put together from words and numbers; keys change between letters and digits all the time.
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    let of_words: usize = words.filter(|word| is_word(word)).map(str::len).sum();
    let class = |byte: &u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let plain: Vec<u8> = text.bytes().filter(u8::is_ascii_alphanumeric).collect();
    let changes = plain.windows(2).filter(|pair| pair.first().map(class) != pair.last().map(class)).count();
    let is_mixed = plain.len() <= 4 * changes + 1 && (has_sign || 2 * of_words < plain.len());
    // What changes at every other character is no name even without numbers.
    let has_numbers = 2 <= digits || plain.len() <= 2 * changes;
    has_numbers
        && 2 <= letters
        && is_mixed
        && !is_camel_case(text)
        && (is_long || has_sign)
        && if is_long { LEAST_ENTROPY } else { 2.5 } <= entropy(text)
}

/// Returns true if and only if it has capitals and a third of it are words nevertheless.
fn is_camel_case(text: &str) -> bool {
    let runs = text.split(|character: char| !character.is_ascii_lowercase());
    let of_words: usize = runs.map(str::len).filter(|length| 4 <= *length).sum();
    text.bytes().any(|byte| byte.is_ascii_uppercase()) && text.len() <= 3 * of_words
}

/// Returns true if and only if it is a word, with a capital or in capitals, or a short number.
fn is_word(part: &str) -> bool {
    let rest = part.strip_prefix(|first: char| first.is_ascii_alphabetic()).unwrap_or(part);
    let number = part.strip_prefix('v').unwrap_or(part);
    let is_lower = 2 <= rest.len() && rest.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_upper = 2 <= part.len() && part.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_number = (1..=4).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    is_lower || is_upper || is_number
}

/// The check-digit test of payment cards: 13–19 digits that are not all the same, with blanks or hyphens between them.
fn luhn(text: &str) -> bool {
    let is_written = |character: char| character.is_ascii_digit() || character == '-' || character.is_whitespace();
    let digits: Vec<u32> = text.chars().filter_map(|character| character.to_digit(10)).collect();
    if !text.chars().all(is_written) || !(13..=19).contains(&digits.len()) || digits.iter().all(|digit| Some(digit) == digits.first()) {
        return false;
    }
    let doubled = |digit: u32| if 4 < digit { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 = digits.iter().rev().enumerate().map(|(at, digit)| if at % 2 == 1 { doubled(*digit) } else { *digit }).sum();
    sum.is_multiple_of(10)
}

/// A number of the form `078-05-1120`: the area is none of 000, 666 and 900–999, the group not 00, the serial not 0000.
/// Source: the randomisation rules of the Social Security Administration, 2011.
fn is_social_security_number(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [area, group, serial] = parts.as_slice() else { return false };
    let is_number = |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_given = *area != "000" && *area != "666" && !area.starts_with('9') && *group != "00" && *serial != "0000";
    is_number(area, 3) && is_number(group, 2) && is_number(serial, 4) && is_given
}

/// A number of the North American plan, or one with the code of another country, which has 8–15 digits (E.164).
fn is_phone_number(text: &str) -> bool {
    let is_written = |character: char| matches!(character, '0'..='9' | '+' | '-' | '.' | '(' | ')') || character.is_whitespace();
    if !text.chars().all(is_written) {
        return false;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if text.trim_start().starts_with('+') && !digits.starts_with('1') {
        return !digits.starts_with('0') && (8..=15).contains(&digits.len());
    }
    let national = if digits.len() == 11 { digits.strip_prefix('1').unwrap_or("") } else { &digits };
    let exchange = national.get(3..4).unwrap_or("0");
    national.len() == 10 && is_area_code(national.get(..3).unwrap_or("")) && "2" <= exchange
}

/// One `@`; before it no empty part between dots; behind it a dot with something before it and two characters or more behind
/// it, and neither a dot nor a hyphen at the ends. Characters are counted in UTF-16, as ClawGuardian (superglue-ai) counts them.
fn is_mail_address(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return false };
    // What JavaScript takes for white space: NEL is none, the byte order mark is.
    let is_blank = |character: char| character.is_whitespace() && character != '\u{85}' || character == '\u{feff}';
    let has_ending =
        || domain.match_indices('.').any(|(at, _)| 0 < at && 2 <= domain.get(at + 1..).unwrap_or("").encode_utf16().take(2).count());
    let is_closed = |part: &str, ends: &[char]| part.starts_with(ends) || part.ends_with(ends);
    !text.contains(is_blank)
        && !name.is_empty()
        && !domain.contains('@')
        && has_ending()
        && !is_closed(name, &['.'])
        && !name.contains("..")
        && !is_closed(domain, &['.', '-'])
}

/// The check of ISO 13616: with the first four characters last and letters as 10–35, the rest by 97 is 1.
fn is_bank_account_number(text: &str) -> bool {
    let written: Vec<char> = text.chars().filter(|character| *character != ' ').collect();
    if !(15..=34).contains(&written.len()) {
        return false;
    }
    let (first, rest) = written.split_at(4);
    let rest = rest.iter().chain(first).try_fold(0_u32, |rest, character| {
        let value = character.to_digit(36).filter(|_| character.is_ascii_digit() || character.is_ascii_uppercase())?;
        Some((rest * if value < 10 { 10 } else { 100 } + value) % 97)
    });
    rest == Some(1)
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

    /// A text that looks like a key is put together here, so that none stands in a file.
    #[test]
    fn keys_are_told_from_names_and_settings() {
        for (text, expected) in [
            ("tR7qLm2mW9xZ".to_owned(), true),
            ("tR7!qm2W".to_owned(), true),
            ("kQzTwBxRnLpV".to_owned(), true),
            (["9f86d081884c", "7d659a2feaa0c5"].concat(), true),
            (["22cb9878-51bc-5659", "-9114-c62e60c79abd"].concat(), true),
            ("users-list-v2-2024".to_owned(), false),
            ("us-east-1-prod-2".to_owned(), false),
            ("text-embedding-3-small".to_owned(), false),
            ("created_at_2024_01".to_owned(), false),
            ("Ed25519PrivateKey".to_owned(), false),
            ("hunter22".to_owned(), false),
            ("P@ssword123".to_owned(), false),
            ("YOUR_KEY_1a2b3c4d".to_owned(), false),
            ("aaaa1111bbbb2222".to_owned(), false),
        ] {
            assert_eq!(Validator::Random.holds(&text), expected, "{text}");
        }
    }

    #[test]
    fn luhn_tells_card_numbers() {
        for (text, expected) in [("4111 1111 1111 1111", true), ("4111 1111 1111 1112", false), ("0000000000000000", false), ("42", false)]
        {
            assert_eq!(Validator::Luhn.holds(text), expected, "{text}");
        }
    }

    /// The numbers are those that their issuers publish as examples.
    #[test]
    fn numbers_of_persons_are_told_from_other_numbers() {
        for (validator, text, expected) in [
            (Validator::Luhn, "4111.1111.1111.1111", false),
            (Validator::Ssn, "078-05-1120", true),
            (Validator::Ssn, "000-45-6789", false),
            (Validator::Ssn, "666-45-6789", false),
            (Validator::Ssn, "900-45-6789", false),
            (Validator::Ssn, "123-00-6789", false),
            (Validator::Ssn, "123-45-0000", false),
            (Validator::Ssn, "123456789", false),
            (Validator::Phone, "(212) 555-1234", true),
            (Validator::Phone, "1-212-555-1234", true),
            (Validator::Phone, "212-155-1234", false),
            (Validator::Phone, "000-555-1234", false),
            (Validator::Phone, "+44 20 7946 0958", true),
            (Validator::Phone, "+1 999 555 1234", false),
            (Validator::Phone, "call me", false),
            (Validator::Email, "ann.lee@example.co.uk", true),
            (Validator::Email, "ann..lee@example.com", false),
            (Validator::Email, "ann@example", false),
            (Validator::Email, "ann@b@example.com", false),
            (Validator::Email, "ann@example..com", true),
            (Validator::Email, "ann@example.c", false),
            (Validator::Email, "ann@ex.a.b", true),
            (Validator::Email, "ann@-example.com", false),
            (Validator::Email, "ann@example.com-", false),
            (Validator::Email, ".ann@example.com", false),
            (Validator::Email, "@example.com", false),
            (Validator::Email, "ann@.com", false),
            (Validator::Email, "a\u{85}n@example.com", true),
            (Validator::Email, "a\u{feff}n@example.com", false),
            (Validator::Email, "ann@b.\u{1f600}", true),
            (Validator::Iban, "GB82 WEST 1234 5698 7654 32", true),
            (Validator::Iban, "GB82 WEST 1234 5698 7654 33", false),
            (Validator::Iban, "DE89370400440532013000", true),
            (Validator::Iban, "not a number", false),
        ] {
            assert_eq!(validator.holds(text), expected, "{validator:?} {text}");
        }
    }
}
