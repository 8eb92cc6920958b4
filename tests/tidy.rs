//! House rules that a compiler does not know: layers, doors for foreign types, what every file owes its reader.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::fs;
use std::path::{Path, PathBuf};

/// The layers, from the ground up. A file imports only from layers below its own, or from its own room.
const LAYERS: &[&[&str]] = &[
    &["value"],
    &["subject", "yaml"],
    &["rule", "knowledge", "language"],
    &["input", "format", "meaning", "pattern", "remote"],
    &["accept", "check", "upstream"],
    &["analyzer"],
    &["model"],
    &["policy"],
    &["judge"],
    &["explain"],
    &["finding"],
    &["compare"],
    &["history", "tune"],
    &["scan", "report", "audit"],
    &["cli"],
];

/// Foreign crates, and the only places that may know them.
const DOORS: &[(&str, &[&str])] = &[
    ("oxc_", &["format/script/", "upstream/enclave/"]),
    ("serde_saphyr", &["yaml/node.rs"]),
    ("clap", &["cli/"]),
    ("miette", &["cli/failure.rs", "report/table/"]),
    ("comfy_table", &["cli/", "report/table/", "report/compare/table.rs", "report/tune/table.rs"]),
    ("indicatif", &["cli/"]),
    ("rayon", &["scan/", "cli/failure.rs"]),
    ("miniz_oxide", &["knowledge/text.rs"]),
    ("cel", &["analyzer/expression.rs"]),
    ("rustix", &["analyzer/program.rs"]),
    ("rten", &["model/embedding/transformer/graph.rs"]),
    ("tokenizers", &["model/embedding/transformer/tokens.rs"]),
    ("regex", &["pattern/", "format/script/js/regex.rs"]),
    ("aho_corasick", &["pattern/"]),
    ("candle_core", &["model/embedding/transformer/"]),
    ("candle_nn", &["model/embedding/transformer/"]),
    ("ignore", &["input/"]),
    ("std::io::stdout", &["cli/"]),
    ("io::stdout()", &["cli/"]),
    ("io::stderr()", &["cli/"]),
    ("ureq", &["remote.rs"]),
    ("rusqlite", &["audit/"]),
    ("postgres", &["audit/db/"]),
    ("tokio_postgres_rustls", &["audit/db/tls.rs"]),
    ("rustls", &["audit/db/tls.rs"]),
    ("webpki_roots", &["audit/db/tls.rs"]),
    ("uuid", &["audit/"]),
    ("TcpStream::", &[]),
    ("TcpListener::", &[]),
    ("UdpSocket::", &[]),
    ("std::process", &["analyzer/program.rs", "cli/git/", "cli/host/probe.rs", "cli/exit.rs", "cli/mod.rs", "main.rs"]),
];

/// A file of this many lines has more than one thing to say.
const LONGEST_FILE: usize = 620;

/// Circles of files that are known: expressions, calls and functions of a language lead to each other as its grammar does, the
/// others wait to be untied. A circle may lose members, and gets none.
const CIRCLES: &[&[&str]] = &[
    &["format/registry.rs", "format/tool_call/found.rs", "format/tool_call/mod.rs", "format/tool_call/scripts.rs"],
    &[
        "format/script/interpret/call.rs",
        "format/script/interpret/call/tool.rs",
        "format/script/interpret/exhaustion.rs",
        "format/script/interpret/expression.rs",
        "format/script/interpret/function.rs",
        "format/script/interpret/method.rs",
        "format/script/interpret/method/iteration.rs",
        "format/script/interpret/mod.rs",
        "format/script/interpret/plain.rs",
        "format/script/interpret/property.rs",
        "format/script/interpret/property/elements.rs",
        "format/script/interpret/record.rs",
        "format/script/interpret/record/flows.rs",
        "format/script/interpret/statement.rs",
    ],
    &[
        "format/script/cover/alike.rs",
        "format/script/cover/around.rs",
        "format/script/cover/call.rs",
        "format/script/cover/code.rs",
        "format/script/cover/file.rs",
        "format/script/cover/function.rs",
        "format/script/cover/mod.rs",
        "format/script/cover/runtime.rs",
        "format/script/cover/shared.rs",
        "format/script/cover/sink.rs",
        "format/script/cover/variable.rs",
    ],
    &["format/tool_call/block.rs", "format/tool_call/held.rs", "format/tool_call/host.rs"],
    &["meaning/command/mod.rs", "meaning/command/row.rs", "meaning/command/statement.rs", "meaning/command/unwrap.rs"],
    &[
        "meaning/statement/cypher.rs",
        "meaning/statement/graphql.rs",
        "meaning/statement/mod.rs",
        "meaning/statement/mongo.rs",
        "meaning/statement/redis.rs",
        "meaning/statement/request.rs",
        "meaning/statement/row.rs",
        "meaning/statement/sql/clause.rs",
        "meaning/statement/sql/mod.rs",
        "meaning/statement/tool.rs",
    ],
];

/// Rooms in which a file has at most this many lines.
const SHORT_FILE: usize = 400;
/// Those rooms.
const WITH_SHORT_FILES: &[&str] = &[
    "analyzer", "audit", "cli", "explain", "finding", "history", "input", "judge", "model", "pattern", "policy", "report", "scan", "yaml",
];
/// Files of those rooms that are longer all the same.
const LONG_FILES: &[&str] = &["cli/args.rs", "cli/config.rs", "cli/failure.rs", "finding/hide.rs", "finding/mod.rs"];

/// Rooms in which words are facts, and facts are rows of `knowledge/`.
const WITHOUT_LISTS: &[&str] = &["meaning/", "check/", "knowledge/", "scan"];
/// So many words in lower case beside each other are a list.
const LIST: usize = 7;
/// Files of those rooms that hold lists all the same, each with the reason.
const WITH_LISTS: &[(&str, &str)] = &[
    ("meaning/statement/sql/mod.rs", "keywords of the language of statements"),
    ("meaning/row_by_row.rs", "keywords of the language of statements"),
    ("meaning/statement/sql/target.rs", "keywords of the language of statements"),
    ("knowledge/form.rs", "methods of JavaScript itself, which every value has"),
    ("knowledge/provider.rs", "names below which countries register domains"),
    ("knowledge/requested.rs", "the methods of HTTP, as functions and as verbs"),
    ("knowledge/specifier.rs", "under what runtimes import packages"),
];

fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(Path::new("src"), "rs", &mut files);
    files.into_iter().map(|path| (relative(&path), fs::read_to_string(&path).expect("a source can be read"))).collect()
}

fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder can be read").map(|entry| entry.expect("an entry can be read").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, extension, files);
        } else if path.extension().is_some_and(|own| own == extension) {
            files.push(path);
        }
    }
}

fn relative(path: &Path) -> String {
    path.strip_prefix("src").expect("it lies in src").to_string_lossy().replace('\\', "/")
}

/// The room of a file or import: its first part.
fn room(path: &str) -> &str {
    path.split(['/', ':']).next().unwrap_or(path).trim_end_matches(".rs")
}

fn layer(room: &str) -> Option<usize> {
    LAYERS.iter().position(|rooms| rooms.contains(&room))
}

/// The rooms that a file names by `crate::`.
fn imports(text: &str) -> Vec<&str> {
    let parts = text.split("crate::").skip(1);
    parts.map(|part| part.split(|character: char| !character.is_alphanumeric() && character != '_').next().unwrap_or("")).collect()
}

/// The code of a file without its comments, so that words in prose do not count.
fn code(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn imports_point_down_only() {
    let mut wrong = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| path != "lib.rs" && path != "main.rs") {
        let own = room(path);
        let own_layer = layer(own).unwrap_or_else(|| panic!("{path} has no layer: add its room to LAYERS and to ARCHITECTURE.md"));
        for target in imports(&code(text)) {
            let is_below = layer(target).is_some_and(|target| target < own_layer);
            if target != own && !is_below {
                wrong.push(format!("{path} imports crate::{target}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The paths that the `use` of a file names, each written out: `crate::a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in code.split("crate::").skip(1) {
        spread("", part, &mut found);
    }
    found
}

/// Writes out what begins here behind this path; returns what is left behind it.
fn spread<'t>(before: &str, text: &'t str, found: &mut Vec<String>) -> &'t str {
    let is_name = |character: char| character.is_alphanumeric() || character == '_' || character == '*';
    let end = text.find(|character| !is_name(character)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let path = if before.is_empty() || name.is_empty() { format!("{before}{name}") } else { format!("{before}::{name}") };
    let Some(behind) = rest.strip_prefix("::") else {
        found.push(path);
        return rest;
    };
    let Some(mut inner) = behind.strip_prefix('{') else { return spread(&path, behind, found) };
    loop {
        inner = spread(&path, inner.trim_start(), found).trim_start();
        if let Some(renamed) = inner.strip_prefix("as ") {
            inner = renamed.trim_start_matches(is_name);
        }
        match inner.trim_start().strip_prefix(',') {
            Some(next) if !next.trim_start().starts_with('}') => inner = next,
            Some(last) => return last.trim_start().strip_prefix('}').unwrap_or(last),
            None => return inner.trim_start().strip_prefix('}').unwrap_or(inner),
        }
    }
}

/// The file in which the thing of a path lives: the longest part of it that is a file.
fn home(path: &str, files: &[(String, String)]) -> Option<usize> {
    let parts: Vec<&str> = path.split("::").collect();
    (1..=parts.len()).rev().find_map(|count| {
        let stem = parts.get(..count).unwrap_or_default().join("/");
        files.iter().position(|(file, _)| *file == format!("{stem}.rs") || *file == format!("{stem}/mod.rs"))
    })
}

/// The files that each file names within its own room.
fn links(files: &[(String, String)]) -> Vec<Vec<usize>> {
    let mut links = Vec::new();
    for (at, (path, text)) in files.iter().enumerate() {
        let code = code(text.split("#[cfg(test)]").next().unwrap_or(text));
        let mut names = paths(&code);
        // A file names its own children without saying where they are.
        let folder = path.strip_suffix("/mod.rs").or(path.strip_suffix(".rs")).unwrap_or(path).replace('/', "::");
        let children = code.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'));
        let is_named = |child: &str| {
            code.match_indices(&format!("{child}::")).any(|(at, _)| {
                !code.get(..at).unwrap_or_default().ends_with(|before: char| before.is_alphanumeric() || matches!(before, ':' | '_'))
            })
        };
        let named = children.filter(|child| is_named(child));
        names.extend(named.map(|child| format!("{folder}::{child}")));
        let mut targets: Vec<usize> = names.iter().filter_map(|name| home(name, files)).collect();
        targets.retain(|target| *target != at && files.get(*target).is_some_and(|(target, _)| room(target) == room(path)));
        targets.sort_unstable();
        targets.dedup();
        links.push(targets);
    }
    links
}

/// All that can be reached from a file.
fn reached(from: usize, links: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; links.len()];
    let mut waiting = links[from].clone();
    while let Some(next) = waiting.pop() {
        if !std::mem::replace(&mut seen[next], true) {
            waiting.extend(&links[next]);
        }
    }
    seen
}

/// The groups of files that all lead to each other.
fn circles(files: &[(String, String)]) -> Vec<Vec<String>> {
    let links = links(files);
    let reached: Vec<Vec<bool>> = (0..files.len()).map(|at| reached(at, &links)).collect();
    let mut circles: Vec<Vec<String>> = Vec::new();
    for (at, from) in reached.iter().enumerate() {
        let members: Vec<usize> = (0..files.len()).filter(|other| from[*other] && reached[*other][at]).collect();
        if members.first() == Some(&at) {
            circles.push(members.into_iter().map(|member| files[member].0.clone()).collect());
        }
    }
    circles
}

#[test]
fn paths_are_written_out() {
    for (code, expected) in [
        ("use crate::a::B;", &["a::B"][..]),
        ("use crate::a::{b, c::d, E};", &["a::b", "a::c::d", "a::E"]),
        ("use crate::a::{self as x, b::{C, d::E}, F};\nlet y = crate::g::h();", &["a::self", "a::b::C", "a::b::d::E", "a::F", "g::h"]),
    ] {
        assert_eq!(paths(code), expected, "{code}");
    }
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let files = [
        file("a/mod.rs", "mod b;\nmod c;\nfn f() { b::g() }"),
        file("a/b.rs", "use crate::a::{X, c::Y};"),
        file("a/c.rs", "use crate::d::Z;"),
        file("d.rs", "use crate::a::X;"),
    ];
    assert_eq!(circles(&files), [["a/mod.rs", "a/b.rs"]]);
}

#[test]
fn no_new_circle_stands_between_files_of_a_room() {
    let files = sources();
    let found = circles(&files);
    let is_known = |circle: &[String]| CIRCLES.iter().any(|known| circle.iter().all(|file| known.contains(&file.as_str())));
    let wrong: Vec<String> = found.iter().filter(|circle| !is_known(circle)).map(|circle| circle.join(" ")).collect();
    assert!(wrong.is_empty(), "files that lead to each other are one thing, or one of them has a part that belongs elsewhere: {wrong:#?}");
}

#[test]
fn files_of_most_rooms_are_short() {
    let long = sources().into_iter().filter(|(path, text)| {
        let lines = text.lines().count();
        WITH_SHORT_FILES.contains(&room(path)) && SHORT_FILE < lines
    });
    let long: Vec<String> = long.map(|(path, _)| path).collect();
    assert_eq!(long, LONG_FILES, "a file has at most {SHORT_FILE} lines; one that is short now leaves the list");
}

/// Words that name a model and much else beside.
const AMBIGUOUS: &[&str] = &["max", "custom", "fixed", "disabled"];
/// Files outside `model/` that know a model by name: a command that is about its samples, the feature that it is built with, and
/// what calibrates its weights.
const WITH_MODELS: &[(&str, &[&str])] = &[
    ("cli/commands/samples.rs", &["similarity"]),
    ("remote.rs", &["external-api"]),
    ("cli/commands/calibrate.rs", &["hybrid"]),
    ("cli/weights.rs", &["hybrid"]),
    ("report/tune/calibration.rs", &["hybrid"]),
    ("tune/calibration.rs", &["hybrid"]),
];

#[test]
fn a_model_is_known_by_its_row_alone() {
    let mut wrong = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| room(path) != "model") {
        let code = code(text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text));
        let known = WITH_MODELS.iter().find(|(file, _)| file == path).map_or(&[][..], |(_, models)| models);
        for model in callgate::model::registry::MODELS.iter().filter(|model| !known.contains(&model.name)) {
            let module = model.name.replace('-', "_");
            let is_imported = paths(&code).iter().any(|path| path.split("::").take(2).eq(["model", module.as_str()]));
            let is_written = !AMBIGUOUS.contains(&model.name) && code.contains(&format!("\"{}\"", model.name));
            let is_set = code.contains(&format!("model_settings.{module}"));
            if is_imported || is_written || is_set {
                wrong.push(format!("{path} knows the model {}", model.name));
            }
        }
    }
    assert!(wrong.is_empty(), "what is said of one model belongs into its file or its row: {wrong:#?}");
}

#[test]
fn foreign_types_stay_at_the_door() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let code = code(&text);
        for (crate_name, places) in DOORS {
            let names = [
                format!("use {crate_name}"),
                format!(" {crate_name}::"),
                format!("({crate_name}::"),
                format!("<{crate_name}::"),
                format!("&{crate_name}::"),
            ];
            let is_named = names.iter().any(|name| code.contains(name)) || crate_name.contains("::") && code.contains(crate_name);
            if is_named && !places.iter().any(|place| path.starts_with(place)) {
                wrong.push(format!("{path} knows {crate_name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The texts that code writes out, each with whether only a comma or a stroke stands between it and the one before.
fn literals(code: &str) -> Vec<(bool, &str)> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some((before, behind)) = rest.split_once('"') {
        // The quote as a character opens nothing.
        if before.ends_with('\'') && behind.starts_with('\'') {
            rest = behind;
            continue;
        }
        let mut is_escaped = false;
        let close = behind.char_indices().find(|(_, character)| {
            let is_end = *character == '"' && !is_escaped;
            is_escaped = *character == '\\' && !is_escaped;
            is_end
        });
        let Some((text, after)) = close.and_then(|(at, _)| behind.split_at_checked(at)) else { break };
        found.push((matches!(before.trim(), "," | "|"), text));
        rest = after.strip_prefix('"').unwrap_or(after);
    }
    found
}

/// The lists of words in code: words beside each other, and tables whose rows begin with a word.
fn lists(code: &str) -> Vec<String> {
    let is_word = |text: &str| text.chars().any(char::is_alphabetic) && !text.chars().any(char::is_uppercase);
    let mut runs: Vec<Vec<&str>> = Vec::new();
    for (is_next, text) in literals(code) {
        match runs.last_mut().filter(|_| is_next) {
            Some(run) => run.push(text),
            None => runs.push(vec![text]),
        }
    }
    let tables = ["const ", "static "].into_iter().flat_map(|kind| code.split(kind).skip(1)).filter_map(|item| {
        let (_, rest) = item.split_once('=').filter(|(head, _)| !head.contains('{'))?;
        let rest = rest.trim_start().trim_start_matches('&').strip_prefix('[')?;
        Some(literals(rest.split("];").next()?).into_iter().map(|(_, text)| text).collect::<Vec<&str>>())
    });
    let all = runs.into_iter().chain(tables).map(|run| run.into_iter().filter(|text| is_word(text)).collect::<Vec<&str>>());
    all.filter(|words| LIST <= words.len()).map(|words| words.join(" ")).collect()
}

#[test]
fn words_are_rows_and_no_lists_in_code() {
    for (code, expected) in [
        ("matches!(word, \"a\" | \"b\" | \"c\" | \"d\" | \"e\" | \"f\" | \"g\")", 1),
        ("&[\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\"]", 1),
        ("\nconst X: &[(&str, u8)] = &[\n(\"a\", 1), (\"b\", 1), (\"c\", 1), (\"d\", 1), (\"e\", 1), (\"f\", 1), (\"g\", 1),\n];", 1),
        ("matches!(word, \"a\" | \"b\" | \"c\" | \"d\" | \"e\" | \"f\")", 0),
        ("say(\"a\"); say(\"b\"); say(\"c\"); say(\"d\"); say(\"e\"); say(\"f\"); say(\"g\");", 0),
    ] {
        assert_eq!(lists(code).len(), expected, "{code}");
    }
    let mut wrong = Vec::new();
    let stale = WITH_LISTS.iter().filter(|(path, _)| !Path::new("src").join(path).is_file());
    wrong.extend(stale.map(|(path, _)| format!("{path} is not there")));
    for (path, text) in sources().iter().filter(|(path, _)| WITHOUT_LISTS.iter().any(|room| path.starts_with(room))) {
        let code = code(text.split("#[cfg(test)]").next().unwrap_or(text));
        if !WITH_LISTS.iter().any(|(known, _)| known == path) {
            wrong.extend(lists(&code).into_iter().map(|list| format!("{path}: {list}")));
        }
    }
    assert!(wrong.is_empty(), "words belong into knowledge/, with tags (src/knowledge/words.rs): {wrong:#?}");
}

/// Rooms whose files import one another in one direction only.
const WITHOUT_CIRCLES: &[&str] = &["meaning", "check"];

/// The files of a room that a file imports, as paths of modules: `meaning::path`.
fn imported(code: &str, room: &str, files: &[String]) -> Vec<String> {
    let uses = code.split(";").filter_map(|statement| statement.split_once(&format!("use crate::{room}::"))).map(|(_, path)| path);
    let paths = uses.flat_map(|path| {
        let (start, list) = path.split_once('{').unwrap_or((path, ""));
        let of_list = list.trim_end_matches('}').split(',').map(move |name| format!("{start}{}", name.trim()));
        of_list.chain([start.trim_end_matches("::").to_owned()])
    });
    let modules = paths.map(|path| {
        let mut parts: Vec<&str> = path.split("::").collect();
        while !parts.is_empty() && !files.contains(&parts.join("::")) {
            parts.pop();
        }
        parts.join("::")
    });
    modules.filter(|module| !module.is_empty()).collect()
}

#[test]
fn no_circle_stands_between_files_of_a_room() {
    for room in WITHOUT_CIRCLES {
        let module = |path: &str| path.trim_end_matches(".rs").trim_end_matches("/mod").split('/').skip(1).collect::<Vec<_>>().join("::");
        let own: Vec<(String, String)> = sources()
            .into_iter()
            .filter(|(path, _)| path.starts_with(&format!("{room}/")))
            .map(|(path, text)| (module(&path), text))
            .collect();
        let files: Vec<String> = own.iter().map(|(module, _)| module.clone()).collect();
        let mut left: Vec<(String, Vec<String>)> = own
            .iter()
            .map(|(module, text)| {
                let code = code(text.split("#[cfg(test)]").next().unwrap_or(text));
                (module.clone(), imported(&code, room, &files).into_iter().filter(|other| other != module).collect())
            })
            .collect();
        // Files that import none that is left are taken away until only circles are.
        loop {
            let names: Vec<String> = left.iter().map(|(module, _)| module.clone()).collect();
            let before = left.len();
            left.retain(|(_, imports)| imports.iter().any(|import| names.contains(import)));
            if left.len() == before {
                break;
            }
        }
        assert!(left.is_empty(), "{room}: {left:#?}");
    }
}

#[test]
fn released_systems_see_nothing_of_the_house_and_only_models_ask_them() {
    let known = ["crate::upstream::", "crate::value::", "crate::format::script::nesting::"];
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let code = code(&text);
        let imports = code.split("use ").skip(1).filter(|import| import.starts_with("crate::"));
        match room(&path) {
            "upstream" => wrong.extend(
                imports.filter(|import| !known.iter().any(|known| import.starts_with(known))).map(|import| format!("{path}: {import}")),
            ),
            "model" => {}
            _ if code.contains("crate::upstream") => wrong.push(format!("{path} knows crate::upstream")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn inner_types_are_not_serialised() {
    let is_format = |path: &str| path.starts_with("report/") || path.starts_with("cli/");
    let wrong: Vec<String> = sources()
        .into_iter()
        .filter(|(path, text)| {
            !is_format(path)
                && code(text)
                    .split("derive(")
                    .skip(1)
                    .any(|part| part.split(')').next().unwrap_or("").split(", ").any(|name| name == "Serialize"))
        })
        .map(|(path, _)| path)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_file_says_what_it_is_for_and_has_one_thing_to_say() {
    for (path, text) in sources() {
        assert!(text.starts_with("//! "), "{path} does not begin with what it is for");
        let lines = text.lines().count();
        assert!(lines <= LONGEST_FILE, "{path} has {lines} lines");
        for word in ["TODO", "FIXME", "XXX", "#[ignore", "#[should_panic"] {
            assert!(!code(&text).contains(word), "{path} contains {word}");
        }
    }
}

#[test]
fn every_check_format_and_reporter_has_its_row() {
    let mut missing = Vec::new();
    for room in ["check", "format", "report"] {
        let registry = fs::read_to_string(format!("src/{room}/registry.rs")).expect("a registry can be read");
        for entry in fs::read_dir(format!("src/{room}")).expect("a room can be read") {
            let path = entry.expect("an entry can be read").path();
            let name = path.file_stem().expect("an entry has a name").to_string_lossy().into_owned();
            // What pages of HTML share is no reporter.
            let is_shared = ["mod", "registry", "html"].contains(&name.as_str());
            if !is_shared && !registry.contains(&format!(" {name}::")) {
                missing.push(format!("src/{room}/registry.rs has no row for {name}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert_eq!(callgate::check::registry::CHECKS.len() + 2, fs::read_dir("src/check").expect("a room can be read").count());
}

#[test]
fn every_model_has_its_row() {
    let models: usize = sources().iter().map(|(_, text)| code(text).matches("impl Model for ").count()).sum();
    assert_eq!(models, callgate::model::registry::MODELS.len(), "a model is one `impl Model` and one row in src/model/registry.rs");
}

#[test]
fn rule_ids_are_unique_over_checks_and_patterns() {
    let library = callgate::pattern::library::Library::new(Vec::new()).expect("the built-in patterns make a library");
    let checks = callgate::check::registry::rules().iter().map(|rule| rule.id.to_string());
    let mut ids: Vec<String> = checks.chain(library.patterns().iter().map(|pattern| pattern.rule.id.to_string())).collect();
    ids.sort();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn every_rule_explains_itself_in_one_sentence_each() {
    let library = callgate::pattern::library::Library::new(Vec::new()).expect("the built-in patterns make a library");
    let checks = callgate::check::registry::rules().iter();
    for rule in checks.chain(library.patterns().iter().map(|pattern| &pattern.rule)) {
        for sentence in [&rule.why, &rule.help] {
            assert!(sentence.ends_with('.') && 10 < sentence.len() && sentence.len() < 300, "{}: {sentence}", rule.id);
        }
    }
}

#[test]
fn pages_keep_their_length() {
    for (page, longest) in [("README.md", 260), ("ARCHITECTURE.md", 170)] {
        let lines = fs::read_to_string(page).expect("the page is there").lines().count();
        assert!(lines <= longest, "{page} has {lines} lines");
    }
}

#[test]
fn completions_and_man_pages_are_fresh() {
    use clap::ValueEnum as _;
    let shells = clap_complete::Shell::value_variants().iter().filter(|shell| **shell != clap_complete::Shell::Elvish);
    let completions = shells.map(|shell| callgate::cli::commands::generate::completion(*shell));
    let files = completions.map(|(name, text)| (format!("completions/{name}"), text));
    let pages = callgate::cli::commands::generate::pages().into_iter().map(|(name, text)| (format!("man/{name}"), text));
    for (path, text) in files.chain(pages) {
        let present = fs::read(&path).unwrap_or_default();
        assert!(present == text, "{path} is stale: run `just generate`");
    }
}

#[test]
fn the_readme_lists_every_exit_code_and_every_command() {
    use clap::CommandFactory as _;
    let readme = fs::read_to_string("README.md").expect("the page is there");
    for (_, code, _) in callgate::cli::exit::EXIT_CODES {
        assert!(readme.contains(&format!("| {code} |")), "exit code {code}");
    }
    for command in callgate::cli::args::Args::command().get_subcommands() {
        assert!(readme.contains(&format!("callgate {}", command.get_name())), "{}", command.get_name());
    }
}

#[test]
fn the_readme_counts_the_rules_and_names_every_check() {
    let readme = fs::read_to_string("README.md").expect("the page is there");
    let library = callgate::pattern::library::Library::new(Vec::new()).expect("the built-in patterns make a library");
    let checks = callgate::check::registry::rules();
    let counts = format!("{} checks follow calls and data, {} patterns search texts.", checks.len(), library.patterns().len());
    assert!(readme.contains(&counts), "README.md does not say: {counts}");
    for rule in checks {
        assert!(readme.contains(&format!("`{}`", rule.id)), "README.md does not name {}", rule.id);
    }
}

#[test]
fn the_architecture_names_only_files_that_are_there() {
    let page = fs::read_to_string("ARCHITECTURE.md").expect("the page is there");
    let names: Vec<String> = sources().into_iter().map(|(path, _)| path).collect();
    let mentioned = page.split('`').skip(1).step_by(2).filter(|word| word.ends_with(".rs") && !word.contains("my_"));
    for word in mentioned.filter(|word| *word != "build.rs" && !word.starts_with("tests/")) {
        let name = word.strip_prefix("src/").unwrap_or(word);
        let is_there = names.iter().any(|path| path == name || path.ends_with(&format!("/{name}")));
        assert!(is_there, "ARCHITECTURE.md names {word}");
    }
}

#[test]
fn the_top_folder_holds_the_pages_that_users_read() {
    let mut pages: Vec<String> = fs::read_dir(".")
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry can be read").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".md") || name.ends_with(".txt"))
        .collect();
    pages.sort();
    assert_eq!(pages, ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"]);
}
