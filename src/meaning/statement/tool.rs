//! Calls of tools, read as statements: the name of the tool, and what its argument says.

use crate::knowledge::effect::Effect;
use crate::knowledge::statement::{Language, is_spare_word};
use crate::meaning::argument::{is_name, texts};
use crate::meaning::statement::proxy::leads_inside;
use crate::meaning::statement::request::{body, tight};
use crate::meaning::statement::{Statement, effects_of};
use crate::meaning::tool_kind::{AGENT_TOOLS, ToolName};
use crate::subject::call::Value;
use crate::value::words::words;

/// What a call of a tool does that rows tell by its name and its argument.
pub fn effects(tool: &ToolName, argument: &Value) -> Vec<Effect> {
    let mut own = named(tool, body(argument));
    own.is_spare = texts(argument).iter().filter(|text| is_name(text.text)).any(|text| is_spare(text.text));
    let inner = inner(tool).map(|inner| Statement { name: inner, ..own.clone() });
    let effects = effects_of(&[own].into_iter().chain(inner).collect::<Vec<_>>());
    if asks_scripted_proxy(tool, argument) { Vec::new() } else { effects }
}

/// Returns true if and only if a browser is told to ask a script for its proxy, and the script leads inside: rows cannot read scripts.
fn asks_scripted_proxy(tool: &ToolName, argument: &Value) -> bool {
    let given = texts(argument);
    let is_scripted = given.iter().any(|text| text.key == "mode" && text.text == "pac_script");
    let is_elsewhere = given.iter().any(|text| text.text.contains("://") || text.key == "host");
    let sets_proxy = tool.verb.iter().map(String::as_str).eq(["set", "proxy"]);
    sets_proxy
        && is_scripted
        && !is_elsewhere
        && given.iter().filter(|text| text.key == "data").all(|text| leads_inside(text.text))
        && given.iter().any(|text| text.key == "data")
}

/// The call that a text writes: `git:push {"remote": "--force"}`.
pub fn read(text: &str) -> Vec<Statement> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut own = named(&ToolName::of(name), tight(rest));
    own.is_spare = is_spare(rest);
    vec![own]
}

fn named(tool: &ToolName, body: String) -> Statement {
    let mut own = Statement::new(Language::Tool, tool.verb.first().map_or("", String::as_str));
    own.name = format!("{}:{}", tool.owner.join("_"), tool.verb.join("_"));
    own.texts = vec![body];
    own
}

/// The name of a tool that is called by the name of its server and its own, put together: `audit:set_retention` of
/// `tools.audit_set_retention` and of `audit_set_retention`.
fn inner(tool: &ToolName) -> Option<String> {
    let [server, rest @ ..] = tool.verb.as_slice() else { return None };
    let is_put_together = tool.owner == [AGENT_TOOLS] && 1 < rest.len() || tool.owner.is_empty() && !rest.is_empty();
    is_put_together.then(|| format!("{server}:{}", rest.join("_")))
}

fn is_spare(text: &str) -> bool {
    words(text).iter().any(|word| is_spare_word(word))
}
