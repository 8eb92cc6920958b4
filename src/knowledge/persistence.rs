//! Places from which things start by themselves, or through which people get in.

/// What a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Persistence {
    /// It tells how a project is built and what comes with it; it is changed all the time.
    Recipe,
    /// A project runs what stands in it: hooks, CI workflows, package scripts, editor tasks.
    Project,
    /// The machine or the user's session starts what stands in it.
    Start,
    /// It holds what an agent may do: its permissions, its hooks, the settings of this gate.
    Guard,
    /// It tells who may get in.
    Entrance,
}

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

/// Parts of paths, in lower case.
const PARTS: &[(&str, Persistence)] = &[
    ("/.ssh/authorized_keys", Persistence::Entrance),
    ("/.ssh/rc", Persistence::Start),
    ("/.ssh/config", Persistence::Start),
    ("/etc/sudoers", Persistence::Entrance),
    ("/etc/passwd", Persistence::Entrance),
    ("/etc/shadow", Persistence::Entrance),
    ("/etc/pam.d/", Persistence::Entrance),
    ("/etc/ssh/sshd_config", Persistence::Entrance),
    ("/etc/ld.so.preload", Persistence::Entrance),
    ("/etc/cron", Persistence::Start),
    ("/var/spool/cron", Persistence::Start),
    ("/etc/profile", Persistence::Start),
    ("/etc/rc.local", Persistence::Start),
    ("/etc/init.d/", Persistence::Start),
    ("/etc/systemd/", Persistence::Start),
    ("/lib/systemd/", Persistence::Start),
    ("/.config/systemd/", Persistence::Start),
    ("/.config/autostart/", Persistence::Start),
    ("/etc/xdg/autostart/", Persistence::Start),
    ("/launchagents/", Persistence::Start),
    ("/launchdaemons/", Persistence::Start),
    ("/start menu/programs/startup/", Persistence::Start),
    ("/currentversion/run", Persistence::Start),
    ("/.bashrc", Persistence::Start),
    ("/.bash_profile", Persistence::Start),
    ("/.bash_login", Persistence::Start),
    ("/.bash_logout", Persistence::Start),
    ("/.profile", Persistence::Start),
    ("/.zshrc", Persistence::Start),
    ("/.zshenv", Persistence::Start),
    ("/.zprofile", Persistence::Start),
    ("/.zlogin", Persistence::Start),
    ("/.config/fish/config.fish", Persistence::Start),
    ("/.config/fish/conf.d/", Persistence::Start),
    ("/.xinitrc", Persistence::Start),
    ("/.xprofile", Persistence::Start),
    ("/.vimrc", Persistence::Start),
    ("/.pythonrc", Persistence::Start),
    ("/sitecustomize.py", Persistence::Start),
    ("/microsoft.powershell_profile.ps1", Persistence::Start),
    ("/.git/hooks/", Persistence::Start),
    ("/.gitconfig", Persistence::Start),
    ("/.claude/settings", Persistence::Guard),
    ("/.claude/hooks/", Persistence::Guard),
    ("/.codex/hooks.json", Persistence::Guard),
    ("/.codex/config.toml", Persistence::Guard),
    ("/.cursor/hooks.json", Persistence::Guard),
    ("/.gemini/settings.json", Persistence::Guard),
    ("/.copilot/hooks/", Persistence::Guard),
    ("/.openclaw/openclaw.json", Persistence::Guard),
    ("/callgate.yaml", Persistence::Guard),
    ("/.callgate.yaml", Persistence::Guard),
    ("/.callgateignore", Persistence::Guard),
    ("/bin/callgate", Persistence::Guard),
    ("/.openclaw/callgate/", Persistence::Guard),
    ("/.copilot/settings.json", Persistence::Guard),
    ("/.github/hooks/", Persistence::Guard),
    ("/.cursor/sandbox.json", Persistence::Guard),
    ("/.config/callgate/", Persistence::Guard),
    ("/.claude.json", Persistence::Start),
    ("/.cursor/mcp.json", Persistence::Start),
    ("/.mcp.json", Persistence::Start),
    ("/etc/environment", Persistence::Start),
    ("/hooks/post-commit", Persistence::Start),
    ("/hooks/pre-commit", Persistence::Start),
    ("/hooks/pre-push", Persistence::Start),
    ("/hooks/post-checkout", Persistence::Start),
    ("/hooks/post-merge", Persistence::Start),
    ("/hooks/commit-msg", Persistence::Start),
    ("/hooks/prepare-commit-msg", Persistence::Start),
    ("/hooks/post-receive", Persistence::Start),
    ("/dockerfile", Persistence::Recipe),
    ("/containerfile", Persistence::Recipe),
    ("/makefile", Persistence::Recipe),
    ("/package.json", Persistence::Recipe),
    ("/setup.py", Persistence::Recipe),
    ("/docker-compose.yml", Persistence::Recipe),
    ("/compose.yaml", Persistence::Recipe),
    ("/.npmrc", Persistence::Recipe),
    ("/.yarnrc", Persistence::Recipe),
    ("/.yarnrc.yml", Persistence::Recipe),
    ("/pip.conf", Persistence::Recipe),
    ("/.husky/", Persistence::Project),
    ("/.github/workflows/", Persistence::Project),
    ("/.gitlab-ci.yml", Persistence::Project),
    ("/.circleci/config", Persistence::Project),
    ("/jenkinsfile", Persistence::Project),
    ("/azure-pipelines.yml", Persistence::Project),
    ("/.vscode/tasks.json", Persistence::Project),
    ("/.vscode/settings.json", Persistence::Project),
    ("/.devcontainer/", Persistence::Project),
    ("/.envrc", Persistence::Project),
    ("/claude.md", Persistence::Project),
    ("/agents.md", Persistence::Project),
    ("/.cursorrules", Persistence::Project),
];

/// Beginnings of commands that make something start by itself.
const COMMANDS: &[&str] = &[
    "crontab -",
    "crontab /",
    "systemctl enable",
    "systemctl --user enable",
    "launchctl load",
    "launchctl bootstrap",
    "schtasks /create",
    "update-rc.d",
    "chkconfig",
    "reg add hkcu\\software\\microsoft\\windows\\currentversion\\run",
    "reg add hklm\\software\\microsoft\\windows\\currentversion\\run",
    "new-scheduledtask",
    "register-scheduledtask",
    "git config --global core.hookspath",
    "git config core.hookspath",
    "callgate init --agent",
    "| crontab",
    "at now",
];
/// What a command does to a file it writes.
const WRITES: &[&str] = &[
    ">",
    "tee ",
    "cp ",
    "mv ",
    "ln ",
    "install ",
    "sed -i",
    "dd ",
    "rsync ",
    "curl -o",
    "wget -o",
    "add-content",
    "set-content",
    "out-file",
];
/// Ways of `crontab` that only show or remove.
const LOOKS: &[&str] = &["crontab -l", "crontab -r"];

/// What the place at a path is, if things start from it.
pub fn of_path(path: &str) -> Option<Persistence> {
    let path = format!("/{}", path.trim().replace('\\', "/").to_lowercase().trim_start_matches("./").trim_start_matches('/'));
    PARTS.iter().find(|(part, _)| path.contains(part) && is_whole(&path, part)).map(|(_, place)| *place)
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
    let only_looks = LOOKS.iter().any(|look| lower.contains(look)) && !lower.contains("| crontab");
    let schedules = !only_looks && COMMANDS.iter().any(|known| lower.contains(known));
    let writes = WRITES.iter().any(|write| lower.contains(write));
    let written = lower.split([' ', '\'', '"', '>', '<', '|', ';', '&', '=']).filter(|_| writes).filter_map(of_path).max();
    written.max(schedules.then_some(Persistence::Start))
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
            ("cat ~/.bashrc", None),
            ("systemctl status nginx", None),
            ("echo done > out.txt", None),
        ] {
            assert_eq!(in_command(command), expected, "{command}");
        }
    }
}
