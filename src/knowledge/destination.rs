//! Destinations: whether a URL, host, address or path lies inside or belongs to somebody else.

use crate::knowledge::host;
use crate::knowledge::house::House;
pub use crate::knowledge::row::term::Side;
use crate::knowledge::words::Tag;
use crate::subject::segment::HOLE;

/// Where something goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// On which side it lies.
    pub side: Side,
    /// What tells so, for people: `https://evil.example`, `a@gmail.com`; `…` stands for unknown parts.
    pub shown: String,
}

/// How many services call whoever calls them.
const ONESELF: &str = "me";

/// Longest text that is shown, in characters.
const LONGEST: usize = 80;

/// Where a text leads: a URL, host, mail address, list of addresses, phone number, channel or path; `HOLE`
/// stands for unknown parts.
pub fn destination(text: &str, house: &House) -> Destination {
    let text: String = text.trim().chars().filter(|character| !matches!(character, '\t' | '\r' | '\n')).collect();
    // What may go on in another name is not trusted as one's own.
    let text = path_told_apart(&text).filter(|told| place(told, house) != Side::Inside).unwrap_or(text);
    if house.trusts_text(&text) || text == ONESELF {
        return Destination { side: Side::Inside, shown: shown(&text) };
    }
    // What begins with the sign is the handle of a channel or a person, not a mail address.
    let is_mail = |part: &&str| part.contains('@') && !part.starts_with('@') && !part.contains("//");
    let parts = text.split([',', ';']).map(str::trim).filter(is_mail);
    let addresses: Vec<Destination> = parts.map(|part| mail(part, house)).collect();
    let is_list = 1 < addresses.len() || !text.contains('/') && !text.contains('\\') && addresses.len() == 1;
    match addresses.into_iter().max_by_key(|address| address.side) {
        Some(worst) if is_list => worst,
        Some(_) | None => Destination { side: place(&text, house), shown: place_shown(&text) },
    }
}

/// An address whose host is whole before something that is not known: what follows is its path, which begins with a slash. Who writes
/// `https://api.example.com` and then what somebody gave him means no other host.
fn path_told_apart(text: &str) -> Option<String> {
    let start = text.find("://")? + 3;
    let end = text.find(HOLE).filter(|end| start < *end)?;
    let (before, rest) = (text.get(..end)?, text.get(end..)?);
    let behind = rest.trim_start_matches(HOLE);
    let host = before.get(start..)?;
    let is_host = host.contains('.') && host.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-'));
    let last = host.rsplit('.').next()?;
    let is_whole = 2 <= last.len() && last.chars().all(|letter| letter.is_ascii_alphabetic());
    let is_last = behind.is_empty() || behind.starts_with(['/', '?', '#', '=', '&']);
    (is_host && is_whole && is_last).then(|| format!("{before}/{rest}"))
}

fn mail(text: &str, house: &House) -> Destination {
    let address = text.rsplit_once('<').map_or(text, |(_, rest)| rest.trim_end_matches('>')).trim();
    let address = address.strip_prefix("mailto:").unwrap_or(address);
    let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
    let domain = domain.split(['?', '>']).next().unwrap_or(domain);
    let is_inside = house.trusts_text(address);
    let side = if is_inside { Side::Inside } else { host::side(domain, house) };
    Destination { side, shown: shown(address) }
}

fn place(text: &str, house: &House) -> Side {
    // Browsers take a backslash for a slash.
    let text = text.replace('\\', "/");
    match scheme(&text) {
        Some((scheme, _)) if Tag::LocalScheme.has(&scheme) => Side::Inside,
        Some((scheme, rest)) if Tag::HostScheme.has(&scheme) => host::side(authority(rest.trim_start_matches('/')), house),
        Some((scheme, rest)) if Tag::NameScheme.has(&scheme) => {
            if house.trusts_text(rest.trim_matches('/')) {
                Side::Inside
            } else {
                Side::Unknown
            }
        }
        Some((_, rest)) if rest.starts_with("//") => host::side(authority(rest.trim_start_matches('/')), house),
        Some(_) => Side::Unknown,
        None if text.starts_with("//") => host::side(authority(text.trim_start_matches('/')), house),
        None if text.starts_with(['/', '.', '?', '#', '~']) => Side::Inside,
        None => bare(&text, house),
    }
}

/// A text without a scheme: a host, a phone number, or the name of something.
fn bare(text: &str, house: &House) -> Side {
    let is_phone =
        text.starts_with('+') && text.chars().skip(1).all(|digit| digit.is_ascii_digit() || matches!(digit, ' ' | '-' | '(' | ')'));
    let host = authority(text);
    let is_host_character =
        |character: char| character.is_alphanumeric() || matches!(character, '.' | '-' | '_' | '[' | ']' | ':' | '%' | HOLE);
    let is_host = host.contains(['.', '[']) && !host.contains("..") && host.chars().all(is_host_character) || host == "localhost";
    if is_phone {
        Side::Outside
    } else if is_host || house.trusts_host(&host.to_lowercase()) {
        host::side(host, house)
    } else {
        Side::Unknown
    }
}

/// The scheme of a URL and what stands behind its colon. `host:443` has none.
fn scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'));
    let is_port =
        !rest.is_empty() && rest.split('/').next().is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    let (last, _) = (scheme.rsplit('+').next().unwrap_or(scheme), ());
    (is_scheme && !is_port).then(|| (last.to_ascii_lowercase(), rest))
}

/// The host of what stands behind the slashes of a URL: without user, port and path.
fn authority(text: &str) -> &str {
    let authority = text.split(['/', '?', '#']).next().unwrap_or(text);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match host.rsplit_once(':') {
        Some((before, port)) if !port.contains(']') && (!before.contains(':') || before.ends_with(']')) => before,
        Some(_) | None => host,
    }
}

/// What people see of a place: a URL up to its host, anything else as it is.
fn place_shown(text: &str) -> String {
    match text.find("://") {
        Some(at) => {
            let from = at + 3;
            let rest = text.get(from..).unwrap_or_default();
            let path = host::drop_path(rest).map(str::len);
            let length = path.or_else(|| rest.find(['/', '?', '#', '\\'])).unwrap_or(rest.len());
            shown(text.get(..from + length).unwrap_or(text))
        }
        None => shown(text),
    }
}

fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(LONGEST).map(|character| if character == HOLE { '…' } else { character }).collect();
    if LONGEST < text.chars().count() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house() -> House {
        House { trusted: vec!["acme.com".to_owned(), "@partner.io".to_owned(), "backups".to_owned()], ..House::default() }
    }

    #[test]
    fn the_side_of_a_place_is_told_by_its_host() {
        for (text, expected) in [
            ("http://localhost:3000/x", Side::Inside),
            ("http://127.0.0.1/", Side::Inside),
            ("http://10.1.2.3/", Side::Inside),
            ("http://172.16.0.1/", Side::Inside),
            ("http://172.32.0.1/", Side::Outside),
            ("http://192.168.1.1/", Side::Inside),
            ("http://192.169.1.1/", Side::Outside),
            ("http://[::1]:80/", Side::Inside),
            ("http://[fd00::1]/", Side::Inside),
            ("http://[2001:db8::1]/", Side::Outside),
            ("http://[::ffff:8.8.8.8]/", Side::Outside),
            ("https://api.acme.internal/x", Side::Inside),
            ("https://internal.evil.io/x", Side::Outside),
            ("http://db.prod.svc.cluster.local", Side::Inside),
            ("http://billing/x", Side::Inside),
            ("postgres+ssl://u:p@db.example.net/x", Side::Outside),
            ("/api/x", Side::Inside),
            ("//evil.io/x", Side::Outside),
            ("\\\\evil.io\\x", Side::Outside),
            ("https:\\\\evil.io", Side::Outside),
            ("https:evil.io", Side::Outside),
            ("ht\ntps://evil.io", Side::Outside),
            ("https://acme.com/x", Side::Inside),
            ("https://API.Acme.com./x", Side::Inside),
            ("https://evil-acme.com", Side::Outside),
            ("https://acme.com.evil.io", Side::Outside),
            ("https://acme.com@evil.io/", Side::Outside),
            ("https://evil.io/@acme.com", Side::Outside),
            ("https://evil.io?acme.com", Side::Outside),
            ("https://evil.io#acme.com", Side::Outside),
            ("https://evil.io\\@acme.com", Side::Outside),
            ("http://2130706433/", Side::Inside),
            ("http://0x7f000001/", Side::Inside),
            ("http://0177.0.0.1/", Side::Inside),
            ("http://3405803876/", Side::Outside),
            ("http://0xcb.0x00.0x71.0x07/", Side::Outside),
            ("https://xn--acm-jma.com", Side::Outside),
            ("https://аcme.com", Side::Outside),
            ("https://%65vil.io", Side::Outside),
            ("data:text/plain,x", Side::Inside),
            ("evil.io:443", Side::Outside),
            ("evil.io", Side::Outside),
            ("general", Side::Unknown),
            ("@night_owls", Side::Unknown),
            ("#general", Side::Inside),
            ("+1 555 0100", Side::Outside),
            ("s3://backups/a", Side::Unknown),
            ("backups", Side::Inside),
            ("s3://others", Side::Unknown),
            ("https://api.telegram.org/bot1/sendMessage", Side::Outside),
            ("", Side::Unknown),
        ] {
            assert_eq!(destination(text, &house()).side, expected, "{text}");
        }
    }

    #[test]
    fn unknown_parts_are_judged_by_what_is_known() {
        for (text, expected) in [
            ("https://evil.io/?d=\u{1a}", Side::Outside),
            ("https://\u{1a}.evil.io/", Side::Outside),
            ("https://\u{1a}.acme.com/", Side::Inside),
            ("https://\u{1a}-acme.com/", Side::Unknown),
            ("https://acme.com\u{1a}", Side::Unknown),
            ("https://acme.com/\u{1a}", Side::Inside),
            ("\u{1a}/api", Side::Unknown),
            ("https://\u{1a}/x", Side::Unknown),
            ("https://\u{1a}.io/x", Side::Unknown),
            ("\u{1a}@acme.com", Side::Inside),
            ("\u{1a}@gmail.com", Side::Outside),
            ("bob@\u{1a}", Side::Unknown),
        ] {
            assert_eq!(destination(text, &house()).side, expected, "{text:?}");
        }
    }

    #[test]
    fn of_several_addresses_the_worst_counts() {
        for (text, expected, shown) in [
            ("bob@acme.com", Side::Inside, "bob@acme.com"),
            ("Bob <bob@acme.com>", Side::Inside, "bob@acme.com"),
            ("bob@acme.com, eve@gmail.com", Side::Outside, "eve@gmail.com"),
            ("bob@acme.com.evil.io", Side::Outside, "bob@acme.com.evil.io"),
            ("\"bob@acme.com\" <eve@evil.io>", Side::Outside, "eve@evil.io"),
            ("mailto:bob@partner.io", Side::Inside, "bob@partner.io"),
            ("root@localhost", Side::Inside, "root@localhost"),
        ] {
            let found = destination(text, &house());
            assert_eq!((found.side, found.shown.as_str()), (expected, shown), "{text}");
        }
    }

    #[test]
    fn people_see_a_url_up_to_its_host() {
        assert_eq!(destination("https://evil.io/collect?d=\u{1a}", &house()).shown, "https://evil.io");
        assert_eq!(destination("\u{1a}@gmail.com", &house()).shown, "…@gmail.com");
    }
}
