//! The globs of one ignore file.
//!
//! Few are compiled together, as one automaton that tries them all at once. It takes kilobytes a glob, so of many only those are
//! compiled that may match: each is filed under a piece of text that must stand in what it matches.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// How many globs are compiled together.
const FEW: usize = 1_000;
/// The longest piece of text under which a glob is filed, in bytes.
const PIECE: usize = 4;

/// The globs of one ignore file.
pub enum Globs {
    /// Few of them.
    Together(Gitignore),
    /// Many of them.
    Apart(Apart),
}

/// Many globs, compiled one by one when they are asked for.
pub struct Apart {
    folder: PathBuf,
    lines: Vec<String>,
    compiled: Vec<OnceLock<Option<Box<Gitignore>>>>,
    /// By a piece of text, the positions of the globs that match nothing without it.
    filed: HashMap<Box<[u8]>, Vec<usize>>,
    /// The positions of those that need no piece of text.
    others: Vec<usize>,
}

impl Globs {
    /// The globs of an ignore file of this folder.
    pub fn of(folder: &Path, text: &str) -> Option<Self> {
        if text.lines().count() <= FEW {
            compiled(folder, text.lines()).map(Self::Together)
        } else {
            Some(Self::Apart(Apart::of(folder, text)))
        }
    }

    /// Whether to pass over what lies there; nothing, where no glob says anything about it.
    pub fn says(&self, path: &Path, is_folder: bool) -> Option<bool> {
        match self {
            Self::Together(globs) => answer(&globs.matched(path, is_folder)),
            Self::Apart(globs) => globs.says(path, is_folder),
        }
    }
}

impl Apart {
    fn of(folder: &Path, text: &str) -> Self {
        let lines: Vec<String> = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(str::to_owned).collect();
        let mut filed: HashMap<Box<[u8]>, Vec<usize>> = HashMap::new();
        let mut others = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            match piece(line) {
                Some(piece) => filed.entry(Box::from(piece)).or_default().push(at),
                None => others.push(at),
            }
        }
        let compiled = lines.iter().map(|_| OnceLock::new()).collect();
        Self { folder: folder.to_path_buf(), lines, compiled, filed, others }
    }

    fn says(&self, path: &Path, is_folder: bool) -> Option<bool> {
        let text = path.strip_prefix(&self.folder).unwrap_or(path).to_string_lossy();
        let bytes = text.as_bytes();
        let mut candidates = self.others.clone();
        for length in 1..=PIECE {
            candidates.extend(bytes.windows(length).filter_map(|piece| self.filed.get(piece)).flatten());
        }
        candidates.sort_unstable();
        candidates.dedup();
        // The last one that matches decides.
        candidates.into_iter().rev().find_map(|at| answer(&self.one(at)?.matched(path, is_folder)))
    }

    fn one(&self, at: usize) -> Option<&Gitignore> {
        let line = self.lines.get(at)?;
        self.compiled.get(at)?.get_or_init(|| compiled(&self.folder, std::iter::once(line.as_str())).map(Box::new)).as_deref()
    }
}

fn compiled<'l>(folder: &Path, lines: impl Iterator<Item = &'l str>) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    for line in lines {
        // A line that is no glob ignores nothing.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}

/// The end of the longest text without a wildcard that stands before all classes, choices and escapes of a glob.
fn piece(line: &str) -> Option<&[u8]> {
    let plain = line.split(['[', ']', '{', '}', '\\']).next().unwrap_or_default();
    let runs = plain.trim().trim_start_matches('!').split(['*', '?', '/']);
    let longest = runs.max_by_key(|run| run.len()).filter(|run| !run.is_empty())?.as_bytes();
    longest.get(longest.len().saturating_sub(PIECE)..)
}

/// What a matcher answers: whether to pass over it.
pub fn answer<T>(matched: &Match<T>) -> Option<bool> {
    match matched {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_globs_say_what_few_say() {
        let lines = ["*.log", "!keep.log", "/build", "docs/**/a?c.md", "x[0-9]", "\\!odd", "tmp/", "*", "!*.js", "{a,b}.ts", "deep/*", " "];
        let few = lines.join("\n");
        let filler: String = (0..FEW).map(|nth| format!("filler-{nth}/*.none\n")).collect();
        let folder = Path::new("/w");
        for count in 1..=lines.len() {
            let few = few.lines().take(count).collect::<Vec<_>>().join("\n");
            let together = Globs::of(folder, &few).expect("globs compile");
            let apart = Globs::of(folder, &format!("{filler}{few}")).expect("globs compile");
            assert!(matches!((&together, &apart), (Globs::Together(_), Globs::Apart(_))));
            for path in [
                "a.log",
                "keep.log",
                "b/keep.log",
                "build",
                "b/build",
                "docs/x/y/abc.md",
                "x5",
                "xx",
                "!odd",
                "tmp",
                "a.js",
                "b.ts",
                "deep/x",
            ] {
                for is_folder in [false, true] {
                    let path = folder.join(path);
                    assert_eq!(apart.says(&path, is_folder), together.says(&path, is_folder), "{count} {}", path.display());
                }
            }
        }
    }
}
