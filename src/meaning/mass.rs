//! Arguments that ask for more than anybody reads, where neither a wildcard nor a limit says so.

use std::collections::HashSet;

use crate::language::sql::condition::condition;
use crate::language::sql::{Token, statements};
use crate::meaning::argument::{Text, choices, is_no, is_yes, texts};
use crate::meaning::magnitude::is_limit;
use crate::meaning::names::words;
use crate::meaning::sensitive::is_sensitive_source;
use crate::meaning::tool_kind::{ToolName, is_database};
use crate::meaning::vocabulary::{ALL_VALUES, Words};
use crate::subject::call::Value;
use crate::value::span::Span;

/// Switches that ask for all.
const SWITCHES: Words = Words(
    "all everything fetchall returnall getall selectall listall loadall exportall includeall nolimit unlimited allrecords allusers allpages fetchallpages allrows \
     autopaginate fulldump allresults allfields entire",
);
/// Switches that ask for what is hidden otherwise.
const HIDDEN: Words = Words(
    "includedeleted includearchived withdeleted showdeleted includehidden includesecrets includepasswords includesensitive includeprivate decrypt unmask showsecrets withsecrets reveal raw",
);
/// Keys that choose fields.
const FIELDS: Words = Words("fields select columns attributes projection include expand props properties");
/// Keys of a date from which on is read.
const SINCE: Words = Words(
    "since from start startdate after datefrom fromdate starttime begin begindate createdafter updatedsince modifiedsince starttimestamp",
);
/// Texts that are no limit.
const ENDLESS: Words = Words("infinity +infinity all unlimited max none -1 nolimit");
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
pub fn signs(argument: &Value, tool: &str) -> Vec<Sign> {
    let mut found: Vec<Sign> = Vec::new();
    let is_sensitive = is_sensitive_source(tool);
    argument.visit_properties(&mut |property| {
        let name = words(&property.key);
        let tight = name.concat();
        let span = property.value.span();
        let is_hidden = HIDDEN.has(&tight);
        let mut sign = |what: String, is_plain: bool| found.push(Sign { what, is_plain, is_sensitive, is_hidden, span });
        let is_field = FIELDS.has(&tight);
        for value in choices(&property.value) {
            match value {
                value if is_yes(value) && matches!(value, Value::Boolean(..) | Value::String(..)) && SWITCHES.has(&tight) => {
                    sign(format!("for all by `{}`", property.key), true)
                }
                value if is_yes(value) && matches!(value, Value::Boolean(..)) && HIDDEN.has(&tight) => {
                    sign(format!("for what is hidden by `{}`", property.key), true)
                }
                value
                    if matches!(value, Value::Boolean(..))
                        && is_no(value)
                        && matches!(tight.as_str(), "pagination" | "paginate" | "paginated" | "paging" | "limit") =>
                {
                    sign(format!("for one page of everything by `{}`", property.key), true);
                }
                Value::Number(number, _) if is_limit(&name) && *number < 0.0 => {
                    sign(format!("without a limit: `{}` is {number}", property.key), true)
                }
                Value::Number(number, _)
                    if *number == 0.0
                        && matches!(tight.as_str(), "limit" | "sizelimit" | "maxresults" | "pagesize" | "maxrecords" | "maxrows")
                        && !counts(argument) =>
                {
                    sign(format!("without a limit: `{}` is 0", property.key), false);
                }
                Value::Number(number, _) if SINCE.has(&tight) && *number <= 86_400.0 && is_time(&tight) => {
                    sign(format!("for all times by `{}`", property.key), true)
                }
                Value::String(text, _) if is_limit(&name) && ENDLESS.has(&text.trim().to_lowercase()) => {
                    sign(format!("without a limit: `{}` is `{text}`", property.key), true)
                }
                Value::String(text, _) if SINCE.has(&tight) && is_long_ago(text) => {
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
    });
    let tool = ToolName::of(tool);
    found.extend(texts(argument).iter().filter_map(|text| of_statement(text, &tool)));
    let mut seen = HashSet::new();
    found.retain(|sign| seen.insert(sign.what.clone()));
    found
}

/// Keys that choose nothing: they say how much, in which order and in which form.
const FORMS: Words = Words(
    "limit size count max top take first rows n page offset cursor skip sort order orderby sortby direction dir format as type kind view reason note \
     comment title label timeout version locale lang language timezone tz export include expand region dryrun confirm resource collection table \
     entity index database db schema",
);

/// Returns true if and only if something in an argument chooses what is read: an id, a name, a year.
pub fn is_narrowed(argument: &Value) -> bool {
    let mut is_narrowed = false;
    argument.visit_properties(&mut |property| {
        let name = words(&property.key);
        let tight = name.concat();
        let is_form = FORMS.has(&tight) || FIELDS.has(&tight) || SINCE.has(&tight) || is_limit(&name) || property.key == "...";
        let is_form = is_form || SWITCHES.has(&tight) || HIDDEN.has(&tight);
        let chooses = choices(&property.value).into_iter().all(|value| match value {
            Value::String(text, _) => !text.is_empty() && !ALL_VALUES.has(text.trim().to_lowercase().as_str()),
            Value::Number(..) | Value::Partial(..) | Value::Dynamic(_) => true,
            Value::Array(elements, _) => !elements.is_empty(),
            Value::Missing | Value::Boolean(..) | Value::Null(_) | Value::Object(..) | Value::OneOf(..) => false,
        });
        is_narrowed |= !is_form && chooses;
    });
    is_narrowed
}

/// Returns true if and only if an argument only counts, for which a limit of 0 is meant.
fn counts(argument: &Value) -> bool {
    let mut counts = false;
    argument.visit_properties(&mut |property| {
        let name = words(&property.key).concat();
        counts |= matches!(name.as_str(), "count" | "countonly" | "aggs" | "aggregations" | "aggregate" | "total" | "facets" | "groupby");
    });
    counts
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
    let table = table.take_while(|name| !Words("where limit order join group left inner as").has(name)).last().unwrap_or("");
    let is_sensitive = is_sensitive_source(table);
    let sign = |what: String| Sign { what, is_plain: true, is_sensitive, is_hidden: false, span };
    let is_bounded = at("limit").or(at("top")).or(at("fetch")).is_some_and(|limit| {
        statement
            .get(limit + 1..)
            .and_then(|rest| rest.iter().find_map(|token| if let Token::Number(number) = token { Some(*number) } else { None }))
            .is_none_or(|limit| limit <= SAMPLE as f64)
    });
    let is_unknown = statement.iter().skip(from + 2).any(|token| *token == Token::Unknown);
    let counts = statement.iter().take(from).any(|token| Words("count sum avg min max exists").0.split(' ').any(|word| token.is(word)));
    if is_bounded || counts {
        return None;
    }
    if let Some(at) = at("where") {
        let end = statement
            .iter()
            .skip(at)
            .position(|token| ["order", "group", "limit", "union"].iter().any(|word| token.is(word)))
            .map_or(statement.len(), |end| at + end);
        let holds = statement.get(at + 1..end).and_then(condition);
        return (holds == Some(true)).then(|| sign(format!("for every row of `{table}`: the condition is always true")));
    }
    let takes_all =
        statement.get(1).is_some_and(|token| *token == Token::Sign("*")) || statement.get(1).is_some_and(|token| token.is("distinct"));
    (takes_all && !is_unknown && is_sensitive).then(|| sign(format!("for every row and column of `{table}`")))
}
