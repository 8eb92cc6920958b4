//! What kind of data a whole name tells.

use crate::knowledge::command::list;
use crate::knowledge::sensitivity::{Sensitivity, category};
use crate::knowledge::tool::noun;
use crate::value::words::words;

/// Returns true if and only if the words of a name tell of keys by which a shell is opened, as things: `ssh_keypair`. What is typed into
/// a terminal (`send_keys`) is something else.
pub fn names_keys_of_shell<W: AsRef<str>>(name: impl Iterator<Item = W>) -> bool {
    let mut before = String::new();
    name.into_iter().any(|word| {
        let is_key = before == "ssh" && list("shell-keys").contains(&word.as_ref());
        before = word.as_ref().to_owned();
        is_key
    })
}

/// What kind of data a name tells, by what its words tell together and by each thing that they name.
pub fn named_sensitivity(name: &str) -> Option<Sensitivity> {
    let words = words(name);
    let things = words.iter().filter_map(|word| noun(word)?.sensitivity).max();
    category(&words).max(things)
}
