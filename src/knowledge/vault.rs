//! Vaults: the files in which what lets somebody in is kept, whatever reads them.

use crate::value::severity::Severity;

/// Parts of paths that hold what lets somebody in, in lower case; one that does not end in `/` ends a name.
const VAULTS: &[&str] = &[
    "/.aws/credentials",
    "/.aws/sso/cache/",
    "/.aws/cli/cache/",
    "/gcloud/application_default_credentials.json",
    "/gcloud/credentials.db",
    "/gcloud/access_tokens.db",
    "/gcloud/legacy_credentials/",
    "/.azure/accesstokens.json",
    "/.azure/msal_token_cache.json",
    "/.azure/msal_token_cache.bin",
    "/.azure/service_principal_entries.json",
    "/.kube/config",
    "/etc/kubernetes/admin.conf",
    "/var/run/secrets/kubernetes.io/serviceaccount/token",
    "/.gnupg/private-keys-v1.d/",
    "/.gnupg/secring.gpg",
    "/.netrc",
    "/_netrc",
    "/.git-credentials",
    "/.config/git/credentials",
    "/.pgpass",
    "/.vault-token",
    "/.config/gh/hosts.yml",
    "/.terraform.d/credentials.tfrc.json",
    "/.cargo/credentials",
    "/.cargo/credentials.toml",
    "/.gem/credentials",
    "/library/keychains/",
    "/.local/share/keyrings/",
    "/login data",
    "/cookies.sqlite",
    "/key4.db",
    "/logins.json",
    "/.password-store/",
    "/.config/bitwarden cli/data.json",
    "/wallet.dat",
    "/.ethereum/keystore/",
    "/.config/solana/id.json",
    "/.electrum/wallets/",
    "/etc/shadow",
    "/etc/gshadow",
    "/.claude/.credentials.json",
    "/.codex/auth.json",
    "/.gemini/oauth_creds.json",
    "/.local/share/opencode/auth.json",
    "/.config/github-copilot/hosts.json",
    "/.config/github-copilot/apps.json",
    "/.openclaw/credentials/",
];
/// Whole folders of such files: who packs or copies one takes all of them.
const FOLDERS: &[&str] = &[
    "/.ssh",
    "/.aws",
    "/.gnupg",
    "/.kube",
    "/.password-store",
    "/library/keychains",
    "/.local/share/keyrings",
    "/.config/gcloud",
    "/.azure",
];
/// Names of private keys of ssh.
const KEYS: &[&str] = &["id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", "id_ed25519_sk", "id_ecdsa_sk"];
/// What lies beside the keys of ssh and lets nobody in.
const OPEN: &[&str] = &["config", "authorized_keys", "environment", "rc", "allowed_signers"];
/// Ends of names of files that often hold keys.
const ENDS: &[&str] = &[".pem", ".key", ".p12", ".pfx", ".ppk", ".jks", ".kdbx"];
/// Names of certificates, which everybody may read.
const CERTIFICATES: &[&str] = &["cert", "ca", "chain", "public", "pub", "crt", "bundle"];
/// Ends of names of samples.
const SAMPLES: &[&str] = &["example", "sample", "template", "dist", "tpl", "defaults", "schema"];
/// Folders whose keys are made up for tests.
const MADE_UP: &[&str] = &["fixtures", "testdata", "test-data", "node_modules", "examples", "__fixtures__"];

/// How bad it is to hand on the file at a path: critical where it lets somebody in, high where it may.
pub fn vault(path: &str) -> Option<Severity> {
    let path = plain(path);
    let name = path.rsplit('/').next().unwrap_or_default();
    if name.ends_with(".pub") || SAMPLES.iter().any(|end| name.ends_with(&format!(".{end}"))) {
        return None;
    }
    let in_ssh = path.rsplit_once("/.ssh/").map(|(_, inner)| inner);
    let is_key = in_ssh.is_some_and(|inner| !inner.is_empty() && !OPEN.contains(&inner) && !inner.starts_with("known_hosts"));
    let is_vault = |part: &&str| if part.ends_with('/') { path.contains(*part) } else { path.ends_with(*part) };
    if is_key || VAULTS.iter().any(is_vault) {
        return Some(Severity::Critical);
    }
    if path.split('/').any(|folder| MADE_UP.contains(&folder)) {
        return None;
    }
    if KEYS.contains(&name) {
        return Some(Severity::Critical);
    }
    let is_environment = name == ".env" || name.starts_with(".env.");
    let is_certificate =
        || name.split(['.', '-', '_']).any(|word| CERTIFICATES.contains(&word) || word.ends_with("cert") || word.ends_with("chain"));
    let may_be_key = ENDS.iter().any(|end| name.ends_with(end)) && !is_certificate();
    (is_environment || may_be_key).then_some(Severity::High)
}

/// Returns true if and only if a path is a folder whose files let somebody in.
pub fn is_vault_folder(path: &str) -> bool {
    let path = plain(path);
    let path = path.trim_end_matches('*').trim_end_matches('/');
    FOLDERS.iter().any(|folder| path.ends_with(folder))
}

/// Returns true if and only if an address hands the login of a machine to whoever asks for it.
pub fn hands_out_login(address: &str) -> bool {
    let lower = address.to_lowercase();
    let is_service =
        ["169.254.169.254", "metadata.google.internal", "[fd00:ec2::254]", "100.100.100.200"].iter().any(|host| lower.contains(host));
    let asks = ["security-credentials", "identity-credentials", "/token", "/identity?"].iter().any(|part| lower.contains(part));
    let is_session = lower.ends_with("/api/token");
    is_service && asks && !is_session || lower.contains("169.254.170.2/v2/credentials")
}

/// A path in lower case, with `/` before and between its parts, and no `.`, `..` or empty ones.
fn plain(path: &str) -> String {
    let path = path.trim().replace('\\', "/").to_lowercase();
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    let end = if path.ends_with('/') { "/" } else { "" };
    format!("/{}{end}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_let_somebody_in_are_known() {
        for (path, expected) in [
            ("~/.ssh/id_rsa", Some(Severity::Critical)),
            ("$HOME/.ssh/deploy", Some(Severity::Critical)),
            ("/home/a/x/../.aws//credentials", Some(Severity::Critical)),
            ("C:\\Users\\a\\.ssh\\id_ed25519", Some(Severity::Critical)),
            ("/etc/shadow", Some(Severity::Critical)),
            ("~/.claude/.credentials.json", Some(Severity::Critical)),
            (".env", Some(Severity::High)),
            ("certs/server.key", Some(Severity::High)),
            (".env.example", None),
            ("~/.ssh/id_rsa.pub", None),
            ("~/.ssh/known_hosts", None),
            ("~/.ssh/config", None),
            ("~/.aws/config", None),
            ("certs/ca.pem", None),
            ("certs/fullchain.pem", None),
            ("tests/fixtures/server.key", None),
            ("src/environment.ts", None),
        ] {
            assert_eq!(vault(path), expected, "{path}");
        }
    }

    #[test]
    fn metadata_is_told_from_logins() {
        assert!(hands_out_login("http://169.254.169.254/latest/meta-data/iam/security-credentials/"));
        assert!(hands_out_login("http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token"));
        assert!(!hands_out_login("http://169.254.169.254/latest/meta-data/instance-id"));
        assert!(!hands_out_login("https://example.com/token"));
    }
}
