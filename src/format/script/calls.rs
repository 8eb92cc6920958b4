//! Whether a script calls tools at all.

use crate::format::script::callee::Callees;
use crate::format::script::collect::Collected;
use crate::format::script::fold::{Budget, Folder};

/// Returns true if and only if the script calls a tool.
pub fn calls_tools<'a>(collected: &Collected<'a, '_>, named: &[String], budget: &Budget) -> bool {
    let folder = Folder::new(&collected.bindings, budget);
    let callees = Callees::new(&collected.bindings, &folder, named);
    collected.calls.iter().any(|site| callees.tool_call(site.call).is_some())
}
