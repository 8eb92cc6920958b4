//! What an interpretation comes to: all that was noted, as plain data.

use crate::format::script::interpret::Interpretation;
use crate::format::script::interpret::exhaustion::Exhaustion;
use crate::format::script::interpret::record::{Recorder, ToolRecord};
use crate::format::script::interpret::steps::{ALL_LOOKED_AT, Steps};
use crate::format::script::interpret::text::Text;
use crate::format::script::interpret::value::Values;
use crate::knowledge::api::shown;
use crate::subject::call::{Call, Disguise, HostCall, Tool, Value};
use crate::subject::flow::{CallRef, Flow, Origin, OriginKind, Step, Strength, Way};
use crate::value::span::Span;
use oxc_semantic::Scoping;

impl Recorder {
    fn disguise_of(&self, text: Text) -> Disguise {
        match self.disguised.get(&text) {
            Some(_) if self.written.contains(&text) => Disguise::None,
            Some(true) => Disguise::Encoded,
            Some(false) => Disguise::Joined,
            None => Disguise::None,
        }
    }

    fn disguise_in(&self, record: &ToolRecord) -> Disguise {
        record.tools.first().map_or(Disguise::None, |text| self.disguise_of(*text))
    }

    fn tool(&self, record: &ToolRecord, values: &Values) -> Tool {
        let Some(text) = record.tools.first() else { return Tool::Dynamic };
        let name = values.texts.get(*text).to_string();
        let stands = self.written.contains(text) && self.disguise_of(*text) == Disguise::None;
        if stands { Tool::Named(name) } else { Tool::Folded(name) }
    }

    /// All that was noted, as plain data in order of place.
    pub fn finish(mut self, values: &Values, steps: &Steps, scoping: &Scoping, exhaustion: Option<Exhaustion>) -> Interpretation {
        // Calls in order of place.
        let mut order: Vec<usize> = (0..self.tools.len()).collect();
        let record = |index: &usize| self.tools.get_index(*index).map(|(_, record)| (record.site.span.start, record.site.span.end, *index));
        order.sort_by_key(record);
        let mut numbers = vec![0; order.len()];
        for (number, index) in order.iter().enumerate() {
            numbers[*index] = number;
        }
        let mut host_order: Vec<usize> = (0..self.hosts.len()).collect();
        host_order.sort_by_key(|index| self.hosts.get_index(*index).map(|(site, _)| (site.span, *index)));
        let mut host_numbers = vec![0; host_order.len()];
        for (number, index) in host_order.iter().enumerate() {
            host_numbers[*index] = number;
        }
        let renumber = |call: CallRef| match call {
            CallRef::Tool(index) => CallRef::Tool(numbers.get(index).copied().unwrap_or(index)),
            CallRef::Host(index) => CallRef::Host(host_numbers.get(index).copied().unwrap_or(index)),
        };
        let mut calls = Vec::with_capacity(order.len());
        for (nth, index) in order.iter().enumerate() {
            let Some((_, record)) = self.tools.get_index(*index) else { continue };
            let (tool, disguise) = (self.tool(record, values), self.disguise_in(record));
            let Some((_, record)) = self.tools.get_index_mut(*index) else { continue };
            let mut over: Vec<usize> = record.over.iter().map(|origin| *origin as usize).collect();
            over.sort_unstable();
            over.dedup();
            calls.push(Call {
                tool,
                argument: std::mem::replace(&mut record.argument, Value::Missing),
                loop_depth: record.loop_depth,
                repeated: record.repeated,
                repeat: record.repeat,
                over,
                nth: u32::try_from(nth).unwrap_or(u32::MAX),
                earlier: 0,
                doc: None,
                hints: Vec::new(),
                span: record.site.span,
                tool_span: record.site.tool_span,
                is_method: record.site.is_method,
                disguise,
            });
        }
        let host_calls: Vec<HostCall> = host_order
            .iter()
            .filter_map(|index| {
                let (_, record) = self.hosts.get_index_mut(*index)?;
                Some(HostCall {
                    api: std::mem::take(&mut record.site.api),
                    arguments: std::mem::take(&mut record.arguments),
                    receiver: std::mem::take(&mut record.receiver),
                    loop_depth: record.loop_depth,
                    repeated: record.repeated,
                    repeat: record.repeat,
                    earlier: 0,
                    span: record.site.span,
                    callers: record.site.callers.into_iter().filter(|caller| *caller != 0).collect(),
                })
            })
            .collect();
        let origins: Vec<Origin> =
            self.origins.values().map(|origin| Origin { call: origin.call.map(renumber), ..origin.clone() }).collect();
        let mut flows = Vec::with_capacity(self.flows.len());
        let mut left = ALL_LOOKED_AT;
        for (key, via) in &self.flows {
            let Some(origin) = origins.get(key.origin as usize) else { continue };
            let sink = renumber(key.sink);
            let (name, span) = match sink {
                CallRef::Tool(index) => calls.get(index).map(|call| (call.tool.shown().to_owned(), call.span)),
                CallRef::Host(index) => host_calls.get(index).map(|call| (shown(&call.api), call.span)),
            }
            .unwrap_or_default();
            let what = match origin.kind {
                OriginKind::Tool => "read by",
                _ => "read from",
            };
            let mut way = vec![Step { span: origin.span, note: format!("{what} `{}`", origin.name) }];
            if key.strength != Strength::Control {
                way.extend(
                    steps
                        .way(key.origin, *via, &mut left)
                        .into_iter()
                        .map(|(symbol, span)| Step { span, note: format!("kept in `{}`", scoping.symbol_name(symbol)) }),
                );
            }
            let note =
                if key.strength == Strength::Control { format!("decides whether `{name}` runs") } else { format!("passed to `{name}`") };
            way.push(Step { span, note });
            flows.push(Flow {
                origin: key.origin as usize,
                field: values.texts.get(key.field).to_string(),
                sink,
                argument: values.texts.get(key.argument).to_string(),
                strength: key.strength,
                is_plain: key.is_plain,
                is_one: key.is_one,
                way: Way::Followed,
                steps: way,
            });
        }
        flows.sort_by(|left, right| (left.sink, left.origin, &left.argument).cmp(&(right.sink, right.origin, &right.argument)));
        let place = |(span, call): (Span, CallRef)| (span, renumber(call));
        let places = self.places.into_iter().map(place).collect();
        Interpretation {
            calls,
            host_calls,
            origins,
            flows,
            code: self.code,
            places,
            noted: self.noted,
            answered: self.answered,
            agent_calls: self.agent_calls,
            checks_sum: self.makes_sum && self.compares_sum,
            exhaustion,
        }
    }
}
