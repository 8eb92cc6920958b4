//! Which code runs only for whoever may do much already: behind a question whether the caller is an administrator.

use oxc_ast::ast::{
    Argument, BinaryExpression, CallExpression, Expression, IdentifierName, IdentifierReference, MemberExpression, Program,
};
use oxc_ast_visit::Visit;
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use crate::format::script::fold::Folder;
use crate::format::script::sandbox::branches::branches;
use crate::format::script::sandbox::guard::texts;
use crate::format::script::sandbox::surroundings::Surroundings;
use crate::knowledge::command::list;
use crate::value::span::Span;
use crate::value::words::{joined, words};

/// Questions are taken apart up to this depth.
const DEPTH: u32 = 8;

/// The code of a script that runs only for administrators.
pub fn entitled<'a>(program: &Program<'a>, folder: &Folder<'_, 'a, '_>, around: &Surroundings<'_, '_, 'a, '_>) -> Vec<Span> {
    let says = |test: &Expression<'a>, outcome: bool| tells(test, outcome, (folder, around), DEPTH).then_some(());
    branches(program, around, says).into_iter().map(|(span, ())| span).collect()
}

/// Returns true if and only if something is named as what asks what a caller may do: `requireAdmin`, `assertRole(request, 'admin')`.
pub fn asks_rights(program: &Program<'_>) -> bool {
    let mut named = Named(false);
    named.visit_program(program);
    named.0
}

struct Named(bool);

impl Named {
    fn look(&mut self, name: &str) {
        let said = words(name);
        let has = |any: &str| said.iter().any(|word| list(any).contains(&word.as_str()));
        self.0 |= has("asking-rights") && has("rights-asked");
    }
}

impl<'a> Visit<'a> for Named {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        self.look(&name.name);
    }

    fn visit_identifier_name(&mut self, name: &IdentifierName<'a>) {
        self.look(&name.name);
    }
}

/// Returns true if and only if a condition with this outcome says that whoever calls is an administrator, or one of the house.
fn tells<'a>(test: &Expression<'a>, outcome: bool, known: (&Folder<'_, 'a, '_>, &Surroundings<'_, '_, 'a, '_>), depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let tells = |part: &Expression<'a>, outcome: bool| tells(part, outcome, known, depth);
    match test.get_inner_expression() {
        Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => tells(&not.argument, !outcome),
        Expression::LogicalExpression(both) => match (both.operator, outcome) {
            (LogicalOperator::Or, false) | (LogicalOperator::And, true) => tells(&both.left, outcome) || tells(&both.right, outcome),
            (LogicalOperator::Or, true) | (LogicalOperator::And, false) => tells(&both.left, outcome) && tells(&both.right, outcome),
            (LogicalOperator::Coalesce, _) => false,
        },
        Expression::BinaryExpression(binary) => compares(binary, outcome),
        Expression::CallExpression(call) if outcome && asks_of_house(call, known) => true,
        // `const trusted = HOUSE.has(comment.author_association)`
        Expression::Identifier(_)
            if known.1.stands_for(test).is_some_and(|only| !matches!(only, Expression::Identifier(_)) && tells(only, outcome)) =>
        {
            true
        }
        // `user.roles.includes('admin')`, `hasRole(user, 'admin')`
        Expression::CallExpression(call) => {
            let texts = call.arguments.iter().filter_map(Argument::as_expression);
            let names_ruler = texts.into_iter().any(is_ruler);
            let asks = match call.callee.get_inner_expression() {
                Expression::Identifier(name) => list("asking-for-role").contains(&joined(&name.name).as_str()),
                callee => callee.as_member_expression().is_some_and(|member| {
                    let is_asked = |name: &str| name == "includes" || list("asking-for-role").contains(&joined(name).as_str());
                    member.static_property_name().is_some_and(is_asked) && is_of_caller(member.object())
                }),
            };
            outcome && names_ruler && asks
        }
        Expression::ChainExpression(chain) => chain.expression.as_member_expression().is_some_and(|member| outcome && is_switch(member)),
        other => other.as_member_expression().is_some_and(|member| outcome && is_switch(member)),
    }
}

/// Returns true if and only if a call asks whether what a service says of somebody is one of what it says of the house's own people:
/// `['OWNER', 'MEMBER'].includes(comment.author_association)`.
fn asks_of_house<'a>(call: &CallExpression<'a>, (folder, around): (&Folder<'_, 'a, '_>, &Surroundings<'_, '_, 'a, '_>)) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
    let is_asked = member.static_property_name().is_some_and(|name| matches!(name, "includes" | "has"));
    let given = call.arguments.first().and_then(Argument::as_expression);
    let written = || texts(folder, around.stands_for(member.object()).unwrap_or(member.object()));
    let are_of_house = |texts: Vec<String>| !texts.is_empty() && texts.iter().all(|text| is_of_house(text));
    let is_one_of = || written().is_some_and(|texts| !texts.is_empty()) && given.is_some_and(is_login);
    is_asked && (given.is_some_and(is_standing) && written().is_some_and(are_of_house) || is_one_of())
}

/// Returns true if and only if something is what a service says of somebody, and not what he says of himself: `comment.author_association`.
fn is_standing(asked: &Expression<'_>) -> bool {
    let names = path(asked);
    let is_said = names.iter().any(|name| list("said-by-callers").contains(&joined(name).as_str()));
    match names.last().map(|last| joined(last)) {
        Some(last) => !is_said && list("standing-fields").contains(&last.as_str()),
        None => false,
    }
}

/// Returns true if and only if something is the name by which a service knows somebody, and no name that he gives himself:
/// `comment.user.login`, `context.actor`.
fn is_login(asked: &Expression<'_>) -> bool {
    let names = path(asked);
    names.last().is_some_and(|last| matches!(*last, "login" | "actor" | "triggering_actor")) && 1 < names.len()
}

fn is_of_house(text: &str) -> bool {
    list("standings-of-house").contains(&&*text.to_lowercase())
}

fn compares(binary: &BinaryExpression<'_>, outcome: bool) -> bool {
    let is_same = match binary.operator {
        BinaryOperator::Equality | BinaryOperator::StrictEquality => outcome,
        BinaryOperator::Inequality | BinaryOperator::StrictInequality => !outcome,
        _ => return false,
    };
    let says = |asked: &Expression<'_>, with: &Expression<'_>| {
        let is_yes = matches!(with.get_inner_expression(), Expression::BooleanLiteral(yes) if yes.value);
        let asked = asked.get_inner_expression();
        let is_of_house =
            matches!(with.get_inner_expression(), Expression::StringLiteral(text) if is_of_house(&text.value)) && is_standing(asked);
        let member = match asked {
            Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
            asked => asked.as_member_expression(),
        };
        let is_somebody =
            matches!(with.get_inner_expression(), Expression::StringLiteral(text) if !text.value.is_empty()) && is_login(asked);
        is_of_house || is_somebody || is_yes && member.is_some_and(is_switch) || is_ruler(with) && is_role(asked) && is_of_caller(asked)
    };
    is_same && (says(&binary.left, &binary.right) || says(&binary.right, &binary.left))
}

/// Returns true if and only if a text names a role that may do much.
fn is_ruler(text: &Expression<'_>) -> bool {
    matches!(text.get_inner_expression(), Expression::StringLiteral(text) if list("roles-of-rulers").contains(&&*text.value.to_lowercase()))
}

/// Returns true if and only if a field says that the caller may do much: `request.auth.token.admin`.
fn is_switch(member: &MemberExpression<'_>) -> bool {
    let is_named = member.static_property_name().is_some_and(|name| {
        let name = joined(name);
        list("ruling-switches").contains(&&*name) || list("roles-of-rulers").contains(&&*name)
    });
    is_named && is_of_caller(member.object())
}

fn is_role(asked: &Expression<'_>) -> bool {
    path(asked).last().is_some_and(|last| list("role-fields").contains(&joined(last).as_str()))
}

/// Returns true if and only if something is read off what a server knows of its caller: `req.user`, `context.auth.token`, `session`.
fn is_of_caller(expression: &Expression<'_>) -> bool {
    path(expression).iter().flat_map(|name| words(name)).any(|word| list("callers").contains(&word.as_str()))
}

/// The names of a path of members, the outermost first.
pub fn path<'e>(expression: &'e Expression<'_>) -> Vec<&'e str> {
    let mut names = Vec::new();
    let mut rest = Some(expression);
    while let Some(expression) = rest.take() {
        let inner = match expression.get_inner_expression() {
            Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
            Expression::Identifier(name) => {
                names.push(name.name.as_str());
                None
            }
            other => other.as_member_expression(),
        };
        if let Some(member) = inner {
            names.extend(member.static_property_name());
            rest = Some(member.object());
        }
    }
    names.reverse();
    names
}
