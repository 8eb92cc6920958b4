//! What a script presses in a page that it drives, and types into it: a button that says what it does is the tool of that name.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::Place;
use crate::format::script::interpret::taint::Label;
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge::command::list;
use crate::knowledge::form::Form;
use crate::knowledge::{House, Side, destination};
use crate::subject::flow::OriginKind;
use crate::value::words::words;

/// The tool that stands for pressing something.
const PRESS: &str = "web_app:press";
/// The tool that stands for typing something into a field.
const TYPE: &str = "web_app:type";
/// The tool that stands for sending what was typed.
const SEND: &str = "web_app:send_form";
/// The tool that stands for sending a form in which something was typed, whatever it is.
const SUBMIT: &str = "web_app:submit_form";
/// The tool that stands for reading a page.
const READ: &str = "web:fetch_page";
/// The tool that stands for typing what was read into a page at an address.
const POST: &str = "web_page:post_text";

/// What a script did so far to pages that it drives.
#[derive(Default)]
pub struct Driven {
    /// The address to which it went last, where that is known.
    address: Option<Val>,
    /// It typed something.
    types: bool,
    /// It typed an account that is written out.
    types_account: bool,
}

/// How many words may stand before the verb: `Yes, delete everything`.
const BEFORE: usize = 2;

/// The most words of a name.
const WORDS: usize = 6;

impl Interpreter<'_> {
    /// The form of a call that presses or types something: a tool where what is pressed says that it deletes, where an account is typed
    /// that is written out, and where what was typed is sent; and else none.
    pub fn pressed_form(&mut self, form: Form, keys: ObjectId) -> Form {
        let label = match form.tool.as_deref() {
            // What stands on a page inside is of the house.
            Some(READ) => {
                if let Some(address) = self.driven.address.filter(|address| self.is_inside(*address)) {
                    self.put_address(keys, address);
                }
                return form;
            }
            Some(PRESS | TYPE) => self.label(keys).unwrap_or_default(),
            _ => return form,
        };
        let has = |named: &str| words(&label).iter().any(|word| list(named).contains(&word.as_str()));
        let tool = if form.tool.as_deref() == Some(PRESS) {
            let sends = has("sending-presses");
            let is_inside = || self.driven.address.is_some_and(|address| self.is_inside(address));
            named(&label)
                .or_else(|| (self.driven.types_account && sends).then(|| SEND.to_owned()))
                .or_else(|| (self.driven.types && sends && !is_inside()).then(|| SUBMIT.to_owned()))
        } else {
            let text = self.field_of(keys, "text").and_then(|text| self.values.text(text.id)).unwrap_or_default();
            let is_account = has("account-fields") && is_like_account(&text) || has("forwarding-fields") && text.contains('@');
            self.driven.types = true;
            self.driven.types_account |= is_account;
            if is_account { Some(TYPE.to_owned()) } else { self.typed_from_elsewhere(&label, keys) }
        };
        Form { tool, ..form }
    }

    /// The tool of typing what another tool or page said into the page to which the script went last, where any text has room.
    fn typed_from_elsewhere(&mut self, label: &str, keys: ObjectId) -> Option<String> {
        let text = self.field_of(keys, "text")?;
        let (taint, _) = self.carried(text);
        let is_read = |label: &Label| self.recorder.origin(label.origin).is_some_and(|origin| matches!(origin.kind, OriginKind::Tool));
        let holds_text = words(label).iter().any(|word| list("text-fields").contains(&word.as_str()));
        if !holds_text || !self.values.taints.labels(taint).iter().any(is_read) {
            return None;
        }
        self.put_address(keys, self.driven.address?);
        Some(POST.to_owned())
    }

    fn put_address(&mut self, keys: ObjectId, address: Val) {
        let key = self.values.texts.intern("url");
        self.heap.set(Place::Field(keys, key), address);
    }

    fn is_inside(&self, address: Val) -> bool {
        self.values.text(address.id).is_some_and(|address| destination(&address, &House::default()).side == Side::Inside)
    }

    /// Notes to which address a page is led that the script drives.
    pub fn note_driven(&mut self, path: &str, arguments: &Arguments) {
        if path.ends_with(".goto") && list("drivers").iter().any(|driver| path.starts_with(driver)) {
            self.driven.address = Some(arguments.get(0)).filter(|address| self.values.text(address.id).is_some());
        }
    }

    /// What stands on what is pressed, as far as the script says it.
    fn label(&self, keys: ObjectId) -> Option<String> {
        let text_of = |object: ObjectId, key: &str| self.field_of(object, key).and_then(|value| self.values.text(value.id));
        let options = self.field_of(keys, "options").and_then(|options| match &*self.values.atoms(options.id) {
            [Atom::Object(object)] => Some(*object),
            _ => None,
        });
        let named = options.and_then(|options| text_of(options, "name").or_else(|| text_of(options, "hasText")));
        named.or_else(|| text_of(keys, "selector")).map(|text| text.to_string())
    }
}

/// The fewest digits of an account, and the fewest signs: what one signs in with has less.
const DIGITS: usize = 6;
const SIGNS: usize = 12;

/// Returns true if and only if a text is as long as an account to which money goes, and has as many digits.
fn is_like_account(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let signs = text.chars().filter(|sign| !sign.is_whitespace()).count();
    DIGITS <= digits && SIGNS <= signs && !text.contains('@')
}

/// The tool by what a label or a selector says: `Delete workspace`, `text=Delete`, `#delete-account`.
fn named(label: &str) -> Option<String> {
    let said = label.split_once("has-text(").map_or(label, |(_, rest)| rest.split(')').next().unwrap_or(rest));
    let said = said.strip_prefix("text=").unwrap_or(said);
    let said = said.rsplit(['>', '#', '=']).next().unwrap_or(said);
    let all = words(said);
    let verb = all.iter().take(BEFORE + 1).position(|word| deletes(word))?;
    // `#bulk-delete` deletes whatever was selected before.
    if all.get(verb.saturating_sub(1)).is_some_and(|before| matches!(before.as_str(), "bulk" | "mass")) {
        return Some(format!("web_app:bulk_{}_records", all.get(verb)?));
    }
    let name = all.get(verb..).filter(|name| 1 < name.len() && name.len() <= WORDS)?;
    Some(format!("web_app:{}", name.join("_")))
}

/// Returns true if and only if a word on a button says that what is deleted does not come back.
fn deletes(word: &str) -> bool {
    matches!(word, "delete" | "destroy" | "erase" | "purge" | "wipe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_button_says_is_what_it_does() {
        for (label, expected) in [
            ("Delete workspace", Some("web_app:delete_workspace")),
            ("Yes, delete everything", Some("web_app:delete_everything")),
            ("text=Delete all projects", Some("web_app:delete_all_projects")),
            ("button:has-text(\"Delete account\")", Some("web_app:delete_account")),
            ("#delete-account", Some("web_app:delete_account")),
            ("#bulk-delete", Some("web_app:bulk_delete_records")),
            ("Delete", None),
            ("Sign in", None),
            ("button[type=submit]", None),
        ] {
            assert_eq!(named(label).as_deref(), expected, "{label}");
        }
    }
}
