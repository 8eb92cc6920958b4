//! What a method is called on: something that the script makes itself, or something that may come with methods of its own.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, ArrayExpressionElement, BindingPattern, Expression, FormalParameters, IdentifierReference, ObjectPropertyKind};
use oxc_span::GetSpan as _;
use oxc_syntax::node::NodeId;
use oxc_syntax::operator::BinaryOperator;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::usage::callee::{From, origin, origin_of_name};
use crate::format::script::usage::trust::may_be_function;
use crate::format::script::usage::walk::Walk;
use crate::knowledge::row::term::{Handling, Use};
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
            Expression::LogicalExpression(choice) => {
                self.is_made_within(&choice.left, depth) && self.is_made_within(&choice.right, depth)
            }
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
                let is_text = member.static_property_name().is_some_and(|name| !matches!(name, "get" | "at" | "pop" | "shift" | "find" | "findLast" | "reduce" | "reduceRight"));
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
            Expression::NewExpression(made) => self.is_foreign_within(&made.callee, depth),
            Expression::CallExpression(call) => self.is_foreign_call(expression, &call.callee, &call.arguments, depth),
            Expression::AssignmentExpression(assigned) => self.is_foreign_within(&assigned.right, depth),
            _ => false,
        }
    }

    fn is_foreign_call(&self, whole: &Expression<'a>, callee: &Expression<'a>, arguments: &[Argument<'a>], depth: usize) -> bool {
        let from = origin(self.semantic, callee);
        if let (From::Module(module, _), Expression::Identifier(_)) = (&from, callee.get_inner_expression()) {
            // What a package's function gives back is data as a rule, what the program's own makes nobody knows.
            return From::Module(module.clone(), String::new()).is_own_module();
        }
        if matches!(origin(self.semantic, whole), From::Module(_, path) if path.is_empty()) {
            return true;
        }
        let makes_objects = matches!(&from, From::Host(path) if path.starts_with("Object."));
        let is_passed = matches!(self.trust.handling(&from), Some(Handling::Passes | Handling::Merges)) || makes_objects;
        let is_held = callee.get_inner_expression().as_member_expression().is_some_and(|member| self.is_foreign_within(member.object(), depth));
        is_held || is_passed && arguments.iter().any(|argument| argument.as_expression().is_none_or(|argument| self.is_foreign_within(argument, depth)))
    }

    fn is_foreign_name(&self, name: &IdentifierReference<'a>, depth: usize) -> bool {
        if let From::Module(module, _) = origin_of_name(self.semantic, name) {
            return !module.ends_with(".json");
        }
        let Some(symbol) = self.symbol(name.reference_id.get()) else { return false };
        let scoping = self.semantic.scoping();
        let declaration = scoping.symbol_declaration(symbol);
        if !self.is_only_given(symbol, |value| !self.is_foreign_within(value, depth)) {
            return true;
        }
        match self.kind(declaration) {
            AstKind::VariableDeclarator(declarator) => match &declarator.init {
                Some(init) => self.is_foreign_within(init, depth),
                None => self.is_foreign_element(declaration, depth),
            },
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
                AstKind::CallExpression(call) if self.is_called(function) => {
                    return call.arguments.get(at).and_then(|passed| passed.as_expression()).is_some_and(|passed| self.is_foreign_within(passed, depth));
                }
                AstKind::CallExpression(call) => {
                    let holder = call.callee.get_inner_expression().as_member_expression();
                    return holder.is_some_and(|member| self.is_foreign_within(member.object(), depth) && self.is_list(member.object()));
                }
                _ => None,
            },
        };
        let Some(symbol) = named else { return false };
        self.semantic.scoping().get_resolved_references(symbol).any(|reference| match self.kind(self.parent(reference.node_id())) {
            AstKind::CallExpression(call) if self.is_called(reference.node_id()) => {
                let passed = call.arguments.get(at).map(|passed| passed.as_expression());
                passed.is_some_and(|passed| passed.is_none_or(|passed| self.is_foreign_within(passed, depth)))
            }
            _ => false,
        })
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

    /// What a function does with the text that stands beside it in a call that hands the text on.
    pub(super) fn by_beside(&mut self, arguments: &'a [Argument<'a>], own: Option<oxc_span::Span>) -> Use {
        let beside = arguments.iter().filter(|argument| Some(argument.span()) != own);
        let used = beside.map(|argument| argument.as_expression().map_or(Use::Live, |argument| self.by_option(argument, DEPTH)));
        used.collect::<Vec<Use>>().into_iter().max().unwrap_or(Use::Inert)
    }

    /// What an option of a call does with what the call is given: functions are handed it, data is not.
    pub(super) fn by_option(&mut self, option: &'a Expression<'a>, depth: usize) -> Use {
        let Some(depth) = depth.checked_sub(1) else { return Use::Live };
        let option = option.get_inner_expression();
        if self.is_made_here(option) && !matches!(option, Expression::ArrayExpression(_)) {
            return Use::Inert;
        }
        match option {
            Expression::ObjectExpression(object) => {
                let value = |walk: &mut Self, property: &'a ObjectPropertyKind<'a>| match property {
                    ObjectPropertyKind::ObjectProperty(property) => walk.by_option(&property.value, depth),
                    ObjectPropertyKind::SpreadProperty(spread) => walk.by_option(&spread.argument, depth),
                };
                object.properties.iter().map(|property| value(self, property)).max().unwrap_or(Use::Inert)
            }
            Expression::ArrayExpression(list) => {
                let elements = list.elements.iter().map(|element| element.as_expression().map_or(Use::Live, |element| self.by_option(element, depth)));
                elements.max().unwrap_or(Use::Inert)
            }
            Expression::CallExpression(call) if self.is_known(&call.callee) => self.by_options(&call.arguments, depth),
            Expression::NewExpression(made) if self.is_known(&made.callee) => self.by_options(&made.arguments, depth),
            Expression::ConditionalExpression(choice) => {
                self.by_option(&choice.consequent, depth).max(self.by_option(&choice.alternate, depth))
            }
            Expression::LogicalExpression(choice) => self.by_option(&choice.left, depth).max(self.by_option(&choice.right, depth)),
            Expression::StaticMemberExpression(member) if matches!(origin(self.semantic, &member.object), From::Host(_)) => Use::Inert,
            function => match self.parameters_of(function) {
                Some(parameters) => self.by_parameters(parameters),
                None => self.by_named_option(function, depth),
            },
        }
    }

    fn by_options(&mut self, arguments: &'a [Argument<'a>], depth: usize) -> Use {
        let used = arguments.iter().map(|argument| argument.as_expression().map_or(Use::Live, |argument| self.by_option(argument, depth)));
        used.max().unwrap_or(Use::Inert)
    }

    fn by_named_option(&mut self, option: &'a Expression<'a>, depth: usize) -> Use {
        let Expression::Identifier(name) = option else { return Use::Live };
        let Some(symbol) = self.symbol(name.reference_id.get()) else { return Use::Live };
        let semantic = self.semantic;
        match semantic.nodes().kind(semantic.scoping().symbol_declaration(symbol)) {
            AstKind::VariableDeclarator(declarator) if !semantic.scoping().symbol_is_mutated(symbol) => {
                declarator.init.as_ref().map_or(Use::Inert, |init| self.by_option(init, depth))
            }
            _ => Use::Live,
        }
    }

    fn is_known(&self, callee: &Expression<'a>) -> bool {
        matches!(self.trust.handling(&origin(self.semantic, callee)), Some(Handling::Prints | Handling::Passes))
    }

    /// What those functions do with what a logger shows that it was made with.
    pub(super) fn by_logger(&mut self, callee: &'a Expression<'a>) -> Use {
        let mut holder = callee.get_inner_expression();
        while let Some(member) = holder.as_member_expression() {
            holder = member.object().get_inner_expression();
        }
        match holder {
            Expression::CallExpression(call) => self.by_options(&call.arguments, DEPTH).max(self.by_logger(&call.callee)),
            Expression::NewExpression(made) => self.by_options(&made.arguments, DEPTH),
            Expression::Identifier(_) if self.is_imported(holder) => Use::Inert,
            Expression::Identifier(name) => {
                let Some(symbol) = self.symbol(name.reference_id.get()) else { return Use::Inert };
                let semantic = self.semantic;
                match semantic.nodes().kind(semantic.scoping().symbol_declaration(symbol)) {
                    AstKind::VariableDeclarator(declarator) => declarator.init.as_ref().map_or(Use::Live, |init| self.by_logger(init)),
                    _ => Use::Live,
                }
            }
            _ => Use::Inert,
        }
    }

    fn is_imported(&self, name: &Expression<'a>) -> bool {
        let Expression::Identifier(name) = name else { return false };
        let Some(symbol) = self.symbol(name.reference_id.get()) else { return false };
        let kind = self.kind(self.semantic.scoping().symbol_declaration(symbol));
        matches!(kind, AstKind::ImportSpecifier(_) | AstKind::ImportDefaultSpecifier(_) | AstKind::ImportNamespaceSpecifier(_))
    }

    /// The parameters of functions that hear of what is thrown: those of `catch` clauses and of handlers of promises.
    pub(super) fn by_catches(&mut self) -> Use {
        let semantic = self.semantic;
        let mut worst = if self.trust.hears_thrown { Use::Live } else { Use::Printed };
        for node in semantic.nodes().iter() {
            let used = match node.kind() {
                AstKind::CatchClause(caught) => caught.param.as_ref().map_or(Use::Inert, |caught| self.by_pattern(&caught.pattern)),
                AstKind::CallExpression(call) => self.by_handlers(call),
                _ => Use::Inert,
            };
            worst = worst.max(used);
        }
        worst
    }

    fn by_handlers(&mut self, call: &'a oxc_ast::ast::CallExpression<'a>) -> Use {
        let method = call.callee.get_inner_expression().as_member_expression().and_then(|member| member.static_property_name());
        let handler = match method {
            Some("catch") => call.arguments.first(),
            Some("then") => call.arguments.get(1),
            _ => None,
        };
        let Some(handler) = handler.and_then(|handler| handler.as_expression()) else { return Use::Inert };
        if self.trust.handling(&origin(self.semantic, handler)) == Some(Handling::Prints) {
            return Use::Printed;
        }
        let parameters: Option<&'a FormalParameters<'a>> = self.parameters_of(handler.get_inner_expression());
        parameters.map_or(Use::Live, |parameters| self.by_parameters(parameters))
    }
}
