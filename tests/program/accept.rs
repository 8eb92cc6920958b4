//! Findings that are accepted do not count, are told with their reason, and nothing accepts itself.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const WIPE: &str = "import { execSync } from 'node:child_process';\n";

fn folder(files: &[(&str, String)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    folder
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_callgate"));
    command.args(words).current_dir(folder).env_remove("CALLGATE_CONFIG").env("HOME", folder);
    command
}

fn scan(folder: &Path, words: &[&str]) -> (Value, i32) {
    let output = command(folder, &[&["scan", "--format", "json"], words].concat()).output().expect("callgate can be run");
    read(&output)
}

fn read(output: &Output) -> (Value, i32) {
    let told = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout);
    assert!(report.is_ok(), "no report: {told}");
    (report.expect("it is one"), output.status.code().expect("it ended by itself"))
}

/// The verdict on a script of one text, and the rules that were accepted.
fn judged(script: &str) -> (String, Vec<String>) {
    let folder = folder(&[("a.js", script.to_owned())]);
    let (report, _) = scan(folder.path(), &["a.js"]);
    let finding = &report["findings"][0];
    let accepted = finding["accepted"].as_array().into_iter().flatten();
    let rules = accepted.map(|accepted| accepted["rule"].as_str().unwrap_or("-").to_owned()).collect();
    (finding["verdict"].as_str().unwrap_or_default().to_owned(), rules)
}

#[test]
fn a_comment_accepts_what_stands_beside_it_or_below_it() {
    for (script, expected) in [
        ("execSync('rm -rf ~'); // callgate: ignore[destructive-call] a throwaway machine\n", "allow"),
        ("// callgate: ignore[destructive-call] a throwaway machine\nexecSync('rm -rf ~');\n", "allow"),
        ("/* callgate: ignore[destructive-call] a throwaway\n machine */\n\n// and this\nexecSync('rm -rf ~');\n", "allow"),
        ("let a; // more\n/* callgate: ignore-file[destructive-call] a throwaway machine */\nlet b;\nexecSync('rm -rf ~');\n", "allow"),
        ("// callgate: ignore[destructive-call] a throwaway machine\nlet a;\nexecSync('rm -rf ~');\n", "block"),
        ("let a; // callgate: ignore[destructive-call] a throwaway machine\nexecSync('rm -rf ~');\n", "block"),
        ("// callgate: ignore[loop-fan-out] a throwaway machine\nexecSync('rm -rf ~');\n", "block"),
        ("// callgate: ignore[destructive-call]\nexecSync('rm -rf ~');\n", "block"),
        ("// callgate: ignore a throwaway machine\nexecSync('rm -rf ~');\n", "block"),
        ("const a = '// callgate: ignore-file[destructive-call] it is mine';\nexecSync('rm -rf ~');\n", "block"),
        ("const a = `\n// callgate: ignore[destructive-call] it is mine\n`; execSync('rm -rf ~');\n", "block"),
    ] {
        let (verdict, accepted) = judged(&format!("{WIPE}{script}"));
        assert_eq!(verdict, expected, "{script}");
        let rules: &[&str] = if expected == "allow" { &["destructive-call"] } else { &[] };
        assert_eq!(accepted, rules, "{script}");
    }
}

#[test]
fn what_is_handed_over_never_accepts_itself() {
    let text = format!("// callgate: ignore-file[destructive-call] it is mine\n{WIPE}execSync('rm -rf ~');\n");
    let call = json!({ "tool": "run_code", "arguments": { "code": text } }).to_string();
    let folder = folder(&[
        ("call.json", json!({ "method": "tools/call", "params": { "name": "run_code", "arguments": { "code": text } } }).to_string()),
        ("callgate.yaml", "accept: [{rule: destructive-call, path: '**', reason: all of it}]\n".to_owned()),
    ]);
    let (report, code) = scan(folder.path(), &["call.json"]);
    assert_eq!((report["verdict"].as_str(), code), (Some("block"), 2), "{call}");
    for name in ["a.js", "scripts/a.js"] {
        let mut child = command(folder.path(), &["scan", "--format", "json", "--stdin-filename", name, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("callgate can be run");
        child.stdin.take().expect("it reads").write_all(text.as_bytes()).expect("it reads all");
        let (report, code) = read(&child.wait_with_output().expect("it ends"));
        assert_eq!((report["verdict"].as_str(), code), (Some("block"), 2));
    }
}

#[test]
fn the_settings_accept_by_rule_path_and_day() {
    let entry = |rule: &str, path: &str, more: &str| format!("accept: [{{rule: {rule}, path: '{path}', reason: reviewed{more}}}]\n");
    for (settings, verdict, remark) in [
        (entry("destructive-call", "scripts/**", ""), "allow", None),
        (entry("destructive-call", "*.js", ", owner: ops, expires: 2999-12-31"), "allow", None),
        (entry("destructive-call", "*.js", ", expires: 2001-01-01"), "block", Some("expired")),
        (entry("destructive-call", "other/*.js", ""), "block", None),
        (entry("loop-fan-out", "scripts/*.js", ""), "block", Some("unused")),
    ] {
        let folder = folder(&[("scripts/a.js", format!("{WIPE}execSync('rm -rf ~');\n")), ("callgate.yaml", settings.clone())]);
        let (report, code) = scan(folder.path(), &["scripts"]);
        assert_eq!(report["verdict"], verdict, "{settings}");
        assert_eq!(code, if verdict == "allow" { 0 } else { 2 });
        assert_eq!(report["acceptances"][0]["kind"].as_str(), remark, "{settings}");
        assert_eq!(report["totals"]["accepted"].as_u64(), (verdict == "allow").then_some(1), "{settings}");
        let (all, _) = scan(folder.path(), &["scripts", "--no-acceptances"]);
        assert_eq!((all["verdict"].as_str(), all["totals"]["accepted"].as_u64()), (Some("block"), None), "{settings}");
    }
}

#[test]
fn entries_without_sense_are_refused() {
    for (settings, expected) in [
        (
            "accept: [{rule: destructive-cal, path: '*.js', reason: why}]",
            "there is no rule `destructive-cal` (did you mean `destructive-call`?)",
        ),
        ("accept: [{rule: destructive-call, path: '*.js', reason: '--'}]", "`reason` says nothing"),
        ("accept: [{rule: destructive-call, path: '*.js'}]", "reason"),
        ("accept: [{rule: destructive-call, path: '*.js', reason: why, expires: soon}]", "it must be a day such as"),
        ("accept: [{rule: destructive-call, path: '', reason: why}]", "`path` names no files"),
    ] {
        let folder = folder(&[("a.js", "let a;\n".to_owned()), ("callgate.yaml", format!("{settings}\n"))]);
        let output = command(folder.path(), &["scan"]).output().expect("callgate can be run");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{settings}");
        assert!(told.contains(expected), "{settings}: {told}");
    }
}

#[test]
fn what_could_not_be_judged_is_accepted_by_the_settings_alone() {
    let settings = "accept: [{rule: undetermined, path: gen/*.js, reason: generated}]\n".to_owned();
    let files =
        [("gen/a.js", "const a = ;\n".to_owned()), ("b.js", "// callgate: ignore-file[undetermined] mine\nconst a = ;\n".to_owned())];
    let folder = folder(&[files[0].clone(), files[1].clone(), ("callgate.yaml", settings)]);
    let (report, _) = scan(folder.path(), &["."]);
    let verdict = |path: &str| {
        let findings = report["findings"].as_array().expect("there are findings");
        findings.iter().find(|finding| finding["path"] == path).map(|finding| finding["verdict"].clone())
    };
    assert_eq!(verdict("gen/a.js"), Some(json!("allow")));
    assert_eq!(verdict("b.js"), Some(json!("block")));
}

#[test]
fn unused_and_faulty_acceptances_are_denied_on_request() {
    let folder =
        folder(&[("a.js", "let a; // callgate: ignore[no-such-rule] why\nlet b; // callgate: ignore[loop-fan-out] why\n".to_owned())]);
    let (report, code) = scan(folder.path(), &["a.js", "--deny-unused"]);
    let kinds: Vec<&str> = report["acceptances"].as_array().into_iter().flatten().filter_map(|remark| remark["kind"].as_str()).collect();
    assert_eq!((kinds, code), (vec!["faulty", "unused"], 1));
    assert_eq!(scan(folder.path(), &["a.js"]).1, 0);
}

#[test]
fn sarif_keeps_what_is_accepted_as_suppressed() {
    let script = format!("{WIPE}execSync('rm -rf ~'); // callgate: ignore[destructive-call] a throwaway machine\n");
    let folder = folder(&[("a.js", script)]);
    let output = command(folder.path(), &["scan", "--format", "sarif", "a.js"]).output().expect("callgate can be run");
    let (report, code) = read(&output);
    let results = report["runs"][0]["results"].as_array().expect("there are results").clone();
    assert_eq!((results.len(), code), (1, 0));
    let suppression = &results[0]["suppressions"][0];
    assert_eq!(suppression["kind"], "inSource");
    assert_eq!(suppression["justification"], "a throwaway machine");
}

#[test]
fn a_comment_in_a_text_that_is_run_accepts_nothing() {
    let mark = "callgate: ignore-file[destructive-call] mine";
    let wipe = format!("{WIPE}execSync('rm -rf ~');\n");
    for text in [
        format!("eval(\"/* {mark} */ 1\");\n{wipe}"),
        format!("new Function(`// {mark}\n1`)();\n{wipe}"),
        format!("const s = `\n// {mark}\n`;\n{wipe}"),
    ] {
        let folder = folder(&[("a.js", text.clone())]);
        assert_eq!(scan(folder.path(), &["a.js"]).1, 2, "{text}");
    }
    let folder = folder(&[("a.js", format!("// {mark}\n{wipe}"))]);
    assert_eq!(scan(folder.path(), &["a.js"]).1, 0);
}
