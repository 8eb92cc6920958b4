//! A tool that reads what lets somebody in.

use crate::check::{Check, Context};
use crate::knowledge::House;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::severity::severity;
use crate::knowledge::vault::hands_out_login;
use crate::knowledge::words::Tag;
use crate::meaning::command::secret::{asks_login, effects, of_path};
use crate::meaning::tool_kind::{ToolName, runs_commands};
use crate::rule::Match;
use crate::subject::Kind;
use crate::subject::call::{Call, Value};
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::words;

/// The check.
pub const CHECK: Check = Check {
    id: "secret-read",
    category: "sensitive-paths",
    severity: Severity::Critical,
    action: Action::Block,
    why: "What a tool reads stands in the agent's conversation from then on, and goes wherever that goes.",
    help: "Let programs use keys where they lie (an ssh agent, the chain of a cloud's SDK), and leave their content to people.",
    hit: "await callTool('shell:exec', { command: 'cat ~/.ssh/id_rsa' });\n",
    miss: "await callTool('shell:exec', { command: 'ssh -i ~/.ssh/id_rsa build.internal uptime' });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let is_call = context.subject.kind == Kind::ToolCall;
    let found = context.subject.calls.iter().filter_map(|call| {
        let read = of_call(call, is_call, context.house).into_iter().filter_map(|effect| Some((severity(&effect)?, effect)));
        // Of equals the first.
        let (severity, effect) = read.reduce(|worst, own| if worst.0 < own.0 { own } else { worst })?;
        let message = format!("`{}` {}", call.tool.shown(), effect.says);
        Some(context.harm(call.span, severity).with_message(message))
    });
    found.collect()
}

/// What a call reads; a script that names a file may sign in with it, a tool call hands it on.
fn of_call(call: &Call, is_call: bool, house: &House) -> Vec<Effect> {
    let Some(name) = call.tool.name() else { return Vec::new() };
    let tool = ToolName::of(name);
    let runs = runs_commands(name, house);
    let does_else = house.says(name, EffectKind::Read).map_or_else(|| Tag::NotReading.has_any(tool.verb.iter()), |reads| !reads);
    let mut found = Vec::new();
    call.argument.visit("", &mut |key, value| {
        let (Value::String(text, _) | Value::Partial(text, _)) = value else { return };
        let key_words = words(key);
        let has = |any: Tag| any.has_any(key_words.iter());
        if runs && !key_words.iter().any(|word| word == "description")
            || Tag::CommandKey.has(&key_words.concat()) && house.says(name, EffectKind::Run) != Some(false)
        {
            found.extend(effects(text));
        } else if is_call && !has(Tag::SayingKey) && (!does_else || has(Tag::SourceKey)) {
            found.extend(of_whole(text));
        }
    });
    found
}

/// What a text names that is a path or an address and nothing else.
fn of_whole(text: &str) -> Option<Effect> {
    let text = text.trim();
    if text.contains('\n') || 1000 < text.len() {
        return None;
    }
    if hands_out_login(text) && text.contains("://") {
        return Some(asks_login());
    }
    let path = text.strip_prefix("file:").map_or(text, |path| path.strip_prefix("//").unwrap_or(path));
    let is_rooted = path.starts_with(['/', '~', '$', '%']) || path.get(1..3) == Some(":\\");
    let is_path = !path.contains("://") && (is_rooted || !path.contains(char::is_whitespace));
    of_path("reads", path).filter(|_| is_path)
}
