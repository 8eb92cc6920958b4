//! Audits of tools for machines: one document, or a line a tool.

use std::io;

use serde_json::{Value, json};

use crate::finding::audit::{Audit, AuditedTool, FoundText};
use crate::finding::hide::Hidden;
use crate::knowledge::effect::Effect;
use crate::report::Style;
use crate::report::json::escaped::{write_line, write_pretty};

/// Version of the schema of the document; grows when a field changes its meaning or goes away.
const SCHEMA_VERSION: u32 = 1;
/// The JSON schema of the document.
pub const SCHEMA: &str = include_str!("schema.json");

/// Writes an audit as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write(audit: Hidden<'_, Audit>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let document = json!({
        "schema_version": SCHEMA_VERSION,
        "tool": { "name": "callgate", "version": env!("CARGO_PKG_VERSION") },
        "verdict": audit.verdict.name(),
        "tools": audit.tools.iter().map(tool).collect::<Vec<_>>(),
    });
    write_pretty(&document, writer)
}

/// Writes an audit as one line a tool.
///
/// # Errors
///
/// When the writer fails.
pub fn write_lines(audit: Hidden<'_, Audit>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    audit.tools.iter().try_for_each(|audited| write_line(&tool(audited), writer))
}

fn tool(audited: &AuditedTool) -> Value {
    json!({
        "path": audited.manifest.as_ref().map(|name| name.as_text()),
        "name": audited.name,
        "title": audited.title,
        "effects": audited.effects.iter().map(effect).collect::<Vec<_>>(),
        "disagreements": audited.disagreements,
        "poisoned": audited.is_poisoned(),
        "verdict": audited.verdict.name(),
        "matches": audited.found.iter().map(found).collect::<Vec<_>>(),
        "row": audited.row,
    })
}

fn effect(effect: &Effect) -> Value {
    json!({
        "effect": effect.kind.name(),
        "object": effect.object,
        "extent": effect.extent.name(),
        "said": effect.said.name(),
        "because": effect.because,
    })
}

fn found(found: &FoundText) -> Value {
    json!({
        "rule": found.rule,
        "severity": found.severity.name(),
        "line": found.line,
        "column": found.column,
        "message": found.message,
    })
}
