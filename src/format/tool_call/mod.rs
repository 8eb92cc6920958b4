//! Tool calls as JSON: one, an array of them, or one a line. Each is a subject of its own.

pub mod bookkeeping;
mod json;
mod plain;
mod shape;

use crate::format::{Language, ReadOptions};
use crate::subject::call::{Call, Disguise, Repeat, Tool, Value};
use crate::subject::segment::{Role, Segment};
use crate::subject::{Completeness, Kind, Lifecycle, Reason, Subject, Undetermined};
use crate::value::limits::Limits;
use crate::value::span::{LineIndex, Span};
use json::{Item, Reader};
use plain::plain_call;
use shape::{Parts, Shape, may_become_bare, shape};

/// What stands in every text that holds a call, if no escape hides it.
const MARKS: [&str; 3] = ["\"function_name\"", "tools/call", "\"arguments\""];

/// Reads all tool calls of a text. A text without any is none of this format, whatever else it holds; a fault in one
/// call hides no other.
pub fn read(text: &str, _: Language, options: &ReadOptions) -> Vec<Subject> {
    if !may_be(text) {
        return Vec::new();
    }
    let limits = &options.limits;
    let mut found = Found { text, limits, subjects: Vec::new(), others: Vec::new(), faults: Vec::new(), is_bare: true, is_over: false };
    found.items();
    found.subjects()
}

/// Returns false if and only if the words that tell a call are missing from a text, or from the beginning of one.
pub fn may_be(text: &str) -> bool {
    let bytes = text.as_bytes();
    MARKS.iter().any(|mark| memchr::memmem::find(bytes, mark.as_bytes()).is_some()) || hides_letters(bytes)
}

/// Returns true if and only if an escape stands for a letter or a low line, which nobody needs to escape, or for the
/// slash before `call`.
fn hides_letters(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', bytes).any(|at| match bytes.get(at + 1..at + 6) {
        Some(b"/call" | b"u002f" | b"u002F") => true,
        Some([b'u', b'0', b'0', b'4'..=b'7', _]) => true,
        Some(_) | None => false,
    })
}

/// Why nothing in a text is a tool call.
pub fn why_none(text: &str, options: &ReadOptions) -> Undetermined {
    let whole = Span::from_offsets(0, text.len());
    let mut reader = Reader::new(text, whole, &options.limits);
    if reader.peek().is_none() {
        return Undetermined::new(Reason::UnknownLanguage, "it is empty, so nothing in it is a tool call");
    }
    let item = reader.item();
    if let Some(fault) = item.fault {
        let place = LineIndex::new(text).position(text, fault.span.unwrap_or_default().start);
        let detail = format!("line {}, column {}: {}", place.line, place.column, fault.detail);
        return Undetermined { detail, ..fault };
    }
    let detail = "it is JSON, but no tool call: an object with `function_name` and `kwargs`, with `method` \"tools/call\" and `params`, \
                  or with `name` and `arguments` alone";
    Undetermined::new(Reason::UnknownLanguage, detail)
}

/// What was found in a text so far.
struct Found<'t> {
    text: &'t str,
    limits: &'t Limits,
    subjects: Vec<Subject>,
    /// Where values stand that are no calls.
    others: Vec<Span>,
    /// Where nothing stands that can be read, nor be told to be a call.
    faults: Vec<Undetermined>,
    /// All calls are told by their keys alone.
    is_bare: bool,
    /// There are more calls than may be read.
    is_over: bool,
}

impl Found<'_> {
    fn items(&mut self) {
        let whole = Span::from_offsets(0, self.text.len());
        let mut reader = Reader::new(self.text, whole, self.limits);
        let first = reader.peek();
        if first == Some(b'{') {
            let item = reader.item();
            if item.fault.is_none() && reader.peek().is_none() {
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
        let mut reader = Reader::new(self.text, line, self.limits);
        if reader.peek().is_none() || self.is_over {
            return;
        }
        if reader.peek() == Some(b'[') {
            return self.stretch(line);
        }
        let mut item = reader.item();
        if item.fault.is_none() && reader.peek().is_some() {
            item.fault = Some(reader.fault("nothing may follow the value of a line"));
        }
        self.take(item, line);
    }

    /// Reads values one after another, in arrays or not; behind a fault it goes on where the next one may begin.
    fn stretch(&mut self, span: Span) {
        let mut reader = Reader::new(self.text, span, self.limits);
        let (mut in_array, mut is_sound) = (false, true);
        while reader.peek().is_some() && !self.is_over {
            if !in_array && reader.take(b'[') {
                in_array = !reader.take(b']');
                continue;
            }
            let start = reader.at();
            let mut item = reader.item();
            if item.fault.is_none() && in_array && !reader.take(b',') {
                in_array = !reader.take(b']');
                if in_array {
                    item.fault = Some(reader.fault("`,` or `]` is expected"));
                }
            }
            is_sound = item.fault.is_none();
            if !is_sound {
                reader.go_to(self.next_start(start, reader.at(), span.end as usize));
            }
            self.take(item, Span::from_offsets(start, reader.at()));
        }
        if in_array && is_sound && !self.is_over {
            self.faults.push(reader.fault("`]` is expected"));
        }
    }

    /// Where an object begins behind a fault: behind a comma or at the start of a line.
    fn next_start(&self, start: usize, fault: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        let first = fault.max(start + 1);
        let begins = |at: usize| {
            let before = bytes.get(start..at).unwrap_or(&[]);
            matches!(before.last(), Some(b'\n')) || before.trim_ascii_end().last() == Some(&b',')
        };
        let rest = bytes.get(first..end).unwrap_or(&[]);
        memchr::memchr_iter(b'{', rest).map(|at| first + at).find(|at| begins(*at)).unwrap_or(end)
    }

    /// Keeps an item if it is a call, or might be one but for its fault; `raw` is all that may belong to it.
    fn take(&mut self, item: Item, raw: Span) {
        let mut subject = match shape(&item.value) {
            Shape::Call(parts) => {
                self.is_bare &= parts.is_bare;
                let mut subject = subject(&parts, item.span);
                subject.plain_call = Some(plain_call(&parts, self.text));
                subject
            }
            Shape::OtherMessage if item.fault.is_none() => return,
            Shape::Other if item.fault.is_none() => return self.others.push(raw),
            Shape::OtherMessage | Shape::Other if says_call(raw.slice(self.text), &item.value) => {
                Subject::empty(Kind::ToolCall, Lifecycle::PreToolCall)
            }
            Shape::OtherMessage | Shape::Other => return self.faults.extend(item.fault),
        };
        subject.segments = item.segments;
        if let Some(undetermined) = item.fault {
            subject.segments = vec![Segment::verbatim(Role::Code, raw), Segment::verbatim(Role::String, raw)];
            subject.completeness = Completeness::Undetermined(undetermined);
        } else if let Some((key, span)) = item.double {
            let detail = format!("the key `{key}` stands twice in one object, and readers do not agree which one counts");
            subject.completeness = Completeness::Undetermined(Undetermined::at(Reason::Ambiguous, detail, span));
        }
        self.is_over = self.limits.calls as usize <= self.subjects.len();
        if self.is_over {
            let detail = format!("more than {} (limits.{})", self.limits.calls, Reason::Calls);
            self.faults.push(Undetermined::at(Reason::Calls, detail, raw));
        } else {
            self.subjects.push(subject);
        }
    }

    /// All calls, and what stands beside them as one more that could not be judged.
    fn subjects(mut self) -> Vec<Subject> {
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
    let [plain, message, bare] = MARKS;
    holds(plain) || holds(message) || hides_letters(raw.as_bytes()) || holds(bare) && holds("\"name\"") && may_become_bare(value)
}

fn subject(parts: &Parts<'_>, span: Span) -> Subject {
    let mut subject = Subject::empty(Kind::ToolCall, Lifecycle::PreToolCall);
    subject.calls = vec![Call {
        tool: Tool::Named(parts.tool.to_owned()),
        disguise: Disguise::None,
        argument: parts.argument(),
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
    }];
    if let Some((detail, span)) = parts.fault {
        subject.completeness = Completeness::Undetermined(Undetermined::at(Reason::Unparsable, detail, span));
    }
    subject
}
