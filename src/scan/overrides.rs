//! Settings that hold for some files only. Of several that fit the last counts, key by key.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::input::walk::Excludes;
use crate::model::Model;
use crate::policy::{Policy, RuleChoice};
use crate::subject::dialect::Dialect;
use crate::value::severity::Severity;
use crate::value::source::SourceName;
use crate::value::verdict::Action;

/// Settings for the files that its globs name.
pub struct Override {
    /// The files.
    pub paths: Excludes,
    /// The folder to which the globs are relative, absolute.
    pub folder: PathBuf,
    /// What is chosen for single rules, by id.
    pub rules: BTreeMap<String, RuleOverride>,
    /// What scripts are written for: told from each itself where it says so.
    pub dialect: Option<Option<Dialect>>,
    /// The score from which to warn.
    pub warn_threshold: Option<f64>,
    /// The score from which to block.
    pub block_threshold: Option<f64>,
    /// The models that judge.
    pub models: Option<Vec<Box<dyn Model>>>,
}

/// What is chosen for a rule; what is not named stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleOverride {
    /// Whether it counts.
    pub enabled: Option<bool>,
    /// How bad its hits are.
    pub severity: Option<Severity>,
    /// What its hits ask for.
    pub action: Option<Action>,
}

impl RuleOverride {
    fn put_on(self, choice: &mut RuleChoice) {
        choice.is_disabled = self.enabled.map_or(choice.is_disabled, |enabled| !enabled);
        choice.severity = self.severity.or(choice.severity);
        choice.action = self.action.or(choice.action);
    }
}

impl Override {
    /// Returns true if and only if it speaks of the file.
    pub(super) fn fits(&self, name: &SourceName) -> bool {
        let whole = std::path::absolute(name.path()).unwrap_or_else(|_| name.path().to_path_buf());
        whole.strip_prefix(&self.folder).is_ok_and(|inside| self.paths.matches(inside))
    }

    /// Chooses in a policy what it says.
    pub(super) fn put_on(&self, policy: &mut Policy) {
        policy.warn_threshold = self.warn_threshold.or(policy.warn_threshold);
        policy.block_threshold = self.block_threshold.or(policy.block_threshold);
        for (id, chosen) in &self.rules {
            chosen.put_on(policy.rules.entry(id.clone()).or_default());
        }
    }
}
