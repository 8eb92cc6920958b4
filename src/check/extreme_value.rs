//! A number that is far larger than amounts are.

use crate::check::{Check, Context};
use crate::knowledge::command::list;
use crate::meaning::magnitude::is_timestamp;
use crate::rule::Match;
use crate::value::js_number::grouped;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::words;

/// A number above this is extreme (published table of the rule-based model).
pub const EXTREME: f64 = 1_000_000.0;

/// The check.
pub const CHECK: Check = Check {
    id: "extreme-value",
    category: "magnitude",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "An amount beyond a million is seldom meant: it overflows, overpays or exhausts something.",
    help: "Check the unit and the number of zeros, or split the amount.",
    hit: "await callTool('payments:prepare', { amount: 99000000 });\n",
    miss: "await callTool('payments:prepare', { amount: 990 });\nawait callTool('queue:add', { delay: 7200000 });\n",
    run,
};

/// A mebibyte; what is counted in them is room.
const MEBIBYTE: f64 = 1_048_576.0;
/// More room than this nobody means.
const ROOM: f64 = 4_294_967_296.0;

/// Returns true if and only if a number is one of bytes: so many mebibytes.
pub fn is_size(number: f64) -> bool {
    number % MEBIBYTE == 0.0 && number <= ROOM
}

/// More milliseconds than this are no time that anybody waits: 400 days.
const WAIT: f64 = 34_560_000_000.0;

/// Returns true if and only if a number says how long something takes, in milliseconds.
fn is_duration(key: &str, number: f64) -> bool {
    let named = words(key);
    number.abs() <= WAIT && named.iter().any(|word| list("duration-words").contains(&word.as_str()))
}

/// Returns true if and only if a number says how something looks or which switches are on, not how much of it there is.
fn is_no_amount(key: &str) -> bool {
    words(key).iter().any(|word| list("no-amounts").contains(&word.as_str()))
}

fn run(context: &Context<'_>) -> Vec<Match> {
    let copies = |call: usize| {
        let name = context.subject.calls.get(call).and_then(|call| call.tool.name()).map(words).unwrap_or_default();
        name.iter().any(|word| list("making-copies").contains(&word.as_str()))
    };
    let numbers = context.features.calls.iter().enumerate().flat_map(|(call, own)| own.numbers.iter().map(move |value| (call, value)));
    numbers
        .filter(|(_, value)| EXTREME < value.number.abs() && !is_timestamp(value.number) && !is_size(value.number))
        .filter(|(_, value)| !is_duration(&value.key, value.number) && !is_no_amount(&value.key))
        .map(|(call, value)| {
            let found = Match::new(context.rule, value.span).with_message(format!("`{}` is {}", value.key, grouped(value.number)));
            // What starts others, each of which starts others, has no end.
            let is_depth = words(&value.key).iter().any(|word| list("depths-of-copies").contains(&word.as_str()));
            if is_depth && copies(call) { found.with_severity(Severity::Critical, Action::Block) } else { found }
        })
        .collect()
}
