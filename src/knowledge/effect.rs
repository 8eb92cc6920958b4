//! What an action does to the world: the words in which every check, model and explanation speaks of it.

use crate::knowledge::reach::Reach;
use crate::knowledge::row::term::Side;
pub use crate::knowledge::row::term::{EffectKind, Extent};
use crate::knowledge::sensitivity::Sensitivity;
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

    /// What a tool does that does this, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Read => "gives back what something holds, or how it stands",
            Self::Write => "makes or changes something where it lies",
            Self::Delete => "takes something away, or writes over it for good",
            Self::Send => "hands something to other people or to another place",
            Self::Run => "runs code, a command, a statement, a job or another tool",
            Self::Grant => "gives or takes access: roles, members, keys, signing in",
            Self::GuardOff => "switches off what guards or records",
            Self::Pay => "moves money",
            Self::Spend => "uses up what costs money",
            Self::Persist => "sees to it that something happens again, or later",
            Self::Instruct => "tells an agent or a model what to do",
            Self::Control => "drives a browser, a device, a machine or a service: starts, stops, clicks, scales",
            Self::Obtain => "gets a package or a program in order to use it",
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
    /// How far the paths reach that it is done to, where it is done to paths.
    pub reach: Option<Reach>,
    /// On which side lies what it is done to, or who gets it; none where nothing is said of it.
    pub place: Option<Side>,
    /// What kind of data it is done to, where that is known.
    pub sensitivity: Option<Sensitivity>,
    /// Who says so.
    pub said: Said,
    /// The row, word or phrase that tells.
    pub because: String,
    /// What happens, for people: follows "it"; empty where only the kind is known.
    pub says: String,
    /// How bad its row says that it is; none where the table of effects decides.
    pub severity: Option<Severity>,
}

impl Effect {
    /// What is done to something, as words and arguments tell; `says` follows "it".
    pub fn new(kind: EffectKind, object: &str, says: impl Into<String>) -> Self {
        Self { object: Some(object.to_owned()), says: says.into(), ..Self::told(kind, Said::Words, "") }
    }

    /// What somebody says that is done, and why they are believed.
    pub fn told(kind: EffectKind, said: Said, because: impl Into<String>) -> Self {
        Self {
            kind,
            object: None,
            extent: Extent::Unknown,
            reach: None,
            place: None,
            sensitivity: None,
            said,
            because: because.into(),
            says: String::new(),
            severity: None,
        }
    }

    /// The same to so much.
    #[must_use]
    pub fn to(self, extent: Extent) -> Self {
        Self { extent, ..self }
    }

    /// The same on this side.
    #[must_use]
    pub fn at(self, place: Side) -> Self {
        Self { place: Some(place), ..self }
    }
}
