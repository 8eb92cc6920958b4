//! The names that lead out of a sandbox, and what each is.

use crate::subject::hazard::HazardKind;

/// What turns text into code.
pub const EVALUATORS: &[&str] = &["eval", "Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"];

/// Globals of the host.
pub const HOST: &[&str] = &[
    "process",
    "globalThis",
    "global",
    "window",
    "self",
    "module",
    "require",
    "Deno",
    "Bun",
    "__dirname",
    "__filename",
    "importScripts",
    "ShadowRealm",
    "Compartment",
];

/// Globals that share memory, watch the collector or start other realms: a tool script needs none.
pub const PROBED: &[&str] =
    &["FinalizationRegistry", "SharedArrayBuffer", "Atomics", "WebAssembly", "Worker", "SharedWorker", "BroadcastChannel"];

/// Names that sandboxes give to what they keep for themselves.
pub const INTERNAL: &[&str] =
    &["__safe_", "__host_", "__sandbox", "__vm_", "__enclave", "__guest", "VM2_INTERNAL", "_ivm", "$ivm", "__createConsole"];

/// Objects and constructors of the language itself.
pub const BUILT_IN: &[&str] = &[
    "Object",
    "Array",
    "String",
    "Number",
    "Boolean",
    "Symbol",
    "BigInt",
    "Function",
    "Promise",
    "RegExp",
    "Error",
    "TypeError",
    "RangeError",
    "SyntaxError",
    "ReferenceError",
    "EvalError",
    "URIError",
    "AggregateError",
    "Date",
    "Map",
    "Set",
    "WeakMap",
    "WeakSet",
    "ArrayBuffer",
    "DataView",
    "Uint8Array",
    "Proxy",
    "Reflect",
    "JSON",
    "Math",
    "Intl",
    "Iterator",
    "console",
    "Buffer",
];

/// Names of the global object itself.
pub const GLOBAL_OBJECT: &[&str] = &["globalThis", "global", "window", "self"];

/// Functions that everything trusts to be those of the host.
pub const TRUSTED: &[&str] =
    &["callTool", "fetch", "setTimeout", "setInterval", "queueMicrotask", "structuredClone", "crypto", "atob", "btoa"];

/// Names of what built-in objects have had for so long that nothing needs to add it.
pub const EXISTING: &[&str] = &[
    "abs",
    "all",
    "allSettled",
    "any",
    "apply",
    "assign",
    "bind",
    "call",
    "catch",
    "ceil",
    "charAt",
    "charCodeAt",
    "clear",
    "codePointAt",
    "concat",
    "copyWithin",
    "create",
    "defineProperties",
    "defineProperty",
    "delete",
    "deleteProperty",
    "endsWith",
    "entries",
    "every",
    "exec",
    "fill",
    "filter",
    "finally",
    "find",
    "findIndex",
    "flat",
    "flatMap",
    "floor",
    "forEach",
    "freeze",
    "from",
    "fromCharCode",
    "fromEntries",
    "get",
    "getOwnPropertyDescriptor",
    "getOwnPropertyDescriptors",
    "getOwnPropertyNames",
    "getOwnPropertySymbols",
    "getPrototypeOf",
    "getTime",
    "has",
    "hasOwnProperty",
    "includes",
    "indexOf",
    "is",
    "isArray",
    "isFrozen",
    "isInteger",
    "isNaN",
    "isPrototypeOf",
    "join",
    "keys",
    "lastIndexOf",
    "length",
    "localeCompare",
    "map",
    "match",
    "matchAll",
    "max",
    "min",
    "name",
    "normalize",
    "now",
    "of",
    "ownKeys",
    "padEnd",
    "padStart",
    "parse",
    "parseFloat",
    "parseInt",
    "pop",
    "pow",
    "preventExtensions",
    "propertyIsEnumerable",
    "push",
    "race",
    "random",
    "raw",
    "reduce",
    "reduceRight",
    "reject",
    "repeat",
    "replace",
    "resolve",
    "reverse",
    "round",
    "seal",
    "search",
    "set",
    "setPrototypeOf",
    "shift",
    "size",
    "slice",
    "some",
    "sort",
    "splice",
    "split",
    "startsWith",
    "stringify",
    "substr",
    "substring",
    "test",
    "then",
    "toFixed",
    "toISOString",
    "toLocaleString",
    "toLowerCase",
    "toString",
    "toUpperCase",
    "trim",
    "trimEnd",
    "trimStart",
    "trunc",
    "unshift",
    "valueOf",
    "values",
];

/// Modules of the host that only compute.
pub const PLAIN_MODULES: &[&str] = &[
    "assert",
    "buffer",
    "crypto",
    "events",
    "path",
    "path/posix",
    "perf_hooks",
    "querystring",
    "string_decoder",
    "timers",
    "timers/promises",
    "url",
    "util",
    "zlib",
];

/// Modules of the host of which each function that does something is judged by itself, where it is called.
pub const WATCHED_MODULES: &[&str] = &[
    "fs",
    "fs/promises",
    "http",
    "https",
    "http2",
    "dns",
    "dns/promises",
    "os",
    "readline",
    "readline/promises",
    "stream",
    "stream/promises",
];

/// What `process` only tells, which leads nowhere; where it goes is judged by the flows, as are the listeners that it calls.
pub const TOLD_BY_PROCESS: &[&str] = &[
    "env",
    "argv",
    "platform",
    "arch",
    "version",
    "versions",
    "pid",
    "uptime",
    "hrtime",
    "memoryUsage",
    "cwd",
    "exitCode",
    "release",
    "execArgv",
    "execPath",
    "argv0",
    "title",
    "ppid",
    "stdout",
    "stderr",
    "stdin",
    "nextTick",
    "cpuUsage",
    "resourceUsage",
    "features",
    "on",
    "once",
    "off",
];

/// Returns true if and only if a property of the global object leads out, or is one that others trust.
pub fn is_dear_global(key: &str) -> bool {
    let is_name = |names: &[&str]| names.contains(&key);
    is_name(EVALUATORS) || is_name(HOST) || is_name(PROBED) || is_internal(key) || danger(key).is_some()
}

/// Modules of the host that no sandbox gives away.
pub const HOST_MODULES: &[&str] = &[
    "fs",
    "child_process",
    "vm",
    "worker_threads",
    "cluster",
    "net",
    "tls",
    "http",
    "https",
    "http2",
    "dgram",
    "dns",
    "os",
    "process",
    "module",
    "inspector",
    "v8",
    "repl",
    "fs/promises",
];

/// A property that leads out of a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Danger {
    /// `constructor`.
    Constructor,
    /// `__proto__` and the old accessors of properties.
    Prototype,
    /// `prototype`.
    OwnPrototype,
    /// `callee` and `caller`.
    Caller,
    /// What formats stacks, or tells objects of their frames.
    Stack,
    /// What records or limits stacks.
    Trace,
    /// What only the host's objects have.
    Host,
}

/// What the property of a name is, if it leads out.
pub fn danger(key: &str) -> Option<Danger> {
    match key {
        "constructor" => Some(Danger::Constructor),
        "__proto__" | "__defineGetter__" | "__defineSetter__" | "__lookupGetter__" | "__lookupSetter__" => Some(Danger::Prototype),
        "prototype" => Some(Danger::OwnPrototype),
        "callee" | "caller" => Some(Danger::Caller),
        "prepareStackTrace" | "getThis" | "getEvalOrigin" => Some(Danger::Stack),
        "captureStackTrace" | "stackTraceLimit" => Some(Danger::Trace),
        "mainModule" => Some(Danger::Host),
        key if is_internal(key) => Some(Danger::Host),
        _ => None,
    }
}

impl Danger {
    /// What reaching for it is.
    pub fn kind(self) -> HazardKind {
        match self {
            Self::Constructor | Self::Prototype | Self::OwnPrototype => HazardKind::Chain,
            Self::Caller | Self::Stack | Self::Trace => HazardKind::Stack,
            Self::Host => HazardKind::Host,
        }
    }
}

/// Returns true if and only if a sandbox keeps the name for itself.
pub fn is_internal(name: &str) -> bool {
    INTERNAL.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns true if and only if a text that was put together can only be meant as a way out.
pub fn is_told_by_disguise(text: &str) -> bool {
    let is_key = matches!(
        danger(text),
        Some(Danger::Constructor | Danger::Prototype | Danger::OwnPrototype | Danger::Stack | Danger::Trace | Danger::Host)
    );
    is_key || matches!(text, "globalThis" | "eval" | "child_process" | "getPrototypeOf" | "getOwnPropertyDescriptor")
}

/// Returns true if and only if a text is code that hands over the global object or the host.
pub fn is_code_for_host(text: &str) -> bool {
    let Some(rest) = text.trim_start().strip_prefix("return ") else { return false };
    let rest = rest.trim_start_matches("typeof ").trim_start_matches('(');
    let word = rest.split(|character: char| !character.is_alphanumeric() && character != '_').next().unwrap_or("");
    word == "this" || HOST.contains(&word) || EVALUATORS.contains(&word)
}
