//! The forms in which scripts call tools: types, services, methods, entries and modules of wrappers.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::variant::{fault, variant};

/// What scripts get from constructors, factories, modules and hosts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Type {
    name: String,
    #[serde(default)]
    from: Vec<String>,
    #[serde(default)]
    keys: Vec<String>,
    holds: Option<String>,
    called: Option<String>,
    #[serde(default)]
    listed: bool,
    source: String,
}

/// Objects whose methods are calls of tools.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    name: String,
    paths: Vec<String>,
    #[serde(default)]
    links: Vec<String>,
    #[serde(default)]
    actions: Vec<String>,
    #[serde(default)]
    commands: bool,
    #[serde(default)]
    objects: bool,
    #[serde(default)]
    agent: bool,
    hit: String,
    miss: String,
    source: String,
}

/// A method that is a tool by another name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Method {
    paths: Vec<String>,
    tool: Option<String>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    via: bool,
    #[serde(default)]
    connects: bool,
    hit: String,
    miss: String,
    source: String,
}

/// Functions that are called by a host or a framework.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    paths: Vec<String>,
    parameters: Vec<String>,
    #[serde(default)]
    this: Option<String>,
    #[serde(default)]
    named: Vec<Vec<String>>,
    hit: String,
    miss: String,
    source: String,
}

/// Modules of one's own that stand for a server.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrapper {
    names: Vec<String>,
    path: String,
    hit: String,
    miss: String,
    source: String,
}

/// The paths of methods by their last part.
#[derive(Default)]
struct Ends {
    heads: BTreeMap<String, usize>,
    ends: BTreeMap<String, Vec<(String, usize)>>,
}

impl Ends {
    /// Adds the paths of a row.
    fn add(&mut self, at: usize, paths: &[String]) -> io::Result<()> {
        for path in paths.iter().flat_map(|path| crate::knowledge::row::braces(path)) {
            let path = path.replace('/', ".");
            let (head, end) = path.rsplit_once('.').unwrap_or(("", &path));
            if end.is_empty() || end.contains(['*', '(']) {
                return Err(fault(format!("the path {path} does not end with the name of a method")));
            }
            self.heads.insert(head.to_owned(), 0);
            self.ends.entry(end.to_owned()).or_default().push((head.to_owned(), at));
        }
        Ok(())
    }

    fn written(mut self) -> io::Result<String> {
        let mut roots = Index::default();
        for (at, (head, number)) in self.heads.iter_mut().enumerate() {
            *number = at;
            if !head.is_empty() && !head.starts_with('<') {
                roots.add(0, std::slice::from_ref(head))?;
            }
        }
        let mut lines = Vec::new();
        for (end, rows) in &mut self.ends {
            if rows.iter().any(|(head, _)| head.is_empty()) && !end.starts_with('<') {
                roots.add(0, std::slice::from_ref(end))?;
            }
            rows.sort_by(|(left, _), (right, _)| order(left, right));
            let rows: Vec<(usize, usize)> = rows.iter().filter_map(|(head, at)| Some((*self.heads.get(head)?, *at))).collect();
            lines.push(format!("({end:?}, &{rows:?})"));
        }
        let heads: Vec<&String> = self.heads.keys().collect();
        Ok(format!("MethodPaths {{ heads: &{heads:?}, ends: &[{}], roots: {} }}", lines.join(", "), roots.written()))
    }
}

/// Paths that leave less open, and then longer ones, come first.
fn order(left: &str, right: &str) -> std::cmp::Ordering {
    let open = |path: &str| path.matches('*').count();
    (std::cmp::Reverse(left.len()), open(left), left).cmp(&(std::cmp::Reverse(right.len()), open(right), right))
}

/// All rows of forms.
#[derive(Default)]
pub struct Rows {
    /// Types.
    pub types: Vec<Type>,
    /// Services.
    pub services: Vec<Service>,
    /// Methods.
    pub methods: Vec<Method>,
    /// Entries.
    pub entries: Vec<Entry>,
    /// Modules of wrappers.
    pub modules: Vec<Wrapper>,
}

/// Rows by the first part of their paths, with what is written of each.
#[derive(Default)]
struct Index(BTreeMap<String, Vec<(String, usize)>>);

impl Index {
    /// Adds the paths of a row.
    fn add(&mut self, at: usize, paths: &[String]) -> io::Result<()> {
        for path in paths.iter().flat_map(|path| crate::knowledge::row::braces(path)) {
            let path = path.replace('/', ".");
            let root = path.split(['.', '(']).next().unwrap_or_default();
            let root = if root.contains('*') { "*" } else { root };
            if path.is_empty() {
                return Err(fault("a path of a form is empty"));
            }
            self.0.entry(root.to_owned()).or_default().push((path, at));
        }
        Ok(())
    }

    fn written(mut self) -> String {
        let mut lines = Vec::new();
        for (root, rows) in &mut self.0 {
            rows.sort_by(|(left, _), (right, _)| order(left, right));
            lines.push(format!("({root:?}, &{rows:?})"));
        }
        format!("&[{}]", lines.join(", "))
    }
}

const ORIGINS: &[&str] = &[
    "tool", "environment", "file", "network", "incoming", "storage", "clipboard", "user-input", "process", "system", "page", "program",
];

impl Rows {
    /// Takes the rows of another file.
    pub fn extend(&mut self, other: Self) {
        self.types.extend(other.types);
        self.services.extend(other.services);
        self.methods.extend(other.methods);
        self.entries.extend(other.entries);
        self.modules.extend(other.modules);
    }

    /// Writes the table.
    pub fn write(&self, out: &Path) -> io::Result<()> {
        let (types, type_paths) = self.types()?;
        let (services, service_paths) = self.services()?;
        let (methods, method_paths) = self.methods()?;
        let (entries, entry_paths) = self.entries()?;
        let table = format!(
            "Forms {{\ntypes: &[{}],\ntype_paths: {type_paths},\nservices: &[{}],\nservice_paths: {service_paths},\nmethods: &[{}],\n\
             method_paths: {method_paths},\nentries: &[{}],\nentry_paths: {entry_paths},\nmodules: &[{}],\n}}\n",
            types.join(",\n"),
            services.join(",\n"),
            methods.join(",\n"),
            entries.join(",\n"),
            self.modules()?.join(",\n"),
        );
        fs::write(out.join("forms.rs"), table)
    }

    fn types(&self) -> io::Result<(Vec<String>, String)> {
        let (mut rows, mut index) = (Vec::new(), Index::default());
        let mut types: Vec<&Type> = self.types.iter().collect();
        types.sort_by(|left, right| format!("<{}>", left.name).cmp(&format!("<{}>", right.name)));
        for (at, Type { name, from, keys, holds, called, listed, source }) in types.into_iter().enumerate() {
            known(&[name, source], &format!("the type {name}"))?;
            let holds = match holds {
                Some(kind) => format!("Some(OriginKind::{})", variant("origin", kind, ORIGINS)?),
                None => "None".to_owned(),
            };
            index.add(at, from)?;
            let path = format!("<{name}>");
            rows.push(format!(
                "Type {{ path: {path:?}, keys: &{keys:?}, holds: {holds}, called: {called:?}, is_listed: {listed}, source: {source:?} }}"
            ));
        }
        Ok((rows, index.written()))
    }

    fn services(&self) -> io::Result<(Vec<String>, String)> {
        let (mut rows, mut index) = (Vec::new(), Index::default());
        for (at, service) in self.services.iter().enumerate() {
            let Service { name, paths, links, actions, commands, objects, agent, hit, miss, source } = service;
            known(&[name, hit, miss, source], &format!("the service {name}"))?;
            index.add(at, paths)?;
            let mut links: Vec<(&str, Vec<&str>)> = links.iter().map(|link| named(link)).collect();
            links.sort_unstable();
            let links: Vec<String> = links.into_iter().map(|(name, keys)| format!("({name:?}, &{keys:?})")).collect();
            rows.push(format!(
                "Service {{ name: {name:?}, links: &[{}], actions: &{actions:?}, has_commands: {commands}, has_objects: {objects}, \
                 is_agent: {agent}, hit: {hit:?}, miss: {miss:?}, source: {source:?} }}",
                links.join(", ")
            ));
        }
        Ok((rows, index.written()))
    }

    fn methods(&self) -> io::Result<(Vec<String>, String)> {
        let (mut rows, mut index) = (Vec::new(), Ends::default());
        for (at, Method { paths, tool, arguments, via, connects, hit, miss, source }) in self.methods.iter().enumerate() {
            known(&[hit, miss, source], &format!("the method {paths:?}"))?;
            index.add(at, paths)?;
            rows.push(format!(
                "Method {{ tool: {tool:?}, arguments: &{arguments:?}, is_via: {via}, is_connecting: {connects}, hit: {hit:?}, miss: {miss:?}, source: {source:?} }}"
            ));
        }
        Ok((rows, index.written()?))
    }

    fn entries(&self) -> io::Result<(Vec<String>, String)> {
        let (mut rows, mut index) = (Vec::new(), Index::default());
        for (at, Entry { paths, parameters, this, named, hit, miss, source }) in self.entries.iter().enumerate() {
            known(&[hit, miss, source], &format!("the entry {paths:?}"))?;
            index.add(at, paths)?;
            let named: Vec<String> = named.iter().map(|names| format!("&{names:?}")).collect();
            let named = named.join(", ");
            rows.push(format!("Entry {{ parameters: &{parameters:?}, named: &[{named}], this: {this:?}, hit: {hit:?}, miss: {miss:?}, source: {source:?} }}"));
        }
        Ok((rows, index.written()))
    }

    fn modules(&self) -> io::Result<Vec<String>> {
        let mut rows = Vec::new();
        for Wrapper { names, path, hit, miss, source } in &self.modules {
            known(&[path, hit, miss, source], &format!("the modules {names:?}"))?;
            rows.push(format!("Module {{ names: &{names:?}, path: {path:?}, hit: {hit:?}, miss: {miss:?}, source: {source:?} }}"));
        }
        Ok(rows)
    }
}

/// `where(column,value)`: a name with the names of its arguments.
fn named(text: &str) -> (&str, Vec<&str>) {
    match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((name, keys)) => (name, keys.split(',').map(str::trim).filter(|key| !key.is_empty()).collect()),
        None => (text, Vec::new()),
    }
}

fn known(texts: &[&String], row: &str) -> io::Result<()> {
    if texts.iter().any(|text| text.is_empty()) {
        return Err(fault(format!("{row} needs hit, miss and source")));
    }
    Ok(())
}
