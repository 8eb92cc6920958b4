//! Where a call is led: what it is told of that, by whom, and how it gets in there.

use crate::knowledge::command::list;
use crate::knowledge::provider::registrable;
use crate::knowledge::words::Tag;
use crate::meaning::authority::host;
use crate::meaning::belonging::{begins_as_set, is_set_up, is_signed_in, shows_known};
use crate::meaning::outside::opens_to_all;
use crate::meaning::passage::Ends;
use crate::meaning::reach::{Place, Reach};
use crate::meaning::reads::is_history;
use crate::meaning::recipient::{is_written_hook, names_recipient};
use crate::subject::Subject;
use crate::subject::call::Value;
use crate::subject::flow::{Flow, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::words::words;

/// What a call and all that flows into it tell of where it goes: looked at once for all of its flows.
#[derive(Default, Clone, Debug)]
pub struct Leads {
    /// The environment says where it goes, and nothing that is read elsewhere.
    pub is_set: bool,
    /// Whoever wrote in gets it.
    pub is_to_stranger: bool,
    /// Its address is named as that of a guest.
    pub names_guest: bool,
    /// It signs in at the service to which the key belongs that it shows, or is a call of that service's own package, and the service
    /// delivers nothing to somebody else who is written out.
    pub is_signed_in: bool,
    /// It leads to where projects publish, or the key that it shows names no service.
    pub publishes: bool,
    /// It is a plain request, not a call of a service's own package.
    pub is_by_request: bool,
    /// A key that stands in the script is shown there.
    pub shows_known: bool,
    /// It says that everybody gets in.
    pub opens_to_all: bool,
    /// Where what leads it is read, if that is one place alone.
    pub base: Option<usize>,
}

impl Leads {
    /// What leads a call of this index in `Ends::reaches`.
    pub fn of(subject: &Subject, ends: &Ends, reach: usize) -> Self {
        let Some(to) = ends.reaches.get(reach) else {
            return Self { is_by_request: true, ..Self::default() };
        };
        let into = ends.into.get(reach).into_iter().flatten().filter_map(|at| subject.flows.get(*at));
        let leading: Vec<&Flow> = into.filter(|flow| to.place(&flow.argument) == Place::Target).collect();
        let mut whole =
            leading.iter().filter(|flow| flow.strength == Strength::Whole && !is_answer_of_base(subject, flow)).map(|flow| flow.origin);
        let is_named = is_signed_in(subject, ends, reach);
        let base = whole.next().filter(|first| whole.all(|other| other == *first));
        Self {
            is_set: is_set(subject, ends, &leading) || asks_behind_base(subject, to, &leading),
            is_to_stranger: !begins_as_set(subject, to, &leading) && is_to_stranger(ends, &leading),
            names_guest: names_guest(subject, to),
            is_signed_in: (is_named || is_set_up(subject, ends, reach)) && !names_recipient(subject, to) && !is_written_hook(subject, to),
            is_by_request: to.api.is_some(),
            shows_known: shows_known(subject, to),
            opens_to_all: to.call.tool().and_then(|index| subject.calls.get(index)).is_some_and(|call| opens_to_all(&call.argument)),
            publishes: !is_named && is_set_up(subject, ends, reach)
                || to
                    .shown
                    .as_deref()
                    .and_then(host)
                    .is_some_and(|host| registrable(&host).is_some_and(|domain| Tag::ReleaseHost.has(domain))),
            base,
        }
    }
}

/// Returns true if and only if what flows was answered by an address that is not known itself, and so leads nowhere by itself.
fn is_answer_of_base(subject: &Subject, flow: &Flow) -> bool {
    let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Network);
    origin.is_some_and(|origin| origin.detail.as_deref().is_none_or(|address| address.starts_with(['…', HOLE])))
}

/// Returns true if and only if of what leads somewhere all that tells something is the environment's.
fn is_set(subject: &Subject, ends: &Ends, leading: &[&Flow]) -> bool {
    let is_set = |flow: &&Flow| ends.reads.get(flow.origin).is_some_and(|read| read.kind == OriginKind::Environment);
    let is_typed = |flow: &&Flow| ends.reads.get(flow.origin).is_some_and(|read| read.kind == OriginKind::UserInput);
    let is_history = |flow: &&Flow| subject.origins.get(flow.origin).is_some_and(|origin| is_history(subject, origin));
    let leading = leading.iter().copied().filter(|flow| !is_typed(flow) && !is_history(flow));
    let tells = |flow: &&Flow| is_set(flow) || ends.reads.get(flow.origin).is_some_and(|read| !read.at(&flow.field).is_harmless);
    let mut telling = leading.filter(|flow| Strength::Bit < flow.strength).filter(tells).peekable();
    telling.peek().is_some() && telling.all(|flow| is_set(&flow))
}

/// Returns true if and only if an address stands in what strangers wrote.
fn is_to_stranger(ends: &Ends, leading: &[&Flow]) -> bool {
    leading.iter().any(|flow| {
        let is_address = !flow.field.contains("[]") && flow.strength == Strength::Whole;
        is_address && ends.reads.get(flow.origin).is_some_and(|read| read.is_untrusted && !read.is_many)
    })
}

/// Returns true if and only if an argument of a tool that changes something names the address that it reaches as that of a guest.
fn names_guest(subject: &Subject, reach: &Reach) -> bool {
    let Some(shown) = reach.shown.as_deref() else { return false };
    let Some(call) = reach.call.tool().and_then(|index| subject.calls.get(index)) else { return false };
    let changes = Tag::ChangingGuests.has_any(words(&reach.name));
    let mut is_guest = false;
    call.argument.visit("", &mut |key, value| {
        let names = matches!(value, Value::String(text, _) if text == shown);
        is_guest |= names && words(key).iter().any(|word| Tag::LettingIn.has(word) || Tag::GuestKey.has(word));
    });
    changes && is_guest
}

/// Returns true if and only if a setting names the service of the house that is asked, and something stands in the query behind a path
/// that the script writes out: `${process.env.HR_API}/v2/balances?email=…`.
fn asks_behind_base(subject: &Subject, to: &Reach, leading: &[&Flow]) -> bool {
    let asks = |shown: &str| shown.split_once('?').is_some_and(|(path, _)| path.strip_prefix(['…', HOLE]).is_some_and(is_path));
    let names_base = |flow: &&&Flow| {
        let name = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Environment);
        let name = name.and_then(|origin| origin.detail.as_deref());
        name.is_some_and(|name| words(name).last().is_some_and(|last| list("names-of-bases").contains(&last.as_str())))
    };
    // Whoever asks may say where it goes.
    let is_of_caller = |flow: &&&Flow| {
        let kind = subject.origins.get(flow.origin).map(|origin| origin.kind);
        flow.strength == Strength::Whole && kind.is_none_or(|kind| !matches!(kind, OriginKind::Environment | OriginKind::Tool))
    };
    if leading.iter().any(|flow| is_of_caller(&flow)) {
        return false;
    }
    let is_whole = |flow: &&&Flow| flow.strength == Strength::Whole && flow.is_followed();
    to.shown.as_deref().is_some_and(asks) && leading.iter().filter(is_whole).any(|flow| names_base(&flow))
}

/// Returns true if and only if a part of an address is a path that is known.
fn is_path(path: &str) -> bool {
    path.starts_with('/') && !path.starts_with("//") && !path.contains(['…', HOLE])
}
