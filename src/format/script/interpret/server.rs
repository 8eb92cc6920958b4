//! Where clients of servers lead, and packages of which nothing is known but the words of their methods.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::{Arguments, Invocation};
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge::form;
use crate::knowledge::tool::tool;
use crate::knowledge::words::Tag;
use crate::value::span::Span;
use crate::value::words::words;

/// How many things an address may be wrapped in: a transport, its URL.
const WRAPPED: usize = 3;
/// How many packages of one script are known by name.
const PACKAGES: usize = 200;

impl<'a> Interpreter<'a> {
    /// Notes the server to which a client is connected.
    pub fn connect_server(&mut self, client: Val, transport: Val) {
        let Some(address) = self.address_in(transport, WRAPPED) else { return };
        if let [Atom::Object(object)] = &*self.values.atoms(client.id) {
            self.servers.insert(*object, address);
        }
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

    /// The arguments of a tool that is called by a client, with the address of the server that gets them.
    pub fn to_server(&mut self, client: Val, arguments: &Arguments) -> Arguments {
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
        let is_own = name.starts_with(['.', '/', '#', '~', '@']) && !name.get(1..).is_some_and(|rest| name.starts_with('@') && !rest.starts_with('/'));
        let is_known = is_own || Tag::RuntimeModule.has(&format!("node:{}", name.split('/').next().unwrap_or(name))) || form::is_package(name);
        if !is_known && self.packages.len() < PACKAGES && !self.packages.iter().any(|package| package == path) {
            self.packages.push(path.to_owned());
        }
    }

    /// Calls a method of a package of which nothing is known, where data reaches it and its words say that it sends.
    pub fn call_by_words(&mut self, path: &str, invocation: Invocation<'_>) -> Option<Val> {
        let package = self.packages.iter().find(|package| path.strip_prefix(package.as_str()).is_some_and(|rest| rest.starts_with(['.', '('])))?;
        let member = path.rsplit('.').next()?;
        if member.ends_with("()") || member.starts_with(|first: char| first.is_uppercase()) || package.ends_with(member) {
            return None;
        }
        let service = package.trim_start_matches('@').replace('.', "_");
        let name = format!("{service}:{}", words(member).join("_"));
        let passed: Vec<Val> = invocation.arguments.iter().collect();
        if passed.iter().any(|value| self.is_function(*value)) || passed.iter().all(|value| self.carried(*value).0.is_none()) {
            return None;
        }
        tool(&name).outgoing()?;
        Some(self.call_tool_of_service(&name, member, invocation))
    }
}

/// The key under which a tool is told the address of its server.
const SERVER: &str = "server_url";
/// The fields of what is made with an address.
const ADDRESSES: &[&str] = &["href", "url", "transport", "endpoint", "baseUrl", "serverUrl"];
