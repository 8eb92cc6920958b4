//! What is named is judged: whatever it is called, whatever links lead to it, and once.

#![cfg(unix)]

use crate::process;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use crate::process::{ALLOWED, BLOCKED, callgate, code, command, err, folder, shell, verdicts};

fn paths(folder: &std::path::Path, args: &[&str]) -> Vec<String> {
    let output = callgate(folder, &[&["scan", "--format", "jsonl"][..], args].concat());
    verdicts(&output).into_iter().map(|(path, _)| path).collect()
}

#[test]
fn a_path_that_is_not_there_fails_the_run_and_hides_nothing() {
    for (args, expected, judged) in [
        (&["missing.js"][..], 3, 1),
        (&["missing.js", "--fail-open"], 3, 1),
        (&["missing.js", "--exit-zero"], 3, 1),
        (&["missing.js", "--fail-on", "never", "--on-undetermined", "warn"], 3, 1),
        (&["missing.js", "--listed", "--fail-open"], 3, 1),
        (&["missing/", "good.js"], 3, 2),
        (&["good.js/below", "good.js", "--fail-open"], 3, 2),
        (&["broken.js", "good.js", "--fail-open"], 3, 2),
        (&["good.js", "missing.js", "gone.js"], 3, 3),
        // A block stays one: whoever stops on a block only would let it pass.
        (&["missing.js", "bad.js", "--fail-open"], 2, 2),
        (&["missing.js", "bad.js", "--exit-zero"], 3, 2),
    ] {
        let folder = folder(&[("good.js", ALLOWED), ("bad.js", BLOCKED)]);
        symlink("nowhere.js", folder.path().join("broken.js")).expect("a link can be made");
        let output = callgate(folder.path(), &[&["scan", "--format", "jsonl"][..], args].concat());
        assert_eq!(code(&output), expected, "{args:?}: {}", err(&output));
        assert_eq!(verdicts(&output).len(), judged, "{args:?}");
        assert!(err(&output).contains("not exist") && err(&output).contains("check the spelling"), "{args:?}: {}", err(&output));
    }
    let folder = folder(&[("good.js", ALLOWED), ("labels.csv", "path,label\ngood.js,good\n")]);
    assert_eq!(code(&callgate(folder.path(), &["compare", "good.js", "missing.js"])), 3);
}

#[test]
fn whatever_names_lead_to_a_file_it_is_judged_once() {
    let folder = folder(&[("a.js", BLOCKED), ("sub/b.js", BLOCKED), ("sub/run", BLOCKED)]);
    symlink("a.js", folder.path().join("link.js")).expect("a link can be made");
    symlink("a.js", folder.path().join("bare")).expect("a link can be made");
    symlink("sub", folder.path().join("linked")).expect("a link can be made");
    symlink("..", folder.path().join("sub/up")).expect("a link can be made");
    for (args, expected) in [
        (&["a.js", "./a.js", "sub/../a.js", "link.js"][..], &["a.js"][..]),
        (&["link.js", "a.js"], &["link.js"]),
        (&["bare"], &["a.js"]),
        (&["linked"], &["linked/b.js"]),
        (&["linked", "sub", "sub/b.js"], &["sub/b.js"]),
        (&["sub/b.js", "sub"], &["sub/b.js"]),
        (&["sub/up/sub/up/a.js"], &["sub/up/sub/up/a.js"]),
        (&["."], &["a.js", "sub/b.js"]),
        (&[".", "sub", "a.js", "linked/.."], &["sub/b.js", "a.js"]),
        // What is named is held to more than what is found, whatever names it first.
        (&["sub", "sub/run", "--fail-open"], &["sub/b.js", "sub/run"]),
    ] {
        assert_eq!(paths(folder.path(), args), expected, "{args:?}");
    }
}

#[test]
fn no_name_of_a_file_makes_a_milder_reading_of_it() {
    let folder = folder(&[("bad.js", BLOCKED), ("payload.txt", BLOCKED)]);
    symlink("bad.js", folder.path().join("harmless.txt")).expect("a link can be made");
    symlink("payload.txt", folder.path().join("run.js")).expect("a link can be made");
    for (args, expected) in [
        (&["harmless.txt"][..], &[("harmless.txt", "allow"), ("bad.js", "block")][..]),
        (&["run.js"], &[("run.js", "block"), ("payload.txt", "allow")]),
        (&["payload.txt", "run.js"], &[("payload.txt", "allow"), ("run.js", "block")]),
        (&["."], &[("bad.js", "block"), ("payload.txt", "allow"), ("harmless.txt", "allow"), ("run.js", "block")]),
    ] {
        let output = callgate(folder.path(), &[&["scan", "--format", "jsonl"][..], args].concat());
        let expected: Vec<(String, String)> = expected.iter().map(|(path, verdict)| ((*path).to_owned(), (*verdict).to_owned())).collect();
        assert_eq!((verdicts(&output), code(&output)), (expected, 2), "{args:?}");
    }
}

#[test]
fn links_of_a_walk_lead_to_hidden_folders_and_not_out() {
    let outer = folder(&[("outside/x.js", BLOCKED), ("in/.hidden/h.js", BLOCKED), ("in/a.js", ALLOWED)]);
    let inner = outer.path().join("in");
    symlink(".hidden", inner.join("seen")).expect("a link can be made");
    symlink("../outside", inner.join("out")).expect("a link can be made");
    symlink("../outside/x.js", inner.join("y.js")).expect("a link can be made");
    assert_eq!(paths(&inner, &["."]), ["a.js", "seen/h.js", "y.js"]);
    let table = callgate(&inner, &["scan", "."]);
    assert!(process::out(&table).contains("passed over: 1 other file"), "{}", process::out(&table));
    assert_eq!(paths(outer.path(), &["in", "outside"]), ["in/a.js", "in/out/x.js", "in/seen/h.js"]);
}

#[test]
fn links_in_circles_cost_nothing() {
    let folder = folder(&[("a/b/c/d/e/x.js", ALLOWED)]);
    let mut below = folder.path().to_path_buf();
    for name in ["a", "b", "c", "d", "e"] {
        for nth in 0..40 {
            symlink("..", below.join(format!("{name}-up-{nth}"))).expect("a link can be made");
            symlink(folder.path(), below.join(format!("{name}-top-{nth}"))).expect("a link can be made");
        }
        below.push(name);
    }
    let started = Instant::now();
    assert_eq!(paths(folder.path(), &["."]), ["a/b/c/d/e/x.js"]);
    assert_eq!(paths(folder.path(), &["a/b-up-0/a/b-up-1", "a/b/c"]), ["a/b-up-0/a/b-up-1/a/b/c/d/e/x.js"]);
    assert!(started.elapsed() < Duration::from_secs(120), "{:?}", started.elapsed());
}

#[test]
fn a_file_named_like_an_option_is_a_file() {
    for name in ["--exclude=*.js", "--config=z.js", "--output=bad.js", "-obad.js", "--fail-open", "@bad.js", "-.js", "new\nline.js"] {
        let folder = folder(&[("bad.js", BLOCKED), ("z.js", ALLOWED), (name, BLOCKED)]);
        let expected = i32::from(!name.starts_with('-')) * -62 + 64;
        let bare = callgate(folder.path(), &["scan", name, "bad.js"]);
        assert_eq!(code(&bare), expected, "{name}: {}", err(&bare));
        let behind = callgate(folder.path(), &["scan", "--", name, "bad.js"]);
        assert_eq!(code(&behind), 2, "{name}: {}", err(&behind));
        let listed = shell(folder.path(), "ls -1 > list.lst; find . -name '*.js' -print0 > nul.lst; callgate scan --files-from list.lst");
        assert_eq!(code(&listed), 2, "{name}: {}", err(&listed));
        assert_eq!(code(&shell(folder.path(), "callgate scan --files-from nul.lst")), 2, "{name}");
        assert_eq!(fs::read_to_string(folder.path().join("bad.js")).expect("it is there"), BLOCKED, "{name}");
    }
}

#[test]
fn a_name_that_is_no_utf_8_is_judged() {
    let folder = folder(&[]);
    let name = OsStr::from_bytes(b"--a\xff\n.js");
    fs::write(folder.path().join(name), BLOCKED).expect("a file can be written");
    let output = command(folder.path(), &["scan", "--format", "jsonl", "--"]).arg(name).output().expect("callgate runs");
    assert_eq!(verdicts(&output), [("--a\\xff\n.js".to_owned(), "block".to_owned())]);
    assert_eq!(code(&shell(folder.path(), "callgate scan -- *")), 2);
    assert_eq!(code(&shell(folder.path(), "callgate scan *")), 64);
}

#[test]
fn what_is_listed_is_passed_over_where_nothing_is_to_be_judged() {
    let folder = folder(&[("package.json", "{\"name\": \"x\"}\n"), ("bad.js", BLOCKED), ("notes.bin", "x")]);
    for (args, expected) in
        [(&["package.json"][..], 2), (&["--listed", "package.json", "notes.bin"], 0), (&["--listed", "package.json", "bad.js"], 2)]
    {
        let output = callgate(folder.path(), &[&["scan"][..], args].concat());
        assert_eq!(code(&output), expected, "{args:?}: {}", err(&output));
    }
}
