//! The functions and classes that a script declares, by name.

use std::borrow::Cow;
use std::collections::HashMap;

use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, BindingPattern, Class, Expression, FormalParameters, Function, MethodDefinition,
    ObjectProperty, Program, PropertyKey, ReturnStatement, Statement, VariableDeclarator,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::span::span_of;
use crate::value::span::Span;

/// A function that is written out.
#[derive(Clone, Copy)]
pub enum Written<'a> {
    /// `function`.
    Function(&'a Function<'a>),
    /// `=>`.
    Arrow(&'a ArrowFunctionExpression<'a>),
}

impl<'a> Written<'a> {
    /// The function that an expression writes out.
    pub fn of(expression: &'a Expression<'a>) -> Option<Self> {
        match expression.get_inner_expression() {
            Expression::FunctionExpression(function) => Some(Self::Function(function)),
            Expression::ArrowFunctionExpression(function) => Some(Self::Arrow(function)),
            _ => None,
        }
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        match self {
            Self::Function(function) => span_of(function),
            Self::Arrow(function) => span_of(function),
        }
    }

    /// Its parameters.
    pub fn parameters(self) -> &'a FormalParameters<'a> {
        match self {
            Self::Function(function) => &function.params,
            Self::Arrow(function) => &function.params,
        }
    }

    /// Its statements; none, where it is one expression.
    pub fn statements(self) -> &'a [Statement<'a>] {
        match self {
            Self::Function(function) => function.body.as_ref().map_or(&[], |body| body.statements.as_slice()),
            Self::Arrow(function) => match &function.body {
                ArrowFunctionBody::FunctionBody(body) => body.statements.as_slice(),
                _ => &[],
            },
        }
    }

    /// The expression that it is.
    pub fn expression(self) -> Option<&'a Expression<'a>> {
        match self {
            Self::Function(_) => None,
            Self::Arrow(function) => function.body.as_expression(),
        }
    }

    /// Everything that it may return.
    pub fn returned(self) -> Vec<&'a Expression<'a>> {
        if let Some(expression) = self.expression() {
            return vec![expression];
        }
        let mut returns = Returns { found: Vec::new() };
        for statement in self.statements() {
            returns.visit_statement(statement);
        }
        returns.found
    }
}

struct Returns<'a> {
    found: Vec<&'a Expression<'a>>,
}

impl<'a> VisitJs<'a> for Returns<'a> {
    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        let statement: &'a ReturnStatement<'a> = self.alloc(it);
        self.found.extend(&statement.argument);
    }

    fn visit_expression(&mut self, _: &Expression<'a>) {}

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_class(&mut self, _: &Class<'a>) {}
}

/// All functions and classes with a name.
#[derive(Default)]
pub struct Declared<'a> {
    /// The functions.
    pub functions: HashMap<SymbolId, Written<'a>>,
    /// The classes.
    pub classes: HashMap<SymbolId, &'a Class<'a>>,
    /// The methods of classes and objects by their names; none where several have one.
    methods: HashMap<&'a str, Option<Written<'a>>>,
    /// The functions, in order of place.
    pub order: Vec<SymbolId>,
}

impl<'a> Declared<'a> {
    /// Finds them.
    pub fn of(program: &Program<'a>) -> Self {
        let mut declared = Self::default();
        declared.visit_program(program);
        declared
    }

    /// The one method of a name.
    pub fn method(&self, name: &str) -> Option<Written<'a>> {
        self.methods.get(name).copied().flatten()
    }

    fn add_method(&mut self, key: &'a PropertyKey<'a>, function: Written<'a>) {
        if let Some(name) = key.static_name().and_then(|name| if let Cow::Borrowed(name) = name { Some(name) } else { None }) {
            self.methods.entry(name).and_modify(|known| *known = None).or_insert(Some(function));
        }
    }

    fn add(&mut self, symbol: Option<SymbolId>, function: Written<'a>) {
        if let Some(symbol) = symbol
            && self.functions.insert(symbol, function).is_none()
        {
            self.order.push(symbol);
        }
    }
}

impl<'a> VisitJs<'a> for Declared<'a> {
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let function: &'a Function<'a> = self.alloc(it);
        self.add(function.id.as_ref().and_then(|id| id.symbol_id.get()), Written::Function(function));
        walk_js::walk_function(self, function, flags);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        let class: &'a Class<'a> = self.alloc(it);
        if let Some(symbol) = class.id.as_ref().and_then(|id| id.symbol_id.get()) {
            self.classes.insert(symbol, class);
        }
        walk_js::walk_class(self, class);
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        let method: &'a MethodDefinition<'a> = self.alloc(it);
        self.add_method(&method.key, Written::Function(&method.value));
        walk_js::walk_method_definition(self, method);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        let property: &'a ObjectProperty<'a> = self.alloc(it);
        if let Some(function) = Written::of(&property.value) {
            self.add_method(&property.key, function);
        }
        walk_js::walk_object_property(self, property);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        let declarator: &'a VariableDeclarator<'a> = self.alloc(it);
        if let BindingPattern::BindingIdentifier(name) = &declarator.id
            && let Some(init) = &declarator.init
        {
            if let Some(function) = Written::of(init) {
                self.add(name.symbol_id.get(), function);
            }
            if let (Expression::ClassExpression(class), Some(symbol)) = (init.get_inner_expression(), name.symbol_id.get()) {
                self.classes.insert(symbol, class);
            }
        }
        walk_js::walk_variable_declarator(self, declarator);
    }
}
