//! What users say of their own tools in callgate.yaml, as it is written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::knowledge::effect::{EffectKind, Extent};
use crate::knowledge::house::OwnTool;
use crate::knowledge::own_rows::{kept, kept_list};
use crate::knowledge::row::braces;
use crate::knowledge::row::term::SensitivityTerm;
use crate::knowledge::row::tool::ToolRow;
use crate::knowledge::tool::told_sensitivity;
use crate::knowledge::wildcard::fits;

/// What is said of tools.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Tools {
    /// By name or wildcard.
    ByName(BTreeMap<String, ToolConfig>),
    /// Rows as in `knowledge/tools/`.
    Rows(Vec<ToolRow>),
}

impl Default for Tools {
    fn default() -> Self {
        Self::ByName(BTreeMap::new())
    }
}

/// What is said of a tool.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct ToolConfig {
    /// What it does, and nothing else: one effect or several; `none` where it does nothing that matters.
    pub does: Option<Does>,
    /// What it does it to.
    pub object: Option<String>,
    /// To how much.
    pub extent: Option<Extent>,
    /// What kind of data it returns.
    pub sensitivity: Option<SensitivityTerm>,
    /// `true` if what it is given stays inside, `false` if it leaves.
    pub inside: Option<bool>,
    /// A name that the row fits.
    pub hit: Option<String>,
    /// A name near to it that it does not fit.
    pub miss: Option<String>,
    /// Where this is known from.
    pub source: Option<String>,
}

/// One thing that a tool does, or several.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(untagged)]
pub enum Does {
    /// One.
    One(DoesTerm),
    /// Several.
    Several(Vec<DoesTerm>),
}

/// Something that a tool does.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(untagged)]
pub enum DoesTerm {
    /// An effect.
    Effect(EffectKind),
    /// Another word for one.
    Word(DoesWord),
}

/// Other words for what a tool does.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum DoesWord {
    /// Nothing that matters.
    None,
    /// `read`
    Reads,
    /// `send`
    Sends,
    /// `run`
    Executes,
    /// `delete`
    Deletes,
    /// `none`
    Neutral,
}

impl DoesTerm {
    fn effect(self) -> Option<EffectKind> {
        match self {
            Self::Effect(effect) => Some(effect),
            Self::Word(DoesWord::Reads) => Some(EffectKind::Read),
            Self::Word(DoesWord::Sends) => Some(EffectKind::Send),
            Self::Word(DoesWord::Executes) => Some(EffectKind::Run),
            Self::Word(DoesWord::Deletes) => Some(EffectKind::Delete),
            Self::Word(DoesWord::None | DoesWord::Neutral) => None,
        }
    }
}

impl Does {
    fn effects(&self) -> Vec<EffectKind> {
        let terms = match self {
            Self::One(term) => std::slice::from_ref(term),
            Self::Several(terms) => terms,
        };
        terms.iter().filter_map(|term| term.effect()).collect()
    }
}

/// What is said of the tools of one name or wildcard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidTool {
    /// The name or wildcard.
    pub name: String,
    /// What is said.
    pub own: OwnTool,
    /// The kind of data as it is written.
    pub sensitivity: Option<SensitivityTerm>,
    /// A name that it fits.
    pub hit: Option<String>,
    /// A name that it does not fit.
    pub miss: Option<String>,
}

impl Tools {
    /// All that is said, by name. What is made lives as long as the program.
    pub fn said(&self) -> Vec<SaidTool> {
        let told = |effects: Option<Vec<EffectKind>>,
                    object: Option<&String>,
                    extent: Option<Extent>,
                    sensitivity: Option<SensitivityTerm>,
                    is_inside| {
            let (kind, is_public) = sensitivity.map(told_sensitivity).unwrap_or_default();
            let object = object.map(|object| kept(object));
            OwnTool { effects: effects.map(kept_list), object, extent: extent.unwrap_or_default(), sensitivity: kind, is_public, is_inside }
        };
        match self {
            Self::ByName(tools) => tools
                .iter()
                .map(|(name, tool)| {
                    let ToolConfig { does, object, extent, sensitivity, inside, hit, miss, source: _ } = tool;
                    let own = told(does.as_ref().map(Does::effects), object.as_ref(), *extent, *sensitivity, *inside);
                    SaidTool { name: name.clone(), own, sensitivity: *sensitivity, hit: hit.clone(), miss: miss.clone() }
                })
                .collect(),
            Self::Rows(rows) => rows
                .iter()
                .flat_map(|row| {
                    let ToolRow { names, effects, object, extent, sensitivity, inside, hit, miss, source: _ } = row;
                    let own = told(Some(effects.clone()), object.as_ref(), *extent, *sensitivity, *inside);
                    let said = move |name| SaidTool { name, own, sensitivity: *sensitivity, hit: None, miss: miss.clone() };
                    let mut all: Vec<SaidTool> = names.iter().flat_map(|name| braces(name)).map(said).collect();
                    // The example of a row is one of one of its names.
                    let fitting = hit.as_ref().and_then(|hit| all.iter().position(|said| fits(&said.name, hit))).unwrap_or_default();
                    if let Some(said) = all.get_mut(fitting) {
                        said.hit.clone_from(hit);
                    }
                    all
                })
                .collect(),
        }
    }
}
