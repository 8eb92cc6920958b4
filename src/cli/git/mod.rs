//! What git knows: its index, its revisions and what changed since, asked by its plumbing. Nothing of it is run or written.

pub mod changes;
mod index;
mod names;
pub mod objects;
pub mod revision;
pub mod staged;
pub mod vouched;

use std::io;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::cli::failure::Failure;
use crate::input::list;
use crate::value::source::shown;

/// Settings of git that would make it run programs, change the index, or show other objects than those that are committed.
const PLAIN: [&str; 4] = ["--no-optional-locks", "--no-replace-objects", "-c", "core.fsmonitor=false"];
/// What would have git fetch objects that a partial clone lacks, by a program that the repository names. The second also holds
/// where git is too old to know the first.
const NO_FETCH: [(&str, &str); 2] = [("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "")];
/// Commits that this clone alone takes for the parents of others.
const GRAFTS: (&str, &str) = ("GIT_GRAFT_FILE", if cfg!(windows) { "NUL" } else { "/dev/null" });
/// The settings that name what git runs over the content of a file.
const FILTERS: &str = "^filter\\..*\\.(clean|smudge|process|required)$";
/// The kinds of entries of an index or a tree that are not files: links and other repositories.
const LINK: &str = "120000";
const REPOSITORY: &str = "160000";

fn git(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    // What a hook is told of its repository, such as GIT_INDEX_FILE, is handed on.
    command.args(PLAIN).args(arguments).envs(NO_FETCH).envs([GRAFTS]).stdin(Stdio::null());
    command
}

/// A git that runs no filter over what lies in the working tree, whatever the repository names.
fn git_unfiltered(arguments: &[&str]) -> Command {
    // It fails where there are none.
    let filters = ask(git(&["config", "--null", "--name-only", "--get-regexp", FILTERS])).unwrap_or_default();
    let filters = filters.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let off = filters.flat_map(|name| ["-c".to_owned(), format!("{}=", String::from_utf8_lossy(name))]);
    let mut command = git(&[]);
    command.args(off).args(arguments);
    command
}

/// Why git could not be asked.
fn unasked(error: &io::Error) -> String {
    format!("git: {error}")
}

/// What git answers, or the first line of its complaint.
fn ask(mut command: Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| unasked(&error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(complaint(&output))
}

/// Why git failed, in its words: what it only warns of comes first.
fn complaint(output: &Output) -> String {
    let complaint = String::from_utf8_lossy(&output.stderr);
    let fatal = complaint.lines().find(|line| line.starts_with("fatal: ") || line.starts_with("error: "));
    fatal.or_else(|| complaint.lines().next()).unwrap_or("git failed").to_owned()
}

/// The one path that git answers.
fn path(answer: &[u8]) -> Option<PathBuf> {
    let name = answer.strip_suffix(b"\n").unwrap_or(answer);
    list::paths(&[name, &[0]].concat()).pop()
}

/// The top of the repository around this folder.
///
/// # Errors
///
/// When git cannot be run, or there is no repository with a working tree.
pub fn top() -> Result<PathBuf, Failure> {
    let top = ask(git(&["rev-parse", "--show-toplevel"]));
    let top = top.and_then(|answer| path(&answer).ok_or_else(|| "git names no folder".to_owned()));
    let top = top.map_err(|detail| Failure::Git { detail, help: "run it inside a git repository, with git installed".to_owned() })?;
    // Settings of the repository may say that its files lie elsewhere: others would be judged than those that are here.
    let is_around =
        std::env::current_dir().and_then(std::fs::canonicalize).is_ok_and(|here| top.canonicalize().is_ok_and(|top| here.starts_with(top)));
    if is_around {
        return Ok(top);
    }
    let detail = format!("git takes {} for the working tree, and this folder does not lie in it", shown(&top.to_string_lossy()));
    Err(Failure::Git {
        detail,
        help: "run it there, or take core.worktree out of the settings of the repository (`git config --unset core.worktree`)".to_owned(),
    })
}

/// The folder of the hooks of the repository around this one.
///
/// # Errors
///
/// When git cannot be run, or there is no repository.
pub fn hooks_folder() -> Result<PathBuf, String> {
    let output = git(&["rev-parse", "--git-path", "hooks"]).output().map_err(|error| unasked(&error))?;
    if !output.status.success() {
        return Err("this is no git repository".to_owned());
    }
    path(&output.stdout).ok_or_else(|| "git names no folder of hooks".to_owned())
}
