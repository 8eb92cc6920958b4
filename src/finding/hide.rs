//! Takes the secrets of a run out of everything that is written of it. Writers only take what went through here.
//!
//! Each type is taken apart by name, so that a text that is added to one cannot be forgotten.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use serde_json::Value;

use crate::accept::acceptance::{Acceptance, Remark};
use crate::explain::Explanation;
use crate::explain::bill::{Adjustment, Bill, Item};
use crate::explain::counterfactual::{Change, Counterfactual};
use crate::explain::opinion::{Judgement, Opinion};
use crate::finding::accepted::Accepted;
use crate::finding::audit::{Audit, AuditedTool, FoundText};
use crate::finding::excerpt::Excerpt;
use crate::finding::listed::{Listed, Listing};
use crate::finding::placed::{PlacedMatch, PlacedStep, UndeterminedPlace};
use crate::finding::{Entry, FeatureSheet, Finding, PassedOver, PlacedRecord, Problem, Report, Run};
use crate::knowledge::effect::Effect;
use crate::model::{Evaluation, Signal};
use crate::pattern::mask::Mask;
use crate::rule::Rule;
use crate::subject::record::Record;
use crate::value::source::SourceName;

/// Something whose texts may hold secrets.
pub trait Hide {
    /// Puts what may be said of each secret in its place.
    fn hide(&mut self, mask: &Mask);
}

/// Something of which all secrets are taken out.
#[derive(Debug)]
pub struct Hidden<'t, T>(&'t T);

impl<'t, T: Hide> Hidden<'t, T> {
    /// Takes all secrets out.
    pub fn of(found: &'t mut T, mask: &Mask) -> Self {
        if !mask.is_empty() {
            found.hide(mask);
        }
        Self(found)
    }
}

impl<'t, T> Hidden<'t, T> {
    /// Something in which no secret was ever found.
    pub fn without_any(found: &'t T) -> Self {
        Self(found)
    }

    /// It.
    pub fn get(self) -> &'t T {
        self.0
    }
}

impl<T> Clone for Hidden<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Hidden<'_, T> {}

impl<T> Deref for Hidden<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl Hide for String {
    fn hide(&mut self, mask: &Mask) {
        if let Some(hidden) = mask.hidden(self) {
            *self = hidden;
        }
    }
}

impl Hide for Cow<'static, str> {
    fn hide(&mut self, mask: &Mask) {
        if let Some(hidden) = mask.hidden(self) {
            *self = Cow::Owned(hidden);
        }
    }
}

impl<T: Hide> Hide for Option<T> {
    fn hide(&mut self, mask: &Mask) {
        self.iter_mut().for_each(|inner| inner.hide(mask));
    }
}

impl<T: Hide> Hide for Vec<T> {
    fn hide(&mut self, mask: &Mask) {
        self.iter_mut().for_each(|inner| inner.hide(mask));
    }
}

impl<T: Hide> Hide for Box<T> {
    fn hide(&mut self, mask: &Mask) {
        (**self).hide(mask);
    }
}

impl<L: Hide, R: Hide> Hide for (L, R) {
    fn hide(&mut self, mask: &Mask) {
        self.0.hide(mask);
        self.1.hide(mask);
    }
}

/// What is compiled in holds no secret.
impl Hide for &'static str {
    fn hide(&mut self, _: &Mask) {}
}

impl Hide for SourceName {
    fn hide(&mut self, mask: &Mask) {
        if let Some(hidden) = mask.hidden(&self.as_text()) {
            self.rename(hidden);
        }
    }
}

/// The ids of rules and the names of settings stay: results point at them.
impl Hide for Arc<Rule> {
    fn hide(&mut self, mask: &Mask) {
        let Rule { id: _, origin: _, category, severity: _, action: _, why, help, secret: _ } = &**self;
        let hidden = [category, why, help].map(|text| mask.hidden(text));
        if hidden.iter().all(Option::is_none) {
            return;
        }
        let rule = Self::make_mut(self);
        for (text, hidden) in [&mut rule.category, &mut rule.why, &mut rule.help].into_iter().zip(hidden) {
            *text = hidden.map_or_else(|| std::mem::take(text), Cow::Owned);
        }
    }
}

impl Hide for Value {
    fn hide(&mut self, mask: &Mask) {
        match self {
            Self::Null | Self::Bool(_) | Self::Number(_) => {}
            Self::String(text) => text.hide(mask),
            Self::Array(elements) => elements.hide(mask),
            Self::Object(fields) => {
                *fields = std::mem::take(fields)
                    .into_iter()
                    .map(|mut field| {
                        field.hide(mask);
                        field
                    })
                    .collect();
            }
        }
    }
}

impl Hide for Report {
    fn hide(&mut self, mask: &Mask) {
        let Self { entries, run, shown_from: _, statistics: _, below: _, counts: _, undetermined: _, accepted: _, remarks } = self;
        entries.hide(mask);
        remarks.hide(mask);
        run.hide(mask);
    }
}

impl Hide for Audit {
    fn hide(&mut self, mask: &Mask) {
        let Self { tools, verdict: _ } = self;
        tools.hide(mask);
    }
}

impl Hide for AuditedTool {
    fn hide(&mut self, mask: &Mask) {
        let Self { manifest, name, title, effects, is_told: _, disagreements, verdict: _, found, row } = self;
        manifest.hide(mask);
        name.hide(mask);
        title.hide(mask);
        effects.hide(mask);
        disagreements.hide(mask);
        found.hide(mask);
        row.hide(mask);
    }
}

impl Hide for Effect {
    fn hide(&mut self, mask: &Mask) {
        let Self { kind: _, object, extent: _, reach: _, place: _, sensitivity: _, said: _, because, says, severity: _ } = self;
        object.hide(mask);
        says.hide(mask);
        because.hide(mask);
    }
}

impl Hide for FoundText {
    fn hide(&mut self, mask: &Mask) {
        let Self { rule: _, severity: _, line: _, column: _, message } = self;
        message.hide(mask);
    }
}

impl Hide for Run {
    fn hide(&mut self, mask: &Mask) {
        let Self { passed_over: _, models, library_version: _, configuration, loosened, delta, remarks, audit_problem, rules, secrets: _ } =
            self;
        for file in delta.iter_mut().flat_map(|delta| &mut delta.files) {
            file.path.hide(mask);
        }
        models.hide(mask);
        audit_problem.hide(mask);
        configuration.hide(mask);
        loosened.hide(mask);
        remarks.hide(mask);
        rules.hide(mask);
    }
}

impl Hide for Entry {
    fn hide(&mut self, mask: &Mask) {
        match self {
            Self::Finding(finding) => finding.hide(mask),
            Self::Problem(problem) => problem.hide(mask),
            Self::PassedOver(passed) => passed.hide(mask),
        }
    }
}

impl Hide for PassedOver {
    fn hide(&mut self, mask: &Mask) {
        let Self { name, kind: _, stream_line: _ } = self;
        name.hide(mask);
    }
}

impl Hide for PlacedRecord {
    fn hide(&mut self, mask: &Mask) {
        let Self { record: Record { number: _, id, tool, argument, part: _, session_id, timestamp, span: _ }, line: _ } = self;
        for text in [id, tool, argument, session_id, timestamp].into_iter().flatten() {
            text.hide(mask);
        }
    }
}

impl Hide for Listed {
    fn hide(&mut self, mask: &Mask) {
        let Self { name, listing, fenced: _ } = self;
        name.hide(mask);
        match listing {
            Listing::Undetermined(undetermined) => undetermined.detail.hide(mask),
            Listing::Judged(_) | Listing::PassedOver(_) => {}
        }
    }
}

impl Hide for Problem {
    fn hide(&mut self, mask: &Mask) {
        let Self { name, reason: _, detail, verdict: _, accepted, stream_line: _, secrets: _ } = self;
        name.hide(mask);
        accepted.hide(mask);
        detail.hide(mask);
    }
}

impl Hide for Finding {
    fn hide(&mut self, mask: &Mask) {
        let Self {
            name,
            kind: _,
            lifecycle: _,
            matches,
            accepted,
            further_matches: _,
            below: _,
            evaluations,
            opinions,
            decision: _,
            undetermined,
            features,
            explanation,
            text_hash: _,
            tenant: _,
            trail: _,
            record,
            stream_line: _,
            secrets: _,
        } = self;
        record.hide(mask);
        name.hide(mask);
        matches.hide(mask);
        accepted.hide(mask);
        evaluations.hide(mask);
        opinions.hide(mask);
        undetermined.hide(mask);
        features.hide(mask);
        explanation.hide(mask);
    }
}

impl Hide for Accepted {
    fn hide(&mut self, mask: &Mask) {
        let Self { matches, undetermined, opinion, remarks } = self;
        matches.hide(mask);
        opinion.iter_mut().for_each(|(_, acceptance)| acceptance.hide(mask));
        undetermined.hide(mask);
        remarks.hide(mask);
    }
}

impl Hide for Arc<Acceptance> {
    fn hide(&mut self, mask: &Mask) {
        let Acceptance { basis: _, reason, owner, expires: _, place } = Self::make_mut(self);
        reason.hide(mask);
        owner.hide(mask);
        place.hide(mask);
    }
}

impl Hide for Remark {
    fn hide(&mut self, mask: &Mask) {
        let Self { place, kind: _, detail } = self;
        place.hide(mask);
        detail.hide(mask);
    }
}

impl Hide for FeatureSheet {
    fn hide(&mut self, mask: &Mask) {
        let Self { document, lines } = self;
        document.hide(mask);
        lines.hide(mask);
    }
}

impl Hide for UndeterminedPlace {
    fn hide(&mut self, mask: &Mask) {
        let Self { reason: _, detail, position: _ } = self;
        detail.hide(mask);
    }
}

impl Hide for PlacedMatch {
    fn hide(&mut self, mask: &Mask) {
        let Self { rule, severity: _, action: _, start: _, end: _, span: _, evidence, message, steps, excerpt, line_hash: _, also } = self;
        also.hide(mask);
        rule.hide(mask);
        evidence.hide(mask);
        message.hide(mask);
        steps.hide(mask);
        excerpt.hide(mask);
    }
}

impl Hide for PlacedStep {
    fn hide(&mut self, mask: &Mask) {
        let Self { start: _, end: _, note } = self;
        note.hide(mask);
    }
}

impl Hide for Excerpt {
    fn hide(&mut self, mask: &Mask) {
        let Self { pieces: _, text, labels, hidden_steps: _ } = self;
        if let Some(starred) = mask.starred(text) {
            *text = starred;
        }
        labels.iter_mut().for_each(|(_, _, note)| note.hide(mask));
    }
}

impl Hide for Evaluation {
    fn hide(&mut self, mask: &Mask) {
        let Self { model, score: _, level, challenge: _, severity: _, action: _, escalated: _, signals, parts, undetermined } = self;
        model.hide(mask);
        level.hide(mask);
        signals.hide(mask);
        parts.hide(mask);
        undetermined.hide(mask);
    }
}

impl Hide for Signal {
    fn hide(&mut self, mask: &Mask) {
        let Self { id, score: _, level, description, span: _ } = self;
        id.hide(mask);
        level.hide(mask);
        description.hide(mask);
    }
}

impl Hide for Opinion {
    fn hide(&mut self, mask: &Mask) {
        match self {
            Self::NotJudged => {}
            Self::Failed(why) => why.hide(mask),
            Self::Judged(judgements) => judgements.hide(mask),
        }
    }
}

impl Hide for Judgement {
    fn hide(&mut self, mask: &Mask) {
        let Self { bill, level, severity: _, challenge: _, undetermined } = self;
        bill.hide(mask);
        level.hide(mask);
        undetermined.hide(mask);
    }
}

impl Hide for Explanation {
    fn hide(&mut self, mask: &Mask) {
        let Self { bills, counterfactual } = self;
        bills.hide(mask);
        match counterfactual {
            Counterfactual::Lowest => {}
            Counterfactual::Single(changes) | Counterfactual::Set(changes) => changes.hide(mask),
            Counterfactual::Nothing(why) => why.hide(mask),
        }
    }
}

impl Hide for Change {
    fn hide(&mut self, mask: &Mask) {
        let Self { scope: _, rules, matches: _, place: _, origin: _, found, help, after: _ } = self;
        rules.hide(mask);
        found.hide(mask);
        help.hide(mask);
    }
}

impl Hide for Bill {
    fn hide(&mut self, mask: &Mask) {
        let Self { model, rule, items, sum: _, adjustment, score: _, thresholds: _, decision: _, asked: _, asks, parts } = self;
        asks.hide(mask);
        model.hide(mask);
        rule.hide(mask);
        items.hide(mask);
        adjustment.hide(mask);
        parts.hide(mask);
    }
}

impl Hide for Adjustment {
    fn hide(&mut self, mask: &Mask) {
        let Self { points: _, why } = self;
        why.hide(mask);
    }
}

impl Hide for Item {
    fn hide(&mut self, mask: &Mask) {
        let Self { id, level, description, reckoning, place: _, points: _, total: _ } = self;
        id.hide(mask);
        level.hide(mask);
        description.hide(mask);
        reckoning.hide(mask);
    }
}
