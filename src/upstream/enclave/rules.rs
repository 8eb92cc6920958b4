//! The rule-based scorer: eight rules over what stands literally in a script, to the digit.
//!
//! Source: agentfront/enclave, `rule-based.scorer.ts`, at 7ac44b0a. Enclave accepts other points in
//! its setting `customRules` and never reads them, so there are none to set here.

use crate::upstream::enclave::answer::{Answer, Level, Signal};
use crate::upstream::enclave::view::{LiteralCall, LiteralView};
use crate::upstream::enclave::words::{BULK, FETCH, SEND, SensitiveCategory, names_one};
use crate::value::js_number;

const SENSITIVE_BASE: usize = 35;
const SENSITIVE_PER_FURTHER_FIELD: usize = 5;
const SENSITIVE_CAP: usize = 60;
/// How many fields a description names.
const SENSITIVE_NAMED: usize = 5;

/// Above this limit: these points. The highest step that is passed counts.
const LIMIT_STEPS: [(f64, usize); 3] = [(1_000_000.0, 50), (100_000.0, 35), (10_000.0, 25)];

const WILDCARD_POINTS: usize = 20;
const WILDCARDS: [&str; 3] = ["*", "**", "%"];
/// A call of such a tool without any argument key asks for everything.
const QUERY: &[&str] = &["query", "search", "find", "filter"];

const LOOP_PER_TOOL: usize = 25;
const LOOP_PER_FURTHER_NESTING: usize = 10;
const LOOP_OVER_RESULT: usize = 15;
const LOOP_CAP: usize = 50;

const EXFILTRATION_POINTS: usize = 50;
/// Words of a tool, and of the tool called right after it.
const EXFILTRATION_PAIRS: [(&[&str], &[&str]); 3] = [
    (&["list", "get", "query", "search", "find"], &["send", "email", "post", "webhook"]),
    (&["fetch", "read", "select"], &["export", "upload", "transfer"]),
    (&["dump", "backup"], &["send", "post", "upload"]),
];

const EXTREME_POINTS: usize = 30;
const EXTREME_ABOVE: f64 = 1_000_000.0;

const DYNAMIC_PER_CALL: usize = 20;
const DYNAMIC_CAP: usize = 40;

const BULK_PER_CALL: usize = 15;
const BULK_CAP: usize = 30;

/// The rules in Enclave's order.
const RULES: [fn(&LiteralView) -> Option<Signal>; 8] =
    [sensitive_field, excessive_limit, wildcard_query, loop_tool_call, exfil_pattern, extreme_value, dynamic_tool, bulk_operation];

/// What the released rule-based scorer says of a script.
pub fn score(view: &LiteralView) -> Answer {
    Answer::from_signals(RULES.iter().filter_map(|rule| rule(view)).collect())
}

/// Whether a tool that gives data away follows one that takes data out, with nothing else in between.
/// A name that does both counts as taking out.
pub fn holds_exfiltration(sequence: &[&str]) -> bool {
    let mut took_out = false;
    for name in sequence {
        if names_one(name, FETCH) {
            took_out = true;
        } else if took_out && names_one(name, SEND) {
            return true;
        } else {
            took_out = false;
        }
    }
    false
}

fn sensitive_field(view: &LiteralView) -> Option<Signal> {
    let further = view.sensitive_fields.len().checked_sub(1)?;
    let categories = view.sensitive_categories.iter().map(|category| category_points(*category));
    let points = SENSITIVE_BASE + categories.sum::<usize>() + SENSITIVE_PER_FURTHER_FIELD * further;
    let named: Vec<&str> = view.sensitive_fields.iter().take(SENSITIVE_NAMED).map(String::as_str).collect();
    let more = if SENSITIVE_NAMED <= further { "..." } else { "" };
    let description = format!("Accesses sensitive fields: {}{more}", named.join(", "));
    Some(capped("SENSITIVE_FIELD", points, SENSITIVE_CAP, description))
}

fn category_points(category: SensitiveCategory) -> usize {
    match category {
        SensitiveCategory::Authentication | SensitiveCategory::Financial => 20,
        SensitiveCategory::Pii => 15,
        SensitiveCategory::Internal => 10,
    }
}

fn excessive_limit(view: &LiteralView) -> Option<Signal> {
    let limit = view.max_limit();
    let (_, points) = LIMIT_STEPS.into_iter().find(|(above, _)| *above < limit)?;
    let description = format!("Excessive limit value: {}", js_number::grouped(limit));
    Some(capped("EXCESSIVE_LIMIT", points, points, description))
}

fn wildcard_query(view: &LiteralView) -> Option<Signal> {
    view.calls.iter().find(|call| asks_for_everything(call))?;
    let description = "Uses wildcard or empty filter query".to_owned();
    Some(capped("WILDCARD_QUERY", WILDCARD_POINTS, WILDCARD_POINTS, description))
}

fn asks_for_everything(call: &LiteralCall) -> bool {
    call.string_literals.iter().any(|text| WILDCARDS.contains(&text.as_str()))
        || (call.argument_keys.is_empty() && names_one(&call.tool_name, QUERY))
}

fn loop_tool_call(view: &LiteralView) -> Option<Signal> {
    let tools = view.tools_in_loops().len();
    if tools == 0 {
        return None;
    }
    let nesting = view.max_loop_nesting;
    let over_result = if view.iterates_over_tool_results { LOOP_OVER_RESULT } else { 0 };
    let points = LOOP_PER_TOOL * tools + LOOP_PER_FURTHER_NESTING * nesting.saturating_sub(1) + over_result;
    let description = format!("{tools} tool(s) called inside loops with max nesting {nesting}");
    Some(capped("LOOP_TOOL_CALL", points, LOOP_CAP, description))
}

fn exfil_pattern(view: &LiteralView) -> Option<Signal> {
    let sequence = view.tool_sequence();
    let neighbours = sequence.iter().zip(sequence.iter().skip(1));
    let pair = neighbours.into_iter().find(|(taking, giving)| is_exfiltration_pair(taking, giving));
    let description = match pair {
        Some((taking, giving)) => format!("Potential data exfiltration: {taking} → {giving}"),
        None if holds_exfiltration(&sequence) => "Potential data exfiltration pattern detected".to_owned(),
        None => return None,
    };
    Some(capped("EXFIL_PATTERN", EXFILTRATION_POINTS, EXFILTRATION_POINTS, description))
}

fn is_exfiltration_pair(taking: &str, giving: &str) -> bool {
    EXFILTRATION_PAIRS.iter().any(|(first, second)| names_one(taking, first) && names_one(giving, second))
}

fn extreme_value(view: &LiteralView) -> Option<Signal> {
    let (call, value) = view.calls.iter().find_map(|call| {
        let value = call.numeric_literals.iter().find(|value| EXTREME_ABOVE < **value)?;
        Some((call, *value))
    })?;
    let value = js_number::grouped(value);
    let description = format!("Extreme numeric value in {}: {value}", call.tool_name);
    // Enclave writes the level down: 30 points by themselves would be medium.
    let level = Level::High;
    Some(Signal { level, ..capped("EXTREME_VALUE", EXTREME_POINTS, EXTREME_POINTS, description) })
}

fn dynamic_tool(view: &LiteralView) -> Option<Signal> {
    let calls = view.calls.iter().filter(|call| !call.is_static_name).count();
    if calls == 0 {
        return None;
    }
    let description = format!("{calls} tool call(s) with dynamic/variable names");
    Some(medium("DYNAMIC_TOOL", DYNAMIC_PER_CALL * calls, DYNAMIC_CAP, description))
}

fn bulk_operation(view: &LiteralView) -> Option<Signal> {
    let names = view.calls.iter().map(|call| call.tool_name.as_str());
    let bulk: Vec<&str> = names.filter(|name| names_one(name, BULK)).collect();
    if bulk.is_empty() {
        return None;
    }
    let description = format!("Bulk operation(s) detected: {}", bulk.join(", "));
    Some(medium("BULK_OPERATION", BULK_PER_CALL * bulk.len(), BULK_CAP, description))
}

/// A signal whose level follows from its points before the cap.
fn capped(id: &'static str, points: usize, cap: usize, description: String) -> Signal {
    let level = Level::of_signal(whole(points));
    Signal { id, score: whole(points.min(cap)), level, description }
}

/// A signal that Enclave always calls medium, however many points it has.
fn medium(id: &'static str, points: usize, cap: usize, description: String) -> Signal {
    Signal { level: Level::Medium, ..capped(id, points, cap, description) }
}

fn whole(points: usize) -> u32 {
    u32::try_from(points).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{holds_exfiltration, score};
    use crate::upstream::enclave::answer::Level::{self, Critical, High, Medium};
    use crate::upstream::enclave::view::{DYNAMIC, LiteralCall, LiteralView};
    use crate::upstream::enclave::words::SensitiveCategory;

    /// A call with one argument, so that no query name makes it a wildcard.
    fn call(name: &str) -> LiteralCall {
        LiteralCall {
            tool_name: name.to_owned(),
            is_static_name: name != DYNAMIC,
            argument_keys: vec!["a".to_owned()],
            ..LiteralCall::default()
        }
    }

    fn calls(names: &[&str]) -> LiteralView {
        LiteralView { calls: names.iter().map(|name| call(name)).collect(), ..LiteralView::default() }
    }

    fn in_loop(name: &str) -> LiteralCall {
        LiteralCall { loop_depth: 1, ..call(name) }
    }

    fn check(view: &LiteralView, expected: &[(&str, u32, Level, &str)]) {
        let result = score(view);
        let signals: Vec<_> =
            result.signals.iter().map(|signal| (signal.id, signal.score, signal.level, signal.description.as_str())).collect();
        assert_eq!(signals, expected, "{view:?}");
    }

    #[test]
    fn a_script_without_anything_scores_nothing() {
        check(&LiteralView::default(), &[]);
        check(&calls(&["draw"]), &[]);
    }

    #[test]
    fn sensitive_fields_add_categories_and_further_fields() {
        use SensitiveCategory::{Authentication, Financial, Internal, Pii};
        let fields = |count: usize| (1..=count).map(|n| format!("f{n}")).collect::<Vec<_>>();
        for (count, sensitive_categories, score, level, names) in [
            (1, vec![Internal], 45, High, "f1"),
            (2, vec![Internal], 50, Critical, "f1, f2"),
            (1, vec![Pii], 50, Critical, "f1"),
            (1, vec![Authentication], 55, Critical, "f1"),
            (1, vec![Financial], 55, Critical, "f1"),
            (5, vec![Financial, Pii], 60, Critical, "f1, f2, f3, f4, f5"),
            (6, vec![Pii], 60, Critical, "f1, f2, f3, f4, f5..."),
        ] {
            let view = LiteralView { sensitive_fields: fields(count), sensitive_categories, ..LiteralView::default() };
            let description = format!("Accesses sensitive fields: {names}");
            check(&view, &[("SENSITIVE_FIELD", score, level, &description)]);
        }
    }

    #[test]
    fn limits_have_three_steps() {
        for (largest_number, expected) in [
            (10_000.0, None),
            (10_001.0, Some((25, Medium, "10,001"))),
            (100_000.0, Some((25, Medium, "100,000"))),
            (100_000.5, Some((35, High, "100,000.5"))),
            (1_000_000.0, Some((35, High, "1,000,000"))),
            (f64::INFINITY, Some((50, Critical, "∞"))),
        ] {
            let view = LiteralView { largest_number, ..LiteralView::default() };
            match expected {
                None => check(&view, &[]),
                Some((points, level, number)) => {
                    let description = format!("Excessive limit value: {number}");
                    check(&view, &[("EXCESSIVE_LIMIT", points, level, &description)]);
                }
            }
        }
    }

    #[test]
    fn wildcards_are_whole_values_or_queries_without_keys() {
        let signal = ("WILDCARD_QUERY", 20, Medium, "Uses wildcard or empty filter query");
        for (value, found) in [("*", true), ("**", true), ("%", true), ("%%", false), ("", false)] {
            let with_value = LiteralCall { string_literals: vec![value.to_owned()], ..call("a") };
            let view = LiteralView { calls: vec![with_value], ..LiteralView::default() };
            check(&view, if found { std::slice::from_ref(&signal) } else { &[] });
        }
        for (name, found) in [("reFindX", true), ("list", false), (DYNAMIC, false)] {
            let without_keys = LiteralCall { argument_keys: vec![], is_static_name: true, ..call(name) };
            let view = LiteralView { calls: vec![without_keys], ..LiteralView::default() };
            check(&view, if found { std::slice::from_ref(&signal) } else { &[] });
        }
    }

    #[test]
    fn loops_add_tools_nesting_and_results() {
        for (names, max_loop_nesting, iterates_over_tool_results, points, level) in [
            (vec!["a"], 1, false, 25, Medium),
            (vec!["a", "a"], 1, false, 25, Medium),
            (vec!["a"], 2, false, 35, High),
            (vec!["a"], 1, true, 40, High),
            (vec!["a"], 2, true, 50, Critical),
            (vec!["a", "b", "c"], 1, false, 50, Critical),
        ] {
            let view = LiteralView {
                calls: names.iter().map(|name| in_loop(name)).collect(),
                max_loop_nesting,
                iterates_over_tool_results,
                ..LiteralView::default()
            };
            let tools = view.tools_in_loops().len();
            let description = format!("{tools} tool(s) called inside loops with max nesting {max_loop_nesting}");
            check(&view, &[("LOOP_TOOL_CALL", points, level, &description)]);
        }
    }

    #[test]
    fn exfiltration_is_a_pair_of_neighbours_or_a_run_of_taking_and_giving() {
        let by_run = "Potential data exfiltration pattern detected";
        for (names, expected) in [
            (&["get"][..], None),
            (&["get", "send"], Some("Potential data exfiltration: get → send")),
            (&["send", "get"], None),
            (&["get", "draw", "send"], None),
            (&["dump", "email"], None),
            (&["dump", "upload"], Some("Potential data exfiltration: dump → upload")),
            (&["get", "upload"], Some(by_run)),
            (&["get", DYNAMIC, "read", "send"], Some(by_run)),
            (&["get", "getAndSend"], Some("Potential data exfiltration: get → getAndSend")),
        ] {
            let mut view = calls(names);
            view.calls.retain(|call| call.is_static_name);
            match expected {
                None => check(&view, &[]),
                Some(text) => check(&view, &[("EXFIL_PATTERN", 50, Critical, text)]),
            }
        }
    }

    #[test]
    fn a_name_that_takes_and_gives_counts_as_taking() {
        for (sequence, expected) in
            [(&[][..], false), (&["get", "getAndSend"], false), (&["get", "getAndSend", "notify"], true), (&["draw", "send"], false)]
        {
            assert_eq!(holds_exfiltration(sequence), expected, "{sequence:?}");
        }
    }

    #[test]
    fn only_the_first_extreme_value_is_told() {
        let with = |name, numbers: &[f64]| LiteralCall { numeric_literals: numbers.to_vec(), ..call(name) };
        let view = LiteralView { calls: vec![with("a", &[1e6]), with("b", &[5.0, 2e6, 3e6]), with("c", &[4e6])], ..LiteralView::default() };
        check(&view, &[("EXTREME_VALUE", 30, High, "Extreme numeric value in b: 2,000,000")]);
    }

    #[test]
    fn dynamic_and_bulk_calls_are_capped_and_always_medium() {
        for (count, points) in [(1, 20), (2, 40), (3, 40)] {
            let description = format!("{count} tool call(s) with dynamic/variable names");
            check(&calls(&vec![DYNAMIC; count]), &[("DYNAMIC_TOOL", points, Medium, &description)]);
        }
        for (count, points) in [(1, 15), (2, 30), (3, 30)] {
            let names = vec!["wall"; count].join(", ");
            let description = format!("Bulk operation(s) detected: {names}");
            check(&calls(&vec!["wall"; count]), &[("BULK_OPERATION", points, Medium, &description)]);
        }
    }

    #[test]
    fn signals_come_in_the_order_of_the_rules_and_the_total_is_capped() {
        let view = LiteralView {
            calls: vec![in_loop("bulk:get"), in_loop("send"), in_loop(DYNAMIC)],
            max_loop_nesting: 1,
            largest_number: 20_000.0,
            sensitive_fields: vec!["pin".to_owned()],
            sensitive_categories: vec![SensitiveCategory::Financial],
            ..LiteralView::default()
        };
        let result = score(&view);
        let ids: Vec<_> = result.signals.iter().map(|signal| signal.id).collect();
        let expected = ["SENSITIVE_FIELD", "EXCESSIVE_LIMIT", "LOOP_TOOL_CALL", "EXFIL_PATTERN", "DYNAMIC_TOOL", "BULK_OPERATION"];
        assert_eq!(ids, expected);
        assert_eq!((result.total, result.level), (100, Critical));
    }
}
