//! Agents that read what strangers write and run what they make of it.

use crate::knowledge::SinkKind;
use crate::knowledge::form;
use crate::meaning::passage::Ends;
use crate::meaning::reach::Place;
use crate::subject::Subject;
use crate::subject::flow::{Flow, OriginKind, Strength};

/// Returns true if and only if what flows is what a client passes to a tool of a server that the script makes.
pub fn is_of_client(subject: &Subject, flow: &Flow) -> bool {
    subject.origins.get(flow.origin).is_some_and(|origin| form::is_tool_argument(&origin.name))
}

/// Returns true if and only if a model makes up what is run, and strangers can tell it what: it is handed a page, or it
/// may open any address.
pub fn is_led_astray(subject: &Subject, ends: &Ends, flow: &Flow) -> bool {
    let is_of_model = |flow: &Flow| subject.origins.get(flow.origin).is_some_and(|origin| form::is_model_input(&origin.name));
    if !is_of_model(flow) || flow.strength < Strength::Whole {
        return false;
    }
    ends.passages.iter().any(|passage| {
        let (Some(other), Some(reach)) = (subject.flows.get(passage.flow), ends.reach(passage)) else { return false };
        let opens = is_of_model(other) && reach.does(SinkKind::Network) && passage.place == Place::Target && !reach.is_constant;
        let is_told = passage.read.kind == OriginKind::Network && passage.read.is_untrusted && reach.does(SinkKind::Prompt);
        opens || is_told
    })
}
