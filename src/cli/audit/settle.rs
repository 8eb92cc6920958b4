//! What is meant, and where it is stored.

use crate::cli::args::{Global, InputArgs, JudgementArgs};
use crate::cli::audit::args::AuditArgs;
use crate::cli::audit::{Chosen, choose};
use crate::cli::config::Loaded;
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::cli::settings::{Choice, Settings, settle};
use crate::finding::place::Wanted;

/// Settles what is meant by a command that judges, and the store that it writes.
///
/// # Errors
///
/// As `settle`, and when a store is wanted and there is no place for it.
pub fn settle_audited(
    input: &InputArgs,
    judgement: &JudgementArgs,
    models: &[String],
    args: &AuditArgs,
    global: &Global,
    wanted: Wanted,
) -> Result<(Settings, Option<Chosen>), Failure> {
    let mut settings = settle(input, judgement, Choice::Judges(models), global, wanted)?;
    settings.scanner.sessions.named = args.session.clone().filter(|session| !session.is_empty());
    // What was found rather than named says nothing of a store.
    let named = if global.config.is_some() { load::load(global.config.as_deref(), global.no_config)? } else { Loaded::default() };
    Ok((settings, choose(args.audit.as_deref(), args.audit_required, &named, global)?))
}
