//! What well-known packages cost: reading their real files, against bare parsing of the same files in the same run.
//!
//! `benches/real/fetch.sh` fetches the packages of `benches/real/packages.txt`; `cargo bench --bench real` then prints, for
//! each package, for all that they depend on and for all together: files and bytes; the time of bare parsing and semantic
//! analysis, of callgate without following data, and of all of callgate, with its speed and how many times the bare one it
//! is; files that are undetermined (of those out of fuel), warned of and blocked beside; and the most memory that the
//! process had taken by then, the texts included. `cargo bench --bench real -- axios three` measures only those.
//! `CALLGATE_REAL` names the cache if it is not the usual; with `CALLGATE_REAL_NAMES=1` each file that is not allowed is named.
//!
//! Time is what one thread spent, where the system tells it, so that others on the machine disturb less; small packages are
//! read again and again until there is enough to tell. Files beyond `limits.file_size` are measured too. Nothing of what is
//! read is run.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark prints its figures, and cannot go on without its input"
)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use callgate::finding::Entry;
use callgate::format::ReadOptions;
use callgate::format::script::nesting::STACK_SIZE;
use callgate::model::registry::{self, Builder, ModelSettings};
use callgate::scan::Scanner;
use callgate::subject::Reason;
use callgate::value::source::{Source, SourceName};
use callgate::value::verdict::Verdict;
use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

const PACKAGES: &str = include_str!("real/packages.txt");
/// What is measured takes at least so long, or is done so many times.
const ENOUGH: Duration = Duration::from_millis(300);
const MOST_TIMES: u32 = 200;
const EXTENSIONS: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];

fn main() {
    let cache = cache();
    let modules = cache.join("node_modules");
    if !modules.is_dir() {
        println!("nothing is measured: no packages in {}; run benches/real/fetch.sh first", cache.display());
        return;
    }
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    // The parser recurses; the stack is as large as the workers' own.
    let bench = move || table(&modules, &wanted);
    thread::Builder::new().stack_size(STACK_SIZE).spawn(bench).expect("a thread can be started").join().expect("the bench runs");
}

/// The folder that `fetch.sh` fills.
fn cache() -> PathBuf {
    let usual = || {
        let caches = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        caches.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache"))).unwrap_or_default().join("callgate-real")
    };
    env::var_os("CALLGATE_REAL").map_or_else(usual, PathBuf::from)
}

/// The names of the packages, without their versions.
fn names() -> impl Iterator<Item = &'static str> {
    PACKAGES.lines().filter_map(|line| Some(line.rsplit_once('@')?.0))
}

fn table(modules: &Path, wanted: &[String]) {
    println!(
        "{:<20} {:>6} {:>7} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "package", "files", "MB", "bare s", "unfoll s", "whole s", "MB/s", "/bare", "/unf", "undet", "fuel", "warned", "blocked", "peak MB"
    );
    let scanners = [scanner(true), scanner(false)];
    let mut all = Row::default();
    let mut measure = |name: &str, files: Vec<PathBuf>| {
        let row = Row::of(files, &scanners);
        println!("{name:<20} {row}");
        all.join(&row);
    };
    for name in names().filter(|name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name)) {
        measure(name, files(&modules.join(name), &[]));
    }
    if wanted.is_empty() {
        let own: Vec<PathBuf> = names().map(|name| modules.join(name)).collect();
        measure("(what they depend on)", files(modules, &own));
    }
    println!("{:<20} {all}", "all");
}

/// The scripts below a folder but outside of some folders, in order.
fn files(folder: &Path, without: &[PathBuf]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|fault| panic!("{}: {fault}; run benches/real/fetch.sh", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    paths.sort();
    let of_path = |path: PathBuf| {
        let is_script = path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| EXTENSIONS.contains(&extension));
        match path {
            path if path.is_symlink() || without.contains(&path) => Vec::new(),
            path if path.is_dir() => files(&path, without),
            path if is_script => vec![path],
            _ => Vec::new(),
        }
    };
    paths.into_iter().flat_map(of_path).collect()
}

fn scanner(unfollowed: bool) -> Scanner {
    let model = Builder::new(&ModelSettings::default()).build(registry::DEFAULT).expect("the defaults make a model");
    let built_in = Scanner::built_in(vec![model]).expect("the built-in patterns make a library");
    Scanner { read: ReadOptions { unfollowed, ..ReadOptions::default() }, ..built_in }
}

/// What was measured of some files.
#[derive(Default)]
struct Row {
    files: usize,
    bytes: usize,
    bare: Duration,
    unfollowed: Duration,
    whole: Duration,
    undetermined: usize,
    out_of_fuel: usize,
    warned: usize,
    blocked: usize,
    /// In kilobytes, if it is told.
    peak: Option<u64>,
}

impl Row {
    fn of(files: Vec<PathBuf>, [unfollowed, whole]: &[Scanner; 2]) -> Self {
        let read = |path: PathBuf| Some(Source { text: fs::read_to_string(&path).ok()?, name: SourceName::explicit(path), has_bom: false });
        let sources: Vec<Source> = files.into_iter().filter_map(read).collect();
        let mut row = Self { files: sources.len(), bytes: sources.iter().map(|source| source.text.len()).sum(), ..Self::default() };
        row.bare = timed(|| sources.iter().for_each(bare));
        row.unfollowed = timed(|| sources.iter().for_each(|source| drop(black_box(unfollowed.judge(source)))));
        row.whole = timed(|| sources.iter().for_each(|source| drop(black_box(whole.judge(source)))));
        for source in &sources {
            whole.judge(source).iter().for_each(|entry| row.count(source, entry));
        }
        row.peak = peak();
        row
    }

    fn count(&mut self, source: &Source, entry: &Entry) {
        let (verdict, reason) = match entry {
            Entry::Finding(finding) => (finding.decision.verdict, finding.undetermined.as_ref().map(|place| place.reason)),
            Entry::Problem(problem) => (problem.verdict, Some(problem.reason)),
            Entry::PassedOver(_) => return,
        };
        self.undetermined += usize::from(reason.is_some());
        self.out_of_fuel += usize::from(reason == Some(Reason::Fuel));
        // What is undetermined is blocked for that alone, and is counted above.
        self.warned += usize::from(reason.is_none() && verdict == Verdict::Warn);
        self.blocked += usize::from(reason.is_none() && verdict == Verdict::Block);
        if verdict != Verdict::Allow && env::var_os("CALLGATE_REAL_NAMES").is_some() {
            println!("  {verdict} {} {}", reason.map_or("", Reason::name), source.name.as_shown());
        }
    }

    fn join(&mut self, other: &Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.bare += other.bare;
        self.unfollowed += other.unfollowed;
        self.whole += other.whole;
        self.undetermined += other.undetermined;
        self.out_of_fuel += other.out_of_fuel;
        self.warned += other.warned;
        self.blocked += other.blocked;
        self.peak = self.peak.max(other.peak);
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let megabytes = self.bytes as f64 / 1e6;
        let [bare, unfollowed, whole] = [self.bare, self.unfollowed, self.whole].map(|took| took.as_secs_f64().max(1e-9));
        write!(f, "{:>6} {megabytes:>7.2} {bare:>8.3} {unfollowed:>8.3} {whole:>8.3} {:>6.1} ", self.files, megabytes / whole)?;
        write!(f, "{:>6.1} {:>6.2} {:>7} {:>7} ", whole / bare, whole / unfollowed, self.undetermined, self.out_of_fuel)?;
        let peak = self.peak.map_or("not told".to_owned(), |peak| (peak / 1_024).to_string());
        write!(f, "{:>7} {:>7} {peak:>7}", self.warned, self.blocked)
    }
}

fn bare(source: &Source) {
    let allocator = Allocator::default();
    let source_type = SourceType::from_path(source.name.path()).unwrap_or_default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, &source.text, source_type).with_options(options).parse();
    black_box(SemanticBuilder::new().with_build_nodes(true).build(&parsed.program));
}

/// How long something takes this thread, or by the clock where the system does not tell: the mean of as many times as it
/// takes to be told apart from nothing.
fn timed(work: impl Fn()) -> Duration {
    let (before, started) = (spent(), Instant::now());
    for times in 1.. {
        work();
        let took = before.zip(spent()).map_or_else(|| started.elapsed(), |(before, after)| after.saturating_sub(before));
        if ENOUGH <= took || MOST_TIMES <= times {
            return took / times;
        }
    }
    Duration::ZERO
}

/// What this thread has spent so far, as Linux tells it.
fn spent() -> Option<Duration> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(told.split_whitespace().next()?.parse().ok()?))
}

/// The most memory that was taken, in kilobytes.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
