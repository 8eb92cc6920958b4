//! Statements by which a database itself hands rows out: to a bucket, an address or another server.

use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::statement::Language;
use crate::knowledge::{House, Side, destination};
use crate::meaning::statement::{Statement, read};
use crate::value::severity::Severity;

/// Where the statements of a text hand rows out: `COPY INTO 's3://…' FROM t`, `UNLOAD (…) TO`, `EXPORT DATA`, `INSERT INTO FUNCTION
/// url(…)`. An address outside is told as such; a bucket of which nobody can say whose it is, less.
pub fn unloads(text: &str, house: &House) -> Vec<Effect> {
    read(Language::Sql, text).iter().filter(|own| hands_out(own)).filter_map(|own| unload(own, house)).collect()
}

fn unload(own: &Statement, house: &House) -> Option<Effect> {
    let endpoints = own.sets.iter().filter_map(|set| set.split_once('=')).filter(|(name, _)| name.contains("endpoint"));
    let hosts: Vec<String> = endpoints.map(|(_, host)| format!("https://{}", host.trim_start_matches("https://"))).collect();
    let addresses = own.texts.iter().filter(|text| text.starts_with("https://") || text.starts_with("http://"));
    let places: Vec<_> = hosts.iter().chain(addresses).map(|address| destination(address, house)).collect();
    if let Some(place) = places.iter().find(|place| place.side == Side::Outside) {
        let says = format!("hands rows of the database out to `{}`", place.shown);
        return Some(Effect { severity: Some(Severity::Critical), ..Effect::new(EffectKind::Send, "records", says).at(Side::Outside) });
    }
    let is_bucket = |text: &&String| {
        let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_lowercase());
        scheme.is_some_and(|scheme| list("bucket-schemes").contains(&scheme.as_str()))
    };
    let bucket = own.texts.iter().find(is_bucket).filter(|text| places.is_empty() && destination(text, house).side != Side::Inside)?;
    let says = format!("hands rows of the database out to `{bucket}`");
    Some(Effect { severity: Some(Severity::Medium), ..Effect::new(EffectKind::Send, "records", says) })
}

/// Returns true if and only if a statement takes rows out of the database, and into none of its tables.
fn hands_out(own: &Statement) -> bool {
    let verb = own.verbs.first().map_or("", String::as_str);
    let words: Vec<&str> = own.words.iter().map(String::as_str).skip_while(|word| *word == verb).collect();
    match (verb, words.as_slice()) {
        ("copy", ["into", "from", ..]) | ("export", ["data", ..]) | ("unload", _) => true,
        ("copy", words) => !words.contains(&"from") && words.contains(&"to"),
        ("insert", ["into", "function", ..]) => own.calls.iter().any(|call| list("remote-tables").contains(&call.as_str())),
        ("select", words) => words.windows(2).any(|two| two == ["into", "outfile"]),
        ("create", words) => words.contains(&"external") && words.contains(&"as") && words.contains(&"select"),
        _ => false,
    }
}
