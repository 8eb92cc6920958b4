//! Finds and reads callgate.yaml, and says what is wrong with it.

use std::path::{Path, PathBuf};

use crate::cli::args::Global;
use crate::cli::audit::limit;
use crate::cli::config::{Config, Loaded, MOST_FAULTS, fault_at};
use crate::cli::failure::Failure;
use crate::cli::found_settings::{self, only_harmless};
use crate::cli::git::revision::Revision;
use crate::cli::own;
use crate::cli::small_file::read_small;
use crate::cli::tenant::config::TenantConfig;
use crate::yaml;

/// The names under which a settings file is found.
const NAMES: &[&str] = &["callgate.yaml", ".callgate.yaml"];

/// Reads the settings file that the user named, or the one found in this folder or above, in the working tree or a revision.
///
/// # Errors
///
/// When the file cannot be read, or with all of its faults.
pub fn load(global: &Global) -> Result<Loaded, Failure> {
    if let Some(revision) = &global.config_from {
        return load_from(Revision::of(revision)?);
    }
    if global.no_config {
        return Ok(Loaded::default());
    }
    let Some(path) = global.config.clone().or_else(discover) else {
        return Ok(Loaded::default());
    };
    let is_found = global.config.is_none() || global.is_in_reach;
    let unreadable = |source| Failure::Unreadable { path: path.clone(), source };
    if is_found && !found_settings::is_own(&path) {
        let why = "it is a link out of this repository, and was found rather than named; name it with --config, or use --no-config";
        return Err(unreadable(std::io::Error::other(why)));
    }
    let text = read_small(&path).map_err(unreadable)?;
    let mut config = read(&text);
    if is_found {
        config = config.and_then(|config| only_harmless(config, &text, &path));
    }
    let config = config.map_err(|faults| Failure::Faults { path: path.clone(), text: text.clone(), faults })?;
    Ok(Loaded { config, path: Some(path), text, is_found, revision: None, over: None })
}

/// Reads a settings file that the user named.
///
/// # Errors
///
/// As `load`.
pub fn named(path: &Path) -> Result<Loaded, Failure> {
    let text = read_small(path).map_err(|source| Failure::Unreadable { path: path.to_path_buf(), source })?;
    let config = read(&text).map_err(|faults| Failure::Faults { path: path.to_path_buf(), text: text.clone(), faults })?;
    Ok(Loaded { config, path: Some(path.to_path_buf()), text, ..Loaded::default() })
}

/// Reads the settings that are found in a revision.
fn load_from(revision: Revision) -> Result<Loaded, Failure> {
    let here = std::env::current_dir().unwrap_or_default();
    let folders = here.ancestors().take_while(|folder| folder.starts_with(&revision.top));
    let mut names = folders.flat_map(|folder| NAMES.iter().map(move |name| folder.join(name)));
    let Some(path) = names.find(|path| revision.holds(path)) else {
        return Ok(Loaded { revision: Some(revision), ..Loaded::default() });
    };
    let text = revision.read(&path).map_err(|source| Failure::Unreadable { path: path.clone(), source })?;
    let config = read(&text).and_then(|config| only_harmless(config, &text, &path));
    let config = config.map_err(|faults| Failure::Faults { path: path.clone(), text: text.clone(), faults })?;
    Ok(Loaded { config, path: Some(path), text, is_found: false, revision: Some(revision), over: None })
}

/// Reads settings from a text. An empty text, or one of comments, has no settings.
///
/// # Errors
///
/// All faults of the text.
pub fn read(text: &str) -> Result<Config, Vec<yaml::Fault>> {
    let config: Config = if is_empty(text) { Config::default() } else { yaml::read(text)? };
    let mut faults = too_wide(&config, text);
    faults.extend(own::faults(&config, text));
    let spans = config.audit.iter().flat_map(|audit| audit.wrong_spans());
    faults
        .extend(spans.map(|span| fault_at(text, span, format!("`{span}` is no span of time; write a number with a unit, such as `90d`"))));
    faults.extend(config.model_settings.faults().into_iter().map(|fault| fault_at(text, &fault.word, fault.message)));
    faults.extend(limit::faults(&config.cumulative).map(|(word, message)| fault_at(text, word, message)));
    if faults.is_empty() { Ok(config) } else { Err(faults) }
}

/// Reads the settings of a tenant from a text.
///
/// # Errors
///
/// All faults of the text.
pub fn read_tenant(text: &str) -> Result<TenantConfig, Vec<yaml::Fault>> {
    let config: TenantConfig = if is_empty(text) { TenantConfig::default() } else { yaml::read(text)? };
    let faults = limit::faults(&config.cumulative).map(|(word, message)| fault_at(text, word, message));
    let placed =
        config.model_settings.with_places().into_iter().map(|name| {
            fault_at(text, name, format!("`model_settings.{name}` may name files or servers, which is not for a tenant to say"))
        });
    let faults: Vec<yaml::Fault> = faults.chain(placed).collect();
    if faults.is_empty() { Ok(config) } else { Err(faults) }
}

/// Reads the common settings with those of a tenant over them, without what stands `beside` them.
///
/// # Errors
///
/// When both do not fit together.
pub fn read_over(common: &str, tenant: &str, beside: &[&str]) -> Result<Config, yaml::Fault> {
    let config: Config = match (is_empty(common), is_empty(tenant)) {
        (true, true) => Config::default(),
        (is_bare, _) => yaml::read_over(if is_bare { "{}" } else { common }, tenant, beside)?,
    };
    let fault = config.model_settings.faults().into_iter().next();
    fault.map_or(Ok(config), |fault| Err(fault_at(tenant, &fault.word, fault.message)))
}

/// Whether a text holds nothing but comments.
fn is_empty(text: &str) -> bool {
    text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
}

/// Names and places that fit everything, or nothing.
fn too_wide(config: &Config, text: &str) -> Vec<yaml::Fault> {
    let is_wide =
        |entry: &str| entry.chars().all(|character| matches!(character, '*' | '.' | '@' | '/' | ':') || character.is_whitespace());
    let is_top = |entry: &str| {
        let domain = entry.trim_start_matches(['*', '.', '@']);
        entry.starts_with(['*', '.', '@']) && !domain.contains(['.', ':', '_'])
    };
    let trusted = config.trusted.iter().filter(|entry| is_wide(entry) || is_top(entry));
    let trusted =
        trusted.map(|entry| fault_at(text, entry, format!("`{entry}` in `trusted` fits far too much; name a host, a domain or a tool")));
    trusted.take(MOST_FAULTS).collect()
}

/// The user's own settings file: the one that `CALLGATE_CONFIG` names, or `callgate/callgate.yaml` in the folder of settings.
pub fn of_user() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(named) = variable("CALLGATE_CONFIG") {
        return Some(named);
    }
    let folder = variable("XDG_CONFIG_HOME").filter(|folder| folder.is_absolute());
    let placed = folder.map(|folder| folder.join("callgate").join("callgate.yaml"));
    placed.or_else(usual).filter(|path| path.exists())
}

/// Where the user's own settings file is, if nothing says otherwise.
pub fn usual() -> Option<PathBuf> {
    let home = ["HOME", "USERPROFILE"].into_iter().find_map(|name| std::env::var_os(name).filter(|value| !value.is_empty()))?;
    Some(PathBuf::from(home).join(".config").join("callgate").join("callgate.yaml"))
}

fn discover() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().flat_map(|folder| NAMES.iter().map(move |name| folder.join(name))).find(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_refused_with_their_place_and_a_suggestion() {
        let faults = read("warn_treshold: 30\nrules:\n  loop-fan-out: {severty: high}\n").expect_err("there are two faults");
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].starts_with("1:1: unknown key `warn_treshold`") && told[0].contains("`warn_threshold`"), "{told:?}");
        assert!(told[1].starts_with("3:18: unknown key `severty`"), "{told:?}");
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for text in [
            "warn_threshold: 101",
            "limits: {nesting: 0}",
            "limits: {chain: 1000000}",
            "model_settings: {fixed: {score: 2}}",
            "model_settings: {rule-based: {points: {EXFIL_PATTERN: 101}}}",
            "analyzers: [{id: a, find: x, severity: low, why: w, points: 101}]",
            "model_settings: {numeric: {block_if_score_above: 101}}",
            "model_settings: {weighted-category: {low: -1}}",
            "model_settings: {hybrid: {score_override_threshold: 101}}",
            "model_settings: {hybrid: {score_override_threshold: 80, score_override: 80}}",
            "model_settings: {hybrid: {weights: {high: .inf}}}",
            "model_settings: {hybrid: {weights: {medium: -1}}}",
            "model_settings: {hybrid: {diminishing: 1.1}}",
            "model_settings: {hybrid: {diminishing: .nan}}",
            "block_threshold: .nan",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_said_of_tools_and_places_is_held_to_its_words() {
        for (text, expected) in [
            ("tools: {'crm:*': {does: reeds}}", "1:25: `does` is `reeds`"),
            ("tools:\n  'crm:*': {}\n", "2:4: nothing is said of the tool `crm:*`"),
            ("trusted: ['*']", "1:12: `*` in `trusted` fits far too much"),
            ("trusted:\n  - acme.com\n  - '*.com'\n", "3:6: `*.com` in `trusted` fits far too much"),
            ("trusted: acme.com", "1:10: `trusted` must be a list"),
        ] {
            let told: Vec<String> = read(text).expect_err("it has a fault").iter().map(ToString::to_string).collect();
            assert!(told[0].starts_with(expected), "{text}: {told:?}");
        }
        assert!(
            read("tools: {'crm:*': {does: reads, inside: true}}\ntrusted: [acme.com, '*.acme.com', 'webhook:ops', '@acme.com']").is_ok()
        );
    }

    #[test]
    fn no_settings_are_settings() {
        for text in ["", "\n", "# nothing\n\n  # at all\n"] {
            assert!(read(text).is_ok(), "{text:?}");
        }
    }
}
