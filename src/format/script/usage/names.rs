//! Where a text goes by the names, functions and things that it is kept in.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, BindingPattern, Expression, ForStatementLeft, FormalParameters};
use oxc_span::{GetSpan as _, Span};
use oxc_syntax::node::NodeId;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::usage::callee::origin;
use crate::format::script::usage::walk::Walk;
use crate::knowledge::row::term::{Handling, Use};
use crate::knowledge::usage::of_method;

impl<'a> Walk<'_, 'a> {
    /// The parameters of a function of the script.
    pub(super) fn parameters_of(&self, function: &Expression<'a>) -> Option<&'a FormalParameters<'a>> {
        let nodes = self.semantic.nodes();
        let of_node = |node: NodeId| match nodes.kind(node) {
            AstKind::Function(function) => Some(&*function.params),
            AstKind::ArrowFunctionExpression(function) => Some(&*function.params),
            AstKind::VariableDeclarator(declarator) => match declarator.init.as_ref()?.get_inner_expression() {
                Expression::ArrowFunctionExpression(function) => Some(&*function.params),
                Expression::FunctionExpression(function) => Some(&*function.params),
                _ => None,
            },
            _ => None,
        };
        match function {
            Expression::ArrowFunctionExpression(function) => of_node(function.node_id.get()),
            Expression::FunctionExpression(function) => of_node(function.node_id.get()),
            Expression::Identifier(name) => {
                let scoping = self.semantic.scoping();
                let symbol = scoping.get_reference(name.reference_id.get()?).symbol_id()?;
                let is_one = !scoping.symbol_is_mutated(symbol) && scoping.symbol_redeclarations(symbol).is_empty();
                if is_one { of_node(scoping.symbol_declaration(symbol)) } else { None }
            }
            _ => None,
        }
    }

    pub(super) fn by_parameter(&mut self, parameters: &'a FormalParameters<'a>, at: usize) -> Use {
        match (parameters.items.get(at), &parameters.rest) {
            (Some(parameter), _) => self.by_pattern(&parameter.pattern),
            (None, Some(rest)) => self.by_pattern(&rest.rest.argument),
            (None, None) => Use::Inert,
        }
    }

    pub(super) fn by_parameters(&mut self, parameters: &'a FormalParameters<'a>) -> Use {
        let items = parameters.items.iter().map(|parameter| &parameter.pattern);
        let rest = parameters.rest.iter().map(|rest| &rest.rest.argument);
        let patterns: Vec<&BindingPattern<'a>> = items.chain(rest).collect();
        patterns.into_iter().map(|pattern| self.by_pattern(pattern)).max().unwrap_or(Use::Inert)
    }

    pub(super) fn by_pattern(&mut self, pattern: &BindingPattern<'a>) -> Use {
        let names = pattern.get_binding_identifiers();
        names.into_iter().map(|name| name.symbol_id.get().map_or(Use::Live, |symbol| self.by_symbol(symbol))).max().unwrap_or(Use::Inert)
    }

    pub(super) fn by_each(&mut self, left: &ForStatementLeft<'a>) -> Use {
        let ForStatementLeft::VariableDeclaration(declaration) = left else { return Use::Live };
        declaration.declarations.iter().map(|declarator| self.by_pattern(&declarator.id)).max().unwrap_or(Use::Inert)
    }

    pub(super) fn by_target(&mut self, target: &AssignmentTarget<'a>) -> Use {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                self.symbol(name.reference_id.get()).map_or(Use::Live, |symbol| self.by_symbol(symbol))
            }
            AssignmentTarget::StaticMemberExpression(member) => self.by_kept_in(&member.object),
            AssignmentTarget::ComputedMemberExpression(member) => self.by_kept_in(&member.object),
            _ => Use::Live,
        }
    }

    pub(super) fn symbol(&self, reference: Option<oxc_syntax::reference::ReferenceId>) -> Option<SymbolId> {
        self.semantic.scoping().get_reference(reference?).symbol_id()
    }

    pub(super) fn by_kept(&mut self, callee: &Expression<'a>) -> Use {
        callee.as_member_expression().map_or(Use::Live, |member| self.by_kept_in(member.object()))
    }

    /// What is put into a list or an object that the script itself makes.
    pub(super) fn by_kept_in(&mut self, holder: &Expression<'a>) -> Use {
        let Expression::Identifier(name) = holder.get_inner_expression() else { return Use::Live };
        let Some(symbol) = self.symbol(name.reference_id.get()) else { return Use::Live };
        let AstKind::VariableDeclarator(declarator) = self.kind(self.semantic.scoping().symbol_declaration(symbol)) else {
            return Use::Live;
        };
        let makes = |init: &Expression<'_>| match init.get_inner_expression() {
            Expression::ArrayExpression(_) | Expression::ObjectExpression(_) => true,
            Expression::NewExpression(made) => self.handling(&made.callee) == Some(Handling::Passes),
            _ => false,
        };
        let is_made = declarator.init.as_ref().is_some_and(makes) && self.is_only_given(symbol, makes);
        if is_made { self.by_symbol(symbol) } else { Use::Live }
    }

    /// What a name is used for wherever it is read.
    pub(super) fn by_symbol(&mut self, symbol: SymbolId) -> Use {
        if !self.symbols.insert(symbol) {
            return Use::Inert;
        }
        let semantic = self.semantic;
        if self.is_exported(semantic.scoping().symbol_declaration(symbol)) {
            return Use::Live;
        }
        let reads = semantic.scoping().get_resolved_references(symbol).filter(|reference| reference.is_read() || reference.is_type());
        let reads: Vec<NodeId> = reads.map(oxc_semantic::Reference::node_id).collect();
        reads.into_iter().map(|read| self.from(read)).max().unwrap_or(Use::Inert)
    }

    pub(super) fn is_exported(&self, declaration: NodeId) -> bool {
        let kinds: Vec<AstKind<'a>> = self.semantic.nodes().ancestor_kinds(declaration).take(3).collect();
        let exports = |kind: &AstKind<'_>| {
            matches!(kind, AstKind::ExportDeclaration(_) | AstKind::ExportNamedDeclaration(_) | AstKind::ExportDefaultDeclaration(_))
        };
        kinds.iter().take_while(|kind| !matches!(kind, AstKind::FunctionBody(_) | AstKind::BlockStatement(_))).any(exports)
    }

    /// What is thrown is shown, unless something catches it: here, or where the function is called.
    pub(super) fn thrown(&mut self, statement: NodeId) -> Use {
        let place: Span = self.kind(statement).span();
        let semantic = self.semantic;
        for kind in semantic.nodes().ancestor_kinds(statement) {
            match kind {
                AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => return self.by_catches(),
                AstKind::TryStatement(tried) if tried.block.span.start <= place.start && place.end <= tried.block.span.end => {
                    let caught = tried.handler.as_ref().and_then(|handler| handler.param.as_ref());
                    return caught.map_or(Use::Inert, |caught| self.by_pattern(&caught.pattern)).max(Use::Printed);
                }
                _ => {}
            }
        }
        if self.trust.hears_thrown { Use::Live } else { Use::Printed }
    }

    pub(super) fn returned(&mut self, statement: NodeId) -> Use {
        let semantic = self.semantic;
        let is_function =
            |node: &NodeId| matches!(semantic.nodes().kind(*node), AstKind::Function(_) | AstKind::ArrowFunctionExpression(_));
        let function = semantic.nodes().ancestor_ids(statement).find(is_function);
        function.map_or(Use::Live, |function| self.given_back(function))
    }

    /// What the results of a function are used for.
    pub(super) fn given_back(&mut self, function: NodeId) -> Use {
        if let AstKind::Function(declared) = self.kind(function)
            && declared.is_declaration()
        {
            return declared.id.as_ref().and_then(|name| name.symbol_id.get()).map_or(Use::Live, |symbol| self.by_calls(symbol));
        }
        let parent = self.parent(function);
        match self.kind(parent) {
            AstKind::VariableDeclarator(declarator) => match &declarator.id {
                BindingPattern::BindingIdentifier(name) => name.symbol_id.get().map_or(Use::Live, |symbol| self.by_calls(symbol)),
                _ => Use::Live,
            },
            AstKind::CallExpression(_) if self.is_called(function) => self.from(parent),
            AstKind::CallExpression(call) => {
                let callee = call.callee.get_inner_expression();
                let method = callee.as_member_expression().and_then(|member| member.static_property_name());
                let holder = callee.as_member_expression().map(|member| member.object());
                let is_list = holder.is_some_and(|holder| !self.may_be_foreign(holder));
                // In a test, what comes from elsewhere is passed texts anyway.
                let is_tested =
                    !is_list && self.is_in_test(parent) && holder.is_some_and(|holder| origin(self.semantic, holder).may_be_tested());
                let method = method.filter(|name| (is_list || is_tested) && !self.trust.is_defined(name));
                match (self.handling(callee), method.and_then(of_method)) {
                    (_, Some(Handling::Maps)) if is_tested => self.from(parent).max(Use::Tested),
                    (Some(Handling::Tests), _) | (_, Some(Handling::Visits)) => Use::Compared,
                    (Some(Handling::Prints), _) => Use::Printed,
                    (_, Some(Handling::Maps)) => self.from(parent),
                    _ => Use::Live,
                }
            }
            _ => Use::Live,
        }
    }

    /// What the results of all calls of a function are used for that is known by a name.
    pub(super) fn by_calls(&mut self, symbol: SymbolId) -> Use {
        let semantic = self.semantic;
        let scoping = semantic.scoping();
        if scoping.symbol_is_mutated(symbol) || self.is_exported(scoping.symbol_declaration(symbol)) {
            return Use::Live;
        }
        let reads: Vec<NodeId> = scoping.get_resolved_references(symbol).map(oxc_semantic::Reference::node_id).collect();
        let result = |walk: &mut Self, read: NodeId| if walk.is_called(read) { walk.from(walk.parent(read)) } else { Use::Live };
        reads.into_iter().map(|read| result(self, read)).max().unwrap_or(Use::Inert)
    }
}
