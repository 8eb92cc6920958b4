//! What an action does to the world: the words in which every check, model and explanation speaks of it.

pub use crate::knowledge::row::term::{EffectKind, Extent};
use crate::value::severity::Severity;

impl EffectKind {
    /// All kinds, in the order in which they are told.
    pub const ALL: &'static [Self] = &[
        Self::Read,
        Self::Write,
        Self::Delete,
        Self::Send,
        Self::Run,
        Self::Grant,
        Self::GuardOff,
        Self::Pay,
        Self::Spend,
        Self::Persist,
        Self::Instruct,
        Self::Control,
        Self::Obtain,
    ];

    /// The name used in `knowledge/` and in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Send => "send",
            Self::Run => "run",
            Self::Grant => "grant",
            Self::GuardOff => "guard-off",
            Self::Pay => "pay",
            Self::Spend => "spend",
            Self::Persist => "persist",
            Self::Instruct => "instruct",
            Self::Control => "control",
            Self::Obtain => "obtain",
        }
    }

    /// The kind of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

impl Extent {
    /// The name used in `knowledge/` and in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Nothing => "nothing",
            Self::One => "one",
            Self::Few => "few",
            Self::Bounded => "bounded",
            Self::Many => "many",
            Self::Unbounded => "unbounded",
            Self::All => "all",
        }
    }
}

/// Who says what an action does. Of several, the highest is believed; a server's own hints only where they make it worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Said {
    /// Words of a name or a description: a guess.
    Words,
    /// A row of `knowledge/` that names it.
    Row,
    /// The manifest of the server that offers it.
    Manifest,
    /// The user's own settings.
    Settings,
}

impl Said {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Row => "row",
            Self::Manifest => "manifest",
            Self::Settings => "settings",
        }
    }

    /// Returns true if and only if nobody says so who must know.
    pub fn is_guess(self) -> bool {
        self == Self::Words
    }
}

/// One thing that an action does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What is done.
    pub kind: EffectKind,
    /// What it is done to, as the row or the words call it: `file`, `mailbox`, `records`.
    pub object: Option<String>,
    /// To how much.
    pub extent: Extent,
    /// Who says so.
    pub said: Said,
    /// The row, word or phrase that tells.
    pub because: String,
    /// How bad it is by itself; none where only its use can be bad.
    pub severity: Option<Severity>,
}
