//! How what one node of the graph holds gets into another.

/// A node: an expression, a variable, a field's name, a function's result.
pub type Node = u32;

/// How what one node holds gets into another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The other one is the same value.
    Same(Node),
    /// The other one is the same object: what is put into this one is in the other.
    SameObject(Node),
    /// The other one has all that stands in its fields, too: what a class has of the one that it extends.
    Inherits(Node),
    /// The other one is computed from it: it holds its data.
    Made(Node),
    /// The other one comes out of it in a way that is not known: also ways out and functions.
    Yields(Node),
    /// It is put into the other one in a way that is not known.
    Soaks(Node),
    /// It is put into the other one if that is an object.
    SoaksObject(Node),
    /// It is put into a field of the other one.
    Field(Node),
    /// Its fields are copied into the other one.
    Spread(Node),
    /// What soaked into it comes out as the other one.
    Oozes(Node),
    /// The other one is an answer to a question about it.
    Asks(Node),
    /// The other one is put together by its answers, so that they tell all of what was asked about.
    Tells(Node),
    /// The other one tells it, not what stands in its fields.
    Names(Node),
    /// The other one is an answer to what it answers.
    Answers(Node),
    /// It is a place in the other one, at which something is put again and again: where tells what it answers.
    Places(Node),
    /// What is put into a field of it comes out of its others.
    Mixes(Node),
    /// It writes itself into the other one, where it is one of the runtime's.
    Fills(Node),
    /// The other one is an answer to what it answers, one of many: together they spell it.
    Spells(Node),
    /// The other one is its size, if it is a number.
    Measures(Node),
    /// The other one is as large as this, a secret number, at which something is put.
    Extends(Node),
    /// The other one leads out where it does.
    Leads(Node),
    /// What is put into it in a way that is not known is in the other one, too.
    Backs(Node),
    /// What is put into a field of it may be put into the other one.
    Hands(Node),
    /// The same as with `Backs`, if the other one keeps what it is given for all who ask it.
    BacksKept(Node),
    /// The other one is the same value, if this is a module: its default is itself.
    Default(Node),
    /// The other one may be any function that stands in it.
    Methods(Node),
    /// A field is read from it or lies under a name that is read: the read is done again.
    Read(u32),
    /// It takes part in a call: the call is done again.
    Call(u32),
}

impl Edge {
    /// Returns true if and only if it tells what was put into a node beside what the node holds.
    pub fn tells_what_is_put(self) -> bool {
        matches!(self, Self::SameObject(_) | Self::Inherits(_) | Self::Hands(_) | Self::Read(_))
    }
}
