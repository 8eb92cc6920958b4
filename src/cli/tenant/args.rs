//! Whose run it is, as it is typed.

use std::path::PathBuf;

use clap::Args as ClapArgs;

/// How long the id of a tenant is at most.
const LONGEST: usize = 64;

/// Whose run it is: shared by the commands that stand before what an agent does.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct TenantArgs {
    /// The tenant whose settings count over the common ones, and whose history it is [default: $CALLGATE_TENANT]
    #[arg(long, value_name = "ID", value_parser = id, help_heading = "Tenant")]
    pub tenant: Option<String>,
    /// The folder with a folder for each tenant: DIR/ID/security.yaml [default: config/tenants]
    #[arg(long, value_name = "DIR", help_heading = "Tenant")]
    pub tenants: Option<PathBuf>,
}

/// An id that is a name and no path, the same on every system.
///
/// # Errors
///
/// When it is another.
pub fn id(text: &str) -> Result<String, String> {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_id = text.len() <= LONGEST
        && text.bytes().all(is_safe)
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.ends_with(|last: char| last.is_ascii_alphanumeric());
    if is_id {
        return Ok(text.to_owned());
    }
    Err(format!("the id of a tenant has letters, digits, `-`, `_` and `.` inside, and at most {LONGEST} of them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_no_path() {
        for text in ["acme", "a", "Acme-2.eu", "0_1"] {
            assert_eq!(id(text).as_deref(), Ok(text));
        }
        let long = "a".repeat(LONGEST + 1);
        for text in ["", ".", "..", "../a", "a/b", "a\\b", "a b", "-a", ".a", "a.", "ä", "a\0", "C:a", long.as_str()] {
            assert!(id(text).is_err(), "{text:?}");
        }
    }
}
