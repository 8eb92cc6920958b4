//! What is read at each origin, as it is named and as the script hands it on.

use std::collections::HashMap;

use crate::knowledge::command::list;
use crate::knowledge::named::named_sensitivity;
use crate::knowledge::secret::is_secret_variable;
use crate::knowledge::sensitivity::category;
use crate::knowledge::threat::is_guest;
use crate::knowledge::tool::tool_in;
use crate::knowledge::vault::is_environment_file;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Sensitivity, SinkKind, api};
use crate::meaning::argument::choices;
use crate::meaning::argument::command_words;
use crate::meaning::counting::only_counts;
use crate::meaning::filled::Filled;
use crate::meaning::kept::{Kept, Written, kept};
use crate::meaning::read::Read;
use crate::meaning::tool_read::{
    command_sensitivity, inside_sensitivity, is_made_to_be_seen, is_of_strangers, is_plain_command, is_public_path, text_sensitivity,
    tool_read,
};
use crate::subject::Subject;
use crate::subject::call::{HostCall, Value};
use crate::subject::flow::{CallRef, Flow, Origin, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::words::{joined, split_owner, words};

/// How many transforming tools may stand between an origin and a sink.
const DEPTH: usize = 8;

/// What is read at each origin of a subject.
pub fn reads(subject: &Subject, house: &House) -> Vec<Read> {
    let filled = Filled::of(subject, house);
    let mut reads: Vec<Read> = subject.origins.iter().map(|origin| read(subject, origin, &filled, house)).collect();
    // What a summary says is what its text says.
    let results: HashMap<CallRef, usize> = subject.origins.iter().enumerate().filter_map(|(at, origin)| Some((origin.call?, at))).collect();
    let whole = subject.flows.iter().filter(|flow| flow.is_followed() && Strength::Redacted < flow.strength);
    let into = |flow: &Flow| results.get(&flow.sink).copied();
    let is_dear = |flow: &Flow| reads.get(flow.origin).is_some_and(|read| Some(Sensitivity::Internal) < read.sensitivity);
    let carrying = whole.clone().filter(|flow| is_carried(subject, flow, house) || writes_into(subject, flow) && is_dear(flow));
    let mut carried: Vec<Carried<'_>> = carrying.filter_map(|flow| Some(Carried::by(flow, into(flow)?))).collect();
    let asking: Vec<(usize, &Flow)> = whole
        .clone()
        .filter(|flow| names_what_is_read(&flow.argument) || names_file(subject, flow))
        .filter_map(|flow| Some((into(flow)?, flow)))
        .collect();
    let handed_on: Vec<(usize, &Flow)> =
        whole.clone().filter(|flow| asked_by_page(subject, flow)).filter_map(|flow| Some((into(flow)?, flow))).collect();
    // What set a workflow off holds what strangers wrote: the file of it is named by a variable.
    for (to, flow) in &asking {
        let names_event = subject.origins.get(flow.origin).is_some_and(|origin| {
            origin.kind == OriginKind::Environment && origin.detail.as_deref().is_some_and(|name| list("files-of-events").contains(&name))
        });
        if let Some(into) = reads.get_mut(*to).filter(|into| names_event && into.kind == OriginKind::File) {
            into.is_untrusted = true;
        }
    }
    let count = reads.len();
    carried.extend(read_back(subject, whole, &results, &kept(subject, house), &mut reads));
    // What is made of nothing but public data is public.
    let mut is_made = vec![false; reads.len()];
    for Carried { to, from, field } in &carried {
        let is_list = count <= *from;
        let tells =
            if is_list { is_made.get(*from) == Some(&true) } else { reads.get(*from).is_some_and(|read| !read.at(field).is_harmless) };
        if let (Some(read), Some(is_made)) = (reads.get_mut(*to), is_made.get_mut(*to)) {
            *is_made |= tells;
            if *is_made && *to < count {
                read.sensitivity = read.sensitivity.filter(|kind| *kind != Sensitivity::Internal);
                read.is_public = read.sensitivity.is_none();
            }
        }
    }
    for _ in 0..DEPTH {
        let mut is_changed = false;
        for Carried { to, from, field } in &carried {
            let Some(read) = reads.get(*from).map(|read| read.at(field)) else { continue };
            if let Some(into) = reads.get_mut(*to).filter(|_| to != from) {
                let is_public = into.is_public && (read.is_public || read.is_harmless);
                is_changed |= carry(into, &read);
                if count <= *to {
                    into.is_public = is_public;
                }
            }
        }
        for (to, flow) in &handed_on {
            let Some(sensitivity) = reads.get(flow.origin).and_then(|read| read.sensitivity) else { continue };
            if let Some(into) = reads.get_mut(*to).filter(|into| into.sensitivity < Some(sensitivity)) {
                (into.sensitivity, into.is_public) = (Some(sensitivity), false);
                is_changed = true;
            }
        }
        // What a sensitive listing names is no less sensitive.
        for (to, flow) in &asking {
            let Some(from) = reads.get(flow.origin).filter(|read| !read.is_public).and_then(|read| read.sensitivity) else { continue };
            if let Some(into) = reads.get_mut(*to).filter(|into| !into.is_public && !into.is_harmless && into.sensitivity < Some(from)) {
                into.sensitivity = Some(from);
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    reads.truncate(count);
    reads
}

/// Data that goes from what is read into what is read elsewhere: by index, with the field of it that goes.
struct Carried<'s> {
    to: usize,
    from: usize,
    field: &'s str,
}

impl<'s> Carried<'s> {
    fn by(flow: &'s Flow, to: usize) -> Self {
        Self { to, from: flow.origin, field: &flow.field }
    }
}

/// What is read back is what was written under that name.
///
/// All that was written under a name before a call reads it stands behind the other reads as one that is made of what was
/// written since the call that read it before, and of what was there then.
fn read_back<'s>(
    subject: &'s Subject,
    whole: impl Iterator<Item = &'s Flow>,
    results: &HashMap<CallRef, usize>,
    kept: &Kept,
    reads: &mut Vec<Read>,
) -> Vec<Carried<'s>> {
    let mut carried = Vec::new();
    let mut into: Vec<Vec<&Flow>> = vec![Vec::new(); subject.calls.len()];
    if !kept.read_back.is_empty() {
        for flow in whole {
            if let Some(into) = flow.sink.tool().and_then(|sink| into.get_mut(sink)) {
                into.push(flow);
            }
        }
    }
    let appends = |writer: &usize| {
        subject.calls.get(*writer).is_some_and(|call| call.tool.name().is_some_and(|name| name.to_lowercase().contains("append")))
    };
    let mut lists: Vec<Listed> = vec![Listed::default(); kept.writers.len()];
    for (reader, names) in &kept.read_back {
        let Some(to) = results.get(&CallRef::Tool(*reader)).copied() else { continue };
        let (mut is_written, mut is_appended) = (false, false);
        for Written { under, count } in names {
            let (Some(list), Some(writers)) = (lists.get_mut(*under), kept.writers.get(*under)) else { continue };
            let new = writers.get(list.count..*count).unwrap_or_default();
            let flows: Vec<&Flow> = new.iter().filter_map(|writer| into.get(*writer)).flatten().copied().collect();
            list.is_appended |= new.iter().any(appends);
            list.count = *count;
            if !flows.is_empty() {
                let at = reads.len();
                reads.push(Read { is_public: true, is_harmless: true, ..nothing(OriginKind::Tool, String::new()) });
                carried.extend(list.last.map(|from| Carried { to: at, from, field: "" }));
                carried.extend(flows.into_iter().map(|flow| Carried::by(flow, at)));
                list.last = Some(at);
            }
            carried.extend(list.last.map(|from| Carried { to, from, field: "" }));
            is_written |= list.last.is_some();
            is_appended |= list.is_appended;
        }
        if let Some(read) = reads.get_mut(to).filter(|_| !is_written && !is_appended) {
            (read.sensitivity, read.is_harmless) = (None, true);
        }
    }
    carried
}

/// What is known of the calls that wrote under a name, as far as they were looked at.
#[derive(Clone, Copy, Default)]
struct Listed {
    /// How many were looked at.
    count: usize,
    /// The index of the read that stands for all that they wrote, if data reaches them.
    last: Option<usize>,
    /// One of them adds to what is there.
    is_appended: bool,
}

/// Returns true if and only if an argument says which file or entry is read.
fn names_what_is_read(argument: &str) -> bool {
    let last = argument.rsplit('.').find(|key| *key != "[]").unwrap_or_default().to_lowercase();
    Tag::ReadKey.has(&last)
}

/// Returns true if and only if a flow says which file a call of the host reads.
fn names_file(subject: &Subject, flow: &Flow) -> bool {
    let CallRef::Host(index) = flow.sink else { return false };
    let api = subject.host_calls.get(index).and_then(|call| api(&call.api));
    api.is_some_and(|api| api.origin == Some(OriginKind::File) && api.reads == Some(&flow.argument))
}

/// Returns true if and only if a flow ends in a tool that writes what it is given into a picture, or draws it.
fn writes_into(subject: &Subject, flow: &Flow) -> bool {
    let tool = flow.sink.tool().and_then(|index| subject.calls.get(index)).and_then(|call| call.tool.name());
    let said = tool.map(|name| words(split_owner(name).1)).unwrap_or_default();
    said.iter().any(|word| list("making-media").contains(&word.as_str()) || list("writing-into").contains(&word.as_str()))
}

/// Returns true if and only if a flow ends in a tool whose result carries what it is given.
fn is_carried(subject: &Subject, flow: &Flow, house: &House) -> bool {
    let tool = flow.sink.tool().and_then(|index| subject.calls.get(index)).and_then(|call| call.tool.name());
    let profile = tool.map(|name| tool_in(name, house));
    profile.is_some_and(|profile| profile.transforms || profile.does(SinkKind::Prompt))
}

fn carry(into: &mut Read, from: &Read) -> bool {
    let before = (into.sensitivity, into.is_many, into.is_untrusted, into.is_harmless, into.is_public);
    into.is_public &= from.is_public || from.is_harmless;
    if into.sensitivity < from.sensitivity {
        (into.sensitivity, into.is_public) = (from.sensitivity, false);
        into.words.clone_from(&from.words);
    }
    into.is_many |= from.is_many;
    into.is_untrusted |= from.is_untrusted;
    into.is_harmless &= from.is_harmless;
    before != (into.sensitivity, into.is_many, into.is_untrusted, into.is_harmless, into.is_public)
}

/// Something of which nothing is known but what people say of it.
fn nothing(kind: OriginKind, words: String) -> Read {
    Read {
        kind,
        sensitivity: None,
        is_harmless: false,
        is_public: false,
        is_many: false,
        is_unfiltered: false,
        is_untrusted: false,
        is_of_variables: false,
        words,
    }
}

/// Returns true if and only if a tool tells how the person is reached for whom the script runs, and nothing else: `get_self_email`.
pub fn is_contact_of_oneself(tool: &str) -> bool {
    let name = words(split_owner(tool).1);
    let is_contact = |word: &str| category(&[word.to_owned()]) == Some(Sensitivity::Contact);
    // `list_my_emails` reads a mailbox.
    let is_one = |last: &String| is_contact(last) && !last.strip_suffix('s').is_some_and(is_contact);
    name.last().is_some_and(is_one) && Tag::Oneself.has_any(name.iter())
}

/// Returns true if and only if the call from which something is read says which one is meant.
pub fn is_asked_for(subject: &Subject, origin: &Origin) -> bool {
    let mut is_told = false;
    let call = origin.call.and_then(CallRef::tool).and_then(|index| subject.calls.get(index));
    let mut look = |_: &str, value: &Value| is_told |= !matches!(value, Value::Object(..) | Value::Missing | Value::Null(_));
    call.into_iter().for_each(|call| call.argument.visit("", &mut look));
    is_told
}

/// The start of the addresses of what comes packed with an extension.
const PACKAGED: &str = "chrome-extension://own/";

fn read(subject: &Subject, origin: &Origin, filled: &Filled<'_>, house: &House) -> Read {
    let plain = nothing(origin.kind, format!("what `{}` returns", origin.name));
    let detail = origin.detail.clone().or_else(|| first_argument(subject, origin));
    let detail = detail.as_deref();
    if detail.is_some_and(only_counts) {
        return Read { is_harmless: true, words: format!("a count read by `{}`", origin.name), ..plain };
    }
    match origin.kind {
        // A tool that tells an address reads no mail, whatever its name says.
        OriginKind::Tool if is_contact_of_oneself(&origin.name) && !is_asked_for(subject, origin) => {
            Read { sensitivity: Some(Sensitivity::Contact), words: format!("the own address, told by `{}`", origin.name), ..plain }
        }
        OriginKind::Tool => {
            let read = setting_read(subject, origin, &plain).unwrap_or_else(|| tool_read(subject, origin, house, plain));
            match filled.of_archive(&origin.name) {
                Some(kind) if read.sensitivity < Some(kind) || read.is_harmless => {
                    Read { sensitivity: Some(kind), is_harmless: false, is_public: false, ..read }
                }
                _ => read,
            }
        }
        OriginKind::Environment => environment_read(origin, plain),
        OriginKind::File => {
            let named = |path: &str| if is_made_to_be_seen(path) { None } else { text_sensitivity(path) };
            let sensitivity = detail.and_then(|path| named(path).max(filled.of_file(path)));
            let words = detail.map_or(format!("a file read by `{}`", origin.name), |path| format!("`{}`", short(path)));
            let is_structured = |path: &str| list("endings-of-settings").iter().any(|end| path.ends_with(end));
            let is_of_variables = detail.is_some_and(|path| is_environment_file(path) && !is_structured(path));
            Read { sensitivity, is_public: sensitivity.is_none() && detail.is_some_and(is_public_path), is_of_variables, words, ..plain }
        }
        OriginKind::Network => {
            let words = format!("an answer from {}", place(origin));
            // What comes packed with an extension was looked at with it.
            if detail.is_some_and(|url| url.starts_with(PACKAGED)) {
                return Read { is_public: true, ..plain };
            }
            match detail.and_then(|url| inside_sensitivity(url, house)) {
                Some(sensitivity) => {
                    Read { sensitivity: Some(sensitivity), is_untrusted: detail.is_some_and(is_of_strangers), words, ..plain }
                }
                None => {
                    let sensitivity = detail.and_then(|url| signed_in_sensitivity(subject, origin, url));
                    Read { sensitivity, is_public: sensitivity.is_none(), is_untrusted: true, words, ..plain }
                }
            }
        }
        OriginKind::Incoming => {
            let words = if origin.name.starts_with("what ") { origin.name.clone() } else { format!("what {} brings", origin.name) };
            Read { is_public: true, is_untrusted: true, words, ..plain }
        }
        OriginKind::Storage => {
            let is_harmless = is_plain_entry(subject, origin);
            let sensitivity = (!is_harmless).then_some(Sensitivity::Authentication);
            Read { sensitivity, is_harmless, words: format!("what is stored behind `{}`", origin.name), ..plain }
        }
        OriginKind::Clipboard => Read { sensitivity: Some(Sensitivity::Personal), words: "the clipboard".to_owned(), ..plain },
        OriginKind::UserInput => Read { is_harmless: true, words: "what the user typed".to_owned(), ..plain },
        OriginKind::Process => {
            let command = command_of(subject, origin).or_else(|| detail.map(str::to_owned));
            let is_plain = command.as_deref().is_some_and(is_plain_command);
            let sensitivity = command.as_deref().filter(|_| !is_plain).and_then(command_sensitivity);
            Read {
                is_harmless: is_plain,
                sensitivity,
                words: detail.map_or(plain.words.clone(), |command| format!("the output of `{}`", short(command))),
                ..plain
            }
        }
        OriginKind::Page => page_read(subject, origin, plain),
        OriginKind::Program => {
            // What lets somebody in is asked for by its own name where it is used.
            let sensitivity = match detail {
                Some(key) => category(&words(key)),
                None => named_sensitivity(&origin.name).filter(|kind| *kind != Sensitivity::Authentication),
            };
            Read { sensitivity, is_harmless: sensitivity.is_none(), ..plain }
        }
        OriginKind::System => {
            Read { sensitivity: Some(Sensitivity::Internal), words: format!("what `{}` tells of the machine", origin.name), ..plain }
        }
    }
}

/// What a page shows or is filled in with. A script that is a guest in pages has no part in it; to the page's own scripts it
/// was given, but for what is taken of every key and every request.
fn page_read(subject: &Subject, origin: &Origin, plain: Read) -> Read {
    let is_guest = is_guest(&subject.signs);
    let is_of_all = words(&origin.name).first().is_some_and(|first| first == "every");
    let told = origin.detail.as_deref().map_or_else(|| named_sensitivity(&origin.name), |detail| category(&words(detail)));
    // To tell a page how to be reached is what forms are for.
    let sensitivity = told.filter(|kind| is_guest || is_of_all || origin.detail.is_some() && *kind != Sensitivity::Contact);
    let is_harmless = sensitivity.is_none() && !is_guest;
    Read { sensitivity, is_harmless, words: format!("{}{}", origin.name, chosen(origin)), ..plain }
}

/// How a part of a page was chosen.
fn chosen(origin: &Origin) -> String {
    origin.detail.as_deref().map_or(String::new(), |detail| format!(" `{}`", short(detail)))
}

/// What is read of a page at the ends of flows into a request: whoever hands on what a page asks for reads its answers.
fn asked_by_page(subject: &Subject, flow: &Flow) -> bool {
    let is_of_page = subject.origins.get(flow.origin).is_some_and(|origin| origin.kind == OriginKind::Page);
    is_of_page && flow.argument.starts_with('0') && matches!(flow.sink, CallRef::Host(_))
}

/// What a program is set up with, one by its name or all of it: as secret as a variable of that name.
fn setting_read(subject: &Subject, origin: &Origin, plain: &Read) -> Option<Read> {
    let (owner, method) = split_owner(&origin.name);
    let is_kept = Tag::SettingsKeeper.has(owner)
        && words(method).first().is_some_and(|verb| verb == "get")
        && words(method).last().is_some_and(|last| last.starts_with("propert"));
    let call = origin.call.and_then(CallRef::tool).filter(|_| is_kept).and_then(|index| subject.calls.get(index))?;
    let mut name = None;
    call.argument.visit("", &mut |_, value| {
        match value {
            Value::String(text, _) => name = Some(text.clone()),
            // `room.…` is one of a family, whichever.
            Value::Partial(text, _) => {
                let says_secret = |begin: &str| words(begin).iter().any(|word| list("prefixes-of-secrets").contains(&word.as_str()));
                let family = text.split(HOLE).next().filter(|begin| begin.ends_with(['.', ':', '/', '_']) && 3 < begin.len());
                let family = family.filter(|begin| !says_secret(begin));
                name = name.take().or(family.map(|begin| format!("{begin}…")));
            }
            _ => {}
        }
    });
    let is_one = is_one_setting(subject, origin);
    let is_secret = name.as_deref().is_none_or(|name| is_secret_variable(Some(name)));
    // One by its name is as a variable of the environment; all of them are what a tool tells.
    let kind = if name.is_some() || is_one { OriginKind::Environment } else { plain.kind };
    let open = if is_one { "any of the settings" } else { "all settings" };
    Some(Read {
        kind,
        sensitivity: is_secret.then_some(Sensitivity::Authentication),
        is_harmless: !is_secret,
        is_many: name.is_none() && !is_one,
        words: name.map_or(open.to_owned(), |name| format!("the setting `{name}`")),
        ..plain.clone()
    })
}

/// The host call whose result an origin is.
fn host_call<'s>(subject: &'s Subject, origin: &Origin) -> Option<&'s HostCall> {
    match origin.call {
        Some(CallRef::Host(index)) => subject.host_calls.get(index),
        Some(CallRef::Tool(_)) | None => None,
    }
}

/// What is read, where only parts of it are known.
/// What kind of data a service elsewhere shows to whoever signs in, by the words of the address: `…/v1/patients`.
fn signed_in_sensitivity(subject: &Subject, origin: &Origin, url: &str) -> Option<Sensitivity> {
    let call = host_call(subject, origin)?;
    let (mut signs_in, mut is_vault) = (false, false);
    for argument in &call.arguments {
        argument.visit_properties(&mut |property| signs_in |= Tag::EntranceKey.has(&joined(&property.key)));
    }
    // What a client was made with is shown by each of its calls.
    for argument in call.arguments.iter().chain(&call.receiver) {
        argument.visit_properties(&mut |property| {
            let key = joined(&property.key);
            is_vault |= list("vault-headers").contains(&key.as_str());
        });
    }
    if is_vault {
        return Some(Sensitivity::Authentication);
    }
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (_, asked) = rest.split_once('/').filter(|_| signs_in)?;
    text_sensitivity(asked).filter(|kind| Sensitivity::Internal < *kind)
}

fn first_argument(subject: &Subject, origin: &Origin) -> Option<String> {
    let first = host_call(subject, origin)?.arguments.first()?;
    // A file may be named by an address: `new URL('./queries/all.gql', import.meta.url)`.
    let href = |value: &Value| match value {
        Value::Object(properties, _) => properties.iter().find(|property| property.key == "href").map(|property| property.value.clone()),
        _ => None,
    };
    let address = choices(first).into_iter().find_map(href);
    command_words(address.as_ref().unwrap_or(first)).into_iter().next().filter(|text| text.chars().any(|character| character != HOLE))
}

/// A command with all its words.
pub fn command_of(subject: &Subject, origin: &Origin) -> Option<String> {
    let call = host_call(subject, origin)?;
    let mut texts = Vec::new();
    for argument in call.arguments.iter().take(2) {
        argument.visit("", &mut |_, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                texts.push(text.as_str());
            }
        });
    }
    Some(texts.join(" "))
}

/// Returns true if and only if one entry of a page's store is read whose name tells that nobody gets in by it: `theme`, `flow_type`.
fn is_plain_entry(subject: &Subject, origin: &Origin) -> bool {
    let first = host_call(subject, origin).and_then(|call| call.arguments.first());
    let Some(Value::String(key, _)) = first.filter(|_| origin.name.ends_with(".getItem")) else { return false };
    let all = words(key);
    // How something stands (`app_state`) may be all that a page knows.
    let tells_nothing = |word: &String| (Tag::HarmlessField.has(word) || Tag::OwnSetting.has(word)) && !Tag::Polled.has(word);
    all.last().is_some_and(tells_nothing) && !is_secret_variable(Some(key)) && named_sensitivity(key).is_none()
}

/// Returns true if and only if what is read is what the commits of the project say of themselves, not what they change.
pub fn is_history(subject: &Subject, origin: &Origin) -> bool {
    if origin.kind != OriginKind::Process {
        return false;
    }
    let command = command_of(subject, origin).or_else(|| origin.detail.clone()).unwrap_or_default();
    let tells = Tag::HistoryCommand.words().any(|start| command.trim().starts_with(start));
    let shows = |word: &str| Tag::ChangesOption.has(word);
    tells && !command.contains(['|', ';', '&', '`']) && !command.split_whitespace().any(shows)
}

/// Returns true if and only if one setting is read whose name is not known: `getProperty(name)`.
fn is_one_setting(subject: &Subject, origin: &Origin) -> bool {
    let call = origin.call.and_then(CallRef::tool).and_then(|index| subject.calls.get(index));
    let mut named = None;
    if let Some(call) = call.filter(|_| Tag::SettingsKeeper.has(split_owner(&origin.name).0)) {
        call.argument.visit_properties(&mut |property| named = Some(&property.value));
    }
    matches!(named, Some(Value::Dynamic(_) | Value::Partial(..)))
}

/// Returns true if and only if one entry is read whose name is not known: a variable of the environment, a setting.
pub fn is_one_entry(subject: &Subject, origin: &Origin) -> bool {
    is_one_variable(origin) || is_one_setting(subject, origin)
}

/// Returns true if and only if one variable of the environment is read whose name is not known.
pub fn is_one_variable(origin: &Origin) -> bool {
    origin.kind == OriginKind::Environment && origin.name.ends_with("[]")
}

fn environment_read(origin: &Origin, plain: Read) -> Read {
    let name = origin.detail.as_deref().or_else(|| origin.name.strip_prefix("process.env.")).filter(|name| !name.is_empty());
    let is_secret = is_secret_variable(name);
    Read {
        sensitivity: is_secret.then_some(Sensitivity::Authentication),
        is_harmless: !is_secret,
        is_many: name.is_none(),
        words: name
            .map_or(if is_one_variable(origin) { "any variable of the environment" } else { "the whole environment" }.to_owned(), |name| {
                format!("the environment variable `{}`", name.trim_start_matches("process.env."))
            }),
        ..plain
    }
}

fn place(origin: &Origin) -> String {
    origin.detail.as_deref().map_or(format!("`{}`", origin.name), short)
}

/// A text of at most 60 characters.
fn short(text: &str) -> String {
    let is_long = 60 < text.chars().count();
    let text: String = text.chars().take(60).map(|character| if character.is_control() { '…' } else { character }).collect();
    if is_long { format!("{text}…") } else { text }
}
