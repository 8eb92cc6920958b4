//! `callgate generate`: completions, man pages, schemas and the page of all rules.

use std::path::Path;

use clap::{CommandFactory as _, ValueEnum as _};
use clap_complete::Shell;

use crate::cli::args::Args;
use crate::cli::args_generate::{GenerateArgs, GenerateCommand, SchemaOf};
use crate::cli::commands::to_stdout;
use crate::cli::config::Config;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::rules_page;
use crate::cli::tenant::config::TenantConfig;
use crate::cli::whole_file;
use crate::pattern::file::PatternFile;
use crate::report::json::escaped::write_pretty;
use crate::report::{audit, compare, history, json, replay, tune};
use crate::yaml;

/// Writes completions, man pages, a schema or the page of all rules.
///
/// # Errors
///
/// When they cannot be written.
pub fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    match &args.command {
        GenerateCommand::Completions { shell: Some(shell), output: None } => {
            let (_, text) = completion(*shell);
            to_stdout(|out| out.write_all(&text))?;
        }
        GenerateCommand::Completions { shell, output } => {
            let shells = shell.map_or_else(|| Shell::value_variants().to_vec(), |shell| vec![shell]);
            let files: Vec<_> = shells.into_iter().filter(|shell| *shell != Shell::Elvish).map(completion).collect();
            write_files(output.as_deref().unwrap_or(Path::new(".")), &files)?;
        }
        GenerateCommand::Man { output: None } => {
            let text = page(Args::command());
            to_stdout(|out| out.write_all(&text))?;
        }
        GenerateCommand::Man { output: Some(folder) } => write_files(folder, &pages())?,
        GenerateCommand::Rules => {
            let page = rules_page::page()?;
            to_stdout(|out| out.write_all(page.as_bytes()))?;
        }
        GenerateCommand::Schema { of } => {
            let schema = match of {
                SchemaOf::Config => yaml::schema::<Config>(),
                SchemaOf::Tenant => yaml::schema::<TenantConfig>(),
                SchemaOf::Patterns => yaml::schema::<PatternFile>(),
                // These are texts already, with their properties in an order for people.
                SchemaOf::Report => return text_schema(json::SCHEMA),
                SchemaOf::Compare => return text_schema(compare::json::SCHEMA),
                SchemaOf::Replay => return text_schema(replay::json::SCHEMA),
                SchemaOf::Tune => return text_schema(tune::json::SCHEMA),
                SchemaOf::Tools => return text_schema(audit::json::SCHEMA),
                SchemaOf::History => return text_schema(history::evaluations::SCHEMA),
                SchemaOf::Sessions => return text_schema(history::sessions::SCHEMA),
                SchemaOf::Trends => return text_schema(history::series::SCHEMA),
                SchemaOf::Calibration => return text_schema(tune::calibration::SCHEMA),
            };
            to_stdout(|out| write_pretty(&schema, out))?;
        }
    }
    Ok(Exit::Allow)
}

fn text_schema(text: &str) -> Result<Exit, Failure> {
    to_stdout(|out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Allow)
}

/// The completions for a shell: file name and text.
pub fn completion(shell: Shell) -> (String, Vec<u8>) {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "callgate", &mut text);
    let name = match shell {
        Shell::Bash => "callgate.bash",
        Shell::Zsh => "_callgate",
        Shell::Fish => "callgate.fish",
        Shell::PowerShell => "_callgate.ps1",
        _ => "callgate.elv",
    };
    (name.to_owned(), text)
}

/// All man pages: file names and texts.
pub fn pages() -> Vec<(String, Vec<u8>)> {
    let mut command = Args::command();
    command.build();
    let mut pages = Vec::new();
    collect_pages(&command, "callgate", &mut pages);
    pages
}

fn collect_pages(command: &clap::Command, name: &str, pages: &mut Vec<(String, Vec<u8>)>) {
    let titled = command.clone().name(name.to_owned()).display_name(name.to_owned());
    pages.push((format!("{name}.1"), page(titled)));
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        collect_pages(subcommand, &format!("{name}-{}", subcommand.get_name()), pages);
    }
}

fn page(command: clap::Command) -> Vec<u8> {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = clap_mangen::Man::new(command).render(&mut text);
    text
}

fn write_files(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|source| Failure::unwritable(folder, source))?;
    for (name, text) in files {
        let path = folder.join(name);
        whole_file::write(&path, text).map_err(|source| Failure::unwritable(&path, source))?;
    }
    Ok(())
}
