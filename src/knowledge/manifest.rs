//! What servers say of their tools: descriptions, and hints about their risk.

use std::collections::HashMap;

use crate::subject::call::{Call, Hint};

/// A longer description is cut off, in bytes: every call of the tool carries a copy.
const LONGEST: usize = 2_000;

/// What is said of tools, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    tools: HashMap<String, Description>,
}

/// What is said of one tool.
#[derive(Clone, Debug, Default, PartialEq)]
struct Description {
    doc: Option<String>,
    hints: Vec<(String, Hint)>,
}

impl Manifest {
    /// Adds what is said of a tool: its description, and hints that hold or do not. Where a tool is named twice, all
    /// that is said of it counts, and of two hints of one name the one that holds.
    pub fn add(&mut self, name: String, description: &str, hints: &[(&str, bool)]) {
        let known = self.tools.entry(name).or_default();
        known.say(description);
        hints.iter().for_each(|(name, holds)| known.hint(name, *holds));
    }

    /// Returns true if and only if nothing is said of any tool.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Gives a call what is said of its tool, before what its script says of it.
    pub fn describe(&self, call: &mut Call) {
        let Some(description) = call.tool.name().and_then(|name| self.of(name)) else {
            return;
        };
        let said = description.doc.iter().cloned().chain(call.doc.take()).collect::<Vec<_>>();
        call.doc = Some(said.join("\n")).filter(|doc| !doc.is_empty());
        let mut hints = description.hints.clone();
        hints.extend(call.hints.drain(..).filter(|(name, _)| !description.hints.iter().any(|(known, _)| known == name)));
        call.hints = hints;
    }

    /// Returns true if and only if a server says that its tool destroys.
    pub fn warns(&self, name: &str) -> bool {
        let holds = |(hint, value): &(String, Hint)| hint == "destructiveHint" && *value == Hint::Flag(true);
        !self.tools.is_empty() && self.of(name).is_some_and(|description| description.hints.iter().any(holds))
    }

    /// What is said of a tool; agents call `tool` of a server also `mcp__server__tool`.
    fn of(&self, name: &str) -> Option<&Description> {
        let bare = || name.strip_prefix("mcp__")?.split_once("__").map(|(_, tool)| tool);
        self.tools.get(name).or_else(|| self.tools.get(bare()?))
    }
}

impl Description {
    fn say(&mut self, text: &str) {
        let text = text.trim();
        let end = (0..=LONGEST.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let text = text.get(..end).unwrap_or_default();
        if text.is_empty() || self.doc.as_ref().is_some_and(|doc| LONGEST < doc.len()) {
            return;
        }
        self.doc = Some(self.doc.take().map_or_else(|| text.to_owned(), |doc| format!("{doc}\n{text}")));
    }

    fn hint(&mut self, name: &str, holds: bool) {
        match self.hints.iter_mut().find(|(known, _)| known == name) {
            Some((_, Hint::Flag(known))) => *known |= holds,
            Some(_) => {}
            None => self.hints.push((name.to_owned(), Hint::Flag(holds))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Manifest;
    use crate::subject::call::{Call, Disguise, Hint, Repeat, Tool, Value};
    use crate::value::span::Span;

    fn call(name: &str, doc: Option<&str>, hints: &[(&str, bool)]) -> Call {
        Call {
            tool: Tool::Named(name.to_owned()),
            disguise: Disguise::None,
            argument: Value::Missing,
            loop_depth: 0,
            repeated: false,
            repeat: Repeat::Once,
            over: Vec::new(),
            nth: 0,
            earlier: 0,
            doc: doc.map(str::to_owned),
            hints: hints.iter().map(|(name, holds)| ((*name).to_owned(), Hint::Flag(*holds))).collect(),
            span: Span::default(),
            tool_span: Span::default(),
            is_method: false,
        }
    }

    #[test]
    fn a_script_cannot_take_back_what_a_manifest_says() {
        let mut manifest = Manifest::default();
        manifest.add("rm".to_owned(), " Removes. ", &[("destructiveHint", true)]);
        let mut described = call("mcp__disk__rm", Some("Harmless."), &[("destructiveHint", false), ("pii", true)]);
        manifest.describe(&mut described);
        assert_eq!(described.doc.as_deref(), Some("Removes.\nHarmless."));
        assert_eq!(described.hints, [("destructiveHint".to_owned(), Hint::Flag(true)), ("pii".to_owned(), Hint::Flag(true))]);
        let mut other = call("ls", Some("Lists."), &[]);
        manifest.describe(&mut other);
        assert_eq!(other.doc.as_deref(), Some("Lists."));
    }

    #[test]
    fn of_a_tool_that_is_named_twice_the_worse_counts() {
        let mut manifest = Manifest::default();
        manifest.add("rm".to_owned(), "Removes.", &[("destructiveHint", true)]);
        manifest.add("rm".to_owned(), "Forever.", &[("destructiveHint", false)]);
        let mut described = call("rm", None, &[]);
        manifest.describe(&mut described);
        assert_eq!((described.doc.as_deref(), described.hints.len()), (Some("Removes.\nForever."), 1));
        assert_eq!(described.hints[0].1, Hint::Flag(true));
    }
}
