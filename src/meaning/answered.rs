//! What a server answers whoever asks with, and what of the machine's own that tells.

use crate::knowledge::command::list;
use crate::meaning::passage::Passage;
use crate::meaning::reach::Reach;
use crate::subject::Subject;
use crate::subject::flow::{Flow, OriginKind, Strength};
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::words;

/// The name of what a worker's host passes beside a request.
const BINDINGS: &str = "env";

/// How bad it is that a server answers with what lets somebody in: all of the environment, a key file, or one key.
pub fn answered(subject: &Subject, flow: &Flow, passage: &Passage, reach: &Reach) -> Option<(Severity, Action)> {
    let read = &passage.read;
    let is_whole = flow.is_followed() && flow.strength == Strength::Whole && read.is_secret() && !read.is_harmless;
    if !is_whole {
        return None;
    }
    // Bindings and keys are handed to whatever works with them: what comes of that need not show them.
    let origin = subject.origins.get(flow.origin)?;
    let is_read = origin.span.start < origin.span.end;
    let is_read_here = || is_read && reach.span.start <= origin.span.start && origin.span.end <= reach.span.end;
    let is_shown = || origin.name != BINDINGS || is_read_here();
    let is_named = || origin.detail.as_deref().is_some_and(|name| name.contains(char::is_alphanumeric));
    match read.kind {
        OriginKind::Environment if origin.detail.is_none() && !(flow.field.is_empty() && is_shown()) => None,
        OriginKind::Environment if read.is_many => Some((Severity::Critical, Action::Block)),
        OriginKind::File if !flow.field.is_empty() => None,
        OriginKind::File => Some((Severity::Critical, Action::Block)),
        // With what rules over all of it nobody who asks is answered.
        OriginKind::Environment if flow.field.is_empty() && is_named() && is_read_here() && rules_all(origin.detail.as_deref()) => {
            Some((Severity::Critical, Action::Block))
        }
        OriginKind::Environment => (flow.field.is_empty() && is_named() && is_read_here()).then_some((Severity::High, Action::Confirm)),
        _ => None,
    }
}

/// Returns true if and only if a variable is named as what lets in whoever rules over all of it.
fn rules_all(name: Option<&str>) -> bool {
    words(name.unwrap_or_default()).iter().any(|word| list("ruling-secrets").contains(&word.as_str()))
}
