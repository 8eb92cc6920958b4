//! Reads one file, without trusting what it is.

use std::fs::{File, Metadata, OpenOptions};
use std::io::Read as _;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::input::decode::{Decoded, decode};
use crate::subject::{Reason, Undetermined};

/// Largest file of which a digest is made, in bytes.
const LARGEST_DIGESTED: u64 = 1024 * 1024 * 1024;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub enum Content {
    /// A text, and whether a byte order mark was taken off it.
    Text(String, bool),
    /// A text with bytes that no encoding explains, a replacement character for each; and what to say of it.
    Garbled(String, Undetermined),
    /// Something that is no text.
    Binary,
}

/// Reads a file as text.
///
/// # Errors
///
/// When it is not a regular file, cannot be read, or is larger than `limit` bytes.
pub fn read_file(path: &Path, limit: u64) -> Result<Content, Undetermined> {
    // Looked at before it is opened: opening a pipe waits, opening a device can do anything.
    check_kind(&std::fs::metadata(path).map_err(unreadable)?, limit)?;
    let file = open(path).map_err(unreadable)?;
    check_kind(&file.metadata().map_err(unreadable)?, limit)?;
    read_bounded(file, limit)
}

/// Reads a stream as text.
///
/// # Errors
///
/// As `read_file`.
pub fn read_stream(stream: impl std::io::Read, limit: u64) -> Result<Content, Undetermined> {
    read_bounded(stream, limit)
}

/// Reads the beginning of a file as text, whatever it is: bytes that are no UTF-8 become replacement characters.
///
/// # Errors
///
/// When it is not a regular file, or cannot be read.
pub fn read_beginning(path: &Path, bytes: u64) -> Result<String, Undetermined> {
    check_kind(&std::fs::metadata(path).map_err(unreadable)?, u64::MAX)?;
    let file = open(path).map_err(unreadable)?;
    check_kind(&file.metadata().map_err(unreadable)?, u64::MAX)?;
    let mut beginning = Vec::new();
    file.take(bytes).read_to_end(&mut beginning).map_err(unreadable)?;
    Ok(String::from_utf8_lossy(&beginning).into_owned())
}

/// SHA-256 of a whole file, of any size up to a gigabyte; none, where it cannot be read.
pub fn digest(path: &Path) -> Option<[u8; 32]> {
    check_kind(&std::fs::metadata(path).ok()?, LARGEST_DIGESTED).ok()?;
    let file = open(path).ok()?;
    check_kind(&file.metadata().ok()?, LARGEST_DIGESTED).ok()?;
    let mut hash = Sha256::new();
    let mut file = file.take(LARGEST_DIGESTED);
    let mut block = vec![0; 64 * 1024];
    loop {
        match file.read(&mut block).ok()? {
            0 => return Some(hash.finalize().into()),
            read => hash.update(block.get(..read)?),
        }
    }
}

fn unreadable(error: std::io::Error) -> Undetermined {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    let reason = if matches!(error.kind(), NotFound | NotADirectory) { Reason::Missing } else { Reason::Unreadable };
    Undetermined::new(reason, error.to_string())
}

/// A text of which the byte at an offset is no text.
pub fn garbled(text: String, at: usize) -> Content {
    Content::Garbled(text, Undetermined::new(Reason::Encoding, format!("byte {} is no UTF-8", at + 1)))
}

/// Returns true if and only if a file may be run as it is.
#[cfg(unix)]
pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Returns true if and only if a file may be run as it is; elsewhere its extension tells.
#[cfg(not(unix))]
pub fn is_executable(_: &Path) -> bool {
    false
}

fn check_kind(metadata: &Metadata, limit: u64) -> Result<(), Undetermined> {
    if !metadata.is_file() {
        return Err(Undetermined::new(Reason::NotAFile, kind_of(metadata)));
    }
    if limit < metadata.len() {
        return Err(too_large(limit));
    }
    Ok(())
}

#[cfg(unix)]
fn kind_of(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else {
        "a folder"
    }
}

#[cfg(not(unix))]
fn kind_of(_: &Metadata) -> &'static str {
    "not a regular file"
}

/// Opens a file so that it cannot wait, should it have become a pipe in the meantime.
#[cfg(unix)]
fn open(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    // O_NONBLOCK on Linux and on the BSDs, macOS among them.
    let nonblocking = if cfg!(any(target_os = "linux", target_os = "android")) { 0o4000 } else { 0x4 };
    OpenOptions::new().read(true).custom_flags(nonblocking).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

fn read_bounded(stream: impl std::io::Read, limit: u64) -> Result<Content, Undetermined> {
    let mut bytes = Vec::new();
    let read = stream.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Undetermined::new(Reason::Unreadable, error.to_string()))?;
    if limit < bytes.len() as u64 {
        return Err(too_large(limit));
    }
    match decode(bytes) {
        Decoded::Text(text, has_bom) => Ok(Content::Text(text, has_bom)),
        Decoded::Binary => Ok(Content::Binary),
        Decoded::Invalid(text, at) => Ok(garbled(text, at)),
    }
}

/// Why what is larger than a file may be is not read.
pub fn too_large(limit: u64) -> Undetermined {
    Undetermined::new(Reason::FileSize, format!("more than {limit} bytes (limits.file_size)"))
}
