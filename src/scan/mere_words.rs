//! Hits of patterns that are mere words: names of files that nothing opens, statements that nothing runs, or that
//! harm nothing but what the script itself made. They are noted, and ask for nothing.

use crate::knowledge::SinkKind;
use crate::knowledge::command::list;
use crate::knowledge::target::is_file_target;
use crate::knowledge::words::Tag;
use crate::meaning::Features;
use crate::meaning::command::printed::is_only_printed;
use crate::meaning::command::{are_known, is_installer, is_one_known};
use crate::meaning::passage::Passage;
use crate::meaning::reach::{Place, Reach};
use crate::meaning::spared::is_asked;
use crate::meaning::statement::sql::is_of_own;
use crate::meaning::tables::tables_made;
use crate::meaning::tool_kind::{ToolName, is_shell};
use crate::rule::{Match, Origin};
use crate::subject::call::{Tool, Value};
use crate::subject::flow::{CallRef, OriginKind};
use crate::subject::segment::{HOLE, Role, Segment};
use crate::subject::{Completeness, Kind, Subject};
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::verdict::Action;
use crate::value::words::{joined, words};

/// Patterns of what is fetched and run at once.
const FETCHED_AND_RUN: &[&str] = &["curl-pipe-shell", "curl-substitution-shell", "pipe-to-shell", "powershell-download-execute"];

/// The pattern of commands that are written so that nobody reads them.
const ENCODED_SHELL: &str = "base64-shell-text";

/// Shorter words are no code of a command.
const SHORTEST_CODE: usize = 24;

/// Longest list of names that stand alone.
const LONGEST: usize = 512;

/// Lowers the hits of the built-in patterns that are mere words in a script whose tool calls are all known.
pub fn settle(matches: &mut [Match], subject: &Subject, features: &Features, source: &str) {
    let is_asking = |found: &Match| found.rule.origin == Origin::Pattern && found.asks();
    if subject.kind == Kind::ToolCall {
        settle_printed(matches, subject, source);
        settle_understood(matches, subject, source);
    }
    let is_known = subject.kind == Kind::Script && subject.completeness == Completeness::Complete;
    settle_installers(matches, source, is_known);
    if !is_known || !matches.iter().any(is_asking) {
        return;
    }
    let made = tables_made(subject);
    let names_all = !subject.calls.is_empty() && subject.calls.iter().all(|call| call.tool != Tool::Dynamic);
    let runs_none = names_all && !runs_statements(subject, features, source);
    let opens_known =
        names_all && features.ends.reaches.iter().zip(0..).all(|(reach, at)| opens_what_is_known(subject, features, reach, at));
    let of_check = |found: &&Match| found.rule.origin == Origin::Check && found.rule.id == "destructive-call" && !found.asks();
    let spared: Vec<Span> = matches.iter().filter(of_check).map(|found| found.span).collect();
    for found in matches.iter_mut().filter(|found| is_asking(found) && found.rule.id == ENCODED_SHELL) {
        // What the script encodes itself stands in it for everybody to read.
        let is_written = |text: &str| text.split_whitespace().any(|word| SHORTEST_CODE <= word.len() && source.contains(word));
        if texts_around(subject, source, found).all(|text| !is_written(text)) {
            (found.severity, found.action) = (Severity::Low, Action::Log);
        }
    }
    for found in matches.iter_mut().filter(|found| is_asking(found)) {
        let texts = || texts_around(subject, source, found);
        let is_mere = match found.rule.category.as_ref() {
            "destructive-shell" | "destructive-sql" if is_asked(subject, found.span) => true,
            // What was looked at as a command, and is the script's own to take away.
            "destructive-sql" if spared.iter().any(|spared| spared.contains(found.span)) => true,
            "destructive-sql" => runs_none || !made.is_empty() && texts().next().is_some() && texts().all(|text| is_of_own(text, &made)),
            "sensitive-paths" => {
                let is_of = |text: &str| {
                    opens_known && is_name(text) || signs_in_with(subject, text) || is_read_to_sign_in(subject, features, text)
                };
                texts().next().is_some() && texts().all(is_of)
            }
            _ => false,
        };
        if is_mere {
            (found.severity, found.action) = (Severity::Low, Action::Log);
        }
    }
}

/// Lowers the hits of patterns of what is fetched and run where all that is fetched is the installer of a known tool. In a script that is
/// known, what is really run is told by the checks of commands.
fn settle_installers(matches: &mut [Match], source: &str, is_known: bool) {
    let fetches = |found: &&mut Match| found.rule.origin == Origin::Pattern && found.asks() && FETCHED_AND_RUN.contains(&&*found.rule.id);
    for found in matches.iter_mut().filter(fetches) {
        // Of a text that was put together the hit is all of it: its lines that run what they fetch.
        let hit = hit_of(found, source);
        let runs = |line: &&str| line.contains(['|', '`']) || line.contains("$(") || line.to_lowercase().contains("iex");
        let fetches = |line: &&str| list("fetchers").iter().any(|fetcher| line.to_lowercase().contains(fetcher));
        let ends_word = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '(' | ')' | '<' | '|' | ';' | ',');
        let parts = hit.lines().filter(runs).filter(fetches).flat_map(|line| line.split(ends_word));
        let is_address =
            |part: &&str| part.contains("://") || part.contains(HOLE) || is_installer(part) || part.contains('/') && part.contains('.');
        let mut addresses = parts.filter(is_address).peekable();
        if addresses.peek().is_some() && addresses.all(is_installer) {
            (found.severity, found.action) = if is_known { (Severity::Low, Action::Log) } else { (Severity::Medium, Action::Warn) };
        }
    }
}

/// Lowers the hits of patterns of commands in what a line only prints or compares.
fn settle_printed(matches: &mut [Match], subject: &Subject, source: &str) {
    for found in matches.iter_mut().filter(|found| found.rule.origin == Origin::Pattern && found.asks() && !found.rule.secret) {
        let (hit, lines) = (hit_of(found, source), shell_lines(subject));
        let lines: Vec<&str> = lines.into_iter().filter(|line| line.contains(hit.trim())).collect();
        if !hit.trim().is_empty() && !lines.is_empty() && lines.iter().all(|line| is_only_printed(line, hit.trim())) {
            (found.severity, found.action) = (Severity::Low, Action::Log);
        }
    }
}

/// Lowers the hits of patterns of commands that are known to what the checks of commands think of them.
fn settle_understood(matches: &mut [Match], subject: &Subject, source: &str) {
    let is_of_commands = |id: &str| matches!(id, "destructive-call" | "harmful-command" | "privilege-grant" | "money-movement");
    let said = matches.iter().filter(|found| found.rule.origin == Origin::Check && found.asks() && is_of_commands(&found.rule.id));
    let said = said.map(|found| (found.severity, found.action)).max();
    // What rows say nothing of is only taken for harmless where it is not grave.
    let is_milder = |found: &Match| said.map_or(found.severity < Severity::Critical, |(severity, _)| severity < found.severity);
    let is_asking = |found: &&mut Match| found.rule.origin == Origin::Pattern && found.asks() && is_milder(found);
    for found in matches.iter_mut().filter(is_asking).filter(|found| found.rule.category == "destructive-shell") {
        let (hit, lines) = (hit_of(found, source), shell_lines(subject));
        let mut lines = lines.into_iter().filter(|line| line.contains(hit.trim())).peekable();
        // What a check says of one command says nothing of another in the same line.
        let is_told = |line: &str| if said.is_some() { is_one_known(line) } else { are_known(line) };
        if lines.peek().is_some() && lines.all(is_told) {
            (found.severity, found.action) = said.unwrap_or((Severity::Low, Action::Log));
        }
    }
}

/// What a pattern hit, as the text says it that JSON holds.
fn hit_of(found: &Match, source: &str) -> String {
    found.span.slice(source).replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\")
}

/// The texts of calls of tools that run commands.
fn shell_lines(subject: &Subject) -> Vec<&str> {
    let mut lines = Vec::new();
    for call in subject.calls.iter().filter(|call| call.tool.name().is_some_and(|name| is_shell(&ToolName::of(name)))) {
        call.argument.visit("", &mut |_, value| {
            if let Value::String(text, _) = value {
                lines.push(text.as_str());
            }
        });
    }
    lines
}

/// What the strings say in which a hit stands.
fn texts_around<'t>(subject: &'t Subject, source: &'t str, found: &Match) -> impl Iterator<Item = &'t str> {
    let span = found.span;
    let holds = move |segment: &&Segment| {
        matches!(segment.role, Role::String | Role::Folded) && segment.span.start <= span.start && span.end <= segment.span.end
    };
    subject.segments.iter().filter(holds).map(move |segment| segment.text(source).trim())
}

/// Returns true if and only if calls are passed a path only as that of the key by which they sign in where they connect.
fn signs_in_with(subject: &Subject, path: &str) -> bool {
    let (mut signs_in, mut is_other) = (false, false);
    for call in &subject.calls {
        let connects = call.tool.name().is_some_and(|name| words(name).last().is_some_and(|last| Tag::Connecting.has(last)));
        call.argument.visit("", &mut |key, value| {
            let is_it = matches!(value, Value::String(text, _) | Value::Partial(text, _) if text.contains(path));
            let is_login = is_it && connects && Tag::LoginFileKey.has(&joined(key));
            (signs_in, is_other) = (signs_in || is_login, is_other || is_it && !is_login);
        });
    }
    for argument in subject.host_calls.iter().flat_map(|call| &call.arguments) {
        argument.visit("", &mut |_, value| {
            is_other |= matches!(value, Value::String(text, _) | Value::Partial(text, _) if text.contains(path))
        });
    }
    signs_in && !is_other
}

/// Returns true if and only if what is read of a path is only shown where one signs in: `{ privateKey: readFileSync(path) }`.
fn is_read_to_sign_in(subject: &Subject, features: &Features, path: &str) -> bool {
    let names_it = |argument: &Value| {
        let mut is_it = false;
        argument
            .visit("", &mut |_, value| is_it |= matches!(value, Value::String(text, _) | Value::Partial(text, _) if text.contains(path)));
        is_it
    };
    let ends = &features.ends;
    let is_login = |passage: &Passage| ends.reach(passage).is_some_and(|reach| reach.name.ends_with(":sign_in"));
    let is_used = |call: CallRef| {
        let of_call = |origin: &usize| {
            subject.origins.get(*origin).is_some_and(|origin| origin.call == Some(call) && origin.kind == OriginKind::File)
        };
        let Some(origin) = (0..subject.origins.len()).find(of_call) else { return false };
        let mut passages =
            ends.passages.iter().filter(|passage| subject.flows.get(passage.flow).is_some_and(|flow| flow.origin == origin)).peekable();
        let signs_in = |passage: &Passage| {
            let signs = |reach: &Reach| subject.flows.get(passage.flow).is_some_and(|flow| reach.signs_with(&flow.argument));
            passage.place == Place::Entrance || ends.reach(passage).is_some_and(signs) || is_login(passage)
        };
        passages.peek().is_some() && passages.all(signs_in)
    };
    let mut readings = subject.host_calls.iter().enumerate().filter(|(_, call)| call.arguments.iter().any(names_it)).peekable();
    let is_named = subject.calls.iter().any(|call| names_it(&call.argument));
    !is_named && readings.peek().is_some() && readings.all(|(index, _)| is_used(CallRef::Host(index)))
}

/// Returns true if and only if a text is the name of a file or folder, or a list of such, and leads to none by itself.
fn is_name(text: &str) -> bool {
    text.len() <= LONGEST && !text.contains(['/', '\\', HOLE])
}

/// Returns true if and only if anything in a script may run a statement.
fn runs_statements(subject: &Subject, features: &Features, source: &str) -> bool {
    let runs = |reach: &Reach| {
        let is_known =
            !reach.sinks.is_empty() || reach.call.tool().and_then(|at| features.calls.get(at)).is_some_and(|call| call.words.reads);
        let acts = [SinkKind::Query, SinkKind::Command, SinkKind::Code, SinkKind::Prompt, SinkKind::Network, SinkKind::Delete];
        !is_known || acts.iter().any(|sink| reach.does(*sink))
    };
    let code = subject.segments.iter().filter(|segment| segment.role == Role::Code).map(|segment| segment.text(source));
    features.ends.reaches.iter().any(runs) || code.into_iter().any(|code| Tag::QueryFunction.words().any(|runner| code.contains(runner)))
}

/// Returns true if and only if a call opens no file but such whose name is known.
fn opens_what_is_known(subject: &Subject, features: &Features, reach: &Reach, at: usize) -> bool {
    let is_known = |value: &Value| match value {
        Value::Dynamic(_) => false,
        Value::Partial(text, _) => !text.rsplit(['/', '\\']).next().is_some_and(|last| last.contains(HOLE)),
        _ => true,
    };
    match reach.call {
        CallRef::Tool(index) => {
            let Some(call) = subject.calls.get(index) else { return true };
            let opens = features.calls.get(at).is_some_and(|call| call.words.reads)
                || [SinkKind::Command, SinkKind::Code, SinkKind::FileWrite].iter().any(|sink| reach.does(*sink));
            let mut knows = !matches!(call.argument, Value::Dynamic(_));
            let is_run = reach.does(SinkKind::Command) || reach.does(SinkKind::Code);
            call.argument.visit("", &mut |key, value| knows &= is_known(value) || !(is_run || is_file_target(key) || key == "..."));
            !opens || knows
        }
        CallRef::Host(index) => {
            let Some(call) = subject.host_calls.get(index) else { return true };
            let reads = reach.api.is_some_and(|api| matches!(api.origin, Some(OriginKind::File | OriginKind::Process)));
            let opens = reads || [SinkKind::Command, SinkKind::Code, SinkKind::FileWrite].iter().any(|sink| reach.does(*sink));
            !opens || call.arguments.first().is_none_or(is_known)
        }
    }
}
