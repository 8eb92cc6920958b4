//! How much a path reaches that something is done to with all below it.

pub use crate::knowledge::reach::Reach;
use crate::knowledge::words::Tag;
use crate::subject::segment::HOLE;
use crate::value::words::words;

/// How much a path reaches. `folder` is where the command runs, where that is known.
pub fn reach(path: &str, folder: Option<&str>) -> Reach {
    let path = path.trim().trim_matches(['"', '\'']).replace('\\', "/");
    if path.is_empty() {
        return Reach::Unknown;
    }
    if let Some(reach) = by_variable(&path) {
        return reach;
    }
    let is_relative = !path.starts_with('/') && !path.starts_with('~') && !is_drive(&path);
    match folder {
        Some(folder) if is_relative => reach(&format!("{}/{path}", folder.trim_end_matches('/')), None),
        Some(_) | None => by_components(&path),
    }
}

/// The reach of a path that begins with a variable or with what is not known.
fn by_variable(path: &str) -> Option<Reach> {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let name = first.trim_start_matches(['$', '%', '{', '(']).trim_end_matches(['}', '%', ')']);
    let name = name.split([':', '-', '?']).next().unwrap_or(name);
    let is_variable = first.starts_with('$') || first.starts_with('%') && 1 < first.len() || first.starts_with(HOLE);
    if !is_variable {
        return None;
    }
    match name.to_ascii_uppercase().as_str() {
        "HOME" | "USERPROFILE" | "HOMEPATH" | "ENV:USERPROFILE" => return Some(by_components(&format!("~/{rest}"))),
        "SYSTEMDRIVE" | "SYSTEMROOT" | "WINDIR" | "ENV:SYSTEMROOT" => return Some(Reach::System),
        "PWD" => return Some(by_components(if rest.is_empty() { "." } else { rest })),
        _ => {}
    }
    let is_disposable = Tag::DisposableWord.has_any(words(name));
    let inner = components(rest);
    let is_scoped = inner.iter().any(|part| !is_wild(part) && !part.contains(HOLE) && part != "..");
    Some(match () {
        () if is_disposable || inner.iter().any(|part| Tag::DisposableFolder.has(part)) => Reach::Disposable,
        () if is_scoped => Reach::Scoped,
        () => Reach::Unknown,
    })
}

fn by_components(path: &str) -> Reach {
    let parts = components(path);
    let concrete: Vec<&str> = parts.iter().map(String::as_str).take_while(|part| !is_wild(part)).collect();
    let is_wild_end = concrete.len() < parts.len();
    if path.starts_with('/') || is_drive(path) {
        let inner = if is_drive(path) { concrete.get(1..).unwrap_or_default() } else { &concrete };
        return absolute(inner);
    }
    if path.starts_with('~') {
        return home(concrete.get(1..).unwrap_or_default());
    }
    match concrete.first() {
        None if parts.first().is_none_or(|part| matches!(part.as_str(), "*" | "**" | ".*")) => Reach::Here,
        Some(&"..") if concrete.iter().all(|part| *part == "..") => Reach::Here,
        _ if concrete.iter().any(|part| is_disposable(part)) => Reach::Disposable,
        Some(first) if Tag::StoreFolder.has(first) && (concrete.len() == 1 || is_wild_end) => Reach::Store,
        Some(_) | None => Reach::Scoped,
    }
}

/// How files end that tell that a program runs.
const RUNNING: [&str; 3] = [".lock", ".pid", ".sock"];

fn absolute(parts: &[&str]) -> Reach {
    let Some((first, inner)) = parts.split_first() else { return Reach::Root };
    let first = first.to_ascii_lowercase();
    match first.as_str() {
        "tmp" => Reach::Disposable,
        // What a program that runs says of itself there is made anew when it starts.
        "run" if inner.last().is_some_and(|last| RUNNING.iter().any(|end| last.ends_with(end))) => Reach::Disposable,
        first if Tag::SystemFolder.has(first) => Reach::System,
        "home" | "users" | "root" | "documents and settings" => {
            home(if first == "root" { inner } else { inner.get(1..).unwrap_or_default() })
        }
        _ if inner.iter().any(|part| is_disposable(part)) => Reach::Disposable,
        "var" => match inner.first() {
            None => Reach::Data,
            Some(first) if Tag::VarFolder.has(first) => Reach::Data,
            Some(_) => Reach::Scoped,
        },
        first if Tag::DataFolder.has(first) && inner.len() < 2 => Reach::Data,
        _ if first.contains(HOLE) && inner.is_empty() => Reach::Unknown,
        _ => Reach::Scoped,
    }
}

/// The reach of a path below a home folder.
fn home(inner: &[&str]) -> Reach {
    match inner.first() {
        None => Reach::Home,
        Some(_) if inner.iter().any(|part| is_disposable(part)) => Reach::Disposable,
        Some(first) if Tag::PersonalFolder.has(&first.to_ascii_lowercase()) && inner.len() == 1 => Reach::Home,
        Some(_) => Reach::Scoped,
    }
}

/// The parts of a path, with `.` and `..` worked in.
fn components(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let is_rooted = path.starts_with('/');
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        let is_up = part == ".." && parts.last().map_or(is_rooted, |last| last != "..");
        if is_up {
            parts.pop();
        } else {
            parts.push(part.to_owned());
        }
    }
    parts
}

fn is_drive(path: &str) -> bool {
    let mut bytes = path.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic()) && bytes.next() == Some(b':') && matches!(bytes.next(), None | Some(b'/'))
}

/// Returns true if and only if a part of a path stands for many: `*`, `{a,b}`, `.*`, `*.*`.
fn is_wild(part: &str) -> bool {
    matches!(part, "*" | "**" | ".*" | "*.*" | ".[!.]*" | ".??*" | "?*") || part.starts_with('{')
}

fn is_disposable(part: &str) -> bool {
    let part = part.to_ascii_lowercase();
    Tag::DisposableFolder.has(&part) || ["tmp-", "tmp_", "tmp.", "temp-", "cmake-build"].iter().any(|prefix| part.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_reach_as_far_as_people_see() {
        for (path, expected) in [
            ("/", Reach::Root),
            ("/*", Reach::Root),
            ("/tmp/..", Reach::Root),
            ("//", Reach::Root),
            ("C:\\", Reach::Root),
            ("C:\\*.*", Reach::Root),
            ("/etc", Reach::System),
            ("/usr/lib/x", Reach::System),
            ("/run/lock/nightly.lock", Reach::Disposable),
            ("/run/systemd", Reach::System),
            ("C:\\Windows\\Temp\\..", Reach::System),
            ("~", Reach::Home),
            ("~/", Reach::Home),
            ("$HOME/*", Reach::Home),
            ("/home/ada", Reach::Home),
            ("/Users/*", Reach::Home),
            ("/root", Reach::Home),
            ("~/.ssh", Reach::Home),
            ("~/notes/old", Reach::Scoped),
            ("~/.cache/pip", Reach::Disposable),
            ("/var/lib/postgresql", Reach::Data),
            ("/data", Reach::Data),
            ("/mnt/backup", Reach::Data),
            ("/srv/app/releases/2021", Reach::Scoped),
            ("/opt/app/dist", Reach::Disposable),
            ("*", Reach::Here),
            ("./*", Reach::Here),
            (".", Reach::Here),
            ("../..", Reach::Here),
            ("*.log", Reach::Scoped),
            ("src/old.js", Reach::Scoped),
            ("./dist", Reach::Disposable),
            ("packages/a/node_modules", Reach::Disposable),
            ("/tmp/job-7", Reach::Disposable),
            ("data", Reach::Store),
            ("data/one.json", Reach::Scoped),
            ("$DIR", Reach::Unknown),
            ("\u{1a}/*", Reach::Unknown),
            ("$DIR/reports", Reach::Scoped),
            ("$TMPDIR", Reach::Disposable),
            ("${BUILD_DIR:?}/x", Reach::Disposable),
        ] {
            assert_eq!(reach(path, None), expected, "{path}");
        }
        assert_eq!(reach("*", Some("dist")), Reach::Disposable);
        assert_eq!(reach("*", Some("/")), Reach::Root);
        assert_eq!(reach("../*", Some("/tmp")), Reach::Root);
    }
}
