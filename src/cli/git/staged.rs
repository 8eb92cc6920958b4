//! What git has staged: the texts that the next commit changes, as they stand in the index and not in the working tree.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::git::index::{self, Indexed};
use crate::cli::git::objects::Objects;
use crate::cli::git::{LINK, REPOSITORY, ask, git, top, unasked};
use crate::cli::settings::Settings;
use crate::format::registry as formats;
use crate::input::list;
use crate::input::walk::Found;
use crate::subject::passed::Passed;
use crate::subject::{Reason, Undetermined};
use crate::value::source::{SourceName, shown};

/// The changes in full: everything that the commit will hold and the last one does not, whatever the settings of git say.
const CHANGES: [&str; 11] = [
    "diff",
    "--cached",
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
    "--no-relative",
    "--no-ext-diff",
    "--no-color",
    "--ignore-submodules=none",
    "--diff-filter=ACMRT",
];
/// How many links may lead to one another.
const MOST_LINKS: usize = 8;
/// Largest text of a link that is read, in bytes.
const LONGEST_LINK: u64 = 4_096;

/// Everything that is staged, in the order of the index. It is read only as it is asked for.
///
/// # Errors
///
/// When git cannot be run, or there is no repository.
pub fn found(settings: &Settings) -> Result<impl Iterator<Item = Found> + '_, Failure> {
    // Outside a repository git would take the question for another one.
    ask(git(&["rev-parse", "--git-dir"])).map_err(failed)?;
    let mut entries = changes(&ask(git(&CHANGES)).map_err(failed)?);
    let staged: HashSet<PathBuf> = entries.iter().map(|entry| entry.path.clone()).collect();
    let others = index::entries(&top()?).map_err(failed)?;
    let mut objects = Objects::open().map_err(|error| failed(unasked(&error)))?;
    entries.extend(links_to(&staged, &others, &mut objects));
    entries.retain(|entry| !settings.walk.excludes_named(&entry.path));
    let mut index =
        Index { objects, staged, limit: settings.scanner.read.limits.file_size, takes_all: settings.scanner.language.is_some() };
    Ok(entries.into_iter().flat_map(move |entry| index.found(&entry)))
}

/// An entry of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    mode: String,
    object: String,
    /// From the top of the repository.
    path: PathBuf,
}

fn failed(detail: String) -> Failure {
    Failure::Staged { detail }
}

/// Reads `:100644 100755 old new M` and paths, all ended by NULs.
fn changes(raw: &[u8]) -> Vec<Entry> {
    let fields = list::paths(raw);
    let entry = |pair: &[PathBuf]| {
        let [about, path] = pair else { return None };
        let mut words = about.to_str()?.split(' ');
        Some(Entry { mode: words.nth(1)?.to_owned(), object: words.nth(1)?.to_owned(), path: path.clone() })
    };
    fields.chunks(2).filter_map(entry).collect()
}

/// Links that are not staged themselves and lead to what is: they stand for it, and may claim another kind.
fn links_to(staged: &HashSet<PathBuf>, all: &[Indexed], objects: &mut Objects) -> Vec<Entry> {
    let mut read = |link: &Indexed| {
        let (text, _) = objects.read(&link.object, LONGEST_LINK).ok()?;
        joined(&link.path, &list::paths(&[text.as_slice(), &[0]].concat()).into_iter().next()?)
    };
    let links = all.iter().filter(|entry| entry.mode == LINK);
    let targets: HashMap<&Path, PathBuf> = links.clone().filter_map(|link| Some((link.path.as_path(), read(link)?))).collect();
    let leads_to_staged = |link: &&Indexed| {
        let way = std::iter::successors(Some(link.path.as_path()), |path| targets.get(path).map(PathBuf::as_path));
        way.skip(1).take(MOST_LINKS).any(|path| staged.contains(path))
    };
    let found = links.filter(|link| !staged.contains(&link.path)).filter(leads_to_staged);
    found.map(|link| Entry { mode: link.mode.clone(), object: link.object.clone(), path: link.path.clone() }).collect()
}

/// The index of a repository, as far as it is read.
struct Index {
    objects: Objects,
    staged: HashSet<PathBuf>,
    limit: u64,
    takes_all: bool,
}

/// Something staged that its name tells not to be read.
fn passed_over(name: SourceName) -> Found {
    let kind = formats::without_reader(name.path()).unwrap_or(Passed::Other);
    Found::LeftOut(name, kind)
}

impl Index {
    fn found(&mut self, entry: &Entry) -> Vec<Found> {
        let name = SourceName::walked(&entry.path);
        match entry.mode.as_str() {
            REPOSITORY => vec![Found::LeftOut(name, Passed::Other)],
            LINK => self.link(entry, name),
            _ if self.takes_all || kind(&entry.path).is_some() => vec![self.given(&entry.object, name)],
            _ => vec![passed_over(name)],
        }
    }

    fn given(&mut self, object: &str, name: SourceName) -> Found {
        self.objects.given(object, name, self.limit)
    }

    /// What a link stands for: the file of the index that it leads to, under the link's name, and under its own if that claims
    /// another kind and is not staged itself.
    fn link(&mut self, entry: &Entry, name: SourceName) -> Vec<Found> {
        let target = match self.target(entry) {
            Ok(target) => target,
            Err(_) if kind(&entry.path).is_none() && !self.takes_all => return vec![passed_over(name)],
            Err(undetermined) => return vec![Found::Unwalkable(name, undetermined)],
        };
        let (own, of_target) = (kind(&entry.path), kind(&target.path));
        let mut found = Vec::new();
        if own.is_some() || self.takes_all {
            found.push(self.given(&target.object, name));
        }
        if of_target.is_some() && own != of_target && !self.staged.contains(&target.path) {
            found.push(self.given(&target.object, SourceName::walked(&target.path)));
        }
        found
    }

    fn target(&mut self, entry: &Entry) -> Result<Entry, Undetermined> {
        let mut entry = entry.clone();
        for _ in 0..MOST_LINKS {
            let text = self.objects.read(&entry.object, LONGEST_LINK);
            let (text, _) = text.map_err(|error| Undetermined::new(Reason::Unreadable, format!("git: {error}")))?;
            let nowhere = || {
                let text = shown(&String::from_utf8_lossy(&text));
                Undetermined::new(Reason::Missing, format!("a link to `{text}`, which is no file in the index"))
            };
            let next = list::paths(&[text.as_slice(), &[0]].concat())
                .into_iter()
                .next()
                .and_then(|target| joined(&entry.path, &target))
                .ok_or_else(nowhere)?;
            entry = lookup(&next).ok_or_else(nowhere)?;
            if entry.mode != LINK {
                return Ok(entry);
            }
        }
        Err(Undetermined::new(Reason::Missing, format!("a link to a link, more than {MOST_LINKS} times")))
    }
}

fn kind(path: &Path) -> Option<&'static str> {
    formats::by_path(path).map(|recognised| recognised.language.name())
}

/// Where a link leads, from the top of the repository; nowhere, where that is outside.
fn joined(link: &Path, target: &Path) -> Option<PathBuf> {
    let mut joined = link.parent()?.to_path_buf();
    for component in target.components() {
        match component {
            Component::Normal(name) => joined.push(name),
            Component::CurDir => {}
            Component::ParentDir if joined.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(joined)
}

/// The file of this name in the index.
fn lookup(path: &Path) -> Option<Entry> {
    let mut pathspec = OsString::from(":(top,literal)");
    pathspec.push(path);
    let output = git(&["ls-files", "--stage", "-z", "--full-name", "--"]).arg(pathspec).output().ok()?;
    // `100644 object 0<tab>path`, ended by a NUL.
    let listed = output.stdout.split(|byte| *byte == 0).next()?;
    let at = listed.iter().position(|byte| *byte == b'\t')?;
    let mut words = std::str::from_utf8(listed.get(..at)?).ok()?.split(' ');
    let own = list::paths(&[listed.get(at + 1..)?, &[0]].concat()).pop()?;
    let entry = Entry { mode: words.next()?.to_owned(), object: words.next()?.to_owned(), path: own };
    // Of a folder all files are listed.
    (entry.path == path && entry.mode != REPOSITORY).then_some(entry)
}
