//! Formats and files, as they are typed.

use std::path::PathBuf;

/// A format, and the file that it goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Name of the reporter.
    pub format: String,
    /// Where the report goes; standard output, if nowhere else.
    pub file: Option<PathBuf>,
}

/// A format of these, and the file that it goes to.
pub fn output_in(text: &str, formats: &[&str]) -> Result<Output, String> {
    let (format, file) = text.split_once('=').map_or((text, None), |(format, file)| (format, Some(file)));
    if !formats.contains(&format) {
        return Err(format!("the formats are {}", formats.join(", ")));
    }
    match file {
        Some("") => Err("a file name must follow the =".to_owned()),
        file => Ok(Output { format: format.to_owned(), file: file.map(PathBuf::from) }),
    }
}
