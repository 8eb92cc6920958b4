//! What the scoring gate sees in a script: only what stands there literally.
//!
//! No alias is followed, nothing is computed, and a script that does not parse looks empty. This is
//! what lets the edition `upstream` of a model give the verdicts of the released software, its blind
//! spots included. Source: agentfront/enclave, `libs/core/src/scoring`, at 7ac44b0a; the words in
//! which Enclave names these facts are given where they differ.
//!
//! Invariant: texts are whole Unicode. A lone surrogate, which JavaScript allows in a string and
//! Rust does not, is kept as U+FFFD. Both are one UTF-16 unit and neither is part of any word that is
//! looked for, so lengths and matches stay exact; only two texts that differ in nothing but their
//! lone surrogates count as one.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::upstream::enclave::words::{BULK, SensitiveCategory, is_limit_key, names_one};

/// The tool name of a call whose first argument is not a string literal.
pub const DYNAMIC: &str = "<dynamic>";

/// A numeric literal must exceed this to count as a limit wherever it stands.
/// Source: `feature-extractor.ts`, `findMaxLimitValue`.
const LIMIT_ANYWHERE_ABOVE: f64 = 1000.0;

/// Points of the fan-out risk. Source: `feature-extractor.ts`, `calculateFanOutRisk`.
const FAN_OUT_PER_TOOL_IN_LOOPS: usize = 15;
const FAN_OUT_PER_NESTING: usize = 10;
const FAN_OUT_FREE_CALLS: usize = 5;
const FAN_OUT_PER_FURTHER_CALL: usize = 3;
const FAN_OUT_PER_BULK_CALL: usize = 15;
const FAN_OUT_CAP: usize = 100;

/// A script as the gate sees it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LiteralView {
    /// Every call of `callTool` or `__safe_callTool` by that very name, inner calls first.
    pub calls: Vec<LiteralCall>,
    /// The deepest nesting of loops around any call, of a tool or not.
    pub max_loop_nesting: usize,
    /// Whether a `for…of` runs over a variable that was set to the awaited result of a tool call.
    pub iterates_over_tool_results: bool,
    /// The largest numeric literal, at least 0; infinite for `1e400`.
    pub largest_number: f64,
    /// Length of the longest string literal, in UTF-16 units.
    pub max_string_length: usize,
    /// Names and strings that hold a sensitive word, each once, in order of appearance.
    pub sensitive_fields: Vec<String>,
    /// The categories of those, each once, in order of appearance.
    pub sensitive_categories: Vec<SensitiveCategory>,
    /// The first 16 hexadecimal digits of the text's SHA-256: Enclave's cache key.
    pub code_hash: String,
    /// Lines parted by line feeds; at least 1.
    pub line_count: usize,
}

/// One call of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LiteralCall {
    /// The tool's name, or [`DYNAMIC`].
    pub tool_name: String,
    /// Whether the name is a string literal; a template literal without holes is not.
    pub is_static_name: bool,
    /// The keys of the second argument, if that is an object literal; spreads give none.
    pub argument_keys: Vec<String>,
    /// The values of that object that are string literals; nested objects give none.
    pub string_literals: Vec<String>,
    /// The values of that object that are numeric literals; `-5` gives none.
    pub numeric_literals: Vec<f64>,
    /// How many loops stand around the call, across functions too; a call in a loop's header is inside.
    pub loop_depth: usize,
}

impl LiteralCall {
    /// Whether any loop stands around the call.
    pub fn inside_loop(&self) -> bool {
        0 < self.loop_depth
    }

    fn limits_its_result(&self) -> bool {
        self.argument_keys.iter().any(|key| is_limit_key(key))
    }
}

impl LiteralView {
    /// What is known of a text that was not parsed.
    pub fn unread(text: &str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let first = digest.first_chunk().copied().unwrap_or_default();
        let code_hash = format!("{:016x}", u64::from_be_bytes(first));
        Self { code_hash, line_count: text.split('\n').count(), ..Self::default() }
    }

    /// The names of the calls that have one, in order, repeats included.
    pub fn tool_sequence(&self) -> Vec<&str> {
        self.static_names().collect()
    }

    /// How many different tools are named.
    pub fn unique_tool_count(&self) -> usize {
        self.static_names().collect::<BTreeSet<_>>().len()
    }

    /// The different tools called inside loops, in order of appearance; all dynamic calls are one.
    pub fn tools_in_loops(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let inside = self.calls.iter().filter(|call| call.inside_loop());
        inside.map(|call| call.tool_name.as_str()).filter(|name| seen.insert(*name)).collect()
    }

    /// The largest number that Enclave takes for a limit: a number beside a limiting key, or any
    /// numeric literal above 1000 in the whole script; 0 if there is none.
    pub fn max_limit(&self) -> f64 {
        let limiting = self.calls.iter().filter(|call| call.limits_its_result());
        let beside_a_key = limiting.flat_map(|call| call.numeric_literals.iter().copied());
        let anywhere = Some(self.largest_number).filter(|number| LIMIT_ANYWHERE_ABOVE < *number);
        beside_a_key.chain(anywhere).fold(0.0, f64::max)
    }

    /// Tool calls per line.
    pub fn tool_call_density(&self) -> f64 {
        if self.line_count == 0 {
            return 0.0;
        }
        self.calls.len() as f64 / self.line_count as f64
    }

    /// How far one run of the script may spread, 0 to 100. The rule-based scorer does not use it.
    pub fn fan_out_risk(&self) -> usize {
        let bulk = self.calls.iter().filter(|call| names_one(&call.tool_name, BULK)).count();
        let risk = FAN_OUT_PER_TOOL_IN_LOOPS * self.tools_in_loops().len()
            + FAN_OUT_PER_NESTING * self.max_loop_nesting
            + FAN_OUT_PER_FURTHER_CALL * self.calls.len().saturating_sub(FAN_OUT_FREE_CALLS)
            + FAN_OUT_PER_BULK_CALL * bulk;
        risk.min(FAN_OUT_CAP)
    }

    fn static_names(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().filter(|call| call.is_static_name).map(|call| call.tool_name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::{DYNAMIC, LiteralCall, LiteralView};

    fn call(name: &str, loop_depth: usize) -> LiteralCall {
        LiteralCall { tool_name: name.to_owned(), is_static_name: name != DYNAMIC, loop_depth, ..LiteralCall::default() }
    }

    fn limited(key: &str, numbers: &[f64]) -> LiteralCall {
        LiteralCall { argument_keys: vec![key.to_owned()], numeric_literals: numbers.to_vec(), ..call("a", 0) }
    }

    #[test]
    fn dynamic_calls_have_no_place_in_the_sequence() {
        let view = LiteralView {
            calls: vec![call("b", 1), call(DYNAMIC, 1), call("a", 0), call("b", 2), call(DYNAMIC, 3)],
            line_count: 2,
            ..LiteralView::default()
        };
        assert_eq!(view.tool_sequence(), ["b", "a", "b"]);
        assert_eq!(view.unique_tool_count(), 2);
        assert_eq!(view.tools_in_loops(), ["b", DYNAMIC]);
        assert_eq!(view.tool_call_density(), 2.5);
    }

    #[test]
    fn the_limit_is_the_largest_number_that_may_be_one() {
        for (calls, largest_number, expected) in [
            (vec![], 1000.0, 0.0),
            (vec![], 1001.0, 1001.0),
            (vec![limited("take", &[7.0, 9.0])], 999.0, 9.0),
            (vec![limited("taken", &[7.0, 9.0])], 999.0, 0.0),
            (vec![limited("take", &[7.0])], 2000.0, 2000.0),
        ] {
            let view = LiteralView { calls, largest_number, ..LiteralView::default() };
            assert_eq!(view.max_limit(), expected, "{view:?}");
        }
    }

    #[test]
    fn the_fan_out_risk_adds_up_and_is_capped() {
        for (calls, max_loop_nesting, expected) in [
            (vec![], 0, 0),
            (vec![call("a", 1)], 1, 25),
            (vec![call("a", 1), call("b", 2)], 2, 50),
            (vec![call("a", 0); 5], 0, 0),
            (vec![call("a", 0); 7], 0, 6),
            (vec![call("bulk", 0); 2], 0, 30),
            (vec![call("bulk", 0); 9], 0, 100),
        ] {
            let view = LiteralView { calls, max_loop_nesting, ..LiteralView::default() };
            assert_eq!(view.fan_out_risk(), expected, "{view:?}");
        }
    }

    #[test]
    fn an_empty_view_has_no_density() {
        assert_eq!(LiteralView::default().tool_call_density(), 0.0);
    }
}
