//! Text that is run as code: what its names stand for, and what an embedded one takes over from the script around.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::format::script::interpret::exhaustion::Bound;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::property::has_hole;
use crate::format::script::interpret::steps::{StepId, StepKind};
use crate::format::script::interpret::taint::{Altered, Label};
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::interpret::{CodeText, Interpreter, OuterName};
use crate::knowledge::Api;
use crate::subject::flow::Origin;
use crate::value::span::Span;

/// How many variables an embedded text may name.
const NAMES: usize = 10_000;
/// How many texts that run as code are kept.
const CODE: usize = 64;

/// How the address of a text begins that was put into a blob.
const OF_BLOB: &str = "blob:";

impl<'a> Interpreter<'a> {
    /// Notes the constant text that is run as code.
    pub fn note_code(&mut self, api: &Api, arguments: &Arguments, made_with: &Rc<[Val]>, span: Span) {
        if let Some((only, others)) = api.data.split_first() {
            // `build({ banner, footer })`
            let keyed = others.iter().filter(|at| at.contains('.'));
            for at in std::iter::once(only).chain(keyed) {
                let text = self.argument_text(arguments, made_with, at).map(Rc::from);
                self.note_text(text, None, span);
            }
            return;
        }
        let text = arguments.known.iter().rev().find_map(|value| self.values.text(value.id));
        self.note_text(text, Some(arguments), span);
    }

    /// Notes one text that is run, with what its parameters are called if it is made a function of.
    fn note_text(&mut self, text: Option<Rc<str>>, parameters: Option<&Arguments>, span: Span) {
        let Some(text) = text.filter(|text| !text.is_empty() && !has_hole(text)) else { return };
        let text = text.strip_prefix(OF_BLOB).map_or_else(|| Rc::clone(&text), Rc::from);
        let is_known = self.recorder.code.iter().any(|code| code.span == span && *code.text == *text);
        if is_known {
            return;
        }
        if CODE <= self.recorder.code.len() {
            self.exhaust(Bound::Code);
            return;
        }
        let (mut names, mut tools) = (Vec::new(), Vec::new());
        if let Some(arguments) = parameters {
            // The parameters of `new Function('a', 'b', code)` may be given a tool function.
            let count = arguments.known.len().saturating_sub(1);
            for value in arguments.known.iter().take(count) {
                let listed = self.values.text(value.id).unwrap_or_else(|| Rc::from(""));
                tools.extend(listed.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()));
            }
        }
        let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '\u{200c}' | '\u{200d}');
        let named: FxHashSet<&str> = text.split(|character: char| !is_part(character)).filter(|word| !word.is_empty()).collect();
        // What is assigned there may be anything afterwards.
        let (assigns, mut assigned) = (has_assignment(&text), Vec::new());
        let mut left = NAMES;
        for symbol in self.scoping.symbol_ids() {
            let name = self.scoping.symbol_name(symbol);
            if named.contains(name) || !name.chars().all(is_part) && text.contains(name) {
                if left == 0 {
                    self.exhaust(Bound::Code);
                    break;
                }
                left -= 1;
                let value = self.read(symbol);
                self.outer_name(name, value, &mut names, &mut tools);
                assigned.extend(assigns.then_some((symbol, value)));
            }
        }
        for (symbol, value) in assigned {
            for atom in self.values.atoms(value.id).iter() {
                if let Atom::Object(object) = atom {
                    self.blur(*object, Val::UNKNOWN);
                }
            }
            let joined = self.values.join(value, Val::UNKNOWN);
            self.write(symbol, joined, span);
        }
        let globals: Vec<(Rc<str>, Val)> =
            self.heap.object(self.globals).fields.iter().map(|(key, value)| (Rc::clone(self.values.texts.get(*key)), *value)).collect();
        for (name, value) in globals {
            if text.contains(&*name) {
                self.outer_name(&name, value, &mut names, &mut tools);
            }
        }
        self.recorder.code.push(CodeText { text: text.to_string(), span, names, tools });
    }

    /// The address of a script that is put together of texts: `URL.createObjectURL(new Blob([code]))`.
    pub fn address_of_script(&mut self, blob: Val, span: Span) -> Option<Val> {
        let [Atom::Object(object)] = *self.values.atoms(blob.id) else { return None };
        let ObjectKind::Instance { path, made_with } = self.heap.object(object).kind.clone() else { return None };
        if &**self.values.texts.get(path) != "Blob()" {
            return None;
        }
        let kind = made_with.get(1).map_or(Val::UNDEFINED, |options| self.property(*options, "type", span));
        let is_script = match self.values.text(kind.id) {
            Some(kind) => kind.contains("javascript") || kind.contains("ecmascript"),
            None => made_with.len() < 2,
        };
        let parts = self.elements(*made_with.first()?).known.filter(|_| is_script)?;
        let text = self.concatenate(&parts);
        self.values.text(text.id).filter(|text| !has_hole(text))?;
        let scheme = self.values.string(OF_BLOB);
        Some(self.concatenate(&[scheme, text]))
    }

    /// Notes that a function that was made of texts is called: its parameters are what it is passed.
    pub fn note_called(&mut self, arguments: &Arguments, made_with: &Rc<[Val]>, span: Span) {
        let Some((text, parameters)) = self.made_of(made_with) else { return };
        let (mut names, mut tools) = (Vec::new(), Vec::new());
        for (at, name) in parameters.iter().enumerate() {
            self.outer_name(name, arguments.get(at), &mut names, &mut tools);
        }
        names.retain(|name| !name.labels.is_empty());
        let is_known = self.recorder.code.iter().any(|code| code.span == span && *code.text == *text);
        if names.is_empty() || is_known || has_hole(&text) {
            return;
        }
        if CODE <= self.recorder.code.len() {
            self.exhaust(Bound::Code);
            return;
        }
        self.recorder.code.push(CodeText { text: text.to_string(), span, names, tools });
    }

    /// The text and the parameters of a function: `new Function('a', 'b', text)`, `vm.compileFunction(text, ['a', 'b'])`.
    fn made_of(&mut self, made_with: &Rc<[Val]>) -> Option<(Rc<str>, Vec<String>)> {
        let texts: Vec<Rc<str>> = made_with.iter().filter_map(|value| self.values.text(value.id)).collect();
        let lists: Vec<Val> = made_with.iter().copied().filter(|value| self.values.text(value.id).is_none()).collect();
        let listed: Vec<Val> = lists.into_iter().flat_map(|list| self.elements(list).known.unwrap_or_default()).collect();
        let listed: Vec<Rc<str>> = listed.into_iter().filter_map(|element| self.values.text(element.id)).collect();
        let (text, parameters) = match texts.split_last() {
            Some((text, parameters)) if listed.is_empty() => (text, parameters.to_vec()),
            _ => (texts.first()?, listed),
        };
        let parameters = parameters.iter().flat_map(|names| names.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>());
        Some((Rc::clone(text), parameters.collect()))
    }

    fn outer_name(&mut self, name: &str, value: Val, names: &mut Vec<OuterName>, tools: &mut Vec<String>) {
        let is_tool = self.values.atoms(value.id).iter().any(|atom| match atom {
            Atom::Native(path) => self.is_tool_function(self.values.texts.get(*path)),
            _ => false,
        });
        if is_tool {
            tools.push(name.to_owned());
            return;
        }
        let (taint, _) = self.carried(value);
        let labels = self.values.taints.labels(taint).iter();
        let labels = labels.map(|label| (label.origin, self.values.texts.get(label.field).to_string(), label.strength)).collect();
        let text = self.values.text(value.id).filter(|text| !has_hole(text)).map(|text| text.to_string());
        names.push(OuterName { name: name.to_owned(), labels, text });
    }

    /// Takes over the origins and the names of the script around.
    pub fn inherit(&mut self, origins: &[Origin], names: &[OuterName]) {
        for (index, origin) in origins.iter().enumerate() {
            let call = None;
            self.recorder.origins.insert((origin.span, format!("outer {index}")), Origin { call, ..origin.clone() });
        }
        for outer in names {
            let labels: Vec<Label> = outer
                .labels
                .iter()
                .map(|(origin, field, strength)| Label {
                    origin: *origin,
                    field: self.values.texts.intern(field),
                    strength: *strength,
                    altered: Altered::No,
                    is_plain: false,
                    is_one: false,
                })
                .collect();
            let via = labels.first().map_or(StepId::NONE, |label| {
                let span = origins.get(label.origin as usize).map_or_else(Span::default, |origin| origin.span);
                self.steps.after(StepId::NONE, StepKind::Read(label.origin), span)
            });
            let taint = self.values.taints.set(labels);
            let value = match &outer.text {
                Some(text) => {
                    let text = self.values.string(text);
                    self.values.with_taint(text, taint).through(via)
                }
                None => self.values.opaque(taint, via),
            };
            let key = self.values.texts.intern(&outer.name);
            self.heap.set(Place::Field(self.globals, key), value);
        }
    }
}

/// Returns true if and only if a text that is run as code sets something: `x = 1`, `x += 1`, `x++`.
fn has_assignment(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_sign = |at: usize| bytes.get(at).is_some_and(|byte| matches!(byte, b'=' | b'>'));
    let is_compared =
        |at: usize| at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(|byte| matches!(byte, b'=' | b'!' | b'<' | b'>'));
    let sets = |at: usize| bytes.get(at) == Some(&b'=') && !is_sign(at + 1) && !is_compared(at);
    text.contains("++") || text.contains("--") || text.contains("delete ") || (0..bytes.len()).any(sets)
}
