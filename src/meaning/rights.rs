//! What a call opens in other ways than by a role: manifests of clusters, apps that get consent, accounts elsewhere,
//! barriers that are taken down, operations that the argument names.

use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, destination};
use crate::meaning::argument::{Text, choices, is_name, is_yes, properties, text as written, texts};
use crate::meaning::harm::{Harm, worse, worst};
use crate::meaning::outside::is_everybody;
use crate::meaning::tool_kind::ToolName;
use crate::subject::call::{Property, Value};
use crate::value::words::{joined, words};

/// The harm of a call by what it opens; its tool is named as it is, or as its argument says.
pub fn harm(tool: &ToolName, argument: &Value, house: &House) -> Option<Harm> {
    if tool.verb.first().is_some_and(|first| Tag::LookingAtRights.has(first)) {
        return None;
    }
    worst(
        [
            manifest(argument),
            consent(tool, argument),
            app(tool, argument, house),
            account(tool, argument),
            barrier(tool, argument),
            policy(argument),
        ]
        .into_iter()
        .flatten(),
    )
}

/// What a tool of many uses does, where its argument names it: `{ op: 'put-bucket-acl' }`.
pub fn operation(tool: &ToolName, argument: &Value) -> Option<ToolName> {
    let mut named = properties(argument).into_iter().filter(|property| Tag::OperationKey.has(&joined(&property.key)));
    let named = named.find_map(|property| text(&property.value));
    let said = named.filter(|said| is_name(said)).map(words).filter(|said| 1 < said.len())?;
    Some(ToolName { owner: tool.owner.iter().chain(&tool.verb).cloned().collect(), verb: said })
}

/// A manifest of a cluster that lets somebody rule it, or starts what rules the machine beneath.
fn manifest(argument: &Value) -> Option<Harm> {
    let mut found = None;
    let mut holes = 0;
    argument.visit("", &mut |key, value| {
        let name = joined(key);
        if let Value::Object(properties, _) = value {
            found = worse(found.take(), binding(properties));
        }
        let is_switch = Tag::MachineSwitch.has(&name) && is_yes(value);
        let is_mount = text(value).is_some_and(|path| match name.as_str() {
            key if Tag::HostPathKey.has(key) => path == "/" && name != "path" && name != "source" || path == "/var/run/docker.sock",
            key if Tag::MountKey.has(key) => path.starts_with("/:/") || path.starts_with("/var/run/docker.sock:"),
            _ => false,
        });
        holes += u8::from(is_switch) + u8::from(is_mount);
        if let Some(manifest) = text(value).filter(|manifest| manifest.contains("kind:")) {
            let has = |part: &str| manifest.contains(part);
            if has("RoleBinding") && (has("name: cluster-admin") || has("system:anonymous") || has("system:unauthenticated")) {
                found = Some(Harm::critical("lets somebody rule the whole cluster"));
            }
            holes += u8::from(has("privileged: true")) + u8::from(has("hostPID: true")) + u8::from(has("path: /\n"));
        }
    });
    let machine = match holes {
        0 => None,
        1 => Some(Harm::high("starts what may do much on the machine beneath")),
        _ => Some(Harm::critical("starts what may do all on the machine beneath")),
    };
    worse(found, machine)
}

/// A binding of a role that rules, or of any role to everybody.
fn binding(properties: &[Property]) -> Option<Harm> {
    let by = |name: &str| properties.iter().find(|property| property.key == name).map(|property| &property.value);
    by("kind").and_then(text).filter(|kind| kind.ends_with("RoleBinding"))?;
    let rules = by("roleRef").is_some_and(|role| texts(role).iter().any(|text| matches!(text.text, "cluster-admin" | "admin")));
    let is_for_all = by("subjects").is_some_and(|who| texts(who).iter().any(|text| is_everybody(text.text)));
    (rules || is_for_all).then(|| Harm::critical("lets somebody rule the whole cluster"))
}

/// Consent to an app in the name of others.
fn consent(tool: &ToolName, argument: &Value) -> Option<Harm> {
    if !tool.verb.iter().any(|word| word == "consent") || tool.has(Tag::OtherConsent) {
        return None;
    }
    let mut is_for_all = tool.has(Tag::ForAll);
    argument.visit("", &mut |key, value| {
        let name = joined(key);
        is_for_all |= Tag::TenantSwitch.has(&name) && is_yes(value);
        is_for_all |= text(value).is_some_and(|text| matches!(text, "AllPrincipals" | "all" | "tenant"));
    });
    Some(if is_for_all {
        Harm::critical("lets an app into the data of everybody")
    } else {
        Harm::high("lets an app in, as if a person had agreed")
    })
}

/// An app that may read what many have, and hands its logins to a place elsewhere.
fn app(tool: &ToolName, argument: &Value, house: &House) -> Option<Harm> {
    let makes = Tag::MakingApp.has_any(tool.verb.iter());
    if !makes || !tool.has(Tag::App) {
        return None;
    }
    let all = texts(argument);
    let of = |keys: Tag| all.iter().filter(move |text| words(text.key).iter().any(|word| keys.has(word)));
    let is_broad = of(Tag::AppScopeKey).any(|scope| scope.text == "*" || Tag::BroadScope.words().any(|part| scope.text.contains(part)));
    let is_led_out = of(Tag::RedirectKey).any(|text| destination(text.text, house).side == Side::Outside);
    match (is_broad, is_led_out) {
        (true, true) => Some(Harm::critical("makes an app that may read what many have, and that answers to a place elsewhere")),
        (true, false) => Some(Harm::high("makes an app that may read what many have")),
        (false, _) => None,
    }
}

/// What holds data, opened to an account of a cloud by its number.
fn account(tool: &ToolName, argument: &Value) -> Option<Harm> {
    let all = texts(argument);
    let is_named = |text: &&Text<'_>| {
        let key = words(text.key);
        Tag::GranteeKey.has_any(key.iter()) && !Tag::OwnAccountKey.has_any(key.iter()) && is_account(text.text)
    };
    let known = all.iter().find(is_named)?;
    let about = tool.all().map(str::to_owned).chain(all.iter().flat_map(|text| words(text.key)));
    let mut keys: Vec<String> = about.collect();
    argument.visit_properties(&mut |property| keys.extend(words(&property.key)));
    let has = |any: Tag| keys.iter().any(|word| any.has(word));
    let gives = Tag::SharingHolding.has_any(tool.verb.iter());
    (gives && has(Tag::Holding) && has(Tag::Admission)).then(|| Harm::critical(format!("lets another account have it: `{}`", known.text)))
}

/// Returns true if and only if a text is the number of an account, or the name of one's root or user.
fn is_account(text: &str) -> bool {
    let is_number = |text: &str| text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    let of_name = text.strip_prefix("arn:aws:iam::").and_then(|rest| rest.split(':').next());
    is_number(text) || of_name.is_some_and(is_number)
}

/// What keeps everybody out, taken down or set to let them in.
fn barrier(tool: &ToolName, argument: &Value) -> Option<Harm> {
    let name = tool.verb.concat();
    let is_taken = Tag::TakingDown.has_any(tool.verb.iter());
    let mut is_open = is_taken && (name.contains("publicaccessblock") || name.contains("publicaccessprevention"));
    argument.visit_properties(&mut |property| {
        let key = joined(&property.key);
        let is_key = Tag::PublicAccessKey.has(&key);
        let says = text(&property.value).is_some_and(|value| !value.is_empty() && !Tag::Closed.has(&value.to_lowercase()));
        is_open |= is_key && (says || is_yes(&property.value));
    });
    is_open.then(|| Harm::critical("opens it to everybody"))
}

/// A guard that is named in one place of an argument and lifted in another: `{ name: 'mfa', value: 'optional' }`.
fn policy(argument: &Value) -> Option<Harm> {
    let properties = properties(argument);
    let of =
        |keys: Tag| properties.iter().filter(move |property| keys.has(&joined(&property.key))).filter_map(|property| text(&property.value));
    let named = of(Tag::PolicyNameKey).find(|name| Tag::PolicyGuard.has_any(words(name)))?;
    let lifted = of(Tag::PolicyValueKey).any(|value| Tag::Lifted.has(&value.to_lowercase()));
    lifted.then(|| Harm::critical(format!("switches off a guard: `{named}`")))
}

/// The text that a value writes; where it is one of several, the first.
fn text(value: &Value) -> Option<&str> {
    choices(value).into_iter().find_map(written)
}
