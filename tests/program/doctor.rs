//! `callgate doctor`: what it says of hooks that fire, that do not, and that may be got past.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const CALLGATE: &str = env!("CARGO_BIN_EXE_callgate");

fn callgate(home: &Path, words: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(CALLGATE);
    command.args(words).current_dir(home).env_clear().env("HOME", home).env("PATH", "/usr/bin:/bin").env("SHELL", "/bin/sh");
    let output = command.stdin(Stdio::null()).output().expect("callgate starts");
    (String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr), output.status.code())
}

fn home_with(host: &str) -> TempDir {
    let home = TempDir::new().expect("a folder can be made");
    let (told, code) = callgate(home.path(), &["init", "--agent", host]);
    assert_eq!(code, Some(0), "{told}");
    home
}

/// Changes the settings of Claude Code.
fn change(home: &TempDir, change: impl FnOnce(&mut Value)) {
    let path = home.path().join(".claude/settings.json");
    let mut document: Value = serde_json::from_str(&fs::read_to_string(&path).expect("it is there")).expect("it is JSON");
    change(&mut document);
    fs::write(&path, document.to_string()).expect("it can be written");
}

fn check(home: &TempDir, expected: &[&str], code: i32) {
    let (told, ended) = callgate(home.path(), &["doctor", "claude-code"]);
    for line in expected {
        assert!(told.contains(line), "{line}\n{told}");
    }
    assert_eq!(ended, Some(code), "{told}");
}

#[test]
fn what_init_wrote_fires_for_every_host() {
    for host in ["claude-code", "codex", "cursor", "gemini", "copilot", "openclaw"] {
        let home = home_with(host);
        let (told, code) = callgate(home.path(), &["doctor"]);
        assert_eq!(code, Some(0), "{host}\n{told}");
        assert!(told.contains("a bad call is denied, and a good one passes"), "{host}\n{told}");
        assert!(!told.contains("FAULT") && !told.contains("doubt"), "{host}\n{told}");
    }
}

#[test]
fn without_hooks_nothing_fires() {
    let home = TempDir::new().expect("a folder can be made");
    let (told, code) = callgate(home.path(), &["doctor"]);
    assert!(told.contains("no agent host has hooks of callgate's") && told.contains("callgate init --agent"), "{told}");
    assert_eq!(code, Some(2));
    check(&home, &["it has no hooks of callgate's", "callgate init --agent claude-code"], 2);
}

#[test]
fn a_hook_that_cannot_start_is_a_fault() {
    let home = home_with("claude-code");
    change(&home, |document| document["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = json!("/nowhere/callgate"));
    check(&home, &["FAULT  PreToolUse: /nowhere/callgate is not found", "ok     PostToolUse"], 2);
    let program = home.path().join("callgate");
    fs::write(&program, "#!/bin/sh\n").expect("it can be written");
    change(&home, |document| document["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = json!(program));
    check(&home, &["may not be executed"], 2);
}

#[test]
fn a_hook_that_answers_otherwise_is_a_fault() {
    for (script, expected) in [
        ("cat > /dev/null; exit 1", "PreToolUse: it ends with 1"),
        ("cat > /dev/null; exit 0", "PreToolUse: what is bad passes"),
        ("cat > /dev/null; echo nonsense", "the answer makes no sense to the host: it is no JSON object"),
        ("cat > /dev/null; echo no >&2; exit 2", "PreToolUse: what is good is denied"),
        (
            "cat > /dev/null; echo '{\"hookSpecificOutput\": {\"permissionDecision\": \"deny\"}}'",
            "`hookEventName` is not that of the event",
        ),
        ("sleep 5", "it was not done after 1 seconds"),
        ("kill -9 $$", "it is ended by a signal"),
    ] {
        let home = home_with("claude-code");
        let program = home.path().join("callgate");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("it can be written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it can be changed");
        change(&home, |document| {
            let hook = &mut document["hooks"]["PreToolUse"][0]["hooks"][0];
            hook["command"] = json!(program);
            hook["timeout"] = json!(1);
        });
        check(&home, &[expected], 2);
    }
}

#[test]
fn what_may_be_got_past_is_told() {
    let home = home_with("claude-code");
    change(&home, |document| {
        document["hooks"]["PreToolUse"][0]["matcher"] = json!("Bash");
        let hook = document["hooks"]["PreToolUse"][0]["hooks"][0].as_object_mut().expect("it is an object");
        hook.shift_remove("onFailure");
        hook.insert("timeout".to_owned(), json!(10));
        let args = hook.get_mut("args").and_then(Value::as_array_mut).expect("it has arguments");
        args.push(json!("--fail-open"));
    });
    let expected = [
        "doubt  PreToolUse: only for tools that `Bash` fits",
        "without onFailure: \"block\" a call runs where the hook itself fails",
        "gives up after 10 s, before callgate answers at the latest (20 s)",
        "--fail-open lets pass",
        "ok     PreToolUse",
    ];
    check(&home, &expected, 1);
    change(&home, |document| document["disableAllHooks"] = json!(true));
    check(&home, &["says disableAllHooks: true"], 2);
}

#[test]
fn an_event_without_a_hook_is_told() {
    let home = home_with("claude-code");
    change(&home, |document| drop(document["hooks"].as_object_mut().expect("it is an object").shift_remove("PostToolUse")));
    check(&home, &["doubt  PostToolUse has no hook: what tools return is not judged"], 1);
    change(&home, |document| drop(document["hooks"].as_object_mut().expect("it is an object").shift_remove("PreToolUse")));
    check(&home, &["FAULT  PreToolUse has no hook: calls are not judged there"], 2);
}

#[test]
fn nothing_of_a_projects_settings_is_run_but_callgate_itself() {
    let home = home_with("claude-code");
    let project = home.path().join("project");
    fs::create_dir_all(project.join(".claude")).expect("it can be made");
    let hook = |command: &str| json!({"hooks": [{"type": "command", "command": command}]});
    let document = json!({"hooks": {"PreToolUse": [hook("callgate hook claude-code; touch ran"), hook("./callgate hook claude-code")]}});
    fs::write(project.join(".claude/settings.json"), document.to_string()).expect("it can be written");
    fs::write(project.join("callgate"), "#!/bin/sh\ntouch ran\n").expect("it can be written");
    fs::set_permissions(project.join("callgate"), fs::Permissions::from_mode(0o755)).expect("it can be changed");
    let mut command = Command::new(CALLGATE);
    command.args(["doctor", "claude-code"]).current_dir(&project).env_clear().env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
    let output = command.output().expect("callgate starts");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!project.join("ran").exists(), "{told}");
    assert_eq!(told.matches("not tried, since it is a project's").count(), 2, "{told}");
    assert_eq!(output.status.code(), Some(1), "{told}");
}

#[test]
fn codex_is_asked_whether_it_runs_hooks_at_all() {
    let home = home_with("codex");
    fs::write(home.path().join(".codex/config.toml"), "[features]\nhooks = false\n").expect("it can be written");
    let (told, code) = callgate(home.path(), &["doctor", "codex"]);
    assert!(told.contains("config.toml switches hooks off"), "{told}");
    assert_eq!(code, Some(2));
}
