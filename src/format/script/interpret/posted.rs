//! Whole messages that a service is given encoded: to whom they go stands in their heads, which the script wrote before.

use crate::format::script::interpret::Interpreter;
use crate::knowledge::command::list;
use crate::knowledge::host::lies_in;
use crate::knowledge::words::Tag;
use crate::subject::call::{Property, Value};
use crate::value::mail::recipients;
use crate::value::words::words;

/// The key under which is noted to whom a message goes.
const TO: &str = "to";

/// Most recipients that are noted of one message.
const RECIPIENTS: usize = 16;

impl Interpreter<'_> {
    /// Notes to whom an encoded message goes that a tool sends, by the heads of messages that the script wrote: `To: a@house.example`.
    pub fn note_recipients(&self, tool: &str, argument: &mut Value) {
        let named = words(tool);
        let has = |any: &str| named.iter().any(|word| list(any).contains(&word.as_str()));
        if !(list("sending-raw").contains(&tool) || has("raw-forms") && has("mail-servers")) {
            return;
        }
        let (Value::Object(properties, span), mut is_open) = (argument, false) else { return };
        properties.iter().for_each(|property| is_open |= holds_encoded(property));
        if !is_open {
            return;
        }
        // A mailbox of a company may well be one of the house.
        let heads = self.values.texts.all().filter(|text| text.contains('@')).flat_map(recipients).filter(|address| is_anybodys(address));
        let found: Vec<Value> = heads.take(RECIPIENTS).map(|address| Value::String(address.to_owned(), *span)).collect();
        if !found.is_empty() {
            properties.push(Property { key: TO.to_owned(), key_span: *span, value: Value::Array(found, *span) });
        }
    }
}

/// Returns true if and only if a message stands somewhere under a property whose text is not known.
fn holds_encoded(property: &Property) -> bool {
    let mut is_open = false;
    let is_key = |key: &str| list("raw-keys").contains(&key);
    property.value.visit(&property.key, &mut |key, value| is_open |= is_key(key) && matches!(value, Value::Dynamic(_)));
    is_open
}

/// Returns true if and only if anybody can have a mailbox where an address leads.
fn is_anybodys(address: &str) -> bool {
    let host = address.trim_end_matches('>').rsplit('@').next().unwrap_or_default().to_lowercase();
    lies_in(&host, Tag::MailboxHost)
}
