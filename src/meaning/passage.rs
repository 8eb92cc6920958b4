//! Passages: flows with both ends understood, what is read and where it goes.

use std::collections::HashSet;

use crate::knowledge::command::list;
use crate::knowledge::tool::tool_in;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Sensitivity, Side, SinkKind};
use crate::meaning::argument::texts;
use crate::meaning::kept::{Kept, Written, kept};
use crate::meaning::line;
use crate::meaning::reach::{Place, Reach};
use crate::meaning::reaches::reaches;
use crate::meaning::read::Read;
use crate::meaning::reads::{is_asked_for, is_contact_of_oneself, reads};
use crate::subject::Subject;
use crate::subject::call::Call;
use crate::subject::dialect::Dialect;
use crate::subject::flow::{CallRef, Flow, Origin, OriginKind, Strength};
use crate::value::words::{joined, split_owner, words};

/// How many flows into a reading call are looked at to tell who asks, and how many messages to tell what is attached to them.
const ASKING: usize = 64;

/// How much of what is written to one file is handed on one by one.
const TOLD_APART: usize = 16;

/// A flow with both ends understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Index into `Subject::flows`.
    pub flow: usize,
    /// What is read.
    pub read: Read,
    /// Index into `Ends::reaches`: where it goes.
    pub reach: usize,
    /// What the argument that it reaches is for.
    pub place: Place,
    /// What is read of a person goes to that person.
    pub is_to_oneself: bool,
    /// More than what is read of a person goes to that person: all of the listing in which it stands.
    pub is_to_others: bool,
}

/// Both ends of all flows of a subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// What is read, by index into `Subject::origins`.
    pub reads: Vec<Read>,
    /// Where calls reach: first all tool calls, then all calls of host APIs.
    pub reaches: Vec<Reach>,
    /// All flows, in their order, and behind them those whose data is handed on by the name of the file that keeps it.
    pub passages: Vec<Passage>,
    /// The flows into each call that were followed (indices into `Subject::flows`), by index into `reaches`.
    pub into: Vec<Vec<usize>>,
}

impl Ends {
    /// The flows into a tool call.
    pub fn flows_into<'s>(&'s self, subject: &'s Subject, call: usize) -> impl Iterator<Item = &'s Flow> {
        self.into.get(call).into_iter().flatten().filter_map(|flow| subject.flows.get(*flow))
    }

    /// The index of a call in `reaches`.
    pub fn index(subject: &Subject, call: CallRef) -> usize {
        match call {
            CallRef::Tool(index) => index,
            CallRef::Host(index) => subject.calls.len() + index,
        }
    }

    /// Understands both ends of all flows.
    pub fn of(subject: &Subject, house: &House) -> Self {
        let (reads, reaches) = (reads(subject, house), reaches(subject, house));
        let index = |call: CallRef| Self::index(subject, call);
        let mut into = vec![Vec::new(); reaches.len()];
        for (at, flow) in subject.flows.iter().enumerate().filter(|(_, flow)| flow.is_followed()) {
            if let Some(flows) = into.get_mut(index(flow.sink)) {
                flows.push(at);
            }
        }
        let addressing = addressing(subject, &reaches, &index);
        let mut addressed: HashSet<(CallRef, usize, &str)> =
            addressing.iter().map(|flow| (flow.sink, flow.origin, element(&flow.field))).collect();
        // Whose address was looked up by the number that stands in a record is whom that record is about.
        for flow in &addressing {
            let asked = subject.origins.get(flow.origin).and_then(|origin| origin.call).map(&index);
            let asking = asked.into_iter().flat_map(|call| into.get(call).into_iter().flatten().take(ASKING).map(move |at| (call, *at)));
            let told = asking.filter_map(|(call, at)| Some((reaches.get(call)?, subject.flows.get(at)?)));
            let told = told.filter(|(asked, told)| told.strength == Strength::Whole && names_whom(asked, told));
            addressed.extend(told.map(|(_, told)| (flow.sink, told.origin, element(&told.field))));
        }
        let asked_by = asked_by(subject, &reads, &addressing, house);
        // Whoever runs a program may read himself what it reads for him.
        let is_self = |flow: &&&Flow| subject.origins.get(flow.origin).is_some_and(|origin| is_contact_of_oneself(&origin.name));
        let is_program = subject.dialect != Dialect::AgentScript;
        let to_self: HashSet<CallRef> = addressing.iter().filter(|flow| is_program && is_self(flow)).map(|flow| flow.sink).collect();
        let listed: HashSet<(CallRef, usize)> =
            addressed.iter().filter(|(_, _, element)| !element.is_empty()).map(|(call, origin, _)| (*call, *origin)).collect();
        // What is asked for by a person's own record belongs to that person too.
        let is_asked_for = |flow: &Flow| {
            let asked = subject.origins.get(flow.origin).and_then(|origin| origin.call).and_then(|call| into.get(index(call)));
            let mut asking = asked.into_iter().flatten().take(ASKING).filter_map(|at| subject.flows.get(*at));
            asking.any(|asking| addressed.contains(&(flow.sink, asking.origin, element(&asking.field))))
        };
        let passages = subject.flows.iter().enumerate().filter_map(|(at, flow)| {
            let reach = reaches.get(index(flow.sink))?;
            let read = reads.get(flow.origin)?;
            if let CallRef::Host(index) = reach.call
                && reach.does(SinkKind::Command)
                && subject.host_calls.get(index).is_some_and(|call| line::is_unread_environment(call, &flow.argument))
            {
                return None;
            }
            if is_environment_of_server(subject, flow) {
                return None;
            }
            let place = place(subject, reach, flow);
            let is_part = !read.is_many || flow.field.starts_with("[]");
            let is_of = |element| addressed.contains(&(flow.sink, flow.origin, element));
            // What stands in the one record of a person, however deep, is that person's.
            let is_own = || is_of(element(&flow.field)) || !read.is_many && (is_of("") || is_asked_for(flow));
            // Whoever else gets a copy is not that person.
            let has_other = reach.side == Side::Outside && reach.is_constant;
            let is_of_others = || read.is_many && Some(Sensitivity::Internal) < read.sensitivity && !to_self.contains(&flow.sink);
            let is_answer = || asked_by.contains(&flow.sink) && !is_of_others();
            let is_persons = || !addressed.is_empty() && (is_part && is_own() || is_answer());
            let is_to_oneself = !has_other && place != Place::Target && is_persons();
            let is_to_others = flow.field.is_empty() && place == Place::Data && listed.contains(&(flow.sink, flow.origin));
            let reach = index(flow.sink);
            Some(Passage { flow: at, read: read.passed(flow, reaches.get(reach)), reach, place, is_to_oneself, is_to_others })
        });
        let mut passages: Vec<Passage> = passages.collect();
        let on = handed_on(subject, &reaches, &passages, &kept(subject, house));
        passages.extend(on);
        let is_own = |passage: &Passage, to: usize| {
            let flow = subject.flows.get(passage.flow);
            flow.is_some_and(|flow| addressed.contains(&(CallRef::Tool(to), flow.origin, element(&flow.field))))
        };
        let on: Vec<Passage> = attached(subject, &reaches, &passages, house)
            .into_iter()
            .map(|passage| Passage { is_to_oneself: is_own(&passage, passage.reach), ..passage })
            .collect();
        passages.extend(on);
        Self { reads, reaches, passages, into }
    }

    /// Where a passage goes.
    pub fn reach(&self, passage: &Passage) -> Option<&Reach> {
        self.reaches.get(passage.reach)
    }
}

/// Returns true if and only if what flows is the environment in which a server beside the script is started, of which its line reads nothing,
/// or that server, handed to the client that talks to it: `new StdioClientTransport({ command, env })`, `createMCPClient({ transport })`.
fn is_environment_of_server(subject: &Subject, flow: &Flow) -> bool {
    const STARTING: [&str; 2] = ["agent:run_command", "mcp:run_command"];
    const TALKING: &str = "reateMCPClient";
    let starts = |call: &Call| call.is_method && call.tool.name().is_some_and(|name| STARTING.contains(&name));
    match flow.sink {
        CallRef::Tool(index) => {
            let own = subject.calls.get(index).filter(|call| starts(call) && flow.argument.split('.').next() == Some("env"));
            own.is_some_and(|call| {
                let mut reads = false;
                call.argument.visit_properties(&mut |property| {
                    let said = if matches!(property.key.as_str(), "command" | "args" | "fullCommand") {
                        texts(&property.value)
                    } else {
                        Vec::new()
                    };
                    reads |= said.iter().any(|text| line::reads_environment(text.text));
                });
                !reads
            })
        }
        // A transport that is written out beside it leads wherever its address says.
        CallRef::Host(index) => {
            let talks = subject.host_calls.get(index).is_some_and(|call| call.api.ends_with(TALKING));
            talks && flow.argument == "0.transport" && subject.calls.iter().any(starts)
        }
    }
}

/// What an argument of a call is for; of a command's, where in its line it stands.
fn place(subject: &Subject, reach: &Reach, flow: &Flow) -> Place {
    let CallRef::Host(index) = reach.call else { return reach.place(&flow.argument) };
    let signs_in = || subject.host_calls.get(index).is_some_and(line::only_signs_in);
    let is_command = reach.does(SinkKind::Command) && reach.does(SinkKind::Network);
    if is_command && signs_in() { Place::Entrance } else { reach.place(&flow.argument) }
}

/// What is handed on with the name of the file that keeps it. Of what is written to one file, what came first is handed on
/// whole, and of the rest one of each kind.
fn handed_on(subject: &Subject, reaches: &[Reach], passages: &[Passage], kept: &Kept) -> Vec<Passage> {
    let mut into: Vec<Vec<&Passage>> = vec![Vec::new(); subject.calls.len()];
    for passage in passages.iter().filter(|passage| passage.place == Place::Data) {
        if let Some(into) =
            into.get_mut(passage.reach).filter(|_| reaches.get(passage.reach).is_some_and(|reach| reach.does(SinkKind::FileWrite)))
        {
            into.push(passage);
        }
    }
    // By name: how many calls had written before, and what is handed on.
    let written = |writers: &Vec<usize>| -> Vec<(usize, &Passage)> {
        let mut kinds = HashSet::new();
        let all = writers
            .iter()
            .enumerate()
            .flat_map(|(before, writer)| into.get(*writer).into_iter().flatten().map(move |passage| (before, *passage)));
        all.enumerate()
            .filter(|(nth, (_, passage))| kinds.insert(kind(subject, passage)) || *nth < TOLD_APART)
            .map(|(_, one)| one)
            .collect()
    };
    let written: Vec<Vec<(usize, &Passage)>> = kept.writers.iter().map(written).collect();
    let mut on = Vec::new();
    for (call, names) in kept.handed_on.iter().filter(|(call, _)| reaches.get(*call).is_some_and(|reach| reach.outgoing().is_some())) {
        let mut seen = HashSet::new();
        let mut from: Vec<&Passage> = Vec::new();
        for Written { under, count } in names {
            let before = written.get(*under).into_iter().flatten().take_while(|(before, _)| before < count);
            from.extend(before.map(|(_, passage)| *passage).filter(|passage| seen.insert((passage.flow, passage.reach))));
        }
        from.sort_by_key(|passage| passage.flow);
        on.extend(from.into_iter().map(|passage| Passage { reach: *call, is_to_oneself: false, is_to_others: false, ..passage.clone() }));
    }
    on
}

/// What is handed on with what a call that keeps it answers: a file that was uploaded and is attached to a message then, or shown by
/// its link in the same service.
fn attached(subject: &Subject, reaches: &[Reach], passages: &[Passage], house: &House) -> Vec<Passage> {
    let keeps = |call: usize| {
        subject.calls.get(call).and_then(|call| call.tool.name()).is_some_and(|name| {
            let profile = tool_in(name, house);
            let makes = |any: &str| words(name).iter().any(|word| list(any).contains(&word.as_str()));
            !profile.reads && (profile.writes || makes("uploading")) || makes("making-media")
        })
    };
    let owner = |call: usize| subject.calls.get(call).and_then(|call| call.tool.name()).map(|name| split_owner(name).0).unwrap_or_default();
    // Which calls are given what another one answered, each pair once.
    let mut given: Vec<(usize, usize)> = Vec::new();
    for flow in subject.flows.iter().filter(|flow| flow.is_followed() && flow.strength == Strength::Whole) {
        let from = subject.origins.get(flow.origin).and_then(|origin| origin.call).and_then(CallRef::tool);
        let (Some(from), Some(to)) = (from, flow.sink.tool()) else { continue };
        let is_sent = reaches
            .get(to)
            .is_some_and(|reach| [SinkKind::Chat, SinkKind::Mail, SinkKind::Publish].into_iter().any(|sink| reach.does(sink)));
        let attaches = || flow.argument.split('.').any(|key| words(key).iter().any(|word| list("attached-by").contains(&word.as_str())));
        let is_near = || !owner(from).is_empty() && owner(from).eq_ignore_ascii_case(owner(to));
        if given.len() < ASKING && is_sent && from != to && keeps(from) && (attaches() || is_near()) && !given.contains(&(from, to)) {
            given.push((from, to));
        }
    }
    let mut on = Vec::new();
    for (from, to) in given {
        let kept = passages.iter().filter(|passage| passage.reach == from && passage.place == Place::Data).take(TOLD_APART);
        on.extend(kept.map(|passage| Passage { reach: to, is_to_oneself: false, is_to_others: false, ..passage.clone() }));
    }
    on
}

/// All that tells one passage from another but what people say of it.
fn kind(subject: &Subject, passage: &Passage) -> impl Eq + std::hash::Hash + use<> {
    let Read { kind, sensitivity, is_harmless, is_public, is_many, is_unfiltered, is_untrusted, is_of_variables: _, words: _ } =
        &passage.read;
    let strength = subject.flows.get(passage.flow).map(|flow| flow.strength);
    (*kind, *sensitivity, (*is_harmless, *is_public, *is_many, *is_unfiltered, *is_untrusted), strength)
}

/// The flows by which a person's own address says where a call goes.
fn addressing<'s>(subject: &'s Subject, reaches: &[Reach], index: &impl Fn(CallRef) -> usize) -> Vec<&'s Flow> {
    let to_person = |flow: &&Flow| {
        flow.is_followed()
            && reaches.get(index(flow.sink)).is_some_and(|reach| {
                // `notices:send { to: member.id }`
                let is_place = || Tag::AddressField.has_any(words(flow.field.rsplit('.').next().unwrap_or_default()));
                let is_sent = || reach.api.is_none() && list("people-sent-to").contains(&joined(&flow.argument).as_str()) && !is_place();
                let is_for_people = reach.does(SinkKind::Mail) || reach.does(SinkKind::Chat);
                (is_for_people || is_sent())
                    && reach.place(&flow.argument) == Place::Target
                    && (flow.field.rsplit('.').next().is_some_and(|last| last != "[]" && !last.is_empty())
                        || is_cell(&flow.field)
                        || flow.field.ends_with("[]") && subject.origins.get(flow.origin).is_some_and(is_table)
                        || flow.field.is_empty()
                            && subject.origins.get(flow.origin).is_some_and(|origin| is_contact_of_oneself(&origin.name)))
            })
    };
    subject.flows.iter().filter(to_person).collect()
}

/// Returns true if and only if what is told a call says whose record is wanted: `patients:get { id: slot.patientId }`, a parameter of a
/// query.
fn names_whom(asked: &Reach, told: &Flow) -> bool {
    let last = |path: &str| words(path.rsplit('.').find(|part| !part.is_empty() && *part != "[]").unwrap_or_default());
    let is_id = |path: &str| last(path).last().is_some_and(|last| matches!(last.as_str(), "id" | "no" | "number" | "key" | "ref"));
    asked.does(SinkKind::Query) || is_id(&told.argument) || is_id(&told.field)
}

/// Returns true if and only if rows are read of a table: what stands alone in one of them is a cell.
fn is_table(origin: &Origin) -> bool {
    let (owner, name) = split_owner(&origin.name);
    let has = |name: &str, any: &str| words(name).iter().any(|word| list(any).contains(&word.as_str()));
    origin.kind == OriginKind::Tool && has(owner, "owners-of-cells") && has(name, "many-cells")
}

/// Calls that go to nobody but the person for whom the script runs.
fn asked_by(subject: &Subject, reads: &[Read], addressing: &[&Flow], house: &House) -> HashSet<CallRef> {
    let of_others = |flow: &&&Flow| {
        let origin = subject.origins.get(flow.origin).zip(reads.get(flow.origin));
        !origin.is_some_and(|(origin, read)| is_own_address(subject, origin, read, &flow.field, house))
    };
    let others: HashSet<CallRef> = addressing.iter().filter(of_others).map(|flow| flow.sink).collect();
    addressing.iter().map(|flow| flow.sink).filter(|call| !others.contains(call)).collect()
}

/// Returns true if and only if a field is the address of the person for whom the script runs: one of that person's own profile,
/// which nothing in the script changes.
fn is_own_address(subject: &Subject, origin: &Origin, read: &Read, field: &str, house: &House) -> bool {
    let (owner, name) = split_owner(&origin.name);
    let name = words(name);
    let tells = |word: &String| Tag::Oneself.has(word) || Tag::People.has(word);
    let is_profile = is_profile_of_oneself(&origin.name);
    // `gmail_get_profile({})`: where nobody is asked for, it is the profile of whoever asks.
    let is_unasked = name.last().is_some_and(|last| last == "profile") && !is_asked_for(subject, origin);
    let is_profile = is_profile || is_contact_of_oneself(&origin.name) || is_unasked;
    let is_direct = !field.contains(['[', '.']);
    let changes = |call: &Call| {
        let tool = call.tool.name().unwrap_or_default();
        // Who runs a script its own settings do not change.
        let is_owned = || split_owner(tool).0.eq_ignore_ascii_case(owner) && !subject.is_of_program(call);
        let is_near = is_owned() || words(tool).iter().any(tells);
        let profile = tool_in(tool, house);
        is_near && profile.writes && profile.outgoing().is_none()
    };
    origin.kind == OriginKind::Tool && is_profile && is_direct && (is_unasked || !read.is_untrusted) && !subject.calls.iter().any(changes)
}

/// Returns true if and only if a tool tells who it is for whom the script runs: `users:me`, `auth:whoami`.
pub fn is_profile_of_oneself(tool: &str) -> bool {
    let name = words(split_owner(tool).1);
    let tells = |word: &String| Tag::Oneself.has(word) || Tag::People.has(word) || Tag::Reading.has(word);
    Tag::Oneself.has_any(name.iter()) && name.iter().all(tells)
}

/// A cell of a table, in the row that is the person's.
fn is_cell(field: &str) -> bool {
    field.ends_with("[].[]")
}

/// The element of a field: `[]` of `[].contact.email` and of `[].[]`, nothing of `email`.
fn element(field: &str) -> &str {
    let field = if is_cell(field) { field.strip_suffix(".[]").unwrap_or(field) } else { field };
    field.rfind("[]").and_then(|at| field.get(..at + 2)).unwrap_or("")
}
