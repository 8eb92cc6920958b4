//! Puts the weights of the hybrid model into callgate.yaml: only their own lines change, whatever else stands in the file.

use std::fs;
use std::io;
use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::load;
use crate::cli::whole_file;
use crate::model::hybrid::{self, HybridSettings};

/// The key below which the settings of all models stand.
const SETTINGS: &str = "model_settings";
/// The keys that are written, below that of the model.
const KEYS: [&str; 2] = ["weights", "diminishing"];

/// Puts weights into a settings file, which is made if it is not there. Returns false if it said so already.
///
/// # Errors
///
/// When the file cannot be read or written, or says its settings in a way that cannot be changed line by line.
pub fn write(path: &Path, settings: &HybridSettings) -> Result<bool, Failure> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(Failure::Unreadable { path: path.to_path_buf(), source }),
    };
    let Some(edited) = edit(&text, settings) else {
        return Err(Failure::Tuning {
            message: format!("{} does not say its settings of models in lines of their own, so they are left as they are", path.display()),
            help: format!("write into it yourself:\n{SETTINGS}:\n  {}:\n{}", hybrid::NAME, lines(settings, "    ", "\n").concat()),
        });
    };
    if edited == text {
        return Ok(false);
    }
    // Settings that are a link stay one: whoever made it named the file that is meant.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    whole_file::write(&place, edited.as_bytes()).map_err(|source| Failure::unwritable(path, source))?;
    Ok(true)
}

/// The lines that say it.
fn lines(settings: &HybridSettings, indent: &str, newline: &str) -> [String; 2] {
    let weights = settings.weights;
    let (critical, high, medium, low) = (weights.critical, weights.high, weights.medium, weights.low);
    [
        format!("{indent}weights: {{ critical: {critical}, high: {high}, medium: {medium}, low: {low} }}{newline}"),
        format!("{indent}diminishing: {}{newline}", settings.diminishing),
    ]
}

/// The settings with these weights. Returns None if they would not mean exactly that.
pub fn edit(text: &str, settings: &HybridSettings) -> Option<String> {
    let read = |text: &str| load::read(text.strip_prefix('\u{feff}').unwrap_or(text)).ok();
    let mut wanted = read(text)?;
    let own = &mut wanted.model_settings.hybrid;
    if own.weights == settings.weights && own.diminishing.to_bits() == settings.diminishing.to_bits() {
        return Some(text.to_owned());
    }
    (own.weights, own.diminishing) = (settings.weights, settings.diminishing);
    let edited = with_lines(text, settings);
    // What is compared is all that is said, whatever fields there are.
    (format!("{:?}", read(&edited)?) == format!("{wanted:?}")).then_some(edited)
}

fn with_lines(text: &str, settings: &HybridSettings) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut all: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if let Some(last) = all.last_mut().filter(|last| !last.ends_with('\n')) {
        last.push_str(newline);
    }
    let Some(top) = all.iter().position(|line| is_key(line.trim_start_matches('\u{feff}'), "", SETTINGS)) else {
        all.push(format!("{SETTINGS}:{newline}  {}:{newline}", hybrid::NAME));
        all.extend(lines(settings, "    ", newline));
        return all.concat();
    };
    let indent = all.get(top + 1..).unwrap_or_default().iter().find(|line| is_said(line)).map_or("  ", |line| margin(line));
    let indent = if indent.is_empty() { "  " } else { indent }.to_owned();
    let inner = format!("{indent}  ");
    let end = top + 1 + all.iter().skip(top + 1).take_while(|line| !is_said(line) || margin(line).starts_with(&indent)).count();
    let Some(model) = (top + 1..end).find(|at| all.get(*at).is_some_and(|line| is_key(line, &indent, hybrid::NAME))) else {
        let own = std::iter::once(format!("{indent}{}:{newline}", hybrid::NAME)).chain(lines(settings, &inner, newline));
        all.splice(top + 1..top + 1, own);
        return all.concat();
    };
    let own_end =
        model + 1 + all.iter().take(end).skip(model + 1).take_while(|line| !is_said(line) || indent.len() < margin(line).len()).count();
    let first = all.get(model + 1..own_end).unwrap_or_default().iter().find(|line| is_said(line));
    let inner = first.map_or(inner, |line| margin(line).to_owned());
    let mut kept: Vec<String> = Vec::new();
    let mut is_old = false;
    for line in all.get(model + 1..own_end).unwrap_or_default() {
        if is_said(line) && margin(line).len() <= inner.len() {
            is_old = KEYS.iter().any(|key| is_key(line, &inner, key));
        }
        kept.extend((!is_old || !is_said(line)).then(|| line.clone()));
    }
    let own: Vec<String> = lines(settings, &inner, newline).into_iter().chain(kept).collect();
    all.splice(model + 1..own_end, own);
    all.concat()
}

/// Whether a line says anything.
fn is_said(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

/// The spaces before a line.
fn margin(line: &str) -> &str {
    line.get(..line.len() - line.trim_start_matches(' ').len()).unwrap_or_default()
}

fn is_key(line: &str, indent: &str, key: &str) -> bool {
    let rest = line.strip_prefix(indent).and_then(|line| line.strip_prefix(key)).and_then(|rest| rest.trim_start().strip_prefix(':'));
    rest.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::hybrid::Weights;

    #[test]
    fn only_their_own_lines_change() {
        let weights = Weights { critical: 80.0, high: 10.0, medium: 4.0, low: 1.0 };
        let settings = HybridSettings { weights, diminishing: 0.5, ..HybridSettings::default() };
        let own = "    weights: { critical: 80, high: 10, medium: 4, low: 1 }\n    diminishing: 0.5\n";
        for (text, expected) in [
            ("", format!("model_settings:\n  hybrid:\n{own}")),
            ("warn_threshold: 30 # so\n", format!("warn_threshold: 30 # so\nmodel_settings:\n  hybrid:\n{own}")),
            (
                "model_settings:\n  # others\n  max:\n    parts: [hybrid]\n",
                format!("model_settings:\n  hybrid:\n{own}  # others\n  max:\n    parts: [hybrid]\n"),
            ),
            (
                "model_settings:\n  hybrid:\n    weights:\n      critical: 50\n    # above\n    score_override: 90\n    diminishing: 0.9\nwarn_threshold: 30\n",
                format!("model_settings:\n  hybrid:\n{own}    # above\n    score_override: 90\nwarn_threshold: 30\n"),
            ),
        ] {
            assert_eq!(edit(text, &settings).as_deref(), Some(expected.as_str()), "{text}");
            assert_eq!(edit(&expected, &settings).as_deref(), Some(expected.as_str()), "{text}");
        }
        // What stands in one line is left to its owner.
        assert_eq!(edit("model_settings: { hybrid: { diminishing: 0.9 } }\n", &settings), None);
    }
}
