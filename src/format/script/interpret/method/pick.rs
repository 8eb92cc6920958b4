//! Allow-lists: of an object's keys or entries only those are left that a list in the script names.

use oxc_ast::ast::{Argument, ArrowFunctionBody, BindingPattern, Expression, FunctionBody, MemberExpression, Statement};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{Code, ObjectKind, derived};
use crate::format::script::interpret::idle::holds_always;
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::js::constant::Constant;
use crate::knowledge::command::list;
use crate::value::span::Span;
use crate::value::words::words;

/// A list of the keys or the entries of an object whose fields are not known.
#[derive(Clone, Copy)]
pub struct KeyList {
    /// The object.
    pub of: Val,
    /// Its values stand beside the keys.
    pub is_entries: bool,
}

/// The most names of an allow-list.
const NAMES: usize = 256;

impl<'a> Interpreter<'a> {
    /// What is left of a list of keys or entries by a callback that keeps those which an allow-list names: each of them.
    pub fn picked(&mut self, list: ObjectId, callback: Val, span: Span) -> Option<Val> {
        let keys = self.key_lists.get(&list).copied()?;
        let [Atom::Object(function)] = *self.values.atoms(callback.id) else { return None };
        let ObjectKind::Function { code, .. } = &self.heap.object(function).kind else { return None };
        let code = *code;
        let names = self.names_kept(code, keys.is_entries)?;
        let mut left = Vec::with_capacity(names.len());
        for name in names {
            let key = self.values.string(&name);
            if !keys.is_entries {
                left.push(key);
                continue;
            }
            let value = self.property(keys.of, &name, span);
            let context = self.new_context();
            let pair = self.heap.allocate(span.start, context, 12, ObjectKind::Array);
            let pair = self.values.object(pair);
            self.set_property(pair, Key::named("0"), key);
            self.set_property(pair, Key::named("1"), value);
            if let [Atom::Object(pair)] = *self.values.atoms(pair.id) {
                self.set_length(pair, Some(2));
            }
            left.push(pair);
        }
        // Beside the list itself, which a call may make in the same place.
        Some(self.array(derived(span, 5), &left, None))
    }

    /// Returns true if and only if a callback only leaves out what it names, or what is not there: all the rest is kept.
    pub fn excludes(&self, callback: Val) -> bool {
        let [Atom::Object(function)] = *self.values.atoms(callback.id) else { return true };
        let ObjectKind::Function { code, .. } = &self.heap.object(function).kind else { return false };
        answer(*code).is_some_and(leaves_out)
    }

    /// Returns true if and only if a callback answers yes to whatever it is asked about.
    pub fn keeps_all(&self, callback: Val) -> bool {
        let [Atom::Object(function)] = *self.values.atoms(callback.id) else { return false };
        let ObjectKind::Function { code, .. } = &self.heap.object(function).kind else { return false };
        answer(*code).is_some_and(holds_always)
    }

    /// What a callback answers that is one function which does nothing else.
    pub fn answer_of(&self, callback: Val) -> Option<&'a Expression<'a>> {
        let [Atom::Object(function)] = *self.values.atoms(callback.id) else { return None };
        let ObjectKind::Function { code, .. } = &self.heap.object(function).kind else { return None };
        answer(*code)
    }

    /// Notes of what a list has the keys or entries.
    pub fn note_key_list(&mut self, list: Val, given: Val, is_entries: bool) -> Val {
        if let [Atom::Object(list)] = *self.values.atoms(list.id) {
            // One list may stand for several that are made in one place.
            let of = self.key_lists.get(&list).map_or(Val::NEVER, |known| known.of);
            let of = if of.id == Val::NEVER.id { given } else { self.joined_with_way(of, given) };
            self.key_lists.insert(list, KeyList { of, is_entries });
        }
        list
    }

    /// Returns true if and only if a value is a list or a set whose method of this name is the language's own.
    pub fn is_plain_list(&mut self, list: Val, method: &str) -> bool {
        let atoms = self.values.atoms(list.id);
        let is_list = |atom: &Atom| match atom {
            Atom::Object(object) => {
                let is_kind = matches!(self.heap.object(*object).kind, ObjectKind::Array | ObjectKind::Collection);
                is_kind && self.own_or_inherited(*object, method).is_none()
            }
            _ => false,
        };
        !atoms.is_empty() && atoms.iter().all(is_list)
    }

    /// An object with those fields of another that a list names: `pick(user, ['id', 'plan'])`.
    pub fn pick(&mut self, arguments: &Arguments, span: Span) -> Option<Val> {
        let named = match arguments.known.as_slice() {
            [_, names] => self.elements(*names).known?,
            [_, names @ ..] if !names.is_empty() => names.to_vec(),
            _ => return None,
        };
        let names: Vec<String> = named.iter().map(|name| self.values.text(name.id).map(|text| text.to_string())).collect::<Option<_>>()?;
        if names.is_empty() || NAMES < names.len() {
            return None;
        }
        let object = self.allocate(derived(span, 1), ObjectKind::Plain(None));
        let object = self.values.object(object);
        for name in names {
            let value = self.property(arguments.get(0), &name, span);
            self.set_property(object, Key::named(name), value);
        }
        Some(object)
    }

    /// The keys that a callback keeps, if it does nothing but ask whether one is on a list.
    fn names_kept(&mut self, code: Code<'a>, is_entries: bool) -> Option<Vec<String>> {
        let parameters = match code {
            Code::Arrow(arrow) => &arrow.params,
            Code::Function(function) => &function.params,
        };
        let answer = answer(code)?;
        let name = key_name(&parameters.items.first()?.pattern, is_entries)?;
        let mut names = Vec::new();
        self.add_names(answer, name, &mut names)?;
        (!names.is_empty() && names.len() <= NAMES).then_some(names)
    }

    /// Adds the keys of which an answer is yes; nothing, if there may be others.
    fn add_names(&mut self, answer: &'a Expression<'a>, name: &str, names: &mut Vec<String>) -> Option<()> {
        let is_key = |expression: &Expression<'_>| matches!(expression.get_inner_expression(), Expression::Identifier(identifier) if identifier.name == name);
        match answer.get_inner_expression() {
            Expression::LogicalExpression(either) if either.operator == LogicalOperator::Or => {
                self.add_names(&either.left, name, names)?;
                self.add_names(&either.right, name, names)
            }
            Expression::BinaryExpression(same) if matches!(same.operator, BinaryOperator::StrictEquality | BinaryOperator::Equality) => {
                let other = if is_key(&same.left) { &same.right } else { Some(&same.left).filter(|_| is_key(&same.right))? };
                let Expression::StringLiteral(text) = other.get_inner_expression() else { return None };
                names.push(text.value.to_string());
                Some(())
            }
            Expression::CallExpression(call) => {
                let member = call.callee.get_inner_expression().as_member_expression()?;
                let asks = matches!(member.static_property_name(), Some("has" | "includes"));
                let first = call.arguments.first()?.as_expression()?;
                if !asks || call.arguments.len() != 1 || !is_key(first) {
                    return None;
                }
                let list = self.evaluate(member.object());
                if !self.is_plain_list(list, member.static_property_name()?) {
                    return None;
                }
                let elements = self.elements(list);
                let known = self.values.all_known(elements.any.id)?;
                names.extend(known.into_iter().filter(|name| *name != Constant::Undefined).map(|name| name.to_text().to_string()));
                Some(())
            }
            _ => None,
        }
    }
}

/// What a function answers that does nothing else.
fn answer<'a>(code: Code<'a>) -> Option<&'a Expression<'a>> {
    match code {
        Code::Arrow(arrow) => match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => returned(body),
            body => body.as_expression(),
        },
        Code::Function(function) => returned(function.body.as_ref()?),
    }
}

/// Returns true if and only if an answer is yes for all but what it names.
fn leaves_out(answer: &Expression<'_>) -> bool {
    if holds_always(answer) {
        return true;
    }
    match answer.get_inner_expression() {
        Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => match not.argument.get_inner_expression() {
            Expression::UnaryExpression(twice) if twice.operator == UnaryOperator::LogicalNot => leaves_out(&twice.argument),
            _ => true,
        },
        Expression::BinaryExpression(other) => {
            let is_naught =
                |side: &Expression<'_>| matches!(side.get_inner_expression(), Expression::NumericLiteral(number) if number.value == 0.0);
            other.operator.is_compare() && (is_naught(&other.left) || is_naught(&other.right))
                || matches!(
                    other.operator,
                    BinaryOperator::StrictInequality | BinaryOperator::Inequality | BinaryOperator::In | BinaryOperator::Instanceof
                )
        }
        // That there is something chooses nothing, unless it says how the thing stands: `user.id`, `user.isStale`.
        Expression::Identifier(_) => true,
        Expression::CallExpression(call) => {
            let is_boolean = matches!(call.callee.get_inner_expression(), Expression::Identifier(name) if name.name == "Boolean");
            is_boolean && call.arguments.first().and_then(Argument::as_expression).is_none_or(leaves_out)
        }
        Expression::ChainExpression(chain) => chain.expression.as_member_expression().is_some_and(|member| !is_flag(member)),
        member if member.is_member_expression() => member.as_member_expression().is_some_and(|member| !is_flag(member)),
        Expression::LogicalExpression(both) if both.operator == LogicalOperator::And => leaves_out(&both.left) && leaves_out(&both.right),
        Expression::LogicalExpression(either) => leaves_out(&either.left) || leaves_out(&either.right),
        _ => false,
    }
}

/// Returns true if and only if the name of a part says how the thing stands whose part it is.
fn is_flag(member: &MemberExpression<'_>) -> bool {
    member.static_property_name().is_some_and(|name| words(name).iter().any(|word| list("flag-words").contains(&word.as_str())))
}

/// What a function returns that does nothing else.
fn returned<'a>(body: &'a FunctionBody<'a>) -> Option<&'a Expression<'a>> {
    match body.statements.as_slice() {
        [Statement::ReturnStatement(statement)] => statement.argument.as_ref(),
        _ => None,
    }
}

/// By what name a callback knows the key that it is asked about.
fn key_name<'p>(parameter: &'p BindingPattern<'_>, is_entries: bool) -> Option<&'p str> {
    match parameter {
        BindingPattern::BindingIdentifier(identifier) if !is_entries => Some(identifier.name.as_str()),
        BindingPattern::ArrayPattern(pair) if is_entries => match pair.elements.first()?.as_ref()? {
            BindingPattern::BindingIdentifier(identifier) => Some(identifier.name.as_str()),
            _ => None,
        },
        _ => None,
    }
}
