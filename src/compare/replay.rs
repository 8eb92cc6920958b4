//! The same subjects judged twice, by other settings: which verdicts flip, and what of rules and models makes them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::compare::stored::{Stored, StoredSubject};
use crate::explain::opinion::Opinion;
use crate::finding::hide::Hide;
use crate::finding::trail::KEY;
use crate::finding::{Entry, Finding, Report, Run};
use crate::pattern::mask::Mask;
use crate::value::severity::Severity;
use crate::value::source::SourceName;
use crate::value::verdict::Verdict;

/// What becomes of the same subjects before and after a change of settings.
#[derive(Debug)]
pub struct Replay {
    /// The subjects of which the verdict flips, those that become milder first, then in order of their names.
    pub flips: Vec<Flip>,
    /// How many subjects there are.
    pub subjects: usize,
    /// How often what becomes of each rule goes with a flip, the most frequent first.
    pub rules: Vec<(String, Turns)>,
    /// Of how many subjects each model by itself turns its verdict, the most frequent first.
    pub models: Vec<(String, Turns)>,
    /// What holds for each of the two runs.
    pub runs: [Run; 2],
}

/// How often something turned to each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// To a milder verdict.
    pub milder: usize,
    /// To a stricter verdict.
    pub stricter: usize,
}

/// A subject of which the verdict flips.
#[derive(Debug)]
pub struct Flip {
    /// The subject for people.
    pub name: String,
    /// The source.
    pub source: SourceName,
    /// How it is judged on either side; none, where it is not judged there.
    pub sides: [Option<Side>; 2],
    /// The rules of which something else becomes, each with how bad it is on either side, where it counts.
    pub rules: Vec<(String, [Option<Severity>; 2])>,
    /// The models of which the verdict differs, each with its verdicts.
    pub models: Vec<(String, [Option<Verdict>; 2])>,
}

/// How a subject is judged on one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The answer.
    pub verdict: Verdict,
    /// What led to it, by the name used in every output.
    pub reason: Cow<'static, str>,
    /// The highest score of any model; none, where nothing could be judged.
    pub score: Option<f64>,
}

impl Flip {
    /// Whether the verdict becomes milder.
    pub fn is_milder(&self) -> bool {
        let [before, after] = self.sides.each_ref().map(|side| side.as_ref().map(|side| side.verdict));
        after < before
    }
}

/// What is kept of a subject until the other side is judged.
struct Kept {
    name: String,
    side: Side,
    rules: BTreeMap<String, Severity>,
    models: BTreeMap<String, Verdict>,
}

impl Replay {
    /// Puts two reports on the same sources side by side, the one before the change first.
    pub fn of(before: Report, after: Report) -> Self {
        let runs = [before.run.clone(), after.run.clone()];
        Self::between(kept(before), kept(after), runs)
    }

    /// Holds a report against the verdicts of an earlier run. What models thought by themselves is not kept, so only the answers count;
    /// and where subjects are found by their hashes, those that were never judged before say nothing.
    pub fn against(stored: &Stored, after: Report) -> Self {
        let runs = [stored.run.clone(), after.run.clone()];
        let hashes = hashes(&after);
        let mut after = kept(after);
        after.values_mut().for_each(|kept| kept.models.clear());
        let before = recalled(stored, &hashes, &after);
        if stored.subjects.iter().any(|subject| subject.hash.is_some()) {
            after.retain(|key, _| before.contains_key(key));
        }
        Self::between(before, after, runs)
    }

    fn between(mut before: Subjects, mut after: Subjects, runs: [Run; 2]) -> Self {
        let keys: BTreeSet<(SourceName, usize)> = before.keys().chain(after.keys()).cloned().collect();
        let mut replay = Self { flips: Vec::new(), subjects: keys.len(), rules: Vec::new(), models: Vec::new(), runs };
        let (mut rules, mut models) = (BTreeMap::new(), BTreeMap::new());
        for key in keys {
            let sides = [before.remove(&key), after.remove(&key)];
            let of_models = differing(&sides, |kept| &kept.models);
            for (model, verdicts) in &of_models {
                // A model that judges on one side only has turned nothing.
                if let [Some(before), Some(after)] = verdicts {
                    turn(&mut models, model, after < before);
                }
            }
            if verdict(&sides[0]) == verdict(&sides[1]) {
                continue;
            }
            let flip = flip(key.0, sides, of_models);
            flip.rules.iter().for_each(|(rule, _)| turn(&mut rules, rule, flip.is_milder()));
            replay.flips.push(flip);
        }
        replay.flips.sort_by_key(|flip| !flip.is_milder());
        replay.rules = most_frequent(rules);
        replay.models = most_frequent(models);
        replay
    }

    /// How many verdicts become milder, and how many stricter.
    pub fn turns(&self) -> Turns {
        let milder = self.flips.iter().filter(|flip| flip.is_milder()).count();
        Turns { milder, stricter: self.flips.len() - milder }
    }
}

fn flip(source: SourceName, sides: [Option<Kept>; 2], models: Vec<(String, [Option<Verdict>; 2])>) -> Flip {
    let rules = differing(&sides, |kept| &kept.rules);
    let name = sides.iter().flatten().map(|kept| kept.name.clone()).next_back().unwrap_or_default();
    Flip { name, source, sides: sides.map(|kept| kept.map(|kept| kept.side)), rules, models }
}

fn verdict(kept: &Option<Kept>) -> Option<Verdict> {
    kept.as_ref().map(|kept| kept.side.verdict)
}

/// The names that stand for something else on either side, with what.
fn differing<T: Copy + PartialEq>(sides: &[Option<Kept>; 2], of: fn(&Kept) -> &BTreeMap<String, T>) -> Vec<(String, [Option<T>; 2])> {
    let [before, after] = sides.each_ref().map(|kept| kept.as_ref().map(of));
    let names: BTreeSet<&String> = before.iter().chain(&after).flat_map(|names| names.keys()).collect();
    let pair = |name: &String| [before, after].map(|names| names.and_then(|names| names.get(name)).copied());
    let pairs = names.into_iter().map(|name| (name.clone(), pair(name)));
    pairs.filter(|(_, [before, after])| before != after).collect()
}

fn turn(turns: &mut BTreeMap<String, Turns>, name: &str, is_milder: bool) {
    let turns = turns.entry(name.to_owned()).or_default();
    if is_milder { turns.milder += 1 } else { turns.stricter += 1 }
}

fn most_frequent(turns: BTreeMap<String, Turns>) -> Vec<(String, Turns)> {
    let mut turns: Vec<(String, Turns)> = turns.into_iter().collect();
    turns.sort_by_key(|(_, turns)| std::cmp::Reverse(turns.milder + turns.stricter));
    turns
}

/// The hash of each subject of a report that has one.
fn hashes(report: &Report) -> Vec<((SourceName, usize), [u8; KEY])> {
    let mut counts: BTreeMap<SourceName, usize> = BTreeMap::new();
    let hash = |entry: &Entry| {
        let nth = counts.entry(entry.name().clone()).or_default();
        *nth += 1;
        let trail = entry.finding().and_then(|finding| finding.trail.as_deref())?;
        Some(((entry.name().clone(), *nth), trail.subject))
    };
    report.entries.iter().filter_map(hash).collect()
}

/// What an earlier run kept, under the names that the subjects have now.
fn recalled(stored: &Stored, hashes: &[((SourceName, usize), [u8; KEY])], after: &Subjects) -> Subjects {
    let names: HashMap<String, &SourceName> = after.keys().map(|(name, _)| (name.as_text(), name)).collect();
    let mut by_hash: HashMap<[u8; KEY], &StoredSubject> = HashMap::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut recalled = Subjects::new();
    for subject in &stored.subjects {
        if let Some(hash) = subject.hash {
            by_hash.insert(hash, subject);
            continue;
        }
        let nth = counts.entry(&subject.path).or_default();
        *nth += 1;
        let name = names.get(&subject.path).map_or_else(|| SourceName::explicit(&subject.path), |name| (*name).clone());
        let key = (name, *nth);
        recalled.insert(key.clone(), recall(subject, after.get(&key)));
    }
    let known = hashes.iter().filter_map(|(key, hash)| Some((key.clone(), recall(by_hash.get(hash)?, after.get(key)))));
    recalled.extend(known);
    recalled
}

/// What is kept of a subject; where it is not known how bad a hit was, it was as bad as it is now.
fn recall(subject: &StoredSubject, now: Option<&Kept>) -> Kept {
    let StoredSubject { path, hash: _, verdict, reason, score, rules } = subject;
    let severity = |rule: &String, severity: Option<Severity>| {
        severity.or_else(|| now.and_then(|now| now.rules.get(rule).copied())).unwrap_or(Severity::Low)
    };
    Kept {
        name: now.map_or_else(|| SourceName::explicit(path).as_shown(), |now| now.name.clone()),
        side: Side { verdict: *verdict, reason: reason.clone().into(), score: *score },
        rules: rules.iter().map(|(rule, known)| (rule.clone(), severity(rule, *known))).collect(),
        models: BTreeMap::new(),
    }
}

/// Subjects by their source, and by which of its subjects they are.
type Subjects = BTreeMap<(SourceName, usize), Kept>;

fn kept(report: Report) -> Subjects {
    let mut counts: BTreeMap<SourceName, usize> = BTreeMap::new();
    let keyed = report.entries.into_iter().map(|entry| {
        let nth = counts.entry(entry.name().clone()).or_default();
        *nth += 1;
        ((entry.name().clone(), *nth), keep(&entry))
    });
    keyed.collect()
}

fn keep(entry: &Entry) -> Kept {
    let name = entry.shown_name();
    let (reason, score) = match entry {
        Entry::Finding(finding) => (finding.decision.reason.name(), Some(finding.score())),
        Entry::Problem(_) | Entry::PassedOver(_) => ("undetermined", None),
    };
    let side = Side { verdict: entry.verdict(), reason: reason.into(), score };
    let (rules, models) = entry.finding().map_or_else(Default::default, |finding| (rules(finding), models(finding)));
    Kept { name, side, rules, models }
}

/// The rules that hit, each with the worst of its hits.
fn rules(finding: &Finding) -> BTreeMap<String, Severity> {
    let mut rules = BTreeMap::new();
    for found in &finding.matches {
        let worst = rules.entry(found.rule.id.to_string()).or_insert(found.severity);
        *worst = found.severity.max(*worst);
    }
    rules
}

/// The models that judged, each with the strictest of its verdicts.
fn models(finding: &Finding) -> BTreeMap<String, Verdict> {
    let mut models = BTreeMap::new();
    for opinion in &finding.opinions {
        let Opinion::Judged(judgements) = opinion else { continue };
        for judgement in judgements {
            let verdict = judgement.bill.decision.verdict;
            let strictest = models.entry(judgement.bill.model.to_string()).or_insert(verdict);
            *strictest = verdict.max(*strictest);
        }
    }
    models
}

impl Hide for Replay {
    fn hide(&mut self, mask: &Mask) {
        let Self { flips, subjects: _, rules: _, models: _, runs } = self;
        flips.hide(mask);
        runs.iter_mut().for_each(|run| run.hide(mask));
    }
}

impl Hide for Flip {
    fn hide(&mut self, mask: &Mask) {
        let Self { name, source, sides: _, rules: _, models: _ } = self;
        name.hide(mask);
        source.hide(mask);
    }
}
