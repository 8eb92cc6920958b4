//! Dialects: what a script is written for, which decides what it may be blamed for.

/// What a script is written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The body of a function that calls tools and runs in a sandbox.
    AgentScript,
    /// A program or module of a host such as Node, to which the host's globals belong.
    #[default]
    Node,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 2] = [Self::AgentScript, Self::Node];

    /// The name used on the command line and in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::AgentScript => "agentscript",
            Self::Node => "node",
        }
    }
}
