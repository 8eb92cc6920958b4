//! From what was found in a text to what is told of it.

use std::sync::Arc;
use std::time::Instant;

use sha2::{Digest as _, Sha256};

use crate::accept::acceptance::Acceptance;
use crate::accept::opinion::Opinion;
use crate::explain::bill::{self, Reader};
use crate::explain::explain;
use crate::explain::opinion::{Judgement, Opinion as Told};
use crate::finding::accepted::Accepted;
use crate::finding::below::Below;
use crate::finding::place::{Placer, View};
use crate::finding::trail::{Trail, text_key};
use crate::finding::{Entry, FeatureSheet, Finding};
use crate::judge::{self, Case, Judged};
use crate::meaning::sheet;
use crate::model::Evaluation;
use crate::pattern::search::secrets_in;
use crate::pattern::secret::Secret;
use crate::policy::{Decision, Policy};
use crate::scan::Scanner;
use crate::scan::detect::Detected;
use crate::subject::Subject;
use crate::value::source::Source;
use crate::value::span::Span;
use crate::value::verdict::Verdict;

impl Scanner {
    pub(super) fn judge_all(&self, source: &Source, detected: Vec<Detected>) -> Vec<Entry> {
        self.house.rows.counting(|| self.judge_with_rows(source, detected))
    }

    fn judge_with_rows(&self, source: &Source, mut detected: Vec<Detected>) -> Vec<Entry> {
        // What is found once for a source is shared by its subjects: there may be many.
        let matches = detected.iter().flat_map(|detected| detected.all_matches().map(|found| (&detected.subject, found)));
        let places = detected.iter().flat_map(|detected| detected.places.iter().map(|place| (&detected.subject, *place)));
        let placer = Placer::new(&source.text, source.has_bom, matches, self.wanted).hiding(places);
        let mut secrets = secrets_in(&self.library, &source.name.as_text());
        // Not appended, which would build the set anew for each of many subjects.
        secrets.extend(detected.iter_mut().flat_map(|detected| std::mem::take(&mut detected.secrets)));
        let text_hash = self.wanted.text_hashes.then(|| hex(&Sha256::digest(source.text.as_bytes())));
        let mut secrets: Vec<Secret> = secrets.into_iter().collect();
        let mut judge = |detected: &Detected| Finding {
            text_hash: text_hash.clone(),
            secrets: std::mem::take(&mut secrets),
            ..self.judge_subject(source, &placer, detected)
        };
        detected.into_iter().map(|detected| Entry::Finding(Box::new(judge(&detected)))).collect()
    }

    fn judge_subject(&self, source: &Source, placer: &Placer<'_>, detected: &Detected) -> Finding {
        let start = self.wanted.trails.then(Instant::now);
        let Detected { subject, features, matches, settled, answers, .. } = detected;
        let view = placer.view(subject);
        let seat = self.seat(&source.name, subject);
        let case = Case { bench: seat.bench(), subject, features, matches, answers, text: subject.text(&source.text) };
        let mut judged = case.judge();
        let opinion = self.accept_opinion(source, &seat.policy, subject, &judged);
        if opinion.is_some() {
            judged.decision = Decision::clean();
        }
        let place = |span: Span| view.position(span);
        let explanation = self.wanted.explanations.then(|| Box::new(explain(&case, &judged, &place)));
        let reader = Reader { policy: &seat.policy, deciding: judged.deciding.as_ref(), place: &place };
        let opinions = judged.opinions.iter().filter(|_| self.wanted.opinions).map(|opinion| told(opinion, &reader)).collect();
        Finding {
            name: source.name.clone(),
            kind: subject.kind,
            lifecycle: subject.lifecycle,
            record: subject.record.as_ref().map(|record| Box::new(view.record(record))),
            undetermined: judged.undetermined.as_ref().map(|undetermined| view.place_reason(undetermined)),
            text_hash: None,
            tenant: self.tenant.clone(),
            trail: start.map(|start| Box::new(trail(source, detected, start))),
            stream_line: None,
            secrets: Vec::new(),
            features: self.wanted.features.then(|| Box::new(feature_sheet(detected, &view))),
            accepted: Accepted {
                matches: settled.accepted.iter().map(|(found, why)| (view.place(found.clone()), Arc::clone(why))).collect(),
                undetermined: settled.undetermined.as_ref().map(|(what, why)| (view.place_reason(what), Arc::clone(why))),
                opinion,
                remarks: settled.remarks.clone(),
            },
            matches: judged.matches.iter().map(|found| view.place(found.clone())).collect(),
            further_matches: judged.further_matches,
            below: Below::default(),
            explanation,
            opinions,
            decision: judged.decision.clone(),
            evaluations: judged.into_evaluations(),
        }
    }
}

impl Scanner {
    /// Why it does not matter what models think of a subject as a whole: nothing counts that was found in it, and they thought so before.
    fn accept_opinion(
        &self,
        source: &Source,
        policy: &Policy,
        subject: &Subject,
        judged: &Judged<'_>,
    ) -> Option<(String, Arc<Acceptance>)> {
        let verdict = judged.decision.verdict;
        if verdict == Verdict::Allow || !judged.matches.is_empty() || judged.undetermined.is_some() {
            return None;
        }
        let mut opinion = Opinion::default();
        for evaluation in judged.evaluations().filter(|evaluation| Verdict::Allow < policy.decide_one(evaluation, None).verdict) {
            opinion.models.insert(evaluation.model.to_string());
            let signals = evaluation.found_signals().into_iter().filter(|signal| 0.0 < signal.score);
            opinion.signals.extend(signals.map(|signal| signal.id.clone()));
        }
        let accepted = self.acceptances.opinion(&source.name, &opinion, (subject, verdict))?;
        Some((opinion.rule(), accepted))
    }
}

/// What is kept of a subject, at the end of its judging.
fn trail(source: &Source, detected: &Detected, start: Instant) -> Trail {
    let subject = &detected.subject;
    let own = match (&subject.enclosed, &subject.record) {
        (Some(enclosed), _) => &enclosed.text,
        (None, Some(record)) => record.span.slice(&source.text),
        (None, None) => source.text.as_str(),
    };
    Trail { subject: text_key(own), took: detected.took + start.elapsed(), step: detected.step.clone(), stored: None }
}

fn feature_sheet(detected: &Detected, view: &View<'_>) -> FeatureSheet {
    let Detected { subject, features, .. } = detected;
    let document = sheet::value(subject.calls.iter().map(|call| (call, view.position(call.span))), features);
    FeatureSheet { document, lines: sheet::lines(&subject.calls, features) }
}

/// What a model says by itself, where it was asked.
fn told(opinion: &judge::Opinion<'_>, reader: &Reader<'_>) -> Told {
    let judgement = |evaluation: &Evaluation| Judgement::of(evaluation, bill::of(opinion.model, evaluation, reader));
    match &opinion.answer {
        None => Told::NotJudged,
        Some(Err(error)) => Told::Failed(error.message.clone()),
        Some(Ok(evaluations)) => Told::Judged(evaluations.iter().map(judgement).collect()),
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
