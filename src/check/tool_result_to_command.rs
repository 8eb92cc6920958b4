//! Text from a tool or the network that becomes part of a command.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::{Check, Context, arrivals, written_at};
use crate::knowledge::SinkKind;
use crate::knowledge::command::{is_known, list};
use crate::knowledge::effect::EffectKind;
use crate::knowledge::query::query;
use crate::knowledge::tool::noun;
use crate::knowledge::words::Tag;
use crate::meaning::action::nested::{host_lines, is_walled, tool_lines};
use crate::meaning::argument::{Written, text, texts};
use crate::meaning::command::runs_its_input;
use crate::meaning::model_input::{is_of_client, is_of_model};
use crate::meaning::passage::Ends;
use crate::meaning::tool_kind::{ToolName, is_shell};
use crate::rule::Match;
use crate::subject::call::{Call, HostCall, Property, Tool, Value};
use crate::subject::flow::{CallRef, Flow, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, split_owner, words};

/// The check.
pub const CHECK: Check = Check {
    id: "tool-result-to-command",
    category: "remote-code",
    severity: Severity::High,
    action: Action::Confirm,
    why: "A command that holds text from elsewhere runs whatever that text says behind a semicolon.",
    help: "Choose commands by literal names, pass data as arguments of a program without a shell, and check it first.",
    hit: "const ticket = await callTool('tickets:get', { id: 7 });\nawait callTool('shell:exec', { command: ticket.text });\n",
    miss: "const ticket = await callTool('tickets:get', { id: 7 });\nawait callTool('shell:exec', { command: 'df -h' });\nreturn ticket;\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = arrivals(context, SinkKind::Command, "becomes part of a command", |passage, reach, flow| {
        let read = &passage.read;
        let written = written_at(context, flow);
        // A tool of a server that runs any command says so; one that puts an argument into its own command does not.
        let is_shell = read.kind == OriginKind::Incoming
            && written == Written::Nothing
            && is_of_client(context.subject, flow)
            && !is_plain_argument(context, flow);
        let is_whole = written == Written::Nothing;
        match read.kind {
            _ if written == Written::All || names_machine(context, flow) => None,
            OriginKind::Tool if !read.is_untrusted && names_resource(context, flow) => None,
            // What a program has a machine for that is made for commands of others.
            OriginKind::Incoming | OriginKind::UserInput | OriginKind::Program if context.subject.is_of_module() && reach.is_confined() => {
                Some((Severity::Low, Action::Log))
            }
            _ if matches!(flow.sink, CallRef::Host(index) if context.subject.host_calls.get(index).is_some_and(is_walled)) => {
                Some((Severity::Low, Action::Log))
            }
            // A person saw it, and said so.
            _ if context.is_spared(passage.reach, EffectKind::Run) => Some((Severity::Low, Action::Log)),
            OriginKind::Incoming | OriginKind::Network | OriginKind::Tool if read.is_untrusted && orders_agent(context, flow) => {
                Some((Severity::Critical, Action::Block))
            }
            _ if is_shell => Some((Severity::Medium, Action::Warn)),
            // Whoever sends it in writes there what he likes, whatever it is called.
            OriginKind::Incoming if !is_plain_argument(context, flow) => Some((Severity::Critical, Action::Block)),
            // A line that is nothing else runs whatever stands there, though it is called a number.
            OriginKind::Network if read.is_untrusted && is_whole_line(context, flow, written) => Some((Severity::Critical, Action::Block)),
            OriginKind::Network | OriginKind::Incoming | OriginKind::Tool if read.is_harmless || is_plain_argument(context, flow) => {
                Some((Severity::Low, Action::Log))
            }
            // A shell would read it, but whoever signs a person in is believed more than that.
            OriginKind::Network if opens_address(context, flow) => Some((Severity::High, Action::Confirm)),
            OriginKind::Network | OriginKind::Incoming => Some((Severity::Critical, Action::Block)),
            // What the user set up his editor with: which program to start is his to say.
            OriginKind::Tool if is_setting_of_host(context, flow) => Some((Severity::Low, Action::Log)),
            OriginKind::Tool if !read.is_untrusted && goes_back(context, flow) => Some((Severity::Low, Action::Log)),
            OriginKind::Tool if asks_same_client(context, flow) => Some((Severity::Low, Action::Log)),
            // Whoever may make a branch may name it so that a shell runs more; those are no strangers.
            OriginKind::Tool if !is_whole && is_name_of_repository(context, flow) => Some((Severity::High, Action::Confirm)),
            OriginKind::Tool if read.is_untrusted || is_whole && (reach.api.is_none() || flow.argument == "0") => {
                Some((Severity::Critical, Action::Block))
            }
            OriginKind::Tool => Some((Severity::High, Action::Confirm)),
            OriginKind::Clipboard | OriginKind::Storage => Some((Severity::Medium, Action::Warn)),
            // The whole command, not an argument of a program that the script names.
            OriginKind::UserInput if is_line(context, flow) && context.is_led_astray(flow) => Some((Severity::Critical, Action::Block)),
            // Whatever a model asks for is run, and nobody is asked.
            OriginKind::UserInput if is_line(context, flow) && is_whole && is_of_model(context.subject, flow) => {
                Some((Severity::Medium, Action::Warn))
            }
            // A page is anybody's text.
            OriginKind::Page if !read.is_harmless => Some((Severity::High, Action::Confirm)),
            OriginKind::File
            | OriginKind::Process
            | OriginKind::UserInput
            | OriginKind::Environment
            | OriginKind::System
            | OriginKind::Page
            | OriginKind::Program => None,
        }
    });
    found.extend(arrivals(context, SinkKind::Query, "is run as a statement", |passage, reach, flow| {
        let read = &passage.read;
        let last = flow.argument.rsplit('.').next().unwrap_or_default();
        let runs = words(&reach.name).last().is_some_and(|last| Tag::RunningQuery.has(last));
        let is_carried = list("carriers-of-statements").contains(&reach.name.as_str()) && last == "query";
        // What a statement has places for is data, whatever it holds.
        let is_bound = flow.argument.split_once('.').is_some_and(|(first, _)| {
            // `prepare(statement).run(first, second)`
            let method = first.trim_end_matches(|letter: char| letter.is_ascii_digit());
            list("bound-values").contains(&first) || method.len() < first.len() && list("running-prepared").contains(&method)
        });
        let is_statement = !is_bound && (Tag::StatementKey.has(&joined(last)) || runs && Tag::RunKey.has(last) || is_carried);
        let written = written_at(context, flow);
        // Whoever sends in a statement writes there what he likes, whatever it is called.
        let is_plain = read.is_harmless && !(read.kind == OriginKind::Incoming && written == Written::Nothing);
        let is_text = matches!(read.kind, OriginKind::Tool | OriginKind::Network | OriginKind::Incoming) && read.is_untrusted && !is_plain;
        // A service of the house's own says which statement is run: nobody sees it before.
        if is_statement && read.kind == OriginKind::Network && !read.is_untrusted && written == Written::Nothing {
            return Some((Severity::High, Action::Confirm));
        }
        // What stands in a field of a row is run: who may write there, may run anything. One that is kept to be run is meant, and a name
        // of a table is put into another statement.
        let field = flow.field.rsplit('.').next().unwrap_or_default();
        let is_kept = field.ends_with("name") || words(field).iter().any(|word| Tag::StatementKey.has(word));
        let is_row = read.kind == OriginKind::Tool && !read.is_untrusted && flow.field.contains('.') && !is_kept;
        if is_statement && is_row && !read.is_harmless && written == Written::Nothing && flow.strength == Strength::Whole {
            let is_of_strangers = origin_call(context, flow).is_some_and(|call| names_strangers(&call.argument));
            return Some(if is_of_strangers { (Severity::Critical, Action::Block) } else { (Severity::High, Action::Confirm) });
        }
        if is_statement && read.kind == OriginKind::UserInput && written == Written::Nothing {
            return if context.is_led_astray(flow) {
                Some((Severity::Critical, Action::Block))
            } else {
                is_of_model(context.subject, flow).then_some((Severity::Medium, Action::Warn))
            };
        }
        if !is_statement || !is_text {
            return None;
        }
        match written {
            Written::All => None,
            _ if is_opened_to_read(context, flow) => Some((Severity::Low, Action::Log)),
            Written::Nothing => Some((Severity::Critical, Action::Block)),
            _ if read.kind == OriginKind::Incoming && flow.strength == Strength::Whole => Some((Severity::Critical, Action::Block)),
            Written::Start | Written::Part => Some((Severity::Medium, Action::Warn)),
        }
    }));
    found.extend(fed(context));
    found.extend(chosen_tools(context));
    found.extend(chosen_rows(context));
    found
}

/// Returns true if and only if what runs a statement was opened so that nothing can be changed: `new Database(path, { readonly: true })`.
fn is_opened_to_read(context: &Context<'_>, flow: &Flow) -> bool {
    let CallRef::Tool(index) = flow.sink else { return false };
    let Some(Value::Object(properties, _)) = context.subject.calls.get(index).map(|call| &call.argument) else { return false };
    let opened = properties.iter().find(|property| property.key == "opened").map(|property| &property.value);
    let Some(Value::Object(options, _)) = opened else { return false };
    let is_read_only = |option: &Property| option.key.eq_ignore_ascii_case("readonly") && matches!(option.value, Value::Boolean(true, _));
    options.iter().any(is_read_only) && options.iter().all(|option| option.key != "...")
}

/// Returns true if and only if what flows is the line that is run, and no argument of a program that the script names but a shell.
fn is_line(context: &Context<'_>, flow: &Flow) -> bool {
    flow.argument == "0" || lines(context, flow.sink).iter().any(|line| handed_to_shell(line).is_some())
}

/// What a line has a shell run: `"…"` of `bash -c "…"`.
fn handed_to_shell(line: &str) -> Option<&str> {
    let (first, rest) = line.trim_start().split_once(' ')?;
    let (option, handed) = rest.trim_start().split_once(' ').unwrap_or((rest.trim_start(), ""));
    let is_shell = list("shells").contains(&first.rsplit('/').next().unwrap_or(first));
    (is_shell && option.starts_with('-') && option.ends_with('c')).then_some(handed)
}

/// Returns true if and only if an address is only handed to what opens it: `xdg-open "${answer.verification_uri}"`.
fn opens_address(context: &Context<'_>, flow: &Flow) -> bool {
    let opens = |line: &String| {
        let mut words = line.split_whitespace().skip_while(|word| matches!(*word, "cmd" | "cmd.exe" | "/c" | "/C"));
        let is_opener = words.next().is_some_and(|word| Tag::FileOpener.has(word) || list("opening-programs").contains(&word));
        // `start "" "…"`: the first text is what a window is called.
        let rest: String = words.collect();
        let rest = rest.trim_matches(['"', '\'']);
        is_opener && !rest.is_empty() && rest.chars().all(|letter| letter == HOLE)
    };
    let is_address = flow
        .field
        .rsplit('.')
        .next()
        .is_some_and(|last| words(last).iter().any(|word| list("addresses-of-things").contains(&word.as_str())));
    let lines = lines(context, flow.sink);
    is_address && !lines.is_empty() && lines.iter().all(opens)
}

/// Returns true if and only if nothing but what flows is the line that is run: `exec(answer.step)`, `bash -c "${answer.step}"`.
fn is_whole_line(context: &Context<'_>, flow: &Flow, written: Written) -> bool {
    let is_bare = |handed: &str| handed.trim().trim_matches(['"', '\'', '`']).chars().all(|letter| letter == HOLE);
    let is_handed = || lines(context, flow.sink).iter().filter_map(|line| handed_to_shell(line)).any(is_bare);
    // Of a program's path one part may be a version.
    let takes_line = || match flow.sink {
        CallRef::Host(index) => {
            context.subject.host_calls.get(index).is_some_and(|call| call.api.ends_with(".exec") || call.api.ends_with(".execSync"))
        }
        CallRef::Tool(_) => false,
    };
    flow.strength == Strength::Whole && (written == Written::Nothing && flow.argument == "0" && takes_line() || is_handed())
}

/// Returns true if and only if a text is the order of an agent that acts without asking: `claude -p … --dangerously-skip-permissions`.
fn orders_agent(context: &Context<'_>, flow: &Flow) -> bool {
    // `npx claude`, `sudo -u agent claude`: the program stands near the front.
    const FRONT: usize = 4;
    let mut words: Vec<String> = lines(context, flow.sink).iter().flat_map(|line| line.split_whitespace()).map(str::to_owned).collect();
    if let CallRef::Host(index) = flow.sink
        && let Some(call) = context.subject.host_calls.get(index)
    {
        words.extend(call.arguments.iter().flat_map(texts).map(|text| text.text.to_owned()));
    }
    let program = |word: &String| list("agent-programs").contains(&word.rsplit('/').next().unwrap_or(word));
    flow.strength == Strength::Whole
        && words.iter().take(FRONT).any(program)
        && words.iter().any(|word| list("unasked-options").contains(&word.as_str()))
}

/// The lines that a call has run, as far as it writes them out.
fn lines(context: &Context<'_>, call: CallRef) -> Vec<String> {
    match call {
        CallRef::Tool(index) => context.subject.calls.get(index).map(|call| tool_lines(&call.argument)),
        CallRef::Host(index) => context.subject.host_calls.get(index).map(host_lines),
    }
    .unwrap_or_default()
}

/// What comes from elsewhere and is fed to a program that runs what it reads: `execSync('bash -s', { input: answer })`.
fn fed(context: &Context<'_>) -> Vec<Match> {
    let ends = &context.features.ends;
    // Whether a call runs what it reads is asked once, however much flows there.
    let mut asked: BTreeMap<usize, bool> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for passage in ends.passages.iter().filter(|passage| passage.read.is_untrusted && !passage.read.is_harmless) {
        let (Some(flow), Some(reach)) = (context.subject.flows.get(passage.flow), ends.reach(passage)) else { continue };
        let is_input = flow.argument.split('.').any(|key| Tag::InputKey.has(key));
        let is_told = flow.is_followed() && flow.strength == Strength::Whole && !flow.is_plain;
        if !is_input || !is_told || !reach.does(SinkKind::Command) || context.is_spared(passage.reach, EffectKind::Run) {
            continue;
        }
        let runs_it = *asked.entry(passage.reach).or_insert_with(|| lines(context, flow.sink).iter().any(|line| runs_its_input(line)));
        if runs_it && seen.insert(passage.reach) {
            let message = format!("{} is run by `{}`, which is fed with it", passage.read.words, reach.name);
            let own = Match::new(context.rule, reach.span).with_severity(Severity::Critical, Action::Block);
            found.push(own.with_message(message).with_steps(flow.steps.clone()));
        }
    }
    found
}

/// The call of a tool from which data comes.
pub fn origin_call<'c>(context: &Context<'c>, flow: &Flow) -> Option<&'c Call> {
    let origin = context.subject.origins.get(flow.origin)?;
    origin.call.and_then(CallRef::tool).and_then(|index| context.subject.calls.get(index))
}

/// Returns true if and only if an argument names what strangers write: `{ sql: 'SELECT * FROM tickets' }`.
pub fn names_strangers(argument: &Value) -> bool {
    texts(argument).iter().any(|text| words(text.text).iter().any(|word| noun(word).is_some_and(|noun| noun.is_untrusted)))
}

/// Returns true if and only if a service gets back what it told itself, and not as the command. What strangers wrote there is not meant.
fn goes_back(context: &Context<'_>, flow: &Flow) -> bool {
    let owner = |name: &str| name.split_once(':').map(|(owner, _)| owner.to_owned());
    let origin = context.subject.origins.get(flow.origin).and_then(|origin| owner(&origin.name));
    let sink =
        flow.sink.tool().and_then(|index| context.subject.calls.get(index)).and_then(|call| owner(call.tool.name().unwrap_or_default()));
    let names_command = |key: &str| {
        let key = joined(key);
        [Tag::RunKey, Tag::CommandKey, Tag::CodeKey, Tag::StatementKey].iter().any(|tag| tag.has(&key))
    };
    origin.is_some() && origin == sink && !flow.argument.split('.').any(names_command)
}

/// Returns true if and only if what flows is what a project, a repository or one of its branches is called.
fn is_name_of_repository(context: &Context<'_>, flow: &Flow) -> bool {
    let Some(origin) = context.subject.origins.get(flow.origin) else { return false };
    let is_listed = words(split_owner(&origin.name).1).iter().any(|word| list("named-by-the-house").contains(&word.as_str()));
    let last = flow.field.rsplit('.').next().map(joined).unwrap_or_default();
    is_listed && list("names-of-repositories").contains(&last.as_str())
}

/// Returns true if and only if what the client of a cloud told is named to that client again: `aws … describe`, `aws … --name NAME`.
fn asks_same_client(context: &Context<'_>, flow: &Flow) -> bool {
    let origin = context.subject.origins.get(flow.origin).and_then(|origin| origin.call?.tool());
    let clients = |call: Option<usize>| -> Vec<&str> {
        let call = call.and_then(|index| context.subject.calls.get(index));
        let said = call.map(|call| texts(&call.argument)).unwrap_or_default();
        said.into_iter()
            .filter_map(|text| text.text.split_whitespace().next())
            .filter(|first| list("clients-of-clouds").contains(first))
            .collect()
    };
    let (told, asked) = (clients(origin), clients(flow.sink.tool()));
    matches!((told.as_slice(), asked.as_slice()), ([first, ..], [second, ..]) if told.iter().chain(&asked).all(|one| one == first) && first == second)
}

/// Returns true if and only if what flows is a setting of the program that runs the script, which its user makes, or the place of a
/// program of the machine.
fn is_setting_of_host(context: &Context<'_>, flow: &Flow) -> bool {
    let Some(origin) = context.subject.origins.get(flow.origin) else { return false };
    let is_named_by_strangers = || {
        let looked_up = origin.call.and_then(CallRef::tool);
        let reads = &context.features.ends.reads;
        let is_strange = |flow: &Flow| reads.get(flow.origin).is_some_and(|read| read.is_untrusted || read.kind == OriginKind::Incoming);
        looked_up.is_some_and(|call| context.flows_into(call).any(is_strange))
    };
    flow.sink.tool().is_none() && Tag::HostSetting.has(&origin.name) || Tag::FoundProgram.has(&origin.name) && !is_named_by_strangers()
}

/// Tools that are named by what somebody else wrote.
fn chosen_tools(context: &Context<'_>) -> Vec<Match> {
    let ends = &context.features.ends;
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for passage in &ends.passages {
        let (Some(flow), Some(reach)) = (context.subject.flows.get(passage.flow), ends.reach(passage)) else { continue };
        let call = flow.sink.tool().and_then(|index| context.subject.calls.get(index));
        let names_tool = flow.argument == "tool" && flow.strength == Strength::Whole && call.is_some_and(|call| call.tool == Tool::Dynamic);
        // A client of servers calls what its model asks for: that is what the model is for.
        let origin = context.subject.origins.get(flow.origin);
        let asked = origin.and_then(|origin| ends.reaches.get(Ends::index(context.subject, origin.call?)));
        let is_of_model = asked.is_some_and(|asked| asked.does(SinkKind::Prompt));
        let is_meant = is_of_model && call.is_some_and(|call| context.subject.is_of_program(call));
        // What stands in a text was written by whoever wrote that, not by who keeps it.
        let is_text = flow.field.split('.').any(|part| Tag::WholeText.has(&joined(part)));
        let is_written = passage.read.kind == OriginKind::Tool && is_text && !context.subject.is_of_module();
        if names_tool && !is_meant && (passage.read.is_untrusted || is_written) && seen.insert(passage.reach) {
            let message = format!("{} chooses which tool is called", passage.read.words);
            found.push(
                Match::new(context.rule, reach.span)
                    .with_severity(Severity::Critical, Action::Block)
                    .with_message(message)
                    .with_steps(flow.steps.clone()),
            );
        }
    }
    found
}

/// Statements that are chosen as a whole by whoever sends something in: which rows are changed, or code that runs for each row.
fn chosen_rows(context: &Context<'_>) -> Vec<Match> {
    let ends = &context.features.ends;
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for passage in ends.passages.iter().filter(|passage| passage.read.kind == OriginKind::Incoming && passage.read.is_untrusted) {
        let (Some(flow), Some(reach)) = (context.subject.flows.get(passage.flow), ends.reach(passage)) else { continue };
        let last = flow.argument.rsplit('.').next().unwrap_or_default();
        let changes = query(&reach.name).is_some_and(|row| row.kind != EffectKind::Read && row.narrowed.contains(&flow.argument.as_str()));
        let runs = Tag::RowCodeKey.has(last);
        let is_whole = flow.is_followed() && flow.strength == Strength::Whole && flow.sink.tool().is_some();
        if is_whole && (changes || runs) && written_at(context, flow) == Written::Nothing && seen.insert(passage.reach) {
            let what = if runs { "is run for each row" } else { "chooses which rows are changed" };
            found.push(
                Match::new(context.rule, reach.span)
                    .with_severity(Severity::Critical, Action::Block)
                    .with_message(format!("{} {what} by `{}`", passage.read.words, reach.name))
                    .with_steps(flow.steps.clone()),
            );
        }
    }
    found
}

/// Returns true if and only if what flows into a tool that takes no line is the name of what it acts on: `kubernetes:scale_workload`.
fn names_resource(context: &Context<'_>, flow: &Flow) -> bool {
    let Some(call) = flow.sink.tool().and_then(|index| context.subject.calls.get(index)) else { return false };
    let is_shell = call.tool.name().is_none_or(|name| is_shell(&ToolName::of(name)));
    let mut has_line = false;
    call.argument.visit_properties(&mut |property| has_line |= Tag::LineKey.has(&joined(&property.key)));
    let last = flow.argument.rsplit('.').next().unwrap_or_default();
    !is_shell && !has_line && matches!(last, "name" | "namespace")
}

/// Returns true if and only if what flows into a tool only names where a command runs that stands beside it, all of it written out.
fn names_machine(context: &Context<'_>, flow: &Flow) -> bool {
    let Some(call) = flow.sink.tool().and_then(|index| context.subject.calls.get(index)) else { return false };
    let keys = || flow.argument.split('.').filter(|key| *key != "[]");
    let is_name = keys().next_back().is_some_and(|last| Tag::Placement.has(&joined(last)) || matches!(last, "host" | "hostname"));
    let is_name = is_name && keys().count() == 1;
    let (mut is_beside, mut is_written) = (false, true);
    call.argument.visit("", &mut |key, value| {
        let is_leaf = !matches!(value, Value::Object(..) | Value::Array(..) | Value::OneOf(..));
        if is_leaf && Tag::LineKey.has(&joined(key)) {
            is_beside = true;
            is_written &= matches!(value, Value::String(..) | Value::Null(..));
        }
    });
    is_name && is_beside && is_written
}

/// Returns true if and only if text is passed to a program as one of its arguments, and no shell reads it.
fn is_plain_argument(context: &Context<'_>, flow: &Flow) -> bool {
    let index = match flow.sink {
        CallRef::Host(index) => index,
        CallRef::Tool(index) => return context.subject.calls.get(index).is_some_and(|call| is_argument_without_shell(call, flow)),
    };
    let Some(call) = context.subject.host_calls.get(index) else { return false };
    if call.api.ends_with(".$") {
        return call.arguments.first().and_then(text).is_some_and(quotes_all);
    }
    if call.api.ends_with(".stdin.write") || call.api.ends_with(".stdin.end") {
        return call.receiver.first().and_then(text).is_some_and(reads_data);
    }
    let is_file = call.api.contains("execFile") || call.api.contains("spawn") || call.api.starts_with("execa");
    let program = call.arguments.first().and_then(|first| match first {
        Value::String(text, _) => text.rsplit('/').next(),
        _ => None,
    });
    let mut has_shell = false;
    for argument in &call.arguments {
        argument
            .visit_properties(&mut |property| has_shell |= property.key == "shell" && !matches!(property.value, Value::Boolean(false, _)));
    }
    let is_list = match call.arguments.get(1) {
        Some(Value::Array(..)) => true,
        // Where it could not be followed everywhere, it is a list there, too.
        Some(Value::OneOf(choices, _)) => {
            let is_list = |choice: &Value| matches!(choice, Value::Array(..));
            choices.iter().any(is_list) && choices.iter().all(|choice| is_list(choice) || matches!(choice, Value::Dynamic(_)))
        }
        _ => false,
    };
    let is_argument = flow.argument.starts_with("1.") || flow.argument == "1" && is_list;
    let is_plain = |program: &str| !Tag::Interpreter.has(program) || list("package-runners").contains(&program) && is_behind_package(call);
    is_file && !has_shell && is_argument && program.is_some_and(|program| is_plain(program) && !installs(context, flow, program, call))
}

/// Returns true if and only if a program is known, and runs nothing of what it reads.
fn reads_data(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    !name.contains(char::is_whitespace) && is_known(name) && !Tag::Interpreter.has(name) && !runs_its_input(name)
}

/// Returns true if and only if what flows is an argument of a program that the script names, which an SDK starts without a shell:
/// `exec.exec('git', ['fetch', 'origin', ref])`.
fn is_argument_without_shell(call: &Call, flow: &Flow) -> bool {
    if call.tool.name().is_some_and(|name| list("running-lists").contains(&name)) {
        return is_behind_first(&call.argument, &flow.argument);
    }
    let starts = call.tool.name().is_some_and(|name| list("starting-without-shell").contains(&name));
    let program = match &call.argument {
        Value::Object(properties, _) => properties.iter().find(|own| own.key == "command").and_then(|own| text(&own.value)),
        _ => None,
    };
    let arguments = match &call.argument {
        Value::Object(properties, _) => {
            properties.iter().find(|own| list("lists-of-arguments").contains(&own.key.as_str())).map(|own| &own.value)
        }
        _ => None,
    };
    let is_plain = |program: &str| {
        let name = program.rsplit('/').next().unwrap_or(program);
        let is_runner = list("package-runners").contains(&name);
        let is_open = if is_runner { !arguments.is_some_and(is_behind_name) } else { Tag::Interpreter.has(name) };
        !name.contains(char::is_whitespace) && !is_open
    };
    let installs = |program: &str| list("package-managers").contains(&program);
    starts && flow.argument != "command" && program.is_some_and(|program| is_plain(program) && !installs(program))
}

/// Returns true if and only if what flows stands in a list behind its first element, which the script writes: `['OBJECT', 'IDLETIME', key]`.
fn is_behind_first(argument: &Value, path: &str) -> bool {
    let Value::Object(properties, _) = argument else { return false };
    let (key, at) = path.split_once('.').unwrap_or((path, ""));
    let of_key = properties.iter().find(|own| own.key == key).map(|own| &own.value);
    let is_written = |list: &Value| matches!(list, Value::Array(elements, _) if matches!(elements.first(), Some(Value::String(..))));
    let is_first = at.split('.').next() == Some("0");
    match of_key {
        Some(Value::Array(elements, _)) => !is_first && matches!(elements.first(), Some(Value::String(..))),
        Some(Value::OneOf(choices, _)) => !is_first && choices.iter().all(is_written),
        // `client.call('OBJECT', 'IDLETIME', key)`: the first is the command, the others are named by their number.
        _ => key != "command" && properties.iter().any(|own| own.key == "command" && matches!(own.value, Value::String(..))),
    }
}

/// Returns true if and only if what flows is all that says which package is installed.
fn installs(context: &Context<'_>, flow: &Flow, program: &str, call: &HostCall) -> bool {
    let Some(Value::Array(arguments, _)) = call.arguments.get(1) else { return false };
    let is_install = matches!(arguments.first(), Some(Value::String(verb, _)) if matches!(verb.as_str(), "install" | "add" | "i"));
    is_install
        && list("package-managers").contains(&program)
        && flow.strength == Strength::Whole
        && written_at(context, flow) == Written::Nothing
}

/// Returns true if and only if what flows stands behind the name of the package that a runner of packages is told to run, and the runner
/// reads no line of a shell.
fn is_behind_package(call: &HostCall) -> bool {
    call.arguments.get(1).is_some_and(is_behind_name)
}

fn is_behind_name(arguments: &Value) -> bool {
    let Value::Array(arguments, _) = arguments else { return false };
    let known: Vec<&str> =
        arguments.iter().map_while(|argument| if let Value::String(text, _) = argument { Some(text.as_str()) } else { None }).collect();
    let named = known.iter().position(|argument| !argument.starts_with('-'));
    let reads_line = known.iter().any(|option| matches!(*option, "-c" | "--call" | "-p" | "--package"));
    !reads_line && named.and_then(|named| known.get(named)).is_some_and(|name| !Tag::Interpreter.has(name))
}

/// Returns true if and only if a command that quotes what is put into it names its program, and that is none that reads its
/// arguments as commands.
fn quotes_all(command: &str) -> bool {
    let starts = command.trim_start().starts_with(|first: char| first.is_ascii_alphanumeric());
    let is_put_in_whole = |word: &str| !word.contains(HOLE) || !word.contains(['"', '\'', '`', '$']);
    let runs = |word: &str| Tag::Interpreter.has(word.rsplit('/').next().unwrap_or(word));
    starts && command.split_whitespace().all(|word| is_put_in_whole(word) && !runs(word))
}
