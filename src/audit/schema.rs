//! How records lie in a database, and how a store of an earlier version becomes one of this.

use crate::audit::db::{Db, Dialect};
use crate::audit::{AuditError, label};

/// What tells our files from other databases (`PRAGMA application_id`): `cgat` in ASCII.
pub const APPLICATION: i64 = 0x6367_6174;

/// What makes a file of each version from one of the version before; an empty file has version 0.
const MIGRATIONS: &[&str] = &[FIRST, TRENDS, RISKS, LABELS, STEPS];

/// The schema since which labels stand in a chain.
const WITH_LABELS: i64 = 4;

/// The newest schema.
pub fn newest() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Texts that occur often stand once in `name`; `record` has their ids. Verdicts are 0 allow, 1 warn, 2 block; severities 1 low
/// to 4 critical; times are milliseconds since 1970 in UTC; durations are microseconds.
///
/// All history of a tenant is found by indices that begin with it. `record_time` answers trends without the table,
/// `record_patterns` counts by rule.
const FIRST: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL){keyed};
CREATE TABLE name (id {key}, text TEXT NOT NULL UNIQUE){strict};
CREATE TABLE chain (
    id {key},
    tenant {int} NOT NULL,
    is_clean {int} NOT NULL,
    length {int} NOT NULL,
    head {bytes} NOT NULL,
    pruned {int} NOT NULL,
    anchor {bytes} NOT NULL,
    UNIQUE (tenant, is_clean)
){strict};
CREATE TABLE session (
    id {key},
    tenant {int} NOT NULL,
    key {bytes} NOT NULL,
    text TEXT NOT NULL,
    first_at {int} NOT NULL,
    last_at {int} NOT NULL,
    UNIQUE (tenant, key)
){strict};
CREATE TABLE session_call (
    session {int} NOT NULL, call {int} NOT NULL, count {int} NOT NULL, PRIMARY KEY (session, call)
){keyed};
CREATE TABLE session_read (
    session {int} NOT NULL, kind {int} NOT NULL, last_at {int} NOT NULL, PRIMARY KEY (session, kind)
){keyed};
CREATE TABLE record (
    seq {key},
    evaluation_id {bytes} NOT NULL UNIQUE,
    chain {int} NOT NULL,
    tenant {int} NOT NULL,
    at {int} NOT NULL,
    verdict {int} NOT NULL,
    action {int} NOT NULL,
    reason {int} NOT NULL,
    models {int} NOT NULL,
    library {int} NOT NULL,
    version {int} NOT NULL,
    path TEXT NOT NULL,
    number {int},
    kind {int},
    lifecycle {int},
    subject {bytes},
    duration {int},
    session {int},
    agent {int},
    tool {int},
    tool_call_id TEXT,
    input_timestamp TEXT,
    patterns {int},
    match_count {int},
    score {real},
    scores TEXT,
    severity {int},
    rule {int},
    undetermined {int},
    hash {bytes} NOT NULL
){strict};
CREATE INDEX record_time ON record (tenant, at, verdict, severity, score);
CREATE INDEX record_patterns ON record (tenant, at, patterns, verdict) WHERE patterns IS NOT NULL;
CREATE INDEX record_session ON record (session, at, verdict, score) WHERE session IS NOT NULL;
CREATE TABLE label (
    evaluation_id {bytes} PRIMARY KEY, is_bad {int} NOT NULL, at {int} NOT NULL, note TEXT
){keyed};
CREATE TABLE pruning (
    at {int} NOT NULL, tenant {int}, is_clean {int} NOT NULL, before {int}, records {int} NOT NULL, sessions {int} NOT NULL
){strict};
";

/// Trends also count what could not be judged, and what several models judged. `counter` counts all records that were ever written,
/// so that it goes on where old ones are taken out.
const TRENDS: &str = "
DROP INDEX record_time;
CREATE INDEX record_time ON record (tenant, at, verdict, severity, score, undetermined);
CREATE INDEX record_scores ON record (tenant, at) WHERE scores IS NOT NULL;
CREATE TABLE counter (
    tenant {int} NOT NULL, name TEXT NOT NULL, count {real} NOT NULL, PRIMARY KEY (tenant, name)
){keyed};
";

/// What adds up is asked before each answer, and most evaluations are clean passes that add nothing.
const RISKS: &str = "
CREATE INDEX record_risk ON record (tenant, at, agent, score, severity, verdict, reason)
    WHERE (score > 0 OR severity IS NOT NULL OR verdict > 0);
";

/// What was accepted is counted, and what people say of evaluations stands in a chain: `labelling` is what they said, one behind the
/// other, `label` what holds of it. The chain is the one whose `is_clean` is 2, and whose tenant is none.
const LABELS: &str = "
ALTER TABLE record ADD COLUMN accepted {int};
ALTER TABLE record ADD COLUMN accepted_count {int};
CREATE TABLE labelling (
    seq {key}, evaluation_id {bytes} NOT NULL, is_bad {int} NOT NULL, at {int} NOT NULL, note TEXT, hash {bytes} NOT NULL
){strict};
CREATE INDEX labelling_evaluation ON labelling (evaluation_id);
DROP VIEW IF EXISTS evaluations;
CREATE VIEW evaluations AS SELECT
    {uuid} AS evaluation_id,
    record.tool_call_id AS tool_call_id,
    lifecycle.text AS lifecycle_point,
    {time} AS timestamp,
    patterns.text AS matched_patterns,
    coalesce(match_count, 0) AS match_count,
    score AS numeric_score,
    CASE severity WHEN 1 THEN 'low' WHEN 2 THEN 'medium' WHEN 3 THEN 'high' WHEN 4 THEN 'critical' END AS categorical_severity,
    action.text AS action,
    CASE reason.text WHEN 'score-override' THEN 'score_override_threshold' ELSE reason.text END AS action_reason,
    CAST(duration AS {real}) / 1000 AS scan_duration_ms,
    library.text AS pattern_library_version,
    nullif(tenant.text, '') AS tenant_id,
    session.text AS session_id,
    agent.text AS agent,
    CASE verdict WHEN 0 THEN 'allow' WHEN 1 THEN 'warn' ELSE 'block' END AS verdict,
    reason.text AS reason,
    rule.text AS deciding_rule,
    undetermined.text AS undetermined,
    kind.text AS kind,
    record.path AS path,
    record.number AS record,
    tool.text AS tool,
    {hash} AS subject_hash,
    models.text AS models,
    scores AS model_scores,
    input_timestamp,
    version.text AS callgate_version,
    accepted.text AS accepted_patterns,
    coalesce(accepted_count, 0) AS accepted_count
FROM record
    JOIN name AS tenant ON tenant.id = record.tenant
    JOIN name AS action ON action.id = record.action
    JOIN name AS reason ON reason.id = record.reason
    JOIN name AS models ON models.id = record.models
    JOIN name AS library ON library.id = record.library
    JOIN name AS version ON version.id = record.version
    LEFT JOIN name AS kind ON kind.id = record.kind
    LEFT JOIN name AS lifecycle ON lifecycle.id = record.lifecycle
    LEFT JOIN name AS patterns ON patterns.id = record.patterns
    LEFT JOIN name AS agent ON agent.id = record.agent
    LEFT JOIN name AS tool ON tool.id = record.tool
    LEFT JOIN name AS rule ON rule.id = record.rule
    LEFT JOIN name AS accepted ON accepted.id = record.accepted
    LEFT JOIN name AS undetermined ON undetermined.id = record.undetermined
    LEFT JOIN session ON session.id = record.session;
";

/// What a record added to the memory of its session stands in it, and so in its hash. Trends also count what was accepted.
const STEPS: &str = "
ALTER TABLE record ADD COLUMN step TEXT;
DROP INDEX record_time;
CREATE INDEX record_time ON record (tenant, at, verdict, severity, score, undetermined, accepted_count);
";

/// What stands for the words in braces.
fn spelled(text: &str, dialect: Dialect) -> String {
    let words = match dialect {
        Dialect::Sqlite => SQLITE,
        Dialect::Postgres => POSTGRES,
    };
    words.iter().fold(text.to_owned(), |text, (word, meaning)| text.replace(word, meaning))
}

/// In SQLite.
const SQLITE: &[(&str, &str)] = &[
    ("{key}", "INTEGER PRIMARY KEY"),
    ("{int}", "INTEGER"),
    ("{real}", "REAL"),
    ("{bytes}", "BLOB"),
    ("{strict}", " STRICT"),
    ("{keyed}", " STRICT, WITHOUT ROWID"),
    (
        "{uuid}",
        "lower(substr(hex(evaluation_id), 1, 8) || '-' || substr(hex(evaluation_id), 9, 4) || '-' || substr(hex(evaluation_id), 13, 4) || '-'
        || substr(hex(evaluation_id), 17, 4) || '-' || substr(hex(evaluation_id), 21))",
    ),
    ("{time}", "strftime('%Y-%m-%dT%H:%M:', at / 1000, 'unixepoch') || printf('%06.3fZ', (at % 60000) / 1000.0)"),
    ("{hash}", "lower(hex(subject))"),
];

/// In PostgreSQL.
const POSTGRES: &[(&str, &str)] = &[
    ("{key}", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"),
    ("{int}", "BIGINT"),
    ("{real}", "DOUBLE PRECISION"),
    ("{bytes}", "BYTEA"),
    ("{strict}", ""),
    ("{keyed}", ""),
    ("{uuid}", "CAST(CAST(encode(evaluation_id, 'hex') AS uuid) AS text)"),
    ("{time}", "to_char(to_timestamp(record.at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"),
    ("{hash}", "encode(subject, 'hex')"),
];

/// The schema of a store; 0 where there is none yet.
///
/// # Errors
///
/// When the database cannot be read.
pub fn version(db: &Db) -> Result<i64, AuditError> {
    match db {
        Db::File(_) => db.row("PRAGMA user_version", &[], |row| row.get(0)),
        Db::Server(server) if server.is_missing()? => Ok(0),
        Db::Server(_) => {
            let told: Option<String> = db.one("SELECT value FROM meta WHERE key = 'schema'", &[], |row| row.get(0))?;
            let told = told.and_then(|told| told.parse().ok());
            told.ok_or_else(|| AuditError::Damaged("nothing says which schema it has".to_owned()))
        }
    }
}

/// Makes a store one of the newest schema; whoever else does so at the same time waits.
///
/// # Errors
///
/// When the database cannot be written.
pub fn migrate(db: &Db) -> Result<(), AuditError> {
    let transaction = db.writing()?;
    let version = version(db)?;
    if version == 0
        && let Db::Server(_) = db
    {
        db.batch("CREATE SCHEMA IF NOT EXISTS callgate")?;
    }
    let missing = MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(usize::MAX));
    missing.map(|migration| db.batch(&spelled(migration, db.dialect()))).collect::<Result<Vec<()>, _>>()?;
    if version < WITH_LABELS {
        label::chain_old(db)?;
    }
    match db {
        Db::File(_) => db.batch(&format!("PRAGMA user_version = {}", newest()))?,
        Db::Server(_) => db.batch(&format!(
            "INSERT INTO meta (key, value) VALUES ('schema', '{0}') ON CONFLICT (key) DO UPDATE SET value = '{0}'",
            newest()
        ))?,
    }
    transaction.commit()
}
