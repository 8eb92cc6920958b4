//! Known texts that a regular expression takes apart, and words of them that a list, or a function, replaces: how packers put a script
//! together.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::js::MAX_TEXT;
use crate::format::script::js::constant::Constant;
use crate::format::script::js::regex::{Match, Written};
use crate::subject::segment::HOLE;
use crate::value::span::Span;

/// Regular expressions run over so much text of one script, in bytes.
const MATCHED: usize = 16 * 1024 * 1024;

/// What a single match has beside its groups.
const MATCH_FIELDS: [&str; 4] = ["index", "input", "groups", "indices"];

/// So many words are replaced by a function at most.
const WORDS: usize = 2_000;

impl Interpreter<'_> {
    /// A known text in which a function says what takes the place of each match; nothing, where it is not known what matches.
    pub fn replaced_by_function(&mut self, this: Val, arguments: &Arguments, span: Span) -> Option<Val> {
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
        let matches = Written { source: &source, flags: &flags }.matches(&text).filter(|matches| matches.len() <= WORDS)?;
        let (mut parts, mut end, mut length) = (Vec::with_capacity(2 * matches.len() + 1), 0, 0);
        for Match { place, groups } in matches {
            parts.push(self.values.string(text.get(end..place.start)?));
            end = place.end;
            // Places are counted in another unit than bytes, which only where all is ASCII is the same.
            let at = if text.is_ascii() { self.values.number(place.start as f64) } else { Val::UNKNOWN };
            let mut passed = vec![self.values.string(text.get(place)?)];
            for group in groups {
                passed.push(group.map_or(Val::UNDEFINED, |group| self.values.string(&group)));
            }
            passed.extend([at, this]);
            let given = self.call_value(with, Val::UNDEFINED, &Arguments::of(passed), span);
            length += self.values.text(given.id).map_or(0, |text| text.len());
            parts.push(given);
            if MAX_TEXT < length || self.is_exhausted {
                return None;
            }
        }
        parts.push(self.values.string(text.get(end..)?));
        Some(self.concatenate(&parts))
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
