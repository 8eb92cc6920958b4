//! What all of a script shares: modules and globals, and those of the runtime that keep what they are given.

use crate::format::script::cover::Cover;
use crate::format::script::cover::graph::{Edge, KEEPS, Node, SHARED};

/// Globals that hold fields of the script's own.
const OBJECTS: &[&str] = &["globalThis", "window", "self", "global", "document", "location", "arguments", "module", "exports"];
/// Globals that keep what they are given for all who ask them, or hand it to all who listen.
const KEEPING: &[&str] = &[
    "process",
    "localStorage",
    "sessionStorage",
    "history",
    "caches",
    "indexedDB",
    "cookieStore",
    "BroadcastChannel",
    "SharedWorker",
    "performance",
    "customElements",
];
/// Globals that are methods of one thing, which hands to all who listen what it is given.
const EVENTS: &[&str] = &["addEventListener", "dispatchEvent", "postMessage"];
/// Modules of the runtime that keep what they are given for all who ask them, or hand it to all who listen.
const KEEPING_MODULES: &[&str] = &[
    "async_hooks",
    "cluster",
    "diagnostics_channel",
    "domain",
    "inspector",
    "inspector/promises",
    "module",
    "perf_hooks",
    "process",
    "trace_events",
    "v8",
    "worker_threads",
];

/// Returns true if and only if a global keeps what it is given, or holds fields of the script's own.
pub fn is_keeping(name: &str) -> bool {
    KEEPING.contains(&name) || OBJECTS.contains(&name)
}

impl Cover<'_> {
    /// A global is shared by all, and may be a way out.
    pub fn way_of(&mut self, node: Node, name: &str) {
        if EVENTS.contains(&name) {
            let events = self.graph.field("(events)");
            self.graph.mark(node, KEEPS);
            self.graph.edge(node, Edge::Backs(events));
            self.graph.edge(events, Edge::Backs(node));
        } else if KEEPING.contains(&name) {
            self.graph.mark(node, KEEPS);
        } else if !OBJECTS.contains(&name) {
            self.graph.mark(node, SHARED);
        }
        self.leads_out(node, name);
    }

    /// A node is a module: one object, however often it is loaded.
    pub fn module(&mut self, node: Node, name: &str) {
        let name = name.strip_prefix("node:").unwrap_or(name);
        if !self.serving.contains(name) {
            self.module_leads_out(node, name);
        }
        if name.starts_with('.') {
            return;
        }
        self.graph.mark(node, if KEEPING_MODULES.contains(&name) { KEEPS } else { SHARED });
        match self.modules.get(name).copied() {
            Some(known) => {
                self.graph.same(known, node);
                self.graph.same(node, known);
            }
            None => {
                self.modules.insert(name.to_owned(), node);
            }
        }
    }
}
