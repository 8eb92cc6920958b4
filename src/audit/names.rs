//! Texts that occur often: each stands once in the file.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, Statement};

/// Most names that a process remembers; the others are looked up each time.
const REMEMBERED: usize = 50_000;

/// The names of a store, while records are written.
pub struct Names<'c, 'n> {
    find: Statement<'c>,
    add: Statement<'c>,
    known: &'n mut HashMap<String, i64>,
}

impl<'c, 'n> Names<'c, 'n> {
    pub fn of(connection: &'c Connection, known: &'n mut HashMap<String, i64>) -> rusqlite::Result<Self> {
        Ok(Self {
            find: connection.prepare("SELECT id FROM name WHERE text = ?1")?,
            add: connection.prepare("INSERT INTO name (text) VALUES (?1) RETURNING id")?,
            known,
        })
    }

    /// The id of a name, which it gets if it has none.
    pub fn id(&mut self, text: &str) -> rusqlite::Result<i64> {
        if let Some(id) = self.known.get(text) {
            return Ok(*id);
        }
        let found: Option<i64> = self.find.query_row([text], |row| row.get(0)).optional()?;
        let id = match found {
            Some(id) => id,
            None => self.add.query_row([text], |row| row.get(0))?,
        };
        if self.known.len() < REMEMBERED {
            self.known.insert(text.to_owned(), id);
        }
        Ok(id)
    }

    /// The id of a name that may be missing.
    pub fn optional(&mut self, text: Option<&str>) -> rusqlite::Result<Option<i64>> {
        text.map(|text| self.id(text)).transpose()
    }
}

/// The id of a tenant, if anything of it is stored; the name of those without one is empty.
pub fn tenant(connection: &Connection, tenant: Option<&str>) -> rusqlite::Result<Option<i64>> {
    connection.query_row("SELECT id FROM name WHERE text = ?1", [tenant.unwrap_or_default()], |row| row.get(0)).optional()
}
