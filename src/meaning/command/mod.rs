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

use crate::knowledge::command::{is_known, list};
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::{House, Side, destination};
use crate::language::shell::is_fork_bomb;
use crate::meaning::command::one::Command;
use crate::meaning::command::unwrap::{command, commands};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;

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
    let found = trusting(commands(line), house);
    let is_of_maker = fetches_installers(&found);
    let told = found.iter().flat_map(|own| of_command(own, house)).map(|effect| match effect.object.as_deref() {
        Some("downloaded") if is_of_maker => {
            let says = "runs the installer of a known tool as its maker serves it".to_owned();
            Effect { severity: Some(Severity::Medium), says, ..effect }
        }
        _ => effect,
    });
    bomb.into_iter().chain(told).collect()
}

/// Returns true if and only if all that the commands of a line fetch are installers of known tools, from where their makers serve them.
fn fetches_installers(commands: &[Command]) -> bool {
    let fetching = commands.iter().filter(|own| list("fetchers").contains(&own.key().as_str()));
    let mut addresses = fetching.flat_map(|own| &own.arguments).filter(|argument| names_address(argument)).peekable();
    addresses.peek().is_some() && addresses.all(|address| is_installer(address))
}

/// Returns true if and only if a word is an address: `https://bun.sh/install`, `get.docker.com`.
fn names_address(word: &str) -> bool {
    let has_name = |word: &str| word.split('/').next().is_some_and(|host| host.contains('.') && !host.starts_with('.'));
    word.contains("://") || word.contains(HOLE) || word.contains('$') || !word.starts_with('-') && has_name(word)
}

/// Returns true if and only if an address is one where the maker of a known tool serves its installer.
pub fn is_installer(address: &str) -> bool {
    let lower = address.to_lowercase();
    let bare = lower.strip_prefix("https://").unwrap_or(&lower);
    list("installers").iter().any(|known| {
        let ends: &[char] = if known.contains('/') { &['/', '.', '?', '_'] } else { &['/'] };
        bare.strip_prefix(*known).is_some_and(|rest| {
            let is_below = rest.is_empty() || known.ends_with('/') || rest.starts_with(ends);
            is_below && !rest.contains("..")
        })
    })
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

/// Returns true if and only if a program, by its name and its arguments, runs what stands last in a container from which nothing gets out:
/// without a network, with no folder of the machine but to read, and without a hand on the machine beneath.
pub fn is_walled_in(program: &str, arguments: &[String]) -> bool {
    let Some((_, options)) = arguments.split_last() else { return false };
    let is_container = matches!(program, "docker" | "podman" | "nerdctl") && options.first().is_some_and(|first| first == "run");
    let mut is_cut_off = false;
    let mut words = options.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        let (option, mut value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
        let is_mount = matches!(option, "-v" | "--volume" | "--mount");
        let is_network = matches!(option, "--network" | "--net");
        if is_mount || is_network {
            value = value.or_else(|| words.next());
        }
        is_cut_off |= is_network && value == Some("none");
        let is_read = |mount: &str| {
            (mount.ends_with(":ro") || mount.contains("readonly")) && !mount.starts_with("/:") && !mount.contains("docker.sock")
        };
        let lets_out = is_mount && !value.is_some_and(is_read)
            || is_network && value != Some("none")
            || list("container-holes").contains(&option)
            || option.starts_with("-v") && !is_mount;
        // What nobody knows may be any of these.
        if lets_out || !is_mount && word.contains(HOLE) {
            return false;
        }
    }
    is_container && is_cut_off
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_container_without_a_way_out_holds_what_runs_in_it() {
        for (line, expected) in [
            ("run --rm --network=none node:22 bash -c \u{0}", true),
            ("run --rm --network none -v \u{0}:/w:ro -w /w node:22 bash -c \u{0}", true),
            ("run --rm node:22 bash -c \u{0}", false),
            ("run --network=none --network=host node:22 bash -c \u{0}", false),
            ("run --network=none --volume=/:/host node:22 bash -c \u{0}", false),
            ("run --network=none -v /root:/w node:22 bash -c \u{0}", false),
            ("run --network=none -v/:/h:ro node:22 bash -c \u{0}", false),
            ("run --network=none -v /var/run/docker.sock:/s:ro node:22 bash -c \u{0}", false),
            ("run --network=none --privileged node:22 bash -c \u{0}", false),
            ("run --network=none --cap-add=ALL node:22 bash -c \u{0}", false),
            ("run --network=none \u{0} node:22 bash -c \u{0}", false),
            ("exec box bash -c \u{0}", false),
        ] {
            let arguments: Vec<String> = line.replace('\u{0}', &HOLE.to_string()).split(' ').map(str::to_owned).collect();
            assert_eq!(is_walled_in("docker", &arguments), expected, "{line}");
        }
        assert!(!is_walled_in("bash", &["run".to_owned(), "--network=none".to_owned(), "x".to_owned()]));
    }

    #[test]
    fn shells_and_interpreters_run_what_they_read() {
        for (line, expected) in
            [("bash -s -- --quiet", true), ("python3 -", true), ("jq .name", false), ("python3 -m json.tool", false), ("wc -l", false)]
        {
            assert_eq!(runs_its_input(line), expected, "{line}");
        }
    }
}
