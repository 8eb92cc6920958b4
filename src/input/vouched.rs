//! Ignore files as they are in a revision that is trusted, and what belongs to the repository whatever they say.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// What a walk knows of a repository without believing what lies in the working tree.
#[derive(Clone, Debug, Default)]
pub struct Vouched {
    /// The top of the repository, absolute.
    top: PathBuf,
    /// The ignore files of the revision, absolute.
    ignore_files: HashMap<PathBuf, String>,
    /// What git tracks now, and all folders above it, absolute: it is there for everybody, so git itself ignores none of it.
    tracked: HashSet<PathBuf>,
}

impl Vouched {
    /// A repository with the ignore files of a revision, and the files that git tracks now; all absolute.
    pub fn new(top: PathBuf, ignore_files: HashMap<PathBuf, String>, files: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut tracked = HashSet::new();
        for file in files {
            let mut above = Some(file.as_path());
            while let Some(path) = above.filter(|path| path.starts_with(&top)) {
                if !tracked.insert(path.to_path_buf()) {
                    break;
                }
                above = path.parent();
            }
        }
        Self { top, ignore_files, tracked }
    }

    /// Whether a path lies in the repository.
    pub(super) fn holds(&self, path: &Path) -> bool {
        path.starts_with(&self.top)
    }

    /// The ignore file of this path, if the revision has it.
    pub(super) fn ignore_file(&self, path: &Path) -> Option<&str> {
        self.ignore_files.get(path).map(String::as_str)
    }

    /// Whether git tracks a file, or anything in a folder.
    pub(super) fn tracks(&self, path: &Path) -> bool {
        self.tracked.contains(path)
    }
}
