//! Files that are there whole or not at all: written beside their place under a name of their own, then put into it.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::input::identity::FileId;

/// How many names are tried for a file that is not yet in its place.
const TRIES: usize = 16;

/// A file on its way to its place. Until it is put there, what stands in its place stays as it is; if it never is, nothing of
/// it stays.
#[derive(Debug)]
pub struct WholeFile {
    file: File,
    beside: PathBuf,
    path: PathBuf,
}

impl WholeFile {
    /// Begins a file that is to have this name. A link of this name will be replaced, not followed.
    ///
    /// # Errors
    ///
    /// When there is a folder of this name, or no file can be made beside it.
    pub fn create(path: &Path) -> io::Result<Self> {
        let present = fs::symlink_metadata(path).ok();
        if present.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let (file, beside) = create_beside(path)?;
        let whole = Self { file, beside, path: path.to_path_buf() };
        // A file that only its owner may read stays one.
        if let Some(present) = present.filter(fs::Metadata::is_file) {
            whole.file.set_permissions(present.permissions())?;
        }
        Ok(whole)
    }

    /// Which file it is while it is not in its place.
    pub fn id(&self) -> Option<FileId> {
        FileId::of(&self.beside).ok()
    }

    /// Puts it into its place.
    ///
    /// # Errors
    ///
    /// When that cannot be done; then what stood there stands there still.
    pub fn put(self) -> io::Result<()> {
        fs::rename(&self.beside, &self.path)
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // Once it is in its place there is nothing of this name; and if it cannot be removed there is nothing else to do.
        let _ = fs::remove_file(&self.beside);
    }
}

/// Nobody can foresee the name and put something there: it is as random as the hash maps of this program.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut refused = io::ErrorKind::AlreadyExists.into();
    for _ in 0..TRIES {
        // The name of the file is not part of it: together they might be longer than a name may be.
        let beside = path.with_file_name(format!(".callgate-{:016x}.tmp", RandomState::new().build_hasher().finish()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((file, beside)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => refused = error,
            Err(error) => return Err(error),
        }
    }
    Err(refused)
}

/// Returns true if and only if a name stands for something that is written to directly and never replaced: a device, a pipe, a
/// socket, or an open file of this process such as `/dev/stdout`.
pub fn is_special(path: &Path) -> bool {
    let Ok(metadata) = fs::symlink_metadata(path) else { return false };
    // Only links of the system itself are followed: any other may lead to what its maker could not write.
    let is_of_system = || std::path::absolute(path).is_ok_and(|path| path.starts_with("/dev") || path.starts_with("/proc"));
    if metadata.is_symlink() { is_of_system() } else { !metadata.is_file() && !metadata.is_dir() }
}

/// Opens something special for writing.
///
/// # Errors
///
/// When it cannot be opened.
pub fn open_special(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Writes a file whole.
///
/// # Errors
///
/// When it cannot be written; then what stood there stands there still.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_special(path) {
        return open_special(path)?.write_all(bytes);
    }
    let mut whole = WholeFile::create(path)?;
    whole.write_all(bytes)?;
    whole.file.sync_all()?;
    whole.put()
}

/// The same, of a program that is to be run.
///
/// # Errors
///
/// As `write`.
pub fn write_program(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut whole = WholeFile::create(path)?;
    whole.write_all(bytes)?;
    make_executable(&whole.file)?;
    whole.file.sync_all()?;
    whole.put()
}

#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}
