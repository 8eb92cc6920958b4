//! What users say of their own tools, APIs, commands and places in callgate.yaml, and what of it is wrong.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::config::{Config, Loaded, MOST_FAULTS, fault_at};
use crate::cli::failure::Failure;
use crate::cli::own_tools::{SaidTool, ToolConfig, Tools};
use crate::explain::row::{self, OwnToolRow, Row};
use crate::input::manifest;
use crate::knowledge::House;
use crate::knowledge::house::OwnTool;
use crate::knowledge::manifest::Manifest;
use crate::knowledge::own_rows::{OwnRows, UnknownName};
use crate::knowledge::row::tool::ToolRow;
use crate::knowledge::tool::told_sensitivity;
use crate::yaml;

/// What the user says of their own tools and places. Longer names of tools are more exact, and the last that fits counts.
///
/// # Errors
///
/// When a row names a tag or a list that does not exist.
pub fn house(loaded: &Loaded, manifest: Manifest) -> Result<House, Failure> {
    let Loaded { config, path, text, .. } = loaded;
    let mut tools: Vec<(String, OwnTool)> = config.tools.said().into_iter().map(|said| (said.name, said.own)).collect();
    tools.sort_by_key(|(name, _)| (!name.contains('*'), name.len()));
    let rows = rows(config).map_err(|unknown| {
        let faults = unknown.iter().take(MOST_FAULTS).map(|unknown| unknown_name(unknown, text)).collect();
        Failure::Faults { path: path.clone().unwrap_or_default(), text: text.clone(), faults }
    })?;
    Ok(House { tools, trusted: config.trusted.clone(), manifest: Arc::new(manifest), rows, ..House::default() })
}

/// What the files say of tools that the command line names.
///
/// # Errors
///
/// When one cannot be read, or is none.
pub fn manifest(loaded: &Loaded, paths: &[PathBuf]) -> Result<Manifest, Failure> {
    let mut manifest = Manifest::default();
    for path in paths {
        let text = loaded.read_file(path).map_err(|source| Failure::Unreadable { path: path.clone(), source })?;
        manifest::read_into(&mut manifest, &text).map_err(|fault| {
            let fault = yaml::Fault { line: fault.line, column: fault.column, message: fault.message };
            Failure::Manifest { path: path.clone(), text, fault }
        })?;
    }
    Ok(manifest)
}

fn rows(config: &Config) -> Result<OwnRows, Vec<UnknownName>> {
    let words: Vec<_> = config.words.iter().chain(&config.places).cloned().collect();
    OwnRows::of(&config.apis, &config.commands, &words, &config.statements)
}

/// The rows of the settings with their examples.
pub fn rows_of(loaded: &Loaded, house: &House) -> Vec<Row> {
    let file = loaded.path.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
    let tools: Vec<OwnToolRow> =
        loaded.config.tools.said().into_iter().map(|SaidTool { name, hit, miss, .. }| OwnToolRow { name, hit, miss }).collect();
    row::own(&file, house, &tools)
}

fn unknown_name(unknown: &UnknownName, text: &str) -> yaml::Fault {
    let UnknownName { word, kind, known } = unknown;
    let hint = yaml::nearest(word, known.iter().copied());
    let hint = if hint.is_empty() { format!("; it can be {}", yaml::nearest_few(word, known)) } else { hint };
    fault_at(text, word, format!("there is no {kind} `{word}`{hint}"))
}

/// Rows that say nothing, or fit everything.
pub fn faults(config: &Config, text: &str) -> Vec<yaml::Fault> {
    let mut faults: Vec<yaml::Fault> = Vec::new();
    match &config.tools {
        Tools::ByName(tools) => {
            let is_silent = |name: &str, tool: &ToolConfig| {
                let ToolConfig { does, object: _, extent: _, sensitivity, inside, hit: _, miss: _, source: _ } = tool;
                name.trim().is_empty() || does.is_none() && sensitivity.is_none() && inside.is_none()
            };
            faults.extend(tools.iter().filter(|(name, tool)| is_silent(name, tool)).map(|(name, _)| {
                fault_at(text, name, format!("nothing is said of the tool `{name}`; say `does`, `sensitivity` or `inside`"))
            }));
        }
        Tools::Rows(rows) => {
            let is_empty = |row: &&ToolRow| row.names.is_empty() || row.names.iter().any(|name| name.trim().is_empty());
            faults.extend(rows.iter().filter(is_empty).map(|_| fault_at(text, "tools", "a row of `tools` needs `names`".to_owned())));
        }
    }
    faults.extend(config.apis.iter().filter_map(|row| {
        let message = row.fault()?;
        Some(fault_at(text, row.paths.first().map_or("apis", String::as_str), message))
    }));
    faults.extend(config.commands.iter().filter_map(|row| {
        let is_empty = row.of.is_empty() || row.of.iter().any(|program| program.trim().is_empty());
        is_empty.then(|| fault_at(text, "commands", "a row of `commands` needs the programs that it is `of`".to_owned()))
    }));
    for (section, rows) in [("places", &config.places), ("words", &config.words)] {
        faults.extend(
            rows.iter().filter(|row| row.words.is_empty()).map(|_| fault_at(text, section, format!("a row of `{section}` needs `words`"))),
        );
        // What is asked for is in lower case, so another would never be found.
        faults.extend(
            rows.iter()
                .flat_map(|row| &row.words)
                .filter(|word| section == "places" && **word != word.to_lowercase())
                .map(|word| fault_at(text, word, format!("`{word}` must be written in lower case"))),
        );
    }
    faults.truncate(MOST_FAULTS);
    faults
}

/// The rows that make something milder, each as it is told in reports.
pub fn loosened(config: &Config) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for SaidTool { name, own, sensitivity, .. } in config.tools.said() {
        let effects = own.effects.map(|effects| effects.iter().map(|effect| effect.name()).collect::<Vec<_>>().join(", "));
        let does = effects.map(|effects| if effects.is_empty() { "none".to_owned() } else { effects });
        let sensitivity = sensitivity.map(|term| told_sensitivity(term).0.map_or("public", |sensitivity| sensitivity.name()).to_owned());
        let inside = own.is_inside.filter(|is_inside| *is_inside).map(|_| "inside".to_owned());
        words.extend([does, sensitivity, inside].into_iter().flatten().map(|word| format!("tools.{name}: {word}")));
    }
    words.extend(config.apis.iter().flat_map(|row| &row.paths).map(|path| format!("apis: {path}")));
    words.extend(config.commands.iter().map(|row| format!("commands: {}", row.name())));
    words.extend(config.statements.iter().map(|row| format!("statements: {}", row.name())));
    let rows = config.places.iter().map(|row| ("places", row)).chain(config.words.iter().map(|row| ("words", row)));
    words.extend(rows.flat_map(|(section, row)| row.words.iter().map(move |word| format!("{section}: {word}"))));
    words
}
