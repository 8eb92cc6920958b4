//! Finds the files to judge, in a fixed order: those that are named, and those in folders. Each comes once, whatever names
//! lead to it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::input::folder::FolderWalk;
use crate::input::identity::plain;
use crate::input::walk::{Found, Given, WalkOptions, names};
use crate::subject::passed::Passed;
use crate::value::source::SourceName;

/// Everything that the roots lead to, in order of the roots and of the names below them, links last. A file that several names
/// lead to comes once, under the first of them; under two, where they claim different kinds.
pub fn walk<'o>(roots: &'o [PathBuf], options: &'o WalkOptions) -> impl Iterator<Item = Found> + 'o {
    Walk::new(roots, options)
}

/// A file and the kind that a name of it claims.
type Reading = (PathBuf, Option<&'static str>);

struct Walk<'o> {
    options: &'o WalkOptions,
    roots: std::slice::Iter<'o, PathBuf>,
    /// The folders that were named, in their plain form: a link that leads into one is followed.
    named_folders: Vec<PathBuf>,
    /// The files that were named themselves: a walk leaves them to their names, because what is named is held to more.
    named_files: HashSet<Reading>,
    walked: HashSet<PathBuf>,
    seen: HashSet<Reading>,
    left_out: HashSet<PathBuf>,
    folder: Option<FolderWalk>,
    waiting: Vec<(Found, PathBuf)>,
}

impl<'o> Walk<'o> {
    fn new(roots: &'o [PathBuf], options: &'o WalkOptions) -> Self {
        let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) = roots.iter().partition(|root| root.is_dir());
        let named = files.into_iter().filter(|file| !options.listed.contains(*file));
        let readings = |file: &PathBuf| names(file, options).into_iter().map(|name| (plain(&name), (options.kind_of)(&name)));
        let named_files = named.flat_map(readings).collect();
        Self {
            options,
            roots: roots.iter(),
            named_folders: folders.into_iter().map(|folder| plain(folder)).collect(),
            named_files,
            walked: HashSet::new(),
            seen: HashSet::new(),
            left_out: HashSet::new(),
            folder: None,
            waiting: Vec::new(),
        }
    }

    /// Begins with a root: a folder is walked, anything else is a file.
    fn begin(&mut self, root: &'o Path) {
        if root.is_dir() {
            if self.walked.insert(plain(root)) {
                self.folder = Some(FolderWalk::new(root, self.options));
            }
            return;
        }
        let is_excluded = |name: &Path| self.options.force_exclude && self.options.excludes_named(name);
        let is_listed = self.options.listed.contains(root);
        let source = |name: PathBuf| if is_listed { SourceName::walked(name) } else { SourceName::explicit(name) };
        let found = |name: PathBuf| match is_excluded(root) || is_excluded(&name) {
            true => Found::LeftOut(source(name), Passed::Excluded),
            false => Found::File(source(name)),
        };
        self.waiting = names(root, self.options).into_iter().map(|name| (found(name), plain(root))).collect();
        self.waiting.reverse();
    }

    /// Whether something was not come upon before.
    fn is_first(&mut self, found: &Found, plain_name: PathBuf) -> bool {
        let (Found::File(name)
        | Found::Handed { name, .. }
        | Found::Unwalkable(name, _)
        | Found::LeftOut(name, _)
        | Found::Given(Given { name, .. })) = found;
        let reading = (plain_name, (self.options.kind_of)(name.path()));
        if !name.explicit && self.named_files.contains(&reading) {
            return false;
        }
        match found {
            // Another root may lead to what one leaves out.
            Found::LeftOut(..) => self.left_out.insert(reading.0),
            Found::File(_) | Found::Handed { .. } | Found::Unwalkable(..) | Found::Given(_) => self.seen.insert(reading),
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let (found, plain_name) = match (self.waiting.pop(), &mut self.folder) {
                (Some(found), _) => found,
                (None, Some(folder)) => match folder.next(self.options, &self.named_folders) {
                    Some(found) => found,
                    None => {
                        self.folder = None;
                        continue;
                    }
                },
                (None, None) => {
                    let root = self.roots.next()?;
                    self.begin(root);
                    continue;
                }
            };
            if self.is_first(&found, plain_name) {
                return Some(found);
            }
        }
    }
}
