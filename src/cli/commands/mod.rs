//! The commands, one file each.

#[cfg(feature = "audit")]
pub mod audit;
#[cfg(not(feature = "audit"))]
pub mod audit_absent;
pub mod baseline;
#[cfg(feature = "audit")]
pub mod calibrate;
pub mod compare;
pub mod doctor;
pub mod explain;
pub mod generate;
#[cfg(feature = "audit")]
pub mod history;
pub mod hook;
pub mod init;
pub mod init_agent;
pub mod models;
pub mod patterns;
pub mod replay;
pub mod rules;
pub mod samples;
pub mod scan;
#[cfg(feature = "audit")]
pub mod sessions;
pub mod tools;
#[cfg(feature = "audit")]
pub mod trends;
pub mod tune;

#[cfg(not(feature = "audit"))]
pub use {
    self::audit_absent as audit, self::audit_absent as calibrate, self::audit_absent as history, self::audit_absent as sessions,
    self::audit_absent as trends,
};

use std::io::{self, Write};

use crate::cli::args::Global;
use crate::cli::exit::Exit;
use crate::cli::failure::{self, Failure};
use crate::cli::told;
use crate::value::source::shown;

/// Writes to standard output; a reader that has gone has read what it wanted.
fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let written = write(&mut stdout).and_then(|()| stdout.flush());
    written.err().and_then(|error| Failure::of_writing("standard output", error)).map_or(Ok(()), Err)
}

/// How a run ends beside whose judging this failed; tells it.
fn ended(exit: Exit, failures: &[Failure], global: &Global) -> Exit {
    failures.iter().for_each(|failure| failure::print(failure, global.color.applies(&io::stderr())));
    if failures.is_empty() { exit } else { exit.with_failure() }
}

/// Tells on standard error what does not end a run, but is not what it seems.
fn note(notes: &[String]) {
    for note in notes {
        told::tell(format!("callgate: {}\n", shown(note)));
    }
}
