//! Counters in Prometheus' text format (version 0.0.4), for its node exporter to collect.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::history::metrics::{Histogram, Metrics};
use crate::value::severity::Severity;
use crate::value::verdict::Verdict;

/// Of what counters are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// `run`, or `store`: all that it was ever told.
    pub scope: &'static str,
    /// Whose they are.
    pub tenant: Option<String>,
}

/// The counters as a text; `severities` tells what rules are known to be.
pub fn text(metrics: &Metrics, origin: &Origin, severities: &HashMap<String, Severity>) -> String {
    let mut text = String::new();
    // Writing to memory does not fail.
    let _ = write!(
        text,
        "# HELP callgate_info Of what the counters are: of one run, or of all evaluations that a store was told of.\n# TYPE callgate_info gauge\n\
         callgate_info{{version=\"{}\",scope=\"{}\",tenant=\"{}\"}} 1\n",
        env!("CARGO_PKG_VERSION"),
        origin.scope,
        label(origin.tenant.as_deref().unwrap_or_default())
    );
    text.push_str("# HELP callgate_evaluations_total Evaluations by verdict.\n# TYPE callgate_evaluations_total counter\n");
    for verdict in Verdict::ALL {
        let _ = writeln!(text, "callgate_evaluations_total{{verdict=\"{verdict}\"}} {}", metrics.verdict(verdict));
    }
    text.push_str("# HELP callgate_undetermined_total Evaluations that could not be judged, or not wholly.\n");
    let _ = writeln!(text, "# TYPE callgate_undetermined_total counter\ncallgate_undetermined_total {}", metrics.undetermined());
    text.push_str("# HELP callgate_accepted_total Matches, and gaps in what could be judged, that somebody accepted.\n");
    let _ = writeln!(text, "# TYPE callgate_accepted_total counter\ncallgate_accepted_total {}", metrics.accepted());
    text.push_str(
        "# HELP callgate_rule_hits_total Hits by rule, with the severity of the rule.\n# TYPE callgate_rule_hits_total counter\n",
    );
    for (rule, hits) in metrics.rules() {
        let severity = severities.get(rule).map_or("unknown", |severity| severity.name());
        let _ = writeln!(text, "callgate_rule_hits_total{{rule=\"{}\",severity=\"{severity}\"}} {hits}", label(rule));
    }
    histogram(&mut text, "callgate_score", "Highest score of each evaluation, 0 to 100.", &metrics.scores(), 1.0);
    let help = "Time to find and judge, without reading files.";
    histogram(&mut text, "callgate_scan_duration_seconds", help, &metrics.durations(), 1e6);
    text
}

fn histogram(text: &mut String, name: &str, help: &str, histogram: &Histogram, unit: f64) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} histogram");
    for (bound, count) in &histogram.steps {
        let _ = writeln!(text, "{name}_bucket{{le=\"{}\"}} {count}", f64::from(*bound) / unit);
    }
    let (count, sum) = (histogram.count, histogram.sum / unit);
    let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {sum}\n{name}_count {count}");
}

/// A text as the value of a label.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::metrics::Sample;

    #[test]
    fn counters_are_told_as_prometheus_reads_them() {
        let mut metrics = Metrics::default();
        metrics.add(&Sample {
            verdict: Verdict::Block,
            is_undetermined: false,
            accepted: 2,
            rules: vec![("rm-root", 2), ("a\"b", 1)],
            score: Some(42.5),
            micros: Some(1_500),
        });
        let origin = Origin { scope: "run", tenant: None };
        let text = text(&metrics, &origin, &HashMap::from([("rm-root".to_owned(), Severity::Critical)]));
        for line in [
            "callgate_evaluations_total{verdict=\"block\"} 1",
            "callgate_evaluations_total{verdict=\"allow\"} 0",
            "callgate_accepted_total 2",
            "callgate_rule_hits_total{rule=\"rm-root\",severity=\"critical\"} 2",
            "callgate_rule_hits_total{rule=\"a\\\"b\",severity=\"unknown\"} 1",
            "callgate_score_bucket{le=\"40\"} 0",
            "callgate_score_bucket{le=\"50\"} 1",
            "callgate_score_sum 42.5",
            "callgate_scan_duration_seconds_bucket{le=\"0.001\"} 0",
            "callgate_scan_duration_seconds_bucket{le=\"0.002\"} 1",
            "callgate_scan_duration_seconds_bucket{le=\"+Inf\"} 1",
        ] {
            assert!(text.lines().any(|own| own == line), "{line}\n{text}");
        }
    }
}
