//! What the groups of a pattern find: each is as harmless as the pattern inside of it lets through.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::allowed::lets_words_through;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::taint::Change;
use crate::format::script::interpret::value::Val;
use crate::value::span::Span;

/// Patterns with more groups are not taken apart.
const GROUPS: usize = 16;

impl<'a> Interpreter<'a> {
    /// What a pattern found in a text whose groups find no more than words, where all of it may be more: `/^\/run\s+(\w+)$/.exec(text)`.
    pub fn found_by_groups(&mut self, found: Val, source: &str, span: Span) -> Option<Val> {
        let groups = groups(source)?;
        if groups.is_empty() || !groups.iter().all(|group| lets_words_through(group.inside)) {
            return None;
        }
        let taint = self.values.taint(found.id);
        let plain = self.values.changed(taint, Change::Element);
        let plain = self.values.changed(plain, Change::Plain);
        let bare = self.values.without_taint(found);
        let word = self.values.with_taint(bare, plain).through(found.via);
        let mut parts = vec![found];
        parts.resize(groups.len() + 1, word);
        let list = self.array(derived(span, 7), &parts, None);
        let named = self.allocate(derived(span, 8), ObjectKind::Plain(None));
        let named = self.values.object(named);
        for name in groups.iter().filter_map(|group| group.name) {
            self.set_property(named, Key::named(name), word);
        }
        self.set_property(list, Key::named("groups"), named);
        // Nothing may be found.
        Some(self.values.join(list, Val::UNDEFINED))
    }
}

/// A group of a pattern that keeps what it finds.
#[derive(Debug, PartialEq, Eq)]
struct Group<'s> {
    name: Option<&'s str>,
    inside: &'s str,
}

/// The groups of a pattern that keep what they find, in the order of their beginnings.
fn groups(source: &str) -> Option<Vec<Group<'_>>> {
    let mut found: Vec<Group<'_>> = Vec::new();
    // Where those begin that are open, and which of the found ones they are.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    let (mut in_class, mut is_escaped) = (false, false);
    for (at, sign) in source.char_indices() {
        if is_escaped || sign == '\\' {
            is_escaped = !is_escaped;
            continue;
        }
        match sign {
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let rest = source.get(at + 1..)?;
                let name = rest.strip_prefix("?<").filter(|rest| !rest.starts_with(['=', '!'])).and_then(|rest| rest.split_once('>'));
                let keeps = name.is_some() || !rest.starts_with('?');
                let start = name.map_or(at + 1, |(name, _)| at + "(?<>".len() + name.len());
                open.push((start, keeps.then_some(found.len())));
                if keeps {
                    found.push(Group { name: name.map(|(name, _)| name), inside: "" });
                }
            }
            ')' if !in_class => {
                let (start, which) = open.pop()?;
                if let Some(group) = which.and_then(|which| found.get_mut(which)) {
                    group.inside = source.get(start..at)?;
                }
            }
            _ => {}
        }
    }
    (open.is_empty() && found.len() <= GROUPS).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn groups_are_told_from_what_only_looks_like_one() {
        let inside = |source: &str| groups(source).map(|all| all.iter().map(|group| group.inside.to_owned()).collect::<Vec<_>>());
        let owned = |all: &[&str]| Some(all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>());
        assert_eq!(inside(r"^/run\s+(a|b)$"), owned(&["a|b"]));
        assert_eq!(inside(r"(?<name>\w+)-(?:x)(?=y)(\d)"), owned(&[r"\w+", r"\d"]));
        assert_eq!(inside(r"[(](\()((a)b)"), owned(&[r"\(", "(a)b", "a"]));
        assert_eq!(inside(r"\w+"), owned(&[]));
        assert_eq!(inside("(a"), None);
        assert_eq!(groups("(?<day>[0-9]+)").and_then(|all| all.first().and_then(|group| group.name)), Some("day"));
    }
}
