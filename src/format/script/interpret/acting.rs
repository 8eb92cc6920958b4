//! Small functions around what acts: what they are passed decides what is deleted, run or sent, so each of their calls counts
//! by itself, also in a script that is too large for all of its functions to be followed call by call.

use rustc_hash::FxHashMap;

use crate::format::script::interpret::function::Frame;
use crate::format::script::interpret::heap::Code;

/// How many bytes a function has at most that is small.
const SMALL: u32 = 1_500;
/// How many calls of one such function are followed by themselves.
const OF_ONE: u32 = 48;
/// How many calls of such functions are followed by themselves.
const CALLS: u32 = 1_000;
/// How many functions around what acts count as acting.
const AROUND: usize = 3;

/// The functions that act, and how many of their calls were followed by themselves.
#[derive(Default)]
pub struct Acting {
    by_function: FxHashMap<u32, u32>,
    calls: u32,
}

impl Acting {
    /// Something acts in these calls.
    pub fn note(&mut self, frames: &[Frame]) {
        for frame in frames.iter().skip(1).rev().take(AROUND) {
            self.by_function.entry(frame.start).or_insert(0);
        }
    }

    /// Returns true if and only if a call of this function is to be followed by itself; it counts as followed.
    pub fn follows(&mut self, code: Code<'_>) -> bool {
        if CALLS <= self.calls || SMALL < code.length() {
            return false;
        }
        match self.by_function.get_mut(&code.start()) {
            Some(followed) if *followed < OF_ONE => {
                *followed += 1;
                self.calls += 1;
                true
            }
            _ => false,
        }
    }
}
