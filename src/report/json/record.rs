//! The line of a stream that an entry answers, and the answer to a line in which there is nothing to judge.

use serde_json::{Map, Value, json};

use crate::finding::PassedOver;
use crate::finding::StreamLine;

/// What an entry of a stream is told by.
const KEY: &str = "record";

/// The answer to a line in which there is nothing to judge.
pub fn passed_over(passed: &PassedOver) -> Value {
    let mut value = json!({ "type": "passed-over", "path": passed.name.as_text(), "reason": passed.kind.name() });
    if let Some(object) = value.as_object_mut() {
        put(passed.stream_line, object);
    }
    value
}

/// Says which line of a stream an entry answers, if it answers one, beside whatever else is said of its record.
pub fn put(line: Option<StreamLine>, entry: &mut Map<String, Value>) {
    let Some(StreamLine { number, is_last, is_awaited: _ }) = line else { return };
    let record = entry.entry(KEY).or_insert_with(|| Value::Object(Map::new()));
    if let Some(record) = record.as_object_mut() {
        record.insert("line".to_owned(), number.into());
        record.insert("last".to_owned(), is_last.into());
    }
}
