//! Only what rises: a line each, and nothing where nothing does.

use std::io;

use crate::finding::hide::Hidden;
use crate::history::trends::Trends;
use crate::report::Style;
use crate::report::history::{sentence, span};

/// Writes what rises.
///
/// # Errors
///
/// When the writer fails.
pub fn write(trends: Hidden<'_, Trends>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let rising = &trends.rising;
    let of_several = 1 < rising.compared + rising.too_few.len();
    let length = span(rising.window);
    rising.rises.iter().try_for_each(|rise| writeln!(writer, "rising within {length}: {}", sentence(rise, of_several)))
}
