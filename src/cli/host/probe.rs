//! Starts a hook as its host would, hands it a payload, and takes down what it answers.

use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::host::installed::Invocation;
use crate::cli::host::settings::Shell;
use crate::cli::host::{Event, Heard, Host};

/// Longest answer that is read, in bytes.
const LONGEST: u64 = 4 * 1024 * 1024;
/// How often a process is asked whether it has ended.
const TICK: Duration = Duration::from_millis(5);

/// What came of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct Answered {
    /// What the host makes of it.
    pub heard: Outcome,
    /// How long it took.
    pub took: Duration,
}

/// What a host makes of a run.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It understands the answer.
    Heard(Heard),
    /// The run failed; what follows depends on the host.
    Failed(String),
}

/// Runs a hook with a payload, as the host does.
pub fn ask(host: &Host, event: &Event, start: &Invocation, payload: &Value, longest: Duration) -> Answered {
    let begun = Instant::now();
    let heard = match run(command(host.settings.shell, start), payload.to_string(), longest) {
        Ok(ended) => judge(host, event, &ended),
        Err(why) => Outcome::Failed(why),
    };
    Answered { heard, took: begun.elapsed() }
}

fn command(shell: Shell, start: &Invocation) -> Command {
    match start {
        Invocation::Words(words) => {
            let mut command = Command::new(words.first().map_or("", String::as_str));
            command.args(words.iter().skip(1));
            command
        }
        Invocation::Line(line) => {
            let (program, flag) = shell_of(shell);
            let mut command = Command::new(program);
            command.arg(flag).arg(line);
            command
        }
    }
}

#[cfg(windows)]
fn shell_of(_: Shell) -> (String, &'static str) {
    (std::env::var("COMSPEC").unwrap_or_else(|_| "cmd.exe".to_owned()), "/C")
}

#[cfg(not(windows))]
fn shell_of(shell: Shell) -> (String, &'static str) {
    match shell {
        Shell::Sh => ("/bin/sh".to_owned(), "-c"),
        Shell::Bash => ("bash".to_owned(), "-c"),
        Shell::Login => (std::env::var("SHELL").unwrap_or_else(|_| "/bin/sh".to_owned()), "-lc"),
    }
}

/// How a process ended.
struct Ended {
    status: ExitStatus,
    stdout: String,
    stderr: String,
}

fn run(mut command: Command, payload: String, longest: Duration) -> Result<Ended, String> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("it cannot be started: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        thread::spawn(move || stdin.write_all(payload.as_bytes()));
    }
    let (stdout, stderr) = (child.stdout.take().map(collect), child.stderr.take().map(collect));
    let status = wait(&mut child, longest)?;
    // A process that it left behind may hold the streams open.
    let text = |receiver: Option<mpsc::Receiver<String>>| {
        receiver.and_then(|receiver| receiver.recv_timeout(Duration::from_secs(1)).ok()).unwrap_or_default()
    };
    Ok(Ended { status, stdout: text(stdout), stderr: text(stderr) })
}

fn collect(stream: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.take(LONGEST).read_to_end(&mut bytes);
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

#[expect(clippy::disallowed_methods, reason = "no wait of the system for a process ends by itself")]
fn wait(child: &mut Child, longest: Duration) -> Result<ExitStatus, String> {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if begun.elapsed() < longest => thread::sleep(TICK),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it was not done after {} seconds", longest.as_secs()));
            }
            Err(error) => return Err(format!("it cannot be waited for: {error}")),
        }
    }
}

fn judge(host: &Host, event: &Event, ended: &Ended) -> Outcome {
    let stdout = ended.stdout.trim();
    match ended.status.code() {
        Some(0) if stdout.is_empty() => Outcome::Heard(host.silence.clone()),
        Some(0) => match serde_json::from_str::<Value>(stdout) {
            Ok(answer @ Value::Object(_)) => Outcome::Heard((host.hear)(event, &answer)),
            Ok(_) | Err(_) => Outcome::Heard(Heard::Nonsense("it is no JSON object")),
        },
        // A code without a word is no answer to some hosts.
        Some(2) if !ended.stderr.trim().is_empty() => Outcome::Heard(Heard::Denied),
        Some(127) => Outcome::Failed("the command is not found (127)".to_owned()),
        Some(126) => Outcome::Failed("the command may not be run (126)".to_owned()),
        Some(code) => Outcome::Failed(format!("it ends with {code}{}", first_line(&ended.stderr))),
        None => Outcome::Failed("it is ended by a signal".to_owned()),
    }
}

fn first_line(text: &str) -> String {
    text.lines().find(|line| !line.trim().is_empty()).map(|line| format!(": {}", line.trim())).unwrap_or_default()
}

/// Where a program is that is named by a path, or found on the search path; none, if it is nowhere.
pub fn find(program: &str) -> Option<std::path::PathBuf> {
    if program.contains(['/', '\\']) {
        return Path::new(program).is_file().then(|| Path::new(program).to_path_buf());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let names = [program.to_owned(), format!("{program}.exe")];
    std::env::split_paths(&folders)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
        .find(|path| path.is_file())
}
