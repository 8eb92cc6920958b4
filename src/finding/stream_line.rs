//! The lines of a stream: which of them an entry answers, and where it stands in the stream.

use crate::explain::Explanation;
use crate::explain::bill::Bill;
use crate::explain::counterfactual::{Change, Counterfactual};
use crate::explain::opinion::Opinion;
use crate::finding::placed::PlacedMatch;
use crate::finding::{Entry, Finding, PlacedRecord, StreamLine};
use crate::meaning::sheet;
use crate::value::span::Position;

impl Entry {
    /// The line of a stream that this answers, if it answers one.
    pub fn stream_line(&self) -> Option<StreamLine> {
        match self {
            Self::Finding(finding) => finding.stream_line,
            Self::Problem(problem) => problem.stream_line,
            Self::PassedOver(passed) => passed.stream_line,
        }
    }

    /// The record that this is about, if it is one of several of its source.
    pub fn record_mut(&mut self) -> Option<&mut PlacedRecord> {
        match self {
            Self::Finding(finding) => finding.record.as_deref_mut(),
            Self::Problem(_) | Self::PassedOver(_) => None,
        }
    }

    /// The line of a stream that this answers, to be said.
    pub fn stream_line_mut(&mut self) -> &mut Option<StreamLine> {
        match self {
            Self::Finding(finding) => &mut finding.stream_line,
            Self::Problem(problem) => &mut problem.stream_line,
            Self::PassedOver(passed) => &mut passed.stream_line,
        }
    }
}

impl Finding {
    /// Moves every place so many lines down: what was judged as a text of its own stands in a longer one.
    pub fn move_down(&mut self, lines: u32) {
        if lines == 0 {
            return;
        }
        let down = |position: &mut Position| position.line = position.line.saturating_add(lines);
        self.matches.iter_mut().for_each(|found| move_match(found, lines));
        self.record.iter_mut().for_each(|placed| placed.line = placed.line.saturating_add(lines));
        self.undetermined.iter_mut().filter_map(|place| place.position.as_mut()).for_each(down);
        self.features.iter_mut().for_each(|sheet| sheet::move_down(&mut sheet.document, lines));
        self.explanation.iter_mut().for_each(|explanation| move_explanation(explanation, &down));
        for opinion in &mut self.opinions {
            match opinion {
                Opinion::Judged(judgements) => judgements.iter_mut().for_each(|judgement| move_bill(&mut judgement.bill, &down)),
                Opinion::NotJudged | Opinion::Failed(_) => {}
            }
        }
    }
}

fn move_match(found: &mut PlacedMatch, lines: u32) {
    let steps = found.steps.iter_mut().flat_map(|step| [&mut step.start, &mut step.end]);
    for position in steps.chain([&mut found.start, &mut found.end]) {
        position.line = position.line.saturating_add(lines);
    }
    for piece in found.excerpt.iter_mut().flat_map(|excerpt| &mut excerpt.pieces) {
        piece.first_line = piece.first_line.saturating_add(lines);
    }
}

fn move_explanation(explanation: &mut Explanation, down: &impl Fn(&mut Position)) {
    explanation.bills.iter_mut().for_each(|bill| move_bill(bill, down));
    let places = |change: &mut Change| [&mut change.place, &mut change.origin].into_iter().flatten().for_each(down);
    match &mut explanation.counterfactual {
        Counterfactual::Single(changes) | Counterfactual::Set(changes) => changes.iter_mut().for_each(places),
        Counterfactual::Lowest | Counterfactual::Nothing(_) => {}
    }
}

fn move_bill(bill: &mut Bill, down: &impl Fn(&mut Position)) {
    bill.items.iter_mut().filter_map(|item| item.place.as_mut()).for_each(down);
    bill.parts.iter_mut().for_each(|part| move_bill(part, down));
}
