//! Features: the facts that are counted from a subject, for checks and models.

pub mod amount;
pub mod argument;
pub mod belonging;
pub mod command;
pub mod deletion;
pub mod destruction;
pub mod feedback;
pub mod harm;
pub mod kept;
pub mod keys;
pub mod leak;
pub mod magnitude;
pub mod mass;
pub mod money;
pub mod names;
pub mod opening;
pub mod outside;
pub mod paging;
pub mod passage;
pub mod path;
pub mod places;
pub mod privilege;
pub mod reach;
pub mod read;
pub mod rights;
pub mod sensitive;
pub mod sheet;
pub mod statement;
pub mod tables;
pub mod told;
pub mod tool;
pub mod tool_kind;
pub mod wildcard;

use std::collections::{HashMap, HashSet};

use crate::knowledge::House;
use crate::meaning::leak::Leak;
use crate::meaning::magnitude::Magnitude;
use crate::meaning::names::ToolWords;
use crate::meaning::passage::Ends;
use crate::meaning::sensitive::SensitiveField;
use crate::subject::Subject;
use crate::subject::call::{Tool, Value};
use crate::subject::flow::{Flow, Strength};
use crate::value::span::Span;

/// The facts counted from a subject.
#[derive(Debug, Default)]
pub struct Features {
    /// The facts of each call, in order of place: tool names, arguments, control flow.
    pub calls: Vec<CallFeatures>,
    /// Data that reaches a later call from an earlier one, as pairs of call numbers.
    pub data_flow: Vec<(usize, usize)>,
    /// Calls that read, each with the next call that sends, as pairs of call numbers.
    pub sequences: Vec<(usize, usize)>,
    /// Sensitive fields that are named anywhere, each once.
    pub sensitive_fields: Vec<SensitiveField>,
    /// Both ends of all flows: what is read, and where it goes.
    pub ends: Ends,
    /// The flows by which data may leave.
    pub leaks: Vec<Leak>,
}

/// The facts of one call.
#[derive(Debug)]
pub struct CallFeatures {
    /// The words of the tool's name and what kind of action they tell.
    pub words: ToolWords,
    /// The name is not known before it runs.
    pub is_dynamic: bool,
    /// The name is computed, though its value is known.
    pub is_folded: bool,
    /// Names of all argument fields, at any depth.
    pub keys: Vec<String>,
    /// All numbers that limit how much is returned (`limit`, `pageSize` …).
    pub limits: Vec<Magnitude>,
    /// All other numbers.
    pub numbers: Vec<Magnitude>,
    /// Places of values that match everything (`*`, an empty filter).
    pub wildcards: Vec<Span>,
    /// How many loops stand around it.
    pub loop_depth: u16,
    /// It runs many times.
    pub is_repeated: bool,
}

/// Counts the features of a subject; `house` is what users say of their own tools and places.
pub fn extract(subject: &Subject, house: &House) -> Features {
    let calls: Vec<CallFeatures> = subject.calls.iter().map(|call| call_features(call, house)).collect();
    let data_flow: Vec<(usize, usize)> = subject.flows.iter().filter_map(|flow| between_tools(subject, flow)).collect();
    let sequences = sequences(subject, &calls);
    let sensitive_fields = if subject.calls.is_empty() { Vec::new() } else { sensitive_fields(subject) };
    let ends = Ends::of(subject, house);
    let leaks = leak::leaks(subject, &ends);
    Features { calls, data_flow, sequences, sensitive_fields, ends, leaks }
}

fn call_features(call: &crate::subject::call::Call, house: &House) -> CallFeatures {
    let words = ToolWords::told(call.tool.name().unwrap_or_default(), house);
    let mut keys = Vec::new();
    call.argument.visit_properties(&mut |property| keys.push(property.key.clone()));
    let (limits, numbers) = magnitude::magnitudes(&call.argument);
    CallFeatures {
        wildcards: wildcard::wildcards(&call.argument, words.reads),
        words,
        is_dynamic: call.tool == Tool::Dynamic,
        is_folded: matches!(call.tool, Tool::Folded(_)),
        keys,
        limits,
        numbers,
        loop_depth: call.loop_depth,
        is_repeated: call.is_repeated(),
    }
}

/// Each call that sends, with the call whose data it is seen to send, or else with the nearest call before
/// it that reads. A call runs once its arguments are there, so calls follow one another by their ends.
fn sequences(subject: &Subject, calls: &[CallFeatures]) -> Vec<(usize, usize)> {
    let reads = |call: usize| calls.get(call).is_some_and(|call| call.words.reads);
    let mut fed: HashMap<usize, usize> = HashMap::new();
    for (origin, sink) in subject.flows.iter().filter_map(|flow| between_tools(subject, flow)).filter(|(origin, _)| reads(*origin)) {
        fed.entry(sink).or_insert(origin);
    }
    let mut order: Vec<usize> = (0..calls.len()).collect();
    order.sort_by_key(|index| subject.calls.get(*index).map(|call| call.span.end));
    let mut last_read = None;
    let mut sequences = Vec::new();
    for index in order {
        let Some(call) = calls.get(index) else { continue };
        let read = fed.get(&index).copied().or(if call.words.reads { Some(index) } else { last_read });
        if call.words.sends
            && let Some(read) = read
        {
            sequences.push((read, index));
        }
        if call.words.reads {
            last_read = Some(index);
        }
    }
    sequences
}

/// The two tool calls between which data flows, if both ends are tool calls and more than a bit of it does.
pub fn between_tools(subject: &Subject, flow: &Flow) -> Option<(usize, usize)> {
    let origin = subject.origins.get(flow.origin)?.call?.tool()?;
    (flow.is_followed() && Strength::Bit < flow.strength).then_some((origin, flow.sink.tool()?))
}

fn sensitive_fields(subject: &Subject) -> Vec<SensitiveField> {
    let mut found = Vec::new();
    for call in &subject.calls {
        if let Some(name) = call.tool.name() {
            found.extend(sensitive::in_tool_name(name, call.tool_span));
        }
        call.argument.visit_properties(&mut |property| found.extend(sensitive::field(&property.key, property.key_span)));
        call.argument.visit("", &mut |_, value| {
            if let Value::String(text, span) | Value::Partial(text, span) = value {
                found.extend(sensitive::in_text(text, *span));
            }
        });
    }
    found.extend(subject.fields.iter().filter_map(|(name, span)| sensitive::field(name, *span)));
    let mut seen = HashSet::new();
    found.sort_by_key(|field| field.span);
    found.retain(|field| seen.insert(field.name.clone()));
    found
}
