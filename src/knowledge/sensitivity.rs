//! What kind of harm data does where it does not belong.

use crate::knowledge::words::{Tag, tags};

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
    /// All kinds, the least harmful first.
    pub const ALL: [Self; 6] = [Self::Internal, Self::Contact, Self::Personal, Self::Health, Self::Financial, Self::Authentication];

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

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

/// What the words of a name tell wherever they stand in it, the most telling first.
const TOLD: [(Tag, Sensitivity); 4] = [
    (Tag::TellsAuthentication, Sensitivity::Authentication),
    (Tag::TellsFinancial, Sensitivity::Financial),
    (Tag::TellsPersonal, Sensitivity::Personal),
    (Tag::TellsHealth, Sensitivity::Health),
];
/// The most words that tell something together.
const LONGEST: usize = 3;

/// The sensitive data that the words of a name tell, if any.
pub fn category(words: &[String]) -> Option<Sensitivity> {
    if let [only] = words {
        let told = tags(only);
        if told.contains(&Tag::WholeAuthentication) {
            return Some(Sensitivity::Authentication);
        }
        if told.contains(&Tag::WholeContact) {
            return Some(Sensitivity::Contact);
        }
    }
    // `pwdLastSet`: when it was set lets nobody in.
    if words.windows(2).last().is_some_and(|last| matches!(last, [last, set] if last == "last" && set == "set")) {
        return None;
    }
    // `AccessKeyId`: which key it is lets nobody in.
    if words.windows(2).last().is_some_and(|last| matches!(last, [key, id] if key == "key" && id == "id")) {
        return None;
    }
    let rank = |told: &[Tag]| TOLD.iter().position(|(tag, _)| told.contains(tag));
    let mut best: Option<usize> = None;
    let mut phrase = String::new();
    for start in 0..words.len() {
        phrase.clear();
        for word in words.iter().skip(start).take(LONGEST) {
            if !phrase.is_empty() {
                phrase.push(' ');
            }
            phrase.push_str(word);
            best = rank(tags(&phrase)).into_iter().chain(best).min();
        }
    }
    best.and_then(|best| TOLD.get(best)).map(|(_, category)| *category)
}
