//! Clients that sign in with what stands in the script: whose account that is, only who wrote it knows.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::knowledge::{House, Side, destination};
use crate::subject::flow::WRITTEN_ACCOUNT;
use crate::subject::segment::HOLE;
use crate::value::words::joined;

/// How deep a credential lies in the options of a client: `{ credentials: { accessKeyId } }`.
const DEPTH: usize = 3;
/// A shorter text is no credential.
const SHORT: usize = 6;

/// What the options of a client tell of its account.
#[derive(Default)]
struct Signs {
    /// What it signs in with that stands in the script: the first of it.
    written: Option<String>,
    /// Something of it, or where it leads, is only known when it runs, or is a machine of one's own.
    is_own: bool,
}

impl Interpreter<'_> {
    /// Tells a call that its client signs in with a credential that stands in the script.
    pub fn name_account(&mut self, keys: ObjectId, made_with: &[Val]) {
        let mut signs = Signs::default();
        for value in made_with.iter().take(DEPTH) {
            self.look_for_account(*value, DEPTH, &mut signs);
        }
        let Some(written) = signs.written.filter(|_| !signs.is_own) else { return };
        let written = self.values.string(&written);
        self.set_key(keys, WRITTEN_ACCOUNT, written);
    }

    fn look_for_account(&mut self, value: Val, depth: usize, signs: &mut Signs) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let [Atom::Object(object)] = &*self.values.atoms(value.id) else { return };
        let object = *object;
        match &self.heap.object(object).kind {
            ObjectKind::Instance { path, made_with } => {
                let is_credential = self
                    .values
                    .texts
                    .get(*path)
                    .trim_end_matches("()")
                    .rsplit('.')
                    .next()
                    .is_some_and(|class| list("credential-classes").iter().any(|ending| class.ends_with(ending)));
                let made_with = made_with.to_vec();
                if is_credential {
                    // All that it is made with is what one signs in with: `new ClientSecretCredential(tenant, app, secret)`.
                    let is_plain = |value: &Val| self.values.text(value.id).is_some() || self.values.atoms(value.id).is_empty();
                    let told: Vec<Val> = made_with.iter().copied().filter(is_plain).collect();
                    for value in &told {
                        self.look_at_credential(*value, signs);
                    }
                    for value in made_with {
                        self.look_for_account(value, depth, signs);
                    }
                }
            }
            ObjectKind::Plain(_) => {
                let fields = self.heap.object(object).fields.iter().map(|(key, value)| (joined(self.values.texts.get(*key)), *value));
                let fields: Vec<(String, Val)> = fields.collect();
                for (key, value) in fields {
                    let is_object = matches!(&*self.values.atoms(value.id), [Atom::Object(_)]);
                    if list("account-keys").contains(&key.as_str()) && !is_object {
                        self.look_at_credential(value, signs);
                    } else if Tag::ServerKey.has(&key) && !is_object {
                        signs.is_own |= self.values.text(value.id).is_none_or(|text| text.contains(HOLE) || is_own_place(&text));
                    } else {
                        self.look_for_account(value, depth, signs);
                    }
                }
            }
            _ => {}
        }
    }

    fn look_at_credential(&mut self, value: Val, signs: &mut Signs) {
        match self.values.text(value.id).filter(|text| !text.contains(HOLE)) {
            Some(text) if SHORT <= text.len() && !is_filled_in_later(&text) => {
                signs.written = signs.written.take().or_else(|| Some(text.to_string()))
            }
            Some(_) => {}
            None => signs.is_own = true,
        }
    }
}

/// Returns true if and only if an address is that of a machine of one's own, which takes any credential.
fn is_own_place(address: &str) -> bool {
    destination(address, &House::default()).side == Side::Inside
}

/// Returns true if and only if a text only says that a credential belongs there: `YOUR_ACCESS_KEY`.
fn is_filled_in_later(text: &str) -> bool {
    let text = text.to_lowercase();
    list("account-placeholders").iter().any(|part| text.contains(part))
}
