//! The file in which users of PostgreSQL keep their passwords: `~/.pgpass`, or the one that `PGPASSFILE` names.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use postgres::Config;
use postgres::config::Host;

/// What names the file, if it is another one.
const VARIABLE: &str = "PGPASSFILE";
/// Largest file that is read, in bytes.
const LARGEST: u64 = 1024 * 1024;
/// The port of a server where the address names none.
const PORT: u16 = 5_432;

/// Who wants to be let in where, as a line of the file says it.
struct Wanted {
    /// The host; for a socket also what stands for this machine.
    hosts: Vec<String>,
    port: String,
    database: String,
    user: String,
}

/// The password that the user's file has for a server; none, where there is no such file, or others may read it.
pub fn password(config: &Config) -> Option<String> {
    let path = place()?;
    if !is_private(&path) {
        return None;
    }
    let mut text = String::new();
    fs::File::open(&path).ok()?.take(LARGEST).read_to_string(&mut text).ok()?;
    let user = config.get_user().map(str::to_owned).or_else(|| std::env::var("USER").ok())?;
    let hosts = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => vec![name.clone()],
        #[cfg(unix)]
        Some(Host::Unix(folder)) => vec![folder.display().to_string(), "localhost".to_owned()],
        None => vec!["localhost".to_owned()],
    };
    let port = config.get_ports().first().copied().unwrap_or(PORT).to_string();
    let database = config.get_dbname().unwrap_or(&user).to_owned();
    of_text(&text, &Wanted { hosts, port, database, user })
}

fn place() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let usual = || match cfg!(windows) {
        true => variable("APPDATA").map(|folder| folder.join("postgresql").join("pgpass.conf")),
        false => variable("HOME").map(|home| home.join(".pgpass")),
    };
    variable(VARIABLE).or_else(usual)
}

/// Whether it is a file that its owner alone may read, as every program that reads it demands.
#[cfg(unix)]
fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn is_private(path: &Path) -> bool {
    path.is_file()
}

/// The password of the first line that fits.
fn of_text(text: &str, wanted: &Wanted) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = fields(line);
        let [host, port, database, user, password] = fields.as_slice() else { return None };
        let fits = |field: &Field, wanted: &str| field.is_any || field.text == wanted;
        let is_host = wanted.hosts.iter().any(|wanted| fits(host, wanted));
        let is_it = is_host && fits(port, &wanted.port) && fits(database, &wanted.database) && fits(user, &wanted.user);
        is_it.then(|| password.text.clone())
    })
}

/// What stands between two colons.
#[derive(Default)]
struct Field {
    text: String,
    /// It is a bare `*`, which fits everything.
    is_any: bool,
}

/// The five fields of a line. A backslash stands before a colon or a backslash that is meant.
fn fields(line: &str) -> Vec<Field> {
    let mut fields = vec![Field::default()];
    let mut characters = line.chars().peekable();
    let mut raw = String::new();
    while let Some(character) = characters.next() {
        let Some(field) = fields.last_mut() else { break };
        match character {
            ':' => {
                field.is_any = raw == "*";
                raw.clear();
                fields.push(Field::default());
            }
            '\\' if characters.peek().is_some() => {
                raw.push(character);
                field.text.extend(characters.next());
            }
            _ => {
                raw.push(character);
                field.text.push(character);
            }
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let text = "# note\n\ndb.example:5433:audit:me:other port\ndb.example:*:audit:me:a\\:b\\\\c\n*:*:*:you:yours\nlocalhost:5432:*:me:here\nshort:1\n";
        let told = |hosts: &[&str], port: &str, database: &str, user: &str| {
            let hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
            of_text(text, &Wanted { hosts, port: port.to_owned(), database: database.to_owned(), user: user.to_owned() })
        };
        assert_eq!(told(&["db.example"], "5432", "audit", "me").as_deref(), Some("a:b\\c"));
        assert_eq!(told(&["db.example"], "5433", "audit", "me").as_deref(), Some("other port"));
        assert_eq!(told(&["db.example"], "5432", "audit", "you").as_deref(), Some("yours"));
        assert_eq!(told(&["/run/postgresql", "localhost"], "5432", "x", "me").as_deref(), Some("here"));
        assert_eq!(told(&["db.example"], "5432", "other", "me"), None);
        assert_eq!(told(&["*"], "5432", "audit", "me"), None);
    }
}
