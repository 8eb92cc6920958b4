//! The walk of one folder: what lies in it and is not left out, and where its links lead.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::WalkBuilder;

use crate::input::identity::{FileId, plain};
use crate::input::ignored::Ignored;
use crate::input::walk::{Found, WalkOptions, names};
use crate::subject::passed::Passed;
use crate::subject::{Reason, Undetermined};
use crate::value::source::SourceName;

/// The folders that were walked, in their plain form. None is walked twice, so that no links make a walk endless, or longer
/// than all that there is.
type Walked = Arc<Mutex<HashSet<PathBuf>>>;
/// What was left out since it was last asked for.
type LeftOut = Arc<Mutex<Vec<(PathBuf, Passed)>>>;

/// The walk of a folder that was named. Its links come last, so that what they lead to is known by its own name first.
pub struct FolderWalk {
    place: PathBuf,
    plain_place: PathBuf,
    ignored: Arc<Ignored>,
    entries: Option<ignore::Walk>,
    walked: Walked,
    left_out: LeftOut,
    links: VecDeque<PathBuf>,
    waiting: VecDeque<Come>,
}

/// What is come upon, and its name in the plain form.
type Come = (Found, PathBuf);

impl FolderWalk {
    /// Begins the walk of a folder.
    pub fn new(root: &Path, options: &WalkOptions) -> Self {
        let walked = Walked::default();
        let ignored = Arc::new(Ignored::new(root, options.vouched.clone()));
        let left_out = LeftOut::default();
        let entries = entries(root, options, &ignored, (&walked, &left_out));
        Self {
            place: root.to_path_buf(),
            plain_place: plain(root),
            ignored,
            entries: Some(entries),
            walked,
            left_out,
            links: VecDeque::new(),
            waiting: VecDeque::new(),
        }
    }

    /// What is come upon next. Links are followed to all files, and to folders inside those that were named.
    pub fn next(&mut self, options: &WalkOptions, named: &[PathBuf]) -> Option<Come> {
        loop {
            if let Some(found) = self.waiting.pop_front() {
                return Some(found);
            }
            let entry = self.entries.as_mut().map(Iterator::next);
            self.take_left_out();
            match entry {
                Some(Some(entry)) => self.take(entry, options),
                Some(None) => {
                    self.entries = None;
                    let faults = self.ignored.take_faults().into_iter();
                    self.waiting.extend(faults.map(|(path, undetermined)| unwalkable(path, undetermined)));
                }
                None => {
                    let link = self.links.pop_front()?;
                    self.follow(link, options, named);
                }
            }
        }
    }

    fn take_left_out(&mut self) {
        let left_out = std::mem::take(&mut *self.left_out.lock().unwrap_or_else(PoisonError::into_inner));
        for (path, kind) in left_out {
            let plain_name = self.plain_name(&path);
            self.waiting.push_back((Found::LeftOut(SourceName::walked(path), kind), plain_name));
        }
    }

    fn take(&mut self, entry: Result<ignore::DirEntry, ignore::Error>, options: &WalkOptions) {
        match entry {
            Ok(entry) => match entry.file_type() {
                Some(kind) if kind.is_symlink() && 0 < entry.depth() => self.links.push_back(entry.into_path()),
                Some(kind) if kind.is_dir() || kind.is_symlink() => {}
                Some(_) => self.waiting.extend(found(&entry, options).map(|found| (found, self.plain_name(entry.path())))),
                None => {}
            },
            Err(error) => {
                let path = path_of(&error).unwrap_or(&self.place).to_path_buf();
                let undetermined = Undetermined::new(Reason::Unreadable, reason_of(&error));
                self.waiting.push_back(unwalkable(path, undetermined));
            }
        }
    }

    fn follow(&mut self, link: PathBuf, options: &WalkOptions, named: &[PathBuf]) {
        if !link.is_dir() {
            let is_excluded = options.exclude.matches(&link);
            let plain_name = plain(&link);
            let found = |name: PathBuf| match is_excluded || options.exclude.matches(&name) {
                false => Some(Found::File(SourceName::walked(name))),
                true if !options.is_judged_if_handed(&name) => None,
                true => Some(Found::Handed { name: SourceName::walked(name), is_told: true }),
            };
            self.waiting = names(&link, options).into_iter().filter_map(found).map(|found| (found, plain_name.clone())).collect();
            return;
        }
        let folder = plain(&link);
        if !named.iter().any(|root| folder.starts_with(root)) {
            self.waiting.push_back((Found::LeftOut(SourceName::walked(link), Passed::Other), folder));
        } else if !lock(&self.walked).contains(&folder) {
            self.ignored = Arc::new(Ignored::new(&link, options.vouched.clone()));
            self.entries = Some(entries(&link, options, &self.ignored, (&self.walked, &self.left_out)));
            (self.place, self.plain_place) = (link, folder);
        }
    }

    /// Below a folder no link is followed, so what is plain above is plain below.
    fn plain_name(&self, path: &Path) -> PathBuf {
        self.plain_place.join(path.strip_prefix(&self.place).unwrap_or(path))
    }
}

fn unwalkable(path: PathBuf, undetermined: Undetermined) -> Come {
    let plain_name = plain(&path);
    (Found::Unwalkable(SourceName::walked(path), undetermined), plain_name)
}

fn lock(walked: &Walked) -> std::sync::MutexGuard<'_, HashSet<PathBuf>> {
    // A set is right even where another thread ended while it held the lock.
    walked.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What stands below a folder and is not left out. Only that it walks is left to the builder: it would
/// open whatever has the name of an ignore file.
fn entries(root: &Path, options: &WalkOptions, ignored: &Arc<Ignored>, (walked, left_out): (&Walked, &LeftOut)) -> ignore::Walk {
    let (chosen, ignored) = (options.clone(), Arc::clone(ignored));
    let why_left_out = move |entry: &ignore::DirEntry, is_folder: bool| {
        let is_hidden = || !chosen.hidden && entry.file_name().as_encoded_bytes().starts_with(b".");
        let said = if chosen.no_ignore { None } else { ignored.says(entry.path(), is_folder) };
        said.map_or_else(|| is_hidden().then_some(Passed::Hidden), |said| said.then_some(Passed::Ignored))
    };
    let (left_out, chosen) = (Arc::clone(left_out), options.clone());
    let is_left_out = move |entry: &ignore::DirEntry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        // What git keeps for itself is no part of what is walked.
        if is_folder && entry.file_name() == ".git" && 0 < entry.depth() {
            return true;
        }
        let is_excluded = chosen.exclude.matches(entry.path());
        let why = why_left_out(entry, is_folder);
        let is_kept = why.is_none() && (!is_excluded || may_hold_handed(entry, is_folder, &chosen));
        let is_told = is_excluded && 1 < entry.depth() && entry.path().parent().is_some_and(|folder| chosen.exclude.matches(folder));
        if !is_told && (!is_kept || is_excluded && is_folder) {
            let kind = if is_excluded { Passed::Excluded } else { why.unwrap_or(Passed::Excluded) };
            left_out.lock().unwrap_or_else(PoisonError::into_inner).push((entry.path().to_path_buf(), kind));
        }
        !is_kept
    };
    let (place, plain_place, walked) = (root.to_path_buf(), plain(root), Arc::clone(walked));
    lock(&walked).insert(plain_place.clone());
    let is_walked = move |entry: &ignore::DirEntry| {
        let below = entry.path().strip_prefix(&place).unwrap_or_else(|_| entry.path());
        entry.file_type().is_some_and(|kind| kind.is_dir()) && !lock(&walked).insert(plain_place.join(below))
    };
    WalkBuilder::new(root)
        .standard_filters(false)
        .follow_links(false)
        .sort_by_file_name(|left, right| left.cmp(right))
        .filter_entry(move |entry| !is_left_out(entry) && !is_walked(entry))
        .build()
}

/// Whether something that is left out may be, or hold, what is judged all the same.
fn may_hold_handed(entry: &ignore::DirEntry, is_folder: bool, options: &WalkOptions) -> bool {
    let is_link = entry.file_type().is_some_and(|kind| kind.is_symlink());
    if is_folder { !options.exclude_of_handed.matches(entry.path()) } else { is_link || options.is_judged_if_handed(entry.path()) }
}

/// What a file is that a walk came upon.
fn found(entry: &ignore::DirEntry, options: &WalkOptions) -> Option<Found> {
    let found = file(entry, options)?;
    let Found::File(name) = found else { return Some(found) };
    if !options.exclude.matches(entry.path()) {
        return Some(Found::File(name));
    }
    let is_told = 1 < entry.depth() && entry.path().parent().is_some_and(|folder| options.exclude.matches(folder));
    Some(Found::Handed { name, is_told })
}

fn file(entry: &ignore::DirEntry, options: &WalkOptions) -> Option<Found> {
    let name = || SourceName::walked(entry.path());
    let traces = &options.traces;
    if traces.unfinished.is_empty() && traces.redirected.is_none() {
        return Some(Found::File(name()));
    }
    let id = entry.metadata().ok().and_then(|metadata| FileId::known(entry.path(), &metadata).ok());
    match id {
        Some(id) if traces.unfinished.contains(&id) => None,
        Some(id) if traces.redirected.as_ref() == Some(&id) => Some(Found::LeftOut(name(), Passed::Other)),
        Some(_) | None => Some(Found::File(name())),
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
