//! A write to a place from which things start by themselves.

use crate::check::{Check, Context};
use crate::knowledge::SinkKind;
use crate::knowledge::persistence::{Persistence, in_command, of_path};
use crate::knowledge::target::is_file_target;
use crate::knowledge::words::Tag;
use crate::meaning::reaches::value_at;
use crate::rule::Match;
use crate::subject::call::Value;
use crate::subject::flow::CallRef;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::words;

/// The check.
pub const CHECK: Check = Check {
    id: "persistence-write",
    category: "persistence",
    severity: Severity::High,
    action: Action::Confirm,
    why: "What is written where things start by themselves runs again and again, long after the script ended.",
    help: "Leave start-up files, schedules, hooks and keys to people, or have the change reviewed.",
    hit: "await callTool('files:write', { path: '/home/a/.ssh/authorized_keys', content: 'ssh-ed25519 AAAA' });\n",
    miss: "await callTool('files:write', { path: '/home/a/notes/authorized_keys.md', content: 'how keys work' });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let reaches = context.features.ends.reaches.iter();
    let all = reaches.clone();
    all.filter_map(|reach| {
        let mut found: Option<(Persistence, String)> = None;
        let (mut has_payload, mut is_attack, mut enables) = (false, false, false);
        let writes = reach.does(SinkKind::FileWrite);
        let runs = reach.does(SinkKind::Command);
        if !writes && !runs {
            return None;
        }
        let mut look = |is_target: bool, text: &str| {
            let lower = text.to_lowercase();
            is_attack |= !is_target && Tag::Attack.words().any(|part| lower.contains(part));
            enables |= runs && Tag::Enabling.words().any(|part| lower.contains(part));
            has_payload |= !is_target && Tag::Payload.words().any(|payload| text.contains(payload));
            let place = if writes && is_target {
                of_path(text)
            } else if runs {
                in_command(text)
            } else {
                None
            };
            found = found.take().max(place.map(|place| (place, shown(text))));
        };
        match reach.call {
            CallRef::Tool(index) => context.subject.calls.get(index)?.argument.visit("", &mut |key, value| {
                if let Value::String(text, _) | Value::Partial(text, _) = value {
                    look(is_file_target(key), text);
                }
            }),
            CallRef::Host(index) => {
                let call = context.subject.host_calls.get(index)?;
                for path in reach.api.map_or(&[][..], |api| api.target) {
                    if let Some(Value::String(text, _) | Value::Partial(text, _)) = value_at(call, path) {
                        look(true, text);
                    }
                }
                for argument in &call.arguments {
                    argument.visit("", &mut |_, value| {
                        if let Value::String(text, _) | Value::Partial(text, _) = value {
                            look(false, text);
                        }
                    });
                }
            }
        }
        let (place, text) = found?;
        // A unit that is written and enabled in one go is meant to stay.
        let is_started = enables && reaches.clone().any(|other| other.call != reach.call && other.does(SinkKind::FileWrite));
        let (severity, action) = match (place, has_payload || is_attack || is_started) {
            (Persistence::Recipe, _) if !is_attack => return None,
            (Persistence::Recipe | Persistence::Project, _) if is_attack => (Severity::Critical, Action::Block),
            // A commit is looked at before it is run.
            (Persistence::Recipe | Persistence::Project, _) if is_commit(&reach.name) => (Severity::Low, Action::Log),
            (Persistence::Recipe | Persistence::Project, _) => (Severity::Medium, Action::Warn),
            (Persistence::Start | Persistence::Guard, false) => (Severity::High, Action::Confirm),
            (Persistence::Start | Persistence::Guard, true) | (Persistence::Entrance, _) => (Severity::Critical, Action::Block),
        };
        let message = format!("`{}` writes to {}: `{text}`", reach.name, place.words());
        Some(Match::new(context.rule, reach.span).with_severity(severity, action).with_message(message))
    })
    .collect()
}

/// Returns true if and only if what a tool writes becomes a change in a repository.
fn is_commit(tool: &str) -> bool {
    Tag::Reviewed.has_any(words(tool))
}

fn shown(text: &str) -> String {
    text.chars().take(80).map(|character| if character.is_control() { '…' } else { character }).collect()
}
