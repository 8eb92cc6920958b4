//! Abstract values: what a value can be, as far as that is known before the script runs.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::{Change, Taint, Taints};
use crate::format::script::interpret::text::{Text, Texts};
use crate::format::script::js::MAX_TEXT;
use crate::format::script::js::constant::Constant;
use crate::subject::segment::HOLE;

/// What a value can be, interned: equal values have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u32);

/// A value on its way: what it can be, and how its data came here.
#[derive(Clone, Copy, Debug)]
pub struct Val {
    /// What it can be.
    pub id: Id,
    /// The last step of its data; tells nothing about the value itself.
    pub via: StepId,
}

impl Val {
    /// Never: what a call that does not return returns.
    pub const NEVER: Self = Self { id: Id(0), via: StepId::NONE };
    /// `undefined`.
    pub const UNDEFINED: Self = Self { id: Id(1), via: StepId::NONE };
    /// Anything, without data of any origin.
    pub const UNKNOWN: Self = Self { id: Id(2), via: StepId::NONE };

    /// The same value with another last step.
    #[must_use]
    pub fn through(self, via: StepId) -> Self {
        Self { via, ..self }
    }
}

/// An object of the script, by the place where it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// One thing that a value can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// A boolean.
    Boolean(bool),
    /// A number, by its bits.
    Number(u64),
    /// A whole number of any size, by its digits.
    BigInt(Text),
    /// A string.
    Text(Text),
    /// A string of which only parts are known; the others read as a hole.
    Partial(Text),
    /// An object, array or function of the script.
    Object(ObjectId),
    /// Something that the runtime offers, by its path.
    Native(Text),
    /// A time; what can be one can be anything else of that time.
    Time(Time),
}

/// What is known of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Time {
    /// Now or later.
    Now,
    /// How long ago something was: never less than nothing.
    Age,
}

impl Atom {
    fn is_constant(self) -> bool {
        match self {
            Self::Undefined | Self::Null | Self::Boolean(_) | Self::Number(_) | Self::BigInt(_) | Self::Text(_) | Self::Partial(_) => true,
            Self::Object(_) | Self::Native(_) | Self::Time(_) => false,
        }
    }
}

/// What a value can be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// All that is known that it can be.
    pub atoms: Rc<[Atom]>,
    /// It can also be something else.
    pub is_open: bool,
    /// The data it carries, beside what the fields of its objects carry.
    pub taint: Taint,
}

/// The most constants that one value can be.
const CONSTANTS: usize = 6;
/// The most objects that one value can be.
const OBJECTS: usize = 24;
/// How many names of hosts a value keeps of which parts are known, where it may be too many constants.
const PARTIAL: usize = 3;
/// How long all texts together may be that one script puts together, in bytes.
const TEXTS: usize = 24 * 1024 * 1024;

/// All values of one script.
pub struct Values {
    /// All texts.
    pub texts: Texts,
    /// All sets of labels.
    pub taints: Taints,
    shapes: Vec<Shape>,
    ids: FxHashMap<Shape, Id>,
    joins: FxHashMap<(Id, Id), Id>,
    /// How many more bytes of text may be put together.
    text_left: usize,
}

impl Values {
    /// Only the values that have names.
    pub fn new() -> Self {
        let mut values = Self {
            texts: Texts::new(),
            taints: Taints::new(),
            shapes: Vec::new(),
            ids: FxHashMap::default(),
            joins: FxHashMap::default(),
            text_left: TEXTS,
        };
        let shape = |atoms: &[Atom], is_open| Shape { atoms: Rc::from(atoms), is_open, taint: Taint::NONE };
        // In the order of the constants of `Val`.
        for named in [shape(&[], false), shape(&[Atom::Undefined], false), shape(&[], true)] {
            values.intern(named);
        }
        values
    }

    fn intern(&mut self, shape: Shape) -> Id {
        if let Some(known) = self.ids.get(&shape) {
            return *known;
        }
        let id = Id(u32::try_from(self.shapes.len()).unwrap_or(u32::MAX));
        self.shapes.push(shape.clone());
        self.ids.insert(shape, id);
        id
    }

    /// What a value can be.
    pub fn shape(&self, id: Id) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    /// All that is known that a value can be.
    pub fn atoms(&self, id: Id) -> Rc<[Atom]> {
        Rc::clone(&self.shape(id).atoms)
    }

    /// Returns true if and only if a value carries data or is an object, which may.
    pub fn may_carry(&self, value: Val) -> bool {
        let shape = self.shape(value.id);
        !shape.taint.is_none() || shape.atoms.iter().any(|atom| matches!(atom, Atom::Object(_)))
    }

    /// The data of a value.
    pub fn taint(&self, id: Id) -> Taint {
        self.shape(id).taint
    }

    /// The value that is just this.
    pub fn atom(&mut self, atom: Atom) -> Val {
        let id = self.intern(Shape { atoms: Rc::from([atom]), is_open: false, taint: Taint::NONE });
        Val { id, via: StepId::NONE }
    }

    /// A string.
    pub fn string(&mut self, text: &str) -> Val {
        if MAX_TEXT < text.len() || !self.may_keep(text) {
            return Val::UNKNOWN;
        }
        let text = self.texts.intern(text);
        self.atom(Atom::Text(text))
    }

    /// Takes the cost of a text off what is left; false where that is not enough.
    fn may_keep(&mut self, text: &str) -> bool {
        if text.len() < 64 {
            return true;
        }
        match self.text_left.checked_sub(text.len()) {
            Some(left) => {
                self.text_left = left;
                true
            }
            None => {
                self.text_left = 0;
                false
            }
        }
    }

    /// Returns true if and only if some texts were not kept because all together were too long.
    pub fn is_spent(&self) -> bool {
        self.text_left == 0
    }

    /// A number.
    pub fn number(&mut self, number: f64) -> Val {
        self.atom(Atom::Number(number.to_bits()))
    }

    /// A boolean.
    pub fn boolean(&mut self, value: bool) -> Val {
        self.atom(Atom::Boolean(value))
    }

    /// An object.
    pub fn object(&mut self, object: ObjectId) -> Val {
        self.atom(Atom::Object(object))
    }

    /// Something that the runtime offers.
    pub fn native(&mut self, path: &str) -> Val {
        let path = self.texts.intern(path);
        self.atom(Atom::Native(path))
    }

    /// A value that is known, except objects.
    pub fn constant(&mut self, constant: &Constant) -> Option<Val> {
        Some(match constant {
            Constant::String(text) => self.string(text),
            Constant::Number(number) => self.number(*number),
            Constant::BigInt(number) => {
                let digits = self.texts.intern(&number.to_string());
                self.atom(Atom::BigInt(digits))
            }
            Constant::Boolean(value) => self.boolean(*value),
            Constant::Null => self.atom(Atom::Null),
            Constant::Undefined => Val::UNDEFINED,
            Constant::Array(_) | Constant::Bytes(_) => return None,
        })
    }

    /// The constant that an atom is.
    pub fn constant_of(&self, atom: Atom) -> Option<Constant> {
        Some(match atom {
            Atom::Undefined => Constant::Undefined,
            Atom::Null => Constant::Null,
            Atom::Boolean(value) => Constant::Boolean(value),
            Atom::Number(bits) => Constant::Number(f64::from_bits(bits)),
            Atom::BigInt(digits) => Constant::BigInt(self.texts.get(digits).parse().ok()?),
            Atom::Text(text) => Constant::String(self.texts.get(text).to_string()),
            Atom::Partial(_) | Atom::Object(_) | Atom::Native(_) | Atom::Time(_) => return None,
        })
    }

    /// The only constant that a value can be.
    pub fn known(&self, id: Id) -> Option<Constant> {
        let shape = self.shape(id);
        match (&*shape.atoms, shape.is_open) {
            ([atom], false) => self.constant_of(*atom),
            _ => None,
        }
    }

    /// All constants that a value can be, if it can be nothing else.
    pub fn all_known(&self, id: Id) -> Option<Vec<Constant>> {
        let shape = self.shape(id);
        if shape.is_open || shape.atoms.is_empty() {
            return None;
        }
        shape.atoms.iter().map(|atom| self.constant_of(*atom)).collect()
    }

    /// The only string that a value can be, holes for what is not known of it.
    pub fn text(&self, id: Id) -> Option<Rc<str>> {
        let shape = self.shape(id);
        match (&*shape.atoms, shape.is_open) {
            ([Atom::Text(text) | Atom::Partial(text)], false) => Some(Rc::clone(self.texts.get(*text))),
            ([atom @ (Atom::Number(_) | Atom::BigInt(_) | Atom::Boolean(_) | Atom::Null | Atom::Undefined)], false) => {
                self.constant_of(*atom).map(|constant| Rc::from(constant.to_text()))
            }
            _ => None,
        }
    }

    /// Whether JavaScript takes the value for true, if that is known.
    pub fn truth(&self, id: Id) -> Option<bool> {
        let shape = self.shape(id);
        if shape.is_open {
            return None;
        }
        let truth = |atom: &Atom| match atom {
            Atom::Object(_) => Some(true),
            // What the runtime offers under a name may as well be missing.
            Atom::Native(_) => None,
            Atom::Partial(text) => self.texts.get(*text).chars().any(|character| character != HOLE).then_some(true),
            atom => self.constant_of(*atom).map(|constant| constant.is_truthy()),
        };
        let first = truth(shape.atoms.first()?)?;
        shape.atoms.iter().all(|atom| truth(atom) == Some(first)).then_some(first)
    }

    /// What either value can be.
    pub fn join(&mut self, left: Val, right: Val) -> Val {
        let via = if self.taint(left.id).is_none() { right.via } else { left.via };
        Val { id: self.join_ids(left.id, right.id), via }
    }

    /// What either value can be.
    pub fn join_ids(&mut self, left: Id, right: Id) -> Id {
        if left == right || right == Val::NEVER.id {
            return left;
        }
        if left == Val::NEVER.id {
            return right;
        }
        let key = (left.min(right), left.max(right));
        if let Some(known) = self.joins.get(&key) {
            return *known;
        }
        let (left, right) = (self.shape(key.0).clone(), self.shape(key.1).clone());
        let mut atoms: Vec<Atom> = left.atoms.iter().chain(right.atoms.iter()).copied().collect();
        atoms.sort_unstable();
        atoms.dedup();
        // A time that only one side is may be any other.
        atoms.retain(|atom| !matches!(atom, Atom::Time(_)) || left.atoms == right.atoms);
        let mut is_open = left.is_open || right.is_open;
        if CONSTANTS < atoms.iter().filter(|atom| atom.is_constant()).count() {
            // Into what was put together from parts, data may have been put: where that leads is kept.
            let mut kept = 0;
            atoms.retain(|atom| match atom {
                Atom::Partial(text) if kept < PARTIAL && self.texts.get(*text).contains('.') => {
                    kept += 1;
                    true
                }
                atom => !atom.is_constant(),
            });
            is_open = true;
        }
        if OBJECTS < atoms.len() {
            atoms.truncate(OBJECTS);
            is_open = true;
        }
        let taint = self.taints.union(left.taint, right.taint);
        let joined = self.intern(Shape { atoms: Rc::from(atoms), is_open, taint });
        self.joins.insert(key, joined);
        joined
    }

    /// The value without its constants, which change from one round of a loop to the next.
    pub fn widened(&mut self, id: Id) -> Id {
        let shape = self.shape(id).clone();
        if !shape.atoms.iter().any(|atom| atom.is_constant()) {
            return id;
        }
        let atoms: Vec<Atom> = shape.atoms.iter().copied().filter(|atom| !atom.is_constant()).collect();
        self.intern(Shape { atoms: Rc::from(atoms), is_open: true, taint: shape.taint })
    }

    /// The value with this data beside its own.
    pub fn with_taint(&mut self, value: Val, taint: Taint) -> Val {
        if taint.is_none() {
            return value;
        }
        let shape = self.shape(value.id).clone();
        let taint = self.taints.union(shape.taint, taint);
        Val { id: self.intern(Shape { taint, ..shape }), ..value }
    }

    /// The value without any data of its own.
    pub fn without_taint(&mut self, value: Val) -> Val {
        let shape = self.shape(value.id).clone();
        if shape.taint.is_none() {
            return value;
        }
        Val { id: self.intern(Shape { taint: Taint::NONE, ..shape }), via: StepId::NONE }
    }

    /// A time, with this data.
    pub fn time(&mut self, time: Time, taint: Taint, via: StepId) -> Val {
        Val { id: self.intern(Shape { atoms: Rc::from([Atom::Time(time)]), is_open: true, taint }), via }
    }

    /// Which time a value is, if that is known.
    pub fn time_of(&self, id: Id) -> Option<Time> {
        match &*self.shape(id).atoms {
            [Atom::Time(time)] => Some(*time),
            _ => None,
        }
    }

    /// Anything, with this data.
    pub fn opaque(&mut self, taint: Taint, via: StepId) -> Val {
        Val { id: self.intern(Shape { atoms: Rc::from([]), is_open: true, taint }), via }
    }

    /// The data after something happened to it.
    pub fn changed(&mut self, taint: Taint, change: Change) -> Taint {
        self.taints.change(taint, change, &mut self.texts)
    }

    /// The value with its data changed.
    pub fn with_change(&mut self, value: Val, change: Change) -> Val {
        let shape = self.shape(value.id).clone();
        if shape.taint.is_none() {
            return value;
        }
        let taint = self.changed(shape.taint, change);
        Val { id: self.intern(Shape { taint, ..shape }), ..value }
    }

    /// A string of which parts are known.
    pub fn partial(&mut self, text: &str) -> Val {
        if MAX_TEXT < text.len() || !text.chars().any(|character| character != HOLE) || !self.may_keep(text) {
            return Val::UNKNOWN;
        }
        let is_whole = !text.contains(HOLE);
        let text = self.texts.intern(text);
        self.atom(if is_whole { Atom::Text(text) } else { Atom::Partial(text) })
    }
}
