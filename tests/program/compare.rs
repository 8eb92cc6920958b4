//! Comparisons of models: their order, how often two agree, and what each format makes of it.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use callgate::compare::cell::State;
use callgate::compare::{Comparison, Wanted as Rows};
use callgate::finding::hide::Hidden;
use callgate::finding::place::Wanted;
use callgate::finding::{Report, Run};
use callgate::format::Language;
use callgate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal};
use callgate::policy::Policy;
use callgate::report::{Style, registry as reporters};
use callgate::scan::Scanner;
use callgate::subject::{Reason, Undetermined};
use callgate::value::score::Score;
use callgate::value::source::{Source, SourceName};
use callgate::value::verdict::Verdict;
use jsonschema::Validator;
use serde_json::Value;

/// A model that gives the score that a script names after its own name (`a=80`), and fails where that is no number.
struct Told {
    name: &'static str,
}

impl Model for Told {
    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let Some(word) = evidence.text.split_whitespace().find_map(|word| word.strip_prefix(self.name)?.strip_prefix('=')) else {
            return Ok(Vec::new());
        };
        let score: f64 = word.parse().map_err(|_| ModelError { model: self.name.into(), message: format!("`{word}` is no score") })?;
        let level = evidence.text.split_once("level=").map(|(_, level)| level.to_owned().into());
        let signal = Signal { id: "told".to_owned(), score, level: "high".into(), description: evidence.text.to_owned(), span: None };
        Ok(vec![Evaluation { signals: vec![signal], level, ..Evaluation::new(self.name, Score::clamped(score)) }])
    }

    fn method(&self, _: &Evaluation) -> Method {
        Method { rule: "The script says it.".to_owned(), reckoning: Vec::new(), asks: String::new(), override_above: None }
    }
}

const MODELS: [&str; 3] = ["a", "b", "c"];

/// Compares the models `a`, `b` and `c` on scripts, each a name and a text.
fn compare(scripts: &[(&str, &str)], policy: Policy, rows: Rows) -> Comparison {
    let models = MODELS.into_iter().map(|name| Box::new(Told { name }) as Box<dyn Model>).collect();
    let scanner = Scanner {
        language: Some(Language::JavaScript),
        policy,
        wanted: Wanted { opinions: true, excerpts: true, ..Wanted::default() },
        ..Scanner::built_in(models).expect("the built-in patterns make a library")
    };
    let mut entries = Vec::new();
    for (name, text) in scripts {
        let source = Source { name: SourceName::explicit(name), text: (*text).to_owned(), has_bom: false };
        entries.extend(scanner.scan_source(&source).expect("a worker can be started"));
    }
    entries.push(scanner.problem(&SourceName::explicit("gone.js"), Undetermined::new(Reason::Unreadable, "gone")));
    let models = MODELS.map(|name| (name, "Told."));
    Comparison::of(Report::of(entries, Run::default()), &models, scanner.policy.on_undetermined, rows)
}

fn names(comparison: &Comparison) -> Vec<String> {
    comparison.rows.iter().map(callgate::compare::Row::name).collect()
}

fn written(comparison: &Comparison, format: &str, style: Style) -> String {
    let mut text = Vec::new();
    (reporters::comparer(format).expect("the format is registered").write)(Hidden::without_any(comparison), style, &mut text)
        .expect("a vector takes all");
    String::from_utf8(text).expect("it is text")
}

/// Scripts in the order in which they are to be shown, by how far the verdicts differ, the spread, the worst verdict, the name.
const ORDERED: [(&str, &str); 6] = [
    ("block-and-allow-far.js", "// a=100 b=0 c=50"),
    ("block-and-allow-near.js", "// a=70 b=39 c=39"),
    ("a-step.js", "// a=100 b=40 c=40"),
    ("all-block.js", "// a=75 b=70 c=75"),
    ("all-allow.js", "// a=5 b=0 c=5"),
    ("nothing.js", "// a=0 b=0 c=0"),
];

#[test]
fn what_the_models_answer_most_differently_stands_first() {
    let mut scripts = ORDERED;
    scripts.reverse();
    let comparison = compare(&scripts, Policy::default(), Rows::All);
    let mut expected: Vec<&str> = ORDERED.iter().map(|(name, _)| *name).collect();
    // What nobody can judge is blocked by all, without a score.
    expected.insert(5, "gone.js");
    assert_eq!(names(&comparison), expected);
    let distances: Vec<u8> = comparison.rows.iter().map(|row| row.distance).collect();
    assert_eq!(distances, [2, 2, 1, 0, 0, 0, 0]);
    let same: Vec<(usize, usize)> = comparison.agreements.iter().map(|agreement| (agreement.same, agreement.both)).collect();
    assert_eq!(same, [(3, 6), (3, 6), (5, 6)], "a and b, a and c, b and c");
    assert_eq!(comparison.extremes(), Some((vec!["a"], vec!["b"])));
}

#[test]
fn disagreements_alone_can_be_asked_for() {
    let comparison = compare(&ORDERED, Policy::default(), Rows::Disagreements);
    assert_eq!((comparison.rows.len(), comparison.hidden, comparison.subjects()), (3, 4, 7));
    assert!(comparison.agreements.iter().all(|agreement| agreement.both == 6), "agreement counts all subjects");
}

#[test]
fn a_model_that_fails_fails_alone() {
    let comparison = compare(&[("fails.js", "// a=80 b=none c=10")], Policy::default(), Rows::All);
    let row = comparison.rows.first().expect("there is a row");
    let states: Vec<&State> = row.cells.iter().map(|cell| &cell.state).collect();
    assert_eq!(states, [&State::Judged, &State::Failed("`none` is no score".to_owned()), &State::Judged]);
    let verdicts: Vec<Option<Verdict>> = row.cells.iter().map(|cell| cell.verdict).collect();
    assert_eq!(verdicts, [Some(Verdict::Block), Some(Verdict::Block), Some(Verdict::Allow)], "what fails is blocked, not allowed");
    let both: Vec<usize> = comparison.agreements.iter().map(|agreement| agreement.both).collect();
    assert_eq!(both, [0, 1, 0]);
    let text = written(&comparison, "table", Style { width: 100, ..Style::default() });
    assert!(text.contains("b failed on 1 of 2 subjects: `none` is no score"), "{text}");
}

#[test]
fn a_failure_is_no_disagreement() {
    let comparison = compare(&[("fails.js", "// a=0 b=none c=0")], Policy::default(), Rows::All);
    assert!(comparison.rows.iter().all(|row| row.distance == 0));
}

#[test]
fn what_cannot_be_judged_is_undetermined_in_every_column() {
    let half = "// a=0 b=80\nconst x = (";
    for (on_undetermined, expected) in [(Verdict::Block, [Verdict::Block; 2]), (Verdict::Allow, [Verdict::Allow, Verdict::Block])] {
        let policy = Policy { on_undetermined, ..Policy::default() };
        let comparison = compare(&[("half.js", half)], policy, Rows::All);
        for row in &comparison.rows {
            assert!(row.cells.iter().all(|cell| cell.state == State::Undetermined), "{row:?}");
        }
        let half = comparison.rows.iter().find(|row| row.name() == "half.js").expect("it has a row");
        let verdicts: Vec<Verdict> = half.cells.iter().filter_map(|cell| cell.verdict).collect();
        // The model c says nothing of it, but it could not be judged all the same.
        assert_eq!(verdicts.split_last(), Some((&on_undetermined, &expected[..])));
        assert!(comparison.agreements.iter().all(|agreement| agreement.both == 0));
        assert_eq!(comparison.extremes(), None);
    }
}

#[test]
fn a_model_with_nothing_to_say_is_silent() {
    let comparison = compare(&[("silent.js", "// a=80 b=10")], Policy::default(), Rows::All);
    let row = comparison.rows.first().expect("there is a row");
    assert_eq!(row.cells.last().map(|cell| (&cell.state, cell.verdict)), Some((&State::Silent, None)));
}

#[test]
fn the_table_fits_the_terminal_or_lists_the_models_by_verdict() {
    let comparison = compare(&ORDERED, Policy::default(), Rows::All);
    let wide = written(&comparison, "table", Style { width: 80, ..Style::default() });
    assert!(wide.starts_with("subject                  a             b             c\n"), "{wide}");
    let narrow = written(&comparison, "table", Style { width: 40, ..Style::default() });
    let block = "block-and-allow-far.js (scores 100 apart)\n  block  a 100\n  warn   c 50\n  allow  b 0\n";
    assert!(narrow.starts_with(block), "{narrow}");
}

#[test]
fn every_comparison_in_json_is_what_its_schema_says() {
    let schema: Value = serde_json::from_str(callgate::report::compare::json::SCHEMA).expect("the schema is JSON");
    let validator: Validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let faults =
        |report: &Value| validator.iter_errors(report).map(|fault| format!("{}: {fault}", fault.instance_path())).collect::<Vec<_>>();
    let scripts = [&ORDERED[..], &[("fails.js", "// a=80 b=none"), ("half.js", "// a=0\nconst x = (")]].concat();
    let mut comparison = compare(&scripts, Policy::default(), Rows::All);
    comparison.left_out.push(("d".to_owned(), "it has no settings".to_owned()));
    let mut document: Value = serde_json::from_str(&written(&comparison, "json", Style::default())).expect("it is JSON");
    assert_eq!(faults(&document), Vec::<String>::new());
    assert_eq!(document["subjects"][0]["opinions"][0]["evaluations"][0]["thresholds"][1]["reached"], true);
    document["subjects"][0]["opinions"][0]["state"] = "maybe".into();
    assert_eq!(faults(&document).len(), 1);
}

/// What would leave its place in a page if it could.
const HOSTILE: &str = "</pre></details></script><script>alert(1)</script>\"><img src=x onerror='alert(2)'>\u{202e}<!--&lt;\u{1b}[2J";

#[test]
fn nothing_that_was_scanned_becomes_a_part_of_the_page() {
    let text = format!(
        "// a=80 b={HOSTILE} c=10\neval('{HOSTILE}');\ncallTool('x:delete', {{ limit: 999999, q: `{HOSTILE}` }});\n// level={HOSTILE}"
    );
    let scripts = [(HOSTILE, text.as_str()), ("a/<b>.js", "// a=0\nconst x = (</script>")];
    let mut comparison = compare(&scripts, Policy::default(), Rows::All);
    comparison.left_out.push((HOSTILE.to_owned(), HOSTILE.to_owned()));
    comparison.run.configuration = Some(HOSTILE.to_owned());
    comparison.run.loosened.push(HOSTILE.to_owned());
    let page = written(&comparison, "html", Style::default());
    for (word, count) in [("<script", 1), ("</script", 1), ("<img", 0), ("<b>.js", 0), ("<!--", 0), ("\u{202e}", 0), ("\u{1b}", 0)] {
        assert_eq!(page.matches(word).count(), count, "{word}");
    }
    for (opening, closing) in [("<details", "</details>"), ("<pre", "</pre>"), ("<article", "</article>"), ("<span", "</span>")] {
        assert_eq!(page.matches(opening).count(), page.matches(closing).count(), "{opening}");
    }
    let attribute =
        page.split('<').skip(1).find(|tag| tag.split('>').next().is_some_and(|tag| tag.contains(" on") && !tag.contains("title=")));
    assert_eq!(attribute, None, "no element has a handler");
    // It was there, and is shown as it is written.
    assert!(page.contains("&lt;img src=x onerror=&#39;alert(2)&#39;&gt;\\u{202e}"));
}

#[test]
fn a_page_asks_for_nothing_from_outside() {
    let page = written(&compare(&ORDERED, Policy::default(), Rows::All), "html", Style::default());
    for word in ["src=", "href=", "url(", "@import", "http://", "https://", "style="] {
        assert!(!page.contains(word), "{word}");
    }
    let policy =
        page.split_once("Content-Security-Policy\" content=\"").and_then(|(_, rest)| rest.split('"').next()).expect("it has a policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[test]
fn a_page_of_hundreds_of_subjects_opens_only_the_first() {
    let names: Vec<String> = (0..450).map(|number| format!("{number}.js")).collect();
    let scripts: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "// a=80 b=0 c=50")).collect();
    let page = written(&compare(&scripts, Policy::default(), Rows::All), "html", Style::default());
    assert_eq!((page.matches("class=\"row\"").count(), page.matches("<details").count()), (451, 400));
    assert!(page.contains("Only the first 400 subjects can be opened"));
}

#[test]
fn all_models_that_judge_by_themselves_are_compared_and_those_without_settings_named() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("a.js"), "callTool('users:list', {});\n").expect("a script can be written");
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_callgate"));
    let output =
        command.current_dir(&folder).env_clear().args(["compare", "--no-config", "--format", "json"]).output().expect("callgate runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let listed = |key: &str| {
        let entries = document[key].as_array().into_iter().flatten();
        entries.filter_map(|entry| Some(entry["name"].as_str()?.to_owned())).collect::<Vec<_>>()
    };
    let (compared, left_out) = (listed("models"), listed("left_out"));
    assert!(left_out.contains(&"composite".to_owned()), "{left_out:?}");
    for model in callgate::model::registry::MODELS {
        let is_expected = !["fixed", "disabled", "external-api"].contains(&model.name);
        let is_there = compared.iter().chain(&left_out).any(|name| name == model.name);
        assert_eq!(is_there, is_expected, "{}", model.name);
    }
}
