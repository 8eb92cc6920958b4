//! Records: the calls, results and prompts that one source holds, as those who wrote them number and name them.

use crate::value::span::Span;

/// Which record of its source a subject is, or is part of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The how-manieth record of the source it is, from 1, in order of place; what stands in a record has its number.
    pub number: u32,
    /// The id of the tool call, or of the message, where the source names one.
    pub id: Option<String>,
    /// The tool that is called or that answered, where the source names it.
    pub tool: Option<String>,
    /// The argument of the call that the subject is: `code`, `edits[0].new_string`.
    pub argument: Option<String>,
    /// Which part of the record it is: 0 for the call itself, then the scripts in it.
    pub part: u32,
    /// The session that it belongs to, where the source names one.
    pub session_id: Option<String>,
    /// When it was written, as the source says it.
    pub timestamp: Option<String>,
    /// Where the record stands in the source.
    pub span: Span,
}
