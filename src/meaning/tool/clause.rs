//! A verb with what it is done to, wherever it stands: in a name, in a sentence, in the name of a mode.

use crate::knowledge::act::{Act, ActVerb, SPEECH, holds, is_one_of};
use crate::knowledge::effect::Extent;

/// A verb with what it is done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The verb.
    pub verb: ActVerb,
    /// What else stands with it, in lower case.
    pub words: Vec<String>,
}

/// An object is told by no more than its last words.
const OBJECT_WORDS: usize = 3;

impl Clause {
    /// What the verb does to these things. `description` is all that the tool says of itself, in lower case.
    pub fn acts<'c>(&'c self, description: &'c str) -> impl Iterator<Item = &'static Act> + 'c {
        self.verb.acts().filter(move |act| {
            let near = if act.is_direct { self.direct() } else { &self.words };
            (act.with.is_empty() || act.with.iter().any(|phrase| holds(near, phrase)))
                && !act.unless.iter().any(|phrase| holds(&self.words, phrase))
                && !act.guard.iter().any(|phrase| description.contains(phrase))
        })
    }

    /// The words before the first preposition.
    fn direct(&self) -> &[String] {
        let end = self.words.iter().position(|word| is_one_of(SPEECH.prepositions, word)).unwrap_or(self.words.len());
        self.words.get(..end).unwrap_or_default()
    }

    /// What it is done to: the words before the first preposition, without articles.
    pub fn object(&self) -> Option<String> {
        let is_small = |word: &str| is_one_of(SPEECH.articles, word) || is_one_of(SPEECH.one, word) || is_one_of(SPEECH.all, word);
        let run = self.direct().iter().map(String::as_str);
        let kept: Vec<&str> = run.filter(|word| !is_small(word) && !is_one_of(SPEECH.many, word)).collect();
        let kept = kept.get(kept.len().saturating_sub(OBJECT_WORDS)..).unwrap_or_default();
        (!kept.is_empty()).then(|| kept.join(" "))
    }

    /// To how much it is done.
    pub fn extent(&self) -> Extent {
        let has = |list: &[&str]| self.words.iter().any(|word| is_one_of(list, word));
        if has(SPEECH.all) {
            Extent::All
        } else if has(SPEECH.many) {
            Extent::Many
        } else if self.words.first().is_some_and(|word| is_one_of(SPEECH.one, word)) {
            Extent::One
        } else {
            Extent::Unknown
        }
    }
}
