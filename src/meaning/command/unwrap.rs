//! Which commands a line runs: what only starts another command (`sudo`, `env`, `bash -c`, `xargs`) leads to that one.

use crate::knowledge::command::{COMMANDS, Starts, Wrapper};
use crate::language::shell::{self, DEPTH, Raw, is_assignment, parse};
use crate::meaning::command::one::Command;
use crate::subject::segment::HOLE;

/// All commands that a line would run, with those inside others before them, in order.
pub fn commands(line: &str) -> Vec<Command> {
    let mut found = Vec::new();
    read(line, &[], DEPTH, &mut found);
    found
}

/// The commands of a program with separate arguments, as in `spawn(program, arguments)`.
pub fn command(program: &str, arguments: &[String]) -> Vec<Command> {
    let words = std::iter::once(program.to_owned()).chain(arguments.iter().cloned()).collect();
    let mut found = Vec::new();
    unwrap(Raw { words, ..Raw::default() }, Vec::new(), DEPTH, &mut found);
    found
}

fn read(line: &str, fed: &[String], depth: u8, found: &mut Vec<Command>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let raws = parse(line);
    // For each command of the line the programs that it runs, and what it prints.
    let mut programs: Vec<Vec<String>> = Vec::new();
    let mut printed: Vec<Option<String>> = Vec::new();
    for mut raw in raws {
        let before = found.len();
        let mut feeding: Vec<String> = fed.to_vec();
        for place in raw.fed_by.iter().chain(&raw.holds) {
            feeding.extend(programs.get(*place).into_iter().flatten().cloned());
        }
        if raw.input.is_none() {
            raw.input = raw.fed_by.and_then(|place| printed.get(place).cloned().flatten());
        }
        printed.push(text_printed(&raw));
        let upstream = feeding.clone();
        unwrap(raw, feeding, depth, found);
        let own = found.get(before..).unwrap_or_default().iter().map(|own| own.key());
        programs.push(own.chain(upstream).take(40).collect());
        if shell::COMMANDS < found.len() {
            return;
        }
    }
}

/// What a command prints, where that is written in the line.
fn text_printed(raw: &Raw) -> Option<String> {
    let (program, rest) = raw.words.split_first()?;
    match program.as_str() {
        "echo" | "printf" => {
            let words: Vec<&str> =
                rest.iter().map(String::as_str).skip_while(|word| matches!(*word, "-e" | "-n" | "-en" | "-ne")).collect();
            Some(words.join(" "))
        }
        "cat" | "tee" => raw.input.clone(),
        _ => None,
    }
}

/// Takes off what only starts another command, and adds both.
fn unwrap(raw: Raw, fed: Vec<String>, depth: u8, found: &mut Vec<Command>) {
    let mut words = raw.words.into_iter();
    let first = words.next().unwrap_or_default();
    let program = first.rsplit(['/', '\\']).next().unwrap_or(&first);
    let own = Command {
        program: program.strip_suffix(".exe").unwrap_or(program).to_owned(),
        arguments: words.collect(),
        assignments: raw.assignments,
        outputs: raw.outputs,
        inputs: raw.inputs,
        input: raw.input,
        fed,
        folder: raw.folder,
    };
    let Some(depth) = depth.checked_sub(1) else { return };
    let program = own.key();
    for row in COMMANDS.wrappers.iter().filter(|row| row.programs.contains(&program.as_str())) {
        start(row, &own, depth, found);
        if shell::COMMANDS < found.len() {
            return;
        }
    }
    found.push(own);
}

/// Adds the commands that a wrapper starts.
fn start(row: &Wrapper, own: &Command, depth: u8, found: &mut Vec<Command>) {
    let arguments: &[String] = match row.sub {
        [] => &own.arguments,
        subs => match own.arguments.iter().position(|word| subs.contains(&word.as_str())) {
            Some(at) if at < 4 => own.arguments.get(at + 1..).unwrap_or_default(),
            Some(_) | None => return,
        },
    };
    let is_option = |word: &String| row.options.iter().any(|option| option.eq_ignore_ascii_case(word));
    let behind = || {
        let mut words = behind_options(arguments, row.takes);
        words.drain(..usize::from(row.skip).min(words.len()));
        words
    };
    let from_option = || arguments.iter().position(is_option).and_then(|at| arguments.get(at + 1..)).unwrap_or_default();
    match row.starts {
        Starts::Words => run(behind(), row, own, depth, found),
        Starts::Line => read(&behind().join(" "), &own.fed, depth, found),
        Starts::Operand => read(behind().first().map_or("", String::as_str), &own.fed, depth, found),
        Starts::Option => read(line_of(row, arguments).unwrap_or_default(), &own.fed, depth, found),
        Starts::Rest => read(&from_option().join(" "), &own.fed, depth, found),
        Starts::Behind => {
            for (at, _) in arguments.iter().enumerate().filter(|(_, word)| is_option(word)) {
                let words = arguments.iter().skip(at + 1).take_while(|word| !matches!(word.as_str(), ";" | "+" | "\\" | "';'"));
                run(words.map(|word| word.replace("{}", HOLE.encode_utf8(&mut [0; 4]))).collect(), row, own, depth, found);
            }
        }
        Starts::Assigned => {
            for (_, line) in own.arguments.iter().filter_map(|word| word.split_once('=')) {
                read(line, &own.fed, depth, found);
            }
        }
        Starts::Input => {
            let reads = own.flag("-s")
                || own.operands().filter(|operand| *operand != "-" && *operand != "/dev/stdin").count() <= usize::from(row.skip);
            if let Some(input) = own.input.as_deref().filter(|_| reads) {
                read(input, &[], depth, found);
            }
        }
    }
}

/// Adds the command whose words a wrapper starts.
fn run(mut words: Vec<String>, row: &Wrapper, own: &Command, depth: u8, found: &mut Vec<Command>) {
    let count = words.iter().take_while(|word| is_assignment(word)).count();
    let assignments = words.drain(..count).collect();
    if words.is_empty() {
        return;
    }
    if row.is_open {
        words.push(HOLE.to_string());
    }
    // What a search finds and hands over is as much its output as what it prints.
    let fed = own.fed.iter().cloned().chain((row.starts == Starts::Behind).then(|| own.key())).collect();
    let raw = Raw {
        words,
        assignments,
        outputs: own.outputs.clone(),
        inputs: own.inputs.clone(),
        input: own.input.clone(),
        folder: own.folder.clone(),
        ..Raw::default()
    };
    unwrap(raw, fed, depth, found);
}

/// The value of the option that holds a line, alone or at the end of a bundle: `-lc`.
fn line_of<'c>(row: &Wrapper, arguments: &'c [String]) -> Option<&'c str> {
    let holds = |word: &str| {
        row.options.iter().any(|option| {
            let is_bundle = || {
                let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1);
                letter.is_some_and(|letter| word.starts_with('-') && !word.starts_with("--") && word.len() < 8 && word.ends_with(letter))
            };
            word == *option || is_bundle()
        })
    };
    let named = arguments.iter().position(|word| holds(word)).and_then(|at| arguments.get(at + 1)).map(String::as_str);
    named.or_else(|| {
        arguments.iter().find_map(|word| {
            row.options.iter().filter(|option| option.starts_with("--")).find_map(|option| word.strip_prefix(option)?.strip_prefix('='))
        })
    })
}

/// The words behind the options of a wrapper and its assignments.
fn behind_options(arguments: &[String], takes: &[&str]) -> Vec<String> {
    let mut rest = arguments.iter().peekable();
    while let Some(option) = rest.next_if(|word| word.starts_with('-') && 1 < word.len()) {
        if option == "--" {
            break;
        }
        if takes.contains(&option.as_str()) {
            rest.next();
        }
    }
    rest.cloned().collect()
}
