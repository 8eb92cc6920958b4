//! Redis: commands, one a line.

use crate::knowledge::effect::Extent;
use crate::knowledge::statement::{Language, own_rows, rows};
use crate::meaning::statement::{Statement, sql};

/// Longer lines hold data rather than commands, in words.
const LONGEST: usize = 64;

/// Returns true if and only if a text begins with a command of Redis in capital letters that no other language knows.
pub fn is_redis(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_capital = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_uppercase());
    let verb = first.to_lowercase();
    is_capital
        && !sql::is_sql(&verb)
        && own_rows().iter().chain(rows()).any(|row| row.language == Language::Redis && row.verb.contains(&verb.as_str()))
}

/// The commands of a text.
pub fn read(text: &str) -> Vec<Statement> {
    text.lines().filter_map(of_line).collect()
}

fn of_line(line: &str) -> Option<Statement> {
    let quotes = |word: &str| word.trim_matches(['"', '\'']).to_lowercase();
    let words: Vec<String> = line.split_whitespace().take(LONGEST).map(quotes).collect();
    let mut own = Statement::new(Language::Redis, words.first()?);
    own.object = words.get(1).cloned().unwrap_or_default();
    own.name = words.get(2).cloned().unwrap_or_default();
    own.texts = words.get(1..).unwrap_or_default().to_vec();
    own.words = words;
    own.extent = Extent::Unknown;
    Some(own)
}
