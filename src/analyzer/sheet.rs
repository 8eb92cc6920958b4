//! The sheet: what analyzers see of a subject, as one document. Version 1.
//!
//! `features` is the same as in the JSON report with `--features`.

use serde_json::{Value, json};

use crate::knowledge::House;
use crate::meaning::{self, Features};
use crate::rule::Match;
use crate::subject::call::{Call, Disguise, Repeat, Tool};
use crate::subject::segment::Segment;
use crate::subject::{Kind, Subject};
use crate::value::span::{LineIndex, Span};

/// The version of the document; grows when a field changes its meaning or goes away.
pub const VERSION: u32 = 1;

/// A subject with what was found in it.
#[derive(Clone, Copy)]
pub struct Seen<'s> {
    /// The name of its source.
    pub path: &'s str,
    /// The text of its source.
    pub text: &'s str,
    /// The line starts of its source.
    pub lines: &'s LineIndex,
    /// The subject.
    pub subject: &'s Subject,
    /// What was counted from it.
    pub features: &'s Features,
    /// What was found in it, the worst first.
    pub matches: &'s [Match],
}

/// What analyzers see of a subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// What is judged: `path`, `kind`, `lifecycle`, `dialect` (null unless it is a script) and `size` in bytes.
    pub subject: Value,
    /// What was counted: see `meaning::sheet`.
    pub features: Value,
    /// What rules found: `rule`, `severity`, `action`, `category`, `message` (may be null), `line`, `column`.
    pub matches: Value,
}

impl Sheet {
    /// The sheet of a subject.
    pub fn of(seen: &Seen<'_>) -> Self {
        let Seen { path, text, lines, subject, features, matches } = *seen;
        let calls = subject.calls.iter().map(|call| (call, lines.position(text, call.span.start)));
        let found = matches.iter().map(|found| {
            let place = lines.position(text, found.span.start);
            json!({
                "rule": found.rule.id,
                "severity": found.severity.name(),
                "action": found.action.name(),
                "category": found.rule.category,
                "message": found.message,
                "line": place.line,
                "column": place.column,
            })
        });
        Self {
            subject: json!({
                "path": path,
                "kind": subject.kind.name(),
                "lifecycle": subject.lifecycle.name(),
                "dialect": (subject.kind == Kind::Script).then(|| subject.dialect.name()),
                "size": own_span(subject, text).slice(text).len(),
            }),
            features: meaning::sheet::value(calls, features),
            matches: found.collect(),
        }
    }

    /// The names of its parts, as expressions know them.
    pub fn variables(&self) -> Vec<(&'static str, &Value)> {
        vec![("subject", &self.subject), ("features", &self.features), ("matches", &self.matches)]
    }

    /// A sheet in which no list is empty and nothing is null that may be otherwise, to try expressions on.
    pub fn example() -> Self {
        let mut subject = Subject::empty(Kind::Script, crate::subject::Lifecycle::PreToolCall);
        subject.calls = vec![example_call("crm:list", 0), example_call("mail:send", 1)];
        let features = meaning::extract(&subject, &House::default());
        let lines = LineIndex::new("");
        let seen = Seen { path: "example.js", text: "", lines: &lines, subject: &subject, features: &features, matches: &[] };
        let mut sheet = Self::of(&seen);
        let flow = json!({ "from": "tool", "sensitivity": "personal", "to": "mail:send", "side": "outside" });
        let pair = json!({ "from": "crm:list", "to": "mail:send" });
        let found = json!({
            "rule": "example", "severity": "high", "action": "warn", "category": "example", "message": "", "line": 1, "column": 1,
        });
        sheet.matches = json!([found]);
        let fill = |sheet: &mut Value, pointer: &str, example: Value| {
            if let Some(list) = sheet.pointer_mut(pointer).filter(|list| **list == json!([])) {
                *list = json!([example]);
            }
        };
        fill(&mut sheet.features, "/flows", flow);
        fill(&mut sheet.features, "/data_flow", pair.clone());
        fill(&mut sheet.features, "/sequences/read_then_send", pair);
        fill(&mut sheet.features, "/host_calls/names", "fetch".into());
        fill(&mut sheet.features, "/host_calls/distinct", "fetch".into());
        fill(&mut sheet.features, "/control_flow/tools_in_loops", "mail:send".into());
        sheet
    }
}

/// Where the subject stands in its source: a script is all of it, others reach as far as their texts.
pub fn own_span(subject: &Subject, text: &str) -> Span {
    let whole = Span::from_offsets(0, text.len());
    match subject.kind {
        Kind::Script => whole,
        Kind::ToolCall | Kind::ToolResult | Kind::Prompt | Kind::Manifest | Kind::Text => {
            let spans = || subject.segments.iter().map(|Segment { span, .. }| *span).chain(subject.calls.iter().map(|call| call.span));
            let (start, end) = (spans().map(|span| span.start).min(), spans().map(|span| span.end).max());
            start.zip(end).map_or(whole, |(start, end)| Span::new(start, end))
        }
    }
}

fn example_call(tool: &str, nth: u32) -> Call {
    use crate::subject::call::{Property, Value as Argument};
    let property = |key: &str, value| Property { key: key.to_owned(), key_span: Span::default(), value };
    let argument = vec![
        property("limit", Argument::Number(10.0, Span::default())),
        property("password", Argument::String("x".to_owned(), Span::default())),
        property("amount", Argument::Number(10.0, Span::default())),
    ];
    Call {
        tool: Tool::Named(tool.to_owned()),
        disguise: Disguise::None,
        argument: Argument::Object(argument, Span::default()),
        loop_depth: 1,
        repeated: true,
        repeat: Repeat::Each,
        over: Vec::new(),
        nth,
        earlier: 0,
        doc: None,
        hints: Vec::new(),
        span: Span::default(),
        tool_span: Span::default(),
        is_method: false,
    }
}
