//! Arguments that ask for more than anybody reads, where neither a wildcard nor a limit says so.

use std::collections::HashSet;

use crate::knowledge::House;
use crate::knowledge::words::Tag;
use crate::language::sql::condition::condition;
use crate::language::sql::{Token, statements};
use crate::meaning::argument::{Text, choices, is_no, is_yes};
use crate::meaning::magnitude::is_limit;
use crate::meaning::sensitive::{is_sensitive_source, is_sensitive_tool};
use crate::meaning::tool_kind::{ToolName, is_database};
use crate::meaning::walk::Arguments;
use crate::subject::call::Value;
use crate::value::span::Span;

/// A limit up to this only samples.
const SAMPLE: usize = 1_000;

/// A sign that an argument asks for more than anybody reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign {
    /// What it asks for, for people: follows "asks".
    pub what: String,
    /// It asks for what is hidden otherwise, or for all in so many words.
    pub is_plain: bool,
    /// What it asks for is about people, money, health or how to get in.
    pub is_sensitive: bool,
    /// It asks for more than is shown, of whatever else chooses.
    pub is_hidden: bool,
    /// Where it stands.
    pub span: Span,
}

/// The signs of an argument, in order of place; `tool` is the name of the tool.
pub fn signs(argument: &Arguments<'_>, tool: &str, house: &House) -> Vec<Sign> {
    let mut found: Vec<Sign> = Vec::new();
    let is_sensitive = is_sensitive_tool(tool, house);
    for (key, property) in argument.properties() {
        let (name, tight) = (&key.words, &key.joined);
        let span = property.value.span();
        let is_hidden = key.is(Tag::HiddenSwitch);
        let mut sign = |what: String, is_plain: bool| found.push(Sign { what, is_plain, is_sensitive, is_hidden, span });
        let is_field = key.is(Tag::FieldKey);
        for value in choices(&property.value) {
            match value {
                value if is_yes(value) && matches!(value, Value::Boolean(..) | Value::String(..)) && key.is(Tag::AllSwitch) => {
                    sign(format!("for all by `{}`", property.key), true)
                }
                value if is_yes(value) && matches!(value, Value::Boolean(..)) && key.is(Tag::HiddenSwitch) => {
                    sign(format!("for what is hidden by `{}`", property.key), true)
                }
                value if matches!(value, Value::Boolean(..)) && is_no(value) && key.is(Tag::PagingSwitch) => {
                    sign(format!("for one page of everything by `{}`", property.key), true);
                }
                Value::Number(number, _) if is_limit(name) && *number < 0.0 => {
                    sign(format!("without a limit: `{}` is {number}", property.key), true)
                }
                Value::Number(number, _) if *number == 0.0 && key.is(Tag::NoLimitAtZero) && !counts(argument) => {
                    sign(format!("without a limit: `{}` is 0", property.key), false);
                }
                Value::Number(number, _) if key.is(Tag::SinceKey) && *number <= 86_400.0 && is_time(tight) => {
                    sign(format!("for all times by `{}`", property.key), true)
                }
                Value::String(text, _) if is_limit(name) && Tag::NoLimit.has(&text.trim().to_lowercase()) => {
                    sign(format!("without a limit: `{}` is `{text}`", property.key), true)
                }
                Value::String(text, _) if key.is(Tag::SinceKey) && is_long_ago(text) => {
                    sign(format!("for all times by `{}`", property.key), true)
                }
                Value::String(text, _) if is_field && matches!(text.trim(), "*" | "all" | "**") && is_sensitive => {
                    sign(format!("for every field by `{}`", property.key), false)
                }
                Value::Array(fields, _)
                    if is_field && is_sensitive && fields.iter().any(|field| matches!(field, Value::String(text, _) if text == "*")) =>
                {
                    sign(format!("for every field by `{}`", property.key), false);
                }
                Value::Missing
                | Value::Null(_)
                | Value::Boolean(..)
                | Value::Number(..)
                | Value::String(..)
                | Value::Partial(..)
                | Value::Array(..)
                | Value::Object(..)
                | Value::OneOf(..)
                | Value::Dynamic(_) => {}
            }
        }
    }
    let tool = ToolName::of(tool);
    found.extend(argument.texts().iter().filter_map(|text| of_statement(text, &tool)));
    let mut seen = HashSet::new();
    found.retain(|sign| seen.insert(sign.what.clone()));
    found
}

/// Returns true if and only if something in an argument chooses what is read: an id, a name, a year.
pub fn is_narrowed(argument: &Arguments<'_>) -> bool {
    argument.properties().any(|(key, property)| {
        let forms = [Tag::FormKey, Tag::FieldKey, Tag::SinceKey, Tag::AllSwitch, Tag::HiddenSwitch];
        let is_form = forms.into_iter().any(|form| key.is(form)) || is_limit(&key.words) || key.text == "...";
        let chooses = |value: &Value| match value {
            Value::String(text, _) => !text.is_empty() && !Tag::AllValue.has(text.trim().to_lowercase().as_str()),
            Value::Number(..) | Value::Partial(..) | Value::Dynamic(_) => true,
            Value::Array(elements, _) => !elements.is_empty(),
            Value::Missing | Value::Boolean(..) | Value::Null(_) | Value::Object(..) | Value::OneOf(..) => false,
        };
        // `filters: { label: ['run=7'] }`
        let filters = |value: &Value| matches!(value, Value::Object(inner, _) if key.is(Tag::FilterKey) && inner.iter().any(|inner| chooses(&inner.value)));
        !is_form && choices(&property.value).into_iter().all(|value| chooses(value) || filters(value))
    })
}

/// Returns true if and only if an argument only counts, for which a limit of 0 is meant.
fn counts(argument: &Arguments<'_>) -> bool {
    argument.properties().any(|(key, _)| key.is(Tag::CountingKey))
}

fn is_time(name: &str) -> bool {
    name != "from" && name != "start" && name != "begin" && name != "after"
}

fn is_long_ago(text: &str) -> bool {
    let text = text.trim();
    let is_year = text.get(..4).is_some_and(|year| year.bytes().all(|byte| byte.is_ascii_digit()) && year < "1991");
    is_year && (text.len() == 4 || text.as_bytes().get(4) == Some(&b'-'))
}

/// A SELECT of everything from a sensitive table, or with a condition that is always true.
fn of_statement(text: &Text<'_>, tool: &ToolName) -> Option<Sign> {
    let is_statement = is_database(tool) || matches!(text.key, "sql" | "statement" | "query");
    if !is_statement || !text.text.trim_start().get(..6).is_some_and(|verb| verb.eq_ignore_ascii_case("select")) {
        return None;
    }
    statements(text.text).iter().find_map(|statement| select(statement, text.span))
}

fn select(statement: &[Token], span: Span) -> Option<Sign> {
    let at = |word: &str| statement.iter().position(|token| token.is(word));
    let from = at("from").filter(|_| statement.first().is_some_and(|first| first.is("select")))?;
    let table =
        statement.get(from + 1..)?.iter().take_while(|token| token.name().is_some() || **token == Token::Sign(".")).filter_map(Token::name);
    let table = table.take_while(|name| !Tag::SqlClause.has(name)).last().unwrap_or("");
    let is_sensitive = is_sensitive_source(table);
    let sign = |what: String| Sign { what, is_plain: true, is_sensitive, is_hidden: false, span };
    let is_bounded = at("limit").or(at("top")).or(at("fetch")).is_some_and(|limit| {
        statement
            .get(limit + 1..)
            .and_then(|rest| rest.iter().find_map(|token| if let Token::Number(number) = token { Some(*number) } else { None }))
            .is_none_or(|limit| limit <= SAMPLE as f64)
    });
    let is_unknown = statement.iter().skip(from + 2).any(|token| *token == Token::Unknown);
    let counts = statement.iter().take(from).any(|token| Tag::SqlCount.words().any(|word| token.is(word)));
    if is_bounded || counts {
        return None;
    }
    if let Some(at) = at("where") {
        let end = statement
            .iter()
            .skip(at)
            .position(|token| Tag::SqlTail.words().any(|word| token.is(word)))
            .map_or(statement.len(), |end| at + end);
        let holds = statement.get(at + 1..end).and_then(condition);
        return (holds == Some(true)).then(|| sign(format!("for every row of `{table}`: the condition is always true")));
    }
    let takes_all =
        statement.get(1).is_some_and(|token| *token == Token::Sign("*")) || statement.get(1).is_some_and(|token| token.is("distinct"));
    (takes_all && !is_unknown && is_sensitive).then(|| sign(format!("for every row and column of `{table}`")))
}
