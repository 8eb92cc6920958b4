//! A tool as its server defines it.

/// A tool as its server defines it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it says of itself.
    pub description: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// Hints about its risk, by name: `readOnlyHint`, `destructiveHint`, `openWorldHint`.
    pub hints: Vec<(String, bool)>,
}

/// One thing that a tool takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What is said of it.
    pub description: String,
    /// The texts that it may be, where they are listed.
    pub choices: Vec<String>,
}

impl Definition {
    /// A tool of which nothing is known but its name.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Whether a hint holds; none where nothing is said.
    pub fn hint(&self, name: &str) -> Option<bool> {
        self.hints.iter().find(|(known, _)| known == name).map(|(_, holds)| *holds)
    }
}
