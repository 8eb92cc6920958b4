//! Calls that destroy: what is told, how bad it is, and what is left alone.

use crate::judge;
use callgate::check::registry;
use callgate::knowledge::House;
use callgate::meaning;
use callgate::model::registry::ModelSettings;
use callgate::subject::call::{HostCall, Property, Repeat, Value};
use callgate::subject::{Kind, Lifecycle, Subject};
use callgate::value::span::Span;

/// The severities of the hits of a rule.
fn hits(text: &str, rule: &str) -> Vec<&'static str> {
    let finding = judge::judge("hybrid", &ModelSettings::default(), text);
    finding.matches.iter().filter(|found| found.rules().any(|known| known.id == rule)).map(|found| found.severity.name()).collect()
}

#[test]
fn calls_that_take_all_are_told_from_those_that_take_one() {
    for (call, expected) in [
        // All, by the argument.
        ("'users:delete', { filter: {} }", Some("critical")),
        ("'users:delete', { id: '*' }", Some("critical")),
        ("'users:delete', { all: true }", Some("critical")),
        ("'users:delete', { where: '1=1' }", Some("critical")),
        ("'users:delete', { where: { id: { $gt: 0 } } }", Some("critical")),
        ("'files:delete', { path: '/', recursive: true }", Some("critical")),
        ("'logs:purge', { olderThanDays: 0 }", Some("critical")),
        ("'users:delete', { filter: {}, dryRun: true }", None),
        ("'users:delete', { id: 7 }", None),
        ("'users:delete', { id: user.id }", None),
        ("'users:delete', { filter: { id: 7 } }", None),
        ("'users:delete', { where: 'id = 7' }", None),
        ("'files:delete', { path: '/tmp/job-7', recursive: true }", None),
        ("'logs:purge', { olderThanDays: 90 }", None),
        // All, by the name.
        ("'users:deleteAll'", Some("critical")),
        ("'tokens:revokeAll', {}", Some("critical")),
        ("'database:purge'", Some("critical")),
        ("'cache:clearAll'", None),
        ("'cache:purge'", None),
        ("'notifications:deleteAll'", None),
        ("'form:resetAll'", None),
        ("'users:listDeleted', { all: true }", None),
        ("'tokens:revoke', { id: 't1' }", None),
        // What holds others.
        ("'bucket:delete', { name: 'customer-files' }", Some("critical")),
        ("'s3:deleteBucket', { bucket: 'customer-files' }", Some("critical")),
        ("'s3:deleteObject', { bucket: 'customer-files', key: 'a.txt' }", None),
        ("'bucket:delete', { name: 'ci-tmp-42' }", None),
        ("'k8s:delete', { kind: 'namespace', name: 'shop' }", Some("critical")),
        ("'k8s:delete', { kind: 'pod', name: 'web-1' }", None),
        ("'dns:deleteZone', { zone: 'acme.example' }", Some("critical")),
        ("'dns:deleteRecord', { id: 'r1' }", None),
        ("'repo:delete', { repo: 'acme/site' }", Some("critical")),
        ("'repo:deleteBranch', { repo: 'acme/site', branch: 'fix-1' }", None),
        ("'db:admin', { action: 'drop_database', name: 'shop' }", Some("critical")),
        ("'database:delete', { table: 'orders', where: { id: 5 } }", None),
        ("'terraform:destroy', { autoApprove: true }", Some("critical")),
        ("'terraform:plan', { destroy: true }", None),
        ("'services:terminate', { env: 'production' }", Some("critical")),
        ("'services:terminate', { env: 'staging' }", None),
        ("'volumes:delete', { id: 'vol-1' }", Some("medium")),
        ("'disk:format', { device: 'sda' }", Some("critical")),
        ("'text:format', { value: 'x' }", None),
    ] {
        let text = format!("await callTool({call})");
        assert_eq!(hits(&text, "destructive-call"), Vec::from_iter(expected), "{text}");
    }
}

#[test]
fn statements_and_commands_are_read_and_words_about_them_are_not() {
    for (call, expected) in [
        ("'db:query', { sql: 'DELETE FROM users' }", Some("critical")),
        ("'db:query', { sql: 'DELETE FROM users WHERE id > 0' }", Some("critical")),
        ("'db:query', { query: \"UPDATE users SET role = 'x' WHERE 'a' /**/ = 'a'\" }", Some("critical")),
        ("'db:query', 'TRUNCATE TABLE orders'", Some("critical")),
        ("'db:query', { statements: ['SELECT 1', 'DROP TABLE users'] }", Some("critical")),
        ("'tool:run', { sql: 'DROP TABLE users' }", Some("critical")),
        ("'db:query', { sql: `DELETE FROM users WHERE id = ${id}` }", None),
        ("'db:query', { sql: 'DELETE FROM users WHERE id = ?', params: [1] }", None),
        ("'db:query', { sql: 'SELECT * FROM orders WHERE id = 1' }", None),
        ("'db:query', { sql: 'DELETE FROM tmp_import' }", None),
        ("'notes:add', { text: 'DROP TABLE users' }", None),
        ("'shell:exec', { command: 'rm -rf /' }", Some("critical")),
        ("'shell:exec', { cmd: 'rm', args: ['-rf', '/'] }", Some("critical")),
        ("'shell:exec', { args: ['rm', '-rf', '~'] }", Some("critical")),
        ("'shell:exec', ['git', 'push', '--force', 'origin', 'main']", Some("critical")),
        ("'shell:exec', 'terraform destroy -auto-approve'", Some("critical")),
        ("'bash:run', { script: 'set -e\\ncd /\\nrm -rf *' }", Some("critical")),
        ("'kubectl:run', { args: 'delete ns shop' }", Some("critical")),
        ("'docker:run', { args: ['system', 'prune', '-af', '--volumes'] }", Some("critical")),
        ("'shell:exec', { command: `rm -rf ${dir}` }", Some("high")),
        ("'shell:exec', { command: `rm -rf /tmp/${dir}` }", None),
        ("'shell:exec', { command: 'rm -rf /', dryRun: true }", Some("critical")),
        ("'shell:exec', { command: 'rm -rf dist && npm run build' }", None),
        ("'shell:exec', { command: 'rm', args: ['-rf', 'node_modules'] }", None),
        ("'shell:exec', { command: 'kubectl get pods --all-namespaces' }", None),
        ("'shell:exec', { command: 'grep -rn \"rm -rf /\" docs' }", None),
        ("'docs:write', { text: 'never run rm -rf /' }", None),
        ("'chat:post', { message: 'DELETE FROM users wipes the table' }", None),
        ("'git:push', { remote: 'origin', branch: 'feature' }", None),
    ] {
        let text = format!("await callTool({call})");
        assert_eq!(hits(&text, "destructive-call"), Vec::from_iter(expected), "{text}");
    }
}

#[test]
fn what_a_listing_feeds_is_deleted_as_a_whole() {
    for (text, expected) in [
        ("for (const u of await callTool('users:list')) await callTool('users:delete', { id: u.id })", vec!["critical"]),
        ("const u = await callTool('users:list'); await callTool('users:bulkDelete', { ids: u.map((x) => x.id) })", vec!["critical"]),
        ("const u = await callTool('users:get', { id: 7 }); await callTool('users:delete', { id: u.id })", vec![]),
        ("require('child_process').exec('rm -rf /')", vec!["critical"]),
        ("import { rmSync } from 'node:fs'; rmSync('/home', { recursive: true })", vec!["critical"]),
        ("import { rmSync } from 'node:fs'; rmSync('dist', { recursive: true })", vec![]),
        ("for (const f of await callTool('cache:list')) await callTool('cache:delete', { id: f.id })", vec![]),
    ] {
        assert_eq!(hits(text, "destructive-call"), expected, "{text}");
    }
}

/// The severities of the hits for a call of a host API.
fn host_hits(api: &str, arguments: Vec<Value>) -> Vec<&'static str> {
    let mut subject = Subject::empty(Kind::Script, Lifecycle::PreToolCall);
    let (receiver, span) = (Vec::new(), Span::default());
    subject.host_calls.push(HostCall {
        api: api.to_owned(),
        arguments,
        receiver,
        loop_depth: 0,
        repeated: false,
        repeat: Repeat::Once,
        earlier: 0,
        span,
        callers: Vec::new(),
    });
    let found = registry::run(&subject, &meaning::extract(&subject, &House::default()), &House::default());
    found.iter().filter(|found| found.rule.id == "destructive-call").map(|found| found.severity.name()).collect()
}

#[test]
fn host_calls_that_ruin_are_told_from_those_that_tidy_up() {
    let text = |text: &str| Value::String(text.to_owned(), Span::default());
    let list = |words: &[&str]| Value::Array(words.iter().map(|word| text(word)).collect(), Span::default());
    let recursive = || {
        let value = Value::Boolean(true, Span::default());
        Value::Object(vec![Property { key: "recursive".to_owned(), key_span: Span::default(), value }], Span::default())
    };
    for (api, arguments, expected) in [
        ("child_process.exec", vec![text("rm -rf /")], vec!["critical"]),
        ("child_process.execSync", vec![text("git push -f origin main")], vec!["critical"]),
        ("child_process.spawn", vec![text("rm"), list(&["-rf", "/"])], vec!["critical"]),
        ("child_process.spawn", vec![text("sh"), list(&["-c", "mkfs.ext4 /dev/sda"])], vec!["critical"]),
        ("child_process.exec", vec![text("rm -rf dist")], vec![]),
        ("child_process.spawn", vec![text("rm"), list(&["-rf", "dist"])], vec![]),
        ("child_process.exec", vec![text("ls -la")], vec![]),
        ("fs.rmSync", vec![text("/"), recursive()], vec!["critical"]),
        ("fs.promises.rm", vec![text("/home/ada"), recursive()], vec!["critical"]),
        ("fs.rm", vec![Value::Dynamic(Span::default()), recursive()], vec![]),
        ("fs.rmSync", vec![text("dist"), recursive()], vec![]),
        ("fs.rmSync", vec![text("/tmp/a"), recursive()], vec![]),
        ("fs.rmSync", vec![text("a.txt")], vec![]),
    ] {
        assert_eq!(host_hits(api, arguments.clone()), expected, "{api} {arguments:?}");
    }
}
