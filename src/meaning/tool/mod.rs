//! What a tool does, by its definition: its name, what it says of itself, what it takes, and the hints of its server.

pub mod clause;
pub mod given;
pub mod hint;
pub mod mode;
pub mod name;
pub mod sentence;

use crate::knowledge::act::{Act, KnownTool, SPEECH, is_one_of, known_tool};
use crate::knowledge::definition::Definition;
use crate::knowledge::effect::{Effect, EffectKind, Extent, Said};
use crate::knowledge::house::{House, OwnTool};
use crate::knowledge::tool::{ToolClass, class_of};
use crate::meaning::tool::clause::Clause;
use crate::meaning::tool::sentence::{Sentence, sentences};
use crate::value::words::words;

/// What a tool does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolMeaning {
    /// All that it does, in the order of [`EffectKind::ALL`]; nothing, where it does nothing that matters or nothing is known.
    pub effects: Vec<Effect>,
    /// Where those who speak of it contradict each other, a sentence each.
    pub disagreements: Vec<String>,
}

/// Effects that nobody takes for reading or for writing something down.
const GRAVE: &[EffectKind] = &[
    EffectKind::Delete,
    EffectKind::Send,
    EffectKind::Run,
    EffectKind::Grant,
    EffectKind::GuardOff,
    EffectKind::Pay,
    EffectKind::Spend,
    EffectKind::Persist,
    EffectKind::Instruct,
];
/// How many sentences of a description are weighed.
const SENTENCES: usize = 8;

/// What a tool does, by what its server says of it, what is known of it, and what users say.
pub fn meaning(definition: &Definition, house: &House) -> ToolMeaning {
    let mut told = Weighed::of(definition);
    let mut disagreements = told.disagreements();
    let mut effects = match known_effects(&definition.name) {
        Some(known) => known,
        None => told.effects(),
    };
    disagreements.extend(hint::weigh(definition, &mut effects));
    if let Some(OwnTool { effects: Some(own), object, extent, .. }) = house.tool(&definition.name) {
        let because = format!("`{}` of `tools:`", house.tool_row(&definition.name).unwrap_or_default());
        effects = own.iter().map(|kind| said(*kind, object, extent, Said::Settings, because.clone())).collect();
        disagreements.clear();
    }
    effects.sort_by_key(|effect| effect.kind);
    ToolMeaning { effects, disagreements }
}

/// What one call of a tool does of which nothing is known but its name and what it is given: the choices of its parameters.
pub fn meaning_of_call(definition: &Definition, house: &House) -> ToolMeaning {
    let mut told = meaning(definition, house);
    let mut given = definition.parameters.iter().flat_map(|parameter| &parameter.choices);
    if given.any(|value| value == "*" || is_one_of(SPEECH.all, &value.to_lowercase())) {
        let unknown = told.effects.iter_mut().filter(|effect| effect.extent == Extent::Unknown);
        unknown.for_each(|effect| effect.extent = Extent::All);
    }
    told
}

/// What a tool of no row does to all there is, by the words of its name: `close_all_positions`.
pub fn sweeping(name: &str) -> Option<Effect> {
    let all = name::clauses(name).into_iter().filter(|clause| clause.extent() == Extent::All);
    let words = Word::all(&all.collect::<Vec<_>>(), "");
    let does = |kind| words.iter().find(|word| word.act.effect == Some(kind)).map(|word| word.clause.verb.base);
    let (kind, object, verb) = match does(EffectKind::Pay) {
        Some(verb) => (EffectKind::Pay, "money", verb),
        None => (EffectKind::Control, "everything", does(EffectKind::Control)?),
    };
    Some(Effect::new(kind, object, format!("would {verb} all there are")).to(Extent::All))
}

/// The acts that the words of a name, or of a description's opening, fit.
pub fn acts_of(text: &str) -> Vec<&'static Act> {
    let definition =
        if text.contains(' ') { Definition { description: text.to_owned(), ..Definition::default() } } else { Definition::named(text) };
    let weighed = Weighed::of(&definition);
    weighed.name.iter().chain(&weighed.head).map(|word| word.act).collect()
}

/// What a row that names the tool says; none where no row does.
fn known_effects(name: &str) -> Option<Vec<Effect>> {
    if let Some(KnownTool { name: row, effects, object, extent, source, .. }) = known_tool(name) {
        let effect = |kind: &EffectKind| said(*kind, *object, *extent, Said::Row, format!("`{row}` of {source}"));
        return Some(effects.iter().map(effect).collect());
    }
    class_of(name).map(|(row, class)| by_class(class, format!("`{row}`")))
}

fn by_class(class: ToolClass, because: String) -> Vec<Effect> {
    class.effect().map(|kind| Effect::told(kind, Said::Row, because)).into_iter().collect()
}

fn said(kind: EffectKind, object: Option<&str>, extent: Extent, said: Said, because: String) -> Effect {
    Effect { object: object.map(str::to_owned), extent, ..Effect::told(kind, said, because) }
}

/// Something that a clause says that is done.
#[derive(Clone, Debug)]
struct Word {
    act: &'static Act,
    clause: Clause,
}

impl Word {
    fn all(clauses: &[Clause], description: &str) -> Vec<Self> {
        clauses.iter().flat_map(|clause| clause.acts(description).map(|act| Self { act, clause: clause.clone() })).collect()
    }

    fn is_grave(&self) -> bool {
        self.act.effect.is_some_and(|effect| GRAVE.contains(&effect))
    }

    fn is_mild(&self) -> bool {
        matches!(self.act.effect, None | Some(EffectKind::Read))
    }

    /// The effect, as the clause tells it; none where it does nothing.
    fn effect(&self, place: &str) -> Option<Effect> {
        let (kind, object) = (self.act.effect?, self.clause.object());
        let because = format!("`{}` in {place}", self.clause.verb.base);
        Some(Effect { object, extent: self.clause.extent(), ..Effect::told(kind, Said::Words, because) })
    }
}

/// All that the words of a definition tell, by where they stand.
struct Weighed {
    name: Vec<Word>,
    head: Vec<Word>,
    rest: Vec<Word>,
    modes: Vec<Word>,
    /// The name ends with what only tells how something is done.
    names_teller: bool,
}

impl Weighed {
    fn of(definition: &Definition) -> Self {
        let description = definition.description.to_lowercase();
        let (mut head, mut rest) = (Vec::new(), Vec::new());
        let mut has_head = false;
        for (nth, sentence) in sentences(&definition.description).into_iter().take(SENTENCES).enumerate() {
            let Some(sentence) = Sentence::of(sentence) else { continue };
            let words = Word::all(&sentence.clauses, &description);
            if nth == 0 || nth == 1 && !has_head {
                has_head = true;
                head = words;
            } else if sentence.tells {
                rest.extend(words);
            }
        }
        let told: Vec<&str> = head.iter().map(|word: &Word| word.clause.verb.base).collect();
        let name = Word::all(&name::clauses_told(&definition.name, &told), &description);
        let title = definition.title.as_deref().filter(|_| name.is_empty()).unwrap_or_default();
        let name = if name.is_empty() { Word::all(&name::clauses(title), &description) } else { name };
        // What only explains, lists or checks does not do what it explains.
        let is_mild = !name.is_empty() && name.iter().all(Word::is_mild);
        let mut modes = if is_mild { Vec::new() } else { Word::all(&mode::clauses(definition), &description) };
        if !name.iter().chain(&head).any(|word| word.is_grave() || word.is_mild()) {
            modes.extend(Word::all(&mode::requested(definition), &description));
        }
        // What is made may do later what its maker does not.
        if name.iter().any(|word| is_one_of(SPEECH.makers, word.clause.verb.base)) {
            modes.retain(|word| word.is_mild() || matches!(word.act.effect, Some(EffectKind::Write | EffectKind::Delete)));
        }
        let names_teller = words(&definition.name).last().is_some_and(|last| is_one_of(SPEECH.tellers, last));
        Self { name, head, rest, modes, names_teller }
    }

    /// The description opens with something that only reads, or does nothing.
    fn opens_mildly(&self) -> bool {
        !self.head.is_empty() && self.head.iter().all(Word::is_mild)
    }

    fn effects(&self) -> Vec<Effect> {
        let is_mild = self.opens_mildly();
        // A description overrides a name that can be read in two ways, and one that only announces how something is done.
        let is_open = |word: &Word| self.names_teller || word.act.is_weak || word.clause.verb.is_either();
        let name = self.name.iter().filter(|word| !(is_mild && is_open(word)));
        // What a later sentence says in passing counts where it is grave and sure; what leaves is told whatever comes first.
        let counts = |word: &&Word| word.is_grave() && !word.act.is_weak && (!is_mild || word.act.effect == Some(EffectKind::Send));
        let rest = self.rest.iter().filter(counts);
        let mut effects: Vec<Effect> = Vec::new();
        // What the description says of object and extent is more exact than the name.
        let all = self.head.iter().filter_map(|word| word.effect("the description's opening"));
        let all = all.chain(name.filter_map(|word| word.effect("the name")));
        let all = all.chain(rest.filter_map(|word| word.effect("the description")));
        for effect in all.chain(self.modes.iter().filter_map(|word| word.effect("a mode"))) {
            if !effects.iter().any(|known| known.kind == effect.kind) {
                effects.push(effect);
            }
        }
        effects
    }

    /// Where the description tells what the name hides.
    fn disagreements(&mut self) -> Vec<String> {
        let reads = !self.name.is_empty() && self.name.iter().all(Word::is_mild);
        let graver = self.head.iter().chain(&self.rest).find(|word| word.is_grave() && !word.act.is_weak).filter(|_| reads);
        let graver = graver.and_then(|word| Some((word, word.act.effect?)));
        graver
            .map(|(word, effect)| {
                format!("its name only reads; its description says that it does more: {} (`{}`)", effect.name(), word.clause.verb.base)
            })
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
mod tests;
