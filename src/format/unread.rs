//! What agents run and no reader exists for yet: how it is told, so that it can be named.

use std::path::Path;

use crate::subject::passed::Passed;

/// The extensions of each kind.
const EXTENSIONS: &[(Passed, &[&str])] = &[
    (Passed::Python, &["py", "pyw"]),
    (Passed::Shell, &["sh", "bash", "zsh", "ksh", "fish", "command"]),
    (Passed::PowerShell, &["ps1", "psm1"]),
    (Passed::Batch, &["bat", "cmd"]),
    (Passed::Ruby, &["rb"]),
    (Passed::Perl, &["pl", "pm"]),
    (Passed::Notebook, &["ipynb"]),
    (Passed::Dockerfile, &["dockerfile", "containerfile"]),
    (Passed::Makefile, &["mk", "just"]),
    (Passed::OtherScript, &["php", "lua", "groovy", "awk", "tcl", "vbs", "wsf", "applescript"]),
];

/// The names that tell a kind without an extension, in lower case.
const NAMES: &[(Passed, &[&str])] = &[
    (Passed::Shell, &[".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zprofile", ".zshenv", ".envrc"]),
    (Passed::Ruby, &["rakefile", "gemfile"]),
    (Passed::Dockerfile, &["dockerfile", "containerfile"]),
    (Passed::Makefile, &["makefile", "gnumakefile", "justfile"]),
];

/// The interpreters of each kind, without a version.
const INTERPRETERS: &[(Passed, &[&str])] = &[
    (Passed::Python, &["python", "pypy", "uv"]),
    (Passed::Shell, &["sh", "bash", "zsh", "ksh", "mksh", "dash", "ash", "fish", "busybox"]),
    (Passed::PowerShell, &["pwsh", "powershell"]),
    (Passed::Ruby, &["ruby"]),
    (Passed::Perl, &["perl"]),
    (Passed::Makefile, &["make", "just"]),
];

/// Tells the kind by the name of a file, in any case.
pub fn by_path(path: &Path) -> Option<Passed> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    let by_extension = extension.and_then(|extension| kind(EXTENSIONS, &extension));
    // `Dockerfile.dev` is one as well.
    by_extension.or_else(|| kind(NAMES, &name)).or_else(|| kind(NAMES, stem).filter(|kind| *kind == Passed::Dockerfile))
}

/// Tells the kind by the `#!` line at the start of a text; nothing, if there is none.
pub fn by_interpreter(text: &str) -> Option<Passed> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let interpreter = words.find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
    let bare = interpreter.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    Some(kind(INTERPRETERS, bare).unwrap_or(Passed::OtherScript))
}

fn kind(table: &[(Passed, &[&str])], wanted: &str) -> Option<Passed> {
    table.iter().find(|(_, words)| words.contains(&wanted)).map(|(kind, _)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_told_by_extension_name_or_interpreter() {
        for (name, expected) in [
            ("a.py", Some(Passed::Python)),
            ("a.PS1", Some(Passed::PowerShell)),
            ("b/Dockerfile", Some(Passed::Dockerfile)),
            ("Dockerfile.dev", Some(Passed::Dockerfile)),
            ("api.dockerfile", Some(Passed::Dockerfile)),
            ("Makefile", Some(Passed::Makefile)),
            ("makefile.txt", None),
            (".bashrc", Some(Passed::Shell)),
            ("n.ipynb", Some(Passed::Notebook)),
            ("a.css", None),
            ("LICENSE", None),
        ] {
            assert_eq!(by_path(Path::new(name)), expected, "{name}");
        }
        for (line, expected) in [
            ("#!/bin/bash\necho", Some(Passed::Shell)),
            ("#!/usr/bin/env -S python3.12 -u\n", Some(Passed::Python)),
            ("#! /usr/bin/perl", Some(Passed::Perl)),
            ("#!/usr/bin/osascript", Some(Passed::OtherScript)),
            ("#!", None),
            ("bash", None),
        ] {
            assert_eq!(by_interpreter(line), expected, "{line}");
        }
    }
}
