//! Readers: how each kind of source becomes subjects.

pub mod fence;
pub mod registry;
pub mod script;
pub mod text;
pub mod tool_call;
pub mod unread;

use crate::subject::dialect::Dialect;
use crate::value::limits::Limits;

/// What a reader may do and what the user told it.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Bounds on one source.
    pub limits: Limits,
    /// Names of functions that call a tool, beside the built-in ones: `name` or `object.name`.
    pub calls: Vec<String>,
    /// What every script is written for; told from each script itself, if it is not said.
    pub dialect: Option<Dialect>,
    /// What agents run or obey and no reader exists for yet is undetermined instead of passed over.
    pub strict: bool,
    /// Scripts are read and searched, but where their data goes is not followed. What comes of it is no judgement: only
    /// benchmarks ask for it, to tell what following costs.
    pub unfollowed: bool,
}

/// A language that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// JavaScript, with JSX where it is used.
    JavaScript,
    /// JavaScript with JSX.
    Jsx,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// Tool calls as JSON.
    ToolCall,
    /// Prose, with or without marks for headings and the like.
    Text,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 6] = [Self::JavaScript, Self::Jsx, Self::TypeScript, Self::Tsx, Self::ToolCall, Self::Text];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::JavaScript => "javascript",
            Self::Jsx => "jsx",
            Self::TypeScript => "typescript",
            Self::Tsx => "tsx",
            Self::ToolCall => "tool-call",
            Self::Text => "text",
        }
    }

    /// The language of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.name() == name)
    }
}
