//! The built-in patterns as the build writes them down from `patterns/*.yaml`.

/// A pattern as it stands in its file.
pub struct Written {
    /// Unique name.
    pub id: &'static str,
    /// What it is about.
    pub category: &'static str,
    /// Name of its severity.
    pub severity: &'static str,
    /// Name of its action.
    pub action: &'static str,
    /// Names of lifecycle points.
    pub applies_to: &'static [&'static str],
    /// Names of kinds.
    pub kinds: &'static [&'static str],
    /// Where a hit is worse or milder: names of kinds, whether only in modules, names of a severity and of an action.
    pub by_kind: &'static [(&'static [&'static str], bool, &'static str, &'static str)],
    /// Names of roles; `string` if empty.
    pub roles: &'static [&'static str],
    /// Why it matters.
    pub why: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// Its keywords.
    pub keywords: &'static [&'static str],
    /// Its regex.
    pub find: &'static str,
    /// Its regex means Unicode.
    pub unicode: bool,
    /// Name of its validator.
    pub validator: Option<&'static str>,
    /// What it finds must not be repeated.
    pub secret: bool,
    /// Texts it must find.
    pub hit: &'static [&'static str],
    /// Texts it must not find.
    pub miss: &'static [&'static str],
}

/// All built-in patterns, by file and place.
pub const BUILT_IN: &[Written] = include!(concat!(env!("OUT_DIR"), "/patterns.rs"));
