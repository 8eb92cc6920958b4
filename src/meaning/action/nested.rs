//! Actions inside of an argument: the commands, statements and requests that a call is given to run.

use crate::knowledge::House;
use crate::knowledge::api::{SinkKind, api};
use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind, Said};
use crate::knowledge::statement::{Language, languages_of, rows};
use crate::knowledge::words::Tag;
use crate::meaning::action::{Action, Way};
use crate::meaning::argument::{choices, command_words, properties, text, texts};
use crate::meaning::command::is_walled_in;
use crate::meaning::command::one::Command;
use crate::meaning::command::unwrap;
use crate::meaning::statement::sql::bound::Handed;
use crate::meaning::statement::{request, unload};
use crate::meaning::tool_kind::{ToolName, is_database, is_shell, program};
use crate::meaning::walk::Arguments;
use crate::meaning::{command, statement};
use crate::subject::call::{HostCall, Property, Value};
use crate::subject::segment::HOLE;
use crate::value::span::Span;
use crate::value::words::joined;

/// What a tool is given to run; `runs` says whether it runs commands, if somebody says so who must know.
pub fn of_tool(tool: &ToolName, argument: &Arguments<'_>, span: Span, runs: Option<bool>, house: &House) -> Vec<Action> {
    let mut found = Vec::new();
    if runs.unwrap_or_else(|| is_shell(tool) || takes_command(tool, argument)) {
        found.extend(commands(tool, argument.whole, house));
    }
    // Each of several settings that one call may make has a name and a value of its own.
    let settings = choices(argument.whole).into_iter().filter_map(|choice| setting(tool, &Arguments::of(choice)));
    found.extend(settings.filter_map(|line| action(Way::Command, span, command::effects_of(line.0, &line.1, house))));
    found.extend(statements(tool, argument, house));
    found.extend(action(Way::Request, span, request::of_tool(tool, argument.whole)));
    found.extend(action(Way::Statement, span, statement::tool::effects(tool, argument.whole)));
    found
}

fn action(way: Way, span: Span, effects: Vec<Effect>) -> Option<Action> {
    (!effects.is_empty()).then_some(Action { way, span, effects, nested: Vec::new() })
}

/// The command that a tool of a program is by another name: `git config KEY VALUE` for `set_config`, `git remote …` for `run_remote`.
fn setting(tool: &ToolName, argument: &Arguments<'_>) -> Option<(&'static str, Vec<String>)> {
    let [verb, object] = tool.verb.as_slice() else { return None };
    let program = tool.owner.iter().find_map(|word| Tag::OwnerProgram.words().find(|program| *program == word))?;
    if verb == "run" && object != program {
        let words = std::iter::once(object.clone()).chain(argument.texts().iter().map(|text| text.text.to_owned()));
        return Some((program, words.collect()));
    }
    // `set_config`, `config_set`
    let (verb, object) = if object == "config" { (verb, object) } else { (object, verb) };
    if !Tag::SettingOwn.has(verb) || object != "config" {
        return None;
    }
    let said = |is: fn(&str) -> bool| argument.said().find(|(key, _)| is(key.text)).map(|(_, text)| text.text.to_owned());
    let (name, value) = (said(|key| matches!(key, "key" | "path"))?, said(|key| key == "value")?);
    Some((program, vec![object.clone(), name, value]))
}

/// Returns true if and only if a tool of any name runs a command that its argument calls so.
pub fn takes_command(tool: &ToolName, argument: &Arguments<'_>) -> bool {
    let keeps = || tool.has(Tag::KeepingCommand) && argument.properties().any(|(key, _)| key.is(Tag::CommandKey) || key.is(Tag::LineKey));
    tool.has(Tag::RunningCommand) && argument.properties().any(|(key, _)| key.is(Tag::CommandKey)) || keeps()
}

/// The place in a command of what stands under a key: the program, the rest, its arguments.
fn place_in_command(key: &str) -> Option<u8> {
    let key = joined(key);
    let places = [(Tag::ProgramKey, 0), (Tag::CommandPartKey, 1), (Tag::ArgumentsKey, 2)];
    places.into_iter().find(|(tag, _)| tag.has(&key)).map(|(_, place)| place)
}

/// The commands of an argument, whichever of several it is.
fn commands(tool: &ToolName, argument: &Value, house: &House) -> Vec<Action> {
    choices(argument).into_iter().flat_map(|choice| commands_of(tool, choice, house)).collect()
}

fn commands_of(tool: &ToolName, argument: &Value, house: &House) -> Vec<Action> {
    let Value::Object(properties, span) = argument else { return written(tool, argument, house) };
    let parts = parts_of(properties);
    let mut found: Vec<Action> = parts.iter().flat_map(|(_, value)| choices(value)).flat_map(|value| written(tool, value, house)).collect();
    if let [_, _, ..] = parts.as_slice() {
        // `cmd: 'rm', args: '-rf /'` is one line.
        found.extend(action(Way::Command, *span, of_words(tool, &words_of(&parts), house)));
    }
    found
}

/// The parts of a command that stand in an argument, in order.
fn parts_of(properties: &[Property]) -> Vec<(u8, &Value)> {
    let mut parts: Vec<(u8, &Value)> =
        properties.iter().filter_map(|property| Some((place_in_command(&property.key)?, &property.value))).collect();
    parts.sort_by_key(|(rank, _)| *rank);
    parts
}

fn words_of(parts: &[(u8, &Value)]) -> Vec<String> {
    let words = parts.iter().flat_map(|(_, value)| match value {
        Value::String(text, _) | Value::Partial(text, _) => text.split_whitespace().map(str::to_owned).collect(),
        value => command_words(value),
    });
    words.collect()
}

/// The lines that a call of a tool has run, as far as it writes them out.
pub fn tool_lines(argument: &Value) -> Vec<String> {
    let of_object = |choice: &Value| match choice {
        Value::Object(properties, _) => words_of(&parts_of(properties)).join(" "),
        _ => command_words(choice).join(" "),
    };
    choices(argument).into_iter().map(of_object).filter(|line| !line.is_empty()).collect()
}

/// The command that a value writes: a line, or its words; a list may also be several lines.
fn written(tool: &ToolName, value: &Value, house: &House) -> Vec<Action> {
    let words = command_words(value);
    let whole = action(Way::Command, value.span(), of_words(tool, &words, house));
    let lines = texts(value).into_iter().filter(|text| 1 < words.len() && text.text.contains(' '));
    lines.filter_map(|text| action(Way::Command, text.span, line(tool, text.text, house))).chain(whole).collect()
}

fn of_words(tool: &ToolName, words: &[String], house: &House) -> Vec<Effect> {
    match (words, program(tool)) {
        ([], _) => Vec::new(),
        ([only], _) => line(tool, only, house),
        ([first, ..], Some(program)) if first != program => command::effects_of(program, words, house),
        ([first, rest @ ..], _) => command::effects_of(first, rest, house),
    }
}

/// What a line does: `docker.exec` runs the line itself, `docker.run` may also be given what stands behind `docker`.
fn line(tool: &ToolName, line: &str, house: &House) -> Vec<Effect> {
    let mut found = command::effects(line, house);
    if let Some(program) = program(tool).filter(|program| !line.trim_start().starts_with(program)) {
        found.extend(command::effects(&format!("{program} {line}"), house));
    }
    found
}

fn statements(tool: &ToolName, argument: &Arguments<'_>, house: &House) -> Vec<Action> {
    let is_database = is_database(tool);
    let runs = Tag::RunningStatement.has_any(tool.verb.iter());
    let languages = languages_of(tool.all());
    let mut found: Vec<Action> = redis_line(tool, argument, &languages).into_iter().collect();
    let handed = Handed::of(argument.whole);
    for text in argument.texts() {
        let is_key = Tag::StatementKey.has(&text.key.to_ascii_lowercase());
        let is_said = !Tag::MannerKey.has(text.key) || runs && matches!(text.key, "text" | "body");
        let effects = match statement::language(text.text) {
            Some(Language::Sql) if is_key || is_said && (is_database || runs && is_whole(text.text)) => {
                let unloaded = unload::unloads(text.text, house);
                let bound = handed.bind(text.text);
                let written = bound.as_deref().unwrap_or(text.text);
                unless_packed(written, statement::effects_in(Language::Sql, written)).into_iter().chain(unloaded).collect()
            }
            Some(Language::Sql) | None => Vec::new(),
            Some(Language::Graphql) if is_said && (runs || languages.contains(&Language::Graphql)) => {
                statement::effects_in(Language::Graphql, &statement::graphql::with_empty(text.text, &empty_variables(argument)))
            }
            Some(language) if is_said && (runs || languages.contains(&language)) => statement::effects_in(language, text.text),
            Some(_) => Vec::new(),
        };
        let own =
            languages.iter().filter(|_| is_said).flat_map(|language| unless_packed(text.text, statement::effects_in(*language, text.text)));
        found.extend(action(Way::Statement, text.span, own.chain(effects).collect()));
    }
    found
}

/// The variables of a document that are given and hold nothing: `{ variables: { filter: {} } }`.
fn empty_variables<'c>(argument: &Arguments<'c>) -> Vec<&'c str> {
    let is_empty = |value: &Value| matches!(value, Value::Object(parts, _) if parts.is_empty());
    let given = argument.properties().filter(|(key, _)| matches!(key.joined.as_str(), "variables" | "vars"));
    given
        .filter_map(|(_, property)| match &property.value {
            Value::Object(parts, _) => Some(parts.iter().filter(|part| is_empty(&part.value)).map(|part| &*part.key)),
            _ => None,
        })
        .flatten()
        .collect()
}

/// What statements do, but that a program is run which only packs the rows that it is handed, on the machine of the database. Where
/// something else is run, too, all of it stands.
fn unless_packed(text: &str, mut effects: Vec<Effect>) -> Vec<Effect> {
    let packs = |line: &String| {
        let programs = unwrap::commands(line);
        let is_packer = |own: &Command| list("packers").contains(&own.program.as_str());
        // The name of a file may tell of which day it is.
        let is_open = |word: &str| word.contains(HOLE) && !word.trim_start_matches('>').starts_with('/');
        let is_plain = !line.split_whitespace().any(is_open) && !line.contains("/dev/") && !programs.is_empty();
        is_plain && programs.iter().all(is_packer) && command::effects(line, &House::default()).is_empty()
    };
    let runs = |effect: &Effect| effect.kind == EffectKind::Run;
    let is_one = effects.iter().filter(|effect| runs(effect)).count() == 1;
    if is_one && statement::line_handed_rows(text).as_ref().is_some_and(packs) {
        effects.retain(|effect| !runs(effect));
    }
    effects
}

/// The command of Redis that a call is: `redis.config('SET', 'dir', '/tmp')`, `redis.call('FLUSHALL')`.
fn redis_line(tool: &ToolName, argument: &Arguments<'_>, languages: &[Language]) -> Option<Action> {
    let is_command = languages.contains(&Language::Redis) && argument.properties().any(|(key, _)| key.is(Tag::CommandKey));
    let first = tool.verb.first().filter(|_| is_command)?;
    let is_named = rows().iter().any(|row| row.language == Language::Redis && row.verb.contains(&first.as_str()));
    let verb = tool.verb.iter().filter(|_| is_named).map(String::as_str);
    let line: Vec<&str> = verb.chain(argument.texts().iter().flat_map(|text| text.text.split_whitespace())).collect();
    action(Way::Statement, argument.whole.span(), statement::effects_in(Language::Redis, &line.join(" ")))
}

/// Returns true if and only if a text is written as statements are and not as sentences: its verb in capital letters, or with an end.
fn is_whole(text: &str) -> bool {
    let verb = text.split_whitespace().next().unwrap_or_default();
    statement::sql::is_sql(text) && (verb.bytes().all(|byte| byte.is_ascii_uppercase()) || text.trim_end().ends_with(';'))
}

/// What a host call is given to run.
pub fn of_host_call(call: &HostCall, house: &House) -> Vec<Action> {
    let run = if runs(call) { action(Way::Command, call.span, host_effects(call, house)) } else { None };
    let query = if runs(call) { None } else { action(Way::Statement, call.span, query(call)) };
    run.into_iter().chain(query).chain(action(Way::Request, call.span, request::of_host_call(call))).collect()
}

/// What the statement does that an API of a database is given.
fn query(call: &HostCall) -> Vec<Effect> {
    let is_query = api(&call.api).is_some_and(|api| api.sink == Some(SinkKind::Query));
    let given = call.arguments.first().filter(|_| is_query).map(texts).unwrap_or_default();
    let handed = call.arguments.get(1).map(Handed::of).unwrap_or_default();
    let statements = given.iter().filter(|given| statement::is_statement(given.text));
    let effects = statements.flat_map(|given| {
        let bound = handed.bind(given.text);
        let written = bound.as_deref().unwrap_or(given.text);
        unless_packed(written, statement::effects(written))
    });
    effects.collect()
}

/// Returns true if and only if a call of a host API runs a command.
fn runs(call: &HostCall) -> bool {
    let (owner, function) = call.api.rsplit_once('.').unwrap_or(("", &call.api));
    let is_known = || api(&call.api).is_some_and(|api| api.sink == Some(SinkKind::Command));
    owner.is_empty() && Tag::ProcessFunction.has(function) || is_known()
}

/// What the command of a host call does. Which program gets which arguments is a guess where there are several of both.
fn host_effects(call: &HostCall, house: &House) -> Vec<Effect> {
    let Some((heads, rests)) = heads_and_rests(call) else { return Vec::new() };
    let fed = fed(call);
    let is_paired = heads.len() < 2 || rests.len() < 2;
    let pairs = heads.iter().flat_map(|head| rests.iter().map(move |rest| (head, rest)));
    let effects = pairs.flat_map(|(head, rest)| match head.as_slice() {
        [line] if rest.is_empty() => command::effects_fed(line, fed, house),
        [program, inner @ ..] => command::effects_of(program, &[inner, rest].concat(), house),
        [] => Vec::new(),
    });
    effects.map(|effect| if is_paired { effect } else { Effect { said: Said::Words, ..effect } }).collect()
}

/// The words of a command, or the one line that it is.
type Words = Vec<String>;

/// The programs or lines of a host call, and the arguments that they may be given.
fn heads_and_rests(call: &HostCall) -> Option<(Vec<Words>, Vec<Words>)> {
    let first = call.arguments.first()?;
    let given = call.arguments.get(1).map(choices).unwrap_or_default();
    let mut rests: Vec<Vec<String>> = given.into_iter().flat_map(rests_of).collect();
    if rests.is_empty() {
        rests.push(Vec::new());
    }
    let heads = choices(first).into_iter().map(|head| command_words(under(head, Tag::CommandKey).unwrap_or(head)));
    Some((heads.collect(), rests))
}

/// Returns true if and only if all that a host call runs, by programs and lists of arguments and not by lines that somebody may break out
/// of, runs in a container from which nothing gets out.
pub fn is_walled(call: &HostCall) -> bool {
    let Some((heads, rests)) = heads_and_rests(call) else { return false };
    let is_walled = |head: &Words, rest: &Words| matches!(head.as_slice(), [program] if is_walled_in(program, rest));
    !heads.is_empty() && heads.iter().all(|head| rests.iter().all(|rest| is_walled(head, rest)))
}

/// So many lines are told of what one call may run.
const LINES: usize = 1_024;

/// The lines that a host call has run, as far as it writes them out.
pub fn host_lines(call: &HostCall) -> Vec<String> {
    let Some((heads, rests)) = heads_and_rests(call) else { return Vec::new() };
    heads.iter().flat_map(|head| rests.iter().map(move |rest| [head.as_slice(), rest].concat().join(" "))).take(LINES).collect()
}

/// The arguments of a program that a list of them may be, or the list in options.
fn rests_of(given: &Value) -> Vec<Vec<String>> {
    let list = match given {
        Value::Object(..) => under(given, Tag::ArgumentsKey),
        Value::Array(..) | Value::String(..) | Value::Partial(..) | Value::Dynamic(_) => Some(given),
        _ => None,
    };
    list.map(choices).unwrap_or_default().into_iter().map(command_words).collect()
}

/// What stands under a key of such a kind in a value that is an object.
fn under(value: &Value, tag: Tag) -> Option<&Value> {
    properties(value).into_iter().find(|property| tag.has(&property.key)).map(|property| &property.value)
}

/// The text that a command reads from its options: `{ input: 'text' }`.
fn fed(call: &HostCall) -> Option<&str> {
    let options = call.receiver.iter().chain(call.arguments.iter().skip(1));
    options.flat_map(properties).filter(|property| property.key == "input").find_map(|property| text(&property.value))
}
