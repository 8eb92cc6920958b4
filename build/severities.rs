//! How bad effects are: the rows of `knowledge/effects.yaml`.

use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::variant::{EFFECTS, EXTENTS, REACHES, SENSITIVITIES, SEVERITIES, SIDES, path, variants};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Severity {
    does: String,
    #[serde(default)]
    to: Vec<String>,
    #[serde(default)]
    reaches: Vec<String>,
    #[serde(default)]
    extent: Vec<String>,
    #[serde(default)]
    place: Vec<String>,
    #[serde(default)]
    sensitivity: Vec<String>,
    severity: String,
}

/// Writes the table.
pub fn write(rows: &[Severity], out: &Path) -> io::Result<()> {
    let rows: Vec<String> = rows.iter().map(severity).collect::<io::Result<_>>()?;
    fs::write(out.join("severities.rs"), format!("&[\n    {}]\n", rows.join(",\n    ")))
}

fn severity(row: &Severity) -> io::Result<String> {
    let Severity { does, to, reaches, extent, place, sensitivity, severity } = row;
    let severity = if severity == "none" { "None".to_owned() } else { format!("Some({})", path("Severity", severity, SEVERITIES)?) };
    Ok(format!(
        "SeverityRow {{ kind: {}, objects: &{to:?}, reaches: {}, extents: {}, places: {}, sensitivities: {}, severity: {severity} }}",
        path("EffectKind", does, EFFECTS)?,
        variants("Reach", reaches, REACHES)?,
        variants("Extent", extent, EXTENTS)?,
        variants("Side", place, SIDES)?,
        variants("Sensitivity", sensitivity, SENSITIVITIES)?,
    ))
}
