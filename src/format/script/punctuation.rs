//! Mends the punctuation of what was cut out of a script, or is a script but for a slip of the pen: brackets whose other half is
//! not there, a comma that is missing, a quotation mark too many.
//!
//! Nothing but punctuation is put in or blanked, and what is mended keeps its place: all names, texts and numbers are read.
//! Whatever would run the text would refuse it, so what is read of it is more than what can happen.

use crate::value::span::Span;

/// A text is no script but for its punctuation where there is more to mend.
const MOST: usize = 12;
/// In so many lines there is one thing to mend, beside the first.
const LINES: usize = 8;

/// How much of a text may be mended: nothing of what is not at least three lines.
pub fn most(text: &str) -> usize {
    let lines = text.trim().lines().count();
    if lines < 3 { 0 } else { MOST.min(1 + lines / LINES) }
}

/// The text with one thing mended at the place at which a parser stopped for a reason; none, where that is not punctuation.
pub fn mended(text: &str, place: Span, reason: &str) -> Option<String> {
    let start = place.start as usize;
    let (before, rest) = (text.get(..start)?, text.get(start..)?);
    let found = rest.chars().next();
    if rest.trim().is_empty() {
        return missing_bracket(reason).map(|bracket| format!("{text}\n{bracket}"));
    }
    let asks_for_comma = expected(reason).any(|token| token == ",");
    let is_alone = matches!(found, Some('\'' | '"' | '`')) && rest.get(1..)?.trim().is_empty();
    let is_too_many = matches!(found, Some('}' | ')' | ']' | ',')) && expected(reason).next().is_none();
    if is_alone || is_too_many || found == Some(';') && asks_for_comma {
        return Some(format!("{before} {}", rest.get(1..)?));
    }
    // On the line of what stands behind it: the line before may end in a comment.
    let indented = before.strip_suffix([' ', '\t']).filter(|_| before.trim_end_matches([' ', '\t']).ends_with('\n') && asks_for_comma)?;
    Some(format!("{indented},{rest}"))
}

/// The bracket that is missing at the end.
fn missing_bracket(reason: &str) -> Option<&str> {
    expected(reason).find(|token| matches!(*token, "}" | ")" | "]"))
}

/// What a parser would have taken at a place: ``Expected `,` or `}` but found `EOF` ``.
fn expected(reason: &str) -> impl Iterator<Item = &str> {
    let asked = reason.strip_prefix("Expected").map_or("", |rest| rest.split("but found").next().unwrap_or_default());
    asked.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_is_mended_in_its_place() {
        for (text, at, reason, expected) in [
            ("f();\n});", "}", "Unexpected token", Some("f();\n );")),
            ("f({\n  a: 1\n  b: 2 });", "b", "Expected `,` or `}` but found `Identifier`", Some("f({\n  a: 1\n ,b: 2 });")),
            ("f({\n  a: 1; });", ";", "Expected `,` or `}` but found `;`", Some("f({\n  a: 1  });")),
            ("f();'", "'", "Unterminated string", Some("f(); ")),
            ("f('a);\ng();", "'", "Unterminated string", None),
            ("if (a b)", "b", "Expected `)` but found `Identifier`", None),
        ] {
            let start = text.find(at).unwrap_or_default();
            assert_eq!(mended(text, Span::from_offsets(start, start + 1), reason).as_deref(), expected, "{text}");
        }
        let open = "function f() {\n  g();\n";
        let end = Span::from_offsets(open.len(), open.len());
        assert_eq!(mended(open, end, "Expected `}` but found `EOF`"), Some(format!("{open}\n}}")));
    }

    #[test]
    fn little_is_mended() {
        assert_eq!((most("f("), most("a\nb\nc"), most(&"a\n".repeat(800))), (0, 1, MOST));
    }
}
