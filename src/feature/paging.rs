//! Calls that read page after page.

use crate::feature::names::words;
use crate::feature::vocabulary::Words;
use crate::subject::call::Value;

/// Keys that say where the next page begins, their words written together.
const PLACES: Words = Words(
    "page pageno pagenumber pageindex offset cursor skip after startafter nexttoken pagetoken nextpagetoken continuationtoken nextcursor \
     startcursor marker scrollid startingafter startkey exclusivestartkey startrow lastid lastkey sinceid maxid endingbefore nextpage",
);

/// The key that says where the next page begins, if an argument has one whose value changes from call to call.
pub fn page_key(argument: &Value) -> Option<&str> {
    let mut found = None;
    argument.visit_properties(&mut |property| {
        if found.is_none() && PLACES.has(&words(&property.key).concat()) && changes(&property.value) {
            found = Some(property.key.as_str());
        }
    });
    found
}

/// Returns true if and only if a value is not the same in every call.
fn changes(value: &Value) -> bool {
    match value {
        Value::Dynamic(_) | Value::Partial(..) | Value::OneOf(..) => true,
        Value::Missing
        | Value::String(..)
        | Value::Number(..)
        | Value::Boolean(..)
        | Value::Null(_)
        | Value::Array(..)
        | Value::Object(..) => false,
    }
}
