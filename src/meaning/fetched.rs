//! What a script fetches, writes to a file, and then runs by that file's name.

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap};

use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, SinkKind, destination};
use crate::meaning::action::nested::takes_command;
use crate::meaning::argument::{choices, command_words, text, texts};
use crate::meaning::command::one::Command;
use crate::meaning::command::unwrap::commands;
use crate::meaning::passage::Ends;
use crate::meaning::reach::{Place, Reach};
use crate::meaning::reaches::addresses;
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::Arguments;
use crate::subject::Subject;
use crate::subject::call::Value;
use crate::subject::flow::{CallRef, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::words::words;

/// Shortest path that is followed from one call to another, in characters that are known.
const SHORTEST: usize = 3;

/// The folder of everything: what is unpacked there lies wherever the archive says.
const ROOT: &str = "/";

/// How the names of tools begin that look into archives.
const ARCHIVE: &str = "archive:";

/// A file that holds what was fetched.
#[derive(Debug)]
struct File {
    path: String,
    /// From where, as far as it is known.
    from: Option<String>,
}

/// A call that runs a file that holds what was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Index into `Ends::reaches`.
    pub reach: usize,
    /// The file.
    pub path: String,
    /// It was fetched from where many publish what they build, so that somebody may have looked.
    pub is_published: bool,
}

/// The calls that run what others have fetched.
pub fn runs(subject: &Subject, ends: &Ends, house: &House) -> Vec<Run> {
    let files = files(subject, ends);
    if files.is_empty() {
        return Vec::new();
    }
    let first = first_by_path(&files);
    let of_reach = |(at, reach): (usize, &Reach)| {
        let lines = lines(subject, reach);
        let named: BTreeSet<usize> = lines.iter().flat_map(|line| places(line)).filter_map(|place| first.get(place).copied()).collect();
        let mut named = named.into_iter().filter_map(|at| files.get(at));
        let file = named.find(|file| lines.iter().any(|line| runs_file(reach, line, &file.path)))?;
        let from = file.from.as_deref().map(|from| (from, destination(from, house).side));
        let is_own = matches!(from, Some((_, Side::Inside)));
        let is_published = from.is_some_and(|(from, _)| is_release(from));
        let path = if file.path.is_empty() { ROOT.to_owned() } else { file.path.clone() };
        (!is_own).then_some(Run { reach: at, path, is_published })
    };
    ends.reaches.iter().enumerate().filter_map(of_reach).collect()
}

/// Which of the files of a path is the first.
fn first_by_path(files: &[File]) -> HashMap<&str, usize> {
    let mut first = HashMap::new();
    for (at, file) in files.iter().enumerate() {
        first.entry(file.path.as_str()).or_insert(at);
    }
    first
}

/// Longer paths, in bytes, name no file of a system.
const LONGEST: usize = 4096;

/// The paths that a line may name: itself and its words, and the folders around them.
fn places(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split_whitespace().map(|word| word.trim_matches(['"', '\'']).trim_end_matches(';'));
    let all = [Some(line), line.strip_prefix("file://")].into_iter().flatten().chain(words);
    all.flat_map(|place| place.match_indices('/').take_while(|(at, _)| *at <= LONGEST).filter_map(|(at, _)| place.get(..at)).chain([place]))
}

/// Returns true if and only if an address is of a host where projects publish what they build.
fn is_release(address: &str) -> bool {
    let host = address.split("://").nth(1).unwrap_or(address).split(['/', ':', '?']).next().unwrap_or_default().to_lowercase();
    Tag::ReleaseHost.words().any(|known| host == known || host.strip_suffix(known).is_some_and(|rest| rest.ends_with('.')))
}

/// The files to which what was fetched is written.
fn files(subject: &Subject, ends: &Ends) -> Vec<File> {
    let mut found = Vec::new();
    let archive = LazyCell::new(|| fetched_archive(subject));
    for passage in ends.passages.iter().filter(|passage| passage.place == Place::Data) {
        let (Some(flow), Some(reach)) = (subject.flows.get(passage.flow), ends.reach(passage)) else { continue };
        let Some(origin) = subject.origins.get(flow.origin) else { continue };
        // What an archive holds that was fetched was fetched.
        let from = match origin.kind {
            OriginKind::Network => origin.detail.clone(),
            OriginKind::Tool if passage.read.is_untrusted && !passage.read.is_harmless && !origin.name.starts_with(ARCHIVE) => None,
            OriginKind::Tool if origin.name.starts_with(ARCHIVE) => match archive.clone() {
                Some(from) => Some(from),
                None => continue,
            },
            _ => continue,
        };
        if !reach.does(SinkKind::FileWrite) || !flow.is_followed() || flow.strength < Strength::Whole {
            continue;
        }
        let paths = addresses(reach, subject).into_iter().filter(|path| is_telling(path));
        found.extend(paths.map(|path| File { path: known_folder(path), from: from.clone() }));
    }
    for reach in &ends.reaches {
        for own in lines(subject, reach).iter().flat_map(|line| commands(line)) {
            let fetches = Tag::FetchingProgram.has(&own.key());
            let named = own.option(&["-o", "--output", "-O", "--output-document"]).or_else(|| last_of_bundle(&own));
            let written = named.into_iter().chain(own.outputs.iter().map(String::as_str)).filter(|path| fetches && is_telling(path));
            let from = own.operands().find(|operand| operand.contains("://"));
            found.extend(written.map(|path| File { path: path.to_owned(), from: from.map(str::to_owned) }));
        }
    }
    found.extend(unpacked(subject, &found, archive.as_deref()));
    found.extend(renamed(subject, &found));
    found
}

/// The files by other names, under which the script puts them: `renameSync('tool.part', 'tool')`.
fn renamed(subject: &Subject, files: &[File]) -> Vec<File> {
    let paths = |value: Option<&Value>| -> Vec<String> {
        let all = value.map(choices).unwrap_or_default().into_iter();
        all.filter_map(|choice| match choice {
            Value::String(path, _) | Value::Partial(path, _) => Some(path.clone()),
            _ => None,
        })
        .collect()
    };
    let first = first_by_path(files);
    let is_moving = |api: &str| api.rsplit('.').next().is_some_and(|method| list("moving-files").contains(&method));
    let mut found = Vec::new();
    for call in subject.host_calls.iter().filter(|call| is_moving(&call.api)) {
        let (from, to) = (paths(call.arguments.first()), paths(call.arguments.get(1)));
        let known = from.iter().find_map(|path| first.get(known_folder(path.clone()).as_str()).and_then(|at| files.get(*at)));
        let Some(known) = known else { continue };
        let told = to.into_iter().filter(|path| is_telling(path));
        found.extend(told.map(|path| File { path: known_folder(path), from: known.from.clone() }));
    }
    found
}

/// The file that a bundle of short options ends with: `curl -fsSo FILE`, `wget -qO FILE`.
fn last_of_bundle(own: &Command) -> Option<&str> {
    let is_bundle = |word: &String| {
        let letters = word.strip_prefix('-').unwrap_or_default();
        1 < letters.len() && letters.bytes().all(|letter| letter.is_ascii_alphabetic()) && letters.ends_with(['o', 'O'])
    };
    let at = own.arguments.iter().position(is_bundle)?;
    own.arguments.get(at + 1).map(String::as_str).filter(|path| !path.starts_with('-') && !path.contains("://"))
}

/// Folders into which an archive is unpacked that was fetched: it was written to a file before, or a script that unpacks what it does not
/// name fetches one.
fn unpacked(subject: &Subject, files: &[File], archive: Option<&str>) -> Vec<File> {
    let mut found = Vec::new();
    let first = first_by_path(files);
    for call in &subject.calls {
        let extracts =
            call.tool.name().is_some_and(|name| words(name).last().is_some_and(|last| list("unpacking-words").contains(&last.as_str())));
        let Value::Object(properties, _) = &call.argument else { continue };
        if !extracts {
            continue;
        }
        let said = |keys: &[&str]| {
            properties.iter().filter(|property| keys.contains(&property.key.as_str())).find_map(|property| text(&property.value))
        };
        let file = said(&["file", "path", "source", "archive"]);
        let from = match file {
            Some(file) => first.get(known_folder(file.to_owned()).as_str()).and_then(|at| files.get(*at)).map(|known| known.from.clone()),
            None => archive.map(|from| Some(from.to_owned())),
        };
        let folder = said(&["cwd", "dir", "target", "to", "output", "C"]).filter(|folder| *folder == ROOT || is_telling(folder));
        if let (Some(from), Some(folder)) = (from, folder) {
            found.push(File { path: folder.trim_end_matches('/').to_owned(), from });
        }
    }
    found
}

/// Where the first archive comes from that a script fetches.
fn fetched_archive(subject: &Subject) -> Option<String> {
    let is_archive = |address: &str| {
        let path = address.split(['?', '#']).next().unwrap_or(address).to_lowercase();
        Tag::PackedEnding.words().any(|end| path.ends_with(end))
    };
    let fetched = subject.origins.iter().filter(|origin| origin.kind == OriginKind::Network);
    fetched.filter_map(|origin| origin.detail.clone()).find(|address| is_archive(address))
}

/// The folder that is known of a path whose last part is not: `themes/…`. Where nothing but a folder for everything is known, the path.
fn known_folder(path: String) -> String {
    let is_open = |last: &str| last.contains(HOLE);
    match path.rsplit_once('/') {
        Some((folder, last)) if is_open(last) && is_telling(folder) && !list("common-folders").contains(&folder) => folder.to_owned(),
        _ => path,
    }
}

fn is_telling(path: &str) -> bool {
    let known = path.chars().filter(|character| *character != HOLE && character.is_alphanumeric()).count();
    SHORTEST <= known && !path.contains("://")
}

/// The command lines of a call, or the modules that it loads.
fn lines(subject: &Subject, reach: &Reach) -> Vec<String> {
    let keeps = || {
        let call = reach.call.tool().and_then(|index| subject.calls.get(index));
        call.is_some_and(|call| takes_command(&ToolName::of(call.tool.name().unwrap_or_default()), &Arguments::of(&call.argument)))
    };
    if !reach.does(SinkKind::Command) && !reach.does(SinkKind::Code) && !keeps() {
        return Vec::new();
    }
    match reach.call {
        CallRef::Host(index) => {
            let Some(call) = subject.host_calls.get(index) else { return Vec::new() };
            let mut words: Vec<String> = call.arguments.iter().take(2).flat_map(command_words).collect();
            if is_of_runtime(&words) {
                words.remove(0);
            }
            let of_options = call.arguments.iter().take(2).filter(|argument| matches!(argument, Value::Object(..)));
            let options: Vec<_> = of_options.flat_map(texts).collect();
            words.extend(options.iter().map(|text| text.text.to_owned()));
            // What starts a file by its options names it there: `pm2.start({ name, script })`.
            let starts = |key: &str| {
                reach.api.is_some_and(|api| api.data.iter().any(|data| data.split_once('.').is_some_and(|(_, last)| last == key)))
            };
            let named = options.iter().filter(|text| reach.does(SinkKind::Code) && starts(text.key)).map(|text| text.text.to_owned());
            std::iter::once(words.join(" ")).chain(named).collect()
        }
        CallRef::Tool(index) => {
            let argument = subject.calls.get(index).map(|call| texts(&call.argument)).unwrap_or_default();
            argument.into_iter().map(|text| text.text.to_owned()).collect()
        }
    }
}

/// Returns true if and only if an unknown program is handed a script first: `spawn(process.execPath, ['./a.js'])` starts the runtime itself.
fn is_of_runtime(words: &[String]) -> bool {
    let is_unknown = words.first().is_some_and(|program| program.chars().all(|character| character == HOLE));
    is_unknown && words.get(1).is_some_and(|file| list("script-endings").iter().any(|ending| file.ends_with(ending)))
}

/// Returns true if and only if a line runs a file: its name stands where a program does, or behind what runs files.
fn runs_file(reach: &Reach, line: &str, path: &str) -> bool {
    // What lies anywhere is none of the system's own programs.
    let is_anywhere = path.is_empty();
    let is_file = |word: &str| {
        let is_below = word == path || word.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        is_below && !(is_anywhere && is_of_system(word))
    };
    if line == path || is_file(line) && !line.contains(' ') {
        return true;
    }
    if reach.does(SinkKind::Code) {
        return line.strip_prefix("file://").is_some_and(is_file);
    }
    let installs = line.split_whitespace().any(|word| list("package-managers").contains(&word));
    let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
    // A picture is shown by what opens it.
    let is_shown = list("shown-endings").iter().any(|ending| path.to_lowercase().ends_with(ending));
    words.iter().enumerate().any(|(at, word)| {
        let bare = word.trim_end_matches(';');
        let mut earlier = words.get(..at).unwrap_or_default().iter().rev().filter(|word| !word.starts_with('-')).peekable();
        // `deno run a.ts`, `bun run a.ts`
        let says_run = earlier.peek().is_some_and(|word| **word == "run");
        let before = if says_run { earlier.nth(1) } else { earlier.next() };
        let starts = before.is_none_or(|before| {
            let is_runtime = says_run && before.chars().all(|character| character == HOLE);
            is_runtime
                || before.ends_with([';', '|', '&'])
                || is_runner(before, is_shown)
                || installs && ["install", "add", "i"].contains(before)
        });
        is_file(bare) && starts
    })
}

/// Returns true if and only if a path is that of a program of the system.
fn is_of_system(path: &str) -> bool {
    path.starts_with("/usr/") || path.starts_with("/bin/") || path.starts_with("/sbin/")
}

/// Returns true if and only if a program runs the file that it is given; one that leaves it to the kind of a file, only where that
/// is not one that is merely shown.
fn is_runner(word: &str, is_shown: bool) -> bool {
    let program = word.rsplit(['/', '\\']).next().unwrap_or(word).to_lowercase();
    let program = program.strip_suffix(".exe").unwrap_or(&program);
    Tag::Interpreter.has(program) || Tag::FileRunner.has(program) && !(is_shown && Tag::FileOpener.has(program))
}
