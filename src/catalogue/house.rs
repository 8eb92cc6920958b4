//! What users say of their own house: what their tools do, and which places are theirs.

use std::sync::Arc;

use crate::catalogue::manifest::Manifest;
use crate::catalogue::sensitivity::Sensitivity;
use crate::catalogue::tool::ToolClass;

/// What users say of their own house.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct House {
    /// What their tools do, by name or wildcard; the last that fits counts.
    pub tools: Vec<(String, OwnTool)>,
    /// Hosts, domains, mail domains, addresses, buckets and tools that are theirs.
    pub trusted: Vec<String>,
    /// What servers say of their tools.
    pub manifest: Arc<Manifest>,
}

/// What users say of a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnTool {
    /// What it does.
    pub class: Option<ToolClass>,
    /// What kind of data it returns.
    pub sensitivity: Option<Sensitivity>,
    /// What it returns is public.
    pub is_public: bool,
    /// What it is given stays inside, or does not.
    pub is_inside: Option<bool>,
}

impl House {
    /// The same house with more that is trusted.
    #[must_use]
    pub fn with(&self, trusted: Vec<String>) -> Self {
        let mut house = self.clone();
        house.trusted.extend(trusted);
        house
    }

    /// What is said of a tool.
    pub fn tool(&self, name: &str) -> Option<OwnTool> {
        self.tools.iter().rev().find(|(pattern, _)| fits(pattern, name)).map(|(_, own)| *own)
    }

    /// Returns true if and only if a tool is trusted by name.
    pub fn trusts_tool(&self, name: &str) -> bool {
        // A wildcard that fits everything would trust hosts and tools alike; tools have a separator.
        self.trusted.iter().any(|entry| entry.contains([':', '_', '/']) && !entry.contains("://") && fits(entry, name) || entry == name)
    }

    /// Returns true if and only if a host, in lower case, is trusted itself or lies in a trusted domain.
    pub fn trusts_host(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        self.trusted.iter().any(|entry| {
            let entry = entry.trim().to_ascii_lowercase();
            let entry = entry.split_once("://").map_or(entry.as_str(), |(_, rest)| rest);
            let domain = entry.trim_start_matches("*.").trim_start_matches(['.', '@']).trim_end_matches('/');
            is_in_domain(host, domain)
        })
    }

    /// Returns true if and only if a text is trusted as it is written: an address, a bucket, a channel.
    pub fn trusts_text(&self, text: &str) -> bool {
        self.trusted.iter().any(|entry| entry.eq_ignore_ascii_case(text.trim()))
    }
}

/// Returns true if and only if a host is a domain or lies in it.
pub fn is_in_domain(host: &str, domain: &str) -> bool {
    !domain.is_empty() && host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.') && domain.contains('.'))
}

/// Returns true if and only if a wildcard fits a name; `*` stands for anything.
pub fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in parts {
        if let Some(part) = last.replace(part) {
            let Some((_, behind)) = rest.split_once(part) else { return false };
            rest = behind;
        }
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_fit_whole_names() {
        for (pattern, name, expected) in [
            ("mail:send", "mail:send", true),
            ("mail:send", "mail:sendAll", false),
            ("mail:*", "mail:sendAll", true),
            ("*:send", "mail:send", true),
            ("*:send", "mail:sendAll", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxc", false),
            ("*a", "aa", true),
            ("ab*b", "ab", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn trust_covers_a_domain_and_what_lies_in_it() {
        let house = House { trusted: vec!["acme.com".to_owned(), "*.partner.io".to_owned(), "wiki".to_owned()], ..House::default() };
        for (host, expected) in [
            ("acme.com", true),
            ("api.acme.com", true),
            ("evil-acme.com", false),
            ("acme.com.evil.io", false),
            ("x.partner.io", true),
            ("wiki", true),
            ("evil.wiki", false),
        ] {
            assert_eq!(house.trusts_host(host), expected, "{host}");
        }
    }
}
