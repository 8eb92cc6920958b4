//! What callgate finds in texts and says of them, asked of the library.
//!
//! One program for all, since each is linked with the whole library.

mod actions;
mod agent_scripts;
mod calls;
mod calls_by_meaning;
mod checks;
mod covered;
mod destructive_calls;
mod explain;
mod file_tools;
mod five_factor;
mod flow_checks;
mod flow_pairs;
mod followed;
mod growth;
mod install_hooks;
#[path = "../judge/mod.rs"]
mod judge;
mod loops_and_names;
mod mass_access;
mod methods;
mod models;
mod money_movements;
mod own_rows;
mod parts;
mod picked_or_all;
mod privilege_grants;
mod prose;
mod queries;
mod sandbox;
mod sarif;
mod shell;
mod slots;
