//! Work that makes its own work: a queue that is fed with what is taken from it, a rule that its own action sets off.

use std::collections::{BTreeSet, HashMap};

use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::meaning::argument::{Text, properties, texts};
use crate::meaning::tool_kind::ToolName;
use crate::subject::Subject;
use crate::subject::call::{Call, Repeat, Value};
use crate::subject::flow::{CallRef, Flow, OriginKind, Strength};
use crate::value::span::Span;
use crate::value::words::{joined, words};

/// Work that makes its own work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// The call that feeds it.
    pub span: Span,
    /// It makes more of it each time.
    pub is_growing: bool,
    /// What happens, for people.
    pub what: String,
}

/// Where the calls of a script make their own work.
pub fn feedback(subject: &Subject) -> Vec<Feedback> {
    let mut found: Vec<Feedback> = subject.calls.iter().filter_map(rule).collect();
    let carried = subject.flows.iter().filter(|flow| Strength::Bit < flow.strength);
    let mut fed: HashMap<usize, BTreeSet<usize>> = HashMap::new();
    for (taker, into) in carried.filter_map(|flow| Some((subject.origins.get(flow.origin)?.call?.tool()?, flow.sink.tool()?))) {
        fed.entry(taker).or_default().insert(into);
    }
    for (taker, taking) in subject.calls.iter().enumerate().filter(|(_, call)| call.repeat == Repeat::Open && does(call, Tag::TakingOut)) {
        let Some(queue) = queue(taking) else { continue };
        let feeds = |call: &&Call| does(call, Tag::PuttingIn) && owner(call) == owner(taking) && self::queue(call) == Some(queue);
        let given = fed.get(&taker).into_iter().flatten().filter_map(|index| subject.calls.get(*index));
        let feeding: Vec<&Call> = given.filter(feeds).collect();
        if let Some(first) = feeding.first() {
            let is_growing = 1 < feeding.len() || feeding.iter().any(|call| puts_several(&call.argument));
            let how = if is_growing { ", more than once, all that is taken from it" } else { " what is taken from it" };
            found.push(Feedback { span: first.span, is_growing, what: format!("`{}` puts back into `{queue}`{how}", first.tool.shown()) });
        }
    }
    found.extend(own_call(subject));
    found.extend(copies(subject));
    found
}

/// A loop that nothing ends puts several copies of each row that it takes from a table into the same table.
fn copies(subject: &Subject) -> Option<Feedback> {
    let is_endless = |call: &Call| subject.bounds.is_endless(call.span);
    let carried = subject.flows.iter().filter(|flow| Strength::Bit < flow.strength && flow.is_followed());
    carried
        .filter_map(|flow| {
            let taking = subject.calls.get(subject.origins.get(flow.origin)?.call?.tool()?)?;
            let putting = subject.calls.get(flow.sink.tool()?)?;
            // For each row a loop of its own puts in a number of them.
            let several = taking.loop_depth < putting.loop_depth && subject.bounds.is_counted(putting.span);
            let table = table_behind(putting, INSERTING)?;
            let is_same = table_behind(taking, SELECTING).as_ref() == Some(&table);
            (several && is_same && is_endless(taking) && is_endless(putting)).then(|| Feedback {
                span: putting.span,
                is_growing: true,
                what: format!("`{}` puts several copies of each row of `{table}` back into it, without end", putting.tool.shown()),
            })
        })
        .next()
}

/// The word of a statement behind which the table stands into which rows are put, and from which they are taken.
const INSERTING: &str = "into";
const SELECTING: &str = "from";

/// The name of the table that stands behind a word of the statement that a call runs.
fn table_behind(call: &Call, word: &str) -> Option<String> {
    texts(&call.argument).into_iter().filter(|text| text.is_known).find_map(|text| {
        let mut words = text.text.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '.' | '"' | '`'));
        words.by_ref().find(|one| one.eq_ignore_ascii_case(word))?;
        words.find(|one| !one.is_empty()).map(|table| table.trim_matches(['"', '`']).to_lowercase())
    })
}

/// A script that calls the address, or the function, by which it was called: each of its runs makes another, or several.
fn own_call(subject: &Subject) -> Option<Feedback> {
    let is_own = |flow: &&Flow| {
        let Some(origin) = subject.origins.get(flow.origin) else { return false };
        let said = match origin.kind {
            OriginKind::Environment => origin.detail.as_deref().unwrap_or(&origin.name).rsplit('.').next().unwrap_or_default(),
            OriginKind::Tool if origin.name == TRIGGER => flow.field.as_str(),
            OriginKind::System => origin.name.as_str(),
            _ => return false,
        };
        list("own-addresses").contains(&said) && leads(flow)
    };
    let calls: Vec<(CallRef, &str, Span, bool)> = subject
        .flows
        .iter()
        .filter(|flow| flow.strength == Strength::Whole && flow.is_followed())
        .filter(is_own)
        .filter_map(|flow| match flow.sink {
            CallRef::Tool(index) => subject.calls.get(index).map(|call| (flow.sink, call.tool.shown(), call.span, call.is_repeated())),
            CallRef::Host(index) => {
                let call = subject.host_calls.get(index)?;
                Some((flow.sink, call.api.as_str(), call.span, call.repeated || 0 < call.loop_depth))
            }
        })
        .collect();
    let (first, name, span, _) = *calls.first()?;
    let is_growing = calls.iter().any(|(call, _, _, is_repeated)| *is_repeated || *call != first);
    // Once more, where what came in says so: for the next page, or another try.
    let depends = |flow: &Flow| flow.sink == first && flow.strength <= Strength::Control;
    if !is_growing && subject.flows.iter().any(depends) {
        return None;
    }
    let often = if is_growing { "several times" } else { "again" };
    Some(Feedback { span, is_growing, what: format!("`{name}` calls {often} what runs this script: each run makes further ones") })
}

/// Returns true if and only if what flows says where a call leads: the address, the name of a function.
fn leads(flow: &Flow) -> bool {
    let last = flow.argument.rsplit('.').next().map(joined).unwrap_or_default();
    flow.argument == "0" || Tag::AddressKey.has(&last) || list("functions-called").contains(&last.as_str())
}

/// What sets a workflow off, with the address that was called.
const TRIGGER: &str = "pipedream:get_step";

/// A rule whose action is the event that sets it off.
fn rule(call: &Call) -> Option<Feedback> {
    let makes = ToolName::of(call.tool.name()?);
    if !makes.has(Tag::Rule) || !Tag::MakingRule.has_any(makes.verb.iter()) {
        return None;
    }
    let of = |keys: Tag| -> Vec<Vec<String>> {
        let parts = properties(&call.argument).into_iter().filter(|property| keys.has(&property.key.to_lowercase()));
        let said = parts.flat_map(|property| match &property.value {
            Value::String(text, _) => vec![text.as_str()],
            value => texts(value).into_iter().filter(|text| says_what(text)).map(|text| text.text).collect(),
        });
        said.map(words).filter(|said| 1 < said.len() && said.len() < 5).collect()
    };
    let (events, actions) = (of(Tag::EventKey), of(Tag::ActionKey));
    let back = actions.iter().filter(|action| events.iter().any(|event| is_answer(event, action))).count();
    (0 < back).then(|| Feedback {
        span: call.span,
        is_growing: true,
        what: format!("`{}` makes a rule that its own action sets off", call.tool.shown()),
    })
}

/// Returns true if and only if a text in a rule names an event or an action, and is not what is said by it.
fn says_what(text: &Text<'_>) -> bool {
    let key = text.key.to_lowercase();
    Tag::EventKey.has(&key) || Tag::ActionKey.has(&key) || matches!(key.as_str(), "type" | "name" | "kind")
}

/// Returns true if and only if an action makes an event: `comment.create` makes `comment.created`.
fn is_answer(event: &[String], action: &[String]) -> bool {
    let (Some((happened, about)), Some((done, what))) = (event.split_last(), action.split_last()) else { return false };
    about == what && happened.trim_end_matches('d').trim_end_matches('e') == done.trim_end_matches('e')
}

fn does(call: &Call, any: Tag) -> bool {
    call.tool.name().is_some_and(|name| ToolName::of(name).verb.iter().any(|word| any.has(word)))
}

fn owner(call: &Call) -> Vec<String> {
    ToolName::of(call.tool.name().unwrap_or_default()).owner
}

/// Returns true if and only if a call puts more than one thing in: `{ messages: [{ body }, { body }] }`.
fn puts_several(argument: &Value) -> bool {
    let is_object = |value: &Value| matches!(value, Value::Object(..));
    let is_several = |value: &Value| matches!(value, Value::Array(all, _) if 1 < all.len() && all.iter().all(is_object));
    properties(argument).iter().any(|property| is_several(&property.value))
}

/// The name of the queue that a call works on, where it is written out.
fn queue(call: &Call) -> Option<&str> {
    texts(&call.argument).into_iter().find(|text| text.is_known && Tag::QueueKey.has(&joined(text.key))).map(|text| text.text)
}
