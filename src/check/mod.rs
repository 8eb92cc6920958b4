//! Checks: rules that are code, over the calls, flows and features of a subject.
//!
//! A check is one file with one row in the registry.

pub mod bulk_operation;
pub mod covert_channel;
pub mod destructive_call;
pub mod destructive_over_result;
pub mod dynamic_tool;
pub mod excessive_limit;
pub mod exfiltration_flow;
pub mod exfiltration_sequence;
pub mod extreme_value;
pub mod fan_out_over_result;
pub mod harmful_command;
pub mod hidden_tool_name;
pub mod loop_fan_out;
pub mod mass_access;
pub mod mass_read_then_send;
mod model_input;
pub mod money_movement;
pub mod paged_mass_read;
pub mod persistence_write;
pub mod privilege_grant;
pub mod registry;
pub mod remote_code;
pub mod resource_exhaustion;
pub mod sandbox_escape;
pub mod secret_read;
pub mod secret_to_network;
pub mod sensitive_field;
pub mod tool_result_as_instructions;
pub mod tool_result_to_command;
pub mod unbounded_loop_call;
pub mod wildcard_query;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::knowledge::{House, SinkKind};
use crate::meaning::Features;
use crate::meaning::argument::{Written, written};
use crate::meaning::leak::LeakKind;
use crate::meaning::passage::Passage;
use crate::meaning::reach::{Place, Reach};
use crate::meaning::read::Read;
use crate::meaning::tool_kind::ToolName;
use crate::rule::{Match, Origin, Rule};
use crate::subject::Subject;
use crate::subject::flow::{self, CallRef, Flow, Strength};
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::verdict::Action;

/// What a check looks at.
pub struct Context<'c> {
    /// The subject.
    pub subject: &'c Subject,
    /// Its features.
    pub features: &'c Features,
    /// What users say of their own tools and places, and servers of theirs.
    pub house: &'c House,
    /// The check's own rule, which its matches carry.
    pub rule: &'c Arc<Rule>,
}

impl Context<'_> {
    /// A hit of this severity, with the action that goes with it.
    pub fn harm(&self, span: Span, severity: Severity) -> Match {
        Match::new(self.rule, span).with_severity(severity, Action::usual(severity))
    }

    /// The flows into a tool call.
    pub fn flows_into(&self, call: usize) -> impl Iterator<Item = &Flow> {
        self.features.ends.into.get(call).into_iter().flatten().filter_map(|flow| self.subject.flows.get(*flow))
    }

    /// Returns true if and only if a tool call acts on what another one listed: on its elements in a loop,
    /// or on what is passed on from it.
    pub fn is_fed_by_listing(&self, call: usize) -> bool {
        let lists = |origin: usize| {
            let from = self.subject.origins.get(origin).and_then(|origin| origin.call?.tool());
            from.and_then(|from| self.subject.calls.get(from).zip(self.features.calls.get(from)))
                .is_some_and(|(own, from)| from.words.reads_many || from.words.reads && names_many(own.tool.name().unwrap_or_default()))
        };
        let over = self.subject.calls.get(call).map_or(&[][..], |call| &call.over);
        over.iter().any(|origin| lists(*origin)) || self.flows_into(call).any(|flow| lists(flow.origin) && Strength::Bit < flow.strength)
    }
}

/// Returns true if and only if the last word of a tool's name is a plural: `describe_instances`.
fn names_many(tool: &str) -> bool {
    let name = ToolName::of(tool);
    let last = if name.verb.len() < 2 { None } else { name.verb.last() };
    last.is_some_and(|last| 3 < last.len() && last.ends_with('s') && !["ss", "us", "is"].iter().any(|end| last.ends_with(end)))
}

/// A check, as it stands in the registry.
pub struct Check {
    /// Unique name, kebab-case.
    pub id: &'static str,
    /// What it is about.
    pub category: &'static str,
    /// How bad a hit is, unless the check says otherwise.
    pub severity: Severity,
    /// What a hit asks for, unless the check says otherwise.
    pub action: Action,
    /// Why it matters, in one sentence.
    pub why: &'static str,
    /// What to do about it, in one sentence.
    pub help: &'static str,
    /// A script that it finds.
    pub hit: &'static str,
    /// A script that differs only in what matters.
    pub miss: &'static str,
    /// Finds its matches.
    pub run: fn(&Context<'_>) -> Vec<Match>,
}

impl Check {
    /// The check as a rule.
    pub fn rule(&self) -> Rule {
        Rule {
            id: self.id.into(),
            origin: Origin::Check,
            category: self.category.into(),
            severity: self.severity,
            action: self.action,
            why: self.why.into(),
            help: self.help.into(),
            secret: false,
        }
    }
}

/// The matches of all leaks of a kind, each with a sentence that names both ends.
pub fn leaks(context: &Context<'_>, kind: LeakKind) -> Vec<Match> {
    let ends = &context.features.ends;
    let leaks = context.features.leaks.iter().filter(|leak| leak.kind == kind);
    leaks
        .filter_map(|leak| {
            let passage = ends.passages.get(leak.passage)?;
            let (flow, reach) = (context.subject.flows.get(passage.flow)?, ends.reach(passage)?);
            let how = match flow.strength {
                _ if !flow.is_followed() => "may go, by a way that is not followed,",
                Strength::Whole => "goes",
                Strength::Redacted => "goes redacted",
                Strength::Bit => "goes bit by bit",
                Strength::Control => "decides what goes",
            };
            let place =
                if passage.place == Place::Data || flow.argument.is_empty() { String::new() } else { format!(" in `{}`", flow.argument) };
            let message = format!("{} {how} {}{place}", passage.read.words, reach.words());
            Some(
                Match::new(context.rule, reach.span)
                    .with_severity(leak.severity, leak.action)
                    .with_message(message)
                    .with_steps(flow.steps.clone()),
            )
        })
        .collect()
}

/// The matches of all data that reaches calls which do something with it: of each call the worst, as `judge` says.
pub fn arrivals(
    context: &Context<'_>,
    sink: SinkKind,
    what: &str,
    judge: impl Fn(&Passage, &Reach, &Flow) -> Option<(Severity, Action)>,
) -> Vec<Match> {
    let ends = &context.features.ends;
    let mut found: BTreeMap<usize, Match> = BTreeMap::new();
    for passage in &ends.passages {
        let (Some(flow), Some(reach)) = (context.subject.flows.get(passage.flow), ends.reach(passage)) else { continue };
        let is_data = matches!(passage.place, Place::Data | Place::Cover) && is_acted_on(reach, &flow.argument);
        if !reach.does(sink) || !is_data || flow.strength < Strength::Redacted || !flow.is_followed() {
            continue;
        }
        let Some((severity, action)) = judge(passage, reach, flow) else { continue };
        let message = format!("{} {what} by `{}`", passage.read.words, reach.name);
        let new = Match::new(context.rule, reach.span).with_severity(severity, action).with_message(message).with_steps(flow.steps.clone());
        let known = found.entry(passage.reach).or_insert_with(|| new.clone());
        if known.severity < severity {
            *known = new;
        }
    }
    found.into_values().collect()
}

/// How much of what a flow ends in is written out in the script.
pub fn written_at(context: &Context<'_>, flow: &Flow) -> Written {
    match flow.sink {
        CallRef::Tool(index) => context.subject.calls.get(index).map_or(Written::Nothing, |call| written(&call.argument, &flow.argument)),
        CallRef::Host(index) => {
            let (first, rest) = flow.argument.split_once('.').unwrap_or((&flow.argument, ""));
            let argument = first.parse::<usize>().ok().and_then(|at| context.subject.host_calls.get(index)?.arguments.get(at));
            argument.map_or(Written::Nothing, |argument| written(argument, rest))
        }
    }
}

/// Returns true if and only if an argument of an API is one of those that are run or handed on.
fn is_acted_on(reach: &Reach, argument: &str) -> bool {
    let data = reach.api.map_or(&[][..], |api| api.data);
    let is_within = |place: &&str| argument == *place || argument.strip_prefix(*place).is_some_and(|rest| rest.starts_with('.'));
    data.is_empty() || argument.is_empty() || data.iter().any(is_within)
}

/// A listing over whose elements a call runs.
pub struct Listing<'c> {
    /// Where it is read.
    pub origin: &'c flow::Origin,
    /// What is read.
    pub read: &'c Read,
    /// The script chooses among its elements: whether the call runs depends on what they say.
    pub is_chosen: bool,
}

/// The listing over whose elements a tool call runs, if there is one.
pub fn listing_over<'c>(context: &'c Context<'_>, call: usize) -> Option<Listing<'c>> {
    let own = context.subject.calls.get(call)?;
    let is_element = |flow: &&Flow| flow.field.contains("[]") && Strength::Control < flow.strength;
    let fed = context.flows_into(call).filter(is_element).filter(|_| own.is_repeated()).map(|flow| flow.origin);
    let index = own.over.iter().copied().chain(fed).find(|index| {
        let read = context.features.ends.reads.get(*index);
        let origin = context.subject.origins.get(*index);
        let is_other = origin.is_some_and(|origin| origin.call != Some(CallRef::Tool(call)));
        is_other && read.is_some_and(|read| matches!(read.kind, flow::OriginKind::Tool | flow::OriginKind::Network))
    })?;
    let is_chosen = context.flows_into(call).any(|flow| flow.origin == index && flow.strength <= Strength::Bit);
    Some(Listing { origin: context.subject.origins.get(index)?, read: context.features.ends.reads.get(index)?, is_chosen })
}
