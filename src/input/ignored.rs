//! Which files a walk passes over because an ignore file says so.
//!
//! Ignore files lie in what is scanned, so they are hostile too: they are read like scripts, never by
//! opening whatever stands there, which could be a pipe that nobody writes to or a device without end.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::input::globs::{Globs, answer};
use crate::input::read::{Content, read_file};
use crate::input::vouched::Vouched;
use crate::subject::{Reason, Undetermined};

/// Names of ignore files; those that come first decide.
pub const NAMES: [&str; 3] = [".callgateignore", ".ignore", ".gitignore"];
/// Where those that belong to git start among the matchers of a folder.
const OF_GIT: usize = 2;
/// Where a repository keeps what is ignored in it alone.
const EXCLUDE: &str = ".git/info/exclude";
/// Largest ignore file that is read, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;

/// The ignore files of one walk, read as they are come upon.
pub struct Ignored {
    root: PathBuf,
    /// The root as its parents see it.
    absolute_root: PathBuf,
    folders: Mutex<HashMap<PathBuf, Arc<Folder>>>,
    /// What the user ignores everywhere.
    global: Gitignore,
    /// Where they come from, if not from what is walked.
    vouched: Option<Arc<Vouched>>,
    faults: Mutex<Vec<(PathBuf, Undetermined)>>,
}

/// The ignore files of one folder, and those of the folders above.
struct Folder {
    parent: Option<Arc<Self>>,
    /// One for each name, and one for what is ignored in the repository alone.
    matchers: Vec<Option<Globs>>,
    /// Git ignores nothing above.
    is_repository: bool,
}

impl Ignored {
    /// The ignore files around and below a folder: those that lie there, or those of a revision that is trusted.
    pub fn new(root: &Path, vouched: Option<Arc<Vouched>>) -> Self {
        Self {
            root: root.to_path_buf(),
            absolute_root: root.canonicalize().unwrap_or_else(|_| root.to_path_buf()),
            folders: Mutex::default(),
            global: GitignoreBuilder::new("").build_global().0,
            vouched,
            faults: Mutex::default(),
        }
    }

    /// Returns whether ignore files pass over what a walk of the root came upon; nothing, where none
    /// says anything about it.
    pub fn says(&self, path: &Path, is_folder: bool) -> Option<bool> {
        let path = path.strip_prefix(&self.root).map_or_else(|_| path.to_path_buf(), |relative| self.absolute_root.join(relative));
        let folder = self.folder(path.parent()?);
        let own = (0..OF_GIT).find_map(|kind| folder.says(kind, &path, is_folder));
        own.or_else(|| match &self.vouched {
            Some(vouched) => self.git_says_of_untracked(vouched, &path, is_folder),
            None => self.git_says(&path, is_folder),
        })
    }

    /// What the ignore files of git say.
    fn git_says(&self, path: &Path, is_folder: bool) -> Option<bool> {
        let folder = self.folder(path.parent()?);
        let said = (OF_GIT..=NAMES.len()).find_map(|kind| folder.says(kind, path, is_folder));
        said.or_else(|| answer(&self.global.matched(path, is_folder)))
    }

    /// The same, where what git tracks is ignored by none of them. As folders with such files are walked, what else lies in them is
    /// ignored with the folder.
    fn git_says_of_untracked(&self, vouched: &Vouched, path: &Path, is_folder: bool) -> Option<bool> {
        if vouched.tracks(path) {
            return self.git_says(path, is_folder).filter(|is_ignored| !is_ignored);
        }
        let mut above = path.ancestors().skip(1).take_while(|above| *above != self.absolute_root && vouched.holds(above));
        if above.any(|above| self.git_says(above, true) == Some(true)) { Some(true) } else { self.git_says(path, is_folder) }
    }

    /// The ignore files that could not be read.
    pub fn take_faults(&self) -> Vec<(PathBuf, Undetermined)> {
        std::mem::take(&mut *self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn folder(&self, path: &Path) -> Arc<Folder> {
        let known = self.folders.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        known.unwrap_or_else(|| {
            let folder = Arc::new(self.load(path));
            self.folders.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_path_buf(), Arc::clone(&folder));
            folder
        })
    }

    fn load(&self, path: &Path) -> Folder {
        let names = NAMES.into_iter().chain([EXCLUDE]);
        Folder {
            parent: path.parent().map(|parent| self.folder(parent)),
            matchers: names.map(|name| self.matcher(path, name)).collect(),
            is_repository: path.join(".git").exists(),
        }
    }

    fn matcher(&self, folder: &Path, name: &str) -> Option<Globs> {
        let path = folder.join(name);
        if let Some(vouched) = self.vouched.as_ref().filter(|vouched| vouched.holds(folder)) {
            return Globs::of(folder, vouched.ignore_file(&path)?);
        }
        if std::fs::symlink_metadata(&path).is_err() {
            return None;
        }
        let text = match read_file(&path, LARGEST) {
            Ok(Content::Text(text, _)) => text,
            Ok(Content::Binary) => return self.fault(path, Undetermined::new(Reason::Binary, "an ignore file that is binary")),
            Ok(Content::Garbled(_, undetermined)) | Err(undetermined) => return self.fault(path, undetermined),
        };
        Globs::of(folder, &text)
    }

    fn fault(&self, path: PathBuf, undetermined: Undetermined) -> Option<Globs> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).push((path, undetermined));
        None
    }
}

impl Folder {
    fn says(&self, kind: usize, path: &Path, is_folder: bool) -> Option<bool> {
        let own = self.matchers.get(kind)?.as_ref();
        if let Some(said) = own.and_then(|globs| globs.says(path, is_folder)) {
            return Some(said);
        }
        let ends = self.is_repository && OF_GIT <= kind;
        self.parent.as_ref().filter(|_| !ends)?.says(kind, path, is_folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(files: &[(&str, &str)], path: &str) -> Option<bool> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        for (name, text) in files {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().expect("it stands in a folder")).expect("a folder can be made");
            std::fs::write(file, text).expect("a file can be written");
        }
        Ignored::new(folder.path(), None).says(&folder.path().join(path), false)
    }

    #[test]
    fn the_nearest_file_and_our_own_name_decide() {
        let git = (".git/HEAD", "");
        for (files, path, expected) in [
            (&[git][..], "a.js", None),
            (&[git, (".gitignore", "*.js")], "a.js", Some(true)),
            (&[git, (".gitignore", "*.js")], "b/a.js", Some(true)),
            (&[git, (".gitignore", "*.js"), ("b/.gitignore", "!a.js")], "b/a.js", Some(false)),
            (&[git, (".gitignore", "/a.js")], "b/a.js", None),
            (&[git, (".gitignore", "*.js"), ("b/.git/HEAD", "")], "b/a.js", None),
            (&[git, (".ignore", "*.js"), ("b/.git/HEAD", "")], "b/a.js", Some(true)),
            (&[git, (".gitignore", "*.js"), (".callgateignore", "!*.js")], "a.js", Some(false)),
            (&[git, (EXCLUDE, "a.js")], "a.js", Some(true)),
            (&[git, (".gitignore", "[\n*.js")], "a.js", Some(true)),
        ] {
            assert_eq!(says(files, path), expected, "{files:?} {path}");
        }
    }

    #[test]
    fn what_is_no_file_ignores_nothing_and_is_told() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        std::fs::create_dir(folder.path().join(".gitignore")).expect("a folder can be made");
        std::fs::write(folder.path().join(".ignore"), vec![b'\n'; 9 << 20]).expect("a file can be written");
        let ignored = Ignored::new(folder.path(), None);
        assert_eq!(ignored.says(&folder.path().join("a.js"), false), None);
        let reasons: Vec<Reason> = ignored.take_faults().into_iter().map(|(_, undetermined)| undetermined.reason).collect();
        assert_eq!(reasons, [Reason::FileSize, Reason::NotAFile]);
    }

    #[test]
    fn only_ignore_files_of_the_revision_count_and_none_of_git_for_what_is_tracked() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let top = folder.path().canonicalize().expect("it is there");
        std::fs::create_dir_all(top.join(".git")).expect("a folder can be made");
        for name in NAMES {
            std::fs::write(top.join(name), "*.js\n").expect("a file can be written");
        }
        let old =
            HashMap::from([(top.join(".gitignore"), "dist/\n*.log\n".to_owned()), (top.join(".callgateignore"), "fixtures/\n".to_owned())]);
        let files = ["dist/tracked.js", "fixtures/x.js", "a.js", "a.log"].map(|name| top.join(name));
        let ignored = Ignored::new(&top, Some(Arc::new(Vouched::new(top.clone(), old, files))));
        for (path, is_folder, expected) in [
            ("a.js", false, None),
            ("new.js", false, None),
            ("dist", true, None),
            ("dist/tracked.js", false, None),
            ("dist/built.js", false, Some(true)),
            ("a.log", false, None),
            ("b.log", false, Some(true)),
            ("fixtures", true, Some(true)),
        ] {
            assert_eq!(ignored.says(&top.join(path), is_folder), expected, "{path}");
        }
    }
}
