//! What requests destroy: a DELETE of a whole collection, a call of an administration interface.

use crate::meaning::argument::{Text, text, texts};
use crate::meaning::harm::Harm;
use crate::meaning::names::words;
use crate::meaning::vocabulary::{EPHEMERAL, HARMLESS, HOLDERS, PARTS, PEOPLE, PRECIOUS};
use crate::subject::call::{HostCall, Value};
use crate::subject::segment::HOLE;

/// The harm of a request that a host API makes.
pub fn of_host_call(call: &HostCall) -> Option<Harm> {
    let function = call.api.rsplit('.').next().unwrap_or(&call.api);
    let is_client = ["fetch", "axios", "got", "ky", "needle", "superagent", "undici", "request", "http", "https"]
        .iter()
        .any(|client| call.api == *client || call.api.strip_prefix(client).is_some_and(|rest| rest.starts_with(['.', '('])));
    if !is_client {
        return None;
    }
    let of_function = matches!(function, "delete" | "del");
    let url = match call.arguments.first()? {
        Value::Object(..) => call.arguments.first().and_then(url_of),
        first => text(first),
    };
    let is_delete = of_function || call.arguments.iter().any(says_delete);
    if is_delete { of_url(url?) } else { None }
}

/// The harm of a request that a tool makes for the script: its method and address stand in the argument.
pub fn of_argument(argument: &Value) -> Option<Harm> {
    if says_delete(argument) { of_url(url_of(argument)?) } else { None }
}

fn says_delete(argument: &Value) -> bool {
    texts(argument).iter().any(|text| {
        matches!(words(text.key).concat().as_str(), "method" | "verb" | "httpmethod" | "type") && text.text.eq_ignore_ascii_case("delete")
    })
}

fn url_of(argument: &Value) -> Option<&str> {
    let is_key = |text: &Text<'_>| {
        matches!(words(text.key).concat().as_str(), "url" | "uri" | "path" | "endpoint" | "href" | "resource" | "route" | "to" | "target")
    };
    texts(argument).into_iter().find(|text| is_key(text) && text.text.contains('/')).map(|text| text.text)
}

/// The harm of deleting what an address names.
fn of_url(url: &str) -> Option<Harm> {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let path = path.split_once("://").map_or(path, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let last = *parts.last()?;
    let named = words(last);
    let is_version = |part: &str| part.starts_with('v') && part.len() < 4;
    let is_throwaway = parts.iter().any(|part| words(part).iter().any(|word| HARMLESS.has(word) || EPHEMERAL.has(word)));
    let chooses = query.split('&').any(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        !value.is_empty()
            && !matches!(value, "true" | "1" | "*" | "all" | "yes")
            && !matches!(name, "force" | "confirm" | "hard" | "cascade" | "api-version")
    });
    if is_throwaway || chooses || last.contains(HOLE) || last.starts_with([':', '{']) || is_version(last) {
        return None;
    }
    let is_all = named.iter().any(|word| matches!(word.as_str(), "all" | "everything" | "_all")) || matches!(last, "*" | "_all");
    let is_plural =
        named.last().is_some_and(|word| 3 < word.len() && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us"));
    let is_dear = named.iter().any(|word| PEOPLE.has(word) || HOLDERS.has(word) || PARTS.has(word) || PRECIOUS.has(word));
    // `/projects/p-7`: one thing behind the name of what it is one of.
    let holder = parts.len().checked_sub(2).and_then(|at| parts.get(at)).map(|part| words(part)).unwrap_or_default();
    let is_holder = holder.iter().any(|word| HOLDERS.has(word)) && !is_plural;
    match () {
        () if is_all || is_plural && is_dear => Some(Harm::critical(format!("deletes everything under `{last}` by a request"))),
        () if is_holder => Some(Harm::high(format!("deletes `{last}` with all in it by a request"))),
        () => None,
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
            assert_eq!(of_url(url).map(|harm| harm.severity), expected, "{url}");
        }
    }
}
