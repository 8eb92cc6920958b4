//! Everything that can end a run, and how it is told.

use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report};

use crate::cli::exit::Exit;
use crate::cli::told::mask_of;
use crate::value::source::shown;
use crate::yaml::Fault;

/// Something that ended a run.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file that the run needs cannot be read.
    #[error("{} cannot be read", shown(&path.to_string_lossy()))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A settings or pattern file has faults.
    #[error("{} has {} fault{}", shown(&path.to_string_lossy()), faults.len(), if faults.len() == 1 { "" } else { "s" })]
    Faults {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// All of its faults.
        faults: Vec<Fault>,
    },
    /// A file that should list tools does not.
    #[error("{} does not list tools", shown(&path.to_string_lossy()))]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// What is wrong with it.
        fault: Fault,
    },
    /// A file that should be a baseline is none.
    #[error("{} is no baseline that can be used: {}", shown(&path.to_string_lossy()), shown(&fault.message))]
    Baseline {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// What is wrong with it.
        fault: Fault,
    },
    /// A file with labels has faults.
    #[error("{} has {count} fault{}", shown(&path.to_string_lossy()), if *count == 1 { "" } else { "s" })]
    Labels {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// The first of its faults.
        faults: Vec<Fault>,
        /// How many it has.
        count: usize,
    },
    /// Labels that say too little, or thresholds that cannot be put into the settings.
    #[error("{}", shown(message))]
    Tuning {
        /// What is wrong.
        message: String,
        /// What to do about it.
        help: String,
    },
    /// The patterns do not fit together.
    #[error("the patterns cannot be used")]
    Patterns(#[from] crate::pattern::library::LibraryError),
    /// A model cannot be built from its settings.
    #[error("{}", shown(message))]
    Model {
        /// What is wrong.
        message: String,
    },
    /// There is no such rule.
    #[error("there is no rule or model `{}`", shown(id))]
    UnknownRule {
        /// The id that was asked for.
        id: String,
        /// A rule whose name is near, as a hint.
        hint: String,
    },
    /// There are no settings of such a tenant.
    #[error("there is no tenant `{id}`: {} does not exist", shown(&path.to_string_lossy()))]
    UnknownTenant {
        /// The id that was asked for.
        id: String,
        /// The file that its settings would be.
        path: PathBuf,
        /// A tenant whose id is near, as a hint.
        hint: String,
    },
    /// A glob is none.
    #[error("a glob to exclude is not one")]
    Glob(#[from] globset::Error),
    /// There is nothing to judge.
    #[error("nothing to scan: {detail}")]
    NothingToScan {
        /// What was looked at.
        detail: String,
    },
    /// The workers cannot be started.
    #[error("the workers cannot be started")]
    Workers(#[from] rayon::ThreadPoolBuildError),
    /// A report or file cannot be written.
    #[error("{} cannot be written", shown(target))]
    Unwritable {
        /// Where it should have gone.
        target: String,
        /// Why.
        source: io::Error,
    },
    /// There is a file already that would be overwritten.
    #[error("{} is there already", shown(&path.to_string_lossy()))]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The git hook cannot be installed.
    #[error("the git hook cannot be installed: {detail}")]
    Hook {
        /// Why.
        detail: String,
    },
    /// The settings of an agent host cannot be used.
    #[error("{}", shown(detail))]
    Agent {
        /// What is wrong.
        detail: String,
        /// What to do about it.
        help: String,
    },
    /// Two outputs go to the same place.
    #[error("two reports would go to {}", shown(target))]
    SameTarget {
        /// The place.
        target: String,
    },
    /// A list of files cannot be written in this format.
    #[error("files cannot be listed as {format}")]
    NotListed {
        /// The format.
        format: String,
    },
    /// A report would be written over what was judged.
    #[error("{} is read by this run too, so nothing was written there", shown(target))]
    OutputIsInput {
        /// The place.
        target: String,
    },
    /// What the user named is not there.
    #[error("{}", missing(names))]
    Missing {
        /// What was named, as shown.
        names: Vec<String>,
    },
    /// Less was judged than was asked for.
    #[error("{}", uncovered(*share, *required, *sources, *lacking, names))]
    Coverage {
        /// The share that was judged wholly, in percent.
        share: f64,
        /// The share that was asked for.
        required: f64,
        /// How many files there were.
        sources: usize,
        /// How many of them were not judged wholly.
        lacking: usize,
        /// Some of these, each with the reason.
        names: Vec<String>,
    },
    /// The index of git cannot be read.
    #[error("what is staged cannot be read: {}", shown(detail))]
    Staged {
        /// Why.
        detail: String,
    },
    /// Evaluations cannot be stored, or the store cannot be used.
    #[error("the store of evaluations {} cannot be used: {}", shown(place), shown(fault))]
    Audit {
        /// Where it is, without a password.
        place: String,
        /// Why.
        fault: String,
        /// What to do about it.
        help: &'static str,
    },
    /// git does not know what was asked of it.
    #[error("{}", shown(detail))]
    Git {
        /// Why.
        detail: String,
        /// What to do about it.
        help: String,
    },
    /// The command line contradicts itself, or asks for what cannot be.
    #[error("{}", shown(message))]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do about it.
        help: String,
    },
}

/// Most names of missing files that are told.
const MOST_NAMES: usize = 5;

fn missing(names: &[String]) -> String {
    match names {
        [name] => format!("{name} does not exist"),
        names => {
            let more = names.len().saturating_sub(MOST_NAMES);
            let more = if 0 < more { format!(" and {more} more") } else { String::new() };
            format!("{}{more} do not exist", names.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", "))
        }
    }
}

fn uncovered(share: f64, required: f64, sources: usize, lacking: usize, names: &[String]) -> String {
    let more = lacking.saturating_sub(names.len());
    let more = if 0 < more { format!(" and {more} more") } else { String::new() };
    // Rounded down, so that what falls short by little does not look as if it were enough.
    let share = (share * 10.0).floor() / 10.0;
    format!(
        "{share} % of {sources} files were judged wholly, less than the {required} % of --min-coverage; not: {}{more}",
        names.join(", ")
    )
}

impl Failure {
    /// A failure to write; a reader that has gone is no failure.
    pub fn of_writing(target: impl Into<String>, source: io::Error) -> Option<Self> {
        (source.kind() != io::ErrorKind::BrokenPipe).then(|| Self::Unwritable { target: target.into(), source })
    }

    /// A file that cannot be written.
    pub fn unwritable(path: &Path, source: io::Error) -> Self {
        Self::Unwritable { target: path.to_string_lossy().into_owned(), source }
    }

    /// Something that is wrong with the command line, and what to do about it.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: help.into() }
    }

    /// How a run ends that this ended.
    pub fn exit(&self) -> Exit {
        match self {
            Self::SameTarget { .. } | Self::Usage { .. } => Exit::Usage,
            _ => Exit::Failed,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "callgate::unreadable",
            Self::Faults { .. } => "callgate::faults",
            Self::Manifest { .. } => "callgate::manifest",
            Self::Baseline { .. } => "callgate::baseline",
            Self::Labels { .. } => "callgate::labels",
            Self::Tuning { .. } => "callgate::tuning",
            Self::Patterns(_) => "callgate::patterns",
            Self::Model { .. } => "callgate::model",
            Self::UnknownRule { .. } => "callgate::unknown-rule",
            Self::UnknownTenant { .. } => "callgate::unknown-tenant",
            Self::Glob(_) => "callgate::glob",
            Self::NothingToScan { .. } => "callgate::nothing-to-scan",
            Self::Workers(_) => "callgate::workers",
            Self::Unwritable { .. } => "callgate::unwritable",
            Self::Exists { .. } => "callgate::exists",
            Self::Hook { .. } => "callgate::hook",
            Self::Agent { .. } => "callgate::agent",
            Self::SameTarget { .. } => "callgate::same-target",
            Self::OutputIsInput { .. } => "callgate::output-is-input",
            Self::Missing { .. } => "callgate::missing",
            Self::Coverage { .. } => "callgate::coverage",
            Self::Staged { .. } => "callgate::staged",
            Self::Audit { .. } => "callgate::audit",
            Self::Git { .. } => "callgate::git",
            Self::Usage { .. } => "callgate::usage",
            Self::NotListed { .. } => "callgate::not-listed",
        }
    }

    fn help(&self) -> String {
        match self {
            Self::Unreadable { .. } => "check the path, and that you may read the file".to_owned(),
            Self::Faults { .. } => "mend the places above; `callgate generate schema` writes what may stand in the file".to_owned(),
            Self::Manifest { .. } => {
                "name a file with an answer to MCP's tools/list: {\"tools\": [{\"name\": …, \"description\": …}]}, or the bare list"
                    .to_owned()
            }
            Self::Baseline { .. } => {
                "take it from version control again, or remove it and write a new one with --write-baseline; nothing was judged".to_owned()
            }
            Self::Labels { faults, count, .. } => {
                let more = if faults.len() < *count { format!("; only the first {} are shown", faults.len()) } else { String::new() };
                format!(
                    "each file is labelled once, by a path from here or from the folder of the labels, and is judged: name it, or a folder that holds it{more}"
                )
            }
            Self::Tuning { help, .. } => help.clone(),
            Self::Patterns(_) => "rename one of the patterns; `callgate rules` lists the built-in ids".to_owned(),
            Self::Model { .. } => "say more under `model_settings` in a settings file, and name it with --config".to_owned(),
            Self::UnknownRule { hint, .. } => format!("`callgate rules` lists all rules, `callgate models` all models{hint}"),
            Self::UnknownTenant { hint, .. } => {
                format!("make the file, which may be empty, or name the folder of all tenants by --tenants DIR{hint}")
            }
            Self::Glob(_) => "write globs as in a .gitignore: `vendor/**`, `*.min.js`".to_owned(),
            Self::NothingToScan { .. } => {
                "name what is to be judged, or folders that hold it; --as says what a file is, --hidden and --no-ignore take more files"
                    .to_owned()
            }
            Self::Workers(_) => "lower --jobs, or raise the limit on memory or threads".to_owned(),
            Self::Unwritable { .. } => "check that the folder exists, that you may write there, and that there is room".to_owned(),
            Self::Exists { .. } => "move it away, or use --force to overwrite it".to_owned(),
            Self::Hook { .. } => "run it inside a git repository, with git installed".to_owned(),
            Self::Agent { help, .. } => help.clone(),
            Self::SameTarget { .. } => "give each format a file of its own: --format sarif=report.sarif".to_owned(),
            Self::OutputIsInput { .. } => {
                "write the report elsewhere, or leave the file out with --exclude; everything else was judged and written".to_owned()
            }
            Self::Missing { .. } => "check the spelling, and where the link leads if it is one; everything else was judged".to_owned(),
            Self::Coverage { .. } => {
                "`callgate scan --list-files` tells what becomes of each file; leave out with `exclude` what need not be judged".to_owned()
            }
            Self::Staged { .. } => "run it inside a git repository, with git installed".to_owned(),
            Self::Audit { help, .. } => (*help).to_owned(),
            Self::Git { help, .. } | Self::Usage { help, .. } => help.clone(),
            Self::NotListed { .. } => "list them as table, json or jsonl".to_owned(),
        }
    }

    /// The file whose lines are shown.
    fn file(&self) -> Option<(&Path, &str)> {
        match self {
            Self::Faults { path, text, .. }
            | Self::Labels { path, text, .. }
            | Self::Manifest { path, text, .. }
            | Self::Baseline { path, text, .. } => Some((path, text)),
            _ => None,
        }
    }

    fn labels(&self) -> Vec<LabeledSpan> {
        let (text, faults) = match self {
            Self::Faults { text, faults, .. } | Self::Labels { text, faults, .. } => (text, faults.as_slice()),
            Self::Manifest { text, fault, .. } | Self::Baseline { text, fault, .. } => (text, std::slice::from_ref(fault)),
            _ => return Vec::new(),
        };
        faults.iter().map(|fault| LabeledSpan::at(offset(text, fault), shown(&fault.message))).collect()
    }
}

/// The span of the word at a fault's place.
fn offset(text: &str, fault: &Fault) -> (usize, usize) {
    let line_start: usize = text.split_inclusive('\n').take(fault.line as usize - 1).map(str::len).sum();
    let line = text.get(line_start..).and_then(|rest| rest.lines().next()).unwrap_or("");
    let column = line.char_indices().nth(fault.column as usize - 1).map_or(line.len(), |(at, _)| at);
    let rest = line.get(column..).unwrap_or("");
    let length = rest.find(|character: char| character.is_whitespace() || matches!(character, ':' | ',' | '}')).unwrap_or(rest.len());
    (line_start + column, length)
}

/// Prints a failure to standard error: what, where, why, and what to do.
pub fn print(failure: &Failure, colour: bool) {
    // If it cannot be printed there is nobody to tell.
    let _ = writeln!(io::stderr(), "{}", Rendered { failure, colour });
}

struct Rendered<'f> {
    failure: &'f Failure,
    colour: bool,
}

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = std::error::Error::source(self.failure).map(|cause| format!(": {cause}")).unwrap_or_default();
        let (message, help, labels) = (format!("{}{}", self.failure, shown(&cause)), self.failure.help(), self.failure.labels());
        let shown_file = self.failure.file();
        let texts = labels.iter().filter_map(LabeledSpan::label).chain(shown_file.map(|(_, text)| text));
        let mask = mask_of(texts.chain([message.as_str(), help.as_str()]));
        let hidden = |text: String| mask.hidden(&text).unwrap_or(text);
        let label = |label: &LabeledSpan| LabeledSpan::new_with_span(label.label().map(|text| hidden(text.to_owned())), *label.inner());
        let diagnostic = MietteDiagnostic::new(hidden(message))
            .with_code(self.failure.code())
            .with_help(hidden(help))
            .with_labels(labels.iter().map(label));
        let mut report = Report::new(diagnostic);
        if let Some((path, text)) = shown_file {
            let text = mask.starred(text).unwrap_or_else(|| text.to_owned());
            report = report.with_source_code(NamedSource::new(hidden(shown(&path.to_string_lossy())), printable(&text)));
        }
        let theme = if self.colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        GraphicalReportHandler::new_themed(theme).with_width(100).render_report(f, report.as_ref())
    }
}

/// The text with everything that a terminal might act upon replaced by as many bytes that it shows.
pub fn printable(text: &str) -> String {
    use crate::value::source::is_unshowable;
    let replace = |character: char| match character {
        '\n' => "\n".to_owned(),
        character if is_unshowable(character) => "?".repeat(character.len_utf8()),
        character => character.to_string(),
    };
    text.chars().map(replace).collect()
}
