//! Listeners to messages of other pages that ask who sent one before they do what it says.

use oxc_ast::ast::{Argument, BinaryExpression, CallExpression, Expression};
use oxc_ast_visit::{Visit, walk};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{Code, ObjectKind};
use crate::format::script::interpret::value::{Atom, Val};

/// The event of any page, and the event of one's own.
const ANY: &str = "<document-event>";
const OWN: &str = "<page-event>";
/// What tells of an event who sent it.
const SENDER: &[&str] = &["origin", "source"];

impl Interpreter<'_> {
    /// What a host passes to a listener: of a message, where the listener asks who sent it, one of its own pages.
    pub fn of_own_page(&mut self, listener: Val, passed: &Arguments) -> Option<Arguments> {
        let any = self.values.native(ANY);
        if !passed.known.iter().any(|value| value.id == any.id) || !self.asks_who_sent(listener) {
            return None;
        }
        let own = self.values.native(OWN);
        let known = passed.known.iter().map(|value| if value.id == any.id { own } else { *value }).collect();
        Some(Arguments { known, rest: passed.rest })
    }

    fn asks_who_sent(&self, listener: Val) -> bool {
        let [Atom::Object(object)] = &*self.values.atoms(listener.id) else { return false };
        let ObjectKind::Function { code, .. } = &self.heap.object(*object).kind else { return false };
        let mut asked = Asked { is_found: false };
        match code {
            Code::Arrow(arrow) => asked.visit_arrow_function_expression(arrow),
            Code::Function(function) => function.body.iter().for_each(|body| asked.visit_function_body(body)),
        }
        asked.is_found
    }
}

struct Asked {
    is_found: bool,
}

/// Returns true if and only if something is who sent an event: `event.origin`.
fn is_sender(expression: &Expression<'_>) -> bool {
    let member = expression.get_inner_expression().as_member_expression();
    member.and_then(|member| member.static_property_name()).is_some_and(|name| SENDER.contains(&name))
}

impl<'a> Visit<'a> for Asked {
    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        self.is_found |= it.operator.is_equality() && (is_sender(&it.left) || is_sender(&it.right));
        walk::walk_binary_expression(self, it);
    }

    // `known.includes(event.origin)`
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.is_found |= it.arguments.iter().filter_map(Argument::as_expression).any(is_sender);
        walk::walk_call_expression(self, it);
    }
}
