//! Known-bad samples: those that are compiled in (`patterns/samples.yaml`), and those of users, in files of the same shape.

use std::collections::HashSet;
use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::model::build::ReadText;
use crate::subject::Kind;
use crate::yaml;

/// A known-bad text, with a harmless one of similar wording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Unique name.
    pub id: String,
    /// Which kind of harm it does.
    pub family: String,
    /// What it is, which decides how it is read.
    pub kind: Kind,
    /// The bad text.
    pub text: String,
    /// A harmless text of similar wording, which no sample may match.
    pub near_miss: Option<String>,
    /// What it does, in one sentence.
    pub why: String,
}

/// A sample as `build.rs` writes it.
struct Written {
    id: &'static str,
    family: &'static str,
    kind: &'static str,
    text: &'static str,
    near_miss: &'static str,
    why: &'static str,
}

static BUILT_IN: &[Written] = include!(concat!(env!("OUT_DIR"), "/samples.rs"));

/// A file of samples.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SampleFile {
    /// The samples.
    pub samples: Vec<SampleItem>,
}

/// One sample of a file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SampleItem {
    /// Unique name, kebab-case.
    pub id: String,
    /// Which kind of harm it does.
    pub family: String,
    /// What it is; a script, if left out.
    #[serde(default)]
    pub kind: SampleKind,
    /// The bad text.
    pub text: String,
    /// A harmless text of similar wording, which no sample may match (`callgate samples test`).
    pub near_miss: Option<String>,
    /// What it does, in one sentence.
    pub why: String,
}

/// What a sample is.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum SampleKind {
    /// Code that an agent runs.
    #[default]
    Script,
    /// A tool call in JSON.
    ToolCall,
    /// What an agent is told.
    Text,
}

impl From<SampleKind> for Kind {
    fn from(kind: SampleKind) -> Self {
        match kind {
            SampleKind::Script => Self::Script,
            SampleKind::ToolCall => Self::ToolCall,
            SampleKind::Text => Self::Text,
        }
    }
}

/// The samples that are compiled in.
pub fn built_in() -> Vec<Sample> {
    let samples = BUILT_IN.iter().map(|written| Sample {
        id: written.id.to_owned(),
        family: written.family.to_owned(),
        kind: Kind::from_name(written.kind).unwrap_or(Kind::Script),
        text: written.text.to_owned(),
        near_miss: Some(written.near_miss.to_owned()),
        why: written.why.to_owned(),
    });
    samples.collect()
}

/// The samples that are compiled in, and those of the files.
///
/// # Errors
///
/// When a file cannot be read or has faults, or an id stands twice.
pub fn all<'p>(files: impl Iterator<Item = &'p Path>, open: ReadText<'_>) -> Result<Vec<Sample>, String> {
    let mut samples = built_in();
    for file in files {
        let text = open(file).map_err(|error| format!("cannot read the samples in {}: {error}", file.display()))?;
        samples.extend(read(&text, file)?);
    }
    let mut seen = HashSet::new();
    match samples.iter().find(|sample| !seen.insert(sample.id.as_str())) {
        Some(twice) => Err(format!("the sample `{}` stands twice; give each an id of its own", twice.id)),
        None => Ok(samples),
    }
}

fn read(text: &str, file: &Path) -> Result<Vec<Sample>, String> {
    let file: SampleFile = yaml::read(text).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(|fault| format!("{}:{fault}", file.display())).collect();
        format!("the samples have faults: {}", faults.join("; "))
    })?;
    let samples = file.samples.into_iter().map(|SampleItem { id, family, kind, text, near_miss, why }| Sample {
        id,
        family,
        kind: kind.into(),
        text,
        near_miss,
        why,
    });
    Ok(samples.collect())
}

/// A checksum of all that an index is made of.
pub fn digest(samples: &[Sample]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for sample in samples {
        for text in [&sample.id, sample.kind.name(), &sample.text, sample.near_miss.as_deref().unwrap_or_default()] {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text);
        }
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_samples_of_all_families_and_each_says_why() {
        let samples = built_in();
        assert!(150 <= samples.len(), "{}", samples.len());
        let families: HashSet<&str> = samples.iter().map(|sample| sample.family.as_str()).collect();
        assert!(15 <= families.len(), "{families:?}");
        for sample in &samples {
            assert!(sample.why.ends_with('.') && Kind::from_name(sample.kind.name()).is_some(), "{}", sample.id);
            assert!(sample.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'), "{}", sample.id);
        }
        assert!(BUILT_IN.iter().all(|written| Kind::from_name(written.kind).is_some()));
    }

    #[test]
    fn faults_of_files_are_told_with_their_place() {
        let file = Path::new("mine.yaml");
        for (text, expected) in [
            ("samples:\n  - id: a\n    family: f\n    text: t\n", "mine.yaml:2:5: `why` is missing"),
            ("samples:\n  - id: a\n    family: f\n    kind: prose\n    text: t\n    why: w\n", "mine.yaml:4:11"),
            ("sample: []\n", "mine.yaml:1:1"),
        ] {
            let error = read(text, file).expect_err(expected);
            assert!(error.contains(expected), "{error} is not: {expected}");
        }
        let read = read("samples:\n  - id: a\n    family: f\n    text: t\n    why: w\n", file).expect("it is right");
        assert_eq!((read[0].kind, read[0].near_miss.as_deref()), (Kind::Script, None));
    }
}
