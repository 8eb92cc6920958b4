//! What settings may say that were found and not named: they come with what is scanned, and may be anybody's.

use std::path::{Component, Path, PathBuf};

use crate::cli::config::{Config, fault_at};
use crate::yaml::Fault;

/// What such settings say that only named ones may.
///
/// # Errors
///
/// Each program, and each path that leads out of the repository.
pub fn only_harmless(config: Config, text: &str, path: &Path) -> Result<Config, Vec<Fault>> {
    let mut faults = Vec::new();
    let there = [
        ("analyzers", "are", !config.analyzers.is_empty()),
        ("audit", "is", config.audit.is_some()),
        ("cumulative", "is", !config.cumulative.is_empty()),
        ("tenants", "are", config.tenants.is_some()),
    ];
    for (key, verb, _) in there.into_iter().filter(|(.., is_there)| *is_there) {
        let only = "only taken from settings that you name: pass this file with --config, or leave it out with --no-config";
        faults.push(fault_at(text, key, format!("`{key}` {verb} {only}")));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let top = top_of(folder);
    let named = config.patterns.iter().map(PathBuf::as_path).chain(config.model_settings.files()).chain(config.baseline.as_deref());
    for file in named.filter(|file| !is_inside(&top, folder, file)) {
        let name = file.display();
        let message = format!(
            "`{name}` leads out of this repository; settings that were found may only name what lies in it: pass this file with --config"
        );
        faults.push(fault_at(text, &name.to_string(), message));
    }
    if faults.is_empty() { Ok(config) } else { Err(faults) }
}

/// Whether a settings file that was found lies where it seems to lie.
pub fn is_own(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(Path::new(""));
    is_inside(&top_of(folder), folder, path)
}

/// Whether a file lies in the repository around a folder, or in the folder where that is in none.
pub fn is_in_reach(path: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let folder = real(folder);
    real(path).starts_with(top_of(&folder))
}

/// The folder of the repository around a folder; the folder itself, where there is none.
fn top_of(folder: &Path) -> PathBuf {
    folder.ancestors().find(|above| above.join(".git").exists()).unwrap_or(folder).to_path_buf()
}

/// Whether a path that is written in a folder stays below the top, as it is written and wherever links lead.
fn is_inside(top: &Path, folder: &Path, path: &Path) -> bool {
    let mut plain = PathBuf::new();
    for component in folder.join(path).components() {
        match component {
            Component::ParentDir if !plain.pop() => return false,
            Component::ParentDir | Component::CurDir => {}
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => plain.push(component),
        }
    }
    let is_written_inside = plain.starts_with(top) && (path.starts_with(folder) || path.is_relative());
    // What is not there is told where it is read.
    let leads_inside = |real: PathBuf| top.canonicalize().is_ok_and(|top| real.starts_with(top));
    is_written_inside && plain.canonicalize().map_or(true, leads_inside)
}
