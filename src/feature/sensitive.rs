//! Field names that tell sensitive data: passwords, persons, money.

use crate::feature::names::words;
use crate::feature::vocabulary::Words;
use crate::value::span::Span;

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

/// What a sensitive field tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sensitivity {
    /// How to reach a person: e-mail, phone, address.
    Contact,
    /// Who a person is.
    Personal,
    /// Money and cards.
    Financial,
    /// How to get in.
    Authentication,
}

impl Sensitivity {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Personal => "personal",
            Self::Financial => "financial",
            Self::Authentication => "authentication",
        }
    }
}

/// Runs of words that tell sensitive data wherever they stand in a name, the most telling first.
const PHRASES: &[(&[&str], Sensitivity)] = &[
    (&["password"], Sensitivity::Authentication),
    (&["passwords"], Sensitivity::Authentication),
    (&["passwd"], Sensitivity::Authentication),
    (&["pwd"], Sensitivity::Authentication),
    (&["passphrase"], Sensitivity::Authentication),
    (&["passcode"], Sensitivity::Authentication),
    (&["secret"], Sensitivity::Authentication),
    (&["secrets"], Sensitivity::Authentication),
    (&["credential"], Sensitivity::Authentication),
    (&["credentials"], Sensitivity::Authentication),
    (&["apikey"], Sensitivity::Authentication),
    (&["api", "key"], Sensitivity::Authentication),
    (&["api", "keys"], Sensitivity::Authentication),
    (&["private", "key"], Sensitivity::Authentication),
    (&["privatekey"], Sensitivity::Authentication),
    (&["ssh", "key"], Sensitivity::Authentication),
    (&["access", "key"], Sensitivity::Authentication),
    (&["signing", "key"], Sensitivity::Authentication),
    (&["encryption", "key"], Sensitivity::Authentication),
    (&["access", "token"], Sensitivity::Authentication),
    (&["auth", "token"], Sensitivity::Authentication),
    (&["api", "token"], Sensitivity::Authentication),
    (&["refresh", "token"], Sensitivity::Authentication),
    (&["session", "token"], Sensitivity::Authentication),
    (&["bearer", "token"], Sensitivity::Authentication),
    (&["bot", "token"], Sensitivity::Authentication),
    (&["otp"], Sensitivity::Authentication),
    (&["totp"], Sensitivity::Authentication),
    (&["mfa", "code"], Sensitivity::Authentication),
    (&["credit", "card"], Sensitivity::Financial),
    (&["creditcard"], Sensitivity::Financial),
    (&["card", "number"], Sensitivity::Financial),
    (&["cvv"], Sensitivity::Financial),
    (&["cvc"], Sensitivity::Financial),
    (&["iban"], Sensitivity::Financial),
    (&["bank", "account"], Sensitivity::Financial),
    (&["account", "number"], Sensitivity::Financial),
    (&["routing", "number"], Sensitivity::Financial),
    (&["salary"], Sensitivity::Financial),
    (&["salaries"], Sensitivity::Financial),
    (&["ssn"], Sensitivity::Personal),
    (&["social", "security"], Sensitivity::Personal),
    (&["national", "id"], Sensitivity::Personal),
    (&["tax", "id"], Sensitivity::Personal),
    (&["passport"], Sensitivity::Personal),
    (&["birth", "date"], Sensitivity::Personal),
    (&["birthdate"], Sensitivity::Personal),
    (&["date", "of", "birth"], Sensitivity::Personal),
    (&["dob"], Sensitivity::Personal),
    (&["driver", "license"], Sensitivity::Personal),
    (&["diagnosis"], Sensitivity::Personal),
    (&["medical", "record"], Sensitivity::Personal),
];

/// Names that tell sensitive data only when they are the whole name.
const WHOLE: &[(&str, Sensitivity)] = &[
    ("token", Sensitivity::Authentication),
    ("tokens", Sensitivity::Authentication),
    ("bearer", Sensitivity::Authentication),
    ("pin", Sensitivity::Authentication),
    ("email", Sensitivity::Contact),
    ("emails", Sensitivity::Contact),
    ("phone", Sensitivity::Contact),
    ("address", Sensitivity::Contact),
];

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

fn category(words: &[String]) -> Option<Sensitivity> {
    if let [only] = words {
        let whole = WHOLE.iter().find(|(word, _)| word == only);
        if let Some((_, category)) = whole {
            return Some(*category);
        }
    }
    let says = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window.iter().zip(phrase).all(|(word, part)| word == part));
    PHRASES.iter().find(|(phrase, _)| says(phrase)).map(|(_, category)| *category)
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
