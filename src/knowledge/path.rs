//! Paths by which values are known (`@octokit.rest.Octokit().repos.delete`), part by part, and the patterns that they fit.

use crate::knowledge::wildcard::fits;

/// The parts of a path.
pub fn split(path: &str) -> Vec<&str> {
    parts_of(path).collect()
}

/// The parts of a path; `()` is one of its own, and which element it is does not matter.
pub fn parts_of(path: &str) -> impl Iterator<Item = &str> + Clone {
    path.split('.').filter(|_| !path.is_empty()).flat_map(|part| {
        let name = without_calls(part);
        let is_element = name == "[]" || !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let named = (!is_element && (part.is_empty() || !name.is_empty())).then_some(name);
        named.into_iter().chain(std::iter::repeat_n("()", (part.len() - name.len()) / 2))
    })
}

fn without_calls(mut part: &str) -> &str {
    while let Some(called) = part.strip_suffix("()") {
        part = called;
    }
    part
}

/// What the wildcards of a pattern stand for, if it fits all of a path; `**` stands for any parts, which are not told.
pub fn whole<'p, 'w>(mut pattern: impl Iterator<Item = &'w str> + Clone, mut parts: &[&'p str]) -> Option<Vec<&'p str>> {
    let mut taken = Vec::new();
    while let Some(wanted) = pattern.next() {
        if wanted == "**" {
            let rest: Vec<&str> = pattern.collect();
            let end = (0..=parts.len()).find_map(|skipped| whole(rest.iter().copied(), parts.get(skipped..)?))?;
            taken.extend(end);
            return Some(taken);
        }
        let (part, rest) = parts.split_first()?;
        stands_for(wanted, part, &mut taken)?;
        parts = rest;
    }
    parts.is_empty().then_some(taken)
}

/// How many parts a pattern fits with which a path begins, and what its wildcards stand for.
pub fn start<'p>(pattern: &str, parts: &[&'p str]) -> Option<(usize, Vec<&'p str>)> {
    let (mut length, mut taken) = (0, Vec::new());
    for wanted in parts_of(pattern) {
        stands_for(wanted, parts.get(length)?, &mut taken)?;
        length += 1;
    }
    Some((length, taken))
}

/// Notes what the wildcards of one part stand for, if it fits.
fn stands_for<'p>(wanted: &str, part: &&'p str, taken: &mut Vec<&'p str>) -> Option<()> {
    match wanted.contains('*') {
        false if wanted == *part => {}
        true if *part != "()" && fits(wanted, part) => taken.extend(stood_for(wanted, part)),
        _ => return None,
    }
    Some(())
}

/// What the `*` of a wildcard that fits a name stand for.
fn stood_for<'p>(pattern: &str, name: &'p str) -> Vec<&'p str> {
    let mut pieces = pattern.split('*');
    let mut rest = pieces.next().and_then(|first| name.strip_prefix(first)).unwrap_or(name);
    let mut taken = Vec::new();
    for piece in pieces {
        let end = if piece.is_empty() { rest.len() } else { rest.find(piece).unwrap_or(rest.len()) };
        taken.push(rest.get(..end).unwrap_or_default());
        rest = rest.get(end + piece.len()..).unwrap_or_default();
    }
    taken
}
