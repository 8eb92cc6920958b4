//! What somebody sends in, and where a handler passes it on: to its own backend, to a service, or to somebody else beside it.

use crate::knowledge::command::list;
use crate::knowledge::host::is_drop;
use crate::knowledge::provider::{is_service, is_sign_in};
use crate::knowledge::words::Tag;
use crate::knowledge::{Sensitivity, Side, SinkKind};
use crate::meaning::authority::host;
use crate::meaning::passage::{Ends, Passage};
use crate::meaning::reach::{Place, Reach};
use crate::meaning::reaches::addresses;
use crate::meaning::slight::is_to_chat;
use crate::subject::Subject;
use crate::subject::flow::{Flow, Strength};
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, split_owner, words};

/// How bad it is that what somebody sent in goes on to where it goes.
///
/// A handler passes on what it gets: that is its work. Passwords and cards go to whoever checks them.
pub fn incoming(subject: &Subject, passage: &Passage, reach: &Reach, is_to_stranger: bool) -> Option<(Severity, Action)> {
    let is_dear = matches!(passage.read.sensitivity, Some(Sensitivity::Authentication | Sensitivity::Financial | Sensitivity::Health));
    let is_to_drop = reach.shown.as_deref().is_some_and(is_drop);
    match reach.side {
        Side::Inside => None,
        _ if is_to_drop => Some((Severity::Critical, Action::Block)),
        Side::Unknown if is_dear && is_to_stranger && reach.has_target => Some((Severity::High, Action::Confirm)),
        Side::Unknown => None,
        // Who somebody is belongs in no address of somebody else's.
        Side::Outside if is_told_by_address(subject, passage, reach) => Some((Severity::Critical, Action::Block)),
        Side::Outside if !is_dear || passage.place == Place::Entrance || !reach.is_constant => Some((Severity::Low, Action::Log)),
        // Nobody signs in by a message in a chat.
        Side::Outside if is_told_in_chat(subject, passage, reach) => Some((Severity::Critical, Action::Block)),
        Side::Outside if is_checked_there(subject, reach) => Some((Severity::Low, Action::Log)),
        Side::Outside => Some((Severity::Critical, Action::Block)),
    }
}

/// Returns true if and only if what tells who somebody is stands in the address of a host that the script names.
fn is_told_by_address(subject: &Subject, passage: &Passage, reach: &Reach) -> bool {
    let is_whole = subject.flows.get(passage.flow).is_some_and(|flow| flow.is_followed() && flow.strength == Strength::Whole);
    let is_personal = Some(Sensitivity::Personal) <= passage.read.sensitivity;
    is_personal
        && is_whole
        && matches!(passage.place, Place::Target | Place::Cover)
        && reach.is_constant
        && !is_checked_there(subject, reach)
}

/// How bad it is that all of what somebody sent in, or all of its headers, goes to somebody else.
pub fn passed_on(subject: &Subject, ends: &Ends, passage: &Passage, is_to_stranger: bool) -> Option<(Severity, Action)> {
    let (flow, reach) = (subject.flows.get(passage.flow)?, ends.reach(passage)?);
    if is_copied(subject, ends, passage) || is_bridged(subject, flow, passage, reach) {
        return Some((Severity::Critical, Action::Block));
    }
    if let Some(relayed) = relayed(subject, ends, passage) {
        return Some(relayed);
    }
    // The log-in of whoever calls goes wherever the caller says.
    let has_headers = flow.strength == Strength::Whole && flow.field.rsplit('.').next() == Some(HEADERS) && flow.is_followed();
    let is_open = is_to_stranger && reach.side == Side::Unknown && reach.has_target && passage.place != Place::Target;
    if has_headers && is_open {
        return Some((Severity::High, Action::Confirm));
    }
    // How a caller gets in is told to somebody else, where one does not sign in.
    let is_login =
        has_headers || flow.is_followed() && flow.field.rsplit('.').next().is_some_and(|last| Tag::LoginHeader.has(&joined(last)));
    let is_away = reach.side == Side::Outside && reach.is_constant && !is_checked_there(subject, reach);
    let is_told = is_login && flow.strength == Strength::Whole && passage.place == Place::Data;
    (is_told && is_away).then_some((Severity::Critical, Action::Block))
}

/// Returns true if and only if what comes in is handed to a broker elsewhere: whatever a queue of the house brings, from then on.
fn is_bridged(subject: &Subject, flow: &Flow, passage: &Passage, reach: &Reach) -> bool {
    let is_broker = Tag::Broker.has_any(words(split_owner(&reach.name).0));
    let is_away = reach.side == Side::Outside && reach.is_constant && !is_checked_there(subject, reach);
    is_broker && is_away && passage.place == Place::Data && flow.is_followed() && flow.strength == Strength::Whole
}

/// What people write in a chat, whichever it is, and a broker's messages go on to a host that the script names. A bot that answers
/// looks at what somebody wrote before it asks others.
fn relayed(subject: &Subject, ends: &Ends, passage: &Passage) -> Option<(Severity, Action)> {
    let (flow, reach) = (subject.flows.get(passage.flow)?, ends.reach(passage)?);
    let origin = subject.origins.get(flow.origin)?;
    let is_chat = list("conversations").contains(&origin.name.as_str());
    let is_of_broker = origin.name == BROKER;
    let is_payload = |field: &str| {
        let last = field.rsplit('.').next().unwrap_or(field);
        field == PAYLOAD || is_of_broker && list("message-payloads").contains(&last)
    };
    // A client of a chat may be led to a server of somebody else's.
    let is_led = || reach.does(SinkKind::Chat) && reach.shown.as_deref().is_some_and(|shown| shown.contains("://"));
    let is_away = (reach.outgoing() == Some(SinkKind::Network) || is_led()) && reach.side == Side::Outside && reach.is_constant;
    let is_text = |field: &str| {
        let named = field.rsplit('.').next().map(joined).unwrap_or_default();
        field.is_empty() || is_payload(field) || Tag::WrappingKey.has(field) || Tag::WholeText.has(&named)
    };
    let is_whole = passage.place == Place::Data && flow.is_followed() && flow.strength == Strength::Whole && is_text(&flow.field);
    if is_chat && is_whole && is_sent_on(reach) {
        return Some((Severity::High, Action::Confirm));
    }
    // What somebody wrote or showed to a bot alone, which everybody can read from then on.
    let is_handed_on = flow.is_followed() && flow.strength == Strength::Whole && passage.place != Place::Target;
    if is_chat && is_handed_on && is_open_channel(reach) {
        return Some((Severity::Critical, Action::Block));
    }
    if !is_chat || !is_away || !is_whole || is_checked_there(subject, reach) && !is_other_chat(subject, reach) {
        return None;
    }
    let into = || {
        ends.into
            .get(passage.reach)
            .into_iter()
            .flatten()
            .filter_map(|at| subject.flows.get(*at))
            .filter(|other| other.origin == flow.origin)
    };
    let is_chosen = into().any(|other| other.strength <= Strength::Bit && is_text(&other.field));
    let tells_who = into().any(|other| other.strength == Strength::Whole && other.is_followed() && other.field != flow.field);
    let is_all = is_all(flow) || is_payload(&flow.field) || tells_who;
    // That there is a text chooses none of those who write.
    let is_mirrored = tells_who && is_other_chat(subject, reach);
    (!is_chosen || is_mirrored).then_some(if is_all { (Severity::Critical, Action::Block) } else { (Severity::High, Action::Confirm) })
}

/// Returns true if and only if a request leads to another chat than the one that the program is a client of.
fn is_other_chat(subject: &Subject, reach: &Reach) -> bool {
    let host = reach.shown.as_deref().and_then(host).unwrap_or_default();
    let known = list("hosts-of-chats").iter().filter_map(|pair| pair.split_once('='));
    let mut services = known.filter(|(own, _)| *own == host).map(|(_, service)| service);
    let is_client = |service: &str| subject.calls.iter().any(|call| call.tool.name().is_some_and(|name| split_owner(name).0 == service));
    services.any(|service| !is_client(service))
}

/// Returns true if and only if a message goes to a number that is written out.
fn is_sent_on(reach: &Reach) -> bool {
    let is_number = |shown: &str| shown.starts_with('+') && shown.bytes().skip(1).all(|byte| byte.is_ascii_digit());
    reach.does(SinkKind::Chat) && reach.is_constant && reach.shown.as_deref().is_some_and(is_number)
}

/// Returns true if and only if a message goes to a channel that is open to everybody, which is written out by its public name.
fn is_open_channel(reach: &Reach) -> bool {
    let is_name = |shown: &str| {
        shown.strip_prefix('@').is_some_and(|name| 4 < name.len() && name.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'_'))
    };
    let owner = split_owner(&reach.name).0;
    owner == OPEN_CHANNELS && reach.shown.as_deref().is_some_and(is_name)
}

/// The service whose channels have a public name only where everybody may read them.
const OPEN_CHANNELS: &str = "telegram";

/// What is read of a broker's queue.
const BROKER: &str = "a message";

/// The field of a message that holds all that it brings.
const PAYLOAD: &str = "data";

/// The field of a request that holds how its caller gets in.
const HEADERS: &str = "headers";

/// Returns true if and only if all of what somebody sent in goes to a host that the script names, beside the way that it goes on.
fn is_copied(subject: &Subject, ends: &Ends, passage: &Passage) -> bool {
    let (Some(flow), Some(reach)) = (subject.flows.get(passage.flow), ends.reach(passage)) else { return false };
    // Where one signs in there is nothing that goes on elsewhere besides.
    let is_foreign = reach.side == Side::Outside && reach.is_constant && reach.outgoing().is_some() && !is_known_service(reach);
    if !is_foreign || passage.place != Place::Data || !is_all(flow) {
        return false;
    }
    ends.passages.iter().any(|other| {
        let (Some(way), Some(to)) = (subject.flows.get(other.flow), ends.reach(other)) else { return false };
        let goes_on = other.place != Place::Entrance && to.side != Side::Outside;
        way.origin == flow.origin && other.reach != passage.reach && is_body(&way.field) && way.strength == Strength::Whole && goes_on
    })
}

/// Returns true if and only if a flow is of all that came in, or of all that its body holds: also put into a list, or into an
/// object, entry by entry.
fn is_all(flow: &Flow) -> bool {
    let is_entry = |part: &str| matches!(part, "[]" | "0" | "1" | "*");
    let is_of_each = !flow.field.is_empty() && flow.field.split('.').all(is_entry);
    let is_whole = is_body(&flow.field) || is_of_each || Tag::WrappingKey.has(&flow.field);
    flow.is_followed() && flow.strength == Strength::Whole && is_whole
}

/// Returns true if and only if a field of a request is all that it brings.
fn is_body(field: &str) -> bool {
    field.is_empty() || field.strip_suffix(".[]").unwrap_or(field) == BODY
}

/// The field of a request that holds all that it brings.
const BODY: &str = "body";

/// Returns true if and only if what lets somebody in is written into a chat.
fn is_told_in_chat(subject: &Subject, passage: &Passage, reach: &Reach) -> bool {
    let signs_in = || addresses(reach, subject).iter().any(|address| is_sign_in(address));
    is_to_chat(reach) && passage.read.is_secret() && passage.place == Place::Data && !signs_in()
}

/// Returns true if and only if a call leads to a service that is known, or to where one signs in.
fn is_checked_there(subject: &Subject, reach: &Reach) -> bool {
    let addresses = addresses(reach, subject);
    is_known_service(reach) || !addresses.is_empty() && addresses.iter().all(|address| is_sign_in(address))
}

fn is_known_service(reach: &Reach) -> bool {
    reach.shown.as_deref().and_then(host).is_some_and(|host| is_service(&host))
}
