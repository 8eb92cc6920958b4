//! An analyzer as it is written in the settings, and how it becomes a pattern, a condition or a program.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::analyzer::expression::Expression;
use crate::analyzer::program::Program;
use crate::analyzer::scope::Scope;
use crate::analyzer::sheet::Sheet;
use crate::analyzer::{Built, CATEGORY, Condition};
use crate::pattern::file::{self, ActionName, ExampleItems, KindName, LifecycleName, PatternItem, RoleName, SeverityName, ValidatorName};
use crate::rule::{Origin, Rule};
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::yaml::Fault;

/// How long a program may take, in milliseconds, unless the settings say otherwise.
const USUAL_TIME: u64 = 2_000;
/// The longest that a program may be given, in milliseconds.
const LONGEST_TIME: u64 = 600_000;
/// How much a program may answer, in bytes, unless the settings say otherwise.
const USUAL_OUTPUT: u64 = 64 * 1024;
/// The most that a program may be let answer, in bytes.
const MOST_OUTPUT: u64 = 16 * 1024 * 1024;

/// A rule or program of your own. It has exactly one of `when`, `find` and `program`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalyzerItem {
    /// Unique name, kebab-case.
    pub id: String,
    /// An expression (CEL) over `features`, `subject` and `matches` that is true of what is meant.
    pub when: Option<String>,
    /// A regular expression that is searched in the texts of the subject, as in a pattern.
    pub find: Option<String>,
    /// A program and its arguments. A path is relative to this file; a bare name is looked for in PATH.
    pub program: Option<Vec<String>>,
    /// How bad a hit of the rule is.
    pub severity: Option<SeverityName>,
    /// What a hit of the rule asks for; by severity, from `log` to `block`, if left out.
    pub action: Option<ActionName>,
    /// The points (0–100) that the rule adds in the rule-based model, once a subject; none if left out.
    #[schemars(range(min = 0, max = 100))]
    pub points: Option<f64>,
    /// Why the rule matters, in one sentence.
    pub why: Option<String>,
    /// What to do about a hit of the rule, in one sentence.
    pub help: Option<String>,
    /// Which subjects it looks at; all, if left out.
    #[serde(default)]
    pub kinds: Vec<KindName>,
    /// When in an agent's life it applies; always, if left out.
    #[serde(default)]
    pub applies_to: Vec<LifecycleName>,
    /// Which texts `find` searches; strings, if left out.
    #[serde(default, rename = "where")]
    pub roles: Vec<RoleName>,
    /// Lower-case words of at least three bytes; one of them must stand in a text before `find` is tried. Without
    /// any it is tried on every text, which takes longer.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// `find` means Unicode, and texts of ASCII alone are not searched.
    pub unicode: Option<bool>,
    /// What else must hold of what `find` finds.
    pub validator: Option<ValidatorName>,
    /// What `find` finds must not be repeated in any output.
    pub secret: Option<bool>,
    /// Texts that prove `find`; `callgate patterns test` tries them.
    pub examples: Option<ExampleItems>,
    /// How long the program may take for one subject, in milliseconds; 2000 if left out.
    #[schemars(range(min = 1, max = 600_000))]
    pub timeout_ms: Option<u64>,
    /// How much the program may answer, in bytes; 65536 if left out.
    #[schemars(range(min = 1, max = 16_777_216))]
    pub max_output: Option<u64>,
    /// The program is handed the text of the subject too; `false` if left out.
    pub text: Option<bool>,
    /// Variables of the environment that the program is given beside PATH, HOME and the like.
    #[serde(default)]
    pub env: Vec<String>,
}

/// What makes an analyzer.
enum Means<'i> {
    When(&'i str),
    Find(&'i str),
    Program(&'i [String]),
}

/// Makes analyzers of what the settings say; `folder` is that of the settings file, `text` what stands in it.
///
/// # Errors
///
/// All faults of all of them.
pub fn build(items: &[AnalyzerItem], folder: &Path, text: &str) -> Result<Built, Vec<Fault>> {
    let mut built = Built::default();
    let mut faults = Vec::new();
    let example = Sheet::example();
    for (nth, item) in items.iter().enumerate() {
        let mut builder = ItemBuilder { item, folder, written: Written::of(item, text), example: &example, faults: &mut faults };
        builder.check_id(items.get(..nth).unwrap_or_default());
        builder.build(&mut built);
    }
    if faults.is_empty() { Ok(built) } else { Err(faults) }
}

struct ItemBuilder<'i> {
    item: &'i AnalyzerItem,
    folder: &'i Path,
    written: Written<'i>,
    example: &'i Sheet,
    faults: &'i mut Vec<Fault>,
}

impl<'i> ItemBuilder<'i> {
    fn fault(&mut self, key: &str, message: impl std::fmt::Display) {
        let (line, column) = self.written.key(key);
        self.faults.push(Fault { line, column, message: format!("analyzer `{}`: {message}", self.item.id) });
    }

    fn check_id(&mut self, earlier: &[AnalyzerItem]) {
        let id = &self.item.id;
        if !file::is_kebab(id) {
            self.fault("id", "the id must be kebab-case: lower-case letters, digits and hyphens");
        }
        if earlier.iter().any(|other| other.id == *id) {
            self.fault("id", "there are two analyzers of this id");
        }
    }

    fn means(&mut self) -> Option<Means<'i>> {
        let AnalyzerItem { when, find, program, .. } = self.item;
        match (when, find, program) {
            (Some(when), None, None) => Some(Means::When(when)),
            (None, Some(find), None) => Some(Means::Find(find)),
            (None, None, Some(program)) => Some(Means::Program(program)),
            (None, None, None) => {
                self.fault("id", "it needs one of `when` (an expression), `find` (a regular expression) and `program`");
                None
            }
            (Some(_), ..) | (None, Some(_), Some(_)) => {
                self.fault("id", "it has more than one of `when`, `find` and `program`; write one analyzer for each");
                None
            }
        }
    }

    fn build(&mut self, built: &mut Built) {
        let Some(means) = self.means() else { return };
        self.refuse_others(&means);
        match means {
            Means::When(when) => self.build_condition(when, built),
            Means::Find(find) => self.build_pattern(find, built),
            Means::Program(program) => self.build_program(program, built),
        }
    }

    /// Keys that say something of another kind of analyzer would silently do nothing.
    fn refuse_others(&mut self, means: &Means<'_>) {
        let item = self.item;
        let (is_find, is_program) = (matches!(means, Means::Find(_)), matches!(means, Means::Program(_)));
        let of_find = [
            ("where", !item.roles.is_empty()),
            ("keywords", !item.keywords.is_empty()),
            ("unicode", item.unicode.is_some()),
            ("validator", item.validator.is_some()),
            ("secret", item.secret.is_some()),
            ("examples", item.examples.is_some()),
        ];
        let of_program = [
            ("timeout_ms", item.timeout_ms.is_some()),
            ("max_output", item.max_output.is_some()),
            ("text", item.text.is_some()),
            ("env", !item.env.is_empty()),
        ];
        let of_rule = [
            ("severity", item.severity.is_some()),
            ("action", item.action.is_some()),
            ("points", item.points.is_some()),
            ("why", item.why.is_some()),
            ("help", item.help.is_some()),
        ];
        let wrong =
            [(&of_find[..], is_find, "`find`"), (&of_program, is_program, "`program`"), (&of_rule, !is_program, "`when` or `find`")];
        for (keys, is_right, means) in wrong {
            for (key, _) in keys.iter().filter(|(_, is_said)| *is_said && !is_right) {
                self.fault(key, format!("`{key}` is only for analyzers with {means}"));
            }
        }
    }

    /// The rule that a condition or pattern is.
    fn rule(&mut self) -> Option<Rule> {
        let item = self.item;
        let (Some(severity), Some(why)) = (item.severity, &item.why) else {
            self.fault("id", "a rule needs `severity` and `why`");
            return None;
        };
        let severity = Severity::from(severity);
        let help = format!("Look at the analyzer `{}` in the settings.", item.id);
        Some(Rule {
            id: item.id.clone().into(),
            origin: Origin::Analyzer,
            category: CATEGORY.into(),
            severity,
            action: item.action.map_or_else(|| Action::usual(severity), Action::from),
            why: why.clone().into(),
            help: item.help.clone().unwrap_or(help).into(),
            secret: item.secret.unwrap_or(false),
        })
    }

    fn scope(&self) -> Scope {
        Scope {
            kinds: self.item.kinds.iter().map(|kind| (*kind).into()).collect(),
            applies_to: self.item.applies_to.iter().map(|lifecycle| (*lifecycle).into()).collect(),
        }
    }

    fn note_points(&mut self, built: &mut Built) {
        let Some(points) = self.item.points else { return };
        if (0.0..=100.0).contains(&points) {
            built.points.push((self.item.id.clone(), points));
        } else {
            self.fault("points", "`points` must be from 0 to 100");
        }
    }

    fn build_condition(&mut self, when: &str, built: &mut Built) {
        self.note_points(built);
        let rule = self.rule();
        match Expression::read(when, self.example) {
            Ok(expression) => built.analyzers.conditions.extend(rule.map(|rule| Condition {
                rule: Arc::new(rule),
                when: expression,
                written: when.to_owned(),
                scope: self.scope(),
            })),
            Err(faults) => {
                for fault in faults {
                    let (line, column) = self.written.inside("when", when, &fault);
                    let message = format!("analyzer `{}`: `when`, {}:{}: {}", self.item.id, fault.line, fault.column, fault.message);
                    self.faults.push(Fault { line, column, message });
                }
            }
        }
    }

    fn build_pattern(&mut self, find: &str, built: &mut Built) {
        self.note_points(built);
        let Some(rule) = self.rule() else { return };
        let item = self.item;
        let pattern = PatternItem {
            by_kind: Vec::new(),
            id: item.id.clone(),
            severity: item.severity.unwrap_or(SeverityName(Severity::Critical)),
            action: item.action.unwrap_or(ActionName(Action::Block)),
            applies_to: item.applies_to.clone(),
            kinds: item.kinds.clone(),
            roles: item.roles.clone(),
            why: String::new(),
            help: String::new(),
            keywords: item.keywords.clone(),
            find: find.to_owned(),
            unicode: item.unicode.unwrap_or(false),
            validator: item.validator,
            secret: item.secret.unwrap_or(false),
            examples: item.examples.clone().unwrap_or(ExampleItems { hit: Vec::new(), miss: Vec::new() }),
        };
        let wrong = file::wrong_words(&pattern);
        if wrong.is_empty() {
            built.patterns.push(file::pattern(pattern, rule));
        }
        for message in wrong {
            self.fault("find", message);
        }
    }

    fn build_program(&mut self, words: &[String], built: &mut Built) {
        let item = self.item;
        let Some((name, arguments)) = words.split_first().filter(|(name, _)| !name.trim().is_empty()) else {
            return self.fault("program", "`program` needs the name of a program");
        };
        let time = item.timeout_ms.unwrap_or(USUAL_TIME);
        if !(1..=LONGEST_TIME).contains(&time) {
            self.fault("timeout_ms", format!("`timeout_ms` must be from 1 to {LONGEST_TIME}"));
        }
        let output = item.max_output.unwrap_or(USUAL_OUTPUT);
        if !(1..=MOST_OUTPUT).contains(&output) {
            self.fault("max_output", format!("`max_output` must be from 1 to {MOST_OUTPUT}"));
        }
        // A name without a folder is looked for in PATH, as a shell does.
        let is_path = name.contains(['/', MAIN_SEPARATOR]);
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { self.folder };
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        let path = if is_path { folder.join(name) } else { PathBuf::from(name) };
        if is_path && !path.is_file() {
            let path = path.to_string_lossy().into_owned();
            self.fault("program", format!("there is no program {path}; a path is relative to the settings file"));
        }
        built.analyzers.programs.push(Program {
            id: item.id.clone(),
            path,
            arguments: arguments.to_vec(),
            folder,
            time_limit: Duration::from_millis(time),
            output_limit: usize::try_from(output).unwrap_or(usize::MAX),
            takes_text: item.text.unwrap_or(false),
            environment: item.env.clone(),
            scope: self.scope(),
        });
    }
}

/// Where an analyzer is written.
struct Written<'t> {
    text: &'t str,
    /// The line of its id, from 0.
    first: usize,
    /// The line after its last one.
    end: usize,
}

impl<'t> Written<'t> {
    fn of(item: &AnalyzerItem, text: &'t str) -> Self {
        let start = text.lines().position(|line| line.starts_with("analyzers:")).unwrap_or(0);
        let id = |value: &str| value.split([',', '}', '#']).next().map(|id| id.trim().trim_matches(['"', '\'']) == item.id);
        let is_own = |line: &str| value_of(line, "id").and_then(id).unwrap_or(false);
        let first = text.lines().enumerate().skip(start).find(|(_, line)| is_own(line)).map_or(start, |(at, _)| at);
        // The item may begin before its id does: from the last line that begins one.
        let begins = |line: &str| line.trim_start().starts_with("- ");
        let lines: Vec<&str> = text.lines().collect();
        let own = (start..=first).rev().find(|at| lines.get(*at).is_some_and(|line| begins(line))).unwrap_or(first);
        let indent = |line: &str| line.len() - line.trim_start().len();
        let depth = lines.get(own).map_or(0, |line| indent(line));
        let ends = |line: &str| !line.trim().is_empty() && (indent(line) < depth || indent(line) == depth && begins(line));
        let end = lines.iter().skip(own + 1).position(|line| ends(line)).map_or(lines.len(), |more| own + 1 + more);
        Self { text, first: own, end }
    }

    /// The lines of the item, with their numbers from 0.
    fn lines(&self) -> impl Iterator<Item = (usize, &'t str)> {
        self.text.lines().enumerate().take(self.end).skip(self.first)
    }

    /// The place of a key of the item.
    fn key(&self, key: &str) -> (u32, u32) {
        let place = |(at, line): (usize, &str)| {
            value_of(line, key)?;
            let column = line.find(key)?;
            Some((narrow(at), narrow(line.get(..column)?.chars().count())))
        };
        self.lines().find_map(place).unwrap_or((narrow(self.first), 1))
    }

    /// The place in the file of a fault in a text that is the value of a key, or the place of the key.
    fn inside(&self, key: &str, text: &str, fault: &Fault) -> (u32, u32) {
        let line = text.lines().nth(fault.line as usize - 1).unwrap_or("");
        let (first, _) = self.key(key);
        let lines = self.lines().skip_while(|(at, _)| narrow(*at) < first).skip(fault.line as usize - 1);
        let found = lines.take(2).find_map(|(at, content)| {
            let start = content.get(..content.find(line)?)?.chars().count();
            Some((narrow(at), narrow(start) + fault.column - 1))
        });
        found.filter(|_| !line.is_empty()).unwrap_or_else(|| self.key(key))
    }
}

/// What stands behind a key on a line.
fn value_of<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    line.trim_start_matches([' ', '-', '{']).strip_prefix(key)?.strip_prefix(':')
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number + 1).unwrap_or(u32::MAX)
}
