//! Variables: what they become where they are written, and what conditions tell.

use oxc_ast::ast::{BinaryExpression, Expression, IdentifierReference};

use crate::format::script::cover::Cover;
use crate::format::script::cover::graph::{Edge, Node};
use oxc_syntax::operator::UnaryOperator;
use oxc_syntax::scope::ScopeId;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::FxHashMap;

/// A loop or a function around.
pub struct Round {
    /// How many conditions stand around it.
    conditions: usize,
    is_function: bool,
    /// The conditions under which it ends early.
    ends: Vec<Node>,
}

impl Cover<'_> {
    /// The answer of a comparison: a bit of what is compared, unless it only asks whether there is anything.
    pub fn answer(&mut self, binary: &BinaryExpression<'_>, left: Node, right: Node) -> Node {
        let answer = self.graph.plain();
        let asks_nothing = [&binary.left, &binary.right].into_iter().any(|side| match side.get_inner_expression() {
            Expression::NullLiteral(_) | Expression::BooleanLiteral(_) => true,
            Expression::Identifier(name) => name.name == "undefined",
            Expression::StringLiteral(text) => text.value.is_empty(),
            Expression::UnaryExpression(unary) => matches!(unary.operator, UnaryOperator::Typeof | UnaryOperator::Void),
            _ => false,
        });
        if !asks_nothing {
            for side in [left, right] {
                self.graph.edge(side, Edge::Asks(answer));
            }
        }
        let is_varied = [&binary.left, &binary.right].into_iter().all(|side| match side.get_inner_expression() {
            Expression::StaticMemberExpression(_) => false,
            side => self.key_text(side).is_none(),
        });
        if !asks_nothing && is_varied {
            self.spelled.insert(answer);
        }
        self.spelled_like(answer, &[left, right]);
        answer
    }

    /// Reads something on whose condition it depends whether it happens.
    pub fn under<R>(&mut self, condition: Node, read: impl FnOnce(&mut Self) -> R) -> R {
        self.conditions.push(condition);
        self.conditions_read.push(condition);
        let result = read(self);
        self.conditions.pop();
        result
    }

    /// Reads a loop or a function: where it ends early in it tells of the conditions of that, by all that is put together in it.
    pub fn round<R>(&mut self, is_function: bool, read: impl FnOnce(&mut Self) -> R) -> R {
        let start = self.told.len();
        self.rounds.push(Round { conditions: self.conditions.len(), is_function, ends: Vec::new() });
        let result = read(self);
        let ends = self.rounds.pop().map(|round| round.ends).unwrap_or_default();
        if !ends.is_empty() && 0 < self.laps {
            let answer = self.graph.plain();
            for end in ends {
                self.answers(end, answer);
            }
            for told in self.told.get(start..).unwrap_or_default().to_vec() {
                self.graph.edge(answer, Edge::Tells(told));
            }
        }
        result
    }

    /// What happens around ends here early: the loop, or all up to the function.
    pub fn ends(&mut self, is_all: bool) {
        for round in self.rounds.iter_mut().rev() {
            let conditions = self.conditions.get(round.conditions..).unwrap_or_default();
            for condition in conditions {
                if !round.ends.contains(condition) {
                    round.ends.push(*condition);
                }
            }
            if round.is_function || !is_all {
                return;
            }
        }
    }

    /// Something is put together here, again and again: it tells of the conditions around.
    pub fn told(&mut self, into: Node) {
        if 0 < self.laps {
            self.told.push(into);
            for condition in self.conditions.clone() {
                self.tells(condition, into);
            }
        }
    }

    /// What is put together, again and again, of answers or of lengths that are answers tells what was asked about.
    pub fn tells_itself(&mut self, value: Node, into: Node) {
        if 0 < self.laps && self.spelled.contains(&value) {
            self.tells(value, into);
        }
    }

    /// What is put together tells of an answer.
    pub fn tells(&mut self, answer: Node, into: Node) {
        if self.spells(answer) {
            let spelled = self.graph.plain();
            self.graph.edge(answer, Edge::Spells(spelled));
            self.graph.edge(spelled, Edge::Tells(into));
        } else {
            self.graph.edge(answer, Edge::Tells(into));
        }
    }

    /// What stands at a place tells the answer that the place is.
    pub fn spells_out(&mut self, place: Node, into: Node) {
        let spelled = self.graph.plain();
        self.graph.edge(place, if self.spelled.contains(&place) { Edge::Spells(spelled) } else { Edge::Answers(spelled) });
        self.graph.edge(spelled, Edge::Tells(into));
    }

    fn answers(&mut self, answer: Node, other: Node) {
        self.graph.edge(answer, if self.spells(answer) { Edge::Spells(other) } else { Edge::Answers(other) });
    }

    /// An answer is a comparison with something that is not written out, if one of others is.
    pub fn spelled_like(&mut self, answer: Node, others: &[Node]) {
        if others.iter().any(|other| self.spelled.contains(other)) {
            self.spelled.insert(answer);
        }
    }

    /// Returns true if and only if a condition compares, for each of many, with each of many: what is put together by it is
    /// spelled letter by letter, secret or not.
    fn spells(&self, condition: Node) -> bool {
        1 < self.laps && self.spelled.contains(&condition)
    }

    /// The answers on which it depends whether what stands here happens, where it does again and again.
    pub fn answers_around(&mut self) -> Option<Node> {
        let conditions = if 0 < self.laps { self.conditions.clone() } else { Vec::new() };
        let around = self.innermost().answer;
        if conditions.is_empty() {
            return around;
        }
        let answer = self.graph.plain();
        for condition in conditions.into_iter().chain(around) {
            self.answers(condition, answer);
        }
        Some(answer)
    }

    /// A variable of a function around is written: it tells of the conditions under which the function is called.
    pub fn effect(&mut self, name: &IdentifierReference<'_>, node: Node) {
        let Some(answer) = self.innermost().answer else { return };
        let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
        if symbol.is_none_or(|symbol| !self.is_local(symbol)) {
            self.graph.edge(answer, Edge::Tells(node));
        }
    }

    /// The node of a name that is given a value: from here on a new one, where what it held before cannot be read any more.
    pub fn written_name(&mut self, name: &IdentifierReference<'_>) -> Node {
        let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
        if let Some(symbol) = symbol
            && self.with.is_empty()
            && self.is_local(symbol)
        {
            let (before, node) = (self.variable(symbol), self.graph.node());
            self.variables.insert(symbol, node);
            self.versions.push((symbol, before, node));
            return node;
        }
        self.name(name)
    }

    /// Returns true if and only if a variable is used by the function alone that declares it, and by no text that runs as code.
    fn is_local(&mut self, symbol: SymbolId) -> bool {
        if let Some(known) = self.local.get(&symbol) {
            return *known;
        }
        let scoping = self.scoping;
        let function = |scope: ScopeId| scoping.scope_ancestors(scope).find(|scope| scoping.scope_flags(*scope).is_function());
        let own = function(scoping.symbol_scope_id(symbol));
        let is_seen_by_code = scoping.scope_flags(scoping.symbol_scope_id(symbol)).contains_direct_eval();
        let is_local = !is_seen_by_code && scoping.get_resolved_references(symbol).all(|reference| function(reference.scope_id()) == own);
        self.local.insert(symbol, is_local);
        is_local
    }

    /// Reads something that may not happen, or only in part: after it, a variable is what it was or anything that it became.
    pub fn branch<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        self.versioned(false, read)
    }

    /// Reads something that may happen more than once: what a variable becomes in it, it may be from its start.
    pub fn lap<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        self.laps += 1;
        let result = self.versioned(true, |cover| cover.round(false, read));
        self.laps -= 1;
        result
    }

    fn versioned<R>(&mut self, is_repeated: bool, read: impl FnOnce(&mut Self) -> R) -> R {
        let around = self.versions.len();
        let result = read(self);
        let made = self.versions.split_off(around);
        let mut first: FxHashMap<SymbolId, (Node, Vec<Node>)> = FxHashMap::default();
        for (symbol, before, node) in made {
            first.entry(symbol).or_insert_with(|| (before, Vec::new())).1.push(node);
        }
        for (symbol, (before, nodes)) in first {
            if is_repeated {
                for node in &nodes {
                    self.graph.same(*node, before);
                }
            }
            let after = self.graph.node();
            for node in nodes.iter().chain([&before]) {
                self.graph.same(*node, after);
            }
            self.variables.insert(symbol, after);
            self.versions.push((symbol, before, after));
        }
        result
    }

    /// The node of a variable.
    pub fn variable(&mut self, symbol: SymbolId) -> Node {
        if let Some(known) = self.variables.get(&symbol) {
            return *known;
        }
        let node = self.graph.node();
        self.variables.insert(symbol, node);
        node
    }
}
