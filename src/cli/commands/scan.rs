//! `callgate scan`: judges what the user named and reports it.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Read as _, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::args::{Global, Output, ScanArgs};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::settings::{Settings, all_rules, settle};
use crate::finding::place::Wanted;
use crate::finding::{Entry, Report, Run};
use crate::format::registry as formats;
use crate::input::list;
use crate::input::read::{Content, read_stream};
use crate::report::registry::{self as reporters, REPORTERS};
use crate::report::{Reporter, Style};
use crate::scan::Skipped;
use crate::subject::{Reason, Undetermined};
use crate::value::source::{Source, SourceName};

/// The name of standard input where the user gives none. Scripts are what mostly comes that way.
const STDIN_NAME: &str = "<stdin>.js";
/// How long a scan runs before it shows its progress.
const PATIENCE: Duration = Duration::from_secs(1);
/// Largest list of paths that is read, in bytes.
const LARGEST_LIST: u64 = 256 * 1024 * 1024;

/// Judges what the user named and reports it.
///
/// # Errors
///
/// When the settings have faults, there is nothing to scan, or a report cannot be written.
pub fn run(args: &ScanArgs, global: &Global) -> Result<Exit, Failure> {
    let outputs = Outputs::open(args, global)?;
    let settings = settle(args, global, outputs.wanted(args))?;
    let mut roots = Roots::of(args)?;
    let mut run = Collected { report: Report::default(), outputs, progress: Progress::new(args.quiet), failure: None };
    if roots.stdin {
        for entry in judge_stdin(args, &settings)? {
            run.take(entry);
        }
    }
    roots.drop_excluded(&settings);
    let skipped = if roots.paths.is_empty() {
        Skipped::default()
    } else {
        settings.scanner.scan_paths(&roots.paths, &settings.walk, |entry| run.take(entry))?
    };
    run.progress.finish();
    if let Some(failure) = run.failure.take() {
        return Err(failure);
    }
    let Collected { mut report, mut outputs, .. } = run;
    describe_run(&mut report, &settings, skipped, outputs.wanted(args));
    if report.is_empty() && !roots.may_be_empty && !args.exit_zero {
        return Err(Failure::NothingToScan { detail: nothing(&roots, skipped) });
    }
    outputs.finish(&report)?;
    Ok(Exit::of(report.verdict(), settings.fail_on))
}

fn describe_run(report: &mut Report, settings: &Settings, skipped: Skipped, wanted: Wanted) {
    let scanner = &settings.scanner;
    report.run = Run {
        skipped_kind: skipped.kind,
        skipped_binary: skipped.binary,
        models: settings.models.clone(),
        // Only documents name it, and it takes a while to compute.
        library_version: if wanted.text_hashes || wanted.line_hashes { scanner.library.version() } else { String::new() },
        configuration: settings.configuration.as_ref().map(|path| SourceName::explicit(path).as_text()),
        loosened: settings.loosened.clone(),
        rules: all_rules(&scanner.library, &scanner.analyzers),
    };
}

fn nothing(roots: &Roots, skipped: Skipped) -> String {
    let named: Vec<String> = roots.paths.iter().map(|path| SourceName::explicit(path).as_shown()).collect();
    let place = if named.is_empty() { "what was named".to_owned() } else { named.join(", ") };
    match skipped.kind + skipped.binary {
        0 => format!("{place} holds no files"),
        1 => format!("{place} holds no scripts (1 other file was passed over)"),
        count => format!("{place} holds no scripts ({count} other files were passed over)"),
    }
}

/// What the user named.
struct Roots {
    paths: Vec<PathBuf>,
    stdin: bool,
    /// An empty list is a list; only a folder without scripts is a mistake.
    may_be_empty: bool,
}

impl Roots {
    fn of(args: &ScanArgs) -> Result<Self, Failure> {
        let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
        let stdin = args.paths.iter().any(is_stdin);
        let mut paths: Vec<PathBuf> = args.paths.iter().filter(|path| !is_stdin(path)).cloned().collect();
        if let Some(file) = &args.files_from {
            paths.extend(listed(file)?.into_iter().filter(|path| may_be_script(path)));
        } else if args.paths.is_empty() {
            paths.push(PathBuf::from("."));
        }
        Ok(Self { paths, stdin, may_be_empty: args.files_from.is_some() })
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

/// A list comes from a tool that names every file, so those that are no scripts are passed over.
fn may_be_script(path: &Path) -> bool {
    formats::by_path(path).is_some() || path.is_dir()
}

fn listed(file: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |source| Failure::Unreadable { path: file.to_path_buf(), source };
    let mut bytes = Vec::new();
    if file.as_os_str() == "-" {
        io::stdin().lock().take(LARGEST_LIST).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        File::open(file).and_then(|file| file.take(LARGEST_LIST).read_to_end(&mut bytes)).map_err(unreadable)?;
    }
    Ok(list::paths(&bytes))
}

fn judge_stdin(args: &ScanArgs, settings: &Settings) -> Result<Vec<Entry>, Failure> {
    let name = SourceName::explicit(args.stdin_filename.clone().unwrap_or_else(|| PathBuf::from(STDIN_NAME)));
    let scanner = &settings.scanner;
    let entries = match read_stream(io::stdin().lock(), scanner.read.limits.file_size) {
        Ok(Content::Text(text, has_bom)) => scanner.scan_source(&Source { name, text, has_bom })?,
        Ok(Content::Binary) => vec![scanner.problem(&name, Undetermined::new(Reason::Binary, "standard input is no text"))],
        Err(undetermined) => vec![scanner.problem(&name, undetermined)],
    };
    Ok(entries)
}

/// What a run has come to so far.
struct Collected<'a> {
    report: Report,
    outputs: Outputs<'a>,
    progress: Progress,
    failure: Option<Failure>,
}

impl Collected<'_> {
    fn take(&mut self, entry: Entry) {
        self.progress.step();
        if let Err(failure) = self.outputs.stream(&entry) {
            self.failure.get_or_insert(failure);
        }
        self.report.push(entry, self.outputs.keeps_entries());
    }
}

/// All outputs of a run.
struct Outputs<'a> {
    targets: Vec<Target<'a>>,
}

struct Target<'a> {
    reporter: &'static Reporter,
    name: String,
    writer: Box<dyn Write + Send + 'a>,
    style: Style,
}

impl Outputs<'_> {
    fn open(args: &ScanArgs, global: &Global) -> Result<Self, Failure> {
        let table = Output { format: REPORTERS[0].name.to_owned(), file: None };
        let chosen = if args.format.is_empty() { vec![table] } else { args.format.clone() };
        let mut names = std::collections::HashSet::new();
        let mut targets = Vec::new();
        for output in chosen {
            let Some(reporter) = reporters::by_name(&output.format) else { continue };
            let file = output.file.or_else(|| args.output.clone());
            let name = file.as_ref().map_or_else(|| "standard output".to_owned(), |file| file.to_string_lossy().into_owned());
            if !names.insert(name.clone()) {
                return Err(Failure::SameTarget { target: name });
            }
            let is_stdout = file.is_none();
            let writer: Box<dyn Write + Send> = match &file {
                Some(file) => Box::new(BufWriter::new(File::create(file).map_err(|source| Failure::unwritable(name.clone(), source))?)),
                None => Box::new(BufWriter::new(io::stdout())),
            };
            let style = Style {
                colour: is_stdout && global.color.applies(&io::stdout())
                    || !is_stdout && global.color == crate::cli::args::ColorChoice::Always,
                verbose: args.verbose,
                quiet: args.quiet,
                width: width(is_stdout),
            };
            targets.push(Target { reporter, name, writer, style });
        }
        Ok(Self { targets })
    }

    /// What all reporters together need.
    fn wanted(&self, args: &ScanArgs) -> Wanted {
        let any = |test: fn(&Wanted) -> bool| self.targets.iter().any(|target| test(&target.reporter.wanted));
        Wanted {
            excerpts: any(|wanted| wanted.excerpts),
            line_hashes: any(|wanted| wanted.line_hashes),
            text_hashes: any(|wanted| wanted.text_hashes),
            features: args.features,
            all_steps: args.verbose,
            explanations: args.explain_score,
        }
    }

    /// Returns true if and only if a reporter writes only once it has seen everything.
    fn keeps_entries(&self) -> bool {
        self.targets.iter().any(|target| target.reporter.write_entry.is_none())
    }

    fn stream(&mut self, entry: &Entry) -> Result<(), Failure> {
        for Target { reporter, name, writer, .. } in &mut self.targets {
            if let Some(write_entry) = reporter.write_entry {
                write_entry(entry, &mut **writer).map_err(|error| Failure::unwritable(name.clone(), error))?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, report: &Report) -> Result<(), Failure> {
        for Target { reporter, name, writer, style } in &mut self.targets {
            let written = if reporter.write_entry.is_none() { (reporter.write)(report, *style, &mut **writer) } else { Ok(()) };
            written.and_then(|()| writer.flush()).map_err(|error| Failure::unwritable(name.clone(), error))?;
        }
        Ok(())
    }
}

/// The width for tables: the terminal's, within reason.
fn width(is_stdout: bool) -> usize {
    let columns = || comfy_table::Table::new().width().map(usize::from);
    if is_stdout && io::stdout().is_terminal() { columns().unwrap_or(100).clamp(60, 160) } else { 110 }
}

/// Tells on a terminal how far a scan has come, once it has lasted a while.
struct Progress {
    started: Instant,
    bar: Option<ProgressBar>,
    is_shown: bool,
    count: u64,
}

impl Progress {
    fn new(quiet: bool) -> Self {
        Self { started: Instant::now(), bar: None, is_shown: !quiet && io::stderr().is_terminal(), count: 0 }
    }

    fn step(&mut self) {
        self.count += 1;
        if !self.is_shown || !self.count.is_multiple_of(64) {
            return;
        }
        if self.bar.is_none() && PATIENCE < self.started.elapsed() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} files judged ({per_sec})") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.count);
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
