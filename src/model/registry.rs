//! All models: one row each.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::Table;
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

pub use crate::model::build::{BuildError, Builder, Known, Settings};

/// A model, as it stands in the registry.
pub struct ModelEntry {
    /// Unique name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// How it decides: by action or by thresholds on the score.
    pub decides_by: &'static str,
    /// The options of the command line that only models such as this one heed.
    pub heeds: &'static [&'static str],
    /// It is compared with the others without being asked for; those are not that say nothing of a subject, or ask a server.
    pub is_compared: bool,
    /// It judges beside all others where the settings name programs.
    pub joins_programs: bool,
    /// It stands for hearing nobody: where it alone judges, no rule decides either.
    pub is_silent: bool,
    /// Builds it from the settings.
    build: fn(&ModelSettings, &mut Builder<'_>) -> Built,
}

type Built = Result<Box<dyn Model>, BuildError>;

/// What most models are.
const USUAL: ModelEntry = ModelEntry {
    name: "",
    summary: "",
    decides_by: "thresholds",
    heeds: &[],
    is_compared: true,
    joins_programs: false,
    is_silent: false,
    build: |_, _| Err(BuildError { word: String::new(), message: String::new() }),
};

/// The settings of one model.
struct Section<'s> {
    name: &'static str,
    settings: &'s dyn Settings,
    /// Anything in them is not as usual.
    is_set: bool,
}

fn made<S>(build: fn(&S, &mut Builder<'_>) -> Built, settings: &S, builder: &mut Builder<'_>) -> Built {
    build(settings, builder)
}

/// Writes the settings of all models and the table of all models from one row each:
/// `room with Settings as "what they are", |settings, builder| model, { the rest of its entry }`.
macro_rules! models {
    (@settings $all:ident $room:ident $settings:ty) => { &$all.$room };
    (@settings $all:ident $room:ident) => { &() };
    ($($room:ident $(with $settings:ty as $about:literal)?, $build:expr, { $($entry:tt)* })*) => {
        /// The settings of all models.
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
        #[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
        pub struct ModelSettings {
            $($(
                #[doc = $about]
                pub $room: $settings,
            )?)*
        }

        impl ModelSettings {
            /// The same settings without what makes the gate milder than its defaults, as far as each model can tell that apart.
            pub fn tightened(&self) -> Self {
                Self { $($($room: <$settings as Settings>::tightened(&self.$room),)?)* }
            }

            /// The same settings, with those of the usual model from others.
            pub fn beside_usual(&self, others: &Self) -> Self {
                Self { hybrid: others.hybrid, ..self.clone() }
            }

            fn sections(&self) -> Vec<Section<'_>> {
                vec![$($(Section {
                    name: $room::NAME,
                    settings: &self.$room,
                    is_set: self.$room != <$settings>::default(),
                },)?)*]
            }
        }

        /// All models.
        pub const MODELS: &[ModelEntry] = &[$(ModelEntry {
            name: $room::NAME,
            build: |all, builder| {
                let _ = all;
                made($build, models!(@settings all $room $($settings)?), builder)
            },
            $($entry)*
            ..USUAL
        }),*];
    };
}

models! {
    hybrid with HybridSettings as "Settings of the hybrid model.",
    |settings, _| Ok(Box::new(Hybrid::new(*settings))), {
        summary: "The worst severity decides the action; a score with diminishing returns can only make it stricter.",
        decides_by: "action",
    }
    rule_based with RuleBasedSettings as "Settings of the rule-based model.",
    |settings, builder| Ok(Box::new(RuleBased::build(settings, builder))), {
        summary: "Eight rules about tool calls with fixed points, summed up to 100.",
        decides_by: "thresholds",
    }
    five_factor with FiveFactorSettings as "Settings of the five-factor model.",
    |settings, _| Ok(Box::new(FiveFactor::new(settings)?)), {
        summary: "Each call by its name, arguments, description, hints and novelty; the worst decides, and its level names a challenge.",
        decides_by: "action",
        heeds: &["tools"],
    }
    numeric with NumericSettings as "Settings of the numeric model.",
    |settings, _| Ok(Box::new(Numeric::new(settings.clone()))), {
        summary: "Eight flags with fixed points, each counted once, and more for every further kind of injection.",
        decides_by: "action",
    }
    categorical with CategoricalSettings as "Settings of the categorical model.",
    |settings, _| Ok(Box::new(Categorical::new(settings.clone()))), {
        summary: "The worst severity and what the match is about give the action; nothing is added up.",
        decides_by: "action",
    }
    tiered, |(), _| Ok(Box::new(Tiered)), {
        summary: "The worst tier in which anything matched is the score, in four steps.",
        decides_by: "thresholds",
    }
    weighted_category with WeightedCategorySettings as "Settings of the weighted-category model.",
    |settings, _| Ok(Box::new(WeightedCategory::new(*settings))), {
        summary: "Every match adds the weight of its severity, without diminishing returns.",
        decides_by: "thresholds",
    }
    similarity with SimilaritySettings as "Settings of the similarity model.",
    |settings, builder| Ok(Box::new(Similarity::build(settings, builder)?)), {
        summary: "How like it is to known-bad samples, by the meaning of their words; nothing is downloaded.",
        decides_by: "thresholds",
        heeds: &["samples"],
    }
    progressive with ProgressiveSettings as "Settings of the progressive model.",
    |settings, builder| Ok(Box::new(Progressive::build(settings, builder)?)), {
        summary: "A fast model first; from a score on a detailed one too.",
        decides_by: "thresholds",
    }
    composite with CompositeSettings as "Settings of the composite model.",
    |settings, builder| Ok(Box::new(Composite::build(settings, builder)?)), {
        summary: "The weighted mean of other models.",
        decides_by: "thresholds",
    }
    max with MaxSettings as "Settings of the max model.",
    |settings, builder| Ok(Box::new(Max::build(settings, builder)?)), {
        summary: "The highest score of other models.",
        decides_by: "thresholds",
    }
    custom, |(), builder| Ok(Box::new(Custom::build(builder)?)), {
        summary: "The opinions of your own programs, named under `analyzers` in the settings; they always judge.",
        decides_by: "thresholds",
        joins_programs: true,
    }
    classifier with ClassifierSettings as "Settings of the classifier.",
    |settings, builder| Ok(Box::new(Classifier::build(settings, builder)?)), {
        summary: "A calibrated probability of malice from facts, words and meaning, by weights that were trained on labelled texts.",
        decides_by: "thresholds",
    }
    external_api with ExternalApiSettings as "Settings of the external model.",
    |settings, builder| Ok(Box::new(ExternalApi::build(settings, builder)?)), {
        summary: "A service of yours, asked over HTTPS; features are posted, never texts.",
        decides_by: "thresholds",
        heeds: &["tools"], is_compared: false,
    }
    fixed with FixedSettings as "Settings of the fixed model.",
    |settings, _| Ok(Box::new(Fixed::new(*settings))), {
        summary: "One score for everything, to test a set-up or to hold a gate shut.",
        decides_by: "thresholds",
        is_compared: false,
    }
    disabled, |(), _| Ok(Box::new(Disabled)), {
        summary: "No opinion: everything that can be read scores 0 and is allowed.",
        decides_by: "action",
        is_compared: false, is_silent: true,
    }
}

/// The model that judges unless another is chosen.
pub const DEFAULT: &str = hybrid::NAME;

/// The model of that name.
pub fn by_name(name: &str) -> Option<&'static ModelEntry> {
    MODELS.iter().find(|model| model.name == name)
}

/// What can be set of a model: each key, and what it is about.
pub fn settable(name: &str) -> Vec<(String, String)> {
    let schema = serde_json::to_value(yaml::schema::<ModelSettings>()).unwrap_or_default();
    let of_model = &schema["properties"][name];
    let reference = of_model["$ref"].as_str().or(of_model["allOf"][0]["$ref"].as_str());
    let properties = reference.and_then(|path| schema.pointer(path.trim_start_matches('#')));
    let properties = properties.and_then(|settings| settings["properties"].as_object()).into_iter().flatten();
    let about = |property: &serde_json::Value| property["description"].as_str().unwrap_or("").replace('\n', " ");
    properties.map(|(key, property)| (key.clone(), about(property))).collect()
}

impl Table for ModelSettings {
    fn names(&self) -> Vec<&'static str> {
        MODELS.iter().map(|model| model.name).collect()
    }

    fn make(&self, name: &str, builder: &mut Builder<'_>) -> Option<Built> {
        by_name(name).map(|model| (model.build)(self, builder))
    }
}

impl ModelSettings {
    /// All names of models that the settings make others of.
    pub fn part_names(&self) -> Vec<&str> {
        self.sections().into_iter().flat_map(|section| section.settings.parts()).collect()
    }

    /// The names of the models that this one is made of.
    pub fn parts_of(&self, name: &str) -> Vec<&str> {
        self.sections().into_iter().filter(|section| section.name == name).flat_map(|section| section.settings.parts()).collect()
    }

    /// The names of the models of which anything is set.
    pub fn set(&self) -> Vec<&'static str> {
        self.sections().into_iter().filter(|section| section.is_set).map(|section| section.name).collect()
    }

    /// Everything that makes the gate milder than its defaults, as it is written in callgate.yaml.
    pub fn loosened(&self) -> Vec<String> {
        let words = |section: Section<'_>| section.settings.loosened().into_iter().map(move |word| (section.name, word));
        self.sections().into_iter().flat_map(words).map(|(name, word)| format!("model_settings.{name}.{word}")).collect()
    }

    /// The files that a run reads for the models, relative to the settings.
    pub fn files(&self) -> Vec<&Path> {
        self.sections().into_iter().flat_map(|section| section.settings.files()).map(PathBuf::as_path).collect()
    }

    /// The names of the models of which anything is set that may name files or servers.
    pub fn with_places(&self) -> Vec<&'static str> {
        let sections = self.sections().into_iter();
        sections.filter(|section| section.is_set && section.settings.may_name_places()).map(|section| section.name).collect()
    }

    /// The share with which each further match counts where scores have diminishing returns, 0–1.
    pub fn decay(&self) -> f64 {
        self.hybrid.diminishing
    }

    /// What cannot be meant.
    pub fn faults(&self) -> Vec<BuildError> {
        self.sections().into_iter().flat_map(|section| section.settings.faults()).collect()
    }

    /// Names that name nothing in this run.
    pub fn unknown(&self, known: &Known<'_>) -> Vec<BuildError> {
        self.sections().into_iter().flat_map(|section| section.settings.unknown(known)).collect()
    }
}
