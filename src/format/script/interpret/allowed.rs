//! Allow-lists of single values: behind a question that only texts of the script pass, a variable is one of those texts, or a part of what
//! was sent in: `event.action`, `found[1]`.
//!
//! Only what it can be is narrowed. The data that it carries stays, since which of the texts it is still tells of it.

use std::rc::Rc;

use oxc_ast::ast::{Argument, CallExpression, Expression, IdentifierReference, MemberExpression};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::taint::Change;
use crate::format::script::interpret::text::Text;
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::js::constant::Constant;
use crate::format::script::span::span_of;
use crate::subject::segment::HOLE;
use crate::value::span::Span;

/// The most texts that a variable is told to be.
const TEXTS: usize = 64;

/// How deep conditions are looked into.
const DEPTH: u32 = 8;

/// Shorter beginnings of paths name no folder of anybody's: `/`, `/etc`.
const SHORTEST_FOLDER: usize = 6;

/// What a condition narrows.
enum Asked<'a> {
    /// A variable.
    Whole(&'a IdentifierReference<'a>),
    /// What stands under a key of it.
    Part(&'a IdentifierReference<'a>, String),
}

impl Asked<'_> {
    fn of<'a>(expression: &'a Expression<'a>) -> Option<Asked<'a>> {
        match expression.get_inner_expression() {
            Expression::Identifier(name) => Some(Asked::Whole(name)),
            Expression::ChainExpression(chain) => part_of(chain.expression.as_member_expression()?),
            other => part_of(other.as_member_expression()?),
        }
    }

    fn name(&self) -> &IdentifierReference<'_> {
        match self {
            Self::Whole(name) | Self::Part(name, _) => name,
        }
    }

    fn key(&self) -> Option<&str> {
        match self {
            Self::Whole(_) => None,
            Self::Part(_, key) => Some(key),
        }
    }
}

/// A part of a variable, by a key that is written out.
fn part_of<'a>(member: &'a MemberExpression<'a>) -> Option<Asked<'a>> {
    let Expression::Identifier(name) = member.object().get_inner_expression() else { return None };
    let key = match member {
        MemberExpression::StaticMemberExpression(member) => member.property.name.to_string(),
        MemberExpression::ComputedMemberExpression(member) => match member.expression.get_inner_expression() {
            Expression::StringLiteral(key) => key.value.to_string(),
            Expression::NumericLiteral(at) => at.value.to_string(),
            _ => return None,
        },
        MemberExpression::PrivateFieldExpression(_) => return None,
    };
    Some(Asked::Part(name, key))
}

impl<'a> Interpreter<'a> {
    /// Narrows the variables of which a condition says which texts they can be, where it has this outcome.
    pub fn narrow(&mut self, test: &'a Expression<'a>, outcome: bool) {
        self.narrow_at(test, outcome, DEPTH);
    }

    fn narrow_at(&mut self, test: &'a Expression<'a>, outcome: bool, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match test.get_inner_expression() {
            Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => {
                self.narrow_at(&not.argument, !outcome, depth);
            }
            Expression::LogicalExpression(both) if says_both(both.operator, outcome) => {
                self.narrow_at(&both.left, outcome, depth);
                self.narrow_at(&both.right, outcome, depth);
            }
            _ => {
                if let Some((asked, texts)) = self.texts_of(test, outcome, depth).filter(|(_, texts)| !texts.is_empty()) {
                    match asked {
                        Asked::Whole(name) => self.narrow_to(name, &texts),
                        Asked::Part(name, key) => self.narrow_part(name, &key, &texts),
                    }
                } else if let Some(name) = self.passed_by_pattern(test).filter(|_| outcome) {
                    self.make_plain(name);
                } else if let Some((name, beginning)) = self.beginning_of(test).filter(|_| outcome) {
                    self.narrow_beginning(name, &beginning);
                }
            }
        }
    }

    /// The variable of which a condition says that it is one of these texts, where it has this outcome.
    fn texts_of(&mut self, test: &'a Expression<'a>, outcome: bool, depth: u32) -> Option<(Asked<'a>, Vec<String>)> {
        let depth = depth.checked_sub(1)?;
        match test.get_inner_expression() {
            Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => self.texts_of(&not.argument, !outcome, depth),
            // `a !== 'x' && a !== 'y'` does not hold: it is one or the other.
            Expression::LogicalExpression(either) if says_both(either.operator, !outcome) => {
                let (name, mut texts) = self.texts_of(&either.left, outcome, depth)?;
                let (other, more) = self.texts_of(&either.right, outcome, depth)?;
                texts.extend(more);
                let is_same = self.symbol_of(name.name())? == self.symbol_of(other.name())? && name.key() == other.key();
                (is_same && texts.len() <= TEXTS).then_some((name, texts))
            }
            Expression::BinaryExpression(same) => {
                let is_same = match same.operator {
                    BinaryOperator::StrictEquality => outcome,
                    BinaryOperator::StrictInequality => !outcome,
                    _ => false,
                };
                let (name, text) = compared(&same.left, &same.right).or_else(|| compared(&same.right, &same.left)).filter(|_| is_same)?;
                Some((name, vec![text.to_owned()]))
            }
            Expression::CallExpression(call) if outcome && let Some((list, name)) = compared_in_some(call) => {
                let list = self.evaluate(list);
                if !self.is_plain_list(list, "some") {
                    return None;
                }
                Some((Asked::Whole(name), self.texts_of_list(list)?))
            }
            Expression::CallExpression(call) if outcome => {
                let member = call.callee.get_inner_expression().as_member_expression()?;
                let method = member.static_property_name().filter(|name| matches!(*name, "has" | "includes"))?;
                let [argument] = call.arguments.as_slice() else { return None };
                let asked = Asked::of(argument.as_expression()?)?;
                let list = self.evaluate(member.object());
                if !self.is_plain_list(list, method) {
                    return None;
                }
                Some((asked, self.texts_of_list(list)?))
            }
            _ => None,
        }
    }

    /// All texts of a list of which nothing else is known.
    fn texts_of_list(&mut self, list: Val) -> Option<Vec<String>> {
        let elements = self.elements(list);
        let known = self.values.all_known(elements.any.id).filter(|known| known.len() <= TEXTS)?;
        known.into_iter().filter(|one| *one != Constant::Undefined).map(text_of).collect()
    }

    /// The variable of which a condition says that a pattern lets it through which lets no more through than words.
    fn passed_by_pattern(&mut self, test: &'a Expression<'a>) -> Option<&'a IdentifierReference<'a>> {
        let Expression::CallExpression(call) = test.get_inner_expression() else { return None };
        let member = call.callee.get_inner_expression().as_member_expression()?;
        let [argument] = call.arguments.as_slice() else { return None };
        let argument = argument.as_expression()?.get_inner_expression();
        let (pattern, name) = match member.static_property_name()? {
            "test" | "exec" => (member.object(), argument),
            "match" => (argument, member.object().get_inner_expression()),
            _ => return None,
        };
        let Expression::Identifier(name) = name.get_inner_expression() else { return None };
        let pattern = self.evaluate(pattern);
        // Where lines are looked at one by one, there may be others.
        let source = self.pattern_source(pattern).filter(|_| !self.has_flag(pattern, 'm'))?;
        (is_anchored(&source) && lets_words_through(&source)).then_some(&**name)
    }

    /// The variable of which a condition says how it begins, and that beginning: a folder, or an address. Of one that nobody knows, which
    /// does not come from where the variable's data comes from, only that there is one.
    fn beginning_of(&mut self, test: &'a Expression<'a>) -> Option<(&'a IdentifierReference<'a>, String)> {
        let Expression::CallExpression(call) = test.get_inner_expression() else { return None };
        let member = call.callee.get_inner_expression().as_member_expression()?;
        let Expression::Identifier(name) = member.object().get_inner_expression() else { return None };
        let [argument] = call.arguments.as_slice() else { return None };
        if member.static_property_name() != Some("startsWith") {
            return None;
        }
        let before = self.read(self.symbol_of(name)?);
        let asked = self.evaluate(argument.as_expression()?);
        let (data, own) = (self.values.taint(before.id), self.values.taint(asked.id));
        let is_of_same = self.values.taints.labels(data).iter().any(|label| self.values.taints.labels(own).contains(label));
        let said = self.values.text(asked.id).filter(|text| text.chars().any(|letter| letter != HOLE));
        // A folder that nobody knows is one.
        let beginning = said.map_or_else(|| format!("{HOLE}/"), |text| text.to_string());
        let is_place = beginning.contains(HOLE) || beginning.trim_matches('/').contains('/') || SHORTEST_FOLDER <= beginning.len();
        (!is_of_same && is_place).then_some((name, beginning))
    }

    /// What stands in a regular expression that is written out.
    pub fn pattern_source(&self, pattern: Val) -> Option<Rc<str>> {
        let [Atom::Object(object)] = &*self.values.atoms(pattern.id) else { return None };
        let ObjectKind::Instance { path, made_with } = &self.heap.object(*object).kind else { return None };
        let source = made_with.first().filter(|_| &**self.values.texts.get(*path) == "RegExp()")?;
        self.values.text(source.id)
    }

    fn has_flag(&self, pattern: Val, flag: char) -> bool {
        let [Atom::Object(object)] = &*self.values.atoms(pattern.id) else { return true };
        let ObjectKind::Instance { made_with, .. } = &self.heap.object(*object).kind else { return true };
        made_with.get(1).is_some_and(|flags| self.values.text(flags.id).is_none_or(|flags| flags.contains(flag)))
    }

    /// What a pattern found in a text, where it finds no more than words.
    pub fn found_by_pattern(&mut self, found: Val, (object, key): (Val, &Key), argument: Val, span: Span) -> Val {
        let pattern = match key.name.as_deref() {
            Some("exec") => object,
            Some("match") => argument,
            _ => return found,
        };
        let taint = self.values.taint(found.id);
        let Some(source) = self.pattern_source(pattern).filter(|_| !taint.is_none()) else { return found };
        // All that `match` finds everywhere is what whole matches are.
        let is_everywhere = key.name.as_deref() == Some("match") && self.has_flag(pattern, 'g');
        if !lets_words_through(&source) && is_everywhere {
            return found;
        }
        if !lets_words_through(&source) {
            return self.found_by_groups(found, &source, span).unwrap_or(found);
        }
        let plain = self.values.changed(taint, Change::Plain);
        let bare = self.values.without_taint(found);
        self.values.with_taint(bare, plain).through(found.via)
    }

    /// Notes that what a variable carries ends no word.
    fn make_plain(&mut self, name: &'a IdentifierReference<'a>) {
        let Some(symbol) = self.symbol_of(name) else { return };
        let before = self.read(symbol);
        let taint = self.values.taint(before.id);
        let plain = self.values.changed(taint, Change::Plain);
        let bare = self.values.without_taint(before);
        let after = self.values.with_taint(bare, plain).through(before.via);
        self.write(symbol, after, span_of(name));
    }

    /// Has a variable of which nothing is known be one of these texts, with the data that it carries.
    fn narrow_to(&mut self, name: &'a IdentifierReference<'a>, texts: &[String]) {
        let Some(symbol) = self.symbol_of(name) else { return };
        let before = self.read(symbol);
        let shape = self.values.shape(before.id);
        let is_known = !shape.is_open && shape.atoms.iter().all(|atom| matches!(atom, Atom::Text(_) | Atom::Number(_) | Atom::Boolean(_)));
        if is_known {
            return;
        }
        let narrowed = self.one_of(texts, before);
        self.write(symbol, narrowed, span_of(name));
    }

    /// Has a variable of which nothing is known begin so, with the data that it carries.
    fn narrow_beginning(&mut self, name: &'a IdentifierReference<'a>, beginning: &str) {
        let Some(symbol) = self.symbol_of(name) else { return };
        let before = self.read(symbol);
        let is_unknown = |atom: &Atom| match atom {
            Atom::Partial(text) => self.values.texts.get(*text).chars().all(|letter| letter == HOLE || letter == '/'),
            _ => false,
        };
        let shape = self.values.shape(before.id);
        if !shape.atoms.iter().all(is_unknown) {
            return;
        }
        let (taint, via) = self.carried(before);
        let begun = self.values.partial(&format!("{beginning}{HOLE}"));
        let narrowed = self.values.with_taint(begun, taint).through(via);
        self.write(symbol, narrowed, span_of(name));
    }

    /// One of these texts, with the data that a value carries.
    fn one_of(&mut self, texts: &[String], value: Val) -> Val {
        let (taint, via) = self.carried(value);
        let mut narrowed = Val::NEVER;
        for text in texts {
            let text = self.values.string(text);
            narrowed = self.values.join(narrowed, text);
        }
        self.values.with_taint(narrowed, taint).through(via)
    }

    /// Notes that what stands under a key of something of which nothing is known is one of these texts. Of objects of the script's own
    /// that is not said: what they give may differ each time.
    fn narrow_part(&mut self, name: &'a IdentifierReference<'a>, key: &str, texts: &[String]) {
        let Some(symbol) = self.symbol_of(name).filter(|symbol| !self.scoping.symbol_is_mutated(*symbol)) else { return };
        let before = self.read(symbol);
        let is_own = self.values.atoms(before.id).iter().any(|atom| matches!(atom, Atom::Object(_) | Atom::Native(_)));
        if is_own || self.carried(before).0.is_none() {
            return;
        }
        let part = self.get(before, &Key::named(key), span_of(name));
        let narrowed = self.one_of(texts, part);
        let place = self.values.texts.intern(&format!("{NARROWED}{}:{key}", symbol.index()));
        self.heap.set(Place::Field(self.globals, place), narrowed);
        self.narrows = true;
    }

    /// What stands under a key of a variable, where a condition said which texts that can be.
    pub fn narrowed_part(&mut self, member: &'a MemberExpression<'a>, value: Val) -> Val {
        let Some(Asked::Part(name, key)) = part_of(member) else { return value };
        let Some(symbol) = self.symbol_of(name) else { return value };
        let Some(place) = self.values.texts.known(&format!("{NARROWED}{}:{key}", symbol.index())) else { return value };
        let narrowed = self.heap.get(Place::Field(self.globals, place)).unwrap_or(Val::UNDEFINED);
        // On some ways nobody asked.
        let is_asked = self.values.atoms(narrowed.id).iter().all(|atom| matches!(atom, Atom::Text(_)));
        if is_asked { narrowed } else { value }
    }

    /// Notes that something may stand under a key that nobody asked about.
    pub fn forget_narrowed(&mut self, key: Option<&str>) {
        let fields: Vec<Text> = self.heap.object(self.globals).fields.iter().map(|(key, _)| *key).collect();
        for field in fields {
            let text = Rc::clone(self.values.texts.get(field));
            let is_it = |rest: &str| rest.split_once(':').is_some_and(|(_, own)| key.is_none_or(|key| key == own));
            if text.strip_prefix(NARROWED).is_some_and(is_it) {
                self.heap.set(Place::Field(self.globals, field), Val::UNDEFINED);
            }
        }
    }
}

/// How the places of what was asked about begin, among all globals: no name does.
const NARROWED: &str = "\u{1}asked:";

/// Returns true if and only if both sides have this outcome, where the whole has it.
fn says_both(operator: LogicalOperator, outcome: bool) -> bool {
    match operator {
        LogicalOperator::And => outcome,
        LogicalOperator::Or => !outcome,
        LogicalOperator::Coalesce => false,
    }
}

/// A variable, or a part of one, and the text that it is compared with.
fn compared<'a>(one: &'a Expression<'a>, other: &'a Expression<'a>) -> Option<(Asked<'a>, &'a str)> {
    match other.get_inner_expression() {
        Expression::StringLiteral(text) => Some((Asked::of(one)?, text.value.as_str())),
        _ => None,
    }
}

fn text_of(constant: Constant) -> Option<String> {
    match constant {
        Constant::String(text) => Some(text.to_string()),
        _ => None,
    }
}

/// Returns true if and only if a pattern is about all of a text, in each of its alternatives.
fn is_anchored(source: &str) -> bool {
    let Some(inner) = source.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')) else { return false };
    let mut depth = 0_i32;
    inner.chars().all(|character| {
        depth += match character {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        !(character == '|' && depth == 0)
    }) && !inner.ends_with('\\')
}

/// Returns true if and only if all characters that a pattern lets through are letters, digits, and signs that end no word of a command and
/// no text of a statement.
pub fn lets_words_through(source: &str) -> bool {
    const SIGNS: &str = "_-:/@,";
    let mut characters = source.chars().peekable();
    let mut in_class = false;
    let mut before = None;
    while let Some(character) = characters.next() {
        let is_allowed = match character {
            // A range holds what stands between its ends: `[A-z]` more than letters.
            '-' if in_class && before.is_some() && characters.peek().is_some_and(|next| *next != ']') => {
                before.zip(characters.peek().copied()).is_some_and(|(first, last)| is_range_of_words(first, last))
            }
            '\\' => match characters.next() {
                Some(escaped) => matches!(escaped, 'd' | 'w' | 'b' | '-' | '.' | '/' | '_' | '#' | '@' | '+'),
                None => false,
            },
            '[' if !in_class => {
                in_class = true;
                characters.peek() != Some(&'^')
            }
            ']' => {
                in_class = false;
                true
            }
            '.' => in_class,
            '(' => !in_class,
            // What is written out as it is: in a class it would comment out what follows, compare, or part words.
            '^' | '$' | ' ' | '#' | '=' => !in_class,
            ')' | '|' | '?' | '*' | '+' | '{' | '}' => !in_class || matches!(character, '+'),
            character => character.is_ascii_alphanumeric() || SIGNS.contains(character),
        };
        if !is_allowed {
            return false;
        }
        before = (in_class && character != '[' && character != '\\').then_some(character);
    }
    !in_class
}

/// Returns true if and only if all characters from one to another are letters or digits.
fn is_range_of_words(first: char, last: char) -> bool {
    let is_within = |kind: fn(&char) -> bool| kind(&first) && kind(&last);
    is_within(char::is_ascii_digit) || is_within(char::is_ascii_lowercase) || is_within(char::is_ascii_uppercase)
}

/// The list and the variable of a question whether one of the list is the variable's text: `KNOWN.some((one) => one === name)`.
fn compared_in_some<'a>(call: &'a CallExpression<'a>) -> Option<(&'a Expression<'a>, &'a IdentifierReference<'a>)> {
    let member = call.callee.get_inner_expression().as_member_expression()?;
    let [Argument::ArrowFunctionExpression(arrow)] = call.arguments.as_slice() else { return None };
    let parameter = arrow.params.items.first().filter(|_| arrow.params.items.len() == 1)?.pattern.get_binding_identifier()?;
    let Expression::BinaryExpression(same) = arrow.get_expression()?.get_inner_expression() else { return None };
    let is_same = same.operator == BinaryOperator::StrictEquality && member.static_property_name() == Some("some");
    let (Expression::Identifier(left), Expression::Identifier(right)) =
        (same.left.get_inner_expression(), same.right.get_inner_expression())
    else {
        return None;
    };
    let other = match (left.name == parameter.name, right.name == parameter.name) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    is_same.then_some((member.object(), &**other))
}

#[cfg(test)]
mod tests {
    use super::{is_anchored, lets_words_through};

    #[test]
    fn patterns_that_let_words_through_are_told_from_others() {
        for pattern in
            ["^\\d+$", "^[a-z0-9-]{1,30}$", "^(lint|test)$", "^#(\\d+)$", "^[\\w.-]+$", "^v\\d+\\.\\d+$", "^[A-Za-z_]+$", "^run (a|b)$"]
        {
            assert!(is_anchored(pattern) && lets_words_through(pattern), "{pattern}");
        }
        for pattern in [
            "^.+$",
            "^[^;]+$",
            "^\\S+$",
            "^[\\w\\s]+$",
            "^[A-z]+$",
            "^[0-z]+$",
            "^[,-z]+$",
            "^[ -~]+$",
            "^a;b$",
            "^a\\x3bb$",
            "^\\u003b$",
            "^[a-z ]+$",
            "^[\\w=]+$",
            "^[\\d#]+$",
            "^(a|.*)$",
            "^(?!x).*$",
            "^\\D$",
        ] {
            assert!(!lets_words_through(pattern), "{pattern}");
        }
        for pattern in ["\\d+", "^\\d+", "\\d+$", "^a$|^b", "^a|b$", "^a\\$"] {
            assert!(!is_anchored(pattern), "{pattern}");
        }
    }
}
