//! What people fill in on a page, and what of it leaves beside the way that it is meant to go.

use crate::knowledge::{Sensitivity, Side};
use crate::meaning::belonging::is_to_service;
use crate::meaning::passage::Passage;
use crate::meaning::reach::Reach;
use crate::subject::flow::{Flow, OriginKind, Strength};

/// Requests of which a page gets no answer: nobody signs in or pays by them.
const UNANSWERED: &[&str] = &["sendBeacon", "src"];

/// Returns true if and only if a password or the number of a card goes out where nobody answers whether it was right.
pub fn is_skimmed(flow: &Flow, passage: &Passage, reach: &Reach) -> bool {
    let read = &passage.read;
    let is_dear = matches!(read.sensitivity, Some(Sensitivity::Authentication | Sensitivity::Financial));
    let is_away = reach.side == Side::Outside && reach.is_constant && !is_to_service(reach);
    let is_unanswered = reach.name.rsplit('.').next().is_some_and(|last| UNANSWERED.contains(&last));
    read.kind == OriginKind::Page && is_dear && is_away && is_unanswered && flow.is_followed() && flow.strength == Strength::Whole
}
