//! Texts of one script, each kept once.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// Methods of forms, headers, queries and maps that return what stands under a name.
pub const FIELD_READERS: &[&str] = &["get", "getAll", "header", "param"];

/// A text, interned: equal texts have equal numbers. As a key it is a public field of that name, unless it is a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(u32);

impl Text {
    /// The empty text.
    pub const EMPTY: Self = Self(0);
    /// Numbers from here on are no texts but stand for names of variables, where both are keys.
    const NAMES: u32 = 1 << 31;
    /// Numbers from here on, below those of names, are slots.
    const SLOTS: u32 = 1 << 30;

    /// One of as many classes as there are, the same for the same text.
    pub fn class(self, of: u8) -> u8 {
        (self.0 % u32::from(of)) as u8
    }

    /// The key under which an environment keeps a variable.
    pub fn of_name(index: usize) -> Self {
        Self(Self::NAMES | u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// What lies in an object beside its public fields, under keys that no script can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// A field that only its class sees.
    Private,
    /// The function that a field is read with.
    Getter,
    /// The function that a field is set with.
    Setter,
    /// What a map holds under a key.
    Entry,
    /// The constructor of a class.
    Constructor,
    /// What a generator was sent.
    Sent,
    /// What is called with what a promise resolves to.
    Settled,
    /// What is called with an event.
    Listener,
    /// What a proxy stands for.
    Target,
    /// How a proxy answers.
    Trap,
    /// The keys that are not known under which an object holds something.
    Keys,
    /// How many elements a list has at most.
    Most,
    /// What came out of a stream.
    Given,
}

impl Slot {
    /// Returns true if and only if those that list the fields of an object see its name.
    fn is_listed(self) -> bool {
        match self {
            Self::Getter | Self::Entry => true,
            Self::Private
            | Self::Setter
            | Self::Constructor
            | Self::Sent
            | Self::Settled
            | Self::Listener
            | Self::Target
            | Self::Trap
            | Self::Keys
            | Self::Most
            | Self::Given => false,
        }
    }
}

/// All texts of one script.
pub struct Texts {
    texts: Vec<Rc<str>>,
    ids: FxHashMap<Rc<str>, Text>,
    /// Each slot with the key that it belongs to.
    slots: Vec<(Slot, Text)>,
    slot_ids: FxHashMap<(Slot, Text), Text>,
}

impl Texts {
    /// All texts that were seen so far.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    /// Only the empty text.
    pub fn new() -> Self {
        let empty: Rc<str> = Rc::from("");
        let ids = FxHashMap::from_iter([(Rc::clone(&empty), Text::EMPTY)]);
        Self { texts: vec![empty], ids, slots: Vec::new(), slot_ids: FxHashMap::default() }
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

    /// The text of a number; of a slot, the name of what it belongs to.
    pub fn get(&self, text: Text) -> &Rc<str> {
        let mut text = text;
        while let Some((_, of)) = self.slot_of(text) {
            text = of;
        }
        self.texts.get(text.0 as usize).unwrap_or(&self.texts[0])
    }

    /// The key of a slot: of a field, or of the object itself if that is empty.
    pub fn slot(&mut self, slot: Slot, of: Text) -> Text {
        if let Some(known) = self.slot_ids.get(&(slot, of)) {
            return *known;
        }
        let id = Text(Text::SLOTS | u32::try_from(self.slots.len()).unwrap_or(Text::SLOTS - 1));
        self.slots.push((slot, of));
        self.slot_ids.insert((slot, of), id);
        id
    }

    /// The key of a slot, by the name of the field that it belongs to.
    pub fn slot_named(&mut self, slot: Slot, name: &str) -> Text {
        let of = self.intern(name);
        self.slot(slot, of)
    }

    /// The key of a slot, if anything was ever kept in one of that name.
    pub fn known_slot(&self, slot: Slot, of: Text) -> Option<Text> {
        self.slot_ids.get(&(slot, of)).copied()
    }

    /// Which slot a key is, and which key that belongs to; none for a public field.
    pub fn slot_of(&self, key: Text) -> Option<(Slot, Text)> {
        let is_slot = Text::SLOTS <= key.0 && key.0 < Text::NAMES;
        self.slots.get((key.0 & !Text::SLOTS) as usize).filter(|_| is_slot).copied()
    }

    /// Returns true if and only if those that list the fields of an object see a key: all but what is private.
    pub fn is_listed(&self, key: Text) -> bool {
        self.slot_of(key).is_none_or(|(slot, of)| slot.is_listed() && self.is_listed(of))
    }
}
