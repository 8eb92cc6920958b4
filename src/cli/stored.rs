//! The verdicts of an earlier run, read from a report or a store of evaluations that the user names.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use crate::cli::failure::Failure;
use crate::compare::stored::Stored;
use crate::value::store_place::StorePlace;

/// Largest report that is read, in bytes.
const LARGEST: u64 = 1 << 30;
/// What a store that is a file begins with.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// The verdicts that a report or a store holds.
///
/// # Errors
///
/// When it cannot be read, or is neither.
pub fn read(named: &OsStr) -> Result<Stored, Failure> {
    match StorePlace::named(named) {
        StorePlace::File(path) if !is_store(&path) => {
            let unreadable = |source| Failure::Unreadable { path: path.clone(), source };
            let text = report(&path).map_err(unreadable)?;
            Stored::read(&text).map_err(|why| unreadable(io::Error::other(why)))
        }
        place => of_store(&place),
    }
}

fn is_store(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let is_read = File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut beginning));
    is_read.is_ok() && beginning == MAGIC
}

fn report(path: &Path) -> io::Result<String> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() || LARGEST < metadata.len() {
        return Err(io::Error::other("it is no regular file of at most a gibibyte"));
    }
    std::fs::read_to_string(path)
}

/// The newest verdict on each subject.
#[cfg(feature = "audit")]
fn of_store(place: &StorePlace) -> Result<Stored, Failure> {
    use std::collections::BTreeMap;
    use std::ops::ControlFlow;

    use crate::audit::query::Filter;
    use crate::audit::store::Store;
    use crate::compare::stored::StoredSubject;
    use crate::finding::Run;

    let failed =
        |fault: crate::audit::AuditError| Failure::Audit { place: place.to_string(), help: fault.help(), fault: fault.to_string() };
    let store = Store::open_existing(place.clone()).map_err(failed)?;
    let (mut newest, mut version, mut library) = (BTreeMap::new(), String::new(), String::new());
    let visited = store.visit(&Filter::default(), |kept| {
        let record = kept.record;
        (version, library) = (record.version.into_owned(), record.library);
        let Some(hash) = record.subject else { return ControlFlow::Continue(()) };
        let words = record.patterns.as_deref().unwrap_or_default().split(' ').filter(|word| !word.is_empty());
        let rules = words.map(|word| (word.split_once('*').map_or(word, |(_, rule)| rule).to_owned(), None)).collect();
        let (path, verdict, reason, score) = (record.path, record.verdict, record.reason.into_owned(), record.score);
        newest.insert(hash, StoredSubject { path, hash: Some(hash), verdict, reason, score, rules });
        ControlFlow::Continue(())
    });
    visited.map_err(failed)?;
    let configuration = Some(format!("{place}, last written by callgate {version}"));
    Ok(Stored { run: Run { configuration, library_version: library, ..Run::default() }, subjects: newest.into_values().collect() })
}

#[cfg(not(feature = "audit"))]
fn of_store(place: &StorePlace) -> Result<Stored, Failure> {
    Err(Failure::Audit {
        place: place.to_string(),
        fault: "this callgate was built without a store".to_owned(),
        help: "install one with the feature `audit`, or name a report",
    })
}
