//! What lies in an object beside its public fields, private fields, accessors, what a map holds, listeners, is told from fields
//! that a script names just so.

use callgate::format::{Language, ReadOptions, script};
use callgate::subject::Subject;
use callgate::subject::call::{Call, Value};

fn read(text: &str) -> Subject {
    script::read(text, Language::JavaScript, &ReadOptions::default()).remove(0)
}

/// What a call is passed, as its keys and texts.
fn passed(call: &Call) -> Vec<String> {
    let mut seen = Vec::new();
    call.argument.visit("", &mut |key, value| match value {
        Value::String(text, _) | Value::Partial(text, _) => seen.push(format!("{key}={text}")),
        Value::Number(number, _) => seen.push(format!("{key}={number}")),
        Value::Dynamic(_) => seen.push(format!("{key}=?")),
        Value::Missing | Value::Null(_) | Value::Boolean(..) | Value::Array(..) | Value::Object(..) | Value::OneOf(..) => {}
    });
    seen
}

#[test]
fn a_field_is_passed_whatever_it_is_called() {
    for (text, expected) in [
        ("callTool('a', { '#x': 'rm', y: 1 })", &["#x=rm", "y=1"][..]),
        ("const o = {}; o['#x'] = 'rm'; callTool('a', o)", &["#x=rm"]),
        ("callTool('a', { o: JSON.stringify({ '#x': 'rm' }) })", &[r##"o={"#x":"rm"}"##]),
        ("callTool('a', { o: Object.keys({ '#x': 1, 'get y': 2, 'key z': 3 }).join() })", &["o=#x,get y,key z"]),
        ("callTool('a', { ...{ 'get x': 'rm' } })", &["get x=rm"]),
        ("callTool('a', { 'set x': 'rm' })", &["set x=rm"]),
        ("const o = { 'set x': 'rm' }; o.x = 'ls'; callTool('a', o)", &["set x=rm", "x=ls"]),
        ("callTool('a', new Map([['key x', 'rm']]))", &["key x=rm"]),
        ("const l = ['ls']; l.sent = 'rm'; for (const x of l) callTool('a', { x })", &["x=ls"]),
        ("const o = { 'proxy target': { x: 'ls' } }; callTool('a', { x: o.x ?? 'rm' })", &["x=rm"]),
    ] {
        assert_eq!(passed(&read(text).calls[0]), expected, "{text}");
    }
}

#[test]
fn what_only_its_class_sees_is_not_passed() {
    for (text, expected) in [
        ("class K { #x = 'rm'; y = 1 } callTool('a', new K())", &["y=1"][..]),
        ("class K { #x = 'rm'; y = 1 } callTool('a', { ...new K() })", &["y=1"]),
        ("class K { #x = 'rm'; y = 1 } callTool('a', { o: Object.keys(new K()).join() })", &["o=y"]),
        ("class K { #x = 'rm'; y = 1 } callTool('a', { o: JSON.stringify(new K()) })", &["o={\"y\":1}"]),
        ("class K { #x = 'rm'; '#x' = 'ls' } callTool('a', new K())", &["#x=ls"]),
        ("class K { #x = 'rm'; '#x' = 'ls'; get() { return this.#x } } callTool('a', { o: new K().get() })", &["o=rm"]),
        ("class K { #x = 'rm'; get y() { return this.#x } } callTool('a', { o: new K().y })", &["o=rm"]),
        ("class K { get #x() { return 'rm' } y() { return this.#x } } callTool('a', { o: new K().y() })", &["o=rm"]),
        ("class K { #x(v) { return v } y(v) { return this.#x(v) } } callTool('a', { o: new K().y('rm') })", &["o=rm"]),
        ("class K { static #x = 'rm'; static y() { return K.#x } } callTool('a', { o: K.y() })", &["o=rm"]),
    ] {
        assert_eq!(passed(&read(text).calls[0]), expected, "{text}");
    }
}

#[test]
fn what_a_proxy_stands_for_is_passed_under_its_own_names() {
    for (text, expected) in [
        ("callTool('a', new Proxy({ x: 'rm' }, {}))", &["x=rm"][..]),
        ("const p = new Proxy({ x: 'rm' }, {}); p.y = 'ls'; callTool('a', p)", &["y=ls", "x=rm"]),
    ] {
        assert_eq!(passed(&read(text).calls[0]), expected, "{text}");
    }
}

#[test]
fn a_module_settles_no_promise_by_its_name() {
    let text = "import keep from '@keep'; const x = keep(1); if (x === undefined) callTool('a', {}); else callTool('b', {})";
    assert_eq!(read(text).calls.len(), 2, "what a module returns is not known");
    let text = "new Promise((resolve) => resolve('rm')).then((o) => callTool('a', { o }))";
    assert_eq!(passed(&read(text).calls[0]), ["o=rm"]);
}

#[test]
fn a_list_that_is_cut_bounds_its_own_calls_alone() {
    use callgate::subject::call::Repeat;
    let text = "const rows = await callTool('list'); rows.slice(0, 5).map; rows.forEach((o) => callTool('a', { o }));
        rows.slice(0, 5).forEach((o) => callTool('b', { o }))";
    let repeats: Vec<Repeat> = read(text).calls.iter().map(|call| call.repeat).collect();
    assert_eq!(repeats, [Repeat::Once, Repeat::Each, Repeat::Counted(5)]);
}
