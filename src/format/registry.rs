//! The formats that are read, and how each is recognised.

use std::path::Path;

use crate::format::{Language, ReadOptions, fence, script, text, tool_call, unread};
use crate::subject::passed::Passed;
use crate::subject::{Subject, Undetermined};
use crate::value::span::Span;

/// A kind of source: how it is recognised and how it is read.
pub struct Format {
    /// Unique name.
    pub name: &'static str,
    /// The extensions that tell it, with the language each stands for.
    pub extensions: &'static [(&'static str, Language)],
    /// The interpreters whose `#!` line tells it, with the language each runs.
    pub interpreters: &'static [(&'static str, Language)],
    /// Turns a text into subjects. Never fails: what cannot be read is an undetermined subject; what is something else
    /// than its extension says is none.
    pub read: fn(&str, Language, &ReadOptions) -> Vec<Subject>,
    /// What a text is instead, in which nothing was read.
    pub why_none: fn(&str, &ReadOptions) -> Undetermined,
    /// Whether a text that begins like this may be one of it; asked where a text is too large to be read.
    pub may_begin: fn(&str) -> bool,
    /// Something runs what has its extension, whatever bytes stand in it, so bytes that are no text are a problem.
    pub is_run: bool,
}

/// All formats.
pub const FORMATS: &[Format] = &[SCRIPT, TOOL_CALL, TEXT];

const SCRIPT: Format = Format {
    name: "script",
    extensions: &[
        ("js", Language::JavaScript),
        ("mjs", Language::JavaScript),
        ("cjs", Language::JavaScript),
        ("jsx", Language::Jsx),
        ("ts", Language::TypeScript),
        ("mts", Language::TypeScript),
        ("cts", Language::TypeScript),
        ("tsx", Language::Tsx),
    ],
    interpreters: &[
        ("node", Language::JavaScript),
        ("nodejs", Language::JavaScript),
        ("bun", Language::TypeScript),
        ("deno", Language::TypeScript),
        ("tsx", Language::TypeScript),
        ("ts-node", Language::TypeScript),
        ("zx", Language::JavaScript),
    ],
    read: script::read,
    why_none: script::why_none,
    may_begin: |_| true,
    is_run: true,
};

const TOOL_CALL: Format = Format {
    name: "tool-call",
    extensions: &[("json", Language::ToolCall), ("jsonl", Language::ToolCall), ("ndjson", Language::ToolCall)],
    interpreters: &[],
    read: tool_call::read,
    why_none: tool_call::why_none,
    may_begin: tool_call::may_be,
    is_run: false,
};

const TEXT: Format = Format {
    name: "text",
    extensions: &[("md", Language::Text), ("markdown", Language::Text), ("txt", Language::Text)],
    interpreters: &[],
    read: text::read,
    why_none: text::why_none,
    may_begin: |_| true,
    is_run: false,
};

/// How a source of a known kind is read.
#[derive(Clone, Copy)]
pub struct Recognised {
    /// The format.
    pub format: &'static Format,
    /// The language.
    pub language: Language,
    /// The user said so, whatever its name says.
    pub is_said: bool,
}

/// Recognises a source by its extension, in any case.
pub fn by_path(path: &Path) -> Option<Recognised> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    FORMATS.iter().find_map(|format| {
        let (_, language) = format.extensions.iter().find(|(known, _)| *known == extension)?;
        Some(Recognised { format, language: *language, is_said: false })
    })
}

/// Recognises a source by its `#!` line.
pub fn by_interpreter(text: &str) -> Option<Recognised> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let interpreter = words.find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
    FORMATS.iter().find_map(|format| {
        let (_, language) = format.interpreters.iter().find(|(known, _)| *known == interpreter)?;
        Some(Recognised { format, language: *language, is_said: false })
    })
}

/// What a file is by its name that agents run and no reader exists for yet.
pub fn without_reader(path: &Path) -> Option<Passed> {
    unread::by_path(path)
}

/// What a text is by its `#!` line that agents run and no reader exists for yet.
pub fn without_reader_by_interpreter(text: &str) -> Option<Passed> {
    unread::by_interpreter(text).filter(|_| by_interpreter(text).is_none())
}

/// The code in a text of this name that agents may run and no reader exists for yet, with its places.
pub fn fenced(path: &Path, text: &str) -> Vec<(Passed, Span)> {
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    let is_markdown = extension.is_some_and(|extension| fence::EXTENSIONS.contains(&extension.as_str()));
    if is_markdown { fence::fences(text) } else { Vec::new() }
}

/// The way to read a source whose language the user named.
pub fn by_language(language: Language) -> Recognised {
    let format = match language {
        Language::JavaScript | Language::Jsx | Language::TypeScript | Language::Tsx => &SCRIPT,
        Language::ToolCall => &TOOL_CALL,
        Language::Text => &TEXT,
    };
    Recognised { format, language, is_said: true }
}

/// The usual extension of a language.
pub fn extension(language: Language) -> Option<&'static str> {
    let mut extensions = by_language(language).format.extensions.iter();
    extensions.find(|(_, known)| *known == language).map(|(extension, _)| *extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_recognised_by_extension_or_interpreter() {
        let extension = |name: &str| by_path(Path::new(name)).map(|known| known.language);
        assert_eq!(extension("a.js"), Some(Language::JavaScript));
        assert_eq!(extension("a.d.MTS"), Some(Language::TypeScript));
        assert_eq!(extension("js"), None);
        assert_eq!(extension("a.json"), Some(Language::ToolCall));
        assert_eq!(extension("README.md"), Some(Language::Text));
        assert_eq!(extension("a.py"), None);
        let interpreter = |line: &str| by_interpreter(line).map(|known| known.language);
        assert_eq!(interpreter("#!/usr/bin/env node\n"), Some(Language::JavaScript));
        assert_eq!(interpreter("#!/usr/bin/env -S NODE_ENV=x deno run"), Some(Language::TypeScript));
        assert_eq!(interpreter("#!/bin/sh"), None);
        assert_eq!(interpreter("node"), None);
    }
}
