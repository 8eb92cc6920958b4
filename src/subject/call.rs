//! Calls: the actions a subject takes, and what it passes to them.

use crate::value::span::Span;

/// A tool call that a subject makes.
#[derive(Clone, Debug)]
pub struct Call {
    /// Which tool.
    pub tool: Tool,
    /// How the tool's name is hidden from who reads the script.
    pub disguise: Disguise,
    /// What is passed to the tool: one value, usually an object.
    pub argument: Value,
    /// How many loops stand around the call, in its own function and in those that call it.
    pub loop_depth: u16,
    /// It runs once per element of something: it stands in the callback of an array method.
    pub repeated: bool,
    /// How often the innermost loop or iteration around it runs.
    pub repeat: Repeat,
    /// The origins (`Subject::origins`) over whose elements the loops around it run.
    pub over: Vec<usize>,
    /// The how-manieth call of the subject it is, from 0, in order of place.
    pub nth: u32,
    /// How often the run called this tool before, in earlier subjects and earlier in this one.
    pub earlier: u32,
    /// What the tool is said to do: its description, where one is known.
    pub doc: Option<String>,
    /// What is said of the risk of this call, by name.
    pub hints: Vec<(String, Hint)>,
    /// The whole call expression.
    pub span: Span,
    /// The expression that names the tool.
    pub tool_span: Span,
    /// The tool is a method of what a program imports or is given, by another name: no text of the call names it, and it
    /// is not the way in which agents call tools.
    pub is_method: bool,
}

impl Call {
    /// Returns true if and only if the call runs many times: in a loop or an iteration callback.
    pub fn is_repeated(&self) -> bool {
        self.repeated || 0 < self.loop_depth
    }
}

/// What is said of the risk of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hint {
    /// Something holds of it, or does not.
    Flag(bool),
    /// Something that can be counted.
    Number(f64),
}

/// How much effort a script takes to hide a constant text, from the least to the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Disguise {
    /// None: it is written out, named once, or put together from whole words (`${NS}:list`).
    #[default]
    None,
    /// It is put together from pieces that are no words: `'use' + 'rs:li' + 'st'`, single characters.
    Joined,
    /// It is decoded, reversed or made from character codes.
    Encoded,
}

/// How often something runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// Once for each time that the script runs.
    #[default]
    Once,
    /// As often as a number that stands in the script says.
    Counted(u32),
    /// Once per element of something.
    Each,
    /// Until something changes (`while`, `for (;;)`, recursion): nobody knows how often.
    Open,
}

/// A call of a host API: something that the runtime offers rather than a tool.
#[derive(Clone, Debug)]
pub struct HostCall {
    /// Its path, whatever it is called in the script: `fetch`, `child_process.exec`, `fs.promises.readFile`,
    /// with `()` for the result of a call: `http.request().write`, `WebSocket().send`.
    pub api: String,
    /// What is passed to it.
    pub arguments: Vec<Value>,
    /// What was passed to the call that made its receiver: the URL of `new WebSocket(url)` for its `send`.
    pub receiver: Vec<Value>,
    /// How many loops stand around the call.
    pub loop_depth: u16,
    /// It runs once per element of something.
    pub repeated: bool,
    /// How often the loops around it run.
    pub repeat: Repeat,
    /// How often the run called this API before, in earlier subjects and earlier in this one.
    pub earlier: u32,
    /// The whole call expression.
    pub span: Span,
    /// Where the functions of the script are called that make it, as far as they tell it from other calls of the same place: the
    /// first bytes of these calls, the nearest first.
    pub callers: Vec<u32>,
}

/// The tool that a call names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Written out as a literal.
    Named(String),
    /// Computed, but from constants: its value is known.
    Folded(String),
    /// Not known before it runs.
    Dynamic,
}

impl Tool {
    /// The tool's name, where it is known.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) | Self::Folded(name) => Some(name),
            Self::Dynamic => None,
        }
    }

    /// The tool's name for people.
    pub fn shown(&self) -> &str {
        self.name().unwrap_or("<dynamic>")
    }
}

/// A value as far as it is known before the script runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing is passed.
    Missing,
    /// A string.
    String(String, Span),
    /// A number.
    Number(f64, Span),
    /// A boolean.
    Boolean(bool, Span),
    /// `null` or `undefined`.
    Null(Span),
    /// An array; what is spread into it is dynamic.
    Array(Vec<Self>, Span),
    /// An object; what is spread into it stands under the key `...`.
    Object(Vec<Property>, Span),
    /// A string of which only parts are known; what is not reads as [`HOLE`](crate::subject::segment::HOLE).
    Partial(String, Span),
    /// One of several, by the way that the script takes.
    OneOf(Vec<Self>, Span),
    /// Not known.
    Dynamic(Span),
}

/// One property of an object value.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The key, `...` for a spread, `[]` for a computed key that is not known.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Value,
}

impl Value {
    /// Where the value stands; empty for a missing one.
    pub fn span(&self) -> Span {
        match self {
            Self::Missing => Span::default(),
            Self::String(_, span)
            | Self::Number(_, span)
            | Self::Boolean(_, span)
            | Self::Null(span)
            | Self::Array(_, span)
            | Self::Object(_, span)
            | Self::Partial(_, span)
            | Self::OneOf(_, span)
            | Self::Dynamic(span) => *span,
        }
    }

    /// Visits this value and everything in it, with the key under which each part stands (empty at
    /// the top; the elements of an array stand under the array's key).
    pub fn visit<'v>(&'v self, key: &'v str, visit: &mut impl FnMut(&'v str, &'v Self)) {
        visit(key, self);
        match self {
            Self::Array(elements, _) | Self::OneOf(elements, _) => elements.iter().for_each(|element| element.visit(key, visit)),
            Self::Object(properties, _) => {
                properties.iter().for_each(|property| property.value.visit(&property.key, visit));
            }
            Self::Missing
            | Self::String(..)
            | Self::Number(..)
            | Self::Boolean(..)
            | Self::Null(_)
            | Self::Partial(..)
            | Self::Dynamic(_) => {}
        }
    }

    /// Visits every property in this value, at any depth.
    pub fn visit_properties<'v>(&'v self, visit: &mut impl FnMut(&'v Property)) {
        match self {
            Self::Array(elements, _) | Self::OneOf(elements, _) => elements.iter().for_each(|element| element.visit_properties(visit)),
            Self::Object(properties, _) => {
                for property in properties {
                    visit(property);
                    property.value.visit_properties(visit);
                }
            }
            Self::Missing
            | Self::String(..)
            | Self::Number(..)
            | Self::Boolean(..)
            | Self::Null(_)
            | Self::Partial(..)
            | Self::Dynamic(_) => {}
        }
    }
}
