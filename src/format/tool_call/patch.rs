//! Patches as agents write them: `*** Begin Patch`, `*** Add File: path`, lines with `+`.

use crate::subject::enclosed::Enclosed;
use crate::value::offset_map::OffsetMap;
use crate::value::span::Span;

/// The first line of a patch.
pub const MARK: &str = "*** Begin Patch";

/// What a patch leaves of a file, as far as it says.
pub struct Patched<'p> {
    /// The file's path.
    pub path: &'p str,
    /// Its lines that are new, and those around them.
    pub text: Enclosed,
    /// It is all of the file.
    pub is_whole: bool,
}

/// What stands before the path of a file in a patch.
const FILES: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

/// The paths of all files that a patch changes.
pub fn paths(patch: &str) -> impl Iterator<Item = &str> {
    let is_patch = patch.contains(MARK);
    let path = |line: &'_ str| FILES.iter().find_map(|mark| line.trim_start().strip_prefix(mark)).map(str::len);
    patch.lines().filter(move |_| is_patch).filter_map(move |line| line.get(line.len() - path(line)?..)).map(str::trim)
}

/// The files of a patch, whose parts stand where the map says; each stretch of a changed file stands for itself.
pub fn files<'p>(patch: &'p str, map: &OffsetMap) -> Vec<Patched<'p>> {
    let mut files: Vec<Patched<'p>> = Vec::new();
    let mut at = 0;
    for line in patch.split_inclusive('\n') {
        let (start, words) = (at, line.trim_end());
        at += line.len();
        let added = words.strip_prefix("*** Add File: ");
        if let Some(path) = added.or(words.strip_prefix("*** Update File: ")).or(words.strip_prefix("*** Move to: ")) {
            files.push(Patched { path: path.trim(), text: Enclosed::default(), is_whole: added.is_some() });
        } else if words.starts_with("***") {
            continue;
        } else if let Some(file) = files.last_mut() {
            let is_hunk = !file.is_whole && words.starts_with("@@");
            match line.get(1..) {
                Some(_) if is_hunk && !file.text.text.is_empty() => {
                    let path = file.path;
                    files.push(Patched { path, text: Enclosed::default(), is_whole: false });
                }
                Some(rest) if !is_hunk && line.starts_with(['+', ' ']) => {
                    let place = OffsetMap::verbatim(Span::from_offsets(start + 1, start + 1 + rest.len())).within(map);
                    file.text.map.append(file.text.text.len(), &place);
                    file.text.text.push_str(rest);
                }
                Some(_) | None => {}
            }
        }
    }
    files.retain(|file| !file.text.text.is_empty());
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_lines_of_each_file_are_read_with_their_places() {
        let patch = "*** Begin Patch\n*** Add File: a.js\n+one();\n+two();\n*** Update File: b.ts\n@@\n-old();\n+new();\n same();\n@@ x\n+last();\n*** End Patch\n";
        let files = files(patch, &OffsetMap::verbatim(Span::from_offsets(0, patch.len())));
        let told: Vec<(&str, &str, bool)> = files.iter().map(|file| (file.path, file.text.text.as_str(), file.is_whole)).collect();
        assert_eq!(told, [("a.js", "one();\ntwo();\n", true), ("b.ts", "new();\nsame();\n", false), ("b.ts", "last();\n", false)]);
        let at = files[0].text.text.find("two").expect("it is there");
        assert_eq!(files[0].text.map.span(Span::from_offsets(at, at + 3)).slice(patch), "two");
    }
}
