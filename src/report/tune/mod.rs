//! Writers of what labelled files say of models.

pub mod calibration;
pub mod json;
pub mod svg;
pub mod table;
