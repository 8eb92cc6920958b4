//! Where reports go: standard output or files, each to its own.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::Path;

use crate::cli::args::{ColorChoice, Output};
use crate::cli::failure::Failure;

/// A place that a report goes to.
pub struct Target {
    /// Its name for people.
    pub name: String,
    /// Writes there.
    pub writer: Box<dyn Write + Send>,
    /// Whether the report has colours.
    pub colour: bool,
    /// The width for tables, in columns: the terminal's, within reason.
    pub width: usize,
}

/// Opens a place for each output that was chosen; `usual` is written to standard output if none was, and `file` is where
/// an output goes that names no file.
///
/// # Errors
///
/// When two go to the same place, or a file cannot be made.
pub fn open(chosen: &[Output], usual: &str, file: Option<&Path>, color: ColorChoice) -> Result<Vec<(String, Target)>, Failure> {
    let usual = [Output { format: usual.to_owned(), file: None }];
    let chosen = if chosen.is_empty() { &usual } else { chosen };
    let mut names = HashSet::new();
    let mut targets = Vec::new();
    for output in chosen {
        let target = Target::open(output.file.as_deref().or(file), color, &mut names)?;
        targets.push((output.format.clone(), target));
    }
    Ok(targets)
}

impl Target {
    fn open(file: Option<&Path>, color: ColorChoice, names: &mut HashSet<String>) -> Result<Self, Failure> {
        let name = file.map_or_else(|| "standard output".to_owned(), |file| file.to_string_lossy().into_owned());
        if !names.insert(name.clone()) {
            return Err(Failure::SameTarget { target: name });
        }
        let writer: Box<dyn Write + Send> = match file {
            Some(file) => Box::new(BufWriter::new(File::create(file).map_err(|source| Failure::unwritable(name.clone(), source))?)),
            None => Box::new(BufWriter::new(io::stdout())),
        };
        let is_stdout = file.is_none();
        let colour = is_stdout && color.applies(&io::stdout()) || !is_stdout && color == ColorChoice::Always;
        Ok(Self { name, writer, colour, width: width(is_stdout) })
    }

    /// A failure to write there.
    pub fn unwritable(&self, error: io::Error) -> Failure {
        Failure::unwritable(self.name.clone(), error)
    }
}

fn width(is_stdout: bool) -> usize {
    let columns = || comfy_table::Table::new().width().map(usize::from);
    if is_stdout && io::stdout().is_terminal() { columns().unwrap_or(100).clamp(60, 160) } else { 110 }
}
