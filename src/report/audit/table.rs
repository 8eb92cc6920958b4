//! Audits of tools for people: a few lines a tool, the counts last.

use std::io;

use crate::finding::audit::{Audit, AuditedTool};
use crate::finding::hide::Hidden;
use crate::knowledge::effect::{Effect, EffectKind, Extent};
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
    // Only a name that no shell reads as more than a word stands in a line that people copy.
    let is_word = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | ':' | '.' | '/');
    let is_plain = |name: &str| name.starts_with(|first: char| first.is_ascii_alphanumeric()) && name.chars().all(is_word);
    let unknown = audit.tools.iter().filter(|tool| tool.manifest.is_some() && !tool.is_told);
    if let Some(unknown) = unknown.map(|tool| &tool.name).find(|name| is_plain(name)) {
        writeln!(writer, "callgate tools --guess {unknown} shows the row that says what such a tool does")?;
    }
    Ok(())
}

fn write_tool(tool: &AuditedTool, writer: &mut dyn io::Write) -> io::Result<()> {
    let title = tool.title.as_deref().map(|title| format!(" ({})", shown(title))).unwrap_or_default();
    writeln!(writer, "  {}{title}", shown(&tool.name))?;
    if tool.effects.is_empty() {
        writeln!(writer, "    nothing that {}", if tool.is_told { "matters" } else { "is known" })?;
    }
    tool.effects.iter().try_for_each(|effect| writeln!(writer, "    {}", line(effect)))?;
    tool.disagreements.iter().try_for_each(|sentence| writeln!(writer, "    disagreement: {}", shown(sentence)))?;
    for found in &tool.found {
        let (rule, severity, line, column) = (&found.rule, found.severity.name(), found.line, found.column);
        writeln!(writer, "    {} at {line}:{column}: {} ({rule}, {severity})", tool.verdict.name(), shown(&found.message))?;
    }
    let Some(row) = &tool.row else { return Ok(()) };
    writeln!(writer, "\n  Where that is wrong, say what it does, in callgate.yaml of this folder or of one above it:\n")?;
    row.lines().try_for_each(|line| writeln!(writer, "    {}", shown(line)))?;
    writeln!(
        writer,
        "\n  A row is believed before all else: the same guess says `settings` then. Its name is the one that findings show;"
    )?;
    writeln!(writer, "  a star stands for any part of it (\"crm:*\"). What its words mean:\n")?;
    EffectKind::ALL.iter().try_for_each(|kind| writeln!(writer, "    {:<10}{}", kind.name(), kind.meaning()))
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
