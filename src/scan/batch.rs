//! Which sources are judged when, and on which thread; outcomes are handed on in the order in which sources were found.

use std::path::PathBuf;

use rayon::prelude::*;

use crate::finding::Entry;
use crate::format::script::nesting::STACK_SIZE;
use crate::input::roots::walk;
use crate::input::walk::{Found, WalkOptions};
use crate::scan::Scanner;
use crate::scan::outcome::Outcome;
use crate::subject::Undetermined;
use crate::subject::passed::PassedCounts;
use crate::value::source::Source;

/// How many files are read and judged together before the next ones are; bounds what is held in memory.
pub const BATCH: usize = 1_024;
/// As many where calls are numbered over all files: then whole subjects are held between reading and judging.
const NUMBERED_BATCH: usize = 64;

impl Scanner {
    /// Judges everything that the roots lead to, and hands the outcomes on in order.
    ///
    /// # Errors
    ///
    /// When the workers cannot be started.
    pub fn scan_paths(
        &self,
        roots: &[PathBuf],
        options: &WalkOptions,
        emit: impl FnMut(Entry) + Send,
    ) -> Result<PassedCounts, rayon::ThreadPoolBuildError> {
        self.scan_batches(walk(roots, options), if self.numbers_calls() { NUMBERED_BATCH } else { BATCH }, emit)
    }

    /// Judges everything that was found elsewhere, as `scan_paths`; it is asked for only as fast as it is judged.
    ///
    /// # Errors
    ///
    /// When the workers cannot be started.
    pub fn scan_found(
        &self,
        found: impl Iterator<Item = Found>,
        emit: impl FnMut(Entry) + Send,
    ) -> Result<PassedCounts, rayon::ThreadPoolBuildError> {
        self.scan_batches(found, NUMBERED_BATCH, emit)
    }

    fn scan_batches(
        &self,
        mut found: impl Iterator<Item = Found>,
        size: usize,
        mut emit: impl FnMut(Entry) + Send,
    ) -> Result<PassedCounts, rayon::ThreadPoolBuildError> {
        let mut batch: Vec<Found> = found.by_ref().take(size).collect();
        let jobs = self.jobs.unwrap_or(0).max(usize::from(batch.len() == 1));
        let workers = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK_SIZE).build()?;
        let mut passed_over = PassedCounts::default();
        while !batch.is_empty() {
            let mut outcomes: Vec<(Outcome, PassedCounts)> =
                workers.install(|| batch.into_par_iter().map(|found| self.judge_found(found)).collect());
            if self.numbers_calls() || self.of_handed().numbers_calls() {
                outcomes.iter_mut().for_each(|(outcome, _)| self.number(outcome));
                let finish = |(outcome, fenced)| (self.finish(outcome), fenced);
                outcomes = workers.install(|| outcomes.into_par_iter().map(finish).collect());
            }
            for (outcome, fenced) in outcomes {
                passed_over.add_all(&fenced);
                match outcome {
                    Outcome::Entries(entries) => entries.into_iter().for_each(&mut emit),
                    // None is left: they were finished above.
                    Outcome::Detected(..) => {}
                    Outcome::PassedOver(kind) => passed_over.add(kind),
                }
            }
            batch = found.by_ref().take(size).collect();
        }
        Ok(passed_over)
    }

    /// Numbers the calls of what was found.
    pub(super) fn number(&self, outcome: &mut Outcome) {
        if let Outcome::Detected(source, detected) = outcome {
            let judge = self.of_source(source);
            detected.iter_mut().for_each(|detected| judge.follow(detected));
        }
    }

    pub(super) fn finish(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Detected(source, detected) => {
                let judge = self.of_source(&source);
                Outcome::Entries(judge.guarded(&source.name, || judge.judge_all(&source, detected)))
            }
            Outcome::Entries(_) | Outcome::PassedOver(_) => outcome,
        }
    }

    /// Judges one text, on a worker whose stack is large enough for any text.
    ///
    /// # Errors
    ///
    /// When the worker cannot be started.
    pub fn scan_source(&self, source: &Source) -> Result<Vec<Entry>, rayon::ThreadPoolBuildError> {
        let workers = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK_SIZE).build()?;
        Ok(workers.install(|| self.guarded(&source.name, || self.judge(source))))
    }

    /// Judges one text of which some bytes are no text, if what it says matters all the same.
    ///
    /// # Errors
    ///
    /// When the worker cannot be started.
    pub fn scan_garbled(&self, source: Source, fault: Undetermined) -> Result<Vec<Entry>, rayon::ThreadPoolBuildError> {
        if self.reads_garbled(&source) { self.scan_source(&source) } else { Ok(vec![self.problem(&source.name, fault)]) }
    }
}
