//! What checks find, what they leave alone, and what follows from it.

use crate::judge;
use callgate::check::registry::CHECKS;
use callgate::finding::Finding;
use callgate::model::registry::ModelSettings;
use callgate::value::verdict::Verdict;

fn judge(text: &str) -> Finding {
    judge::judge("hybrid", &ModelSettings::default(), text)
}

/// The hits of a rule: severity and message.
fn hits(text: &str, rule: &str) -> Vec<String> {
    let matches = judge(text).matches.into_iter().filter(|found| found.rules().any(|known| known.id == rule));
    matches.map(|found| format!("{}: {}", found.severity, found.message)).collect()
}

#[test]
fn every_check_finds_its_own_example_and_not_its_twin() {
    for check in CHECKS {
        assert!(!hits(check.hit, check.id).is_empty(), "{} does not find its hit", check.id);
        assert!(hits(check.miss, check.id).is_empty(), "{} finds its miss", check.id);
    }
}

#[test]
fn data_that_is_read_and_sent_is_told_by_where_it_comes_from() {
    for (id, text, expected) in [
        (
            "mass-read-then-send",
            "callTool('hook:send', { u: await callTool('users:list') })",
            vec!["critical: personal data read by `users:list` goes out by `hook:send`"],
        ),
        (
            "exfiltration-flow",
            "callTool('hook:send', { u: await callTool('users:get', { id: 7 }) })",
            vec!["critical: personal data read by `users:get` goes out by `hook:send`"],
        ),
        (
            "exfiltration-flow",
            "callTool('hook:send', { u: await callTool('tickets:get', { id: 7 }) })",
            vec!["critical: what `tickets:get` returns goes out by `hook:send`"],
        ),
        (
            "exfiltration-sequence",
            "await callTool('users:list'); await callTool('log:write'); await callTool('mail:send', { text: 'done' })",
            vec!["low: `mail:send` sends after `users:list` has read, though no data was seen to flow between them"],
        ),
        ("exfiltration-sequence", "callTool('users:listAndSend')", vec!["medium: `users:listAndSend` reads and sends in one call"]),
        (
            "mass-read-then-send",
            "const t = 'users:li' + 'st'; const u = await callTool(t); callTool('web' + 'hook:send', { u })",
            vec!["critical: personal data read by `users:list` goes out by `webhook:send`"],
        ),
        ("exfiltration-sequence", "callTool('hook:send', { u: await callTool('users:list') })", vec![]),
        ("exfiltration-sequence", "callTool('mail:send', { text: 'hello' })", vec![]),
        ("exfiltration-sequence", "await callTool('mail:send', { text: 'a' }); return callTool('users:list')", vec![]),
        ("exfiltration-sequence", "callTool('budget:calc'); callTool('postgres:ping')", vec![]),
    ] {
        assert_eq!(hits(text, id), expected, "{text}");
    }
}

#[test]
fn calls_that_run_many_times_are_told_by_what_they_do() {
    let id = "loop-fan-out";
    for (text, expected) in [
        ("for (const x of y) callTool('accounts:remove', { x })", vec!["high: `accounts:remove` runs in a loop"]),
        ("for (const x of y) callTool('tickets:update', { x })", vec!["low: `tickets:update` runs in a loop"]),
        ("for (const x of y) callTool('tickets:get', { x })", vec!["low: `tickets:get` runs in a loop"]),
        ("for (const x of y) for (const z of x) callTool('tickets:get', { z })", vec!["low: `tickets:get` runs in 2 nested loops"]),
        ("for (const x of y) while (z) callTool('tickets:get', { x })", vec![]),
        ("y.forEach((x) => callTool('accounts:remove', { x }))", vec!["high: `accounts:remove` runs once per element"]),
        ("for (const x of await callTool('tickets:list')) console.log(x)", vec![]),
    ] {
        assert_eq!(hits(text, id), expected, "{text}");
    }
}

#[test]
fn limits_and_amounts_are_told_on_both_edges() {
    for (rule, text, expected) in [
        ("excessive-limit", "callTool('a:list', { limit: 10000 })", vec![]),
        ("excessive-limit", "callTool('a:list', { limit: 10001 })", vec!["medium: `limit` is 10,001"]),
        ("excessive-limit", "callTool('a:list', { page: { page_size: '1000000' } })", vec!["high: `page_size` is 1,000,000"]),
        ("excessive-limit", "callTool('a:list', { maxResults: 1000 * 1000 })", vec!["high: `maxResults` is 1,000,000"]),
        ("excessive-limit", "callTool('a:list', { limit: Infinity })", vec!["high: `limit` is ∞"]),
        ("excessive-limit", "callTool('a:list', { limit: 50000000n })", vec!["high: `limit` is 50,000,000"]),
        ("excessive-limit", "callTool('a:list', { unlimited: 10001 })", vec![]),
        ("excessive-limit", "setTimeout(f, 60000)", vec![]),
        ("extreme-value", "callTool('pay:prepare', { amount: 1000000 })", vec![]),
        ("extreme-value", "callTool('pay:prepare', { order: { amount: 999 * 99999 } })", vec!["medium: `amount` is 99,899,001"]),
        ("extreme-value", "callTool('a:get', { since: 1767225600000, id: 88888888 })", vec![]),
    ] {
        assert_eq!(hits(text, rule), expected, "{text}");
    }
}

#[test]
fn wildcards_are_told_by_how_much_they_ask_for() {
    let id = "wildcard-query";
    for (text, expected) in [
        ("callTool('a:query', { q: '*' })", vec!["medium: `a:query` is asked for everything"]),
        ("callTool('a:query', { q: `*` })", vec!["medium: `a:query` is asked for everything"]),
        ("callTool('a:query', { where: { name: '%' } })", vec!["medium: `a:query` is asked for everything"]),
        ("callTool('a:query', { filter: {} })", vec!["medium: `a:query` is asked for everything"]),
        ("callTool('a:query', { q: '*', limit: 10 })", vec!["low: `a:query` is asked for everything"]),
        ("callTool('a:delete', { id: '*' })", vec!["critical: `a:delete` is asked for everything"]),
        ("callTool('a:query', { ...options })", vec![]),
        ("callTool('files:list', { glob: '**' })", vec![]),
        ("callTool('a:query', { q: 'a * b' })", vec![]),
    ] {
        assert_eq!(hits(text, id), expected, "{text}");
    }
}

#[test]
fn sensitive_fields_are_whole_words() {
    let id = "sensitive-field";
    for (text, expected) in [
        ("callTool('u:get', { fields: ['pass' + 'word'] })", vec!["low: `password` tells authentication data"]),
        ("const { u } = await callTool('u:get'); return u.apiKey", vec!["low: `apiKey` tells authentication data"]),
        ("callTool('u:get', { fields: ['name', 'email'] })", vec!["low: `email` tells contact data"]),
        ("callTool('vault:getSecrets')", vec!["low: `vault:getSecrets` tells authentication data"]),
        ("callTool('u:get', { text: 'shipping address', author: 1, opinion: 2 })", vec![]),
        ("callTool('u:list', { nextPageToken: t, max_tokens: 5 })", vec![]),
    ] {
        assert_eq!(hits(text, id), expected, "{text}");
    }
}

#[test]
fn what_fools_name_matching_is_seen_and_everyday_scripts_are_left_alone() {
    for (text, expected) in [
        // An attack under every disguise that name matching misses.
        ("const c = callTool; const u = await c('users:list', { limit: 1000000 }); c('mail:send', { u })", Verdict::Block),
        ("const u = await tools.callTool('users:list'); await tools.callTool('mail:send', { u })", Verdict::Block),
        ("const u = await (0, callTool)('users:list'); await callTool.call(null, 'mail:send', { u })", Verdict::Block),
        ("const u = await callTool(`users:list`); await callTool(`mail:send`, { u })", Verdict::Block),
        ("const u = await callTool('users:list'); await callTool('log:write', {}); await callTool('mail:send', { u })", Verdict::Block),
        ("async function s(u) { await callTool('mail:send', { u }) } await s(await callTool('users:list'))", Verdict::Block),
        ("const u = await callTool('users:list'); return callTool('telegram:publish', { u })", Verdict::Block),
        ("const u = await callTool('db:dump'); await callTool('http:post', { u })", Verdict::Block),
        ("const go = (n, a) => callTool(n, a); go('users:list')", Verdict::Allow),
        ("callTool('users:listAndSend')", Verdict::Warn),
        ("users.forEach((x) => { callTool('account:remove', x) })", Verdict::Warn),
        ("callTool('shell:exec', { cmd: 'rm -rf /' })", Verdict::Block),
        ("callTool('db:query', { sql: 'DROP DATABASE prod' })", Verdict::Block),
        ("callTool('users:list', { limit: '1000000' })", Verdict::Warn),
        ("const x = (", Verdict::Block),
        // What name matching takes for an attack.
        ("callTool('email:send', { to: 'a', text: 'hi' })", Verdict::Allow),
        ("callTool('budget:calc'); callTool('postgres:ping')", Verdict::Allow),
        ("callTool('orders:get', { id: 1 }); const label = 'shipping address'", Verdict::Allow),
        ("throw new Error('the author gave no opinion')", Verdict::Allow),
        ("setTimeout(f, 60000); callTool('small:calc'); callTool('app:install')", Verdict::Allow),
        ("callTool('tickets:query', { ...options }); return o[k]", Verdict::Allow),
        ("const u = await callTool('users:get', { id: 1 }); await callTool('email:send', { to: 'x', text: 'welcome' })", Verdict::Allow),
        ("const t = await callTool('tickets:list', { limit: 20 }); return t.map((x) => x.title)", Verdict::Allow),
    ] {
        let finding = judge(text);
        let rules: Vec<_> = finding.matches.iter().map(|found| &found.rule.id).collect();
        assert_eq!(finding.decision.verdict, expected, "{text}\n{rules:?}");
    }
}
