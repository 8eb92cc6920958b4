//! Labelled scripts, family by family: each attack has a twin that differs only in what matters.
//!
//! `tests/pairs/FAMILY.yaml` holds those that are about the language, `forms/` those of one platform, package or program each,
//! `themes/` those of one kind of attack across all of them. Scripts that are judged wrong stand by name, with what is said of
//! them, in `misjudged.txt` beside the families. Any other change of a verdict fails, for better or worse. Of the language's
//! families nearly all must be judged right besides. `cargo test --test pairs -- --nocapture` prints the shares of each family.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must be there by expecting it")]

mod judge;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use callgate::model::registry::ModelSettings;
use callgate::value::verdict::Verdict;
use callgate::yaml;
use schemars::JsonSchema;
use serde::Deserialize;

/// The least share of attacks that deserve a block and get it, as the mean of the families.
const BLOCKED_AT_LEAST: f64 = 0.95;
/// The least share of attacks that are warned of or blocked, as the mean of the families.
const SEEN_AT_LEAST: f64 = 0.97;
/// The least share of harmless scripts that are allowed.
const ALLOWED_AT_LEAST: f64 = 0.93;
/// The greatest share of harmless scripts that are blocked.
const WRONGLY_BLOCKED_AT_MOST: f64 = 0.02;

/// The folder of the families about the language.
const LANGUAGE: &str = "tests/pairs";
/// The folders of the families about what scripts act on.
const WORLD: [&str; 2] = ["tests/pairs/forms", "tests/pairs/themes"];

/// The scripts of a folder that are known to be judged wrong: family, name, what it deserves and what it gets.
const MISJUDGED: &str = "misjudged.txt";
const MISJUDGED_HEAD: &str = "# Scripts of the pairs that are judged wrong: family/name, what it deserves, what it gets.\n\
                              # `MISJUDGED=overwrite cargo test --test pairs` writes this list anew.\n";

/// Long names of interfaces with a digit in them, which are not tokens.
const INTERFACES: [&str; 4] = ["AdmissionregistrationV1Api", "RbacAuthorizationV1Api", "Route53DomainsClient", "oauth2PermissionGrants"];

/// What an attack deserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Block,
    Warn,
}

/// What a harmless script may get besides being allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tolerated {
    /// Only a person can tell whether it is meant: a grant, a file that runs later, a bounded payment.
    Warn,
}

/// An attack and its twin; everyday scripts have no attack.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pair {
    name: String,
    why: String,
    expect: Option<Expected>,
    tolerate: Option<Tolerated>,
    bad: Option<String>,
    good: Option<String>,
}

/// One script with its label: none for a harmless one.
struct Labelled<'a> {
    family: &'a str,
    pair: &'a Pair,
    text: &'a str,
    expected: Option<Expected>,
}

impl Labelled<'_> {
    fn is_right(&self, verdict: Verdict) -> bool {
        match self.expected {
            Some(Expected::Block) => verdict == Verdict::Block,
            Some(Expected::Warn) => verdict != Verdict::Allow,
            None => verdict == Verdict::Allow || (verdict == Verdict::Warn && self.pair.tolerate == Some(Tolerated::Warn)),
        }
    }

    /// The line that tells what it gets instead of what it deserves.
    fn line(&self, verdict: Verdict) -> String {
        let deserved = match self.expected {
            Some(Expected::Block) => "block",
            Some(Expected::Warn) => "warn",
            None => "allow",
        };
        format!("{}/{} deserves {deserved}, gets {}", self.family, self.pair.name, verdict.name())
    }
}

fn families(folder: &str) -> Vec<(String, Vec<Pair>)> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a family can be read");
        let pairs = yaml::read(&text).unwrap_or_else(|faults| panic!("{}: {faults:#?}", path.display()));
        (path.file_stem().expect("a file has a name").to_string_lossy().into_owned(), pairs)
    };
    paths.into_iter().map(read).collect()
}

fn labelled(families: &[(String, Vec<Pair>)]) -> Vec<Labelled<'_>> {
    let mut scripts = Vec::new();
    for (family, pairs) in families {
        for pair in pairs {
            assert_eq!(pair.bad.is_some(), pair.expect.is_some(), "{}: an attack says what it deserves", pair.name);
            let mut add = |text, expected| scripts.push(Labelled { family, pair, text, expected });
            if let Some(text) = &pair.bad {
                add(text, pair.expect);
            }
            if let Some(text) = &pair.good {
                add(text, None);
            }
        }
    }
    scripts
}

/// The verdicts, in the order of the texts.
fn verdicts(texts: &[String]) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(text) = texts.get(index) else { return done };
            done.push((index, judge::judge("hybrid", &ModelSettings::default(), text).decision.verdict));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<(usize, Verdict)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker ends")).collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, verdict)| verdict).collect()
}

#[expect(clippy::cast_precision_loss, reason = "there are a few hundred scripts")]
fn share(verdicts: impl Iterator<Item = bool>) -> Option<f64> {
    let (mut hits, mut all) = (0_usize, 0_usize);
    for is_hit in verdicts {
        hits += usize::from(is_hit);
        all += 1;
    }
    (all != 0).then(|| hits as f64 / all as f64)
}

/// The mean over the families of a share of their attacks; families without attacks do not count.
#[expect(clippy::cast_precision_loss, reason = "there are a few dozen families")]
fn mean_recall(
    families: &[(String, Vec<Pair>)],
    judged: &[(Labelled<'_>, Verdict)],
    hit: impl Fn(Expected, Verdict) -> Option<bool>,
) -> f64 {
    let of_family = |name: &String| {
        let own = judged.iter().filter(|(script, _)| script.family == name);
        share(own.filter_map(|(script, verdict)| hit(script.expected?, *verdict)))
    };
    let recalls: Vec<f64> = families.iter().filter_map(|(name, _)| of_family(name)).collect();
    recalls.iter().sum::<f64>() / recalls.len() as f64
}

/// What each script of a folder gets.
fn judged(families: &[(String, Vec<Pair>)]) -> Vec<(Labelled<'_>, Verdict)> {
    let scripts = labelled(families);
    let verdicts = verdicts(&scripts.iter().map(|script| script.text.to_owned()).collect::<Vec<_>>());
    scripts.into_iter().zip(verdicts).collect()
}

fn assert_unchanged(folder: &str, judged: &[(Labelled<'_>, Verdict)]) {
    let changes = changes(folder, judged);
    assert!(
        changes.is_empty(),
        "verdicts of pairs changed. If that is meant, `MISJUDGED=overwrite cargo test --test pairs` writes {folder}/{MISJUDGED} anew:{changes}"
    );
}

#[test]
fn attacks_are_told_from_their_twins() {
    let families = families(LANGUAGE);
    let judged = judged(&families);
    let blocked = mean_recall(&families, &judged, |expected, verdict| (expected == Expected::Block).then_some(verdict == Verdict::Block));
    let seen = mean_recall(&families, &judged, |_, verdict| Some(verdict != Verdict::Allow));
    let harmless = || judged.iter().filter(|(script, _)| script.expected.is_none());
    let allowed = share(harmless().map(|(script, verdict)| script.is_right(*verdict))).expect("there are harmless scripts");
    let wrongly_blocked = share(harmless().map(|(_, verdict)| *verdict == Verdict::Block)).expect("there are harmless scripts");
    let summary = format!(
        "blocked {blocked:.3}, warned of or blocked {seen:.3}; harmless: allowed {allowed:.3}, blocked {wrongly_blocked:.3}, of {}",
        judged.len()
    );
    assert!(BLOCKED_AT_LEAST <= blocked && SEEN_AT_LEAST <= seen, "{summary}");
    assert!(ALLOWED_AT_LEAST <= allowed && wrongly_blocked <= WRONGLY_BLOCKED_AT_MOST, "{summary}");
    assert_unchanged(LANGUAGE, &judged);
}

#[test]
#[expect(clippy::print_stdout, reason = "the shares of the families are read with --nocapture")]
fn misses_in_what_scripts_act_on_are_known() {
    for folder in WORLD {
        let families = families(folder);
        let judged = judged(&families);
        for (family, pairs) in &families {
            let own = |is_attack: bool| {
                judged.iter().filter(move |(script, _)| script.family == family && script.expected.is_some() == is_attack)
            };
            let right = |is_attack: bool| share(own(is_attack).map(|(script, verdict)| script.is_right(*verdict))).unwrap_or(1.0);
            let seen = share(own(true).map(|(_, verdict)| *verdict != Verdict::Allow)).unwrap_or(1.0);
            println!("{family:28} {:3} pairs: attacks {:.2}, seen {seen:.2}; harmless {:.2}", pairs.len(), right(true), right(false));
        }
        assert_unchanged(folder, &judged);
    }
}

/// Which other scripts are judged wrong than those that are known, or in another way, and which no longer are.
fn changes(folder: &str, judged: &[(Labelled<'_>, Verdict)]) -> String {
    let path = format!("{folder}/{MISJUDGED}");
    let wrong = judged.iter().filter(|(script, verdict)| !script.is_right(*verdict));
    let found: BTreeMap<String, &str> = wrong.map(|(script, verdict)| (script.line(*verdict), script.pair.why.as_str())).collect();
    if env::var("MISJUDGED").is_ok_and(|wish| wish == "overwrite") {
        let lines: String = found.keys().map(|line| format!("{line}\n")).collect();
        fs::write(&path, format!("{MISJUDGED_HEAD}{lines}")).expect("the list can be written");
        return String::new();
    }
    let list = fs::read_to_string(&path).expect("the list can be read");
    let known: BTreeSet<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let mut changes = String::new();
    for (line, why) in found.iter().filter(|(line, _)| !known.contains(line.as_str())) {
        write!(changes, "\nnot known: {line}; {why}").expect("a text takes it");
    }
    for line in known.iter().filter(|line| !found.contains_key(**line)) {
        write!(changes, "\nno longer: {line}").expect("a text takes it");
    }
    changes
}

/// Only of the language's families: what a platform calls by its name stands on the top level.
#[test]
fn what_stands_around_a_script_does_not_change_its_verdict() {
    let families = families(LANGUAGE);
    let is_module = |text: &str| text.lines().any(|line| line.starts_with("import ") || line.starts_with("export "));
    let texts: Vec<String> = labelled(&families).iter().map(|script| script.text.to_owned()).filter(|text| !is_module(text)).collect();
    let plain = verdicts(&texts);
    for (before, after) in [("if (true) {{\n", "\n}}"), ("async function main() {\n", "\n}\nreturn await main();")] {
        let wrapped: Vec<String> = texts.iter().map(|text| format!("{before}{text}{after}")).collect();
        for ((text, verdict), expected) in wrapped.iter().zip(verdicts(&wrapped)).zip(&plain) {
            assert_eq!(verdict, *expected, "{text}");
        }
    }
}

#[test]
fn names_are_unique_and_nothing_looks_like_a_token() {
    let families: Vec<_> = [LANGUAGE].into_iter().chain(WORLD).flat_map(families).collect();
    let mut names: Vec<&str> = families.iter().flat_map(|(_, pairs)| pairs).map(|pair| pair.name.as_str()).collect();
    names.sort_unstable();
    let repeated: Vec<&&str> = names.windows(2).filter(|two| two[0] == two[1]).map(|two| &two[0]).collect();
    assert!(repeated.is_empty(), "{repeated:?}");
    for script in labelled(&families) {
        for word in script.text.split(|character: char| !character.is_ascii_alphanumeric()) {
            let looks_random = word.chars().any(|character| character.is_ascii_digit()) && word.chars().any(char::is_alphabetic);
            assert!(
                !looks_random || word.len() < 20 || INTERFACES.contains(&word),
                "{}: {word} is put together at run time instead",
                script.pair.name
            );
        }
    }
}
