//! Modules of which a script uses nothing but servers: by these nothing is sent but to whoever asks.

use oxc_ast::ast::{
    BindingPattern, CallExpression, Expression, ImportDeclaration, ImportDeclarationSpecifier, ImportExpression, MemberExpression, Program,
    VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::reference::ReferenceId;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::format::script::span::span_of;
use crate::value::span::Span;

/// Modules that serve as well as ask.
const MODULES: &[&str] = &["http", "http2", "https", "net", "tls"];
/// What they offer that asks nobody.
const SERVING: &[&str] =
    &["createServer", "createSecureServer", "Server", "STATUS_CODES", "METHODS", "IncomingMessage", "ServerResponse", "constants"];

/// The modules that a program uses for servers alone.
pub fn modules(program: &Program<'_>, scoping: &Scoping) -> FxHashSet<String> {
    let mut uses = Uses::default();
    uses.visit_program(program);
    let mut served: FxHashMap<SymbolId, usize> = FxHashMap::default();
    for symbol in uses.served.iter().filter_map(|reference| scoping.get_reference(*reference).symbol_id()) {
        *served.entry(symbol).or_default() += 1;
    }
    let does_more = |(symbol, module): (&SymbolId, &&'static str)| {
        let uses = scoping.get_resolved_references(*symbol).filter(|reference| !reference.is_type()).count();
        (served.get(symbol).copied().unwrap_or_default() < uses).then_some(*module)
    };
    let more: FxHashSet<&str> = uses.bound.iter().filter_map(does_more).chain(uses.asking).collect();
    MODULES.iter().filter(|module| !more.contains(**module)).map(|module| (*module).to_owned()).collect()
}

#[derive(Default)]
struct Uses {
    /// Variables that are a module.
    bound: FxHashMap<SymbolId, &'static str>,
    /// Where something that serves is read of a variable.
    served: Vec<ReferenceId>,
    /// Modules of which something else is taken.
    asking: FxHashSet<&'static str>,
    /// Calls of `require` that are understood.
    requires: FxHashSet<Span>,
}

impl Uses {
    /// A module is bound to what a pattern says.
    fn bind(&mut self, pattern: &BindingPattern<'_>, module: &'static str) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                if let Some(symbol) = name.symbol_id.get() {
                    self.bound.insert(symbol, module);
                }
            }
            BindingPattern::ObjectPattern(object) if object.rest.is_none() => {
                for property in &object.properties {
                    self.take(property.key.static_name().as_deref().unwrap_or_default(), module);
                }
            }
            _ => {
                self.asking.insert(module);
            }
        }
    }

    fn take(&mut self, name: &str, module: &'static str) {
        if !SERVING.contains(&name) {
            self.asking.insert(module);
        }
    }
}

impl<'a> Visit<'a> for Uses {
    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        if let Some(module) = module(it.source.value.as_str()) {
            for specifier in it.specifiers.iter().flatten() {
                let local = match specifier {
                    ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                        if !specifier.import_kind.is_type() && !it.import_kind.is_type() {
                            self.take(specifier.imported.name().as_str(), module);
                        }
                        continue;
                    }
                    ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier) => &specifier.local,
                    ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => &specifier.local,
                };
                if let Some(symbol) = local.symbol_id.get() {
                    self.bound.insert(symbol, module);
                }
            }
        }
        walk::walk_import_declaration(self, it);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        if let Expression::StringLiteral(name) = it.source.get_inner_expression() {
            self.asking.extend(module(name.value.as_str()));
        }
        walk::walk_import_expression(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let Some((module, span)) = it.init.as_ref().and_then(required) {
            self.requires.insert(span);
            self.bind(&it.id, module);
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Some((module, span)) = required_by(it)
            && self.requires.insert(span)
        {
            self.asking.insert(module);
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_member_expression(&mut self, it: &MemberExpression<'a>) {
        let serves = it.static_property_name().is_some_and(|name| SERVING.contains(&name));
        match it.object().get_inner_expression() {
            Expression::Identifier(name) if serves => {
                if let Some(reference) = name.reference_id.get() {
                    self.served.push(reference);
                }
            }
            object => {
                if let Some((_, span)) = required(object).filter(|_| serves) {
                    self.requires.insert(span);
                }
            }
        }
        walk::walk_member_expression(self, it);
    }
}

/// The module that an expression requires, if it is one of these.
fn required(expression: &Expression<'_>) -> Option<(&'static str, Span)> {
    match expression.get_inner_expression() {
        Expression::CallExpression(call) => required_by(call),
        _ => None,
    }
}

fn required_by(call: &CallExpression<'_>) -> Option<(&'static str, Span)> {
    let is_require = matches!(call.callee.get_inner_expression(), Expression::Identifier(name) if name.name == "require");
    let Some(Expression::StringLiteral(name)) = call.arguments.first().and_then(|first| first.as_expression()) else { return None };
    module(name.value.as_str()).filter(|_| is_require).map(|module| (module, span_of(call)))
}

fn module(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("node:").unwrap_or(name);
    MODULES.iter().copied().find(|module| *module == name)
}
