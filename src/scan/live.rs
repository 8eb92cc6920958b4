//! Hits of patterns in texts of scripts that are not live: what is only compared, printed, tested or kept is no attack.
//! What is run, sent, written or returned is, and so is everything of which nobody can tell.

use crate::format::Language;
use crate::format::script::usage::{Asked, uses};
use crate::knowledge::SinkKind;
use crate::knowledge::api::api;
use crate::knowledge::row::term::{Handling, Use};
use crate::knowledge::usage::{at_most, of_function};
use crate::rule::{Match, Origin};
use crate::subject::call::Value;
use crate::subject::dialect::Dialect;
use crate::subject::segment::{Role, Segment};
use crate::subject::{Completeness, Kind, Subject};
use crate::value::limits::Limits;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// How many hits of one script are asked for.
const MOST: usize = 64;

/// Lowers the hits in texts that are used so that they are not live.
pub fn settle(matches: &mut [Match], subject: &Subject, text: &str, language: Language, limits: &Limits) {
    let is_whole = subject.kind == Kind::Script && subject.completeness == Completeness::Complete;
    let may_sink = |found: &&mut Match| {
        found.rule.origin == Origin::Pattern
            && found.asks()
            && !found.rule.secret
            && at_most(Use::Compared, &found.rule.category).is_some()
            && !is_handed_on(subject, text, found)
    };
    if !is_whole {
        return;
    }
    let mut found: Vec<&mut Match> = matches.iter_mut().filter(may_sink).take(MOST).collect();
    if found.is_empty() {
        return;
    }
    let asked: Vec<Asked> = found.iter().map(|found| Asked { span: found.span, is_folded: is_folded(subject, found) }).collect();
    // An agent's script is all that there is: what it defines its host runs.
    let is_library = subject.dialect != Dialect::AgentScript;
    for (found, used) in found.iter_mut().zip(uses(text, language, limits, &asked)) {
        let used = if used == Use::Offered && !is_library { Use::Live } else { used };
        if let Some(severity) = at_most(used, &found.rule.category).filter(|severity| *severity < found.severity) {
            found.severity = severity;
            found.action = if severity <= Severity::Low { Action::Log } else { found.action };
        }
    }
}

fn is_folded(subject: &Subject, found: &Match) -> bool {
    subject.segments.iter().any(|segment| segment.role == Role::Folded && segment.span == found.span)
}

/// Returns true if and only if a call that was followed is passed what a hit says, other than to show it.
fn is_handed_on(subject: &Subject, text: &str, found: &Match) -> bool {
    let holds = |segment: &&Segment| matches!(segment.role, Role::String | Role::Folded) && segment.span.contains(found.span);
    let piece = |segment: &Segment| match segment.decoded {
        Some(_) => segment.text(text).trim().to_owned(),
        None => found.span.slice(text).trim().to_owned(),
    };
    let pieces: Vec<String> = subject.segments.iter().filter(holds).map(piece).filter(|piece| !piece.is_empty()).collect();
    // A word in settings that are kept as JSON is run by nobody.
    let is_kept = |whole: &Value, said: &str, piece: &str| {
        (said.starts_with(['{', '[']) || matches!(whole, Value::Object(..) | Value::Array(..))) && !piece.contains(char::is_whitespace)
    };
    let says = |whole: &Value, is_file: bool| {
        let mut is_said = false;
        whole.visit("", &mut |_, value| {
            if let Value::String(said, _) | Value::Partial(said, _) = value {
                is_said |= pieces.iter().any(|piece| said.contains(piece.as_str()) && !(is_file && is_kept(whole, said, piece)));
            }
        });
        is_said
    };
    let shows = |api: &str| of_function(None, api) == Some(Handling::Prints);
    let writes = |path: &str| api(path).is_some_and(|api| api.sink == Some(SinkKind::FileWrite));
    let mut of_host = subject.host_calls.iter().filter(|call| !shows(&call.api));
    of_host.any(|call| call.arguments.iter().chain(&call.receiver).any(|value| says(value, writes(&call.api))))
        || subject.calls.iter().any(|call| says(&call.argument, false))
}
