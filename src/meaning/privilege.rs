//! What a call opens: roles, policies, keys, shares, and guards that it switches off.

use std::net::Ipv4Addr;

use crate::knowledge::effect::EffectKind;
use crate::knowledge::host::is_inside_v4;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, destination};
use crate::meaning::argument::{Text, is_no, is_yes, text, texts};
use crate::meaning::harm::{Harm, worse, worst};
use crate::meaning::outside::{is_collector, is_everybody, is_mail_address, is_outside};
use crate::meaning::tool_kind::ToolName;
use crate::meaning::{keys, rights};
use crate::subject::call::{Call, Property, Value};
use crate::value::severity::Severity;
use crate::value::words::{joined, words};

/// What a call opens, if it opens anything: by the name of its tool, or by that of the operation which its argument names.
/// What the user says of the tool is believed.
pub fn of_call(call: &Call, house: &House) -> Option<Harm> {
    let name = call.tool.name()?;
    let said = [EffectKind::Grant, EffectKind::GuardOff].map(|kind| house.says(name, kind));
    if said == [Some(false); 2] {
        return None;
    }
    let tool = ToolName::of(name);
    let operation = rights::operation(&tool, &call.argument);
    let names = std::iter::once(&tool).chain(&operation);
    let found = worst(names.flat_map(|tool| [rights::harm(tool, &call.argument, house), of_tool(tool, &call.argument, house)]).flatten());
    found.or_else(|| match said {
        [_, Some(true)] => Some(Harm::critical("switches off a guard, as the settings say")),
        [Some(true), _] => Some(Harm::medium("gives rights, as the settings say")),
        _ => None,
    })
}

fn of_tool(tool: &ToolName, argument: &Value, house: &House) -> Option<Harm> {
    if let Some(harm) = guard(tool, argument) {
        return Some(harm);
    }
    let verb = tool.verb.iter().map(String::as_str).find(|word| Tag::Giving.has(word) || Tag::GivingNothing.has(word))?;
    if Tag::GivingNothing.has(verb) {
        return None;
    }
    if tool.has(Tag::PublishedText) && !tool.has(Tag::Right) {
        return None;
    }
    let credential = keys::credential(tool, verb, argument);
    if !tool.has(Tag::Access) && !tool.has(Tag::KeyOrHook) {
        return credential;
    }
    let opened = worse(policies(argument), worse(ingress(tool, argument), worse(hook(tool, argument, house), everybody(tool, argument))));
    worse(worse(opened, powers(argument)), worse(credential, plain_grant(tool, verb, argument)))
}

/// A guard that is switched off: by the verb of the tool, or by a switch in its argument.
fn guard(tool: &ToolName, argument: &Value) -> Option<Harm> {
    let name = tool.verb.concat();
    let guarded = |word: &str| Tag::Guard.has(word);
    let names_guard = tool.all().any(guarded) || Tag::GuardName.words().any(|guard| name.contains(guard));
    let is_rule = Tag::GuardPart.has_any(tool.verb.iter());
    let is_off = Tag::LiftingGuard.has_any(tool.verb.iter());
    if names_guard && is_off && !is_rule {
        return Some(Harm::critical(format!("switches off a guard: `{}`", tool.verb.join(" "))));
    }
    let changes = tool.verb.iter().any(|word| Tag::Giving.has(word) || Tag::Setting.has(word));
    if !changes {
        return None;
    }
    let mut found = None;
    argument.visit_properties(&mut |property| {
        let key = words(&property.key);
        let switch = key.iter().filter(|word| !Tag::OnWord.has(word));
        let is_guard = is_guard_name(&switch.map(String::as_str).collect::<Vec<_>>());
        let is_inner_off = || matches!(&property.value, Value::Object(inner, _) if inner.iter().any(|inner| inner.key == "enabled" && is_no(&inner.value)));
        let is_negative = Tag::OffWord.has_any(key.iter());
        let is_off_here = if is_negative { is_yes(&property.value) && Tag::Guard.has_any(key.iter()) } else { is_guard && (is_no(&property.value) || is_inner_off()) };
        // `{ feature: 'mfa', enabled: false }`
        let is_named = property.key == "enabled" && is_no(&property.value) && (names_guard || texts(argument).iter().any(|text| Tag::Guard.has(&joined(text.text))));
        if is_off_here || is_named {
            found = Some(Harm::critical(format!("switches off a guard: `{}`", property.key)));
        }
    });
    found
}

fn is_guard_name(name: &[&str]) -> bool {
    Tag::Guard.has(&name.concat())
        || matches!(name, [first, ..] if Tag::FirstGuard.has(first))
        || matches!(name, [.., last] if Tag::LastGuard.has(last))
}

/// A policy that allows everything, as an object or written as JSON.
fn policies(argument: &Value) -> Option<Harm> {
    let mut found = None;
    visit_objects(argument, &mut |properties| {
        let by = |names: &[&str]| {
            properties.iter().find(|property| names.contains(&property.key.to_lowercase().as_str())).map(|property| &property.value)
        };
        let holds_star =
            |value: Option<&Value>, star: fn(&str) -> bool| value.is_some_and(|value| texts(value).iter().any(|text| star(text.text)));
        if by(&["effect"]).and_then(text).is_some_and(|effect| effect.eq_ignore_ascii_case("deny")) {
            return;
        }
        let is_all = holds_star(by(&["action", "actions", "notaction", "verbs", "permissions"]), |text| matches!(text, "*" | "*:*"));
        let is_wide = holds_star(by(&["action", "actions"]), |text| text.ends_with(":*"));
        let is_everywhere = holds_star(by(&["resource", "resources"]), |text| text == "*");
        let is_for_all = holds_star(by(&["principal", "principals"]), |text| text == "*");
        found = worse(
            found.take(),
            match () {
                () if is_for_all => Some(Harm::critical("lets everybody in by a policy")),
                () if is_all || is_wide && is_everywhere => Some(Harm::critical("allows every action by a policy")),
                () if is_wide || is_everywhere => Some(Harm::high("allows more than one thing by a policy with a star")),
                () => None,
            },
        );
    });
    let written =
        texts(argument).iter().filter(|text| text.text.contains('{')).fold(None, |worst, text| worse(worst, written_policy(text.text)));
    worse(found, written)
}

fn written_policy(json: &str) -> Option<Harm> {
    let tight: String = json.chars().filter(|character| !character.is_whitespace()).collect::<String>().to_lowercase();
    if !tight.contains("\"effect\":\"allow\"") {
        return None;
    }
    let has = |key: &str| tight.contains(&format!("\"{key}\":\"*\"")) || tight.contains(&format!("\"{key}\":[\"*\"]"));
    match () {
        () if has("principal") || tight.contains("\"principal\":{\"aws\":\"*\"}") => Some(Harm::critical("lets everybody in by a policy")),
        () if has("action") => Some(Harm::critical("allows every action by a policy")),
        () if has("resource") && tight.contains(":*\"") => Some(Harm::critical("allows every action of a service by a policy")),
        () if has("resource") => Some(Harm::high("allows more than one thing by a policy with a star")),
        () => None,
    }
}

fn visit_objects<'v>(value: &'v Value, visit: &mut impl FnMut(&'v [Property])) {
    match value {
        Value::Object(properties, _) => {
            visit(properties);
            properties.iter().for_each(|property| visit_objects(&property.value, visit));
        }
        Value::Array(elements, _) | Value::OneOf(elements, _) => elements.iter().for_each(|element| visit_objects(element, visit)),
        Value::Missing
        | Value::String(..)
        | Value::Number(..)
        | Value::Boolean(..)
        | Value::Null(_)
        | Value::Partial(..)
        | Value::Dynamic(_) => {}
    }
}

/// A rule that lets the whole internet in.
fn ingress(tool: &ToolName, argument: &Value) -> Option<Harm> {
    let all = texts(argument);
    let is_open = all.iter().any(|text| matches!(text.text, "0.0.0.0/0" | "::/0"));
    let goes_out = tool.has(Tag::Egress) || all.iter().any(|text| Tag::NoIngress.has(&text.text.to_lowercase()));
    if !is_open || goes_out {
        return None;
    }
    let (mut is_web, mut has_port) = (true, false);
    argument.visit("", &mut |key, value| {
        if words(key).last().is_some_and(|last| matches!(last.as_str(), "port" | "ports")) {
            has_port |= matches!(value, Value::Number(..) | Value::String(..));
            is_web &= match value {
                Value::Number(port, _) => *port == 443.0 || *port == 80.0,
                Value::String(port, _) => matches!(port.as_str(), "443" | "80"),
                _ => true,
            };
        }
    });
    Some(if has_port && is_web {
        Harm::medium("opens a port of the web to the whole internet")
    } else {
        Harm::critical("opens a port to the whole internet")
    })
}

/// A webhook to where anybody reads.
fn hook(tool: &ToolName, argument: &Value, house: &House) -> Option<Harm> {
    if !tool.has(Tag::Hook) {
        return None;
    }
    let urls: Vec<Text<'_>> = texts(argument).into_iter().filter(|text| text.text.contains("://")).collect();
    match () {
        () if urls.iter().any(|url| is_collector(url.text)) => {
            Some(Harm::critical("sends events to a host that collects them for anybody"))
        }
        () if !urls.is_empty() && urls.iter().all(|url| is_inside(url.text, house)) => {
            Some(Harm { severity: Severity::Low, what: "sends events to a host of the own network".to_owned() })
        }
        () if !urls.is_empty() && carries_content(argument) => Some(Harm::critical("sends all that happens to another host from now on")),
        () if !urls.is_empty() => Some(Harm::medium("sends events to another host from now on")),
        () => None,
    }
}

/// Returns true if and only if a URL leads to the own machine or network.
fn is_inside(url: &str, house: &House) -> bool {
    destination(url, house).side == Side::Inside
}

/// Returns true if and only if a hook sends what the records say, or tells of every event.
fn carries_content(argument: &Value) -> bool {
    let mut carries = false;
    argument.visit_properties(&mut |property| {
        let name = words(&property.key);
        let tight = name.concat();
        let is_content = name.first().is_some_and(|first| matches!(first.as_str(), "include" | "with" | "send"))
            && Tag::ContentWord.has_any(name.iter());
        carries |=
            is_content && is_yes(&property.value) || matches!(tight.as_str(), "fullpayload" | "rawpayload") && is_yes(&property.value);
    });
    carries
}

/// A share with everybody.
fn everybody(tool: &ToolName, argument: &Value) -> Option<Harm> {
    let makes_public = tool.verb.windows(2).any(|pair| matches!(pair, [make, public] if make == "make" && public == "public"));
    let mut is_public = makes_public;
    argument.visit("", &mut |key, value| {
        let name = joined(key);
        is_public |= match value {
            Value::String(text, _) => Tag::WhomKey.has(&name) && is_everybody(text),
            Value::Boolean(..) => is_yes(value) && Tag::PublicSwitch.has(&name),
            _ => false,
        };
    });
    is_public.then(|| Harm::critical("opens it to everybody"))
}

/// The rights over all that an argument gives.
pub fn powers(argument: &Value) -> Option<Harm> {
    let mut found = None;
    argument.visit("", &mut |key, value| {
        let name = joined(key);
        let is_power = match value {
            // `roleRef: { kind: 'ClusterRole', name: 'cluster-admin' }`
            Value::Object(inner, _) if Tag::RoleKey.has(&name) => {
                inner.iter().filter(|inner| Tag::RoleName.has(&joined(&inner.key))).any(|inner| text(&inner.value).is_some_and(gives_power))
            }
            Value::String(text, _) => Tag::GrantKey.has(&name) && gives_power(text),
            Value::Boolean(..) => is_yes(value) && Tag::PowerSwitch.has(&name),
            _ => false,
        };
        if is_power && found.is_none() {
            found = Some(Harm::critical(format!("gives all rights by `{key}`")));
        }
    });
    found
}

fn gives_power(text: &str) -> bool {
    let last = text.rsplit(['/', ':']).next().unwrap_or(text);
    // `admin:write`, `admin.all`: the first part says of what, the last one what may be done to it.
    let first = text.split([':', '.', '/']).next().unwrap_or(text);
    let does_much = Tag::MuchRight.has(&words(text.rsplit([':', '.', '/']).next().unwrap_or(text)).concat())
        || text.ends_with(":*")
        || text.ends_with(".*");
    let is_little = |part: &str| Tag::LittleRight.has_any(words(part));
    if first != text && Tag::Power.has(&joined(first)) && (does_much || !is_little(text)) || Tag::AllRights.has(text.trim()) {
        return true;
    }
    let parts = words(last);
    let is_less = is_little(last);
    !is_less && (text.trim() == "*" || Tag::Power.has(&parts.concat()) || Tag::PowerWord.has_any(parts.iter()))
}

/// Returns true if and only if an argument writes out what is allowed, without a star for all, or lets in addresses of the own network only.
fn is_narrow(argument: &Value) -> bool {
    let mut has_policy = false;
    visit_objects(argument, &mut |properties| {
        let has = |key: &str| {
            properties.iter().any(|property| property.key.eq_ignore_ascii_case(key) && !matches!(property.value, Value::Dynamic(_)))
        };
        let allows = properties.iter().any(|property| {
            property.key.eq_ignore_ascii_case("effect") && text(&property.value).is_some_and(|effect| effect.eq_ignore_ascii_case("allow"))
        });
        has_policy |= allows && has("action") && has("resource");
    });
    let all = texts(argument);
    has_policy |= all.iter().any(|text| {
        let tight = text.text.to_lowercase();
        text.is_known && ["\"effect\"", "\"action\"", "\"resource\""].iter().all(|key| tight.contains(key))
    });
    let ranges: Vec<&str> = all
        .iter()
        .map(|text| text.text)
        .filter(|text| text.contains('/') && text.starts_with(|first: char| first.is_ascii_digit()))
        .collect();
    let is_private = |range: &&str| {
        let address = range.split('/').next().and_then(|address| address.parse().ok());
        address.is_some_and(|address: Ipv4Addr| is_inside_v4(address) && !address.is_unspecified()) || range.ends_with("/32")
    };
    (has_policy || !ranges.is_empty() && ranges.iter().all(is_private)) && policies(argument).is_none()
}

/// A grant to somebody of something that is not all.
fn plain_grant(tool: &ToolName, verb: &str, argument: &Value) -> Option<Harm> {
    let is_about_access = tool.has(Tag::SharedAccess);
    let gives = Tag::GivingRights.has(verb);
    let makes = matches!(verb, "create" | "append" | "insert");
    if !is_about_access || !gives && !makes {
        return None;
    }
    let all = texts(argument);
    let outside = all.iter().find(|text| Tag::WhomKey.has(&joined(text.key)) && is_outside(text.text));
    if let Some(outside) = outside {
        return Some(Harm::critical(format!("gives access to somebody outside: `{}`", outside.text)));
    }
    if makes || is_narrow(argument) {
        return None;
    }
    let is_reader = all.iter().any(|text| Tag::GrantKey.has(&joined(text.key)) && Tag::ReaderRole.has(&text.text.to_lowercase()));
    let is_grant = Tag::Granting.has(verb) || all.iter().any(|text| Tag::GrantKey.has(&joined(text.key)));
    // Somebody of the house is invited, and nothing says that it is to more than take part.
    let is_invited = matches!(verb, "invite" | "add") && !all.iter().any(|text| Tag::GrantKey.has(&joined(text.key)));
    let is_insider = all.iter().any(|text| is_mail_address(text.text) && text.is_known && !is_outside(text.text));
    match () {
        () if is_reader || is_invited && is_insider => Some(Harm { severity: Severity::Low, what: "lets somebody read".to_owned() }),
        () if is_grant => Some(Harm::medium("gives rights")),
        () => None,
    }
}
