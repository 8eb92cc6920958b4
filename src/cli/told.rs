//! What is told on standard error: without the secrets that stand in it, whoever wrote them there.

use std::collections::BTreeSet;
use std::io::{self, Write as _};

use crate::pattern::library::Library;
use crate::pattern::mask::Mask;
use crate::pattern::search::secrets_in;
use crate::pattern::secret::Secret;

/// The secrets that the built-in patterns find in these texts.
pub fn mask_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Mask {
    let mut mask = Mask::default();
    // The built-in patterns do make a library; a fault of the user's own is told elsewhere.
    if let Ok(library) = Library::new(Vec::new()) {
        let secrets: BTreeSet<Secret> = texts.into_iter().flat_map(|text| secrets_in(&library, text)).collect();
        mask.learn(&secrets);
    }
    mask
}

/// A text without the secrets in it.
pub fn discreet(text: String) -> String {
    mask_of([text.as_str()]).hidden(&text).unwrap_or(text)
}

/// Tells a text on standard error.
pub fn tell(text: String) {
    // If it cannot be printed there is nobody to tell.
    let _ = io::stderr().write_all(discreet(text).as_bytes());
}
