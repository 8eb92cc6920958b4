//! What tools do to all there is, unless their argument says to which of it: the `queries` rows of `knowledge/`.

use std::path::Path;
use std::{fs, io};

use crate::knowledge::row::braces;
use crate::knowledge::row::query::QueryRow;
use crate::texts::Texts;
use crate::variant::fault;
use crate::wildcards::Wildcards;

/// Writes the table.
pub fn write(rows: &[QueryRow], out: &Path, texts: &Texts) -> io::Result<()> {
    let mut names = Wildcards::default();
    rows.iter().enumerate().for_each(|(at, row)| names.add(at, &row.tools));
    let rows: Vec<String> = rows.iter().map(|row| query(row, texts)).collect::<io::Result<_>>()?;
    fs::write(out.join("queries.rs"), format!("Queries {{ rows: &[\n    {}],\nnames: {} }}\n", rows.join(",\n    "), names.written(texts)))
}

fn query(row: &QueryRow, texts: &Texts) -> io::Result<String> {
    let QueryRow { tools, does, to, narrowed, least, whole, hit, miss, source } = row;
    if hit.is_empty() || miss.is_empty() || source.is_empty() {
        return Err(fault(format!("the queries of {tools:?} need hit, miss and source")));
    }
    let tools: Vec<String> = tools.iter().flat_map(|name| braces(name)).collect();
    let tools = texts.list(&tools);
    let (hit, miss, source) = (texts.told(hit), texts.told(miss), texts.told(source));
    Ok(format!(
        "Query {{ tools: {tools}, kind: EffectKind::{does:?}, to: {to:?}, narrowed: &{narrowed:?}, least: &{least:?}, whole: &{whole:?}, \
         hit: {hit}, miss: {miss}, source: {source} }}"
    ))
}
