//! The organisation's own domains, where a script tells them.

use std::collections::{BTreeMap, BTreeSet};

use crate::knowledge::destination::Side;
use crate::knowledge::host::{is_drop, is_for_everybody, side};
use crate::knowledge::house::House;
use crate::knowledge::words::Tag;

/// The domains that code tells to be the organisation's own: constants that say so by name (`ORG_DOMAIN`), and the
/// one domain at which several mail addresses stand. Mailboxes and names for everybody are nobody's own.
pub fn own_domains<'t>(code: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut own = BTreeSet::new();
    let mut addresses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for text in code {
        for (name, value) in constants(text) {
            let words = crate::value::words::words(name);
            let is_domain = words.last().is_some_and(|last| last == "domain") && Tag::Whose.has_any(words.iter());
            own.extend(is_domain.then(|| value.trim_start_matches('@').to_lowercase()).filter(|domain| is_ownable(domain)));
        }
        for (local, domain) in mail_addresses(text) {
            addresses.entry(domain.to_lowercase()).or_default().insert(local.to_lowercase());
        }
    }
    addresses.retain(|domain, _| is_ownable(domain));
    if let (1, Some((domain, locals))) = (addresses.len(), addresses.first_key_value())
        && 1 < locals.len()
    {
        own.insert(domain.clone());
    }
    own.into_iter().collect()
}

/// Returns true if and only if a domain can be one organisation's own.
fn is_ownable(domain: &str) -> bool {
    let is_name = domain.is_ascii() && domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    is_name && domain.contains('.') && side(domain, &House::default()) == Side::Outside && !is_for_everybody(domain) && !is_drop(domain)
}

/// The names that are given a text in code, each with the text: `const NAME = 'text'`, `NAME: "text"`.
fn constants(code: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '$');
    let starts = memchr::memchr2_iter(b'D', b'd', code.as_bytes());
    let ends = starts.filter(move |at| code.get(*at..at + 6).is_some_and(|word| word.eq_ignore_ascii_case("domain")));
    ends.filter_map(move |at| {
        let end = at + 6;
        let start = code.get(..at)?.rfind(|character| !is_part(character)).map_or(0, |before| before + 1);
        let rest = code.get(end..)?.trim_start();
        let rest = rest.strip_prefix(['=', ':'])?.trim_start();
        let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"' | '`'))?;
        let value = rest.get(1..)?.split(quote).next()?;
        Some((code.get(start..end)?, value))
    })
}

/// The mail addresses in code, as the parts before and behind the `@`.
fn mail_addresses(code: &str) -> impl Iterator<Item = (&str, &str)> {
    code.match_indices('@').filter_map(move |(at, _)| {
        let is_local = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-' | '+');
        let is_domain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-');
        let before = code.get(..at)?;
        let local = before
            .get(before.rfind(|character| !is_local(character)).map_or(0, |found| found + before.get(found..).map_or(1, first_length))..)?;
        let behind = code.get(at + 1..)?;
        let domain = behind.get(..behind.find(|character| !is_domain(character)).unwrap_or(behind.len()))?;
        (!local.is_empty() && domain.contains('.') && !domain.ends_with('.')).then_some((local, domain))
    })
}

fn first_length(text: &str) -> usize {
    text.chars().next().map_or(1, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_tells_its_own_domain_by_name_or_by_several_addresses() {
        for (code, expected) in [
            ("const ORG_DOMAIN = 'acme.com';", vec!["acme.com"]),
            ("const companyDomain = \"@Acme.com\";", vec!["acme.com"]),
            ("const cfg = { internalDomain: `acme.com` };", vec!["acme.com"]),
            ("const TARGET_DOMAIN = 'evil.io';", vec![]),
            ("const ORG_DOMAIN = 'gmail.com';", vec![]),
            ("const ORG_DOMAIN = 'x.ngrok.io';", vec![]),
            ("const ORG_DOMAIN = domain;", vec![]),
            ("send(['a@acme.com', 'b@acme.com'])", vec!["acme.com"]),
            ("send(['a@acme.com', 'a@acme.com'])", vec![]),
            ("send(['a@acme.com', 'b@evil.io'])", vec![]),
            ("send(['a@acme.com', 'b@acme.com', 'c@gmail.com'])", vec!["acme.com"]),
            ("send(['a@gmail.com', 'b@gmail.com'])", vec![]),
            ("import x from '@scope/a.b'; import y from '@scope/c.d'", vec![]),
        ] {
            assert_eq!(own_domains([code].into_iter()), expected, "{code}");
        }
    }
}
