//! `callgate scan`: judges what the user named and reports it.

use std::io::Write as _;

use crate::cli::args::{Global, ScanArgs};
use crate::cli::exit::{Exit, FailOn};
use crate::cli::failure::Failure;
use crate::cli::output::{self, Target};
use crate::cli::progress::Progress;
use crate::cli::settings::{Choice, all_rules, settle};
use crate::cli::sources;
use crate::finding::hide::Hidden;
use crate::finding::place::Wanted;
use crate::finding::{Entry, Report};
use crate::pattern::mask::Mask;
use crate::report::registry::{self as reporters, REPORTERS};
use crate::report::{Reporter, Style};

/// How many bytes of secrets are remembered where nothing else of what was judged is.
const STREAMED: usize = 4 * 1024 * 1024;

/// Judges what the user named and reports it.
///
/// # Errors
///
/// When the settings have faults, there is nothing to scan, or a report cannot be written.
pub fn run(args: &ScanArgs, global: &Global) -> Result<Exit, Failure> {
    let outputs = Outputs::open(args, global)?;
    let wanted = outputs.wanted(args);
    let settings = settle(&args.input, &args.judgement, Choice::Judges(&args.model), global, wanted)?;
    let mask = if outputs.keeps_entries() { Mask::default() } else { Mask::bounded(STREAMED) };
    let mut run = Collected { report: Report::default(), mask, outputs, progress: Progress::new(args.quiet), failure: None };
    let judged = sources::judge(&args.input, &settings, |entry| run.take(entry))?;
    run.progress.finish();
    if let Some(failure) = run.failure.take() {
        return Err(failure);
    }
    let Collected { mut report, mut mask, mut outputs, .. } = run;
    // Only documents name the library, and its version takes a while to compute.
    report.run = judged.run(&settings, wanted.text_hashes || wanted.line_hashes);
    report.run.rules = all_rules(&settings.scanner.library, &settings.scanner.analyzers);
    if let Some(failure) = judged.nothing_to_scan().filter(|_| report.is_empty() && !args.exit_zero) {
        return Err(failure);
    }
    mask.learn(&report.run.secrets);
    let verdict = report.verdict();
    outputs.finish(Hidden::of(&mut report, &mask))?;
    let fail_on = if args.exit_zero { FailOn::Never } else { args.fail_on.or(settings.fail_on).unwrap_or_default() };
    Ok(Exit::of(verdict, fail_on))
}

/// What a run has come to so far.
struct Collected {
    report: Report,
    /// The secrets that were found so far.
    mask: Mask,
    outputs: Outputs,
    progress: Progress,
    failure: Option<Failure>,
}

impl Collected {
    fn take(&mut self, mut entry: Entry) {
        self.progress.step();
        self.mask.learn(entry.secrets());
        if self.outputs.streams()
            && let Err(failure) = self.outputs.stream(Hidden::of(&mut entry, &self.mask))
        {
            self.failure.get_or_insert(failure);
        }
        self.report.push(entry, self.outputs.keeps_entries());
    }
}

/// All outputs of a run.
struct Outputs {
    targets: Vec<(&'static Reporter, Target)>,
    verbose: bool,
    quiet: bool,
}

impl Outputs {
    fn open(args: &ScanArgs, global: &Global) -> Result<Self, Failure> {
        let targets = output::open(&args.format, REPORTERS[0].name, args.output.as_deref(), global.color)?;
        let targets = targets.into_iter().filter_map(|(format, target)| Some((reporters::by_name(&format)?, target)));
        Ok(Self { targets: targets.collect(), verbose: args.verbose, quiet: args.quiet })
    }

    /// What all reporters together need.
    fn wanted(&self, args: &ScanArgs) -> Wanted {
        let any = |test: fn(&Wanted) -> bool| self.targets.iter().any(|(reporter, _)| test(&reporter.wanted));
        Wanted {
            excerpts: any(|wanted| wanted.excerpts),
            line_hashes: any(|wanted| wanted.line_hashes),
            text_hashes: any(|wanted| wanted.text_hashes),
            features: args.features,
            all_steps: args.verbose,
            explanations: args.explain_score,
            opinions: false,
        }
    }

    /// Returns true if and only if a reporter writes only once it has seen everything.
    fn keeps_entries(&self) -> bool {
        self.targets.iter().any(|(reporter, _)| reporter.write_entry.is_none())
    }

    /// Returns true if and only if a reporter writes each entry as soon as it is there.
    fn streams(&self) -> bool {
        self.targets.iter().any(|(reporter, _)| reporter.write_entry.is_some())
    }

    fn stream(&mut self, entry: Hidden<'_, Entry>) -> Result<(), Failure> {
        for (reporter, target) in &mut self.targets {
            if let Some(write_entry) = reporter.write_entry {
                write_entry(entry, &mut *target.writer).map_err(|error| target.unwritable(error))?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, report: Hidden<'_, Report>) -> Result<(), Failure> {
        for (reporter, target) in &mut self.targets {
            let style = Style { colour: target.colour, verbose: self.verbose, quiet: self.quiet, width: target.width };
            let written = if reporter.write_entry.is_none() { (reporter.write)(report, style, &mut *target.writer) } else { Ok(()) };
            written.and_then(|()| target.writer.flush()).map_err(|error| target.unwritable(error))?;
        }
        Ok(())
    }
}
