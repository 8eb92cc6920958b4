//! Where clients of servers lead, and packages of which nothing is known but the words of their methods.

use std::rc::Rc;

use oxc_ast::ast::{TSType, TSTypeName};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::{Arguments, Invocation};
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge::form;
use crate::knowledge::provider::is_service;
use crate::knowledge::secret::is_secret_variable;
use crate::knowledge::specifier::is_foreign_package;
use crate::knowledge::tool::tool;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, destination};
use crate::subject::flow::{OriginKind, Strength};
use crate::value::span::Span;
use crate::value::words::{joined, words};

/// How many things an address may be wrapped in: a transport, its URL.
const WRAPPED: usize = 3;
/// How many packages of one script are known by name.
const PACKAGES: usize = 200;

/// The key under which a client shows what it signs in with.
const SHOWN_KEY: &str = "apiKey";

/// Of more conditions of one chain each further one counts instead of the first.
const CONDITIONS: usize = 9;

impl<'a> Interpreter<'a> {
    /// Notes the server to which a client is connected.
    pub fn connect_server(&mut self, client: Val, transport: Val) {
        let options = match &*self.values.atoms(transport.id) {
            [Atom::Object(object)] if matches!(self.heap.object(*object).kind, ObjectKind::Plain(_)) => Some(*object),
            _ => None,
        };
        let address = self.address_in(transport, WRAPPED).or_else(|| self.server_in(options?));
        let Some(address) = address else { return };
        if let [Atom::Object(object)] = &*self.values.atoms(client.id) {
            self.servers.insert(*object, address);
        }
    }

    /// Tells a call the address of the server to which its client was made to lead, `new Client({ node: 'https://…' })`, or
    /// to which it was connected.
    pub fn name_server(&mut self, keys: ObjectId, client: Val, made_with: &[Val]) {
        let connected = match &*self.values.atoms(client.id) {
            [Atom::Object(object)] => self.servers.get(object).copied(),
            _ => None,
        };
        let options = made_with.iter().filter_map(|value| match &*self.values.atoms(value.id) {
            [Atom::Object(object)] if matches!(self.heap.object(*object).kind, ObjectKind::Plain(_)) => Some(*object),
            _ => None,
        });
        let options: Vec<ObjectId> = options.collect();
        let written = || {
            let is_own = |value: &&Val| self.values.text(value.id).is_some_and(|text| text.contains("://") && !is_service(&host_in(&text)));
            made_with.iter().find(is_own).copied()
        };
        let named = options.iter().copied().find(|options| self.server_in(*options).is_some());
        let found = connected.or_else(|| options.into_iter().find_map(|options| self.server_in(options))).or_else(written);
        if let Some(address) = found {
            self.set_key(keys, SERVER, address);
        }
        if let Some(options) = named {
            self.show_key(keys, options);
            self.show_first(keys, made_with);
        }
    }

    /// So is what stands before the options: `new Stripe(key, { host })`.
    fn show_first(&mut self, keys: ObjectId, made_with: &[Val]) {
        let is_plain = |value: &Val| match &*self.values.atoms(value.id) {
            [Atom::Object(_)] => false,
            _ => self.values.text(value.id).is_none_or(|text| !text.contains("://")),
        };
        if let Some(first) = made_with.first().copied().filter(|first| is_plain(first) && !self.is_function(*first)) {
            self.set_key(keys, SHOWN_KEY, first);
        }
    }

    /// What a client signs in with is shown to the server to which its options have it lead.
    fn show_key(&mut self, keys: ObjectId, options: ObjectId) {
        let shown = self.heap.object(options).fields.iter().map(|(key, value)| (self.values.texts.get(*key).to_string(), *value));
        let shown: Vec<(String, Val)> = shown.filter(|(key, _)| Tag::EntranceKey.has(&joined(key))).collect();
        for (key, value) in shown {
            self.set_key(keys, &key, value);
        }
    }

    /// The address, or the first of the addresses, that the options of a client name.
    fn server_in(&self, options: ObjectId) -> Option<Val> {
        let fields: Vec<(String, Val)> =
            self.heap.object(options).fields.iter().map(|(key, value)| (self.values.texts.get(*key).to_string(), *value)).collect();
        // What asks for rights is an app that others install: its host is where it stands itself.
        let is_app = fields.iter().any(|(key, _)| matches!(key.as_str(), "scopes" | "apiSecretKey"));
        let is_server = |key: &str| Tag::ServerKey.has(&joined(key)) && !(is_app && key == "hostName");
        let mut named = fields.into_iter().filter(|(key, _)| is_server(key));
        named
            .find_map(|(_, value)| match &*self.values.atoms(value.id) {
                [Atom::Object(list)] if matches!(self.heap.object(*list).kind, ObjectKind::Array) => {
                    let first = self.field_of(*list, "0")?;
                    self.values.text(first.id).is_some().then_some(first)
                }
                _ => self.values.text(value.id).is_some().then_some(value),
            })
            .filter(|address| self.values.text(address.id).is_some_and(|text| is_foreign(&text)))
    }

    /// The address that something was made with.
    fn address_in(&self, value: Val, depth: usize) -> Option<Val> {
        let is_address = |text: &str| text.contains("://");
        if self.values.text(value.id).is_some_and(|text| is_address(&text)) {
            return Some(value);
        }
        let [Atom::Object(object)] = &*self.values.atoms(value.id) else { return None };
        let inner: Vec<Val> = match &self.heap.object(*object).kind {
            ObjectKind::Instance { made_with, .. } => made_with.to_vec(),
            ObjectKind::Plain(_) => ADDRESSES.iter().filter_map(|key| self.field_of(*object, key)).collect(),
            _ => Vec::new(),
        };
        let depth = depth.checked_sub(1)?;
        inner.into_iter().find_map(|value| self.address_in(value, depth))
    }

    /// A field of an object.
    pub fn field_of(&self, object: ObjectId, key: &str) -> Option<Val> {
        let key = self.values.texts.known(key)?;
        self.heap.object(object).fields.get(&key).copied()
    }

    /// A key of which nothing stands in the keys of a chain yet: each of its conditions says something of its own.
    pub fn free_key(&mut self, keys: ObjectId, key: &str) -> String {
        let numbered = (2..CONDITIONS).map(|nth| format!("{key}_{nth}"));
        let mut names = std::iter::once(key.to_owned()).chain(numbered);
        names.find(|name| self.field_of(keys, name).is_none()).unwrap_or_else(|| key.to_owned())
    }

    /// The arguments of a tool that is called by a client, with the address of the server that gets them.
    pub fn server_of(&mut self, client: Val, arguments: &Arguments) -> Arguments {
        let address = match &*self.values.atoms(client.id) {
            [Atom::Object(object)] => self.servers.get(object).copied(),
            _ => None,
        };
        let (Some(address), [Atom::Object(call)]) = (address, &*self.values.atoms(arguments.get(0).id)) else { return arguments.clone() };
        let call = *call;
        let Some((name, passed)) = self.field_of(call, "name").zip(self.field_of(call, "arguments")) else { return arguments.clone() };
        let span = Span { start: call.0, end: call.0 };
        let own = self.allocate(derived(span, 6), ObjectKind::Plain(None));
        self.copy_fields(own, passed);
        self.set_key(own, SERVER, address);
        let own = self.values.object(own);
        Arguments::of(vec![name, own])
    }

    /// Notes that a package is imported of which no row knows anything.
    pub fn import_package(&mut self, name: &str, path: &str) {
        let is_known = !is_foreign_package(name) || form::is_package(name);
        if !is_known && self.packages.len() < PACKAGES && !self.packages.iter().any(|package| package == path) {
            self.packages.push(path.to_owned());
        }
    }

    /// Returns true if and only if a value carries what nobody passes to a package to sign in: a file, or all variables.
    fn is_dear(&mut self, value: Val) -> bool {
        let (taint, _) = self.carried(value);
        let origins: Vec<u32> =
            self.values.taints.labels(taint).iter().filter(|label| label.strength == Strength::Whole).map(|label| label.origin).collect();
        origins.into_iter().any(|at| {
            self.recorder.origin(at).is_some_and(|origin| match origin.kind {
                OriginKind::File | OriginKind::Storage | OriginKind::Clipboard => true,
                OriginKind::Environment => origin.detail.is_none(),
                OriginKind::Tool
                | OriginKind::Network
                | OriginKind::Incoming
                | OriginKind::UserInput
                | OriginKind::Process
                | OriginKind::System
                | OriginKind::Page
                | OriginKind::Program => false,
            })
        })
    }

    /// Calls a method of a package of which nothing is known but its words: of a client that was made with a credential, which
    /// acts at a service; of anything else where dear data reaches it and its words say that it sends.
    pub fn call_by_words(&mut self, path: &str, made_with: &Rc<[Val]>, invocation: Invocation<'_>) -> Option<Val> {
        let package =
            self.packages.iter().find(|package| path.strip_prefix(package.as_str()).is_some_and(|rest| rest.starts_with(['.', '('])))?;
        let member = path.rsplit('.').next()?.to_owned();
        // `projectAgentPath` puts a name together.
        if member.ends_with("()")
            || member.ends_with("Path")
            || member.starts_with(|first: char| first.is_uppercase())
            || member == *package
        {
            return None;
        }
        let owner = path.get(package.len()..).and_then(method_of_client).map(str::to_owned);
        let passed: Vec<Val> = invocation.arguments.iter().collect();
        if passed.iter().any(|value| self.is_function(*value)) {
            return None;
        }
        // `readSync` waits for its answer and brings nothing into step.
        let verb = words(member.trim_end_matches("Sync")).join("_");
        let is_dear = passed.iter().any(|value| self.is_dear(*value));
        let name = match owner.filter(|_| self.is_signed_in(made_with)) {
            Some(owner) => {
                let name = format!("{}:{verb}", if owner.is_empty() { "package" } else { owner.as_str() });
                // Whatever a service's method is called, it is passed on to the service.
                let is_passed_on = is_dear && tool(&name).side != Some(Side::Outside);
                let whole = || format!("{owner}_{verb}").replace('.', "_");
                let name = if is_passed_on { format!("sdk:{}", whole().trim_start_matches('_')) } else { name };
                Some(name).filter(|name| tool(name).has_verb || is_dear)?
            }
            None => Some(format!("package:{verb}")).filter(|name| is_dear && tool(name).outgoing().is_some())?,
        };
        Some(self.call_tool_of_service(&name, &member, invocation))
    }

    /// Returns true if and only if a path is that of something which a package of which nothing is known offers or made.
    pub fn is_of_package(&self, path: &str) -> bool {
        let is_in =
            |package: &String| path.strip_prefix(package.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '(']));
        self.packages.iter().any(is_in)
    }

    /// Returns true if and only if a call makes a client of a package of which nothing is known, with a credential: what it
    /// was made with is not what its methods return.
    pub fn makes_client(&mut self, path: &str, arguments: &Arguments) -> bool {
        !path.contains("()") && self.is_of_package(path) && self.is_signed_in(&arguments.iter().collect::<Vec<_>>())
    }

    /// The text of what a package of which nothing is known made of a credential, where it is asked for that: it may be no client, but
    /// hold what it was made of: `encrypt(key).toString()`.
    pub fn text_of_made(&mut self, path: &str, made_with: &[Val]) -> Option<Val> {
        let (called, method) = path.rsplit_once("().")?;
        let arguments = Arguments::of(made_with.to_vec());
        if !matches!(method, "toString" | "valueOf" | "toJSON") || form::is_made(called) || !self.makes_client(called, &arguments) {
            return None;
        }
        let mut held = self.carried(Val::UNDEFINED);
        for value in made_with {
            let one = self.carried(*value);
            held = self.both(held, one);
        }
        Some(self.values.opaque(held.0, held.1))
    }

    /// What a package of which nothing is known was passed when it made something, if a credential is among it: where that stands in
    /// what is sent, it may be no client, but a text that holds the credential.
    pub fn passed_to_package(&mut self, made: ObjectId) -> Option<Rc<[Val]>> {
        let ObjectKind::Instance { path, made_with } = &self.heap.object(made).kind else { return None };
        let (path, made_with) = (Rc::clone(self.values.texts.get(*path)), Rc::clone(made_with));
        let called = path.strip_suffix("()")?;
        let arguments = Arguments::of(made_with.to_vec());
        (!form::is_made(called) && self.makes_client(called, &arguments)).then_some(made_with)
    }

    /// Returns true if and only if something was made with a credential: with a secret variable, by itself or in options.
    fn is_signed_in(&mut self, made_with: &[Val]) -> bool {
        self.holds_credential(made_with, WRAPPED)
    }

    /// Also where it is wrapped in something else that the package makes: `new Client(url, signInWith(process.env.ACME_TOKEN))`.
    fn holds_credential(&mut self, made_with: &[Val], depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        made_with.iter().any(|value| {
            if let [Atom::Object(object)] = &*self.values.atoms(value.id)
                && let ObjectKind::Instance { made_with, .. } = &self.heap.object(*object).kind
            {
                let inner = made_with.to_vec();
                return self.holds_credential(&inner, depth);
            }
            let (taint, _) = self.carried(*value);
            let origins: Vec<u32> = self.values.taints.labels(taint).iter().map(|label| label.origin).collect();
            origins.into_iter().any(|at| {
                self.recorder.origin(at).is_some_and(|origin| {
                    origin.kind == OriginKind::Environment && origin.detail.as_deref().is_some_and(|name| is_secret_variable(Some(name)))
                })
            })
        })
    }
}

/// The parts of a path between a client that was made, `.Client()`, and its method, joined: `notes` of `.Client().notes.create`.
/// Nothing where no client was made, or what a method of it returned is meant.
fn method_of_client(path: &str) -> Option<&str> {
    let (_, rest) = path.split_once("().")?;
    if rest.contains("()") {
        return None;
    }
    Some(rest.rsplit_once('.').map_or("", |(owner, _)| owner))
}

impl<'a> Interpreter<'a> {
    /// What a parameter is of which a type is written: nothing that is known of it may be passed, or what a host hands over.
    pub fn as_declared(&mut self, passed: Val, annotation: &TSType<'a>) -> Val {
        let is_made = |atom: &Atom| !matches!(atom, Atom::Native(_));
        if passed.id == Val::NEVER.id || self.values.atoms(passed.id).iter().any(is_made) {
            return passed;
        }
        let TSType::TSTypeReference(reference) = annotation else { return passed };
        let Some(path) = self.type_path(&reference.type_name) else {
            let class = match &reference.type_name {
                TSTypeName::IdentifierReference(name) if passed.id == Val::UNKNOWN.id => self.symbol_of(name),
                _ => None,
            };
            let class = class.map(|class| self.read(class));
            return class.and_then(|class| self.handed_object(class)).unwrap_or(passed);
        };
        // Who is handed a client is handed one that somebody made: `(prisma: PrismaClient)`.
        let made = format!("{path}()");
        if !form::is_made_or_typed(&path) && form::is_made(&path) {
            let own = self.values.native(&made);
            return if passed.id == Val::UNKNOWN.id { own } else { self.values.join(passed, own) };
        }
        if passed.id != Val::UNKNOWN.id {
            return passed;
        }
        if let Some(held) = self.held(&path, Span::default()) {
            return held;
        }
        if form::is_made_or_typed(&path) { self.values.native(&path) } else { passed }
    }

    fn type_path(&mut self, name: &TSTypeName<'a>) -> Option<String> {
        match name {
            TSTypeName::IdentifierReference(identifier) => {
                let symbol = identifier.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
                let Some(symbol) = symbol else { return Some(identifier.name.to_string()) };
                let value = self.read(symbol);
                match &*self.values.atoms(value.id) {
                    [Atom::Native(path)] => Some(self.values.texts.get(*path).to_string()),
                    _ => None,
                }
            }
            TSTypeName::QualifiedName(qualified) => {
                let left = self.type_path(&qualified.left)?;
                Some(format!("{left}.{}", qualified.right.name))
            }
            TSTypeName::ThisExpression(_) => None,
        }
    }
}

/// Returns true if and only if a text is the address of a server of which it is not known whose it is.
fn is_foreign(text: &str) -> bool {
    let host = host_in(text);
    let is_host = host.contains('.') && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    is_host && !is_service(&host) && destination(text, &House::default()).side == Side::Outside
}

/// The host that an address names.
fn host_in(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest).rsplit('@').next().unwrap_or(rest);
    host.split(':').next().unwrap_or(host).to_lowercase()
}

/// The key under which a tool is told the address of its server.
const SERVER: &str = "server_url";
/// The fields of what is made with an address.
const ADDRESSES: &[&str] = &["href", "url", "transport", "endpoint", "baseUrl", "serverUrl"];
