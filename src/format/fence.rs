//! Code in Markdown: the fenced blocks of a text that an agent may run, told by the word behind the fence.

use crate::subject::passed::Passed;
use crate::value::span::Span;

/// The extensions of Markdown.
pub const EXTENSIONS: [&str; 3] = ["md", "markdown", "mdx"];

/// What is said of a block of commands.
const SHELL: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "ksh",
    "fish",
    "shell",
    "shellscript",
    "shellsession",
    "shell-session",
    "sh-session",
    "console",
    "terminal",
    "powershell",
    "pwsh",
    "ps1",
    "bat",
    "batch",
    "cmd",
    "dos",
];
/// What is said of a block that is a script.
const SCRIPT: &[&str] = &[
    "js",
    "javascript",
    "mjs",
    "cjs",
    "jsx",
    "ts",
    "typescript",
    "mts",
    "cts",
    "tsx",
    "node",
    "py",
    "py3",
    "python",
    "python3",
    "ipython",
    "rb",
    "ruby",
    "pl",
    "perl",
    "php",
    "lua",
];
/// What is said of a block that nothing runs: data, marks, listings, languages that are compiled.
const DATA: &[&str] = &[
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "ndjson",
    "yaml",
    "yml",
    "toml",
    "ini",
    "cfg",
    "conf",
    "properties",
    "env",
    "dotenv",
    "csv",
    "tsv",
    "text",
    "txt",
    "plain",
    "plaintext",
    "diff",
    "patch",
    "html",
    "xml",
    "svg",
    "css",
    "scss",
    "less",
    "md",
    "markdown",
    "mdx",
    "mermaid",
    "math",
    "latex",
    "tex",
    "graphql",
    "proto",
    "protobuf",
    "rust",
    "rs",
    "go",
    "c",
    "cpp",
    "c++",
    "h",
    "java",
    "kotlin",
    "swift",
    "cs",
    "csharp",
    "scala",
    "haskell",
    "http",
    "log",
    "output",
    "gitignore",
    "regex",
    "ebnf",
    "bnf",
    "tree",
    "dot",
    "plantuml",
];

/// The fenced blocks of a text that may be run, each with its kind and the place of its fence.
pub fn fences(text: &str) -> Vec<(Passed, Span)> {
    let mut found = Vec::new();
    if memchr::memmem::find(text.as_bytes(), b"```").is_none() && memchr::memmem::find(text.as_bytes(), b"~~~").is_none() {
        return found;
    }
    let mut open: Option<(u8, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        // Fences may stand in lists and quotations.
        let body = line.trim_start_matches([' ', '\t', '>', '-', '*', '+']).trim_end();
        match (open, fence(body)) {
            (None, Some((mark, length, label))) => {
                open = Some((mark, length));
                found.extend(kind(label).map(|kind| (kind, Span::from_offsets(start, start + line.trim_end().len()))));
            }
            (Some((mark, length)), Some((closing, closing_length, ""))) if mark == closing && length <= closing_length => open = None,
            (None, None) | (Some(_), _) => {}
        }
        start += line.len();
    }
    found
}

/// The mark of a fence, how often it stands, and the word behind it.
fn fence(line: &str) -> Option<(u8, usize, &str)> {
    let mark = line.bytes().next().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = line.bytes().take_while(|byte| *byte == mark).count();
    let info = line.get(length..)?.trim();
    // What stands between marks on one line is no fence.
    let is_fence = 3 <= length && !(mark == b'`' && info.contains('`'));
    let ends = |character: char| character.is_whitespace() || matches!(character, '{' | ',' | ':' | '}');
    is_fence.then(|| (mark, length, info.trim_start_matches(['{', '.']).split(ends).next().unwrap_or_default()))
}

fn kind(label: &str) -> Option<Passed> {
    let label = label.to_ascii_lowercase();
    let label = label.as_str();
    if SHELL.contains(&label) {
        Some(Passed::FencedShell)
    } else if SCRIPT.contains(&label) {
        Some(Passed::FencedScript)
    } else if DATA.contains(&label) {
        None
    } else {
        Some(Passed::FencedCode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_that_may_be_run_are_told() {
        for (text, expected) in [
            ("no code", &[][..]),
            ("```sh\nrm -rf ~\n```\n", &[(Passed::FencedShell, 1)]),
            ("a\n~~~ Bash title=x\nls\n~~~\n```js\n1\n```", &[(Passed::FencedShell, 2), (Passed::FencedScript, 5)]),
            ("```{.python}\n1\n```", &[(Passed::FencedScript, 1)]),
            ("```\nls\n```", &[(Passed::FencedCode, 1)]),
            ("```brainfuck\n+\n```", &[(Passed::FencedCode, 1)]),
            ("```json\n{}\n```\n```yaml\n```", &[]),
            ("````md\n```sh\nls\n```\n````\n```sh\nls", &[(Passed::FencedShell, 6)]),
            ("- > ```console\n  > $ ls\n  > ```\n", &[(Passed::FencedShell, 1)]),
            ("```inline``` and more", &[]),
        ] {
            let lines = crate::value::span::LineIndex::new(text);
            let found: Vec<(Passed, u32)> = fences(text).into_iter().map(|(kind, span)| (kind, lines.line_at(span.start))).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
