//! Rows of `knowledge/` and of the user's own with their examples: what they say, and whether the examples hold.

use crate::format::{Language, ReadOptions, registry};
use crate::knowledge::House;
use crate::knowledge::act::{ACTS, Act, KnownTool, known_tool};
use crate::knowledge::api::{Api, built_in_apis};
use crate::knowledge::command::{COMMANDS, CommandRow, Reader, Wrapper};
use crate::knowledge::effect::EffectKind;
use crate::knowledge::files::file_of;
use crate::knowledge::statement::{STATEMENTS, StatementRow};
use crate::knowledge::words::{TagRow, tag_rows, tags};
use crate::meaning::command::examples as of_commands;
use crate::meaning::statement::examples as of_statements;
use crate::meaning::tool::acts_of;

/// A row with its examples.
#[derive(Clone, Debug)]
pub struct Row {
    /// The file that holds it.
    pub file: String,
    /// What it is called.
    pub name: String,
    /// What it says, for people.
    pub says: String,
    /// What it fits.
    pub hit: Vec<String>,
    /// What it does not fit.
    pub miss: Vec<String>,
    /// Where it is known from.
    pub source: String,
    fact: Fact,
}

/// What a row is about.
#[derive(Clone, Debug)]
enum Fact {
    Act(&'static Act),
    Tool(&'static KnownTool),
    OwnTool(String),
    OwnApi(&'static Api),
    Api(&'static Api),
    Command(&'static CommandRow),
    Wrapper(&'static Wrapper),
    Reader(&'static Reader),
    Statement(&'static StatementRow),
    Tag(&'static TagRow),
}

/// An example that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The example as written.
    pub example: String,
    /// The row should fit it.
    pub is_hit: bool,
    /// What fits it instead, for people.
    pub instead: String,
}

/// A tool of the user's own with its examples.
#[derive(Clone, Debug)]
pub struct OwnToolRow {
    /// Its name or wildcard.
    pub name: String,
    /// A name that it fits.
    pub hit: Option<String>,
    /// A name that it does not fit.
    pub miss: Option<String>,
}

/// All rows that are built in.
pub fn built_in() -> Vec<Row> {
    let acts = ACTS.acts.iter().enumerate().map(|(at, act)| Row {
        name: format!("{} by {}", effect_name(act.effect), verbs_of(at).join(", ")),
        ..row("acts", at, Fact::Act(act), (&[act.hit.get()], &[act.miss.get()]), act.source.get())
    });
    let tools = ACTS.tools.iter().enumerate().map(|(at, tool)| Row {
        name: tool.name.to_owned(),
        says: effects_of(tool.effects, tool.object),
        ..row("tools", at, Fact::Tool(tool), (&[tool.hit.get()], &[tool.miss.get()]), tool.source)
    });
    let commands = COMMANDS.rows.iter().enumerate().map(|(at, own)| command("", at, own));
    let wrappers = COMMANDS
        .wrappers
        .iter()
        .enumerate()
        .map(|(at, own)| Row { name: of_commands::wrapper_name(own), ..row("wrappers", at, Fact::Wrapper(own), (own.hit, own.miss), "") });
    let readers = COMMANDS
        .readers
        .iter()
        .enumerate()
        .map(|(at, own)| Row { name: of_commands::reader_name(own), ..row("readers", at, Fact::Reader(own), (own.hit, own.miss), "") });
    let statements = STATEMENTS.rows.iter().enumerate().map(|(at, own)| statement("", at, own));
    let tags =
        tag_rows().iter().map(|own| Row { name: own.name.to_owned(), ..row("words", 0, Fact::Tag(own), (&[own.hit], &[own.miss]), "") });
    let apis = built_in_apis().iter().map(|own| Row {
        name: own.path.to_owned(),
        says: api_says(own),
        ..row("apis", 0, Fact::Api(own), (&[own.example], &[]), own.source)
    });
    acts.chain(tools).chain(commands).chain(wrappers).chain(readers).chain(statements).chain(tags).chain(apis).collect()
}

/// The rows of a user's own, from this file.
pub fn own(file: &str, house: &House, tools: &[OwnToolRow]) -> Vec<Row> {
    let of_tools = tools.iter().map(|tool| {
        let own = house.tool(&tool.name).unwrap_or_default();
        Row {
            file: file.to_owned(),
            name: tool.name.clone(),
            says: own.effects.map_or_else(String::new, |effects| effects_of(effects, own.object)),
            hit: tool.hit.iter().cloned().collect(),
            miss: tool.miss.iter().cloned().collect(),
            source: String::new(),
            fact: Fact::OwnTool(tool.name.clone()),
        }
    });
    let commands = house.rows.commands().iter().map(|own| command(file, 0, own));
    let apis = house.rows.apis().iter().map(|own| {
        let hit = Some(own.example).filter(|example| !example.is_empty());
        Row {
            file: file.to_owned(),
            name: own.path.to_owned(),
            says: api_says(own),
            ..row("apis", 0, Fact::OwnApi(own), (hit.as_slice(), &[]), own.source)
        }
    });
    let statements = house.rows.statements().iter().map(|own| statement(file, 0, own));
    of_tools.chain(commands).chain(statements).chain(apis).collect()
}

fn row(section: &str, at: usize, fact: Fact, (hit, miss): (&[&str], &[&str]), source: &str) -> Row {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Row {
        file: file_of(section, at).map_or_else(|| format!("knowledge/{section}"), str::to_owned),
        name: String::new(),
        says: String::new(),
        hit: owned(hit),
        miss: owned(miss),
        source: source.to_owned(),
        fact,
    }
}

fn command(file: &str, at: usize, own: &'static CommandRow) -> Row {
    let told = row("commands", at, Fact::Command(own), (own.hit, own.miss), own.source);
    let file = if file.is_empty() { told.file } else { file.to_owned() };
    let severity = own.severity.map_or_else(String::new, |severity| format!(", {severity}"));
    Row { file, name: own.name.to_owned(), says: format!("{} {}{severity}", own.kind.name(), own.object), ..told }
}

fn statement(file: &str, at: usize, own: &'static StatementRow) -> Row {
    let told = row("statements", at, Fact::Statement(own), (own.hit, own.miss), own.source);
    let file = if file.is_empty() { told.file } else { file.to_owned() };
    Row { file, name: own.name.to_owned(), says: format!("{} {}, {}", own.kind.name(), own.to, own.severity), ..told }
}

fn verbs_of(act: usize) -> Vec<&'static str> {
    ACTS.verbs.iter().filter(|(_, acts)| acts.contains(&act)).map(|(verb, _)| *verb).collect()
}

fn effect_name(effect: Option<EffectKind>) -> &'static str {
    effect.map_or("none", EffectKind::name)
}

fn effects_of(effects: &[EffectKind], object: Option<&str>) -> String {
    let names: Vec<&str> = effects.iter().map(|effect| effect.name()).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    object.map_or_else(|| names.clone(), |object| format!("{names} {object}"))
}

fn api_says(own: &Api) -> String {
    let origin = own.origin.map(|origin| format!("reads from {}", origin.name()));
    let sink = own.sink.map(|sink| format!("does {sink:?}").to_lowercase());
    origin.into_iter().chain(sink).collect::<Vec<_>>().join(", ")
}

impl Row {
    /// The program that it is about, if it is about one.
    pub fn program(&self) -> Option<&str> {
        match self.fact {
            Fact::Command(_) => self.name.split([' ', ',']).next(),
            _ => None,
        }
    }

    /// How many examples it has that can be tried.
    pub fn examples(&self) -> usize {
        if self.is_shown_only() { 0 } else { self.hit.len() + self.miss.len() }
    }

    /// Returns true if and only if its example shows one line of a script, and not where the object that it names comes from.
    fn is_shown_only(&self) -> bool {
        matches!(self.fact, Fact::Api(_))
    }

    /// All of its examples that do not hold, where `house` is what the user says.
    pub fn unmet(&self, house: &House) -> Vec<Unmet> {
        let all = self.hit.iter().map(|example| (example, true)).chain(self.miss.iter().map(|example| (example, false)));
        all.filter(|_| !self.is_shown_only())
            .filter_map(|(example, is_hit)| {
                let (fits, instead) = self.fact.looked_up(example, house);
                let instead = if instead.is_empty() { "nothing".to_owned() } else { instead.join("; ") };
                (fits != is_hit).then(|| Unmet { example: example.clone(), is_hit, instead })
            })
            .collect()
    }
}

impl Fact {
    /// Whether the row fits an example, and the names of all rows that do.
    fn looked_up(&self, example: &str, house: &House) -> (bool, Vec<String>) {
        match self {
            Self::Act(own) => {
                let found = acts_of(example);
                (found.contains(own), found.iter().map(|act| effect_name(act.effect).to_owned()).collect())
            }
            Self::Tool(own) => {
                // A row names several tools, and its examples are those of all of them.
                let found = known_tool(example);
                let fits = found.is_some_and(|found| found.source == own.source && found.effects == own.effects && found.hit == own.hit);
                (fits, found.map(|found| found.name.to_owned()).into_iter().collect())
            }
            Self::OwnTool(name) => {
                let found = house.tool_row(example);
                (found == Some(name), found.map(str::to_owned).into_iter().collect())
            }
            Self::OwnApi(own) | Self::Api(own) => {
                // A row names several paths, and its example is one of all of them.
                let is_of_row =
                    |path: &String| house.rows.apis().iter().any(|api| api.path == path && std::ptr::eq(api.example, own.example));
                let found = house.rows.counting(|| called(example));
                (found.iter().any(is_of_row), found)
            }
            Self::Command(own) => {
                let found = house.rows.counting(|| of_commands::fitting_rows(example));
                (found.iter().any(|row| std::ptr::eq(*row, *own)), found.iter().map(|row| row.name.to_owned()).collect())
            }
            Self::Wrapper(own) => (of_commands::starts(own, example), Vec::new()),
            Self::Reader(own) => (of_commands::reads(own, example), Vec::new()),
            Self::Statement(own) => {
                let found = house.rows.counting(|| of_statements::fitting_rows(own, example));
                (found.iter().any(|row| std::ptr::eq(*row, *own)), found.iter().map(|row| row.name.to_owned()).collect())
            }
            Self::Tag(own) => {
                let found = tags(example);
                (found.contains(&own.tag), found.iter().map(|tag| format!("{tag:?}")).collect())
            }
        }
    }
}

/// The paths of the APIs that a script uses.
fn called(script: &str) -> Vec<String> {
    let recognised = registry::by_language(Language::JavaScript);
    let subjects = (recognised.format.read)(script, recognised.language, &ReadOptions::default());
    let calls = subjects.iter().flat_map(|subject| &subject.host_calls).map(|call| call.api.clone());
    let origins = subjects.iter().flat_map(|subject| &subject.origins).map(|origin| origin.name.clone());
    let mut all: Vec<String> = calls.chain(origins).collect();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_row_holds_its_examples() {
        let house = House::default();
        let rows = built_in();
        let unmet: Vec<(&str, Unmet)> =
            rows.iter().flat_map(|row| row.unmet(&house).into_iter().map(|unmet| (row.name.as_str(), unmet))).collect();
        assert!(unmet.is_empty(), "{unmet:#?}");
        assert!(2_000 < rows.iter().map(Row::examples).sum::<usize>());
    }

    #[test]
    fn a_row_is_told_with_the_file_that_holds_it() {
        let file = |name: &str| built_in().into_iter().find(|row| row.name == name).map(|row| row.file);
        assert_eq!(file("start_process").as_deref(), Some("knowledge/tools/shell.yaml"));
        assert_eq!(file("drop-host").as_deref(), Some("knowledge/words"));
        let own = COMMANDS.rows.iter().position(|row| row.name.starts_with("dd ")).and_then(|at| file_of("commands", at));
        assert_eq!(own, Some("knowledge/commands/files.yaml"));
    }
}
