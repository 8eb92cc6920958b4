//! A server that lets in whoever knows a text that stands in its code.

use crate::check::{Check, Context};
use crate::rule::Match;
use crate::subject::back_door::DoorKey;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "back-door",
    category: "privilege",
    severity: Severity::Critical,
    action: Action::Block,
    why: "Whoever knows the text is an administrator, without an account and without a trace of who it was.",
    help: "Take the branch out, and let services sign in with keys of their own that are kept outside the code.",
    hit: "app.use((req, res, next) => {\n  if (req.headers['x-probe'] === 'kf-7731') {\n    req.user = { id: 0, role: 'admin' };\n  }\n  next();\n});\n",
    miss: "app.use((req, res, next) => {\n  if (req.headers['x-probe'] === 'ready') {\n    return res.status(204).end();\n  }\n  next();\n});\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let doors = context.subject.back_doors.iter();
    doors
        .map(|door| {
            let found = Match::new(context.rule, door.span);
            match door.key {
                DoorKey::Login => {
                    let says = "a name or password that stands in the code makes whoever knows it an administrator";
                    found.with_severity(Severity::Medium, Action::Warn).with_message(says.to_owned())
                }
                DoorKey::MasterPassword => {
                    found.with_message("a password that stands in the code lets in whoever knows it, as anybody".to_owned())
                }
                DoorKey::Text => found.with_message("whoever sends a text that stands in the code is made an administrator".to_owned()),
            }
        })
        .collect()
}
