//! A loop that reads page after page until there is none left.

use crate::check::{Check, Context};
use crate::knowledge::words::Tag;
use crate::meaning::CallFeatures;
use crate::meaning::paging::page_key;
use crate::meaning::sensitive::is_sensitive_tool;
use crate::meaning::tool_kind::ToolName;
use crate::rule::Match;
use crate::subject::call::{Call, Repeat};
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// So many pages are a sample.
const SAMPLE: u32 = 20;

/// The check.
pub const CHECK: Check = Check {
    id: "paged-mass-read",
    category: "mass-access",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A loop over all pages reads a whole collection, however small the limit of one page is.",
    help: "Stop after a fixed number of pages, or ask for what is wanted with a filter.",
    hit: "let cursor;\ndo {\n  const page = await callTool('customers:list', { limit: 100, cursor });\n  cursor = page.next;\n} while (cursor);\n",
    miss: "const page = await callTool('customers:list', { limit: 100, cursor: start });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls);
    calls
        .filter_map(|(call, features)| {
            let key = page_key_of_read(call, features)?;
            let bounds = &context.subject.bounds;
            let severity =
                if bounds.is_counted(call.span) && !bounds.is_endless(call.span) { Severity::Low } else { severity(context, call)? };
            let message = format!("`{}` reads page after page by `{key}`", call.tool.shown());
            Some(context.harm(call.span, severity).with_message(message))
        })
        .collect()
}

/// The key by which a call that only reads asks for the next page.
pub fn page_key_of_read<'c>(call: &'c Call, features: &CallFeatures) -> Option<&'c str> {
    if features.words.reads && !features.words.destroys { page_key(&call.argument) } else { None }
}

fn severity(context: &Context<'_>, call: &Call) -> Option<Severity> {
    let is_sensitive = is_sensitive_tool(call.tool.name().unwrap_or_default(), context.house);
    let is_public = call.tool.name().is_some_and(|name| ToolName::of(name).has(Tag::PublicReading));
    match call.repeat {
        _ if is_public || context.subject.is_of_program(call) => Some(Severity::Low),
        Repeat::Open => Some(if is_sensitive { Severity::High } else { Severity::Medium }),
        Repeat::Counted(pages) if pages <= SAMPLE => None,
        Repeat::Counted(_) => Some(if is_sensitive { Severity::Medium } else { Severity::Low }),
        // A loop of which is not known how often it runs.
        Repeat::Once if 0 < call.loop_depth => Some(Severity::Medium),
        Repeat::Once | Repeat::Each => None,
    }
}
