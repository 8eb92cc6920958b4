//! What a call opens: roles, policies, keys, shares, and guards that it switches off.

use crate::knowledge::{House, Side, destination};
use crate::meaning::argument::{Text, is_no, is_yes, text, texts};
use crate::meaning::harm::{Harm, worse, worst};
use crate::meaning::names::words;
use crate::meaning::outside::{is_collector, is_everybody, is_mail_address, is_outside};
use crate::meaning::tool_kind::ToolName;
use crate::meaning::vocabulary::Words;
use crate::meaning::{keys, rights};
use crate::subject::call::{Call, Property, Value};
use crate::value::severity::Severity;

/// Words of tools that rule who may do what.
const ACCESS: Words = Words(
    "iam role roles permission permissions policy policies acl acls access grant grants share shares sharing invite invites invitation member members \
     membership collaborator collaborators admin admins privilege privileges rbac security sg firewall ingress group groups team teams org \
     organization auth authorization bucket repo drive doc docs document folder user users account accounts tenant workspace visibility public \
     network cluster project s3 gcs storage dashboard sheet sheets calendar file files entitlement entitlements db database vault sudo owner owners delegate delegates delegation mailbox",
);
/// Verbs that give or change.
const GIVES: Words = Words(
    "grant assign promote add set put update attach create share invite elevate change modify edit authorize allow make enable apply bind give patch \
     approve upsert publish open join register import upload configure transfer escalate append insert associate write save delegate",
);
/// Verbs that give nothing.
const TAKES: Words = Words(
    "get list find search describe read check show revoke remove delete detach deny count verify test simulate audit view export request fetch validate",
);
/// Keys whose value says what is given.
const GRANTS: Words = Words(
    "role roles rolename roleid permission permissions accesslevel access privilege privileges level scope scopes grant grants group groups policy policyarn \
     policyname policies rights entitlement entitlements usertype type capability capabilities team teams accessrole authority",
);
/// Values that give everything.
const POWERS: Words = Words(
    "admin admins administrator administrators owner owners superuser superadmin root sysadmin god fullaccess fullcontrol full_access full_control \
     administratoraccess poweruseraccess iamfullaccess clusteradmin globaladmin domainadmins wheel sudo sudoers dba rootaccess",
);
/// Keys that say to whom it is given.
const WHOM: Words = Words(
    "principal principals grantee grantees member members email emails user users with to recipient recipients account accounts accountid collaborator \
     collaborators acl visibility audience sharewith sharedwith invitee entity subject type who scope access trustedentity aws allusers username emailaddress mail mailaddress login upn guest guests reader readers writer writers viewer viewers editor editors delegate delegates attendee attendees",
);
/// What guards: switched off, nothing is noticed.
const GUARDS: Words = Words(
    "mfa 2fa twofactor totp otp sso saml audit auditlog auditlogs auditing logging cloudtrail guardduty siem edr xdr antivirus defender firewall protection \
     protections branchprotection encryption waf rls monitoring ipallowlist passwordpolicy securityhub dlp alerting captcha sandboxing csp",
);

/// What a call opens, if it opens anything: by the name of its tool, or by that of the operation which its argument names.
pub fn of_call(call: &Call) -> Option<Harm> {
    let tool = ToolName::of(call.tool.name()?);
    let said = rights::operation(&tool, &call.argument);
    let names = std::iter::once(&tool).chain(&said);
    worst(names.flat_map(|tool| [rights::harm(tool, &call.argument), of_tool(tool, &call.argument)]).flatten())
}

fn of_tool(tool: &ToolName, argument: &Value) -> Option<Harm> {
    if let Some(harm) = guard(tool, argument) {
        return Some(harm);
    }
    let verb = tool.verb.iter().map(String::as_str).find(|word| GIVES.has(word) || TAKES.has(word))?;
    if TAKES.has(verb) {
        return None;
    }
    if tool.has(Words("post posts message messages mail email blog article tweet video song playlist"))
        && !tool.has(Words("iam permission permissions role acl"))
    {
        return None;
    }
    let credential = keys::credential(tool, verb, argument);
    if !tool.has(ACCESS) && !tool.has(Words("webhook webhooks hook key keys ssh deploy deploys")) {
        return credential;
    }
    let opened = worse(policies(argument), worse(ingress(tool, argument), worse(hook(tool, argument), everybody(tool, argument))));
    worse(worse(opened, powers(argument)), worse(credential, plain_grant(tool, verb, argument)))
}

/// A guard that is switched off: by the verb of the tool, or by a switch in its argument.
fn guard(tool: &ToolName, argument: &Value) -> Option<Harm> {
    let name = tool.verb.concat();
    let guarded = |word: &str| GUARDS.has(word);
    let names_guard = tool.all().any(guarded)
        || ["branchprotection", "auditlog", "ipallowlist", "passwordpolicy", "twofactor", "securityhub"]
            .iter()
            .any(|guard| name.contains(guard));
    let is_rule = tool.verb.iter().any(|word| matches!(word.as_str(), "rule" | "alert" | "record" | "code" | "factor" | "entry"));
    let is_off = tool.verb.iter().any(|word| {
        matches!(
            word.as_str(),
            "disable" | "off" | "deactivate" | "remove" | "delete" | "suspend" | "bypass" | "skip" | "stop" | "pause" | "unenforce"
        )
    });
    if names_guard && is_off && !is_rule {
        return Some(Harm::critical(format!("switches off a guard: `{}`", tool.verb.join(" "))));
    }
    let changes = tool.verb.iter().any(|word| GIVES.has(word) || matches!(word.as_str(), "settings" | "config" | "toggle" | "policy"));
    if !changes {
        return None;
    }
    let mut found = None;
    argument.visit_properties(&mut |property| {
        let key = words(&property.key);
        let switch = key.iter().filter(|word| !matches!(word.as_str(), "enabled" | "enable" | "required" | "require" | "enforce" | "enforced" | "is" | "on"));
        let is_guard = is_guard_name(&switch.map(String::as_str).collect::<Vec<_>>());
        let is_inner_off = || matches!(&property.value, Value::Object(inner, _) if inner.iter().any(|inner| inner.key == "enabled" && is_no(&inner.value)));
        let is_negative = key.iter().any(|word| matches!(word.as_str(), "disable" | "skip" | "bypass" | "disabled"));
        let is_off_here = if is_negative { is_yes(&property.value) && key.iter().any(|word| GUARDS.has(word)) } else { is_guard && (is_no(&property.value) || is_inner_off()) };
        // `{ feature: 'mfa', enabled: false }`
        let is_named = property.key == "enabled" && is_no(&property.value) && (names_guard || texts(argument).iter().any(|text| GUARDS.has(&words(text.text).concat())));
        if is_off_here || is_named {
            found = Some(Harm::critical(format!("switches off a guard: `{}`", property.key)));
        }
    });
    found
}

fn is_guard_name(name: &[&str]) -> bool {
    GUARDS.has(&name.concat())
        || matches!(name, [first, ..] if matches!(*first, "mfa" | "sso" | "2fa" | "audit"))
        || matches!(name, [.., last] if matches!(*last, "mfa" | "sso" | "2fa" | "totp"))
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
    let goes_out = tool.has(Words("egress outbound"))
        || all.iter().any(|text| matches!(text.text.to_lowercase().as_str(), "egress" | "outbound" | "deny" | "block" | "drop"));
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
fn hook(tool: &ToolName, argument: &Value) -> Option<Harm> {
    if !tool.has(Words("webhook webhooks hook hooks")) {
        return None;
    }
    let urls: Vec<Text<'_>> = texts(argument).into_iter().filter(|text| text.text.contains("://")).collect();
    match () {
        () if urls.iter().any(|url| is_collector(url.text)) => {
            Some(Harm::critical("sends events to a host that collects them for anybody"))
        }
        () if !urls.is_empty() && urls.iter().all(|url| is_inside(url.text)) => {
            Some(Harm { severity: Severity::Low, what: "sends events to a host of the own network".to_owned() })
        }
        () if !urls.is_empty() && carries_content(argument) => Some(Harm::critical("sends all that happens to another host from now on")),
        () if !urls.is_empty() => Some(Harm::medium("sends events to another host from now on")),
        () => None,
    }
}

/// Returns true if and only if a URL leads to the own machine or network.
fn is_inside(url: &str) -> bool {
    destination(url, &House::default()).side == Side::Inside
}

/// Returns true if and only if a hook sends what the records say, or tells of every event.
fn carries_content(argument: &Value) -> bool {
    let mut carries = false;
    argument.visit_properties(&mut |property| {
        let name = words(&property.key);
        let tight = name.concat();
        let is_content = name.first().is_some_and(|first| matches!(first.as_str(), "include" | "with" | "send"))
            && name
                .iter()
                .any(|word| matches!(word.as_str(), "body" | "payload" | "content" | "contents" | "data" | "full" | "values" | "fields"));
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
        let name = words(key).concat();
        is_public |= match value {
            Value::String(text, _) => WHOM.has(&name) && is_everybody(text),
            Value::Boolean(..) => {
                is_yes(value)
                    && matches!(name.as_str(), "public" | "ispublic" | "anyonewithlink" | "allowanonymous" | "publicaccess" | "anonymous")
            }
            _ => false,
        };
    });
    is_public.then(|| Harm::critical("opens it to everybody"))
}

/// The rights over all that an argument gives.
pub fn powers(argument: &Value) -> Option<Harm> {
    let mut found = None;
    argument.visit("", &mut |key, value| {
        let name = words(key).concat();
        let is_power = match value {
            // `roleRef: { kind: 'ClusterRole', name: 'cluster-admin' }`
            Value::Object(inner, _) if matches!(name.as_str(), "role" | "roleref" | "roledefinition" | "policy" | "group") => inner
                .iter()
                .filter(|inner| matches!(words(&inner.key).concat().as_str(), "name" | "id" | "arn" | "role"))
                .any(|inner| text(&inner.value).is_some_and(gives_power)),
            Value::String(text, _) => GRANTS.has(&name) && gives_power(text),
            Value::Boolean(..) => {
                is_yes(value)
                    && matches!(
                        name.as_str(),
                        "admin" | "isadmin" | "superuser" | "issuperuser" | "owner" | "isowner" | "root" | "isstaff" | "siteadmin" | "sudo"
                    )
            }
            _ => false,
        };
        if is_power && found.is_none() {
            found = Some(Harm::critical(format!("gives all rights by `{key}`")));
        }
    });
    found
}

/// Words of roles and scopes that take back what another word of them gives.
const LITTLE: Words = Words("read readonly viewer view billing non not limited");

fn gives_power(text: &str) -> bool {
    let last = text.rsplit(['/', ':']).next().unwrap_or(text);
    // `admin:write`, `admin.all`: the first part says of what, the last one what may be done to it.
    let first = text.split([':', '.', '/']).next().unwrap_or(text);
    let does_much = Words("write all manage full rw admin create edit delete everything")
        .has(&words(text.rsplit([':', '.', '/']).next().unwrap_or(text)).concat())
        || text.ends_with(":*")
        || text.ends_with(".*");
    let is_little = |part: &str| words(part).iter().any(|word| LITTLE.has(word));
    if first != text && POWERS.has(&words(first).concat()) && (does_much || !is_little(text))
        || matches!(text.trim(), "*:*" | "*.*" | "all" | "ALL")
    {
        return true;
    }
    let parts = words(last);
    let is_less = is_little(last);
    !is_less
        && (text.trim() == "*"
            || POWERS.has(&parts.concat())
            || parts.iter().any(|word| matches!(word.as_str(), "admin" | "administrator" | "owner" | "superuser" | "superadmin" | "root")))
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
        range.starts_with("10.")
            || range.starts_with("192.168.")
            || (16..32).any(|second| range.starts_with(&format!("172.{second}.")))
            || range.ends_with("/32")
    };
    (has_policy || !ranges.is_empty() && ranges.iter().all(is_private)) && policies(argument).is_none()
}

/// A grant to somebody of something that is not all.
fn plain_grant(tool: &ToolName, verb: &str, argument: &Value) -> Option<Harm> {
    let is_about_access = tool.has(Words(
        "iam role roles permission permissions policy policies acl access grant share sharing invite member members collaborator collaborators privilege rbac entitlement group team delegate delegates delegation admin guest guests",
    ));
    let gives = matches!(
        verb,
        "grant"
            | "assign"
            | "promote"
            | "share"
            | "invite"
            | "elevate"
            | "attach"
            | "add"
            | "bind"
            | "set"
            | "put"
            | "update"
            | "authorize"
            | "give"
            | "escalate"
            | "transfer"
    );
    let makes = matches!(verb, "create" | "append" | "insert");
    if !is_about_access || !gives && !makes {
        return None;
    }
    let all = texts(argument);
    let outside = all.iter().find(|text| WHOM.has(&words(text.key).concat()) && is_outside(text.text));
    if let Some(outside) = outside {
        return Some(Harm::critical(format!("gives access to somebody outside: `{}`", outside.text)));
    }
    if makes || is_narrow(argument) {
        return None;
    }
    let is_reader = all.iter().any(|text| {
        GRANTS.has(&words(text.key).concat())
            && matches!(
                text.text.to_lowercase().as_str(),
                "viewer"
                    | "view"
                    | "read"
                    | "reader"
                    | "read-only"
                    | "readonly"
                    | "read_only"
                    | "commenter"
                    | "guest"
                    | "pull"
                    | "observer"
                    | "auditor"
                    | "triage"
                    | "member"
                    | "participant"
                    | "follower"
                    | "subscriber"
                    | "watcher"
                    | "attendee"
                    | "reporter"
            )
    });
    let is_grant = matches!(
        verb,
        "grant" | "assign" | "promote" | "share" | "invite" | "elevate" | "attach" | "bind" | "authorize" | "give" | "escalate"
    ) || all.iter().any(|text| GRANTS.has(&words(text.key).concat()));
    // Somebody of the house is invited, and nothing says that it is to more than take part.
    let is_invited = matches!(verb, "invite" | "add") && !all.iter().any(|text| GRANTS.has(&words(text.key).concat()));
    let is_insider = all.iter().any(|text| is_mail_address(text.text) && text.is_known && !is_outside(text.text));
    match () {
        () if is_reader || is_invited && is_insider => Some(Harm { severity: Severity::Low, what: "lets somebody read".to_owned() }),
        () if is_grant => Some(Harm::medium("gives rights")),
        () => None,
    }
}
