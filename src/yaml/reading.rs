//! Reads a type from a YAML value that was read with its places, so that the YAML crate is compiled for one type only.

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor};
use serde::{Deserialize as _, forward_to_deserialize_any};

use crate::yaml::node::{Content, Fault, Node};

/// A value that is read into a type.
#[derive(Clone, Copy)]
pub struct Reading<'n> {
    /// The value.
    pub node: &'n Node,
    /// All of the text that it was read from.
    pub text: &'n str,
}

/// Why a value does not fit a type.
#[derive(Debug)]
pub struct Misfit {
    message: String,
    /// Line and column of the innermost value that is known to hold it.
    place: Option<(u64, u64)>,
}

impl Misfit {
    /// What is told of it.
    pub fn fault(self) -> Fault {
        let (line, column) = self.place.unwrap_or((1, 1));
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).max(1);
        Fault { line: narrow(line), column: narrow(column), message: self.message }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misfit {}

impl serde::de::Error for Misfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), place: None }
    }
}

impl<'n> Reading<'n> {
    fn of(self, node: &'n Node) -> Self {
        Self { node, text: self.text }
    }

    /// What stands there, where it reads as a number or the like and is wanted as a text: `id: 404`, `find: y`.
    fn written(self) -> Option<&'n str> {
        let span = self.node.0.defined.span();
        let start = usize::try_from(span.byte_offset()?).ok()?;
        let length = usize::try_from(span.byte_len()?).ok()?;
        self.text.get(start..start.checked_add(length)?).map(str::trim)
    }

    fn content(self) -> &'n Content {
        &self.node.0.value
    }

    /// The same misfit, with this place unless a narrower one is known.
    fn placed(self, misfit: Misfit) -> Misfit {
        let place = self.node.0.referenced;
        Misfit { place: misfit.place.or(Some((place.line(), place.column()))), ..misfit }
    }

    fn read<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.content() {
            Content::Null => visitor.visit_unit(),
            Content::Boolean(flag) => visitor.visit_bool(*flag),
            Content::Integer(number) => match (u64::try_from(*number), i64::try_from(*number)) {
                (Ok(number), _) => visitor.visit_u64(number),
                (_, Ok(number)) => visitor.visit_i64(number),
                _ => visitor.visit_f64(*number as f64),
            },
            Content::Number(number) => visitor.visit_f64(*number),
            Content::Text(text) => visitor.visit_str(text),
            Content::Sequence(elements) => {
                let mut access = SeqDeserializer::new(elements.iter().map(|node| self.of(node)));
                let value = visitor.visit_seq(&mut access)?;
                access.end()?;
                Ok(value)
            }
            Content::Mapping(entries) => {
                let mut access = MapDeserializer::new(entries.iter().map(|(key, value)| (self.of(key), self.of(value))));
                let value = visitor.visit_map(&mut access)?;
                access.end()?;
                Ok(value)
            }
        }
    }
}

impl<'n> IntoDeserializer<'_, Misfit> for Reading<'n> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Reading<'_> {
    type Error = Misfit;

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match (self.content(), self.written()) {
            (Content::Boolean(_) | Content::Integer(_) | Content::Number(_), Some(written)) => visitor.visit_str(written),
            _ => self.read(visitor),
        }
        .map_err(|misfit| self.placed(misfit))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    // A file in which nothing stands, and a key without a value, hold an empty mapping or list.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.content() {
            Content::Null => visitor.visit_map(MapDeserializer::<_, Misfit>::new(std::iter::empty::<(Self, Self)>())),
            _ => self.read(visitor),
        }
        .map_err(|misfit| self.placed(misfit))
    }

    fn deserialize_struct<V: Visitor<'de>>(self, _: &'static str, _: &'static [&'static str], visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_map(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.content() {
            Content::Null => visitor.visit_seq(SeqDeserializer::<_, Misfit>::new(std::iter::empty::<Self>())),
            _ => self.read(visitor),
        }
        .map_err(|misfit| self.placed(misfit))
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.read(visitor).map_err(|misfit| self.placed(misfit))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.content() {
            Content::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self).map_err(|misfit| self.placed(misfit))
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: &'static str, _: &'static [&'static str], visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_enum(self).map_err(|misfit| self.placed(misfit))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct ignored_any
    }
}

/// What the chosen one of several holds.
pub struct Variant<'n>(Option<Reading<'n>>);

/// One of several: a word, or a mapping of one word to what it holds.
impl<'de, 'n> EnumAccess<'de> for Reading<'n> {
    type Error = Misfit;
    type Variant = Variant<'n>;

    fn variant_seed<S: serde::de::DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), Misfit> {
        match self.content() {
            Content::Text(word) => Ok((seed.deserialize(StrDeserializer::new(word))?, Variant(None))),
            Content::Mapping(entries) => match entries.as_slice() {
                [(key, value)] => Ok((seed.deserialize(self.of(key))?, Variant(Some(self.of(value))))),
                _ => Err(serde::de::Error::custom("a mapping with a single key is expected")),
            },
            _ => Err(serde::de::Error::custom("a word is expected")),
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Misfit;

    fn unit_variant(self) -> Result<(), Misfit> {
        self.0.map_or(Ok(()), <()>::deserialize)
    }

    fn newtype_variant_seed<S: serde::de::DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Misfit> {
        match self.0 {
            Some(reading) => seed.deserialize(reading),
            None => Err(serde::de::Error::custom("something more is expected")),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Misfit> {
        self.0.map_or_else(|| Err(serde::de::Error::custom("a list is expected")), |reading| reading.deserialize_any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Misfit> {
        self.0.map_or_else(|| Err(serde::de::Error::custom("a mapping is expected")), |reading| reading.deserialize_any(visitor))
    }
}
