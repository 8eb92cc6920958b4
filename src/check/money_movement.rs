//! A call that moves money, or changes where money goes.

use crate::check::{Check, Context};
use crate::knowledge::effect::EffectKind;
use crate::knowledge::words::Tag;
use crate::meaning::listing::{batch_of, listing_over_host};
use crate::meaning::statement::Statement;
use crate::meaning::statement::request::made;
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "money-movement",
    category: "money",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "Money that was sent seldom comes back, so a person should see how much goes where.",
    help: "Prepare the payment and let a person release it.",
    hit: "await callTool('payments:transfer', { to: 'supplier-7', amount: 250 });\n",
    miss: "await callTool('payments:list', { to: 'supplier-7', amount: 250 });\n",
    run,
};

/// The effects that it speaks of.
const KINDS: &[EffectKind] = &[EffectKind::Pay, EffectKind::Spend];

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = context.worst_effects(KINDS);
    found.extend(requests(context));
    found
}

/// Requests that pay for each element of what another one listed: the last name of their address says that money moves.
fn requests(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.host_calls.iter().enumerate();
    let pays = |request: &Statement| {
        let last = request.name.rsplit('/').next().unwrap_or_default();
        request.verbs.iter().any(|verb| verb == "post") && !request.is_spare && Tag::PaymentPath.has(&last.to_lowercase())
    };
    calls
        .filter(|(_, call)| made(call).is_some_and(|request| pays(&request)))
        .filter_map(|(index, call)| {
            let (subject, ends) = (context.subject, &context.features.ends);
            let listing = listing_over_host(subject, ends, index).or_else(|| batch_of(subject, ends, index))?;
            let message = format!("`{}` moves money for each element of what `{}` returns", call.api, listing.origin.name);
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}
