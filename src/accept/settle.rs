//! All acceptances of a run, and what they take out of the hits in a subject.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::accept::acceptance::{Acceptance, Remark, UNDETERMINED};
use crate::accept::baseline::{Baseline, Content, Sight};
use crate::accept::given::Given;
use crate::accept::inline::{self, Comments, Directive};
use crate::accept::listed::Listed;
use crate::accept::opinion::Opinion;
use crate::accept::vouched::Vouched;
use crate::format::Language;
use crate::format::registry as formats;
use crate::rule::Match;
use crate::rule::cause::standing;
use crate::subject::{Completeness, Kind, Subject, Undetermined};
use crate::value::source::SourceName;
use crate::value::span::LineIndex;
use crate::value::verdict::Verdict;

/// All acceptances of a run.
#[derive(Debug, Default)]
pub struct Acceptances {
    /// The ids of all rules, in order: what names none of them is a mistake.
    pub known: Vec<String>,
    /// Comments in files count.
    pub inline: bool,
    /// The entries of the settings.
    pub listed: Vec<Listed>,
    /// Comments count only where they stood in this revision already.
    pub vouched: Option<Vouched>,
    /// What stood there before.
    pub baselines: Vec<Baseline>,
    /// The folder to which the names of sources are relative, where that is not the one in which the run was started.
    pub folder: Option<PathBuf>,
}

/// A source whose subjects are settled one after the other.
#[derive(Debug)]
pub struct Course<'s> {
    name: &'s SourceName,
    /// What each baseline sees of it.
    sights: Vec<Option<Sight>>,
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
        !self.inline && self.listed.is_empty() && self.baselines.is_empty()
    }

    /// Begins with a source.
    pub fn course<'s>(&self, name: &'s SourceName) -> Course<'s> {
        let whole = self.whole(name);
        let is_file = !name.is_stream && !self.baselines.is_empty();
        Course { name, sights: self.baselines.iter().map(|baseline| baseline.sight(&whole).filter(|_| is_file)).collect() }
    }

    /// Takes out of the hits in a subject those that are accepted. `text` is that in which the places of the subject are.
    pub fn settle(&self, course: &mut Course<'_>, subject: &Subject, text: &str, matches: Vec<Match>) -> Settled {
        let name = course.name;
        if self.is_empty() || name.is_stream || subject.record.is_some() {
            return Settled { kept: matches, ..Settled::default() };
        }
        let whole = self.whole(name);
        let listed: Vec<&Listed> = self.listed.iter().filter(|listed| listed.fits(&whole)).collect();
        let lines = LineIndex::new(text);
        let mut comments = if self.inline { inline::comments(name, subject, text, &self.known) } else { Comments::default() };
        let given = if self.baselines.is_empty() && self.vouched.is_none() { Given::default() } else { Given::of(subject) };
        let vouched = self.vouched.as_ref().filter(|_| !comments.is_empty());
        let old_text = vouched.map(|vouched| vouched.text(&whole).unwrap_or_default());
        // A comment in a file that is what it was accepts what it did.
        let vouched = vouched.filter(|_| old_text.as_deref() != Some(text));
        if let Some((vouched, old)) = vouched.zip(old_text.as_deref()) {
            comments.keep_vouched(&vouched.revision, old, text);
        }
        let may_be_old = is_old_kind(subject.kind);
        let mut settled = sort(matches, |found, stands| {
            let line = lines.line_at(found.span.start);
            let mut inline = comments.accept(&found.rule.id, line).map(Directive::acceptance);
            if let Some((vouched, said)) = vouched.zip(inline.as_ref())
                && !vouched.known.as_ref().is_some_and(|known| known.knows(&whole, found, (text, &given)))
            {
                comments.refuse(&found.rule.id, said.place.clone(), &vouched.revision);
                inline = None;
            }
            let said = inline.or_else(|| accept_listed(&listed, &found.rule.id));
            // A baseline knows a cause by the hit that stands for it.
            let mut old = || self.old(course, |baseline, sight| baseline.accept(sight, (found, line), (text, &given)));
            said.or_else(|| if may_be_old && stands { old() } else { None })
        });
        if let Completeness::Undetermined(undetermined) = &subject.completeness {
            let content = || Sha256::digest(text.as_bytes()).into();
            let mut old = || self.old(course, |baseline, sight| baseline.accept_undetermined(sight, undetermined, &content()));
            let accepted = accept_listed(&listed, UNDETERMINED).or_else(|| if may_be_old { old() } else { None });
            settled.undetermined = accepted.map(|acceptance| (undetermined.clone(), acceptance));
        }
        settled.remarks = comments.remarks();
        settled
    }

    /// Why it does not matter what models think of a subject as a whole, and answer so, if it stood there before.
    pub fn opinion(&self, name: &SourceName, opinion: &Opinion, (subject, verdict): (&Subject, Verdict)) -> Option<Arc<Acceptance>> {
        let may_be_old = !name.is_stream && subject.record.is_none() && is_old_kind(subject.kind);
        if !may_be_old || self.baselines.is_empty() || opinion.models.is_empty() {
            return None;
        }
        self.old(&mut self.course(name), |baseline, sight| baseline.accept_opinion(sight, opinion, (subject, verdict)))
    }

    fn old(
        &self,
        course: &mut Course<'_>,
        mut accept: impl FnMut(&Baseline, &mut Sight) -> Option<Arc<Acceptance>>,
    ) -> Option<Arc<Acceptance>> {
        self.baselines.iter().zip(&mut course.sights).find_map(|(baseline, sight)| accept(baseline, sight.as_mut()?))
    }

    /// Why it does not matter that a source could not be judged at all, if that is accepted. `content` is asked for what it holds,
    /// if that is known.
    pub fn problem(
        &self,
        name: &SourceName,
        undetermined: &Undetermined,
        content: impl FnOnce() -> Option<Content>,
    ) -> Option<Arc<Acceptance>> {
        if name.is_stream {
            return None;
        }
        let whole = self.whole(name);
        let listed: Vec<&Listed> = self.listed.iter().filter(|listed| listed.fits(&whole)).collect();
        accept_listed(&listed, UNDETERMINED).or_else(|| {
            let is_call = formats::by_path(name.path()).is_some_and(|recognised| recognised.language == Language::ToolCall);
            let content = if self.baselines.is_empty() || is_call { None } else { content() }?;
            self.old(&mut self.course(name), |baseline, sight| baseline.accept_undetermined(sight, undetermined, &content))
        })
    }

    fn whole(&self, name: &SourceName) -> PathBuf {
        let path = self.folder.as_ref().map_or_else(|| name.path().to_path_buf(), |folder| folder.join(name.path()));
        std::path::absolute(&path).unwrap_or(path)
    }

    /// What is the matter with the entries of the settings and with baselines, after everything was judged.
    pub fn remarks(&self) -> Vec<Remark> {
        let listed = self.listed.iter().filter_map(Listed::remark);
        listed.chain(self.baselines.iter().filter_map(Baseline::remark)).collect()
    }
}

/// Whether a baseline may know what stands in a subject: never in what an agent hands over.
fn is_old_kind(kind: Kind) -> bool {
    match kind {
        Kind::Script | Kind::Text | Kind::Manifest => true,
        Kind::ToolCall | Kind::ToolResult | Kind::Prompt => false,
    }
}

fn accept_listed(listed: &[&Listed], rule: &str) -> Option<Arc<Acceptance>> {
    listed.iter().find_map(|listed| listed.accept(rule))
}

/// Parts the hits into those that count and those that do not. Who accepts the hit that stands for a cause accepts the whole
/// cause, for that is what a report shows.
fn sort(matches: Vec<Match>, mut accept: impl FnMut(&Match, bool) -> Option<Arc<Acceptance>>) -> Settled {
    let standing = standing(&matches);
    let mut settled = Settled::default();
    let mut causes: HashMap<usize, usize> = HashMap::new();
    for (index, (found, stands)) in matches.into_iter().zip(standing).enumerate() {
        if let Some((first, _)) = causes.get(&stands).and_then(|at| settled.accepted.get_mut(*at)) {
            first.also.push(found);
        } else if let Some(acceptance) = accept(&found, stands == index) {
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
