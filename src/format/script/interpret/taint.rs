//! Taint: which origins a value carries data of, and how much of it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::format::script::interpret::text::{Text, Texts};
use crate::knowledge::words::Tag;
use crate::subject::flow::Strength;

/// A set of labels, interned: equal sets have equal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Taint(u32);

impl Taint {
    /// No data of any origin.
    pub const NONE: Self = Self(0);

    /// Returns true if and only if the set holds nothing.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

/// Data of one origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// Index of the origin.
    pub origin: u32,
    /// What of the origin's value it is.
    pub field: Text,
    /// How much of it.
    pub strength: Strength,
    /// How something was taken out of it or replaced in it.
    pub altered: Altered,
    /// It is a number, or a text that a pattern let through of which no character ends a word: in a command it stays one word.
    pub is_plain: bool,
    /// It is of the one element of a list that stands at a place that is written out: `rows[0]`.
    pub is_one: bool,
}

/// How something was taken out of data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Altered {
    /// It was not.
    #[default]
    No,
    /// Only these characters are left, counted from the front; a negative place is counted from the end.
    Cut(i8, i8),
    /// It was replaced, or what is left of it is not known.
    Replaced,
    /// Something was made as long as it says: `'x'.repeat(code)`.
    Sized,
}

/// What happens to the data when a value is made from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A field is read.
    Field(Text),
    /// An element is read.
    Element,
    /// The element at a place that is written out is read.
    Place,
    /// A yes-or-no question is asked.
    Bit,
    /// Something is taken out or replaced.
    Altered(Altered),
    /// A function that says that it redacts gives it back: what was altered counts as redacted.
    Redacted,
    /// A number is added up with others.
    Summed,
    /// What kind of data it is shows, not the data: the keys of an object.
    Outline,
    /// It is asked how long something is: that of a whole text or list tells nothing, that of what was made with each of its
    /// characters tells the character.
    Measured,
    /// It is made a number, or a pattern lets through no more than a word.
    Plain,
    /// Another text is made of it: it may hold any character.
    Rewritten,
}

/// The most labels of one set; the origins beyond are represented by those within.
const LABELS: usize = 24;
/// Keys of a field that are kept: the first ones and the last.
const KEYS: usize = 4;

/// All sets of labels of one script.
pub struct Taints {
    sets: Vec<Box<[Label]>>,
    ids: FxHashMap<Box<[Label]>, Taint>,
    unions: FxHashMap<(Taint, Taint), Taint>,
    changes: FxHashMap<(Taint, Change), Taint>,
}

impl Taints {
    /// Only the empty set.
    pub fn new() -> Self {
        let empty: Box<[Label]> = Box::default();
        Self {
            sets: vec![empty.clone()],
            ids: FxHashMap::from_iter([(empty, Taint::NONE)]),
            unions: FxHashMap::default(),
            changes: FxHashMap::default(),
        }
    }

    /// Returns true if and only if there is any data at all.
    pub fn has_any(&self) -> bool {
        1 < self.sets.len()
    }

    /// The labels of a set.
    pub fn labels(&self, taint: Taint) -> &[Label] {
        self.sets.get(taint.0 as usize).map_or(&[], |set| set)
    }

    /// The set of these labels.
    pub fn set(&mut self, mut labels: Vec<Label>) -> Taint {
        labels.sort_unstable();
        labels.dedup();
        if LABELS < labels.len() {
            labels = fewer(&labels);
        }
        let set = labels.into_boxed_slice();
        if let Some(known) = self.ids.get(&set) {
            return *known;
        }
        let taint = Taint(u32::try_from(self.sets.len()).unwrap_or(u32::MAX));
        self.sets.push(set.clone());
        self.ids.insert(set, taint);
        taint
    }

    /// What either set holds.
    pub fn union(&mut self, left: Taint, right: Taint) -> Taint {
        if left == right || right.is_none() {
            return left;
        }
        if left.is_none() {
            return right;
        }
        let key = (left.min(right), left.max(right));
        if let Some(known) = self.unions.get(&key) {
            return *known;
        }
        let labels = [self.labels(key.0), self.labels(key.1)].concat();
        let union = self.set(labels);
        self.unions.insert(key, union);
        union
    }

    /// All of everything of which a set holds a field.
    pub fn wholes(&mut self, taint: Taint, texts: &mut Texts) -> Taint {
        let root = texts.intern("");
        let labels = self.labels(taint).iter().map(|label| Label { field: root, altered: Altered::No, ..*label }).collect();
        self.set(labels)
    }

    /// The set after something happened to the data.
    pub fn change(&mut self, taint: Taint, change: Change, texts: &mut Texts) -> Taint {
        if taint.is_none() {
            return taint;
        }
        if let Some(known) = self.changes.get(&(taint, change)) {
            return *known;
        }
        let before = self.labels(taint);
        let is_whole = |label: &Label| change == Change::Redacted && is_put_together(label, before);
        let is_kept = |label: &&Label| change != Change::Measured || is_told_by_length(label, texts);
        let kept: Vec<Label> = before.iter().filter(is_kept).copied().collect();
        let labels: Vec<Label> = kept.iter().map(|label| if is_whole(label) { *label } else { changed(*label, change, texts) }).collect();
        let after = self.set(labels);
        self.changes.insert((taint, change), after);
        after
    }
}

fn changed(label: Label, change: Change, texts: &mut Texts) -> Label {
    let weaker = |strength: Strength| Label { strength: label.strength.min(strength), ..label };
    match change {
        // The answer to a question has no fields.
        Change::Field(_) if label.strength <= Strength::Bit => label,
        Change::Field(key) => Label { field: below(label.field, key, texts), is_plain: false, ..label },
        Change::Element => {
            let element = texts.intern("[]");
            Label { field: below(label.field, element, texts), is_one: false, ..label }
        }
        // Of each row the first cell is none that is alone.
        Change::Place => {
            let is_one = label.is_one || !texts.get(label.field).contains("[]");
            let element = texts.intern("[]");
            Label { field: below(label.field, element, texts), is_one, ..label }
        }
        Change::Bit => weaker(Strength::Bit),
        Change::Plain => Label { is_plain: true, ..label },
        Change::Rewritten => Label { is_plain: false, ..label },
        Change::Altered(how) => Label { altered: label.altered.max(how), is_plain: label.is_plain && how != Altered::Replaced, ..label },
        Change::Redacted if !matches!(label.altered, Altered::No | Altered::Sized) => weaker(Strength::Redacted),
        Change::Redacted => label,
        Change::Summed if tells_an_amount(texts.get(label.field)) => weaker(Strength::Redacted),
        Change::Summed => label,
        Change::Outline => weaker(Strength::Redacted),
        Change::Measured if label.altered == Altered::Sized => Label { altered: Altered::No, ..label },
        Change::Measured => weaker(Strength::Bit),
    }
}

/// Returns true if and only if the length of what was made of data tells something of the data.
fn is_told_by_length(label: &Label, texts: &Texts) -> bool {
    let is_element = texts.get(label.field).rsplit('.').next() == Some("[]");
    is_element || matches!(label.altered, Altered::Cut(..) | Altered::Sized)
}

/// How many characters of a text its beginning, its end, and a redaction may leave of either.
const LEFT: usize = 4;

/// Returns true if and only if more of the data is left in several pieces than one piece of each end: put together they are
/// the data again.
pub fn is_put_together(label: &Label, all: &[Label]) -> bool {
    let Altered::Cut(..) = label.altered else { return false };
    let same = all.iter().filter(|other| other.origin == label.origin && other.field == label.field);
    let kept: FxHashSet<i16> = same
        .filter_map(|other| match other.altered {
            Altered::Cut(start, end) => Some(i16::from(start)..i16::from(end)),
            Altered::No | Altered::Replaced | Altered::Sized => None,
        })
        .flatten()
        .collect();
    let (end, front): (Vec<i16>, Vec<i16>) = kept.into_iter().partition(|place| *place < 0);
    LEFT < front.len() || LEFT < end.len()
}

fn tells_an_amount(field: &str) -> bool {
    let last = field.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    Tag::SumWord.words().any(|word| last.ends_with(word))
}

/// The field below a field; in long ones the keys in the middle are left out.
fn below(field: Text, key: Text, texts: &mut Texts) -> Text {
    let (outer, key) = (texts.get(field).clone(), texts.get(key).clone());
    if outer.is_empty() {
        return texts.intern(&key);
    }
    let mut keys: Vec<&str> = outer.split('.').collect();
    if keys.last() == Some(&"[]") && &*key == "[]" {
        return field;
    }
    // What is asked for by what the same call answered before: `page.cursor` of the page at `page.cursor`.
    if let Some(at) = keys.iter().position(|own| **own == *key).filter(|_| &*key != "[]") {
        return texts.intern(&keys.get(..=at).unwrap_or_default().join("."));
    }
    if KEYS <= keys.len() {
        keys.pop();
    }
    keys.push(&key);
    texts.intern(&keys.join("."))
}

/// Fewer labels: for each origin only the strongest of its labels, and no more than there may be.
fn fewer(labels: &[Label]) -> Vec<Label> {
    let mut kept: Vec<Label> = Vec::new();
    for label in labels {
        match kept.last_mut() {
            Some(last) if last.origin == label.origin => {
                let (is_plain, is_one) = (last.is_plain && label.is_plain, last.is_one && label.is_one);
                if last.strength < label.strength || last.strength == label.strength && label.field < last.field {
                    *last = *label;
                }
                (last.is_plain, last.is_one) = (is_plain, is_one);
            }
            _ => kept.push(*label),
        }
    }
    kept.truncate(LABELS);
    kept
}
