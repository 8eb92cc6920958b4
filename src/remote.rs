//! Asks a service of the user's: the only place that opens a connection.
//!
//! HTTPS, or HTTP on this machine; no redirect is followed, an answer has a largest size, and every try has a time limit.

use std::fmt;
use std::net::IpAddr;
use std::thread;
use std::time::Duration;

/// Largest answer that is read, in bytes.
pub const LARGEST_ANSWER: u64 = 1024 * 1024;
/// The wait before the first try after a failed one; each further wait is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(200);
/// No wait is longer.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// The shortest text that is taken for a key; shorter ones could not be told from words when they are hidden.
const SHORTEST_KEY: usize = 8;

/// The address of a service: HTTPS anywhere, HTTP only on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    url: String,
    /// Host and port, for people; a path or a query may hold what is nobody's business.
    authority: String,
    is_loopback: bool,
}

impl Endpoint {
    /// Reads an address.
    ///
    /// # Errors
    ///
    /// In words: when it is no plain address, holds a name and password, or is neither HTTPS nor on this machine.
    pub fn parse(url: &str) -> Result<Self, String> {
        let (is_tls, rest) = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return Err("the address must begin with https://".to_owned()),
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err("the address holds a name or password; the key belongs into the environment".to_owned());
        }
        let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_' | ':' | '[' | ']');
        if authority.is_empty() || !authority.chars().all(is_plain) || !url.chars().all(|character| character.is_ascii_graphic()) {
            return Err("the address is no plain one: https://host/path".to_owned());
        }
        let is_loopback = is_loopback(host(authority));
        if !is_tls && !is_loopback {
            return Err(format!("{authority} is not on this machine, so its address must begin with https://"));
        }
        Ok(Self { url: url.to_owned(), authority: authority.to_owned(), is_loopback })
    }

    /// Host and port, for people.
    pub fn authority(&self) -> &str {
        &self.authority
    }
}

/// The host of `host:port` or `[address]:port`.
fn host(authority: &str) -> &str {
    match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

/// `localhost`, or an address of this machine as it is usually written.
fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// What proves to a service who asks. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Takes over a key.
    ///
    /// # Errors
    ///
    /// In words, without the key: when it is too short, or cannot stand in a header.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.len() < SHORTEST_KEY {
            return Err(format!("it is shorter than {SHORTEST_KEY} characters"));
        }
        if !text.chars().all(|character| character.is_ascii_graphic()) {
            return Err("it holds characters that cannot stand in a header".to_owned());
        }
        Ok(Self(text.to_owned()))
    }

    /// The text without the key: a service may send back what it was sent.
    pub fn hide(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

/// How often and how long a service is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// The time for one try, from looking up the host to the last byte of the answer.
    pub timeout: Duration,
    /// How many tries follow a failed one.
    pub retries: u32,
}

/// A service that is asked.
#[derive(Debug)]
pub struct Service {
    endpoint: Endpoint,
    key: Option<Key>,
    patience: Patience,
    line: line::Line,
}

/// Why a try failed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fault {
    message: String,
    /// Another try may end better.
    is_passing: bool,
}

impl Service {
    /// A service that was not asked yet.
    pub fn new(endpoint: Endpoint, key: Option<Key>, patience: Patience) -> Self {
        Self { line: line::Line::new(&endpoint, patience.timeout), endpoint, key, patience }
    }

    /// Posts a JSON text and returns the text of the answer. What may pass is tried again, each time after a longer wait.
    ///
    /// # Errors
    ///
    /// In words that name the service and never the key: when the last try failed, too.
    pub fn post(&self, body: &str) -> Result<String, String> {
        let mut tries = 1;
        loop {
            match self.line.post(&self.endpoint, self.key.as_ref(), body) {
                Ok(answer) => return Ok(self.hide(&answer)),
                Err(fault) if fault.is_passing && tries <= self.patience.retries => wait(wait_after(tries)),
                Err(fault) => return Err(self.told(&fault, tries)),
            }
            tries += 1;
        }
    }

    /// Host and port of the service, for people.
    pub fn name(&self) -> &str {
        self.endpoint.authority()
    }

    fn told(&self, fault: &Fault, tries: u32) -> String {
        let often = if 1 < tries { format!(" ({tries} tries)") } else { String::new() };
        self.hide(&format!("{}: {}{often}", self.endpoint.authority, fault.message))
    }

    fn hide(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hide(text))
    }
}

#[expect(clippy::disallowed_methods, reason = "a service that is busy is asked again later, and nothing else waits for it")]
fn wait(time: Duration) {
    thread::sleep(time);
}

/// The wait after so many tries.
fn wait_after(tries: u32) -> Duration {
    FIRST_WAIT.saturating_mul(2_u32.saturating_pow(tries.saturating_sub(1))).min(LONGEST_WAIT)
}

/// Why an answer of that status is none, if it is none.
#[cfg(any(test, feature = "external-api"))]
fn refused(status: u16) -> Option<Fault> {
    let fault = |message: String, is_passing| Some(Fault { message, is_passing });
    match status {
        200..=299 => None,
        300..=399 => fault(format!("it answered with a redirect ({status}), and none is followed"), false),
        401 | 403 => fault(format!("it answered with status {status}: the key is missing or not taken"), false),
        408 | 429 | 500..=599 => fault(format!("it answered with status {status}"), true),
        _ => fault(format!("it answered with status {status}"), false),
    }
}

/// The line to a service, where callgate is built with one.
#[cfg(feature = "external-api")]
mod line {
    use std::io;
    use std::time::Duration;

    use super::{Endpoint, Fault, Key, LARGEST_ANSWER, refused};

    /// Largest head of an answer, in bytes.
    const LARGEST_HEAD: usize = 16 * 1024;

    #[derive(Debug)]
    pub struct Line {
        agent: ureq::Agent,
        timeout: Duration,
    }

    impl Line {
        pub fn new(endpoint: &Endpoint, timeout: Duration) -> Self {
            let config = ureq::Agent::config_builder()
                .timeout_global(Some(timeout))
                .max_redirects(0)
                .http_status_as_error(false)
                .https_only(!endpoint.is_loopback)
                .max_response_header_size(LARGEST_HEAD)
                .user_agent(concat!("callgate/", env!("CARGO_PKG_VERSION")));
            // What stays on this machine does not go by a proxy.
            let config = if endpoint.is_loopback { config.proxy(None) } else { config };
            Self { agent: config.build().new_agent(), timeout }
        }

        pub fn post(&self, endpoint: &Endpoint, key: Option<&Key>, body: &str) -> Result<String, Fault> {
            let mut request =
                self.agent.post(&endpoint.url).header("Content-Type", "application/json").header("Accept", "application/json");
            if let Some(Key(key)) = key {
                request = request.header("Authorization", format!("Bearer {key}"));
            }
            let mut response = request.send(body).map_err(|error| self.fault(&error))?;
            if let Some(fault) = refused(response.status().as_u16()) {
                return Err(fault);
            }
            let bytes = response.body_mut().with_config().limit(LARGEST_ANSWER).read_to_vec().map_err(|error| self.fault(&error))?;
            String::from_utf8(bytes).map_err(|_| Fault { message: "its answer is not UTF-8".to_owned(), is_passing: false })
        }

        /// What went wrong, in words of its own: those of the client may hold what was sent.
        fn fault(&self, error: &ureq::Error) -> Fault {
            let (message, is_passing) = match error {
                ureq::Error::Timeout(_) => (format!("it did not answer wholly within {} ms", self.timeout.as_millis()), true),
                ureq::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => {
                    (format!("it did not answer wholly within {} ms", self.timeout.as_millis()), true)
                }
                ureq::Error::Io(error) => (format!("the connection failed ({})", error.kind()), true),
                ureq::Error::ConnectionFailed => ("the connection failed".to_owned(), true),
                ureq::Error::HostNotFound => ("there is no such host".to_owned(), true),
                ureq::Error::BodyExceedsLimit(_) => (format!("its answer is larger than {LARGEST_ANSWER} bytes"), false),
                ureq::Error::LargeResponseHeader(..) => (format!("the head of its answer is larger than {LARGEST_HEAD} bytes"), false),
                ureq::Error::Tls(_) | ureq::Error::Rustls(_) => ("its certificate or its encryption was not accepted".to_owned(), false),
                ureq::Error::Protocol(_) => ("its answer is not HTTP, or broke off".to_owned(), true),
                _ => ("the request failed".to_owned(), false),
            };
            Fault { message, is_passing }
        }
    }
}

/// Without a client there is nobody to ask.
#[cfg(not(feature = "external-api"))]
mod line {
    use std::time::Duration;

    use super::{Endpoint, Fault, Key};

    #[derive(Debug)]
    pub struct Line;

    impl Line {
        pub fn new(_: &Endpoint, _: Duration) -> Self {
            Self
        }

        pub fn post(&self, _: &Endpoint, _: Option<&Key>, _: &str) -> Result<String, Fault> {
            Err(Fault { message: "this callgate was built without a client".to_owned(), is_passing: false })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_https_or_on_this_machine() {
        for (url, expected) in [
            ("https://risk.example/score", Ok("risk.example")),
            ("https://risk.example:8443?a=b", Ok("risk.example:8443")),
            ("http://localhost:8080/x", Ok("localhost:8080")),
            ("http://127.0.0.1:1", Ok("127.0.0.1:1")),
            ("http://[::1]:1/", Ok("[::1]:1")),
            ("http://risk.example/", Err("risk.example is not on this machine")),
            ("http://127.0.0.1.risk.example/", Err("not on this machine")),
            ("http://0x7f.1/", Err("not on this machine")),
            ("http://localhost.risk.example/", Err("not on this machine")),
            ("http://localhost:1@risk.example/", Err("name or password")),
            ("http://127.0.0.1\\@risk.example/", Err("name or password")),
            ("http://127.0.0.1\\risk.example/", Err("no plain one")),
            ("https://risk.example/a b", Err("no plain one")),
            ("https:///path", Err("no plain one")),
            ("ftp://risk.example", Err("must begin with https://")),
            ("", Err("must begin with https://")),
        ] {
            match (Endpoint::parse(url), expected) {
                (Ok(endpoint), Ok(authority)) => assert_eq!(endpoint.authority(), authority, "{url}"),
                (Err(message), Err(words)) => assert!(message.contains(words), "{url}: {message}"),
                (found, expected) => panic!("{url}: {found:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn a_key_is_long_enough_and_never_shown() {
        let text = ["key", "of", "the", "test"].join("-");
        let key = Key::new(&format!("{text}\n")).expect("it is a key");
        assert_eq!(format!("{key:?} {}", key.hide(&format!("a{text}b"))), "[key] a[key]b");
        for faulty in ["", "k3y", "two\nlines-of-a-key", "sch\u{fc}ssel-schl\u{fc}ssel"] {
            let message = Key::new(faulty).expect_err("it is no key");
            assert!(faulty.is_empty() || !message.contains(faulty), "{message}");
        }
    }

    #[test]
    fn waits_double_up_to_a_bound() {
        let waits: Vec<u128> = [1, 2, 3, 6, 11].into_iter().map(|tries| wait_after(tries).as_millis()).collect();
        assert_eq!(waits, [200, 400, 800, 5_000, 5_000]);
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        for (status, expected) in [
            (200, None),
            (204, None),
            (302, Some(false)),
            (307, Some(false)),
            (400, Some(false)),
            (401, Some(false)),
            (404, Some(false)),
            (408, Some(true)),
            (429, Some(true)),
            (500, Some(true)),
            (503, Some(true)),
            (600, Some(false)),
        ] {
            assert_eq!(refused(status).map(|fault| fault.is_passing), expected, "{status}");
        }
    }
}
