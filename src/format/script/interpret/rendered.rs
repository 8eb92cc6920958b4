//! What a script answers with is shown: whoever shows it loads the pictures that it names.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::record::HostSite;
use crate::format::script::interpret::value::{Atom, Val};
use crate::knowledge;
use crate::subject::flow::Strength;
use crate::subject::segment::HOLE;
use crate::value::span::Span;
use std::rc::Rc;

/// Answers are searched so deep.
const DEPTH: u32 = 4;
/// What is loaded of an address that stands in a text.
const ADDRESS: &str = "(address)";
/// What stands before the address of a picture, in a text of marks and in one of tags, and what ends it.
const PICTURES: &[InText] = &[("![", &["](<", "]("], &[')', ' ', '>']), ("<img", &["src=\"", "src='", "src="], &['"', '\'', '>', ' '])];

/// The same of links.
const LINKS: &[InText] = &[("](", &["](<", "]("], &[')', ' ', '>']), ("<a ", &["href=\"", "href='", "href="], &['"', '\'', '>', ' '])];

/// Where an address stands in a text: a mark, what stands before the address, what ends it.
type InText = (&'static str, &'static [&'static str], &'static [char]);

impl Interpreter<'_> {
    /// Notes the addresses of pictures in what a script answers with, as far as data stands in them.
    pub fn note_rendered(&mut self, answer: Val, span: Span) {
        let Some(api) = knowledge::api(ADDRESS) else { return };
        for (text, value) in self.texts_in(answer, DEPTH) {
            // A link is followed only by who wants to; one with a secret in it is bad enough.
            let linked = if self.holds_secret(value) { addresses(&text, LINKS) } else { Vec::new() };
            for address in addresses(&text, PICTURES).into_iter().chain(linked) {
                let (taint, via) = self.carried(value);
                let address = self.values.partial(address);
                let address = self.values.with_taint(address, taint).through(via);
                let site = HostSite::new(ADDRESS.to_owned(), span);
                self.record_host(site, api, &Arguments::of(vec![address]), &Rc::from([]));
            }
        }
    }

    fn holds_secret(&mut self, value: Val) -> bool {
        let (taint, _) = self.carried(value);
        let whole = self.values.taints.labels(taint).iter().filter(|label| label.strength == Strength::Whole);
        whole.map(|label| label.origin).collect::<Vec<_>>().into_iter().any(|origin| self.is_one_secret(origin))
    }

    fn texts_in(&mut self, value: Val, depth: u32) -> Vec<(Rc<str>, Val)> {
        if let Some(text) = self.values.text(value.id) {
            return vec![(text, value)];
        }
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        let mut inner = Vec::new();
        for atom in self.values.atoms(value.id).iter() {
            if let Atom::Object(object) = atom
                && matches!(self.heap.object(*object).kind, ObjectKind::Plain(_) | ObjectKind::Array)
            {
                inner.extend(self.heap.object(*object).fields.values().copied());
            }
        }
        inner.into_iter().flat_map(|value| self.texts_in(value, depth)).collect()
    }
}

/// The addresses elsewhere that stand in a text in certain places, of which a part is not known.
fn addresses<'t>(text: &'t str, places: &[InText]) -> Vec<&'t str> {
    let mut found = Vec::new();
    for (mark, heads, ends) in places {
        for (at, _) in text.match_indices(mark) {
            let rest = text.get(at..).unwrap_or_default();
            let Some(start) = heads.iter().find_map(|head| rest.find(head).map(|at| at + head.len())) else { continue };
            let address = rest.get(start..).unwrap_or_default().trim_start();
            let address = address.split(|character| ends.contains(&character)).next().unwrap_or_default();
            let is_elsewhere = address.starts_with("https://") || address.starts_with("http://");
            if is_elsewhere && address.contains(HOLE) {
                found.push(address);
            }
        }
    }
    found
}
