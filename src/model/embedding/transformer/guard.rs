//! Calls into libraries that read a user's files.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::model::embedding::EmbeddingError;
use crate::value::source::shown;

/// What a library answers, or that `what` fails. Where a file contradicts itself, libraries may panic.
///
/// # Errors
///
/// When the call fails or panics.
pub fn guarded<T, E: Display>(what: &str, call: impl FnOnce() -> Result<T, E>) -> Result<T, EmbeddingError> {
    let failed = |cause: &str| EmbeddingError::new(format!("{what} fails: {}", shown(cause)));
    match catch_unwind(AssertUnwindSafe(call)) {
        // What follows the first line is where in the library it arose.
        Ok(answer) => answer.map_err(|cause| failed(cause.to_string().lines().next().unwrap_or_default())),
        Err(_) => Err(failed("its file contradicts itself")),
    }
}
