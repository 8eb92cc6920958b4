//! Shell commands: what a shell would run when it is given a line.
//!
//! Words are split as a shell splits them; what only starts another command (`sudo`, `env`, `bash -c`, `xargs`)
//! is taken off. Texts that are only printed stay arguments of `echo`.

pub mod splitter;

use std::collections::HashMap;

use crate::language::shell::splitter::{Raw, Splitter};
use crate::subject::segment::HOLE;

/// One command that a line runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The program, without its folder.
    pub program: String,
    /// What is passed to it.
    pub arguments: Vec<String>,
    /// Where its output goes: files that are overwritten or added to.
    pub outputs: Vec<String>,
    /// Files that it reads by `<`.
    pub inputs: Vec<String>,
    /// What it reads as a here-document or here-string, or from an `echo` before it.
    pub input: Option<String>,
    /// The folder in which it runs, where the line tells.
    pub folder: Option<String>,
}

impl Command {
    /// Returns true if and only if one of its arguments reads like this.
    pub fn has(&self, argument: &str) -> bool {
        self.arguments.iter().any(|own| own == argument)
    }

    /// Returns true if and only if it has a short option, alone or in a bundle (`-rf`), or a long one.
    pub fn flag(&self, short: char, long: &str) -> bool {
        self.arguments.iter().take_while(|own| *own != "--").any(|own| {
            let is_long = !long.is_empty() && own.strip_prefix("--").is_some_and(|name| name.split('=').next() == Some(long));
            let is_bundle = own.len() < 8 && own.starts_with('-') && !own.starts_with("--") && own.contains(short);
            is_long || is_bundle
        })
    }

    /// The value of an option: `--name value`, `--name=value`, `-n value`.
    pub fn option(&self, names: &[&str]) -> Option<&str> {
        self.arguments.iter().enumerate().find_map(|(at, own)| {
            if names.contains(&own.as_str()) {
                return self.arguments.get(at + 1).map(String::as_str);
            }
            let (name, value) = own.split_once('=')?;
            names.contains(&name).then_some(value)
        })
    }

    /// Its arguments that are no options.
    pub fn operands(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().map(String::as_str).filter(|own| !own.starts_with('-') || *own == "-")
    }
}

/// How deep commands are looked for in others.
const DEPTH: u8 = 6;
/// How many commands are read from one line.
const COMMANDS: usize = 500;
/// Longer texts are no command lines, in bytes.
const LONGEST: usize = 64 * 1024;

/// All commands that a line would run, with those inside others, in order.
pub fn commands(line: &str) -> Vec<Command> {
    let mut found = Vec::new();
    let mut shell = Shell { variables: HashMap::new(), folder: None };
    shell.read(line, DEPTH, &mut found);
    found
}

/// The commands of a program with separate arguments, as in `spawn(program, arguments)`.
pub fn command(program: &str, arguments: &[String]) -> Vec<Command> {
    let mut found = Vec::new();
    let mut shell = Shell { variables: HashMap::new(), folder: None };
    let words = std::iter::once(program.to_owned()).chain(arguments.iter().cloned()).collect();
    shell.unwrap(Raw { words, ..Raw::default() }, DEPTH, &mut found);
    found
}

/// Returns true if and only if a line defines a function that runs itself twice: a fork bomb.
pub fn is_fork_bomb(line: &str) -> bool {
    let tight: String = line.chars().filter(|character| !character.is_whitespace()).collect();
    let Some((before, body)) = tight.split_once("(){") else { return false };
    let name = before.rsplit([';', '&', '|']).next().unwrap_or(before);
    !name.is_empty() && body.starts_with(&format!("{name}|{name}&"))
}

struct Shell {
    variables: HashMap<String, String>,
    folder: Option<String>,
}

impl Shell {
    fn read(&mut self, line: &str, depth: u8, found: &mut Vec<Command>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if LONGEST < line.len() {
            return;
        }
        let mut printed: Option<String> = None;
        let mut splitter = Splitter::new(line);
        while let Some(mut raw) = splitter.next_command(&self.variables) {
            for inner in splitter.nested() {
                self.read(&inner, depth, found);
            }
            if raw.is_piped && raw.input.is_none() {
                raw.input = printed.take();
            }
            printed = text_printed(&raw.words);
            self.remember(&raw.words);
            self.unwrap(raw, depth, found);
            if COMMANDS < found.len() {
                return;
            }
        }
    }

    /// Notes what a command changes for those behind it: variables and the folder.
    fn remember(&mut self, words: &[String]) {
        let assignments = if matches!(words.first().map(String::as_str), Some("export" | "readonly" | "local" | "declare")) {
            words.get(1..).unwrap_or_default()
        } else {
            words
        };
        if assignments.iter().all(|word| is_assignment(word)) {
            for (name, value) in assignments.iter().filter_map(|word| word.split_once('=')) {
                self.variables.insert(name.to_owned(), value.to_owned());
            }
        }
        if let [program, folder] = words
            && matches!(program.as_str(), "cd" | "pushd" | "chdir")
        {
            let is_inner = !folder.starts_with(['/', '~', '$']);
            self.folder = Some(match &self.folder {
                Some(outer) if is_inner => format!("{outer}/{folder}"),
                Some(_) | None => folder.clone(),
            });
        }
    }

    /// Takes off what only starts another command.
    fn unwrap(&mut self, raw: Raw, depth: u8, found: &mut Vec<Command>) {
        let mut words = raw.words.into_iter().peekable();
        while words.next_if(|word| is_assignment(word) || is_keyword(word)).is_some() {}
        let Some(first) = words.next() else {
            if !raw.outputs.is_empty() || !raw.inputs.is_empty() {
                let folder = self.folder.clone();
                found.push(Command { outputs: raw.outputs, inputs: raw.inputs, folder, ..Command::default() });
            }
            return;
        };
        let program = first.rsplit(['/', '\\']).next().unwrap_or(&first).trim_end_matches(".exe").to_owned();
        let mut command = Command {
            program,
            arguments: words.collect(),
            outputs: raw.outputs,
            inputs: raw.inputs,
            input: raw.input,
            folder: self.folder.clone(),
        };
        let Some(depth) = depth.checked_sub(1) else { return };
        match inner(&command) {
            Inner::None => {}
            Inner::Words(inner) => {
                let Command { outputs, inputs, input, .. } = command;
                return self.unwrap(Raw { words: inner, outputs, inputs, input, is_piped: false }, depth, found);
            }
            Inner::Line(line) => self.read(&line, depth, found),
        }
        if is_interpreter(&command.program)
            && let Some(text) = command.input.take()
        {
            self.read(&text, depth, found);
        }
        found.push(command);
    }
}

/// What an `echo` or `printf` prints.
fn text_printed(words: &[String]) -> Option<String> {
    match words.split_first() {
        Some((program, rest)) if matches!(program.as_str(), "echo" | "printf") => Some(rest.join(" ")),
        Some(_) | None => None,
    }
}

/// What a command starts.
enum Inner {
    None,
    Words(Vec<String>),
    Line(String),
}

/// Programs that start another one, with their options that take a value and how many operands come before it.
const WRAPPERS: &[(&str, &[&str], usize)] = &[
    ("sudo", &["-u", "-g", "-h", "-p", "-C", "-U", "-D"], 0),
    ("doas", &["-u", "-C"], 0),
    ("env", &["-u", "-C"], 0),
    ("nohup", &[], 0),
    ("time", &["-f", "-o"], 0),
    ("command", &[], 0),
    ("builtin", &[], 0),
    ("exec", &["-a"], 0),
    ("nice", &["-n"], 0),
    ("ionice", &["-c", "-n", "-p"], 0),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("setsid", &[], 0),
    ("timeout", &["-s", "-k"], 1),
    ("busybox", &[], 0),
    ("unbuffer", &[], 0),
    ("caffeinate", &[], 0),
    ("chroot", &[], 1),
    ("watch", &["-n"], 0),
    ("strace", &["-e", "-o", "-p"], 0),
    ("xargs", &["-n", "-I", "-P", "-L", "-d", "-s", "-a", "-E"], 0),
    ("parallel", &["-j"], 0),
];

fn inner(command: &Command) -> Inner {
    let arguments = &command.arguments;
    let program = command.program.as_str();
    if let Some((_, takes, operands)) = WRAPPERS.iter().find(|(name, ..)| *name == program) {
        let mut words = behind_options(arguments, takes);
        words.drain(..(*operands).min(words.len()));
        if words.is_empty() {
            return Inner::None;
        }
        if matches!(program, "xargs" | "parallel") {
            words.push(HOLE.to_string());
        }
        return Inner::Words(words);
    }
    let line_of = |names: &[&str]| arguments.iter().position(|own| names.contains(&own.as_str())).map(|at| at + 1);
    match program {
        _ if is_interpreter(program) || program == "su" => {
            let at = arguments.iter().position(|own| own.starts_with('-') && !own.starts_with("--") && own.ends_with('c'));
            at.and_then(|at| arguments.get(at + 1)).map_or(Inner::None, |line| Inner::Line(line.clone()))
        }
        "eval" => Inner::Line(arguments.join(" ")),
        "cmd" => line_of(&["/c", "/C", "/k", "/K"]).map_or(Inner::None, |at| Inner::Line(from(arguments, at).join(" "))),
        "powershell" | "pwsh" => {
            line_of(&["-Command", "-command", "-c", "-C"]).map_or(Inner::None, |at| Inner::Line(from(arguments, at).join(" ")))
        }
        "ssh" => {
            let words = behind_options(arguments, &["-p", "-i", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-E"]);
            if words.len() < 2 { Inner::None } else { Inner::Line(from(&words, 1).join(" ")) }
        }
        "docker" | "podman" | "nerdctl" if matches!(arguments.first().map(String::as_str), Some("exec" | "run")) => {
            let takes = ["-u", "--user", "-w", "--workdir", "-e", "--env", "-v", "--volume", "--name", "--network", "-p", "--entrypoint"];
            let words = behind_options(from(arguments, 1), &takes);
            if words.len() < 2 { Inner::None } else { Inner::Words(from(&words, 1).to_vec()) }
        }
        "kubectl" | "oc" if command.has("exec") => line_of(&["--"]).map_or(Inner::None, |at| Inner::Words(from(arguments, at).to_vec())),
        _ => Inner::None,
    }
}

fn from(words: &[String], at: usize) -> &[String] {
    words.get(at..).unwrap_or_default()
}

/// The words behind the options of a wrapper and its assignments.
fn behind_options(arguments: &[String], takes: &[&str]) -> Vec<String> {
    let mut rest = arguments.iter().peekable();
    while let Some(option) = rest.next_if(|word| word.starts_with('-') && 1 < word.len() || is_assignment(word)) {
        if option == "--" {
            break;
        }
        if takes.contains(&option.as_str()) {
            rest.next();
        }
    }
    rest.cloned().collect()
}

/// Returns true if and only if a program reads commands as a shell does.
pub fn is_interpreter(program: &str) -> bool {
    matches!(program, "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "fish")
}

fn is_keyword(word: &str) -> bool {
    matches!(word, "then" | "do" | "else" | "elif" | "if" | "while" | "until" | "!" | "{" | "}" | "fi" | "done")
}

/// Returns true if and only if a word sets a variable: `NAME=value`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.bytes().next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}
