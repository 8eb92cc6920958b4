//! Which code runs only if an answer says so: the answer of a call, itself, not whether there is one.

use std::cell::Cell;

use oxc_ast::ast::{
    Argument, BinaryExpression, CallExpression, Expression, IdentifierReference, MemberExpression, NewExpression, Program, Statement,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::{Bindings, Given};
use crate::format::script::fold::Folder;
use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::branches::branches;
use crate::format::script::sandbox::functions::Written;
use crate::format::script::sandbox::guard::{HOLDING, texts};
use crate::format::script::sandbox::nodes::Nodes;
use crate::format::script::sandbox::surroundings::{SAME, Surroundings, first_parameter};
use crate::format::script::span::span_of;
use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::subject::bounds::Asked;
use crate::value::span::Span;
use crate::value::words::words;

/// Conditions are taken apart, and functions followed, up to this depth.
const DEPTH: u32 = 24;
/// Functions of the language that read an answer as a number or text.
const READING: &[&str] = &["Number", "String", "parseInt"];

/// How many parts of conditions are looked at in one script.
const STEPS: u32 = 50_000;

/// The code of a script that runs only if an answer says so.
pub fn asked<'a>(
    program: &Program<'a>,
    bindings: &Bindings<'a, '_>,
    folder: &Folder<'_, 'a, '_>,
    around: &Surroundings<'_, '_, 'a, '_>,
) -> Vec<Asked> {
    if around.is_forged() {
        return Vec::new();
    }
    let nodes = Nodes::of(program, bindings, folder, around);
    if nodes.answers_itself {
        return Vec::new();
    }
    let answers = Answers { bindings, folder, around, nodes: &nodes, steps: Cell::new(STEPS) };
    let found = branches(program, around, |test, outcome| answers.agree(test, outcome, DEPTH));
    found.into_iter().map(|(code, answer)| Asked { code, answer: answer.of, is_typed: answer.is_typed }).collect()
}

/// An answer on which a condition hangs.
#[derive(Clone, Copy, Debug)]
struct Answer {
    /// The call that gives it.
    of: Span,
    /// It says yes only if somebody typed it: nothing else tells that the field that is asked means it.
    is_typed: bool,
}

struct Answers<'w, 'b, 'v, 'a, 's> {
    bindings: &'w Bindings<'a, 's>,
    folder: &'w Folder<'v, 'a, 's>,
    around: &'w Surroundings<'b, 'v, 'a, 's>,
    nodes: &'w Nodes<'a>,
    /// How many more parts are looked at.
    steps: Cell<u32>,
}

impl<'a> Answers<'_, '_, '_, 'a, '_> {
    fn spend(&self, depth: u32) -> Option<u32> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    /// The answer of a call, if it asks a person.
    fn own_answer(&self, call: &CallExpression<'a>) -> Option<Answer> {
        self.around.asks_person(call).then(|| Answer { of: span_of(call), is_typed: false })
    }

    /// The answer that says yes whenever a condition has this outcome.
    fn agree(&self, test: &Expression<'a>, outcome: bool, depth: u32) -> Option<Answer> {
        let depth = self.spend(depth)?;
        let agree = |part: &Expression<'a>, outcome: bool| self.agree(part, outcome, depth);
        match test.get_inner_expression() {
            Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => agree(&not.argument, !outcome),
            Expression::LogicalExpression(both) => match (both.operator, outcome) {
                (LogicalOperator::Or, false) | (LogicalOperator::And, true) => {
                    agree(&both.left, outcome).or_else(|| agree(&both.right, outcome))
                }
                (LogicalOperator::Or, true) | (LogicalOperator::And, false) => {
                    agree(&both.left, outcome).filter(|_| agree(&both.right, outcome).is_some())
                }
                (LogicalOperator::Coalesce, _) => None,
            },
            Expression::BinaryExpression(binary) => self.equals(binary, outcome, depth),
            Expression::CallExpression(call) if let Some(given) = is_like_yes(call) => {
                outcome.then(|| self.answer(given, Some(YES), depth)).flatten()
            }
            Expression::CallExpression(call) if self.holds(call) => outcome.then(|| self.held(call, depth)).flatten(),
            state if let Some(written) = self.nodes.written(state, self.bindings) => {
                outcome.then(|| self.all_agree(written.iter().copied(), depth)).flatten()
            }
            plain => match self.around.stands_for(plain).filter(|only| !is_call(only)) {
                Some(only) => agree(only, outcome),
                None => outcome.then(|| self.answer(plain, None, depth)).flatten(),
            },
        }
    }

    /// The answer that a comparison finds to be one text: `answer === 'y'`.
    fn equals(&self, binary: &BinaryExpression<'a>, outcome: bool, depth: u32) -> Option<Answer> {
        let is_same = match binary.operator {
            BinaryOperator::Equality | BinaryOperator::StrictEquality => outcome,
            BinaryOperator::Inequality | BinaryOperator::StrictInequality => !outcome,
            _ => return None,
        };
        let says = |asked: &Expression<'a>, with: &Expression<'a>| match self.folder.fold(with) {
            Some(with) => self.answer(asked, Some(&with.to_text()), depth).filter(|_| is_same && is_meant(&with)),
            // Who has to type the name of what goes, or how much it is, means it.
            None => self.answer(asked, None, depth).filter(|_| is_same && self.is_named(with, depth)),
        };
        says(&binary.left, &binary.right).or_else(|| says(&binary.right, &binary.left))
    }

    /// Returns true if and only if a value is one that has to be typed: no literal, and nothing that is made of an answer.
    fn is_named(&self, value: &Expression<'a>, depth: u32) -> bool {
        let is_value = matches!(
            value.get_inner_expression(),
            Expression::Identifier(_)
                | Expression::StaticMemberExpression(_)
                | Expression::CallExpression(_)
                | Expression::TemplateLiteral(_)
        );
        is_value && !self.is_of_answer(value, depth)
    }

    /// Returns true if and only if an expression may be made of an answer: `` `${answer}` `` is always the same as `answer`.
    fn is_of_answer(&self, value: &Expression<'a>, depth: u32) -> bool {
        let Some(depth) = self.spend(depth) else { return true };
        let mut names = Names { answers: self, found: Vec::new() };
        names.visit_expression(value);
        names.found.into_iter().any(|symbol| match self.bindings.constant(symbol) {
            Some(Given::Expression(only) | Given::Property(only, _)) => {
                self.answer(only, None, depth).is_some() || self.is_of_answer(only, depth)
            }
            // A parameter is given nothing here; what is written more than once may be an answer by then.
            Some(Given::Unknown) => self.around.answered(symbol).is_some(),
            None => self.around.answered(symbol).is_some() || self.bindings.is_given(symbol),
        })
    }

    fn holds(&self, call: &CallExpression<'a>) -> bool {
        let method = call.callee.get_inner_expression().as_member_expression().and_then(MemberExpression::static_property_name);
        method.is_some_and(|method| HOLDING.contains(&method))
    }

    /// The answer that is one of several texts, or begins with one: `['y', 'yes'].includes(answer)`.
    fn held(&self, call: &CallExpression<'a>, depth: u32) -> Option<Answer> {
        let of = call.callee.get_inner_expression().as_member_expression()?.object();
        let given = call.arguments.first().and_then(Argument::as_expression)?;
        let (list, asked) = match (texts(self.folder, of), texts(self.folder, given)) {
            (Some(list), None) => (list, given),
            (None, Some(list)) => (list, of),
            _ => return None,
        };
        // Where a no is held as well, it is no yes.
        let first = list.first().filter(|_| list.iter().all(|text| !text.is_empty() && !is_plain_no(text)))?;
        self.answer(asked, Some(first), depth)
    }

    /// The call whose answer an expression is; `text` is what it is compared with.
    fn answer(&self, expression: &Expression<'a>, text: Option<&str>, depth: u32) -> Option<Answer> {
        let depth = self.spend(depth)?;
        match expression.get_inner_expression() {
            Expression::AwaitExpression(awaited) => self.answer(&awaited.argument, text, depth),
            Expression::Identifier(name) => {
                let symbol = self.bindings.symbol(name)?;
                match self.bindings.constant(symbol) {
                    Some(Given::Expression(only)) => self.answer(only, text, depth),
                    Some(Given::Property(of, key)) => self.answer(of, None, depth).map(|answer| field(answer, key, text)),
                    Some(Given::Unknown) | None => Some(Answer { of: self.around.answered(symbol)?, is_typed: false }),
                }
            }
            Expression::CallExpression(call) => self.of_call(call, text, depth),
            Expression::NewExpression(new) => self.of_promise(new, depth),
            // Where nobody is asked, it is a plain no: `amount <= 100 ? await ask() : 'no'`. Another text may still be made or taken
            // for the one that says yes.
            Expression::ConditionalExpression(choice) => {
                let is_other = |value: &Expression<'a>| {
                    let known = self.folder.fold(value);
                    known.is_some_and(|known| !is_meant(&known) || text.is_some_and(|text| refuses(&known, text)))
                };
                match (is_other(&choice.consequent), is_other(&choice.alternate)) {
                    (false, true) => self.answer(&choice.consequent, text, depth),
                    (true, false) => self.answer(&choice.alternate, text, depth),
                    _ => None,
                }
            }
            Expression::LogicalExpression(both) if both.operator == LogicalOperator::And => self.answer(&both.right, text, depth),
            other => {
                let member = other.as_member_expression()?;
                let key = member.static_property_name()?;
                self.answer(member.object(), None, depth).map(|answer| field(answer, key, text))
            }
        }
    }

    fn of_call(&self, call: &CallExpression<'a>, text: Option<&str>, depth: u32) -> Option<Answer> {
        match call.callee.get_inner_expression() {
            Expression::Identifier(name) => {
                let Some(symbol) = self.bindings.symbol(name) else {
                    // `Number(answer) !== files.length`
                    let read = call.arguments.first().and_then(Argument::as_expression).filter(|_| READING.contains(&name.name.as_str()));
                    return read.map_or_else(|| self.own_answer(call), |read| self.answer(read, text, depth));
                };
                match self.around.function(symbol) {
                    Some(function) => self.of_function(function, depth),
                    None => self.own_answer(call),
                }
            }
            callee => {
                let member = callee.as_member_expression()?;
                let is_same = member.static_property_name().is_some_and(|name| SAME.contains(&name));
                if is_same { self.answer(member.object(), text, depth) } else { self.own_answer(call) }
            }
        }
    }

    /// The answer that a function hands back, whichever way it ends, unless that is a no.
    fn of_function(&self, function: Written<'a>, depth: u32) -> Option<Answer> {
        self.all_agree(function.returned().into_iter(), depth).or_else(|| self.of_refusing(function, depth))
    }

    /// The answer without which a function hands back a no before all else: `if (answer !== 'y') return false; …`.
    fn of_refusing(&self, function: Written<'a>, depth: u32) -> Option<Answer> {
        let (at, answer) = function.statements().iter().find_map(|statement| {
            let Statement::IfStatement(choice) = statement else { return None };
            let ends = match &choice.consequent {
                Statement::BlockStatement(block) => block.body.last()?,
                single => single,
            };
            let is_refused = match ends {
                Statement::ReturnStatement(back) => back.argument.as_ref().is_none_or(|value| self.says_no(value)),
                Statement::ThrowStatement(_) => true,
                _ => false,
            };
            let answer = self.agree(&choice.test, false, depth).filter(|_| is_refused && choice.alternate.is_none())?;
            Some((span_of(&**choice).start, answer))
        })?;
        let mut before = function.returned().into_iter().filter(|value| span_of(*value).start < at);
        before.all(|value| self.says_no(value)).then_some(answer)
    }

    fn says_no(&self, value: &Expression<'a>) -> bool {
        self.folder.fold(value).is_some_and(|value| !is_meant(&value))
    }

    /// The answer that says yes whenever one of several values does that is no plain no.
    fn all_agree(&self, values: impl Iterator<Item = &'a Expression<'a>>, depth: u32) -> Option<Answer> {
        let mut agreed = values.filter(|value| !self.says_no(value)).map(|value| self.agree(value, true, depth));
        let first = agreed.next()??;
        agreed.all(|other| other.is_some()).then_some(first)
    }

    /// The answer by which a promise is settled: `new Promise((resolve) => rl.question(text, resolve))`.
    fn of_promise(&self, new: &NewExpression<'a>, depth: u32) -> Option<Answer> {
        let is_promise = matches!(new.callee.get_inner_expression(), Expression::Identifier(name) if name.name == "Promise" && self.around.is_free(name));
        let executor = new.arguments.first().filter(|_| is_promise)?.as_expression()?;
        let mut settled = Settled { answers: self, resolve: first_parameter(executor)?, named: 0, found: Vec::new(), depth };
        settled.visit_expression(executor);
        let (named, found) = (settled.named, settled.found);
        let first = *found.first()?.as_ref()?;
        (named == found.len() && found.iter().all(Option::is_some)).then_some(first)
    }
}

/// What an expression like `/^y(es)?$/i` stands for.
const YES: &str = "yes";

/// The text of which a call finds that it begins with a letter that stands in an expression: `/^y(es)?$/i.test(answer)`.
fn is_like_yes<'e, 'a>(call: &'e CallExpression<'a>) -> Option<&'e Expression<'a>> {
    let member = call.callee.get_inner_expression().as_member_expression()?;
    let given = call.arguments.first().and_then(Argument::as_expression)?;
    let (pattern, text) = match (member.static_property_name()?, member.object().get_inner_expression(), given.get_inner_expression()) {
        ("test", Expression::RegExpLiteral(pattern), _) => (pattern, given),
        ("match", _, Expression::RegExpLiteral(pattern)) => (pattern, member.object()),
        _ => return None,
    };
    let pattern = pattern.regex.pattern.text.as_str();
    let inner = pattern.strip_prefix('^')?.trim_start_matches(r"\s*").trim_start_matches(['(', '?', ':', '[']);
    // `/^[yn]/` and `/^[a-z]/` hold of a no, too.
    let class = pattern.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    if class.is_some_and(|(class, _)| class.contains(['n', 'N', '-'])) {
        return None;
    }
    let mut letters = inner.chars();
    let is_letter = letters.next().is_some_and(|first| first.is_alphabetic() && !first.eq_ignore_ascii_case(&'n'));
    (is_letter && !matches!(letters.next(), Some('?' | '*')) && !pattern.contains('|') && !pattern.contains("[^")).then_some(text)
}

/// What a field of an answer tells, compared with a text or by itself.
fn field(answer: Answer, key: &str, text: Option<&str>) -> Answer {
    let consents = |name: &str| words(name).last().is_some_and(|last| Tag::Consenting.has(last));
    let is_said = consents(key) || text.is_some_and(consents);
    Answer { is_typed: answer.is_typed || !is_said, ..answer }
}

/// Returns true if and only if somebody must have said it: no answer at all is none.
fn is_meant(constant: &Constant) -> bool {
    !matches!(constant.to_text().as_str(), "" | "0" | "false" | "null" | "undefined" | "NaN")
}

/// Returns true if and only if a text says no, and no is not what is asked for.
fn refuses(constant: &Constant, asked_for: &str) -> bool {
    is_plain_no(&constant.to_text()) && !is_plain_no(asked_for)
}

/// Returns true if and only if a text is a no by itself.
fn is_plain_no(text: &str) -> bool {
    list("saying-no").contains(&text.trim().to_lowercase().as_str())
}

fn is_call(expression: &Expression<'_>) -> bool {
    matches!(
        expression.get_inner_expression(),
        Expression::CallExpression(_) | Expression::AwaitExpression(_) | Expression::NewExpression(_)
    )
}

/// The variables that an expression names.
struct Names<'w, 'p, 'b, 'v, 'a, 's> {
    answers: &'w Answers<'p, 'b, 'v, 'a, 's>,
    found: Vec<SymbolId>,
}

impl<'a> VisitJs<'a> for Names<'_, '_, '_, '_, 'a, '_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.found.extend(self.answers.bindings.symbol(it));
    }
}

/// How a promise is settled.
struct Settled<'w, 'p, 'b, 'v, 'a, 's> {
    answers: &'w Answers<'p, 'b, 'v, 'a, 's>,
    resolve: SymbolId,
    /// How often the function that settles it is named.
    named: usize,
    /// By what it is settled, each time.
    found: Vec<Option<Answer>>,
    depth: u32,
}

impl<'a> VisitJs<'a> for Settled<'_, '_, '_, '_, 'a, '_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.named += usize::from(self.answers.bindings.symbol(it) == Some(self.resolve));
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let is_resolve = |expression: &Expression<'a>| {
            matches!(expression.get_inner_expression(), Expression::Identifier(name)
                if self.answers.bindings.symbol(name) == Some(self.resolve))
        };
        let given: Vec<&Expression<'a>> = it.arguments.iter().filter_map(Argument::as_expression).collect();
        if is_resolve(&it.callee) {
            let says_no = |value: &&Expression<'a>| self.answers.says_no(value);
            let answer = given.first().filter(|value| !says_no(value)).and_then(|value| self.answers.agree(value, true, self.depth));
            match given.first() {
                Some(value) if !says_no(value) => self.found.push(answer),
                // A no settles nothing that matters.
                _ => self.named = self.named.saturating_sub(1),
            }
        } else if given.iter().any(|value| is_resolve(value)) {
            self.found.push(Some(Answer { of: span_of(it), is_typed: false }));
        }
        walk_js::walk_call_expression(self, it);
    }
}
