//! Rows as they are written in YAML: one shape for the files of `knowledge/` and for callgate.yaml.
//!
//! `build.rs` includes this room, so it imports nothing from the rest of the program.

pub mod api;
pub mod command;
pub mod query;
pub mod statement;
pub mod term;
pub mod tool;
pub mod word;

/// All texts that a text with `{a,b}` stands for.
pub fn braces(text: &str) -> Vec<String> {
    let Some(open) = text.find('{') else { return vec![text.to_owned()] };
    let mut depth = 0;
    let mut cuts = vec![open];
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 1 => cuts.push(at),
            _ => {}
        }
        if depth == 0 {
            cuts.push(at);
            break;
        }
    }
    let close = cuts.last().copied().unwrap_or(open);
    let choices = cuts.iter().zip(cuts.iter().skip(1)).flat_map(|(from, to)| braces(text.get(from + 1..*to).unwrap_or_default()));
    let choices: Vec<String> = choices.collect();
    let rest = braces(text.get(close + 1..).unwrap_or_default());
    choices
        .iter()
        .flat_map(|choice| rest.iter().map(move |rest| format!("{}{choice}{rest}", text.get(..open).unwrap_or_default())))
        .collect()
}
