//! What `build.rs` made of the files of `knowledge/`.

use crate::knowledge::act::{Act, KnownTool, Speech};
use crate::knowledge::api::{Api, SinkKind};
use crate::knowledge::command::Commands;
use crate::knowledge::destination::Side;
use crate::knowledge::effect::{EffectKind, Extent};
use crate::knowledge::form::Forms;
use crate::knowledge::persistence::Persistence;
use crate::knowledge::reach::Reach;
use crate::knowledge::sensitivity::Sensitivity;
use crate::knowledge::statement::Statements;
use crate::knowledge::tool::{Noun, ToolClass, Verb};
use crate::subject::flow::OriginKind;
use crate::value::severity::Severity;

/// What is known, each list in order of its first column.
pub struct Table {
    /// Host APIs.
    pub apis: &'static [Api],
    /// Verbs of tool names with what they do.
    pub verbs: &'static [(&'static str, &'static [Verb])],
    /// Other words of tool names.
    pub nouns: &'static [Noun],
    /// Wildcards for tools whose words mislead, each with an example.
    pub names: &'static [(&'static str, ToolClass, &'static str)],
    /// What verbs do.
    pub acts: &'static [Act],
    /// Verbs with the positions of their acts.
    pub act_verbs: &'static [(&'static str, &'static [usize])],
    /// How names and descriptions are worded.
    pub speech: Speech,
    /// Tools of well-known servers.
    pub tools: &'static [KnownTool],
}

/// What is known.
pub const TABLE: &Table = &include!(concat!(env!("OUT_DIR"), "/knowledge.rs"));

/// From which file the rows of a section are, in their order: so many of that section from that file.
pub static FILES: &[(&str, usize, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file from which the row of a section is that stands at a place of its list.
pub fn file_of(section: &str, at: usize) -> Option<&'static str> {
    let mut end = 0;
    FILES.iter().filter(|(own, ..)| *own == section).find_map(|(_, count, file)| {
        end += count;
        (at < end).then_some(*file)
    })
}

/// What is known of commands; a row is the same wherever it is asked for.
pub static COMMANDS: &Commands = {
    use crate::knowledge::command::{Address, Code, CommandRow, Files, Language, Reader, SeverityRow, Starts, Tests, Wrapper};
    &include!(concat!(env!("OUT_DIR"), "/commands.rs"))
};

/// What is known of statements; a row is the same wherever it is asked for.
pub static STATEMENTS: &Statements = {
    use crate::knowledge::statement::{Language, Speaker, StatementRow, Tests};
    &include!(concat!(env!("OUT_DIR"), "/statements.rs"))
};

/// What is known of the forms in which tools are called; a row is the same wherever it is asked for.
pub static FORMS: &Forms = {
    use crate::knowledge::form::{Entry, Method, MethodPaths, Module, Service, Type};
    &include!(concat!(env!("OUT_DIR"), "/forms.rs"))
};
