//! Walks folders in a fixed order and finds the files to judge.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use globset::{Glob, GlobSet, GlobSetBuilder};
use ignore::WalkBuilder;

use crate::input::ignored::Ignored;
use crate::subject::passed::Passed;
use crate::subject::{Reason, Undetermined};
use crate::value::source::SourceName;

/// How folders are walked.
#[derive(Clone, Debug, Default)]
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
}

/// Globs of what is left out, as in a `.gitignore`: without a slash they match at any depth.
#[derive(Clone, Debug)]
pub struct Excludes {
    globs: GlobSet,
}

impl Default for Excludes {
    fn default() -> Self {
        Self { globs: GlobSet::empty() }
    }
}

impl Excludes {
    /// Compiles globs.
    ///
    /// # Errors
    ///
    /// The first glob that is none.
    pub fn new(globs: &[String]) -> Result<Self, globset::Error> {
        let mut builder = GlobSetBuilder::new();
        for glob in globs {
            let rooted = glob.strip_prefix("./").unwrap_or(glob).trim_end_matches('/');
            let anywhere = if rooted.contains('/') { rooted.trim_start_matches('/').to_owned() } else { format!("**/{rooted}") };
            builder.add(Glob::new(&anywhere)?);
            builder.add(Glob::new(&format!("{anywhere}/**"))?);
        }
        Ok(Self { globs: builder.build()? })
    }

    /// Returns true if and only if the path is left out.
    pub fn matches(&self, path: &Path) -> bool {
        let relative = path.strip_prefix("./").unwrap_or(path);
        let from_here = std::env::current_dir().ok().and_then(|here| relative.strip_prefix(here).ok().map(Path::to_path_buf));
        !self.globs.is_empty() && self.globs.is_match(from_here.as_deref().unwrap_or(relative))
    }
}

/// Something a walk came upon.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A file to judge.
    File(SourceName),
    /// Something that could not be walked.
    Unwalkable(SourceName, Undetermined),
    /// A file or folder that is left out, with all that is in it.
    LeftOut(SourceName, Passed),
}

/// What a walk left out since it was last asked.
type LeftOut = Arc<Mutex<Vec<Found>>>;

/// Everything that the roots lead to, in order of the roots and of the names below them. Files that
/// several roots lead to come once.
pub fn walk<'o>(roots: &'o [PathBuf], options: &'o WalkOptions) -> impl Iterator<Item = Found> + 'o {
    let mut seen = HashSet::new();
    roots.iter().flat_map(move |root| walk_root(root, options)).filter(move |found| match found {
        Found::File(name) | Found::Unwalkable(name, _) | Found::LeftOut(name, _) => seen.insert(name.path().to_path_buf()),
    })
}

fn walk_root<'o>(root: &'o Path, options: &'o WalkOptions) -> Box<dyn Iterator<Item = Found> + 'o> {
    if !root.is_dir() {
        let is_excluded = options.force_exclude && options.exclude.matches(root);
        let name = if options.listed.contains(root) { SourceName::walked(root) } else { SourceName::explicit(root) };
        return Box::new(std::iter::once(if is_excluded { Found::LeftOut(name, Passed::Excluded) } else { Found::File(name) }));
    }
    let ignored = Arc::new(Ignored::new(root));
    let left_out = LeftOut::default();
    let entries = entries(root, options, Arc::clone(&ignored), Arc::clone(&left_out));
    let take = move || std::mem::take(&mut *left_out.lock().unwrap_or_else(PoisonError::into_inner));
    let rest = take.clone();
    let entries = entries.flat_map(move |entry| take().into_iter().chain(found(entry, root)));
    let entries = entries.chain(std::iter::once_with(rest).flatten());
    let faults = std::iter::once_with(move || ignored.take_faults()).flatten();
    let faults = faults.map(|(path, undetermined)| Found::Unwalkable(SourceName::walked(path), undetermined));
    Box::new(entries.chain(faults))
}

/// What stands below a folder and is not left out. Only that it walks is left to the builder: it would
/// open whatever has the name of an ignore file.
fn entries(root: &Path, options: &WalkOptions, ignored: Arc<Ignored>, left_out: LeftOut) -> ignore::Walk {
    let (no_ignore, hidden, exclude) = (options.no_ignore, options.hidden, options.exclude.clone());
    let why_left_out = move |entry: &ignore::DirEntry, is_folder: bool| {
        let said = if no_ignore { None } else { ignored.says(entry.path(), is_folder) };
        let is_hidden = || !hidden && entry.file_name().as_encoded_bytes().starts_with(b".");
        if exclude.matches(entry.path()) {
            return Some(Passed::Excluded);
        }
        said.map_or_else(|| is_hidden().then_some(Passed::Hidden), |said| said.then_some(Passed::Ignored))
    };
    let is_left_out = move |entry: &ignore::DirEntry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        // What git keeps for itself is no part of what is walked.
        if is_folder && entry.file_name() == ".git" && 0 < entry.depth() {
            return true;
        }
        let why = why_left_out(entry, is_folder);
        let found = why.map(|why| Found::LeftOut(SourceName::walked(entry.path()), why));
        left_out.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
        why.is_some()
    };
    WalkBuilder::new(root)
        .standard_filters(false)
        .follow_links(false)
        .sort_by_file_name(|left, right| left.cmp(right))
        .filter_entry(move |entry| !is_left_out(entry))
        .build()
}

fn found(entry: Result<ignore::DirEntry, ignore::Error>, root: &Path) -> Option<Found> {
    match entry {
        Ok(entry) => {
            let kind = entry.file_type()?;
            if kind.is_dir() {
                return None;
            }
            // Folders behind links are not walked, so that no walk is endless; files behind links are
            // judged under the link's name, which may claim another kind than the file's own.
            if kind.is_symlink() && entry.path().is_dir() {
                return None;
            }
            Some(Found::File(SourceName::walked(entry.path())))
        }
        Err(error) => {
            let path = path_of(&error).unwrap_or(root).to_path_buf();
            Some(Found::Unwalkable(SourceName::walked(path), Undetermined::new(Reason::Unreadable, reason_of(&error))))
        }
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        ignore::Error::Loop { child, .. } => Some(child),
        _ => None,
    }
}

/// The error without the path that it repeats.
fn reason_of(error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithPath { err, .. } | ignore::Error::WithDepth { err, .. } => reason_of(err),
        ignore::Error::Io(error) => error.to_string(),
        error => error.to_string(),
    }
}
