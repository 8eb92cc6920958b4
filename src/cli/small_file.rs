//! Files that a run needs beside its sources, read without trusting what they are.

use std::path::Path;

/// Largest such file, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;

/// Reads a small regular file.
///
/// # Errors
///
/// When it is no regular file, is too large, or cannot be read as UTF-8.
pub fn read_small(path: &Path) -> std::io::Result<String> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(std::io::Error::other("it is not a regular file"));
    }
    if LARGEST < metadata.len() {
        return Err(std::io::Error::other(format!("it is larger than {LARGEST} bytes")));
    }
    let text = std::fs::read_to_string(path)?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
