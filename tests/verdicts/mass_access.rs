//! Calls that ask for everything: what is told, by which rule, and what is left alone.

use crate::judge;
use callgate::model::registry::ModelSettings;

#[test]
fn what_asks_for_everything_is_told_once() {
    let rules = ["mass-access", "wildcard-query", "excessive-limit"];
    let mut wrong: Vec<String> = Vec::new();
    for (call, expected) in [
        ("'orders:list', { all: true }", vec!["mass-access medium"]),
        ("'orders:list', { all: false }", vec![]),
        ("'users:list', { all: true }", vec!["mass-access high"]),
        ("'users:list', { options: { fetchAll: true } }", vec!["mass-access high"]),
        ("'orders:list', { includeDeleted: true }", vec!["mass-access low"]),
        ("'orders:list', { pagination: false }", vec!["mass-access medium"]),
        ("'orders:list', { limit: -1 }", vec!["mass-access medium"]),
        ("'orders:list', { limit: '-1' }", vec!["mass-access medium"]),
        ("'orders:list', { limit: 'Infinity' }", vec!["mass-access medium"]),
        ("'orders:list', { per_page: 'all' }", vec!["mass-access medium"]),
        ("'orders:list', { limit: 0 }", vec!["mass-access low"]),
        ("'patients:list', { limit: 0 }", vec!["mass-access medium"]),
        ("'orders:search', { limit: 0, count: true }", vec![]),
        ("'orders:list', { limit: 50, offset: 0 }", vec![]),
        ("'orders:list', { since: '1970-01-01' }", vec!["mass-access medium"]),
        ("'orders:list', { startTime: 0 }", vec!["mass-access medium"]),
        ("'orders:list', { since: 0 }", vec!["mass-access medium"]),
        ("'orders:list', { since: '2024-01-01' }", vec![]),
        ("'orders:list', { limit: 50000 }", vec!["excessive-limit medium"]),
        ("'orders:list', { per_page: 50000 }", vec!["excessive-limit medium"]),
        ("'payroll:list', { limit: 50000 }", vec!["excessive-limit high"]),
        ("'payroll:list', { limit: 50 }", vec![]),
        ("'orders:query', { filter: {} }", vec!["wildcard-query medium"]),
        ("'patients:query', { filter: {} }", vec!["wildcard-query high"]),
        ("'patients:query', { filter: {}, limit: 10 }", vec!["wildcard-query low"]),
        ("'patients:query', { filter: { id: 7 } }", vec![]),
        ("'db:query', { sql: 'SELECT * FROM users' }", vec!["mass-access high"]),
        ("'db:query', { sql: 'SELECT * FROM users LIMIT 10' }", vec![]),
        ("'db:query', { sql: 'SELECT * FROM users WHERE id = 7' }", vec![]),
        ("'db:query', { sql: \"SELECT name FROM users WHERE name = 'x' OR 1=1\" }", vec!["mass-access high"]),
        ("'db:query', { sql: 'SELECT count(*) FROM users' }", vec![]),
        ("'db:query', { sql: 'SELECT * FROM colours' }", vec![]),
        ("'mail:send', { text: 'SELECT * FROM users' }", vec![]),
        ("'toggle:set', { all: true }", vec!["mass-access low"]),
    ] {
        let finding = judge::judge("hybrid", &ModelSettings::default(), &format!("await callTool({call})"));
        let found = finding.matches.iter().filter(|found| rules.contains(&&*found.rule.id));
        let hits: Vec<String> = found.map(|found| format!("{} {}", found.rule.id, found.severity)).collect();
        if hits != expected {
            wrong.push(format!("{hits:?} for {expected:?}: {call}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
