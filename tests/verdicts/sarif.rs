//! Holds SARIF reports against the published schema and against what GitHub's code scanning asks for.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use callgate::check::registry as checks;
use callgate::finding::accepted::Accepted;
use callgate::finding::below::Below;
use callgate::finding::hide::Hidden;
use callgate::finding::placed::{PlacedMatch, PlacedStep, UndeterminedPlace};
use callgate::finding::{Entry, Finding, Problem, Report, Run};
use callgate::format::Language;
use callgate::model::Evaluation;
use callgate::model::fixed::{self, FixedSettings};
use callgate::model::registry::{self as models, Builder, ModelSettings};
use callgate::policy::{Decision, DecisionReason};
use callgate::report::sarif::rule::anchor;
use callgate::report::{Style, registry as reporters};
use callgate::rule::{Origin, Rule};
use callgate::scan::Scanner;
use callgate::subject::{Kind, Lifecycle, Reason};
use callgate::value::score::Score;
use callgate::value::severity::Severity;
use callgate::value::source::{Source, SourceName};
use callgate::value::span::{Position, Span};
use callgate::value::verdict::{Action, Verdict};
use jsonschema::Validator;
use serde_json::{Value, json};

/// The schema of the standard, without its words.
const SCHEMA: &str = include_str!("../data/sarif-schema-2.1.0.json");
/// Sends what it read.
const FLOW: &str = "const users = await callTool('users:list', { limit: 50 });\nawait callTool('webhook:send', { body: users });\n";

fn write(report: &Report) -> String {
    let reporter = reporters::by_name("sarif").expect("the reporter is registered");
    let mut written = Vec::new();
    (reporter.write)(Hidden::without_any(report), Style { verbose: true, ..Style::default() }, &mut written)
        .expect("a vector takes everything");
    String::from_utf8(written).expect("JSON is UTF-8")
}

/// The one run of a report, after everything that holds for every report was held against it.
fn run_of(report: &Report) -> Value {
    let log: Value = serde_json::from_str(&write(report)).expect("a report is JSON");
    assert_eq!(faults(&log), Vec::<String>::new());
    check_what_github_needs(&log);
    log["runs"][0].clone()
}

/// What the schema has against a document.
fn faults(log: &Value) -> Vec<String> {
    static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| {
        let mut schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
        // The standard's pattern for languages has a bracket too many, which no strict regex takes. None is written.
        for definition in ["run", "toolComponent"] {
            let language = schema["definitions"][definition]["properties"]["language"].as_object_mut();
            language.and_then(|language| language.remove("pattern")).expect("the pattern is still there");
        }
        jsonschema::options().should_validate_formats(true).build(&schema).expect("the schema is one")
    });
    VALIDATOR.iter_errors(log).map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

/// What GitHub needs and the schema does not ask for.
fn check_what_github_needs(log: &Value) {
    let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    assert!(text(&log["$schema"]).is_some());
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("the driver has rules");
    for rule in rules {
        for required in ["/id", "/name", "/shortDescription/text", "/fullDescription/text", "/help/text", "/help/markdown"] {
            assert!(rule.pointer(required).and_then(text).is_some(), "{required} of {rule}");
        }
        let severity = rule["properties"]["security-severity"].as_str().expect("it is a string");
        let severity: f64 = severity.parse().expect("it is a number in a string");
        assert!(0.0 < severity && severity <= 10.0, "{severity}");
        assert_eq!(rule["properties"]["tags"][0], "security");
    }
    for result in run["results"].as_array().expect("there is a list, even if it is empty") {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().expect("it is a number")).expect("it is small")];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["note", "warning", "error"].contains(&result["level"].as_str().expect("every result has a level")), "{result}");
        assert!(result["message"]["text"].as_str().expect("every result has a message").ends_with('.'), "{result}");
        assert_eq!(result["locations"].as_array().map(Vec::len), Some(1));
        for number in ["startLine", "startColumn", "endLine", "endColumn"] {
            assert!(1 <= result["locations"][0]["physicalLocation"]["region"][number].as_u64().unwrap_or(0), "{result}");
        }
    }
    assert_eq!(run["automationDetails"]["id"], "callgate/");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}

fn scanner(model: &str) -> Scanner {
    let settings = ModelSettings { fixed: FixedSettings { score: 0.9 }, ..ModelSettings::default() };
    let model = Builder::new(&settings).build(model).expect("the settings make the model");
    Scanner {
        language: Some(Language::JavaScript),
        wanted: reporters::by_name("sarif").expect("the reporter is registered").wanted,
        ..Scanner::built_in(vec![model]).expect("the built-in patterns are sound")
    }
}

/// The report of one text, with all rules listed.
fn scanned(model: &str, text: &str, has_bom: bool) -> Report {
    let scanner = scanner(model);
    let source = Source { name: SourceName::walked("./scripts/send.js"), text: text.to_owned(), has_bom };
    let patterns = scanner.library.patterns().iter().map(|pattern| Arc::clone(&pattern.rule));
    let rules = checks::rules().iter().cloned().chain(patterns).collect();
    let entries = scanner.scan_source(&source).expect("a worker starts");
    Report::of(entries, Run { rules, library_version: "1".to_owned(), ..Run::default() })
}

fn rule(id: &'static str, severity: Severity) -> Arc<Rule> {
    Arc::new(Rule {
        id: id.into(),
        origin: Origin::Pattern,
        category: "credentials".into(),
        severity,
        action: Action::Block,
        why: "A token opens the account.".into(),
        help: "Take it from the environment.".into(),
        secret: false,
    })
}

fn at(line: u32, column: u32) -> Position {
    Position { line, column }
}

/// A match of eight characters on a line.
fn found(rule: &Arc<Rule>, severity: Severity, line: u32, column: u32) -> PlacedMatch {
    PlacedMatch {
        rule: Arc::clone(rule),
        severity,
        action: Action::Block,
        start: at(line, column),
        end: at(line, column + 8),
        span: Span::new(line * 100 + column, line * 100 + column + 8),
        evidence: "evidence".to_owned(),
        message: "A token opens the account.".to_owned(),
        steps: Vec::new(),
        also: Vec::new(),
        excerpt: None,
        line_hash: Some(format!("{line:x}:1")),
    }
}

fn finding(name: SourceName, matches: Vec<PlacedMatch>) -> Finding {
    Finding {
        name,
        kind: Kind::Script,
        lifecycle: Lifecycle::PreToolCall,
        record: None,
        matches,
        accepted: Accepted::default(),
        below: Below::default(),
        further_matches: 0,
        evaluations: vec![Evaluation::new(fixed::NAME, Score::clamped(87.5))],
        decision: Decision { verdict: Verdict::Block, reason: DecisionReason::Score, action: Action::Block, rule: None, cumulative: None },
        undetermined: None,
        features: None,
        explanation: None,
        opinions: Vec::new(),
        text_hash: None,
        tenant: None,
        trail: None,
        stream_line: None,
        secrets: Vec::new(),
    }
}

fn report(entries: Vec<Entry>) -> Report {
    Report::of(entries, Run::default())
}

fn of_finding(finding: Finding) -> Report {
    report(vec![Entry::Finding(Box::new(finding))])
}

#[test]
fn a_report_of_nothing_is_valid() {
    let run = run_of(&Report::default());
    assert_eq!(run["results"], json!([]));
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"], json!([]));
}

#[test]
fn the_schema_finds_what_is_broken() {
    let log: Value = serde_json::from_str(&write(&scanned(models::DEFAULT, FLOW, false))).expect("a report is JSON");
    let breaks: [(&str, Value); 8] = [
        ("/version", json!("2.0.0")),
        ("/runs/0/tool", json!({})),
        ("/runs/0/results/0/level", json!("critical")),
        ("/runs/0/results/0/message", json!({ "words": "x" })),
        ("/runs/0/results/0/ruleIndex", json!("0")),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", json!(0)),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", json!("a b.js")),
        ("/runs/0/columnKind", json!("bytes")),
    ];
    for (pointer, value) in breaks {
        let mut broken = log.clone();
        *broken.pointer_mut(pointer).expect("the report has it") = value;
        assert_ne!(faults(&broken), Vec::<String>::new(), "{pointer}");
    }
}

#[test]
fn a_flow_is_told_step_by_step() {
    let run = run_of(&scanned(models::DEFAULT, FLOW, false));
    let results = run["results"].as_array().expect("it is a list");
    let result = results.iter().find(|result| result["ruleId"] == "exfiltration-flow").expect("the flow is found");
    assert_eq!(result["level"], "error");
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"], json!({ "uri": "scripts/send.js", "uriBaseId": "%SRCROOT%" }));
    assert_eq!(location["region"], json!({ "startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 48 }));
    let message = result["message"]["text"].as_str().expect("it is a text");
    assert_eq!(message, "Personal data read by `users:list` goes out by `webhook:send`.");
    let steps: Vec<(&Value, &Value)> = result["codeFlows"][0]["threadFlows"][0]["locations"]
        .as_array()
        .expect("there is a flow")
        .iter()
        .map(|step| (&step["location"]["message"]["text"], &step["location"]["physicalLocation"]["region"]["startLine"]))
        .collect();
    let expected = [
        (&json!("Read by `users:list`."), &json!(1)),
        (&json!("Kept in `users`."), &json!(1)),
        (&json!("Passed to `webhook:send`."), &json!(2)),
    ];
    assert_eq!(steps, expected);
    let flow = &result["codeFlows"][0];
    assert_eq!(flow["message"]["text"], "Personal data read by `users:list` goes out by `webhook:send`.");
    let words = |index: usize| {
        let step = &flow["threadFlows"][0]["locations"][index];
        [&step["executionOrder"], &step["importance"], &step["kinds"]].map(Value::clone)
    };
    assert_eq!(words(0), [json!(1), json!("essential"), json!(["acquire", "taint"])]);
    assert_eq!(words(1), [json!(2), json!("important"), json!(["taint"])]);
    assert_eq!(words(2), [json!(3), json!("essential"), json!(["danger", "taint"])]);
    let properties = &result["properties"];
    assert_eq!(
        (&properties["verdict"], &properties["severity"], &properties["action"]),
        (&json!("block"), &json!("critical"), &json!("block"))
    );
    assert!(properties["score"].is_number() && properties["evidence"].is_string());
}

/// Hashes computed by a second implementation over a stream of node's, for the second line of `FLOW`.
#[test]
fn the_fingerprint_is_the_hash_of_the_line() {
    for (text, has_bom, expected) in [
        (FLOW.to_owned(), false, "5fa388edb54d5da4:1"),
        (FLOW.to_owned(), true, "5fa388edb54d5da4:1"),
        (FLOW.replace('\n', "\r\n"), false, "5fa388edb54d5da4:1"),
        (FLOW.replace('\n', "\r"), false, "5fa388edb54d5da4:1"),
        (format!("{FLOW}{FLOW}"), false, "33283f1ecacb1f33:1"),
    ] {
        let run = run_of(&scanned(models::DEFAULT, &text, has_bom));
        let hashes: BTreeSet<&str> = run["results"]
            .as_array()
            .expect("it is a list")
            .iter()
            .filter(|result| result["locations"][0]["physicalLocation"]["region"]["startLine"] == 2)
            .filter_map(|result| result["partialFingerprints"]["primaryLocationLineHash"].as_str())
            .collect();
        assert_eq!(hashes, BTreeSet::from([expected]), "{text:?}");
    }
}

#[test]
fn every_rule_of_the_run_is_listed_with_its_severity() {
    let mut report = scanned(models::DEFAULT, FLOW, false);
    // So that the rules that hit are not the first ones anyway.
    report.run.rules.reverse();
    let run = run_of(&report);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("it is a list");
    let listed: Vec<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    let expected: Vec<&str> = report.run.rules.iter().map(|rule| rule.id.as_ref()).collect();
    assert_eq!(listed, expected);
    for (rule, known) in rules.iter().zip(&report.run.rules) {
        let (severity, level) = match known.severity {
            Severity::Low => ("2.0", "note"),
            Severity::Medium => ("5.5", "warning"),
            Severity::High => ("8.0", "error"),
            Severity::Critical => ("9.5", "error"),
        };
        assert_eq!(rule["properties"]["security-severity"], severity);
        assert_eq!(rule["properties"]["tags"], json!(["security", known.category]));
        assert_eq!(rule["defaultConfiguration"]["level"], level);
    }
}

#[test]
fn the_level_is_that_of_the_match_and_not_of_the_rule() {
    let rule = rule("token", Severity::Critical);
    let matches = vec![found(&rule, Severity::Medium, 1, 1), found(&rule, Severity::Low, 2, 1)];
    let run = run_of(&of_finding(finding(SourceName::walked("a.js"), matches)));
    assert_eq!((&run["results"][0]["level"], &run["results"][1]["level"]), (&json!("warning"), &json!("note")));
    assert_eq!(run["tool"]["driver"]["rules"][0]["properties"]["security-severity"], "9.5");
    let message = "A token opens the account. Found: `evidence`.";
    assert_eq!(run["results"][0]["message"]["text"], message);
}

#[test]
fn two_matches_of_one_rule_on_one_line_both_stay() {
    let rule = rule("token", Severity::High);
    let matches = vec![found(&rule, Severity::High, 3, 30), found(&rule, Severity::Low, 3, 5), found(&rule, Severity::Low, 4, 5)];
    let run = run_of(&of_finding(finding(SourceName::walked("a.js"), matches)));
    let fingerprints: Vec<&Value> = (0..3).map(|index| &run["results"][index]["partialFingerprints"]).collect();
    let expected = [("3:1", "2"), ("3:1", "1"), ("4:1", "1")]
        .map(|(hash, number)| json!({ "primaryLocationLineHash": hash, "matchOnLine/v1": number }));
    assert_eq!(fingerprints, expected.iter().collect::<Vec<_>>());
}

#[test]
fn another_place_that_belongs_to_a_match_is_no_flow() {
    let run = run_of(&scanned(models::DEFAULT, "await callTool('users:list', {});\nawait callTool('webhook:send', {});\n", false));
    let results = run["results"].as_array().expect("it is a list");
    let result = results.iter().find(|result| result["ruleId"] == "exfiltration-sequence").expect("the sequence is found");
    assert_eq!(result.get("codeFlows"), None);
    assert_eq!(result["relatedLocations"][0]["message"]["text"], "`users:list` reads here.");
}

#[test]
fn a_flow_ends_at_its_match_and_keeps_its_ends_when_it_is_long() {
    let rule = rule("token", Severity::High);
    let step = |line| PlacedStep { start: at(line, 1), end: at(line, 2), note: "kept".to_owned() };
    let mut long = found(&rule, Severity::High, 5_000, 1);
    long.steps = (1..3_000).map(step).collect();
    let run = run_of(&of_finding(finding(SourceName::walked("a.js"), vec![long])));
    let steps = run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("there is a flow");
    assert_eq!(steps.len(), 1_000);
    let line = |step: &Value| step["location"]["physicalLocation"]["region"]["startLine"].clone();
    assert_eq!((line(&steps[0]), line(&steps[998]), line(&steps[999])), (json!(1), json!(2_999), json!(5_000)));
}

#[test]
fn what_could_not_be_judged_is_notified() {
    let problem = Entry::Problem(Problem {
        name: SourceName::explicit("in.js"),
        reason: Reason::Unreadable,
        detail: "permission denied".to_owned(),
        verdict: Verdict::Warn,
        accepted: None,
        stream_line: None,
        secrets: Vec::new(),
    });
    let mut partly = finding(SourceName::walked("b.js"), Vec::new());
    partly.undetermined =
        Some(UndeterminedPlace { reason: Reason::Unparsable, detail: "unexpected token".to_owned(), position: Some(at(2, 3)) });
    partly.further_matches = 7;
    let run = run_of(&report(vec![problem, Entry::Finding(Box::new(partly))]));
    let message = |text: &str| json!({ "text": text });
    let place = |uri: &str| json!({ "uri": uri, "uriBaseId": "%SRCROOT%" });
    let expected = json!([
        {
            "descriptor": { "id": "undetermined/unreadable" },
            "level": "warning",
            "message": message("It could not be judged: Permission denied. Check that you may read the file. The verdict is warn."),
            "locations": [{ "physicalLocation": { "artifactLocation": place("in.js") } }],
        },
        {
            "descriptor": { "id": "undetermined/unparsable" },
            "level": "error",
            "message": message("Not all of it could be judged: Unexpected token. Fix the syntax error, or exclude the file if it is not what its \
                extension says. The verdict is block."),
            "locations": [{ "physicalLocation": {
                "artifactLocation": place("b.js"),
                "region": { "startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 3 },
            } }],
        },
        {
            "descriptor": { "id": "limit/matches" },
            "level": "warning",
            "message": message("7 further matches were left out; only the worst are kept. Raise `limits.matches` in callgate.yaml to see more."),
            "locations": [{ "physicalLocation": { "artifactLocation": place("b.js") } }],
        },
    ]);
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"], expected);
    // A gate that stops something has a result to show for it.
    let results: Vec<[&Value; 3]> = run["results"]
        .as_array()
        .expect("it is a list")
        .iter()
        .map(|result| [&result["ruleId"], &result["level"], &result["locations"][0]["physicalLocation"]["region"]["startLine"]])
        .collect();
    let expected =
        [[json!("undetermined/unreadable"), json!("warning"), json!(1)], [json!("undetermined/unparsable"), json!("error"), json!(2)]];
    assert_eq!(results, expected.iter().map(|result| result.each_ref()).collect::<Vec<_>>());
}

#[test]
fn what_is_allowed_is_no_result_unless_everything_is_asked_for() {
    let rule = rule("token", Severity::Low);
    let allowed = || Finding {
        decision: Decision { verdict: Verdict::Allow, reason: DecisionReason::Score, action: Action::Log, rule: None, cumulative: None },
        ..finding(SourceName::walked("a.js"), vec![found(&rule, Severity::Low, 1, 1)])
    };
    let results = |style: Style| {
        let reporter = reporters::by_name("sarif").expect("the reporter is registered");
        let mut written = Vec::new();
        (reporter.write)(Hidden::without_any(&of_finding(allowed())), style, &mut written).expect("a vector takes everything");
        let log: Value = serde_json::from_slice(&written).expect("a report is JSON");
        assert_eq!(faults(&log), Vec::<String>::new());
        log["runs"][0]["results"].as_array().map(Vec::len)
    };
    assert_eq!(results(Style::default()), Some(0));
    assert_eq!(results(Style { verbose: true, ..Style::default() }), Some(1));
}

/// Every rule that is built in leads to its heading on the page of rules.
#[test]
fn the_help_of_every_rule_is_a_heading_that_is_there() {
    let page = std::fs::read_to_string("docs/rules.md").expect("the page is there");
    let written = callgate::cli::rules_page::page().expect("the built-in patterns make a library");
    assert!(page == written, "docs/rules.md is stale: callgate generate rules > docs/rules.md");
    let anchors: BTreeSet<String> = page.lines().filter_map(|line| line.strip_prefix("### ")).map(anchor).collect();
    let run = run_of(&scanned(models::DEFAULT, "const = (", false));
    let rules = run["tool"]["driver"]["rules"].as_array().expect("it is a list");
    assert!(rules.iter().any(|rule| rule["id"] == "undetermined/unparsable"));
    for rule in rules {
        let uri = rule["helpUri"].as_str().expect("every built-in rule has an address");
        let (place, heading) = uri.split_once('#').expect("it leads to a heading");
        assert_eq!(place, "https://github.com/callgate/callgate/blob/main/docs/rules.md");
        assert!(anchors.contains(heading), "{uri}");
    }
    // Two headings of one name would be numbered.
    assert_eq!(anchors.len(), page.lines().filter(|line| line.starts_with("### ")).count());
}

#[test]
fn a_script_that_does_not_parse_is_notified() {
    let run = run_of(&scanned(models::DEFAULT, "const = (", false));
    let notifications = run["invocations"][0]["toolExecutionNotifications"].as_array().expect("it is a list");
    assert_eq!(notifications.len(), 1);
    assert_eq!((&notifications[0]["descriptor"]["id"], &notifications[0]["level"]), (&json!("undetermined/unparsable"), &json!("error")));
}

#[test]
fn a_block_by_score_alone_is_notified() {
    let run = run_of(&scanned(fixed::NAME, "const x = 1;\n", false));
    let expected = json!([{
        "descriptor": { "id": "decision/score" },
        "level": "error",
        "message": { "text": "No rule matched, the score alone decided. The verdict is block." },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": "scripts/send.js", "uriBaseId": "%SRCROOT%" } } }],
    }]);
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"], expected);
    // Where a rule matched, its result tells the verdict.
    let run = run_of(&scanned(fixed::NAME, FLOW, false));
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"], json!([]));
}

#[test]
fn too_many_results_keep_the_worst() {
    let rule = rule("token", Severity::High);
    let mut matches = vec![found(&rule, Severity::Low, 1, 1), found(&rule, Severity::Medium, 2, 1)];
    matches.extend((3..=25_001).map(|line| found(&rule, Severity::High, line, 1)));
    let run = run_of(&of_finding(finding(SourceName::walked("a.js"), matches)));
    let results = run["results"].as_array().expect("it is a list");
    assert_eq!(results.len(), 25_000);
    // Only the least is gone; the rest stands in its order.
    assert_eq!((&results[0]["level"], &results[1]["level"]), (&json!("warning"), &json!("error")));
    let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(notification["descriptor"]["id"], "limit/results");
    assert!(notification["message"]["text"].as_str().is_some_and(|text| text.starts_with("1 results ")), "{notification}");
}

#[test]
fn hostile_names_are_valid_uris() {
    let check = |name: SourceName, uri: &str, base: Value| {
        let matches = vec![found(&rule("token", Severity::High), Severity::High, 1, 1)];
        let run = run_of(&of_finding(finding(name, matches)));
        let location = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!((&location["uri"], &location["uriBaseId"]), (&json!(uri), &base));
    };
    let root = json!("%SRCROOT%");
    check(SourceName::walked("a b.js"), "a%20b.js", root.clone());
    check(SourceName::walked("a\nb%41#?.js"), "a%0Ab%2541%23%3F.js", root.clone());
    check(SourceName::walked("https:x/\u{202e}é.js"), "https%3Ax/%E2%80%AE%C3%A9.js", root.clone());
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let bytes = std::ffi::OsStr::from_bytes(b"dir/\xff\xfe\\.js");
        check(SourceName::walked(bytes), "dir/%FF%FE%5C.js", root);
        check(SourceName::explicit("/srv/a b.js"), "file:///srv/a%20b.js", Value::Null);
    }
}

#[test]
fn hostile_texts_set_no_links_and_no_controls() {
    let rule = rule("token", Severity::High);
    let mut hostile = found(&rule, Severity::High, 1, 1);
    hostile.evidence = "[look](https://example.com)\u{1b}[2J\u{202e}".to_owned();
    let run = run_of(&of_finding(finding(SourceName::walked("a.js"), vec![hostile])));
    let expected = "A token opens the account. Found: `[look] (https://example.com)\\u{1b}[2J\\u{202e}`.";
    assert_eq!(run["results"][0]["message"]["text"], expected);
}

#[test]
fn a_report_is_the_same_every_time() {
    assert_eq!(write(&scanned(models::DEFAULT, FLOW, false)), write(&scanned(models::DEFAULT, FLOW, false)));
}
