//! The commands, one file each.

pub mod compare;
pub mod doctor;
pub mod explain;
pub mod generate;
pub mod hook;
pub mod init;
pub mod init_agent;
pub mod models;
pub mod patterns;
pub mod rules;
pub mod samples;
pub mod scan;
pub mod tune;

use std::io::{self, Write};

use crate::cli::failure::Failure;

/// Writes to standard output; a reader that has gone ends the run quietly.
fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    write(&mut stdout).and_then(|()| stdout.flush()).map_err(|error| Failure::unwritable("standard output", error))
}
