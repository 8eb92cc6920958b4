//! What an emitter calls: the functions that a script has listen to an event run wherever it is emitted.

use oxc_ast::ast::{Argument, CallExpression, Expression, MemberExpression, Program};
use oxc_ast_visit::{VisitJs, walk_js};

use crate::format::script::span::span_of;
use crate::value::span::Span;

/// Methods by which a function listens to an event.
const LISTENING: &[&str] = &["on", "addListener", "prependListener", "addEventListener"];
/// Methods that call all that listens to an event.
const EMITTING: &[&str] = &["emit", "dispatch", "trigger"];
/// How many events in a row are followed.
const ROUNDS: usize = 4;

/// The functions that run as often as these places, since something there emits what they listen to, each with the place.
pub fn listening(program: &Program<'_>, places: &[Span]) -> Vec<(Span, Span)> {
    if places.is_empty() || !program.source_text.contains(".on(") && !program.source_text.contains("Listener(") {
        return Vec::new();
    }
    let mut events = Events::default();
    events.visit_program(program);
    let holds = |outer: &Span, inner: &Span| outer.start <= inner.start && inner.end <= outer.end;
    let mut found: Vec<(Span, Span)> = Vec::new();
    for _ in 0..ROUNDS {
        let mut new = Vec::new();
        for (emitting, event) in &events.emitted {
            let around = places.iter().map(|place| (*place, *place)).chain(found.iter().copied());
            let Some((_, place)) = around.into_iter().find(|(outer, _)| holds(outer, emitting)) else { continue };
            let listening = events.heard.iter().filter(|(_, heard)| heard == event).map(|(function, _)| (*function, place));
            new.extend(listening.filter(|(function, _)| !found.iter().any(|(known, _)| known == function)));
        }
        if new.is_empty() {
            break;
        }
        found.extend(new);
    }
    found
}

#[derive(Default)]
struct Events {
    /// Functions, and the event to which each listens.
    heard: Vec<(Span, String)>,
    /// Calls that emit an event.
    emitted: Vec<(Span, String)>,
}

impl<'a> VisitJs<'a> for Events {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let method = it.callee.get_inner_expression().as_member_expression().and_then(MemberExpression::static_property_name);
        if let (Some(method), Some(Argument::StringLiteral(event))) = (method, it.arguments.first()) {
            if EMITTING.contains(&method) {
                self.emitted.push((span_of(it), event.value.to_string()));
            }
            let function = it.arguments.get(1).and_then(Argument::as_expression).map(Expression::get_inner_expression);
            if LISTENING.contains(&method)
                && let Some(Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)) = function
            {
                self.heard.extend(it.arguments.get(1).map(|function| (span_of(function), event.value.to_string())));
            }
        }
        walk_js::walk_call_expression(self, it);
    }
}
