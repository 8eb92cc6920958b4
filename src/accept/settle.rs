//! All acceptances of a run, and what they take out of the hits in a subject.

use std::collections::HashMap;
use std::sync::Arc;

use crate::accept::acceptance::{Acceptance, Remark, UNDETERMINED};
use crate::accept::inline::{self, Comments, Directive};
use crate::accept::listed::Listed;
use crate::rule::Match;
use crate::rule::cause::standing;
use crate::subject::{Completeness, Subject, Undetermined};
use crate::value::source::SourceName;
use crate::value::span::LineIndex;

/// All acceptances of a run.
#[derive(Debug, Default)]
pub struct Acceptances {
    /// The ids of all rules, in order: what names none of them is a mistake.
    pub known: Vec<String>,
    /// Comments in files count.
    pub inline: bool,
    /// The entries of the settings.
    pub listed: Vec<Listed>,
}

/// What became of the hits in a subject.
#[derive(Debug, Default)]
pub struct Settled {
    /// The hits that still count, in the order in which they were.
    pub kept: Vec<Match>,
    /// Those that do not, each cause once, with the reason.
    pub accepted: Vec<(Match, Arc<Acceptance>)>,
    /// What could not be judged and does not matter, with the reason.
    pub undetermined: Option<(Undetermined, Arc<Acceptance>)>,
    /// What is the matter with comments of the subject.
    pub remarks: Vec<Remark>,
}

impl Acceptances {
    /// Returns true if and only if nothing can be accepted.
    pub fn is_empty(&self) -> bool {
        !self.inline && self.listed.is_empty()
    }

    /// Takes out of the hits in a subject those that are accepted. `text` is that in which the places of the subject are.
    pub fn settle(&self, name: &SourceName, subject: &Subject, text: &str, matches: Vec<Match>) -> Settled {
        if self.is_empty() || name.is_stream || subject.record.is_some() {
            return Settled { kept: matches, ..Settled::default() };
        }
        let listed: Vec<&Listed> = self.listed.iter().filter(|listed| listed.fits(name)).collect();
        let lines = LineIndex::new(text);
        let mut comments = if self.inline { inline::comments(name, subject, text, &self.known) } else { Comments::default() };
        let mut settled = sort(matches, |found| {
            let line = lines.line_at(found.span.start);
            let inline = comments.accept(&found.rule.id, line).map(Directive::acceptance);
            inline.or_else(|| accept_listed(&listed, &found.rule.id))
        });
        if let Completeness::Undetermined(undetermined) = &subject.completeness {
            settled.undetermined = accept_listed(&listed, UNDETERMINED).map(|acceptance| (undetermined.clone(), acceptance));
        }
        settled.remarks = comments.remarks();
        settled
    }

    /// Why it does not matter that a source could not be judged at all, if that is accepted.
    pub fn problem(&self, name: &SourceName) -> Option<Arc<Acceptance>> {
        let is_file = !name.is_stream;
        let listed: Vec<&Listed> = self.listed.iter().filter(|listed| is_file && listed.fits(name)).collect();
        accept_listed(&listed, UNDETERMINED)
    }

    /// What is the matter with the entries of the settings, after everything was judged.
    pub fn remarks(&self) -> Vec<Remark> {
        self.listed.iter().filter_map(Listed::remark).collect()
    }
}

fn accept_listed(listed: &[&Listed], rule: &str) -> Option<Arc<Acceptance>> {
    listed.iter().find_map(|listed| listed.accept(rule))
}

/// Parts the hits into those that count and those that do not. Who accepts the hit that stands for a cause accepts the whole
/// cause, for that is what a report shows.
fn sort(matches: Vec<Match>, mut accept: impl FnMut(&Match) -> Option<Arc<Acceptance>>) -> Settled {
    let standing = standing(&matches);
    let mut settled = Settled::default();
    let mut causes: HashMap<usize, usize> = HashMap::new();
    for (index, (found, stands)) in matches.into_iter().zip(standing).enumerate() {
        if let Some((first, _)) = causes.get(&stands).and_then(|at| settled.accepted.get_mut(*at)) {
            first.also.push(found);
        } else if let Some(acceptance) = accept(&found) {
            if stands == index {
                causes.insert(index, settled.accepted.len());
            }
            settled.accepted.push((found, acceptance));
        } else {
            settled.kept.push(found);
        }
    }
    settled
}
