//! Words of `knowledge/` as variants of the enums that they stand for.

use std::io;

/// What is done.
pub const EFFECTS: &[&str] =
    &["read", "write", "delete", "send", "run", "grant", "guard-off", "pay", "spend", "persist", "instruct", "control", "obtain"];
/// To how much.
pub const EXTENTS: &[&str] = &["unknown", "nothing", "one", "few", "bounded", "many", "unbounded", "all"];
/// How far paths reach.
pub const REACHES: &[&str] = &["disposable", "scoped", "unknown", "store", "here", "data", "home", "system", "root"];
/// On which side something lies.
pub const SIDES: &[&str] = &["inside", "unknown", "outside"];
/// What kind of harm data does where it does not belong.
pub const SENSITIVITIES: &[&str] = &["internal", "contact", "personal", "health", "financial", "authentication"];
/// How bad it is.
pub const SEVERITIES: &[&str] = &["low", "medium", "high", "critical"];

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

/// Several words as a list of variants.
pub fn variants(kind: &str, words: &[String], known: &[&str]) -> io::Result<String> {
    let variants: Vec<String> = words.iter().map(|word| path(kind, word, known)).collect::<io::Result<_>>()?;
    Ok(format!("&[{}]", variants.join(", ")))
}
