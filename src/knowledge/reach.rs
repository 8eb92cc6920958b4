//! How much a path reaches that something is done to with all below it.

/// How much a path reaches, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// Something that is made anew when it is needed: a build folder, a cache, a temporary file.
    Disposable,
    /// One known place.
    Scoped,
    /// Nobody knows before it runs.
    Unknown,
    /// A folder of the project that holds data.
    Store,
    /// Everything where the script happens to run.
    Here,
    /// A folder in which a machine keeps data: databases, logs, mounted volumes.
    Data,
    /// Somebody's home, or what makes it theirs.
    Home,
    /// The system itself.
    System,
    /// Everything.
    Root,
}

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
