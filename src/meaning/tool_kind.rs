//! Kinds of tools that are told by their names: those that run commands, those that run statements.

use crate::meaning::names::{split_owner, words};
use crate::meaning::vocabulary::Words;

/// The words of a tool's name: those of what owns it and those behind the last separator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolName {
    /// Words before the last separator.
    pub owner: Vec<String>,
    /// Words behind it.
    pub verb: Vec<String>,
}

impl ToolName {
    /// The words of a name.
    pub fn of(name: &str) -> Self {
        let (owner, verb) = split_owner(name);
        Self { owner: words(owner), verb: words(verb) }
    }

    /// Returns true if and only if one of its words is one of these.
    pub fn has(&self, any: Words) -> bool {
        any.has_any(self.all())
    }

    /// All words, those of the owner first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.owner.iter().chain(&self.verb).map(String::as_str)
    }
}

/// Owners whose tools run commands.
const SHELLS: Words = Words(
    "shell bash sh zsh terminal powershell pwsh cmd cli subprocess console ssh exec process system os commands command execa computer \
     host",
);
/// Verbs that run a command.
const RUNS: Words = Words("exec execute run spawn command invoke shell bash system eval start call send");
/// Owners that are a program whose arguments are passed.
const PROGRAMS: &[&str] = &[
    "kubectl",
    "git",
    "docker",
    "terraform",
    "aws",
    "gcloud",
    "az",
    "helm",
    "psql",
    "mysql",
    "redis",
    "npm",
    "gh",
    "rclone",
    "gsutil",
    "pulumi",
    "podman",
    "mongosh",
];
/// Words of tools that run statements.
const DATABASES: Words = Words(
    "db sql database databases postgres postgresql pg mysql mariadb sqlite mssql sqlserver oracle bigquery snowflake redshift \
     clickhouse warehouse cockroach supabase neon duckdb presto trino athena planetscale d1 prisma knex dwh rds",
);

/// Returns true if and only if a tool runs commands.
pub fn is_shell(name: &ToolName) -> bool {
    let in_owner = name.owner.iter().any(|word| SHELLS.has(word));
    let runs = name.verb.iter().any(|word| RUNS.has(word));
    let says_so = name
        .verb
        .iter()
        .any(|word| matches!(word.as_str(), "shell" | "bash" | "exec" | "terminal" | "powershell" | "subprocess" | "command"));
    in_owner && runs || says_so && !is_database(name) || program(name).is_some()
}

/// The program that a tool runs, if its name tells one: `kubectl` for `kubectl:run`.
pub fn program(name: &ToolName) -> Option<&'static str> {
    let runs = name.verb.iter().any(|word| RUNS.has(word) || word == "cli");
    let owner = name.owner.iter().find_map(|word| PROGRAMS.iter().find(|program| *program == word)).filter(|_| runs);
    let alone = match name.verb.as_slice() {
        [only] if name.owner.is_empty() => PROGRAMS.iter().find(|program| *program == only),
        _ => None,
    };
    owner.or(alone).copied()
}

/// Returns true if and only if a tool runs statements of a database.
pub fn is_database(name: &ToolName) -> bool {
    name.has(DATABASES)
}
