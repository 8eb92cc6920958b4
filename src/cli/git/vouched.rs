//! What a walk may believe of a repository whose working tree is not trusted.

use crate::cli::failure::Failure;
use crate::cli::git::index;
use crate::cli::git::revision::Revision;
use crate::input::ignored::NAMES;
use crate::input::vouched::Vouched;

/// The ignore files of a revision, and what git tracks now.
///
/// # Errors
///
/// When git cannot be asked.
pub fn of(revision: &Revision) -> Result<Vouched, Failure> {
    let failed = |detail: String| Failure::Git { detail, help: "`git status` may tell more".to_owned() };
    let ignore_files = revision.named(&NAMES).map_err(|error| failed(format!("git: {error}")))?;
    let tracked = index::entries(&revision.top).map_err(failed)?.into_iter().map(|entry| revision.top.join(entry.path));
    Ok(Vouched::new(revision.top.clone(), ignore_files, tracked))
}
