//! What a script answers with is shown: whoever shows it loads the pictures that it names.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::record::HostSite;
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::Taint;
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge;
use crate::knowledge::words::Tag;
use crate::subject::flow::Strength;
use crate::subject::segment::HOLE;
use crate::value::span::Span;
use crate::value::words::{joined, words};
use std::rc::Rc;

/// So many addresses are remembered.
const REMEMBERED: usize = 1_000;
/// Answers are searched so deep.
const DEPTH: u32 = 6;
/// The tool by which the next step of a workflow runs the statements that it is handed.
const NEXT_STEP: &str = "n8n:run_sql";
/// The tool by which the next step of a workflow gets what this one answers with.
const HANDED_ON: &str = "n8n:write_step_output";
/// The same of a step whose output is a variable, and the name of that.
const SET_OUTPUT: &str = "zapier:write_step_output";
const OUTPUT: &str = "output";
/// What is loaded of an address that stands in a text.
const ADDRESS: &str = "(address)";
/// What stands before the address of a picture, in a text of marks and in one of tags, and what ends it.
const PICTURES: &[InText] = &[("![", &["](<", "]("], &[')', ' ', '>']), ("<img", &["src=\"", "src='", "src="], &['"', '\'', '>', ' '])];

/// The same of links.
const LINKS: &[InText] = &[("](", &["](<", "]("], &[')', ' ', '>']), ("<a ", &["href=\"", "href='", "href="], &['"', '\'', '>', ' '])];

/// Where an address stands in a text: a mark, what stands before the address, what ends it.
type InText = (&'static str, &'static [&'static str], &'static [char]);

/// A text of an answer: the key under which it stands, what it says, and the value that it is of.
type Held = (Rc<str>, Rc<str>, Val);

impl Interpreter<'_> {
    /// Remembers what stands in the addresses of a text that is put together of parts, by where they end in it.
    pub fn remember_addresses(&mut self, text: &str, parts: &[(usize, Taint, StepId)]) {
        if !text.contains(HOLE) || !text.contains("://") {
            return;
        }
        for (start, address) in addresses(text, PICTURES).into_iter().chain(addresses(text, LINKS)) {
            let end = start + address.len();
            let (mut held, mut at, mut is_within) = ((Taint::NONE, StepId::NONE), 0, false);
            for (part_end, taint, via) in parts {
                if start < *part_end && at < end {
                    held = self.both(held, (*taint, *via));
                }
                is_within |= at < start && end < *part_end;
                at = *part_end;
            }
            // What was put together before is known better than as a part of more.
            let known = self.in_addresses.get(address).copied();
            if (known.is_none() || !is_within) && self.in_addresses.len() < REMEMBERED {
                let held = known.map_or(held, |known| self.both(known, held));
                self.in_addresses.insert(address.to_owned(), held);
            }
        }
    }

    /// Notes the addresses of pictures in what a script answers with, as far as data stands in them.
    pub fn note_rendered(&mut self, answer: Val, span: Span) {
        let Some(api) = knowledge::api(ADDRESS) else { return };
        let texts = self.texts_in(answer, "", DEPTH);
        self.note_statements(&texts, span);
        self.note_payees(&texts, answer, HANDED_ON, span);
        let is_step = self.recorder.is_step();
        for (key, text, value) in texts {
            let pictures = addresses(&text, PICTURES).into_iter().map(|(_, address)| (address, true));
            let links = addresses(&text, LINKS).into_iter().map(|(_, address)| (address, false));
            // What a step hands on as an address the next one asks for.
            let is_asked_for = is_step && Tag::AddressKey.has(&joined(&key)) && is_address_of_data(&text);
            let asked_for = is_asked_for.then_some((&*text, true));
            for (address, is_loaded) in pictures.chain(links).chain(asked_for) {
                let (taint, via) = self.in_addresses.get(address).copied().unwrap_or_else(|| self.carried(value));
                // A link is followed only by who wants to; one with a secret in it is bad enough.
                if !self.holds_secret(taint) && (!is_loaded || self.only_names(address, taint)) {
                    continue;
                }
                let address = self.values.partial(address);
                let address = self.values.with_taint(address, taint).through(via);
                let site = HostSite::new(ADDRESS.to_owned(), span);
                self.record_host(site, api, &Arguments::of(vec![address]), &Rc::from([]));
            }
        }
    }

    /// Returns true if and only if a path names one thing by a part of what is read of it: `/avatars/ada`.
    fn only_names(&self, address: &str, taint: Taint) -> bool {
        let is_path = !address.split_once(['?', '#']).is_some_and(|(_, query)| query.contains(HOLE));
        let labels = self.values.taints.labels(taint);
        is_path
            && labels.iter().all(|label| {
                let field = self.values.texts.get(label.field);
                !field.is_empty() && !field.contains("[]")
            })
    }

    fn holds_secret(&self, taint: Taint) -> bool {
        let whole = self.values.taints.labels(taint).iter().filter(|label| label.strength == Strength::Whole);
        whole.map(|label| label.origin).any(|origin| self.is_one_secret(origin))
    }

    /// Notes the statements that a step of a workflow hands to the next one, which runs them.
    fn note_statements(&mut self, texts: &[Held], span: Span) {
        if !self.recorder.is_step() {
            return;
        }
        for (key, text, _) in texts {
            let key = joined(key);
            if Tag::StatementKey.has(&key) || Tag::RunningQuery.has(&key) {
                let (tool, statement) = (self.values.string(NEXT_STEP), self.values.partial(text));
                self.recorder.written(NEXT_STEP, &mut self.values.texts);
                self.record_tool(self.form_site(span, false), tool, &Arguments::of(vec![statement]));
            }
        }
    }

    /// Notes what a step assigns to the name under which the next one gets it: `output = { … }`.
    pub fn note_output(&mut self, name: &str, value: Val, span: Span) {
        if name == OUTPUT && self.recorder.gives_output() {
            let texts = self.texts_in(value, "", DEPTH);
            self.note_payees(&texts, value, SET_OUTPUT, span);
        }
    }

    /// Notes what a step of a workflow hands to the next one, where it writes out whom that is to pay.
    fn note_payees(&mut self, texts: &[Held], answer: Val, tool: &str, span: Span) {
        // The house's own account may stand in every one of them.
        let names = |(key, text, value): &Held| {
            let is_written = self.values.text(value.id).is_none() && !text.is_empty() && !text.contains(HOLE);
            is_written && (Tag::BankDetail.has_any(words(key)) || Tag::PayeeKey.has(&joined(key)))
        };
        let hands_on = self.recorder.is_step() || self.recorder.gives_output();
        if hands_on && texts.iter().any(names) {
            self.recorder.written(tool, &mut self.values.texts);
            let tool = self.values.string(tool);
            self.record_tool(self.form_site(span, false), tool, &Arguments::of(vec![answer]));
        }
    }

    /// The texts that an answer may be or hold, each with the key under which it stands, and the value that it is of.
    fn texts_in(&mut self, value: Val, key: &str, depth: u32) -> Vec<Held> {
        let mut found = Vec::new();
        for atom in self.values.atoms(value.id).iter() {
            match atom {
                Atom::Text(text) | Atom::Partial(text) => found.push((Rc::from(key), Rc::clone(self.values.texts.get(*text)), value)),
                Atom::Object(object) => found.extend(self.texts_in_object(*object, key, depth)),
                _ => {}
            }
        }
        found
    }

    fn texts_in_object(&mut self, object: ObjectId, key: &str, depth: u32) -> Vec<Held> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        let inner: Vec<(Rc<str>, Val)> = match self.heap.object(object).kind {
            ObjectKind::Plain(_) => {
                let fields = self.heap.object(object).fields.iter();
                fields.map(|(key, value)| (Rc::clone(self.values.texts.get(*key)), *value)).collect()
            }
            ObjectKind::Array => {
                let list = self.values.object(object);
                let elements = self.elements(list);
                let all = elements.known.unwrap_or_else(|| vec![elements.any]);
                all.into_iter().map(|one| (Rc::from(key), one)).collect()
            }
            _ => Vec::new(),
        };
        inner.into_iter().flat_map(|(key, value)| self.texts_in(value, &key, depth)).collect()
    }
}

/// Returns true if and only if a text is an address elsewhere in whose query something stands that is not known.
fn is_address_of_data(text: &str) -> bool {
    let is_elsewhere = text.starts_with("https://") || text.starts_with("http://");
    is_elsewhere && text.split_once('?').is_some_and(|(_, query)| query.contains(HOLE))
}

/// The addresses elsewhere that stand in a text in certain places, of which a part is not known.
fn addresses<'t>(text: &'t str, places: &[InText]) -> Vec<(usize, &'t str)> {
    let mut found = Vec::new();
    for (mark, heads, ends) in places {
        for (at, _) in text.match_indices(mark) {
            let rest = text.get(at..).unwrap_or_default();
            let Some(start) = heads.iter().find_map(|head| rest.find(head).map(|at| at + head.len())) else { continue };
            let begins = rest.get(start..).unwrap_or_default();
            let address = begins.trim_start();
            let start = at + start + begins.len() - address.len();
            let address = address.split(|character| ends.contains(&character)).next().unwrap_or_default();
            let is_elsewhere = address.starts_with("https://") || address.starts_with("http://");
            if is_elsewhere && address.contains(HOLE) {
                found.push((start, address));
            }
        }
    }
    found
}
