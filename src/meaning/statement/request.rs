//! Requests: a method, an address and what is sent there.

use crate::knowledge::SinkKind;
use crate::knowledge::api::api;
use crate::knowledge::effect::{Effect, Extent};
use crate::knowledge::requested::methods;
use crate::knowledge::statement::{Language, is_host};
use crate::knowledge::words::Tag;
use crate::meaning::argument::{CHOICES, Text, choices, text, texts};
use crate::meaning::statement::{Statement, effects_of, graphql};
use crate::meaning::tool_kind::ToolName;
use crate::subject::call::{HostCall, Value};
use crate::subject::segment::HOLE;
use crate::value::words::{joined, words};

/// The methods that a text may begin with.
const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// Returns true if and only if a text begins as a request does: `DELETE /users/7`.
pub fn is_request(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_method = words.next().is_some_and(|first| METHODS.contains(&first));
    is_method && words.next().is_some_and(|second| second.starts_with('/') || second.contains("://"))
}

/// The requests of a text: a line that begins with a method, and what follows it up to the next.
pub fn read(text: &str) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match (is_request(line), words.next(), words.next()) {
            (true, Some(method), Some(address)) => found.push(request(method, address, &words.collect::<String>())),
            _ => found.iter_mut().last().into_iter().for_each(|own| own.texts.push(tight(line))),
        }
    }
    found.iter_mut().for_each(|own| own.texts = vec![own.texts.concat()]);
    found
}

/// What a request does that a host API makes.
pub fn of_host_call(call: &HostCall) -> Vec<Effect> {
    let own = made(call);
    if own.is_empty() {
        return Vec::new();
    }
    let mut found = effects_of(&own);
    // A document of GraphQL stands in the body, or in JSON in it.
    let given = call.arguments.iter().flat_map(texts).filter(|given| given.text.contains(MUTATION));
    found.extend(given.flat_map(|given| effects_of(&graphql::read(&given.text.replace("\\n", " ").replace("\\\"", "\"")))));
    found
}

/// With what a document of GraphQL begins that changes something.
const MUTATION: &str = "mutation";

/// The requests that a call of a host API may make: where a function of the script's own is handed the options, one for each.
pub fn made(call: &HostCall) -> Vec<Statement> {
    let function = call.api.rsplit('.').next().unwrap_or(&call.api);
    let is_client = || Tag::RequestClient.has(call.api.split(['.', '(']).next().unwrap_or_default());
    if !is_client() && api(&call.api).is_none_or(|api| api.sink != Some(SinkKind::Network)) {
        return Vec::new();
    }
    let given: Vec<&Value> = call.arguments.iter().collect();
    // Of more than are told apart some would be lost.
    let is_several = |value: &&Value| {
        let choices = choices(value);
        choices.len() < CHOICES && 1 < choices.iter().filter(|choice| matches!(choice, Value::Object(..))).count()
    };
    let several = given.iter().position(is_several);
    let Some(at) = several else { return made_with(call, function, &given).into_iter().collect() };
    let one = |choice| {
        let mut given = given.clone();
        given.splice(at..=at, [choice]);
        made_with(call, function, &given)
    };
    choices(&call.arguments[at]).into_iter().filter_map(one).collect()
}

fn made_with(call: &HostCall, function: &str, given: &[&Value]) -> Option<Statement> {
    let written = text(given.first()?);
    let url = written.map(str::to_owned).or_else(|| given.iter().find_map(|value| address_of(value)))?;
    let said = given.iter().find_map(|value| method_of(value));
    let method = said.unwrap_or(if function == "del" { "delete" } else { function });
    let body: String = given.iter().skip(usize::from(written.is_some())).map(|value| body(value)).collect();
    let own = request(method, &url, &body);
    let base = || call.receiver.iter().chain(given.iter().copied()).find_map(base_of);
    Some(if own.host.is_empty() { Statement { host: base().unwrap_or_default(), ..own } } else { own })
}

/// What a request does that a tool makes for the script: its method and address stand in the argument, or its name says what
/// it does with the path of a service.
pub fn of_tool(tool: &ToolName, argument: &Value) -> Vec<Effect> {
    let Some(url) = url_of(argument) else { return Vec::new() };
    let (named, url) = match url.split_once(' ') {
        Some((method, rest)) if METHODS.contains(&method) => (Some(method), rest),
        _ => (None, url),
    };
    let service = tool.owner.join("-");
    // `http:delete({ url })`
    let called = || match tool.verb.as_slice() {
        [verb] if Tag::RequestClient.has_any(tool.owner.iter()) => METHODS.iter().copied().find(|method| method.eq_ignore_ascii_case(verb)),
        _ => None,
    };
    let own = match named.or_else(|| method_of(argument)).or_else(called) {
        Some(method) => request(method, url, &body(argument)),
        None if url.starts_with('/') && is_host(&service) => {
            let verbs = tool.verb.first().map(|verb| methods(verb)).filter(|methods| !methods.is_empty());
            // What is posted to a verb is named by that verb.
            let verbs = verbs.unwrap_or_else(|| vec![POST.to_owned()]);
            Statement { verbs, ..request(POST, url, &body(argument)) }
        }
        None => return Vec::new(),
    };
    effects_of(&[if own.host.is_empty() { Statement { host: service, ..own } } else { own }])
}

/// The method by which something is done that is named by no other.
const POST: &str = "post";

fn method_of(argument: &Value) -> Option<&str> {
    let all = texts(argument);
    let is_key = |text: &&Text<'_>| Tag::MethodKey.has(&joined(text.key));
    all.into_iter().find(|text| is_key(&text) && METHODS.iter().any(|method| text.text.eq_ignore_ascii_case(method))).map(|text| text.text)
}

/// Returns true if and only if a call may use a method: a function of the script's own that is handed it makes several requests at one
/// place.
pub fn may_use(call: &HostCall, method: &str) -> bool {
    let is_it = |text: Text<'_>| Tag::MethodKey.has(&joined(text.key)) && text.text.eq_ignore_ascii_case(method);
    call.arguments.iter().flat_map(texts).any(is_it)
}

fn url_of(argument: &Value) -> Option<&str> {
    let is_key = |text: &Text<'_>| Tag::AddressKey.has(&joined(text.key));
    texts(argument).into_iter().find(|text| is_key(text) && text.text.contains('/')).map(|text| text.text)
}

/// The address that options say, whole or by its host and its path.
fn address_of(options: &Value) -> Option<String> {
    let url = url_of(options)?;
    match base_of(options) {
        Some(host) if url.starts_with('/') => Some(format!("https://{host}{url}")),
        _ => Some(url.to_owned()),
    }
}

/// The host of the server to which the options of a client lead.
fn base_of(options: &Value) -> Option<String> {
    let is_key = |text: &Text<'_>| Tag::ServerKey.has(&joined(text.key)) && text.text.contains('.');
    texts(options).into_iter().find(is_key).map(|text| host_of(text.text))
}

fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.rsplit('@').next().unwrap_or_default().to_lowercase()
}

/// What is sent, written without spaces: what an argument says as JSON or as an object.
pub fn body(argument: &Value) -> String {
    let mut found = String::new();
    argument.visit("", &mut |key, value| match value {
        Value::String(text, _) | Value::Partial(text, _) => found.push_str(&tight(&format!("{key}:{text};"))),
        Value::Number(number, _) => found.push_str(&format!("{key}:{number};")),
        Value::Boolean(yes, _) => found.push_str(&format!("{key}:{yes};")),
        Value::Object(..) => found.push_str(&format!("{key}:{{")),
        Value::Null(_) => found.push_str(&format!("{key}:null;")),
        // Of a list of which nothing is known it is told that there is one.
        Value::Array(elements, _) if !elements.is_empty() && elements.iter().all(|element| matches!(element, Value::Dynamic(_))) => {
            found.push_str(&format!("{key}:[;"));
        }
        Value::Missing | Value::Array(..) | Value::OneOf(..) | Value::Dynamic(_) => {}
    });
    found
}

/// A text without spaces and quotes.
pub fn tight(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace() && !matches!(character, '"' | '\'')).collect()
}

/// A request by its method, its address and what is sent.
fn request(method: &str, url: &str, body: &str) -> Statement {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let host = if path.contains("://") { host_of(path) } else { String::new() };
    let path = path.split_once("://").map_or(path, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let mut own = Statement::new(Language::Http, method);
    own.name = parts.join("/");
    own.host = host;
    own.texts = vec![tight(body)];
    own.is_spare = parts.iter().any(|part| words(part).iter().any(|word| Tag::Harmless.has(word) || Tag::Ephemeral.has(word)));
    let (object, extent) = parts.last().map_or(("", Extent::Unknown), |last| reached(&parts, last, query));
    own.object = object.to_owned();
    own.extent = extent;
    own
}

/// What the last part of an address names, and how much of it.
fn reached(parts: &[&str], last: &str, query: &str) -> (&'static str, Extent) {
    let named = words(last);
    let is_version = last.starts_with('v') && last.len() < 4;
    let chooses = query.split('&').any(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        !value.is_empty()
            && !matches!(value, "true" | "1" | "*" | "all" | "yes")
            && !matches!(name, "force" | "confirm" | "hard" | "cascade" | "api-version")
    });
    if chooses || last.contains(HOLE) || last.starts_with([':', '{']) || is_version {
        return ("element", Extent::One);
    }
    let is_all = named.iter().any(|word| matches!(word.as_str(), "all" | "everything" | "_all")) || last.contains('*') || last == "_all";
    let is_plural =
        named.last().is_some_and(|word| 3 < word.len() && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us"));
    let is_dear = named.iter().any(|word| Tag::People.has(word) || Tag::Holder.has(word) || Tag::Part.has(word) || Tag::Precious.has(word));
    // `/projects/p-7`: one thing behind the name of what it is one of.
    let holder = parts.len().checked_sub(2).and_then(|at| parts.get(at)).map(|part| words(part)).unwrap_or_default();
    match () {
        () if is_all || is_plural && is_dear => ("collection", Extent::All),
        () if holder.iter().any(|word| Tag::Holder.has(word)) && !is_plural => ("holder", Extent::All),
        () => ("element", Extent::One),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::severity::Severity;

    #[test]
    fn a_collection_is_told_from_one_of_its_elements() {
        let (critical, high) = (Some(Severity::Critical), Some(Severity::High));
        for (url, expected) in [
            ("https://api.shop.internal/v1/customers", critical),
            ("https://search.internal:9200/_all", critical),
            ("/api/orders/all", critical),
            ("/api/orders?force=true", critical),
            ("https://api.shop.internal/v1/customers/42", None),
            ("https://api.shop.internal/v1/customers/\u{1a}", None),
            ("/api/sessions?user=7", None),
            ("/api/cache/entries", None),
            ("/api/v1", None),
            ("https://api.cloud.example/v2/clusters/main", high),
            ("/api/tags/blue", None),
        ] {
            assert_eq!(effects_of(&[request("DELETE", url, "")]).first().and_then(|effect| effect.severity), expected, "{url}");
        }
    }
}
