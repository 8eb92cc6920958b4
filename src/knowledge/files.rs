//! From which files of `knowledge/` the rows are.

/// From which file the rows of a section are, in their order: so many of that section from that file.
pub static FILES: &[(&str, usize, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file from which the row of a section is that stands at a place of its list.
pub fn file_of(section: &str, at: usize) -> Option<&'static str> {
    let mut end = 0;
    FILES.iter().filter(|(own, ..)| *own == section).find_map(|(_, count, file)| {
        end += count;
        (at < end).then_some(*file)
    })
}
