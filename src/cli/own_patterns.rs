//! The patterns of users: those in the folders that the settings name, and those of the command line.

use std::path::{Path, PathBuf};

use crate::cli::args::Global;
use crate::cli::config::Loaded;
use crate::cli::failure::Failure;
use crate::pattern::library::Library;
use crate::pattern::{Pattern, file};

/// All patterns: the built-in ones, these, those of the settings, and those of the command line.
///
/// # Errors
///
/// When a file of patterns cannot be read, with all faults of the first that has any, or when two have one id.
pub fn library(loaded: &Loaded, global: &Global, mut user: Vec<Pattern>) -> Result<Library, Failure> {
    for folder in &loaded.config.patterns {
        user.extend(folder_patterns(loaded, &loaded.folder().join(folder))?);
    }
    for folder in &global.patterns {
        user.extend(folder_patterns(loaded, folder)?);
    }
    Ok(Library::new(user)?)
}

/// The files of patterns that a run reads.
pub fn files<'l>(loaded: &'l Loaded, global: &'l Global) -> impl Iterator<Item = PathBuf> + 'l {
    pattern_folders(loaded, global).flat_map(|folder| pattern_files(loaded, &folder).unwrap_or_default())
}

fn pattern_folders<'l>(loaded: &'l Loaded, global: &'l Global) -> impl Iterator<Item = PathBuf> + 'l {
    loaded.config.patterns.iter().map(|folder| loaded.folder().join(folder)).chain(global.patterns.iter().cloned())
}

fn pattern_files(loaded: &Loaded, folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = loaded.list_folder(folder)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml"));
    paths.sort();
    Ok(paths)
}

fn folder_patterns(loaded: &Loaded, folder: &Path) -> Result<Vec<Pattern>, Failure> {
    let unreadable = |path: &Path, source| Failure::Unreadable { path: path.to_path_buf(), source };
    let mut patterns = Vec::new();
    for path in pattern_files(loaded, folder).map_err(|source| unreadable(folder, source))? {
        let text = loaded.read_file(&path).map_err(|source| unreadable(&path, source))?;
        patterns.extend(file::read(&text).map_err(|faults| Failure::Faults { path, text, faults })?);
    }
    Ok(patterns)
}
