//! `callgate scan`: judges what the user named and reports it.

use std::io;
use std::path::Path;

use crate::cli::args::{Global, ScanArgs};
use crate::cli::audit::keeper::Keeper;
use crate::cli::audit::settle::remember;
use crate::cli::baseline::{self, Asked};
use crate::cli::commands::{ended, note};
use crate::cli::coverage::Coverage;
use crate::cli::delta::{Changed, Tally};
use crate::cli::exit::{Exit, FailOn};
use crate::cli::failure::{self, Failure};
use crate::cli::metrics::Counters;
use crate::cli::output::Outputs;
use crate::cli::progress::Progress;
use crate::cli::settings::{self, Choice, Settings, all_rules, settle};
use crate::cli::sources::{self, Named};
use crate::cli::told::mask_of;
use crate::cli::{git, loosened, tenant, usage, vouched};
use crate::finding::hide::{Hidden, Hide as _};
use crate::finding::item::count;
use crate::finding::place::Wanted;
use crate::finding::statistics::Statistics;
use crate::finding::{Entry, Report};
use crate::format::Language;
use crate::format::registry as formats;
use crate::input::walk::Traces;
use crate::pattern::mask::Mask;
use crate::report::registry::{self as reporters, LISTERS, REPORTERS};
use crate::report::{Reporter, Style};
use crate::subject::passed::PassedCounts;
use crate::value::verdict::Verdict;

/// How many bytes of secrets are remembered where nothing else of what was judged is.
const STREAMED: usize = 4 * 1024 * 1024;

/// What is told where settings that were found do not hold.
const TIGHTENED: &str = "the settings were found and not named, so what they loosen does not hold for tool calls and standard input";
/// What is told behind it.
const REMEDY: &str = "name them with --config, and those of a tenant with --tenants";
/// How much of what does not hold is told.
const MOST_TOLD: usize = 6;

/// Judges what the user named and reports it.
///
/// # Errors
///
/// When the command line contradicts itself, the settings have faults, or there is nothing to scan. What cannot be written is told,
/// and does not keep anything from being judged.
pub fn run(args: &ScanArgs, global: &Global) -> Result<Exit, Failure> {
    if args.list_files {
        return list_files(args, global);
    }
    usage::check_scan(args)?;
    let mut outputs = Outputs::open((&args.format, args.output.as_deref()), REPORTERS[0].name, global.color, reporters::by_name)?;
    let wanted = wanted(&outputs, args);
    let tenant = tenant::chosen(&args.audit.tenant, global, Some(Path::new("")))?;
    let meant = settings::Asked { input: &args.input, judgement: &args.judgement, choice: Choice::Judges(&args.model), global, wanted };
    let mut settings = tenant::settle(&meant, tenant.as_ref())?;
    let store = remember(&mut settings, &args.audit, global, tenant.as_ref())?;
    let keeper = store.map(|chosen| Keeper::open(chosen, &mut settings, None));
    let counters = Counters::begin(args.audit.metrics.as_deref(), &mut settings);
    settings.loosened.extend(loosened::of_exit(args.exit_zero, args.fail_on, settings.fail_on));
    settings.notes.extend(usage::idle_verbose(args));
    let changed = match args.since.as_ref().or(args.delta.as_ref()) {
        Some(revision) => Some(Changed::since(revision, &args.input.paths, &settings)?),
        None => None,
    };
    let named = match &changed {
        Some(changed) => Named::Changed { paths: changed.paths(), repositories: changed.repositories },
        None if args.staged => Named::Staged,
        None => Named::Paths,
    };
    if args.write_baseline.is_some() && settings.revision.is_some() {
        return Err(Failure::usage(
            "a baseline is written into the working tree, and --config-from says not to look at it",
            "leave --config-from out",
        ));
    }
    if args.staged {
        settings.scanner.acceptances.folder = git::top().ok();
    }
    let writing = baseline::take_up(asked(args), &mut settings)?;
    let compared = changed.filter(|_| args.delta.is_some());
    if let Some(changed) = &compared {
        changed.compare(&mut settings)?;
    }
    vouched::take_up(&mut settings)?;
    let is_all = named == Named::Paths && args.input.files_from.is_none() && args.input.paths.iter().all(|path| path.as_os_str() == ".");
    settings.scanner.acceptances.baselines.iter_mut().for_each(|baseline| baseline.judges_all |= is_all);
    settings.read.iter().for_each(|path| outputs.spare(path));
    let traces = outputs.traces();
    let style = Style { verbose: args.verbose, quiet: args.quiet, ..Style::default() };
    let keeps_entries = outputs.writers().any(|reporter| reporter.write_entry.is_none());
    let mask = if keeps_entries { Mask::default() } else { Mask::bounded(STREAMED) };
    let progress = Progress::new(args.quiet);
    let mut report = Report::default();
    report.shown_from = args.min_severity;
    report.statistics = args.statistics.then(Statistics::default);
    let mut run = Collected {
        report,
        coverage: Coverage::default(),
        mask,
        outputs,
        style,
        progress,
        verdict: Verdict::Allow,
        keeper,
        counters,
        tally: compared.as_ref().map(|_| Tally::default()),
        is_handed: false,
    };
    let judged = sources::judge(&args.input, &named, &settings, traces, |entry| run.take(entry))?;
    run.progress.finish();
    let Collected { mut report, coverage, mut mask, mut outputs, verdict, mut keeper, counters, tally, is_handed, .. } = run;
    let uncounted = counters.and_then(|counters| counters.write(keeper.as_mut()).err());
    let audit_problem = keeper.and_then(Keeper::finish);
    // Only documents name the library, and its version takes a while to compute.
    report.run = judged.run(&settings, wanted.text_hashes || wanted.line_hashes);
    report.run.audit_problem = audit_problem.as_ref().map(|(failure, _)| failure.to_string());
    report.run.delta = compared.zip(tally).map(|(changed, tally)| changed.delta(&settings, tally));
    report.run.rules = all_rules(&settings.scanner.library, &settings.scanner.analyzers);
    if let Some(failure) = judged.nothing_to_scan().filter(|_| report.is_empty() && !args.exit_zero) {
        return Err(failure);
    }
    mask.learn(&report.run.secrets);
    if let Some(writing) = &writing {
        settings.notes.extend(writing.finish(&settings)?);
    }
    let has_remarks = !report.remarks().is_empty();
    let report = Hidden::of(&mut report, &mask);
    outputs.write(style, |reporter, style, out| match (reporter.write_entry, reporter.write_run) {
        (None, _) => (reporter.write)(report, style, out),
        (Some(_), Some(write_run)) => write_run(report, out),
        (Some(_), None) => Ok(()),
    });
    let is_tightened = is_handed && settings.scanner.for_handed.is_some();
    if is_tightened {
        settings.fail_on = None;
        let told = tightened(&settings.loosened);
        settings.notes.push(mask.hidden(&told).unwrap_or(told));
    }
    if !args.quiet {
        note(&settings.notes);
    }
    let fail_on = if args.exit_zero { FailOn::Never } else { args.fail_on.or(settings.fail_on).unwrap_or_default() };
    let uncovered = uncovered(args, &named, coverage, judged.passed_over(), &settings);
    let failures = judged.missing().into_iter().chain(uncovered).chain(outputs.finish()).chain(not_stored(audit_problem, global));
    let failures: Vec<Failure> = failures.chain(uncounted).collect();
    let verdict = if args.deny_unused && has_remarks { verdict.max(Verdict::Warn) } else { verdict };
    Ok(ended(Exit::of(verdict, fail_on), &failures, global))
}

/// What is told where settings that were found do not hold: which of them, and what to do about it.
fn tightened(loosened: &[String]) -> String {
    let told: Vec<&str> = loosened.iter().map(String::as_str).filter(|word| !word.starts_with("--")).collect();
    let more = told.len().saturating_sub(MOST_TOLD);
    let more = if more == 0 { String::new() } else { format!(", and {more} more") };
    let list = told.get(..MOST_TOLD).unwrap_or(&told).join(", ");
    let list = if list.is_empty() { list } else { format!(" ({list}{more})") };
    format!("{TIGHTENED}{list}; {REMEDY}")
}

/// What fails a run that could not store its evaluations; where they need not be stored, it is told and nothing else.
fn not_stored(problem: Option<(Failure, bool)>, global: &Global) -> Option<Failure> {
    let (failure, is_required) = problem?;
    if is_required {
        return Some(failure);
    }
    failure::print(&failure, global.color.applies(&io::stderr()));
    None
}

/// What is asked of baselines.
fn asked(args: &ScanArgs) -> Asked<'_> {
    match &args.write_baseline {
        Some(path) => Asked::Written(path),
        None if args.judgement.no_acceptances => Asked::Ignored,
        None => Asked::Heeded(args.baseline.as_deref()),
    }
}

/// Why the run fails, if it was to judge more than it did.
fn uncovered(args: &ScanArgs, named: &Named, mut coverage: Coverage, passed_over: &PassedCounts, settings: &Settings) -> Option<Failure> {
    let required = args.min_coverage?;
    let mut listed = Vec::new();
    // Of what is passed over only the kinds are kept. What stood on standard input cannot be read again.
    let can_list = args.input.files_from.as_deref().is_none_or(|file| file.as_os_str() != "-");
    if can_list {
        // What cannot be listed is still counted.
        let _ = sources::list(&args.input, named, settings, Traces::default(), |file| listed.push(file));
    }
    coverage.take_passed(passed_over, &listed);
    coverage.failure(required)
}

/// Lists what becomes of every file; whatever it is, the run has done what it was asked for.
fn list_files(args: &ScanArgs, global: &Global) -> Result<Exit, Failure> {
    if let Some(output) = args.format.iter().find(|output| reporters::lister(&output.format).is_none()) {
        return Err(Failure::NotListed { format: output.format.clone() });
    }
    let mut outputs = Outputs::open((&args.format, args.output.as_deref()), LISTERS[0].name, global.color, reporters::lister)?;
    let settings = settle(&args.input, &args.judgement, Choice::Judges(&args.model), global, Wanted::default())?;
    let mut files = Vec::new();
    sources::list(&args.input, if args.staged { &Named::Staged } else { &Named::Paths }, &settings, outputs.traces(), |file| {
        outputs.spare(file.name.path());
        files.push(file);
    })?;
    files.hide(&mask_of(files.iter().map(|file| file.name.as_text()).collect::<Vec<_>>().iter().map(String::as_str)));
    let style = Style { verbose: args.verbose, quiet: args.quiet, ..Style::default() };
    outputs.write(style, |lister, style, out| (lister.write)(&files, style, out));
    Ok(ended(Exit::Allow, &outputs.finish(), global))
}

/// What a run has come to so far.
struct Collected {
    report: Report,
    coverage: Coverage,
    /// The secrets that were found so far.
    mask: Mask,
    outputs: Outputs<Reporter>,
    style: Style,
    progress: Progress,
    /// The strictest verdict on what there is: what is not there fails the run instead.
    verdict: Verdict,
    /// Stores it all.
    keeper: Option<Keeper>,
    /// How much was found in each file.
    tally: Option<Tally>,
    /// Something of it is what an agent hands over.
    is_handed: bool,
    /// Counts it all.
    counters: Option<Counters>,
}

impl Collected {
    fn take(&mut self, mut entry: Entry) {
        self.progress.step();
        if let Some(tally) = &mut self.tally {
            tally.take(&entry);
        }
        self.is_handed |= is_handed(&entry);
        self.outputs.spare(entry.name().path());
        self.mask.learn(entry.secrets());
        if let Some(counters) = &mut self.counters {
            counters.take(&entry);
        }
        self.coverage.take(&entry);
        if let Some(statistics) = &mut self.report.statistics {
            count(&entry, statistics);
        }
        if let Some(keeper) = &mut self.keeper {
            keeper.take(&mut entry, &self.mask);
        }
        if !sources::is_missing(&entry) {
            self.verdict = self.verdict.max(entry.verdict());
        }
        self.report.sift(&mut entry);
        let keep = self.outputs.writers().any(|reporter| reporter.write_entry.is_none());
        if self.outputs.writers().any(|reporter| reporter.write_entry.is_some()) {
            let entry = Hidden::of(&mut entry, &self.mask);
            self.outputs.write(self.style, |reporter, style, out| match reporter.write_entry {
                Some(write_entry) if style.shows(entry.get()) => write_entry(entry, out),
                Some(_) | None => Ok(()),
            });
        }
        // Whoever wrote the line of a stream may wait for its answer.
        if entry.stream_line().is_some_and(|line| line.is_awaited) {
            self.outputs.flush();
        }
        self.report.push(entry, keep);
    }
}

/// Whether an entry is of what an agent hands over.
fn is_handed(entry: &Entry) -> bool {
    let is_call = || formats::by_path(entry.name().path()).is_some_and(|recognised| recognised.language == Language::ToolCall);
    entry.name().is_stream || entry.finding().map_or_else(is_call, |finding| finding.record.is_some())
}

/// What all reporters together need.
fn wanted(outputs: &Outputs<Reporter>, args: &ScanArgs) -> Wanted {
    let any = |test: fn(&Wanted) -> bool| outputs.writers().any(|reporter| test(&reporter.wanted));
    Wanted {
        excerpts: any(|wanted| wanted.excerpts),
        line_hashes: any(|wanted| wanted.line_hashes),
        text_hashes: any(|wanted| wanted.text_hashes),
        trails: false,
        features: args.features,
        all_steps: args.verbose,
        explanations: args.explain_score,
        opinions: false,
    }
}
