//! The store of evaluations as the user chooses it: whether there is one, and where.
//!
//! What is scanned has no say in that: a settings file that was found rather than named can neither name a store nor switch one off.

pub mod args;
pub mod asked;
pub mod config;
#[cfg_attr(not(feature = "audit"), path = "absent.rs")]
pub mod keeper;
pub mod limit;
pub mod settle;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::cli::args::Global;
use crate::cli::audit::config::AuditConfig;
use crate::cli::config::Loaded;
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::format::registry as formats;
use crate::policy::cumulative::Limit;
use crate::value::store_place::StorePlace;
use crate::value::time;

/// Where the user may name a store, once for all runs.
pub const VARIABLE: &str = "CALLGATE_AUDIT";
/// What the file is called where only a folder is usual.
const FILE: &str = "audit.db";
/// What stands for the usual place in the variable.
const ON: &[&str] = &["1", "true", "on", "yes"];
/// What switches the store off in the variable.
const OFF: &[&str] = &["0", "false", "off", "no"];

/// For how long evaluations are kept, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// Those in which something was found.
    pub findings: Option<i64>,
    /// Clean passes.
    pub clean: Option<i64>,
}

/// The store that a run writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Where it is.
    pub place: StorePlace,
    /// The tenant whose evaluations they are.
    pub tenant: Option<String>,
    /// The run fails if it cannot be written.
    pub is_required: bool,
    /// For how long evaluations are kept.
    pub retention: Retention,
    /// Limits on what adds up.
    pub limits: Vec<Limit>,
}

/// The store that was chosen, by the command line, or else by the variable, or else by the settings that the user named or owns.
///
/// # Errors
///
/// When a store is wanted and there is no place for it, or what was named as one is what is judged.
pub fn choose(typed: Option<&OsStr>, is_required: bool, loaded: &Loaded, global: &Global) -> Result<Option<Chosen>, Failure> {
    let own = own_settings(loaded, global)?;
    let source = own.as_ref().or(loaded.config.audit.is_some().then_some(loaded));
    let (config, folder) = match source {
        Some(source) => (source.config.audit.clone().unwrap_or_default(), source.folder().to_path_buf()),
        None => (AuditConfig::default(), PathBuf::new()),
    };
    // A project may set variables: what adds up would begin anew in a store that it names.
    let is_bound = config.is_on() && source.is_some_and(|source| !source.config.cumulative.is_empty());
    let configured = || config.path.as_ref().map(|path| StorePlace::named_in(&folder, path));
    let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let says = |value: &OsString, words: &[&str]| value.to_str().is_some_and(|value| words.contains(&value.to_ascii_lowercase().as_str()));
    let place = match (typed.filter(|typed| !typed.is_empty()), typed, variable) {
        (Some(typed), ..) => check_name(StorePlace::named(typed))?,
        (None, Some(_), variable) => {
            let named = variable.filter(|value| !says(value, ON) && !says(value, OFF)).map(|value| StorePlace::named(&value));
            named.or_else(configured).map_or_else(usual_place, Ok)?
        }
        (None, None, Some(value)) if says(&value, OFF) => return Ok(None),
        (None, None, Some(value)) if says(&value, ON) => configured().map_or_else(usual_place, Ok)?,
        (None, None, Some(_)) if is_bound => configured().map_or_else(usual_place, Ok)?,
        (None, None, Some(value)) => StorePlace::named(&value),
        (None, None, None) if config.is_on() => configured().map_or_else(usual_place, Ok)?,
        (None, None, None) if is_required => {
            return Err(Failure::usage("--audit-required, but nothing is stored", "say --audit, or name a file by --audit=FILE"));
        }
        (None, None, None) => return Ok(None),
    };
    let span = |text: &Option<String>| text.as_deref().and_then(time::span);
    let retention = Retention { findings: span(&config.retention.findings), clean: span(&config.retention.clean) };
    Ok(Some(Chosen { place, tenant: None, is_required: is_required || config.required, retention, limits: Vec::new() }))
}

/// The user's own settings, if they say something of a store and no others were named.
fn own_settings(loaded: &Loaded, global: &Global) -> Result<Option<Loaded>, Failure> {
    if global.no_config || global.config.is_some() || loaded.config.audit.is_some() {
        return Ok(None);
    }
    let Some(path) = load::of_user() else { return Ok(None) };
    let own = Global { config: Some(path), config_from: None, ..global.clone() };
    Ok(Some(load::load(&own)?).filter(|own| own.config.audit.is_some()))
}

/// A name that is that of a script is one: the option takes the word behind it.
fn check_name(place: StorePlace) -> Result<StorePlace, Failure> {
    let Some(path) = place.file() else { return Ok(place) };
    if path.is_dir() || formats::by_path(path).is_some_and(|recognised| recognised.format.is_run) {
        let message = format!("{} would be the store of evaluations: --audit takes the word behind it for a file", path.display());
        return Err(Failure::usage(message, "write --audit=FILE, or put --audit behind what is judged"));
    }
    Ok(place)
}

/// The store in the user's folder of state.
///
/// # Errors
///
/// When the system does not say where that is.
pub fn usual_place() -> Result<StorePlace, Failure> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = if cfg!(windows) {
        absolute("LOCALAPPDATA").map(|folder| folder.join("callgate"))
    } else if cfg!(target_os = "macos") {
        absolute("HOME").map(|home| home.join("Library/Application Support/callgate"))
    } else {
        let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")));
        state.map(|folder| folder.join("callgate"))
    };
    let missing = || Failure::usage("nothing says where your folder of state is: HOME is not set", "name a file: --audit=FILE");
    folder.map(|folder| StorePlace::File(folder.join(FILE))).ok_or_else(missing)
}

/// The store that a command on stores is about.
///
/// # Errors
///
/// As `choose`.
pub fn existing(named: Option<&OsStr>, global: &Global) -> Result<StorePlace, Failure> {
    if let Some(named) = named {
        return Ok(StorePlace::named(named));
    }
    let loaded = if global.config.is_some() { load::load(global)? } else { Loaded::default() };
    Ok(match choose(None, false, &loaded, global)? {
        Some(chosen) => chosen.place,
        None => usual_place()?,
    })
}

/// The retention that the settings say.
///
/// # Errors
///
/// As `choose`.
pub fn retention(global: &Global) -> Result<Retention, Failure> {
    let loaded = if global.config.is_some() { load::load(global)? } else { Loaded::default() };
    Ok(choose(Some(OsStr::new("")), false, &loaded, global)?.map(|chosen| chosen.retention).unwrap_or_default())
}
