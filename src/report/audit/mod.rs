//! Audits of tools: what each tool of a server does, who says so, and what its texts hide.

pub mod json;
pub mod table;
