//! `callgate explain`: what a rule means, why it matters, and what to do about it.

use crate::check::registry::{CHECKS, rules};
use crate::cli::args::{ExplainArgs, Global};
use crate::cli::commands::to_stdout;
use crate::cli::config;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::settings::Rulebook;
use crate::pattern::Texts;
use crate::pattern::examples::expand;
use crate::pattern::library::Library;
use crate::rule::Rule;
use crate::subject::segment::HOLE;
use crate::value::source::shown;
use crate::yaml;

/// Explains a rule.
///
/// # Errors
///
/// When there is no such rule, or the settings have faults.
pub fn run(args: &ExplainArgs, global: &Global) -> Result<Exit, Failure> {
    let rulebook = Rulebook::of(&config::load(global.config.as_deref(), global.no_config)?, global)?;
    let Some(page) =
        check_page(&args.rule).or_else(|| pattern_page(&rulebook.library, &args.rule)).or_else(|| condition_page(&rulebook, &args.rule))
    else {
        let known = rulebook.ids();
        let hint = yaml::nearest(&args.rule, known.iter().map(String::as_str));
        return Err(Failure::UnknownRule { id: args.rule.clone(), hint });
    };
    to_stdout(|out| out.write_all(page.as_bytes()))?;
    Ok(Exit::Allow)
}

fn check_page(id: &str) -> Option<String> {
    let (check, rule) = CHECKS.iter().zip(rules()).find(|(check, _)| check.id == id)?;
    let mut page = head(rule);
    page.push_str(&example("This is found:", &[check.hit.to_owned()]));
    page.push_str(&example("This is not:", &[check.miss.to_owned()]));
    page.push_str(&ignoring(rule));
    Some(page)
}

fn pattern_page(library: &Library, id: &str) -> Option<String> {
    let pattern = library.patterns().iter().find(|pattern| pattern.rule.id == id)?;
    let mut page = head(&pattern.rule);
    let shorten = |examples: &Texts| examples.iter().take(3).map(expand).collect::<Vec<_>>();
    let places: Vec<&str> = pattern.roles.iter().map(|role| role.name()).collect();
    let keywords = pattern.keywords.iter().collect::<Vec<_>>().join(", ");
    let keywords = if keywords.is_empty() { "none; it is tried on every text".to_owned() } else { keywords };
    page.push_str(&format!("Searched in: {}\nKeywords:    {keywords}\nFinds:       {}\n\n", places.join(", "), pattern.find));
    for (title, examples) in [("This is found:", &pattern.examples.hit), ("This is not:", &pattern.examples.miss)] {
        if !examples.is_empty() {
            page.push_str(&example(title, &shorten(examples)));
        }
    }
    page.push_str(&ignoring(&pattern.rule));
    Some(page)
}

fn condition_page(rulebook: &Rulebook, id: &str) -> Option<String> {
    let condition = rulebook.analyzers.conditions.iter().find(|condition| condition.rule.id == id)?;
    let mut page = head(&condition.rule);
    page.push_str(&example("This is found when:", std::slice::from_ref(&condition.written)));
    page.push_str(&ignoring(&condition.rule));
    Some(page)
}

fn head(rule: &Rule) -> String {
    let Rule { id, origin, category, severity, action, why, help, .. } = rule;
    format!("{id}\n{}\n{} · {category} · {severity} · {action}\n\n{why}\n{help}\n\n", "─".repeat(id.chars().count()), origin.name())
}

fn example(title: &str, texts: &[String]) -> String {
    let mut page = format!("{title}\n");
    for line in texts.iter().flat_map(|text| text.lines()) {
        page.push_str(&format!("    {}\n", shown(&line.replace(HOLE, "${…}"))));
    }
    page.push('\n');
    page
}

fn ignoring(rule: &Rule) -> String {
    let id = &rule.id;
    format!("To let it not count: --disable {id}, or in callgate.yaml:\n    rules:\n      {id}: {{ enabled: false }}\n")
}
