//! Lists of paths (`--files-from`), separated by newlines or NULs.

use std::path::PathBuf;

/// The paths of a list: separated by NULs if there is one in it, by newlines otherwise. Empty ones
/// are left out.
pub fn paths(bytes: &[u8]) -> Vec<PathBuf> {
    let separator = if bytes.contains(&0) { 0 } else { b'\n' };
    let names = bytes.split(|byte| *byte == separator);
    let names = names.map(|name| if separator == b'\n' { name.strip_suffix(b"\r").unwrap_or(name) } else { name });
    names.filter(|name| !name.is_empty()).map(path).collect()
}

#[cfg(unix)]
fn path(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_anywhere_makes_nul_the_separator() {
        let check = |bytes: &[u8], expected: &[&str]| {
            assert_eq!(paths(bytes), expected.iter().map(PathBuf::from).collect::<Vec<_>>(), "{bytes:?}");
        };
        check(b"a\nb\r\n\nc", &["a", "b", "c"]);
        check(b"a\nb\0c\0", &["a\nb", "c"]);
        check(b"", &[]);
    }
}
