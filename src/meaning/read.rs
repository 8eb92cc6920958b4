//! What is read: how sensitive it is, how much it is, and who wrote it.

use crate::knowledge::command::list;
use crate::knowledge::secret::is_secret_variable;
use crate::knowledge::sensitivity::category;
use crate::knowledge::tool::noun;
use crate::knowledge::words::Tag;
use crate::knowledge::{Sensitivity, SinkKind};
use crate::meaning::reach::Reach;
use crate::subject::flow::{Flow, OriginKind};
use crate::value::words::{joined, words};

/// What is read at an origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// What it is read from.
    pub kind: OriginKind,
    /// What kind of data it is; none, if nothing tells that it is sensitive.
    pub sensitivity: Option<Sensitivity>,
    /// It tells nothing: a count, an identifier, an answer of a tool that only acts, what the user typed.
    pub is_harmless: bool,
    /// Anybody can read it.
    pub is_public: bool,
    /// It is a whole collection, or much of one.
    pub is_many: bool,
    /// Nothing chooses what is listed.
    pub is_unfiltered: bool,
    /// Strangers write it.
    pub is_untrusted: bool,
    /// It is a file whose lines give variables their values: each is as secret as its name says.
    pub is_of_variables: bool,
    /// It is what people say of it: "personal data read by `crm:list`".
    pub words: String,
}

impl Read {
    /// Returns true if and only if it is how to get in somewhere.
    pub fn is_secret(&self) -> bool {
        self.sensitivity == Some(Sensitivity::Authentication)
    }

    /// What is read of it at a field, `[].email`.
    pub fn at(&self, field: &str) -> Self {
        let mut read = self.clone();
        let names: Vec<&str> = field.split('.').filter(|part| !part.is_empty() && *part != "[]").collect();
        let Some(last) = names.last() else { return read };
        let parts = words(last);
        // `card.number` is a number of nothing by itself.
        let parts = match names.as_slice() {
            [.., of, "number" | "no"] if category(&words(&format!("{of} {last}"))).is_some() => words(&format!("{of} {last}")),
            _ => parts,
        };
        let is_tool = self.kind == OriginKind::Tool;
        let is_variable =
            self.is_of_variables && last.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        if is_variable && !is_secret_variable(Some(last)) {
            (read.sensitivity, read.is_harmless, read.words) = (None, true, format!("`{last}` of {}", self.words));
            return read;
        }
        // Of what was given the whole environment to run in: what a program says when it has run.
        if self.kind == OriginKind::Environment && self.is_many && Tag::RunAnswer.has(&last.to_lowercase()) {
            (read.sensitivity, read.is_harmless, read.is_many) = (None, true, false);
            return read;
        }
        // Of a pair of keys one is there for everybody to see.
        let is_half = list("public-halves").contains(&joined(last).as_str()) && self.kind == OriginKind::File;
        if is_half || list("public-parts").contains(&joined(last).as_str()) && self.sensitivity == Some(Sensitivity::Authentication) {
            (read.sensitivity, read.is_harmless) = (None, true);
            return read;
        }
        // What a login is called lets nobody in.
        let is_of_account = || matches!(names.as_slice(), ["account", "label" | "id"]);
        if is_tool && (list("names-of-things").contains(&joined(last).as_str()) || is_of_account()) && self.is_secret() {
            (read.sensitivity, read.words) = (Some(Sensitivity::Internal), format!("`{last}` of {}", self.words));
            return read;
        }
        // `clientSecretPath` says where a secret lies.
        let is_kept = 1 < parts.len() && parts.last().is_some_and(|last| Tag::NotSecret.has(last));
        // What somebody fills in and sends: all of a card.
        let is_filled_in = self.kind == OriginKind::Incoming && list("lured-for").contains(&joined(last).as_str());
        let filled_in = || is_filled_in.then_some(Sensitivity::Financial);
        let way_in = || (!is_kept && Tag::WayInField.has_any(parts.iter())).then_some(Sensitivity::Authentication);
        if let Some(own) = category(&parts).filter(|own| !is_kept || *own != Sensitivity::Authentication).or_else(way_in).or_else(filled_in)
        {
            (read.sensitivity, read.is_harmless, read.is_public) = (Some(own), false, false);
        } else if is_harmless(&parts)
            && !(parts.len() == 1 && last.to_lowercase() == "number" && read.sensitivity > Some(Sensitivity::Internal))
        {
            (read.sensitivity, read.is_harmless) = (None, true);
        } else if let Some(own) = names.iter().filter_map(|name| named(name, !is_tool || self.is_public)).max() {
            read.sensitivity = read.sensitivity.max(Some(own));
            read.is_public &= own < Sensitivity::Authentication;
            read.is_harmless &= own < Sensitivity::Authentication;
        }
        read.words = format!("`{last}` of {}", self.words);
        read
    }
}

impl Read {
    /// What is read at a field that flows to an argument. Where a secret lies is none, unless whoever is told takes the file from there.
    pub fn passed(&self, flow: &Flow, reach: Option<&Reach>) -> Self {
        let mut read = self.at(&flow.field);
        let last = |path: &str| path.rsplit('.').find(|part| !part.is_empty() && *part != "[]").map(joined).unwrap_or_default();
        // What is attached by its number goes along whole: `fax:send { document: sheet.documentId }`.
        let is_number = words(&last(&flow.field)).last().is_some_and(|word| word.ends_with("id") || word.ends_with("ids"));
        let says = |key: &str| words(key).iter().any(|word| list("attached-by").contains(&word.as_str()));
        let keys = || flow.argument.rsplit('.').filter(|key| !key.is_empty() && *key != "[]");
        let attaches = || keys().next().is_some_and(|key| says(key) || joined(key) == "id" && keys().any(says));
        let is_sent = reach.is_some_and(|reach| reach.does(SinkKind::Mail) || reach.does(SinkKind::Chat));
        if self.kind == OriginKind::Tool && Some(Sensitivity::Internal) < self.sensitivity && is_number && is_sent && attaches() {
            return self.clone();
        }
        let is_place = matches!(last(&flow.field).as_str(), "path" | "paths" | "mount");
        if is_place && self.kind == OriginKind::Tool && self.sensitivity == Some(Sensitivity::Authentication) {
            let is_taken = flow.argument.split('.').any(|key| Tag::HandedFileKey.has(&joined(key)) || Tag::FileKey.has(&joined(key)));
            // A command may take the file from there, too.
            if !is_taken && !reach.is_none_or(|reach| reach.does(SinkKind::Command)) {
                (read.sensitivity, read.is_harmless) = (None, true);
            }
        }
        read
    }
}

fn is_harmless(words: &[String]) -> bool {
    let is_way_in = Tag::WayInWord.has_any(words.iter());
    // What a name asks is answered by yes or no.
    let is_question = 1 < words.len() && words.first().is_some_and(|first| Tag::Question.has(first));
    let is_code = matches!(words, [.., kind, last] if last == "code" && Tag::CodeOf.has(kind));
    let is_number = matches!(words, [.., last] if last == "number") && words.iter().rev().skip(1).all(|word| Tag::Counted.has(word));
    // `totalItems`: how many there are.
    let is_total = matches!(words, [first, rest @ ..] if Tag::CountingKey.has(first)
        && rest.last().is_some_and(|last| last.ends_with('s')) && category(rest).is_none());
    // `expiresOn`: a day.
    let is_day = matches!(words, [.., when, last] if matches!(last.as_str(), "on" | "at") && when.ends_with(['s', 'd']));
    is_question
        || is_day
        || !is_way_in && (is_total || is_number || is_code || words.last().is_some_and(|last| Tag::HarmlessField.has(last)))
}

/// What kind of data a name on the way to a field tells.
fn named(name: &str, is_public: bool) -> Option<Sensitivity> {
    let parts = words(name);
    let way_in = Tag::WayInField.has_any(parts.iter()).then_some(Sensitivity::Authentication);
    let nouns = parts.iter().filter_map(|word| noun(word)).filter(|noun| noun.sink.is_none() && !is_public);
    let told = nouns.filter_map(|noun| noun.sensitivity).filter(|kind| *kind != Sensitivity::Authentication).max();
    category(&parts).max(way_in).max(told)
}
