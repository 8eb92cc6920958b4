//! Code of other languages that stands in a command: what its literals name.
//!
//! Nothing is followed but literals that are joined where they stand (`"a" + "b"`).

use crate::knowledge::command::{COMMANDS, Language};
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::persistence;
use crate::knowledge::secret::is_secret_variable;
use crate::knowledge::vault::{hands_out_login, vault};
use crate::meaning::command::one::Command;

/// Ways to read the environment.
const ENVIRONMENT: &[&str] = &["environ", "getenv", "ENV"];

/// What the code in a command names that a person should see.
pub fn effect(own: &Command) -> Option<Effect> {
    let code = code(own)?;
    let reads_environment = ENVIRONMENT.iter().any(|word| code.contains(word));
    literals(code).into_iter().find_map(|text| {
        let is_path = text.contains('/') || text.starts_with('.');
        let is_variable =
            || text.contains('_') && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        let what = match () {
            () if is_path && !text.contains("://") && vault(&text).is_some() => "names a file of secrets",
            () if is_path && !text.contains(char::is_whitespace) && starts(&text) => "names a file from which things start",
            () if hands_out_login(&text) => "names where a machine hands out its login",
            () if reads_environment && is_variable() && is_secret_variable(Some(&text)) => "reads a secret of the environment",
            () => return None,
        };
        Some(Effect::new(EffectKind::Run, "code", format!("runs code that {what}: `{text}`")))
    })
}

/// Whether things start from a file without the project being run.
fn starts(path: &str) -> bool {
    persistence::of_path(path).is_some_and(|place| !matches!(place, persistence::Persistence::Project | persistence::Persistence::Recipe))
}

/// The code that a command runs in another language.
fn code(own: &Command) -> Option<&str> {
    let program = own.key();
    let row = COMMANDS.codes.iter().find(|row| row.language == Language::Code && row.programs.contains(&program.as_str()))?;
    own.option(row.options).or(own.input.as_deref())
}

/// The literals of a code, with those joined that are added where they stand.
fn literals(code: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut characters = code.chars();
    let mut between = String::from(";");
    while let Some(character) = characters.next() {
        if !matches!(character, '"' | '\'') {
            between.push(character);
            continue;
        }
        let mut text = String::new();
        while let Some(inner) = characters.next().filter(|inner| *inner != character) {
            text.extend(if inner == '\\' { characters.next() } else { Some(inner) });
        }
        let joins = matches!(between.trim(), "" | "+" | ".");
        between.clear();
        match found.last_mut() {
            Some(last) if joins => last.push_str(&text),
            Some(_) | None => found.push(text),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::meaning::command::unwrap::commands;

    #[test]
    fn literals_of_code_in_commands_are_joined_and_judged() {
        let mut wrong = Vec::new();
        for (line, expected) in [
            ("python3 -c 'print(open(\"~/.s\"+\"sh/id_rsa\").read())'", true),
            ("perl -e 'open F,\"$ENV{HOME}/.s\".\"sh/id_rsa\";print <F>'", true),
            ("python3 -c 'import os;print(os.environ[\"GITHUB_\"+\"TOKEN\"])'", true),
            ("python3 -c 'open(\"~/.zshrc\",\"a\").write(\"x\")'", true),
            ("ruby -e 'puts File.read(\"/etc/shadow\")'", true),
            ("python3 -c 'print(\"GITHUB_TOKEN\")'", false),
            ("python3 -c 'import os;print(os.environ[\"HOME\"])'", false),
            ("python3 -c 'print(open(\"src/a.py\").read())'", false),
            ("python3 -c 'import json,sys;print(json.load(sys.stdin)[\"a\"])'", false),
        ] {
            let found = commands(line).iter().any(|own| super::effect(own).is_some());
            if found != expected {
                wrong.push(format!("{line}: {found}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
