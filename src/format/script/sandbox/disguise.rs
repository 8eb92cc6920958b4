//! Texts that were put together or escaped so that nobody reads in them where they lead.

use crate::format::script::sandbox::Walker;
use crate::format::script::sandbox::names::is_told_by_disguise;
use crate::subject::hazard::{HazardKind, Strength};
use crate::subject::segment::{Role, Segment};

impl Walker<'_, '_, '_> {
    /// Adds the texts that lead out and were disguised, unless the places where they are used were told already.
    pub fn disguises(&mut self, segments: &[Segment], source: &str) {
        if self.hazards.iter().any(|hazard| hazard.strength == Strength::Clear && !hazard.kind.exhausts()) {
            return;
        }
        for segment in segments {
            let Some(text) = segment.decoded.as_deref().filter(|text| is_told_by_disguise(text)) else { continue };
            let is_disguised = match segment.role {
                Role::Folded => true,
                Role::String => segment.span.slice(source).contains('\\'),
                Role::Code | Role::Comment | Role::Prose => false,
            };
            if is_disguised {
                let note = format!("a text is put together so that it says `{text}` only when the script runs");
                self.tell(HazardKind::Chain, Strength::Clear, segment.span, note);
            }
        }
    }
}
