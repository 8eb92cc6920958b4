//! Values that double, or nest one level deeper, each time a loop turns.

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, AssignmentExpression, AssignmentTarget, CallExpression, Expression, MemberExpression,
    ObjectPropertyKind,
};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::Given;
use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::Walker;
use crate::format::script::span::span_of;
use crate::subject::hazard::{HazardKind, Strength};

/// So many doublings make millions.
const DOUBLINGS: f64 = 24.0;
/// So many levels overflow what reads them.
const LEVELS: f64 = 5_000.0;
/// How deep a value that is put together is read.
const DEPTH: u32 = 16;

impl<'a> Walker<'_, 'a, '_> {
    /// An assignment that grows what it is made of.
    pub fn grown(&mut self, assignment: &'a AssignmentExpression<'a>) {
        let span = span_of(assignment);
        if let Some(member) = assignment.left.as_member_expression()
            && member.static_property_name() == Some("length")
        {
            return self.sized(self.folder.fold(&assignment.right).map(|length| length.to_number()), span);
        }
        let AssignmentTarget::AssignmentTargetIdentifier(name) = &assignment.left else { return };
        let Some(symbol) = self.bindings.symbol(name) else { return };
        let Some(turns) = self.turns() else { return };
        let uses = self.uses(&assignment.right, symbol, DEPTH);
        let doubles = match assignment.operator {
            AssignmentOperator::Assign => 2 <= uses,
            AssignmentOperator::Addition => 1 <= uses,
            _ => false,
        };
        if doubles && DOUBLINGS < turns && self.is_text_or_list(symbol) {
            self.tell(HazardKind::Memory, Strength::Clear, span, "a value doubles each time the loop turns");
        } else if 2.0 < turns && self.is_raised(assignment, symbol) {
            self.tell(HazardKind::Memory, Strength::Clear, span, "a whole number multiplies its digits each time the loop turns");
        } else if LEVELS <= turns && self.nests(&assignment.right, symbol) {
            self.tell(HazardKind::Memory, Strength::Clear, span, "a value nests one level deeper each time the loop turns");
        }
    }

    /// `list.push(...list)`.
    pub fn grown_call(&mut self, member: &'a MemberExpression<'a>, call: &'a CallExpression<'a>) {
        let Expression::Identifier(name) = member.object().get_inner_expression() else { return };
        let (Some(symbol), Some(turns)) = (self.bindings.symbol(name), self.turns()) else { return };
        let takes_itself = call.arguments.iter().any(|argument| match argument {
            Argument::SpreadElement(spread) => self.is_name(&spread.argument, symbol),
            _ => false,
        });
        if takes_itself && DOUBLINGS < turns {
            self.tell(HazardKind::Memory, Strength::Clear, span_of(call), "a value doubles each time the loop turns");
        }
    }

    /// How often the loops around turn, where all of that is known.
    fn turns(&self) -> Option<f64> {
        if self.loops.is_empty() { None } else { self.loops.iter().copied().product::<Option<f64>>() }
    }

    fn is_name(&self, expression: &Expression<'a>, symbol: SymbolId) -> bool {
        matches!(expression.get_inner_expression(), Expression::Identifier(name) if self.bindings.symbol(name) == Some(symbol))
    }

    /// How often a value stands whole in what is put together.
    fn uses(&self, expression: &'a Expression<'a>, symbol: SymbolId, depth: u32) -> u32 {
        let Some(depth) = depth.checked_sub(1) else { return 0 };
        let uses = |part: &'a Expression<'a>| self.uses(part, symbol, depth);
        match expression.get_inner_expression() {
            Expression::Identifier(_) => u32::from(self.is_name(expression, symbol)),
            Expression::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => uses(&sum.left) + uses(&sum.right),
            Expression::TemplateLiteral(template) => template.expressions.iter().map(uses).sum(),
            Expression::ArrayExpression(array) => array
                .elements
                .iter()
                .filter_map(|element| match element {
                    ArrayExpressionElement::SpreadElement(spread) => Some(&spread.argument),
                    element => element.as_expression(),
                })
                .map(uses)
                .sum(),
            Expression::CallExpression(call) => {
                let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return 0 };
                match member.static_property_name() {
                    Some("concat") => {
                        uses(member.object()) + call.arguments.iter().filter_map(Argument::as_expression).map(uses).sum::<u32>()
                    }
                    Some("repeat") => 2 * uses(member.object()),
                    _ => 0,
                }
            }
            _ => 0,
        }
    }

    fn is_text_or_list(&self, symbol: SymbolId) -> bool {
        self.bindings.given(symbol).any(|given| match given {
            Given::Expression(given) => match given.get_inner_expression() {
                Expression::TemplateLiteral(_) | Expression::ArrayExpression(_) => true,
                given => matches!(self.folder.fold(given), Some(Constant::String(_) | Constant::Array(_))),
            },
            Given::Property(..) | Given::Unknown => false,
        })
    }

    /// `x = x ** 1000n`, `x *= x` of whole numbers of any size.
    fn is_raised(&self, assignment: &'a AssignmentExpression<'a>, symbol: SymbolId) -> bool {
        let is_big = self.bindings.given(symbol).any(|given| matches!(given, Given::Expression(given) if self.is_big(given)));
        is_big
            && match assignment.operator {
                AssignmentOperator::Exponential => true,
                AssignmentOperator::Multiplication => self.is_name(&assignment.right, symbol),
                AssignmentOperator::Assign => match assignment.right.get_inner_expression() {
                    Expression::BinaryExpression(binary) => match binary.operator {
                        BinaryOperator::Exponential => self.is_name(&binary.left, symbol),
                        BinaryOperator::Multiplication => self.is_name(&binary.left, symbol) && self.is_name(&binary.right, symbol),
                        _ => false,
                    },
                    _ => false,
                },
                _ => false,
            }
    }

    /// `x = { a: x }`, `x = [x]` and their text.
    fn nests(&self, expression: &'a Expression<'a>, symbol: SymbolId) -> bool {
        match expression.get_inner_expression() {
            Expression::ObjectExpression(object) => object.properties.iter().any(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) => self.is_name(&property.value, symbol),
                ObjectPropertyKind::SpreadProperty(_) => false,
            }),
            Expression::ArrayExpression(array) => {
                array.elements.iter().filter_map(ArrayExpressionElement::as_expression).any(|element| self.is_name(element, symbol))
            }
            _ => false,
        }
    }
}
