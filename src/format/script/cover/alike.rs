//! Which origins are alike, so that of a great many flows one of each kind tells as much as all.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::format::script::cover::Cover;
use crate::format::script::cover::graph::Marks;
use crate::format::script::interpret::Interpretation;
use crate::subject::call::Value;
use crate::subject::flow::{CallRef, Origin};

/// Origins of one mark that are read from the same, with the same arguments, of which data of the same kind came in.
struct Kind {
    mark: Marks,
    origins: Vec<usize>,
}

/// All origins that matter by their kinds, and which of the kinds were told of which call.
pub struct Alike {
    kinds: Vec<Kind>,
    /// The marks all of whose kinds were told of a call.
    told: FxHashMap<CallRef, Marks>,
}

impl Alike {
    /// Puts the origins together that are alike. Those whose mark is their own are like no other.
    pub fn of(cover: &Cover<'_>, found: &Interpretation) -> Self {
        let own: Vec<u64> = found.origins.iter().map(|origin| of_origin(origin, found)).collect();
        let mut into: FxHashMap<CallRef, FxHashSet<u64>> = FxHashMap::default();
        for flow in found.flows.iter().filter(|flow| flow.is_followed()) {
            into.entry(flow.sink).or_default().insert(hashed(&(own.get(flow.origin), &flow.field, flow.strength)));
        }
        let mut kinds: Vec<Kind> = Vec::new();
        let mut known: FxHashMap<(Marks, u64), usize> = FxHashMap::default();
        for (index, origin) in found.origins.iter().enumerate().filter(|(index, _)| cover.mark_of(*index) != 0) {
            let mark = cover.mark_of(index);
            let mut from: Vec<u64> = origin.call.and_then(|call| into.get(&call)).into_iter().flatten().copied().collect();
            from.sort_unstable();
            let kind = *known.entry((mark, hashed(&(own.get(index), from)))).or_insert(kinds.len());
            match kinds.get_mut(kind) {
                Some(kind) => kind.origins.push(index),
                None => kinds.push(Kind { mark, origins: vec![index] }),
            }
        }
        Self { kinds, told: FxHashMap::default() }
    }

    /// One origin of each kind that has one of the marks and was not told of the call; none is the call's own result.
    pub fn untold(&mut self, call: CallRef, carried: Marks, found: &Interpretation) -> Vec<usize> {
        let told = self.told.entry(call).or_default();
        let new = carried & !*told;
        *told |= carried;
        let is_other = |index: &usize| found.origins.get(*index).is_some_and(|origin| origin.call != Some(call));
        let of = |kind: &Kind| if kind.mark & new == 0 { None } else { kind.origins.iter().copied().find(is_other) };
        if new == 0 { Vec::new() } else { self.kinds.iter().filter_map(of).collect() }
    }
}

fn hashed(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What is read, from what and by which arguments, wherever it stands.
fn of_origin(origin: &Origin, found: &Interpretation) -> u64 {
    let mut hasher = DefaultHasher::new();
    (origin.kind, &origin.name, &origin.detail).hash(&mut hasher);
    let mut add = |argument: &Value| {
        argument.visit("", &mut |key, value| {
            (key, std::mem::discriminant(value)).hash(&mut hasher);
            match value {
                Value::String(text, _) | Value::Partial(text, _) => text.hash(&mut hasher),
                Value::Number(number, _) => number.to_bits().hash(&mut hasher),
                Value::Boolean(truth, _) => truth.hash(&mut hasher),
                Value::Array(parts, _) | Value::OneOf(parts, _) => parts.len().hash(&mut hasher),
                Value::Object(parts, _) => parts.len().hash(&mut hasher),
                Value::Missing | Value::Null(_) | Value::Dynamic(_) => {}
            }
        });
    };
    match origin.call {
        Some(CallRef::Tool(at)) => found.calls.get(at).into_iter().for_each(|call| add(&call.argument)),
        Some(CallRef::Host(at)) => found.host_calls.get(at).into_iter().flat_map(|call| &call.arguments).for_each(add),
        None => {}
    }
    hasher.finish()
}
