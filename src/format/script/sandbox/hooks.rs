//! Hooks into the language: well-known symbols, and objects that turn into keys.

use oxc_ast::ast::{Class, Expression, ObjectExpression, PropertyKey};

use crate::format::script::sandbox::Walker;
use crate::format::script::sandbox::names::{Danger, danger};
use crate::format::script::span::span_of;
use crate::subject::hazard::{HazardKind, Strength};
use crate::value::span::Span;

/// Symbols by which a script rules how the host treats its values.
const RULING: &[&str] = &["species", "unscopables", "hasInstance", "isConcatSpreadable", "match", "matchAll", "replace", "search", "split"];

/// Symbols that an object or class of the script's own may well answer to.
const OWN: &[&str] = &[
    "iterator",
    "asyncIterator",
    "toStringTag",
    "toPrimitive",
    "dispose",
    "asyncDispose",
    "hasInstance",
    "isConcatSpreadable",
    "match",
    "matchAll",
    "replace",
    "search",
    "split",
];

impl<'a> Walker<'_, 'a, '_> {
    /// `Symbol.name`.
    pub fn symbol(&mut self, name: &str, span: Span) {
        if RULING.contains(&name) {
            let note = format!("`Symbol.{name}` rules how other code treats a value");
            self.tell(HazardKind::Hook, Strength::Probing, span, note);
        } else if danger(name).is_some() {
            self.tell(HazardKind::Chain, Strength::Probing, span, format!("the script reads `Symbol.{name}`"));
        }
    }

    /// Returns true if and only if a key is a symbol to which the script's own objects may answer.
    pub fn is_own_hook(&self, key: &PropertyKey<'a>) -> bool {
        key.as_expression().is_some_and(|key| self.is_own_symbol(key))
    }

    /// Returns true if and only if an expression is such a symbol.
    pub fn is_own_symbol(&self, key: &Expression<'a>) -> bool {
        self.symbol_name(key).is_some_and(|name| OWN.contains(&name))
    }

    /// An object that turns into a key that leads out.
    pub fn hooked_object(&mut self, object: &'a ObjectExpression<'a>) {
        let texts = self.texts_of_object(object);
        self.hooked(&texts, span_of(object));
    }

    /// A class whose objects turn into a key that leads out.
    pub fn hooked_class(&mut self, class: &'a Class<'a>) {
        let texts = self.texts_of_class(class);
        self.hooked(&texts, span_of(class));
    }

    fn hooked(&mut self, texts: &[String], span: Span) {
        let leads_out = |text: &&String| matches!(danger(text), Some(Danger::Constructor | Danger::Prototype | Danger::OwnPrototype));
        if let Some(text) = texts.iter().find(leads_out) {
            self.tell(HazardKind::Hook, Strength::Clear, span, format!("an object turns into the text `{text}` where it is used as a key"));
        }
    }
}
