//! What single words of the command line may be.

use clap::builder::TypedValueParser as _;

use crate::cli::host::registry as hosts;
use crate::format::Language;
use crate::model::registry::MODELS;
use crate::value::severity::Severity;
use crate::value::verdict::Verdict;

/// The name of a language.
pub fn language() -> impl clap::builder::TypedValueParser<Value = Language> {
    clap::builder::PossibleValuesParser::new(Language::ALL.map(Language::name))
        .map(|name| Language::from_name(&name).unwrap_or(Language::JavaScript))
}

/// The name of a verdict.
pub fn verdict() -> impl clap::builder::TypedValueParser<Value = Verdict> {
    clap::builder::PossibleValuesParser::new(Verdict::ALL.map(Verdict::name))
        .map(|name| Verdict::from_name(&name).unwrap_or(Verdict::Block))
}

/// The name of a severity.
pub fn severity() -> impl clap::builder::TypedValueParser<Value = Severity> {
    clap::builder::PossibleValuesParser::new(Severity::ALL.map(Severity::name))
        .map(|name| Severity::from_name(&name).unwrap_or(Severity::Low))
}

/// The name of an agent host.
pub fn host() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(hosts::names())
}

/// The name of a model.
pub fn model() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(MODELS.iter().map(|model| model.name))
}

/// A score from 0 to 100.
///
/// # Errors
///
/// When it is none.
pub fn score(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(score) if (0.0..=100.0).contains(&score) => Ok(score),
        Ok(_) | Err(_) => Err("a score is a number from 0 to 100".to_owned()),
    }
}

/// A share in percent, with or without its sign.
///
/// # Errors
///
/// When it is none.
pub fn percent(text: &str) -> Result<f64, String> {
    score(text.trim_end_matches('%')).map_err(|_| "a share is a number from 0 to 100".to_owned())
}

/// A rate from 0 to less than 1.
///
/// # Errors
///
/// When it is none.
pub fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        // Adding 0.0 turns -0.0 into 0.0.
        Ok(rate) if (0.0..1.0).contains(&rate) => Ok(rate + 0.0),
        Ok(_) | Err(_) => Err("a rate is a number from 0 to less than 1, such as 0.01".to_owned()),
    }
}
