//! What tells little by itself: what one cell of a sheet says, and what files and pages are called.

use crate::knowledge::api::api;
use crate::knowledge::command::list;
use crate::knowledge::host::is_drop;
use crate::knowledge::provider::registrable;
use crate::knowledge::words::Tag;
use crate::knowledge::{Sensitivity, Side, SinkKind};
use crate::meaning::argument::{choices, texts};
use crate::meaning::authority::host;
use crate::meaning::belonging::{is_key_of_step, is_to_service, shows_own_key};
use crate::meaning::passage::{Ends, Passage, is_profile_of_oneself};
use crate::meaning::reach::{Place, Reach};
use crate::meaning::read::Read;
use crate::meaning::reads::is_contact_of_oneself;
use crate::meaning::recipient::is_of_other_account;
use crate::subject::Subject;
use crate::subject::call::{Call, HostCall, Value};
use crate::subject::flow::{Flow, Origin, OriginKind, Strength, Way};
use crate::subject::segment::HOLE;
use crate::value::words::{joined, split_owner, words};

/// Returns true if and only if what flows tells little by itself where it goes.
pub fn tells_little(subject: &Subject, passage: &Passage, flow: &Flow, reach: &Reach, shows_known: impl FnOnce() -> bool) -> bool {
    let (read, is_address) = (&passage.read, passage.place == Place::Target);
    is_address && !reach.is_repeated && is_one_cell(subject, flow, read)
        || !is_address && is_name_of_thing(subject, flow, read) && !reach.shown.as_deref().is_some_and(is_drop)
        || !reach.is_repeated && is_of_payment(flow, read, reach) && !shows_known()
        || is_signature(subject, flow, reach)
        || is_amount_moved(flow, read, reach)
        || is_published(subject, flow, read, reach)
        || is_address && is_own_setting(subject, flow, read, reach) && !reach.shown.as_deref().is_some_and(is_drop)
        || is_own_sender(subject, flow)
        || is_key_of_measuring(subject, flow, reach)
        || is_number_of_thing(subject, flow, read)
        || is_put_back(subject, flow, reach) && !is_of_other_account(subject, flow)
        || is_to_service(reach) && is_key_of_step(subject, flow)
}

/// Returns true if and only if a file that whoever runs the script names is handed to a service with the key that is named after it: a
/// picture that is to be changed.
pub fn is_handed_file(subject: &Subject, ends: &Ends, passage: &Passage, flow: &Flow) -> bool {
    let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::File && flow.field.is_empty());
    let Some(call) = origin.and_then(|origin| origin.call) else { return false };
    let named = || ends.flows_into(subject, Ends::index(subject, call)).filter(|named| Strength::Bit < named.strength);
    let is_typed = |named: &Flow| subject.origins.get(named.origin).is_some_and(|origin| origin.kind == OriginKind::UserInput);
    let is_named = named().next().is_some() && named().all(is_typed);
    is_named && !ends.reach(passage).is_none_or(|reach| reach.is_repeated) && shows_own_key(subject, ends, passage.reach)
}

/// Returns true if and only if what flows is one plain field of a file of settings that lies beside the script: `config.latitude`.
fn is_own_setting(subject: &Subject, flow: &Flow, read: &Read, reach: &Reach) -> bool {
    let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::File);
    let Some(path) = origin.and_then(|origin| origin.detail.as_deref()) else { return false };
    let is_beside = path.starts_with("./") || path.starts_with("…/") || path.starts_with(HOLE) || !path.contains(['/', '\\', '~']);
    let is_settings = list("endings-of-settings").iter().any(|end| path.ends_with(end));
    // A service that is known is asked about each of a list that the project keeps: `sources.yaml`.
    let is_known = reach.is_constant && is_to_service(reach) && !is_to_chat(reach) && path.matches("..").count() <= 1;
    let is_one = !reach.is_repeated && !path.contains("..") && !flow.field.contains("[]");
    let is_field = !flow.field.is_empty() && (is_one || is_known);
    is_beside && is_settings && is_field && flow.is_followed() && !read.is_secret() && read.sensitivity <= Some(Sensitivity::Internal)
}

/// Returns true if and only if a call leads to where people read what is sent.
pub fn is_to_chat(reach: &Reach) -> bool {
    let host = reach.shown.as_deref().and_then(host);
    host.is_some_and(|host| registrable(&host).is_some_and(|domain| list("domains-of-chats").contains(&domain)))
}

/// Returns true if and only if a place of an argument is the query of an address: `url.searchParams`.
fn is_in_query(argument: &str) -> bool {
    argument.split('.').nth(1) == Some("searchParams")
}

/// Returns true if and only if what flows stands in a file that the script keeps itself, by the same path: a list of what is watched.
/// What is put there that tells something has made the file as sensitive.
pub fn is_own_state(subject: &Subject, passage: &Passage, flow: &Flow, reach: &Reach) -> bool {
    let read = &passage.read;
    if passage.place != Place::Target && !is_in_query(&flow.argument) || reach.shown.as_deref().is_some_and(is_drop) {
        return false;
    }
    let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::File);
    let Some(path) = origin.and_then(|origin| origin.detail.as_deref()) else { return false };
    let is_settings = list("endings-of-settings").iter().any(|end| path.ends_with(end));
    let writes = |call: &HostCall| {
        let target = call.arguments.first().into_iter().flat_map(choices).filter_map(|place| match place {
            Value::String(text, _) | Value::Partial(text, _) => Some(text),
            _ => None,
        });
        api(&call.api).is_some_and(|api| api.sink == Some(SinkKind::FileWrite)) && target.into_iter().any(|own| own == path)
    };
    is_settings && !read.is_secret() && read.sensitivity <= Some(Sensitivity::Internal) && subject.host_calls.iter().any(writes)
}

/// Returns true if and only if a package that counts how a product is used is made with the key of its project, which all who use that
/// product can read.
fn is_key_of_measuring(subject: &Subject, flow: &Flow, reach: &Reach) -> bool {
    let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Environment);
    let names_kit = |name: &str| words(name).iter().any(|word| list("measuring-kits").contains(&word.as_str()));
    let is_named = origin.and_then(|origin| origin.detail.as_deref()).is_some_and(names_kit);
    split_owner(&reach.name).0 == "analytics" && is_named
}

/// Returns true if and only if what flows is the answer of a program's own function that by its name tells one number or short name
/// of something: `getCurrentAccountId()`.
fn is_number_of_thing(subject: &Subject, flow: &Flow, read: &Read) -> bool {
    let Some(origin) = subject.origins.get(flow.origin) else { return false };
    let call = || origin.call.and_then(|call| subject.calls.get(call.tool()?));
    let is_own = match origin.kind {
        OriginKind::Program => true,
        OriginKind::Tool => call().is_some_and(|call| subject.is_of_program(call) && !call.is_repeated()),
        _ => false,
    };
    let name = origin.name.rsplit(['.', ':']).next().map(words).unwrap_or_default();
    let tells_number = name.last().is_some_and(|last| list("numbers-of-things").contains(&last.as_str()));
    is_own && tells_number && flow.field.is_empty() && !read.is_secret() && !read.is_many
}

/// Returns true if and only if what flows is one's own address, and stands where a mail says who sends it or whom to answer.
fn is_own_sender(subject: &Subject, flow: &Flow) -> bool {
    let field = flow.field.rsplit('.').next().map(joined).unwrap_or_default();
    // A file of accounts says as whom one writes: `{ "from": … }`.
    let is_kept = |origin: &Origin| origin.kind == OriginKind::File && Tag::SenderKey.has(&field);
    let is_own = subject.origins.get(flow.origin).is_some_and(|origin| is_contact_of_oneself(&origin.name) || is_kept(origin));
    let key = flow.argument.rsplit('.').next().map(joined).unwrap_or_default();
    is_own && (Tag::SenderKey.has(&key) || list("answering-keys").contains(&key.as_str()))
}

/// Returns true if and only if what may flow by a way that is not followed is no more than the house's, and goes to nobody who is written
/// out: it may only have been asked about.
pub fn is_faint(flow: &Flow, read: &Read, reach: &Reach) -> bool {
    let is_plain = read.kind == OriginKind::Tool && read.sensitivity <= Some(Sensitivity::Internal) && !read.is_secret();
    flow.way == Way::Open && is_plain && !(reach.side == Side::Outside && reach.is_constant)
}

/// Returns true if and only if a label of a record is put on a record of the same service again: its tags, its state.
pub fn is_put_back(subject: &Subject, flow: &Flow, reach: &Reach) -> bool {
    let label = |path: &str| path.rsplit('.').find(|part| *part != "[]").map(joined).unwrap_or_default();
    let owner = subject.origins.get(flow.origin).map(|origin| split_owner(&origin.name).0);
    let (from, to) = (label(&flow.field), label(&flow.argument));
    from == to && list("labels-of-records").contains(&to.as_str()) && owner == Some(split_owner(&reach.name).0)
}

/// Returns true if and only if what flows says how much money a tool moves, or is asked to: it tells nobody anything.
fn is_amount_moved(flow: &Flow, read: &Read, reach: &Reach) -> bool {
    let name = words(split_owner(&reach.name).1);
    let moves = name.iter().any(|word| Tag::MovingMoney.has(word) || Tag::PerhapsMovingMoney.has(word));
    let is_amount = flow.argument.rsplit('.').next().is_some_and(|last| Tag::AmountKey.has(&joined(last)));
    reach.api.is_none() && moves && is_amount && !read.is_secret() && reach.side != Side::Outside && !flow.field.is_empty()
}

/// Returns true if and only if what flows is how the person for whom the script runs is called or reached, which a message to somebody
/// who is not written out in the script says of its sender.
fn is_signature(subject: &Subject, flow: &Flow, reach: &Reach) -> bool {
    let Some(origin) = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Tool) else { return false };
    let asked = origin.call.and_then(|call| subject.calls.get(call.tool()?)).map(|call| texts(&call.argument)).unwrap_or_default();
    let names_oneself = !asked.is_empty() && asked.iter().all(|text| list("oneself").contains(&text.text));
    let is_said = list("signed-with").contains(&joined(&flow.field).as_str());
    let is_message = reach.does(SinkKind::Mail) || reach.does(SinkKind::Chat);
    is_said && is_message && !reach.is_constant && (names_oneself || asked.is_empty() && is_profile_of_oneself(&origin.name))
}

/// Returns true if and only if what flows is what one cell of a sheet says, which tells of nobody by itself: what is asked about
/// stands there.
fn is_one_cell(subject: &Subject, flow: &Flow, read: &Read) -> bool {
    let Some(origin) = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Tool) else { return false };
    let (owner, name) = split_owner(&origin.name);
    let has = |name: &str, named: &str| words(name).last().is_some_and(|last| list(named).contains(&last.as_str()));
    let is_once =
        origin.call.and_then(|call| call.tool()).and_then(|index| subject.calls.get(index)).is_none_or(|call| !call.is_repeated());
    let is_plain = read.sensitivity <= Some(Sensitivity::Internal) && !read.is_many && flow.field.is_empty();
    is_plain && is_once && has(owner, "owners-of-cells") && has(name, "one-cell")
}

/// Returns true if and only if what flows is what files, folders or pages are called, or when they were changed, not what stands in
/// them; or in which state or of which kind things are, which is the same for many of them.
fn is_name_of_thing(subject: &Subject, flow: &Flow, read: &Read) -> bool {
    let Some(origin) = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Tool) else { return false };
    let last = flow.field.rsplit('.').find(|part| !part.is_empty() && *part != "[]").map(joined).unwrap_or_default();
    let is_of_things = words(&origin.name).iter().any(|word| list("named-things").contains(&word.as_str()));
    let tells_little = is_of_things && list("names-of-things").contains(&last.as_str()) || list("category-fields").contains(&last.as_str());
    read.sensitivity <= Some(Sensitivity::Internal) && tells_little
}

/// Returns true if and only if what flows is part of one record and goes to a service that makes payments: it is told what it pays,
/// and to whom.
fn is_of_payment(flow: &Flow, read: &Read, reach: &Reach) -> bool {
    let host = reach.shown.as_deref().filter(|_| reach.side == Side::Outside && reach.is_constant).and_then(host);
    let is_there = host.and_then(|host| registrable(&host).map(|domain| list("payment-hosts").contains(&domain))).unwrap_or(false);
    is_there && !read.is_secret() && !read.is_many && !flow.field.is_empty() && read.sensitivity != Some(Sensitivity::Health)
}

/// Returns true if and only if what was written to be published is published: what goes to one host alone is no publication.
fn is_published(subject: &Subject, flow: &Flow, read: &Read, reach: &Reach) -> bool {
    let is_plain =
        reach.api.is_none() && reach.does(SinkKind::Publish) && !read.is_secret() && read.sensitivity <= Some(Sensitivity::Internal);
    let origin = subject.origins.get(flow.origin).filter(|origin| is_plain && origin.kind == OriginKind::Tool);
    origin.is_some_and(|origin| {
        let call = origin.call.and_then(|call| subject.calls.get(call.tool()?));
        is_for_readers(call, &origin.name)
    })
}

/// Returns true if and only if what is read was written to be published: `blog:list_posts`, a sheet `Content calendar`.
fn is_for_readers(call: Option<&Call>, name: &str) -> bool {
    let says = |text: &str| words(text).iter().any(|word| list("material-for-readers").contains(&word.as_str()));
    let is_content = |text: &str| {
        let said = words(text);
        said.windows(2).any(|pair| matches!(pair, [first, second] if first == "content" && (second == "calendar" || second == "plan")))
    };
    let mut found = says(name);
    if let Some(call) = call {
        call.argument.visit("", &mut |key, value| {
            let holds = || list("keys-of-holders").contains(&joined(key).as_str());
            found |= matches!(value, Value::String(text, _) if holds() && (says(text) || is_content(text)));
        });
    }
    found
}
