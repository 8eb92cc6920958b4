//! The examples of the rows of `knowledge/statements.yaml`, and whether they hold.

use crate::knowledge::statement::{STATEMENTS, StatementRow};
use crate::meaning::statement::{read, row};

/// An example that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenExample {
    /// The row.
    pub row: String,
    /// The example as written.
    pub example: &'static str,
    /// It should have been found.
    pub is_hit: bool,
}

/// How many examples the rows have.
pub fn count() -> usize {
    STATEMENTS.rows.iter().map(|row| row.hit.len() + row.miss.len()).sum()
}

/// All examples that do not hold.
pub fn broken() -> Vec<BrokenExample> {
    let of_row = |own: &'static StatementRow| {
        let holds = move |text: &str| fitting_rows(own, text).iter().any(|row| std::ptr::eq(*row, own));
        let all = own.hit.iter().map(|example| (*example, true)).chain(own.miss.iter().map(|example| (*example, false)));
        let wrong = all.filter(move |(example, is_hit)| holds(example) != *is_hit);
        wrong.map(|(example, is_hit)| BrokenExample { row: own.name.to_owned(), example, is_hit })
    };
    STATEMENTS.rows.iter().flat_map(of_row).collect()
}

/// The rows that the statements of a text fit, read in the language of a row.
pub fn fitting_rows(own: &StatementRow, text: &str) -> Vec<&'static StatementRow> {
    read(own.language, text).iter().flat_map(row::fitting).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_holds_its_examples() {
        assert!(broken().is_empty(), "{:#?}", broken());
    }
}
