//! A pattern as a list of steps for a search that follows all ways at once.

use crate::upstream::python::pattern::fault::PatternError;
use crate::upstream::python::pattern::matcher::Matcher;
use crate::upstream::python::pattern::parser::{Node, Place};

/// Patterns that would take more steps are refused: `(a{1000}){1000}`.
const MOST_STEPS: usize = 20_000;
/// No part may be repeated a larger number of times.
const MOST_REPEATS: u32 = 1_000;

/// The steps; the first is where a search begins.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// The steps.
    pub steps: Vec<Step>,
    /// What the first character of a match can be.
    pub beginnings: Beginnings,
}

/// What the first character of a match can be.
#[derive(Clone, Debug)]
pub(super) struct Beginnings {
    /// The steps that can take it; none if a match can be empty.
    steps: Vec<usize>,
    /// The same for each ASCII character.
    ascii: [bool; 128],
}

impl Beginnings {
    /// Returns true if and only if a match can be empty, so that it can begin anywhere.
    pub fn are_anywhere(&self) -> bool {
        self.steps.is_empty()
    }

    /// How many bytes of a text come before the first character with which a match can begin.
    pub fn skipped(&self, program: &Program, text: &str) -> Option<usize> {
        let is_beginning = |(_, character): &(usize, char)| match self.ascii.get(*character as usize) {
            Some(is_beginning) => *is_beginning,
            None => self.steps.iter().any(|step| takes(&program.steps[*step], *character)),
        };
        text.char_indices().find(is_beginning).map(|(at, _)| at)
    }
}

fn takes(step: &Step, character: char) -> bool {
    matches!(step, Step::Take(matcher) if matcher.matches(character))
}

/// One step.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Takes one character, then goes on to the next step.
    Take(Matcher),
    /// Goes on to the next step at such a place only.
    Require(Place),
    /// Goes on to both, the first rather than the second.
    Split(usize, usize),
    /// Goes on there.
    Jump(usize),
    /// Nothing is left to match.
    Done,
}

impl Program {
    /// The steps of a tree.
    pub fn of(node: &Node) -> Result<Self, PatternError> {
        let mut steps = Vec::new();
        write(node, &mut steps)?;
        steps.push(Step::Done);
        let first = beginnings(&steps);
        let ascii = std::array::from_fn(|code| {
            let character = u8::try_from(code).map(char::from).unwrap_or_default();
            first.iter().any(|step| takes(&steps[*step], character))
        });
        let beginnings = Beginnings { steps: first, ascii };
        Ok(Self { steps, beginnings })
    }
}

fn write(node: &Node, steps: &mut Vec<Step>) -> Result<(), PatternError> {
    if MOST_STEPS < steps.len() {
        return Err(PatternError { message: "it is too long", at: 0 });
    }
    match node {
        Node::One(matcher) => steps.push(Step::Take(matcher.clone())),
        Node::At(place) => steps.push(Step::Require(*place)),
        Node::Sequence(nodes) => nodes.iter().try_for_each(|node| write(node, steps))?,
        Node::Either(branches) => write_either(branches, steps)?,
        Node::Repeat { node, least, most, greedy } => write_repeat(node, *least, *most, *greedy, steps)?,
    }
    Ok(())
}

fn write_either(branches: &[Node], steps: &mut Vec<Step>) -> Result<(), PatternError> {
    let mut ends = Vec::new();
    for (index, branch) in branches.iter().enumerate() {
        let is_last = index + 1 == branches.len();
        let split = steps.len();
        if !is_last {
            steps.push(Step::Done);
        }
        write(branch, steps)?;
        if !is_last {
            ends.push(steps.len());
            steps.push(Step::Done);
            let end = steps.len();
            set(steps, split, Step::Split(split + 1, end));
        }
    }
    let end = steps.len();
    ends.into_iter().for_each(|at| set(steps, at, Step::Jump(end)));
    Ok(())
}

fn write_repeat(node: &Node, least: u32, most: Option<u32>, greedy: bool, steps: &mut Vec<Step>) -> Result<(), PatternError> {
    if MOST_REPEATS < most.unwrap_or(least) {
        return Err(PatternError { message: "it repeats too often", at: 0 });
    }
    for _ in 0..least {
        write(node, steps)?;
    }
    let split = |inside, outside| if greedy { Step::Split(inside, outside) } else { Step::Split(outside, inside) };
    let Some(most) = most else {
        let start = steps.len();
        steps.push(Step::Done);
        write(node, steps)?;
        steps.push(Step::Jump(start));
        let end = steps.len();
        set(steps, start, split(start + 1, end));
        return Ok(());
    };
    let mut starts = Vec::new();
    for _ in least..most {
        starts.push(steps.len());
        steps.push(Step::Done);
        write(node, steps)?;
    }
    let end = steps.len();
    starts.into_iter().for_each(|start| set(steps, start, split(start + 1, end)));
    Ok(())
}

fn set(steps: &mut [Step], at: usize, step: Step) {
    if let Some(place) = steps.get_mut(at) {
        *place = step;
    }
}

/// The steps that can take the first character; none if nothing need be taken.
fn beginnings(steps: &[Step]) -> Vec<usize> {
    let mut seen = vec![false; steps.len()];
    let mut open = vec![0];
    let mut found = Vec::new();
    while let Some(at) = open.pop() {
        if seen.get(at).copied().unwrap_or(true) {
            continue;
        }
        set_seen(&mut seen, at);
        match &steps[at] {
            Step::Take(_) => found.push(at),
            Step::Require(_) => open.push(at + 1),
            Step::Split(first, second) => open.extend([*first, *second]),
            Step::Jump(target) => open.push(*target),
            Step::Done => return Vec::new(),
        }
    }
    found
}

fn set_seen(seen: &mut [bool], at: usize) {
    if let Some(place) = seen.get_mut(at) {
        *place = true;
    }
}
