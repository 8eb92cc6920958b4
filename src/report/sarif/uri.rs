//! Names of sources as URIs.

use std::path::{Component, Path, Prefix};

use crate::report::sarif::document::ArtifactLocation;
use crate::value::source::SourceName;

/// What relative names are relative to, by the name that is customary.
const SOURCE_ROOT_ID: &str = "%SRCROOT%";

/// Where a source stands: relative to the root of the sources, or absolute with a scheme.
pub fn artifact(name: &SourceName) -> ArtifactLocation {
    let path = name.path();
    let (authority, segments) = parts(path);
    let names = segments.join("/");
    match authority {
        Some(authority) => ArtifactLocation { uri: format!("file://{authority}/{names}"), uri_base_id: None },
        // An empty reference would count as missing.
        None if names.is_empty() => ArtifactLocation { uri: ".".to_owned(), uri_base_id: Some(SOURCE_ROOT_ID) },
        None => ArtifactLocation { uri: names, uri_base_id: Some(SOURCE_ROOT_ID) },
    }
}

/// The encoded segments of a path, and what stands before them if it is absolute.
fn parts(path: &Path) -> (Option<String>, Vec<String>) {
    let mut authority = None;
    let mut segments = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::RootDir => {
                authority.get_or_insert_default();
            }
            Component::ParentDir => segments.push("..".to_owned()),
            Component::Normal(name) => segments.push(encoded(name.as_encoded_bytes())),
            Component::Prefix(prefix) => {
                let server = match prefix.kind() {
                    Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => {
                        segments.push(format!("{}:", char::from(letter)));
                        String::new()
                    }
                    Prefix::UNC(server, share) | Prefix::VerbatimUNC(server, share) => {
                        segments.push(encoded(share.as_encoded_bytes()));
                        encoded(server.as_encoded_bytes())
                    }
                    Prefix::Verbatim(name) | Prefix::DeviceNS(name) => {
                        segments.push(encoded(name.as_encoded_bytes()));
                        String::new()
                    }
                };
                authority = Some(server);
            }
        }
    }
    (authority, segments)
}

/// Bytes as a segment of a URI. A colon is encoded as well: in a first segment it would end a scheme.
fn encoded(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len()), |mut text, &byte| {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(location: &ArtifactLocation, uri: &str, uri_base_id: Option<&'static str>) {
        assert_eq!(*location, ArtifactLocation { uri: uri.to_owned(), uri_base_id });
    }

    #[test]
    fn relative_names_are_encoded_and_have_a_base() {
        for (path, expected) in [
            ("src/main.js", "src/main.js"),
            ("./././a//b/./c.js", "a/b/c.js"),
            ("../up.js", "../up.js"),
            ("a b/new\nline.js", "a%20b/new%0Aline.js"),
            ("100%/#1?.js", "100%25/%231%3F.js"),
            ("file:x.js", "file%3Ax.js"),
            ("é/𝄞[id].js", "%C3%A9/%F0%9D%84%9E%5Bid%5D.js"),
            ("@scope/it's+(1).js", "@scope/it's+(1).js"),
            (".", "."),
            ("", "."),
        ] {
            check(&artifact(&SourceName::walked(path)), expected, Some(SOURCE_ROOT_ID));
        }
    }

    #[cfg(unix)]
    #[test]
    fn absolute_names_have_a_scheme_and_no_base() {
        for (path, expected) in [("/home/me/a b.js", "file:///home/me/a%20b.js"), ("/", "file:///"), ("//x/../y.js", "file:///x/../y.js")] {
            check(&artifact(&SourceName::explicit(path)), expected, None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn every_byte_of_a_name_is_kept() {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"a\xff\\b.js");
        check(&artifact(&SourceName::walked(name)), "a%FF%5Cb.js", Some(SOURCE_ROOT_ID));
    }

    #[cfg(windows)]
    #[test]
    fn drives_and_servers_are_absolute() {
        for (path, expected) in [
            (r"C:\a b\c.js", "file:///C:/a%20b/c.js"),
            (r"\\?\C:\c.js", "file:///C:/c.js"),
            (r"\\server\share\c.js", "file://server/share/c.js"),
        ] {
            check(&artifact(&SourceName::explicit(path)), expected, None);
        }
        check(&artifact(&SourceName::walked(r".\a\b.js")), "a/b.js", Some(SOURCE_ROOT_ID));
    }
}
