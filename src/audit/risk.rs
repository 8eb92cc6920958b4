//! What adds up over several evaluations: one statement that answers all limits at once, each from an index.

use crate::audit::AuditError;
use crate::audit::db::value::Value;
use crate::audit::db::{Db, Dialect};
use crate::audit::record::Record;
use crate::audit::store::Store;
use crate::policy::DecisionReason;
use crate::policy::cumulative::{Limit, Measure, Over};
use crate::subject::Kind;
use crate::value::verdict::Verdict;

/// How many scores are added up at most where each further one counts less: what comes behind them is nothing.
const MOST_SCORES: u32 = 1_000;
/// What the index of risks holds; word by word as it stands in the schema.
const RISKS: &str = "(score > 0 OR severity IS NOT NULL OR verdict > 0)";

impl Store {
    /// What was measured for each limit before this record; nothing where a limit says nothing of it.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn measure(&self, limits: &[Limit], record: &Record) -> Result<Vec<Option<f64>>, AuditError> {
        let asked: Vec<Option<Asked>> = limits.iter().map(|limit| Asked::of(limit, record, self.db.dialect())).collect();
        let mut measured: Vec<Option<f64>> = asked.iter().map(|asked| asked.as_ref().map(|_| 0.0)).collect();
        let parts: Vec<(usize, Asked)> = asked.into_iter().enumerate().filter_map(|(at, asked)| Some((at, asked?))).collect();
        if parts.is_empty() {
            return Ok(measured);
        }
        let mut shares = vec![1.0; limits.len()];
        for (at, score) in rows(&self.db, &parts)? {
            let (Some(Some(sum)), Some(weight), Some(limit)) = (measured.get_mut(at), shares.get_mut(at), limits.get(at)) else { continue };
            *sum += score * *weight;
            if let Measure::Diminishing(share) = limit.measure {
                *weight *= share;
            }
        }
        Ok(measured)
    }
}

/// The rows of all parts in one statement: which part, and what it adds.
fn rows(db: &Db, parts: &[(usize, Asked)]) -> Result<Vec<(usize, f64)>, AuditError> {
    let values: Vec<Value<'_>> = parts.iter().flat_map(|(_, asked)| asked.values.iter().cloned()).collect();
    let rows = db.all(&statement(parts), &values, |row| Ok((row.get::<i64>(0)?, row.get::<f64>(1)?)))?;
    Ok(rows.into_iter().map(|(at, score)| (usize::try_from(at).unwrap_or(usize::MAX), score)).collect())
}

fn statement(parts: &[(usize, Asked)]) -> String {
    let parts: Vec<String> = parts.iter().map(|(at, asked)| asked.statement(*at)).collect();
    parts.join(" UNION ALL ")
}

/// A limit as it is asked of the store.
struct Asked {
    measure: Measure,
    from: &'static str,
    condition: String,
    values: Vec<Value<'static>>,
}

impl Asked {
    /// Nothing, where the limit says nothing of such a record: it has no session, comes from no agent, is no call.
    fn of(limit: &Limit, record: &Record, dialect: Dialect) -> Option<Self> {
        let tenant = Value::from(record.tenant.clone().unwrap_or_default());
        let since = Value::from(limit.since(record.at));
        let of_tenant = "tenant = (SELECT id FROM name WHERE text = ?)";
        let (whose, mut values) = match limit.over {
            Over::Session => (
                "session = (SELECT session.id FROM session JOIN name ON name.id = session.tenant WHERE name.text = ? AND key = ?)"
                    .to_owned(),
                vec![tenant, Value::from(record.session.as_ref()?.key.to_vec())],
            ),
            Over::Tenant => (of_tenant.to_owned(), vec![tenant]),
            Over::Agent => {
                (format!("{of_tenant} AND +agent = (SELECT id FROM name WHERE text = ?)"), vec![tenant, Value::from(record.agent.clone()?)])
            }
        };
        values.push(since);
        let is_call = record.kind.as_deref() == Some(Kind::ToolCall.name());
        let calls =
            format!("verdict < {} AND +kind = (SELECT id FROM name WHERE text = '{}')", Verdict::Block as i64, Kind::ToolCall.name());
        let what = match limit.measure {
            Measure::Sum | Measure::Diminishing(_) => format!("{RISKS} AND score > 0"),
            Measure::Severity(severity) => format!("{RISKS} AND severity >= {}", severity as i64 + 1),
            Measure::Verdict(verdict) => format!(
                "{RISKS} AND verdict >= {} AND reason IS DISTINCT FROM (SELECT id FROM name WHERE text = '{}')",
                verdict as i64,
                DecisionReason::CumulativeRisk.name()
            ),
            Measure::AllCalls if is_call => calls,
            Measure::Calls if is_call => {
                values.push(Value::from(record.tool.clone()?));
                format!("{calls} AND +tool = (SELECT id FROM name WHERE text = ?)")
            }
            Measure::Calls | Measure::AllCalls => return None,
        };
        let from = match (limit.over, limit.measure) {
            (Over::Session, _) | (_, Measure::Calls | Measure::AllCalls) => "",
            (Over::Tenant | Over::Agent, _) => dialect.by_index(" INDEXED BY record_risk"),
        };
        Some(Self { measure: limit.measure, from, condition: format!("{whose} AND at >= ? AND {what}"), values })
    }

    fn statement(&self, at: usize) -> String {
        let Self { condition, from, .. } = self;
        match self.measure {
            Measure::Sum => format!("SELECT {at}, coalesce(sum(score), 0.0) FROM record{from} WHERE {condition}"),
            Measure::Diminishing(_) => {
                format!(
                    "SELECT * FROM (SELECT {at}, score FROM record{from} WHERE {condition} ORDER BY score DESC LIMIT {MOST_SCORES}) AS part{at}"
                )
            }
            Measure::Severity(_) | Measure::Verdict(_) | Measure::Calls | Measure::AllCalls => {
                format!("SELECT {at}, CAST(count(*) AS DOUBLE PRECISION) FROM record{from} WHERE {condition}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::record::{Pending, SessionName};
    use crate::finding::trail::Step;
    use crate::pattern::mask::Mask;
    use crate::policy::cumulative::Window;
    use crate::value::severity::Severity;
    use crate::value::time::DAY;

    /// A medium match of a call with a score of 20, or a clean pass.
    fn record(tenant: Option<&str>, session: &str, at: i64, is_clean: bool) -> Record {
        Record {
            id: crate::audit::record::Id::now_v7(),
            at,
            tenant: tenant.map(str::to_owned),
            session: Some(SessionName::of(session, &Mask::default())),
            agent: Some("claude-code".to_owned()),
            path: "payload.json".to_owned(),
            number: None,
            kind: Some("tool-call".into()),
            lifecycle: Some("pre-tool-call".into()),
            tool: Some("Bash".to_owned()),
            tool_call_id: None,
            input_timestamp: None,
            subject: None,
            patterns: None,
            match_count: u32::from(!is_clean),
            score: Some(if is_clean { 0.0 } else { 20.0 }),
            severity: (!is_clean).then_some(Severity::Medium),
            action: "allow".into(),
            reason: "clean".into(),
            rule: None,
            verdict: if is_clean { Verdict::Allow } else { Verdict::Warn },
            undetermined: None,
            accepted: None,
            accepted_count: 0,
            models: "hybrid".to_owned(),
            scores: None,
            duration: None,
            library: "0".to_owned(),
            version: "0".into(),
        }
    }

    fn limit(over: Over, measure: Measure) -> Limit {
        Limit { over, window: Window::Last(DAY, "1d".to_owned()), measure, warn: Some(1.0), block: None }
    }

    fn store(records: Vec<Record>) -> (tempfile::TempDir, Store) {
        let folder = tempfile::TempDir::new().expect("a folder can be made");
        let mut store = Store::open(&folder.path().join("a.db")).expect("a store is made");
        let batch: Vec<Pending> = records.into_iter().map(|record| Pending { record, step: Step::default() }).collect();
        store.append(&batch).expect("it is written");
        (folder, store)
    }

    #[test]
    fn each_measure_is_of_its_own_tenant_session_and_window() {
        let now = 10 * DAY;
        let mut records: Vec<Record> = (0..4).map(|at| record(Some("a"), "s", now - at, false)).collect();
        records.extend([record(Some("a"), "s", now, true), record(Some("a"), "other", now, false), record(Some("b"), "s", now, false)]);
        records.push(record(Some("a"), "s", now - DAY - 1, false));
        let mut by_sum = record(Some("a"), "s", now, false);
        (by_sum.verdict, by_sum.reason) = (Verdict::Block, DecisionReason::CumulativeRisk.name().into());
        records.push(by_sum);
        let (_folder, store) = store(records);
        let next = record(Some("a"), "s", now, true);
        for (over, measure, expected) in [
            (Over::Session, Measure::Sum, 100.0),
            (Over::Session, Measure::Diminishing(0.5), 38.75),
            (Over::Session, Measure::Severity(Severity::Medium), 5.0),
            (Over::Session, Measure::Severity(Severity::High), 0.0),
            (Over::Session, Measure::Verdict(Verdict::Warn), 4.0),
            (Over::Session, Measure::Verdict(Verdict::Block), 0.0),
            (Over::Session, Measure::Calls, 5.0),
            (Over::Tenant, Measure::Sum, 120.0),
            (Over::Agent, Measure::Sum, 120.0),
            (Over::Tenant, Measure::AllCalls, 6.0),
        ] {
            assert_eq!(store.measure(&[limit(over, measure)], &next).expect("it is read"), [Some(expected)], "{over:?} {measure:?}");
        }
        let both = [limit(Over::Tenant, Measure::Sum), limit(Over::Agent, Measure::Sum), limit(Over::Session, Measure::Calls)];
        let without = Record { agent: None, session: None, tenant: None, ..next };
        assert_eq!(store.measure(&both, &without).expect("it is read"), [Some(0.0), None, None]);
        let other = Record { tool: Some("Read".to_owned()), ..record(Some("b"), "s", now, true) };
        assert_eq!(store.measure(&both, &other).expect("it is read"), [Some(20.0), Some(20.0), Some(0.0)]);
    }

    #[test]
    fn every_limit_is_answered_from_an_index() {
        let (_folder, store) = store(vec![record(None, "s", 0, false)]);
        let measures = [Measure::Sum, Measure::Diminishing(0.85), Measure::Severity(Severity::Low), Measure::Verdict(Verdict::Warn)];
        for (over, index) in [(Over::Session, "record_session"), (Over::Tenant, "record_risk"), (Over::Agent, "record_risk")] {
            for (measure, index) in measures
                .map(|measure| (measure, index))
                .into_iter()
                .chain([(Measure::Calls, if over == Over::Session { "record_session" } else { "record_time" })])
            {
                let asked = Asked::of(&limit(over, measure), &record(None, "s", 0, true), Dialect::Sqlite).expect("it is asked");
                let text = format!("EXPLAIN QUERY PLAN {}", asked.statement(0));
                let told: Vec<String> = store.db.all(&text, &asked.values, |row| row.get(3)).expect("it is planned");
                assert!(told.iter().any(|line| line.contains(&format!("INDEX {index} "))), "{over:?} {measure:?}: {told:?}");
                assert!(!told.iter().any(|line| line.starts_with("SCAN record")), "{over:?} {measure:?}: {told:?}");
            }
        }
    }
}
