//! Host APIs: what the runtime offers, by path.

use std::cell::Cell;

pub use crate::knowledge::row::term::SinkKind;
use crate::knowledge::slots::numbers;
use crate::knowledge::words::Tag;
use crate::subject::flow::OriginKind;

/// The path under which an address with data in it is a way out, whatever loads it.
pub const ADDRESS_IN_TEXT: &str = "(address)";

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
    /// The arguments that are sent whole: no key in them is an option of the call.
    pub body: &'static [&'static str],
    /// Where this is known from.
    pub source: &'static str,
    /// A script that uses it.
    pub example: &'static str,
}

impl SinkKind {
    /// Returns true if and only if what is passed to it may leave for somebody else.
    pub fn is_outgoing(self) -> bool {
        match self {
            Self::Network | Self::Mail | Self::Chat | Self::Publish => true,
            Self::Command | Self::Code | Self::Query | Self::FileWrite | Self::Delete | Self::Prompt | Self::Answer => false,
        }
    }
}

/// All APIs that are built in.
struct Apis {
    /// In order of their paths.
    rows: &'static [Api],
    /// Where each of them is found.
    slots: &'static [u16],
}

static APIS: Apis = include!(concat!(env!("OUT_DIR"), "/apis.rs"));

/// The path of an API, for people: of a type, which stands in brackets, the name.
pub fn shown(path: &str) -> String {
    path.replace(['<', '>'], "")
}

/// The API at a path, if it is known.
pub fn api(path: &str) -> Option<&'static Api> {
    known(path).or_else(|| {
        let (global, rest) = path.split_at(path.find('.')? + 1);
        known(Some(rest).filter(|_| Tag::GlobalPrefix.has(global))?)
    })
}

fn known(path: &str) -> Option<&'static Api> {
    // A module that lies in another is read as its property.
    if path.contains('/') {
        return known(&path.replace('/', "."));
    }
    let own = OWN.get();
    let of_user = own.binary_search_by(|api| api.path.cmp(path)).ok().and_then(|at| own.get(at));
    of_user.or_else(|| numbers(path, APIS.slots).filter_map(|number| APIS.rows.get(number)).find(|api| api.path == path))
}

thread_local! {
    static OWN: Cell<&'static [Api]> = const { Cell::new(&[]) };
}

/// Lets these APIs of the user's own, in order of their paths, count on this thread, and returns those that did.
pub fn replace_own(own: &'static [Api]) -> &'static [Api] {
    OWN.replace(own)
}

/// All APIs of the user's own that count on this thread, in order of their paths.
pub fn own_apis() -> &'static [Api] {
    OWN.get()
}

/// All APIs that are built in, in order of their paths.
pub fn built_in_apis() -> &'static [Api] {
    APIS.rows
}

/// All known APIs whose paths begin with a text: the user's own, and those that are built in.
pub fn apis_from(start: &str) -> impl Iterator<Item = &'static Api> {
    let first = APIS.rows.partition_point(|api| api.path < start);
    let built_in = APIS.rows.iter().skip(first).take_while(move |api| api.path.starts_with(start));
    let own = own_apis().iter().filter(move |api| api.path.starts_with(start));
    own.chain(built_in.filter(|api| !own_apis().iter().any(|own| own.path == api.path)))
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
        for known in apis_from("") {
            assert!(known.origin.is_some() || known.sink.is_some(), "{}", known.path);
            assert_eq!(api(known.path), Some(known));
        }
    }
}
