//! Words that name things: what is dear, what holds others, what nobody misses.

use crate::knowledge::words::Tag;

/// Things that are made anew when they are needed, or matter to nobody.
pub const HARMLESS: Tag = Tag::Harmless;

/// Things that hold many others; losing one loses all in it.
pub const HOLDERS: Tag = Tag::Holder;

/// Parts of infrastructure; one of them may go, several may not.
pub const PARTS: Tag = Tag::Part;

/// People and what belongs to them.
pub const PEOPLE: Tag = Tag::People;

/// What is missed when all of it is gone.
pub const PRECIOUS: Tag = Tag::Precious;

/// Words of names that tell a thing that is made to be thrown away.
pub const EPHEMERAL: Tag = Tag::Ephemeral;
