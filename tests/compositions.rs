//! Scripts that are put together: a secret goes from a source through constructs of the language and the runtime to a
//! sink. None may be allowed, however it carries the secret; its twin sends a constant the same way.
//!
//! `CALLGATE_COMPOSITIONS=20000` raises how many random ones are judged, `CALLGATE_SEED=1` begins elsewhere.
//! `CALLGATE_NODE=node` has Node run each construct, to see that it does carry what it is given; those in TypeScript and
//! JSX only where `CALLGATE_TYPESCRIPT` names the folder of the package typescript.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test says what must be there by expecting it, and what it found"
)]

#[path = "compositions/composition.rs"]
mod composition;
#[path = "compositions/construct.rs"]
mod construct;
#[path = "compositions/dice.rs"]
mod dice;
#[path = "compositions/ends.rs"]
mod ends;
#[path = "judge/scanner.rs"]
mod scanner;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use callgate::finding::Entry;
use callgate::format::script::nesting::STACK_SIZE;
use callgate::model::registry::{DEFAULT, ModelSettings};
use callgate::scan::Scanner;
use callgate::scan::session::Sessions;
use callgate::value::source::{Source, SourceName};
use callgate::value::verdict::Verdict;

use crate::composition::{Composition, Frame, Side};
use crate::construct::{Construct, constructs};
use crate::dice::Dice;
use crate::ends::DIALECTS;

/// How many random compositions are judged, if nothing else is said.
const COMPOSITIONS: usize = 1_000;
/// The share of single constructs whose attack may be allowed: those that are known not to be followed. It may only fall.
const SINGLES_ALLOWED_AT_MOST: f64 = 0.0;
/// The same of random compositions, in which several of them may stand. It is to become nothing.
const ALLOWED_AT_MOST: f64 = 0.003;
/// Of how many constructs each is.
const CONSTRUCTS: usize = 3;
/// The greatest share of twins that are not allowed, of those whose constructs deserve no warning.
const ALARMS_AT_MOST: f64 = 0.06;
/// How many failing scripts are printed whole.
const SHOWN: usize = 5;

fn number(name: &str, usual: usize) -> usize {
    env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// What is said of one script, as if it were the first that is ever seen.
fn verdict(scanner: &mut Scanner, composition: &Composition<'_>, side: Side) -> Verdict {
    scanner.sessions = Sessions::default().into();
    scanner.language = Some(composition.language());
    let source = Source { name: SourceName::explicit("composition"), text: composition.text(side), has_bom: false };
    match scanner.judge(&source).remove(0) {
        Entry::Finding(finding) => finding.decision.verdict,
        entry @ (Entry::Problem(_) | Entry::PassedOver(_)) => panic!("{}: {entry:?}", source.text),
    }
}

/// What became of a composition.
struct Judged<'c> {
    attack: Verdict,
    twin: Verdict,
    /// Of an attack that is allowed, the least that still is.
    missed: Option<Composition<'c>>,
}

fn judge<'c>(scanner: &mut Scanner, composition: &Composition<'c>) -> Judged<'c> {
    let attack = verdict(scanner, composition, Side::Attack);
    let twin = verdict(scanner, composition, Side::Twin);
    let mut is_missed = |fewer: &Composition<'_>| verdict(scanner, fewer, Side::Attack) == Verdict::Allow;
    let missed = (attack == Verdict::Allow).then(|| composition.clone().shrunk(&mut is_missed));
    Judged { attack, twin, missed }
}

/// What became of compositions, in their order.
fn judged<'c>(compositions: &[Composition<'c>]) -> Vec<Judged<'c>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut scanner = scanner::scanner(DEFAULT, &ModelSettings::default());
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(composition) = compositions.get(index) else { return done };
            done.push((index, judge(&mut scanner, composition)));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<(usize, Judged<'c>)> = thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work).expect("a worker can be started");
        let workers: Vec<_> = (0..threads).map(start).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker ends")).collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, judged)| judged).collect()
}

/// What is wrong with the verdicts of compositions: the fewest constructs of each attack that is allowed, with how
/// often; the first of them whole; and the alarms on twins.
fn faults(compositions: &[Composition<'_>], allowed_at_most: f64) -> Option<String> {
    let judged = judged(compositions);
    let mut missed: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for least in judged.iter().filter_map(|judged| judged.missed.as_ref()) {
        let entry = missed.entry(format!("{:?} {}", least.dialect, least.names())).or_insert_with(|| (0, least.text(Side::Attack)));
        entry.0 += 1;
    }
    let plain = compositions.iter().zip(&judged).filter(|(composition, _)| !composition.is_suspicious());
    let mut alarms: BTreeMap<String, usize> = BTreeMap::new();
    for (composition, _) in plain.clone().filter(|(_, judged)| judged.twin != Verdict::Allow) {
        *alarms.entry(format!("{:?} {}", composition.dialect, composition.names())).or_default() += 1;
    }
    let (plain, alarmed) = (plain.count(), alarms.values().sum::<usize>());
    let blocked = judged.iter().filter(|judged| judged.attack == Verdict::Block).count();
    let allowed = judged.iter().filter(|judged| judged.attack == Verdict::Allow).count();
    let mut summary = format!("{blocked} blocked and {allowed} allowed of {}; {alarmed} alarms on {plain} twins\n", judged.len());
    eprint!("{summary}");
    for (names, (count, _)) in &missed {
        writeln!(summary, "allowed {count} times: {names}").expect("a text takes it");
    }
    for (names, count) in &alarms {
        writeln!(summary, "alarm {count} times: {names}").expect("a text takes it");
    }
    for (names, (_, text)) in missed.iter().take(SHOWN) {
        writeln!(summary, "\n// {names}\n{text}").expect("a text takes it");
    }
    #[expect(clippy::cast_precision_loss, reason = "there are a few thousand compositions")]
    let share = alarmed as f64 / plain.max(1) as f64;
    #[expect(clippy::cast_precision_loss, reason = "there are a few thousand compositions")]
    let missed = allowed as f64 / judged.len().max(1) as f64;
    (allowed_at_most < missed || ALARMS_AT_MOST < share).then_some(summary)
}

/// Each construct by itself, in each dialect that has it.
fn singles<'c>(all: &[&'c Construct]) -> Vec<Composition<'c>> {
    let of = |dialect| all.iter().filter(move |one| one.fits(dialect)).map(move |one| Composition::plain(dialect, vec![*one]));
    DIALECTS.into_iter().flat_map(of).collect()
}

fn random<'c>(all: &'c [&'c Construct], seed: u64, count: usize) -> Vec<Composition<'c>> {
    let mut dice = Dice::new(seed);
    (0..count).map(|_| Composition::random(&mut dice, all, CONSTRUCTS)).collect()
}

#[test]
fn names_are_unique() {
    let all = constructs();
    let mut names: Vec<&str> = all.iter().map(|(_, construct)| construct.name.as_str()).collect();
    names.sort_unstable();
    let repeated: Vec<&&str> = names.windows(2).filter(|two| two[0] == two[1]).map(|two| &two[0]).collect();
    assert!(repeated.is_empty(), "{repeated:?}");
}

#[test]
fn every_source_and_sink_is_known() {
    let mut wrong = String::new();
    for dialect in DIALECTS {
        let ways = dialect.sources().iter().flat_map(|source| dialect.sinks().iter().map(move |sink| (*source, *sink)));
        let compositions: Vec<Composition<'_>> =
            ways.map(|(source, sink)| Composition { source, sink, ..Composition::plain(dialect, Vec::new()) }).collect();
        for (composition, Judged { attack, twin, .. }) in compositions.iter().zip(judged(&compositions)) {
            if (attack, twin) != (Verdict::Block, Verdict::Allow) {
                writeln!(wrong, "{attack:?}, {twin:?}\n{}", composition.text(Side::Attack)).expect("a text takes it");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_construct_is_followed() {
    let all = constructs();
    let all: Vec<&Construct> = all.iter().map(|(_, construct)| construct).collect();
    let faults = faults(&singles(&all), SINGLES_ALLOWED_AT_MOST);
    assert!(faults.is_none(), "{}", faults.unwrap_or_default());
}

#[test]
fn every_composition_is_followed() {
    let seed = number("CALLGATE_SEED", 10) as u64;
    let all = constructs();
    let all: Vec<&Construct> = all.iter().map(|(_, construct)| construct).collect();
    let faults = faults(&random(&all, seed, number("CALLGATE_COMPOSITIONS", COMPOSITIONS)), ALLOWED_AT_MOST);
    assert!(faults.is_none(), "CALLGATE_SEED={seed}\n{}", faults.unwrap_or_default());
}

#[test]
fn every_construct_carries_what_it_is_given() {
    let Ok(node) = env::var("CALLGATE_NODE") else {
        eprintln!("CALLGATE_NODE names no Node: nothing was run");
        return;
    };
    let all = constructs();
    let all: Vec<&Construct> = all.iter().map(|(_, construct)| construct).collect();
    let mut compositions = singles(&all);
    for composition in random(&all, 1, 200) {
        compositions.push(Composition { frame: Frame::Plain, ..Composition::plain(composition.dialect, composition.constructs) });
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut manifest = Vec::new();
    for (index, composition) in compositions.iter().enumerate() {
        for (side, word) in [(Side::Attack, "attack"), (Side::Twin, "twin")] {
            let file = format!("{index}-{word}.tsx");
            fs::write(folder.path().join(&file), composition.text(side)).expect("a script can be written");
            let typed = composition.constructs.iter().any(|construct| construct.typed);
            let dialect = format!("{:?}", composition.dialect).to_lowercase();
            manifest
                .push(serde_json::json!({ "name": composition.names(), "file": file, "dialect": dialect, "side": word, "typed": typed }));
        }
    }
    fs::write(folder.path().join("manifest.json"), serde_json::json!(manifest).to_string()).expect("a list can be written");
    let mut command = Command::new(node);
    command.args(["--no-warnings", "tests/compositions/carried.mjs"]).arg(folder.path()).args(env::var_os("CALLGATE_TYPESCRIPT"));
    let output = command.output().expect("Node can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    eprintln!("{}", said.lines().next().unwrap_or_default());
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}
