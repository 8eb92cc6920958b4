//! A revision of the repository around this folder, and the files in it.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::git::names::ambiguous;
use crate::cli::git::objects::{Objects, missing};
use crate::cli::git::{LINK, REPOSITORY, ask, complaint, git, top, unasked};
use crate::input::list;

/// How many digits of a commit are told.
const SHORT: usize = 10;
/// Largest file that is read whole, in bytes.
const LARGEST: u64 = 256 * 1024 * 1024;
/// Largest ignore file that is read, in bytes.
const LARGEST_IGNORE: u64 = 8 * 1024 * 1024;

/// A commit, as it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// As it was named.
    pub name: String,
    /// The commit that it is.
    pub commit: String,
    /// The top of the repository, absolute.
    pub top: PathBuf,
}

impl Revision {
    /// The revision of this name.
    ///
    /// # Errors
    ///
    /// When there is no repository, no such revision in it, or several of this name.
    pub fn of(name: &str) -> Result<Self, Failure> {
        let top = top()?;
        let wanted = format!("{name}^{{commit}}");
        let commit = ask(git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]));
        let commit = commit.map(|answer| String::from_utf8_lossy(&answer).trim().to_owned()).unwrap_or_default();
        if let Some(names) = ambiguous(name) {
            let detail = format!("`{name}` is the name of several revisions: {}", names.join(", "));
            return Err(Failure::Git { detail, help: "name the one that you mean in full, such as refs/remotes/origin/main".to_owned() });
        }
        if commit.is_empty() || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let detail = format!("there is no revision `{name}` here");
            let help = "name a branch, a tag or a commit that `git log` knows; in a shallow clone `git fetch origin BRANCH` fetches one";
            return Err(Failure::Git { detail, help: help.to_owned() });
        }
        Ok(Self { name: name.to_owned(), commit, top })
    }

    /// The last commit that this revision and the one that is checked out have in common.
    ///
    /// # Errors
    ///
    /// When they have none, or it was not fetched.
    pub fn merge_base(self) -> Result<Self, Failure> {
        let base = ask(git(&["merge-base", &self.commit, "HEAD"]));
        let base = base.map(|answer| String::from_utf8_lossy(&answer).trim().to_owned()).unwrap_or_default();
        if !base.is_empty() {
            return Ok(Self { commit: base, ..self });
        }
        let is_shallow = ask(git(&["rev-parse", "--is-shallow-repository"])).is_ok_and(|answer| answer.starts_with(b"true"));
        let detail = format!("`{}` and what is checked out have no commit in common", self.name);
        let help = if is_shallow {
            "this clone is shallow: `git fetch --deepen=100` (or --unshallow) fetches the commits that are missing; in GitHub's checkout, `fetch-depth: 0`"
        } else {
            "name a revision that this branch began at"
        };
        Err(Failure::Git { detail, help: help.to_owned() })
    }

    /// The name and the beginning of the commit, as reports tell them: `main (0123456789)`.
    pub fn shown(&self) -> String {
        format!("{} ({})", self.name, self.commit.get(..SHORT).unwrap_or(&self.commit))
    }

    /// Where a path lies in the repository; nowhere, where that is outside.
    pub fn inside(&self, path: &Path) -> Option<PathBuf> {
        let mut inside = PathBuf::new();
        for component in path.strip_prefix(&self.top).ok()?.components() {
            match component {
                Component::Normal(name) => inside.push(name),
                Component::CurDir => {}
                Component::ParentDir if inside.pop() => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(inside)
    }

    /// Where a path as it was typed lies in the repository, absolute: as it is written, or else wherever links lead.
    pub fn holding(&self, path: &Path) -> Option<PathBuf> {
        let whole = std::path::absolute(path).ok()?;
        if self.inside(&whole).is_some() {
            return Some(whole);
        }
        whole.canonicalize().ok().filter(|real| self.inside(real).is_some())
    }

    /// The file of this path in the revision.
    ///
    /// # Errors
    ///
    /// When there is none, it is a link or lies outside, or is no text.
    pub fn read(&self, path: &Path) -> io::Result<String> {
        let inside = self.inside(path).ok_or_else(|| io::Error::other("it lies outside of the repository"))?;
        let entries = self.entries(&inside)?;
        let Some(entry) = entries.iter().find(|entry| entry.path == inside) else {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no such file in {}", self.shown())));
        };
        if [LINK, REPOSITORY].contains(&entry.mode.as_str()) || entry.kind != "blob" {
            return Err(io::Error::other(format!("it is no regular file in {}", self.shown())));
        }
        let size = ask(git(&["cat-file", "-s", &entry.object])).map_err(|_| io::Error::other(missing(&entry.object)))?;
        if !String::from_utf8_lossy(&size).trim().parse::<u64>().is_ok_and(|size| size <= LARGEST) {
            return Err(io::Error::other(format!("it is larger than {LARGEST} bytes")));
        }
        let bytes = ask(git(&["cat-file", "blob", &entry.object])).map_err(io::Error::other)?;
        let text = String::from_utf8(bytes).map_err(|error| io::Error::other(error.utf8_error()))?;
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }

    /// The names of everything in a folder of the revision.
    ///
    /// # Errors
    ///
    /// When there is no such folder, or it lies outside.
    pub fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let inside = self.inside(folder).ok_or_else(|| io::Error::other("it lies outside of the repository"))?;
        let entries = self.entries(&inside.join(""))?;
        if entries.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no such folder in {}", self.shown())));
        }
        Ok(entries.into_iter().map(|entry| self.top.join(entry.path)).collect())
    }

    /// Whether there is something of this path in the revision.
    pub fn holds(&self, path: &Path) -> bool {
        self.inside(path).is_some_and(|inside| self.entries(&inside).is_ok_and(|entries| !entries.is_empty()))
    }

    /// The files of the revision, from the top, that hold a text.
    ///
    /// # Errors
    ///
    /// When git cannot be asked.
    pub fn holding_text(&self, text: &str) -> Result<Vec<PathBuf>, String> {
        let mut command =
            git(&["grep", "--name-only", "-z", "--text", "--full-name", "--fixed-strings", "--no-textconv", "-e", text, &self.commit]);
        command.arg("--").current_dir(&self.top);
        let output = command.output().map_err(|error| unasked(&error))?;
        // It ends with 1 where there is none.
        if !output.status.success() && output.status.code() != Some(1) {
            return Err(complaint(&output));
        }
        let before = self.commit.len() + 1;
        let names = output.stdout.split(|byte| *byte == 0).filter_map(|name| name.get(before..));
        Ok(names.filter_map(|name| list::paths(&[name, &[0]].concat()).pop()).collect())
    }

    /// The object that the file of this path, from the top, is in the revision.
    pub fn object(&self, path: &Path) -> Option<String> {
        let entries = self.entries(path).ok()?;
        let is_file = |entry: &TreeEntry| entry.path == path && entry.kind == "blob" && entry.mode != LINK;
        entries.into_iter().find(is_file).map(|entry| entry.object)
    }

    /// All files of these names in the revision, with what they hold; what is no text of a usual size is left out.
    ///
    /// # Errors
    ///
    /// When git cannot be asked.
    pub fn named(&self, names: &[&str]) -> io::Result<HashMap<PathBuf, String>> {
        let is_wanted = |path: &Path| path.file_name().and_then(|name| name.to_str()).is_some_and(|name| names.contains(&name));
        let files = self.files(is_wanted).map_err(io::Error::other)?;
        if files.is_empty() {
            return Ok(HashMap::new());
        }
        let mut objects = Objects::open()?;
        let mut texts = HashMap::new();
        for (path, object) in files {
            let (bytes, is_whole) = objects.read(&object, LARGEST_IGNORE)?;
            if let (Ok(text), true) = (String::from_utf8(bytes), is_whole) {
                texts.insert(self.top.join(path), text);
            }
        }
        Ok(texts)
    }

    /// The files of the revision that are wanted by their paths from the top, each with the object that it is; no links.
    ///
    /// # Errors
    ///
    /// When git cannot be asked.
    pub fn files(&self, is_wanted: impl Fn(&Path) -> bool) -> Result<BTreeMap<PathBuf, String>, String> {
        let answer = ask(git(&["ls-tree", "-r", "-z", "--full-tree", &self.commit]))?;
        let entries = answer.split(|byte| *byte == 0).filter_map(tree_entry);
        let wanted = entries.filter(|entry| entry.kind == "blob" && entry.mode != LINK && is_wanted(&entry.path));
        Ok(wanted.map(|entry| (entry.path, entry.object)).collect())
    }

    /// What git lists for a path: the entry itself, or with a slash behind it the entries of the folder.
    fn entries(&self, inside: &Path) -> io::Result<Vec<TreeEntry>> {
        let mut command = git(&["--literal-pathspecs", "ls-tree", "-z", "--full-tree", &self.commit, "--"]);
        command.arg(inside).current_dir(&self.top);
        let answer = ask(command).map_err(io::Error::other)?;
        Ok(answer.split(|byte| *byte == 0).filter_map(tree_entry).collect())
    }
}

/// Reads `100644 blob object<tab>path`.
fn tree_entry(listed: &[u8]) -> Option<TreeEntry> {
    let at = listed.iter().position(|byte| *byte == b'\t')?;
    let mut words = std::str::from_utf8(listed.get(..at)?).ok()?.split(' ');
    let (mode, kind, object) = (words.next()?.to_owned(), words.next()?.to_owned(), words.next()?.to_owned());
    let path = list::paths(&[listed.get(at + 1..)?, &[0]].concat()).pop()?;
    Some(TreeEntry { mode, kind, object, path })
}

struct TreeEntry {
    mode: String,
    kind: String,
    object: String,
    path: PathBuf,
}
