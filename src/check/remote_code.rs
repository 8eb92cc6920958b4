//! Text from the network or a tool that is run as code.

use std::collections::BTreeSet;

use crate::check::{Check, Context, arrivals, written_at};
use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::knowledge::{Side, SinkKind, destination};
use crate::meaning::argument::{Written, choices, is_yes, text};
use crate::meaning::authority::host;
use crate::meaning::model_input::is_of_client;
use crate::meaning::page_part::{PagePart, page_part};
use crate::meaning::reach::Reach;
use crate::meaning::reaches::addresses;
use crate::rule::Match;
use crate::subject::call::Value;
use crate::subject::flow::{CallRef, Flow, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, words};

/// The check.
pub const CHECK: Check = Check {
    id: "remote-code",
    category: "remote-code",
    severity: Severity::Critical,
    action: Action::Block,
    why: "Whoever writes a text that is run as code decides what the script does.",
    help: "Read data as data (`JSON.parse`), and run only code that stands in the script.",
    hit: "const page = await callTool('http:get', { url: 'https://example.net/a.py' });\nawait callTool('python:run', { code: page.text });\n",
    miss: "const page = await callTool('http:get', { url: 'https://example.net/a.py' });\nawait callTool('python:run', { code: 'print(1)', input: page.text });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = code(context);
    found.extend(deployed(context));
    found.extend(loaded(context));
    found.extend(trusted_workers(context));
    found
}

/// Workers from a host elsewhere that may do all that the script may: `new Worker('https://…', { deno: { permissions: 'inherit' } })`.
fn trusted_workers<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Match> + use<'c> {
    let workers = context.subject.host_calls.iter().filter(|call| call.api == "Worker");
    workers.filter_map(|call| {
        let address = choices(call.arguments.first()?).into_iter().find_map(text)?;
        let is_outside = address.contains("://") && destination(address, context.house).side == Side::Outside;
        let mut may_all = false;
        call.arguments.get(1)?.visit("", &mut |key, value| {
            may_all |= key == "permissions" && text(value) == Some("inherit");
        });
        let host = host(address).filter(|_| is_outside && may_all)?;
        Some(context.harm(call.span, Severity::Critical).with_message(format!("lets a worker of {host} do all that the script may")))
    })
}

/// Modules of a host elsewhere whose address is put together anew each time: what stands there then is run.
fn loaded<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Match> + use<'c> {
    let subject = context.subject;
    // In a page it is one of the files that make it up, perhaps.
    let is_on_machine = subject.host_calls.iter().any(|call| ON_MACHINE.iter().any(|begin| call.api.starts_with(begin)))
        || subject.origins.iter().any(|origin| origin.kind == OriginKind::Environment);
    let severity = if is_on_machine { Severity::Critical } else { Severity::High };
    let calls = subject.host_calls.iter().filter(|call| call.api == "import");
    calls.filter_map(move |call| {
        let address = choices(call.arguments.first()?).into_iter().find_map(|choice| match choice {
            Value::Partial(address, _) => Some(address),
            _ => None,
        })?;
        let host = address.contains("://").then(|| host(address)).flatten().filter(|host| !host.contains(HOLE))?;
        let is_known = list("registries").contains(&host.as_str()) || list("module-hosts").contains(&host.as_str());
        let is_outside = destination(address, context.house).side == Side::Outside;
        let message = format!("runs whatever module {host} shows, each time that it is loaded");
        (is_outside && !is_known).then(|| context.harm(call.span, severity).with_message(message))
    })
}

/// With what the paths of APIs begin that no page has.
const ON_MACHINE: &[&str] = &["Deno.", "Bun.", "fs.", "child_process.", "os."];

/// What somebody's server answers and a service elsewhere is given to run from now on.
fn deployed(context: &Context<'_>) -> Vec<Match> {
    let ends = &context.features.ends;
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for passage in ends.passages.iter().filter(|passage| passage.read.kind == OriginKind::Network && !passage.read.is_harmless) {
        let (Some(flow), Some(reach)) = (context.subject.flows.get(passage.flow), ends.reach(passage)) else { continue };
        let named = words(&reach.name);
        let is_program = flow.argument.rsplit('.').next().is_some_and(|last| Tag::ProgramHoldingKey.has(&joined(last)));
        let is_put = match flow.sink {
            CallRef::Tool(_) => {
                Tag::DeployedProgram.has_any(named.iter()) && named.iter().any(|word| Tag::Giving.has(word) || Tag::Setting.has(word))
            }
            CallRef::Host(_) => is_foreign(context, flow) && puts_steps(context, reach),
        };
        let is_whole = flow.is_followed() && flow.strength == Strength::Whole;
        let address = context.subject.origins.get(flow.origin).and_then(|origin| origin.detail.as_deref());
        let is_inside = address.is_some_and(|address| destination(address, context.house).side == Side::Inside);
        let is_put = is_program && is_put || flow.sink.tool().is_some_and(|call| is_software(context, call, flow));
        if is_whole && is_put && !is_inside && seen.insert(passage.reach) {
            let message = format!("{} is run from now on by `{}`", passage.read.words, reach.name);
            found.push(context.harm(reach.span, Severity::Critical).with_message(message).with_steps(flow.steps.clone()));
        }
    }
    found
}

/// Returns true if and only if what arrives at a call of a tool is software that machines run: its address, where the tool puts such on
/// them, or a file that is made to run.
fn is_software(context: &Context<'_>, call: usize, flow: &Flow) -> bool {
    let Some(call) = context.subject.calls.get(call) else { return false };
    let (name, key) = (words(call.tool.name().unwrap_or_default()), words(flow.argument.rsplit('.').next().unwrap_or_default()));
    let says = |text: &[String], any: &str| text.iter().any(|word| list(any).contains(&word.as_str()));
    let is_address = key.last().is_some_and(|last| list("software-keys").contains(&last.as_str()));
    if is_address && says(&name, "rolling-out") && (says(&name, "software-words") || says(&key, "software-words")) {
        return true;
    }
    // `mdm:install_profile`: what somebody elsewhere serves rules over all devices from then on.
    if says(&name, "rolling-out") && says(&name, "device-managers") && is_foreign(context, flow) {
        return true;
    }
    let (mut runs, mut is_checked) = (false, false);
    call.argument.visit_properties(&mut |property| {
        let own = joined(&property.key);
        let says = text(&property.value).unwrap_or_default();
        runs |= own == "mode" && says.ends_with("755") || own == "executable" && is_yes(&property.value) || says.contains(".bin/");
        is_checked |= matches!(own.as_str(), "sha256" | "sha512" | "checksum" | "digest" | "integrity" | "signature");
    });
    runs && !is_checked && key.last().is_some_and(|last| Tag::WholeText.has(last) || last == "data")
}

/// Returns true if and only if a request gives a service steps that it runs from now on: `/api/v1/workflows/7`.
fn puts_steps(context: &Context<'_>, reach: &Reach) -> bool {
    let is_steps = |address: &String| {
        let path = address.split(['?', '#']).next().unwrap_or_default();
        path.rsplit('/').take(2).any(|part| Tag::ListOfSteps.has(part))
    };
    reach.does(SinkKind::Network) && addresses(reach, context.subject).iter().any(is_steps)
}

/// How the names of tools begin that drive a browser.
const DRIVEN: &str = "driven_browser:";

fn code(context: &Context<'_>) -> Vec<Match> {
    arrivals(context, SinkKind::Code, "is run as code", |passage, reach, flow| {
        match part_of_page(context, flow) {
            Some(PagePart::Text) => return None,
            // Whoever answers from elsewhere draws the page.
            Some(PagePart::Markup)
                if flow.field.is_empty() && written_at(context, flow) == Written::Nothing && is_foreign(context, flow) =>
            {
                return Some((Severity::Medium, Action::Warn));
            }
            Some(PagePart::Markup) => return Some((Severity::Low, Action::Log)),
            None => {}
        }
        let loads = reach.api.is_some_and(|api| Tag::Loader.has(api.path));
        let is_address = is_address(context, flow);
        let loads = loads && !is_address;
        let written = written_at(context, flow);
        // What is run from its first letter on is code, though it is called a number.
        let is_part = written != Written::Nothing || flow.strength != Strength::Whole;
        // The scheme of a file says nothing of which one it is.
        let is_any_file = begins_with(context, flow, &[ANY_FILE]);
        let is_named = loads && !is_any_file && (written != Written::Nothing || begins_with(context, flow, &["./", "../"]));
        let is_interpreter =
            passage.read.kind == OriginKind::Incoming && written == Written::Nothing && is_of_client(context.subject, flow);
        let is_confined = reach.api.is_some_and(|api| Tag::ConfinedCode.has(api.path)) && !is_foreign(context, flow);
        let is_elsewhere = context.subject.is_of_module() && reach.is_confined() && !is_foreign(context, flow);
        match passage.read.kind {
            _ if written == Written::All => None,
            // What a program has a machine for that is made for code of others.
            _ if is_elsewhere => Some((Severity::Low, Action::Log)),
            OriginKind::Network if reach.api.is_some_and(|api| api.is_assigned) && is_own_answer(context, flow) => {
                Some((Severity::Low, Action::Log))
            }
            OriginKind::Network | OriginKind::File | OriginKind::Environment | OriginKind::UserInput if is_confined => {
                Some((Severity::Low, Action::Log))
            }
            _ if is_interpreter => Some((Severity::Medium, Action::Warn)),
            // What is passed is a process: its command line is the user's own.
            OriginKind::Incoming if loads && flow.field.split('.').next() == Some("argv") => Some((Severity::Low, Action::Log)),
            OriginKind::Incoming if is_named => Some((Severity::Low, Action::Log)),
            // Code is code, whatever the field is called in which it comes.
            OriginKind::Network | OriginKind::Tool
                if passage.read.is_harmless && (loads || is_markup(reach) || is_part && is_number(flow)) || is_named =>
            {
                Some((Severity::Low, Action::Log))
            }
            // What is compared with a sum that is written out is no other than what whoever wrote it looked at.
            OriginKind::Network if context.subject.checks_sum => Some((Severity::High, Action::Confirm)),
            OriginKind::Network | OriginKind::Incoming | OriginKind::Tool => Some((Severity::Critical, Action::Block)),
            // A module's path is no code: what stands at it came with the project.
            _ if loads => Some((Severity::Low, Action::Log)),
            OriginKind::File if is_of_manifest(context, flow) => Some((Severity::Low, Action::Log)),
            OriginKind::Process if is_commit(context, flow) => Some((Severity::Low, Action::Log)),
            OriginKind::Process | OriginKind::File | OriginKind::Storage | OriginKind::Clipboard => Some((Severity::High, Action::Confirm)),
            OriginKind::UserInput if context.is_led_astray(flow) => Some((Severity::Critical, Action::Block)),
            // The page in a browser that the script drives is its user's own.
            OriginKind::UserInput | OriginKind::Environment if reach.name.starts_with(DRIVEN) => Some((Severity::Low, Action::Log)),
            OriginKind::UserInput | OriginKind::Environment => Some((Severity::Medium, Action::Warn)),
            // A page is anybody's text.
            OriginKind::Page if !passage.read.is_harmless && !reach.api.is_some_and(|api| api.is_assigned) => {
                Some((Severity::High, Action::Confirm))
            }
            OriginKind::System | OriginKind::Page | OriginKind::Program => None,
        }
    })
}

/// Returns true if and only if what stands in code is a field of the project's own manifest: a banner with its name and version.
fn is_of_manifest(context: &Context<'_>, flow: &Flow) -> bool {
    let path = context.subject.origins.get(flow.origin).and_then(|origin| origin.detail.as_deref());
    let is_known = list("manifest-fields").contains(&flow.field.as_str());
    is_known && path.is_some_and(|path| list("manifests").contains(&path))
}

/// Returns true if and only if what stands in code is by what git knows the state of the project: `git rev-parse --short HEAD`.
fn is_commit(context: &Context<'_>, flow: &Flow) -> bool {
    let line = context.subject.origins.get(flow.origin).and_then(|origin| origin.detail.as_deref()).unwrap_or_default();
    let mut words = line.split_whitespace();
    words.next() == Some("git") && words.next().is_some_and(|asked| matches!(asked, "rev-parse" | "describe"))
}

/// Returns true if and only if what is set is a part of a page, of which only some is code.
fn is_markup(reach: &Reach) -> bool {
    reach.api.is_some_and(|api| api.is_assigned)
}

/// Returns true if and only if the field that flows tells how much or which one.
fn is_number(flow: &Flow) -> bool {
    let last = flow.field.rsplit('.').next().unwrap_or_default();
    words(last).last().is_some_and(|last| Tag::Counted.has(last) || Tag::LimitKey.has(last) || Tag::AmountKey.has(last) || last == "id")
}

/// What flows becomes part of a page, where it is not run.
fn part_of_page(context: &Context<'_>, flow: &Flow) -> Option<PagePart> {
    let CallRef::Host(index) = flow.sink else { return None };
    let call = context.subject.host_calls.get(index)?;
    page_part(call, &call.api)
}

/// Returns true if and only if the script itself names a server elsewhere from which what flows was fetched.
fn is_foreign(context: &Context<'_>, flow: &Flow) -> bool {
    let address = context.subject.origins.get(flow.origin).and_then(|origin| origin.detail.as_deref());
    address.is_some_and(|address| address.contains("://") && host(address).is_some())
}

/// Returns true if and only if what flows is what a page's own server answers: its address says no host.
fn is_own_answer(context: &Context<'_>, flow: &Flow) -> bool {
    let Some(origin) = context.subject.origins.get(flow.origin) else { return false };
    if let Some(address) = origin.detail.as_deref() {
        return is_relative(address);
    }
    // The address of this one is said by a call of its own.
    let opens = context.subject.host_calls.iter().filter(|call| call.api == "XMLHttpRequest().open");
    let mut addresses = opens.map(|call| match call.arguments.get(1) {
        Some(Value::String(address, _) | Value::Partial(address, _)) => is_relative(address),
        _ => false,
    });
    origin.name.starts_with("XMLHttpRequest()") && addresses.next().is_some_and(|first| first && addresses.all(|other| other))
}

/// Returns true if and only if an address says no host: `./token`, `/api/token`, `token.json`.
fn is_relative(address: &str) -> bool {
    let first = address.split('/').next().unwrap_or_default();
    let is_name = first.starts_with(|first: char| first.is_ascii_alphanumeric()) && !first.contains([HOLE, ':']);
    let is_path = is_name || first == "." || first == ".." || address.starts_with('/');
    is_path && !address.starts_with("//") && !address.contains('\\')
}

/// Returns true if and only if what is loaded is an address that holds or fetches code, not a path.
fn is_address(context: &Context<'_>, flow: &Flow) -> bool {
    begins_with(context, flow, &["data:", "blob:", "http://", "https://", "javascript:"])
}

/// Returns true if and only if what is loaded begins in one of these ways, as far as it is written out.
fn begins_with(context: &Context<'_>, flow: &Flow, starts: &[&str]) -> bool {
    let CallRef::Host(index) = flow.sink else { return false };
    let mut found = false;
    if let Some(first) = context.subject.host_calls.get(index).and_then(|call| call.arguments.first()) {
        first.visit("", &mut |_, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                let start = text.trim_start().to_lowercase();
                found |= starts.iter().any(|begin| start.starts_with(begin));
            }
        });
    }
    found
}

/// How the address of a file begins of which nothing is known.
const ANY_FILE: &str = "file://\u{1a}";
