//! Programs of the user's own: asked over JSON on their standard input, within bounds of time and output.
//!
//! Nothing that is scanned is run: the settings that the user named name the program and all of its arguments.

use std::ffi::OsString;
use std::io::{self, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::analyzer::answer::{self, Answer};
use crate::analyzer::scope::Scope;
use crate::analyzer::sheet::{Sheet, VERSION};
use crate::value::source::shown;

/// The variables of the environment that every program is given: what it takes to find and start things.
/// All others may be secrets, and are given only when the settings name them.
const ENVIRONMENT: &[&str] = &[
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "USERPROFILE",
    "TEMP",
    "TMP",
    "SystemRoot",
    "SystemDrive",
    "ComSpec",
    "PATHEXT",
];
/// How much of what a program says on its standard error is kept, in bytes.
const LONGEST_COMPLAINT: usize = 2_000;
/// How long to wait between two looks whether a program has ended: from the first to the longest.
const LOOKS: (Duration, Duration) = (Duration::from_micros(200), Duration::from_millis(10));
/// How long to wait for the last words of a program that has ended.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// A program that judges subjects.
#[derive(Clone, Debug)]
pub struct Program {
    /// The analyzer's id.
    pub id: String,
    /// The program: a path, or a name that is looked for in `PATH`.
    pub path: PathBuf,
    /// Its arguments. There is no shell.
    pub arguments: Vec<String>,
    /// The folder it runs in: that of the settings file.
    pub folder: PathBuf,
    /// The longest it may take for one subject.
    pub time_limit: Duration,
    /// The most it may answer, in bytes.
    pub output_limit: usize,
    /// It is handed the text of the subject.
    pub takes_text: bool,
    /// The variables of the environment that it is given beside the usual ones.
    pub environment: Vec<String>,
    /// Which subjects it is asked about.
    pub scope: Scope,
}

/// Why a program gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It could not be started.
    #[error("`{program}` cannot be started: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It took too long.
    #[error("it took longer than {} ms (`timeout_ms`) and was stopped{complaint}", limit.as_millis())]
    TimeOut {
        /// How long it may take.
        limit: Duration,
        /// What it said on its standard error.
        complaint: String,
    },
    /// It answered too much.
    #[error("it answered more than {limit} bytes (`max_output`) and was stopped{complaint}")]
    Output {
        /// How much it may answer, in bytes.
        limit: usize,
        /// What it said on its standard error.
        complaint: String,
    },
    /// It ended with an error of its own.
    #[error("it ended with {status}{complaint}")]
    Ended {
        /// How it ended.
        status: ExitStatus,
        /// What it said on its standard error.
        complaint: String,
    },
    /// Its answer is none.
    #[error("its answer cannot be used: {message}{complaint}")]
    Answer {
        /// What is wrong with it.
        message: String,
        /// What it said on its standard error.
        complaint: String,
    },
    /// The system does not let it be watched.
    #[error("it cannot be watched: {source}")]
    Watch {
        /// Why.
        source: io::Error,
    },
}

impl Program {
    /// Asks the program about a subject.
    ///
    /// # Errors
    ///
    /// When it cannot be started, takes too long, answers too much or nothing that can be used, or fails.
    pub fn ask(&self, sheet: &Sheet, text: &str) -> Result<Answer, ProgramError> {
        let question = self.question(sheet, text);
        let start = |source| ProgramError::Start { program: shown(&self.path.to_string_lossy()), source };
        let child = self.command().spawn().map_err(start)?;
        Running::new(child, question, self.output_limit)
            .and_then(|running| running.finish(self.time_limit))
            .and_then(|(output, complaint)| answer::read(&self.id, &output).map_err(|message| ProgramError::Answer { message, complaint }))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        let names = ENVIRONMENT.iter().copied().chain(self.environment.iter().map(String::as_str));
        let environment = names.filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
        command.args(&self.arguments).env_clear().envs(environment);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.current_dir(&self.folder);
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            // A group of its own, so that whatever it starts can be stopped with it.
            command.process_group(0);
        }
        command
    }

    fn question(&self, sheet: &Sheet, text: &str) -> Vec<u8> {
        let mut subject = sheet.subject.clone();
        if let Some(subject) = subject.as_object_mut() {
            subject.insert("text".to_owned(), self.takes_text.then_some(text).into());
        }
        let mut question = json!({ "version": VERSION, "subject": subject, "features": sheet.features, "matches": sheet.matches })
            .to_string()
            .into_bytes();
        question.push(b'\n');
        question
    }
}

/// What the readers of a running program tell.
enum News {
    /// All it wrote to its standard output, up to a byte past the limit.
    Output(io::Result<Vec<u8>>),
    /// It closed its standard error.
    Quiet,
}

/// A program that runs, with threads that write to it and read from it, so that neither side waits for the other.
struct Running {
    child: Child,
    news: Receiver<News>,
    complaint: Arc<Mutex<Vec<u8>>>,
    limit: usize,
    /// Its end was noted, and its number may already be that of another.
    is_collected: bool,
}

impl Running {
    fn new(mut child: Child, question: Vec<u8>, limit: usize) -> Result<Self, ProgramError> {
        let (tell, news) = mpsc::channel();
        let complaint = Arc::new(Mutex::new(Vec::new()));
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let running = Self { child, news, complaint: Arc::clone(&complaint), limit, is_collected: false };
        let worker = || thread::Builder::new().stack_size(128 * 1024);
        let watch = |source| ProgramError::Watch { source };
        if let Some(mut stdin) = stdin {
            // Whoever does not care for the question may close its standard input.
            worker().spawn(move || drop(stdin.write_all(&question))).map_err(watch)?;
        }
        if let Some(stdout) = stdout {
            let tell = tell.clone();
            let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
            let read = move || {
                let mut output = Vec::new();
                let read = stdout.take(most).read_to_end(&mut output);
                // Nobody listens any more once the program was stopped.
                let _ = tell.send(News::Output(read.map(|_| output)));
            };
            worker().spawn(read).map_err(watch)?;
        }
        if let Some(mut stderr) = stderr {
            let listen = move || {
                let mut part = [0; 1024];
                while let Ok(length @ 1..) = stderr.read(&mut part) {
                    let mut kept = complaint.lock().unwrap_or_else(PoisonError::into_inner);
                    let room = LONGEST_COMPLAINT.saturating_sub(kept.len()).min(length);
                    kept.extend(part.iter().take(room));
                }
                let _ = tell.send(News::Quiet);
            };
            worker().spawn(listen).map_err(watch)?;
        }
        Ok(running)
    }

    /// Waits for the answer and the end, and stops whatever is left of the program. Returns what it wrote to its
    /// standard output and said on its standard error.
    fn finish(mut self, time_limit: Duration) -> Result<(Vec<u8>, String), ProgramError> {
        let deadline = Instant::now() + time_limit;
        let output = match self.output(deadline) {
            Some(Ok(output)) => output,
            Some(Err(source)) => return Err(ProgramError::Watch { source }),
            None => return Err(ProgramError::TimeOut { limit: time_limit, complaint: self.last_words() }),
        };
        if self.limit < output.len() {
            return Err(ProgramError::Output { limit: self.limit, complaint: self.last_words() });
        }
        let has_ended = self.wait(deadline);
        if !has_ended {
            return Err(ProgramError::TimeOut { limit: time_limit, complaint: self.last_words() });
        }
        let complaint = self.last_words();
        let status = self.child.wait();
        self.is_collected = status.is_ok();
        match status {
            Ok(status) if status.success() => Ok((output, complaint)),
            Ok(status) => Err(ProgramError::Ended { status, complaint }),
            Err(source) => Err(ProgramError::Watch { source }),
        }
    }

    /// What the program wrote, once it has closed its standard output.
    fn output(&self, deadline: Instant) -> Option<io::Result<Vec<u8>>> {
        loop {
            match self.news.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(News::Output(output)) => return Some(output),
                Ok(News::Quiet) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Waits for the program to end, and returns whether it has.
    #[expect(
        clippy::disallowed_methods,
        reason = "a program may run on after it closed its output, and no wait of the system ends by itself"
    )]
    fn wait(&mut self, deadline: Instant) -> bool {
        let (mut pause, longest) = LOOKS;
        while !self.has_ended() {
            if deadline <= Instant::now() {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(longest);
        }
        true
    }

    /// Whether the program has ended. It is not collected yet, so that its number still stands for its group.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let Some(process) = self.process() else { return true };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        !matches!(waitid(WaitId::Pid(process), look), Ok(None))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// What the program said on its standard error, in one line. Stops all that is left of it.
    fn last_words(&mut self) -> String {
        self.stop();
        // What it said before it ended may still be on its way.
        let _ = self.news.recv_timeout(LAST_WORDS);
        let kept = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        let words = shown(String::from_utf8_lossy(&kept).trim());
        if words.is_empty() { words } else { format!("; it said: {words}") }
    }

    /// The program's number, which is that of its group too.
    #[cfg(unix)]
    fn process(&self) -> Option<rustix::process::Pid> {
        i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
    }

    /// Stops the program and what it started.
    fn stop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.process() {
            // A group that is gone needs no stopping.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // Elsewhere only the program itself can be stopped.
        let _ = self.child.kill();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_collected {
            self.stop();
            // Collects it, so that no dead process is left behind.
            let _ = self.child.wait();
        }
    }
}
