//! Something is destroyed for each element of a listing.

use crate::check::{Check, Context, written_at};
use crate::knowledge::SinkKind;
use crate::knowledge::act::known_tool;
use crate::knowledge::command::list;
use crate::knowledge::effect::EffectKind;
use crate::knowledge::statement::is_spare_word;
use crate::knowledge::target::is_file_target;
use crate::knowledge::threat::locks;
use crate::knowledge::tool::tool_in;
use crate::knowledge::words::Tag;
use crate::meaning::argument::{Text, Written, choices, is_dry_run, is_no, is_yes, text, texts};
use crate::meaning::deletion::FEW;
use crate::meaning::listing::{Listing, asks_for_passing, batch_of, batch_of_all, is_picked, listing_over_host};
use crate::meaning::read::Read;
use crate::meaning::row_by_row::emptied_by_rows;
use crate::meaning::statement::Statement;
use crate::meaning::statement::request::{made, may_use};
use crate::rule::Match;
use crate::subject::call::{Call, Property, Repeat, Value};
use crate::subject::flow::{CallRef, Flow, OriginKind, Step, Strength};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, split_owner, words};

/// The check.
pub const CHECK: Check = Check {
    id: "destructive-over-result",
    category: "destruction",
    severity: Severity::Critical,
    action: Action::Block,
    why: "Who deletes each element of a listing deletes whatever the listing holds at that moment.",
    help: "Choose what is deleted by a filter that stands in the script, bound it, and have the list confirmed.",
    hit: "const users = await callTool('users:list', {});\nfor (const user of users) {\n  await callTool('users:delete', { id: user.id });\n}\n",
    miss: "const users = await callTool('users:list', {});\nfor (const user of users) {\n  await callTool('users:get', { id: user.id });\n}\n",
    run,
};

/// The method of a request that takes something away.
const DELETE: &str = "delete";

/// Requests that delete each element of what another one listed.
fn requests(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.host_calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let may_delete = may_use(call, DELETE);
            let severity = made(call).iter().filter_map(|request| deletes(request, may_delete)).max()?;
            if deletes_what_is_written_out(&call.arguments) || context.is_spared(context.subject.calls.len() + index, EffectKind::Delete) {
                return None;
            }
            let ends = &context.features.ends;
            let over = listing_over_host(context.subject, ends, index).filter(|listing| !listing.is_chosen);
            let listing = over.or_else(|| batch_of(context.subject, ends, index))?;
            let message = format!("`{}` deletes each element of what `{}` returns", call.api, listing.origin.name);
            let steps = vec![Step { span: listing.origin.span, note: format!("listed by `{}`", listing.origin.name) }];
            Some(context.harm(call.span, severity).with_message(message).with_steps(steps))
        })
        .collect()
}

/// Returns true if and only if each options that say that something is deleted write out where it is, as others list.
fn deletes_what_is_written_out(arguments: &[Value]) -> bool {
    let is_method = |text: &Text<'_>| Tag::MethodKey.has(&joined(text.key));
    let options = arguments.iter().flat_map(choices).map(texts).filter(|said| said.iter().any(is_method));
    let (deleting, others): (Vec<_>, Vec<_>) =
        options.partition(|said| said.iter().any(|text| is_method(text) && text.text.eq_ignore_ascii_case(DELETE)));
    let is_written =
        |said: &Vec<Text<'_>>| said.iter().find(|text| Tag::AddressKey.has(&joined(text.key))).is_some_and(|address| address.is_known);
    !others.is_empty() && !deleting.is_empty() && deleting.iter().all(is_written)
}

/// How bad it is that a request takes away each of what was listed, if it does: by its method, or by the word at the end of where it is
/// posted to, `…/contacts/batch/archive`.
fn deletes(request: &Statement, may_delete: bool) -> Option<Severity> {
    let has = |verb: &str| request.verbs.iter().any(|own| own == verb);
    if request.is_spare {
        return None;
    }
    let last = request.name.rsplit('/').next().map(words).unwrap_or_default();
    let is_word = |named: &str| last.iter().any(|word| list(named).contains(&word.as_str()));
    let is_batch = || request.name.rsplit('/').nth(1).is_some_and(|before| list("batch-parts").contains(&before));
    match () {
        () if may_delete || has(DELETE) => Some(Severity::Critical),
        () if !has("post") && !has("put") => None,
        () if is_word("deleting-ends") || is_batch() && is_word("archiving-ends") => Some(Severity::Critical),
        () if is_word("archiving-ends") => Some(Severity::High),
        () => None,
    }
}

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = tools(context);
    found.extend(requests(context));
    found.extend(trashed(context));
    found.extend(locked(context));
    found.extend(row_by_row(context));
    found
}

/// Files that are listed, each written over with what a key made of it that the script makes itself: nobody else can read them again.
fn locked(context: &Context<'_>) -> Vec<Match> {
    let subject = context.subject;
    let has_key = || context.features.ends.reads.iter().any(Read::is_secret);
    if !locks(&subject.signs) || has_key() {
        return Vec::new();
    }
    let calls = subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let writes =
                call.tool.name().is_some_and(|name| tool_in(name, context.house).writes || words(name).iter().any(|word| word == "write"));
            let listing = context.listing_over(index).filter(|listing| writes && !listing.is_chosen)?;
            // It lies where it lay before.
            let is_place = |flow: &Flow| {
                let last = flow.argument.rsplit('.').next().map(joined).unwrap_or_default();
                let is_of_it = subject.origins.get(flow.origin).is_some_and(|origin| std::ptr::eq(origin, listing.origin));
                is_of_it && flow.strength == Strength::Whole && is_file_target(&last) && written_at(context, flow) == Written::Nothing
            };
            context.flows_into(index).find(|flow| is_place(flow))?;
            let message =
                format!("`{}` locks each of what `{}` returns by a key that the script makes", call.tool.shown(), listing.origin.name);
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// All of a listing moved to where it is only kept for a while.
fn trashed(context: &Context<'_>) -> Vec<Match> {
    let named = |call: &Call| call.tool.name().map(|name| words(split_owner(name).1)).unwrap_or_default();
    let trashes = |named: &[String]| named.iter().any(|word| list("trashing-words").contains(&word.as_str()));
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let is_few = matches!(call.repeat, Repeat::Counted(turns) if (1..=FEW).contains(&turns));
            let action = context.features.actions.get(index).filter(|action| !action.does(EffectKind::Delete))?;
            let named = named(call);
            if is_few || !trashes(&named) || context.features.calls.get(index)?.words.reads || action.does(EffectKind::Read) {
                return None;
            }
            let listing = context.listing_over(index).filter(|listing| listing.read.is_unfiltered && !listing.is_chosen)?;
            if is_picked(context.subject, &context.features.ends, index) || context.is_spared(index, EffectKind::Delete) {
                return None;
            }
            let message = format!("`{}` is called for everything that `{}` returns", call.tool.shown(), listing.origin.name);
            let steps = vec![Step { span: listing.origin.span, note: format!("listed by `{}`", listing.origin.name) }];
            Some(context.harm(call.span, Severity::Critical).with_message(message).with_steps(steps))
        })
        .collect()
}

/// Statements that delete, row by row, all that another one lists.
fn row_by_row(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let (listing, table) = emptied_by_rows(context.subject, &context.features.ends, index)?;
            if context.is_spared(index, EffectKind::Delete) || is_spare_word(&table) {
                return None;
            }
            let message = format!("`{}` deletes every row of `{table}`, one by one", call.tool.shown());
            let steps = vec![Step { span: listing.origin.span, note: format!("listed by `{}`", listing.origin.name) }];
            Some(context.harm(call.span, Severity::Critical).with_message(message).with_steps(steps))
        })
        .collect()
}

fn tools(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let action = context.features.actions.get(index)?;
            // What runs a few times by a number that stands in the script is no fan-out.
            if !action.does(EffectKind::Delete)
                || is_dry_run(&call.argument)
                || matches!(call.repeat, Repeat::Counted(turns) if (1..=FEW).contains(&turns))
            {
                return None;
            }
            let batch = batch_of_all(context.subject, &context.features.ends, index);
            let is_batch = batch.is_some();
            let listing = context.listing_over(index).or(batch)?;
            let named = call.tool.name().map(words).unwrap_or_default();
            if keeps_what_is_given(call, &named) {
                return None;
            }
            let shuts = Tag::ShuttingOut.has_any(named.iter()) && Tag::Dear.has_any(named.iter());
            // `archive:purge`: what a store is called tells nothing of what is done to what lies there.
            let done = call.tool.name().map(|name| words(split_owner(name).1)).unwrap_or_default();
            // What customers pay for, ended for each of them, is seldom taken up again.
            let ends_income = done.iter().any(|word| word == "cancel") && done.iter().any(|word| word.starts_with("subscription"));
            let is_soft = !shuts && !ends_income && Tag::Ending.has_any(done.iter()) && !is_for_good(call);
            // Who descends into whatever each listing holds deletes the whole tree.
            let descends =
                call.repeat == Repeat::Open && listing.origin.call.and_then(|call| call.tool()).is_some_and(|list| descends(context, list));
            // Whoever takes away what was logged, one after the other, hides something, however it was listed.
            let hides = (action.does(EffectKind::GuardOff) || is_of_changes(call)) && !listing.is_chosen;
            let is_whole = listing.read.is_unfiltered
                || is_batch
                || is_usual(context, &listing)
                || asks_for_collection(&listing)
                || lists_tree(context, &listing);
            let is_all = hides || descends || is_whole && !listing.is_chosen;
            // The script chooses by what the elements say.
            let is_picked = (listing.is_chosen || is_picked(context.subject, &context.features.ends, index)) && !descends;
            // It says before what it is about, and that is made to be thrown away.
            let is_passing = !listing.read.is_unfiltered && lists_what_passes(context, &listing);
            // `delete_actions_cache`: what it deletes is made anew when it is needed.
            let is_harmless = named.last().is_some_and(|last| Tag::DisposableWord.has(last) && Tag::Harmless.has(last));
            let is_spared = context.is_spared(index, EffectKind::Delete)
                || is_harmless
                || is_held_by_one(context, &listing, &done)
                || is_slight(&named) && lists_own(context, &listing);
            let (severity, action) = match (is_all, is_soft) {
                _ if is_spared || is_of_one_document(context, call, &listing) || is_passing && !descends => (Severity::Low, Action::Log),
                _ if named.iter().any(|word| word == "clear") && is_filled_again(context, index, &listing) => (Severity::Low, Action::Log),
                (false, _) if is_picked => (Severity::Low, Action::Log),
                (true, false) => (Severity::Critical, Action::Block),
                // Of what is gone for good nothing comes back.
                (false, false) if is_for_good(call) || ends_income => (Severity::Critical, Action::Block),
                (true, true) | (false, false) => (Severity::High, Action::Confirm),
                (false, true) if asks_for_due(context, &listing, &named) => (Severity::Low, Action::Log),
                // Whatever was asked for by its state is done with once it is closed, and can be opened again.
                (false, true)
                    if named.iter().any(|word| matches!(word.as_str(), "close" | "resolve"))
                        && !listing.read.is_unfiltered
                        && !Tag::People.has_any(named.iter())
                        && !named.iter().any(|word| word.starts_with("account")) =>
                {
                    (Severity::Low, Action::Log)
                }
                (false, true) => (Severity::Medium, Action::Warn),
            };
            // What was locked by a key that only the script has is gone for whoever it belongs to.
            let is_locked = !is_picked && severity == Severity::High && is_locked_away(context, &listing);
            let (severity, action) = if is_locked { (Severity::Critical, Action::Block) } else { (severity, action) };
            let all = if is_all { "everything that" } else { "each element of what" };
            let message = format!("`{}` is called for {all} `{}` returns", call.tool.shown(), listing.origin.name);
            let steps = vec![Step { span: listing.origin.span, note: format!("listed by `{}`", listing.origin.name) }];
            Some(Match::new(context.rule, call.span).with_severity(severity, action).with_message(message).with_steps(steps))
        })
        .collect()
}

/// Returns true if and only if a call deletes what tells how something was before it was changed: `school:grade_history_delete`.
fn is_of_changes(call: &Call) -> bool {
    let (owner, name) = split_owner(call.tool.name().unwrap_or_default());
    let has = |text: &str, any: &str| words(text).iter().any(|word| list(any).contains(&word.as_str()));
    has(name, "kept-changes") && !has(owner, "histories-of-ones-own") && !has(name, "histories-of-ones-own")
}

/// Returns true if and only if a call says that what it deletes is gone for good: `{ permanent: true }`, `{ keepBackup: false }`.
fn is_for_good(call: &Call) -> bool {
    let mut is_for_good = false;
    call.argument.visit_properties(&mut |property| {
        let has = |named: &str| list(named).contains(&joined(&property.key).as_str());
        is_for_good |= has("lasting-deletes") && is_yes(&property.value) || has("kept-after-deletes") && is_no(&property.value);
    });
    is_for_good
}

/// Returns true if and only if a tool that ends something is given what it keeps: an archive into which a text is put.
fn keeps_what_is_given(call: &Call, named: &[String]) -> bool {
    let mut is_given = false;
    call.argument.visit_properties(&mut |property| {
        is_given |= Tag::WholeText.has(&joined(&property.key)) || Tag::FileKey.has(&joined(&property.key)) || property.key == "data";
    });
    is_given && named.iter().any(|word| word == "archive")
}

/// Returns true if and only if a request asked for a whole collection, without a query that leaves something out: `GET …/api/queues`.
fn asks_for_collection(listing: &Listing<'_>) -> bool {
    let address = listing.origin.detail.as_deref().filter(|_| listing.origin.kind == OriginKind::Network);
    let path = |address: &str| address.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map(|(_, path)| path.to_owned());
    address.and_then(path).is_some_and(|path| {
        let last = path.trim_end_matches('/').rsplit('/').find(|part| !part.chars().all(|sign| matches!(sign, '…' | HOLE)));
        let names_many = last.is_some_and(|last| 3 < last.len() && last.ends_with('s') && !last.ends_with("ss"));
        names_many && !path.contains(['?', '#'])
    })
}

/// Returns true if and only if the script locks what it reads, by a key that it makes itself, and writes that for each of a listing.
fn is_locked_away(context: &Context<'_>, listing: &Listing<'_>) -> bool {
    let subject = context.subject;
    let is_over =
        |call: &Call| call.over.iter().any(|at| subject.origins.get(*at).is_some_and(|origin| std::ptr::eq(origin, listing.origin)));
    let writes = |call: &Call| call.tool.name().is_some_and(|name| tool_in(name, context.house).writes);
    let has_key = || context.features.ends.reads.iter().any(Read::is_secret);
    locks(&subject.signs) && subject.calls.iter().any(|call| is_over(call) && writes(call)) && !has_key()
}

/// Returns true if and only if what one person has is taken back: groups, roles, licences of whoever leaves.
fn is_held_by_one(context: &Context<'_>, listing: &Listing<'_>, done: &[String]) -> bool {
    let at = listing.origin.call.and_then(|call| call.tool());
    let call = at.and_then(|index| context.subject.calls.get(index));
    let is_held = done.iter().any(|word| list("held-by-people").contains(&word.as_str()));
    let mut names_one = false;
    if let Some(call) = call.filter(|_| is_held) {
        call.argument.visit_properties(&mut |property| {
            let is_person = list("people-told-by").contains(&joined(&property.key).as_str());
            let is_all = matches!(&property.value, Value::String(text, _) if Tag::AllValue.has(&text.to_lowercase()) || text.contains('*'));
            names_one |= is_person && !is_all && !matches!(property.value, Value::Array(..));
        });
    }
    // Each of everybody's is everybody's.
    let is_each = |flow: &Flow| flow.field.contains("[]") && Strength::Bit < flow.strength;
    names_one && !at.is_some_and(|at| context.flows_into(at).any(is_each))
}

/// Returns true if and only if the words of a tool name nothing that is dear to anybody: a reminder, a schedule.
fn is_slight(named: &[String]) -> bool {
    let dear = [Tag::Precious, Tag::Dear, Tag::People, Tag::Part, Tag::FileStore, Tag::Holder];
    !dear.into_iter().any(|things| things.has_any(named))
}

/// Returns true if and only if a listing asks for what belongs to whoever runs it, and for some of that alone: `{ owner: 'me', tag: 'a' }`.
fn lists_own(context: &Context<'_>, listing: &Listing<'_>) -> bool {
    let Some(listed) = listing.origin.call.and_then(|call| call.tool()).and_then(|index| context.subject.calls.get(index)) else {
        return false;
    };
    let (mut is_own, mut is_some) = (false, false);
    listed.argument.visit_properties(&mut |property| {
        let Value::String(said, _) = &property.value else { return };
        let is_owner = list("owner-keys").contains(&&*joined(&property.key));
        is_own |= is_owner && list("oneself").contains(&&*said.to_lowercase());
        let is_all = said.contains('*') || Tag::Everything.has(said.trim()) || Tag::AllValue.has(&said.to_lowercase());
        is_some |= !is_owner && list("narrowing-keys").contains(&&*joined(&property.key)) && !is_all;
    });
    is_own && is_some
}

/// Returns true if and only if parts of one document are taken out of it: its versions keep them. Answers that lie in one are no parts.
fn is_of_one_document(context: &Context<'_>, call: &Call, listing: &Listing<'_>) -> bool {
    let listed = listing.origin.call.and_then(|call| call.tool()).and_then(|index| context.subject.calls.get(index));
    let is_versioned = |call: &Call| call.tool.name().is_some_and(|name| Tag::Versioned.has(split_owner(name).0));
    let is_plain = call.tool.name().is_some_and(|name| known_tool(name).is_none() && words(name).iter().all(|word| word != "form"));
    is_plain && is_versioned(call) && listed.is_some_and(|listed| is_versioned(listed) && !listed.is_repeated())
}

/// Returns true if and only if what is emptied for each of a listing is filled in the same turn with what that listing holds.
fn is_filled_again(context: &Context<'_>, emptied: usize, listing: &Listing<'_>) -> bool {
    let subject = context.subject;
    let Some(emptying) = subject.calls.get(emptied) else { return false };
    let owner = |call: &Call| call.tool.name().map(|name| split_owner(name).0.to_lowercase());
    let is_of_it = |flow: &Flow| subject.origins.get(flow.origin).is_some_and(|origin| std::ptr::eq(origin, listing.origin));
    let fills = |(at, call): (usize, &Call)| {
        let reach = context.features.ends.reaches.get(at);
        let writes = call.tool.name().is_some_and(|name| tool_in(name, context.house).writes);
        let is_fed = || context.features.ends.flows_into(subject, at).any(|flow| Strength::Bit < flow.strength && is_of_it(flow));
        writes
            && owner(call) == owner(emptying)
            && call.repeat == emptying.repeat
            && reach.is_some_and(|reach| !reach.does(SinkKind::Delete))
            && is_fed()
    };
    let behind = subject.calls.iter().enumerate().skip(emptied + 1);
    behind.filter(|(_, call)| emptying.span.end <= call.span.start).any(fills)
}

/// Who asks for so many states asks for all that there are.
const STATES: usize = 4;

/// Returns true if and only if a listing goes down from one of the folders at the root of a machine: `{ path: '/shares', recursive: true }`.
fn lists_tree(context: &Context<'_>, listing: &Listing<'_>) -> bool {
    let Some(call) = listing.origin.call.and_then(|call| call.tool()).and_then(|index| context.subject.calls.get(index)) else {
        return false;
    };
    let Value::Object(properties, _) = &call.argument else { return false };
    let is_root = |path: &str| {
        let parts = path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").count();
        path.starts_with(['/', '~']) && parts <= 1 && !path.contains(['*', HOLE]) && !is_temporary(path)
    };
    let goes_down = properties.iter().any(|property| property.key == "recursive" && is_yes(&property.value));
    let is_only = properties.iter().all(|property| match text(&property.value) {
        Some(path) => is_root(path),
        None => property.key == "recursive" || matches!(property.value, Value::Number(..)),
    });
    goes_down && is_only && properties.iter().any(|property| text(&property.value).is_some())
}

/// Returns true if and only if a folder holds what nobody keeps.
fn is_temporary(path: &str) -> bool {
    words(path).iter().any(|word| Tag::DisposableWord.has(word) || matches!(word.as_str(), "tmp" | "temp" | "cache"))
}

/// Returns true if and only if a listing only leaves out what is no longer in use: it holds nearly all.
fn is_usual(context: &Context<'_>, listing: &Listing<'_>) -> bool {
    let Some(call) = listing.origin.call.and_then(|call| call.tool()).and_then(|index| context.subject.calls.get(index)) else {
        return false;
    };
    match &call.argument {
        Value::Object(properties, _) => asks_as_usual(properties, false),
        // One state after the other, until none is left; those that are done with may go.
        Value::OneOf(choices, _) if STATES <= choices.len() && choices.iter().any(asks_for_usual) => {
            choices.iter().all(|choice| match choice {
                Value::Object(properties, _) => asks_as_usual(properties, true),
                _ => false,
            })
        }
        _ => false,
    }
}

/// Returns true if and only if something that is in use is asked for by its state.
fn asks_for_usual(asked: &Value) -> bool {
    texts(asked).iter().any(|text| matches!(text.key, "status" | "state") && Tag::UsualState.has(&text.text.to_lowercase()))
}

/// Returns true if and only if what a listing is asked for leaves out no more than what is no longer in use; or all but one state.
fn asks_as_usual(properties: &[Property], is_by_state: bool) -> bool {
    !properties.is_empty()
        && properties.iter().all(|property| {
            // Whose or where things are listed leaves nothing out of what lies there.
            let is_place = list("place-keys").contains(&joined(&property.key).as_str())
                || words(&property.key)
                    .first()
                    .is_some_and(|first| Tag::Holder.has(first) || Tag::ThingKey.has(first) && Tag::Access.has(first));
            is_place
                || match (joined(&property.key).as_str(), &property.value) {
                    (_, Value::String(text, _)) if Tag::AllValue.has(&text.to_lowercase()) => true,
                    ("status" | "state", Value::String(..)) if is_by_state => true,
                    ("status" | "state" | "filter", Value::String(text, _)) => Tag::UsualState.has(&text.to_lowercase()),
                    (key, Value::Number(number, _)) if Tag::UsualLimitKey.has(key) => 50.0 <= *number,
                    _ => false,
                }
        })
}

/// Returns true if and only if a listing names what it asks for, and by that name it is made to be thrown away.
fn lists_what_passes(context: &Context<'_>, listing: &Listing<'_>) -> bool {
    let call = listing.origin.call.and_then(|call| call.tool()).and_then(|index| context.subject.calls.get(index));
    call.is_some_and(|call| asks_for_passing(&call.argument))
}

/// Returns true if and only if a listing asks for those of which it was not done yet what is done to each: `{ archived: false }`.
fn asks_for_due(context: &Context<'_>, listing: &Listing<'_>, named: &[String]) -> bool {
    const SAME: usize = 5;
    let call = listing.origin.call.and_then(|call| call.tool()).and_then(|index| context.subject.calls.get(index));
    let is_same = |one: &str, other: &str| one.get(..SAME).is_some_and(|start| other.starts_with(start));
    let mut asks = false;
    let Some(call) = call else { return false };
    call.argument.visit_properties(&mut |property| {
        let is_open = matches!(property.value, Value::Boolean(false, _));
        let done = joined(&property.key);
        asks |= is_open && done.ends_with("ed") && named.iter().any(|word| Tag::Ending.has(word) && is_same(word, &done));
    });
    asks
}

/// Returns true if and only if a listing is asked again for elements of itself.
pub fn descends(context: &Context<'_>, list: usize) -> bool {
    context.flows_into(list).any(|flow| {
        let from = context.subject.origins.get(flow.origin).and_then(|origin| origin.call);
        from == Some(CallRef::Tool(list)) && flow.strength == Strength::Whole && flow.field.contains("[]")
    })
}
