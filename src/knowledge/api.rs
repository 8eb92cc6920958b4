//! Host APIs: what the runtime offers, by path.

use crate::knowledge::table::TABLE;
use crate::knowledge::words::Tag;
use crate::subject::flow::OriginKind;

/// What is known of a host API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Api {
    /// Its path: `fetch`, `fs.readFile`; `()` stands for the result of a call, as in `WebSocket().send`.
    /// Modules go by their own names (`child_process.exec`), without `node:`.
    pub path: &'static str,
    /// It is read as a property (`process.env`, `document.cookie`), not called.
    pub is_property: bool,
    /// What is assigned to it is passed to it (`Image().src = url`), as argument 0.
    pub is_assigned: bool,
    /// It counts only where its first argument may be a text: `setTimeout` runs texts as code, and functions as such.
    pub is_text_only: bool,
    /// What its result is read from, if it reads.
    pub origin: Option<OriginKind>,
    /// Which argument says what is read: a path, a URL.
    pub reads: Option<&'static str>,
    /// What it does with what is passed to it, if it does anything outside the script.
    pub sink: Option<SinkKind>,
    /// The places in its arguments that say where it goes, each a path as in
    /// [`Flow::argument`](crate::subject::flow::Flow::argument).
    pub target: &'static [&'static str],
    /// The places in its arguments that carry what is sent, run or written; all of them, if none is named.
    pub data: &'static [&'static str],
    /// Where this is known from.
    pub source: &'static str,
    /// A script that uses it.
    pub example: &'static str,
}

/// What a host API or a tool does with what is passed to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
}

impl SinkKind {
    /// Returns true if and only if what is passed to it may leave for somebody else.
    pub fn is_outgoing(self) -> bool {
        match self {
            Self::Network | Self::Mail | Self::Chat | Self::Publish => true,
            Self::Command | Self::Code | Self::Query | Self::FileWrite | Self::Delete | Self::Prompt => false,
        }
    }
}

/// The API at a path, if it is known.
pub fn api(path: &str) -> Option<&'static Api> {
    known(path).or_else(|| known(Tag::GlobalPrefix.words().find_map(|global| path.strip_prefix(global))?))
}

fn known(path: &str) -> Option<&'static Api> {
    // A module that lies in another is read as its property.
    if path.contains('/') {
        return known(&path.replace('/', "."));
    }
    TABLE.apis.binary_search_by(|api| api.path.cmp(path)).ok().and_then(|at| TABLE.apis.get(at))
}

/// All known APIs, in order of their paths.
pub fn apis() -> &'static [Api] {
    TABLE.apis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apis_are_known_by_path_and_by_no_other() {
        for (path, sink) in [
            ("fetch", Some(SinkKind::Network)),
            ("globalThis.fetch", Some(SinkKind::Network)),
            ("window.document.cookie", None),
            ("WebSocket().send", Some(SinkKind::Network)),
            ("XMLHttpRequest().send", Some(SinkKind::Network)),
            ("https.request().write", Some(SinkKind::Network)),
            ("net.connect().write", Some(SinkKind::Network)),
            ("dns.promises.resolveTxt", Some(SinkKind::Network)),
            ("axios.create().post", Some(SinkKind::Network)),
            ("nodemailer.createTransport().sendMail", Some(SinkKind::Mail)),
            ("aws-sdk.S3().putObject", Some(SinkKind::Network)),
            ("Image().src", Some(SinkKind::Network)),
            ("child_process.execSync", Some(SinkKind::Command)),
            ("zx.$", Some(SinkKind::Command)),
            ("Deno.Command", Some(SinkKind::Command)),
            ("eval", Some(SinkKind::Code)),
            ("setTimeout", Some(SinkKind::Code)),
            ("fs/promises.readFile", None),
            ("fs.promises.writeFile", Some(SinkKind::FileWrite)),
            ("fs.rmSync", Some(SinkKind::Delete)),
            ("process.env", None),
            ("keytar.getPassword", None),
            ("openai.OpenAI().chat.completions.create", Some(SinkKind::Prompt)),
            ("@anthropic-ai/sdk().messages.create", Some(SinkKind::Prompt)),
        ] {
            assert_eq!(api(path).map(|api| api.sink), Some(sink), "{path}");
        }
        for path in ["", "fetc", "fetch.then", "fs", "process", "myFetch", "fs.readFile()", "evaluate", "Math.max", "console.log"] {
            assert_eq!(api(path), None, "{path}");
        }
    }

    #[test]
    fn every_api_reads_or_does_something_and_is_found_at_its_path() {
        for known in apis() {
            assert!(known.origin.is_some() || known.sink.is_some(), "{}", known.path);
            assert_eq!(api(known.path), Some(known));
        }
    }
}
