//! What git knows: its index, its revisions and what changed since, asked by its plumbing. Nothing of it is run or written.

pub mod changes;
pub mod objects;
pub mod revision;
pub mod staged;

use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::cli::failure::Failure;
use crate::input::list;

/// Settings of git that would make it run programs, change the index, or show other objects than those that are committed.
const PLAIN: [&str; 4] = ["--no-optional-locks", "--no-replace-objects", "-c", "core.fsmonitor=false"];
/// The kinds of entries of an index or a tree that are not files: links and other repositories.
const LINK: &str = "120000";
const REPOSITORY: &str = "160000";

fn git(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    // What a hook is told of its repository, such as GIT_INDEX_FILE, is handed on.
    command.args(PLAIN).args(arguments).stdin(Stdio::null());
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
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(complaint.lines().next().unwrap_or("git failed").to_owned())
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
    top.map_err(|detail| Failure::Git { detail, help: "run it inside a git repository, with git installed".to_owned() })
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
