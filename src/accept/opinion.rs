//! What models think of a subject as a whole, as a baseline knows it again.
//!
//! Some models weigh more than findings: how many calls there are, which, and whether in loops. What they think of a file whose
//! findings are all old is old too, as long as the same things lead to it and the file calls nothing else.

use std::collections::BTreeSet;

use crate::subject::Subject;
use crate::value::severity::Severity;
use crate::value::verdict::Verdict;

/// What models warn of or block without a match that says why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opinion {
    /// The models.
    pub models: BTreeSet<String>,
    /// What their scores are made of.
    pub signals: BTreeSet<String>,
}

impl Opinion {
    /// The name under which it is told, in the place of a rule.
    pub fn rule(&self) -> String {
        format!("model/{}", self.models.iter().map(String::as_str).collect::<Vec<_>>().join(","))
    }
}

/// Everything that a subject calls.
pub fn calls(subject: &Subject) -> BTreeSet<&str> {
    let by_tools = subject.calls.iter().map(|call| call.tool.shown());
    by_tools.chain(subject.host_calls.iter().map(|call| call.api.as_str())).collect()
}

/// How bad it is to be answered so.
pub fn severity(verdict: Verdict) -> Severity {
    match verdict {
        Verdict::Allow => Severity::Low,
        Verdict::Warn => Severity::Medium,
        Verdict::Block => Severity::High,
    }
}
