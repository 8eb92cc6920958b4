//! How a server is reached: nothing goes over a network in clear, unless the address says so in so many words.

use std::path::PathBuf;
use std::sync::Arc;

use postgres::Config;
use postgres::config::{Host, SslMode};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::audit::AuditError;
use crate::value::store_place::ServerAddress;

/// What it takes to reach a server.
pub enum Way {
    /// Nothing: what is said is said in clear.
    Plain,
    /// TLS, in which the server shows who it is.
    Tls(Box<MakeRustlsConnect>),
}

/// Reads an address: what the server is told, and how it is reached.
///
/// # Errors
///
/// When it is no address, or the root certificates that it names cannot be read.
pub fn read(address: &ServerAddress) -> Result<(Config, Way), AuditError> {
    let (text, mode, roots) = parts(address.with_password());
    // What the parser says may hold what stands in the address.
    let mut config: Config = text.parse().map_err(|_| {
        wrong("the address cannot be read", "write postgres://USER@HOST:PORT/DATABASE, with % for what means something in an address")
    })?;
    let is_plain = match mode.as_deref() {
        Some("disable") => true,
        Some("require" | "verify-ca" | "verify-full") => false,
        None | Some("prefer" | "allow") => stays_here(&config),
        Some(_) => return Err(wrong("sslmode is none that is known", "write disable, require, verify-ca or verify-full")),
    };
    if is_plain {
        config.ssl_mode(SslMode::Disable);
        return Ok((config, Way::Plain));
    }
    config.ssl_mode(SslMode::Require);
    Ok((config, Way::Tls(Box::new(MakeRustlsConnect::new(client(roots)?)))))
}

fn wrong(told: &str, help: &'static str) -> AuditError {
    AuditError::Server { told: told.to_owned(), help }
}

/// The address without what only concerns TLS, the mode, and the file of root certificates.
fn parts(address: &str) -> (String, Option<String>, Option<PathBuf>) {
    let Some((before, query)) = address.split_once('?') else { return (address.to_owned(), None, None) };
    let (mut mode, mut roots, mut rest) = (None, None, Vec::new());
    for part in query.split('&') {
        match part.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value.to_owned()),
            Some(("sslrootcert", value)) => roots = Some(PathBuf::from(value.replace("%2F", "/").replace("%20", " "))),
            _ => rest.push(part),
        }
    }
    let mark = if rest.is_empty() { "" } else { "?" };
    (format!("{before}{mark}{}", rest.join("&")), mode, roots)
}

/// Whether nothing leaves this machine.
fn stays_here(config: &Config) -> bool {
    let is_own_name =
        |name: &str| name.eq_ignore_ascii_case("localhost") || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    let by_name = config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => is_own_name(name),
        #[cfg(unix)]
        Host::Unix(_) => true,
    });
    by_name && config.get_hostaddrs().iter().all(std::net::IpAddr::is_loopback)
}

/// A client that believes the roots of this file, or else those of the web.
fn client(roots: Option<PathBuf>) -> Result<ClientConfig, AuditError> {
    let mut store = RootCertStore::empty();
    match roots {
        Some(file) => {
            let unreadable =
                || wrong(&format!("{} holds no root certificates that can be read", file.display()), "name a file of certificates in PEM");
            let certificates = CertificateDer::pem_file_iter(&file).map_err(|_| unreadable())?;
            let certificates: Vec<_> = certificates.collect::<Result<_, _>>().map_err(|_| unreadable())?;
            if store.add_parsable_certificates(certificates).0 == 0 {
                return Err(unreadable());
            }
        }
        None => store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
    }
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|_| wrong("there is no TLS that could be spoken", "update callgate"))?;
    Ok(config.with_root_certificates(store).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;
    use crate::value::store_place::StorePlace;

    fn is_plain(address: &str) -> Option<bool> {
        match StorePlace::named(OsStr::new(address)) {
            StorePlace::Server(address) => read(&address).ok().map(|(_, way)| matches!(way, Way::Plain)),
            StorePlace::File(_) => None,
        }
    }

    #[test]
    fn nothing_goes_over_a_network_in_clear_unless_the_address_says_so() {
        for (address, expected) in [
            ("postgres://me:x@localhost/audit", Some(true)),
            ("postgres://me:x@127.0.0.2:5433/audit", Some(true)),
            ("postgres://me:x@[::1]/audit", Some(true)),
            ("postgres:///audit?host=/run/postgresql", Some(true)),
            ("postgres://me:x@localhost/audit?sslmode=require", Some(false)),
            ("postgres://me:x@db.example/audit", Some(false)),
            ("postgres://me:x@db.example/audit?sslmode=prefer", Some(false)),
            ("postgres://me:x@db.example/audit?sslmode=allow", Some(false)),
            ("postgres://me:x@db.example/audit?sslmode=verify-full", Some(false)),
            ("postgres://me:x@localhost,db.example/audit", Some(false)),
            ("postgres://me:x@localhost/audit?hostaddr=10.0.0.1", Some(false)),
            ("postgres://me:x@db.example/audit?sslmode=disable", Some(true)),
            ("postgres://me:x@db.example/audit?sslmode=off", None),
            ("postgres://me:x@db.example/audit?sslrootcert=/none.pem", None),
        ] {
            assert_eq!(is_plain(address), expected, "{address}");
        }
    }
}
