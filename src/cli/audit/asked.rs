//! What is asked of a store, as it is typed: evaluations, sessions, trends.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use crate::cli::audit::args::{FilterArgs, age};
use crate::cli::chosen::{Output, output_in};
use crate::report::registry::{HISTORIES, SESSIONS, TRENDS};

/// Which store, and where the answer goes.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct StoreArgs {
    /// The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]
    #[arg(long, visible_alias = "audit", value_name = "FILE")]
    pub store: Option<std::ffi::OsString>,
    /// Write the answer to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

/// `callgate history`.
#[derive(Debug, ClapArgs)]
pub struct HistoryArgs {
    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,
    /// Which evaluations.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Without clean passes
    #[arg(long, help_heading = "Filter")]
    pub no_clean: bool,
    /// Only what was labelled
    #[arg(long, help_heading = "Filter")]
    pub labelled: bool,
    /// At most so many, the newest
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Filter")]
    pub limit: u64,
    /// How to write them: table, json or csv, each also as FORMAT=FILE (repeatable) [default: table]
    #[arg(long, short, value_name = "FORMAT[=FILE]", value_parser = history_output, help_heading = "Output")]
    pub format: Vec<Output>,
}

/// `callgate sessions`.
#[derive(Debug, ClapArgs)]
pub struct SessionsArgs {
    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,
    /// Which evaluations of them count.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// At most so many, those with the newest evaluations
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Filter")]
    pub limit: u64,
    /// How to write them: table, json or csv, each also as FORMAT=FILE (repeatable) [default: table]
    #[arg(long, short, value_name = "FORMAT[=FILE]", value_parser = sessions_output, help_heading = "Output")]
    pub format: Vec<Output>,
}

/// `callgate trends`.
#[derive(Debug, ClapArgs)]
pub struct TrendsArgs {
    /// The store.
    #[command(flatten)]
    pub store: StoreArgs,
    /// What is looked at by itself, in UTC
    #[arg(long, value_name = "UNIT", default_value = "day")]
    pub by: UnitName,
    /// Which evaluations count; not older than 30 days (by hour: 48 hours), unless --since says so.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Without clean passes
    #[arg(long, help_heading = "Filter")]
    pub no_clean: bool,
    /// Compare the last so long with as long before: what rises is told
    #[arg(long, value_name = "SPAN", default_value = "7d", value_parser = window, help_heading = "Rising")]
    pub window: i64,
    /// End with 1 if anything rises, and write only that: for cron
    #[arg(long, help_heading = "Rising")]
    pub alert: bool,
    /// How to write them: table, json, csv or html, each also as FORMAT=FILE (repeatable) [default: table]
    #[arg(long, short, value_name = "FORMAT[=FILE]", value_parser = trends_output, help_heading = "Output")]
    pub format: Vec<Output>,
    /// Write a page for people into this file: short for --format html=FILE
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
}

/// What trends look at by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UnitName {
    /// Each day.
    Day,
    /// Each hour.
    Hour,
}

fn window(text: &str) -> Result<i64, String> {
    age(text).and_then(|span| if 0 < span { Ok(span) } else { Err("a window has a length, such as 7d".to_owned()) })
}

fn history_output(text: &str) -> Result<Output, String> {
    output_in(text, &HISTORIES.iter().map(|writer| writer.name).collect::<Vec<_>>())
}

fn sessions_output(text: &str) -> Result<Output, String> {
    output_in(text, &SESSIONS.iter().map(|writer| writer.name).collect::<Vec<_>>())
}

fn trends_output(text: &str) -> Result<Output, String> {
    output_in(text, &TRENDS.iter().map(|writer| writer.name).collect::<Vec<_>>())
}
