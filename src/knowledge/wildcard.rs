//! Names with wildcards: whether one fits, and which of many fits without trying them all.

use std::collections::HashMap;

use memchr::memmem;

use crate::knowledge::text::Name;

/// Returns true if and only if a wildcard fits a name; `*` stands for anything.
pub fn fits(pattern: &str, name: &str) -> bool {
    // Nearly none fits, and most of them not by their first or last byte.
    let parts = |pattern: Option<&u8>, name: Option<&u8>| pattern.is_some_and(|byte| *byte != b'*' && Some(byte) != name);
    let (wanted, given) = (pattern.as_bytes(), name.as_bytes());
    if parts(wanted.first(), given.first()) || parts(wanted.last(), given.last()) {
        return false;
    }
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(name) = name.strip_prefix(start) else { return false };
    let Some((middle, end)) = rest.rsplit_once('*') else { return name.ends_with(rest) };
    let Some(mut name) = name.strip_suffix(end) else { return false };
    for part in middle.split('*') {
        // Names are short and parts many: a search that has to be prepared would cost more than it saves.
        let at = memmem::find(name.as_bytes(), part.as_bytes());
        let Some(behind) = at.and_then(|at| name.get(at + part.len()..)) else { return false };
        name = behind;
    }
    true
}

/// Names and wildcards that are compiled in, each with the position of its row.
pub struct WildcardTable {
    /// Names without wildcards, in order.
    pub whole: &'static [(Name, u16)],
    /// What stands before the first `*` of the others, each with the position of the first of these.
    pub starts: &'static [(Name, u16)],
    /// The others from their first `*` on.
    pub open: &'static [(Name, u16)],
}

impl WildcardTable {
    /// The positions of all rows that a name fits, in no order.
    pub fn fitting(&self, name: &str) -> impl Iterator<Item = usize> {
        let start = self.whole.partition_point(|(whole, _)| whole.get() < name);
        let whole = self.whole.iter().skip(start).take_while(move |(whole, _)| whole.get() == name);
        let ends = self.starts.iter().skip(1).map(|(_, end)| usize::from(*end)).chain(std::iter::once(self.open.len()));
        let open = self.starts.iter().zip(ends).filter_map(move |((start, from), end)| {
            let rest = name.strip_prefix(start.get())?;
            Some(self.open.get(usize::from(*from)..end)?.iter().filter(move |(wildcard, _)| fits(wildcard.get(), rest)))
        });
        whole.chain(open.flatten()).map(|(_, at)| usize::from(*at))
    }
}

/// Many names and wildcards, found by what stands before their first `*` or behind their last one.
#[derive(Clone, Debug, Default)]
pub struct Wildcards {
    /// Names without a wildcard, each with its last position.
    exact: HashMap<String, usize>,
    /// Wildcards by the text before the first `*`.
    by_start: HashMap<String, Vec<(usize, String)>>,
    /// Those that begin with `*`, by the text behind the last one.
    by_end: HashMap<String, Vec<(usize, String)>>,
}

impl Wildcards {
    /// The names and wildcards at these positions.
    pub fn of<'p>(patterns: impl Iterator<Item = (usize, &'p str)>) -> Self {
        let mut all = Self::default();
        for (at, pattern) in patterns {
            match (pattern.split_once('*'), pattern.rsplit_once('*')) {
                (Some(("", _)), Some((_, end))) => all.by_end.entry(end.to_owned()).or_default().push((at, pattern.to_owned())),
                (Some((start, _)), _) => all.by_start.entry(start.to_owned()).or_default().push((at, pattern.to_owned())),
                (None, _) => {
                    all.exact.insert(pattern.to_owned(), at);
                }
            }
        }
        all
    }

    /// The last position whose name or wildcard fits.
    pub fn last_fit(&self, name: &str) -> Option<usize> {
        let exact = self.exact.get(name).copied();
        let cuts = || (0..=name.len()).filter(|at| name.is_char_boundary(*at));
        let starts = cuts().filter_map(|at| self.by_start.get(name.get(..at)?)).filter(|_| !self.by_start.is_empty());
        let ends = cuts().filter_map(|at| self.by_end.get(name.get(at..)?)).filter(|_| !self.by_end.is_empty());
        let last = |patterns: &Vec<(usize, String)>| patterns.iter().rev().find(|(_, pattern)| fits(pattern, name)).map(|(at, _)| *at);
        starts.chain(ends).filter_map(last).chain(exact).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_fit_whole_names() {
        for (pattern, name, expected) in [
            ("mail:send", "mail:send", true),
            ("mail:send", "mail:sendAll", false),
            ("mail:*", "mail:sendAll", true),
            ("*:send", "mail:send", true),
            ("*:send", "mail:sendAll", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxc", false),
            ("*a", "aa", true),
            ("ab*b", "ab", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
            let found = Wildcards::of([(0, pattern)].into_iter()).last_fit(name);
            assert_eq!(found.is_some(), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn the_last_of_those_that_fit_is_found() {
        let patterns = ["*", "mail:*", "mail:send", "*send", "ma*l:send", "*:send*", "crm:*"];
        for name in ["mail:send", "mail:sent", "crm:send", "ümail:send", "", "send"] {
            let tried = patterns.iter().rposition(|pattern| fits(pattern, name));
            assert_eq!(Wildcards::of(patterns.iter().copied().enumerate()).last_fit(name), tried, "{name}");
        }
    }
}
