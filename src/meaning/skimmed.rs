//! What people fill in on a page, and what of it leaves beside the way that it is meant to go.

use crate::knowledge::{Sensitivity, Side};
use crate::meaning::belonging::is_to_service;
use crate::meaning::passage::Passage;
use crate::meaning::reach::Reach;
use crate::subject::Subject;
use crate::subject::flow::{Flow, Origin, OriginKind, Strength};

/// Requests of which a page gets no answer: nobody signs in or pays by them.
const UNANSWERED: &[&str] = &["sendBeacon", "src"];

/// What an origin is called that is a form.
const FORM: &str = "form that users fill in";

/// Returns true if and only if a password, the number of a card, or all of a form goes out where nobody answers whether it was right.
pub fn is_skimmed(subject: &Subject, flow: &Flow, passage: &Passage, reach: &Reach) -> bool {
    let read = &passage.read;
    let is_dear = matches!(read.sensitivity, Some(Sensitivity::Authentication | Sensitivity::Financial));
    let is_away = reach.side == Side::Outside && reach.is_constant && !is_to_service(reach);
    let is_unanswered = reach.name.rsplit('.').next().is_some_and(|last| UNANSWERED.contains(&last));
    let is_whole_form = || {
        let is_form = subject.origins.get(flow.origin).is_some_and(|origin| origin.name.ends_with(FORM) || chooses_all_fields(origin));
        is_form && flow.field.split('.').all(|part| matches!(part, "" | "[]" | "0" | "1"))
    };
    read.kind == OriginKind::Page
        && (is_dear || is_whole_form())
        && is_away
        && is_unanswered
        && flow.is_followed()
        && flow.strength == Strength::Whole
}

/// Returns true if and only if what is read of a page was chosen by a selector that every field fits: `form input`.
fn chooses_all_fields(origin: &Origin) -> bool {
    let is_field = |selector: &str| {
        let last = selector.rsplit([' ', '>']).find(|part| !part.is_empty()).unwrap_or_default();
        let name = last.split(['[', ':', '.', '#']).next().unwrap_or_default();
        // A field of one name, or of one kind that is no text, is not all of them.
        let is_one = last.contains(['#', '.']) || last.contains("name") || last.contains("[id");
        FIELDS.contains(&name) && !is_one
    };
    let mut chosen = origin.detail.as_deref().unwrap_or_default().split(',');
    origin.kind == OriginKind::Page && chosen.any(|selector| is_field(selector.trim()))
}

/// The elements into which people write.
const FIELDS: &[&str] = &["input", "textarea"];
