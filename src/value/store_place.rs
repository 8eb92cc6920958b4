//! Where a store of evaluations is: a file, or a server.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// How addresses of servers begin.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Where a store is. It is shown without its password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorePlace {
    /// A file of this machine.
    File(PathBuf),
    /// A PostgreSQL server.
    Server(ServerAddress),
}

/// The address of a server, as it was written; nothing shows its password.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerAddress(String);

impl StorePlace {
    /// The place that somebody named: an address begins with its scheme, anything else is a file.
    pub fn named(name: &OsStr) -> Self {
        let address = name.to_str().filter(|name| SCHEMES.iter().any(|scheme| name.to_ascii_lowercase().starts_with(scheme)));
        address.map_or_else(|| Self::File(PathBuf::from(name)), |address| Self::Server(ServerAddress(address.to_owned())))
    }

    /// The place that a settings file in this folder names.
    pub fn named_in(folder: &Path, name: &Path) -> Self {
        match Self::named(name.as_os_str()) {
            Self::File(file) => Self::File(folder.join(file)),
            server @ Self::Server(_) => server,
        }
    }

    /// The file, where it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(file) => Some(file),
            Self::Server(_) => None,
        }
    }
}

impl ServerAddress {
    /// The whole address, with its password: for whoever connects, and nobody else.
    pub fn with_password(&self) -> &str {
        &self.0
    }

    /// The scheme, the user, the hosts and the database; nothing of what cannot be told from a password.
    fn without_password(&self) -> Option<String> {
        let (scheme, rest) = self.0.split_once("://")?;
        let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = before.split_once('/').unwrap_or((before, ""));
        let (user, hosts) = authority.rsplit_once('@').unwrap_or(("", authority));
        let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
        let has_ports = hosts.split(',').all(|host| host.starts_with('[') || host.split_once(':').is_none_or(|(_, port)| is_port(port)));
        if !has_ports || [query, database].iter().any(|text| text.contains('@')) {
            return None;
        }
        let user = user.split_once(':').map_or(user, |(user, _)| user);
        let at = if user.is_empty() { "" } else { "@" };
        let slash = if database.is_empty() { "" } else { "/" };
        Some(format!("{scheme}://{user}{at}{hosts}{slash}{database}"))
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.without_password().as_deref().unwrap_or("postgres://…"))
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

impl fmt::Display for StorePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => write!(formatter, "{}", file.display()),
            Self::Server(address) => write!(formatter, "{address}"),
        }
    }
}

impl From<&Path> for StorePlace {
    fn from(file: &Path) -> Self {
        Self::File(file.to_path_buf())
    }
}

impl From<&PathBuf> for StorePlace {
    fn from(file: &PathBuf) -> Self {
        Self::File(file.clone())
    }
}

impl From<&Self> for StorePlace {
    fn from(place: &Self) -> Self {
        place.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for (written, shown) in [
            ("postgres://me:secret@db.example/audit", "postgres://me@db.example/audit"),
            ("postgresql://me:secret@a:5432,b:5433/audit?sslmode=require&password=secret", "postgresql://me@a:5432,b:5433/audit"),
            ("postgres://me@[::1]:5432/audit", "postgres://me@[::1]:5432/audit"),
            ("postgres:///audit?host=/run/postgresql", "postgres:///audit"),
            ("postgres://me:sec@ret@db/audit", "postgres://me@db/audit"),
            ("postgres://me:sec/secret@db/audit", "postgres://…"),
            ("postgres://me:sec?secret@db/audit", "postgres://…"),
            ("postgres://me:12?secret@db/audit", "postgres://…"),
        ] {
            let place = StorePlace::named(OsStr::new(written));
            assert_eq!((place.to_string().as_str(), format!("{place:?}").contains("secret")), (shown, false), "{written}");
        }
    }

    #[test]
    fn only_an_address_is_a_server() {
        let folder = Path::new("/etc/callgate");
        assert!(matches!(StorePlace::named_in(folder, Path::new("PostgreSQL://db/audit")), StorePlace::Server(_)));
        assert_eq!(StorePlace::named_in(folder, Path::new("audit.db")).file(), Some(Path::new("/etc/callgate/audit.db")));
        assert_eq!(StorePlace::named(OsStr::new("postgres.db")).file(), Some(Path::new("postgres.db")));
    }
}
