//! Folders that a host tells: what stands for them in paths, though nobody knows where they lie.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::Taint;
use crate::format::script::interpret::value::{Atom, Val};
use crate::knowledge::words::Tag;
use crate::subject::segment::HOLE;
use crate::value::span::Span;

/// What stands for the folder that a function or a variable (`env.HOME`) tells.
fn stand_in(source: &str) -> Option<&'static str> {
    let known = [(Tag::HomeSource, "~"), (Tag::TemporarySource, "/tmp"), (Tag::WorkSource, ".")];
    known.into_iter().find(|(tag, _)| tag.has(source)).map(|(_, stands)| stands)
}

/// The start of the addresses of what comes packed with an extension, where nobody knows its id.
const PACKAGED: &str = "chrome-extension://own/";

impl<'a> Interpreter<'a> {
    /// The address of a file that comes packed with an extension: `chrome.runtime.getURL('rules.json')`.
    pub fn packaged(&mut self, path: &str, arguments: &Arguments) -> Option<Val> {
        let is_asked = path
            .strip_prefix("chrome.")
            .or_else(|| path.strip_prefix("browser."))
            .is_some_and(|own| matches!(own, "runtime.getURL" | "extension.getURL"));
        let file = arguments.known.first().filter(|_| is_asked).and_then(|file| self.values.text(file.id))?;
        Some(self.values.string(&format!("{PACKAGED}{}", file.trim_start_matches('/'))))
    }

    /// The path of a file or folder for a while that a host makes, by the parts of its name that the script says:
    /// `Deno.makeTempFile({ suffix: '.ts' })`.
    pub fn for_a_while(&mut self, path: &str, arguments: &Arguments, span: Span) -> Option<Val> {
        let made =
            path.strip_prefix("Deno.makeTemp").map(|kind| kind.trim_end_matches("Sync")).filter(|kind| matches!(*kind, "File" | "Dir"))?;
        let mut part = |key: &str| {
            let value = self.property(arguments.get(0), key, span);
            self.values.text(value.id).map(|text| text.to_string()).unwrap_or_default()
        };
        let (prefix, suffix) = (part("prefix"), part("suffix"));
        Some(self.values.partial(&format!("/tmp/{}-{prefix}{HOLE}{suffix}", made.to_lowercase())))
    }

    /// The folder that a function or a variable tells, with the data that it carries.
    pub fn standing(&mut self, source: &str, (taint, via): (Taint, StepId)) -> Option<Val> {
        let text = self.values.texts.intern(stand_in(source)?);
        let value = self.values.atom(Atom::Partial(text));
        Some(self.values.with_taint(value, taint).through(via))
    }
}
