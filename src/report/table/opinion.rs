//! The opinions of models in words.

use std::fmt;

use crate::model::Evaluation;
use crate::value::score::Score;
use crate::value::source::shown;

/// What an opinion is made of that is made of opinions, one line each, the parts of a part further in.
pub fn parts(whole: &Evaluation, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for part in &whole.parts {
        let counted = whole.signals.iter().find(|signal| *signal.id == *part.model);
        let share = counted.map_or("adds nothing".to_owned(), |signal| format!("adds {}", Score::clamped(signal.score)));
        let asks = part.action.map(|action| format!(", asks for `{action}`")).unwrap_or_default();
        let level = part.level.as_deref().map(|level| format!(" ({})", shown(level))).unwrap_or_default();
        writeln!(f, "{:indent$}{} {}{level}: {share}{asks}", "", shown(&part.model), part.score, indent = 4 + 2 * depth)?;
        parts(part, depth + 1, f)?;
    }
    Ok(())
}

/// How many of the things that an opinion rests on are named; there may be one for each call.
const NAMED: usize = 8;

/// An opinion with what it rests on: `five-factor 72 high, quiz: delete_user 72`.
pub fn opinion(evaluation: &Evaluation, rests_on: &[String]) -> String {
    // Where a challenge is asked for, the level is what asks for it.
    let level = evaluation.challenge.map(|challenge| format!(" {}, {challenge}", evaluation.level.as_deref().unwrap_or_default()));
    let mut words: Vec<String> = rests_on.iter().take(NAMED).map(|word| shown(word)).collect();
    if let further @ 1.. = rests_on.len().saturating_sub(NAMED) {
        words.push(format!("{further} more"));
    }
    let colon = if words.is_empty() { "" } else { ": " };
    format!("{} {}{}{colon}{}", evaluation.model, evaluation.score, level.unwrap_or_default(), words.join(", "))
}
