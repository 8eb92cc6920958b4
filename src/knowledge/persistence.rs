//! Places from which things start by themselves, or through which people get in.

pub use crate::knowledge::row::term::Persistence;
use crate::knowledge::words::Tag;

impl Persistence {
    /// What it is, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Recipe => "what a project is built from",
            Self::Project => "what a project runs by itself",
            Self::Start => "what starts by itself",
            Self::Guard => "what holds an agent back",
            Self::Entrance => "what tells who may get in",
        }
    }
}

/// What the place at a path is, if things start from it.
pub fn of_path(path: &str) -> Option<Persistence> {
    let path = format!("/{}", path.trim().replace('\\', "/").to_lowercase().trim_start_matches("./").trim_start_matches('/'));
    let places = [
        (Tag::EntrancePath, Persistence::Entrance),
        (Tag::GuardPath, Persistence::Guard),
        (Tag::StartPath, Persistence::Start),
        (Tag::ProjectPath, Persistence::Project),
        (Tag::RecipePath, Persistence::Recipe),
    ];
    let stands = |part: &str| path.contains(part) && is_whole(&path, part);
    places.into_iter().find(|(tag, _)| tag.words().any(stands)).map(|(_, place)| place)
}

/// Returns true if and only if a part that names a file ends where the path's part does.
fn is_whole(path: &str, part: &str) -> bool {
    let behind = path.split_once(part).map_or("", |(_, behind)| behind);
    let is_open = part.ends_with(['/', 'd']) && part.contains("/etc/") || part.ends_with(['/', 'n', 's']) || part.contains("cron");
    behind.is_empty() || is_open && !behind.starts_with(['-', '_']) || behind.starts_with([' ', '/', '\'', '"', '.', ';', ')', '2'])
}

/// What a command makes start by itself, if it does.
pub fn in_command(command: &str) -> Option<Persistence> {
    let lower = command.to_lowercase();
    let only_looks = Tag::ScheduleLook.words().any(|look| lower.contains(look)) && !lower.contains("| crontab");
    let schedules = !only_looks && !keeps_own_hooks(&lower) && Tag::Starting.words().any(|known| lower.contains(known));
    let writes = Tag::Writing.words().any(|write| lower.contains(write));
    let written = lower.split([' ', '\'', '"', '>', '<', '|', ';', '&', '=']).filter(|_| writes).filter_map(of_path).max();
    written.max(schedules.then_some(Persistence::Start))
}

/// Returns true if and only if a command has a work tree use the hooks that lie in it: `git config core.hooksPath .husky`.
fn keeps_own_hooks(command: &str) -> bool {
    let Some((_, path)) = command.trim_start().strip_prefix("git config").and_then(|rest| rest.split_once("core.hookspath")) else {
        return false;
    };
    let path = path.trim().trim_matches(['"', '\'']);
    let is_within =
        !path.is_empty() && !path.starts_with(['/', '~', '$']) && !path.contains("..") && !path.contains([';', '|', '&', ' ', ':']);
    is_within && !command.contains("--global") && !command.contains("--system")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_from_which_things_start_are_known_by_path() {
        for (path, expected) in [
            ("~/.ssh/authorized_keys", Some(Persistence::Entrance)),
            ("/etc/sudoers.d/agent", Some(Persistence::Entrance)),
            ("~/.bashrc", Some(Persistence::Start)),
            ("/etc/cron.d/job", Some(Persistence::Start)),
            ("/etc/profile.d/x.sh", Some(Persistence::Start)),
            (".git/hooks/pre-commit", Some(Persistence::Start)),
            ("C:\\Users\\a\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\a.bat", Some(Persistence::Start)),
            (".github/workflows/ci.yml", Some(Persistence::Project)),
            ("notes/authorized_keys.md", None),
            ("docs/bashrc.md", None),
            ("src/profile.ts", None),
            ("src/cron/index.ts", None),
            (".github/README.md", None),
        ] {
            assert_eq!(of_path(path), expected, "{path}");
        }
    }

    #[test]
    fn commands_that_make_things_start_are_known() {
        for (command, expected) in [
            ("(crontab -l; echo '* * * * * x') | crontab -", Some(Persistence::Start)),
            ("echo 'key' >> ~/.ssh/authorized_keys", Some(Persistence::Entrance)),
            ("systemctl enable backdoor", Some(Persistence::Start)),
            ("crontab -l", None),
            ("git config core.hooksPath .husky", None),
            ("git config core.hooksPath /tmp/hooks", Some(Persistence::Start)),
            ("git config --global core.hooksPath .husky", Some(Persistence::Start)),
            ("cat ~/.bashrc", None),
            ("systemctl status nginx", None),
            ("echo done > out.txt", None),
        ] {
            assert_eq!(in_command(command), expected, "{command}");
        }
    }
}
