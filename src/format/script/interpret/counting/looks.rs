//! What the text of a loop says of how often it runs: what it counts, which lists it makes longer, where it is left.

use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, BinaryExpression, CallExpression, ContinueStatement, Expression, IdentifierReference,
    MemberExpression, SimpleAssignmentTarget, Statement, UpdateExpression,
};
use oxc_ast_visit::Visit;
use oxc_ast_visit::walk::{
    walk_assignment_expression, walk_binary_expression, walk_call_expression, walk_member_expression, walk_update_expression,
};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, UnaryOperator, UpdateOperator};

/// The method that takes as many elements out of a list as its second argument says, and puts in further ones.
pub const SPLICE: &str = "splice";

/// The variable that an expression reads, which it may count: `turn`, `turn++`, `this.turn`.
pub fn counter_of<'e, 'a>(expression: &'e Expression<'a>) -> Option<&'e Expression<'a>> {
    match expression {
        Expression::UpdateExpression(_) | Expression::Identifier(_) | Expression::StaticMemberExpression(_) => {
            path_of(expression).filter(|path| !path.ends_with(".length")).map(|_| expression)
        }
        _ => None,
    }
}

/// The path of a variable or of a field of one, also of one that is counted up or down.
pub fn path_of(expression: &Expression<'_>) -> Option<String> {
    match expression.get_inner_expression() {
        Expression::Identifier(name) => Some(name.name.to_string()),
        Expression::ThisExpression(_) => Some("this".to_owned()),
        Expression::StaticMemberExpression(member) => Some(format!("{}.{}", path_of(&member.object)?, member.property.name)),
        Expression::UpdateExpression(update) => match &update.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => Some(name.name.to_string()),
            SimpleAssignmentTarget::StaticMemberExpression(member) => {
                Some(format!("{}.{}", path_of(&member.object)?, member.property.name))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The list of `list.length`.
pub fn length_of<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    let member = expression.as_member_expression().filter(|member| member.static_property_name() == Some("length"))?;
    match member.object().get_inner_expression() {
        Expression::Identifier(name) => Some(name.name.as_str()),
        _ => None,
    }
}

/// Returns true if and only if an expression does nothing but to read variables and fields, and to reckon with them.
pub fn only_reads(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::NumericLiteral(_) | Expression::Identifier(_) | Expression::ThisExpression(_) => true,
        Expression::StaticMemberExpression(member) => only_reads(&member.object),
        Expression::BinaryExpression(binary) => only_reads(&binary.left) && only_reads(&binary.right),
        Expression::UnaryExpression(unary) => unary.operator == UnaryOperator::UnaryNegation && only_reads(&unary.argument),
        _ => false,
    }
}

/// The same comparison with its sides changed.
pub fn turned(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::LessThan => BinaryOperator::GreaterThan,
        BinaryOperator::LessEqualThan => BinaryOperator::GreaterEqualThan,
        BinaryOperator::GreaterThan => BinaryOperator::LessThan,
        BinaryOperator::GreaterEqualThan => BinaryOperator::LessEqualThan,
        other => other,
    }
}

/// How a variable is moved in a loop.
pub struct Moves<'n> {
    path: &'n str,
    goes_up: bool,
    goes_down: bool,
    /// It is set to something else that is not a number of the script.
    is_set: bool,
    /// It is set to a number of the script.
    pub resets: bool,
}

impl<'n> Moves<'n> {
    /// A variable or field by its path.
    pub fn of(path: &'n str) -> Self {
        Self { path, goes_up: false, goes_down: false, is_set: false, resets: false }
    }

    /// Returns true if and only if it is moved that way or to where nobody knows, and never back.
    pub fn towards(&self, up: bool) -> bool {
        let (moved, back) = if up { (self.goes_up, self.goes_down) } else { (self.goes_down, self.goes_up) };
        (moved || self.is_set) && !back && !self.resets
    }

    /// Returns true if and only if nothing in the loop moves it.
    pub fn is_still(&self) -> bool {
        !(self.goes_up || self.goes_down || self.is_set || self.resets)
    }
}

impl<'a> Visit<'a> for Moves<'_> {
    fn visit_update_expression(&mut self, update: &UpdateExpression<'a>) {
        let is_own = match &update.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => name.name.as_str() == self.path,
            SimpleAssignmentTarget::StaticMemberExpression(member) => {
                path_of(&member.object).is_some_and(|object| format!("{object}.{}", member.property.name) == self.path)
            }
            _ => false,
        };
        if is_own {
            let goes_up = update.operator == UpdateOperator::Increment;
            self.goes_up |= goes_up;
            self.goes_down |= !goes_up;
        }
        walk_update_expression(self, update);
    }

    fn visit_assignment_expression(&mut self, assigned: &AssignmentExpression<'a>) {
        let is_own = match &assigned.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => name.name.as_str() == self.path,
            AssignmentTarget::StaticMemberExpression(member) => {
                path_of(&member.object).is_some_and(|object| format!("{object}.{}", member.property.name) == self.path)
            }
            _ => false,
        };
        if is_own {
            let right = assigned.right.get_inner_expression();
            match (assigned.operator, right) {
                (AssignmentOperator::Addition, _) => self.goes_up = true,
                (AssignmentOperator::Subtraction, _) => self.goes_down = true,
                (AssignmentOperator::Assign, Expression::NumericLiteral(_)) => self.resets = true,
                (AssignmentOperator::Assign, Expression::BinaryExpression(binary))
                    if path_of(&binary.left).as_deref() == Some(self.path) =>
                {
                    self.goes_up |= binary.operator == BinaryOperator::Addition;
                    self.goes_down |= binary.operator == BinaryOperator::Subtraction;
                }
                _ => self.is_set = true,
            }
        }
        walk_assignment_expression(self, assigned);
    }
}

/// Looks for functions that are called by a name or as a member.
pub struct Called<'a> {
    /// What is called.
    pub called: Vec<&'a Expression<'a>>,
}

impl<'a> Visit<'a> for Called<'a> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let call: &'a CallExpression<'a> = self.alloc(call);
        if only_reads(&call.callee) {
            self.called.push(&call.callee);
        }
        walk_call_expression(self, call);
    }
}

/// Looks for what a condition asks whether something is left in it.
pub struct Asked<'a> {
    /// What it calls or reads of it.
    pub names: &'static [&'static str],
    /// It, once it was found.
    pub object: Option<&'a Expression<'a>>,
}

impl<'a> Visit<'a> for Asked<'a> {
    fn visit_member_expression(&mut self, member: &MemberExpression<'a>) {
        if member.static_property_name().is_some_and(|name| self.names.contains(&name)) {
            let member: &'a MemberExpression<'a> = self.alloc(member);
            self.object = Some(member.object().get_inner_expression());
        }
        walk_member_expression(self, member);
    }
}

/// The variable that an update counts up: `turn++`.
pub fn counter<'a>(update: Option<&'a Expression<'a>>) -> Option<&'a str> {
    match update?.get_inner_expression() {
        Expression::UpdateExpression(update) if update.operator == UpdateOperator::Increment => match &update.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => Some(name.name.as_str()),
            _ => None,
        },
        _ => None,
    }
}

/// The list along which a loop goes: `for (let at = 0; at < list.length; at += 20)`.
pub fn walked<'a>(test: Option<&'a Expression<'a>>, update: Option<&'a Expression<'a>>) -> Option<&'a str> {
    match walked_list(test, update)?.get_inner_expression() {
        Expression::Identifier(list) => Some(list.name.as_str()),
        _ => None,
    }
}

/// The same, as it is named.
pub fn walked_list<'a>(test: Option<&'a Expression<'a>>, update: Option<&'a Expression<'a>>) -> Option<&'a Expression<'a>> {
    let counter = counter(update).or_else(|| stepped(update))?;
    let Expression::BinaryExpression(test) = test?.get_inner_expression() else { return None };
    let Expression::Identifier(left) = test.left.get_inner_expression() else { return None };
    let length = test.right.get_inner_expression().as_member_expression()?;
    let is_along = test.operator == BinaryOperator::LessThan && left.name == counter && length.static_property_name() == Some("length");
    is_along.then(|| length.object())
}

/// Returns true if and only if the body of a loop names the list along which it goes: it does something with what stands in it.
pub fn names_list(body: &Statement<'_>, list: &Expression<'_>) -> bool {
    let mut root = list.get_inner_expression();
    while let Some(member) = root.as_member_expression() {
        root = member.object().get_inner_expression();
    }
    let name = match root {
        Expression::Identifier(name) => name.name.as_str(),
        // Fields of one's own are not told apart.
        _ => return true,
    };
    let mut look = Named { name, is_found: false };
    look.visit_statement(body);
    look.is_found
}

/// A name that is looked for.
struct Named<'n> {
    name: &'n str,
    is_found: bool,
}

impl<'a> Visit<'a> for Named<'_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.is_found |= it.name == self.name;
    }
}

/// The variable that a loop counts up by more than one: `at += 20`.
pub fn stepped<'a>(update: Option<&'a Expression<'a>>) -> Option<&'a str> {
    let Expression::AssignmentExpression(assigned) = update?.get_inner_expression() else { return None };
    match &assigned.left {
        AssignmentTarget::AssignmentTargetIdentifier(name) if assigned.operator == AssignmentOperator::Addition => Some(name.name.as_str()),
        _ => None,
    }
}

/// Returns true if and only if the body of a loop may make a list longer: it names the list for more than to read of it.
/// Functions that it calls may do so, too.
pub fn growth<'a>(body: &'a Statement<'a>, list: &str) -> (bool, Vec<&'a CallExpression<'a>>) {
    let mut look = Growth { list, grows: false, takes: false, called: Vec::new() };
    look.visit_statement(body);
    (look.grows, look.called)
}

/// Returns true if and only if a loop adds what is not written out to what its condition compares: `moved += batch.length`.
pub fn adds_up(test: &Expression<'_>, body: &Statement<'_>) -> bool {
    let mut names = Compared { names: Vec::new() };
    names.visit_expression(test);
    let mut look = Sums { names: names.names, adds_up: false };
    look.visit_statement(body);
    look.adds_up
}

/// The names that a condition compares with what they may reach.
struct Compared {
    names: Vec<String>,
}

impl<'a> Visit<'a> for Compared {
    fn visit_binary_expression(&mut self, binary: &BinaryExpression<'a>) {
        if let (true, Expression::Identifier(name)) = (binary.operator.is_compare(), binary.left.get_inner_expression()) {
            self.names.push(name.name.to_string());
        }
        walk_binary_expression(self, binary);
    }
}

/// Looks for sums of what is not written out.
struct Sums {
    names: Vec<String>,
    adds_up: bool,
}

impl<'a> Visit<'a> for Sums {
    fn visit_assignment_expression(&mut self, assigned: &AssignmentExpression<'a>) {
        let is_named = matches!(&assigned.left, AssignmentTarget::AssignmentTargetIdentifier(name) if self.names.iter().any(|own| own.as_str() == name.name.as_str()));
        let is_number = matches!(assigned.right.get_inner_expression(), Expression::NumericLiteral(_) | Expression::Identifier(_));
        self.adds_up |= is_named && assigned.operator == AssignmentOperator::Addition && !is_number;
        walk_assignment_expression(self, assigned);
    }
}

/// Looks for uses of a list by which it may grow.
pub struct Growth<'n, 'a> {
    /// The name of the list.
    pub list: &'n str,
    /// It may become longer.
    pub grows: bool,
    /// What takes something out of the list does not count.
    pub takes: bool,
    /// Calls of functions by their names.
    pub called: Vec<&'a CallExpression<'a>>,
}

/// Methods that take something out of a list.
const TAKING: &[&str] = &["shift", "pop"];
/// Methods that leave a list as long as it is.
const READING: &[&str] = &["slice", "at", "length", "map", "filter", "indexOf", "includes", "join", "find", "some", "every"];

impl<'a> Visit<'a> for Growth<'_, 'a> {
    fn visit_member_expression(&mut self, member: &MemberExpression<'a>) {
        let is_list = matches!(member.object().get_inner_expression(), Expression::Identifier(name) if name.name == self.list);
        let is_read = match member {
            MemberExpression::ComputedMemberExpression(_) => true,
            _ => member.static_property_name().is_some_and(|name| READING.contains(&name) || self.takes && TAKING.contains(&name)),
        };
        if is_list && is_read {
            if let MemberExpression::ComputedMemberExpression(computed) = member {
                self.visit_expression(&computed.expression);
            }
            return;
        }
        walk_member_expression(self, member);
    }

    fn visit_assignment_expression(&mut self, assigned: &AssignmentExpression<'a>) {
        let target = assigned.left.as_member_expression().map(|member| member.object().get_inner_expression());
        self.grows |= matches!(target, Some(Expression::Identifier(name)) if name.name == self.list);
        walk_assignment_expression(self, assigned);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let own: &'a CallExpression<'a> = self.alloc(call);
        if matches!(call.callee.get_inner_expression(), Expression::Identifier(_)) {
            self.called.push(own);
        }
        let callee = call.callee.get_inner_expression().as_member_expression();
        let takes = callee.is_some_and(|member| {
            matches!(member.object().get_inner_expression(), Expression::Identifier(name) if name.name == self.list)
                && member.static_property_name() == Some(SPLICE)
        });
        if self.takes && takes && call.arguments.len() <= 2 {
            call.arguments.iter().for_each(|argument| self.visit_argument(argument));
            return;
        }
        walk_call_expression(self, call);
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        self.grows |= name.name == self.list;
    }
}

/// Comparisons in a function.
pub struct Comparisons<'a> {
    /// Those that were found.
    pub found: Vec<&'a BinaryExpression<'a>>,
}

impl<'a> Visit<'a> for Comparisons<'a> {
    fn visit_binary_expression(&mut self, binary: &BinaryExpression<'a>) {
        if binary.operator.is_compare() || binary.operator.is_equality() {
            self.found.push(self.alloc(binary));
        }
        walk_binary_expression(self, binary);
    }
}

/// Returns true if and only if a statement leaves the loop in which it stands whenever it is run to its end, and never goes on with the
/// next turn.
pub fn ends_loop(statement: &Statement<'_>) -> bool {
    let is_last = |statement: &Statement<'_>| {
        matches!(statement, Statement::ReturnStatement(_)) || matches!(statement, Statement::BreakStatement(left) if left.label.is_none())
    };
    let ends = match statement {
        Statement::BlockStatement(block) => block.body.last().is_some_and(is_last),
        statement => is_last(statement),
    };
    let mut look = Continued { found: false };
    look.visit_statement(statement);
    ends && !look.found
}

/// Looks for what goes on with the next turn.
struct Continued {
    found: bool,
}

impl<'a> Visit<'a> for Continued {
    fn visit_continue_statement(&mut self, _: &ContinueStatement<'a>) {
        self.found = true;
    }
}

/// Returns true if and only if a statement leaves the loop in which it stands.
pub fn leaves(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::BlockStatement(block) => block.body.last().is_some_and(leaves),
        Statement::BreakStatement(_) | Statement::ReturnStatement(_) | Statement::ThrowStatement(_) => true,
        _ => false,
    }
}
