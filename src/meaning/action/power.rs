//! What is given when something is opened, and rights over all there is.

use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::words::Tag;
use crate::meaning::argument::{is_no, is_yes, text};
use crate::meaning::walk::{Arguments, Key};
use crate::subject::call::Value;
use crate::value::words::{joined, words};

/// Something is opened to somebody; `object` is what is given, as the table of effects calls it.
pub fn grant(object: &str, says: impl Into<String>) -> Effect {
    Effect::new(EffectKind::Grant, object, says)
}

/// A guard is lifted.
pub fn lifts_guard(name: &str) -> Effect {
    Effect::new(EffectKind::GuardOff, "guard", format!("switches off a guard: `{name}`"))
}

/// The rights over all that an argument gives.
pub fn powers(argument: &Arguments<'_>) -> Option<Effect> {
    // Of what is only forbidden, `scope: 'all'` says to whom.
    let says_where = |key: &Key<'_>| key.joined == SCOPE && only_forbids(argument);
    let key = argument.values().find(|(key, value)| is_power(key, value) && !says_where(key)).map(|(key, _)| key.text)?;
    Some(grant("admin", format!("gives all rights by `{key}`")))
}

/// The key that says what rights reach, or for whom a rule stands.
const SCOPE: &str = "scope";

/// Returns true if and only if an argument only shuts out what could be let in: `{ allowExternalMembers: false }`.
pub fn only_forbids(argument: &Arguments<'_>) -> bool {
    let mut allowing = argument.properties().filter(|(key, _)| key.words.first().is_some_and(|first| first == "allow")).peekable();
    allowing.peek().is_some() && allowing.all(|(_, property)| is_no(&property.value))
}

fn is_power(key: &Key<'_>, value: &Value) -> bool {
    match value {
        // `roleRef: { kind: 'ClusterRole', name: 'cluster-admin' }`
        Value::Object(inner, _) if key.is(Tag::RoleKey) => {
            inner.iter().filter(|inner| Tag::RoleName.has(&joined(&inner.key))).any(|inner| text(&inner.value).is_some_and(gives_power))
        }
        Value::String(text, _) => (key.is(Tag::GrantKey) || is_given_first(key) || names_group(key)) && gives_power(text),
        Value::Boolean(..) => is_yes(value) && key.is(Tag::PowerSwitch),
        _ => false,
    }
}

/// Returns true if and only if under a key stands which group somebody is put into: `groupName`.
fn names_group(key: &Key<'_>) -> bool {
    matches!(key.words.as_slice(), [group, name] if matches!(group.as_str(), "group" | "team") && matches!(name.as_str(), "name" | "id"))
}

/// Returns true if and only if under a key stands what everybody gets who comes: `defaultRoles`.
fn is_given_first(key: &Key<'_>) -> bool {
    let [first, .., last] = key.words.as_slice() else { return false };
    let is_thing = || list("given-things").contains(&last.as_str());
    list("given-first").contains(&first.as_str()) && (Tag::RoleKey.has(last) || Tag::GrantKey.has(last)) || first == "allowed" && is_thing()
}

/// Returns true if and only if the name of a role or right says that it allows much: `admin`, `billing:*`.
pub fn gives_power(text: &str) -> bool {
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
    // `tenant-super-admins`: those of all there is.
    let is_of_all = || {
        let rules = parts.last().is_some_and(|last| matches!(last.as_str(), "admins" | "owners" | "administrators"));
        rules && parts.iter().any(|part| list("ruling-all").contains(&part.as_str()))
    };
    !is_less && (is_of_all() || text.trim() == "*" || Tag::Power.has(&parts.concat()) || Tag::PowerWord.has_any(parts.iter()))
}

/// Returns true if and only if the last part of a role's path says that it only reads: `roles/logging.viewer`.
pub fn only_reads(role: &str) -> bool {
    let last = role.rsplit(['/', ':', '.']).next().unwrap_or(role);
    role.contains(['/', ':', '.']) && !gives_power(role) && Tag::ReaderRole.has_any(words(last))
}
