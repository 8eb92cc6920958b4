//! Texts of one script, each kept once.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// A text, interned: equal texts have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(u32);

impl Text {
    /// The empty text.
    pub const EMPTY: Self = Self(0);
    /// Numbers from here on are no texts but stand for names of variables, where both are keys.
    const NAMES: u32 = 1 << 31;

    /// The key under which an environment keeps a variable.
    pub fn of_name(index: usize) -> Self {
        Self(Self::NAMES | u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// All texts of one script.
pub struct Texts {
    texts: Vec<Rc<str>>,
    ids: FxHashMap<Rc<str>, Text>,
}

impl Texts {
    /// Only the empty text.
    pub fn new() -> Self {
        let empty: Rc<str> = Rc::from("");
        Self { texts: vec![Rc::clone(&empty)], ids: FxHashMap::from_iter([(empty, Text::EMPTY)]) }
    }

    /// The number of a text.
    pub fn intern(&mut self, text: &str) -> Text {
        if let Some(known) = self.ids.get(text) {
            return *known;
        }
        let id = Text(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Rc<str> = Rc::from(text);
        self.texts.push(Rc::clone(&text));
        self.ids.insert(text, id);
        id
    }

    /// The number of a text, if it was ever interned.
    pub fn known(&self, text: &str) -> Option<Text> {
        self.ids.get(text).copied()
    }

    /// The text of a number.
    pub fn get(&self, text: Text) -> &Rc<str> {
        self.texts.get(text.0 as usize).unwrap_or(&self.texts[0])
    }
}
