//! Where a word stands in the table of words: shared by what writes the table and what reads it.

/// The slot at which the search for a word begins, in a table of `slots` slots, which is a power of two: FNV-1a.
pub fn first_slot(word: &str, slots: usize) -> usize {
    let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 15)) as usize & (slots - 1)
}
