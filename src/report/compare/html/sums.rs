//! What the models answered in all: how strict each is, and how often each two agree.

use std::fmt::{self, Write as _};

use crate::compare::Comparison;
use crate::compare::agreement::Column;
use crate::report::html::text::{Text, heat, plain};
use crate::value::verdict::Verdict;

/// Writes a bar a model with its verdicts, the strictest first.
pub fn strictness(comparison: &Comparison, page: &mut String) -> fmt::Result {
    let mut columns: Vec<&Column> = comparison.columns.iter().collect();
    let strictness = |column: &Column| column.strictness().unwrap_or(-1.0);
    columns.sort_by(|left, right| strictness(right).total_cmp(&strictness(left)));
    write!(
        page,
        r#"<table class="strict"><thead><tr><th></th><th></th><th>block</th><th>warn</th><th>allow</th><th>mean score</th></tr></thead>"#
    )?;
    writeln!(page, "<tbody>")?;
    for column in columns {
        write!(page, "<tr><th>{}</th><td class=\"wide\">", Text(&column.name))?;
        bar(column, comparison.subjects(), page)?;
        let [allow, warn, block] = column.counts;
        let mean = column.mean_score.map(plain).unwrap_or_default();
        writeln!(page, "</td><td>{block}</td><td>{warn}</td><td>{allow}</td><td>{mean}</td></tr>")?;
    }
    write!(page, "</tbody></table><div class=\"key\">")?;
    for (class, word) in [(2, "block"), (1, "warn"), (0, "allow"), (3, "not judged")] {
        write!(page, r#"<span><svg viewBox="0 0 1 1"><rect class="n{class}" width="1" height="1"/></svg>{word}</span>"#)?;
    }
    writeln!(page, "</div>")
}

fn bar(column: &Column, subjects: usize, page: &mut String) -> fmt::Result {
    write!(page, r#"<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">"#)?;
    let parts = Verdict::ALL.into_iter().rev().map(|verdict| (verdict as usize, column.counts[verdict as usize]));
    let mut at = 0.0;
    for (class, count) in parts.chain([(3, subjects - column.judged())]) {
        let wide = count as f64 * 100.0 / subjects.max(1) as f64;
        if 0 < count {
            write!(page, r#"<rect class="n{class}" x="{at:.2}" width="{wide:.2}" height="10"/>"#)?;
        }
        at += wide;
    }
    write!(page, "</svg>")
}

/// Writes the lower half of a matrix of all models.
pub fn agreement(comparison: &Comparison, page: &mut String) -> fmt::Result {
    let count = comparison.columns.len();
    write!(page, r#"<table class="agree"><thead><tr><th></th>"#)?;
    (1..count).try_for_each(|number| write!(page, "<th>{number}</th>"))?;
    writeln!(page, "</tr></thead><tbody>")?;
    for (at, column) in comparison.columns.iter().enumerate() {
        write!(page, "<tr><th>{} {}</th>", at + 1, Text(&column.name))?;
        for agreement in comparison.agreements.iter().filter(|agreement| agreement.models.1 == at) {
            let other = comparison.columns.get(agreement.models.0).map_or("", |column| column.name.as_str());
            let title = format!("{other} and {}: {} of {}", column.name, agreement.same, agreement.both);
            match agreement.percent() {
                // What differs is hot.
                Some(percent) => {
                    write!(page, r#"<td class="s{}" title="{}">{percent}</td>"#, heat((100 - percent) as f64), Text(&title))?;
                }
                None => write!(page, r#"<td title="{}">–</td>"#, Text(&title))?,
            }
        }
        writeln!(page, "</tr>")?;
    }
    writeln!(page, "</tbody></table>")
}
