//! callgate.yaml as it is written.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::analyzer::item::AnalyzerItem;
use crate::cli::audit::config::AuditConfig;
use crate::cli::audit::limit::LimitConfig;
use crate::cli::exit::FailOn;
use crate::cli::failure::Failure;
use crate::cli::git::revision::Revision;
use crate::cli::own_tools::Tools;
use crate::cli::small_file;
use crate::cli::tenant::place::TenantsConfig;
use crate::knowledge::row::api::ApiRow;
use crate::knowledge::row::command::CommandRow;
use crate::knowledge::row::statement::StatementRow;
use crate::knowledge::row::word::WordRow;
use crate::model::registry::{BuildError, ModelSettings};
use crate::pattern::file::{ActionName, SeverityName};
use crate::subject::dialect::Dialect;
use crate::value::limits::Limits;
use crate::value::source::SourceName;
use crate::value::verdict::{Action, Verdict};
use crate::yaml;

/// How many faults of one kind are told of one file.
pub const MOST_FAULTS: usize = 50;

/// The settings of callgate.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "callgate.yaml")]
pub struct Config {
    /// The models that judge; of several the strictest opinion stands. `hybrid` if left out.
    pub models: Option<Vec<String>>,
    /// Warn from this score on (0–100). 40 if left out, for models without actions.
    #[schemars(range(min = 0, max = 100))]
    pub warn_threshold: Option<f64>,
    /// Block from this score on (0–100). 70 if left out, for models without actions.
    #[schemars(range(min = 0, max = 100))]
    pub block_threshold: Option<f64>,
    /// End with an error code from this verdict on; `warn` if left out.
    pub fail_on: Option<FailOn>,
    /// What to answer on what could not be judged; `block` if left out.
    pub on_undetermined: Option<VerdictName>,
    /// `true`: what agents run or obey and no reader exists for yet could not be judged, instead of being passed over.
    pub strict: bool,
    /// The verdict that stands for each action.
    pub verdicts: Verdicts,
    /// What is chosen for single rules, by id.
    pub rules: BTreeMap<String, RuleConfig>,
    /// Folders with files of patterns of your own, relative to this file.
    pub patterns: Vec<PathBuf>,
    /// Rules and programs of your own: expressions over features, regular expressions, programs over JSON. Only taken from
    /// a file that is named with --config.
    pub analyzers: Vec<AnalyzerItem>,
    /// Functions that call a tool, beside callTool: `name` or `object.name`.
    pub calls: Vec<String>,
    /// What scripts are written for; `auto`, told from each script itself, if left out.
    pub dialect: DialectName,
    /// What tools of yours do: by name or wildcard (`crm:*`), or as rows with `names`; of several that fit, the longest counts.
    pub tools: Tools,
    /// What packages and platforms of yours offer to scripts.
    pub apis: Vec<ApiRow>,
    /// What programs of yours do.
    pub commands: Vec<CommandRow>,
    /// What statements of databases and requests do.
    pub statements: Vec<StatementRow>,
    /// Hosts and paths with all that they tell.
    pub places: Vec<WordRow>,
    /// Words with all that they tell.
    pub words: Vec<WordRow>,
    /// What is yours: hosts, domains, mail domains, addresses, buckets and tools. What goes there stays inside.
    pub trusted: Vec<String>,
    /// Findings that somebody has looked at and lets stand, each with a reason.
    pub accept: Vec<AcceptItem>,
    /// A baseline, relative to this file: what stood there when it was written does not count.
    pub baseline: Option<PathBuf>,
    /// What is chosen for some files only; of several that fit the last counts, key by key. Tool calls, records and standard input
    /// are judged by none of them.
    pub overrides: Vec<OverrideItem>,
    /// Globs of what is left out, as in a .gitignore.
    pub exclude: Vec<String>,
    /// Settings of the models.
    pub model_settings: ModelSettings,
    /// Bounds on one source; what passes one is undetermined.
    pub limits: LimitsConfig,
    /// Where evaluations are stored, and for how long. Only taken from a file that is named with --config, or from your own settings.
    pub audit: Option<AuditConfig>,
    /// Limits on what adds up over the store of evaluations: the next call is warned of or blocked. Only taken from a file that is
    /// named with --config, or from your own settings.
    pub cumulative: Vec<LimitConfig>,
    /// Where the settings of tenants are, and what they may say. Only taken from a file that is named with --config, or from your own
    /// settings.
    pub tenants: Option<TenantsConfig>,
}

/// The verdict that stands for each action.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Verdicts {
    /// For `log`; `allow` if left out.
    pub log: Option<VerdictName>,
    /// For `warn`; `warn` if left out.
    pub warn: Option<VerdictName>,
    /// For `confirm`; `warn` if left out.
    pub confirm: Option<VerdictName>,
    /// For `redact`; `warn` if left out.
    pub redact: Option<VerdictName>,
    /// For `block`; `block` if left out.
    pub block: Option<VerdictName>,
}

impl Verdicts {
    /// The verdicts of actions for which another than the usual one was self.
    pub fn chosen(&self) -> BTreeMap<Action, Verdict> {
        [
            (Action::Log, self.log),
            (Action::Warn, self.warn),
            (Action::Confirm, self.confirm),
            (Action::Redact, self.redact),
            (Action::Block, self.block),
        ]
        .into_iter()
        .filter_map(|(action, verdict)| Some((action, verdict?.into())))
        .collect()
    }
}

/// A finding that somebody has looked at and lets stand.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptItem {
    /// The id of the rule; `undetermined` for what could not be judged.
    pub rule: String,
    /// A glob of the files in which its findings are accepted, relative to this file, as in a .gitignore.
    pub path: String,
    /// Why.
    pub reason: String,
    /// Who answers for it.
    pub owner: Option<String>,
    /// The last day on which it counts: `2027-03-31`.
    pub expires: Option<String>,
}

/// What is chosen for some files only.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverrideItem {
    /// A glob of the files, or several, relative to this file, as in a .gitignore.
    pub path: Globs,
    /// What is chosen for single rules, by id.
    #[serde(default)]
    pub rules: BTreeMap<String, RuleConfig>,
    /// What scripts are written for.
    pub dialect: Option<DialectName>,
    /// Warn from this score on (0–100).
    #[schemars(range(min = 0, max = 100))]
    pub warn_threshold: Option<f64>,
    /// Block from this score on (0–100).
    #[schemars(range(min = 0, max = 100))]
    pub block_threshold: Option<f64>,
    /// The models that judge; of several the strictest opinion stands.
    pub models: Option<Vec<String>>,
}

/// A glob, or several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Globs {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Globs {
    /// All of them.
    pub fn globs(&self) -> Vec<String> {
        match self {
            Self::One(glob) => vec![glob.clone()],
            Self::Several(globs) => globs.clone(),
        }
    }
}

/// What is chosen for a rule.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RuleConfig {
    /// `false` lets the rule not count at all.
    pub enabled: Option<bool>,
    /// How bad its hits are.
    pub severity: Option<SeverityName>,
    /// What its hits ask for.
    pub action: Option<ActionName>,
}

/// What scripts are written for.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
#[value(rename_all = "lowercase")]
pub enum DialectName {
    /// An agent script if it calls tools and imports nothing, otherwise Node
    #[default]
    Auto,
    /// The body of a function that calls tools and runs in a sandbox
    AgentScript,
    /// A program or module of a host such as Node
    Node,
}

impl From<DialectName> for Option<Dialect> {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::Auto => None,
            DialectName::AgentScript => Some(Dialect::AgentScript),
            DialectName::Node => Some(Dialect::Node),
        }
    }
}

/// A verdict's name.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictName {
    /// Let it run.
    Allow,
    /// Let a person look at it.
    Warn,
    /// Do not let it run.
    Block,
}

impl From<VerdictName> for Verdict {
    fn from(name: VerdictName) -> Self {
        match name {
            VerdictName::Allow => Self::Allow,
            VerdictName::Warn => Self::Warn,
            VerdictName::Block => Self::Block,
        }
    }
}

/// Bounds on one source.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsConfig {
    /// Largest file that is read, in bytes; 8388608 if left out.
    #[schemars(range(min = 1, max = 268_435_456))]
    pub file_size: Option<u64>,
    /// Deepest nesting of brackets; 1000 if left out.
    #[schemars(range(min = 1, max = 10_000))]
    pub nesting: Option<u32>,
    /// Longest run of tokens in one construct; 20000 if left out.
    #[schemars(range(min = 1, max = 100_000))]
    pub chain: Option<u32>,
    /// Most expressions of one script; 5000000 if left out.
    #[schemars(range(min = 1))]
    pub nodes: Option<u32>,
    /// Most expressions that are followed in one script, each as often as it is run, beside 24 for each of its own; 4000000 if left
    /// out.
    #[schemars(range(min = 1))]
    pub fuel: Option<u32>,
    /// Most calls of one script; 200000 if left out.
    #[schemars(range(min = 1))]
    pub calls: Option<u32>,
    /// Most texts of one script; 1000000 if left out.
    #[schemars(range(min = 1))]
    pub segments: Option<u32>,
    /// Most matches that are kept of one script; 1000 if left out.
    #[schemars(range(min = 1))]
    pub matches: Option<u32>,
}

impl LimitsConfig {
    /// The bounds that count.
    pub fn chosen(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            file_size: self.file_size.unwrap_or(usual.file_size),
            nesting: self.nesting.unwrap_or(usual.nesting),
            chain: self.chain.unwrap_or(usual.chain),
            nodes: self.nodes.unwrap_or(usual.nodes),
            fuel: self.fuel.unwrap_or(usual.fuel),
            calls: self.calls.unwrap_or(usual.calls),
            segments: self.segments.unwrap_or(usual.segments),
            matches: self.matches.unwrap_or(usual.matches),
        }
    }
}

/// A settings file that was read.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// What stands in it.
    pub config: Config,
    /// Where it stands; none, if there is none.
    pub path: Option<PathBuf>,
    /// Its text, to point at places in it.
    pub text: String,
    /// It was found and not named, so it may be anybody's.
    pub is_found: bool,
    /// The revision that it, and all that it names, is read from; else that is the working tree.
    pub revision: Option<Revision>,
    /// What stands over it, if anything does.
    pub over: Option<Over>,
}

/// The settings of a tenant, as they stand over the common ones.
#[derive(Clone, Debug)]
pub struct Over {
    /// Where they stand.
    pub path: PathBuf,
    /// Their text, to point at places in it.
    pub text: String,
}

impl Loaded {
    /// The file that says a word, with its text: what stands over counts.
    pub fn saying(&self, word: &str) -> (Option<&Path>, &str) {
        match &self.over {
            Some(over) if over.text.contains(word) => (Some(&over.path), &over.text),
            Some(_) | None => (self.path.as_deref(), &self.text),
        }
    }

    /// The file that stands over all others, with its text.
    pub fn uppermost(&self) -> (Option<&Path>, &str) {
        self.saying("")
    }

    /// The folder to which paths in the settings are relative: that of the file.
    pub fn folder(&self) -> &Path {
        self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""))
    }

    /// What took effect, as it is told.
    pub fn told(&self) -> Option<String> {
        let path = self.path.as_ref()?;
        let Some(revision) = &self.revision else { return Some(SourceName::explicit(path).as_text()) };
        let inside = revision.inside(path).unwrap_or_else(|| path.clone());
        Some(format!("{} at {}", SourceName::explicit(inside).as_text(), revision.shown()))
    }

    /// Reads a file that the settings name, from where they come from.
    ///
    /// # Errors
    ///
    /// When it cannot be read there.
    pub fn read_file(&self, path: &Path) -> io::Result<String> {
        match self.in_revision(path) {
            Some((revision, path)) => revision.read(&path),
            // What lies elsewhere was typed: settings of a revision name nothing outside.
            None => small_file::read_small(path),
        }
    }

    /// The names of everything in a folder that the settings name.
    ///
    /// # Errors
    ///
    /// When it cannot be listed there.
    pub fn list_folder(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        match self.in_revision(folder) {
            Some((revision, folder)) => revision.list(&folder),
            None => std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect(),
        }
    }

    /// The revision from which a path is read, and where it lies there.
    fn in_revision(&self, path: &Path) -> Option<(&Revision, PathBuf)> {
        let revision = self.revision.as_ref()?;
        Some((revision, revision.holding(path)?))
    }

    /// The baseline that the settings name.
    pub fn baseline(&self) -> Option<PathBuf> {
        let named = self.folder().join(self.config.baseline.as_ref()?);
        // As it would be typed: what lies in this folder or below is told by its name from here.
        let from_here = std::env::current_dir().ok().and_then(|here| named.strip_prefix(here).map(Path::to_path_buf).ok());
        Some(from_here.unwrap_or(named))
    }

    /// What is wrong with the settings of a model, at its place in the file.
    pub fn fault(&self, fault: &BuildError) -> Failure {
        let (path, text) = self.saying(&fault.word);
        let faults = vec![fault_at(text, &fault.word, fault.message.clone())];
        // What stands nowhere in the file was asked for elsewhere.
        match path {
            Some(path) if text.contains(&fault.word) => Failure::Faults { path: path.to_path_buf(), text: text.to_owned(), faults },
            Some(_) | None => Failure::Model { message: fault.message.clone() },
        }
    }
}

/// A fault at the place at which a key or word is written.
pub fn fault_at(text: &str, word: &str, message: String) -> yaml::Fault {
    let found = text.lines().enumerate().find_map(|(line, content)| {
        let code = content.split(" #").next().unwrap_or(content);
        let at = code.match_indices(word).map(|(at, _)| at).find(|at| is_whole(code, *at, word))?;
        Some((line, content.get(..at).map_or(0, |before| before.chars().count())))
    });
    let (line, column) = found.unwrap_or((0, 0));
    let narrow = |number: usize| u32::try_from(number + 1).unwrap_or(u32::MAX);
    yaml::Fault { line: narrow(line), column: narrow(column), message }
}

fn is_whole(line: &str, at: usize, word: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    let before = line.get(..at).and_then(|text| text.chars().next_back());
    let after = line.get(at + word.len()..).and_then(|text| text.chars().next());
    !before.is_some_and(is_part) && !after.is_some_and(is_part)
}
