//! Which rows of `knowledge/commands/` a command fits, and how bad that is.

use crate::knowledge::command::{Address, CommandRow, Test, list, own_rows, rows};
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
        let holds =
            row.when.iter().all(|tests| tests.iter().all(|test| looked.holds(test))) && !row.unless.iter().any(|test| looked.holds(test));
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

    /// Returns true if and only if a predicate holds.
    fn holds(&self, test: &Test) -> bool {
        let own = self.own;
        let fits_one = |patterns: &[&str], text: &str| patterns.iter().any(|pattern| fits(pattern, &text.to_lowercase()));
        let any = |texts: &[String], patterns: &[&str]| texts.iter().any(|text| fits_one(patterns, text));
        let starts = |places: &[Persistence], path: &str| of_path(&self.placed(path)).is_some_and(|place| places.contains(&place));
        match test {
            Test::Flag(names) => names.iter().any(|name| own.flag(name)),
            Test::Word(words) => self.lower.iter().any(|own| words.contains(&own.as_str())),
            Test::Operand(patterns) => self.operands.iter().any(|own| fits_one(patterns, own)),
            Test::First(patterns) => self.operands.first().is_some_and(|own| fits_one(patterns, own)),
            Test::Last(patterns) => self.operands.last().is_some_and(|own| fits_one(patterns, own)),
            Test::Argument(patterns) => any(&own.arguments, patterns),
            Test::Option(options) => options.iter().any(|(name, values)| own.values(name).any(|value| fits_one(values, value))),
            Test::Reaches(reaches) => self.reach().is_some_and(|reach| reaches.contains(&reach)),
            Test::Target(reaches) => self.operands.last().is_some_and(|path| reaches.contains(&reach(path, own.folder.as_deref()))),
            Test::Operands(least) => usize::from(*least) <= self.operands.len(),
            Test::Most(most) => self.operands.len() <= usize::from(*most),
            Test::Open => self.operands.iter().any(|own| own.contains(HOLE) || own.starts_with('$')),
            Test::Wild => self.operands.iter().any(|own| own.contains('*')),
            Test::Writes(patterns) => own.outputs.iter().any(|path| fits_one(patterns, &self.placed(path))),
            Test::Input(patterns) => own.input.as_deref().is_some_and(|input| fits_one(patterns, input)),
            Test::Fed(patterns) => own.fed.iter().any(|program| fits_one(patterns, program)),
            Test::Sets(patterns) => own.assignments.iter().chain(&own.arguments).any(|own| fits_one(patterns, own)),
            Test::Starts(places) => own.outputs.iter().any(|path| starts(places, path)),
            Test::Start(places) => self.operands.iter().any(|path| starts(places, path)),
            // Whatever else is said, it leads to the house alone.
            Test::Address([Address::Inside]) => {
                !self.operands.is_empty() && self.operands.iter().all(|own| is_of(Address::Inside, own, self.house))
            }
            Test::Address(sorts) => own.arguments.iter().any(|own| sorts.iter().any(|sort| is_of(*sort, own, self.house))),
        }
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
    let Some(at) = argument.find("://") else {
        // `git@host:team/repository.git`
        let scp = argument.split_once(':').filter(|(host, path)| host.contains('@') && !host.contains('/') && !path.is_empty());
        return scp.is_some_and(|(host, path)| is_of(sort, &format!("ssh://{host}/{path}"), house));
    };
    let start = argument.get(..at).unwrap_or_default().rfind(|before: char| !before.is_ascii_alphanumeric() && before != '+');
    let url = argument.get(start.map_or(0, |start| start + 1)..).unwrap_or(argument);
    let host = url.split_once("://").map_or("", |(_, rest)| rest).split(['/', '?']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default().to_lowercase();
    let is_outside = || destination(url, house).side == Side::Outside;
    match sort {
        Address::Unlisted => !list(REGISTRIES).contains(&host.as_str()) && is_outside(),
        Address::Outside => is_outside(),
        Address::Inside => destination(url, house).side == Side::Inside,
        Address::Number => host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok()) && is_outside(),
    }
}
