//! The command line: each case is a file in `tests/cmd`; what needs a repository, a pipe or written files stands here.

mod process;

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use process::{ALLOWED, BLOCKED, callgate, command, git};
use serde_json::Value;
use tempfile::TempDir;

#[test]
fn commands_answer_as_their_cases_say() {
    trycmd::TestCases::new().case("tests/cmd/*.toml");
}

#[test]
fn the_examples_of_the_readme_are_true() {
    trycmd::TestCases::new().case("README.md").case("docs/*.md");
}

#[test]
fn examples_are_judged_as_their_folder_says() {
    for (folder, expected) in [("examples/benign", &["allow"][..]), ("examples/dangerous", &["warn", "block"])] {
        let report = callgate(Path::new("."), &["scan", folder, "--format", "json"]);
        let report: Value = serde_json::from_slice(&report.stdout).expect("the report is JSON");
        let findings = report["findings"].as_array().expect("it has findings");
        let mut paths: Vec<&str> = findings.iter().filter_map(|finding| finding["path"].as_str()).collect();
        paths.dedup();
        assert_eq!(paths.len(), fs::read_dir(folder).expect("the folder can be read").count());
        for finding in findings {
            let verdict = finding["verdict"].as_str().expect("a finding has a verdict");
            assert!(expected.contains(&verdict), "{}: {verdict}", finding["path"]);
        }
    }
}

#[test]
fn the_classifier_tells_the_examples_apart() {
    for (folder, expected) in [("examples/benign", &["allow"][..]), ("examples/dangerous", &["warn", "block"])] {
        let report = callgate(Path::new("."), &["scan", folder, "--model", "classifier", "--format", "json"]);
        let report: Value = serde_json::from_slice(&report.stdout).expect("the report is JSON");
        let findings = report["findings"].as_array().expect("it has findings");
        assert!(!findings.is_empty(), "{folder}");
        for finding in findings {
            let verdict = finding["verdict"].as_str().expect("a finding has a verdict");
            assert!(expected.contains(&verdict), "{}: {verdict} with {}", finding["path"], finding["score"]);
        }
    }
}

#[test]
fn every_format_goes_to_its_own_file() {
    let folder = folder_with("run.js", BLOCKED);
    let formats = ["--format", "table", "--format", "json=a.json", "--format", "jsonl=a.jsonl", "--format", "sarif=a.sarif"];
    let output = callgate(folder.path(), &[&["scan", "run.js"][..], &formats].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("verdict: block\n"));
    for (file, pointer, expected) in [("a.json", "/verdict", "block"), ("a.sarif", "/runs/0/properties/verdict", "block")] {
        let text = fs::read_to_string(folder.path().join(file)).expect("the report was written");
        let report: Value = serde_json::from_str(&text).expect("the report is JSON");
        assert_eq!(report.pointer(pointer).and_then(Value::as_str), Some(expected), "{file}");
    }
}

#[test]
fn a_reader_that_has_gone_is_no_failure() {
    let mut child = command(Path::new("."), &["rules", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("callgate starts");
    let mut first = [0];
    child.stdout.take().expect("it is piped").read_exact(&mut first).expect("it writes");
    let output = child.wait_with_output().expect("callgate ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_commit_of_a_blocked_script_is_refused_by_the_hook() {
    let folder = folder_with("run.js", BLOCKED);
    git(folder.path(), &["init", "--quiet"]);
    for _ in 0..2 {
        let output = callgate(folder.path(), &["init", "--hook"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    git(folder.path(), &["add", "run.js"]);
    let refused = git(folder.path(), &["commit", "--quiet", "--message", "send the users"]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&[refused.stdout, refused.stderr].concat()).contains("BLOCK run.js"));
    fs::write(folder.path().join("run.js"), ALLOWED).expect("the script can be written");
    git(folder.path(), &["add", "run.js"]);
    let taken = git(folder.path(), &["commit", "--quiet", "--message", "read a ticket"]);
    assert!(taken.status.success(), "{}", String::from_utf8_lossy(&taken.stderr));
}

#[test]
fn the_hook_is_refused_outside_a_repository() {
    let folder = folder_with("run.js", ALLOWED);
    let output = callgate(folder.path(), &["init", "--hook"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("this is no git repository"));
}

fn folder_with(name: &str, text: &str) -> TempDir {
    process::folder(&[(name, text)])
}
