//! What comments accepted in a revision that is trusted: in a file that was changed since, they accept nothing else.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::accept::acceptance::{Acceptance, Basis};
use crate::accept::baseline::Baseline;
use crate::accept::fingerprint::Salt;
use crate::accept::inline::MARK;
use crate::accept::settle::Acceptances;
use crate::cli::failure::Failure;
use crate::cli::git::objects::Objects;
use crate::cli::git::revision::Revision;
use crate::cli::settings::Settings;
use crate::value::source::SourceName;

/// Judges the files of the revision that hold comments of ours and are not what they were, so that what these accepted there is known.
///
/// # Errors
///
/// When git cannot be asked, or the workers cannot be started.
pub fn take_up(settings: &mut Settings) -> Result<(), Failure> {
    let (Some(revision), Some(_)) = (settings.revision.clone(), &settings.scanner.acceptances.vouched) else { return Ok(()) };
    let acceptance = Acceptance {
        basis: Basis::Revision,
        reason: format!("it was accepted in {}", revision.shown()),
        owner: None,
        expires: None,
        place: revision.commit.clone(),
    };
    let salt = Salt::random();
    let taking = Baseline::taking(salt.clone(), revision.top.clone(), acceptance.clone());
    let plain = Acceptances { baselines: vec![taking], ..Acceptances::default() };
    let usual = std::mem::replace(&mut settings.scanner.acceptances, plain);
    let judged = judge_old(settings, &revision);
    let plain = std::mem::replace(&mut settings.scanner.acceptances, usual);
    settings.scanner.sessions.forget();
    judged?;
    let found = plain.baselines.iter().flat_map(Baseline::found).collect();
    let known = Baseline::new(salt, revision.top, acceptance, found, |_| false);
    if let Some(vouched) = &mut settings.scanner.acceptances.vouched {
        vouched.known = Some(known);
    }
    Ok(())
}

fn judge_old(settings: &Settings, revision: &Revision) -> Result<(), Failure> {
    let failed = |detail| Failure::Git { detail, help: "`git status` may tell more".to_owned() };
    let files: HashSet<PathBuf> = revision.holding_text(MARK).map_err(failed)?.into_iter().collect();
    if files.is_empty() {
        return Ok(());
    }
    let known = revision.files(|path| files.contains(path)).map_err(failed)?;
    let mut objects = Objects::open().map_err(|error| failed(format!("git: {error}")))?;
    let limit = settings.scanner.read.limits.file_size;
    let here = std::env::current_dir().unwrap_or_default();
    let found = known.into_iter().map(|(path, object)| {
        let whole = revision.top.join(&path);
        let named = whole.strip_prefix(&here).unwrap_or(&whole);
        objects.given(&object, SourceName::walked(named), limit)
    });
    settings.scanner.scan_found(found, |_| {})?;
    Ok(())
}
