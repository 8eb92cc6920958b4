//! Which subjects an analyzer looks at.

use crate::subject::{Kind, Lifecycle};

/// The subjects that an analyzer looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Their kinds; all, if empty.
    pub kinds: Vec<Kind>,
    /// When in an agent's life they are seen; always, if empty.
    pub applies_to: Vec<Lifecycle>,
}

impl Scope {
    /// Whether it looks at such a subject.
    pub fn holds(&self, kind: Kind, lifecycle: Lifecycle) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind)) && (self.applies_to.is_empty() || self.applies_to.contains(&lifecycle))
    }
}
