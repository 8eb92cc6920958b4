//! The baseline of a run: which it is, and its file.

use std::path::{Path, PathBuf};

use crate::accept::acceptance::{Acceptance, Basis};
use crate::accept::baseline::Baseline;
use crate::accept::entry::{self, BaselineEntry, Broken};
use crate::accept::fingerprint::Salt;
use crate::cli::failure::Failure;
use crate::cli::git::revision::Revision;
use crate::cli::settings::Settings;
use crate::cli::whole_file;
use crate::value::source::SourceName;
use crate::yaml::Fault;

/// The file that a baseline is written to where none is named.
pub const USUAL: &str = "callgate-baseline.json";
/// Largest file of a baseline, in bytes.
const LARGEST: u64 = 256 * 1024 * 1024;

/// What was asked of baselines.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    /// To heed this one, or that of the settings if there is one.
    Heeded(Option<&'a Path>),
    /// To write one: here, or under the usual name to where the settings say.
    Written(&'a Path),
    /// To heed none.
    Ignored,
}

/// A baseline that is to be written once everything was judged.
#[derive(Debug)]
pub struct Writing {
    path: PathBuf,
    /// Another than the one of the settings.
    is_unknown: bool,
}

/// Lets a run heed the baseline that was asked for.
///
/// # Errors
///
/// When its file cannot be read, or is none.
pub fn take_up(asked: Asked<'_>, settings: &mut Settings) -> Result<Option<Writing>, Failure> {
    let configured = settings.baseline.clone();
    match asked {
        Asked::Ignored => Ok(None),
        Asked::Heeded(named) => {
            if let Some(path) = named.map(Path::to_path_buf).or(configured) {
                let baseline = match &settings.revision {
                    // What lies elsewhere was typed.
                    Some(revision) if revision.holding(&path).is_some() => read_at(revision, &path)?,
                    Some(_) | None => read(&path)?,
                };
                settings.loosened.push(format!("baseline: {} ({})", shown_name(&path), findings(baseline.len())));
                settings.read.push(path);
                settings.scanner.acceptances.baselines.push(baseline);
            }
            Ok(None)
        }
        Asked::Written(path) => {
            let is_usual = path == Path::new(USUAL);
            let is_unknown = configured.as_ref().is_none_or(|configured| !is_usual && configured != path);
            let path = configured.filter(|_| is_usual).unwrap_or_else(|| path.to_path_buf());
            // Whoever writes it anew keeps its salt, so that what stays the same is the same line.
            let salt = if path.exists() { read_file(&path)?.0 } else { Salt::random() };
            let baseline = Baseline::taking(salt, folder_of(&path), acceptance(&path));
            settings.loosened.push(format!("--write-baseline {}", shown_name(&path)));
            settings.read.push(path.clone());
            settings.scanner.acceptances.baselines.push(baseline);
            Ok(Some(Writing { path, is_unknown }))
        }
    }
}

impl Writing {
    /// Writes what was taken in, and says so.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn finish(&self, settings: &Settings) -> Result<Vec<String>, Failure> {
        let entries = own(settings).map(Baseline::found).unwrap_or_default();
        let count = write(&self.path, settings, entries)?;
        let name = shown_name(&self.path);
        let mut notes = vec![format!("{name} holds {}: what stands there now does not count any more", findings(count))];
        if self.is_unknown {
            notes.push(format!("pass --baseline {name}, or write `baseline: {name}` into the settings, and only what is new is told"));
        }
        Ok(notes)
    }
}

/// The baseline that the run heeds or writes.
pub fn own(settings: &Settings) -> Option<&Baseline> {
    settings.scanner.acceptances.baselines.iter().find(|baseline| baseline.basis() == Basis::Baseline)
}

/// Writes entries with the salt of the run's baseline; returns how many there are.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write(path: &Path, settings: &Settings, entries: Vec<BaselineEntry>) -> Result<usize, Failure> {
    let Some(baseline) = own(settings) else { return Ok(0) };
    let text = entry::write(&baseline.salt, entries);
    whole_file::write(path, text.as_bytes()).map_err(|source| Failure::unwritable(path, source))?;
    Ok(entry::read(&text).map_or(0, |(_, entries)| entries.len()))
}

/// Reads the file of a baseline.
///
/// # Errors
///
/// When it cannot be read, or is none.
pub fn read(path: &Path) -> Result<Baseline, Failure> {
    let (salt, entries) = read_file(path)?;
    Ok(known(path, salt, entries))
}

/// Reads the file of a baseline as it is in a revision.
fn read_at(revision: &Revision, path: &Path) -> Result<Baseline, Failure> {
    let whole = revision.holding(path).unwrap_or_else(|| path.to_path_buf());
    let text = revision.read(&whole).map_err(|source| Failure::Unreadable { path: path.to_path_buf(), source })?;
    let (salt, entries) = parse(path, text)?;
    Ok(known(path, salt, entries))
}

/// The baseline of a file of this name that holds these.
pub fn known(path: &Path, salt: Salt, entries: Vec<BaselineEntry>) -> Baseline {
    let folder = folder_of(path);
    let is_gone = |path: &str| !folder.join(path).exists();
    Baseline::new(salt, folder.clone(), acceptance(path), entries, is_gone)
}

/// The salt and the entries in the file of a baseline.
///
/// # Errors
///
/// As `read`.
pub fn read_file(path: &Path) -> Result<(Salt, Vec<BaselineEntry>), Failure> {
    let unreadable = |source| Failure::Unreadable { path: path.to_path_buf(), source };
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() || LARGEST < metadata.len() {
        return Err(unreadable(std::io::Error::other(format!("it is no regular file of at most {LARGEST} bytes"))));
    }
    parse(path, std::fs::read_to_string(path).map_err(unreadable)?)
}

/// The salt and the entries in the text of a baseline of this name.
///
/// # Errors
///
/// When it is none.
pub fn parse(path: &Path, text: String) -> Result<(Salt, Vec<BaselineEntry>), Failure> {
    entry::read(&text).map_err(|Broken { line, message }| {
        let line = line.map_or(1, |line| u32::try_from(line.max(1)).unwrap_or(u32::MAX));
        Failure::Baseline { path: path.to_path_buf(), fault: Fault { line, column: 1, message }, text }
    })
}

fn folder_of(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    whole.parent().map(Path::to_path_buf).unwrap_or_default()
}

fn acceptance(path: &Path) -> Acceptance {
    let reason = "it stood there when the baseline was written".to_owned();
    Acceptance { basis: Basis::Baseline, reason, owner: None, expires: None, place: shown_name(path) }
}

/// The name of a file as it is told.
pub fn shown_name(path: &Path) -> String {
    SourceName::explicit(path).as_text()
}

/// So many findings, in words.
pub fn findings(count: usize) -> String {
    format!("{count} finding{}", if count == 1 { "" } else { "s" })
}
