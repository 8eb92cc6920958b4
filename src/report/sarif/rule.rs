//! The rules of a run, with what GitHub shows of them.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use crate::finding::{Entry, Finding};
use crate::report::sarif::document::{Configuration, Help, RuleDescriptor, RuleProperties, Text};
use crate::report::sarif::text::{clipped, plain, sentence};
use crate::rule::{Origin, Rule};
use crate::subject::Reason;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The longest name of a rule that GitHub takes, in characters.
const LONGEST_NAME: usize = 255;
/// The page that tells of every rule that is built in; each has a heading of its own.
pub const PAGE: &str = "https://github.com/callgate/callgate/blob/main/docs/rules.md";
/// The category of what could not be judged.
pub const UNDETERMINED: &str = "undetermined";
/// What GitHub filters security alerts by.
const SECURITY: &str = "security";

/// All rules of a run, by their place in the list.
pub struct RuleTable<'r> {
    rules: Vec<&'r Rule>,
    indices: HashMap<&'r str, usize>,
}

impl<'r> RuleTable<'r> {
    /// The rules that a run lists, then any other that hit: a result without its rule would have no severity; last, why
    /// something could not be judged.
    pub fn new(listed: &'r [Arc<Rule>], entries: &'r [Entry]) -> Self {
        let mut table = Self { rules: Vec::with_capacity(listed.len()), indices: HashMap::with_capacity(listed.len()) };
        let findings = || entries.iter().filter_map(Entry::finding);
        let hit = findings().flat_map(|finding: &Finding| &finding.matches).map(|found| &*found.rule);
        let reasons = entries.iter().filter_map(Entry::reason).map(|reason| -> &'r Rule { undetermined(reason) });
        for rule in listed.iter().map(|rule| &**rule).chain(hit).chain(reasons) {
            table.indices.entry(rule.id.as_ref()).or_insert_with(|| {
                table.rules.push(rule);
                table.rules.len() - 1
            });
        }
        table
    }

    /// The place of a rule in the list.
    #[expect(clippy::expect_used, reason = "`new` lists every rule that hit")]
    pub fn index(&self, rule: &Rule) -> usize {
        *self.indices.get(rule.id.as_ref()).expect("the table holds every rule that hit")
    }

    /// The list.
    pub fn descriptors(&self) -> Vec<RuleDescriptor<'r>> {
        self.rules.iter().map(|rule| descriptor(rule)).collect()
    }
}

/// The level of whatever is this bad.
pub fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "note",
        Severity::Medium => "warning",
        Severity::High | Severity::Critical => "error",
    }
}

fn descriptor(rule: &Rule) -> RuleDescriptor<'_> {
    // What is required must not be empty, and a user's pattern may say nothing.
    let or_id = |text: String| if text.is_empty() { sentence(&rule.id) } else { text };
    let (why, help) = (or_id(sentence(&rule.why)), sentence(&rule.help));
    RuleDescriptor {
        id: &rule.id,
        name: clipped(&pascal_case(&rule.id), LONGEST_NAME),
        full_description: Text::new(plain(format!("{why} {help}").trim_end())),
        help: Help { text: help_text(&why, &help), markdown: help_markdown(rule, &why, &help) },
        help_uri: help_uri(rule),
        short_description: Text::new(why),
        default_configuration: Configuration { level: level(rule.severity) },
        properties: RuleProperties {
            tags: [SECURITY, &rule.category].into_iter().take(if rule.category == SECURITY { 1 } else { 2 }).collect(),
            precision: precision(rule.origin),
            security_severity: security_severity(rule.severity),
        },
    }
}

/// The rule of everything that could not be judged for a reason.
pub fn undetermined(reason: Reason) -> &'static Rule {
    static RULES: LazyLock<[Rule; Reason::ALL.len()]> = LazyLock::new(|| {
        Reason::ALL.map(|reason| Rule {
            id: format!("{UNDETERMINED}/{}", reason.name()).into(),
            origin: Origin::Check,
            category: UNDETERMINED.into(),
            severity: Severity::High,
            action: Action::Block,
            why: reason.why().into(),
            help: sentence(reason.remedy()).into(),
            secret: false,
        })
    });
    &RULES[reason as usize]
}

/// Where a rule that is built in is told of.
fn help_uri(rule: &Rule) -> Option<String> {
    match rule.origin {
        Origin::Check | Origin::Pattern => Some(format!("{PAGE}#{}", anchor(&rule.id))),
        Origin::UserPattern | Origin::Analyzer => None,
    }
}

/// The name that GitHub gives to the heading of a rule.
pub fn anchor(id: &str) -> String {
    id.chars().filter(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_')).collect()
}

fn help_text(why: &str, help: &str) -> String {
    if help.is_empty() { why.to_owned() } else { format!("{why}\n\nWhat to do: {help}") }
}

fn help_markdown(rule: &Rule, why: &str, help: &str) -> String {
    let help = if help.is_empty() { String::new() } else { format!("**What to do:** {help}\n\n") };
    let Rule { id: _, origin, category, severity, action, why: _, help: _, secret: _ } = rule;
    format!(
        "{why}\n\n{help}| Severity | Action | Category | Kind |\n| --- | --- | --- | --- |\n| {severity} | {action} | {category} | {} |\n",
        origin.name()
    )
}

/// How GitHub ranks a severity: above 9.0 critical, from 7.0 high, from 4.0 medium, below low. Each stands
/// in the middle of its range, so that no rounding moves it.
fn security_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "2.0",
        Severity::Medium => "5.5",
        Severity::High => "8.0",
        Severity::Critical => "9.5",
    }
}

/// How often a hit is right. Built-in patterns are held to near misses; a check weighs how calls are used,
/// which can be meant; of a user's pattern or analyzer nothing is known.
fn precision(origin: Origin) -> &'static str {
    match origin {
        Origin::Pattern => "high",
        Origin::Check | Origin::UserPattern | Origin::Analyzer => "medium",
    }
}

/// `aws-access-key` as `AwsAccessKey`.
fn pascal_case(id: &str) -> String {
    let words = id.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.flat_map(|word| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1))).collect();
    if name.is_empty() { id.to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::verdict::Action;

    fn rule(id: &'static str, category: &'static str, why: &'static str, help: &'static str) -> Rule {
        Rule {
            id: id.into(),
            origin: Origin::UserPattern,
            category: category.into(),
            severity: Severity::High,
            action: Action::Warn,
            why: why.into(),
            help: help.into(),
            secret: false,
        }
    }

    #[test]
    fn names_are_in_pascal_case() {
        for (id, expected) in [("aws-access-key", "AwsAccessKey"), ("x", "X"), ("é--2-b", "É2B"), ("-", "-")] {
            assert_eq!(pascal_case(id), expected);
        }
    }

    #[test]
    fn a_rule_that_says_nothing_still_has_every_required_text() {
        let rule = rule("my-rule", SECURITY, "", "");
        let written = descriptor(&rule);
        assert_eq!(written.short_description.text, "My-rule.");
        assert_eq!(written.full_description.text, "My-rule.");
        assert_eq!(written.help.text, "My-rule.");
        assert_eq!(written.properties.tags, [SECURITY]);
    }

    #[test]
    fn texts_stay_within_what_github_takes() {
        let long: &'static str = "word ".repeat(1_000).leak();
        let rule = rule("a-b", "mine", long, long);
        let written = descriptor(&rule);
        for text in [&written.short_description.text, &written.full_description.text] {
            assert!(text.chars().count() <= 1_024, "{}", text.chars().count());
        }
        assert_eq!(descriptor(&Rule { id: "x".repeat(300).into(), ..rule }).name.chars().count(), LONGEST_NAME);
    }
}
