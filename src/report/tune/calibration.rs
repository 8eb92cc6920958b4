//! Calibrations of the hybrid model: for people, or as one document.

use std::io;

use serde_json::{Value, json};

use crate::finding::hide::Hidden;
use crate::model::hybrid::HybridSettings;
use crate::report::Style;
use crate::report::html::text::plain;
use crate::report::json::escaped::write_pretty;
use crate::report::json::explanation::number;
use crate::tune::calibration::{Calibration, Separation, Spread};
use crate::value::severity::Severity;
use crate::value::source::shown;

/// Version of the schema of the document; grows when a field changes its meaning or goes away.
const SCHEMA_VERSION: u32 = 1;
/// The schema of what `write_json` writes.
pub const SCHEMA: &str = include_str!("calibration.json");
/// Of fewer labels of a kind little can be said.
const FEW: u64 = 30;

/// Writes a calibration for people.
///
/// # Errors
///
/// When the writer fails.
pub fn write_table(calibration: Hidden<'_, Calibration>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let calibration = calibration.get();
    let (good, bad) = calibration.labelled;
    writeln!(writer, "{} evaluations, {good} labelled good, {bad} labelled bad\n", calibration.evaluations)?;
    writeln!(writer, "by the settings in force: {}", told(&calibration.settings))?;
    separation(&calibration.before, writer)?;
    match calibration.before.is_apart() {
        Some(true) => writeln!(writer, "critical and high are apart in score space\n")?,
        Some(false) => writeln!(writer, "critical and high are not apart in score space: they overlap\n")?,
        None => writeln!(writer, "whether critical and high are apart cannot be said: one of them was never found\n")?,
    }
    match &calibration.better {
        Some((settings, after)) => {
            writeln!(writer, "best of {} settings: {}", calibration.tried, told(settings))?;
            separation(after, writer)?;
            let apart = if after.is_apart() == Some(true) { "apart" } else { "not wholly apart" };
            writeln!(writer, "critical and high are {apart} by these; --write puts them into callgate.yaml")?;
        }
        None => writeln!(writer, "none of {} other settings parts them better", calibration.tried)?,
    }
    if good.min(bad) < FEW {
        writeln!(writer, "few labels: with less than {FEW} of either, numbers on good and bad are rough guesses (callgate audit label)")?;
    }
    if !calibration.unknown.is_empty() {
        let names: Vec<String> = calibration.unknown.iter().take(10).map(|rule| shown(rule)).collect();
        writeln!(writer, "not counted, as these rules are not known here: {}", names.join(", "))?;
    }
    Ok(())
}

fn told(settings: &HybridSettings) -> String {
    let weights: Vec<String> =
        Severity::ALL.into_iter().rev().map(|severity| format!("{severity} {}", settings.weights.of(severity))).collect();
    format!("{}, each further one × {}", weights.join(", "), settings.diminishing)
}

fn separation(separation: &Separation, writer: &mut dyn io::Write) -> io::Result<()> {
    let severities = separation.severities.iter().map(|(severity, spread)| (severity.name(), Some(*spread)));
    let labels = [("labelled bad", separation.bad), ("labelled good", separation.good)];
    for (name, spread) in severities.chain(labels) {
        let Some(Spread { count, low, median, high }) = spread else { continue };
        let (low, median, high) = (plain(low), plain(median), plain(high));
        writeln!(writer, "  {name:<14}{count:>8}   scores {low:>5} – {high:>5}   median {median:>5}")?;
    }
    let shares = [
        ("a critical one scores higher than a high one", separation.critical_over_high),
        ("a bad one scores higher than a good one", separation.bad_over_good),
    ];
    for (name, share) in shares {
        if let Some(share) = share {
            writeln!(writer, "  {name}: {} % of pairs", plain(share * 100.0))?;
        }
    }
    Ok(())
}

/// Writes a calibration as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write_json(calibration: Hidden<'_, Calibration>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let calibration = calibration.get();
    let (good, bad) = calibration.labelled;
    let better = calibration.better.as_ref();
    let document = json!({
        "schema_version": SCHEMA_VERSION,
        "tool": { "name": "callgate", "version": env!("CARGO_PKG_VERSION") },
        "evaluations": calibration.evaluations,
        "labelled": { "good": good, "bad": bad },
        "unknown_rules": calibration.unknown,
        "before": side(&calibration.settings, &calibration.before),
        "after": better.map(|(settings, separation)| side(settings, separation)),
        "settings_tried": calibration.tried,
    });
    write_pretty(&document, writer)
}

fn side(settings: &HybridSettings, separation: &Separation) -> Value {
    let weights: serde_json::Map<String, Value> =
        Severity::ALL.into_iter().rev().map(|severity| (severity.name().to_owned(), number(settings.weights.of(severity)))).collect();
    let severities: serde_json::Map<String, Value> =
        separation.severities.iter().map(|(severity, spread)| (severity.name().to_owned(), of_spread(spread))).collect();
    json!({
        "weights": weights,
        "diminishing": number(settings.diminishing),
        "is_apart": separation.is_apart(),
        "critical_over_high": separation.critical_over_high.map(number),
        "bad_over_good": separation.bad_over_good.map(number),
        "severities": severities,
        "good": separation.good.as_ref().map(of_spread),
        "bad": separation.bad.as_ref().map(of_spread),
    })
}

fn of_spread(spread: &Spread) -> Value {
    json!({ "count": spread.count, "low": number(spread.low), "median": number(spread.median), "high": number(spread.high) })
}
