//! The verdict arrives: whatever becomes of an output, the exit code tells it, and every other output is whole.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::process::{ALLOWED, BLOCKED, callgate, code, command, err, folder, names, out, shell, write};
use serde_json::Value;

/// A run as a line of a shell, and the code it ends with.
fn check(files: &[(&str, &str)], line: &str, expected: i32) -> tempfile::TempDir {
    let folder = folder(files);
    let output = shell(folder.path(), line);
    assert_eq!(code(&output), expected, "{line}: {}", err(&output));
    folder
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("the report was written")).expect("it is JSON")
}

const BOTH: &[(&str, &str)] = &[("bad.js", BLOCKED), ("good.js", ALLOWED)];
/// Runs a command whose reader has gone before it writes, and ends with its code.
const CLOSED: &str = "{ { sleep 0.2; COMMAND; echo $? >code; } | true; } 2>err; sleep 0.1; exit $(cat code)";

#[test]
fn a_reader_that_has_gone_changes_no_verdict() {
    for (command, expected) in [
        ("callgate scan bad.js", 2),
        ("callgate scan good.js", 0),
        ("callgate scan bad.js good.js --format jsonl", 2),
        ("callgate scan bad.js --format json", 2),
        ("callgate scan bad.js --quiet", 2),
        ("callgate scan bad.js --fail-on never", 0),
        ("callgate scan good.js missing.js", 3),
        ("callgate compare bad.js", 0),
        ("callgate explain loop-fan-out", 0),
        ("callgate rules", 0),
        ("callgate models --format json", 0),
        ("callgate patterns test", 0),
        ("callgate generate man", 0),
        ("callgate --help", 0),
    ] {
        let folder = check(BOTH, &CLOSED.replace("COMMAND", command), expected);
        let told = fs::read_to_string(folder.path().join("err")).expect("it was written");
        assert_eq!(told.is_empty(), expected != 3, "{command}: {told}");
    }
}

#[test]
fn a_closed_output_leaves_the_others_whole() {
    for command in
        ["scan bad.js --format table --format sarif=x.json --format jsonl=x.jsonl", "compare bad.js --format table --format json=x.json"]
    {
        let expected = if command.starts_with("scan") { 2 } else { 0 };
        let folder = check(BOTH, &CLOSED.replace("COMMAND", &format!("callgate {command}")), expected);
        assert!(json(&folder.path().join("x.json")).is_object());
        if expected == 2 {
            let lines = fs::read_to_string(folder.path().join("x.jsonl")).expect("it was written");
            assert!(lines.lines().last().is_some_and(|line| line.starts_with(r#"{"type":"run""#)), "{lines}");
        }
    }
}

#[test]
fn a_full_output_fails_the_run_but_no_block_becomes_milder() {
    for (command, expected) in [
        ("callgate scan bad.js > /dev/full", 2),
        ("callgate scan good.js > /dev/full", 3),
        ("callgate scan bad.js --format jsonl > /dev/full", 2),
        ("callgate scan bad.js --exit-zero > /dev/full", 3),
        ("callgate scan bad.js -o /dev/full", 2),
        ("callgate scan bad.js -o no/such/folder/x.txt", 2),
        ("callgate scan good.js -o no/such/folder/x.txt", 3),
        ("callgate compare bad.js > /dev/full", 3),
        ("callgate explain loop-fan-out > /dev/full", 3),
        ("callgate rules > /dev/full", 3),
        ("callgate models > /dev/full", 3),
        ("callgate --help > /dev/full", 3),
        ("callgate --version > /dev/full", 3),
        ("callgate scan bad.js --format table --format json=x.json > /dev/full", 2),
    ] {
        let folder = folder(BOTH);
        let output = shell(folder.path(), command);
        assert_eq!(code(&output), expected, "{command}");
        assert!(err(&output).contains("cannot be written"), "{command}: {}", err(&output));
        if command.contains("x.json") {
            assert_eq!(json(&folder.path().join("x.json"))["verdict"], "block");
        }
    }
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let folder = folder(&[("bad.js", BLOCKED), ("old.json", "old"), ("broken.yaml", "nonsense: 1\n")]);
    fs::set_permissions(folder.path().join("old.json"), fs::Permissions::from_mode(0o600)).expect("it is ours");
    let failed = callgate(folder.path(), &["scan", "bad.js", "--config", "broken.yaml", "--format", "json=old.json"]);
    assert_eq!(code(&failed), 3);
    assert_eq!(fs::read_to_string(folder.path().join("old.json")).expect("it is there"), "old");
    let nothing = callgate(folder.path(), &["scan", "broken.yaml", "--listed", "--format", "json=old.json"]);
    assert_eq!(code(&nothing), 0);
    assert_eq!(json(&folder.path().join("old.json"))["verdict"], "allow");
    assert_eq!(code(&callgate(folder.path(), &["scan", "bad.js", "--format", "json=old.json"])), 2);
    assert_eq!(json(&folder.path().join("old.json"))["verdict"], "block");
    let mode = fs::metadata(folder.path().join("old.json")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "what only its owner could read stays so");
    assert_eq!(names(folder.path()), ["bad.js", "broken.yaml", "old.json"], "nothing else is left");
}

#[test]
fn a_run_that_is_ended_leaves_no_half_file() {
    let folder = folder(&[("bad.js", BLOCKED), ("x.jsonl", "old")]);
    let arguments = ["scan", "bad.js", "--files-from", "-", "-f", "jsonl=x.jsonl"];
    let mut child = command(folder.path(), &arguments).stdin(Stdio::piped()).spawn().expect("callgate starts");
    // The list does not end, so the run is at work when it is ended.
    while names(folder.path()).len() < 3 {
        thread::park_timeout(Duration::from_millis(5));
    }
    // Whoever starts the tests may have had interrupts ignored; nobody ignores this.
    let ended = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill runs");
    assert!(ended.success() && !child.wait().expect("it ends").success());
    assert_eq!(fs::read_to_string(folder.path().join("x.jsonl")).expect("it is there"), "old");
}

#[test]
fn no_link_is_followed_and_what_is_special_is_written_to() {
    let folder = folder(&[("bad.js", BLOCKED), ("precious", "mine")]);
    symlink("precious", folder.path().join("x.json")).expect("a link can be made");
    symlink("/dev/null", folder.path().join("y.json")).expect("a link can be made");
    assert_eq!(code(&callgate(folder.path(), &["scan", "bad.js", "-f", "json=x.json", "-f", "sarif=y.json"])), 2);
    assert_eq!(fs::read_to_string(folder.path().join("precious")).expect("it is there"), "mine");
    assert_eq!(json(&folder.path().join("x.json"))["verdict"], "block");
    assert!(fs::symlink_metadata(folder.path().join("y.json")).expect("it is there").is_file(), "a report is never swallowed");
    for (line, expected) in [
        (
            "callgate scan bad.js -f json=/dev/stdout -f jsonl=/dev/stderr 2>jsonl >json && exit 9 || tail -n 1 json | grep -q '^}' && grep -q '\"type\":\"run\"' jsonl",
            0,
        ),
        ("mkfifo pipe; cat pipe > read & callgate scan bad.js -f json=pipe; wait; tail -n 1 read | grep -q '^}'", 0),
        ("callgate scan bad.js -o /dev/null; test -c /dev/null", 0),
        ("printf kept > log; callgate scan bad.js -q -f jsonl -o /dev/stdout >> log; head -c 4 log | grep -q kept", 0),
    ] {
        assert_eq!(code(&shell(folder.path(), line)), expected, "{line}");
    }
}

#[test]
fn an_output_that_is_read_too_is_left_alone() {
    let tools = r#"{"tools":[{"name":"tickets:get","description":"reads a ticket"}]}"#;
    for (args, spared) in [
        (&["bad.js", "-o", "bad.js"][..], "bad.js"),
        (&["bad.js", "-o", "./folder/../bad.js"], "bad.js"),
        (&["link.js", "-o", "bad.js"], "bad.js"),
        (&["hard.js", "-o", "bad.js"], "bad.js"),
        (&[".", "-o", "bad.js"], "bad.js"),
        (&["folder", "-f", "json=folder/in.js"], "folder/in.js"),
        (&["bad.js", "--tools", "tools.json", "-f", "json=tools.json"], "tools.json"),
        (&["bad.js", "--config", "own.yaml", "-f", "json=own.yaml"], "own.yaml"),
        (&["bad.js", "--patterns", "patterns", "-f", "json=patterns/own.yaml"], "patterns/own.yaml"),
        (&["--files-from", "list.lst", "-f", "json=list.lst"], "list.lst"),
    ] {
        let files = [
            ("bad.js", BLOCKED),
            ("folder/in.js", BLOCKED),
            ("tools.json", tools),
            ("own.yaml", "# nothing\n"),
            ("patterns/own.yaml", "category: house\npatterns: []\n"),
            ("list.lst", "bad.js\n"),
        ];
        let folder = folder(&files);
        symlink("bad.js", folder.path().join("link.js")).expect("a link can be made");
        fs::hard_link(folder.path().join("bad.js"), folder.path().join("hard.js")).expect("a link can be made");
        let output = callgate(
            folder.path(),
            &[&["scan", "-f", "jsonl=other.jsonl"][..], args, &["-f", "table"][..usize::from(args.contains(&"-o")) * 2]].concat(),
        );
        assert_eq!(code(&output), 2, "{args:?}: {}", err(&output));
        assert!(err(&output).contains("is read by this run too"), "{args:?}: {}", err(&output));
        let text = files.iter().find(|(name, _)| *name == spared).map(|(_, text)| *text);
        assert_eq!(fs::read_to_string(folder.path().join(spared)).ok().as_deref(), text, "{args:?}");
        assert!(folder.path().join("other.jsonl").exists(), "{args:?}: the other output is written");
    }
}

#[test]
fn what_is_not_read_may_be_written_again() {
    let folder = folder(&[("good.js", ALLOWED)]);
    for _ in 0..2 {
        let output =
            callgate(folder.path(), &["scan", ".", "-f", "json=report.json", "-f", "jsonl=report.jsonl", "-f", "sarif=report.sarif"]);
        assert_eq!((code(&output), err(&output)), (0, String::new()));
    }
    // Standard output lies in the folder: it is passed over, and that is told.
    assert_eq!(code(&shell(folder.path(), "callgate scan . > report.txt")), 0);
    let report = fs::read_to_string(folder.path().join("report.txt")).expect("it was written");
    assert!(report.starts_with("1 script: ") && report.contains("passed over"), "{report}");
    // What is being written is not come upon.
    let hidden = callgate(folder.path(), &["scan", ".", "--hidden", "--exclude", "report.*", "-f", "table", "-f", "json=x.json"]);
    assert!(!out(&hidden).contains("passed over"), "{}", out(&hidden));
}

#[test]
fn two_outputs_to_one_file_are_refused_by_any_names() {
    for outputs in [
        ["x.json", "x.json"],
        ["x.json", "./x.json"],
        ["x.json", "folder/../x.json"],
        ["x.json", "linked/x.json"],
        ["old.json", "hard.json"],
        ["/dev/stdout", "/dev/fd/1"],
    ] {
        let folder = folder(&[("bad.js", BLOCKED), ("old.json", ""), ("folder/in.js", ALLOWED)]);
        symlink(".", folder.path().join("linked")).expect("a link can be made");
        fs::hard_link(folder.path().join("old.json"), folder.path().join("hard.json")).expect("a link can be made");
        let [first, second] = outputs.map(|output| format!("json={output}"));
        let output = callgate(folder.path(), &["scan", "bad.js", "-f", &first, "-f", &second]);
        assert_eq!(code(&output), 64, "{outputs:?}");
        assert!(err(&output).contains("two reports would go to"), "{}", err(&output));
    }
    let folder = folder(&[("bad.js", BLOCKED)]);
    assert_eq!(code(&shell(folder.path(), "callgate scan bad.js -f table -f json=x.json > x.json")), 64);
}

#[test]
fn every_file_that_is_made_is_whole() {
    let labels = "path,label\nbad.js,bad\ngood.js,good\n";
    for (args, target) in [
        (&["tune", ".", "--labels", "labels.csv", "--plot", "x.out"][..], "x.out"),
        (&["samples", "index", "--output", "x.out"], "x.out"),
        (&["init", "--force"], "callgate.yaml"),
    ] {
        let folder = folder(&[("bad.js", BLOCKED), ("good.js", ALLOWED), ("labels.csv", labels), ("precious", "mine")]);
        symlink("precious", folder.path().join(target)).expect("a link can be made");
        let output = callgate(folder.path(), args);
        assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
        assert_eq!(fs::read_to_string(folder.path().join("precious")).expect("it is there"), "mine", "{args:?}");
        assert!(fs::symlink_metadata(folder.path().join(target)).expect("it is there").is_file(), "{args:?}");
        assert_eq!(names(folder.path()).len(), 5, "{:?}", names(folder.path()));
    }
    let folder = folder(&[("bad.js", BLOCKED), ("good.js", ALLOWED), ("labels.csv", labels)]);
    let spared = callgate(folder.path(), &["tune", ".", "--labels", "labels.csv", "--plot", "labels.csv"]);
    assert_eq!(code(&spared), 3);
    assert!(err(&spared).contains("labels.csv is read by this run too"), "{}", err(&spared));
    assert!(out(&spared).contains("1 good, 1 bad"), "the report arrives: {}", out(&spared));
    assert_eq!(fs::read_to_string(folder.path().join("labels.csv")).expect("it is there"), labels);
}

#[test]
fn what_contradicts_itself_or_changes_nothing_is_refused_or_said() {
    let settings = [
        ("bad.js", BLOCKED),
        ("good.js", ALLOWED),
        ("contradiction.yaml", "warn_threshold: 80\nblock_threshold: 20\n"),
        ("idle.yaml", "model_settings: {numeric: {dangerous_threshold: 30}}\n"),
        ("parts.yaml", "models: [max]\nmodel_settings: {max: {parts: [numeric]}, numeric: {dangerous_threshold: 30}}\n"),
    ];
    let folder = folder(&settings);
    for (line, expected, told) in [
        ("scan good.js --warn-threshold 80 --block-threshold 20", 64, "blocking begins at 20"),
        ("scan good.js --warn-threshold 80 --model tiered", 64, "blocking begins at 70, the default"),
        ("compare good.js --warn-threshold 80 --block-threshold 20", 64, "blocking begins at 20"),
        ("scan good.js --config contradiction.yaml", 3, "contradiction.yaml:1:1"),
        ("scan good.js --warn-threshold 20 --block-threshold 20", 0, ""),
        ("scan good.js --block-threshold 90", 0, "--block-threshold 90 makes nothing milder: hybrid decides by actions"),
        ("scan good.js --block-threshold 60", 0, ""),
        ("scan good.js --block-threshold 90 --model tiered", 0, ""),
        ("scan good.js -o x.txt -f json=x.json", 64, "nothing would go to the --output x.txt"),
        ("scan good.js --features -f sarif", 64, "--features shows nothing in sarif"),
        ("scan good.js --explain-score -f sarif", 64, "--explain-score shows nothing in sarif"),
        ("scan good.js --features -f sarif=x.sarif -f table", 0, ""),
        ("scan good.js --verbose -f jsonl", 0, "--verbose changes nothing in jsonl"),
        ("scan good.js --verbose", 0, ""),
        ("scan good.js --stdin-filename x.ts", 64, "standard input, which is not read"),
        ("scan good.js --config idle.yaml", 0, "`model_settings.numeric` changes nothing here"),
        ("scan good.js --config idle.yaml --quiet", 0, ""),
        ("scan good.js --config parts.yaml", 0, ""),
        ("compare good.js --config idle.yaml", 0, ""),
        ("scan good.js --staged", 64, "cannot be used with"),
    ] {
        let output = shell(folder.path(), &format!("callgate {line}"));
        assert_eq!(code(&output), expected, "{line}: {}", err(&output));
        assert!(if told.is_empty() { err(&output).is_empty() } else { err(&output).contains(told) }, "{line}: {}", err(&output));
    }
    let explained = callgate(folder.path(), &["scan", "good.js", "bad.js", "--quiet", "--explain-score"]);
    assert!(!out(&explained).contains("good.js") && out(&explained).contains("BLOCK bad.js"), "{}", out(&explained));
    let quiet = callgate(folder.path(), &["scan", "good.js", "bad.js", "--quiet", "-f", "json"]);
    let quiet: Value = serde_json::from_slice(&quiet.stdout).expect("it is JSON");
    assert_eq!((quiet["findings"].as_array().map(Vec::len), &quiet["totals"]["allow"]), (Some(1), &Value::from(1)));
}

#[test]
fn what_loosens_the_gate_stands_in_every_format() {
    let folder = folder(&[("good.js", ALLOWED), ("bad.js", BLOCKED), ("labels.csv", "path,label\nbad.js,bad\ngood.js,good\n")]);
    write(folder.path(), "callgate.yaml", "trusted: [acme.com]\n");
    let (typed, written) = ("--disable loop-fan-out", "trusted: acme.com");
    for line in [
        "scan good.js",
        "scan good.js --quiet",
        "scan good.js --format json",
        "scan good.js --format jsonl",
        "scan good.js --format sarif",
        "compare good.js",
        "compare good.js --format json",
        "compare good.js --format html",
        "tune . --labels labels.csv",
        "tune . --labels labels.csv --format json",
    ] {
        let output = shell(folder.path(), &format!("callgate {line} {typed}"));
        assert!(out(&output).contains(typed) && out(&output).contains(written), "{line}: {}", out(&output));
        let unnamed = shell(folder.path(), &format!("callgate {line} {typed} --no-config"));
        assert!(out(&unnamed).contains(typed) && !out(&unnamed).contains(written), "{line}: {}", out(&unnamed));
    }
    let sarif = callgate(folder.path(), &["scan", "good.js", "--format", "sarif"]);
    let sarif: Value = serde_json::from_slice(&sarif.stdout).expect("it is JSON");
    assert_eq!(sarif["runs"][0]["properties"]["loosened"][0], written);
    let notification = &sarif["runs"][0]["invocations"][0]["toolConfigurationNotifications"][0];
    assert_eq!((&notification["descriptor"]["id"], &notification["level"]), (&"configuration/loosened".into(), &"note".into()));
    let quiet = callgate(folder.path(), &["scan", "good.js", "--quiet", "--no-config"]);
    assert_eq!(out(&quiet), "", "by default nothing is loosened");
}

#[test]
fn the_last_line_is_about_the_run() {
    let folder = folder(&[("good.js", ALLOWED), ("bad.js", BLOCKED), ("other.bin", "")]);
    let output = callgate(folder.path(), &["scan", ".", "--format", "jsonl", "--fail-open"]);
    let text = out(&output);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let run = lines.last().expect("there are lines");
    assert_eq!(lines.iter().filter(|line| !line["type"].is_null()).count(), 1);
    assert_eq!((&run["type"], &run["verdict"], &run["schema_version"]), (&"run".into(), &"block".into(), &2.into()));
    assert_eq!((&run["totals"]["block"], &run["totals"]["allow"], &run["totals"]["skipped_kind"]), (&1.into(), &1.into(), &1.into()));
    assert_eq!(run["configuration"]["loosened"], serde_json::json!(["--fail-open"]));
    let schema: Value = serde_json::from_str(callgate::report::json::SCHEMA).expect("the schema is JSON");
    for (of, line) in [("run", run), ("finding", &lines[0])] {
        let schema = serde_json::json!({ "$ref": format!("#/$defs/{of}"), "$defs": schema["$defs"] });
        let validator = jsonschema::validator_for(&schema).expect("it is a schema");
        let faults: Vec<String> = validator.iter_errors(line).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{of}: {faults:?}");
    }
}
