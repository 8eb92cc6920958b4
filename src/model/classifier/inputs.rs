//! What the classifier looks at: facts, words and meaning of a subject, each as a named input.

use rustc_hash::FxHashSet;

use crate::model::classifier::told;
use crate::model::embedding::{Embedder, EmbeddingError, normalise};
use crate::model::similarity::reading;
use crate::model::{Evidence, hybrid};
use crate::rule::Match;
use crate::subject::call::Disguise;
use crate::subject::flow::Strength;
use crate::value::score::Score;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// Changes whenever the same subject gets other inputs: weights only fit the inputs that they were trained with.
pub const VERSION: u32 = 1;
/// How many weights facts and words share; a word whose name falls together with another's shares its weight.
pub const BUCKETS: usize = 1 << 15;
/// How many different words and pairs of words of a subject count. Longer texts are thinned, so that none of their parts is left out.
const WORDS: usize = 4_096;

/// The inputs of a subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// What was found and counted, each with its name for people.
    pub facts: Vec<Input>,
    /// Words and pairs of neighbours, each once.
    pub words: Vec<Input>,
    /// What the subject is about: the mean of the vectors of its stretches, as long as one.
    pub meaning: Vec<f32>,
    /// The subject is read as prose and not as code.
    pub is_prose: bool,
}

/// One input.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Which weight it has.
    pub bucket: usize,
    /// How much of it there is; 1 for what is there or not.
    pub value: f32,
    /// What it is.
    pub name: String,
}

/// The inputs of a subject.
///
/// # Errors
///
/// When the embedder cannot make a vector.
pub fn of(evidence: &Evidence<'_>, embedder: &dyn Embedder) -> Result<Inputs, EmbeddingError> {
    let is_prose = evidence.subject.kind.is_prose();
    let stretches = reading::subject(evidence, embedder.reach());
    let vectors = embedder.embed_stretches(&stretches)?;
    let mut meaning = vec![0.0; embedder.dimensions()];
    for vector in vectors.chunks_exact(embedder.dimensions()) {
        meaning.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
    }
    normalise(&mut meaning);
    let group = if is_prose { "prose" } else { "code" };
    let mut words = Words { seen: FxHashSet::default(), inputs: Vec::new(), group };
    for word in thinned(stretches.words()) {
        words.add(word);
    }
    for stretch in 0..stretches.len() {
        for pair in stretches.numbers(stretch).windows(2) {
            if let [Some(left), Some(right)] = [pair[0], pair[1]].map(|number| stretches.words().get(number as usize)) {
                words.add(&format!("{left} {right}"));
            }
        }
    }
    let mut words = words.inputs;
    // However long a subject is, all of its words together weigh as much as those of any other.
    let share = 1.0 / (words.len().max(1) as f32).sqrt();
    words.iter_mut().for_each(|input| input.value = share);
    Ok(Inputs { facts: facts(evidence), words, meaning, is_prose })
}

/// At most so many, from all parts of the list.
fn thinned(words: &[Box<str>]) -> impl Iterator<Item = &str> {
    let step = words.len().div_ceil(WORDS).max(1);
    words.iter().step_by(step).map(AsRef::as_ref)
}

struct Words {
    seen: FxHashSet<usize>,
    inputs: Vec<Input>,
    group: &'static str,
}

impl Words {
    fn add(&mut self, word: &str) {
        if 2 * WORDS <= self.inputs.len() {
            return;
        }
        let bucket = bucket(self.group, word);
        if self.seen.insert(bucket) {
            self.inputs.push(Input { bucket, value: 1.0, name: format!("“{word}”") });
        }
    }
}

/// What was found and counted.
fn facts(evidence: &Evidence<'_>) -> Vec<Input> {
    let mut facts = Facts { inputs: Vec::new() };
    let Evidence { subject, features, matches, .. } = *evidence;
    // The weights were trained on every hit by itself, not on causes.
    let matches: Vec<&Match> = matches.iter().flat_map(Match::all).collect();
    facts.holds(format!("a {}", subject.kind.name()));
    let found: Vec<(Severity, Action)> = matches.iter().map(|found| (found.severity, found.action)).collect();
    let together = hybrid::judge(&found, Score::MAX.value());
    facts.holds(format!("all matches together ask to {}", together.action));
    facts.amount("the score of all matches", together.score as f32 / 50.0);
    for severity in Severity::ALL {
        let count = matches.iter().filter(|found| found.severity == severity).count();
        facts.count(&format!("matches that are {severity}"), count as f32);
    }
    for found in &matches {
        facts.holds(format!("{} ({})", found.rule.id, found.severity));
        facts.holds(format!("a match about {}", found.rule.category));
    }
    facts.count("tool calls", subject.calls.len() as f32);
    facts.count("calls of host APIs", subject.host_calls.len() as f32);
    facts.count("calls in loops", features.calls.iter().filter(|call| call.is_repeated).count() as f32);
    facts.count("tools whose name is not known", features.calls.iter().filter(|call| call.is_dynamic).count() as f32);
    facts.count("sensitive fields", features.sensitive_fields.len() as f32);
    facts.count("data between calls", features.data_flow.len() as f32);
    facts.count("reads before sends", features.sequences.len() as f32);
    for call in &subject.calls {
        if call.disguise != Disguise::None {
            facts.holds("a disguised tool name".to_owned());
        }
    }
    for hazard in &subject.hazards {
        let name = format!("hazard {:?} ({:?})", hazard.kind, hazard.strength);
        facts.holds_as(&name, || told::hazard(hazard.kind, hazard.strength));
    }
    for leak in &features.leaks {
        facts.holds_as(&format!("{:?} leak ({})", leak.kind, leak.severity), || told::leak(leak.kind, leak.severity));
    }
    for passage in &features.ends.passages {
        let Some(reach) = features.ends.reach(passage) else { continue };
        let strength = subject.flows.get(passage.flow).map_or(Strength::Bit, |flow| flow.strength);
        for sink in &reach.sinks {
            let name = format!("{strength:?} flow of {:?} data into {sink:?} {:?}", passage.read.sensitivity, reach.side);
            facts.holds_as(&name, || told::flow(strength, passage.read.sensitivity, *sink, reach.side));
        }
    }
    for reach in &features.ends.reaches {
        for sink in &reach.sinks {
            facts.holds_as(&format!("a call that does {sink:?} {:?}", reach.side), || told::call(*sink, reach.side));
        }
    }
    facts.inputs
}

struct Facts {
    inputs: Vec<Input>,
}

impl Facts {
    /// Something holds that is told as it is named; it counts once.
    fn holds(&mut self, name: String) {
        self.holds_as(&name, || name.clone());
    }

    /// Something holds whose name only the weights go by.
    fn holds_as(&mut self, name: &str, told: impl FnOnce() -> String) {
        let bucket = bucket("fact", name);
        if !self.inputs.iter().any(|input| input.bucket == bucket) {
            self.inputs.push(Input { bucket, value: 1.0, name: told() });
        }
    }

    /// There are so many of something: ten times as many count for little more.
    fn count(&mut self, name: &str, count: f32) {
        if 0.0 < count {
            self.amount(name, count.ln_1p() / 4.0);
        }
    }

    fn amount(&mut self, name: &str, value: f32) {
        self.inputs.push(Input { bucket: bucket("count", name), value, name: name.to_owned() });
    }
}

/// The weight of a name: FNV-1a, folded to the number of buckets.
fn bucket(group: &str, name: &str) -> usize {
    let bytes = group.bytes().chain([0]).chain(name.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash ^ hash >> 32) as usize % BUCKETS
}
