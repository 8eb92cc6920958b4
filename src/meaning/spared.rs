//! Calls that do no harm where they happen: a person was asked before, or the place is one for tests.

use crate::knowledge::effect::EffectKind;
use crate::knowledge::words::Tag;
use crate::meaning::passage::Ends;
use crate::subject::Subject;
use crate::subject::flow::{Origin, OriginKind, Strength};
use crate::value::words::{joined, split_owner};

/// Returns true if and only if what a call (an index into `Ends::reaches`) does in this way does no harm where it happens.
pub fn is_spared(subject: &Subject, ends: &Ends, call: usize, kind: EffectKind) -> bool {
    let place = ends.reaches.get(call).map(|reach| reach.span);
    kind == EffectKind::Delete && place.is_some_and(|place| subject.bounds.is_guarded(place)) || is_asked(subject, ends, call)
}

/// Returns true if and only if whether a call happens hangs on what a person answers whom the script asks.
fn is_asked(subject: &Subject, ends: &Ends, call: usize) -> bool {
    ends.flows_into(subject, call)
        .filter(|flow| flow.strength == Strength::Control && flow.argument.is_empty())
        .any(|flow| subject.origins.get(flow.origin).is_some_and(asks))
}

/// Returns true if and only if something is read by asking a person for it.
fn asks(origin: &Origin) -> bool {
    let name = match origin.kind {
        OriginKind::UserInput => origin.name.rsplit('.').next().unwrap_or_default(),
        OriginKind::Tool => split_owner(&origin.name).1,
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
