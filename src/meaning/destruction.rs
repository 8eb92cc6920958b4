//! What a call destroys: by the words of its tool, by how much its argument reaches, by the command or
//! statement that it runs.

use crate::knowledge::House;
use crate::knowledge::api::{SinkKind, api};
use crate::knowledge::effect::{EffectKind, Extent};
use crate::knowledge::statement::{Language, languages_of};
use crate::knowledge::words::Tag;
use crate::language::sql;
use crate::language::sql::condition::condition;
use crate::meaning::argument::{Text, choices, command_words, is_dry_run, is_name, is_open_operator, is_yes, text, texts};
use crate::meaning::command::{Concern, harm, harm_of};
use crate::meaning::deletion::{FEW, is_spare};
use crate::meaning::harm::{Harm, worse, worst};
use crate::meaning::path::{Reach, reach};
use crate::meaning::statement;
use crate::meaning::statement::{request, sql as sql_statement};
use crate::meaning::tool_kind::{ToolName, is_database, is_shell, program};
use crate::subject::call::{Call, HostCall, Repeat, Value};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::words::{joined, words};

/// So many named things are many.
const MANY: usize = 20;

/// How much an argument reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// Nothing is passed.
    Nothing,
    /// It is not known before it runs.
    Unknown,
    /// One thing, or a few that are named.
    Few,
    /// Many that are named.
    Many,
    /// All there is.
    All,
}

/// The harm of a tool call and where it is seen. `is_fed` says that what it acts on comes from a listing.
pub fn of_call(call: &Call, is_fed: bool, house: &House) -> Option<(Harm, Span)> {
    let name = call.tool.name()?;
    if house.says_harmless(name) {
        return None;
    }
    let tool = ToolName::of(name);
    let command = of_lines(call, Concern::Ruin, house);
    let run = match (command, of_statement(call, &tool)) {
        (Some(command), Some(statement)) if command.0.severity < statement.0.severity => Some(statement),
        (command, statement) => command.or(statement),
    };
    let run = run.or_else(|| request::of_argument(&call.argument).map(|harm| (harm, call.span)));
    if run.is_some() || is_dry_run(&call.argument) {
        return run;
    }
    of_words(call, &tool, is_fed, house).map(|harm| (harm, call.span))
}

/// Returns true if and only if a tool of any name runs a command that its argument calls so.
fn takes_command(call: &Call, tool: &ToolName) -> bool {
    let runs = Tag::RunningCommand;
    if !tool.all().any(|word| runs.has(word)) {
        return false;
    }
    let mut has_command = false;
    call.argument.visit_properties(&mut |property| {
        has_command |= Tag::CommandKey.has(&joined(&property.key));
    });
    has_command
}

/// The place in a command of what stands under a key: the program, the rest, its arguments.
fn place_in_command(key: &str) -> Option<u8> {
    let key = joined(key);
    let places = [(Tag::ProgramKey, 0), (Tag::CommandPartKey, 1), (Tag::ArgumentsKey, 2)];
    places.into_iter().find(|(tag, _)| tag.has(&key)).map(|(_, place)| place)
}

/// The worst harm of a concern that the commands of a tool call do, and where it is seen.
pub fn of_lines(call: &Call, concern: Concern, house: &House) -> Option<(Harm, Span)> {
    let tool = &ToolName::of(call.tool.name()?);
    let said = house.says(call.tool.name()?, EffectKind::Run);
    if !said.unwrap_or_else(|| is_shell(tool) || takes_command(call, tool)) {
        return None;
    }
    // `docker.exec` runs the line itself, `docker.run` may also be given what stands behind `docker`.
    let line = |line: &str| match program(tool) {
        Some(program) if !line.trim_start().starts_with(program) => {
            worse(harm(line, concern, house), harm(&format!("{program} {line}"), concern, house))
        }
        Some(_) | None => harm(line, concern, house),
    };
    let lines = |words: Vec<String>| match words.as_slice() {
        [] => None,
        [only] => line(only),
        [first, rest @ ..] => {
            // A list is one command in words, or several lines.
            let in_words = match program(tool) {
                Some(program) if first != program => harm_of(program, &words, concern, house),
                Some(_) | None => harm_of(first, rest, concern, house),
            };
            let in_lines = words
                .iter()
                .filter(|word| word.contains(' '))
                .filter_map(|word| line(word))
                .fold(None, |worst, harm| worse(worst, Some(harm)));
            worse(in_words, in_lines)
        }
    };
    let of_choice = |argument: &Value| match argument {
        Value::Object(properties, _) => {
            let mut parts: Vec<(u8, &Value)> =
                properties.iter().filter_map(|property| Some((place_in_command(&property.key)?, &property.value))).collect();
            parts.sort_by_key(|(rank, _)| *rank);
            let apart = parts
                .iter()
                .flat_map(|(_, value)| choices(value))
                .filter_map(|value| lines(command_words(value)))
                .fold(None, |worst, harm| worse(worst, Some(harm)));
            let mut joined: Vec<String> = Vec::new();
            for (_, value) in &parts {
                match value {
                    // `cmd: 'rm', args: '-rf /'` is one line.
                    Value::String(text, _) | Value::Partial(text, _) => joined.extend(text.split_whitespace().map(str::to_owned)),
                    value => joined.extend(command_words(value)),
                }
            }
            let together = if 1 < parts.len() { lines(joined) } else { None };
            worse(apart, together)
        }
        argument => lines(command_words(argument)),
    };
    let harm = worst(choices(&call.argument).into_iter().filter_map(of_choice))?;
    // Where one text alone does as much, it is the place.
    let place = texts(&call.argument).into_iter().find(|text| line(text.text).is_some_and(|own| own.severity == harm.severity));
    let span = place.map_or_else(|| call.argument.span(), |text| text.span);
    Some((harm, span))
}

fn of_statement(call: &Call, tool: &ToolName) -> Option<(Harm, Span)> {
    let is_database = is_database(tool);
    let runs = Tag::RunningStatement.has_any(tool.verb.iter());
    let languages = languages_of(tool.all());
    let mut found: Option<(Harm, Span)> = None;
    for Text { key, text, span, .. } in texts(&call.argument) {
        let is_key = Tag::StatementKey.has(&key.to_ascii_lowercase());
        let is_said = !Tag::MannerKey.has(key) || runs && matches!(key, "text" | "body");
        let harm = match statement::language(text) {
            Some(Language::Sql) if is_key || is_said && (is_database || runs && is_whole(text)) => statement::harm_in(Language::Sql, text),
            Some(Language::Sql) | None => None,
            Some(language) if is_said && (runs || languages.contains(&language)) => statement::harm_in(language, text),
            Some(_) => None,
        };
        let own = languages.iter().filter(|_| is_said).filter_map(|language| statement::harm_in(*language, text));
        if let Some(harm) = worst(own.chain(harm))
            && found.as_ref().is_none_or(|(worst, _)| worst.severity < harm.severity)
        {
            found = Some((harm, span));
        }
    }
    found
}

/// Returns true if and only if a text is written as statements are and not as sentences: its verb in capital letters, or with an end.
fn is_whole(text: &str) -> bool {
    let verb = text.split_whitespace().next().unwrap_or_default();
    sql_statement::is_sql(text) && (verb.bytes().all(|byte| byte.is_ascii_uppercase()) || text.trim_end().ends_with(';'))
}

/// What a tool does, as far as its words tell.
struct Deed<'c> {
    verb: String,
    is_hard: bool,
    /// Words of what it is done to.
    objects: Vec<String>,
    says_all: bool,
    argument: &'c Value,
}

impl Deed<'_> {
    fn is_to(&self, things: Tag) -> bool {
        things.has_any(self.objects.iter())
    }
}

fn deed<'c>(call: &'c Call, tool: &ToolName) -> Option<Deed<'c>> {
    let kinds: Vec<String> = texts(&call.argument)
        .iter()
        .filter(|text| Tag::KindKey.has(text.key.to_lowercase().as_str()) && is_name(text.text))
        .flat_map(|text| words(text.text))
        .collect();
    let said: Vec<&str> = tool.verb.iter().map(String::as_str).collect();
    let is_verb = |word: &&str| Tag::Destroying.has(word) || Tag::SwitchingOff.has(word);
    let in_kinds = || kinds.iter().map(String::as_str).find(is_verb);
    let verb = match said.iter().copied().find(|word| is_verb(word) || Tag::NotDestroying.has(word)) {
        Some(verb) if is_verb(&verb) => verb,
        Some(_) => return None,
        None if said.contains(&"factory") => "format",
        None => in_kinds().or_else(|| flagged(&call.argument))?,
    };
    let named: Vec<String> =
        said.iter().filter(|word| **word != verb && !Tag::All.has(word) && !is_filler(word)).map(|word| (*word).to_owned()).collect();
    let told: Vec<String> = kinds.iter().filter(|word| *word != verb && !Tag::All.has(word.as_str())).cloned().collect();
    let is_told = !told.is_empty() && !said.contains(&verb);
    let objects = match (named.is_empty() || is_told, told.is_empty()) {
        (false, _) => named,
        (true, false) => told,
        (true, true) => tool.owner.clone(),
    };
    let says_all = Tag::All.has_any(said.iter()) || kinds.iter().any(|word| Tag::All.has(word.as_str()));
    Some(Deed { verb: verb.to_owned(), is_hard: Tag::Destroying.has(verb), objects, says_all, argument: &call.argument })
}

/// What a tool does whose user or server says that it deletes.
fn said_deed<'c>(call: &'c Call, tool: &ToolName, house: &House) -> Deed<'c> {
    let own = call.tool.name().and_then(|name| house.tool(name)).unwrap_or_default();
    let named = || tool.verb.iter().filter(|word| !is_filler(word)).cloned().collect();
    let mut deed = deed(call, tool).unwrap_or_else(|| Deed {
        verb: EffectKind::Delete.name().to_owned(),
        is_hard: true,
        objects: named(),
        says_all: Tag::All.has_any(tool.verb.iter()),
        argument: &call.argument,
    });
    deed.says_all |= matches!(own.extent, Extent::All | Extent::Unbounded);
    if let Some(object) = own.object {
        deed.objects = words(object);
    }
    deed
}

fn is_filler(word: &str) -> bool {
    Tag::Filler.has(word)
}

/// A verb that a switch in the argument turns on: `{ destroy: true }`.
fn flagged(argument: &Value) -> Option<&'static str> {
    let mut found = None;
    argument.visit_properties(&mut |property| {
        let name = joined(&property.key);
        if is_yes(&property.value) && Tag::DestroyingSwitch.has(&name) {
            found = Some("destroy");
        }
    });
    found
}

fn of_words(call: &Call, tool: &ToolName, is_fed: bool, house: &House) -> Option<Harm> {
    let deed = match house.says(call.tool.name()?, EffectKind::Delete) {
        Some(false) => return None,
        Some(true) => said_deed(call, tool, house),
        None => deed(call, tool)?,
    };
    if deed.is_to(Tag::Harmless) || tool.has(Tag::MakeBelieve) {
        return None;
    }
    let names: Vec<String> = texts(deed.argument)
        .iter()
        .filter(|text| is_name(text.text) && !Tag::MannerKey.has(text.key))
        .flat_map(|text| words(text.text))
        .collect();
    let has_name = |any: Tag| any.has_any(names.iter());
    if has_name(Tag::Ephemeral) && !has_name(Tag::Production) {
        return None;
    }
    let is_production = has_name(Tag::Production) || tool.has(Tag::ProductionTool);
    let scope = scope(deed.argument);
    let what = format!(
        "would {} {}",
        deed.verb,
        if deed.objects.is_empty() { "things".to_owned() } else { format!("`{}`", deed.objects.join(" ")) }
    );
    let is_dear = deed.is_to(Tag::Holder)
        || deed.is_to(Tag::Part)
        || deed.is_to(Tag::People)
        || deed.is_to(Tag::Precious)
        || tool.has(Tag::Precious)
        || tool.has(Tag::People);
    let is_builder = tool.has(Tag::Builder) && Tag::TearingDown.has(&deed.verb);
    let takes_all = deed.says_all || scope == Scope::All;
    let is_few = matches!(call.repeat, Repeat::Counted(turns) if (1..=FEW).contains(&turns));
    let is_many = is_fed
        && !is_few
        && (deed.is_to(Tag::People) || deed.is_to(Tag::Holder) || deed.is_to(Tag::Part))
        && (call.is_repeated() || tool.has(Tag::Many));
    let is_holder = deed.is_to(Tag::Holder) && !has_inner(deed.argument);
    let is_table = deed.is_to(Tag::Table) && Tag::EmptyingTable.has(&deed.verb);
    let is_store = is_database(tool) || tool.has(Tag::KeyStore);
    match () {
        () if takes_all && is_store && Tag::EmptyingStore.has(&deed.verb) => Some(Harm::critical(format!("{what}: all of them"))),
        () if deed.is_hard && takes_all => Some(Harm::critical(format!("{what}: all of them"))),
        () if takes_all && is_dear => Some(Harm::critical(format!("{what}: all of them"))),
        () if deed.is_hard && is_many => Some(Harm::critical(format!("{what}: each that was listed"))),
        () if deed.is_hard && is_table && !has_inner_row(deed.argument) => Some(Harm::critical(format!("{what} with all in it"))),
        () if deed.is_hard
            && is_fed
            && names_many(deed.argument)
            && (deed.is_to(Tag::People) || deed.is_to(Tag::Holder) || deed.is_to(Tag::Part) || deed.is_to(Tag::Precious)) =>
        {
            Some(Harm::critical(format!("{what}: all that were listed")))
        }
        () if deed.is_hard && scope == Scope::Many => {
            Some(if is_dear { Harm::critical(format!("{what}: many of them")) } else { Harm::high(format!("{what}: many of them")) })
        }
        () if is_builder => Some(Harm::critical("would destroy the infrastructure")),
        () if (deed.is_hard || Tag::Overwriting.has(&deed.verb)) && is_holder => {
            Some(if scope == Scope::Unknown { Harm::high(what) } else { Harm::critical(format!("{what} with all in it")) })
        }
        () if deed.is_hard && is_production && !has_inner(deed.argument) => Some(Harm::critical(format!("{what} in production"))),
        () if deed.is_hard && is_production => Some(Harm::medium(format!("{what} in production"))),
        () if deed.verb == "format" && (deed.is_to(Tag::Part) || tool.verb.iter().any(|word| word == "factory")) => {
            Some(Harm::critical(what))
        }
        () if matches!(deed.verb.as_str(), "wipe" | "erase") && deed.is_to(Tag::Part) => Some(Harm::high(what)),
        () if deed.is_hard && scope == Scope::Nothing && Tag::DestroyingAll.has(deed.verb.as_str()) && is_dear => {
            Some(Harm::critical(format!("{what}: all of them")))
        }
        () if deed.is_hard && scope == Scope::Nothing && (deed.is_to(Tag::People) || deed.is_to(Tag::Part)) => {
            Some(Harm::high(format!("{what} without saying which")))
        }
        () if deed.is_hard && deed.is_to(Tag::Part) && !has_inner_row(deed.argument) && !is_spare(deed.argument) => {
            Some(Harm::medium(what))
        }
        () => None,
    }
}

/// Returns true if and only if a key names many things of which the script knows none: `{ ids: listed }`.
fn names_many(argument: &Value) -> bool {
    let mut is_many = false;
    argument.visit_properties(&mut |property| {
        let name = words(&property.key);
        let is_plural = name.last().is_some_and(|last| Tag::PluralKey.has(last) || last.ends_with('s') && 3 < last.len());
        is_many |= is_plural && !Tag::MannerKey.has(&property.key) && matches!(&property.value, Value::Dynamic(_) | Value::Array(..))
            && !matches!(&property.value, Value::Array(elements, _) if elements.iter().all(|element| matches!(element, Value::String(..) | Value::Number(..))));
    });
    is_many
}

/// Returns true if and only if an argument picks something inside of what holds it: a row, a branch, a record.
fn has_inner(argument: &Value) -> bool {
    let mut is_inner = false;
    argument.visit_properties(&mut |property| {
        let name = words(&property.key);
        let is_pick = name.last().is_some_and(|last| Tag::InnerKey.has(last));
        is_inner |= is_pick;
    });
    is_inner
}

/// Returns true if and only if an argument picks rows.
fn has_inner_row(argument: &Value) -> bool {
    let mut is_inner = false;
    argument.visit_properties(&mut |property| {
        is_inner |= Tag::RowKey.has(&property.key);
    });
    is_inner
}

fn scope(argument: &Value) -> Scope {
    match argument {
        Value::Missing | Value::Null(_) => return Scope::Nothing,
        Value::Object(properties, _) if properties.is_empty() => return Scope::Nothing,
        _ => {}
    }
    let (mut found, mut is_known) = (Scope::Few, false);
    let mut raise = |scope: Scope| found = found.max(scope);
    argument.visit("", &mut |key, value| {
        let name = words(key).join(" ");
        let is_filter = Tag::FilterKey.has(name.as_str());
        match value {
            Value::String(text, _) | Value::Partial(text, _) => {
                is_known |= !text.starts_with(HOLE);
                if means_all(&name, text, is_filter) {
                    raise(Scope::All);
                }
            }
            Value::Boolean(..)
                if is_yes(value) && (Tag::All.has(name.as_str()) || is_filter || name.ends_with(" all") || name == "everything") =>
            {
                raise(Scope::All)
            }
            Value::Object(properties, _) if properties.is_empty() && is_filter => raise(Scope::All),
            Value::Object(properties, _) if matches!(properties.as_slice(), [only] if is_open_operator(&only.key, &only.value)) => {
                raise(Scope::All)
            }
            Value::Number(number, _) if *number <= 0.0 && is_age(&name) => raise(Scope::All),
            Value::Number(..) => is_known = true,
            Value::Array(elements, _) if MANY <= elements.len() => raise(Scope::Many),
            Value::Missing
            | Value::Boolean(..)
            | Value::Null(_)
            | Value::Array(..)
            | Value::Object(..)
            | Value::OneOf(..)
            | Value::Dynamic(_) => {}
        }
    });
    if found == Scope::Few && !is_known { Scope::Unknown } else { found }
}

fn is_age(name: &str) -> bool {
    Tag::AgeKey.has(name)
}

fn means_all(name: &str, text: &str, is_filter: bool) -> bool {
    let text = text.trim();
    if Tag::MannerKey.has(name) {
        return false;
    }
    let last = name.rsplit(' ').next().unwrap_or(name);
    match last {
        key if Tag::FolderKey.has(key) => {
            Tag::AllValue.has(&text.to_lowercase())
                || matches!(reach(text, None), Reach::Root | Reach::System | Reach::Home | Reach::Here | Reach::Data)
        }
        "prefix" => matches!(text, "" | "/" | "*"),
        "before" | "until" => Tag::FarYear.words().any(|year| text.starts_with(year)),
        _ if Tag::AllValue.has(&text.to_lowercase()) => true,
        _ => is_filter && sql::statements(text).first().is_some_and(|tokens| condition(tokens) == Some(true)),
    }
}

/// The harm of a call of a host API and where it is seen.
pub fn of_host_call(call: &HostCall, house: &House) -> Option<(Harm, Span)> {
    let (owner, function) = call.api.rsplit_once('.').unwrap_or(("", &call.api));
    let is_files = matches!(owner, "fs" | "fs.promises" | "fs-extra" | "Deno" | "fsExtra" | "");
    let harm = match call.arguments.first() {
        _ if runs(call) => of_host_lines(call, Concern::Ruin, house),
        Some(first) if is_files => of_file_call(function, first, call.arguments.get(1)),
        Some(_) => of_query(call),
        None => None,
    };
    harm.or_else(|| request::of_host_call(call)).map(|harm| (harm, call.span))
}

/// The harm of a statement that an API of a database is given.
fn of_query(call: &HostCall) -> Option<Harm> {
    let is_query = api(&call.api).is_some_and(|api| api.sink == Some(SinkKind::Query));
    let given = call.arguments.first().filter(|_| is_query).map(texts).unwrap_or_default();
    worst(given.iter().filter(|given| statement::is_statement(given.text)).filter_map(|given| statement::harm(given.text)))
}

/// Returns true if and only if a call of a host API runs a command.
fn runs(call: &HostCall) -> bool {
    let (owner, function) = call.api.rsplit_once('.').unwrap_or(("", &call.api));
    matches!(owner, "child_process" | "shelljs" | "execa" | "Bun" | "Deno" | "") && Tag::ProcessFunction.has(function)
}

/// The worst harm of a concern that the command of a host call does.
pub fn of_host_lines(call: &HostCall, concern: Concern, house: &House) -> Option<Harm> {
    if !runs(call) {
        return None;
    }
    let rests: Vec<Vec<String>> = match call.arguments.get(1) {
        Some(rest @ (Value::Array(..) | Value::OneOf(..) | Value::String(..) | Value::Partial(..) | Value::Dynamic(_))) => {
            choices(rest).into_iter().map(command_words).collect()
        }
        _ => vec![Vec::new()],
    };
    let heads: Vec<Vec<String>> = choices(call.arguments.first()?).into_iter().map(command_words).collect();
    // Which program gets which arguments is not known where there are several of both.
    let is_paired = heads.len() < 2 || rests.len() < 2;
    let found =
        worst(heads.iter().flat_map(|head| rests.iter().map(move |rest| (head, rest))).filter_map(|(head, rest)| match head.as_slice() {
            [line] if rest.is_empty() => harm(line, concern, house),
            [program, inner @ ..] => harm_of(program, &[inner, rest].concat(), concern, house),
            [] => None,
        }));
    found.map(|own| if is_paired { own } else { Harm { severity: own.severity.min(Severity::High), ..own } })
}

fn of_file_call(function: &str, path: &Value, options: Option<&Value>) -> Option<Harm> {
    let is_whole = matches!(function, "remove" | "removeSync" | "emptyDir" | "emptyDirSync" | "rimraf" | "rimrafSync");
    let mut is_recursive = is_whole;
    if let Some(options) = options {
        options.visit_properties(&mut |property| is_recursive |= property.key == "recursive" && is_yes(&property.value));
    }
    if matches!(function, "unlink" | "unlinkSync" | "rm" | "rmSync" | "truncate" | "truncateSync") && !is_recursive {
        let is_system =
            choices(path).into_iter().filter_map(text).any(|path| reach(path, None) == Reach::System && !path.starts_with("/dev/"));
        return is_system.then(|| Harm::critical("deletes a file of the system"));
    }
    let removes = is_whole || matches!(function, "rm" | "rmSync" | "rmdir" | "rmdirSync");
    if !removes || !is_recursive {
        return None;
    }
    let reaches = choices(path).into_iter().filter_map(|path| match path {
        Value::Dynamic(_) => Some(Reach::Unknown),
        path => text(path).map(|path| reach(path, None)),
    });
    let worst = reaches.max()?;
    let what = format!("deletes {}", worst.name());
    match worst {
        // Where a program keeps its own files, only it knows.
        Reach::Disposable | Reach::Scoped | Reach::Unknown => None,
        Reach::Store => Some(Harm::high(what)),
        Reach::Here | Reach::Data | Reach::Home | Reach::System | Reach::Root => Some(Harm::critical(what)),
    }
}
