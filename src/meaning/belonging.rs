//! Credentials in use: what lets somebody in, shown to the service that it belongs to, where one signs in.

use crate::knowledge::command::list;
use crate::knowledge::destination::Side;
use crate::knowledge::host::is_drop;
use crate::knowledge::provider::{
    Belonging, belonging, is_nobodys, is_of_another, is_one_family, is_one_service, is_service, is_sign_in, registrable, takes_key_in_url,
};
use crate::knowledge::words::Tag;
use crate::knowledge::{Sensitivity, SinkKind};
use crate::meaning::argument::text;
use crate::meaning::authority::host;
use crate::meaning::line::also_signs_in;
use crate::meaning::passage::{Ends, Passage};
use crate::meaning::reach::{Place, Reach};
use crate::meaning::reaches::{addresses, values_at};
use crate::meaning::read::Read;
use crate::meaning::reads::{command_of, is_one_entry, is_one_variable};
use crate::subject::Subject;
use crate::subject::call::Value;
use crate::subject::dialect::Dialect;
use crate::subject::flow::{CallRef, Flow, Origin, OriginKind, Strength, Way};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, split_owner, words};

/// Keys are no shorter.
const LONG: usize = 12;
/// What joins commands, or ends one: words behind these may be anybody's.
const OPERATORS: [char; 7] = [';', '|', '&', '#', '>', '<', '\n'];

/// Returns true if and only if a request goes where an answer of the service says to which the same credential belongs: the address of
/// the next page.
fn follows_own_answer(subject: &Subject, ends: &Ends, passage: &Passage, reach: &Reach) -> bool {
    let is_open = passage.place == Place::Entrance && reach.shown.is_none() && !reach.is_constant;
    let Some(flow) = subject.flows.get(passage.flow).filter(|_| is_open) else { return false };
    let answers = ends.flows_into(subject, passage.reach).filter(|led| {
        let is_answer = subject.origins.get(led.origin).is_some_and(|origin| origin.kind == OriginKind::Network);
        is_answer && reach.place(&led.argument) == Place::Target && Strength::Bit < led.strength
    });
    let asked: Vec<usize> = answers
        .filter_map(|led| subject.origins.get(led.origin)?.call)
        .map(|call| Ends::index(subject, call))
        .filter(|asked| *asked != passage.reach)
        .collect();
    !asked.is_empty()
        && asked.iter().all(|asked| {
            let shown = ends.passages.iter().filter(|other| other.reach == *asked && other.place == Place::Entrance);
            let mut of_same = shown.filter(|other| subject.flows.get(other.flow).is_some_and(|other| other.origin == flow.origin));
            of_same.any(|other| ends.reach(other).is_some_and(|reach| reach.is_constant) && belongs(subject, ends, other))
        })
}

/// Returns true if and only if what flows is shown to the service that it belongs to, in a place where one signs in, by what it is
/// called or where it comes from.
pub fn belongs(subject: &Subject, ends: &Ends, passage: &Passage) -> bool {
    let Some(flow) = subject.flows.get(passage.flow) else { return false };
    let (Some(origin), Some(reach)) = (subject.origins.get(flow.origin), ends.reach(passage)) else { return false };
    // Who chooses by name which key to show a service shows it where one signs in, and once.
    if is_one_entry(subject, origin) && passage.place == Place::Entrance && is_to_service(reach) && !reach.is_repeated {
        return true;
    }
    if passage.read.is_many && flow.field.is_empty() || reach.shown.as_deref().is_some_and(is_drop) {
        return false;
    }
    if is_led_astray(subject, ends, passage, reach) {
        return false;
    }
    if passage.place == Place::Target && is_login(subject, ends, origin, flow, reach) {
        return true;
    }
    if follows_own_answer(subject, ends, passage, reach) {
        return true;
    }
    if is_exchanged_at_issuer(subject, passage, origin, reach) {
        return true;
    }
    let Some(belonging) = of_host(subject, ends, origin, flow, reach).or_else(|| of_settings(subject, ends, passage, origin)) else {
        return passage.place == Place::Entrance && is_of_kit(subject, &names(subject, ends, origin, flow), reach);
    };
    // An answer about a secret tells the service nothing that it does not know.
    if flow.strength < Strength::Whole {
        return true;
    }
    // What goes to its own service alone, which is no place where others read what is sent there, is known there.
    let is_told_to_own = belonging.is_named && origin.kind != OriginKind::Network && passage.read.is_secret();
    if is_told_to_own && reach.shown.as_deref().and_then(host).is_some_and(|host| !is_service(&host)) {
        return true;
    }
    let addresses = addresses(reach, subject);
    let is_issuer = !addresses.is_empty() && addresses.iter().all(|address| is_sign_in(address));
    match passage.place {
        Place::Entrance => true,
        Place::Target => {
            let is_key = || !addresses.is_empty() && addresses.iter().all(|address| has_key(address));
            belonging.is_in_url || is_issuer && passage.read.is_secret() || is_told_to_own && is_key()
        }
        Place::Cover | Place::Setting | Place::Data => {
            is_header(&flow.argument)
                || is_told_to_own && is_parameter(subject, reach, &flow.argument, belonging)
                || is_issuer && passage.read.is_secret()
                || is_told_to_own && is_shown_in_line(subject, reach)
                || flow.way != Way::Followed && passage.read.is_secret()
        }
    }
}

/// Returns true if and only if what a log-in handed out is sent where a known service gives out tokens: nobody else learns it there.
fn is_exchanged_at_issuer(subject: &Subject, passage: &Passage, origin: &Origin, reach: &Reach) -> bool {
    let is_handed_out = origin.kind == OriginKind::Tool && split_owner(&origin.name).1.ends_with("access_token");
    let addresses = addresses(reach, subject);
    let is_issuer = !addresses.is_empty() && addresses.iter().all(|address| is_sign_in(address));
    is_handed_out && passage.place == Place::Data && reach.is_constant && is_to_service(reach) && is_issuer
}

/// Returns true if and only if somebody elsewhere says how the host begins to which a call leads: whoever writes a `/` there names
/// another one. Or whoever calls names the whole address, and nothing else leads there.
pub fn is_led_astray(subject: &Subject, ends: &Ends, passage: &Passage, reach: &Reach) -> bool {
    let into = ends.into.get(passage.reach).into_iter().flatten().filter_map(|at| subject.flows.get(*at));
    let into: Vec<&Flow> = into.collect();
    let leading: Vec<&Flow> =
        into.iter().copied().filter(|flow| Strength::Bit < flow.strength && reach.place(&flow.argument) == Place::Target).collect();
    if reach.shown.as_deref().is_none_or(|shown| matches!(shown, "…")) && is_led_by_caller(subject, &into, &leading) {
        return true;
    }
    let Some(shown) = reach.shown.as_deref() else { return false };
    let Some((_, rest)) = shown.split_once("://") else { return false };
    let is_hole = |character: char| matches!(character, '…' | HOLE);
    let (name, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    if !name.contains(is_hole) || path.contains(is_hole) {
        return false;
    }
    // Of several addresses what was answered may stand in the paths of others.
    let has_path = |address: &String| {
        let rest = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
        rest.split_once('/').is_some_and(|(_, path)| path.contains(is_hole))
    };
    if path.is_empty() && addresses(reach, subject).iter().any(has_path) {
        return false;
    }
    leading.iter().any(|flow| {
        let from = subject.origins.get(flow.origin).filter(|from| from.kind == OriginKind::Network);
        let to = host(shown);
        from.is_some_and(|from| !from.detail.as_deref().zip(to.as_deref()).is_some_and(|(from, to)| is_same_issuer(from, to)))
    })
}

/// The field of a request that holds its own address, and how its parts begin.
const OWN_ADDRESS: &str = "url";
const OWN_PARTS: &str = "url.[]";

/// Returns true if and only if whoever calls names the whole address: `?url=…`. What stands deeper in what is sent in was put there by
/// the service that sends it.
fn is_led_by_caller(subject: &Subject, into: &[&Flow], leading: &[&Flow]) -> bool {
    // What stands in a body may have been put there by a service whose hook this is.
    let is_asked =
        |field: &str| field.starts_with(OWN_PARTS) || field.split('.').next().is_some_and(|first| matches!(first, "query" | "params"));
    let is_own_word = |field: &str| is_asked(field) || leading.iter().any(|other| is_asked(&other.field));
    let is_sent_in = |flow: &Flow| subject.origins.get(flow.origin).is_some_and(|origin| origin.kind == OriginKind::Incoming);
    let is_checked = |flow: &Flow| {
        into.iter().any(|other| other.origin == flow.origin && other.field == flow.field && other.strength == Strength::Control)
    };
    // What was asked for goes on to the host that answers for it: `fetch(request.url)`.
    let is_own = |flow: &Flow| flow.field == OWN_ADDRESS && !leading.iter().any(|other| other.field.starts_with(OWN_PARTS));
    let named = |flow: &Flow| is_own_word(&flow.field) && flow.is_followed() && flow.strength == Strength::Whole;
    !leading.is_empty() && leading.iter().all(|flow| is_sent_in(flow) && named(flow) && !is_checked(flow) && !is_own(flow))
}

/// Returns true if and only if a setting says how the address begins to which a call leads, up to its path: `${process.env.ACME_URL}/v1/…`.
/// What somebody sent in that is named as an address may stand first.
pub fn begins_as_set(subject: &Subject, reach: &Reach, leading: &[&Flow]) -> bool {
    let rest = reach.shown.as_deref().and_then(|shown| shown.strip_prefix(['…', HOLE]));
    let whole = || leading.iter().filter(|flow| flow.strength == Strength::Whole);
    let names_address = |name: &str| words(name).last().is_some_and(|last| Tag::TargetWord.has(last) || Tag::ServerKey.has(last));
    let origin = |flow: &&&Flow| subject.origins.get(flow.origin);
    let is_set = |flow: &&Flow| origin(&flow).and_then(variable).is_some_and(names_address);
    let is_sent_in = |flow: &&Flow| {
        let is_incoming = origin(&flow).is_some_and(|origin| matches!(origin.kind, OriginKind::Incoming | OriginKind::UserInput));
        is_incoming && (flow.field.is_empty() || names_address(flow.field.rsplit('.').next().unwrap_or_default()))
    };
    rest.is_some_and(|rest| rest.starts_with('/')) && whole().any(is_set) && !whole().any(is_sent_in)
}

/// Returns true if and only if a secret is one by which what comes in is checked: `WEBHOOK_SECRET`.
pub fn is_for_checking(origin: &Origin) -> bool {
    variable(origin).is_some_and(|name| {
        let words = words(name);
        // `SHOP_WEBHOOK_SECRET` checks what comes in by a hook, `SHOP_WEBHOOK` is where one leads.
        let is_key = words.last().is_some_and(|last| Tag::SecretWord.has(last) && !Tag::Hook.has(last));
        let is_of_hook = is_key && Tag::Hook.has_any(words.iter());
        is_of_hook || Tag::CheckingIncoming.has_any(words)
    })
}

/// Returns true if and only if a secret is one that a known program signs in with, and no key of requests: what lies in the folder of
/// `ssh`, the address of a database.
pub fn is_of_program(origin: &Origin) -> bool {
    match origin.kind {
        OriginKind::File => {
            let path = format!("/{}/", origin.detail.as_deref().unwrap_or_default().replace('\\', "/").to_lowercase());
            let lies_in = |part: &str| path.contains(&format!("{part}/"));
            Tag::VaultFolder.words().chain(Tag::Vault.words()).any(lies_in)
        }
        OriginKind::Environment => {
            let name = variable(origin).unwrap_or_default().to_uppercase();
            Tag::SecretName.words().any(|word| name.ends_with(word))
        }
        _ => false,
    }
}

/// Returns true if and only if an agent's script shows what it takes from a vault by one name to a host that is written out, of which
/// nothing is known, and that is named otherwise.
pub fn is_named_otherwise(subject: &Subject, ends: &Ends, passage: &Passage) -> bool {
    let Some(flow) = subject.flows.get(passage.flow).filter(|flow| Strength::Whole <= flow.strength && flow.is_followed()) else {
        return false;
    };
    let (Some(origin), Some(reach)) = (subject.origins.get(flow.origin), ends.reach(passage)) else { return false };
    let is_taken = subject.dialect == Dialect::AgentScript && origin.kind == OriginKind::Tool && passage.read.is_secret();
    let to = reach.shown.as_deref().filter(|_| is_taken && reach.side == Side::Outside && reach.is_constant && !is_to_service(reach));
    to.and_then(host).is_some_and(|host| {
        let names = names(subject, ends, origin, flow);
        names.iter().any(|name| !is_nobodys(name)) && names.iter().all(|name| belonging(name, &host).is_none())
    })
}

/// Returns true if and only if a call leads to a service that is known.
pub fn is_to_service(reach: &Reach) -> bool {
    reach.shown.as_deref().and_then(host).is_some_and(|host| is_service(&host))
}

/// Returns true if and only if a call shows a known service, at its own host, a secret variable that names no other: it is of the account
/// of whoever set it. Under the service's domain anybody may have a host.
pub fn is_set_up(subject: &Subject, ends: &Ends, reach: usize) -> bool {
    let Some(to) = ends.reaches.get(reach).filter(|to| is_to_service(to) && !shows_known(subject, to)) else { return false };
    let Some(host) = to.shown.as_deref().and_then(host) else { return false };
    let is_own_host = registrable(&host)
        .is_some_and(|domain| domain == host || ["api.", "app.", "www."].iter().any(|begin| host.strip_prefix(begin) == Some(domain)));
    let is_key = |flow: &Flow| {
        let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Environment && origin.detail.is_some());
        let is_other = |origin: &Origin| names(subject, ends, origin, flow).iter().any(|name| is_of_another(name, &host));
        let is_secret = ends.reads.get(flow.origin).is_some_and(Read::is_secret);
        let is_shown = flow.strength == Strength::Whole && to.place(&flow.argument) == Place::Entrance;
        let is_of_step = || (is_shown || to.place(&flow.argument) == Place::Target) && is_key_of_step(subject, flow);
        is_secret && is_shown && origin.is_some_and(|origin| !is_other(origin)) || flow.strength == Strength::Whole && is_of_step()
    };
    is_own_host && ends.into.get(reach).into_iter().flatten().filter_map(|at| subject.flows.get(*at)).any(is_key)
}

/// Returns true if and only if what flows is the key that a step of a workflow was given by that name: whose it is the name does not tell.
pub fn is_key_of_step(subject: &Subject, flow: &Flow) -> bool {
    let is_input = subject.origins.get(flow.origin).is_some_and(|origin| list("inputs-of-steps").contains(&origin.name.as_str()));
    let key = joined(flow.field.rsplit('.').next().unwrap_or_default());
    is_input && list("keys-of-services").contains(&key.as_str())
}

/// Returns true if and only if a call signs in at a service by a key that belongs there, or is one of that service's own package:
/// what goes there goes to the account of whoever has the key.
pub fn is_signed_in(subject: &Subject, ends: &Ends, reach: usize) -> bool {
    let Some(to) = ends.reaches.get(reach) else { return false };
    let host = to.shown.as_deref().filter(|shown| to.api.is_none() && shown.contains("://")).and_then(host);
    let is_own_kit = host.is_some_and(|host| is_service(&host) && belonging(split_owner(&to.name).0, &host).is_some());
    // Whoever names a key after a host of his own has no account there but his own.
    is_own_kit || is_to_service(to) && !shows_known(subject, to) && shows_own_key(subject, ends, reach)
}

/// Returns true if and only if a call shows a key that is named after the host where it goes.
pub fn shows_own_key(subject: &Subject, ends: &Ends, reach: usize) -> bool {
    let Some(to) = ends.reaches.get(reach) else { return false };
    let mut into = ends.into.get(reach).into_iter().flatten().filter_map(|at| subject.flows.get(*at));
    into.any(|flow| {
        let place = to.place(&flow.argument);
        let is_shown = place == Place::Entrance || is_header(&flow.argument);
        let is_own = || subject.origins.get(flow.origin).and_then(|origin| of_host(subject, ends, origin, flow, to));
        // Some services have their key stand in the address.
        let is_at = |belonging: &Belonging| is_shown || belonging.is_in_url && place == Place::Target;
        flow.strength == Strength::Whole && is_own().is_some_and(|belonging| belonging.is_named && is_at(&belonging))
    })
}

/// How bad it is that a secret is put where a project's service keeps its secrets, and shows them to nobody: `set_repository_secret`. Whose
/// project it is a name that is written out does not tell.
pub fn kept_as_secret(subject: &Subject, flow: &Flow, reach: &Reach) -> Option<(Severity, Action)> {
    let call = reach.call.tool().and_then(|index| subject.calls.get(index)).filter(|call| subject.is_of_program(call))?;
    let (owner, name) = split_owner(&reach.name);
    let said = words(name);
    let is_kept = said.last().is_some_and(|last| matches!(last.as_str(), "secret" | "secrets"))
        && said.first().is_some_and(|first| Tag::ChangingRecord.has(first) || Tag::Setting.has(first) || first == "set");
    let last = flow.argument.rsplit('.').next().map(joined).unwrap_or_default();
    let is_there = list("hosts-of-code").contains(&owner) && list("values-of-kept-secrets").contains(&last.as_str());
    if !is_kept || !is_there || reach.side == Side::Outside && reach.is_constant {
        return None;
    }
    let mut is_written = false;
    call.argument.visit_properties(&mut |property| {
        is_written |= list("owners-of-code").contains(&joined(&property.key).as_str()) && matches!(property.value, Value::String(..));
    });
    Some(if is_written { (Severity::High, Action::Confirm) } else { (Severity::Low, Action::Log) })
}

/// Returns true if and only if a client was made with what flows into a call of it: its service has that from the start.
pub fn is_made_with(subject: &Subject, ends: &Ends, passage: &Passage, flow: &Flow) -> bool {
    let Some(reach) = ends.reach(passage) else { return false };
    let mut into = ends.into.get(passage.reach).into_iter().flatten().filter_map(|at| subject.flows.get(*at));
    let is_key = |own: &Flow| own.argument.starts_with("this.") && reach.place(&own.argument) == Place::Entrance;
    !flow.argument.starts_with("this.") && into.any(|own| own.origin == flow.origin && Strength::Whole <= own.strength && is_key(own))
}

/// Returns true if and only if the address of an account is asked about where everybody can look it up.
pub fn is_public_account(flow: &Flow, read: &Read, reach: &Reach) -> bool {
    let is_address = |path: &str| path.rsplit('.').next().is_some_and(|last| words(last).last().is_some_and(|word| word == "address"));
    let is_ledger = reach.api.is_none() && Tag::PublicLedger.has(split_owner(&reach.name).0);
    is_ledger && read.sensitivity <= Some(Sensitivity::Contact) && is_address(&flow.field) && is_address(&flow.argument)
}

/// Returns true if and only if a pair of keys is handed to the package that made it: it signs with it, and shows it to nobody.
pub fn is_signer(subject: &Subject, flow: &Flow, reach: &Reach) -> bool {
    let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Tool);
    let (owner, name) = origin.map(|origin| split_owner(&origin.name)).unwrap_or_default();
    let is_pair = !words(&flow.field).iter().any(|word| Tag::SecretWord.has(word));
    name == "use_private_key" && is_pair && reach.api.is_none() && split_owner(&reach.name).0 == owner
}

/// Returns true if and only if a call shows a key that is written out: that of whoever wrote the script.
pub fn shows_known(subject: &Subject, to: &Reach) -> bool {
    let mut shown = false;
    let mut look = |value: &Value| {
        value.visit("", &mut |key, value| {
            let is_key = || Tag::EntranceKey.has(&joined(key)) || words(key).iter().any(|word| Tag::SecretWord.has(word));
            shown |= matches!(value, Value::String(text, _) if is_like_key(text)) && is_key();
        });
    };
    match to.call {
        CallRef::Host(index) => subject.host_calls.get(index).into_iter().flat_map(|call| &call.arguments).for_each(look),
        CallRef::Tool(index) => subject.calls.get(index).into_iter().for_each(|call| look(&call.argument)),
    }
    shown || addresses(to, subject).iter().any(|address| writes_key(address))
}

/// Returns true if and only if a key is written out in the query of an address: `?key=…`.
fn writes_key(address: &str) -> bool {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let mut pairs = query.split('&').filter_map(|part| part.split_once('='));
    pairs.any(|(key, value)| is_like_key(value) && words(key).iter().any(|word| Tag::SecretWord.has(word)))
}

/// Returns true if and only if a text holds what may be a key, and not what says where one goes: `your_api_key`.
fn is_like_key(text: &str) -> bool {
    LONG <= text.len() && text.split(|character: char| !character.is_ascii_alphanumeric()).any(|part| LONG <= part.len())
}

/// How what is read belongs to the host that it goes to, if it does.
fn of_host(subject: &Subject, ends: &Ends, origin: &Origin, flow: &Flow, reach: &Reach) -> Option<Belonging> {
    // The service is known by the end of its host, whatever stands before.
    let host = reach.shown.as_deref().filter(|_| reach.side != Side::Inside).and_then(host)?;
    if origin.kind == OriginKind::Network {
        return is_same_issuer(origin.detail.as_deref()?, &host).then_some(Belonging { is_in_url: false, is_named: true });
    }
    let names = names(subject, ends, origin, flow);
    let known = names.iter().find_map(|name| belonging(name, &host));
    known.or_else(|| {
        // A key that nothing names but that it is one, where the service's documentation has its key stand.
        // A file of settings that is called after no service may hold the keys of several: `{ "apiKey": … }`.
        let is_settings = origin.kind == OriginKind::File && !flow.field.is_empty() && !is_of_program(origin);
        let is_key = || flow.field.rsplit('.').next().is_some_and(is_nobodys);
        let is_file = |name: &str| is_settings && is_key() && !is_of_another(name, &host);
        let is_unnamed = !names.is_empty() && names.iter().all(|name| is_nobodys(name) || is_file(name));
        let is_keyed = || takes_key_in_url(&host) && addresses(reach, subject).iter().all(|address| has_key(address));
        (is_unnamed && is_service(&host)).then(|| Belonging { is_in_url: is_keyed(), is_named: false })
    })
}

/// Returns true if and only if a key is named like the package that is given it to sign in with, and nothing says where else that
/// leads: `SENDGRID_API_KEY`, `sendgrid:use_key`.
fn is_of_kit(subject: &Subject, names: &[String], reach: &Reach) -> bool {
    let kit = words(split_owner(&reach.name).0).concat();
    // An address that a call names beside is handed to the service; only that of a server leads the call elsewhere.
    let is_told_where = reach.has_target || reach.side != Side::Unknown;
    let is_alone = reach.api.is_none() && !is_nobodys(&kit) && !(is_told_where && names_server(subject, reach));
    let is_named_so = |name: &String| {
        let words = words(name);
        words.contains(&kit) || words.windows(2).any(|pair| pair.concat() == kit)
    };
    is_alone && names.iter().any(is_named_so)
}

/// Returns true if and only if a client of software that people run themselves shows its key to a host that is named like it:
/// `new Gitlab({ host: 'https://gitlab.acme.org', token: process.env.GITLAB_TOKEN })`. It may be the house's own, which only a person can
/// tell.
pub fn is_own_instance(passage: &Passage, reach: &Reach) -> bool {
    let kit = words(split_owner(&reach.name).0).concat();
    let host = reach.shown.as_deref().filter(|_| reach.is_constant).and_then(host);
    let is_named_so = host.is_some_and(|host| host.split('.').next() == Some(kit.as_str()) && 2 < host.split('.').count());
    passage.place == Place::Entrance && reach.api.is_none() && list(SELF_RUN).contains(&kit.as_str()) && is_named_so
}

/// The list of software of which organisations run instances of their own under its name.
const SELF_RUN: &str = "self-run";

/// Returns true if and only if a call's argument says to which server it leads.
fn names_server(subject: &Subject, reach: &Reach) -> bool {
    let Some(call) = reach.call.tool().and_then(|index| subject.calls.get(index)) else { return true };
    let mut found = false;
    call.argument.visit_properties(&mut |property| {
        let is_address = text(&property.value).is_some_and(|text| text.contains("://"));
        let key = joined(&property.key);
        found |= Tag::ServerKey.has(&key) || is_address && Tag::TargetWord.has(&key);
    });
    found
}

/// How what is read belongs to a host that settings of the same family name, or to one that nobody can tell from the one
/// that handed it out.
fn of_settings(subject: &Subject, ends: &Ends, passage: &Passage, origin: &Origin) -> Option<Belonging> {
    let reach = ends.reach(passage)?;
    if reach.side != Side::Unknown {
        return None;
    }
    if origin.kind == OriginKind::Network {
        let is_open = origin.detail.as_deref().and_then(host).is_none();
        return (is_open && passage.read.is_secret()).then_some(Belonging { is_in_url: false, is_named: true });
    }
    if origin.kind == OriginKind::File && is_of_same_file(subject, ends, passage, reach) {
        return Some(Belonging { is_in_url: false, is_named: true });
    }
    let name = variable(origin)?;
    let into = ends.into.get(passage.reach).into_iter().flatten().filter_map(|at| subject.flows.get(*at));
    let mut leading =
        into.filter(|flow| reach.place(&flow.argument) == Place::Target).filter_map(|flow| variable(subject.origins.get(flow.origin)?));
    leading.any(|other| other != name && is_one_family(name, other)).then_some(Belonging { is_in_url: false, is_named: true })
}

/// Returns true if and only if the file in which a key stands says where it is shown: `{ "url": …, "token": … }`.
fn is_of_same_file(subject: &Subject, ends: &Ends, passage: &Passage, reach: &Reach) -> bool {
    let Some(own) = subject.flows.get(passage.flow).filter(|own| own.is_followed() && !own.field.is_empty()) else { return false };
    let file = |flow: &Flow| {
        subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::File).and_then(|origin| origin.detail.clone())
    };
    let is_led = |flow: &&Flow| Strength::Bit < flow.strength && reach.place(&flow.argument) == Place::Target;
    let mut leading = ends.into.get(passage.reach).into_iter().flatten().filter_map(|at| subject.flows.get(*at)).filter(is_led).peekable();
    let is_same = |flow: &Flow| {
        flow.is_followed() && flow.field != own.field && !flow.field.is_empty() && file(flow).is_some() && file(flow) == file(own)
    };
    leading.peek().is_some() && leading.all(is_same)
}

/// The name of a variable of the environment.
fn variable(origin: &Origin) -> Option<&str> {
    let name = origin.detail.as_deref().unwrap_or(&origin.name);
    (origin.kind == OriginKind::Environment)
        .then(|| name.trim_start_matches("process.env").trim_start_matches('.'))
        .filter(|name| !name.is_empty() && !is_one_variable(origin))
}

/// Returns true if and only if what flows stands where an address has its login, `smtps://user:key@host`, and belongs to the service
/// at its host.
fn is_login(subject: &Subject, ends: &Ends, origin: &Origin, flow: &Flow, reach: &Reach) -> bool {
    let names = names(subject, ends, origin, flow);
    let open: Vec<String> = addresses(reach, subject).into_iter().filter(|address| address.contains(['…', HOLE])).collect();
    let is_own = |address: &String| {
        let Some((login, _)) = address.split_once("://").and_then(|(_, rest)| rest.split_once('@')) else { return false };
        let is_within = !login.contains(['/', '?', '#']) && address.matches(['…', HOLE]).count() == login.matches(['…', HOLE]).count();
        let is_known = |host: &String| {
            is_service(host) && names.iter().all(|name| is_nobodys(name)) || names.iter().any(|name| belonging(name, host).is_some())
        };
        is_within && host(address).is_some_and(|host| is_known(&host))
    };
    !names.is_empty() && !open.is_empty() && open.iter().all(is_own)
}

/// By what a secret is named: its variable, its file, the entry of a store.
pub fn names(subject: &Subject, ends: &Ends, origin: &Origin, flow: &Flow) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    match origin.kind {
        OriginKind::Environment => {
            names.extend(variable(origin).map(str::to_owned));
            names.push(flow.field.clone());
        }
        OriginKind::File => {
            // What is read of a file of settings has a name of its own there.
            names.push(flow.field.clone());
            names.extend(origin.detail.clone());
        }
        OriginKind::Storage | OriginKind::Tool => {
            names.push(flow.field.clone());
            // What keeps all settings names none of them.
            if !Tag::SettingsKeeper.has(split_owner(&origin.name).0) {
                names.push(origin.name.clone());
            }
            names.extend(origin.detail.clone());
            let call = origin.call.and_then(|call| call.tool()).and_then(|index| subject.calls.get(index));
            if let Some(call) = call {
                call.argument.visit("", &mut |_, value| match value {
                    Value::String(text, _) => names.push(text.clone()),
                    // Where one signs in for it: `https://accounts.example.com/oauth?redirect=…`.
                    Value::Partial(text, _) => names.extend(host(text)),
                    _ => {}
                });
            }
        }
        // The entry of a key store that a command is told to print: `op read op://dev/openai/key`.
        OriginKind::Process => {
            let command = command_of(subject, origin).unwrap_or_default();
            let program = command.split_whitespace().next().unwrap_or_default();
            let is_store = Tag::SecretTelling.words().any(|part| command.contains(part)) || Tag::SecretStore.has_any(words(program));
            if is_store && !command.contains(OPERATORS) {
                names.extend(command.split_whitespace().skip(1).map(|word| word.trim_matches(['"', '\'']).to_owned()));
                // The variable that says which entry: `op read ${process.env.ACME_KEY_PATH}`.
                let into = origin.call.and_then(|call| ends.into.get(Ends::index(subject, call))).into_iter().flatten();
                let from = into.filter_map(|at| subject.origins.get(subject.flows.get(*at)?.origin));
                names.extend(from.filter(|from| from.kind == OriginKind::Environment).filter_map(variable).map(str::to_owned));
            }
        }
        OriginKind::Network
        | OriginKind::Incoming
        | OriginKind::Clipboard
        | OriginKind::UserInput
        | OriginKind::System
        | OriginKind::Page
        | OriginKind::Program => {}
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Returns true if and only if an answer from an address came from the service to which a host belongs.
pub fn is_same_issuer(address: &str, to: &str) -> bool {
    let Some(from) = host(address) else { return false };
    let is_shared = registrable(to).is_some_and(|domain| Tag::SharedHost.has(domain));
    let is_own = || !is_shared && registrable(&from).is_some() && registrable(&from) == registrable(to);
    from == to || is_own() || is_one_service(&from, to)
}

/// Returns true if and only if what is not known of an address is the key in its query, and parts of its path.
fn has_key(address: &str) -> bool {
    // Where a bot's token stands by the documentation: `https://api.telegram.org/bot<token>/sendMessage`.
    let is_bot = |part: &str| part.strip_prefix("bot").is_some_and(|key| matches!(key, "…") || key.chars().eq([HOLE]));
    let path = address.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path);
    if path.split(['/', '?']).next().is_some_and(is_bot) && path.matches(['…', HOLE]).count() == 1 {
        return true;
    }
    let Some((_, query)) = address.split_once('?') else { return false };
    query
        .split('&')
        .filter(|part| part.contains(HOLE))
        .all(|part| part.split_once('=').is_some_and(|(key, _)| words(key).iter().any(|word| Tag::SecretWord.has(word))))
}

/// Returns true if and only if a place of an argument is a parameter by which one signs in, at the top of what is sent: `api_key`.
fn is_parameter(subject: &Subject, reach: &Reach, argument: &str, belonging: Belonging) -> bool {
    let names_key = |key: &str| Tag::EntranceKey.has(&joined(key)) || words(key).iter().any(|word| Tag::SecretWord.has(word));
    let keys: Vec<&str> = argument.split('.').collect();
    match keys.as_slice() {
        [_, sent, key] => return Tag::CarryingKey.has(sent) && names_key(key),
        // What is written to a request that is open: `request.write(JSON.stringify({ password }))`.
        [_, key] => return names_key(key),
        _ => {}
    }
    // A text that is put together: `{"api_key":"…"}`, `q=…&api_key=…`.
    let CallRef::Host(index) = reach.call else { return false };
    let (mut keys, mut others) = (0, 0);
    let mut look = |_: &str, value: &Value| {
        let Value::Partial(text, _) = value else { return };
        for (at, _) in text.match_indices(HOLE) {
            let before = text.get(..at).unwrap_or_default().trim_end_matches(['"', ':', '=', ' ']);
            let is_key = names_key(before.rsplit(['"', '&', '?', ',', '{']).next().unwrap_or_default());
            *(if is_key { &mut keys } else { &mut others }) += 1;
        }
    };
    let call = subject.host_calls.get(index);
    call.map(|call| values_at(call, argument)).unwrap_or_default().iter().for_each(|value| value.visit("", &mut look));
    // Where others may read what is sent, nothing else of it may be the key.
    0 < keys && (others == 0 || belonging.is_in_url)
}

/// Returns true if and only if a command line signs in at a service that only computes an answer from what it is sent.
fn is_shown_in_line(subject: &Subject, reach: &Reach) -> bool {
    let CallRef::Host(index) = reach.call else { return false };
    let is_computing = reach.shown.as_deref().and_then(host).is_some_and(|host| Tag::ProcessingHost.has(host.as_str()));
    is_computing && reach.does(SinkKind::Command) && subject.host_calls.get(index).is_some_and(also_signs_in)
}

/// Returns true if and only if a place of an argument is a header by which one signs in, or all headers, of which nothing more is known.
fn is_header(argument: &str) -> bool {
    let mut keys = argument.split('.').rev();
    let last = keys.next().unwrap_or_default();
    if matches!(last, "headers" | "header") {
        return true;
    }
    keys.any(|key| words(key).iter().any(|word| word == "headers" || word == "header"))
        && words(last).iter().any(|word| Tag::SecretWord.has(word) || word == "authorization")
}
