//! Puts thresholds into callgate.yaml: only their own lines change, whatever else stands in the file.

use std::fs;
use std::io;
use std::path::Path;

use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::cli::whole_file;

/// The thresholds to set, 0–100; those that are none stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thresholds {
    /// `warn_threshold`.
    pub warn: Option<f64>,
    /// `block_threshold`.
    pub block: Option<f64>,
}

impl Thresholds {
    fn lines(self) -> impl Iterator<Item = (&'static str, f64)> {
        let lines = [("warn_threshold", self.warn), ("block_threshold", self.block)];
        lines.into_iter().filter_map(|(key, threshold)| Some((key, threshold?)))
    }
}

/// Puts thresholds into a settings file, which is made if it is not there. Whoever reads the file meanwhile sees it as it was
/// or as it will be, never half of it. Returns false if it said so already.
///
/// # Errors
///
/// When the file cannot be read or written, or says its thresholds in a way that cannot be changed line by line.
pub fn write(path: &Path, thresholds: Thresholds) -> Result<bool, Failure> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(Failure::Unreadable { path: path.to_path_buf(), source }),
    };
    let Some(edited) = edit(&text, thresholds) else { return Err(not_by_line(path, thresholds)) };
    if edited == text {
        return Ok(false);
    }
    // Settings that are a link stay one: whoever made it named the file that is meant.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    whole_file::write(&place, edited.as_bytes()).map_err(|source| Failure::unwritable(path, source))?;
    Ok(true)
}

fn not_by_line(path: &Path, thresholds: Thresholds) -> Failure {
    let lines: Vec<String> = thresholds.lines().map(|(key, threshold)| format!("`{key}: {threshold}`")).collect();
    Failure::Tuning {
        message: format!("{} does not say its thresholds in lines of their own, so they are left as they are", path.display()),
        help: format!("write {} into it yourself", lines.join(" and ")),
    }
}

/// The settings with these thresholds. Returns None if they would not mean exactly that.
pub fn edit(text: &str, thresholds: Thresholds) -> Option<String> {
    let edited = thresholds.lines().fold(text.to_owned(), |text, (key, threshold)| with_line(&text, key, threshold));
    let read = |text: &str| load::read(text.strip_prefix('\u{feff}').unwrap_or(text)).ok();
    let wanted = Config {
        warn_threshold: thresholds.warn.or(read(text)?.warn_threshold),
        block_threshold: thresholds.block.or(read(text)?.block_threshold),
        ..read(text)?
    };
    // What is compared is all that is said, whatever fields there are.
    (format!("{:?}", read(&edited)?) == format!("{wanted:?}")).then_some(edited)
}

fn with_line(text: &str, key: &str, threshold: f64) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let value_of = |line: &str| line.trim_start_matches('\u{feff}').strip_prefix(key)?.trim_start().strip_prefix(':').map(str::to_owned);
    if let Some((at, rest)) = lines.iter().enumerate().find_map(|(at, line)| Some((at, value_of(line)?))) {
        let line = lines.get(at).copied().unwrap_or_default();
        let head = line.strip_suffix(rest.as_str()).unwrap_or_default();
        return with(&lines, at, 1, &format!("{head}{}", with_value(&rest, threshold)));
    }
    let own = format!("{key}: {threshold}{newline}");
    let comment = |line: &str| line.trim_start_matches(['#', ':', ' ']).starts_with(&format!("{key}:")) && line.starts_with('#');
    match lines.iter().position(|line| comment(line)) {
        Some(at) if lines.get(at).is_some_and(|line| line.ends_with('\n')) => with(&lines, at + 1, 0, &own),
        Some(_) | None => {
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
            format!("{text}{gap}{own}")
        }
    }
}

/// The lines with this one in the place of so many.
fn with(lines: &[&str], at: usize, replaced: usize, line: &str) -> String {
    let before = lines.iter().take(at).copied();
    let after = lines.iter().skip(at + replaced).copied();
    before.chain(std::iter::once(line)).chain(after).collect()
}

/// What stands after a key and its colon, with another value: spaces, comments and the end of the line stay.
fn with_value(rest: &str, threshold: f64) -> String {
    let (value, comment) = match rest.find(" #") {
        Some(at) => rest.split_at(at),
        None => rest.split_at(rest.trim_end_matches(['\n', '\r']).len()),
    };
    let spaces = value.len() - value.trim_start().len();
    let (before, after) = (value.get(..spaces).filter(|spaces| !spaces.is_empty()).unwrap_or(" "), value.trim());
    let gap = value.get(spaces + after.len()..).unwrap_or_default();
    let before = if after.is_empty() { " " } else { before };
    // A number that is written otherwise, such as 40.0, need not change.
    if after.parse() == Ok(threshold) { rest.to_owned() } else { format!("{before}{threshold}{gap}{comment}") }
}
