//! Asking a store for single evaluations and for sessions.

use std::ops::ControlFlow;

use crate::audit::AuditError;
use crate::audit::db::Dialect;
use crate::audit::db::value::Value;
use crate::audit::export::fields;
use crate::audit::query::{Condition, Filter};
use crate::audit::store::Store;
use crate::history::{Evaluations, Session, Sessions};

impl Store {
    /// The newest evaluations that a filter takes, the newest first.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn newest(&self, filter: &Filter, most: u64) -> Result<Evaluations, AuditError> {
        let mut rows = Vec::new();
        self.visit(&Filter { limit: Some(most.saturating_add(1)), ..filter.clone() }, |kept| {
            rows.push(fields(&kept));
            ControlFlow::Continue(())
        })?;
        rows.reverse();
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let has_more = most < rows.len();
        rows.truncate(most);
        Ok(Evaluations { rows, has_more })
    }

    /// The sessions of the evaluations that a filter takes, at most so many.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn newest_sessions(&self, filter: &Filter, most: u64) -> Result<Sessions, AuditError> {
        let rows = self.sessions(filter)?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let has_more = most < rows.len();
        Ok(Sessions { rows: self.with_agents(rows, most)?, has_more })
    }

    /// The first of these sessions, each with its agent.
    pub(super) fn with_agents(&self, rows: Vec<(i64, Session)>, most: usize) -> Result<Vec<Session>, AuditError> {
        let last =
            "SELECT name.text FROM record LEFT JOIN name ON name.id = record.agent WHERE session = ?1 ORDER BY record.at DESC LIMIT 1";
        let named = rows.into_iter().take(most).map(|(number, session)| {
            let agent: Option<Option<String>> = self.db.one(last, &[number.into()], |row| row.get(0))?;
            Ok(Session { agent: agent.flatten(), ..session })
        });
        named.collect()
    }

    /// All sessions of the evaluations that a filter takes, each behind its number and without its agent, the one with the newest
    /// evaluation first.
    pub(super) fn sessions(&self, filter: &Filter) -> Result<Vec<(i64, Session)>, AuditError> {
        let (text, values) = of_sessions(filter, self.db.dialect());
        let statement = format!(
            "SELECT found.session, session.text, name.text, found.number, found.warned, found.blocked, found.highest, found.first, found.last
            FROM (SELECT session, count(*) AS number, count(*) FILTER (WHERE verdict = 1) AS warned,
                count(*) FILTER (WHERE verdict = 2) AS blocked, max(score) AS highest,
                min(record.at) AS first, max(record.at) AS last FROM record{} WHERE session IS NOT NULL AND {text} GROUP BY session) AS found
            JOIN session ON session.id = found.session JOIN name ON name.id = session.tenant ORDER BY found.last DESC, found.session DESC",
            if filter.is_labelled { " LEFT JOIN label ON label.evaluation_id = record.evaluation_id" } else { "" },
        );
        self.db.all(&statement, &values, |row| {
            let (all, warned, blocked): (u64, u64, u64) = (row.get(3)?, row.get(4)?, row.get(5)?);
            let session = Session {
                id: row.get(1)?,
                tenant: Some(row.get::<String>(2)?).filter(|tenant| !tenant.is_empty()),
                agent: None,
                verdicts: [all.saturating_sub(warned + blocked), warned, blocked],
                highest_score: row.get(6)?,
                first: row.get(7)?,
                last: row.get(8)?,
            };
            Ok((row.get(0)?, session))
        })
    }
}

/// The condition of a filter on records that have a session. A tenant is asked for by its sessions: the index of sessions knows
/// all the rest that is counted.
fn of_sessions(filter: &Filter, dialect: Dialect) -> (String, Vec<Value<'static>>) {
    let tenant = filter.scope.as_ref().filter(|scope| scope.session.is_none() && scope.agent.is_none()).map(|scope| &scope.tenant);
    let Some(tenant) = tenant else {
        let condition = Condition::of(filter, dialect);
        return (condition.text(), condition.values);
    };
    let rest = Condition::of(&Filter { scope: None, ..filter.clone() }, dialect);
    let own = "record.session IN (SELECT session.id FROM session JOIN name ON name.id = session.tenant WHERE name.text = ?)";
    let text = format!("{own} AND {}", rest.text());
    let values = std::iter::once(Value::from(tenant.clone().unwrap_or_default())).chain(rest.values);
    (text, values.collect())
}
