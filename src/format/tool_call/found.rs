//! Goes through a text value by value, and makes subjects of what the values hold.

use std::collections::HashMap;

use crate::format::ReadOptions;
use crate::format::script::planned;
use crate::format::tool_call::fields::{over, written};
use crate::format::tool_call::held::{self, Held, Scope, What};
use crate::format::tool_call::json::{Item, Reader};
use crate::format::tool_call::shape::{Parts, may_become_bare};
use crate::format::tool_call::strings::Strings;
use crate::format::tool_call::{hides_letters, manifest, patch, scripts};
use crate::knowledge::requested::{OPERATION_KEYS, operation};
use crate::subject::call::{Call, Disguise, Property, Repeat, Tool, Value};
use crate::subject::enclosed::Enclosed;
use crate::subject::record::Record;
use crate::subject::segment::{Role, Segment};
use crate::subject::{Completeness, Kind, Lifecycle, Reason, Subject, Undetermined};
use crate::value::offset_map::OffsetMap;
use crate::value::span::Span;

/// Of how many files of a patch each counts as written by itself.
const MOST_PATCHED: usize = 100;
/// With how many earlier results of the same call one is compared.
const COMPARED: usize = 4;
/// What tells a call even where nothing around it can be read.
const SIGNS: &[&str] = &[
    "\"function_name\"",
    "tools/call",
    "\"tool_use\"",
    "\"tool_calls\"",
    "\"tool_input\"",
    "\"tool_name\"",
    "\"toolName\"",
    "\"functionCall\"",
    "\"function_call\"",
    "\"tool_result\"",
    "\"tool_response\"",
    "\"hook_event_name\"",
];

/// What was found in a text so far.
pub struct Found<'t> {
    text: &'t str,
    options: &'t ReadOptions,
    subjects: Vec<Subject>,
    /// How many records were found.
    records: u32,
    /// The session that the last line with one named.
    session: Option<String>,
    /// Where the result of each call stands among the subjects.
    results: HashMap<String, Vec<usize>>,
    /// Where values stand that are no calls.
    others: Vec<Span>,
    /// Where nothing stands that can be read, nor be told to be a call.
    faults: Vec<Undetermined>,
    /// All calls are told by their keys alone.
    is_bare: bool,
    /// There are more subjects than may be read.
    is_over: bool,
}

impl<'t> Found<'t> {
    /// Nothing yet.
    pub fn new(text: &'t str, options: &'t ReadOptions) -> Self {
        Self {
            text,
            options,
            subjects: Vec::new(),
            records: 0,
            session: None,
            results: HashMap::new(),
            others: Vec::new(),
            faults: Vec::new(),
            is_bare: true,
            is_over: false,
        }
    }

    /// Reads all values.
    pub fn items(&mut self) {
        let whole = Span::from_offsets(0, self.text.len());
        let mut reader = Reader::new(self.text, whole, &self.options.limits);
        let first = reader.peek();
        if first == Some(b'{') {
            let item = reader.item();
            if item.is_whole && reader.peek().is_none() {
                return self.take(item, whole);
            }
        }
        let lines = lines(self.text);
        // A bracket alone on its line opens an object of several lines.
        let is_object = |line: &&Span| line.slice(self.text).starts_with('{') && line.slice(self.text).trim_end() != "{";
        if first != Some(b'[') && 1 < lines.iter().filter(is_object).count() {
            return lines.into_iter().for_each(|line| self.line(line));
        }
        self.stretch(whole);
    }

    /// Reads a line that should be one value.
    fn line(&mut self, line: Span) {
        let mut reader = Reader::new(self.text, line, &self.options.limits);
        if reader.peek().is_none() || self.is_over {
            return;
        }
        if reader.peek() == Some(b'[') {
            return self.stretch(line);
        }
        let mut item = reader.item();
        if item.is_whole && reader.peek().is_some() {
            // Several values may stand on one line; what is none of them is told where it stands.
            if reader.peek() == Some(b'{') {
                return self.stretch(line);
            }
            item.fault = item.fault.or(Some(reader.fault("nothing may follow the value of a line")));
        }
        self.take(item, line);
    }

    /// Reads values one after another, in arrays or not; behind a fault it goes on where the next one may begin.
    fn stretch(&mut self, span: Span) {
        let mut reader = Reader::new(self.text, span, &self.options.limits);
        let (mut in_array, mut is_sound) = (false, true);
        while reader.peek().is_some() && !self.is_over {
            if !in_array && reader.take(b'[') {
                in_array = !reader.take(b']');
                continue;
            }
            let start = reader.at();
            let mut item = reader.item();
            is_sound = item.is_whole;
            if item.is_whole && in_array && !reader.take(b',') {
                in_array = !reader.take(b']');
                if in_array {
                    item.fault = Some(reader.fault("`,` or `]` is expected"));
                    is_sound = false;
                }
            }
            if !is_sound {
                reader.go_to(self.next_start(start, reader.at(), span.end as usize));
            }
            self.take(item, Span::from_offsets(start, reader.at()));
        }
        if in_array && is_sound && !self.is_over {
            self.faults.push(reader.fault("`]` is expected"));
        }
    }

    /// Where an object begins behind a fault: at the start of a line, behind a comma, or where only another value can begin.
    fn next_start(&self, start: usize, fault: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        let first = fault.max(start + 1);
        let begins = |at: usize| {
            let before = bytes.get(start..at).unwrap_or(&[]);
            matches!(before.last(), Some(b'\n'))
                || before.trim_ascii_end().ends_with(b"data:")
                || matches!(before.trim_ascii_end().last(), Some(b',' | b'(' | b'=' | b'}'))
        };
        let rest = bytes.get(first..end).unwrap_or(&[]);
        memchr::memchr_iter(b'{', rest).map(|at| first + at).find(|at| begins(*at)).unwrap_or(end)
    }

    /// Keeps what an item holds, or might hold but for its fault; `raw` is all that may belong to it.
    fn take(&mut self, item: Item, raw: Span) {
        let found = held::find(&item.value, self.text);
        self.faults.extend(found.faults.iter().map(|(detail, span)| Undetermined::at(Reason::Unparsable, *detail, *span)));
        if found.session.is_some() {
            self.session.clone_from(&found.session);
        }
        if found.held.is_empty() {
            let hooks = manifest::hooks(&item.value);
            match &item.fault {
                None if found.is_message => {}
                None if !hooks.is_empty() => hooks.iter().for_each(|hook| self.keep_hook(hook, &item)),
                None => self.others.push(raw),
                Some(fault) if says_call(raw.slice(self.text), &item.value) => {
                    let mut subject = Subject::empty(Kind::ToolCall, Lifecycle::PreToolCall);
                    subject.segments = unread(raw);
                    subject.completeness = Completeness::Undetermined(fault.clone());
                    self.push(subject, Record { number: self.records + 1, span: raw, ..Record::default() });
                }
                Some(fault) => self.faults.push(fault.clone()),
            }
            return;
        }
        let mut flaw = Flaw::of(&item, &found.held, raw);
        if let Some(Flaw { held: None, cause, .. }) = &flaw {
            self.faults.push(cause.clone());
        }
        for (index, held) in found.held.into_iter().enumerate() {
            let own = flaw.take_if(|flaw| flaw.held == Some(index));
            match held.what {
                What::Call(ref parts) => self.keep_call(parts, &held, &item, own),
                What::Told(kind, ref values) => {
                    let strings = Strings { source: self.text, segments: &item.segments, limits: &self.options.limits };
                    self.keep_told(kind, strings.words(values), &held, own);
                }
            }
        }
    }

    /// Makes a subject of a call, and one of each script in it.
    fn keep_call(&mut self, parts: &Parts<'_>, held: &Held<'_>, item: &Item, flaw: Option<Flaw>) {
        let limits = &self.options.limits;
        let mut segments = within(&item.segments, held.span).to_vec();
        let inner = Strings { source: self.text, segments: &segments, limits }.passed(parts.kwargs);
        let mut parts = parts.clone();
        let mut cause = parts.fault.map(|(detail, span)| Undetermined::at(Reason::Unparsable, detail, span));
        if let Some(inner) = &inner {
            parts.kwargs = Some(&inner.value);
            cause = cause.or(inner.fault.clone()).or(inner.ambiguity());
            adopt(&mut segments, inner);
        }
        let strings = Strings { source: self.text, segments: &segments, limits };
        let (argument, passing) = parts.argument();
        let scripts = scripts::find(&parts, &argument, &strings, self.options);
        let mut subject = call(&parts, argument, held.span);
        subject.handed_on = Some(Box::new(parts.handed_on(passing)));
        let cut = flaw.as_ref().and_then(|flaw| flaw.unread);
        subject.segments = cut.map_or(segments, unread);
        if let Some(cause) = flaw.map(|flaw| flaw.cause).or(cause) {
            subject.completeness = Completeness::Undetermined(cause);
        }
        self.is_bare &= parts.is_bare;
        let record = Record { tool: Some(parts.tool.to_owned()), ..self.record(held) };
        self.push(subject, record.clone());
        for (part, script) in (1..).zip(scripts) {
            let argument = Some(script.argument).filter(|argument| !argument.is_empty());
            self.push(script.subject, Record { argument, part, ..record.clone() });
        }
    }

    /// Makes a subject of what the manifest of a package has a shell run.
    fn keep_hook(&mut self, hook: &Value, item: &Item) {
        let span = hook.span();
        let parts = Parts { tool: manifest::TOOL, kwargs: Some(hook), fault: None, is_bare: false, ..Parts::nameless(span) };
        let held = Held { what: What::Call(Box::new(parts.clone())), id: None, tool: None, scope: Scope::default(), span };
        self.keep_call(&parts, &held, item, None);
    }

    /// Makes a subject of what an agent reads.
    fn keep_told(&mut self, kind: Kind, mut words: Enclosed, held: &Held<'_>, flaw: Option<Flaw>) {
        let lifecycle = if kind == Kind::ToolResult { Lifecycle::PostToolResult } else { Lifecycle::PreAgentStart };
        let mut subject = Subject::empty(kind, lifecycle);
        if let Some(flaw) = flaw {
            if let Some(unread) = flaw.unread {
                words.add(unread.slice(self.text), &OffsetMap::verbatim(unread));
            }
            subject.completeness = Completeness::Undetermined(flaw.cause);
        }
        self.is_bare = false;
        let record = self.record(held);
        if kind == Kind::ToolResult && self.stands_twice(&record, &words.text) {
            return;
        }
        if !words.text.is_empty() {
            subject.segments = vec![Segment::verbatim(Role::Prose, Span::from_offsets(0, words.text.len()))];
        }
        subject.enclosed = Some(Box::new(words));
        self.push(subject, record);
    }

    /// Returns true if and only if the same result was read before: hosts write some of them down twice.
    fn stands_twice(&mut self, record: &Record, words: &str) -> bool {
        let Some(id) = &record.id else { return false };
        let earlier = self.results.entry(id.clone()).or_default();
        let text = |index: &usize| {
            self.subjects.get(*index).and_then(|subject| subject.enclosed.as_deref()).map(|enclosed| enclosed.text.as_str())
        };
        let is_known = earlier.iter().rev().take(COMPARED).filter_map(text).any(|text| text.contains(words.trim()));
        if !is_known {
            earlier.push(self.subjects.len());
        }
        is_known
    }

    /// The record that something is, if it is the next one.
    fn record(&self, held: &Held<'_>) -> Record {
        let scalar = |value: Option<&Value>| value.and_then(|value| written(value, self.text));
        Record {
            number: self.records + 1,
            id: held.id.clone(),
            tool: held.tool.map(str::to_owned),
            argument: None,
            part: 0,
            session_id: scalar(held.scope.session).or_else(|| self.session.clone()),
            timestamp: scalar(held.scope.timestamp),
            span: held.span,
        }
    }

    /// Takes in a subject, which is the record or part of it.
    fn push(&mut self, mut subject: Subject, record: Record) {
        if self.is_over {
            return;
        }
        self.is_over = self.options.limits.calls as usize <= self.subjects.len();
        if self.is_over {
            let detail = format!("more than {} (limits.{})", self.options.limits.calls, Reason::Calls);
            return self.faults.push(Undetermined::at(Reason::Calls, detail, record.span));
        }
        self.records = record.number;
        subject.record = Some(Box::new(record));
        self.subjects.push(subject);
    }

    /// All that was found, and what stands beside it as one more that could not be judged.
    pub fn subjects(mut self) -> Vec<Subject> {
        if self.subjects.is_empty() || self.is_bare && !self.others.is_empty() {
            return Vec::new();
        }
        let other = self.others.first().map(|span| {
            let detail = match self.others.len() {
                1 => "a value beside the tool calls is none".to_owned(),
                count => format!("{count} values beside the tool calls are none, this is the first"),
            };
            Undetermined::at(Reason::Unparsable, detail, *span)
        });
        let rest = self.faults.into_iter().chain(other).min_by_key(|undetermined| undetermined.span);
        if let Some(undetermined) = rest {
            let mut subject = Subject::empty(Kind::ToolCall, Lifecycle::PreToolCall);
            subject.completeness = Completeness::Undetermined(undetermined);
            self.subjects.push(subject);
        }
        self.subjects
    }
}

/// Why something of an item could not be read, or may be read in several ways.
struct Flaw {
    /// Which of the things that it holds is meant, if it is one.
    held: Option<usize>,
    /// What belongs to it and was not read.
    unread: Option<Span>,
    cause: Undetermined,
}

impl Flaw {
    /// What is wrong with an item; `raw` is all that may belong to it.
    fn of(item: &Item, held: &[Held<'_>], raw: Span) -> Option<Self> {
        let cause = item.fault.clone().or_else(|| item.ambiguity())?;
        let place = cause.span.unwrap_or(raw).start;
        // Of those that hold the place the last is the innermost, and the one that was read when it was met.
        let holder = held.iter().rposition(|held| held.span.start <= place && place <= held.span.end);
        let at = holder.or((item.fault.is_none() || held.len() == 1).then_some(0));
        let cut = at.and_then(|at| held.get(at)).filter(|_| !item.is_whole);
        let is_last = at.is_some_and(|at| at + 1 == held.len());
        let unread = cut.map(|held| if is_last { over(held.span, Span::new(place, raw.end)) } else { held.span });
        Some(Self { held: at, unread, cause })
    }
}

/// The segments that stand within a span; they are in order of place.
fn within(segments: &[Segment], span: Span) -> &[Segment] {
    let first = segments.partition_point(|segment| segment.span.start < span.start);
    let last = segments.partition_point(|segment| segment.span.start < span.end);
    segments.get(first..last).unwrap_or(&[])
}

/// Puts the strings of a value that is written as a string in the place of that string.
fn adopt(segments: &mut Vec<Segment>, inner: &Item) {
    let at = segments.partition_point(|segment| segment.span.end < inner.span.end);
    let is_whole = inner.fault.is_none();
    let range = at..(at + usize::from(is_whole)).min(segments.len());
    segments.splice(range, inner.segments.iter().cloned());
    segments.sort_by_key(|segment| segment.span.start);
}

/// What is searched where nothing is known of the parts of a text.
fn unread(raw: Span) -> Vec<Segment> {
    vec![Segment::verbatim(Role::Code, raw), Segment::verbatim(Role::String, raw)]
}

/// The lines of a text, with their ends.
fn lines(text: &str) -> Vec<Span> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let span = Span::from_offsets(start, start + line.len());
        start += line.len();
        span
    });
    lines.collect()
}

/// Returns true if and only if a text that could not be read to its end may hold a call.
fn says_call(raw: &str, value: &Value) -> bool {
    let holds = |mark: &str| memchr::memmem::find(raw.as_bytes(), mark.as_bytes()).is_some();
    let may_be_bare = || holds("\"arguments\"") && holds("\"name\"") && may_become_bare(value);
    SIGNS.iter().any(|sign| holds(sign)) || hides_letters(raw.as_bytes()) || may_be_bare()
}

fn call(parts: &Parts<'_>, argument: Value, span: Span) -> Subject {
    let mut subject = Subject::empty(Kind::ToolCall, Lifecycle::PreToolCall);
    let said = match &argument {
        Value::Object(properties, _) => properties.iter().find_map(|property| match &property.value {
            Value::String(said, _) if OPERATION_KEYS.contains(&property.key.as_str()) => operation(parts.tool, &property.key, said),
            _ => None,
        }),
        _ => None,
    };
    subject.calls = vec![Call {
        tool: Tool::Named(said.unwrap_or_else(|| parts.tool.to_owned())),
        disguise: Disguise::None,
        argument,
        loop_depth: 0,
        repeated: false,
        repeat: Repeat::Once,
        over: Vec::new(),
        nth: 0,
        earlier: 0,
        doc: parts.doc.map(str::to_owned),
        hints: parts.known_hints(),
        span,
        tool_span: parts.tool_span,
        is_method: false,
    }];
    let patched = patched(&subject.calls);
    subject.calls.extend(patched);
    planned::add(&mut subject);
    subject
}

/// What a patch that is passed to a tool does: a call for each file that it changes.
fn patched(calls: &[Call]) -> Vec<Call> {
    let mut found: Vec<Call> = Vec::new();
    for call in calls {
        call.argument.visit("", &mut |_, value| {
            let Value::String(text, span) = value else { return };
            found.extend(patch::paths(text).take(MOST_PATCHED).map(|path| {
                let property =
                    |key: &str, text: &str| Property { key: key.to_owned(), key_span: *span, value: Value::String(text.to_owned(), *span) };
                let argument = Value::Object(vec![property("file_path", path), property("content", text)], *span);
                Call { argument, span: *span, ..call.clone() }
            }));
        });
    }
    for (nth, call) in (1..).zip(&mut found) {
        call.nth = nth;
    }
    found
}
