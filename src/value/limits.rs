//! The bounds that keep hostile input from stalling or crashing a scan.

/// Bounds on one source. Passing one makes the subject undetermined, with the limit's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest file that is read, in bytes.
    pub file_size: u64,
    /// Deepest nesting of brackets that is parsed.
    pub nesting: u32,
    /// Longest run of tokens that is parsed as one construct (operators, `else if`, `a.b.c` …).
    pub chain: u32,
    /// Most syntax nodes of one script.
    pub nodes: u32,
    /// Most expressions that are followed in one script, beside a number for each of its syntax nodes.
    pub fuel: u32,
    /// Most calls taken from one subject.
    pub calls: u32,
    /// Most segments taken from one subject.
    pub segments: u32,
    /// Most matches kept of one subject; the worst are kept.
    pub matches: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_size: 8 * 1024 * 1024,
            nesting: 1_000,
            chain: 20_000,
            nodes: 5_000_000,
            fuel: 4_000_000,
            calls: 200_000,
            segments: 1_000_000,
            matches: 1_000,
        }
    }
}
