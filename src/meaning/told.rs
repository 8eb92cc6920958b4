//! What a tool returns, as its name and its arguments tell.

use crate::knowledge::secret::path_sensitivity;
use crate::knowledge::tool::{ToolProfile, noun, tool_in};
use crate::knowledge::{Destination, House, Sensitivity, Side, SinkKind, destination};
use crate::meaning::amount::amount;
use crate::meaning::argument::is_yes;
use crate::meaning::places::places;
use crate::meaning::read::Read;
use crate::meaning::vocabulary::Words;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::subject::flow::{CallRef, Origin};
use crate::value::words::words;

/// Keys of arguments that name what is read.
const NAMING: Words = Words(
    "path paths file files filename filepath table collection key keys name names resource type query sql statement q dataset entity object index secret \
     folder dir directory title fields select columns include command cmd bucket pattern glob patterns url uri endpoint prefix page doc document slug \
     report sheet kind category topic segment list scope of what module subject id view source channel mailbox expand",
);
/// Keys of arguments that hold what a tool makes something of.
const CONTENT: Words = Words(
    "text content contents input html body data markdown prompt template message messages document string value values items rows json csv xml lines \
     template code words question",
);
/// Commands that tell nothing of anybody.
const IDLE: Words = Words("date uptime echo true false sleep pwd nproc uname arch node npm make cargo tsc eslint prettier test");
/// Parts of commands that tell how to get in, whatever file they read.
const WAYS_IN: &[&str] = &[
    "export-secret-key",
    "find-generic-password",
    "find-internet-password",
    "dump-keychain",
    "get-secret-value",
    "get secret",
    "get secrets",
    "secrets versions access",
    "print-access-token",
    "get-login-password",
    "auth token",
    "config view --raw",
    "kv get",
    "vault read",
    "pass show",
    "op read",
    "op item get",
    "bw get",
    "secret-tool lookup",
    "cmdkey /list",
    "sekurlsa",
    "/proc/self/environ",
    "process.env",
    "get-parameters-by-path",
    "--with-decryption",
    "git credential",
    "printenv",
    "ssh-add -l",
    "docker inspect",
    "security export",
    "netsh wlan show profile",
    "configure export-credentials",
];
/// Parts of commands that read many records.
const DUMPS: &[&str] = &[
    "pg_dump",
    "mysqldump",
    "mongodump",
    "mongoexport",
    "select ",
    "redis-cli --rdb",
    ".dump",
    "bigquery",
    "bq extract",
    "ldapsearch",
    "tar c",
    "tar -c",
    "zip -r",
    "git bundle",
    "git archive",
];

/// Last parts of a cloud's metadata that tell where a machine stands and what it is, not how to get in.
const PLACEMENT: Words = Words(
    "region zone availability-zone availability-zone-id machine-type instance-type instance-id ami-id hostname local-hostname public-hostname local-ipv4 \
     public-ipv4 name id image location vmsize project-id numeric-project-id mac cpu-platform instance-life-cycle region-id zone-id namespace",
);
/// Parts of scripts for a page that read what a browser keeps for it.
const KEPT: &[&str] = &["localStorage", "sessionStorage", "document.cookie", "indexedDB", "cookieStore"];
/// Switches that ask for what is hidden otherwise.
const REVEALING: Words = Words(
    "reveal revealed decrypt decrypted withdecryption unmask unmasked showsecrets showsecret includesecrets includesecret withsecrets includeprivate \
     includeprivatekey privatekey exportprivate showvalues showpasswords includepasswords plaintext revealsecrets revealvalues",
);

/// What a call's arguments ask for by switches and scripts: what is masked otherwise, what a browser keeps.
fn asked_for(call: &Call) -> Option<Sensitivity> {
    let mut found = None;
    call.argument.visit("", &mut |key, value| {
        let plain: String = key.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let is_kept = matches!(value, Value::String(text, _) | Value::Partial(text, _) if KEPT.iter().any(|part| text.contains(part)))
            && matches!(plain.as_str(), "" | "expression" | "script" | "code" | "function" | "fn" | "js" | "javascript" | "pagefunction");
        if is_kept {
            found = Some(Sensitivity::Authentication);
        }
    });
    call.argument.visit_properties(&mut |property| {
        let plain: String = property.key.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        if REVEALING.has(&plain) && is_yes(&property.value) {
            found = Some(Sensitivity::Authentication);
        }
    });
    found
}

/// What a tool's call reads.
pub fn tool_read(subject: &Subject, origin: &Origin, house: &House, plain: Read) -> Read {
    let call = match origin.call {
        Some(CallRef::Tool(index)) => subject.calls.get(index),
        Some(CallRef::Host(_)) | None => None,
    };
    let profile = tool_in(&origin.name, house);
    let made = profile.hands_out.then_some(Sensitivity::Authentication);
    let own = call.and_then(|call| own_place(call, &profile, house).max(asked_for(call)).max(made));
    let is_public = profile.is_public && own.is_none();
    let told = call.filter(|_| !is_public).and_then(argument_sensitivity);
    let (is_many, is_unfiltered) = call.map_or((profile.reads_many, true), |call| amount(call, profile.reads_many));
    let answers = |sink: &SinkKind| matches!(sink, SinkKind::Command | SinkKind::Code | SinkKind::Query | SinkKind::Prompt);
    let acts = profile.writes || !profile.sinks.is_empty() && !profile.sinks.iter().any(answers);
    let is_answered = profile.is_network_read && (profile.does(SinkKind::Network) || profile.sinks.is_empty());
    let is_given = profile.has_verb || call.is_none_or(holds_content);
    let only_acts = own.is_none() && !profile.reads && !profile.transforms && !is_answered && acts && is_given;
    let is_idle = profile.does(SinkKind::Command) && call.is_some_and(is_idle);
    let is_harmless = only_acts || profile.redacts || profile.counts && told != Some(Sensitivity::Authentication) || is_idle;
    let makes = call.is_some_and(|call| profile.transforms && !profile.reads && holds_content(call))
        || profile.does(SinkKind::Prompt) && !profile.reads;
    let known = profile.sensitivity.max(told).max(own).filter(|_| !(profile.redacts || profile.counts && is_harmless));
    // What a company's tool returns is the company's, unless something tells otherwise.
    let is_own = !is_public && !is_harmless && !makes && !told_public(call);
    let sensitivity = known.or(is_own.then_some(Sensitivity::Internal));
    Read {
        sensitivity,
        is_harmless,
        is_public: (is_public || makes || told_public(call)) && sensitivity.is_none(),
        is_many: is_many && !only_acts,
        is_unfiltered,
        is_untrusted: profile.is_network_read && own.is_none(),
        words: known.map_or(plain.words.clone(), |kind| format!("{} data read by `{}`", kind.name(), origin.name)),
        ..plain
    }
}

/// What a call of the network reads inside: nothing, if it leads elsewhere.
fn own_place(call: &Call, profile: &ToolProfile, house: &House) -> Option<Sensitivity> {
    if !profile.is_public && !profile.is_network_read && !profile.does(SinkKind::Network) {
        return None;
    }
    let mut own = None;
    let is_led_out = places(call, profile, house).found.iter().any(|place: &Destination| place.side != Side::Inside);
    call.argument.visit("", &mut |_, value| {
        if let Value::String(text, _) | Value::Partial(text, _) = value {
            own = own.max(inside_sensitivity(text, house));
        }
    });
    own.filter(|_| !is_led_out || own == Some(Sensitivity::Authentication))
}

/// What kind of data an address inside holds, if it is one.
pub fn inside_sensitivity(url: &str, house: &House) -> Option<Sensitivity> {
    let (_, rest) = url.split_once("://").filter(|(scheme, _)| matches!(*scheme, "http" | "https"))?;
    let host = rest.split(['/', ':', '?']).next().unwrap_or_default();
    if matches!(host, "169.254.169.254" | "metadata.google.internal" | "100.100.100.200" | "169.254.170.2" | "[fd00:ec2::254]") {
        let last = rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        return (!PLACEMENT.has(&last.to_lowercase())).then_some(Sensitivity::Authentication);
    }
    let is_loopback = host == "localhost" || host.starts_with("127.") || host.starts_with('[');
    (destination(url, house).side == Side::Inside && !is_loopback).then(|| text_sensitivity(rest).unwrap_or(Sensitivity::Internal))
}

/// What kind of data an argument names: `{ path: '~/.ssh/id_rsa' }`, `{ sql: 'SELECT * FROM patients' }`.
fn argument_sensitivity(call: &Call) -> Option<Sensitivity> {
    let mut found = None;
    call.argument.visit("", &mut |key, value| {
        if let Value::String(text, _) | Value::Partial(text, _) = value
            && (key.is_empty() || words(key).last().is_some_and(|last| NAMING.has(last)))
        {
            found = found.max(text_sensitivity(text));
            if matches!(key.to_lowercase().as_str(), "command" | "cmd" | "script" | "") {
                found = found.max(command_sensitivity(text));
            }
        }
    });
    found
}

/// Returns true if and only if the arguments name what everybody may read: a read-me, a licence, what a site serves.
fn told_public(call: Option<&Call>) -> bool {
    let mut found = false;
    if let Some(call) = call {
        call.argument.visit("", &mut |key, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value
                && matches!(key.to_lowercase().as_str(), "path" | "file" | "filename" | "filepath" | "key" | "")
            {
                found |= is_public_path(text);
            }
        });
    }
    found
}

/// Returns true if and only if a path names what everybody may read.
pub fn is_public_path(path: &str) -> bool {
    let path = path.replace('\\', "/").to_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    let starts = [
        "readme",
        "license",
        "licence",
        "changelog",
        "contributing",
        "code_of_conduct",
        "package.json",
        "robots.txt",
        "sitemap",
        "favicon",
        "security.md",
    ];
    let is_machine = path.starts_with("/proc/") && matches!(name, "uptime" | "loadavg" | "cpuinfo" | "meminfo" | "version" | "stat")
        || path.ends_with("/serviceaccount/namespace")
        || path.ends_with("/serviceaccount/ca.crt")
        || matches!(path.as_str(), "/etc/os-release" | "/etc/timezone" | "/etc/localtime" | "/etc/lsb-release");
    let is_tooling = matches!(
        name,
        ".nvmrc"
            | ".node-version"
            | ".editorconfig"
            | ".prettierrc"
            | ".prettierignore"
            | ".eslintrc"
            | ".eslintignore"
            | ".hushlogin"
            | ".tool-versions"
            | ".gitattributes"
            | ".python-version"
            | ".ruby-version"
            | "tsconfig.json"
            | "version"
    );
    let is_served = is_machine
        || is_tooling
        || path
            .split('/')
            .rev()
            .skip(1)
            .any(|folder| matches!(folder, "public" | "static" | "www" | "public_html" | "opendata" | "open-data"));
    starts.iter().any(|start| name.starts_with(start)) || is_served
}

/// What kind of data a text names.
pub fn text_sensitivity(text: &str) -> Option<Sensitivity> {
    let named = words(text).iter().take(64).filter_map(|word| noun(word)).filter_map(|noun| noun.sensitivity).max();
    // The word `token` in a query is no token; the secrets that files hold are told by their paths.
    path_sensitivity(text).max(named.filter(|kind| *kind != Sensitivity::Authentication))
}

/// What kind of data a command prints.
pub fn command_sensitivity(command: &str) -> Option<Sensitivity> {
    let first = command.split_whitespace().next().unwrap_or_default();
    let tells_all = matches!(first, "env" | "printenv" | "set" | "export") || WAYS_IN.iter().any(|part| command.contains(part));
    let paths = command.split([' ', '\'', '"', '=', '<', '>', '|', ';', '@']).filter_map(path_sensitivity).max();
    let dumps = DUMPS.iter().any(|part| command.contains(part)).then_some(Sensitivity::Internal);
    if tells_all { Some(Sensitivity::Authentication) } else { paths.max(dumps) }
}

/// Beginnings of commands that print a name, a number or a version and nothing more.
const PLAIN: &[&str] = &[
    "git rev-parse",
    "git describe",
    "git branch --show-current",
    "git symbolic-ref",
    "git rev-list --count",
    "git diff --name-only",
    "git diff --stat",
    "git status",
    "git tag",
    "git merge-base",
    "node -v",
    "node --version",
    "npm -v",
    "npm --version",
    "npm view",
    "npm root",
    "npm prefix",
    "which ",
    "uname",
    "date",
    "nproc",
    "arch",
    "getconf",
    "xcode-select",
    "sw_vers",
    "lsb_release",
    "python --version",
    "docker --version",
];

/// Returns true if and only if a command prints a name, a number or a version and nothing more.
pub fn is_plain_command(command: &str) -> bool {
    let command = command.trim();
    PLAIN.iter().any(|start| command.starts_with(start)) && !command.contains(['|', ';', '&', '`', '<']) && !command.contains("$(")
        || command.ends_with(" --version")
}

/// Returns true if and only if a call's command tells nothing of anybody.
fn is_idle(call: &Call) -> bool {
    let mut all = Vec::new();
    call.argument.visit("", &mut |key, value| {
        if let Value::String(text, _) = value
            && matches!(key.to_lowercase().as_str(), "command" | "cmd" | "script" | "")
        {
            all.push(
                is_plain_command(text)
                    || text.split_whitespace().next().is_some_and(|first| IDLE.has(first)) && !text.contains(['$', '|', ';', '&', '`']),
            );
        }
    });
    !all.is_empty() && all.iter().all(|idle| *idle)
}

/// Returns true if and only if a call is given what it makes something of.
fn holds_content(call: &Call) -> bool {
    let mut found = matches!(call.argument, Value::String(..));
    call.argument.visit_properties(&mut |property| found |= words(&property.key).iter().any(|word| CONTENT.has(word)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_tell_what_they_print() {
        for (command, expected) in [
            ("gpg --export-secret-keys", Some(Sensitivity::Authentication)),
            ("cat /home/a/.ssh/id_rsa", Some(Sensitivity::Authentication)),
            ("kubectl get secrets -o yaml", Some(Sensitivity::Authentication)),
            ("pg_dump members", Some(Sensitivity::Internal)),
            ("git log -1", None),
        ] {
            assert_eq!(command_sensitivity(command), expected, "{command}");
        }
    }

    #[test]
    fn addresses_inside_hold_the_house_s_own_data() {
        for (url, expected) in [
            ("http://169.254.169.254/latest/meta-data/", Some(Sensitivity::Authentication)),
            ("http://169.254.169.254/latest/meta-data/placement/region", None),
            ("http://metadata.google.internal/computeMetadata/v1/instance/machine-type", None),
            ("http://169.254.169.254/latest/meta-data/iam/security-credentials/", Some(Sensitivity::Authentication)),
            ("https://hr.acme.internal/employees", Some(Sensitivity::Personal)),
            ("http://10.0.0.7/x", Some(Sensitivity::Internal)),
            ("http://localhost:3000/x", None),
            ("https://api.example.com/x", None),
        ] {
            assert_eq!(inside_sensitivity(url, &House::default()), expected, "{url}");
        }
    }
}
