//! Flows: data that reaches a call from where it was read.

use crate::value::span::Span;

/// Where data comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// What it is read from.
    pub kind: OriginKind,
    /// Its name for people: a tool (`users:list`), an API (`fs.readFile`), a variable (`process.env.API_KEY`).
    pub name: String,
    /// What is read, where it is known: a path, a variable's name, a URL.
    pub detail: Option<String>,
    /// The call whose result it is, if it is one.
    pub call: Option<CallRef>,
    /// Where it is read.
    pub span: Span,
}

/// What data is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OriginKind {
    /// The result of a tool.
    Tool,
    /// An environment variable, or all of them.
    Environment,
    /// A file.
    File,
    /// An answer from the network: nobody here wrote it.
    Network,
    /// What somebody outside sends in: a request, a message, an event.
    Incoming,
    /// Cookies and a browser's storage.
    Storage,
    /// The clipboard.
    Clipboard,
    /// What a user types or passes on the command line.
    UserInput,
    /// The output of a child process.
    Process,
    /// What tells about the machine: names of the host and the user, network addresses.
    System,
    /// What a page shows, and what is filled in there.
    Page,
    /// What other parts of a program hand over: functions of its own modules, frameworks that call it.
    Program,
}

impl OriginKind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Tool,
        Self::Environment,
        Self::File,
        Self::Network,
        Self::Incoming,
        Self::Storage,
        Self::Clipboard,
        Self::UserInput,
        Self::Process,
        Self::System,
        Self::Page,
        Self::Program,
    ];

    /// The name used in `knowledge/` and in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Environment => "environment",
            Self::File => "file",
            Self::Network => "network",
            Self::Incoming => "incoming",
            Self::Storage => "storage",
            Self::Clipboard => "clipboard",
            Self::UserInput => "user-input",
            Self::Process => "process",
            Self::System => "system",
            Self::Page => "page",
            Self::Program => "program",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A call of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallRef {
    /// Index into `Subject::calls`.
    Tool(usize),
    /// Index into `Subject::host_calls`.
    Host(usize),
}

impl CallRef {
    /// The index of a tool call.
    pub fn tool(self) -> Option<usize> {
        match self {
            Self::Tool(index) => Some(index),
            Self::Host(_) => None,
        }
    }
}

/// The key under which a tool is passed what it is a method of, where that sends itself: `message.forward(address)`.
pub const ITSELF: &str = "itself";

/// The key under which a tool is passed what its client signs in with, where that stands in the script: `new S3Client({ credentials })`.
pub const WRITTEN_ACCOUNT: &str = "written_account";

/// The key that stands in the arguments of a tool that lists, where the method by which it is called gets one thing that is named:
/// `customers.retrieve(id)`.
pub const ASKS_FOR_ONE: &str = "asks_for_one";

/// Data that reaches a call's argument from an origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Index into `Subject::origins`.
    pub origin: usize,
    /// What of the origin's value it is: empty for all of it, else keys with dots between them, `[]` for an
    /// element: `[].email`.
    pub field: String,
    /// The call that it reaches.
    pub sink: CallRef,
    /// The place in the call's arguments: `body.text` of a tool's argument object; `1.headers.x` for a host
    /// API, whose positional arguments are numbered; `this.0` for an argument with which its receiver was made.
    pub argument: String,
    /// How much of the data gets there.
    pub strength: Strength,
    /// It is a number, or a text of which no character ends a word: in a command or statement it stays one word.
    pub is_plain: bool,
    /// It is of the one element of a list that stands at a place that is written out: `rows[0]`.
    pub is_one: bool,
    /// How its way is known.
    pub way: Way,
    /// The steps that it takes, from the origin to the sink, both included.
    pub steps: Vec<Step>,
}

/// The key that stands in [`Flow::argument`] for the content of a message whose role says that a model obeys it.
pub const SYSTEM: &str = "system";

/// Returns true if and only if a model obeys what is said to it in this role.
pub fn is_obeyed_role(role: &str) -> bool {
    matches!(role, "system" | "developer")
}

impl Flow {
    /// Returns true if and only if its way was followed from call to call.
    pub fn is_followed(&self) -> bool {
        self.way == Way::Followed
    }
}

/// How the way of a flow is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// It was followed from call to call.
    Followed,
    /// The script leaves it open that the data gets there; how it would is not known.
    Open,
    /// The same of a large program that calls no tools, in which much may reach everything.
    Entangled,
}

/// How much of the data a flow carries, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Nothing but whether or how often the call happens depends on the data.
    Control,
    /// The answer to a yes-or-no question about it.
    Bit,
    /// What is left after a redaction that is visible in the script.
    Redacted,
    /// The data itself, however it is written.
    Whole,
}

/// One step of a flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it happens.
    pub span: Span,
    /// What happens there, for people.
    pub note: String,
}
