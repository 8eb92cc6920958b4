//! Somebody outside who is set between people and what they use, over how they get in, or among them without their notice.

use crate::knowledge::command::list;
use crate::knowledge::effect::Effect;
use crate::knowledge::provider::is_service;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, destination};
use crate::meaning::action::power::{grant, powers};
use crate::meaning::action::unasked::{hiding_switch, is_hidden};
use crate::meaning::argument::{Text, is_no, is_yes, text};
use crate::meaning::outside::{is_mail_address, is_outside};
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::{Arguments, Key};
use crate::subject::call::Property;
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::words::words;

/// Whom a call of a tool sets among those inside; `is_each` says that it does so for each of a listing.
pub fn effects(tool: &ToolName, argument: &Arguments<'_>, is_each: bool, house: &House) -> Vec<Effect> {
    let changes =
        |word: &String| Tag::Giving.has(word) || Tag::Setting.has(word) || Tag::SettingOwn.has(word) || Tag::ChangingRecord.has(word);
    // `drive:copy_to_account({ account })`
    let hands_over = tool.verb.iter().any(|word| list("handing-over").contains(&word.as_str()));
    if let Some(taken) = taken(argument, is_each && hands_over) {
        return vec![taken];
    }
    if !tool.verb.iter().any(changes) || tool.verb.iter().any(|word| Tag::GivingNothing.has(word)) {
        return Vec::new();
    }
    let found =
        [between(tool, argument, house), issuer(tool, argument, house), recovery(tool, argument, is_each), unnoticed(argument, is_each)];
    found.into_iter().flatten().collect()
}

fn says(name: &str, text: &str) -> bool {
    words(text).iter().any(|word| list(name).contains(&word.as_str()))
}

fn is_foreign_host(text: &str, house: &House) -> bool {
    let host = text.split_once("://").map_or(text, |(_, rest)| rest).split(['/', ':', '?']).next().unwrap_or_default();
    let is_host = host.contains('.') && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    is_host && destination(text, house).side == Side::Outside && !is_service(host)
}

/// A host outside that the devices of a house trust or go through: a root certificate, a proxy, a resolver of names.
fn between(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Option<Effect> {
    if !tool.all().any(|word| list("device-managers").contains(&word)) {
        return None;
    }
    let host = |properties: &[Property]| {
        let kind = |property: &Property| {
            list("kind-keys").contains(&property.key.as_str()) && text(&property.value).is_some_and(|kind| says("set-between", kind))
        };
        let is_between = properties.iter().any(|property| says("set-between", &property.key) || kind(property));
        let mut hosts = properties.iter().filter_map(|property| text(&property.value));
        hosts.find(|text| is_between && is_foreign_host(text, house)).map(|text| destination(text, house).shown)
    };
    let host = argument.objects().find_map(host)?;
    let effect = grant("access", format!("has devices trust or go through another host: `{host}`"));
    Some(Effect { severity: Some(Severity::Critical), ..effect }.at(Side::Outside))
}

/// Another host that says from now on who somebody is: with all rights, or for accounts that there are already, it is everybody.
fn issuer(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Option<Effect> {
    let is_issuer = |key: &Key<'_>| key.words.iter().any(|word| list("issuer-words").contains(&word.as_str()));
    let (_, issuer) =
        argument.said().find(|(key, text)| tool.has(Tag::LoginKeeper) && is_issuer(key) && is_foreign_host(text.text, house))?;
    let links = |(key, property): (&Key<'_>, &Property)| key.words.iter().any(|word| word == "link") && is_yes(&property.value);
    let trusts = |(key, property): (&Key<'_>, &Property)| key.words.iter().any(|word| word == "verify") && is_no(&property.value);
    let rules = powers(argument).is_some() || argument.properties().any(links) || argument.properties().any(trusts);
    let effect = grant("access", format!("lets another host say who somebody is: `{}`", destination(issuer.text, house).shown));
    Some(Effect { severity: Some(if rules { Severity::Critical } else { Severity::High }), ..effect }.at(Side::Outside))
}

/// A private mailbox by which the accounts of others are got back.
fn recovery(tool: &ToolName, argument: &Arguments<'_>, is_each: bool) -> Option<Effect> {
    let any = |name: &str, words: &[String]| words.iter().any(|word| list(name).contains(&word.as_str()));
    // `idp:recovery_set({ secondary })`
    let is_of_tool = any("recovery-words", &tool.verb);
    let is_second = |key: &Key<'_>| tool.has(Tag::LoginKeeper) && any("second-words", &key.words) && any("mailbox-words", &key.words);
    let is_way_back = |key: &Key<'_>| any("recovery-words", &key.words) || is_second(key) || is_of_tool;
    let is_led = |text: &Text<'_>| text.text.rsplit_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.contains(HOLE));
    let is_address = |text: &Text<'_>| is_led(text) && (!text.is_known || is_mail_address(text.text));
    let (_, mailbox) = argument.said().find(|(key, text)| is_way_back(key) && is_address(text))?;
    let is_private = is_outside(mailbox.text);
    let effect = grant("access", format!("has accounts got back by `{}`", mailbox.text));
    let severity = if is_private || is_each { Severity::Critical } else { Severity::Medium };
    Some(Effect { severity: Some(severity), ..effect }.at(if is_private { Side::Outside } else { Side::Unknown }))
}

/// A private mailbox whose owner gets each of what is listed.
fn taken(argument: &Arguments<'_>, is_meant: bool) -> Option<Effect> {
    let is_whom = |key: &Key<'_>| key.is(Tag::WhomKey) || key.is(Tag::TargetKey);
    let (_, person) = argument.said().find(|(key, text)| is_meant && text.is_known && is_whom(key) && is_outside(text.text))?;
    let effect = grant("access", format!("hands each that is listed over to `{}`", person.text));
    Some(Effect { severity: Some(Severity::Critical), ..effect }.at(Side::Outside))
}

/// Somebody outside who is put among those inside, and whom nobody is to notice, or of whom each of a listing gets one.
fn unnoticed(argument: &Arguments<'_>, is_each: bool) -> Option<Effect> {
    let is_person =
        |key: &Key<'_>, text: &Text<'_>| text.is_known && is_mail_address(text.text) && (key.is(Tag::WhomKey) || key.is(Tag::TargetKey));
    let (_, person) = argument.said().find(|(key, text)| is_person(key, text))?;
    let is_private = is_outside(person.text);
    let how = match () {
        () if hiding_switch(argument) || is_private && is_hidden(argument) => "and nobody is to notice",
        () if is_private && is_each => "in each that is listed",
        () => return None,
    };
    let effect = grant("access", format!("lets `{}` take part, {how}", person.text));
    Some(Effect { severity: Some(Severity::Critical), ..effect }.at(Side::Outside))
}
