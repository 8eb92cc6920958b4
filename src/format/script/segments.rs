//! The texts of a script that patterns search: comments, the code between them, strings, and what folds to a string.

use oxc_ast::ast::{CallExpression, Expression, Program};
use oxc_span::GetSpan as _;

use crate::format::script::collect::Collected;
use crate::format::script::fold::{Budget, Folder};
use crate::format::script::js::{function, method};
use crate::format::script::span::span_of;
use crate::subject::segment::{Role, Segment};
use crate::value::span::Span;

/// How many expressions are folded in one script.
const FOLDS: usize = 100_000;

/// All segments of a script, in order of place.
pub fn segments(program: &Program<'_>, collected: &mut Collected<'_, '_>, budget: &Budget) -> Vec<Segment> {
    let mut segments = std::mem::take(&mut collected.segments);
    segments.extend(code(program));
    segments
        .extend(program.comments.iter().map(|comment| Segment::verbatim(Role::Comment, Span::new(comment.span.start, comment.span.end))));
    segments.extend(folded(collected, budget));
    segments.sort_by_key(|segment| segment.span);
    segments
}

/// The stretches of a script that remain when an unparsable text has to be searched as it is.
pub fn unparsed(text: &str) -> Vec<Segment> {
    let whole = Span::from_offsets(0, text.len());
    vec![Segment::verbatim(Role::Code, whole), Segment::verbatim(Role::String, whole)]
}

/// The code between the comments.
fn code(program: &Program<'_>) -> Vec<Segment> {
    let end = u32::try_from(program.source_text.len()).unwrap_or(u32::MAX);
    let mut start = 0;
    let mut segments = Vec::with_capacity(program.comments.len() + 1);
    for (from, to) in program.comments.iter().map(|comment| (comment.span.start, comment.span.end)).chain([(end, end)]) {
        let span = Span::new(start, from);
        if !span.slice(program.source_text).trim().is_empty() {
            segments.push(Segment::verbatim(Role::Code, span));
        }
        start = to;
    }
    segments
}

/// The texts that are put together from constants: what they say, not how they are written.
fn folded(collected: &Collected<'_, '_>, budget: &Budget) -> Vec<Segment> {
    let folder = Folder::new(&collected.bindings, budget);
    let sums = collected.sums.iter().filter_map(|sum| Some((span_of(*sum), folder.fold_sum(sum)?)));
    let templates = collected.templates.iter().filter_map(|template| Some((span_of(*template), folder.fold_template(template)?)));
    let calls = collected.calls.iter().filter(|site| may_fold(site.call)).filter_map(|site| {
        let text = folder.fold_call(site.call)?;
        Some((span_of(site.call), text))
    });
    sums.chain(templates)
        .chain(calls)
        .take(FOLDS)
        .filter(|(_, text)| 2 < text.len())
        .map(|(span, text)| Segment::decoded(Role::Folded, span, text))
        .collect()
}

fn may_fold(call: &CallExpression<'_>) -> bool {
    match call.callee.get_inner_expression() {
        Expression::Identifier(name) => function::is_function(name.name.as_str()),
        callee => callee.as_member_expression().is_some_and(|member| {
            let name = member.static_property_name();
            let is_short = member.span().end - member.span().start < 1_000_000;
            is_short && name.is_none_or(|name| method::is_method(name) || name == "fromCharCode" || name == "fromCodePoint")
        }),
    }
}
