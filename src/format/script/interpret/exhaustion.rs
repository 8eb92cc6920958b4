//! Why an interpretation did not come to its end, and where its fuel went.

use rustc_hash::FxHashMap;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::heap::{Code, ObjectKind};
use crate::value::span::Span;

/// A bound of the work that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The fuel, `limits.fuel`.
    Fuel,
    /// How deep expressions, statements and calls are followed into one another.
    Depth,
    /// How many parts of one value are looked at.
    Parts,
    /// How many calls and callbacks are followed later.
    Later,
    /// How often one function is followed again for new data.
    Rounds,
    /// How many flows of data are kept.
    Flows,
    /// How many texts that run as code are kept.
    Code,
    /// How many proxies stand behind one another.
    Proxies,
    /// How much text the script may put together.
    Texts,
    /// How many ways are looked at that the script leaves open.
    Open,
}

impl Bound {
    /// Returns true if and only if all calls are looked at all the same, and only some of the data is lost sight of.
    pub fn is_of_data(self) -> bool {
        match self {
            Self::Parts | Self::Rounds | Self::Flows | Self::Proxies => true,
            Self::Fuel | Self::Depth | Self::Later | Self::Code | Self::Texts | Self::Open => false,
        }
    }

    /// What is said of a script that reached it.
    fn words(self) -> &'static str {
        match self {
            Self::Fuel => "there was no end of it within the fuel",
            Self::Depth => "its expressions and calls lead too deep into one another",
            Self::Parts => "one of its values has too many parts",
            Self::Later => "it has too many calls that happen later",
            Self::Rounds => "one of its functions is called with ever more data",
            Self::Flows => "it has too many flows of data",
            Self::Code => "it runs too many texts as code",
            Self::Proxies => "its proxies stand behind one another",
            Self::Open => "it leaves too many ways open",
            Self::Texts => "it puts together too much text",
        }
    }
}

/// Why an interpretation did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhaustion {
    /// The bound that was reached first.
    pub bound: Bound,
    /// The name of the function that took most of the fuel, if it has one; none, if it was the code outside of functions.
    pub function: Option<Option<String>>,
    /// Where that function stands.
    pub span: Option<Span>,
}

impl Exhaustion {
    /// What is said of it: the bound, the function that took most, and the setting that raises the bound.
    pub fn words(&self, line: impl Fn(Span) -> usize) -> String {
        let most = match (&self.function, self.span) {
            (Some(Some(name)), Some(span)) => format!("the function `{name}` at line {}", line(span)),
            (Some(None), Some(span)) => format!("the anonymous function at line {}", line(span)),
            _ => "the code outside of its functions".to_owned(),
        };
        if self.bound == Bound::Open {
            return format!("this script could not be covered: {}", self.bound.words());
        }
        let setting = if self.bound == Bound::Fuel { " (limits.fuel)" } else { "" };
        format!("this script could not be followed to its end: {}{setting}; {most} took most of the work", self.bound.words())
    }
}

/// Where the fuel went.
#[derive(Debug, Default)]
pub struct Spending {
    /// By the start of a function, what was spent in it itself.
    by_function: FxHashMap<u32, u64>,
    /// The fuel that was left when that was noted last.
    mark: u64,
}

impl Spending {
    /// Nothing was spent of so much.
    pub fn of(fuel: u64) -> Self {
        Self { by_function: FxHashMap::default(), mark: fuel }
    }

    /// Notes what was spent since the last time, in this function.
    pub fn charge(&mut self, function: u32, left: u64) {
        let spent = self.mark.saturating_sub(left);
        self.mark = left;
        if 0 < spent {
            *self.by_function.entry(function).or_insert(0) += spent;
        }
    }

    /// Where the function starts in which most was spent.
    fn most(&self) -> Option<u32> {
        self.by_function.iter().max_by_key(|(start, spent)| (**spent, std::cmp::Reverse(**start))).map(|(start, _)| *start)
    }
}

impl Interpreter<'_> {
    /// A bound was reached. One of data only loses sight of some data: all calls are looked at all the same. Any other ends the
    /// interpretation.
    pub fn exhaust(&mut self, bound: Bound) {
        if bound.is_of_data() {
            self.lost_by.get_or_insert(bound);
        } else {
            self.is_exhausted = true;
            self.exhausted_by.get_or_insert(bound);
        }
    }

    /// Returns true if and only if sight of some data of a big program was lost: what is left is to look at each call once.
    pub fn only_looks(&self) -> bool {
        self.lost_by.is_some() && self.fuel <= self.inline_fuel
    }

    /// Notes what was spent since the last change of frames, in the innermost function.
    pub fn charge(&mut self) {
        let start = self.frames.last().map_or(u32::MAX, |frame| frame.start);
        self.spending.charge(start, self.fuel);
    }

    /// The name that a function that starts here gives itself.
    fn own_name(&self, start: u32) -> Option<String> {
        self.functions.iter().find_map(|function| match self.heap.object(*function).kind {
            ObjectKind::Function { code: Code::Function(function), .. } if function.span.start == start => {
                function.id.as_ref().map(|id| id.name.to_string())
            }
            _ => None,
        })
    }

    /// Why it did not come to its end, if it did not.
    pub fn exhaustion(&mut self) -> Option<Exhaustion> {
        if self.values.is_spent() {
            self.exhaust(Bound::Texts);
        }
        let bound = self.exhausted_by.or(self.lost_by)?;
        self.charge();
        let start = self.spending.most().filter(|start| *start != u32::MAX);
        let function = start.map(|start| self.own_name(start).or_else(|| self.recorder.names.get(&start).cloned()));
        Some(Exhaustion { bound, function, span: start.map(|start| Span::new(start, start)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_counts_for_the_function_that_spends_it() {
        let mut spending = Spending::of(100);
        for (function, left) in [(1, 90), (2, 60), (1, 55), (2, 50), (3, 50)] {
            spending.charge(function, left);
        }
        assert_eq!(spending.most(), Some(2));
    }

    #[test]
    fn the_words_name_the_function_and_the_setting() {
        let line = |span: Span| span.start as usize;
        let place = Some(Span::new(7, 7));
        let of = |bound, function, span| Exhaustion { bound, function, span }.words(line);
        assert!(of(Bound::Fuel, Some(Some("merge".to_owned())), place).contains("(limits.fuel); the function `merge` at line 7"));
        assert!(of(Bound::Fuel, Some(None), place).contains("the anonymous function at line 7"));
        assert!(of(Bound::Fuel, None, None).contains("the code outside of its functions"));
        assert!(!of(Bound::Depth, None, None).contains("limits"));
    }
}
