//! The line hash by which GitHub's code scanning recognises an alert.
//!
//! Source: github/codeql-action, `src/fingerprints.ts`, which hashes a file again at upload and complains
//! about every value that differs from its own.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::iter::{once, repeat_n};

/// How many code units, counted from the start of a line, make its hash.
const WINDOW: usize = 100;
/// The base of the polynomial.
const BASE: u64 = 37;
/// What stands for the end of the file.
const END: u16 = 0xffff;
/// What node's UTF-8 streams leave at the start of a file that has one.
const BYTE_ORDER_MARK: u16 = 0xfeff;

const TAB: u16 = 0x09;
const LF: u16 = 0x0a;
const CR: u16 = 0x0d;
const SPACE: u16 = 0x20;

/// The hashes of the wanted lines of a source.
pub struct LineHashes {
    hashes: HashMap<u32, String>,
}

impl LineHashes {
    /// Hashes the wanted lines (from 1) of a source, in one pass that ends after the last of them.
    pub fn new(source: &str, has_bom: bool, wanted: impl IntoIterator<Item = u32>) -> Self {
        let wanted: BTreeSet<u32> = wanted.into_iter().collect();
        let lines = line_hashes(units(source, has_bom), wanted.last().copied().unwrap_or(0) as usize);
        let hash_of = |line: &u32| lines.get((*line as usize).checked_sub(1)?).copied();
        // Only what a wanted line shares its hash with is counted: a map of all lines would dwarf the source.
        let mut occurrences: HashMap<u64, u32> = wanted.iter().filter_map(hash_of).map(|hash| (hash, 0)).collect();
        let mut hashes = HashMap::with_capacity(wanted.len());
        for (line, hash) in (1..).zip(&lines) {
            let Some(occurrence) = occurrences.get_mut(hash) else { continue };
            *occurrence += 1;
            if wanted.contains(&line) {
                hashes.insert(line, format!("{hash:x}:{occurrence}"));
            }
        }
        Self { hashes }
    }

    /// The hash of a wanted line, from 1.
    pub fn of_line(&self, line: u32) -> Option<String> {
        self.hashes.get(&line).cloned()
    }
}

/// The code units that count: without blanks and tabs, with every line ending as one LF, and with the end.
fn units(source: &str, has_bom: bool) -> impl Iterator<Item = u16> {
    let mut is_after_cr = false;
    let counting = has_bom.then_some(BYTE_ORDER_MARK).into_iter().chain(source.encode_utf16()).filter_map(move |unit| {
        let was_after_cr = std::mem::replace(&mut is_after_cr, unit == CR);
        match unit {
            SPACE | TAB => None,
            LF if was_after_cr => None,
            CR => Some(LF),
            unit => Some(unit),
        }
    });
    counting.chain(once(END))
}

/// The hashes of the first lines, in order.
///
/// The published code keeps the last 100 units and takes the oldest out of the hash at each step. The hash of
/// everything so far does the same without the units: what a line started with is taken out when its window ends.
fn line_hashes(units: impl Iterator<Item = u16>, first: usize) -> Vec<u64> {
    let leaving = (0..WINDOW).fold(1, |power: u64, _| power.wrapping_mul(BASE));
    let mut hash: u64 = 0;
    let mut is_line_start = true;
    // Where the window of each line that is not yet hashed ends, and the hash before the line.
    let mut open: VecDeque<(usize, u64)> = VecDeque::new();
    let mut hashes = Vec::new();
    for (at, unit) in units.chain(repeat_n(0, WINDOW)).enumerate() {
        if first <= hashes.len() {
            break;
        }
        if is_line_start {
            open.push_back((at + WINDOW - 1, hash));
        }
        is_line_start = unit == LF;
        hash = hash.wrapping_mul(BASE).wrapping_add(u64::from(unit));
        if let Some((_, before)) = open.pop_front_if(|(end, _)| *end == at) {
            hashes.push(hash.wrapping_sub(before.wrapping_mul(leaving)));
        }
    }
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::span::LineIndex;

    fn check(source: &str, has_bom: bool, expected: &[&str]) {
        let lines = LineIndex::new(source).lines();
        let hashes = LineHashes::new(source, has_bom, 1..=lines);
        let found: Vec<String> = (1..=lines).filter_map(|line| hashes.of_line(line)).collect();
        assert_eq!(found, expected, "{source:?}");
        assert_eq!(hashes.of_line(lines + 1), None);
    }

    #[test]
    fn hashes_are_those_of_githubs_own_tests() {
        check("", false, &["c129715d7a2bc9a3:1"]);
        check(" a\nb\n  \t\tc\n d", false, &["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]);
        check(
            " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End",
            false,
            &[
                "8b7cf3e952e7aeb2:1",
                "b1ae1287ec4718d9:1",
                "bff680108adb0fcc:1",
                "c6805c5e1288b612:1",
                "b86d3392aea1be30:1",
                "e6ceba753e1a442:1",
            ],
        );
        check(
            "x = 2\nx = 1\nprint(x)\nx = 3\nprint(x)\nx = 4\nprint(x)\n",
            false,
            &[
                "e54938cc54b302f1:1",
                "bb609acbe9138d60:1",
                "1131fd5871777f34:1",
                "5c482a0f8b35ea28:1",
                "54517377da7028d2:1",
                "2c644846cb18d53e:1",
                "f1b89f20de0d133:1",
                "c129715d7a2bc9a3:1",
            ],
        );
    }

    #[test]
    fn every_line_ending_counts_the_same() {
        let expected = [
            "e9496ae3ebfced30:1",
            "fb7c023a8b9ccb3f:1",
            "ce8ba1a563dcdaca:1",
            "e20e36e16fcb0cc8:1",
            "b3edc88f2938467e:1",
            "c8e28b0b4002a3a0:1",
            "c129715d7a2bc9a3:1",
        ];
        for source in [
            " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n",
            " hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r",
            " hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n",
            " hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n",
        ] {
            check(source, false, &expected);
        }
        // A blank parts a CR from the LF after it; LS, PS and NEL end no line.
        let parted = ["58bb403fac6df472:1", "79c1ecac854f2c03:1", "a0e70ee94550ca05:1", "3c5bef55b72b93c9:1", "c129715d7a2bc9a3:1"];
        check("a\r \nb\r\t\n", false, &parted);
        check("a𝄞é\u{a0}b\n\u{2028}c\n", false, &["b36d4b774f2014e8:1", "7a6fb527fc57b764:1", "c129715d7a2bc9a3:1"]);
    }

    #[test]
    fn equal_lines_are_told_apart_by_their_occurrence() {
        let expected = [
            "a7f2ff13bc495cf2:1",
            "a7f2ff13bc495cf2:2",
            "a7f2ff13bc495cf2:3",
            "a7f2ff13bc495cf2:4",
            "a7f2ff13bc495cf2:5",
            "a7f2ff13bc495cf2:6",
            "a7f2ff1481e87703:1",
            "a9cf91f7bbf1862b:1",
            "55ec222b86bcae53:1",
            "cc97dc7b1d7d8f7b:1",
            "c129715d7a2bc9a3:1",
        ];
        let source = "Lorem ipsum dolor sit amet.\n".repeat(10);
        check(&source, false, &expected);
        // The lines before a wanted one count even though nobody asked for them.
        let hashes = LineHashes::new(&source, false, [5]);
        assert_eq!(hashes.of_line(5).as_deref(), Some("a7f2ff13bc495cf2:5"));
        assert_eq!(hashes.of_line(4), None);
    }

    #[test]
    fn a_byte_order_mark_is_the_first_unit_of_the_first_line() {
        let expected = ["4233a4a1323ef176:1", "48d016366484cbfb:1", "367a09548331ddc7:1", "c129715d7a2bc9a3:1"];
        check(&"callTool(\"x\");\n".repeat(3), true, &expected);
        check("a\nb\n", true, &["8fff498b8a070609:1", "ade70578248be16f:1", "c129715d7a2bc9a3:1"]);
    }
}
