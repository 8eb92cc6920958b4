//! One walk over what is passed to a call: every value with the key under which it stands, taken apart once for all who ask.

use crate::knowledge::words::{Tag, tags};
use crate::meaning::argument::Text;
use crate::subject::call::{Property, Value};
use crate::value::words::{joined, words};

/// A key of an argument, with its words.
#[derive(Clone, Debug)]
pub struct Key<'v> {
    /// As it is written; empty at the top.
    pub text: &'v str,
    /// Its words written together.
    pub joined: String,
    /// Its words.
    pub words: Vec<String>,
    /// What it tells as a whole.
    roles: &'static [Tag],
}

impl<'v> Key<'v> {
    fn of(text: &'v str) -> Self {
        let joined = joined(text);
        let roles = tags(&joined);
        Self { text, joined, words: words(text), roles }
    }

    /// Returns true if and only if the key as a whole tells this, however it is spelt.
    pub fn is(&self, role: Tag) -> bool {
        self.roles.contains(&role)
    }

    /// Returns true if and only if one of its words tells this.
    pub fn has(&self, tag: Tag) -> bool {
        tag.has_any(&self.words)
    }

    /// Returns true if and only if its last word tells this.
    pub fn ends_in(&self, tag: Tag) -> bool {
        self.words.last().is_some_and(|last| tag.has(last))
    }
}

/// A value somewhere in an argument.
#[derive(Clone, Copy, Debug)]
struct Node<'v> {
    key: usize,
    value: &'v Value,
    /// The property whose value it is; none for an element, for one of several choices and at the top.
    property: Option<&'v Property>,
}

/// What is passed to a call, as all readers see it.
#[derive(Clone, Debug)]
pub struct Arguments<'v> {
    /// The whole of it.
    pub whole: &'v Value,
    keys: Vec<Key<'v>>,
    nodes: Vec<Node<'v>>,
    texts: Vec<Text<'v>>,
    /// The key of each text.
    said: Vec<usize>,
}

impl<'v> Arguments<'v> {
    /// Walks over an argument.
    pub fn of(argument: &'v Value) -> Self {
        let mut own = Self { whole: argument, keys: vec![Key::of("")], nodes: Vec::new(), texts: Vec::new(), said: Vec::new() };
        own.add(0, argument, None);
        own
    }

    fn add(&mut self, key: usize, value: &'v Value, property: Option<&'v Property>) {
        self.nodes.push(Node { key, value, property });
        match value {
            Value::Array(elements, _) | Value::OneOf(elements, _) => elements.iter().for_each(|element| self.add(key, element, None)),
            Value::Object(properties, _) => {
                for property in properties {
                    self.keys.push(Key::of(&property.key));
                    self.add(self.keys.len() - 1, &property.value, Some(property));
                }
            }
            Value::String(text, span) | Value::Partial(text, span) => {
                let is_known = matches!(value, Value::String(..));
                let own = self.keys.get(key).map_or("", |key| key.text);
                self.texts.push(Text { key: own, text, is_known, span: *span });
                self.said.push(key);
            }
            Value::Missing | Value::Number(..) | Value::Boolean(..) | Value::Null(_) | Value::Dynamic(_) => {}
        }
    }

    /// Every value at any depth, itself first, with the key under which it stands; elements and choices stand under that of the whole.
    pub fn values(&self) -> impl Iterator<Item = (&Key<'v>, &'v Value)> {
        self.nodes.iter().filter_map(|node| Some((self.keys.get(node.key)?, node.value)))
    }

    /// Every property at any depth.
    pub fn properties(&self) -> impl Iterator<Item = (&Key<'v>, &'v Property)> {
        self.nodes.iter().filter_map(|node| Some((self.keys.get(node.key)?, node.property?)))
    }

    /// Every text at any depth.
    pub fn texts(&self) -> &[Text<'v>] {
        &self.texts
    }

    /// Every text with its key.
    pub fn said(&self) -> impl Iterator<Item = (&Key<'v>, &Text<'v>)> {
        self.said.iter().zip(&self.texts).filter_map(|(key, text)| Some((self.keys.get(*key)?, text)))
    }

    /// The properties of every object at any depth.
    pub fn objects(&self) -> impl Iterator<Item = &'v [Property]> {
        self.nodes.iter().filter_map(|node| if let Value::Object(properties, _) = node.value { Some(properties.as_slice()) } else { None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::span::Span;

    #[test]
    fn each_value_is_met_once_under_its_key() {
        let text = |text: &str| Value::String(text.to_owned(), Span::default());
        let property = |key: &str, value| Property { key: key.to_owned(), key_span: Span::default(), value };
        let inner = Value::Object(vec![property("api_key", text("b"))], Span::default());
        let list = Value::Array(vec![text("c"), inner], Span::default());
        let whole = Value::Object(vec![property("userName", text("a")), property("list", list)], Span::default());
        let walked = Arguments::of(&whole);
        let texts: Vec<(&str, &str)> = walked.texts().iter().map(|text| (text.key, text.text)).collect();
        assert_eq!(texts, [("userName", "a"), ("list", "c"), ("api_key", "b")]);
        let keys: Vec<&str> = walked.properties().map(|(key, _)| key.joined.as_str()).collect();
        assert_eq!(keys, ["username", "list", "apikey"]);
        assert_eq!((walked.values().count(), walked.objects().count()), (6, 2));
    }
}
