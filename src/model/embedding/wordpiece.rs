//! Texts as tokens: the uncased tokenizer of BERT, for the vocabulary of the token table.
//!
//! A text is cleaned, written small and without accents, and cut at blanks and signs; each word is then cut into the longest
//! pieces that the vocabulary knows, from the left. All of it takes linear time: a word of more than a hundred letters is
//! unknown, and no piece is longer than the longest token.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::model::embedding::table::{Hash, Table};

/// Longer words are unknown, as they are to BERT.
const LONGEST_WORD: usize = 100;
/// No table has longer tokens than this, in bytes.
const LONGEST_TOKEN: usize = 64;

/// The tokens of a text, by their rows; a word that the vocabulary does not know is `None`.
pub fn tokens(table: &Table, text: &str) -> Vec<Option<u16>> {
    let mut found = Vec::new();
    let mut rows = Vec::new();
    words(text, &mut |word| {
        rows.clear();
        if pieces(table, word, &mut rows) {
            found.extend(rows.iter().copied().map(Some));
        } else {
            found.push(None);
        }
    });
    found
}

/// Visits the words of a text, and each sign apart.
pub fn words(text: &str, visit: &mut impl FnMut(&str)) {
    let mut word = String::new();
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            word.push(character.to_ascii_lowercase());
        } else {
            other(character, &mut word, visit);
        }
    }
    end(&mut word, visit);
}

/// Takes a character that is no plain letter or digit.
fn other(character: char, word: &mut String, visit: &mut impl FnMut(&str)) {
    if character.is_whitespace() {
        end(word, visit);
    } else if is_dropped(character) {
        // It joins what stands on both sides of it.
    } else if is_sign(character) || is_ideograph(character) {
        end(word, visit);
        word.push(character);
        end(word, visit);
    } else {
        let plain = std::iter::once(character).nfd().filter(|part| !is_combining_mark(*part));
        for part in plain {
            // What is taken apart may hold a sign: `…` does not, but a Greek question mark does.
            if is_sign(part) {
                end(word, visit);
                word.push(part);
                end(word, visit);
            } else {
                word.extend(part.to_lowercase());
            }
        }
    }
}

fn end(word: &mut String, visit: &mut impl FnMut(&str)) {
    if !word.is_empty() {
        visit(word);
        word.clear();
    }
}

/// Control characters, and marks that only tell how to draw others.
fn is_dropped(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffd}'
            | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

/// Signs that stand apart: those of ASCII, and the punctuation of other scripts.
fn is_sign(character: char) -> bool {
    character.is_ascii_punctuation()
        || matches!(character,
            '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' | '\u{37e}' | '\u{387}' | '\u{55a}'..='\u{55f}' | '\u{589}' | '\u{58a}' | '\u{5be}'
            | '\u{60c}' | '\u{60d}' | '\u{61b}' | '\u{61e}' | '\u{61f}' | '\u{66a}'..='\u{66d}' | '\u{6d4}' | '\u{964}' | '\u{965}'
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '\u{2045}'..='\u{2051}' | '\u{2053}'..='\u{205e}'
            | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{30fb}'
            | '\u{ff01}'..='\u{ff03}' | '\u{ff05}'..='\u{ff0a}' | '\u{ff0c}'..='\u{ff0f}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}' | '\u{ff20}')
}

/// Characters of Chinese writing, each a word of its own.
fn is_ideograph(character: char) -> bool {
    matches!(character,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2ceaf}' | '\u{2f800}'..='\u{2fa1f}')
}

/// Adds the rows of a word's pieces; returns false, and adds none, if any of it is unknown.
pub fn pieces(table: &Table, word: &str, rows: &mut Vec<u16>) -> bool {
    if LONGEST_WORD < word.len() && LONGEST_WORD < word.chars().count() {
        return false;
    }
    let before = rows.len();
    let mut rest = word;
    while !rest.is_empty() {
        let Some((row, length)) = longest(table, rest, rest.len() != word.len()) else {
            rows.truncate(before);
            return false;
        };
        rows.push(row);
        rest = rest.get(length..).unwrap_or_default();
    }
    true
}

/// The longest token with which a text begins, and its length.
fn longest(table: &Table, text: &str, is_continued: bool) -> Option<(u16, usize)> {
    let most = table.longest().min(LONGEST_TOKEN).min(text.len());
    let mut hashes = [Hash::new(is_continued); LONGEST_TOKEN];
    let mut hash = Hash::new(is_continued);
    for (known, byte) in hashes.iter_mut().zip(text.bytes().take(most)) {
        hash = hash.and(byte);
        *known = hash;
    }
    (1..=most).rev().find_map(|length| {
        let beginning = text.get(..length)?;
        let row = table.find(beginning.as_bytes(), is_continued, *hashes.get(length - 1)?)?;
        Some((row, length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_reference() {
        let table = Table::built_in().expect("it is a table");
        let rows: Vec<(String, Vec<String>)> =
            serde_json::from_str(include_str!("../../../tests/data/wordpiece.json")).expect("rows of strings and tokens");
        assert!(50 < rows.len());
        for (text, expected) in rows {
            let found: Vec<&str> = tokens(&table, &text).into_iter().map(|row| row.map_or("[UNK]", |row| table.text(row))).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn long_words_are_unknown_and_cost_nothing() {
        let table = Table::built_in().expect("it is a table");
        for (word, is_known) in [("a".repeat(100), true), ("a".repeat(101), false), ("é".repeat(1 << 20), false)] {
            let mut rows = Vec::new();
            let mut found = false;
            words(&word, &mut |word| found = pieces(&table, word, &mut rows));
            assert_eq!((found, rows.is_empty()), (is_known, !is_known), "{} bytes", word.len());
        }
    }
}
