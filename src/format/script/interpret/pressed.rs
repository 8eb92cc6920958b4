//! What a script presses in a page that it drives: a button that says what it does is the tool of that name.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::value::{Atom, ObjectId};
use crate::knowledge::command::list;
use crate::knowledge::form::Form;
use crate::value::words::words;

/// The tool that stands for pressing something.
const PRESS: &str = "web_app:press";
/// The tool that stands for typing something into a field.
const TYPE: &str = "web_app:type";
/// The tool that stands for sending what was typed.
const SEND: &str = "web_app:send_form";

/// How many words may stand before the verb: `Yes, delete everything`.
const BEFORE: usize = 2;

/// The most words of a name.
const WORDS: usize = 6;

impl Interpreter<'_> {
    /// The form of a call that presses or types something: a tool where what is pressed says that it deletes, where an account is typed
    /// that is written out, and where what was typed is sent; and else none.
    pub fn pressed_form(&mut self, form: Form, keys: ObjectId) -> Form {
        let label = match form.tool.as_deref() {
            Some(PRESS | TYPE) => self.label(keys).unwrap_or_default(),
            _ => return form,
        };
        let has = |named: &str| words(&label).iter().any(|word| list(named).contains(&word.as_str()));
        let tool = if form.tool.as_deref() == Some(PRESS) {
            named(&label).or_else(|| (self.types_account && has("sending-presses")).then(|| SEND.to_owned()))
        } else {
            let is_written = self.field_of(keys, "text").is_some_and(|text| self.values.text(text.id).is_some_and(|text| !text.is_empty()));
            let is_account = is_written && (has("account-fields") || has("forwarding-fields"));
            self.types_account |= is_account;
            is_account.then(|| TYPE.to_owned())
        };
        Form { tool, ..form }
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
