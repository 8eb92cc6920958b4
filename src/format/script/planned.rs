//! Calls that a call describes for others to make later: the steps of an automation, the job of a schedule, the calls of a batch.
//!
//! They are calls of the subject like those that it makes itself, and what one of them returns flows into another where a
//! placeholder of that one's arguments names it: `{{users.items}}`.

use crate::knowledge::command::list;
use crate::subject::Subject;
use crate::subject::call::{Call, Disguise, Property, Tool, Value};
use crate::subject::flow::{CallRef, Flow, ITSELF, Origin, OriginKind, Step, Strength, Way};
use crate::subject::segment::HOLE;
use crate::value::span::Span;
use crate::value::words::{joined, split_owner, words};

/// What stands before and behind the name of what a placeholder stands for.
const MARKS: [(&str, &str); 3] = [("{{", "}}"), ("${", "}"), ("<%=", "%>")];
/// How many described calls of one subject are looked at.
const CALLS: usize = 64;
/// How deep in an argument a call is described.
const DEPTH: u32 = 6;

/// A described call, and where in the argument of the call that describes it.
struct Planned<'v> {
    name: &'v str,
    name_span: Span,
    span: Span,
    argument: Value,
    /// The keys that lead to its arguments.
    path: Vec<String>,
    /// By what others name what it returns.
    alias: Option<&'v str>,
}

/// Adds the calls that the calls of a subject describe.
pub fn add(subject: &mut Subject) {
    let outer: Vec<usize> = (0..subject.calls.len()).filter(|index| subject.calls.get(*index).is_some_and(plans)).collect();
    for index in outer {
        let Some(call) = subject.calls.get(index).cloned() else { continue };
        let mut found = Vec::new();
        let mut path = Vec::new();
        look(&call.argument, &mut path, DEPTH, &mut found);
        if !found.is_empty() {
            add_found(subject, index, &call, &found);
        }
    }
}

fn add_found(subject: &mut Subject, index: usize, outer: &Call, found: &[Planned<'_>]) {
    let first = subject.calls.len();
    for planned in found {
        let nth = u32::try_from(subject.calls.len()).unwrap_or(u32::MAX);
        subject.calls.push(Call {
            tool: Tool::Named(planned.name.to_owned()),
            disguise: Disguise::None,
            argument: planned.argument.clone(),
            nth,
            earlier: 0,
            doc: None,
            hints: Vec::new(),
            span: planned.span,
            tool_span: planned.name_span,
            is_method: false,
            ..outer.clone()
        });
    }
    // What flows into the description flows into the call that it describes.
    let flows: Vec<Flow> = subject.flows.iter().filter(|flow| flow.sink == CallRef::Tool(index)).cloned().collect();
    for flow in flows {
        for (at, planned) in found.iter().enumerate() {
            if let Some(argument) = below(&flow.argument, &planned.path) {
                subject.flows.push(Flow { sink: CallRef::Tool(first + at), argument, ..flow.clone() });
            }
        }
    }
    let event = event(&outer.argument);
    let mut origins: Vec<Option<usize>> = vec![None; found.len()];
    let mut brought = None;
    for (at, planned) in found.iter().enumerate() {
        let mut references = Vec::new();
        planned.argument.visit("", &mut |key, value| {
            if let Value::String(text, span) | Value::Partial(text, span) = value {
                references.extend(placeholders(text).into_iter().map(|named| (key.to_owned(), named, *span)));
            }
        });
        // What starts it is passed on as a whole, where nothing else is named.
        let passes_on = words(planned.name).iter().any(|word| list("passing-on").contains(&word.as_str()));
        if references.is_empty() && passes_on && event.is_some() {
            references.push((ITSELF.to_owned(), String::new(), planned.span));
        }
        for (key, named, span) in references {
            let source = named_step(found, at, &named);
            let origin = match source {
                Some(source) => {
                    let read = || Origin {
                        kind: OriginKind::Tool,
                        name: found.get(source).map_or_else(String::new, |step| step.name.to_owned()),
                        detail: None,
                        call: Some(CallRef::Tool(first + source)),
                        span: found.get(source).map_or(span, |step| step.span),
                    };
                    origin_of(subject, origins.get_mut(source), read)
                }
                None => {
                    let Some((event, place)) = &event else { continue };
                    // What happened to a thing brings the thing: `mail.received` a mail.
                    let name = format!("{}:read", split_owner(event).0);
                    let read = || Origin { kind: OriginKind::Tool, name, detail: None, call: None, span: *place };
                    origin_of(subject, Some(&mut brought), read)
                }
            };
            if let Some(call) = subject.calls.get_mut(first + at).filter(|_| !named.is_empty()) {
                open(&mut call.argument, &named);
            }
            let note = if named.is_empty() { "passed on".to_owned() } else { format!("named by `{{{{{named}}}}}`") };
            subject.flows.push(Flow {
                origin,
                field: field(&named, source.and_then(|source| found.get(source)?.alias)),
                sink: CallRef::Tool(first + at),
                argument: key,
                strength: Strength::Whole,
                is_plain: false,
                is_one: false,
                way: Way::Followed,
                steps: vec![Step { span, note }],
            });
        }
    }
}

/// The origin that is kept at a place, or the one that is made now.
fn origin_of(subject: &mut Subject, kept: Option<&mut Option<usize>>, read: impl FnOnce() -> Origin) -> usize {
    match kept {
        Some(Some(known)) => *known,
        kept => {
            let new = subject.origins.len();
            subject.origins.push(read());
            if let Some(kept) = kept {
                *kept = Some(new);
            }
            new
        }
    }
}

/// Returns true if and only if a call has something done later or elsewhere; one that asks whether it may be done does not.
fn plans(call: &Call) -> bool {
    let Some(name) = call.tool.name() else { return false };
    let said = words(name);
    let has = |named: &str| said.iter().any(|word| list(named).contains(&word.as_str()));
    has("planning-words") && !has("only-proposing")
}

fn look<'v>(value: &'v Value, path: &mut Vec<String>, depth: u32, found: &mut Vec<Planned<'v>>) {
    if depth == 0 || CALLS <= found.len() {
        return;
    }
    match value {
        Value::Array(elements, _) | Value::OneOf(elements, _) => {
            let is_list = matches!(value, Value::Array(..));
            for element in elements {
                if is_list {
                    path.push("[]".to_owned());
                }
                look(element, path, depth - 1, found);
                if is_list {
                    path.pop();
                }
            }
        }
        Value::Object(properties, span) => {
            found.extend(described(properties, *span, path));
            for property in properties {
                path.push(property.key.clone());
                look(&property.value, path, depth - 1, found);
                path.pop();
            }
        }
        Value::Missing
        | Value::String(..)
        | Value::Number(..)
        | Value::Boolean(..)
        | Value::Null(_)
        | Value::Partial(..)
        | Value::Dynamic(_) => {}
    }
}

/// The call that an object describes: by a key that names a tool, and its arguments under another one or beside it.
fn described<'v>(properties: &'v [Property], span: Span, path: &[String]) -> Option<Planned<'v>> {
    let (name, name_span) = properties.iter().find_map(|property| match &property.value {
        Value::String(text, span)
            if list("described-tools").contains(&joined(&property.key).as_str()) && (is_tool(text) || is_act(text)) =>
        {
            Some((text.as_str(), *span))
        }
        _ => None,
    })?;
    let named = |keys: &str| properties.iter().find(move |property| list(keys).contains(&joined(&property.key).as_str()));
    let mut path = path.to_vec();
    let argument = match named("described-arguments").filter(|property| matches!(property.value, Value::Object(..))) {
        Some(arguments) => {
            path.push(arguments.key.clone());
            arguments.value.clone()
        }
        None => {
            let is_argument = |property: &&Property| !list("described-tools").contains(&joined(&property.key).as_str());
            Value::Object(properties.iter().filter(is_argument).cloned().collect(), span)
        }
    };
    let alias = named("described-results").and_then(|property| match &property.value {
        Value::String(text, _) => Some(text.as_str()),
        _ => None,
    });
    Some(Planned { name, name_span, span, argument, path, alias })
}

/// Returns true if and only if a text is the name of a tool: an owner and what is done, in lower case and without spaces.
fn is_tool(text: &str) -> bool {
    let (owner, verb) = split_owner(text);
    let is_name = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_lowercase())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':'))
    };
    text.len() <= 80 && is_name(owner) && is_name(verb) && !text.contains('/') && !text.contains("..")
}

/// Returns true if and only if a text names one of the acts that services offer for their rules: `send_email`.
fn is_act(text: &str) -> bool {
    list("described-acts").contains(&joined(text).as_str())
}

/// The place in the arguments of a described call to which a flow into its description leads.
fn below(argument: &str, path: &[String]) -> Option<String> {
    let mut parts = argument.split('.');
    for key in path {
        let part = parts.next()?;
        let is_same = part == key || key == "[]" && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_same {
            return None;
        }
    }
    Some(parts.collect::<Vec<_>>().join("."))
}

/// What stands between the braces of the placeholders of a text.
fn placeholders(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, close) in MARKS {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inner, next)) = after.split_once(close) else { break };
            let inner = inner.trim_matches(['{', '}', ' ']);
            if !inner.is_empty() && inner.len() <= 80 && !found.iter().any(|known| known == inner) {
                found.push(inner.to_owned());
            }
            rest = next;
        }
    }
    found
}

/// Makes unknown in a value what a placeholder stands for.
fn open(value: &mut Value, named: &str) {
    match value {
        Value::String(text, span) | Value::Partial(text, span) => {
            for (begin, end) in MARKS {
                let mut from = 0;
                while let Some(start) = text.get(from..).and_then(|rest| rest.find(begin)).map(|at| from + at) {
                    let inside = start + begin.len();
                    let Some(length) = text.get(inside..).and_then(|rest| rest.find(end)) else { break };
                    let behind = inside + length + end.len();
                    let is_named = text.get(inside..inside + length).is_some_and(|inner| inner.trim_matches(['{', '}', ' ']) == named);
                    if is_named {
                        let behind = behind + usize::from(text.get(behind..).is_some_and(|rest| rest.starts_with('}')));
                        text.replace_range(start..behind, HOLE.encode_utf8(&mut [0; 4]));
                    }
                    from = if is_named { start + HOLE.len_utf8() } else { inside };
                }
            }
            if text.contains(HOLE) {
                let is_all = text.chars().all(|sign| sign == HOLE);
                *value = if is_all { Value::Dynamic(*span) } else { Value::Partial(std::mem::take(text), *span) };
            }
        }
        Value::Array(elements, _) | Value::OneOf(elements, _) => elements.iter_mut().for_each(|element| open(element, named)),
        Value::Object(properties, _) => properties.iter_mut().for_each(|property| open(&mut property.value, named)),
        Value::Missing | Value::Number(..) | Value::Boolean(..) | Value::Null(_) | Value::Dynamic(_) => {}
    }
}

/// The step before this one that a placeholder names: by its alias, by its number, or as the one before.
fn named_step(found: &[Planned<'_>], at: usize, named: &str) -> Option<usize> {
    let parts: Vec<&str> = named.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_' && sign != '-').collect();
    let has = |word: &str| parts.contains(&word);
    let by_alias = found.iter().take(at).rposition(|step| step.alias.is_some_and(has));
    let by_number = || {
        let number = parts.iter().find_map(|part| part.parse::<usize>().ok());
        number.filter(|number| *number < at && parts.iter().any(|part| part.starts_with("step")))
    };
    let is_before = || 0 < at && parts.iter().any(|part| list("step-before").contains(&joined(part).as_str()));
    by_alias.or_else(by_number).or_else(|| is_before().then(|| at.saturating_sub(1)))
}

/// What of a result a placeholder names: `items` of `{{steps.users.output.items}}`.
fn field(named: &str, alias: Option<&str>) -> String {
    let parts: Vec<&str> = named.split(['.', '[', ']', '"', '\'']).filter(|part| !part.is_empty()).collect();
    let is_wrapper = |part: &str| {
        let part = joined(part);
        let named = |keys: &str| list(keys).contains(&part.as_str());
        named("step-before") || named("event-keys") || named("planning-words") || part.starts_with("step") || part == "data"
    };
    let begins = parts.iter().position(|part| alias == Some(*part)).map_or(0, |at| at + 1);
    let rest = parts.get(begins..).unwrap_or_default();
    let wrapped = rest.iter().take_while(|part| is_wrapper(part) || part.bytes().all(|byte| byte.is_ascii_digit())).count();
    let rest = rest.get(wrapped..).unwrap_or_default();
    let is_name = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if rest.iter().all(is_name) { rest.join(".") } else { String::new() }
}

/// What starts an automation, by the name of an event: `ticket.created`.
fn event(argument: &Value) -> Option<(String, Span)> {
    let mut found = None;
    argument.visit("", &mut |key, value| {
        if let Value::String(text, span) = value
            && found.is_none()
            && list("event-keys").contains(&joined(key).as_str())
            && is_tool(text)
        {
            found = Some((text.clone(), *span));
        }
    });
    found
}
