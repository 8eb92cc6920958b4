//! A git that hands out objects, one after the other.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use sha2::{Digest as _, Sha256};

use crate::cli::git::{ask, git, path};
use crate::input::pointer;
use crate::input::read::read_stream;
use crate::input::walk::{Found, Given};
use crate::scan::BEGINNING;
use crate::subject::{Reason, Undetermined};
use crate::value::source::SourceName;

/// A git that hands out objects.
pub struct Objects {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Where git LFS keeps files in this clone.
    kept: Option<PathBuf>,
}

impl Objects {
    /// Starts it.
    ///
    /// # Errors
    ///
    /// When git cannot be run.
    pub fn open() -> io::Result<Self> {
        let mut child = git(&["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no pipes"));
        };
        Ok(Self { child, questions, answers: BufReader::new(answers), kept: None })
    }

    /// The file that an object holds, under a name.
    pub fn given(&mut self, object: &str, name: SourceName, limit: u64) -> Found {
        match self.read(object, limit) {
            Ok((bytes, is_whole)) => {
                let (bytes, is_whole) = self.kept(&bytes, limit).unwrap_or((bytes, is_whole));
                // What is too large is told so by the reader, which is handed one byte too many.
                let content = read_stream(bytes.as_slice(), limit);
                let beginning = bytes.get(..BEGINNING as usize).unwrap_or(&bytes);
                let beginning = if is_whole { String::new() } else { String::from_utf8_lossy(beginning).into_owned() };
                let digest = is_whole.then(|| Sha256::digest(&bytes).into());
                Found::Given(Given { name, content, beginning, digest })
            }
            Err(error) => Found::Unwalkable(name, Undetermined::new(Reason::Unreadable, format!("git: {error}"))),
        }
    }

    /// The file that a pointer of git LFS stands for, if it is in this clone and is what the pointer says; or one byte more than the
    /// limit of it; and whether that is all.
    fn kept(&mut self, pointer: &[u8], limit: u64) -> Option<(Vec<u8>, bool)> {
        let object = pointer::object(std::str::from_utf8(pointer).ok()?)?;
        if self.kept.is_none() {
            self.kept = path(&ask(git(&["rev-parse", "--git-common-dir"])).ok()?).map(|folder| folder.join("lfs").join("objects"));
        }
        let file = self.kept.as_ref()?.join(object.get(..2)?).join(object.get(2..4)?).join(object);
        // Looked at before it is opened: opening a pipe waits.
        let file = std::fs::metadata(&file).is_ok_and(|metadata| metadata.is_file()).then_some(file)?;
        let mut bytes = Vec::new();
        File::open(file).ok()?.take(limit.saturating_add(1)).read_to_end(&mut bytes).ok()?;
        let is_whole = bytes.len() as u64 <= limit;
        let hash = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        (!is_whole || hash == object).then_some((bytes, is_whole))
    }

    /// Reads an object, or one byte more than the limit of it; and whether that is all.
    ///
    /// # Errors
    ///
    /// When there is no such object, or git has ended.
    pub fn read(&mut self, object: &str, limit: u64) -> io::Result<(Vec<u8>, bool)> {
        writeln!(self.questions, "{object}")?;
        self.questions.flush()?;
        let mut head = String::new();
        self.answers.read_line(&mut head)?;
        let size = head.trim_end().rsplit_once(' ').and_then(|(_, size)| size.parse::<u64>().ok());
        let Some(size) = size else {
            let why = if head.trim_end().ends_with(" missing") { missing(object) } else { head.trim_end().to_owned() };
            return Err(io::Error::other(why));
        };
        let wanted = size.min(limit.saturating_add(1));
        let mut bytes = Vec::new();
        self.answers.by_ref().take(wanted).read_to_end(&mut bytes)?;
        // Behind the object stands a line break.
        io::copy(&mut self.answers.by_ref().take(size - wanted + 1), &mut io::sink())?;
        if (bytes.len() as u64) < wanted { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok((bytes, wanted == size)) }
    }
}

/// What is told of an object that a repository names and does not hold.
pub(super) fn missing(object: &str) -> String {
    format!("it is not in this clone, and nothing is fetched; where the clone is partial, `git cat-file -e {object}` fetches it")
}

impl Drop for Objects {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
