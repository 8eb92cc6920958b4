//! What an interpretation notes: calls, what they are passed, and which data reaches them.

mod code;
mod finish;
mod flows;
mod source;

use crate::format::script::interpret::plain::{merged, wider};
use crate::format::script::interpret::record::flows::{FlowKey, Gravity};
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::format::script::interpret::call::Site;
use crate::format::script::interpret::call::tool::CALLERS;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::text::{Text, Texts};
use crate::format::script::interpret::value::{Atom, Id, Val};
use crate::format::script::interpret::{CodeText, Interpreter};
use crate::knowledge::command::list;
use crate::knowledge::{Api, SinkKind};
use crate::subject::call::{Repeat, Value};
use crate::subject::flow::{CallRef, Origin, OriginKind, Strength};
use crate::value::span::Span;

/// How many different values of one argument are kept: more than rounds of a loop are told apart.
pub const ALTERNATIVES: usize = 512;
/// How many parts of one argument are kept.
pub const PARTS: u32 = 2_000;
/// How deep arguments are looked into.
pub const DEPTH: u32 = 12;
/// How many calls are kept of one script, beyond which they are not told apart by their callers.
const CALLS: usize = 50_000;
/// How many calls of one place are told apart by their callers.
const CONTEXTS: u32 = 200;
/// How many requests of one place are told apart by who calls the wrapper around them.
const REQUESTS: u32 = 24;

/// Which tool call it is.
#[derive(Clone, Copy, Debug)]
pub struct ToolSite {
    /// Where the call starts.
    pub start: u32,
    /// Where the wrappers around it are called.
    pub callers: [u32; CALLERS],
    /// The call, for people.
    pub span: Span,
    /// What names the tool.
    pub tool_span: Span,
    /// The tool is named by a literal.
    pub is_literal: bool,
    /// The tool is a method by another name, and not the way in which agents call tools.
    pub is_method: bool,
}

/// Which call of a host API it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostSite {
    /// Its path.
    pub api: String,
    /// The whole call.
    pub span: Span,
    /// Where the wrappers around it are called, where what they ask for differs.
    pub callers: [u32; CALLERS],
}

pub struct ToolRecord {
    site: ToolSite,
    tool: Val,
    tools: Vec<Text>,
    argument: Value,
    loop_depth: u16,
    repeated: bool,
    repeat: Repeat,
    over: Vec<u32>,
}

struct HostRecord {
    site: HostSite,
    arguments: Vec<Value>,
    receiver: Vec<Value>,
    loop_depth: u16,
    repeated: bool,
    repeat: Repeat,
}

/// What was noted so far.
#[derive(Default)]
pub struct Recorder {
    tools: IndexMap<(u32, [u32; CALLERS], Id), ToolRecord, FxBuildHasher>,
    hosts: IndexMap<HostSite, HostRecord, FxBuildHasher>,
    origins: IndexMap<(Span, String), Origin, FxBuildHasher>,
    flows: IndexMap<FlowKey, StepId, FxBuildHasher>,
    /// For each call, how many flows of each gravity it got beyond those that all get.
    further: FxHashMap<(CallRef, Gravity), u32>,
    /// A checksum is made.
    pub makes_sum: bool,
    /// Something is compared with a checksum that is written out.
    pub compares_sum: bool,
    code: Vec<CodeText>,
    /// Where calls stand that were noted.
    places: FxHashSet<(Span, CallRef)>,
    noted: FxHashMap<Span, bool>,
    /// Where functions are handed over whose answers go to whoever asked.
    answered: FxHashSet<Span>,
    /// How many calls are told apart at each place.
    contexts: FxHashMap<u32, u32>,
    /// How many requests are told apart at each place.
    requests: FxHashMap<Span, u32>,
    sites: Vec<Site>,
    /// The names that functions are given where they stand.
    pub names: FxHashMap<u32, String>,
    /// Texts that stand in the script as they are.
    written: FxHashSet<Text>,
    /// Texts that were put together in a way that hides them; decoded ones with true.
    disguised: FxHashMap<Text, bool>,
    is_split: bool,
    /// How many calls are made as only agents make them.
    pub agent_calls: usize,
}

impl HostSite {
    /// A call that nothing but its place tells from others.
    pub fn new(api: String, span: Span) -> Self {
        Self { api, span, callers: [0; CALLERS] }
    }
}

impl Recorder {
    /// Notes a text that stands in the script.
    pub fn written(&mut self, text: &str, texts: &mut Texts) {
        if text.len() < 256 {
            let text = texts.intern(text);
            self.written.insert(text);
        }
    }

    /// Notes that two texts are put together; within a word, that hides it.
    pub fn put_together(&mut self, left: &str, right: &str, texts: &mut Texts) {
        let inside = |character: Option<char>| character.is_some_and(char::is_alphabetic);
        let hidden = |text: &str| texts.known(text).is_some_and(|text| self.disguised.contains_key(&text));
        if inside(left.chars().next_back()) && inside(right.chars().next()) || hidden(left) || hidden(right) {
            self.is_split = true;
        }
    }

    /// Whether the texts put together since the last question hide a word.
    pub fn take_split(&mut self) -> bool {
        std::mem::take(&mut self.is_split)
    }

    /// Notes that a text was hidden: decoded, or only put together.
    pub fn disguise(&mut self, text: Text, is_decoded: bool) {
        *self.disguised.entry(text).or_insert(false) |= is_decoded;
    }

    /// Notes that what comes of a call does not hold what it is passed.
    pub fn close(&mut self, span: Span) {
        self.noted.entry(span).or_insert(false);
    }

    /// Notes that functions are handed over whose answers go to whoever asked.
    pub fn answer(&mut self, span: Span) {
        self.answered.insert(span);
    }

    /// Enters a call; returns how many calls are around it.
    pub fn enter(&mut self, site: Site) -> usize {
        self.sites.push(site);
        self.sites.len() - 1
    }

    /// The call is about to happen: its arguments are evaluated.
    pub fn is_next(&mut self, site: Site) {
        if let Some(last) = self.sites.last_mut() {
            *last = site;
        }
    }

    /// Leaves all calls but that many.
    pub fn leave_to(&mut self, around: usize) {
        self.sites.truncate(around);
    }

    /// Returns true if and only if the script is a step of a workflow: what it returns is what the next step gets.
    pub fn is_step(&self) -> bool {
        self.origins.values().any(|origin| origin.name.starts_with("n8n:"))
    }

    /// Returns true if and only if what a script assigns to `output` is what the next step gets.
    pub fn gives_output(&self) -> bool {
        self.origins.values().any(|origin| origin.name.starts_with("zapier:"))
    }

    /// An origin by its number.
    pub fn origin(&self, at: u32) -> Option<&Origin> {
        self.origins.get_index(at as usize).map(|(_, origin)| origin)
    }

    /// The innermost call.
    pub fn site(&self) -> Option<Site> {
        self.sites.last().copied()
    }
}

impl<'a> Interpreter<'a> {
    /// Notes a call of a tool; returns its index.
    pub fn record_tool(&mut self, site: ToolSite, tool: Val, passed: &Arguments) -> usize {
        let mut key = (site.start, site.callers, if site.is_literal { Val::NEVER.id } else { tool.id });
        let contexts = self.recorder.contexts.entry(site.start).or_insert(0);
        if CONTEXTS < *contexts && !self.recorder.tools.contains_key(&key) {
            key = (site.start, [0; CALLERS], key.2);
        }
        if !self.recorder.tools.contains_key(&key) {
            *contexts += 1;
        }
        if CALLS < self.recorder.tools.len() {
            key = (site.start, [0; CALLERS], Val::NEVER.id);
        }
        let mut argument = match (passed.known.as_slice(), passed.rest) {
            ([], None) => Value::Missing,
            ([only], None) => self.plain(*only, site.span),
            (_, Some(rest)) if passed.known.is_empty() => self.plain(rest, site.span),
            (several, _) => {
                let several: Vec<Value> = several.iter().map(|value| self.plain(*value, site.span)).collect();
                // A tool takes one value; what is passed beside it are options.
                let mut several = several.into_iter();
                several.next().unwrap_or(Value::Missing)
            }
        };
        self.with_accounts(&mut argument, passed);
        if let Some(name) = self.values.text(tool.id) {
            self.note_recipients(&name, &mut argument);
        }
        let around = self.around();
        let over = self.over();
        let tools: Vec<Text> = self
            .values
            .atoms(tool.id)
            .iter()
            .filter_map(|atom| match atom {
                Atom::Text(text) => Some(*text),
                _ => None,
            })
            .collect();
        let entry = self.recorder.tools.entry(key);
        let index = entry.index();
        match entry {
            indexmap::map::Entry::Occupied(mut entry) => {
                let record = entry.get_mut();
                record.argument = merged(std::mem::replace(&mut record.argument, Value::Missing), argument);
                record.tool = self.values.join(record.tool, tool);
                for text in tools {
                    if !record.tools.contains(&text) && record.tools.len() < ALTERNATIVES {
                        record.tools.push(text);
                    }
                }
                record.repeated |= around.1;
                record.loop_depth = record.loop_depth.max(around.0);
                record.repeat = wider(record.repeat, around.2);
                record.over.extend(over);
            }
            indexmap::map::Entry::Vacant(entry) => {
                let (loop_depth, repeated, repeat) = around;
                entry.insert(ToolRecord { site, tool, tools, argument, loop_depth, repeated, repeat, over });
            }
        }
        let sink = CallRef::Tool(index);
        let own = self.recorder.site().map_or(site.span, |own| own.span);
        for place in [own, site.span] {
            self.recorder.places.insert((place, sink));
            self.recorder.noted.entry(place).or_insert(false);
        }
        for (at, value) in passed.known.iter().enumerate() {
            let path = if at == 0 { String::new() } else { at.to_string() };
            self.record_flows(sink, *value, &path);
        }
        if let Some(rest) = passed.rest {
            self.record_flows(sink, rest, "");
        }
        let name = self.values.text(tool.id);
        if let Some(name) = name {
            self.hand_files(&name, sink, passed);
        }
        // A tool whose name depends on data does what the data says.
        self.record_flows(sink, tool, "tool");
        self.record_control(sink);
        index
    }

    /// Notes a call of a host API; returns which.
    pub fn record_host(&mut self, mut site: HostSite, api: &Api, arguments: &Arguments, made_with: &Rc<[Val]>) -> CallRef {
        let plain: Vec<Value> = arguments.iter().take(8).map(|value| self.plain(value, site.span)).collect();
        if api.sink == Some(SinkKind::Network) && plain.first().is_some_and(asks_for_something) {
            site.callers = self.callers_of_request(&site);
        }
        // What it was made with is the same each time.
        let is_new = !self.recorder.hosts.contains_key(&site);
        let receiver: Vec<Value> = made_with.iter().take(4).filter(|_| is_new).map(|value| self.plain(*value, site.span)).collect();
        if api.sink == Some(SinkKind::Code) {
            if api.path.ends_with("()") {
                self.note_called(arguments, made_with, site.span);
            } else {
                self.note_code(api, arguments, made_with, site.span);
            }
        }
        let around = self.around();
        let span = site.span;
        let entry = self.recorder.hosts.entry(site);
        let index = entry.index();
        match entry {
            indexmap::map::Entry::Occupied(mut entry) => {
                let record = entry.get_mut();
                let before = std::mem::take(&mut record.arguments);
                let mut before = before.into_iter();
                let mut merged_arguments: Vec<Value> =
                    plain.into_iter().map(|value| merged(before.next().unwrap_or(Value::Missing), value)).collect();
                merged_arguments.extend(before);
                record.arguments = merged_arguments;
                record.repeated |= around.1;
                record.repeat = wider(record.repeat, around.2);
            }
            indexmap::map::Entry::Vacant(entry) => {
                let site = entry.key().clone();
                entry.insert(HostRecord { site, arguments: plain, receiver, loop_depth: around.0, repeated: around.1, repeat: around.2 });
            }
        }
        let sink = CallRef::Host(index);
        self.recorder.places.insert((span, sink));
        *self.recorder.noted.entry(span).or_insert(false) |= api.origin.is_none();
        if api.sink.is_some() {
            self.acting.note(&self.frames);
            for (at, value) in arguments.known.iter().enumerate() {
                self.record_flows(sink, *value, &at.to_string());
            }
            if let Some(rest) = arguments.rest {
                self.record_flows(sink, rest, "0");
            }
            if api.sink == Some(SinkKind::Prompt) {
                self.record_told(sink, arguments.get(0), span);
            }
            // With what a browser is started stays on this machine.
            let is_started_here = api.path.split('.').any(|part| list("started-here").contains(&part));
            for (at, value) in made_with.iter().enumerate().filter(|_| !is_started_here) {
                self.record_flows(sink, *value, &format!("this.{at}"));
            }
            self.record_control(sink);
        } else if let Some(at) = api.reads.filter(|_| api.origin == Some(OriginKind::File))
            && let Some(value) = at.parse().ok().map(|at: usize| arguments.get(at))
        {
            // What said which file is read: that of an export holds what was exported. Whose home it lies in says nothing.
            let (taint, _) = self.carried(value);
            let is_machine = |origin| self.recorder.origin(origin).is_some_and(|origin| origin.kind == OriginKind::System);
            if self.values.taints.labels(taint).iter().any(|label| !is_machine(label.origin)) {
                self.record_flows(sink, value, at);
            }
        }
        sink
    }

    /// Who calls the wrapper around a request: each asks for something else, which must not run together.
    fn callers_of_request(&mut self, site: &HostSite) -> [u32; CALLERS] {
        let callers = self.callers();
        let told = HostSite { callers, ..site.clone() };
        if self.recorder.hosts.contains_key(&told) {
            return callers;
        }
        let contexts = self.recorder.requests.entry(site.span).or_insert(0);
        if REQUESTS <= *contexts || CALLS < self.recorder.hosts.len() {
            return [0; CALLERS];
        }
        *contexts += 1;
        callers
    }

    /// Notes what a function answers that tells an agent what to do: `{ instructions: async () => … }`.
    fn record_told(&mut self, sink: CallRef, options: Val, span: Span) {
        let given = self.property(options, INSTRUCTIONS, span);
        if self.is_function(given) {
            let told = self.call_value(given, Val::UNDEFINED, &Arguments::of(Vec::new()), span);
            let told = self.settled(told);
            self.record_flows(sink, told, &format!("0.{INSTRUCTIONS}"));
        }
    }

    /// How many loops stand around, whether it runs many times, and how often all of them run it.
    fn around(&self) -> (u16, bool, Repeat) {
        let statements = self.loops.iter().filter(|around| around.is_statement).count();
        let repeated = self.loops.iter().any(|around| !around.is_statement);
        let repeat = self.loops.iter().map(|around| around.repeat).fold(Repeat::Once, |all, one| match (all, one) {
            (Repeat::Counted(all), Repeat::Counted(one)) => Repeat::Counted(all.max(1).saturating_mul(one.max(1))),
            (all, one) => wider(all, one),
        });
        (u16::try_from(statements).unwrap_or(u16::MAX), repeated, repeat)
    }

    fn over(&self) -> Vec<u32> {
        let mut over: Vec<u32> = Vec::new();
        for around in &self.loops {
            over.extend(
                self.values.taints.labels(around.over).iter().filter(|label| Strength::Bit < label.strength).map(|label| label.origin),
            );
        }
        over.sort_unstable();
        over.dedup();
        over
    }

    /// More is said of a tool call that was made.
    pub fn extend_tool(&mut self, index: usize, argument: Val, span: Span) {
        let plain = self.plain(argument, span);
        if let Some((_, record)) = self.recorder.tools.get_index_mut(index) {
            record.argument = plain;
        }
        self.record_flows(CallRef::Tool(index), argument, "");
    }
}

/// The option under which an agent is told what to do.
const INSTRUCTIONS: &str = "instructions";

/// Returns true if and only if something is known of the address that a request asks for.
fn asks_for_something(address: &Value) -> bool {
    match address {
        Value::String(..) | Value::Partial(..) | Value::Object(..) => true,
        Value::OneOf(several, _) => several.iter().any(asks_for_something),
        _ => false,
    }
}
