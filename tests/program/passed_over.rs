//! What a scan passes over is counted, named and listed, and judged where the user says so.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

const FILES: &[(&str, &str)] = &[
    ("a.js", "callTool('tickets:get', { id: 7 });\n"),
    ("b.py", "import os\n"),
    ("c.sh", "ls\n"),
    ("deploy", "#!/bin/bash\nls\n"),
    ("run", "#!/usr/bin/env node\ncallTool('tickets:get', { id: 7 });\n"),
    ("Makefile", "all:\n"),
    ("n.ipynb", "{\"cells\": []}"),
    ("package.json", "{}"),
    ("LICENSE", "MIT\n"),
    ("icon.png", "\0"),
    ("notes.md", "# How\n\n```sh\nls\n```\n\n```json\n{}\n```\n"),
    (".gitignore", "vendor/\n"),
    ("vendor/v.js", "x();\n"),
    ("build/b.js", "x();\n"),
];

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in FILES {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    folder
}

fn scan(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_callgate"));
    command.args(["scan", "--no-config"]).args(words).current_dir(folder).env_clear().env("HOME", folder);
    command.output().expect("callgate runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn parsed(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("the report is JSON")
}

fn expected_counts() -> Value {
    json!({
        "python": 1, "shell": 2, "notebook": 1, "makefile": 1, "fenced-shell": 1, "no-tool-call": 1, "other": 2,
        "ignored": 1, "hidden": 1, "excluded": 1,
    })
}

#[test]
fn every_format_counts_what_is_passed_over() {
    let folder = folder();
    let words = |format| ["--exclude", "build", "--format", format];
    let report = parsed(&scan(folder.path(), &words("json")));
    assert_eq!(report["totals"]["passed_over"], expected_counts());
    assert_eq!(report["totals"]["no_reader"], 6);
    assert_eq!(report["totals"]["skipped_kind"], 8);
    let report = parsed(&scan(folder.path(), &words("sarif")));
    assert_eq!(report["runs"][0]["properties"]["passedOver"], expected_counts());
    let output = scan(folder.path(), &words("table"));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        text(&output),
        "2 scripts and 1 text: 0 block, 0 warn, 3 allow\n\
         passed over: 1 Python, 2 shell, 1 notebook, 1 Makefile, 1 fenced block of shell; no reader yet: --strict makes them undetermined\n\
         passed over: 1 JSON without a tool call, 2 other files\n\
         left out: 1 by an ignore file, 1 hidden, 1 excluded\n\
         settings: the defaults\n  loosened by --exclude build\n\
         verdict: allow\n"
    );
}

#[test]
fn a_list_of_files_names_each_with_what_becomes_of_it() {
    let folder = folder();
    let output = scan(folder.path(), &["--exclude", "build", "--list-files", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(0));
    let listed: Vec<Value> = text(&output).lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let listed: Vec<String> =
        listed.iter().map(|file| ["path", "status", "kind"].map(|key| file[key].as_str().unwrap_or_default()).join(" ")).collect();
    assert_eq!(
        listed,
        [
            ".gitignore left-out hidden",
            "LICENSE passed-over other",
            "Makefile passed-over makefile",
            "a.js judged script",
            "b.py passed-over python",
            "build left-out excluded",
            "c.sh passed-over shell",
            "deploy passed-over shell",
            "icon.png passed-over other",
            "n.ipynb passed-over notebook",
            "notes.md judged text",
            "package.json passed-over no-tool-call",
            "run judged script",
            "vendor left-out ignored",
        ]
    );
    let report = parsed(&scan(folder.path(), &["--exclude", "build", "--list-files", "--format", "json"]));
    assert_eq!(report["passed_over"], expected_counts());
    let table = text(&scan(folder.path(), &["--list-files"]));
    assert!(table.contains("\nb.py          passed over: Python (no reader yet)\n"), "{table}");
    assert!(table.contains("\nnotes.md      judged as text; passed over in it: 1 fenced block of shell (no reader yet)\n"), "{table}");
    assert!(table.contains("\nvendor        left out by an ignore file\n"), "{table}");
    assert_eq!(scan(folder.path(), &["--list-files", "--format", "sarif"]).status.code(), Some(3));
}

#[test]
fn strict_judges_nothing_that_it_cannot_read_to_be_harmless() {
    let folder = folder();
    let output = scan(folder.path(), &["--strict", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let report = parsed(&output);
    let findings = report["findings"].as_array().expect("it has findings");
    let mut unread: Vec<&str> = findings
        .iter()
        .filter(|finding| finding["undetermined"]["reason"] == "no-reader" && finding["verdict"] == "block")
        .filter_map(|finding| finding["path"].as_str())
        .collect();
    unread.sort_unstable();
    assert_eq!(unread, ["Makefile", "b.py", "c.sh", "deploy", "n.ipynb", "notes.md"]);
    let notes = findings.iter().find(|finding| finding["path"] == "notes.md").expect("it is judged");
    assert_eq!((&notes["kind"], &notes["undetermined"]["line"]), (&json!("text"), &json!(3)));
    assert_eq!(report["totals"]["no_reader"], 0);
    fs::write(folder.path().join("callgate.yaml"), "strict: true\n").expect("a file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_callgate"));
    let configured = command.args(["scan", "c.sh", "b.py", "--on-undetermined", "warn"]).current_dir(folder.path()).env_clear().output();
    assert_eq!(configured.expect("callgate runs").status.code(), Some(1));
}

#[test]
fn what_the_user_names_is_told_to_have_no_reader() {
    let folder = folder();
    for (name, expected) in
        [("c.sh", "shell has no reader yet"), ("deploy", "shell has no reader yet"), ("b.py", "Python has no reader yet")]
    {
        let output = scan(folder.path(), &[name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(text(&output).contains(&format!("no-reader: {expected}")), "{}", text(&output));
    }
}

#[cfg(unix)]
#[test]
fn what_may_be_run_is_looked_at_whatever_its_name() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in [("noext", "ls\n"), ("go.cgi", "#!/usr/bin/env node\nx();\n"), ("bin", "\x7fELF\0"), ("plain.css", "a {}")] {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be set");
    }
    let report = parsed(&scan(folder.path(), &["--format", "json"]));
    assert_eq!(report["totals"]["passed_over"], json!({ "executable": 1, "binary": 1, "other": 1 }));
    assert_eq!(report["findings"][0]["path"], "go.cgi");
}

#[test]
fn lists_and_globs_hide_nothing_from_the_count() {
    let folder = folder();
    fs::write(folder.path().join("list"), "a.js\nb.py\nLICENSE\ngone.py\n").expect("a file can be written");
    let report = parsed(&scan(folder.path(), &["--files-from", "list", "--format", "json"]));
    assert_eq!(report["totals"]["passed_over"], json!({ "python": 2, "other": 1 }));
    let report = parsed(&scan(folder.path(), &["a.js", "b.py", "--exclude", "*.py", "--force-exclude", "--format", "json"]));
    assert_eq!(report["totals"]["passed_over"], json!({ "excluded": 1 }));
}
