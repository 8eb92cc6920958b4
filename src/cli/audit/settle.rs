//! What a run remembers: the store that it writes, and the session that it belongs to.

use crate::cli::args::Global;
use crate::cli::audit::args::AuditArgs;
use crate::cli::audit::{Chosen, choose};
use crate::cli::config::Loaded;
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::cli::settings::Settings;

/// Lets a run remember what it should; returns the store that it writes.
///
/// # Errors
///
/// When a store is wanted and there is no place for it.
pub fn remember(settings: &mut Settings, args: &AuditArgs, global: &Global) -> Result<Option<Chosen>, Failure> {
    let session = args.session.clone().filter(|session| !session.is_empty());
    if let Some(handed) = settings.scanner.for_handed.as_deref_mut() {
        handed.sessions.named.clone_from(&session);
    }
    settings.scanner.sessions.named = session;
    // What was found rather than named says nothing of a store.
    let named = if global.config.is_some() { load::load(global)? } else { Loaded::default() };
    choose(args.audit.as_deref(), args.audit_required, &named, global)
}
