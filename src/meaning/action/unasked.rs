//! What a call says of those who would have to agree to it, or would notice it: that they are passed by.

use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::words::Tag;
use crate::meaning::argument::{is_no, is_yes};
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::{Arguments, Key};
use crate::subject::call::{Property, Value};
use crate::value::words::{joined, words};

/// The key under which an argument says that nobody is asked who would have to agree: `{ skipSecondSignature: true }`,
/// `{ fourEyes: 'skip' }`, `{ requireApproval: false }`.
pub fn skipped_leave<'a>(argument: &'a Arguments<'_>) -> Option<&'a str> {
    let is_skipped = |key: &Key<'_>, value: &Value| {
        // `{ selfApproval: true }`
        let is_self = || key.words.iter().any(|word| word == "self") && is_yes(value);
        if !is_named(key, "leave-names") {
            return false;
        }
        if is_self() {
            return true;
        }
        // `{ approval: { skip: true } }`, `{ approval: { required: false } }`
        let is_inner = |inner: &Property| {
            let named = joined(&inner.key);
            list("skipping-words").contains(&named.as_str()) && is_yes(&inner.value) || Tag::OnWord.has(&named) && is_no(&inner.value)
        };
        let is_skipped_within = || matches!(value, Value::Object(inner, _) if inner.iter().any(is_inner));
        if says_to_skip(key) { is_yes(value) } else { is_no(value) || says_skipped(value) || is_skipped_within() }
    };
    argument.properties().find(|(key, property)| is_skipped(key, &property.value)).map(|(key, _)| key.text)
}

/// The same, or one that says that who somebody is, whether it is safe, or whether somebody is in need is not looked at:
/// `{ identityCheck: 'skip' }`, `{ overrideVulnerableFlag: true }`. A key that is merely off, `{ consent: false }`, is what it says.
pub fn skipped_check<'a>(argument: &'a Arguments<'_>) -> Option<&'a str> {
    let is_skipped = |key: &Key<'_>, value: &Value| {
        let skips = |text: &str| words(text).first().is_some_and(|first| list("skipping-words").contains(&first.as_str()));
        let is_said = || matches!(value, Value::String(text, _) if skips(text));
        // `{ skipChecks: ['provenance', 'malware-scan'] }`
        let is_list = || matches!(value, Value::Array(given, _) if !given.is_empty());
        is_named(key, "check-names") && if says_to_skip(key) { is_yes(value) || is_list() } else { is_said() }
    };
    let checked = || argument.properties().find(|(key, property)| is_skipped(key, &property.value)).map(|(key, _)| key.text);
    skipped_leave(argument).or_else(checked)
}

fn says_to_skip(key: &Key<'_>) -> bool {
    key.words.iter().any(|word| list("skipping-words").contains(&word.as_str()))
}

/// Returns true if and only if a key is named after what a list names: the leave that somebody else gives, a check.
fn is_named(key: &Key<'_>, names: &str) -> bool {
    let is_one = |text: &str| list(names).contains(&text);
    key.words.iter().any(|word| is_one(word)) || key.words.windows(2).any(|pair| is_one(&pair.concat()))
}

fn says_skipped(value: &Value) -> bool {
    matches!(value, Value::String(text, _) if list("skipped-values").contains(&joined(text).as_str()))
}

/// A rule by which warnings are gone before anybody sees them: `{ conditions: { subject: 'new sign-in' }, actions: { delete: true } }`.
pub fn hidden_warnings(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    let says = |name: &str, text: &str| {
        let (said, is_one) = (words(text), |word: &str| list(name).contains(&word));
        // `sign-in`
        said.iter().any(|word| is_one(word)) || said.windows(2).any(|pair| is_one(&pair.concat()))
    };
    let is_rule =
        Tag::StandingOrder.has_any(tool.verb.iter()) && tool.verb.iter().any(|word| Tag::Giving.has(word) || Tag::SettingOwn.has(word));
    if !is_rule {
        return None;
    }
    let removes = argument.properties().any(|(key, property)| says("put-away", key.text) && !is_no(&property.value))
        || argument.said().any(|(key, text)| list("kind-keys").contains(&key.joined.as_str()) && says("put-away", text.text));
    let warning = argument.texts().iter().find(|text| text.is_known && says("warning-words", text.text));
    match warning {
        Some(warning) if removes => {
            let says = format!("has warnings put away before anybody sees them: `{}`", warning.text);
            Some(Effect::new(EffectKind::GuardOff, "guard", says))
        }
        _ if removes && is_hidden(argument) => {
            Some(Effect::new(EffectKind::GuardOff, "guard", "puts away what comes in by a rule that nobody is to see"))
        }
        _ => None,
    }
}

/// The switch by which a call has nobody notice any more what happens: `cctv:configure { recording: false }`, `monitoring:mute`. How one
/// person is told of something is that person's own matter.
pub fn unwatched<'a>(tool: &'a ToolName, argument: &'a Arguments<'_>) -> Option<&'a str> {
    let says = |name: &str| tool.all().any(|word| list(name).contains(&word));
    if says("ones-own-settings") {
        return None;
    }
    // `scada:interlock { armed: false }`
    let is_named = |any: &str| tool.verb.iter().any(|word| list(any).contains(&word.as_str()));
    let is_itself = tool.verb.len() == 1 && is_named("alarm-words");
    // `pumps:push_limits`
    let sends_settings = || is_named("handing-settings") && is_named("settings-of-machines");
    let sets = is_itself
        || sends_settings()
        || tool.verb.iter().any(|word| Tag::SettingOwn.has(word) || list("rule-words").contains(&word.as_str()));
    let is_watching = |key: &Key<'_>| {
        let has = |name: &str| key.words.iter().any(|word| list(name).contains(&word.as_str()));
        has("alarm-words")
            || says("watchers") && (has("watching-words") || tool.verb.iter().any(|word| list("alarm-tools").contains(&word.as_str())))
    };
    // `{ suppressAlarm: false }` leaves it as it is, `{ overrideInterlock: true }` does not.
    let suppresses = |key: &Key<'_>| key.words.first().is_some_and(|first| list("suppressing-words").contains(&first.as_str()));
    let is_off = |key: &Key<'_>, value: &Value| match value {
        // `alarms: { occlusion: false, flow: false }`
        Value::Object(parts, _) => !suppresses(key) && !parts.is_empty() && parts.iter().all(|part| is_no(&part.value)),
        value if suppresses(key) => is_yes(value),
        value => is_no(value),
    };
    // `cctv:set_recording { enabled: false }`
    let names_watch = is_named("alarm-words") || says("watchers") && is_named("watching-words");
    let is_watching = |key: &Key<'_>| is_watching(key) || names_watch && list("on-keys").contains(&key.joined.as_str());
    let off =
        argument.properties().find(|(key, property)| sets && is_watching(key) && is_off(key, &property.value)).map(|(key, _)| key.text);
    off.or_else(|| {
        // For as long as something is worked on.
        muting(tool).filter(|_| !ends_soon(argument))
    })
}

/// The verb by which a tool has what watches be quiet, for however long.
fn muting(tool: &ToolName) -> Option<&str> {
    let watches = tool.all().any(|word| list("watchers").contains(&word));
    tool.verb.iter().map(String::as_str).find(|word| watches && list("muting").contains(word))
}

/// The same, where the call says no more than until when.
pub fn muting_until<'a>(tool: &'a ToolName, argument: &Arguments<'_>) -> Option<&'a str> {
    let is_own = tool.all().any(|word| list("ones-own-settings").contains(&word));
    muting(tool).filter(|_| !is_own && !says_how_long(argument))
}

fn says_how_long(argument: &Arguments<'_>) -> bool {
    argument.properties().any(|(key, _)| key.words.iter().any(|word| list("duration-words").contains(&word.as_str())))
}

/// Returns true if and only if an argument says how long something lasts, or until when: `silence { minutes: 30 }`.
fn ends_soon(argument: &Arguments<'_>) -> bool {
    let is_end = |key: &Key<'_>| key.words.iter().any(|word| list("ends-of-rights").contains(&word.as_str()));
    says_how_long(argument) || argument.properties().any(|(key, property)| is_end(key) && ends(&property.value))
}

/// Returns true if and only if a call only mutes what watches, and says until when.
pub fn mutes_for_a_while(tool: &ToolName, argument: &Arguments<'_>) -> bool {
    tool.verb.iter().any(|word| list("muting").contains(&word.as_str())) && ends_soon(argument)
}

/// Returns true if and only if a call mutes alarms, and says that they stay so, or that it is all of them: `alarms:mute { until: '2099-12-31' }`.
pub fn mutes_alarms_for_good(tool: &ToolName, argument: &Arguments<'_>) -> bool {
    let is_watcher = || tool.all().any(|word| list("alarm-tools").contains(&word));
    let mutes =
        tool.verb.iter().any(|word| list("muting").contains(&word.as_str()) || Tag::LiftingGuard.has(word) || Tag::OffWord.has(word));
    let is_end = |key: &Key<'_>| key.words.iter().any(|word| list("ends-of-rights").contains(&word.as_str()));
    let never_ends = |value: &Value| match value {
        Value::Null(_) => true,
        Value::Number(number, _) => !number.is_finite(),
        Value::String(text, _) => !ends(value) || Tag::NoLimit.has(&text.to_lowercase()),
        _ => false,
    };
    let is_for_good = || argument.properties().any(|(key, property)| is_end(key) && never_ends(&property.value));
    let is_all =
        || !ends_soon(argument) && argument.texts().iter().any(|text| text.is_known && Tag::AllValue.has(&text.text.to_lowercase()));
    mutes && is_watcher() && (is_for_good() || is_all())
}

/// From this year on a date is no end that anybody waits for.
const NEVER: u32 = 2035;

/// Returns true if and only if a value is an end that comes: a time that is reckoned, or a date that is near.
fn ends(value: &Value) -> bool {
    match value {
        Value::Dynamic(_) | Value::Partial(..) => true,
        Value::String(text, _) => text.get(..4).and_then(|year| year.parse::<u32>().ok()).is_some_and(|year| year < NEVER),
        Value::Missing
        | Value::Number(..)
        | Value::Boolean(..)
        | Value::Null(_)
        | Value::Array(..)
        | Value::Object(..)
        | Value::OneOf(..) => false,
    }
}

/// Returns true if and only if an argument says that what it sets up is to be seen by nobody: `{ hidden: true, notifyAdmins: false }`.
pub fn is_hidden(argument: &Arguments<'_>) -> bool {
    let is_untold = |(key, property): (&Key<'_>, &Property)| {
        let first = key.words.first().map_or("", String::as_str);
        is_no(&property.value) && list("showing-switches").contains(&first)
    };
    hiding_switch(argument) || argument.properties().any(is_untold)
}

/// Returns true if and only if a switch of an argument says that something is hidden: `{ hidden: true }`.
pub fn hiding_switch(argument: &Arguments<'_>) -> bool {
    argument.properties().any(|(key, property)| is_yes(&property.value) && list("hiding-switches").contains(&key.joined.as_str()))
}
