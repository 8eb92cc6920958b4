//! Segments: the stretches of decoded text that patterns search.

use crate::value::offset_map::OffsetMap;
use crate::value::span::Span;

/// A stretch of text of a subject, with its place in the source.
#[derive(Clone, Debug)]
pub struct Segment {
    /// What the text is.
    pub role: Role,
    /// Where it stands: for a string, between its quotes.
    pub span: Span,
    /// The decoded text, where it differs from what stands in the source at `span`.
    pub decoded: Option<Box<str>>,
    /// Where the parts of the decoded text stand in the source, where that is known.
    pub map: Option<Box<OffsetMap>>,
}

impl Segment {
    /// A segment that reads the same as its source.
    pub fn verbatim(role: Role, span: Span) -> Self {
        Self { role, span, decoded: None, map: None }
    }

    /// A segment that was written otherwise (escapes, folding).
    pub fn decoded(role: Role, span: Span, text: impl Into<Box<str>>) -> Self {
        Self { role, span, decoded: Some(text.into()), map: None }
    }

    /// A segment that was written otherwise, of which it is known where each part stands.
    pub fn mapped(role: Role, span: Span, text: impl Into<Box<str>>, map: OffsetMap) -> Self {
        Self { map: Some(Box::new(map)), ..Self::decoded(role, span, text) }
    }

    /// The text that patterns see.
    pub fn text<'t>(&'t self, source: &'t str) -> &'t str {
        self.decoded.as_deref().unwrap_or_else(|| self.span.slice(source))
    }

    /// The source span of a stretch of this segment's text: the whole segment where it is not known
    /// exactly.
    pub fn source_span(&self, start: usize, end: usize) -> Span {
        if let Some(map) = &self.map {
            return map.span(Span::from_offsets(start, end));
        }
        if self.decoded.is_some() {
            return self.span;
        }
        let base = self.span.start as usize;
        Span::from_offsets(base + start, base + end)
    }
}

/// What a segment's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Source code between comments.
    Code,
    /// A comment, with what marks it.
    Comment,
    /// What a string literal or template says; a template's holes read as `HOLE`.
    String,
    /// What is put together from constants says: sums, calls, templates of known values. Also a string.
    Folded,
    /// What a text says to whoever reads it.
    Prose,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 5] = [Self::Code, Self::Comment, Self::String, Self::Folded, Self::Prose];

    /// The name used in patterns.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Comment => "comment",
            Self::String => "string",
            Self::Folded => "folded",
            Self::Prose => "prose",
        }
    }

    /// The role of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// Stands in a template's text where a value is put in (the control character SUBSTITUTE). Patterns write
/// it as U+FFFC, which shows.
pub const HOLE: char = '\u{1a}';
