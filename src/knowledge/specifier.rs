//! Packages by the texts under which scripts import them.

use crate::knowledge::words::Tag;

/// Ways in which a package of npm is named elsewhere than in Node.js: Deno, Bun, and servers of modules.
const PREFIXES: &[&str] = &[
    "npm:/",
    "npm:",
    "https://esm.sh/",
    "https://cdn.skypack.dev/",
    "https://cdn.jsdelivr.net/npm/",
    "https://unpkg.com/",
    "jsr:/",
    "jsr:",
    "node:",
];

/// Packages that are a module of the runtime by another name.
const TWINS: &[(&str, &str)] = &[
    ("@std/path", "path"),
    ("@std/path/posix", "path/posix"),
    ("https://deno.land/std/path/mod.ts", "path"),
    ("https://deno.land/x/grammy/mod.ts", "grammy"),
    ("https://deno.land/x/hono/mod.ts", "hono"),
    ("https://deno.land/x/openai/mod.ts", "openai"),
    ("https://deno.land/x/postgresjs/mod.js", "postgres"),
    ("https://deno.land/x/puppeteer/mod.ts", "puppeteer"),
    ("https://deno.land/x/zod/mod.ts", "zod"),
    ("pathe", "path"),
    ("upath", "path"),
    ("path-browserify", "path"),
    ("fs-extra/esm", "fs-extra"),
];

/// Packages that give on other ones, as what, and which.
const GIVEN_ON: &[(&str, &str, &str)] = &[
    ("zx", "YAML", "yaml"),
    ("zx", "fetch", "fetch"),
    ("zx", "fs", "fs-extra"),
    ("zx", "glob", "globby"),
    ("zx", "minimist", "minimist"),
    ("zx", "os", "os"),
    ("zx", "path", "path"),
    ("zx", "tmpdir", "os.tmpdir"),
    ("zx", "which", "which"),
];

/// The package that another one gives on under a name: `import { fs } from 'zx'` is `fs-extra`.
pub fn given_on(package: &str, name: &str) -> Option<&'static str> {
    GIVEN_ON.iter().find(|(by, own, _)| *by == package && *own == name).map(|(_, _, given)| *given)
}

/// The name of a module without the way to it and without a version: `npm:@octokit/rest@20/x` is `@octokit/rest/x`.
pub fn module_name(specifier: &str) -> String {
    let name = bare_name(specifier);
    let twin = TWINS.iter().find(|(twin, _)| *twin == name);
    twin.map_or(name, |(_, own)| (*own).to_owned())
}

fn bare_name(specifier: &str) -> String {
    // Deno's modules by address carry their version in the folder's name.
    if let Some((before, rest)) = specifier.strip_prefix("https://deno.land/").and_then(|rest| rest.split_once('@')) {
        return format!("https://deno.land/{before}/{}", rest.split_once('/').map_or("", |(_, path)| path));
    }
    let Some(name) = PREFIXES.iter().find_map(|prefix| specifier.strip_prefix(prefix)) else { return specifier.to_owned() };
    let parts = name.split('/').enumerate().map(|(at, part)| {
        // The first `@` of a scope is part of its name.
        let start = usize::from(at == 0 && part.starts_with('@'));
        let end = part.get(start..).and_then(|rest| rest.find('@')).map_or(part.len(), |found| start + found);
        part.get(..end).unwrap_or(part).split('?').next().unwrap_or_default()
    });
    parts.collect::<Vec<_>>().join("/")
}

/// Returns true if and only if a name, without the way to it, is that of somebody else's package: no part of the program, by a
/// path or an alias (`@/lib`, `~/lib`, `#lib`), and no module of the runtime.
pub fn is_foreign_package(name: &str) -> bool {
    let is_path =
        name.starts_with(['.', '/', '#', '~']) || name.strip_prefix('@').is_some_and(|rest| rest.starts_with('/') || !rest.contains('/'));
    let first = name.split('/').next().unwrap_or(name);
    !is_path && !first.is_empty() && !Tag::RuntimeModule.has(&format!("node:{first}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_foreign_or_the_program_s_own() {
        for name in ["stripe", "@acme/sdk", "unknown-sdk/client"] {
            assert!(is_foreign_package(name), "{name}");
        }
        for name in ["./stripe", "../sdk", "/sdk", "@/lib/sdk", "~/sdk", "#sdk", "fs", "fs/promises", "@alias"] {
            assert!(!is_foreign_package(name), "{name}");
        }
    }

    #[test]
    fn a_package_has_one_name() {
        for (specifier, expected) in [
            ("npm:stripe@14", "stripe"),
            ("npm:@octokit/rest@20.1.0", "@octokit/rest"),
            ("https://esm.sh/@supabase/supabase-js@2?dts", "@supabase/supabase-js"),
            ("node:fs/promises", "fs/promises"),
            ("./npm:x", "./npm:x"),
            ("jsr:@std/path@1", "path"),
            ("https://deno.land/std@0.224.0/path/mod.ts", "path"),
            ("jsr:@std/assert", "@std/assert"),
            ("@octokit/rest", "@octokit/rest"),
        ] {
            assert_eq!(module_name(specifier), expected, "{specifier}");
        }
    }
}
