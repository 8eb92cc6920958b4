//! Which function a call calls, as far as that tells what it does with a text.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, Expression, IdentifierReference};
use oxc_semantic::Semantic;
use oxc_syntax::node::NodeId;
use oxc_syntax::symbol::SymbolId;

use crate::knowledge::row::term::Handling;
use crate::knowledge::usage::{may_run, of_function};
use crate::knowledge::words::Tag;

/// How many names stand for one another at most.
const DEPTH: usize = 8;

/// How the modules of a program itself are written.
const OWN_MODULES: &[&str] = &[".", "/", "#", "@/", "~"];

/// Where a function comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// The host, by this name.
    Host(String),
    /// A module, with its name there.
    Module(String, String),
    /// The script, or nobody knows.
    Script(String),
}

impl From {
    /// A member of it.
    pub fn member(self, name: &str) -> Self {
        let joined = |path: String| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        match self {
            Self::Host(path) => Self::Host(joined(path)),
            Self::Module(module, path) => Self::Module(module, joined(path)),
            Self::Script(path) => Self::Script(joined(path)),
        }
    }

    /// What it does with a text, if that is known.
    pub fn handling(&self) -> Option<Handling> {
        match self {
            Self::Host(path) => of_function(None, path),
            Self::Module(module, path) => of_function(Some(module), path),
            Self::Script(_) => None,
        }
    }

    /// Returns true if and only if a test may hand it a text for it to tell something of: it is the program's own, and its
    /// name does not say that it runs the text.
    pub fn may_be_tested(&self) -> bool {
        let runs = |path: &str| path.split('.').any(may_run) || path.split('.').any(|name| Tag::ProcessFunction.has(name));
        match self {
            Self::Host(_) => false,
            Self::Module(_, path) => self.is_own_module() && !runs(path),
            Self::Script(path) => !runs(path),
        }
    }

    /// Returns true if and only if it comes from a module of the program itself.
    pub fn is_own_module(&self) -> bool {
        matches!(self, Self::Module(module, _) if OWN_MODULES.iter().any(|start| module.starts_with(start)))
    }

    /// The last part of its name.
    pub fn last(&self) -> &str {
        let (Self::Host(path) | Self::Module(_, path) | Self::Script(path)) = self;
        path.rsplit('.').next().unwrap_or_default()
    }

    /// What it is a member of, in the end.
    pub fn root(self) -> Self {
        match self {
            Self::Host(path) => Self::Host(path.split('.').next().unwrap_or_default().to_owned()),
            Self::Module(module, _) => Self::Module(module, String::new()),
            Self::Script(path) => Self::Script(path),
        }
    }

    /// Returns true if and only if one of two is the other, or lies in it.
    pub fn is_about(&self, other: &Self) -> bool {
        let (own, other) = match (self, other) {
            (Self::Host(own), Self::Host(other)) => (own, other),
            (Self::Module(module, own), Self::Module(from, other)) if module == from => (own, other),
            _ => return false,
        };
        own.is_empty() || other.is_empty() || own.split('.').zip(other.split('.')).all(|(own, other)| own == other)
    }

    /// Its name in one word.
    pub fn is_each(&self) -> bool {
        let (Self::Host(path) | Self::Module(_, path) | Self::Script(path)) = self;
        path.ends_with(".each")
    }
}

/// Where what an expression stands for comes from; a call stands for what it calls.
pub fn origin(semantic: &Semantic<'_>, expression: &Expression<'_>) -> From {
    origin_within(semantic, expression, DEPTH)
}

/// Where what a name stands for comes from.
pub fn origin_of_name(semantic: &Semantic<'_>, name: &IdentifierReference<'_>) -> From {
    of_name(semantic, name, DEPTH)
}

fn origin_within(semantic: &Semantic<'_>, expression: &Expression<'_>, depth: usize) -> From {
    let Some(depth) = depth.checked_sub(1) else { return From::Script(String::new()) };
    match expression.get_inner_expression() {
        Expression::Identifier(name) => of_name(semantic, name, depth),
        Expression::StaticMemberExpression(member) => origin_within(semantic, &member.object, depth).member(&member.property.name),
        Expression::ComputedMemberExpression(member) => match &member.expression {
            Expression::StringLiteral(name) => origin_within(semantic, &member.object, depth).member(&name.value),
            _ => From::Script(String::new()),
        },
        Expression::CallExpression(call) => match call.common_js_require() {
            Some(module) => From::Module(module.value.to_string(), String::new()),
            None => origin_within(semantic, &call.callee, depth),
        },
        Expression::NewExpression(made) => origin_within(semantic, &made.callee, depth),
        Expression::AwaitExpression(waited) => origin_within(semantic, &waited.argument, depth),
        Expression::ImportExpression(import) => match &import.source {
            Expression::StringLiteral(module) => From::Module(module.value.to_string(), String::new()),
            _ => From::Script(String::new()),
        },
        _ => From::Script(String::new()),
    }
}

fn of_name(semantic: &Semantic<'_>, name: &IdentifierReference<'_>, depth: usize) -> From {
    let scoping = semantic.scoping();
    let symbol = name.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id());
    let Some(symbol) = symbol else { return From::Host(name.name.to_string()) };
    let own = || From::Script(name.name.to_string());
    if scoping.symbol_is_mutated(symbol) {
        return own();
    }
    let declaration = scoping.symbol_declaration(symbol);
    match semantic.nodes().kind(declaration) {
        AstKind::ImportSpecifier(specifier) => of_import(semantic, declaration, &specifier.imported.name()),
        AstKind::ImportDefaultSpecifier(_) => of_import(semantic, declaration, &name.name),
        AstKind::ImportNamespaceSpecifier(_) => of_import(semantic, declaration, ""),
        AstKind::VariableDeclarator(declarator) => {
            let Some(init) = &declarator.init else { return own() };
            match (origin_within(semantic, init, depth), &declarator.id) {
                (From::Module(module, path), BindingPattern::BindingIdentifier(_)) => From::Module(module, path),
                (from @ From::Module(..), BindingPattern::ObjectPattern(_)) => match key_of(&declarator.id, semantic, symbol) {
                    Some(key) => from.member(&key),
                    None => own(),
                },
                _ => own(),
            }
        }
        _ => own(),
    }
}

fn of_import(semantic: &Semantic<'_>, specifier: NodeId, name: &str) -> From {
    match semantic.nodes().parent_kind(specifier) {
        AstKind::ImportDeclaration(import) => From::Module(import.source.value.to_string(), name.to_owned()),
        _ => From::Script(name.to_owned()),
    }
}

/// The key under which a pattern takes a name.
fn key_of(pattern: &BindingPattern<'_>, semantic: &Semantic<'_>, symbol: SymbolId) -> Option<String> {
    let BindingPattern::ObjectPattern(pattern) = pattern else { return None };
    let place = semantic.scoping().symbol_span(symbol);
    let takes = |value: &BindingPattern<'_>| value.get_binding_identifier().is_some_and(|name| name.span == place);
    let property = pattern.properties.iter().find(|property| takes(&property.value))?;
    property.key.static_name().map(std::borrow::Cow::into_owned)
}
