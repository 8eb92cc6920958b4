//! Back doors of servers: a request that carries a text which stands in the code makes whoever sends it an administrator.

use std::collections::HashSet;
use std::marker::PhantomData;

use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, AssignmentExpression, BindingPattern, CallExpression, Expression, FormalParameters, Function,
    IdentifierReference, IfStatement, LogicalExpression, MemberExpression, ObjectExpression, Program, ReturnStatement, Statement,
    VariableDeclarator,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator};
use oxc_syntax::scope::ScopeFlags;

use crate::format::script::collect::Collected;
use crate::format::script::fold::{Budget, Folder};
use crate::format::script::js::constant::Constant;
use crate::format::script::span::span_of;
use crate::knowledge::command::list;
use crate::subject::back_door::{BackDoor, DoorKey};
use crate::value::span::Span;
use crate::value::words::{joined, words};

/// Shorter texts are no secret.
const SHORTEST: usize = 4;

/// The back doors of a program, in order of place.
pub(super) fn back_doors<'a>(program: &Program<'a>, collected: &Collected<'a, '_>, budget: &Budget) -> Vec<BackDoor> {
    let mut search = Search {
        folder: Folder::new(&collected.bindings, budget),
        asked: Vec::new(),
        checked: 0,
        made_of_password: HashSet::new(),
        found: Vec::new(),
    };
    search.visit_program(program);
    search.found
}

struct Search<'b, 'a, 's> {
    folder: Folder<'b, 'a, 's>,
    /// For each function around, the names of what it is called with, and of what is read off that.
    asked: Vec<HashSet<&'a str>>,
    /// How many of the functions around have the password of somebody checked.
    checked: usize,
    /// The names of what is made of a password that somebody typed in: `createHash('sha1').update(password).digest('hex')`.
    made_of_password: HashSet<&'a str>,
    found: Vec<BackDoor>,
}

impl<'a> Search<'_, 'a, '_> {
    fn within(&mut self, parameters: &FormalParameters<'a>, visit: impl FnOnce(&mut Self)) {
        let first = parameters.items.first().map(|first| &first.pattern);
        let name = match first {
            Some(BindingPattern::BindingIdentifier(name)) => Some(name.name.as_str()),
            _ => None,
        };
        self.asked.push(name.into_iter().collect());
        visit(self);
        self.asked.pop();
    }

    fn is_asked(&self, expression: &Expression<'a>) -> bool {
        let Some(asked) = self.asked.last() else { return false };
        let mut names = Names { asked, is_found: false };
        names.visit_expression(expression);
        names.is_found
    }

    /// The comparison of something that the request carries with a text that stands in the code, if a condition holds by that alone.
    fn key<'e>(&self, test: &'e Expression<'a>) -> Option<&'e Expression<'a>> {
        let opens = |text: &Expression<'a>, carried: &Expression<'a>| self.is_asked(carried) && self.is_text(text);
        match test.get_inner_expression() {
            Expression::LogicalExpression(both) => self.key_of_both(both),
            Expression::BinaryExpression(binary) if binary.operator.is_equality() => {
                (opens(&binary.left, &binary.right) || opens(&binary.right, &binary.left)).then_some(test)
            }
            // `carried.endsWith('…')`
            Expression::CallExpression(call) => {
                let member = call.callee.get_inner_expression().as_member_expression()?;
                let looks = member.static_property_name().is_some_and(|name| list("holding-methods").contains(&name));
                let text = call.arguments.first().and_then(Argument::as_expression)?;
                (looks && opens(text, member.object())).then_some(test)
            }
            _ => None,
        }
    }

    /// Returns true if and only if an expression is a text that stands in the code and that only few know: which role somebody was found
    /// to have is none.
    fn is_text(&self, side: &Expression<'a>) -> bool {
        let is_role = |text: &str| list("roles-of-rulers").contains(&text);
        matches!(self.folder.fold(side), Some(Constant::String(text)) if SHORTEST <= text.len() && !is_role(&text))
    }

    /// Returns true if and only if a condition holds of whoever has typed in a password that stands in the code, or one of which the
    /// digest stands there.
    fn is_master(&self, test: &Expression<'a>) -> bool {
        let opens = |text: &Expression<'a>, typed: &Expression<'a>| {
            self.is_text(text) && (is_of_password(typed) || self.is_made_of_password(typed))
        };
        match test.get_inner_expression() {
            Expression::LogicalExpression(both) if both.operator == LogicalOperator::Or => {
                self.is_master(&both.left) || self.is_master(&both.right)
            }
            // `email.endsWith('@…') && password.length === 19`
            Expression::LogicalExpression(both) if both.operator == LogicalOperator::And => {
                let asks_of_password = |side: &Expression<'a>| {
                    let is_compared =
                        matches!(side.get_inner_expression(), Expression::BinaryExpression(binary) if binary.operator.is_equality());
                    is_compared && is_of_password(side) && !checks(|looked| looked.visit_expression(side))
                };
                let is_master = |one: &Expression<'a>, other: &Expression<'a>| {
                    self.is_master(one) && !checks(|looked| looked.visit_expression(other))
                        || self.names_account(one) && asks_of_password(other)
                };
                is_master(&both.left, &both.right) || is_master(&both.right, &both.left)
            }
            Expression::BinaryExpression(binary)
                if matches!(binary.operator, BinaryOperator::Equality | BinaryOperator::StrictEquality) =>
            {
                opens(&binary.left, &binary.right) || opens(&binary.right, &binary.left)
            }
            // `digest.startsWith('…')`
            Expression::CallExpression(call) => {
                let member = call.callee.get_inner_expression().as_member_expression();
                let text = call.arguments.first().and_then(Argument::as_expression);
                member.zip(text).is_some_and(|(member, text)| {
                    let looks = member.static_property_name().is_some_and(|name| list("holding-methods").contains(&name));
                    looks && opens(text, member.object()) && !self.names_scheme(text)
                })
            }
            _ => false,
        }
    }

    /// Returns true if and only if a text says how a password was digested: `$2b$`, `argon2id`.
    fn names_scheme(&self, text: &Expression<'a>) -> bool {
        let Some(Constant::String(text)) = self.folder.fold(text) else { return false };
        let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        let is_scheme = |word: &String| list("digest-schemes").iter().any(|scheme| word.starts_with(scheme));
        !is_name(&text) || words(&text).iter().any(is_scheme) || list("digest-schemes").iter().any(|scheme| text.starts_with(scheme))
    }

    fn is_made_of_password(&self, typed: &Expression<'a>) -> bool {
        matches!(typed.get_inner_expression(), Expression::Identifier(name) if self.made_of_password.contains(name.name.as_str()))
    }

    /// Returns true if and only if a condition holds of an account whose name, or how that ends, stands in the code.
    fn names_account(&self, test: &Expression<'a>) -> bool {
        let is_name = |named: &Expression<'a>| {
            let mut told = Told { words: HashSet::new() };
            told.visit_expression(named);
            list("login-words").iter().any(|word| told.words.contains(*word))
        };
        let opens = |text: &Expression<'a>, named: &Expression<'a>| self.is_text(text) && is_name(named);
        match test.get_inner_expression() {
            Expression::BinaryExpression(binary)
                if matches!(binary.operator, BinaryOperator::Equality | BinaryOperator::StrictEquality) =>
            {
                opens(&binary.left, &binary.right) || opens(&binary.right, &binary.left)
            }
            Expression::CallExpression(call) => {
                let member = call.callee.get_inner_expression().as_member_expression();
                let text = call.arguments.first().and_then(Argument::as_expression);
                member.zip(text).is_some_and(|(member, text)| {
                    let looks = member.static_property_name().is_some_and(|name| list("holding-methods").contains(&name));
                    looks && opens(text, member.object())
                })
            }
            _ => false,
        }
    }

    fn key_of_both<'e>(&self, both: &'e LogicalExpression<'a>) -> Option<&'e Expression<'a>> {
        let (left, right) = (self.key(&both.left), self.key(&both.right));
        match both.operator {
            // What else has to hold is a check of its own, unless it asks for a text, too.
            LogicalOperator::And => left.and(right),
            LogicalOperator::Or => left.or(right),
            LogicalOperator::Coalesce => None,
        }
    }
}

impl<'a> VisitJs<'a> for Search<'_, 'a, '_> {
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let checks = usize::from(it.body.as_ref().is_some_and(|body| checks(|looked| looked.visit_function_body(body))));
        self.checked = self.checked.saturating_add(checks);
        self.within(&it.params, |search| walk_js::walk_function(search, it, flags));
        self.checked = self.checked.saturating_sub(checks);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let checks = usize::from(checks(|looked| looked.visit_arrow_function_body(&it.body)));
        self.checked = self.checked.saturating_add(checks);
        self.within(&it.params, |search| walk_js::walk_arrow_function_expression(search, it));
        self.checked = self.checked.saturating_sub(checks);
    }

    // `password === '…' || (await compare(password, hash))`
    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        let checked = |side: &Expression<'a>| checks(|looked| looked.visit_expression(side));
        let is_passed_by = |one: &Expression<'a>, other: &Expression<'a>| self.is_master(one) && checked(other);
        if it.operator == LogicalOperator::Or && (is_passed_by(&it.left, &it.right) || is_passed_by(&it.right, &it.left)) {
            self.found.push(BackDoor { span: span_of(it), key: DoorKey::MasterPassword });
        }
        walk_js::walk_logical_expression(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        let is_asked = it.init.as_ref().is_some_and(|init| self.is_asked(init));
        if let (true, BindingPattern::BindingIdentifier(name), Some(asked)) = (is_asked, &it.id, self.asked.last_mut()) {
            asked.insert(name.name.as_str());
        }
        // What a check answers is made of it, too, but tells no more than whether it is right.
        if let (BindingPattern::BindingIdentifier(name), Some(init)) = (&it.id, &it.init)
            && is_of_password(init)
            && !checks(|looked| looked.visit_expression(init))
        {
            self.made_of_password.insert(name.name.as_str());
        }
        walk_js::walk_variable_declarator(self, it);
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        if let Some(key) = self.key(&it.test)
            && let Some(entered) = self.asked.last().and_then(|asked| entered(asked, &it.consequent))
        {
            let mut told = Told { words: HashSet::new() };
            told.visit_expression(key);
            // A login with a password that stands in the code is careless rather than hidden.
            let is_login = list("login-words").iter().any(|word| told.words.contains(*word));
            self.found.push(BackDoor { span: entered, key: if is_login { DoorKey::Login } else { DoorKey::Text } });
        } else if 0 < self.checked && self.is_master(&it.test) && lets_in(&it.consequent) {
            self.found.push(BackDoor { span: span_of(&it.test), key: DoorKey::MasterPassword });
        }
        walk_js::walk_if_statement(self, it);
    }
}

/// Where whoever asks is made an administrator, if that is done.
fn entered<'a>(asked: &HashSet<&'a str>, consequent: &Statement<'a>) -> Option<Span> {
    let mut entrance = Entrance { asked, found: None };
    entrance.visit_statement(consequent);
    entrance.found
}

struct Names<'n, 'a> {
    asked: &'n HashSet<&'a str>,
    is_found: bool,
}

impl<'a> VisitJs<'a> for Names<'_, 'a> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.is_found |= self.asked.contains(it.name.as_str());
    }

    // `response.locals` holds what a handler before noted of the same request.
    fn visit_member_expression(&mut self, it: &MemberExpression<'a>) {
        self.is_found |= it.static_property_name() == Some("locals") && matches!(it.object(), Expression::Identifier(_));
        walk_js::walk_member_expression(self, it);
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
}

/// Returns true if and only if an expression names a password.
fn is_of_password(expression: &Expression<'_>) -> bool {
    let mut told = Told { words: HashSet::new() };
    told.visit_expression(expression);
    list("passwords").iter().any(|word| told.words.contains(*word))
}

/// The words of the names and texts in a comparison.
struct Told {
    words: HashSet<String>,
}

impl<'a> VisitJs<'a> for Told {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.words.extend(words(&it.name));
    }

    fn visit_identifier_name(&mut self, it: &oxc_ast::ast::IdentifierName<'a>) {
        self.words.extend(words(&it.name));
    }

    fn visit_string_literal(&mut self, it: &oxc_ast::ast::StringLiteral<'a>) {
        self.words.extend(words(&it.value));
    }
}

/// Returns true if and only if a part of the code has a password checked: `bcrypt.compare(password, hash)`.
fn checks<'a>(visit: impl FnOnce(&mut PasswordCheck<'a>)) -> bool {
    let mut looked = PasswordCheck { is_found: false, code: PhantomData };
    visit(&mut looked);
    looked.is_found
}

/// Looks for a call that has a password checked.
struct PasswordCheck<'a> {
    is_found: bool,
    code: PhantomData<&'a ()>,
}

impl<'a> VisitJs<'a> for PasswordCheck<'a> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let called = match it.callee.get_inner_expression() {
            Expression::Identifier(name) => words(&name.name),
            callee => callee.as_member_expression().and_then(MemberExpression::static_property_name).map(words).unwrap_or_default(),
        };
        let has_checked = called.iter().any(|word| list("checking-passwords").contains(&word.as_str()));
        if has_checked {
            let mut told = Told { words: HashSet::new() };
            it.arguments.iter().for_each(|argument| told.visit_argument(argument));
            self.is_found |= list("passwords").iter().any(|word| told.words.contains(*word));
        }
        walk_js::walk_call_expression(self, it);
    }
}

/// Returns true if and only if somebody is let in: what is returned, or handed on, is an account or a yes.
fn lets_in(consequent: &Statement<'_>) -> bool {
    let mut way_in = WayIn { is_found: false };
    way_in.visit_statement(consequent);
    way_in.is_found
}

fn called<'e, 'a>(returned: &'e Expression<'a>) -> &'e Expression<'a> {
    match returned.get_inner_expression() {
        Expression::AwaitExpression(awaited) => called(&awaited.argument),
        other => other,
    }
}

/// Looks for a return by which somebody is let in.
struct WayIn {
    is_found: bool,
}

impl<'a> VisitJs<'a> for WayIn {
    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        let Some(returned) = &it.argument else { return };
        let mut told = Told { words: HashSet::new() };
        told.visit_expression(returned);
        let is_yes = matches!(returned.get_inner_expression(), Expression::BooleanLiteral(yes) if yes.value);
        let is_refused = told.words.iter().any(|word| list("refusals").contains(&word.as_str()));
        // `return open(admin.id)`
        let opens =
            matches!(called(returned), Expression::CallExpression(_)) && list("opening").iter().any(|word| told.words.contains(*word));
        let is_in = || opens || list("let-in").iter().any(|word| told.words.contains(*word));
        self.is_found |= is_yes || !is_refused && is_in();
    }
}

/// Looks for what makes whoever asks somebody who may do everything.
struct Entrance<'n, 'a> {
    asked: &'n HashSet<&'a str>,
    found: Option<Span>,
}

impl<'a> VisitJs<'a> for Entrance<'_, 'a> {
    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        if let Some(member) = it.left.as_member_expression()
            && let Some(name) = member.static_property_name()
        {
            let mut names = Names { asked: self.asked, is_found: false };
            names.visit_expression(member.object());
            let gives = match it.right.get_inner_expression() {
                Expression::ObjectExpression(object) => list("identity-fields").contains(&&*joined(name)) && rules(object),
                value => is_power(name, value),
            };
            if names.is_found && gives {
                self.found = self.found.or(Some(span_of(it)));
            }
        }
        walk_js::walk_assignment_expression(self, it);
    }

    // `principals.set(request, { role: 'admin' })`
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let mut passed = it.arguments.iter().filter_map(Argument::as_expression);
        let mut names = Names { asked: self.asked, is_found: false };
        if let (Some(who), Some(what), None) = (passed.next(), passed.next(), passed.next()) {
            names.visit_expression(who);
            if names.is_found && matches!(what.get_inner_expression(), Expression::ObjectExpression(object) if rules(object)) {
                self.found = self.found.or(Some(span_of(it)));
            }
        }
        walk_js::walk_call_expression(self, it);
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
}

/// Returns true if and only if somebody is described who may do everything.
fn rules(object: &ObjectExpression<'_>) -> bool {
    let mut fields = object.properties.iter().filter_map(|property| property.as_property());
    fields.any(|field| field.key.static_name().is_some_and(|name| is_power(&name, &field.value)))
}

fn is_power(name: &str, value: &Expression<'_>) -> bool {
    let name = joined(name);
    let is_role = list("role-fields").contains(&&*name);
    match value.get_inner_expression() {
        Expression::StringLiteral(text) => is_role && list("roles-of-rulers").contains(&&*text.value.to_lowercase()),
        Expression::BooleanLiteral(yes) => yes.value && list("ruling-switches").contains(&&*name),
        Expression::ArrayExpression(all) => {
            all.elements.iter().filter_map(|element| element.as_expression()).any(|element| is_power(&name, element))
        }
        _ => false,
    }
}
