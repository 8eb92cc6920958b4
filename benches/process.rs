//! Whole processes: the cold start on one small script, a folder of many, and a stream of tool calls.
//!
//! `cargo bench --bench process` prints the median and the extremes; on a noisy machine only ratios
//! of one run tell. The number of files of the folder can be set: `CALLGATE_BENCH_COUNT=100000`,
//! and so can that of the calls: `CALLGATE_BENCH_CALLS=1000000`.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a benchmark prints its figures, and cannot go on without its input")]

use std::fs;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const RUNS: usize = 30;
const FILES: usize = 10_000;
const CALLS: usize = 100_000;

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

    let count = chosen("CALLGATE_BENCH_COUNT", FILES);
    let many = folder.path().join("many");
    lay_out(&many, count);
    let took = measure(
        &format!("{count} scripts"),
        3,
        &["scan".as_ref(), "--no-config".as_ref(), "--exit-zero".as_ref(), "--format=jsonl".as_ref(), many.as_os_str()],
    );
    println!("{:<28} {:>8.0} scripts a second", "", count as f64 / took.as_secs_f64());
    stream(chosen("CALLGATE_BENCH_CALLS", CALLS));
}

fn chosen(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// Tool calls through one process, with the most memory that it took where the system tells.
fn stream(count: usize) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_callgate"));
    command.args(["scan", "-", "--no-config", "--exit-zero", "--stdin-filename=calls.jsonl", "--format=jsonl"]);
    let started = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("callgate can be started");
    let mut stdin = BufWriter::new(child.stdin.take().expect("it is piped"));
    let writer = thread::spawn(move || (0..count).all(|nth| writeln!(stdin, "{}", call(nth)).is_ok()));
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines().map(|line| line.expect("an answer can be read"));
    let (mut answers, mut memory) = (0, String::new());
    for line in lines.filter(|line| line.contains("\"record\":")) {
        answers += 1;
        assert!(line.contains(&format!("\"line\":{answers},")), "line {answers} is not answered in its turn");
        if answers == count {
            memory = peak(child.id());
        }
    }
    assert!(writer.join().expect("the writer ends") && answers == count, "not every line is answered");
    let took = started.elapsed();
    assert!(child.wait().expect("callgate ends").success(), "the stream failed");
    let name = format!("{count} calls of a stream");
    println!("{name:<28} {:>8.0} calls a second, {memory}", count as f64 / took.as_secs_f64());
}

fn call(nth: usize) -> String {
    match nth % 3 {
        0 => format!(
            r#"{{"jsonrpc":"2.0","id":{nth},"method":"tools/call","params":{{"name":"Bash","arguments":{{"command":"git status"}}}}}}"#
        ),
        1 => format!(
            r#"{{"function_name":"tickets:update","kwargs":{{"id":{nth},"status":"closed","comment":"Done in the last release."}}}}"#
        ),
        _ => format!(r#"{{"name":"read_file","arguments":{{"path":"src/module_{}/file_{}.ts"}}}}"#, nth % 500, nth % 97),
    }
}

/// The most memory that a process has taken so far, as Linux tells it.
fn peak(process: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or("its memory is not told".to_owned(), |peak| format!("at most {} of memory", peak.trim()))
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
