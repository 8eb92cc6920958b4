//! What goes wrong with a server, in a sentence.

use std::error::Error as _;

use postgres::error::SqlState;

use crate::audit::AuditError;

/// Where a password may stand.
const PASSWORD: &str = "check user and password; a password stands in PGPASSWORD, or in ~/.pgpass if you alone may read that (chmod 600)";

/// What the server says, or what went wrong on the way to it, in a sentence.
pub fn fault(error: &postgres::Error) -> AuditError {
    let Some(said) = error.as_db_error() else {
        let mut told = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            told = format!("{told}: {cause}");
            source = cause.source();
        }
        if error.is_closed() || is_cut_off(error) {
            return AuditError::Lost { told };
        }
        if told.contains("password missing") {
            return AuditError::Server { told: "the server asks for a password".to_owned(), help: PASSWORD };
        }
        return AuditError::Server {
            told,
            help: "check the address, that the server runs, and its certificate (sslrootcert=FILE names another root)",
        };
    };
    if [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT].contains(said.code()) {
        return AuditError::Lost { told: said.message().to_owned() };
    }
    let (told, help) = match said.code() {
        &SqlState::LOCK_NOT_AVAILABLE => ("other processes held the store for too long".to_owned(), "try again"),
        &SqlState::DISK_FULL => ("the disk of the server is full".to_owned(), "give it room"),
        &SqlState::INSUFFICIENT_PRIVILEGE | &SqlState::READ_ONLY_SQL_TRANSACTION => (
            said.message().to_owned(),
            "let an owner of the database open the store once, and grant your user what it needs (docs/audit.md lists it)",
        ),
        &SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION => (said.message().to_owned(), PASSWORD),
        _ => (said.message().to_owned(), "check the address and the server's log"),
    };
    AuditError::Server { told, help }
}

/// Whether a connection that was there broke off.
fn is_cut_off(error: &postgres::Error) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    let cause = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
    cause.is_some_and(|cause| matches!(cause.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof))
}
