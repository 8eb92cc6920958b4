//! The sources that the user named: which they are, and the way of all of them through the scanner.

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::cli::args::InputArgs;
use crate::cli::failure::Failure;
use crate::cli::settings::Settings;
use crate::finding::{Entry, Run};
use crate::format::Language;
use crate::format::registry as formats;
use crate::input::list;
use crate::input::read::{Content, read_stream};
use crate::input::walk::WalkOptions;
use crate::pattern::search::secrets_in;
use crate::pattern::secret::Secret;
use crate::scan::{Scanner, Skipped};
use crate::subject::{Reason, Undetermined};
use crate::value::source::{Source, SourceName};

/// Largest list of paths that is read, in bytes.
const LARGEST_LIST: u64 = 256 * 1024 * 1024;

/// What became of the sources as a whole.
pub struct Judged {
    roots: Roots,
    skipped: Skipped,
}

/// Judges everything that the user named, and hands the outcomes on in order.
///
/// # Errors
///
/// When a list of paths cannot be read, or the workers cannot be started.
pub fn judge(input: &InputArgs, settings: &Settings, mut take: impl FnMut(Entry) + Send) -> Result<Judged, Failure> {
    let mut roots = Roots::of(input)?;
    if roots.stdin {
        judge_stdin(input, &settings.scanner)?.into_iter().for_each(&mut take);
    }
    roots.drop_excluded(settings);
    let walk = WalkOptions { listed: std::mem::take(&mut roots.listed), ..settings.walk.clone() };
    let skipped = if roots.paths.is_empty() { Skipped::default() } else { settings.scanner.scan_paths(&roots.paths, &walk, take)? };
    Ok(Judged { roots, skipped })
}

impl Judged {
    /// Why a run that judged nothing is a mistake, unless it may well have nothing to judge.
    pub fn nothing_to_scan(&self) -> Option<Failure> {
        (!self.roots.may_be_empty).then(|| Failure::NothingToScan { detail: nothing(&self.roots, self.skipped) })
    }

    /// What holds for the whole run; the version of the pattern library is computed only if it is asked for.
    pub fn run(&self, settings: &Settings, names_library: bool) -> Run {
        let configuration = settings.configuration.as_ref().map(|path| SourceName::explicit(path).as_text());
        let texts = settings.loosened.iter().chain(&configuration).chain(settings.left_out.iter().map(|(_, why)| why));
        let secrets: BTreeSet<Secret> = texts.flat_map(|text| secrets_in(&settings.scanner.library, text)).collect();
        Run {
            skipped_kind: self.skipped.kind,
            skipped_binary: self.skipped.binary,
            models: settings.models.clone(),
            library_version: if names_library { settings.scanner.library.version() } else { String::new() },
            configuration,
            loosened: settings.loosened.clone(),
            rules: Vec::new(),
            secrets: secrets.into_iter().collect(),
        }
    }
}

/// What the user named.
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
        let mut listed = HashSet::new();
        if let Some(file) = &input.files_from {
            let names: Vec<PathBuf> = read_list(file)?.into_iter().filter(|path| may_be_judged(path)).collect();
            listed.extend(names.iter().filter(|path| !paths.contains(path)).cloned());
            paths.extend(names);
        } else if input.paths.is_empty() {
            paths.push(PathBuf::from("."));
        }
        Ok(Self { paths, stdin, listed, may_be_empty: input.files_from.is_some() })
    }

    /// Leaves out what the globs name, so that a hook may end with nothing left to judge.
    fn drop_excluded(&mut self, settings: &Settings) {
        if settings.walk.force_exclude {
            let before = self.paths.len();
            self.paths.retain(|path| !settings.walk.exclude.matches(path));
            self.may_be_empty |= self.paths.len() < before;
        }
    }
}

/// A list comes from a tool that names every file, so those that nothing reads are passed over.
fn may_be_judged(path: &Path) -> bool {
    formats::by_path(path).is_some() || path.is_dir()
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

fn judge_stdin(input: &InputArgs, scanner: &Scanner) -> Result<Vec<Entry>, Failure> {
    let name = SourceName::explicit(input.stdin_filename.clone().unwrap_or_else(|| stdin_name(input.language)));
    let entries = match read_stream(io::stdin().lock(), scanner.read.limits.file_size) {
        Ok(Content::Text(text, has_bom)) => scanner.scan_source(&Source { name, text, has_bom })?,
        Ok(Content::Binary) => vec![scanner.problem(&name, Undetermined::new(Reason::Binary, "standard input is no text"))],
        Ok(Content::Garbled(text, undetermined)) => scanner.scan_garbled(Source { name, text, has_bom: false }, undetermined)?,
        Err(undetermined) => vec![scanner.problem(&name, undetermined)],
    };
    Ok(entries)
}

/// The name of standard input where the user gives none. Scripts are what mostly comes that way.
fn stdin_name(language: Option<Language>) -> PathBuf {
    let language = language.unwrap_or(Language::JavaScript);
    let extension = formats::extension(language).unwrap_or_default();
    PathBuf::from(format!("<stdin>.{extension}"))
}

fn nothing(roots: &Roots, skipped: Skipped) -> String {
    let named: Vec<String> = roots.paths.iter().map(|path| SourceName::explicit(path).as_shown()).collect();
    let place = if named.is_empty() { "what was named".to_owned() } else { named.join(", ") };
    match skipped.kind + skipped.binary {
        0 => format!("{place} holds no files"),
        1 => format!("{place} holds no scripts, tool calls or texts (1 other file was passed over)"),
        count => format!("{place} holds no scripts, tool calls or texts ({count} other files were passed over)"),
    }
}
