//! Features: the facts that are counted from a subject, for checks and models.

pub mod action;
pub mod amount;
pub mod answered;
pub mod argument;
pub mod authority;
pub mod belonging;
pub mod call;
pub mod command;
pub mod counting;
pub mod deletion;
pub mod feedback;
pub mod fetched;
pub mod filled;
mod gathered;
pub mod incoming;
pub mod kept;
pub mod leads;
pub mod leak;
pub mod leak_kind;
pub mod line;
pub mod listing;
pub mod made_here;
pub mod magnitude;
pub mod mass;
pub mod model_input;
pub mod names;
pub mod opening;
pub mod outside;
pub mod own_start;
pub mod page_part;
pub mod paging;
pub mod passage;
pub mod path;
pub mod places;
pub mod reach;
pub mod reaches;
pub mod read;
pub mod reads;
pub mod recipient;
pub mod row_by_row;
pub mod sensitive;
pub mod severity;
pub mod sheet;
pub mod skimmed;
pub mod slight;
pub mod spared;
pub mod stand_in;
pub mod started;
pub mod statement;
pub mod tables;
pub mod tool;
pub mod tool_kind;
pub mod tool_read;
pub mod walk;
pub mod wildcard;

use std::collections::{HashMap, HashSet};

use crate::knowledge::House;
use crate::knowledge::effect::EffectKind;
use crate::meaning::action::Action;
use crate::meaning::action::call::actions;
pub use crate::meaning::call::CallFeatures;
use crate::meaning::call::call_features;
use crate::meaning::leak::Leak;
use crate::meaning::made_here::taking_back;
use crate::meaning::model_input::strangers_tell_model;
use crate::meaning::passage::Ends;
use crate::meaning::sensitive::SensitiveField;
use crate::meaning::walk::Arguments;
use crate::subject::Subject;
use crate::subject::flow::{Flow, Strength};

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
    /// What each call does: of the tool calls, and then of the calls of host APIs, as in `ends.reaches`.
    pub actions: Vec<Action>,
    /// Which tool calls take away what the script made itself.
    pub takes_back: Vec<bool>,
    /// What the script has start by itself are programs of its project.
    pub starts_only_own: bool,
    /// Strangers can tell a model of the script what to do.
    pub strangers_tell_model: bool,
}

/// Counts the features of a subject; `house` is what users say of their own tools and places.
pub fn extract(subject: &Subject, house: &House) -> Features {
    let walked: Vec<Arguments<'_>> = subject.calls.iter().map(|call| Arguments::of(&call.argument)).collect();
    let calls: Vec<CallFeatures> = subject.calls.iter().zip(&walked).map(|(call, argument)| call_features(call, argument, house)).collect();
    let data_flow: Vec<(usize, usize)> = subject.flows.iter().filter_map(|flow| between_tools(subject, flow)).collect();
    let sequences = sequences(subject, &calls);
    let sensitive_fields = if subject.calls.is_empty() { Vec::new() } else { sensitive_fields(subject, &walked) };
    let ends = Ends::of(subject, house);
    let leaks = leak::leaks(subject, &ends);
    let actions = actions(subject, &calls, &ends, &walked, house);
    let takes_back = taking_back(subject, &ends, &actions);
    let strangers_tell_model = strangers_tell_model(subject, &ends);
    let persists = |action: &Action| action.all().any(|(_, effect)| effect.kind == EffectKind::Persist);
    let starts = actions.iter().any(persists) || !subject.schedules.is_empty() || own_start::writes_plist(subject);
    let starts_only_own = starts && own_start::starts_only_own(subject, &ends);
    Features { calls, data_flow, sequences, sensitive_fields, ends, leaks, actions, takes_back, starts_only_own, strangers_tell_model }
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

fn sensitive_fields(subject: &Subject, walked: &[Arguments<'_>]) -> Vec<SensitiveField> {
    let mut found = Vec::new();
    for (call, argument) in subject.calls.iter().zip(walked) {
        if let Some(name) = call.tool.name() {
            found.extend(sensitive::in_tool_name(name, call.tool_span));
        }
        found.extend(argument.properties().filter_map(|(key, property)| sensitive::field(key.text, property.key_span)));
        found.extend(argument.texts().iter().flat_map(|text| sensitive::in_text(text.text, text.span)));
    }
    found.extend(subject.fields.iter().filter_map(|(name, span)| sensitive::field(name, *span)));
    let mut seen = HashSet::new();
    found.sort_by_key(|field| field.span);
    found.retain(|field| seen.insert(field.name.clone()));
    found
}
