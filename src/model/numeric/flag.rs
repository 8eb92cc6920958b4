//! What a subject can be flagged for, and what flags it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::rule::Rule;

/// What a subject can be flagged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    /// It tells an agent what to do.
    Injection,
    /// It runs something, or does what a script does.
    Script,
    /// It hides what it says.
    HiddenContent,
    /// It holds a secret, or reaches for one.
    Secret,
    /// It carries a file along.
    Attachment,
    /// It holds HTML that does more than mark up.
    Html,
    /// It holds characters that are not seen.
    Unicode,
    /// It is longer than anybody reads.
    Oversized,
}

impl Flag {
    /// All flags, in the order in which they are added.
    pub const ALL: [Self; 8] =
        [Self::Injection, Self::Script, Self::HiddenContent, Self::Secret, Self::Attachment, Self::Html, Self::Unicode, Self::Oversized];

    /// The published name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Injection => "injection_detected",
            Self::Script => "script_detected",
            Self::HiddenContent => "hidden_content",
            Self::Secret => "secret_detected",
            Self::Attachment => "attachment_blocked",
            Self::Html => "html_detected",
            Self::Unicode => "unicode_suspicious",
            Self::Oversized => "oversized",
        }
    }

    /// The flag of that published name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flag| flag.name() == name)
    }

    /// The published points.
    pub fn points(self) -> f64 {
        match self {
            Self::Injection => 40.0,
            Self::Script => 30.0,
            Self::HiddenContent => 25.0,
            Self::Secret => 20.0,
            Self::Attachment => 15.0,
            Self::Html | Self::Unicode => 10.0,
            Self::Oversized => 5.0,
        }
    }

    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Injection => "It tells an agent what to do",
            Self::Script => "It runs something",
            Self::HiddenContent => "It hides what it says",
            Self::Secret => "It holds a secret or reaches for one",
            Self::Attachment => "It carries a file along",
            Self::Html => "It holds HTML that does more than mark up",
            Self::Unicode => "It holds characters that are not seen",
            Self::Oversized => "It is longer than anybody reads",
        }
    }
}

/// The flag that every rule of a category raises. What a category without a flag finds, upstream has no notion of: it
/// judges mails, which make no calls.
pub(super) const BY_CATEGORY: &[(&str, Option<Flag>)] = &[
    ("prompt-injection", Some(Flag::Injection)),
    ("injection", Some(Flag::Injection)),
    // Upstream counts what asks to send data away among its injections.
    ("exfiltration", Some(Flag::Injection)),
    ("exfiltration-endpoints", Some(Flag::Injection)),
    ("remote-code", Some(Flag::Script)),
    ("destructive-shell", Some(Flag::Script)),
    ("destructive-sql", Some(Flag::Script)),
    ("destruction", Some(Flag::Script)),
    ("persistence", Some(Flag::Script)),
    ("privilege", Some(Flag::Script)),
    ("sandbox", Some(Flag::Script)),
    ("hidden-content", Some(Flag::HiddenContent)),
    ("obfuscation", Some(Flag::HiddenContent)),
    ("disguise", Some(Flag::HiddenContent)),
    ("credentials", Some(Flag::Secret)),
    ("sensitive-paths", Some(Flag::Secret)),
    ("sensitive-data", Some(Flag::Secret)),
    ("personal-data", Some(Flag::Secret)),
    ("fan-out", None),
    ("mass-access", None),
    ("magnitude", None),
    ("money", None),
];

/// The flags of rules that do not raise that of their category.
pub(super) const BY_RULE: &[(&str, &[Flag])] = &[
    ("bidi-control", &[Flag::Unicode]),
    ("zero-width-in-name", &[Flag::Unicode]),
    ("invisible-text-run", &[Flag::HiddenContent, Flag::Unicode]),
    ("tag-characters", &[Flag::HiddenContent, Flag::Unicode]),
    ("invisible-word-break", &[Flag::Unicode]),
    ("bidi-in-text", &[Flag::Unicode]),
    ("look-alike-letters", &[Flag::Unicode]),
    ("terminal-escape-in-text", &[Flag::Unicode]),
    ("hidden-element", &[Flag::HiddenContent, Flag::Html]),
    ("comment-to-assistant", &[Flag::Injection, Flag::HiddenContent, Flag::Html]),
    ("script-element", &[Flag::Script, Flag::Html]),
    ("script-in-markup", &[Flag::Script, Flag::Html]),
    ("attached-program", &[Flag::Attachment]),
];

/// A flag's name.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum FlagName {
    /// 40 points, and 10 for every further rule.
    Injection,
    /// 30 points.
    Script,
    /// 25 points.
    HiddenContent,
    /// 20 points.
    Secret,
    /// 15 points.
    Attachment,
    /// 10 points.
    Html,
    /// 10 points.
    Unicode,
    /// 5 points.
    Oversized,
    /// No points.
    None,
}

impl From<FlagName> for Option<Flag> {
    fn from(name: FlagName) -> Self {
        match name {
            FlagName::Injection => Some(Flag::Injection),
            FlagName::Script => Some(Flag::Script),
            FlagName::HiddenContent => Some(Flag::HiddenContent),
            FlagName::Secret => Some(Flag::Secret),
            FlagName::Attachment => Some(Flag::Attachment),
            FlagName::Html => Some(Flag::Html),
            FlagName::Unicode => Some(Flag::Unicode),
            FlagName::Oversized => Some(Flag::Oversized),
            FlagName::None => None,
        }
    }
}

/// Returns true if and only if it is settled which flag the rules of the category raise, if any.
pub fn knows_category(category: &str) -> bool {
    BY_CATEGORY.iter().any(|(known, _)| *known == category)
}

/// The flags that a hit of a rule raises; none for categories that neither upstream nor the settings know.
pub fn flags_of(rule: &Rule, chosen: &BTreeMap<String, FlagName>) -> Vec<Flag> {
    if let Some(chosen) = chosen.get(rule.category.as_ref()) {
        return Option::from(*chosen).into_iter().collect();
    }
    if let Some((_, flags)) = BY_RULE.iter().find(|(id, _)| *id == rule.id) {
        return flags.to_vec();
    }
    BY_CATEGORY.iter().find(|(category, _)| *category == rule.category).and_then(|(_, flag)| *flag).into_iter().collect()
}
