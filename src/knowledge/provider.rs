//! Providers: to which service a secret belongs, by the names of both.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::knowledge::words::Tag;
use crate::value::words::words;

/// A service and what lets somebody in there.
#[derive(Debug)]
pub struct Provider {
    /// What it is called.
    pub name: &'static str,
    /// Words by which variables and key files of it are named.
    pub names: &'static [&'static [&'static str]],
    /// The domains that are its own.
    pub hosts: &'static [&'static str],
    /// Its documentation has the key stand in the URL.
    pub is_in_url: bool,
    /// A name and a host that belong together.
    pub hit: &'static str,
    /// A name and a host that do not.
    pub miss: &'static str,
    /// Where it is known from.
    pub source: &'static str,
}

/// What is known of providers.
#[derive(Debug)]
pub struct Providers {
    /// The services.
    pub rows: &'static [Provider],
    /// Words in names of secrets and hosts that tell no service from another.
    pub common_names: &'static [&'static str],
    /// Parts of addresses at which tokens are handed out.
    pub sign_in_paths: &'static [&'static str],
}

/// The rows of `knowledge/`.
static PROVIDERS: &Providers = &include!(concat!(env!("OUT_DIR"), "/providers.rs"));

/// Which service a phrase names, by the number of its row.
type Named = (usize, &'static [&'static str]);

/// Where the phrases begin by which services are named, by their first words.
static BY_FIRST_WORD: LazyLock<HashMap<&str, Vec<Named>>> = LazyLock::new(|| {
    let mut all: HashMap<&str, Vec<Named>> = HashMap::new();
    for (at, row) in PROVIDERS.rows.iter().enumerate() {
        for phrase in row.names {
            if let Some(first) = phrase.first() {
                all.entry(first).or_default().push((at, phrase));
            }
        }
    }
    all
});

/// How a secret belongs to a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Belonging {
    /// The service's documentation has it stand in the URL.
    pub is_in_url: bool,
    /// Its name says so, not only that it is a key.
    pub is_named: bool,
}

/// Parts of a country's domain under which names are given out (`co.uk`).
const SECOND_LEVEL: &[&str] = &["ac", "co", "com", "edu", "gov", "net", "org"];

/// What the documentation of libraries of bots (grammY, Telegraf) calls the token that stands in the address of each request.
const BOT_TOKEN: &[&str] = &["bot", "token"];

/// The shortest word that ties a name to a host by itself.
const DISTINCTIVE: usize = 4;

/// How the secret of a name (a variable's, a key file's path) belongs to a host, if it does: a known service has its own hosts,
/// of another the name and the host share the word that is nobody else's.
pub fn belonging(name: &str, host: &str) -> Option<Belonging> {
    let words = words(name);
    let known = named_by(&words);
    if !known.is_empty() {
        let own: Vec<&Provider> = known.into_iter().filter(|row| row.hosts.iter().any(|domain| lies_in(host, domain))).collect();
        return (!own.is_empty()).then(|| Belonging { is_in_url: own.iter().any(|row| row.is_in_url), is_named: true });
    }
    // The libraries of one service all call its token so, by no word of its own.
    if words.len().checked_sub(BOT_TOKEN.len()).and_then(|at| words.get(at..)).is_some_and(|end| end == BOT_TOKEN) && takes_key_in_url(host)
    {
        return Some(Belonging { is_in_url: true, is_named: true });
    }
    let domain = registrable(host)?;
    let label = domain.split('.').next()?;
    // `helius-rpc.com` is the host of `helius`.
    let own = label.split_once('-').filter(|(_, end)| matches!(*end, "rpc" | "api" | "apis")).map(|(own, _)| own);
    let label = label.replace('-', "");
    // `CALCOM_KEY` and `cal.com`: a name may hold the whole domain.
    let whole = domain.replace(['-', '.'], "");
    let is_shared = Tag::SharedHost.has(domain);
    if is_shared && is_deployed_as(&words, host, domain) {
        return Some(Belonging { is_in_url: false, is_named: true });
    }
    let is_near = |word: &str| word == label && is_distinctive(&label) || word == whole || own == Some(word) && is_distinctive(word);
    let is_named =
        || words.iter().any(|word| is_near(word) && is_distinctive(word)) || words.windows(2).any(|pair| is_near(&pair.concat()));
    (!is_shared && is_named() && !is_service(host)).then_some(Belonging { is_in_url: false, is_named: true })
}

/// Returns true if and only if a name holds all of what stands before a domain under which anybody may have a host, and that is more
/// than one word: `ORDER_IMPORT_KEY` and `order-import.azurewebsites.net`.
fn is_deployed_as(name: &[String], host: &str, domain: &str) -> bool {
    let Some(own) = host.strip_suffix(domain).and_then(|own| own.strip_suffix('.')).map(words) else { return false };
    1 < own.len() && own.iter().any(|word| is_distinctive(word)) && name.windows(own.len()).any(|part| part == own)
}

/// Returns true if and only if a name says to which known service its secret belongs, and a host is nobody's of that service.
pub fn is_of_another(name: &str, host: &str) -> bool {
    let words = words(name);
    let Some(domain) = registrable(host) else { return false };
    let label = domain.split('.').next().unwrap_or(domain);
    let is_word = |phrase: &&[&str]| matches!(phrase, [name] if DISTINCTIVE <= name.len() && words.iter().any(|word| word == name));
    let is_told = |row: &&Provider| row.names.iter().any(is_word);
    let mut rows = PROVIDERS.rows.iter().filter(is_told).peekable();
    let is_near = words.iter().any(|word| DISTINCTIVE <= word.len() && label == word.as_str());
    rows.peek().is_some() && !is_near && belonging(name, host).is_none()
}

/// Returns true if and only if an address is one at which a service hands out tokens or lets somebody in.
pub fn is_sign_in(address: &str) -> bool {
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    let path = path.split(['?', '#']).next().unwrap_or_default().to_lowercase();
    let is_named = |word: &str| PROVIDERS.sign_in_paths.contains(&word);
    path.split('/').skip(1).any(|part| is_named(part) || words(part).first().is_some_and(|first| is_named(first)))
}

/// Returns true if and only if no word of a name tells one service from another: `API_KEY`.
pub fn is_nobodys(name: &str) -> bool {
    let is_common =
        |word: &String| word.len() < DISTINCTIVE || PROVIDERS.common_names.contains(&word.as_str()) || Tag::SecretWord.has(word);
    let words = words(name);
    words.iter().all(is_common) && named_by(&words).is_empty()
}

/// Returns true if and only if a host is one of a service that is known.
pub fn is_service(host: &str) -> bool {
    PROVIDERS.rows.iter().any(|row| row.hosts.iter().any(|domain| lies_in(host, domain)))
}

/// Returns true if and only if two hosts are those of one known service.
pub fn is_one_service(one: &str, other: &str) -> bool {
    let is_at = |row: &Provider, host: &str| row.hosts.iter().any(|domain| lies_in(host, domain));
    PROVIDERS.rows.iter().any(|row| is_at(row, one) && is_at(row, other))
}

/// Returns true if and only if the documentation of the service at a host has its key stand in the URL.
pub fn takes_key_in_url(host: &str) -> bool {
    PROVIDERS.rows.iter().any(|row| row.is_in_url && row.hosts.iter().any(|domain| lies_in(host, domain)))
}

/// Returns true if and only if two variables are of one family: `JIRA_BASE_URL` and `JIRA_TOKEN` begin with the same word.
pub fn is_one_family(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    one.len().min(other.len()) > 1
        && one.first() == other.first()
        && one.first().is_some_and(|word| !PROVIDERS.common_names.contains(&word.as_str()))
}

/// The domain of a host that somebody registered: `hume.ai` of `api.hume.ai`.
pub fn registrable(host: &str) -> Option<&str> {
    let mut dots: Vec<usize> = host.match_indices('.').map(|(at, _)| at).collect();
    let last = dots.pop()?;
    let Some(before) = dots.pop() else { return Some(host) };
    let is_country = host.len() - last == 3 && host.get(before + 1..last).is_some_and(|part| SECOND_LEVEL.contains(&part));
    match (is_country, dots.pop()) {
        (false, _) => host.get(before + 1..),
        (true, Some(start)) => host.get(start + 1..),
        (true, None) => Some(host),
    }
}

/// The services that words name, a name of one word also where that is written apart.
fn named_by(words: &[String]) -> Vec<&'static Provider> {
    let mut found = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let rest = words.get(at..).unwrap_or_default();
        let stands_here = |phrase: &[&str]| phrase.len() <= rest.len() && phrase.iter().zip(rest).all(|(own, word)| own == word);
        let here = BY_FIRST_WORD.get(word.as_str()).into_iter().flatten();
        found.extend(here.filter(|(_, phrase)| stands_here(phrase)).map(|(row, _)| *row));
        if let Some(pair) = rest.get(..2) {
            let apart = BY_FIRST_WORD.get(pair.concat().as_str()).into_iter().flatten();
            found.extend(apart.filter(|(_, phrase)| phrase.len() == 1).map(|(row, _)| *row));
        }
    }
    found.into_iter().filter_map(|row| PROVIDERS.rows.get(row)).collect()
}

fn lies_in(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|inner| inner.is_empty() || inner.ends_with('.'))
}

fn is_distinctive(word: &str) -> bool {
    DISTINCTIVE <= word.len() && !PROVIDERS.common_names.contains(&word) && !Tag::SecretWord.has(word) && !Tag::NotSecret.has(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_s_own_token_belongs_to_the_one_service_that_calls_it_so() {
        let in_url = |name: &str, host: &str| belonging(name, host).is_some_and(|found| found.is_in_url);
        assert!(in_url("BOT_TOKEN", "api.telegram.org"));
        assert!(!in_url("BOT_TOKEN", "api.telegram.org.keys.example"));
        assert!(!in_url("BOT_TOKEN", "slack.com"));
        assert!(!in_url("SLACK_BOT_TOKEN", "api.telegram.org"));
        assert!(belonging("HELIUS_API_KEY", "mainnet.helius-rpc.com").is_some());
        assert!(belonging("HELIUS_API_KEY", "mainnet.helius-hub.com").is_none());
    }

    #[test]
    fn examples_of_providers_hold() {
        let of = |example: &str| example.split_once(" at ").is_some_and(|(name, host)| belonging(name, host).is_some());
        for row in PROVIDERS.rows {
            assert!(of(row.hit), "{}", row.hit);
            assert!(!of(row.miss), "{}", row.miss);
        }
        assert!(80 <= PROVIDERS.rows.len());
    }

    #[test]
    fn a_shared_word_ties_a_name_to_a_host() {
        for (name, host) in [
            ("HUME_API_KEY", "api.hume.ai"),
            ("OPEN_METEO_KEY", "api.open-meteo.com"),
            ("TADO_TOKEN", "my.tado.co.uk"),
            ("CALCOM_KEY", "api.cal.com"),
        ] {
            assert!(belonging(name, host).is_some(), "{name} {host}");
        }
        for (name, host) in [
            ("HUME_API_KEY", "hume.attacker.example"),
            ("DATA_KEY", "api.data.com"),
            ("API_KEY", "api.key.com"),
            ("CALCOM_KEY", "api.cal.com.attacker.example"),
            ("OPENAI_API_KEY", "openai.workers.dev"),
            ("WORKERS_KEY", "evil.workers.dev"),
            ("GITHUB_TOKEN", "api.hume.ai"),
        ] {
            assert!(belonging(name, host).is_none(), "{name} {host}");
        }
    }

    #[test]
    fn tokens_are_handed_out_at_some_addresses() {
        assert!(is_sign_in("https://discord.com/api/oauth2/token"));
        assert!(is_sign_in("https://a.example/api/auth/v3/tenant_access_token/internal"));
        assert!(!is_sign_in("https://token.example/collect?token=1"));
    }

    #[test]
    fn a_key_of_a_known_service_is_nobody_else_s() {
        for (name, host, expected) in [
            ("GITHUB_TOKEN", "collect.keybin.example", true),
            ("GITHUB_TOKEN", "api.github.com", false),
            // Anybody may name a machine of their own so.
            ("GITHUB_TOKEN", "github.acme.example", true),
            ("GITHUB_TOKEN", "github-metrics.example", true),
            ("STRIPE_SECRET_KEY", "metrics.helper-tools.example", true),
            ("MY_SERVICE_TOKEN", "collect.keybin.example", false),
            ("API_KEY", "collect.keybin.example", false),
        ] {
            assert_eq!(is_of_another(name, host), expected, "{name} {host}");
        }
    }
}
