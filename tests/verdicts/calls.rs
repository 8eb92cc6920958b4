//! What is found in a script: tool calls in every form, their names, arguments, loops and flows.

use callgate::format::{Language, ReadOptions, script};
use callgate::subject::call::{Call, Tool, Value};
use callgate::subject::flow::{CallRef, Strength};
use callgate::subject::{Completeness, Subject};

fn read(text: &str) -> Subject {
    let mut subjects = script::read(text, Language::JavaScript, &ReadOptions::default());
    assert_eq!(subjects.len(), 1);
    let subject = subjects.remove(0);
    assert_eq!(subject.completeness, Completeness::Complete, "{text}");
    subject
}

/// The tools that a script calls: as named, `=` before a computed name, `?` for an unknown one.
fn tools(text: &str) -> Vec<String> {
    let shown = |call: &Call| match &call.tool {
        Tool::Named(name) => name.clone(),
        Tool::Folded(name) => format!("={name}"),
        Tool::Dynamic => "?".to_owned(),
    };
    read(text).calls.iter().map(shown).collect()
}

#[test]
fn tool_calls_are_found_in_every_form() {
    for (text, expected) in [
        ("callTool('a:b', {})", "a:b"),
        ("__safe_callTool('a:b')", "a:b"),
        ("await callTool(`a:b`)", "a:b"),
        ("return await callTool('a:b')", "a:b"),
        ("callTool?.('a:b')", "a:b"),
        ("(0, callTool)('a:b')", "a:b"),
        ("(callTool)('a:b')", "a:b"),
        ("const c = callTool; c('a:b')", "a:b"),
        ("let c; c = callTool; c('a:b')", "a:b"),
        ("const c = callTool, d = c; d('a:b')", "a:b"),
        ("const { callTool: c } = host; c('a:b')", "a:b"),
        ("const { callTool } = host; callTool('a:b')", "a:b"),
        ("let c; ({ callTool: c } = host); c('a:b')", "a:b"),
        ("import { callTool as c } from 'host'; import { callTool } from 'x'; callTool('a:b')", "a:b"),
        ("tools.callTool('a:b')", "a:b"),
        ("globalThis.callTool('a:b')", "a:b"),
        ("globalThis['callTool']('a:b')", "a:b"),
        ("globalThis['call' + 'Tool']('a:b')", "a:b"),
        ("a.b.c.callTool('a:b')", "a:b"),
        ("host?.callTool?.('a:b')", "a:b"),
        ("callTool.call(null, 'a:b', {})", "a:b"),
        ("callTool.apply(null, ['a:b', {}])", "a:b"),
        ("callTool.bind(null)('a:b')", "a:b"),
        ("callTool.bind(null, 'a:b')({})", "a:b"),
        ("const c = callTool.bind(this); c('a:b')", "a:b"),
        ("Reflect.apply(callTool, null, ['a:b', {}])", "a:b"),
        ("client.callTool({ name: 'a:b', arguments: { x: 1 } })", "a:b"),
        ("(x ? callTool : callTool)('a:b')", "a:b"),
        ("(callTool || other)('a:b')", "a:b"),
        ("\\u0063allTool('a:b')", "a:b"),
        ("(callTool as any)('a:b')", "a:b"),
        ("callTool!('a:b')", "a:b"),
        ("function f(callTool) { return callTool('a:b') }", "a:b"),
    ] {
        assert_eq!(tools(text), [expected], "{text}");
    }
}

#[test]
fn a_tool_function_cannot_be_hidden_behind_many_names() {
    let constants: String = (1..5_000).map(|n| format!("const c{n} = c{};", n - 1)).collect();
    assert_eq!(tools(&format!("const c0 = callTool;{constants}c4999('a:b')")), ["a:b"]);
    let changed: String = (1..50).map(|n| format!("let c{n} = c{}; c{n} = c{n};", n - 1)).collect();
    assert_eq!(tools(&format!("let c0 = callTool;{changed}c49('a:b')")), ["a:b"]);
    assert_eq!(tools("const a = b, b = a; a('a:b')"), Vec::<String>::new());
}

#[test]
fn folding_is_bounded_and_says_so() {
    let sums: String = (1..30_000).map(|n| format!("const s{n} = 'a' + 'b' + s{};", n - 1)).collect();
    let subject = script::read(&format!("const s0 = 'x';{sums}"), Language::JavaScript, &ReadOptions::default()).remove(0);
    assert!(matches!(&subject.completeness, Completeness::Undetermined(why) if why.reason.name() == "fuel"));
}

#[test]
fn what_only_looks_like_a_tool_call_is_none() {
    for text in [
        "callToolbox('a:b')",
        "mycallTool('a:b')",
        "// callTool('a:b')\n1",
        "const s = \"callTool('a:b')\"",
        "const callTool = 1; other('a:b')",
        "({ callTool() {} })",
        "console.log(callTool)",
    ] {
        assert_eq!(tools(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn names_that_are_put_together_are_folded_and_others_are_dynamic() {
    for (name, expected) in [
        ("'a' + ':b'", "=a:b"),
        ("`a:${'b'}`", "=a:b"),
        ("['a', 'b'].join(':')", "=a:b"),
        ("'b:a'.split('').reverse().join('')", "=a:b"),
        ("String.fromCharCode(97, 58, 98)", "=a:b"),
        ("atob('YTpi')", "=a:b"),
        ("Buffer.from('613a62', 'hex').toString()", "=a:b"),
        ("Buffer.from('YTpi', 'base64').toString('utf8')", "=a:b"),
        ("decodeURIComponent('a%3Ab')", "=a:b"),
        ("'xa:bx'.slice(1, -1)", "=a:b"),
        ("'a_b'.replace('_', ':')", "=a:b"),
        ("{ t: 'a:b' }.t", "a:b"),
        ("['z', 'a:b'][1]", "a:b"),
        ("'A:B'.toLowerCase()", "=a:b"),
        ("1 ? 'a:b' : 'c'", "a:b"),
        ("'\\x61:b'", "a:b"),
        ("input.tool", "?"),
        ("`a:${x}`", "?"),
        ("", "?"),
    ] {
        let text = if name.starts_with('{') { format!("callTool(({name}))") } else { format!("callTool({name})") };
        let text = text.replace("({ t: 'a:b' }.t)", "({ t: 'a:b' }).t");
        assert_eq!(tools(&text), [expected], "{text}");
    }
    assert_eq!(tools("const a = 'x', b = a + ':y'; callTool(b)"), ["=x:y"]);
    assert_eq!(tools("let a = 'x'; a = input; callTool(a)"), ["?"]);
    assert_eq!(tools("let a = 'x'; a += ':y'; callTool(a)"), ["=x:y"]);
}

#[test]
fn forms_that_the_user_names_are_found() {
    let options =
        ReadOptions { calls: vec!["invoke".to_owned(), "agent.run".to_owned(), "this.sdk.do".to_owned()], ..ReadOptions::default() };
    for (text, expected) in [
        ("invoke('a:b')", 1),
        ("x.invoke('a:b')", 1),
        ("agent.run('a:b')", 1),
        ("const run = agent.run; run('a:b')", 1),
        ("this.sdk.do('a:b')", 1),
        ("other.run('a:b')", 0),
        ("run('a:b')", 0),
    ] {
        let calls = &script::read(text, Language::JavaScript, &options)[0].calls;
        assert_eq!(calls.len(), expected, "{text}");
    }
}

#[test]
fn loops_and_callbacks_count_where_the_call_runs_many_times() {
    for (text, depth, repeated) in [
        ("callTool('a')", 0, false),
        ("for (;;) callTool('a')", 1, false),
        ("while (x) callTool('a')", 1, false),
        ("do callTool('a'); while (x)", 1, false),
        ("for (const x of y) for (const z in x) callTool('a')", 2, false),
        ("for (const x of await callTool('a')) {}", 0, false),
        ("for (let x = await callTool('a'); ;) {}", 0, false),
        ("while (await callTool('a')) {}", 1, false),
        ("xs.forEach((x) => callTool('a'))", 0, true),
        ("xs.map(function (x) { return callTool('a') })", 0, true),
        ("await Promise.all(xs.map(async (x) => { await callTool('a') }))", 0, true),
        ("Array.from(xs, (x) => callTool('a'))", 0, true),
        ("const f = () => callTool('a'); xs.forEach(f)", 0, true),
        ("function f() { callTool('a') } for (const x of y) f(x)", 1, false),
        ("function f() { g() } function g() { callTool('a') } while (x) f()", 1, false),
        ("async function f(n) { await callTool('a'); return f(n - 1) } f(3)", 0, true),
        ("function f() { callTool('a') } f()", 0, false),
        ("promise.then((x) => callTool('a'))", 0, false),
    ] {
        let subject = read(text);
        let call = &subject.calls[0];
        assert_eq!((call.loop_depth, call.repeated), (depth, repeated), "{text}");
    }
}

#[test]
fn arguments_are_read_at_any_depth() {
    let subject =
        read("const limit = 1000 * 10; callTool('a', { limit, where: { name: ['x' + 'y', -5, 0x10, null, u] }, ...rest, [k]: 1 })");
    let mut seen = Vec::new();
    subject.calls[0].argument.visit("", &mut |key, value| match value {
        Value::String(text, _) => seen.push(format!("{key}={text}")),
        Value::Number(number, _) => seen.push(format!("{key}={number}")),
        Value::Null(_) => seen.push(format!("{key}=null")),
        Value::Dynamic(_) => seen.push(format!("{key}=?")),
        Value::Missing | Value::Boolean(..) | Value::Array(..) | Value::Object(..) | Value::Partial(..) | Value::OneOf(..) => {}
    });
    // What is spread over a limit may hold another one.
    assert_eq!(seen, ["limit=10000", "limit=?", "name=xy", "name=-5", "name=16", "name=null", "name=?", "...=?"]);
}

#[test]
fn data_is_followed_from_one_call_to_another() {
    for (text, expected) in [
        ("const u = await callTool('list'); await callTool('send', { u })", true),
        ("await callTool('send', { u: await callTool('list') })", true),
        ("const u = await callTool('list'); const b = JSON.stringify(u); await callTool('send', b)", true),
        ("const { items } = await callTool('list'); callTool('send', { body: items.map((i) => i.name) })", true),
        ("const u = await callTool('list'); for (const x of u) callTool('send', { x })", true),
        ("const u = await callTool('list'); u.forEach((x) => callTool('send', { x }))", true),
        ("const all = []; for (const p of pages) { all.push(await callTool('list', p)) } callTool('send', { all })", true),
        ("const o = {}; o.u = await callTool('list'); callTool('send', o)", true),
        ("callTool('list').then((u) => callTool('send', { u }))", true),
        ("function go(x) { return callTool('send', x) } go(await callTool('list'))", true),
        ("let u; u = await callTool('list'); callTool('send', `${u}`)", true),
        ("const u = await callTool('list'); await callTool('send', { text: 'done' })", false),
        ("await callTool('list'); await callTool('send', { u })", false),
        ("const u = await callTool('list'); { const u = 1; callTool('send', { u }) }", false),
        ("const m = await callTool('send', { u: 1 }); const u = await callTool('list')", false),
    ] {
        let subject = read(text);
        let position = |name: &str| subject.calls.iter().position(|call| call.tool.name() == Some(name)).expect("the tool is called");
        let flows = subject.flows.iter().any(|flow| {
            let is_read_by = subject.origins[flow.origin].call == Some(CallRef::Tool(position("list")));
            is_read_by && flow.sink == CallRef::Tool(position("send")) && flow.strength == Strength::Whole
        });
        assert_eq!(flows, expected, "{text}");
    }
}

#[test]
fn scripts_are_tried_in_every_grammar() {
    for text in [
        "const x = 1; return x;",
        "await f(); return 1",
        "with (o) { f() }",
        "const x: number = 1; type T = { a: string }; return <T>y;",
        "const e = <div>don't {x}</div>;",
        "function f<T>(x: T): asserts x is T {}\nconst e = <a b='c'/>;",
        "var x = 010;",
        "import x from 'y'; export const z = await x();",
        "#!/usr/bin/env node\nf()",
        "",
    ] {
        read(text);
    }
    let broken = &script::read("const x = (", Language::JavaScript, &ReadOptions::default())[0];
    assert!(matches!(&broken.completeness, Completeness::Undetermined(why) if why.reason.name() == "unparsable"));
    assert!(!broken.segments.is_empty(), "the raw text can still be searched");
}
