//! What the classifier's facts are called before people. The names that weights go by stand in `inputs.rs` and never change.

use crate::knowledge::{Sensitivity, Side, SinkKind};
use crate::meaning::leak_kind::LeakKind;
use crate::subject::flow::Strength;
use crate::subject::hazard::{self, HazardKind};
use crate::value::severity::Severity;

/// A flow: "authentication data, whole, into a network call, outside".
pub fn flow(strength: Strength, data: Option<Sensitivity>, sink: SinkKind, side: Side) -> String {
    let data = data.map_or("data of no sensitive kind".to_owned(), |data| format!("{} data", data.name()));
    let how = match strength {
        Strength::Whole => "",
        Strength::Redacted => " (redacted)",
        Strength::Bit => " (bit by bit)",
        Strength::Control => " (by whether the call happens)",
    };
    format!("{data}{how} {}{}", into(sink), where_to(side))
}

/// A call by what it does: "a call over the network, outside".
pub fn call(sink: SinkKind, side: Side) -> String {
    let does = match sink {
        SinkKind::Network => "a call over the network",
        SinkKind::Mail => "a call that sends mail",
        SinkKind::Chat => "a call that writes to a chat",
        SinkKind::Publish => "a call that publishes",
        SinkKind::Command => "a call that runs a command",
        SinkKind::Code => "a call that runs code",
        SinkKind::Query => "a call that asks a database",
        SinkKind::FileWrite => "a call that writes a file",
        SinkKind::Delete => "a call that deletes",
        SinkKind::Prompt => "a call that instructs a language model",
        SinkKind::Answer => "a call that answers whoever asks",
    };
    format!("{does}{}", where_to(side))
}

/// A leak by its kind.
pub fn leak(kind: LeakKind, severity: Severity) -> String {
    let what = match kind {
        LeakKind::Plain => "data that leaves",
        LeakKind::Mass => "a whole collection that leaves",
        LeakKind::Covert => "data that leaves where nobody looks",
        LeakKind::Secret => "a secret that leaves",
    };
    format!("{what} ({severity})")
}

/// What a script does to its sandbox.
pub fn hazard(kind: HazardKind, strength: hazard::Strength) -> String {
    let what = match kind {
        HazardKind::Chain => "a walk to a constructor or prototype",
        HazardKind::Evaluation => "text that becomes code",
        HazardKind::Host => "a touch on the host",
        HazardKind::Loading => "a module that is loaded",
        HazardKind::Stack => "a look at the call stack",
        HazardKind::Hook => "a hook into the language",
        HazardKind::Pollution => "a change to what all values inherit",
        HazardKind::Endless => "a run that nothing bounds",
        HazardKind::Memory => "more memory than a script needs",
        HazardKind::Backtracking => "a regular expression of exponential time",
    };
    match strength {
        hazard::Strength::Probing => format!("{what} (may be harmless)"),
        hazard::Strength::Clear => what.to_owned(),
    }
}

fn into(sink: SinkKind) -> &'static str {
    match sink {
        SinkKind::Network => "sent over the network",
        SinkKind::Mail => "sent by mail",
        SinkKind::Chat => "written to a chat",
        SinkKind::Publish => "made public",
        SinkKind::Command => "run in a command",
        SinkKind::Code => "run as code",
        SinkKind::Query => "put into a query",
        SinkKind::FileWrite => "written to a file",
        SinkKind::Delete => "naming what is deleted",
        SinkKind::Prompt => "given to a language model",
        SinkKind::Answer => "told whoever asks",
    }
}

fn where_to(side: Side) -> &'static str {
    match side {
        Side::Inside => ", inside",
        Side::Unknown => "",
        Side::Outside => ", outside",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_told_in_words() {
        for (told, expected) in [
            (flow(Strength::Whole, None, SinkKind::Network, Side::Outside), "data of no sensitive kind sent over the network, outside"),
            (
                flow(Strength::Bit, Some(Sensitivity::Authentication), SinkKind::Mail, Side::Unknown),
                "authentication data (bit by bit) sent by mail",
            ),
            (call(SinkKind::Command, Side::Inside), "a call that runs a command, inside"),
            (leak(LeakKind::Secret, Severity::High), "a secret that leaves (high)"),
            (hazard(HazardKind::Evaluation, hazard::Strength::Probing), "text that becomes code (may be harmless)"),
        ] {
            assert_eq!(told, expected);
        }
    }
}
