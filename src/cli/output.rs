//! Where reports go: standard output or files, each to its own. What becomes of one output changes nothing for the others.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use crate::cli::args::ColorChoice;
use crate::cli::chosen::Output;
use crate::cli::failure::Failure;
use crate::cli::whole_file::{WholeFile, is_special, open_special};
use crate::input::identity::{FileId, plain};
use crate::input::walk::Traces;
use crate::report::Style;

/// What standard output is called in messages.
const STANDARD_OUTPUT: &str = "standard output";
/// Names under which a system offers standard output and standard error.
const STREAMS: [(&str, Stream); 6] = [
    ("/dev/stdout", Stream::Output),
    ("/dev/fd/1", Stream::Output),
    ("/proc/self/fd/1", Stream::Output),
    ("/dev/stderr", Stream::Error),
    ("/dev/fd/2", Stream::Error),
    ("/proc/self/fd/2", Stream::Error),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Output,
    Error,
}

/// A place that a report goes to. A fault in writing is kept until the end: the others are written all the same.
struct Target {
    /// Its name for people.
    name: String,
    sink: Sink,
    /// Why nothing more is written there.
    fault: Option<Failure>,
    /// The file that stands there now, or that standard output was sent to.
    present: Option<FileId>,
    /// Whether the report has colours.
    colour: bool,
    /// The width for tables, in columns: the terminal's, within reason.
    width: usize,
}

enum Sink {
    Direct(Box<dyn Write + Send>),
    File(BufWriter<WholeFile>),
    Closed,
}

/// All outputs of a run, each with what writes it.
pub struct Outputs<W: 'static> {
    targets: Vec<(&'static W, Target)>,
    /// The last input that was looked at: one file may hold many subjects.
    seen: PathBuf,
}

impl<W> Outputs<W> {
    /// Opens a place for each output that was chosen, as `open`; `by_name` finds what writes a format.
    ///
    /// # Errors
    ///
    /// As `open`.
    pub fn open(
        chosen: (&[Output], Option<&Path>),
        usual: &str,
        color: ColorChoice,
        by_name: fn(&str) -> Option<&'static W>,
    ) -> Result<Self, Failure> {
        let targets = open(chosen.0, usual, chosen.1, color)?;
        let targets = targets.into_iter().filter_map(|(format, target)| Some((by_name(&format)?, target))).collect();
        Ok(Self { targets, seen: PathBuf::new() })
    }

    /// What writes the outputs.
    pub fn writers(&self) -> impl Iterator<Item = &'static W> {
        self.targets.iter().map(|(writer, _)| *writer)
    }

    /// Writes each output with its writer, colours and width.
    pub fn write(&mut self, style: Style, mut write: impl FnMut(&'static W, Style, &mut dyn Write) -> io::Result<()>) {
        for (writer, target) in &mut self.targets {
            let style = Style { colour: target.colour, width: target.width, ..style };
            target.write(|out| write(writer, style, out));
        }
    }

    /// Lets whoever reads a stream have what was written so far.
    pub fn flush(&mut self) {
        for (_, target) in &mut self.targets {
            if matches!(target.sink, Sink::Direct(_)) {
                target.write(|out| out.flush());
            }
        }
    }

    /// Leaves every output alone that would go where something is read from.
    pub fn spare(&mut self, path: &Path) {
        if !self.targets.iter().any(|(_, target)| target.replaces()) || self.seen == path {
            return;
        }
        self.seen = path.to_path_buf();
        let Ok(id) = FileId::of(path) else { return };
        self.targets.iter_mut().filter(|(_, target)| target.holds(&id)).for_each(|(_, target)| target.spare());
    }

    /// What a walk may come upon because of the outputs.
    pub fn traces(&self) -> Traces {
        Traces {
            unfinished: self.targets.iter().filter_map(|(_, target)| target.unfinished()).collect(),
            redirected: self.targets.iter().find_map(|(_, target)| target.redirected()),
        }
    }

    /// Ends all outputs, and tells what went wrong.
    pub fn finish(self) -> Vec<Failure> {
        self.targets.into_iter().filter_map(|(_, target)| target.finish()).collect()
    }
}

/// Opens a place for each output that was chosen; `usual` is written to standard output if none was, and `file` is where
/// an output goes that names no file. A file that cannot be made is told at the end.
///
/// # Errors
///
/// When two go to the same place, or none goes to `file`.
fn open(chosen: &[Output], usual: &str, file: Option<&Path>, color: ColorChoice) -> Result<Vec<(String, Target)>, Failure> {
    let usual = [Output { format: usual.to_owned(), file: None }];
    let chosen = if chosen.is_empty() { &usual } else { chosen };
    if let Some(file) = file.filter(|_| chosen.iter().all(|output| output.file.is_some())) {
        return Err(Failure::usage(
            format!("nothing would go to the --output {}, as each format has a file of its own", file.display()),
            "leave --output out, or add a format without a file: --format table",
        ));
    }
    let mut places = Places::default();
    for output in chosen {
        places.take(output.file.as_deref().or(file))?;
    }
    let open = |output: &Output| (output.format.clone(), Target::open(output.file.as_deref().or(file), color));
    Ok(chosen.iter().map(open).collect())
}

/// The places that are taken, by all of their names.
#[derive(Default)]
struct Places {
    names: HashSet<PathBuf>,
    files: HashSet<FileId>,
}

impl Places {
    fn take(&mut self, file: Option<&Path>) -> Result<(), Failure> {
        let name = match stream_of(file) {
            Some(Stream::Output) => PathBuf::from("/dev/stdout"),
            Some(Stream::Error) => PathBuf::from("/dev/stderr"),
            None => file.map(in_plain_folder).unwrap_or_default(),
        };
        let is_other_file = present(file).is_none_or(|id| self.files.insert(id));
        if self.names.insert(name) && is_other_file { Ok(()) } else { Err(Failure::SameTarget { target: shown_name(file) }) }
    }
}

/// The name in a folder without links; a link of that name will be replaced, so it is not followed.
fn in_plain_folder(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    plain(folder).join(file.file_name().unwrap_or_default())
}

fn stream_of(file: Option<&Path>) -> Option<Stream> {
    let Some(file) = file else { return Some(Stream::Output) };
    STREAMS.iter().find(|(name, _)| Path::new(name) == file).map(|(_, stream)| *stream)
}

/// The regular file that stands in a place.
fn present(file: Option<&Path>) -> Option<FileId> {
    let path = match stream_of(file) {
        Some(Stream::Output) => Path::new("/dev/stdout"),
        Some(Stream::Error) => return None,
        None => file?,
    };
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    FileId::known(path, &metadata).ok()
}

fn shown_name(file: Option<&Path>) -> String {
    file.map_or_else(|| STANDARD_OUTPUT.to_owned(), |file| file.to_string_lossy().into_owned())
}

impl Target {
    fn open(file: Option<&Path>, color: ColorChoice) -> Self {
        let name = shown_name(file);
        let stream = stream_of(file);
        let (sink, fault) = match Sink::open(file, stream) {
            Ok(sink) => (sink, None),
            Err(error) => (Sink::Closed, Failure::of_writing(name.clone(), error)),
        };
        let is_stdout = stream == Some(Stream::Output);
        let colour = is_stdout && color.applies(&io::stdout()) || !is_stdout && color == ColorChoice::Always;
        Self { name, sink, fault, present: present(file), colour, width: width(is_stdout) }
    }

    /// Writes there, unless that failed before.
    fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        let written = match &mut self.sink {
            Sink::Direct(writer) => write(&mut **writer),
            Sink::File(writer) => write(writer),
            Sink::Closed => Ok(()),
        };
        if let Err(error) = written {
            self.sink = Sink::Closed;
            self.fault = Failure::of_writing(self.name.clone(), error);
        }
    }

    /// Writes nothing there, as the file is read too.
    fn spare(&mut self) {
        self.sink = Sink::Closed;
        self.fault = Some(Failure::OutputIsInput { target: self.name.clone() });
    }

    /// Returns true if and only if the file that stands there now is this one.
    fn holds(&self, id: &FileId) -> bool {
        self.present.as_ref() == Some(id)
    }

    /// Whether a file stands there now.
    fn replaces(&self) -> bool {
        self.present.is_some()
    }

    /// The file that standard output was sent to, if the report goes there.
    fn redirected(&self) -> Option<FileId> {
        matches!(self.sink, Sink::Direct(_)).then(|| self.present.clone()).flatten()
    }

    /// The file that is being written and is not in its place yet.
    fn unfinished(&self) -> Option<FileId> {
        match &self.sink {
            Sink::File(writer) => writer.get_ref().id(),
            Sink::Direct(_) | Sink::Closed => None,
        }
    }

    /// Ends the writing and puts a file into its place. Returns what went wrong; a reader that has gone is no failure.
    fn finish(mut self) -> Option<Failure> {
        let done = match std::mem::replace(&mut self.sink, Sink::Closed) {
            Sink::Direct(mut writer) => writer.flush(),
            Sink::File(writer) => writer.into_inner().map_err(io::IntoInnerError::into_error).and_then(WholeFile::put),
            Sink::Closed => return self.fault,
        };
        done.err().and_then(|error| Failure::of_writing(self.name, error))
    }
}

impl Sink {
    fn open(file: Option<&Path>, stream: Option<Stream>) -> io::Result<Self> {
        let direct = |writer: Box<dyn Write + Send>| Self::Direct(Box::new(BufWriter::new(writer)));
        match (stream, file) {
            (Some(Stream::Output), _) | (None, None) => Ok(direct(Box::new(io::stdout()))),
            (Some(Stream::Error), _) => Ok(direct(Box::new(io::stderr()))),
            (None, Some(file)) if is_special(file) => Ok(direct(Box::new(open_special(file)?))),
            (None, Some(file)) => Ok(Self::File(BufWriter::new(WholeFile::create(file)?))),
        }
    }
}

fn width(is_stdout: bool) -> usize {
    let columns = || comfy_table::Table::new().width().map(usize::from);
    if is_stdout && io::stdout().is_terminal() { columns().unwrap_or(100).clamp(60, 160) } else { 110 }
}
