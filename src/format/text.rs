//! Texts that an agent is told: instructions, skills, pages. One subject, all of it prose.

use crate::format::{Language, ReadOptions};
use crate::subject::segment::{Role, Segment};
use crate::subject::{Kind, Lifecycle, Reason, Subject, Undetermined};
use crate::value::span::Span;

/// Reads a text.
pub fn read(text: &str, _: Language, _: &ReadOptions) -> Vec<Subject> {
    let mut subject = Subject::empty(Kind::Text, Lifecycle::PreAgentStart);
    if !text.is_empty() {
        subject.segments = vec![Segment::verbatim(Role::Prose, Span::from_offsets(0, text.len()))];
    }
    vec![subject]
}

/// Why a text is none. Never asked: every text is one.
pub fn why_none(_: &str, _: &ReadOptions) -> Undetermined {
    Undetermined::new(Reason::UnknownLanguage, "it is no text")
}
