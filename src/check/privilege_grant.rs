//! A call that gives rights, makes keys, opens something to others or switches a guard off.

use crate::check::{Check, Context, graded, threats};
use crate::knowledge::Side;
use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::words::Tag;
use crate::meaning::action;
use crate::meaning::action::grant::switches_off_listed;
use crate::meaning::action::rights::is_record_of_leave;
use crate::meaning::action::unasked::{muting_until, skipped_check, unwatched};
use crate::meaning::argument::{Text, is_no, texts};
use crate::meaning::listing::{Listing, listing_over_host};
use crate::meaning::outside::is_everybody;
use crate::meaning::statement::Statement;
use crate::meaning::statement::request::made;
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::{Arguments, Key};
use crate::rule::Match;
use crate::subject::call::{Call, Value};
use crate::subject::flow::{Flow, Origin, OriginKind, Step, Strength};
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, split_owner, words};

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
    found.extend(keys_everywhere(context));
    found.extend(delegated(context));
    found.extend(asked(context));
    found.extend(of_oneself(context));
    found.extend(unguarded(context));
    found.extend(unwatched_all(context));
    found.extend(unchecked_all(context));
    found.extend(given_unasked(context));
    found.extend(merged_unseen(context));
    found.extend(in_the_name_of_each(context));
    found.extend(opened_to_all(context));
    found.extend(all_doors(context));
    found.extend(decided_by_anybody(context));
    found.extend(all_requests_granted(context));
    found.extend(unsigned(context));
    found.extend(threats(context));
    found.extend(asked_roles(context));
    found
}

/// Roles that are given as whoever calls asks for them, where nothing asks what the caller may do.
fn asked_roles<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Match> + use<'c> {
    let is_role = |path: &str| {
        let last = path.rsplit('.').find(|part| !part.is_empty() && *part != "[]").map(joined).unwrap_or_default();
        list("role-fields").contains(&last.as_str())
    };
    let gives = |index: usize, call: &Call| {
        let said = call.tool.name().map(|name| words(split_owner(name).1)).unwrap_or_default();
        let is_of_rights = said.iter().any(|word| list("rights-set").contains(&word.as_str()));
        let writes = context.features.calls.get(index).is_some_and(|features| !features.words.reads);
        is_of_rights && writes || context.features.actions.get(index).is_some_and(|action| action.does(EffectKind::Grant))
    };
    let is_asked = move |flow: &Flow| {
        let is_sent_in = context.subject.origins.get(flow.origin).is_some_and(|origin| origin.kind == OriginKind::Incoming);
        is_sent_in && flow.is_followed() && flow.strength == Strength::Whole && is_role(&flow.argument) && is_role(&flow.field)
    };
    let calls = context.subject.calls.iter().enumerate().filter(|_| !context.subject.bounds.asks_rights);
    calls.filter(move |(index, call)| gives(*index, call) && !context.is_spared(*index, EffectKind::Grant)).filter_map(
        move |(index, call)| {
            let asked = context.flows_into(index).find(|flow| is_asked(flow))?;
            let message = format!("`{}` gives the role that whoever calls asks for, and nothing asks who that is", call.tool.shown());
            Some(context.harm(call.span, Severity::Critical).with_message(message).with_steps(asked.steps.clone()))
        },
    )
}

/// Rights that an account which stands in the script, or everybody, is given at each of what was listed.
fn everywhere(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter(|(index, _)| {
            context.features.actions.get(*index).is_some_and(|action| action.all().any(|(_, effect)| effect.kind == EffectKind::Grant))
        })
        .filter(|(index, call)| gives(call) || opens(call) || acts_as(call) || leads_log_ins(context, *index))
        .filter(|(index, _)| !context.is_spared(*index, EffectKind::Grant))
        .filter_map(|(index, call)| {
            // What all can see of many things was not looked at one by one.
            let is_bare = opens(call) && !gives(call);
            // For one who stands in the script, everywhere and for good.
            let is_for_good = gives(call) && lasts(call);
            let is_wide =
                |listing: &Listing<'_>| is_bare || is_for_good || acts_as(call) || listing.read.is_many || leads_log_ins(context, index);
            let listing = context.listing_over(index).filter(|listing| is_wide(listing) && !listing.is_chosen)?;
            // One of another house has no business in any part of what is listed.
            let is_stranger = || {
                let action = context.features.actions.get(index);
                let is_outside = |effect: &Effect| effect.kind == EffectKind::Grant && effect.place == Some(Side::Outside);
                action.is_some_and(|action| action.all().any(|(_, effect)| is_outside(effect)))
                    || call
                        .tool
                        .name()
                        .map(words)
                        .is_some_and(|said| said.iter().any(|word| matches!(word.as_str(), "external" | "shared" | "guest")))
            };
            let severity = if listing.read.is_unfiltered || is_for_good || is_bare || acts_as(call) || is_stranger() {
                Severity::Critical
            } else {
                Severity::High
            };
            let does = match () {
                () if gives(call) => "lets somebody in at",
                () if acts_as(call) => "acts in the name of",
                () if leads_log_ins(context, index) => "has others answer for",
                () => "lets everybody in at",
            };
            let message = format!("`{}` {does} each of what `{}` returns", call.tool.shown(), listing.origin.name);
            let steps = vec![Step { span: listing.origin.span, note: format!("listed by `{}`", listing.origin.name) }];
            Some(context.harm(call.span, severity).with_message(message).with_steps(steps))
        })
        .collect()
}

/// Requests by which a key that stands in the script is let in at each of what another one lists.
fn keys_everywhere<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Match> + use<'c> {
    let lets_in = |request: &Statement| {
        let is_key = request.name.rsplit('/').next().is_some_and(|last| list("paths-of-keys").contains(&joined(last).as_str()));
        let is_made = request.verbs.iter().any(|verb| matches!(verb.as_str(), "post" | "put"));
        is_key && is_made && request.texts.iter().any(|body| body.contains(":ssh-"))
    };
    let calls = context.subject.host_calls.iter().enumerate();
    calls.filter(move |(_, call)| made(call).iter().any(&lets_in)).filter_map(|(index, call)| {
        let listing = listing_over_host(context.subject, &context.features.ends, index).filter(|listing| !listing.is_chosen)?;
        let message = format!("`{}` lets whoever holds a key in at each of what `{}` returns", call.api, listing.origin.name);
        Some(context.harm(call.span, Severity::Critical).with_message(message))
    })
}

/// What is approved, merged or rolled out because somebody writes so below it, where nobody asks who that is.
fn decided_by_anybody(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let said = words(split_owner(call.tool.name()?).1);
            let has = |any: &str, said: &[String]| said.iter().any(|word| list(any).contains(&word.as_str()));
            let approves = || texts(&call.argument).iter().any(|text| text.is_known && has("saying-yes", &words(text.text)));
            let decides = has("deciding-acts", &said) || said.iter().any(|word| word == "review") && approves();
            if !decides || context.subject.bounds.is_entitled(call.span) || context.is_spared(index, EffectKind::Grant) {
                return None;
            }
            let is_sent_in = |flow: &Flow| {
                let origin = context.subject.origins.get(flow.origin);
                origin.is_some_and(|origin| origin.kind == OriginKind::Incoming) && flow.strength <= Strength::Bit
            };
            let is_sent = || context.subject.origins.iter().any(|origin| origin.kind == OriginKind::Incoming);
            if !context.subject.bounds.is_commanded(call.span) || !is_sent() {
                return None;
            }
            let steps = context.flows_into(index).find(|flow| is_sent_in(flow)).map(|told| told.steps.clone()).unwrap_or_default();
            let message = format!("`{}` is done for anybody who writes a comment that asks for it", call.tool.shown());
            Some(context.harm(call.span, Severity::Critical).with_message(message).with_steps(steps))
        })
        .collect()
}

/// What a host serves is put on machines, told to look at no signature.
fn unsigned(context: &Context<'_>) -> Vec<Match> {
    let is_unsigned = |index: usize| {
        let action = context.features.actions.get(index);
        action.is_some_and(|action| action.all().any(|(_, effect)| effect.object.as_deref() == Some("signature")))
    };
    let calls = context.subject.calls.iter().enumerate().filter(|(index, _)| is_unsigned(*index));
    calls
        .filter_map(|(index, call)| {
            let is_served = |flow: &&Flow| {
                let read = context.features.ends.reads.get(flow.origin);
                flow.strength == Strength::Whole && read.is_some_and(|read| read.kind == OriginKind::Network && read.is_untrusted)
            };
            let served = context.flows_into(index).find(is_served)?;
            let message = format!("`{}` puts on what a host elsewhere serves, and looks at no signature", call.tool.shown());
            Some(context.harm(call.span, Severity::Critical).with_message(message).with_steps(served.steps.clone()))
        })
        .collect()
}

/// Requests to be let in, each of which is granted, whoever asked for what.
fn all_requests_granted(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let has = |text: &str, any: &str| words(text).iter().any(|word| list(any).contains(&word.as_str()));
            let name = call.tool.name()?;
            let grants = || texts(&call.argument).iter().any(|text| text.is_known && has(text.text, "granting-answers"));
            let decides = has(name, "granting-acts") || has(name, "answering-requests") && grants();
            let is_of_access = |name: &str| has(name, "asked-access") && has(name, "asked-things");
            let listing = context.listing_over(index).filter(|listing| !listing.is_chosen && decides)?;
            if !is_of_access(&listing.origin.name) && !is_of_access(name) || context.is_spared(index, EffectKind::Grant) {
                return None;
            }
            let message = format!("`{}` grants each request that `{}` returns", call.tool.shown(), listing.origin.name);
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// Badges that open every door, by a wildcard: one is somebody's decision, those for each of a listing are nobody's.
fn all_doors(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls).enumerate();
    calls
        .filter_map(|(index, (call, features))| {
            let said = words(split_owner(call.tool.name()?).1);
            let has = |any: &str| said.iter().any(|word| list(any).contains(&word.as_str()));
            if features.wildcards.is_empty() || !has("badges") || !has("issuing-badges") || context.is_spared(index, EffectKind::Grant) {
                return None;
            }
            let severity = if context.listing_over(index).is_some() { Severity::Critical } else { Severity::High };
            let message = format!("`{}` lets somebody in at every door", call.tool.shown());
            Some(context.harm(call.span, severity).with_message(message))
        })
        .collect()
}

/// Whoever runs the script made the delegate of somebody else.
fn delegated<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Match> + use<'c> {
    let is_of = |argument: &str, name: &str| {
        let last = argument.rsplit('.').find(|part| *part != "[]" && !part.is_empty()).map(joined).unwrap_or_default();
        list(name).contains(&last.as_str())
    };
    let calls = context.subject.calls.iter().enumerate();
    let appoints = |call: &Call| {
        let named = call.tool.name().map(words).unwrap_or_default();
        named.iter().any(|word| matches!(word.as_str(), "delegate" | "delegates" | "deputy" | "proxy"))
            && !Tag::GivingNothing.has_any(named.iter())
    };
    calls.filter(move |(_, call)| appoints(call)).filter_map(move |(index, call)| {
        let whole = || context.flows_into(index).filter(|flow| flow.is_followed() && flow.strength == Strength::Whole);
        let is_self = |flow: &Flow| {
            let origin = context.subject.origins.get(flow.origin);
            // Whom one's own profile names above oneself is somebody else: `me.managerId`.
            let last = words(flow.field.rsplit('.').next().unwrap_or_default());
            let is_above = last.iter().any(|word| list("those-above").contains(&word.as_str()));
            !is_above && origin.is_some_and(|origin| Tag::Oneself.has_any(words(&origin.name)))
        };
        let takes = whole().any(|flow| is_self(flow) && is_of(&flow.argument, "delegate-keys"));
        let of_other = whole().any(|flow| !is_self(flow) && is_of(&flow.argument, "delegating-keys"));
        (takes && of_other).then(|| {
            let message = format!("`{}` lets whoever runs the script act for somebody else", call.tool.shown());
            context.harm(call.span, Severity::Critical).with_message(message)
        })
    })
}

/// Returns true if and only if a call has log-ins answer to another host.
fn leads_log_ins(context: &Context<'_>, index: usize) -> bool {
    let action = context.features.actions.get(index);
    action.is_some_and(|action| action.all().any(|(_, effect)| effect.object.as_deref() == Some("login-route")))
}

/// Rights that are given to whomever somebody names who wrote in.
fn asked(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter(|(index, _)| context.features.actions.get(*index).is_some_and(|action| action.does(EffectKind::Grant)))
        .filter(|(index, _)| !context.is_spared(*index, EffectKind::Grant))
        .filter_map(|(index, call)| {
            let named = context.flows_into(index).find(|flow| names_somebody(context, flow))?;
            let read = context.features.ends.reads.get(named.origin)?;
            let message = format!("`{}` lets in whomever {} names", call.tool.shown(), read.words);
            Some(context.harm(call.span, Severity::Critical).with_message(message).with_steps(named.steps.clone()))
        })
        .collect()
}

/// Guards that tools were asked for by their names, each of which is switched off.
fn unguarded(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let tool = ToolName::of(call.tool.name()?);
            let is_whole = |flow: &&Flow| flow.is_followed() && flow.strength == Strength::Whole;
            let given = context.flows_into(index).filter(is_whole).filter_map(|flow| context.subject.origins.get(flow.origin));
            let asked = |origin: &&Origin| {
                let listed = origin.call.and_then(|call| call.tool()).and_then(|listed| context.subject.calls.get(listed));
                listed.is_some_and(|listed| switches_off_listed(&tool, &call.argument, &listed.argument))
            };
            let over = context.listing_over(index).map(|listing| listing.origin);
            let listed = over.into_iter().chain(given).find(asked).filter(|_| !context.is_spared(index, EffectKind::GuardOff))?;
            let message = format!("`{}` switches off each guard that `{}` returns", call.tool.shown(), listed.name);
            let steps = vec![Step { span: listed.span, note: format!("listed by `{}`", listed.name) }];
            Some(context.harm(call.span, Severity::Critical).with_message(message).with_steps(steps))
        })
        .collect()
}

/// What watches, or tells that something is wrong, switched off for each of a listing.
fn unwatched_all(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let tool = ToolName::of(call.tool.name()?);
            let listing = context.listing_over(index).filter(|listing| !listing.is_chosen)?;
            let argument = Arguments::of(&call.argument);
            // Of everything that watches no end of the quiet is soon enough.
            let is_all = listing.read.is_unfiltered || names_all(context, &listing);
            let switch = unwatched(&tool, &argument).or_else(|| muting_until(&tool, &argument).filter(|_| is_all));
            let switch = switch.filter(|_| !context.is_spared(index, EffectKind::GuardOff))?;
            let message =
                format!("`{}` switches off for all that `{}` returns what watches: `{switch}`", call.tool.shown(), listing.origin.name);
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// Returns true if and only if a listing was asked for everything by a wildcard.
fn names_all(context: &Context<'_>, listing: &Listing<'_>) -> bool {
    let call = listing.origin.call.and_then(|call| call.tool());
    call.and_then(|index| context.features.calls.get(index)).is_some_and(|features| !features.wildcards.is_empty())
}

/// What is done to each of a listing, past those who would have to agree and past what is looked at before.
fn unchecked_all(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls).enumerate();
    calls
        .filter(|(_, (_, features))| !features.words.reads)
        .filter_map(|(index, (call, _))| {
            let listing = context.listing_over(index).filter(|listing| !listing.is_chosen)?;
            let argument = Arguments::of(&call.argument);
            let switch = skipped_check(&argument).filter(|_| !context.is_spared(index, EffectKind::GuardOff))?;
            let message = format!(
                "`{}` is done to all that `{}` returns, past who or what would look at it: `{switch}`",
                call.tool.shown(),
                listing.origin.name
            );
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// A change that is merged past those who would have to look at it; what the script itself wrote was seen by nobody.
fn merged_unseen(context: &Context<'_>) -> Vec<Match> {
    let subject = context.subject;
    let says = |call: &Call, any: &str| {
        let said = words(split_owner(call.tool.name().unwrap_or_default()).1);
        said.iter().any(|word| list(any).contains(&word.as_str()))
    };
    let calls = subject.calls.iter().enumerate().filter(|(_, call)| says(call, "merging-acts"));
    calls
        .filter_map(|(index, call)| {
            let argument = Arguments::of(&call.argument);
            let switch = skipped_check(&argument).filter(|_| !context.is_spared(index, EffectKind::GuardOff))?;
            let is_own = subject.calls.iter().any(|other| other.nth < call.nth && says(other, "committing-acts"));
            let severity = if is_own { Severity::Critical } else { Severity::High };
            let message = format!("`{}` merges past those who would have to look at it: `{switch}`", call.tool.shown());
            Some(context.harm(call.span, severity).with_message(message))
        })
        .collect()
}

/// Rights that are given past those who would have to agree.
fn given_unasked(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.actions).enumerate();
    let gives = |action: &action::Action| {
        let mut effects = action.all().filter(|(_, effect)| effect.kind == EffectKind::Grant);
        effects.any(|(own, effect)| graded(own, effect) >= Some(Severity::Medium))
    };
    calls
        .filter(|(_, (_, action))| gives(action))
        .filter_map(|(index, (call, _))| {
            let argument = Arguments::of(&call.argument);
            let switch = skipped_check(&argument).filter(|_| !context.is_spared(index, EffectKind::Grant))?;
            let message = format!("`{}` gives rights past those who would have to agree: `{switch}`", call.tool.shown());
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// What only each person may do, done in the name of each of a listing: signing, voting, consenting.
fn in_the_name_of_each(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate().filter(|(_, call)| call.is_repeated());
    calls
        .filter_map(|(index, call)| {
            let tool = ToolName::of(call.tool.name()?);
            let says = |names: &[String], any: &str| names.iter().any(|word| list(any).contains(&word.as_str()));
            let is_own_act = says(&tool.verb, "own-acts") || says(&tool.owner, "own-act-places") && says(&tool.verb, "finishing-acts");
            if !is_own_act || context.is_spared(index, EffectKind::Grant) {
                return None;
            }
            let argument = Arguments::of(&call.argument);
            // A form that waits for whoever has to sign it is no signature.
            if tool.verb.iter().any(|word| word == "consent") && is_record_of_leave(&argument) && !is_signed(&argument) {
                return None;
            }
            let acts_for = argument.properties().any(|(key, _)| list("acting-for").contains(&key.joined.as_str()))
                || context.subject.calls.iter().any(impersonates);
            let of_each = context.flows_into(index).find(|flow| {
                let last = joined(flow.argument.rsplit('.').next().unwrap_or_default());
                let is_person = list("persons-by-id").contains(&last.as_str());
                is_person && flow.is_followed() && flow.strength == Strength::Whole && flow.field.contains("[]")
            });
            // What lets one act as somebody was made out for each of them: `polls:issue_token { voter: member.id }`.
            let of_each = of_each.or_else(|| context.flows_into(index).find(|flow| is_made_out(context, flow)));
            if !acts_for && of_each.is_none() {
                return None;
            }
            let message = format!("`{}` does again and again, in the name of others, what only they may do", call.tool.shown());
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// Returns true if and only if a record says that somebody signed, agreed or was asked: `{ signedBy: name, status: 'valid' }`.
fn is_signed(argument: &Arguments<'_>) -> bool {
    let is_one = |word: &String| list("signed-words").contains(&word.as_str());
    argument.properties().any(|(key, property)| match &property.value {
        Value::Null(_) | Value::Missing | Value::Boolean(false, _) => false,
        Value::String(text, _) if key.joined == "status" || key.joined == "state" => words(text).as_slice().iter().all(is_one),
        _ => key.words.first().is_some_and(is_one),
    })
}

/// Returns true if and only if what flows was made by a call that was given a person of a listing to make it for.
fn is_made_out(context: &Context<'_>, flow: &Flow) -> bool {
    let makes = |call: usize| {
        let named = context.subject.calls.get(call).and_then(|call| call.tool.name()).map(words).unwrap_or_default();
        let for_each = |given: &Flow| {
            let last = joined(given.argument.rsplit('.').next().unwrap_or_default());
            let is_person = list("persons-by-id").contains(&last.as_str());
            is_person && given.is_followed() && given.strength == Strength::Whole && given.field.contains("[]")
        };
        named.iter().any(|word| list("made-out").contains(&word.as_str())) && context.flows_into(call).any(for_each)
    };
    let origin = context.subject.origins.get(flow.origin).and_then(|origin| origin.call?.tool());
    flow.is_followed() && flow.strength == Strength::Whole && origin.is_some_and(makes)
}

/// What a few could see of each of a listing, opened to everybody: `{ isPrivate: false }`, `{ key: 'joinRule', value: 'public' }`. What is
/// written for readers is no such thing.
fn opened_to_all(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let tool = ToolName::of(call.tool.name()?);
            let changes = tool.verb.iter().any(|word| Tag::SettingOwn.has(word) || Tag::Changing.has(word));
            let listing = context.listing_over(index).filter(|listing| changes && !listing.is_chosen && !tool.has(Tag::PublishedText))?;
            let argument = Arguments::of(&call.argument);
            let says = |named: &[String]| named.iter().any(|word| list("closing-words").contains(&word.as_str()));
            // `{ includePrivate: false }` asks for less.
            let closes = |key: &Key<'_>| {
                let includes = key.words.first().is_some_and(|first| list("including-words").contains(&first.as_str()));
                !includes && key.words.iter().any(|word| word == "private")
            };
            let unlocks = argument.properties().any(|(key, property)| closes(key) && is_no(&property.value));
            let names_reach = |text: &str| says(&words(text)) || says(&[joined(text)]);
            let is_about = || argument.said().any(|(key, text)| key.joined == "key" && names_reach(text.text));
            let is_opened = |(key, text): (&Key<'_>, &Text<'_>)| {
                is_everybody(text.text) && (names_reach(key.text) || key.joined == "value" && is_about())
            };
            if context.is_spared(index, EffectKind::Grant) || !unlocks && !argument.said().any(is_opened) {
                return None;
            }
            let message = format!("`{}` opens to everybody each of what `{}` returns", call.tool.shown(), listing.origin.name);
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// Returns true if and only if a call has whoever runs it act as somebody else: `board:impersonate { member }`.
fn impersonates(call: &Call) -> bool {
    words(call.tool.name().unwrap_or_default()).iter().any(|word| matches!(word.as_str(), "impersonate" | "impersonation"))
}

/// The highest role of what is listed, by the name of its field, that is given to whoever runs the script.
fn of_oneself(context: &Context<'_>) -> Vec<Match> {
    let last = |path: &str| path.rsplit('.').find(|part| !part.is_empty() && *part != "[]").unwrap_or_default().to_owned();
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter(|(index, _)| context.features.actions.get(*index).is_some_and(|action| action.does(EffectKind::Grant)))
        .filter(|(index, _)| !context.is_spared(*index, EffectKind::Grant))
        .filter_map(|(index, call)| {
            let whole = || context.flows_into(index).filter(|flow| flow.is_followed() && flow.strength == Strength::Whole);
            let is_role = |flow: &&Flow| {
                let names_power = Tag::PowerWord.has_any(words(&last(&flow.field)));
                names_power && Tag::GrantKey.has(&joined(&last(&flow.argument)))
            };
            let is_own = |flow: &&Flow| {
                let from = context.subject.origins.get(flow.origin).map(|origin| words(&origin.name)).unwrap_or_default();
                Tag::Oneself.has_any(from)
            };
            let role = whole().find(is_role).filter(|_| whole().any(|flow| is_own(&flow)))?;
            let message = format!("`{}` gives whoever runs the script `{}`", call.tool.shown(), last(&role.field));
            Some(context.harm(call.span, Severity::Critical).with_message(message).with_steps(role.steps.clone()))
        })
        .collect()
}

/// Returns true if and only if a flow brings the name of an account out of a text that somebody wrote in; who wrote it is a field
/// of its own.
fn names_somebody(context: &Context<'_>, flow: &Flow) -> bool {
    let last = |path: &str| path.rsplit('.').find(|part| !part.is_empty() && *part != "[]").map(joined).unwrap_or_default();
    let is_part = |field: &str| Tag::WholeText.has(&last(field)) || last(field).is_empty() && field.contains("[]");
    let is_sent_in =
        context.features.ends.reads.get(flow.origin).is_some_and(|read| read.kind == OriginKind::Incoming || read.is_untrusted);
    let is_name = Tag::WhomKey.has(&last(&flow.argument));
    is_sent_in && is_name && flow.is_followed() && flow.strength == Strength::Whole && is_part(&flow.field)
}

/// Returns true if and only if the name of a tool says that it shows something to everybody: `share_file_publicly`.
fn opens(call: &Call) -> bool {
    let said = call.tool.name().map(words).unwrap_or_default();
    // A public key opens nothing to everybody.
    let is_key = said.iter().any(|word| matches!(word.as_str(), "key" | "keys"));
    !is_key && said.iter().any(|word| matches!(word.as_str(), "public" | "publicly")) && !Tag::GivingNothing.has_any(said.iter())
}

/// Returns true if and only if a call says that what it gives has no end: `{ validUntil: null }`.
fn lasts(call: &Call) -> bool {
    let mut lasts = false;
    call.argument.visit_properties(&mut |property| {
        let is_end = words(&property.key).iter().any(|word| list("ends-of-rights").contains(&word.as_str()));
        lasts |= is_end
            && match &property.value {
                Value::Null(_) => true,
                Value::String(text, _) => matches!(text.to_lowercase().as_str(), "never" | "none" | "permanent" | "unlimited"),
                _ => false,
            };
    });
    lasts
}

/// Returns true if and only if the name of a tool says that somebody else's place is taken: `impersonate_user`.
fn acts_as(call: &Call) -> bool {
    call.tool.name().map(words).is_some_and(|said| said.iter().any(|word| word.starts_with("impersonat")))
}

/// Returns true if and only if a call gives something to an account whose name stands in the script.
fn gives(call: &Call) -> bool {
    let said = call.tool.name().map(words).unwrap_or_default();
    let mut names = false;
    call.argument.visit_properties(&mut |property| {
        let key = joined(&property.key);
        let is_whom = Tag::WhomKey.has(&key) || Tag::PersonalKey.has(&key) || list("whoever-holds").contains(&key.as_str());
        // A key that stands in the script is somebody's who has the other half.
        names |= matches!(&property.value, Value::String(text, _) if text.starts_with("ssh-"));
        let is_written = |value: &Value| matches!(value, Value::String(text, _) if !text.is_empty());
        names |= is_whom
            && match &property.value {
                Value::Array(all, _) => !all.is_empty() && all.iter().all(is_written),
                value => is_written(value),
            };
    });
    names && !Tag::Destroying.has_any(said.iter()) && !Tag::GivingNothing.has_any(said.iter())
}
