//! How much a path reaches that something is done to with all below it.

pub use crate::knowledge::row::term::Reach;

impl Reach {
    /// What it is, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Disposable => "something disposable",
            Self::Scoped => "one place",
            Self::Unknown => "a place that is not known before it runs",
            Self::Store => "a folder of data",
            Self::Here => "everything in the folder where it runs",
            Self::Data => "a data folder of the machine",
            Self::Home => "a home folder",
            Self::System => "a folder of the system",
            Self::Root => "the whole file system",
        }
    }
}
