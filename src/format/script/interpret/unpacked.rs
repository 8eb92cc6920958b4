//! Known texts that a regular expression takes apart, and words of them that a list, or a function, replaces: how packers put a script
//! together.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::js::MAX_TEXT;
use crate::format::script::js::constant::Constant;
use crate::format::script::js::regex::Written;
use crate::subject::segment::HOLE;
use crate::value::span::Span;

/// Regular expressions run over so much text of one script, in bytes.
const MATCHED: usize = 16 * 1024 * 1024;

/// What a single match has beside its groups.
const MATCH_FIELDS: [&str; 4] = ["index", "input", "groups", "indices"];

/// So many words are replaced by a function at most.
const WORDS: usize = 2_000;

impl Interpreter<'_> {
    /// What is left of a known text of which words are replaced; nothing, where that is not known.
    pub fn words_replaced(&mut self, this: Val, arguments: &Arguments, span: Span) -> Option<String> {
        let Some(Constant::String(text)) = self.values.known(this.id) else { return None };
        let source = self.regex_source(arguments.get(0))?;
        let flags = self.regex_flags(arguments.get(0))?;
        let with = arguments.get(1);
        if arguments.known.len() != 2 || !self.is_callable(with) {
            return None;
        }
        if !self.may_match(&text) {
            return None;
        }
        let places = Written { source: &source, flags: &flags }.places(&text).filter(|places| places.len() <= WORDS)?;
        let (mut replaced, mut end) = (String::with_capacity(text.len()), 0);
        for place in places {
            replaced.push_str(text.get(end..place.start)?);
            end = place.end;
            // Places are counted in another unit than bytes, which only where all is ASCII is the same.
            let at = if text.is_ascii() { self.values.number(place.start as f64) } else { Val::UNKNOWN };
            let word = self.values.string(text.get(place)?);
            let given = self.call_value(with, Val::UNDEFINED, &Arguments::of(vec![word, at, this]), span);
            replaced.push_str(&self.values.known(given.id)?.to_text());
            if MAX_TEXT < replaced.len() || self.is_exhausted {
                return None;
            }
        }
        replaced.push_str(text.get(end..)?);
        Some(replaced)
    }

    /// What a method of a known text gives that is handed a regular expression that is written out.
    pub fn by_regex(&mut self, this: Val, name: &str, arguments: &Arguments, span: Span) -> Option<Val> {
        let source = self.regex_source(arguments.get(0)).filter(|_| arguments.rest.is_none())?;
        let Constant::String(text) = self.values.known(this.id)? else { return None };
        let flags = self.regex_flags(arguments.get(0))?;
        if !self.may_match(&text) {
            return None;
        }
        let written = Written { source: &source, flags: &flags };
        let given = match name {
            "replace" | "replaceAll" => {
                let with = self.values.text(arguments.get(1).id).filter(|with| !with.contains(HOLE))?;
                Constant::String(written.replaced(&text, &with)?)
            }
            "split" if arguments.known.len() == 1 => {
                Constant::Array(written.split(&text)?.into_iter().map(|piece| Constant::String(piece.to_owned())).collect())
            }
            "match" if !flags.contains('g') => return self.single_match(&written, &text, span),
            "match" => match written.matched(&text)? {
                None => Constant::Null,
                Some(all) => Constant::Array(all.into_iter().map(Constant::String).collect()),
            },
            _ => return None,
        };
        Some(self.constant_at(&given, span))
    }

    /// The first match with its groups, which tells where it stands, too.
    fn single_match(&mut self, written: &Written<'_>, text: &str, span: Span) -> Option<Val> {
        let Some(groups) = written.first(text)? else { return Some(self.constant_at(&Constant::Null, span)) };
        let groups = groups.into_iter().map(|one| one.map_or(Constant::Undefined, Constant::String)).collect();
        let list = self.constant_at(&Constant::Array(groups), span);
        let [Atom::Object(object)] = *self.values.shape(list.id).atoms else { return None };
        for name in MATCH_FIELDS {
            let field = self.values.texts.intern(name);
            self.heap.set(Place::Field(object, field), Val::UNKNOWN);
        }
        Some(list)
    }

    /// Returns true if and only if a regular expression may still run over a text.
    fn may_match(&mut self, text: &str) -> bool {
        self.matched = self.matched.saturating_add(text.len());
        self.matched <= MATCHED
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
