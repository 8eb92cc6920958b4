//! Which signs in a program together are a threat: the rows of `knowledge/threats/`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::variant::{fault, path as variant};

/// How bad a threat is.
const SEVERITIES: &[&str] = &["low", "medium", "high", "critical"];

/// The sections of a file of `knowledge/` that speak of threats.
#[derive(Default)]
pub struct Rows {
    pub signs: Vec<Sign>,
    pub threats: Vec<Threat>,
}

/// Words, or a shape of texts, that tell something of a program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sign {
    is: String,
    of: Option<String>,
    #[serde(default)]
    words: Vec<String>,
    shape: Option<String>,
    hit: String,
    miss: String,
    source: String,
}

/// Signs that together are a threat.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threat {
    check: String,
    severity: String,
    near: String,
    needs: BTreeMap<String, u8>,
    #[serde(default = "everywhere")]
    within: u32,
    says: String,
    hit: String,
    miss: String,
    source: String,
}

const SHAPES: &[&str] = &[
    "literal-sequence",
    "chopped-text",
    "coded-text",
    "interleaved-text",
    "looked-up-name",
    "pushed-aside",
    "coded-program",
    "coded-call",
    "filled-text",
];

fn everywhere() -> u32 {
    20_000
}

impl Rows {
    /// Takes in what another file holds.
    pub fn extend(&mut self, other: Self) {
        self.signs.extend(other.signs);
        self.threats.extend(other.threats);
    }

    /// Writes the table.
    pub fn write(&self, out: &Path) -> io::Result<()> {
        let mut kinds: Vec<&str> = self.signs.iter().map(|row| row.is.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if 128 < kinds.len() {
            return Err(fault("there are more than 128 kinds of signs"));
        }
        let (mut signs, mut threats) = (String::new(), String::new());
        for row in &self.signs {
            writeln!(signs, "{},", sign(row, &kinds)?).map_err(io::Error::other)?;
        }
        for row in &self.threats {
            writeln!(threats, "{},", threat(row, &kinds)?).map_err(io::Error::other)?;
        }
        let table = format!("Threats {{\nkinds: &{kinds:?},\nsigns: &[\n{signs}],\nthreats: &[\n{threats}],\n}}\n");
        fs::write(out.join("threats.rs"), table)
    }
}

fn number(kind: &str, kinds: &[&str]) -> io::Result<usize> {
    kinds.binary_search(&kind).map_err(|_| fault(format!("no row of `signs` is `{kind}`")))
}

fn sign(row: &Sign, kinds: &[&str]) -> io::Result<String> {
    let Sign { is, of, words, shape, hit, miss, source } = row;
    if hit.is_empty() || miss.is_empty() || source.is_empty() {
        return Err(fault(format!("the sign `{is}` needs a hit, a miss and a source")));
    }
    if words.is_empty() != shape.is_some() {
        return Err(fault(format!("the sign `{is}` needs either words or a shape")));
    }
    if let Some(word) = words.iter().find(|word| word.len() < 2 || **word != word.to_ascii_lowercase()) {
        return Err(fault(format!("the sign `{is}` has `{word}`, which is too short or not in lower case")));
    }
    let shape = match shape {
        Some(shape) => format!("Some({})", variant("Shape", shape, SHAPES)?),
        None => "None".to_owned(),
    };
    Ok(format!(
        "SignRow {{ kind: {}, of: {of:?}, words: &{words:?}, shape: {shape}, hit: {hit:?}, miss: {miss:?}, source: {source:?} }}",
        number(is, kinds)?
    ))
}

fn threat(row: &Threat, kinds: &[&str]) -> io::Result<String> {
    let Threat { check, severity, near, needs, within, says, hit, miss, source } = row;
    if hit.is_empty() || miss.is_empty() || source.is_empty() {
        return Err(fault(format!("the threat that {says} needs a hit, a miss and a source")));
    }
    let mut numbered = vec![(number(near, kinds)?, needs.get(near).copied().unwrap_or(1))];
    for (kind, count) in needs.iter().filter(|(kind, _)| *kind != near) {
        numbered.push((number(kind, kinds)?, *count));
    }
    Ok(format!(
        "Threat {{ check: {check:?}, severity: {}, needs: &{numbered:?}, within: {within}, says: {says:?}, hit: {hit:?}, miss: {miss:?}, \
         source: {source:?} }}",
        variant("Severity", severity, SEVERITIES)?
    ))
}
