//! All reporters.

use crate::finding::place::Wanted;
use crate::history::trends::Trends;
use crate::history::{Evaluations, Sessions};
use crate::report::{
    Auditor, Comparer, Lister, Replayer, Reporter, Tuner, Writer, audit, compare, concise, github, gitlab, history, json, junit, listing,
    markdown, replay, sarif, table, tune,
};
use crate::tune::calibration::Calibration;

const NOTHING: Wanted = Wanted {
    excerpts: false,
    line_hashes: false,
    features: false,
    text_hashes: false,
    trails: false,
    all_steps: false,
    explanations: false,
    opinions: false,
};

/// All reporters; the first is the default.
pub const REPORTERS: &[Reporter] = &[
    Reporter {
        name: "table",
        summary: "for people: the places with their lines, a table of all findings, and the verdict",
        wanted: Wanted { excerpts: true, ..NOTHING },
        heeds: &["quiet", "verbose", "min-severity", "statistics", "features", "explain-score"],
        write: table::write,
        write_entry: None,
        write_run: None,
    },
    Reporter {
        name: "json",
        summary: "one document with everything (schema version 2)",
        wanted: Wanted { text_hashes: true, ..NOTHING },
        heeds: &["quiet", "min-severity", "statistics", "features", "explain-score"],
        write: json::write,
        write_entry: None,
        write_run: None,
    },
    Reporter {
        name: "jsonl",
        summary: "one line a finding or problem, as soon as it is there, and a last one for the run",
        wanted: NOTHING,
        heeds: &["quiet", "min-severity", "statistics", "features", "explain-score"],
        write: json::write_lines,
        write_entry: Some(json::write_line),
        write_run: Some(json::write_run),
    },
    Reporter {
        name: "sarif",
        summary: "SARIF 2.1.0, for code scanning",
        wanted: Wanted { line_hashes: true, ..NOTHING },
        heeds: &["min-severity"],
        write: sarif::write,
        write_entry: None,
        write_run: None,
    },
    Reporter {
        name: "concise",
        summary: "one line a finding: path:line:column: severity rule: message",
        wanted: NOTHING,
        heeds: &["quiet", "verbose", "min-severity"],
        write: concise::write,
        write_entry: None,
        write_run: None,
    },
    Reporter {
        name: "github",
        summary: "annotations in a GitHub workflow",
        wanted: NOTHING,
        heeds: &["quiet", "verbose", "min-severity"],
        write: github::write,
        write_entry: None,
        write_run: None,
    },
    Reporter {
        name: "gitlab",
        summary: "GitLab's code quality report",
        wanted: NOTHING,
        heeds: &["verbose", "min-severity"],
        write: gitlab::write,
        write_entry: None,
        write_run: None,
    },
    Reporter {
        name: "junit",
        summary: "JUnit's XML, for Jenkins and others",
        wanted: NOTHING,
        heeds: &["quiet", "verbose", "min-severity"],
        write: junit::write,
        write_entry: None,
        write_run: None,
    },
    Reporter {
        name: "markdown",
        summary: "a comment on a pull request: a summary, a table, and the lines of each finding, folded",
        wanted: Wanted { excerpts: true, ..NOTHING },
        heeds: &["verbose", "min-severity", "statistics"],
        write: markdown::write,
        write_entry: None,
        write_run: None,
    },
];

/// All writers of comparisons; the first is the default.
pub const COMPARERS: &[Comparer] = &[
    Comparer {
        name: "table",
        summary: "for people: a row a subject and a column a model, and how often they agree",
        wanted: Wanted { opinions: true, ..NOTHING },
        write: compare::table::write,
    },
    Comparer {
        name: "json",
        summary: "one document with everything (schema version 1)",
        wanted: Wanted { opinions: true, ..NOTHING },
        write: compare::json::write,
    },
    Comparer {
        name: "html",
        summary: "one page: a heat map, and what each score is made of",
        wanted: Wanted { opinions: true, excerpts: true, ..NOTHING },
        write: compare::html::write,
    },
];

/// All writers of replays; the first is the default.
pub const REPLAYERS: &[Replayer] = &[
    Replayer { name: "table", summary: "for people: each flip, and how often each rule and model turns", write: replay::table::write },
    Replayer { name: "json", summary: "one document with everything (schema version 1)", write: replay::json::write },
];

/// All writers of tunings; the first is the default.
pub const TUNERS: &[Tuner] = &[
    Tuner { name: "table", summary: "for people: curves, thresholds, and what each rule hits", write: tune::table::write },
    Tuner { name: "json", summary: "one document with everything (schema version 1)", write: tune::json::write },
];

/// All writers of calibrations; the first is the default.
pub const CALIBRATIONS: &[Writer<Calibration>] = &[
    Writer {
        name: "table",
        summary: "for people: whether severities are apart, and what would part them",
        write: tune::calibration::write_table,
    },
    Writer { name: "json", summary: "one document with everything (schema version 1)", write: tune::calibration::write_json },
];

/// All writers of lists of files; the first is the default.
pub const LISTERS: &[Lister] = &[
    Lister { name: "table", write: listing::write_table },
    Lister { name: "json", write: listing::write_json },
    Lister { name: "jsonl", write: listing::write_lines },
];

/// All writers of audits of tools; the first is the default.
pub const AUDITORS: &[Auditor] = &[
    Auditor { name: "table", summary: "for people: what each tool does, who says so, and what its texts hide", write: audit::table::write },
    Auditor { name: "json", summary: "one document with everything (schema version 1)", write: audit::json::write },
    Auditor { name: "jsonl", summary: "one line a tool", write: audit::json::write_lines },
];

/// All writers of stored evaluations; the first is the default.
pub const HISTORIES: &[Writer<Evaluations>] = &[
    Writer { name: "table", summary: "for people: a row an evaluation, the newest first", write: history::evaluations::write_table },
    Writer { name: "json", summary: "one document with all columns (schema version 1)", write: history::evaluations::write_json },
    Writer { name: "csv", summary: "a row an evaluation, with all columns", write: history::evaluations::write_csv },
];

/// All writers of sessions; the first is the default.
pub const SESSIONS: &[Writer<Sessions>] = &[
    Writer { name: "table", summary: "for people: a row a session, the newest first", write: history::sessions::write_table },
    Writer { name: "json", summary: "one document with everything (schema version 1)", write: history::sessions::write_json },
    Writer { name: "csv", summary: "a row a session", write: history::sessions::write_csv },
];

/// All writers of trends; the first is the default.
pub const TRENDS: &[Writer<Trends>] = &[
    Writer { name: "table", summary: "for people: bars over time, rules, and what rises", write: history::trends::write },
    Writer { name: "json", summary: "one document with everything (schema version 1)", write: history::series::write_json },
    Writer { name: "csv", summary: "a row a day or hour", write: history::series::write_csv },
    Writer { name: "html", summary: "one page: curves, rules, sessions, models, and what rises", write: history::html::write },
];

/// The reporter of that name.
pub fn by_name(name: &str) -> Option<&'static Reporter> {
    REPORTERS.iter().find(|reporter| reporter.name == name)
}

/// The writer of comparisons of that name.
pub fn comparer(name: &str) -> Option<&'static Comparer> {
    COMPARERS.iter().find(|comparer| comparer.name == name)
}

/// The writer of replays of that name.
pub fn replayer(name: &str) -> Option<&'static Replayer> {
    REPLAYERS.iter().find(|replayer| replayer.name == name)
}

/// The writer of lists of files of that name.
pub fn lister(name: &str) -> Option<&'static Lister> {
    LISTERS.iter().find(|lister| lister.name == name)
}

/// The writer of tunings of that name.
pub fn tuner(name: &str) -> Option<&'static Tuner> {
    TUNERS.iter().find(|tuner| tuner.name == name)
}

/// The writer of audits of that name.
pub fn auditor(name: &str) -> Option<&'static Auditor> {
    AUDITORS.iter().find(|auditor| auditor.name == name)
}

/// The writer of stored evaluations of that name.
pub fn history_writer(name: &str) -> Option<&'static Writer<Evaluations>> {
    HISTORIES.iter().find(|writer| writer.name == name)
}

/// The writer of sessions of that name.
pub fn sessions_writer(name: &str) -> Option<&'static Writer<Sessions>> {
    SESSIONS.iter().find(|writer| writer.name == name)
}

/// The writer of trends of that name.
pub fn trends_writer(name: &str) -> Option<&'static Writer<Trends>> {
    TRENDS.iter().find(|writer| writer.name == name)
}

/// The writer of calibrations of that name.
pub fn calibration_writer(name: &str) -> Option<&'static Writer<Calibration>> {
    CALIBRATIONS.iter().find(|writer| writer.name == name)
}
