//! What kind of harm data does where it does not belong.

use std::collections::HashMap;
use std::sync::OnceLock;

/// What a sensitive field tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sensitivity {
    /// What an organisation keeps to itself.
    Internal,
    /// How to reach a person: e-mail, phone, address.
    Contact,
    /// Who a person is.
    Personal,
    /// How well a person is.
    Health,
    /// Money and cards.
    Financial,
    /// How to get in.
    Authentication,
}

impl Sensitivity {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Internal => "internal",
            Self::Contact => "contact",
            Self::Personal => "personal",
            Self::Health => "health",
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
    (&["diagnosis"], Sensitivity::Health),
    (&["medical", "record"], Sensitivity::Health),
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

/// By the first word of a phrase, the positions of those that begin with it.
static STARTS: OnceLock<HashMap<&str, Vec<usize>>> = OnceLock::new();

fn starts() -> HashMap<&'static str, Vec<usize>> {
    let mut starts: HashMap<&str, Vec<usize>> = HashMap::new();
    for (nth, (phrase, _)) in PHRASES.iter().enumerate() {
        starts.entry(phrase.first().copied().unwrap_or_default()).or_default().push(nth);
    }
    starts
}

/// The sensitive data that the words of a name tell, if any.
pub fn category(words: &[String]) -> Option<Sensitivity> {
    if let [only] = words {
        let whole = WHOLE.iter().find(|(word, _)| word == only);
        if let Some((_, category)) = whole {
            return Some(*category);
        }
    }
    let starts = STARTS.get_or_init(starts);
    // Of several phrases the one that is listed first counts.
    let at = words.iter().enumerate().filter_map(|(at, word)| {
        let phrases = starts.get(word.as_str())?;
        let rest = words.get(at..)?;
        phrases.iter().copied().find(|nth| {
            PHRASES
                .get(*nth)
                .is_some_and(|(phrase, _)| phrase.len() <= rest.len() && rest.iter().zip(*phrase).all(|(word, part)| word == part))
        })
    });
    at.min().and_then(|nth| PHRASES.get(nth)).map(|(_, category)| *category)
}
