//! The command line that a call of a host API starts, whether it is one text or a program with a list of arguments.

use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::meaning::argument::choices;
use crate::meaning::command::sending::GIT;
use crate::subject::call::{HostCall, Value};
use crate::subject::segment::HOLE;
use crate::value::words::words;

/// So many arguments of a program are looked at.
const ARGUMENTS: usize = 64;

/// The line that a call starts, if it names a program that talks to other machines and lists what that is given:
/// `spawn('curl', ['-d', data, url])`. Of several lists that it may be given, the first that is written out.
pub fn listed(call: &HostCall) -> Option<String> {
    lines(call).into_iter().next()
}

/// The same for each list that the program may be given.
pub fn lines(call: &HostCall) -> Vec<String> {
    let (program, lists) = match call.arguments.as_slice() {
        [Value::Array(all, _), ..] => (all.first().and_then(text), all.get(1..).into_iter().collect()),
        [program, options, ..] => (text(program), choices(options).into_iter().filter_map(list_of).collect::<Vec<_>>()),
        _ => return Vec::new(),
    };
    let Some(program) = program else { return Vec::new() };
    let name = program.rsplit(['/', '\\']).next().unwrap_or(&program).to_lowercase();
    if !Tag::RemoteProgram.has(&name) && name != GIT {
        return Vec::new();
    }
    let quoted = |part: String| if part.contains(' ') { format!("\"{part}\"") } else { part };
    let line = |list: &[Value]| {
        // Of what may stand at a place all may.
        let parts = list.iter().flat_map(choices).take(ARGUMENTS).map(|part| quoted(text(part).unwrap_or_else(|| HOLE.to_string())));
        std::iter::once(program.clone()).chain(parts).collect::<Vec<_>>().join(" ")
    };
    lists.into_iter().map(line).collect()
}

fn list_of(options: &Value) -> Option<&[Value]> {
    match options {
        Value::Array(list, _) => Some(list),
        Value::Object(properties, _) => match properties.iter().find(|property| property.key == "args").map(|property| &property.value) {
            Some(Value::Array(list, _)) => Some(list),
            _ => None,
        },
        _ => None,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text, _) | Value::Partial(text, _) => Some(text.clone()),
        Value::OneOf(choices, _) => choices.iter().find_map(text),
        _ => None,
    }
}

/// Returns true if and only if all that is not known of a line stands where one signs in: in a header for that, behind `-u name:`.
pub fn only_signs_in(call: &HostCall) -> bool {
    let Some(line) = listed(call).or_else(|| text(call.arguments.first()?)) else { return false };
    let mut holes = line.match_indices(HOLE).peekable();
    holes.peek().is_some() && holes.all(|(at, _)| line.get(..at).is_some_and(signs_in))
}

/// Returns true if and only if something that is not known of a line stands where one signs in.
pub fn also_signs_in(call: &HostCall) -> bool {
    let line = listed(call).or_else(|| text(call.arguments.first()?)).unwrap_or_default();
    line.match_indices(HOLE).any(|(at, _)| line.get(..at).is_some_and(signs_in))
}

/// Returns true if and only if an argument is of the environment in which a line runs that reads nothing of it.
pub fn is_unread_environment(call: &HostCall, argument: &str) -> bool {
    let mut keys = argument.split('.');
    let is_option = keys.next().is_some_and(|at| at != "0") && keys.next() == Some("env");
    let line = || call.arguments.iter().find_map(text).into_iter().chain(listed(call)).collect::<Vec<_>>().join(" ");
    is_option && !reads_environment(&line())
}

/// Returns true if and only if a line reads of the environment in which it runs.
pub fn reads_environment(line: &str) -> bool {
    let names = |part: &str| list("environment-readers").contains(&part);
    line.contains(['$', '%', '`']) || line.split(|character: char| !character.is_ascii_alphanumeric()).any(names)
}

/// Returns true if and only if what stands before a place of a line says that one signs in there.
fn signs_in(before: &str) -> bool {
    let inner = before.rsplit(['"', '\'', '\n']).next().unwrap_or(before).trim_start();
    let is_header = inner.split_once(':').is_some_and(|(name, rest)| {
        let is_key = words(name).iter().any(|word| word == "authorization" || Tag::SecretWord.has(word));
        is_key && !name.contains([' ', '/']) && rest.split_whitespace().count() <= 1
    });
    let word_start = before.trim_end_matches(|character: char| !character.is_whitespace() && character != '"' && character != '\'');
    let option = word_start.trim_end_matches(['"', '\'', ' ']).rsplit(char::is_whitespace).next().unwrap_or_default();
    is_header || matches!(option, "-u" | "--user" | "-i" | "--key" | "--cert")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_one_signs_in_is_told_from_what_is_sent() {
        for (before, expected) in [
            ("curl -H \"Authorization: Bearer ", true),
            ("curl -H 'x-api-key: ", true),
            ("curl -u ada:", true),
            ("curl --user \"", true),
            ("curl -d ", false),
            ("curl -d \"token: a b ", false),
            ("curl https://a.example/", false),
        ] {
            assert_eq!(signs_in(before), expected, "{before}");
        }
    }
}
