//! What a call does to all there is because its argument does not say to which of it: `deleteMany({})`, `db.delete(orders)`
//! without `where`. Which tools do so, and which keys say to which, the `queries` rows of `knowledge/` tell.

use crate::knowledge::effect::{Effect, EffectKind, Extent, Said};
use crate::knowledge::query::{Query, query};
use crate::knowledge::sensitivity::{Sensitivity, category};
use crate::knowledge::statement::is_spare_word;
use crate::knowledge::words::Tag;
use crate::language::sql;
use crate::language::sql::condition::condition;
use crate::meaning::action::power::{grant, powers};
use crate::meaning::argument::{Text, choices, is_name, is_no, is_open_operator, is_yes};
use crate::meaning::walk::{Arguments, Key};
use crate::subject::call::{Call, Property, Value};
use crate::value::words::{split_owner, words};

/// What the table of effects calls rows that are put in.
const NEW_ROWS: &str = "new-rows";

/// What a call does to all there is; `later` are the calls behind it, which may fill anew what it empties.
pub fn effects(name: &str, argument: &Arguments<'_>, later: &[Call]) -> Vec<Effect> {
    if let Some(name) = over_itself(argument) {
        let says = format!("writes its result over all that `{name}` holds");
        return vec![Effect::new(EffectKind::Delete, "table", says).to(Extent::All)];
    }
    let Some(row) = query(name).filter(|row| row.to != NEW_ROWS) else { return Vec::new() };
    if is_spare(name, argument) || !takes_all(row, argument) {
        return Vec::new();
    }
    let told = |object: &str, says: String| Effect {
        said: Said::Row,
        because: format!("`{name}`"),
        ..Effect::new(row.kind, object, says).to(Extent::All)
    };
    match row.kind {
        EffectKind::Delete if is_filled_anew(name, argument, later) => {
            vec![told("refilled", "empties all of it before it is filled anew".to_owned())]
        }
        EffectKind::Delete => vec![told(row.to, "would delete all there is: nothing says which".to_owned())],
        EffectKind::Write if powers(argument).is_some() => vec![grant("everybody", "gives all rights to everybody")],
        EffectKind::Write => match dear(argument) {
            Some(key) => vec![told("dear-field", format!("sets `{key}` of all there are: nothing says which"))],
            None => vec![told(row.to, "changes all there is: nothing says which".to_owned())],
        },
        _ => vec![told(row.to, "does it to all there is: nothing says to which".to_owned())],
    }
}

/// The collection over which an aggregation of it is written: `orders.aggregate([…, { $out: 'orders' }])`.
fn over_itself<'a>(argument: &Arguments<'a>) -> Option<&'a str> {
    let is_out = |key: &str| key == OUT;
    let (_, out) = argument.said().find(|(key, _)| is_out(key.text))?;
    let is_same = |(key, text): (&Key<'_>, &Text<'_>)| !is_out(key.text) && text.is_known && text.text == out.text && key.has(Tag::Table);
    argument.said().any(is_same).then_some(out.text)
}

/// The stage of an aggregation of MongoDB that replaces a collection by the result.
const OUT: &str = "$out";

/// Returns true if and only if a name in the call is one of what is made anew when it is needed.
fn is_spare(name: &str, argument: &Arguments<'_>) -> bool {
    let named = argument.texts().iter().filter(|text| is_name(text.text)).flat_map(|text| words(text.text));
    words(name).into_iter().chain(named).any(|word| is_spare_word(&word))
}

/// Returns true if and only if nothing in an argument says to which of all there is.
fn takes_all(row: &Query, argument: &Arguments<'_>) -> bool {
    let names = |list: &[&str], key: &Key<'_>| list.contains(&key.joined.as_str());
    if !row.whole.is_empty() {
        return argument.properties().any(|(key, property)| names(row.whole, key) && is_yes(&property.value));
    }
    if matches!(argument.whole, Value::Dynamic(_)) {
        return false;
    }
    let is_little = || argument.properties().filter(|(key, _)| key.joined == "value").all(|(_, property)| is_nothing(&property.value));
    let narrows = |(key, property): (&Key<'_>, &Property)| {
        key.text == "..."
            || names(row.narrowed, key) && narrows(&property.value)
            || names(row.least, key) && narrows(&property.value) && !is_little()
    };
    !argument.properties().any(narrows)
}

/// Returns true if and only if a filter leaves something out; what is not known may.
fn narrows(value: &Value) -> bool {
    match value {
        Value::Missing | Value::Null(_) => false,
        Value::Boolean(..) => is_no(value),
        Value::Object(properties, _) => properties.iter().any(|own| !is_open_operator(&own.key, &own.value) && narrows(&own.value)),
        Value::String(text, _) => {
            let says = sql::statements(text).first().and_then(|tokens| condition(tokens));
            !text.trim().is_empty() && !Tag::AllValue.has(&text.trim().to_lowercase()) && says != Some(true)
        }
        Value::OneOf(..) => choices(value).into_iter().any(narrows),
        Value::Number(..) | Value::Array(..) | Value::Partial(..) | Value::Dynamic(_) => true,
    }
}

/// Returns true if and only if each value is more than this or another: nothing, naught, an id of naughts alone.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Missing | Value::Null(_) => true,
        Value::Number(number, _) => *number <= 0.0,
        Value::String(text, _) => text.bytes().all(|byte| matches!(byte, b'0' | b'-')) || Tag::NoLimit.has(text),
        _ => false,
    }
}

/// The key of what nobody sets alike for everybody: how they get in, what guards them, what they own, what it costs.
fn dear<'v>(argument: &Arguments<'v>) -> Option<&'v str> {
    let is_dear = |key: &Key<'_>| {
        let told = category(&key.words);
        matches!(told, Some(Sensitivity::Authentication | Sensitivity::Financial))
            || key.has(Tag::Guard)
            || key.ends_in(Tag::BankDetail)
            || key.ends_in(Tag::MoneyKey)
            || key.ends_in(Tag::WholeBalance)
    };
    argument.properties().find(|(key, _)| is_dear(key)).map(|(key, _)| key.text)
}

/// Returns true if and only if what is emptied is filled behind it: a script that sets up what it needs.
fn is_filled_anew(name: &str, argument: &Arguments<'_>, later: &[Call]) -> bool {
    let owner = split_owner(name).0;
    let of = |argument: &Arguments<'_>| holder(argument).map(str::to_owned);
    let own = of(argument);
    later.iter().any(|call| {
        let other = call.tool.name().unwrap_or_default();
        let fills = split_owner(other).0 == owner && query(other).is_some_and(|row| row.to == NEW_ROWS);
        let is_into = |own: &String| of(&Arguments::of(&call.argument)).is_none_or(|into| *own == into) || makes_beside(call, own);
        fills && own.as_ref().is_none_or(is_into)
    })
}

/// Returns true if and only if records of another kind are made together with one: `{ data: { name, posts: { create: […] } } }`.
fn makes_beside(call: &Call, kind: &str) -> bool {
    let last = |name: &str| words(name).pop().map(|last| last.trim_end_matches('s').to_owned());
    let mut found = false;
    call.argument.visit_properties(&mut |property| {
        let makes = matches!(&property.value, Value::Object(inner, _) if inner.iter().any(|own| matches!(own.key.as_str(), "create" | "createMany")));
        found |= makes && last(&property.key) == last(kind);
    });
    found
}

/// What holds what a call acts on, where it is written out.
fn holder<'v>(argument: &Arguments<'v>) -> Option<&'v str> {
    let is_holder = |key: &str| Tag::Table.has(key) || Tag::KindKey.has(key) || key == "model";
    argument.texts().iter().find(|text| text.is_known && is_holder(text.key)).map(|text| text.text)
}
