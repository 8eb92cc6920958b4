//! Who judges a subject and how a file is read, with what is chosen for some files only.

use std::borrow::Cow;

use crate::format::{Language, ReadOptions};
use crate::judge::{Bench, Floor};
use crate::model::Model;
use crate::policy::Policy;
use crate::scan::Scanner;
use crate::scan::overrides::Override;
use crate::subject::{Kind, Subject};
use crate::value::source::SourceName;

/// Who judges a subject, and by what.
pub struct Seat<'s> {
    models: &'s [Box<dyn Model>],
    /// What follows from their opinions.
    pub policy: Cow<'s, Policy>,
    limit: usize,
    floor: Option<&'s Floor>,
}

impl Seat<'_> {
    /// The bench of judges.
    pub fn bench(&self) -> Bench<'_> {
        Bench { models: self.models, policy: &self.policy, limit: self.limit, floor: self.floor }
    }
}

impl Scanner {
    /// Who judges a subject. What an agent calls or hands over is judged as everywhere, whatever it is called.
    pub(super) fn seat(&self, name: &SourceName, subject: &Subject) -> Seat<'_> {
        let limit = self.read.limits.matches as usize;
        let mut seat = Seat { models: &self.models, policy: Cow::Borrowed(&self.policy), limit, floor: self.floor.as_ref() };
        if subject.record.is_some() || subject.kind == Kind::ToolCall {
            return seat;
        }
        for chosen in self.overrides_of(name) {
            chosen.put_on(seat.policy.to_mut());
            seat.models = chosen.models.as_deref().unwrap_or(seat.models);
        }
        seat
    }

    /// How a file is read.
    pub(super) fn read_options(&self, name: &SourceName, language: Language) -> Cow<'_, ReadOptions> {
        // A file of calls holds scripts that an agent wrote.
        let is_calls = language == Language::ToolCall;
        let dialect = self.overrides_of(name).filter(|_| !is_calls).filter_map(|chosen| chosen.dialect).last();
        match dialect {
            Some(dialect) => Cow::Owned(ReadOptions { dialect, ..self.read.clone() }),
            None => Cow::Borrowed(&self.read),
        }
    }

    fn overrides_of<'s>(&'s self, name: &SourceName) -> impl Iterator<Item = &'s Override> {
        self.overrides.iter().filter(|chosen| !name.is_stream && chosen.fits(name))
    }
}
