//! Reads pieces of documentation that are no script: the members of an object, without the object.
//!
//! A piece is read as the object that it was cut out of, and every place in it stays one of the text as it was written.

use oxc_ast::ast::{Program, Span};
use oxc_ast_visit::VisitMut;

/// What makes an object of its members, before and behind them; the line break ends a comment of their last line.
const AROUND: (&str, &str) = ("({", "\n})");

/// The object whose members a text may be; none, where the text begins like no member.
pub fn object_of(text: &str) -> Option<String> {
    let start = text.trim_start();
    let (name, rest) = match start.strip_prefix(['"', '\'']) {
        Some(quoted) => quoted.split_once(['"', '\''])?,
        None => start.split_at(start.find(|character: char| !character.is_ascii_alphanumeric() && character != '_' && character != '$')?),
    };
    let is_member = !name.is_empty() && !name.contains('\n') && rest.trim_start().starts_with(':');
    is_member.then(|| format!("{}{text}{}", AROUND.0, AROUND.1))
}

/// Puts all places of the program of such an object back to where they are in the text.
pub fn put_back<'a>(program: &mut Program<'a>, text: &'a str) {
    let mut back = Back { end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    back.visit_program(program);
    for comment in &mut program.comments {
        back.visit_span(&mut comment.span);
        comment.attached_to = comment.attached_to.saturating_sub(AROUND.0.len() as u32);
    }
    program.source_text = text;
}

/// Moves places by what stands before the members.
struct Back {
    end: u32,
}

impl<'a> VisitMut<'a> for Back {
    fn visit_span(&mut self, span: &mut Span) {
        let moved = |place: u32| place.saturating_sub(AROUND.0.len() as u32).min(self.end);
        *span = Span::new(moved(span.start), moved(span.end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_make_an_object() {
        for (text, is_one) in [
            ("\"step\": { \"title\": \"x\" }", true),
            ("installationStore: { store: async (x) => x },", true),
            ("const a = {", false),
            ("\"use strict\"; a = ", false),
            (": x", false),
        ] {
            assert_eq!(object_of(text).is_some(), is_one, "{text}");
        }
    }
}
