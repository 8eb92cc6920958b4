//! The git hook judges what is staged, and not what lies in the working tree.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Output;

use crate::process::{ALLOWED, BLOCKED, callgate, code, err, folder, git, out, shell, verdicts, write};

fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = folder(files);
    must(git(folder.path(), &["init", "--quiet"]));
    folder
}

fn must(output: Output) -> Output {
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    output
}

fn staged(folder: &Path) -> (Vec<(String, String)>, i32) {
    let output = callgate(folder, &["scan", "--staged", "--format", "jsonl"]);
    (verdicts(&output), code(&output))
}

fn check(folder: &Path, expected: &[(&str, &str)], ends: i32) {
    let expected: Vec<(String, String)> = expected.iter().map(|(path, verdict)| ((*path).to_owned(), (*verdict).to_owned())).collect();
    assert_eq!(staged(folder), (expected, ends));
}

#[test]
fn what_is_staged_is_judged_and_nothing_else() {
    let folder = repository(&[("bad.js", BLOCKED), ("other.js", BLOCKED)]);
    check(folder.path(), &[], 0);
    must(git(folder.path(), &["add", "bad.js"]));
    write(folder.path(), "bad.js", ALLOWED);
    check(folder.path(), &[("bad.js", "block")], 2);
    must(git(folder.path(), &["add", "bad.js"]));
    write(folder.path(), "bad.js", BLOCKED);
    check(folder.path(), &[("bad.js", "allow")], 0);
    fs::remove_file(folder.path().join("bad.js")).expect("it is there");
    check(folder.path(), &[("bad.js", "allow")], 0);
    // What is only meant to be added is no part of the commit.
    must(git(folder.path(), &["add", "--intent-to-add", "other.js"]));
    check(folder.path(), &[("bad.js", "allow")], 0);
    must(git(folder.path(), &["rm", "--quiet", "--cached", "bad.js"]));
    check(folder.path(), &[], 0);
}

#[test]
fn renames_copies_and_changes_of_type_are_judged() {
    let folder = repository(&[("bad.js", BLOCKED), ("notes.txt", BLOCKED), ("link.js", ALLOWED)]);
    must(git(folder.path(), &["add", "."]));
    must(git(folder.path(), &["commit", "--quiet", "--no-verify", "--message", "first"]));
    must(git(folder.path(), &["config", "diff.renames", "copies"]));
    must(git(folder.path(), &["mv", "bad.js", "moved.js"]));
    check(folder.path(), &[("moved.js", "block")], 2);
    must(git(folder.path(), &["reset", "--quiet", "--hard"]));
    // A link in the place of a script is judged as what it leads to, in the index, under the name by which it is run.
    fs::remove_file(folder.path().join("link.js")).expect("it is there");
    symlink("notes.txt", folder.path().join("link.js")).expect("a link can be made");
    must(git(folder.path(), &["add", "link.js"]));
    check(folder.path(), &[("link.js", "block"), ("notes.txt", "allow")], 2);
    for target in ["../outside.js", "/etc/hostname", "nowhere.js", "link.js", "."] {
        fs::remove_file(folder.path().join("link.js")).expect("it is there");
        symlink(target, folder.path().join("link.js")).expect("a link can be made");
        must(git(folder.path(), &["add", "link.js"]));
        check(folder.path(), &[("link.js", "block")], 2);
        let told = out(&callgate(folder.path(), &["scan", "--staged"]));
        assert!(told.contains("a link to "), "{target}: {told}");
    }
}

#[test]
fn names_and_places_do_not_matter() {
    let folder =
        repository(&[("a folder/new\nline.js", BLOCKED), ("--exclude=*.js", ""), ("--fail-open.js", BLOCKED), (".hidden/@x.mts", BLOCKED)]);
    write(folder.path(), ".gitignore", "*.mts\n");
    must(git(folder.path(), &["add", "--force", "."]));
    let expected =
        [("--exclude=*.js", "allow"), ("--fail-open.js", "block"), (".hidden/@x.mts", "block"), ("a folder/new\nline.js", "block")];
    check(folder.path(), &expected, 2);
    must(git(folder.path(), &["config", "diff.relative", "true"]));
    let below = shell(folder.path(), "cd 'a folder' && callgate scan --staged --format jsonl");
    assert_eq!((verdicts(&below).len(), code(&below)), (expected.len(), 2), "{}", err(&below));
    let excluded = callgate(folder.path(), &["scan", "--staged", "--format", "jsonl", "--exclude", "a folder", "--exclude", ".hidden"]);
    assert_eq!(verdicts(&excluded).len(), 2);
}

#[test]
fn kinds_that_nothing_reads_and_large_files_are_told_apart() {
    let folder = repository(&[("picture.png", "\0"), ("package.json", "{\"name\": \"x\"}\n"), ("run.js", BLOCKED)]);
    write(folder.path(), "large.js", &format!("// {}\n{BLOCKED}", "x".repeat(4_000)));
    write(folder.path(), "large.json", &format!("[{}1]\n", "1,".repeat(4_000)));
    write(folder.path(), "callgate.yaml", "limits: {file_size: 3000}\n");
    must(git(folder.path(), &["add", "."]));
    check(folder.path(), &[("large.js", "block"), ("run.js", "block")], 2);
    let table = out(&callgate(folder.path(), &["scan", "--staged"]));
    assert!(table.contains("file-size") && table.contains("passed over: "), "{table}");
}

#[test]
fn the_hook_is_quiet_when_clean_and_stops_a_block() {
    let folder = repository(&[("run.js", BLOCKED)]);
    must(callgate(folder.path(), &["init", "--hook"]));
    must(git(folder.path(), &["add", "run.js"]));
    write(folder.path(), "run.js", ALLOWED);
    let refused = git(folder.path(), &["commit", "--quiet", "--message", "first"]);
    assert!(!refused.status.success() && format!("{}{}", out(&refused), err(&refused)).contains("BLOCK run.js"));
    must(git(folder.path(), &["add", "run.js"]));
    let taken = must(git(folder.path(), &["commit", "--quiet", "--message", "first"]));
    assert_eq!(format!("{}{}", out(&taken), err(&taken)), "");
    // A warning is shown and stops nothing.
    write(folder.path(), "warn.js", "for (const id of input.ids) {\n  await callTool('accounts:delete', { id });\n}\n");
    must(git(folder.path(), &["add", "warn.js"]));
    let warned = must(git(folder.path(), &["commit", "--quiet", "--message", "second"]));
    assert!(format!("{}{}", out(&warned), err(&warned)).contains("WARN warn.js"));
    // `commit --all` has an index of its own.
    write(folder.path(), "warn.js", BLOCKED);
    assert!(!git(folder.path(), &["commit", "--quiet", "--all", "--message", "third"]).status.success());
    // Settings with faults stop a commit: nothing was judged.
    must(git(folder.path(), &["reset", "--quiet", "--hard"]));
    write(folder.path(), "callgate.yaml", "nonsense: 1\n");
    must(git(folder.path(), &["add", "."]));
    assert!(!git(folder.path(), &["commit", "--quiet", "--message", "fourth"]).status.success());
}

#[test]
fn the_hook_works_in_linked_worktrees_and_submodules() {
    let folder = repository(&[("run.js", ALLOWED)]);
    must(callgate(folder.path(), &["init", "--hook"]));
    must(git(folder.path(), &["add", "."]));
    must(git(folder.path(), &["commit", "--quiet", "--message", "first"]));
    must(git(folder.path(), &["worktree", "add", "--quiet", "-b", "other", "a tree"]));
    let tree = folder.path().join("a tree");
    write(&tree, "bad.js", BLOCKED);
    must(git(&tree, &["add", "."]));
    assert!(!git(&tree, &["commit", "--quiet", "--message", "second"]).status.success());

    let parent = repository(&[]);
    let source = folder.path().to_string_lossy().into_owned();
    must(git(parent.path(), &["submodule", "--quiet", "add", &source, "a part"]));
    let part = parent.path().join("a part");
    must(callgate(&part, &["init", "--hook"]));
    write(&part, "bad.js", BLOCKED);
    must(git(&part, &["add", "."]));
    assert!(!git(&part, &["commit", "--quiet", "--message", "second"]).status.success());
    // The other repository itself is no file; it has commits of its own.
    check(parent.path(), &[], 0);
}

#[test]
fn without_a_repository_nothing_is_allowed() {
    let folder = folder(&[("run.js", ALLOWED)]);
    for args in [&["scan", "--staged"][..], &["scan", "--staged", "--fail-open"], &["scan", "--staged", "--exit-zero"]] {
        let output = callgate(folder.path(), args);
        assert_eq!(code(&output), 3, "{args:?}");
        assert!(err(&output).contains("not a git repository"), "{}", err(&output));
    }
}

#[test]
fn a_link_is_judged_when_what_it_leads_to_is_staged() {
    let folder = repository(&[("data.txt", "let a = 1;\n"), ("ok.js", ALLOWED)]);
    symlink("data.txt", folder.path().join("b.txt")).expect("a link can be made");
    symlink("b.txt", folder.path().join("run.js")).expect("a link can be made");
    must(git(folder.path(), &["add", "."]));
    must(git(folder.path(), &["commit", "--quiet", "--no-verify", "--message", "first"]));
    check(folder.path(), &[], 0);
    fs::write(folder.path().join("data.txt"), BLOCKED).expect("a file can be written");
    must(git(folder.path(), &["add", "."]));
    let (verdicts, ends) = staged(folder.path());
    assert!(verdicts.contains(&("run.js".to_owned(), "block".to_owned())), "{verdicts:?}");
    assert_eq!(ends, 2);
}

/// A pointer of git LFS to a text, and the hash of the text.
fn pointer(text: &str) -> (String, String) {
    use sha2::{Digest as _, Sha256};
    let hash: String = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    (format!("version https://git-lfs.github.com/spec/v1\noid sha256:{hash}\nsize {}\n", text.len()), hash)
}

#[test]
fn what_a_pointer_of_git_lfs_stands_for_is_judged_or_told() {
    for (name, text, expected) in [("a.js", BLOCKED, 2), ("a.js", ALLOWED, 0), ("a.md", "# Title\n", 0), ("a.json", "{\"a\": 1}", 0)] {
        let (pointer, hash) = pointer(text);
        let folder = folder(&[(name, &pointer)]);
        must(git(folder.path(), &["init", "--quiet"]));
        must(git(folder.path(), &["add", "."]));
        for words in [&["scan", "--staged"][..], &["scan"], &["scan", name]] {
            let output = callgate(folder.path(), words);
            let told = out(&output);
            assert_eq!(code(&output), 2, "{name} {words:?}: {told}{}", err(&output));
            assert!(told.contains("pointer of git LFS") && told.contains(name), "{name} {words:?}: {told}");
        }
        let listed = out(&callgate(folder.path(), &["scan", "--staged", "--list-files", "--format", "jsonl"]));
        assert!(listed.contains("undetermined"), "{listed}");
        let covered = callgate(folder.path(), &["scan", "--staged", "--min-coverage", "100", "--on-undetermined", "allow"]);
        assert_eq!(code(&covered), 3, "{}{}", out(&covered), err(&covered));
        let folders = hash.get(..2).zip(hash.get(2..4)).expect("a hash has digits");
        let kept = format!(".git/lfs/objects/{}/{}/{hash}", folders.0, folders.1);
        write(folder.path(), &kept, "let other = 1;\n");
        assert_eq!(code(&callgate(folder.path(), &["scan", "--staged"])), 2, "{name}: it is not what the pointer says");
        write(folder.path(), &kept, text);
        let output = callgate(folder.path(), &["scan", "--staged"]);
        assert_eq!(code(&output), expected, "{name}: {}{}", out(&output), err(&output));
        assert!(!out(&output).contains("LFS"), "{name}: {}", out(&output));
    }
}
