//! What a model says of its settings, and what it is built with.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::model::Model;
use crate::yaml;

/// Settings of a model. Their type is the only description of what may be set: keys, kinds of values and ranges are read from it.
pub trait Settings {
    /// The names of the models that it is made of.
    fn parts(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The files that a run reads for it, relative to the settings.
    fn files(&self) -> &[PathBuf] {
        &[]
    }

    /// Whether they may name files or servers: only who sets up the gate may.
    fn may_name_places(&self) -> bool {
        false
    }

    /// Everything here that makes the gate milder than its defaults, as `key: value`.
    fn loosened(&self) -> Vec<String> {
        Vec::new()
    }

    /// The same settings without what makes the gate milder than its defaults; all as usual, where one cannot be had without the other.
    fn tightened(&self) -> Self
    where
        Self: Sized + Clone + Default,
    {
        if self.loosened().is_empty() { self.clone() } else { Self::default() }
    }

    /// What the type allows and what all the same cannot be meant.
    fn faults(&self) -> Vec<BuildError> {
        Vec::new()
    }

    /// Names that name nothing in this run.
    fn unknown(&self, known: &Known<'_>) -> Vec<BuildError> {
        let _ = known;
        Vec::new()
    }
}

/// What settings may name.
pub struct Known<'k> {
    /// The categories of all rules.
    pub categories: BTreeSet<&'k str>,
}

impl Known<'_> {
    /// What is wrong with a name that is neither a category of any rule nor one of these.
    pub fn no_category(&self, name: &str, further: &[&str]) -> Option<BuildError> {
        let mut all = self.categories.iter().chain(further).copied();
        if all.clone().any(|known| known == name) {
            return None;
        }
        let hint = yaml::nearest(name, &mut all);
        Some(BuildError { word: name.to_owned(), message: format!("no rule is of a category `{name}`{hint}") })
    }
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

/// All models with their settings, to make one of.
pub trait Table {
    /// The names of all models.
    fn names(&self) -> Vec<&'static str>;

    /// Makes the model of that name, if there is one.
    fn make(&self, name: &str, builder: &mut Builder<'_>) -> Option<Result<Box<dyn Model>, BuildError>>;
}

/// Reads the text of a file.
pub type ReadText<'r> = &'r dyn Fn(&Path) -> std::io::Result<String>;

/// Builds models from their settings, and from what a run gives them beside.
pub struct Builder<'s> {
    /// All models with their settings.
    table: &'s dyn Table,
    /// The folder to which paths in the settings are relative.
    pub folder: PathBuf,
    /// The user named the settings; else they were found, and may be anybody's.
    pub is_explicit: bool,
    /// The settings name programs that judge.
    pub has_programs: bool,
    /// The points of the rules of analyzers, by id, in the order of the settings.
    pub points: Vec<(String, f64)>,
    /// Files of further samples.
    pub samples: Vec<PathBuf>,
    /// Reads the files of samples.
    pub read: ReadText<'s>,
    /// What the environment holds by a name; nothing, unless it is given.
    pub environment: &'s dyn Fn(&str) -> Option<String>,
    /// The models that are being built, the outermost first: none of them may be a part of itself.
    outer: Vec<String>,
}

impl<'s> Builder<'s> {
    /// A builder of the models of a table.
    pub fn new(table: &'s dyn Table) -> Self {
        Self {
            table,
            folder: PathBuf::new(),
            is_explicit: false,
            has_programs: false,
            points: Vec::new(),
            samples: Vec::new(),
            read: &|path| std::fs::read_to_string(path),
            environment: &|_| None,
            outer: Vec::new(),
        }
    }

    /// Builds the model of that name, with the models that it is made of.
    ///
    /// # Errors
    ///
    /// When there is no such model, it is a part of itself, or its settings are wrong.
    pub fn build(&mut self, name: &str) -> Result<Box<dyn Model>, BuildError> {
        let fault = |message: String| BuildError { word: name.to_owned(), message };
        if self.outer.iter().any(|outer| outer == name) {
            return Err(fault(format!("the model `{name}` is made of itself: {} → {name}", self.outer.join(" → "))));
        }
        self.outer.push(name.to_owned());
        let table = self.table;
        let built = table.make(name, self);
        self.outer.pop();
        let hint = || yaml::nearest(name, table.names().into_iter());
        built.unwrap_or_else(|| Err(fault(format!("there is no model `{name}`{}", hint()))))
    }
}
