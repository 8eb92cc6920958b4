//! What stands at a place: built-in objects, written values, functions of the script.

use oxc_ast::ast::{Expression, IdentifierReference, MemberExpression};

use crate::format::script::bindings::Given;
use crate::format::script::sandbox::Walker;
use crate::format::script::sandbox::functions::Written;
use crate::format::script::sandbox::names::{BUILT_IN, Danger, danger};

/// How many names are followed to the global that they stand for.
const ALIASES: u32 = 4;

impl<'a> Walker<'_, 'a, '_> {
    /// The name of a global, where an expression is one.
    pub fn global(&self, expression: &Expression<'a>) -> Option<&'a str> {
        let mut expression = expression.get_inner_expression();
        for _ in 0..ALIASES {
            let Expression::Identifier(name) = expression else { return None };
            let Some(symbol) = self.bindings.symbol(name) else { return Some(name.name.as_str()) };
            let Some(Given::Expression(given)) = self.bindings.constant(symbol) else { return None };
            expression = given.get_inner_expression();
        }
        None
    }

    /// Returns true if and only if the script does not declare the name.
    pub fn is_global(&self, name: &IdentifierReference<'a>) -> bool {
        self.bindings.symbol(name).is_none()
    }

    /// Returns true if and only if an expression is an object of the language itself.
    pub fn is_built_in(&self, expression: &Expression<'a>) -> bool {
        self.global(expression).is_some_and(|name| BUILT_IN.contains(&name))
    }

    /// `species` for `Symbol.species`.
    pub fn symbol_name(&self, expression: &Expression<'a>) -> Option<&'a str> {
        match expression.get_inner_expression() {
            Expression::StaticMemberExpression(member) if self.global(&member.object) == Some("Symbol") => {
                Some(member.property.name.as_str())
            }
            _ => None,
        }
    }

    /// The function that an expression is or names.
    pub fn function(&self, expression: &'a Expression<'a>) -> Option<Written<'a>> {
        match expression.get_inner_expression() {
            Expression::Identifier(name) => {
                let symbol = self.bindings.symbol(name)?;
                self.declared.functions.get(&symbol).copied()
            }
            _ => Written::of(expression),
        }
    }

    /// Returns true if and only if an expression names a class or function of the script.
    pub fn is_own_class(&self, expression: &Expression<'a>) -> bool {
        match expression.get_inner_expression() {
            Expression::ThisExpression(_) => true,
            Expression::Identifier(name) => self
                .bindings
                .symbol(name)
                .is_some_and(|symbol| self.declared.functions.contains_key(&symbol) || self.declared.classes.contains_key(&symbol)),
            _ => false,
        }
    }

    /// Returns true if and only if an expression is a prototype that is not the script's own.
    pub fn is_foreign_prototype(&self, expression: &'a Expression<'a>) -> bool {
        match expression.get_inner_expression() {
            Expression::CallExpression(call) => call
                .callee
                .get_inner_expression()
                .as_member_expression()
                .is_some_and(|member| member.static_property_name() == Some("getPrototypeOf")),
            Expression::Identifier(name) => {
                let given = self.bindings.symbol(name).and_then(|symbol| self.bindings.constant(symbol));
                match given {
                    Some(Given::Expression(given)) if !matches!(given.get_inner_expression(), Expression::Identifier(_)) => {
                        self.is_foreign_prototype(given)
                    }
                    Some(Given::Property(object, "prototype")) => !self.is_own_class(object),
                    _ => false,
                }
            }
            inner => {
                let Some(member) = inner.as_member_expression() else { return false };
                let dangers: Vec<Danger> = self.member_keys(member).iter().filter_map(|key| danger(key)).collect();
                dangers.contains(&Danger::Prototype) || dangers.contains(&Danger::OwnPrototype) && !self.is_own_class(member.object())
            }
        }
    }

    /// The names that the property of a member may have.
    pub fn member_keys(&self, member: &'a MemberExpression<'a>) -> Vec<String> {
        match member {
            MemberExpression::StaticMemberExpression(member) => vec![member.property.name.to_string()],
            MemberExpression::ComputedMemberExpression(member) => self.keys(&member.expression),
            MemberExpression::PrivateFieldExpression(_) => Vec::new(),
        }
    }

    /// Returns true if and only if a value is no data: what is written out, built in, caught, or got by a chain.
    pub fn is_no_data(&self, expression: &'a Expression<'a>) -> bool {
        match expression.get_inner_expression() {
            Expression::StringLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BigIntLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::RegExpLiteral(_)
            | Expression::TemplateLiteral(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ClassExpression(_)
            | Expression::ArrayExpression(_)
            | Expression::ObjectExpression(_) => true,
            Expression::NewExpression(created) => self.is_built_in(&created.callee),
            Expression::Identifier(name) => match self.bindings.symbol(name) {
                None => BUILT_IN.contains(&name.name.as_str()) || name.name == "callTool" || name.name == "arguments",
                Some(symbol) => self.declared.functions.contains_key(&symbol) || self.caught.contains(&symbol),
            },
            inner => match inner.as_member_expression() {
                Some(member) => {
                    let is_chain =
                        |key: &String| matches!(danger(key), Some(Danger::Constructor | Danger::Prototype | Danger::OwnPrototype));
                    member.static_property_name().is_some_and(|name| is_chain(&name.to_owned()))
                        || self.is_built_in(member.object())
                        || self.is_foreign_prototype(expression)
                }
                None => self.is_foreign_prototype(expression),
            },
        }
    }
}
