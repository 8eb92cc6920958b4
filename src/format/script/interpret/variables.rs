//! Files of variables (`.env`) that a script reads line by line: which variable what it has of them is.

use std::rc::Rc;

use oxc_ast::ast::Expression;
use oxc_syntax::operator::{BinaryOperator, LogicalOperator};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::taint::{Label, Taint};
use crate::format::script::interpret::value::Val;
use crate::knowledge::vault::is_environment_file;
use crate::subject::flow::OriginKind;

/// What one variable is called of which only the caller knows the name.
const ONE: &str = "ANY_KEY";
/// Names of variables for which a script asks are no shorter.
const SHORTEST: usize = 4;

impl<'a> Interpreter<'a> {
    /// What is kept under a name, of what was put under names that are not known: of a file of variables, the variable of that name, of
    /// a page's form, the field.
    pub fn variable_of(&mut self, kept: Val, name: &str) -> Val {
        let taint = self.values.taint(kept.id);
        let of = self.variable_in(taint, name, |all, label| all.is_of_variables(label) || all.is_of_form(label));
        if of == taint {
            return kept;
        }
        let bare = self.values.without_taint(kept);
        self.values.with_taint(bare, of).through(kept.via)
    }

    /// What is left of data of such a file if only the value of one variable is taken out of it.
    pub fn taken_out(&mut self, taint: Taint, source: &str) -> Taint {
        match matched_variable(source) {
            Some(name) => self.variable_in(taint, name, Self::is_of_variable_file),
            None => taint,
        }
    }

    /// Of the lines of such a file the one that a callback finds by the name before its value: `lines.find((line) => line.startsWith(`${name}=`))`.
    pub fn line_of_variable(&mut self, line: Val, callback: Val) -> Option<Val> {
        let (taint, via) = self.carried(line);
        if !self.values.taints.labels(taint).to_vec().iter().any(|label| self.is_of_variables(label)) {
            return None;
        }
        let Expression::CallExpression(call) = self.answer_of(callback)?.get_inner_expression() else { return None };
        let member = call.callee.get_inner_expression().as_member_expression()?;
        let start = call.arguments.first()?.as_expression().filter(|_| member.static_property_name() == Some("startsWith"))?;
        let start = self.evaluate(start);
        // Which of several it is, whoever calls says.
        let name = match self.values.text(start.id) {
            Some(start) => start.strip_suffix('=').filter(|name| SHORTEST <= name.len())?.to_owned(),
            None => ONE.to_owned(),
        };
        let of = self.variable_in(taint, &name, Self::is_of_variables);
        let bare = self.values.without_taint(line);
        Some(self.values.with_taint(bare, of).through(via))
    }

    fn variable_in(&mut self, taint: Taint, name: &str, is_asked: fn(&Self, &Label) -> bool) -> Taint {
        let labels = self.values.taints.labels(taint).to_vec();
        if !labels.iter().any(|label| is_asked(self, label)) {
            return taint;
        }
        let field = self.values.texts.intern(name);
        let labels = labels.into_iter().map(|label| if is_asked(self, &label) { Label { field, ..label } } else { label }).collect();
        self.values.taints.set(labels)
    }

    /// The variable for which a condition asks of a line of such a file: `key === 'API_KEY'`, `line.startsWith('API_KEY=')`.
    pub fn asked_variable(&mut self, test: &'a Expression<'a>) -> Option<Rc<str>> {
        if !self.values.taints.has_any() {
            return None;
        }
        let (asked, name) = match test.get_inner_expression() {
            Expression::BinaryExpression(binary)
                if matches!(binary.operator, BinaryOperator::StrictEquality | BinaryOperator::Equality) =>
            {
                match (binary.left.get_inner_expression(), binary.right.get_inner_expression()) {
                    (asked, Expression::StringLiteral(name)) | (Expression::StringLiteral(name), asked) => (asked, name.value.as_str()),
                    _ => return None,
                }
            }
            Expression::CallExpression(call) => {
                let member = call.callee.get_inner_expression().as_member_expression()?;
                let name = call.arguments.first()?.as_expression()?.get_inner_expression();
                match (member.static_property_name()?, name) {
                    ("startsWith", Expression::StringLiteral(name)) => {
                        (member.object().get_inner_expression(), name.value.strip_suffix('=')?)
                    }
                    _ => return None,
                }
            }
            Expression::LogicalExpression(both) if both.operator == LogicalOperator::And => {
                return self.asked_variable(&both.left).or_else(|| self.asked_variable(&both.right));
            }
            _ => return None,
        };
        let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        // `line.trim() === …`
        let asked = match asked {
            Expression::CallExpression(call) if call.arguments.is_empty() => {
                let member = call.callee.get_inner_expression().as_member_expression()?;
                (member.static_property_name()? == "trim").then(|| member.object().get_inner_expression())?
            }
            asked => asked,
        };
        let Expression::Identifier(asked) = asked else { return None };
        // Too long to be guessed letter by letter.
        if name.len() < SHORTEST || !name.bytes().all(is_name) {
            return None;
        }
        let value = self.identifier(asked);
        let taint = self.carried(value).0;
        let is_line = self.values.taints.labels(taint).to_vec().iter().any(|label| self.is_of_variables(label));
        is_line.then(|| Rc::from(name))
    }

    /// Returns true if and only if data is the value of one variable of such a file.
    pub fn is_variable(&self, label: &Label) -> bool {
        let first = self.values.texts.get(label.field).split('.').next().unwrap_or_default();
        !matches!(first, "" | "[]") && self.is_of_variable_file(label)
    }

    /// Returns true if and only if data is some line of a file of variables.
    fn is_of_variables(&self, label: &Label) -> bool {
        let field = self.values.texts.get(label.field);
        let is_line = !field.is_empty() && field.split('.').all(|part| part == "[]");
        is_line && self.is_of_variable_file(label)
    }

    /// Returns true if and only if data is all of what is filled in to a form of a page.
    fn is_of_form(&self, label: &Label) -> bool {
        let field = self.values.texts.get(label.field);
        // Of each entry, what is filled in stands behind its name.
        let is_all = field.split('.').all(|part| matches!(part, "" | "[]" | "1"));
        let origin = self.recorder.origin(label.origin).filter(|origin| origin.kind == OriginKind::Page);
        is_all && origin.is_some_and(|origin| origin.name.split(' ').any(|word| word == "form"))
    }

    fn is_of_variable_file(&self, label: &Label) -> bool {
        let origin = self.recorder.origin(label.origin).filter(|origin| origin.kind == OriginKind::File);
        origin.is_some_and(|origin| origin.detail.as_deref().is_some_and(is_environment_file))
    }
}

/// The variable whose value a regular expression takes out of such a file: `/^API_KEY=(.+)$/m`.
fn matched_variable(source: &str) -> Option<&str> {
    let start = source.trim_start_matches("(?:^|\\n)").trim_start_matches(['^', ' ']).trim_start_matches("\\s*");
    let end = start.find(|character: char| !character.is_ascii_alphanumeric() && character != '_')?;
    let (name, rest) = start.split_at(end);
    let is_assigned = rest.trim_start_matches("\\s*").trim_start_matches([' ', '*', '?']).starts_with('=');
    (is_assigned && !name.is_empty()).then_some(name)
}
