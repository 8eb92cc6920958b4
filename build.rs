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
#[path = "build/queries.rs"]
mod queries;
#[path = "build/knowledge.rs"]
mod sections;
#[path = "build/severities.rs"]
mod severities;
#[path = "build/slots.rs"]
mod slots;
#[path = "build/statements.rs"]
mod statements;
#[path = "build/texts.rs"]
mod texts;
#[path = "build/threats.rs"]
mod threats;
#[path = "build/uses.rs"]
mod uses;
#[path = "build/variant.rs"]
mod variant;
#[path = "build/wildcards.rs"]
mod wildcards;
#[path = "build/words.rs"]
mod words;

use std::path::PathBuf;
use std::{env, io};

fn main() -> io::Result<()> {
    pack_relocations();
    fold_equal_functions();
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

/// Lets the linker keep one of functions whose code is the same, as most that are made of one generic function are. Only LLD can; it
/// is rustc's own linker where the toolchain brings it and nobody chose another.
fn fold_equal_functions() {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let target = variable("TARGET");
    let is_plain = target == "x86_64-unknown-linux-gnu" && variable("HOST") == target && variable("PROFILE") == "release";
    let is_chosen = env::var_os("RUSTC_LINKER").is_some() || !variable("CARGO_ENCODED_RUSTFLAGS").is_empty();
    if !is_plain || is_chosen {
        return;
    }
    let asked = |argument: &[&str]| {
        let output = std::process::Command::new(variable("RUSTC")).args(argument).output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
    };
    let brings_lld = PathBuf::from(asked(&["--print", "sysroot"])).join("lib/rustlib").join(&target).join("bin/gcc-ld/ld.lld").exists();
    let version = asked(&["--version"]);
    let minor = version.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    // Since then it is what links by default.
    if brings_lld && minor.is_some_and(|minor| 90 <= minor) {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
}
