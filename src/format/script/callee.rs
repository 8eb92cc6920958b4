//! Which calls are tool calls, whatever they are written like.

use std::cell::RefCell;
use std::collections::HashMap;

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, CallExpression, Expression, IdentifierReference, MemberExpression, ObjectExpression,
    ObjectPropertyKind,
};
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::{Bindings, Given};
use crate::format::script::fold::Folder;

/// The functions by which agent scripts call tools.
pub const TOOL_FUNCTIONS: &[&str] = &["callTool", "__safe_callTool"];

/// How far names are followed.
const DEPTH: u32 = 32;

/// A tool call, with its arguments in the order in which the tool function gets them.
pub struct ToolCall<'a> {
    /// The expression of the tool's name.
    pub tool: Option<&'a Expression<'a>>,
    /// The expression of what is passed to the tool.
    pub argument: Option<&'a Expression<'a>>,
}

/// Recognises the tool calls of one script.
pub struct Callees<'b, 'a, 's> {
    bindings: &'b Bindings<'a, 's>,
    folder: &'b Folder<'b, 'a, 's>,
    named: &'b [String],
    /// Where chains of aliases were found to end.
    aliases: RefCell<HashMap<SymbolId, &'a IdentifierReference<'a>>>,
}

/// What a call passes on: each argument, nothing where it is spread.
type Arguments<'a> = Vec<Option<&'a Expression<'a>>>;

impl<'b, 'a, 's> Callees<'b, 'a, 's> {
    /// Recognises the built-in tool functions and those that the user named.
    pub fn new(bindings: &'b Bindings<'a, 's>, folder: &'b Folder<'b, 'a, 's>, named: &'b [String]) -> Self {
        Self { bindings, folder, named, aliases: RefCell::default() }
    }

    /// The tool call that a call is, if it is one.
    pub fn tool_call(&self, call: &'a CallExpression<'a>) -> Option<ToolCall<'a>> {
        let arguments = self.arguments(call)?;
        if let [Some(only)] = arguments.as_slice()
            && let Expression::ObjectExpression(object) = only.get_inner_expression()
            && let Some(tool) = property(object, &["name", "tool", "toolName"])
        {
            // As in SDKs: `client.callTool({ name, arguments })`.
            let argument = property(object, &["arguments", "args", "input", "params"]);
            return Some(ToolCall { tool: Some(tool), argument });
        }
        let mut arguments = arguments.into_iter();
        Some(ToolCall { tool: arguments.next().flatten(), argument: arguments.next().flatten() })
    }

    /// The arguments with which a call reaches a tool function, if it does.
    fn arguments(&self, call: &'a CallExpression<'a>) -> Option<Arguments<'a>> {
        if let Some(member) = call.callee.get_inner_expression().as_member_expression() {
            match member.static_property_name().unwrap_or_default() {
                "call" => {
                    if let Some(bound) = self.tool_function(member.object(), DEPTH) {
                        return Some(bound.into_iter().chain(passed(call, 1)).collect());
                    }
                }
                "apply" if member.object().is_specific_id("Reflect") => {
                    let bound = self.tool_function(call.arguments.first()?.as_expression()?, DEPTH)?;
                    return Some(bound.into_iter().chain(spread(call, 2)).collect());
                }
                "apply" => {
                    if let Some(bound) = self.tool_function(member.object(), DEPTH) {
                        return Some(bound.into_iter().chain(spread(call, 1)).collect());
                    }
                }
                _ => {}
            }
        }
        let bound = self.tool_function(&call.callee, DEPTH)?;
        Some(bound.into_iter().chain(passed(call, 0)).collect())
    }

    /// The arguments that are already bound to a tool function, if the expression is one.
    fn tool_function(&self, expression: &'a Expression<'a>, depth: u32) -> Option<Arguments<'a>> {
        let Some(depth) = depth.checked_sub(1) else {
            // Nobody hides a function so deep who does not want to hide one.
            return Some(Vec::new());
        };
        match expression.get_inner_expression() {
            Expression::Identifier(name) => {
                let name = self.last_alias(name);
                let given = self.bindings.symbol(name).into_iter().flat_map(|symbol| self.bindings.given(symbol));
                let is_circle = name_is_alias(self.bindings, name);
                let mut bound = given.filter_map(|given| match given {
                    Given::Expression(_) if is_circle => None,
                    Given::Expression(given) => self.tool_function(given, depth),
                    Given::Property(object, key) => self.is_tool_property(object, key).then(Vec::new),
                    Given::Unknown => None,
                });
                bound.next().or_else(|| self.is_tool_name(name.name.as_str()).then(Vec::new))
            }
            Expression::SequenceExpression(sequence) => self.tool_function(sequence.expressions.last()?, depth),
            Expression::ConditionalExpression(conditional) => {
                self.tool_function(&conditional.consequent, depth).or_else(|| self.tool_function(&conditional.alternate, depth))
            }
            Expression::LogicalExpression(logical) => {
                self.tool_function(&logical.left, depth).or_else(|| self.tool_function(&logical.right, depth))
            }
            Expression::AssignmentExpression(assignment) => self.tool_function(&assignment.right, depth),
            Expression::AwaitExpression(awaited) => self.tool_function(&awaited.argument, depth),
            Expression::CallExpression(call) => {
                let member = call.callee.get_inner_expression().as_member_expression()?;
                if member.static_property_name()? != "bind" {
                    return None;
                }
                let bound = self.tool_function(member.object(), depth)?;
                Some(bound.into_iter().chain(passed(call, 1)).collect())
            }
            Expression::ChainExpression(chain) => {
                let member = chain.expression.as_member_expression()?;
                self.is_tool_member(member).then(Vec::new)
            }
            inner => self.is_tool_member(inner.as_member_expression()?).then(Vec::new),
        }
    }

    /// The name that a chain of names, each a constant alias of the next, leads to.
    fn last_alias(&self, name: &'a IdentifierReference<'a>) -> &'a IdentifierReference<'a> {
        let mut passed = Vec::new();
        let mut last = name;
        while let Some(symbol) = self.bindings.symbol(last) {
            if let Some(known) = self.aliases.borrow().get(&symbol) {
                last = known;
                break;
            }
            let Some(Given::Expression(given)) = self.bindings.constant(symbol) else { break };
            let Expression::Identifier(next) = given.get_inner_expression() else { break };
            // Noted before it is known, so that names that lead in a circle end somewhere.
            self.aliases.borrow_mut().insert(symbol, next);
            passed.push(symbol);
            last = next;
        }
        let mut aliases = self.aliases.borrow_mut();
        aliases.extend(passed.into_iter().map(|symbol| (symbol, last)));
        last
    }

    fn is_tool_member(&self, member: &'a MemberExpression<'a>) -> bool {
        let key = match member {
            MemberExpression::StaticMemberExpression(member) => Some(member.property.name.to_string()),
            MemberExpression::ComputedMemberExpression(member) => self.folder.fold_string(&member.expression),
            MemberExpression::PrivateFieldExpression(_) => None,
        };
        key.is_some_and(|key| self.is_tool_property(member.object(), &key))
    }

    fn is_tool_property(&self, object: &Expression<'a>, key: &str) -> bool {
        if self.is_tool_name(key) {
            return true;
        }
        let mut named = self.named.iter().filter_map(|named| named.rsplit_once('.'));
        named.any(|(owner, method)| method == key && is_path(object, owner))
    }

    fn is_tool_name(&self, name: &str) -> bool {
        TOOL_FUNCTIONS.contains(&name) || self.named.iter().any(|named| named == name)
    }
}

/// Returns true if and only if a name is a constant alias of another.
fn name_is_alias<'a>(bindings: &Bindings<'a, '_>, name: &IdentifierReference<'a>) -> bool {
    let given = bindings.symbol(name).and_then(|symbol| bindings.constant(symbol));
    matches!(given, Some(Given::Expression(given)) if matches!(given.get_inner_expression(), Expression::Identifier(_)))
}

/// Returns true if and only if an expression reads `a.b.c`, as the path says.
fn is_path(expression: &Expression<'_>, path: &str) -> bool {
    match (expression.get_inner_expression(), path.rsplit_once('.')) {
        (Expression::Identifier(name), None) => name.name == path,
        (Expression::ThisExpression(_), None) => path == "this",
        (Expression::StaticMemberExpression(member), Some((owner, name))) => member.property.name == name && is_path(&member.object, owner),
        _ => false,
    }
}

fn passed<'a>(call: &'a CallExpression<'a>, skipped: usize) -> impl Iterator<Item = Option<&'a Expression<'a>>> {
    call.arguments.iter().skip(skipped).map(Argument::as_expression)
}

/// The elements of the array that is passed at a position.
fn spread<'a>(call: &'a CallExpression<'a>, position: usize) -> impl Iterator<Item = Option<&'a Expression<'a>>> {
    let array = call.arguments.get(position).and_then(Argument::as_expression).map(Expression::get_inner_expression);
    let elements = match array {
        Some(Expression::ArrayExpression(array)) => array.elements.as_slice(),
        _ => &[],
    };
    elements.iter().map(ArrayExpressionElement::as_expression)
}

fn property<'a>(object: &'a ObjectExpression<'a>, names: &[&str]) -> Option<&'a Expression<'a>> {
    object.properties.iter().find_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) => {
            let name = property.key.static_name()?;
            names.contains(&name.as_ref()).then_some(&property.value)
        }
        ObjectPropertyKind::SpreadProperty(_) => None,
    })
}
