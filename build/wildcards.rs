//! Names with wildcards and the rows that they stand for, as `src/knowledge/wildcard.rs` reads them.

use std::collections::BTreeMap;

use crate::texts::Texts;

/// Names: those that are whole by themselves, the others by what stands before their first `*`.
#[derive(Default)]
pub struct Wildcards {
    whole: BTreeMap<String, Vec<usize>>,
    open: BTreeMap<String, Vec<(String, usize)>>,
}

impl Wildcards {
    /// Adds names of a row.
    pub fn add(&mut self, at: usize, names: &[String]) {
        for name in names.iter().flat_map(|name| crate::knowledge::row::braces(name)) {
            match name.find('*').map(|star| name.split_at(star)) {
                Some((start, rest)) => self.open.entry(start.to_owned()).or_default().push((rest.to_owned(), at)),
                None => self.whole.entry(name).or_default().push(at),
            }
        }
    }

    /// The table.
    pub fn written(&self, texts: &Texts) -> String {
        let rows = self.whole.iter().flat_map(|(name, rows)| rows.iter().map(move |at| (name, at)));
        let whole: Vec<String> = rows.map(|(name, at)| format!("({}, {at})", texts.name(name))).collect();
        let (mut starts, mut open) = (Vec::new(), Vec::new());
        for (start, rests) in &self.open {
            starts.push(format!("({}, {})", texts.name(start), open.len()));
            open.extend(rests.iter().map(|(rest, at)| format!("({}, {at})", texts.name(rest))));
        }
        let (whole, starts, open) = (whole.join(", "), starts.join(", "), open.join(", "));
        format!("WildcardTable {{ whole: &[{whole}], starts: &[{starts}], open: &[{open}] }}")
    }
}
