//! Follows all ways through a pattern at once, so that no text takes more than linear time.
//!
//! The ways are kept in the order in which a search with backtracking would try them; the first that
//! ends is the match it would have found.

use crate::upstream::python::pattern::program::{Program, Step};

/// A way through the pattern: the step it stands at, and where in the text it began.
#[derive(Clone, Copy)]
struct Way {
    step: usize,
    start: usize,
}

/// The ways that stand at one place of the text, the better first.
struct Ways {
    ways: Vec<Way>,
    /// At which place each step was last reached: the first to reach it is the best.
    reached: Vec<usize>,
    open: Vec<usize>,
}

/// A place in the text.
#[derive(Clone, Copy)]
struct Place<'t> {
    at: usize,
    before: Option<char>,
    rest: &'t str,
}

/// Where the first match begins and ends, in bytes.
pub(super) fn first(program: &Program, text: &str) -> Option<(usize, usize)> {
    let mut current = Ways::new(program.steps.len());
    let mut next = Ways::new(program.steps.len());
    let mut found = None;
    let mut place = Place { at: 0, before: None, rest: text };
    loop {
        if found.is_none() {
            if current.ways.is_empty() && !program.beginnings.are_anywhere() {
                place = skip(program, place)?;
            }
            current.add(program, Way { step: 0, start: place.at }, place);
        }
        if current.ways.is_empty() {
            if found.is_some() || place.rest.is_empty() {
                return found;
            }
            place = place.next();
            continue;
        }
        let taken = place.rest.chars().next();
        let after = place.next();
        for way in &current.ways {
            match &program.steps[way.step] {
                Step::Done => {
                    found = Some((way.start, place.at));
                    break;
                }
                Step::Take(matcher) => {
                    if taken.is_some_and(|character| matcher.matches(character)) {
                        next.add(program, Way { step: way.step + 1, start: way.start }, after);
                    }
                }
                Step::Require(_) | Step::Split(..) | Step::Jump(_) => {}
            }
        }
        if taken.is_none() {
            return found;
        }
        std::mem::swap(&mut current, &mut next);
        next.ways.clear();
        place = after;
    }
}

/// The next place at which a match can begin.
fn skip<'t>(program: &Program, place: Place<'t>) -> Option<Place<'t>> {
    let skipped = program.beginnings.skipped(program, place.rest)?;
    let (before, rest) = place.rest.split_at_checked(skipped)?;
    Some(Place { at: place.at + skipped, before: before.chars().next_back().or(place.before), rest })
}

impl Place<'_> {
    fn next(self) -> Self {
        let mut characters = self.rest.chars();
        let before = characters.next();
        let rest = characters.as_str();
        Self { at: self.at + self.rest.len() - rest.len(), before, rest }
    }
}

impl Ways {
    fn new(steps: usize) -> Self {
        Self { ways: Vec::new(), reached: vec![usize::MAX; steps], open: Vec::new() }
    }

    /// Adds a way, and all that lead on from it without taking a character.
    fn add(&mut self, program: &Program, way: Way, place: Place<'_>) {
        self.open.push(way.step);
        while let Some(step) = self.open.pop() {
            match self.reached.get_mut(step) {
                Some(reached) if *reached != place.at => *reached = place.at,
                _ => continue,
            }
            match &program.steps[step] {
                Step::Jump(target) => self.open.push(*target),
                Step::Split(better, worse) => self.open.extend([*worse, *better]),
                Step::Require(kind) if kind.is_at(place.before, place.rest) => self.open.push(step + 1),
                Step::Require(_) => {}
                Step::Take(_) | Step::Done => self.ways.push(Way { step, start: way.start }),
            }
        }
    }
}
