//! What verbs do, what tools of well-known servers do, and how names and descriptions are worded.

use std::borrow::Cow;

use crate::knowledge::effect::{EffectKind, Extent};
use crate::knowledge::row::term::SensitivityTerm;
use crate::knowledge::text::{Name, Text};
use crate::knowledge::wildcard::WildcardTable;

/// What some verbs do to some things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Act {
    /// What is done; none where nothing is.
    pub effect: Option<EffectKind>,
    /// One of these phrases must stand in the clause; empty where anything may.
    pub with: &'static [&'static [&'static str]],
    /// None of these may.
    pub unless: &'static [&'static [&'static str]],
    /// Nor may the description hold any of these, in lower case.
    pub guard: &'static [&'static str],
    /// A description that says something milder is believed.
    pub is_weak: bool,
    /// The phrases must be what it is done to, and not stand behind a preposition.
    pub is_direct: bool,
    /// A name, or an opening of a description, that it fits.
    pub hit: Text,
    /// One that it does not.
    pub miss: Text,
    /// Where it is taken from.
    pub source: Text,
}

/// A tool of a well-known server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownTool {
    /// Its name; `*` stands for anything.
    pub name: &'static str,
    /// All that it does.
    pub effects: &'static [EffectKind],
    /// What it does it to.
    pub object: Option<&'static str>,
    /// To how much.
    pub extent: Extent,
    /// What kind of data it returns, where the row says.
    pub sensitivity: Option<SensitivityTerm>,
    /// What it is given stays inside, or does not, where the row says.
    pub is_inside: Option<bool>,
    /// A name that the row fits.
    pub hit: Text,
    /// A name that it does not.
    pub miss: Text,
    /// The documentation that names it.
    pub source: &'static str,
}

/// How names and descriptions are worded; each list is sorted.
#[derive(Clone, Copy, Debug)]
pub struct Speech {
    /// Words that are nouns as often as verbs.
    pub either: &'static [&'static str],
    /// Words of names that are verbs only where the name begins with them.
    pub noun_first: &'static [&'static str],
    /// What stands before the verb of a description.
    pub openers: &'static [&'static str],
    /// Verbs before the verb.
    pub enablers: &'static [&'static str],
    /// Those who are enabled.
    pub persons: &'static [&'static str],
    /// How it is done.
    pub adverbs: &'static [&'static str],
    /// What stands between two verbs.
    pub joiners: &'static [&'static str],
    /// What shows that the word before is a verb.
    pub articles: &'static [&'static str],
    /// Words at which what a verb is done to ends.
    pub stops: &'static [&'static str],
    /// Verbs that make or change something which may itself act later: `create_monitor(action)`.
    pub makers: &'static [&'static str],
    /// What a name ends with that only tells how something is done.
    pub tellers: &'static [&'static str],
    /// What a name ends with that is only looked at, whatever noun stands before it: `swap_quote`.
    pub findings: &'static [&'static str],
    /// Words behind which a plural that could be a verb is a noun.
    pub predicates: &'static [&'static str],
    /// Words behind which stands what else takes part.
    pub prepositions: &'static [&'static str],
    /// Parameters that choose what the tool does.
    pub modes: &'static [&'static str],
    /// Parameters that a tool takes which runs something.
    pub given_run: &'static [&'static str],
    /// Those of a tool which moves money.
    pub given_pay: &'static [&'static str],
    /// Those of a tool which reaches somebody.
    pub given_send: &'static [&'static str],
    /// Those of a tool which opens something.
    pub given_grant: &'static [&'static str],
    /// Those of a tool which changes something.
    pub given_write: &'static [&'static str],
    /// Words for all there is.
    pub all: &'static [&'static str],
    /// Words for many.
    pub many: &'static [&'static str],
    /// Words for one.
    pub one: &'static [&'static str],
}

/// What is known of tools by name, and the words by which others are told.
pub struct Acts {
    /// What verbs do.
    pub acts: &'static [Act],
    /// Verbs with the positions of their acts, in order.
    pub verbs: &'static [(&'static str, &'static [usize])],
    /// How names and descriptions are worded.
    pub speech: Speech,
    /// Tools of well-known servers.
    pub tools: &'static [KnownTool],
    /// Their names.
    pub tool_names: WildcardTable,
}

/// What is known of tools by name, and the words by which others are told.
pub const ACTS: &Acts = &include!(concat!(env!("OUT_DIR"), "/acts.rs"));

/// How names and descriptions are worded.
pub const SPEECH: &Speech = &ACTS.speech;

/// Returns true if and only if a word is in a list of words of speech.
pub fn is_one_of(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

/// In which form a verb stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `delete`
    Base,
    /// `deletes`
    ThirdPerson,
    /// `deleting`
    Gerund,
}

/// A verb that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActVerb {
    /// Its base form.
    pub base: &'static str,
    /// The form in which it stands.
    pub form: Form,
    acts: &'static [usize],
}

impl ActVerb {
    /// The verb that a word in lower case is, if it is known.
    pub fn of(word: &str) -> Option<Self> {
        if let Some((base, acts)) = act_verb(word) {
            return Some(Self { base, form: Form::Base, acts });
        }
        let form = if word.ends_with("ing") { Form::Gerund } else { Form::ThirdPerson };
        bases(word).iter().find_map(|base| act_verb(base)).map(|(base, acts)| Self { base, form, acts })
    }

    /// All that it does to something.
    pub fn acts(self) -> impl Iterator<Item = &'static Act> {
        self.acts.iter().filter_map(|at| ACTS.acts.get(*at))
    }

    /// It is a noun as often as a verb.
    pub fn is_either(self) -> bool {
        is_one_of(SPEECH.either, self.base)
    }
}

/// Returns true if and only if a word, in its base form, is a verb of tools.
pub fn is_act_verb(word: &str) -> bool {
    act_verb(word).is_some()
}

fn act_verb(word: &str) -> Option<(&'static str, &'static [usize])> {
    ACTS.verbs.binary_search_by(|(known, _)| (*known).cmp(word)).ok().and_then(|at| ACTS.verbs.get(at)).copied()
}

/// The shortest word that is taken apart.
const SHORTEST: usize = 4;

/// What a word may be an inflection of.
fn bases(word: &str) -> Vec<Cow<'_, str>> {
    let mut found = Vec::new();
    if word.len() < SHORTEST || word.ends_with("ss") {
        return found;
    }
    if let Some(stem) = word.strip_suffix("ies") {
        found.push(Cow::Owned(format!("{stem}y")));
    }
    found.extend(["es", "s"].iter().filter_map(|end| word.strip_suffix(end)).map(Cow::Borrowed));
    if let Some(stem) = word.strip_suffix("ing").filter(|stem| 2 < stem.len()) {
        found.extend([Cow::Borrowed(stem), Cow::Owned(format!("{stem}e"))]);
        let mut ends = stem.chars().rev();
        if ends.next() == ends.next() {
            found.extend(stem.char_indices().next_back().and_then(|(at, _)| stem.get(..at)).map(Cow::Borrowed));
        }
    }
    found
}

/// Returns true if and only if words hold a phrase, each of its words in the singular or the plural.
pub fn holds<W: AsRef<str>>(words: &[W], phrase: &[&str]) -> bool {
    !phrase.is_empty() && words.windows(phrase.len()).any(|run| run.iter().zip(phrase).all(|(word, part)| is_or_are(word.as_ref(), part)))
}

fn is_or_are(word: &str, part: &str) -> bool {
    word == part
        || word.strip_suffix('s') == Some(part)
        || word.strip_suffix("ies").is_some_and(|stem| part.strip_suffix('y') == Some(stem))
}

/// What is known of the tool of that name, also where a host puts its server before it: `mcp__server__tool`.
pub fn known_tool(name: &str) -> Option<&'static KnownTool> {
    let fit = |name: &str| ACTS.tool_names.fitting(name).max();
    let bare = || name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).map(|(_, tool)| tool);
    fit(name).or_else(|| fit(bare()?)).and_then(|at| ACTS.tools.get(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflections_lead_to_the_verb() {
        for (word, expected) in [
            ("delete", Some(("delete", Form::Base))),
            ("deletes", Some(("delete", Form::ThirdPerson))),
            ("deleting", Some(("delete", Form::Gerund))),
            ("copies", Some(("copy", Form::ThirdPerson))),
            ("publishes", Some(("publish", Form::ThirdPerson))),
            ("swapping", Some(("swap", Form::Gerund))),
            ("access", Some(("access", Form::Base))),
            ("zebra", None),
            ("\u{e9}ing", None),
        ] {
            assert_eq!(ActVerb::of(word).map(|verb| (verb.base, verb.form)), expected, "{word}");
        }
    }

    #[test]
    fn a_phrase_is_found_in_singular_and_plural() {
        assert!(holds(&["new", "api", "keys"], &["api", "key"]));
        assert!(holds(&["policies"], &["policy"]));
        assert!(!holds(&["key", "api"], &["api", "key"]));
        assert!(!holds(&["a"], &[]));
    }

    #[test]
    fn rows_of_tools_fit_their_own_examples() {
        for tool in ACTS.tools {
            let (hit, miss) = (tool.hit.get(), tool.miss.get());
            assert_eq!(known_tool(hit).map(|known| known.source), Some(tool.source), "{hit}");
            assert_ne!(known_tool(miss).map(|known| known.name), Some(tool.name), "{miss}");
        }
    }
}
