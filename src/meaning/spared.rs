//! Calls that do no harm where they happen: a person was asked before, the place is one for tests, or the script made what it takes away.

use crate::knowledge::command::list;
use crate::knowledge::effect::EffectKind;
use crate::knowledge::phrase::asks_person;
use crate::knowledge::words::Tag;
use crate::meaning::Features;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::subject::flow::{Flow, Origin, OriginKind, Strength};
use crate::value::span::Span;
use crate::value::words::{joined, split_owner, words};

/// Returns true if and only if what a call (an index into `Ends::reaches`) does in this way does no harm where it happens.
pub fn is_spared(subject: &Subject, features: &Features, call: usize, kind: EffectKind) -> bool {
    let Some(place) = features.ends.reaches.get(call).map(|reach| reach.span) else { return false };
    let is_guarded = || kind == EffectKind::Delete && subject.bounds.is_guarded(place) && !names_production(subject, call);
    let takes_back = || {
        let is_taken = matches!(kind, EffectKind::Delete | EffectKind::GuardOff) && features.takes_back.get(call) == Some(&true);
        is_taken && !names_production(subject, call)
    };
    let is_entitled = || kind == EffectKind::Grant && subject.bounds.is_entitled(place) && is_led(subject, features, call);
    let is_thrown_away = || kind == EffectKind::Delete && is_thrown_away(subject, features, call) && !names_production(subject, call);
    is_approved(subject, place)
        || is_thrown_away()
        || is_asked(subject, place)
        || is_asked_by_callers(subject, call)
        || is_guarded()
        || takes_back()
        || is_entitled()
}

/// Returns true if and only if what a call works in was started by the script to be thrown away: the database of a container that the
/// script asked for with `{ ephemeral: true }`.
fn is_thrown_away(subject: &Subject, features: &Features, call: usize) -> bool {
    let starts = |origin: &Origin| {
        let made = origin.call.and_then(|call| subject.calls.get(call.tool()?));
        made.is_some_and(|made| {
            let starts = made.tool.name().is_some_and(|name| words(name).iter().any(|word| list("starting-anew").contains(&word.as_str())));
            let mut is_passing = false;
            made.argument.visit_properties(&mut |property| {
                is_passing |=
                    list("passing-switches").contains(&joined(&property.key).as_str()) && matches!(property.value, Value::Boolean(true, _));
            });
            starts && is_passing
        })
    };
    let is_place = |flow: &Flow| {
        let last = flow.argument.rsplit('.').next().map(joined).unwrap_or_default();
        list("places-of-databases").contains(&last.as_str()) && flow.strength == Strength::Whole
    };
    // A connection that is written out is another one.
    let mut is_written = false;
    if let Some(own) = subject.calls.get(call) {
        own.argument.visit_properties(&mut |property| {
            let is_named = list("places-of-databases").contains(&joined(&property.key).as_str());
            is_written |= is_named && matches!(property.value, Value::String(..) | Value::OneOf(..));
        });
    }
    if is_written {
        return false;
    }
    let mut places = features.ends.flows_into(subject, call).filter(|flow| is_place(flow)).peekable();
    places.peek().is_some() && places.all(|flow| subject.origins.get(flow.origin).is_some_and(starts))
}

/// What agrees to what a framework asks leave for.
const APPROVING: &str = "approvals:approve";

/// Returns true if and only if a framework asks somebody before it runs a place, and the script does not answer for him.
fn is_approved(subject: &Subject, place: Span) -> bool {
    let agrees = |call: &Call| call.tool.name() == Some(APPROVING) && !is_asked(subject, call.span);
    subject.bounds.is_approved(place) && !subject.calls.iter().any(agrees)
}

/// Returns true if and only if a person is asked where the wrapper is called that makes a request.
fn is_asked_by_callers(subject: &Subject, call: usize) -> bool {
    let host = call.checked_sub(subject.calls.len()).and_then(|index| subject.host_calls.get(index));
    let mut callers = host.into_iter().flat_map(|call| &call.callers);
    callers.any(|start| is_asked(subject, Span::new(*start, start.saturating_add(1))))
}

/// Returns true if and only if whoever calls a service says to whom something is given.
fn is_led(subject: &Subject, features: &Features, call: usize) -> bool {
    features.ends.flows_into(subject, call).any(|flow| {
        let is_incoming = subject.origins.get(flow.origin).is_some_and(|origin| origin.kind == OriginKind::Incoming);
        let is_of_strangers = || features.ends.reads.get(flow.origin).is_some_and(|read| read.is_untrusted);
        (is_incoming || is_of_strangers()) && Strength::Bit < flow.strength
    })
}

/// Returns true if and only if what a call is given names what people depend on: where tests run, that is no place for it.
fn names_production(subject: &Subject, call: usize) -> bool {
    let mut found = false;
    let mut look = |value: &Value| {
        value.visit("", &mut |_, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                found |= Tag::Production.has_any(words(text));
            }
        });
    };
    match (subject.calls.get(call), call.checked_sub(subject.calls.len()).and_then(|index| subject.host_calls.get(index))) {
        (Some(call), _) => look(&call.argument),
        (None, Some(call)) => call.arguments.iter().for_each(look),
        (None, None) => {}
    }
    found
}

/// Returns true if and only if what stands in a place happens only if a person says so whom the script asks. That an answer decides by
/// what a function hands back after it refused (`if (answer !== 'y') return false; return true`) is seen in the branches, not in the flows.
pub fn is_asked(subject: &Subject, place: Span) -> bool {
    subject.bounds.asked(place).any(|asked| {
        let is_meant = |origin: &Origin| asked.answer == origin.span && (!asked.is_typed || origin.kind == OriginKind::UserInput);
        subject.origins.iter().any(|origin| is_meant(origin) && asks(origin) && is_about_act(subject, origin))
    })
}

/// Returns true if and only if a question that a server has its client ask speaks of something that is done: leave to show something is
/// no leave to delete it.
fn is_about_act(subject: &Subject, origin: &Origin) -> bool {
    let asked = origin.call.and_then(|call| subject.calls.get(call.tool()?));
    let Some(asked) = asked.filter(|asked| asked.tool.name().is_some_and(|name| words(name).iter().any(|word| word == "elicit"))) else {
        return true;
    };
    let speaks = |text: &str| words(text).iter().any(|word| list("acts-asked-about").contains(&word.as_str()));
    let mut found = false;
    asked.argument.visit("", &mut |key, value| {
        found |= key == "message" && matches!(value, Value::String(text, _) | Value::Partial(text, _) if speaks(text));
    });
    found
}

/// Returns true if and only if something is read by asking a person for it. A tool that confirms an order asks nobody: its owner
/// says that it is a person's, or its name does.
fn asks(origin: &Origin) -> bool {
    let name = match origin.kind {
        OriginKind::UserInput => origin.name.rsplit('.').next().unwrap_or_default(),
        OriginKind::Tool => {
            let (owner, name) = split_owner(&origin.name);
            if asks_person(&origin.name) && !Tag::AskingPerson.has(&joined(name)) {
                return true;
            }
            let is_of_person = Tag::FacingPerson.has_any(words(owner));
            if is_of_person || 1 < words(name).len() { name } else { return false }
        }
        OriginKind::Environment
        | OriginKind::File
        | OriginKind::Network
        | OriginKind::Storage
        | OriginKind::Clipboard
        | OriginKind::Process
        | OriginKind::Incoming
        | OriginKind::Page
        | OriginKind::Program
        | OriginKind::System => return false,
    };
    Tag::AskingPerson.has(&joined(name))
}
