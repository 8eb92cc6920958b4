//! `callgate history`: the latest evaluations of the store.

use crate::audit::query::Filter;
use crate::cli::args::Global;
use crate::cli::audit::asked::HistoryArgs;
use crate::cli::audit::existing;
use crate::cli::commands::audit::{failure, filter_of, opened};
use crate::cli::commands::ended;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output::Outputs;
use crate::finding::hide::Hidden;
use crate::report::Style;
use crate::report::registry::{self as reporters, HISTORIES};

/// Writes the latest evaluations.
///
/// # Errors
///
/// When there is no store, or it cannot be read.
pub fn run(args: &HistoryArgs, global: &Global) -> Result<Exit, Failure> {
    let place = existing(args.store.store.as_deref(), global)?;
    let mut outputs =
        Outputs::open((&args.format, args.store.output.as_deref()), HISTORIES[0].name, global.color, reporters::history_writer)?;
    place.file().into_iter().for_each(|file| outputs.spare(file));
    let store = opened(&place)?;
    let filter = Filter { without_clean: args.no_clean, is_labelled: args.labelled, ..filter_of(&args.filter)? };
    let evaluations = store.newest(&filter, args.limit).map_err(|fault| failure(&place, &fault))?;
    outputs.write(Style::default(), |writer, style, out| (writer.write)(Hidden::without_any(&evaluations), style, out));
    Ok(ended(Exit::Allow, &outputs.finish(), global))
}
