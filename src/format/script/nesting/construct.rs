//! What stands between two brackets, as far as it decides how deep a parser goes.

/// How deep the construct that is being read may nest so far, between two brackets.
#[derive(Clone, Copy, Default)]
pub struct Construct {
    /// Tokens of the unfinished operand.
    pub run: u32,
    /// Statement heads (`if (…)`, `else`, `do`) that the statement stands under.
    pub heads: u32,
    /// The heads of the statement before, which an `else` takes up again, and the `while` of a `do`.
    pub heads_before: u32,
    /// How many of the heads are a `do` whose `while` is yet to come.
    pub dos: u32,
    /// How many of the heads of the statement before are.
    pub dos_before: u32,
    /// `<` that no `>` closed.
    pub angles: u32,
    /// `?` of the unfinished operand.
    pub questions: u32,
    /// Where in a declaration of names this is.
    pub binding: Binding,
    /// It is a `var` declaration.
    pub is_var: bool,
    /// It is something else that a line may end where an expression would go on (`import a from "b"`).
    pub is_declaration: bool,
}

/// Where in a declaration of names a place is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Binding {
    /// In none.
    #[default]
    Outside,
    /// Where a name or a pattern stands.
    Name,
    /// Where a value stands.
    Value,
}

impl Construct {
    /// How deep it may nest.
    pub fn depth(self) -> u32 {
        self.run.saturating_add(self.heads)
    }

    /// Returns true unless only an operator can follow an operand here.
    pub fn may_end(self) -> bool {
        self.is_declaration || self.binding == Binding::Name
    }

    /// Places from which the parser may try again.
    pub fn tries(self) -> u32 {
        self.angles.saturating_add(self.questions)
    }

    /// Goes on with the statement before: an `else`, or the `while` of a `do`.
    pub fn resume(&mut self) {
        if self.heads == 0 {
            self.heads = self.heads_before;
            self.dos = self.dos_before;
        }
        self.heads = self.heads.saturating_add(1);
    }
}
