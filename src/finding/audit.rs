//! What the tools of servers do, as an audit tells it.

use crate::knowledge::effect::Effect;
use crate::value::severity::Severity;
use crate::value::source::SourceName;
use crate::value::verdict::Verdict;

/// The tools of all manifests that were named, in their order.
#[derive(Debug, Default)]
pub struct Audit {
    /// The tools.
    pub tools: Vec<AuditedTool>,
    /// The strictest verdict on the texts of the manifests.
    pub verdict: Verdict,
}

/// One tool.
#[derive(Debug)]
pub struct AuditedTool {
    /// The manifest that defines it; none for a call that is only thought of.
    pub manifest: Option<SourceName>,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it does.
    pub effects: Vec<Effect>,
    /// Some word or row tells what it does, be it nothing.
    pub is_told: bool,
    /// Where those who speak of it contradict each other.
    pub disagreements: Vec<String>,
    /// What its texts deserve.
    pub verdict: Verdict,
    /// What was found in its texts.
    pub found: Vec<FoundText>,
    /// A row for the settings that says what it does; only of a call that is thought of.
    pub row: Option<String>,
}

impl AuditedTool {
    /// Its texts tell an agent what it must not be told.
    pub fn is_poisoned(&self) -> bool {
        Verdict::Allow < self.verdict
    }
}

/// What was found in a text of a tool.
#[derive(Debug)]
pub struct FoundText {
    /// The id of the rule that hit.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// Where it begins, from 1.
    pub line: u32,
    /// Where it begins, from 1.
    pub column: u32,
    /// What it is, in a sentence.
    pub message: String,
}
