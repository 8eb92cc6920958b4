//! Words of `knowledge/` as variants of the enums that they stand for.

use std::io;

/// What is done.
pub const EFFECTS: &[&str] =
    &["read", "write", "delete", "send", "run", "grant", "guard-off", "pay", "spend", "persist", "instruct", "control", "obtain"];

/// What is wrong with the rows.
pub fn fault(message: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("knowledge: {message}"))
}

/// A word of a list as the name of an enum's variant: `file-write` is `FileWrite`.
pub fn variant(kind: &str, word: &str, known: &[&str]) -> io::Result<String> {
    if !known.contains(&word) {
        return Err(fault(format!("`{word}` is no {kind}; it can be {}", known.join(", "))));
    }
    let capital = |part: &str| part.chars().take(1).map(|first| first.to_ascii_uppercase()).chain(part.chars().skip(1)).collect::<String>();
    Ok(word.split(['-', '_']).map(capital).collect())
}

/// The same with its enum before it: `guard-off` of `EffectKind` is `EffectKind::GuardOff`.
pub fn path(kind: &str, word: &str, known: &[&str]) -> io::Result<String> {
    Ok(format!("{kind}::{}", variant(kind, word, known)?))
}

/// A word that a row may leave out, as the variant of an enum.
pub fn some(kind: &str, word: Option<&impl std::fmt::Debug>) -> String {
    word.map_or_else(|| "None".to_owned(), |word| format!("Some({kind}::{word:?})"))
}

/// Several words as a list of variants.
pub fn variants(kind: &str, words: &[impl std::fmt::Debug]) -> String {
    let variants: Vec<String> = words.iter().map(|word| format!("{kind}::{word:?}")).collect();
    format!("&[{}]", variants.join(", "))
}
