//! Audits of tools for people: a few lines a tool, the counts last.

use std::io;

use crate::finding::audit::{Audit, AuditedTool};
use crate::finding::hide::Hidden;
use crate::knowledge::effect::{Effect, Extent};
use crate::report::Style;
use crate::value::source::shown;

/// Writes an audit for people.
///
/// # Errors
///
/// When the writer fails.
pub fn write(audit: Hidden<'_, Audit>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let mut manifest = None;
    for tool in &audit.tools {
        if manifest != Some(&tool.manifest) {
            tool.manifest.iter().try_for_each(|name| writeln!(writer, "{}", name.as_shown()))?;
            manifest = Some(&tool.manifest);
        }
        write_tool(tool, writer)?;
    }
    // What is only thought of is not counted.
    if audit.tools.iter().any(|tool| tool.manifest.is_some()) {
        writeln!(writer, "{}", counts(&audit.tools))?;
    }
    Ok(())
}

fn write_tool(tool: &AuditedTool, writer: &mut dyn io::Write) -> io::Result<()> {
    let title = tool.title.as_deref().map(|title| format!(" ({})", shown(title))).unwrap_or_default();
    writeln!(writer, "  {}{title}", shown(&tool.name))?;
    if tool.effects.is_empty() {
        writeln!(writer, "    nothing that is known")?;
    }
    tool.effects.iter().try_for_each(|effect| writeln!(writer, "    {}", line(effect)))?;
    tool.disagreements.iter().try_for_each(|sentence| writeln!(writer, "    disagreement: {}", shown(sentence)))?;
    for found in &tool.found {
        let (rule, severity, line, column) = (&found.rule, found.severity.name(), found.line, found.column);
        writeln!(writer, "    {} at {line}:{column}: {} ({rule}, {severity})", tool.verdict.name(), shown(&found.message))?;
    }
    let Some(row) = &tool.row else { return Ok(()) };
    writeln!(writer, "\n  To say what it does, in callgate.yaml:\n")?;
    row.lines().try_for_each(|line| writeln!(writer, "    {}", shown(line)))
}

/// `delete  message, all (words: …)`
fn line(effect: &Effect) -> String {
    let extent = Some(effect.extent).filter(|extent| *extent != Extent::Unknown).map(Extent::name);
    let object = effect.object.as_deref().map(shown);
    let to: Vec<String> = object.into_iter().chain(extent.map(str::to_owned)).collect();
    let to = if to.is_empty() { String::new() } else { format!("{} ", to.join(", ")) };
    format!("{:<10}{to}({}: {})", effect.kind.name(), effect.said.name(), shown(&effect.because))
}

fn counts(tools: &[AuditedTool]) -> String {
    let disputed = tools.iter().filter(|tool| !tool.disagreements.is_empty()).count();
    let poisoned = tools.iter().filter(|tool| tool.is_poisoned()).count();
    let noun = if tools.len() == 1 { "tool" } else { "tools" };
    format!("{} {noun}, {disputed} with disagreements, {poisoned} poisoned", tools.len())
}
