//! What commands do: lines and programs with arguments, by the rows of `knowledge/commands/`.

pub mod code;
pub mod examples;
pub mod one;
pub mod printed;
pub mod row;
pub mod secret;
pub mod sending;
pub mod statement;
pub mod unwrap;

use crate::knowledge::command::is_known;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::{House, Side, destination};
use crate::language::shell::is_fork_bomb;
use crate::meaning::command::one::Command;
use crate::meaning::command::unwrap::{command, commands};

/// Returns true if and only if a line runs commands, and rows name the program of each: what they say of it stands.
pub fn are_known(line: &str) -> bool {
    let found = commands(line);
    !found.is_empty() && found.iter().all(|own| is_known(&own.key()))
}

/// Returns true if and only if a line runs one command and nothing else, and rows name its program.
pub fn is_one_known(line: &str) -> bool {
    matches!(commands(line).as_slice(), [own] if is_known(&own.key()))
}

/// What a line does.
pub fn effects(line: &str, house: &House) -> Vec<Effect> {
    let bomb = is_fork_bomb(line).then(|| Effect::new(EffectKind::Control, "processes", "starts processes without end"));
    bomb.into_iter().chain(trusting(commands(line), house).iter().flat_map(|own| of_command(own, house))).collect()
}

/// What a line does whose first command reads a text that the line does not hold.
pub fn effects_fed(line: &str, input: Option<&str>, house: &House) -> Vec<Effect> {
    let Some(input) = input else { return effects(line, house) };
    let mut found = commands(line);
    if let Some(first) = found.first_mut().filter(|first| first.input.is_none()) {
        first.input = Some(input.to_owned());
    }
    found.iter().flat_map(|own| of_command(own, house)).collect()
}

/// Returns true if and only if a line runs as code what it reads: `bash -s`, `python3 -`.
pub fn runs_its_input(line: &str) -> bool {
    effects(&format!("curl https://a.example | {line}"), &House::default()).iter().any(|effect| {
        let is_read = effect.object.as_deref() == Some("downloaded");
        effect.kind == EffectKind::Run && is_read
    })
}

/// Returns true if and only if a program, by its name and its arguments, runs what it is given in a container from which nothing gets
/// out: without a network, and without a hand on the machine beneath.
pub fn is_walled_in(program: &str, arguments: &[String]) -> bool {
    let is_container = matches!(program, "docker" | "podman" | "nerdctl") && arguments.first().is_some_and(|first| first == "run");
    let is_cut_off = arguments.iter().any(|word| matches!(word.as_str(), "--network=none" | "--net=none"))
        || arguments
            .windows(2)
            .any(|pair| matches!(pair, [option, none] if matches!(option.as_str(), "--network" | "--net") && none == "none"));
    let reaches_out = |word: &String| {
        let is_mount = word.starts_with("/:") || word.contains("docker.sock") || word.contains("source=/,");
        is_mount || matches!(word.as_str(), "--privileged" | "--pid=host" | "--ipc=host")
    };
    is_container && is_cut_off && !arguments.iter().any(reaches_out)
}

/// The commands of a line, where what a program fetches from places of the user's own alone does not count as fetched.
fn trusting(mut commands: Vec<Command>, house: &House) -> Vec<Command> {
    if house.trusted.is_empty() {
        return commands;
    }
    let is_own = |url: &str| destination(url, house).side == Side::Inside && destination(url, &House::default()).side == Side::Outside;
    let fetches_own = |own: &Command| {
        let mut urls = own.arguments.iter().filter(|argument| argument.contains("://")).peekable();
        urls.peek().is_some() && urls.all(|url| is_own(url))
    };
    let fetching: Vec<String> = commands.iter().filter(|own| fetches_own(own)).map(Command::key).collect();
    let others: Vec<String> = commands.iter().filter(|own| !fetches_own(own)).map(Command::key).collect();
    for own in &mut commands {
        own.fed.retain(|program| !fetching.contains(&program.to_lowercase()) || others.contains(&program.to_lowercase()));
    }
    commands
}

/// What a program does with separate arguments.
pub fn effects_of(program: &str, arguments: &[String], house: &House) -> Vec<Effect> {
    command(program, arguments).iter().flat_map(|own| of_command(own, house)).collect()
}

fn of_command(own: &Command, house: &House) -> Vec<Effect> {
    row::effects(own, house).into_iter().map(|(_, effect)| effect).chain(statement::effects(own)).collect()
}
