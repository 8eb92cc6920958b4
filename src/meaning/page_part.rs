//! What becomes part of a page: a text is shown, markup is drawn, and only in some places either is run.

use crate::knowledge::words::Tag;
use crate::subject::call::{HostCall, Value};

/// What a text becomes in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PagePart {
    /// Words that are shown.
    Text,
    /// Elements that are drawn; browsers run no script that comes so.
    Markup,
}

/// What an assignment to an element or a call on one makes of the text; none if it may run.
pub fn page_part(call: &HostCall, path: &str) -> Option<PagePart> {
    let (is_text, is_markup) = (Tag::ElementText.has(path), Tag::ElementMarkup.has(path));
    if !is_text && !is_markup || made_to_run(call) {
        return None;
    }
    if is_text {
        return Some(PagePart::Text);
    }
    let mut runs = false;
    for argument in &call.arguments {
        argument.visit("", &mut |_, value| {
            if let Value::String(text, _) | Value::Partial(text, _) = value {
                runs |= may_run(text);
            }
        });
    }
    (!runs).then_some(PagePart::Markup)
}

/// Returns true if and only if the element was made as a script, or as what is not known.
fn made_to_run(call: &HostCall) -> bool {
    match call.receiver.first() {
        None => call.api.starts_with("document.createElement"),
        Some(Value::String(name, _)) => {
            ["script", "style", "iframe", "object", "embed"].iter().any(|own| name.trim().eq_ignore_ascii_case(own))
        }
        Some(_) => true,
    }
}

/// Returns true if and only if markup has a place whose text is run: a script, a handler, an address that is one.
fn may_run(markup: &str) -> bool {
    let markup = markup.to_ascii_lowercase();
    let handles = markup.match_indices("on").any(|(at, _)| {
        let is_name = markup.get(..at).is_some_and(ends_before_name);
        let name = markup.get(at..).unwrap_or_default().split_once('=').map_or("", |(name, _)| name.trim_end());
        is_name && 2 < name.len() && name.chars().all(|char| char.is_ascii_lowercase())
    });
    handles || ["<script", "javascript:", "srcdoc", "<iframe"].iter().any(|sign| markup.contains(sign))
}

/// Returns true if and only if the name of an attribute may follow: after a space, a slash, or the quote that ends a value.
fn ends_before_name(markup: &str) -> bool {
    let is_closed = |quote: char| markup.ends_with(quote) && markup.matches(quote).count().is_multiple_of(2);
    markup.ends_with([' ', '/', '\n', '\t']) || is_closed('"') || is_closed('\'')
}

#[cfg(test)]
mod tests {
    use super::may_run;

    #[test]
    fn markup_runs_by_scripts_handlers_and_addresses() {
        for markup in [
            "<script>\u{0}</script>",
            "<img src=x onerror=\u{0}>",
            "<a href=\"javascript:\u{0}\">",
            "<b\nonclick = '\u{0}'>",
            "<b title=\"a\"onclick='\u{0}'>",
        ] {
            assert!(may_run(markup), "{markup}");
        }
        for markup in ["<li>\u{0}</li>", "<p class=\"on\">on = \u{0}</p>", "<li title=\"one=two\">Season</li>"] {
            assert!(!may_run(markup), "{markup}");
        }
    }
}
