//! `callgate explain`: what a rule means, why it matters, and what to do about it; how a model judges; or what a row says.

use crate::check::registry::{CHECKS, rules};
use crate::cli::args::{ExplainArgs, Global};
use crate::cli::commands::to_stdout;
use crate::cli::config::Loaded;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::cli::own;
use crate::cli::settings::Rulebook;
use crate::explain::row::{self, Row};
use crate::knowledge::manifest::Manifest;
use crate::knowledge::wildcard::fits;
use crate::model::registry::{self as models, Builder, MODELS, ModelSettings};
use crate::model::{Evaluation, ScoreRow};
use crate::pattern::Texts;
use crate::pattern::examples::expand;
use crate::pattern::library::Library;
use crate::policy::{BLOCK_THRESHOLD, WARN_THRESHOLD};
use crate::rule::Rule;
use crate::subject::segment::HOLE;
use crate::value::score::Score;
use crate::value::source::shown;
use crate::yaml;

/// Explains a rule or a model.
///
/// # Errors
///
/// When there is neither, or the settings have faults.
pub fn run(args: &ExplainArgs, global: &Global) -> Result<Exit, Failure> {
    let loaded = load::load(global)?;
    let rulebook = Rulebook::of(&loaded, global)?;
    let of_rule =
        check_page(&args.rule).or_else(|| pattern_page(&rulebook.library, &args.rule)).or_else(|| condition_page(&rulebook, &args.rule));
    let of_rule = of_rule.or_else(|| model_page(&args.rule, &loaded.config.model_settings));
    let Some(page) = of_rule.or(row_page(&loaded, &args.rule)?) else {
        let known = rulebook.ids();
        let models = MODELS.iter().map(|model| model.name);
        let hint = yaml::nearest(&args.rule, known.iter().map(String::as_str).chain(models));
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

/// The rows of the user's own and of `knowledge/` that have a name or a program of that name.
fn row_page(loaded: &Loaded, name: &str) -> Result<Option<String>, Failure> {
    let house = own::house(loaded, Manifest::default())?;
    let mut rows = own::rows_of(loaded, &house);
    rows.extend(row::built_in());
    let is_named = |row: &&Row| row.name == name || fits(&row.name, name) && row.name.contains('*') || row.program() == Some(name);
    let found: Vec<&Row> = rows.iter().filter(is_named).collect();
    let pages = found.iter().map(|row| {
        let source = if row.source.is_empty() { String::new() } else { format!("Source: {}\n", shown(&row.source)) };
        let told = if row.says.is_empty() { String::new() } else { format!("{}\n", shown(&row.says)) };
        let mut page = format!("{}\n{}\nrow · {}\n\n{told}{source}\n", row.name, "─".repeat(row.name.chars().count()), shown(&row.file));
        for (title, examples) in [("It fits:", &row.hit), ("It does not fit:", &row.miss)] {
            if !examples.is_empty() {
                page.push_str(&example(title, examples));
            }
        }
        page
    });
    Ok((!found.is_empty()).then(|| pages.collect()))
}

fn model_page(name: &str, settings: &ModelSettings) -> Option<String> {
    let entry = models::by_name(name)?;
    let line = "─".repeat(name.chars().count());
    let default = if name == models::DEFAULT { " · the default" } else { "" };
    let mut page = format!("{name}\n{line}\nmodel · decides by {}{default}\n\n{}\n", entry.decides_by, entry.summary);
    // A model that needs settings which are not there says how it judges once it has them.
    if let Ok(model) = Builder::new(settings).build(name) {
        page.push_str(&format!("How: {}.\n", model.method(&Evaluation::new(name.to_owned(), Score::ZERO)).rule));
        page.push_str(&score_table(&model.table()));
    }
    page.push_str(match entry.is_silent {
        true => "\nWhere it alone judges, no rule decides either.\n",
        false => "\nWhat a rule of your own blocks, and what a critical pattern blocks, stays blocked whatever the model thinks of it.\n",
    });
    page.push_str(&thresholds_of(entry.decides_by));
    page.push_str(&settings_of(name));
    page.push_str(&format!("\nTo judge by it: --model {name}, or in callgate.yaml:\n    models: [{name}]\n"));
    Some(page)
}

/// What so many matches of each severity score, by the settings in force.
fn score_table(rows: &[ScoreRow]) -> String {
    let Some(most) = rows.iter().map(|row| row.scores.len()).max() else { return String::new() };
    let heads: String = (1..=most).map(|count| format!("{count:>5}")).collect();
    let mut page = format!("\nThe score of so many matches of one severity alone:\n    {:<9}{heads}  at most\n", "matches");
    for ScoreRow { severity, scores, limit } in rows {
        let scores: String = scores.iter().map(|score| format!("{score:>5.0}")).collect();
        page.push_str(&format!("    {severity:<9}{scores}  {limit:>7.1}\n"));
    }
    page
}

fn thresholds_of(decides_by: &str) -> String {
    match decides_by {
        "thresholds" => {
            format!(
                "It warns from {WARN_THRESHOLD} points on and blocks from {BLOCK_THRESHOLD} on; warn_threshold and block_threshold change that.\n"
            )
        }
        _ => "warn_threshold and block_threshold, if they are set, can only make it stricter.\n".to_owned(),
    }
}

/// The settings of a model.
fn settings_of(name: &str) -> String {
    let settable = models::settable(name);
    if settable.is_empty() {
        return String::new();
    }
    let wide = settable.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    let mut page = format!("\nSettings, under `model_settings: {{ {name}: … }}`:\n");
    for (key, about) in settable {
        page.push_str(&format!("    {key:<wide$}  {about}\n"));
    }
    page
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
