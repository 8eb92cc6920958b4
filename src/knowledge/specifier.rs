//! Packages by the texts under which scripts import them.

/// Ways in which a package of npm is named elsewhere than in Node.js: Deno, Bun, and servers of modules.
const PREFIXES: &[&str] =
    &["npm:/", "npm:", "https://esm.sh/", "https://cdn.skypack.dev/", "https://cdn.jsdelivr.net/npm/", "https://unpkg.com/", "node:"];

/// The name of a module without the way to it and without a version: `npm:@octokit/rest@20/x` is `@octokit/rest/x`.
pub fn module_name(specifier: &str) -> String {
    let Some(name) = PREFIXES.iter().find_map(|prefix| specifier.strip_prefix(prefix)) else { return specifier.to_owned() };
    let parts = name.split('/').enumerate().map(|(at, part)| {
        // The first `@` of a scope is part of its name.
        let start = usize::from(at == 0 && part.starts_with('@'));
        let end = part.get(start..).and_then(|rest| rest.find('@')).map_or(part.len(), |found| start + found);
        part.get(..end).unwrap_or(part).split('?').next().unwrap_or_default()
    });
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_one_name() {
        for (specifier, expected) in [
            ("npm:stripe@14", "stripe"),
            ("npm:@octokit/rest@20.1.0", "@octokit/rest"),
            ("https://esm.sh/@supabase/supabase-js@2?dts", "@supabase/supabase-js"),
            ("node:fs/promises", "fs/promises"),
            ("./npm:x", "./npm:x"),
            ("@octokit/rest", "@octokit/rest"),
        ] {
            assert_eq!(module_name(specifier), expected, "{specifier}");
        }
    }
}
