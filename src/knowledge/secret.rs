//! Secrets by name: environment variables and files that tell how to get in.

use crate::knowledge::sensitivity::{Sensitivity, category};
use crate::value::words::words;

/// Words of variables that hold a secret.
const SECRET_WORDS: &[&str] = &[
    "key",
    "keys",
    "token",
    "tokens",
    "secret",
    "secrets",
    "password",
    "passwd",
    "pwd",
    "pass",
    "passphrase",
    "credential",
    "credentials",
    "auth",
    "apikey",
    "cookie",
    "session",
    "private",
    "salt",
    "dsn",
    "webhook",
    "cert",
    "jwt",
    "bearer",
    "pat",
    "signing",
    "mnemonic",
    "seed",
    "pin",
];
/// Whole names of variables that hold a secret without saying so.
const SECRET_NAMES: &[&str] =
    &["DATABASE_URL", "REDIS_URL", "MONGO_URL", "MONGODB_URI", "MONGO_URI", "AMQP_URL", "POSTGRES_URL", "KUBECONFIG", "DB_URL"];
/// Words that take a secret's name back: where it is kept, not what it is.
const NOT_SECRET: &[&str] = &["public", "path", "file", "id", "name", "expiry", "ttl", "length", "limit", "count", "url", "region"];

/// Parts of paths that hold secrets, in lower case, with `/` between folders.
const SECRET_PATHS: &[&str] = &[
    "/.ssh",
    "/.aws",
    "/.gnupg",
    "/.kube",
    "/.docker/config",
    "/.azure",
    "/.config/gcloud",
    "/.config/gh",
    "/.npmrc",
    "/.pypirc",
    "/.netrc",
    "/_netrc",
    "/.git-credentials",
    "/.pgpass",
    "/.my.cnf",
    "/.env",
    "/.htpasswd",
    "/etc/shadow",
    "/etc/passwd",
    "/etc/sudoers",
    "/proc/self/environ",
    "/id_rsa",
    "/id_ed25519",
    "/id_ecdsa",
    "/id_dsa",
    "/.vault-token",
    "/.password-store",
    "/keychains",
    "/login data",
    "/cookies.sqlite",
    "/key4.db",
    "/logins.json",
    "/local state",
    "/wallet.dat",
    "/.bitcoin",
    "/.ethereum",
    "/.electrum",
    "/metamask",
    "/.config/solana",
    "/keystore",
    "/.terraform.d",
    "/.cargo/credentials",
    "/.gem/credentials",
    "/.bash_history",
    "/.zsh_history",
    "/.claude.json",
    "/.claude/",
    "/.codex",
    "/.cursor/mcp.json",
    "/run/secrets",
    "/var/run/secrets",
    "/credentials.json",
    "/service-account",
    "/serviceaccount",
    "/secrets.",
    "/secrets/",
    "/credentials",
    "/google/chrome/",
    "/mozilla/firefox/",
    "/bravesoftware",
    "/.mozilla",
    "/ntds.dit",
    "/config/sam",
    "/.s3cfg",
    "/.boto",
    "/kubeconfig",
];
/// Ends of paths that hold secrets.
const SECRET_ENDS: &[&str] = &[".pem", ".key", ".p12", ".pfx", ".kdbx", ".jks", ".keystore", ".ppk", ".asc", ".ovpn", ".agekey"];

/// Returns true if and only if an environment variable holds a secret; so does the environment as a whole.
pub fn is_secret_variable(name: Option<&str>) -> bool {
    let Some(name) = name else { return true };
    let name = name.trim_start_matches("process.env").trim_start_matches(['.', '[']);
    if name.is_empty() || SECRET_NAMES.contains(&name) {
        return true;
    }
    let words = words(name);
    let says = words.iter().any(|word| SECRET_WORDS.contains(&word.as_str()) || word.ends_with("key") || word.ends_with("token"));
    let is_taken_back = words.last().is_some_and(|last| NOT_SECRET.contains(&last.as_str())) && !words.iter().any(|word| word == "webhook")
        || words.first().is_some_and(|first| first == "public");
    says && !is_taken_back
}

/// What kind of data a path tells, if it tells any: a file of secrets, or one whose name says what is in it.
pub fn path_sensitivity(path: &str) -> Option<Sensitivity> {
    let path = format!("/{}", path.trim().replace('\\', "/").to_lowercase().trim_start_matches("./"));
    if path.ends_with("/serviceaccount/namespace") || path.ends_with("/serviceaccount/ca.crt") {
        return None;
    }
    let is_sample = [".example", ".sample", ".template", ".dist", ".pub"].iter().any(|end| path.ends_with(end));
    if is_sample {
        return None;
    }
    let is_secret = SECRET_PATHS.iter().any(|part| path.contains(part)) || SECRET_ENDS.iter().any(|end| path.ends_with(end));
    if is_secret { Some(Sensitivity::Authentication) } else { category(&words(&path)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_hold_secrets_say_so() {
        for name in [
            "API_KEY",
            "GITHUB_TOKEN",
            "DB_PASSWORD",
            "AWS_SECRET_ACCESS_KEY",
            "DATABASE_URL",
            "SLACK_WEBHOOK_URL",
            "process.env",
            "OPENAI_APIKEY",
        ] {
            assert!(is_secret_variable(Some(name)), "{name}");
        }
        for name in [
            "PORT",
            "NODE_ENV",
            "HOME",
            "PATH",
            "USER",
            "LANG",
            "KEYBOARD",
            "MONKEY_COUNT",
            "PUBLIC_KEY",
            "TOKEN_TTL",
            "LOG_LEVEL",
            "TZ",
            "CI",
        ] {
            assert!(!is_secret_variable(Some(name)), "{name}");
        }
        assert!(is_secret_variable(None));
    }

    #[test]
    fn paths_that_hold_secrets_are_known() {
        for path in [
            "~/.ssh/id_rsa",
            "/home/a/.aws/credentials",
            ".env",
            ".env.production",
            "C:\\Users\\a\\.ssh\\id_ed25519",
            "certs/server.pem",
            "/etc/shadow",
        ] {
            assert_eq!(path_sensitivity(path), Some(Sensitivity::Authentication), "{path}");
        }
        for path in ["notes.txt", "src/environment.ts", ".env.example", "keys.ts", "docs/ssh.md", "id_rsa.pub", "data/keyboard.json"] {
            assert_eq!(path_sensitivity(path), None, "{path}");
        }
        assert_eq!(path_sensitivity("exports/salaries.csv"), Some(Sensitivity::Financial));
    }
}
