//! How bad effects are: the rows of `knowledge/effects.yaml`.

use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::knowledge::row::term::{EffectKind, Extent, Reach, SensitivityTerm, SeverityOrNone, Side};
use crate::variant::{fault, some, variants};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Severity {
    does: EffectKind,
    #[serde(default)]
    to: Vec<String>,
    #[serde(default)]
    reaches: Vec<Reach>,
    #[serde(default)]
    extent: Vec<Extent>,
    #[serde(default)]
    place: Vec<Side>,
    #[serde(default)]
    sensitivity: Vec<SensitivityTerm>,
    severity: SeverityOrNone,
}

/// Writes the table.
pub fn write(rows: &[Severity], out: &Path) -> io::Result<()> {
    let rows: Vec<String> = rows.iter().map(severity).collect::<io::Result<_>>()?;
    fs::write(out.join("severities.rs"), format!("&[\n    {}]\n", rows.join(",\n    ")))
}

fn severity(row: &Severity) -> io::Result<String> {
    let Severity { does, to, reaches, extent, place, sensitivity, severity } = row;
    if sensitivity.contains(&SensitivityTerm::Public) {
        return Err(fault(format!("a severity of {does:?} asks for public data, of which no effect speaks")));
    }
    Ok(format!(
        "SeverityRow {{ kind: EffectKind::{does:?}, objects: &{to:?}, reaches: {}, extents: {}, places: {}, sensitivities: {}, severity: {} }}",
        variants("Reach", reaches),
        variants("Extent", extent),
        variants("Side", place),
        variants("Sensitivity", sensitivity),
        some("Severity", Some(severity).filter(|severity| **severity != SeverityOrNone::None)),
    ))
}
