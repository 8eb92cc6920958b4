//! Which rows of `knowledge/commands/` a command fits, and how bad that is.

use crate::knowledge::command::{Address, CommandRow, Tests, list, own_rows, rows};
use crate::knowledge::effect::{Effect, Said};
use crate::knowledge::persistence::{Persistence, of_path};
use crate::knowledge::severity::severity;
use crate::knowledge::wildcard::fits;
use crate::knowledge::{House, Side, destination};
use crate::meaning::command::one::Command;
use crate::meaning::path::{Reach, reach};
use crate::subject::segment::HOLE;

/// Deepest place of a subcommand among the operands: values of options may stand before it.
const DEEPEST: usize = 4;

/// The rows that a command fits, each with the effect that it tells; what is nothing to speak of is left out.
pub fn effects(own: &Command, house: &House) -> Vec<(&'static CommandRow, Effect)> {
    fitting(own, house).into_iter().filter_map(|(row, effect)| Some((row, effect?))).collect()
}

/// The rows that a command fits, each with the effect that it tells, if that is anything to speak of. Where rows of the user's own
/// fit, they alone count.
pub fn fitting(own: &Command, house: &House) -> Vec<(&'static CommandRow, Option<Effect>)> {
    let program = own.key();
    let lower: Vec<String> = own.arguments.iter().map(|argument| argument.to_lowercase()).collect();
    let fit = |row: &'static CommandRow| {
        let looked = Looked { own, house, lower: &lower, operands: behind_sub(own, row.sub)? };
        let holds = row.when.iter().all(|tests| looked.holds_all(tests)) && !looked.holds_any(&row.unless);
        holds.then(|| (row, looked.effect(row)))
    };
    let of_user: Vec<_> = own_rows(&program).filter_map(fit).collect();
    if of_user.is_empty() { rows(&program).filter_map(fit).collect() } else { of_user }
}

/// The operands behind the subcommand of a row; none if the command has another.
fn behind_sub<'c>(own: &'c Command, subs: &[&[&str]]) -> Option<Vec<&'c str>> {
    let operands: Vec<&str> = own.operands().collect();
    if subs.is_empty() {
        return Some(operands);
    }
    subs.iter().find_map(|sub| {
        let starts = 0..=DEEPEST.min(operands.len().checked_sub(sub.len())?);
        let at = starts.into_iter().find(|at| {
            operands.iter().skip(*at).zip(*sub).all(|(operand, words)| words.split('|').any(|word| fits(word, &operand.to_lowercase())))
        })?;
        operands.get(at + sub.len()..).map(<[&str]>::to_vec)
    })
}

/// A command as its predicates see it.
struct Looked<'c> {
    own: &'c Command,
    /// What is said of the places that it names.
    house: &'c House,
    /// Its arguments in lower case.
    lower: &'c [String],
    /// Its operands behind the subcommand.
    operands: Vec<&'c str>,
}

impl Looked<'_> {
    /// The effect that a row tells; none where it is nothing to speak of.
    fn effect(&self, row: &CommandRow) -> Option<Effect> {
        let furthest = self.reach();
        let effect = Effect {
            object: Some(row.object.to_owned()),
            extent: row.extent,
            reach: furthest,
            says: row.says.replace("{reach}", furthest.map_or("files", Reach::name)),
            severity: row.severity,
            ..Effect::told(row.kind, Said::Row, row.name)
        };
        let is_something = !row.is_nothing && severity(&effect).is_some();
        is_something.then_some(effect)
    }

    /// How far the operands reach.
    fn reach(&self) -> Option<Reach> {
        self.operands.iter().map(|path| reach(path, self.own.folder.as_deref())).max()
    }

    fn holds_all(&self, tests: &Tests) -> bool {
        self.asked(tests).into_iter().all(|answer| answer != Some(false))
    }

    fn holds_any(&self, tests: &Tests) -> bool {
        self.asked(tests).contains(&Some(true))
    }

    /// The answer of each predicate; none of one that is not asked.
    fn asked(&self, tests: &Tests) -> [Option<bool>; 20] {
        let any_of = |patterns: &[&str], text: &str| patterns.iter().any(|pattern| fits(pattern, &text.to_lowercase()));
        let asks = |patterns: &[&str], holds: &dyn Fn() -> bool| (!patterns.is_empty()).then(holds);
        let own = self.own;
        let starts = |places: &[Persistence], path: &str| of_path(&self.placed(path)).is_some_and(|place| places.contains(&place));
        let furthest = || self.reach();
        [
            asks(tests.flag, &|| tests.flag.iter().any(|name| own.flag(name))),
            asks(tests.word, &|| self.lower.iter().any(|own| tests.word.contains(&own.as_str()))),
            asks(tests.operand, &|| self.operands.iter().any(|own| any_of(tests.operand, own))),
            asks(tests.first, &|| self.operands.first().is_some_and(|own| any_of(tests.first, own))),
            asks(tests.last, &|| self.operands.last().is_some_and(|own| any_of(tests.last, own))),
            asks(tests.argument, &|| own.arguments.iter().any(|own| any_of(tests.argument, own))),
            (!tests.option.is_empty())
                .then(|| tests.option.iter().any(|(name, values)| own.values(name).any(|value| any_of(values, value)))),
            (!tests.reaches.is_empty()).then(|| furthest().is_some_and(|reach| tests.reaches.contains(&reach))),
            (!tests.target.is_empty())
                .then(|| self.operands.last().is_some_and(|path| tests.target.contains(&reach(path, own.folder.as_deref())))),
            (0 < tests.operands).then(|| usize::from(tests.operands) <= self.operands.len()),
            tests.most.map(|most| self.operands.len() <= usize::from(most)),
            tests.is_open.then(|| self.operands.iter().any(|own| own.contains(HOLE) || own.starts_with('$'))),
            tests.is_wild.then(|| self.operands.iter().any(|own| own.contains('*'))),
            asks(tests.writes, &|| own.outputs.iter().any(|path| any_of(tests.writes, &self.placed(path)))),
            asks(tests.input, &|| own.input.as_deref().is_some_and(|input| any_of(tests.input, input))),
            asks(tests.fed, &|| own.fed.iter().any(|program| any_of(tests.fed, program))),
            asks(tests.sets, &|| own.assignments.iter().chain(&own.arguments).any(|own| any_of(tests.sets, own))),
            (!tests.starts.is_empty()).then(|| own.outputs.iter().any(|path| starts(tests.starts, path))),
            (!tests.start.is_empty()).then(|| self.operands.iter().any(|path| starts(tests.start, path))),
            (!tests.address.is_empty())
                .then(|| own.arguments.iter().any(|own| tests.address.iter().any(|sort| is_of(*sort, own, self.house)))),
        ]
    }

    /// A path with the folder in which the command runs.
    fn placed(&self, path: &str) -> String {
        match &self.own.folder {
            Some(folder) if !path.starts_with(['/', '~', '$', '%']) && !path.contains(':') => format!("{folder}/{path}"),
            Some(_) | None => path.to_owned(),
        }
    }
}

/// Hosts whose packages anybody can look at.
const REGISTRIES: &str = "registries";

/// Returns true if and only if an argument names an address of a sort.
fn is_of(sort: Address, argument: &str, house: &House) -> bool {
    let Some(at) = argument.find("://") else { return false };
    let start = argument.get(..at).unwrap_or_default().rfind(|before: char| !before.is_ascii_alphanumeric() && before != '+');
    let url = argument.get(start.map_or(0, |start| start + 1)..).unwrap_or(argument);
    let host = url.split_once("://").map_or("", |(_, rest)| rest).split(['/', '?']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default().to_lowercase();
    let is_outside = || destination(url, house).side == Side::Outside;
    match sort {
        Address::Unlisted => !list(REGISTRIES).contains(&host.as_str()) && is_outside(),
        Address::Outside => is_outside(),
        Address::Number => host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok()) && is_outside(),
    }
}
