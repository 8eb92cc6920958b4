//! Calls: of what JavaScript offers, and of functions that the script itself writes out.

use oxc_ast::ast::{Argument, ArrowFunctionBody, BindingPattern, CallExpression, Expression, FormalParameters, Statement};
use oxc_ast::ast::{FunctionBody, MemberExpression, NewExpression, ObjectExpression, ObjectPropertyKind};

use crate::format::script::fold::{Folder, global};
use crate::format::script::js::constant::Constant;
use crate::format::script::js::pattern::{self, Item, Node};
use crate::format::script::js::{MAX_TEXT, function, method};

/// The most elements for which a callback is folded.
const ELEMENTS: usize = 1_000;

impl<'a> Folder<'_, 'a, '_> {
    /// The value of a call.
    pub fn call(&self, call: &CallExpression<'a>, depth: u32) -> Option<Constant> {
        let arguments = || self.arguments(&call.arguments, depth);
        match call.callee.get_inner_expression() {
            Expression::Identifier(name) if self.bindings.symbol(name).is_none() => {
                if !function::is_function(name.name.as_str()) {
                    return None;
                }
                function::function(name.name.as_str(), &arguments()?)
            }
            callee @ (Expression::Identifier(_) | Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)) => {
                if !matches!(callee, Expression::Identifier(name) if self.declared(name).is_some()) {
                    self.written_out(callee)?;
                }
                self.call_of(callee, &arguments()?, depth)
            }
            callee => {
                let member = callee.as_member_expression()?;
                let name = self.member_name(member, depth)?;
                if let Expression::Identifier(object) = member.object().get_inner_expression()
                    && self.bindings.symbol(object).is_none()
                    && global(object.name.as_str()).is_none()
                {
                    if object.name == "Object" {
                        return self.listed(&name, call.arguments.first()?.as_expression()?, depth);
                    }
                    if !function::is_static(object.name.as_str(), &name) {
                        return None;
                    }
                    if (object.name.as_str(), name.as_str()) == ("Array", "from") && call.arguments.len() == 2 {
                        let elements = self.spread(call.arguments.first()?.as_expression()?, depth)?;
                        return self.iterated(elements, "map", call.arguments.get(1)?.as_expression()?, depth);
                    }
                    return function::static_method(object.name.as_str(), &name, &arguments()?);
                }
                let replaces =
                    matches!(name.as_str(), "replace" | "replaceAll") && matches!(call.arguments.first(), Some(Argument::RegExpLiteral(_)));
                if replaces || matches!(name.as_str(), "call" | "apply" | "map" | "filter" | "reduce" | "reduceRight") {
                    return self.callback_call(member, &name, call, depth);
                }
                if name == "decode" && matches!(member.object().get_inner_expression(), Expression::NewExpression(_)) {
                    return function::static_method(
                        "String",
                        "fromCharCode",
                        &self.spread(call.arguments.first()?.as_expression()?, depth)?,
                    );
                }
                if !method::is_method(&name) {
                    return None;
                }
                let object = self.value(member.object(), depth)?;
                method::method(&object, &name, &arguments()?)
            }
        }
    }

    /// `Object.keys` and `Object.values` of an object that is written out.
    fn listed(&self, name: &str, object: &Expression<'a>, depth: u32) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        let Some(Expression::ObjectExpression(object)) = self.written_out(object) else { return None };
        let object: &ObjectExpression<'a> = object;
        let each = object.properties.iter().map(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) => match name {
                "keys" | "getOwnPropertyNames" => Some(Constant::String(property.key.static_name()?.into_owned())),
                "entries" => {
                    let key = Constant::String(property.key.static_name()?.into_owned());
                    Some(Constant::Array(vec![key, self.value(&property.value, depth)?]))
                }
                "values" => self.value(&property.value, depth),
                _ => None,
            },
            ObjectPropertyKind::SpreadProperty(_) => None,
        });
        each.collect::<Option<_>>().map(Constant::Array)
    }

    /// Objects that hold one known value: `new String('a')`, `new Uint8Array([97])`.
    pub fn created(&self, created: &NewExpression<'a>, depth: u32) -> Option<Constant> {
        let Expression::Identifier(name) = created.callee.get_inner_expression() else { return None };
        let value = self.value(created.arguments.first()?.as_expression()?, depth)?;
        match name.name.as_str() {
            _ if !self.is_global(name) => None,
            "String" => Some(Constant::String(value.to_text())),
            "Uint8Array" | "Uint16Array" | "Uint32Array" if matches!(value, Constant::Array(_)) => Some(value),
            _ => None,
        }
    }

    /// The value of a call of a written function, or of a static method by another name.
    pub(super) fn call_of(&self, callee: &Expression<'a>, arguments: &[Constant], depth: u32) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        if let Expression::Identifier(name) = callee.get_inner_expression()
            && let Some(function) = self.declared(name)
        {
            let returned = returned(function.body.as_ref()?)?;
            return self.with(&function.params, arguments, |folder| folder.value(returned, depth));
        }
        match self.written_out(callee)? {
            Expression::ArrowFunctionExpression(function) => {
                let returned = match &function.body {
                    ArrowFunctionBody::FunctionBody(body) => returned(body)?,
                    body => body.as_expression()?,
                };
                self.with(&function.params, arguments, |folder| folder.value(returned, depth))
            }
            Expression::FunctionExpression(function) => {
                let returned = returned(function.body.as_ref()?)?;
                self.with(&function.params, arguments, |folder| folder.value(returned, depth))
            }
            Expression::Identifier(name) if self.is_global(name) => function::function(name.name.as_str(), arguments),
            written => {
                let member = written.as_member_expression()?;
                let Expression::Identifier(object) = member.object().get_inner_expression() else { return None };
                let name = self.member_name(member, depth)?;
                if self.is_global(object) { function::static_method(object.name.as_str(), &name, arguments) } else { None }
            }
        }
    }

    /// A call of an array's method with a callback, or of a function by `call` and `apply`.
    pub(super) fn callback_call(
        &self,
        member: &MemberExpression<'a>,
        name: &str,
        call: &CallExpression<'a>,
        depth: u32,
    ) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        let argument = |at: usize| call.arguments.get(at).and_then(Argument::as_expression);
        match name {
            "call" => self.call_of(member.object(), self.arguments(&call.arguments, depth)?.get(1..)?, depth),
            "apply" => match self.value(argument(1)?, depth)? {
                Constant::Array(arguments) => self.call_of(member.object(), &arguments, depth),
                _ => None,
            },
            "replace" | "replaceAll" => {
                let Expression::RegExpLiteral(pattern) = argument(0)?.get_inner_expression() else { return None };
                let Constant::String(text) = self.value(member.object(), depth)? else { return None };
                let to = self.value(argument(1)?, depth)?.to_text();
                let is_global = pattern.regex.flags.contains(oxc_ast::ast::RegExpFlags::G);
                replaced(&text, pattern.regex.pattern.text.as_str(), &to, is_global).map(Constant::String)
            }
            "map" | "filter" | "reduce" | "reduceRight" => {
                let Constant::Array(mut elements) = self.value(member.object(), depth)? else { return None };
                // What a reduction starts with is as good as an element before the others.
                match (name, argument(1)) {
                    ("reduce", Some(start)) => elements.insert(0, self.value(start, depth)?),
                    ("reduceRight", Some(start)) => elements.push(self.value(start, depth)?),
                    _ => {}
                }
                self.iterated(elements, name, argument(0)?, depth)
            }
            _ => None,
        }
    }

    /// What a method of an array makes of its elements.
    pub(super) fn iterated(&self, mut elements: Vec<Constant>, name: &str, callback: &Expression<'a>, depth: u32) -> Option<Constant> {
        if ELEMENTS < elements.len() {
            return None;
        }
        let at = |index: usize| Constant::Number(index as f64);
        match name {
            "map" => {
                let values = elements.into_iter().enumerate();
                values.map(|(index, value)| self.call_of(callback, &[value, at(index)], depth)).collect::<Option<_>>().map(Constant::Array)
            }
            "filter" => {
                let mut kept = Vec::new();
                for (index, value) in elements.into_iter().enumerate() {
                    if self.call_of(callback, &[value.clone(), at(index)], depth)?.is_truthy() {
                        kept.push(value);
                    }
                }
                Some(Constant::Array(kept))
            }
            _ => {
                if name == "reduceRight" {
                    elements.reverse();
                }
                let mut values = elements.into_iter();
                let mut result = values.next()?;
                for value in values {
                    result = self.call_of(callback, &[result, value], depth)?;
                }
                Some(result)
            }
        }
    }

    /// Folds with the parameters of a function bound to arguments.
    fn with<R>(&self, parameters: &FormalParameters<'a>, arguments: &[Constant], fold: impl FnOnce(&Self) -> Option<R>) -> Option<R> {
        let before = self.frames.borrow().len();
        for (at, parameter) in parameters.items.iter().enumerate() {
            if let BindingPattern::BindingIdentifier(name) = &parameter.pattern
                && let Some(symbol) = name.symbol_id.get()
            {
                self.frames.borrow_mut().push((symbol, arguments.get(at).cloned().unwrap_or(Constant::Undefined)));
            }
        }
        if let Some(rest) = &parameters.rest
            && let BindingPattern::BindingIdentifier(name) = &rest.rest.argument
            && let Some(symbol) = name.symbol_id.get()
        {
            let rest = arguments.get(parameters.items.len()..).unwrap_or_default().to_vec();
            self.frames.borrow_mut().push((symbol, Constant::Array(rest)));
        }
        let result = fold(self);
        self.frames.borrow_mut().truncate(before);
        result
    }
}

/// A text in which the runs of one set of characters are replaced; nothing, where the pattern says more than that.
fn replaced(text: &str, pattern: &str, to: &str, is_global: bool) -> Option<String> {
    let alternatives = pattern::read(pattern)?;
    let [sequence] = alternatives.as_slice() else { return None };
    let [Item { node: Node::Set(set), least: 1, most }] = sequence.as_slice() else { return None };
    if most.is_some_and(|most| most != 1) || to.contains('$') {
        return None;
    }
    let mut result = String::with_capacity(text.len());
    let (mut in_run, mut is_done) = (false, false);
    for character in text.chars() {
        if MAX_TEXT < result.len() {
            return None;
        }
        if !set.has(character) {
            is_done |= in_run && !is_global;
            in_run = false;
            result.push(character);
        } else if is_done {
            result.push(character);
        } else if !in_run || most.is_some() {
            result.push_str(to);
            in_run = true;
            is_done |= most.is_some() && !is_global;
        }
    }
    Some(result)
}

/// What a function returns that only declares names before it does.
fn returned<'f, 'a>(body: &'f FunctionBody<'a>) -> Option<&'f Expression<'a>> {
    let (last, before) = body.statements.split_last()?;
    match last {
        Statement::ReturnStatement(last) if before.iter().all(|statement| matches!(statement, Statement::VariableDeclaration(_))) => {
            last.argument.as_ref()
        }
        _ => None,
    }
}
