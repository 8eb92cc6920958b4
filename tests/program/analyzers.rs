//! Analyzers: rules and programs of the user's own, as the command line takes and judges them.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test says what must be there by expecting it, and waits for processes to end"
)]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use callgate::analyzer::expression::{FUNCTIONS, MACROS};
use callgate::analyzer::sheet::Sheet;
use callgate::yaml;
use serde_json::Value;
use tempfile::TempDir;

const MAILS: &str = "await callTool('crm:get', {id: 1});\nawait callTool('mail:send', {to: 'a@b.corp.internal'});\n";
const QUIET: &str = "const n = 1;\n";

/// A folder with settings, scripts and programs.
struct Folder(TempDir);

/// How a run ended, and what it wrote.
struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Ran {
    fn findings(&self) -> Vec<Value> {
        let lines = self.stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON"));
        lines.filter(|line: &Value| line["type"] != "run").collect()
    }

    fn finding(&self) -> Value {
        assert_eq!(self.findings().len(), 1, "{}{}", self.stdout, self.stderr);
        self.findings().remove(0)
    }
}

impl Folder {
    fn new(settings: &str) -> Self {
        let folder = Self(TempDir::new().expect("a folder can be made"));
        folder.write("settings.yaml", settings);
        folder.write("a.js", MAILS);
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("a file can be written");
    }

    /// Writes a shell script that may be run.
    #[cfg(unix)]
    fn write_program(&self, name: &str, body: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        self.write(name, &format!("#!/bin/sh\n{body}\n"));
        fs::set_permissions(self.path().join(name), fs::Permissions::from_mode(0o755)).expect("it may be run");
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::cargo_bin("callgate").expect("the binary is built");
        command.current_dir(self.path()).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let output = command.env("SECRET_OF_THE_USER", "hidden").args(arguments).output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: output.status.code().unwrap_or(-1), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    fn scan(&self, arguments: &[&str]) -> Ran {
        let usual = ["scan", "a.js", "--config", "settings.yaml", "--format", "jsonl"];
        self.run(&[&usual, arguments].concat())
    }
}

fn rules(finding: &Value) -> Vec<&str> {
    let matches = finding["matches"].as_array().into_iter().flatten();
    matches.filter(|found| found["category"] == "custom").filter_map(|found| found["rule"].as_str()).collect()
}

const RULES: &str = r#"analyzers:
  - id: many-mails
    when: features.control_flow.calls >= 2 && features.tools.names.exists(t, t.startsWith("mail:"))
    severity: high
    action: block
    points: 30
    why: Mails are not sent by scripts.
    help: Ask a person.
  - id: internal-host
    find: 'corp\.internal'
    severity: medium
    points: 5.5
    why: Internal hosts are none of a script's business.
  - id: both-of-them
    when: matches.exists(m, m.rule == "internal-host" && m.line == 2)
    severity: low
    why: It sees what other rules found.
"#;

#[test]
fn rules_of_analyzers_are_rules_like_any_other() {
    let folder = Folder::new(RULES);
    folder.write("quiet.js", QUIET);
    let ran = folder.scan(&["quiet.js"]);
    let findings = ran.findings();
    assert_eq!((ran.code, findings.len()), (2, 2), "{}", ran.stderr);
    assert_eq!(rules(&findings[0]), ["many-mails", "internal-host", "both-of-them"]);
    assert_eq!((&findings[0]["severity"], &findings[0]["action"]), (&"high".into(), &"block".into()));
    let actions: Vec<&Value> = findings[0]["matches"].as_array().expect("a list").iter().map(|found| &found["action"]).collect();
    assert!(actions.contains(&&Value::from("warn")) && actions.contains(&&Value::from("log")), "{actions:?}");
    assert_eq!((rules(&findings[1]).len(), &findings[1]["verdict"]), (0, &"allow".into()));

    let listed = folder.run(&["rules", "--config", "settings.yaml", "--format", "json"]).stdout;
    assert!(listed.contains(r#""id": "many-mails""#) && listed.contains(r#""origin": "analyzer""#));
    let page = folder.run(&["explain", "many-mails", "--config", "settings.yaml"]).stdout;
    assert!(page.contains("features.control_flow.calls >= 2") && page.contains("Ask a person."), "{page}");
    let page = folder.run(&["explain", "internal-host", "--config", "settings.yaml"]).stdout;
    assert!(page.contains(r"corp\.internal") && page.contains("tried on every text"), "{page}");
    let sarif = folder.run(&["scan", "a.js", "--config", "settings.yaml", "--format", "sarif"]).stdout;
    assert!(sarif.contains("Mails are not sent by scripts.") && sarif.contains("corp.internal"), "{sarif}");
}

#[test]
fn what_is_chosen_for_rules_holds_for_analyzers_too() {
    let chosen = format!("{RULES}rules:\n  many-mails: {{severity: critical, action: log}}\n  internal-host: {{enabled: false}}\n");
    let finding = Folder::new(&chosen).scan(&[]).finding();
    assert_eq!(rules(&finding), ["many-mails"]);
    assert_eq!((&finding["severity"], &finding["action"]), (&"critical".into(), &"log".into()));
    let finding = Folder::new(RULES).scan(&["--disable", "many-mails", "--disable", "both-of-them"]).finding();
    assert_eq!(rules(&finding), ["internal-host"]);
    // An expression that fails on every subject does so no more once it is disabled.
    let failing = "analyzers:\n  - {id: failing, when: 'features.tools.names[1] == features.tools.names[0]', severity: low, why: w}\n";
    let folder = Folder::new(failing);
    folder.write("a.js", QUIET);
    assert_eq!((folder.scan(&[]).code, folder.scan(&["--disable", "failing"]).code), (2, 0));
}

#[test]
fn points_of_analyzers_are_signals_of_the_rule_based_model_and_its_bill_adds_up() {
    let finding = Folder::new(RULES).scan(&["--model", "rule-based", "--explain-score"]).finding();
    let signals = finding["evaluations"][0]["signals"].as_array().expect("a list");
    let of = |id: &str| signals.iter().find(|signal| signal["id"] == id).map(|signal| signal["score"].clone());
    assert_eq!((of("many-mails"), of("internal-host"), of("both-of-them")), (Some(30.into()), Some(5.5.into()), None));
    assert_adds_up(&finding, 1);
    let upstream = format!("{RULES}model_settings: {{rule-based: {{edition: upstream}}}}\n");
    let finding = Folder::new(&upstream).scan(&["--model", "rule-based"]).finding();
    assert!(!finding["evaluations"][0]["signals"].to_string().contains("many-mails"));
}

fn assert_adds_up(finding: &Value, bills: usize) {
    let all = finding["explanation"]["models"].as_array().expect("there are bills");
    assert_eq!(all.len(), bills, "{all:?}");
    for bill in all {
        let number = |value: &Value| value.as_f64().unwrap_or(0.0);
        let sum: f64 = bill["signals"].as_array().expect("a list").iter().map(|signal| number(&signal["points"])).sum();
        assert!((sum - number(&bill["sum"])).abs() < 1e-6, "{bill}");
        assert!((sum + number(&bill["adjustment"]["points"]) - number(&bill["score"])).abs() < 1e-6, "{bill}");
    }
}

#[test]
fn settings_that_were_found_may_not_have_analyzers() {
    let folder = Folder::new("");
    folder.write("callgate.yaml", &format!("fail_on: block\n{RULES}"));
    for arguments in [&["scan", "a.js"][..], &["rules"], &["explain", "many-mails"], &["patterns", "test"]] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, 3, "{arguments:?}: {}", ran.stdout);
        assert!(ran.stderr.contains("callgate.yaml:2:1") && ran.stderr.contains("--config"), "{}", ran.stderr);
    }
    assert_eq!(folder.run(&["scan", "a.js", "--config", "callgate.yaml"]).code, 2);
    assert_eq!(folder.run(&["scan", "a.js", "--no-config"]).code, folder.run(&["scan", "a.js", "--config", "settings.yaml"]).code);
}

#[test]
fn faults_of_analyzers_are_told_all_at_once_with_their_places() {
    let folder = Folder::new(
        r#"analyzers:
  - id: one
    severity: high
    why: w
    when: features.control_flow.cals > 1
  - when: |
      features.control_flow.calls > 1
        && feature.tools.names.size() > 1
    id: two
    severity: high
    why: w
  - id: three
    find: '('
    keywords: [ab]
    severity: high
    why: w
  - id: four
    program: [./nothing.sh]
    why: w
  - id: five
    find: x
    program: [x]
  - id: six
    severity: low
    when: "true"
  - id: Bad Id
    program: []
  - {id: seven, find: x, severity: low, why: w, text: true}
  - {id: seven, find: y, severity: low, why: w}
"#,
    );
    let ran = folder.scan(&[]);
    assert_eq!(ran.code, 3);
    for expected in [
        "analyzer `one`: `when`, 1:22: there is no `cals` (did you mean `calls`?)",
        "analyzer `two`: `when`, 2:6: there is no variable `feature` (did you mean `features`?)",
        "analyzer `three`: the keyword `ab` must be lower case and have at least three bytes",
        "analyzer `three`: its regex does not compile",
        "analyzer `four`: there is no program",
        "analyzer `four`: `why` is only for analyzers with `when` or `find`",
        "analyzer `five`: it has more than one of `when`, `find` and `program`",
        "analyzer `six`: a rule needs `severity` and `why`",
        "analyzer `Bad Id`: the id must be kebab-case",
        "analyzer `Bad Id`: `program` needs the name of a program",
        "analyzer `seven`: `text` is only for analyzers with `program`",
        "analyzer `seven`: there are two analyzers of this id",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
    for taken in ["loop-fan-out", "path-traversal"] {
        for means in ["find: x, severity: low, why: w", "when: 'true', severity: low, why: w", "program: [x]"] {
            let ran = Folder::new(&format!("analyzers:\n  - {{id: {taken}, {means}}}\n")).scan(&[]);
            assert!(ran.code == 3 && ran.stderr.contains(taken), "{taken}, {means}: {}", ran.stderr);
        }
    }
}

#[test]
fn faults_point_into_the_expression() {
    use callgate::analyzer::item::{AnalyzerItem, build};
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct File {
        analyzers: Vec<AnalyzerItem>,
    }
    for (text, place) in [
        ("analyzers:\n  - id: a\n    when: features.cals == 1\n    severity: low\n    why: w\n", (3, 19)),
        ("analyzers:\n- severity: low\n  why: w\n  when: 'features.cals == 1'\n  id: a\n", (4, 18)),
        (
            "analyzers:\n- id: b\n  when: 'true'\n  severity: low\n  why: w\n- id: a\n  when: |\n    true &&\n      feature == 1\n  severity: low\n  why: w\n",
            (9, 7),
        ),
        ("analyzers:\n- {id: a, when: 'features.cals == 1', severity: low, why: w}\n", (2, 26)),
    ] {
        let file: File = yaml::read(text).expect(text);
        let faults = build(&file.analyzers, Path::new(""), text).expect_err("it has a fault");
        assert_eq!((faults[0].line, faults[0].column), place, "{faults:?}\n{text}");
    }
}

#[test]
fn every_documented_variable_and_function_is_there() {
    let page = fs::read_to_string("docs/analyzers.md").expect("the page is there");
    let sheet = Sheet::example();
    let all: serde_json::Map<String, Value> = sheet.variables().into_iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let all = Value::Object(all);
    let section = page.split("## Expressions").nth(1).and_then(|rest| rest.split("## Programs").next()).expect("there is a section");
    let words: Vec<&str> = section.split('`').skip(1).step_by(2).collect();
    let paths: Vec<&str> = words.iter().copied().filter(|word| word.contains('.') && !word.contains("child_process")).collect();
    assert!(35 < paths.len(), "{paths:?}");
    for path in &paths {
        let pointer = format!("/{}", path.replace("[]", ".0").replace('.', "/"));
        assert!(all.pointer(&pointer).is_some(), "{path} is not in {all:#}");
    }
    // And nothing is there that is not documented.
    let mut known = Vec::new();
    leaves(&all, "", &mut known);
    for leaf in known {
        assert!(paths.contains(&leaf.as_str()), "{leaf} is not documented");
    }
    for function in FUNCTIONS.iter().chain(MACROS) {
        assert!(words.contains(function), "{function} is not documented");
    }
}

fn leaves(value: &Value, path: &str, known: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                leaves(value, &if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, known);
            }
        }
        Value::Array(elements) if elements.first().is_some_and(Value::is_object) => leaves(&elements[0], &format!("{path}[]"), known),
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => known.push(path.to_owned()),
    }
}

#[test]
fn an_expression_that_costs_too_much_leaves_the_subject_undetermined() {
    let names = "features.tools.names";
    let when = format!("{names}.all(a, {names}.all(b, {names}.all(c, a != '' || b != c)))");
    let folder = Folder::new(&format!("analyzers:\n  - id: cubic\n    when: {when}\n    severity: low\n    why: w\n"));
    folder.write("a.js", &"await callTool('crm:get', {id: 1});\n".repeat(400));
    let finding = folder.scan(&[]).finding();
    assert_eq!((&finding["reason"], &finding["undetermined"]["reason"]), (&"undetermined".into(), &"analyzer".into()));
    let detail = finding["undetermined"]["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("`cubic`") && detail.contains("too many steps"), "{detail}");
}

#[cfg(unix)]
mod programs {
    use std::time::{Duration, Instant};

    use super::*;

    const PROGRAM: &str = "analyzers:\n  - id: mine\n    program: [./mine.sh]\n    timeout_ms: 400\n    max_output: 2000\n";
    /// Much longer than any time limit here, and much shorter than what the programs would take.
    const SOON: Duration = Duration::from_secs(15);

    fn folder(body: &str) -> Folder {
        let folder = Folder::new(&PROGRAM.replace("400", "20000"));
        folder.write_program("mine.sh", body);
        folder
    }

    fn answering(score: &str) -> Folder {
        folder(&format!("echo '{{\"score\": {score}}}'"))
    }

    #[test]
    fn the_score_of_a_program_is_held_to_the_thresholds() {
        for (score, verdict, code) in [("0", "allow", 0), ("39.9", "allow", 0), ("40", "warn", 1), ("70", "block", 2), ("100", "block", 2)]
        {
            let folder = answering(score);
            folder.write("a.js", QUIET);
            let ran = folder.scan(&[]);
            let finding = ran.finding();
            assert_eq!((finding["verdict"].as_str(), ran.code), (Some(verdict), code), "{score}: {finding}");
            let models: Vec<&Value> = finding["evaluations"].as_array().expect("a list").iter().map(|one| &one["model"]).collect();
            assert_eq!(models, ["hybrid", "mine"]);
        }
        let folder = answering("50");
        folder.write("a.js", QUIET);
        assert_eq!(folder.scan(&["--block-threshold", "50"]).code, 2);
        assert_eq!(folder.scan(&["--model", "custom"]).finding()["evaluations"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn signals_are_shown_and_added_in_the_rule_based_model() {
        let folder = folder(
            r#"cat >/dev/null; echo '{"score": 45, "signals": [{"id": "night", "score": 30, "level": "high", "description": "at night"}, {"id": "b", "score": 60, "description": "more"}]}'"#,
        );
        let finding = folder.scan(&["--model", "rule-based", "--explain-score"]).finding();
        let evaluations = finding["evaluations"].as_array().expect("a list");
        let signals = evaluations[0]["signals"].to_string();
        assert!(signals.contains(r#""id":"mine:night","score":30,"level":"high","description":"at night""#), "{signals}");
        assert_eq!((&evaluations[1]["model"], &evaluations[1]["numeric_score"]), (&"mine".into(), &45.into()));
        assert_eq!(evaluations[1]["signals"].as_array().map(Vec::len), Some(2));
        assert_adds_up(&finding, 2);
    }

    #[test]
    fn a_program_is_handed_a_document_and_little_of_the_environment() {
        let folder = folder(r#"cat >seen.json; env >env.txt; pwd >pwd.txt; printf '%s\n' "$@" >arguments.txt; echo '{"score": 0}'"#);
        let settings = PROGRAM.replace("400", "20000").replace("[./mine.sh]", "[./mine.sh, '$(touch made)', 'a b', '*']");
        folder.write("settings.yaml", &settings);
        assert!(folder.scan(&[]).code < 3);
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("the program wrote it");
        assert_eq!(read("arguments.txt"), "$(touch made)\na b\n*\n");
        assert!(!folder.path().join("made").exists() && read("env.txt").contains("PATH=") && !read("env.txt").contains("SECRET_OF"));
        assert_eq!(fs::canonicalize(read("pwd.txt").trim()).ok(), fs::canonicalize(folder.path()).ok());
        let seen: Value = serde_json::from_str(&read("seen.json")).expect("it is JSON");
        assert_eq!((&seen["version"], &seen["subject"]["path"], &seen["subject"]["text"]), (&1.into(), &"a.js".into(), &Value::Null));
        assert_eq!(seen["features"]["tools"]["names"], serde_json::json!(["crm:get", "mail:send"]));
        assert_eq!(seen["subject"]["size"], MAILS.len());
        folder.write("settings.yaml", &format!("{settings}    text: true\n    env: [SECRET_OF_THE_USER, NOT_SET]\n"));
        assert!(folder.scan(&[]).code < 3);
        let seen: Value = serde_json::from_str(&read("seen.json")).expect("it is JSON");
        assert_eq!(seen["subject"]["text"], MAILS);
        assert!(read("env.txt").contains("SECRET_OF_THE_USER=hidden") && !read("env.txt").contains("NOT_SET"));
    }

    #[test]
    fn paths_are_relative_to_the_settings_and_names_are_looked_for() {
        let folder = answering("41");
        fs::create_dir(folder.path().join("inner")).expect("a folder can be made");
        folder.write("inner/a.js", QUIET);
        let mut command = Command::cargo_bin("callgate").expect("the binary is built");
        command.current_dir(folder.path().join("inner")).args(["scan", "a.js", "--config", "../settings.yaml"]);
        assert_eq!(command.output().expect("it runs").status.code(), Some(1));
        folder.write("settings.yaml", "analyzers: [{id: mine, program: [echo, '{\"score\": 75}']}]\n");
        assert_eq!(folder.scan(&[]).finding()["verdict"], "block");
    }

    #[test]
    fn programs_only_judge_the_subjects_that_are_meant() {
        let folder = answering("90");
        folder.write("a.js", QUIET);
        folder.write("settings.yaml", &format!("{PROGRAM}    kinds: [text]\n"));
        assert_eq!(folder.scan(&[]).code, 0);
    }

    #[test]
    fn a_program_need_not_read_what_it_is_handed() {
        for body in ["echo '{\"score\": 1}'", "exec <&-; sleep 0.1; echo '{\"score\": 1}'", "head -c 10 >/dev/null; echo '{\"score\": 1}'"]
        {
            let folder = folder(body);
            folder.write("settings.yaml", &format!("{}    text: true\n", PROGRAM.replace("400", "20000")));
            folder.write("a.js", &format!("// {}\n", "x".repeat(1_000_000)));
            let ran = folder.scan(&[]);
            assert_eq!(ran.code, 0, "{body}: {}", ran.stdout);
        }
    }

    #[test]
    fn a_program_that_fails_leaves_the_subject_undetermined() {
        for (body, expected) in [
            ("echo oh no >&2; printf '\\033[2J' >&2; exit 3", "it ended with exit status: 3; it said: oh no\\n\\u{1b}[2J"),
            ("kill -9 $$", "it ended with signal: 9"),
            ("echo '{\"score\": 1}'; exit 1", "it ended with exit status: 1"),
            ("true", "its answer cannot be used: it is empty"),
            ("echo hello; echo hm >&2", "its answer cannot be used: it is not JSON: expected value at line 1 column 1; it said: hm"),
            ("echo '{\"score\": NaN}'", "it is not JSON"),
            ("echo '{\"score\": -0.5}'", "`score` must be from 0 to 100"),
            ("echo '{\"score\": 101}'", "`score` must be from 0 to 100"),
            ("echo '{\"score\": 1e999}'", "it is not JSON: number out of range"),
            ("echo '{\"score\": 1, \"signals\": [{\"id\": \"a\", \"score\": 1}]}'", "`signals[0].description` is missing"),
            ("yes", "it answered more than 2000 bytes (`max_output`) and was stopped"),
        ] {
            let ran = folder(body).scan(&[]);
            let finding = ran.finding();
            let detail = finding["undetermined"]["detail"].as_str().unwrap_or_default();
            assert_eq!((ran.code, &finding["undetermined"]["reason"]), (2, &"analyzer".into()), "{body}: {finding}");
            assert!(detail.starts_with("the analyzer `mine` failed: ") && detail.contains(expected), "{body}: {detail}");
        }
        assert_eq!(folder("exit 3").scan(&["--on-undetermined", "allow", "--model", "custom"]).code, 0);
        assert_eq!(folder("exit 3").scan(&["--fail-open", "--model", "custom"]).code, 0);
    }

    #[test]
    fn a_program_that_cannot_be_started_leaves_the_subject_undetermined() {
        let folder = folder("true");
        for (program, expected) in [("nothing-of-this-name", "cannot be started"), ("./a.js", "cannot be started")] {
            folder.write("settings.yaml", &format!("analyzers: [{{id: mine, program: [{program}]}}]\n"));
            let finding = folder.scan(&[]).finding();
            assert!(finding["undetermined"]["detail"].as_str().is_some_and(|detail| detail.contains(expected)), "{finding}");
        }
    }

    #[test]
    fn a_program_that_takes_too_long_is_stopped_with_all_that_it_started() {
        for body in [
            "sleep 60",
            "sleep 60 & echo $! >child; wait",
            // It ends well, but what it left behind holds its output open.
            "sleep 60 & echo $! >child; echo '{\"score\": 1}'",
            // It closes its output and does not end.
            "echo '{\"score\": 1}'; exec >&-; sleep 60",
            "trap '' TERM INT; echo waiting >&2; while :; do sleep 1; done",
            "yes >&2",
        ] {
            let folder = Folder::new(PROGRAM);
            folder.write_program("mine.sh", body);
            let start = Instant::now();
            let finding = folder.scan(&[]).finding();
            assert!(start.elapsed() < SOON, "{body}");
            let detail = finding["undetermined"]["detail"].as_str().unwrap_or_default().to_owned();
            assert!(detail.contains("it took longer than 400 ms (`timeout_ms`) and was stopped"), "{body}: {finding}");
            assert!(detail.len() < 5_000, "{body}");
            if let Ok(child) = fs::read_to_string(folder.path().join("child")) {
                assert!(is_gone(child.trim()), "{body}");
            }
        }
    }

    #[test]
    fn what_a_program_left_behind_is_stopped() {
        let folder = folder("sleep 60 >/dev/null 2>&1 <&- & echo $! >child; echo '{\"score\": 1}'");
        let ran = folder.scan(&[]);
        assert!(ran.finding()["undetermined"].is_null(), "{}", ran.stdout);
        let child = fs::read_to_string(folder.path().join("child")).expect("the program wrote it");
        assert!(is_gone(child.trim()));
    }

    /// Returns true if and only if a process ends within a moment, or has ended.
    fn is_gone(process: &str) -> bool {
        let state = || {
            let output = std::process::Command::new("ps").args(["-o", "stat=", "-p", process]).output().expect("ps runs");
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        };
        let is_dead = |state: &str| state.is_empty() || state.starts_with('Z');
        (0..100).any(|_| {
            let has_ended = is_dead(&state());
            if !has_ended {
                std::thread::sleep(Duration::from_millis(20));
            }
            has_ended
        })
    }

    #[test]
    fn programs_of_many_subjects_do_not_mix_their_answers() {
        let folder = folder(r#"if grep -q '"path":"b7.js"'; then echo '{"score": 71}'; else echo '{"score": 2}'; fi"#);
        for nth in 0..12 {
            folder.write(&format!("b{nth}.js"), QUIET);
        }
        let ran = folder.run(&["scan", ".", "--config", "settings.yaml", "--format", "jsonl"]);
        let blocked: Vec<Value> = ran.findings().into_iter().filter(|finding| finding["verdict"] == "block").collect();
        assert_eq!(blocked.len(), 1, "{}", ran.stdout);
        assert_eq!(blocked[0]["path"], "b7.js");
    }
}
