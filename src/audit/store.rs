//! Opening a store, in the schema of this version.

use std::cell::Cell;
use std::collections::HashMap;

use crate::audit::db::Db;
use crate::audit::db::server::Server;
use crate::audit::{AuditError, file, schema};
use crate::value::store_place::{ServerAddress, StorePlace};

/// A store of evaluations.
#[derive(Debug)]
pub struct Store {
    pub(super) db: Db,
    /// The ids of names that were used by this process.
    pub(super) names: HashMap<String, i64>,
    /// How many records this process has written.
    pub(super) written: Cell<i64>,
    place: StorePlace,
    /// It was connected to anew: what was sent last may have arrived all the same.
    pub(super) is_anew: Cell<bool>,
}

impl Store {
    /// Opens a store, or makes one.
    ///
    /// # Errors
    ///
    /// When it cannot be made or read, is a link, or is anything else than a store that this version knows.
    pub fn open(place: impl Into<StorePlace>) -> Result<Self, AuditError> {
        Self::open_as(&place.into(), true)
    }

    /// Opens a store that is there.
    ///
    /// # Errors
    ///
    /// As `open`, and when there is none.
    pub fn open_existing(place: impl Into<StorePlace>) -> Result<Self, AuditError> {
        Self::open_as(&place.into(), false)
    }

    /// Where it is.
    pub fn place(&self) -> &StorePlace {
        &self.place
    }

    fn open_as(place: &StorePlace, may_make: bool) -> Result<Self, AuditError> {
        match place {
            StorePlace::File(path) => {
                let opened = file::open(path, may_make)?;
                let store = Self::of(Db::of_file(opened.connection), StorePlace::File(opened.path));
                store.renew(opened.is_new)?;
                Ok(store)
            }
            StorePlace::Server(address) => Self::on_server(address, may_make),
        }
    }

    fn on_server(address: &ServerAddress, may_make: bool) -> Result<Self, AuditError> {
        let server = Server::connect(address)?;
        if !may_make && server.is_missing()? {
            return Err(AuditError::Server {
                told: "there is no store in that database".to_owned(),
                help: "name the database that --audit names; a run that stores something makes one",
            });
        }
        let store = Self::of(Db::Server(Box::new(server)), StorePlace::Server(address.clone()));
        store.renew(false)?;
        Ok(store)
    }

    fn of(db: Db, place: StorePlace) -> Self {
        Self { db, names: HashMap::new(), written: Cell::new(0), place, is_anew: Cell::new(false) }
    }

    /// Makes a store of an earlier version one of this.
    fn renew(&self, is_new: bool) -> Result<(), AuditError> {
        let version = schema::version(&self.db)?;
        if schema::newest() < version {
            return Err(AuditError::Newer { place: self.place.clone(), found: version, known: schema::newest() });
        }
        if version < schema::newest() {
            if let Db::File(connection) = &self.db {
                file::prepare(connection, is_new)?;
            }
            schema::migrate(&self.db)?;
        }
        Ok(())
    }

    /// Asks, and connects anew and asks again where the connection breaks off, once in the life of a store.
    ///
    /// # Errors
    ///
    /// As what is asked.
    pub fn ask<T>(&mut self, mut ask: impl FnMut(&mut Self) -> Result<T, AuditError>) -> Result<T, AuditError> {
        match ask(self) {
            Err(fault @ AuditError::Lost { .. }) if !self.is_anew.get() => {
                let StorePlace::Server(address) = &self.place else { return Err(fault) };
                self.db = Db::Server(Box::new(Server::connect(address)?));
                self.names.clear();
                self.is_anew.set(true);
                ask(self)
            }
            answer => answer,
        }
    }

    /// Puts what still stands in the log into the file, so that the file alone is the store, and lets the log begin anew, unless others
    /// use it at this moment. A server does so itself.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn settle(&self) -> Result<(), AuditError> {
        match &self.db {
            Db::File(connection) => file::settle(connection),
            Db::Server(_) => Ok(()),
        }
    }

    /// Settles where the log is so long that whoever opens the store next would be held up by reading it.
    ///
    /// # Errors
    ///
    /// As `settle`.
    pub fn settle_if_long(&self) -> Result<(), AuditError> {
        if self.place.file().is_some_and(file::has_long_log) { self.settle() } else { Ok(()) }
    }
}
