//! Baselines: the findings that stood there before, which do not count.
//!
//! A finding is known again by its file, its rule, what stands there, and the how manieth of its kind it is. What an entry of a
//! file that is gone would accept, it accepts in any other file: the file may have been moved.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::accept::acceptance::{Acceptance, Basis, Remark, RemarkKind, UNDETERMINED};
use crate::accept::entry::BaselineEntry;
use crate::accept::fingerprint::Salt;
use crate::accept::given::Given;
use crate::accept::opinion::{self, Opinion};
use crate::rule::Match;
use crate::subject::{Subject, Undetermined};
use crate::value::severity::Severity;
use crate::value::source::SourceName;
use crate::value::verdict::Verdict;

/// SHA-256 of everything that a source holds.
pub type Content = [u8; 32];

/// The findings that stood there before.
#[derive(Debug)]
pub struct Baseline {
    /// What is hashed with everything.
    pub salt: Salt,
    /// The folder to which its paths are relative, absolute.
    folder: PathBuf,
    acceptance: Arc<Acceptance>,
    /// Whatever is found is taken in.
    takes_all: bool,
    /// All files that were judged count, and so do entries of files that are gone.
    pub judges_all: bool,
    known: Vec<Known>,
    by_path: HashMap<String, Entries>,
    /// Entries of files that are gone, by fingerprint and occurrence.
    gone: HashMap<Key, Vec<usize>>,
    /// What was accepted, as it stands there now.
    found: Mutex<Vec<BaselineEntry>>,
}

/// A fingerprint and the how manieth of its kind.
type Key = (String, u32);

#[derive(Debug)]
struct Known {
    entry: BaselineEntry,
    is_gone: bool,
    used: AtomicBool,
}

/// The entries of a file.
#[derive(Debug, Default)]
struct Entries {
    by_key: HashMap<Key, usize>,
    /// The file was judged.
    seen: AtomicBool,
}

/// A source as a baseline sees it: its path, and how many findings of each kind were seen in it so far.
#[derive(Debug)]
pub struct Sight {
    path: String,
    counts: HashMap<String, u32>,
}

/// A finding as it is looked for.
struct Sought {
    rule: String,
    fingerprint: String,
    severity: Option<Severity>,
    line: Option<u32>,
}

impl Baseline {
    /// A baseline of entries. `folder` is that to which their paths are relative, absolute; what stands in it no more tells `is_gone`.
    pub fn new(salt: Salt, folder: PathBuf, acceptance: Acceptance, entries: Vec<BaselineEntry>, is_gone: impl Fn(&str) -> bool) -> Self {
        let mut baseline = Self {
            salt,
            folder: plain(&folder),
            acceptance: Arc::new(acceptance),
            takes_all: false,
            judges_all: false,
            known: Vec::with_capacity(entries.len()),
            by_path: HashMap::new(),
            gone: HashMap::new(),
            found: Mutex::default(),
        };
        let mut files: HashMap<String, bool> = HashMap::new();
        for (index, entry) in entries.into_iter().enumerate() {
            let key = (entry.fingerprint.clone(), entry.occurrence);
            let is_gone = *files.entry(entry.path.clone()).or_insert_with(|| is_gone(&entry.path));
            if is_gone {
                baseline.gone.entry(key.clone()).or_default().push(index);
            }
            baseline.by_path.entry(entry.path.clone()).or_default().by_key.insert(key, index);
            baseline.known.push(Known { entry, is_gone, used: AtomicBool::new(false) });
        }
        baseline
    }

    /// A baseline that takes in whatever is found.
    pub fn taking(salt: Salt, folder: PathBuf, acceptance: Acceptance) -> Self {
        Self { takes_all: true, ..Self::new(salt, folder, acceptance, Vec::new(), |_| false) }
    }

    /// On what basis it accepts.
    pub fn basis(&self) -> Basis {
        self.acceptance.basis
    }

    /// How many findings it knows.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns true if and only if it knows no findings.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// A source of this absolute path, if it lies in the folder of the baseline.
    pub fn sight(&self, whole: &Path) -> Option<Sight> {
        let whole = plain(whole);
        let inside = whole.strip_prefix(&self.folder).ok()?;
        let path = SourceName::walked(inside).as_text();
        if let Some(entries) = self.by_path.get(&path) {
            entries.seen.store(true, Ordering::Relaxed);
        }
        Some(Sight { path, counts: HashMap::new() })
    }

    /// Whether such a hit, no worse than it, was found in the file of this absolute path; `place` is as for `accept`.
    pub fn knows(&self, whole: &Path, found: &Match, (text, given): (&str, &Given<'_>)) -> bool {
        let Some(Sight { path, .. }) = self.sight(whole) else { return false };
        let Some(entries) = self.by_path.get(&path) else { return false };
        let fingerprint = self.salt.of_match(found, text, given);
        let known = (1..).map_while(|occurrence| entries.by_key.get(&(fingerprint.clone(), occurrence)));
        known.filter_map(|index| self.known.get(*index)).any(|known| Some(found.severity) <= known.entry.severity)
    }

    /// Why a hit on a line does not count, if it does not. Its places are in a text, in which these calls stand.
    pub fn accept(&self, sight: &mut Sight, (found, line): (&Match, u32), (text, given): (&str, &Given<'_>)) -> Option<Arc<Acceptance>> {
        let fingerprint = self.salt.of_match(found, text, given);
        let rule = found.rule.id.to_string();
        self.settle(sight, Sought { rule, fingerprint, severity: Some(found.severity), line: Some(line) })
    }

    /// Why it does not matter what models think of a subject as a whole, and answer so, if it does not.
    pub fn accept_opinion(&self, sight: &mut Sight, opinion: &Opinion, (subject, verdict): (&Subject, Verdict)) -> Option<Arc<Acceptance>> {
        let fingerprint = self.salt.of_opinion(opinion, subject);
        self.settle(sight, Sought { rule: opinion.rule(), fingerprint, severity: Some(opinion::severity(verdict)), line: None })
    }

    /// Why it does not matter that something could not be judged, if it does not.
    pub fn accept_undetermined(&self, sight: &mut Sight, undetermined: &Undetermined, content: &Content) -> Option<Arc<Acceptance>> {
        let fingerprint = self.salt.of_undetermined(undetermined, content);
        self.settle(sight, Sought { rule: UNDETERMINED.to_owned(), fingerprint, severity: None, line: None })
    }

    fn settle(&self, sight: &mut Sight, sought: Sought) -> Option<Arc<Acceptance>> {
        let Sought { rule, fingerprint, severity, line } = sought;
        let occurrence = sight.counts.entry(fingerprint.clone()).or_default();
        *occurrence += 1;
        let key = (fingerprint, *occurrence);
        let is_known = self.takes_all || self.use_entry(&sight.path, &key, severity);
        is_known.then(|| {
            let (fingerprint, occurrence) = key;
            let entry = BaselineEntry { path: sight.path.clone(), rule, fingerprint, occurrence, severity, line };
            // A list is whole even where another thread ended while it held the lock.
            self.found.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
            Arc::clone(&self.acceptance)
        })
    }

    /// Uses the entries that fit; what got worse than it was is not known.
    fn use_entry(&self, path: &str, key: &Key, severity: Option<Severity>) -> bool {
        let fits = |known: &&Known| severity <= known.entry.severity;
        let own = self.by_path.get(path).and_then(|entries| self.known.get(*entries.by_key.get(key)?)).filter(fits);
        if let Some(own) = own {
            own.used.store(true, Ordering::Relaxed);
            return true;
        }
        let moved = self.gone.get(key).into_iter().flatten().filter_map(|index| self.known.get(*index)).filter(fits);
        moved.inspect(|known| known.used.store(true, Ordering::Relaxed)).count() != 0
    }

    /// The findings that it accepted, as they stand there now.
    pub fn found(&self) -> Vec<BaselineEntry> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The entries that fit nothing any more, in files that were judged or are gone.
    pub fn unused(&self) -> Vec<&BaselineEntry> {
        let is_judged = |known: &Known| self.by_path.get(&known.entry.path).is_some_and(|entries| entries.seen.load(Ordering::Relaxed));
        let is_unused = |known: &&Known| !known.used.load(Ordering::Relaxed) && (is_judged(known) || known.is_gone && self.judges_all);
        self.known.iter().filter(is_unused).map(|known| &known.entry).collect()
    }

    /// What is left once what fits nothing any more is taken out, and moved files are known by their new names.
    pub fn pruned(&self) -> Vec<BaselineEntry> {
        let unused = self.unused();
        let is_left = |known: &&Known| !known.used.load(Ordering::Relaxed) && !unused.contains(&&known.entry);
        self.found().into_iter().chain(self.known.iter().filter(is_left).map(|known| known.entry.clone())).collect()
    }

    /// What is the matter with it, after everything was judged.
    pub fn remark(&self) -> Option<Remark> {
        let unused = self.unused();
        if self.basis() != Basis::Baseline || unused.is_empty() {
            return None;
        }
        let mut files: BTreeMap<&str, usize> = BTreeMap::new();
        unused.iter().for_each(|entry| *files.entry(&entry.path).or_default() += 1);
        let (first, more) = (files.keys().next().copied().unwrap_or_default(), files.len() - 1);
        let place = if more == 0 { format!("in {first}") } else { format!("in {first} and {more} more file{}", plural(more)) };
        let detail = format!("{} entr{} nothing any more {place}", unused.len(), if unused.len() == 1 { "y fits" } else { "ies fit" });
        Some(Remark { place: self.acceptance.place.clone(), kind: RemarkKind::Unused, detail })
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// A path without `.` and `..`, as it is written: what links lead to is not asked.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => plain.push(component),
        }
    }
    plain
}
