//! What of a script's data may reach what of its calls, by how the script is written alone.
//!
//! The interpreter says what happens; where it is wrong about one condition, one order or one method of the runtime, it is
//! wrong about all that follows, and cannot know it. This analysis asks less and is wrong only in one direction: it knows no
//! order, no conditions and no calls from each other, but takes every way that the syntax leaves open. It reads the syntax tree
//! once into a graph ([`graph`]) of what may hold what, and carries marks along until nothing changes.
//!
//! Invariant: data that the interpreter saw reaching a call may reach it here, too. What may reach a call by this graph, and was
//! not seen by the interpreter, is a flow all the same: one whose way is not known ([`Flow::is_followed`]).

mod call;
mod expression;
mod function;
mod graph;
mod pattern;
mod runtime;
mod sink;

use oxc_ast::ast::Program;
use oxc_ast_visit::Visit;
use oxc_semantic::Scoping;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::format::script::cover::call::CallSite;
use crate::format::script::cover::function::{Around, FunctionNodes};
use crate::format::script::cover::graph::{Graph, Marks, Node, ORIGINS};
use crate::format::script::cover::runtime::Ways;
use crate::format::script::cover::sink::Site;
use crate::format::script::interpret::{Interpretation, OuterName};
use crate::value::span::Span;

#[cfg(doc)]
use crate::subject::flow::Flow;

/// Adds to what was found in a script the flows that may be there and were not seen.
///
/// `named` are further functions that call tools, `outer` the names of the script around an embedded one.
pub fn complete(program: &Program<'_>, scoping: &Scoping, named: &[String], outer: &[OuterName], found: &mut Interpretation) {
    if found.origins.is_empty() {
        return;
    }
    let mut cover = Cover::new(scoping, named, found);
    cover.outer(outer);
    cover.printed = cover.foreign();
    cover.find_pragma(program.source_text);
    cover.visit_program(program);
    cover.settle();
    sink::add_flows(&cover, found);
}

/// The graph of a script in the making.
struct Cover<'s> {
    scoping: &'s Scoping,
    named: &'s [String],
    graph: Graph,
    variables: FxHashMap<SymbolId, Node>,
    globals: FxHashMap<String, Node>,
    functions: Vec<FunctionNodes>,
    calls: Vec<CallSite>,
    sites: Vec<Site>,
    around: Vec<Around>,
    /// The marks of data that is read in a place.
    origins: FxHashMap<Span, Marks>,
    /// The places of calls of which the interpreter knows what they do, and whether what they are given comes out of them.
    known: FxHashMap<Span, bool>,
    ways: Ways,
    /// The prototypes of all lists, texts and objects.
    common: Node,
    /// All that is printed.
    printed: Node,
    /// All that is thrown.
    thrown: Node,
    /// All that is sent into generators.
    sent: Node,
    /// Fields whose names are not known.
    any_field: Node,
    /// Elements of lists.
    elements: Node,
    /// Objects whose fields can be named without them (`with`).
    with: Vec<Node>,
    /// How many `try` stand around.
    tries: u32,
    /// How many branches, loops and blocks that may be left stand around in the function around.
    branches: u32,
    /// For variables that were asked for, whether only the function that declares them uses them.
    local: FxHashMap<SymbolId, bool>,
    /// The namespaces around.
    namespaces: Vec<Node>,
    /// The function that JSX calls, where a comment names one.
    pragma: Option<Node>,
}

impl<'s> Cover<'s> {
    fn new(scoping: &'s Scoping, named: &'s [String], found: &Interpretation) -> Self {
        let mut origins: FxHashMap<Span, Marks> = FxHashMap::default();
        for (index, origin) in found.origins.iter().enumerate() {
            *origins.entry(origin.span).or_default() |= mark_of(index);
        }
        let reading: FxHashSet<Span> = origins.keys().copied().collect();
        let known = found.noted.iter().map(|(span, gives_back)| (*span, *gives_back && !reading.contains(span))).collect();
        let mut graph = Graph::default();
        let common = graph.node();
        let (thrown, sent, any_field, elements) = (graph.node(), graph.node(), graph.field("*"), graph.field("[]"));
        Self {
            scoping,
            named,
            graph,
            variables: FxHashMap::default(),
            globals: FxHashMap::default(),
            functions: Vec::new(),
            calls: Vec::new(),
            sites: Vec::new(),
            around: vec![Around::default()],
            origins,
            known,
            ways: Ways::default(),
            common,
            printed: 0,
            thrown,
            sent,
            any_field,
            elements,
            with: Vec::new(),
            tries: 0,
            branches: 0,
            local: FxHashMap::default(),
            namespaces: Vec::new(),
            pragma: None,
        }
    }

    /// The names of the script around, with the data that they carry.
    fn outer(&mut self, names: &[OuterName]) {
        for name in names {
            let marks = name.labels.iter().fold(0, |marks, (origin, ..)| marks | mark_of(*origin as usize));
            let node = self.global(&name.name);
            self.graph.mark(node, marks);
        }
    }

    /// The function that JSX calls, where a comment names one: `/** @jsx h */`.
    fn find_pragma(&mut self, text: &str) {
        let Some((_, rest)) = text.split_once("@jsx ") else { return };
        let name: String = rest.trim_start().chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect();
        if let Some(symbol) = self.scoping.symbol_ids().find(|symbol| self.scoping.symbol_name(*symbol) == name) {
            self.pragma = Some(self.variable(symbol));
        }
    }

    /// Carries all marks to the end.
    fn settle(&mut self) {
        loop {
            let again = self.graph.carry();
            if again.is_empty() {
                break;
            }
            for call in again {
                self.connect(call);
            }
        }
    }
}

/// The mark of an origin.
fn mark_of(index: usize) -> Marks {
    1 << (index as u32).min(ORIGINS - 1)
}
