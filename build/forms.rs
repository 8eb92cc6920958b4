//! The forms in which scripts call tools: types, services, methods, entries and modules of wrappers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::slots::slots;
use crate::texts::Texts;
use crate::variant::{fault, variant};
use crate::wildcards::Wildcards;

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
    #[serde(default)]
    answers: bool,
    #[serde(default)]
    returns: bool,
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

    fn written(mut self, texts: &Texts, all_roots: &mut Roots) -> io::Result<String> {
        let mut roots = Index::default();
        for (at, (head, number)) in self.heads.iter_mut().enumerate() {
            *number = at;
            if !head.is_empty() && !head.starts_with('<') {
                roots.add(0, std::slice::from_ref(head))?;
            }
        }
        let (mut ends, mut all) = (Vec::new(), Vec::new());
        for (end, rows) in &mut self.ends {
            if rows.iter().any(|(head, _)| head.is_empty()) && !end.starts_with('<') {
                roots.add(0, std::slice::from_ref(end))?;
            }
            rows.sort_by(|(left, _), (right, _)| order(left, right));
            ends.push(format!("({}, {})", texts.name(end), all.len()));
            all.extend(rows.iter().filter_map(|(head, at)| Some((*self.heads.get(head)?, *at))));
        }
        let heads: Vec<String> = self.heads.keys().map(|head| texts.name(head)).collect();
        all_roots.add(&roots);
        let (heads, ends, roots) = (heads.join(", "), ends.join(", "), roots.written(texts));
        Ok(format!("MethodPaths {{ heads: &[{heads}], ends: &[{ends}], rows: &{all:?}, roots: {roots} }}"))
    }
}

/// The first parts of all paths, and the wildcards among them.
#[derive(Default)]
struct Roots {
    names: BTreeSet<String>,
    open: BTreeSet<String>,
}

impl Roots {
    /// Adds the first parts of an index.
    fn add(&mut self, index: &Index) {
        for (root, rows) in &index.0 {
            if root == "*" {
                self.open.extend(rows.iter().map(|(path, _)| first_part(path).to_owned()));
            } else {
                self.names.insert(root.clone());
            }
        }
    }

    fn written(&self, texts: &Texts) -> String {
        let names: Vec<String> = self.names.iter().map(|name| texts.name(name)).collect();
        let open: Vec<String> = self.open.iter().map(|name| texts.name(name)).collect();
        let slots = slots(&self.names.iter().collect::<Vec<_>>());
        format!("Roots {{ names: &[{}], slots: &{slots:?}, open: &[{}] }}", names.join(", "), open.join(", "))
    }
}

fn first_part(path: &str) -> &str {
    path.split(['.', '(']).next().unwrap_or_default()
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
            let root = first_part(&path);
            let root = if root.contains('*') { "*" } else { root };
            if path.is_empty() {
                return Err(fault("a path of a form is empty"));
            }
            self.0.entry(root.to_owned()).or_default().push((path, at));
        }
        Ok(())
    }

    fn written(mut self, texts: &Texts) -> String {
        let (mut roots, mut all) = (Vec::new(), Vec::new());
        for (root, rows) in &mut self.0 {
            rows.sort_by(|(left, _), (right, _)| order(left, right));
            roots.push(format!("({}, {})", texts.name(root), all.len()));
            all.extend(rows.iter().map(|(path, at)| format!("({}, {at})", texts.name(path))));
        }
        format!("Paths {{ roots: &[{}], rows: &[{}] }}", roots.join(", "), all.join(", "))
    }
}

const ORIGINS: &[&str] =
    &["tool", "environment", "file", "network", "incoming", "storage", "clipboard", "user-input", "process", "system", "page", "program"];

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
    pub fn write(&self, out: &Path, texts: &Texts) -> io::Result<()> {
        let mut roots = Roots::default();
        let (types, type_paths) = self.types(texts, &mut roots)?;
        let (services, service_paths) = self.services(texts, &mut roots)?;
        let (methods, method_paths) = self.methods(texts, &mut roots)?;
        let (entries, entry_paths) = self.entries(texts, &mut roots)?;
        let (modules, module_names) = self.modules(texts)?;
        let table = format!(
            "Forms {{\ntypes: &[{}],\ntype_paths: {type_paths},\nservices: &[{}],\nservice_paths: {service_paths},\nmethods: &[{}],\n\
             method_paths: {method_paths},\nentries: &[{}],\nentry_paths: {entry_paths},\nmodules: &[{}],\n\
             module_names: {module_names},\nroots: {},\n}}\n",
            types.join(",\n"),
            services.join(",\n"),
            methods.join(",\n"),
            entries.join(",\n"),
            modules.join(",\n"),
            roots.written(texts),
        );
        fs::write(out.join("forms.rs"), table)
    }

    fn types(&self, texts: &Texts, roots: &mut Roots) -> io::Result<(Vec<String>, String)> {
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
            let (path, keys, source) = (texts.name(&format!("<{name}>")), texts.list(keys), texts.told(source));
            let called = called.as_ref().map_or_else(|| "None".to_owned(), |called| format!("Some({})", texts.name(called)));
            rows.push(format!(
                "Type {{ path: {path}, keys: {keys}, holds: {holds}, called: {called}, is_listed: {listed}, source: {source} }}"
            ));
        }
        roots.add(&index);
        Ok((rows, index.written(texts)))
    }

    fn services(&self, texts: &Texts, roots: &mut Roots) -> io::Result<(Vec<String>, String)> {
        let (mut rows, mut index) = (Vec::new(), Index::default());
        for (at, service) in self.services.iter().enumerate() {
            let Service { name, paths, links, actions, commands, objects, agent, hit, miss, source } = service;
            known(&[name, hit, miss, source], &format!("the service {name}"))?;
            index.add(at, paths)?;
            let mut links: Vec<(&str, Vec<String>)> = links.iter().map(|link| named(link)).collect();
            links.sort_unstable();
            let links: Vec<String> =
                links.into_iter().map(|(name, keys)| format!("({}, {})", texts.name(name), texts.list(&keys))).collect();
            rows.push(format!(
                "Service {{ name: {}, links: &[{}], actions: {}, has_commands: {commands}, has_objects: {objects}, is_agent: {agent}, {} }}",
                texts.name(name),
                links.join(", "),
                texts.list(actions),
                example(texts, hit, miss, source)
            ));
        }
        roots.add(&index);
        Ok((rows, index.written(texts)))
    }

    fn methods(&self, texts: &Texts, roots: &mut Roots) -> io::Result<(Vec<String>, String)> {
        let (mut rows, mut index) = (Vec::new(), Ends::default());
        for (at, Method { paths, tool, arguments, via, connects, hit, miss, source }) in self.methods.iter().enumerate() {
            known(&[hit, miss, source], &format!("the method {paths:?}"))?;
            index.add(at, paths)?;
            let tool = tool.as_ref().map_or_else(|| "None".to_owned(), |tool| format!("Some({})", texts.name(tool)));
            let (arguments, example) = (texts.list(arguments), example(texts, hit, miss, source));
            rows.push(format!("Method {{ tool: {tool}, arguments: {arguments}, is_via: {via}, is_connecting: {connects}, {example} }}"));
        }
        Ok((rows, index.written(texts, roots)?))
    }

    fn entries(&self, texts: &Texts, roots: &mut Roots) -> io::Result<(Vec<String>, String)> {
        let (mut rows, mut index) = (Vec::new(), Index::default());
        for (at, Entry { paths, parameters, this, named, answers, returns, hit, miss, source }) in self.entries.iter().enumerate() {
            known(&[hit, miss, source], &format!("the entry {paths:?}"))?;
            index.add(at, paths)?;
            let named: Vec<String> = named.iter().map(|names| format!("&{names:?}")).collect();
            let (named, example) = (named.join(", "), example(texts, hit, miss, source));
            rows.push(format!("Entry {{ parameters: &{parameters:?}, named: &[{named}], this: {this:?}, answers: {answers}, returns: {returns}, {example} }}"));
        }
        roots.add(&index);
        Ok((rows, index.written(texts)))
    }

    fn modules(&self, texts: &Texts) -> io::Result<(Vec<String>, String)> {
        let (mut rows, mut index) = (Vec::new(), Wildcards::default());
        for (at, Wrapper { names, path, hit, miss, source }) in self.modules.iter().enumerate() {
            known(&[path, hit, miss, source], &format!("the modules {names:?}"))?;
            index.add(at, names);
            rows.push(format!("Module {{ path: {}, {} }}", texts.name(path), example(texts, hit, miss, source)));
        }
        Ok((rows, index.written(texts)))
    }
}

/// The last columns of a row.
fn example(texts: &Texts, hit: &str, miss: &str, source: &str) -> String {
    format!("hit: {}, miss: {}, source: {}", texts.told(hit), texts.told(miss), texts.told(source))
}

/// `where(column,value)`: a name with the names of its arguments.
fn named(text: &str) -> (&str, Vec<String>) {
    match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((name, keys)) => (name, keys.split(',').map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned).collect()),
        None => (text, Vec::new()),
    }
}

fn known(texts: &[&String], row: &str) -> io::Result<()> {
    if texts.iter().any(|text| text.is_empty()) {
        return Err(fault(format!("{row} needs hit, miss and source")));
    }
    Ok(())
}
