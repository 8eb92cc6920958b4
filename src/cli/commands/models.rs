//! `callgate models`: all scoring models.

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::json;

use crate::cli::args::ListArgs;
use crate::cli::commands::to_stdout;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::list_format::ListFormat;
use crate::model::registry::{DEFAULT, MODELS};
use crate::report::json::escaped::write_pretty;

/// Lists all models.
///
/// # Errors
///
/// When standard output cannot be written.
pub fn run(args: &ListArgs) -> Result<Exit, Failure> {
    match args.format {
        ListFormat::Table => to_stdout(|out| writeln!(out, "{}", table()))?,
        ListFormat::Json => {
            let models: Vec<_> = MODELS
                .iter()
                .map(|model| {
                    let is_default = model.name == DEFAULT;
                    json!({ "name": model.name, "summary": model.summary, "decides_by": model.decides_by, "default": is_default })
                })
                .collect();
            to_stdout(|out| write_pretty(&models, out))?;
        }
    }
    Ok(Exit::Allow)
}

fn table() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["model", "decides by", "what it does"]);
    for model in MODELS {
        let name = if model.name == DEFAULT { format!("{} (default)", model.name) } else { model.name.to_owned() };
        table.add_row([name.as_str(), model.decides_by, model.summary]);
    }
    table
}
