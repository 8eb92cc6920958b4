//! The command line of the store of evaluations, as it is typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use crate::cli::tenant::args::TenantArgs;
use crate::value::time;
use crate::value::verdict::Verdict;

/// What is remembered of a run: shared by the commands that stand before what an agent does.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct AuditArgs {
    /// Store every evaluation in this file, or on this server (postgres://…) [default: audit.db in your folder of state]
    #[arg(long, value_name = "STORE", num_args = 0..=1, default_missing_value = "", help_heading = "Audit")]
    pub audit: Option<OsString>,
    /// Fail if an evaluation cannot be stored, instead of telling it only
    #[arg(long, help_heading = "Audit")]
    pub audit_required: bool,
    /// The session that everything belongs to, whatever the input says: calls of one session are judged by what came before
    #[arg(long, value_name = "ID", help_heading = "Audit")]
    pub session: Option<String>,
    /// Write counters for Prometheus into this file: those of the store if one is written, else those of this run
    #[arg(long, value_name = "FILE", help_heading = "Audit")]
    pub metrics: Option<PathBuf>,
    /// Whose run it is.
    #[command(flatten)]
    pub tenant: TenantArgs,
}

/// `callgate audit`.
#[derive(Debug, ClapArgs)]
pub struct AuditCommandArgs {
    /// The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]
    #[arg(long, visible_alias = "audit", global = true, value_name = "STORE")]
    pub store: Option<OsString>,
    /// What to do with it.
    #[command(subcommand)]
    pub command: AuditCommand,
}

/// What to do with the store of evaluations.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Say where the store is
    Path,
    /// Check that no record was changed, added or taken away since it was written
    Verify(VerifyArgs),
    /// Take old records out; what is left still verifies
    Prune(PruneArgs),
    /// Write records as JSON Lines or CSV
    Export(ExportArgs),
    /// Say that what was judged was bad, or good
    Label(LabelArgs),
}

/// `callgate audit verify`.
#[derive(Debug, ClapArgs)]
pub struct VerifyArgs {
    /// A head that was printed before and noted elsewhere: it must still be there (repeatable)
    #[arg(long, value_name = "HASH")]
    pub head: Vec<String>,
}

/// `callgate audit prune`.
#[derive(Debug, ClapArgs)]
pub struct PruneArgs {
    /// Records older than this: 90d, 12h, 4w [default: the retention of your settings]
    #[arg(long, value_name = "AGE", value_parser = age)]
    pub older_than: Option<i64>,
    /// Clean passes older than this [default: as --older-than]
    #[arg(long, value_name = "AGE", value_parser = age)]
    pub clean_older_than: Option<i64>,
    /// All but so many of the newest
    #[arg(long, value_name = "N")]
    pub keep: Option<u64>,
    /// All but so many of the newest clean passes [default: as --keep]
    #[arg(long, value_name = "N")]
    pub keep_clean: Option<u64>,
    /// Only of this tenant
    #[arg(long, value_name = "ID")]
    pub tenant: Option<String>,
    /// Only say what would be taken out
    #[arg(long)]
    pub dry_run: bool,
}

/// `callgate audit export`.
#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// How to write them
    #[arg(long, short, value_name = "FORMAT", default_value = "jsonl")]
    pub format: ExportFormat,
    /// Write them to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Which of them.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Without clean passes
    #[arg(long, help_heading = "Filter")]
    pub no_clean: bool,
    /// Only what was labelled
    #[arg(long, help_heading = "Filter")]
    pub labelled: bool,
    /// At most so many, the newest
    #[arg(long, value_name = "N", help_heading = "Filter")]
    pub limit: Option<u64>,
}

/// Which evaluations are asked for: shared by all commands that ask a store.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct FilterArgs {
    /// Not before this day or point in time: 2026-11-01, 2026-11-01T12:00Z, or so long ago: 30d
    #[arg(long, value_name = "WHEN", value_parser = when, help_heading = "Filter")]
    pub since: Option<i64>,
    /// Before this day or point in time
    #[arg(long, value_name = "WHEN", value_parser = when, help_heading = "Filter")]
    pub until: Option<i64>,
    /// At least this strict
    #[arg(long, value_name = "VERDICT", value_parser = verdict(), help_heading = "Filter")]
    pub verdict: Option<Verdict>,
    /// Where this rule hit
    #[arg(long, value_name = "RULE", help_heading = "Filter")]
    pub rule: Option<String>,
    /// Whose path fits this glob; * also stands for slashes
    #[arg(long, value_name = "GLOB", help_heading = "Filter")]
    pub path: Option<String>,
    /// Of this session
    #[arg(long, value_name = "ID", help_heading = "Filter")]
    pub session: Option<String>,
    /// Of this agent host
    #[arg(long, value_name = "HOST", help_heading = "Filter")]
    pub agent: Option<String>,
    /// Of this tenant [default: $CALLGATE_TENANT, else those without one]
    #[arg(long, value_name = "ID", help_heading = "Filter")]
    pub tenant: Option<String>,
    /// Of all tenants
    #[arg(long, conflicts_with_all = ["tenant", "session", "agent"], help_heading = "Filter")]
    pub all_tenants: bool,
}

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated, with a line of names.
    Csv,
}

/// `callgate audit label`.
#[derive(Debug, ClapArgs)]
pub struct LabelArgs {
    /// The evaluation_id
    #[arg(value_name = "ID")]
    pub id: String,
    /// What it was
    #[arg(value_name = "LABEL")]
    pub label: LabelName,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

/// What people say of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LabelName {
    /// What was judged was malicious, or did harm.
    Bad,
    /// It was meant and harmless.
    Good,
}

fn verdict() -> impl clap::builder::TypedValueParser<Value = Verdict> {
    use clap::builder::TypedValueParser as _;
    clap::builder::PossibleValuesParser::new(Verdict::ALL.map(Verdict::name))
        .map(|name| Verdict::from_name(&name).unwrap_or(Verdict::Block))
}

pub(super) fn age(text: &str) -> Result<i64, String> {
    time::span(text).ok_or_else(|| "an age is a number with s, m, h, d, w or y, such as 90d".to_owned())
}

/// A point in time, or how long ago it was.
fn when(text: &str) -> Result<i64, String> {
    let ago = || {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(i64::try_from(now.as_millis()).ok()? - time::span(text)?)
    };
    time::point(text).or_else(ago).ok_or_else(|| "a point in time is 2026-11-01, 2026-11-01T12:00Z (UTC), or so long ago: 30d".to_owned())
}
