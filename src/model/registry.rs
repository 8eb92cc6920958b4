//! All models.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::categorical::{Categorical, CategoricalSettings};
use crate::model::classifier::{Classifier, ClassifierSettings};
use crate::model::composite::{Composite, CompositeSettings};
use crate::model::custom::Custom;
use crate::model::disabled::Disabled;
use crate::model::external_api::{ExternalApi, ExternalApiSettings};
use crate::model::five_factor::FiveFactor;
use crate::model::five_factor::settings::FiveFactorSettings;
use crate::model::fixed::{Fixed, FixedSettings};
use crate::model::hybrid::{Hybrid, HybridSettings};
use crate::model::max::{Max, MaxSettings};
use crate::model::numeric::{Numeric, NumericSettings};
use crate::model::progressive::{Progressive, ProgressiveSettings};
use crate::model::rule_based::{RuleBased, RuleBasedSettings};
use crate::model::similarity::{Similarity, SimilaritySettings};
use crate::model::tiered::Tiered;
use crate::model::weighted_category::{WeightedCategory, WeightedCategorySettings};
use crate::model::{
    Model, categorical, classifier, composite, custom, disabled, external_api, five_factor, fixed, hybrid, max, numeric, progressive,
    rule_based, similarity, tiered, weighted_category,
};
use crate::yaml;

/// The settings of all models.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ModelSettings {
    /// Settings of the hybrid model.
    pub hybrid: HybridSettings,
    /// Settings of the rule-based model.
    pub rule_based: RuleBasedSettings,
    /// Settings of the five-factor model.
    pub five_factor: FiveFactorSettings,
    /// Settings of the numeric model.
    pub numeric: NumericSettings,
    /// Settings of the categorical model.
    pub categorical: CategoricalSettings,
    /// Settings of the weighted-category model.
    pub weighted_category: WeightedCategorySettings,
    /// Settings of the similarity model.
    pub similarity: SimilaritySettings,
    /// Settings of the classifier.
    pub classifier: ClassifierSettings,
    /// Settings of the fixed model.
    pub fixed: FixedSettings,
    /// Settings of the progressive model.
    pub progressive: ProgressiveSettings,
    /// Settings of the composite model.
    pub composite: CompositeSettings,
    /// Settings of the max model.
    pub max: MaxSettings,
    /// Settings of the external model.
    pub external_api: ExternalApiSettings,
}

impl ModelSettings {
    /// All names of models that the settings make others of.
    pub fn part_names(&self) -> impl Iterator<Item = &str> {
        let Self { progressive, composite, max, .. } = self;
        let weighted = composite.parts.iter().map(|part| part.model.as_str());
        [progressive.fast.as_str(), &progressive.detailed].into_iter().chain(weighted).chain(max.parts.iter().map(String::as_str))
    }

    /// The names of the models that this one is made of.
    pub fn parts_of(&self, name: &str) -> impl Iterator<Item = &str> {
        let Self { progressive, composite, max, .. } = self;
        let of_progressive = (name == progressive::NAME).then_some([progressive.fast.as_str(), &progressive.detailed]);
        let of_composite = composite.parts.iter().filter(move |_| name == composite::NAME).map(|part| part.model.as_str());
        let of_max = max.parts.iter().filter(move |_| name == max::NAME).map(String::as_str);
        of_progressive.into_iter().flatten().chain(of_composite).chain(of_max)
    }

    /// The names of the models of which anything is set.
    pub fn set(&self) -> Vec<&'static str> {
        let Self {
            hybrid,
            rule_based,
            five_factor,
            numeric,
            categorical,
            weighted_category,
            similarity,
            classifier,
            fixed,
            progressive,
            composite,
            max,
            external_api,
        } = self;
        let usual = Self::default();
        let all = [
            (hybrid::NAME, *hybrid != usual.hybrid),
            (rule_based::NAME, *rule_based != usual.rule_based),
            (five_factor::NAME, *five_factor != usual.five_factor),
            (numeric::NAME, *numeric != usual.numeric),
            (categorical::NAME, *categorical != usual.categorical),
            (weighted_category::NAME, *weighted_category != usual.weighted_category),
            (similarity::NAME, *similarity != usual.similarity),
            (classifier::NAME, *classifier != usual.classifier),
            (fixed::NAME, *fixed != usual.fixed),
            (progressive::NAME, *progressive != usual.progressive),
            (composite::NAME, *composite != usual.composite),
            (max::NAME, *max != usual.max),
            (external_api::NAME, *external_api != usual.external_api),
        ];
        all.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name).collect()
    }
}

/// A model, as it stands in the registry.
pub struct ModelEntry {
    /// Unique name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// How it decides: by action or by thresholds on the score.
    pub decides_by: &'static str,
    /// Builds it from the settings.
    pub build: fn(&mut Builder<'_>) -> Result<Box<dyn Model>, BuildError>,
}

/// Settings that make no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BuildError {
    /// The word in the settings that is wrong, or the name of the model.
    pub word: String,
    /// What is wrong and what to do about it.
    pub message: String,
}

/// Builds models from their settings.
pub struct Builder<'s> {
    /// The settings of all models.
    pub settings: &'s ModelSettings,
    /// The folder to which paths in the settings are relative.
    pub folder: PathBuf,
    /// The user named the settings; else they were found, and may be anybody's.
    pub is_explicit: bool,
    /// The settings name programs that judge.
    pub has_programs: bool,
    /// What the environment holds by a name; nothing, unless it is given.
    pub environment: &'s dyn Fn(&str) -> Option<String>,
    /// The models that are being built, the outermost first: none of them may be a part of itself.
    outer: Vec<&'static str>,
}

impl<'s> Builder<'s> {
    /// A builder for these settings.
    pub fn new(settings: &'s ModelSettings) -> Self {
        Self { settings, folder: PathBuf::new(), is_explicit: false, has_programs: false, environment: &|_| None, outer: Vec::new() }
    }

    /// Builds the model of that name, with the models that it is made of.
    ///
    /// # Errors
    ///
    /// When there is no such model, it is a part of itself, or its settings are wrong.
    pub fn build(&mut self, name: &str) -> Result<Box<dyn Model>, BuildError> {
        let fault = |message: String| BuildError { word: name.to_owned(), message };
        let Some(entry) = by_name(name) else {
            let hint = yaml::nearest(name, MODELS.iter().map(|model| model.name));
            return Err(fault(format!("there is no model `{name}`{hint}")));
        };
        if self.outer.contains(&entry.name) {
            return Err(fault(format!("the model `{name}` is made of itself: {} → {name}", self.outer.join(" → "))));
        }
        self.outer.push(entry.name);
        let built = (entry.build)(self);
        self.outer.pop();
        built
    }
}

/// The model that judges unless another is chosen.
pub const DEFAULT: &str = hybrid::NAME;

/// All models.
pub const MODELS: &[ModelEntry] = &[
    ModelEntry {
        name: hybrid::NAME,
        summary: "The worst severity decides the action; a score with diminishing returns can only make it stricter.",
        decides_by: "action",
        build: |builder| Ok(Box::new(Hybrid::new(builder.settings.hybrid))),
    },
    ModelEntry {
        name: rule_based::NAME,
        summary: "Eight rules about tool calls with fixed points, summed up to 100.",
        decides_by: "thresholds",
        build: |builder| Ok(Box::new(RuleBased::new(builder.settings.rule_based.clone()))),
    },
    ModelEntry {
        name: five_factor::NAME,
        summary: "Each call by its name, arguments, description, hints and novelty; the worst decides, and its level names a challenge.",
        decides_by: "action",
        build: |builder| Ok(Box::new(FiveFactor::new(&builder.settings.five_factor)?)),
    },
    ModelEntry {
        name: numeric::NAME,
        summary: "Eight flags with fixed points, each counted once, and more for every further kind of injection.",
        decides_by: "action",
        build: |builder| Ok(Box::new(Numeric::new(builder.settings.numeric.clone()))),
    },
    ModelEntry {
        name: categorical::NAME,
        summary: "The worst severity and what the match is about give the action; nothing is added up.",
        decides_by: "action",
        build: |builder| Ok(Box::new(Categorical::new(builder.settings.categorical.clone()))),
    },
    ModelEntry {
        name: tiered::NAME,
        summary: "The worst tier in which anything matched is the score, in four steps.",
        decides_by: "thresholds",
        build: |_| Ok(Box::new(Tiered)),
    },
    ModelEntry {
        name: weighted_category::NAME,
        summary: "Every match adds the weight of its severity, without diminishing returns.",
        decides_by: "thresholds",
        build: |builder| Ok(Box::new(WeightedCategory::new(builder.settings.weighted_category))),
    },
    ModelEntry {
        name: similarity::NAME,
        summary: "How like it is to known-bad samples, by the meaning of their words; nothing is downloaded.",
        decides_by: "thresholds",
        build: |builder| Ok(Box::new(Similarity::build(builder)?)),
    },
    ModelEntry {
        name: progressive::NAME,
        summary: "A fast model first; from a score on a detailed one too.",
        decides_by: "thresholds",
        build: |builder| Ok(Box::new(Progressive::build(builder)?)),
    },
    ModelEntry {
        name: composite::NAME,
        summary: "The weighted mean of other models.",
        decides_by: "thresholds",
        build: |builder| Ok(Box::new(Composite::build(builder)?)),
    },
    ModelEntry {
        name: max::NAME,
        summary: "The highest score of other models.",
        decides_by: "thresholds",
        build: |builder| Ok(Box::new(Max::build(builder)?)),
    },
    ModelEntry {
        name: custom::NAME,
        summary: "The opinions of your own programs, named under `analyzers` in the settings; they always judge.",
        decides_by: "thresholds",
        build: |builder| {
            let message = "the model `custom` needs an analyzer with a `program` in settings that are named with --config";
            let fault = || BuildError { word: custom::NAME.to_owned(), message: message.to_owned() };
            builder.has_programs.then(|| Box::new(Custom) as Box<dyn Model>).ok_or_else(fault)
        },
    },
    ModelEntry {
        name: classifier::NAME,
        summary: "A calibrated probability of malice from facts, words and meaning, by weights that were trained on labelled texts.",
        decides_by: "thresholds",
        build: |builder| Ok(Box::new(Classifier::build(builder)?)),
    },
    ModelEntry {
        name: external_api::NAME,
        summary: "A service of yours, asked over HTTPS; features are posted, never texts.",
        decides_by: "thresholds",
        build: |builder| Ok(Box::new(ExternalApi::build(builder)?)),
    },
    ModelEntry {
        name: fixed::NAME,
        summary: "One score for everything, to test a set-up or to hold a gate shut.",
        decides_by: "thresholds",
        build: |builder| Ok(Box::new(Fixed::new(builder.settings.fixed))),
    },
    ModelEntry {
        name: disabled::NAME,
        summary: "No opinion: everything that can be read scores 0 and is allowed.",
        decides_by: "action",
        build: |_| Ok(Box::new(Disabled)),
    },
];

/// The model of that name.
pub fn by_name(name: &str) -> Option<&'static ModelEntry> {
    MODELS.iter().find(|model| model.name == name)
}
