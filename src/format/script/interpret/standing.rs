//! Folders that a host tells: what stands for them in paths, though nobody knows where they lie.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::Taint;
use crate::format::script::interpret::value::{Atom, Val};
use crate::knowledge::words::Tag;

/// What stands for the folder that a function or a variable (`env.HOME`) tells.
fn stand_in(source: &str) -> Option<&'static str> {
    let known = [(Tag::HomeSource, "~"), (Tag::TemporarySource, "/tmp"), (Tag::WorkSource, ".")];
    known.into_iter().find(|(tag, _)| tag.has(source)).map(|(_, stands)| stands)
}

impl<'a> Interpreter<'a> {
    /// The folder that a function or a variable tells, with the data that it carries.
    pub fn standing(&mut self, source: &str, (taint, via): (Taint, StepId)) -> Option<Val> {
        let text = self.values.texts.intern(stand_in(source)?);
        let value = self.values.atom(Atom::Partial(text));
        Some(self.values.with_taint(value, taint).through(via))
    }
}
