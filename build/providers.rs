//! Services and what lets somebody in there: the provider rows of `knowledge/`.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::variant::fault;

/// The sections of a file of `knowledge/` that speak of providers.
#[derive(Default)]
pub struct Rows {
    pub providers: Vec<Provider>,
    /// Words in names of secrets and hosts that tell no service from another.
    pub common_names: Vec<String>,
    /// Parts of addresses at which tokens are handed out.
    pub sign_in_paths: Vec<String>,
}

/// A service.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    name: String,
    names: Vec<String>,
    hosts: Vec<String>,
    #[serde(default)]
    in_url: bool,
    hit: String,
    miss: String,
    source: String,
}

impl Rows {
    /// Takes in what another file holds.
    pub fn extend(&mut self, other: Self) {
        self.providers.extend(other.providers);
        self.common_names.extend(other.common_names);
        self.sign_in_paths.extend(other.sign_in_paths);
    }

    /// Writes the table.
    pub fn write(&self, out: &Path) -> io::Result<()> {
        let mut rows = String::new();
        for Provider { name, names, hosts, in_url, hit, miss, source } in &self.providers {
            if names.is_empty() || hosts.is_empty() || [name, hit, miss, source].iter().any(|text| text.is_empty()) {
                return Err(fault(format!("the provider `{name}` needs names, hosts, a hit, a miss and a source")));
            }
            let phrases: Vec<String> = names.iter().map(|phrase| format!("&{:?}", phrase.split_whitespace().collect::<Vec<_>>())).collect();
            writeln!(
                rows,
                "Provider {{ name: {name:?}, names: &[{}], hosts: &{hosts:?}, is_in_url: {in_url}, hit: {hit:?}, miss: {miss:?}, source: {source:?} }},",
                phrases.join(", ")
            )
            .map_err(io::Error::other)?;
        }
        let table = format!(
            "Providers {{\nrows: &[\n{rows}],\ncommon_names: &{:?},\nsign_in_paths: &{:?},\n}}\n",
            self.common_names, self.sign_in_paths
        );
        fs::write(out.join("providers.rs"), table)
    }
}
