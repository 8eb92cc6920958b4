//! What becomes of one source.

use crate::finding::Entry;
use crate::scan::detect::Detected;
use crate::subject::passed::Passed;
use crate::value::source::Source;

/// What became of one file.
pub enum Outcome {
    /// It was judged, or could not be.
    Entries(Vec<Entry>),
    /// What there is in it was found; it waits until its calls are numbered.
    Detected(Source, Vec<Detected>),
    /// It is none of those that are judged.
    PassedOver(Passed),
}
