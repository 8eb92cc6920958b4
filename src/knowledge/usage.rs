//! What texts of scripts are used for: what functions do with one (`handlings`), and what a hit in it is then worth (`uses`).

use crate::knowledge::row::term::{Handling, Use};
use crate::value::severity::Severity;

/// What functions do with a text that they are given.
#[derive(Debug)]
pub struct HandlingRow {
    /// What they do.
    pub does: Handling,
    /// Whole names of functions and objects; all of a module where there are none.
    pub calls: &'static [&'static str],
    /// Names of methods of whatever there is.
    pub methods: &'static [&'static str],
    /// First words of the names of functions that are not known.
    pub first_words: &'static [&'static str],
    /// Modules from which they come; of the host, where there are none.
    pub from: &'static [&'static str],
    /// They call what stands beside the text with it.
    pub hands_on: bool,
    /// The methods do so with what they are passed, whatever they are called on.
    pub of_any: bool,
    /// A script in which `TEXT` is handled so.
    pub hit: &'static str,
    /// One in which it is not.
    pub miss: &'static str,
}

/// How bad a hit is in a text that is used so.
#[derive(Debug)]
pub struct UseRow {
    /// What the text is used for.
    pub used: &'static [Use],
    /// Categories of patterns.
    pub categories: &'static [&'static str],
    /// At most so bad; none where it is nothing to speak of.
    pub severity: Option<Severity>,
}

/// All rows of functions.
pub static HANDLINGS: &[HandlingRow] = include!(concat!(env!("OUT_DIR"), "/handlings.rs"));

static USES: &[UseRow] = include!(concat!(env!("OUT_DIR"), "/uses.rs"));

/// At most how bad a hit of a category is in a text that is used so; none where its use tells nothing of it.
pub fn at_most(used: Use, category: &str) -> Option<Severity> {
    let row = USES.iter().find(|row| row.used.contains(&used) && row.categories.contains(&category))?;
    Some(row.severity.unwrap_or(Severity::Low))
}

/// What a function of the host (no module) or of a module does with a text; `path` is its name with all that stands before it.
pub fn of_function(module: Option<&str>, path: &str) -> Option<Handling> {
    let is_from = |row: &&HandlingRow| module.map_or(row.from.is_empty(), |module| row.from.contains(&module));
    let is_named = |row: &&HandlingRow| {
        let is_one = |name: &&str| path.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        // A module of tests is itself one.
        let is_whole = path.is_empty() && row.does == Handling::Tests;
        if row.calls.is_empty() || is_whole { !row.from.is_empty() } else { row.calls.iter().any(is_one) }
    };
    HANDLINGS.iter().find(|row| row.does != Handling::Opens && is_from(row) && is_named(row)).map(|row| row.does)
}

/// What a method does with a text, whatever it is called on.
pub fn of_method(name: &str) -> Option<Handling> {
    HANDLINGS.iter().find(|row| row.does != Handling::Opens && row.methods.contains(&name)).map(|row| row.does)
}

/// Returns true if and only if a method does with what it is passed what it does with what it is called on.
pub fn is_of_any(method: &str) -> bool {
    HANDLINGS.iter().any(|row| row.of_any && row.methods.contains(&method))
}

/// Returns true if and only if a method calls what stands beside a text with the text.
pub fn hands_on(method: &str) -> bool {
    HANDLINGS.iter().any(|row| row.hands_on && row.methods.contains(&method))
}

/// Returns true if and only if a function of the host calls what stands beside a text with the text.
pub fn function_hands_on(path: &str) -> bool {
    HANDLINGS.iter().any(|row| row.hands_on && row.calls.contains(&path))
}

/// Returns true if and only if who reads this name of the host may read any text of the script.
pub fn opens(path: &str) -> bool {
    opening().any(|row| row.calls.contains(&path))
}

/// Returns true if and only if who reads this member of anything may read any text of the script.
pub fn has_opening(member: &str) -> bool {
    opening().any(|row| row.methods.contains(&member))
}

/// Returns true if and only if who reads some member of this name of the host may read any text of the script.
pub fn has_opening_within(path: &str) -> bool {
    opening().flat_map(|row| row.calls).any(|name| name.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
}

fn opening() -> impl Iterator<Item = &'static HandlingRow> {
    HANDLINGS.iter().filter(|row| row.does == Handling::Opens)
}

/// Returns true if and only if the name of a function says that it runs, sends or writes what it is given.
pub fn may_run(name: &str) -> bool {
    let end =
        name.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_uppercase() || *letter == '_').map_or(name.len(), |(at, _)| at);
    let first = name.get(..end).unwrap_or(name).trim_start_matches('_').to_ascii_lowercase();
    HANDLINGS.iter().filter(|row| row.does == Handling::Runs).any(|row| row.first_words.contains(&first.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_where_they_come_from() {
        for (module, path, expected) in [
            (None, "console.log", Some(Handling::Prints)),
            (None, "consoles.log", None),
            (Some("./console"), "console.log", None),
            (Some("chalk"), "chalk.red.bold", Some(Handling::Passes)),
            (Some("vitest"), "vi.fn", None),
        ] {
            assert_eq!(of_function(module, path), expected, "{path}");
        }
    }

    #[test]
    fn names_tell_what_runs() {
        for (name, expected) in [("runCommand", true), ("exec_all", true), ("isSafe", false), ("runner", false), ("_send", true)] {
            assert_eq!(may_run(name), expected, "{name}");
        }
    }

    #[test]
    fn live_texts_are_worth_what_they_are() {
        assert_eq!(at_most(Use::Live, "destructive-shell"), None);
        assert_eq!(at_most(Use::Printed, "prompt-injection"), None);
        assert_eq!(at_most(Use::Compared, "credentials"), None);
        assert_eq!(at_most(Use::Compared, "destructive-shell"), Some(Severity::Low));
    }
}
