//! What users say of their own house: what their tools do, and which places are theirs.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use crate::knowledge::effect::{EffectKind, Extent};
use crate::knowledge::manifest::Manifest;
use crate::knowledge::own_rows::OwnRows;
use crate::knowledge::sensitivity::Sensitivity;
use crate::knowledge::wildcard::Wildcards;

/// What users say of their own house.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct House {
    /// What their tools do, by name or wildcard; the last that fits counts.
    pub tools: Vec<(String, OwnTool)>,
    /// Hosts, domains, mail domains, addresses, buckets and tools that are theirs.
    pub trusted: Vec<String>,
    /// What servers say of their tools.
    pub manifest: Arc<Manifest>,
    /// Rows of their own for APIs, commands, words and places.
    pub rows: OwnRows,
    /// The same, as it is searched.
    pub index: HouseIndex,
}

/// What users say, arranged so that a name is found without going through all of it. It is made when it is first asked,
/// and tells nothing that the lists do not.
#[derive(Debug, Default)]
pub struct HouseIndex(OnceLock<Searched>);

impl Clone for HouseIndex {
    /// What is made from a house may be given more; it is arranged anew.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for HouseIndex {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Debug)]
struct Searched {
    tools: Wildcards,
    trusted_tools: Wildcards,
    /// What is trusted and has a `*` without being a wildcard of tools.
    starred: HashSet<String>,
    /// What is trusted, in lower case.
    texts: HashSet<String>,
    /// The hosts and domains that are trusted.
    domains: HashSet<String>,
}

impl Searched {
    fn of(house: &House) -> Self {
        // A wildcard that fits everything would trust hosts and tools alike; tools have a separator.
        let is_wildcard = |entry: &str| entry.contains([':', '_', '/']) && !entry.contains("://") || !entry.contains('*');
        let trusted = || house.trusted.iter().map(String::as_str).enumerate();
        Self {
            tools: Wildcards::of(house.tools.iter().map(|(pattern, _)| pattern.as_str()).enumerate()),
            trusted_tools: Wildcards::of(trusted().filter(|(_, entry)| is_wildcard(entry))),
            starred: house.trusted.iter().filter(|entry| !is_wildcard(entry)).cloned().collect(),
            texts: house.trusted.iter().map(|entry| entry.to_ascii_lowercase()).collect(),
            domains: house.trusted.iter().map(|entry| domain_of(entry)).filter(|domain| !domain.is_empty()).collect(),
        }
    }
}

/// The domain that an entry of what is trusted names.
fn domain_of(entry: &str) -> String {
    let entry = entry.trim().to_ascii_lowercase();
    let entry = entry.split_once("://").map_or(entry.as_str(), |(_, rest)| rest);
    entry.trim_start_matches("*.").trim_start_matches(['.', '@']).trim_end_matches('/').to_owned()
}

/// What users say of a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnTool {
    /// All that it does; none where they do not say, nothing where they say that it does nothing that matters.
    pub effects: Option<&'static [EffectKind]>,
    /// What it does it to.
    pub object: Option<&'static str>,
    /// To how much.
    pub extent: Extent,
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

    fn searched(&self) -> &Searched {
        self.index.0.get_or_init(|| Searched::of(self))
    }

    /// What is said of a tool, also where a host puts its server before it: `mcp__server__tool`.
    pub fn tool(&self, name: &str) -> Option<OwnTool> {
        self.tool_at(name).map(|(_, own)| *own)
    }

    /// The name or wildcard under which something is said of a tool.
    pub fn tool_row(&self, name: &str) -> Option<&str> {
        self.tool_at(name).map(|(pattern, _)| pattern.as_str())
    }

    fn tool_at(&self, name: &str) -> Option<&(String, OwnTool)> {
        if self.tools.is_empty() {
            return None;
        }
        let bare = || name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).map(|(_, tool)| tool);
        let tools = &self.searched().tools;
        let at = tools.last_fit(name).or_else(|| tools.last_fit(bare()?));
        at.and_then(|at| self.tools.get(at))
    }

    /// Whether a tool does something, by what its user says of it, or else its server, who is believed where that makes it worse;
    /// none where neither says.
    pub fn says(&self, name: &str, kind: EffectKind) -> Option<bool> {
        match self.tool(name).and_then(|own| own.effects) {
            Some(effects) => Some(effects.contains(&kind)),
            None => (kind == EffectKind::Delete && self.manifest.warns(name)).then_some(true),
        }
    }

    /// Returns true if and only if users say that a tool does nothing that matters.
    pub fn says_harmless(&self, name: &str) -> bool {
        let is_mild = |effects: &[EffectKind]| effects.iter().all(|kind| *kind == EffectKind::Read);
        self.tool(name).and_then(|own| own.effects).is_some_and(is_mild)
    }

    /// Whether what a tool returns is about people, money, health or how to get in, if users say.
    pub fn says_sensitive(&self, name: &str) -> Option<bool> {
        let own = self.tool(name)?;
        (own.sensitivity.is_some() || own.is_public).then(|| Some(Sensitivity::Internal) < own.sensitivity)
    }

    /// Returns true if and only if a tool is trusted by name.
    pub fn trusts_tool(&self, name: &str) -> bool {
        !self.trusted.is_empty() && (self.searched().trusted_tools.last_fit(name).is_some() || self.searched().starred.contains(name))
    }

    /// Returns true if and only if a host, in lower case, is trusted itself or lies in a trusted domain.
    pub fn trusts_host(&self, host: &str) -> bool {
        if self.trusted.is_empty() {
            return false;
        }
        let host = host.strip_suffix('.').unwrap_or(host);
        let domains = &self.searched().domains;
        let mut around = host.match_indices('.').filter_map(|(at, _)| host.get(at + 1..)).filter(|domain| domain.contains('.'));
        domains.contains(host) || around.any(|domain| domains.contains(domain))
    }

    /// Returns true if and only if a text is trusted as it is written: an address, a bucket, a channel.
    pub fn trusts_text(&self, text: &str) -> bool {
        !self.trusted.is_empty() && self.searched().texts.contains(&text.trim().to_ascii_lowercase())
    }
}

/// Returns true if and only if a host is a domain or lies in it.
pub fn is_in_domain(host: &str, domain: &str) -> bool {
    !domain.is_empty() && host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.') && domain.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

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
