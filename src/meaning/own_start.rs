//! Whether what a script has start by itself are programs of its project, which somebody can look at.

use crate::knowledge::SinkKind;
use crate::knowledge::command::list;
use crate::language::schedule::{of_plist, of_unit};
use crate::meaning::command::one::Command;
use crate::meaning::command::unwrap::commands;
use crate::meaning::passage::Ends;
use crate::meaning::started::{Files, interprets};
use crate::subject::Subject;
use crate::subject::call::Value;
use crate::subject::flow::OriginKind;
use crate::subject::segment::HOLE;

/// Returns true if and only if a script says what it has start by itself, all of that are programs of the project, and it neither reads
/// from the network nor fetches or writes what it starts.
pub fn starts_only_own(subject: &Subject, ends: &Ends) -> bool {
    if subject.origins.iter().any(|origin| origin.kind == OriginKind::Network) {
        return false;
    }
    let mut written = Files::default();
    let mut lines: Vec<String> = subject.schedules.clone();
    for (at, reach) in ends.reaches.iter().enumerate() {
        let (writes, runs) = (reach.does(SinkKind::FileWrite), reach.does(SinkKind::Command));
        if !writes && !runs {
            continue;
        }
        let mut fetches = false;
        let mut look = |_: &str, value: &Value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                lines.extend(text.lines().filter_map(of_unit).map(str::to_owned));
                lines.extend(of_plist(text));
                fetches |= runs && text.split_whitespace().any(|word| list("fetchers").contains(&word));
            }
        };
        match at.checked_sub(subject.calls.len()).map(|index| subject.host_calls.get(index)) {
            Some(Some(call)) => call.arguments.iter().chain(&call.receiver).for_each(|argument| argument.visit("", &mut look)),
            Some(None) => {}
            None => subject.calls.get(at).into_iter().for_each(|call| call.argument.visit("", &mut look)),
        }
        if fetches {
            return false;
        }
        if writes {
            crate::meaning::reaches::addresses(reach, subject).iter().for_each(|file| written.add(file, at));
        }
    }
    !lines.is_empty() && lines.iter().all(|line| is_own(line) && !written.are_started(line, usize::MAX))
}

/// Returns true if and only if a script writes out a property list of launchd.
pub fn writes_plist(subject: &Subject) -> bool {
    let mut found = false;
    let mut look =
        |_: &str, value: &Value| found |= matches!(value, Value::String(text, _) | Value::Partial(text, _) if of_plist(text).is_some());
    let written = subject.host_calls.iter().flat_map(|call| call.arguments.iter().skip(1));
    written.for_each(|argument| argument.visit("", &mut look));
    found
}

/// Returns true if and only if a line runs nothing but what lies in plain sight: a script of the project, a file by its path.
fn is_own(line: &str) -> bool {
    let all = commands(line);
    let moves = |own: &Command| own.key() == "cd";
    !all.is_empty() && all.iter().any(|own| !moves(own)) && all.iter().all(|own| moves(own) || runs_own(own))
}

fn runs_own(own: &Command) -> bool {
    let (program, words) = (own.key(), || std::iter::once(&own.program).chain(&own.arguments));
    let is_plain = |word: &String| !word.contains("://") && !is_hidden(word) && !word.starts_with(['`', '$']);
    let runs_line = own.arguments.iter().any(|word| matches!(word.as_str(), "-c" | "-e" | "--eval" | "-p"));
    let is_file = |word: &String| word.contains(['/', '.']) && !word.starts_with('-') || word == "run" || word == "start";
    let is_known = own.program.contains('/') && !own.program.starts_with(HOLE)
        || (interprets(&program) || list("package-managers").contains(&program.as_str())) && own.arguments.iter().any(is_file);
    is_known && !runs_line && own.fed.is_empty() && own.input.is_none() && words().all(is_plain)
}

/// Returns true if and only if a path leads to where nobody looks: among what is passing, or in a folder that is not shown.
fn is_hidden(word: &str) -> bool {
    let is_passing = ["/tmp/", "/var/tmp/", "/dev/shm/"].iter().any(|folder| word.starts_with(folder));
    let is_unseen = |part: &str| part.len() > 1 && part.starts_with('.') && part != ".." && !list("shown-folders").contains(&part);
    is_passing || word.contains('/') && word.split('/').any(is_unseen)
}
