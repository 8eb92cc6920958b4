//! What is handed to code that a script has run elsewhere: in a context, a worker, a process.

use crate::format::script::interpret::{Interpretation, OuterName};
use crate::knowledge::SinkKind;
use crate::knowledge::api::api;
use crate::subject::flow::{CallRef, OriginKind, Strength};

use crate::value::span::Span;

/// Where code finds what it is handed as a whole.
const PLACES: &[&str] = &["process.argv", "process.env", "worker_threads.workerData", "worker_threads.parentPort"];

/// The names by which code that is run by a call finds the data that the call is handed.
pub fn names(found: &Interpretation, span: Span) -> Vec<OuterName> {
    let runs = |index: &usize| {
        found.host_calls.get(*index).is_some_and(|call| {
            let sink = api(&call.api).and_then(|api| api.sink);
            call.span == span && matches!(sink, Some(SinkKind::Code | SinkKind::Command))
        })
    };
    let calls: Vec<CallRef> = (0..found.host_calls.len()).filter(runs).map(CallRef::Host).collect();
    let mut names: Vec<OuterName> = Vec::new();
    for flow in found.flows.iter().filter(|flow| Strength::Bit < flow.strength && calls.contains(&flow.sink)) {
        let Ok(origin) = u32::try_from(flow.origin) else { continue };
        let label = (origin, flow.field.clone(), flow.strength);
        // All of the environment is what the code reads by itself, name by name.
        let is_environment = found.origins.get(flow.origin).is_some_and(|origin| origin.kind == OriginKind::Environment);
        for name in names_of(&flow.argument).into_iter().filter(|name| !is_environment || name != "process.env") {
            match names.iter_mut().find(|known| known.name == name) {
                Some(known) if known.labels.contains(&label) => {}
                Some(known) => known.labels.push(label.clone()),
                None => names.push(OuterName { name, labels: vec![label.clone()], text: None }),
            }
        }
    }
    names
}

/// The names of what stands at a place of a call's arguments: `1.env.KEY` is `process.env.KEY`.
fn names_of(argument: &str) -> Vec<String> {
    let keys: Vec<&str> = argument.split('.').skip_while(|key| *key == "this").skip(1).collect();
    let is_place = |key: &&str| key.bytes().all(|byte| byte.is_ascii_digit()) || matches!(*key, "[]" | "...");
    match keys.as_slice() {
        [] => PLACES.iter().map(ToString::to_string).collect(),
        ["env", name, ..] if !is_place(name) => vec![format!("process.env.{name}")],
        ["env", ..] => vec!["process.env".to_owned()],
        ["argv", ..] => vec!["process.argv".to_owned()],
        [first, ..] if is_place(first) => vec!["process.argv".to_owned()],
        ["input" | "stdin", ..] => vec!["process.stdin".to_owned()],
        ["workerData", ..] => vec!["worker_threads.workerData".to_owned()],
        // The fields of a context are names in it.
        keys => keys.iter().filter(|key| !is_place(key)).map(ToString::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_has_the_name_by_which_code_finds_it() {
        for (argument, expected) in [
            ("0.v", vec!["v"]),
            ("1.sandbox.key", vec!["sandbox", "key"]),
            ("1.2", vec!["process.argv"]),
            ("2.input", vec!["process.stdin"]),
            ("2.env.API_KEY", vec!["process.env.API_KEY"]),
            ("1.workerData.key", vec!["worker_threads.workerData"]),
            ("1", PLACES.to_vec()),
        ] {
            assert_eq!(names_of(argument), expected, "{argument}");
        }
    }
}
