//! Mends scripts that stand in something else: in a workflow, whose expressions are put in before the script runs, or in a
//! page, which leaves out what does not matter to it.
//!
//! What is mended keeps its length, so that every place stays one of the text as it was written.

use std::borrow::Cow;

use crate::value::span::Span;

/// What an expression of a workflow may begin with: the contexts and functions that GitHub Actions documents.
const ROOTS: &[&str] = &[
    "github",
    "env",
    "vars",
    "job",
    "jobs",
    "steps",
    "runner",
    "secrets",
    "strategy",
    "matrix",
    "needs",
    "inputs",
    "contains",
    "startsWith",
    "endsWith",
    "format",
    "join",
    "toJSON",
    "toJson",
    "fromJSON",
    "fromJson",
    "hashFiles",
    "success",
    "always",
    "cancelled",
    "failure",
];

/// The text in which the expression of a workflow around a place (`${{ steps.x.outputs.y }}`) is a name, which nobody knows the
/// value of; a secret of the workflow is a variable of the environment. None, where no such expression stands there.
pub fn without_expression(text: &str, place: Span) -> Option<String> {
    let (from, to) = (place.start as usize, place.end as usize);
    let before = text.get(..text.len().min(to.max(from) + 2))?;
    let start = before.rfind("${{")?;
    let inner = text.get(start + 3..)?;
    let length = inner.find("}}")?;
    let end = start + 3 + length + 2;
    let expression = inner.get(..length)?;
    if end + 1 < from || !is_expression(expression) {
        return None;
    }
    let name = match expression.trim().strip_prefix("secrets.") {
        Some(secret) if secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') => format!("process.env.{secret}"),
        _ => "$_"
            .chars()
            .chain(expression.trim().chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }))
            .collect(),
    };
    Some(format!("{}{name:<width$}{}", text.get(..start)?, text.get(end..)?, width = end - start))
}

/// Returns true if and only if a text is an expression of a workflow: one line of names, literals and operators that begins with
/// what GitHub Actions has.
fn is_expression(text: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || " _.-[]'()|&!=<>,*/@:".contains(character);
    let text = text.trim();
    let root = text.trim_start_matches(['(', '!', ' ']);
    let root = root.split(|character: char| !character.is_ascii_alphanumeric()).next().unwrap_or_default();
    text.len() < 512 && ROOTS.contains(&root) && text.chars().all(is_plain)
}

/// A name of which nobody knows what it stands for, as long as the dots in its place.
const UNKNOWN: &str = "$__";

/// The text without the dots that stand for what is left out (`...` before the end of a line or a bracket), which are no spread of
/// anything; none, where no such dots stand at the place or just before it.
pub fn without_ellipsis(text: &str, place: Span) -> Option<String> {
    let from = place.start as usize;
    let before = text.get(..from + 3).or_else(|| text.get(..from))?;
    let start = before.rfind("...")?;
    let (head, behind) = (text.get(..start)?, text.get(start + 3..)?);
    let between = behind.get(..from.saturating_sub(start + 3)).unwrap_or_default();
    let ends = behind.trim_start_matches([' ', '\t', '\r']).starts_with(['\n', ')', ']', '}', ',']) || behind.trim().is_empty();
    // Where a value must stand, something does: nobody knows what.
    let is_value = head.trim_end().ends_with(['=', ':']) || head.trim_end().ends_with("return") || head.trim_end().ends_with("=>");
    let ends = ends || is_value && behind.starts_with(';');
    let is_left_out = ends && between.trim().is_empty();
    let stands_for = if is_value { UNKNOWN } else { "   " };
    is_left_out.then(|| format!("{head}{stands_for}{behind}"))
}

/// The text with each line blank that is nothing but dots, which stand for what is left out.
pub fn without_dotted_lines(text: &str) -> Cow<'_, str> {
    if !text.lines().any(|line| line.trim() == "...") {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive('\n');
    Cow::Owned(lines.map(|line| if line.trim() == "..." { line.replace('.', " ") } else { line.to_owned() }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(mend: impl Fn(&str, Span) -> Option<String>, text: &str, at: &str) -> Option<String> {
        let place = text.find(at).unwrap_or_default();
        mend(text, Span::from_offsets(place, place + 1))
    }

    #[test]
    fn expressions_of_workflows_become_names() {
        for (text, expected) in [
            ("const n = ${{ github.event.number }};", Some("const n = $_github_event_number     ;")),
            ("const t = ${{secrets.NPM_TOKEN}};", Some("const t = process.env.NPM_TOKEN ;")),
            ("const n = ${{ evil(), x }};", None),
            ("const n = ${{ steps.x\n.y }};", None),
        ] {
            assert_eq!(mended(without_expression, text, "{{").as_deref(), expected, "{text}");
        }
        assert_eq!(mended(without_expression, "const n = ${{ env.X }}; const y = }", "}\n"), None);
    }

    #[test]
    fn what_is_left_out_is_blank() {
        for (text, expected) in [
            ("...\napp.start();", Some("   \napp.start();")),
            ("post(...);", Some("post(   );")),
            ("post(...rest);", None),
            ("const a = ...;", Some("const a = $__;")),
        ] {
            assert_eq!(mended(without_ellipsis, text, "...").as_deref(), expected, "{text}");
        }
    }
}
