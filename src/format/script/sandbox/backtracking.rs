//! Regular expressions that can match the same text in so many ways that failing takes exponential time.

use crate::format::script::js::pattern::{self, Item, Node, Set};
use crate::format::script::sandbox::Walker;
use crate::subject::hazard::{HazardKind, Strength};
use crate::value::span::Span;

/// What may repeat this often counts as endless.
const MANY: u32 = 10;

impl Walker<'_, '_, '_> {
    /// A regular expression.
    pub fn pattern(&mut self, text: &str, span: Span) {
        if pattern::read(text).is_some_and(|pattern| runs_away(&pattern, false)) {
            let note = "a repeated part of this regular expression can match the same text in many ways";
            self.tell(HazardKind::Backtracking, Strength::Clear, span, note);
        }
    }
}

/// Returns true if and only if a text that fails late can make the pattern try exponentially many ways.
fn runs_away(alternatives: &[Vec<Item>], can_fail: bool) -> bool {
    alternatives.iter().any(|sequence| {
        sequence.iter().enumerate().any(|(at, item)| {
            let Node::Group(inner) = &item.node else { return false };
            // Where nothing follows that can fail, the first way is taken and no other tried.
            let can_fail = can_fail || sequence.iter().skip(at + 1).any(can_fail_item);
            can_fail && is_repeated(item) && is_ambiguous(inner) || runs_away(inner, can_fail)
        })
    })
}

fn can_fail_item(item: &Item) -> bool {
    matches!(item.node, Node::Anchor) || !is_nullable(item)
}

fn is_repeated(item: &Item) -> bool {
    item.most.is_none_or(|most| MANY <= most)
}

fn is_nullable(item: &Item) -> bool {
    item.least == 0
        || match &item.node {
            Node::Set(_) => false,
            Node::Anchor => true,
            Node::Group(alternatives) => alternatives.iter().any(|sequence| sequence.iter().all(is_nullable)),
        }
}

/// Returns true if and only if repeating the alternatives can match one text in several ways.
fn is_ambiguous(alternatives: &[Vec<Item>]) -> bool {
    alternatives.iter().any(|sequence| is_ambiguous_sequence(sequence)) || has_overlap(alternatives)
}

/// A part repeats within, and nothing around it tells where one turn ends and the next begins.
fn is_ambiguous_sequence(sequence: &[Item]) -> bool {
    sequence.iter().enumerate().any(|(at, item)| {
        let others = || sequence.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, item)| item);
        let own = characters(item);
        let is_undivided = others().all(|other| is_nullable(other) || characters(other).meets(own));
        match &item.node {
            Node::Set(_) => is_repeated(item) && is_undivided,
            Node::Anchor => false,
            Node::Group(inner) => is_undivided && (is_repeated(item) || is_ambiguous(inner)),
        }
    })
}

/// Two alternatives match the same text, or one matches the start of the other and the rest can be another turn.
fn has_overlap(alternatives: &[Vec<Item>]) -> bool {
    let fixed: Vec<Vec<Set>> = alternatives.iter().filter_map(|sequence| fixed(sequence)).filter(|sets| !sets.is_empty()).collect();
    let begins_turn = |set: &Set| fixed.iter().filter_map(|sets| sets.first()).any(|first| first.meets(*set));
    fixed.iter().enumerate().any(|(at, left)| {
        fixed.iter().enumerate().any(|(other, right)| {
            let is_prefix = at != other && left.len() <= right.len() && left.iter().zip(right).all(|(left, right)| left.meets(*right));
            is_prefix && right.get(left.len()).is_none_or(begins_turn)
        })
    })
}

/// The sets of a sequence whose length is known.
fn fixed(sequence: &[Item]) -> Option<Vec<Set>> {
    let mut sets = Vec::new();
    for item in sequence {
        match (&item.node, item.least, item.most) {
            (Node::Set(set), least, Some(most)) if least == most && least < MANY => {
                sets.extend(std::iter::repeat_n(*set, least as usize));
            }
            // At least one turn of it may be all there is.
            (Node::Set(set), 1.., _) => sets.push(*set),
            (Node::Set(_) | Node::Group(_), ..) => return None,
            (Node::Anchor, ..) => {}
        }
    }
    Some(sets)
}

/// All characters that an item can match.
fn characters(item: &Item) -> Set {
    match &item.node {
        Node::Set(set) => *set,
        Node::Anchor => Set::default(),
        Node::Group(alternatives) => alternatives.iter().flatten().map(characters).fold(Set::default(), Set::with),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_run_away_where_a_turn_has_no_clear_end() {
        for (text, expected) in [
            (r"(a+)+$", true),
            (r"^(a*)*b", true),
            (r"^(\w+\s?)*$", true),
            (r"^([a-z]+,?)*$", true),
            (r"(a|a)*b", true),
            (r"(a|aa)+$", true),
            (r"^(\d|\w)+!", true),
            (r"(.*,)*x", true),
            (r"^((a+))+$", true),
            (r"^(?:[a-z0-9]+)*@", true),
            (r"^(([a-z])+.)+[A-Z]([a-z])+$", true),
            (r"(a{1,50}){2,}$", true),
            (r"(a+)+", false),
            (r"^(\w+\.)+\w+$", false),
            (r"^(?:[^\x22\\]|\\.)*$", false),
            (r"^(foo|bar)+$", false),
            (r"^(a|ab)*$", false),
            (r"^\d{3}-\d{4}$", false),
            (r"^[\w.+-]+@[\w-]+\.[\w.]+$", false),
            (r"^(\d+,)*\d+$", false),
            (r"(?:\s+\w+)*$", false),
            (r"^(?:a|b|[c-f])*$", false),
            (r"(x+x+)y", false),
            (r"(", false),
        ] {
            let found = pattern::read(text).is_some_and(|pattern| runs_away(&pattern, false));
            assert_eq!(found, expected, "{text}");
        }
    }
}
