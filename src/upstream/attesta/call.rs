//! What Attesta is handed: one call, with values of JSON as Python reads them.

use crate::upstream::python::{literal, number};

/// One call of a function, with what is known of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    /// The function's name, letter by letter.
    pub function_name: String,
    /// What is passed by position.
    pub args: Vec<Value>,
    /// What is passed by name, in the order in which it is passed.
    pub kwargs: Vec<(String, Value)>,
    /// What the function is said to do.
    pub doc: Option<String>,
    /// What is said of the call's risk, in the order in which it is said.
    pub hints: Vec<(String, Value)>,
    /// Where it runs (`production`), as written.
    pub environment: Option<String>,
}

/// A value of JSON as Python reads it: whole numbers apart from floats, keys in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without point and exponent.
    Int(i64),
    /// The digits, with a minus where there is one, of a whole number that does not fit an `i64`.
    LongInt(String),
    /// A number with a point or an exponent, or none that JSON can write (`NaN`).
    Float(f64),
    /// A text.
    String(String),
    /// A list.
    List(Vec<Self>),
    /// An object; keys that stand twice count once, in the place of the first with the value of the last.
    Map(Vec<(String, Self)>),
}

impl Value {
    /// What `str(value)` gives: texts as they are, everything else as [`Value::literal`].
    pub fn text(&self) -> String {
        match self {
            Self::String(text) => text.clone(),
            Self::Null | Self::Bool(_) | Self::Int(_) | Self::LongInt(_) | Self::Float(_) | Self::List(_) | Self::Map(_) => self.literal(),
        }
    }

    /// What `repr(value)` gives.
    pub fn literal(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    /// Writes the literal; nesting is bounded by what readers let through.
    fn write(&self, text: &mut String) {
        match self {
            Self::Null => text.push_str("None"),
            Self::Bool(true) => text.push_str("True"),
            Self::Bool(false) => text.push_str("False"),
            Self::Int(value) => text.push_str(&value.to_string()),
            Self::LongInt(digits) => text.push_str(digits),
            Self::Float(value) => text.push_str(&number::float(*value)),
            Self::String(value) => text.push_str(&literal::string(value)),
            Self::List(values) => {
                text.push('[');
                for (index, value) in values.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { ", " });
                    value.write(text);
                }
                text.push(']');
            }
            Self::Map(entries) => {
                text.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { ", " });
                    text.push_str(&literal::string(key));
                    text.push_str(": ");
                    value.write(text);
                }
                text.push('}');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Value::{Bool, Float, Int, List, LongInt, Map, Null, String};

    #[test]
    fn values_are_written_as_python_writes_them() {
        for (value, expected) in [
            (Null, "None"),
            (Bool(true), "True"),
            (Int(3), "3"),
            (Float(3.0), "3.0"),
            (LongInt("1000000000000000000000000000000".to_owned()), "1000000000000000000000000000000"),
            (String("it's".to_owned()), "it's"),
            (List(vec![Int(1), String("a".to_owned()), Bool(false)]), "[1, 'a', False]"),
            (Map(vec![("k".to_owned(), List(vec![Null, Map(Vec::new())])), ("'".to_owned(), Float(0.5))]), "{'k': [None, {}], \"'\": 0.5}"),
        ] {
            assert_eq!(value.text(), expected);
        }
    }
}
