//! Reads pieces of documentation that are no script: the members of an object or of a class, without the object or the class.
//!
//! A piece is read as what it was cut out of, and every place in it stays one of the text as it was written.

use oxc_ast::ast::{Program, Span};
use oxc_ast_visit::VisitMut;

/// A text with what it was cut out of put around it again.
pub struct Whole {
    /// The text with what stands around it.
    pub text: String,
    /// How much stands before it.
    before: u32,
}

impl Whole {
    /// The line break ends a comment of the last line.
    fn of(before: &str, text: &str) -> Self {
        Self { text: format!("{before}{text}\n}})"), before: before.len() as u32 }
    }

    /// Puts all places of the program of such a text back to where they are in the text itself.
    pub fn put_back<'a>(&self, program: &mut Program<'a>, text: &'a str) {
        put_back(program, text, self.before);
    }
}

/// What the members that a text may be were cut out of: a class, and an object, where the text begins like a member of one.
pub fn wholes(text: &str) -> Vec<Whole> {
    let class = || Whole::of("(class{", text);
    object_of(text).into_iter().chain(std::iter::once_with(class)).collect()
}

fn object_of(text: &str) -> Option<Whole> {
    let start = text.trim_start();
    let (name, rest) = match start.strip_prefix(['"', '\'']) {
        Some(quoted) => quoted.split_once(['"', '\''])?,
        None => start.split_at(start.find(|character: char| !character.is_ascii_alphanumeric() && character != '_' && character != '$')?),
    };
    let is_member = !name.is_empty() && !name.contains('\n') && rest.trim_start().starts_with(':');
    is_member.then(|| Whole::of("({", text))
}

/// Puts all places of a program back by so much, and none behind the text.
pub fn put_back<'a>(program: &mut Program<'a>, text: &'a str, before: u32) {
    let mut back = Back { before, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    back.visit_program(program);
    for comment in &mut program.comments {
        back.visit_span(&mut comment.span);
        comment.attached_to = comment.attached_to.saturating_sub(before);
    }
    program.source_text = text;
}

/// Moves places by what stands before the text.
struct Back {
    before: u32,
    end: u32,
}

impl<'a> VisitMut<'a> for Back {
    fn visit_span(&mut self, span: &mut Span) {
        let moved = |place: u32| place.saturating_sub(self.before).min(self.end);
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
