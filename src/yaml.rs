//! Reads a YAML text into a type, and names every fault of it at once, each with its place.
//!
//! The type is the only description of what may stand in the file: its JSON schema is derived from
//! it, and when the text does not fit the type, the text is held against the schema.

mod node;
mod reading;

use std::collections::HashSet;

use schemars::{JsonSchema, Schema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::yaml::node::{Content, Node, fault_in, parse};
use crate::yaml::reading::Reading;

pub use crate::yaml::node::Fault;

/// Reads a text into a type.
///
/// # Errors
///
/// All faults of the text, in order of place; at least one.
pub fn read<T: DeserializeOwned + JsonSchema>(text: &str) -> Result<T, Vec<Fault>> {
    let document = parse(text).map_err(|fault| vec![fault])?;
    let read = T::deserialize(Reading { node: &document, text });
    let mut told = Vec::new();
    let schema = schema_for!(T);
    Checker { root: schema.as_value(), told: &mut told }.check(&document, schema.as_value(), "the file");
    // A type knows no ranges; in all else it is the judge of what fits it.
    let counts = |told: &Told| read.is_err() || told.is_range;
    let mut faults: Vec<Fault> = told.into_iter().filter(counts).map(|told| told.fault).collect();
    match read {
        Ok(value) if faults.is_empty() => return Ok(value),
        Err(misfit) if faults.is_empty() => faults.push(misfit.fault()),
        Ok(_) | Err(_) => faults.sort_by_key(|fault| (fault.line, fault.column)),
    }
    Err(faults)
}

/// Reads a type from a text with another one over it: mappings are put together, and in all else what stands over counts. The keys
/// `beside` of what stands over are left out.
///
/// # Errors
///
/// When one of them is no YAML, or both together do not fit the type; the fault is one of the text that stands over.
pub fn read_over<T: DeserializeOwned>(base: &str, over: &str, beside: &[&str]) -> Result<T, Fault> {
    // Places of one text must not be taken for places of the other: the second begins where the first ends.
    let lines = base.len();
    let mut document = parse(base)?;
    document.put_over(parse(&format!("{}{over}", "\n".repeat(lines)))?.without(beside));
    T::deserialize(Reading { node: &document, text: &format!("{base}{over}") }).map_err(|misfit| {
        let fault = misfit.fault();
        let line = fault.line.saturating_sub(u32::try_from(lines).unwrap_or(u32::MAX)).max(1);
        Fault { line, ..fault }
    })
}

/// The JSON schema of a type.
pub fn schema<T: JsonSchema>() -> Schema {
    schema_for!(T)
}

/// A fault, and whether it is a number that is out of range.
struct Told {
    fault: Fault,
    is_range: bool,
}

struct Checker<'s, 'f> {
    root: &'s Json,
    told: &'f mut Vec<Told>,
}

impl<'s> Checker<'s, '_> {
    fn fault(&mut self, node: &Node, message: String) {
        self.told.push(Told { fault: fault_in(node, message), is_range: false });
    }

    /// The schema that a reference leads to.
    fn resolve(&self, schema: &'s Json) -> &'s Json {
        let pointer = schema.get("$ref").and_then(Json::as_str).and_then(|reference| reference.strip_prefix('#'));
        pointer.and_then(|pointer| self.root.pointer(pointer)).unwrap_or(schema)
    }

    /// Holds a value against its schema; `what` names the value for people.
    fn check(&mut self, node: &Node, schema: &'s Json, what: &str) {
        let schema = self.resolve(schema);
        if let Some(choices) = schema.get("anyOf").and_then(Json::as_array) {
            return self.check_choices(node, choices, what);
        }
        let words = words_of(schema);
        match &node.0.value {
            Content::Text(text) if !words.is_empty() => {
                if !words.contains(&text.as_str()) {
                    let hint = nearest(text, words.iter().copied());
                    self.fault(node, format!("{what} is `{text}`{hint}; it can be {}", listed(&words)));
                }
            }
            _ if !words.is_empty() => self.fault(node, format!("{what} must be {}", listed(&words))),
            Content::Mapping(entries) => self.check_mapping(node, entries, schema, what),
            Content::Sequence(elements) => match schema.get("items") {
                Some(items) => elements.iter().for_each(|element| self.check(element, items, &format!("an element of {what}"))),
                None => self.expect(node, schema, what, "array"),
            },
            Content::Integer(number) => self.check_number(node, *number as f64, schema, what),
            Content::Number(number) => self.check_number(node, *number, schema, what),
            Content::Text(_) => self.expect(node, schema, what, "string"),
            Content::Boolean(_) => self.expect(node, schema, what, "boolean"),
            Content::Null => self.expect(node, schema, what, "null"),
        }
    }

    fn check_choices(&mut self, node: &Node, choices: &'s [Json], what: &str) {
        let mut fewest: Option<Vec<Told>> = None;
        let is_null = |choice: &Json| choice.get("type").and_then(Json::as_str) == Some("null");
        let choices = || choices.iter().filter(|choice| !is_null(choice) || matches!(node.0.value, Content::Null));
        // A list that has a fault is not told that it should be a mapping.
        let has_kind = choices().any(|choice| self.is_of_kind(node, choice));
        for choice in choices().filter(|choice| !has_kind || self.is_of_kind(node, choice)) {
            let mut told = Vec::new();
            Checker { root: self.root, told: &mut told }.check(node, choice, what);
            if fewest.as_ref().is_none_or(|fewest| told.len() < fewest.len()) {
                fewest = Some(told);
            }
        }
        self.told.extend(fewest.into_iter().flatten());
    }

    /// Returns true if and only if a value is of the kind that a schema asks for: a text, a list, a mapping.
    fn is_of_kind(&self, node: &Node, schema: &'s Json) -> bool {
        let schema = self.resolve(schema);
        if let Some(choices) = schema.get("anyOf").and_then(Json::as_array) {
            return choices.iter().any(|choice| self.is_of_kind(node, choice));
        }
        match &node.0.value {
            Content::Null => has_type(schema, "null"),
            Content::Boolean(_) => has_type(schema, "boolean"),
            Content::Integer(_) => has_type(schema, "integer") || has_type(schema, "number"),
            Content::Number(_) => has_type(schema, "number"),
            Content::Text(_) => has_type(schema, "string") || !words_of(schema).is_empty(),
            Content::Sequence(_) => has_type(schema, "array"),
            Content::Mapping(_) => has_type(schema, "object"),
        }
    }

    fn check_mapping(&mut self, node: &Node, entries: &[(Node, Node)], schema: &'s Json, what: &str) {
        let properties = schema.get("properties").and_then(Json::as_object);
        let others = schema.get("additionalProperties").filter(|others| others.is_object());
        if properties.is_none() && others.is_none() {
            return self.expect(node, schema, what, "object");
        }
        let mut seen = HashSet::new();
        for (key_node, value) in entries {
            let Content::Text(key) = &key_node.0.value else {
                self.fault(key_node, format!("a key of {what} must be a word"));
                continue;
            };
            if !seen.insert(key.as_str()) {
                self.fault(key_node, format!("`{key}` stands twice in {what}"));
            }
            match properties.and_then(|properties| properties.get(key)).or(others) {
                Some(schema) => self.check(value, schema, &format!("`{key}`")),
                None => {
                    let known: Vec<&str> = properties.into_iter().flat_map(|known| known.keys().map(String::as_str)).collect();
                    let hint = nearest(key, known.iter().copied());
                    let known = if hint.is_empty() { format!("; known are {}", listed(&known)) } else { hint };
                    self.fault(key_node, format!("unknown key `{key}` in {what}{known}"));
                }
            }
        }
        for required in schema.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str) {
            if !seen.contains(required) {
                self.fault(node, format!("`{required}` is missing in {what}"));
            }
        }
    }

    fn check_number(&mut self, node: &Node, number: f64, schema: &Json, what: &str) {
        if has_type(schema, "integer") && !has_type(schema, "number") && number.fract() != 0.0 {
            return self.fault(node, format!("{what} must be a whole number"));
        }
        if !has_type(schema, "integer") && !has_type(schema, "number") {
            return self.expect(node, schema, what, "number");
        }
        let bound = |name: &str| schema.get(name).and_then(Json::as_f64);
        let (least, most) = (bound("minimum"), bound("maximum"));
        let is_bounded = least.is_some() || most.is_some();
        let (least, most) = (least.unwrap_or(f64::NEG_INFINITY), most.unwrap_or(f64::INFINITY));
        // What is no number is in no range.
        if is_bounded && !(least..=most).contains(&number) {
            let range = match (least.is_finite(), most.is_finite()) {
                (true, true) => format!("from {least} to {most}"),
                (false, true) => format!("at most {most}"),
                (true, false) | (false, false) => format!("at least {least}"),
            };
            let fault = fault_in(node, format!("{what} is {number}; it must be {range}"));
            self.told.push(Told { fault, is_range: true });
        }
    }

    /// A fault unless the schema takes values of the type.
    fn expect(&mut self, node: &Node, schema: &Json, what: &str, found: &str) {
        if !has_type(schema, found) && schema.get("type").is_some() {
            let types: Vec<&str> = match schema.get("type") {
                Some(Json::String(one)) => vec![one.as_str()],
                Some(Json::Array(several)) => several.iter().filter_map(Json::as_str).filter(|name| *name != "null").collect(),
                _ => Vec::new(),
            };
            let plain: Vec<&str> = types.into_iter().map(plain_type).collect();
            self.fault(node, format!("{what} must be {}, not {}", plain.join(" or "), plain_type(found)));
        }
    }
}

/// The words that a schema allows, where it is a choice of words.
fn words_of(schema: &Json) -> Vec<&str> {
    if let Some(words) = schema.get("enum").and_then(Json::as_array) {
        return words.iter().filter_map(Json::as_str).collect();
    }
    let choices = schema.get("oneOf").and_then(Json::as_array).into_iter().flatten();
    choices.filter_map(|choice| choice.get("const").and_then(Json::as_str)).collect()
}

fn has_type(schema: &Json, name: &str) -> bool {
    match schema.get("type") {
        Some(Json::String(one)) => one == name,
        Some(Json::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

fn plain_type(name: &str) -> &str {
    match name {
        "object" => "a mapping",
        "array" => "a list",
        "string" => "a text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "null" => "empty",
        other => other,
    }
}

fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// `, did you mean …` where a known word is near enough.
pub fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> String {
    let best = known.map(|known| (strsim::jaro_winkler(word, known), known)).max_by(|left, right| left.0.total_cmp(&right.0));
    match best {
        Some((likeness, known)) if 0.8 < likeness => format!(" (did you mean `{known}`?)"),
        Some(_) | None => String::new(),
    }
}

/// How many known words a message names at most: what a reader still looks through.
const FEW: usize = 12;

/// The known words, by name where they are few, otherwise those most like `word` and how many others there are.
pub fn nearest_few(word: &str, known: &[&str]) -> String {
    if known.len() <= FEW {
        return known.join(", ");
    }
    let mut by_likeness: Vec<_> = known.iter().map(|known| (strsim::jaro_winkler(word, known), *known)).collect();
    by_likeness.sort_by(|left, right| right.0.total_cmp(&left.0));
    let few: Vec<_> = by_likeness.iter().take(FEW).map(|(_, known)| *known).collect();
    format!("{}, or one of {} others", few.join(", "), known.len() - FEW)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[test]
    fn of_many_known_words_the_likest_are_named_first() {
        let many: Vec<String> = (0..40).map(|number| format!("word-{number}")).chain(["mail-hosts".to_owned()]).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let few = nearest_few("male-host", &many);
        assert!(few.starts_with("mail-hosts, ") && few.ends_with(", or one of 29 others"), "{few}");
        assert_eq!(nearest_few("x", &["b", "a"]), "b, a");
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Shape {
        name: String,
        #[schemars(range(min = 0, max = 100))]
        size: Option<u32>,
        level: Option<Level>,
        parts: Option<Vec<Self>>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    enum Level {
        Low,
        High,
    }

    #[test]
    fn every_fault_is_named_with_its_place() {
        let faults =
            read::<Shape>("nam: x\nsize: 200\nlevel: hihg\nparts:\n  - name: 1\n    size: many\n").expect_err("it is full of faults");
        let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "1:1: unknown key `nam` in the file (did you mean `name`?)",
                "1:1: `name` is missing in the file",
                "2:7: `size` is 200; it must be from 0 to 100",
                "3:8: `level` is `hihg` (did you mean `high`?); it can be `low`, `high`",
                "5:11: `name` must be a text, not a number",
                "6:11: `size` must be a whole number, not a text",
            ]
        );
    }

    #[test]
    fn what_is_not_yaml_has_a_place_too() {
        let faults = read::<Shape>("name: [\n").expect_err("it is not YAML");
        assert_eq!(faults.len(), 1);
        assert!(1 <= faults[0].line && !faults[0].message.is_empty());
    }
}
