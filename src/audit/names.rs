//! Texts that occur often: each stands once in a store.

use std::collections::HashMap;

use crate::audit::AuditError;
use crate::audit::db::Db;

/// Most names that a process remembers; the others are looked up each time.
const REMEMBERED: usize = 50_000;

/// The names of a store, while records are written.
pub struct Names<'c, 'n> {
    db: &'c Db,
    known: &'n mut HashMap<String, i64>,
}

impl<'c, 'n> Names<'c, 'n> {
    pub fn of(db: &'c Db, known: &'n mut HashMap<String, i64>) -> Self {
        Self { db, known }
    }

    /// The id of a name, which it gets if it has none.
    pub fn id(&mut self, text: &str) -> Result<i64, AuditError> {
        if let Some(id) = self.known.get(text) {
            return Ok(*id);
        }
        let found = self.db.one("SELECT id FROM name WHERE text = ?1", &[text.into()], |row| row.get(0))?;
        let id = match found {
            Some(id) => id,
            None => self.db.row("INSERT INTO name (text) VALUES (?1) RETURNING id", &[text.into()], |row| row.get(0))?,
        };
        if self.known.len() < REMEMBERED {
            self.known.insert(text.to_owned(), id);
        }
        Ok(id)
    }

    /// The id of a name that may be missing.
    pub fn optional(&mut self, text: Option<&str>) -> Result<Option<i64>, AuditError> {
        text.map(|text| self.id(text)).transpose()
    }
}

/// The id of a tenant, if anything of it is stored; the name of those without one is empty.
pub fn tenant(db: &Db, tenant: Option<&str>) -> Result<Option<i64>, AuditError> {
    db.one("SELECT id FROM name WHERE text = ?1", &[tenant.unwrap_or_default().into()], |row| row.get(0))
}
