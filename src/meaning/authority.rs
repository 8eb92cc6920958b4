//! Which host an address names.

use crate::subject::segment::HOLE;

/// The host of an address, if all of it that tells the service is known.
pub fn host(address: &str) -> Option<String> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '\\', '?', '#']).next()?.rsplit('@').next()?.split(':').next()?.to_lowercase();
    let known = host.rsplit(['…', HOLE]).next()?.to_owned();
    let is_whole = known.len() == host.len();
    // What a label begins with may be anybody's: only the labels behind it are known.
    let known = if is_whole { known } else { known.split_once('.')?.1.to_owned() };
    known.contains('.').then_some(known)
}
