//! Stores the evaluations of a run as they are made. What goes wrong there is told, and changes no verdict.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::audit::AuditError;
use crate::audit::prune::Pruning;
use crate::audit::record::{Circumstances, Pending, Record, tell};
use crate::audit::store::Store;
use crate::cli::audit::Chosen;
use crate::cli::failure::Failure;
use crate::cli::settings::Settings;
use crate::finding::Entry;
use crate::finding::trail::{KEY, Past, text_key};
use crate::history::metrics::Metrics;
use crate::pattern::mask::Mask;
use crate::policy::Policy;
use crate::policy::cumulative::Exceeded;
use crate::scan::Scanner;
use crate::scan::session::{Memory, Sessions};
use crate::value::verdict::Verdict;

/// How many evaluations of a walk are stored together at most.
const BATCH: usize = 1_000;
/// How long an evaluation of a walk waits at most until it is stored.
const LONGEST: Duration = Duration::from_secs(1);

/// Stores evaluations.
pub struct Keeper {
    shared: Arc<Shared>,
    chosen: Chosen,
    circumstances: OwnedCircumstances,
    pending: Vec<Pending>,
    since: Instant,
    /// It stands before what is judged: what it blocks never happens.
    is_gate: bool,
}

/// What the keeper shares with the memory of sessions.
struct Shared {
    /// None once it failed.
    store: Mutex<Option<Store>>,
    fault: Mutex<Option<AuditError>>,
    /// What this run has added to the sessions in the store; locked while the store is.
    added: Mutex<Added>,
}

/// How often this run made which calls in which session, as far as they are stored.
#[derive(Default)]
struct Added(HashMap<[u8; KEY], HashMap<i64, u32>>);

impl Added {
    fn note(&mut self, record: &Record, calls: &[i64]) {
        let Some(session) = record.session.as_ref().filter(|_| !calls.is_empty()) else { return };
        let counts = self.0.entry(session.key).or_default();
        calls.iter().for_each(|call| *counts.entry(*call).or_default() += 1);
    }

    /// What others did of all that is stored of a session.
    fn taken_from(&self, mut past: Past, session: &str) -> Past {
        for (call, own) in self.0.get(&text_key(session)).into_iter().flatten() {
            if let Some(count) = past.calls.get_mut(call) {
                *count = count.saturating_sub(*own);
            }
        }
        past
    }
}

struct OwnedCircumstances {
    tenant: Option<String>,
    session: Option<String>,
    agent: Option<String>,
    models: String,
    library: String,
    policy: Policy,
}

/// Lets a scanner, and who judges for it what an agent hands over, remember sessions in a store.
fn remember_in(scanner: &mut Scanner, shared: &Arc<Shared>, tenant: Option<&str>) {
    scanner.wanted.trails = true;
    scanner.for_handed.iter_mut().for_each(|handed| handed.wanted.trails = true);
    let memory = Remembered { shared: Arc::clone(shared), tenant: tenant.map(str::to_owned) };
    let named = scanner.sessions.named.clone();
    scanner.remember(Sessions::new(named, Some(Box::new(memory))));
}

impl Keeper {
    /// Opens the store of a run, and lets its scanner remember sessions there.
    pub fn open(chosen: Chosen, settings: &mut Settings, agent: Option<&str>) -> Self {
        let (store, fault) = match Store::open(&chosen.place) {
            Ok(store) => (Some(store), None),
            Err(fault) => (None, Some(fault)),
        };
        let shared = Arc::new(Shared { store: Mutex::new(store), fault: Mutex::new(fault), added: Mutex::default() });
        let tenant = chosen.tenant.clone();
        let scanner = &mut settings.scanner;
        remember_in(scanner, &shared, tenant.as_deref());
        let circumstances = OwnedCircumstances {
            tenant,
            session: scanner.sessions.named.clone(),
            agent: agent.map(str::to_owned),
            models: settings.models.join(","),
            library: scanner.library.version(),
            policy: scanner.policy.clone(),
        };
        Self { shared, chosen, circumstances, pending: Vec::new(), since: Instant::now(), is_gate: agent.is_some() }
    }

    /// Takes an evaluation, which from then on knows what it is stored as. What answers a line of a stream is stored at once:
    /// whoever wrote the line may act upon the answer.
    pub fn take(&mut self, entry: &mut Entry, mask: &Mask) {
        let OwnedCircumstances { tenant, session, agent, models, library, policy } = &self.circumstances;
        let (tenant, session, agent) = (tenant.clone(), session.clone(), agent.clone());
        let circumstances = Circumstances { tenant, session, agent, models: models.clone(), library: library.clone(), policy };
        let Some(mut pending) = Record::of(entry, &circumstances, mask) else { return };
        let exceeded = self.exceeded(&pending.record);
        if !exceeded.is_empty() && entry.raise(&exceeded) {
            let Some(raised) = Record::of(entry, &circumstances, mask) else { return };
            pending = raised;
        }
        if self.is_gate && pending.record.verdict == Verdict::Block {
            pending.step.reads.clear();
        }
        tell(entry, pending.record.stored());
        if self.pending.is_empty() {
            self.since = Instant::now();
        }
        self.pending.push(pending);
        // What adds up is asked of the store, so nothing may wait.
        if !self.chosen.limits.is_empty() || entry.stream_line().is_some() || BATCH <= self.pending.len() || LONGEST <= self.since.elapsed()
        {
            self.store();
        }
    }

    /// The limits that were reached before this evaluation. Where that cannot be told, it could not be judged.
    fn exceeded(&self, record: &Record) -> Vec<Exceeded> {
        let limits = &self.chosen.limits;
        if limits.is_empty() {
            return Vec::new();
        }
        let Some(measured) = self.shared.with(|store| store.measure(limits, record)) else {
            let verdict = self.circumstances.policy.on_undetermined;
            return vec![Exceeded { verdict, told: "what adds up cannot be told, since the store cannot be used".to_owned() }];
        };
        let reached = limits.iter().zip(measured).filter_map(|(limit, measured)| limit.reached(measured?, record.tool.as_deref()));
        reached.collect()
    }

    /// Stores what waits.
    pub fn store(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.shared.with(|store| {
            store.append(&pending)?;
            let mut added = lock(&self.shared.added);
            pending.iter().for_each(|pending| added.note(&pending.record, &pending.step.calls));
            Ok(())
        });
    }

    /// The counters of the tenant whose evaluations are stored, and whose they are.
    pub fn counted(&mut self) -> Option<(Metrics, Option<String>)> {
        self.store();
        let tenant = self.chosen.tenant.clone();
        self.shared.with(|store| store.counters(tenant.as_deref())).map(|metrics| (metrics, tenant))
    }

    /// Stores what is left and takes out what is too old. Returns what went wrong, and whether the run fails for it.
    pub fn finish(mut self) -> Option<(Failure, bool)> {
        self.store();
        let retention = self.chosen.retention;
        if retention.findings.or(retention.clean).is_some() {
            let now = Record::now();
            let before = |span: Option<i64>| span.map(|span| now.saturating_sub(span));
            let pruning = Pruning { before: before(retention.findings), clean_before: before(retention.clean), ..Pruning::default() };
            self.shared.with(|store| store.prune_daily(&pruning, now).map(|_| ()));
        }
        // Whoever waits for a gate does not wait for the disk, but now and then.
        self.shared.with(|store| if self.is_gate { store.settle_if_long() } else { store.settle() });
        let fault = lock(&self.shared.fault).take()?;
        Some((
            Failure::Audit { place: self.chosen.place.to_string(), fault: fault.to_string(), help: fault.help() },
            self.chosen.is_required,
        ))
    }
}

impl Shared {
    /// Asks the store, unless it failed before.
    fn with<T>(&self, ask: impl FnMut(&mut Store) -> Result<T, AuditError>) -> Option<T> {
        let mut store = lock(&self.store);
        match store.as_mut()?.ask(ask) {
            Ok(answer) => Some(answer),
            Err(fault) => {
                *store = None;
                *lock(&self.fault) = Some(fault);
                None
            }
        }
    }
}

/// What is locked is whole even where another thread ended while it held the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The memory of sessions in a store.
struct Remembered {
    shared: Arc<Shared>,
    tenant: Option<String>,
}

impl Memory for Remembered {
    fn past(&self, session: &str) -> Past {
        let past = self.shared.with(|store| {
            let past = store.past(self.tenant.as_deref(), session)?;
            Ok(lock(&self.shared.added).taken_from(past, session))
        });
        past.unwrap_or_default()
    }

    fn version(&self) -> i64 {
        self.shared.with(|store| store.version()).unwrap_or_default()
    }

    fn settle(&self) {
        *lock(&self.shared.added) = Added::default();
    }
}
