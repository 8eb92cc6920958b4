//! Where something stands, and why something was not judged, as alerts and notifications both tell it.

use crate::report::sarif::document::{Location, PhysicalLocation, Region, Text};
use crate::report::sarif::text::sentence;
use crate::report::sarif::uri::artifact;
use crate::subject::Reason;
use crate::value::source::SourceName;
use crate::value::span::Position;
use crate::value::verdict::Verdict;

/// What could not be judged, why, what to do about it, and what follows.
pub fn unjudged(what: &str, reason: Reason, detail: &str, verdict: Verdict) -> String {
    format!("{what}: {} {} The verdict is {verdict}.", sentence(detail), sentence(reason.remedy()))
}

/// A place in a source, or the whole source.
pub fn location(name: &SourceName, region: Option<Region>, message: Option<String>) -> Location {
    Location {
        physical_location: PhysicalLocation { artifact_location: artifact(name), region },
        message: message.map(|message| Text { text: message }),
    }
}

/// A stretch of a source; both formats count from 1 and end one past the last character.
pub fn region(start: Position, end: Position) -> Region {
    Region { start_line: start.line, start_column: start.column, end_line: end.line, end_column: end.column }
}
