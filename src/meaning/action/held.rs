//! What holds an agent, or a machine: its own confirmations, limits and switches, taken away by a call that sets them.

use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::words::Tag;
use crate::meaning::action::power::lifts_guard;
use crate::meaning::argument::{choices, is_no, is_yes, text};
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::{Arguments, Key};
use crate::subject::call::{Property, Value};
use crate::value::words::{joined, words};

/// The guard that a call takes from an agent, or from a machine that must not run without it.
pub fn unheld(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    let is_any = |any: &str| tool.all().any(|word| list(any).contains(&word));
    if is_any("agents-themselves") && sets(tool) {
        let taken = argument.objects().flat_map(settings).find(|(name, value)| is_taken(name, value)).map(|(name, _)| name);
        return taken.map(|name| {
            let says = format!("takes from an agent what holds it: `{name}`");
            Effect::new(EffectKind::GuardOff, "guard", says)
        });
    }
    let is_off = || argument.properties().any(|(key, property)| list("on-keys").contains(&key.joined.as_str()) && is_no(&property.value));
    let is_passed_by =
        |value: &Value| is_no(value) || text(value).is_some_and(|said| list("skipped-values").contains(&joined(said).as_str()));
    let is_named =
        |(key, property): (&Key<'_>, &Property)| list("interlocks").contains(&key.joined.as_str()) && is_passed_by(&property.value);
    if sets(tool) && argument.properties().any(is_named) {
        return Some(lifts_guard(&tool.verb.join(" ")));
    }
    let is_lifted = || tool.verb.iter().any(|word| Tag::LiftingGuard.has(word) || list("muting").contains(&word.as_str()));
    (is_any("interlocks") && (is_off() || is_lifted())).then(|| lifts_guard(&tool.verb.join(" ")))
}

fn sets(tool: &ToolName) -> bool {
    tool.verb.iter().any(|word| Tag::SettingOwn.has(word) || Tag::Changing.has(word) || list("setting-by-force").contains(&word.as_str()))
}

/// The settings that an object tells: each of its properties, and the one that it names: `{ key: 'killSwitch', value: false }`.
fn settings(properties: &[Property]) -> Vec<(&str, &Value)> {
    let by = |any: &str| properties.iter().find(|property| list(any).contains(&joined(&property.key).as_str())).map(|own| &own.value);
    let named = by("setting-names").zip(by("setting-values"));
    let named = named.into_iter().flat_map(|(name, value)| choices(name).into_iter().filter_map(text).map(move |name| (name, value)));
    properties.iter().map(|property| (property.key.as_str(), &property.value)).chain(named).collect()
}

/// Returns true if and only if a setting is one that holds an agent, and its value has it hold nothing.
fn is_taken(name: &str, value: &Value) -> bool {
    let said = words(name);
    let is_any = |any: &str| said.iter().any(|word| list(any).contains(&word.as_str()));
    let pairs = || said.windows(2).any(|pair| list("holds-of-agents").contains(&pair.concat().as_str()));
    if !is_any("holds-of-agents") && !pairs() {
        return false;
    }
    if said.first().is_some_and(|first| list("suppressing-words").contains(&first.as_str())) {
        return is_yes(value);
    }
    choices(value).into_iter().any(|value| match value {
        Value::String(said, _) => list("holding-nothing").contains(&joined(said).as_str()) || is_no(value),
        Value::Number(number, _) => number.is_infinite() || *number < 0.0,
        Value::Array(elements, _) => elements.iter().any(|element| text(element) == Some("*")),
        _ => is_no(value),
    })
}
