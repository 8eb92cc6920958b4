//! `callgate audit` where this program was built without a store.

use crate::cli::args::Global;
use crate::cli::audit::args::AuditCommandArgs;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;

/// Says that there is no store.
///
/// # Errors
///
/// Always.
pub fn run(_: &AuditCommandArgs, _: &Global) -> Result<Exit, Failure> {
    Err(Failure::usage("this callgate was built without a store of evaluations", "install one with the feature `audit`"))
}
