//! Checks: rules that are code, over the calls, flows and features of a subject.
//!
//! A check is one file with one row in the registry.

pub mod app_tampering;
pub mod back_door;
pub mod bulk_operation;
pub mod clipboard_swap;
pub mod covert_channel;
pub mod credential_interception;
pub mod credential_sweep;
pub mod destructive_call;
pub mod destructive_over_result;
pub mod download_and_run;
pub mod dynamic_tool;
pub mod environment_sweep;
pub mod excessive_limit;
pub mod exfiltration_flow;
pub mod exfiltration_sequence;
pub mod extreme_value;
pub mod fan_out_over_result;
pub mod harmful_command;
pub mod hidden_tool_name;
pub mod loop_fan_out;
pub mod lure;
pub mod mass_access;
pub mod mass_read_then_send;
pub mod money_movement;
pub mod obfuscated_code;
pub mod package_worm;
pub mod paged_mass_read;
pub mod persistence_write;
pub mod privilege_grant;
pub mod registry;
pub mod remote_code;
pub mod resource_exhaustion;
pub mod reverse_shell;
pub mod sandbox_escape;
pub mod script_host_persistence;
pub mod secret_read;
pub mod secret_to_network;
pub mod sensitive_field;
pub mod server_wipe;
pub mod standing_order;
pub mod tool_result_as_instructions;
pub mod tool_result_to_command;
pub mod unbounded_loop_call;
pub mod wildcard_query;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::sensitivity::category;
use crate::knowledge::severity::severity;
use crate::knowledge::statement::is_spare_word;
use crate::knowledge::threat;
use crate::knowledge::tool::tool_in;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Sensitivity, Side, SinkKind};
use crate::meaning::Features;
use crate::meaning::action::payee::SWAPPED;
use crate::meaning::action::{Action, Way};
use crate::meaning::argument::{Written, is_name, is_no, texts, written};
use crate::meaning::leak_kind::LeakKind;
use crate::meaning::listing::{Listing, listing_over, lists_passing};
use crate::meaning::made_here::takes_own;
use crate::meaning::model_input::is_made_up;
use crate::meaning::outside::{is_everybody, is_mail_address, is_outside};
use crate::meaning::passage::Passage;
use crate::meaning::reach::{Place, Reach};
use crate::meaning::spared::is_spared;
use crate::rule::{Match, Origin, Rule};
use crate::subject::Subject;
use crate::subject::call::Value;
use crate::subject::dialect::Dialect;
use crate::subject::flow::{CallRef, Flow, Origin as FlowOrigin, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::verdict;
use crate::value::words::{joined, split_owner, words};

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
        Match::new(self.rule, span).with_severity(severity, verdict::Action::usual(severity))
    }

    /// The flows into a tool call.
    pub fn flows_into(&self, call: usize) -> impl Iterator<Item = &Flow> {
        self.features.ends.flows_into(self.subject, call)
    }

    /// The listing over whose elements a tool call runs, if there is one.
    pub fn listing_over(&self, call: usize) -> Option<Listing<'_>> {
        listing_over(self.subject, &self.features.ends, call)
    }

    /// Returns true if and only if what a call does in this way does no harm where it happens.
    pub fn is_spared(&self, call: usize, kind: EffectKind) -> bool {
        is_spared(self.subject, self.features, call, kind)
    }

    /// Returns true if and only if a model makes up what is run, and strangers can tell it what.
    pub fn is_led_astray(&self, flow: &Flow) -> bool {
        self.features.strangers_tell_model && is_made_up(self.subject, flow)
    }

    /// Returns true if and only if a program only offers a call: to whom or what it does something its callers say, and nothing
    /// that is read.
    fn is_offered(&self, call: usize) -> bool {
        let ends = &self.features.ends;
        let is_said = |flow: &Flow| ends.reads.get(flow.origin).is_some_and(|read| !matches!(read.kind, OriginKind::Environment));
        self.subject.calls.get(call).is_some_and(|found| {
            let mut is_open = false;
            found.argument.visit("", &mut |_, value| is_open |= matches!(value, Value::Dynamic(_) | Value::Partial(..)));
            is_open && self.subject.is_of_program(found) && !self.flows_into(call).any(is_said)
        })
    }

    /// Returns true if and only if what a command shows stays with the program that runs it, whose flows tell where it goes from there.
    fn is_held(&self, call: usize, severity: Severity, effect: &Effect) -> bool {
        let from = self.features.ends.reaches.get(call).map(|reach| reach.call).filter(|call| matches!(call, CallRef::Host(_)));
        let is_shown = severity == Severity::Medium && effect.kind == EffectKind::Read;
        is_shown && from.is_some() && self.subject.origins.iter().any(|origin| origin.call == from)
    }

    /// Returns true if and only if whoever set up the machine says who is let in (`process.env.SUCCESSOR ?? 'kim@acme.example'`), and nobody
    /// stands beside it who is plainly a stranger.
    fn is_told_whom(&self, call: usize) -> bool {
        let Some(own) = self.subject.calls.get(call) else { return false };
        let names = |key: &str| {
            let key = joined(key);
            Tag::WhomKey.has(&key) || Tag::GranteeKey.has(&key)
        };
        // One who is only written out is told by nobody: what stands beside a setting is taken where that is missing.
        let mut is_stranger = false;
        own.argument.visit_properties(&mut |property| {
            let is_written = |value: &Value| matches!(value, Value::String(text, _) if is_mail_address(text));
            is_stranger |= match &property.value {
                Value::Array(all, _) => all.iter().any(is_written),
                value => names(&property.key) && is_written(value),
            };
        });
        own.argument.visit("", &mut |_, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                is_stranger |= is_outside(text) || is_everybody(text);
            }
        });
        let is_set = |flow: &Flow| {
            let origin = self.subject.origins.get(flow.origin);
            let is_variable = origin.is_some_and(|origin| origin.kind == OriginKind::Environment && origin.detail.is_some());
            is_variable && flow.strength == Strength::Whole && flow.argument.rsplit('.').next().is_some_and(names)
        };
        !is_stranger && self.features.ends.flows_into(self.subject, call).any(is_set)
    }

    /// Returns true if and only if those are put out of a group, or lose a seat, whom a listing was asked for because they no longer use it:
    /// they can be let in again.
    fn ends_idle(&self, call: usize) -> bool {
        let named = self.subject.calls.get(call).and_then(|call| call.tool.name()).map(words).unwrap_or_default();
        let has = |any: &str| named.iter().any(|word| list(any).contains(&word.as_str()));
        let asked = || {
            let listed = self.listing_over(call)?.origin.call?.tool()?;
            let mut is_idle = false;
            self.subject.calls.get(listed)?.argument.visit_properties(&mut |property| {
                is_idle |= words(&property.key).iter().any(|word| list("idle-words").contains(&word.as_str())) && !is_no(&property.value);
            });
            Some(is_idle)
        };
        has("taking-out") && has("memberships") && asked() == Some(true)
    }

    /// Returns true if and only if a statement takes away what a listing named that asked for what is made to be thrown away.
    fn drops_passing(&self, call: usize, own: &Action, effect: &Effect) -> bool {
        let is_open = effect.says.contains("`?`") || effect.says.contains(HOLE);
        let asked = || {
            let listed = self.listing_over(call)?.origin.call?;
            let is_fed = self.flows_into(call).any(|flow| {
                let is_listed = self.subject.origins.get(flow.origin).is_some_and(|origin| origin.call == Some(listed));
                is_listed && flow.strength == Strength::Whole && flow.field.contains("[]")
            });
            let listed = self.subject.calls.get(listed.tool()?).filter(|_| is_fed)?;
            // What is named beside it is taken away, too.
            let given = texts(&self.subject.calls.get(call)?.argument);
            let mut beside = given.iter().filter(|text| text.is_known && is_name(text.text));
            Some(
                lists_passing(&listed.argument)
                    && (own.way == Way::Call || beside.all(|text| words(text.text).iter().any(|word| is_spare_word(word)))),
            )
        };
        let is_left = is_open && own.way == Way::Statement || own.way == Way::Call;
        effect.kind == EffectKind::Delete && is_left && asked() == Some(true)
    }

    /// Returns true if and only if a token by which the user is signed in is shown to the script alone, which signs in with it and does
    /// nothing else with it.
    fn signs_in_with(&self, reach: &Reach, effect: &Effect) -> bool {
        let of_call = |passage: &&Passage| {
            let flow = self.subject.flows.get(passage.flow);
            let origin = flow.and_then(|flow| self.subject.origins.get(flow.origin)).filter(|origin| origin.call == Some(reach.call));
            // Of a helper that starts all programs, only what shows a token.
            let program = origin.and_then(|origin| origin.detail.as_deref()).and_then(|line| line.split_whitespace().next());
            origin.is_some() && program.is_none_or(|program| list("token-showers").contains(&program))
        };
        let mut used = self.features.ends.passages.iter().filter(of_call).peekable();
        effect.object.as_deref() == Some("token")
            && used.peek().is_some()
            && used.all(|passage| passage.place == Place::Entrance)
            && leaks(self, LeakKind::Secret).iter().all(|leak| leak.severity <= Severity::Low)
    }

    /// How bad it is at most that what a call uploads is for everybody to see: where what it is flows there, `exfiltration-flow` says
    /// whether it may be. Nothing if the call opens what lies there already.
    fn publishes_file(&self, call: usize, own: &Action, effect: &Effect) -> Option<Severity> {
        let is_open = effect.kind == EffectKind::Grant && effect.object.as_deref() == Some("everybody") && own.way == Way::Call;
        let found = self.subject.calls.get(call).filter(|_| is_open)?;
        let said = found.tool.name().map(|name| words(split_owner(name).1))?;
        let has = |named: &str, word: &str| list(named).contains(&word);
        if !said.iter().any(|word| has("uploading-verbs", word)) || !said.iter().any(|word| has("things-uploaded", word)) {
            return None;
        }
        // `passports/${name}`
        let is_dear = |text: &str| {
            let said = words(text);
            Tag::Precious.has_any(said.iter())
                || Tag::Dear.has_any(said.iter())
                || category(&said).is_some_and(|kind| Sensitivity::Internal < kind)
        };
        if texts(&found.argument).iter().any(|text| is_dear(text.text)) {
            return None;
        }
        let is_content = |key: &str| has("contents-of-uploads", &joined(key.split('.').next().unwrap_or_default()));
        let mut is_written = false;
        let mut holds = false;
        found.argument.visit_properties(&mut |property| {
            holds |= is_content(&property.key);
            is_written |= is_content(&property.key) && matches!(property.value, Value::String(..));
        });
        let told = || self.flows_into(call).filter(|flow| is_content(&flow.argument) && flow.strength == Strength::Whole);
        // What the house keeps may lie at the same service, and does not leave that; what a person or a model just made is meant for it.
        let is_made = |origin: &FlowOrigin| match origin.kind {
            OriginKind::Incoming | OriginKind::Network | OriginKind::UserInput | OriginKind::Page | OriginKind::File => true,
            OriginKind::Tool => tool_in(&origin.name, self.house).does(SinkKind::Prompt),
            _ => false,
        };
        if told().any(|flow| !self.subject.origins.get(flow.origin).is_some_and(is_made)) {
            return None;
        }
        holds.then(|| if is_written || told().next().is_some() { Severity::Low } else { Severity::Medium })
    }

    /// Returns true if and only if a program takes away what it has made itself by a command.
    fn takes_own(&self, reach: &Reach, effect: &Effect) -> bool {
        let object = effect.object.as_deref().filter(|_| self.subject.dialect != Dialect::AgentScript);
        object.is_some_and(|object| takes_own(self.subject, reach.call, object))
    }

    /// Of each action the worst effect of these kinds, with the name of the call that it stands in.
    pub fn worst_effects(&self, kinds: &[EffectKind]) -> Vec<Match> {
        let actions = self.features.actions.iter().zip(&self.features.ends.reaches).enumerate();
        actions
            .filter_map(|(call, (action, reach))| {
                let mut worst: Option<(Severity, Span, &Effect)> = None;
                for (own, effect) in action.all().filter(|(_, effect)| kinds.contains(&effect.kind)) {
                    let Some(severity) = graded(own, effect) else { continue };
                    // What a row says of a tool by its arguments is said of the call.
                    let is_of_call = own.way == Way::Call
                        || own.way == Way::Statement
                            && matches!(effect.kind, EffectKind::GuardOff | EffectKind::Delete | EffectKind::Pay | EffectKind::Grant)
                        || own.way == Way::Command && effect.kind == EffectKind::Delete;
                    let is_spared = is_of_call && effect.object.as_deref() != Some(SWAPPED) && self.is_spared(call, effect.kind);
                    let is_named = reach.is_constant && reach.side == Side::Outside;
                    let is_offered = || severity == Severity::Medium && own.way == Way::Call && !is_named && self.is_offered(call);
                    // What a project has started by itself is there to be looked at.
                    let starts_own = effect.kind == EffectKind::Persist
                        && matches!(effect.object.as_deref(), Some("schedule" | "service"))
                        && self.features.starts_only_own;
                    let severity = if starts_own {
                        severity.min(Severity::Medium)
                    } else if is_spared
                        || is_offered()
                        || self.takes_own(reach, effect)
                        || self.signs_in_with(reach, effect)
                        || self.drops_passing(call, own, effect)
                        || self.is_held(call, severity, effect)
                    {
                        severity.min(Severity::Low)
                    } else if effect.kind == EffectKind::Delete && self.ends_idle(call) {
                        severity.min(Severity::Medium)
                    } else if let Some(most) = self.publishes_file(call, own, effect) {
                        severity.min(most)
                    } else if effect.kind == EffectKind::Grant && self.is_told_whom(call) {
                        severity.min(Severity::High)
                    } else {
                        severity
                    };
                    if worst.is_none_or(|(known, ..)| known < severity) {
                        worst = Some((severity, own.span, effect));
                    }
                }
                let (severity, span, effect) = worst?;
                Some(self.harm(span, severity).with_message(format!("`{}` {}", reach.name, effect.says)))
            })
            .collect()
    }
}

/// How bad an effect of an action is; a command that is only guessed to run blocks nothing by itself.
fn graded(action: &Action, effect: &Effect) -> Option<Severity> {
    let is_guess = action.way == Way::Command && effect.said.is_guess();
    let own = severity(effect)?;
    Some(if is_guess { own.min(Severity::High) } else { own })
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
    pub action: verdict::Action,
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

/// The worst of the threats that a check tells, if signs in the script make one up.
pub fn threats(context: &Context<'_>) -> Vec<Match> {
    let found = threat::threats(&context.rule.id, &context.subject.signs);
    let worst = found.into_iter().max_by_key(|(threat, _)| threat.severity);
    let told = worst.map(|(threat, span)| context.harm(span, threat.severity).with_message(format!("the program {}", threat.says)));
    told.into_iter().collect()
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
            let found = Match::new(context.rule, reach.span).with_severity(leak.severity, leak.action);
            Some(found.with_message(message).with_steps(flow.steps.clone()))
        })
        .collect()
}

/// The matches of all data that reaches calls which do something with it: of each call the worst, as `judge` says.
pub fn arrivals(
    context: &Context<'_>,
    sink: SinkKind,
    what: &str,
    judge: impl Fn(&Passage, &Reach, &Flow) -> Option<(Severity, verdict::Action)>,
) -> Vec<Match> {
    let ends = &context.features.ends;
    let mut found: BTreeMap<usize, Match> = BTreeMap::new();
    for passage in &ends.passages {
        let (Some(flow), Some(reach)) = (context.subject.flows.get(passage.flow), ends.reach(passage)) else { continue };
        let is_data = matches!(passage.place, Place::Data | Place::Cover) && is_acted_on(reach, &flow.argument);
        // Answers about each character of a text spell out code.
        let is_spelt = sink == SinkKind::Code && flow.strength == Strength::Bit && flow.field.ends_with("[]");
        let is_told = Strength::Bit < flow.strength || is_spelt;
        if !reach.does(sink) || !is_data || !is_told || !flow.is_followed() {
            continue;
        }
        // A number, or what a pattern let through, stays one word of a command or statement that is written out around it.
        let is_listed = flow.argument.split('.').any(|key| key == "[]" || Tag::ArgumentsKey.has(key));
        let is_around = is_listed || written_at(context, flow) != Written::Nothing;
        if flow.is_plain && is_around && !obtains(context, reach) {
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

/// Returns true if and only if a call's command gets something by the name that it is given: a package, a repository, an image. One word is
/// enough to name somebody else's.
fn obtains(context: &Context<'_>, reach: &Reach) -> bool {
    let mut found = false;
    let mut look = |value: &Value| {
        value.visit("", &mut |_, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                found |= text.split(|sign: char| !sign.is_alphanumeric() && sign != '-').any(|word| list(OBTAINING).contains(&word));
            }
        });
    };
    match reach.call {
        CallRef::Tool(index) => context.subject.calls.get(index).into_iter().for_each(|call| look(&call.argument)),
        CallRef::Host(index) => {
            context.subject.host_calls.get(index).into_iter().for_each(|call| call.arguments.iter().for_each(&mut look))
        }
    }
    found
}

/// The list of words of commands that get something by its name.
const OBTAINING: &str = "obtaining";

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
