//! Text that is run as code: it can read and write what it names, and where it is not known, all that it can see.

use oxc_syntax::scope::ScopeId;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::format::script::cover::Cover;
use crate::format::script::cover::call::{Call, CallKind, Passed};
use crate::format::script::cover::graph::{Edge, Node};
use crate::format::script::interpret::Interpretation;
use crate::knowledge::SinkKind;
use crate::knowledge::api::api;
use crate::value::span::Span;

/// Functions that rather call what they are passed than run it: only a text that is known is one.
const TIMERS: &[&str] = &["setTimeout", "setInterval", "setImmediate"];

/// How many arguments code is taken to pass to a function that it names.
const PASSED: usize = 4;

/// Where text is run as code, with the texts that are known to be.
pub fn texts(found: &Interpretation) -> FxHashMap<Span, Vec<String>> {
    let mut texts: FxHashMap<Span, Vec<String>> = FxHashMap::default();
    for code in &found.code {
        texts.entry(code.span).or_default().push(code.text.clone());
    }
    let runs = |path: &str| !TIMERS.contains(&path) && api(path).is_some_and(|api| api.sink == Some(SinkKind::Code));
    for call in found.host_calls.iter().filter(|call| runs(&call.api)) {
        texts.entry(call.span).or_default();
    }
    texts
}

/// The names that stand in a text.
fn words(text: &str) -> FxHashSet<&str> {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '\u{200c}' | '\u{200d}');
    let starts = |word: &&str| word.starts_with(|first: char| is_part(first) && !first.is_ascii_digit());
    text.split(|character| !is_part(character)).filter(starts).collect()
}

impl Cover<'_> {
    /// A call may run text as code; a direct one (`eval(…)`) sees the names of the scope in which it stands.
    pub fn runs_code(&mut self, span: Span, scope: Option<ScopeId>, result: Node) {
        let Some(texts) = self.code.get(&span).cloned() else { return };
        if texts.is_empty() {
            let room = self.unknown_code(scope, span);
            self.graph.edge(room, Edge::Yields(result));
            return;
        }
        let named: FxHashSet<&str> = texts.iter().flat_map(|text| words(text)).collect();
        let scoping = self.scoping;
        let root = scoping.root_scope_id();
        let around: FxHashSet<ScopeId> = scope.into_iter().flat_map(|scope| scoping.scope_ancestors(scope)).chain([root]).collect();
        let seen = |name: &&str| around.iter().filter_map(|scope| scoping.get_binding(*scope, (*name).into())).collect::<Vec<_>>();
        let mut symbols: Vec<SymbolId> = named.iter().flat_map(seen).collect();
        symbols.sort_unstable();
        let room = self.graph.node();
        for symbol in symbols {
            let variable = self.variable(symbol);
            self.shares(room, variable);
        }
        let top = self.global("globalThis");
        for name in named {
            let global = self.global(name);
            self.shares(room, global);
            self.write(top, name, room);
        }
        self.graph.edge(room, Edge::Yields(result));
        self.calls_what_it_sees(room, span);
    }

    /// All code that is not known and runs in a scope, or only sees the globals. What one such code sees it can write where any
    /// other one reads it, so that one node stands for all of them in a scope, which shares what it holds with those around.
    fn unknown_code(&mut self, scope: Option<ScopeId>, span: Span) -> Node {
        let scoping = self.scoping;
        let mut inwards: Vec<Option<ScopeId>> = scope.into_iter().flat_map(|scope| scoping.scope_ancestors(scope)).map(Some).collect();
        inwards.push(None);
        let mut outer = None;
        for scope in inwards.into_iter().rev() {
            let room = match self.unknown_code.get(&scope) {
                Some(room) => *room,
                None => self.unknown_code_in(scope, outer, span),
            };
            outer = Some(room);
        }
        outer.unwrap_or_default()
    }

    fn unknown_code_in(&mut self, scope: Option<ScopeId>, outer: Option<Node>, span: Span) -> Node {
        let room = self.graph.node();
        self.unknown_code.insert(scope, room);
        let scoping = self.scoping;
        for symbol in scope.into_iter().flat_map(|scope| scoping.iter_bindings_in(scope)) {
            let variable = self.variable(symbol);
            self.shares(room, variable);
        }
        if let Some(outer) = outer {
            self.graph.edge(outer, Edge::Yields(room));
            self.graph.edge(room, Edge::Yields(outer));
        } else {
            let top = self.global("globalThis");
            let any = self.any_of(top);
            self.graph.edge(any, Edge::Yields(room));
            self.write_any(top, room);
        }
        self.calls_what_it_sees(room, span);
        room
    }

    fn calls_what_it_sees(&mut self, room: Node, span: Span) {
        let passed = vec![Passed { node: room, is_spread: false }; PASSED];
        let given = self.graph.node();
        self.graph.edge(given, Edge::Yields(room));
        self.add_call(CallKind::Call(Box::new(Call { known: Some(true), ..Call::of(room, passed, given, span) })), &[room]);
    }

    /// Code can read a name and write it, and whatever it holds.
    fn shares(&mut self, room: Node, name: Node) {
        self.graph.edge(name, Edge::Yields(room));
        self.graph.edge(room, Edge::Yields(name));
        self.graph.edge(room, Edge::SoaksObject(name));
    }
}
