//! Only what changed since a revision is judged, or only what is worse than it was there.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use crate::process;
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::process::{ALLOWED, BLOCKED, callgate, code, err, folder, git, out, verdicts, write};
use serde_json::Value;

const WIPE: &str = "import { execSync } from 'node:child_process';\nexecSync('rm -rf ~');\n";

fn must(output: Output) -> Output {
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    output
}

fn commit(folder: &Path) {
    must(git(folder, &["add", "--all", "."]));
    must(git(folder, &["commit", "--quiet", "--no-verify", "--allow-empty", "--message", "more"]));
}

/// A repository with a branch that began at `main`.
fn branch(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = folder(files);
    must(git(folder.path(), &["init", "--quiet", "--initial-branch", "main"]));
    commit(folder.path());
    must(git(folder.path(), &["checkout", "--quiet", "-b", "work"]));
    folder
}

fn since(folder: &Path, words: &[&str]) -> (Vec<(String, String)>, i32) {
    let output = callgate(folder, &[&["scan", "--since", "main", "--format", "jsonl"], words].concat());
    assert!(code(&output) <= 2, "{}", err(&output));
    (verdicts(&output), code(&output))
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(path, verdict)| ((*path).to_owned(), (*verdict).to_owned())).collect()
}

#[test]
fn what_changed_since_the_branch_began_is_judged_as_it_is_now() {
    let folder = branch(&[
        ("old.js", BLOCKED),
        ("changed.js", ALLOWED),
        ("gone.js", BLOCKED),
        ("moved.js", BLOCKED),
        (".gitignore", "ignored.js\n"),
    ]);
    assert_eq!(since(folder.path(), &[]), (Vec::new(), 0));
    write(folder.path(), "changed.js", BLOCKED);
    commit(folder.path());
    // What happens in main since is none of this branch.
    must(git(folder.path(), &["checkout", "--quiet", "main"]));
    write(folder.path(), "old.js", ALLOWED);
    commit(folder.path());
    must(git(folder.path(), &["checkout", "--quiet", "work"]));
    fs::remove_file(folder.path().join("gone.js")).expect("it is there");
    must(git(folder.path(), &["mv", "moved.js", "lib.js"]));
    write(folder.path(), "new.js", BLOCKED);
    write(folder.path(), "ignored.js", BLOCKED);
    write(folder.path(), "notes.pdf", "no script");
    let all = [("changed.js", "block"), ("lib.js", "block"), ("new.js", "block")];
    assert_eq!(since(folder.path(), &[]), (pairs(&all), 2));
    assert_eq!(since(folder.path(), &["new.js"]), (pairs(&[("new.js", "block")]), 2));
    assert_eq!(since(folder.path(), &["--exclude", "*.js"]), (Vec::new(), 0));
    write(folder.path(), "changed.js", ALLOWED);
    assert_eq!(since(folder.path(), &["changed.js"]), (Vec::new(), 0), "it is as it was");
}

#[test]
fn names_and_places_do_not_matter() {
    let folder = branch(&[("lib/a.js", ALLOWED)]);
    let odd = ["lib/with space.js", "lib/\u{fc}ml\u{e4}ut.js", "lib/-dash.js", "lib/\"quoted\".js"];
    odd.iter().for_each(|name| write(folder.path(), name, BLOCKED));
    #[cfg(unix)]
    write(folder.path(), "lib/new\nline.js", BLOCKED);
    let (found, _) = since(folder.path(), &[]);
    assert_eq!(found.len(), odd.len() + usize::from(cfg!(unix)), "{found:?}");
    let below = verdicts(&process::shell(folder.path(), "cd lib && callgate scan --since main --format jsonl"));
    assert!(below.iter().any(|(path, _)| path == "with space.js"), "{below:?}");
    // Another working tree of the same repository.
    let other = process::folder(&[]);
    let place = other.path().join("tree");
    must(git(folder.path(), &["worktree", "add", "--quiet", place.to_str().expect("it is a text"), "-b", "other", "main"]));
    write(&place, "here.js", BLOCKED);
    assert_eq!(since(&place, &[]), (pairs(&[("here.js", "block")]), 2));
}

#[test]
fn what_git_does_not_know_is_told_with_a_way_out() {
    let origin = branch(&[("a.js", ALLOWED)]);
    write(origin.path(), "b.js", BLOCKED);
    commit(origin.path());
    let unknown = callgate(origin.path(), &["scan", "--since", "nowhere"]);
    assert_eq!(code(&unknown), 3);
    assert!(err(&unknown).contains("there is no revision `nowhere`"), "{}", err(&unknown));
    let option = callgate(origin.path(), &["scan", "--since=--output=x"]);
    assert_eq!((code(&option), origin.path().join("x").exists()), (3, false));
    // A clone that knows the tips and not where they met.
    must(git(origin.path(), &["checkout", "--quiet", "main"]));
    write(origin.path(), "c.js", ALLOWED);
    commit(origin.path());
    must(git(origin.path(), &["checkout", "--quiet", "work"]));
    let clone = process::folder(&[]);
    let url = format!("file://{}", origin.path().display());
    must(git(clone.path(), &["clone", "--quiet", "--depth", "1", "--no-single-branch", &url, "shallow"]));
    let shallow = clone.path().join("shallow");
    let output = callgate(&shallow, &["scan", "--since", "origin/main"]);
    assert_eq!(code(&output), 3);
    assert!(err(&output).contains("git fetch --deepen"), "{}", err(&output));
    must(git(&shallow, &["fetch", "--quiet", "--deepen=5"]));
    let output = callgate(&shallow, &["scan", "--since", "origin/main", "--format", "jsonl"]);
    assert_eq!((verdicts(&output), code(&output)), (pairs(&[("b.js", "block")]), 2));
}

fn delta(folder: &Path) -> (Value, i32) {
    let output = callgate(folder, &["scan", "--delta", "main", "--format", "json"]);
    (serde_json::from_slice(&output.stdout).expect("a report is JSON"), code(&output))
}

#[test]
fn only_the_increase_counts() {
    let folder = branch(&[("a.js", WIPE), ("b.js", BLOCKED), ("c.js", WIPE), ("d.js", WIPE), ("untouched.js", WIPE)]);
    write(folder.path(), "a.js", &format!("// more\n{WIPE}"));
    write(folder.path(), "b.js", ALLOWED);
    must(git(folder.path(), &["mv", "c.js", "moved.js"]));
    fs::remove_file(folder.path().join("d.js")).expect("it is there");
    let (report, ends) = delta(folder.path());
    assert_eq!((report["verdict"].as_str(), ends), (Some("allow"), 0));
    let told = &report["delta"];
    assert_eq!((&told["added"], &told["kept"], &told["revision"]), (&0.into(), &2.into(), &"main".into()));
    let gone: Vec<&str> = told["files"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|file| file["gone"] != Value::Array(vec![]))
        .filter_map(|file| file["path"].as_str())
        .collect();
    assert_eq!(gone, ["b.js"], "c.js and d.js hold the same, and one of them was moved");
    write(folder.path(), "a.js", &format!("{WIPE}execSync('rm -rf /');\n"));
    write(folder.path(), "new.js", BLOCKED);
    let (report, ends) = delta(folder.path());
    assert_eq!((&report["delta"]["added"], ends), (&2.into(), 2));
    let table = out(&callgate(folder.path(), &["scan", "--delta", "main"]));
    assert!(table.contains("since main (") && table.contains("): 2 added, 2 as before, 1 gone"), "{table}");
    assert!(table.contains("gone: mass-read-then-send (critical) from b.js:2"), "{table}");
}

#[test]
fn what_git_was_told_not_to_look_at_is_looked_at() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let folder = branch(&[("a.js", ALLOWED), ("same.js", BLOCKED)]);
        must(git(folder.path(), &["update-index", flag, "a.js", "same.js"]));
        assert_eq!(since(folder.path(), &[]), (Vec::new(), 0), "{flag}");
        write(folder.path(), "a.js", BLOCKED);
        assert_eq!(since(folder.path(), &[]), (pairs(&[("a.js", "block")]), 2), "{flag}");
        let output = callgate(folder.path(), &["scan", "--delta", "main"]);
        assert_eq!(code(&output), 2, "{flag}: {}", out(&output));
        fs::remove_file(folder.path().join("a.js")).expect("it is there");
        assert_eq!(since(folder.path(), &[]), (Vec::new(), 0), "{flag}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_changes_with_what_it_leads_to() {
    let folder = branch(&[("data.txt", "let a = 1;\n"), ("ok.js", ALLOWED)]);
    std::os::unix::fs::symlink("data.txt", folder.path().join("run.js")).expect("a link can be made");
    must(git(folder.path(), &["checkout", "--quiet", "main"]));
    commit(folder.path());
    write(folder.path(), "data.txt", WIPE);
    let (verdicts, ends) = since(folder.path(), &[]);
    assert!(verdicts.contains(&("run.js".to_owned(), "block".to_owned())), "{verdicts:?}");
    assert_eq!(ends, 2);
    assert_eq!(code(&callgate(folder.path(), &["scan", "--delta", "main"])), 2);
    commit(folder.path());
    write(folder.path(), "data.txt", &format!("{WIPE}\n"));
    let output = callgate(folder.path(), &["scan", "--delta", "main"]);
    assert_eq!(code(&output), 0, "it was so before: {}", out(&output));
}
