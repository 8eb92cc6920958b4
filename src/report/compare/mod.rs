//! Writers of comparisons of models.

pub mod html;
pub mod json;
pub mod table;
