//! The similarity family; so far the keyword heuristics of the upstream edition.

pub mod upstream;
