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
    &["check"],
    &["analyzer"],
    &["model"],
    &["policy"],
    &["explain"],
    &["finding"],
    &["compare"],
    &["tune"],
    &["scan", "report"],
    &["cli"],
];

/// Foreign crates, and the only places that may know them.
const DOORS: &[(&str, &[&str])] = &[
    ("oxc_", &["format/script/"]),
    ("serde_saphyr", &["yaml.rs"]),
    ("clap", &["cli/"]),
    ("miette", &["cli/failure.rs", "report/table/"]),
    ("comfy_table", &["cli/", "report/table/", "report/compare/table.rs", "report/tune/table.rs"]),
    ("indicatif", &["cli/"]),
    ("rayon", &["scan.rs", "scan/", "cli/failure.rs"]),
    ("cel", &["analyzer/expression.rs"]),
    ("rustix", &["analyzer/program.rs"]),
    ("rten", &["model/embedding/transformer/graph.rs"]),
    ("tokenizers", &["model/embedding/transformer/tokens.rs"]),
    ("regex", &["pattern/"]),
    ("aho_corasick", &["pattern/"]),
    ("candle_core", &["model/embedding/transformer/"]),
    ("candle_nn", &["model/embedding/transformer/"]),
    ("ignore", &["input/"]),
    ("std::io::stdout", &["cli/"]),
    ("io::stdout()", &["cli/"]),
    ("io::stderr()", &["cli/"]),
    ("ureq", &["remote.rs"]),
    ("TcpStream::", &[]),
    ("TcpListener::", &[]),
    ("UdpSocket::", &[]),
    ("std::process", &["analyzer/program.rs", "cli/staged.rs", "cli/host/probe.rs", "cli/exit.rs", "cli/mod.rs", "main.rs"]),
];

/// A file of this many lines has more than one thing to say.
const LONGEST_FILE: usize = 620;

/// Rooms in which words are facts, and facts are rows of `knowledge/`.
const WITHOUT_LISTS: &[&str] = &["meaning/", "check/", "knowledge/", "scan"];
/// So many words in lower case beside each other are a list.
const LIST: usize = 7;
/// Files of those rooms that hold lists all the same, each with the reason.
const WITH_LISTS: &[(&str, &str)] = &[
    ("meaning/statement/sql/mod.rs", "keywords of the language of statements"),
    ("meaning/statement/sql/target.rs", "keywords of the language of statements"),
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
            if name != "mod" && name != "registry" && !registry.contains(&format!(" {name}::")) {
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
