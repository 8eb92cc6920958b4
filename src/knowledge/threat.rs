//! Threats: signs in a program that say nothing alone, and together leave no good reading.

use crate::subject::sign::Sign;
use crate::value::severity::Severity;
use crate::value::span::Span;

/// All rows.
#[derive(Debug)]
pub struct Threats {
    /// What signs tell, in order.
    pub kinds: &'static [&'static str],
    /// The signs.
    pub signs: &'static [SignRow],
    /// What is a threat.
    pub threats: &'static [Threat],
}

/// Which signs in a program together are a threat; a row is the same wherever it is asked for.
pub static THREATS: &Threats = &include!(concat!(env!("OUT_DIR"), "/threats.rs"));

/// Words, or a shape of texts, that tell something of a program.
#[derive(Debug)]
pub struct SignRow {
    /// What they tell: a place in `Threats::kinds`.
    pub kind: u8,
    /// Whose it is: all words of the row count as one. Without it each word counts by itself.
    pub of: Option<&'static str>,
    /// The words, in lower case; `/` stands for whatever parts a path.
    pub words: &'static [&'static str],
    /// The shape that texts have.
    pub shape: Option<Shape>,
    /// A script that shows it.
    pub hit: &'static str,
    /// A script near to it that does not.
    pub miss: &'static str,
    /// Where this is known from.
    pub source: &'static str,
}

/// Returns true if and only if a program is a guest in what others wrote: a script for pages, an extension of a browser.
pub fn is_guest(signs: &[Sign]) -> bool {
    has(signs, "guest")
}

/// Returns true if and only if a program makes tools for agents, or tells them what to do.
pub fn is_for_agents(signs: &[Sign]) -> bool {
    has(signs, "agent-framework")
}

/// Returns true if and only if a program names a mode of a coding agent in which nobody is asked.
pub fn asks_nobody(signs: &[Sign]) -> bool {
    has(signs, "asks-nobody")
}

/// Returns true if and only if a program has a model search the web, and read there what anybody wrote.
pub fn searches_web(signs: &[Sign]) -> bool {
    has(signs, "model-searches")
}

/// Returns true if and only if a program turns what it has into ciphertext.
pub fn locks(signs: &[Sign]) -> bool {
    has(signs, "locks")
}

fn has(signs: &[Sign], told: &str) -> bool {
    let told = THREATS.kinds.iter().position(|kind| *kind == told);
    told.is_some_and(|told| signs.iter().any(|sign| usize::from(sign.kind) == told))
}

/// How texts are written that nobody is to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Several texts of which only the last one counts: `('a', 'b', 'c')`.
    LiteralSequence,
    /// Three or more texts of a few letters added up.
    ChoppedText,
    /// A long text of codes.
    CodedText,
    /// A long text with the same letter between each two.
    InterleavedText,
    /// A name put together from elements of lists, or one that is called: `a[b[1] + c[0]]`, `a[b[1]](c)`.
    LookedUpName,
    /// A long text of codes, alone or with others that it is added to.
    CodedProgram,
    /// A call that makes a text of numbers, which is added to others or names a property: `a[b([107, 212, 228])]`.
    CodedCall,
    /// Texts full of signs that are taken out again.
    FilledText,
    /// Code that stands far to the right of other code in its line.
    PushedAside,
}

/// Signs that together are a threat.
#[derive(Debug)]
pub struct Threat {
    /// The check that tells it.
    pub check: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The kinds of signs, each with how many different ones there must be. The others stand near the first.
    pub needs: &'static [(u8, u8)],
    /// How far from it, in bytes.
    pub within: u32,
    /// What the program does, for people: follows "the program".
    pub says: &'static str,
    /// A script that does it.
    pub hit: &'static str,
    /// A script near to it that does not.
    pub miss: &'static str,
    /// Where this is known from.
    pub source: &'static str,
}

impl Threat {
    /// Where signs make up this threat, if they do; they are in order of place.
    pub fn place(&self, signs: &[Sign]) -> Option<Span> {
        let (first, _) = *self.needs.first()?;
        let anchors = signs.iter().filter(|sign| sign.kind == first);
        anchors.map(|anchor| anchor.span).find(|anchor| {
            let from = signs.partition_point(|sign| sign.span.start.saturating_add(self.within) < anchor.start);
            let to = signs.partition_point(|sign| sign.span.start <= anchor.start.saturating_add(self.within));
            let near = signs.get(from..to).unwrap_or_default();
            self.needs.iter().all(|(kind, count)| {
                let mut whose: Vec<_> = near.iter().filter(|sign| sign.kind == *kind).map(|sign| sign.whose).collect();
                whose.sort_unstable();
                whose.dedup();
                usize::from(*count) <= whose.len()
            })
        })
    }
}

/// The threats that a check tells which signs make up, each with its place.
pub fn threats(check: &str, signs: &[Sign]) -> Vec<(&'static Threat, Span)> {
    let kinds = signs.iter().fold(0_u128, |kinds, sign| kinds | 1_u128.checked_shl(u32::from(sign.kind)).unwrap_or_default());
    let has = |kind: u8| kinds & 1_u128.checked_shl(u32::from(kind)).unwrap_or_default() != 0;
    let of_check = THREATS.threats.iter().filter(|threat| threat.check == check);
    let possible = of_check.filter(|threat| threat.needs.iter().all(|(kind, _)| has(*kind)));
    possible.filter_map(|threat| Some((threat, threat.place(signs)?))).collect()
}
