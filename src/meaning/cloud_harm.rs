//! What commands for clouds, clusters and containers destroy.

use crate::language::shell::Command;
use crate::meaning::harm::Harm;
use crate::meaning::path::{Reach, reach};
use crate::subject::segment::HOLE;

/// The harm that a command for a cloud, a cluster or containers does.
pub fn harm(own: &Command) -> Option<Harm> {
    match own.program.as_str() {
        "kubectl" | "oc" | "k" => kubernetes(own),
        "helm" if own.has("uninstall") || own.has("delete") => Some(Harm::medium("removes a release from a cluster")),
        "terraform" | "tofu" | "terragrunt" | "pulumi" | "cdk" | "sls" | "serverless" => infrastructure(own),
        "docker" | "podman" | "nerdctl" | "docker-compose" => containers(own),
        "aws" => aws(own),
        "gcloud" | "az" | "doctl" | "ibmcloud" | "eksctl" | "oci" | "linode-cli" | "hcloud" | "flyctl" | "fly" | "heroku" | "scw" => {
            cloud(own)
        }
        "gsutil" | "mc" | "s3cmd" | "rclone" | "azcopy" => objects(own),
        "bq" if own.has("rm") => Some(Harm::critical("deletes a data set or table")),
        _ => None,
    }
}

fn kubernetes(own: &Command) -> Option<Harm> {
    let operands: Vec<&str> = own.operands().collect();
    let at = operands.iter().position(|word| matches!(*word, "delete" | "drain"))?;
    if own.arguments.iter().any(|own| own.starts_with("--dry-run")) {
        return None;
    }
    let kind = operands.get(at + 1).copied().unwrap_or("").split('/').next().unwrap_or("");
    let whole = [
        "namespace",
        "namespaces",
        "ns",
        "node",
        "nodes",
        "pv",
        "pvc",
        "persistentvolume",
        "persistentvolumeclaim",
        "crd",
        "cluster",
        "project",
        "all",
    ];
    let is_all = own.flag('\0', "all") || own.flag('A', "all-namespaces");
    match () {
        () if is_all || kind.split(',').any(|kind| whole.contains(&kind)) => {
            Some(Harm::critical("deletes all of a kind, or what holds others, in a cluster"))
        }
        () if matches!(kind, "deployment" | "statefulset" | "deploy" | "sts" | "daemonset" | "secret" | "ingress") => {
            Some(Harm::medium("deletes a part of a cluster"))
        }
        () => None,
    }
}

fn infrastructure(own: &Command) -> Option<Harm> {
    let destroys = own.has("destroy") || own.has("remove") && own.program != "terraform" || own.has("-destroy") || own.has("--destroy");
    let is_plan = own.has("plan") || own.has("preview");
    let is_part = own.arguments.iter().any(|own| own.starts_with("-target") || own.starts_with("--target"));
    let drops_state = own.has("state") && own.has("rm");
    match () {
        () if is_plan => None,
        () if destroys && is_part => Some(Harm::high("destroys a part of the infrastructure")),
        () if destroys => Some(Harm::critical("destroys the infrastructure")),
        () if drops_state => Some(Harm::high("forgets a part of the infrastructure")),
        () => None,
    }
}

fn containers(own: &Command) -> Option<Harm> {
    let has = |word: &str| own.has(word);
    let is_all = own.flag('a', "all");
    match () {
        () if has("system") && has("prune") && (own.flag('\0', "volumes") || is_all) => {
            Some(Harm::critical("deletes all containers, images and volumes that do not run"))
        }
        () if has("system") && has("prune") => Some(Harm::medium("deletes what containers left behind")),
        () if has("volume") && (has("prune") || has("rm") && own.arguments.iter().any(|own| own.contains(HOLE))) => {
            Some(Harm::high("deletes volumes with their data"))
        }
        () if has("down") && own.flag('v', "volumes") => Some(Harm::high("deletes the volumes of a project")),
        () if (has("rm") || has("kill") || has("stop") || has("rmi"))
            && own.arguments.iter().any(|own| own.contains(HOLE))
            && own.flag('f', "force") =>
        {
            Some(Harm::high("deletes all containers"))
        }
        () => None,
    }
}

/// Words that tell what holds others: losing it loses much.
const HOLDERS: &[&str] = &[
    "db",
    "database",
    "databases",
    "sql",
    "cluster",
    "clusters",
    "bucket",
    "buckets",
    "rb",
    "table",
    "stack",
    "zone",
    "zones",
    "projects",
    "project",
    "group",
    "storage",
    "vault",
    "backup",
    "backups",
    "key",
    "keyspace",
    "domain",
    "vpc",
    "user",
    "apps",
    "filesystem",
    "file",
    "snapshot",
    "instance",
    "instances",
    "spanner",
    "namespace",
];

fn aws(own: &Command) -> Option<Harm> {
    let operands: Vec<&str> = own.operands().collect();
    let (service, verb) = (operands.first().copied()?, operands.get(1).copied()?);
    if own.has("--dry-run") || own.has("--dryrun") {
        return None;
    }
    if service == "s3" {
        let path = operands.get(2).copied().unwrap_or("");
        let prefix = path.trim_start_matches("s3://").split_once('/').map_or("", |(_, prefix)| prefix);
        let is_disposable = reach(prefix, None) == Reach::Disposable && !prefix.is_empty();
        return match verb {
            "rb" => Some(Harm::critical("deletes a bucket")),
            "rm" if own.has("--recursive") && !is_disposable => Some(Harm::critical("deletes all objects below a place")),
            "sync" if own.has("--delete") => Some(Harm::medium("deletes objects that are not in the other place")),
            _ => None,
        };
    }
    by_cloud_verb(verb)
}

/// The harm of a verb as `delete-db-instance` or `terminate-instances`.
fn by_cloud_verb(verb: &str) -> Option<Harm> {
    let mut words = verb.split('-');
    let deletes = matches!(words.next(), Some("delete" | "terminate" | "deregister" | "schedule" | "purge" | "destroy"));
    if !deletes || verb.starts_with("schedule") && !verb.contains("deletion") {
        return None;
    }
    let is_holder = words.any(|word| HOLDERS.contains(&word.trim_end_matches('s')) || HOLDERS.contains(&word));
    Some(if is_holder {
        Harm::critical(format!("`{verb}` deletes what holds others"))
    } else {
        Harm::medium(format!("`{verb}` deletes in the cloud"))
    })
}

fn cloud(own: &Command) -> Option<Harm> {
    let is_verb = |word: &str| matches!(word, "delete" | "destroy" | "purge" | "pg:reset" | "apps:destroy" | "terminate" | "remove");
    let verb = own.operands().find(|word| is_verb(word))?;
    let mut before = own.operands().take_while(|word| *word != verb);
    let is_holder = verb.contains(':') || before.any(|word| HOLDERS.contains(&word)) || own.program == "eksctl";
    Some(if is_holder { Harm::critical("deletes what holds others in the cloud") } else { Harm::medium("deletes in the cloud") })
}

fn objects(own: &Command) -> Option<Harm> {
    let is_recursive = own.flag('r', "recursive") || own.flag('R', "") || own.has("--force");
    let verb = own.operands().next()?;
    match verb {
        "rb" | "purge" => Some(Harm::critical("deletes a bucket or all in it")),
        "rm" | "del" | "remove" if is_recursive => Some(Harm::critical("deletes all objects below a place")),
        "delete" => Some(Harm::high("deletes all objects below a place")),
        _ => None,
    }
}
