//! Who and what is outside: everybody, mailboxes that anybody can open, accounts that money does not come back from.

use std::net::Ipv4Addr;

use crate::knowledge::command::list;
use crate::knowledge::host::{is_inside_v4, lies_in};
use crate::knowledge::words::Tag;
use crate::meaning::argument::is_yes;
use crate::meaning::walk::{Arguments, Key};
use crate::subject::call::Value;
use crate::value::words::words;

/// Returns true if and only if a value stands for everybody.
pub fn is_everybody(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let said = words(&text);
    let is_open = said.first().is_some_and(|first| Tag::EverybodyWord.has(first));
    let is_said = is_open && said.iter().skip(1).all(|word| Tag::WayIn.has(word));
    is_said || Tag::Everybody.has(&text) || text.rsplit('/').next().is_some_and(|last| matches!(last, "allusers" | "allauthenticatedusers"))
}

/// Returns true if and only if an argument says in a few words that everybody gets in: a folder `Shared (anyone with link)`.
pub fn opens_to_all(argument: &Value) -> bool {
    let argument = Arguments::of(argument);
    let says = |text: &str| {
        let said = words(text);
        let open = said.iter().position(|word| Tag::EverybodyWord.has(word));
        said.len() <= FEW_WORDS && open.and_then(|at| said.get(at + 1..)).is_some_and(|rest| rest.iter().all(|word| Tag::WayIn.has(word)))
    };
    // `audience: 'all-tenants'`
    let are_all = |text: &str| match words(text).as_slice() {
        [all, whom] => matches!(all.as_str(), "all" | "every" | "any") && list("houses-of-others").contains(&whom.as_str()),
        _ => false,
    };
    let is_place = |key: &Key<'_>| !key.is(Tag::ContentKey) && !key.is(Tag::CoverKey);
    argument.said().any(|(key, text)| {
        is_place(key)
            && text.is_known
            && text.text.contains(char::is_alphabetic)
            && (is_everybody(text.text) || says(text.text) || key.is(Tag::AudienceKey) && are_all(text.text))
    }) || argument.properties().any(|(key, property)| key.is(Tag::PublicSwitch) && is_yes(&property.value))
}

/// So many words name a place and say no more than that.
const FEW_WORDS: usize = 6;

/// Returns true if and only if a value is an address of a mailbox.
pub fn is_mail_address(text: &str) -> bool {
    let text = text.trim().trim_start_matches("user:").trim_start_matches("mailto:");
    text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !text.contains(char::is_whitespace))
}

/// Returns true if and only if a value plainly names somebody who is not of the house.
pub fn is_outside(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    is_private_mailbox(&lower) || Tag::Foreign.has_any(words(&lower))
}

/// Returns true if and only if a value is an address of a mailbox that everybody can have.
pub fn is_private_mailbox(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    is_mail_address(&lower) && lower.rsplit('@').next().is_some_and(|host| Tag::MailboxHost.has(host))
}

/// Returns true if and only if a URL leads to a host that collects whatever is sent to it, or to a bare address.
pub fn is_collector(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = host.rsplit('@').next().unwrap_or(host).to_lowercase();
    let host = host.split(':').next().unwrap_or(&host);
    let is_bare = host.parse::<Ipv4Addr>().is_ok_and(|address| !is_inside_v4(address));
    is_bare || lies_in(host, Tag::DropHost)
}

/// Returns true if and only if a value has the form of an IBAN.
pub fn is_iban(text: &str) -> bool {
    let tight: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    let bytes = tight.as_bytes();
    (15..=34).contains(&bytes.len())
        && bytes.iter().take(2).all(u8::is_ascii_uppercase)
        && bytes.iter().skip(2).take(2).all(u8::is_ascii_digit)
        && bytes.iter().all(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::account::is_crypto_address;

    #[test]
    fn what_is_outside_is_told_from_what_may_be_of_the_house() {
        for (text, expected) in [
            ("a@gmail.com", true),
            ("x@evil.test", true),
            ("ada@acme.example", false),
            ("ada", false),
            ("user:a@proton.me", true),
            ("a@posteo.de", true),
        ] {
            assert_eq!(is_outside(text), expected, "{text}");
        }
        for (text, expected) in [
            ("https://webhook.site/1", true),
            ("https://a.ngrok.io/x", true),
            ("https://bore.pub/x", true),
            ("http://203.0.113.7/x", true),
            ("http://10.0.0.1/x", false),
            ("https://acme.example", false),
        ] {
            assert_eq!(is_collector(text), expected, "{text}");
        }
        for (text, expected) in [
            ("0x52908400098527886E0F7030069857D2E4169EE7", true),
            ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", true),
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", true),
            ("acct_1032D82eZvKYlo2C", false),
            ("customer-7", false),
        ] {
            assert_eq!(is_crypto_address(text), expected, "{text}");
        }
        assert!(is_iban("DE89 3704 0044 0532 0130 00") && !is_iban("INVOICE-2021-0001"));
    }
}
