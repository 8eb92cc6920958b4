//! `replace` and `replaceAll` of one text in another.

use crate::format::script::js::MAX_TEXT;

/// The text with the first place, or all places, of another text replaced; nothing where it grows too long.
pub fn replace(text: &str, sought: &str, with: &str, all: bool) -> Option<String> {
    let mut replaced = String::with_capacity(text.len());
    let mut end = 0;
    for (start, _) in text.match_indices(sought).take(if all { usize::MAX } else { 1 }) {
        replaced.push_str(text.get(end..start)?);
        end = start + sought.len();
        expand(&mut replaced, with, (text.get(..start)?, sought, text.get(end..)?));
        if MAX_TEXT < replaced.len() {
            return None;
        }
    }
    replaced.push_str(text.get(end..)?);
    Some(replaced)
}

/// Appends a replacement, in which `$` and a sign stand for what was found and what is around it.
fn expand(replaced: &mut String, with: &str, (before, found, after): (&str, &str, &str)) {
    let mut rest = with;
    while let Some((plain, from)) = rest.split_once('$') {
        replaced.push_str(plain);
        let (meant, length) = match from.bytes().next() {
            Some(b'$') => ("$", 1),
            Some(b'&') => (found, 1),
            Some(b'`') => (before, 1),
            Some(b'\'') => (after, 1),
            _ => ("$", 0),
        };
        replaced.push_str(meant);
        rest = from.get(length..).unwrap_or_default();
    }
    replaced.push_str(rest);
}
