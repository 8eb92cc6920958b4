//! Whole processes: the cold start on one small script, and a folder of many.
//!
//! `cargo bench --bench process` prints the median and the extremes; on a noisy machine only ratios
//! of one run tell. The number of files of the folder can be set: `CALLGATE_BENCH_COUNT=100000`.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a benchmark prints its figures, and cannot go on without its input")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 30;
const FILES: usize = 10_000;

/// A script of about one kilobyte, as an agent writes it.
const SMALL: &str = r#"// Sums up the open tickets of a team and writes them to its wiki page.
const tickets = await callTool('tickets:list', { status: 'open', limit: 50, team: 'platform' });
const byOwner = new Map();
for (const ticket of tickets) {
  const owner = ticket.assignee ?? 'nobody';
  const known = byOwner.get(owner) ?? [];
  known.push(`#${ticket.id} ${ticket.title} (${ticket.age} days)`);
  byOwner.set(owner, known);
}
const lines = [];
for (const [owner, titles] of [...byOwner.entries()].sort((a, b) => b[1].length - a[1].length)) {
  lines.push(`## ${owner}`, ...titles.map((title) => `- ${title}`), '');
}
const oldest = tickets.reduce((a, b) => (a.age > b.age ? a : b), { age: 0 });
if (oldest.age > 30) {
  lines.push(`The oldest ticket is ${oldest.age} days old: ${oldest.title}.`);
}
const page = await callTool('wiki:update', { page: 'team/open-tickets', body: lines.join('\n') });
return { tickets: tickets.length, owners: byOwner.size, page: page.id };
"#;

fn main() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let small = folder.path().join("small.js");
    fs::write(&small, SMALL).expect("a file can be written");
    let version = measure("start and end (--version)", RUNS, &["--version".as_ref()]);
    let one = measure("one 1 KB script", RUNS, &["scan".as_ref(), "--no-config".as_ref(), small.as_os_str()]);
    println!("{:<28} {:>8.1} times the bare start", "", one.as_secs_f64() / version.as_secs_f64());

    let count = std::env::var("CALLGATE_BENCH_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(FILES);
    let many = folder.path().join("many");
    lay_out(&many, count);
    let took = measure(
        &format!("{count} scripts"),
        3,
        &["scan".as_ref(), "--no-config".as_ref(), "--exit-zero".as_ref(), "--format=jsonl".as_ref(), many.as_os_str()],
    );
    println!("{:<28} {:>8.0} scripts a second", "", count as f64 / took.as_secs_f64());
}

fn lay_out(folder: &Path, count: usize) {
    for nth in 0..count {
        let sub = folder.join(format!("{:03}", nth / 500));
        fs::create_dir_all(&sub).expect("a folder can be made");
        let text = format!("{}// {nth}\n", SMALL);
        fs::write(sub.join(format!("{nth:06}.js")), text).expect("a file can be written");
    }
}

fn measure(what: &str, runs: usize, words: &[&std::ffi::OsStr]) -> Duration {
    let run = || {
        let started = Instant::now();
        let status = Command::new(env!("CARGO_BIN_EXE_callgate")).args(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let took = started.elapsed();
        assert!(status.expect("callgate can be started").code().is_some_and(|code| code < 3), "{what} failed");
        took
    };
    run();
    let mut took: Vec<Duration> = (0..runs).map(|_| run()).collect();
    took.sort();
    let millis = |duration: Duration| duration.as_secs_f64() * 1_000.0;
    let median = took[took.len() / 2];
    println!("{what:<28} {:>8.2} ms median ({:.2} to {:.2})", millis(median), millis(took[0]), millis(took[took.len() - 1]));
    median
}
