//! What a call opens: roles, policies, keys, shares, and guards that it switches off.

use std::net::Ipv4Addr;

use crate::knowledge::act::{is_act_verb, known_tool};
use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::host::is_inside_v4;
use crate::knowledge::named::named_sensitivity;
use crate::knowledge::tool::{Believed, is_verb};
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, destination};
use crate::meaning::action::held::unheld;
use crate::meaning::action::keys::credential;
use crate::meaning::action::policy::{Policies, policy, shown_to_all};
use crate::meaning::action::power::{grant, lifts_guard, only_forbids, only_reads, powers};
use crate::meaning::action::rights;
use crate::meaning::action::route::{fields, is_dear};
use crate::meaning::action::unasked::{hidden_warnings, is_hidden, mutes_alarms_for_good, mutes_for_a_while, skipped_leave};
use crate::meaning::argument::{Text, is_name, is_no, is_yes, text, texts};
use crate::meaning::outside::{is_collector, is_everybody, is_mail_address, is_outside, is_private_mailbox};
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::{Arguments, Key};
use crate::subject::call::{Property, Value};
use crate::value::severity::Severity;
use crate::value::words::{joined, words};

/// What a call opens: by the name of its tool, or by that of the operation which its argument names.
pub fn effects(tool: &ToolName, argument: &Arguments<'_>, believed: &Believed, house: &House) -> Vec<Effect> {
    if believed.is_named(EffectKind::Grant) {
        return rights::effects(tool, argument, house).into_iter().chain(of_row(tool, argument, house)).collect();
    }
    let said = rights::operation(tool, argument.whole);
    let names = std::iter::once(tool).chain(&said);
    let found: Vec<Effect> =
        names.flat_map(|tool| rights::effects(tool, argument, house).into_iter().chain(of_tool(tool, argument, house))).collect();
    if found.is_empty() { set_policy(tool, argument).into_iter().collect() } else { found }
}

/// A statement of a policy that lets everybody in, among the settings of something: `{ Attributes: { Policy: … } }`.
fn set_policy(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    let changes = tool.verb.iter().any(|word| Tag::Giving.has(word) || Tag::Setting.has(word));
    let allows = |properties: &&[Property]| {
        let effect = properties.iter().find(|property| property.key.eq_ignore_ascii_case("effect"));
        effect.and_then(|property| text(&property.value)).is_some_and(|effect| effect.eq_ignore_ascii_case("allow"))
    };
    if !changes {
        return None;
    }
    argument.objects().filter(allows).filter_map(policy).find(|found| found.object.as_deref() == Some("everybody"))
}

/// What a tool opens of which a row says that it opens something: its words need not say so again.
fn of_row(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Vec<Effect> {
    if Tag::GivingNothing.has_any(tool.verb.iter()) {
        return Vec::new();
    }
    let found = of_tool(tool, argument, house);
    if !found.is_empty() {
        return found;
    }
    let opened = Policies::of(argument).effects.into_iter().chain(hook(tool, argument, house)).chain(everybody(tool, argument));
    opened.chain(powers(argument)).chain(stranger(tool, argument)).collect()
}

/// A guard that a row says is switched off by the tool, where its verb takes something away and nothing told more of it.
pub fn lifted(known: &[Effect], tool: &ToolName, name: &str, believed: &Believed) -> Option<Effect> {
    let is_told = known.iter().any(|effect| effect.kind == EffectKind::GuardOff);
    let takes_away = Tag::LiftingGuard.has_any(tool.verb.iter()) || Tag::TakingDown.has_any(tool.verb.iter());
    if is_told || !takes_away || !believed.is_named(EffectKind::GuardOff) {
        return None;
    }
    let object = known_tool(name).and_then(|row| row.object).unwrap_or("guard");
    Some(Effect::new(EffectKind::GuardOff, object, format!("switches off what guards: `{name}`")))
}

/// Somebody outside who is given something.
fn stranger(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    // `scope: { type: 'user', value: 'a@gmail.com' }`: a private mailbox is somebody's, whatever its key is called.
    let is_anybody = |key: &Key<'_>, text: &Text<'_>| {
        !is_for_readers(tool) && list("keys-of-anything").contains(&key.joined.as_str()) && is_private_mailbox(text.text)
    };
    let (_, whom) = argument.said().find(|(key, text)| key.is(Tag::WhomKey) && is_outside(text.text) || is_anybody(key, text))?;
    Some(grant("access", format!("gives access to somebody outside: `{}`", whom.text)).at(Side::Outside))
}

/// Returns true if and only if what a tool sends out anybody may have who asks for it: a newsletter.
fn is_for_readers(tool: &ToolName) -> bool {
    tool.all().any(|word| list("for-readers").contains(&word))
}

/// What a tool opens or lifts by what is said of it, where nothing tells more of that.
pub fn told(known: &[Effect], says: impl Fn(EffectKind) -> Option<bool>) -> Vec<Effect> {
    let all = [
        grant("rights", "gives rights, as the settings say"),
        Effect::new(EffectKind::GuardOff, "guard", "switches off a guard, as the settings say"),
    ];
    let is_new = |effect: &Effect| says(effect.kind) == Some(true) && known.iter().all(|own| own.kind != effect.kind);
    all.into_iter().filter(is_new).collect()
}

fn of_tool(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Vec<Effect> {
    if let Some(lifted) = guard(tool, argument).or_else(|| hidden_warnings(tool, argument)).or_else(|| unheld(tool, argument)) {
        return vec![lifted];
    }
    // `reports:subscribe { recipient: { address: 'a@gmail.com' } }`
    let is_told = || tool.verb.iter().any(|word| list("subscribing").contains(&word.as_str())) && !tool.has(Tag::PublishedText);
    let is_private = || argument.texts().iter().any(|text| is_private_mailbox(text.text));
    if let Some(access) = stranger(tool, argument).filter(|_| is_told() && is_private() && !is_for_readers(tool)) {
        return vec![access];
    }
    if subscribes(tool, argument) || receives(tool) {
        return hook(tool, argument, house).into_iter().collect();
    }
    let given = tool.verb.iter().map(String::as_str).find(|word| Tag::Giving.has(word) || Tag::GivingNothing.has(word));
    // `drive:permissions { type: 'anyone', role: 'reader' }`: what names rights and no verb, and is told whose, sets them.
    let Some(verb) = given.or_else(|| sets_without_verb(tool, argument).then_some("set")) else { return Vec::new() };
    // `mail:add_delegate`: who may act for somebody is no text, wherever the tool belongs.
    let lets_in = tool.verb.iter().skip(1).any(|word| Tag::SharedAccess.has(word) && !Tag::Granting.has(word));
    if Tag::GivingNothing.has(verb) || tool.has(Tag::PublishedText) && !tool.has(Tag::Right) && !lets_in {
        return Vec::new();
    }
    let credential = credential(tool, verb, argument);
    if !tool.has(Tag::Access) && !tool.has(Tag::KeyOrHook) {
        // `cloud:authorize_rule { direction: 'ingress', port: 22, cidr: '0.0.0.0/0' }`; a route to everywhere has no port.
        let opened = ingress(tool, argument).filter(|_| names_port(argument));
        return credential.into_iter().chain(opened).collect();
    }
    let policies = Policies::of(argument);
    // Whom a policy lets in it says itself.
    let everybody = if policies.say_whom() { None } else { everybody(tool, argument) };
    let opened = policies.effects.into_iter().chain(ingress(tool, argument)).chain(hook(tool, argument, house)).chain(everybody);
    opened.chain(powers(argument)).chain(credential).chain(plain_grant(tool, verb, argument)).collect()
}

/// Returns true if and only if a tool whose name has no verb is told who gets which rights: who only looks at them says neither.
fn sets_without_verb(tool: &ToolName, argument: &Arguments<'_>) -> bool {
    let says = |named: &str| argument.properties().any(|(key, _)| list(named).contains(&key.joined.as_str()));
    // `team:members { role: 'admin' }` asks who has it.
    let says_whom = || argument.said().any(|(key, text)| key.is(Tag::WhomKey) || is_everybody(text.text)) || says("policy-keys");
    !has_verb(tool) && (tool.has(Tag::Access) || tool.has(Tag::Right)) && says("rights-said") && says_whom()
}

fn has_verb(tool: &ToolName) -> bool {
    tool.verb.iter().any(|word| is_verb(word) || is_act_verb(word))
}

/// A guard that is switched off: by the verb of the tool, or by a switch in its argument.
fn guard(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    let name = tool.verb.concat();
    let guarded = |word: &str| Tag::Guard.has(word);
    let names_guard = tool.all().any(guarded) || Tag::GuardName.words().any(|guard| name.contains(guard));
    let is_rule = Tag::GuardPart.has_any(tool.verb.iter());
    // `sso:remove_role`: what is taken away are rights, where the guard stands for the service alone.
    let takes_rights = Tag::Right.has_any(tool.verb.iter()) && !tool.verb.iter().any(|word| guarded(word) && !Tag::Right.has(word));
    let is_off = Tag::LiftingGuard.has_any(tool.verb.iter()) && !takes_rights;
    if names_guard && is_off && !is_rule && !mutes_for_a_while(tool, argument) {
        return Some(lifts_guard(&tool.verb.join(" ")));
    }
    if mutes_alarms_for_good(tool, argument) {
        return Some(lifts_guard(&tool.verb.join(" ")));
    }
    // `flags:disable { flag: 'require-mfa' }`
    let named = || argument.texts().iter().find(|text| text.is_known && is_switch_of_guard(text.text));
    if Tag::OffWord.has_any(tool.verb.iter())
        && let Some(named) = named()
    {
        return Some(lifts_guard(named.text));
    }
    // `repos:branch_protection { enabled: false }`: a guard by its name, told that it is off.
    let is_guard = || Tag::Guard.has_any(tool.verb.iter()) || Tag::GuardName.words().any(|guard| name.contains(guard));
    let changes = tool.verb.iter().any(|word| Tag::Giving.has(word) || Tag::Setting.has(word));
    if !changes && (has_verb(tool) || !is_guard()) {
        return None;
    }
    // `expenses:policy_update { selfApproval: true }`
    let is_of_rules = tool.verb.iter().any(|word| list("rule-words").contains(&word.as_str()));
    if let Some(key) = skipped_leave(argument).filter(|_| is_of_rules) {
        return Some(lifts_guard(key));
    }
    let says_guard = || names_guard || argument.texts().iter().any(|text| Tag::Guard.has(&joined(text.text))) || named().is_some();
    let lifted = argument.properties().filter(|(key, property)| {
        let switch: Vec<&str> = key.words.iter().map(String::as_str).filter(|word| !Tag::OnWord.has(word)).collect();
        let is_inner_off = || matches!(&property.value, Value::Object(inner, _) if inner.iter().any(|inner| inner.key == "enabled" && is_no(&inner.value)));
        let is_off_here = if key.has(Tag::OffWord) {
            is_yes(&property.value) && key.has(Tag::Guard)
        } else {
            is_guard_name(&switch) && (is_no(&property.value) || is_inner_off())
        };
        // `chat.tools.autoApprove`: a setting is named by its whole path.
        let setting = joined(key.text.rsplit('.').next().unwrap_or(key.text));
        let acts_unasked = Tag::UnattendedSwitch.has(&setting) && is_yes(&property.value);
        // `{ feature: 'mfa', enabled: false }`
        let is_switch = matches!(property.key.as_str(), "enabled" | "value" | "on" | "active");
        is_off_here || acts_unasked || is_switch && is_no(&property.value) && says_guard()
    });
    lifted.last().map(|(key, _)| lifts_guard(key.text))
}

/// Returns true if and only if a call switches off each thing that a listing gave which asked for guards by their names:
/// `flags:list { tags: ['fraud-check', 'mfa'] }`, `flags:set { key, enabled: false }`.
pub fn switches_off_listed(tool: &ToolName, argument: &Value, listed: &Value) -> bool {
    let asked: Vec<&str> = texts(listed).into_iter().filter(|text| text.is_known).map(|text| text.text).collect();
    let changes = tool.verb.iter().any(|word| Tag::Giving.has(word) || Tag::Setting.has(word) || Tag::SettingOwn.has(word));
    let is_off = Arguments::of(argument)
        .properties()
        .any(|(key, property)| matches!(key.joined.as_str(), "enabled" | "value" | "on" | "active") && is_no(&property.value));
    let verb_is_off = Tag::OffWord.has_any(tool.verb.iter()) || Tag::LiftingGuard.has_any(tool.verb.iter());
    (changes && is_off || verb_is_off) && asked.iter().any(|text| is_switch_of_guard(text))
}

/// Returns true if and only if a text is the name of a switch by which something is guarded: `require-mfa`, `fraud-screening`.
fn is_switch_of_guard(text: &str) -> bool {
    let parts = words(text);
    let name: Vec<&str> = parts.iter().map(String::as_str).filter(|word| !Tag::OnWord.has(word)).collect();
    is_name(text) && name.len() < 4 && is_guard_name(&name)
}

fn is_guard_name(name: &[&str]) -> bool {
    // `auth.step-up-required`: what it belongs to may stand before.
    let within = || (2..=3).any(|size| name.windows(size).any(|part| Tag::Guard.has(&part.concat())));
    Tag::Guard.has(&name.concat())
        || within()
        || matches!(name, [first, ..] if Tag::FirstGuard.has(first))
        || matches!(name, [.., last] if Tag::LastGuard.has(last))
}

/// Returns true if and only if something is said of a port, whichever it is.
fn names_port(argument: &Arguments<'_>) -> bool {
    argument.properties().any(|(key, _)| key.words.last().is_some_and(|last| matches!(last.as_str(), "port" | "ports")))
}

/// A rule that lets the whole internet in.
fn ingress(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    let all = argument.texts();
    let is_open = all.iter().any(|text| matches!(text.text, "0.0.0.0/0" | "::/0"));
    let goes_out = tool.has(Tag::Egress) || all.iter().any(|text| Tag::NoIngress.has(&text.text.to_lowercase()));
    // A route to everywhere lets nobody in.
    let is_route = tool.verb.iter().any(|word| list("routing").contains(&word.as_str())) && !names_port(argument);
    if !is_open || goes_out || is_route {
        return None;
    }
    let (mut is_web, mut has_port) = (true, false);
    for (_, value) in argument.values().filter(|(key, _)| key.words.last().is_some_and(|last| matches!(last.as_str(), "port" | "ports"))) {
        has_port |= matches!(value, Value::Number(..) | Value::String(..));
        is_web &= match value {
            Value::Number(port, _) => *port == 443.0 || *port == 80.0,
            Value::String(port, _) => matches!(port.as_str(), "443" | "80"),
            _ => true,
        };
    }
    Some(if has_port && is_web {
        grant("web-port", "opens a port of the web to the whole internet")
    } else {
        grant("everybody", "opens a port to the whole internet")
    })
}

/// Returns true if and only if a host is told of events from now on, though no word of the tool's name says so: `payroll:subscribe`.
fn subscribes(tool: &ToolName, argument: &Arguments<'_>) -> bool {
    let tells = |names: &[&str]| argument.properties().any(|(key, _)| names.contains(&key.joined.as_str()));
    let is_verb = tool
        .verb
        .iter()
        .any(|word| matches!(word.as_str(), "subscribe" | "subscription" | "subscriptions" | "register" | "connect" | "attach"));
    is_verb
        && tells(&["events", "event", "eventtypes", "topics", "topic"])
        && tells(&["url", "target", "callback", "callbackurl", "endpoint", "destination"])
}

/// Returns true if and only if a tool sets up what gets everything from now on: `broker:add_push_consumer`, `logs:create_drain`.
fn receives(tool: &ToolName) -> bool {
    let gives = tool.verb.iter().any(|word| Tag::Giving.has(word) || word == "register");
    gives && tool.verb.last().is_some_and(|last| list("standing-receivers").contains(&last.as_str()))
}

/// A webhook to where anybody reads.
fn hook(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Option<Effect> {
    if !tool.has(Tag::Hook) && !subscribes(tool, argument) && !receives(tool) {
        return None;
    }
    let urls: Vec<&str> = argument.texts().iter().map(|text| text.text).filter(|text| text.contains("://")).collect();
    let outside = |object: &str, says: &str| Some(grant(object, says).at(Side::Outside));
    match () {
        () if urls.iter().any(|url| is_collector(url)) => {
            outside("events-collected", "sends events to a host that collects them for anybody")
        }
        () if urls.is_empty() => None,
        () if urls.iter().all(|url| destination(url, house).side == Side::Inside) => {
            Some(grant("events", "sends events to a host of the own network").at(Side::Inside))
        }
        () if is_hidden(argument) => outside("events-content", "sends events to another host from now on, and nobody is to notice"),
        () if carries_content(argument)
            || hooks_secrets(argument)
            || argument.texts().iter().any(|text| fields(text.text).into_iter().any(is_dear)) =>
        {
            outside("events-content", "sends all that happens to another host from now on")
        }
        () => outside("events", "sends events to another host from now on"),
    }
}

/// What one hook sends elsewhere its owner may want; one host for all hooks that there are reads along with everything.
pub fn of_all_listed(effect: &mut Effect) {
    if effect.object.as_deref() == Some("events") && effect.place == Some(Side::Outside) {
        effect.object = Some("events-content".to_owned());
        "has all hooks that are listed send to one other host".clone_into(&mut effect.says);
    }
}

/// Returns true if and only if a hook sends what the records say, or tells of every event.
fn carries_content(argument: &Arguments<'_>) -> bool {
    argument.properties().any(|(key, property)| {
        let includes = key.words.first().is_some_and(|first| matches!(first.as_str(), "include" | "with" | "send"));
        let is_content = includes && key.has(Tag::ContentWord) || matches!(key.joined.as_str(), "fullpayload" | "rawpayload");
        let is_full = matches!(key.joined.as_str(), "payload" | "payloadformat" | "payloadtype" | "contents" | "detail" | "details")
            && texts(&property.value)
                .iter()
                .any(|text| words(text.text).first().is_some_and(|first| list("whole-words").contains(&first.as_str())));
        let names_content = || {
            let is_listed = matches!(key.joined.as_str(), "payload" | "fields" | "attributes" | "columns");
            is_listed && texts(&property.value).iter().any(|text| Tag::ContentWord.has(&text.text.to_lowercase()) || is_dear(text.text))
        };
        let of_all = || key.words.last().is_some_and(|last| matches!(last.as_str(), "events" | "topics"));
        let lists_content =
            || includes && texts(&property.value).iter().any(|text| Tag::ContentWord.has(&text.text.to_lowercase()) || is_dear(text.text));
        is_content && is_yes(&property.value)
            || lists_content()
            || names_content()
            || is_full
            || of_all() && texts(&property.value).iter().any(|text| text.text.trim() == "*")
    })
}

/// A share with everybody.
fn everybody(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    // `{ effect: 'Deny', principal: '*' }` shuts everybody out.
    let mut effects = argument.said().filter(|(key, _)| key.joined == "effect").map(|(_, text)| text.text).peekable();
    let denies = effects.peek().is_some() && effects.all(|text| text.eq_ignore_ascii_case("deny"));
    let makes_public = tool.verb.iter().skip_while(|word| *word != "make").any(|word| word == "public");
    let is_public = |(key, value): (&Key<'_>, &Value)| match value {
        Value::String(text, _) => key.is(Tag::WhomKey) && is_everybody(text) && !(denies && key.joined.starts_with("principal")),
        Value::Boolean(..) => is_yes(value) && key.is(Tag::PublicSwitch),
        _ => false,
    };
    (makes_public || argument.values().any(is_public)).then(|| match is_for_all(tool, argument) {
        true => shown_to_all(),
        false => grant("everybody", "opens it to everybody"),
    })
}

/// Returns true if and only if a store of files is named as made for everybody, and as nothing else: `press-kit`, `avatars`.
fn is_for_all(tool: &ToolName, argument: &Arguments<'_>) -> bool {
    let mut names = argument.said().filter(|(key, _)| matches!(key.joined.as_str(), "bucket" | "name" | "id" | "container")).peekable();
    let is_store =
        || tool.has(Tag::FileStore) || tool.verb.iter().chain(&tool.owner).any(|word| matches!(word.as_str(), "bucket" | "storage"));
    let is_named_so = |text: &str| {
        let said = words(text);
        let is_kept = Tag::Precious.has_any(said.iter()) || Tag::Dear.has_any(said.iter()) || Tag::People.has_any(said.iter());
        said.iter().any(|word| list("made-for-all").contains(&word.as_str()))
            && named_sensitivity(text).is_none()
            && !is_kept
            && !Tag::Production.has_any(said.iter())
    };
    names.peek().is_some() && is_store() && names.all(|(_, text)| text.is_known && is_named_so(text.text))
}

/// Returns true if and only if an argument writes out what is allowed, without a star for all, or lets in addresses of the own network only.
fn is_narrow(argument: &Arguments<'_>) -> bool {
    let says_policy = |properties: &[Property]| {
        let has = |key: &str| {
            properties.iter().any(|property| property.key.eq_ignore_ascii_case(key) && !matches!(property.value, Value::Dynamic(_)))
        };
        let allows = properties.iter().any(|property| {
            property.key.eq_ignore_ascii_case("effect") && text(&property.value).is_some_and(|effect| effect.eq_ignore_ascii_case("allow"))
        });
        allows && has("action") && has("resource")
    };
    let all = argument.texts();
    let has_policy = argument.objects().any(says_policy)
        || all.iter().any(|text| {
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
    (has_policy || !ranges.is_empty() && ranges.iter().all(is_private)) && Policies::of(argument).effects.is_empty()
}

/// Returns true if and only if all that an argument says is that nobody else gets in: `{ access: 'PRIVATE', permission: 'NONE' }`.
fn is_taken_back(argument: &Arguments<'_>) -> bool {
    let all: Vec<_> = argument.said().filter(|(key, _)| key.is(Tag::GrantKey) || key.is(Tag::WhomKey)).collect();
    if only_forbids(argument) {
        return true;
    }
    let is_closed = |text: &str| Tag::Closed.has(&text.to_lowercase());
    // `{ access: 'private', permission: 'edit' }`: who is let in counts before what they may do.
    let shuts = all.iter().any(|(key, text)| matches!(key.joined.as_str(), "access" | "visibility" | "audience") && is_closed(text.text));
    !all.is_empty() && all.iter().all(|(_, text)| text.is_known) && (shuts || all.iter().all(|(_, text)| is_closed(text.text)))
}

/// Returns true if and only if so much of a currency is given, and no right: `{ currency: 'gems', amount: 20 }`.
fn is_sum(argument: &Arguments<'_>) -> bool {
    let has = |is: fn(&Key<'_>) -> bool| argument.properties().any(|(key, _)| is(key));
    has(|key| key.is(Tag::AmountKey)) && has(|key| key.joined == "currency") && !has(|key| key.is(Tag::GrantKey))
}

/// A grant to somebody of something that is not all.
fn plain_grant(tool: &ToolName, verb: &str, argument: &Arguments<'_>) -> Option<Effect> {
    let gives = Tag::GivingRights.has(verb);
    let makes = matches!(verb, "create" | "append" | "insert");
    if !tool.has(Tag::SharedAccess) || !gives && !makes {
        return None;
    }
    if let Some(access) = stranger(tool, argument) {
        return Some(access);
    }
    if makes || is_narrow(argument) || is_taken_back(argument) || is_sum(argument) {
        return None;
    }
    let rights: Vec<_> = argument.said().filter(|(key, _)| key.is(Tag::GrantKey)).collect();
    let says_right = !rights.is_empty();
    let reads = |text: &str| Tag::ReaderRole.has(&text.to_lowercase()) || only_reads(text);
    // `permissions: ['read', 'send_as']`: of several rights under one key, the greatest counts.
    let is_reader =
        rights.iter().any(|(key, text)| reads(text.text) && rights.iter().all(|(other, also)| other.text != key.text || reads(also.text)));
    // Somebody of the house is invited, and nothing says that it is to more than take part.
    let is_invited = matches!(verb, "invite" | "add") && !says_right;
    let is_insider = argument.texts().iter().any(|text| is_mail_address(text.text) && text.is_known && !is_outside(text.text));
    // Who comes to a meeting, or into a room of the house's chat, sees it, and no more.
    let is_chat = tool.owner.iter().any(|word| list("house-chats").contains(&word.as_str()) || word == "calendar");
    let is_guest = is_invited && (is_chat || Tag::MeetingGuest.has_any(tool.verb.iter()));
    match () {
        () if is_guest || is_reader || is_invited && is_insider => Some(grant("reading", "lets somebody read")),
        () if attaches_plain_policy(tool, argument) => Some(Effect { severity: Some(Severity::Low), ..grant("rights", "gives rights") }),
        () if Tag::Granting.has(verb) || says_right => Some(grant("rights", "gives rights")),
        () => None,
    }
}

/// Returns true if and only if a policy that a cloud keeps for its services is attached, by whose name nothing is given but what one kind
/// of machine or function needs to run: `AWSLambdaBasicExecutionRole`, `AmazonSSMManagedInstanceCore`.
fn attaches_plain_policy(tool: &ToolName, argument: &Arguments<'_>) -> bool {
    let attaches = tool.verb.iter().any(|word| word == "attach") && tool.verb.iter().any(|word| word == "policy");
    let is_policy = |key: &Key<'_>| matches!(key.joined.as_str(), "policyarn" | "policy" | "policyname");
    let named: Vec<&str> = argument.said().filter(|(key, text)| is_policy(key) && text.is_known).map(|(_, text)| text.text).collect();
    let is_plain = |text: &&str| {
        let name = text.rsplit('/').next().unwrap_or(text).to_lowercase();
        let is_kept = text.starts_with("arn:aws:iam::aws:policy/") || !text.contains(['/', ':']);
        is_kept
            && list("plain-policies").iter().any(|part| name.contains(part))
            && !list("powers-in-names").iter().any(|power| name.contains(power))
    };
    attaches && !named.is_empty() && named.iter().all(is_plain)
}

/// Returns true if and only if what a host is told of from now on are a cluster's secrets: `rules: [{ resources: ['secrets'] }]`.
fn hooks_secrets(argument: &Arguments<'_>) -> bool {
    argument.texts().iter().any(|text| joined(text.key) == "resources" && matches!(text.text, "secrets" | "*" | "*/*"))
}
