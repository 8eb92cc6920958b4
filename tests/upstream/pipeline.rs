//! The whole upstream product scores the code that it has rewritten. It rewrites what nobody outside it sees, so only those
//! consequences are known here that follow from the text: a script is a function body, and loops over results are calls.
//!
//! What is computed: `return` may stand at the top, and no loop counts as one over a result. What is not: what the rewriting of
//! computed keys and of `__safe_` calls adds. The differing rows are counted and printed, and bounded.

use std::env;
use std::fs;
use std::path::Path;
use std::thread;

use callgate::upstream::enclave::rules;
use serde_json::{Value, json};

use crate::{STACK_BYTES, plain, text, view_of};

/// At most this share of the scored rows may differ.
const MOST_DIFFERING: f64 = 0.05;

/// Compares all scored rows, prints how many agree, and fails where more differ than is known.
pub fn compare() {
    let file = "enclave-pipeline.jsonl";
    let Some(folder) = env::var_os("CALLGATE_VECTORS") else {
        println!("{file}: compared 0 rows, because CALLGATE_VECTORS names no folder");
        return;
    };
    let content = fs::read_to_string(Path::new(&folder).join(file)).expect("the folder holds the file of that name");
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || counted(&content));
    let counts = thread.expect("a thread starts").join().expect("no row panics");
    let Counts { rows, unscored, raw, computed, ref differing } = counts;
    println!(
        "{file}: compared {rows} scored rows, {} differ ({raw} agree as they stand, {computed} as far as rewriting is known)",
        differing.len()
    );
    println!("{file}: {unscored} rows were rejected before they were scored, and are not compared");
    differing.iter().for_each(|row| println!("  {row}"));
    assert!(differing.len() as f64 <= rows as f64 * MOST_DIFFERING, "{file}: {} rows differ", differing.len());
}

#[derive(Default)]
struct Counts {
    rows: usize,
    unscored: usize,
    /// Rows whose script scores as it stands.
    raw: usize,
    /// Rows whose script scores so once the known rewriting is done.
    computed: usize,
    differing: Vec<String>,
}

fn counted(content: &str) -> Counts {
    let mut counts = Counts::default();
    for line in content.lines() {
        let row: Value = serde_json::from_str(line).expect("each line is one JSON object");
        let expected = &row["expected"];
        if expected["stage"] != "scored" {
            counts.unscored += 1;
            continue;
        }
        counts.rows += 1;
        let code = text(&row["input"]["code"]);
        let expected = plain(&json!([expected["totalScore"], expected["signals"]]));
        counts.raw += usize::from(scored(&code, false) == expected);
        let computed = scored(&code, true);
        if computed == expected {
            counts.computed += 1;
        } else {
            counts.differing.push(format!("{}: expected {expected}, computed {computed}", text(&row["id"])));
        }
    }
    counts
}

/// Total and signals of a script, as it stands or as a function body without loops over results.
fn scored(code: &str, is_rewritten: bool) -> Value {
    let mut view = view_of(&if is_rewritten { format!("async function main() {{\n{code}\n}}") } else { code.to_owned() });
    view.iterates_over_tool_results &= !is_rewritten;
    let result = rules::score(&view);
    let signals: Vec<Value> = result.signals.iter().map(|signal| json!([signal.id, signal.score, signal.level.name()])).collect();
    plain(&json!([result.total, signals]))
}
