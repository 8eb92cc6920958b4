//! Counters of a run, or of the store that it writes, in a file for Prometheus.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::cli::audit::keeper::Keeper;
use crate::cli::failure::Failure;
use crate::cli::settings::{Settings, all_rules};
use crate::cli::whole_file;
use crate::finding::Entry;
use crate::finding::placed::PlacedMatch;
use crate::history::metrics::{Metrics, Sample};
use crate::report::history::metrics::{Origin, text};
use crate::value::severity::Severity;

/// Counts what a run judges.
pub struct Counters {
    path: PathBuf,
    metrics: Metrics,
    severities: HashMap<String, Severity>,
}

impl Counters {
    /// Begins to count, if there is a file for it.
    pub fn begin(path: Option<&Path>, settings: &mut Settings) -> Option<Self> {
        let path = path?.to_path_buf();
        settings.scanner.wanted.trails = true;
        let rules = all_rules(&settings.scanner.library, &settings.scanner.analyzers);
        let severities = rules.iter().map(|rule| (rule.id.to_string(), rule.severity)).collect();
        Some(Self { path, metrics: Metrics::default(), severities })
    }

    /// Counts an entry, if it is an evaluation.
    pub fn take(&mut self, entry: &Entry) {
        let bare = Sample {
            verdict: entry.verdict(),
            is_undetermined: entry.is_undetermined(),
            accepted: u32::try_from(entry.acceptances().len()).unwrap_or(u32::MAX),
            rules: Vec::new(),
            score: None,
            micros: None,
        };
        match entry {
            Entry::Finding(finding) => {
                let mut rules: BTreeMap<&str, u32> = BTreeMap::new();
                for rule in finding.matches.iter().flat_map(PlacedMatch::rules) {
                    *rules.entry(rule.id.as_ref()).or_default() += 1;
                }
                let took = finding.trail.as_deref().map(|trail| u32::try_from(trail.took.as_micros()).unwrap_or(u32::MAX));
                let score = (!finding.evaluations.is_empty()).then(|| finding.score());
                self.metrics.add(&Sample { rules: rules.into_iter().collect(), score, micros: took, ..bare });
            }
            Entry::Problem(_) => self.metrics.add(&bare),
            Entry::PassedOver(_) => {}
        }
    }

    /// Writes the file, whole or not at all: the counters of the store where one is written, else those of the run.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(self, keeper: Option<&mut Keeper>) -> Result<(), Failure> {
        let stored = keeper.and_then(Keeper::counted);
        let (metrics, origin) = match stored {
            Some((metrics, tenant)) => (metrics, Origin { scope: "store", tenant }),
            None => (self.metrics, Origin { scope: "run", tenant: None }),
        };
        let text = text(&metrics, &origin, &self.severities);
        whole_file::write(&self.path, text.as_bytes()).map_err(|source| Failure::unwritable(&self.path, source))
    }
}
