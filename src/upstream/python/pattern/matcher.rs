//! What one place of a pattern matches: one character.

use crate::upstream::python::characters::{is_digit, is_space, is_word, lower, same_letters, variants};

/// What one character must be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Matcher {
    /// This character.
    Exactly(char),
    /// This letter in any case; given in lower case.
    Letter(char),
    /// Any character but a line feed.
    AnyButLineFeed,
    /// Any character.
    Any,
    /// One of a set.
    Set(Set),
}

/// A set of characters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Set {
    /// It is everything but its items.
    pub negated: bool,
    /// What it holds, in any case.
    pub ignore_case: bool,
    /// What it holds.
    pub items: Vec<Item>,
}

/// A part of a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Item {
    /// The characters from one to another, both among them.
    Range(char, char),
    /// A class, or everything but it.
    Class(Class, bool),
}

/// A class of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// `\w`
    Word,
    /// `\d`
    Digit,
    /// `\s`
    Space,
}

impl Class {
    /// Returns true if and only if the character is of the class.
    pub fn holds(self, character: char) -> bool {
        match self {
            Self::Word => is_word(character),
            Self::Digit => is_digit(character),
            Self::Space => is_space(character),
        }
    }
}

impl Matcher {
    /// A character as it is written in a pattern.
    pub fn literal(character: char, ignore_case: bool) -> Self {
        if ignore_case { Self::Letter(lower(character)) } else { Self::Exactly(character) }
    }

    /// Returns true if and only if the character is what it must be.
    pub fn matches(&self, character: char) -> bool {
        match self {
            Self::Exactly(expected) => *expected == character,
            Self::Letter(expected) => {
                let letter = lower(character);
                letter == *expected || !letter.is_ascii() && same_letters(expected).contains(&letter)
            }
            Self::AnyButLineFeed => character != '\n',
            Self::Any => true,
            Self::Set(set) => set.holds(character),
        }
    }
}

impl Set {
    fn holds(&self, character: char) -> bool {
        self.items.iter().any(|item| self.item_holds(*item, character)) != self.negated
    }

    fn item_holds(&self, item: Item, character: char) -> bool {
        match item {
            Item::Range(first, last) => {
                (first..=last).contains(&character)
                    || self.ignore_case && variants(lower(character)).into_iter().any(|variant| (first..=last).contains(&variant))
            }
            Item::Class(class, negated) => {
                let character = if self.ignore_case { lower(character) } else { character };
                class.holds(character) != negated
            }
        }
    }
}
