//! Texts and lists that grow piece by piece: what is added to names by `+=` and `push`.

use std::collections::HashMap;

use oxc_ast::ast::{Argument, AssignmentExpression, AssignmentTarget, CallExpression, Expression, Program};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::operator::AssignmentOperator;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::Bindings;

/// The pieces that are added to each name, in order of place.
pub type Appended<'a> = HashMap<SymbolId, Vec<&'a Expression<'a>>>;

/// Finds them.
pub fn appended<'a>(program: &Program<'a>, bindings: &Bindings<'a, '_>) -> Appended<'a> {
    let mut finder = Finder { bindings, found: HashMap::new() };
    finder.visit_program(program);
    finder.found
}

struct Finder<'b, 'a, 's> {
    bindings: &'b Bindings<'a, 's>,
    found: Appended<'a>,
}

impl<'a> VisitJs<'a> for Finder<'_, 'a, '_> {
    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let assignment: &'a AssignmentExpression<'a> = self.alloc(it);
        if let AssignmentTarget::AssignmentTargetIdentifier(name) = &assignment.left
            && assignment.operator == AssignmentOperator::Addition
            && let Some(symbol) = self.bindings.symbol(name)
        {
            self.found.entry(symbol).or_default().push(&assignment.right);
        }
        walk_js::walk_assignment_expression(self, assignment);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let call: &'a CallExpression<'a> = self.alloc(it);
        if let Some(member) = call.callee.get_inner_expression().as_member_expression()
            && member.static_property_name() == Some("push")
            && let Expression::Identifier(name) = member.object().get_inner_expression()
            && let Some(symbol) = self.bindings.symbol(name)
        {
            self.found.entry(symbol).or_default().extend(call.arguments.iter().filter_map(Argument::as_expression));
        }
        walk_js::walk_call_expression(self, call);
    }
}
