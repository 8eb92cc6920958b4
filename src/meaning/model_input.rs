//! What models are told and what they make up: agents that read what strangers write and run what they make of it.

use crate::knowledge::SinkKind;
use crate::knowledge::form;
use crate::knowledge::threat::searches_web;
use crate::knowledge::words::Tag;
use crate::meaning::passage::Ends;
use crate::meaning::reach::{Place, Reach};
use crate::meaning::read::Read;
use crate::subject::Subject;
use crate::subject::flow::{Flow, OriginKind, Strength};
use crate::value::words::joined;

/// Returns true if and only if what flows is what a client passes to a tool of a server that the script makes.
pub fn is_of_client(subject: &Subject, flow: &Flow) -> bool {
    subject.origins.get(flow.origin).is_some_and(|origin| form::is_tool_argument(&origin.name))
}

/// Returns true if and only if what flows is what a model passes to a tool that the script makes.
pub fn is_of_model(subject: &Subject, flow: &Flow) -> bool {
    subject.origins.get(flow.origin).is_some_and(|origin| form::is_model_input(&origin.name))
}

/// Returns true if and only if a model makes up all of what flows.
pub fn is_made_up(subject: &Subject, flow: &Flow) -> bool {
    is_of_model(subject, flow) && Strength::Whole <= flow.strength
}

/// Returns true if and only if strangers can tell a model of the script what to do: it is handed a page, or it may open any address.
pub fn strangers_tell_model(subject: &Subject, ends: &Ends) -> bool {
    searches_web(&subject.signs)
        || ends.passages.iter().any(|passage| {
            let (Some(flow), Some(reach)) = (subject.flows.get(passage.flow), ends.reach(passage)) else { return false };
            let opens = reach.does(SinkKind::Network) && passage.place == Place::Target && !reach.is_constant && is_of_model(subject, flow);
            // Of what a tool lists, strangers write the texts: comments, mails, tickets.
            let last = flow.field.rsplit('.').find(|part| *part != "[]").map(joined).unwrap_or_default();
            let is_text = || passage.read.kind == OriginKind::Tool && Tag::WholeText.has(&last) && flow.is_followed();
            let is_of_strangers = passage.read.is_untrusted && (passage.read.kind == OriginKind::Network || is_text());
            let is_told = is_of_strangers && reach.does(SinkKind::Prompt);
            opens || is_told
        })
}

/// In an argument, the environment of a program stands among so many first parts: `0.options.mcpServers.NAME.env`.
const PROGRAM: usize = 5;

/// Returns true if and only if a model is told one secret of the environment: whoever talks to it gets it.
pub fn is_told_to_model(flow: &Flow, read: &Read, reach: &Reach) -> bool {
    let is_secret = read.is_secret() && read.kind == OriginKind::Environment && flow.is_followed() && flow.strength == Strength::Whole;
    // The environment of a program that an agent's library starts, or of a server beside it, is told to no model.
    let is_environment = flow.argument.split('.').take(PROGRAM).any(|part| part == "env") && flow.argument.starts_with("0.options.");
    is_secret && reach.does(SinkKind::Prompt) && reach.api.is_some() && !is_environment && reach.place(&flow.argument) == Place::Data
}
