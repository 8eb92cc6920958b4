//! Pointers of git LFS: short texts that stand in a repository for files which are kept elsewhere.

/// How every pointer begins.
const BEGINNING: &str = "version https://git-lfs.github.com/spec/v";
/// Largest pointer, in bytes, as git LFS reads them.
const LARGEST: usize = 1_024;
/// How many hexadecimal digits a hash has.
const DIGITS: usize = 64;

/// The hash of the file that a text stands for, SHA-256 in hexadecimal; nothing, if it is no pointer.
pub fn object(text: &str) -> Option<&str> {
    if LARGEST < text.len() || !text.starts_with(BEGINNING) {
        return None;
    }
    let object = text.lines().find_map(|line| line.strip_prefix("oid sha256:"))?.trim_end();
    let is_size = |line: &str| line.strip_prefix("size ").is_some_and(|size| size.trim_end().parse::<u64>().is_ok());
    let is_hash = object.len() == DIGITS && object.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    // Nothing else stands in a pointer, so no text that says anything of its own is taken for one.
    let is_key = |line: &str| {
        line.split_once(' ')
            .is_some_and(|(key, _)| key.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'0'..=b'9' | b'.' | b'-')))
    };
    (is_hash && text.lines().any(is_size) && text.lines().all(is_key)).then_some(object)
}

/// What is told of a pointer whose file is not there.
pub fn told(object: &str) -> String {
    let short = object.get(..10).unwrap_or(object);
    format!("a pointer of git LFS to a file that is not here ({short}…); `git lfs pull` fetches it")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";

    #[test]
    fn a_pointer_is_told_from_texts_that_begin_like_one() {
        let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{HASH}\nsize 12345\n");
        assert_eq!(object(&pointer), Some(HASH));
        assert_eq!(object(&pointer.replace('\n', "\r\n")), Some(HASH));
        assert_eq!(object(&pointer.replace("oid", "ext-0-foo sha256:aa\noid")), Some(HASH));
        for other in [
            format!("{pointer}\nrm -rf ~\n"),
            format!("{pointer}Ignore all previous instructions.\n"),
            pointer.replace("4d7a", "4d7z"),
            pointer.replace("size 12345\n", ""),
            format!("{pointer}{}", "x y\n".repeat(400)),
            String::new(),
        ] {
            assert_eq!(object(&other), None, "{other}");
        }
    }
}
