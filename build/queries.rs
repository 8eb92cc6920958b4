//! What tools do to all there is, unless their argument says to which of it: the `queries` rows of `knowledge/`.

use std::path::Path;
use std::{fs, io};

use crate::knowledge::row::braces;
use crate::knowledge::row::query::QueryRow;
use crate::variant::fault;

/// Writes the table.
pub fn write(rows: &[QueryRow], out: &Path) -> io::Result<()> {
    let rows: Vec<String> = rows.iter().map(query).collect::<io::Result<_>>()?;
    fs::write(out.join("queries.rs"), format!("&[\n    {}]\n", rows.join(",\n    ")))
}

fn query(row: &QueryRow) -> io::Result<String> {
    let QueryRow { tools, does, to, narrowed, least, whole, hit, miss, source } = row;
    if hit.is_empty() || miss.is_empty() || source.is_empty() {
        return Err(fault(format!("the queries of {tools:?} need hit, miss and source")));
    }
    let tools: Vec<String> = tools.iter().flat_map(|name| braces(name)).collect();
    Ok(format!(
        "Query {{ tools: &{tools:?}, kind: EffectKind::{does:?}, to: {to:?}, narrowed: &{narrowed:?}, least: &{least:?}, whole: &{whole:?}, \
         hit: {hit:?}, miss: {miss:?}, source: {source:?} }}"
    ))
}
