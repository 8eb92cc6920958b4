//! Evaluations as a store keeps them, made up.

use callgate::audit::record::{Id, Pending, Record, SessionName};
use callgate::finding::trail::{Step, text_key};
use callgate::value::severity::Severity;
use callgate::value::verdict::Verdict;

/// An evaluation of a script at a time, in milliseconds since 1970: a clean pass, or one with two matches and a score of 40.
pub fn record(at: i64, verdict: Verdict) -> Pending {
    let is_clean = verdict == Verdict::Allow;
    let record = Record {
        id: Id::now_v7(),
        at,
        tenant: None,
        session: None,
        agent: None,
        path: format!("src/features/area-{}/module-{}.js", at % 97, at % 10_007),
        number: None,
        kind: Some("script".into()),
        lifecycle: Some("pre-tool-call".into()),
        tool: None,
        tool_call_id: None,
        input_timestamp: None,
        subject: Some([7; 16]),
        patterns: (!is_clean).then(|| if at % 2 == 0 { "loop-fan-out".to_owned() } else { "2*secret-read wildcard-query".to_owned() }),
        match_count: u32::from(!is_clean) * 2,
        score: Some(if is_clean { 0.0 } else { 40.0 }),
        severity: (!is_clean).then_some(Severity::High),
        action: verdict.name().into(),
        reason: if is_clean { "clean" } else { "severity" }.into(),
        rule: None,
        verdict,
        undetermined: None,
        accepted: None,
        accepted_count: 0,
        models: "hybrid".to_owned(),
        scores: None,
        duration: Some(1_234),
        library: "0123456789abcdef".to_owned(),
        version: "0.1.0".into(),
    };
    Pending { record, step: Step::default() }
}

/// A session of this name.
pub fn session(name: &str) -> SessionName {
    SessionName { key: text_key(name), text: name.to_owned() }
}
