//! What a call opens in other ways than by a role: manifests of clusters, apps that get consent, accounts elsewhere,
//! barriers that are taken down, operations that the argument names.

use crate::knowledge::{House, Side, destination};
use crate::meaning::argument::{Text, choices, is_name, is_yes, properties, text as written, texts};
use crate::meaning::harm::{Harm, worse, worst};
use crate::meaning::names::words;
use crate::meaning::outside::is_everybody;
use crate::meaning::tool_kind::ToolName;
use crate::meaning::vocabulary::Words;
use crate::subject::call::{Property, Value};

/// Keys whose text names what a tool of many uses does.
const OPERATIONS: Words = Words("op operation action command method subcommand api verb function");
/// Verbs that only look.
const LOOKS: Words = Words("get list find search describe read check show view count verify test simulate audit export diff");
/// Words for what holds data that another account gets with it.
const HOLDINGS: Words = Words(
    "snapshot snapshots image images ami backup backups bucket buckets dump database db volume disk key keys kms secret secrets dataset datasets recovery",
);
/// Words for who may come in.
const RULES: Words = Words("permission permissions attribute attributes policy share sharing access trust grant grants acl role");
/// Words of keys that name the account that is let in.
const GRANTEES: Words =
    Words("account accounts accountid accountids user users userid userids principal principals aws grantee add target with values");
/// Words of keys that name the account which something already belongs to.
const OWNERS: Words = Words("source owner from expected own current my");
/// Values by which nothing is open.
const CLOSED: Words = Words("none off no false private disabled disable blocked block deny denied inactive 0 enforced inherited");
/// Values by which a guard is no longer there.
const LIFTED: Words = Words("off optional disabled disable none no false inactive never permissive report-only monitor");
/// Words for guards that a policy may name.
const GUARDS: Words = Words("mfa 2fa sso otp totp encryption logging audit firewall approval review captcha dlp quarantine retention");
/// Parts of scopes that reach the data of many or may change all of it.
const BROAD: &[&str] =
    &[".All", "ReadWrite", "full_access", "fullaccess", "mail.google.com", "auth/drive", "auth/gmail", "Mail.Read", "Mail.Send", "admin"];

/// The harm of a call by what it opens; its tool is named as it is, or as its argument says.
pub fn harm(tool: &ToolName, argument: &Value) -> Option<Harm> {
    if tool.verb.first().is_some_and(|first| LOOKS.has(first)) {
        return None;
    }
    worst(
        [
            manifest(argument),
            consent(tool, argument),
            app(tool, argument),
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
    let mut named = properties(argument).into_iter().filter(|property| OPERATIONS.has(&words(&property.key).concat()));
    let named = named.find_map(|property| text(&property.value));
    let said = named.filter(|said| is_name(said)).map(words).filter(|said| 1 < said.len())?;
    Some(ToolName { owner: tool.owner.iter().chain(&tool.verb).cloned().collect(), verb: said })
}

/// A manifest of a cluster that lets somebody rule it, or starts what rules the machine beneath.
fn manifest(argument: &Value) -> Option<Harm> {
    let mut found = None;
    let mut holes = 0;
    argument.visit("", &mut |key, value| {
        let name = words(key).concat();
        if let Value::Object(properties, _) = value {
            found = worse(found.take(), binding(properties));
        }
        let is_switch = matches!(name.as_str(), "privileged" | "hostpid" | "hostipc" | "hostnetwork") && is_yes(value);
        let is_mount = text(value).is_some_and(|path| match name.as_str() {
            "hostpath" | "hostmount" | "path" | "source" => {
                path == "/" && name != "path" && name != "source" || path == "/var/run/docker.sock"
            }
            "binds" | "volumes" | "mounts" | "volume" => path.starts_with("/:/") || path.starts_with("/var/run/docker.sock:"),
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
    if !tool.verb.iter().any(|word| word == "consent") || tool.has(Words("revoke withdraw request cookie marketing")) {
        return None;
    }
    let mut is_for_all = tool.has(Words("admin tenant"));
    argument.visit("", &mut |key, value| {
        let name = words(key).concat();
        is_for_all |= matches!(name.as_str(), "tenantwide" | "allusers" | "organizationwide" | "orgwide") && is_yes(value);
        is_for_all |= text(value).is_some_and(|text| matches!(text, "AllPrincipals" | "all" | "tenant"));
    });
    Some(if is_for_all {
        Harm::critical("lets an app into the data of everybody")
    } else {
        Harm::high("lets an app in, as if a person had agreed")
    })
}

/// An app that may read what many have, and hands its logins to a place elsewhere.
fn app(tool: &ToolName, argument: &Value) -> Option<Harm> {
    let makes = tool.verb.iter().any(|word| matches!(word.as_str(), "create" | "register" | "add" | "new"));
    if !makes || !tool.has(Words("app apps application applications oauth client clients integration")) {
        return None;
    }
    let all = texts(argument);
    let of = |names: &'static str| all.iter().filter(move |text| words(text.key).iter().any(|word| Words(names).has(word)));
    let is_broad =
        of("scope scopes permission permissions").any(|scope| scope.text == "*" || BROAD.iter().any(|part| scope.text.contains(part)));
    let is_led_out =
        of("redirect redirects callback callbacks").any(|text| destination(text.text, &House::default()).side == Side::Outside);
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
        key.iter().any(|word| GRANTEES.has(word)) && !key.iter().any(|word| OWNERS.has(word)) && is_account(text.text)
    };
    let known = all.iter().find(is_named)?;
    let about = tool.all().map(str::to_owned).chain(all.iter().flat_map(|text| words(text.key)));
    let mut keys: Vec<String> = about.collect();
    argument.visit_properties(&mut |property| keys.extend(words(&property.key)));
    let has = |any: Words| keys.iter().any(|word| any.has(word));
    let gives = tool.verb.iter().any(|word| Words("modify share add put grant authorize set update attach create").has(word));
    (gives && has(HOLDINGS) && has(RULES)).then(|| Harm::critical(format!("lets another account have it: `{}`", known.text)))
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
    let is_taken = tool.verb.iter().any(|word| Words("delete remove disable off drop clear").has(word));
    let mut is_open = is_taken && (name.contains("publicaccessblock") || name.contains("publicaccessprevention"));
    argument.visit_properties(&mut |property| {
        let key = words(&property.key).concat();
        let is_key =
            matches!(key.as_str(), "publicaccess" | "publicaccesslevel" | "anonymousaccess" | "allowpublicaccess" | "anonymousread");
        let says = text(&property.value).is_some_and(|value| !value.is_empty() && !CLOSED.has(&value.to_lowercase()));
        is_open |= is_key && (says || is_yes(&property.value));
    });
    is_open.then(|| Harm::critical("opens it to everybody"))
}

/// A guard that is named in one place of an argument and lifted in another: `{ name: 'mfa', value: 'optional' }`.
fn policy(argument: &Value) -> Option<Harm> {
    let properties = properties(argument);
    let of = |names: &'static str| {
        properties
            .iter()
            .filter(move |property| Words(names).has(&words(&property.key).concat()))
            .filter_map(|property| text(&property.value))
    };
    let named = of("name policy setting feature key rule control").find(|name| words(name).iter().any(|word| GUARDS.has(word)))?;
    let lifted = of("value state status mode enforcement level").any(|value| LIFTED.has(&value.to_lowercase()));
    lifted.then(|| Harm::critical(format!("switches off a guard: `{named}`")))
}

/// The text that a value writes; where it is one of several, the first.
fn text(value: &Value) -> Option<&str> {
    choices(value).into_iter().find_map(written)
}
