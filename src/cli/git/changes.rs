//! What changed in the working tree since a revision: files that git tracks, and those that it does not know yet.

use std::path::PathBuf;

use crate::cli::failure::Failure;
use crate::cli::git::revision::Revision;
use crate::cli::git::{LINK, REPOSITORY, ask, git};
use crate::input::list;

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

/// The files that are not what they were in a revision, in order of their names; other repositories are left out.
///
/// # Errors
///
/// When git cannot be asked.
pub fn since(revision: &Revision) -> Result<Vec<Change>, Failure> {
    let failed = |detail| Failure::Git { detail, help: "`git status` may tell more".to_owned() };
    let mut diff = git(&CHANGES);
    diff.args([revision.commit.as_str(), "--"]).current_dir(&revision.top);
    let mut changes = read(&ask(diff).map_err(failed)?);
    let mut others = git(&["ls-files", "--others", "--exclude-standard", "-z"]);
    others.current_dir(&revision.top);
    let others = list::paths(&ask_list(others).map_err(failed)?);
    // What ends with a slash is a repository of its own.
    let others = others.into_iter().filter(|path| !path.as_os_str().as_encoded_bytes().ends_with(b"/"));
    for path in others {
        // A file that git was told to forget is gone for it, and lies there all the same.
        match changes.iter_mut().find(|change| change.path == path) {
            Some(change) => change.is_there = true,
            None => changes.push(Change { path, old: None, is_there: true }),
        }
    }
    changes.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(changes)
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
