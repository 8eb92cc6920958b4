//! What commands open: groups, sudo, set-user-id files, clusters and clouds, guards that they take away.

use crate::language::shell::Command;
use crate::meaning::harm::Harm;

/// Groups whose members rule a machine.
const RULING_GROUPS: &[&str] =
    &["sudo", "wheel", "admin", "root", "docker", "lxd", "disk", "shadow", "adm", "administrators", "domain admins", "enterprise admins"];
/// Words of roles of clouds and clusters that may do all.
const RULING_ROLES: &[&str] = &[
    "cluster-admin",
    "roles/owner",
    "roles/editor",
    "administratoraccess",
    "iamfullaccess",
    "poweruseraccess",
    "globaladministrator",
    "useraccessadministrator",
    "organizationadmin",
    "securityadmin",
];
/// Who stands for everybody.
const EVERYBODY: &[&str] = &[
    "allusers",
    "allauthenticatedusers",
    "public-read",
    "public-read-write",
    "system:anonymous",
    "system:unauthenticated",
    "authenticated-read",
];

/// The harm that a command does by what it opens.
pub fn harm(own: &Command) -> Option<Harm> {
    let lower: Vec<String> = own.arguments.iter().map(|argument| argument.to_lowercase()).collect();
    let has = |word: &str| lower.iter().any(|argument| argument == word);
    let ends = |words: &[&str]| {
        lower.iter().any(|argument| {
            let value = argument.split_once('=').map_or(argument.as_str(), |(_, value)| value);
            value.split([',', ' ']).any(|part| words.iter().any(|word| part == *word || part.ends_with(&format!("/{word}"))))
        })
    };
    let rules = || ends(RULING_GROUPS);
    let in_sudoers = || lower.iter().chain(&own.outputs).any(|argument| argument.contains("/etc/sudoers"));
    match own.program.to_lowercase().as_str() {
        "usermod" | "gpasswd" | "adduser" | "addgroup" | "useradd" | "dseditgroup" | "pw" if rules() => {
            Some(Harm::critical("puts somebody into a group that rules the machine"))
        }
        "usermod" | "useradd" if own.option(&["-u", "--uid"]) == Some("0") => Some(Harm::critical("makes an account that is root")),
        "net" if has("localgroup") && has("/add") && rules() => Some(Harm::critical("puts somebody into a group that rules the machine")),
        "add-localgroupmember" | "add-adgroupmember" if rules() => {
            Some(Harm::critical("puts somebody into a group that rules the machine"))
        }
        "visudo" if !has("-c") && !has("--check") => Some(Harm::critical("changes who may become root")),
        "tee" | "echo" | "printf" | "sed" | "cp" | "install" | "cat" if in_sudoers() && changes_sudoers(own) => {
            Some(Harm::critical("changes who may become root"))
        }
        "chmod" if own.operands().next().is_some_and(sets_user) => Some(Harm::critical("lets everybody run a file as its owner")),
        "setcap"
            if lower
                .iter()
                .any(|argument| argument.contains("cap_setuid") || argument.contains("cap_sys_admin") || argument.contains("cap_dac")) =>
        {
            Some(Harm::critical("gives a program the rights of root"))
        }
        "passwd" if own.flag('d', "delete") || own.flag('u', "unlock") && has("root") => {
            Some(Harm::critical("lets somebody in without a password"))
        }
        "kubectl" | "oc" | "k" => cluster(own, &lower),
        "aws" | "gcloud" | "az" | "gsutil" | "oci" | "doctl" | "ibmcloud" => cloud(&lower, &ends),
        "gh" | "glab" if lower.iter().any(|argument| argument.contains("permission=admin") || argument.contains("role=admin")) => {
            Some(Harm::critical("gives all rights to a repository or organisation"))
        }
        "gh" | "glab" if has("edit") && (has("public") || has("--visibility=public")) && has("repo") => {
            Some(Harm::critical("opens a repository to everybody"))
        }
        _ => None,
    }
}

fn changes_sudoers(own: &Command) -> bool {
    match own.program.as_str() {
        "sed" => own.flag('i', "in-place"),
        "echo" | "printf" | "cat" => own.outputs.iter().any(|output| output.starts_with("/etc/sudoers")),
        _ => true,
    }
}

/// Returns true if and only if a mode sets the user or group that a file runs as.
fn sets_user(mode: &str) -> bool {
    let is_octal = mode.len() >= 4 && mode.bytes().all(|byte| byte.is_ascii_digit());
    let special = mode.trim_start_matches('0').bytes().next().filter(|_| mode.trim_start_matches('0').len() == 4);
    let is_word = mode.split(',').any(|part| match part.split_once(['+', '=']) {
        Some((who, what)) => !who.contains('o') && what.contains('s') && who.bytes().all(|byte| matches!(byte, b'u' | b'g' | b'a')),
        None => false,
    });
    is_octal && special.is_some_and(|digit| matches!(digit, b'2' | b'4' | b'6' | b'7')) || is_word
}

fn cluster(own: &Command, lower: &[String]) -> Option<Harm> {
    let has = |word: &str| lower.iter().any(|argument| argument == word);
    let rules = lower.iter().any(|argument| argument.ends_with("cluster-admin") || argument == "admin" && has("add-cluster-role-to-user"));
    let is_for_all = lower.iter().any(|argument| EVERYBODY.iter().any(|all| argument.ends_with(all)));
    let binds = has("clusterrolebinding")
        || has("rolebinding")
        || lower.iter().any(|argument| argument.starts_with("add-cluster-role") || argument.starts_with("add-role"));
    let makes_role = (has("clusterrole") || has("role")) && has("create");
    let verbs = own.option(&["--verb"]).unwrap_or_default();
    match () {
        () if lower.iter().any(|argument| argument.starts_with("--dry-run") && argument != "--dry-run=none") => None,
        () if binds && (rules || is_for_all) => Some(Harm::critical("lets somebody rule the whole cluster")),
        () if makes_role && verbs.contains('*') => Some(Harm::high("makes a role that may do everything")),
        () if lower.iter().any(|argument| argument.contains("\"privileged\":true")) => {
            Some(Harm::high("starts what may do all on the machine"))
        }
        () => None,
    }
}

fn cloud(lower: &[String], ends: &dyn Fn(&[&str]) -> bool) -> Option<Harm> {
    let has = |word: &str| lower.iter().any(|argument| argument == word);
    let gives = lower.iter().any(|argument| {
        ["attach-", "put-", "add-", "create-", "update-", "set-", "authorize-", "modify-"].iter().any(|verb| argument.starts_with(verb))
            || matches!(argument.as_str(), "create" | "add" | "set" | "ch" | "acl" | "iam" | "update")
    });
    let takes = lower
        .iter()
        .any(|argument| argument.starts_with("remove-") || argument.starts_with("detach-") || matches!(argument.as_str(), "delete" | "-d"));
    let is_role = has("role") && has("assignment");
    let is_for_all = lower.iter().any(|argument| {
        EVERYBODY.iter().any(|all| argument == all || argument.starts_with(&format!("{all}:")) || argument.ends_with(&format!("={all}")))
    });
    let is_wide = lower
        .iter()
        .any(|argument| argument.contains("\"effect\":\"allow\"") && argument.contains("\"action\":\"*\"") || argument == "0.0.0.0/0");
    match () {
        () if !gives || takes => None,
        () if ends(RULING_ROLES) || is_role && (has("owner") || has("contributor")) => {
            Some(Harm::critical("gives all rights in a cloud account"))
        }
        () if is_for_all => Some(Harm::critical("opens something in a cloud to everybody")),
        () if is_wide && (lower.iter().any(|argument| argument.contains("ingress")) || !has("0.0.0.0/0")) => {
            Some(Harm::critical("opens a cloud account to everybody or to everything"))
        }
        () if has("create-access-key") || has("create-login-profile") => Some(Harm::high("makes a way in that outlives the script")),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::shell::commands;
    use crate::value::severity::Severity;

    #[test]
    fn commands_that_open_are_told_from_those_that_look_or_close() {
        let (critical, high) = (Some(Severity::Critical), Some(Severity::High));
        for (line, expected) in [
            ("usermod -aG sudo mallory", critical),
            ("sudo adduser eve wheel", critical),
            ("useradd -o -u 0 toor", critical),
            ("gpasswd -a eve docker", critical),
            ("usermod -aG photos mallory", None),
            ("net localgroup administrators eve /add", critical),
            ("net localgroup administrators", None),
            ("echo 'eve ALL=(ALL) NOPASSWD:ALL' >> /etc/sudoers", critical),
            ("echo 'x' | sudo tee -a /etc/sudoers.d/eve", critical),
            ("cat /etc/sudoers", None),
            ("visudo -c", None),
            ("chmod u+s /usr/local/bin/tool", critical),
            ("chmod +s /bin/bash", critical),
            ("chmod 4755 /opt/tool", critical),
            ("chmod 0755 /opt/tool", None),
            ("chmod 755 /opt/tool", None),
            ("chmod +x run.sh", None),
            ("setcap cap_setuid+ep /usr/bin/python3", critical),
            ("setcap cap_net_bind_service+ep ./server", None),
            ("kubectl create clusterrolebinding x --clusterrole=cluster-admin --group=system:serviceaccounts", critical),
            ("kubectl create rolebinding x --clusterrole=view --user=ana -n docs", None),
            ("kubectl auth can-i create pods", None),
            ("aws iam attach-user-policy --user-name x --policy-arn arn:aws:iam::aws:policy/AdministratorAccess", critical),
            ("aws iam detach-user-policy --user-name x --policy-arn arn:aws:iam::aws:policy/AdministratorAccess", None),
            ("aws s3api put-bucket-acl --bucket b --acl public-read", critical),
            ("aws iam create-access-key --user-name x", high),
            ("aws s3 ls", None),
            ("gcloud projects add-iam-policy-binding p --member=user:x@y.z --role=roles/owner", critical),
            ("gcloud projects add-iam-policy-binding p --member=user:x@y.z --role=roles/viewer", None),
            ("gsutil iam ch allUsers:objectViewer gs://b", critical),
            ("az role assignment create --assignee x --role Owner", critical),
            ("az role assignment create --assignee x --role Reader", None),
            ("gh api -X PUT repos/o/r/collaborators/eve -f permission=admin", critical),
            ("gh repo view o/r", None),
        ] {
            let found = commands(line).iter().filter_map(harm).map(|harm| harm.severity).max();
            assert_eq!(found, expected, "{line}");
        }
    }
}
