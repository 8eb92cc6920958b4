//! The state of a script: what its variables and the fields of its objects hold.
//!
//! A branch is run on the state itself while a trail notes what it overwrites; its writes are then taken back
//! and joined with those of the other branch. So a branch costs what it writes, not what there is.

mod departure;

use std::rc::Rc;

use indexmap::IndexMap;
use oxc_ast::ast::{ArrowFunctionExpression, Class, Function, ObjectExpression, ObjectPropertyKind, PropertyKind};
use oxc_syntax::symbol::SymbolId;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::format::script::interpret::text::Text;
use crate::format::script::interpret::value::{ObjectId, Val, Values};
use crate::value::span::Span;

/// The site of what a call makes beside its result, so that it is not taken for what stands at the same place.
pub fn derived(span: Span, nth: u32) -> u32 {
    // Calls in a chain begin at one place, and each ends at its own.
    1 << 31 | (span.end << 3 & 0x7fff_fff8) | nth & 7
}

/// The code of a function.
#[derive(Clone, Copy)]
pub enum Code<'a> {
    /// An arrow function.
    Arrow(&'a ArrowFunctionExpression<'a>),
    /// Any other.
    Function(&'a Function<'a>),
}

impl Code<'_> {
    /// Where the function starts, which tells it from all others.
    pub fn start(self) -> u32 {
        match self {
            Self::Arrow(function) => function.span.start,
            Self::Function(function) => function.span.start,
        }
    }

    /// Returns true if and only if the function is asynchronous.
    pub fn is_async(self) -> bool {
        match self {
            Self::Arrow(function) => function.r#async,
            Self::Function(function) => function.r#async,
        }
    }

    /// Returns true if and only if it takes an error first, and something behind it: `(err, sftp) => …`.
    pub fn takes_error(self) -> bool {
        let parameters = match self {
            Self::Arrow(arrow) => &arrow.params,
            Self::Function(function) => &function.params,
        };
        let first = parameters.items.first().and_then(|first| first.pattern.get_identifier_name());
        let is_error = first.is_some_and(|name| matches!(name.as_str(), "err" | "error" | "e" | "_err" | "_e" | "_" | "er" | "ex"));
        is_error && 2 <= parameters.items.len()
    }

    /// How many parameters it has before one that has a default: its own field `length`.
    pub fn parameters(self) -> usize {
        let parameters = match self {
            Self::Arrow(function) => &function.params,
            Self::Function(function) => &function.params,
        };
        parameters.items.iter().take_while(|parameter| parameter.initializer.is_none()).count()
    }

    /// How many bytes its text has.
    pub fn length(self) -> u32 {
        match self {
            Self::Arrow(function) => function.span.size(),
            Self::Function(function) => function.span.size(),
        }
    }
}

/// What kind of object it is.
#[derive(Clone)]
pub enum ObjectKind<'a> {
    /// An object, with the expression that makes it.
    Plain(Option<&'a ObjectExpression<'a>>),
    /// An array; its length is the field `length`.
    Array,
    /// A function with the environment, `this` and class of the place where it is made.
    Function {
        /// Its code.
        code: Code<'a>,
        /// The environment in which it is made.
        environment: Option<ObjectId>,
        /// The `this` of the place where it is made, for arrow functions.
        this: Option<Val>,
        /// The class that it is a member of.
        class: Option<ObjectId>,
    },
    /// A class.
    Class {
        /// Its code.
        class: &'a Class<'a>,
        /// The environment in which it is made.
        environment: Option<ObjectId>,
        /// What it extends.
        parent: Val,
    },
    /// A function with some arguments already given.
    Bound {
        /// The function.
        target: Val,
        /// Its `this`.
        this: Val,
        /// The first arguments.
        arguments: Rc<[Val]>,
    },
    /// What settles a promise: keeps what it is called with in the array, or throws it.
    Settler(Option<ObjectId>),
    /// A map or a set: what it holds lies in `rest`, and under constant keys in the fields.
    Collection,
    /// What a call of the runtime returned.
    Instance {
        /// The path of the call, ending in `()`.
        path: Text,
        /// What was passed to it.
        made_with: Rc<[Val]>,
    },
    /// A promise that is settled later; what it is resolved with lies in the array.
    Promise(ObjectId),
    /// A text that a value was written as, from which it can be read again.
    Encoded(Val),
    /// The captured variables of one call of a function.
    Environment {
        /// The scope of the function.
        scope: u32,
        /// The environment around it.
        parent: Option<ObjectId>,
    },
}

/// An object of the script.
pub struct Object<'a> {
    /// What kind it is.
    pub kind: ObjectKind<'a>,
    /// Its known fields.
    pub fields: IndexMap<Text, Val, FxBuildHasher>,
    /// All that its unknown fields and elements can be.
    pub rest: Val,
    /// Where methods are looked up that it does not have.
    pub prototype: Option<ObjectId>,
    /// It stands for many objects, so that a write adds to what is there.
    pub is_summary: bool,
    /// The context in which it was made.
    context: u32,
    /// The last search that looked at it.
    stamp: u32,
}

/// Something that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A variable.
    Variable(SymbolId),
    /// A field.
    Field(ObjectId, Text),
    /// The unknown fields of an object.
    Rest(ObjectId),
}

/// What is left early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// A function.
    Function,
    /// A loop or a switch.
    Loop,
    /// One round of a loop.
    Round,
    /// A statement with a label.
    Label,
}

/// What can be left early, by its number from the outermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch(usize);

/// One way out.
pub struct Departure {
    /// What is left.
    stretch: Stretch,
    /// Where the trail was then, or where the first branch around it began that was undone since.
    mark: usize,
    /// The same for the last of the ways that it stands for.
    latest: usize,
    /// How many objects there were: those made afterwards are not there on this way.
    objects: usize,
    /// What was written on the way: that is joined by itself, or held.
    written: FxHashSet<Place>,
    /// What places held when it was left, of those that branches around had written which were undone since.
    held: Writes,
    /// It stands for several: whatever a place held since then, it may hold.
    is_anywhere: bool,
}

/// What a branch wrote.
pub type Writes = Vec<(Place, Val)>;

/// The state of a script.
pub struct Heap<'a> {
    variables: Vec<Val>,
    objects: Vec<Object<'a>>,
    sites: FxHashMap<(u32, u32, u8), ObjectId>,
    trail: Vec<(Place, Option<Val>)>,
    branches: usize,
    departures: Vec<Departure>,
    /// How many objects there were when each branch that is run began.
    began: Vec<usize>,
    /// The objects from this one on were made in what was undone last.
    made_from: usize,
    stretches: usize,
}

impl<'a> Heap<'a> {
    /// Nothing was written yet.
    pub fn new(variables: usize) -> Self {
        Self {
            variables: vec![Val::NEVER; variables],
            objects: Vec::new(),
            sites: FxHashMap::default(),
            trail: Vec::new(),
            branches: 0,
            departures: Vec::new(),
            began: Vec::new(),
            made_from: usize::MAX,
            stretches: 0,
        }
    }

    /// The object made at a site in a context: a new one, or the one made there before, which then stands for both.
    pub fn allocate(&mut self, site: u32, context: u32, nth: u8, kind: ObjectKind<'a>) -> ObjectId {
        if let Some(known) = self.sites.get(&(site, context, nth)) {
            let known = *known;
            let object = &mut self.objects[known.0 as usize];
            object.is_summary = true;
            object.kind = kind;
            return known;
        }
        let id = ObjectId(u32::try_from(self.objects.len()).unwrap_or(u32::MAX));
        let fields = IndexMap::default();
        self.objects.push(Object { kind, fields, rest: Val::NEVER, prototype: None, is_summary: false, context, stamp: 0 });
        self.sites.insert((site, context, nth), id);
        id
    }

    /// The context in which an object was made.
    pub fn context_of(&self, id: ObjectId) -> u32 {
        self.object(id).context
    }

    /// An object.
    pub fn object(&self, id: ObjectId) -> &Object<'a> {
        &self.objects[id.0 as usize]
    }

    /// Marks an object as looked at by a search; false, if it was already.
    pub fn stamp(&mut self, id: ObjectId, stamp: u32) -> bool {
        let object = &mut self.objects[id.0 as usize];
        std::mem::replace(&mut object.stamp, stamp) != stamp
    }

    /// An object, for what is no part of the state.
    pub fn object_mut(&mut self, id: ObjectId) -> &mut Object<'a> {
        &mut self.objects[id.0 as usize]
    }

    /// What a place holds.
    pub fn get(&self, place: Place) -> Option<Val> {
        match place {
            Place::Variable(symbol) => self.variables.get(symbol.index()).copied(),
            Place::Field(object, key) => self.object(object).fields.get(&key).copied(),
            Place::Rest(object) => Some(self.object(object).rest),
        }
    }

    /// Overwrites a place.
    pub fn set(&mut self, place: Place, value: Val) {
        let before = self.put(place, Some(value));
        if 0 < self.branches {
            self.trail.push((place, before));
        }
    }

    fn put(&mut self, place: Place, value: Option<Val>) -> Option<Val> {
        match place {
            Place::Variable(symbol) => {
                let variable = self.variables.get_mut(symbol.index())?;
                Some(std::mem::replace(variable, value.unwrap_or(Val::NEVER)))
            }
            Place::Field(object, key) => {
                let fields = &mut self.objects[object.0 as usize].fields;
                match value {
                    Some(value) => fields.insert(key, value),
                    None => fields.swap_remove(&key),
                }
            }
            Place::Rest(object) => {
                let rest = &mut self.objects[object.0 as usize].rest;
                Some(std::mem::replace(rest, value.unwrap_or(Val::NEVER)))
            }
        }
    }

    /// How many objects there are.
    pub fn count(&self) -> usize {
        self.objects.len()
    }

    /// Says from which object on all were made in what is joined next.
    pub fn note_made(&mut self, from: usize) {
        self.made_from = from;
    }

    /// Starts a branch; returns its mark.
    pub fn branch(&mut self) -> usize {
        self.branches += 1;
        self.began.push(self.objects.len());
        self.made_from = usize::MAX;
        self.trail.len()
    }

    /// Ends a branch: takes its writes back and returns them.
    pub fn undo(&mut self, mark: usize) -> Writes {
        self.branches = self.branches.saturating_sub(1);
        self.cut_departures(mark);
        self.made_from = self.began.pop().unwrap_or(usize::MAX);
        let undone: Vec<(Place, Option<Val>)> = self.trail.drain(mark.min(self.trail.len())..).collect();
        let mut writes: IndexMap<Place, Val, FxBuildHasher> = IndexMap::default();
        for (place, before) in undone.into_iter().rev() {
            let now = self.put(place, before);
            writes.entry(place).or_insert(now.unwrap_or(Val::NEVER));
        }
        writes.into_iter().rev().collect()
    }

    /// Adds writes that may or may not have happened. Returns true if and only if that changed anything.
    pub fn join(&mut self, writes: &Writes, values: &mut Values, is_widening: bool) -> bool {
        let unmade = self.unmade(writes);
        self.made_from = usize::MAX;
        self.join_made(writes, &unmade, values, is_widening)
    }

    /// The objects among those written to that are made in what is written, of literals that have fields from the start.
    fn unmade(&self, writes: &Writes) -> FxHashSet<ObjectId> {
        let is_unmade = |object: &ObjectId| {
            let own = self.object(*object);
            let has_fields = |node: &ObjectExpression<'_>| {
                let is_field = |property: &ObjectPropertyKind<'_>| {
                    property.as_property().is_some_and(|property| property.kind == PropertyKind::Init && !property.computed)
                };
                node.properties.iter().any(is_field)
            };
            let is_bare = own.fields.is_empty() && own.rest.id == Val::NEVER.id;
            let is_literal = || matches!(own.kind, ObjectKind::Plain(Some(node)) if has_fields(node));
            is_bare && (self.made_from <= object.0 as usize || is_literal())
        };
        let objects = writes.iter().filter_map(|(place, _)| if let Place::Field(object, _) = place { Some(*object) } else { None });
        objects.filter(is_unmade).collect()
    }

    fn join_made(&mut self, writes: &Writes, unmade: &FxHashSet<ObjectId>, values: &mut Values, is_widening: bool) -> bool {
        let mut changed = false;
        for (place, value) in writes {
            let before = self.get(*place);
            let old = before.unwrap_or(match place {
                // An object that is there on one way only has its fields on that way.
                Place::Field(object, _) if unmade.contains(object) => Val::NEVER,
                // A field that is there on one way only.
                Place::Field(..) => Val::UNDEFINED,
                Place::Variable(_) | Place::Rest(_) => Val::NEVER,
            });
            let mut joined = values.join(old, *value);
            if is_widening && before.is_some() && joined.id != old.id && old.id != Val::NEVER.id {
                joined.id = values.widened(joined.id);
            }
            if Some(joined.id) != before.map(|before| before.id) {
                changed = true;
                self.set(*place, joined);
            }
        }
        changed
    }

    /// Joins the writes of two branches of which one was taken.
    pub fn join_either(&mut self, left: &Writes, right: &Writes, values: &mut Values) {
        let mut unmade = self.unmade(left);
        unmade.extend(self.unmade(right));
        self.made_from = usize::MAX;
        let others: FxHashMap<Place, Val> = right.iter().copied().collect();
        let mut done: FxHashSet<Place> = FxHashSet::default();
        for (place, value) in left {
            match others.get(place) {
                Some(other) => {
                    let joined = values.join(*value, *other);
                    self.set(*place, joined);
                    done.insert(*place);
                }
                None => {
                    self.join_made(&vec![(*place, *value)], &unmade, values, false);
                }
            }
        }
        let rest: Writes = right.iter().filter(|(place, _)| !done.contains(place)).copied().collect();
        self.join_made(&rest, &unmade, values, false);
    }

    /// Applies writes that have happened.
    pub fn apply(&mut self, writes: &Writes) {
        self.made_from = usize::MAX;
        for (place, value) in writes {
            self.set(*place, *value);
        }
    }
}
