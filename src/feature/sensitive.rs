//! Field names that tell sensitive data: passwords, persons, money.

pub use crate::catalogue::sensitivity::Sensitivity;

use crate::catalogue::sensitivity::category;
use crate::feature::vocabulary::Words;
use crate::value::span::Span;
use crate::value::words::words;

/// A sensitive field that a subject names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensitiveField {
    /// The name as written.
    pub name: String,
    /// What it tells.
    pub category: Sensitivity,
    /// Where it is named first.
    pub span: Span,
}

/// Longest name that is looked at, in bytes: longer texts are not names.
const LONGEST: usize = 64;

/// The sensitive data that a field name tells, if any. Texts that are not names tell none.
pub fn field(name: &str, span: Span) -> Option<SensitiveField> {
    let is_name = name.len() <= LONGEST
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$'))
        && name.bytes().any(|byte| byte.is_ascii_alphabetic());
    if !is_name {
        return None;
    }
    let category = category(&words(name))?;
    Some(SensitiveField { name: name.to_owned(), category, span })
}

/// The sensitive data that a tool's name tells, if any (`vault:getSecrets`). How to reach a person does
/// not count: `email:send` tells what the tool does.
pub fn in_tool_name(name: &str, span: Span) -> Option<SensitiveField> {
    let category = category(&words(name)).filter(|category| *category != Sensitivity::Contact)?;
    Some(SensitiveField { name: name.to_owned(), category, span })
}

/// Words of tools whose data is about people, money, health or how to get in.
const SOURCES: Words = Words(
    "user users customer customers employee employees payroll salary salaries secret secrets credential credentials password passwords token tokens \
     patient patients medical health hr member members account accounts card cards transaction transactions pii identity identities student students \
     vault lead leads client clients contact contacts bank people persons subscribers crm ssn tax taxes diagnosis prescriptions billing kyc passports \
     applicants candidates voters guests donors beneficiaries wallet wallets keys iam ehr fhir",
);

/// Returns true if and only if a tool's name tells that it holds data of people, money, health or how to get in.
pub fn is_sensitive_source(tool: &str) -> bool {
    words(tool).iter().any(|word| SOURCES.has(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_tell_sensitive_data() {
        for (name, expected) in [
            ("password", Some(Sensitivity::Authentication)),
            ("user_password", Some(Sensitivity::Authentication)),
            ("apiKey", Some(Sensitivity::Authentication)),
            ("accessToken", Some(Sensitivity::Authentication)),
            ("card_number", Some(Sensitivity::Financial)),
            ("dateOfBirth", Some(Sensitivity::Personal)),
            ("email", Some(Sensitivity::Contact)),
            ("author", None),
            ("nextPageToken", None),
            ("max_tokens", None),
            ("opinion", None),
            ("keyboard", None),
            ("shipping address", None),
            ("secretary", None),
        ] {
            assert_eq!(field(name, Span::default()).map(|field| field.category), expected, "{name}");
        }
    }
}
