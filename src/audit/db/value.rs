//! What goes into a statement, and what comes out of a row: the same for all databases.

use std::borrow::Cow;

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};

use crate::audit::AuditError;

/// A value in a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'v> {
    /// Nothing.
    Null,
    /// A whole number, or whether something is so (0 and 1).
    Int(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(Cow<'v, str>),
    /// Bytes.
    Bytes(Cow<'v, [u8]>),
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        Self::Int(i64::from(number))
    }
}

impl From<bool> for Value<'_> {
    fn from(is_so: bool) -> Self {
        Self::Int(i64::from(is_so))
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'v, const N: usize> From<&'v [u8; N]> for Value<'v> {
    fn from(bytes: &'v [u8; N]) -> Self {
        Self::Bytes(Cow::Borrowed(bytes))
    }
}

impl From<Vec<u8>> for Value<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(Cow::Owned(bytes))
    }
}

impl<T> From<Option<T>> for Value<'_>
where
    Self: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::from)
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// What stands in a column of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Datum<'r> {
    /// Nothing.
    Null,
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(&'r str),
    /// Bytes.
    Bytes(&'r [u8]),
}

/// A row of an answer.
pub enum Row<'r> {
    /// Of a file.
    File(&'r rusqlite::Row<'r>),
    /// Of a server.
    #[cfg(feature = "postgres")]
    Server(&'r postgres::Row),
}

impl Row<'_> {
    /// What stands in a column, counted from 0.
    ///
    /// # Errors
    ///
    /// When it is no such value.
    pub fn get<T: Cell>(&self, at: usize) -> Result<T, AuditError> {
        let datum = match self {
            Self::File(row) => match row.get_ref(at)? {
                ValueRef::Null => Datum::Null,
                ValueRef::Integer(number) => Datum::Int(number),
                ValueRef::Real(number) => Datum::Real(number),
                ValueRef::Text(text) => Datum::Text(std::str::from_utf8(text).map_err(|_| misfit(at))?),
                ValueRef::Blob(bytes) => Datum::Bytes(bytes),
            },
            #[cfg(feature = "postgres")]
            Self::Server(row) => row.try_get(at).map_err(|error| crate::audit::db::fault::fault(&error))?,
        };
        T::of(datum).ok_or_else(|| misfit(at))
    }
}

fn misfit(at: usize) -> AuditError {
    AuditError::Damaged(format!("column {} of a row holds what cannot stand there", at + 1))
}

/// What a column may be read as.
pub trait Cell: Sized {
    /// What it says, if it can say that.
    fn of(datum: Datum<'_>) -> Option<Self>;
}

impl Cell for i64 {
    fn of(datum: Datum<'_>) -> Option<Self> {
        if let Datum::Int(number) = datum { Some(number) } else { None }
    }
}

impl Cell for u64 {
    fn of(datum: Datum<'_>) -> Option<Self> {
        i64::of(datum).and_then(|number| Self::try_from(number).ok())
    }
}

impl Cell for u32 {
    fn of(datum: Datum<'_>) -> Option<Self> {
        i64::of(datum).and_then(|number| Self::try_from(number).ok())
    }
}

impl Cell for bool {
    fn of(datum: Datum<'_>) -> Option<Self> {
        i64::of(datum).map(|number| number != 0)
    }
}

impl Cell for f64 {
    fn of(datum: Datum<'_>) -> Option<Self> {
        match datum {
            Datum::Real(number) => Some(number),
            Datum::Int(number) => Some(number as Self),
            Datum::Null | Datum::Text(_) | Datum::Bytes(_) => None,
        }
    }
}

impl Cell for String {
    fn of(datum: Datum<'_>) -> Option<Self> {
        if let Datum::Text(text) = datum { Some(text.to_owned()) } else { None }
    }
}

impl<const N: usize> Cell for [u8; N] {
    fn of(datum: Datum<'_>) -> Option<Self> {
        if let Datum::Bytes(bytes) = datum { bytes.try_into().ok() } else { None }
    }
}

impl<T: Cell> Cell for Option<T> {
    fn of(datum: Datum<'_>) -> Option<Self> {
        if datum == Datum::Null { Some(None) } else { T::of(datum).map(Some) }
    }
}
