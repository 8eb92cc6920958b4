//! What is judged: a subject with its segments, calls and flows, as plain data.

pub mod back_door;
pub mod bounds;
pub mod call;
pub mod dialect;
pub mod enclosed;
pub mod flow;
pub mod handed_on;
pub mod hazard;
pub mod passed;
pub mod record;
pub mod segment;
pub mod sign;

use std::fmt;

use crate::subject::back_door::BackDoor;
use crate::subject::bounds::Bounds;
use crate::subject::call::{Call, HostCall};
use crate::subject::dialect::Dialect;
use crate::subject::enclosed::Enclosed;
use crate::subject::flow::{Flow, Origin};
use crate::subject::handed_on::HandedOn;
use crate::subject::hazard::Hazard;
use crate::subject::record::Record;
use crate::subject::segment::Segment;
use crate::subject::sign::Sign;
use crate::value::span::Span;
use crate::value::verdict::Verdict;

/// One thing that is judged.
#[derive(Debug)]
pub struct Subject {
    /// What it is.
    pub kind: Kind,
    /// When in an agent's life it is seen; decides which patterns apply.
    pub lifecycle: Lifecycle,
    /// What it is written for; decides whether it may be blamed for leaving a sandbox.
    pub dialect: Dialect,
    /// It is a script that imports or exports: a part of a program.
    pub is_module: bool,
    /// The texts in it that patterns search, in order of place.
    pub segments: Vec<Segment>,
    /// The tool calls it makes, in order of place.
    pub calls: Vec<Call>,
    /// The calls of host APIs that `knowledge/` lists (`fetch`, `child_process.exec`), in order of place.
    pub host_calls: Vec<HostCall>,
    /// Where data is read, in order of place.
    pub origins: Vec<Origin>,
    /// The data that reaches a call from an origin.
    pub flows: Vec<Flow>,
    /// Fields that are read off a value (`user.password`), with their place.
    pub fields: Vec<(String, Span)>,
    /// Where it lets in whoever knows a text that stands in it.
    pub back_doors: Vec<BackDoor>,
    /// Where an account that is written out is put in the place of those that a pattern finds.
    pub swapped: Vec<Span>,
    /// What it does against its sandbox; only looked for in agent scripts.
    pub hazards: Vec<Hazard>,
    /// Where texts stand in its code that agents obey, if it is written for any: descriptions of tools, system prompts.
    pub obeyed: Vec<Span>,
    /// Where texts stand that an agent is told to remember, or that are written where agents read them, in order of place.
    pub remembered: Vec<Span>,
    /// The commands in its texts that stand behind times at which they start by themselves.
    pub schedules: Vec<String>,
    /// Words in its code that tell what it knows or does, in order of place.
    pub signs: Vec<Sign>,
    /// Which of its loops and recursions nothing ends, and which a number ends.
    pub bounds: Bounds,
    /// It makes a checksum and compares one with a text that is written out: what it fetches is known to whoever wrote it.
    pub checks_sum: bool,
    /// What the JSON of the call tells beside what is passed, if a call is what the subject is.
    pub handed_on: Option<Box<HandedOn>>,
    /// Its text, where it is written otherwise in its source; all its places are then places in that text.
    pub enclosed: Option<Box<Enclosed>>,
    /// Which record of its source it is, where a source holds several.
    pub record: Option<Box<Record>>,
    /// Whether all of it could be judged.
    pub completeness: Completeness,
}

impl Subject {
    /// A subject in which nothing was found yet.
    pub fn empty(kind: Kind, lifecycle: Lifecycle) -> Self {
        Self {
            kind,
            lifecycle,
            dialect: Dialect::default(),
            is_module: false,
            segments: Vec::new(),
            calls: Vec::new(),
            host_calls: Vec::new(),
            origins: Vec::new(),
            flows: Vec::new(),
            fields: Vec::new(),
            back_doors: Vec::new(),
            swapped: Vec::new(),
            hazards: Vec::new(),
            obeyed: Vec::new(),
            remembered: Vec::new(),
            schedules: Vec::new(),
            signs: Vec::new(),
            bounds: Bounds::default(),
            checks_sum: false,
            handed_on: None,
            enclosed: None,
            record: None,
            completeness: Completeness::Complete,
        }
    }

    /// Returns true if and only if a tool call is a method that a program calls on what it imports or is given: what it is
    /// asked for in numbers is what programs do every day, and what it returns is known by its name alone.
    pub fn is_of_program(&self, call: &Call) -> bool {
        self.kind == Kind::Script && self.dialect == Dialect::Node && call.is_method
    }

    /// Returns true if and only if it is a module of a program, no script that an agent made up.
    pub fn is_of_module(&self) -> bool {
        self.is_module && self.dialect != Dialect::AgentScript
    }

    /// The text in which its places are; `source` is that of its source.
    pub fn text<'t>(&'t self, source: &'t str) -> &'t str {
        self.enclosed.as_ref().map_or(source, |enclosed| &enclosed.text)
    }
}

/// What a subject is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Code that an agent is about to run.
    Script,
    /// One tool call that an agent is about to make.
    ToolCall,
    /// What a tool answered.
    ToolResult,
    /// What is asked of an agent.
    Prompt,
    /// What an agent is told that a tool does.
    Manifest,
    /// What an agent may read: a skill, a page.
    Text,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Script, Self::ToolCall, Self::ToolResult, Self::Prompt, Self::Manifest, Self::Text];

    /// The name used in patterns and every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::ToolCall => "tool-call",
            Self::ToolResult => "tool-result",
            Self::Prompt => "prompt",
            Self::Manifest => "manifest",
            Self::Text => "text",
        }
    }

    /// Returns true if and only if such subjects are read by an agent as prose, and nothing in them is run.
    pub fn is_prose(self) -> bool {
        match self {
            Self::ToolResult | Self::Prompt | Self::Manifest | Self::Text => true,
            Self::Script | Self::ToolCall => false,
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// When in an agent's life a subject is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lifecycle {
    /// Before the agent starts: prompts, skills, manifests.
    PreAgentStart,
    /// Before a tool call or a script runs.
    PreToolCall,
    /// After a tool answered.
    PostToolResult,
}

impl Lifecycle {
    /// All points of the lifecycle, in order of time.
    pub const ALL: [Self; 3] = [Self::PreAgentStart, Self::PreToolCall, Self::PostToolResult];

    /// The name used in patterns and every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::PreAgentStart => "pre-agent-start",
            Self::PreToolCall => "pre-tool-call",
            Self::PostToolResult => "post-tool-result",
        }
    }

    /// The lifecycle point of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lifecycle| lifecycle.name() == name)
    }
}

/// Whether all of a subject could be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// All of it.
    Complete,
    /// Not all of it; what was found still counts.
    Undetermined(Undetermined),
}

/// Why something could not be judged, or not wholly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undetermined {
    /// The kind of reason, stable over releases.
    pub reason: Reason,
    /// What exactly, for people: the parser's words, the limit's value, the system's error.
    pub detail: String,
    /// Where in the source, when it is a place.
    pub span: Option<Span>,
}

impl Undetermined {
    /// A reason without a place.
    pub fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into(), span: None }
    }

    /// A reason at a place.
    pub fn at(reason: Reason, detail: impl Into<String>, span: Span) -> Self {
        Self { reason, detail: detail.into(), span: Some(span) }
    }
}

/// The kinds of reason for which something could not be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// There is no such file.
    Missing,
    /// The file could not be read.
    Unreadable,
    /// It is not a regular file.
    NotAFile,
    /// It is larger than `limits.file_size`.
    FileSize,
    /// It is a binary file that the user named, or that claims to be a script.
    Binary,
    /// Its bytes are not text in any encoding that is read.
    Encoding,
    /// Nothing tells which language it is in.
    UnknownLanguage,
    /// Agents run or obey what is like it, and no reader exists for it yet.
    NoReader,
    /// No grammar of its language can parse it.
    Unparsable,
    /// No grammar can parse it as it stands, but it was judged with its punctuation mended.
    Fragment,
    /// Those who read it do not agree on what it says.
    Ambiguous,
    /// It nests deeper than `limits.nesting` or chains longer than `limits.chain`.
    Nesting,
    /// It has more syntax nodes than `limits.nodes`.
    Nodes,
    /// It makes more calls than `limits.calls`.
    Calls,
    /// It has more texts than `limits.segments`.
    Segments,
    /// It is too entangled to be understood to its end.
    Fuel,
    /// An analyzer of the settings could not judge it.
    Analyzer,
    /// A model could not judge it.
    Model,
    /// The scan of it failed inside; a fault of callgate.
    Internal,
}

impl Reason {
    /// All kinds of reason.
    pub const ALL: [Self; 19] = [
        Self::Missing,
        Self::Unreadable,
        Self::NotAFile,
        Self::FileSize,
        Self::Binary,
        Self::Encoding,
        Self::UnknownLanguage,
        Self::NoReader,
        Self::Unparsable,
        Self::Fragment,
        Self::Ambiguous,
        Self::Nesting,
        Self::Nodes,
        Self::Calls,
        Self::Segments,
        Self::Fuel,
        Self::Analyzer,
        Self::Model,
        Self::Internal,
    ];

    /// What it means, in one sentence.
    pub fn why(self) -> &'static str {
        match self {
            Self::Missing => "There is nothing of that name.",
            Self::Unreadable => "The file could not be read.",
            Self::NotAFile => "It is not a regular file.",
            Self::FileSize => "It is larger than what is read.",
            Self::Binary => "It is a binary file that was named, or that claims to be a script.",
            Self::Encoding => "Its bytes are not text in any encoding that is read.",
            Self::UnknownLanguage => "Nothing tells which language it is in.",
            Self::NoReader => "Agents run it or obey it, and it is not read yet.",
            Self::Unparsable => "No grammar of its language can parse it.",
            Self::Fragment => {
                "No grammar parses it as it stands; it was judged with its brackets, commas and quotation marks mended, and asks at most."
            }
            Self::Ambiguous => "Those who read it do not agree on what it says.",
            Self::Nesting => "It nests deeper, or chains longer, than what is followed.",
            Self::Nodes => "It has more syntax nodes than are followed.",
            Self::Calls => "It makes more calls than are followed.",
            Self::Segments => "It has more texts than are searched.",
            Self::Fuel => "It is too entangled to be understood to its end.",
            Self::Analyzer => "An analyzer of the settings could not judge it.",
            Self::Model => "A model could not judge it.",
            Self::Internal => "The scan of it failed inside; a fault of callgate.",
        }
    }

    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::NotAFile => "not-a-file",
            Self::FileSize => "file-size",
            Self::Binary => "binary",
            Self::Encoding => "encoding",
            Self::UnknownLanguage => "unknown-language",
            Self::NoReader => "no-reader",
            Self::Unparsable => "unparsable",
            Self::Fragment => "fragment",
            Self::Ambiguous => "ambiguous",
            Self::Nesting => "nesting",
            Self::Nodes => "nodes",
            Self::Calls => "calls",
            Self::Segments => "segments",
            Self::Fuel => "fuel",
            Self::Analyzer => "analyzer",
            Self::Model => "model",
            Self::Internal => "internal",
        }
    }

    /// What a user can do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Missing => "check the spelling, and where the link leads if it is one",
            Self::Unreadable => "check that you may read the file",
            Self::NotAFile => "name a regular file; pipes, sockets and devices are never opened",
            Self::FileSize => "raise `limits.file_size` in callgate.yaml if the file is meant to be that large",
            Self::Binary => "exclude the file if it is no text",
            Self::Encoding => "save the file as UTF-8, or as UTF-16 with a byte order mark",
            Self::UnknownLanguage => "give the file the extension of what it is, or name that with --as",
            Self::NoReader => "look at it yourself before it is run, and leave it out of the scan if it may be",
            Self::Unparsable => "fix the syntax error, or exclude the file if it is not what its extension says",
            Self::Fragment => "fix the syntax error: as it stands nothing can run it",
            Self::Ambiguous => "write it so that it can be read in one way only",
            Self::Nesting => "simplify it, or raise `limits.nesting` or `limits.chain` in callgate.yaml",
            Self::Nodes => "split the file, or raise `limits.nodes` in callgate.yaml",
            Self::Calls => "split the file, or raise `limits.calls` in callgate.yaml",
            Self::Segments => "split the file, or raise `limits.segments` in callgate.yaml",
            Self::Fuel => "simplify or split the script, or raise `limits.fuel` in callgate.yaml",
            Self::Analyzer => "mend the analyzer, or what is said of it under `analyzers` in the settings",
            Self::Model => "look at what the model says of it, and at its settings",
            Self::Internal => "please report this file as a bug of callgate",
        }
    }
}

impl Reason {
    /// The strictest answer to it. What was read as a whole, and cannot run as it stands, is only asked about.
    pub fn most(self) -> Verdict {
        if self == Self::Fragment { Verdict::Warn } else { Verdict::Block }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
