//! Opening a file as a store: a private one that nobody slips another one under.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::audit::{AuditError, schema};

/// How long a process waits for others that write.
const PATIENCE: Duration = Duration::from_secs(8);
/// How long it waits before it asks again for what SQLite does not wait for itself.
const PAUSE: Duration = Duration::from_millis(5);
/// A log of more bytes holds up whoever opens the file next.
const LONG_LOG: u64 = 1 << 20;
/// What every database of SQLite begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Where in a file its application id stands.
const APPLICATION_AT: usize = 68;

/// A file that was opened.
pub struct Opened {
    /// Its path, in a folder without links.
    pub path: PathBuf,
    /// Its database.
    pub connection: Connection,
    /// Nothing stands in it yet.
    pub is_new: bool,
}

/// Opens a file, or makes one.
///
/// # Errors
///
/// When it cannot be made or read, is a link, or is anything else than a store.
pub fn open(path: &Path, may_make: bool) -> Result<Opened, AuditError> {
    let unopened = |source| AuditError::Unopened { path: path.to_path_buf(), source };
    let plain = plain(path, may_make).map_err(unopened)?;
    let is_new = match fs::symlink_metadata(&plain) {
        Ok(metadata) if metadata.is_symlink() => return Err(AuditError::Other { path: plain, what: "a link" }),
        Ok(metadata) if metadata.is_dir() => return Err(AuditError::Other { path: plain, what: "a folder" }),
        Ok(metadata) if !metadata.is_file() => return Err(AuditError::Other { path: plain, what: "no regular file" }),
        Ok(_) => !is_store(&plain).map_err(unopened)?.ok_or(AuditError::Other { path: plain.clone(), what: "another file" })?,
        Err(_) if may_make => make(&plain).map(|()| true).map_err(unopened)?,
        Err(error) => return Err(unopened(error)),
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(&plain, flags)?;
    connection.busy_timeout(PATIENCE)?;
    // The file may come from anybody: nothing that stands in its schema gets to call functions.
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = NORMAL")?;
    // Whoever ends does not wait for the disk: the log goes into the file once it is long.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.execute_batch("PRAGMA wal_autocheckpoint = 500")?;
    Ok(Opened { path: plain, connection, is_new })
}

/// Makes a file ready to get the newest schema.
///
/// # Errors
///
/// When it cannot be written.
pub fn prepare(connection: &Connection, is_new: bool) -> Result<(), AuditError> {
    if is_new {
        // Before anything else, so that whoever looks at the file knows it at any time.
        wait_for(connection, |connection| connection.execute_batch(&format!("PRAGMA application_id = {}", schema::APPLICATION)))?;
    }
    wait_for(connection, |connection| connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())))
}

/// Puts the log into the file and cuts it off; where others use it, as much of that as can be done without waiting.
///
/// # Errors
///
/// When the file cannot be written.
pub fn settle(connection: &Connection) -> Result<(), AuditError> {
    connection.busy_timeout(Duration::ZERO)?;
    let settled = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(PATIENCE)?;
    Ok(settled?)
}

/// Whether the log beside a file is long. Processes that open it, write once and end never see each other: each begins by reading
/// the whole log, does not know what of it stands in the file already, and so none but this would ever shorten it.
pub fn has_long_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    fs::metadata(log).is_ok_and(|metadata| LONG_LOG < metadata.len())
}

/// Asks again as long as others hold the file: the change of the journal is not waited for by SQLite itself.
#[expect(clippy::disallowed_methods, reason = "others have to end what they do to the file, and nothing tells when they have")]
fn wait_for(connection: &Connection, ask: impl Fn(&Connection) -> rusqlite::Result<()>) -> Result<(), AuditError> {
    let tries = PATIENCE.as_millis() / PAUSE.as_millis();
    for _ in 0..tries {
        match ask(connection) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => thread::sleep(PAUSE),
            other => return Ok(other?),
        }
    }
    Ok(ask(connection)?)
}

/// The path in a folder without links; the folder is made where that is wanted.
fn plain(path: &Path, may_make: bool) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if may_make && !folder.exists() {
        make_folder(folder)?;
    }
    Ok(fs::canonicalize(folder)?.join(name))
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Makes an empty file that only its owner may read. If another process was faster, its file is as good.
fn make(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    private(&mut options);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(0o600);
}

#[cfg(not(unix))]
fn private(_: &mut OpenOptions) {}

/// Whether a file is a store, or an empty file that may become one; none, if it is anything else.
fn is_store(path: &Path) -> io::Result<Option<bool>> {
    let mut head = Vec::new();
    File::open(path)?.take(100).read_to_end(&mut head)?;
    if head.is_empty() {
        return Ok(Some(false));
    }
    let id = head.get(APPLICATION_AT..APPLICATION_AT + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
    Ok(match id {
        Some(id) if head.starts_with(MAGIC) && i64::from(id) == schema::APPLICATION => Some(true),
        _ => None,
    })
}
