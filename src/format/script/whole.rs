//! Whether a program is all of its text, and whether it can be read in only one way.
//!
//! A parser that goes on after a fault may have dropped what stands behind it, and a text that two kinds of program read
//! differently shows a scanner one and runs as the other. Neither may pass as judged.

use std::collections::HashSet;

use oxc_ast::ast::{ArrowFunctionExpression, AwaitExpression, Function, Program, RegExpLiteral, YieldExpression};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_span::GetSpan;
use oxc_syntax::identifier::{is_identifier_part, is_irregular_whitespace, is_white_space};
use oxc_syntax::line_terminator::is_line_terminator;
use oxc_syntax::scope::ScopeFlags;

use crate::value::span::Span;

/// Where the part of a text begins that a program does not hold; none, where nothing but space and comments stands behind it.
pub fn dropped(program: &Program<'_>, text: &str) -> Option<Span> {
    let statement = program.body.last().map(|statement| statement.span().end);
    let directive = program.directives.last().map(|directive| directive.span.end);
    let hashbang = program.hashbang.as_ref().map(|hashbang| hashbang.span.end);
    let mut at = statement.max(directive).max(hashbang).unwrap_or(0) as usize;
    let behind = program.comments.partition_point(|comment| (comment.span.start as usize) < at);
    for comment in program.comments.iter().skip(behind) {
        if let Some(place) = first_of(text, at, comment.span.start as usize) {
            return Some(place);
        }
        at = comment.span.end as usize;
    }
    first_of(text, at, text.len())
}

/// The first character between two offsets that is no space.
fn first_of(text: &str, from: usize, to: usize) -> Option<Span> {
    let is_space = |character: char| is_white_space(character) || is_line_terminator(character) || is_irregular_whitespace(character);
    let between = text.get(from..to)?;
    let (offset, found) = between.char_indices().find(|(_, character)| !is_space(*character))?;
    Some(Span::from_offsets(from + offset, from + offset + found.len_utf8()))
}

/// The text with a character blanked that stands in no grammar and that nobody sees, and all such characters next to it; none,
/// where something else stands at the place, or where it may be part of a word or an operator. Every other character stays in
/// its place.
pub fn without_unseen(text: &str, place: Span) -> Option<String> {
    let start = place.start as usize;
    let (before, from) = (text.get(..start)?, text.get(start..)?);
    let length = from.find(|character| !is_unseen(character)).unwrap_or(from.len());
    let behind = from.get(length..)?;
    let parts = |character: Option<char>| {
        character.is_none_or(|character| is_white_space(character) || is_line_terminator(character) || matches!(character, ';' | '{' | '}'))
    };
    let is_apart = parts(before.chars().next_back()) || parts(behind.chars().next());
    (0 < length && is_apart).then(|| format!("{before}{}{behind}", " ".repeat(length)))
}

/// Returns true for characters without a picture of their own: controls, and those that only rule how others are shown.
fn is_unseen(character: char) -> bool {
    let is_space = is_white_space(character) || is_line_terminator(character);
    let is_format = matches!(
        character,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    );
    !is_space && !is_identifier_part(character) && (character.is_control() || is_format)
}

/// Where a script reads a comment, `<!--`, that is code in a module.
pub fn html_comment(script: &Program<'_>, text: &str) -> Option<Span> {
    let opens = |span: &oxc_span::Span| text.get(span.start as usize..span.end as usize).is_some_and(|comment| comment.starts_with("<!--"));
    script.comments.iter().map(|comment| comment.span).find(opens).map(|span| Span::new(span.start, span.start.saturating_add(4)))
}

/// Where `await` or `yield` stands before what may be a regular expression, outside of the functions in which it is a word of
/// the language: elsewhere both are names, the slashes divide, and what stands between them is run.
pub fn divided(program: &Program<'_>, text: &str) -> Option<Span> {
    let mut found = Divided { waits: false, yields: false, regexes: HashSet::new(), place: None };
    if ["await", "yield"].iter().any(|word| stands_before_slash(text, word)) {
        found.visit_program(program);
    }
    found.place
}

/// Returns true if and only if a word stands before a slash somewhere, with nothing but space between.
fn stands_before_slash(text: &str, word: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), word)
        .filter_map(|at| text.get(at + word.len()..))
        .any(|rest| rest.trim_start_matches(|character| is_white_space(character) || is_line_terminator(character)).starts_with('/'))
}

/// Looks for `await /…/` and `yield /…/` outside of the functions that have these words.
struct Divided {
    waits: bool,
    yields: bool,
    /// Where a regular expression would begin.
    regexes: HashSet<u32>,
    place: Option<Span>,
}

impl Divided {
    fn within(&mut self, (waits, yields): (bool, bool), visit: impl FnOnce(&mut Self)) {
        let around = (self.waits, self.yields);
        (self.waits, self.yields) = (waits, yields);
        visit(self);
        (self.waits, self.yields) = around;
    }
}

impl<'a> VisitJs<'a> for Divided {
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.within((it.r#async, it.generator), |divided| walk_js::walk_function(divided, it, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.within((it.r#async, false), |divided| walk_js::walk_arrow_function_expression(divided, it));
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        if !self.waits {
            self.regexes.insert(it.argument.span().start);
        }
        walk_js::walk_await_expression(self, it);
    }

    fn visit_yield_expression(&mut self, it: &YieldExpression<'a>) {
        if !self.yields {
            self.regexes.extend(it.argument.as_ref().map(|argument| argument.span().start));
        }
        walk_js::walk_yield_expression(self, it);
    }

    fn visit_reg_exp_literal(&mut self, it: &RegExpLiteral<'a>) {
        if self.regexes.contains(&it.span.start) {
            self.place.get_or_insert(Span::new(it.span.start, it.span.end));
        }
    }
}
