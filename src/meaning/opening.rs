//! What is written into something that a later call opens to everybody or to somebody elsewhere goes there too.

use std::collections::{HashMap, HashSet};

use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, SinkKind};
use crate::meaning::argument::{is_no, is_yes};
use crate::meaning::kept::names;
use crate::meaning::outside::is_everybody;
use crate::meaning::reach::Reach;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::subject::flow::{CallRef, Strength};
use crate::value::words::{joined, words};

/// Leads what is written where a later call of the script opens it.
pub fn follow_openings(subject: &Subject, house: &House, tools: &mut [Reach]) {
    let openings: Vec<(usize, String)> =
        subject.calls.iter().enumerate().filter_map(|(index, call)| Some((index, to_whom(call, tools.get(index)?)?))).collect();
    if openings.is_empty() {
        return;
    }
    let mut writers = Writers::of(subject);
    for (opening, shown) in openings {
        for writer in writers.take(subject, opening) {
            let Some(reach) = tools.get_mut(writer).filter(|reach| reach.side != Side::Outside) else { continue };
            let keeps = crate::knowledge::tool::tool_in(&reach.name, house);
            if !keeps.writes && reach.outgoing().is_none() || keeps.is_trusted {
                continue;
            }
            (reach.side, reach.is_constant, reach.shown) = (Side::Outside, true, Some(shown.clone()));
            if reach.outgoing().is_none() {
                reach.sinks.push(SinkKind::Publish);
            }
        }
    }
}

/// To whom a call opens what it is given, if it does.
fn to_whom(call: &Call, reach: &Reach) -> Option<String> {
    let name = words(call.tool.name()?);
    let opens = Tag::Opening.has_any(name.iter()) && !Tag::Closing.has_any(name.iter());
    // `docs:publish_to_web`
    let to_web = || name.windows(2).any(|pair| pair == ["to", "web"]) || name.windows(2).any(|pair| pair == ["publish", "web"]);
    let says_public = name.iter().any(|word| word == "public") || to_web();
    if !opens {
        return None;
    }
    let mut is_public = says_public;
    call.argument.visit("", &mut |key, value| {
        let key = joined(key);
        is_public |= match value {
            Value::String(text, _) => Tag::AudienceKey.has(&key) && (is_everybody(text) || Tag::OpenAudience.has(&text.to_lowercase())),
            Value::Boolean(..) if list("login-switches").contains(&key.as_str()) => is_no(value),
            Value::Boolean(..) => (Tag::PublicSwitch.has(&key) || key == "unlisted") && is_yes(value),
            _ => false,
        };
    });
    let elsewhere = reach.shown.clone().filter(|shown| reach.side == Side::Outside && reach.is_constant && shown.contains('@'));
    if is_public { Some("everybody".to_owned()) } else { elsewhere }
}

/// The calls that write, by what they name and by the calls that are given what they return.
struct Writers<'s> {
    named: HashMap<&'s str, Vec<usize>>,
    given: HashMap<usize, Vec<usize>>,
}

impl<'s> Writers<'s> {
    fn of(subject: &'s Subject) -> Self {
        let mut all = Self { named: HashMap::new(), given: HashMap::new() };
        for (at, call) in subject.calls.iter().enumerate() {
            for (_, name) in names(call) {
                all.named.entry(name).or_default().push(at);
            }
        }
        for flow in subject.flows.iter().filter(|flow| Strength::Bit < flow.strength) {
            let writer = subject.origins.get(flow.origin).and_then(|origin| origin.call?.tool());
            if let (CallRef::Tool(sink), Some(writer)) = (flow.sink, writer) {
                all.given.entry(sink).or_default().push(writer);
            }
        }
        all
    }

    /// Takes out the calls that wrote what another one is given: by what they returned, or by a name that both are given. That one
    /// itself stays for others.
    fn take(&mut self, subject: &'s Subject, opening: usize) -> HashSet<usize> {
        let mut writers: HashSet<usize> = self.given.remove(&opening).unwrap_or_default().into_iter().collect();
        for (_, name) in subject.calls.get(opening).map(names).unwrap_or_default() {
            let Some(named) = self.named.get_mut(name) else { continue };
            let itself = named.contains(&opening).then_some(opening);
            writers.extend(std::mem::replace(named, itself.into_iter().collect()).into_iter().filter(|at| *at != opening));
        }
        writers
    }
}
