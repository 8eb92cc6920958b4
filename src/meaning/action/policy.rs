//! What policies allow: statements as objects, written as JSON, or as paths.

use crate::knowledge::command::list;
use crate::knowledge::effect::Effect;
use crate::meaning::action::power::grant;
use crate::meaning::argument::{text, texts};
use crate::meaning::walk::Arguments;
use crate::subject::call::{Property, Value};
use crate::value::severity::Severity;
use crate::value::words::words;

/// What the policies in an argument allow that is more than one thing.
pub struct Policies {
    /// One for each policy that allows more.
    pub effects: Vec<Effect>,
    /// One of the statements says whom it lets in, or keeps out.
    names_party: bool,
}

impl Policies {
    /// Policies that allow much, as objects or written as JSON.
    pub fn of(argument: &Arguments<'_>) -> Self {
        let texts = argument.texts();
        let written = texts.iter().filter(|text| text.text.contains('{'));
        let written = written.filter_map(|text| written_policy(text.text).or_else(|| path_policy(text.text)));
        let names_party = argument.objects().any(names_party);
        Self { effects: argument.objects().filter_map(policy).chain(written).collect(), names_party }
    }

    /// Returns true if and only if policies say themselves whom they let in, and what that opens was told, or is what is made for everybody.
    pub fn say_whom(&self) -> bool {
        let shows = |effect: &Effect| effect.object.as_deref() == Some("everybody") && effect.severity == Some(Severity::Low);
        self.names_party && self.effects.is_empty() || !self.effects.is_empty() && self.effects.iter().all(shows)
    }
}

/// Returns true if and only if a statement says what is allowed or denied, and to whom.
fn names_party(properties: &[Property]) -> bool {
    let has = |names: &[&str]| properties.iter().any(|property| names.contains(&property.key.to_lowercase().as_str()));
    has(&["principal", "principals"]) && has(&["action", "actions", "notaction"])
}

/// Returns true if and only if a text is the name of an action of a service: `s3:getobject`.
fn is_action(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '*'));
    text.split_once(':').is_some_and(|(service, operation)| is_part(service) && is_part(operation))
}

/// How far the actions reach that a statement allows, by their names: `s3:GetObject`, `kinesis:*`; `is_held` if it names whom it lets in, or a
/// condition under which.
fn reach<'t>(actions: impl Iterator<Item = &'t str>, is_everywhere: bool, is_held: bool) -> Option<Effect> {
    let mut found = None;
    let mut is_named = false;
    for action in actions {
        let lower = action.to_lowercase();
        let Some((service, operation)) = lower.split_once(':') else { continue };
        is_named = true;
        let is_all = operation == "*";
        let has_power = match is_all {
            true => list("services-of-power").contains(&service),
            false => list("operations-of-power").iter().any(|power| lower.starts_with(power)),
        };
        let severity = match () {
            () if is_held && !(is_all && is_everywhere) => Severity::Low,
            () if is_all && is_everywhere && has_power => {
                return Some(grant("admin", format!("allows every action of `{service}` by a policy")));
            }
            () if has_power && (is_all || is_everywhere) => Severity::High,
            () if is_all && is_everywhere => Severity::Medium,
            () if is_all || is_everywhere => Severity::Low,
            () => continue,
        };
        found = found.max(Some(severity));
    }
    if !is_named && !is_everywhere {
        return None;
    }
    let says = "allows more than one thing by a policy with a star";
    match found {
        // What is allowed everywhere is not told.
        None if !is_named => Some(grant("wide-policy", says)),
        None => None,
        Some(severity) => Some(Effect { severity: Some(severity), ..grant("wide-policy", says) }),
    }
}

/// A policy that is written as paths with what may be done there, if one of its paths is all there is: `path "*" { capabilities = […] }`.
fn path_policy(text: &str) -> Option<Effect> {
    let tight: String =
        text.chars().filter(|character| !character.is_whitespace() && *character != '\\').collect::<String>().to_lowercase();
    let blocks = tight.split("path\"").skip(1).filter_map(|block| block.split_once("\"{"));
    let mut wide = blocks.filter(|(path, _)| matches!(*path, "*" | "/*" | "+/*" | "sys/*")).filter_map(|(_, rest)| {
        let may = rest.split('}').next().unwrap_or(rest);
        may.contains("capabilities").then(|| ["create", "update", "sudo", "delete", "patch"].iter().any(|right| may.contains(right)))
    });
    let first = wide.next()?;
    Some(if first || wide.any(|writes| writes) {
        grant("admin", "allows everything everywhere by a policy")
    } else {
        grant("wide-policy", "allows reading everywhere by a policy")
    })
}

/// What one statement of a policy allows that is more than one thing.
pub fn policy(properties: &[Property]) -> Option<Effect> {
    let by = |names: &[&str]| {
        properties.iter().find(|property| names.contains(&property.key.to_lowercase().as_str())).map(|property| &property.value)
    };
    let holds_star =
        |value: Option<&Value>, star: fn(&str) -> bool| value.is_some_and(|value| texts(value).iter().any(|text| star(text.text)));
    if by(&["effect"]).and_then(text).is_some_and(|effect| effect.eq_ignore_ascii_case("deny")) {
        return None;
    }
    let is_all = holds_star(by(&["action", "actions", "notaction", "verbs", "permissions"]), |text| matches!(text, "*" | "*:*"));
    let is_everywhere = holds_star(by(&["resource", "resources"]), |text| text == "*");
    let is_for_all = holds_star(by(&["principal", "principals"]), |text| text == "*");
    let is_bounded = by(&["condition", "conditions"]).is_some_and(bounds);
    let names_party = by(&["principal", "principals"]).is_some();
    let is_conditioned = by(&["condition", "conditions"]).is_some_and(|condition| {
        matches!(condition, Value::Object(properties, _) if !properties.is_empty())
            && texts(condition).iter().all(|text| !text.text.contains('*'))
    });
    // An account by its number, which is written out, is somebody else's.
    let is_account = |text: &str| text.split(':').any(|part| part.len() == 12 && part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_of_other = || by(&["principal", "principals"]).is_some_and(|party| texts(party).iter().any(|text| is_account(text.text)));
    match () {
        () if is_for_all && is_bounded => None,
        () if is_for_all
            && shows_what_is_made_for_all(properties.iter().flat_map(|property| texts(&property.value)).map(|text| text.text)) =>
        {
            Some(shown_to_all())
        }
        () if is_for_all => Some(grant("everybody", "lets everybody in by a policy")),
        () if is_all && names_party && is_conditioned => {
            Some(Effect { severity: Some(Severity::Medium), ..grant("wide-policy", "allows every action where a condition holds") })
        }
        () if is_all => Some(grant("admin", "allows every action by a policy")),
        () => {
            let actions = by(&["action", "actions"]).map(texts).unwrap_or_default();
            // Of a policy that is put on one thing and names whom it lets in, the star stands for that thing.
            let is_held = names_party && !is_of_other() || is_conditioned;
            reach(actions.iter().map(|text| text.text), is_everywhere && !names_party, is_held)
        }
    }
}

/// Returns true if and only if a policy lets objects be read, and nothing else be done, whose paths say that they are made for everybody:
/// `s3:GetObject` of `arn:aws:s3:::…/brand/logos/*`.
fn shows_what_is_made_for_all<'t>(said: impl Iterator<Item = &'t str>) -> bool {
    let (mut reads, mut is_shown) = (false, None);
    for text in said {
        let lower = text.to_lowercase();
        if let Some(path) = lower.strip_prefix("arn:aws:s3:::") {
            let parts = words(path);
            let is_made_so = parts.iter().any(|word| list("made-for-all").contains(&word.as_str())) && path.contains('/');
            is_shown = Some(is_shown.unwrap_or(true) && is_made_so);
        } else if lower.starts_with("s3:") {
            if lower != "s3:getobject" {
                return false;
            }
            reads = true;
        }
    }
    reads && is_shown == Some(true)
}

/// Everybody may read what is made for everybody.
pub fn shown_to_all() -> Effect {
    Effect { severity: Some(Severity::Low), ..grant("everybody", "lets everybody read what is named as made for all") }
}

/// Returns true if and only if a condition lets in only those of an organisation, an account or a network that it names.
fn bounds(condition: &Value) -> bool {
    let mut is_bounded = false;
    condition.visit_properties(&mut |property| {
        let is_star = text(&property.value).is_some_and(|text| text.contains('*'));
        is_bounded |= list("policy-bounds").contains(&&*property.key.to_lowercase()) && !is_star;
    });
    is_bounded
}

fn written_policy(json: &str) -> Option<Effect> {
    let tight: String = json.chars().filter(|character| !character.is_whitespace()).collect::<String>().to_lowercase();
    // A list of nothing but the star is the star.
    let tight = tight.replace("[\"*\"]", "\"*\"");
    if !tight.contains("\"effect\":\"allow\"") {
        return None;
    }
    let has = |key: &str| tight.contains(&format!("\"{key}\":\"*\"")) || tight.contains(&format!("\"{key}\":[\"*\"]"));
    // As many conditions as there are statements, each with somebody whom it names.
    let bounds: usize = list("policy-bounds").iter().map(|key| tight.matches(&format!("\"{key}\":")).count()).sum();
    let is_bounded = tight.matches("\"principal\"").count() <= bounds && !tight.contains("*\"}}");
    match () {
        () if is_bounded && (has("principal") || tight.contains("\"principal\":{\"aws\":\"*\"}")) => None,
        () if (has("principal") || tight.contains("\"principal\":{\"aws\":"))
            && tight.matches("\"effect\"").count() == 1
            && shows_what_is_made_for_all(tight.split('"')) =>
        {
            Some(shown_to_all())
        }
        () if has("principal") || tight.contains("\"principal\":{\"aws\":\"*\"}") => {
            Some(grant("everybody", "lets everybody in by a policy"))
        }
        () if has("action") => Some(grant("admin", "allows every action by a policy")),
        () => {
            let is_everywhere = has("resource") && !tight.contains("\"principal\":");
            reach(tight.split('"').filter(|part| is_action(part)), is_everywhere, false)
        }
    }
}
