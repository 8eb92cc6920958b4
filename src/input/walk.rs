//! What a walk comes upon, and what it is told to leave out.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::input::identity::FileId;
use crate::input::read::Content;
use crate::input::vouched::Vouched;
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
    /// Globs of what is left out of what an agent hands over; the others say nothing of it.
    pub exclude_of_handed: Excludes,
    /// Whether a name claims to hold what an agent hands over.
    pub is_handed: fn(&Path) -> bool,
    /// All of it is what an agent hands over, whatever its name.
    pub all_handed: bool,
    /// Leave out what the globs name even where the user named it.
    pub force_exclude: bool,
    /// Files that stand in a list of all there are: what turns out to be something else is passed over, as in a walk.
    pub listed: HashSet<PathBuf>,
    /// The kind that a name claims: a link and the file that it leads to may claim different ones.
    pub kind_of: KindOf,
    /// What lies there only because of this run.
    pub traces: Traces,
    /// Where ignore files come from, if not from what is walked.
    pub vouched: Option<Arc<Vouched>>,
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
            exclude_of_handed: Excludes::default(),
            is_handed: |_| false,
            all_handed: false,
            force_exclude: false,
            listed: HashSet::new(),
            kind_of: |_| None,
            traces: Traces::default(),
            vouched: None,
        }
    }
}

impl WalkOptions {
    /// Whether the globs name what the user named, too.
    pub fn excludes_named(&self, path: &Path) -> bool {
        let exclude = if self.may_be_handed(path) { &self.exclude_of_handed } else { &self.exclude };
        exclude.matches(path)
    }

    /// Whether something of this name may be what an agent hands over.
    pub(super) fn may_be_handed(&self, path: &Path) -> bool {
        self.all_handed || (self.is_handed)(path)
    }

    /// Whether what a walk leaves out is judged all the same, if it turns out to be what an agent hands over. The manifest of a package
    /// is none: it belongs to the folder in which it lies.
    pub(super) fn is_judged_if_handed(&self, path: &Path) -> bool {
        let is_manifest = path.file_name().is_some_and(|name| name == "package.json");
        self.may_be_handed(path) && (self.all_handed || !is_manifest) && !self.exclude_of_handed.matches(path)
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
    /// A file to judge only if it holds what an agent hands over. Otherwise it is left out, for itself or with a folder that was told.
    Handed {
        /// The name.
        name: SourceName,
        /// It is left out with a folder.
        is_told: bool,
    },
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
    /// SHA-256 of everything that was read, if that is all there is.
    pub digest: Option<[u8; 32]>,
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
