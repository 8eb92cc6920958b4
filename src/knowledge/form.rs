//! Forms in which scripts call tools: objects of SDKs and platforms whose methods are tools by another name.
//!
//! A path is what the interpreter knows a value by: `@octokit.rest.Octokit().repos.delete`. What is known of where it
//! came from is a type (`<octokit>.repos.delete`); what its methods do is said of the service that the type belongs to.

use std::cell::{OnceCell, RefCell};
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::knowledge::act::is_act_verb;
use crate::knowledge::command::list;
use crate::knowledge::path::{parts_of, split, start, whole};
use crate::knowledge::slots::numbers;
use crate::knowledge::text::{List, Name, Text};
use crate::knowledge::tool::is_verb;
use crate::knowledge::wildcard::{WildcardTable, fits};
use crate::knowledge::words::has_own;
use crate::subject::flow::OriginKind;
use crate::value::words::words;

/// How the names of tools begin that put something into an archive.
pub const ADDING_TO_ARCHIVE: &str = "archive:add";

/// Patterns of paths by their first part.
pub struct Paths {
    /// The first parts in order, each with the position of its first pattern.
    pub roots: &'static [(Name, u16)],
    /// Patterns with the positions of their rows; of each first part the ones that say most come first.
    pub rows: &'static [(Name, u16)],
}

/// The paths of methods: there are thousands, so they are looked up by their last part.
pub struct MethodPaths {
    /// What stands before the last parts.
    pub heads: &'static [Name],
    /// The last parts in order, each with the position of its first pair.
    pub ends: &'static [(Name, u16)],
    /// Pairs of a head and a row; of each last part the ones that say most come first.
    pub rows: &'static [(u16, u16)],
    /// The heads by their first part.
    pub roots: Paths,
}

/// The first parts of all paths: most of what scripts name begins with none of them.
pub struct Roots {
    /// The parts.
    pub names: &'static [Name],
    /// Where each of them is found.
    pub slots: &'static [u16],
    /// Those with wildcards.
    pub open: &'static [Name],
}

/// All rows.
pub struct Forms {
    /// What values are.
    pub types: &'static [Type],
    /// Where they come from.
    pub type_paths: Paths,
    /// Objects whose methods call tools.
    pub services: &'static [Service],
    /// Where they are.
    pub service_paths: Paths,
    /// Methods that are tools.
    pub methods: &'static [Method],
    /// Where they are.
    pub method_paths: MethodPaths,
    /// Functions that hosts and frameworks call.
    pub entries: &'static [Entry],
    /// Where they are handed over.
    pub entry_paths: Paths,
    /// Modules that stand for servers.
    pub modules: &'static [Module],
    /// Their names as they are imported.
    pub module_names: WildcardTable,
    /// The first parts of all paths.
    pub roots: Roots,
}

/// What is known of the forms in which tools are called; a row is the same wherever it is asked for.
pub static FORMS: &Forms = &include!(concat!(env!("OUT_DIR"), "/forms.rs"));

/// What a constructor, a factory, a parameter or a host yields.
#[derive(Debug)]
pub struct Type {
    /// Its path: `<octokit>`.
    pub path: Name,
    /// The keys under which tools get what it was made with; `_` for what they do not.
    pub keys: List,
    /// What is read of it comes from there.
    pub holds: Option<OriginKind>,
    /// What that is called.
    pub called: Option<Name>,
    /// It stands for a list of such values as well as for one of them.
    pub is_listed: bool,
    /// Where this is known from.
    pub source: Text,
}

/// Objects whose methods call tools.
#[derive(Debug)]
pub struct Service {
    /// Its name: the owner of its tools. `{1}` is what the first `*` of its path stood for.
    pub name: Name,
    /// Methods that only say what the next one works on, with the keys of their arguments.
    pub links: &'static [(Name, List)],
    /// Methods that act though their words do not say so.
    pub actions: List,
    /// Its method `send` takes an object of the class that names what is done.
    pub has_commands: bool,
    /// What its tools return has methods that act.
    pub has_objects: bool,
    /// It is the way in which agents call tools.
    pub is_agent: bool,
    /// A script that calls one of its tools.
    pub hit: Text,
    /// One that does not.
    pub miss: Text,
    /// Where this is known from.
    pub source: Text,
}

/// A method that is a tool by another name.
#[derive(Debug)]
pub struct Method {
    /// The tool; none for one that only says what the next one works on.
    pub tool: Option<Name>,
    /// The keys of its arguments.
    pub arguments: List,
    /// Its first argument is the method that is called with the others.
    pub is_via: bool,
    /// Its first argument is a way to the server whose tools are called from then on.
    pub is_connecting: bool,
    /// A script that calls it.
    pub hit: Text,
    /// One that does not.
    pub miss: Text,
    /// Where this is known from.
    pub source: Text,
}

/// What hands functions to a host or a framework, which calls them.
#[derive(Debug)]
pub struct Entry {
    /// What these are passed: paths of types, or `_`.
    pub parameters: &'static [&'static str],
    /// The names that the first parameters of such a function must have, where only these tell it from others.
    pub named: &'static [&'static [&'static str]],
    /// What the host adds to the object on which it calls them: the path of a type.
    pub this: Option<&'static str>,
    /// What they return goes to whoever asked, and to nobody else.
    pub answers: bool,
    /// The call that is handed one calls it at once and returns what it returns, as that of a transaction does.
    pub returns: bool,
    /// A script that hands one over.
    pub hit: Text,
    /// One that does not.
    pub miss: Text,
    /// Where this is known from.
    pub source: Text,
}

/// Modules of one's own that stand for a server.
#[derive(Debug)]
pub struct Module {
    /// The path that they go by.
    pub path: Name,
    /// A name that fits.
    pub hit: Text,
    /// One that does not.
    pub miss: Text,
    /// Where this is known from.
    pub source: Text,
}

/// What a call is in the form in which it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The tool that is called; none, if it only says what the next call works on.
    pub tool: Option<String>,
    /// The keys of its arguments.
    pub arguments: &'static [&'static str],
    /// The keys of what its object was made with.
    pub made: &'static [&'static str],
    /// The first argument names the method.
    pub is_via: bool,
    /// The first argument is an object whose class names what is done, for the service of this name.
    pub commands: Option<String>,
    /// It is the way in which agents call tools.
    pub is_agent: bool,
    /// A row says what it does, not its words.
    pub is_named: bool,
    /// The first argument is a way to the server whose tools are called from then on.
    pub is_connecting: bool,
}

impl Form {
    /// A tool of which nothing is known but its name.
    pub fn of_words(tool: &str) -> Self {
        let (arguments, made) = (&[], &[]);
        Self {
            tool: Some(tool.to_owned()),
            arguments,
            made,
            is_via: false,
            commands: None,
            is_agent: false,
            is_named: false,
            is_connecting: false,
        }
    }
}

/// The form of the call of a path, if it is one that is known.
pub fn form(path: &str) -> Option<Form> {
    let find = || {
        let (parts, made) = typed(path)?;
        method(&parts, made).or_else(|| service(&parts, made))
    };
    if begins(path) { known(path, |known| known.form.get_or_init(find).clone()) } else { None }
}

/// Returns true if and only if what is known of forms begins with this global.
pub fn is_root(global: &str) -> bool {
    let Roots { names, slots, open } = &FORMS.roots;
    let is_name = numbers(global, slots).any(|number| names.get(number).is_some_and(|name| name.get() == global));
    is_name || open.iter().any(|pattern| fits(pattern.get(), global))
}

/// Returns true if and only if forms are known of a package, by the name under which it is imported.
pub fn is_package(name: &str) -> bool {
    let name = name.replace('/', ".");
    let parts = split(&name);
    let Some(root) = parts.first().copied().filter(|root| is_root(root)) else { return false };
    let begins = |pattern: &str| {
        let pattern = split(pattern);
        pattern.get(..parts.len()).is_some_and(|start| whole(start.iter().copied(), &parts).is_some())
    };
    ALL.iter().any(|paths| candidates(paths, root).any(|(pattern, _)| begins(pattern)))
}

/// The paths of all that is known of forms.
static ALL: [&Paths; 4] = [&FORMS.type_paths, &FORMS.service_paths, &FORMS.method_paths.roots, &FORMS.entry_paths];

/// Returns true if and only if the call of a path makes an object of a service.
pub fn is_made(path: &str) -> bool {
    let find = || {
        let made = format!("{path}()");
        let Some((parts, _)) = typed(&made) else { return false };
        parts.len() == 1 || of_service(&parts).is_some_and(|(_, rest, _)| rest.is_empty())
    };
    begins(path) && known(path, |known| *known.is_made.get_or_init(find))
}

/// Returns true if and only if a path is one of a type by which values are declared.
pub fn is_made_or_typed(path: &str) -> bool {
    own_type(path).is_some_and(|own| own.path.get().starts_with('<'))
}

/// Returns true if and only if what the methods of a path's service return has methods that act.
pub fn has_objects(path: &str) -> bool {
    typed(path).and_then(|(parts, _)| Some(of_service(&parts)?.0.has_objects)).unwrap_or(false)
}

/// What is read of a path, if it is of a type that holds what comes from outside the script.
pub fn held(path: &str) -> Option<(OriginKind, &'static str)> {
    let own = own_type(path)?;
    Some((own.holds?, own.called.unwrap_or(own.path).get()))
}

/// Returns true if and only if what stands at a path is a list of values of its own type.
pub fn is_listed(path: &str) -> bool {
    own_type(path).is_some_and(|own| own.is_listed)
}

/// The row of the type that a path as a whole is of.
fn own_type(path: &str) -> Option<&'static Type> {
    let find = || {
        let (parts, _) = typed(path)?;
        let [part] = parts.as_slice() else { return None };
        FORMS.types.binary_search_by(|own| own.path.get().cmp(part)).ok().and_then(|at| FORMS.types.get(at))
    };
    if begins(path) { known(path, |known| *known.own_type.get_or_init(find)) } else { None }
}

/// Returns true if and only if an origin is what a model passes to a tool that the script makes.
pub fn is_model_input(origin: &str) -> bool {
    static CALLED: LazyLock<Option<&str>> = LazyLock::new(|| held("<agent-input>").map(|(_, called)| called));
    *CALLED == Some(origin)
}

/// Returns true if and only if an origin is what a client passes to a tool of a server that the script makes.
pub fn is_tool_argument(origin: &str) -> bool {
    static CALLED: LazyLock<Option<&str>> = LazyLock::new(|| held("<tool-arguments>").map(|(_, called)| called));
    *CALLED == Some(origin)
}

/// What the functions are passed that are handed over to a path.
pub fn entry(path: &str) -> Option<&'static Entry> {
    entries(path).first().copied()
}

/// All rows of what calls the functions that are handed to a path: which one, the names of their parameters may tell.
pub fn entries(path: &str) -> Vec<&'static Entry> {
    let find = || {
        let (parts, _) = typed(path)?;
        let rows = candidates(&FORMS.entry_paths, parts.first()?).filter(|(pattern, _)| whole(parts_of(pattern), &parts).is_some());
        Some(rows.filter_map(|(_, at)| FORMS.entries.get(at)).collect())
    };
    if begins(path) { known(path, |known| known.entries.get_or_init(|| find().unwrap_or_default()).clone()) } else { Vec::new() }
}

/// What is known of a path, as far as it was asked for.
#[derive(Default)]
struct Known {
    form: OnceCell<Option<Form>>,
    own_type: OnceCell<Option<&'static Type>>,
    entries: OnceCell<Vec<&'static Entry>>,
    is_made: OnceCell<bool>,
}

/// How many paths are remembered before all are forgotten.
const REMEMBERED: usize = 1 << 14;

/// Longer paths, in bytes, are not remembered.
const LONGEST: usize = 256;

thread_local! {
    /// What is known of paths: it is asked of each value that has one many times, and depends on nothing else.
    static KNOWN: RefCell<FxHashMap<Box<str>, Known>> = RefCell::default();
}

/// What was found for a path before.
fn known<T>(path: &str, of: impl FnOnce(&Known) -> T) -> T {
    // What is remembered holds for every scanner of this thread.
    if LONGEST < path.len() || has_own() {
        return of(&Known::default());
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(known) = known.get(path) {
            return of(known);
        }
        if REMEMBERED <= known.len() {
            known.clear();
        }
        of(known.entry(Box::from(path)).or_default())
    })
}

/// Returns true if and only if something that is known begins as a path does: nearly none does, and they are asked for with each call of
/// the runtime.
fn begins(path: &str) -> bool {
    parts_of(path).next().is_some_and(|root| root.starts_with('<') || is_root(root))
}

/// The path that a module goes by which stands for a server.
pub fn module(name: &str) -> Option<String> {
    let row = FORMS.modules.get(FORMS.module_names.fitting(name).min()?)?;
    let mut parts = name.rsplit(['/', '\\']).map(|part| part.split('.').next().unwrap_or(part));
    let last = parts.find(|part| !part.is_empty() && *part != "index")?;
    Some(row.path.get().replace("{1}", last))
}

/// From how many types one comes: a client has a database, that a collection, and that a query.
const TYPES: usize = 8;

/// The parts of a path from the type of which it is on, with the keys of what that is made with.
fn typed(path: &str) -> Option<(Vec<&str>, &'static [&'static str])> {
    if !begins(path) {
        return None;
    }
    let mut parts = split(path);
    let mut made: &[&str] = &[];
    // A type may come from another.
    for _ in 0..TYPES {
        let Some(root) = parts.first().copied() else { break };
        let found = candidates(&FORMS.type_paths, root).find_map(|(pattern, at)| start(pattern, &parts).map(|(length, _)| (length, at)));
        let Some((length, own)) = found.and_then(|(length, at)| Some((length, FORMS.types.get(at)?))) else { break };
        if !own.keys.get().is_empty() {
            made = own.keys.get();
        }
        parts.splice(..length, [own.path.get()]);
    }
    Some((parts, made))
}

fn method(parts: &[&str], made: &'static [&'static str]) -> Option<Form> {
    let (last, before) = parts.split_last()?;
    let MethodPaths { heads, ends, rows, .. } = &FORMS.method_paths;
    let (row, taken) = of_key(ends, rows, last).iter().find_map(|(head, at)| {
        let head = heads.get(usize::from(*head))?.get();
        Some((FORMS.methods.get(usize::from(*at))?, whole(parts_of(head), before)?))
    })?;
    Some(Form {
        tool: row.tool.map(|tool| filled(tool.get(), &taken)),
        arguments: row.arguments.get(),
        made,
        is_via: row.is_via,
        commands: None,
        is_agent: false,
        is_named: true,
        is_connecting: row.is_connecting,
    })
}

fn service(parts: &[&str], made: &'static [&'static str]) -> Option<Form> {
    let (row, rest, taken) = of_service(parts)?;
    let name = filled(row.name.get(), &taken);
    let form = |tool: Option<String>, arguments| Form {
        tool,
        arguments,
        made,
        is_via: false,
        commands: None,
        is_agent: row.is_agent,
        is_named: false,
        is_connecting: false,
    };
    // The function that a path names itself, as in `mcp__files__read_file()`.
    let Some(member) = rest.last().copied() else { return name.contains(':').then(|| form(Some(name), &[])) };
    if row.has_commands && member == "send" {
        return Some(Form { commands: Some(name), ..form(None, &[]) });
    }
    if member == "()" || member.starts_with(|first: char| first.is_uppercase()) {
        return None;
    }
    if let Ok(at) = row.links.binary_search_by(|(link, _)| link.get().cmp(member)) {
        return row.links.get(at).map(|(_, keys)| form(None, keys.get()));
    }
    let acts = |name: &str| row.actions.get().contains(&name) || is_acting(name);
    let before = rest.get(..rest.len() - 1).unwrap_or_default();
    let is_link = |name: &str| row.links.iter().any(|(link, _)| link.get() == name);
    let has_acted = before.windows(2).any(|pair| matches!(pair, [name, "()"] if acts(name) && !is_link(name)));
    let is_result = before.contains(&"()");
    // What a method gives is known by the type of one: it may as well be a list of them.
    let is_listed = before.is_empty() && parts.first().is_some_and(|own| own.starts_with('<')) && list("list-methods").contains(&member);
    if is_listed || is_result && (row.is_agent || is_plain(member)) {
        return None;
    }
    if !row.is_agent && (!acts(member) || has_acted && !row.has_objects) {
        return (!acts(member)).then(|| form(None, &[]));
    }
    let owners = before
        .iter()
        .enumerate()
        .filter(|(at, part)| **part != "()" && !part.starts_with(|first: char| first.is_uppercase()) && before.get(at + 1) != Some(&"()"));
    let verb = words(member).join("_");
    let tool = owners.fold(verb, |tool, (_, owner)| format!("{tool}_{}", words(owner).join("_")));
    Some(form(Some(format!("{name}:{tool}")), &[]))
}

/// The service to which a path belongs, with what follows, and what its wildcards stood for.
fn of_service<'p, 's>(parts: &'s [&'p str]) -> Option<(&'static Service, &'s [&'p str], Vec<&'p str>)> {
    candidates(&FORMS.service_paths, parts.first()?).find_map(|(pattern, at)| {
        let (length, taken) = start(pattern, parts)?;
        Some((FORMS.services.get(at)?, parts.get(length..)?, taken))
    })
}

/// The tool that a class of commands names: `PutObjectCommand` is `put_object`.
pub fn command(service: &str, class: &str) -> Option<String> {
    let class = split(class).into_iter().rev().find(|part| *part != "()")?;
    let class = class.strip_suffix("Command").filter(|class| class.starts_with(|first: char| first.is_uppercase()))?;
    Some(format!("{service}:{}", words(class).join("_")))
}

/// Returns true if and only if a word of a name says that something is done.
pub fn is_acting(name: &str) -> bool {
    words(name).iter().any(|word| is_verb(word) || is_act_verb(word))
}

/// Methods of texts, lists, maps, promises and streams of JavaScript itself, which do nothing to a service.
fn is_plain(name: &str) -> bool {
    list("list-methods").contains(&name) || list("plain-methods").contains(&name)
}

/// A text with what the wildcards of a path stood for.
fn filled(text: &str, taken: &[&str]) -> String {
    let mut filled = text.to_owned();
    for (at, part) in taken.iter().enumerate() {
        filled = filled.replace(&format!("{{{}}}", at + 1), &words(part).join("_"));
    }
    filled
}

/// The rows of a key: those from its position to the next one's.
fn of_key<R>(keys: &[(Name, u16)], rows: &'static [R], key: &str) -> &'static [R] {
    let at = keys.binary_search_by(|(own, _)| own.get().cmp(key)).ok();
    let range = at.and_then(|at| {
        let end = keys.get(at + 1).map_or(rows.len(), |(_, next)| usize::from(*next));
        Some(usize::from(keys.get(at)?.1)..end)
    });
    range.and_then(|range| rows.get(range)).unwrap_or_default()
}

/// The patterns that may fit a path that begins with a part.
fn candidates(paths: &Paths, root: &str) -> impl Iterator<Item = (&'static str, usize)> {
    let of_root = |root: &str| of_key(paths.roots, paths.rows, root).iter().map(|(pattern, at)| (pattern.get(), usize::from(*at)));
    let open = of_root("*").filter(move |(pattern, _)| parts_of(pattern).next().is_some_and(|first| fits(first, root)));
    of_root(root).chain(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(path: &str) -> Option<String> {
        form(path).and_then(|form| form.tool)
    }

    #[test]
    fn methods_of_services_are_tools_and_links_and_results_are_none() {
        for (path, expected) in [
            ("@octokit.rest.Octokit().repos.delete", Some("github:delete_repository")),
            ("@octokit.rest.Octokit().rest.repos.delete", Some("github:delete_repository")),
            ("github.rest.issues.create", Some("github:create_issue")),
            ("@octokit.rest.Octokit().repos.get().data.map", None),
            ("@octokit.rest.Octokit", None),
            ("@octokit.rest.Octokit()", None),
            ("googleapis.google.gmail().users.messages.send", Some("gmail:send_email")),
            ("mongodb.MongoClient().db().collection().deleteMany", Some("mongodb:delete_documents")),
            ("mongodb.MongoClient().db().collection", None),
            ("mongodb.MongoClient().db().collection().find().toArray", Some("mongodb:read_documents")),
            ("aws-sdk.IAM().createUser", Some("iam:create_user")),
            ("aws-sdk.IAM().createUser().promise", None),
            ("mcp__files__read_file", Some("files:read_file")),
            ("codemode.sendEmail", Some("tools:send_email")),
            ("tools.slack.postMessage", Some("slack:post_message")),
            ("lodash.delete", None),
            ("deleteMany", None),
            ("", None),
        ] {
            assert_eq!(tool(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn what_links_are_passed_has_the_keys_of_their_rows() {
        let link = form("@supabase.supabase-js.createClient().from").map(|form| (form.tool, form.arguments));
        assert_eq!(link, Some((None, &["table"][..])));
    }

    #[test]
    fn commands_are_named_by_their_class() {
        assert_eq!(command("s3", "@aws-sdk.client-s3.PutObjectCommand()").as_deref(), Some("s3:put_object"));
        assert_eq!(command("s3", "@aws-sdk.client-s3.S3Client()"), None);
    }

    #[test]
    fn a_package_is_known_by_its_name_and_not_by_its_beginning() {
        for (name, expected) in
            [("@octokit/rest", true), ("mongodb", true), ("@octokit/types", false), ("lodash", false), ("./mongodb", false)]
        {
            assert_eq!(is_package(name), expected, "{name}");
        }
    }

    #[test]
    fn modules_stand_for_servers_by_their_last_name() {
        for (name, expected) in
            [("./servers/google-drive/index.js", Some("tools.google-drive")), ("#tools/mail", Some("tools.mail")), ("./lib/mail", None)]
        {
            assert_eq!(module(name).as_deref(), expected, "{name}");
        }
    }
}
