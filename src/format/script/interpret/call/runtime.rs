//! Calls of what the runtime offers, and of its modules.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::call::tool::REDEFINED;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::function::Invocation;
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::record::HostSite;
use crate::format::script::interpret::service::page_parameters;
use crate::format::script::interpret::taint::Change;
use crate::format::script::interpret::text::FIELD_READERS;
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge;
use crate::knowledge::SinkKind;
use crate::knowledge::command::list;
use crate::knowledge::form;
use crate::knowledge::specifier::module_name;
use crate::subject::flow::{Origin, OriginKind};
use crate::subject::segment::HOLE;
use crate::value::span::Span;
use crate::value::words::words;
use std::rc::Rc;

/// What locks and opens texts by a key, which is the second argument.
const CIPHERS: [&str; 2] = ["crypto.createCipheriv", "crypto.createDecipheriv"];
/// How the paths of methods end that offer a function to what runs in a driven page.
const EXPOSING: &str = ".exposeFunction";
/// How many makers of makers are looked at.
const MAKERS: usize = 4;
/// How deep in options a function stands that a package keeps.
const KEPT_BELOW: u32 = 2;
/// How deep in lists and options the functions stand that a package is handed together.
const HANDED_BELOW: u32 = 4;
/// How often what is kept is called while another such call is followed.
const KEPT_AGAIN: u32 = 2;
/// How many functions of those that one thing was made with are called where it is used.
const KEPT: usize = 8;

/// From here on, the objects of a place are those that calls of the runtime made there.
const INSTANCES: u8 = 100;

impl<'a> Interpreter<'a> {
    /// Calls something that the runtime offers.
    pub fn call_native(&mut self, path: &str, this: Val, arguments: &Arguments, span: Span) -> Val {
        self.call_native_of(path, &Rc::from([]), Invocation { this, arguments, span })
    }

    /// Calls something that the runtime offers, on something that it made.
    pub fn call_native_of(&mut self, path: &str, made_with: &Rc<[Val]>, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span } = invocation;
        if path.starts_with(REDEFINED) {
            return self.call_redefined(arguments, span);
        }
        if self.is_tool_function(path) {
            let arguments = self.server_of(this, arguments);
            let is_of_client = path.rsplit_once('.').is_some_and(|(client, _)| form::is_made_or_typed(client));
            return self.call_tool_of(&arguments, span, is_of_client);
        }
        // What is not known, or defines properties, may put something else into what it is given.
        if self.narrows && !only_looks(path) {
            self.forget_narrowed(None);
        }
        if let Some(value) = self.builtin(path, this, arguments, span) {
            return value;
        }
        if let Some(text) = self.text_of_made(path, made_with) {
            return text;
        }
        if let Some(value) = self.call_scope(path, arguments, span) {
            return value;
        }
        if let Some(value) = self.call_form(path, made_with, invocation) {
            return value;
        }
        if knowledge::api(path).is_none()
            && let Some(value) = path.rsplit('.').next().and_then(|member| self.call_of_listed(member, invocation))
        {
            return value;
        }
        if knowledge::api(path).is_none()
            && let Some(value) = self.call_by_words(path, made_with, invocation)
        {
            return value;
        }
        arguments.iter().for_each(|argument| self.forget_members(argument));
        let (mut carried, mut via) = self.carried(this);
        // `form.get('password')` is the field of that name.
        if let Some(key) =
            FIELD_READERS.contains(&path.rsplit('.').next().unwrap_or(path)).then(|| self.values.text(arguments.get(0).id)).flatten()
        {
            let key = self.values.texts.intern(&key);
            carried = self.values.changed(carried, Change::Field(key));
        }
        if path.ends_with(".match")
            && let Some(source) = self.regex_source(arguments.get(0))
        {
            carried = self.taken_out(carried, &source);
        }
        let mut host = None;
        let mut told = None;
        let is_meant =
            |api: &&knowledge::Api| (api.sink != Some(SinkKind::Answer) || self.tells_own(arguments)) && !self.holds_data(path, arguments);
        if let Some(api) = knowledge::api(path).filter(is_meant) {
            let site = HostSite::new(path.to_owned(), span);
            host = Some((api, self.record_host(site, api, arguments, made_with)));
            self.note_file(api, arguments);
        }
        if let Some((api, call)) = host
            && let Some(kind) = api.origin
        {
            // What `mktemp` prints is the path of something new, below the folder for such.
            if kind == OriginKind::Process
                && path.ends_with("Sync")
                && self.values.text(arguments.get(0).id).is_some_and(|line| is_mktemp(&line))
            {
                return self.values.partial(&format!("/tmp/{HOLE}"));
            }
            // Who asks for no variable gets all of them.
            let asks = kind != OriginKind::Environment || !arguments.known.is_empty();
            let detail = api.reads.filter(|_| asks).and_then(|at| self.argument_text(arguments, made_with, at));
            told = detail.as_ref().filter(|_| kind == OriginKind::Environment).map(|name| format!("env.{name}"));
            let read = self.origin(Origin { kind, name: path.to_owned(), detail, call: Some(call), span });
            carried = read.0;
            via = read.1;
            let kept = self.kept_in_store(path).or_else(|| self.kept_in_file(api, arguments));
            if let Some(kept) = kept {
                let one = self.carried(kept);
                (carried, via) = self.both((carried, via), one);
            }
        } else {
            // Nothing of a key shows in what it locks or opens.
            let is_key = |at: usize| at == 1 && CIPHERS.contains(&path);
            for (_, argument) in arguments.iter().enumerate().filter(|(at, _)| !is_key(*at)) {
                let one = self.carried(argument);
                (carried, via) = self.both((carried, via), one);
            }
        }
        // What a method only reads is not put into what it is called on.
        let given = (carried, via);
        if host.is_none()
            && let Some(read) = self.read_of_program(path, span)
        {
            let one = self.carried(read);
            (carried, via) = self.both((carried, via), one);
        }
        if host.is_none() {
            self.fill_instance(this, made_with, given);
            self.fill_first(path, arguments);
        }
        if let Some(packaged) = self.packaged(path, arguments).or_else(|| self.for_a_while(path, arguments, span)) {
            return packaged;
        }
        if let Some(folder) = self.standing(told.as_deref().unwrap_or(path), (carried, via)) {
            return folder;
        }
        // Another case, or fewer spaces around it, leaves a word one.
        let is_same = matches!(path.rsplit('.').next(), Some("trim" | "trimStart" | "trimEnd" | "toLowerCase" | "toUpperCase"));
        let carried = if is_same { carried } else { self.values.changed(carried, Change::Rewritten) };
        let passed = self.values.opaque(carried, via);
        self.expose(path, arguments);
        let callbacks = page_parameters(path, arguments)
            .or_else(|| self.passed_after_error(path, arguments, passed, span))
            .unwrap_or_else(|| callback_arguments(path, passed));
        let mut returned = Val::NEVER;
        if form::entry(path).is_some() {
            self.hand_over(path, arguments, passed, span);
        } else {
            returned = self.call_back(arguments, &callbacks, span);
            self.pass_between(path, arguments, passed, span);
        }
        if host.is_none() && !made_with.is_empty() {
            let later = self.call_kept(path, made_with, Invocation { this: passed, arguments, span });
            returned = self.joined_with_way(returned, later);
        }
        // What an object is made with to sign in is not what its methods return.
        let is_told = host.is_some_and(|(api, _)| api.sink == Some(SinkKind::Prompt) && api.origin.is_none());
        let is_made = (host.is_none() || is_told) && (form::is_made(path) || self.makes_client(path, arguments));
        if is_made {
            self.recorder.close(span);
        }
        let passed = if is_made { Val::UNKNOWN } else { passed };
        // A client that is called by itself is asked for something: `db('orders')`.
        let is_asked = || path.ends_with("()") && form::is_made_or_typed(&format!("{path}()"));
        let is_chosen_anew = !arguments.known.is_empty() && form::is_listed(&format!("{path}()"));
        let made: Rc<[Val]> = if made_with.is_empty() || is_chosen_anew {
            arguments.known.iter().copied().take(4).collect()
        } else if !arguments.known.is_empty() && is_asked() {
            // What it is made with still says where it leads.
            arguments.known.iter().take(1).chain(made_with.iter()).copied().take(4).collect()
        } else {
            Rc::clone(made_with)
        };
        let made = self.instance(path, made, span, passed);
        if host.is_none() {
            self.note_maker(made, this);
        }
        let brings = host.is_none() && returned.id != Val::NEVER.id && !self.carried(returned).0.is_none();
        if brings { self.joined_with_way(made, returned) } else { made }
    }

    /// Returns true if and only if what may be given a file by its name is given what is in it, with the name that it is to have:
    /// `new InputFile(Buffer.from(text), 'report.csv')`.
    fn holds_data(&self, path: &str, arguments: &Arguments) -> bool {
        let is_name = |atom: &Atom| matches!(atom, Atom::Text(_) | Atom::Partial(_));
        list("files-or-data").contains(&path) && 1 < arguments.known.len() && !self.values.atoms(arguments.get(0).id).iter().any(is_name)
    }

    /// A function that a driven page is given by a name is there for what runs in the page: `page.exposeFunction('report', report)`.
    fn expose(&mut self, path: &str, arguments: &Arguments) {
        if let [name, function, ..] = arguments.known.as_slice()
            && path.ends_with(EXPOSING)
        {
            let (window, key) = (self.values.native("globalThis"), self.key_of(*name));
            self.set_property(window, key, *function);
        }
    }

    /// What one of several functions returns that a package is handed together may be passed to the others: the steps of a waterfall,
    /// the operators of a stream, the tasks of a list, which share an object besides.
    fn pass_between(&mut self, path: &str, arguments: &Arguments, passed: Val, span: Span) {
        if self.handed_between || !self.is_of_foreign_module(path) {
            return;
        }
        let mut functions = Vec::new();
        for value in arguments.iter() {
            self.functions_in(value, HANDED_BELOW, &mut functions);
        }
        if functions.len() < 2 {
            return;
        }
        self.handed_between = true;
        let functions = Arguments::of(functions);
        let shared = self.allocate(derived(span, 7), ObjectKind::Plain(None));
        let shared = self.values.object(shared);
        let shared = self.values.join(passed, shared);
        let returned = self.call_back(&functions, &Arguments { known: Vec::new(), rest: Some(shared) }, span);
        let returned = self.settled(returned);
        if !self.carried(returned).0.is_none() || !self.carried(shared).0.is_none() {
            let handed = self.joined_with_way(returned, shared);
            self.call_back(&functions, &Arguments { known: Vec::new(), rest: Some(handed) }, span);
        }
        self.handed_between = false;
    }

    /// What a callback of a package is passed that stands last and takes an error first: behind that, what the call would return.
    pub fn passed_after_error(&mut self, path: &str, arguments: &Arguments, passed: Val, span: Span) -> Option<Arguments> {
        let last = *arguments.known.last()?;
        let [Atom::Object(object)] = *self.values.atoms(last.id) else { return None };
        let takes_error = matches!(self.heap.object(object).kind, ObjectKind::Function { code, .. } if code.takes_error());
        if !takes_error || !form::is_package(path.split(['.', '(']).next().unwrap_or(path)) {
            return None;
        }
        let made = self.instance(path, Rc::from([]), span, passed);
        Some(Arguments { known: vec![Val::UNKNOWN, made, passed], rest: None })
    }

    /// What a package was handed when it made something is called where that is used, with what it is passed there: the worker of a
    /// queue, the loader of a cache, the function that waits until it is called less often.
    fn call_kept(&mut self, path: &str, made_with: &Rc<[Val]>, invocation: Invocation<'_>) -> Val {
        let Invocation { this: passed, arguments, span } = invocation;
        if made_with.is_empty() || KEPT_AGAIN <= self.kept_calls || !self.is_of_package(path) {
            return Val::NEVER;
        }
        let mut functions = Vec::new();
        for value in made_with.iter() {
            self.functions_in(*value, KEPT_BELOW, &mut functions);
        }
        if functions.is_empty() {
            return Val::NEVER;
        }
        let handed = Arguments { known: arguments.known.clone(), rest: Some(passed) };
        self.kept_calls += 1;
        let returned = self.call_back(&Arguments::of(functions), &handed, span);
        self.kept_calls -= 1;
        returned
    }

    /// The functions that a value is, or that stand in it so many levels deep.
    fn functions_in(&self, value: Val, depth: u32, found: &mut Vec<Val>) {
        if KEPT <= found.len() {
            return;
        }
        if self.is_function(value) {
            found.push(value);
            return;
        }
        for atom in self.values.atoms(value.id).iter() {
            if let Atom::Object(object) = atom
                && 0 < depth
                && matches!(self.heap.object(*object).kind, ObjectKind::Plain(_) | ObjectKind::Array)
            {
                let fields: Vec<Val> = self.heap.object(*object).fields.values().copied().collect();
                for field in fields {
                    self.functions_in(field, depth - 1, found);
                }
            }
        }
    }

    /// What a function of a package adds to what it is passed first is in that from then on: `utils.book_append_sheet(book, sheet)`.
    fn fill_first(&mut self, path: &str, arguments: &Arguments) {
        let adds = |word: &String| matches!(word.as_str(), "append" | "add" | "insert" | "attach");
        let method = path.rsplit('.').next().unwrap_or(path);
        if arguments.known.len() < 2 || !words(method).iter().any(adds) || !self.is_of_foreign_module(path) {
            return;
        }
        let mut carried = self.carried(arguments.get(1));
        for value in arguments.known.iter().skip(2) {
            let one = self.carried(*value);
            carried = self.both(carried, one);
        }
        let instance = match *self.values.atoms(arguments.get(0).id) {
            [Atom::Object(object)] if matches!(self.heap.object(object).kind, ObjectKind::Instance { .. }) => object,
            _ => return,
        };
        let data = self.values.opaque(carried.0, carried.1);
        self.add_rest(instance, data);
    }

    /// Something that the runtime made is given data: from then on it carries it, and so does what it was made with.
    pub fn fill_instance(
        &mut self,
        this: Val,
        made_with: &Rc<[Val]>,
        carried: (crate::format::script::interpret::taint::Taint, crate::format::script::interpret::steps::StepId),
    ) {
        if carried.0.is_none() {
            return;
        }
        let mut objects = self.makers_of(this);
        objects.extend(made_with.iter().flat_map(|value| {
            let atoms = self.values.atoms(value.id);
            atoms.iter().filter_map(|atom| if let Atom::Object(object) = atom { Some(*object) } else { None }).collect::<Vec<_>>()
        }));
        for object in objects {
            if let ObjectKind::Instance { .. } = self.heap.object(object).kind {
                let data = self.values.opaque(carried.0, carried.1);
                self.add_rest(object, data);
                // Led into one another they would never end.
                let led = self.ways.piped.remove(&object).unwrap_or_default();
                for (into, span) in &led {
                    self.call_member(*into, &Key::named("write"), &Arguments::of(vec![data]), *span);
                }
                if !led.is_empty() {
                    self.ways.piped.insert(object, led);
                }
            }
        }
    }

    /// What a method returned was made by what it was called on.
    fn note_maker(&mut self, made: Val, this: Val) {
        if let ([Atom::Object(made)], [Atom::Object(maker)]) = (&*self.values.atoms(made.id), &*self.values.atoms(this.id))
            && made != maker
            && matches!(self.heap.object(*maker).kind, ObjectKind::Instance { .. })
        {
            self.makers.entry(*made).or_insert(*maker);
        }
    }

    /// The objects that a value is, and what packages made them by, the nearest first.
    pub fn makers_of(&self, value: Val) -> Vec<ObjectId> {
        let atoms = self.values.atoms(value.id);
        let mut found: Vec<ObjectId> = Vec::new();
        for atom in atoms.iter() {
            let mut next = if let Atom::Object(object) = atom { Some(*object) } else { None };
            for _ in 0..=MAKERS {
                let Some(object) = next.filter(|object| !found.contains(object)) else { break };
                found.push(object);
                next = self.makers.get(&object).copied();
            }
        }
        found
    }

    /// What a call of the runtime returns: known by its path, so that its methods are known, too.
    pub fn instance(&mut self, path: &str, made_with: Rc<[Val]>, span: Span, carried: Val) -> Val {
        if path.len() > 200 {
            return carried;
        }
        let path = self.values.texts.intern(&format!("{path}()"));
        let context = self.frames.last().map_or(0, |frame| frame.context);
        // One call may be of several things, of which each makes its own, and calls in a chain begin at one place.
        let nth = INSTANCES + path.class(128);
        let object: ObjectId = self.heap.allocate(span.start, context, nth, ObjectKind::Instance { path, made_with });
        let value = self.values.object(object);
        let taint = self.values.taint(carried.id);
        self.values.with_taint(value, taint).through(carried.via)
    }

    /// `import(…)` and `require(…)`.
    pub fn import_call(&mut self, source: Val, span: Span) -> Val {
        match self.values.known(source.id) {
            // What the script wrote itself is no module of anybody's; a file of data runs nothing.
            Some(crate::format::script::js::constant::Constant::String(name)) if name.ends_with(".json") || !self.wrote(source) => {
                self.module(&name)
            }
            _ => {
                let arguments = Arguments::of(vec![source]);
                if let Some(api) = knowledge::api("import") {
                    let site = HostSite::new("import".to_owned(), span);
                    self.record_host(site, api, &arguments, &Rc::from([]));
                }
                let (taint, via) = self.carried(source);
                self.values.opaque(taint, via)
            }
        }
    }

    /// A module of the runtime's, by its name.
    pub fn module(&mut self, name: &str) -> Val {
        if let Some(wrapper) = self.wrapper(name) {
            return wrapper;
        }
        let name = module_name(name);
        let path = name.replace('/', ".");
        self.import_package(&name, &path);
        let known = self.values.texts.intern(&path);
        self.modules.insert(known);
        self.values.native(&path)
    }
}

/// What a callback of the runtime is passed: in Node's first an error, which carries nothing.
fn callback_arguments(path: &str, passed: Val) -> Arguments {
    const ERROR_FIRST: &[&str] = &["fs.", "child_process.", "dns.", "crypto.", "zlib.", "glob", "request", "exec", "keytar"];
    let last = path.rsplit('.').next().unwrap_or(path);
    let is_event = matches!(last, "on" | "once" | "addListener" | "addEventListener" | "then" | "get" | "request" | "forEach" | "map");
    if !is_event && ERROR_FIRST.iter().any(|start| path.starts_with(start)) {
        return Arguments { known: vec![Val::UNKNOWN, passed, passed], rest: None };
    }
    Arguments { known: Vec::new(), rest: Some(passed) }
}

/// Returns true if and only if a function of the runtime leaves what it is given as it is.
fn only_looks(path: &str) -> bool {
    let (root, method) = path.split_once('.').unwrap_or((path, ""));
    if matches!(root, "Object" | "Reflect") { list("looking-methods").contains(&method) } else { list("looking-roots").contains(&root) }
}

/// Returns true if and only if a line makes a new file or folder for a while, where such are made, and does nothing else.
fn is_mktemp(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("mktemp")
        && words.all(|word| matches!(word, "-d" | "-q" | "-t" | "-dt") || !word.contains(['/', ';', '|', '&', '>', '<', '`', '$', HOLE]))
}
