//! Where this program was built without PostgreSQL: whoever names a server is told.

use std::ops::ControlFlow;

use crate::audit::AuditError;
use crate::audit::db::value::{Row, Value};
use crate::value::store_place::ServerAddress;

/// A server; there is none.
#[derive(Debug)]
pub enum Server {}

impl Server {
    /// Says that there is no way to reach one.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn connect(_: &ServerAddress) -> Result<Self, AuditError> {
        Err(AuditError::Server {
            told: "this callgate was built without PostgreSQL".to_owned(),
            help: "install one with the feature `postgres` (cargo install callgate --features postgres), or name a file",
        })
    }

    /// Visits nothing.
    pub fn visit(&self, _: &str, _: &[Value<'_>], _: impl FnMut(Row<'_>) -> Result<ControlFlow<()>, AuditError>) -> Result<(), AuditError> {
        match *self {}
    }

    /// Executes nothing.
    pub fn execute(&self, _: &str, _: &[Value<'_>]) -> Result<u64, AuditError> {
        match *self {}
    }

    /// Executes nothing.
    pub fn batch(&self, _: &str) -> Result<(), AuditError> {
        match *self {}
    }

    /// Begins nothing.
    pub fn begin_writing(&self) -> Result<(), AuditError> {
        match *self {}
    }

    /// Never asked.
    pub fn is_missing(&self) -> Result<bool, AuditError> {
        match *self {}
    }
}
