//! What a word stands for: escapes of `$'…'`, braces, variables.

use std::collections::HashMap;

/// Stands for an open brace that no quote protects.
pub const OPEN: char = '\u{e000}';
/// Stands for a comma between such braces.
pub const COMMA: char = '\u{e001}';
/// Stands for a closed brace that no quote protects.
pub const CLOSE: char = '\u{e002}';
/// So many words become of one.
const WORDS: usize = 64;

/// All words that a word with braces stands for; one without stays as it is.
pub fn braces(word: &str) -> Vec<String> {
    let mut found = vec![word.to_owned()];
    while let Some(at) = found.iter().position(|word| choices(word).is_some()) {
        let word = found.remove(at);
        let Some((before, choices, after)) = choices(&word) else { break };
        let made: Vec<String> = choices.into_iter().map(|choice| format!("{before}{choice}{after}")).collect();
        found.splice(at..at, made);
        if WORDS < found.len() {
            break;
        }
    }
    found.iter().map(|word| plain(word)).collect()
}

/// The parts of the first innermost pair of braces that holds a choice: before, the choices, after.
fn choices(word: &str) -> Option<(&str, Vec<String>, &str)> {
    let mut from = 0;
    while let Some(close) = word.get(from..)?.find(CLOSE).map(|at| from + at) {
        let open = word.get(..close)?.rfind(OPEN)?;
        let inner = word.get(open + OPEN.len_utf8()..close)?;
        let choices = if inner.contains(COMMA) { Some(inner.split(COMMA).map(str::to_owned).collect()) } else { range(inner) };
        if let Some(choices) = choices {
            return Some((word.get(..open)?, choices, word.get(close + CLOSE.len_utf8()..)?));
        }
        from = close + CLOSE.len_utf8();
    }
    None
}

/// The numbers or letters of `1..9` and `a..f`, as far as a few are told.
fn range(inner: &str) -> Option<Vec<String>> {
    let (first, last) = inner.split_once("..")?;
    if let (Ok(first), Ok(last)) = (first.parse::<i32>(), last.parse::<i32>()) {
        return Some((first.min(last)..=first.max(last)).take(8).map(|number| number.to_string()).collect());
    }
    let (mut first, mut last) = (first.chars(), last.chars());
    match (first.next(), first.next(), last.next(), last.next()) {
        (Some(first), None, Some(last), None) => Some((first.min(last)..=first.max(last)).take(26).map(String::from).collect()),
        _ => None,
    }
}

/// A word with its braces as they were written.
fn plain(word: &str) -> String {
    let back = |character| match character {
        OPEN => '{',
        COMMA => ',',
        CLOSE => '}',
        other => other,
    };
    word.chars().map(back).collect()
}

/// What `$'…'` says, without its quotes.
pub fn escapes(text: &str) -> String {
    let mut said = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            said.push(character);
            continue;
        }
        let Some(escaped) = characters.next() else { break };
        let (radix, most, from) = match escaped {
            'x' => (16, 2, None),
            'u' => (16, 4, None),
            'U' => (16, 8, None),
            '0'..='7' => (8, 2, Some(escaped)),
            'n' => ('\n'.into(), 0, None),
            't' => ('\t'.into(), 0, None),
            'r' => ('\r'.into(), 0, None),
            'e' | 'E' => ('\u{1b}'.into(), 0, None),
            other => (u32::from(other), 0, None),
        };
        if most == 0 {
            said.extend(char::from_u32(radix));
            continue;
        }
        let mut digits: String = from.into_iter().collect();
        let longest = most + digits.len();
        while digits.len() < longest
            && let Some(digit) = characters.next_if(|next| next.is_digit(radix))
        {
            digits.push(digit);
        }
        said.extend(u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32));
    }
    said
}

/// The value of what stands in `${…}` or behind `$`; how it is written where that is not known.
pub fn variable(variables: &HashMap<String, String>, inner: &str, written: String) -> String {
    let name = inner.split([':', '-', '=', '?', '+', '%', '#', '/', '^', ',', '@', '[']).next().unwrap_or(inner);
    if name == "IFS" {
        return " ".to_owned();
    }
    if let Some(value) = variables.get(name) {
        return value.clone();
    }
    // `${X:-/tmp}` is what it falls back to where nothing is known of X.
    match inner.split_once(":-") {
        Some((_, fallback)) if !fallback.is_empty() && !fallback.contains('$') && !is_named(name) => fallback.to_owned(),
        Some(_) | None => written,
    }
}

/// Names that a shell or a system always sets.
fn is_named(name: &str) -> bool {
    matches!(name, "HOME" | "PWD" | "USER" | "PATH" | "TMPDIR")
}
