//! A call that reads, and a later one that sends, though no data was seen to flow between them.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::check::{Check, Context, secret_read};
use crate::knowledge::command::list;
use crate::knowledge::effect::EffectKind;
use crate::knowledge::provider::registrable;
use crate::knowledge::tool::tool_in;
use crate::knowledge::words::Tag;
use crate::knowledge::{Sensitivity, Side};
use crate::meaning::action::unasked::hiding_switch;
use crate::meaning::argument::{text, texts};
use crate::meaning::outside::is_private_mailbox;
use crate::meaning::reach::Reach;
use crate::meaning::walk::Arguments;
use crate::meaning::{Features, between_tools};
use crate::rule::{Match, Rule};
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::subject::flow::Step;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, words};

/// The check.
pub const CHECK: Check = Check {
    id: "exfiltration-sequence",
    category: "exfiltration",
    severity: Severity::Low,
    action: Action::Log,
    why: "A script that reads records and then sends something may carry the records out in a way that was not seen.",
    help: "Send before reading, or leave one of the two to another script.",
    hit: "const users = await callTool('users:list', {});\nawait callTool('mail:send', { text: 'done' });\nreturn users;\n",
    miss: "const users = await callTool('users:list', {});\nreturn users.length;\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    // What flows is judged by where it flows.
    let fed: HashSet<usize> =
        context.subject.flows.iter().filter_map(|flow| between_tools(context.subject, flow)).map(|(_, sink)| sink).collect();
    let unfed = context.features.sequences.iter().filter(|(_, send)| !fed.contains(send));
    let standing = (0..context.subject.calls.len()).filter_map(|call| standing_order(context, call));
    unfed.filter_map(|(read, send)| judge(context, *read, *send)).chain(standing).collect()
}

/// Returns true if and only if each rule of a browser's extension that leads elsewhere leads from hosts of one owner to another of the same:
/// `oldwiki.acme.example` to `wiki.acme.example`.
fn stays_at_home(call: &Call, reach: &Reach) -> bool {
    let Some(home) = reach.shown.as_deref().and_then(registrable) else { return false };
    let (mut led, mut asked) = (0, 0);
    call.argument.visit_properties(&mut |property| match property.key.as_str() {
        "redirect" if matches!(property.value, Value::Object(..)) => led += 1,
        "requestDomains" => {
            let hosts = texts(&property.value);
            let is_own = !hosts.is_empty() && hosts.iter().all(|host| host.is_known && registrable(host.text) == Some(home));
            asked += u32::from(is_own);
        }
        _ => {}
    });
    call.tool.name() == Some("extension:set_request_rules") && led == asked
}

/// A rule by which all that comes in from now on is sent on, or one call that reads a collection and sends it out.
fn standing_order(context: &Context<'_>, index: usize) -> Option<Match> {
    let (call, reach) = (context.subject.calls.get(index)?, context.features.ends.reaches.get(index)?);
    if reach.side != Side::Outside || !reach.is_constant {
        return None;
    }
    if stays_at_home(call, reach) {
        return None;
    }
    let mut forwards = false;
    // A copy may well be for a mailbox of the house; one that nobody is to see is not.
    let is_strange = reach.shown.as_deref().is_some_and(is_private_mailbox) || hiding_switch(&Arguments::of(&call.argument));
    let is_mailed = reach.shown.as_deref().is_some_and(|shown| shown.contains('@'));
    call.argument.visit_properties(&mut |property| {
        let key = words(&property.key);
        let is_copying = || is_strange && list("copying-keys").contains(&joined(&property.key).as_str());
        let is_forwarding = Tag::ForwardingWord.has_any(key.iter()) || is_copying();
        forwards |= is_forwarding && !matches!(property.value, Value::Boolean(false, _) | Value::Null(_));
        // `{ type: 'forward', to: … }`
        let is_named = |text: &str| words(text).first().is_some_and(|first| Tag::ForwardingWord.has(first));
        forwards |= is_mailed && names_action(&joined(&property.key)) && text(&property.value).is_some_and(is_named);
    });
    let name = words(call.tool.name()?);
    let has = |any: Tag| any.has_any(name.iter());
    let is_forwarding = name.iter().any(|word| list("forwarding-things").contains(&word.as_str()));
    forwards |= is_forwarding;
    let is_rule = has(Tag::StandingOrder) || is_forwarding;
    // What everybody can read anyway is no collection of the house: `page:export` is told which page.
    let is_export =
        has(Tag::Exporting) && !name.iter().any(|word| word == "import") && !tool_in(call.tool.name()?, context.house).is_public;
    let shown = reach.shown.as_deref().unwrap_or("somebody else");
    let message = if forwards && is_rule {
        format!("`{}` sends on to {shown} whatever comes in", call.tool.shown())
    } else if is_export {
        format!("`{}` takes a whole collection to {shown}", call.tool.shown())
    } else {
        return None;
    };
    Some(Match::new(context.rule, call.span).with_severity(Severity::Critical, Action::Block).with_message(message))
}

/// Returns true if and only if under a key stands what is done.
fn names_action(key: &str) -> bool {
    Tag::OperationKey.has(key) || list("kind-keys").contains(&key)
}

fn judge(context: &Context<'_>, read: usize, send: usize) -> Option<Match> {
    let (origin, sink) = (context.subject.calls.get(read)?, context.subject.calls.get(send)?);
    if read == send {
        // An export reads, and where it goes is told by its arguments.
        let only_exports = sink.tool.name().is_some_and(|name| words(name).iter().any(|word| word == "export"));
        if only_exports {
            return None;
        }
        let message = format!("`{}` reads and sends in one call", sink.tool.shown());
        return Some(Match::new(context.rule, sink.span).with_severity(Severity::Medium, Action::Warn).with_message(message));
    }
    let message =
        format!("`{}` sends after `{}` has read, though no data was seen to flow between them", sink.tool.shown(), origin.tool.shown());
    let steps = vec![Step { span: origin.span, note: format!("`{}` reads here", origin.tool.shown()) }];
    Some(Match::new(context.rule, sink.span).with_message(message).with_steps(steps))
}

/// What kinds of sensitive data a subject reads, for who judges what follows it.
pub fn reads(subject: &Subject, features: &Features, matches: &[Match]) -> BTreeSet<Sensitivity> {
    let effects = features.actions.iter().flat_map(|action| action.all().map(|(_, effect)| effect));
    let acted = effects.filter(|effect| effect.kind == EffectKind::Read).filter_map(|effect| effect.sensitivity);
    let origins = features.ends.reads.iter().zip(&subject.origins).filter(|(read, origin)| {
        // What the subject itself is given was read by somebody else.
        origin.call.is_some() && !read.is_harmless && !read.is_public
    });
    let read = origins.filter_map(|(read, _)| read.sensitivity);
    let secret = matches.iter().any(|found| found.rule.id == secret_read::CHECK.id).then_some(Sensitivity::Authentication);
    acted.chain(read).chain(secret).filter(|kind| Sensitivity::Internal < *kind).collect()
}

/// The calls that send outside, in a session that has read sensitive data before; `rule` is the rule of this check.
pub fn across(rule: &Arc<Rule>, subject: &Subject, features: &Features, read: &BTreeSet<Sensitivity>) -> Vec<Match> {
    let Some(worst) = read.last() else { return Vec::new() };
    let calls = subject.calls.iter().map(|call| call.span).chain(subject.host_calls.iter().map(|call| call.span));
    let sends = features.ends.reaches.iter().zip(calls);
    let sends = sends.filter(|(reach, _)| reach.side == Side::Outside && reach.outgoing().is_some());
    let found = sends.map(|(reach, span)| {
        let message = format!("`{}` sends outside, in a session that has read {} data before", reach.name, worst.name());
        let found = Match::new(rule, span).with_message(message);
        if *worst == Sensitivity::Authentication { found.with_severity(Severity::Medium, Action::Warn) } else { found }
    });
    found.collect()
}
