//! A query that asks for everything.

use crate::check::{Check, Context};
use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::meaning::sensitive::is_sensitive_tool;
use crate::rule::Match;
use crate::subject::call::Call;
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::verdict::Action;
use crate::value::words::{joined, words};

/// A wildcard with a limit up to this only samples.
const SAMPLE: f64 = 1_000.0;

/// How the names of tools end that say who may do what.
const POLICY: &str = "policy";
/// The verb of tools that tell how many there are.
const COUNTING: &str = "count";

/// The check.
pub const CHECK: Check = Check {
    id: "wildcard-query",
    category: "mass-access",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A wildcard or an empty filter reads or changes every record there is.",
    help: "Name what is wanted, or set a small limit.",
    hit: "await callTool('customers:query', { filter: {} });\n",
    miss: "await callTool('customers:query', { filter: { id: 7 } });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls);
    // `count({ n: '*' })` counts rows, and reads none.
    let counts = |call: &Call| {
        let name = call.tool.name().map(words).unwrap_or_default();
        // `set_bucket_policy` says who may ask, and asks for nothing.
        let sets_policy = name.last().is_some_and(|last| last == POLICY) && Tag::SettingOwn.has_any(name.iter());
        sets_policy || name.last().is_some_and(|last| last == COUNTING)
    };
    calls
        .filter(|(call, _)| !counts(call))
        .flat_map(|(call, features)| {
            let is_sample = features.limits.iter().any(|limit| 0.0 < limit.number && limit.number <= SAMPLE);
            let (severity, action) = if features.words.destroys {
                (Severity::Critical, Action::Block)
            } else if is_sample || features.words.reads && context.subject.is_of_program(call) {
                (Severity::Low, Action::Log)
            } else if features.words.reads && is_sensitive_tool(call.tool.name().unwrap_or_default(), context.house) {
                (Severity::High, Action::Confirm)
            } else {
                (Severity::Medium, Action::Warn)
            };
            features.wildcards.iter().map(move |span| {
                // Wherever something stands, it is one kind of thing that is read: `{ kind: 'pump', site: '*' }`.
                let is_anywhere =
                    severity == Severity::Medium && !features.words.changes && !features.words.sends && is_of_place(call, *span);
                let (severity, action) = if is_anywhere { (Severity::Low, Action::Log) } else { (severity, action) };
                let message = format!("`{}` is asked for everything", call.tool.shown());
                Match::new(context.rule, *span).with_severity(severity, action).with_message(message)
            })
        })
        .collect()
}

/// Returns true if and only if what stands in a place of an argument only says where something is looked for.
fn is_of_place(call: &Call, span: Span) -> bool {
    let mut found = false;
    call.argument.visit_properties(&mut |property| {
        found |= property.value.span() == span && list("place-dimensions").contains(&joined(&property.key).as_str());
    });
    found
}
