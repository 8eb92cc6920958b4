//! SQL statements, as tokens.
//!
//! One reader takes what all dialects write: each quotes, comments and marks places in its own way, and a statement does not
//! tell for which of them it is. What no dialect reads is passed over, so that every text comes to an end.

pub mod condition;
pub mod selection;

use crate::subject::segment::HOLE;

/// One token of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A keyword or name, in lower case.
    Word(String),
    /// A name in quotes, in lower case.
    Name(String),
    /// A string.
    Text(String),
    /// A number.
    Number(f64),
    /// A sign: an operator, a parenthesis, a comma.
    Sign(&'static str),
    /// A place that is filled before it runs: `?`, `$1`, `:name`, or a part of the text that is not known.
    Hole,
    /// Like `Hole`, but it may stand for any stretch of text: a whole clause.
    Unknown,
}

impl Token {
    /// Returns true if and only if it is this keyword.
    pub fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(own) if own == word)
    }

    /// The name that it writes, quoted or not.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Word(name) | Self::Name(name) => Some(name),
            Self::Text(_) | Self::Number(_) | Self::Sign(_) | Self::Hole | Self::Unknown => None,
        }
    }
}

const SIGNS: &[&str] =
    &["<=>", "<>", "!=", "<=", ">=", "==", "||", "(", ")", ",", "=", "<", ">", "+", "-", "*", "/", "%", ".", "!", ":", "[", "]", "{", "}"];
/// Longer texts are not read, in bytes.
const LONGEST: usize = 256 * 1024;

/// The statements of a text, each as its tokens. Comments are left out, but what MySQL runs in them is not.
pub fn statements(text: &str) -> Vec<Vec<Token>> {
    if LONGEST < text.len() {
        return Vec::new();
    }
    // A backslash escapes a quote in some dialects only; where it would leave a string open, it does not.
    let (escaped, is_open) = read(text, true);
    if is_open && text.contains("\\'") { read(text, false).0 } else { escaped }
}

/// The statements of a text, and whether its last string is left open; `escapes` says that a backslash escapes.
fn read(text: &str, escapes: bool) -> (Vec<Vec<Token>>, bool) {
    let mut statements = vec![Vec::new()];
    let (mut rest, mut is_open) = (text, false);
    while let Some(character) = rest.chars().next() {
        let (token, length) = token(rest, character, escapes);
        is_open = rest.len() < length;
        rest = rest.get(length.max(1)..).unwrap_or("");
        match token {
            Read::Token(token) => statements.last_mut().into_iter().for_each(|statement: &mut Vec<Token>| statement.push(token.clone())),
            Read::End => statements.push(Vec::new()),
            Read::Nothing => {}
        }
    }
    statements.retain(|statement| !statement.is_empty());
    (statements, is_open)
}

enum Read {
    Token(Token),
    End,
    Nothing,
}

/// The token at the start of a text, and its length in bytes: more than there are where its end is missing.
fn token(rest: &str, first: char, escapes: bool) -> (Read, usize) {
    let after = |prefix: &str, end: &str| {
        rest.get(prefix.len()..).and_then(|inner| inner.find(end)).map_or(rest.len(), |at| prefix.len() + at + end.len())
    };
    match first {
        ';' => (Read::End, 1),
        HOLE => (Read::Token(Token::Unknown), first.len_utf8()),
        _ if first.is_whitespace() => (Read::Nothing, first.len_utf8()),
        '-' if rest.starts_with("--") => (Read::Nothing, rest.find('\n').unwrap_or(rest.len())),
        '#' => (Read::Nothing, rest.find('\n').unwrap_or(rest.len())),
        // MySQL runs what stands in `/*! … */`, MariaDB also what stands in `/*M! … */`.
        '/' if rest.starts_with("/*!") => (Read::Nothing, 3 + digits(rest, 3)),
        '/' if rest.starts_with("/*M!") => (Read::Nothing, 4 + digits(rest, 4)),
        '*' if rest.starts_with("*/") => (Read::Nothing, 2),
        '/' if rest.starts_with("/*") => (Read::Nothing, after("/*", "*/")),
        '\'' => quoted(rest, '\'', escapes, Token::Text),
        '"' => quoted(rest, '"', false, |name| Token::Name(name.to_lowercase())),
        '`' => quoted(rest, '`', false, |name| Token::Name(name.to_lowercase())),
        '$' if dollar(rest).is_some() => {
            let mark = dollar(rest).unwrap_or("$$");
            let length = after(mark, mark);
            let inner = rest.get(mark.len()..).and_then(|inner| inner.split(mark).next()).unwrap_or("");
            (Read::Token(Token::Text(inner.to_owned())), length)
        }
        '?' => (Read::Token(Token::Hole), 1),
        // A cast: what follows is the name of a type.
        ':' if rest.starts_with("::") => (Read::Token(Token::Sign(":")), 2),
        '$' | '@' | ':' if rest.chars().nth(1).is_some_and(|next| next.is_alphanumeric() || next == '_') => {
            (Read::Token(Token::Hole), 1 + word_length(rest.get(1..).unwrap_or("")))
        }
        _ if first.is_ascii_digit() => {
            let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'.').count();
            let number = rest.get(..length).and_then(|digits| digits.parse().ok()).unwrap_or(f64::NAN);
            (Read::Token(Token::Number(number)), length)
        }
        _ if first.is_alphabetic() || first == '_' => {
            let length = word_length(rest);
            (Read::Token(Token::Word(rest.get(..length).unwrap_or("").to_lowercase())), length)
        }
        _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => (Read::Token(Token::Sign(sign)), sign.len()),
            None => (Read::Nothing, first.len_utf8()),
        },
    }
}

fn digits(rest: &str, behind: usize) -> usize {
    rest.bytes().skip(behind).take_while(u8::is_ascii_digit).count()
}

/// The mark that opens a string in dollars: `$$`, `$body$`.
fn dollar(rest: &str) -> Option<&str> {
    let end = rest.get(1..)?.find('$')? + 2;
    let is_mark = |name: &str| !name.starts_with(|first: char| first.is_ascii_digit()) && word_length(name) == name.len();
    rest.get(..end).filter(|_| rest.get(1..end - 1).is_some_and(is_mark))
}

fn word_length(text: &str) -> usize {
    text.char_indices()
        .find(|(_, character)| !character.is_alphanumeric() && *character != '_' && *character != '$')
        .map_or(text.len(), |(at, _)| at)
}

/// A quoted text; a doubled quote stands for one. One that is left open is longer than what is there.
fn quoted(rest: &str, quote: char, escapes: bool, make: impl Fn(String) -> Token) -> (Read, usize) {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if escapes => text.extend(characters.next().map(|(_, escaped)| escaped)),
            _ if character == quote => match characters.next_if(|(_, next)| *next == quote) {
                Some(_) => text.push(quote),
                None => return (Read::Token(make(text)), at + quote.len_utf8()),
            },
            _ => text.push(character),
        }
    }
    (Read::Token(make(text)), rest.len() + 1)
}
