//! A row of `statements:`.

use serde::Deserialize;

use crate::knowledge::row::term::{EffectKind, Extent, SeverityTerm};

/// A language of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// SQL of all dialects.
    Sql,
    /// Calls and commands of MongoDB.
    Mongo,
    /// Commands of Redis.
    Redis,
    /// Operations of GraphQL.
    Graphql,
    /// Cypher, as graph databases read it.
    Cypher,
    /// A request: a method and an address.
    Http,
    /// A call of a tool: its name and its argument.
    Tool,
}

/// What a statement or a request does, if it looks like this.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StatementRow {
    /// The language.
    pub of: Language,
    /// It begins with one of these; none for all.
    #[serde(default)]
    pub verb: Vec<String>,
    /// It is done to a thing of one of these kinds; none for all.
    #[serde(default)]
    pub object: Vec<String>,
    /// What must hold.
    #[serde(default)]
    pub when: Option<StatementTests>,
    /// What must hold besides.
    #[serde(default)]
    pub and: Option<StatementTests>,
    /// None of this may hold.
    #[serde(default)]
    pub unless: StatementTests,
    /// What is done.
    pub does: EffectKind,
    /// What it is done to.
    pub to: String,
    /// How bad it is.
    pub severity: SeverityTerm,
    /// What happens, for people: follows "it"; `{name}`, `{object}` and `{verb}` stand for those of the statement.
    pub says: String,
    /// Statements that do it.
    #[serde(default)]
    pub hit: Vec<String>,
    /// Statements near to them that do not do it.
    #[serde(default)]
    pub miss: Vec<String>,
    /// Where the facts are from.
    #[serde(default)]
    pub source: String,
}

impl StatementRow {
    /// What it is called: by its language, its verb and what it says.
    pub fn name(&self) -> String {
        format!("{} {}: {}", format!("{:?}", self.of).to_lowercase(), self.verb.first().map_or("", String::as_str), self.says)
    }
}

/// The closed list of predicates; an empty one is not asked.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct StatementTests {
    /// It has one of these phrases: words that follow one another.
    pub has: Vec<String>,
    /// It calls one of these functions.
    pub call: Vec<String>,
    /// It sets something so: `name=value` fits one of these wildcards.
    pub set: Vec<String>,
    /// One of its strings fits one of these wildcards.
    pub text: Vec<String>,
    /// The name of what it is done to fits one of these wildcards.
    pub name: Vec<String>,
    /// The host of a request fits one of these wildcards, or the service whose tool makes it is one of them.
    pub host: Vec<String>,
    /// It is done to so much.
    pub extent: Vec<Extent>,
    /// It is done to what is made anew when it is needed.
    pub spare: bool,
}
