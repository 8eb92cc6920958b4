//! Reads a pattern into a tree.

use crate::upstream::python::characters::is_word;
use crate::upstream::python::pattern::fault::PatternError;
use crate::upstream::python::pattern::matcher::{Class, Item, Matcher, Set};

/// Groups within groups; more would only strain the stack.
const DEEPEST: usize = 100;

/// A part of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// One character.
    One(Matcher),
    /// A place that must be of some kind.
    At(Place),
    /// One after the other.
    Sequence(Vec<Self>),
    /// One of several; the first that leads to a match counts.
    Either(Vec<Self>),
    /// The same several times.
    Repeat {
        /// What is repeated.
        node: Box<Self>,
        /// How often at least.
        least: u32,
        /// How often at most.
        most: Option<u32>,
        /// As often as possible rather than as rarely.
        greedy: bool,
    },
}

/// A kind of place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `^` and `\A`: the beginning of the text.
    Beginning,
    /// `^` where lines count.
    LineBeginning,
    /// `$`: the end, or before a line feed at the end.
    EndOfText,
    /// `$` where lines count.
    LineEnd,
    /// `\Z`: the very end.
    VeryEnd,
    /// `\b`: where a word begins or ends.
    WordEdge,
    /// `\B`: everywhere else.
    NoWordEdge,
}

impl Place {
    /// Returns true if and only if the place between two characters is of the kind; `rest` begins with the second.
    pub fn is_at(self, before: Option<char>, rest: &str) -> bool {
        let after = rest.chars().next();
        let is_edge = || before.is_some_and(is_word) != after.is_some_and(is_word);
        match self {
            Self::Beginning => before.is_none(),
            Self::LineBeginning => matches!(before, None | Some('\n')),
            Self::EndOfText => rest.is_empty() || rest == "\n",
            Self::LineEnd => matches!(after, None | Some('\n')),
            Self::VeryEnd => rest.is_empty(),
            Self::WordEdge => is_edge(),
            // An empty text has no place of this kind either: so says Python 3.11.
            Self::NoWordEdge => !(is_edge() || before.is_none() && after.is_none()),
        }
    }
}

/// Reads a pattern.
pub(super) fn parse(source: &str, ignore_case: bool) -> Result<Node, PatternError> {
    let mut parser =
        Parser { characters: source.chars().collect(), at: 0, depth: 0, flags: Flags { ignore_case, dot_all: false, lines: false } };
    parser.leading_flags()?;
    let node = parser.alternatives()?;
    if parser.peek().is_some() {
        return Err(parser.fault("unbalanced parenthesis"));
    }
    Ok(node)
}

#[derive(Clone, Copy)]
struct Flags {
    ignore_case: bool,
    dot_all: bool,
    lines: bool,
}

struct Parser {
    characters: Vec<char>,
    at: usize,
    depth: usize,
    flags: Flags,
}

/// What an escape stands for.
enum Escape {
    Character(char),
    Class(Class, bool),
    Place(Place),
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn peek_after(&self, distance: usize) -> Option<char> {
        self.characters.get(self.at + distance).copied()
    }

    fn take(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += 1;
        Some(character)
    }

    fn takes(&mut self, expected: char) -> bool {
        let is_there = self.peek() == Some(expected);
        self.at += usize::from(is_there);
        is_there
    }

    fn fault(&self, message: &'static str) -> PatternError {
        PatternError { message, at: self.at }
    }

    /// `(?i)`, `(?m)` and `(?s)` at the very beginning hold for the whole pattern.
    fn leading_flags(&mut self) -> Result<(), PatternError> {
        if self.peek() != Some('(') || self.peek_after(1) != Some('?') || !self.peek_after(2).is_some_and(|flag| flag.is_ascii_lowercase())
        {
            return Ok(());
        }
        let start = self.at;
        self.at += 2;
        loop {
            match self.take() {
                Some('i') => self.flags.ignore_case = true,
                Some('m') => self.flags.lines = true,
                Some('s') => self.flags.dot_all = true,
                Some('u') => {}
                Some(')') => return Ok(()),
                _ => return Err(PatternError { message: "flags other than i, m and s are not supported", at: start }),
            }
        }
    }

    fn alternatives(&mut self) -> Result<Node, PatternError> {
        let mut branches = vec![self.sequence()?];
        while self.takes('|') {
            branches.push(self.sequence()?);
        }
        Ok(if branches.len() == 1 { branches.swap_remove(0) } else { Node::Either(branches) })
    }

    fn sequence(&mut self) -> Result<Node, PatternError> {
        let mut nodes = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            let node = self.item()?;
            nodes.push(self.repeated(node)?);
        }
        Ok(Node::Sequence(nodes))
    }

    fn item(&mut self) -> Result<Node, PatternError> {
        let start = self.at;
        let ignore_case = self.flags.ignore_case;
        Ok(match self.take() {
            Some('.') => Node::One(if self.flags.dot_all { Matcher::Any } else { Matcher::AnyButLineFeed }),
            Some('^') => Node::At(if self.flags.lines { Place::LineBeginning } else { Place::Beginning }),
            Some('$') => Node::At(if self.flags.lines { Place::LineEnd } else { Place::EndOfText }),
            Some('[') => Node::One(Matcher::Set(self.set()?)),
            Some('(') => self.group(start)?,
            Some('*' | '+' | '?') => return Err(PatternError { message: "nothing to repeat", at: start }),
            Some('{') if self.bounds_at(start).is_some() => return Err(PatternError { message: "nothing to repeat", at: start }),
            Some('\\') => match self.escape(start, false)? {
                Escape::Character(character) => Node::One(Matcher::literal(character, ignore_case)),
                Escape::Class(class, negated) => {
                    Node::One(Matcher::Set(Set { negated: false, ignore_case, items: vec![Item::Class(class, negated)] }))
                }
                Escape::Place(place) => Node::At(place),
            },
            Some(character) => Node::One(Matcher::literal(character, ignore_case)),
            None => return Err(self.fault("the pattern ends too early")),
        })
    }

    fn group(&mut self, start: usize) -> Result<Node, PatternError> {
        self.depth += 1;
        if DEEPEST < self.depth {
            return Err(PatternError { message: "groups nest too deeply", at: start });
        }
        if self.takes('?') {
            match (self.take(), self.peek()) {
                (Some(':'), _) => {}
                (Some('P'), Some('<')) => self.group_name()?,
                (Some('=' | '!' | '<'), _) => return Err(PatternError { message: "lookaround is not supported", at: start }),
                _ => return Err(PatternError { message: "this kind of group is not supported", at: start }),
            }
        }
        let node = self.alternatives()?;
        if !self.takes(')') {
            return Err(self.fault("missing ), a group is not closed"));
        }
        self.depth -= 1;
        // A group is no place, so it may be repeated whatever is in it.
        Ok(Node::Sequence(vec![node]))
    }

    fn group_name(&mut self) -> Result<(), PatternError> {
        while let Some(character) = self.take() {
            if character == '>' {
                return Ok(());
            }
        }
        Err(self.fault("the name of a group is not closed"))
    }

    fn repeated(&mut self, node: Node) -> Result<Node, PatternError> {
        let start = self.at;
        let Some((least, most, end)) = self.bounds_at(start) else {
            return Ok(node);
        };
        if matches!(node, Node::At(_)) {
            return Err(self.fault("nothing to repeat"));
        }
        if most.is_some_and(|most| most < least) {
            return Err(self.fault("the least number of repeats is above the most"));
        }
        self.at = end;
        let greedy = !self.takes('?');
        if greedy && self.peek() == Some('+') {
            return Err(self.fault("possessive repeats are not supported"));
        }
        if self.bounds_at(self.at).is_some() {
            return Err(self.fault("multiple repeat"));
        }
        Ok(Node::Repeat { node: Box::new(node), least, most, greedy })
    }

    /// The bounds of a repeat that stands at a place, and where it ends; braces that bound nothing are text.
    fn bounds_at(&self, start: usize) -> Option<(u32, Option<u32>, usize)> {
        match self.characters.get(start)? {
            '*' => Some((0, None, start + 1)),
            '+' => Some((1, None, start + 1)),
            '?' => Some((0, Some(1), start + 1)),
            '{' => {
                let rest = self.characters.get(start + 1..)?;
                let length = rest.iter().position(|character| *character == '}')?;
                let inner: String = rest.get(..length)?.iter().collect();
                let number = |text: &str| text.chars().all(|digit| digit.is_ascii_digit()).then(|| text.parse().unwrap_or(u32::MAX));
                let (least, most) = match inner.split_once(',') {
                    Some((least, most)) => {
                        let most = if most.is_empty() { None } else { Some(number(most)?) };
                        (if least.is_empty() { 0 } else { number(least)? }, most)
                    }
                    None if inner.is_empty() => return None,
                    None => (number(&inner)?, Some(number(&inner)?)),
                };
                Some((least, most, start + length + 2))
            }
            _ => None,
        }
    }

    fn set(&mut self) -> Result<Set, PatternError> {
        let negated = self.takes('^');
        let mut items = Vec::new();
        loop {
            let start = self.at;
            match self.peek() {
                None => return Err(self.fault("a set is not closed")),
                Some(']') if !items.is_empty() => {
                    self.at += 1;
                    return Ok(Set { negated, ignore_case: self.flags.ignore_case, items });
                }
                Some(_) => {}
            }
            let first = self.set_item()?;
            let is_range = self.peek() == Some('-') && !matches!(self.peek_after(1), None | Some(']'));
            if !is_range {
                items.push(first);
                continue;
            }
            self.at += 1;
            match (first, self.set_item()?) {
                (Item::Range(first, _), Item::Range(last, _)) if first <= last => items.push(Item::Range(first, last)),
                _ => return Err(PatternError { message: "bad character range", at: start }),
            }
        }
    }

    fn set_item(&mut self) -> Result<Item, PatternError> {
        let start = self.at;
        match self.take() {
            Some('\\') => match self.escape(start, true)? {
                Escape::Character(character) => Ok(Item::Range(character, character)),
                Escape::Class(class, negated) => Ok(Item::Class(class, negated)),
                Escape::Place(_) => Err(PatternError { message: "bad escape in a set", at: start }),
            },
            Some(character) => Ok(Item::Range(character, character)),
            None => Err(self.fault("a set is not closed")),
        }
    }

    fn escape(&mut self, start: usize, in_set: bool) -> Result<Escape, PatternError> {
        let bad = |message| Err(PatternError { message, at: start });
        Ok(match self.take() {
            Some('w') => Escape::Class(Class::Word, false),
            Some('W') => Escape::Class(Class::Word, true),
            Some('d') => Escape::Class(Class::Digit, false),
            Some('D') => Escape::Class(Class::Digit, true),
            Some('s') => Escape::Class(Class::Space, false),
            Some('S') => Escape::Class(Class::Space, true),
            Some('b') if in_set => Escape::Character('\u{8}'),
            Some('b') => Escape::Place(Place::WordEdge),
            Some('B') => Escape::Place(Place::NoWordEdge),
            Some('A') => Escape::Place(Place::Beginning),
            Some('Z') => Escape::Place(Place::VeryEnd),
            Some('n') => Escape::Character('\n'),
            Some('r') => Escape::Character('\r'),
            Some('t') => Escape::Character('\t'),
            Some('f') => Escape::Character('\u{c}'),
            Some('v') => Escape::Character('\u{b}'),
            Some('a') => Escape::Character('\u{7}'),
            Some('0') => Escape::Character('\0'),
            Some('x') => Escape::Character(self.code(start, 2)?),
            Some('u') => Escape::Character(self.code(start, 4)?),
            Some('U') => Escape::Character(self.code(start, 8)?),
            Some(character) if character.is_ascii_digit() => return bad("back references are not supported"),
            Some(character) if character.is_ascii_alphabetic() => return bad("bad escape"),
            Some(character) => Escape::Character(character),
            None => return bad("bad escape at the end of the pattern"),
        })
    }

    fn code(&mut self, start: usize, digits: usize) -> Result<char, PatternError> {
        let end = self.at + digits;
        let text: String = self.characters.get(self.at..end).unwrap_or_default().iter().collect();
        self.at = end;
        let code = u32::from_str_radix(&text, 16).ok().filter(|_| text.chars().all(|digit| digit.is_ascii_hexdigit()));
        code.and_then(char::from_u32).ok_or(PatternError { message: "incomplete escape", at: start })
    }
}
