//! Chains of an agent framework: steps that are each handed what the one before returned.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::value::{Atom, Val};
use crate::knowledge::command::list;
use crate::value::span::Span;

/// What runs all steps of a chain, and what adds one.
const RUN: &str = "(runnable run)";
const PIPE: &str = "(runnable pipe)";
/// The methods by which a chain is run; of each but the last the first argument is what the first step is handed.
const RUNNING: &[&str] = &["invoke", "stream", "call", "run", "batch"];
/// How many steps of one chain are followed.
const STEPS: usize = 32;
/// With what the paths of the framework's own steps begin.
const FRAMEWORK: &str = "@langchain.";

impl Interpreter<'_> {
    /// What a function of the framework makes a chain of, or a chain does that one made.
    pub fn chained(&mut self, path: &str, this: Val, arguments: &Arguments, span: Span) -> Option<Val> {
        match path {
            RUN => {
                let steps = self.elements(this).known?;
                return Some(self.run_steps(&steps, arguments.get(0), span));
            }
            PIPE => {
                let mut steps = self.elements(this).known?;
                steps.push(arguments.get(0));
                return Some(self.chain_of(&steps, span));
            }
            _ => {}
        }
        let first = *arguments.known.first()?;
        if list("making-chains").contains(&path) {
            let steps = self.elements(first).known?;
            return Some(self.chain_of(&steps, span));
        }
        if list("steps-of-chains").contains(&path) && self.is_function(first) {
            // Whoever runs the agent may run it, too.
            self.hand_over(path, arguments, Val::UNKNOWN, span);
            return Some(self.chain_of(&[first], span));
        }
        // `prompt.pipe(model)`
        (path.starts_with(FRAMEWORK) && path.ends_with(").pipe")).then(|| self.chain_of(&[this, first], span))
    }

    fn chain_of(&mut self, steps: &[Val], span: Span) -> Val {
        let steps = steps.get(..STEPS.min(steps.len())).unwrap_or_default();
        let kept = self.array(derived(span, 6), steps, None);
        let (run, pipe) = (self.native_for(RUN, kept, span), self.values.native(PIPE));
        let bound = ObjectKind::Bound { target: pipe, this: kept, arguments: [].into() };
        let bound = self.allocate(derived(span, 7), bound);
        let pipe = self.values.object(bound);
        let chain = self.allocate(derived(span, 5), ObjectKind::Plain(None));
        for name in RUNNING {
            self.set_key(chain, name, run);
        }
        self.set_key(chain, "pipe", pipe);
        self.values.object(chain)
    }

    fn run_steps(&mut self, steps: &[Val], input: Val, span: Span) -> Val {
        let mut value = input;
        for step in steps {
            let passed = Arguments::of(vec![value]);
            let returned = if self.is_function(*step) {
                self.call_value(*step, Val::UNDEFINED, &passed, span)
            } else if self.values.atoms(step.id).iter().any(|atom| matches!(atom, Atom::Object(_))) {
                self.call_member(*step, &Key::named(RUNNING[0]), &passed, span)
            } else {
                value
            };
            value = self.settled(returned);
        }
        value
    }
}
