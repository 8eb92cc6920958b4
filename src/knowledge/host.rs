//! Hosts: which names and addresses lie inside.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::knowledge::destination::Side;
use crate::knowledge::house::House;
use crate::subject::segment::HOLE;

/// Last parts of names that no public name server knows.
const INSIDE: &[&str] =
    &["localhost", "internal", "local", "lan", "corp", "intranet", "home.arpa", "test", "invalid", "private", "localdomain"];
/// Domains in which everybody can have a mailbox.
const PUBLIC_MAIL: &[&str] = &[
    "gmail.com",
    "googlemail.com",
    "outlook.com",
    "hotmail.com",
    "live.com",
    "msn.com",
    "yahoo.com",
    "ymail.com",
    "icloud.com",
    "me.com",
    "mac.com",
    "aol.com",
    "proton.me",
    "protonmail.com",
    "pm.me",
    "tutanota.com",
    "tutamail.com",
    "tuta.io",
    "gmx.de",
    "gmx.net",
    "gmx.com",
    "web.de",
    "mail.com",
    "mail.ru",
    "yandex.ru",
    "yandex.com",
    "qq.com",
    "163.com",
    "zoho.com",
    "fastmail.com",
    "hey.com",
    "mailinator.com",
    "guerrillamail.com",
    "10minutemail.com",
    "tempmail.com",
    "temp-mail.org",
    "yopmail.com",
    "sharklasers.com",
    "cock.li",
    "duck.com",
    "inbox.ru",
    "bk.ru",
    "list.ru",
    "rambler.ru",
    "126.com",
    "sina.com",
    "foxmail.com",
    "naver.com",
    "t-online.de",
    "freenet.de",
    "posteo.de",
    "mailbox.org",
    "laposte.net",
    "orange.fr",
    "libero.it",
    "rediffmail.com",
    "mailfence.com",
    "tutanota.de",
    "keemail.me",
    "skiff.com",
    "onionmail.org",
    "dispostable.com",
    "maildrop.cc",
    "trashmail.com",
    "simplelogin.com",
    "anonaddy.me",
];
/// Domains whose names belong to whoever asks for one, so that they never are an organisation's own.
const SHARED: &[&str] = &[
    "ngrok.io",
    "ngrok.app",
    "ngrok-free.app",
    "webhook.site",
    "requestbin.com",
    "pipedream.net",
    "telegram.org",
    "discord.com",
    "discordapp.com",
    "pastebin.com",
    "transfer.sh",
    "file.io",
    "herokuapp.com",
    "vercel.app",
    "netlify.app",
    "workers.dev",
    "pages.dev",
    "github.io",
    "githubusercontent.com",
    "github.com",
    "amazonaws.com",
    "googleapis.com",
    "cloudfront.net",
    "azurewebsites.net",
    "onrender.com",
    "fly.dev",
    "trycloudflare.com",
    "loca.lt",
    "serveo.net",
    "duckdns.org",
    "oast.fun",
    "oast.pro",
    "interact.sh",
    "burpcollaborator.net",
    "example.com",
    "slack.com",
    "google.com",
];

/// Returns true if and only if nobody's house is the only one in a domain: mailboxes and names for everybody.
pub fn is_for_everybody(domain: &str) -> bool {
    PUBLIC_MAIL.iter().chain(SHARED).any(|known| domain == *known || domain.strip_suffix(known).is_some_and(|before| before.ends_with('.')))
}

/// Domains to which nobody sends data in good faith: what is sent there is read by whoever asked for the name.
const DROPS: &[&str] = &[
    "webhook.site",
    "requestbin.com",
    "requestbin.net",
    "pipedream.net",
    "pastebin.com",
    "paste.ee",
    "hastebin.com",
    "transfer.sh",
    "file.io",
    "0x0.st",
    "temp.sh",
    "gofile.io",
    "anonfiles.com",
    "ngrok.io",
    "ngrok.app",
    "ngrok-free.app",
    "trycloudflare.com",
    "loca.lt",
    "serveo.net",
    "localtunnel.me",
    "oast.fun",
    "oast.pro",
    "oast.live",
    "oast.site",
    "oast.me",
    "oastify.com",
    "interact.sh",
    "burpcollaborator.net",
    "canarytokens.com",
    "dnslog.cn",
    "ceye.io",
    "beeceptor.com",
    "requestcatcher.com",
    "hookbin.com",
    "mockbin.org",
    "ptsv2.com",
    "termbin.com",
    "ix.io",
    "dpaste.com",
    "rentry.co",
    "bashupload.com",
    "oshi.at",
    "catbox.moe",
    "paste.rs",
    "pastes.io",
    "paste.mozilla.org",
    "controlc.com",
    "privatebin.net",
    "justpaste.it",
    "ghostbin.com",
    "dpaste.org",
    "sprunge.us",
    "cl1p.net",
    "wetransfer.com",
    "we.tl",
    "tmpfiles.org",
    "uguu.se",
    "filebin.net",
    "sendspace.com",
    "mediafire.com",
    "mega.nz",
    "mega.io",
    "pixeldrain.com",
    "bayfiles.com",
    "x0.at",
    "litterbox.catbox.moe",
    "webhook.cool",
    "webhookinbox.com",
    "postb.in",
    "hookdeck.com",
    "typedwebhook.tools",
    "ngrok.dev",
    "bore.pub",
    "pinggy.io",
    "telebit.io",
    "localhost.run",
    "rbndr.us",
    "dnsbin.zhack.ca",
    "requestrepo.com",
];

/// Returns true if and only if a URL or host, as it is shown, lies in a domain where strangers collect what is sent.
pub fn is_drop(shown: &str) -> bool {
    let host = shown.split_once("://").map_or(shown, |(_, rest)| rest);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host).split([':', '/']).next().unwrap_or_default().to_lowercase();
    DROPS.iter().any(|drop| crate::knowledge::house::is_in_domain(&host, drop))
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
        return match known.strip_prefix('.') {
            Some(domain) if domain.contains('.') || INSIDE.contains(&domain) => side(domain, house),
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
    let is_inside = |name: &&str| host == *name || host.strip_suffix(*name).is_some_and(|before| before.ends_with('.'));
    if INSIDE.iter().any(is_inside) || !host.contains('.') { Side::Inside } else { Side::Outside }
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

fn is_inside_v4(address: Ipv4Addr) -> bool {
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
