//! Scripts that tell a browser which proxy to ask: functions `FindProxyForURL`, by what they return.

use crate::knowledge::{House, Side, host};
use crate::subject::segment::HOLE;

/// What a script says in front of the host of a proxy.
const KINDS: &[&str] = &["proxy", "http", "https", "socks", "socks4", "socks5"];

/// Functions by which these scripts ask where a request leads.
const ASKING: &[&str] = &["dnsDomainIs(", "shExpMatch(", "localHostOrDomainIs(", "isPlainHostName(", "isInNet("];

/// What may hold or make a function that nobody sees return.
const HIDING: &[&str] = &["=>", "eval", "Function(", "constructor", ".bind(", ".call(", ".apply("];

/// Returns true if and only if a script leads requests to proxies inside and nowhere else: whatever it returns is written out, and
/// each is such a proxy, or none.
pub fn leads_inside(script: &str) -> bool {
    let mut returned = script.split("return").skip(1).peekable();
    // Another function of that name, or one that returns without saying so, would be asked instead.
    let is_one = script.matches("FindProxyForURL").count() == 1 && !HIDING.iter().any(|part| script.contains(part));
    is_one && returned.peek().is_some() && returned.all(all_inside)
}

/// Returns true if and only if what a script returns is one text, or one of two by a question, and each leads inside.
fn all_inside(rest: &str) -> bool {
    match literal(rest) {
        Some(text) => is_inside(text),
        None => chosen(rest).is_some_and(|all| all.into_iter().all(is_inside)),
    }
}

/// The texts of `question ? 'one' : 'other'`, where the question holds none and asks by a function of these scripts.
fn chosen(rest: &str) -> Option<[&str; 2]> {
    let (asked, texts) = rest.split_once('?')?;
    let asks = asked.trim();
    let is_question = ASKING.iter().any(|name| asks.starts_with(name)) && asks.ends_with(')') && !asks.contains(['+', ';', '{', '}']);
    let (one, other) = texts.split_once(" : ")?;
    let whole = |text: &'_ str| text.trim().len();
    let first = literal(one).filter(|text| text.len() + 2 == whole(one))?;
    is_question.then_some([first, literal(other)?])
}

/// The text in quotes that stands first and alone.
fn literal(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let (text, after) = rest.get(1..)?.split_once(quote)?;
    // What stands on the next line goes on with the text, unless it is a word.
    let next = after.trim_start().chars().next();
    let ends = next.is_none_or(|next| matches!(next, ';' | '}') || after.starts_with('\n') && next.is_alphabetic());
    (ends && !text.contains("${") && !text.contains('\\')).then_some(text)
}

fn is_inside(returned: &str) -> bool {
    returned.split(';').map(str::trim).filter(|way| !way.is_empty()).all(|way| {
        let (kind, server) = way.split_once(char::is_whitespace).unwrap_or((way, ""));
        let host = server.trim().rsplit_once(':').map_or(server.trim(), |(host, _)| host);
        way.eq_ignore_ascii_case("direct")
            || KINDS.iter().any(|own| kind.eq_ignore_ascii_case(own))
                && !host.ends_with(HOLE)
                && host::side(host, &House::default()) == Side::Inside
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_returned_is_asked() {
        let pac =
            |returned: &str| format!("function FindProxyForURL(url, host) {{ if (a(host)) return {returned};\n return \"DIRECT\"; }}");
        for (returned, expected) in [
            ("'PROXY proxy.x.internal:3128'", true),
            ("\"HTTPS proxy.x.internal:443; DIRECT\"", true),
            ("'PROXY proxy.….internal:3128'", true),
            ("'DIRECT'", true),
            ("'PROXY px.x.example:3128'", false),
            ("'PROXY proxy.x.internal:1; PROXY px.x.example:3128'", false),
            ("'PROXY …'", false),
            ("'PROXY proxy.internal.…:1'", false),
            ("'PROXY a.internal:1' + tail", false),
            ("'DIRECT'\n + way", false),
            ("'DIRECT'\n.replace('DIRECT', way)", false),
            ("way", false),
            ("'PROXY ' + \"px.x.example\"", false),
            ("`PROXY ${host}.internal:1`", false),
            ("dnsDomainIs(host, '.internal') ? 'PROXY a.internal:1' : 'DIRECT'", true),
            ("dnsDomainIs(host, '.internal') ? 'DIRECT' : 'PROXY px.x.example:1'", false),
            ("dnsDomainIs(host, '.internal') ? 'PROXY a.internal:1' : other", false),
            ("dnsDomainIs(host, '.internal') ? 'PROXY a.internal:1' + b : 'DIRECT'", false),
        ] {
            let script = pac(returned).replace('…', &HOLE.to_string());
            assert_eq!(leads_inside(&script), expected, "{returned}");
        }
        assert!(!leads_inside("return 'DIRECT'"));
        assert!(!leads_inside(&format!("{} eval(way);", pac("'DIRECT'"))));
        assert!(!leads_inside(&format!("{} FindProxyForURL = other;", pac("'DIRECT'"))));
    }
}
