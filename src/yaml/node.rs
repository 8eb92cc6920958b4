//! YAML as it was written: values with their places, and what is wrong with them.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Error, Spanned};

/// A fault of a YAML file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// Reads a text as values with their places.
///
/// # Errors
///
/// When it is no YAML.
pub fn parse(text: &str) -> Result<Node, Fault> {
    serde_saphyr::from_str::<Node>(text).map_err(|error| fault_of(&error))
}

fn fault_of(error: &Error) -> Fault {
    let place = error.location();
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    let message = error.without_snippet().to_string();
    let message = message.lines().next().unwrap_or("not YAML");
    let message = message.split_once(" at line ").map_or(message, |(before, _)| before);
    let message = message.split_once(": ").filter(|(before, _)| before.starts_with("error: line")).map_or(message, |(_, after)| after);
    Fault {
        line: place.map_or(1, |place| narrow(place.line())),
        column: place.map_or(1, |place| narrow(place.column())),
        message: message.to_owned(),
    }
}

/// A YAML value with its place.
pub struct Node(pub(super) Box<Spanned<Content>>);

impl Node {
    /// A mapping without these keys.
    pub(super) fn without(mut self, keys: &[&str]) -> Self {
        if let Content::Mapping(entries) = &mut self.0.value {
            entries.retain(|(key, _)| !matches!(&key.0.value, Content::Text(key) if keys.contains(&key.as_str())));
        }
        self
    }

    /// Puts another value over this one: mappings are put together, and in all else the other counts, if it says anything.
    pub(super) fn put_over(&mut self, over: Self) {
        match (&mut self.0.value, over) {
            (_, Self(over)) if matches!(over.value, Content::Null) => {}
            (Content::Mapping(entries), Self(over)) if matches!(over.value, Content::Mapping(_)) => {
                let Content::Mapping(added) = over.value else { return };
                for (key, value) in added {
                    match entries.iter_mut().find(|(known, _)| known.0.value.is_text(&key.0.value)) {
                        Some((_, known)) => known.put_over(value),
                        None => entries.push((key, value)),
                    }
                }
            }
            (_, over) => *self = over,
        }
    }
}

impl Content {
    fn is_text(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Text(text), Self::Text(other)) if text == other)
    }
}

/// A YAML value.
pub enum Content {
    Null,
    Boolean(bool),
    Integer(i128),
    Number(f64),
    Text(String),
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Spanned::deserialize(deserializer).map(|spanned| Self(Box::new(spanned)))
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Content, E> {
        Ok(Content::Null)
    }

    fn visit_none<E>(self) -> Result<Content, E> {
        Ok(Content::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Content, E> {
        Ok(Content::Boolean(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Content, E> {
        Ok(Content::Integer(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Content, E> {
        Ok(Content::Integer(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Content, E> {
        Ok(Content::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Content, E> {
        Ok(Content::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Content, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = access.next_element()? {
            elements.push(element);
        }
        Ok(Content::Sequence(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Content, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        if entries.len() > 100_000 {
            return Err(A::Error::custom("too many entries"));
        }
        Ok(Content::Mapping(entries))
    }
}

/// A fault of a value, at its place.
pub fn fault_in(node: &Node, message: String) -> Fault {
    let place = node.0.referenced;
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    Fault { line: narrow(place.line()), column: narrow(place.column()), message }
}
