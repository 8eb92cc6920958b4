//! Hosts: which names and addresses lie inside.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::knowledge::house::House;
use crate::knowledge::row::term::Side;
use crate::knowledge::words::Tag;
use crate::subject::segment::HOLE;

/// Returns true if and only if nobody's house is the only one in a domain: mailboxes and names for everybody.
pub fn is_for_everybody(domain: &str) -> bool {
    lies_in(domain, Tag::MailboxHost) || lies_in(domain, Tag::SharedHost)
}

/// Returns true if and only if a URL or host, as it is shown, lies in a domain where strangers collect what is sent.
pub fn is_drop(shown: &str) -> bool {
    let host = shown.split_once("://").map_or(shown, |(_, rest)| rest);
    if drop_path(host).is_some() {
        return true;
    }
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host).split([':', '/']).next().unwrap_or_default().to_lowercase();
    lies_in(&host, Tag::DropHost)
}

/// The part of an address, without its scheme, that says that anybody can collect there what is sent: `docs.google.com/forms`.
pub fn drop_path(address: &str) -> Option<&'static str> {
    let begins = |path: &&'static str| {
        let start = address.get(..path.len()).filter(|start| start.eq_ignore_ascii_case(path));
        start.is_some() && address.get(path.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    Tag::DropPath.words().find(begins)
}

/// Returns true if and only if a name, or a domain that it lies in, is one of these.
pub fn lies_in(host: &str, domains: Tag) -> bool {
    let inner = host.match_indices('.').filter_map(|(at, _)| host.get(at + 1..));
    domains.has(host) || domains.has_any(inner)
}

/// The side of a host: a name or an address, perhaps with unknown parts.
pub fn side(host: &str, house: &House) -> Side {
    let host = decoded(host).to_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host);
    if host.is_empty() {
        return Side::Unknown;
    }
    if let Some((_, known)) = host.rsplit_once(HOLE) {
        // Whatever stands before it, a name lies in the domain at its end.
        // `…-mgmt.lab.internal`: of a name of which the end is known the rest is the domain.
        return match known.split_once('.').map(|(_, domain)| domain) {
            Some(domain) if domain.contains('.') || Tag::InsideName.has(domain) => side(domain, house),
            Some(_) | None => Side::Unknown,
        };
    }
    if house.trusts_host(host) {
        return Side::Inside;
    }
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().map_or(Side::Outside, |address| address_side(IpAddr::V6(address)));
    }
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return address_side(IpAddr::V4(address));
    }
    // An address that is written as one number, in hexadecimal or octal, leads where the number says.
    if let Some(address) = numeric(host) {
        return address_side(IpAddr::V4(address));
    }
    let is_number = |part: &str| !part.is_empty() && (part.bytes().all(|byte| byte.is_ascii_digit()) || part.starts_with("0x"));
    if !host.is_ascii() || host.rsplit('.').next().is_some_and(is_number) {
        return Side::Outside;
    }
    if lies_in(host, Tag::InsideName) || !host.contains('.') { Side::Inside } else { Side::Outside }
}

/// The address that up to four numbers with dots between them stand for, each decimal, octal or hexadecimal.
fn numeric(host: &str) -> Option<Ipv4Addr> {
    let number = |part: &str| match part.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None if 1 < part.len() && part.starts_with('0') => u32::from_str_radix(part, 8).ok(),
        None => part.parse().ok(),
    };
    let numbers = host.split('.').map(number).collect::<Option<Vec<u32>>>()?;
    let (last, before) = numbers.split_last()?;
    let places = u32::try_from(before.len()).ok().filter(|places| *places < 4)?;
    let mut address = *last;
    for (at, byte) in (0_u32..).zip(before) {
        address |= u32::from(u8::try_from(*byte).ok()?) << (24 - 8 * at);
    }
    let is_fitting = places == 0 || *last < 1 << (32 - 8 * places);
    is_fitting.then(|| Ipv4Addr::from(address))
}

fn address_side(address: IpAddr) -> Side {
    let is_inside = match address {
        IpAddr::V4(address) => is_inside_v4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => is_inside_v4(address),
            None => address.is_loopback() || address.is_unspecified() || address.is_unique_local() || address.is_unicast_link_local(),
        },
    };
    if is_inside { Side::Inside } else { Side::Outside }
}

/// Returns true if and only if a host is the machine itself.
pub fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns true if and only if an address leads nowhere but to the own machine or network.
pub fn is_inside_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    address.is_loopback() || address.is_private() || address.is_link_local() || address.is_unspecified() || is_shared
}

/// A text with its `%41` decoded where they are letters.
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(u8::is_ascii) {
            Some(byte) => {
                decoded.push(char::from(byte));
                decoded.push_str(part.get(2..).unwrap_or_default());
            }
            None => {
                decoded.push('%');
                decoded.push_str(part);
            }
        }
    }
    decoded
}
