//! The local scorer: the keyword search that the released software runs in place of a model, to the digit.
//!
//! Source: agentfront/enclave, `local-llm.scorer.ts`, at 7ac44b0a. Its lists of medium and low words
//! are never read there, so they are not here. Without a model loaded, Enclave's similarity mode
//! gives this answer and its classification mode the rule-based one.

use std::collections::BTreeSet;

use crate::upstream::enclave::answer::{Answer, ForeignAnswer, ForeignSignal, Level, Signal};
use crate::upstream::enclave::view::LiteralView;
use crate::value::js_number;

/// How many names of each kind the prompt holds; what comes after is not searched.
const PROMPT_TOOLS: usize = 10;
const PROMPT_KEYS: usize = 10;
const PROMPT_STRINGS: usize = 5;

/// One list of words: the signal it raises, its points, and how Enclave's sentence begins.
struct Keywords {
    id: &'static str,
    words: &'static [&'static str],
    first: usize,
    further: usize,
    cap: usize,
    level: Level,
    prefix: &'static str,
}

const KEYWORDS: [Keywords; 2] = [
    Keywords {
        id: "ML_CRITICAL_KEYWORD",
        words: &["password", "secret", "apikey", "token", "credential", "private_key"],
        first: 25,
        further: 5,
        cap: 40,
        level: Level::Critical,
        prefix: "Critical security keyword",
    },
    Keywords {
        id: "ML_HIGH_RISK_KEYWORD",
        words: &["exfiltration", "send", "webhook", "upload", "transfer", "email"],
        first: 15,
        further: 5,
        cap: 30,
        level: Level::High,
        prefix: "High risk keyword",
    },
];

const TAKING: [&str; 3] = ["list", "get", "query"];
const GIVING: [&str; 3] = ["send", "email", "webhook"];
const EXFILTRATION_POINTS: usize = 35;

const FAN_OUT_ABOVE: usize = 50;
const FAN_OUT_DIVISOR: usize = 5;
const FAN_OUT_CAP: usize = 20;

const POINTS_PER_CATEGORY: usize = 15;

/// What Enclave measures in a script. Features that come from elsewhere may state other numbers than follow from their calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// The largest number that Enclave takes for a limit.
    pub max_limit: f64,
    /// How far one run of the script may spread, 0 to 100.
    pub fan_out_risk: usize,
    /// Tool calls per line.
    pub tool_call_density: f64,
}

impl Measures {
    /// What follows from the calls of a script.
    pub fn of(view: &LiteralView) -> Self {
        Self { max_limit: view.max_limit(), fan_out_risk: view.fan_out_risk(), tool_call_density: view.tool_call_density() }
    }
}

/// What the released keyword search says of a script.
pub fn score(view: &LiteralView) -> Answer {
    score_measured(view, Measures::of(view))
}

/// What the released keyword search says of features.
pub fn score_measured(view: &LiteralView, measures: Measures) -> Answer {
    let searched = prompt_measured(view, measures).to_lowercase();
    let keywords = KEYWORDS.iter().filter_map(|keywords| keyword_signal(keywords, &searched));
    let others = [exfiltration(view), high_fan_out(measures.fan_out_risk), several_categories(view)];
    Answer::from_signals(keywords.chain(others.into_iter().flatten()).collect())
}

/// What the released software says of a script that is this similar (0–1) to each of some known bad ones. An index may answer
/// what is no share: the total is held to the scale, the signal is not.
pub fn score_similar(view: &LiteralView, similarities: &[f64]) -> ForeignAnswer {
    let keywords = ForeignAnswer::from(score(view));
    let Some(highest) = similarities.iter().copied().reduce(f64::max) else { return keywords };
    // Cut off, not rounded: 0.29 × 100 is a little less than 29.
    let points = (highest * 100.0).floor();
    let level = |points: f64| Level::of_total(points as u32);
    let description = format!("Matched {} known malicious pattern(s)", similarities.len());
    let similar = ForeignSignal { id: "SIMILARITY_MATCH".to_owned(), score: points, level: level(points), description };
    let total = points.max(keywords.total).clamp(0.0, 100.0);
    let signals = std::iter::once(similar).chain(keywords.signals).collect();
    ForeignAnswer { total, level: level(total), signals }
}

/// What the released software makes of the answer of an analyzer of the user's, or of its failure.
///
/// # Errors
///
/// The message of the analyzer, where nothing is to stand in for it.
pub fn analyzed(answer: Result<ForeignAnswer, String>, stand_in: Option<Answer>) -> Result<ForeignAnswer, String> {
    match (answer, stand_in) {
        (Ok(ForeignAnswer { total, signals, .. }), _) => {
            let total = total.clamp(0.0, 100.0);
            Ok(ForeignAnswer { total, level: Level::of_total(total as u32), signals })
        }
        (Err(_), Some(rules)) => Ok(rules.into()),
        (Err(message), None) => Err(message),
    }
}

/// The text that Enclave would give a model, and searches for keywords.
pub fn prompt(view: &LiteralView) -> String {
    prompt_measured(view, Measures::of(view))
}

/// The same of features.
pub fn prompt_measured(view: &LiteralView, measures: Measures) -> String {
    let mut parts = Vec::new();
    let tools: Vec<&str> = view.calls.iter().map(|call| call.tool_name.as_str()).collect();
    parts.extend(listed("TOOLS", &tools, PROMPT_TOOLS));
    parts.extend(listed("ARGS", &unique_keys(view), PROMPT_KEYS));
    let strings: Vec<&str> = view.calls.iter().flat_map(|call| call.string_literals.iter().map(String::as_str)).collect();
    parts.extend(listed("STRINGS", &strings, PROMPT_STRINGS));
    if !view.sensitive_fields.is_empty() {
        parts.push(format!("SENSITIVE: {}", view.sensitive_fields.join(", ")));
        parts.push(format!("CATEGORIES: {}", category_names(view)));
    }
    parts.push(measured(view, measures));
    let sequence = view.tool_sequence();
    if 1 < sequence.len() {
        parts.push(format!("SEQUENCE: {}", sequence.join(" -> ")));
    }
    parts.join(" | ")
}

fn listed(title: &str, names: &[&str], limit: usize) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let shown: Vec<&str> = names.iter().take(limit).copied().collect();
    let more = if limit < names.len() { "..." } else { "" };
    Some(format!("{title}: {}{more}", shown.join(", ")))
}

fn unique_keys(view: &LiteralView) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let keys = view.calls.iter().flat_map(|call| call.argument_keys.iter().map(String::as_str));
    keys.filter(|key| seen.insert(*key)).collect()
}

fn category_names(view: &LiteralView) -> String {
    let names: Vec<&str> = view.sensitive_categories.iter().map(|category| category.name()).collect();
    names.join(", ")
}

fn measured(view: &LiteralView, measures: Measures) -> String {
    format!(
        "PATTERNS: loops={} tools_in_loops={} sequence_len={} | SIGNALS: limit={} fanout={} density={}",
        view.max_loop_nesting,
        view.tools_in_loops().len(),
        view.tool_sequence().len(),
        js_number::plain(measures.max_limit),
        measures.fan_out_risk,
        js_number::to_two_decimals(measures.tool_call_density),
    )
}

fn keyword_signal(keywords: &Keywords, searched: &str) -> Option<Signal> {
    let found: Vec<&str> = keywords.words.iter().filter(|word| searched.contains(**word)).copied().collect();
    let further = found.len().checked_sub(1)?;
    let points = (keywords.first + keywords.further * further).min(keywords.cap);
    let plural = if 0 < further { "s" } else { "" };
    let description = format!("{}{plural} detected: {}", keywords.prefix, found.join(", "));
    Some(signal(keywords.id, points, keywords.level, description))
}

/// The words may stand in any order, and in one and the same name.
fn exfiltration(view: &LiteralView) -> Option<Signal> {
    let sequence = view.tool_sequence().join(" ").to_lowercase();
    let holds_one = |words: [&str; 3]| words.iter().any(|word| sequence.contains(word));
    if !holds_one(TAKING) || !holds_one(GIVING) {
        return None;
    }
    let description = "Data retrieval followed by external send pattern".to_owned();
    Some(signal("ML_EXFILTRATION_PATTERN", EXFILTRATION_POINTS, Level::Critical, description))
}

fn high_fan_out(risk: usize) -> Option<Signal> {
    if risk <= FAN_OUT_ABOVE {
        return None;
    }
    let points = (risk / FAN_OUT_DIVISOR).min(FAN_OUT_CAP);
    let description = format!("High fan-out risk detected: {risk}");
    Some(signal("ML_HIGH_FANOUT", points, Level::Medium, description))
}

fn several_categories(view: &LiteralView) -> Option<Signal> {
    let categories = view.sensitive_categories.len();
    if categories < 2 {
        return None;
    }
    let description = format!("Multiple sensitive data categories: {}", category_names(view));
    Some(signal("ML_MULTI_SENSITIVE", POINTS_PER_CATEGORY * categories, Level::High, description))
}

fn signal(id: &'static str, points: usize, level: Level, description: String) -> Signal {
    Signal { id, score: u32::try_from(points).unwrap_or(u32::MAX), level, description }
}

#[cfg(test)]
mod tests {
    use super::{prompt, score, score_similar};
    use crate::upstream::enclave::view::{LiteralCall, LiteralView};
    use crate::upstream::enclave::words::SensitiveCategory;

    fn call(name: &str) -> LiteralCall {
        LiteralCall { tool_name: name.to_owned(), is_static_name: true, ..LiteralCall::default() }
    }

    fn calls(names: &[&str]) -> LiteralView {
        LiteralView { calls: names.iter().map(|name| call(name)).collect(), line_count: 8, ..LiteralView::default() }
    }

    fn check(view: &LiteralView, expected: &[(&str, u32)]) {
        let result = score(view);
        let signals: Vec<_> = result.signals.iter().map(|signal| (signal.id, signal.score)).collect();
        assert_eq!(signals, expected, "{view:?}");
    }

    #[test]
    fn the_prompt_holds_the_first_of_each_list() {
        let many: Vec<String> = (0..11).map(|n| format!("t{n}")).collect();
        let view = LiteralView {
            calls: vec![LiteralCall { argument_keys: many.clone(), string_literals: many, ..call("a") }],
            largest_number: 2e21,
            sensitive_fields: vec!["pin".to_owned()],
            sensitive_categories: vec![SensitiveCategory::Financial],
            line_count: 8,
            ..LiteralView::default()
        };
        let expected = "TOOLS: a | ARGS: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9... | \
            STRINGS: t0, t1, t2, t3, t4... | SENSITIVE: pin | CATEGORIES: financial | \
            PATTERNS: loops=0 tools_in_loops=0 sequence_len=1 | SIGNALS: limit=2e+21 fanout=0 density=0.13";
        assert_eq!(prompt(&view), expected);
    }

    #[test]
    fn keywords_count_once_and_are_capped() {
        for (name, expected) in [
            ("draw", &[][..]),
            ("resend", &[("ML_HIGH_RISK_KEYWORD", 15)]),
            ("Token", &[("ML_CRITICAL_KEYWORD", 25)]),
            ("token:secret", &[("ML_CRITICAL_KEYWORD", 30)]),
            ("password secret apikey token credential", &[("ML_CRITICAL_KEYWORD", 40)]),
            ("send webhook upload transfer email", &[("ML_HIGH_RISK_KEYWORD", 30)]),
        ] {
            check(&calls(&[name]), expected);
        }
    }

    #[test]
    fn taking_and_giving_count_in_any_order() {
        let both = [("ML_HIGH_RISK_KEYWORD", 15), ("ML_EXFILTRATION_PATTERN", 35)];
        check(&calls(&["send", "list"]), &both);
        check(&calls(&["sendList"]), &both);
        check(&calls(&["find", "send"]), &both[..1]);
    }

    #[test]
    fn fan_out_counts_above_fifty() {
        for (max_loop_nesting, expected) in [(5, &[][..]), (6, &[("ML_HIGH_FANOUT", 12)]), (20, &[("ML_HIGH_FANOUT", 20)])] {
            let view = LiteralView { max_loop_nesting, ..LiteralView::default() };
            check(&view, expected);
        }
    }

    #[test]
    fn similarity_is_cut_off_and_the_higher_of_both_counts() {
        for (similarities, total, points) in [
            (&[0.29][..], 28.0, 28.0),
            (&[0.57, 0.3], 56.0, 56.0),
            (&[0.05], 15.0, 5.0),
            (&[1.0], 100.0, 100.0),
            (&[1.5, 0.9], 100.0, 150.0),
            (&[-0.2], 15.0, -20.0),
        ] {
            let answer = score_similar(&calls(&["send"]), similarities);
            assert_eq!((answer.total, answer.signals[0].score), (total, points), "{similarities:?}");
        }
        assert_eq!(score_similar(&calls(&["send"]), &[]).total, 15.0);
    }

    #[test]
    fn each_of_several_categories_counts() {
        for (count, expected) in [(1, &[][..]), (2, &[("ML_MULTI_SENSITIVE", 30)]), (4, &[("ML_MULTI_SENSITIVE", 60)])] {
            let sensitive_categories = SensitiveCategory::ALL.into_iter().take(count).collect();
            let view = LiteralView { sensitive_categories, ..LiteralView::default() };
            check(&view, expected);
        }
    }
}
