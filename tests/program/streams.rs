//! Standard input as a stream of lines: each is answered as it arrives, in order, and none hides another.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

const CALLGATE: &str = env!("CARGO_BIN_EXE_callgate");
const STATUS: &str = r#"{"function_name": "Bash", "kwargs": {"command": "git status"}}"#;
const REMOVE: &str = r#"{"function_name": "Bash", "kwargs": {"command": "rm -rf /"}}"#;
const SEND: &str = "const users = await callTool('users:list', {});\nawait callTool('webhook:send', { body: users });\n";

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(CALLGATE);
    command.arg("scan").arg("-").args(["--no-config", "--stdin-filename", "calls.jsonl"]).args(words).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(words: &[&str], input: &[u8]) -> Output {
    let mut child = command(words).spawn().expect("callgate starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_vec();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("callgate ends");
    writer.join().expect("the writer ends").expect("all of it is read");
    output
}

/// The answers to lines, without what is said of the run as a whole.
fn answers(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("an answer is JSON"));
    lines.filter(|value| value["type"] != "run").collect()
}

fn answered(lines: &[&str]) -> Vec<Value> {
    answers(&run(&["--format", "jsonl"], lines.join("\n").as_bytes()))
}

/// Line, verdict or kind of what is passed over, and reason of what is undetermined, of each answer.
fn brief(answers: &[Value]) -> Vec<(u64, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let brief = answers.iter().map(|answer| {
        let said = if answer["type"] == "passed-over" { &answer["reason"] } else { &answer["verdict"] };
        (answer["record"]["line"].as_u64().expect("it has a line"), text(said), text(&answer["undetermined"]["reason"]))
    });
    brief.collect()
}

#[test]
fn a_line_is_answered_before_the_next_one_is_written() {
    let mut child = command(&["--format", "jsonl"]).spawn().expect("callgate starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    let (sender, answers) = channel();
    let reader = thread::spawn(move || stdout.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
    for (number, (line, expected)) in (1..).zip([(STATUS, "allow"), (REMOVE, "block"), ("", ""), (STATUS, "allow")]) {
        writeln!(stdin, "{line}").expect("it reads");
        stdin.flush().expect("it reads");
        let answer = answers.recv_timeout(Duration::from_secs(60)).expect("the line is answered while the input is open");
        let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
        assert_eq!(answer["verdict"].as_str().unwrap_or_default(), expected);
        assert_eq!((&answer["record"]["line"], &answer["record"]["last"]), (&json!(number), &json!(true)));
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
    drop(answers);
    reader.join().expect("the reader ends");
}

#[test]
fn every_line_is_answered_in_order_and_its_last_answer_is_marked() {
    let lines: Vec<String> = (0..3_000)
        .map(|nth| match nth % 10 {
            7 => REMOVE.to_owned(),
            8 => format!("[{STATUS}, {REMOVE}]"),
            9 => String::new(),
            _ => STATUS.to_owned(),
        })
        .collect();
    let found = answers(&run(&["--format", "jsonl"], lines.join("\n").as_bytes()));
    let last: Vec<u64> =
        found.iter().filter(|answer| answer["record"]["last"] == true).filter_map(|answer| answer["record"]["line"].as_u64()).collect();
    // The last line is blank and has no end, so it is none.
    assert_eq!(last, (1..3_000).collect::<Vec<u64>>());
    assert!(found.is_sorted_by_key(|answer| answer["record"]["line"].as_u64()));
    assert_eq!(found.len(), 2_999 + 300);
}

#[test]
fn what_is_wrong_with_a_line_is_one_problem_and_hides_nothing() {
    let long = format!(r#"{{"function_name": "x", "kwargs": {{"a": "{}"}}}}"#, "a".repeat(9 << 20));
    let mut input = Vec::new();
    for line in [&b"not JSON"[..], REMOVE.as_bytes(), long.as_bytes(), STATUS.as_bytes(), b"{\"a\": 1}", b"[1, 2", b"\r"] {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend_from_slice(b"{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n");
    input.extend_from_slice(b"{\"function_name\": \"Bash\", \"kwargs\": {\"command\": \"rm -rf / \xff\"}}\n");
    input.extend_from_slice(STATUS.as_bytes());
    let output = run(&["--format", "jsonl"], &input);
    assert_eq!(output.status.code(), Some(2));
    let found = answers(&output);
    let brief = brief(&found);
    let brief: Vec<(u64, &str, &str)> = brief.iter().map(|(line, said, reason)| (*line, said.as_str(), reason.as_str())).collect();
    assert_eq!(
        brief,
        [
            (1, "block", "unparsable"),
            (2, "block", ""),
            (3, "block", "file-size"),
            (4, "allow", ""),
            (5, "block", "unknown-language"),
            (6, "block", "unparsable"),
            (7, "blank-line", ""),
            (8, "bookkeeping", ""),
            (9, "block", ""),
            (9, "block", "encoding"),
            (10, "allow", ""),
        ]
    );
    let detail = |at: usize| found[at]["undetermined"]["detail"].as_str().unwrap_or_default().to_owned();
    assert!(detail(0).starts_with("line 1, column 1: "), "{}", detail(0));
    assert!(detail(2).starts_with("line 3: more than 8388608 bytes"), "{}", detail(2));
    assert!(detail(5).starts_with("line 6, column "), "{}", detail(5));
}

#[test]
fn places_are_those_of_the_stream() {
    let found = answered(&[STATUS, "", REMOVE]);
    assert_eq!(found[2]["matches"][0]["line"], 3);
    let table = run(&["--explain-score"], format!("{STATUS}\n\n{REMOVE}\n").as_bytes());
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    assert!(table.contains("[calls.jsonl:3:"), "{table}");
    assert!(!table.contains("calls.jsonl:1:") && !table.contains(" 1:"), "{table}");
    assert!(table.contains("passed over: 1 blank line\n"), "{table}");
}

#[test]
fn calls_are_numbered_over_all_lines() {
    let words = ["--format", "jsonl", "--model", "five-factor"];
    let line = |name: &str| format!(r#"{{"function_name": "{name}", "kwargs": {{}}}}"#);
    let lines = ["a", "a", "b", "a"].map(line).join("\n");
    let found = answers(&run(&words, lines.as_bytes()));
    let novelty = |answer: &Value| {
        let signals = answer["evaluations"][0]["signals"].as_array().cloned().unwrap_or_default();
        signals.iter().find(|signal| signal["id"] == "novelty").map(|signal| signal["score"].clone())
    };
    let novelty: Vec<Option<Value>> = found.iter().map(novelty).collect();
    assert!(novelty[0].is_some() && novelty[0] == novelty[2]);
    assert_ne!(novelty[0], novelty[1]);
    assert_ne!(novelty[1], novelty[3]);
}

#[test]
fn what_is_one_document_is_read_as_one() {
    for (text, expected) in [
        ("{\n  \"function_name\": \"Bash\",\n  \"kwargs\": {\"command\": \"rm -rf /\"}\n}\n".to_owned(), 2),
        (format!("[\n{STATUS},\n{REMOVE}\n]\n"), 2),
        (format!("[{STATUS},\n{STATUS}]\n"), 0),
        (format!("\u{feff}{STATUS}\n"), 0),
    ] {
        let output = run(&["--format", "jsonl"], text.as_bytes());
        assert_eq!(output.status.code(), Some(expected), "{text}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn a_stream_without_lines_is_no_fault_where_its_name_says_that_it_is_one() {
    for (input, expected) in [("", 0), ("\n\n", 0)] {
        assert_eq!(run(&["--format", "jsonl"], input.as_bytes()).status.code(), Some(expected), "{input:?}");
    }
    let mut unnamed = Command::new(CALLGATE);
    unnamed.args(["scan", "-", "--as", "tool-call", "--no-config"]).stdin(Stdio::null()).env_clear();
    assert_eq!(unnamed.output().expect("callgate runs").status.code(), Some(2));
}

#[test]
fn a_line_may_carry_a_source_which_is_judged_as_a_file_of_its_name() {
    let record = |path: &str, text: &str| json!({ "path": path, "text": text }).to_string();
    let lines = [
        record("jobs/send.js", SEND),
        record("tool", &format!("#!/usr/bin/env node\n{SEND}")),
        record("a.py", "import os"),
        record("data.json", "{}"),
        record("LICENSE", "MIT"),
        record("notes.md", "Sum up the tickets.\n"),
        json!({ "path": "x", "text": SEND, "language": "javascript" }).to_string(),
        json!({ "path": "x", "text": SEND, "language": "cobol" }).to_string(),
        json!({ "path": "b.js", "base64": "AAH/" }).to_string(),
        json!({ "path": "b.png", "base64": "AAH/" }).to_string(),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let found = answered(&lines);
    let brief = brief(&found);
    let said: Vec<(&str, &str)> = brief.iter().map(|(_, said, reason)| (said.as_str(), reason.as_str())).collect();
    assert_eq!(
        said,
        [
            ("block", ""),
            ("block", ""),
            ("python", ""),
            ("no-tool-call", ""),
            ("other", ""),
            ("allow", ""),
            ("block", ""),
            ("block", "unknown-language"),
            ("block", "binary"),
            ("binary", ""),
        ]
    );
    assert_eq!(found[2]["path"], "a.py");
    assert_eq!(found[0]["path"], "jobs/send.js");
    assert_eq!(found[0]["matches"][0]["line"], 2);
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::create_dir(folder.path().join("jobs")).expect("a folder can be made");
    fs::write(folder.path().join("jobs/send.js"), SEND).expect("a file can be written");
    let mut scan = Command::new(CALLGATE);
    let scan = scan.args(["scan", "jobs", "--no-config", "--format", "jsonl"]).current_dir(folder.path()).env_clear().output();
    let mut carried = found[0].clone();
    carried.as_object_mut().expect("it is an object").remove("record");
    assert_eq!(answers(&scan.expect("callgate runs")), [carried]);
}

#[test]
fn strict_leaves_nothing_in_a_stream_unsaid() {
    let lines = [r#"{"path": "a.py", "text": "x"}"#, r#"{"path": "S.md", "text": "a\n```sh\nls\n```\n"}"#].join("\n");
    let output = run(&["--format", "jsonl", "--strict"], lines.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert!(answers(&output).iter().all(|answer| answer["undetermined"]["reason"] == "no-reader"));
    assert_eq!(run(&["--format", "jsonl"], lines.as_bytes()).status.code(), Some(0));
}
