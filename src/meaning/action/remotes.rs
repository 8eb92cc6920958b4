//! Remotes that a script adds by command lines: what is pushed to one goes where the script said that it lies.

use std::collections::HashMap;

use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::{House, Side, destination};
use crate::meaning::action::{Action, Way};
use crate::meaning::argument::texts;
use crate::subject::Subject;
use crate::subject::call::Value;

/// For each name of a remote whether all addresses that a script gives it are of the house.
pub type Remotes<'s> = HashMap<&'s str, bool>;

/// The remotes that the commands of a script add, or lead elsewhere.
pub fn remotes<'s>(subject: &'s Subject, house: &House) -> Remotes<'s> {
    let of_tools = subject.calls.iter().map(|call| &call.argument);
    let of_hosts = subject.host_calls.iter().flat_map(|call| &call.arguments);
    let mut all = HashMap::new();
    let said: Vec<_> = of_tools.chain(of_hosts).flat_map(texts).collect();
    let adding: Vec<_> = said.iter().filter(|text| text.text.contains("remote ")).collect();
    // Whoever writes Git's own settings may lead any name elsewhere.
    let is_led = |text: &str| {
        let lower = text.to_lowercase();
        list("settings-of-git").iter().any(|word| lower.contains(*word))
    };
    if adding.is_empty() || said.iter().any(|text| is_led(text.text)) {
        return all;
    }
    for text in adding {
        for (name, address) in added(text.text) {
            let is_inside = destination(address, house).side == Side::Inside;
            all.entry(name).and_modify(|known| *known &= is_inside).or_insert(is_inside);
        }
    }
    all
}

/// The names and addresses that a command line gives remotes.
fn added(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let places: Vec<usize> = words.iter().enumerate().filter(|(_, word)| **word == "remote").map(|(at, _)| at).collect();
    places.into_iter().filter_map(move |at| {
        let sets = words.get(at + 1).is_some_and(|word| matches!(*word, "add" | "set-url"));
        let mut given = words.get(at + 2..)?.iter().filter(|word| !word.starts_with('-'));
        sets.then(|| Some((*given.next()?, *given.next()?)))?
    })
}

/// What is pushed to a remote that lies inside goes to nobody else.
pub fn leave_out_inside<'v>(action: &mut Action, arguments: impl Iterator<Item = &'v Value>, remotes: &Remotes<'_>) {
    let is_sent = |own: &Action| own.way == Way::Command && own.effects.iter().any(is_push);
    if remotes.is_empty() || !action.nested.iter().any(is_sent) {
        return;
    }
    let lines: Vec<_> = arguments.flat_map(texts).filter(|text| text.text.contains("push")).collect();
    let is_inside = |line: &str| pushed_to(line).is_some_and(|name| remotes.get(name) == Some(&true));
    if !lines.is_empty() && lines.iter().all(|line| is_inside(line.text)) {
        action.nested.iter_mut().filter(|own| own.way == Way::Command).for_each(|own| own.effects.retain(|effect| !is_push(effect)));
    }
}

fn is_push(effect: &Effect) -> bool {
    effect.kind == EffectKind::Send && effect.object.as_deref() == Some("repository")
}

/// The remote of the only push of a command line.
fn pushed_to(line: &str) -> Option<&str> {
    let mut parts = line.split_whitespace();
    parts.by_ref().find(|word| *word == "push")?;
    let name = parts.by_ref().find(|word| !word.starts_with('-'))?;
    parts.all(|word| word != "push" && !word.contains([';', '&', '|'])).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_are_told_by_the_lines_that_add_them() {
        let line = "cd /w && git remote add -f mirror https://git.acme.internal/a.git && git remote set-url up ssh://host.example/b";
        let found: Vec<_> = added(line).collect();
        assert_eq!(found, [("mirror", "https://git.acme.internal/a.git"), ("up", "ssh://host.example/b")]);
    }

    #[test]
    fn a_push_has_one_remote() {
        for (line, expected) in [
            ("git push mirror --all --quiet", Some("mirror")),
            ("git push --mirror backup", Some("backup")),
            ("git push --all", None),
            ("git push mirror --all && git push other --all", None),
            ("git push mirror --all; curl https://a.example -d @f", None),
        ] {
            assert_eq!(pushed_to(line), expected, "{line}");
        }
    }
}
