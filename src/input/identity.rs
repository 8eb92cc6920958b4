//! Which file a name leads to, whatever the name.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

/// A file, whatever names lead to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileId(Inner);

#[cfg(unix)]
type Inner = (u64, u64);
#[cfg(not(unix))]
type Inner = PathBuf;

impl FileId {
    /// The file that a name leads to, through links.
    ///
    /// # Errors
    ///
    /// When it leads nowhere.
    pub fn of(path: &Path) -> io::Result<Self> {
        Self::known(path, &std::fs::metadata(path)?)
    }

    /// The same, where the metadata are there already.
    ///
    /// # Errors
    ///
    /// When the name leads nowhere.
    #[cfg(unix)]
    pub fn known(_: &Path, metadata: &Metadata) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;
        Ok(Self((metadata.dev(), metadata.ino())))
    }

    /// The same, where the metadata are there already.
    ///
    /// # Errors
    ///
    /// When the name leads nowhere.
    #[cfg(not(unix))]
    pub fn known(path: &Path, _: &Metadata) -> io::Result<Self> {
        path.canonicalize().map(Self)
    }
}

/// A name in its plain form: no link, no `..`, from the root. Where it leads nowhere, only its folder is made plain.
pub fn plain(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_folder).or_else(|| std::path::absolute(path).ok()).unwrap_or_else(|| path.to_path_buf())
}
