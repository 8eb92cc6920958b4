//! What a computed key may say: folded text, both ways of a choice, what objects turn into.

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, BinaryExpression, CallExpression, Class, ClassElement, Expression, MethodDefinitionKind,
    ObjectExpression, ObjectPropertyKind, PropertyKey, PropertyKind,
};
use oxc_syntax::operator::BinaryOperator;

use crate::format::script::bindings::Given;
use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::Walker;
use crate::format::script::sandbox::functions::Written;

/// How deep choices and names are followed.
const DEPTH: u32 = 10;
/// How many texts of one key are listed.
const TEXTS: usize = 16;
/// How many steps one key may take.
const STEPS: u32 = 64;

/// The texts that a key may have, and what finding them may still cost.
struct Search {
    texts: Vec<String>,
    steps: u32,
}

impl<'a> Walker<'_, 'a, '_> {
    /// The texts that an expression may have as a key.
    pub fn keys(&self, expression: &'a Expression<'a>) -> Vec<String> {
        let mut search = Search { texts: Vec::new(), steps: STEPS };
        self.search(expression, DEPTH, &mut search);
        search.texts
    }

    /// The texts that an object may turn into.
    pub fn texts_of_object(&self, object: &'a ObjectExpression<'a>) -> Vec<String> {
        let mut search = Search { texts: Vec::new(), steps: STEPS };
        self.search_object(object, DEPTH, &mut search);
        search.texts
    }

    /// The texts that the objects of a class may turn into.
    pub fn texts_of_class(&self, class: &'a Class<'a>) -> Vec<String> {
        let mut search = Search { texts: Vec::new(), steps: STEPS };
        self.search_class(class, DEPTH, &mut search);
        search.texts
    }

    /// The name of a property, computed or not.
    pub fn key_names(&self, key: &'a PropertyKey<'a>) -> Vec<String> {
        match key {
            PropertyKey::StaticIdentifier(name) => vec![name.name.to_string()],
            PropertyKey::PrivateIdentifier(_) => Vec::new(),
            key => key.as_expression().map_or_else(Vec::new, |key| self.keys(key)),
        }
    }

    fn search(&self, expression: &'a Expression<'a>, depth: u32, search: &mut Search) {
        let (Some(depth), Some(steps)) = (depth.checked_sub(1), search.steps.checked_sub(1)) else { return };
        search.steps = steps;
        if TEXTS <= search.texts.len() {
            return;
        }
        search.texts.extend(self.joined(expression));
        match self.folder.fold(expression) {
            Some(constant @ (Constant::String(_) | Constant::Array(_))) => return search.texts.push(constant.to_text()),
            Some(_) => return,
            None => {}
        }
        match expression.get_inner_expression() {
            Expression::Identifier(name) => {
                let Some(symbol) = self.bindings.symbol(name) else { return };
                search.texts.extend(self.grown_text(symbol));
                for given in self.bindings.given(symbol) {
                    match given {
                        Given::Expression(given) => self.search(given, depth, search),
                        Given::Property(object, key) => self.search_property(object, key, depth, search),
                        Given::Unknown => {}
                    }
                }
            }
            Expression::ConditionalExpression(choice) => {
                self.search(&choice.consequent, depth, search);
                self.search(&choice.alternate, depth, search);
            }
            Expression::LogicalExpression(choice) => {
                self.search(&choice.left, depth, search);
                self.search(&choice.right, depth, search);
            }
            Expression::SequenceExpression(sequence) => {
                if let Some(last) = sequence.expressions.last() {
                    self.search(last, depth, search);
                }
            }
            Expression::AssignmentExpression(assignment) => self.search(&assignment.right, depth, search),
            Expression::AwaitExpression(awaited) => self.search(&awaited.argument, depth, search),
            Expression::ArrayExpression(array) => {
                if let [element] = array.elements.as_slice()
                    && let Some(element) = ArrayExpressionElement::as_expression(element)
                {
                    self.search(element, depth, search);
                }
            }
            Expression::ObjectExpression(object) => self.search_object(object, depth, search),
            Expression::NewExpression(created) => {
                if let Expression::Identifier(name) = created.callee.get_inner_expression()
                    && let Some(class) = self.bindings.symbol(name).and_then(|symbol| self.declared.classes.get(&symbol))
                {
                    self.search_class(class, depth, search);
                }
            }
            Expression::TemplateLiteral(template) => {
                if let [hole] = template.expressions.as_slice()
                    && template.quasis.iter().all(|quasi| quasi.value.raw.is_empty())
                {
                    self.search(hole, depth, search);
                }
            }
            Expression::BinaryExpression(sum) => self.search_sum(sum, depth, search),
            Expression::CallExpression(call) => self.search_call(call, depth, search),
            _ => {}
        }
    }

    /// `list.join('')` of a list that grew by `push`.
    fn joined(&self, expression: &'a Expression<'a>) -> Option<String> {
        let Expression::CallExpression(call) = expression.get_inner_expression() else { return None };
        let member =
            call.callee.get_inner_expression().as_member_expression().filter(|member| member.static_property_name() == Some("join"))?;
        let Expression::Identifier(name) = member.object().get_inner_expression() else { return None };
        self.grown_text(self.bindings.symbol(name)?)
    }

    /// `'' + x` and `x + ''`.
    fn search_sum(&self, sum: &'a BinaryExpression<'a>, depth: u32, search: &mut Search) {
        let is_empty = |side: &'a Expression<'a>| matches!(self.folder.fold(side), Some(Constant::String(text)) if text.is_empty());
        if sum.operator == BinaryOperator::Addition {
            if is_empty(&sum.left) {
                self.search(&sum.right, depth, search);
            } else if is_empty(&sum.right) {
                self.search(&sum.left, depth, search);
            }
        }
    }

    fn search_call(&self, call: &'a CallExpression<'a>, depth: u32, search: &mut Search) {
        let callee = call.callee.get_inner_expression();
        if let Some(function) = self.function(callee) {
            for returned in self.returned(function) {
                self.search(returned, depth, search);
            }
            return;
        }
        match callee {
            Expression::Identifier(name) if name.name == "String" => {
                if let Some(argument) = call.arguments.first().and_then(Argument::as_expression) {
                    self.search(argument, depth, search);
                }
            }
            callee => {
                let Some(member) = callee.as_member_expression() else { return };
                match member.static_property_name() {
                    Some("toString" | "valueOf") => self.search(member.object(), depth, search),
                    Some(name) => self.search_property(member.object(), name, depth, search),
                    None => {}
                }
            }
        }
    }

    /// What a property of a written object is, or returns when it is called.
    fn search_property(&self, object: &'a Expression<'a>, key: &str, depth: u32, search: &mut Search) {
        let Some(Expression::ObjectExpression(object)) = self.folder.written_out(object) else { return };
        for property in &object.properties {
            if let ObjectPropertyKind::ObjectProperty(property) = property
                && property.key.static_name().as_deref() == Some(key)
            {
                self.search_returned(&property.value, depth, search);
                self.search(&property.value, depth, search);
            }
        }
    }

    fn search_object(&self, object: &'a ObjectExpression<'a>, depth: u32, search: &mut Search) {
        for property in &object.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else { continue };
            if !self.is_coercion(&property.key) {
                continue;
            }
            if property.kind == PropertyKind::Get {
                for returned in Written::of(&property.value).map_or_else(Vec::new, |function| self.returned(function)) {
                    self.search_returned(returned, depth, search);
                }
            } else {
                self.search_returned(&property.value, depth, search);
            }
        }
    }

    fn search_class(&self, class: &'a Class<'a>, depth: u32, search: &mut Search) {
        for element in &class.body.body {
            match element {
                ClassElement::MethodDefinition(method) if method.kind == MethodDefinitionKind::Method && self.is_coercion(&method.key) => {
                    for returned in self.returned(Written::Function(&method.value)) {
                        self.search(returned, depth, search);
                    }
                }
                ClassElement::PropertyDefinition(property) if self.is_coercion(&property.key) => {
                    if let Some(value) = &property.value {
                        self.search_returned(value, depth, search);
                    }
                }
                _ => {}
            }
        }
    }

    fn search_returned(&self, function: &'a Expression<'a>, depth: u32, search: &mut Search) {
        for returned in self.function(function).map_or_else(Vec::new, |function| self.returned(function)) {
            self.search(returned, depth, search);
        }
    }

    /// Everything that a function may return, as long as there is budget to look for it.
    fn returned(&self, function: Written<'a>) -> Vec<&'a Expression<'a>> {
        if self.folder.spend(function.span()) { function.returned() } else { Vec::new() }
    }

    /// Returns true if and only if the property says what an object turns into.
    pub fn is_coercion(&self, key: &PropertyKey<'a>) -> bool {
        match key.static_name() {
            Some(name) => matches!(name.as_ref(), "toString" | "valueOf"),
            None => key.as_expression().and_then(|key| self.symbol_name(key)) == Some("toPrimitive"),
        }
    }
}
