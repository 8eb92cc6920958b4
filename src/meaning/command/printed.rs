//! Texts of a line that it only prints, compares or counts.

use crate::knowledge::command::list;
use crate::meaning::command::unwrap::commands;

/// Programs that may run what others print or write.
const RUNNERS: &[&str] = &["shells", "interpreters", "starters"];

/// Returns true if and only if a text stands in a line where nothing runs it.
pub fn is_only_printed(line: &str, text: &str) -> bool {
    let found = commands(line);
    let runs = |program: &str| RUNNERS.iter().any(|name| list(name).contains(&program));
    if found.iter().any(|own| runs(&own.key())) {
        return false;
    }
    let mut rest = line.to_owned();
    for own in found.iter().filter(|own| list("printers").contains(&own.key().as_str())) {
        let is_script = |path: &String| ![".txt", ".md", ".log", ".rst"].iter().any(|end| path.ends_with(end));
        if own.outputs.iter().any(is_script) {
            continue;
        }
        for inert in own.input.iter().chain(&own.arguments).filter(|inert| inert.contains(text)) {
            rest = rest.replacen(inert.as_str(), "", 1);
        }
    }
    !rest.contains(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_told_from_what_is_run() {
        for (line, expected) in [
            ("cat <<EOF\nrm -rf /\nEOF", true),
            ("grep -n rm <<EOF\nrm -rf /\nEOF", true),
            ("echo 'rm -rf /'", true),
            ("echo 'rm -rf /' && rm -rf /", false),
            ("cat <<EOF | sh\nrm -rf /\nEOF", false),
            ("cat > a.sh <<EOF\nrm -rf /\nEOF", false),
            ("rm -rf /", false),
        ] {
            assert_eq!(is_only_printed(line, "rm -rf /"), expected, "{line}");
        }
    }
}
