//! Asking a store how its evaluations changed over time.
//!
//! Each span of time is one range of an index that begins with the tenant: nothing is sorted, and the table is only read where a
//! filter asks for more than the index has. Tenants are asked for one by one.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::audit::db::{Db, Dialect};
use crate::audit::query::{Condition, Filter};
use crate::audit::store::Store;
use crate::audit::{AuditError, Scope};
use crate::history::Session;
use crate::history::period::{Period, Tally, Unit};
use crate::history::rising::{Rising, Window};
use crate::history::trends::{ModelTrend, Pair, RuleTrend, Trends};
use crate::value::verdict::Verdict;

/// Most spans that are looked at by themselves: about a year of hours. Where there are more, they are days.
const MOST_PERIODS: i64 = 9_000;
/// How many sessions are named.
const SESSIONS: usize = 20;
/// What is summed up of a span.
const SUMS: &str = "count(*), count(*) FILTER (WHERE verdict = 1), count(*) FILTER (WHERE verdict = 2), count(undetermined), count(score),
    sum(score), sum(score * score), max(score), CAST(sum(accepted_count) AS BIGINT)";

impl Store {
    /// How the evaluations that a filter takes changed over time, and what rises in the last window before `end`.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn trends(&self, filter: &Filter, by: Unit, window: i64, end: i64) -> Result<Trends, AuditError> {
        let parts = self.by_tenant(filter)?;
        let mut rising = Rising::of(window, end);
        for part in &parts {
            self.compare_windows(part, &mut rising)?;
        }
        let mut trends = Trends {
            by,
            periods: Vec::new(),
            total: Tally::default(),
            rules: Vec::new(),
            sessions: self.worst_sessions(filter)?,
            models: Vec::new(),
            pairs: Vec::new(),
            filters: Vec::new(),
            rising,
        };
        let Some((first, last)) = self.bounds(&parts)? else { return Ok(trends) };
        if MOST_PERIODS < (last - first) / by.millis() {
            trends.by = Unit::Day;
        }
        trends.periods = spans(trends.by, first, last);
        for part in &parts {
            self.tally(part, &mut trends)?;
        }
        let periods = &trends.periods;
        trends.total = periods.iter().fold(Tally::default(), |mut total, period| {
            total.add(&period.tally);
            total
        });
        self.rule_trends(&parts, &mut trends)?;
        self.opinions(&parts, &mut trends)?;
        Ok(trends)
    }

    /// A filter for each tenant that one asks for.
    fn by_tenant(&self, filter: &Filter) -> Result<Vec<Filter>, AuditError> {
        if filter.scope.is_some() {
            return Ok(vec![filter.clone()]);
        }
        let tenants = "SELECT DISTINCT text FROM chain JOIN name ON name.id = chain.tenant ORDER BY text";
        let tenants: Vec<String> = self.db.all(tenants, &[], |row| row.get(0))?;
        tenants
            .into_iter()
            .map(|tenant| {
                let tenant = Some(tenant).filter(|tenant| !tenant.is_empty());
                Ok(Filter { scope: Some(Scope::of_tenant(tenant.as_deref())), ..filter.clone() })
            })
            .collect()
    }

    /// The time of the first and the last evaluation of a tenant within the time that is asked for.
    fn bounds(&self, parts: &[Filter]) -> Result<Option<(i64, i64)>, AuditError> {
        let mut bounds: Option<(i64, i64)> = None;
        for part in parts {
            let tenant = part.scope.as_ref().and_then(|scope| scope.tenant.as_deref());
            let coarse = Filter { scope: Some(Scope::of_tenant(tenant)), since: part.since, until: part.until, ..Filter::default() };
            let condition = Condition::of(&coarse, self.db.dialect());
            // Apart, each is one step down an index; together they would be a walk along it.
            let one = |what: &str| -> Result<Option<i64>, AuditError> {
                let text = format!("SELECT {what}(record.at) FROM record WHERE {}", condition.text());
                self.db.row(&text, &condition.values, |row| row.get(0))
            };
            if let Some(found) = one("min")?.zip(one("max")?) {
                bounds = Some(bounds.map_or(found, |known| (known.0.min(found.0), known.1.max(found.1))));
            }
        }
        Ok(bounds)
    }

    /// Adds what each span holds.
    fn tally(&self, part: &Filter, trends: &mut Trends) -> Result<(), AuditError> {
        let length = trends.by.millis();
        let statement = sums_of(part, self.db.dialect());
        for period in &mut trends.periods {
            let since = part.since.unwrap_or(i64::MIN).max(period.start);
            let until = part.until.unwrap_or(i64::MAX).min(period.start.saturating_add(length));
            period.tally.add(&sum(&self.db, &statement, part, since, until)?);
        }
        Ok(())
    }

    fn compare_windows(&self, part: &Filter, rising: &mut Rising) -> Result<(), AuditError> {
        let (end, length) = (rising.end, rising.window);
        let window = |from: i64, to: i64| -> Result<Window, AuditError> {
            let filter = Filter { since: Some(from), until: Some(to), limit: None, ..part.clone() };
            let tally = sum(&self.db, &sums_of(&filter, self.db.dialect()), &filter, from, to)?;
            let rules = self.rules(&filter)?.into_iter().map(|count| (count.rule, count.evaluations)).collect();
            Ok(Window { tally, rules })
        };
        let middle = end.saturating_sub(length);
        let before = window(middle.saturating_sub(length), middle)?;
        let tenant = part.scope.as_ref().and_then(|scope| scope.tenant.as_deref());
        rising.compare(tenant, &before, &window(middle, end)?);
        Ok(())
    }

    fn rule_trends(&self, parts: &[Filter], trends: &mut Trends) -> Result<(), AuditError> {
        let Some(first) = trends.periods.first().map(|period| period.start) else { return Ok(()) };
        let (length, count) = (trends.by.millis(), trends.periods.len());
        let mut rules: BTreeMap<String, RuleTrend> = BTreeMap::new();
        for part in parts {
            let condition = Condition::of(part, self.db.dialect());
            let text = format!(
                "SELECT text, nth, number, blocked FROM (SELECT (record.at - {first}) / {length} AS nth, patterns, count(*) AS number,
                    count(*) FILTER (WHERE verdict = 2) AS blocked FROM record{} WHERE patterns IS NOT NULL AND {} GROUP BY nth, patterns) AS counted
                JOIN name ON name.id = patterns",
                joined(part),
                condition.text()
            );
            self.db.visit(&text, &condition.values, |row| {
                let (text, nth, number, blocked): (String, i64, u64, u64) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
                for rule in text.split(' ').map(|rule| rule.split_once('*').map_or(rule, |(_, rule)| rule)) {
                    let empty = || RuleTrend { rule: rule.to_owned(), evaluations: 0, blocked: 0, by_period: vec![0; count] };
                    let trend = rules.entry(rule.to_owned()).or_insert_with(empty);
                    trend.evaluations += number;
                    trend.blocked += blocked;
                    // What is written at this moment may lie behind the last span.
                    usize::try_from(nth).ok().and_then(|nth| trend.by_period.get_mut(nth)).into_iter().for_each(|own| *own += number);
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        trends.rules = rules.into_values().collect();
        trends.rules.sort_by(|left, right| right.evaluations.cmp(&left.evaluations).then_with(|| left.rule.cmp(&right.rule)));
        Ok(())
    }

    /// What models answered where several judged.
    fn opinions(&self, parts: &[Filter], trends: &mut Trends) -> Result<(), AuditError> {
        let mut opinions = Opinions::default();
        for part in parts {
            let condition = Condition::of(part, self.db.dialect());
            let text = format!("SELECT record.at, scores FROM record{} WHERE scores IS NOT NULL AND {}", joined(part), condition.text());
            self.db.visit(&text, &condition.values, |row| {
                let at = row.get(0)?;
                let is_disputed = opinions.add(&row.get::<String>(1)?);
                let nth = trends.periods.partition_point(|period| period.start <= at);
                if let Some(period) = nth.checked_sub(1).and_then(|nth| trends.periods.get_mut(nth)).filter(|_| is_disputed) {
                    period.disputed += 1;
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        (trends.models, trends.pairs) = opinions.told();
        Ok(())
    }

    fn worst_sessions(&self, filter: &Filter) -> Result<Vec<Session>, AuditError> {
        let mut sessions = self.sessions(filter)?;
        let by = |session: &Session| (session.verdicts[2], session.highest_score.unwrap_or(-1.0));
        sessions.sort_by(|(_, left), (_, right)| by(right).0.cmp(&by(left).0).then(by(right).1.total_cmp(&by(left).1)));
        self.with_agents(sessions, SESSIONS)
    }
}

/// What has to be read beside records.
fn joined(filter: &Filter) -> &'static str {
    if filter.is_labelled { " LEFT JOIN label ON label.evaluation_id = record.evaluation_id" } else { "" }
}

/// The statement that sums a span up; the times are bound later.
fn sums_of(filter: &Filter, dialect: Dialect) -> String {
    let bounded = Filter { since: Some(0), until: Some(0), ..filter.clone() };
    format!("SELECT {SUMS} FROM record{} WHERE {}", joined(filter), Condition::of(&bounded, dialect).text())
}

fn sum(db: &Db, statement: &str, filter: &Filter, since: i64, until: i64) -> Result<Tally, AuditError> {
    let bounded = Filter { since: Some(since), until: Some(until), ..filter.clone() };
    let condition = Condition::of(&bounded, db.dialect());
    db.row(statement, &condition.values, |row| {
        let count = |at: usize| row.get::<Option<u64>>(at).map(Option::unwrap_or_default);
        let number = |at: usize| row.get::<Option<f64>>(at).map(Option::unwrap_or_default);
        let (all, warned, blocked) = (count(0)?, count(1)?, count(2)?);
        Ok(Tally {
            verdicts: [all.saturating_sub(warned + blocked), warned, blocked],
            undetermined: count(3)?,
            scored: count(4)?,
            score_sum: number(5)?,
            score_squares: number(6)?,
            highest_score: row.get(7)?,
            accepted: count(8)?,
        })
    })
}

/// All spans from the one of the first evaluation to that of the last.
fn spans(by: Unit, first: i64, last: i64) -> Vec<Period> {
    let starts = std::iter::successors(Some(by.begin(first)), |start| Some(start + by.millis()));
    starts.take_while(|start| *start <= last).map(|start| Period { start, tally: Tally::default(), disputed: 0 }).collect()
}

/// What models answered, as it is counted.
#[derive(Default)]
struct Opinions {
    models: BTreeMap<String, ModelTrend>,
    pairs: BTreeMap<(String, String), Pair>,
}

impl Opinions {
    /// Adds the opinions on one evaluation, `hybrid 40 warn;numeric 35 allow`; returns true if and only if they differ.
    fn add(&mut self, text: &str) -> bool {
        let mut verdicts: BTreeMap<&str, Verdict> = BTreeMap::new();
        for opinion in text.split(';') {
            let mut words = opinion.rsplitn(3, ' ');
            let (verdict, score, model) = (words.next(), words.next(), words.next());
            let Some(((verdict, score), model)) = verdict.and_then(Verdict::from_name).zip(score).zip(model) else { continue };
            let empty = || ModelTrend { model: model.to_owned(), verdicts: [0; 3], score_sum: 0.0 };
            let trend = self.models.entry(model.to_owned()).or_insert_with(empty);
            trend.verdicts[verdict as usize] += 1;
            trend.score_sum += score.parse::<f64>().ok().filter(|score| score.is_finite()).unwrap_or_default();
            verdicts.insert(model, verdict);
        }
        let named: Vec<(&str, Verdict)> = verdicts.into_iter().collect();
        for (at, (left, own)) in named.iter().enumerate() {
            for (right, other) in named.iter().skip(at + 1) {
                let key = ((*left).to_owned(), (*right).to_owned());
                let pair = self.pairs.entry(key.clone()).or_insert(Pair { models: key, both: 0, same: 0 });
                pair.both += 1;
                pair.same += u64::from(own == other);
            }
        }
        named.windows(2).any(|pair| matches!(pair, [(_, left), (_, right)] if left != right))
    }

    fn told(self) -> (Vec<ModelTrend>, Vec<Pair>) {
        (self.models.into_values().collect(), self.pairs.into_values().collect())
    }
}
