//! Which calls JSDoc comments describe: those in what a comment stands before, be it a statement, a
//! function that wraps a tool, or a member of a class or an object. Of several comments the nearest counts.

use std::collections::HashMap;

use oxc_ast::AstKind;
use oxc_ast::ast::Program;
use oxc_ast_visit::VisitJs;
use oxc_span::GetSpan as _;

use crate::format::script::jsdoc::{self, Documentation};
use crate::subject::call::Call;
use crate::value::span::Span;

/// Gives calls what the comments around them say of them.
pub(super) fn describe(program: &Program<'_>, calls: &mut [Call]) {
    if calls.is_empty() {
        return;
    }
    let mut visitor = Documented { comments: HashMap::new(), found: Vec::new() };
    for comment in program.comments.iter().filter(|comment| comment.is_jsdoc() && comment.span.end <= comment.attached_to) {
        let content = comment.content_span();
        let text = Span::new(content.start, content.end).slice(program.source_text);
        let documentation = jsdoc::read(text);
        if documentation != Documentation::default() {
            // Of several comments before one thing the last stands nearest.
            visitor.comments.insert(comment.attached_to, documentation);
        }
    }
    if visitor.comments.is_empty() {
        return;
    }
    visitor.visit_program(program);
    assign(visitor.found, calls);
}

/// Finds what comments stand before.
struct Documented {
    /// What is said, by where what it is said of begins.
    comments: HashMap<u32, Documentation>,
    found: Vec<(Span, Documentation)>,
}

impl<'a> VisitJs<'a> for Documented {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        if matches!(kind, AstKind::Program(_)) {
            return;
        }
        let span = kind.span();
        // Much may begin at one place; the first that is entered is the whole of it.
        if let Some(documentation) = self.comments.remove(&span.start) {
            self.found.push((Span::new(span.start, span.end), documentation));
        }
    }
}

/// Gives each call the innermost of what stands around it, in one pass over both in order of place.
fn assign(mut found: Vec<(Span, Documentation)>, calls: &mut [Call]) {
    found.sort_by_key(|(span, _)| *span);
    let mut order: Vec<&mut Call> = calls.iter_mut().collect();
    order.sort_by_key(|call| call.span);
    let mut open: Vec<&(Span, Documentation)> = Vec::new();
    let mut next = found.iter().peekable();
    for call in order {
        while let Some(around) = next.next_if(|(span, _)| span.start <= call.span.start) {
            while open.last().is_some_and(|(span, _)| span.end <= around.0.start) {
                open.pop();
            }
            open.push(around);
        }
        while open.last().is_some_and(|(span, _)| span.end <= call.span.start) {
            open.pop();
        }
        if let Some((_, documentation)) = open.iter().rev().find(|(span, _)| span.contains(call.span)) {
            call.doc = Some(documentation.doc.clone()).filter(|doc| !doc.is_empty());
            call.hints.clone_from(&documentation.hints);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::format::script::read;
    use crate::format::{Language, ReadOptions};

    /// What is said of each call of a script, in order of place: description, number of hints.
    fn described(script: &str) -> Vec<(Option<String>, usize)> {
        let subjects = read(script, Language::TypeScript, &ReadOptions::default());
        subjects.into_iter().flat_map(|subject| subject.calls).map(|call| (call.doc, call.hints.len())).collect()
    }

    #[test]
    fn the_nearest_comment_describes_a_call() {
        for (script, expected) in [
            ("/** Removes. */\nawait callTool('a:b', {});", &[Some("Removes.")][..]),
            ("/** Removes. */ await callTool('a:b', {});", &[Some("Removes.")]),
            ("// Removes.\nawait callTool('a:b', {});", &[None]),
            ("/* Removes. */\nawait callTool('a:b', {});", &[None]),
            ("/** First. */\nawait callTool('a:b', {});\nawait callTool('c:d', {});", &[Some("First."), None]),
            ("/** Wraps. */\nasync function remove(id) { return callTool('a:b', { id }); }\nawait remove(1);", &[Some("Wraps.")]),
            ("/** Wraps. */\nexport const remove = async (id) => callTool('a:b', { id });\nawait remove(1);", &[Some("Wraps.")]),
            ("/** Wraps. */\nfunction f() {\n/** Inside. */\nreturn callTool('a:b', {}); }\nf();", &[Some("Inside.")]),
            (
                "class A {\n/** Method. */\nrun() { return callTool('a:b', {}); }\nother() { return callTool('c:d', {}); } }\nnew A().run(); new A().other();",
                &[Some("Method."), None],
            ),
            (
                "const o = {\n/** Member. */\nrun: () => callTool('a:b', {}),\nother() { return callTool('c:d', {}); } };\no.run(); o.other();",
                &[Some("Member."), None],
            ),
            ("/** Not this. */\nconst n = 1;\nawait callTool('a:b', { n });", &[None]),
            ("/** Far. */\n/** Near. */\nawait callTool('a:b', {});", &[Some("Near.")]),
            ("/** Each. */\nfor (const id of [1, 2]) { await callTool('a:b', { id }); }", &[Some("Each.")]),
        ] {
            let docs: Vec<Option<String>> = described(script).into_iter().map(|(doc, _)| doc).collect();
            let docs: Vec<Option<&str>> = docs.iter().map(Option::as_deref).collect();
            assert_eq!(docs, expected, "{script}");
        }
    }

    #[test]
    fn tags_are_hints() {
        let script = "/**\n * Removes.\n * @destructive\n * @hint rows 100\n */\nawait callTool('a:b', {});";
        assert_eq!(described(script), [(Some("Removes.".to_owned()), 2)]);
    }
}
