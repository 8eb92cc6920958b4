//! Addresses that are put together of a host and what a request asks for.

use oxc_ast::ast::Expression;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::taint::{Altered, Label};
use crate::format::script::interpret::value::Val;
use crate::knowledge::words::Tag;
use crate::subject::flow::{OriginKind, Strength};
use crate::value::words::words;

/// What origins of requests to servers are named.
const REQUEST: &str = "a request";
/// The fields of a request that say what is asked for. Servers refuse a request in which it begins with neither a slash nor a scheme.
const ASKED_FOR: &[&str] = &["url", "originalUrl"];

impl<'a> Interpreter<'a> {
    /// Returns true if and only if a value is all of what a request to a server asks for.
    pub fn is_asked_for(&self, value: Val) -> bool {
        let labels = self.values.taints.labels(self.values.taint(value.id));
        // What it hangs on whether this is asked for adds nothing to it.
        let told: Vec<&Label> = labels.iter().filter(|label| Strength::Bit < label.strength).collect();
        let is_asked = |label: &&Label| {
            let is_whole = label.altered == Altered::No && label.strength == Strength::Whole;
            self.is_origin(label.origin, OriginKind::Incoming, REQUEST)
                && is_whole
                && ASKED_FOR.contains(&&**self.values.texts.get(label.field))
        };
        !told.is_empty() && told.iter().all(is_asked)
    }

    /// What stands between an address as far as it is written and what follows it: a slash, where the address is a whole host and
    /// a request's path follows as it came.
    pub fn joint(&self, before: Val, hole: &Expression<'_>, value: Val) -> &'static str {
        let is_host = || self.values.text(before.id).is_some_and(|text| is_host_alone(&text));
        let is_read = || hole.get_inner_expression().as_member_expression().is_some_and(|member| member.static_property_name().is_some());
        let is_behind = || is_read() && self.is_asked_for(value) || is_path(hole) && self.is_of_callers(value);
        if self.values.text(value.id).is_none() && is_host() && is_behind() { "/" } else { "" }
    }

    /// Returns true if and only if a value is a caller's or a user's own: nobody elsewhere has a part in it.
    fn is_of_callers(&self, value: Val) -> bool {
        let labels = self.values.taints.labels(self.values.taint(value.id));
        labels.iter().all(|label| self.is_of_kind(label.origin, OriginKind::UserInput))
    }
}

/// Returns true if and only if what is put behind a host is called a path: `${BASE}${endpoint}`.
fn is_path(hole: &Expression<'_>) -> bool {
    match hole.get_inner_expression() {
        Expression::Identifier(name) => words(&name.name).last().is_some_and(|last| Tag::AddressKey.has(last)),
        _ => false,
    }
}

/// Returns true if and only if a text is an address of which nothing follows the host.
fn is_host_alone(text: &str) -> bool {
    let host = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    host.is_some_and(|host| {
        host.contains('.') && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_hosts_stand_alone() {
        for (text, alone) in [
            ("https://api.example.com", true),
            ("https://api.example.com/v1", false),
            ("https://", false),
            ("https://user@host.example", false),
        ] {
            assert_eq!(is_host_alone(text), alone, "{text}");
        }
    }
}
