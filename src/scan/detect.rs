//! All there is in a text: its subjects, and what rules find in each.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use crate::accept::settle::{Course, Settled};
use crate::analyzer::answer::Answer;
use crate::analyzer::sheet::Seen;
use crate::check::registry as checks;
use crate::finding::Entry;
use crate::finding::trail::Step;
use crate::format::Language;
use crate::format::registry::Recognised;
use crate::knowledge::own::own_domains;
use crate::meaning::{self, Features};
use crate::pattern::search::{self, Found};
use crate::pattern::secret::Secret;
use crate::pattern::sign;
use crate::rule::Match;
use crate::scan::recognise::unrecognised;
use crate::scan::{Scanner, live, mere_words};
use crate::subject::segment::Role;
use crate::subject::{Completeness, Subject, Undetermined};
use crate::value::source::Source;
use crate::value::span::{LineIndex, Span};

/// What a text holds.
pub enum Read {
    Subjects(Vec<Detected>),
    Problem(Entry),
}

/// A subject with all that was found in it, not yet judged.
pub struct Detected {
    pub subject: Subject,
    pub features: Features,
    pub matches: Vec<Match>,
    /// What was found and does not count; `kept` was taken out of it.
    pub settled: Settled,
    pub answers: Vec<Answer>,
    pub secrets: BTreeSet<Secret>,
    /// Where its secrets stand.
    pub places: Vec<Span>,
    /// What it adds to its session, where sessions are followed.
    pub step: Step,
    /// How long all that took, if that was asked for; what was done for several subjects at once is shared among them.
    pub took: Duration,
}

impl Detected {
    /// All hits, those that count and those that do not.
    pub fn all_matches(&self) -> impl Iterator<Item = &Match> + Clone {
        self.matches.iter().chain(self.settled.accepted.iter().flat_map(|(found, _)| std::iter::once(found).chain(&found.also)))
    }
}

impl Scanner {
    /// Finds all there is in a text; a fault in doing so is told.
    pub(super) fn read_guarded(&self, source: &Source, recognised: Option<Recognised>) -> Read {
        let read = catch_unwind(AssertUnwindSafe(|| self.detect_as(source, recognised)));
        read.unwrap_or_else(|fault| Read::Problem(self.failed(&source.name, &*fault)))
    }

    /// Finds all there is in a text.
    pub(super) fn detect(&self, source: &Source) -> Read {
        self.detect_as(source, self.recognise(source))
    }

    fn detect_as(&self, source: &Source, recognised: Option<Recognised>) -> Read {
        self.house.rows.counting(|| self.detect_with_rows(source, recognised))
    }

    fn detect_with_rows(&self, source: &Source, recognised: Option<Recognised>) -> Read {
        let Some(Recognised { format, language, is_said }) = recognised else {
            return Read::Problem(self.problem_in(source, unrecognised(source)));
        };
        let start = self.wanted.trails.then(Instant::now);
        let options = self.read_options(&source.name, language);
        let mut subjects = (format.read)(&source.text, language, &options);
        if !self.house.manifest.is_empty() {
            subjects.iter_mut().flat_map(|subject| &mut subject.calls).for_each(|call| self.house.manifest.describe(call));
        }
        if subjects.is_empty() && (source.name.explicit || is_said) {
            return Read::Problem(self.problem_in(source, (format.why_none)(&source.text, &self.read)));
        }
        self.mark_fenced(source, &mut subjects);
        let lines = OnceCell::new();
        let mut course = self.acceptances.course(&source.name);
        let detect = |subject| {
            let mut detected = self.detect_in(source, language, &lines, subject);
            self.accept(source, &mut course, &mut detected);
            detected
        };
        let mut detected: Vec<Detected> = subjects.into_iter().map(detect).collect();
        if let Some(start) = start {
            let share = start.elapsed() / u32::try_from(detected.len()).unwrap_or(u32::MAX).max(1);
            detected.iter_mut().for_each(|detected| detected.took = share);
        }
        Read::Subjects(detected)
    }

    fn problem_in(&self, source: &Source, undetermined: Undetermined) -> Entry {
        self.problem_of(&source.name, undetermined, || Some(Sha256::digest(source.text.as_bytes()).into()))
    }

    fn detect_in(&self, source: &Source, language: Language, lines: &OnceCell<LineIndex>, mut subject: Subject) -> Detected {
        sign::mark(&mut subject, &source.text);
        let text = subject.text(&source.text);
        let code = subject.segments.iter().filter(|segment| segment.role == Role::Code).map(|segment| segment.text(text));
        let own = own_domains(code);
        let with_own = (!own.is_empty()).then(|| self.house.with(own));
        let house = with_own.as_ref().unwrap_or(&self.house);
        let features = meaning::extract(&subject, house);
        let Found { mut matches, secrets, places } = search::find(&self.library, &subject, text);
        matches.extend(checks::run(&subject, &features, house));
        mere_words::settle(&mut matches, &subject, &features, text);
        live::settle(&mut matches, &subject, text, language, &self.read.limits);
        let matches = sorted(self.seat(&source.name, &subject).policy.adjust(matches));
        let (settled, step, took) = (Settled::default(), Step::default(), Duration::ZERO);
        let mut detected = Detected { subject, features, matches, settled, answers: Vec::new(), secrets, places, step, took };
        if !self.analyzers.is_empty() {
            self.analyze(source, lines, &mut detected);
        }
        detected
    }

    /// Takes out of the matches those that are accepted.
    fn accept(&self, source: &Source, course: &mut Course<'_>, detected: &mut Detected) {
        let Detected { subject, matches, settled, .. } = detected;
        let text = subject.text(&source.text);
        *settled = self.acceptances.settle(course, subject, text, std::mem::take(matches));
        *matches = std::mem::take(&mut settled.kept);
        if settled.undetermined.is_some() {
            subject.completeness = Completeness::Complete;
        }
    }

    /// Lets the user's own analyzers look at a subject. One that fails leaves it undetermined.
    fn analyze(&self, source: &Source, lines: &OnceCell<LineIndex>, detected: &mut Detected) {
        let Detected { subject, features, matches, answers, .. } = detected;
        let path = source.name.as_text();
        let own = subject.enclosed.as_ref().map(|enclosed| LineIndex::new(&enclosed.text));
        let lines = own.as_ref().unwrap_or_else(|| lines.get_or_init(|| LineIndex::new(&source.text)));
        let text = subject.text(&source.text);
        let seat = self.seat(&source.name, subject);
        let is_wanted = |id: &str| !seat.policy.rules.get(id).is_some_and(|choice| choice.is_disabled);
        let analysis = self.analyzers.analyze(&Seen { path: &path, text, lines, subject, features, matches }, is_wanted);
        if !analysis.matches.is_empty() {
            matches.extend(seat.policy.adjust(analysis.matches));
            *matches = sorted(std::mem::take(matches));
        }
        if let (Completeness::Complete, Some(undetermined)) = (&subject.completeness, analysis.undetermined) {
            subject.completeness = Completeness::Undetermined(undetermined);
        }
        *answers = analysis.answers;
    }
}

/// The matches, the worst first and then in order of place.
pub(super) fn sorted(mut matches: Vec<Match>) -> Vec<Match> {
    matches.sort_by(|left, right| {
        let badness = (right.severity, right.action).cmp(&(left.severity, left.action));
        badness.then_with(|| left.span.cmp(&right.span)).then_with(|| left.rule.id.cmp(&right.rule.id))
    });
    matches
}
