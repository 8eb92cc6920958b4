//! What a JSON value holds: calls, results, prompts and descriptions of tools, in the shapes of hosts and providers.

use crate::format::tool_call::fields::{Fields, elements, fields, folded, text, written};
use crate::format::tool_call::shape::{self, ARGUMENTS, Parts};
use crate::format::tool_call::spoken::spoken;
use crate::format::tool_call::{block, host};
use crate::subject::Kind;
use crate::subject::call::{Property, Value};
use crate::value::span::Span;

/// How deep calls are looked for; no host nests them deeper.
const DEPTH: u32 = 100;
/// The keys under which messages, blocks and calls stand.
const CONTAINERS: &[&str] = &[
    "messages",
    "choices",
    "message",
    "delta",
    "output",
    "outputs",
    "content",
    "contents",
    "parts",
    "candidates",
    "items",
    "item",
    "payload",
    "event",
    "events",
    "data",
    "request",
    "response",
    "body",
    "result",
    "results",
    "params",
    "input",
    "history",
    "conversation",
    "transcript",
    "trace",
    "traces",
    "steps",
    "turns",
    "entries",
    "log",
    "logs",
    "records",
    "calls",
    "update",
    "toolcall",
    "toolinvocation",
    "call",
];

/// The keys of a message that are read for what they are.
const KEPT: &[&str] = &[
    "content",
    "parts",
    "text",
    "toolcalls",
    "functioncall",
    "tooluse",
    "functionresponse",
    "toolresult",
    "tooluseresult",
    "executablecode",
    "codeexecutionresult",
    "tools",
    "functions",
    "functiondeclarations",
];

/// The lists in which a server says what it offers.
const LISTS: &[&str] = &["tools", "resources", "prompts", "resourcetemplates"];

/// What was found.
pub enum What<'v> {
    /// A tool call.
    Call(Box<Parts<'v>>),
    /// Something that an agent reads, and the values that say it.
    Told(Kind, Vec<&'v Value>),
}

/// One thing that was found in a value.
pub struct Held<'v> {
    /// What it is.
    pub what: What<'v>,
    /// The id of the call, or of the message.
    pub id: Option<String>,
    /// The tool, where it is no call that names it.
    pub tool: Option<&'v str>,
    /// What stands around it.
    pub scope: Scope<'v>,
    /// Where it stands.
    pub span: Span,
}

/// What holds for all that stands in an object.
#[derive(Clone, Copy, Default)]
pub struct Scope<'v> {
    /// The session.
    pub session: Option<&'v Value>,
    /// When it was written.
    pub timestamp: Option<&'v Value>,
    /// The id of the line or message.
    pub line: Option<&'v Value>,
}

impl<'v> Scope<'v> {
    fn with(self, fields: Fields<'v>) -> Self {
        let scalar = |value: &&Value| matches!(value, Value::String(..) | Value::Number(..));
        let first = |keys: &[&str]| fields.first(keys).filter(scalar);
        Self {
            session: first(&["sessionid", "conversationid", "threadid", "sessionkey", "session"]).or(self.session),
            timestamp: first(&["timestamp", "createdat", "ts"]).or(self.timestamp),
            line: first(&["uuid"]).or(self.line),
        }
    }
}

/// An object, with what holds for it.
#[derive(Clone, Copy)]
pub struct Object<'v> {
    /// The object itself.
    pub whole: &'v Value,
    /// Its fields.
    pub fields: Fields<'v>,
    /// What stands around it.
    pub scope: Scope<'v>,
}

impl<'v> Object<'v> {
    /// An object within another; none where the value is something else.
    pub fn within(value: &'v Value, scope: Scope<'v>) -> Option<Self> {
        fields(value).map(|fields| Self { whole: value, fields, scope })
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        self.whole.span()
    }
}

/// All that a value holds.
#[derive(Default)]
pub struct Findings<'v> {
    /// What was found, in order of place but for results that stand beside their call.
    pub held: Vec<Held<'v>>,
    /// It is a message of a protocol or a line of a transcript, even where it holds nothing of interest.
    pub is_message: bool,
    /// The session that begins here.
    pub session: Option<String>,
    /// What should be a call and is none.
    pub faults: Vec<(&'static str, Span)>,
}

/// Finds all that a value holds; `source` is the text that it was read from.
pub fn find<'v>(value: &'v Value, source: &'v str) -> Findings<'v> {
    let mut finder = Finder { source, findings: Findings::default(), is_astray: false };
    finder.value(value, Scope::default(), DEPTH);
    finder.findings
}

/// What walks through a value.
pub struct Finder<'v> {
    source: &'v str,
    findings: Findings<'v>,
    /// It is where no host is known to keep anything, so that a name and a value make no call.
    is_astray: bool,
}

impl<'v> Finder<'v> {
    fn value(&mut self, value: &'v Value, scope: Scope<'v>, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::Array(elements, _) => elements.iter().for_each(|element| self.value(element, scope, depth)),
            Value::Object(properties, _) => {
                let fields = Fields(properties);
                self.object(Object { whole: value, fields, scope: scope.with(fields) }, depth);
            }
            _ => {}
        }
    }

    fn object(&mut self, object: Object<'v>, depth: u32) {
        let Object { whole, fields, scope } = object;
        if host::is_payload(fields) {
            self.findings.is_message = true;
            return host::payload(self, object);
        }
        if let Some(parts) = shape::plain(fields) {
            return self.call(parts, object);
        }
        if fields.text("method").is_some() || fields.has("jsonrpc") {
            self.findings.is_message = true;
            return self.remote_call(object, depth);
        }
        if block::read(self, object) {
            self.findings.is_message = true;
            return;
        }
        // An element of a list of calls may be handed over by itself; what only describes a function has no arguments.
        if fields.get("function").and_then(self::fields).is_some_and(|inner| inner.text("name").is_some() && inner.has("arguments")) {
            self.findings.is_message = true;
            return self.listed_call(whole, scope, depth);
        }
        let before = self.findings.held.len();
        if let Some(role) = role(fields) {
            self.findings.is_message = true;
            self.role(&role, object, depth);
        } else if is_bare_result(fields) {
            return self.told(Kind::ToolResult, fields.each(&["content", "structuredcontent"]), object);
        } else if definition(fields).is_some_and(|fields| fields.has("inputschema")) {
            return self.told(Kind::Manifest, vec![whole], object);
        } else {
            self.contents(fields, scope, depth, CONTAINERS);
            if self.is_astray {
                self.elsewhere(fields, scope, depth, CONTAINERS);
            }
            let is_asked = fields.has("model") && !fields.has("messages");
            let asked = fields.first(&["prompt", "input"]).filter(|value| is_asked && text(value).is_some());
            if let Some(asked) = asked {
                self.push(Held { what: What::Told(Kind::Prompt, vec![asked]), id: None, tool: None, scope, span: asked.span() });
            }
        }
        self.known_keys(fields, scope, depth);
        if self.line(fields) && !self.is_astray && before == self.findings.held.len() && role(fields).is_none() {
            self.elsewhere(fields, scope, depth, CONTAINERS);
        }
        if before == self.findings.held.len()
            && !self.is_astray
            && let Some(parts) = shape::bare(fields)
        {
            self.call(parts, object);
        }
    }

    /// Notes what a line of a transcript says of itself; returns false if it is none.
    fn line(&mut self, fields: Fields<'v>) -> bool {
        let is_line =
            fields.text("type").is_some() && ["uuid", "sessionid", "timestamp", "payload", "message"].iter().any(|key| fields.has(key));
        self.findings.is_message |= is_line;
        if let Some(kind) = fields.text("type").map(folded).filter(|kind| matches!(kind.as_str(), "session" | "sessionmeta")) {
            let header = fields.get("payload").and_then(super::fields::fields).filter(|_| kind == "sessionmeta").unwrap_or(fields);
            self.findings.session = header.get("id").and_then(|id| written(id, self.source));
        }
        is_line
    }

    /// What stands in a message under keys of which nothing is known, such as what a library adds of its own.
    fn elsewhere(&mut self, fields: Fields<'v>, scope: Scope<'v>, depth: u32, read: &[&str]) {
        let before = std::mem::replace(&mut self.is_astray, true);
        for property in fields.0 {
            let key = folded(&property.key);
            if !KEPT.contains(&key.as_str()) && !read.contains(&key.as_str()) {
                self.value(&property.value, scope, depth);
            }
        }
        self.is_astray = before;
    }

    /// What stands under keys that may hold messages, blocks and calls.
    fn contents(&mut self, fields: Fields<'v>, scope: Scope<'v>, depth: u32, keys: &[&str]) {
        for property in fields.0 {
            let is_container = matches!(property.value, Value::Object(..) | Value::Array(..));
            if is_container && keys.iter().any(|key| super::fields::is_key(&property.key, key)) {
                self.value(&property.value, scope, depth);
            }
        }
    }

    /// What stands under keys that say what it is.
    fn known_keys(&mut self, outer: Fields<'v>, scope: Scope<'v>, depth: u32) {
        for property in outer.0 {
            let value = &property.value;
            match (folded(&property.key).as_str(), value) {
                ("toolcalls", Value::Array(calls, _)) => calls.iter().for_each(|call| self.listed_call(call, scope, depth)),
                ("functioncall" | "tooluse", Value::Object(inner, _)) => {
                    let inner = object_of(value, inner, scope);
                    if let Some(parts) = shape::known(inner.fields, &["name", "toolname"], ARGUMENTS) {
                        self.call(parts, inner);
                    }
                }
                ("functionresponse" | "toolresult", Value::Object(inner, _)) => {
                    let inner = object_of(value, inner, scope);
                    if ["name", "tooluseid", "toolcallid", "id"].iter().any(|key| inner.fields.has(key)) {
                        self.answer(inner);
                    }
                }
                ("executablecode", Value::Object(inner, _)) if Fields(inner).text("code").is_some() => {
                    let parts = Parts { kwargs: Some(value), tool: "code_execution", ..Parts::nameless(property.key_span) };
                    self.call(parts, object_of(value, inner, scope));
                }
                ("codeexecutionresult", Value::Object(inner, _)) => self.answer(object_of(value, inner, scope)),
                ("tools" | "functions" | "functiondeclarations", Value::Array(tools, _)) => {
                    tools.iter().for_each(|tool| self.listed_tool(tool, scope, depth));
                }
                _ => {}
            }
        }
    }

    /// An element of `tool_calls`.
    fn listed_call(&mut self, value: &'v Value, scope: Scope<'v>, depth: u32) {
        let Some(object) = Object::within(value, scope) else { return };
        let outer = object.fields;
        let inner = outer.get("function").and_then(fields).unwrap_or(outer);
        let names = ["name", "toolname", "tool", "function", "functionname"];
        match shape::known(inner, &names, ARGUMENTS) {
            Some(parts) => {
                self.call(parts, object);
                if outer.first(&["result", "output", "response"]).is_some() {
                    self.answer(object);
                }
            }
            None => {
                let before = self.findings.held.len();
                self.value(value, scope, depth);
                if before == self.findings.held.len() {
                    self.findings.faults.push(("an element of the list of tool calls is none", value.span()));
                }
            }
        }
    }

    /// An element of a list of tools.
    fn listed_tool(&mut self, value: &'v Value, scope: Scope<'v>, depth: u32) {
        let Some(object) = Object::within(value, scope) else { return };
        match definition(object.fields) {
            Some(_) => self.told(Kind::Manifest, vec![value], object),
            None => self.known_keys(object.fields, scope, depth.saturating_sub(1)),
        }
    }

    /// A request, an answer or a note of JSON-RPC.
    fn remote_call(&mut self, object: Object<'v>, depth: u32) {
        let Object { fields: outer, scope, .. } = object;
        if outer.text("method") == Some("tools/call") {
            return self.call(shape::message(outer, object.span()), object);
        }
        let Some(result) = outer.first(&["result", "error"]) else {
            return self.contents(outer, scope, depth, &["params"]);
        };
        let Some(inner) = fields(result) else { return self.told(Kind::ToolResult, vec![result], object) };
        let lists = inner.each(LISTS);
        for listed in lists.iter().flat_map(|list| elements(list)) {
            if let Some(object) = Object::within(listed, scope) {
                self.told(Kind::Manifest, vec![listed], object);
            }
        }
        if inner.has("serverinfo") {
            self.told(Kind::Manifest, vec![result], object);
        } else if inner.has("messages") {
            self.contents(inner, scope, depth, &["messages"]);
        } else if lists.is_empty() {
            self.told(Kind::ToolResult, vec![result], object);
        }
    }

    /// A message of a conversation.
    fn role(&mut self, role: &str, object: Object<'v>, depth: u32) {
        let Object { fields, scope, .. } = object;
        match role {
            "tool" | "function" | "toolresult" | "toolresponse" | "ipython" => {
                // Results may stand in it one by one; whatever else stands there is what the tool answered.
                let pieces = fields.each(&["content", "parts"]);
                let mut pieces = pieces.iter().flat_map(|value| elements(value)).peekable();
                if pieces.peek().is_some() && pieces.all(block::is_answer) {
                    self.contents(fields, scope, depth, &["content", "parts"]);
                } else {
                    self.answer(object);
                }
            }
            "assistant" | "model" | "gemini" | "ai" | "agent" => {
                self.contents(fields, scope, depth, &["content", "parts"]);
                self.elsewhere(fields, scope, depth, &[]);
                let detail = "a tool call stands in the words of a message, where it is not read";
                self.findings.faults.extend(spoken(fields).into_iter().map(|span| (detail, span)));
            }
            "system" | "developer" => self.said(Kind::Text, object, depth),
            // `role` tells no other.
            _ => self.said(Kind::Prompt, object, depth),
        }
    }

    /// What a message says in words, and what else stands in it.
    fn said(&mut self, kind: Kind, object: Object<'v>, depth: u32) {
        let Object { fields: outer, scope, .. } = object;
        let mut texts = Vec::new();
        for value in [outer.get("content"), outer.get("parts"), outer.get("text")].into_iter().flatten() {
            let pieces = if let Value::Array(pieces, _) = value { pieces.as_slice() } else { std::slice::from_ref(value) };
            for piece in pieces {
                let own = fields(piece).and_then(|fields| fields.first(&["text", "inputtext"]).or(fields.get("source").and_then(document)));
                match own {
                    Some(own) => texts.push(own),
                    None if text(piece).is_some() => texts.push(piece),
                    None => self.value(piece, scope, depth),
                }
            }
        }
        if !texts.is_empty() {
            let id = outer.first(&["id", "uuid"]).or(scope.line).and_then(|id| written(id, self.source));
            self.push(Held { what: What::Told(kind, texts), id, tool: None, scope, span: object.span() });
        }
    }

    /// Takes in a call.
    pub fn call(&mut self, parts: Parts<'v>, object: Object<'v>) {
        let id = self.call_id(object.fields);
        self.push(Held { what: What::Call(Box::new(parts)), id, tool: None, scope: object.scope, span: object.span() });
    }

    /// Takes in what a tool answered.
    pub fn answer(&mut self, object: Object<'v>) {
        let keys = ["content", "output", "outputs", "result", "results", "response", "structuredcontent", "error", "parts"];
        self.told(Kind::ToolResult, object.fields.each(&keys), object);
    }

    /// Takes in what an agent reads: these values, or all that stand in the object if there are none.
    pub fn told(&mut self, kind: Kind, mut values: Vec<&'v Value>, object: Object<'v>) {
        let Object { fields, scope, .. } = object;
        if values.is_empty() {
            values = fields.0.iter().map(|property| &property.value).collect();
        }
        let id = self.call_id(fields);
        let tool = fields.first_text(&["toolname", "name", "tool"]);
        self.push(Held { what: What::Told(kind, values), id, tool, scope, span: object.span() });
    }

    /// The id by which an object names a call; its own, where it names no other.
    fn call_id(&self, fields: Fields<'v>) -> Option<String> {
        let keys = ["tooluseid", "callid", "toolcallid", "id", "uuid"];
        keys.iter().find_map(|key| fields.get(key).and_then(|id| written(id, self.source)))
    }

    /// Takes in what was found.
    pub fn push(&mut self, held: Held<'v>) {
        self.findings.held.push(held);
    }
}

/// An object within a scope.
fn object_of<'v>(whole: &'v Value, properties: &'v [Property], scope: Scope<'v>) -> Object<'v> {
    Object { whole, fields: Fields(properties), scope }
}

/// The roles that messages have.
const ROLES: &[&str] = &[
    "user",
    "human",
    "tool",
    "function",
    "toolresult",
    "toolresponse",
    "ipython",
    "assistant",
    "model",
    "gemini",
    "ai",
    "agent",
    "system",
    "developer",
];

/// The role of a message, where an object is one.
fn role(fields: Fields<'_>) -> Option<String> {
    // A message may say nothing.
    let says = fields.0.len() == 1
        || fields.has("content")
        || fields.has("parts")
        || fields.has("text")
        || fields.has("toolcalls")
        || fields.has("functioncall");
    let named = fields.text("role").or(fields.text("type").filter(|_| fields.has("content") && !fields.has("message")));
    named.map(folded).filter(|role| says && ROLES.contains(&role.as_str()))
}

/// The words of a document that is handed over in a message.
fn document(source: &Value) -> Option<&Value> {
    fields(source).filter(|source| source.text("type") == Some("text"))?.get("data")
}

/// `{"content": [{"type": "text", "text": …}], "isError": false}`
fn is_bare_result(outer: Fields<'_>) -> bool {
    let first = outer.get("content").map(elements).and_then(|content| content.first()).and_then(fields);
    let is_block = first
        .and_then(|first| first.text("type"))
        .is_some_and(|kind| matches!(kind, "text" | "image" | "resource" | "audio" | "resource_link"));
    is_block && outer.are_all(&["content", "iserror", "structuredcontent", "meta", "resulttype"])
}

/// The description of a tool: `{"name": …, "description": …, "inputSchema": …}`.
fn definition(outer: Fields<'_>) -> Option<Fields<'_>> {
    let inner = outer.get("function").and_then(fields).unwrap_or(outer);
    (inner.text("name").is_some() && inner.text("description").is_some()).then_some(inner)
}
