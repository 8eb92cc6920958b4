//! A text as words, and the stretches of it that are embedded apart.

use rustc_hash::FxHashMap;

use crate::value::span::Span;

/// How an embedder wants long texts to be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The lengths of stretches, in words; a text is cut once for each of them, and neighbours overlap by half.
    pub words: &'static [usize],
    /// How many stretches of one length a text is cut into; of a longer text they are longer, so that nothing is left out.
    pub most: usize,
}

/// How often a word counts that stands more than once in a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Once: code says the same name again and again.
    Once,
    /// Each time: so people write.
    Each,
}

/// A text as words, and the stretches of it that are embedded apart.
#[derive(Debug, Default)]
pub struct Stretches {
    numbers: FxHashMap<Box<str>, u32>,
    words: Vec<Box<str>>,
    stretches: Vec<Stretch>,
}

#[derive(Debug)]
struct Stretch {
    words: Vec<u32>,
    span: Option<Span>,
}

/// One word of a text, in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Which word.
    word: u32,
    /// Where it stands.
    span: Span,
}

impl Stretches {
    /// A word, which stands at this place.
    pub fn word(&mut self, word: &str, span: Span) -> Placed {
        if let Some(number) = self.numbers.get(word) {
            return Placed { word: *number, span };
        }
        let number = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.numbers.insert(word.into(), number);
        self.words.push(word.into());
        Placed { word: number, span }
    }

    /// Adds one stretch of all these words, and others as an embedder of that reach wants them.
    pub fn cut(&mut self, words: &[Placed], repetition: Repetition, reach: Reach) {
        let longest = reach.words.iter().copied().max().unwrap_or(usize::MAX);
        if words.len() <= longest.saturating_mul(2) {
            self.add(words, repetition);
        }
        for length in reach.words.iter().copied().filter(|length| *length < words.len()) {
            let length = length.max(2 * words.len().div_ceil(reach.most.max(1)));
            let step = length.div_ceil(2);
            let last = words.len().saturating_sub(step);
            for start in (0..last.max(1)).step_by(step) {
                self.add(words.get(start..words.len().min(start + length)).unwrap_or_default(), repetition);
            }
        }
    }

    /// Adds one stretch.
    pub fn add(&mut self, words: &[Placed], repetition: Repetition) {
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        let span = Some(Span::new(first.span.start, last.span.end));
        let mut numbers: Vec<u32> = words.iter().map(|placed| placed.word).collect();
        if repetition == Repetition::Once {
            keep_first(&mut numbers);
        }
        self.stretches.push(Stretch { words: numbers, span });
    }

    /// How many stretches there are.
    pub fn len(&self) -> usize {
        self.stretches.len()
    }

    /// Returns true if and only if there are none.
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// The distinct words, by their numbers.
    pub fn words(&self) -> &[Box<str>] {
        &self.words
    }

    /// The numbers of the words of a stretch.
    pub fn numbers(&self, stretch: usize) -> &[u32] {
        self.stretches.get(stretch).map_or(&[], |stretch| &stretch.words)
    }

    /// Where a stretch stands.
    pub fn span(&self, stretch: usize) -> Option<Span> {
        self.stretches.get(stretch).and_then(|stretch| stretch.span)
    }

    /// A stretch as a text.
    pub fn text(&self, stretch: usize) -> String {
        let words: Vec<&str> =
            self.numbers(stretch).iter().filter_map(|number| self.words.get(*number as usize)).map(AsRef::as_ref).collect();
        words.join(" ")
    }
}

/// Keeps each number where it stands first.
fn keep_first(numbers: &mut Vec<u32>) {
    // Few words stand in a stretch; only the few long ones are worth a set.
    if numbers.len() < 64 {
        let mut kept = 0;
        for at in 0..numbers.len() {
            let Some(number) = numbers.get(at).copied() else { break };
            if !numbers.iter().take(kept).any(|other| *other == number) {
                numbers.swap(kept, at);
                kept += 1;
            }
        }
        numbers.truncate(kept);
    } else {
        let mut seen = rustc_hash::FxHashSet::default();
        numbers.retain(|number| seen.insert(*number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, repetition: Repetition, reach: Reach) -> Vec<String> {
        let mut stretches = Stretches::default();
        let words: Vec<Placed> = text.split(' ').map(|word| stretches.word(word, Span::default())).collect();
        stretches.cut(&words, repetition, reach);
        (0..stretches.len()).map(|stretch| stretches.text(stretch)).collect()
    }

    #[test]
    fn stretches_overlap_by_half_and_leave_nothing_out() {
        let reach = Reach { words: &[4], most: 100 };
        assert_eq!(cut("a b c", Repetition::Each, reach), ["a b c"]);
        assert_eq!(cut("a b c d e f g", Repetition::Each, reach), ["a b c d e f g", "a b c d", "c d e f", "e f g"]);
        assert_eq!(cut("a b c d e f g h i", Repetition::Each, reach), ["a b c d", "c d e f", "e f g h", "g h i"]);
    }

    #[test]
    fn of_long_texts_the_stretches_are_longer() {
        let reach = Reach { words: &[2], most: 4 };
        let text: Vec<String> = (0..40).map(|number| number.to_string()).collect();
        let stretches = cut(&text.join(" "), Repetition::Each, reach);
        assert!(stretches.len() <= 4, "{stretches:?}");
        assert!(text.iter().all(|word| stretches.iter().any(|stretch| stretch.split(' ').any(|other| other == word))));
    }

    #[test]
    fn words_count_once_in_code() {
        let reach = Reach { words: &[8], most: 8 };
        assert_eq!(cut("a b a c b a", Repetition::Once, reach), ["a b c"]);
        assert_eq!(cut("a b a c b a", Repetition::Each, reach), ["a b a c b a"]);
        let long = "a b ".repeat(60);
        assert_eq!(cut(long.trim_end(), Repetition::Once, Reach { words: &[100], most: 8 }).first().map(String::as_str), Some("a b"));
    }
}
