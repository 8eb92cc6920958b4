//! Text that strangers wrote and that an agent is given as instructions.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use crate::check::tool_result_to_command::{names_strangers, origin_call};
use crate::check::{Check, Context, arrivals, written_at};
use crate::knowledge::SinkKind;
use crate::knowledge::api::api;
use crate::knowledge::command::list;
use crate::knowledge::tool::tool_in;
use crate::knowledge::words::Tag;
use crate::meaning::argument::{Written, is_no, is_yes, text};
use crate::meaning::reach::Place;
use crate::meaning::spared::is_asked;
use crate::meaning::tool_kind::AGENT_TOOLS;
use crate::rule::Match;
use crate::subject::call::{Property, Value};
use crate::subject::flow::{CallRef, Flow, OriginKind, SYSTEM, Strength};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, split_owner, words};

/// The check.
pub const CHECK: Check = Check {
    id: "tool-result-as-instructions",
    category: "injection",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "An agent that is handed a stranger's text as its task does what the stranger wants.",
    help: "Write the task in the script, and mark what was read as data that holds no instructions.",
    hit: "const page = await callTool('web:fetch', { url: 'https://example.net' });\nawait callTool('agent:run', { task: page.text });\n",
    miss: "const page = await callTool('web:fetch', { url: 'https://example.net' });\nawait callTool('agent:run', { task: 'tidy up' });\nreturn page;\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = obeyed(context);
    found.extend(standing(context));
    found
}

/// What strangers wrote and an agent keeps as a rule for later.
fn standing(context: &Context<'_>) -> Vec<Match> {
    let ends = &context.features.ends;
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for passage in ends.passages.iter().filter(|passage| passage.read.is_untrusted && !passage.read.is_harmless) {
        let (Some(flow), Some(reach)) = (context.subject.flows.get(passage.flow), ends.reach(passage)) else { continue };
        let Some(call) = flow.sink.tool().and_then(|index| context.subject.calls.get(index)) else { continue };
        let stands = match written_at(context, flow) {
            Written::Nothing => true,
            // What is put behind words that say it is a rule is one.
            Written::Start => begins_as_rule(&call.argument),
            Written::Part | Written::All => false,
        };
        let is_whole = flow.is_followed() && flow.strength == Strength::Whole && stands;
        // Of what another host answers each part is its owner's text.
        let is_text = passage.read.kind == OriginKind::Network
            || flow.field.rsplit('.').next().is_none_or(|last| last.is_empty() || last == "[]" || Tag::WholeText.has(last));
        let stands = || is_standing(&reach.name, &call.argument) || sets_prompt(&reach.name, &flow.argument);
        if is_whole && is_text && stands() && seen.insert(passage.reach) {
            let message = format!("{} is kept as a rule by `{}`", passage.read.words, reach.name);
            let (severity, action) = if is_draft(&reach.name) { (Severity::Low, Action::Log) } else { (Severity::Critical, Action::Block) };
            let own = Match::new(context.rule, reach.span).with_severity(severity, action);
            found.push(own.with_message(message).with_steps(flow.steps.clone()));
        }
    }
    found
}

/// Returns true if and only if a tool only keeps a draft, which obliges nobody before a person has published it. A key that says so is
/// no proof: what it does not know a tool passes over.
fn is_draft(name: &str) -> bool {
    words(split_owner(name).1).iter().any(|word| list("drafts").contains(&word.as_str()))
}

/// The words of a tool's name, but for what owns all tools of an agent's own object.
fn said(name: &str) -> Vec<String> {
    match split_owner(name) {
        (AGENT_TOOLS, own) => words(own),
        _ => words(name),
    }
}

/// Returns true if and only if what arrives there is what an agent, or one of its tools, is told from then on:
/// `agents:update({ systemPrompt })`, `agents:describe_tool({ description })`.
fn sets_prompt(name: &str, argument: &str) -> bool {
    let named = said(name);
    let changes = named.iter().any(|word| {
        Tag::ChangingRecord.has(word)
            || Tag::Giving.has(word)
            || Tag::Setting.has(word)
            || list("laying-down").contains(&word.as_str())
            || word == "describe"
    });
    let last = argument.rsplit('.').find(|key| *key != "[]" && !key.is_empty()).map(joined).unwrap_or_default();
    let is_of_tool = named.iter().any(|word| matches!(word.as_str(), "tool" | "tools")) && last == "description";
    // `assistant:settings_put({ settings })`: what an agent may do by itself stands there, too.
    let are_settings = named.iter().any(|word| list("settings-of-agents").contains(&word.as_str()));
    Tag::Acting.has_any(named.iter()) && changes && (Tag::ObeyedKey.has(&last) || is_of_tool || are_settings)
}

/// Returns true if and only if a tool keeps rules for an agent, or keeps what it is given in the agent's memory and says that it is one.
fn is_standing(name: &str, argument: &Value) -> bool {
    let named = said(name);
    let keeps = Tag::KeepingRule.has_any(named.iter());
    let gives = || named.iter().any(|word| Tag::Giving.has(word) || Tag::Setting.has(word));
    // What a tool says of itself a model does.
    let describes = || {
        let is_of_tools = named.iter().any(|word| matches!(word.as_str(), "tool" | "tools"));
        let is_told =
            |property: &Property| property.key.to_lowercase().contains("description") && !matches!(property.value, Value::String(..));
        let mut is_described = false;
        argument.visit_properties(&mut |property| is_described |= is_told(property));
        is_of_tools && is_described
    };
    let is_rule = gives() && (Tag::StandingRule.has_any(named.iter()) || describes());
    let mut says_so = false;
    argument.visit_properties(&mut |property| {
        says_so |= property.key == ROLE && text(&property.value) == Some(SYSTEM) || Tag::ObeyedKey.has(&joined(&property.key));
    });
    argument.visit("", &mut |_, value| {
        says_so |= matches!(value, Value::String(text, _) | Value::Partial(text, _) if words(text).iter().take(6).any(|word| Tag::StandingRule.has(word)));
    });
    is_rule || keeps && says_so
}

/// Returns true if and only if a text that goes on with what is read begins by saying that it is a rule: `Always follow: …`.
fn begins_as_rule(argument: &Value) -> bool {
    let mut is_rule = false;
    argument.visit("", &mut |_, value| {
        let Value::Partial(text, _) = value else { return };
        let start = text.split(HOLE).next().unwrap_or_default();
        is_rule |= words(start).iter().take(6).any(|word| Tag::StandingRule.has(word));
    });
    is_rule
}

/// Under which key stands who speaks, in messages of models.
const ROLE: &str = "role";

/// Returns true if and only if what flows is the text of what was read, not who wrote it or what it is about.
fn holds_text(flow: &Flow) -> bool {
    let last = flow.field.rsplit('.').find(|part| !part.is_empty() && *part != "[]").map(joined).unwrap_or_default();
    Tag::WholeText.has(&last)
}

/// Returns true if and only if a model says to whom mails go that its tools send.
fn writes_to_anybody(context: &Context<'_>) -> bool {
    let ends = &context.features.ends;
    ends.passages.iter().any(|passage| {
        let (Some(flow), Some(reach)) = (context.subject.flows.get(passage.flow), ends.reach(passage)) else { return false };
        let is_of_model = context.subject.origins.get(flow.origin).is_some_and(|origin| origin.name == MODEL);
        let is_all = flow.argument.is_empty() || reach.place(&flow.argument) == Place::Target;
        let is_whole = flow.is_followed() && flow.strength == Strength::Whole;
        is_of_model && is_whole && is_all && reach.does(SinkKind::Mail) && !reach.is_constant
    })
}

/// Returns true if and only if what a model's tools are seen to do with what the model passes is more than to read.
fn acts_for_model(context: &Context<'_>) -> bool {
    // What a person is asked first is not the model's to do.
    let is_asked = |span| is_asked(context.subject, span) || context.subject.bounds.is_approved(span);
    let of_model = |flow: &&Flow| context.subject.origins.get(flow.origin).is_some_and(|origin| origin.name == MODEL);
    let acts = |flow: &Flow| match flow.sink {
        CallRef::Tool(index) if context.subject.calls.get(index).is_some_and(|call| is_asked(call.span)) => false,
        CallRef::Host(index) if context.subject.host_calls.get(index).is_some_and(|call| is_asked(call.span)) => false,
        CallRef::Tool(index) => {
            let words = context.features.calls.get(index).map(|call| &call.words);
            words.is_some_and(|words| words.sends || words.changes || words.destroys || !words.reads)
        }
        CallRef::Host(index) => {
            let sink = context.subject.host_calls.get(index).and_then(|call| api(&call.api)?.sink);
            // Which of a few commands runs that are written out: what those do is judged where they stand.
            sink.is_some_and(|sink| sink != SinkKind::Command || Strength::Bit < flow.strength)
        }
    };
    context.subject.flows.iter().filter(of_model).any(acts)
}

/// What runs a graph of agents and tools that the script makes.
const GRAPH: &str = "langchain:run_agent";
/// What the parameters of tools that a model calls are named.
const MODEL: &str = "what a model passes";

fn obeyed(context: &Context<'_>) -> Vec<Match> {
    let is_writing = writes_to_anybody(context);
    let acts_for_model = LazyCell::new(|| acts_for_model(context));
    arrivals(context, SinkKind::Prompt, "is handed over as instructions", |passage, reach, flow| {
        let read = &passage.read;
        let call = flow.sink.tool().and_then(|index| context.subject.calls.get(index));
        let means = call.map(|call| means(&call.argument)).or_else(|| means_of_host(context, flow)).unwrap_or_default();
        let acts = Tag::Acting.has_any(words(&reach.name));
        // A library of agents runs one with what its options say; a model by itself does nothing.
        let is_of_library = reach.api.is_some() || words(&reach.name).iter().any(|word| word == "llm");
        let last = flow.argument.rsplit('.').find(|key| *key != "[]" && !key.is_empty()).unwrap_or_default();
        let mut around = flow.argument.split('.').take_while(|key| *key != SYSTEM).filter(|key| key.parse::<usize>().is_err());
        let is_message = around.next().is_some();
        // What another host says an agent of a library obeys, if it stands under such a key.
        let is_said_elsewhere = read.kind == OriginKind::Network && reach.api.is_some() && Tag::ObeyedKey.has(&joined(last));
        let is_of_system = is_said_elsewhere || flow.argument.split('.').any(|key| key == SYSTEM);
        // What is attached is no task, whatever the keys in it are called, unless one of these is.
        let is_task = Tag::TaskKey.has(&joined(last)) || Tag::ObeyedKey.has(&joined(last));
        // What is no task tells an agent nothing that could do something.
        let is_agent = (is_task || means.is_unasked || !means.has_none)
            && if is_of_library { acts && means.is_unasked } else { acts || means.is_unasked };
        let is_of_material = |key: &str| words(key).last().is_some_and(|last| Tag::Material.has(last));
        let is_attached = !is_task && !means.is_unasked && flow.argument.split('.').any(is_of_material);
        let is_material = is_of_material(last) || is_attached;
        let is_own =
            context.subject.origins.get(flow.origin).is_some_and(|origin| {
                tool_in(&origin.name, context.house).does(SinkKind::Prompt) || Tag::OwnText.has_any(words(&origin.name))
            });
        let is_whole = written_at(context, flow) == Written::Nothing;
        // What strangers wrote into the house's own tables is theirs all the same.
        let is_of_strangers = is_of_system
            && read.kind == OriginKind::Tool
            && flow.strength == Strength::Whole
            && holds_text(flow)
            && origin_call(context, flow).is_some_and(|call| names_strangers(&call.argument));
        if is_of_strangers && !read.is_untrusted {
            return Some(if is_whole || means.is_unasked {
                (Severity::Critical, Action::Block)
            } else {
                (Severity::High, Action::Confirm)
            });
        }
        let is_text = read.kind == OriginKind::Tool && holds_text(flow) || read.kind == OriginKind::Network && !read.is_harmless;
        if read.is_untrusted && is_text && flow.strength == Strength::Whole && reach.api.is_some() && is_writing {
            return Some((Severity::Critical, Action::Block));
        }
        // A summary of a page is what models are for; an agent with means does what it reads.
        if read.is_harmless || !is_agent && !is_of_system || tool_in(&reach.name, context.house).reads && !read.is_untrusted {
            return read.is_untrusted.then_some((Severity::Low, Action::Log));
        }
        if reach.name == GRAPH && !is_of_system && !(read.is_untrusted && *acts_for_model) {
            return Some((Severity::Low, Action::Log));
        }
        match (read.is_untrusted, is_whole) {
            // What a person asks an agent is what it is there for.
            (true, _) if is_material || read.kind == OriginKind::Incoming && !means.is_unasked => Some((Severity::Low, Action::Log)),
            (true, true) => Some((Severity::Critical, Action::Block)),
            (true, false) if means.is_unasked && is_of_system && flow.strength == Strength::Whole => {
                Some((Severity::Critical, Action::Block))
            }
            (true, false) if means.is_free && flow.strength == Strength::Whole => Some((Severity::Critical, Action::Block)),
            (true, false) if means.is_unasked => Some((Severity::High, Action::Confirm)),
            (true, false) => Some((Severity::Medium, Action::Warn)),
            // What a service of one's own keeps for the messages of a model is its owner's text.
            (false, _) if is_material || is_own || is_message && !is_agent || read.kind != OriginKind::Tool => {
                Some((Severity::Low, Action::Log))
            }
            // A field of the house's own records, beside a task that is written out.
            (false, _)
                if !means.is_unasked && !is_task && flow.argument.contains('.') && call.is_some_and(|call| is_told(&call.argument)) =>
            {
                Some((Severity::Low, Action::Log))
            }
            (false, true) if means.is_unasked => Some((Severity::Critical, Action::Block)),
            (false, true) => Some((Severity::Medium, Action::Warn)),
            (false, false) => Some((Severity::Low, Action::Log)),
        }
    })
}

/// Returns true if and only if what an agent is to do is written out.
fn is_told(argument: &Value) -> bool {
    let mut is_told = false;
    argument.visit_properties(&mut |property| {
        let key = joined(&property.key);
        is_told |=
            (Tag::ObeyedKey.has(&key) || Tag::TaskKey.has(&key)) && matches!(&property.value, Value::String(text, _) if text.contains(' '));
    });
    is_told
}

/// What an agent may do.
#[derive(Clone, Copy, Debug, Default)]
struct Means {
    /// It acts without asking anybody, or with more than it needs.
    is_unasked: bool,
    /// It is given no tools.
    has_none: bool,
    /// It acts without asking anybody, with tools that do harm in wrong hands.
    is_free: bool,
}

/// What an agent may do that a library starts.
fn means_of_host(context: &Context<'_>, flow: &Flow) -> Option<Means> {
    let CallRef::Host(index) = flow.sink else { return None };
    let call = context.subject.host_calls.get(index)?;
    let is_unasked = call.arguments.iter().any(acts_unasked);
    Some(Means { is_unasked, has_none: false, is_free: is_unasked && call.arguments.iter().any(is_given_power) })
}

/// Returns true if and only if an agent is given tools that do harm in wrong hands.
fn is_given_power(argument: &Value) -> bool {
    let mut found = false;
    argument.visit_properties(&mut |property| found |= Tag::CapabilityKey.has(&joined(&property.key)) && has_power(&property.value));
    found
}

/// Returns true if and only if a switch says that an agent acts without asking anybody.
fn acts_unasked(argument: &Value) -> bool {
    let mut is_unasked = false;
    argument.visit_properties(&mut |property| {
        let key = joined(&property.key);
        is_unasked |= Tag::UnattendedSwitch.has(&key) && is_yes(&property.value) || Tag::AskingSwitch.has(&key) && is_no(&property.value);
        is_unasked |= key == "permissionmode" && text(&property.value) == Some("bypassPermissions");
    });
    is_unasked
}

fn means(argument: &Value) -> Means {
    let mut means = Means::default();
    argument.visit_properties(&mut |property| {
        let value = &property.value;
        let is_empty = matches!(value, Value::Array(tools, _) if tools.is_empty());
        means.has_none |= is_empty && matches!(joined(&property.key).as_str(), "tools" | "allowedtools");
        means.is_unasked |= match joined(&property.key).as_str() {
            key if Tag::UnattendedSwitch.has(key) => is_yes(value),
            key if Tag::AskingSwitch.has(key) => is_no(value),
            key if Tag::CapabilityKey.has(key) => has_power(value),
            _ => false,
        };
    });
    means
}

/// Returns true if and only if a value names means that do harm in wrong hands.
fn has_power(value: &Value) -> bool {
    let mut found = false;
    value.visit("", &mut |_, value| {
        if let Value::String(text, _) = value {
            found |= text.contains('*') || Tag::AgentPower.has_any(words(text));
        }
    });
    found
}
