//! The command line as it is typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::cli::args_baseline::BaselineArgs;
use crate::cli::args_generate::GenerateArgs;
use crate::cli::audit::args::{AuditArgs, AuditCommandArgs};
use crate::cli::audit::asked::{HistoryArgs, SessionsArgs, TrendsArgs};
use crate::cli::chosen::{Output, output_in};
use crate::cli::config::DialectName;
use crate::cli::exit::{
    AUDIT_EXIT_CODES_HELP, COMPARE_EXIT_CODES_HELP, DOCTOR_EXIT_CODES_HELP, EXIT_CODES_HELP, FailOn, HOOK_EXIT_CODES_HELP,
    REPLAY_EXIT_CODES_HELP, TOOLS_EXIT_CODES_HELP, TRENDS_EXIT_CODES_HELP, TUNE_EXIT_CODES_HELP,
};
use crate::cli::list_format::ListFormat;
use crate::cli::words::{host, language, model, percent, rate, score, severity, verdict};
use crate::format::Language;
use crate::report::registry::{AUDITORS, COMPARERS, REPLAYERS, REPORTERS, TUNERS};
use crate::value::severity::Severity;
use crate::value::verdict::Verdict;

/// The gate in front of an agent's actions: judges scripts and tool calls before they run
///
/// callgate reads what an agent is about to run or is told, finds what is risky in it by understanding the code,
/// and answers allow, warn or block by its exit code.
#[derive(Debug, Parser)]
#[command(name = "callgate", version, after_help = EXIT_CODES_HELP, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
pub struct Args {
    /// What holds for every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// Whether errors are printed with colours.
    pub fn colour(&self) -> bool {
        self.global.color.applies(&std::io::stderr())
    }
}

/// What holds for every command.
#[derive(Clone, Debug, ClapArgs)]
pub struct Global {
    /// Use this settings file instead of the callgate.yaml found in this folder or above
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config", help_heading = "Settings")]
    pub config: Option<PathBuf>,
    /// Use no settings file
    #[arg(long, global = true, help_heading = "Settings")]
    pub no_config: bool,
    /// Take the settings, and all files that they name, as they are in this revision of git and not in the working tree
    #[arg(long, global = true, value_name = "REV", conflicts_with_all = ["config", "no_config"], help_heading = "Settings")]
    pub config_from: Option<String>,
    /// The settings file was not named for this run, and lies where the agent works that is judged.
    #[arg(skip)]
    pub is_in_reach: bool,
    /// Add the patterns of all YAML files in this folder (repeatable)
    #[arg(long, global = true, value_name = "DIR", help_heading = "Settings")]
    pub patterns: Vec<PathBuf>,
    /// Add the known-bad samples of this YAML file for the similarity model (repeatable)
    #[arg(long, global = true, value_name = "FILE", help_heading = "Settings")]
    pub samples: Vec<PathBuf>,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: ColorChoice,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Whether a stream gets colours.
    pub fn applies(self, stream: &impl std::io::IsTerminal) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge scripts, tool calls and texts, and answer allow, warn or block
    #[command(after_help = EXIT_CODES_HELP)]
    Scan(Box<ScanArgs>),
    /// Show what every scoring model thinks of the same scripts, side by side
    #[command(after_help = COMPARE_EXIT_CODES_HELP)]
    Compare(Box<CompareArgs>),
    /// Judge the same files by two settings, and tell which verdicts flip
    #[command(after_help = REPLAY_EXIT_CODES_HELP)]
    Replay(Box<ReplayArgs>),
    /// Find out from labelled files how well each model tells bad from good, and which thresholds would
    #[command(after_help = TUNE_EXIT_CODES_HELP)]
    Tune(Box<TuneArgs>),
    /// Work with the store of evaluations: verify it, export it, take old ones out, label them
    #[command(after_help = AUDIT_EXIT_CODES_HELP)]
    Audit(Box<AuditCommandArgs>),
    /// Show the latest evaluations of the store
    History(Box<HistoryArgs>),
    /// Show how evaluations of the store changed over time, and whether it gets worse
    #[command(after_help = TRENDS_EXIT_CODES_HELP)]
    Trends(Box<TrendsArgs>),
    /// Show the sessions of the store: how many calls, how they ended, the highest score
    Sessions(Box<SessionsArgs>),
    /// Say what the tools of a server do and what their descriptions hide, before it is connected
    #[command(after_help = TOOLS_EXIT_CODES_HELP)]
    Tools(Box<ToolsArgs>),
    /// Show what a baseline holds, or take out what is gone
    Baseline(BaselineArgs),
    /// Say what a rule means, why it matters and what to do about it
    Explain(ExplainArgs),
    /// List all rules
    Rules(ListArgs),
    /// List all scoring models
    Models(ListArgs),
    /// Work with patterns
    Patterns(PatternsArgs),
    /// Work with the known-bad samples of the similarity model
    Samples(SamplesArgs),
    /// Answer one payload of an agent host, in the host's own form
    #[command(after_help = HOOK_EXIT_CODES_HELP)]
    Hook(Box<HookArgs>),
    /// Prove that the hooks of agent hosts fire
    #[command(after_help = DOCTOR_EXIT_CODES_HELP)]
    Doctor(DoctorArgs),
    /// Write a commented callgate.yaml, or install the git hook or the hooks of an agent host
    Init(InitArgs),
    /// Write completions, man pages or JSON schemas
    Generate(GenerateArgs),
}

/// What is read: shared by all commands that read sources.
#[derive(Debug, Default, ClapArgs)]
pub struct InputArgs {
    /// Files, folders, or - for standard input [default: this folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Name standard input, which also tells what it is [default: a script]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub stdin_filename: Option<PathBuf>,
    /// Read the paths from a file, or from - for standard input; separated by newlines or NULs
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub files_from: Option<PathBuf>,
    /// Take the files that are named for a list of all there are: those that hold nothing to judge are passed over, as in a folder
    #[arg(long, help_heading = "Input")]
    pub listed: bool,
    /// Take every file for this, whatever its name
    #[arg(long, visible_alias = "as", value_name = "LANGUAGE", value_parser = language(), help_heading = "Input")]
    pub language: Option<Language>,
    /// What scripts are written for; only agent scripts are held to a sandbox [default: auto]
    #[arg(long, value_name = "DIALECT", help_heading = "Input")]
    pub dialect: Option<DialectName>,
    /// What servers say of their tools: an answer to MCP's tools/list (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub tools: Vec<PathBuf>,
    /// Leave out what this glob matches, as in a .gitignore (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    pub exclude: Vec<String>,
    /// Leave out what --exclude and the settings name even where it is named on the command line
    #[arg(long, help_heading = "Input")]
    pub force_exclude: bool,
    /// Take also what .gitignore, .ignore and .callgateignore name
    #[arg(long, help_heading = "Input")]
    pub no_ignore: bool,
    /// Take also hidden files and folders
    #[arg(long, help_heading = "Input")]
    pub hidden: bool,

    /// How many threads work [default: one a processor]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// What follows from what is found: shared by all commands that judge.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct JudgementArgs {
    /// Warn from this score on (0-100) [default: 40, for models without actions]
    #[arg(long, value_name = "SCORE", value_parser = score, help_heading = "Judgement")]
    pub warn_threshold: Option<f64>,
    /// Block from this score on (0-100) [default: 70, for models without actions]
    #[arg(long, value_name = "SCORE", value_parser = score, help_heading = "Judgement")]
    pub block_threshold: Option<f64>,
    /// Do not let this rule count (repeatable)
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Judgement")]
    pub disable: Vec<String>,
    /// What to answer on what could not be judged [default: block]
    #[arg(long, value_name = "VERDICT", value_parser = verdict(), help_heading = "Judgement")]
    pub on_undetermined: Option<Verdict>,
    /// Short for --on-undetermined allow
    #[arg(long, conflicts_with = "on_undetermined", help_heading = "Judgement")]
    pub fail_open: bool,
    /// Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged
    #[arg(long, help_heading = "Judgement")]
    pub strict: bool,
    /// Let no acceptance count, neither in comments nor in the settings: for audits
    #[arg(long, help_heading = "Judgement")]
    pub no_acceptances: bool,
}

/// `callgate scan`.
#[derive(Debug, ClapArgs)]
pub struct ScanArgs {
    /// What is read.
    #[command(flatten)]
    pub input: InputArgs,
    /// Judge what git has staged for the next commit, as it stands in the index
    #[arg(long, conflicts_with_all = ["paths", "files_from", "stdin_filename", "hidden", "no_ignore"], help_heading = "Input")]
    pub staged: bool,
    /// Judge only files that changed since this branch left that revision, as they are in the working tree
    #[arg(long, value_name = "REV", conflicts_with_all = ["staged", "list_files", "files_from", "stdin_filename", "listed", "write_baseline"], help_heading = "Input")]
    pub since: Option<String>,
    /// As --since, and count only what is found now and was not found there
    #[arg(long, value_name = "REV", conflicts_with_all = ["since", "staged", "list_files", "files_from", "stdin_filename", "listed", "write_baseline"], help_heading = "Input")]
    pub delta: Option<String>,

    /// The model that judges; of several the strictest opinion stands (repeatable) [default: hybrid]
    #[arg(long, value_name = "MODEL", value_delimiter = ',', value_parser = model(), help_heading = "Judgement")]
    pub model: Vec<String>,
    /// What follows from what is found.
    #[command(flatten)]
    pub judgement: JudgementArgs,
    /// End with an error code from this verdict on [default: warn]
    #[arg(long, value_name = "VERDICT", help_heading = "Judgement")]
    pub fail_on: Option<FailOn>,
    /// End with 0 whatever the verdict
    #[arg(long, conflicts_with = "fail_on", help_heading = "Judgement")]
    pub exit_zero: bool,
    /// Fail if less than this share of the files was judged wholly (0-100)
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "Judgement")]
    pub min_coverage: Option<f64>,
    /// Warn at least where an acceptance is unused, expired or faulty
    #[arg(long, conflicts_with_all = ["exit_zero", "no_acceptances"], help_heading = "Judgement")]
    pub deny_unused: bool,
    /// Do not count what stood there when this baseline was written
    #[arg(long, value_name = "FILE", conflicts_with_all = ["write_baseline", "no_acceptances"], help_heading = "Judgement")]
    pub baseline: Option<PathBuf>,
    /// Write all findings into a baseline, so that only what is new counts from now on [default: callgate-baseline.json]
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "callgate-baseline.json",
        conflicts_with_all = ["no_acceptances", "deny_unused", "staged"],
        help_heading = "Judgement"
    )]
    pub write_baseline: Option<PathBuf>,

    /// What is remembered of it.
    #[command(flatten)]
    pub audit: AuditArgs,

    /// How to report, each also as FORMAT=FILE (repeatable): table, json, jsonl, sarif, concise, github, gitlab, junit or markdown
    /// [default: table]
    #[arg(long, short, value_name = "FORMAT[=FILE]", value_parser = output, help_heading = "Output")]
    pub format: Vec<Output>,
    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// List every file with what becomes of it, and judge none; as a table, or with --format json or jsonl
    #[arg(long, help_heading = "Output")]
    pub list_files: bool,
    /// Show only what is at least this bad; everything is judged and counted all the same
    #[arg(long, value_name = "SEVERITY", value_parser = severity(), help_heading = "Output")]
    pub min_severity: Option<Severity>,
    /// Count how often each rule hit; a table shows that instead of the findings
    #[arg(long, help_heading = "Output")]
    pub statistics: bool,
    /// Also report the features of each script and tool call: tools, arguments, control flow, data flow, sequences
    #[arg(long, help_heading = "Output")]
    pub features: bool,
    /// Also report what each score is made of, and which change would lower the verdict
    #[arg(long, help_heading = "Output")]
    pub explain_score: bool,
    /// Report only what warns or blocks, without totals
    #[arg(long, short, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// Report everything: also what is allowed, all matches, all steps
    #[arg(long, short, action = ArgAction::SetTrue, help_heading = "Output")]
    pub verbose: bool,
}

/// `callgate compare`.
#[derive(Debug, ClapArgs)]
pub struct CompareArgs {
    /// What is read.
    #[command(flatten)]
    pub input: InputArgs,

    /// Compare these models, in this order (repeatable) [default: all that judge by themselves]
    #[arg(long, value_name = "MODEL", value_delimiter = ',', value_parser = model(), help_heading = "Judgement")]
    pub model: Vec<String>,
    /// Compare also models that say nothing of a script by itself, or that ask a server
    #[arg(long, conflicts_with = "model", help_heading = "Judgement")]
    pub all: bool,
    /// What follows from what is found.
    #[command(flatten)]
    pub judgement: JudgementArgs,

    /// How to report: table, json or html, each also as FORMAT=FILE (repeatable) [default: table]
    #[arg(long, short, value_name = "FORMAT[=FILE]", value_parser = comparison_output, help_heading = "Output")]
    pub format: Vec<Output>,
    /// Write the comparison to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Show only what the models answer differently
    #[arg(long, help_heading = "Output")]
    pub disagreements: bool,
}

/// `callgate replay`.
#[derive(Debug, ClapArgs)]
pub struct ReplayArgs {
    /// What is read.
    #[command(flatten)]
    pub input: InputArgs,
    /// The settings file before the change, then the one after it; one alone is held against the callgate.yaml here
    #[arg(id = "config", long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Settings")]
    pub config: Vec<PathBuf>,

    /// What was judged before the change: a report of an earlier run (json or jsonl), or a store of evaluations; so an upgrade of
    /// callgate itself is judged
    #[arg(long, value_name = "REPORT|STORE", conflicts_with = "model_before", help_heading = "Settings")]
    pub against: Option<OsString>,

    /// The model that judges before the change (repeatable) [default: as the settings say]
    #[arg(long, value_name = "MODEL", value_delimiter = ',', value_parser = model(), help_heading = "Judgement")]
    pub model_before: Vec<String>,
    /// The model that judges after the change (repeatable) [default: as the settings say]
    #[arg(long, value_name = "MODEL", value_delimiter = ',', value_parser = model(), help_heading = "Judgement")]
    pub model_after: Vec<String>,
    /// What follows from what is found.
    #[command(flatten)]
    pub judgement: JudgementArgs,
    /// End with 1 if any verdict flips
    #[arg(long, help_heading = "Judgement")]
    pub fail_on_flip: bool,

    /// How to report: table or json, each also as FORMAT=FILE (repeatable) [default: table]
    #[arg(long, short, value_name = "FORMAT[=FILE]", value_parser = replay_output, help_heading = "Output")]
    pub format: Vec<Output>,
    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

/// `callgate tune`.
#[derive(Debug, ClapArgs)]
pub struct TuneArgs {
    /// What is read.
    #[command(flatten)]
    pub input: InputArgs,
    /// Which files are bad and which are good: CSV (path,label) or JSON Lines ({"path": …, "label": …})
    ///
    /// Labels are malicious or benign, bad or good, block or allow, 1 or 0. A path counts from this folder, or else from that
    /// of the labels.
    #[arg(long, value_name = "FILE", required_unless_present = "audit", help_heading = "Input")]
    pub labels: Option<PathBuf>,
    /// Calibrate the weights of hybrid by this store and its labels [default: as of `callgate audit`]
    #[arg(long, value_name = "STORE", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["labels", "paths", "model", "fpr", "plot"], help_heading = "Input")]
    pub audit: Option<OsString>,

    /// Tune these models (repeatable) [default: all that judge by themselves]
    #[arg(long, value_name = "MODEL", value_delimiter = ',', value_parser = model(), help_heading = "Judgement")]
    pub model: Vec<String>,
    /// What follows from what is found.
    #[command(flatten)]
    pub judgement: JudgementArgs,
    /// Find the threshold that flags no more than this share of the good files (repeatable) [default: 0, 0.01, 0.05]
    ///
    /// The threshold for the lowest rate is meant to block from, the one for the highest to warn from.
    #[arg(long, value_name = "RATE", value_delimiter = ',', value_parser = rate, help_heading = "Judgement")]
    pub fpr: Vec<f64>,

    /// How to report: table or json, each also as FORMAT=FILE (repeatable) [default: table]
    #[arg(long, short, value_name = "FORMAT[=FILE]", value_parser = tuning_output, help_heading = "Output")]
    pub format: Vec<Output>,
    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Draw the curves and the scores of all models into this SVG file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub plot: Option<PathBuf>,
    /// Put the thresholds of the model that judges or is named (with --audit: the weights of hybrid) into callgate.yaml
    #[arg(long, help_heading = "Output")]
    pub write: bool,
}

/// `callgate tools`.
#[derive(Debug, ClapArgs)]
pub struct ToolsArgs {
    /// Answers to MCP's tools/list, or functions as requests to models list them
    #[arg(value_name = "MANIFEST", required_unless_present = "guess")]
    pub manifests: Vec<PathBuf>,
    /// Say what is thought of a call of the tool of that name with these arguments (a JSON object), and the row to say better
    #[arg(long, num_args = 1..=2, value_names = ["NAME", "JSON"], conflicts_with = "manifests", help_heading = "Input")]
    pub guess: Vec<String>,

    /// What follows from what is found.
    #[command(flatten)]
    pub judgement: JudgementArgs,

    /// How to report: table, json or jsonl, each also as FORMAT=FILE (repeatable) [default: table]
    #[arg(long, short, value_name = "FORMAT[=FILE]", value_parser = audit_output, help_heading = "Output")]
    pub format: Vec<Output>,
    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

/// `callgate explain`.
#[derive(Debug, ClapArgs)]
pub struct ExplainArgs {
    /// The rule's id
    #[arg(value_name = "RULE")]
    pub rule: String,
}

/// `callgate rules` and `callgate models`.
#[derive(Debug, ClapArgs)]
pub struct ListArgs {
    /// How to list
    #[arg(long, short, value_name = "FORMAT", default_value = "table")]
    pub format: ListFormat,
}

/// `callgate patterns`.
#[derive(Debug, ClapArgs)]
pub struct PatternsArgs {
    /// What to do with the patterns.
    #[command(subcommand)]
    pub command: PatternsCommand,
}

/// What to do with the patterns.
#[derive(Debug, Subcommand)]
pub enum PatternsCommand {
    /// Run every pattern's own examples
    Test,
}

/// `callgate samples`.
#[derive(Debug, ClapArgs)]
pub struct SamplesArgs {
    /// What to do with the samples.
    #[command(subcommand)]
    pub command: SamplesCommand,
}

/// What to do with the samples.
#[derive(Debug, Subcommand)]
pub enum SamplesCommand {
    /// Check that every sample is found and that no harmless text is taken for one
    Test,
    /// Write the index of all samples, for `model_settings.similarity.index`
    Index {
        /// Write it to this file
        #[arg(long, short, value_name = "FILE")]
        output: PathBuf,
    },
}

/// `callgate init`.
#[derive(Debug, ClapArgs)]
pub struct InitArgs {
    /// Add callgate to the git pre-commit hook instead of writing callgate.yaml
    #[arg(long)]
    pub hook: bool,
    /// Write callgate.yaml even if there is one
    #[arg(long, conflicts_with = "hook")]
    pub force: bool,

    /// Add callgate's hooks to the settings of this agent host
    #[arg(long, value_name = "HOST", value_parser = host(), conflicts_with_all = ["hook", "force"], help_heading = "Agents")]
    pub agent: Option<String>,
    /// Into your own settings, for all projects (the default)
    #[arg(long, requires = "agent", conflicts_with = "project", help_heading = "Agents")]
    pub user: bool,
    /// Into the settings of the project in this folder
    #[arg(long, requires = "agent", help_heading = "Agents")]
    pub project: bool,
    /// Take callgate's hooks out again
    #[arg(long, requires = "agent", help_heading = "Agents")]
    pub remove: bool,
    /// Print the settings instead of writing them
    #[arg(long, requires = "agent", help_heading = "Agents")]
    pub dry_run: bool,
}

/// `callgate hook`.
#[derive(Clone, Debug, ClapArgs)]
pub struct HookArgs {
    /// The agent host that sends the payload [default: told from the payload]
    #[arg(value_name = "HOST", value_parser = host())]
    pub host: Option<String>,

    /// What servers say of their tools: an answer to MCP's tools/list (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub tools: Vec<PathBuf>,

    /// The model that judges; of several the strictest opinion stands (repeatable) [default: hybrid]
    #[arg(long, value_name = "MODEL", value_delimiter = ',', value_parser = model(), help_heading = "Judgement")]
    pub model: Vec<String>,
    /// What follows from what is found.
    #[command(flatten)]
    pub judgement: JudgementArgs,

    /// What is remembered of it.
    #[command(flatten)]
    pub audit: AuditArgs,

    /// What to answer where the verdict is warn; where nobody can be asked, ask is deny
    #[arg(long, value_name = "ANSWER", default_value = "ask", help_heading = "Answer")]
    pub on_warn: OnWarn,
    /// Deny what is not judged after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600), help_heading = "Answer")]
    pub deadline: u64,
}

/// What a hook answers where the verdict is warn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnWarn {
    /// A person decides.
    Ask,
    /// It passes.
    Allow,
    /// It does not pass.
    Deny,
}

/// `callgate doctor`.
#[derive(Debug, ClapArgs)]
pub struct DoctorArgs {
    /// The agent hosts to look at [default: all that have hooks of callgate's]
    #[arg(value_name = "HOST", value_parser = host())]
    pub hosts: Vec<String>,
}

fn output(text: &str) -> Result<Output, String> {
    output_in(text, &REPORTERS.iter().map(|reporter| reporter.name).collect::<Vec<_>>())
}

fn comparison_output(text: &str) -> Result<Output, String> {
    output_in(text, &COMPARERS.iter().map(|comparer| comparer.name).collect::<Vec<_>>())
}

fn replay_output(text: &str) -> Result<Output, String> {
    output_in(text, &REPLAYERS.iter().map(|replayer| replayer.name).collect::<Vec<_>>())
}

fn tuning_output(text: &str) -> Result<Output, String> {
    output_in(text, &TUNERS.iter().map(|tuner| tuner.name).collect::<Vec<_>>())
}

fn audit_output(text: &str) -> Result<Output, String> {
    output_in(text, &AUDITORS.iter().map(|auditor| auditor.name).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory as _;
        Args::command().debug_assert();
    }
}
