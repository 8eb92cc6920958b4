//! Methods that are named as requests are: `client.api("/users/7").delete()`, `request("PUT /repos/{owner}/{repo}/topics")`.

use crate::knowledge::act::known_tool;
use crate::knowledge::command::list;
use crate::knowledge::form::is_acting;
use crate::knowledge::tool::{is_verb, tool as of_words};
use crate::knowledge::words::Tag;
use crate::value::words::{split_owner, words};

/// What the methods of HTTP do to what a path names.
const METHODS: &[(&str, &str)] = &[
    ("del", "delete"),
    ("delete", "delete"),
    ("get", "get"),
    ("head", "get"),
    ("patch", "update"),
    ("post", "create"),
    ("put", "update"),
    ("request", "request"),
    ("send_request", "request"),
];

/// The tool that a method does with a path, and whether the path ends in the name of one thing.
///
/// `graph:post` of `/me/sendMail` is `graph:send_mail`, `graph:delete` of `/users/7` is `graph:delete_users`.
pub fn requested(tool: &str, path: &str) -> Option<(String, bool)> {
    let (service, method) = tool.split_once(':')?;
    let (named, path) = match path.split_once(' ') {
        Some((named, rest)) => (Some(named.to_ascii_lowercase()), rest),
        None => (None, path),
    };
    // What a text deletes is read as a statement, with how much it reaches.
    if named.as_deref() == Some("delete") {
        return None;
    }
    let mut verb = verb_of(method)?;
    if verb == "request" {
        verb = verb_of(named.as_deref().unwrap_or("get"))?;
    }
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let path = path.split_once("://").map_or(path, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    // What stands in braces is passed by its own key.
    let is_one = parts.last().is_some_and(|last| !is_name(last) && !last.starts_with(['{', ':']));
    let names: Vec<&str> = parts.iter().copied().filter(|part| is_name(part)).collect();
    let (last, before) = names.split_last()?;
    // What is posted to a verb does it.
    let ends_in_name = parts.last().is_some_and(|last| is_name(last));
    let acts = verb == "create" && ends_in_name && is_acting(last);
    let owner = if acts { None } else { before.last().filter(|_| before.len() < 3) };
    let spoken = words(last).join("_");
    let verb = if acts { spoken } else { format!("{verb}_{spoken}") };
    let owner = owner.map(|owner| format!("_{}", words(owner).join("_"))).unwrap_or_default();
    Some((format!("{service}:{verb}{owner}"), is_one))
}

/// The tool that a remote procedure is by its name: `eth_sendTransaction` of the service `ethereum` is `ethereum:send_transaction`.
pub fn procedure(tool: &str, name: &str) -> Option<String> {
    let (service, _) = tool.split_once(':')?;
    let is_plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let words = words(name);
    let own = words.first().filter(|first| 1 < words.len() && service.starts_with(first.as_str()));
    let named = words.get(usize::from(own.is_some())..).unwrap_or_default();
    is_plain.then(|| format!("{service}:{}", named.join("_")))
}

/// The tool that a mutation of GraphQL is by its first field, verb first: `mutation { refundCreate(…) }` asked of the service `shopify`
/// is `shopify:create_refund`.
pub fn mutation(tool: &str, document: &str) -> Option<String> {
    let service = tool.strip_suffix(":query")?;
    let behind = document.trim_start().strip_prefix("mutation")?;
    let (head, selection) = behind.split_once('{')?;
    // The variables may be objects with defaults: what follows the last bracket counts.
    let selection = if head.contains('(') && !head.contains(')') { behind.split_once(')')?.1.split_once('{')?.1 } else { selection };
    // What stands before a colon is only what the answer is called.
    let (first, rest) = leading_name(selection);
    let field = rest.trim_start().strip_prefix(':').map_or(first, |named| leading_name(named).0);
    let mut said = words(field);
    if said.len() < 2 {
        return None;
    }
    if !said.first().is_some_and(|first| is_verb(first)) && said.last().is_some_and(|last| is_verb(last)) {
        said.rotate_right(1);
    }
    Some(format!("{service}:{}", said.join("_")))
}

/// The keys of an argument by which a tool of many uses is told what to do.
pub const OPERATION_KEYS: &[&str] = &["op", "operation", "action", "subcommand", "method", "cmd", "command", "api"];

/// The tool that one of many uses is by the operation that its argument names under a key: `aws:rds` told `{ op: 'delete-db-instance' }`
/// is `rds:delete_db_instance`, `okta:users` told `{ op: 'delete' }` is `okta:delete_users`. A tool whose own name says what it does is
/// that alone.
pub fn operation(tool: &str, key: &str, said: &str) -> Option<String> {
    let is_plain = !said.is_empty() && said.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let (spoken, (owner, name)) = (words(said), split_owner(tool));
    if !is_plain || !spoken.first().is_some_and(|first| is_verb(first)) || known_tool(tool).is_some() {
        return None;
    }
    let named: Vec<String> = words(name).into_iter().filter(|word| !list("neutral-uses").contains(&word.as_str())).collect();
    // What runs programs is told one of those.
    let runs = || words(owner).iter().any(|word| Tag::Shell.has(word) || Tag::OwnerProgram.has(word));
    if named.iter().any(|word| is_verb(word)) || matches!(key, "cmd" | "command") && runs() {
        return None;
    }
    let spoken = spoken.join("_");
    let is_cloud = list("clouds").contains(&owner);
    let has_hump = |pair: &[u8]| matches!(pair, [small, large] if small.is_ascii_lowercase() && large.is_ascii_uppercase());
    let says_on_what = said.contains(['-', '_']) || said.as_bytes().windows(2).any(has_hump);
    // What it is about stands in the name, if nothing else says so: `core:employees` told `get-all`.
    let about = |found: String| {
        let is_less = !named.is_empty() && of_words(&found).sensitivity < of_words(tool).sensitivity;
        if is_less { format!("{found}_{}", named.join("_")) } else { found }
    };
    let found = match (says_on_what, named.as_slice()) {
        // One word may as well say what a rule does, or which method a request has.
        (false, _) if !matches!(key, "op" | "operation" | "subcommand") => None,
        (false, []) => None,
        (false, named) => Some(format!("{owner}:{spoken}_{}", named.join("_"))),
        (true, named) if is_cloud && !named.is_empty() => Some(format!("{}:{spoken}", named.join("_"))),
        (true, _) => Some(about(format!("{owner}:{spoken}"))),
    };
    // A key that a tool does not know makes it no milder: what sends does so, whatever it is told to read.
    let is_milder = |found: &str| !of_words(tool).sinks.is_empty() && of_words(found).sinks.is_empty();
    found.filter(|name| !name.starts_with(':') && !is_milder(name))
}

/// The name with which a text begins, and what follows.
fn leading_name(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(|character: char| !character.is_ascii_alphanumeric() && character != '_').unwrap_or(text.len()))
}

/// Returns true if and only if a tool is what a method does with some path: `heroku:get_apps` is so of `heroku:get`.
pub fn is_requested_by(method: &str, tool: &str) -> bool {
    let Some((service, method)) = method.split_once(':') else { return false };
    let named = tool.split_once(':').filter(|(own, _)| *own == service).map(|(_, name)| name);
    let rest = verb_of(method).and_then(|verb| named?.strip_prefix(verb));
    rest.is_some_and(|rest| rest.starts_with('_'))
}

fn verb_of(method: &str) -> Option<&'static str> {
    METHODS.iter().find(|(own, _)| *own == method).map(|(_, verb)| *verb)
}

/// The methods that do what a tool says by its verb: `put` and `patch` for `update`.
pub fn methods(verb: &str) -> Vec<String> {
    METHODS.iter().filter(|(method, does)| *does == verb || *method == verb).map(|(method, _)| (*method).to_owned()).collect()
}

/// Returns true if and only if a part of a path is a name: not an identifier, a parameter or a version.
fn is_name(part: &str) -> bool {
    let is_version = part.strip_prefix('v').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    let is_plain = part.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_' | b'.' | b'$'));
    is_plain && !is_version && !matches!(part, "me" | "api" | "rest" | "beta")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_are_tools_of_their_service() {
        for (tool, document, expected) in [
            ("shopify:query", "mutation ($input: RefundInput!) { refundCreate(input: $input) { id } }", Some("shopify:create_refund")),
            ("shopify:query", "mutation M($a: A = { b: 1 }) { x: tagsAdd(id: 1) { id } }", Some("shopify:add_tags")),
            ("shopify:query", "mutation { deleteUser(id: 7) { id } }", Some("shopify:delete_user")),
            ("shopify:query", "query { shop { id } }", None),
            ("shopify:query", "mutation", None),
            ("shopify:list", "mutation { deleteUser(id: 7) { id } }", None),
        ] {
            assert_eq!(mutation(tool, document).as_deref(), expected, "{document}");
        }
    }

    #[test]
    fn tools_of_many_uses_are_what_their_argument_says() {
        for (tool, key, said, expected) in [
            ("aws:rds", "op", "delete-db-instance", Some("rds:delete_db_instance")),
            ("aws:rds", "api", "DeleteDBInstance", Some("rds:delete_db_instance")),
            ("iam:call", "action", "delete-user", Some("iam:delete_user")),
            ("okta:users", "op", "delete", Some("okta:delete_users")),
            ("mdm:command", "command", "EraseDevice", Some("mdm:erase_device")),
            ("shell:run", "command", "delete-user", None),
            ("core:employees", "op", "get-all", Some("core:get_all_employees")),
            ("core:salaries", "operation", "list_all", Some("core:list_all_salaries")),
            ("github:repos", "operation", "delete_branch", Some("github:delete_branch")),
            // A rule, a request and a tool that says itself what it does.
            ("okta:users", "action", "delete", None),
            ("http:request", "method", "DELETE", None),
            ("audit:list", "action", "delete-user", None),
            // No name of an operation.
            ("aws:rds", "op", "delete the users", None),
            ("aws:rds", "op", "", None),
            ("aws:rds", "op", "production-db", None),
        ] {
            assert_eq!(operation(tool, key, said).as_deref(), expected, "{tool} {said}");
        }
    }

    #[test]
    fn procedures_are_tools_of_their_service() {
        for (name, expected) in [
            ("eth_sendTransaction", Some("ethereum:send_transaction")),
            ("trace_block", Some("ethereum:trace_block")),
            ("eth_", Some("ethereum:eth")),
            ("", None),
            ("a b", None),
        ] {
            assert_eq!(procedure("ethereum:call", name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_method_and_a_path_are_a_tool() {
        for (tool, path, expected) in [
            ("graph:post", "/me/sendMail", Some(("graph:send_mail", false))),
            ("graph:delete", "/users/7", Some(("graph:delete_users", true))),
            ("github:send_request", "DELETE /repos/{owner}/{repo}", None),
            ("github:send_request", "GET /user", Some(("github:get_user", false))),
            ("heroku:patch", "/apps/x1/config-vars", Some(("heroku:update_config_vars_apps", false))),
            ("graph:patch_events", "/me/events", None),
            ("graph:post", "/", None),
        ] {
            assert_eq!(requested(tool, path), expected.map(|(tool, is_one)| (tool.to_owned(), is_one)), "{tool} {path}");
        }
    }
}
