//! Columns of text.

use std::io;

/// How a column stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Words begin at the same place.
    Left,
    /// Numbers end at the same place.
    Right,
}

/// Writes rows below their heads, each column as wide as it must be; the last is not filled up.
pub fn write(heads: &[(&str, Side)], rows: &[Vec<String>], writer: &mut dyn io::Write) -> io::Result<()> {
    let mut widths: Vec<usize> = heads.iter().map(|(head, _)| head.chars().count()).collect();
    for row in rows {
        widths.iter_mut().zip(row).for_each(|(width, cell)| *width = (*width).max(cell.chars().count()));
    }
    let titles: Vec<String> = heads.iter().map(|(head, _)| (*head).to_owned()).collect();
    for row in std::iter::once(&titles).chain(rows) {
        let cells = row.iter().zip(heads).zip(&widths).map(|((cell, (_, side)), width)| match side {
            Side::Left => format!("{cell:<width$}"),
            Side::Right => format!("{cell:>width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        writeln!(writer, "{}", line.trim_end())?;
    }
    Ok(())
}
