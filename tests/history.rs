//! What a store says of the past: evaluations, sessions, trends, what rises; whose it is; and counters.

#![cfg(feature = "audit")]
#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::fs;
use std::path::Path;

use callgate::audit::Scope;
use callgate::audit::query::Filter;
use callgate::audit::record::{Id, Pending, Record};
use callgate::audit::store::Store;
use callgate::history::period::Unit;
use callgate::value::severity::Severity;
use callgate::value::time::DAY;
use callgate::value::verdict::Verdict;
use serde_json::Value;
use tempfile::TempDir;

mod process;
#[path = "process/records.rs"]
mod records;

use process::{callgate, out as stdout};

/// Noon of 2026-11-15, the end of the time that is looked at.
const END: i64 = 1_794_744_000_000;
const UNTIL: &str = "2026-11-15T12:00Z";

/// An evaluation in a session, by two models of which one blocks nothing; its path is one that no page may take for its own text.
fn record(at: i64, verdict: Verdict, tenant: Option<&str>, session: &str) -> Pending {
    let is_clean = verdict == Verdict::Allow;
    let score = if is_clean { 0 } else { 60 };
    let mut pending = records::record(at, verdict);
    let usual = pending.record;
    pending.record = Record {
        tenant: tenant.map(str::to_owned),
        session: Some(records::session(session)),
        agent: Some("claude-code".to_owned()),
        path: "src/<b>&\"bold\"</b>.js".to_owned(),
        patterns: (!is_clean).then(|| "2*secret-read loop-fan-out".to_owned()),
        match_count: u32::from(!is_clean) * 3,
        score: Some(f64::from(score)),
        undetermined: (at % 50 == 0 && !is_clean).then(|| "too-deep".into()),
        models: "hybrid,numeric".to_owned(),
        scores: Some(format!("hybrid {score} {verdict};numeric 0 allow")),
        duration: Some(1_500),
        ..usual
    };
    pending
}

/// Two weeks with 100 evaluations a day; of tenant `a` ever fewer are allowed, of `b` and of those without one it stays.
fn filled(home: &Path) -> Store {
    let mut store = Store::open(&home.join("a.db")).expect("a store is made");
    for tenant in [Some("a"), Some("b"), None] {
        let day = |day: i64| {
            let blocked = if tenant == Some("a") && 7 <= day { 30 } else { 5 };
            let verdict = move |nth: i64| if nth < blocked { Verdict::Block } else { Verdict::Allow };
            (0..100).map(move |nth| {
                record(END - (14 - day) * DAY + nth * 1_000, verdict(nth), tenant, if nth == 0 { "first" } else { "<i>rest</i>" })
            })
        };
        let batch: Vec<Pending> = (0..14).flat_map(day).collect();
        store.append(&batch).expect("it is written");
    }
    store
}

fn of(tenant: Option<&str>) -> Filter {
    Filter { scope: Some(Scope::of_tenant(tenant)), ..Filter::default() }
}

#[test]
fn trends_count_everything_once_and_only_what_one_may_see() {
    let home = TempDir::new().expect("a folder can be made");
    let store = filled(home.path());
    for (filter, by, evaluations, blocked, periods) in [
        (of(Some("a")), Unit::Day, 1_400, 245, 14),
        (of(Some("b")), Unit::Day, 1_400, 70, 14),
        (of(None), Unit::Hour, 1_400, 70, 13 * 24 + 1),
        (Filter::default(), Unit::Day, 4_200, 385, 14),
        (of(Some("nobody")), Unit::Day, 0, 0, 0),
        (Filter { verdict: Some(Verdict::Block), ..of(Some("a")) }, Unit::Day, 245, 245, 14),
        (Filter { rule: Some("secret-read".to_owned()), ..Filter::default() }, Unit::Day, 385, 385, 14),
        (Filter { since: Some(END - DAY), ..of(Some("a")) }, Unit::Day, 100, 30, 1),
        (Filter { since: Some(END - DAY + 500), until: Some(END - DAY + 40_500), ..of(Some("a")) }, Unit::Day, 40, 29, 1),
    ] {
        let trends = store.trends(&filter, by, 7 * DAY, END).expect("it is read");
        let found = (trends.total.evaluations(), trends.total.verdicts[2], trends.periods.len());
        assert_eq!(found, (evaluations, blocked, periods), "{filter:?}");
        let of_rule: u64 = trends.rules.iter().filter(|rule| rule.rule == "secret-read").flat_map(|rule| rule.by_period.clone()).sum();
        assert_eq!(of_rule, blocked, "{filter:?}");
        assert_eq!(trends.periods.iter().map(|period| period.disputed).sum::<u64>(), blocked, "{filter:?}");
        let (both, same) = trends.pairs.first().map_or((0, 0), |pair| (pair.both, pair.same));
        assert_eq!((both, same), (evaluations, evaluations - blocked), "{filter:?}");
    }
}

#[test]
fn trends_are_answered_from_indices() {
    let home = TempDir::new().expect("a folder can be made");
    drop(filled(home.path()));
    let connection = rusqlite::Connection::open(home.path().join("a.db")).expect("it is opened");
    let plan = "EXPLAIN QUERY PLAN SELECT count(*), sum(verdict = 1), sum(undetermined IS NOT NULL), sum(score) FROM record
        WHERE record.tenant = (SELECT id FROM name WHERE text = '') AND record.at >= 1 AND record.at < 2";
    let told: Vec<String> =
        connection.prepare(plan).and_then(|mut plan| plan.query_map([], |row| row.get(3))?.collect()).expect("there is a plan");
    assert!(told.iter().any(|line| line.contains("COVERING INDEX record_time (tenant=? AND at>? AND at<?)")), "{told:?}");
}

#[test]
fn what_rises_ends_with_one_and_says_whose_it_is() {
    let home = TempDir::new().expect("a folder can be made");
    drop(filled(home.path()));
    for (words, code, expected) in [
        (&["--tenant", "a"][..], 1, "rising within 7 days: tenant a: rule secret-read: 5.0 % → 30 % of evaluations"),
        (&["--tenant", "b"], 0, ""),
        (&[], 0, ""),
        (&["--all-tenants"], 1, "rising within 7 days: tenant a: what is blocked: 5.0 % → 30 % of evaluations"),
        (&["--tenant", "a", "--window", "1d"], 0, ""),
        (&["--tenant", "nobody"], 0, ""),
    ] {
        let output = callgate(home.path(), &[&["trends", "--store", "a.db", "--alert", "--until", UNTIL], words].concat());
        assert_eq!((output.status.code(), stdout(&output).contains(expected)), (Some(code), true), "{words:?} {output:?}");
        assert_eq!(stdout(&output).is_empty(), code == 0, "{words:?} {output:?}");
    }
    assert_eq!(callgate(home.path(), &["trends", "--store", "none.db", "--alert"]).status.code(), Some(3));
}

#[test]
fn evaluations_and_sessions_are_the_newest_of_those_asked_for() {
    let home = TempDir::new().expect("a folder can be made");
    drop(filled(home.path()));
    let json = |words: &[&str]| -> Value {
        let output = callgate(home.path(), &[words, &["--store", "a.db", "--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    };
    let history = json(&["history", "--tenant", "a", "--verdict", "block", "--limit", "3"]);
    let evaluations = history["evaluations"].as_array().expect("a list");
    assert_eq!((evaluations.len(), &history["has_more"]), (3, &Value::Bool(true)));
    assert!(evaluations.iter().all(|evaluation| evaluation["tenant_id"] == "a" && evaluation["verdict"] == "block"));
    assert!(evaluations.windows(2).all(|pair| pair[1]["timestamp"].as_str() < pair[0]["timestamp"].as_str()));
    assert_eq!(json(&["history", "--tenant", "nobody"])["evaluations"], serde_json::json!([]));
    let sessions = json(&["sessions", "--tenant", "a"]);
    let told: Vec<(&str, u64, u64)> = sessions["sessions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|session| {
            (
                session["session_id"].as_str().unwrap_or_default(),
                session["evaluations"].as_u64().unwrap_or_default(),
                session["block"].as_u64().unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(told, [("<i>rest</i>", 1_386, 231), ("first", 14, 14)]);
    assert_eq!((&sessions["sessions"][0]["agent"], &sessions["sessions"][0]["highest_score"]), (&"claude-code".into(), &60.into()));
    assert_eq!(json(&["sessions", "--all-tenants"])["sessions"].as_array().map(Vec::len), Some(6));
    let csv = stdout(&callgate(home.path(), &["trends", "--store", "a.db", "--tenant", "a", "--until", UNTIL, "--format", "csv"]));
    assert_eq!(
        (csv.lines().count(), csv.lines().next()),
        (15, Some("start,evaluations,allow,warn,block,undetermined,accepted,mean_score,highest_score,disagreements"))
    );
}

#[test]
fn the_page_is_well_formed_and_asks_for_nothing() {
    let home = TempDir::new().expect("a folder can be made");
    drop(filled(home.path()));
    let output = callgate(home.path(), &["trends", "--store", "a.db", "--all-tenants", "--until", UNTIL, "--html", "page.html"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()), "{output:?}");
    let page = fs::read_to_string(home.path().join("page.html")).expect("it is there");
    for forbidden in ["<script", "http:", "https:", "url(", " src=", " style=", "@import", "<i>rest", "onload"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(
        page.contains("default-src 'none'") && page.contains("&lt;i&gt;rest&lt;/i&gt;") && page.contains("4,200 evaluations, 385 blocked")
    );
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1) {
        let tag = tag.split_once('>').map_or(tag, |(tag, _)| tag);
        let name = tag.split([' ', '/']).find(|name| !name.is_empty()).unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') && !tag.starts_with('!') && name != "meta" {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn counters_are_those_of_the_store_or_else_of_the_run() {
    let home = TempDir::new().expect("a folder can be made");
    fs::write(home.path().join("good.js"), "console.log(1);\n").expect("it is written");
    let metrics = |words: &[&str]| {
        let output = callgate(home.path(), &[&["scan", "good.js", "--no-config", "--metrics", "m.prom"], words].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        fs::read_to_string(home.path().join("m.prom")).expect("it is there")
    };
    for (words, scope, count) in [(&[][..], "run", 1), (&[], "run", 1), (&["--audit=a.db"], "store", 1), (&["--audit=a.db"], "store", 2)] {
        let text = metrics(words);
        assert!(text.contains(&format!("scope=\"{scope}\"")), "{text}");
        assert!(text.contains(&format!("callgate_evaluations_total{{verdict=\"allow\"}} {count}\n")), "{text}");
        assert!(text.contains(&format!("callgate_scan_duration_seconds_count {count}\n")), "{text}");
    }
    assert_eq!(callgate(home.path(), &["audit", "prune", "--store", "a.db", "--older-than", "0s"]).status.code(), Some(0));
    assert!(metrics(&["--audit=a.db"]).contains("callgate_evaluations_total{verdict=\"allow\"} 3\n"), "counters go on");
    let output = callgate(home.path(), &["scan", "good.js", "--no-config", "--metrics", "none/m.prom"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

/// A store with the same records and ids whenever it is made.
fn same_each_time(home: &Path) {
    let mut store = Store::open(&home.join("a.db")).expect("a store is made");
    let batch: Vec<Pending> = (0..60)
        .map(|nth: i64| {
            let verdict = if nth % 4 == 0 { Verdict::Block } else { Verdict::Allow };
            let mut pending = record(END - (3 - nth / 20) * DAY + nth * 1_000, verdict, None, if nth % 20 == 0 { "first" } else { "rest" });
            let record = &mut pending.record;
            record.id = Id::from_u128(0x01a2_0429_8e78_75b7_a2d2_0000_0000_0000 + nth.unsigned_abs() as u128);
            if nth % 8 == 0 {
                (record.patterns, record.match_count) = (Some("exfiltration".to_owned()), 1);
                (record.severity, record.score) = (Some(Severity::Critical), Some(40.0));
            }
            if nth % 10 == 1 {
                (record.accepted, record.accepted_count) = (Some("2*loop-fan-out".to_owned()), 2);
            }
            pending
        })
        .collect();
    store.append(&batch).expect("it is written");
    for (nth, is_bad) in [(0, true), (8, true), (4, false), (12, false), (1, false)] {
        assert!(store.label(batch[nth].record.id, is_bad, Some("seen"), END).expect("it is labelled"));
    }
}

#[test]
fn commands_on_a_store_answer_as_their_cases_say() {
    let home = TempDir::new().expect("a folder can be made");
    same_each_time(home.path());
    let store = home.path().join("a.db");
    trycmd::TestCases::new().env("CALLGATE_AUDIT", store.display().to_string()).case("tests/cmd/stored/*.toml");
}

#[test]
fn documents_keep_their_schemas() {
    let home = TempDir::new().expect("a folder can be made");
    drop(filled(home.path()));
    let empty = home.path().join("empty.db").display().to_string();
    drop(Store::open(Path::new(&empty)).expect("a store is made"));
    let another = TempDir::new().expect("a folder can be made");
    same_each_time(another.path());
    let full = home.path().join("a.db").display().to_string();
    let labelled = another.path().join("a.db").display().to_string();
    let time = ["--until", UNTIL, "--since", "2026-10-01"];
    for (of, words) in [
        ("history", vec!["history", "--store", &full, "--all-tenants"]),
        ("history", vec!["history", "--store", &labelled, "--limit", "999"]),
        ("history", vec!["history", "--store", &empty]),
        ("sessions", vec!["sessions", "--store", &full, "--all-tenants"]),
        ("sessions", vec!["sessions", "--store", &empty]),
        ("trends", [&["trends", "--store", &full, "--all-tenants"][..], &time].concat()),
        ("trends", [&["trends", "--store", &full, "--tenant", "a", "--by", "hour"][..], &time].concat()),
        ("trends", vec!["trends", "--store", &empty]),
        ("calibration", vec!["tune", "--no-config", "--audit", &full]),
        ("calibration", vec!["tune", "--no-config", "--audit", &labelled]),
    ] {
        let document: Value = serde_json::from_slice(&callgate(home.path(), &[&words[..], &["--format", "json"]].concat()).stdout)
            .unwrap_or_else(|fault| std::panic::panic_any(format!("{words:?}: {fault}")));
        let schema = callgate(home.path(), &["generate", "schema", of]);
        let schema: Value = serde_json::from_slice(&schema.stdout).expect("the schema is JSON");
        let validator = jsonschema::validator_for(&schema).expect("the schema is one");
        let faults: Vec<String> = validator.iter_errors(&document).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{words:?}: {faults:?}");
    }
}

#[test]
fn labels_part_what_people_call_bad_from_what_they_call_good() {
    let home = TempDir::new().expect("a folder can be made");
    let write = |name: String, text: &str| fs::write(home.path().join(name), text).expect("it is written");
    for nth in 0..12 {
        let lists = ["users", "orders", "teams", "tickets", "rooms", "notes"];
        let lists: String = lists.map(|what| format!("await callTool('{what}:list', {{ limit: 100000 }});\n")).concat();
        write(format!("bad-{nth}.js"), &format!("await callTool('shell:exec', {{ command: 'cat ~/.ssh/id_rsa' }}); // {nth}\n"));
        write(format!("good-{nth}.js"), &format!("{lists}// {nth}\n"));
    }
    let scan = |words: &[&str]| callgate(home.path(), &[&["scan", "--exit-zero", "--format", "json"], words, &["."]].concat());
    let report: Value = serde_json::from_slice(&scan(&["--no-config", "--audit=a.db"]).stdout).expect("it reports");
    let scores = |report: &Value, begin: &str| -> Vec<f64> {
        let findings = report["findings"].as_array().expect("there are findings");
        let named = findings.iter().filter(|finding| finding["path"].as_str().is_some_and(|path| path.contains(begin)));
        named.map(|finding| finding["score"].as_f64().expect("it has a score")).collect()
    };
    for finding in report["findings"].as_array().expect("there are findings") {
        let label = if finding["path"].as_str().is_some_and(|path| path.contains("bad-")) { "bad" } else { "good" };
        let id = finding["evaluation_id"].as_str().expect("it has an id");
        assert_eq!(callgate(home.path(), &["audit", "label", "--store", "a.db", id, label]).status.code(), Some(0));
    }
    let told = callgate(home.path(), &["tune", "--audit", "a.db", "--format", "json", "--write"]);
    let told: Value = serde_json::from_slice(&told.stdout).unwrap_or_else(|_| std::panic::panic_any(format!("{told:?}")));
    assert_eq!((&told["labelled"]["good"], &told["labelled"]["bad"]), (&Value::from(12), &Value::from(12)), "{told}");
    assert!(told["before"]["bad_over_good"].as_f64() < told["after"]["bad_over_good"].as_f64(), "{told}");
    let after: Value = serde_json::from_slice(&scan(&[]).stdout).expect("it reports");
    let (bad, good) = (scores(&after, "bad-"), scores(&after, "good-"));
    let (lowest, highest) = (bad.iter().copied().fold(f64::MAX, f64::min), good.iter().copied().fold(0.0, f64::max));
    assert!(highest < lowest, "{bad:?} {good:?}");
    assert!(scores(&report, "good-")[0] >= scores(&report, "bad-")[0], "the published weights did not part them");
}
