//! Names of revisions: one that two things have is no name.

use crate::cli::git::{ask, git};

/// Where git looks for a name, one after the other.
const PLACES: [&str; 5] = ["refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD"];

/// The full names that a name of a revision may stand for, where they are of several commits: whoever may add a tag or a branch
/// could otherwise put another revision in the place of the one that is meant.
pub(super) fn ambiguous(name: &str) -> Option<Vec<String>> {
    let bare = name.split(['~', '^', ':']).next()?.split("@{").next()?;
    if bare.is_empty() || bare.starts_with("refs/") || bare == "HEAD" {
        return None;
    }
    let full: Vec<String> = PLACES.iter().map(|place| place.replace("{}", bare)).collect();
    let mut command = git(&["for-each-ref", "--format=%(objectname) %(*objectname) %(refname)"]);
    command.arg("--").args(&full);
    let listed = ask(command).ok()?;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let found: Vec<(&str, &str)> = listed.lines().filter_map(read).filter(|(_, name)| full.iter().any(|full| full == name)).collect();
    let (first, _) = found.first()?;
    let is_one = found.iter().all(|(commit, _)| commit == first);
    (!is_one).then(|| found.into_iter().map(|(_, name)| name.to_owned()).collect())
}

/// Reads `object commit name`; of a tag that is an object of its own the second is what it tags.
fn read(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    let (object, tagged, name) = (words.next()?, words.next()?, words.next()?);
    Some((if tagged.is_empty() { object } else { tagged }, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_counts_by_what_it_tags() {
        assert_eq!(read("aa  refs/heads/main"), Some(("aa", "refs/heads/main")));
        assert_eq!(read("bb aa refs/tags/v1"), Some(("aa", "refs/tags/v1")));
        assert_eq!(read(""), None);
    }
}
