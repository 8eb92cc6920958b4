//! The sources that the user named: which they are, and the way of all of them through the scanner.

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::cli::args::InputArgs;
use crate::cli::failure::Failure;
use crate::cli::git::staged;
use crate::cli::settings::Settings;
use crate::finding::listed::{Listed, Listing};
use crate::finding::{Entry, Run};
use crate::format::Language;
use crate::format::registry as formats;
use crate::input::lines::Lines;
use crate::input::list;
use crate::input::read::{Content, read_stream};
use crate::input::walk::{Traces, WalkOptions};
use crate::pattern::search::secrets_in;
use crate::pattern::secret::Secret;
use crate::scan::Scanner;
use crate::scan::stream::is_lines;
use crate::subject::passed::{Passed, PassedCounts};
use crate::subject::{Reason, Undetermined};
use crate::value::source::{Source, SourceName};

/// Largest list of paths that is read, in bytes.
const LARGEST_LIST: u64 = 256 * 1024 * 1024;

/// How the sources are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// By paths on the command line or in a list.
    Paths,
    /// By git: what the next commit changes.
    Staged,
    /// By git: these files changed.
    Changed {
        /// The files.
        paths: Vec<PathBuf>,
        /// How many folders are left out because they are other repositories.
        repositories: usize,
    },
}

/// What became of the sources as a whole.
pub struct Judged {
    roots: Roots,
    passed_over: PassedCounts,
    /// What was named and is not there, as shown.
    missing: Vec<String>,
}

/// Judges everything that the user named, and hands the outcomes on in order. `traces` are what the run itself leaves.
///
/// # Errors
///
/// When a list of paths or the index cannot be read, or the workers cannot be started.
pub fn judge(
    input: &InputArgs,
    named: &Named,
    settings: &Settings,
    traces: Traces,
    mut take: impl FnMut(Entry) + Send,
) -> Result<Judged, Failure> {
    if *named == Named::Staged {
        let passed_over = settings.scanner.scan_found(staged::found(settings)?, take)?;
        return Ok(Judged { roots: Roots { may_be_empty: true, ..Roots::default() }, passed_over, missing: Vec::new() });
    }
    let mut missing = Vec::new();
    let mut take = |entry: Entry| {
        if is_missing(&entry) {
            missing.push(entry.name().as_shown());
        }
        take(entry);
    };
    let mut roots = match named {
        Named::Changed { paths, .. } => Roots::changed(paths),
        Named::Paths | Named::Staged => Roots::of(input)?,
    };
    let mut passed_over = PassedCounts::default();
    if let Named::Changed { repositories, .. } = named {
        (0..*repositories).for_each(|_| passed_over.add(Passed::Other));
    }
    if roots.stdin {
        roots.may_be_empty |= judge_stdin(input, settings.scanner.of_handed(), &mut passed_over, &mut take)?;
    }
    roots.drop_excluded(settings, |_| passed_over.add(Passed::Excluded));
    let force_exclude = settings.walk.force_exclude || matches!(named, Named::Changed { .. });
    let walk = WalkOptions { listed: std::mem::take(&mut roots.listed), traces, force_exclude, ..settings.walk.clone() };
    if !roots.paths.is_empty() {
        passed_over.add_all(&settings.scanner.scan_paths(&roots.paths, &walk, take)?);
    }
    Ok(Judged { roots, passed_over, missing })
}

/// Hands on what becomes of everything that the user named, in order, without judging it. `traces` are what the run itself leaves.
///
/// # Errors
///
/// When a list of paths or the index cannot be read, or the workers cannot be started.
pub fn list(input: &InputArgs, named: &Named, settings: &Settings, traces: Traces, mut take: impl FnMut(Listed)) -> Result<(), Failure> {
    if *named == Named::Staged {
        return Ok(settings.scanner.list_found(staged::found(settings)?, take)?);
    }
    let mut roots = Roots::of(input)?;
    if roots.stdin {
        take(settings.scanner.list_stream(stream_name(input)));
    }
    roots.drop_excluded(settings, |path| {
        let name = SourceName::explicit(path);
        take(Listed { name, listing: Listing::PassedOver(Passed::Excluded), fenced: PassedCounts::default() });
    });
    let walk = WalkOptions { listed: std::mem::take(&mut roots.listed), traces, ..settings.walk.clone() };
    Ok(settings.scanner.list_paths(&roots.paths, &walk, take)?)
}

/// Whether something that the user named is not there: that is a failure of the run, whatever is done with what cannot be judged.
pub fn is_missing(entry: &Entry) -> bool {
    matches!(entry, Entry::Problem(problem) if problem.reason == Reason::Missing && problem.name.explicit)
}

impl Judged {
    /// Why a run that judged nothing is a mistake, unless it may well have nothing to judge.
    pub fn nothing_to_scan(&self) -> Option<Failure> {
        (!self.roots.may_be_empty).then(|| Failure::NothingToScan { detail: nothing(&self.roots, &self.passed_over) })
    }

    /// What was passed over.
    pub fn passed_over(&self) -> &PassedCounts {
        &self.passed_over
    }

    /// Why a run fails that was to judge what is not there.
    pub fn missing(&self) -> Option<Failure> {
        (!self.missing.is_empty()).then(|| Failure::Missing { names: self.missing.clone() })
    }

    /// What holds for the whole run; the version of the pattern library is computed only if it is asked for.
    pub fn run(&self, settings: &Settings, names_library: bool) -> Run {
        let configuration = settings.configuration.clone();
        let texts = settings.loosened.iter().chain(&configuration).chain(settings.left_out.iter().map(|(_, why)| why));
        let secrets: BTreeSet<Secret> = texts.flat_map(|text| secrets_in(&settings.scanner.library, text)).collect();
        Run {
            passed_over: self.passed_over.clone(),
            models: settings.models.clone(),
            library_version: if names_library { settings.scanner.library.version() } else { String::new() },
            configuration,
            loosened: settings.loosened.clone(),
            delta: None,
            remarks: settings.scanner.acceptances.remarks(),
            audit_problem: None,
            rules: Vec::new(),
            secrets: secrets.into_iter().collect(),
        }
    }
}

/// What the user named.
#[derive(Default)]
struct Roots {
    paths: Vec<PathBuf>,
    stdin: bool,
    /// Those that only a list names.
    listed: HashSet<PathBuf>,
    /// An empty list is a list; only a folder with nothing to judge is a mistake.
    may_be_empty: bool,
}

impl Roots {
    fn of(input: &InputArgs) -> Result<Self, Failure> {
        let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
        let stdin = input.paths.iter().any(is_stdin);
        let mut paths: Vec<PathBuf> = input.paths.iter().filter(|path| !is_stdin(path)).cloned().collect();
        // What is not there is a mistake in any list that was typed.
        let mut listed: HashSet<PathBuf> = paths.iter().filter(|path| input.listed && path.exists()).cloned().collect();
        if let Some(file) = &input.files_from {
            let names = read_list(file)?;
            listed.extend(names.iter().filter(|path| !paths.contains(path)).cloned());
            paths.extend(names);
        } else if input.paths.is_empty() {
            paths.push(PathBuf::from("."));
        }
        Ok(Self { paths, stdin, listed, may_be_empty: input.files_from.is_some() || input.listed })
    }

    /// Files that changed: some may hold nothing to judge, and there may be none.
    fn changed(paths: &[PathBuf]) -> Self {
        Self { paths: paths.to_vec(), stdin: false, listed: paths.iter().cloned().collect(), may_be_empty: true }
    }

    /// Leaves out what the globs name, so that a hook may end with nothing left to judge.
    fn drop_excluded(&mut self, settings: &Settings, mut drop: impl FnMut(&Path)) {
        if settings.walk.force_exclude {
            let (excluded, paths) = self.paths.drain(..).partition(|path: &PathBuf| settings.walk.excludes_named(path));
            self.paths = paths;
            self.may_be_empty |= !excluded.is_empty();
            excluded.iter().for_each(|path| drop(path));
        }
    }
}

fn read_list(file: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |source| Failure::Unreadable { path: file.to_path_buf(), source };
    let mut bytes = Vec::new();
    if file.as_os_str() == "-" {
        io::stdin().lock().take(LARGEST_LIST).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        File::open(file).and_then(|file| file.take(LARGEST_LIST).read_to_end(&mut bytes)).map_err(unreadable)?;
    }
    Ok(list::paths(&bytes))
}

/// Judges standard input; returns whether nothing is an answer, because it is a stream that may have no lines.
fn judge_stdin(input: &InputArgs, scanner: &Scanner, passed_over: &mut PassedCounts, mut take: impl FnMut(Entry)) -> Result<bool, Failure> {
    let name = stream_name(input);
    // Not locked: it is read by a thread of its own.
    let stdin = io::stdin();
    if !may_be_lines(&name, input.language) {
        judge_whole(stdin.lock(), &name, scanner, passed_over)?.into_iter().for_each(take);
        return Ok(false);
    }
    let mut lines = Lines::new(stdin, scanner.read.limits.file_size);
    let is_stream = match lines.first() {
        Ok([]) => is_named_lines(&name),
        Ok(first) => is_lines(first),
        // What could not be read is told where it is read again.
        Err(_) => true,
    };
    if is_stream {
        passed_over.add_all(&scanner.scan_lines(&name, lines, take)?);
        return Ok(true);
    }
    judge_whole(lines.into_stream(), &name, scanner, passed_over)?.into_iter().for_each(&mut take);
    Ok(false)
}

/// Whether standard input may hold one record a line.
fn may_be_lines(name: &SourceName, language: Option<Language>) -> bool {
    let by_name = || formats::by_path(name.path()).map(|recognised| recognised.language);
    language.or_else(by_name) == Some(Language::ToolCall)
}

/// Whether its name says that it holds one record a line, and so may hold none.
fn is_named_lines(name: &SourceName) -> bool {
    let extension = name.path().extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl") || extension.eq_ignore_ascii_case("ndjson"))
}

fn judge_whole(stream: impl Read, name: &SourceName, scanner: &Scanner, passed_over: &mut PassedCounts) -> Result<Vec<Entry>, Failure> {
    let name = name.clone();
    Ok(match read_stream(stream, scanner.read.limits.file_size) {
        Ok(Content::Text(text, has_bom)) => {
            let source = Source { name, text, has_bom };
            passed_over.add_all(&scanner.fenced(&source));
            scanner.scan_source(&source)?
        }
        Ok(Content::Binary) => vec![scanner.problem(&name, Undetermined::new(Reason::Binary, "standard input is no text"))],
        Ok(Content::Garbled(text, undetermined)) => scanner.scan_garbled(Source { name, text, has_bom: false }, undetermined)?,
        Err(undetermined) => vec![scanner.problem(&name, undetermined)],
    })
}

fn stream_name(input: &InputArgs) -> SourceName {
    SourceName::stream(input.stdin_filename.clone().unwrap_or_else(|| stdin_name(input.language)))
}

/// The name of standard input where the user gives none. Scripts are what mostly comes that way.
fn stdin_name(language: Option<Language>) -> PathBuf {
    let language = language.unwrap_or(Language::JavaScript);
    let extension = formats::extension(language).unwrap_or_default();
    PathBuf::from(format!("<stdin>.{extension}"))
}

fn nothing(roots: &Roots, passed_over: &PassedCounts) -> String {
    let named: Vec<String> = roots.paths.iter().map(|path| SourceName::explicit(path).as_shown()).collect();
    let place = if named.is_empty() { "what was named".to_owned() } else { named.join(", ") };
    let sentences = passed_over.sentences();
    if sentences.is_empty() {
        return format!("{place} holds no files");
    }
    format!("{place} holds no scripts, tool calls or texts ({})", sentences.join("; "))
}
