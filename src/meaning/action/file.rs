//! What calls of host APIs do to files: what they delete, and what they write over.

use crate::knowledge::effect::{Effect, EffectKind, Extent};
use crate::knowledge::words::Tag;
use crate::meaning::argument::{choices, is_yes, text};
use crate::meaning::path::{Reach, reach};
use crate::subject::Subject;
use crate::subject::call::{HostCall, Value};
use crate::subject::flow::{CallRef, Flow, OriginKind, Strength};
use crate::subject::segment::HOLE;

/// Owners of functions that work on files.
const OWNERS: &[&str] = &["fs", "fs.promises", "fs-extra", "Deno", "fsExtra", ""];

/// What a host call deletes, by its path.
pub fn effect(subject: &Subject, index: usize, call: &HostCall) -> Option<Effect> {
    let (owner, function) = call.api.rsplit_once('.').unwrap_or(("", &call.api));
    if !OWNERS.contains(&owner) {
        return None;
    }
    let home = at_home(subject, index, call);
    of_path(function, home.as_ref().or(call.arguments.first())?, call.arguments.get(1))
}

fn of_path(function: &str, path: &Value, options: Option<&Value>) -> Option<Effect> {
    let is_whole = matches!(function, "remove" | "removeSync" | "emptyDir" | "emptyDirSync" | "rimraf" | "rimrafSync");
    let mut is_recursive = is_whole;
    if let Some(options) = options {
        options.visit_properties(&mut |property| is_recursive |= property.key == "recursive" && is_yes(&property.value));
    }
    if matches!(function, "unlink" | "unlinkSync" | "rm" | "rmSync" | "truncate" | "truncateSync") && !is_recursive {
        let is_system =
            choices(path).into_iter().filter_map(text).any(|path| reach(path, None) == Reach::System && !path.starts_with("/dev/"));
        return is_system.then(|| deletes("a file of the system", Reach::System, Extent::One));
    }
    let removes = is_whole || matches!(function, "rm" | "rmSync" | "rmdir" | "rmdirSync");
    if !removes || !is_recursive {
        return None;
    }
    let reaches = choices(path).into_iter().filter_map(|path| match path {
        Value::Dynamic(_) => Some(Reach::Unknown),
        path => text(path).map(|path| reach(path, None)),
    });
    let furthest = reaches.max()?;
    // Where a program keeps its own files, only it knows.
    (furthest != Reach::Unknown).then(|| deletes(furthest.name(), furthest, Extent::All))
}

fn deletes(what: &str, reach: Reach, extent: Extent) -> Effect {
    Effect { reach: Some(reach), ..Effect::new(EffectKind::Delete, "files", format!("deletes {what}")).to(extent) }
}

/// The path of a call that begins in the home folder which the host told, with that written out.
fn at_home(subject: &Subject, index: usize, call: &HostCall) -> Option<Value> {
    let is_home = subject.flows.iter().any(|flow| {
        let is_here = flow.sink == CallRef::Host(index) && flow.argument == "0" && flow.strength == Strength::Whole;
        is_here && subject.origins.get(flow.origin).is_some_and(|origin| origin.name == "os.homedir")
    });
    let Some(Value::Partial(path, span)) = call.arguments.first() else { return None };
    let rest = path.strip_prefix(HOLE).filter(|_| is_home)?;
    Some(Value::String(format!("~{rest}"), *span))
}

/// What writing over or removing each file does of a folder that holds what people made.
pub fn over_files(subject: &Subject, index: usize, call: &HostCall) -> Option<Effect> {
    let function = call.api.strip_prefix("fs.")?.trim_start_matches("promises.");
    let flows = || subject.flows.iter().filter(|flow| flow.sink == CallRef::Host(index) && flow.strength == Strength::Whole);
    let from = |flow: &Flow| subject.origins.get(flow.origin);
    let (listed, origin) = flows().filter(|flow| flow.argument == "0" && flow.field.contains("[]")).find_map(|flow| {
        let origin = from(flow)?;
        let folder = origin.detail.as_deref()?.to_lowercase();
        let is_listing = Tag::ListingFunction.words().any(|lister| origin.name.rsplit('.').next() == Some(lister));
        let is_shared =
            Tag::SharedFolder.words().any(|start| format!("{folder}/").starts_with(start)) && reach(&folder, None) != Reach::Disposable;
        (is_listing && is_shared).then_some((flow.origin, origin))
    })?;
    let where_to = format!("of `{}`", origin.detail.as_deref().unwrap_or_default());
    let renames = subject.flows.iter().any(|flow| {
        let CallRef::Host(other) = flow.sink else { return false };
        let api = subject.host_calls.get(other).map_or("", |call| call.api.as_str());
        flow.origin == listed && flow.argument == "1" && api.contains("rename")
    });
    let keeps = flows().any(|flow| flow.argument == "1" && from(flow).is_some_and(|origin| origin.kind == OriginKind::File));
    let in_place = |value: &Value| matches!(value, Value::Partial(path, _) if path.ends_with(HOLE));
    let is_in_place = choices(call.arguments.first()?).into_iter().any(in_place);
    let each = |object: &str, says: &str| Some(Effect::new(EffectKind::Delete, object, format!("{says} {where_to}")).to(Extent::All));
    match function {
        "writeFile" | "writeFileSync" if is_in_place && (!keeps || renames) => each("each-written", "writes over each file"),
        "unlink" | "unlinkSync" | "rm" | "rmSync" if is_in_place => each("each-file", "deletes each file"),
        _ => None,
    }
}
