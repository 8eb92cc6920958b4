//! What has no rule to hang on: what could not be judged, what the score alone decided, what was left out.

use std::borrow::Cow;

use crate::finding::{Entry, Finding, Problem};
use crate::report::sarif::document::{DescriptorReference, Location, Notification, Text};
use crate::report::sarif::place::{location, region, unjudged};
use crate::subject::Reason;
use crate::value::verdict::Verdict;

/// The notifications of a run in order of its entries; `left_out` is how many results there were too many.
pub fn all(entries: &[Entry], left_out: usize) -> Vec<Notification> {
    let of_entry = |entry: &Entry| match entry {
        Entry::Finding(finding) => of_finding(finding),
        Entry::Problem(problem) => vec![of_problem(problem)],
        Entry::PassedOver(_) => Vec::new(),
    };
    let mut notifications: Vec<Notification> = entries.iter().flat_map(of_entry).collect();
    if 0 < left_out {
        let message =
            format!("{left_out} results of the least severity were left out, because GitHub takes no file with more than 25,000.");
        notifications.push(Notification {
            descriptor: DescriptorReference { id: Cow::Borrowed("limit/results") },
            level: "warning",
            message: Text::new(message),
            locations: Vec::new(),
        });
    }
    notifications
}

/// What makes the gate milder than its defaults.
pub fn loosened(loosened: &[String]) -> Vec<Notification> {
    let notification = |words: &String| Notification {
        descriptor: DescriptorReference { id: Cow::Borrowed("configuration/loosened") },
        level: "note",
        message: Text::new(format!("The gate is milder than by default: {words}")),
        locations: Vec::new(),
    };
    loosened.iter().map(notification).collect()
}

fn of_problem(problem: &Problem) -> Notification {
    let Problem { name, reason, detail, verdict, accepted: _, stream_line: _, secrets: _ } = problem;
    let message = unjudged("It could not be judged", *reason, detail, *verdict);
    notification(undetermined(*reason), level(*verdict), message, location(name, None, None))
}

fn of_finding(finding: &Finding) -> Vec<Notification> {
    let mut notifications = Vec::new();
    let whole = || location(&finding.name, None, None);
    let verdict = finding.decision.verdict;
    if let Some(place) = &finding.undetermined {
        let message = unjudged("Not all of it could be judged", place.reason, &place.detail, verdict);
        let region = place.position.map(|position| region(position, position));
        notifications.push(notification(undetermined(place.reason), level(verdict), message, location(&finding.name, region, None)));
    } else if finding.decision.cumulative.is_none() && finding.matches.is_empty() && Verdict::Allow < verdict {
        let message = format!("No rule matched, the score alone decided. The verdict is {verdict}.");
        let id = format!("decision/{}", finding.decision.reason.name());
        notifications.push(notification(id, level(verdict), message, whole()));
    }
    if let Some(cumulative) = &finding.decision.cumulative {
        let message = format!("Cumulative risk: {cumulative}. The verdict is {verdict}.");
        let id = format!("decision/{}", finding.decision.reason.name());
        notifications.push(notification(id, level(verdict), message, whole()));
    }
    if 0 < finding.further_matches {
        let message = format!(
            "{} further matches were left out; only the worst are kept. Raise `limits.matches` in callgate.yaml to see more.",
            finding.further_matches
        );
        notifications.push(notification("limit/matches".to_owned(), "warning", message, whole()));
    }
    notifications
}

fn undetermined(reason: Reason) -> String {
    format!("undetermined/{}", reason.name())
}

fn notification(id: String, level: &'static str, message: String, location: Location) -> Notification {
    Notification { descriptor: DescriptorReference { id: Cow::Owned(id) }, level, message: Text::new(message), locations: vec![location] }
}

/// The level of whatever has this verdict.
pub fn level(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "note",
        Verdict::Warn => "warning",
        Verdict::Block => "error",
    }
}
