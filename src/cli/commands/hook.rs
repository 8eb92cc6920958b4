//! `callgate hook`: one payload of an agent host in, the host's own answer out. Whatever goes wrong is a deny.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::cli::args::{Args, Global, HookArgs, InputArgs, OnWarn};
use crate::cli::audit::Chosen;
use crate::cli::audit::keeper::Keeper;
use crate::cli::audit::settle::remember;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::found_settings;
use crate::cli::host::handed::{check, holds_call};
use crate::cli::host::reason::{self, paragraph};
use crate::cli::host::{Event, Host, Reply, Ruling, Stage, refuse_anybody, registry, text};
use crate::cli::load;
use crate::cli::metrics::Counters;
use crate::cli::settings::{Asked, Choice, Settings};
use crate::cli::tenant;
use crate::cli::told;
use crate::finding::Entry;
use crate::finding::place::Wanted;
use crate::input::read::{Content, read_stream};
use crate::pattern::mask::Mask;
use crate::value::limits::Limits;
use crate::value::source::{Source, SourceName};
use crate::value::verdict::Verdict;

/// What a payload is called; its extension tells what it is.
const PAYLOAD: &str = "payload.json";
/// How long a run waits for the rest of a payload that it does not read.
const DRAIN: Duration = Duration::from_secs(5);
/// How long the names of events are at most.
const LONGEST_NAME: usize = 40;
/// Ways of running an agent in which nobody is asked, so that what should be asked would simply run.
const ASKS_NOBODY: &[&str] = &["bypassPermissions", "dontAsk"];

/// Answers one payload. Nothing ends it but an answer.
pub fn run(args: &HookArgs, global: &Global) -> Exit {
    let known: Arc<OnceLock<&'static Host>> = Arc::default();
    let (sender, receiver) = mpsc::channel();
    let worker = {
        let (args, global, known) = (args.clone(), global.clone(), Arc::clone(&known));
        move || {
            let judged = catch_unwind(AssertUnwindSafe(|| judge(&args, &global, &known)));
            let _ = sender.send(judged.unwrap_or_else(|_| Err("it failed while judging".to_owned())));
        }
    };
    let judged = match thread::Builder::new().name("hook".to_owned()).spawn(worker) {
        Ok(_) => receiver
            .recv_timeout(Duration::from_secs(args.deadline))
            .unwrap_or_else(|_| Err(format!("it was not done after {} seconds", args.deadline))),
        Err(error) => Err(format!("it cannot start a thread: {error}")),
    };
    let host = known.get().copied().or_else(|| registry::by_name(args.host.as_deref()?));
    print(&judged.unwrap_or_else(|fault| failed(host, &fault, args.judgement.fail_open)))
}

/// Whether a command line that clap refuses was meant for this command.
pub fn is_asked(words: &[OsString]) -> bool {
    use clap::CommandFactory as _;
    let command = Args::command();
    let is_command = |word: &&OsString| command.get_subcommands().any(|known| ***word == *known.get_name());
    words.iter().skip(1).find(is_command).is_some_and(|word| word == "hook")
}

/// Answers although the command line is wrong: with another code, hosts let the call run.
pub fn refuse_usage(words: &[OsString], error: &clap::Error) -> Exit {
    // A host that cannot hand over its payload takes that for a fault of its own, and lets the call run.
    drain(DRAIN);
    let host = words.iter().find_map(|word| registry::by_name(word.to_str()?));
    let told = error.to_string();
    let first = told.split("\n\nUsage").next().unwrap_or(&told).trim_start_matches("error: ").to_owned();
    let is_open = words.iter().any(|word| word == "--fail-open");
    print(&failed(host, &format!("its command line is wrong: {first}"), is_open))
}

/// The reply where callgate itself is at fault.
fn failed(host: Option<&Host>, fault: &str, is_open: bool) -> Reply {
    if is_open {
        let told = paragraph(&format!("callgate could not judge this and lets it pass (--fail-open): {fault}"));
        let reply = host.map(Host::pass).unwrap_or_default();
        return Reply { stderr: Some(told), ..reply };
    }
    let told = paragraph(&format!("callgate denies this, since it could not judge it: {fault}. `callgate doctor` finds out more."));
    host.map_or_else(|| refuse_anybody(&told), |host| host.refuse(&told))
}

/// Writes a reply. An answer that does not arrive is a deny by the code.
fn print(reply: &Reply) -> Exit {
    let written = reply.stdout.as_ref().map_or(Ok(()), |answer| {
        if leads_nowhere() {
            return Err(io::Error::other("standard output is closed"));
        }
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{answer}").and_then(|()| stdout.flush())
    });
    if let Some(told) = &reply.stderr {
        let _ = writeln!(io::stderr(), "{told}");
    }
    match written {
        Ok(()) if reply.is_refusal => Exit::Block,
        Ok(()) => Exit::Allow,
        Err(error) => {
            let _ = writeln!(io::stderr(), "callgate denies this, since its answer cannot be written: {error}");
            Exit::Block
        }
    }
}

/// Returns true if and only if nobody hears what is written to standard output: where it was closed, it is the null device.
#[cfg(unix)]
fn leads_nowhere() -> bool {
    use std::fs::{File, metadata};
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;
    let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from).and_then(|file| file.metadata());
    let null = metadata("/dev/null");
    stdout.is_ok_and(|stdout| null.is_ok_and(|null| null.rdev() != 0 && stdout.rdev() == null.rdev()))
}

/// Returns true if and only if nobody hears what is written to standard output; elsewhere, writing fails.
#[cfg(not(unix))]
fn leads_nowhere() -> bool {
    false
}

/// Reads what is left of standard input, for some time.
fn drain(longest: Duration) {
    let (sender, receiver) = mpsc::channel();
    let reader = thread::Builder::new().name("drain".to_owned()).spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = sender.send(());
    });
    if reader.is_ok() {
        let _ = receiver.recv_timeout(longest);
    }
}

fn judge(args: &HookArgs, global: &Global, known: &OnceLock<&'static Host>) -> Result<Reply, String> {
    let settings = settings(args, global).map_err(|failure| told(&failure));
    let limit = settings.as_ref().map_or(Limits::default().file_size, |(settings, _)| settings.scanner.read.limits.file_size);
    let text = payload(limit)?;
    let payload = object(&text)?;
    let host = match &args.host {
        Some(name) => registry::by_name(name).ok_or_else(|| format!("there is no host `{name}`"))?,
        None => registry::by_payload(&payload).ok_or("the payload does not tell which host sent it; name the host")?,
    };
    let _ = known.set(host);
    let name = (host.event_name)(&payload);
    let Some(event) = host.event(name) else { return unknown_event(host, name, &payload) };
    check(event.stage, &payload).map_err(|what| format!("the payload is not what `{name}` promises: {what}"))?;
    let (mut settings, store) = settings?;
    let keeper = store.map(|chosen| Keeper::open(chosen, &mut settings, Some(host.name)));
    let counters = Counters::begin(args.audit.metrics.as_deref(), &mut settings);
    let ruling = rule(&settings, (keeper, counters), text, &Asking { host, event, payload: &payload, on_warn: args.on_warn })?;
    Ok(host.reply(event, &payload, &ruling))
}

/// What is told of settings that cannot be used: the first fault stands for all.
fn told(failure: &Failure) -> String {
    let fault = match failure {
        Failure::Faults { faults, .. } => faults.first().map(ToString::to_string),
        other => std::error::Error::source(other).map(ToString::to_string),
    };
    fault.map_or_else(|| failure.to_string(), |fault| format!("{failure}: {fault}"))
}

/// The settings of a scan, but for those that come with the folder: the agent may have written them.
fn settings(args: &HookArgs, global: &Global) -> Result<(Settings, Option<Chosen>), Failure> {
    let input = InputArgs { tools: args.tools.clone(), jobs: Some(1), ..InputArgs::default() };
    let own = if global.no_config || global.config_from.is_some() { None } else { global.config.clone().or_else(load::of_user) };
    // A project may set the variables that name the user's own settings, and the agent may write them.
    let is_in_reach = global.config.is_none() && own.as_deref().is_some_and(is_in_reach);
    if is_in_reach {
        told::tell(
            "callgate: the settings lie where the agent works and were not named with --config, so what they loosen does not hold\n"
                .to_owned(),
        );
    }
    let own = own.map(|own| if is_in_reach { std::path::absolute(&own).unwrap_or(own) } else { own });
    let global = Global { no_config: own.is_none() && global.config_from.is_none(), config: own, is_in_reach, ..global.clone() };
    // The folder that an agent works in says nothing of tenants: the agent may have written it.
    let tenant = tenant::chosen(&args.audit.tenant, &global, None)?;
    let choice = Choice::Judges(&args.model);
    let asked = Asked { input: &input, judgement: &args.judgement, choice, global: &global, wanted: Wanted::default() };
    let mut settings = tenant::settle(&asked, tenant.as_ref())?;
    let store = remember(&mut settings, &args.audit, &global, tenant.as_ref())?;
    Ok((settings, store))
}

/// Whether settings of the user's own lie in the folder that the agent works in. Those in the usual place of a user who has an agent
/// work in the home folder itself are as safe as the rest of it.
fn is_in_reach(own: &Path) -> bool {
    let Ok(here) = std::env::current_dir() else { return true };
    let is_usual = load::usual().is_some_and(|usual| usual == own) && !here.ancestors().any(|above| above.join(".git").exists());
    !is_usual && found_settings::is_in_reach(own, &here)
}

/// The payload on standard input, which is read to its end in any case.
fn payload(limit: u64) -> Result<String, String> {
    let mut stdin = io::stdin().lock();
    let content = read_stream(stdin.by_ref(), limit);
    let _ = io::copy(&mut stdin, &mut io::sink());
    match content {
        Ok(Content::Text(text, _)) => Ok(text),
        Ok(Content::Binary) => Err("the payload is no text".to_owned()),
        Ok(Content::Garbled(_, fault)) | Err(fault) => Err(format!("the payload cannot be read: {}", fault.detail)),
    }
}

/// The object that a payload is.
fn object(text: &str) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Err("the payload is empty".to_owned());
    }
    match serde_json::from_str(text) {
        Ok(payload @ Value::Object(_)) => Ok(payload),
        Ok(_) => Err("the payload is no JSON object".to_owned()),
        Err(error) => Err(format!("the payload is no JSON: {error}")),
    }
}

/// An event that nothing is known of has nothing to be judged, unless a call may hide in it.
fn unknown_event(host: &Host, name: &str, payload: &Value) -> Result<Reply, String> {
    if name.is_empty() {
        return Err("the payload names no event".to_owned());
    }
    if let Some(other) = registry::by_event(name).filter(|_| !host.past.contains(&name)) {
        return Err(format!("`{name}` is an event of {}, and this hook answers {}", other.title, host.title));
    }
    if !host.past.contains(&name) && holds_call(payload) {
        // What is no word may be anything, even something that nobody should see.
        let is_word = name.len() <= LONGEST_NAME && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        let name = if is_word { name } else { "…" };
        return Err(format!("{} has no event `{name}` that callgate knows, and the payload holds a tool call", host.title));
    }
    Ok(host.pass())
}

/// Who asks about what.
struct Asking<'a> {
    host: &'static Host,
    event: &'static Event,
    payload: &'a Value,
    on_warn: OnWarn,
}

impl Asking<'_> {
    fn may_ask(&self) -> bool {
        let asks_nobody = text(self.payload, "permission_mode").is_some_and(|mode| ASKS_NOBODY.contains(&mode));
        self.event.asks && !asks_nobody
    }

    /// What it is about, for people.
    fn subject(&self) -> &'static str {
        match self.event.stage {
            Stage::Call => "this call",
            Stage::Result => "what this tool returned",
            Stage::Prompt => "this prompt",
        }
    }

    fn ruling(&self, verdict: Verdict, why: &str) -> Ruling {
        let subject = self.subject();
        let say = |words: &str| paragraph(&format!("callgate {words} {subject}: {why}"));
        match (verdict, self.on_warn) {
            (Verdict::Allow, _) | (Verdict::Warn, OnWarn::Allow) => Ruling::Allow,
            (Verdict::Block, _) if self.event.stage == Stage::Result => Ruling::Deny(say("withholds")),
            (Verdict::Block, _) | (Verdict::Warn, OnWarn::Deny) => Ruling::Deny(say("blocks")),
            (Verdict::Warn, OnWarn::Ask) if self.may_ask() => Ruling::Ask(say("asks about")),
            (Verdict::Warn, OnWarn::Ask) if (self.host.asks_elsewhere)(self.event, self.payload) => Ruling::Allow,
            (Verdict::Warn, OnWarn::Ask) => match self.event.stage {
                Stage::Call => Ruling::Deny(say("would have a person asked, who cannot be asked here, and so blocks")),
                Stage::Result | Stage::Prompt => Ruling::Note(say("warns of")),
            },
        }
    }
}

/// Ends storing what was judged before it is answered. Where it must be stored and cannot be, nothing is allowed.
fn stored(keeper: Keeper) -> Result<(), String> {
    match keeper.finish() {
        Some((failure, true)) => Err(failure.to_string()),
        Some((failure, false)) => {
            told::tell(format!("callgate: {failure}\n"));
            Ok(())
        }
        None => Ok(()),
    }
}

/// The strictest ruling on all that the payload holds: the call, each script in it, what was returned.
fn rule(
    settings: &Settings,
    (mut keeper, counters): (Option<Keeper>, Option<Counters>),
    payload: String,
    asking: &Asking<'_>,
) -> Result<Ruling, String> {
    let source = Source { name: SourceName::stream(PAYLOAD), text: payload, has_bom: false };
    let mut entries = settings.scanner.of_handed().scan_source(&source).map_err(|error| format!("it cannot start its workers: {error}"))?;
    let mut mask = Mask::default();
    entries.iter().for_each(|entry| mask.learn(entry.secrets()));
    if let Some(keeper) = &mut keeper {
        entries.iter_mut().for_each(|entry| keeper.take(entry, &mask));
    }
    if let Some(mut counters) = counters {
        entries.iter().for_each(|entry| counters.take(entry));
        // What cannot be counted is judged all the same.
        if let Err(failure) = counters.write(keeper.as_mut()) {
            told::tell(format!("callgate: {failure}\n"));
        }
    }
    keeper.map_or(Ok(()), stored)?;
    let mut strictest: Option<&Entry> = None;
    for entry in &entries {
        if strictest.is_none_or(|known| known.verdict() < entry.verdict()) {
            strictest = Some(entry);
        }
    }
    let entry = strictest.ok_or("nothing of it was judged")?;
    let why = reason::of(entry, &source.text);
    Ok(asking.ruling(entry.verdict(), &mask.hidden(&why).unwrap_or(why)))
}
