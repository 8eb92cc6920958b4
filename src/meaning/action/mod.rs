//! Actions: what each call of a subject does, computed once, for checks, models and explanations.
//!
//! An action holds the commands, statements and requests that stand in its argument as actions of their own. How bad an effect
//! is, `knowledge/effects.yaml` says.

pub mod call;
pub mod deletion;
pub mod file;
pub mod grant;
pub mod held;
pub mod keys;
pub mod money;
pub mod nested;
pub mod newcomer;
pub mod outsider;
pub mod payee;
pub mod policy;
pub mod power;
pub mod query;
pub mod remotes;
pub mod rights;
pub mod route;
pub mod unasked;

use crate::knowledge::effect::{Effect, EffectKind};
use crate::value::span::Span;

/// What kind of action it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A call of a tool or of a host API.
    Call,
    /// A command.
    Command,
    /// A statement of a database's language.
    Statement,
    /// A request.
    Request,
}

/// Something that a subject does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What kind of action it is.
    pub way: Way,
    /// Where it stands.
    pub span: Span,
    /// What it does itself.
    pub effects: Vec<Effect>,
    /// The actions in what it is given.
    pub nested: Vec<Self>,
}

impl Action {
    /// Returns true if and only if it does this itself, by whoever's word.
    pub fn does(&self, kind: EffectKind) -> bool {
        self.effects.iter().any(|effect| effect.kind == kind)
    }

    /// This action's nested ones and then itself, each with its effects: what is written out says more than a name.
    pub fn all(&self) -> impl Iterator<Item = (&Self, &Effect)> {
        let nested = self.nested.iter().flat_map(|own| own.effects.iter().map(move |effect| (own, effect)));
        nested.chain(self.effects.iter().map(move |effect| (self, effect)))
    }
}
