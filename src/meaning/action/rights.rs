//! What a call opens in other ways than by a role: manifests of clusters, apps that get consent, accounts elsewhere,
//! barriers that are taken down, operations that the argument names.

use crate::knowledge::command::list;
use crate::knowledge::effect::Effect;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, destination};
use crate::meaning::action::power::{grant, lifts_guard, powers};
use crate::meaning::argument::{choices, is_name, is_yes, properties, text as written, texts};
use crate::meaning::outside::{is_everybody, is_mail_address, is_private_mailbox};
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::Arguments;
use crate::subject::call::{Property, Value};
use crate::value::words::{joined, words};

/// What a call opens; its tool is named as it is, or as its argument says.
pub fn effects(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Vec<Effect> {
    if tool.verb.first().is_some_and(|first| Tag::LookingAtRights.has(first)) {
        return Vec::new();
    }
    let named = [
        consent(tool, argument),
        app(tool, argument, house),
        account(tool, argument),
        barrier(tool, argument),
        policy(argument.whole),
        promoted(tool, argument),
    ];
    manifest(tool, argument).into_iter().chain(named.into_iter().flatten()).collect()
}

/// What a tool of many uses does, where its argument names it: `{ op: 'put-bucket-acl' }`.
pub fn operation(tool: &ToolName, argument: &Value) -> Option<ToolName> {
    let mut named = properties(argument).into_iter().filter(|property| Tag::OperationKey.has(&joined(&property.key)));
    let named = named.find_map(|property| text(&property.value));
    let said = named.filter(|said| is_name(said)).map(words).filter(|said| 1 < said.len())?;
    Some(ToolName { heads: Vec::new(), owner: tool.owner.iter().chain(&tool.verb).cloned().collect(), verb: said })
}

/// A manifest of a cluster that lets somebody rule it, or starts what rules the machine beneath.
fn manifest(tool: &ToolName, argument: &Arguments<'_>) -> Vec<Effect> {
    let mut found: Vec<Effect> = argument.objects().filter_map(binding).collect();
    let mut holes = 0;
    for (key, value) in argument.values() {
        // A memo of lawyers is privileged, too.
        let is_paper = key.joined == "privileged" && tool.all().any(|word| list("privileged-papers").contains(&word));
        let is_switch = key.is(Tag::MachineSwitch) && is_yes(value) && !is_paper;
        let is_mount = text(value).is_some_and(|path| match key.joined.as_str() {
            name if key.is(Tag::HostPathKey) => path == "/" && name != "path" && name != "source" || path == "/var/run/docker.sock",
            _ if key.is(Tag::MountKey) => path.starts_with("/:/") || path.starts_with("/var/run/docker.sock:"),
            _ => false,
        });
        holes += u8::from(is_switch) + u8::from(is_mount);
        if let Some(manifest) = text(value).filter(|manifest| manifest.contains("kind:")) {
            let has = |part: &str| manifest.contains(part);
            if has("RoleBinding") && (has("name: cluster-admin") || has("system:anonymous") || has("system:unauthenticated")) {
                found.push(grant("cluster", "lets somebody rule the whole cluster"));
            }
            holes += u8::from(has("privileged: true")) + u8::from(has("hostPID: true")) + u8::from(has("path: /\n"));
        }
    }
    match holes {
        0 => {}
        1 => found.push(grant("machine-part", "starts what may do much on the machine beneath")),
        _ => found.push(grant("machine", "starts what may do all on the machine beneath")),
    }
    found
}

/// A binding of a role that rules, or of any role to everybody.
fn binding(properties: &[Property]) -> Option<Effect> {
    let by = |name: &str| properties.iter().find(|property| property.key == name).map(|property| &property.value);
    by("kind").and_then(text).filter(|kind| kind.ends_with("RoleBinding"))?;
    let rules = by("roleRef").is_some_and(|role| texts(role).iter().any(|text| matches!(text.text, "cluster-admin" | "admin")));
    let is_for_all = by("subjects").is_some_and(|who| texts(who).iter().any(|text| is_everybody(text.text)));
    (rules || is_for_all).then(|| grant("cluster", "lets somebody rule the whole cluster"))
}

/// Consent to an app in the name of others.
fn consent(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    if !tool.verb.iter().any(|word| word == "consent") || tool.has(Tag::OtherConsent) || is_record_of_leave(argument) {
        return None;
    }
    let is_for_all = tool.has(Tag::ForAll)
        || argument.values().any(|(key, value)| {
            let says_all = text(value).is_some_and(|text| matches!(text, "AllPrincipals" | "all" | "tenant"));
            key.is(Tag::TenantSwitch) && is_yes(value) || says_all
        });
    Some(if is_for_all {
        grant("everybody", "lets an app into the data of everybody")
    } else {
        grant("app", "lets an app in, as if a person had agreed")
    })
}

/// Returns true if and only if a consent is that of a person to what is done with them: `{ patientId, procedure }`.
pub fn is_record_of_leave(argument: &Arguments<'_>) -> bool {
    let is_any = |name: &str| argument.properties().any(|(key, _)| list(name).contains(&key.joined.as_str()));
    is_any("records-of-leave") && !is_any("apps-let-in") && !argument.properties().any(|(key, _)| key.is(Tag::AppScopeKey))
}

/// An app that may read what many have, and hands its logins to a place elsewhere.
fn app(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Option<Effect> {
    if !Tag::MakingApp.has_any(tool.verb.iter()) || !tool.has(Tag::App) {
        return None;
    }
    let of = |keys: Tag| argument.said().filter(move |(key, _)| key.has(keys)).map(|(_, text)| text.text);
    let is_broad = of(Tag::AppScopeKey).any(|scope| scope == "*" || Tag::BroadScope.words().any(|part| scope.contains(part)));
    let is_led_out = of(Tag::RedirectKey).any(|text| destination(text, house).side == Side::Outside);
    match (is_broad, is_led_out) {
        (true, true) => {
            Some(grant("broad-app", "makes an app that may read what many have, and that answers to a place elsewhere").at(Side::Outside))
        }
        (true, false) => Some(grant("broad-app", "makes an app that may read what many have")),
        (false, _) => None,
    }
}

/// What holds data, opened to an account of a cloud by its number.
fn account(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    let mut named = argument.said().filter(|(key, text)| key.has(Tag::GranteeKey) && !key.has(Tag::OwnAccountKey) && is_account(text.text));
    let known = named.next().map(|(_, text)| text.text).or_else(|| argument.texts().iter().find_map(|text| let_in_by(text.text)))?;
    let has = |any: Tag| tool.has(any) || argument.properties().any(|(key, _)| key.has(any));
    let gives = Tag::SharingHolding.has_any(tool.verb.iter());
    let lets_in = gives && has(Tag::Holding) && has(Tag::Admission);
    lets_in.then(|| grant("access", format!("lets another account have it: `{known}`")).at(Side::Outside))
}

/// The account that a policy lets in which is written as JSON.
fn let_in_by(text: &str) -> Option<&str> {
    let (_, behind) = text.split_once("\"Principal\"")?;
    let at = behind.find(ACCOUNT)?;
    let named = behind.get(at..)?.split('"').next()?;
    let is_before_end = behind.get(..at).is_some_and(|before| !before.contains('}'));
    (is_before_end && named.ends_with(ROOT) && is_account(named)).then_some(named)
}

/// How the name of an account as a whole ends.
const ROOT: &str = ":root";

/// How the names of accounts begin, and of who is in one.
const ACCOUNT: &str = "arn:aws:iam::";

/// What puts a new row into a table.
const INSERTING: &str = "insert";

/// A record of a person that is given all rights, where a tool writes records: `{ where: { email }, data: { role } }`.
fn promoted(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    let writes = Tag::Changing.has_any(tool.verb.iter());
    let given = powers(argument).filter(|_| writes)?;
    let said = |is_meant: fn(&str) -> bool| argument.said().find(|(_, text)| text.is_known && is_meant(text.text)).map(|(_, who)| who.text);
    if let Some(who) = said(is_private_mailbox) {
        return Some(grant("admin", format!("gives all rights to a private mailbox: `{who}`")).at(Side::Outside));
    }
    // Who is made anew, as the first users of a database are, was nobody before.
    let is_new = Tag::MakingAnew.has_any(tool.verb.iter()) || tool.verb.iter().any(|word| word == INSERTING);
    let who = said(is_mail_address).filter(|_| !is_new)?;
    Some(grant("role", format!("{} to one who stands in the script: `{who}`", given.says)))
}

/// Returns true if and only if a text is the number of an account, or the name of one's root or user.
fn is_account(text: &str) -> bool {
    let is_number = |text: &str| text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    let of_name = text.strip_prefix(ACCOUNT).and_then(|rest| rest.split(':').next());
    is_number(text) || of_name.is_some_and(is_number)
}

/// What keeps everybody out, taken down or set to let them in.
fn barrier(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    let name = tool.verb.concat();
    let is_taken = Tag::TakingDown.has_any(tool.verb.iter());
    let is_gone = is_taken && (name.contains("publicaccessblock") || name.contains("publicaccessprevention"));
    let is_lifted = argument.properties().filter(|(key, _)| key.is(Tag::PublicAccessKey)).any(|(_, property)| {
        let says = text(&property.value).is_some_and(|value| !value.is_empty() && !Tag::Closed.has(&value.to_lowercase()));
        says || is_yes(&property.value)
    });
    (is_gone || is_lifted).then(|| grant("everybody", "opens it to everybody"))
}

/// A guard that is named in one place of an argument and lifted in another: `{ name: 'mfa', value: 'optional' }`.
fn policy(argument: &Value) -> Option<Effect> {
    let properties = properties(argument);
    let of =
        |keys: Tag| properties.iter().filter(move |property| keys.has(&joined(&property.key))).filter_map(|property| text(&property.value));
    let named = of(Tag::PolicyNameKey).find(|name| Tag::PolicyGuard.has_any(words(name)))?;
    let lifted = of(Tag::PolicyValueKey).any(|value| Tag::Lifted.has(&value.to_lowercase()));
    lifted.then(|| lifts_guard(named))
}

/// The text that a value writes; where it is one of several, the first.
fn text(value: &Value) -> Option<&str> {
    choices(value).into_iter().find_map(written)
}
