//! The scripts that are passed to a tool: code to be run, files to be written, patches.

use std::path::Path;

use crate::format::tool_call::fields::{Fields, folded};
use crate::format::tool_call::patch;
use crate::format::tool_call::shape::Parts;
use crate::format::tool_call::strings::Strings;
use crate::format::{Language, ReadOptions, registry, script};
use crate::knowledge::words::Tag;
use crate::subject::call::Value;
use crate::subject::enclosed::Enclosed;
use crate::subject::{Completeness, Reason, Subject, Undetermined};
use crate::value::offset_map::OffsetMap;
use crate::value::span::Span;

/// Keys that name a file.
const PATHS: &[&str] = &["filepath", "path", "filename", "file", "targetfile", "uri", "absolutepath", "relativepath"];
/// Keys that name a language.
const LANGUAGES: &[&str] = &["language", "lang", "runtime", "interpreter", "kernel"];
/// Words of JavaScript that other languages and prose do not have.
const JAVASCRIPT: &[&str] = &[
    "=>",
    "const ",
    "let ",
    "var ",
    "function",
    "await ",
    "require(",
    "callTool",
    "console.",
    "process.env",
    "import(",
    "===",
    "new Promise",
];
/// Words of other languages that JavaScript does not have.
const OTHERS: &[&str] =
    &["def ", "elif ", "print(", "import os", "import sys", "import json", "except ", "None", "True", "fn ", "#!/bin", "#include"];

/// How sure it is that a text is a script.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// It will be run or loaded as one.
    Sure,
    /// It is code, perhaps of another language.
    Code,
    /// It is part of one, which need not stand by itself.
    Part,
    /// It may be anything.
    Any,
}

/// A script that was found in the arguments of a call.
pub struct Found {
    /// The argument that it is.
    pub argument: String,
    /// The script.
    pub subject: Subject,
}

/// All scripts that are passed to a tool.
pub fn find(parts: &Parts<'_>, argument: &Value, strings: &Strings<'_>, options: &ReadOptions) -> Vec<Found> {
    let is_python = ["python", "jupyter", "ipython"].iter().any(|word| parts.tool.to_ascii_lowercase().contains(word));
    let mut finder = Finder { strings, options, path: Vec::new(), found: Vec::new(), is_python };
    let context = Context { file: None, language: parts.is_javascript.then_some(Said::JavaScript(Language::JavaScript)) };
    match argument {
        // Without a key the text is all that is passed: what else would it be than what the tool is to do?
        Value::String(text, span) => {
            let certainty = if parts.is_javascript { Certainty::Sure } else { Certainty::Any };
            finder.text(text, *span, certainty, Language::JavaScript);
        }
        _ => finder.value(argument, context),
    }
    finder.found
}

/// What the arguments say of the texts among them.
#[derive(Clone, Copy, Default)]
struct Context {
    /// The language of the file that they name.
    file: Option<Language>,
    /// The language that they name.
    language: Option<Said>,
}

/// A language that is named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    JavaScript(Language),
    Other,
}

struct Finder<'f> {
    strings: &'f Strings<'f>,
    options: &'f ReadOptions,
    /// The keys that lead to where it is.
    path: Vec<String>,
    found: Vec<Found>,
    is_python: bool,
}

impl Finder<'_> {
    fn value(&mut self, value: &Value, context: Context) {
        match value {
            Value::Array(elements, _) => {
                for (index, element) in elements.iter().enumerate() {
                    self.path.push(format!("[{index}]"));
                    match element {
                        Value::String(text, span) => self.text(text, *span, Certainty::Any, Language::JavaScript),
                        _ => self.value(element, context),
                    }
                    self.path.pop();
                }
            }
            Value::Object(properties, _) => {
                let context = context.of(Fields(properties));
                for property in properties {
                    let dot = if self.path.is_empty() { "" } else { "." };
                    self.path.push(format!("{dot}{}", property.key));
                    match &property.value {
                        Value::String(text, span) => {
                            let (certainty, language) = context.certainty(&folded(&property.key));
                            self.text(text, *span, certainty, language);
                        }
                        other => self.value(other, context),
                    }
                    self.path.pop();
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str, span: Span, certainty: Certainty, language: Language) {
        if text.contains(patch::MARK) {
            for file in patch::files(text, &self.strings.map(span)) {
                if let Some(language) = script_language(file.path) {
                    let certainty = if file.is_whole { Certainty::Sure } else { Certainty::Part };
                    self.script(file.text, certainty, language);
                }
            }
            return;
        }
        if let Some(code) = script::code_in_command(text) {
            let map = match text.find(code.as_str()) {
                Some(at) => OffsetMap::verbatim(Span::from_offsets(at, at + code.len())),
                // Quotes were taken off in it, so only its beginning has a place.
                None => OffsetMap::verbatim(Span::default()),
            };
            let map = map.within(&self.strings.map(span));
            return self.script(Enclosed { text: code, map }, Certainty::Code, Language::JavaScript);
        }
        let may_be = match certainty {
            Certainty::Sure => !text.trim().is_empty(),
            Certainty::Code | Certainty::Part => may_act(text),
            Certainty::Any => makes_a_call(text),
        };
        if may_be {
            self.script(Enclosed { text: text.to_owned(), map: self.strings.map(span) }, certainty, language);
        }
    }

    /// Reads a text as a script, and keeps it if it is one.
    fn script(&mut self, enclosed: Enclosed, certainty: Certainty, language: Language) {
        for mut subject in script::read(&enclosed.text, language, self.options) {
            if self.is_script(&subject, &enclosed.text, certainty) {
                subject.enclosed = Some(Box::new(enclosed));
                return self.found.push(Found { argument: self.path.concat(), subject });
            }
        }
    }

    fn is_script(&self, subject: &Subject, text: &str, certainty: Certainty) -> bool {
        let is_parsed =
            !matches!(subject.completeness, Completeness::Undetermined(Undetermined { reason: Reason::Unparsable | Reason::Fragment, .. }));
        let makes_calls = !subject.calls.is_empty() || !subject.host_calls.is_empty();
        match certainty {
            Certainty::Sure => is_parsed || may_do(text),
            Certainty::Code => !self.is_python && (is_parsed || looks_like_javascript(text)),
            Certainty::Part => is_parsed,
            Certainty::Any => is_parsed && makes_calls,
        }
    }
}

impl Context {
    /// What holds within an object.
    fn of(self, fields: Fields<'_>) -> Self {
        let named = LANGUAGES.iter().find_map(|key| fields.text(key)).map(said);
        let path = PATHS.iter().find_map(|key| fields.text(key));
        Self { file: path.map_or(self.file, script_language), language: named.or(self.language) }
    }

    /// What a text under a key is.
    fn certainty(self, key: &str) -> (Certainty, Language) {
        let is_code = Tag::CodeKey.has(key);
        match (self.file, self.language) {
            (Some(file), _) if Tag::FileTextKey.has(key) => (Certainty::Sure, file),
            (Some(file), _) if Tag::FilePartKey.has(key) => (Certainty::Part, file),
            (_, Some(Said::JavaScript(language))) if is_code || matches!(key, "input" | "content" | "text" | "body" | "command") => {
                (Certainty::Sure, language)
            }
            (_, Some(Said::Other)) if is_code => (Certainty::Any, Language::JavaScript),
            _ if matches!(key, "js" | "javascript" | "jscode") => (Certainty::Sure, Language::JavaScript),
            _ if key == "typescript" => (Certainty::Sure, Language::TypeScript),
            _ if is_code => (Certainty::Code, Language::JavaScript),
            _ => (Certainty::Any, Language::JavaScript),
        }
    }
}

/// The language of a name that someone gave it.
fn said(name: &str) -> Said {
    match folded(name).as_str() {
        "ts" | "typescript" | "deno" | "bun" => Said::JavaScript(Language::TypeScript),
        "tsx" => Said::JavaScript(Language::Tsx),
        "jsx" => Said::JavaScript(Language::Jsx),
        name if ["js", "mjs", "cjs", "javascript", "ecmascript", "agentscript"].contains(&name) || name.starts_with("node") => {
            Said::JavaScript(Language::JavaScript)
        }
        _ => Said::Other,
    }
}

/// The language of a file, if it is a script.
fn script_language(path: &str) -> Option<Language> {
    let recognised = registry::by_path(Path::new(path.trim()))?;
    recognised.format.is_run.then_some(recognised.language)
}

/// Whether a text can do anything as a script: names, paths and numbers cannot.
fn may_act(text: &str) -> bool {
    text.contains(['(', '=', '`', '{', ';', '[']) || text.contains("import")
}

/// Whether a text that does not parse might do something where it is run all the same: prose calls, sets and loads nothing.
fn may_do(text: &str) -> bool {
    text.contains(['(', '`', '=']) || text.contains("import") || text.contains("require")
}

/// Whether a call may stand in a text: prose has a blank before a bracket.
fn makes_a_call(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr2_iter(b'(', b'`', bytes).any(|at| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        before.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b')' | b']' | b'.' | b'}' | b'/' | 0x80..))
    })
}

/// Whether a text that does not parse is meant to be JavaScript all the same.
fn looks_like_javascript(text: &str) -> bool {
    JAVASCRIPT.iter().any(|word| text.contains(word)) && !OTHERS.iter().any(|word| text.contains(word))
}
