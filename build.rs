//! Turns `patterns/` and `knowledge/` into tables that are compiled in, so that a start reads no YAML.
//!
//! What is wrong with a row beyond its shape (examples, regexes) is told by `callgate patterns test`.

#[path = "build/commands.rs"]
mod commands;
#[path = "build/forms.rs"]
mod forms;
#[path = "src/knowledge"]
mod knowledge {
    pub mod row;
    pub mod word_hash;
}
#[path = "build/patterns.rs"]
mod patterns;
#[path = "build/providers.rs"]
mod providers;
#[path = "build/knowledge.rs"]
mod sections;
#[path = "build/severities.rs"]
mod severities;
#[path = "build/statements.rs"]
mod statements;
#[path = "build/threats.rs"]
mod threats;
#[path = "build/uses.rs"]
mod uses;
#[path = "build/variant.rs"]
mod variant;
#[path = "build/words.rs"]
mod words;

use std::path::PathBuf;
use std::{env, io};

fn main() -> io::Result<()> {
    pack_relocations();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/knowledge/word_hash.rs");
    println!("cargo::rerun-if-changed=src/knowledge/row");
    // Only the program has use for the schema of a row.
    println!("cargo::rustc-cfg=row_schema");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?);
    patterns::write(&out)?;
    sections::write(&out)
}

/// Lets the linker pack the places that are only known once the program is loaded: they are a fourteenth of it. Loaders read that
/// from glibc 2.36 on, so it is done where the program is built for this very machine and its glibc is new enough.
fn pack_relocations() {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let is_glibc = variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_ENV") == "gnu";
    if !is_glibc || variable("HOST") != variable("TARGET") {
        return;
    }
    let asked = std::process::Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let told = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = told.trim().strip_prefix("glibc ").and_then(|version| version.split_once('.'));
    let version = version.and_then(|(major, minor)| Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?)));
    if version.is_some_and(|version| (2, 36) <= version) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
