//! The closed lists of words that rows may use.
//!
//! `build.rs` includes this file: what is written in a row is the name of a variant.

use serde::Deserialize;

/// What kind of thing is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EffectKind {
    /// It gives back what something holds, or how it stands.
    Read,
    /// It makes or changes something where it lies.
    Write,
    /// It takes something away, or writes over it for good.
    Delete,
    /// It hands something to other people or to another place.
    Send,
    /// It runs code, a command, a statement, a job or another tool.
    Run,
    /// It gives, or takes, what lets somebody do something.
    Grant,
    /// It switches off what guards or records.
    GuardOff,
    /// It moves money.
    Pay,
    /// It uses up what costs money.
    Spend,
    /// It sees to it that something happens again, or later.
    Persist,
    /// It tells an agent or a model what to do.
    Instruct,
    /// It drives a browser, a device, a machine or a service: starts, stops, clicks, scales.
    Control,
    /// It gets something from elsewhere in order to use it: a package, a program.
    Obtain,
}

/// To how much something is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// It is not known.
    #[default]
    Unknown,
    /// To nothing: a rehearsal, a question.
    Nothing,
    /// To one thing.
    One,
    /// To a few that are named.
    Few,
    /// To as many as a condition or a limit lets through.
    Bounded,
    /// To many.
    Many,
    /// To as many as there are behind a condition that bounds nothing.
    Unbounded,
    /// To all there is.
    All,
}

/// What a host API or a tool does with what is passed to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SinkKind {
    /// Sends it over the network.
    Network,
    /// Sends it by mail.
    Mail,
    /// Says it in a chat, a short message or another place where people read.
    Chat,
    /// Makes it public.
    Publish,
    /// Runs it as a command.
    Command,
    /// Runs it as code of the script's own language or another.
    Code,
    /// Asks a database with it.
    Query,
    /// Writes it into a file.
    FileWrite,
    /// Deletes what it names.
    Delete,
    /// Gives it to an agent or a language model as instructions.
    Prompt,
    /// Answers whoever asks with it.
    Answer,
}

/// How much a path reaches, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// Something that is made anew when it is needed: a build folder, a cache, a temporary file.
    Disposable,
    /// One known place.
    Scoped,
    /// Nobody knows before it runs.
    Unknown,
    /// A folder of the project that holds data.
    Store,
    /// Everything where the script happens to run.
    Here,
    /// A folder in which a machine keeps data: databases, logs, mounted volumes.
    Data,
    /// Somebody's home, or what makes it theirs.
    Home,
    /// The system itself.
    System,
    /// Everything.
    Root,
}

/// What a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Persistence {
    /// It tells how a project is built and what comes with it; it is changed all the time.
    Recipe,
    /// A project runs what stands in it: hooks, CI workflows, package scripts, editor tasks.
    Project,
    /// The machine or the user's session starts what stands in it.
    Start,
    /// It holds what an agent may do: its permissions, its hooks, the settings of this gate.
    Guard,
    /// It tells who may get in.
    Entrance,
}

/// Sorts of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Address {
    /// It lies outside, and is no known registry of packages.
    Unlisted,
    /// It lies outside.
    Outside,
    /// All that are operands are the house's own.
    Inside,
    /// A number stands where a name would.
    Number,
}

/// On which side something lies, from the least to the most worrying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// It is the organisation's own.
    Inside,
    /// Nothing tells.
    Unknown,
    /// It belongs to somebody else.
    Outside,
}

/// What kind of data a tool returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SensitivityTerm {
    /// Anybody may know it.
    Public,
    /// What an organisation keeps to itself.
    Internal,
    /// How to reach a person.
    Contact,
    /// Who a person is.
    Personal,
    /// How well a person is.
    Health,
    /// Money and cards.
    Financial,
    /// How to get in.
    Authentication,
}

/// What a platform's API reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OriginTerm {
    /// The result of a tool.
    Tool,
    /// An environment variable, or all of them.
    Environment,
    /// A file.
    File,
    /// An answer from the network.
    Network,
    /// What somebody outside sends in: a request, a message, an event.
    Incoming,
    /// Cookies and a browser's storage.
    Storage,
    /// The clipboard.
    Clipboard,
    /// What a user types.
    UserInput,
    /// The output of a child process.
    Process,
    /// What tells about the machine.
    System,
    /// What a page shows, and what is filled in there.
    Page,
    /// What other parts of a program hand over.
    Program,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SeverityTerm {
    /// Context: worth knowing, never worth stopping for.
    Low,
    /// Worth a look.
    Medium,
    /// Dangerous, though sometimes meant.
    High,
    /// Nobody does this by accident or in good faith.
    Critical,
}

/// How bad something is, or that it is nothing to speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SeverityOrNone {
    /// Nothing to speak of.
    None,
    /// Context: worth knowing, never worth stopping for.
    Low,
    /// Worth a look.
    Medium,
    /// Dangerous, though sometimes meant.
    High,
    /// Nobody does this by accident or in good faith.
    Critical,
}

/// What a function does with a text that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Handling {
    /// It looks for the text, or whether something is the text, and gives back no part of it.
    Compares,
    /// It shows the text to a person.
    Prints,
    /// It gives back the text, or something that holds it.
    Passes,
    /// It hands each element of what it is called on to a function and gives back no part of it.
    Visits,
    /// It hands each element of what it is called on to a function and gives back what the text may be part of.
    Maps,
    /// It puts the text into what it is called on.
    Keeps,
    /// It tells what holds of something, for a test.
    Asserts,
    /// It is a test, of which the text is the title.
    Tests,
    /// It runs the text, as its name tells.
    Runs,
    /// It writes the text into the first thing that it is given, and gives that back.
    Merges,
    /// Who names it may read any text of the script, or take the place of what is known.
    Opens,
    /// It hears of what is thrown and nobody catches.
    Hears,
    /// It has what it is called on do something else from then on.
    Changes,
}

/// What a text of a script is used for, from the least to the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Use {
    /// It reaches nothing.
    Inert,
    /// Something is compared with it, looked for in it, or it is looked for.
    Compared,
    /// A person is shown it.
    Printed,
    /// A test hands it to what it tests, and looks at what comes out.
    Tested,
    /// A class of a library puts it together for whoever uses it, who says what it is about.
    Offered,
    /// It is run, sent, written or returned, or nobody knows: it is live.
    #[default]
    Live,
}
