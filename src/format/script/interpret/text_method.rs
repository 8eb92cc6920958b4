//! Methods of texts, and of things of which nothing is known but the data they carry.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::heap::derived;
use crate::format::script::interpret::method::is_promise_method;
use crate::format::script::interpret::method::iteration::is_iteration;
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::{Altered, Change, Label, Taint};
use crate::format::script::interpret::text::FIELD_READERS;
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::js::constant::Constant;
use crate::format::script::js::method;
use crate::knowledge::Sensitivity;
use crate::knowledge::tool::tool;
use crate::subject::flow::OriginKind;
use crate::subject::segment::HOLE;
use crate::value::account::is_bank_account;
use crate::value::span::Span;
use crate::value::words::words;
use std::rc::Rc;
/// Regular expressions that match each character, so that a fixed replacement leaves only the length.
const EVERYTHING: &[&str] =
    &[".", "[^]", "[^]+", "[\\s\\S]", "\\S", "\\w", ".+", ".*", "[\\s\\S]*", "[\\s\\S]+", "\\S+", "\\w+", "[a-z0-9]"];

/// Characters that may be left of a text that is cut.
const FEW: f64 = 4.0;

/// Methods that answer yes or no.
const QUESTIONS: &[&str] =
    &["includes", "startsWith", "endsWith", "test", "some", "every", "has", "hasOwnProperty", "isPrototypeOf", "equals", "hasOwn", "is"];

impl<'a> Interpreter<'a> {
    /// What an argument brings into what a method makes of a text. Only what is put in as it is stays a word: a number that picks
    /// characters spells any text.
    fn passed_to_text(&mut self, name: &str, at: usize, argument: Val) -> (Taint, StepId) {
        let (taint, via) = self.carried(argument);
        // What is sought is gone from the text where it stood.
        if at == 0 && matches!(name, "replace" | "replaceAll") {
            return (self.values.changed(taint, Change::Altered(Altered::Replaced)), via);
        }
        let is_put_in = matches!(name, "concat" | "join" | "replace" | "replaceAll");
        (if is_put_in { taint } else { self.values.changed(taint, Change::Rewritten) }, via)
    }

    /// A method of a text or number.
    pub fn constant_method(&mut self, this: Val, name: &str, arguments: &Arguments, span: Span) -> Val {
        if is_promise_method(name) {
            return self.promise_method(this, name, arguments, span);
        }
        let (mut taint, mut via) = (self.values.taint(this.id), this.via);
        let own_taint = taint;
        for (at, argument) in arguments.iter().enumerate() {
            let mut one = self.passed_to_text(name, at, argument);
            if matches!(name, "repeat" | "padStart" | "padEnd") {
                one.0 = self.values.changed(one.0, Change::Altered(Altered::Sized));
            }
            (taint, via) = self.both((taint, via), one);
        }
        // A regular expression that stands for one text alone is that text.
        if name == "split"
            && let Some(parts) = self.split_mailbox((taint, via), arguments, span)
        {
            return parts;
        }
        let sought = if matches!(name, "replace" | "replaceAll") { self.plain_pattern(arguments.get(0)) } else { None };
        let plain;
        let (arguments, name) = match &sought {
            Some((text, is_global)) => {
                let first = self.values.string(text);
                let known = std::iter::once(first).chain(arguments.known.iter().skip(1).copied()).collect();
                plain = Arguments { known, rest: arguments.rest };
                (&plain, if *is_global { "replaceAll" } else { "replace" })
            }
            None => (arguments, if name == "toLocaleString" && self.values.text(this.id).is_some() { "toString" } else { name }),
        };
        let constants: Option<Vec<Constant>> = arguments.known.iter().map(|value| self.constant_value(*value)).collect();
        if let (Some(own), Some(constants), None) = (self.values.known(this.id), constants, arguments.rest) {
            let folded = method::method(&own, name, &constants);
            if let Some(folded) = folded {
                if let Constant::String(text) = &folded {
                    let text = self.values.texts.intern(text);
                    let hides = matches!(name, "replace" | "replaceAll" | "slice" | "substring" | "substr" | "charAt" | "at" | "split")
                        && self.values.texts.get(text).len() < 3;
                    if name == "toString" && matches!(own, Constant::Number(_)) || hides {
                        self.recorder.disguise(text, true);
                    }
                }
                let value = self.constant_at(&folded, span);
                return self.values.with_taint(value, taint).through(via);
            }
        }
        if let Some(value) = self.by_regex(this, name, arguments, span) {
            return self.values.with_taint(value, taint).through(via);
        }
        if matches!(name, "replace" | "replaceAll")
            && let Some(value) = self.replaced_by_function(this, arguments, span)
        {
            let via = if value.via == StepId::NONE { via } else { value.via };
            return self.values.with_taint(value, taint).through(via);
        }
        if self.is_callable(arguments.get(0)) || self.is_callable(arguments.get(1)) {
            let text = self.values.opaque(own_taint, this.via);
            return self.opaque_method(text, name, arguments, span);
        }
        if name == "concat" {
            let parts: Vec<Val> = std::iter::once(this).chain(arguments.iter()).collect();
            return self.concatenate(&parts);
        }
        if name == "split" {
            let inner = self.values.opaque(taint, via);
            return self.array(derived(span, 1), &[], Some(inner));
        }
        if matches!(
            name,
            "trim" | "toLowerCase" | "toUpperCase" | "trimEnd" | "trimStart" | "normalize" | "toString" | "replace" | "replaceAll"
        ) && let [Atom::Partial(_)] = &*self.values.atoms(this.id)
        {
            // What is known of it stays about the same.
            if matches!(name, "replace" | "replaceAll")
                && let (Some(text), Some(from)) = (self.values.text(this.id), self.values.text(arguments.get(0).id))
            {
                let with = self.values.text(arguments.get(1).id).map_or_else(|| HOLE.to_string(), |with| with.to_string());
                let replaced = self.values.partial(&text.replace(&*from, &with));
                return self.values.with_taint(replaced, taint).through(via);
            }
            return self.values.with_taint(this, taint).through(via);
        }
        if matches!(name, "replace" | "replaceAll")
            && let (Some(text), Some(from)) = (self.values.text(this.id), self.values.text(arguments.get(0).id))
        {
            // A template whose mark is replaced by something that is not known.
            let replaced = self.values.partial(&text.replace(&*from, &HOLE.to_string()));
            return self.values.with_taint(replaced, taint).through(via);
        }
        let text = self.values.opaque(taint, via);
        self.opaque_method(text, name, &Arguments::default(), span)
    }

    /// The value of a constant, arrays made at a place.
    pub fn constant_at(&mut self, constant: &Constant, span: Span) -> Val {
        match constant {
            Constant::Array(elements) => {
                let elements: Vec<Val> = elements.iter().map(|element| self.constant_at(element, span)).collect();
                let context = self.new_context();
                let around = self.frames.last_mut().map(|frame| std::mem::replace(&mut frame.context, context));
                let array = self.array(span.start, &elements, None);
                if let (Some(frame), Some(around)) = (self.frames.last_mut(), around) {
                    frame.context = around;
                }
                array
            }
            Constant::Bytes(bytes) => self.bytes(bytes, span),
            constant => self.values.constant(constant).unwrap_or(Val::UNKNOWN),
        }
    }

    /// The entries of what a service answered. That is JSON: what has entries in it is a list, and their numbers tell nothing of them.
    pub fn numbered_answer(&mut self, this: Val, name: &str, arguments: &Arguments, span: Span) -> Option<Val> {
        let (taint, _) = self.carried(this);
        if name != "entries" || !arguments.known.is_empty() || !self.is_answer(taint) {
            return None;
        }
        let elements = self.elements(this);
        let pair = self.array(derived(span, 1), &[Val::UNKNOWN, elements.any], None);
        Some(self.array(derived(span, 2), &[], Some(pair)))
    }

    /// Returns true if and only if data is what tools and services answered, and nothing else.
    fn is_answer(&self, taint: Taint) -> bool {
        let labels = self.values.taints.labels(taint);
        let is_told = |kind: OriginKind| matches!(kind, OriginKind::Tool | OriginKind::Network);
        !labels.is_empty() && labels.iter().all(|label| self.recorder.origin(label.origin).is_some_and(|origin| is_told(origin.kind)))
    }

    /// A method of something of which nothing is known but the data it carries.
    pub fn opaque_method(&mut self, this: Val, name: &str, arguments: &Arguments, span: Span) -> Val {
        let own = self.values.taint(this.id);
        if let Some(time) = self.time_as(this, name) {
            return time;
        }
        if is_promise_method(name) {
            return self.promise_method(this, name, arguments, span);
        }
        if is_iteration(name) && self.is_callable(arguments.get(0)) {
            let elements = self.elements(this);
            return match name {
                "reduce" | "reduceRight" => self.reduce(name, arguments, &elements, span),
                "sort" | "toSorted" => {
                    self.iterate("forEach", arguments.get(0), &elements, span);
                    this
                }
                _ => self.iterate(name, arguments.get(0), &elements, span),
            };
        }
        if let Some(numbered) = self.numbered_answer(this, name, arguments, span) {
            return numbered;
        }
        let (mut taint, mut via) = (own, this.via);
        for (at, argument) in arguments.iter().enumerate() {
            let one = self.passed_to_text(name, at, argument);
            (taint, via) = self.both((taint, via), one);
        }
        if matches!(name, "push" | "unshift" | "add" | "append" | "set" | "write" | "update") {
            // What is put into something that is not known is in it from now on, as far as it is told by a name.
            self.call_back(arguments, &Arguments { known: Vec::new(), rest: Some(this) }, span);
            if matches!(name, "push" | "unshift") {
                for value in arguments.known.clone() {
                    self.put_into(this, None, value);
                }
            }
            return self.values.opaque(taint, via);
        }
        if name == "pipe" || name == "pipeTo" || name == "pipeThrough" {
            return self.pipe(this, arguments.get(0), span);
        }
        // What ends with a slash is a folder: whoever asks goes into it, and chooses nothing.
        if name == "endsWith" && self.values.text(arguments.get(0).id).is_some_and(|end| &*end == "/") {
            return self.values.opaque(Taint::NONE, via);
        }
        if QUESTIONS.contains(&name) {
            let taint = self.values.changed(taint, Change::Bit);
            return self.values.opaque(taint, via);
        }
        if matches!(name, "indexOf" | "search" | "lastIndexOf" | "localeCompare") {
            let taint = self.values.changed(own, Change::Bit);
            let argument = self.carried(arguments.get(0));
            let (taint, via) = self.both((taint, via), argument);
            return self.values.opaque(taint, via);
        }
        if name == "split"
            && let Some(parts) = self.split_mailbox((own, this.via), arguments, span)
        {
            return parts;
        }
        if matches!(name, "pop" | "shift" | "at") {
            let taint = self.values.changed(own, Change::Element);
            return self.values.opaque(taint, via);
        }
        if FIELD_READERS.contains(&name)
            && own != Taint::NONE
            && let Some(key) = self.values.text(arguments.get(0).id)
        {
            let key = self.values.texts.intern(&key);
            let taint = self.values.changed(own, Change::Field(key));
            return self.values.opaque(taint, via);
        }
        if matches!(name, "getTime" | "getFullYear" | "toISOString" | "toLocaleDateString" | "getMonth" | "getDate") {
            return self.values.opaque(own, via);
        }
        let mut put = arguments.get(1);
        if name == "replace" || name == "replaceAll" {
            let replacement = arguments.get(1);
            if self.is_callable(replacement) {
                let passed = self.values.opaque(own, via);
                let replaced = self.maybe(|interpreter| {
                    interpreter.call_value(replacement, Val::UNDEFINED, &Arguments { known: Vec::new(), rest: Some(passed) }, span)
                });
                let one = self.carried(replaced);
                (taint, via) = self.both((taint, via), one);
                put = replaced;
            }
        } else {
            self.call_back(arguments, &Arguments { known: Vec::new(), rest: Some(this) }, span);
        }
        if let Some(how) = self.takes_out(name, arguments) {
            let source = self.regex_source(arguments.get(0));
            taint = self.altered(taint, how, source.as_deref().is_some_and(is_of_pairs));
            if source.is_some_and(|source| EVERYTHING.contains(&&*source)) {
                taint = self.values.changed(taint, Change::Redacted);
            }
        }
        if name == "match"
            && let Some(source) = self.regex_source(arguments.get(0))
        {
            taint = self.taken_out(taint, &source);
        }
        // An account that stands in a text of records now, where another one stood.
        if name.starts_with("replace") && self.values.text(put.id).is_some_and(|text| is_bank_account(&text)) {
            let source = self.values.opaque(own, via);
            self.put_into(source, None, put);
        }
        match self.put_in(name, put) {
            Some(lines) => self.values.with_taint(lines, taint).through(via),
            None => self.values.opaque(taint, via),
        }
    }

    /// What is known of a text of which a part is replaced by lines or elements that are written out: these are in it now.
    fn put_in(&mut self, name: &str, put: Val) -> Option<Val> {
        let is_put = |lines: &Rc<str>| name.starts_with("replace") && (lines.contains('\n') || lines.contains("</"));
        let lines = self.values.text(put.id).filter(is_put)?;
        Some(self.values.partial(&format!("{HOLE}{lines}{HOLE}")))
    }

    /// Data of which something was taken out. A value that is a secret by itself holds no pairs of a name and a value, so that
    /// taking out those leaves it as it is.
    fn altered(&mut self, taint: Taint, how: Altered, is_of_pairs: bool) -> Taint {
        if !is_of_pairs {
            return self.values.changed(taint, Change::Altered(how));
        }
        let labels = self.values.taints.labels(taint).iter();
        let after = |label: &Label| if self.is_one_secret(label.origin) { label.altered } else { how.max(label.altered) };
        let labels = labels.map(|label| Label { altered: after(label), is_plain: false, ..*label }).collect();
        self.values.taints.set(labels)
    }

    /// How a method of a text takes most of it out, if it does: a replacement of whole classes of characters by something
    /// fixed, or a few characters that are cut out.
    pub fn takes_out(&self, name: &str, arguments: &Arguments) -> Option<Altered> {
        let number = |at: usize| arguments.known.get(at).and_then(|value| self.values.known(value.id)).map(|number| number.to_number());
        match name {
            "replace" | "replaceAll" => {
                let is_fixed = self.values.text(arguments.get(1).id).is_some_and(|with| !with.contains('$') && !with.contains(HOLE));
                let is_broad = is_fixed && self.regex_source(arguments.get(0)).is_some_and(|source| is_broad(&source));
                is_broad.then_some(Altered::Replaced)
            }
            "charAt" | "at" => number(0).map(|at| cut(at, at + 1.0)),
            "slice" | "substring" | "substr" => match (number(0), number(1)) {
                (Some(start), None) => (-FEW..0.0).contains(&start).then(|| cut(start, 0.0)),
                (Some(start), Some(length)) if name == "substr" => {
                    (start >= 0.0 && (0.0..=FEW).contains(&length)).then(|| cut(start, start + length))
                }
                (Some(start), Some(end)) => (start >= 0.0 && (end - start).abs() <= FEW).then(|| cut(start.min(end), start.max(end))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The text for which a regular expression stands that is written out and has no choice, and whether it is sought everywhere.
    fn plain_pattern(&self, value: Val) -> Option<(String, bool)> {
        let source = self.regex_source(value)?;
        let [Atom::Object(object)] = &*self.values.shape(value.id).atoms else { return None };
        let ObjectKind::Instance { made_with, .. } = &self.heap.object(*object).kind else { return None };
        let flags = self.values.text(made_with.get(1)?.id)?;
        let mut text = String::new();
        let mut characters = source.chars();
        while let Some(character) = characters.next() {
            text.push(match character {
                '\\' => characters.next().filter(char::is_ascii_punctuation)?,
                '.' | '*' | '+' | '?' | '^' | '$' | '(' | ')' | '[' | ']' | '{' | '}' | '|' => return None,
                character => character,
            });
        }
        (!text.is_empty() && !flags.contains('i')).then(|| (text, flags.contains('g')))
    }

    /// The two parts of a person's address: what stands behind the `@` tells where the person works, and not who it is.
    fn split_mailbox(&mut self, (taint, via): (Taint, StepId), arguments: &Arguments, span: Span) -> Option<Val> {
        let is_at = self.values.text(arguments.get(0).id).is_some_and(|text| &*text == "@");
        if !is_at || !self.is_mailbox(taint) {
            return None;
        }
        let altered = self.values.changed(taint, Change::Altered(Altered::Replaced));
        let domain = self.values.changed(altered, Change::Redacted);
        let parts = [self.values.opaque(taint, via), self.values.opaque(domain, via)];
        Some(self.array(derived(span, 1), &parts, None))
    }

    /// Returns true if and only if all data of a value is of fields that are named as mailboxes, of what somebody sent or a service keeps of
    /// people. What the machine keeps may be given any name on its way.
    fn is_mailbox(&self, taint: Taint) -> bool {
        let labels = self.values.taints.labels(taint);
        let is_named = |label: &Label| {
            let field = self.values.texts.get(label.field);
            field
                .rsplit('.')
                .next()
                .is_some_and(|last| words(last).iter().any(|word| matches!(word.as_str(), "email" | "mail" | "mailbox")))
        };
        let is_of_people = |label: &Label| match self.recorder.origin(label.origin) {
            Some(origin) => match origin.kind {
                OriginKind::Tool => tool(&origin.name).sensitivity != Some(Sensitivity::Authentication),
                OriginKind::Incoming | OriginKind::Network => true,
                _ => false,
            },
            None => false,
        };
        !labels.is_empty() && labels.iter().all(|label| is_named(label) && is_of_people(label))
    }

    /// The source of a regular expression that is written out.
    pub fn regex_source(&self, value: Val) -> Option<Rc<str>> {
        let [Atom::Object(object)] = &*self.values.shape(value.id).atoms else { return None };
        let ObjectKind::Instance { path, made_with } = &self.heap.object(*object).kind else { return None };
        if &**self.values.texts.get(*path) != "RegExp()" {
            return None;
        }
        self.values.text(made_with.first()?.id)
    }
}

/// The characters that are cut out of a text; of places far from its ends it does not matter which they are.
fn cut(start: f64, end: f64) -> Altered {
    let place = |at: f64| at.clamp(f64::from(i8::MIN), f64::from(i8::MAX)) as i8;
    if place(start) < place(end) { Altered::Cut(place(start), place(end)) } else { Altered::Replaced }
}

/// Returns true if and only if a regular expression is of pairs of a name and a value: `password=\S+`.
fn is_of_pairs(source: &str) -> bool {
    let groups = ["(?:", "(?=", "(?<=", "(?<!", "(?!"];
    let source = groups.iter().fold(source.to_owned(), |source, group| source.replace(group, "("));
    let name = source.find(['=', ':']).and_then(|at| source.get(..at)).unwrap_or_default();
    3 <= name.chars().filter(char::is_ascii_alphabetic).count() && !name.contains('[')
}

/// Returns true if and only if a regular expression matches whole classes of characters, not just some text.
fn is_broad(source: &str) -> bool {
    ["\\w", "\\d", "\\S", "[^", "[a-z", "[A-Z", "[0-9", ".*", ".+", ".(", "(.", "[\\s\\S]", "\\D"]
        .iter()
        .any(|class| source.contains(class))
        || source == "."
}
