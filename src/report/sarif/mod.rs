//! SARIF 2.1.0, as GitHub's code scanning reads it.

mod document;
mod notification;
mod place;
mod result;
pub mod rule;
mod text;
mod uri;

use std::io;

use crate::finding::hide::Hidden;
use crate::finding::{Entry, Report};
use crate::report::Style;
use crate::report::json::escaped;
use crate::report::sarif::document::{
    AutomationDetails, Driver, Invocation, Log, OriginalUriBaseIds, Run, RunProperties, SourceRoot, Text, Tool,
};
use crate::report::sarif::rule::RuleTable;

/// Where the schema is found; the address that GitHub's documentation names.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Where the tool is found.
const HOME: &str = "https://github.com/callgate/callgate";
/// The category under which GitHub keeps the alerts of a run; the part after the last slash would name one run.
const AUTOMATION_ID: &str = "callgate/";
/// What relative names are relative to; no path of the machine, which would differ on every other one.
const SOURCE_ROOT: &str = "The folder in which callgate was run: the root of the repository, if its alerts are to be shown there.";

/// Writes a report as one SARIF document.
///
/// # Errors
///
/// When the writer fails.
pub fn write(report: Hidden<'_, Report>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let report = report.get();
    let rules = RuleTable::new(&report.run.rules, &report.entries);
    let entries: Vec<&Entry> = report.entries.iter().collect();
    let (results, left_out) = result::all(&entries, style.verbose, &rules);
    let version = env!("CARGO_PKG_VERSION");
    let driver = Driver { name: "callgate", version, semantic_version: version, information_uri: HOME, rules: rules.descriptors() };
    let run = Run {
        tool: Tool { driver },
        automation_details: AutomationDetails { id: AUTOMATION_ID },
        original_uri_base_ids: OriginalUriBaseIds { source_root: SourceRoot { description: Text::new(SOURCE_ROOT) } },
        column_kind: "unicodeCodePoints",
        invocations: [Invocation {
            execution_successful: true,
            tool_execution_notifications: notification::all(&report.entries, left_out),
            tool_configuration_notifications: notification::loosened(&report.run.loosened),
        }],
        results,
        properties: RunProperties {
            verdict: report.verdict().name(),
            models: &report.run.models,
            configuration: report.run.configuration.as_deref(),
            loosened: &report.run.loosened,
            pattern_library_version: &report.run.library_version,
            passed_over: report.run.passed_over.iter().map(|(kind, count)| (kind.name(), count)).collect(),
        },
    };
    escaped::write_pretty(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] }, writer)
}
