//! What is known of the runtime: methods that change nothing, and ways out.

use crate::format::script::cover::call::{Callee, Passed};
use crate::format::script::cover::graph::{Edge, FOREIGN, Marks, Node, ORIGINS};
use crate::format::script::cover::{Cover, shared};
use crate::format::script::interpret::TOOL_FUNCTIONS;
use crate::format::script::way_out::is_way_out;
use crate::knowledge::SinkKind;
use crate::knowledge::api::apis_from;
use oxc_ast::ast::{Argument, Expression, MemberExpression};

/// What a method of the runtime does with what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Nothing comes of it that tells the data.
    Nothing,
    /// A value is computed from it, and nothing else happens.
    Makes,
    /// It calls what it is passed for each element.
    Elements,
    /// It calls what it is passed for each element with what that answered before, and gives back the last answer.
    Folds,
    /// It calls what it is passed for each element, and gives back some of them.
    Picks,
    /// It calls what it is passed with what a promise comes to.
    Settles,
    /// It gives one element of what it is called on.
    Element,
    /// It gives the names of the fields of what it is given.
    Keys,
    /// It copies the fields of what it is given into the first.
    Assigns,
    /// It puts something under a key.
    Puts,
    /// It gives what was put under a key.
    Takes,
    /// It gives back what it is given.
    Copies,
    /// Anything.
    Unknown,
}

/// Functions that only tell people something.
const SILENT: &[&str] = &["console"];
/// Functions that compute from what they are given, and keep nothing of it.
const PURE: &[&str] = &[
    "JSON.stringify",
    "String",
    "Number",
    "BigInt",
    "parseInt",
    "parseFloat",
    "encodeURIComponent",
    "encodeURI",
    "decodeURIComponent",
    "decodeURI",
    "escape",
    "unescape",
    "btoa",
    "atob",
    "String.fromCharCode",
    "String.fromCodePoint",
    "String.raw",
    "Buffer.concat",
    "Number.parseInt",
    "Number.parseFloat",
    "Date.parse",
    "Date.UTC",
];
/// Functions whose answer is yes or no, a time or a random number.
const TELLING_NOTHING: &[&str] = &[
    "Boolean",
    "isNaN",
    "isFinite",
    "Array.isArray",
    "Number.isInteger",
    "Number.isNaN",
    "Number.isFinite",
    "Object.is",
    "Object.hasOwn",
    "Date.now",
    "Math.random",
    "performance.now",
    "Buffer.isBuffer",
    "Buffer.byteLength",
    "crypto.randomUUID",
    "crypto.getRandomValues",
];
/// Functions that give back what they are given, or a list of it.
const COPYING: &[&str] = &[
    "Object.freeze",
    "Object.seal",
    "structuredClone",
    "Promise.resolve",
    "Promise.all",
    "Promise.any",
    "Promise.race",
    "Promise.allSettled",
    "Array.of",
];
/// Methods of strings, lists and numbers that change nothing and keep nothing.
const PURE_METHODS: &[&str] = &[
    "replace",
    "replaceAll",
    "split",
    "trim",
    "trimStart",
    "trimEnd",
    "toLowerCase",
    "toUpperCase",
    "padStart",
    "padEnd",
    "substring",
    "substr",
    "repeat",
    "charAt",
    "charCodeAt",
    "codePointAt",
    "normalize",
    "match",
    "matchAll",
    "toFixed",
    "toISOString",
    "toLocaleString",
    "toLocaleDateString",
    "toLocaleTimeString",
    "join",
    "localeCompare",
];
/// Methods whose answer is yes or no, or a place.
const ASKING_METHODS: &[&str] = &[
    "includes",
    "test",
    "startsWith",
    "endsWith",
    "indexOf",
    "lastIndexOf",
    "some",
    "every",
    "findIndex",
    "findLastIndex",
    "has",
    "hasOwnProperty",
    "digest",
    "timingSafeEqual",
    "getTime",
];
/// Methods that call what they are passed for each element.
const ITERATING: &[&str] = &["map", "forEach", "flatMap"];
/// Methods that do so with what it answered before, and give back its last answer.
const FOLDING: &[&str] = &["reduce", "reduceRight"];
/// Methods that do so and give back some of the elements.
const PICKING: &[&str] = &["filter", "find", "findLast", "sort", "toSorted"];
/// Methods that give a part of what they are called on, or all of it.
const PARTS: &[&str] = &["slice", "reverse", "toReversed", "flat", "values", "entries", "concat"];
/// Methods that give one element.
const ONE: &[&str] = &["at", "pop", "shift"];
/// Methods that match a regular expression with a text.
const MATCHING: &[&str] = &["exec", "test", "match", "matchAll", "replace", "replaceAll", "search", "split"];
/// Methods of promises.
const SETTLING: &[&str] = &["then", "catch", "finally"];
/// Properties that tell how much there is, or how a call went, not what it is.
const MEASURES: &[&str] =
    &["length", "size", "byteLength", "byteOffset", "status", "statusText", "ok", "statusCode", "headersSent", "redirected"];

/// What is known of a function, by its whole name or its last one.
pub fn method(path: Option<&str>, name: Option<&str>) -> Method {
    if let Some(path) = path {
        let root = path.split('.').next().unwrap_or(path);
        if SILENT.contains(&root) || TELLING_NOTHING.contains(&path) {
            return Method::Nothing;
        }
        if PURE.contains(&path) || root == "Math" {
            return Method::Makes;
        }
        if COPYING.contains(&path) {
            return Method::Copies;
        }
        match path {
            "Object.keys" | "Object.getOwnPropertyNames" | "Reflect.ownKeys" => return Method::Keys,
            "Object.values" | "Object.entries" => return Method::Makes,
            "Object.assign" => return Method::Assigns,
            _ => {}
        }
    }
    match name {
        Some(name) if ASKING_METHODS.contains(&name) => Method::Nothing,
        Some(name) if PURE_METHODS.contains(&name) => Method::Makes,
        Some("set") => Method::Puts,
        Some("get") => Method::Takes,
        Some(name) if ITERATING.contains(&name) => Method::Elements,
        Some(name) if FOLDING.contains(&name) => Method::Folds,
        Some(name) if PICKING.contains(&name) => Method::Picks,
        Some(name) if PARTS.contains(&name) => Method::Copies,
        Some(name) if ONE.contains(&name) => Method::Element,
        Some(name) if SETTLING.contains(&name) => Method::Settles,
        _ => Method::Unknown,
    }
}

/// Returns true if and only if a method puts what it is given behind what is there.
pub fn appends(name: &str) -> bool {
    matches!(name, "push" | "unshift")
}

/// Returns true if and only if the answer of a method tells how a text compares with another.
pub fn compares(name: &str) -> bool {
    matches!(name, "localeCompare" | "search")
}

/// Returns true if and only if instances of a class are as large as what is put into them.
pub fn is_collection(path: &str) -> bool {
    matches!(
        path,
        "Map" | "Set" | "WeakMap" | "WeakSet" | "Promise" | "Proxy" | "URL" | "URLSearchParams" | "Date" | "FormData" | "Headers"
    )
}

/// Returns true if and only if a function of the runtime only computes: it loads nothing, whatever address it is given.
pub fn only_computes(path: &str) -> bool {
    const COMPUTING: &[&str] = &[
        "URL",
        "URLSearchParams",
        "Object",
        "Reflect",
        "JSON",
        "Array",
        "Map",
        "Set",
        "WeakMap",
        "WeakSet",
        "Promise",
        "Proxy",
        "RegExp",
        "Symbol",
        "Buffer",
        "TextEncoder",
        "TextDecoder",
        "Headers",
        "Response",
        "Blob",
        "File",
        "FormData",
        "Intl",
        "Number",
        "BigInt",
        "Date",
        "structuredClone",
        "setTimeout",
        "setInterval",
        "queueMicrotask",
        "performance",
        "AbortSignal",
        "process",
        "require",
        "module",
        "exports",
        "URLPattern",
        "Error",
        "TypeError",
        "RangeError",
        "SyntaxError",
        "AggregateError",
        "Event",
        "CustomEvent",
        "Uint8Array",
        "DataView",
        "ArrayBuffer",
        "localStorage",
        "sessionStorage",
        "history",
        "Function",
        "String",
    ];
    let root = path.split(['.', '(']).next().unwrap_or(path);
    !path.is_empty() && COMPUTING.contains(&root)
}

/// Returns true if and only if what a function of the runtime gives back is data, or an object that only computes.
pub fn makes_data(path: &str) -> bool {
    const NOT_DATA: &[&str] = &["setTimeout", "setInterval", "queueMicrotask", "performance", "AbortSignal", "require", "Function"];
    let root = path.split(['.', '(']).next().unwrap_or(path);
    only_computes(path) && !NOT_DATA.contains(&root) && !shared::is_keeping(root)
}

/// Returns true if and only if the fields of instances of a class are what is put into them, each by itself.
pub fn has_plain_fields(path: &str) -> bool {
    const PLAIN: &[&str] = &["Map", "Set", "WeakMap", "WeakSet", "Promise", "Proxy", "Object", "Array", "Event", "CustomEvent"];
    PLAIN.contains(&path) || path.ends_with("Error")
}

/// Returns true if and only if instances of a class are written anew from what they are made with: they share nothing with it.
pub fn is_written_anew(path: &str) -> bool {
    matches!(path, "URL" | "URLSearchParams" | "URLPattern" | "Headers" | "RegExp" | "Date" | "TextDecoder" | "String" | "Number")
}

/// Returns true if and only if how much a method gives back tells something of what it is given.
pub fn is_cut(name: &str) -> bool {
    matches!(name, "split" | "filter" | "match" | "matchAll" | "replace" | "replaceAll" | "repeat" | "padStart" | "padEnd")
}

/// Returns true if and only if a property tells how much there is, not what.
pub fn is_measure(name: &str) -> bool {
    MEASURES.contains(&name)
}

/// Ways out that a script names, each with a mark.
#[derive(Default)]
pub struct Ways {
    names: Vec<String>,
}

/// How many ways out are told apart, beside one mark for all others.
const WAYS: usize = 10;

impl Ways {
    /// The mark of a way out.
    fn mark(&mut self, name: &str) -> Marks {
        let at = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        1 << (ORIGINS as usize + at.min(WAYS))
    }

    /// The first way out of some marks.
    pub fn of(&self, marks: Marks) -> Option<&str> {
        self.names.iter().enumerate().find(|(at, _)| marks & 1 << (ORIGINS as usize + (*at).min(WAYS)) != 0).map(|(_, name)| name.as_str())
    }
}

/// The name under which calls of tools are ways out.
pub const TOOL: &str = "callTool";

impl Cover<'_> {
    /// A node is what a name of the runtime stands for: it may lead out.
    pub fn leads_out(&mut self, node: Node, name: &str) {
        if self.is_tool_function(name) {
            let mark = self.ways.mark(TOOL);
            self.graph.mark(node, mark);
        } else if let Some(api) = way(name, true) {
            let mark = self.ways.mark(api);
            match api.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')) {
                // What it is handed on as leads nowhere by itself.
                Some(method) => {
                    let function = self.graph.node();
                    self.graph.mark(function, mark | FOREIGN);
                    self.write(node, method, function);
                    // It may be asked for under a name that is not known.
                    let elements = self.elements;
                    self.graph.edge(function, Edge::Same(elements));
                }
                None => self.graph.mark(node, mark),
            }
        }
    }

    /// A module may be a way out.
    pub fn module_leads_out(&mut self, node: Node, name: &str) {
        if let Some(api) = way(&name.replace('/', "."), false) {
            let mark = self.ways.mark(api);
            self.graph.mark(node, mark);
        }
    }

    /// A member may be a function that calls tools.
    pub fn tool_member(&mut self, node: Node, name: &str) {
        if self.is_tool_function(name) {
            let mark = self.ways.mark(TOOL);
            self.graph.mark(node, mark);
        }
    }

    /// A member may be a function that leads out, whatever it is read from.
    pub fn way_member(&mut self, node: Node, base: Node, name: &str) {
        if is_way_out(name) {
            self.opens(node, base, name);
        }
    }

    /// What is made with a number (`new Array(code)`) tells the number by its size.
    pub fn sized(&mut self, passed: &[Passed], result: Node) {
        for name in MEASURES {
            let field = self.graph.field(name);
            for passed in passed {
                self.graph.edge(passed.node, Edge::Measures(field));
                self.graph.edge(passed.node, Edge::Field(result));
            }
        }
    }

    /// What the runtime does beside what all of its functions do.
    pub fn runtime_effects(&mut self, callee: &Callee, passed: &[Passed], arguments: &[Argument<'_>], result: Node) {
        let path = callee.path().unwrap_or_default();
        if path == "require"
            && let Some(Argument::StringLiteral(name)) = arguments.first()
        {
            self.module(result, name.value.as_str());
        }
        if path.starts_with("console.") {
            let printed = self.printed;
            for passed in passed {
                self.graph.edge(passed.node, Edge::Made(printed));
            }
        }
        if path.starts_with("Object.") || path.starts_with("Reflect.") {
            let first = arguments.first().and_then(Argument::as_expression).and_then(|first| self.path(first));
            if first.is_some_and(|first| first.ends_with(".prototype")) {
                for passed in passed.iter().skip(1) {
                    self.put_into_common(passed.node);
                }
            }
            // `Object.getOwnPropertyDescriptor(globalThis, 'fetch')`.
            for argument in arguments {
                if let Some(Expression::StringLiteral(name)) = argument.as_expression()
                    && is_way_out(name.value.as_str())
                {
                    self.leads_out(result, name.value.as_str());
                }
            }
        }
        if path.ends_with("Error") || callee.is_super() {
            let errors = self.errors;
            for passed in passed {
                self.graph.edge(passed.node, Edge::Made(errors));
            }
        }
        if callee.name().is_some_and(|name| MATCHING.contains(&name)) {
            // `RegExp.$1` is of the last match anywhere.
            let last = self.last_match;
            for node in passed.iter().map(|passed| passed.node).chain(callee.this()) {
                self.graph.edge(node, Edge::Soaks(last));
                self.graph.edge(node, Edge::Asks(result));
            }
        }
    }

    /// Something of the runtime is replaced: what it was given, the new one is.
    pub fn replaced(&mut self, member: &MemberExpression<'_>, base: Node, value: Node) {
        let object = self.path(member.object()).unwrap_or_default();
        if object == "console" || object == "process.stdout" || object == "process.stderr" {
            self.hears_what_is_printed(value);
        }
        if object.ends_with(".prototype") {
            self.put_into_common(value);
        }
        if object.ends_with("Error") && member.static_property_name().is_none_or(|name| name == "prepareStackTrace") {
            self.hears_of_errors(value);
        }
        if Some(base) == self.own_arguments() {
            for parameter in self.own_parameters() {
                self.graph.same(value, parameter);
            }
        }
    }

    /// Returns true if and only if a node is a global of the runtime's.
    pub fn is_global(&self, node: Node) -> bool {
        self.globals.values().any(|global| *global == node)
    }

    fn is_tool_function(&self, name: &str) -> bool {
        TOOL_FUNCTIONS.contains(&name) || self.named.iter().any(|named| named.rsplit('.').next() == Some(name))
    }
}

/// Returns true if and only if a global may lead out.
pub fn is_way(name: &str) -> bool {
    TOOL_FUNCTIONS.contains(&name) || way(name, true).is_some()
}

/// Returns true if and only if a module may lead out.
pub fn is_way_module(name: &str) -> bool {
    let name = name.strip_prefix("node:").unwrap_or(name).replace('/', ".");
    way(&name, false).is_some()
}

/// Returns true if and only if a method by this name may lead out, where it is one of something that does: what else a known
/// module offers (`page.type`) does not.
pub fn may_lead_out(way: &str, name: &str) -> bool {
    let root = |path: &'static str| path.split(['.', '(']).next().unwrap_or(path);
    let module = way.split(['.', '(']).next().unwrap_or(way);
    way == TOOL
        || matches!(name, "call" | "apply" | "bind")
        || apis_from(module).any(|api| api.sink.is_some() && root(api.path) == module && api.path.rsplit('.').next() == Some(name))
}

/// Returns true if and only if what a way out stands for is a package of which only the methods of its clients lead out: making
/// one sends nothing.
pub fn only_clients_lead_out(way: &str) -> bool {
    let Some((module, _)) = way.split_once("()").map(|(client, _)| client.split_once('.').unwrap_or((client, ""))) else { return false };
    let is_of_it = |path: &str| path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '(']));
    way != TOOL && apis_from(module).filter(|api| api.sink.is_some() && is_of_it(api.path)).all(|api| api.path.contains("()."))
}

/// The path of an API that leads out and stands under a name; a global is one by itself, a module by what is in it.
fn way(name: &str, is_global: bool) -> Option<&'static str> {
    let leads_out = |api: &&crate::knowledge::Api| api.sink.is_some_and(|sink| sink.is_outgoing() || sink == SinkKind::Command);
    if is_global {
        let is_it = |path: &str| path == name || path.strip_prefix(name).is_some_and(|rest| rest.starts_with("()."));
        let starts = |path: &str| matches!(name, "navigator") && path.starts_with("navigator.");
        return apis_from(name).filter(leads_out).map(|api| api.path).find(|path| is_it(path) || starts(path));
    }
    let is_in = |path: &str| path == name || path.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '(']));
    apis_from(name).filter(leads_out).map(|api| api.path).find(|path| is_in(path))
}
