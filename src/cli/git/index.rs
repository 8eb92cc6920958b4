//! What stands in the index of a repository.

use std::path::{Path, PathBuf};

use crate::cli::git::{ask, git};
use crate::input::list;

/// An entry of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Indexed {
    /// Its mode, as git writes it.
    pub mode: String,
    /// The object that it is.
    pub object: String,
    /// From the top of the repository.
    pub path: PathBuf,
    /// Git was told not to look whether the file in the working tree is another.
    pub is_unseen: bool,
}

/// Everything in the index of the repository with this top.
///
/// # Errors
///
/// When git cannot be asked.
pub(super) fn entries(top: &Path) -> Result<Vec<Indexed>, String> {
    let mut command = git(&["ls-files", "--stage", "-v", "-z", "--full-name"]);
    command.current_dir(top);
    let listed = ask(command)?;
    Ok(listed.split(|byte| *byte == 0).filter_map(entry).collect())
}

/// Reads `H 100644 object 0<tab>path`. What git does not look at has a tag in lower case, or `S`.
fn entry(listed: &[u8]) -> Option<Indexed> {
    let at = listed.iter().position(|byte| *byte == b'\t')?;
    let mut words = std::str::from_utf8(listed.get(..at)?).ok()?.split(' ');
    let (tag, mode, object) = (words.next()?, words.next()?, words.next()?);
    let is_unseen = tag == "S" || tag.bytes().all(|byte| byte.is_ascii_lowercase());
    let path = list::paths(&[listed.get(at + 1..)?, &[0]].concat()).pop()?;
    Some(Indexed { mode: mode.to_owned(), object: object.to_owned(), path, is_unseen })
}

/// Whether the file in the working tree is what the index holds, byte by byte.
pub(super) fn holds(top: &Path, entry: &Indexed) -> bool {
    let mut command = git(&["hash-object", "--no-filters", "--"]);
    command.arg(&entry.path).current_dir(top);
    ask(command).is_ok_and(|object| object.trim_ascii_end() == entry.object.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_with_what_git_does_not_look_at() {
        let read = |text: &str| entry(text.as_bytes()).map(|entry| (entry.mode, entry.path, entry.is_unseen));
        let expected = |mode: &str, path: &str, is_unseen| Some((mode.to_owned(), PathBuf::from(path), is_unseen));
        assert_eq!(read("H 100644 aa 0\ta b.js"), expected("100644", "a b.js", false));
        assert_eq!(read("h 120000 aa 0\ta\nb.js"), expected("120000", "a\nb.js", true));
        assert_eq!(read("S 100755 aa 0\tx.js"), expected("100755", "x.js", true));
        assert_eq!(read("s 100644 aa 0\tx.js"), expected("100644", "x.js", true));
        assert_eq!(read(""), None);
    }
}
