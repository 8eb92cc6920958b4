//! Changes only: which files changed since a revision, and what was found in them there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::accept::acceptance::{Acceptance, Basis};
use crate::accept::baseline::Baseline;
use crate::accept::fingerprint::Salt;
use crate::cli::failure::Failure;
use crate::cli::git::changes::{Change, Changes, since};
use crate::cli::git::objects::Objects;
use crate::cli::git::revision::Revision;
use crate::cli::settings::Settings;
use crate::finding::Entry;
use crate::finding::delta::{Delta, FileDelta, Gone};
use crate::value::source::SourceName;

/// What changed since a revision.
#[derive(Debug)]
pub struct Changed {
    /// The last commit in common with what was named.
    revision: Revision,
    changes: Vec<Change>,
    /// How many folders were left out because they are other repositories.
    pub repositories: usize,
}

impl Changed {
    /// The files that changed since this branch left a revision; of these only what is named, if anything is.
    ///
    /// # Errors
    ///
    /// When git does not know the revision, or nothing in common with it.
    pub fn since(revision: &str, named: &[PathBuf], settings: &Settings) -> Result<Self, Failure> {
        let revision = Revision::of(revision)?.merge_base()?;
        let Changes { mut changes, repositories } = since(&revision, settings.walk.vouched.as_ref())?;
        let named: Vec<PathBuf> = named.iter().map(|path| whole(path)).collect();
        changes.retain(|change| named.is_empty() || named.iter().any(|path| revision.top.join(&change.path).starts_with(path)));
        Ok(Self { revision, changes, repositories })
    }

    /// The files that are there now, as they are named from here.
    pub fn paths(&self) -> Vec<PathBuf> {
        let here = std::env::current_dir().unwrap_or_default();
        let there = self.changes.iter().filter(|change| change.is_there).map(|change| self.revision.top.join(&change.path));
        there.map(|path| path.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(path)).collect()
    }

    /// Judges what the files were, so that what is found again does not count.
    ///
    /// # Errors
    ///
    /// When git cannot be asked, or the workers cannot be started.
    pub fn compare(&self, settings: &mut Settings) -> Result<(), Failure> {
        let Revision { commit, top, .. } = &self.revision;
        let acceptance = || Acceptance {
            basis: Basis::Revision,
            reason: format!("it stood there in {} already", self.revision.shown()),
            owner: None,
            expires: None,
            place: commit.clone(),
        };
        let salt = Salt::random();
        settings.scanner.acceptances.baselines.push(Baseline::taking(salt.clone(), top.clone(), acceptance()));
        let folder = settings.scanner.acceptances.folder.replace(top.clone());
        self.judge_old(settings)?;
        settings.scanner.acceptances.folder = folder;
        settings.scanner.sessions.forget();
        let old = settings.scanner.acceptances.baselines.pop().map(|baseline| baseline.found()).unwrap_or_default();
        let mut old = Baseline::new(salt, top.clone(), acceptance(), old, |path| !top.join(path).exists());
        old.judges_all = true;
        settings.scanner.acceptances.baselines.push(old);
        Ok(())
    }

    fn judge_old(&self, settings: &Settings) -> Result<(), Failure> {
        let mut objects = Objects::open()
            .map_err(|error| Failure::Git { detail: format!("git: {error}"), help: "check that git is installed".to_owned() })?;
        let limit = settings.scanner.read.limits.file_size;
        let old = self.changes.iter().filter_map(|change| Some((change, change.old.as_ref()?)));
        let old = old.filter(|(change, _)| !settings.walk.excludes_named(&change.path));
        let found = old.map(|(change, object)| objects.given(object, SourceName::walked(&change.path), limit));
        settings.scanner.scan_found(found, |_| {})?;
        Ok(())
    }

    /// How what was found differs; `tally` has counted it.
    pub fn delta(&self, settings: &Settings, tally: Tally) -> Delta {
        let mut files = tally.files;
        let here = std::env::current_dir().unwrap_or_default();
        let mut named: BTreeMap<String, FileDelta> = BTreeMap::new();
        for (path, counted) in std::mem::take(&mut files) {
            let path = here.join(path);
            let path = SourceName::walked(path.strip_prefix(&self.revision.top).unwrap_or(&path)).as_text();
            named.insert(path.clone(), FileDelta { path, ..counted });
        }
        let old = settings.scanner.acceptances.baselines.iter().filter(|baseline| baseline.basis() == Basis::Revision);
        for entry in old.flat_map(Baseline::unused) {
            let file = named.entry(entry.path.clone()).or_insert_with(|| FileDelta { path: entry.path.clone(), ..FileDelta::default() });
            file.gone.push(Gone { rule: entry.rule.clone(), severity: entry.severity, line: entry.line });
        }
        let mut files: Vec<FileDelta> = named.into_values().filter(|file| 0 < file.added + file.kept + file.gone.len()).collect();
        files.iter_mut().for_each(|file| file.gone.sort_by(|left, right| (left.line, &left.rule).cmp(&(right.line, &right.rule))));
        Delta { revision: self.revision.name.clone(), commit: self.revision.commit.clone(), files }
    }
}

/// How much was found in each file, as it comes.
#[derive(Debug, Default)]
pub struct Tally {
    files: BTreeMap<PathBuf, FileDelta>,
}

impl Tally {
    /// Counts an entry.
    pub fn take(&mut self, entry: &Entry) {
        let kept = entry.acceptances().into_iter().filter(|acceptance| acceptance.basis == Basis::Revision).count();
        let found = entry.finding().map_or(0, |finding| finding.matches.len() + finding.further_matches);
        let file = self.files.entry(entry.name().path().to_path_buf()).or_default();
        file.kept += kept;
        file.added += found + usize::from(entry.is_undetermined());
    }
}

fn whole(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
}
