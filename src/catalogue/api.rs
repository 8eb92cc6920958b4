//! Host APIs: what the runtime offers, by path.

use crate::subject::flow::OriginKind;

/// What is known of a host API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Api {
    /// Its path: `fetch`, `fs.readFile`; `()` stands for the result of a call, as in `WebSocket().send`.
    /// Modules go by their own names (`child_process.exec`), without `node:`.
    pub path: &'static str,
    /// It is read as a property (`process.env`, `document.cookie`), not called.
    pub is_property: bool,
    /// What its result is read from, if it reads.
    pub origin: Option<OriginKind>,
    /// Which argument says what is read: a path, a URL.
    pub reads: Option<&'static str>,
    /// What it does with what is passed to it, if it does anything outside the script.
    pub sink: Option<SinkKind>,
    /// The places in its arguments that say where it goes, each a path as in
    /// [`Flow::argument`](crate::subject::flow::Flow::argument).
    pub target: &'static [&'static str],
}

/// What a host API does with what is passed to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SinkKind {
    /// Sends it over the network.
    Network,
    /// Runs it as a command.
    Command,
    /// Runs it as code of the script's own language.
    Code,
    /// Writes it into a file.
    FileWrite,
    /// Deletes what it names.
    Delete,
    /// Gives it to an agent or a language model as instructions.
    Prompt,
}

/// The API at a path, if it is known.
pub fn api(path: &str) -> Option<&'static Api> {
    APIS.iter().find(|api| api.path == path)
}

const APIS: &[Api] = &[
    Api {
        path: "fetch",
        is_property: false,
        origin: Some(OriginKind::Network),
        reads: Some("0"),
        sink: Some(SinkKind::Network),
        target: &["0"],
    },
    Api { path: "process.env", is_property: true, origin: Some(OriginKind::Environment), reads: None, sink: None, target: &[] },
];
