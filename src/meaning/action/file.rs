//! What calls of host APIs do to files: what they delete, what they write over, and whom they let at them.

use crate::knowledge::api::{SinkKind, api};
use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind, Extent};
use crate::knowledge::threat::locks;
use crate::knowledge::tool::tool;
use crate::knowledge::words::Tag;
use crate::meaning::argument::{choices, is_yes, text, texts};
use crate::meaning::passage::Ends;
use crate::meaning::path::{Reach, reach};
use crate::subject::Subject;
use crate::subject::call::{Call, HostCall, Value};
use crate::subject::flow::{CallRef, Flow, Origin, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::words::{joined, words};

/// What a host call does to the files that its path names.
pub fn effect(subject: &Subject, index: usize, call: &HostCall) -> Option<Effect> {
    let function = call.api.rsplit('.').next().unwrap_or(&call.api).trim_end_matches("Sync");
    // A shell's function takes its options first.
    let is_option = |first: &&Value| text(first).is_some_and(|first| first.starts_with('-'));
    let path = call.arguments.iter().find(|argument| !is_option(argument))?;
    match api(&call.api)?.sink? {
        SinkKind::Delete => {
            traces(path).or_else(|| of_unset(subject, index, call)).or_else(|| of_path(function, path, call.arguments.get(1)))
        }
        SinkKind::FileWrite if function == "chmod" => opened(subject, index, path, call.arguments.get(1)?),
        SinkKind::FileWrite if function == "writeFile" && call.arguments.get(1).is_some_and(is_empty) => traces(path),
        _ => None,
    }
}

/// Takes away or empties what keeps the traces of what was done.
fn traces(path: &Value) -> Option<Effect> {
    let is_trace = |path: &str| {
        let path = format!("/{}", path.replace('\\', "/").to_lowercase());
        Tag::TracePath.words().any(|end| path.ends_with(end))
    };
    let found = texts(path).into_iter().any(|path| is_trace(path.text));
    found.then(|| Effect::new(EffectKind::GuardOff, "history", "wipes the traces of what was done"))
}

fn is_empty(content: &Value) -> bool {
    matches!(content, Value::String(text, _) if text.is_empty())
}

/// A path that is the root of everything as soon as its variable is empty.
fn of_unset(subject: &Subject, index: usize, call: &HostCall) -> Option<Effect> {
    let Value::Partial(path, _) = call.arguments.first()? else { return None };
    let is_bare = path.strip_prefix(HOLE).is_some_and(|rest| rest.starts_with('/') && rest.trim_matches(['/', '*']).is_empty());
    let is_whole = api(&call.api).is_some() && recurses(&call.api, call.arguments.get(1));
    let is_set_elsewhere = || into(subject, index).any(|origin| origin.kind == OriginKind::Environment);
    (is_bare && is_whole && is_set_elsewhere()).then(|| deletes("everything where its variable is empty", Reach::Root, Extent::All))
}

/// Where programs lie that are none of the system's own.
const ADDED: &str = "/usr/local/";

/// Returns true if and only if a function deletes what lies below its path, by itself or because it is told to.
fn recurses(function: &str, options: Option<&Value>) -> bool {
    let name = function.rsplit('.').next().unwrap_or(function).trim_end_matches("Sync");
    let mut told = false;
    if let Some(options) = options {
        options.visit_properties(&mut |property| told |= property.key == "recursive" && is_yes(&property.value));
    }
    told || !matches!(name, "unlink" | "rm" | "rmdir" | "truncate" | "trash")
}

fn of_path(function: &str, path: &Value, options: Option<&Value>) -> Option<Effect> {
    if function == "trash" {
        return None;
    }
    if !recurses(function, options) {
        // What somebody installed beside the system lies in `/usr/local`.
        let is_of_system = |path: &str| reach(path, None) == Reach::System && !path.starts_with("/dev/") && !path.starts_with(ADDED);
        let is_system = choices(path).into_iter().filter_map(text).any(is_of_system);
        let removes = matches!(function, "unlink" | "rm" | "truncate");
        return (is_system && removes).then(|| deletes("a file of the system", Reach::System, Extent::One));
    }
    let named = texts(path).into_iter().filter(|path| !path.text.starts_with('!'));
    let furthest = named.map(|path| reach(path.text, None)).max()?;
    // Where a program keeps its own files, only it knows.
    (furthest != Reach::Unknown).then(|| deletes(furthest.name(), furthest, Extent::All))
}

fn deletes(what: &str, reach: Reach, extent: Extent) -> Effect {
    Effect { reach: Some(reach), ..Effect::new(EffectKind::Delete, "files", format!("deletes {what}")).to(extent) }
}

/// Lets everybody write what a path names: the system's, or each file of a folder.
fn opened(subject: &Subject, index: usize, path: &Value, mode: &Value) -> Option<Effect> {
    let is_open = choices(mode).into_iter().any(|mode| match mode {
        Value::Number(mode, _) => (*mode - 511.0).abs() < 0.5 || (*mode - 438.0).abs() < 0.5,
        mode => text(mode).is_some_and(|mode| matches!(mode, "777" | "0777" | "0o777" | "a+rwx" | "666" | "0666")),
    });
    if !is_open {
        return None;
    }
    let named = texts(path).into_iter().map(|path| reach(path.text, None)).filter(|reach| Reach::Data <= *reach).max();
    let listed = || into(subject, index).filter(|origin| is_listing(origin)).find_map(|origin| origin.detail.as_deref());
    let furthest = named.or_else(|| listed().map(|folder| reach(folder, None)).filter(|reach| *reach != Reach::Disposable))?;
    let says = "lets everybody write, in a place that is not for everybody";
    Some(Effect { reach: Some(furthest), ..Effect::new(EffectKind::Grant, "files-open", says).to(Extent::Many) })
}

/// What flows whole into the path of a host call.
fn into(subject: &Subject, index: usize) -> impl Iterator<Item = &Origin> {
    let is_here = move |flow: &&Flow| flow.sink == CallRef::Host(index) && flow.argument == "0" && flow.strength == Strength::Whole;
    subject.flows.iter().filter(is_here).filter_map(|flow| subject.origins.get(flow.origin))
}

/// Returns true if and only if an origin lists the files of a folder.
fn is_listing(origin: &Origin) -> bool {
    let last = origin.name.rsplit('.').next();
    origin.kind == OriginKind::File && Tag::ListingFunction.words().any(|lister| last == Some(lister))
}

/// The folder of which an origin lists the files, and whether also those of the folders below it are listed.
fn listed_folder(subject: &Subject, origin: &Origin) -> Option<(String, bool)> {
    let call = match origin.call {
        Some(CallRef::Host(index)) => subject.host_calls.get(index),
        _ => None,
    };
    let (mut folder, mut is_deep) = (None, false);
    for argument in call.into_iter().flat_map(|call| call.arguments.iter().chain(&call.receiver)) {
        argument.visit("", &mut |key, value| match value {
            Value::String(text, _) | Value::Partial(text, _) if key == "cwd" => folder = Some(text.clone()),
            Value::String(text, _) | Value::Partial(text, _) => is_deep |= text.contains("**"),
            Value::Boolean(yes, _) => is_deep |= *yes && key == "recursive",
            _ => {}
        });
    }
    is_deep |= origin.name.contains("walk");
    let named = || origin.detail.as_deref().map(|detail| detail.split(['*', '{']).next().unwrap_or(detail).to_owned());
    let folder = folder.or_else(named).filter(|folder| !folder.is_empty())?;
    Some((folder, is_deep))
}

/// Returns true if and only if only files are listed that are made to go: `worker-*.log`.
fn lists_leftovers(subject: &Subject, origin: &Origin) -> bool {
    let call = match origin.call {
        Some(CallRef::Host(index)) => subject.host_calls.get(index),
        _ => None,
    };
    let ends = |pattern: &str| {
        let name = pattern.rsplit('/').next().unwrap_or(pattern);
        name.contains('*') && name.rsplit_once('.').is_some_and(|(_, end)| list("leftover-endings").contains(&end))
    };
    call.into_iter().flat_map(|call| call.arguments.iter().chain(&call.receiver)).flat_map(texts).any(|text| ends(text.text))
}

/// What writing over or removing each file does of a folder that holds what people made.
pub fn over_files(subject: &Subject, ends: &Ends, index: usize, call: &HostCall) -> Option<Effect> {
    let sink = api(&call.api)?.sink?;
    let function = call.api.rsplit('.').next()?;
    let into = Ends::index(subject, CallRef::Host(index));
    let flows = || ends.flows_into(subject, into).filter(|flow| flow.strength == Strength::Whole);
    let from = |flow: &Flow| subject.origins.get(flow.origin);
    let (listed, folder, is_deep) = flows().filter(|flow| flow.argument == "0" && flow.field.contains("[]")).find_map(|flow| {
        let origin = from(flow).filter(|origin| is_listing(origin))?;
        let (folder, is_deep) =
            listed_folder(subject, origin).filter(|(folder, _)| folder.starts_with("/var/log") || !lists_leftovers(subject, origin))?;
        let lower = folder.to_lowercase();
        let is_shared =
            Tag::SharedFolder.words().any(|start| format!("{lower}/").starts_with(start)) && reach(&lower, None) != Reach::Disposable;
        is_shared.then_some((flow.origin, folder, is_deep))
    })?;
    let where_to = format!("of `{folder}`");
    // All below the folder of a person or of the system, not one folder of it.
    let is_deep = is_deep || sink == SinkKind::Delete && recurses(&call.api, call.arguments.get(1));
    let is_of_person = ["/home/", "/Users/"].iter().any(|people| folder.starts_with(people));
    let depth = folder.trim_end_matches('/').matches('/').count();
    let is_whole = is_deep && Reach::Home <= reach(&folder, None) && depth < if is_of_person { 3 } else { 2 };
    let renames = hosts_over(subject, listed, "1").any(|call| call.api.contains("rename"));
    let keeps = flows().any(|flow| flow.argument == "1" && from(flow).is_some_and(|origin| origin.kind == OriginKind::File));
    let is_in_place = choices(call.arguments.first()?).into_iter().any(is_in_place);
    let each = |object: &str, says: &str| Some(Effect::new(EffectKind::Delete, object, format!("{says} {where_to}")).to(Extent::All));
    match (sink, function) {
        (SinkKind::FileWrite, "writeFile" | "writeFileSync" | "writeTextFile" | "writeTextFileSync")
            if is_in_place && (!keeps || renames || locks(&subject.signs)) =>
        {
            each("each-written", if keeps { "leaves a ciphertext in place of each file" } else { "writes over each file" })
        }
        (SinkKind::Delete, "truncate" | "truncateSync") => None,
        // What is left of each file is another that stands beside it under its name: locked away, not packed.
        (SinkKind::Delete, _) if is_in_place && hosts_over(subject, listed, "0").any(is_locked) => {
            each("each-written", "leaves something else in place of each file")
        }
        (SinkKind::Delete, _) if is_in_place && is_whole => {
            Some(deletes(&format!("each file below `{folder}`"), reach(&folder, None), Extent::All))
        }
        // What was copied before is moved.
        (SinkKind::Delete, _) if is_in_place && hosts_over(subject, listed, "0").any(copies) => None,
        (SinkKind::Delete, _) if is_in_place => each("each-file", "deletes each file"),
        _ => None,
    }
}

/// What a tool does that writes the same into each file of a listing: what stood there is gone.
pub fn over_listed(subject: &Subject, ends: &Ends, index: usize, call: &Call) -> Option<Effect> {
    let name = call.tool.name().filter(|name| call.is_repeated() && tool(name).does(SinkKind::FileWrite))?;
    let last = |argument: &str| joined(argument.rsplit('.').find(|key| *key != "[]" && !key.is_empty()).unwrap_or_default());
    let flows = || ends.flows_into(subject, index).filter(|flow| flow.strength == Strength::Whole);
    let listing = |flow: &Flow| {
        let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Tool)?;
        let read = words(&origin.name);
        (flow.field.contains("[]") && Tag::FileStore.has_any(&read) && !is_disposable(origin)).then_some(origin)
    };
    let mut listed = flows().filter(|flow| names_file(&last(&flow.argument))).filter_map(listing);
    listed.next()?;
    // What is read of a file, changed and written back is not gone.
    let is_filled = flows().any(|flow| Tag::FileTextKey.has(&last(&flow.argument)));
    let (mut is_named, mut is_written) = (false, false);
    call.argument.visit_properties(&mut |property| {
        let key = joined(&property.key);
        is_written |= Tag::FileTextKey.has(&key);
        is_named |= names_file(&key) && choices(&property.value).into_iter().any(is_in_place);
    });
    let adds = words(name).iter().any(|word| word == "append");
    let says = "writes the same over each file that is listed";
    (is_named && is_written && !is_filled && !adds)
        .then(|| Effect { because: format!("`{name}`"), ..Effect::new(EffectKind::Delete, "each-written", says).to(Extent::All) })
}

fn names_file(key: &str) -> bool {
    list("path-keys").contains(&key)
}

/// Returns true if and only if what a listing lists is made anew when it is needed.
fn is_disposable(origin: &Origin) -> bool {
    origin.detail.as_deref().is_some_and(|folder| reach(&folder.to_lowercase(), None) == Reach::Disposable)
}

/// Returns true if and only if a path is that of what was listed, not of something beside it under another end.
fn is_in_place(path: &Value) -> bool {
    match path {
        Value::Partial(path, _) => path.ends_with(HOLE),
        Value::Dynamic(_) => true,
        _ => false,
    }
}

/// Returns true if and only if a call makes a copy of a file, as it is.
fn copies(call: &HostCall) -> bool {
    call.api.rsplit('.').next().is_some_and(|function| list("copying-functions").contains(&function))
}

/// The calls of host APIs whose argument holds an element of a listing.
fn hosts_over<'s>(subject: &'s Subject, listed: usize, argument: &'s str) -> impl Iterator<Item = &'s HostCall> {
    let flows = subject.flows.iter().filter(move |flow| flow.origin == listed && flow.argument == argument);
    flows.filter_map(|flow| match flow.sink {
        CallRef::Host(other) => subject.host_calls.get(other),
        CallRef::Tool(_) => None,
    })
}

/// Returns true if and only if a call writes beside a file, under its name with an end that no packer gives.
fn is_locked(call: &HostCall) -> bool {
    let writes = api(&call.api).is_some_and(|api| api.sink == Some(SinkKind::FileWrite));
    let is_beside = |path: &Value| {
        let Value::Partial(path, _) = path else { return false };
        let end = path.rsplit(HOLE).next().unwrap_or_default();
        end.starts_with('.') && !end.contains('/') && !Tag::PackedEnding.words().any(|packed| end.ends_with(packed))
    };
    writes && call.arguments.first().is_some_and(|path| choices(path).into_iter().any(is_beside))
}
