//! How records lie in the file, and how a file of an earlier version becomes one of this.

use rusqlite::{Connection, TransactionBehavior};

use crate::audit::AuditError;

/// What tells our files from other databases (`PRAGMA application_id`): `cgat` in ASCII.
pub const APPLICATION: i64 = 0x6367_6174;

/// What makes a file of each version from one of the version before; an empty file has version 0.
const MIGRATIONS: &[&str] = &[FIRST, TRENDS, RISKS];

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
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE chain (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    is_clean INTEGER NOT NULL,
    length INTEGER NOT NULL,
    head BLOB NOT NULL,
    pruned INTEGER NOT NULL,
    anchor BLOB NOT NULL,
    UNIQUE (tenant, is_clean)
) STRICT;
CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    key BLOB NOT NULL,
    text TEXT NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    UNIQUE (tenant, key)
) STRICT;
CREATE TABLE session_call (
    session INTEGER NOT NULL, call INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (session, call)
) STRICT, WITHOUT ROWID;
CREATE TABLE session_read (
    session INTEGER NOT NULL, kind INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (session, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE record (
    seq INTEGER PRIMARY KEY,
    evaluation_id BLOB NOT NULL UNIQUE,
    chain INTEGER NOT NULL,
    tenant INTEGER NOT NULL,
    at INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    action INTEGER NOT NULL,
    reason INTEGER NOT NULL,
    models INTEGER NOT NULL,
    library INTEGER NOT NULL,
    version INTEGER NOT NULL,
    path TEXT NOT NULL,
    number INTEGER,
    kind INTEGER,
    lifecycle INTEGER,
    subject BLOB,
    duration INTEGER,
    session INTEGER,
    agent INTEGER,
    tool INTEGER,
    tool_call_id TEXT,
    input_timestamp TEXT,
    patterns INTEGER,
    match_count INTEGER,
    score REAL,
    scores TEXT,
    severity INTEGER,
    rule INTEGER,
    undetermined INTEGER,
    hash BLOB NOT NULL
) STRICT;
CREATE INDEX record_time ON record (tenant, at, verdict, severity, score);
CREATE INDEX record_patterns ON record (tenant, at, patterns, verdict) WHERE patterns IS NOT NULL;
CREATE INDEX record_session ON record (session, at, verdict, score) WHERE session IS NOT NULL;
CREATE TABLE label (
    evaluation_id BLOB PRIMARY KEY, is_bad INTEGER NOT NULL, at INTEGER NOT NULL, note TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE pruning (
    at INTEGER NOT NULL, tenant INTEGER, is_clean INTEGER NOT NULL, before INTEGER, records INTEGER NOT NULL, sessions INTEGER NOT NULL
) STRICT;
CREATE VIEW evaluations AS SELECT
    lower(substr(hex(evaluation_id), 1, 8) || '-' || substr(hex(evaluation_id), 9, 4) || '-' || substr(hex(evaluation_id), 13, 4) || '-'
        || substr(hex(evaluation_id), 17, 4) || '-' || substr(hex(evaluation_id), 21)) AS evaluation_id,
    record.tool_call_id AS tool_call_id,
    lifecycle.text AS lifecycle_point,
    strftime('%Y-%m-%dT%H:%M:', at / 1000, 'unixepoch') || printf('%06.3fZ', (at % 60000) / 1000.0) AS timestamp,
    patterns.text AS matched_patterns,
    coalesce(match_count, 0) AS match_count,
    score AS numeric_score,
    CASE severity WHEN 1 THEN 'low' WHEN 2 THEN 'medium' WHEN 3 THEN 'high' WHEN 4 THEN 'critical' END AS categorical_severity,
    action.text AS action,
    CASE reason.text WHEN 'score-override' THEN 'score_override_threshold' ELSE reason.text END AS action_reason,
    duration / 1000.0 AS scan_duration_ms,
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
    lower(hex(subject)) AS subject_hash,
    models.text AS models,
    scores AS model_scores,
    input_timestamp,
    version.text AS callgate_version
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
    LEFT JOIN name AS undetermined ON undetermined.id = record.undetermined
    LEFT JOIN session ON session.id = record.session;
";

/// Trends also count what could not be judged, and what several models judged. `counter` counts all records that were ever written,
/// so that it goes on where old ones are taken out.
const TRENDS: &str = "
DROP INDEX record_time;
CREATE INDEX record_time ON record (tenant, at, verdict, severity, score, undetermined);
CREATE INDEX record_scores ON record (tenant, at) WHERE scores IS NOT NULL;
CREATE TABLE counter (
    tenant INTEGER NOT NULL, name TEXT NOT NULL, count REAL NOT NULL, PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;
";

/// What adds up is asked before each answer, and most evaluations are clean passes that add nothing.
const RISKS: &str = "
CREATE INDEX record_risk ON record (tenant, at, agent, score, severity, verdict, reason)
    WHERE (score > 0 OR severity IS NOT NULL OR verdict > 0);
";

/// Makes a file one of the newest schema; whoever else does so at the same time waits.
///
/// # Errors
///
/// When the file cannot be written.
pub fn migrate(connection: &mut Connection) -> Result<(), AuditError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let missing = MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(usize::MAX));
    missing.map(|migration| transaction.execute_batch(migration)).collect::<Result<Vec<()>, _>>()?;
    transaction.execute_batch(&format!("PRAGMA user_version = {}", newest()))?;
    transaction.commit()?;
    Ok(())
}
