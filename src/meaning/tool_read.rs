//! What a tool returns, as its name and its arguments tell.

use crate::knowledge::act::known_tool;
use crate::knowledge::command::list;
use crate::knowledge::secret::path_sensitivity;
use crate::knowledge::sensitivity::category;
use crate::knowledge::tool::{ToolProfile, noun, tool_in};
use crate::knowledge::words::Tag;
use crate::knowledge::{Destination, House, Sensitivity, Side, SinkKind, destination};
use crate::meaning::amount::amount;
use crate::meaning::argument::is_yes;
use crate::meaning::counting::only_counts;
use crate::meaning::places::places;
use crate::meaning::read::Read;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::subject::flow::{CallRef, Origin};
use crate::subject::segment::HOLE;
use crate::value::words::{joined, split_owner, words};

/// What a call's arguments ask for by switches and scripts: what is masked otherwise, what a browser keeps.
fn asked_for(call: &Call) -> Option<Sensitivity> {
    let mut found = None;
    call.argument.visit("", &mut |key, value| {
        let plain = joined(key);
        let is_kept = matches!(value, Value::String(text, _) | Value::Partial(text, _) if Tag::BrowserStore.words().any(|part| text.contains(part)))
            && (plain.is_empty() || Tag::CodeKey.has(&plain));
        if is_kept {
            found = Some(Sensitivity::Authentication);
        }
    });
    call.argument.visit_properties(&mut |property| {
        let plain = joined(&property.key);
        if Tag::RevealingSwitch.has(&plain) && is_yes(&property.value) {
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
    // `social:cases` are no posts.
    let is_care = words(&origin.name).iter().any(|word| list("care-words").contains(&word.as_str()));
    // Everybody can read what accounts of a public ledger hold.
    let (owner, asked) = split_owner(&origin.name);
    let is_of_ledger =
        Tag::PublicLedger.has(owner) && matches!(asked, "get_balance" | "get_block" | "get_transaction" | "get_logs" | "read_chain");
    let is_public = (profile.is_public || is_of_ledger) && own.is_none() && !is_care;
    // A listing of a store names what lies there, and tells nothing of it.
    let tells = |name: &str| !lists_names(name) || list("finding-names").contains(&name);
    let told = call.filter(|_| !is_public && tells(&origin.name)).and_then(argument_sensitivity);
    let (is_many, is_unfiltered) = call.map_or((profile.reads_many, true), |call| amount(call, profile.reads_many));
    let answers = |sink: &SinkKind| matches!(sink, SinkKind::Command | SinkKind::Code | SinkKind::Query | SinkKind::Prompt);
    let acts = profile.writes || !profile.sinks.is_empty() && !profile.sinks.iter().any(answers);
    let is_answered = profile.is_network_read && (profile.does(SinkKind::Network) || profile.sinks.is_empty());
    let is_given = profile.has_verb || call.is_none_or(holds_content);
    let only_acts = own.is_none() && !profile.reads && !profile.transforms && !is_answered && acts && is_given;
    let is_idle = profile.does(SinkKind::Command) && call.is_some_and(is_idle) || call.is_some_and(counts);
    let does_nothing = own.is_none() && profile.sensitivity.is_none() && known_tool(&origin.name).is_some_and(|row| row.effects.is_empty());
    let is_measure = call.is_some_and(|call| call.is_method && asks_measure(&origin.name, &call.argument));
    let is_harmless = only_acts
        || does_nothing
        || is_measure
        || profile.redacts
        || profile.counts && told != Some(Sensitivity::Authentication)
        || is_idle;
    let makes = call.is_some_and(|call| profile.transforms && !profile.reads && holds_content(call))
        || profile.does(SinkKind::Prompt) && !profile.reads;
    let known = profile
        .sensitivity
        .filter(|_| !(profile.transforms && makes || is_measure || is_of_ledger))
        .max(told)
        .max(own)
        .filter(|_| !(profile.redacts || (profile.counts || call.is_some_and(counts)) && is_harmless));
    // What a company's tool returns is the company's, unless something tells otherwise.
    let is_own = !is_public && !is_harmless && !makes && !told_public(call) && !lists_names(&origin.name);
    let sensitivity = known.or(is_own.then_some(Sensitivity::Internal));
    Read {
        sensitivity,
        is_harmless,
        is_public: (is_public || makes || told_public(call)) && sensitivity.is_none(),
        is_many: is_many && !only_acts,
        is_unfiltered,
        is_untrusted: own.is_none()
            && (profile.is_network_read || call.is_some_and(|call| opens_page(call, &profile, house) || opens_any(call, &origin.name))),
        words: known.map_or(plain.words.clone(), |kind| format!("{} data read by `{}`", kind.name(), origin.name)),
        ..plain
    }
}

/// Returns true if and only if a method asks a thing how large it is, where it stands or which one it is (`sheet.getUrl()`,
/// `page.getWidth()`), or for what asks further: `client.getGrafeasClient()`.
fn asks_measure(name: &str, argument: &Value) -> bool {
    let named = words(split_owner(name).1);
    let is_asked = |words: &[String]| match words {
        [only] => list("measures").contains(&only.as_str()) || list("marks-of-things").contains(&only.as_str()),
        [of @ .., last] => list("measures").contains(&last.as_str()) && category(of).is_none_or(|of| of < Sensitivity::Financial),
        [] => false,
    };
    // `projectPath` puts a name together.
    let is_bare = || match argument {
        Value::Object(properties, _) => properties.iter().all(|property| property.key.ends_with("Path")),
        argument => matches!(argument, Value::Missing),
    };
    let gives_way = |words: &[String]| words.last().is_some_and(|last| list("ways-to-ask").contains(&last.as_str())) && is_bare();
    matches!(named.as_slice(), [get, rest @ ..] if get == "get" && (is_asked(rest) || gives_way(rest)))
}

/// Returns true if and only if a tool lists the names of what lies in a store: `r2_list_objects`.
pub fn lists_names(name: &str) -> bool {
    let named = words(name);
    named.iter().any(|word| word == "list") && named.last().is_some_and(|last| Tag::StoredEntry.has(last))
        || list("finding-names").contains(&name)
}

/// Returns true if and only if a tool reads what stands at an address outside, which strangers wrote: `fetch_page({ url })`.
fn opens_page(call: &Call, profile: &ToolProfile, house: &House) -> bool {
    let mut is_outside = false;
    if profile.reads && !profile.writes && profile.sinks.is_empty() && profile.sensitivity.is_none() {
        call.argument.visit("", &mut |key, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                let is_page = text.starts_with("https://") || text.starts_with("http://");
                is_outside |= is_page && Tag::TargetWord.has_any(words(key)) && destination(text, house).side == Side::Outside;
            }
        });
    }
    is_outside
}

/// Returns true if and only if a tool reads a page of which only something else says which one it is: `fetch_page({ url: result.url })`.
fn opens_any(call: &Call, name: &str) -> bool {
    let mut is_open = false;
    if list("opening-pages").contains(&joined(split_owner(name).1).as_str()) {
        call.argument.visit("", &mut |key, value| {
            is_open |= matches!(value, Value::Dynamic(_)) && (key.is_empty() || Tag::TargetWord.has_any(words(key)));
        });
    }
    is_open
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
    if Tag::MetadataHost.has(host) {
        let last = rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        return (!Tag::Placement.has(&last.to_lowercase())).then_some(Sensitivity::Authentication);
    }
    let is_loopback = host == "localhost" || host.starts_with("127.") || host.starts_with('[');
    (destination(url, house).side == Side::Inside && !is_loopback).then(|| text_sensitivity(rest).unwrap_or(Sensitivity::Internal))
}

/// Returns true if and only if strangers write what stands at an address of a service, by the words of its path: tickets, mails.
pub fn is_of_strangers(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or(url).split_once("://").map_or("", |(_, rest)| rest);
    let path = path.split_once('/').map_or("", |(_, path)| path);
    words(path).iter().any(|word| noun(word).is_some_and(|noun| noun.is_untrusted))
}

/// What kind of data an argument names: `{ path: '~/.ssh/id_rsa' }`, `{ sql: 'SELECT * FROM patients' }`.
fn argument_sensitivity(call: &Call) -> Option<Sensitivity> {
    let mut found = None;
    call.argument.visit("", &mut |key, value| {
        if let Value::String(text, _) | Value::Partial(text, _) = value
            && (key.is_empty() || words(key).last().is_some_and(|last| Tag::NamingKey.has(last)))
        {
            found = found.max(text_sensitivity(text));
            if Tag::LineKey.has(&key.to_lowercase()) {
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
                && Tag::PublicFileKey.has(&key.to_lowercase())
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
    let is_machine = path.starts_with("/proc/") && Tag::ProcFile.has(name)
        || path.ends_with("/serviceaccount/namespace")
        || path.ends_with("/serviceaccount/ca.crt")
        || Tag::MachineFile.has(&path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    // What a program is made of, and what it is told to be like: a query, a style, the plan of a flow.
    let is_plan = list("plan-endings").contains(&ending) && words(stem).iter().any(|word| list("plan-words").contains(&word.as_str()));
    let is_tooling = Tag::ToolingFile.has(name) || list("source-endings").contains(&ending) || is_plan;
    let is_served =
        is_machine || is_tooling || is_made_to_be_seen(&path) || path.split('/').rev().skip(1).any(|folder| Tag::PublicFolder.has(folder));
    Tag::PublicStart.words().any(|start| name.starts_with(start)) || is_served || is_translation(&path)
}

/// Returns true if and only if a file is made to be seen by others: a template of mails and pages, a picture of the project's own.
pub fn is_made_to_be_seen(path: &str) -> bool {
    let path = path.replace('\\', "/").to_lowercase();
    let Some((folders, name)) = path.rsplit_once('/') else { return false };
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_in = |list_of: &str| folders.split('/').any(|folder| list(list_of).contains(&folder));
    list("template-endings").contains(&ending) && is_in("template-folders")
        || list("picture-endings").contains(&ending) && is_in("picture-folders")
}

/// Returns true if and only if a file holds the texts that a program shows, in one language: `_locales/en/messages.json`.
fn is_translation(path: &str) -> bool {
    let path = path.replace('\\', "/").to_lowercase();
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_own = !path.starts_with(['/', '~']) && !path.contains("..");
    let mut folders = path.split('/').rev().skip(1);
    is_own && list("translation-endings").contains(&ending) && folders.any(|folder| list("translation-folders").contains(&folder))
}

/// What kind of data a text names.
pub fn text_sensitivity(text: &str) -> Option<Sensitivity> {
    if is_translation(text) {
        return None;
    }
    let named = words(text).iter().take(64).filter_map(|word| noun(word)).filter_map(|noun| noun.sensitivity).max();
    // The word `token` in a query is no token; the secrets that files hold are told by their paths.
    path_sensitivity(text).max(named.filter(|kind| *kind != Sensitivity::Authentication)).max(pattern_sensitivity(text))
}

/// What kind of data the files hold that a pattern, or one of several, finds: `**/.env*`.
fn pattern_sensitivity(text: &str) -> Option<Sensitivity> {
    let is_pattern = text.contains('*') && text.len() <= PATTERNS;
    let parts = text.split(|sign: char| sign.is_whitespace() || matches!(sign, ',' | '{' | '}')).filter(|_| is_pattern);
    parts.filter(|part| !part.starts_with('!')).filter_map(|part| path_sensitivity(part.trim_matches('*'))).max()
}

/// Longer texts are no patterns of files.
const PATTERNS: usize = 1024;

/// What kind of data a command prints.
pub fn command_sensitivity(command: &str) -> Option<Sensitivity> {
    let first = command.split_whitespace().next().unwrap_or_default();
    let tells_all = Tag::EnvironmentProgram.has(first) || Tag::SecretTelling.words().any(|part| command.contains(part));
    let paths = command.split([' ', '\'', '"', '=', '<', '>', '|', ';', '@']).filter_map(path_sensitivity).max();
    let dumps = Tag::Dumping.words().any(|part| command.contains(part)).then_some(Sensitivity::Internal);
    if tells_all { Some(Sensitivity::Authentication) } else { paths.max(dumps) }
}

/// Returns true if and only if a command prints a name, a number or a version and nothing more.
pub fn is_plain_command(command: &str) -> bool {
    let command = command.trim();
    Tag::PlainCommand.words().any(|start| command.starts_with(start))
        && !command.contains(['|', ';', '&', '`', '<'])
        && !command.contains("$(")
        || command.ends_with(" --version")
}

/// Returns true if and only if a call's command tells nothing of anybody.
fn is_idle(call: &Call) -> bool {
    let mut all = Vec::new();
    call.argument.visit("", &mut |key, value| {
        if let Value::String(text, _) = value
            && Tag::LineKey.has(&key.to_lowercase())
        {
            all.push(
                is_plain_command(text)
                    || text.split_whitespace().next().is_some_and(|first| Tag::IdleProgram.has(first))
                        && !text.contains(['$', '|', ';', '&', '`']),
            );
        }
    });
    !all.is_empty() && all.iter().all(|idle| *idle)
}

/// Returns true if and only if all that a call asks for is how many there are: `{ sql: 'SELECT count(*) FROM users' }`.
fn counts(call: &Call) -> bool {
    let named = words(call.tool.name().unwrap_or_default());
    if !Tag::Database.has_any(named.iter()) && !Tag::RunningStatement.has_any(named.iter()) {
        return false;
    }
    let (mut counted, mut is_open) = (false, false);
    call.argument.visit("", &mut |key, value| {
        let is_statement = key.is_empty() || Tag::StatementKey.has(&joined(key)) || Tag::RunKey.has(&joined(key));
        match value {
            Value::String(text, _) | Value::Partial(text, _) if is_statement => {
                counted = true;
                is_open |= !only_counts(text);
            }
            Value::String(text, _) | Value::Partial(text, _) => is_open |= !is_name(text) && !only_counts(text),
            // What is not known may be the statement.
            Value::Dynamic(_) => is_open |= is_statement || matches!(key, "..." | "[]"),
            _ => {}
        }
    });
    counted && !is_open
}

/// Returns true if and only if a text is a name or a value, and no statement in any language.
fn is_name(text: &str) -> bool {
    text.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ':' | '/' | '@' | HOLE))
}

/// Returns true if and only if a call is given what it makes something of.
fn holds_content(call: &Call) -> bool {
    let mut found = matches!(call.argument, Value::String(..));
    call.argument.visit_properties(&mut |property| found |= Tag::MadeOfKey.has_any(words(&property.key)));
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
