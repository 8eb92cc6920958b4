//! The way of one source: from a name to what is decided about it.

mod listing;
mod mere_words;
mod passing;
pub mod stream;

use std::any::Any;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use crate::analyzer::Analyzers;
use crate::analyzer::answer::Answer;
use crate::analyzer::sheet::Seen;
use crate::check::registry as checks;
use crate::explain::bill::Reader;
use crate::explain::opinion::{Judgement, Opinion};
use crate::explain::{Case, Explanation, bill, explain};
use crate::finding::place::{Placer, Wanted};
use crate::finding::{Entry, FeatureSheet, Finding, Problem};
use crate::format::registry::{self as formats, Recognised};
use crate::format::script::nesting::STACK_SIZE;
use crate::format::{Language, ReadOptions};
use crate::input::read::{Content, read_beginning, read_file};
use crate::input::walk::{Found, Given, WalkOptions, walk};
use crate::knowledge::House;
use crate::knowledge::own::own_domains;
use crate::meaning::{self, Features, sheet};
use crate::model::{Evaluation, Evidence, Model, ModelError};
use crate::pattern::library::{Library, LibraryError};
use crate::pattern::search::{self, secrets_in};
use crate::pattern::secret::Secret;
use crate::policy::Policy;
use crate::rule::Match;
use crate::rule::cause::merged;
use crate::subject::passed::{Passed, PassedCounts};
use crate::subject::segment::Role;
use crate::subject::{Completeness, Kind, Reason, Subject, Undetermined};
use crate::value::source::{Source, SourceName};
use crate::value::span::{LineIndex, Span};

/// How many files are read and judged together before the next ones are; bounds what is held in memory.
const BATCH: usize = 1_024;
/// As many where calls are numbered over all files: then whole subjects are held between reading and judging.
const NUMBERED_BATCH: usize = 64;
/// How much is read of what is too large to be read whole, in bytes.
pub const BEGINNING: u64 = 64 * 1024;
/// How many names of calls are remembered; any other counts as called for the first time.
const LARGEST_SESSION: usize = 100_000;

/// Everything that decides how sources are judged.
pub struct Scanner {
    /// Bounds, and the names of functions that call tools.
    pub read: ReadOptions,
    /// The language of every source, whatever its name says.
    pub language: Option<Language>,
    /// All patterns.
    pub library: Library,
    /// Rules and programs of the user's own.
    pub analyzers: Analyzers,
    /// The models that judge.
    pub models: Vec<Box<dyn Model>>,
    /// What users say of their own tools and places.
    pub house: House,
    /// What follows from their opinions.
    pub policy: Policy,
    /// What the report needs beyond the bare places.
    pub wanted: Wanted,
    /// The calls that were made before.
    pub session: Session,
    /// How many threads work; as many as there are processors, if none is named.
    pub jobs: Option<usize>,
}

/// What was called so far, so that a call that was never made before is told from one that is made all the time.
#[derive(Debug, Default)]
pub struct Session {
    calls: Mutex<HashMap<String, u32>>,
}

impl Session {
    /// Numbers the calls of a subject. A call whose tool is not known may be any, so it is always the first.
    fn number(&self, subject: &mut Subject) {
        // A count is right even where another thread ended while it held the lock.
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = |name: &str| match calls.get_mut(name) {
            Some(count) => {
                *count = count.saturating_add(1);
                *count - 1
            }
            None => {
                if calls.len() < LARGEST_SESSION {
                    calls.insert(name.to_owned(), 1);
                }
                0
            }
        };
        for call in &mut subject.calls {
            call.earlier = call.tool.name().map_or(0, &mut next);
        }
        for call in &mut subject.host_calls {
            call.earlier = next(&call.api);
        }
    }
}

/// What became of one file.
enum Outcome {
    Entries(Vec<Entry>),
    Detected(Source, Vec<Detected>),
    PassedOver(Passed),
}

/// What a text holds.
enum Read {
    Subjects(Vec<Detected>),
    Problem(Entry),
}

/// A subject with all that was found in it, not yet judged.
struct Detected {
    subject: Subject,
    features: Features,
    matches: Vec<Match>,
    answers: Vec<Answer>,
    secrets: BTreeSet<Secret>,
    /// Where its secrets stand.
    places: Vec<Span>,
}

impl Scanner {
    /// A scanner of everything that is built in, which judges by these models and knows nothing of its user, on one thread.
    ///
    /// # Errors
    ///
    /// When the built-in patterns make no library.
    pub fn built_in(models: Vec<Box<dyn Model>>) -> Result<Self, LibraryError> {
        Ok(Self {
            read: ReadOptions::default(),
            language: None,
            library: Library::new(Vec::new())?,
            analyzers: Analyzers::default(),
            models,
            house: House::default(),
            policy: Policy::default(),
            wanted: Wanted::default(),
            session: Session::default(),
            jobs: Some(1),
        })
    }

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
            if self.numbers_calls() {
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

    /// Whether a model looks at how often a call was made before.
    fn numbers_calls(&self) -> bool {
        self.models.iter().any(|model| model.needs_session())
    }

    fn number(&self, outcome: &mut Outcome) {
        if let Outcome::Detected(_, detected) = outcome {
            detected.iter_mut().for_each(|detected| self.session.number(&mut detected.subject));
        }
    }

    fn finish(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Detected(source, detected) => Outcome::Entries(self.guarded(&source.name, || self.judge_all(&source, detected))),
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

    /// A source that could not be judged.
    pub fn problem(&self, name: &SourceName, undetermined: Undetermined) -> Entry {
        let mut secrets = secrets_in(&self.library, &name.as_text());
        secrets.append(&mut secrets_in(&self.library, &undetermined.detail));
        Entry::Problem(Problem {
            name: name.clone(),
            reason: undetermined.reason,
            detail: undetermined.detail,
            verdict: self.policy.decide_problem(),
            stream_line: None,
            secrets: secrets.into_iter().collect(),
        })
    }

    /// Judges what a walk found; counts also what is passed over inside a text.
    fn judge_found(&self, found: Found) -> (Outcome, PassedCounts) {
        match found {
            Found::File(name) => self.judge_file(&name),
            Found::Given(Given { name, content, beginning }) => self.judge_content(&name, content, || Some(beginning)),
            Found::Unwalkable(name, undetermined) => (Outcome::Entries(vec![self.problem(&name, undetermined)]), PassedCounts::default()),
            Found::LeftOut(name, kind) => (self.pass_over(&name, kind), PassedCounts::default()),
        }
    }

    fn judge_file(&self, name: &SourceName) -> (Outcome, PassedCounts) {
        // A walk only reads what its name or its beginning tells to be judged; what the user named is always read.
        match self.unread(name) {
            Some(kind) => (self.pass_over(name, kind), PassedCounts::default()),
            // What cannot be read may be anything.
            None => {
                self.judge_content(name, read_file(name.path(), self.read.limits.file_size), || read_beginning(name.path(), BEGINNING).ok())
            }
        }
    }

    fn judge_content(
        &self,
        name: &SourceName,
        content: Result<Content, Undetermined>,
        beginning: impl FnOnce() -> Option<String>,
    ) -> (Outcome, PassedCounts) {
        let of_name = |text, has_bom| Source { name: name.clone(), text, has_bom };
        let outcome = match content {
            Ok(Content::Text(text, has_bom)) => return self.judge_text(of_name(text, has_bom)),
            Ok(Content::Garbled(text, fault)) => {
                let source = of_name(text, false);
                if self.reads_garbled(&source) {
                    return self.judge_text(source);
                }
                Outcome::Entries(vec![self.problem(name, fault)])
            }
            // What is named like a script runs as one, whatever bytes stand in it.
            Ok(Content::Binary) if !name.explicit && !is_run(name) => Outcome::PassedOver(Passed::Binary),
            Ok(Content::Binary) => Outcome::Entries(vec![self.problem(name, Undetermined::new(Reason::Binary, "a binary file"))]),
            Err(fault) if fault.reason == Reason::FileSize && self.is_something_else(name, beginning) => {
                Outcome::PassedOver(Passed::TooLarge)
            }
            Err(undetermined) => Outcome::Entries(vec![self.problem(name, undetermined)]),
        };
        (outcome, PassedCounts::default())
    }

    /// Whether what is said in a text matters even where some of its bytes are no text.
    fn reads_garbled(&self, source: &Source) -> bool {
        self.recognise(source).is_some_and(|recognised| !recognised.format.is_run)
    }

    /// Judges the text of a file, or only finds what there is in it where calls are numbered before they are judged.
    fn judge_text(&self, source: Source) -> (Outcome, PassedCounts) {
        let fenced = self.fenced(&source);
        let recognised = self.recognise(&source);
        (self.judge_as(source, recognised), fenced)
    }

    /// Judges a text as what it was recognised to be.
    fn judge_as(&self, source: Source, recognised: Option<Recognised>) -> Outcome {
        let is_sure = source.name.explicit || recognised.is_some_and(|recognised| recognised.is_said);
        let read = self.read_guarded(&source, recognised);
        self.judge_read(source, read, is_sure)
    }

    /// Finds all there is in a text; a fault in doing so is told.
    fn read_guarded(&self, source: &Source, recognised: Option<Recognised>) -> Read {
        let read = catch_unwind(AssertUnwindSafe(|| self.detect_as(source, recognised)));
        read.unwrap_or_else(|fault| Read::Problem(self.failed(&source.name, &*fault)))
    }

    /// Judges what was found in a text, or keeps it where calls are numbered before they are judged. What is not sure to be
    /// of its kind is passed over if nothing of it is judged.
    fn judge_read(&self, source: Source, read: Read, is_sure: bool) -> Outcome {
        match read {
            Read::Subjects(subjects) if !is_sure && subjects.is_empty() => Outcome::PassedOver(Passed::NoToolCall),
            Read::Subjects(subjects) if !is_sure && !self.judges_any(&subjects) => Outcome::PassedOver(Passed::NotJudged),
            Read::Subjects(detected) if self.numbers_calls() => Outcome::Detected(source, detected),
            Read::Subjects(detected) => Outcome::Entries(self.guarded(&source.name, || self.judge_all(&source, detected))),
            Read::Problem(entry) => Outcome::Entries(vec![entry]),
        }
    }

    /// Whether any model has an opinion of any of these.
    fn judges_any(&self, detected: &[Detected]) -> bool {
        detected.iter().any(|detected| self.judges(detected.subject.kind))
    }

    /// Whether any model has an opinion of such subjects; a run without models only looks.
    fn judges(&self, kind: Kind) -> bool {
        self.models.is_empty() || self.models.iter().any(|model| model.judges(kind))
    }

    /// What no model looks at is not allowed in silence.
    fn unjudged(&self, kind: Kind) -> Option<Undetermined> {
        let detail = || format!("none of the chosen models judges what is a {}; choose another by --model", kind.name());
        (!self.judges(kind)).then(|| Undetermined::new(Reason::Model, detail()))
    }

    /// Runs a judgement so that a fault in one source is told and does not hide any other.
    fn guarded(&self, name: &SourceName, judge: impl FnOnce() -> Vec<Entry>) -> Vec<Entry> {
        catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|fault| vec![self.failed(name, &*fault)])
    }

    fn failed(&self, name: &SourceName, fault: &(dyn Any + Send)) -> Entry {
        let words = fault.downcast_ref::<String>().map(String::as_str).or(fault.downcast_ref::<&str>().copied());
        self.problem(name, Undetermined::new(Reason::Internal, words.unwrap_or("the scan of it failed")))
    }

    /// Judges one text on this thread, which must have the stack that `nesting` counts on.
    pub fn judge(&self, source: &Source) -> Vec<Entry> {
        match self.detect(source) {
            Read::Subjects(mut detected) => {
                detected.iter_mut().for_each(|detected| self.session.number(&mut detected.subject));
                self.judge_all(source, detected)
            }
            Read::Problem(entry) => vec![entry],
        }
    }

    fn recognise(&self, source: &Source) -> Option<Recognised> {
        match self.language {
            Some(language) => Some(formats::by_language(language)),
            None => formats::by_path(source.name.path()).or_else(|| formats::by_interpreter(&source.text)),
        }
    }

    /// Finds all there is in a text.
    fn detect(&self, source: &Source) -> Read {
        self.detect_as(source, self.recognise(source))
    }

    fn detect_as(&self, source: &Source, recognised: Option<Recognised>) -> Read {
        self.house.rows.counting(|| self.detect_with_rows(source, recognised))
    }

    fn detect_with_rows(&self, source: &Source, recognised: Option<Recognised>) -> Read {
        let Some(Recognised { format, language, is_said }) = recognised else {
            return Read::Problem(self.problem(&source.name, unrecognised(source)));
        };
        let mut subjects = (format.read)(&source.text, language, &self.read);
        if !self.house.manifest.is_empty() {
            subjects.iter_mut().flat_map(|subject| &mut subject.calls).for_each(|call| self.house.manifest.describe(call));
        }
        if subjects.is_empty() && (source.name.explicit || is_said) {
            return Read::Problem(self.problem(&source.name, (format.why_none)(&source.text, &self.read)));
        }
        self.mark_fenced(source, &mut subjects);
        let lines = OnceCell::new();
        Read::Subjects(subjects.into_iter().map(|subject| self.detect_in(source, &lines, subject)).collect())
    }

    fn detect_in(&self, source: &Source, lines: &OnceCell<LineIndex>, subject: Subject) -> Detected {
        let text = subject.text(&source.text);
        let code = subject.segments.iter().filter(|segment| segment.role == Role::Code).map(|segment| segment.text(text));
        let own = own_domains(code);
        let features =
            if own.is_empty() { meaning::extract(&subject, &self.house) } else { meaning::extract(&subject, &self.house.with(own)) };
        let search::Found { mut matches, secrets, places } = search::find(&self.library, &subject, text);
        matches.extend(checks::run(&subject, &features, &self.house));
        mere_words::settle(&mut matches, &subject, &features, text);
        let matches = sorted(self.policy.adjust(matches));
        let mut detected = Detected { subject, features, matches, answers: Vec::new(), secrets, places };
        if !self.analyzers.is_empty() {
            self.analyze(source, lines, &mut detected);
        }
        detected
    }

    /// Lets the user's own analyzers look at a subject. One that fails leaves it undetermined.
    fn analyze(&self, source: &Source, lines: &OnceCell<LineIndex>, detected: &mut Detected) {
        let Detected { subject, features, matches, answers, secrets: _, places: _ } = detected;
        let path = source.name.as_text();
        let own = subject.enclosed.as_ref().map(|enclosed| LineIndex::new(&enclosed.text));
        let lines = own.as_ref().unwrap_or_else(|| lines.get_or_init(|| LineIndex::new(&source.text)));
        let text = subject.text(&source.text);
        let is_wanted = |id: &str| !self.policy.rules.get(id).is_some_and(|choice| choice.is_disabled);
        let analysis = self.analyzers.analyze(&Seen { path: &path, text, lines, subject, features, matches }, is_wanted);
        if !analysis.matches.is_empty() {
            matches.extend(self.policy.adjust(analysis.matches));
            *matches = sorted(std::mem::take(matches));
        }
        if let (Completeness::Complete, Some(undetermined)) = (&subject.completeness, analysis.undetermined) {
            subject.completeness = Completeness::Undetermined(undetermined);
        }
        *answers = analysis.answers;
    }

    fn judge_all(&self, source: &Source, detected: Vec<Detected>) -> Vec<Entry> {
        self.house.rows.counting(|| self.judge_with_rows(source, detected))
    }

    fn judge_with_rows(&self, source: &Source, mut detected: Vec<Detected>) -> Vec<Entry> {
        // What is found once for a source is shared by its subjects: there may be many.
        let matches = detected.iter().flat_map(|detected| detected.matches.iter().map(|found| (&detected.subject, found)));
        let places = detected.iter().flat_map(|detected| detected.places.iter().map(|place| (&detected.subject, *place)));
        let placer = Placer::new(&source.text, source.has_bom, matches, self.wanted).hiding(places);
        let mut secrets = secrets_in(&self.library, &source.name.as_text());
        // Not appended, which would build the set anew for each of many subjects.
        secrets.extend(detected.iter_mut().flat_map(|detected| std::mem::take(&mut detected.secrets)));
        let text_hash = self.wanted.text_hashes.then(|| hex(&Sha256::digest(source.text.as_bytes())));
        let mut secrets: Vec<Secret> = secrets.into_iter().collect();
        let mut judge = |detected| Finding {
            text_hash: text_hash.clone(),
            secrets: std::mem::take(&mut secrets),
            ..self.judge_subject(source, &placer, detected)
        };
        detected.into_iter().map(|detected| Entry::Finding(Box::new(judge(detected)))).collect()
    }

    fn judge_subject(&self, source: &Source, placer: &Placer<'_>, detected: Detected) -> Finding {
        let explanation = self.wanted.explanations.then(|| Box::new(self.explain(source, placer, &detected)));
        let Detected { subject, features, matches, answers, secrets: _, places: _ } = detected;
        let view = placer.view(&subject);
        let matches = merged(matches);
        let deciding = self.policy.deciding(&matches).cloned();
        let (matches, further_matches) = worst(matches, self.read.limits.matches as usize);
        let text = subject.text(&source.text);
        let evidence = Evidence { subject: &subject, features: &features, matches: &matches, answers: &answers, text };
        let mut undetermined = match &subject.completeness {
            Completeness::Complete => self.unjudged(subject.kind),
            Completeness::Undetermined(undetermined) => Some(undetermined.clone()),
        };
        let place = |span: Span| view.position(span);
        let reader = Reader { policy: &self.policy, deciding: deciding.as_ref(), place: &place };
        let mut evaluations = Vec::new();
        let mut opinions = Vec::new();
        for model in &self.models {
            let judged = model.judges(subject.kind).then(|| model.evaluate(&evidence));
            if self.wanted.opinions {
                opinions.push(self.opinion(&**model, judged.as_ref(), &reader));
            }
            let failed = match &judged {
                None => None,
                Some(Ok(judged)) => judged.iter().find_map(|evaluation| evaluation.undetermined.clone()),
                Some(Err(error)) => Some(error.to_string()),
            };
            // What is wrong with the subject itself is told first: it holds for every model.
            undetermined = undetermined.or(failed.map(|detail| Undetermined::new(Reason::Model, detail)));
            if let Some(Ok(judged)) = judged {
                evaluations.extend(judged);
            }
        }
        let decision = self.policy.decide(&evaluations, deciding.as_ref(), undetermined.as_ref());
        Finding {
            name: source.name.clone(),
            kind: subject.kind,
            lifecycle: subject.lifecycle,
            record: subject.record.as_ref().map(|record| Box::new(view.record(record))),
            undetermined: undetermined.as_ref().map(|undetermined| view.place_reason(undetermined)),
            text_hash: None,
            stream_line: None,
            secrets: Vec::new(),
            features: self.wanted.features.then(|| {
                let document = sheet::value(subject.calls.iter().map(|call| (call, view.position(call.span))), &features);
                Box::new(FeatureSheet { document, lines: sheet::lines(&subject.calls, &features) })
            }),
            matches: matches.into_iter().map(|found| view.place(found)).collect(),
            further_matches,
            explanation,
            evaluations,
            opinions,
            decision,
        }
    }

    /// What a model says by itself, where it was asked.
    fn opinion(&self, model: &dyn Model, judged: Option<&Result<Vec<Evaluation>, ModelError>>, reader: &Reader<'_>) -> Opinion {
        let judgement = |evaluation: &Evaluation| Judgement::of(evaluation, bill::of(model, evaluation, reader));
        match judged {
            None => Opinion::NotJudged,
            Some(Err(error)) => Opinion::Failed(error.message.clone()),
            Some(Ok(evaluations)) => Opinion::Judged(evaluations.iter().map(judgement).collect()),
        }
    }

    fn explain(&self, source: &Source, placer: &Placer<'_>, detected: &Detected) -> Explanation {
        let Detected { subject, features, matches, answers, secrets: _, places: _ } = detected;
        let view = placer.view(subject);
        explain(&Case {
            subject,
            features,
            matches,
            answers,
            limit: self.read.limits.matches as usize,
            models: &self.models,
            policy: &self.policy,
            text: subject.text(&source.text),
            position: &|span| view.position(span),
        })
    }
}

/// Why a source cannot be read whose language is not known, or is none that is read.
fn unrecognised(source: &Source) -> Undetermined {
    let without_reader = formats::without_reader(source.name.path()).or_else(|| formats::without_reader_by_interpreter(&source.text));
    match without_reader {
        Some(kind) => Undetermined::new(Reason::NoReader, kind.unread()),
        None => Undetermined::new(Reason::UnknownLanguage, "neither its name nor its first line tells its language"),
    }
}

/// Whether something runs what has this name.
fn is_run(name: &SourceName) -> bool {
    formats::by_path(name.path()).is_some_and(|recognised| recognised.format.is_run)
}

/// The matches, the worst first and then in order of place.
fn sorted(mut matches: Vec<Match>) -> Vec<Match> {
    matches.sort_by(|left, right| {
        let badness = (right.severity, right.action).cmp(&(left.severity, left.action));
        badness.then_with(|| left.span.cmp(&right.span)).then_with(|| left.rule.id.cmp(&right.rule.id))
    });
    matches
}

/// The first of them, at most `limit`; and how many are left out.
fn worst(mut matches: Vec<Match>, limit: usize) -> (Vec<Match>, usize) {
    let further = matches.len().saturating_sub(limit);
    matches.truncate(limit);
    (matches, further)
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
