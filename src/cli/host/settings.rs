//! The settings files in which hosts are told of hooks: where they are, and how one is read and written with care.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize as _;
use serde_json::{Map, Value};

use crate::cli::failure::Failure;
use crate::cli::whole_file;

/// Where and how a host is told of hooks.
pub struct Settings {
    /// What moves the user's settings elsewhere.
    pub home: Home,
    /// The user's file, from the home folder.
    pub user: &'static str,
    /// A project's file, from its folder, if the host reads any.
    pub project: Option<&'static str>,
    /// How hooks are written in it.
    pub layout: Layout,
    /// How a hook's command is written.
    pub start: Start,
    /// What runs a command that is one line.
    pub shell: Shell,
    /// What a second is in the host's timeouts.
    pub timeout_unit: u32,
    /// The timeout of a hook that has none, in seconds.
    pub usual_timeout: u32,
    /// The setting of a hook without which what goes wrong with it lets the call run.
    pub fails_closed: Option<Safeguard>,
    /// Further files of a project with the same layout.
    pub others: &'static [&'static str],
}

/// A setting of a hook: its key and its value.
pub type Safeguard = (&'static str, fn() -> Value);

/// An environment variable that moves the user's settings.
pub enum Home {
    /// It names the host's folder.
    Folder(&'static str),
    /// It names the folder that holds the host's folder.
    Above(&'static str),
}

/// How hooks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `hooks.EVENT` lists groups of `hooks`, each group with a matcher.
    Groups,
    /// `hooks.EVENT` lists hooks.
    Flat,
    /// As before, with one command a shell, in a file of its own.
    Scripts,
    /// `plugins.load.paths` lists files.
    Plugin,
}

/// How a hook's command is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A program and its arguments.
    Words,
    /// One line for a shell.
    Line,
}

/// What runs a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// `sh -c`
    Sh,
    /// `bash -c`
    Bash,
    /// `$SHELL -lc`
    Login,
}

/// Whose settings are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The user's own, for all projects.
    User,
    /// Those of the project in this folder.
    Project,
}

/// How many backups are kept beside a file before one is refused.
const MOST_BACKUPS: u32 = 10_000;
/// Largest settings file that is read, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// A settings file of a host.
pub struct SettingsFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its text; none, if there is no such file.
    pub text: Option<String>,
    /// What stands in it; an empty object, if nothing does.
    pub document: Value,
}

/// Where the host of this name for people keeps settings.
///
/// # Errors
///
/// When the host has no such settings, or there is no home folder.
pub fn path(title: &str, settings: &Settings, scope: Scope) -> Result<PathBuf, Failure> {
    let refused = |detail: String| Failure::Agent { detail, help: "name another scope, or set HOME".to_owned() };
    match scope {
        Scope::Project => {
            let path = settings.project.ok_or_else(|| refused(format!("{} has no settings of projects", title)))?;
            Ok(PathBuf::from(path))
        }
        Scope::User => {
            let own = Path::new(settings.user);
            let moved = match settings.home {
                Home::Folder(name) => {
                    let inside: PathBuf = own.components().skip(1).collect();
                    variable(name).map(|folder| folder.join(inside))
                }
                Home::Above(name) => variable(name).map(|folder| folder.join(own)),
            };
            moved.or_else(|| Some(home()?.join(own))).ok_or_else(|| refused("there is no home folder".to_owned()))
        }
    }
}

/// The home folder.
pub fn home() -> Option<PathBuf> {
    variable("HOME").or_else(|| variable("USERPROFILE"))
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

impl SettingsFile {
    /// Reads a file that may not be there.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is no JSON object.
    pub fn read(path: PathBuf) -> Result<Self, Failure> {
        let text = match fs::metadata(&path).and_then(|metadata| {
            let is_small = metadata.is_file() && metadata.len() <= LARGEST;
            if is_small { fs::read_to_string(&path) } else { Err(io::Error::other("it is no file of ordinary size")) }
        }) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { path, text: None, document: Value::Object(Map::new()) });
            }
            Err(source) => return Err(Failure::Unreadable { path, source }),
        };
        let plain = text.trim_start_matches('\u{feff}').trim();
        let document = if plain.is_empty() { Ok(Value::Object(Map::new())) } else { serde_json::from_str(plain) };
        match document {
            Ok(document @ Value::Object(_)) => Ok(Self { path, text: Some(text), document }),
            Ok(_) => Err(not_plain(&path, "it is no JSON object")),
            Err(error) => Err(not_plain(&path, &format!("it is no plain JSON ({error})"))),
        }
    }

    /// The text of a document in the way in which the file is written.
    pub fn rendered(&self, document: &Value) -> String {
        let indent = self.text.as_deref().map_or("  ", indent);
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        // Writing to memory cannot fail.
        let _ = document.serialize(&mut serializer);
        bytes.push(b'\n');
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Puts a document into the file and keeps what stood there beside it; returns where, if anything did.
    ///
    /// # Errors
    ///
    /// When a file cannot be written; then the old one stays.
    pub fn replace(&self, document: &Value) -> Result<Option<PathBuf>, Failure> {
        let unwritable = |source| Failure::unwritable(&self.path, source);
        // A link stays one: what it leads to is replaced.
        let target = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let backup = match &self.text {
            Some(text) => Some(back_up(&target, text).map_err(unwritable)?),
            None => None,
        };
        write_whole(&target, &self.rendered(document)).map_err(unwritable)?;
        Ok(backup)
    }

    /// Removes the file, and keeps what stood there beside it.
    ///
    /// # Errors
    ///
    /// When it cannot be removed.
    pub fn delete(&self) -> Result<(), Failure> {
        let unwritable = |source| Failure::unwritable(&self.path, source);
        if let Some(text) = &self.text {
            back_up(&self.path, text).map_err(unwritable)?;
            fs::remove_file(&self.path).map_err(unwritable)?;
        }
        Ok(())
    }
}

fn not_plain(path: &Path, why: &str) -> Failure {
    Failure::Agent {
        detail: format!("{} is left as it is: {why}", path.display()),
        help: "add the lines that --dry-run prints yourself, or take comments and trailing commas out of the file first".to_owned(),
    }
}

/// What the first line that stands further in begins with.
fn indent(text: &str) -> &str {
    let line = text.lines().find(|line| line.starts_with([' ', '\t'])).unwrap_or("  ");
    line.get(..line.len() - line.trim_start().len()).filter(|indent| !indent.is_empty()).unwrap_or("  ")
}

/// Keeps a text beside a file under the first number that is free.
fn back_up(path: &Path, text: &str) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for number in 1..MOST_BACKUPS {
        let backup = path.with_file_name(format!("{name}.bak{number}"));
        match fs::OpenOptions::new().write(true).create_new(true).open(&backup) {
            Ok(mut file) => {
                keep_rights(path, &backup);
                return file.write_all(text.as_bytes()).map(|()| backup);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("there are too many backups beside it"))
}

/// Writes a file so that there is always the old one or the new one, whole.
///
/// # Errors
///
/// When it cannot be written.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    whole_file::write(path, text.as_bytes())
}

/// Who may read the one file may read the other, and nobody else.
fn keep_rights(of: &Path, to: &Path) {
    if let Ok(metadata) = fs::metadata(of) {
        let _ = fs::set_permissions(to, metadata.permissions());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_indentation() {
        for (text, expected) in [("{\n    \"a\": 1\n}", "    "), ("{\n\t\"a\": 1}", "\t"), ("{}", "  "), ("", "  ")] {
            assert_eq!(indent(text), expected, "{text:?}");
        }
    }
}
