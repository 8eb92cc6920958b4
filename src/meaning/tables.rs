//! The tables that a script makes itself.

use crate::meaning::argument::texts;
use crate::meaning::statement::sql::made;
use crate::subject::Subject;

/// The tables that the calls of a script make, which were not there before.
pub fn tables_made(subject: &Subject) -> Vec<String> {
    let tools = subject.calls.iter().flat_map(|call| texts(&call.argument));
    let hosts = subject.host_calls.iter().flat_map(|call| call.arguments.iter().flat_map(texts));
    tools.chain(hosts).flat_map(|text| made(text.text)).collect()
}
