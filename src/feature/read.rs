//! What is read: how sensitive it is, how much it is, and who wrote it.

use std::collections::HashMap;

use crate::catalogue::secret::{is_secret_variable, path_sensitivity};
use crate::catalogue::sensitivity::category;
use crate::catalogue::tool::{noun, tool_in};
use crate::catalogue::{House, Sensitivity, SinkKind};
use crate::feature::magnitude::magnitudes;
use crate::feature::wildcard::wildcards;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::subject::flow::{CallRef, Flow, Origin, OriginKind, Strength};
use crate::value::words::words;

/// A limit up to this asks for a page, not for everything.
const PAGE: f64 = 100.0;
/// A limit above this asks for everything.
const EVERYTHING: f64 = 10_000.0;
/// How many transforming tools may stand between an origin and a sink.
const DEPTH: usize = 8;

/// What is read at an origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// What it is read from.
    pub kind: OriginKind,
    /// What kind of data it is; none, if nothing tells that it is sensitive.
    pub sensitivity: Option<Sensitivity>,
    /// It tells nothing: a count, an identifier, an answer of a tool that only acts, what the user typed.
    pub is_harmless: bool,
    /// Anybody can read it.
    pub is_public: bool,
    /// It is a whole collection, or much of one.
    pub is_many: bool,
    /// Nothing chooses what is listed.
    pub is_unfiltered: bool,
    /// Strangers write it.
    pub is_untrusted: bool,
    /// It is what people say of it: "personal data read by `crm:list`".
    pub words: String,
}

impl Read {
    /// Returns true if and only if it is how to get in somewhere.
    pub fn is_secret(&self) -> bool {
        self.sensitivity == Some(Sensitivity::Authentication)
    }

    /// What is read of it at a field, `[].email`.
    pub fn at(&self, field: &str) -> Self {
        let mut read = self.clone();
        let names: Vec<&str> = field.split('.').filter(|part| !part.is_empty() && *part != "[]").collect();
        let Some(last) = names.last() else { return read };
        let parts = words(last);
        if let Some(own) = category(&parts) {
            (read.sensitivity, read.is_harmless, read.is_public) = (Some(own), false, false);
        } else if is_harmless(&parts) {
            (read.sensitivity, read.is_harmless) = (None, true);
        } else if let Some(own) =
            parts.iter().filter_map(|word| noun(word)).filter(|noun| noun.sink.is_none()).filter_map(|noun| noun.sensitivity).max()
        {
            read.sensitivity = read.sensitivity.max(Some(own).filter(|_| self.kind == OriginKind::Tool && !self.is_public));
        }
        read.words = format!("`{last}` of {}", self.words);
        read
    }
}

/// Last words of fields that tell nothing.
const HARMLESS: &[&str] = &[
    "id",
    "ids",
    "uuid",
    "count",
    "counts",
    "total",
    "totals",
    "length",
    "size",
    "status",
    "state",
    "date",
    "at",
    "time",
    "timestamp",
    "type",
    "kind",
    "ok",
    "success",
    "page",
    "cursor",
    "offset",
    "more",
    "version",
    "enabled",
    "active",
    "priority",
    "locale",
    "currency",
    "created",
    "updated",
    "due",
    "index",
    "sha",
    "etag",
    "percent",
    "percentage",
    "plan",
    "tier",
    "score",
    "rank",
    "severity",
    "level",
    "unit",
    "duration",
    "average",
    "mean",
    "min",
    "max",
];

fn is_harmless(words: &[String]) -> bool {
    let is_way_in = words.iter().any(|word| matches!(word.as_str(), "session" | "secret" | "token" | "tax" | "national" | "government"));
    !is_way_in && words.last().is_some_and(|last| HARMLESS.contains(&last.as_str()))
}

/// What is read at each origin of a subject.
pub fn reads(subject: &Subject, house: &House) -> Vec<Read> {
    let mut reads: Vec<Read> = subject.origins.iter().map(|origin| read(subject, origin, house)).collect();
    // What a summary says is what its text says.
    let results: HashMap<CallRef, usize> = subject.origins.iter().enumerate().filter_map(|(at, origin)| Some((origin.call?, at))).collect();
    let whole = subject.flows.iter().filter(|flow| Strength::Redacted < flow.strength);
    let carried: Vec<(usize, &Flow)> =
        whole.filter(|flow| is_carried(subject, flow, house)).filter_map(|flow| Some((*results.get(&flow.sink)?, flow))).collect();
    // What is made of nothing but public data is public.
    for (to, _) in &carried {
        if let Some(read) = reads.get_mut(*to) {
            read.is_public = read.sensitivity.is_none();
        }
    }
    for _ in 0..DEPTH {
        let mut is_changed = false;
        for (to, flow) in &carried {
            let Some(from) = reads.get(flow.origin).map(|read| read.at(&flow.field)) else { continue };
            if let Some(into) = reads.get_mut(*to).filter(|_| *to != flow.origin) {
                is_changed |= carry(into, &from);
            }
        }
        if !is_changed {
            break;
        }
    }
    reads
}

/// Returns true if and only if a flow ends in a tool whose result carries what it is given.
fn is_carried(subject: &Subject, flow: &Flow, house: &House) -> bool {
    let tool = flow.sink.tool().and_then(|index| subject.calls.get(index)).and_then(|call| call.tool.name());
    let profile = tool.map(|name| tool_in(name, house));
    profile.is_some_and(|profile| profile.transforms || profile.does(SinkKind::Prompt))
}

fn carry(into: &mut Read, from: &Read) -> bool {
    let before = (into.sensitivity, into.is_many, into.is_untrusted, into.is_harmless, into.is_public);
    into.is_public &= from.is_public || from.is_harmless;
    if into.sensitivity < from.sensitivity {
        (into.sensitivity, into.is_public) = (from.sensitivity, false);
        into.words.clone_from(&from.words);
    }
    into.is_many |= from.is_many;
    into.is_untrusted |= from.is_untrusted;
    into.is_harmless &= from.is_harmless;
    before != (into.sensitivity, into.is_many, into.is_untrusted, into.is_harmless, into.is_public)
}

fn read(subject: &Subject, origin: &Origin, house: &House) -> Read {
    let plain = Read {
        kind: origin.kind,
        sensitivity: None,
        is_harmless: false,
        is_public: false,
        is_many: false,
        is_unfiltered: false,
        is_untrusted: false,
        words: format!("what `{}` returns", origin.name),
    };
    let detail = origin.detail.as_deref();
    match origin.kind {
        OriginKind::Tool => tool_read(subject, origin, house, plain),
        OriginKind::Environment => environment_read(origin, plain),
        OriginKind::File => {
            let sensitivity = detail.and_then(text_sensitivity);
            let words = detail.map_or(format!("a file read by `{}`", origin.name), |path| format!("`{}`", short(path)));
            Read { sensitivity, words, ..plain }
        }
        OriginKind::Network => Read { is_public: true, is_untrusted: true, words: format!("an answer from {}", place(origin)), ..plain },
        OriginKind::Storage => {
            Read { sensitivity: Some(Sensitivity::Authentication), words: format!("what is stored behind `{}`", origin.name), ..plain }
        }
        OriginKind::Clipboard => Read { sensitivity: Some(Sensitivity::Personal), words: "the clipboard".to_owned(), ..plain },
        OriginKind::UserInput => Read { is_harmless: true, words: "what the user typed".to_owned(), ..plain },
        OriginKind::Process => {
            let sensitivity = detail.and_then(command_sensitivity);
            Read {
                sensitivity,
                words: detail.map_or(plain.words.clone(), |command| format!("the output of `{}`", short(command))),
                ..plain
            }
        }
        OriginKind::System => {
            Read { sensitivity: Some(Sensitivity::Internal), words: format!("what `{}` tells of the machine", origin.name), ..plain }
        }
    }
}

fn environment_read(origin: &Origin, plain: Read) -> Read {
    let name = origin.detail.as_deref().or_else(|| origin.name.strip_prefix("process.env.")).filter(|name| !name.is_empty());
    let is_secret = is_secret_variable(name);
    Read {
        sensitivity: is_secret.then_some(Sensitivity::Authentication),
        is_harmless: !is_secret,
        is_many: name.is_none(),
        words: name.map_or("the whole environment".to_owned(), |name| {
            format!("the environment variable `{}`", name.trim_start_matches("process.env."))
        }),
        ..plain
    }
}

fn place(origin: &Origin) -> String {
    origin.detail.as_deref().map_or(format!("`{}`", origin.name), short)
}

/// A text of at most 60 characters.
fn short(text: &str) -> String {
    let is_long = 60 < text.chars().count();
    let text: String = text.chars().take(60).map(|character| if character.is_control() { '…' } else { character }).collect();
    if is_long { format!("{text}…") } else { text }
}

fn tool_read(subject: &Subject, origin: &Origin, house: &House, plain: Read) -> Read {
    let call = match origin.call {
        Some(CallRef::Tool(index)) => subject.calls.get(index),
        Some(CallRef::Host(_)) | None => None,
    };
    let profile = tool_in(&origin.name, house);
    let told = call.filter(|_| !profile.is_public).and_then(argument_sensitivity);
    let sensitivity = profile.sensitivity.max(told).filter(|_| !profile.redacts);
    let (is_many, is_unfiltered) = call.map_or((profile.reads_many, true), |call| amount(call, profile.reads_many));
    let only_acts = !profile.reads && !profile.transforms && !profile.is_network_read && !profile.sinks.is_empty();
    Read {
        sensitivity,
        is_harmless: only_acts || profile.redacts,
        is_public: profile.is_public && sensitivity.is_none(),
        is_many: is_many && !only_acts,
        is_unfiltered,
        is_untrusted: profile.is_network_read,
        words: sensitivity.map_or(plain.words.clone(), |kind| format!("{} data read by `{}`", kind.name(), origin.name)),
        ..plain
    }
}

/// Keys of arguments that name what is read.
const NAMING: &[&str] = &[
    "path",
    "paths",
    "file",
    "filename",
    "filepath",
    "table",
    "collection",
    "key",
    "keys",
    "name",
    "resource",
    "type",
    "query",
    "sql",
    "statement",
    "q",
    "dataset",
    "entity",
    "object",
    "index",
    "secret",
    "folder",
    "title",
    "fields",
    "select",
    "columns",
    "include",
    "command",
    "cmd",
    "bucket",
    "",
];

/// What kind of data an argument names: `{ path: '~/.ssh/id_rsa' }`, `{ sql: 'SELECT * FROM patients' }`.
fn argument_sensitivity(call: &Call) -> Option<Sensitivity> {
    let mut found = None;
    call.argument.visit("", &mut |key, value| {
        if let Value::String(text, _) | Value::Partial(text, _) = value
            && NAMING.contains(&key.to_lowercase().as_str())
        {
            found = found.max(text_sensitivity(text));
        }
    });
    found
}

fn text_sensitivity(text: &str) -> Option<Sensitivity> {
    let named = words(text).iter().take(64).filter_map(|word| noun(word)).filter_map(|noun| noun.sensitivity).max();
    // The word `token` in a query is no token; the secrets that files hold are told by their paths.
    path_sensitivity(text).max(named.filter(|kind| *kind != Sensitivity::Authentication))
}

fn command_sensitivity(command: &str) -> Option<Sensitivity> {
    let first = command.split_whitespace().next().unwrap_or_default();
    let tells_all = matches!(first, "env" | "printenv" | "set" | "export");
    let paths = command.split([' ', '\'', '"', '=', '<', '>', '|', ';']).filter_map(path_sensitivity).max();
    if tells_all { Some(Sensitivity::Authentication) } else { paths }
}

/// Words of keys that choose what is listed.
const CHOOSING: &[&str] = &[
    "id",
    "ids",
    "filter",
    "filters",
    "where",
    "query",
    "q",
    "match",
    "selector",
    "criteria",
    "conditions",
    "search",
    "status",
    "state",
    "since",
    "before",
    "after",
    "from",
    "to",
    "until",
    "email",
    "name",
    "user",
    "owner",
    "assignee",
    "tag",
    "tags",
    "label",
    "labels",
    "type",
    "path",
    "folder",
    "channel",
    "project",
    "customer",
    "account",
    "date",
    "day",
    "month",
    "year",
    "category",
    "sql",
    "older",
    "newer",
    "is",
    "has",
    "prefix",
    "city",
    "country",
    "team",
];

/// Whether a call reads a whole collection, and whether nothing chooses what of it.
fn amount(call: &Call, reads_many: bool) -> (bool, bool) {
    let (limits, _) = magnitudes(&call.argument);
    let least = limits.iter().map(|limit| limit.number).fold(f64::INFINITY, f64::min);
    let is_wild = !wildcards(&call.argument, true).is_empty();
    let mut is_chosen = false;
    call.argument.visit_properties(&mut |property| {
        let is_choosing = words(&property.key).first().is_some_and(|first| CHOOSING.contains(&first.as_str()));
        let is_empty = match &property.value {
            Value::Object(properties, _) => properties.is_empty(),
            Value::Array(elements, _) => elements.is_empty(),
            Value::String(text, _) => is_all_rows(text),
            Value::Missing | Value::Null(_) => true,
            Value::Number(..) | Value::Boolean(..) | Value::Partial(..) | Value::OneOf(..) | Value::Dynamic(_) => false,
        };
        is_chosen |= is_choosing && !is_empty;
    });
    let is_huge = limits.iter().any(|limit| EVERYTHING < limit.number);
    let is_unfiltered = is_wild || !is_chosen;
    let takes_all =
        call.tool.name().is_some_and(|name| words(name).iter().any(|word| matches!(word.as_str(), "export" | "dump" | "backup" | "all")));
    (is_huge || reads_many && PAGE < least && (is_unfiltered || takes_all), is_unfiltered && PAGE < least)
}

/// Returns true if and only if a filter or query leaves nothing out.
fn is_all_rows(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let is_query = lower.starts_with("select ");
    matches!(lower.as_str(), "" | "*" | "%" | "all" | "any" | "/" | ".")
        || is_query && !lower.contains(" where ") && !lower.contains("count(")
}
