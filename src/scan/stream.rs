//! Streams of lines: each is answered as soon as it is there, in order, in memory that does not grow.
//!
//! Three threads work hand in hand: one waits for lines, one has them judged by the workers, and the caller's own hands
//! the answers on. Each has at most a few batches before it.

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rayon::prelude::*;

use crate::finding::{Entry, PassedOver, StreamLine};
use crate::format::Language;
use crate::format::registry as formats;
use crate::format::script::nesting::STACK_SIZE;
use crate::format::tool_call::bookkeeping::is_bookkeeping;
use crate::input::lines::{Line, LineContent, Lines};
use crate::input::read::{Content, too_large};
use crate::input::record::{self, SourceRecord};
use crate::scan::Scanner;
use crate::scan::detect::Read as Reading;
use crate::scan::outcome::Outcome;
use crate::scan::passing::unread_by_text;
use crate::scan::recognise::is_read_garbled;
use crate::subject::passed::{Passed, PassedCounts};
use crate::subject::{Reason, Undetermined};
use crate::value::source::{Source, SourceName};

/// How many batches wait between two threads.
const WAITING: usize = 2;

/// A line on its way to be answered.
struct Answer {
    number: u32,
    /// The name of the text that the line carries, if it carries one.
    carried: Option<SourceName>,
    outcome: Outcome,
    /// What is wrong with the line beside what was judged of it.
    fault: Option<Entry>,
    fenced: PassedCounts,
}

impl Answer {
    fn of(number: u32, outcome: Outcome) -> Self {
        Self { number, carried: None, outcome, fault: None, fenced: PassedCounts::default() }
    }
}

impl Scanner {
    /// Judges the lines of a stream and hands the answers on in order, at least one a line; counts what is passed over.
    ///
    /// # Errors
    ///
    /// When the workers cannot be started.
    pub fn scan_lines(
        &self,
        name: &SourceName,
        mut lines: Lines<impl Read + Send>,
        mut emit: impl FnMut(Entry),
    ) -> Result<PassedCounts, rayon::ThreadPoolBuildError> {
        let workers = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.unwrap_or(0)).stack_size(STACK_SIZE).build()?;
        let mut passed_over = PassedCounts::default();
        thread::scope(|scope| {
            let (line_sender, line_receiver) = sync_channel(WAITING);
            let (answer_sender, answer_receiver) = sync_channel(WAITING);
            scope.spawn(move || read_lines(&mut lines, &line_sender));
            scope.spawn(move || {
                for batch in line_receiver {
                    let answers = workers.install(|| self.answer(name, batch));
                    if answer_sender.send(answers).is_err() {
                        return;
                    }
                }
            });
            hand_on(&answer_receiver, name, &mut passed_over, &mut emit);
        });
        Ok(passed_over)
    }

    /// The answers to lines; calls are numbered in the order of the lines.
    fn answer(&self, name: &SourceName, lines: Vec<Line>) -> Vec<Answer> {
        let mut answers: Vec<Answer> = lines.into_par_iter().map(|line| self.look_at_guarded(name, line)).collect();
        if self.numbers_calls() {
            answers.iter_mut().for_each(|answer| self.number(&mut answer.outcome));
            let finish = |answer: Answer| Answer { outcome: self.finish(answer.outcome), ..answer };
            answers = answers.into_par_iter().map(finish).collect();
        }
        answers
    }

    /// Looks at a line so that a fault in doing so is told and does not end the stream.
    fn look_at_guarded(&self, name: &SourceName, line: Line) -> Answer {
        let number = line.number;
        let looked = catch_unwind(AssertUnwindSafe(|| self.look_at(name, line)));
        looked.unwrap_or_else(|fault| Answer::of(number, Outcome::Entries(vec![self.failed(name, &*fault)])))
    }

    fn look_at(&self, name: &SourceName, line: Line) -> Answer {
        let Line { number, content } = line;
        let problem = |undetermined| Answer::of(number, Outcome::Entries(vec![self.problem(name, undetermined)]));
        let bytes = match content {
            LineContent::Bytes(bytes) => bytes,
            LineContent::TooLong => return problem(too_large(self.read.limits.file_size)),
            LineContent::Unreadable(why) => return problem(Undetermined::new(Reason::Unreadable, why)),
        };
        match String::from_utf8(bytes) {
            Ok(text) => self.look_at_text(name, number, text),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let fault = Undetermined::new(Reason::Encoding, format!("byte {} is no UTF-8", at + 1));
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                // What it says is judged all the same, but readers do not agree on what that is.
                let answer = self.look_at_text(name, number, text);
                Answer { fault: Some(self.problem(name, fault)), ..answer }
            }
        }
    }

    fn look_at_text(&self, name: &SourceName, number: u32, text: String) -> Answer {
        let text = if number == 1 { text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text) } else { text };
        if text.trim().is_empty() {
            return Answer::of(number, Outcome::PassedOver(Passed::BlankLine));
        }
        if let Some(record) = record::read(&text) {
            // Who names the language of a text means that very text; else it is one of many, as in a walk.
            let path = record.path.as_str();
            let name = if record.language.is_some() { SourceName::explicit(path) } else { SourceName::walked(path) };
            let (outcome, fenced) = self.judge_record(&name, record);
            return Answer { number, carried: Some(name), outcome, fault: None, fenced };
        }
        let source = Source { name: name.clone(), text, has_bom: false };
        let read = self.read_guarded(&source, Some(formats::by_language(Language::ToolCall)));
        let is_bookkeeping = match &read {
            Reading::Problem(Entry::Problem(problem)) => {
                problem.reason == Reason::UnknownLanguage && is_bookkeeping(&source.text, &self.read)
            }
            Reading::Problem(_) | Reading::Subjects(_) => false,
        };
        if is_bookkeeping {
            return Answer::of(number, Outcome::PassedOver(Passed::Bookkeeping));
        }
        Answer::of(number, self.judge_read(source, read, true))
    }

    /// Judges a source that a line carries, as a walk would that had found it in a file.
    fn judge_record(&self, name: &SourceName, record: SourceRecord) -> (Outcome, PassedCounts) {
        let SourceRecord { path: _, content, size, language } = record;
        let problem = |undetermined| (Outcome::Entries(vec![self.problem(name, undetermined)]), PassedCounts::default());
        if self.read.limits.file_size < size {
            return problem(too_large(self.read.limits.file_size));
        }
        let recognised = match language.as_deref().map(|name| (name, Language::from_name(name))) {
            None => formats::by_path(name.path()),
            Some((_, Some(language))) => Some(formats::by_language(language)),
            Some((unknown, None)) => {
                return problem(Undetermined::new(Reason::UnknownLanguage, format!("`{unknown}` is no language that is read")));
            }
        };
        let (text, has_bom, fault) = match content {
            Content::Text(text, has_bom) => (text, has_bom, None),
            Content::Garbled(text, fault) => (text, false, Some(fault)),
            Content::Binary if name.explicit || recognised.is_some_and(|recognised| recognised.format.is_run) => {
                return problem(Undetermined::new(Reason::Binary, "a binary file"));
            }
            Content::Binary => return (Outcome::PassedOver(Passed::Binary), PassedCounts::default()),
        };
        if recognised.is_none() {
            let unread = formats::without_reader(name.path()).or_else(|| unread_by_text(&text, false));
            if let Some(kind) = unread {
                return (self.pass_over(name, kind), PassedCounts::default());
            }
        }
        let recognised = recognised.or_else(|| formats::by_interpreter(&text));
        if let Some(fault) = fault.filter(|_| !recognised.is_some_and(|recognised| is_read_garbled(recognised, &text))) {
            return problem(fault);
        }
        let source = Source { name: name.clone(), text, has_bom };
        let fenced = self.fenced(&source);
        (self.judge_as(source, recognised), fenced)
    }
}

/// Reads lines and hands them on, until there are no more or nobody takes them.
fn read_lines(lines: &mut Lines<impl Read>, sender: &SyncSender<Vec<Line>>) {
    loop {
        let batch = lines.next_batch();
        if batch.is_empty() || sender.send(batch).is_err() {
            return;
        }
    }
}

/// Hands answers on as they come.
fn hand_on(answers: &Receiver<Vec<Answer>>, name: &SourceName, passed_over: &mut PassedCounts, emit: &mut impl FnMut(Entry)) {
    let mut next = answers.recv().ok();
    let mut records = 0;
    while let Some(batch) = next.take() {
        next = answers.try_recv().ok();
        let last_line = batch.last().map(|answer| answer.number);
        for answer in batch {
            let is_awaited = next.is_none() && Some(answer.number) == last_line;
            records += hand_on_one(answer, (is_awaited, records), name, passed_over, emit);
        }
        next = next.or_else(|| answers.recv().ok());
    }
}

/// Hands one answer on, behind so many records; returns how many there were in its line.
fn hand_on_one(
    answer: Answer,
    (is_awaited, records): (bool, u32),
    name: &SourceName,
    passed_over: &mut PassedCounts,
    emit: &mut impl FnMut(Entry),
) -> u32 {
    let mut found = 0;
    let Answer { number, carried, outcome, fault, fenced } = answer;
    passed_over.add_all(&fenced);
    let mut entries = match outcome {
        Outcome::Entries(entries) => entries,
        // None is left: they were finished by the workers.
        Outcome::Detected(..) => Vec::new(),
        Outcome::PassedOver(kind) => {
            passed_over.add(kind);
            let name = carried.as_ref().unwrap_or(name).clone();
            vec![Entry::PassedOver(PassedOver { name, kind, stream_line: None })]
        }
    };
    entries.extend(fault);
    let count = entries.len();
    for (nth, mut entry) in (1..).zip(entries) {
        if carried.is_none() {
            say_line(&mut entry, number);
            if let Some(placed) = entry.record_mut() {
                found = found.max(placed.record.number);
                placed.record.number = placed.record.number.saturating_add(records);
            }
        }
        let is_last = nth == count;
        *entry.stream_line_mut() = Some(StreamLine { number, is_last, is_awaited: is_awaited && is_last });
        emit(entry);
    }
    found
}

/// Lets an entry say where it stands in the stream.
fn say_line(entry: &mut Entry, number: u32) {
    match entry {
        Entry::Finding(finding) => finding.move_down(number.saturating_sub(1)),
        // A problem has no place of its own: its words name it, and some do already, as if there were no other line.
        Entry::Problem(problem) => {
            problem.detail = match problem.detail.strip_prefix("line 1, ") {
                Some(rest) => format!("line {number}, {rest}"),
                None => format!("line {number}: {}", problem.detail),
            };
        }
        Entry::PassedOver(_) => {}
    }
}

/// Whether a stream that begins with this line is one of JSON Lines: an object or array that goes on over several lines is
/// one document, and so is what begins with a comment.
pub fn is_lines(first: &[u8]) -> bool {
    let line = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii();
    match line {
        [b'{', ..] => !goes_on(line) || !matches!(line.last(), Some(b'{' | b'[' | b',' | b':')),
        [b'[', ..] => !goes_on(line),
        // Nothing that is read as lines begins with a slash, nor with the mark of UTF-16.
        [b'/', ..] | [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => false,
        _ => true,
    }
}

/// Returns true if and only if more brackets are opened than closed.
fn goes_on(line: &[u8]) -> bool {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    in_string || 0 < depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_tells_whether_there_are_lines() {
        for (line, expected) in [
            ("", true),
            (r#"{"a": 1}"#, true),
            (r#"{"a": {"b": [1, 2]}} "#, true),
            (r#"[{"a": 1}]"#, true),
            (r#"{"a": "{["}"#, true),
            (r#"{"a": {"b": 1}"#, true),
            (r#"{"a": "cut o"#, true),
            ("not JSON", true),
            ("{", false),
            ("[", false),
            (r#"{"a": 1,"#, false),
            (r#"{"a": {"#, false),
            (r#"[{"a": 1},"#, false),
            (r#"[{"a": 1}"#, false),
            ("// a comment", false),
        ] {
            assert_eq!(is_lines(line.as_bytes()), expected, "{line}");
        }
    }
}
