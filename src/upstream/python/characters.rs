//! Which characters Python counts as words, digits and spaces, and which it takes for the same letter.

use crate::upstream::python::tables::{DECIMAL, PRINTABLE, WORD};

/// What `\s` means beyond ASCII. Source: `str.isspace` of Python 3.11.
const SPACES: &[char] = &[
    '\u{85}', '\u{a0}', '\u{1680}', '\u{2000}', '\u{2001}', '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}',
    '\u{2008}', '\u{2009}', '\u{200a}', '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}', '\u{3000}',
];

/// Lower-case letters that `re.IGNORECASE` takes for one another beside upper and lower case; each
/// row is one letter and its likes. Source: Python 3.11, `re._casefix`.
const SAME_LETTERS: &[&[char]] = &[
    &['i', 'ı'],
    &['s', 'ſ'],
    &['µ', 'μ'],
    &['\u{345}', 'ι', '\u{1fbe}'],
    &['\u{390}', '\u{1fd3}'],
    &['\u{3b0}', '\u{1fe3}'],
    &['β', 'ϐ'],
    &['ε', 'ϵ'],
    &['θ', 'ϑ'],
    &['κ', 'ϰ'],
    &['π', 'ϖ'],
    &['ρ', 'ϱ'],
    &['ς', 'σ'],
    &['φ', 'ϕ'],
    &['в', '\u{1c80}'],
    &['д', '\u{1c81}'],
    &['о', '\u{1c82}'],
    &['с', '\u{1c83}'],
    &['т', '\u{1c84}', '\u{1c85}'],
    &['ъ', '\u{1c86}'],
    &['ѣ', '\u{1c87}'],
    &['\u{1c88}', '\u{a64b}'],
    &['\u{1e61}', '\u{1e9b}'],
    &['\u{fb05}', '\u{fb06}'],
];

/// Capitals whose lower case is that of another capital, by that lower case.
const FURTHER_CAPITALS: &[(char, char)] = &[
    ('i', '\u{130}'),
    ('k', '\u{212a}'),
    ('å', '\u{212b}'),
    ('ω', '\u{2126}'),
    ('θ', '\u{3f4}'),
    ('ß', '\u{1e9e}'),
    ('ǆ', '\u{1c5}'),
    ('ǉ', '\u{1c8}'),
    ('ǌ', '\u{1cb}'),
    ('ǳ', '\u{1f2}'),
];

/// Returns true if and only if `\w` matches the character.
pub fn is_word(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    is_in(WORD, character)
}

/// Returns true if and only if `\d` matches the character.
pub fn is_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_digit();
    }
    is_in(DECIMAL, character)
}

/// Returns true if and only if `\s` matches the character.
pub fn is_space(character: char) -> bool {
    matches!(character, '\t'..='\r' | '\u{1c}'..=' ') || SPACES.contains(&character)
}

/// Returns true if and only if `repr` writes the character as it is.
pub fn is_printable(character: char) -> bool {
    is_in(PRINTABLE, character)
}

/// The lower case of a character as `re.IGNORECASE` compares it: always one character.
pub fn lower(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    character.to_lowercase().next().unwrap_or(character)
}

/// The letters that `re.IGNORECASE` takes for a lower-case one, itself among them.
pub fn same_letters(lower: &char) -> &[char] {
    let row = SAME_LETTERS.iter().find(|row| row.contains(lower));
    row.map_or(std::slice::from_ref(lower), |row| *row)
}

/// Every character that `re.IGNORECASE` takes for a lower-case one.
pub fn variants(lower: char) -> Vec<char> {
    let mut variants = Vec::new();
    for letter in same_letters(&lower) {
        variants.push(*letter);
        let mut upper = letter.to_uppercase();
        if let (Some(capital), None) = (upper.next(), upper.next()) {
            variants.push(capital);
        }
        variants.extend(FURTHER_CAPITALS.iter().filter(|(own, _)| own == letter).map(|(_, capital)| *capital));
    }
    variants
}

fn is_in(table: &[u32], character: char) -> bool {
    table.partition_point(|boundary| *boundary <= u32::from(character)) % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::{is_digit, is_printable, is_space, is_word, lower, variants};

    #[test]
    fn words_are_letters_and_numbers_but_no_marks() {
        for (character, expected) in
            [('a', true), ('_', true), ('²', true), ('日', true), ('٣', true), ('\u{301}', false), ('\u{200d}', false), ('-', false)]
        {
            assert_eq!(is_word(character), expected, "{character:?}");
        }
        assert!(is_digit('٣') && !is_digit('²'));
        assert!(is_space('\u{1c}') && is_space('\u{85}') && !is_space('\u{200b}') && !is_space('\u{feff}'));
    }

    #[test]
    fn what_unicode_14_does_not_know_is_not_printable() {
        for (character, expected) in
            [(' ', true), ('\u{a0}', false), ('\u{ad}', false), ('🎉', true), ('\u{1fae8}', false), ('\u{378}', false)]
        {
            assert_eq!(is_printable(character), expected, "{character:?}");
        }
    }

    #[test]
    fn some_letters_are_the_same_without_case() {
        assert_eq!(lower('\u{130}'), 'i');
        for (letter, other) in [('s', 'ſ'), ('k', '\u{212a}'), ('i', 'ı'), ('i', '\u{130}'), ('a', 'A')] {
            assert!(variants(letter).contains(&other), "{letter} {other}");
        }
        assert!(!variants('ß').contains(&'S'));
    }
}
