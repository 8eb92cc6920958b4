//! What was found and does not count, with the reason, and what is the matter with acceptances.

use serde_json::{Map, Value, json};

use crate::accept::acceptance::{Acceptance, Remark};
use crate::finding::accepted::Accepted;
use crate::finding::{Problem, Report};
use crate::report::json::matched::{match_value, undetermined_value};

/// Puts what was accepted in a subject under `accepted`, if anything was.
pub fn put(accepted: &Accepted, object: &mut Map<String, Value>) {
    let matches = accepted.matches.iter().map(|(found, acceptance)| with(match_value(found), acceptance));
    let undetermined = accepted.undetermined.iter().map(|(place, acceptance)| {
        with(json!({ "undetermined": undetermined_value(place.reason.name(), &place.detail, place.position) }), acceptance)
    });
    let opinion = accepted.opinion.iter().map(|(rule, acceptance)| with(json!({ "rule": rule }), acceptance));
    let all: Vec<Value> = matches.chain(undetermined).chain(opinion).collect();
    if !all.is_empty() {
        object.insert("accepted".to_owned(), all.into());
    }
}

/// The same of a source that could not be judged at all.
pub fn put_problem(problem: &Problem, object: &mut Map<String, Value>) {
    if let Some(acceptance) = &problem.accepted {
        let what = json!({ "undetermined": undetermined_value(problem.reason.name(), &problem.detail, None) });
        object.insert("accepted".to_owned(), Value::Array(vec![with(what, acceptance)]));
    }
}

/// What is the matter with acceptances.
pub fn remarks(report: &Report) -> Vec<Value> {
    let value = |Remark { place, kind, detail }: &Remark| json!({ "place": place, "kind": kind.name(), "detail": detail });
    report.remarks().into_iter().map(value).collect()
}

fn with(mut what: Value, acceptance: &Acceptance) -> Value {
    let Acceptance { basis, reason, owner, expires, place } = acceptance;
    if let Some(object) = what.as_object_mut() {
        let acceptance = json!({ "basis": basis.name(), "reason": reason, "owner": owner, "expires": expires, "place": place });
        object.insert("acceptance".to_owned(), acceptance);
    }
    what
}
