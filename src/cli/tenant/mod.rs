//! Tenants: whose run it is, and what their settings say over the common ones.
//!
//! A tenant may set thresholds, weights, rules and patterns, and cannot let pass what is critical: what the common settings
//! say of a critical match is the least that is answered, unless they allow tenants to go below it.

pub mod args;
pub mod config;
pub mod place;

use std::io;
use std::path::{Path, PathBuf};

use crate::cli::args::Global;
use crate::cli::config::{Loaded, Over};
use crate::cli::failure::Failure;
use crate::cli::git::revision::Revision;
use crate::cli::load;
use crate::cli::settings::{Asked, Settings, settle_found};
use crate::cli::tenant::args::{TenantArgs, id};
use crate::cli::tenant::config::TenantConfig;
use crate::cli::tenant::place::TenantsConfig;
use crate::judge::Floor;
use crate::scan::Scanner;
use crate::yaml;

/// Where the user may name a tenant, once for all runs.
pub const VARIABLE: &str = "CALLGATE_TENANT";
/// Where the settings of tenants are, each in a folder of its own.
const FOLDER: &str = "config/tenants";
/// What the settings of a tenant are called.
const FILE: &str = "security.yaml";
/// What of a tenant's settings is not put in the place of the common ones, but beside them.
const BESIDE: &[&str] = &["patterns", "cumulative"];

/// A tenant with its settings.
#[derive(Clone, Debug)]
pub struct Tenant {
    /// Its id.
    pub id: String,
    /// The file of its settings.
    pub path: PathBuf,
    /// What stands in it.
    pub config: TenantConfig,
    text: String,
    may_accept_critical: bool,
    /// They were found in the folder where the run was started, so they may be anybody's.
    is_found: bool,
}

/// The id of the tenant that is named, by the command line or else by the variable.
///
/// # Errors
///
/// When the variable holds no id.
pub fn named(typed: Option<&str>) -> Result<Option<String>, Failure> {
    if let Some(typed) = typed {
        return Ok(Some(typed.to_owned()));
    }
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else { return Ok(None) };
    let checked = id(&value.to_string_lossy());
    checked.map(Some).map_err(|message| Failure::usage(format!("{VARIABLE} holds no tenant: {message}"), "set it to the id of a tenant"))
}

/// The tenant whose run it is. `here` is the folder below which tenants are looked for where no settings say where they are; none,
/// where that folder may be written by whom the gate stands before.
///
/// # Errors
///
/// When there are no such settings, or with all of their faults.
pub fn chosen(args: &TenantArgs, global: &Global, here: Option<&Path>) -> Result<Option<Tenant>, Failure> {
    let Some(id) = named(args.tenant.as_deref())? else {
        return match args.tenants {
            Some(_) => Err(Failure::usage("--tenants, but no tenant is named", format!("say --tenant ID, or set {VARIABLE}"))),
            None => Ok(None),
        };
    };
    let said = said(global)?;
    let config = said.config.tenants.clone().unwrap_or_default();
    let (folder, is_found) = match (&args.tenants, &said.path) {
        (Some(typed), _) => (typed.clone(), false),
        (None, Some(_)) => (said.folder().join(config.folder.as_deref().unwrap_or(Path::new(FOLDER))), false),
        (None, None) => match here {
            Some(here) => (here.join(FOLDER), true),
            None => {
                return Err(Failure::usage(
                    format!("nothing says where the settings of the tenant {id} are"),
                    "name their folder by --tenants DIR, or by `tenants: {folder: DIR}` in your own settings",
                ));
            }
        },
    };
    let revision = global.config_from.as_deref().map(Revision::of).transpose()?;
    // What stands in a revision that was named was not only found.
    let is_found = is_found && revision.is_none();
    let place = Loaded { revision, ..Loaded::default() };
    Ok(Some(Tenant { is_found, ..read(id, &folder, (&config, &place))? }))
}

/// The settings that may say something of tenants: those that were named, or else the user's own.
fn said(global: &Global) -> Result<Loaded, Failure> {
    if global.no_config || global.config.is_some() {
        return load::load(global);
    }
    let Some(path) = load::of_user() else { return Ok(Loaded::default()) };
    let own = load::named(&path)?;
    Ok(if own.config.tenants.is_some() { own } else { Loaded::default() })
}

/// Reads the settings of a tenant from where the settings come from.
fn read(id: String, folder: &Path, (config, place): (&TenantsConfig, &Loaded)) -> Result<Tenant, Failure> {
    let path = folder.join(&id).join(FILE);
    let text = match place.read_file(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let known = known(folder);
            let hint = yaml::nearest(&id, known.iter().map(String::as_str));
            return Err(Failure::UnknownTenant { id, path, hint });
        }
        Err(source) => return Err(Failure::Unreadable { path, source }),
    };
    let read = load::read_tenant(&text).map_err(|faults| Failure::Faults { path: path.clone(), text: text.clone(), faults })?;
    Ok(Tenant { id, path, config: read, text, may_accept_critical: config.may_accept_critical, is_found: false })
}

/// The tenants that have settings.
fn known(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut known: Vec<String> =
        entries.filter(|entry| entry.path().join(FILE).is_file()).filter_map(|entry| entry.file_name().into_string().ok()).collect();
    known.sort();
    known
}

/// Settles what is meant, with what a tenant says over what is common.
///
/// # Errors
///
/// When the settings of either have faults.
pub fn settle(asked: &Asked<'_>, tenant: Option<&Tenant>) -> Result<Settings, Failure> {
    let loaded = load::load(asked.global)?;
    let Some(tenant) = tenant else { return settle_found(loaded, asked) };
    let mut settings = settle_found(tenant.over(loaded.clone())?, asked)?;
    settings.read.push(tenant.path.clone());
    let common = || settle_found(loaded.clone(), asked).map(|common| common.scanner);
    tenant.guard(&mut settings.scanner, common()?);
    if let Some(handed) = settings.scanner.for_handed.as_deref_mut() {
        let mut common = common()?;
        common = common.for_handed.take().map_or(common, |tight| *tight);
        tenant.guard(handed, common);
    }
    Ok(settings)
}

impl Tenant {
    /// Lets a scanner judge for the tenant, and answer no milder than the common one on what is critical.
    fn guard(&self, scanner: &mut Scanner, common: Scanner) {
        scanner.tenant = Some(self.id.as_str().into());
        if !self.may_accept_critical {
            scanner.policy.guarded = Some(common.policy.rules.clone());
            scanner.floor = Some(Floor { models: common.models, policy: common.policy });
        }
    }

    /// The common settings with those of the tenant over them.
    fn over(&self, common: Loaded) -> Result<Loaded, Failure> {
        let fault = |fault| Failure::Faults { path: self.path.clone(), text: self.text.clone(), faults: vec![fault] };
        let mut config = load::read_over(&common.text, &self.text, BESIDE).map_err(fault)?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        // What is relative to this file is not so to the common one.
        let absolute = |pattern: &PathBuf| std::path::absolute(folder.join(pattern)).unwrap_or_else(|_| folder.join(pattern));
        config.patterns.extend(self.config.patterns.iter().map(absolute));
        let over = Over { path: self.path.clone(), text: self.text.clone() };
        Ok(Loaded { config, over: Some(over), is_found: common.is_found || self.is_found, ..common })
    }
}
