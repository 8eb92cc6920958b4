//! What shell commands destroy, switch off or cover up.

use crate::knowledge::statement::Language;
use crate::language::shell::{Command, command, commands, is_fork_bomb};
use crate::meaning::cloud_harm;
use crate::meaning::harm::{Harm, worse, worst};
use crate::meaning::installs;
use crate::meaning::path::{Reach, reach};
use crate::meaning::rights_harm;
use crate::meaning::statement;
use crate::subject::segment::HOLE;

/// The worst harm that a line does.
pub fn harm(line: &str) -> Option<Harm> {
    if is_fork_bomb(line) {
        return Some(Harm::critical("starts processes without end"));
    }
    worst(commands(line).iter().filter_map(of_command))
}

/// The worst harm that a program does with separate arguments.
pub fn harm_of(program: &str, arguments: &[String]) -> Option<Harm> {
    worst(command(program, arguments).iter().filter_map(of_command))
}

fn of_command(own: &Command) -> Option<Harm> {
    worse(of_program(own), outputs(own))
}

fn of_program(own: &Command) -> Option<Harm> {
    let program = own.program.as_str();
    match program {
        "rm" | "srm" | "unlink" | "rmdir" if !own.has("/s") && !own.has("/S") => remove(own),
        "rd" | "rmdir" | "del" | "erase" | "Remove-Item" | "remove-item" | "ri" => windows_remove(own),
        "format" if own.operands().next().is_some_and(|drive| drive.ends_with(':')) => Some(Harm::critical("formats a drive")),
        "shred" | "wipe" => {
            Some(paths_at_worst(own).map_or_else(|| Harm::high("overwrites files for good"), |reach| over(reach, "overwrites")))
        }
        "dd" => own.option(&["of"]).filter(|path| is_device(path)).map(|_| Harm::critical("writes over a disk")),
        "find" => find(own),
        "mv" if own.operands().last() == Some("/dev/null") => Some(Harm::high("moves files into nothing")),
        "chmod" | "chown" | "chgrp" if own.flag('R', "recursive") => worse(rights_harm::harm(own), rights(own)),
        "kill" if own.has("-1") && (own.has("-9") || own.has("-KILL") || own.has("-SIGKILL") || own.operands().next().is_none()) => {
            Some(Harm::critical("kills every process"))
        }
        "killall5" => Some(Harm::critical("kills every process")),
        "truncate" => emptied(own),
        "git" => git(own),
        "gh" | "glab" if own.has("repo") && own.has("delete") && !own.has("deploy-key") => Some(Harm::critical("deletes a repository")),
        _ => worst(
            [
                installs::harm(own),
                cloud_harm::harm(own),
                rights_harm::harm(own),
                database(own),
                defences(own),
                devices(own),
                tracks(own),
                system(own),
            ]
            .into_iter()
            .flatten(),
        ),
    }
}

fn over(reach: Reach, verb: &str) -> Harm {
    let what = format!("{verb} {}", reach.name());
    match reach {
        Reach::Disposable | Reach::Scoped => Harm::medium(what),
        Reach::Unknown | Reach::Store => Harm::high(what),
        Reach::Here | Reach::Data | Reach::Home | Reach::System | Reach::Root => Harm::critical(what),
    }
}

/// The furthest reach of the paths that a command names.
fn paths_at_worst(own: &Command) -> Option<Reach> {
    own.operands().map(|path| reach(path, own.folder.as_deref())).max()
}

fn remove(own: &Command) -> Option<Harm> {
    let worst = paths_at_worst(own)?;
    let is_recursive = own.flag('r', "recursive") || own.flag('R', "");
    let is_wild = own.operands().any(|path| path.contains('*'));
    match worst {
        Reach::Disposable | Reach::Scoped => None,
        // What `xargs` hands over was chosen by the command before.
        Reach::Unknown if own.operands().all(|path| path.len() == HOLE.len_utf8()) && !is_recursive => None,
        Reach::Here if !is_recursive && !is_wild => None,
        Reach::System | Reach::Home | Reach::Data | Reach::Root if !is_recursive && !is_wild => {
            (worst == Reach::System).then(|| Harm::high("deletes a file of the system"))
        }
        Reach::Unknown if !is_recursive => None,
        Reach::Store if !is_recursive => None,
        Reach::Unknown | Reach::Store | Reach::Here | Reach::Data | Reach::Home | Reach::System | Reach::Root => {
            Some(over(worst, "deletes"))
        }
    }
}

fn windows_remove(own: &Command) -> Option<Harm> {
    let has = |option: &str| own.arguments.iter().any(|own| own.eq_ignore_ascii_case(option));
    let is_recursive = has("/s") || has("-recurse") || has("-r");
    let paths = own.operands().filter(|path| !path.starts_with('/') && !path.starts_with("Cert:"));
    let worst = paths.map(|path| reach(path, own.folder.as_deref())).max()?;
    let is_bad = match worst {
        Reach::Disposable | Reach::Scoped => false,
        Reach::Unknown | Reach::Store | Reach::Here | Reach::Data | Reach::Home => is_recursive,
        Reach::System | Reach::Root => true,
    };
    is_bad.then(|| over(worst, "deletes"))
}

fn find(own: &Command) -> Option<Harm> {
    let runs = own.arguments.windows(2).any(|pair| {
        matches!(pair.first().map(String::as_str), Some("-exec" | "-execdir" | "-ok"))
            && pair.get(1).is_some_and(|run| matches!(run.as_str(), "rm" | "shred" | "unlink"))
    });
    if !runs && !own.has("-delete") {
        return None;
    }
    let filters =
        ["-name", "-iname", "-mtime", "-mmin", "-path", "-regex", "-size", "-newer", "-atime", "-ctime", "-empty", "-maxdepth", "-user"];
    let is_filtered = own.arguments.iter().any(|own| filters.contains(&own.as_str()));
    let roots = own.arguments.iter().take_while(|own| !own.starts_with(['-', '(', '!']));
    let worst = roots.map(|path| reach(path, own.folder.as_deref())).max().unwrap_or(Reach::Here);
    match worst {
        Reach::Disposable | Reach::Scoped => None,
        Reach::Root | Reach::System | Reach::Home if is_filtered => {
            Some(Harm::high(format!("searches {} for files to delete", worst.name())))
        }
        _ if is_filtered => None,
        worst => Some(over(worst, "deletes")),
    }
}

fn rights(own: &Command) -> Option<Harm> {
    let paths = own.operands().skip(1).map(|path| reach(path, own.folder.as_deref()));
    let worst = paths.max()?;
    let is_open = own.operands().next().is_some_and(|mode| matches!(mode, "777" | "0777" | "a+rwx" | "ugo+rwx" | "000" | "a+w" | "o+w"));
    match worst {
        Reach::Root | Reach::System | Reach::Home if is_open || own.program != "chmod" || worst == Reach::Root => {
            Some(Harm::critical(format!("changes the rights of {}", worst.name())))
        }
        Reach::Root | Reach::System | Reach::Home | Reach::Data => Some(Harm::high(format!("changes the rights of {}", worst.name()))),
        Reach::Disposable | Reach::Scoped | Reach::Unknown | Reach::Store | Reach::Here => {
            is_open.then(|| Harm::medium("opens files to everybody"))
        }
    }
}

fn emptied(own: &Command) -> Option<Harm> {
    match paths_at_worst(own)? {
        Reach::Disposable | Reach::Scoped | Reach::Unknown | Reach::Store | Reach::Here => None,
        worst => Some(Harm::high(format!("empties files in {}", worst.name()))),
    }
}

fn is_device(path: &str) -> bool {
    let device = path.strip_prefix("/dev/").or_else(|| path.strip_prefix("\\\\.\\"));
    device.is_some_and(|device| {
        ["sd", "hd", "vd", "xvd", "nvme", "disk", "rdisk", "mmcblk", "mapper/", "md", "mem", "kmem", "PhysicalDrive"]
            .iter()
            .any(|kind| device.starts_with(kind))
    })
}

fn outputs(own: &Command) -> Option<Harm> {
    worst(own.outputs.iter().filter_map(|path| {
        if is_device(path) {
            return Some(Harm::critical("writes over a disk"));
        }
        let is_critical = ["/etc/passwd", "/etc/shadow", "/etc/sudoers", "/boot/", "/etc/fstab"].iter().any(|file| path.starts_with(file));
        match () {
            () if is_critical => Some(Harm::critical(format!("writes over `{path}`"))),
            () if path.contains("_history") => Some(Harm::high("clears the history of commands")),
            () if path.starts_with("/var/log/") && matches!(own.program.as_str(), "" | ":" | "true" | "cat" | "echo") => {
                Some(Harm::high("clears a log"))
            }
            () => None,
        }
    }))
}

fn git(own: &Command) -> Option<Harm> {
    let takes = ["-C", "-c", "--git-dir", "--work-tree"];
    let mut words = own.arguments.iter().peekable();
    while let Some(option) = words.next_if(|word| word.starts_with('-')) {
        if takes.contains(&option.as_str()) {
            words.next();
        }
    }
    let verb = words.next()?.as_str();
    let operands: Vec<&str> = words.map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    let is_trunk = |name: &str| {
        matches!(
            name.rsplit(['/', ':']).next().unwrap_or(name).trim_start_matches('+'),
            "main" | "master" | "production" | "prod" | "release" | "trunk" | "develop"
        )
    };
    let flag = |short: char, long: &str| own.flag(short, long);
    match verb {
        "push" => {
            // With a lease only what nobody has seen is written over: that is how a branch of one's own is tidied.
            let has_lease = flag('\0', "force-with-lease");
            let is_forced = flag('f', "force") || flag('\0', "mirror") || operands.iter().any(|word| word.starts_with('+'));
            let deletes = flag('d', "delete") || operands.iter().any(|word| word.starts_with(':'));
            let branches = operands.get(1..).unwrap_or_default();
            match () {
                () if (is_forced || has_lease || deletes) && branches.iter().any(|name| is_trunk(name)) || flag('\0', "mirror") => {
                    Some(Harm::critical("writes over the history of a main branch"))
                }
                () if is_forced && (branches.is_empty() || flag('\0', "all")) => Some(Harm::high("writes over the history of a branch")),
                () if is_forced => Some(Harm::medium("writes over the history of a branch")),
                () => None,
            }
        }
        "reset" if flag('\0', "hard") => {
            let is_back = operands.first().is_some_and(|to| !matches!(*to, "HEAD") && !to.starts_with("origin/"));
            Some(if is_back { Harm::high("throws commits and changes away") } else { Harm::medium("throws changes away") })
        }
        "clean" if flag('f', "force") && !flag('n', "dry-run") => Some(Harm::medium("deletes files that are not under version control")),
        "branch" if (flag('D', "") || flag('d', "delete")) && operands.iter().any(|name| is_trunk(name)) => {
            Some(Harm::high("deletes a main branch"))
        }
        "filter-branch" | "filter-repo" => Some(Harm::high("rewrites the history")),
        "reflog" if operands.contains(&"expire") => Some(Harm::high("deletes what a lost commit could be found by")),
        _ => None,
    }
}

fn database(own: &Command) -> Option<Harm> {
    let program = own.program.as_str();
    let options: &[&str] = match program {
        "psql" => &["-c", "--command"],
        "mysql" | "mariadb" | "cockroach" => &["-e", "--execute"],
        "sqlcmd" | "osql" => &["-Q", "-q", "-query"],
        "clickhouse-client" | "snowsql" => &["-q", "--query"],
        "cqlsh" => &["-e"],
        "sqlite3" | "duckdb" => &[],
        "mongo" | "mongosh" => &["--eval"],
        "dropdb" => return Some(Harm::critical("drops a whole database")),
        "redis-cli" | "valkey-cli" => {
            let flushes = own.arguments.iter().any(|own| own.eq_ignore_ascii_case("flushall") || own.eq_ignore_ascii_case("flushdb"));
            return flushes.then(|| Harm::critical("deletes all keys of a store"));
        }
        "mysqladmin" => return own.has("drop").then(|| Harm::critical("drops a whole database")),
        _ => return None,
    };
    let attached =
        own.arguments.iter().filter_map(|own| options.iter().find_map(|option| own.strip_prefix(option))).filter(|text| !text.is_empty());
    let operands = own.operands().filter(|_| options.is_empty());
    let texts = own.option(options).into_iter().chain(attached).chain(own.input.as_deref()).chain(operands);
    if options == ["--eval"] {
        return worst(texts.filter_map(|text| statement::harm_in(Language::Mongo, text)));
    }
    worst(texts.filter_map(statement::harm))
}

fn devices(own: &Command) -> Option<Harm> {
    let program = own.program.as_str();
    let has = |word: &str| own.has(word);
    let is_bad = match program {
        _ if program.starts_with("mkfs") || program == "mke2fs" => !has("-n") && own.operands().next().is_some(),
        "wipefs" => own.flag('a', "all"),
        "blkdiscard" | "Clear-Disk" | "Format-Volume" => true,
        "sgdisk" => has("-Z") || has("--zap-all") || has("-o"),
        "parted" => has("mklabel") || has("rm"),
        "sfdisk" => has("--delete"),
        "hdparm" => own.arguments.iter().any(|own| own.contains("security-erase")),
        "cryptsetup" => has("luksErase") || has("luksFormat") || has("erase"),
        "lvremove" | "vgremove" | "pvremove" => true,
        "zpool" | "zfs" => has("destroy"),
        "diskutil" => own.arguments.iter().any(|own| own.to_lowercase().starts_with("erase")),
        "vssadmin" | "wbadmin" => own.arguments.iter().any(|own| own.eq_ignore_ascii_case("delete")),
        "cipher" => own.arguments.iter().any(|own| own.to_lowercase().starts_with("/w")),
        "nvme" => has("format") || has("sanitize"),
        _ => false,
    };
    is_bad.then(|| Harm::critical("erases a disk, a volume or its copies"))
}

/// Services that guard a machine.
const GUARDS: &[&str] = &[
    "firewalld",
    "ufw",
    "iptables",
    "nftables",
    "auditd",
    "rsyslog",
    "syslog",
    "fail2ban",
    "apparmor",
    "clamav",
    "clamav-daemon",
    "falcon-sensor",
    "osqueryd",
    "wazuh-agent",
    "systemd-journald",
    "crowdsec",
    "mdatp",
    "windefend",
    "wuauserv",
    "eventlog",
    "mpssvc",
    "sentinelone",
    "selinux",
];

fn defences(own: &Command) -> Option<Harm> {
    let program = own.program.as_str();
    let has = |word: &str| own.arguments.iter().any(|own| own.eq_ignore_ascii_case(word));
    let guards = || own.arguments.iter().any(|own| GUARDS.contains(&own.trim_end_matches(".service").to_lowercase().as_str()));
    let is_bad = match program {
        "ufw" => has("disable") || has("reset"),
        "iptables" | "ip6tables" => own.flag('F', "flush") && own.operands().next().is_none(),
        "nft" => has("flush") && has("ruleset"),
        "setenforce" => has("0") || has("permissive"),
        "systemctl" | "service" | "sc" | "net" | "rc-service" | "Stop-Service" | "Set-Service" => {
            (has("stop") || has("disable") || has("mask") || has("delete") || program == "Stop-Service") && guards()
        }
        "pkill" | "killall" | "taskkill" => guards(),
        "netsh" => has("off") && (has("advfirewall") || has("firewall")),
        "auditctl" => {
            own.has("-D") || own.arguments.windows(2).any(|pair| matches!(pair, [option, value] if option == "-e" && value == "0"))
        }
        "Set-MpPreference" => own.arguments.iter().any(|own| own.to_lowercase().starts_with("-disable")),
        "wevtutil" => has("cl") || has("clear-log"),
        "Clear-EventLog" => true,
        "csrutil" => has("disable"),
        "spctl" => has("--master-disable") || has("--global-disable"),
        "esxcli" => has("--enabled=false") || has("-e") && has("false"),
        _ => false,
    };
    is_bad.then(|| Harm::critical("switches off what guards or logs a machine"))
}

fn tracks(own: &Command) -> Option<Harm> {
    let has = |word: &str| own.has(word);
    let is_bad = match own.program.as_str() {
        "history" => own.flag('c', ""),
        "unset" => has("HISTFILE"),
        "set" => has("+o") && has("history"),
        "Clear-History" => true,
        "journalctl" => own
            .arguments
            .iter()
            .any(|own| matches!(own.as_str(), "--vacuum-time=1s" | "--vacuum-size=1" | "--vacuum-size=1K" | "--vacuum-files=0")),
        _ => false,
    };
    is_bad.then(|| Harm::high("clears the tracks of what was run"))
}

fn system(own: &Command) -> Option<Harm> {
    let has = |word: &str| own.has(word);
    match own.program.as_str() {
        "shutdown" | "reboot" | "halt" | "poweroff" | "Stop-Computer" | "Restart-Computer" if !has("-c") && !has("/a") => {
            Some(Harm::high("stops the machine"))
        }
        "init" | "telinit" if has("0") || has("6") => Some(Harm::high("stops the machine")),
        "crontab" if own.flag('r', "") => Some(Harm::high("deletes all scheduled jobs")),
        "userdel" | "deluser" => Some(if own.operands().any(|name| name == "root") {
            Harm::critical("deletes an account")
        } else {
            Harm::medium("deletes an account")
        }),
        "passwd" if own.flag('l', "lock") || own.flag('d', "delete") => Some(Harm::high("locks or opens an account")),
        "rsync" if own.arguments.iter().any(|own| own.starts_with("--delete")) => {
            let target = own.operands().last().map(|path| reach(path, own.folder.as_deref()))?;
            matches!(target, Reach::Root | Reach::System | Reach::Home | Reach::Data).then(|| over(target, "deletes files in"))
        }
        _ => None,
    }
}
