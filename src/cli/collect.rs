//! Judges all that is named and keeps it, for the commands that look at a run as a whole.

use crate::cli::args::InputArgs;
use crate::cli::failure::Failure;
use crate::cli::output::Outputs;
use crate::cli::progress::Progress;
use crate::cli::settings::Settings;
use crate::cli::sources::{self, Named};
use crate::finding::Report;
use crate::pattern::mask::Mask;

/// The report of all that is named, and what was not there. What is read is not written over, and its secrets are learnt.
///
/// # Errors
///
/// When there is nothing to scan, or a revision or a list of paths cannot be read.
pub fn collect<W: Sync>(
    input: &InputArgs,
    settings: &Settings,
    (outputs, mask): (&mut Outputs<W>, &mut Mask),
) -> Result<(Report, Option<Failure>), Failure> {
    settings.read.iter().for_each(|path| outputs.spare(path));
    let mut report = Report::default();
    let mut progress = Progress::new(false);
    let judged = sources::judge(input, &Named::Paths, settings, outputs.traces(), |entry| {
        progress.step();
        outputs.spare(entry.name().path());
        mask.learn(entry.secrets());
        report.push(entry, true);
    })?;
    progress.finish();
    if let Some(failure) = judged.nothing_to_scan().filter(|_| report.is_empty()) {
        return Err(failure);
    }
    report.run = judged.run(settings, true);
    mask.learn(&report.run.secrets);
    Ok((report, judged.missing()))
}
