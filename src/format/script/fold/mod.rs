//! Constant folding: what an expression is worth, where that is known before the script runs.

mod budget;
mod calls;

pub use crate::format::script::fold::budget::Budget;

use std::cell::{Cell, RefCell};

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, BinaryExpression, CallExpression, ChainElement, Expression, Function, IdentifierReference,
    LogicalExpression, MemberExpression, ObjectPropertyKind, TemplateLiteral,
};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator};
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::{Bindings, Given};
use crate::format::script::js::constant::Constant;
use crate::format::script::js::{MAX_TEXT, number, operator, property, text};
use crate::value::span::Span;

/// Steps that folding one expression may take.
const FUEL: u32 = 4_000;
/// How deep folding follows names and operands into one another.
const DEPTH: u32 = 200;
/// How many names are followed to what is written out.
const NAMES: u32 = 16;
/// Folds expressions of one script.
pub struct Folder<'b, 'a, 's> {
    bindings: &'b Bindings<'a, 's>,
    budget: &'b Budget,
    fuel: Cell<u32>,
    /// What parameters stand for while a call of their function is folded.
    pub(super) frames: RefCell<Vec<(SymbolId, Constant)>>,
}

impl<'b, 'a, 's> Folder<'b, 'a, 's> {
    /// A folder that looks names up in the bindings.
    pub fn new(bindings: &'b Bindings<'a, 's>, budget: &'b Budget) -> Self {
        Self { bindings, budget, fuel: Cell::new(FUEL), frames: RefCell::default() }
    }

    /// The value of an expression, if it is known.
    pub fn fold(&self, expression: &Expression<'a>) -> Option<Constant> {
        self.fuel.set(FUEL);
        self.value(expression, DEPTH)
    }

    /// The value of an expression as text, if it is a known string.
    pub fn fold_string(&self, expression: &Expression<'a>) -> Option<String> {
        self.fold(expression)?.into_string()
    }

    /// The text of a sum, if it is a known string.
    pub fn fold_sum(&self, sum: &BinaryExpression<'a>) -> Option<String> {
        self.fuel.set(FUEL);
        self.binary(sum, DEPTH)?.into_string()
    }

    /// The text of a template, if all of its holes are known.
    pub fn fold_template(&self, template: &TemplateLiteral<'a>) -> Option<String> {
        self.fuel.set(FUEL);
        self.template(template, DEPTH)
    }

    /// The text that a call returns, if it is a known string.
    pub fn fold_call(&self, call: &CallExpression<'a>) -> Option<String> {
        self.fuel.set(FUEL);
        self.call(call, DEPTH)?.into_string()
    }

    /// The expression that is written where a constant name leads to.
    pub fn written_out<'e>(&self, expression: &'e Expression<'a>) -> Option<&'e Expression<'a>>
    where
        'a: 'e,
    {
        let mut expression = expression.get_inner_expression();
        for _ in 0..NAMES {
            let Expression::Identifier(name) = expression else { break };
            let symbol = self.bindings.symbol(name)?;
            let Some(Given::Expression(given)) = self.bindings.constant(symbol) else { return None };
            expression = given.get_inner_expression();
        }
        Some(expression)
    }

    pub(super) fn value(&self, expression: &Expression<'a>, depth: u32) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        let constant = match expression.get_inner_expression() {
            // Half of a surrogate pair is no text.
            Expression::StringLiteral(literal) if literal.lone_surrogates => return None,
            Expression::StringLiteral(literal) => Constant::String(literal.value.to_string()),
            Expression::NumericLiteral(literal) => Constant::Number(literal.value),
            Expression::BigIntLiteral(literal) => Constant::BigInt(number::big_from_text(&literal.value)?),
            Expression::BooleanLiteral(literal) => Constant::Boolean(literal.value),
            Expression::NullLiteral(_) => Constant::Null,
            Expression::TemplateLiteral(template) => Constant::String(self.template(template, depth)?),
            Expression::Identifier(name) => match self.bindings.symbol(name) {
                Some(symbol) => match self.argument(symbol) {
                    Some(constant) => constant,
                    None => match self.bindings.constant(symbol)? {
                        Given::Expression(given) => self.value(given, depth)?,
                        Given::Property(object, key) => self.property(object, key, depth)?,
                        Given::Unknown => return None,
                    },
                },
                None => global(name.name.as_str())?,
            },
            Expression::ArrayExpression(array) => {
                let mut elements = Vec::with_capacity(array.elements.len());
                for element in &array.elements {
                    match element {
                        ArrayExpressionElement::SpreadElement(spread) => elements.extend(self.spread(&spread.argument, depth)?),
                        ArrayExpressionElement::Elision(_) => elements.push(Constant::Undefined),
                        element => elements.push(self.value(element.as_expression()?, depth)?),
                    }
                }
                Constant::Array(elements)
            }
            Expression::SequenceExpression(sequence) => self.value(sequence.expressions.last()?, depth)?,
            Expression::UnaryExpression(unary) => operator::unary(unary.operator, &self.value(&unary.argument, depth)?)?,
            Expression::BinaryExpression(binary) => self.binary(binary, depth)?,
            Expression::LogicalExpression(logical) => self.logical(logical, depth)?,
            Expression::ConditionalExpression(conditional) => {
                let test = self.value(&conditional.test, depth)?;
                self.value(if test.is_truthy() { &conditional.consequent } else { &conditional.alternate }, depth)?
            }
            Expression::AwaitExpression(awaited) => self.value(&awaited.argument, depth)?,
            Expression::CallExpression(call) => self.call(call, depth)?,
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.call(call, depth)?,
                ChainElement::TSNonNullExpression(inner) => self.value(&inner.expression, depth)?,
                element => self.member(element.as_member_expression()?, depth)?,
            },
            Expression::NewExpression(created) => self.created(created, depth)?,
            Expression::TaggedTemplateExpression(tagged) if self.is_static(&tagged.tag, "String", "raw") => {
                Constant::String(self.raw_template(&tagged.quasi, depth)?)
            }
            inner => self.member(inner.as_member_expression()?, depth)?,
        };
        self.bounded(constant)
    }

    /// The constant, unless it is too large or all constants together cost too much.
    fn bounded(&self, constant: Constant) -> Option<Constant> {
        let size = match &constant {
            Constant::String(text) => text.len(),
            Constant::Array(elements) => elements.len(),
            Constant::Bytes(bytes) => bytes.len(),
            Constant::Number(_) | Constant::BigInt(_) | Constant::Boolean(_) | Constant::Null | Constant::Undefined => 0,
        };
        self.budget.spend(1 + size as u64 / 16)?;
        (size <= MAX_TEXT).then_some(constant)
    }

    /// Takes the cost of reading so much code off the budget; returns false where that much is not left.
    pub fn spend(&self, span: Span) -> bool {
        self.budget.spend(1 + u64::from(span.end - span.start) / 16).is_some()
    }

    /// What a parameter stands for, while a call of its function is folded.
    fn argument(&self, symbol: SymbolId) -> Option<Constant> {
        self.frames.borrow().iter().rev().find(|(known, _)| *known == symbol).map(|(_, constant)| constant.clone())
    }

    /// The elements that a spread of a value yields.
    fn spread(&self, expression: &Expression<'a>, depth: u32) -> Option<Vec<Constant>> {
        match self.value(expression, depth)? {
            Constant::Array(elements) => Some(elements),
            Constant::String(text) => Some(text::characters(&text)),
            _ => None,
        }
    }

    /// The arguments of a call, if all are known.
    pub(super) fn arguments(&self, arguments: &[Argument<'a>], depth: u32) -> Option<Vec<Constant>> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match argument {
                Argument::SpreadElement(spread) => values.extend(self.spread(&spread.argument, depth)?),
                argument => values.push(self.value(argument.as_expression()?, depth)?),
            }
        }
        Some(values)
    }

    /// Returns true if and only if a name means something that the script does not declare.
    pub(super) fn is_global(&self, name: &IdentifierReference<'a>) -> bool {
        self.bindings.symbol(name).is_none()
    }

    /// The function that a name was declared as.
    pub(super) fn declared(&self, name: &IdentifierReference<'a>) -> Option<&'a Function<'a>> {
        self.bindings.function(self.bindings.symbol(name)?)
    }

    /// Returns true if and only if an expression is a static method of a global.
    fn is_static(&self, expression: &Expression<'a>, object: &str, name: &str) -> bool {
        expression.get_inner_expression().as_member_expression().is_some_and(|member| {
            let is_object = matches!(member.object(), Expression::Identifier(global) if global.name == object && self.is_global(global));
            is_object && member.static_property_name() == Some(name)
        })
    }

    fn raw_template(&self, template: &TemplateLiteral<'a>, depth: u32) -> Option<String> {
        let mut text = String::new();
        let mut values = template.expressions.iter();
        for quasi in &template.quasis {
            text.push_str(quasi.value.raw.as_str());
            if let Some(value) = values.next() {
                text.push_str(&self.value(value, depth)?.to_text());
            }
        }
        Some(text)
    }

    fn template(&self, template: &TemplateLiteral<'a>, depth: u32) -> Option<String> {
        let mut text = String::new();
        let mut values = template.expressions.iter();
        for quasi in &template.quasis {
            text.push_str(quasi.value.cooked?.as_str());
            if let Some(value) = values.next() {
                text.push_str(&self.value(value, depth)?.to_text());
            }
            if MAX_TEXT < text.len() {
                return None;
            }
        }
        Some(text)
    }

    /// Operands of long sums are folded from the left without recursion.
    fn binary(&self, binary: &BinaryExpression<'a>, depth: u32) -> Option<Constant> {
        if self.asks_least_length(binary, depth) {
            return Some(Constant::Boolean(true));
        }
        let mut operations = vec![(binary.operator, &binary.right)];
        let mut first = &binary.left;
        while let Expression::BinaryExpression(left) = first {
            operations.push((left.operator, &left.right));
            first = &left.left;
        }
        let mut value = self.value(first, depth)?;
        for (operator, operand) in operations.into_iter().rev() {
            value = self.bounded(operator::binary(operator, &value, &self.value(operand, depth)?)?)?;
        }
        Some(value)
    }

    /// Returns true if and only if it is asked whether something is as long as everything is: `list.length >= 0`.
    fn asks_least_length(&self, binary: &BinaryExpression<'a>, depth: u32) -> bool {
        let is_length = |side: &Expression<'a>| {
            let member = side.get_inner_expression().as_member_expression();
            member.and_then(MemberExpression::static_property_name) == Some("length")
        };
        let least = |side: &Expression<'a>| self.value(side, depth).map(|value| value.to_number());
        match binary.operator {
            BinaryOperator::GreaterEqualThan if is_length(&binary.left) => least(&binary.right).is_some_and(|least| least <= 0.0),
            BinaryOperator::GreaterThan if is_length(&binary.left) => least(&binary.right).is_some_and(|least| least < 0.0),
            BinaryOperator::LessEqualThan if is_length(&binary.right) => least(&binary.left).is_some_and(|least| least <= 0.0),
            BinaryOperator::LessThan if is_length(&binary.right) => least(&binary.left).is_some_and(|least| least < 0.0),
            _ => false,
        }
    }

    fn logical(&self, logical: &LogicalExpression<'a>, depth: u32) -> Option<Constant> {
        let left = self.value(&logical.left, depth)?;
        let keeps_left = match logical.operator {
            LogicalOperator::Or => left.is_truthy(),
            LogicalOperator::And => !left.is_truthy(),
            LogicalOperator::Coalesce => !matches!(left, Constant::Null | Constant::Undefined),
        };
        if keeps_left { Some(left) } else { self.value(&logical.right, depth) }
    }

    fn member(&self, member: &MemberExpression<'a>, depth: u32) -> Option<Constant> {
        match member {
            MemberExpression::StaticMemberExpression(member) => self.property(&member.object, member.property.name.as_str(), depth),
            MemberExpression::ComputedMemberExpression(member) => {
                let key = self.value(&member.expression, depth)?.to_text();
                self.property(&member.object, &key, depth)
            }
            MemberExpression::PrivateFieldExpression(_) => None,
        }
    }

    /// A property of an object or array that is written out, or of a string.
    fn property(&self, object: &Expression<'a>, key: &str, depth: u32) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        if let Some(Expression::ObjectExpression(object)) = self.written_out(object) {
            return object.properties.iter().rev().find_map(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) if property.key.static_name().as_deref() == Some(key) => {
                    Some(self.value(&property.value, depth))
                }
                ObjectPropertyKind::ObjectProperty(property) if !property.computed => None,
                // A spread or a computed key could give the property another value.
                ObjectPropertyKind::ObjectProperty(_) | ObjectPropertyKind::SpreadProperty(_) => Some(None),
            })?;
        }
        if let Some(name) = self.own_name(object, key) {
            return Some(Constant::String(name));
        }
        let object = self.value(object, depth)?;
        property::property(&object, key)
    }

    /// The `name` of a function or class that is written out.
    fn own_name(&self, object: &Expression<'a>, key: &str) -> Option<String> {
        let name = match self.written_out(object).filter(|_| key == "name")? {
            Expression::FunctionExpression(function) => function.id.as_ref()?,
            Expression::ClassExpression(class) => class.id.as_ref()?,
            _ => return None,
        };
        Some(name.name.to_string())
    }

    /// The name of a member, if it is known.
    pub(super) fn member_name(&self, member: &MemberExpression<'a>, depth: u32) -> Option<String> {
        match member {
            MemberExpression::StaticMemberExpression(member) => Some(member.property.name.to_string()),
            MemberExpression::ComputedMemberExpression(member) => Some(self.value(&member.expression, depth)?.to_text()),
            MemberExpression::PrivateFieldExpression(_) => None,
        }
    }
}

fn global(name: &str) -> Option<Constant> {
    match name {
        "undefined" => Some(Constant::Undefined),
        "NaN" => Some(Constant::Number(f64::NAN)),
        "Infinity" => Some(Constant::Number(f64::INFINITY)),
        _ => None,
    }
}
