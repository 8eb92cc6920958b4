//! A write to a place from which things start by themselves.

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashSet};

use crate::check::{Check, Context};
use crate::knowledge::command::list;
use crate::knowledge::destination::destination;
use crate::knowledge::effect::EffectKind;
use crate::knowledge::persistence::{Persistence, in_command, of_path};
use crate::knowledge::severity::severity;
use crate::knowledge::target::is_file_target;
use crate::knowledge::threat::asks_nobody;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, SinkKind};
use crate::meaning::argument::{command_words, texts};
use crate::meaning::command::effects;
use crate::meaning::passage::Passage;
use crate::meaning::reach::{Place, Reach};
use crate::meaning::reaches::{addresses, values_at};
use crate::meaning::started::{Files, is_hook, only_sets, opens_by_itself, runs_behind, runs_files, started_lines};
use crate::rule::Match;
use crate::subject::Kind;
use crate::subject::call::{Call, Value};
use crate::subject::flow::{CallRef, Flow, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, split_owner, words};

/// The check.
pub const CHECK: Check = Check {
    id: "persistence-write",
    category: "persistence",
    severity: Severity::High,
    action: Action::Confirm,
    why: "What is written where things start by themselves runs again and again, long after the script ended.",
    help: "Leave start-up files, schedules, hooks and keys to people, or have the change reviewed.",
    hit: "await callTool('files:write', { path: '/home/a/.ssh/authorized_keys', content: 'ssh-ed25519 AAAA' });\n",
    miss: "await callTool('files:write', { path: '/home/a/notes/authorized_keys.md', content: 'how keys work' });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let written = LazyCell::new(|| Written::of(context));
    let calls = context.features.ends.reaches.iter().enumerate().filter_map(|(at, reach)| of_call(context, &written, at, reach));
    calls.chain(hooks_of_others(context)).collect()
}

/// Hooks that somebody else keeps: a folder into which a repository from elsewhere is cloned, and in which git is told to look for them.
fn hooks_of_others<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Match> + use<'c> {
    let says = |call: &Call, part: &str| call.tool.name().is_some_and(|name| words(name).iter().any(|word| word == part));
    let cloned: HashSet<&str> = context
        .subject
        .calls
        .iter()
        .filter(|call| says(call, "clone") && texts(&call.argument).iter().any(|text| leads_out(text.text, context.house)))
        .flat_map(|call| texts(&call.argument).into_iter().map(|text| text.text))
        .collect();
    let is_told = |call: &&Call| {
        let told = texts(&call.argument);
        told.iter().any(|text| text.text.eq_ignore_ascii_case(HOOKS_PATH)) && told.iter().any(|text| cloned.contains(text.text))
    };
    let found: Vec<&Call> = context.subject.calls.iter().filter(is_told).collect();
    found.into_iter().map(|call| {
        let message = format!("`{}` has git run what a repository from elsewhere brings", call.tool.shown());
        context.harm(call.span, Severity::Critical).with_message(message)
    })
}

/// The setting of git that says where hooks lie.
const HOOKS_PATH: &str = "core.hooksPath";

fn leads_out(text: &str, house: &House) -> bool {
    text.contains("://") && destination(text, house).side == Side::Outside
}

/// What a call writes to a place from which things start.
fn of_call(context: &Context<'_>, written: &LazyCell<Written, impl FnOnce() -> Written>, at: usize, reach: &Reach) -> Option<Match> {
    let (writes, runs) = (reach.does(SinkKind::FileWrite), reach.does(SinkKind::Command));
    if !writes && !runs {
        return None;
    }
    let mut found: Option<(Persistence, String)> = None;
    let mut planted = Planted::default();
    let mut enables = false;
    visit(context, reach, &mut |is_target, text| {
        enables |= runs && Tag::Enabling.words().any(|part| text.to_lowercase().contains(part));
        if !is_target {
            planted.add(text, context.house);
        }
        let place = if writes && is_target {
            of_path(text)
        } else if runs {
            in_command(text)
        } else {
            None
        };
        found = found.take().max(place.map(|place| (place, shown(text))));
    })?;
    let (place, text) = found?;
    // What is in a file that is made to run is looked at where it is written.
    let only_lets_run = reach.name.rsplit('.').next().is_some_and(|name| list("letting-run").contains(&name));
    if only_lets_run && addresses(reach, context.subject).iter().any(|path| written.all.has_of_others(path, at)) {
        return None;
    }
    // A unit that is written and enabled in one go is meant to stay.
    let mut others = context.features.ends.reaches.iter().filter(|other| other.call != reach.call);
    let is_started = enables && others.any(|other| other.does(SinkKind::FileWrite));
    // What a program writes out is looked at with it; an agent that writes there by a tool is asked about.
    let is_program = match reach.call {
        CallRef::Tool(index) => context.subject.calls.get(index).is_some_and(|call| context.subject.is_of_program(call)),
        CallRef::Host(_) => context.subject.kind == Kind::Script,
    };
    let content = match content(context, at, reach, &planted) {
        _ if planted.starts(&written.fetched, at) => Content::Foreign,
        // What an editor only does when somebody chooses it.
        Content::Plain if place == Persistence::Project && is_chosen_each_time(&text, &planted) => Content::Plain,
        Content::Plain if !is_program || planted.texts.iter().any(|written| starts_more(place, &text, written)) => Content::Unknown,
        Content::Plain if planted.starts(&written.all, at) => Content::Unknown,
        content => content,
    };
    let (severity, action) = match graded(place, &planted, content, is_started, is_commit(&reach.name))? {
        (Severity::High, _) if place == Persistence::Guard && asks_nobody(&context.subject.signs) => (Severity::Critical, Action::Block),
        // What the project itself has, started as everybody can read.
        (Severity::Critical, _)
            if place == Persistence::Start
                && context.features.starts_only_own
                && content != Content::Foreign
                && (runs || !planted.is_attack) =>
        {
            (Severity::Medium, Action::Warn)
        }
        graded => graded,
    };
    let message = format!("`{}` writes to {}: `{text}`", reach.name, place.words());
    Some(Match::new(context.rule, reach.span).with_severity(severity, action).with_message(message))
}

/// Returns true if and only if what is written are tasks and preferences of an editor of which none starts something by itself, nor says what
/// is started.
fn is_chosen_each_time(path: &str, planted: &Planted) -> bool {
    let is_file = list("files-run-by-choice").iter().any(|file| path.ends_with(file));
    let says_more =
        |text: &String| opens_by_itself(text) || words(text).iter().any(|word| list("settings-that-run").contains(&word.as_str()));
    // Preferences may name the program that an editor starts.
    let names_program = |text: &String| words(text).iter().any(|word| list("programs-of-editors").contains(&word.as_str()));
    let is_settings = path.ends_with("settings.json");
    if is_settings && planted.texts.iter().any(names_program) {
        return false;
    }
    is_file && !planted.is_attack && !planted.has_payload && !planted.texts.iter().any(says_more)
}

/// How bad it is that something is written to such a place.
fn graded(place: Persistence, planted: &Planted, content: Content, is_started: bool, is_commit: bool) -> Option<(Severity, Action)> {
    let is_bad = planted.is_attack || content == Content::Foreign;
    let is_project = matches!(place, Persistence::Recipe | Persistence::Project);
    Some(match place {
        Persistence::Recipe if !planted.is_attack => return None,
        _ if is_project && is_bad => (Severity::Critical, Action::Block),
        // A commit is looked at before it is run; what is written out here is looked at now.
        _ if is_project && (is_commit || content == Content::Plain) => (Severity::Low, Action::Log),
        _ if is_project => (Severity::Medium, Action::Warn),
        Persistence::Start if content == Content::Plain && !is_started => (Severity::Low, Action::Log),
        Persistence::Start | Persistence::Guard if !planted.has_payload && !is_bad && !is_started => (Severity::High, Action::Confirm),
        _ => (Severity::Critical, Action::Block),
    })
}

/// Returns true if and only if what is written to such a place starts more than it sets.
fn starts_more(place: Persistence, path: &str, text: &str) -> bool {
    match place {
        Persistence::Project => opens_by_itself(text) && runs_files(text),
        // A hook is there to run the project's own commands.
        _ if is_hook(path) => runs_files(text) || text.lines().any(runs_behind),
        _ => !only_sets(text),
    }
}

/// The files that a script writes, and those of them that it fetches from elsewhere.
struct Written {
    all: Files,
    fetched: Files,
}

impl Written {
    fn of(context: &Context<'_>) -> Self {
        let ends = &context.features.ends;
        let mut written = Self { all: Files::default(), fetched: Files::default() };
        let files = |reach: &Reach| addresses(reach, context.subject);
        for (at, reach) in ends.reaches.iter().enumerate().filter(|(_, reach)| reach.does(SinkKind::FileWrite)) {
            files(reach).iter().for_each(|file| written.all.add(file, at));
        }
        let is_fetched = |passage: &&Passage| {
            let flow = context.subject.flows.get(passage.flow);
            let is_whole = flow.is_some_and(|flow| flow.is_followed() && Strength::Redacted <= flow.strength);
            passage.place == Place::Data && is_whole && passage.read.kind == OriginKind::Network && !passage.read.is_harmless
        };
        let fetched: BTreeSet<usize> = ends.passages.iter().filter(is_fetched).map(|passage| passage.reach).collect();
        for at in &fetched {
            let reach = ends.reaches.get(*at).filter(|reach| reach.does(SinkKind::FileWrite));
            reach.into_iter().flat_map(files).for_each(|file| written.fetched.add(&file, *at));
        }
        for (at, call) in context.subject.calls.iter().enumerate().filter(|(_, call)| unpacks(call)) {
            let texts = texts(&call.argument);
            if fetched.contains(&at) || texts.iter().any(|text| written.fetched.has(text.text)) {
                let folders = texts.iter().filter(|text| list("folder-keys").contains(&joined(text.key).as_str()));
                folders.for_each(|folder| written.fetched.add_folder(folder.text));
            }
        }
        written
    }
}

/// Returns true if and only if the name of a tool says that an archive is unpacked.
fn unpacks(call: &Call) -> bool {
    call.tool.name().is_some_and(|name| words(name).iter().any(|word| list("unpacking").contains(&word.as_str())))
}

/// Who wrote what is written to such a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// It stands in the script, or in the file itself, and nothing in it is told to fetch, hide or send.
    Plain,
    /// Somebody elsewhere.
    Foreign,
    /// Nobody knows.
    Unknown,
}

fn content(context: &Context<'_>, at: usize, reach: &Reach, planted: &Planted) -> Content {
    let ends = &context.features.ends;
    let data = || ends.passages.iter().filter(|passage| passage.reach == at && passage.place == Place::Data);
    let flow = |passage: &Passage| context.subject.flows.get(passage.flow);
    let targets = addresses(reach, context.subject);
    // What stood in the file before stays there.
    let is_own = |passage: &Passage| flow(passage).is_some_and(|flow| is_file_itself(context, flow, &targets));
    // From where a commit starts, and who made it, is no part of what it writes.
    let is_beside =
        |flow: &Flow| flow.argument.rsplit('.').next().is_some_and(|key| list("beside-a-commit").contains(&joined(key).as_str()));
    let is_whole = |passage: &Passage| flow(passage).is_some_and(|flow| flow.is_followed() && Strength::Redacted <= flow.strength);
    let is_foreign = |passage: &&Passage| {
        // What a tool returns may be the file itself; only what strangers write is somebody else's.
        let is_of_strangers = passage.read.kind == OriginKind::Network || passage.read.is_untrusted;
        let is_written = is_whole(passage) && !flow(passage).is_some_and(is_beside);
        is_written && is_of_strangers && !passage.read.is_harmless && (planted.takes_of_run || !is_own(passage))
    };
    if reach.does(SinkKind::FileWrite) && data().any(|passage| is_foreign(&passage)) {
        return Content::Foreign;
    }
    let is_command = !reach.does(SinkKind::FileWrite) || reach.does(SinkKind::Command);
    let is_open = planted.is_open && data().next().is_none();
    if is_command || is_open || planted.is_empty || planted.has_payload || planted.is_attack || !data().all(is_own) {
        return Content::Unknown;
    }
    Content::Plain
}

/// Returns true if and only if what flows into a file is read of that very file.
fn is_file_itself(context: &Context<'_>, flow: &Flow, targets: &[String]) -> bool {
    let Some(origin) = context.subject.origins.get(flow.origin) else { return false };
    match origin.kind {
        OriginKind::File => origin.detail.as_ref().is_some_and(|path| targets.contains(path)),
        OriginKind::Tool => {
            let call = origin.call.and_then(|call| context.subject.calls.get(call.tool()?));
            let owner = |name: &str| split_owner(name).0.to_owned();
            let own = flow.sink.tool().and_then(|index| context.subject.calls.get(index));
            let is_service = own.and_then(|own| own.tool.name()).is_some_and(|own| owner(own) == owner(&origin.name));
            let paths: Vec<String> = own.map_or_else(Vec::new, files);
            is_service && call.is_some_and(|call| files(call).iter().any(|path| paths.contains(path)))
        }
        _ => false,
    }
}

/// The files that a call of a tool names.
fn files(call: &Call) -> Vec<String> {
    let named = texts(&call.argument).into_iter().filter(|text| text.is_known && is_file_target(text.key));
    named.map(|text| text.text.to_owned()).collect()
}

/// What is known of what is written.
struct Planted {
    has_payload: bool,
    is_attack: bool,
    is_open: bool,
    is_empty: bool,
    /// It takes something of the run in which it stands: a secret, a branch's name.
    takes_of_run: bool,
    /// What is written, without what only says how.
    texts: Vec<String>,
}

impl Default for Planted {
    fn default() -> Self {
        Self { has_payload: false, is_attack: false, is_open: false, is_empty: true, takes_of_run: false, texts: Vec::new() }
    }
}

impl Planted {
    fn add(&mut self, text: &str, house: &House) {
        self.is_empty &= text.trim_matches([HOLE, ' ', '\n']).is_empty();
        self.is_open |= text.contains(HOLE);
        self.takes_of_run |= text.contains("${{");
        self.is_attack |= is_attack(text) || text.to_lowercase().lines().any(|line| takes_steps_from_elsewhere(line, house));
        if text.contains([' ', '=', '/', '\n']) {
            self.texts.push(text.to_owned());
        }
        self.has_payload |= Tag::Payload.words().any(|payload| text.contains(payload));
    }
}

impl Planted {
    /// Returns true if and only if what is written starts one of these files, which another call than this writes.
    fn starts(&self, files: &Files, at: usize) -> bool {
        self.texts.iter().any(|text| files.are_started(text, at))
    }
}

/// Returns true if and only if a text is told to fetch, hide or send what nobody looks at.
fn is_attack(text: &str) -> bool {
    let lower = text.to_lowercase();
    Tag::Attack.words().any(|part| lower.contains(part))
        || lower.lines().chain(text.lines()).any(runs_badly)
        || started_lines(text).iter().any(|line| runs_badly(line))
}

/// Returns true if and only if a pipeline takes its steps from a host that is no server of the house's own: `- remote: 'https://…'`.
fn takes_steps_from_elsewhere(line: &str, house: &House) -> bool {
    let line = line.trim_start_matches(['-', ' ']);
    let included = line.strip_prefix("remote:").or_else(|| line.strip_prefix("include:")).map(|url| url.trim().trim_matches(['\'', '"']));
    included.is_some_and(|url| url.starts_with("http") && destination(url, house).side == Side::Outside)
}

/// Returns true if and only if a line of what starts by itself runs what nobody looks at, lets somebody in or sends something away.
fn runs_badly(line: &str) -> bool {
    const KINDS: &[EffectKind] = &[EffectKind::Run, EffectKind::Send, EffectKind::Delete, EffectKind::Persist, EffectKind::Obtain];
    let own = line.trim_start_matches(['-', ' ']);
    let own = own.strip_prefix("run:").unwrap_or(own);
    let effects = effects(own, &House::default());
    effects.iter().any(|effect| KINDS.contains(&effect.kind) && severity(effect) == Some(Severity::Critical))
}

/// Visits the texts that a call is given, and whether each names the file that is written.
fn visit(context: &Context<'_>, reach: &Reach, look: &mut impl FnMut(bool, &str)) -> Option<()> {
    match reach.call {
        CallRef::Tool(index) => context.subject.calls.get(index)?.argument.visit("", &mut |key, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                look(is_file_target(key), text);
            }
        }),
        CallRef::Host(index) => {
            let call = context.subject.host_calls.get(index)?;
            let targets = reach.api.map_or(&[][..], |api| api.target);
            for target in targets.iter().flat_map(|path| values_at(call, path)) {
                texts(target).into_iter().for_each(|text| look(true, text.text));
            }
            let is_target = |at: usize| targets.iter().any(|target| target.parse() == Ok(at)) && reach.does(SinkKind::FileWrite);
            let mut list = |_: &str, value: &Value| {
                if matches!(value, Value::Array(parts, _) if 1 < parts.len()) {
                    look(false, &command_words(value).join(" "));
                }
            };
            call.arguments.iter().enumerate().filter(|(at, _)| !is_target(*at)).for_each(|(_, argument)| argument.visit("", &mut list));
            let options = call.receiver.iter().filter(|_| reach.does(SinkKind::Command));
            let data = call.arguments.iter().enumerate().filter(|(at, _)| !is_target(*at)).map(|(_, argument)| argument);
            data.chain(options).flat_map(texts).for_each(|text| look(false, text.text));
        }
    }
    Some(())
}

/// Returns true if and only if what a tool writes becomes a change in a repository.
fn is_commit(tool: &str) -> bool {
    Tag::Reviewed.has_any(words(tool))
}

fn shown(text: &str) -> String {
    text.chars().take(80).map(|character| if character.is_control() { '…' } else { character }).collect()
}
