//! What asks a store, where this program was built without one.

use crate::cli::args::Global;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;

/// Says that there is no store.
///
/// # Errors
///
/// Always.
pub fn run<A>(_: &A, _: &Global) -> Result<Exit, Failure> {
    Err(Failure::usage("this callgate was built without a store of evaluations", "install one with the feature `audit`"))
}
