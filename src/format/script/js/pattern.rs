//! The structure of a regular expression: sequences of what is matched, with how often.

use std::iter::Peekable;
use std::str::Chars;

/// The longest pattern that is read, in bytes.
const LONGEST: usize = 8 * 1024;
/// How deep groups are read.
const DEPTH: u32 = 50;

/// Characters that a place of a pattern accepts; all beyond ASCII count as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set(u128, bool);

impl Set {
    /// Every character.
    const ALL: Self = Self(u128::MAX, true);

    fn one(character: char) -> Self {
        Self::range(character, character)
    }

    fn range(from: char, to: char) -> Self {
        let ascii = (u32::from(from)..=u32::from(to).min(127)).fold(0, |bits, code| bits | 1_u128.checked_shl(code).unwrap_or(0));
        Self(ascii, 127 < u32::from(to))
    }

    fn of(characters: &str) -> Self {
        characters.chars().fold(Self::default(), |set, character| set.with(Self::one(character)))
    }

    /// The characters of both.
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1)
    }

    /// Returns true if and only if a character is in it.
    pub fn has(self, character: char) -> bool {
        self.meets(Self::one(character))
    }

    fn negated(self) -> Self {
        Self(!self.0, true)
    }

    /// Returns true if and only if a character is in both.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0 || self.1 && other.1
    }
}

/// What stands at a place of a pattern.
#[derive(Clone, Debug)]
pub enum Node {
    /// One character of a set.
    Set(Set),
    /// One of several sequences.
    Group(Vec<Vec<Item>>),
    /// A place or condition that takes no character.
    Anchor,
}

/// What stands at a place of a pattern, and how often.
#[derive(Clone, Debug)]
pub struct Item {
    /// What.
    pub node: Node,
    /// At least so often.
    pub least: u32,
    /// At most so often; nothing, where there is no end.
    pub most: Option<u32>,
}

/// Reads a pattern; nothing, where it is no pattern or too large.
pub fn read(text: &str) -> Option<Vec<Vec<Item>>> {
    if LONGEST < text.len() {
        return None;
    }
    let mut characters = text.chars().peekable();
    let alternatives = alternatives(&mut characters, DEPTH)?;
    characters.next().is_none().then_some(alternatives)
}

fn alternatives(text: &mut Peekable<Chars<'_>>, depth: u32) -> Option<Vec<Vec<Item>>> {
    let depth = depth.checked_sub(1)?;
    let mut alternatives = vec![Vec::new()];
    while let Some(&character) = text.peek() {
        match character {
            ')' => break,
            '|' => {
                text.next();
                alternatives.push(Vec::new());
            }
            _ => {
                let node = node(text, depth)?;
                let (least, most) = quantifier(text);
                alternatives.last_mut()?.push(Item { node, least, most });
            }
        }
    }
    Some(alternatives)
}

fn node(text: &mut Peekable<Chars<'_>>, depth: u32) -> Option<Node> {
    match text.next()? {
        '^' | '$' => Some(Node::Anchor),
        '.' => Some(Node::Set(Set::of("\n\r").negated())),
        '[' => class(text).map(Node::Set),
        '\\' => escape(text),
        '(' => {
            let is_condition = head(text)?;
            let inner = alternatives(text, depth)?;
            (text.next()? == ')').then_some(if is_condition { Node::Anchor } else { Node::Group(inner) })
        }
        character => Some(Node::Set(Set::one(character))),
    }
}

/// What follows an opening bracket; tells whether the group only looks ahead or behind.
fn head(text: &mut Peekable<Chars<'_>>) -> Option<bool> {
    if text.peek() != Some(&'?') {
        return Some(false);
    }
    text.next();
    match text.next()? {
        ':' => Some(false),
        '=' | '!' => Some(true),
        '<' => {
            if matches!(text.peek(), Some('=' | '!')) {
                text.next();
                return Some(true);
            }
            text.by_ref().find(|character| *character == '>').map(|_| false)
        }
        // Modifiers: `(?i:`.
        _ => text.by_ref().find(|character| *character == ':').map(|_| false),
    }
}

fn quantifier(text: &mut Peekable<Chars<'_>>) -> (u32, Option<u32>) {
    let bounds = match text.peek() {
        Some('*') => Some((0, None)),
        Some('+') => Some((1, None)),
        Some('?') => Some((0, Some(1))),
        Some('{') => braces(text.clone().skip(1)),
        _ => None,
    };
    let Some(bounds) = bounds else { return (1, Some(1)) };
    if text.next() == Some('{') {
        text.by_ref().find(|character| *character == '}');
    }
    if text.peek() == Some(&'?') {
        text.next();
    }
    bounds
}

/// `2}`, `2,}` and `2,5}`.
fn braces(text: impl Iterator<Item = char>) -> Option<(u32, Option<u32>)> {
    let inner: String = text.take(24).collect();
    let (inner, _) = inner.split_once('}')?;
    match inner.split_once(',') {
        None => inner.parse().ok().map(|count| (count, Some(count))),
        Some((least, "")) => least.parse().ok().map(|least| (least, None)),
        Some((least, most)) => Some((least.parse().ok()?, Some(most.parse().ok()?))),
    }
}

fn escape(text: &mut Peekable<Chars<'_>>) -> Option<Node> {
    match text.peek()? {
        'b' | 'B' => {
            text.next();
            Some(Node::Anchor)
        }
        '1'..='9' => {
            while text.peek().is_some_and(char::is_ascii_digit) {
                text.next();
            }
            Some(Node::Anchor)
        }
        'k' => {
            text.by_ref().find(|character| *character == '>');
            Some(Node::Anchor)
        }
        _ => escaped(text).map(Node::Set),
    }
}

/// The characters of an escape, after its backslash.
fn escaped(text: &mut Peekable<Chars<'_>>) -> Option<Set> {
    let digits = Set::range('0', '9');
    let word = digits.with(Set::range('a', 'z')).with(Set::range('A', 'Z')).with(Set::one('_'));
    let space = Set::of(" \t\n\r\u{b}\u{c}").with(Set(0, true));
    match text.next()? {
        'd' => Some(digits),
        'D' => Some(digits.negated()),
        'w' => Some(word),
        'W' => Some(word.negated()),
        's' => Some(space),
        'S' => Some(Set(!space.0, true)),
        'n' => Some(Set::one('\n')),
        'r' => Some(Set::one('\r')),
        't' => Some(Set::one('\t')),
        'x' => hex(text, 2),
        'u' if text.peek() == Some(&'{') => {
            text.by_ref().find(|character| *character == '}');
            Some(Set(0, true))
        }
        'u' => hex(text, 4),
        'p' | 'P' => {
            text.by_ref().find(|character| *character == '}');
            Some(Set::ALL)
        }
        'c' => text.next().map(|_| Set::default()),
        character => Some(Set::one(character)),
    }
}

fn hex(text: &mut Peekable<Chars<'_>>, digits: usize) -> Option<Set> {
    let digits: String = text.by_ref().take(digits).collect();
    u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).map(Set::one)
}

/// What stands between `[` and `]`.
fn class(text: &mut Peekable<Chars<'_>>) -> Option<Set> {
    let is_negated = text.next_if_eq(&'^').is_some();
    let mut set = Set::default();
    let mut last = None;
    loop {
        match text.next()? {
            ']' => return Some(if is_negated { set.negated() } else { set }),
            '\\' => {
                set = set.with(if text.next_if_eq(&'b').is_some() { Set::one('\u{8}') } else { escaped(text)? });
                last = None;
            }
            '-' if last.is_some() && text.peek() != Some(&']') => {
                let to = text.next()?;
                // A range up to an escape is taken for everything from there on.
                let to = if to == '\\' { escaped(text).map(|_| '\u{7f}')? } else { to };
                set = set.with(Set::range(last?, to));
                last = None;
            }
            character => {
                set = set.with(Set::one(character));
                last = Some(character);
            }
        }
    }
}
