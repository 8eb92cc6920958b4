//! Runs callgate and git as their users do, with nothing of the environment but the way to them.

#![allow(dead_code, reason = "not every test that runs processes needs all of this")]
#![allow(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The callgate that is tested.
pub const CALLGATE: &str = env!("CARGO_BIN_EXE_callgate");
/// A script that is allowed.
pub const ALLOWED: &str = "return await callTool('tickets:get', { id: 7 });\n";
/// A script that is blocked.
pub const BLOCKED: &str = "const users = await callTool('users:list', {});\nawait callTool('webhook:send', { body: users });\n";

/// A folder with files: names and texts.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    folder
}

/// Writes a file and the folders above it.
pub fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

/// Runs callgate in a folder.
pub fn callgate(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().expect("callgate runs")
}

/// Runs callgate in a folder, with a text on its standard input.
pub fn callgate_on(folder: &Path, args: &[&str], text: &str) -> Output {
    let mut child = piped(folder, args).spawn().expect("callgate starts");
    child.stdin.take().expect("it has an input").write_all(text.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// callgate in a folder, to be run with pipes for all that it reads and writes.
pub fn piped(folder: &Path, args: &[&str]) -> Command {
    let mut command = command(folder, args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// callgate in a folder, to be run.
pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(CALLGATE);
    scrub(&mut command, folder).args(args);
    command
}

/// Runs a line of a shell in a folder.
pub fn shell(folder: &Path, line: &str) -> Output {
    let mut command = Command::new("sh");
    scrub(&mut command, folder).args(["-c", line]);
    command.output().expect("a shell runs")
}

/// Runs git in a folder.
pub fn git(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new("git");
    let person = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.com", "-c", "commit.gpgsign=false"];
    scrub(&mut command, folder).args(person).args(["-c", "protocol.file.allow=always"]).args(args);
    command.output().expect("git runs")
}

/// The exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not killed")
}

/// Standard output as text.
pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The lines of a report in JSON Lines: each path with its verdict, without the last line.
pub fn verdicts(output: &Output) -> Vec<(String, String)> {
    let lines = out(output).lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect::<Vec<Value>>();
    let word = |line: &Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    lines.iter().filter(|line| line["type"].is_null()).map(|line| (word(line, "path"), word(line, "verdict"))).collect()
}

/// The names of everything in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry can be read").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Leaves nothing of the user's environment but the way to git, and puts callgate on it.
fn scrub<'c>(command: &'c mut Command, folder: &Path) -> &'c mut Command {
    let own = Path::new(CALLGATE).parent().map(Path::to_path_buf);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&path))).expect("the folders make a PATH");
    let ceiling = folder.parent().unwrap_or(folder);
    command.env_clear().env("PATH", path).env("HOME", folder).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CEILING_DIRECTORIES", ceiling);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").current_dir(folder)
}
