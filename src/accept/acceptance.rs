//! An acceptance, and what may be the matter with one.

/// The name under which what could not be judged is accepted, beside the ids of rules.
pub const UNDETERMINED: &str = "undetermined";

/// Why a finding does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// Where it is written.
    pub basis: Basis,
    /// Why, in the words of whoever accepted it.
    pub reason: String,
    /// Who answers for it, if that is said.
    pub owner: Option<String>,
    /// The last day on which it counts, as `YYYY-MM-DD`, if there is one.
    pub expires: Option<String>,
    /// Where exactly it is written: a file, with the line or the number of the entry.
    pub place: String,
}

/// Where an acceptance is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// In a comment of the file itself.
    Inline,
    /// In the settings.
    Settings,
    /// In a baseline of what stood there before.
    Baseline,
    /// In the revision that the changes are compared with.
    Revision,
}

impl Basis {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Inline, Self::Settings, Self::Baseline, Self::Revision];

    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::Settings => "settings",
            Self::Baseline => "baseline",
            Self::Revision => "revision",
        }
    }

    /// Whether it is a list of what stood there before, rather than what somebody said of a single finding.
    pub fn is_list(self) -> bool {
        match self {
            Self::Inline | Self::Settings => false,
            Self::Baseline | Self::Revision => true,
        }
    }
}

/// Something about an acceptance that its author should know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Remark {
    /// Where it is written.
    pub place: String,
    /// What is the matter with it.
    pub kind: RemarkKind,
    /// What exactly, in a sentence without an end.
    pub detail: String,
}

/// What is the matter with an acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RemarkKind {
    /// Nothing was found that it accepts.
    Unused,
    /// Its last day is over, so it does not count.
    Expired,
    /// It is not written as it must be, so it does not count.
    Faulty,
}

impl RemarkKind {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unused => "unused",
            Self::Expired => "expired",
            Self::Faulty => "faulty",
        }
    }
}
