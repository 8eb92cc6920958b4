//! Functions that hear of a text without being passed it: those beside it, those a logger was made with, those that catch what is thrown.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression, FormalParameters, ObjectPropertyKind};
use oxc_span::{GetSpan as _, Span};
use oxc_syntax::node::NodeId;

use crate::format::script::usage::callee::{From, origin};
use crate::format::script::usage::receiver::is_import;
use crate::format::script::usage::walk::Walk;
use crate::format::script::usage::written::may_be_function;
use crate::knowledge::row::term::{Handling, Use};

/// How many options stand in one another at most.
const DEPTH: usize = 6;

impl<'a> Walk<'_, 'a> {
    /// What functions do with a text that something asserts of: those beside it, and those that are passed to what is chained.
    pub(super) fn by_asserted(&mut self, call_node: NodeId, arguments: &'a [Argument<'a>], own: Span) -> Use {
        let mut used = self.by_functions(arguments, Some(own)).max(Use::Compared);
        let mut node = call_node;
        while let AstKind::StaticMemberExpression(_) | AstKind::CallExpression(_) = self.kind(self.parent(node)) {
            let chained = self.parent(node);
            if let AstKind::CallExpression(call) = self.kind(chained) {
                if !self.is_called(node) {
                    break;
                }
                used = used.max(self.by_functions(&call.arguments, None));
            }
            node = chained;
        }
        used
    }

    fn by_functions(&mut self, arguments: &'a [Argument<'a>], own: Option<Span>) -> Use {
        let mut worst = Use::Inert;
        for argument in arguments.iter().filter(|argument| Some(argument.span()) != own).filter_map(|argument| argument.as_expression()) {
            worst = worst.max(match self.parameters_of(argument.get_inner_expression()) {
                Some(parameters) => self.by_parameters(parameters),
                None if may_be_function(self.semantic, argument) => Use::Live,
                None => Use::Inert,
            });
        }
        worst
    }

    /// What a function does with the text that stands beside it in a call that hands the text on.
    pub(super) fn by_beside(&mut self, arguments: &'a [Argument<'a>], own: Option<Span>) -> Use {
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
                let elements =
                    list.elements.iter().map(|element| element.as_expression().map_or(Use::Live, |element| self.by_option(element, depth)));
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
        is_import(self.kind(self.semantic.scoping().symbol_declaration(symbol)))
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

    fn by_handlers(&mut self, call: &'a CallExpression<'a>) -> Use {
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
