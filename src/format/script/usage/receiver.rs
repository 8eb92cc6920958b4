//! What a method is called on: something that the script makes itself, or something that may come with methods of its own.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, AssignmentTarget, BindingPattern, Expression, IdentifierReference, MethodDefinitionKind,
    ObjectPropertyKind,
};
use oxc_span::GetSpan as _;
use oxc_syntax::node::NodeId;
use oxc_syntax::operator::BinaryOperator;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::usage::callee::{From, origin, origin_of_name};
use crate::format::script::usage::walk::Walk;
use crate::format::script::usage::written::may_be_function;
use crate::knowledge::row::term::Handling;
use crate::knowledge::usage::of_method;

/// How many names stand for one another at most.
const DEPTH: usize = 6;

impl<'a> Walk<'_, 'a> {
    /// Returns true if and only if an expression is a text, a number, a list, a set, a map or a pattern that the script makes.
    pub(super) fn is_made_here(&self, expression: &Expression<'a>) -> bool {
        self.is_made_within(expression, DEPTH)
    }

    fn is_made_within(&self, expression: &Expression<'a>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match expression.get_inner_expression() {
            Expression::StringLiteral(_)
            | Expression::TemplateLiteral(_)
            | Expression::RegExpLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::ArrayExpression(_)
            | Expression::UnaryExpression(_) => true,
            Expression::BinaryExpression(sum) => sum.operator == BinaryOperator::Addition,
            Expression::LogicalExpression(choice) => self.is_made_within(&choice.left, depth) && self.is_made_within(&choice.right, depth),
            Expression::ConditionalExpression(choice) => {
                self.is_made_within(&choice.consequent, depth) && self.is_made_within(&choice.alternate, depth)
            }
            Expression::NewExpression(made) => self.trust.handling(&origin(self.semantic, &made.callee)) == Some(Handling::Passes),
            Expression::CallExpression(call) => {
                let from = origin(self.semantic, &call.callee);
                if matches!(from, From::Host(_)) && self.trust.handling(&from) == Some(Handling::Passes) {
                    return true;
                }
                let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
                let method = member.static_property_name().filter(|name| !self.trust.is_defined(name)).and_then(of_method);
                // What a map gives back is whatever was put into it.
                let is_text = member
                    .static_property_name()
                    .is_some_and(|name| !matches!(name, "get" | "at" | "pop" | "shift" | "find" | "findLast" | "reduce" | "reduceRight"));
                is_text && matches!(method, Some(Handling::Passes | Handling::Maps)) && self.is_made_within(member.object(), depth)
            }
            Expression::Identifier(name) => {
                name.name == "undefined" || self.symbol(name.reference_id.get()).is_some_and(|symbol| self.is_made_symbol(symbol, depth))
            }
            _ => false,
        }
    }

    fn is_made_symbol(&self, symbol: SymbolId, depth: usize) -> bool {
        let scoping = self.semantic.scoping();
        let AstKind::VariableDeclarator(declarator) = self.kind(scoping.symbol_declaration(symbol)) else { return false };
        let is_begun = matches!(declarator.id, BindingPattern::BindingIdentifier(_))
            && declarator.init.as_ref().is_some_and(|init| self.is_made_within(init, depth));
        is_begun && self.is_only_given(symbol, |value| self.is_made_within(value, depth) || self.is_again(value, symbol))
    }

    /// Returns true if and only if all that a name is given later fits.
    pub(super) fn is_only_given(&self, symbol: SymbolId, fits: impl Fn(&Expression<'a>) -> bool) -> bool {
        let mut writes = self.semantic.scoping().get_resolved_references(symbol).filter(|reference| reference.is_write());
        writes.all(|reference| match self.kind(self.parent(reference.node_id())) {
            AstKind::AssignmentExpression(assigned) => fits(&assigned.right),
            AstKind::UpdateExpression(_) => true,
            _ => false,
        })
    }

    /// `list = list.filter(…)`: what is made of a name's own value.
    fn is_again(&self, value: &Expression<'a>, symbol: SymbolId) -> bool {
        let Expression::CallExpression(call) = value.get_inner_expression() else { return false };
        let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
        let is_own = matches!(member.object().get_inner_expression(), Expression::Identifier(name) if self.symbol(name.reference_id.get()) == Some(symbol));
        let method = member.static_property_name().filter(|name| !self.trust.is_defined(name));
        is_own && matches!(method.and_then(of_method), Some(Handling::Passes | Handling::Maps))
    }

    /// Returns true if and only if an expression may be something that came from elsewhere with methods of its own.
    pub(super) fn may_be_foreign(&self, expression: &Expression<'a>) -> bool {
        self.is_foreign_within(expression, DEPTH)
    }

    fn is_foreign_within(&self, expression: &Expression<'a>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        match expression.get_inner_expression() {
            Expression::Identifier(name) => self.is_foreign_name(name, depth),
            Expression::StaticMemberExpression(member) if matches!(member.object, Expression::ThisExpression(_)) => {
                self.is_foreign_field(&member.property.name, depth)
            }
            Expression::StaticMemberExpression(member) => self.is_foreign_within(&member.object, depth),
            Expression::ComputedMemberExpression(member) => self.is_foreign_within(&member.object, depth),
            Expression::AwaitExpression(waited) => self.is_foreign_within(&waited.argument, depth),
            Expression::LogicalExpression(choice) => {
                self.is_foreign_within(&choice.left, depth) || self.is_foreign_within(&choice.right, depth)
            }
            Expression::ConditionalExpression(choice) => {
                self.is_foreign_within(&choice.consequent, depth) || self.is_foreign_within(&choice.alternate, depth)
            }
            Expression::ArrayExpression(list) => list.elements.iter().any(|element| match element {
                ArrayExpressionElement::SpreadElement(spread) => self.is_foreign_within(&spread.argument, depth),
                element => element.as_expression().is_some_and(|element| self.is_foreign_within(element, depth)),
            }),
            Expression::ObjectExpression(object) => object.properties.iter().any(|property| match property {
                ObjectPropertyKind::SpreadProperty(spread) => self.is_foreign_within(&spread.argument, depth),
                ObjectPropertyKind::ObjectProperty(property) => {
                    may_be_function(self.semantic, &property.value) || self.is_foreign_within(&property.value, depth)
                }
            }),
            Expression::ImportExpression(_) => true,
            Expression::NewExpression(made) => self.is_foreign_within(&made.callee, depth) || self.is_any_foreign(&made.arguments, depth),
            Expression::CallExpression(call) => self.is_foreign_call(expression, &call.callee, &call.arguments, depth),
            Expression::AssignmentExpression(assigned) => self.is_foreign_within(&assigned.right, depth),
            _ => false,
        }
    }

    /// Returns true if and only if a class or a constructor puts something that came from elsewhere into a field of this name.
    fn is_foreign_field(&self, name: &str, depth: usize) -> bool {
        self.semantic.nodes().iter().any(|node| match node.kind() {
            AstKind::AssignmentExpression(assigned) => match &assigned.left {
                AssignmentTarget::StaticMemberExpression(member) => {
                    member.property.name == name
                        && matches!(member.object, Expression::ThisExpression(_))
                        && self.is_foreign_within(&assigned.right, depth)
                }
                _ => false,
            },
            AstKind::PropertyDefinition(field) => {
                field.key.static_name().as_deref() == Some(name)
                    && field.value.as_ref().is_some_and(|value| self.is_foreign_within(value, depth))
            }
            _ => false,
        })
    }

    fn is_foreign_call(&self, whole: &Expression<'a>, callee: &Expression<'a>, arguments: &[Argument<'a>], depth: usize) -> bool {
        let from = origin(self.semantic, callee);
        if let Expression::CallExpression(call) = whole.get_inner_expression()
            && let Some(module) = call.common_js_require()
        {
            return !module.value.ends_with(".json");
        }
        if matches!(from, From::Module(..)) {
            // What a package's function gives back is data as a rule, what the program's own makes nobody knows.
            return from.is_own_module();
        }
        let makes_objects = matches!(&from, From::Host(path) if path.starts_with("Object."));
        let is_passed = matches!(self.trust.handling(&from), Some(Handling::Passes | Handling::Merges)) || makes_objects;
        let is_held =
            callee.get_inner_expression().as_member_expression().is_some_and(|member| self.is_foreign_within(member.object(), depth));
        is_held || is_passed && self.is_any_foreign(arguments, depth) || self.gives_foreign(callee, depth)
    }

    fn is_any_foreign(&self, arguments: &[Argument<'a>], depth: usize) -> bool {
        arguments.iter().any(|argument| argument.as_expression().is_none_or(|argument| self.is_foreign_within(argument, depth)))
    }

    /// Returns true if and only if a function of the script may give back something that came from elsewhere.
    fn gives_foreign(&self, callee: &Expression<'a>, depth: usize) -> bool {
        let Some(parameters) = self.parameters_of(callee.get_inner_expression()) else { return false };
        let function = self.parent(parameters.node_id.get());
        let span = self.kind(function).span();
        self.semantic.nodes().iter().any(|node| match node.kind() {
            AstKind::ReturnStatement(returned) if span.contains_inclusive(returned.span) => {
                returned.argument.as_ref().is_some_and(|value| self.is_foreign_within(value, depth))
            }
            AstKind::ArrowFunctionExpression(arrow) if arrow.span == span => {
                arrow.get_expression().is_some_and(|value| self.is_foreign_within(value, depth))
            }
            _ => false,
        })
    }

    /// Returns true if and only if something that came from elsewhere is put into what a name stands for.
    fn keeps_foreign(&self, symbol: SymbolId, depth: usize) -> bool {
        self.semantic.scoping().get_resolved_references(symbol).any(|reference| {
            let holder = self.parent(reference.node_id());
            let own = self.kind(reference.node_id()).span();
            match self.kind(holder) {
                AstKind::StaticMemberExpression(_) | AstKind::ComputedMemberExpression(_) => match self.kind(self.parent(holder)) {
                    AstKind::AssignmentExpression(assigned) if assigned.left.span() == self.kind(holder).span() => {
                        self.is_foreign_within(&assigned.right, depth)
                    }
                    AstKind::CallExpression(call) if self.is_called(holder) => {
                        let method = call.callee.as_member_expression().and_then(|member| member.static_property_name());
                        method.and_then(of_method) == Some(Handling::Keeps) && self.is_any_foreign(&call.arguments, depth)
                    }
                    _ => false,
                },
                AstKind::CallExpression(call) if call.callee.span() != own => {
                    self.handling(&call.callee) == Some(Handling::Merges)
                        && self.is_any_foreign(call.arguments.get(1..).unwrap_or_default(), depth)
                }
                _ => false,
            }
        })
    }

    fn is_foreign_name(&self, name: &IdentifierReference<'a>, depth: usize) -> bool {
        let Some(symbol) = self.symbol(name.reference_id.get()) else { return false };
        let scoping = self.semantic.scoping();
        let declaration = scoping.symbol_declaration(symbol);
        if is_import(self.kind(declaration)) {
            return !matches!(origin_of_name(self.semantic, name), From::Module(module, _) if module.ends_with(".json"));
        }
        if !self.is_only_given(symbol, |value| !self.is_foreign_within(value, depth)) {
            return true;
        }
        match self.kind(declaration) {
            AstKind::VariableDeclarator(declarator) => {
                let is_begun = match &declarator.init {
                    Some(init) => self.is_foreign_within(init, depth),
                    None => self.is_foreign_element(declaration, depth),
                };
                is_begun || self.keeps_foreign(symbol, depth)
            }
            AstKind::FormalParameter(_) => self.is_foreign_parameter(declaration, depth),
            AstKind::Class(_) => true,
            _ => false,
        }
    }

    /// The elements of what a loop goes over.
    fn is_foreign_element(&self, declarator: NodeId, depth: usize) -> bool {
        match self.kind(self.parent(self.parent(declarator))) {
            AstKind::ForOfStatement(each) => self.is_foreign_within(&each.right, depth),
            _ => false,
        }
    }

    /// What the calls of a function pass in a place, where the script calls it.
    fn is_foreign_parameter(&self, parameter: NodeId, depth: usize) -> bool {
        let list = self.parent(parameter);
        let AstKind::FormalParameters(parameters) = self.kind(list) else { return false };
        let span = self.kind(parameter).span();
        let Some(at) = parameters.items.iter().position(|item| item.span == span) else { return false };
        let function = self.parent(list);
        let named = match self.kind(function) {
            AstKind::Function(declared) if declared.is_declaration() => declared.id.as_ref().and_then(|id| id.symbol_id.get()),
            _ => match self.kind(self.parent(function)) {
                AstKind::VariableDeclarator(declarator) => declarator.id.get_binding_identifier().and_then(|id| id.symbol_id.get()),
                AstKind::MethodDefinition(method) if method.kind == MethodDefinitionKind::Constructor => self.class_around(function),
                AstKind::CallExpression(call) if self.is_called(function) => {
                    return call
                        .arguments
                        .get(at)
                        .and_then(|passed| passed.as_expression())
                        .is_some_and(|passed| self.is_foreign_within(passed, depth));
                }
                AstKind::CallExpression(call) => {
                    let holder = call.callee.get_inner_expression().as_member_expression();
                    return holder.is_some_and(|member| self.is_foreign_within(member.object(), depth) && self.is_list(member.object()));
                }
                _ => None,
            },
        };
        let Some(symbol) = named else { return false };
        self.semantic.scoping().get_resolved_references(symbol).filter(|reference| self.is_called(reference.node_id())).any(|reference| {
            let arguments = match self.kind(self.parent(reference.node_id())) {
                AstKind::CallExpression(call) => &call.arguments,
                AstKind::NewExpression(made) => &made.arguments,
                _ => return false,
            };
            let passed = arguments.get(at).map(|passed| passed.as_expression());
            passed.is_some_and(|passed| passed.is_none_or(|passed| self.is_foreign_within(passed, depth)))
        })
    }

    fn class_around(&self, constructor: NodeId) -> Option<SymbolId> {
        self.semantic.nodes().ancestor_kinds(constructor).find_map(|kind| match kind {
            AstKind::Class(class) => Some(class.id.as_ref()?.symbol_id.get()),
            _ => None,
        })?
    }

    /// Returns true if and only if an expression is a list that stands in the script.
    fn is_list(&self, expression: &Expression<'a>) -> bool {
        match expression.get_inner_expression() {
            Expression::ArrayExpression(_) => true,
            Expression::Identifier(name) => {
                let declaration = self.symbol(name.reference_id.get()).map(|symbol| self.semantic.scoping().symbol_declaration(symbol));
                matches!(declaration.map(|at| self.kind(at)), Some(AstKind::VariableDeclarator(declarator))
                    if matches!(declarator.init.as_ref().map(Expression::get_inner_expression), Some(Expression::ArrayExpression(_))))
            }
            _ => false,
        }
    }
}

/// Returns true if and only if a name is declared by an import.
pub fn is_import(declaration: AstKind<'_>) -> bool {
    matches!(
        declaration,
        AstKind::ImportSpecifier(_)
            | AstKind::ImportDefaultSpecifier(_)
            | AstKind::ImportNamespaceSpecifier(_)
            | AstKind::TSImportEqualsDeclaration(_)
    )
}
