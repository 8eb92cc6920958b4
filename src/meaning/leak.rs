//! Leaks: passages by which data may leave, and how bad each would be.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::knowledge::command::list;
use crate::knowledge::host::{is_drop, is_for_everybody};
use crate::knowledge::provider::{is_sign_in, takes_key_in_url};
use crate::knowledge::sensitivity::category;
use crate::knowledge::threat::is_guest;
use crate::knowledge::vault::is_environment_file;
use crate::knowledge::words::Tag;
use crate::knowledge::{Sensitivity, Side, SinkKind};
use crate::meaning::answered::answered;
use crate::meaning::authority::host;
use crate::meaning::belonging::{
    is_for_checking, is_led_astray, is_made_with, is_named_otherwise, is_own_instance, is_public_account, is_same_issuer, is_signer,
    is_to_service, kept_as_secret,
};
use crate::meaning::gathered::tells_letters_of_all;
use crate::meaning::incoming::{incoming, passed_on};
use crate::meaning::leads::Leads;
use crate::meaning::leak_kind::LeakKind;
use crate::meaning::model_input::is_told_to_model;
use crate::meaning::passage::{Ends, Passage};
use crate::meaning::reach::{Place, Reach};
use crate::meaning::reaches::addresses;
use crate::meaning::read::Read;
use crate::meaning::reads::is_history;
use crate::meaning::recipient::{is_of_its_server, is_of_other_account, is_written_hook, keeps_draft};
use crate::meaning::severity::{Seen, bit, whole};
use crate::meaning::skimmed::is_skimmed;
use crate::meaning::slight::{is_faint, is_handed_file, is_own_state, is_put_back, tells_little};
use crate::meaning::stand_in::{is_in_use, is_key_of_copy, is_shown_elsewhere, is_used_at_own};
use crate::meaning::tool_kind::AGENT_TOOLS;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::subject::dialect::Dialect;
use crate::subject::flow::{CallRef, Flow, ITSELF, OriginKind, Strength, Way};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, split_owner, words};

/// A passage by which data may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leak {
    /// Index into `Ends::passages`.
    pub passage: usize,
    /// What makes it one.
    pub kind: LeakKind,
    /// How bad it is.
    pub severity: Severity,
    /// What it asks for.
    pub action: Action,
}

/// The leaks of a subject: of each kind, the worst into each call, in order of passages. Data that was lost from sight may leave by many
/// calls, which is one doubt: the worst is told, and where it is blocked, the worst to each place that is known.
pub fn leaks(subject: &Subject, ends: &Ends) -> Vec<Leak> {
    let mut worst: HashMap<(Way, usize, Option<&str>, LeakKind), Leak> = HashMap::new();
    let leads: Vec<OnceCell<Leads>> = vec![OnceCell::new(); ends.reaches.len()];
    for (index, passage) in ends.passages.iter().enumerate() {
        let Some(leads) = leads.get(passage.reach) else { continue };
        let leads = || leads.get_or_init(|| Leads::of(subject, ends, passage.reach));
        let Some(leak) = leak(subject, ends, passage, index, leads) else { continue };
        let (way, place, host) = match subject.flows.get(passage.flow) {
            Some(flow) if !flow.is_followed() => {
                let reach = ends.reach(passage).filter(|reach| reach.is_constant && leak.action == Action::Block);
                (flow.way, flow.origin, reach.and_then(|reach| reach.shown.as_deref()))
            }
            _ => (Way::Followed, passage.reach, None),
        };
        let known = worst.entry((way, place, host, leak.kind)).or_insert(leak);
        if (known.severity, known.action) < (leak.severity, leak.action) {
            *known = leak;
        }
    }
    let mut leaks: Vec<Leak> = worst.into_values().collect();
    leaks.sort_by_key(|leak| (leak.passage, leak.kind));
    leaks
}

/// Where an agent is told what to do.
const INSTRUCTIONS: &str = "0.instructions";

fn leak<'l>(subject: &Subject, ends: &Ends, passage: &Passage, index: usize, leads: impl Fn() -> &'l Leads) -> Option<Leak> {
    let (flow, reach) = (subject.flows.get(passage.flow)?, ends.reach(passage)?);
    let read = &passage.read;
    if let Some((severity, action)) = laid_open(subject, flow, passage, reach) {
        return Some(Leak { passage: index, kind: LeakKind::Plain, severity, action });
    }
    if reach.does(SinkKind::Answer) {
        return answered(subject, flow, passage, reach).map(|(severity, action)| Leak {
            passage: index,
            kind: LeakKind::Secret,
            severity,
            action,
        });
    }
    let is_told = || is_told_to_model(flow, read, reach) || is_shown_to_stranger(subject, ends, passage, reach);
    let sink = reach.outgoing().or_else(|| is_told().then_some(SinkKind::Prompt))?;
    // Of what an agent is made with only what it is told to do reaches a model.
    if reach.api.is_some_and(|api| api.sink == Some(SinkKind::Prompt) && api.origin.is_none()) && flow.argument != INSTRUCTIONS {
        return None;
    }
    // What a model is asked is its own matter; of a client that is led elsewhere only what it signs in with is told.
    if sink == SinkKind::Network && reach.api.is_some() && reach.does(SinkKind::Prompt) && !flow.argument.starts_with("this.") {
        return None;
    }
    // Through what a request goes is none of what it says: `fetch(url, { agent })`. What is sent may be called so, too.
    if reach.api.is_some() && !read.is_secret() && is_means_of_request(reach, &flow.argument) {
        return None;
    }
    if let Some((severity, action)) = opened(ends, flow, reach, &leads) {
        return Some(Leak { passage: index, kind: LeakKind::Plain, severity, action });
    }
    if read.kind == OriginKind::Incoming
        && let Some((severity, action)) = passed_on(subject, ends, passage, leads().is_to_stranger)
    {
        return Some(Leak { passage: index, kind: LeakKind::Plain, severity, action });
    }
    if is_skimmed(subject, flow, passage, reach) {
        return Some(Leak { passage: index, kind: LeakKind::Plain, severity: Severity::Critical, action: Action::Block });
    }
    if read.is_harmless || read.is_public && read.sensitivity.is_none() || !read.is_secret() && keeps_draft(subject, reach) {
        return None;
    }
    if let Some((severity, action)) = shown_to_all(subject, flow, passage, reach, || leads().opens_to_all) {
        return Some(Leak { passage: index, kind: LeakKind::Plain, severity, action });
    }
    if tells_letters_of_all(subject, ends, flow, reach) {
        return Some(Leak { passage: index, kind: LeakKind::Mass, severity: Severity::Critical, action: Action::Block });
    }
    // What a service shows to whoever signs in goes on to other services that are known, and to where settings say.
    let is_hooked = || read.sensitivity.is_some() && is_written_hook(subject, reach);
    if is_behind_sign_in(read) && !leads_to_stranger(subject, flow, reach) && !is_hooked() {
        return None;
    }
    // What is on a page, and what a program's own parts hand over, goes to its own service and to those that settings name.
    if matches!(read.kind, OriginKind::Page | OriginKind::Program) && !leads_astray(read, reach) {
        return None;
    }
    // A page's own scripts send what is filled in to whoever they belong to; in no address, where logs keep it.
    if read.kind == OriginKind::Page && passage.place != Place::Target && !is_of_guest(subject, flow) {
        return None;
    }
    // What sends itself goes back to where it came from, unless the script says where else.
    if flow.argument == ITSELF && !(reach.side == Side::Outside && reach.is_constant) {
        return None;
    }
    // Of what tells nothing by itself, only what is seen to leave is worth a word.
    if !flow.is_followed() && read.sensitivity.is_none() && !read.is_secret() {
        return None;
    }
    if passage.place == Place::Target
        && flow.is_followed()
        && may_be_address(subject, flow, read)
        && is_only_address(reach, sink, &flow.field)
    {
        return None;
    }
    if passage.place == Place::Target && flow.is_followed() && is_base(flow, read, reach, leads()) {
        return Some(Leak { passage: index, kind: LeakKind::Plain, severity: Severity::Low, action: Action::Log });
    }
    // What a program is started in is handed to nobody else: `git.env({ ...process.env })`.
    if read.kind == OriginKind::Environment && list("environment-takers").contains(&reach.name.as_str()) {
        return None;
    }
    if is_signer(subject, flow, reach) || reach.signs_with(&flow.argument) || read.is_secret() && is_made_with(subject, ends, passage, flow)
    {
        return None;
    }
    let is_own_state = is_own_state(subject, passage, flow, reach) && (!flow.is_followed() || leads().is_signed_in);
    if is_own_state || is_public_account(flow, read, reach) || tells_little(subject, passage, flow, reach, || leads().shows_known) {
        return Some(Leak { passage: index, kind: LeakKind::Plain, severity: Severity::Low, action: Action::Log });
    }
    if read.is_secret()
        && let Some((severity, action)) = kept_as_secret(subject, flow, reach)
    {
        return Some(Leak { passage: index, kind: LeakKind::Secret, severity, action });
    }
    let is_program = subject.dialect != Dialect::AgentScript;
    let is_same = is_of_its_server(subject, flow, reach)
        || !is_of_other_account(subject, flow)
            && (is_same_service(subject, flow, reach)
                || is_same_place(subject, ends, flow, reach)
                || !read.is_secret() && is_own_box(ends, reach));
    let kind = match LeakKind::of(passage, sink) {
        // Where a service has all that it is told stand in the URL, nothing is hidden there.
        LeakKind::Covert if reach.shown.as_deref().and_then(host).is_some_and(|host| takes_key_in_url(&host)) => {
            if read.is_many {
                LeakKind::Mass
            } else {
                LeakKind::Plain
            }
        }
        kind => kind,
    };
    let (severity, action) = match flow.strength {
        Strength::Whole if is_same => (Severity::Low, Action::Log),
        Strength::Whole if read.is_secret() && is_led_astray(subject, ends, passage, reach) => (Severity::Critical, Action::Block),
        _ if is_in_use(subject, ends, passage) => (Severity::Low, Action::Log),
        _ if is_exchanged(flow, reach) && (leads().is_set || is_to_service(reach)) => (Severity::Low, Action::Log),
        _ if is_renewed(subject, flow, reach) && !leads().is_to_stranger => (Severity::Low, Action::Log),
        Strength::Whole if read.kind == OriginKind::Incoming => incoming(subject, passage, reach, leads().is_to_stranger)?,
        // Nobody who only compares a secret shows it.
        _ if !flow.is_followed() && reach.side != Side::Outside && subject.origins.get(flow.origin).is_some_and(is_for_checking) => {
            (Severity::Low, Action::Log)
        }
        Strength::Whole => {
            let seen = Seen {
                is_of_many: flow.field.contains("[]"),
                is_value: is_value(&flow.field),
                is_settled: is_settled(flow, reach, &leads),
                is_to_stranger: leads().is_to_stranger,
                is_to_own_account: is_to_own_account(subject, ends, flow, read, leads())
                    || is_handed_file(subject, ends, passage, flow)
                    || is_own_queue(reach, leads()),
                is_addressee: is_addressee(flow),
                is_history: subject.origins.get(flow.origin).is_some_and(|origin| is_history(subject, origin)),
                is_to_writer: leads().shows_known,
                is_all_variables: is_all_variables(subject, flow),
                is_left_open: is_program && !reach.is_constant && reach.shown.as_deref().is_none_or(names_no_host),
            };
            match whole(passage, reach, sink, kind, seen)? {
                (Severity::Low, _) if passage.place == Place::Entrance && is_shown_elsewhere(subject, ends, passage) => {
                    if is_to_service(reach) { (Severity::High, Action::Confirm) } else { (Severity::Critical, Action::Block) }
                }
                (Severity::Low, _) if passage.place == Place::Entrance && is_named_otherwise(subject, ends, passage) => {
                    (Severity::High, Action::Confirm)
                }
                judged => judged,
            }
        }
        Strength::Redacted => (Severity::Low, Action::Log),
        Strength::Bit | Strength::Control => bit(flow.strength, flow.field.ends_with("[]"), read, reach)?,
    };
    // Where a program leads what it has, and names no place itself, those say who call it.
    let is_named = reach.side == Side::Outside
        && reach.is_constant
        && !(reach.is_only_loaded() && is_to_service(reach))
        && !is_settled(flow, reach, &leads);
    let is_nowhere = is_program && !is_named;
    // What the script only leaves open is asked about, unless a secret is at stake, or a stranger is named; of a large one always.
    let is_known_there = is_program && (is_nowhere || is_to_service(reach));
    let is_open = flow.way == Way::Open && (is_known_there || !read.is_secret() && !is_plainly_away(subject, ends, flow, passage, reach));
    let is_asked = flow.way == Way::Entangled || is_open || is_key_of_copy(passage, reach) || is_own_instance(passage, reach);
    let (severity, action) = match (severity, action) {
        (Severity::Critical | Severity::High, Action::Block) if is_asked => (Severity::High, Action::Confirm),
        judged => judged,
    };
    // What tells how one gets in is put where a stranger said.
    let is_put = reach.is_led && flow.is_followed() && flow.strength == Strength::Whole && passage.place == Place::Data;
    if is_put && read.is_secret() && matches!(read.kind, OriginKind::File | OriginKind::Tool | OriginKind::Storage) {
        return Some(Leak { passage: index, kind, severity: Severity::Critical, action: Action::Block });
    }
    // What a person fills in to get in by is shown where one gets in.
    let is_filled_in = read.kind == OriginKind::Page && passage.place == Place::Entrance && is_to_service(reach);
    let (severity, action) = if is_filled_in { (Severity::Low, Action::Log) } else { (severity, action) };
    let is_vague = severity == Severity::Medium || flow.way != Way::Followed;
    let is_used = || is_program && flow.way == Way::Open && is_to_service(reach) && is_used_at_own(subject, ends, passage);
    // What a page keeps goes back to wherever the page came from, which no script writes out.
    let is_of_page_itself = read.kind == OriginKind::Storage && is_nowhere && !reach.is_led && !leads().is_to_stranger;
    let is_weak =
        is_vague && (is_nowhere || is_guess(subject, flow, read)) || is_used() || is_faint(flow, read, reach) || is_of_page_itself;
    let (severity, action) = if is_weak { (Severity::Low, Action::Log) } else { (severity, action) };
    Some(Leak { passage: index, kind, severity, action })
}

/// Returns true if and only if what an agent's own script reads of people, money or health may go to a stranger whom it names, and
/// nothing of it was followed there: where some of it was, or where all that is passed is known, that is what goes.
fn is_plainly_away(subject: &Subject, ends: &Ends, flow: &Flow, passage: &Passage, reach: &Reach) -> bool {
    let read = &passage.read;
    let is_away = || reach.side == Side::Outside && reach.is_constant && !is_to_service(reach);
    let is_dear =
        subject.dialect == Dialect::AgentScript && Some(Sensitivity::Internal) < read.sensitivity && read.kind == OriginKind::Tool;
    let mut followed = ends.into.get(passage.reach).into_iter().flatten().filter_map(|at| subject.flows.get(*at));
    is_dear && is_away() && !followed.any(|other| other.origin == flow.origin) && !is_all_known(subject, flow.sink)
}

/// Returns true if and only if nothing is known of the host of an address: `https://…/api`.
fn names_no_host(shown: &str) -> bool {
    shown.strip_prefix("https://").unwrap_or(shown).starts_with(['…', HOLE])
}

/// Returns true if and only if how somebody is reached is said where a message says whom it is for: `{ to: row.phone, text }`.
fn is_addressee(flow: &Flow) -> bool {
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    list("message-recipients").contains(&joined(&last(&flow.argument)).as_str())
        && category(&words(&last(&flow.field))) == Some(Sensitivity::Contact)
}

/// Returns true if and only if a field holds what lets somebody in: `value` of a secret, `password`.
fn is_value(field: &str) -> bool {
    let last = field.rsplit('.').next().unwrap_or_default();
    list("values-of-secrets").contains(&joined(last).as_str()) || category(&words(last)) == Some(Sensitivity::Authentication)
}

/// Returns true if and only if what flows is all of a file of variables, not the value of one.
fn is_all_variables(subject: &Subject, flow: &Flow) -> bool {
    let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::File && flow.field.is_empty());
    origin.and_then(|origin| origin.detail.as_deref()).is_some_and(is_environment_file)
}

/// Returns true if and only if all that is passed to a call is known.
fn is_all_known(subject: &Subject, sink: CallRef) -> bool {
    let mut is_open = false;
    let mut look = |_: &str, value: &Value| is_open |= matches!(value, Value::Dynamic(_) | Value::Partial(..) | Value::OneOf(..));
    match sink {
        CallRef::Tool(index) => subject.calls.get(index).into_iter().for_each(|call| call.argument.visit("", &mut look)),
        CallRef::Host(index) => {
            let arguments = subject.host_calls.get(index).into_iter().flat_map(|call| &call.arguments);
            arguments.for_each(|argument| argument.visit("", &mut look));
        }
    }
    !is_open
}

/// Returns true if and only if what is read of a page is taken by a guest, or of every key and request.
fn is_of_guest(subject: &Subject, flow: &Flow) -> bool {
    let is_of_all = subject.origins.get(flow.origin).is_some_and(|origin| origin.name.starts_with("every "));
    is_of_all || is_guest(&subject.signs)
}

/// Returns true if and only if a client shows its secret where a token is made for it: `${base}/oauth/token`.
fn is_exchanged(flow: &Flow, reach: &Reach) -> bool {
    let key = flow.argument.rsplit('.').find(|part| *part != "[]").map(joined).unwrap_or_default();
    let is_open = reach.side != Side::Outside || is_to_service(reach);
    Tag::ExchangedKey.has(&key) && is_open && reach.shown.as_deref().is_some_and(is_sign_in)
}

/// Returns true if and only if a token is shown where it is exchanged for a new one, by the words of the protocol, at an address that is set
/// elsewhere: `grant_type=refresh_token`.
fn is_renewed(subject: &Subject, flow: &Flow, reach: &Reach) -> bool {
    let CallRef::Host(index) = flow.sink else { return false };
    let mut is_granted = false;
    for argument in subject.host_calls.get(index).into_iter().flat_map(|call| &call.arguments) {
        argument.visit("", &mut |key, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                is_granted |= text.contains(GRANT) || joined(key) == GRANT_KEY && text.contains("token");
            }
        });
    }
    let field = joined(flow.field.rsplit('.').next().unwrap_or_default());
    // Or where a service that is known signs people in.
    let is_issuer = || {
        let addresses = addresses(reach, subject);
        is_to_service(reach) && !addresses.is_empty() && addresses.iter().all(|address| is_sign_in(address))
    };
    is_granted && list("exchanged-tokens").contains(&field.as_str()) && (reach.side != Side::Outside || is_issuer())
}

/// What is said of a token by which a new one is asked for.
const GRANT: &str = "grant_type=refresh_token";
const GRANT_KEY: &str = "granttype";

/// Returns true if and only if the key of one model's service is shown to somebody else whom a client's options name as its server.
fn is_shown_to_stranger(subject: &Subject, ends: &Ends, passage: &Passage, reach: &Reach) -> bool {
    let is_key = passage.place == Place::Entrance && reach.does(SinkKind::Prompt) && reach.api.is_some();
    is_key && !is_to_service(reach) && is_shown_elsewhere(subject, ends, passage)
}

/// Returns true if and only if what is read is what a service elsewhere shows only to whoever signs in.
fn is_behind_sign_in(read: &Read) -> bool {
    read.kind == OriginKind::Network && read.is_untrusted && !read.is_public
}

/// Returns true if and only if a call leads to a place that is written out, of which nothing is known, and that is not where
/// the data came from.
fn leads_to_stranger(subject: &Subject, flow: &Flow, reach: &Reach) -> bool {
    let to = reach.shown.as_deref().filter(|_| reach.side == Side::Outside && reach.is_constant && !is_to_service(reach)).and_then(host);
    let from = subject.origins.get(flow.origin).and_then(|origin| origin.detail.as_deref());
    flow.is_followed() && to.is_some_and(|to| !from.is_some_and(|from| is_same_issuer(from, &to)))
}

/// Returns true if and only if a call leads to a stranger, whom a page's service or a program would not name in its code.
fn leads_astray(read: &Read, reach: &Reach) -> bool {
    let is_stranger = || !is_to_service(reach) || reach.shown.as_deref().is_some_and(is_drop);
    reach.side == Side::Outside && reach.is_constant && (read.kind == OriginKind::Page || is_stranger())
}

/// Returns true if and only if nothing but the name of a method in a program says that what is read is anybody's.
fn is_guess(subject: &Subject, flow: &Flow, read: &Read) -> bool {
    let call = subject.origins.get(flow.origin).and_then(|origin| subject.calls.get(origin.call?.tool()?));
    !read.is_secret() && call.is_some_and(|call| subject.is_of_program(call))
}

/// Returns true if and only if what is read may be an address: a secret is one only where its name says so.
fn may_be_address(subject: &Subject, flow: &Flow, read: &Read) -> bool {
    let origin = subject.origins.get(flow.origin);
    // What a setting is called is told to the tool that reads it.
    let set = if read.kind == OriginKind::Environment { read.words.as_str() } else { "" };
    let named = origin.map(|origin| format!("{} {} {} {set}", origin.name, origin.detail.as_deref().unwrap_or_default(), flow.field));
    !read.is_secret() || named.is_some_and(|named| Tag::AddressField.has_any(words(&named)))
}

/// How bad it is that much of what is read of people, money or health is put where everybody reads it, as the call says.
fn shown_to_all(
    subject: &Subject,
    flow: &Flow,
    passage: &Passage,
    reach: &Reach,
    opens: impl FnOnce() -> bool,
) -> Option<(Severity, Action)> {
    reach.call.tool()?;
    let is_told =
        flow.is_followed() && flow.strength == Strength::Whole && passage.place == Place::Data && !is_put_back(subject, flow, reach);
    if !is_told || passage.read.sensitivity <= Some(Sensitivity::Internal) {
        return None;
    }
    // What a transaction says beside what it moves stands in the ledger for good.
    let is_said = || flow.argument.split('.').any(|key| Tag::ContentKey.has(&joined(key)));
    if passage.read.is_secret() && Tag::PublicLedger.has(split_owner(&reach.name).0) && is_said() {
        return Some((Severity::Critical, Action::Block));
    }
    let origin = subject.origins.get(flow.origin).and_then(|origin| subject.calls.get(origin.call?.tool()?));
    let is_of_many = passage.read.is_many || flow.field.contains("[]") || origin.is_some_and(Call::is_repeated);
    (is_of_many && opens()).then_some((Severity::Critical, Action::Block))
}

/// How bad it is that a file whose folder a web server shows to everybody is filled with secrets, or with what is read of people,
/// money or health.
fn laid_open(subject: &Subject, flow: &Flow, passage: &Passage, reach: &Reach) -> Option<(Severity, Action)> {
    let is_written =
        reach.does(SinkKind::FileWrite) && passage.place == Place::Data && flow.is_followed() && flow.strength == Strength::Whole;
    // What a page is told of its settings it is told in the open.
    let is_setting = passage.read.kind == OriginKind::Environment && !passage.read.is_many;
    let is_dear = || !is_setting && (passage.read.is_secret() || Some(Sensitivity::Internal) < passage.read.sensitivity);
    let is_shown = |path: &String| Tag::WebRoot.words().any(|part| format!("/{}", path.to_lowercase()).contains(part));
    (is_written && is_dear() && addresses(reach, subject).iter().any(is_shown)).then_some((Severity::Critical, Action::Block))
}

/// How bad it is that what an identifier stands for is opened to somebody elsewhere by his address.
fn opened<'l>(ends: &Ends, flow: &Flow, reach: &Reach, leads: &impl Fn() -> &'l Leads) -> Option<(Severity, Action)> {
    let names = words(&reach.name);
    let lets_in = Tag::LettingIn.has_any(names.iter()) && !Tag::LettingOut.has_any(names.iter());
    let is_id = |path: &str| path.rsplit('.').next().is_some_and(|last| words(last).last().is_some_and(|word| Tag::ThingKey.has(word)));
    let of = ends.reads.get(flow.origin)?;
    let is_own = of.kind == OriginKind::Tool && !of.is_public;
    let shown = reach.shown.as_deref().filter(|shown| shown.contains('@'))?;
    if !is_own
        || reach.side != Side::Outside
        || !reach.is_constant
        || !(is_id(&flow.argument) || flow.argument == PATH && is_id(&flow.field))
        || flow.strength < Strength::Whole
        || !lets_in && !leads().names_guest
    {
        return None;
    }
    let domain = shown.rsplit('@').next().unwrap_or_default();
    // A guest of one meeting is asked for; one of every meeting is not.
    Some(if is_for_everybody(domain) && (lets_in || reach.is_repeated) {
        (Severity::Critical, Action::Block)
    } else {
        (Severity::High, Action::Confirm)
    })
}

/// The argument of a request under which stands what it is done to.
const PATH: &str = "path";

/// Returns true if and only if what reaches the target is an address and nothing more: a recipient, or a whole
/// URL that was read.
fn is_only_address(reach: &Reach, sink: SinkKind, field: &str) -> bool {
    match sink {
        SinkKind::Mail | SinkKind::Chat => true,
        SinkKind::Network | SinkKind::Publish => {
            let name = field.rsplit('.').find(|part| !part.is_empty() && *part != "[]");
            let is_datum = name.is_some_and(|name| category(&words(name)).is_some_and(|kind| kind != Sensitivity::Contact));
            !reach.is_constant && reach.side != Side::Inside && reach.shown.is_none() && !is_datum
        }
        SinkKind::Command
        | SinkKind::Code
        | SinkKind::Query
        | SinkKind::FileWrite
        | SinkKind::Delete
        | SinkKind::Prompt
        | SinkKind::Answer => false,
    }
}

/// Returns true if and only if data goes back to the service that it was read from, and to no place elsewhere.
fn is_same_service(subject: &Subject, flow: &Flow, reach: &Reach) -> bool {
    let owner = |name: &str| server(name).unwrap_or_else(|| split_owner(name).0.to_lowercase());
    let is_open = reach.side == Side::Outside && reach.is_constant
        || reach.has_target && (reach.does(SinkKind::Mail) || reach.does(SinkKind::Network));
    let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Tool);
    let from = origin.map(|origin| owner(&origin.name));
    // Another server that is written out is not where it came from, whatever the call is named.
    let is_elsewhere = reach.side == Side::Outside && reach.shown.as_deref().is_some_and(|shown| shown.contains("://"));
    let is_open = is_open && (is_elsewhere || !origin.is_some_and(|origin| is_written_back(&origin.name, &reach.name)));
    // Of tools that an agent has under one name only some tell whose they are.
    let of_tools = |name: &str| split_owner(name).0 == AGENT_TOOLS;
    let tells_less = || {
        origin.is_some_and(|origin| {
            of_tools(&origin.name) && of_tools(&reach.name) && (server(&origin.name).is_none() || server(&reach.name).is_none())
        })
    };
    !is_open && reach.api.is_none() && (from.is_some_and(|from| !from.is_empty() && from == owner(&reach.name)) || tells_less())
}

/// The server of a tool that an agent's own object has under both names put together: `crm` of `tools:crm_get_customer`.
fn server(name: &str) -> Option<String> {
    let (owner, name) = split_owner(name);
    let named = words(name);
    let first = named.first().filter(|_| owner == AGENT_TOOLS && 2 < named.len())?;
    let is_verb =
        [Tag::Reading, Tag::Sending, Tag::Changing, Tag::Giving, Tag::Setting, Tag::Destroying].into_iter().any(|verb| verb.has(first));
    (!is_verb).then(|| first.clone())
}

/// Returns true if and only if what is set is what was read before: a policy, settings.
fn is_written_back(read: &str, set: &str) -> bool {
    let (read, set) = (words(split_owner(read).1), words(split_owner(set).1));
    let is_set = set.first().is_some_and(|first| Tag::Setting.has(first) || Tag::Changing.has(first));
    is_set && 1 < set.len() && read.get(1..) == set.get(1..)
}

/// Returns true if and only if data goes back to the very place of a service that it was read from.
fn is_same_place(subject: &Subject, ends: &Ends, flow: &Flow, reach: &Reach) -> bool {
    let read_by = |flow: &Flow| {
        let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Tool);
        origin.and_then(|origin| origin.call?.tool())
    };
    let is_service = |from: &Reach| split_owner(&from.name).0.eq_ignore_ascii_case(split_owner(&reach.name).0) && reach.api.is_none();
    // A mailbox keeps what is put into it; a mail goes to whom it names.
    let is_mail = reach.does(SinkKind::Mail) && reach.shown.as_deref().is_none_or(|shown| shown.contains('@'));
    let is_place = |from: &Reach| reach.shown.is_some() && from.shown == reach.shown && !is_mail;
    let is_there = |index: usize| ends.reaches.get(index).is_some_and(|from| is_service(from) && is_place(from));
    let Some(index) = read_by(flow) else { return false };
    // What only makes something of what it is given: a parser.
    let is_maker = ends.reaches.get(index).is_some_and(|from| from.sinks.is_empty() && from.shown.is_none());
    let given = ends.into.get(index).into_iter().flatten().filter_map(|at| subject.flows.get(*at));
    let mut given = given.filter(|given| given.is_followed() && Strength::Bit < given.strength).peekable();
    let comes_from_there = given.peek().is_some() && given.all(|given| read_by(given).is_some_and(is_there));
    is_there(index) || is_maker && comes_from_there
}

/// Returns true if and only if something is put into the mailbox that the script reads: nobody is sent it.
fn is_own_box(ends: &Ends, reach: &Reach) -> bool {
    let server = reach.shown.as_deref().filter(|shown| !shown.contains('@'));
    let owner = |reach: &Reach| split_owner(&reach.name).0.to_lowercase();
    let is_read = |other: &Reach| {
        let reads = Tag::Reading.has_any(words(split_owner(&other.name).1));
        reads && other.api.is_none() && other.shown.as_deref() == server && owner(other) == owner(reach)
    };
    server.is_some() && reach.api.is_none() && reach.does(SinkKind::Mail) && ends.reaches.iter().any(is_read)
}

/// Returns true if and only if where a call goes is told by the environment and by nothing that is read elsewhere, or
/// what it gets in with was given to the client that it is a call of.
fn is_settled<'l>(flow: &Flow, to: &Reach, leads: &impl Fn() -> &'l Leads) -> bool {
    // A tool that asks whoever an argument names leads nowhere by itself.
    // Under a provider's domain the first label says whose it is.
    let begins_open = |shown: &str| shown.split_once("://").is_some_and(|(_, host)| host.starts_with(['…', HOLE]));
    let is_begun = || to.shown.as_deref().is_some_and(begins_open) && is_to_service(to) && to.place(&flow.argument) != Place::Target;
    let is_open = to.side != Side::Outside || !to.is_constant && to.has_target && to.shown.is_none() || is_begun();
    is_open && (flow.argument.starts_with("this.") || leads().is_set)
}

/// Returns true if and only if one record, nobody's secret and nobody else's words, goes to the account of whoever has the key that
/// is shown beside it.
fn is_to_own_account(subject: &Subject, ends: &Ends, flow: &Flow, read: &Read, leads: &Leads) -> bool {
    let is_part = flow.field.contains("[]") && !subject.origins.get(flow.origin).is_some_and(|origin| is_history(subject, origin));
    // One field of what the house lists, of nobody.
    let is_of_things = is_part && read.sensitivity <= Some(Sensitivity::Internal) && !flow.field.ends_with("[]");
    let is_one = (is_of_things || !read.is_many && !is_part) && is_record(subject, ends, flow, read, leads);
    // Where projects publish what they build, an address may be anybody's, whoever signs in; so may a key that names nobody.
    let most = if leads.publishes { Sensitivity::Internal } else { Sensitivity::Personal };
    let is_plain = read.sensitivity <= Some(most);
    leads.is_signed_in && is_one && is_plain && !(read.is_untrusted && read.kind == OriginKind::Network)
}

/// Returns true if and only if an argument is an option of a request itself that says through what it goes: `1.agent`, not `1.body.agent`.
fn is_means_of_request(reach: &Reach, argument: &str) -> bool {
    let keys: Vec<&str> = argument.split('.').collect();
    let [at, option] = keys.as_slice() else { return false };
    let is_option = at.bytes().all(|byte| byte.is_ascii_digit()) && !reach.is_sent_whole(&keys);
    is_option && list("agents-of-requests").contains(&joined(option).as_str())
}

/// Returns true if and only if something is put into a queue or topic of one's own account, which settings name and nothing else.
fn is_own_queue(reach: &Reach, leads: &Leads) -> bool {
    let owner = split_owner(&reach.name).0;
    list("queues-of-clouds").contains(&owner) && reach.side != Side::Outside && leads.is_set && !leads.is_to_stranger
}

/// Returns true if and only if what is read is one record: a file of which something is known, and what a command prints, may
/// hold all there is.
fn is_record(subject: &Subject, ends: &Ends, flow: &Flow, read: &Read, leads: &Leads) -> bool {
    let Some(origin) = subject.origins.get(flow.origin) else { return false };
    let call = origin.call.and_then(|call| call.tool()).and_then(|index| ends.reaches.get(index));
    let runs = call.is_some_and(|call| call.does(SinkKind::Command) || call.does(SinkKind::Code));
    let is_file = origin.kind == OriginKind::Tool && words(&origin.name).iter().any(|word| Tag::FileStore.has(word));
    // A package of the service's own uploads what is built.
    let is_plain_file = || read.sensitivity.is_none() && !(leads.publishes && leads.is_by_request);
    match origin.kind {
        OriginKind::Process => is_history(subject, origin),
        OriginKind::File => is_plain_file(),
        _ => !runs && !is_file,
    }
}

/// Returns true if and only if what is read is where a call goes, not a part of it that is added: `${base}/health`.
fn is_base(flow: &Flow, read: &Read, reach: &Reach, leads: &Leads) -> bool {
    let is_open = reach.side == Side::Unknown && reach.shown.as_deref().is_some_and(|shown| shown.starts_with(['…', HOLE]));
    let is_all = || reach.shown.as_deref().is_some_and(|shown| shown.matches(['…', HOLE]).count() == 1);
    is_open && read.sensitivity <= Some(Sensitivity::Internal) && (leads.base == Some(flow.origin) || is_all())
}
