//! Acceptances in the settings: by rule, path, reason, owner and last day.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::accept::acceptance::{Acceptance, Remark, RemarkKind};
use crate::input::walk::Excludes;

/// An entry of the settings.
#[derive(Debug)]
pub struct Listed {
    /// The ids of the rules whose findings it accepts; `undetermined` for what could not be judged.
    pub rules: Vec<String>,
    /// Globs of the files in which it does.
    pub paths: Excludes,
    /// The folder to which the globs are relative, absolute.
    pub folder: PathBuf,
    /// What is told of each of them.
    pub acceptance: Arc<Acceptance>,
    /// Its last day is over, so it accepts nothing.
    pub is_expired: bool,
    /// A file was judged in which it accepts something, and something was accepted.
    seen: Seen,
}

#[derive(Debug, Default)]
struct Seen {
    fitted: AtomicBool,
    used: AtomicBool,
}

impl Listed {
    /// An entry; `is_expired` if its last day is over.
    pub fn new(rules: Vec<String>, paths: Excludes, folder: PathBuf, acceptance: Acceptance, is_expired: bool) -> Self {
        Self { rules, paths, folder, acceptance: Arc::new(acceptance), is_expired, seen: Seen::default() }
    }

    /// Returns true if and only if it speaks of the source of this absolute path.
    pub fn fits(&self, whole: &Path) -> bool {
        let inside: Option<&Path> = whole.strip_prefix(&self.folder).ok();
        let fits = inside.is_some_and(|inside| self.paths.matches(inside));
        if fits {
            self.seen.fitted.store(true, Ordering::Relaxed);
        }
        fits
    }

    /// Why a hit of the rule does not count, if it does not.
    pub fn accept(&self, rule: &str) -> Option<Arc<Acceptance>> {
        let accepts = !self.is_expired && self.rules.iter().any(|own| own == rule);
        accepts.then(|| {
            self.seen.used.store(true, Ordering::Relaxed);
            Arc::clone(&self.acceptance)
        })
    }

    /// What is the matter with it, after everything was judged. What speaks of files that were not judged is not blamed.
    pub fn remark(&self) -> Option<Remark> {
        let remark = |kind, detail: String| Some(Remark { place: self.acceptance.place.clone(), kind, detail });
        if self.is_expired {
            let day = self.acceptance.expires.as_deref().unwrap_or("its last day");
            return remark(RemarkKind::Expired, format!("it counted until {day}"));
        }
        let is_unused = self.seen.fitted.load(Ordering::Relaxed) && !self.seen.used.load(Ordering::Relaxed);
        if is_unused { remark(RemarkKind::Unused, format!("`{}` finds nothing there", self.rules.join("`, `"))) } else { None }
    }
}
