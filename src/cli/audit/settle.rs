//! What a run remembers: the store that it writes, and the session that it belongs to.

use crate::cli::args::Global;
use crate::cli::audit::args::AuditArgs;
use crate::cli::audit::limit;
use crate::cli::audit::{Chosen, choose};
use crate::cli::config::Loaded;
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::cli::settings::Settings;
use crate::cli::tenant::Tenant;
use crate::policy::cumulative::Limit;
use crate::scan::session::Sessions;

/// Lets a run remember what it should; returns the store that it writes.
///
/// # Errors
///
/// When a store is wanted and there is no place for it.
pub fn remember(settings: &mut Settings, args: &AuditArgs, global: &Global, tenant: Option<&Tenant>) -> Result<Option<Chosen>, Failure> {
    let session = args.session.clone().filter(|session| !session.is_empty());
    settings.scanner.remember(Sessions::new(session, None));
    // What was found rather than named says nothing of a store.
    let named = if global.config.is_some() { load::load(global)? } else { Loaded::default() };
    let chosen = choose(args.audit.as_deref(), args.audit_required, &named, global)?;
    let limits = limits(&named, global, tenant, settings.decay)?;
    match chosen {
        // A limit that cannot be looked up must not stay silent.
        Some(chosen) => Ok(Some(Chosen {
            tenant: tenant.map(|tenant| tenant.id.clone()),
            is_required: chosen.is_required || !limits.is_empty(),
            limits,
            ..chosen
        })),
        None if limits.is_empty() => Ok(None),
        None => Err(Failure::usage(
            "the settings have `cumulative` limits, but nothing is stored that could add up",
            "say --audit, set CALLGATE_AUDIT, or write `audit: {enabled: true}` into the settings that have the limits",
        )),
    }
}

/// The limits on what adds up: those of the settings that were named or are the user's own, and those of the tenant.
fn limits(named: &Loaded, global: &Global, tenant: Option<&Tenant>, share: f64) -> Result<Vec<Limit>, Failure> {
    let of_user = (!global.no_config && global.config.is_none()).then(load::of_user).flatten();
    let own = of_user.map(|path| load::named(&path)).transpose()?;
    let common = own.as_ref().unwrap_or(named);
    let beside = tenant.map(|tenant| tenant.config.cumulative.as_slice()).unwrap_or_default();
    Ok(limit::limits(&common.config.cumulative, share).chain(limit::limits(beside, share)).collect())
}
