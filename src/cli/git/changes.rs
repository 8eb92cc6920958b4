//! What changed in the working tree since a revision: files that git tracks, and those that it does not know yet.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::failure::Failure;
use crate::cli::git::index::{self, Indexed};
use crate::cli::git::revision::Revision;
use crate::cli::git::{LINK, REPOSITORY, ask, git, git_unfiltered};
use crate::input::ignored::Ignored;
use crate::input::list;
use crate::input::vouched::Vouched;

/// The changes in full, whatever the settings of git say. A file that was moved is one that is gone and one that is new.
const CHANGES: [&str; 9] =
    ["diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-relative", "--no-ext-diff", "--no-color", "--ignore-submodules=all"];

/// A file that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// From the top of the repository.
    pub path: PathBuf,
    /// The object that it was, if it was a file.
    pub old: Option<String>,
    /// It is there now.
    pub is_there: bool,
}

/// What is not what it was in a revision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The files.
    pub changes: Vec<Change>,
    /// How many folders were left out because they are other repositories.
    pub repositories: usize,
}

/// The files that are not what they were in a revision, in order of their names. Other repositories are left out, and counted; where
/// a revision is trusted and not what lies here, those that git does not know are judged, and its ignore files alone leave anything out.
///
/// # Errors
///
/// When git cannot be asked.
pub fn since(revision: &Revision, vouched: Option<&Arc<Vouched>>) -> Result<Changes, Failure> {
    let failed = |detail| Failure::Git { detail, help: "`git status` may tell more".to_owned() };
    let mut diff = git_unfiltered(&CHANGES);
    diff.args([revision.commit.as_str(), "--"]).current_dir(&revision.top);
    let mut changes = read(&ask(diff).map_err(failed)?);
    let mut others = git(&["ls-files", "--others", "-z"]);
    if vouched.is_none() {
        others.arg("--exclude-standard");
    }
    others.current_dir(&revision.top);
    let mut others = list::paths(&ask_list(others).map_err(failed)?);
    // What ends with a slash is a repository of its own, or looks like one.
    let is_repository = |path: &PathBuf| path.as_os_str().as_encoded_bytes().ends_with(b"/");
    let mut repositories = 0;
    match vouched {
        Some(vouched) => drop_ignored(&mut others, &revision.top, vouched),
        None => {
            repositories = others.iter().filter(|path| is_repository(path)).count();
            others.retain(|path| !is_repository(path));
        }
    }
    for path in others {
        // A file that git was told to forget is gone for it, and lies there all the same.
        match changes.iter_mut().find(|change| change.path == path) {
            Some(change) => change.is_there = true,
            None => changes.push(Change { path, old: None, is_there: true }),
        }
    }
    let index = index::entries(&revision.top).map_err(failed)?;
    changes.extend(hidden(revision, &index, &changes));
    changes.extend(links(revision, &index, &changes));
    changes.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(Changes { changes, repositories })
}

/// Takes out what the ignore files of a revision leave out, by itself or with a folder.
fn drop_ignored(paths: &mut Vec<PathBuf>, top: &Path, vouched: &Arc<Vouched>) {
    let ignored = Ignored::new(top, Some(Arc::clone(vouched)));
    let mut folders: HashMap<PathBuf, bool> = HashMap::new();
    paths.retain(|path| {
        let mut is_ignored = false;
        for folder in path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()).collect::<Vec<_>>().into_iter().rev() {
            is_ignored =
                is_ignored || *folders.entry(folder.to_path_buf()).or_insert_with(|| ignored.says(&top.join(folder), true) == Some(true));
        }
        !is_ignored && ignored.says(&top.join(path), top.join(path).is_dir()) != Some(true)
    });
}

/// Files that git was told not to look at (`assume-unchanged`, `skip-worktree`) and that are not what the index holds.
fn hidden(revision: &Revision, index: &[Indexed], changes: &[Change]) -> Vec<Change> {
    let is_known = |path: &Path| changes.iter().any(|change| change.path == path);
    let unseen = index.iter().filter(|entry| entry.is_unseen && entry.mode != REPOSITORY && !is_known(&entry.path));
    let there = unseen.filter(|entry| revision.top.join(&entry.path).symlink_metadata().is_ok());
    let changed = there.filter(|entry| entry.mode == LINK || !index::holds(&revision.top, entry));
    changed.map(|entry| Change { path: entry.path.clone(), old: revision.object(&entry.path), is_there: true }).collect()
}

/// Links to what changed: they stand for it, and may claim another kind.
fn links(revision: &Revision, index: &[Indexed], changes: &[Change]) -> Vec<Change> {
    let Ok(top) = revision.top.canonicalize() else { return Vec::new() };
    let known: HashMap<&Path, &Change> = changes.iter().map(|change| (change.path.as_path(), change)).collect();
    let links = index.iter().filter(|entry| entry.mode == LINK && !known.contains_key(entry.path.as_path()));
    let change = |link: &Indexed| {
        let target = revision.top.join(&link.path).canonicalize().ok()?;
        let change = known.get(target.strip_prefix(&top).ok()?)?;
        Some(Change { path: link.path.clone(), old: change.old.clone(), is_there: change.is_there })
    };
    links.filter_map(change).collect()
}

/// As `ask`; a list that is empty stays one.
fn ask_list(command: std::process::Command) -> Result<Vec<u8>, String> {
    let mut answer = ask(command)?;
    answer.push(0);
    Ok(answer)
}

/// Reads `:100644 100644 old new M` and paths, all ended by NULs.
fn read(raw: &[u8]) -> Vec<Change> {
    let fields = list::paths(&[raw, &[0]].concat());
    let change = |pair: &[PathBuf]| {
        let [about, path] = pair else { return None };
        let words: Vec<&str> = about.to_str()?.trim_start_matches(':').split(' ').collect();
        let [old_mode, mode, old, _, status] = words.as_slice() else { return None };
        let was_file = ![LINK, REPOSITORY, "000000"].contains(old_mode);
        let old = was_file.then(|| (*old).to_owned());
        // What is marked as unmerged is there, with marks of the conflict in it.
        let is_there = *mode != REPOSITORY && !status.starts_with('D');
        Some(Change { path: path.clone(), old, is_there })
    };
    fields.chunks(2).filter_map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_with_what_they_were() {
        let raw = b":100644 100644 aa 00 M\0a b.js\0:000000 100644 00 00 A\0new.js\0:100755 000000 cc 00 D\0gone.js\0:120000 100644 dd 00 T\0link.js\0";
        let change = |path: &str, old: Option<&str>, is_there| Change { path: path.into(), old: old.map(str::to_owned), is_there };
        let expected = [
            change("a b.js", Some("aa"), true),
            change("new.js", None, true),
            change("gone.js", Some("cc"), false),
            change("link.js", None, true),
        ];
        assert_eq!(read(raw), expected);
        assert_eq!(read(b""), []);
    }
}
