//! `callgate sessions`: the sessions of the store.

use crate::cli::args::Global;
use crate::cli::audit::asked::SessionsArgs;
use crate::cli::audit::existing;
use crate::cli::commands::audit::{failure, filter_of, opened};
use crate::cli::commands::ended;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output::Outputs;
use crate::finding::hide::Hidden;
use crate::report::Style;
use crate::report::registry::{self as reporters, SESSIONS};

/// Writes the sessions.
///
/// # Errors
///
/// When there is no store, or it cannot be read.
pub fn run(args: &SessionsArgs, global: &Global) -> Result<Exit, Failure> {
    let place = existing(args.store.store.as_deref(), global)?;
    let mut outputs =
        Outputs::open((&args.format, args.store.output.as_deref()), SESSIONS[0].name, global.color, reporters::sessions_writer)?;
    place.file().into_iter().for_each(|file| outputs.spare(file));
    let store = opened(&place)?;
    let sessions = store.newest_sessions(&filter_of(&args.filter)?, args.limit).map_err(|fault| failure(&place, &fault))?;
    outputs.write(Style::default(), |writer, style, out| (writer.write)(Hidden::without_any(&sessions), style, out));
    Ok(ended(Exit::Allow, &outputs.finish(), global))
}
