//! What a server answers whoever asks: by a method of the response that it is passed, or by what its handler returns.
//!
//! Most answers are what a server is there for. Only those are told of that hold what the machine keeps to itself: variables, files,
//! stores.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{Code, ObjectKind};
use crate::format::script::interpret::record::HostSite;
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::span::span_of;
use crate::knowledge;
use crate::subject::flow::{OriginKind, Strength};
use crate::value::span::Span;

/// The path of what a handler returns.
const RETURNED: &str = "<returned-answer>";

impl<'a> Interpreter<'a> {
    /// Returns true if and only if what is passed holds something whole of the machine's own. What something unknown makes of it, a page
    /// that is put together by settings, need not show it.
    pub fn tells_own(&mut self, arguments: &Arguments) -> bool {
        arguments.iter().any(|argument| {
            if self.is_made_of(argument, |path| knowledge::api(path).is_none_or(|api| api.origin.is_none())) {
                return false;
            }
            let (taint, _) = self.carried(argument);
            let labels = self.values.taints.labels(taint);
            labels.iter().filter(|label| label.strength == Strength::Whole).any(|label| {
                let origin = self.recorder.origin(label.origin);
                origin.is_some_and(|origin| matches!(origin.kind, OriginKind::Environment | OriginKind::File | OriginKind::Storage))
            })
        })
    }

    /// Returns true if and only if a value can only be what calls of the runtime returned whose paths fit.
    fn is_made_of(&self, value: Val, fits: impl Fn(&str) -> bool) -> bool {
        let atoms = self.values.atoms(value.id);
        !atoms.is_empty()
            && atoms.iter().all(|atom| match atom {
                Atom::Object(object) => match self.heap.object(*object).kind {
                    ObjectKind::Instance { path, .. } => fits(self.values.texts.get(path).trim_end_matches("()")),
                    _ => false,
                },
                _ => false,
            })
    }

    /// A handler returns what whoever asked is told. What answers by itself is told where it does.
    pub fn answer_with(&mut self, value: Val, handler: Val, site: Span) {
        let arguments = Arguments::of(vec![value]);
        let Some(api) = knowledge::api(RETURNED).filter(|_| self.tells_own(&arguments)) else { return };
        let span = self.span_of_function(handler).unwrap_or(site);
        self.record_host(HostSite::new(RETURNED.to_owned(), span), api, &arguments, &[].into());
    }

    /// Where a function stands, also one that is called on an object.
    fn span_of_function(&self, value: Val) -> Option<Span> {
        let target = self.kind_of(value).and_then(|kind| if let ObjectKind::Bound { target, .. } = kind { Some(*target) } else { None });
        match self.kind_of(target.unwrap_or(value))? {
            ObjectKind::Function { code: Code::Arrow(function), .. } => Some(span_of(*function)),
            ObjectKind::Function { code: Code::Function(function), .. } => Some(span_of(*function)),
            _ => None,
        }
    }

    /// The kind of the first object that a value may be.
    fn kind_of(&self, value: Val) -> Option<&ObjectKind<'a>> {
        self.values.atoms(value.id).iter().find_map(|atom| match atom {
            Atom::Object(object) => Some(&self.heap.object(*object).kind),
            _ => None,
        })
    }
}
