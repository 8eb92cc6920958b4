//! What was gathered of everybody's letters: mail of all people, conversations that only those in them read.

use crate::knowledge::SinkKind;
use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::meaning::argument::texts;
use crate::meaning::passage::Ends;
use crate::meaning::reach::Reach;
use crate::subject::Subject;
use crate::subject::call::Call;
use crate::subject::flow::{Flow, OriginKind, Strength};
use crate::value::words::{split_owner, words};

/// Returns true if and only if what flows into a chat was read of the mailbox of each of several people, or of each of several
/// conversations that are open to nobody else.
pub fn tells_letters_of_all(subject: &Subject, ends: &Ends, flow: &Flow, reach: &Reach) -> bool {
    if !reach.does(SinkKind::Chat) || flow.strength < Strength::Whole || !flow.is_followed() {
        return false;
    }
    let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Tool);
    let Some(read) = origin.and_then(|origin| origin.call?.tool()) else { return false };
    let is_of_each = |call: &&Call| names(call, "letters") && (call.repeated || 0 < call.loop_depth);
    let Some(call) = subject.calls.get(read).filter(is_of_each) else { return false };
    let over = call.over.iter().copied();
    let by_flows = ends.flows_into(subject, read).filter(|flow| Strength::Bit < flow.strength).map(|flow| flow.origin);
    let listed = over.chain(by_flows).filter_map(|origin| subject.calls.get(subject.origins.get(origin)?.call?.tool()?));
    let mut listed = listed.filter(|listing| listing.span != call.span);
    // What each wrote to a bot of a chat is for the chat: a round of answers.
    let is_of_chat = split_owner(&reach.name).0 == split_owner(call.tool.name().unwrap_or_default()).0;
    listed.any(|listing| lists_people(listing) && !is_of_chat || lists_private(listing) && !goes_back(subject, ends, flow, listing))
}

/// Returns true if and only if a conversation is told what was read of it: it is named by what the same listing gave.
fn goes_back(subject: &Subject, ends: &Ends, flow: &Flow, listing: &Call) -> bool {
    let names_it = |other: &&Flow| {
        let origin = subject.origins.get(other.origin).and_then(|origin| subject.calls.get(origin.call?.tool()?));
        let key = other.argument.rsplit('.').next().map(words).unwrap_or_default();
        key.iter().any(|word| word == "channel" || word == "conversation") && origin.is_some_and(|origin| origin.span == listing.span)
    };
    let index = Ends::index(subject, flow.sink);
    ends.flows_into(subject, index).filter(|other| other.strength == Strength::Whole).any(|other| names_it(&other))
}

fn names(call: &Call, named: &str) -> bool {
    call.tool.name().is_some_and(|name| words(name).iter().any(|word| list(named).contains(&word.as_str())))
}

/// `graph:list_users`, `directory:members`.
fn lists_people(call: &Call) -> bool {
    call.tool.name().is_some_and(|name| Tag::People.has_any(words(name).iter()))
}

/// `slack:list_channels { types: 'im,mpim,private_channel' }`.
fn lists_private(call: &Call) -> bool {
    let is_private = |text: &str| words(text).iter().any(|word| list("private-conversations").contains(&word.as_str()));
    texts(&call.argument).iter().any(|text| text.is_known && is_private(text.text))
}
