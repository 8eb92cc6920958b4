//! Vaults: the files in which what lets somebody in is kept, whatever reads them.

use crate::knowledge::words::Tag;
/// Whether a file lets somebody in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opens {
    /// It does.
    Surely,
    /// It may.
    Perhaps,
}

/// Whether the file at a path lets somebody in; none where nothing says so.
pub fn vault(path: &str) -> Option<Opens> {
    let path = plain(path);
    let name = path.rsplit('/').next().unwrap_or_default();
    if name.ends_with(".pub") || Tag::SampleWord.words().any(|end| name.ends_with(&format!(".{end}"))) {
        return None;
    }
    let in_ssh = path.rsplit_once("/.ssh/").map(|(_, inner)| inner);
    let is_key = in_ssh.is_some_and(|inner| !inner.is_empty() && !Tag::SshOpen.has(inner) && !inner.starts_with("known_hosts"));
    let is_vault = |part: &str| if part.ends_with('/') { path.contains(part) } else { path.ends_with(part) };
    if is_key || Tag::Vault.words().any(is_vault) {
        return Some(Opens::Surely);
    }
    if path.split('/').any(|folder| Tag::MadeUp.has(folder)) {
        return None;
    }
    if Tag::SshKey.has(name) {
        return Some(Opens::Surely);
    }
    let is_environment = is_environment_name(name);
    let is_certificate =
        || name.split(['.', '-', '_']).any(|word| Tag::Certificate.has(word) || word.ends_with("cert") || word.ends_with("chain"));
    let may_be_key = Tag::KeyEnding.words().any(|end| name.ends_with(end)) && !is_certificate();
    (is_environment || may_be_key).then_some(Opens::Perhaps)
}

/// Returns true if and only if a path is that of a file whose lines give variables their values: `.env`, `.env.local`.
pub fn is_environment_file(path: &str) -> bool {
    is_environment_name(path.rsplit(['/', '\\']).next().unwrap_or(path))
}

fn is_environment_name(name: &str) -> bool {
    [".env", ".dev.vars"].iter().any(|file| name.strip_prefix(file).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

/// Returns true if and only if a path is a folder whose files let somebody in.
pub fn is_vault_folder(path: &str) -> bool {
    let path = plain(path);
    let path = path.trim_end_matches('*').trim_end_matches('/');
    Tag::VaultFolder.words().any(|folder| path.ends_with(folder))
}

/// Returns true if and only if an address hands the login of a machine to whoever asks for it.
pub fn hands_out_login(address: &str) -> bool {
    let lower = address.to_lowercase();
    let is_service = Tag::MetadataHost.words().any(|host| lower.contains(host));
    let asks = Tag::LoginPart.words().any(|part| lower.contains(part));
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
            ("~/.ssh/id_rsa", Some(Opens::Surely)),
            ("$HOME/.ssh/deploy", Some(Opens::Surely)),
            ("/home/a/x/../.aws//credentials", Some(Opens::Surely)),
            ("C:\\Users\\a\\.ssh\\id_ed25519", Some(Opens::Surely)),
            ("/etc/shadow", Some(Opens::Surely)),
            ("~/.claude/.credentials.json", Some(Opens::Surely)),
            (".env", Some(Opens::Perhaps)),
            ("certs/server.key", Some(Opens::Perhaps)),
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
