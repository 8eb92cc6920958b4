//! Things that a program makes itself and takes away again: of the same kind, and under the same name.

use crate::knowledge::words::Tag;
use crate::meaning::passage::Ends;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::subject::flow::{Flow, Strength};
use crate::subject::segment::HOLE;
use crate::value::words::words;

/// Returns true if and only if a call of a program takes away what another one of it has made, or what lies in that. Scripts of agents
/// are not believed: that something is made under a name does not tell that nothing was there before.
pub fn is_made_here(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let Some(gone) = subject.calls.get(call).filter(|gone| subject.is_of_program(gone)) else { return false };
    let kind = kind_of(gone);
    let mut made = subject.calls.iter().enumerate().filter(|(at, made)| *at != call && makes(made) && subject.is_of_program(made));
    made.any(|(at, made)| {
        let Some(own) = kind_of(made) else { return false };
        let is_of_kind = kind.as_deref() == Some(own.as_str());
        let holds = |key: &str| words(key).first().is_some_and(|first| singular(first) == own);
        let names = |key: &str| holds(key) || is_of_kind && last_key(gone) == Some(key);
        is_of_kind && is_told(gone, made) || is_told_within(gone, made, holds) || is_same(subject, ends, (call, at), names)
    })
}

/// Returns true if and only if all texts that a call is given, the last of which names what it acts on, were given when that was made.
fn is_told(gone: &Call, made: &Call) -> bool {
    let (mut is_known, mut is_given) = (false, true);
    gone.argument.visit("", &mut |_, value| match value {
        Value::String(text, _) => {
            is_known = !text.is_empty() && !text.contains(HOLE);
            is_given &= gives(made, text);
        }
        Value::Partial(..) | Value::Dynamic(_) | Value::OneOf(..) => is_known = false,
        Value::Missing | Value::Null(_) | Value::Boolean(..) | Value::Number(..) | Value::Array(..) | Value::Object(..) => {}
    });
    is_known && is_given
}

/// Returns true if and only if a key that names what was made is given the name by which it was: `deleteObjects({ Bucket: 'a' })`.
fn is_told_within(gone: &Call, made: &Call, holds: impl Fn(&str) -> bool) -> bool {
    let mut is_given = false;
    gone.argument.visit_properties(&mut |property| {
        is_given |= matches!(&property.value, Value::String(text, _) if holds(&property.key) && gives(made, text));
    });
    is_given
}

/// Returns true if and only if one value, wherever it comes from, names both what was made and what is taken away.
fn is_same(subject: &Subject, ends: &Ends, (gone, made): (usize, usize), names: impl Fn(&str) -> bool) -> bool {
    let whole = |flow: &&Flow| flow.strength == Strength::Whole && !flow.field.contains("[]");
    let key = |flow: &Flow| flow.argument.rsplit('.').next().unwrap_or_default().to_owned();
    let given: Vec<&Flow> = ends.flows_into(subject, made).filter(whole).collect();
    let is_given = |flow: &Flow| given.iter().any(|own| (own.origin, &own.field) == (flow.origin, &flow.field));
    ends.flows_into(subject, gone).filter(whole).any(|flow| names(&key(flow)) && is_given(flow))
}

fn makes(call: &Call) -> bool {
    let name = call.tool.name().unwrap_or_default();
    words(name.rsplit(':').next().unwrap_or(name)).iter().any(|word| Tag::MakingAnew.has(word) && Tag::Changing.has(word))
}

/// The key of the last thing that a call is given.
fn last_key(call: &Call) -> Option<&str> {
    match &call.argument {
        Value::Object(properties, _) => properties.last().map(|property| property.key.as_str()),
        _ => None,
    }
}

/// What a call acts on, by the last noun of its tool in the singular: a backup, not a table, in `create_table_backup`.
fn kind_of(call: &Call) -> Option<String> {
    let name = call.tool.name().unwrap_or_default();
    let own = name.rsplit(':').next().unwrap_or(name);
    let acts = |word: &str| Tag::MakingAnew.has(word) || Tag::Changing.has(word) || Tag::Destroying.has(word) || Tag::Filler.has(word);
    words(own).iter().rfind(|word| !acts(word)).map(|word| singular(word).to_owned())
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

fn gives(call: &Call, name: &str) -> bool {
    let mut is_given = false;
    call.argument.visit("", &mut |_, value| is_given |= matches!(value, Value::String(text, _) if text == name));
    is_given
}
