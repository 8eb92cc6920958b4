//! The page of all rules that are built in, which reports link to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::check::registry as checks;
use crate::pattern::library::{Library, LibraryError};
use crate::report::sarif::rule::{UNDETERMINED, undetermined};
use crate::rule::Rule;
use crate::subject::Reason;

/// What stands above the rules.
const HEAD: &str = "# Rules

Everything that callgate finds by itself, by what it is about: checks look at what a script or a tool call does, patterns at its
texts. `callgate explain RULE` shows a rule with what it finds and what it does not; `--disable RULE`, or `rules` in callgate.yaml,
lets it not count. This page is written by `callgate generate rules`.
";
/// What stands above the reasons for which something could not be judged.
const UNJUDGED: &str = "What could not be judged is never allowed in silence: `on_undetermined` in callgate.yaml says what follows.
";

/// The page.
///
/// # Errors
///
/// When the built-in patterns make no library.
pub fn page() -> Result<String, LibraryError> {
    let library = Library::new(Vec::new())?;
    let mut by_category: BTreeMap<&str, Vec<&Arc<Rule>>> = BTreeMap::new();
    for rule in checks::rules().iter().chain(library.patterns().iter().map(|pattern| &pattern.rule)) {
        by_category.entry(&rule.category).or_default().push(rule);
    }
    let mut page = HEAD.to_owned();
    for (category, mut rules) in by_category {
        rules.sort_by(|left, right| left.id.cmp(&right.id));
        let _ = writeln!(page, "\n## {}", title(category));
        rules.iter().for_each(|rule| section(rule, &mut page));
    }
    let _ = writeln!(page, "\n## {}\n\n{UNJUDGED}", title(UNDETERMINED));
    for rule in Reason::ALL.map(undetermined) {
        let _ = writeln!(page, "### {}\n\n{} {}\n", rule.id, rule.why, rule.help);
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    Ok(page)
}

fn section(rule: &Rule, page: &mut String) {
    let Rule { id, origin, category: _, severity, action, why, help, secret: _ } = rule;
    let _ = writeln!(page, "\n### {id}\n\n{why} {help}\n\n{} · {severity} · {action}", origin.name());
}

fn title(category: &str) -> String {
    let mut title = category.replace('-', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    title
}
