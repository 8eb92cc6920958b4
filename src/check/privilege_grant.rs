//! A call that gives rights, makes keys, opens something to others or switches a guard off.

use crate::check::{Check, Context, threats};
use crate::knowledge::effect::EffectKind;
use crate::knowledge::words::Tag;
use crate::rule::Match;
use crate::subject::call::{Call, Value};
use crate::subject::flow::Step;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, words};

/// The check.
pub const CHECK: Check = Check {
    id: "privilege-grant",
    category: "privilege",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "Rights, keys and shares outlive the script, and whoever holds them needs no script any more.",
    help: "Give the least right to a named person for a limited time, and let a person give more.",
    hit: "await callTool('iam:assignRole', { user: 'u7', role: 'admin' });\n",
    miss: "await callTool('iam:revokeRole', { user: 'u7', role: 'admin' });\n",
    run,
};

/// The effects that it speaks of.
const KINDS: &[EffectKind] = &[EffectKind::Grant, EffectKind::GuardOff];

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = context.worst_effects(KINDS);
    found.extend(everywhere(context));
    found.extend(threats(context));
    found
}

/// Rights that an account which stands in the script is given at each of what was listed.
fn everywhere(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter(|(index, call)| context.features.actions.get(*index).is_some_and(|action| action.does(EffectKind::Grant)) && gives(call))
        .filter(|(index, _)| !context.is_spared(*index, EffectKind::Grant))
        .filter_map(|(index, call)| {
            let listing = context.listing_over(index).filter(|listing| listing.read.is_many && !listing.is_chosen)?;
            let severity = if listing.read.is_unfiltered { Severity::Critical } else { Severity::High };
            let message = format!("`{}` lets somebody in at each of what `{}` returns", call.tool.shown(), listing.origin.name);
            let steps = vec![Step { span: listing.origin.span, note: format!("listed by `{}`", listing.origin.name) }];
            Some(context.harm(call.span, severity).with_message(message).with_steps(steps))
        })
        .collect()
}

/// Returns true if and only if a call gives something to an account whose name stands in the script.
fn gives(call: &Call) -> bool {
    let said = call.tool.name().map(words).unwrap_or_default();
    let mut names = false;
    call.argument.visit_properties(&mut |property| {
        names |= Tag::WhomKey.has(&joined(&property.key)) && matches!(&property.value, Value::String(text, _) if !text.is_empty());
    });
    names && !Tag::Destroying.has_any(said.iter()) && !Tag::GivingNothing.has_any(said.iter())
}
