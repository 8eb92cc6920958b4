//! Secrets by name: environment variables and files that tell how to get in.

use crate::knowledge::sensitivity::{Sensitivity, category};
use crate::knowledge::words::Tag;
use crate::value::words::words;

/// Returns true if and only if an environment variable holds a secret; so does the environment as a whole.
pub fn is_secret_variable(name: Option<&str>) -> bool {
    let Some(name) = name else { return true };
    let name = name.trim_start_matches("process.env").trim_start_matches(['.', '[']).trim_end_matches(']');
    if name.is_empty() || Tag::SecretName.has(name) {
        return true;
    }
    if Tag::PublicPrefix.words().any(|prefix| name.starts_with(prefix)) {
        return false;
    }
    let words = words(name);
    let says = words.iter().any(|word| Tag::SecretWord.has(word) || word.ends_with("key") || word.ends_with("token"));
    let pair = words.len().checked_sub(2).and_then(|from| words.get(from..)).map(|pair| pair.join(" "));
    if pair.is_some_and(|pair| Tag::NotSecret.has(&pair)) {
        return false;
    }
    let is_taken_back = words.last().is_some_and(|last| Tag::NotSecret.has(last)) && !words.iter().any(|word| word == "webhook")
        || words.first().is_some_and(|first| first == "public");
    says && !is_taken_back
}

/// What kind of data a path tells, if it tells any: a file of secrets, or one whose name says what is in it.
pub fn path_sensitivity(path: &str) -> Option<Sensitivity> {
    let path = format!("/{}", path.trim().replace('\\', "/").to_lowercase().trim_start_matches("./"));
    if path.ends_with("/serviceaccount/namespace") || path.ends_with("/serviceaccount/ca.crt") {
        return None;
    }
    let is_sample = Tag::SampleEnding.words().any(|end| path.ends_with(end));
    if is_sample {
        return None;
    }
    let path = without_instructions(path);
    let is_secret = Tag::SecretPath.words().any(|part| path.contains(part)) || Tag::SecretEnding.words().any(|end| path.ends_with(end));
    if is_secret { Some(Sensitivity::Authentication) } else { category(&words(&path)) }
}

/// A path or a text without the folders in which an agent is told how to work: they stand in the folder that keeps its secrets, and tell none.
/// Whatever else the text names stays in it.
fn without_instructions(path: String) -> String {
    if path.contains("/../") {
        return path;
    }
    let without = |path: String, part: &str| {
        // The folder itself, too.
        let path = if path.ends_with(part.trim_end_matches('/')) { path + "/" } else { path };
        path.replace(part, "/")
    };
    Tag::ProjectPath.words().filter(|part| part.ends_with('/')).fold(path, without)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_of_agents_are_no_secrets_and_hide_none() {
        let is_secret = |path: &str| path_sensitivity(path) == Some(Sensitivity::Authentication);
        for path in ["~/.claude/skills/deploy/SKILL.md", "/home/kim/.claude/agents/review.md"] {
            assert!(!is_secret(path), "{path}");
        }
        for path in [
            "~/.claude/.credentials.json",
            "~/.claude/skills/../.credentials.json",
            "cat ~/.ssh/id_rsa ~/.claude/skills/deploy/SKILL.md",
            "~/.claude/skills/.env",
            "/srv/claude.md /root/.netrc",
        ] {
            assert!(is_secret(path), "{path}");
        }
    }

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
            "JIRA_PROJECT_KEY",
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
