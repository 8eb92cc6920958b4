//! `callgate init`: a commented callgate.yaml, or the git pre-commit hook.

use std::path::PathBuf;

use crate::cli::args::{Global, InitArgs};
use crate::cli::commands::{init_agent, to_stdout};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::{git, whole_file};

/// The settings file that is written: everything in it is a comment that shows a default.
pub const TEMPLATE: &str = include_str!("callgate.yaml");

const BEGIN: &str = "# >>> callgate >>>";
const END: &str = "# <<< callgate <<<";
/// Judges what is about to be committed. A warning is shown and does not stop the commit; anything else but success does.
const HOOK: &str = "callgate scan --staged --quiet || [ $? -eq 1 ] || exit 1";
/// The interpreters whose hooks can be added to.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh"];

/// Writes callgate.yaml or installs a hook.
///
/// # Errors
///
/// When there is a file already, it cannot be written, or there is no repository.
pub fn run(args: &InitArgs, global: &Global) -> Result<Exit, Failure> {
    if let Some(host) = &args.agent {
        return init_agent::run(host, args, global);
    }
    let (path, what) = if args.hook { (install_hook()?, "judges every commit") } else { (write_config(args.force)?, "holds the settings") };
    to_stdout(|out| writeln!(out, "{} {what}", path.display()))?;
    Ok(Exit::Allow)
}

fn write_config(force: bool) -> Result<PathBuf, Failure> {
    let path = PathBuf::from("callgate.yaml");
    if path.exists() && !force {
        return Err(Failure::Exists { path });
    }
    whole_file::write(&path, TEMPLATE.as_bytes()).map_err(|source| Failure::unwritable(&path, source))?;
    Ok(path)
}

fn install_hook() -> Result<PathBuf, Failure> {
    let path = git::hooks_folder().map_err(|detail| Failure::Hook { detail })?.join("pre-commit");
    let present = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(Failure::Unreadable { path, source }),
    };
    let text = with_hook(&present).map_err(|detail| Failure::Hook { detail })?;
    let unwritable = |source| Failure::unwritable(&path, source);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(unwritable)?;
    }
    whole_file::write_program(&path, text.as_bytes()).map_err(unwritable)?;
    Ok(path)
}

/// A hook with callgate's part in it; what was there stays.
fn with_hook(present: &str) -> Result<String, String> {
    let part = format!("{BEGIN}\n{HOOK}\n{END}\n");
    if let Some((before, rest)) = present.split_once(BEGIN) {
        let after = rest.split_once(END).map_or("", |(_, after)| after.trim_start_matches('\n'));
        return Ok(format!("{before}{part}{after}"));
    }
    let Some(first) = present.lines().next() else {
        return Ok(format!("#!/bin/sh\n{part}"));
    };
    let interpreter = first.strip_prefix("#!").and_then(|line| line.split_whitespace().last()).unwrap_or("sh");
    let name = interpreter.rsplit('/').next().unwrap_or(interpreter);
    if !SHELLS.contains(&name) {
        return Err(format!("the hook that is there runs in {name}; call `callgate scan` from it yourself"));
    }
    // It goes first: a hook that is there may end early or replace its process.
    let (head, body) =
        if first.starts_with("#!") { present.split_at(present.find('\n').map_or(present.len(), |at| at + 1)) } else { ("", present) };
    let newline = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    Ok(format!("{head}{newline}{part}{body}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::config::Config;

    #[test]
    fn a_hook_that_is_there_stays() {
        let part = format!("{BEGIN}\n{HOOK}\n{END}\n");
        for (present, expected) in [
            ("", format!("#!/bin/sh\n{part}")),
            ("#!/bin/bash\nlint\nexit 0\n", format!("#!/bin/bash\n{part}lint\nexit 0\n")),
            ("#!/usr/bin/env bash\nlint\n", format!("#!/usr/bin/env bash\n{part}lint\n")),
            ("lint\n", format!("{part}lint\n")),
            ("#!/bin/sh", format!("#!/bin/sh\n{part}")),
        ] {
            let hook = with_hook(present).expect("it is a shell's");
            assert_eq!(hook, expected);
            assert_eq!(with_hook(&hook).expect("it is a shell's"), hook, "twice is once");
        }
        assert!(with_hook("#!/usr/bin/env python3\nprint(1)\n").is_err());
    }

    #[test]
    fn the_template_is_valid_with_and_without_its_comments() {
        let uncommented: String =
            TEMPLATE.lines().map(|line| line.strip_prefix("#: ").unwrap_or(line)).map(|line| format!("{line}\n")).collect();
        assert_ne!(uncommented, TEMPLATE);
        let read = crate::yaml::read::<Config>(&uncommented);
        assert!(read.is_ok(), "{read:?}");
    }
}
