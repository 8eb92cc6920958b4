//! What may hold what: nodes, edges between them, and the sets that are carried along until nothing changes.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

pub use crate::format::script::cover::edge::{Edge, Node};

/// A set of marks: bit by bit, origins of data and what is known of values.
pub type Marks = u64;

/// The marks of data: the first bits, one for each origin.
pub const DATA: Marks = (1 << ORIGINS) - 1;
/// How many origins have a mark of their own; the others share the last one.
pub const ORIGINS: u32 = 46;
/// The marks of ways out: functions and objects of the runtime by which data leaves.
pub const WAYS: Marks = ((1 << 57) - 1) & !DATA;
/// It is made by a function of the runtime that only computes: its methods write into what they are passed.
pub const NATIVE: Marks = 1 << 57;
/// It is something of the runtime's that keeps what it is given for all who ask it, or hands it to them.
pub const KEEPS: Marks = 1 << 58;
/// It is all of the environment, of which each variable is read by its name.
pub const ENVIRONMENT: Marks = 1 << 59;
/// It is text with an address in it that something may load.
pub const ADDRESS: Marks = 1 << 60;
/// It is a module or a global of the runtime, which all share: what it is given does not come out of it elsewhere.
pub const SHARED: Marks = 1 << 61;
/// It is an object or array, so that what is done to it in one place is seen in all.
pub const OBJECT: Marks = 1 << 62;
/// It is, or comes from, something outside the script, of which nothing is known.
pub const FOREIGN: Marks = 1 << 63;

/// The field whose name is not known.
pub const ANY: &str = "*";
/// The field of the elements of lists.
pub const ELEMENTS: &str = "[]";

/// The most functions that a node tells apart. One that may be more may be each of those that any such node may be.
const FUNCTIONS: usize = 16;

/// What a node may hold.
#[derive(Default)]
pub struct Held {
    /// What the value itself is.
    pub own: Marks,
    /// What stands in fields of it, to be had by their names.
    pub inside: Marks,
    /// What was put into it in a way that is not known: it comes out by every name.
    pub soaked: Marks,
    /// Of what stands in fields of it, what was put in here or where it is handed on to: whatever it is had from holds it, too.
    put: Marks,
    /// The same of what was put into it in a way that is not known.
    dipped: Marks,
    /// Of what it answers a question: one bit of it.
    pub asked: Marks,
    /// Of what it spells a letter: it is asked about again and again, with something else each time.
    pub spelled: Marks,
    /// Of what it is a size or a place.
    pub measured: Marks,
    /// The functions of the script that it may be.
    pub functions: Vec<u32>,
    /// The functions that stand in fields of it.
    pub methods: Vec<u32>,
    /// It may be more functions than are told apart.
    pub is_many: bool,
    /// More functions stand in fields of it than are told apart.
    pub has_many: bool,
    edges: Vec<Edge>,
    /// How many of the edges have carried all that is held, but what was put in since.
    carried: usize,
    /// More was put in than the edges have carried.
    is_put_anew: bool,
    is_queued: bool,
    /// It is text or a number: nothing can be put into it.
    is_plain: bool,
}

impl Held {
    /// All of it, wherever it lies.
    pub fn all(&self) -> Marks {
        self.own | self.inside | self.soaked
    }
}

/// A field that is read.
#[derive(Clone, Copy)]
pub struct Read {
    /// Of what.
    pub base: Node,
    /// What lies under the name in any object of the script.
    pub named: Node,
    /// What is read.
    pub into: Node,
    /// Its name tells how much there is, not what.
    pub is_measure: bool,
    /// What is put into it is put under the name.
    pub keeps: bool,
    /// Its name is none of a secret: a variable of the environment that tells nothing.
    pub is_open: bool,
}

/// All nodes.
#[derive(Default)]
pub struct Graph {
    nodes: Vec<Held>,
    reads: Vec<Read>,
    queue: VecDeque<Node>,
    /// What all objects inherit from: its fields are those of every object. The first node.
    common: Node,
    /// The marks of secrets, which are told bit by bit.
    pub secrets: Marks,
    /// The global object, of which nothing comes that was put into something that is had from it.
    pub top: Option<Node>,
    fields: FxHashMap<String, Node>,
    /// The fields whose names are not known, and the elements of lists.
    unnamed: [Option<Node>; 2],
    /// By the names of private fields, without their `#`, the nodes that stand for what lies under them.
    private_fields: FxHashMap<String, Node>,
    /// The functions that are not told apart.
    many: Many,
    /// What is to be put into nodes once they are objects.
    waiting: FxHashMap<Node, Vec<Node>>,
    /// Pairs of a node and what waits for it.
    awaited: FxHashSet<(Node, Node)>,
    /// How many steps were taken.
    steps: u64,
}

impl Graph {
    /// A node that holds nothing yet.
    pub fn node(&mut self) -> Node {
        self.nodes.push(Held::default());
        (self.nodes.len() - 1) as Node
    }

    /// A node that is text or a number, and holds nothing yet.
    pub fn plain(&mut self) -> Node {
        let node = self.node();
        self.nodes[node as usize].is_plain = true;
        node
    }

    /// A node is nothing but another one, which is text or a number.
    pub fn as_plain(&mut self, node: Node, value: Node) {
        self.nodes[node as usize].is_plain |= self.nodes[value as usize].is_plain;
    }

    /// What a node holds.
    pub fn held(&self, node: Node) -> &Held {
        &self.nodes[node as usize]
    }

    /// The node of a field's name.
    pub fn field(&mut self, name: &str) -> Node {
        if let Some(known) = self.fields.get(name) {
            return *known;
        }
        let node = self.node();
        self.fields.insert(name.to_owned(), node);
        match name {
            ANY => self.unnamed[0] = Some(node),
            ELEMENTS => self.unnamed[1] = Some(node),
            _ => {}
        }
        node
    }

    /// The node of a private field's name.
    pub fn private_field(&mut self, name: &str) -> Node {
        if let Some(known) = self.private_fields.get(name) {
            return *known;
        }
        let node = self.node();
        self.private_fields.insert(name.to_owned(), node);
        node
    }

    /// Adds an edge.
    pub fn edge(&mut self, from: Node, edge: Edge) {
        let edges = &mut self.nodes[from as usize].edges;
        if edges.last() != Some(&edge) {
            edges.push(edge);
            self.enqueue(from);
        }
    }

    /// Two nodes are the same value, of which the second has it from the first.
    pub fn same(&mut self, from: Node, into: Node) {
        if from != into {
            self.edge(from, Edge::Same(into));
            self.edge(into, Edge::SameObject(from));
        }
    }

    /// Notes that a field is read.
    pub fn read(&mut self, read: Read, is_any: bool) {
        let number = self.reads.len() as u32;
        self.reads.push(read);
        for node in [read.base, read.named, read.into] {
            self.edge(node, Edge::Read(number));
        }
        if is_any {
            self.edge(read.base, Edge::Made(read.into));
        }
    }

    fn enqueue(&mut self, node: Node) {
        let held = &mut self.nodes[node as usize];
        if !held.is_queued {
            held.is_queued = true;
            self.queue.push_back(node);
        }
    }

    /// Adds marks to what a node itself is.
    pub fn mark(&mut self, node: Node, own: Marks) {
        self.add(node, own, 0, 0);
    }

    fn add(&mut self, node: Node, own: Marks, inside: Marks, soaked: Marks) {
        let held = &mut self.nodes[node as usize];
        let (inside, soaked) = if held.is_plain { (0, 0) } else { (inside, soaked) };
        let before = (held.own, held.inside, held.soaked);
        held.own |= own;
        held.inside |= inside;
        held.soaked |= soaked;
        if before != (held.own, held.inside, held.soaked) {
            held.carried = 0;
            self.enqueue(node);
            if own & (OBJECT | FOREIGN) & !before.0 != 0 {
                for from in self.waiting.remove(&node).unwrap_or_default() {
                    self.awaited.remove(&(node, from));
                    self.nodes[from as usize].carried = 0;
                    self.enqueue(from);
                }
            }
        }
    }

    /// Something is put into what a node is: wherever that is had from holds it from now on.
    fn put(&mut self, node: Node, inside: Marks, soaked: Marks) {
        self.add(node, 0, inside, soaked);
        let held = &mut self.nodes[node as usize];
        let is_known = held.is_plain || held.put & inside == inside && held.dipped & soaked == soaked;
        if !is_known {
            held.put |= inside;
            held.dipped |= soaked;
            held.is_put_anew = true;
            self.enqueue(node);
        }
    }

    fn ask(&mut self, node: Node, asked: Marks) {
        let held = &mut self.nodes[node as usize];
        if held.asked & asked != asked {
            held.asked |= asked;
            held.carried = 0;
            self.enqueue(node);
        }
    }

    fn spell(&mut self, node: Node, spelled: Marks) {
        let held = &mut self.nodes[node as usize];
        if held.spelled & spelled != spelled {
            held.spelled |= spelled;
            held.carried = 0;
            self.enqueue(node);
        }
    }

    fn measure(&mut self, node: Node, measured: Marks) {
        let held = &mut self.nodes[node as usize];
        if held.measured & measured != measured {
            held.measured |= measured;
            held.carried = 0;
            self.enqueue(node);
        }
    }

    /// A node may be a function.
    pub fn function(&mut self, node: Node, function: u32) {
        self.functions(node, &[function], &[]);
    }

    fn functions(&mut self, node: Node, functions: &[u32], methods: &[u32]) {
        let held = &mut self.nodes[node as usize];
        let mut changed = false;
        for (list, is_full, new) in [(&mut held.functions, &mut held.is_many, functions), (&mut held.methods, &mut held.has_many, methods)]
        {
            if new.is_empty() || *list == new {
                continue;
            }
            // What is carried again is mostly what is there.
            if *is_full && list.len() == FUNCTIONS && new.iter().all(|function| self.many.has(*function)) || is_part_of(new, list) {
                continue;
            }
            for function in new {
                let Err(at) = list.binary_search(function) else { continue };
                if list.len() < FUNCTIONS {
                    list.insert(at, *function);
                    changed = true;
                    continue;
                }
                if !*is_full {
                    *is_full = true;
                    changed = true;
                    list.iter().for_each(|known| self.many.add(*known));
                }
                self.many.add(*function);
            }
        }
        if changed {
            held.carried = 0;
            self.enqueue(node);
        }
    }

    /// What one node may be of the functions that are not told apart, the other one may be too.
    fn many(&mut self, node: Node, is_many: bool, has_many: bool) {
        let held = &mut self.nodes[node as usize];
        if is_many && !held.is_many || has_many && !held.has_many {
            held.is_many |= is_many;
            held.has_many |= has_many;
            held.carried = 0;
            self.enqueue(node);
        }
    }

    /// The functions that are not told apart, since this was last asked.
    pub fn take_many(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.many.new)
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Carries on what changed; returns the calls that are to be done again, none once all is carried to its end.
    pub fn carry(&mut self) -> Vec<u32> {
        let mut calls = Vec::new();
        let unnamed = self.unnamed;
        while let Some(node) = self.queue.pop_front() {
            let held = &mut self.nodes[node as usize];
            held.is_queued = false;
            let carried = std::mem::replace(&mut held.carried, held.edges.len());
            let is_put_anew = std::mem::take(&mut held.is_put_anew);
            let (own, inside, soaked) = (held.own, held.inside, held.soaked);
            // Elements are not told apart by names: what one holds is told of all.
            let (put, dipped) = if unnamed.contains(&Some(node)) { (inside, soaked) } else { (held.put, held.dipped) };
            let edges = std::mem::take(&mut held.edges);
            let functions = held.functions.clone();
            let methods = held.methods.clone();
            let (is_many, has_many) = (held.is_many, held.has_many);
            let all = own | inside | soaked;
            let (asked, spelled, measured) = (held.asked, held.spelled, held.measured);
            let (done, new) = edges.split_at(carried);
            let again = done.iter().filter(|edge| is_put_anew && edge.tells_what_is_put());
            self.steps += 1 + new.len() as u64;
            for edge in again.chain(new) {
                match *edge {
                    Edge::Asks(into) => self.ask(into, all & DATA | asked),
                    Edge::Spells(into) => {
                        self.ask(into, asked);
                        self.spell(into, asked);
                    }
                    Edge::Tells(into) => self.add(into, asked & self.secrets | spelled, 0, 0),
                    Edge::Names(into) => self.add(into, own & DATA, 0, 0),
                    Edge::Answers(into) => {
                        self.ask(into, asked);
                        self.spell(into, spelled);
                    }
                    Edge::Places(into) => self.put(into, 0, (asked | measured) & self.secrets),
                    Edge::Mixes(into) => self.put(into, 0, inside & DATA),
                    Edge::Fills(into) => {
                        if own & NATIVE != 0 && self.takes(into, node) {
                            self.put(into, 0, all & DATA);
                        }
                    }
                    Edge::Same(into) => {
                        self.ask(into, asked);
                        self.measure(into, measured);
                        self.add(into, own, inside, soaked);
                        self.functions(into, &functions, &methods);
                        self.many(into, is_many, has_many);
                    }
                    Edge::Inherits(into) => {
                        self.add(into, 0, inside, soaked);
                        self.put(into, put, dipped);
                        self.functions(into, &[], &methods);
                        self.many(into, false, has_many);
                    }
                    Edge::SameObject(into) => {
                        self.put(into, put, dipped);
                        self.functions(into, &[], &methods);
                        self.many(into, false, has_many);
                    }
                    Edge::Made(into) => {
                        self.ask(into, asked);
                        self.measure(into, measured);
                        self.add(into, all & DATA | own & ADDRESS, 0, 0);
                    }
                    Edge::Yields(into) => {
                        self.add(into, all & DATA | own & (WAYS | ADDRESS), 0, 0);
                        self.functions(into, &functions, &methods);
                        self.many(into, is_many, has_many);
                    }
                    Edge::Soaks(into) => {
                        if self.held(into).own & SHARED == 0 {
                            self.ask(into, asked);
                            self.put(into, 0, all & DATA | own & WAYS);
                            self.functions(into, &[], &functions);
                            self.many(into, false, is_many);
                        }
                    }
                    Edge::SoaksObject(into) => {
                        if self.takes(into, node) {
                            self.put(into, 0, all & DATA);
                        }
                    }
                    Edge::Field(into) => {
                        self.ask(into, asked);
                        self.put(into, all & (DATA | WAYS), 0);
                        self.functions(into, &[], &functions);
                        self.functions(into, &[], &methods);
                        self.many(into, false, is_many || has_many);
                    }
                    Edge::Spread(into) => {
                        self.mark(into, own & FOREIGN);
                        self.put(into, inside, (own | soaked) & DATA);
                        self.functions(into, &[], &methods);
                        self.many(into, false, has_many);
                    }
                    Edge::Oozes(into) => self.add(into, soaked & (DATA | WAYS), 0, 0),
                    Edge::Leads(into) => self.add(into, own & WAYS, 0, 0),
                    Edge::Measures(into) => self.add(into, if own & OBJECT == 0 { own & DATA } else { inside & DATA }, 0, 0),
                    Edge::Extends(into) => {
                        if own & OBJECT == 0 {
                            self.put(into, 0, own & self.secrets);
                        }
                    }
                    Edge::Backs(into) => {
                        if self.held(into).own & SHARED == 0 {
                            self.put(into, 0, soaked & (DATA | WAYS));
                        }
                    }
                    Edge::Hands(into) => {
                        if self.held(into).own & SHARED == 0 {
                            self.put(into, put, 0);
                        }
                    }
                    Edge::BacksKept(into) => {
                        if self.held(into).own & KEEPS != 0 {
                            self.put(into, 0, soaked & (DATA | WAYS));
                        }
                    }
                    Edge::Default(into) => {
                        if own & (SHARED | KEEPS) != 0 {
                            self.add(into, own, inside, soaked);
                        }
                    }
                    Edge::Methods(into) => {
                        self.functions(into, &methods, &[]);
                        self.many(into, has_many, false);
                    }
                    Edge::Read(read) => self.reread(read),
                    Edge::Call(call) => calls.push(call),
                }
            }
            if node == self.common {
                self.steps += self.reads.len() as u64;
                // A field of every object: whatever is read may be it.
                for read in 0..self.reads.len() as u32 {
                    self.reread(read);
                }
            }
            let held = &mut self.nodes[node as usize];
            let later = std::mem::replace(&mut held.edges, edges);
            held.edges.extend(later);
        }
        calls.sort_unstable();
        calls.dedup();
        calls
    }

    /// Returns true if and only if something can be put into a node; where it cannot, it is tried again once it can.
    fn takes(&mut self, into: Node, from: Node) -> bool {
        let own = self.held(into).own;
        if own & (OBJECT | FOREIGN) == 0 && self.awaited.insert((into, from)) {
            self.waiting.entry(into).or_default().push(from);
        }
        own & (OBJECT | FOREIGN) != 0 && own & SHARED == 0
    }

    fn reread(&mut self, read: u32) {
        let Read { base, named, into, is_measure, keeps, is_open } = self.reads[read as usize];
        let (of, named_held) = (self.held(base), self.held(named));
        let there = of.inside | self.held(self.common).inside;
        let is_variable = is_open && of.own & ENVIRONMENT != 0;
        let (own_data, soaked_data) = if is_measure || is_variable { (0, 0) } else { (of.own & DATA, of.soaked) };
        let own =
            own_data | soaked_data | of.own & (FOREIGN | WAYS | SHARED | KEEPS) | named_held.own & (there | FOREIGN | OBJECT | ADDRESS);
        let inside = named_held.inside & there;
        let soaked = soaked_data & DATA | named_held.soaked & (there | of.soaked);
        let [any, elements] = self.unnamed.map(|unnamed| unnamed == Some(named));
        let asked = of.asked & if elements { of.asked } else { named_held.asked };
        let measured = if is_measure { of.own & DATA | of.soaked & DATA } else { 0 };
        // Under a name that is not known stand only functions that were put into the very object, and in a text none.
        let is_any = !of.has_many && of.own & FOREIGN == 0 && any;
        let stands_there = |function: &u32| !of.is_plain && (!is_any || of.methods.binary_search(function).is_ok());
        let functions: Vec<u32> = named_held.functions.iter().copied().filter(stands_there).collect();
        let methods = named_held.methods.clone();
        let (is_many, has_many) = (named_held.is_many && !is_any && !of.is_plain, named_held.has_many);
        let is_foreign = of.own & FOREIGN != 0 && of.own & SHARED == 0 && Some(base) != self.top;
        self.add(into, own, inside, soaked);
        self.ask(into, asked);
        self.measure(into, measured);
        self.functions(into, &functions, &methods);
        self.many(into, is_many, has_many);
        let read = self.held(into);
        let (put, dipped) = if any || elements { (read.inside, read.soaked) } else { (read.put, read.dipped) };
        if keeps {
            self.put(named, put, dipped);
        }
        self.put(base, put | dipped, if is_foreign { dipped } else { 0 });
    }
}

/// Functions that are not told apart.
#[derive(Default)]
struct Many {
    /// By number, whether a function is one of them.
    are: Vec<bool>,
    /// Those of them that were not asked for yet.
    new: Vec<u32>,
}

impl Many {
    fn has(&self, function: u32) -> bool {
        self.are.get(function as usize).is_some_and(|is| *is)
    }

    fn add(&mut self, function: u32) {
        let at = function as usize;
        if self.are.len() <= at {
            self.are.resize(at + 1, false);
        }
        if !std::mem::replace(&mut self.are[at], true) {
            self.new.push(function);
        }
    }
}

/// Returns true if and only if all of a list is in another one; both are in order.
fn is_part_of(part: &[u32], whole: &[u32]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|wanted| rest.by_ref().find(|there| *there >= wanted) == Some(wanted))
}
