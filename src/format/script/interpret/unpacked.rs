//! Words of a text that a pattern finds and a list, or a function, replaces: how packers put a script together.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::js::MAX_TEXT;
use crate::format::script::js::constant::Constant;
use crate::format::script::js::worded::Worded;
use crate::value::span::Span;

/// So many words are replaced by a function at most.
const WORDS: usize = 2_000;

impl Interpreter<'_> {
    /// What is left of a known text of which words are replaced; nothing, where that is not known.
    pub fn words_replaced(&mut self, this: Val, arguments: &Arguments, span: Span) -> Option<String> {
        let Some(Constant::String(text)) = self.values.known(this.id) else { return None };
        let source = self.regex_source(arguments.get(0))?;
        let flags = self.regex_flags(arguments.get(0))?;
        if !flags.chars().all(|flag| flag == 'g') || arguments.known.len() != 2 {
            return None;
        }
        let with = arguments.get(1);
        let fixed = self.values.known(with.id).map(|with| with.to_text());
        if fixed.as_ref().is_some_and(|with| with.contains('$')) || fixed.is_none() && !self.is_callable(with) {
            return None;
        }
        let places = Worded::read(&source)?.places(&text, flags.contains('g'));
        if WORDS < places.len() {
            return None;
        }
        let (mut replaced, mut end) = (String::with_capacity(text.len()), 0);
        for place in places {
            replaced.push_str(text.get(end..place.start)?);
            end = place.end;
            match &fixed {
                Some(with) => replaced.push_str(with),
                None => {
                    let word = self.values.string(text.get(place)?);
                    let given = self.call_value(with, Val::UNDEFINED, &Arguments::of(vec![word]), span);
                    replaced.push_str(&self.values.known(given.id)?.to_text());
                }
            }
            if MAX_TEXT < replaced.len() || self.is_exhausted {
                return None;
            }
        }
        replaced.push_str(text.get(end..)?);
        Some(replaced)
    }

    /// The flags of a regular expression that is written out.
    fn regex_flags(&self, value: Val) -> Option<String> {
        let [Atom::Object(object)] = &*self.values.shape(value.id).atoms else { return None };
        let ObjectKind::Instance { made_with, .. } = &self.heap.object(*object).kind else { return None };
        Some(
            made_with
                .get(1)
                .map_or_else(String::new, |flags| self.values.text(flags.id).map_or_else(String::new, |flags| flags.to_string())),
        )
    }
}
