//! `callgate init --agent`: puts callgate's hooks into the settings of an agent host, or takes them out again.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::cli::args::{Global, InitArgs};
use crate::cli::commands::to_stdout;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::host::merge::{TIMEOUT, is_bare, with_hooks, without_hooks};
use crate::cli::host::openclaw::PLUGIN;
use crate::cli::host::settings::{Layout, Scope, SettingsFile, write_whole};
use crate::cli::host::{Host, registry};

/// Where the plugin of a host lies, from the folder of its settings.
const PLUGIN_FILE: &str = "callgate/callgate.mjs";

/// Writes the settings of a host.
///
/// # Errors
///
/// When there is no such host, or its settings cannot be read, understood or written.
pub fn run(name: &str, args: &InitArgs, global: &Global) -> Result<Exit, Failure> {
    let host = registry::by_name(name).ok_or_else(|| Failure::Agent {
        detail: format!("there is no host `{name}`"),
        help: format!("the hosts are {}", registry::names().join(", ")),
    })?;
    let scope = if args.project { Scope::Project } else { Scope::User };
    let place = host.settings_path(scope)?;
    let command = command(host, scope, global)?;
    let file = match SettingsFile::read(place.clone()) {
        Ok(file) => file,
        // What is to be pasted is what would stand in a file of its own.
        Err(failure) if args.dry_run => {
            let empty = SettingsFile { path: place, text: None, document: json!({}) };
            let snippet = with_hooks(&empty.document, host, &command, &plugin_path(&empty.path));
            to_stdout(|out| write!(out, "{}", empty.rendered(&snippet)))?;
            return Err(failure);
        }
        Err(failure) => return Err(failure),
    };
    let setup = Setup { host, file, command };
    match (args.remove, args.dry_run) {
        (false, false) => setup.install(),
        (true, false) => setup.remove(),
        (is_removed, true) => setup.show(is_removed),
    }
}

/// The program and its arguments. In a project's settings, which others share, it is found on the search path.
fn command(host: &Host, scope: Scope, global: &Global) -> Result<Vec<String>, Failure> {
    let refused = |detail: String| Failure::Agent { detail, help: "run callgate by its full path".to_owned() };
    let program = match scope {
        Scope::Project => "callgate".to_owned(),
        Scope::User => {
            let path = std::env::current_exe().map_err(|error| refused(format!("where callgate itself is cannot be told: {error}")))?;
            path.to_str().map(str::to_owned).ok_or_else(|| refused("the path of callgate is no UTF-8".to_owned()))?
        }
    };
    let mut command = vec![program, "hook".to_owned(), host.name.to_owned()];
    if let Some(config) = &global.config {
        let config = std::path::absolute(config).unwrap_or_else(|_| config.clone());
        let config = config.to_str().ok_or_else(|| refused("the path of the settings is no UTF-8".to_owned()))?;
        command.extend(["--config".to_owned(), config.to_owned()]);
    }
    Ok(command)
}

fn plugin_path(settings: &Path) -> String {
    let settings = std::path::absolute(settings).unwrap_or_else(|_| settings.to_path_buf());
    settings.with_file_name(PLUGIN_FILE).to_string_lossy().into_owned()
}

/// The settings of a host and what is to stand in them.
struct Setup {
    host: &'static Host,
    file: SettingsFile,
    command: Vec<String>,
}

impl Setup {
    fn install(&self) -> Result<Exit, Failure> {
        let plugin = self.plugin();
        if let Some((path, text)) = &plugin {
            write_whole(path, text).map_err(|source| Failure::unwritable(path, source))?;
        }
        let document = self.document(false);
        let path = self.file.path.display();
        let backup = if document == self.file.document { None } else { self.file.replace(&document)? };
        to_stdout(|out| {
            if document == self.file.document {
                writeln!(out, "{path} has the hooks already")?;
            } else {
                writeln!(out, "{path} has {} call callgate", self.host.title)?;
            }
            backup.iter().try_for_each(|backup| writeln!(out, "{} keeps what stood there", backup.display()))?;
            plugin.iter().try_for_each(|(path, _)| writeln!(out, "{} is the plugin that it loads", path.display()))?;
            hints(self.host).iter().try_for_each(|hint| writeln!(out, "{hint}"))?;
            writeln!(out, "`callgate doctor {}` proves that the hooks fire", self.host.name)
        })?;
        Ok(Exit::Allow)
    }

    fn remove(&self) -> Result<Exit, Failure> {
        let document = self.document(true);
        let path = self.file.path.display();
        let told = if document == self.file.document {
            format!("{path} has no hooks of callgate")
        } else if is_bare(&document) {
            self.file.delete()?;
            format!("{path} is removed: it held nothing but callgate's hooks")
        } else {
            self.file.replace(&document)?;
            format!("{path} is without callgate's hooks")
        };
        if let Some((path, _)) = self.plugin() {
            let _ = std::fs::remove_file(&path);
            let _ = path.parent().map(std::fs::remove_dir);
        }
        to_stdout(|out| writeln!(out, "{told}"))?;
        Ok(Exit::Allow)
    }

    fn show(&self, is_removed: bool) -> Result<Exit, Failure> {
        let text = self.file.rendered(&self.document(is_removed));
        to_stdout(|out| write!(out, "{text}"))?;
        Ok(Exit::Allow)
    }

    fn document(&self, is_removed: bool) -> serde_json::Value {
        if is_removed {
            without_hooks(&self.file.document, self.host)
        } else {
            with_hooks(&self.file.document, self.host, &self.command, &plugin_path(&self.file.path))
        }
    }

    /// The file of the plugin and its text, if the host needs one.
    fn plugin(&self) -> Option<(PathBuf, String)> {
        let text = PLUGIN.replace("@COMMAND@", &json!(self.command).to_string()).replace("@TIMEOUT_MS@", &(TIMEOUT * 1_000).to_string());
        (self.host.settings.layout == Layout::Plugin).then(|| (PathBuf::from(plugin_path(&self.file.path)), text))
    }
}

/// What is left for a person to do.
fn hints(host: &Host) -> &'static [&'static str] {
    match host.name {
        "codex" => &["Codex runs hooks only once you trust them: open it and say /hooks"],
        "openclaw" => &["restart the gateway of OpenClaw, so that it loads the plugin"],
        _ => &[],
    }
}
