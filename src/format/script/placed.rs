//! Texts of a script that it writes where others read them, agents among them: tickets, pages, messages, mails.

use memchr::memmem;

use crate::knowledge::api::SinkKind;
use crate::knowledge::tool::{ToolProfile, tool};
use crate::language::schedule::of_schedule;
use crate::subject::call::{Call, Value};
use crate::subject::segment::{Role, Segment};
use crate::value::span::Span;

/// Shorter texts order nobody to do anything, in bytes.
const SHORTEST: usize = 24;
/// So much of what a script writes is kept, in bytes.
const KEPT: usize = 1 << 16;

/// The commands in texts of a script that stand behind times at which they start.
pub(super) fn schedules(segments: &[Segment], source: &str) -> Vec<String> {
    let is_text = |segment: &&Segment| matches!(segment.role, Role::String | Role::Folded);
    let lines = segments.iter().filter(is_text).flat_map(|segment| segment.text(source).lines());
    lines.filter_map(of_schedule).map(str::to_owned).collect()
}

/// Where the texts stand that calls of a script write where others read them, in order of place.
pub(super) fn placed(calls: &[Call], segments: &[Segment], source: &str) -> Vec<Span> {
    let mut written = String::new();
    for call in calls.iter().filter(|call| is_read_by_others(&tool(call.tool.name().unwrap_or_default()))) {
        call.argument.visit("", &mut |_, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value
                && SHORTEST <= text.len()
                && written.len() + text.len() < KEPT
            {
                written.push_str(text);
                written.push('\n');
            }
        });
    }
    if written.is_empty() {
        return Vec::new();
    }
    let is_text = |segment: &&Segment| matches!(segment.role, Role::String | Role::Folded);
    let is_written = |segment: &&Segment| {
        let text = segment.text(source);
        SHORTEST <= text.len() && memmem::find(written.as_bytes(), text.as_bytes()).is_some()
    };
    segments.iter().filter(is_text).filter(is_written).map(|segment| segment.span).collect()
}

/// Returns true if and only if others read what a tool is given to write.
fn is_read_by_others(tool: &ToolProfile) -> bool {
    tool.writes || [SinkKind::Chat, SinkKind::Mail, SinkKind::Publish].into_iter().any(|sink| tool.does(sink))
}
