//! Follows data from the results of tool calls into the arguments of others.
//!
//! Names carry data: whatever a name is given from makes it carry what that carries. The order of
//! statements is not looked at, save that a call is not fed by one that can only run after it.

use std::collections::{HashMap, HashSet};

use oxc_semantic::Scoping;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::calls::FoundCall;
use crate::format::script::collect::{Collected, Use, symbols};
use crate::subject::flow::{CallRef, Flow, Origin, OriginKind, Step, Strength};
use crate::value::span::Span;

/// How many different origins one name carries; the first ones stand for all.
const ORIGINS: usize = 8;
/// How many uses are followed in one script.
const FUEL: usize = 4_000_000;
/// How many flows are reported for one script.
const FLOWS: usize = 10_000;

/// The flows of a script, and whether all of them could be followed.
pub fn flows(collected: &Collected<'_, '_>, calls: &[FoundCall], scoping: &Scoping) -> (Vec<Origin>, Vec<Flow>, bool) {
    let mut follower = Follower {
        collected,
        calls,
        sites: calls.iter().enumerate().map(|(index, call)| (call.site, index)).collect(),
        targets: HashMap::new(),
        carried: HashMap::new(),
        fuel: FUEL,
    };
    follower.connect();
    for (index, found) in calls.iter().enumerate() {
        follower.spread(index, found.site);
    }
    let mut flows = Vec::new();
    for (sink, found) in calls.iter().enumerate() {
        let Some(site) = collected.calls.get(found.site) else { continue };
        let mut origins = HashSet::new();
        for used in collected.log.get(site.arguments.clone()).unwrap_or_default() {
            for (origin, through) in follower.carries(*used) {
                let may_follow = follower.may_follow(origin, sink);
                if origin != sink && may_follow && origins.insert(origin) && flows.len() < FLOWS {
                    let steps = follower.steps(origin, sink, through, scoping);
                    flows.push(Flow {
                        origin,
                        field: String::new(),
                        sink: CallRef::Tool(sink),
                        argument: String::new(),
                        strength: Strength::Whole,
                        steps,
                    });
                }
            }
        }
    }
    let origins = calls.iter().enumerate().map(|(index, found)| Origin {
        kind: OriginKind::Tool,
        name: found.call.tool.shown().to_owned(),
        detail: None,
        call: Some(CallRef::Tool(index)),
        span: found.call.span,
    });
    (origins.collect(), flows, 0 < follower.fuel)
}

struct Follower<'c, 'a, 's> {
    collected: &'c Collected<'a, 's>,
    calls: &'c [FoundCall],
    /// The tool call at each call site that is one.
    sites: HashMap<usize, usize>,
    /// Where each use goes: names that are given from it.
    targets: HashMap<Key, Vec<SymbolId>>,
    /// The origins that each name carries, each with the name it came through.
    carried: HashMap<SymbolId, Vec<(usize, Option<SymbolId>)>>,
    fuel: usize,
}

#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Key {
    Name(SymbolId),
    Result(usize),
}

impl From<Use> for Key {
    fn from(used: Use) -> Self {
        match used {
            Use::Name(symbol) => Self::Name(symbol),
            Use::Result(site) => Self::Result(site),
        }
    }
}

impl Follower<'_, '_, '_> {
    fn connect(&mut self) {
        for edge in &self.collected.edges {
            self.link(edge.from.clone(), &edge.into);
        }
        let parameters: HashMap<SymbolId, Vec<Vec<SymbolId>>> = self
            .collected
            .functions
            .iter()
            .filter_map(|function| {
                let parameters = function.parameters.items.iter().map(|item| symbols(&item.pattern)).collect();
                Some((function.symbol?, parameters))
            })
            .collect();
        for invocation in &self.collected.invocations {
            let Some(parameters) = parameters.get(&invocation.symbol) else { continue };
            for (argument, into) in invocation.arguments.iter().zip(parameters) {
                self.link(argument.clone(), into);
            }
        }
    }

    fn link(&mut self, from: std::ops::Range<usize>, into: &[SymbolId]) {
        for used in self.collected.log.get(from).unwrap_or_default() {
            let Some(fuel) = self.fuel.checked_sub(into.len()) else {
                self.fuel = 0;
                return;
            };
            self.fuel = fuel;
            self.targets.entry(Key::from(*used)).or_default().extend_from_slice(into);
        }
    }

    /// Makes every name that data of the origin reaches carry it.
    fn spread(&mut self, origin: usize, site: usize) {
        let mut pending: Vec<(Key, Option<SymbolId>)> = vec![(Key::Result(site), None)];
        while let Some((key, through)) = pending.pop() {
            for symbol in self.targets.get(&key).into_iter().flatten().copied() {
                let Some(fuel) = self.fuel.checked_sub(1) else { return };
                self.fuel = fuel;
                let carried = self.carried.entry(symbol).or_default();
                if ORIGINS <= carried.len() || carried.iter().any(|(known, _)| *known == origin) {
                    continue;
                }
                carried.push((origin, through));
                pending.push((Key::Name(symbol), Some(symbol)));
            }
        }
    }

    /// Returns true if and only if the sink may run after the origin has: it stands behind it, runs many
    /// times, or stands in another function, which may be called at any time.
    fn may_follow(&self, origin: usize, sink: usize) -> bool {
        let (Some(origin), Some(sink)) = (self.calls.get(origin), self.calls.get(sink)) else { return false };
        let function = |call: &FoundCall| self.collected.calls.get(call.site).and_then(|site| site.context.function);
        origin.call.span.start < sink.call.span.end || sink.call.is_repeated() || function(origin) != function(sink)
    }

    /// The origins that a use carries, with the name that carries each.
    fn carries(&self, used: Use) -> Vec<(usize, Option<SymbolId>)> {
        match used {
            Use::Name(symbol) => self.carried.get(&symbol).into_iter().flatten().map(|(origin, _)| (*origin, Some(symbol))).collect(),
            Use::Result(site) => self.sites.get(&site).map(|origin| (*origin, None)).into_iter().collect(),
        }
    }

    /// The way from the origin to the sink, by the names that carry the data.
    fn steps(&self, origin: usize, sink: usize, last: Option<SymbolId>, scoping: &Scoping) -> Vec<Step> {
        let mut names = Vec::new();
        let mut name = last;
        while let Some(symbol) = name {
            if names.contains(&symbol) || 32 <= names.len() {
                break;
            }
            names.push(symbol);
            let carried = self.carried.get(&symbol).into_iter().flatten();
            name = carried.filter(|(known, _)| *known == origin).find_map(|(_, through)| *through);
        }
        let step = |call: &FoundCall, what: &str| Step { span: call.call.span, note: format!("{what} `{}`", call.call.tool.shown()) };
        let mut steps: Vec<Step> = self.calls.get(origin).map(|call| step(call, "read by")).into_iter().collect();
        steps.extend(names.into_iter().rev().map(|symbol| {
            let span = scoping.symbol_span(symbol);
            Step { span: Span::new(span.start, span.end), note: format!("kept in `{}`", scoping.symbol_name(symbol)) }
        }));
        steps.extend(self.calls.get(sink).map(|call| step(call, "passed to")));
        steps
    }
}
