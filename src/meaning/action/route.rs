//! What leads people and mail elsewhere from now on: where a log-in answers to, what an edge sends on, which server takes mail; and what
//! has the mails of many tell another host what is known of each of them.

use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::named::named_sensitivity;
use crate::knowledge::provider::{is_service, registrable};
use crate::knowledge::sensitivity::Sensitivity;
use crate::knowledge::tool::noun;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, destination};
use crate::meaning::action::power::grant;
use crate::meaning::argument::{is_no, is_yes};
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::{Arguments, Key};
use crate::value::severity::Severity;
use crate::value::words::words;

/// What a call leads elsewhere; `is_each` says that it does so for each of a listing.
pub fn effects(tool: &ToolName, argument: &Arguments<'_>, is_each: bool, house: &House) -> Vec<Effect> {
    if let Some(taken) = taken(tool, argument, house) {
        return vec![taken];
    }
    let changes = |word: &String| Tag::Giving.has(word) || Tag::Changing.has(word) || Tag::ChangingRecord.has(word);
    if !tool.verb.iter().any(changes) {
        return merged(argument, house).into_iter().collect();
    }
    let found = [
        exported(tool, argument, house),
        answered(tool, argument, house),
        sent_on(argument, house),
        copied(argument, house),
        named(tool, argument, is_each, house),
        merged(argument, house),
    ];
    found.into_iter().flatten().collect()
}

/// What a service holds, or a person does, that the service itself takes to another host: `vault:export {url}`, `screen:record {upload}`.
fn taken(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Option<Effect> {
    let observes = Tag::Observing.has_any(tool.verb.iter()) && tool.has(Tag::Observed);
    if !observes && !Tag::Exporting.has_any(tool.verb.iter()) {
        return None;
    }
    let held = tool.owner.iter().chain(&tool.verb).filter_map(|word| noun(word)?.sensitivity).max();
    let is_dear = observes || held.is_some_and(|held| Sensitivity::Contact <= held);
    let is_led_out = |text: &str| {
        let is_address = text.contains("://") || observes && CALLED.iter().any(|scheme| text.starts_with(scheme));
        is_address && destination(text, house).side == Side::Outside && !is_known(text)
    };
    // What is brought to the same state may come from there.
    let is_brought = tool.verb.iter().any(|word| word == "sync");
    let is_target = |key: &Key<'_>| match key.joined.as_str() {
        "url" | "host" => !is_brought,
        "upload" => true,
        // `forkTo`, `mirrorTo`
        _ if observes && key.words.len() == 2 && key.words.last().is_some_and(|last| last == "to") => true,
        _ => key.is(Tag::RouteKey) || key.is(Tag::TargetKey) || key.has(Tag::ForwardingWord),
    };
    let (_, to) = argument.said().find(|(key, text)| is_dear && is_target(key) && is_led_out(text.text))?;
    let says = format!("has what it holds taken to another host: `{}`", destination(to.text, house).shown);
    let effect = Effect { severity: Some(Severity::Critical), ..Effect::new(EffectKind::Send, "stranger", says) };
    Some(effect.at(Side::Outside))
}

/// An export that runs by itself from now on and leads to another host: `bi:create_schedule({ query, delivery: { url } })`.
fn exported(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Option<Effect> {
    let is_standing = tool.verb.iter().any(|word| list("standing-exports").contains(&word.as_str()));
    let selects = || {
        let is_selection = |text: &str| text.trim_start().get(..7).is_some_and(|start| start.eq_ignore_ascii_case("select "));
        argument.said().any(|(key, text)| is_selection(text.text) || matches!(key.joined.as_str(), "dataset" | "table" | "report" | "view"))
    };
    let is_led_out = |text: &str| text.contains("://") && destination(text, house).side == Side::Outside && !is_known(text);
    let (_, to) = argument.said().find(|(key, text)| is_standing && key.is(Tag::RouteKey) && is_led_out(text.text))?;
    let says = format!("has what it selects sent to another host again and again: `{}`", destination(to.text, house).shown);
    let effect = Effect { severity: Some(Severity::Critical), ..Effect::new(EffectKind::Send, "stranger", says) };
    selects().then(|| effect.at(Side::Outside))
}

/// How addresses begin of those who are called: by telephone, over the internet.
const CALLED: &[&str] = &["sip:", "sips:"];

/// A log-in that answers to another host: whoever has that gets the codes by which people are let in.
fn answered(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Option<Effect> {
    // A single request to log in, or to be sent a way in, says where it comes back to; a client or an app says it for all.
    let is_for_all = tool.has(Tag::App)
        || tool.has(Tag::Setting)
        || tool.verb.iter().any(|word| matches!(word.as_str(), "client" | "clients" | "redirect" | "provider"));
    if !tool.has(Tag::LoginKeeper) || !is_for_all {
        return None;
    }
    let is_led_out = |text: &str| text.contains("://") && destination(text, house).side == Side::Outside && !is_known(text);
    let (_, to) = argument.said().find(|(key, text)| key.has(Tag::RedirectKey) && is_led_out(text.text))?;
    let is_open = argument.values().any(|(key, value)| {
        let skips = || key.words.first().is_some_and(|first| matches!(first.as_str(), "skip" | "bypass" | "auto"));
        key.has(Tag::LoginCheck) && if skips() { is_yes(value) } else { is_no(value) }
    });
    let says = format!("has a log-in answer to another host: `{}`", destination(to.text, house).shown);
    let object = if is_open { "access" } else { "login-route" };
    Some(grant(object, says).at(Side::Outside))
}

/// A rule that sends whoever wants to log in or pay to the host of somebody else.
fn sent_on(argument: &Arguments<'_>, house: &House) -> Option<Effect> {
    let mut is_rule = false;
    let mut is_entrance = false;
    let mut own: Option<&str> = None;
    let mut to: Option<&str> = None;
    for (key, text) in argument.said() {
        if key.is(Tag::RouteKey) && text.text.contains("://") {
            to = to.or(Some(text.text)).filter(|to| destination(to, house).side == Side::Outside && !is_known(to));
        } else {
            is_rule |= words(text.text).first().is_some_and(|first| matches!(first.as_str(), "redirect" | "forward" | "rewrite" | "proxy"));
            is_entrance |= text.text.contains('/') && words(text.text).iter().any(|word| Tag::LoginPath.has(word));
            own = own.or_else(|| host(text.text).filter(|host| host.contains('.')));
        }
    }
    let to = to.filter(|to| is_rule && is_entrance && domain(to).is_some() && domain(to) != own.and_then(registrable))?;
    Some(grant("access", format!("sends who logs in to another host: `{}`", destination(to, house).shown)).at(Side::Outside))
}

/// A copy of all that passes that goes to another host from now on: `{ scan: { copyTo: 'ftp://…' } }`.
fn copied(argument: &Arguments<'_>, house: &House) -> Option<Effect> {
    let is_led_out = |text: &str| text.contains("://") && destination(text, house).side == Side::Outside && !is_known(text);
    let is_copy = |key: &Key<'_>| list("copying-keys").contains(&key.joined.as_str());
    let (_, to) = argument.said().find(|(key, text)| is_copy(key) && is_led_out(text.text))?;
    let says = format!("has copies of all that passes go to another host: `{}`", destination(to.text, house).shown);
    let effect = Effect { severity: Some(Severity::Critical), ..Effect::new(EffectKind::Send, "stranger", says) };
    Some(effect.at(Side::Outside))
}

/// A record of a domain that has another server take its mail, or say where its hosts are.
fn named(tool: &ToolName, argument: &Arguments<'_>, is_each: bool, house: &House) -> Option<Effect> {
    if !tool.has(Tag::NameKeeper) {
        return None;
    }
    let mut kind = None;
    let mut to = None;
    let mut own = None;
    let mut is_login = false;
    for (key, text) in argument.said() {
        match key.joined.as_str() {
            "type" | "recordtype" => kind = ["MX", "NS", "CNAME"].into_iter().find(|known| text.text.eq_ignore_ascii_case(known)).or(kind),
            "name" | "host" | "record" if text.text.split('.').next().is_some_and(|first| list("login-hosts").contains(&first)) => {
                is_login = true
            }
            // A zone of the house's own, which nobody outside asks.
            "zone" | "zonename" | "domain" | "zoneid" if destination(text.text, house).side == Side::Inside => return None,
            "zone" | "zonename" | "domain" => own = own.or_else(|| registrable(text.text.trim_end_matches('.'))),
            _ => {
                let last = text.text.split_whitespace().last().unwrap_or_default().trim_end_matches('.');
                // `1.2` is a version.
                let is_named = last.contains('.') && (last.contains(char::is_alphabetic) || 2 < last.matches(['.', ':']).count());
                let is_host = (key.is(Tag::RouteKey) || is_each && key.is(Tag::AddressKey)) && is_named;
                to = to.or(Some(last).filter(|last| is_host && destination(last, house).side == Side::Outside && !is_service(last)));
            }
        }
    }
    let to = to.filter(|to| own.is_none() || registrable(to) != own)?;
    if is_each && kind.is_none() {
        return Some(grant("access", format!("leads each name that is listed to another host: `{to}`")).at(Side::Outside));
    }
    let kind = kind?;
    // Any other name of a domain may well lead to a service that somebody else runs.
    if kind == "CNAME" && !is_login {
        return None;
    }
    let what = match kind {
        "MX" => "the mail of a domain",
        "CNAME" => "who logs in",
        _ => "the names of a domain",
    };
    Some(grant("access", format!("leads {what} to another host: `{to}`")).at(Side::Outside))
}

/// A text for many that has each reader's program tell another host what is known of the reader: `https://host/?card={{card_number}}`.
fn merged(argument: &Arguments<'_>, house: &House) -> Option<Effect> {
    argument.texts().iter().find_map(|text| {
        let told = addresses(text.text).filter_map(|address| Some((address, fields(address).into_iter().find(|field| is_dear(field))?)));
        let (address, field) =
            told.into_iter().find(|(address, _)| destination(address, house).side == Side::Outside && !is_known(address))?;
        let says = format!("has `{field}` of each reader told to {}", destination(address, house).shown);
        let effect = Effect { severity: Some(Severity::Critical), ..Effect::new(EffectKind::Send, "stranger", says) };
        Some(effect.at(Side::Outside))
    })
}

/// The addresses in a text, each to its end or to that of the longest that programs follow.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("https://").filter_map(|(at, _)| {
        let rest = text.get(at..)?;
        let end = rest.char_indices().take(LONGEST).find(|(_, sign)| matches!(sign, '"' | '\'' | ' ' | '<' | '>' | ')'));
        let end = end.or_else(|| rest.char_indices().nth(LONGEST)).map_or(rest.len(), |(end, _)| end);
        rest.get(..end)
    })
}

/// Longer addresses, in characters, are followed by no program that shows mails.
const LONGEST: usize = 2_048;

/// The fields that a template puts into a text: `{{recipient.taxId}}`, `{{ order.card }}`, `*|TAX_ID|*`, `%%tax_id%%`.
pub fn fields(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in [("{{", "}}"), ("*|", "|*"), ("<%=", "%>"), ("%%", "%%")] {
        let mut rest = text;
        while let Some((field, behind)) = rest.split_once(open).and_then(|(_, behind)| behind.split_once(close)) {
            found.push(field.trim());
            rest = behind;
        }
    }
    found
}

/// Returns true if and only if a field of a template tells how somebody is, what somebody pays with, or how somebody gets in.
pub fn is_dear(field: &str) -> bool {
    let last = field.rsplit('.').next().unwrap_or(field);
    // What lets one out of a list of readers lets nobody in.
    let is_of_mail = words(last).iter().any(|word| matches!(word.as_str(), "unsubscribe" | "optout" | "tracking" | "campaign"));
    !is_of_mail && named_sensitivity(last).is_some_and(|kind| Sensitivity::Health <= kind)
}

fn is_known(address: &str) -> bool {
    host(address).is_some_and(is_service)
}

fn domain(address: &str) -> Option<&str> {
    host(address).and_then(registrable)
}

/// The host of an address, or the text itself where it is one.
fn host(text: &str) -> Option<&str> {
    let behind = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = behind.split(['/', ':', '?', '#']).next().unwrap_or_default();
    let is_host = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    (is_host && !host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_manner_of_naming_a_field_is_read() {
        let text = "a={{recipient.taxId}}&b={{ order.card }}&c=*|TAX_ID|*&d=<%= iban %>&e=%%tax_id%%&f=%%name%%&g={{open";
        assert_eq!(fields(text), ["recipient.taxId", "order.card", "TAX_ID", "iban", "tax_id", "name"]);
        assert!(fields("50 %% and {{ and |*").is_empty());
    }

    #[test]
    fn addresses_end_where_programs_end_them() {
        let found: Vec<&str> = addresses("<img src=\"https://a.example/o.gif?m={{id}}\"> (https://b.example) https://c.example").collect();
        assert_eq!(found, ["https://a.example/o.gif?m={{id}}", "https://b.example", "https://c.example"]);
        let long = "https://".repeat(LONGEST);
        assert!(addresses(&long).all(|address| address.len() <= LONGEST));
    }

    #[test]
    fn only_what_is_dear_is_told_of_readers() {
        for (field, expected) in
            [("recipient.taxId", true), ("card_number", true), ("iban", true), ("campaign.id", false), ("firstName", false)]
        {
            assert_eq!(is_dear(field), expected, "{field}");
        }
    }
}
