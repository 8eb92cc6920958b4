//! A pattern file as a user writes it, and how it becomes patterns.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::pattern::validator::Validator;
use crate::pattern::written::Written;
use crate::pattern::{Examples, Grade, Pattern, Texts, compile};
use crate::rule::{Origin, Rule};
use crate::subject::segment::Role;
use crate::subject::{Kind, Lifecycle};
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::yaml::{self, Fault};

/// A file of patterns.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatternFile {
    /// What all patterns of the file are about.
    pub category: String,
    /// The patterns.
    pub patterns: Vec<PatternItem>,
}

/// One pattern of a file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatternItem {
    /// Unique name, kebab-case.
    pub id: String,
    /// How bad a hit is.
    pub severity: SeverityName,
    /// What a hit asks for.
    pub action: ActionName,
    /// When in an agent's life it applies; always, if left out.
    #[serde(default)]
    pub applies_to: Vec<LifecycleName>,
    /// Which subjects it applies to; all, if left out.
    #[serde(default)]
    pub kinds: Vec<KindName>,
    /// Where a hit is worse or milder than usual; the first that names the kind counts.
    #[serde(default)]
    pub by_kind: Vec<GradeItem>,
    /// Which texts it searches; strings, if left out.
    #[serde(default, rename = "where")]
    pub roles: Vec<RoleName>,
    /// Why it matters, in one sentence.
    pub why: String,
    /// What to do about it, in one sentence.
    pub help: String,
    /// Lower-case words of at least three bytes; one of them must stand in a text before the regex is tried.
    pub keywords: Vec<String>,
    /// The regular expression (syntax of the Rust crate `regex`; linear time, no look-around).
    pub find: String,
    /// The regex means Unicode (`\p{…}`, letters beyond ASCII), and texts of ASCII alone are not searched. Without it
    /// `\w`, `\d`, `\s`, `\b` and letter case mean ASCII, which compiles many times faster.
    #[serde(default)]
    pub unicode: bool,
    /// What else must hold of what the regex finds.
    pub validator: Option<ValidatorName>,
    /// What it finds must not be repeated in any output.
    #[serde(default)]
    pub secret: bool,
    /// Texts that prove it.
    pub examples: ExampleItems,
}

/// How bad a hit is in some kinds of subjects.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GradeItem {
    /// In which subjects.
    pub kinds: Vec<KindName>,
    /// Only in scripts that import or export: parts of programs, not what an agent was handed alone.
    #[serde(default)]
    pub modules: bool,
    /// How bad a hit is there.
    pub severity: SeverityName,
    /// What a hit asks for there.
    pub action: ActionName,
}

/// The examples of a pattern.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExampleItems {
    /// It must find something in each of these.
    pub hit: Vec<String>,
    /// It must find nothing in any of these.
    pub miss: Vec<String>,
}

/// Declares how a type of ours is written in files: by the names that it has everywhere.
macro_rules! names {
    ($(#[$meta:meta])* $name:ident => $target:ty) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub $target);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                let known = <$target>::from_name(&name).map(Self);
                known.ok_or_else(|| D::Error::custom(format!("`{name}` is none of the names that can stand here")))
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let names: Vec<&str> = <$target>::ALL.into_iter().map(<$target>::name).collect();
                json_schema!({ "type": "string", "enum": names })
            }
        }

        impl From<$name> for $target {
            fn from(name: $name) -> Self {
                name.0
            }
        }
    };
}

names!(
    /// A severity's name.
    SeverityName => Severity
);
names!(
    /// An action's name.
    ActionName => Action
);
names!(
    /// A lifecycle point's name.
    LifecycleName => Lifecycle
);
names!(
    /// A kind's name.
    KindName => Kind
);
names!(
    /// A role's name.
    RoleName => Role
);
names!(
    /// A validator's name.
    ValidatorName => Validator
);

/// Reads the patterns of a file.
///
/// # Errors
///
/// All faults of the file at once.
pub fn read(text: &str) -> Result<Vec<Pattern>, Vec<Fault>> {
    let file: PatternFile = yaml::read(text)?;
    let faults: Vec<Fault> = file.patterns.iter().flat_map(|item| faults_of(item, text)).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(file.patterns.into_iter().map(|item| user_pattern(item, &file.category)).collect())
}

/// What is wrong with a pattern whose shape is right.
fn faults_of(item: &PatternItem, text: &str) -> Vec<Fault> {
    let mut messages = Vec::new();
    if !is_kebab(&item.id) {
        messages.push("the id must be kebab-case: lower-case letters, digits and hyphens".to_owned());
    }
    if item.keywords.is_empty() {
        messages.push("it needs at least one keyword".to_owned());
    }
    messages.extend(wrong_words(item));
    let (line, column) = place_of(&item.id, text);
    messages.into_iter().map(|message| Fault { line, column, message: format!("pattern `{}`: {message}", item.id) }).collect()
}

/// Returns true if and only if an id is made of lower-case letters, digits and hyphens.
pub fn is_kebab(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// What is wrong with the keywords and the regex of a pattern, in words.
pub fn wrong_words(item: &PatternItem) -> Vec<String> {
    let mut messages = Vec::new();
    for keyword in item.keywords.iter().filter(|keyword| keyword.len() < 3 || **keyword != keyword.to_ascii_lowercase()) {
        messages.push(format!("the keyword `{keyword}` must be lower case and have at least three bytes"));
    }
    if let Err(error) = compile(&item.find, item.unicode) {
        let reason = error.to_string();
        messages.push(format!("its regex does not compile: {}", reason.lines().last().unwrap_or("it is not a regex")));
    }
    messages
}

/// The place at which an id is written.
fn place_of(id: &str, text: &str) -> (u32, u32) {
    let line = text.lines().position(|line| line.trim_start().trim_start_matches("- ").trim() == format!("id: {id}")).unwrap_or(0);
    let column = text.lines().nth(line).and_then(|line| line.find("id:")).unwrap_or(0);
    (u32::try_from(line + 1).unwrap_or(u32::MAX), u32::try_from(column + 1).unwrap_or(u32::MAX))
}

fn user_pattern(item: PatternItem, category: &str) -> Pattern {
    let rule = Rule {
        id: item.id.clone().into(),
        origin: Origin::UserPattern,
        category: category.to_owned().into(),
        severity: item.severity.into(),
        action: item.action.into(),
        why: item.why.clone().into(),
        help: item.help.clone().into(),
        secret: item.secret,
    };
    pattern(item, rule)
}

/// What an item finds, as a pattern with this rule.
pub fn pattern(item: PatternItem, rule: Rule) -> Pattern {
    Pattern {
        rule: Arc::new(rule),
        applies_to: item.applies_to.into_iter().map(Into::into).collect(),
        kinds: item.kinds.into_iter().map(Into::into).collect(),
        by_kind: item.by_kind.into_iter().map(grade).collect(),
        roles: roles(item.roles.into_iter().map(Into::into).collect()),
        keywords: Texts::Owned(item.keywords),
        find: item.find.into(),
        unicode: item.unicode,
        validator: item.validator.map(Into::into),
        examples: Examples { hit: Texts::Owned(item.examples.hit), miss: Texts::Owned(item.examples.miss) },
        regex: OnceLock::new(),
    }
}

/// A built-in pattern. Unknown names cannot occur: a test reads every built-in pattern.
pub fn built_in(written: &'static Written) -> Pattern {
    let rule = Rule {
        id: written.id.into(),
        origin: Origin::Pattern,
        category: written.category.into(),
        severity: Severity::from_name(written.severity).unwrap_or(Severity::Critical),
        action: Action::from_name(written.action).unwrap_or(Action::Block),
        why: written.why.into(),
        help: written.help.into(),
        secret: written.secret,
    };
    Pattern {
        rule: Arc::new(rule),
        applies_to: written.applies_to.iter().filter_map(|name| Lifecycle::from_name(name)).collect(),
        kinds: written.kinds.iter().filter_map(|name| Kind::from_name(name)).collect(),
        by_kind: written.by_kind.iter().map(written_grade).collect(),
        roles: roles(written.roles.iter().filter_map(|name| Role::from_name(name)).collect()),
        keywords: Texts::Static(written.keywords),
        find: written.find.into(),
        unicode: written.unicode,
        validator: written.validator.and_then(Validator::from_name),
        examples: Examples { hit: Texts::Static(written.hit), miss: Texts::Static(written.miss) },
        regex: OnceLock::new(),
    }
}

fn grade(item: GradeItem) -> Grade {
    let GradeItem { kinds, modules, severity, action } = item;
    Grade { kinds: kinds.into_iter().map(Into::into).collect(), modules, severity: severity.into(), action: action.into() }
}

fn written_grade((kinds, modules, severity, action): &(&[&str], bool, &str, &str)) -> Grade {
    Grade {
        kinds: kinds.iter().filter_map(|name| Kind::from_name(name)).collect(),
        modules: *modules,
        severity: Severity::from_name(severity).unwrap_or(Severity::Critical),
        action: Action::from_name(action).unwrap_or(Action::Block),
    }
}

fn roles(roles: Vec<Role>) -> Vec<Role> {
    if roles.is_empty() { vec![Role::String] } else { roles }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::written::BUILT_IN;

    #[test]
    fn every_built_in_pattern_names_only_what_exists() {
        for written in BUILT_IN {
            assert!(Severity::from_name(written.severity).is_some(), "{}: {}", written.id, written.severity);
            assert!(Action::from_name(written.action).is_some(), "{}: {}", written.id, written.action);
            assert!(written.validator.is_none_or(|name| Validator::from_name(name).is_some()), "{}", written.id);
            assert!(written.applies_to.iter().all(|name| Lifecycle::from_name(name).is_some()), "{}", written.id);
            assert!(written.kinds.iter().all(|name| Kind::from_name(name).is_some()), "{}", written.id);
            for (kinds, _, severity, action) in written.by_kind {
                assert!(!kinds.is_empty() && kinds.iter().all(|name| Kind::from_name(name).is_some()), "{}", written.id);
                assert!(Severity::from_name(severity).is_some() && Action::from_name(action).is_some(), "{}", written.id);
            }
            assert!(written.roles.iter().all(|name| Role::from_name(name).is_some()), "{}", written.id);
        }
    }

    #[test]
    fn all_faults_of_a_file_are_told_at_once() {
        let text = "category: mine\npatterns:\n  - id: Bad Id\n    severity: high\n    action: warn\n    why: w\n    help: h\n    keywords: [ab]\n    find: '('\n    examples: {hit: [], miss: []}\n";
        let faults = read(text).expect_err("it has faults");
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(faults.iter().all(|fault| fault.line == 3 && fault.column == 5), "{faults:?}");
    }
}
