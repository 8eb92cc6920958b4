//! Asking a store: which records, of whom, from when.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::audit::chain::Hash;
use crate::audit::db::value::{Row, Value};
use crate::audit::db::{Db, Dialect};
use crate::audit::record::{Id, Record, SessionName, Text};
use crate::audit::store::Store;
use crate::audit::{AuditError, Scope};
use crate::finding::trail::{KEY, text_key};
use crate::value::severity::Severity;
use crate::value::verdict::Verdict;

/// The columns of a record, in the order in which `read` takes them.
const COLUMNS: &str =
    "seq, record.evaluation_id, chain, record.tenant, record.at, verdict, action, reason, models, library, version, path, number,
    kind, lifecycle, subject, duration, session, agent, tool, tool_call_id, input_timestamp, patterns, match_count, score, scores, severity,
    rule, undetermined, hash, label.is_bad, label.note, accepted, accepted_count, step";

/// Which records are asked for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Whose they are; none asks for those of all tenants, which only an operator may see.
    pub scope: Option<Scope>,
    /// Not before, in milliseconds since 1970.
    pub since: Option<i64>,
    /// Before, in milliseconds since 1970.
    pub until: Option<i64>,
    /// At least so strict.
    pub verdict: Option<Verdict>,
    /// A rule hit.
    pub rule: Option<String>,
    /// A glob that the path fits: `*` also stands for slashes.
    pub path: Option<String>,
    /// Not without clean passes.
    pub without_clean: bool,
    /// Only what was labelled.
    pub is_labelled: bool,
    /// At most so many, the newest.
    pub limit: Option<u64>,
}

/// A record with what the store says of it.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its number in the file.
    pub seq: i64,
    /// The id of its chain.
    pub chain: i64,
    /// Its hash.
    pub hash: Hash,
    /// The record.
    pub record: Record,
    /// What it added to the memory of its session.
    pub step: Option<String>,
    /// Whether somebody called it bad (true) or good.
    pub label: Option<bool>,
    /// What they said of it.
    pub note: Option<String>,
}

/// The condition of a filter, with the values in it.
#[derive(Debug, Default)]
pub(super) struct Condition {
    parts: Vec<String>,
    /// The values in it, in order.
    pub(super) values: Vec<Value<'static>>,
}

impl Condition {
    /// The condition that stands for a filter.
    pub(super) fn of(filter: &Filter, dialect: Dialect) -> Self {
        let mut condition = Self::default();
        if let Some(scope) = &filter.scope {
            let tenant = scope.tenant.clone().unwrap_or_default();
            condition.add("record.tenant = (SELECT id FROM name WHERE text = ?)", [tenant.clone().into()]);
            if let Some(session) = &scope.session {
                let sought =
                    "session = (SELECT session.id FROM session JOIN name ON name.id = session.tenant WHERE name.text = ? AND key = ?)";
                condition.add(sought, [tenant.into(), text_key(session).to_vec().into()]);
            }
            if let Some(agent) = &scope.agent {
                condition.add("agent = (SELECT id FROM name WHERE text = ?)", [agent.clone().into()]);
            }
        }
        filter.since.into_iter().for_each(|since| condition.add("record.at >= ?", [since.into()]));
        filter.until.into_iter().for_each(|until| condition.add("record.at < ?", [until.into()]));
        filter.verdict.into_iter().for_each(|verdict| condition.add("verdict >= ?", [(verdict as i64).into()]));
        if let Some(rule) = &filter.rule {
            let sought = format!(
                "patterns IN (SELECT id FROM name
                WHERE {0}(' ' || text || ' ', ' ' || ? || ' ') > 0 OR {0}(text || ' ', '*' || ? || ' ') > 0)",
                dialect.position()
            );
            condition.add(&sought, [rule.clone().into(), rule.clone().into()]);
        }
        if let Some(path) = &filter.path {
            let (part, value) = dialect.glob(path);
            condition.add(part, [value]);
        }
        if filter.without_clean {
            condition.add("(verdict > 0 OR match_count IS NOT NULL OR undetermined IS NOT NULL OR accepted_count IS NOT NULL)", []);
        }
        if filter.is_labelled {
            condition.add("label.is_bad IS NOT NULL", []);
        }
        condition
    }

    fn add<const N: usize>(&mut self, part: &str, values: [Value<'static>; N]) {
        self.parts.push(part.to_owned());
        self.values.extend(values);
    }

    /// The condition as it stands in a statement.
    pub(super) fn text(&self) -> String {
        if self.parts.is_empty() { "TRUE".to_owned() } else { self.parts.join(" AND ") }
    }
}

impl Store {
    /// Visits all records that a filter takes, the oldest first, until the visitor breaks off.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn visit(&self, filter: &Filter, visit: impl FnMut(Kept) -> ControlFlow<()>) -> Result<(), AuditError> {
        // Names are read before records, and whoever writes at this moment may add to both.
        let _moment = self.db.reading()?;
        self.visit_within(filter, visit)
    }

    /// As `visit`, where all is read as of one moment already.
    pub(super) fn visit_within(&self, filter: &Filter, mut visit: impl FnMut(Kept) -> ControlFlow<()>) -> Result<(), AuditError> {
        let condition = Condition::of(filter, self.db.dialect());
        let from = "record LEFT JOIN label ON label.evaluation_id = record.evaluation_id";
        let newest = filter.limit.map_or_else(String::new, |limit| format!(" ORDER BY seq DESC LIMIT {limit}"));
        let statement = format!("SELECT {COLUMNS} FROM {from} WHERE {}{newest}", condition.text());
        let statement = if filter.limit.is_some() {
            format!("SELECT * FROM ({statement}) AS newest ORDER BY 1")
        } else {
            format!("{statement} ORDER BY seq")
        };
        let reader = Reader::of(&self.db)?;
        self.db.visit(&statement, &condition.values, |row| Ok(visit(reader.read(&row)?)))
    }
}

/// What the numbers in records stand for.
pub(super) struct Reader {
    names: HashMap<i64, String>,
    sessions: HashMap<i64, SessionName>,
}

impl Reader {
    fn of(db: &Db) -> Result<Self, AuditError> {
        let names = db.all("SELECT id, text FROM name", &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let sessions = db.all("SELECT id, key, text FROM session", &[], |row| {
            Ok((row.get(0)?, SessionName { key: row.get::<[u8; KEY]>(1)?, text: row.get(2)? }))
        })?;
        Ok(Self { names: names.into_iter().collect(), sessions: sessions.into_iter().collect() })
    }

    fn name(&self, id: i64) -> Result<String, AuditError> {
        self.names.get(&id).cloned().ok_or_else(|| AuditError::Damaged(format!("there is no name {id}")))
    }

    fn optional(&self, id: Option<i64>) -> Result<Option<String>, AuditError> {
        id.map(|id| self.name(id)).transpose()
    }

    fn text(&self, id: Option<i64>) -> Result<Option<Text>, AuditError> {
        Ok(self.optional(id)?.map(Text::Owned))
    }

    fn read(&self, row: &Row<'_>) -> Result<Kept, AuditError> {
        let verdict: i64 = row.get(5)?;
        let severity: Option<i64> = row.get(26)?;
        let session: Option<i64> = row.get(17)?;
        let unknown = |what: &str, number: i64| AuditError::Damaged(format!("there is no {what} {number}"));
        let at = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
        let record = Record {
            id: Id::from_bytes(row.get(1)?),
            tenant: Some(self.name(row.get(3)?)?).filter(|tenant| !tenant.is_empty()),
            at: row.get(4)?,
            verdict: Verdict::ALL.get(at(verdict)).copied().ok_or_else(|| unknown("verdict", verdict))?,
            action: self.name(row.get(6)?)?.into(),
            reason: self.name(row.get(7)?)?.into(),
            models: self.name(row.get(8)?)?,
            library: self.name(row.get(9)?)?,
            version: self.name(row.get(10)?)?.into(),
            path: row.get(11)?,
            number: row.get(12)?,
            kind: self.text(row.get(13)?)?,
            lifecycle: self.text(row.get(14)?)?,
            subject: row.get(15)?,
            duration: row.get(16)?,
            session: session.map(|id| self.sessions.get(&id).cloned().ok_or_else(|| unknown("session", id))).transpose()?,
            agent: self.optional(row.get(18)?)?,
            tool: self.optional(row.get(19)?)?,
            tool_call_id: row.get(20)?,
            input_timestamp: row.get(21)?,
            patterns: self.optional(row.get(22)?)?,
            match_count: row.get::<Option<u32>>(23)?.unwrap_or_default(),
            score: row.get(24)?,
            scores: row.get(25)?,
            severity: severity
                .map(|number| Severity::ALL.get(at(number - 1)).copied().ok_or_else(|| unknown("severity", number)))
                .transpose()?,
            rule: self.optional(row.get(27)?)?,
            undetermined: self.text(row.get(28)?)?,
            accepted: self.optional(row.get(32)?)?,
            accepted_count: row.get::<Option<u32>>(33)?.unwrap_or_default(),
        };
        Ok(Kept {
            seq: row.get(0)?,
            chain: row.get(2)?,
            hash: row.get(29)?,
            record,
            step: row.get(34)?,
            label: row.get(30)?,
            note: row.get(31)?,
        })
    }
}

/// What a day, a verdict and a scope have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    /// The beginning of the day in UTC, in milliseconds since 1970.
    pub day: i64,
    /// The verdict.
    pub verdict: Verdict,
    /// How many evaluations there were.
    pub evaluations: u64,
    /// The mean of their scores, where any has one.
    pub mean_score: Option<f64>,
    /// The highest of their scores.
    pub highest_score: Option<f64>,
}

/// How often a rule hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleCount {
    /// The rule.
    pub rule: String,
    /// In how many evaluations it hit.
    pub evaluations: u64,
    /// How many of these were blocked.
    pub blocked: u64,
}

impl Store {
    /// How many evaluations there were by day and verdict, and how they scored; answered from an index alone where a scope names
    /// nothing but a tenant.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn days(&self, filter: &Filter) -> Result<Vec<Count>, AuditError> {
        let condition = Condition::of(filter, self.db.dialect());
        let statement = format!(
            "SELECT record.at - record.at % 86400000 AS day, verdict, count(*), avg(score), max(score) FROM record{} WHERE {} GROUP BY day, verdict",
            if filter.is_labelled { " JOIN label USING (evaluation_id)" } else { "" },
            condition.text()
        );
        self.db.all(&statement, &condition.values, |row| {
            let verdict = usize::try_from(row.get::<i64>(1)?).ok().and_then(|at| Verdict::ALL.get(at).copied());
            Ok(Count {
                day: row.get(0)?,
                verdict: verdict.ok_or_else(|| AuditError::Damaged("there is no such verdict".to_owned()))?,
                evaluations: row.get(2)?,
                mean_score: row.get(3)?,
                highest_score: row.get(4)?,
            })
        })
    }

    /// In how many evaluations each rule hit, the most frequent first.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn rules(&self, filter: &Filter) -> Result<Vec<RuleCount>, AuditError> {
        let condition = Condition::of(filter, self.db.dialect());
        let statement = format!(
            "SELECT text, counted.number, counted.blocked FROM (SELECT patterns, count(*) AS number, count(*) FILTER (WHERE verdict = 2) AS blocked FROM record{}
            WHERE patterns IS NOT NULL AND {} GROUP BY patterns) AS counted JOIN name ON name.id = counted.patterns",
            if filter.is_labelled { " JOIN label USING (evaluation_id)" } else { "" },
            condition.text()
        );
        let mut counts: HashMap<String, (u64, u64)> = HashMap::new();
        self.db.visit(&statement, &condition.values, |row| {
            let (text, number, blocked): (String, u64, u64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            for rule in text.split(' ') {
                let rule = rule.split_once('*').map_or(rule, |(_, rule)| rule);
                let count = counts.entry(rule.to_owned()).or_default();
                *count = (count.0 + number, count.1 + blocked);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let mut counts: Vec<RuleCount> =
            counts.into_iter().map(|(rule, (evaluations, blocked))| RuleCount { rule, evaluations, blocked }).collect();
        counts.sort_by(|left, right| right.evaluations.cmp(&left.evaluations).then_with(|| left.rule.cmp(&right.rule)));
        Ok(counts)
    }
}
