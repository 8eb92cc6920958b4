//! What all pages of HTML share: the head, the style, the texts, and how the places of a template are filled in. No page asks
//! for anything from outside.

pub mod text;

use std::fmt::{self, Write as _};

/// What stands before a page's own template.
const HEAD: &str = include_str!("head.html");

/// Writes the head and then the template `page` of the command `command`; `fill` writes what belongs at each `{{place}}`.
///
/// # Errors
///
/// When the writer fails.
pub fn fill((command, page): (&str, &str), out: &mut String, mut fill: impl FnMut(&str, &mut String) -> fmt::Result) -> fmt::Result {
    for template in [HEAD, page] {
        for (at, part) in template.split("{{").enumerate() {
            let (place, rest) = if at == 0 { ("", part) } else { part.split_once("}}").unwrap_or(("", part)) };
            match place {
                "" => {}
                "command" => write!(out, "callgate {command}")?,
                place => fill(place, out)?,
            }
            out.push_str(rest);
        }
    }
    Ok(())
}
