//! Files: what is written to one comes out where it is read by the same name.

use oxc_ast::ast::{Argument, Expression};
use rustc_hash::FxHashMap;

use crate::format::script::cover::Cover;
use crate::format::script::cover::call::Passed;
use crate::format::script::cover::graph::{Edge, Node};
use crate::format::script::interpret::Interpretation;
use crate::knowledge::SinkKind;
use crate::knowledge::api::api;
use crate::subject::flow::OriginKind;
use crate::value::span::Span;

/// What a call does with the file that it names first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads it.
    Reads,
    /// It writes it.
    Writes,
}

/// How a script names a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FileName {
    /// By a text that is written out.
    Text(String),
    /// By what a variable holds.
    Held(Node),
}

/// Where files are read and written.
pub fn accesses(found: &Interpretation) -> FxHashMap<Span, Access> {
    let access = |path: &str| {
        let api = api(path)?;
        match (api.sink, api.origin) {
            (Some(SinkKind::FileWrite), _) => Some(Access::Writes),
            (_, Some(OriginKind::File)) => Some(Access::Reads),
            _ => None,
        }
    };
    found.host_calls.iter().filter_map(|call| Some((call.span, access(&call.api)?))).collect()
}

impl Cover<'_> {
    /// A call may read or write a file.
    pub fn file(&mut self, span: Span, passed: &[Passed], arguments: &[Argument<'_>], result: Node) {
        let Some(access) = self.accesses.get(&span).copied() else { return };
        let (Some(first), Some(written)) = (passed.first(), arguments.first().and_then(Argument::as_expression)) else { return };
        let name = match (self.key_text(written), written.get_inner_expression()) {
            (Some(text), _) => FileName::Text(text),
            (None, Expression::Identifier(_)) => FileName::Held(first.node),
            _ => return,
        };
        let content = match self.files.get(&name) {
            Some(known) => *known,
            None => self.graph.node(),
        };
        self.files.insert(name, content);
        match access {
            Access::Reads => self.graph.edge(content, Edge::Made(result)),
            Access::Writes => {
                for passed in passed.iter().skip(1) {
                    self.graph.edge(passed.node, Edge::Made(content));
                }
            }
        }
    }
}
