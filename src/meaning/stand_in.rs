//! Keys whose use tells where they belong: those that stand in for others, and those that are shown to their own service elsewhere.

use crate::knowledge::Side;
use crate::knowledge::provider::{is_nobodys, is_of_another, is_service};
use crate::knowledge::vault::is_environment_file;
use crate::meaning::authority::host;
use crate::meaning::belonging::{belongs, is_of_program, is_to_service, names};
use crate::meaning::passage::{Ends, Passage};
use crate::meaning::reach::{Place, Reach};
use crate::meaning::severity::is_processing;
use crate::subject::Subject;
use crate::subject::flow::{Origin, OriginKind, Strength};

/// Returns true if and only if what flows is shown to the service that it belongs to, in a place where one signs in; or stands in for
/// what is.
pub fn is_in_use(subject: &Subject, ends: &Ends, passage: &Passage) -> bool {
    let origin = || subject.flows.get(passage.flow).and_then(|flow| subject.origins.get(flow.origin));
    belongs(subject, ends, passage) || !passage.read.is_many && origin().is_some_and(|origin| stands_in(subject, ends, passage, origin))
}

/// Returns true if and only if a key stands in for the service's own, which is shown in the same place of the same call where it is set:
/// `process.env.OPENROUTER_API_KEY || process.env.OPENAI_API_KEY`, `process.env.ACME_KEY || config.apiKey`.
fn stands_in(subject: &Subject, ends: &Ends, passage: &Passage, origin: &Origin) -> bool {
    let Some(reach) = ends.reach(passage) else { return false };
    let Some(flow) = subject.flows.get(passage.flow).filter(|flow| flow.is_followed()) else { return false };
    let is_key = match origin.kind {
        // A variable that names another service stands in only where that one is known.
        OriginKind::Environment => reach.is_constant && is_to_service(reach),
        // One entry of a file of settings.
        OriginKind::File => !flow.field.is_empty() && flow.field.rsplit('.').next().is_some_and(is_nobodys),
        _ => false,
    };
    let is_own = |other: &&Passage| {
        let same = subject.flows.get(other.flow).filter(|same| same.argument == flow.argument && same.strength == Strength::Whole);
        let own = same.and_then(|same| subject.origins.get(same.origin));
        let is_variable = own.is_some_and(|own| own.kind == OriginKind::Environment && own.span != origin.span && !is_of_program(own));
        other.reach == passage.reach && is_variable && belongs(subject, ends, other)
    };
    is_key && !is_of_program(origin) && ends.passages.iter().any(|other| is_own(&other))
}

/// Returns true if and only if a secret is seen to be shown to the service that it belongs to.
pub fn is_used_at_own(subject: &Subject, ends: &Ends, passage: &Passage) -> bool {
    let origin = subject.flows.get(passage.flow).map(|flow| flow.origin);
    // A file of variables that a script takes into its environment, at a service that only computes.
    let is_file =
        origin.and_then(|at| subject.origins.get(at)).is_some_and(|origin| origin.kind == OriginKind::File && is_of_variables(origin));
    if is_file && ends.reach(passage).is_some_and(is_processing) {
        return true;
    }
    let is_followed =
        |other: &&Passage| subject.flows.get(other.flow).is_some_and(|flow| Some(flow.origin) == origin && flow.is_followed());
    let mut shown = ends.passages.iter().filter(is_followed);
    passage.read.is_secret() && shown.any(|other| is_in_use(subject, ends, other))
}

fn is_of_variables(origin: &Origin) -> bool {
    origin.detail.as_deref().is_some_and(is_environment_file)
}

/// Returns true if and only if something of a copy of the environment is shown where one signs in at a service that is known, once:
/// which variable it is does not come through the copy, and nobody but the service gets it.
pub fn is_key_of_copy(passage: &Passage, reach: &Reach) -> bool {
    let is_of_copy = passage.read.kind == OriginKind::Environment && passage.read.is_many && passage.place == Place::Entrance;
    is_of_copy && reach.is_constant && is_to_service(reach) && !reach.is_repeated
}

/// Returns true if and only if the key of a known service is shown to somebody else.
pub fn is_shown_elsewhere(subject: &Subject, ends: &Ends, passage: &Passage) -> bool {
    let Some(flow) = subject.flows.get(passage.flow) else { return false };
    let (Some(origin), Some(reach)) = (subject.origins.get(flow.origin), ends.reach(passage)) else { return false };
    let to = reach.shown.as_deref().filter(|_| reach.side == Side::Outside && reach.is_constant).and_then(host);
    let is_key = passage.read.is_secret() && Strength::Whole <= flow.strength;
    let is_other = |host: &str| names(subject, ends, origin, flow).iter().any(|name| is_of_another(name, host));
    let stands_in = || passage.place == Place::Entrance && stands_in(subject, ends, passage, origin);
    is_key && to.is_some_and(|host| is_other(&host) && !stands_in() || !is_service(&host) && is_of_program(origin))
}
