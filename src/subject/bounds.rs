//! What bounds the loops and recursions of a subject, and where it runs.

use crate::value::span::Span;

/// Where loops and recursions stand that nothing ends, and those that a number ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Loops, functions and timers that go on until somebody stops them.
    pub endless: Vec<Span>,
    /// Those of them in which something waits from one turn to the next.
    pub paced: Vec<Span>,
    /// Those of them that rest a while before each turn, as far as that is known: timers of programs and services.
    pub resting: Vec<Span>,
    /// Loops and functions in which a number that is known decides whether they go on.
    pub counted: Vec<Span>,
    /// Loops that go on, without a pause and without counting, until something is in a state that they learn of.
    pub hoping: Vec<Span>,
    /// Functions that call themselves more than once, down to a depth at which they are called beyond counting.
    pub exploding: Vec<Span>,
    /// Functions that call themselves for each element of lists, as long as these hold any.
    pub branching: Vec<Span>,
    /// Functions that call themselves for each of several, with nothing that counts how deep.
    pub spreading: Vec<Span>,
    /// Where handlers do several times what sets them off.
    pub reacting: Vec<Span>,
    /// Code that runs only in places for tests, because the script asks for it before.
    pub guarded: Vec<Span>,
    /// Code that runs only for callers who may do much already, because the script asks for it before.
    pub entitled: Vec<Span>,
    /// Somewhere it is asked what a caller may do: by a condition, or by a function that is named so.
    pub asks_rights: bool,
    /// Code that runs because a comment says so.
    pub commanded: Vec<Span>,
    /// Handlers that a framework runs only after somebody agreed.
    pub approved: Vec<Span>,
    /// Code that runs only if an answer says so.
    pub asked: Vec<Asked>,
    /// Properties, in one word, that the script compares only to leave out what has one value.
    pub excluded: Vec<String>,
    /// Of whole things, not of what they say, the script only asks whether they are there.
    pub asks_only_whether_there: bool,
}

/// Code that runs only if the answer of a call says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The code.
    pub code: Span,
    /// The call that gives the answer.
    pub answer: Span,
    /// Only where somebody types the answer does what is asked of it mean a yes.
    pub is_typed: bool,
}

impl Bounds {
    /// Returns true if and only if a place runs without end.
    pub fn is_endless(&self, place: Span) -> bool {
        self.endless.iter().any(|span| holds(*span, place))
    }

    /// Returns true if and only if a place runs until something is in a state that nobody is sure of.
    pub fn is_hoping(&self, place: Span) -> bool {
        self.hoping.iter().any(|span| holds(*span, place))
    }

    /// Returns true if and only if a place runs without end and without a pause.
    pub fn is_ceaseless(&self, place: Span) -> bool {
        self.is_endless(place) && !self.paced.iter().any(|span| holds(*span, place))
    }

    /// Returns true if and only if all that runs a place without end rests a while before each turn.
    pub fn is_resting(&self, place: Span) -> bool {
        let mut around = self.endless.iter().filter(|span| holds(**span, place)).peekable();
        around.peek().is_some() && around.all(|span| self.resting.iter().any(|resting| holds(*resting, *span)))
    }

    /// Returns true if and only if a place lies in a function that calls itself for each element of lists.
    pub fn is_branching(&self, place: Span) -> bool {
        self.branching.iter().any(|span| holds(*span, place))
    }

    /// Returns true if and only if a place lies in a function that calls itself for each of several, however deep.
    pub fn is_spreading(&self, place: Span) -> bool {
        self.spreading.iter().any(|span| holds(*span, place))
    }

    /// Returns true if and only if a place runs twice as often with each step down.
    pub fn is_exploding(&self, place: Span) -> bool {
        self.exploding.iter().any(|span| holds(*span, place))
    }

    /// Returns true if and only if a known number decides how often a place runs.
    pub fn is_counted(&self, place: Span) -> bool {
        self.counted.iter().any(|span| holds(*span, place))
    }

    /// The answers without which a place does not run.
    pub fn asked(&self, place: Span) -> impl Iterator<Item = &Asked> {
        self.asked.iter().filter(move |asked| holds(asked.code, place))
    }

    /// Returns true if and only if a place runs only for administrators.
    pub fn is_entitled(&self, place: Span) -> bool {
        self.entitled.iter().any(|span| holds(*span, place))
    }

    /// Returns true if and only if a place runs because a comment says so.
    pub fn is_commanded(&self, place: Span) -> bool {
        self.commanded.iter().any(|span| holds(*span, place))
    }

    /// Returns true if and only if a place runs only after somebody agreed whom a framework asks.
    pub fn is_approved(&self, place: Span) -> bool {
        self.approved.iter().any(|span| holds(*span, place))
    }

    /// Returns true if and only if a place runs only where nothing is lost.
    pub fn is_guarded(&self, place: Span) -> bool {
        self.guarded.iter().any(|span| holds(*span, place))
    }
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
