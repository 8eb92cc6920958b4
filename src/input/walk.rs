//! Finds the files to judge, in a fixed order: those that are named, and those in folders. Each comes once, whatever names
//! lead to it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::input::folder::FolderWalk;
use crate::input::identity::{FileId, plain};
use crate::input::read::Content;
use crate::subject::Undetermined;
use crate::subject::passed::Passed;
use crate::value::source::SourceName;

/// The kind that a name claims, where it claims one that is judged.
pub type KindOf = fn(&Path) -> Option<&'static str>;

/// How folders are walked.
#[derive(Clone, Debug)]
pub struct WalkOptions {
    /// Also take what `.gitignore`, `.ignore` and `.callgateignore` name.
    pub no_ignore: bool,
    /// Also take hidden files and folders.
    pub hidden: bool,
    /// Globs of what is left out.
    pub exclude: Excludes,
    /// Leave out what the globs name even where the user named it.
    pub force_exclude: bool,
    /// Files that stand in a list of all there are: what turns out to be something else is passed over, as in a walk.
    pub listed: HashSet<PathBuf>,
    /// The kind that a name claims: a link and the file that it leads to may claim different ones.
    pub kind_of: KindOf,
    /// What lies there only because of this run.
    pub traces: Traces,
}

/// What a run leaves where it may walk.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    /// Files that are being written and are not in their place yet: nothing that the user has.
    pub unfinished: Vec<FileId>,
    /// The file that standard output was sent to, which is not what it was.
    pub redirected: Option<FileId>,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self {
            no_ignore: false,
            hidden: false,
            exclude: Excludes::default(),
            force_exclude: false,
            listed: HashSet::new(),
            kind_of: |_| None,
            traces: Traces::default(),
        }
    }
}

/// Globs of what is left out, as in a `.gitignore`: without a slash they match at any depth.
#[derive(Clone, Debug, Default)]
pub struct Excludes {
    /// Some compiled together; all at once would be more than one automaton may hold.
    globs: Vec<GlobSet>,
}

/// How many globs are compiled together.
const TOGETHER: usize = 500;

impl Excludes {
    /// Compiles globs.
    ///
    /// # Errors
    ///
    /// The first glob that is none.
    pub fn new(globs: &[String]) -> Result<Self, globset::Error> {
        let mut sets = Vec::new();
        for globs in globs.chunks(TOGETHER) {
            let mut builder = GlobSetBuilder::new();
            for glob in globs {
                let rooted = glob.strip_prefix("./").unwrap_or(glob).trim_end_matches('/');
                let anywhere = if rooted.contains('/') { rooted.trim_start_matches('/').to_owned() } else { format!("**/{rooted}") };
                builder.add(Glob::new(&anywhere)?);
                builder.add(Glob::new(&format!("{anywhere}/**"))?);
            }
            sets.push(builder.build()?);
        }
        Ok(Self { globs: sets })
    }

    /// Returns true if and only if the path is left out.
    pub fn matches(&self, path: &Path) -> bool {
        if self.globs.is_empty() {
            return false;
        }
        let relative = path.strip_prefix("./").unwrap_or(path);
        let from_here = std::env::current_dir().ok().and_then(|here| relative.strip_prefix(here).ok().map(Path::to_path_buf));
        self.globs.iter().any(|globs| globs.is_match(from_here.as_deref().unwrap_or(relative)))
    }
}

/// Something a walk came upon.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A file to judge.
    File(SourceName),
    /// Something that could not be walked.
    Unwalkable(SourceName, Undetermined),
    /// A file or folder that is left out, with all that is in it; also a link out of what was named, and the file that the
    /// report is written to.
    LeftOut(SourceName, Passed),
    /// A text to judge that is no file of this name, but was read for it.
    Given(Given),
}

/// A text with its name, read already.
#[derive(Debug, PartialEq, Eq)]
pub struct Given {
    /// The name.
    pub name: SourceName,
    /// What was read.
    pub content: Result<Content, Undetermined>,
    /// How it begins, where it is too large to be read whole.
    pub beginning: String,
}

/// Everything that the roots lead to, in order of the roots and of the names below them, links last. A file that several names
/// lead to comes once, under the first of them; under two, where they claim different kinds.
pub fn walk<'o>(roots: &'o [PathBuf], options: &'o WalkOptions) -> impl Iterator<Item = Found> + 'o {
    Walk::new(roots, options)
}

/// A file and the kind that a name of it claims.
type Reading = (PathBuf, Option<&'static str>);

struct Walk<'o> {
    options: &'o WalkOptions,
    roots: std::slice::Iter<'o, PathBuf>,
    /// The folders that were named, in their plain form: a link that leads into one is followed.
    named_folders: Vec<PathBuf>,
    /// The files that were named themselves: a walk leaves them to their names, because what is named is held to more.
    named_files: HashSet<Reading>,
    walked: HashSet<PathBuf>,
    seen: HashSet<Reading>,
    left_out: HashSet<PathBuf>,
    folder: Option<FolderWalk>,
    waiting: Vec<(Found, PathBuf)>,
}

impl<'o> Walk<'o> {
    fn new(roots: &'o [PathBuf], options: &'o WalkOptions) -> Self {
        let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) = roots.iter().partition(|root| root.is_dir());
        let named = files.into_iter().filter(|file| !options.listed.contains(*file));
        let readings = |file: &PathBuf| names(file, options).into_iter().map(|name| (plain(&name), (options.kind_of)(&name)));
        let named_files = named.flat_map(readings).collect();
        Self {
            options,
            roots: roots.iter(),
            named_folders: folders.into_iter().map(|folder| plain(folder)).collect(),
            named_files,
            walked: HashSet::new(),
            seen: HashSet::new(),
            left_out: HashSet::new(),
            folder: None,
            waiting: Vec::new(),
        }
    }

    /// Begins with a root: a folder is walked, anything else is a file.
    fn begin(&mut self, root: &'o Path) {
        if root.is_dir() {
            if self.walked.insert(plain(root)) {
                self.folder = Some(FolderWalk::new(root, self.options));
            }
            return;
        }
        let is_excluded = |name: &Path| self.options.force_exclude && self.options.exclude.matches(name);
        let is_listed = self.options.listed.contains(root);
        let source = |name: PathBuf| if is_listed { SourceName::walked(name) } else { SourceName::explicit(name) };
        let found = |name: PathBuf| match is_excluded(root) || is_excluded(&name) {
            true => Found::LeftOut(source(name), Passed::Excluded),
            false => Found::File(source(name)),
        };
        self.waiting = names(root, self.options).into_iter().map(|name| (found(name), plain(root))).collect();
        self.waiting.reverse();
    }

    /// Whether something was not come upon before.
    fn is_first(&mut self, found: &Found, plain_name: PathBuf) -> bool {
        let (Found::File(name) | Found::Unwalkable(name, _) | Found::LeftOut(name, _) | Found::Given(Given { name, .. })) = found;
        let reading = (plain_name, (self.options.kind_of)(name.path()));
        if !name.explicit && self.named_files.contains(&reading) {
            return false;
        }
        match found {
            // Another root may lead to what one leaves out.
            Found::LeftOut(..) => self.left_out.insert(reading.0),
            Found::File(_) | Found::Unwalkable(..) | Found::Given(_) => self.seen.insert(reading),
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let (found, plain_name) = match (self.waiting.pop(), &mut self.folder) {
                (Some(found), _) => found,
                (None, Some(folder)) => match folder.next(self.options, &self.named_folders) {
                    Some(found) => found,
                    None => {
                        self.folder = None;
                        continue;
                    }
                },
                (None, None) => {
                    let root = self.roots.next()?;
                    self.begin(root);
                    continue;
                }
            };
            if self.is_first(&found, plain_name) {
                return Some(found);
            }
        }
    }
}

/// The names under which a file is judged: its own, and if that is a link, also that of the file where it claims another kind. So
/// neither name makes a milder reading of it.
pub(super) fn names(file: &Path, options: &WalkOptions) -> Vec<PathBuf> {
    if !file.is_symlink() {
        return vec![file.to_path_buf()];
    }
    let Ok(target) = file.canonicalize() else { return vec![file.to_path_buf()] };
    match ((options.kind_of)(file), (options.kind_of)(&target)) {
        (None, Some(_)) => vec![from_here(target)],
        (Some(own), Some(of_target)) if own != of_target => vec![file.to_path_buf(), from_here(target)],
        (Some(_) | None, Some(_) | None) => vec![file.to_path_buf()],
    }
}

fn from_here(path: PathBuf) -> PathBuf {
    let here = std::env::current_dir().and_then(std::fs::canonicalize);
    here.ok().and_then(|here| path.strip_prefix(here).map(Path::to_path_buf).ok()).unwrap_or(path)
}
