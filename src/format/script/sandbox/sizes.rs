//! Values that are made far larger than a script needs.

use oxc_ast::ast::{Argument, BinaryExpression, CallExpression, Expression, NewExpression, ObjectPropertyKind};
use oxc_syntax::operator::BinaryOperator;

use crate::format::script::bindings::Given;
use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::Walker;
use crate::format::script::span::span_of;
use crate::subject::hazard::{HazardKind, Strength};
use crate::value::js_number::grouped;
use crate::value::span::Span;

/// More elements or characters than a script handles, though a host may hold them.
const LARGE: f64 = 1e7;
/// More elements or characters than a host should hold for a script.
const HUGE: f64 = 5e7;
/// The least power of a whole number of any size that takes too long.
const POWER: f64 = 1e5;
/// How deep opening brackets may be repeated.
const BRACKETS: f64 = 5_000.0;
/// How deep sizes of texts are followed.
const DEPTH: u32 = 16;

impl<'a> Walker<'_, 'a, '_> {
    /// A call that makes a value of a size that is known.
    pub fn sized_call(&mut self, call: &'a CallExpression<'a>) {
        let span = span_of(call);
        if let Some(name) = self.global(&call.callee) {
            match name {
                "Array" if call.arguments.len() == 1 => self.sized(self.number(&call.arguments, 0), span),
                "RegExp" => self.pattern_of(&call.arguments, span),
                _ => {}
            }
            return;
        }
        let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return };
        let Some(name) = member.static_property_name() else { return };
        match (self.global(member.object()), name) {
            (Some("Buffer"), "alloc" | "allocUnsafe") => self.sized(self.number(&call.arguments, 0), span),
            (Some(name), "from") if name.ends_with("Array") => {
                let Some(source) = call.arguments.first().and_then(Argument::as_expression) else { return };
                self.sized(self.length_of(source), span);
                self.taken_whole(source, span);
            }
            (_, "match" | "matchAll" | "search") => self.pattern_of(&call.arguments, span),
            (_, "repeat" | "padStart" | "padEnd") => {
                let size = self.text_size(&call.callee, &call.arguments, DEPTH);
                let around: f64 = self.loops.iter().flatten().product();
                self.sized(size.map(|size| size * around.max(1.0)), span);
                if let Some(Constant::String(text)) = self.folder.fold(member.object())
                    && text.chars().any(|character| matches!(character, '[' | '{' | '('))
                    && !text.chars().any(|character| matches!(character, ']' | '}' | ')'))
                    && self.number(&call.arguments, 0).is_some_and(|times| BRACKETS <= times)
                {
                    self.tell(HazardKind::Memory, Strength::Clear, span, "a text nests deeper than readers of it can follow");
                }
            }
            (None, "push" | "unshift") => self.grown_call(member, call),
            _ => {}
        }
    }

    /// A `new` that makes a value of a size that is known.
    pub fn sized_new(&mut self, created: &'a NewExpression<'a>) {
        let span = span_of(created);
        match self.global(&created.callee) {
            Some("RegExp") => self.pattern_of(&created.arguments, span),
            Some(name)
                if created.arguments.len() == 1 && (name.ends_with("Array") || name.ends_with("ArrayBuffer") || name == "Buffer") =>
            {
                self.sized(self.number(&created.arguments, 0), span);
            }
            _ => {}
        }
    }

    /// `x ** y` and `x << y` of whole numbers of any size.
    pub fn power(&mut self, binary: &'a BinaryExpression<'a>) {
        let most = match binary.operator {
            BinaryOperator::Exponential => POWER,
            BinaryOperator::ShiftLeft => HUGE / 10.0,
            _ => return,
        };
        let exponent = self.folder.fold(&binary.right).map(|exponent| exponent.to_number());
        if exponent.is_some_and(|exponent| most <= exponent) && (self.is_big(&binary.left) || self.is_big(&binary.right)) {
            self.tell(HazardKind::Memory, Strength::Clear, span_of(binary), "a whole number is raised to millions of digits");
        }
    }

    /// Returns true if and only if a value is a whole number of any size.
    pub fn is_big(&self, expression: &Expression<'a>) -> bool {
        match expression.get_inner_expression() {
            Expression::BigIntLiteral(_) => true,
            Expression::CallExpression(call) => self.global(&call.callee) == Some("BigInt"),
            Expression::BinaryExpression(binary) => {
                matches!(binary.left, Expression::BigIntLiteral(_)) || matches!(binary.right, Expression::BigIntLiteral(_))
            }
            Expression::Identifier(name) => self.bindings.symbol(name).is_some_and(|symbol| {
                let mut given = self.bindings.given(symbol);
                given.any(|given| matches!(given, Given::Expression(given) if matches!(given.get_inner_expression(), Expression::BigIntLiteral(_))))
            }),
            _ => false,
        }
    }

    /// Tells a size that is too large.
    pub fn sized(&mut self, size: Option<f64>, span: Span) {
        let Some(size) = size.filter(|size| LARGE <= *size) else { return };
        let strength = if HUGE <= size { Strength::Clear } else { Strength::Probing };
        self.tell(HazardKind::Memory, strength, span, format!("a value of {} elements or characters is made", grouped(size)));
    }

    fn pattern_of(&mut self, arguments: &'a [Argument<'a>], span: Span) {
        let text = arguments.first().and_then(Argument::as_expression).and_then(|pattern| self.folder.fold_string(pattern));
        if let Some(text) = text {
            self.pattern(&text, span);
        }
    }

    fn number(&self, arguments: &'a [Argument<'a>], at: usize) -> Option<f64> {
        match self.folder.fold(arguments.get(at)?.as_expression()?)? {
            Constant::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The number after `length` in `{ length: 1e9 }`.
    fn length_of(&self, source: &'a Expression<'a>) -> Option<f64> {
        let Expression::ObjectExpression(object) = self.folder.written_out(source)? else { return None };
        object.properties.iter().find_map(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) if property.key.static_name().as_deref() == Some("length") => {
                Some(self.folder.fold(&property.value)?.to_number())
            }
            _ => None,
        })
    }

    /// How long a text is that a method repeats or fills.
    fn text_size(&self, callee: &'a Expression<'a>, arguments: &'a [Argument<'a>], depth: u32) -> Option<f64> {
        let depth = depth.checked_sub(1)?;
        let member = callee.get_inner_expression().as_member_expression()?;
        let number = self.number(arguments, 0)?;
        match member.static_property_name()? {
            "repeat" => Some(number * self.size_of(member.object(), depth).unwrap_or(1.0)),
            "padStart" | "padEnd" => Some(number),
            _ => None,
        }
    }

    fn size_of(&self, expression: &'a Expression<'a>, depth: u32) -> Option<f64> {
        let written = self.folder.written_out(expression)?;
        match written {
            Expression::CallExpression(call) => self.text_size(&call.callee, &call.arguments, depth),
            written => match self.folder.fold(written)? {
                Constant::String(text) => Some(text.len() as f64),
                _ => None,
            },
        }
    }
}
