//! Code inside strings: constant text that a script hands to `eval` and its like is read as the script it is.
//!
//! What is found in it counts as found at the place where the text is run, because that is where it happens.

use oxc_allocator::Allocator;

use crate::format::ReadOptions;
use crate::format::script::handed;
use crate::format::script::interpret::{CodeText, Interpretation};
use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::subject::call::{Call, HostCall, Value};
use crate::subject::flow::{CallRef, Flow, Origin, Step};
use crate::subject::segment::{HOLE, Role, Segment};
use crate::subject::{Completeness, Reason, Subject, Undetermined};
use crate::value::span::Span;
use crate::value::words::words;

/// How deep texts are read that are run by texts.
pub const DEPTH: u32 = 3;
/// How long the texts are that are read for one script, in bytes.
const TOTAL: usize = 1024 * 1024;

/// The texts that an interpretation saw being run as code.
pub fn texts(found: &Interpretation) -> Vec<(CodeText, Runner)> {
    let mut commands: Vec<CodeText> = Vec::new();
    let by_tools = found.calls.iter().map(|call| (std::slice::from_ref(&call.argument), call.span));
    for (arguments, span) in by_tools.chain(found.host_calls.iter().map(|call| (call.arguments.as_slice(), call.span))) {
        let texts = arguments.iter().flat_map(texts_of).filter_map(code_in_command);
        let texts = texts.chain(code_in_arguments(arguments));
        commands.extend(texts.map(|text| CodeText { text, span, names: Vec::new(), tools: Vec::new() }));
    }
    let mut texts: Vec<(CodeText, Runner)> = found.code.iter().cloned().chain(commands).map(|code| (code, Runner::Script)).collect();
    for (code, _) in &mut texts {
        code.names.extend(handed::names(found, code.span));
    }
    texts.extend(found.calls.iter().flat_map(tool_code));
    texts
}

/// Reads texts that an interpretation saw being run, as deep as is still allowed, and adds what is in them to the subject.
pub fn adopt_all(subject: &mut Subject, found: &Interpretation, texts: Vec<(CodeText, Runner)>, (options, depth): (&ReadOptions, u32)) {
    let mut total = 0;
    for (code, runner) in texts {
        total += code.text.len();
        let (Some(depth), true) = (depth.checked_sub(1), total <= TOTAL) else {
            let detail = "it runs texts that run texts, more or deeper than can be read";
            subject.completeness = Completeness::Undetermined(Undetermined::at(Reason::Fuel, detail, code.span));
            break;
        };
        let mut options = options.clone();
        options.calls.extend(code.tools.iter().cloned());
        let mut arena = Allocator::default();
        match super::read_embedded(&mut arena, &code, &options, depth, found) {
            Ok(mut inner) => {
                // A page is no sandbox of the script's.
                if runner == Runner::Page {
                    inner.hazards.clear();
                }
                adopt(subject, inner, code.span, found.origins.len());
            }
            // A text that no runtime can parse does nothing; one that nests too deep may.
            Err(Undetermined { reason: Reason::Unparsable, .. }) => {}
            Err(undetermined) => {
                let detail = format!("a text that it runs: {}", undetermined.detail);
                subject.completeness = Completeness::Undetermined(Undetermined::at(undetermined.reason, detail, code.span));
            }
        }
    }
}

/// What runs a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// The script itself, or a command that it starts.
    Script,
    /// A page that a tool has open.
    Page,
}

/// The texts that a tool has run: by a page, by what runs automations, or by a site that it puts them into.
fn tool_code(call: &Call) -> Vec<(CodeText, Runner)> {
    let name = words(call.tool.name().unwrap_or_default());
    let has = |any: Tag| any.has_any(name.iter().map(String::as_str));
    let code = |text: String| CodeText { text, span: call.span, names: Vec::new(), tools: Vec::new() };
    let runner = if has(Tag::PageTool) || has(Tag::PageStore) { Runner::Page } else { Runner::Script };
    let mut found = Vec::new();
    let runs = has(Tag::Evaluating) || name.iter().any(|word| matches!(word.as_str(), "script" | "execute" | "run"));
    if runs || !name.iter().any(|word| list("looking-at-code").contains(&word.as_str())) {
        call.argument.visit("", &mut |key, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value
                && is_code_key(key)
                && reads_like_code(text)
            {
                found.push((code(text.replace(HOLE, "0")), runner));
            }
        });
    }
    // Whatever keeps the text of a page may show it to people.
    if has(Tag::Giving) || has(Tag::ChangingRecord) || has(Tag::SettingOwn) {
        call.argument.visit("", &mut |_, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                found.extend(scripts_in(text).into_iter().map(|text| (code(text), Runner::Page)));
            }
        });
    }
    found
}

fn is_code_key(key: &str) -> bool {
    let key = key.to_lowercase();
    Tag::CodeKey.has(&key) || list("inline-code-keys").contains(&key.as_str())
}

/// Returns true if and only if a text has what only a script has that does something.
fn reads_like_code(text: &str) -> bool {
    const SIGNS: &[&str] =
        &["=>", "function", "await ", "require(", "fetch(", "document.", "window.", "const ", "let ", "var ", "eval(", "import("];
    text.contains('(') && SIGNS.iter().any(|sign| text.contains(sign))
}

/// The scripts that stand in the text of a page. What is put into them by a template, or by the script, may be any value.
fn scripts_in(page: &str) -> Vec<String> {
    let lower = page.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut from = 0;
    let find = |what: &str, from: usize| lower.get(from..)?.find(what).map(|at| from + at);
    // What nothing ends runs in no page.
    while let Some(start) = find("<script", from).and_then(|at| find(">", at))
        && let Some(end) = find("</script", start)
    {
        let body = page.get(start + 1..end).unwrap_or_default().trim();
        if !body.is_empty() {
            found.push(body.replace(HOLE, "0"));
        }
        from = end + 1;
    }
    found
}

/// The texts in a value.
fn texts_of(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text, _) => vec![text],
        Value::Array(values, _) | Value::OneOf(values, _) => values.iter().flat_map(texts_of).collect(),
        Value::Object(properties, _) => properties.iter().flat_map(|property| texts_of(&property.value)).collect(),
        _ => Vec::new(),
    }
}

/// The code that a list of arguments hands to a JavaScript runtime: `spawn('node', ['-e', code])`.
fn code_in_arguments(arguments: &[Value]) -> Vec<String> {
    let is_runtime = |program: &str| {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
        RUNTIMES.contains(&name.strip_suffix(".exe").unwrap_or(name))
    };
    // What is not known may be the runtime itself: `process.execPath`.
    if matches!(arguments.first(), Some(Value::String(program, _)) if !is_runtime(program)) {
        return Vec::new();
    }
    let lists = arguments.iter().filter_map(|argument| match argument {
        Value::Array(elements, _) => Some(elements),
        _ => None,
    });
    let is_option = |value: &Value| matches!(value, Value::String(text, _) if RUNNING.contains(&text.as_str()));
    let mut found = Vec::new();
    for pair in lists.flat_map(|elements| elements.windows(2)) {
        if let [option, Value::String(text, _)] = pair
            && is_option(option)
        {
            found.push(text.clone());
        }
    }
    found
}

/// Programs that run JavaScript.
const RUNTIMES: &[&str] = &["node", "nodejs", "bun", "deno", "tsx", "ts-node", "electron"];
/// Options of theirs before the code that they run.
const RUNNING: &[&str] = &["-e", "--eval", "eval", "-p", "--print", "-pe"];

/// The code that a command hands to a JavaScript runtime.
pub fn code_in_command(command: &str) -> Option<String> {
    let (at, runner) = Tag::CodeRunner.words().find_map(|runner| command.find(runner).map(|at| (at, runner)))?;
    let rest = command.get(at + runner.len()..)?.trim_start();
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let inner = rest.get(1..)?;
    let end = inner.rfind(quote)?;
    let code = inner.get(..end)?;
    Some(if quote == '"' { code.replace("\\\"", "\"").replace("\\$", "$") } else { code.to_owned() })
}

/// Adds what was found in a text to the script that runs it, at the place where it does.
///
/// The first `shared` origins of both are the same.
fn adopt(subject: &mut Subject, inner: Subject, span: Span, shared: usize) {
    if let Completeness::Undetermined(undetermined) = inner.completeness {
        let detail = format!("a text that it runs: {}", undetermined.detail);
        subject.completeness = Completeness::Undetermined(Undetermined::at(undetermined.reason, detail, span));
    }
    let (tools, hosts) = (subject.calls.len(), subject.host_calls.len());
    let call_of = |call: CallRef| match call {
        CallRef::Tool(index) => CallRef::Tool(tools + index),
        CallRef::Host(index) => CallRef::Host(hosts + index),
    };
    let own_origins = subject.origins.len();
    let origin_of = |index: usize| if index < shared { index } else { own_origins + index - shared };
    for call in inner.calls {
        let over = call.over.iter().map(|origin| origin_of(*origin)).collect();
        let nth = u32::try_from(subject.calls.len()).unwrap_or(u32::MAX);
        let mut argument = call.argument;
        replace_spans(&mut argument, span);
        subject.calls.push(Call { argument, over, nth, span, tool_span: span, ..call });
    }
    for call in inner.host_calls {
        let mut arguments = call.arguments;
        let mut receiver = call.receiver;
        arguments.iter_mut().chain(&mut receiver).for_each(|value| replace_spans(value, span));
        subject.host_calls.push(HostCall { arguments, receiver, span, callers: Vec::new(), ..call });
    }
    let new = inner.origins.into_iter().skip(shared);
    subject.origins.extend(new.map(|origin| Origin { call: origin.call.map(call_of), span, ..origin }));
    for flow in inner.flows {
        let steps = flow.steps.into_iter().map(|step| Step { span, ..step }).collect();
        subject.flows.push(Flow { origin: origin_of(flow.origin), sink: call_of(flow.sink), steps, ..flow });
    }
    for segment in inner.segments {
        if let Some(text) = segment.decoded {
            subject.segments.push(Segment::decoded(segment.role, span, text));
        }
    }
    subject.fields.extend(inner.fields.into_iter().map(|(name, _)| (name, span)));
    subject.hazards.extend(inner.hazards.into_iter().map(|hazard| crate::subject::hazard::Hazard { span, ..hazard }));
}

/// The segments of an embedded text as decoded ones: their places mean nothing in the outer script.
pub fn decoded_segments(segments: Vec<Segment>, text: &str) -> Vec<Segment> {
    segments
        .into_iter()
        .filter(|segment| segment.role != Role::Code || segment.span.slice(text).len() < 64 * 1024)
        .map(|segment| {
            let own = segment.text(text).to_owned();
            Segment::decoded(segment.role, segment.span, own)
        })
        .collect()
}

fn replace_spans(value: &mut Value, span: Span) {
    match value {
        Value::Missing => {}
        Value::String(_, own)
        | Value::Number(_, own)
        | Value::Boolean(_, own)
        | Value::Null(own)
        | Value::Partial(_, own)
        | Value::Dynamic(own) => *own = span,
        Value::Array(elements, own) | Value::OneOf(elements, own) => {
            *own = span;
            elements.iter_mut().for_each(|element| replace_spans(element, span));
        }
        Value::Object(properties, own) => {
            *own = span;
            for property in properties {
                property.key_span = span;
                replace_spans(&mut property.value, span);
            }
        }
    }
}
