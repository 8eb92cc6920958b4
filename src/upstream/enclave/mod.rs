//! The scoring gate of Enclave: what its scorers say of the text of a script, to the digit.
//!
//! Source: agentfront/enclave, `libs/core/src/scoring`, at 7ac44b0a. `parse` decides what it could read, `reader` sees what
//! stands there literally, `rules` and `keywords` are its scorers, `progressive` and `service` take numbers over from others.

pub mod answer;
pub mod keywords;
mod literal_text;
mod parse;
pub mod progressive;
mod reader;
pub mod rules;
pub mod service;
pub mod view;
pub mod words;

use std::cell::RefCell;
use std::rc::Rc;

use oxc_allocator::Allocator;

use crate::format::script::nesting::{self, Grammar};
use crate::upstream::enclave::answer::Answer;
use crate::upstream::enclave::view::LiteralView;
use crate::value::limits::Limits;

/// A scorer that looks at nothing but the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scorer {
    /// Eight rules with points.
    RuleBased,
    /// The search for keywords that runs where no model is loaded.
    LocalLlm,
}

thread_local! {
    /// The script that was read last: several scorers are asked of one, and one scorer several times while it is explained.
    static LAST: RefCell<Option<(String, Rc<LiteralView>)>> = const { RefCell::new(None) };
}

/// What a scorer says of a script.
pub fn evaluate(scorer: Scorer, text: &str) -> Answer {
    let view = view(text);
    match scorer {
        Scorer::RuleBased => rules::score(&view),
        Scorer::LocalLlm => keywords::score(&view),
    }
}

/// What Enclave sees in a script: nothing but hash and lines where it could not parse it.
pub fn view(text: &str) -> Rc<LiteralView> {
    LAST.with_borrow_mut(|last| match last {
        Some((known, view)) if known == text => Rc::clone(view),
        _ => {
            let view = Rc::new(read(text));
            *last = Some((text.to_owned(), Rc::clone(&view)));
            view
        }
    })
}

/// Returns true if and only if Enclave could parse a text.
pub fn parses(text: &str) -> bool {
    is_shallow(text) && parse::program(&Allocator::default(), text).is_some()
}

fn read(text: &str) -> LiteralView {
    let arena = Allocator::default();
    let program = if is_shallow(text) { parse::program(&arena, text) } else { None };
    reader::read(program, text)
}

/// Returns false if and only if a text nests so deep that no parser follows it, Enclave's as little as ours.
fn is_shallow(text: &str) -> bool {
    nesting::check(text, Grammar { typescript: false, jsx: false }, &Limits::default()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{Scorer, evaluate, parses, view};

    #[test]
    fn scorers_see_the_script_that_they_are_asked_of() {
        let of = |text: &str| [Scorer::RuleBased, Scorer::LocalLlm].map(|scorer| evaluate(scorer, text).total);
        let many = "callTool('users:list', { limit: 20_000 });";
        assert_eq!([of(many), of("draw();"), of(many), of("let a; let a; callTool('users:list')")], [[25, 0], [0, 0], [25, 0], [0, 0]]);
    }

    #[test]
    fn what_nests_too_deep_is_not_parsed() {
        let deep = format!("callTool('a:list');{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(!parses(&deep) && view(&deep).calls.is_empty());
        assert!(parses("callTool('a:list');") && view("callTool('a:list');").calls.len() == 1);
    }
}
