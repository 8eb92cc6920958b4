//! A program that was built without a store judges as any other, and says clearly that it stores nothing.

#![cfg(not(feature = "audit"))]

mod process;

use process::{ALLOWED, BLOCKED, callgate, folder};

#[test]
fn whoever_wants_a_store_is_told_how_to_get_one() {
    let folder = folder(&[("good.js", ALLOWED), ("bad.js", BLOCKED)]);
    let run = |words: &[&str]| {
        let output = callgate(folder.path(), words);
        // Long lines are broken for people.
        let told = String::from_utf8_lossy(&output.stderr).replace('│', " ");
        (output.status.code(), told.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    for (words, code) in [
        (&["scan", "good.js"][..], 0),
        (&["scan", "bad.js"], 2),
        (&["scan", "good.js", "--audit"], 0),
        (&["scan", "good.js", "--audit=a.db"], 0),
        (&["scan", "bad.js", "--audit=a.db", "--audit-required"], 2),
        (&["scan", "good.js", "--audit=a.db", "--audit-required"], 3),
        (&["scan", "good.js", "--audit=postgres://me:secret@127.0.0.1/a", "--audit-required"], 3),
        (&["audit", "verify", "--store", "a.db"], 64),
        (&["history"], 64),
        (&["sessions"], 64),
        (&["trends"], 64),
        (&["tune", "--audit"], 64),
    ] {
        let (found, told) = run(words);
        assert_eq!(found, Some(code), "{words:?}: {told}");
        let wants_one = words[0] != "scan" || words.iter().any(|word| word.starts_with("--audit"));
        assert_eq!(told.contains("built without a store"), wants_one, "{words:?}: {told}");
        assert_eq!(told.contains("feature `audit`"), wants_one, "{words:?}: {told}");
        assert!(!told.contains("secret"), "{told}");
    }
    assert!(!folder.path().join("a.db").exists());
}
